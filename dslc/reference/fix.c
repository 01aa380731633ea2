/* What boundary rules fix and add. Of an equation they are part of its value; of a state they act on what a statement has
 * assigned, at the time that the new value belongs to. */
#include <string.h>

#include "reference/reference.h"

/* ---- rules at nodes ----------------------------------------------------------------------------------------------------- */

static void sort_rows(dslc_reference *r, ref_hold *h) {
  int32_t n = r->world.mesh->n_nodes;
  h->first = arena_array(r->memory, int32_t, n + 1);
  h->next = arena_array(r->memory, int32_t, h->rows.n + 1);
  for (int32_t i = 0; i < n; i++) h->first[i] = -1;
  for (int32_t row = h->rows.n - 1; row >= 0; row--) { /* layers rise along each list */
    h->next[row] = h->first[h->rows.node[row]];
    h->first[h->rows.node[row]] = row;
  }
}

void ref_make_holds(dslc_reference *r) {
  r->rules.n_holds = r->world.program->model.n_holds;
  r->rules.hold = arena_array(r->memory, ref_hold, r->rules.n_holds + 1);
  for (int i = 0; i < r->rules.n_holds; i++) {
    const dslc_hold *from = &r->world.program->model.hold[i];
    ref_hold *h = &r->rules.hold[i];
    *h = (ref_hold){.rule = (uint32_t)from->rule + 1, .projection = from->projection};
    const ir_rule *rule = &r->m->rule.at[h->rule];
    for (int k = 0; k < rule->entry.n; k++) {
      const ir_rule_entry *e = &rule->entry.at[k];
      bool same = (e->kind == IR_ADD_RULE) == from->add && (e->kind == IR_FIX || e->kind == IR_ADD_RULE);
      if (same && strcmp(ir_symbol_get(r->m, e->target)->text, from->target) == 0) h->entry = e;
    }
    if (!r->world.d->rows(r->world.d->context, i, &h->rows))
      ref_fail(r, DSLC_REF_CALLBACK, "the nodes of rule `%s`", rule->text);
    h->argument = arena_array(r->memory, double *, rule->arg.n + 1);
    h->argument_t = arena_array(r->memory, double, rule->arg.n + 1);
    sort_rows(r, h);
  }
}

/* Additions, then values, then projections. */
static int pass_of(const ref_hold *h) { return h->entry->kind == IR_ADD_RULE ? 0 : h->projection ? 2 : 1; }

static ref_stand stand_at_row(const dslc_reference *r, const ref_hold *h, int32_t row) {
  return (ref_stand){.kind = REF_ROW,
                     .place = IR_NODES,
                     .at = h->rows.node[row],
                     .in_row = true,
                     .hold = (int)(h - r->rules.hold),
                     .row = row,
                     .met = {.wall = -1}};
}

bool ref_is_held(const dslc_reference *r, ir_sym state, int32_t node) {
  for (int i = 0; i < r->rules.n_holds; i++)
    if (r->rules.hold[i].entry->target == state && pass_of(&r->rules.hold[i]) == 1 &&
        r->rules.hold[i].first[node] >= 0)
      return true;
  return false;
}

/* What a rule says of an equation may name the equation itself: that is the value so far. */
static void note_value(dslc_reference *r, ref_env *env, ir_sym sym, int32_t node, const double *value) {
  ref_field *f = ref_field_of(env, sym, 0);
  memcpy(f->value + (size_t)node * (size_t)f->n, value, sizeof *value * (size_t)f->n);
  f->age[node] = env->age;
  (void)r;
}

void ref_rules_at_node(dslc_reference *r, ref_env *env, ir_sym sym, int32_t node, double *value) {
  int n = ir_symbol_get(r->m, sym)->type.n;
  double change[256];
  for (int pass = 0; pass < 3; pass++)
    for (int i = 0; i < r->rules.n_holds; i++) {
      const ref_hold *h = &r->rules.hold[i];
      if (h->entry->target != sym || pass_of(h) != pass) continue;
      for (int32_t row = h->first[node]; row >= 0; row = h->next[row]) {
        ref_stand at = stand_at_row(r, h, row);
        note_value(r, env, sym, node, value);
        ref_evaluate(r, env, &at, h->entry->root, change);
        for (int k = 0; k < n; k++) value[k] = pass == 0 ? value[k] + change[k] : change[k];
      }
    }
}

/* All rows of a layer look at the values before any of them acts. */
static void fix_layer(dslc_reference *r, const ref_hold *h, int32_t begin, int32_t end) {
  ref_field *f = ref_field_of(&r->now, h->entry->target, 0);
  size_t n = (size_t)f->n;
  double *value = arena_array(r->step_memory, double, (size_t)(end - begin) * n + 1);
  for (int32_t row = begin; row < end; row++) {
    ref_stand at = stand_at_row(r, h, row);
    at.fixes = true;
    ref_evaluate(r, &r->now, &at, h->entry->root, value + (size_t)(row - begin) * n);
  }
  for (int32_t row = begin; row < end; row++)
    memcpy(f->value + (size_t)h->rows.node[row] * n, value + (size_t)(row - begin) * n, n * sizeof *value);
  ref_changed(&r->now);
}

static bool sums_over_near(const dslc_reference *r, ir_id root) {
  ir_reached all = ir_reach(r->m, &root, 1);
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(r->m, all.at[i]);
    if (n->op == IR_REDUCE && n->reduce.binder != IR_OVER_ALL) return true;
  }
  return false;
}

static void fix_at_nodes(dslc_reference *r, ir_sym state) {
  for (int pass = 1; pass < 3; pass++)
    for (int i = 0; i < r->rules.n_holds; i++) {
      const ref_hold *h = &r->rules.hold[i];
      if (h->entry->target != state || pass_of(h) != pass) continue;
      r->rules.found = h->rows.n_layers > 1 && sums_over_near(r, h->entry->root) ? ref_copy_states(r) : NULL;
      for (int32_t k = 0; k < h->rows.n_layers; k++) fix_layer(r, h, h->rows.layer[k], h->rows.layer[k + 1]);
      r->rules.found = NULL;
    }
}

/* ---- walls of grids ------------------------------------------------------------------------------------------------------- */

/* The mean of what the walls say on which the point lies; false: none says anything. */
static bool fix_on_walls(dslc_reference *r, ref_env *env, ir_sym sym, int32_t entity, double *out) {
  bool state = ir_symbol_get(r->m, sym)->kind == IR_STATE;
  const ir_symbol *q = ir_symbol_get(r->m, sym);
  ref_met wall[12];
  int32_t p[3];
  int said = 0;
  double value[256], sum[256] = {0};
  ref_point_at(r, q->place, entity, p);
  int n = ref_walls_on(r, q->place, p, wall);
  for (int i = 0; i < n; i++) {
    const ir_rule_entry *e = ref_entry(r, r->world.grid->wall_rule[wall[i].wall], IR_FIX, sym);
    ref_stand at = {.kind = REF_GRID_WALL, .place = q->place, .at = wall[i].wall, .met = wall[i]};
    memcpy(at.p, p, sizeof at.p);
    at.fixes = state;
    if (!e) continue;
    ref_evaluate(r, env, &at, e->root, value);
    for (int k = 0; k < q->type.n; k++) sum[k] += value[k];
    said++;
  }
  for (int k = 0; said && k < q->type.n; k++) out[k] = sum[k] / said;
  return said > 0;
}

bool ref_wall_fixes(const dslc_reference *r, ir_sym sym, int32_t entity) {
  const ir_symbol *q = ir_symbol_get(r->m, sym);
  ref_met wall[12];
  int32_t p[3];
  ref_point_at(r, q->place, entity, p);
  int n = ref_walls_on(r, q->place, p, wall);
  for (int i = 0; i < n; i++)
    if (ref_entry(r, r->world.grid->wall_rule[wall[i].wall], IR_FIX, sym)) return true;
  return false;
}

enum { READ = 1, FIXES = 2 };

static void note_turns(const dslc_reference *r, const ir_rule_entry *e, unsigned char *turns) {
  if (e->kind != IR_FIX || ir_symbol_get(r->m, e->target)->kind != IR_STATE) return;
  turns[e->target] |= FIXES;
  ir_reached all = ir_reach(r->m, &e->root, 1);
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(r->m, all.at[i]);
    if (n->op == IR_READ) turns[n->read.sym] |= READ;
  }
}

bool ref_rules_ask_in_turn(dslc_reference *r, ir_sym sym) {
  if (!r->rules.turns) {
    r->rules.turns = arena_array(r->memory, unsigned char, r->m->symbol.n);
    for (int i = 1; i < r->m->rule.n; i++)
      for (int k = 0; k < r->m->rule.at[i].entry.n; k++)
        note_turns(r, &r->m->rule.at[i].entry.at[k], r->rules.turns);
  }
  return r->rules.turns[sym] == (READ | FIXES);
}

/* A rule that reads another point of what is being fixed reads the value that this is fixed to, by a rule that may read a third
 * point: a chain from a corner of the grid along its edges ends at a point that no rule fixes. Others, as across a channel of one
 * cell, do not end; so the last of as many rules as this reads what was assigned. Twice two: points that copy each other keep
 * that. */
static int most_rules_behind(const dslc_reference *r) { return r->world.d->dim > 2 ? 4 : 2; }

const double *ref_fixed_point(dslc_reference *r, ir_sym sym, int32_t entity) {
  const ref_field *f = ref_field_of(&r->now, sym, 0);
  const size_t n = (size_t)f->n;
  const double **known =
      &r->rules.fixing[sym].value[(size_t)r->rules.rules_behind * (size_t)f->count + (size_t)entity];
  double value[256];
  if (*known) return *known;
  const double *assigned = f->value + (size_t)entity * n;
  int left = r->rules.rules_behind;
  bool fixes = left > 0;
  if (fixes) {
    r->rules.rules_behind = left - 1;
    fixes = fix_on_walls(r, &r->now, sym, entity, value);
    r->rules.rules_behind = left;
  }
  if (!fixes) return *known = assigned;
  double *copy = arena_array(r->step_memory, double, n);
  memcpy(copy, value, n * sizeof *copy);
  return *known = copy;
}

static void write_fixed(dslc_reference *r, ir_sym sym, int most) {
  const ref_field *f = ref_field_of(&r->now, sym, 0);
  const size_t n = (size_t)f->n;
  const double **fixed = r->rules.fixing[sym].value + (size_t)most * (size_t)f->count;
  for (int32_t k = 0; k < f->count; k++)
    if (fixed[k]) memmove(f->value + (size_t)k * n, fixed[k], n * sizeof(double));
}

/* All are known before the first is written. */
static void fix_on_grid(dslc_reference *r, const ir_sym *state, int n) {
  const int most = most_rules_behind(r);
  r->rules.fixing = arena_array(r->step_memory, ref_fixing, r->m->symbol.n);
  r->rules.rules_behind = most;
  for (int i = 0; i < n; i++)
    r->rules.fixing[state[i]].value =
        arena_array(r->step_memory, const double *,
                    (size_t)(most + 1) * (size_t)ref_field_of(&r->now, state[i], 0)->count + 1);
  for (int i = 0; i < n; i++)
    for (int32_t k = 0; k < r->world.count[ir_symbol_get(r->m, state[i])->place]; k++)
      if (ref_is_there(r, ir_symbol_get(r->m, state[i])->place, k)) ref_fixed_point(r, state[i], k);
  for (int i = 0; i < n; i++) write_fixed(r, state[i], most);
  r->rules.fixing = NULL;
}

/* ---- both ------------------------------------------------------------------------------------------------------------------- */

bool ref_is_given_by_rule(dslc_reference *r, ref_env *env, ir_sym sym, int32_t entity, double *out) {
  const ir_symbol *q = ir_symbol_get(r->m, sym);
  if (q->kind != IR_EQUATION) return false;
  if (r->world.grid)
    return q->place >= IR_XFACES && q->place <= IR_CORNERS && fix_on_walls(r, env, sym, entity, out);
  for (int i = 0; i < r->rules.n_holds && q->place == IR_NODES; i++) {
    const ref_hold *h = &r->rules.hold[i];
    if (h->entry->target != sym || pass_of(h) != 1 || h->first[entity] < 0) continue;
    ref_stand at = stand_at_row(r, h, h->first[entity]);
    ref_evaluate(r, env, &at, h->entry->root, out);
    return true;
  }
  return false;
}

static bool reads_by_name(const dslc_reference *r, const ir_rule_entry *e) {
  if (e->kind != IR_FIX || ir_symbol_get(r->m, e->target)->kind != IR_STATE) return false;
  ir_reached all = ir_reach(r->m, &e->root, 1);
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(r->m, all.at[i]);
    if (n->op != IR_READ && n->op != IR_PARAM) continue;
    const ir_symbol_kind kind = ir_symbol_get(r->m, n->read.sym)->kind;
    if (kind == IR_GLOBAL || kind == IR_EQUATION) return true;
  }
  return false;
}

/* What a rule says of a state it says of the new values; equations and globals that it reads are those of the statement. */
void ref_begin_assigning(dslc_reference *r) {
  bool any = false;
  for (int i = 1; i < r->m->rule.n; i++)
    for (int k = 0; k < r->m->rule.at[i].entry.n; k++)
      any = any || reads_by_name(r, &r->m->rule.at[i].entry.at[k]);
  r->rules.before = any ? ref_copy_states(r) : NULL;
  if (any) r->rules.before->t = r->now.t;
}

void ref_fix_states(dslc_reference *r, const ir_sym *state, int n, double t) {
  r->rules.fix_t = t;
  ref_changed(&r->now);
  if (r->world.grid) fix_on_grid(r, state, n);
  for (int i = 0; r->world.mesh && i < n; i++) fix_at_nodes(r, state[i]);
  r->rules.before = NULL;
  ref_changed(&r->now);
}
