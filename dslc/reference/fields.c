/* The value of a quantity at an entity: stored, given, measured, or what its equation says. */
#include <stdlib.h>
#include <string.h>

#include "ir/mesh_source.h"
#include "reference/reference.h"

/* ---- memory --------------------------------------------------------------------------------------------------------- */

static bool has_ghosts(const dslc_reference *r, ir_place place) { return r->world.mesh && place == IR_CELLS; }

static int32_t entries(const dslc_reference *r, ir_place place) {
  return r->world.count[place] + (has_ghosts(r, place) ? r->world.mesh->n_ghosts : 0);
}

static bool is_memoized(const ir_symbol *q) {
  return q->kind == IR_EQUATION || q->kind == IR_GLOBAL || q->kind == IR_MATRIX;
}

static ref_field make_field(dslc_reference *r, arena *memory, const ir_symbol *q, ir_place place) {
  ref_field f = {.count = entries(r, place), .n = q->type.n};
  f.value = arena_array(memory, double, (size_t)f.count *(size_t)f.n + 1);
  if (is_memoized(q) || has_ghosts(r, place)) f.age = arena_array(memory, uint32_t, f.count + 1);
  return f;
}

/* Where part of a matrix lies: entries at edges, the diagonal at nodes. */
static ir_place place_of(const ir_symbol *q, int part) {
  if (q->kind != IR_MATRIX) return q->place;
  return part == IR_DIAGONAL ? IR_NODES : IR_EDGES;
}

void ref_make_env(dslc_reference *r, ref_env *env, arena *memory) {
  *env = (ref_env){.memory = memory, .age = 1};
  env->field = arena_array(memory, ref_field, 2 * r->m->symbol.n);
  env->ghost_room = 1024;
  env->ghost = arena_array(memory, ref_ghost, env->ghost_room);
}

ref_field *ref_field_of(ref_env *env, ir_sym sym, int part) { return &env->field[2 * sym + (unsigned)part]; }

static ref_field *field_for(dslc_reference *r, ref_env *env, ir_sym sym, int part) {
  ref_field *f = ref_field_of(env, sym, part);
  const ir_symbol *q = ir_symbol_get(r->m, sym);
  if (!f->value) *f = make_field(r, env->memory, q, place_of(q, part));
  return f;
}

static void count_places(dslc_reference *r) {
  r->world.count[IR_NOWHERE] = 1;
  if (r->world.mesh) {
    r->world.count[IR_CELLS] = r->world.mesh->n_cells;
    r->world.count[IR_FACES] = r->world.mesh->n_faces;
    r->world.count[IR_NODES] = r->world.mesh->n_nodes;
    r->world.count[IR_EDGES] = r->world.mesh->n_nodes ? r->world.mesh->node_start[r->world.mesh->n_nodes] : 0;
  }
  for (int p = IR_CELLS; r->world.grid && p <= IR_CORNERS; p++) {
    r->world.count[p] = 1;
    for (int a = 0; a < r->world.d->dim; a++) r->world.count[p] *= ref_extent(r, (ir_place)p, a);
  }
}

void ref_make_fields(dslc_reference *r) {
  count_places(r);
  r->fixed = arena_array(r->memory, ref_field, r->m->symbol.n);
  r->rules.argument = arena_array(r->memory, double *, r->m->symbol.n);
  r->rules.argument_t = arena_array(r->memory, double, r->m->symbol.n);
  r->given_t = arena_array(r->memory, double, r->m->symbol.n);
  r->rules.beyond = arena_array(r->memory, char, r->m->symbol.n);
  r->rules.follows = arena_array(r->memory, char, 3 * r->m->symbol.n);
  ref_make_env(r, &r->now, r->memory);
  ref_make_env(r, &r->prev, r->memory);
  r->world.edge_first = arena_array(r->memory, int32_t, r->world.count[IR_EDGES] + 1);
  for (int32_t i = 0; r->world.mesh && i < r->world.mesh->n_nodes; i++)
    for (int32_t k = r->world.mesh->node_start[i]; k < r->world.mesh->node_start[i + 1]; k++)
      r->world.edge_first[k] = i;
  for (ir_sym s = 1; s < (ir_sym)r->m->symbol.n; s++) {
    const ir_symbol *q = ir_symbol_get(r->m, s);
    if (q->kind != IR_STATE) continue;
    *ref_field_of(&r->now, s, 0) = make_field(r, r->memory, q, q->place);
    *ref_field_of(&r->prev, s, 0) = make_field(r, r->memory, q, q->place);
    if (!r->world.d->field(r->world.d->context, q->text, 0, ref_field_of(&r->now, s, 0)->value))
      ref_fail(r, DSLC_REF_CALLBACK, "the values of `%s` at the start", q->text);
  }
}

/* ---- what never changes ----------------------------------------------------------------------------------------------- */

static void fill_held(dslc_reference *r, const ir_symbol *q, ref_field *f) {
  for (int32_t i = 0; i < f->count; i++) f->value[i] = ref_is_held(r, q->purpose.of, i);
}

/* On a grid: 1 or -1, as the normal points out of the active cells, at the faces of a rule. */
static void fill_marks(dslc_reference *r, const ir_symbol *q, int rule, ref_field *f) {
  const int32_t *wall = r->world.grid->wall[q->place - IR_XFACES];
  for (int32_t i = 0; i < f->count; i++) {
    if (wall[i] >= 0 && r->world.grid->wall_rule[wall[i]] == rule)
      f->value[i] = r->world.grid->wall_active_above[wall[i]] ? -1 : 1;
  }
}

static void fill_geometry(dslc_reference *r, const ir_symbol *q, ref_field *f) {
  dslc_source source = ir_mesh_source(r->m, q);
  if (source.kind == DSLC_SOURCE_CONSTRAINED) fill_held(r, q, f);
  else if (r->world.grid) fill_marks(r, q, source.rule, f);
  else if (!r->world.d->geometry(r->world.d->context, (dslc_place)q->place, &source, q->type.n, f->value))
    ref_fail(r, DSLC_REF_CALLBACK, "the mesh has no `%s` at %s", q->text, ir_place_text(q->place));
}

/* Givens over time are asked for again whenever they are read at another time. */
static void fill_given(dslc_reference *r, double t, ir_sym sym, ref_field *f) {
  const ir_symbol *q = ir_symbol_get(r->m, sym);
  r->given_t[sym] = t;
  if (!r->world.d->field(r->world.d->context, q->text, t, f->value))
    ref_fail(r, DSLC_REF_CALLBACK, "the values of `%s`", q->text);
}

const double *ref_constant(dslc_reference *r, double t, ir_sym sym, int32_t entity) {
  ref_field *f = &r->fixed[sym];
  const ir_symbol *q = ir_symbol_get(r->m, sym);
  bool first = !f->value;
  if (first) *f = make_field(r, r->memory, q, q->place);
  if (q->kind != IR_GIVEN && first) fill_geometry(r, q, f);
  else if (q->kind == IR_GIVEN && (first || (q->over_time && r->given_t[sym] != t))) fill_given(r, t, sym, f);
  if (entity < 0 || entity >= f->count)
    ref_fault(r, IR_NOWHERE, -1, "`%s` is read at index %d of %d", q->text, entity, f->count);
  return f->value + (size_t)entity * (size_t)f->n;
}

bool ref_is_of_reader(const dslc_reference *r, const ref_env *env) {
  return env == &r->prev && r->work.reader;
}

double ref_env_time(const dslc_reference *r, const ref_env *env) {
  return ref_is_of_reader(r, env) ? r->work.reader->t : env->t;
}

double ref_time(const dslc_reference *r, const ref_env *env, const ref_stand *at) {
  return at->fixes ? r->rules.fix_t : ref_env_time(r, env);
}

/* ---- what follows from equations ---------------------------------------------------------------------------------------- */

ref_stand ref_stand_at(const dslc_reference *r, ir_place place, int32_t entity) {
  static const ref_kind kinds[] = {[IR_NOWHERE] = REF_ONCE,
                                   [IR_CELLS] = REF_CELL,
                                   [IR_FACES] = REF_FACE,
                                   [IR_NODES] = REF_NODE,
                                   [IR_EDGES] = REF_EDGE};
  ref_stand at = {.kind = REF_POINT, .place = place, .at = entity, .met = {.wall = -1}};
  if (!r->world.grid || place == IR_NOWHERE) at.kind = kinds[place];
  else ref_point_at(r, place, entity, at.p);
  return at;
}

const ir_rule_entry *ref_entry(const dslc_reference *r, int rule, ir_rule_kind kind, ir_sym target) {
  if (rule < 0) return NULL;
  return ir_entry_find(r->m, rule + 1, target, kind);
}

/* A boundary rule's `flux` replaces the formula; of a fluctuation, the part of the cell inside. */
static const ir_rule_entry *flux_rule(const dslc_reference *r, const ir_symbol *q, ir_sym sym,
                                      int32_t entity) {
  if (!r->world.mesh || q->place != IR_FACES) return NULL;
  return ref_entry(r, r->world.mesh->face_rule[entity], IR_FLUX, sym);
}

static void compute(dslc_reference *r, ref_env *env, ir_sym sym, int part, int32_t entity, double *out) {
  const ir_symbol *q = ir_symbol_get(r->m, sym);
  ir_place place = place_of(q, part);
  const ir_rule_entry *flux = flux_rule(r, q, sym, entity);
  ref_stand at = ref_stand_at(r, place, entity);
  if (flux) {
    at.kind = REF_WALL;
    ref_evaluate(r, env, &at, flux->root, out);
    return;
  }
  if (ref_is_given_by_rule(r, env, sym, entity, out)) return;
  if (!q->root[part]) ref_fault(r, place, entity, "`%s` is read but has no value", q->text);
  ref_evaluate(r, env, &at, q->root[part], out);
  if (place == IR_NODES && q->kind == IR_EQUATION) ref_rules_at_node(r, env, sym, entity, out);
}

const double *ref_value(dslc_reference *r, ref_env *env, ir_sym sym, int part, int32_t entity) {
  const ir_symbol *q = ir_symbol_get(r->m, sym);
  ref_field *f = field_for(r, env, sym, part);
  if (entity < 0 || entity >= f->count)
    ref_fault(r, IR_NOWHERE, -1, "`%s` is read at index %d of %d", q->text, entity, f->count);
  double *out = f->value + (size_t)entity * (size_t)f->n;
  if (q->kind == IR_STATE && r->rules.fixing && r->rules.fixing[sym].value && env == &r->now)
    return ref_fixed_point(r, sym, entity);
  if (q->kind == IR_STATE || f->age[entity] == env->age) return out;
  double value[256];
  const ref_trail trail = {
      .what = q->text, .at = q->at, .place = place_of(q, part), .entity = entity, .outer = r->work.trail};
  const int across = r->work.across; /* where a point is there, it follows as for anybody */
  ref_env *reader = r->work.reader;
  r->work.trail = &trail, r->work.across = 0, r->work.reader = NULL;
  compute(r, env, sym, part, entity, value);
  r->work.trail = trail.outer, r->work.across = across, r->work.reader = reader;
  memcpy(out, value, sizeof *out * (size_t)f->n);
  f->age[entity] = env->age;
  return out;
}

/* ---- single values -------------------------------------------------------------------------------------------------------- */

static const double *arguments_at(dslc_reference *r, double t, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(r->m, sym);
  const ir_rule *rule = &r->m->rule.at[q->rule];
  int32_t n = r->world.mesh ? r->world.mesh->n_faces : r->world.grid->n_walls;
  int number = 0;
  while (rule->arg.at[number] != sym) number++;
  if (r->rules.argument[sym] && r->rules.argument_t[sym] == t) return r->rules.argument[sym];
  if (!r->rules.argument[sym])
    r->rules.argument[sym] = arena_array(r->memory, double, (size_t)n * q->type.n + 1);
  r->rules.argument_t[sym] = t;
  if (!r->world.d->argument(r->world.d->context, (int)q->rule - 1, number, -1, t, r->rules.argument[sym]))
    ref_fail(r, DSLC_REF_CALLBACK, "argument `%s` of rule `%s`", q->text, rule->text);
  return r->rules.argument[sym];
}

static const double *row_argument(dslc_reference *r, double t, const ref_stand *at, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(r->m, sym);
  ref_hold *h = &r->rules.hold[at->hold];
  const ir_rule *rule = &r->m->rule.at[h->rule];
  int number = 0;
  while (rule->arg.at[number] != sym) number++;
  double **value = &h->argument[number];
  if (!*value || h->argument_t[number] != t) {
    if (!*value) *value = arena_array(r->memory, double, (size_t)h->rows.n * q->type.n + 1);
    h->argument_t[number] = t;
    if (!r->world.d->argument(r->world.d->context, (int)h->rule - 1, number, at->hold, t, *value))
      ref_fail(r, DSLC_REF_CALLBACK, "argument `%s` of rule `%s`", q->text, rule->text);
  }
  return *value + (size_t)at->row * q->type.n;
}

/* On a grid what lies behind a side between its faces is given the mean of what these say which have the rule. */
static void argument_between(dslc_reference *r, const double *all, const ref_stand *at, uint32_t n,
                             double *out) {
  int32_t wall[4];
  const int faces = ref_walls_beside(r, at, wall);
  for (uint32_t d = 0; d < n; d++) {
    double mean[2], x[4] = {0};
    for (int i = 0; i < faces; i++) x[i] = all[(size_t)wall[i] * n + d];
    mean[0] = faces == 1 ? x[0] : 0.5 * (x[0] + x[1]);
    mean[1] = faces == 4 ? 0.5 * (x[2] + x[3]) : mean[0];
    out[d] = 0.5 * (mean[0] + mean[1]);
  }
}

void ref_param(dslc_reference *r, ref_env *env, const ref_stand *at, const ir_node *n, double *out) {
  ir_sym sym = n->read.sym;
  const ir_symbol *q = ir_symbol_get(r->m, sym);
  size_t size = sizeof *out * q->type.n;
  switch (q->kind) {
  case IR_TIME: *out = ref_time(r, env, at); break;
  case IR_PARAMETER: memcpy(out, r->fixed[sym].value, size); break;
  case IR_RULE_ARGUMENT:
    if (at->in_row) memcpy(out, row_argument(r, ref_time(r, env, at), at, sym), size);
    else if (at->kind == REF_GRID_WALL)
      argument_between(r, arguments_at(r, ref_time(r, env, at), sym), at, q->type.n, out);
    else memcpy(out, arguments_at(r, ref_time(r, env, at), sym) + (size_t)at->at * q->type.n, size);
    break;
  default:
    if (r->size.asked && (sym == r->size.dt || q->purpose.role == IR_STEP_BOUND))
      ref_fail(r, DSLC_REF_CIRCLE, "`dt` needs itself, by what a boundary rule says");
    if (sym == r->size.dt) *out = r->size.dt_value;
    else if (q->purpose.role == IR_STEP_BOUND) *out = r->size.bound;
    else if (q->purpose.role == IR_STEP_MOST) *out = r->size.most;
    else memcpy(out, ref_value(r, ref_is_of_reader(r, env) ? r->work.reader : env, sym, 0, 0), size);
  }
}

/* Points of a grid count if they touch an active cell; what has one value has no point. */
bool ref_is_there(const dslc_reference *r, ir_place place, int32_t entity) {
  if (!r->world.grid || place == IR_NOWHERE) return true;
  int32_t p[3], cell[3];
  ref_point_at(r, place, entity, p);
  for (int corner = 0; corner < 8; corner++) {
    bool touches = true;
    for (int a = 0; a < 3; a++) {
      bool below = corner >> a & 1;
      touches = touches && (!below || (a < r->world.d->dim && ref_staggered(place, a)));
      cell[a] = p[a] - below;
    }
    int32_t number = touches ? ref_point_number(r, IR_CELLS, cell) : -1;
    if (number >= 0 && !r->world.grid->solid[number]) return true;
  }
  return false;
}
