/* What rules make of what a kernel has computed at all faces or nodes: they give fluxes at their faces, add to equations at their nodes and fix
 * them, each behind what it is made of. */
#include <string.h>

#include "base/defects.h"
#include "schedule/nodes.h"
#include "schedule/planner.h"

/* What a rule says of a quantity at its faces, or of that of which it is the value at the start of the step; NULL: nothing. */
static const ir_rule_entry *flux_entry(const planner *pl, int rule, ir_sym sym) {
  return ir_entry_find(pl->from, rule, ir_named_by_rules(pl->from, sym), IR_FLUX);
}

static bool reads_output(const planner *pl, const plan_kernel *k, ir_id value) {
  const ir_reached all = ir_reach(pl->to, &value, 1);
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(pl->to, all.at[i]);
    const int buffer = n->op == IR_READ ? pl->plan->location[n->read.sym].buffer[n->read.level] : -1;
    for (int j = 0; j < k->output.n && buffer >= 0; j++)
      if (k->output.at[j].buffer == buffer) return true;
  }
  return false;
}

static void launch_flux_rule(planner *pl, const plan_kernel *k, int rule) {
  for (int i = 0; i < k->output.n; i++) demand_at_rule(pl, &k->output.at[i].value, 1);
  kernel_launch(pl, *k, DSLC_RULE, rule - 1, -1);
}

/* Boundary faces where a rule replaces some of the quantities: all at once, but what it makes of others among them. */
static void launch_flux_rules_of(planner *pl, int rule, const ir_sym *syms, int n) {
  plan_kernel k = {0};
  expander x = expander_create(pl);
  x.stage = pl->shared.stage;
  for (int i = 0; i < n; i++) {
    const ir_rule_entry *e = flux_entry(pl, rule, syms[i]);
    const ir_symbol q = *ir_symbol_get(pl->to, syms[i]);
    bool apart = false;
    for (int c = 0; e && c < q.type.n; c++)
      apart = apart || reads_output(pl, &k, expand(&x, root_component(pl->from, e->root, c), KEY_HERE));
    if (apart) launch_flux_rule(pl, &k, rule);
    if (e && (apart || k.output.n == 0))
      k = kernel_begin(pl, arena_printf(pl->memory, "%s_%s", q.text, pl->from->rule.at[rule].text), IR_FACES,
                       syms[i]);
    for (int c = 0; e && c < q.type.n; c++)
      kernel_output(pl, &k, PLAN_STORE, buffer_of(pl, syms[i], IR_NOW), c,
                    expand(&x, root_component(pl->from, e->root, c), KEY_HERE));
  }
  if (k.output.n) launch_flux_rule(pl, &k, rule);
}

/* ---- what follows from what --------------------------------------------------------------------------------------------- */

/* What a quantity is made of, as it is or was: its formula, what rules say of it at faces, add to it and fix it to, and so on. */
typedef struct makings {
  bool *seen; /* by symbol */
  VEC(ir_id) root;
} makings;

static void push_rules(const planner *pl, makings *m, ir_sym sym) {
  for (int c = 0; c < pl->from->constraint.n; c++)
    if (pl->from->constraint.at[c].target == sym)
      vec_push(pl->memory, &m->root, pl->from->constraint.at[c].root);
  for (int r = 1; r < pl->from->rule.n; r++) {
    const ir_rule_entry *e = pl->in->rule_used[r] ? flux_entry(pl, r, sym) : NULL;
    if (e) vec_push(pl->memory, &m->root, e->root);
  }
}

static void push_symbol(const planner *pl, makings *m, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(pl->from, sym);
  if (m->seen[sym]) return;
  m->seen[sym] = true;
  if (q->purpose.role == IR_STEP_START && q->purpose.of) push_symbol(pl, m, q->purpose.of);
  if (q->kind != IR_EQUATION && q->kind != IR_GLOBAL) return;
  for (int part = 0; part < 2; part++)
    if (q->root[part]) vec_push(pl->memory, &m->root, q->root[part]);
  push_rules(pl, m, sym);
}

static void push_read(const planner *pl, makings *m, const ir_node *n) {
  const bool start = n->op == IR_READ && n->read.level == IR_PREV;
  if (n->op != IR_READ && n->op != IR_PARAM) return;
  if (start && defect_is_back("flux_rules_of_starts")) return;
  push_symbol(pl, m, n->read.sym);
  if (!defect_is_back("free_step_of_nothing")) push_symbol(pl, m, ir_known_with(pl->from, n->read.sym));
  if (start && pl->use[n->read.sym].previous) push_symbol(pl, m, pl->use[n->read.sym].previous);
}

/* Is what rules make of it made of one of the others, of which rules have not made anything yet? */
static bool follows_from_others(const planner *pl, ir_sym sym, const ir_sym *others, int n) {
  makings m = {.seen = arena_array(pl->memory, bool, pl->from->symbol.n)};
  push_rules(pl, &m, sym);
  while (m.root.n > 0) {
    const ir_reached all = ir_reach(pl->from, &m.root.at[--m.root.n], 1);
    for (int i = 0; i < all.n; i++) push_read(pl, &m, ir_get(pl->from, all.at[i]));
  }
  for (int k = 0; k < n; k++)
    if (others[k] != sym && m.seen[others[k]]) return true;
  return false;
}

/* ---- in turns ------------------------------------------------------------------------------------------------------------ */

static void launch_flux_rules_now(planner *pl, const ir_sym *syms, int n) {
  for (int r = 1; r < pl->from->rule.n; r++)
    if (pl->in->rule_used[r]) launch_flux_rules_of(pl, r, syms, n);
}

static void apply_holds_now(planner *pl, const ir_sym *syms, int n) {
  for (int i = 0; i < n; i++) apply_holds(pl, syms[i], pl->at.stage_at);
}

/* One kernel has computed them all; what rules make of them comes in turns, each behind what it follows from: `flux q = dt` behind the rules of
 * what dt follows from, `add a = b.prev` behind what rules add to b. */
static void in_turns(planner *pl, ir_sym *left, int n_left, bool at_once,
                     void (*act)(planner *pl, const ir_sym *syms, int n)) {
  ir_sym *now = arena_array(pl->memory, ir_sym, n_left + 1),
         *later = arena_array(pl->memory, ir_sym, n_left + 1);
  while (n_left > 0) {
    int n_now = 0, n_later = 0;
    for (int i = 0; i < n_left; i++)
      if (at_once || !follows_from_others(pl, left[i], left, n_left)) now[n_now++] = left[i];
      else later[n_later++] = left[i];
    const int forced = n_now == 0; /* no end: said elsewhere */
    if (forced) now[n_now++] = later[0];
    act(pl, now, n_now);
    n_left = n_later - forced;
    memcpy(left, later + forced, (size_t)n_left * sizeof *left);
  }
}

void launch_rules(planner *pl, const ir_sym *syms, int n) {
  ir_sym *flux = arena_array(pl->memory, ir_sym, n + 1), *held = arena_array(pl->memory, ir_sym, n + 1);
  int n_flux = 0, n_held = 0;
  for (int i = 0; i < n; i++) {
    if (pl->use[syms[i]].flux_rule) flux[n_flux++] = syms[i];
    if (pl->use[syms[i]].held) held[n_held++] = syms[i];
  }
  in_turns(pl, flux, n_flux, defect_is_back("flux_rules_at_once"), launch_flux_rules_now);
  in_turns(pl, held, n_held, defect_is_back("additions_at_once"), apply_holds_now);
}
