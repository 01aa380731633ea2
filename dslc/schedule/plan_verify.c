/* Is the plan sound? After storage: every equation lives in one way. After tasks: no kernel disturbs itself. After launches: whatever
 * a launch reads has been made before in the same section, be it by the case, by the setup if it lasts, or by an earlier launch. */
#include "schedule/tasks.h"

#define SAY(p, ...) arena_printf((p)->memory, __VA_ARGS__)

/* ---- storage ------------------------------------------------------------------------------------------------------------- */

static const char *verify_equation(const problem *p, const dependence *d, const symbol_storage *s,
                                   ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(p->from, sym);
  if (s[sym].fixed && !d->fixed[sym]) return SAY(p, "`%s` is computed once, though it changes", q->text);
  if (q->kind != IR_EQUATION || !q->root[0]) return NULL;
  bool sum = q->role == IR_SCATTERED_SUM;
  if (s[sym].stored && s[sym].scatter && !sum) return SAY(p, "`%s` is stored and scattered", q->text);
  if (!s[sym].why) return SAY(p, "nobody has decided where `%s` lives", q->text);
  ir_reached all = ir_reach(p->from, q->root, 1);
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(p->from, all.at[i]);
    if (n->op != IR_READ || n->read.sym == sym) continue;
    if (d->depth[n->read.sym] >= d->depth[sym] && ir_symbol_get(p->from, n->read.sym)->kind == IR_EQUATION)
      return SAY(p, "`%s` stands before what it reads", q->text);
    if (d->fixed[sym] && !d->fixed[n->read.sym] && !s[sym].placed)
      return SAY(p, "`%s` counts as constant, and reads what changes", q->text);
  }
  return NULL;
}

const char *storage_verify(const problem *p, const dependence *d, const symbol_storage *s) {
  const char *wrong = NULL;
  for (int k = 1; k < p->from->symbol.n && !wrong; k++) wrong = verify_equation(p, d, s, (ir_sym)k);
  return wrong;
}

/* ---- tasks --------------------------------------------------------------------------------------------------------------- */

static const char *name_of_buffer(const plan *p, int buffer) {
  return p->program->execution.buffer[buffer].name;
}

static bool same_entry(const task_write *a, const task_write *b) {
  return a->kind == b->kind && a->buffer == b->buffer && a->component == b->component;
}

/* Kernels over the rows of a constraint, and over ghosts, write where nobody of the same launch reads. */
static const char *verify_task(const plan *p, const plan_kernel *k, const task *t) {
  int *stored = arena_array(p->memory, int, p->program->execution.n_buffers + 1);
  for (int i = 0; i < t->write.n; i++) {
    const task_write *w = &t->write.at[i];
    for (int j = w->kind == PLAN_STORE ? stored[w->buffer] - 1 : -1; j >= 0 && j < i; j++)
      if (same_entry(w, &t->write.at[j]))
        return SAY(p, "`%s` writes component %d of `%s` twice", k->text, w->component,
                   name_of_buffer(p, w->buffer));
    if (w->kind == PLAN_STORE && !stored[w->buffer]) stored[w->buffer] = 1 + i;
  }
  for (int i = 0; i < t->read.n; i++)
    if (t->read.at[i].elsewhere && stored[t->read.at[i].buffer])
      return SAY(p, "`%s` writes `%s`, which it reads at other points", k->text,
                 name_of_buffer(p, t->read.at[i].buffer));
  return NULL;
}

const char *tasks_verify(const plan *p) {
  task_list all = tasks_of(p);
  const char *wrong = NULL;
  for (int i = 0; i < all.n && !wrong; i++) wrong = verify_task(p, &p->kernel.at[i], &all.at[i]);
  return wrong;
}

/* ---- launches ------------------------------------------------------------------------------------------------------------ */

/* Of a buffer, as the launches of a section go on; times count operations. */
typedef struct content {
  bool made;
  int stored;   /* when */
  int periodic; /* when its copies beyond periodic sides were made */
  int *ghosts;  /* by rule: when those beyond its faces were made */
} content;

typedef struct run {
  const launches *l;
  task_list task;
  content *of;       /* by buffer */
  bool *by_setup;    /* by buffer: the setup makes it */
  bool *scalar;      /* by entry: it has been computed */
  int *held;         /* by table: 1 + the function whose values it holds, 0: none */
  const int *first;  /* by operation of the section: its first rebinding; one more behind the last */
  const int *rebind; /* numbers of rebindings, by operation */
  int section, n_rules, now;
  const char *wrong;
} run;

static const char *where(const run *r, int op) {
  return SAY(r->l->in, "section `%s`, operation %d", r->l->program->execution.section[r->section].name, op);
}

static int bound(const run *r, int op, int buffer) {
  for (int i = r->first[op]; i < r->first[op + 1]; i++) {
    const plan_rebind *b = &r->l->rebind[r->rebind[i]];
    if (b->from == buffer) return b->to;
  }
  return buffer;
}

/* A launch over the faces of one rule needs that rule's ghosts only. */
static bool has_ghosts(const run *r, const content *c, const dslc_op *op) {
  const problem *in = r->l->in;
  if (in->options->periodic && c->periodic < c->stored) return false;
  for (int rule = 1; rule < in->from->rule.n && !in->from->on_grid; rule++) {
    bool needed = in->rule_used[rule] && (op->subset != DSLC_RULE || op->rule == rule - 1);
    if (needed && c->ghosts[rule] < c->stored) return false;
  }
  return true;
}

static void check_reads(run *r, int number, const dslc_op *op, const task *t) {
  const plan *p = r->l->plan;
  const char *kernel = p->kernel.at[op->kernel].text;
  for (int i = 0; i < t->read.n && !r->wrong; i++) {
    const task_read *read = &t->read.at[i];
    const content *c = &r->of[bound(r, number, read->buffer)];
    const char *text = name_of_buffer(p, read->buffer);
    if (!c->made)
      r->wrong = SAY(p, "%s: `%s` reads `%s`, which nothing has made", where(r, number), kernel, text);
    else if (read->beyond && !has_ghosts(r, c, op))
      r->wrong = SAY(p, "%s: `%s` reads ghosts of `%s`, which are not made", where(r, number), kernel, text);
  }
  for (int i = 0; i < t->scalar_read.n && !r->wrong; i++)
    if (!r->scalar[t->scalar_read.at[i]])
      r->wrong = SAY(p, "%s: `%s` reads a global that is not computed", where(r, number), kernel);
  for (int i = 0; i < t->table_read.n && !r->wrong; i++) {
    const plan_function *f = &p->function.at[t->table_read.at[i]];
    if (f->table > 0 && r->held[f->table] != 1 + t->table_read.at[i])
      r->wrong = SAY(p, "%s: `%s` looks up `%s` near walls in a table that holds something else",
                     where(r, number), kernel, ir_symbol_get(p->module, f->sym)->text);
  }
}

static void note_writes(run *r, int number, const dslc_op *op, const task *t) {
  const plan *p = r->l->plan;
  for (int i = 0; i < t->write.n; i++) {
    const task_write *w = &t->write.at[i];
    content *c = &r->of[bound(r, number, w->buffer)];
    if (w->kind == PLAN_GHOST) c->ghosts[op->rule + 1] = r->now;
    else c->made = true, c->stored = r->now;
  }
  for (int i = 0; i < t->scalar_written.n; i++) r->scalar[t->scalar_written.at[i]] = true;
  for (int i = 0; i < t->table_written.n; i++) {
    int table = p->function.at[t->table_written.at[i]].table;
    if (table > 0) r->held[table] = 1 + t->table_written.at[i];
  }
}

static void copy(run *r, int number, int from, int to) {
  content *a = &r->of[from], *b = &r->of[to];
  if (!a->made) r->wrong = SAY(r->l->in, "%s copies what nothing has made", where(r, number));
  b->made = true;
  b->stored = a->stored, b->periodic = a->periodic;
  for (int i = 0; i <= r->n_rules; i++) b->ghosts[i] = a->ghosts[i];
}

static void solve(run *r, int number, const dslc_solve *s) {
  const int reads[] = {s->off, s->diagonal, s->rhs, s->solution};
  for (int i = 0; i < 4 && !r->wrong; i++)
    if (!r->of[reads[i]].made)
      r->wrong = SAY(r->l->in, "%s solves for `%s` with what nothing has made", where(r, number), s->unknown);
  r->of[s->solution].stored = r->now;
}

static void follow_ops(run *r, int from, int to);

static void follow_op(run *r, int number, const dslc_op *op) {
  content swapped;
  r->now++;
  switch (op->kind) {
  case DSLC_OP_LAUNCH:
    check_reads(r, number, op, &r->task.at[op->kernel]);
    note_writes(r, number, op, &r->task.at[op->kernel]);
    break;
  case DSLC_OP_SWAP:
    swapped = r->of[op->a];
    r->of[op->a] = r->of[op->b], r->of[op->b] = swapped;
    if (!r->of[op->a].made) r->wrong = SAY(r->l->in, "%s swaps in what nothing has made", where(r, number));
    break;
  case DSLC_OP_COPY: copy(r, number, op->a, op->b); break;
  case DSLC_OP_GHOSTS: r->of[op->a].periodic = r->now; break;
  case DSLC_OP_SOLVE: solve(r, number, &r->l->program->execution.solve[op->a]); break;
  case DSLC_OP_REPEAT: /* what a second pass reads the first may have left out of date */
    follow_ops(r, op->b, op->b + op->count);
    break;
  }
}

static void follow_ops(run *r, int from, int to) {
  const dslc_op *op = r->l->program->execution.section[r->section].op;
  for (int i = from; i < to && !r->wrong; i++) {
    follow_op(r, i, &op[i]);
    if (op[i].kind != DSLC_OP_REPEAT) continue;
    if (!r->wrong) follow_ops(r, op[i].b, op[i].b + op[i].count);
    i += op[i].count;
  }
}

/* ---- what is there when a section begins -------------------------------------------------------------------------------------- */

/* By buffer: what the setup makes of it lasts; what a step makes when it begins, for what is shown behind it. */
static bool *find_lasting(const launches *l, bool shown) {
  const plan *p = l->plan;
  bool *lasting = arena_array(p->memory, bool, l->program->execution.n_buffers + 1);
  for (int s = 1; s < p->module->symbol.n; s++) {
    const ir_symbol *q = ir_symbol_get(p->module, (ir_sym)s);
    int buffer = p->location[s].buffer[IR_NOW];
    bool mesh = q->kind == IR_GEOMETRY || q->kind == IR_INTEGRAL;
    bool once = shown && l->use[s].once;
    if (buffer >= 0 && (mesh || once || (q->kind == IR_EQUATION && l->storage[s].fixed)))
      lasting[buffer] = true;
  }
  return lasting;
}

/* Is it given by the case, the mesh or the runtime? */
static bool is_given(dslc_buffer_kind kind) {
  return kind != DSLC_BUFFER_WORK && kind != DSLC_BUFFER_PARTIALS;
}

static void forget(run *r, const bool *lasting) {
  const launches *l = r->l;
  for (int b = 0; b < l->program->execution.n_buffers; b++) {
    bool given = is_given(l->program->execution.buffer[b].kind), keeps = lasting[b] && r->section > 0;
    if (r->section == DSLC_SECTION_STEP) r->by_setup[b] = r->of[b].made;
    if (keeps)
      r->of[b].made = r->by_setup[b]; /* nothing may be shown before the first step that only a step makes */
    else r->of[b].made = given, r->of[b].stored = r->now;
  }
  for (int s = 1; s < l->plan->module->symbol.n; s++) {
    const plan_location *at = &l->plan->location[s];
    int previous = at->buffer[IR_PREV];
    if (previous >= 0 && r->section > DSLC_SECTION_STEP) r->of[previous].made = true;
    bool keeps = l->storage[s].fixed && r->section > 0;
    if (at->scalar >= DSLC_SCALAR_GLOBALS && !keeps)
      r->scalar[at->scalar] = !ir_symbol_get(l->plan->module, (ir_sym)s)->root[0];
  }
}

/* Rebindings by operation of the section: launches name them in any order. */
static void sort_rebinds(run *r) {
  const launches *l = r->l;
  int n = l->program->execution.section[r->section].n_ops;
  int *first = arena_array(l->in->memory, int, n + 2),
      *number = arena_array(l->in->memory, int, l->n_rebinds + 1);
  for (int i = 0; i < l->n_rebinds; i++)
    if (l->rebind[i].section == r->section) first[l->rebind[i].op + 2]++;
  for (int i = 2; i <= n + 1; i++) first[i] += first[i - 1];
  for (int i = 0; i < l->n_rebinds; i++)
    if (l->rebind[i].section == r->section) number[first[l->rebind[i].op + 1]++] = i;
  r->first = first, r->rebind = number;
}

const char *launches_verify(const launches *l) {
  arena *a = l->in->memory;
  int n = l->program->execution.n_buffers, n_rules = l->in->from->rule.n;
  run r = {.l = l, .task = tasks_of(l->plan), .n_rules = n_rules, .now = 1};
  r.of = arena_array(a, content, n + 1);
  r.by_setup = arena_array(a, bool, n + 1);
  for (int b = 0; b < n; b++) r.of[b].ghosts = arena_array(a, int, n_rules + 2);
  r.scalar = arena_array(a, bool, l->program->execution.buffer[l->plan->scalars].width + 1);
  r.held = arena_array(a, int, l->plan->function.n + 2);
  const bool *lasting = find_lasting(l, false), *shown = find_lasting(l, true);
  for (; r.section < l->program->execution.n_sections && !r.wrong; r.section++) {
    forget(&r, r.section > DSLC_SECTION_STEP ? shown : lasting);
    sort_rebinds(&r);
    follow_ops(&r, 0, l->program->execution.section[r.section].n_ops);
  }
  return r.wrong;
}
