/* Values beyond the boundary. A ghost cell's entry of a state, or of a stored equation, is brought up to date just before a
 * kernel reads it: by the rule's ghost if it gives one, by the equation itself from other ghosts, else by a copy of the cell
 * inside (where a rule replaces the fluxes, the ghost is read but does not count). */
#include "schedule/planner.h"

static ir_id inside(planner *pl, ir_sym sym, int k) {
  ir_id read = ir_read(pl->to, sym, IR_NOW, IR_AT_L, NULL);
  ir_node n = *ir_get(pl->to, read);
  n.type = ir_scalar();
  n.read.first = (uint8_t)k;
  return ir_rebuild(pl->to, &n, NULL);
}

/* What sums over faces and has no ghost consists of geometry and givens: it is copied. What it is read by follows from it there, since it
 * is stored; see followed_beyond. */
bool follows_beyond(const planner *pl, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(pl->from, ir_named_by_rules(pl->from, sym));
  if (q->kind != IR_EQUATION) return false;
  ir_reached all = ir_reach(pl->from, q->root, 1);
  for (int i = 0; i < all.n; i++)
    if (ir_get(pl->from, all.at[i])->op == IR_REDUCE) return false;
  return !pl->storage[sym].reduces;
}

static ir_id ghost_value(planner *pl, expander *x, int rule, ir_sym sym, int k) {
  const ir_rule_entry *e = ir_entry_find(pl->from, rule, ir_named_by_rules(pl->from, sym), IR_GHOST);
  const ir_symbol *q = ir_symbol_get(pl->from, sym);
  if (e) return expand(x, root_component(pl->from, e->root, k), KEY_HERE);
  if (follows_beyond(pl, sym)) return expand(x, root_component(pl->from, q->root[0], k), KEY_R);
  return inside(pl, sym, k);
}

/* Several quantities at once per rule; those that are computed from other ghosts come behind them. */
static void ghosts_of_rule(planner *pl, int rule, const ir_sym *syms, int n) {
  expander x = expander_create(pl);
  x.stage = sees_stages(pl);
  plan_kernel k =
      kernel_begin(pl, arena_printf(pl->memory, "ghosts_%s", pl->to->rule.at[rule].text), IR_FACES, 0);
  kernel_from(pl, &k, pl->to->rule.at[rule].at);
  k.what = arena_printf(pl->memory, "ghosts beyond `%s`", pl->to->rule.at[rule].text);
  for (int i = 0; i < n; i++)
    for (int c = 0; c < ir_symbol_get(pl->to, syms[i])->type.n; c++)
      kernel_output(pl, &k, PLAN_GHOST, buffer_of(pl, syms[i], IR_NOW), c,
                    ghost_value(pl, &x, rule, syms[i], c));
  for (int i = 0, o = 0; i < n; i++) {
    pl->now[syms[i]].ghosts_asking = true;
    for (int c = 0; c < ir_symbol_get(pl->to, syms[i])->type.n; c++)
      demand_at_rule(pl, &k.output.at[o++].value, 1);
    pl->now[syms[i]].ghosts_asking = false;
  }
  kernel_launch(pl, k, DSLC_RULE, rule - 1, -1);
}

static bool is_equation(const planner *pl, ir_sym sym) {
  return ir_symbol_get(pl->from, sym)->kind == IR_EQUATION;
}

static bool reads_beyond(planner *pl, ir_sym sym, const ir_sym *syms, int n);

/* One of the list, or made of what lies beyond of one. */
static bool leads_beyond(planner *pl, ir_sym sym, ir_sym read, const ir_sym *syms, int n) {
  for (int i = 0; i < n; i++)
    if (syms[i] != sym && syms[i] == read) return true;
  const bool made = is_equation(pl, read) && pl->storage[read].stored && !pl->now[read].ghosts_valid;
  return read != sym && made && reads_beyond(pl, read, syms, n);
}

/* Is what lies beyond the boundary made, by some rule, of what lies there of another one in the list? */
static bool reads_beyond(planner *pl, ir_sym sym, const ir_sym *syms, int n) {
  expander x = expander_create(pl);
  x.stage = sees_stages(pl);
  for (int r = 1; r < pl->to->rule.n; r++)
    for (int c = 0; pl->in->rule_used[r] && c < ir_symbol_get(pl->to, sym)->type.n; c++) {
      const ir_id value = ghost_value(pl, &x, r, sym, c);
      const ir_reached all = ir_reach(pl->to, &value, 1);
      VEC(ir_sym) read = {0};
      for (int k = 0; k < all.n; k++) {
        const ir_node *q = ir_get(pl->to, all.at[k]);
        if (q->op == IR_READ && q->read.at == IR_AT_R) vec_push(pl->memory, &read, q->read.sym);
      }
      for (int k = 0; k < read.n; k++)
        if (leads_beyond(pl, sym, read.at[k], syms, n)) return true;
    }
  return false;
}

/* Copies beyond periodic sides. */
static void periodic_ghosts(planner *pl, const ir_sym *syms, int n) {
  for (int i = 0; i < n && pl->in->options->periodic; i++) {
    int buffer = buffer_of(pl, syms[i], IR_NOW);
    for (int b = 0; b < pl->at.binding.n; b++)
      if (pl->at.binding.at[b].from == buffer) {
        buffer = pl->at.binding.at[b].to;
        break;
      }
    op_add(pl, (dslc_op){.kind = DSLC_OP_GHOSTS, .a = buffer, .groups_of = -1});
  }
}

static void make_ghosts(planner *pl, const ir_sym *syms, int n) {
  for (int r = 1; r < pl->to->rule.n; r++)
    if (pl->in->rule_used[r]) ghosts_of_rule(pl, r, syms, n);
  for (int i = 0; i < n; i++) pl->now[syms[i]].ghosts_open = false;
}

/* What a rule makes them of asks for them, as dt does that looks across faces. */
void refuse_circle(planner *pl, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(pl->from, sym);
  if (diag_errors(pl->in->sink)) return;
  diag *d = diag_report(
      pl->in->sink, DIAG_TARGET, q->at,
      "what boundary rules say of `%s` beyond the boundary follows from what reads it there", q->text);
  diag_with_hint(pl->in->sink, d, "let the rule read a state that an `update` keeps it in");
}

/* Those first of which others are made, also beyond periodic sides. */
static void ghosts_in_order(planner *pl, ir_sym *syms, int n) {
  while (n > 0) {
    VEC(ir_sym) ready = {0}, rest = {0};
    for (int i = 0; i < n; i++)
      if (n > 1 && is_equation(pl, syms[i]) && reads_beyond(pl, syms[i], syms, n))
        vec_push(pl->memory, &rest, syms[i]);
      else vec_push(pl->memory, &ready, syms[i]);
    const bool circle = ready.n == 0; /* refused elsewhere */
    const ir_sym *first = circle ? rest.at : ready.at;
    const int n_first = circle ? rest.n : ready.n;
    make_ghosts(pl, first, n_first);
    periodic_ghosts(pl, first, n_first);
    if (circle) return;
    syms = rest.at, n = rest.n;
  }
}

/* Made of states and what the case gives inside. */
static bool is_of_states_inside(const planner *pl, ir_id value) {
  const ir_reached all = ir_reach(pl->to, &value, 1);
  for (int i = 0; i < all.n; i++) {
    const ir_node *q = ir_get(pl->to, all.at[i]);
    if (q->op != IR_READ && q->op != IR_PARAM) continue;
    const ir_symbol_kind kind = ir_symbol_get(pl->to, q->read.sym)->kind;
    if (kind == IR_EQUATION || kind == IR_GLOBAL || (q->op == IR_READ && q->read.at == IR_AT_R)) return false;
  }
  return true;
}

/* Can rules say what an equation is beyond boundaries together with what states are there? */
static bool goes_with_states(planner *pl, ir_sym sym) {
  if (pl->from->on_grid || !is_equation(pl, sym)) return false;
  expander x = expander_create(pl);
  x.stage = sees_stages(pl);
  for (int r = 1; r < pl->to->rule.n; r++) {
    for (int c = 0; pl->in->rule_used[r] && c < ir_symbol_get(pl->to, sym)->type.n; c++)
      if (!is_of_states_inside(pl, ghost_value(pl, &x, r, sym, c))) return false;
  }
  return true;
}

/* One value lies nowhere. On grids functions near walls name what no wall in their way asks for: that may not be computed yet. */
static bool is_stale(const planner *pl, ir_sym sym) {
  if (pl->from->on_grid && is_equation(pl, sym) && !pl->now[sym].valid) return false;
  const symbol_state *now = &pl->now[sym];
  const bool there = now->ghosts_valid && !now->ghosts_open;
  return !there && !now->ghosts_asking && ir_symbol_get(pl->to, sym)->place != IR_NOWHERE;
}

/* What rules make one of may be computed from what lies beyond boundaries of another one in the list: that is made then, before its turn. */
static void refresh(planner *pl, ir_sym *syms, int n) {
  for (int i = 0; i < n; i++)
    pl->now[syms[i]].ghosts_valid = true, pl->now[syms[i]].ghosts_open = !pl->from->on_grid;
  if (n == 0) return;
  if (pl->from->on_grid) periodic_ghosts(pl, syms, n);
  else ghosts_in_order(pl, syms, n);
}

/* States before equations: the latter may be computed from the former. And dt before all: it may read, at the first demand of the step, which
 * is that of a rule's kernel if none came before, the ghosts that are about to be made. */
void refresh_ghosts(planner *pl, const ir_sym *syms, int n) {
  bool stale = false;
  for (int i = 0; i < n; i++)
    if (pl->now[syms[i]].ghosts_asking) refuse_circle(pl, syms[i]);
  for (int i = 0; i < n; i++) stale = stale || is_stale(pl, syms[i]);
  if (stale && !pl->from->on_grid) demand(pl, NULL, 0);
  VEC(ir_sym) first = {0}, rest = {0};
  for (int i = 0; i < n; i++)
    if (is_stale(pl, syms[i]) && ir_symbol_get(pl->to, syms[i])->kind == IR_STATE)
      vec_push(pl->memory, &first, syms[i]);
  const bool states = first.n > 0;
  for (int i = 0; i < n; i++) {
    if (!is_stale(pl, syms[i]) || ir_symbol_get(pl->to, syms[i])->kind == IR_STATE) continue;
    if (states && goes_with_states(pl, syms[i])) vec_push(pl->memory, &first, syms[i]);
    else vec_push(pl->memory, &rest, syms[i]);
  }
  refresh(pl, first.at, first.n);
  refresh(pl, rest.at, rest.n);
}
