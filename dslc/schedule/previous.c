/* Quantities that look back: `X.prev` of an equation that is dear, or that sums over neighbours, keeps its value in a step, so it is
 * computed once, when the step begins. A cheap one is expanded like X, from the states at the start of the step; where kernels
 * have windows, one with divisions or roots becomes an equation of its own, which a window can keep for its rows. */
#include "schedule/grid.h"
#include "schedule/nodes.h"

enum { CHEAP = 4, DEAR = 30 };

static bool sums_up(planner *pl, ir_sym sym) {
  unsigned char *seen = arena_array(pl->memory, unsigned char, pl->from->symbol.n);
  VEC(ir_sym) work = {0};
  vec_push(pl->memory, &work, sym);
  while (work.n > 0) {
    const ir_symbol *q = ir_symbol_get(pl->from, work.at[--work.n]);
    if (q->kind != IR_EQUATION || !q->root[0]) continue;
    ir_reached all = ir_reach(pl->from, q->root, 1);
    for (int i = 0; i < all.n; i++) {
      const ir_node *n = ir_get(pl->from, all.at[i]);
      if (n->op == IR_REDUCE) return true;
      if (n->op != IR_READ || seen[n->read.sym]) continue;
      seen[n->read.sym] = 1;
      vec_push(pl->memory, &work, n->read.sym);
    }
  }
  return false;
}

/* Is X.prev read at another point than the reader's own? */
static bool is_read_across(const planner *pl, ir_sym sym) {
  const unsigned char *live = ir_live(pl->from);
  for (ir_id id = 1; id < (ir_id)pl->from->node.n; id++) {
    const ir_node *n = ir_get(pl->from, id);
    if (live[id] && n->op == IR_READ && n->read.sym == sym && n->read.level == IR_PREV &&
        n->read.at != IR_AT_HERE)
      return true;
  }
  return false;
}

/* On a grid what a rule gives beyond the walls belongs to X itself, so such an X is expanded. */
static bool is_worth_keeping(planner *pl, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(pl->from, sym);
  bool grid = pl->from->on_grid;
  if (q->kind != IR_EQUATION || !q->root[0] || q->place == IR_NOWHERE || q->n_parts > 0) return false;
  if (grid && (has_rule(pl, sym, IR_GHOST) || has_rule(pl, sym, IR_FIX))) return false;
  form f = schedule_form(pl->schedule, intern_str(pl->names, arena_printf(pl->memory, "%s.prev", q->text)));
  if (grid) return f == FORM_STORE || (f == FORM_AUTO && deep_cost(pl, sym) > DEAR);
  if (q->place == IR_CELLS) return sums_up(pl, sym) && is_read_across(pl, sym);
  if (q->place != IR_NODES && q->place != IR_EDGES) return false;
  if (sums_up(pl, sym) || ir_is_constrained(pl->from, sym, false)) return true;
  return f == FORM_STORE || (f == FORM_AUTO && deep_cost(pl, sym) > CHEAP);
}

static ir_id whole(planner *pl, ir_sym sym) {
  ir_module *m = pl->from;
  ir_type t = ir_symbol_get(m, sym)->type;
  ir_id part[IR_MOST_ARGS];
  for (int k = 0; k < t.n; k++) part[k] = rewrite_read(m, sym, IR_NOW, IR_AT_HERE, k);
  return t.n == 1 ? part[0] : ir_make(m, IR_TUPLE, t, t.n, part);
}

static void keep(planner *pl, ir_sym sym) {
  ir_symbol s = *ir_symbol_get(pl->from, sym);
  s.text = intern_str(pl->names, arena_printf(pl->memory, "%s.prev", s.text));
  if (!pl->from->on_grid) s.root[0] = whole(pl, sym), s.root[1] = 0;
  s.role = IR_STEP_START, s.of = sym;
  ir_sym copy = ir_symbol_add(pl->from, s);
  vec_push(pl->memory, &pl->kept, ((struct kept_value){sym, copy}));
}

typedef struct search {
  planner *pl;
  unsigned char *seen; /* by symbol */
  VEC(ir_sym) work;
} search;

static void look_at(search *s, ir_sym sym) {
  if (s->seen[sym] || ir_symbol_get(s->pl->from, sym)->kind != IR_EQUATION) return;
  s->seen[sym] = 1;
  vec_push(s->pl->memory, &s->work, sym);
}

/* What an expanded X.prev reads is read at the start of the step too. */
void prepare_previous(planner *pl) {
  const ir_module *m = pl->from;
  search s = {.pl = pl, .seen = arena_array(pl->memory, unsigned char, m->symbol.n)};
  const unsigned char *live = ir_live(m);
  for (ir_id id = 1; id < (ir_id)m->node.n; id++)
    if (live[id] && ir_get(m, id)->op == IR_READ && ir_get(m, id)->read.level == IR_PREV)
      look_at(&s, ir_get(m, id)->read.sym);
  while (s.work.n > 0) {
    ir_sym sym = s.work.at[--s.work.n];
    bool worth = is_worth_keeping(pl, sym);
    if (worth) keep(pl, sym);
    if (worth || m->on_grid) continue;
    const ir_symbol *q = ir_symbol_get(m, sym);
    ir_reached all = ir_reach(m, q->root, q->root[1] ? 2 : 1);
    for (int i = 0; i < all.n; i++)
      if (ir_get(m, all.at[i])->op == IR_READ) look_at(&s, ir_get(m, all.at[i])->read.sym);
  }
}

/* ---- for the rows of windows --------------------------------------------------------------------------------------- */

static bool is_worth_a_row(planner *pl, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(pl->from, sym);
  bool point = q->place >= IR_CELLS && q->place < IR_XLINE;
  if (q->kind != IR_EQUATION || !q->root[0] || !point || q->type.n != 1 || q->n_parts > 0) return false;
  name text = intern_str(pl->names, arena_printf(pl->memory, "%s.prev", q->text));
  for (int i = 0; i < pl->kept.n; i++)
    if (pl->kept.at[i].of == sym) return false;
  if (ir_symbol_find(pl->from, text) || schedule_form(pl->schedule, text) == FORM_INLINE) return false;
  ir_cost cost = ir_cost_of(pl->from, q->root, 1, 1);
  return cost.slow > 0 && !sums_up(pl, sym);
}

static ir_id at_start(void *ctx, ir_module *m, ir_id id) {
  (void)ctx;
  ir_node n = *ir_get(m, id);
  if (n.op != IR_READ || n.read.level != IR_NOW) return 0;
  const ir_symbol *q = ir_symbol_get(m, n.read.sym);
  if ((q->kind != IR_STATE && q->kind != IR_EQUATION) || q->place >= IR_XLINE) return 0;
  n.read.level = IR_PREV;
  return ir_rebuild(m, &n, NULL);
}

/* What boundary rules say of X they say of X.prev. */
static void copy_rules(planner *pl, ir_sym sym, ir_sym copy) {
  for (int r = 1; r < pl->from->rule.n; r++) {
    ir_rule *rule = &pl->from->rule.at[r];
    for (int i = 0, n = rule->entry.n; i < n; i++) {
      ir_rule_entry e = rule->entry.at[i];
      if (e.target != sym) continue;
      e.target = copy;
      e.root = rewrite_value(pl->from, e.root, at_start, NULL);
      vec_push(pl->memory, &rule->entry, e);
    }
  }
}

static void keep_in_rows(planner *pl, ir_sym sym) {
  ir_symbol s = *ir_symbol_get(pl->from, sym);
  s.text = intern_str(pl->names, arena_printf(pl->memory, "%s.prev", s.text));
  s.root[0] = rewrite_value(pl->from, s.root[0], at_start, NULL);
  s.role = IR_ROW_START, s.of = sym;
  ir_sym copy = ir_symbol_add(pl->from, s);
  copy_rules(pl, sym, copy);
  vec_push(pl->memory, &pl->rows_back, ((struct kept_value){sym, copy}));
}

/* Also what is looked back at by what is expanded. */
void prepare_rows_back(planner *pl) {
  const ir_module *m = pl->from;
  if (!m->on_grid || m->dims != 2 || !pl->schedule->window) return;
  search s = {.pl = pl, .seen = arena_array(pl->memory, unsigned char, m->symbol.n)};
  const unsigned char *live = ir_live(m);
  for (ir_id id = 1; id < (ir_id)m->node.n; id++)
    if (live[id] && ir_get(m, id)->op == IR_READ && ir_get(m, id)->read.level == IR_PREV)
      look_at(&s, ir_get(m, id)->read.sym);
  for (int done = 0; done < s.work.n; done++) {
    const ir_symbol *q = ir_symbol_get(m, s.work.at[done]);
    ir_reached all = ir_reach(m, q->root, 1);
    for (int i = 0; i < all.n; i++)
      if (ir_get(m, all.at[i])->op == IR_READ) look_at(&s, ir_get(m, all.at[i])->read.sym);
  }
  for (int i = 0; i < s.work.n; i++)
    if (is_worth_a_row(pl, s.work.at[i])) keep_in_rows(pl, s.work.at[i]);
}

void mark_previous(planner *pl) {
  for (int i = 0; i < pl->rows_back.n; i++) {
    pl->sym[pl->rows_back.at[i].of].previous = pl->rows_back.at[i].copy;
    pl->sym[pl->rows_back.at[i].copy].hidden = true;
  }
  for (int i = 0; i < pl->kept.n; i++) {
    pl->sym[pl->kept.at[i].of].previous = pl->kept.at[i].copy;
    pl->sym[pl->kept.at[i].copy].once = true;
  }
}

void demand_previous(planner *pl) {
  VEC(ir_sym) all = {0};
  for (int i = 0; i < pl->kept.n; i++) vec_push(pl->memory, &all, pl->kept.at[i].copy);
  if (all.n) demand_symbols(pl, all.at, all.n);
  if (pl->from->on_grid) return;
  for (int i = 0; i < all.n;
       i++) /* cells: beyond the boundary too, while the states are those of the start */
    if (ir_symbol_get(pl->to, all.at[i])->place == IR_CELLS) refresh_ghosts(pl, &all.at[i], 1);
}
