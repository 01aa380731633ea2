/* What a value depends on, of that which can change in a run. */
#include "base/defects.h"
#include "schedule/storage.h"

typedef struct finding {
  const problem *p;
  const symbol_use *use;
  dependence *d;
} finding;

/* What can change in a run: the only symbols that one asks about, so equations cost little each. A given can change beyond
 * the boundary, where a rule says what it is there. */
static bool can_change(const finding *f, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(f->p->from, sym);
  return q->kind == IR_STATE || q->kind == IR_TIME || q->kind == IR_GLOBAL || q->over_time ||
         q->kind == IR_RULE_ARGUMENT || /* a case may give any as a function of time */
         (q->kind == IR_GIVEN && f->use[sym].ghost_rule);
}

bool depends_on(const dependence *d, ir_sym sym, ir_sym other) {
  const int k = d->number[other];
  return k >= 0 && d->on[sym] && d->on[sym][k];
}

/* ---- what formulas read ------------------------------------------------------------------------------------------------ */

static void add_dependence(finding *f, ir_sym sym, int depth);

static void add_reads(finding *f, ir_sym sym, ir_id root, int depth) {
  dependence *d = f->d;
  unsigned char *mine = d->on[sym];
  ir_reached reached = ir_reach(f->p->from, &root, 1);
  for (int i = 0; i < reached.n; i++) {
    const ir_node *n = ir_get(f->p->from, reached.at[i]);
    if (n->op != IR_READ && n->op != IR_PARAM) continue;
    ir_sym read = n->read.sym;
    add_dependence(f, read, depth + 1);
    for (int k = 0; k < d->changing.n; k++) mine[k] |= d->on[read][k];
    if (d->number[read] >= 0) mine[d->number[read]] = 1;
    if (d->depth[sym] <= d->depth[read]) d->depth[sym] = d->depth[read] + 1;
  }
}

static void add_dependence(finding *f, ir_sym sym, int depth) {
  const ir_module *m = f->p->from;
  const ir_symbol *q = ir_symbol_get(m, sym);
  if (f->d->on[sym]) return;
  f->d->on[sym] = arena_array(f->p->memory, unsigned char, f->d->changing.n + 1);
  if (q->kind != IR_EQUATION && q->kind != IR_GLOBAL && q->kind != IR_MATRIX) return;
  if (depth > DEEPEST) f->d->depth[sym] = DEEPEST + 1;
  for (int part = 0; part < 2 && depth <= DEEPEST; part++)
    if (q->root[part]) add_reads(f, sym, q->root[part], depth);
  for (int i = 0; i < m->constraint.n && depth <= DEEPEST && f->use[sym].held; i++)
    if (m->constraint.at[i].target == sym) add_reads(f, sym, m->constraint.at[i].root, depth);
}

/* ---- what rules read --------------------------------------------------------------------------------------------------- */

/* Where a value is read from: IR_NOWHERE for a rule, of which any read may lie beyond another boundary. */
typedef struct reader {
  unsigned char *mine; /* what depends on the value */
  ir_place place;
} reader;

static bool join(const finding *f, unsigned char *mine, const unsigned char *theirs) {
  bool more = false;
  for (int k = 0; k < f->d->changing.n; k++) {
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
static bool join_reads(const finding *f, reader to, ir_id root) {
  bool more = false;
  ir_reached reached = ir_reach(f->p->from, &root, 1);
  for (int i = 0; i < reached.n; i++) {
    const ir_node *n = ir_get(f->p->from, reached.at[i]);
    if (n->op == IR_REDUCE && n->reduce.binder == IR_OVER_ALL) to.place = (ir_place)n->reduce.place;
  }
  for (int i = 0; i < reached.n; i++) {
    const ir_node *n = ir_get(f->p->from, reached.at[i]);
    if (n->op != IR_READ && n->op != IR_PARAM) continue;
    ir_sym sym = n->read.sym;
    const int own = f->d->number[sym];
    if (own >= 0 && !to.mine[own]) to.mine[own] = more = true;
    if (join(f, to.mine, f->d->on[sym])) more = true;
    ir_place at = ir_symbol_get(f->p->from, sym)->place;
    if (f->p->from->on_grid && may_lie_beyond(n, to.place, at) && join(f, to.mine, f->d->beyond[sym]))
      more = true;
  }
  return more;
}

/* X.prev depends on all that X does, on what rules say of X too. */
static bool join_starts(const finding *f) {
  bool more = false;
  for (int s = 1; s < f->p->from->symbol.n; s++) {
    const ir_symbol *q = ir_symbol_get(f->p->from, (ir_sym)s);
    if (q->role != IR_STEP_START || !q->of) continue;
    if (join(f, f->d->on[s], f->d->on[q->of])) more = true;
  }
  return more;
}

static bool join_rules(const finding *f) {
  bool more = join_starts(f);
  for (int r = 1; r < f->p->from->rule.n; r++)
    for (int i = 0; f->p->rule_used[r] && i < f->p->from->rule.at[r].entry.n; i++) {
      const ir_rule_entry *e = &f->p->from->rule.at[r].entry.at[i];
      ir_symbol_kind kind = ir_symbol_get(f->p->from, e->target)->kind;
      bool ghost = e->kind == IR_GHOST,
           stored = (kind == IR_STATE || kind == IR_GIVEN) && ghost && !f->p->from->on_grid;
      reader value = {f->d->on[e->target], IR_NOWHERE}, beyond = {f->d->beyond[e->target], IR_NOWHERE};
      if ((kind == IR_EQUATION || stored) && join_reads(f, value, e->root)) more = true;
      if (ghost && f->p->from->on_grid && join_reads(f, beyond, e->root)) more = true;
    }
  return more;
}

/* Beyond a boundary an equation follows from what it reads there. */
static void join_roots(const finding *f, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(f->p->from, sym);
  if (q->kind != IR_EQUATION && q->kind != IR_GLOBAL && q->kind != IR_MATRIX) return;
  for (int part = 0; part < 2; part++) {
    if (!q->root[part]) continue;
    join_reads(f, (reader){f->d->on[sym], q->place}, q->root[part]);
    if (f->p->from->on_grid) join_reads(f, (reader){f->d->beyond[sym], IR_NOWHERE}, q->root[part]);
  }
}

/* An equation depends on what rules in use read for it too, be it that they replace it, add to it, fix it or say what lies beyond;
 * and so do its readers. A state or given of a mesh does on what its ghosts are made of: they are stored, and have to be made anew. On a grid
 * what reads them does. Rules may read in cycles what equations do not: again until nothing is added. */
static void add_rules(const finding *f) {
  if (!join_rules(f)) return;
  do {
    for (int i = 1; i < f->p->from->symbol.n; i++) join_roots(f, f->d->order[i]);
  } while (join_rules(f));
}

/* ---- order ------------------------------------------------------------------------------------------------------------- */

static ir_sym *order_by_depth(const finding *f) {
  arena *a = f->p->memory;
  const int n = f->p->from->symbol.n, *depth = f->d->depth;
  int deepest = 0, next = 1;
  for (int s = 1; s < n; s++)
    if (depth[s] > deepest) deepest = depth[s];
  int *start = arena_array(a, int, deepest + 2);
  for (int s = 1; s < n; s++) start[depth[s] + 1]++;
  for (int d = 1; d <= deepest + 1; d++) start[d] += start[d - 1];
  ir_sym *order = arena_array(a, ir_sym, n + 1);
  for (int s = 1; s < n; s++) order[next + start[depth[s]]++] = (ir_sym)s;
  return order;
}

static bool is_too_deep(const finding *f, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(f->p->from, sym);
  if (f->d->depth[sym] <= DEEPEST) return false;
  diag_report(f->p->sink, DIAG_TARGET, q->at,
              "`%s` stands on a chain of more than %d equations, one reading the other", q->text, DEEPEST);
  return true;
}

/* ---- what keeps its value ------------------------------------------------------------------------------------------------ */

bool follows(const problem *p, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(p->from, sym);
  if (q->kind != IR_GLOBAL || !q->root[0] || sym == p->dt) return false;
  for (int i = 0; i < p->residuals.n; i++)
    if (p->residuals.at[i] == sym) return false;
  return true;
}

/* Not what depends on a state, on time, or on what a case gives over time, be it through a global: dependences are transitive. */
static void find_fixed(const finding *f) {
  const dependence *d = f->d;
  bool *free = arena_array(f->p->memory, bool, d->changing.n + 1);
  for (int k = 0; k < d->changing.n; k++) free[k] = !follows(f->p, d->changing.at[k]);
  for (int s = 1; s < f->p->from->symbol.n; s++) {
    bool changes = false;
    for (int k = 0; k < d->changing.n && !changes; k++) changes = d->on[s][k] && free[k];
    d->fixed[s] = !changes;
  }
}

/* ---- all ----------------------------------------------------------------------------------------------------------------- */

static void make_lists(const finding *f) {
  arena *a = f->p->memory;
  dependence *d = f->d;
  int n = f->p->from->symbol.n;
  d->number = arena_array(a, int, n);
  for (int s = 1; s < n; s++) {
    d->number[s] = can_change(f, (ir_sym)s) ? d->changing.n : -1;
    if (d->number[s] >= 0) vec_push(a, &d->changing, (ir_sym)s);
  }
  d->depth = arena_array(a, int, n);
  d->fixed = arena_array(a, bool, n);
  d->on = arena_array(a, unsigned char *, n);
  d->beyond = arena_array(a, unsigned char *, n);
  for (int s = 1; s < n; s++) d->beyond[s] = arena_array(a, unsigned char, d->changing.n + 1);
}

const dependence *dependence_find(const problem *p, const symbol_use *use) {
  finding f = {p, use, arena_new(p->memory, dependence)};
  make_lists(&f);
  for (int s = 1; s < p->from->symbol.n; s++) {
    add_dependence(&f, (ir_sym)s, 0);
    if (is_too_deep(&f, (ir_sym)s)) return NULL;
  }
  f.d->order = order_by_depth(&f);
  if (!defect_is_back("frozen_equations")) add_rules(&f);
  find_fixed(&f);
  return f.d;
}
