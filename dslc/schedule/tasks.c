/* What each kernel of a plan reads, writes and keeps. */
#include "schedule/tasks.h"

typedef struct collector {
  const plan *p;
  const plan_kernel *k;
  task *to;
  const unsigned char *kept; /* by buffer: rows of this kernel stand for it */
  int *place;                /* by buffer: 1 + its place in task.read */
  bool replaced;             /* the output looked at now is, at boundaries */
} collector;

/* ---- one read ---------------------------------------------------------------------------------------------------------- */

/* Ghosts of states and of equations in cells are made by launches; on grids copies beyond periodic sides of whatever is read. */
static bool may_be_ghost(const plan *p, const ir_node *n) {
  const ir_symbol *q = ir_symbol_get(p->module, n->read.sym);
  if ((q->kind != IR_STATE && q->kind != IR_EQUATION) || n->read.level != IR_NOW) return false;
  if (p->module->on_grid) return n->read.at != IR_AT_HERE && ir_reads_elsewhere(n) && q->place < IR_XLINE;
  return q->place == IR_CELLS && (n->read.at == IR_AT_R || n->read.at == IR_AT_D);
}

static void add_read(collector *c, task_read r) {
  int *place = &c->place[r.buffer];
  if (!*place) {
    vec_push(c->p->memory, &c->to->read, r);
    *place = c->to->read.n;
  }
  task_read *known = &c->to->read.at[*place - 1];
  known->elsewhere |= r.elsewhere;
  known->beyond |= r.beyond;
  known->boundary &= r.boundary;
}

/* Do the patches of the kernel compute it? Not what they only keep. */
static bool is_computed(const collector *c, const ir_node *n, int buffer) {
  const bool in_loop = n->read.at == IR_AT_OUT || n->read.at == IR_AT_F;
  for (int i = 0; in_loop && i < c->k->output.n; i++) {
    const plan_output *o = &c->k->output.at[i];
    const ir_node *value = o->kind == PLAN_FACE ? ir_get(c->p->module, o->value) : NULL;
    if (value && o->buffer == buffer) return value->op != IR_READ || value->read.sym != n->read.sym;
  }
  return false;
}

static void note_scalar(collector *c, ir_sym sym) {
  const plan_location *l = &c->p->location[sym];
  if (ir_symbol_get(c->p->module, sym)->kind == IR_GLOBAL && l->scalar >= DSLC_SCALAR_GLOBALS)
    vec_push(c->p->memory, &c->to->scalar_read, l->scalar);
}

/* What functions near walls compute, and what is being assigned, lies in no buffer. */
static bool is_in_buffer(const plan *p, ir_id id, const ir_node *n) {
  int called = plan_called(p, id, NULL);
  bool rule = n->read.at == IR_AT_INNER || n->read.at == IR_AT_MIRROR;
  if (called >= 0 && p->function.at[called].value && !p->function.at[called].stored) return false;
  return !(rule && n->read.level == IR_NEW);
}

/* Where the start of a repeat's pass lies differs between passes. */
static void note_node(void *ctx, ir_id id) {
  collector *c = ctx;
  const ir_node *n = ir_get(c->p->module, id);
  if (n->op == IR_PARAM) note_scalar(c, n->read.sym);
  bool one = n->op == IR_PARAM && ir_symbol_get(c->p->module, n->read.sym)->kind == IR_STATE;
  if (one) add_read(c, (task_read){c->p->location[n->read.sym].buffer[IR_NOW], false, false, false});
  if (n->op != IR_READ || n->read.level == IR_OLD || !is_in_buffer(c->p, id, n)) return;
  int buffer = c->p->location[n->read.sym].buffer[n->read.level];
  if (buffer < 0 || (c->kept[buffer] && n->read.level == IR_NOW)) return;
  const bool beyond = may_be_ghost(c->p, n) && !c->replaced;
  add_read(c, (task_read){buffer, ir_reads_elsewhere(n), beyond, is_computed(c, n, buffer)});
}

/* ---- one kernel --------------------------------------------------------------------------------------------------------- */

static bool is_partial(void *ctx, ir_id id) {
  const plan_kernel *k = ctx;
  for (int i = 0; i < k->partial.n; i++)
    if (k->partial.at[i].node == id) return true;
  return false;
}

/* Kernels of one item finish reductions; what those reduce others have read. */
static void note_finish(collector *c, ir_id value) {
  ir_reached all = ir_reach_below(c->p->module, &value, 1, is_partial, (void *)c->k);
  for (int i = 0; i < all.n; i++)
    if (!is_partial((void *)c->k, all.at[i])) note_node(c, all.at[i]);
}

static void note_tables(collector *c, ir_id value) {
  ir_reached all = ir_reach(c->p->module, &value, 1);
  for (int i = 0; i < all.n; i++) {
    int called = plan_called(c->p, all.at[i], NULL);
    if (called >= 0 && plan_part_called(c->p, all.at[i], called) == PLAN_PART_TABLE)
      vec_push(c->p->memory, &c->to->table_read, called);
  }
}

static void note_output(collector *c, const plan_output *o) {
  arena *a = c->p->memory;
  const walk_scope scope = {.past_tables = c->k->fills};
  c->replaced = o->replaced;
  if (o->kind <= PLAN_PARTIAL) vec_push(a, &c->to->write, ((task_write){o->kind, o->buffer, o->component}));
  if (o->kind == PLAN_SCALAR && o->component >= DSLC_SCALAR_GLOBALS)
    vec_push(a, &c->to->scalar_written, o->component);
  if (o->kind == PLAN_TABLE) vec_push(a, &c->to->table_written, o->component);
  else if (o->near) note_tables(c, o->near);
  if (c->k->place == IR_NOWHERE) {
    note_finish(c, o->value);
    return;
  }
  if (o->value) plan_each_node(c->p, &o->value, 1, scope, note_node, c);
  if (o->near) plan_each_node(c->p, &o->near, 1, scope, note_node, c);
}

static void collect(const plan *p, const plan_kernel *k, task *to, int n_buffers) {
  unsigned char *kept = arena_array(p->memory, unsigned char, n_buffers + 1);
  collector c = {p, k, to, kept, arena_array(p->memory, int, n_buffers + 1), false};
  for (int i = 0; k->window && i < k->window->ring.n; i++) {
    const plan_ring *ring = &k->window->ring.at[i];
    if (!kept[ring->buffer]) vec_push(p->memory, &to->keep, ring->buffer);
    kept[ring->buffer] = 1;
  }
  for (int i = 0; i < k->partial.n; i++)
    add_read(&c, (task_read){k->partial.at[i].buffer, false, false, false});
  for (int i = 0; i < k->output.n; i++) note_output(&c, &k->output.at[i]);
}

task_list tasks_of(const plan *p) {
  task_list all = {p->kernel.n, arena_array(p->memory, task, p->kernel.n + 1)};
  for (int i = 0; i < all.n; i++) collect(p, &p->kernel.at[i], &all.at[i], p->program->execution.n_buffers);
  return all;
}
