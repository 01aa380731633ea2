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
  return k >= 0 && d->on[sym] && set_has(d->on[sym], k);
}

bool depends_on_near_walls(const dependence *d, ir_sym sym, ir_sym other) {
  const int k = d->number[other];
  return depends_on(d, sym, other) || (k >= 0 && d->beyond[sym] && set_has(d->beyond[sym], k));
}

bool dependence_fixes_follow(const dependence *d, ir_sym sym) {
  return d->number[sym] >= 0 && set_has(d->fixes_on, d->number[sym]);
}

const uint64_t *dependence_followers(const dependence *d, ir_sym sym) {
  return d->number[sym] >= 0 ? d->follower[d->number[sym]] : NULL;
}

/* ---- sets -------------------------------------------------------------------------------------------------------------- */

static number_set set_create(const finding *f, int numbers) {
  return arena_array(f->p->memory, uint64_t, set_words(numbers));
}

static void set_add(number_set set, int number) {
  set[number / SET_BITS] |= UINT64_C(1) << number % SET_BITS;
}

/* True if that is more than it had. */
static bool join(const finding *f, number_set mine, const uint64_t *theirs) {
  uint64_t more = 0;
  for (int w = 0; w < set_words(f->d->changing.n); w++) {
    more |= theirs[w] & ~mine[w];
    mine[w] |= theirs[w];
  }
  return more != 0;
}

/* ---- what formulas read ------------------------------------------------------------------------------------------------ */

static void add_dependence(finding *f, ir_sym sym, int depth);

static void add_reads(finding *f, ir_sym sym, ir_id root, int depth) {
  dependence *d = f->d;
  const number_set mine = d->on[sym];
  ir_reached reached = ir_reach(f->p->from, &root, 1);
  for (int i = 0; i < reached.n; i++) {
    const ir_node *n = ir_get(f->p->from, reached.at[i]);
    if (n->op != IR_READ && n->op != IR_PARAM) continue;
    ir_sym read = n->read.sym;
    add_dependence(f, read, depth + 1);
    join(f, mine, d->on[read]);
    if (d->number[read] >= 0) set_add(mine, d->number[read]);
    if (d->depth[sym] <= d->depth[read]) d->depth[sym] = d->depth[read] + 1;
  }
}

static void add_dependence(finding *f, ir_sym sym, int depth) {
  const ir_module *m = f->p->from;
  const ir_symbol *q = ir_symbol_get(m, sym);
  if (f->d->on[sym]) return;
  f->d->on[sym] = set_create(f, f->d->changing.n);
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
  number_set mine; /* what the value depends on */
  ir_place place;
} reader;

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
    if (own >= 0 && !set_has(to.mine, own)) set_add(to.mine, own), more = true;
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
    if (q->purpose.role != IR_STEP_START || !q->purpose.of) continue;
    if (join(f, f->d->on[s], f->d->on[q->purpose.of])) more = true;
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
      reader value = {f->d->on[e->target], IR_NOWHERE};
      if ((kind == IR_EQUATION || stored) && join_reads(f, value, e->root)) more = true;
      if (ghost && f->p->from->on_grid &&
          join_reads(f, (reader){f->d->beyond[e->target], IR_NOWHERE}, e->root))
        more = true;
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

/* What rules that fix states read. */
static void find_in_fixes(const finding *f) {
  const ir_module *m = f->p->from;
  f->d->in_fix = arena_array(f->p->memory, bool, m->symbol.n);
  f->d->fixes_on = set_create(f, f->d->changing.n);
  for (int r = 1; r < m->rule.n; r++)
    for (int i = 0; f->p->rule_used[r] && i < m->rule.at[r].entry.n; i++) {
      const ir_rule_entry *e = &m->rule.at[r].entry.at[i];
      if (e->kind != IR_FIX || ir_symbol_get(m, e->target)->kind != IR_STATE) continue;
      ir_reached all = ir_reach(m, &e->root, 1);
      for (int k = 0; k < all.n; k++) {
        const ir_node *n = ir_get(m, all.at[k]);
        const bool one = n->op == IR_PARAM && ir_symbol_get(m, n->read.sym)->kind == IR_STATE &&
                         !defect_is_back("one_values_in_fixes");
        if (n->op != IR_READ && !one) continue;
        f->d->in_fix[n->read.sym] = true;
        join(f, f->d->fixes_on, f->d->on[n->read.sym]);
        if (m->on_grid) join(f, f->d->fixes_on, f->d->beyond[n->read.sym]);
      }
    }
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
  const number_set free = set_create(f, d->changing.n);
  for (int k = 0; k < d->changing.n; k++)
    if (!follows(f->p, d->changing.at[k])) set_add(free, k);
  for (int s = 1; s < f->p->from->symbol.n; s++) {
    uint64_t changes = 0;
    for (int w = 0; w < set_words(d->changing.n); w++) changes |= d->on[s][w] & free[w];
    d->fixed[s] = !changes;
  }
}

static void find_followers(const finding *f) {
  dependence *d = f->d;
  const int n = f->p->from->symbol.n;
  d->follower = arena_array(f->p->memory, number_set, d->changing.n + 1);
  for (int k = 0; k < d->changing.n; k++) d->follower[k] = set_create(f, n);
  for (int s = 1; s < n; s++)
    for (int w = 0; w < set_words(d->changing.n); w++)
      for (uint64_t rest = d->on[s][w]; rest; rest &= rest - 1)
        set_add(d->follower[w * SET_BITS + __builtin_ctzll(rest)], s);
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
  d->on = arena_array(a, number_set, n);
  d->beyond = arena_array(a, number_set, n);
  for (int s = 1; s < n && f->p->from->on_grid; s++) d->beyond[s] = set_create(f, d->changing.n);
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
  find_followers(&f);
  find_in_fixes(&f);
  return f.d;
}
