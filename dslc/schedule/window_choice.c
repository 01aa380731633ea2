/* Which equations an update's kernel computes itself, row by row, instead of reading them or computing them wherever they are
 * needed. One is worth it where the work it saves is: what a point's value takes, times the places that ask for it, less one. */
#include <string.h>

#include "schedule/grid.h"

enum {
  WORTH = 32, /* a store, loads and a place in the pass cost about as much */
  DEEPEST_BACK = 8
};

/* ---- what the update reads ------------------------------------------------------------------------------------------ */

typedef struct mark_walk {
  planner *pl;
  bool *read, *back; /* by symbol: as it is now; expanded as it was when the step began */
  bool rules;        /* also through what rules say of all that is read; states are marked too */
} mark_walk;

static void mark_symbol(mark_walk *w, ir_sym sym, bool back);

static void mark_reads(mark_walk *w, ir_id root, bool back) {
  ir_reached reached = ir_reach(w->pl->from, &root, 1);
  for (int i = 0; i < reached.n; i++) {
    const ir_node *q = ir_get(w->pl->from, reached.at[i]);
    const ir_sym part =
        w->pl->in->hoisted[reached.at[i]]; /* a reduction in a statement, which is a global of its own */
    if (part && ir_symbol_get(w->pl->from, part)->purpose.role == IR_PART_OF_GLOBAL)
      mark_symbol(w, part, false);
    if (q->op == IR_READ || q->op == IR_PARAM)
      mark_symbol(w, q->read.sym, back || (q->op == IR_READ && q->read.level == IR_PREV));
  }
}

/* What lies beyond a wall; a stored equation is fixed by the kernel that computes it, a state when it is assigned. */
static void mark_rules(mark_walk *w, ir_sym sym, bool back) {
  const bool state = ir_symbol_get(w->pl->from, sym)->kind == IR_STATE;
  const ir_entries all = ir_entries_of(w->pl->from, sym);
  for (int i = 0; i < all.n; i++) {
    const ir_rule_entry *e = ir_entry_at(w->pl->from, &all, i);
    const bool used = w->pl->in->rule_used[all.at[i].rule];
    if (used && (e->kind == IR_GHOST || (e->kind == IR_FIX && !state))) mark_reads(w, e->root, back);
  }
}

static bool is_marked(const mark_walk *w, ir_symbol_kind kind, bool back) {
  if (kind == IR_EQUATION || (kind == IR_GLOBAL && !back)) return true;
  return w->rules && (kind == IR_STATE || kind == IR_GIVEN);
}

static void mark_symbol(mark_walk *w, ir_sym sym, bool back) {
  ir_sym previous = w->pl->use[sym].previous;
  if (back && previous) sym = previous, back = false;
  const ir_symbol *q = ir_symbol_get(w->pl->from, sym);
  bool *marked = back ? w->back : w->read;
  if (!is_marked(w, q->kind, back) || marked[sym]) return;
  marked[sym] = true;
  if (w->rules) mark_rules(w, sym, back);
  bool there = w->pl->use[sym].once && !back; /* stored when the step began */
  if (q->kind == IR_EQUATION && q->root[0] && !there) mark_reads(w, q->root[0], back);
}

/* What rules fix the update's targets to, its kernel computes. */
static void mark_fixes(mark_walk *w, ir_sym target) {
  const ir_entries all = ir_entries_of(w->pl->from, target);
  for (int i = 0; i < all.n; i++) {
    const ir_rule_entry *e = ir_entry_at(w->pl->from, &all, i);
    if (w->pl->in->rule_used[all.at[i].rule] && e->kind == IR_FIX) mark_reads(w, e->root, false);
  }
}

bool *window_reads_of(planner *pl, const ir_stmt *st, ir_sym sym, bool rules) {
  const int n = pl->from->symbol.n;
  bool *read = arena_array(pl->memory, bool, n + 1);
  mark_walk w = {.pl = pl, .read = read, .back = arena_array(pl->memory, bool, n), .rules = rules};
  for (int i = 0; st && i < st->assign.n; i++) {
    mark_reads(&w, st->assign.at[i].value, false);
    if (rules) mark_fixes(&w, st->assign.at[i].target);
  }
  if (sym) mark_symbol(&w, sym, false);
  return read;
}

bool *window_reads_of_value(planner *pl, ir_id value) {
  const int n = pl->from->symbol.n;
  bool *read = arena_array(pl->memory, bool, n + 1);
  mark_walk w = {.pl = pl, .read = read, .back = arena_array(pl->memory, bool, n), .rules = true};
  mark_reads(&w, value, false);
  return read;
}

bool window_changes(const planner *pl, const ir_stmt *st, ir_sym sym) {
  for (int i = 0; i < st->assign.n; i++)
    if (depends_on(pl->dependence, sym, st->assign.at[i].target)) return true;
  return false;
}

/* ---- work and uses ---------------------------------------------------------------------------------------------------- */

typedef struct choice {
  const planner *pl;
  const symbol_storage *storage;
  const ir_stmt *st;
  const bool *read;
  ir_sym *order; /* producers first */
  int n;
  bool *may, *in; /* by symbol: could be computed in rows; is */
  double *effort; /* of one value, with what is not computed in rows, nor stored, inserted */
  double *uses;   /* how often a point's value is asked for */
  int *seen;      /* by node: the last block that was found to read it */
  int block;
  int *loaded; /* by symbol: the last kernel that was found to load it */
  int kernel;
} choice;

static bool is_loaded(const choice *c, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(c->pl->from, sym);
  return q->kind != IR_EQUATION || !q->root[0] || c->in[sym] || c->storage[sym].stored;
}

static double effort_of_roots(const choice *c, const ir_id *root, int n_roots) {
  ir_cost cost = ir_cost_of(c->pl->from, root, n_roots, 4);
  ir_reached reached = ir_reach(c->pl->from, root, n_roots);
  double sum = ir_effort(&cost);
  for (int i = 0; i < reached.n; i++) {
    const ir_node *n = ir_get(c->pl->from, reached.at[i]);
    if (n->op == IR_READ && !is_loaded(c, n->read.sym)) sum += c->effort[n->read.sym];
  }
  return sum < 1e9 ? sum : 1e9;
}

static double effort_of(const choice *c, ir_sym sym) {
  return effort_of_roots(c, ir_symbol_get(c->pl->from, sym)->root, 1);
}

/* Results of one block are computed together: `momentum.hat` and `momentum.d`. */
static bool same_block(const ir_symbol *a, const ir_symbol *b) {
  const char *x = strrchr(a->text, '.'), *y = strrchr(b->text, '.');
  return x && y && a->place == b->place && x - a->text == y - b->text &&
         !strncmp(a->text, b->text, (size_t)(x - a->text));
}

/* What is expanded as it was when the step began asks for what is not. */
static void count_back(choice *c, ir_sym sym, double times, int depth) {
  ir_sym previous = c->pl->use[sym].previous;
  const ir_symbol *q = ir_symbol_get(c->pl->from, sym);
  if (previous) c->uses[previous] += times;
  if (previous || q->kind != IR_EQUATION || !q->root[0] || depth > DEEPEST_BACK) return;
  ir_reached reached = ir_reach(c->pl->from, q->root, 1);
  for (int i = 0; i < reached.n; i++) {
    const ir_node *n = ir_get(c->pl->from, reached.at[i]);
    if (n->op == IR_READ) count_back(c, n->read.sym, times, depth + 1);
  }
}

/* Each read counts, at whichever shift; once for all results of a block. */
static void count_reads(choice *c, ir_id root, double times) {
  ir_reached reached = ir_reach(c->pl->from, &root, 1);
  for (int i = 0; i < reached.n; i++) {
    const ir_node *n = ir_get(c->pl->from, reached.at[i]);
    if (n->op != IR_READ || c->seen[reached.at[i]] == c->block) continue;
    c->seen[reached.at[i]] = c->block;
    if (n->read.level == IR_PREV) {
      count_back(c, n->read.sym, times, 0);
      continue;
    }
    c->uses[n->read.sym] += times;
    if (c->uses[n->read.sym] > 1e6) c->uses[n->read.sym] = 1e6;
  }
}

static void count_outputs(choice *c) {
  memset(c->uses, 0, sizeof *c->uses * (size_t)c->pl->from->symbol.n);
  c->block++;
  for (int i = 0; i < c->st->assign.n; i++) count_reads(c, c->st->assign.at[i].value, 1);
}

/* Readers stand before what they read: when an equation's turn comes its own uses are known. What is computed in rows asks once
 * a point, else as often as it is asked. */
static void count_reads_of(choice *c, int at) {
  ir_sym sym = c->order[at];
  const ir_symbol *q = ir_symbol_get(c->pl->from, sym);
  if (q->kind != IR_EQUATION || !q->root[0] || c->pl->use[sym].once) return;
  bool together = at + 1 < c->n && same_block(q, ir_symbol_get(c->pl->from, c->order[at + 1]));
  if (!together) c->block++;
  count_reads(c, q->root[0], is_loaded(c, sym) ? 1 : c->uses[sym]);
}

static bool is_worth_it(const choice *c, ir_sym sym) {
  return problem_form(c->pl->in, sym) == FORM_WINDOW || c->effort[sym] * (c->uses[sym] - 1) > WORTH;
}

/* ---- choosing ------------------------------------------------------------------------------------------------------------ */

static bool may_be_kept(const planner *pl, const symbol_storage *storage, const ir_stmt *st, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(pl->from, sym);
  const symbol_storage *sp = &storage[sym];
  bool there = pl->use[sym].once || pl->now[sym].valid;
  if (q->kind != IR_EQUATION || !q->root[0] || q->tuple.n_parts || sp->reduces || sp->placed || there)
    return false;
  form f = problem_form(pl->in, sym);
  return f == FORM_WINDOW || (f == FORM_AUTO && pl->in->schedule->grid.window && window_changes(pl, st, sym));
}

static void order_by_depth(choice *c) {
  const ir_sym *all = c->pl->dependence->order;
  c->order = arena_array(c->pl->memory, ir_sym, c->pl->from->symbol.n);
  for (int i = 1; i < c->pl->from->symbol.n; i++)
    if (c->read[all[i]]) c->order[c->n++] = all[i];
}

static void find_efforts(choice *c) {
  for (int i = 0; i < c->n; i++) {
    const ir_symbol *q = ir_symbol_get(c->pl->from, c->order[i]);
    if (q->kind == IR_EQUATION && q->root[0]) c->effort[c->order[i]] = effort_of(c, c->order[i]);
  }
}

static void drop_worthless(choice *c) {
  find_efforts(c);
  count_outputs(c);
  for (int i = c->n - 1; i >= 0; i--) {
    c->in[c->order[i]] = c->in[c->order[i]] && is_worth_it(c, c->order[i]);
    count_reads_of(c, i);
  }
}

/* With what the others left to it an equation may be worth it again. */
static void add_worthy(choice *c) {
  for (int i = 0; i < c->n; i++) {
    ir_sym s = c->order[i];
    const ir_symbol *q = ir_symbol_get(c->pl->from, s);
    if (q->kind == IR_EQUATION && q->root[0]) c->effort[s] = effort_of(c, s);
    c->in[s] = c->in[s] || (c->may[s] && is_worth_it(c, s));
  }
}

static void end_choice(choice *c) {
  arena *a = c->pl->memory;
  const int n = c->pl->from->symbol.n;
  arena_return_array(a, c->may, n);
  arena_return_array(a, c->in, n);
  arena_return_array(a, c->effort, n);
  arena_return_array(a, c->uses, n);
  arena_return_array(a, c->loaded, n);
  arena_return_array(a, c->seen, c->pl->from->node.n);
  arena_return_array(a, c->order, n);
}

window_choice window_choose(const planner *pl, const symbol_storage *storage, const ir_stmt *st,
                            const bool *read) {
  arena *a = pl->memory;
  int n = pl->from->symbol.n;
  choice c = {.pl = pl, .storage = storage, .st = st, .read = read};
  c.may = arena_array(a, bool, n), c.in = arena_array(a, bool, n);
  c.effort = arena_array(a, double, n), c.uses = arena_array(a, double, n);
  c.seen = arena_array(a, int, pl->from->node.n);
  order_by_depth(&c);
  for (int s = 1; s < n; s++) c.in[s] = c.may[s] = read[s] && may_be_kept(pl, storage, st, (ir_sym)s);
  drop_worthless(&c);
  add_worthy(&c);
  drop_worthless(&c);
  window_choice chosen = {0};
  for (int i = 0; i < c.n; i++)
    if (c.in[c.order[i]]) vec_push(a, &chosen, c.order[i]);
  end_choice(&c);
  return chosen;
}

/* ---- what a candidate takes ------------------------------------------------------------------------------------------------ */

enum { OPERATIONS_A_BYTE = 8, BYTES = 8 };

double plan_cost_time(const plan_cost *c) { return c->bytes + c->operations / OPERATIONS_A_BYTE; }

/* What a kernel loads for these values: fields at points, once each, through what is written into them. */
static void count_loads(choice *c, const ir_id *root, int n, plan_cost *cost) {
  ir_reached reached = ir_reach(c->pl->from, root, n);
  for (int i = 0; i < reached.n; i++) {
    const ir_node *q = ir_get(c->pl->from, reached.at[i]);
    if (q->op != IR_READ || c->loaded[q->read.sym] == c->kernel) continue;
    c->loaded[q->read.sym] = c->kernel;
    const ir_symbol *s = ir_symbol_get(c->pl->from, q->read.sym);
    if (!is_loaded(c, q->read.sym)) count_loads(c, s->root, 1, cost);
    else if (s->place != IR_NOWHERE && s->place < IR_XLINE && !c->in[q->read.sym])
      cost->bytes += BYTES * s->type.n;
  }
}

/* Of one more equation: in the rows of the update's kernel, or by a kernel of its own that stores it. */
static void count_equation(choice *c, ir_sym sym, plan_cost *cost) {
  const ir_symbol *q = ir_symbol_get(c->pl->from, sym);
  cost->operations += c->effort[sym];
  if (!c->in[sym]) {
    c->kernel++;
    cost->launches++;
    cost->bytes += BYTES * q->type.n;
  }
  count_loads(c, q->root, 1, cost);
}

plan_cost window_cost(const planner *pl, const symbol_storage *storage, const ir_stmt *update,
                      const bool *read, const window_choice *rows) {
  const int n = pl->from->symbol.n;
  arena *a = pl->memory;
  choice c = {.pl = pl, .storage = storage, .st = update, .read = read, .kernel = 1};
  plan_cost cost = {.launches = 1};
  VEC(ir_id) output = {0};
  c.in = arena_array(a, bool, n), c.effort = arena_array(a, double, n), c.loaded = arena_array(a, int, n);
  for (int i = 0; rows && i < rows->n; i++) c.in[rows->at[i]] = true;
  order_by_depth(&c);
  find_efforts(&c);
  for (int i = 0; i < update->assign.n; i++) {
    vec_push(a, &output, update->assign.at[i].value);
    cost.bytes += BYTES * ir_symbol_get(pl->from, update->assign.at[i].target)->type.n;
  }
  cost.operations = effort_of_roots(&c, output.at, output.n);
  count_loads(&c, output.at, output.n, &cost);
  for (int pass = 0; pass < 2; pass++) /* those in rows belong to the update's kernel */
    for (int i = 0; i < c.n; i++) {
      const ir_sym s = c.order[i];
      const ir_symbol *q = ir_symbol_get(pl->from, s);
      const bool there = pl->use[s].once || (pl->now[s].valid && !c.in[s]);
      if (q->kind != IR_EQUATION || !q->root[0] || there || !is_loaded(&c, s) || c.in[s] == (pass > 0))
        continue;
      count_equation(&c, s, &cost);
    }
  end_choice(&c);
  return cost;
}
