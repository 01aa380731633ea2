/* Which equations are stored, and why. The rules are the schedule's; their numbers are the default's, not the language's. */
#include <stdarg.h>
#include <string.h>

#include "base/defects.h"
#include "schedule/nodes.h"

enum {
  CHEAP = 4,
  DEAR = 30,
  DEAR_ON_GRIDS = 60 /* with all that is expanded into it */
}; /* flops: below, recomputing beats a load; above, a value read at several points is stored */

void note(planner *pl, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  const char *text = arena_vprintf(pl->memory, fmt, ap);
  va_end(ap);
  vec_push(pl->memory, &pl->note, text);
}

static void store(sym_plan *sp, const char *why) {
  sp->stored = true;
  sp->why = why;
}

/* Operations at one point with all that is expanded into it. */
double deep_cost(const planner *pl, ir_sym sym) {
  bool *loaded = arena_array(pl->memory, bool, pl->from->symbol.n);
  for (int k = 1; pl->sym && k < pl->from->symbol.n; k++) loaded[k] = pl->sym[k].stored;
  return lower_deep_cost(pl->from, sym, loaded);
}

/* ---- dependence ------------------------------------------------------------------------------------------------ */

/* What can change in a run: the only symbols that one asks about, so equations cost little each. A given can change beyond
 * the boundary, where a rule says what it is there. */
static bool can_change(const planner *pl, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(pl->from, sym);
  return q->kind == IR_STATE || q->kind == IR_TIME || q->kind == IR_GLOBAL || q->over_time ||
         q->kind == IR_RULE_ARGUMENT || /* a case may give any as a function of time */
         (q->kind == IR_GIVEN && pl->sym[sym].ghost_rule);
}

bool depends_on(const planner *pl, ir_sym sym, ir_sym other) {
  const int k = pl->changing_number[other];
  return k >= 0 && pl->depends[sym] && pl->depends[sym][k];
}

static void add_dependence(planner *pl, ir_sym sym, int depth);

static void add_reads(planner *pl, ir_sym sym, ir_id root, int depth) {
  unsigned char *mine = pl->depends[sym];
  ir_reached reached = ir_reach(pl->from, &root, 1);
  for (int i = 0; i < reached.n; i++) {
    const ir_node *n = ir_get(pl->from, reached.at[i]);
    if (n->op != IR_READ && n->op != IR_PARAM) continue;
    ir_sym read = n->read.sym;
    add_dependence(pl, read, depth + 1);
    for (int k = 0; k < pl->changing.n; k++) mine[k] |= pl->depends[read][k];
    if (pl->changing_number[read] >= 0) mine[pl->changing_number[read]] = 1;
    if (pl->sym[sym].depth <= pl->sym[read].depth) pl->sym[sym].depth = pl->sym[read].depth + 1;
  }
}

static void add_dependence(planner *pl, ir_sym sym, int depth) {
  const ir_symbol *q = ir_symbol_get(pl->from, sym);
  if (pl->depends[sym]) return;
  pl->depends[sym] = arena_array(pl->memory, unsigned char, pl->changing.n + 1);
  if (q->kind != IR_EQUATION && q->kind != IR_GLOBAL && q->kind != IR_MATRIX) return;
  if (depth > DEEPEST) pl->sym[sym].depth = DEEPEST + 1;
  for (int part = 0; part < 2 && depth <= DEEPEST; part++)
    if (q->root[part]) add_reads(pl, sym, q->root[part], depth);
  for (int i = 0; i < pl->from->constraint.n && depth <= DEEPEST; i++)
    if (pl->from->constraint.at[i].target == sym) add_reads(pl, sym, pl->from->constraint.at[i].root, depth);
}

/* Where a value is read from: IR_NOWHERE for a rule, of which any read may lie beyond another boundary. */
typedef struct reader {
  unsigned char *mine; /* what depends on the value */
  ir_place place;
} reader;

static bool join(const planner *pl, unsigned char *mine, const unsigned char *theirs) {
  bool more = false;
  for (int k = 0; k < pl->changing.n; k++) {
    if (mine[k] || !theirs[k]) continue;
    mine[k] = more = true;
  }
  return more;
}

/* On grids what lies beyond a boundary is made by whoever reads it, of what the rule reads: so a point's neighbours depend on more
 * than the point itself does. */
static bool may_lie_beyond(const ir_node *n, ir_place from, ir_place to) {
  if (n->op != IR_READ || to >= IR_XLINE) return false;
  return from == IR_NOWHERE || from != to || n->read.off[0] || n->read.off[1] || n->read.off[2];
}

/* All that depends on what the value reads; true if that is more than was known. */
static bool join_reads(planner *pl, reader to, ir_id root) {
  bool more = false;
  ir_reached reached = ir_reach(pl->from, &root, 1);
  for (int i = 0; i < reached.n; i++) {
    const ir_node *n = ir_get(pl->from, reached.at[i]);
    if (n->op == IR_REDUCE && n->reduce.binder == IR_OVER_ALL) to.place = (ir_place)n->reduce.place;
  }
  for (int i = 0; i < reached.n; i++) {
    const ir_node *n = ir_get(pl->from, reached.at[i]);
    if (n->op != IR_READ && n->op != IR_PARAM) continue;
    ir_sym sym = n->read.sym;
    const int own = pl->changing_number[sym];
    if (own >= 0 && !to.mine[own]) to.mine[own] = more = true;
    if (join(pl, to.mine, pl->depends[sym])) more = true;
    ir_place at = ir_symbol_get(pl->from, sym)->place;
    if (pl->from->on_grid && may_lie_beyond(n, to.place, at) && join(pl, to.mine, pl->beyond[sym]))
      more = true;
  }
  return more;
}

static bool join_rules(planner *pl) {
  bool more = false;
  for (int r = 1; r < pl->from->rule.n; r++)
    for (int i = 0; pl->rule_used[r] && i < pl->from->rule.at[r].entry.n; i++) {
      const ir_rule_entry *e = &pl->from->rule.at[r].entry.at[i];
      ir_symbol_kind kind = ir_symbol_get(pl->from, e->target)->kind;
      bool ghost = e->kind == IR_GHOST, stored = kind == IR_STATE && ghost && !pl->from->on_grid;
      reader value = {pl->depends[e->target], IR_NOWHERE}, beyond = {pl->beyond[e->target], IR_NOWHERE};
      if ((kind == IR_EQUATION || stored) && join_reads(pl, value, e->root)) more = true;
      if (ghost && pl->from->on_grid && join_reads(pl, beyond, e->root)) more = true;
    }
  return more;
}

/* Beyond a boundary an equation follows from what it reads there. */
static void join_roots(planner *pl, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(pl->from, sym);
  if (q->kind != IR_EQUATION && q->kind != IR_GLOBAL && q->kind != IR_MATRIX) return;
  for (int part = 0; part < 2; part++) {
    if (!q->root[part]) continue;
    join_reads(pl, (reader){pl->depends[sym], q->place}, q->root[part]);
    if (pl->from->on_grid) join_reads(pl, (reader){pl->beyond[sym], IR_NOWHERE}, q->root[part]);
  }
}

/* An equation depends on what rules in use read for it too, be it that they replace it, add to it, fix it or say what lies beyond;
 * and so do its readers. A state of a mesh does on what its ghosts are made of: they are stored, and have to be made anew. On a grid
 * what reads them does. Rules may read in circles what equations do not: again until nothing is added. */
static void add_rules(planner *pl) {
  if (!join_rules(pl)) return;
  const ir_sym *order = symbols_by_depth(pl);
  do {
    for (int i = 1; i < pl->from->symbol.n; i++) join_roots(pl, order[i]);
  } while (join_rules(pl));
}

/* False, and a report, if equations refer to each other in too long a chain: the planner follows it by recursion. */
static bool find_dependences(planner *pl) {
  int n = pl->from->symbol.n;
  pl->changing_number = arena_array(pl->memory, int, n);
  for (int s = 1; s < n; s++) {
    pl->changing_number[s] = can_change(pl, (ir_sym)s) ? pl->changing.n : -1;
    if (pl->changing_number[s] >= 0) vec_push(pl->memory, &pl->changing, (ir_sym)s);
  }
  pl->depends = arena_array(pl->memory, unsigned char *, n);
  pl->beyond = arena_array(pl->memory, unsigned char *, n);
  for (int s = 1; s < n; s++) pl->beyond[s] = arena_array(pl->memory, unsigned char, pl->changing.n + 1);
  for (int s = 1; s < n; s++) {
    add_dependence(pl, (ir_sym)s, 0);
    if (pl->sym[s].depth <= DEEPEST) continue;
    const ir_symbol *q = ir_symbol_get(pl->from, (ir_sym)s);
    diag_report(pl->sink, DIAG_TARGET, q->at,
                "`%s` stands on a chain of more than %d equations, one reading the other", q->text, DEEPEST);
    return false;
  }
  if (!defect_is_back("frozen_equations")) add_rules(pl);
  return true;
}

/* A global that does not change by itself, as the time step and the conditions of repeats do: only with what it depends on. */
static bool follows(const planner *pl, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(pl->from, sym);
  if (q->kind != IR_GLOBAL || !q->root[0] || sym == pl->dt) return false;
  for (int i = 0; i < pl->residuals.n; i++)
    if (pl->residuals.at[i] == sym) return false;
  return true;
}

/* Does it keep its value in a run? Not if it depends on a state, on time, or on what a case gives over time, be it through a
 * global: dependences are transitive. */
bool is_fixed(const planner *pl, ir_sym sym) {
  for (int k = 0; k < pl->changing.n; k++)
    if (pl->depends[sym][k] && !follows(pl, pl->changing.at[k])) return false;
  return true;
}

/* ---- how equations are read --------------------------------------------------------------------------------------- */

/* Is it read at another point? On grids a shift may be none. */
/* A row has its edges to itself. */
static bool moves(const ir_node *n) {
  if (n->read.at != IR_AT_SHIFT) return n->read.at != IR_AT_HERE && n->read.at != IR_AT_E;
  return n->read.off[0] || n->read.off[1] || n->read.off[2];
}

static void note_reads(planner *pl) {
  const ir_module *m = pl->from;
  const unsigned char *live = ir_live(m);
  for (ir_id id = 1; id < (ir_id)m->node.n; id++) {
    const ir_node *n = ir_get(m, id);
    if (!live[id] || n->op != IR_READ) continue;
    sym_plan *sp = &pl->sym[n->read.sym];
    if (n->read.at == IR_AT_F || n->read.at == IR_AT_OUT) sp->in_loop = true;
    else if (moves(n)) sp->across = true;
    if (n->read.level == IR_PREV) sp->prev = true;
  }
}

static void count_reader(planner *pl, const ir_id *roots, int n) {
  ir_reached reached = ir_reach(pl->from, roots, n);
  for (int i = 0; i < reached.n; i++) {
    const ir_node *q = ir_get(pl->from, reached.at[i]);
    bool first = q->op == IR_READ;
    for (int k = 0; first && k < i; k++) {
      const ir_node *other = ir_get(pl->from, reached.at[k]);
      first = !(other->op == IR_READ && other->read.sym == q->read.sym);
    }
    if (first) pl->sym[q->read.sym].readers++;
  }
}

static void count_statement_readers(planner *pl, const ir_stmt *st, int n) {
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < st[i].assign.n; k++) count_reader(pl, &st[i].assign.at[k].value, 1);
    count_statement_readers(pl, st[i].body.at, st[i].body.n);
  }
}

static void note_readers(planner *pl) {
  if (!pl->from->on_grid) return;
  for (int s = 1; s < pl->from->symbol.n; s++) {
    const ir_symbol *q = ir_symbol_get(pl->from, (ir_sym)s);
    if (q->kind == IR_EQUATION && q->root[0]) count_reader(pl, q->root, 1);
  }
  count_statement_readers(pl, pl->from->step.at, pl->from->step.n);
}

static void note_rules(planner *pl) {
  for (int r = 1; r < pl->from->rule.n; r++) {
    if (!pl->rule_used[r]) continue;
    const ir_rule *rule = &pl->from->rule.at[r];
    for (int i = 0; i < rule->entry.n; i++) {
      sym_plan *sp = &pl->sym[rule->entry.at[i].target];
      if (rule->entry.at[i].kind == IR_GHOST) sp->ghost_rule = true;
      if (rule->entry.at[i].kind == IR_FLUX) sp->flux_rule = true;
    }
  }
}

static void measure(planner *pl, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(pl->from, sym);
  sym_plan *sp = &pl->sym[sym];
  ir_id roots[2] = {q->root[0], q->root[1] ? q->root[1] : q->root[0]};
  ir_reached reached = ir_reach(pl->from, roots, 2);
  for (int i = 0; i < reached.n; i++) {
    const ir_node *n = ir_get(pl->from, reached.at[i]);
    bool inner = n->op == IR_READ && pl->sym[n->read.sym].reduces && !pl->sym[n->read.sym].stored;
    if (n->op == IR_REDUCE || inner) sp->reduces = true;
  }
  sp->cost = ir_cost_of(pl->from, roots, 2, 4).shared;
}

/* ---- faces ------------------------------------------------------------------------------------------------------------ */

static void decide_face(planner *pl, ir_sym sym) {
  sym_plan *sp = &pl->sym[sym];
  form f = lower_face_form(pl->low, sym, sp->in_loop, &sp->why);
  sp->stored = f == FORM_STORE;
  sp->scatter = f == FORM_SCATTER;
}

/* ---- cells, nodes, edges -------------------------------------------------------------------------------------------- */

/* Is the equation less to read than the fields of which it is computed? */
static bool saves_reading(const planner *pl, const ir_symbol *q) {
  ir_reached all = ir_reach(pl->from, q->root, 1);
  int reads = 0;
  for (int i = 0; i < all.n; i++) reads += ir_get(pl->from, all.at[i])->op == IR_READ;
  return reads > q->type.n;
}

/* Behind a periodic side a quantity is that of the point of which it is the image; its formula, evaluated there, would see the centres
 * of cells go on instead. So what reads them, and is read at other points, is computed at its own points only. */
static void note_placed(planner *pl) {
  if (!pl->from->on_grid) return;
  const ir_sym *order = symbols_by_depth(pl);
  for (int i = 1; i < pl->from->symbol.n; i++) {
    const ir_symbol *q = ir_symbol_get(pl->from, order[i]);
    if (q->kind == IR_GEOMETRY && q->place >= IR_XLINE && q->text[1] == 'c') pl->sym[order[i]].placed = true;
    if (q->kind != IR_EQUATION || !q->root[0]) continue;
    ir_reached all = ir_reach(pl->from, q->root, 1);
    for (int k = 0; k < all.n; k++) {
      const ir_node *n = ir_get(pl->from, all.at[k]);
      if (n->op == IR_READ && pl->sym[n->read.sym].placed) pl->sym[order[i]].placed = true;
    }
  }
}

static void decide_other(planner *pl, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(pl->from, sym);
  sym_plan *sp = &pl->sym[sym];
  form f = schedule_form(pl->schedule, q->text);
  bool elsewhere = sp->across || sp->in_loop;
  bool grid = pl->from->on_grid;
  if (sp->held) store(sp, "a boundary rule in use acts on it");
  else if (sp->ghost_rule && elsewhere && !grid)
    store(sp, "a boundary rule gives its value beyond the boundary");
  else if (sp->reduces && elsewhere) store(sp, "it sums over neighbours and is read at other points");
  else if (sp->reduces && sp->in_rule) store(sp, "it sums over neighbours and a boundary rule reads it");
  else if (sp->placed && elsewhere && q->place < IR_XLINE)
    store(sp, "it reads where its point lies, and is read at other points");
  else if (f == FORM_STORE) store(sp, "the schedule says so");
  else if (f == FORM_INLINE) sp->why = "the schedule says so";
  else if (sp->fixed && sp->cost > CHEAP && q->n_parts == 0) store(sp, "it does not change in a run");
  else if (sp->fixed && q->place == IR_EDGES && saves_reading(pl, q))
    store(sp, "it does not change in a run, and is less to read than what it is made of");
  else if (grid && (elsewhere || sp->readers > 1) && deep_cost(pl, sym) > (elsewhere ? 1 : 2) * DEAR_ON_GRIDS)
    store(sp, elsewhere ? "it is dear and read at several points" : "it is dear and read more than once");
  else if (!grid && sp->cost > DEAR && elsewhere) store(sp, "it is dear and read at several points");
  else
    sp->why = sp->reduces                                ? "read at its own point only"
              : q->place == IR_EDGES && sp->cost > CHEAP ? "the rows that sum it compute it"
                                                         : "cheap";
}

/* X.prev of an equation needs the previous values of every state it depends on. */
static void note_previous_states(planner *pl) {
  for (int s = 1; s < pl->from->symbol.n; s++)
    for (int k = 0; pl->sym[s].prev && !pl->sym[s].previous && k < pl->changing.n; k++)
      if (pl->depends[s][k] && ir_symbol_get(pl->from, pl->changing.at[k])->kind == IR_STATE)
        pl->sym[pl->changing.at[k]].prev = true;
}

const ir_sym *symbols_by_depth(const planner *pl) {
  int n = pl->from->symbol.n, deepest = 0, next = 1;
  for (int s = 1; s < n; s++)
    if (pl->sym[s].depth > deepest) deepest = pl->sym[s].depth;
  int *start = arena_array(pl->memory, int, deepest + 2);
  for (int s = 1; s < n; s++) start[pl->sym[s].depth + 1]++;
  for (int d = 1; d <= deepest + 1; d++) start[d] += start[d - 1];
  ir_sym *order = arena_array(pl->memory, ir_sym, n + 1);
  for (int s = 1; s < n; s++) order[next + start[pl->sym[s].depth]++] = (ir_sym)s;
  return order;
}

/* What a rate sums over neighbours without the states that the integrator changes is the same in all its stages. */
static void keep_for_stages(planner *pl, const ir_stmt *st, ir_sym sym, unsigned char *seen) {
  sym_plan *sp = &pl->sym[sym];
  const ir_symbol *q = ir_symbol_get(pl->from, sym);
  if (q->kind != IR_EQUATION || !q->root[0] || sp->stored || sp->scatter || q->place == IR_FACES) return;
  if (seen[sym]) return;
  seen[sym] = 1;
  bool changes = false;
  for (int i = 0; i < st->assign.n; i++) changes = changes || depends_on(pl, sym, st->assign.at[i].target);
  form f = schedule_form(pl->schedule, q->text);
  if (!changes && f != FORM_INLINE && sp->reduces)
    store(sp, "it is the same in all stages of the integrator");
  if (!changes) return;
  ir_reached all = ir_reach(pl->from, q->root, 1);
  for (int i = 0; i < all.n; i++)
    if (ir_get(pl->from, all.at[i])->op == IR_READ)
      keep_for_stages(pl, st, ir_get(pl->from, all.at[i])->read.sym, seen);
}

static void keep_between_stages(planner *pl) {
  for (int i = 0; i < pl->from->step.n; i++) {
    const ir_stmt *st = &pl->from->step.at[i];
    if (st->kind != IR_INTEGRATE || strcmp(st->method, "euler") == 0) continue;
    unsigned char *seen = arena_array(pl->memory, unsigned char, pl->from->symbol.n);
    for (int k = 0; k < st->assign.n; k++) {
      ir_reached all = ir_reach(pl->from, &st->assign.at[k].value, 1);
      for (int j = 0; j < all.n; j++) {
        const ir_node *n = ir_get(pl->from, all.at[j]);
        if (n->op == IR_READ && n->read.level == IR_NOW) keep_for_stages(pl, st, n->read.sym, seen);
      }
    }
  }
}

bool decide_storage(planner *pl) {
  int n = pl->from->symbol.n;
  note_rules(pl);
  if (!find_dependences(pl)) return false;
  note_reads(pl);
  note_readers(pl);
  note_previous_states(pl);
  for (int s = 1; s < n; s++) {
    const ir_symbol *q = ir_symbol_get(pl->from, (ir_sym)s);
    sym_plan *sp = &pl->sym[s];
    if (!ir_role_is_stored(q->role)) continue;
    sp->hidden = true;
    sp->scatter = q->role == IR_SCATTERED_SUM;
    sp->fixed = q->root[0] && is_fixed(pl, (ir_sym)s);
    if (q->place != IR_NOWHERE)
      store(sp, sp->scatter ? "faces add into it" : "one pass computes it and the time step");
  }
  note_placed(pl);
  const ir_sym *order =
      symbols_by_depth(pl); /* what an equation costs depends on whether those that it reads are stored */
  for (int i = 1; i < n; i++) {
    ir_sym s = order[i];
    const ir_symbol *q = ir_symbol_get(pl->from, s);
    pl->sym[s].kernel = -1;
    if (follows(pl, s)) pl->sym[s].fixed = is_fixed(pl, s);
    if (q->kind != IR_EQUATION || !q->root[0]) continue;
    if (pl->sym[s].stored) continue; /* hoisted */
    measure(pl, s);
    pl->sym[s].fixed = is_fixed(pl, s);
    if (q->place == IR_FACES) decide_face(pl, s);
    else decide_other(pl, s);
  }
  keep_between_stages(pl);
  return true;
}
