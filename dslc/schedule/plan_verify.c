/* Is the plan sound? After storage: every equation lives in one way. After tasks: no kernel disturbs itself. After launches: whatever
 * a launch reads has been made before in the same section, be it by the case, by the setup if it lasts, or by an earlier launch; and what rules say
 * at their faces has been put there since. */
#include "schedule/outline.h"

#define SAY(o, ...) arena_printf((o)->memory, __VA_ARGS__)

/* ---- storage ------------------------------------------------------------------------------------------------------------- */

/* Does it depend on nothing that changes by itself? */
static bool keeps_its_value(const storage_outline *o, const outline_quantity *q) {
  for (int i = 0; i < q->on.n; i++)
    if (o->quantity.at[q->on.at[i]].words & OUTLINE_CHANGES) return false;
  return true;
}

static const char *verify_quantity(const storage_outline *o, const outline_quantity *q) {
  const bool keeps = keeps_its_value(o, q);
  const unsigned both = OUTLINE_STORED | OUTLINE_SCATTERED;
  if (q->words & OUTLINE_CONSTANT && !keeps)
    return SAY(o, "`%s` is computed once, though it changes", q->text);
  if (q->words & OUTLINE_NO_FORMULA) return NULL;
  if ((q->words & both) == both && !(q->words & OUTLINE_SUM))
    return SAY(o, "`%s` is stored and scattered", q->text);
  if (!q->why) return SAY(o, "nobody has decided where `%s` lives", q->text);
  for (int i = 0; i < q->reads.n && keeps && !(q->words & OUTLINE_PLACED); i++)
    if (!keeps_its_value(o, &o->quantity.at[q->reads.at[i]]))
      return SAY(o, "`%s` counts as constant, and reads what changes", q->text);
  return NULL;
}

/* By quantity: who reads it, and of how many others it waits for. */
static outline_places *find_readers(const storage_outline *o, int *waits) {
  outline_places *of = arena_array(o->memory, outline_places, o->quantity.n + 1);
  for (int s = 0; s < o->quantity.n; s++) {
    const outline_quantity *q = &o->quantity.at[s];
    waits[s] = q->words & OUTLINE_NO_FORMULA ? 0 : q->reads.n;
    for (int i = 0; i < waits[s]; i++) vec_push(o->memory, &of[q->reads.at[i]], s);
  }
  return of;
}

/* Equations can be computed one after the other, each behind what it reads: those that wait for nothing are taken away, until none is left. */
static const char *verify_order(const storage_outline *o) {
  const int n = o->quantity.n;
  int *waits = arena_array(o->memory, int, n + 1);
  const outline_places *of = find_readers(o, waits);
  outline_places ready = {0};
  for (int s = 0; s < n; s++)
    if (!waits[s]) vec_push(o->memory, &ready, s);
  for (int i = 0; i < ready.n; i++)
    for (int k = 0; k < of[ready.at[i]].n; k++)
      if (--waits[of[ready.at[i]].at[k]] == 0) vec_push(o->memory, &ready, of[ready.at[i]].at[k]);
  for (int s = 0; s < n; s++)
    if (waits[s]) return SAY(o, "`%s` stands before what it reads", o->quantity.at[s].text);
  return NULL;
}

const char *storage_verify(const storage_outline *o) {
  const char *wrong = verify_order(o);
  for (int k = 0; k < o->quantity.n && !wrong; k++) wrong = verify_quantity(o, &o->quantity.at[k]);
  return wrong;
}

/* ---- tasks --------------------------------------------------------------------------------------------------------------- */

static bool same_entry(const task_write *a, const task_write *b) {
  return a->kind == b->kind && a->buffer == b->buffer && a->component == b->component;
}

/* Kernels over the rows of a constraint, and over ghosts, write where nobody of the same launch reads. */
static const char *verify_task(const outline *o, const outline_task *k) {
  const task *t = &k->does;
  int *stored = arena_array(o->memory, int, o->buffer.n + 1);
  for (int i = 0; i < t->write.n; i++) {
    const task_write *w = &t->write.at[i];
    for (int j = w->kind == PLAN_STORE ? stored[w->buffer] - 1 : -1; j >= 0 && j < i; j++)
      if (same_entry(w, &t->write.at[j]))
        return SAY(o, "`%s` writes component %d of `%s` twice", k->text, w->component,
                   o->buffer.at[w->buffer].text);
    if (w->kind == PLAN_STORE && !stored[w->buffer]) stored[w->buffer] = 1 + i;
  }
  for (int i = 0; i < t->read.n; i++)
    if (t->read.at[i].elsewhere && stored[t->read.at[i].buffer])
      return SAY(o, "`%s` writes `%s`, which it reads at other points", k->text,
                 o->buffer.at[t->read.at[i].buffer].text);
  return NULL;
}

const char *tasks_verify(const outline *o) {
  const char *wrong = NULL;
  for (int i = 0; i < o->task.n && !wrong; i++) wrong = verify_task(o, &o->task.at[i]);
  return wrong;
}

/* ---- launches ------------------------------------------------------------------------------------------------------------ */

/* Of a buffer, as the launches of a section go on; times count operations. */
typedef struct content {
  bool made, at_boundary; /* everywhere, or at the faces of boundaries */
  int rim;                /* in cells: 1 in those at boundaries, 2 in those beside them, too */
  int stored;             /* when */
  int periodic;           /* when its copies beyond periodic sides were made */
  int *ghosts;            /* by rule: when those beyond its faces were made */
  int everywhere;         /* when it was last made of its formula, in this section */
  int *replaced;          /* by rule: when that put there what it says */
} content;

typedef struct run {
  const outline *o;
  content *of;    /* by buffer */
  bool *by_setup; /* by buffer: the setup makes it */
  bool *global;   /* it has been computed */
  int *held;      /* by table: 1 + the function whose values it holds, 0: none */
  int section, now;
  const char *wrong;
} run;

static const char *where(const run *r, int op) {
  return SAY(r->o, "section `%s`, operation %d", r->o->section.at[r->section].text, op);
}

static int bound(const outline_op *op, int buffer) {
  for (int i = 0; i < op->bound.n; i++)
    if (op->bound.at[i].from == buffer) return op->bound.at[i].to;
  return buffer;
}

/* A launch over the faces of one rule needs that rule's ghosts only. */
static bool has_ghosts(const run *r, int buffer, const outline_op *op) {
  const content *c = &r->of[buffer];
  if (r->o->periodic && c->periodic < c->stored) return false;
  for (int rule = 0; rule < r->o->rule.n && !r->o->on_grid; rule++) {
    bool needed = r->o->rule.at[rule].used && (op->subset != DSLC_RULE || op->rule == rule);
    const int since = r->o->buffer.at[buffer].ghosts ? 1 : c->stored; /* or at any time */
    if (needed && c->ghosts[rule] < since) return false;
  }
  return true;
}

/* The rule that has not said yet what is there at its faces; -1: all have. */
static int rule_that_waits(const run *r, int buffer, const outline_op *op) {
  const content *c = &r->of[buffer];
  const outline_places *by = &r->o->buffer.at[buffer].replaced;
  for (int i = 0; i < by->n; i++) {
    const bool needed = op->subset != DSLC_RULE || op->rule == by->at[i];
    if (needed && c->replaced[by->at[i]] < c->everywhere) return by->at[i];
  }
  return -1;
}

/* In a rim what its cells read, at the faces of a rule what these read of the cells inside. */
static bool is_in_rim(const content *c, const outline_op *op, const task_read *read) {
  const bool rule = op->subset == DSLC_RULE;
  if (!rule && !dslc_is_rim(op->subset)) return false;
  return c->rim >= (op->subset == DSLC_WIDE_RIM ? 2 : 1) + (read->elsewhere && !rule);
}

static void check_reads(run *r, int number, const outline_op *op, const outline_task *k) {
  const outline *o = r->o;
  const task *t = &k->does;
  for (int i = 0; i < t->read.n && !r->wrong; i++) {
    const task_read *read = &t->read.at[i];
    const int buffer = bound(op, read->buffer);
    const content *c = &r->of[buffer];
    const char *text = o->buffer.at[read->buffer].text;
    if (!c->made && !(read->boundary && c->at_boundary) && !is_in_rim(c, op, read))
      r->wrong = SAY(o, "%s: `%s` reads `%s`, which nothing has made", where(r, number), k->text, text);
    else if (read->beyond && !has_ghosts(r, buffer, op))
      r->wrong = SAY(o, "%s: `%s` reads ghosts of `%s`, which are not made", where(r, number), k->text, text);
    const int waits = rule_that_waits(r, buffer, op);
    if (!r->wrong && waits >= 0)
      r->wrong = SAY(o, "%s: `%s` reads `%s` before `%s` says what it is at its faces", where(r, number),
                     k->text, text, o->rule.at[waits].text);
  }
  for (int i = 0; i < t->scalar_read.n && !r->wrong; i++)
    if (!r->global[t->scalar_read.at[i]])
      r->wrong = SAY(o, "%s: `%s` reads a global that is not computed", where(r, number), k->text);
  for (int i = 0; i < t->table_read.n && !r->wrong; i++) {
    const outline_function *f = &o->function.at[t->table_read.at[i]];
    if (f->table > 0 && r->held[f->table] != 1 + t->table_read.at[i])
      r->wrong = SAY(o, "%s: `%s` looks up `%s` near walls in a table that holds something else",
                     where(r, number), k->text, f->text);
  }
}

static void note_writes(run *r, const outline_op *op, const task *t) {
  for (int i = 0; i < t->write.n; i++) {
    const task_write *w = &t->write.at[i];
    content *c = &r->of[bound(op, w->buffer)];
    if (w->kind == PLAN_STORE && op->subset == DSLC_RULE) c->replaced[op->rule] = r->now;
    else if (w->kind == PLAN_STORE) c->everywhere = r->now;
    if (w->kind == PLAN_GHOST) c->ghosts[op->rule] = r->now;
    else if (op->subset == DSLC_BOUNDARY) c->at_boundary = true;
    else if (dslc_is_rim(op->subset)) c->rim = op->subset == DSLC_RIM ? 1 : 2, c->stored = r->now;
    else c->made = c->made || op->subset != DSLC_RULE || !c->at_boundary, c->stored = r->now;
  }
  for (int i = 0; i < t->scalar_written.n; i++) r->global[t->scalar_written.at[i]] = true;
  for (int i = 0; i < t->table_written.n; i++) {
    int table = r->o->function.at[t->table_written.at[i]].table;
    if (table > 0) r->held[table] = 1 + t->table_written.at[i];
  }
}

static void copy(run *r, int number, int from, int to) {
  content *a = &r->of[from], *b = &r->of[to];
  if (!a->made) r->wrong = SAY(r->o, "%s copies what nothing has made", where(r, number));
  b->made = true;
  b->stored = a->stored, b->periodic = a->periodic;
  b->everywhere = a->everywhere;
  for (int i = 0; i < r->o->rule.n; i++) b->ghosts[i] = a->ghosts[i], b->replaced[i] = a->replaced[i];
}

static void solve(run *r, int number, const outline_op *op) {
  for (int i = 0; i < 4 && !r->wrong; i++)
    if (!r->of[op->solve[i]].made)
      r->wrong = SAY(r->o, "%s solves for `%s` with what nothing has made", where(r, number), op->unknown);
  r->of[op->solve[3]].stored = r->now;
}

static void follow_ops(run *r, int from, int to);

static void follow_op(run *r, int number, const outline_op *op) {
  content swapped;
  r->now++;
  switch (op->kind) {
  case DSLC_OP_LAUNCH:
    check_reads(r, number, op, &r->o->task.at[op->task]);
    note_writes(r, op, &r->o->task.at[op->task].does);
    break;
  case DSLC_OP_SWAP:
    swapped = r->of[op->a];
    r->of[op->a] = r->of[op->b], r->of[op->b] = swapped;
    if (!r->of[op->a].made) r->wrong = SAY(r->o, "%s swaps in what nothing has made", where(r, number));
    break;
  case DSLC_OP_COPY: copy(r, number, op->a, op->b); break;
  case DSLC_OP_GHOSTS: r->of[op->a].periodic = r->now; break;
  case DSLC_OP_SOLVE: solve(r, number, op); break;
  case DSLC_OP_REPEAT: /* what a second pass reads the first may have left out of date */
    follow_ops(r, number + 1, number + 1 + op->count);
    break;
  }
}

static void follow_ops(run *r, int from, int to) {
  const outline_op *op = r->o->section.at[r->section].op.at;
  for (int i = from; i < to && !r->wrong; i++) {
    follow_op(r, i, &op[i]);
    if (op[i].kind != DSLC_OP_REPEAT) continue;
    if (!r->wrong) follow_ops(r, i + 1, i + 1 + op[i].count);
    i += op[i].count;
  }
}

/* ---- what is there when a section begins -------------------------------------------------------------------------------------- */

static void forget(run *r) {
  const outline *o = r->o;
  const bool behind_step = r->section > DSLC_SECTION_STEP;
  for (int b = 0; b < o->buffer.n; b++) {
    const outline_buffer *of = &o->buffer.at[b];
    const bool keeps = (behind_step ? of->shown : of->lasting) && r->section > 0;
    r->of[b].everywhere = 0;
    if (r->section == DSLC_SECTION_STEP) r->by_setup[b] = r->of[b].made;
    if (keeps)
      r->of[b].made = r->by_setup[b]; /* nothing may be shown before the first step that only a step makes */
    else r->of[b].made = of->given, r->of[b].at_boundary = false, r->of[b].rim = 0, r->of[b].stored = r->now;
    if (of->start && behind_step) r->of[b].made = true;
  }
  for (int i = 0; i < o->global.n; i++)
    if (!o->global.at[i].lasting || r->section == 0) r->global[i] = o->global.at[i].known;
}

static int highest_table(const outline *o) {
  int highest = 0;
  for (int i = 0; i < o->function.n; i++)
    if (o->function.at[i].table > highest) highest = o->function.at[i].table;
  return highest;
}

const char *launches_verify(const outline *o) {
  arena *a = o->memory;
  run r = {.o = o, .now = 1};
  r.of = arena_array(a, content, o->buffer.n + 1);
  r.by_setup = arena_array(a, bool, o->buffer.n + 1);
  for (int b = 0; b < o->buffer.n; b++) {
    r.of[b].ghosts = arena_array(a, int, o->rule.n + 1);
    r.of[b].replaced = arena_array(a, int, o->rule.n + 1);
  }
  r.global = arena_array(a, bool, o->global.n + 1);
  r.held = arena_array(a, int, highest_table(o) + 1);
  for (; r.section < o->section.n && !r.wrong; r.section++) {
    forget(&r);
    follow_ops(&r, 0, o->section.at[r.section].op.n);
  }
  return r.wrong;
}
