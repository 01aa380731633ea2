/* The outline of a plan: what its verifier follows and its printer prints, taken from it. */
#include "schedule/outline.h"

#include <stdint.h>
#include <string.h>

/* ---- names ------------------------------------------------------------------------------------------------------------- */

outline_names outline_names_create(arena *a, intern_pool *pool) {
  return (outline_names){a, pool, name_map_create(a)};
}

int outline_find(const outline_names *n, const char *text, size_t length) {
  const void *place = name_map_get(n->of, intern(n->pool, text, length));
  return (int)(intptr_t)place - 1;
}

name outline_name(outline_names *n, const char *text) {
  char *plain = arena_printf(n->memory, "%s", text && *text ? text : "nameless");
  for (char *c = plain; *c; c++)
    if (strchr(" ,:{}#\n", *c)) *c = '_';
  name made = intern_str(n->pool, plain);
  for (int again = 2; name_map_get(n->of, made); again++)
    made = intern_str(n->pool, arena_printf(n->memory, "%s#%d", plain, again));
  name_map_put(n->of, made, (void *)(intptr_t)(name_map_size(n->of) + 1));
  return made;
}

/* ---- buffers and globals --------------------------------------------------------------------------------------------------- */

outline *outline_create(arena *a, intern_pool *pool) {
  outline *o = arena_new(a, outline);
  o->memory = a;
  outline_names *const all[] = {&o->names.rule, &o->names.buffer, &o->names.global, &o->names.function,
                                &o->names.task};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) *all[i] = outline_names_create(a, pool);
  return o;
}

static void add_rules(outline *o, const launches *l) {
  for (int r = 1; r < l->in->from->rule.n; r++)
    vec_push(o->memory, &o->rule,
             ((outline_rule){outline_name(&o->names.rule, l->program->model.rule[r - 1].name),
                             l->in->rule_used[r]}));
}

/* Is it given by the case, the mesh or the runtime? */
static bool is_given(dslc_buffer_kind kind) {
  return kind != DSLC_BUFFER_WORK && kind != DSLC_BUFFER_PARTIALS;
}

static void add_replaced(const outline *o, const launches *l, ir_sym sym, outline_places *to) {
  const ir_sym named = ir_named_by_rules(l->in->from, sym);
  for (int r = 1; r < l->in->from->rule.n && l->use[sym].flux_rule; r++)
    if (l->in->rule_used[r] && ir_entry_find(l->in->from, r, named, IR_FLUX)) vec_push(o->memory, to, r - 1);
}

/* What the setup makes lasts; so does what a step makes when it begins, for what is shown behind it. */
static void add_buffers(outline *o, const launches *l) {
  const plan *p = l->plan;
  for (int b = 0; b < l->program->execution.n_buffers; b++) {
    const dslc_buffer *from = &l->program->execution.buffer[b];
    outline_buffer to = {.text = outline_name(&o->names.buffer, from->name), .given = is_given(from->kind)};
    vec_push(o->memory, &o->buffer, to);
  }
  for (int s = 1; s < p->module->symbol.n; s++) {
    const ir_symbol *q = ir_symbol_get(p->module, (ir_sym)s);
    const int buffer = p->location[s].buffer[IR_NOW], start = p->location[s].buffer[IR_PREV];
    bool mesh = q->kind == IR_GEOMETRY || q->kind == IR_INTEGRAL;
    bool lasting = mesh || (q->kind == IR_EQUATION && (l->storage[s].fixed || l->storage[s].lasts));
    if (buffer >= 0) {
      add_replaced(o, l, (ir_sym)s, &o->buffer.at[buffer].replaced);
      o->buffer.at[buffer].lasting |= lasting;
      o->buffer.at[buffer].ghosts |= l->storage[s].ghosts_last;
      o->buffer.at[buffer].shown |= lasting || l->use[s].once;
    }
    if (start >= 0) o->buffer.at[start].start = true;
  }
}

static void add_globals(outline *o, const launches *l) {
  const plan *p = l->plan;
  const int n = l->program->execution.buffer[p->scalars].width - DSLC_SCALAR_GLOBALS;
  ir_sym *of = arena_array(o->memory, ir_sym, n + 1);
  for (int s = 1; s < p->module->symbol.n; s++) {
    const int entry = p->location[s].scalar - DSLC_SCALAR_GLOBALS;
    if (entry >= 0 && entry < n) of[entry] = (ir_sym)s;
  }
  for (int i = 0; i < n; i++) {
    const ir_symbol *q = of[i] ? ir_symbol_get(p->module, of[i]) : NULL;
    outline_global g = {.text = outline_name(&o->names.global, q ? q->text : "")};
    if (q) g.known = !q->root[0], g.lasting = l->storage[of[i]].fixed;
    vec_push(o->memory, &o->global, g);
  }
}

static void add_functions(outline *o, const plan *p) {
  for (int i = 0; i < p->function.n; i++) {
    const plan_function *f = &p->function.at[i];
    name text = outline_name(&o->names.function, ir_symbol_get(p->module, f->sym)->text);
    vec_push(o->memory, &o->function, ((outline_function){text, f->table}));
  }
}

/* ---- tasks ------------------------------------------------------------------------------------------------------------------- */

static void add_tasks(outline *o, const plan *p) {
  const task_list all = tasks_of(p);
  for (int i = 0; i < all.n; i++) {
    const plan_kernel *k = &p->kernel.at[i];
    outline_task t = {outline_name(&o->names.task, k->text), k->place, k->what, all.at[i]};
    for (int j = 0; j < t.does.scalar_read.n; j++) t.does.scalar_read.at[j] -= DSLC_SCALAR_GLOBALS;
    for (int j = 0; j < t.does.scalar_written.n; j++) t.does.scalar_written.at[j] -= DSLC_SCALAR_GLOBALS;
    vec_push(o->memory, &o->task, t);
  }
}

static outline *begin(const launches *l) {
  outline *o = outline_create(l->in->memory, l->in->names);
  o->on_grid = l->in->from->on_grid, o->periodic = l->in->options->periodic;
  add_rules(o, l);
  add_buffers(o, l);
  add_globals(o, l);
  add_functions(o, l->plan);
  add_tasks(o, l->plan);
  return o;
}

outline *outline_of_tasks(const launches *l) {
  outline *o = begin(l);
  for (int i = 0; i < l->plan->candidate.n; i++) vec_push(o->memory, &o->candidate, l->plan->candidate.at[i]);
  return o;
}

/* ---- launches ---------------------------------------------------------------------------------------------------------------- */

static outline_op op_of(const launches *l, const dslc_op *op) {
  outline_op to = {.kind = op->kind, .groups_of = -1, .a = op->a, .b = op->b};
  if (op->kind == DSLC_OP_LAUNCH) {
    to.task = op->kernel, to.subset = op->subset, to.rule = op->rule;
    to.stage = op->stage, to.groups_of = op->groups_of;
  }
  if (op->kind == DSLC_OP_REPEAT) to.count = op->count, to.limit = op->limit;
  if (op->kind == DSLC_OP_SOLVE) {
    const dslc_solve *s = &l->program->execution.solve[op->a];
    to.unknown = s->unknown;
    to.solve[0] = s->off, to.solve[1] = s->diagonal, to.solve[2] = s->rhs, to.solve[3] = s->solution;
  }
  return to;
}

outline *outline_of_launches(const launches *l) {
  outline *o = begin(l);
  for (int s = 0; s < l->program->execution.n_sections; s++) {
    const dslc_section *from = &l->program->execution.section[s];
    outline_section to = {.text = from->name};
    for (int i = 0; i < from->n_ops; i++) vec_push(o->memory, &to.op, op_of(l, &from->op[i]));
    vec_push(o->memory, &o->section, to);
  }
  for (int i = 0; i < l->n_rebinds; i++) { /* in any order */
    const plan_rebind *b = &l->rebind[i];
    vec_push(o->memory, &o->section.at[b->section].op.at[b->op].bound, ((outline_bound){b->from, b->to}));
  }
  return o;
}
