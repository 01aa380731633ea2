/* What a case sees of a scheme that is interpreted: fields, globals, parameters and rules, but no kernels. And the interpreter's
 * life. */
#include <stdlib.h>
#include <string.h>

#include "back/back.h"
#include "ir/fields.h"
#include "pass/pass.h"
#include "reference/reference.h"

typedef struct program_builder {
  arena *memory;
  const ir_module *m, *split; /* the same with vectors' operations written out */
  const dslc_options *options;
  VEC(dslc_buffer) buffer;
  VEC(dslc_field) field;
  VEC(dslc_global) global;
  VEC(dslc_parameter) parameter;
  VEC(dslc_section) section;
  VEC(dslc_hold) hold;
} program_builder;

static int add_buffer(program_builder *b, const char *text, dslc_buffer_kind kind, dslc_place place,
                      int width) {
  dslc_buffer q = {.name = text, .kind = kind, .place = place, .width = width, .rule = -1, .argument = -1};
  q.element = kind == DSLC_BUFFER_FLAGS ? DSLC_I32 : DSLC_F64;
  vec_push(b->memory, &b->buffer, q);
  return b->buffer.n - 1;
}

static int add_section(program_builder *b, const char *text) {
  vec_push(b->memory, &b->section, ((dslc_section){.name = text}));
  return b->section.n - 1;
}

static bool is_shown(const program_builder *b, const char *text) {
  for (int i = 0; i < b->options->n_show; i++)
    if (strcmp(b->options->show[i], text) == 0) return true;
  return b->options->n_show < 0;
}

/* ---- fields and globals ------------------------------------------------------------------------------------------------------- */

static void add_field(program_builder *b, const ir_symbol *q, dslc_field_kind kind) {
  static const dslc_buffer_kind kinds[] = {DSLC_BUFFER_STATE, DSLC_BUFFER_GIVEN, DSLC_BUFFER_WORK};
  dslc_field f = ir_field(q, kind);
  bool stored = kind != DSLC_QUANTITY || is_shown(b, q->text);
  if (stored) f.buffer = add_buffer(b, q->text, kinds[kind], f.place, f.components);
  if (stored && kind == DSLC_QUANTITY) f.show = add_section(b, arena_printf(b->memory, "show %s", q->text));
  vec_push(b->memory, &b->field, f);
}

/* States first, as programs with kernels have them. */
static void add_fields(program_builder *b) {
  static const ir_symbol_kind kinds[] = {IR_STATE, IR_GIVEN, IR_EQUATION};
  for (int k = 0; k < 3; k++)
    for (int s = 1; s < b->m->symbol.n; s++) {
      const ir_symbol *q = &b->m->symbol.at[s];
      if (q->kind == kinds[k] && !ir_hides(q)) add_field(b, q, (dslc_field_kind)k);
    }
}

static void add_globals(program_builder *b) {
  int next = DSLC_SCALAR_GLOBALS;
  for (int s = 1; s < b->m->symbol.n; s++) {
    const ir_symbol *q = &b->m->symbol.at[s];
    if (q->kind != IR_GLOBAL || q->purpose.role == IR_STEP_BOUND || q->purpose.role == IR_STEP_MOST) continue;
    bool dt = strcmp(q->text, "dt") == 0;
    dslc_global g = {.name = q->text, .unit = q->unit, .scalar = dt ? DSLC_SCALAR_DT : next++, .show = -1};
    if (!dt) g.show = add_section(b, arena_printf(b->memory, "show %s", q->text));
    vec_push(b->memory, &b->global, g);
  }
  add_buffer(b, "scalars", DSLC_BUFFER_SCALARS, DSLC_NOWHERE, next);
  add_buffer(b, "flags", DSLC_BUFFER_FLAGS, DSLC_NOWHERE, DSLC_FLAG_CHECKS);
}

/* ---- parameters and rules ------------------------------------------------------------------------------------------------------- */

/* Formulas are of numbers: vectors' operations are written out by component first. */
static const char *default_of(const program_builder *b, const ir_symbol *q) {
  const ir_id root = b->split->symbol.at[q - b->m->symbol.at].root[0];
  return root ? back_formula(b->split, root, b->memory) : NULL;
}

static void add_parameters(program_builder *b) {
  for (int s = 1; s < b->m->symbol.n; s++) {
    const ir_symbol *q = &b->m->symbol.at[s];
    if (q->kind != IR_PARAMETER) continue;
    dslc_parameter p = {.name = q->text,
                        .components = q->type.n,
                        .unit = q->unit,
                        .formula = default_of(b, q),
                        .bounds = q->bounds};
    vec_push(b->memory, &b->parameter, p);
  }
}

static void add_rules(program_builder *b, dslc_program *g) {
  g->model.n_rules = b->m->rule.n - 1;
  g->model.rule = ir_rules(b->m, b->memory);
  for (int i = 0; i < g->model.n_rules; i++)
    for (int k = 0; k < g->model.rule[i].n_arguments; k++)
      g->model.rule[i].argument[k].formula =
          default_of(b, ir_symbol_get(b->m, b->m->rule.at[i + 1].arg.at[k]));
}

static bool is_used(const program_builder *b, const ir_rule *r) {
  for (int i = 0; i < b->options->n_rules; i++)
    if (strcmp(b->options->rule[i], r->text) == 0) return true;
  return b->options->n_rules < 0;
}

static int field_of(const program_builder *b, const ir_symbol *q) {
  for (int i = 0; i < b->field.n; i++)
    if (b->field.at[i].name == q->text) return i; /* names are interned */
  return -1;
}

static void add_holds(program_builder *b) {
  for (int i = 1; i < b->m->rule.n && !b->m->on_grid; i++) {
    const ir_rule *r = &b->m->rule.at[i];
    for (int k = 0; k < r->entry.n && is_used(b, r); k++) {
      const ir_rule_entry *e = &r->entry.at[k];
      bool add = e->kind == IR_ADD_RULE;
      const ir_symbol *q = ir_symbol_get(b->m, e->target);
      if ((e->kind != IR_FIX && !add) || q->place != IR_NODES) continue;
      dslc_hold h = {.rule = i - 1, .target = q->text, .field = field_of(b, q), .add = add};
      h.projection = e->projection;
      vec_push(b->memory, &b->hold, h);
    }
  }
}

/* Is there a sum over nodes or edges? Then the mesh needs their graph, though no field lies there. */
static bool has_nodes(const ir_module *m) {
  for (int i = 1; i < m->node.n; i++) {
    const ir_node *n = ir_get(m, (ir_id)i);
    const bool nodes = n->reduce.place == IR_NODES || n->reduce.place == IR_EDGES;
    if (n->op == IR_REDUCE && n->reduce.binder == IR_OVER_ALL && nodes) return true;
  }
  return false;
}

/* ---- the program ------------------------------------------------------------------------------------------------------------------- */

static source_set *copy_sources(arena *a, const source_set *from) {
  source_set *to = source_create(a);
  for (int i = 0; i < source_count(from); i++) {
    const source_file *f = source_get(from, (uint32_t)i);
    source_add(to, f->path, f->text, f->size);
  }
  return to;
}

dslc_program *ref_program(arena *a, ir_module *m, const source_set *sources, const dslc_options *options) {
  program_builder b = {.memory = a, .m = m, .split = pass_components(m), .options = options};
  dslc_program *g = arena_new(a, dslc_program);
  ref_equations *e = arena_new(a, ref_equations);
  *e = (ref_equations){m, copy_sources(a, sources), arena_printf(a, "%s", options->path)};
  add_section(&b, "setup");
  add_section(&b, "step");
  add_fields(&b);
  if (!m->on_grid && has_nodes(m)) add_buffer(&b, "graph", DSLC_BUFFER_WORK, DSLC_NODES, 1);
  add_globals(&b);
  add_parameters(&b);
  add_rules(&b, g);
  add_holds(&b);
  g->execution.source = "";
  g->space.halo = 1;
  g->equations = e;
  g->execution.n_buffers = b.buffer.n, g->execution.buffer = b.buffer.at;
  g->model.n_fields = b.field.n, g->model.field = b.field.at;
  g->model.n_globals = b.global.n, g->model.global = b.global.at;
  g->model.n_parameters = b.parameter.n, g->model.parameter = b.parameter.at;
  g->execution.n_sections = b.section.n, g->execution.section = b.section.at;
  g->model.n_holds = b.hold.n, g->model.hold = b.hold.at;
  return g;
}

/* ---- the interpreter's life ----------------------------------------------------------------------------------------------------------- */

static void out_of_memory(void *ctx, size_t size) {
  dslc_reference *r = ctx;
  (void)size;
  r->end.status = DSLC_REF_MEMORY;
  r->end.message = "out of memory";
  longjmp(r->end.recovery, 1);
}

/* Runs `call` up to its end, or to where it fails. What is made for one call only is gone afterwards. */
#define REF_CALL(r, call)                                                                                    \
  do {                                                                                                       \
    (r)->end.status = DSLC_REF_OK;                                                                           \
    (r)->end.message = "";                                                                                   \
    (r)->end.where = DSLC_NOWHERE;                                                                           \
    (r)->work.depth = 0;                                                                                     \
    (r)->work.across = 0;                                                                                    \
    (r)->work.trail = NULL;                                                                                  \
    (r)->rules.fixing = NULL;                                                                                \
    (r)->step_memory = arena_create(out_of_memory, (r));                                                     \
    if (!(r)->step_memory) return DSLC_REF_MEMORY;                                                           \
    if (setjmp((r)->end.recovery) == 0) {                                                                    \
      call;                                                                                                  \
    }                                                                                                        \
    arena_destroy(&(r)->step_memory);                                                                        \
  } while (0)

static void number_components(dslc_reference *r) {
  r->work.first = arena_array(r->memory, size_t, r->m->node.n + 1);
  for (ir_id id = 1; id < (ir_id)r->m->node.n; id++) {
    r->work.first[id] = r->work.n_components;
    r->work.n_components += ir_get(r->m, id)->type.n;
  }
  r->work.scratch = arena_array(r->memory, ref_scratch *, REF_DEEPEST + 1);
}

static void keep_parameters(dslc_reference *r, const double (*parameter)[DSLC_MOST_COMPONENTS]) {
  int number = 0;
  for (ir_sym s = 1; s < (ir_sym)r->m->symbol.n; s++) {
    const ir_symbol *q = ir_symbol_get(r->m, s);
    if (q->kind == IR_GLOBAL && strcmp(q->text, "dt") == 0) r->size.dt = s;
    if (q->kind != IR_PARAMETER) continue;
    r->fixed[s] = (ref_field){1, q->type.n, arena_array(r->memory, double, q->type.n + 1), NULL};
    memcpy(r->fixed[s].value, parameter[number++], q->type.n * sizeof(double));
  }
}

static void make(dslc_reference *r, const double (*parameter)[DSLC_MOST_COMPONENTS]) {
  number_components(r);
  ref_make_fields(r);
  keep_parameters(r, parameter);
  if (r->world.mesh && r->world.mesh->n_nodes) ref_make_holds(r);
}

static dslc_ref_status create(dslc_reference *r, const double (*parameter)[DSLC_MOST_COMPONENTS]) {
  REF_CALL(r, make(r, parameter));
  return r->end.status;
}

dslc_ref_status dslc_reference_create(const dslc_program *p, const dslc_ref_domain *domain,
                                      const double (*parameter)[DSLC_MOST_COMPONENTS], dslc_reference **out) {
  dslc_reference *r = *out = calloc(1, sizeof *r);
  if (!r) return DSLC_REF_MEMORY;
  const ref_equations *from = p->equations;
  *r = (dslc_reference){.from = from,
                        .m = from->m,
                        .world = {.program = p, .d = domain, .mesh = domain->mesh, .grid = domain->grid}};
  r->end.message = "";
  r->memory = arena_create(out_of_memory, r);
  return r->memory ? create(r, parameter) : DSLC_REF_MEMORY;
}

static bool solves(const ir_module *m, const ir_stmt *list, int n, const char *unknown) {
  for (int i = 0; i < n; i++) {
    const ir_stmt *st = &list[i];
    if (st->kind == IR_SOLVE && (!unknown || strcmp(ir_symbol_get(m, st->unknown)->text, unknown) == 0))
      return true;
    if (st->kind == IR_REPEAT && solves(m, st->body.at, st->body.n, unknown)) return true;
  }
  return false;
}

bool dslc_reference_solves(const dslc_program *p, const char *unknown) {
  const ref_equations *from = p->equations;
  return from && solves(from->m, from->m->step.at, from->m->step.n, unknown);
}

void dslc_reference_destroy(dslc_reference **r) {
  if (!r || !*r) return;
  arena_destroy(&(*r)->memory);
  free(*r);
  *r = NULL;
}

/* ---- calls ------------------------------------------------------------------------------------------------------------------------------ */

static void start(dslc_reference *r, double t) {
  ir_sym *states = arena_array(r->step_memory, ir_sym, r->m->symbol.n);
  int n = 0;
  r->now.t = t;
  for (ir_sym s = 1; s < (ir_sym)r->m->symbol.n; s++)
    if (ir_symbol_get(r->m, s)->kind == IR_STATE) states[n++] = s;
  ref_keep_states(r, &r->prev); /* what rules call `.prev` now */
  ref_begin_assigning(r);
  ref_fix_states(r, states, n, t);
  ref_keep_states(r, &r->prev);
  ref_check_requirements(r, true);
}

dslc_ref_status dslc_reference_start(dslc_reference *r, double t) {
  REF_CALL(r, start(r, t));
  return r->end.status;
}

dslc_ref_status dslc_reference_step(dslc_reference *r, dslc_ref_step *step) {
  REF_CALL(r, ref_step(r, step));
  return r->end.status;
}

static ir_sym find(const dslc_reference *r, const char *text, ir_symbol_kind kind) {
  for (ir_sym s = 1; s < (ir_sym)r->m->symbol.n; s++) {
    const ir_symbol *q = ir_symbol_get(r->m, s);
    if (q->kind == kind && strcmp(q->text, text) == 0) return s;
  }
  return 0;
}

static double *state_of(dslc_reference *r, ref_env *env, const char *text, int32_t *n, int *components) {
  ir_sym s = find(r, text, IR_STATE);
  if (!s) return NULL;
  const ir_symbol *q = ir_symbol_get(r->m, s);
  *n = r->world.count[q->place];
  *components = q->type.n;
  return ref_field_of(env, s, 0)->value;
}

double *dslc_reference_state(dslc_reference *r, const char *text, int32_t *n, int *components) {
  return state_of(r, &r->now, text, n, components);
}

double *dslc_reference_start_state(dslc_reference *r, const char *text, int32_t *n, int *components) {
  return state_of(r, &r->prev, text, n, components);
}

double dslc_reference_start_time(const dslc_reference *r) { return r->prev.t; }

void dslc_reference_resume(dslc_reference *r, const dslc_ref_step *last) {
  r->prev.t = r->size.begin = last->t;
  r->size.dt_value = last->dt;
  r->size.bound = last->free;
  r->size.most = last->most;
  ref_changed(&r->prev);
}

static void show(dslc_reference *r, const char *text, ir_symbol_kind kind, double t, double *out) {
  ir_sym s = find(r, text, kind);
  const ir_symbol *q = ir_symbol_get(r->m, s);
  if (!s) ref_fail(r, DSLC_REF_FAULT, "there is no `%s`", text);
  r->now.t = t;
  ref_changed(&r->now);
  memset(out, 0, (size_t)r->world.count[q->place] * q->type.n * sizeof *out);
  for (int32_t i = 0; i < r->world.count[q->place]; i++)
    if (ref_is_there(r, q->place, i))
      memcpy(out + (size_t)i * q->type.n, ref_value(r, &r->now, s, 0, i), q->type.n * sizeof *out);
}

dslc_ref_status dslc_reference_show(dslc_reference *r, const char *text, double t, double *out) {
  REF_CALL(r, show(r, text, IR_EQUATION, t, out));
  return r->end.status;
}

dslc_ref_status dslc_reference_global(dslc_reference *r, const char *text, double t, double *out) {
  REF_CALL(r, show(r, text, IR_GLOBAL, t, out));
  return r->end.status;
}

dslc_ref_status dslc_reference_bound(dslc_reference *r, double t, dslc_ref_bound *out) {
  *out = (dslc_ref_bound){.text = "", .file = "", .place = DSLC_NOWHERE, .entity = -1};
  if (!r->size.dt) return DSLC_REF_OK;
  REF_CALL(r, ref_find_bound(r, t, out));
  return r->end.status;
}

const char *dslc_reference_message(const dslc_reference *r) { return r->end.message; }

dslc_place dslc_reference_where(const dslc_reference *r, int32_t *entity) {
  *entity = r->end.entity;
  return r->end.where;
}
