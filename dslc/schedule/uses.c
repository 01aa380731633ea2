/* Who reads a quantity from where, and what boundary rules do to it. */
#include <string.h>

#include "base/defects.h"
#include "schedule/storage.h"

/* ---- what is planned -------------------------------------------------------------------------------------------------- */

ir_sym find_step_size(const ir_module *m) {
  ir_sym dt = 0;
  for (int s = 1; s < m->symbol.n; s++) {
    const ir_symbol *q = ir_symbol_get(m, (ir_sym)s);
    if (q->kind == IR_GLOBAL && strcmp(q->text, "dt") == 0) dt = (ir_sym)s;
  }
  return dt;
}

/* By node: the reductions with a symbol of their own. */
static const ir_sym *find_hoisted(arena *a, const ir_module *m) {
  ir_sym *hoisted = arena_array(a, ir_sym, m->node.n + 1);
  for (int s = 1; s < m->symbol.n; s++) {
    const ir_symbol *q = ir_symbol_get(m, (ir_sym)s);
    if (q->purpose.role >= IR_SUM_OVER_FACES && q->purpose.role <= IR_RESIDUAL)
      hoisted[q->root[0]] = (ir_sym)s;
  }
  return hoisted;
}

problem problem_of(arena *a, const lowering *low, const dslc_options *options, const source_set *sources,
                   diag_sink *sink) {
  ir_module *m = low->m;
  problem p = {.memory = a,
               .names = m->names,
               .sink = sink,
               .options = options,
               .schedule = low->schedule,
               .low = low,
               .sources = sources,
               .from = m,
               .rule_used = low->rule_used,
               .dt = find_step_size(m),
               .time = lower_time(m),
               .stage = lower_stage_time(m),
               .hoisted = find_hoisted(a, m),
               .circular = arena_array(a, bool, m->symbol.n),
               .circle = arena_new(a, ir_sym)};
  for (int s = 1; s < m->symbol.n; s++) /* lower/residuals.c has made globals of them */
    if (m->symbol.at[s].purpose.role == IR_RESIDUAL) vec_push(a, &p.residuals, (ir_sym)s);
  return p;
}

form problem_form(const problem *p, ir_sym sym) {
  return p->circular[sym] ? FORM_INLINE : schedule_form(p->schedule, ir_symbol_get(p->from, sym)->text);
}

/* ---- reads ------------------------------------------------------------------------------------------------------------ */

/* Is it read where another point may have to be asked for? Of a staggered one without a shift it is not: it touches the reader's. A row has its edges
 * to itself. */
static bool moves(const ir_node *n) {
  if (n->read.at != IR_AT_SHIFT) return n->read.at != IR_AT_HERE && n->read.at != IR_AT_E;
  return n->read.off[0] || n->read.off[1] || n->read.off[2];
}

static void note_reads(const ir_module *m, symbol_use *use) {
  const unsigned char *live = ir_live(m);
  for (ir_id id = 1; id < (ir_id)m->node.n; id++) {
    const ir_node *n = ir_get(m, id);
    if (!live[id] || n->op != IR_READ) continue;
    symbol_use *u = &use[n->read.sym];
    if (n->read.at == IR_AT_F || n->read.at == IR_AT_OUT) u->in_loop = true;
    else if (moves(n)) u->across = true;
    if (n->read.level == IR_PREV) u->prev = true;
  }
}

typedef struct reader_count {
  const ir_module *m;
  symbol_use *use;
  int *last; /* by symbol: the last reader that was counted */
  int reader;
} reader_count;

static void count_reader(reader_count *c, ir_id root) {
  ir_reached reached = ir_reach(c->m, &root, 1);
  c->reader++;
  for (int i = 0; i < reached.n; i++) {
    const ir_node *n = ir_get(c->m, reached.at[i]);
    if (n->op != IR_READ || c->last[n->read.sym] == c->reader) continue;
    c->last[n->read.sym] = c->reader;
    c->use[n->read.sym].readers++;
  }
}

static void count_statement_readers(reader_count *c, const ir_stmt *st, int n) {
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < st[i].assign.n; k++) count_reader(c, st[i].assign.at[k].value);
    count_statement_readers(c, st[i].body.at, st[i].body.n);
  }
}

static void note_readers(const problem *p, symbol_use *use) {
  const ir_module *m = p->from;
  if (!m->on_grid) return;
  reader_count c = {m, use, arena_array(p->memory, int, m->symbol.n), 0};
  for (int s = 1; s < m->symbol.n; s++) {
    const ir_symbol *q = ir_symbol_get(m, (ir_sym)s);
    if (q->kind == IR_EQUATION && q->root[0]) count_reader(&c, q->root[0]);
  }
  count_statement_readers(&c, m->step.at, m->step.n);
}

/* ---- what rules name ------------------------------------------------------------------------------------------------- */

static bool is_named(const problem *p, const ir_node *n) {
  const ir_symbol *q = ir_symbol_get(p->from, n->read.sym);
  if (n->op == IR_READ) return q->kind == IR_EQUATION && n->read.level == IR_NOW;
  return n->op == IR_PARAM && q->kind == IR_GLOBAL && q->purpose.role == IR_AS_WRITTEN &&
         n->read.sym != p->dt;
}

static void add_named(const problem *p, ir_id root, named_list *all) {
  ir_reached reached = ir_reach(p->from, &root, 1);
  for (int i = 0; i < reached.n; i++) {
    const ir_node *n = ir_get(p->from, reached.at[i]);
    if (n->op != IR_READ && n->op != IR_PARAM) continue;
    const ir_symbol *q = ir_symbol_get(p->from, n->read.sym);
    if (q->purpose.role == IR_RULE_SUM) add_named(p, q->root[0], all);
    else if (is_named(p, n)) vec_push(p->memory, all, n->read.sym);
  }
}

named_list named_by(const problem *p, const ir_constraint *c) {
  named_list all = {0};
  if (ir_symbol_get(p->from, c->target)->kind == IR_STATE) add_named(p, c->root, &all);
  return all;
}

/* ---- rules ------------------------------------------------------------------------------------------------------------ */

static void note_rules(const problem *p, symbol_use *use) {
  for (int r = 1; r < p->from->rule.n; r++) {
    const ir_rule *rule = &p->from->rule.at[r];
    for (int i = 0; p->rule_used[r] && i < rule->entry.n; i++) {
      symbol_use *u = &use[rule->entry.at[i].target];
      if (rule->entry.at[i].kind == IR_GHOST) u->ghost_rule = true;
      if (rule->entry.at[i].kind == IR_FLUX) u->flux_rule = true;
    }
  }
}

/* Rules at nodes: see lower/constraints.c. */
static void note_constraints(const problem *p, symbol_use *use) {
  const ir_module *m = p->from;
  for (int i = 0; i < m->constraint.n; i++) {
    const named_list named = named_by(p, &m->constraint.at[i]);
    for (int k = 0; k < named.n; k++) use[named.at[k]].named = true;
    use[m->constraint.at[i].target].held = true;
    ir_reached all = ir_reach(m, &m->constraint.at[i].root, 1);
    for (int k = 0; k < all.n; k++)
      if (ir_get(m, all.at[k])->op == IR_READ) use[ir_get(m, all.at[k])->read.sym].in_rule = true;
  }
}

/* ---- what lowerings have made --------------------------------------------------------------------------------------------- */

static void note_role(const ir_symbol *q, ir_sym sym, symbol_use *use) {
  symbol_use *u = &use[sym];
  if (q->purpose.role == IR_BY_ROW) u->row_of = 1 + q->purpose.constraint;
  bool of_time = q->purpose.role == IR_LATE || q->purpose.role == IR_INTERVAL;
  bool of_start = q->purpose.role == IR_STEP_START || q->purpose.role == IR_ROW_START;
  if (of_time || of_start || q->purpose.role == IR_STEP_BOUND || q->purpose.role == IR_STEP_MOST ||
      q->purpose.role == IR_BY_ROW || ir_role_is_stored(q->purpose.role))
    u->hidden = true;
  if (of_start && q->purpose.of) use[q->purpose.of].previous = sym;
  if (of_start) u->once = q->purpose.role == IR_STEP_START;
}

/* By symbol: X.prev, or what keeps it, is read at another point than the reader's own, or by an equation that is. */
static const bool *read_back_elsewhere(const ir_module *m, const bool *elsewhere) {
  bool *back = arena_array(m->memory, bool, m->symbol.n);
  const unsigned char *live = ir_live(m);
  const unsigned *readers = ir_reader_places(m);
  for (ir_id id = 1; id < (ir_id)m->node.n; id++) {
    const ir_node *n = ir_get(m, id);
    if (live[id] && n->op == IR_READ && n->read.level == IR_PREV && lower_moves(m, readers, id))
      back[n->read.sym] = true;
  }
  for (int s = 1; s < m->symbol.n; s++) {
    const ir_symbol *q = ir_symbol_get(m, (ir_sym)s);
    if (q->purpose.role == IR_STEP_START && elsewhere[s]) back[s] = true;
    if (!elsewhere[s] || q->kind != IR_EQUATION || !q->root[0]) continue;
    const ir_reached all = ir_reach(m, q->root, q->root[1] ? 2 : 1);
    for (int i = 0; i < all.n; i++) {
      const ir_node *n = ir_get(m, all.at[i]);
      if (n->op == IR_READ && n->read.level == IR_PREV) back[n->read.sym] = true;
    }
  }
  return back;
}

static ir_sym kept_by(const ir_module *m, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(m, sym);
  if (q->purpose.role != IR_STEP_START) return sym;
  if (q->purpose.of) return q->purpose.of;
  const ir_node *n = ir_get(m, q->root[0]);
  const bool own = n->op == IR_READ && n->read.at == IR_AT_HERE;
  return own && ir_symbol_get(m, n->read.sym)->place == q->place ? n->read.sym : sym;
}

/* X.prev is read, and acted on by rules, as X is. On a grid it follows beyond walls from the states at the start of the step. */
static void note_kept(const problem *p, symbol_use *use) {
  const ir_module *m = p->from;
  const bool *elsewhere = lower_read_elsewhere(m),
             *back = m->on_grid ? read_back_elsewhere(m, elsewhere) : NULL;
  for (int s = 1; s < m->symbol.n; s++) {
    const ir_symbol *q = ir_symbol_get(m, (ir_sym)s);
    use[s].kept = kept_by(m, (ir_sym)s);
    if (q->purpose.role != IR_STEP_START) continue;
    if (m->on_grid) {
      /* what a rule reads of X inside may be of the start where X.prev is read beyond two walls, though no text says so */
      const bool by_rules =
          use[s].kept != (ir_sym)s && elsewhere[use[s].kept] && !defect_is_back("rules_behind_rules");
      use[s].start_beyond = back[s] || back[q->purpose.of] || by_rules;
    } else {
      use[s].across = elsewhere[q->purpose.of];
      use[s].flux_rule = use[q->purpose.of].flux_rule;
    }
  }
}

const symbol_use *uses_find(const problem *p) {
  const ir_module *m = p->from;
  symbol_use *use = arena_array(p->memory, symbol_use, m->symbol.n);
  for (int s = 1; s < m->symbol.n; s++) note_role(ir_symbol_get(m, (ir_sym)s), (ir_sym)s, use);
  note_constraints(p, use);
  note_rules(p, use);
  note_reads(m, use);
  note_readers(p, use);
  note_kept(p, use);
  const bool *followed = m->on_grid ? NULL : followed_beyond(p, use);
  for (int s = 1; s < m->symbol.n && followed; s++) use[s].followed = followed[s];
  return use;
}
