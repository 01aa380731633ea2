/* What rules make of what a kernel has computed at all faces or nodes: they give fluxes at their faces, add to equations at their nodes and fix
 * them, each behind what it is made of. */
#include <string.h>

#include "base/defects.h"
#include "schedule/nodes.h"
#include "schedule/planner.h"

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

typedef VEC(rule_turn) turn_list;

/* It has been said, of whatever launch of the quantity. */
static void note_said(planner *pl, rule_turn turn) {
  int n = 0;
  for (int i = 0; i < pl->at.to_say.n; i++) {
    const rule_turn one = pl->at.to_say.at[i];
    if (one.sym != turn.sym || one.rule != turn.rule) pl->at.to_say.at[n++] = one;
  }
  pl->at.to_say.n = n;
}

/* Boundary faces where a rule replaces some of the quantities: all at once, but what it makes of others among them. */
static void launch_flux_rules_of(planner *pl, int rule, const turn_list *turns, bool in_place) {
  plan_kernel k = {0};
  expander x = expander_create(pl);
  x.stage = pl->shared.stage;
  x.rule = in_place ? rule : 0;
  for (int i = 0; i < turns->n; i++) {
    if (turns->at[i].rule != rule) continue;
    const ir_sym sym = turns->at[i].sym;
    const ir_rule_entry *e = flux_entry(pl, rule, sym);
    const ir_symbol q = *ir_symbol_get(pl->to, sym);
    bool apart = false;
    for (int c = 0; c < q.type.n; c++)
      apart = apart || reads_output(pl, &k, expand(&x, root_component(pl->from, e->root, c), KEY_HERE));
    if (apart) launch_flux_rule(pl, &k, rule);
    if (apart || k.output.n == 0)
      k = kernel_begin(pl, arena_printf(pl->memory, "%s_%s", q.text, pl->from->rule.at[rule].text), IR_FACES,
                       sym);
    for (int c = 0; c < q.type.n; c++)
      kernel_output(pl, &k, PLAN_STORE, buffer_of(pl, sym, IR_NOW), c,
                    expand(&x, root_component(pl->from, e->root, c), KEY_HERE));
  }
  if (k.output.n) launch_flux_rule(pl, &k, rule);
  for (int i = 0; i < turns->n; i++)
    if (turns->at[i].rule == rule) note_said(pl, turns->at[i]);
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

/* What waits for none of those that are still to be said. In place: it waits for one of its own launch only as long as it reads buffers. */
static turn_list find_ready(const planner *pl, int first, bool in_place) {
  turn_list ready = {0};
  for (int i = first; i < pl->at.to_say.n; i++) {
    const rule_turn turn = pl->at.to_say.at[i];
    if (in_place && waits_for(pl, turn, false) < first) continue;
    if (defect_is_back("flux_rules_at_once") || waits_for(pl, turn, in_place) < 0)
      vec_push(pl->memory, &ready, turn);
  }
  return ready;
}

/* No order is left: it is said all the same, and where the plan is not sound then, that is refused. */
static turn_list force_one(planner *pl, int first) {
  turn_list forced = {0};
  for (int i = first; i < pl->at.to_say.n && forced.n == 0; i++) {
    const int other = waits_for(pl, pl->at.to_say.at[i], false);
    if (other < first && !defect_is_back("rules_by_whole_quantities")) continue;
    vec_push(pl->memory, &forced, pl->at.to_say.at[i]);
    if (other >= 0) note_forced(pl, pl->at.to_say.at[i], other);
  }
  return forced;
}

/* What rules say of the quantities from `first` on in the list; those before wait for an outer launch, and may have to be said before some of
 * these: that is left to it. */
static void say_in_turns(planner *pl, int first) {
  while (pl->at.to_say.n > first) {
    turn_list now = find_ready(pl, first, false);
    const bool in_place = now.n == 0 && !defect_is_back("rules_read_what_they_say");
    if (in_place) now = find_ready(pl, first, true);
    if (now.n == 0) now = force_one(pl, first);
    if (now.n == 0) return;
    for (int r = 1; r < pl->from->rule.n; r++) launch_flux_rules_of(pl, r, &now, in_place);
  }
}

static void apply_holds_now(planner *pl, const ir_sym *syms, int n) {
  for (int i = 0; i < n; i++) apply_holds(pl, syms[i], pl->at.stage_at);
}

/* One kernel has computed them all; what rules fix and add comes in turns, each behind what it follows from: `add a = b.prev` behind what rules add
 * to b. */
static void hold_in_turns(planner *pl, ir_sym *left, int n_left) {
  const bool at_once = defect_is_back("additions_at_once");
  ir_sym *now = arena_array(pl->memory, ir_sym, n_left + 1),
         *later = arena_array(pl->memory, ir_sym, n_left + 1);
  while (n_left > 0) {
    int n_now = 0, n_later = 0;
    for (int i = 0; i < n_left; i++)
      if (at_once || !follows_from_others(pl, left[i], left, n_left)) now[n_now++] = left[i];
      else later[n_later++] = left[i];
    const int forced = n_now == 0; /* no end: said elsewhere */
    if (forced) now[n_now++] = later[0];
    apply_holds_now(pl, now, n_now);
    n_left = n_later - forced;
    memcpy(left, later + forced, (size_t)n_left * sizeof *left);
  }
}

void launch_rules(planner *pl, const ir_sym *syms, int n) {
  ir_sym *held = arena_array(pl->memory, ir_sym, n + 1);
  const int first = pl->at.to_say.n;
  int n_held = 0;
  for (int i = 0; i < n; i++) {
    for (int r = 1; r < pl->from->rule.n && pl->use[syms[i]].flux_rule; r++)
      if (pl->in->rule_used[r] && flux_entry(pl, r, syms[i]))
        vec_push(pl->memory, &pl->at.to_say, ((rule_turn){syms[i], r}));
    if (pl->use[syms[i]].held) held[n_held++] = syms[i];
  }
  say_in_turns(pl, first);
  hold_in_turns(pl, held, n_held);
}
