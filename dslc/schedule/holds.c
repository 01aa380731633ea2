/* Constraints (boundary rules at nodes, see lower/constraints.c) in the plan: each has rows of its own, over which a small kernel runs:
 * on the start values, after every assignment and stage of a state at the time that the new value belongs to, before solves, and
 * behind the kernel of an equation. Values come before projections; where two rules give one value, the case's order decides, and
 * the rows of the second say so.
 *
 * Equations and globals that a rule names while it fixes a state are those of the statement: they are stored, computed before it
 * assigns anything, and not again until all its rules have acted. */
#include "base/defects.h"
#include "schedule/nodes.h"

/* ---- what rules name ------------------------------------------------------------------------------------------------------ */

void demand_named(planner *pl, const ir_sym *target, int n) {
  named_list all = {0};
  for (int i = 0; i < pl->from->constraint.n; i++)
    for (int k = 0; k < n; k++) {
      if (pl->from->constraint.at[i].target != target[k]) continue;
      const named_list mine = named_by(pl->in, &pl->from->constraint.at[i]);
      for (int j = 0; j < mine.n; j++) vec_push(pl->memory, &all, mine.at[j]);
    }
  if (!all.n) return;
  demand(pl, NULL, 0); /* dt first: it belongs to the start of the step */
  demand_symbols(pl, all.at, all.n);
}

bool named_depends(const planner *pl, ir_sym target, ir_sym state) {
  for (int i = 0; i < pl->from->constraint.n; i++) {
    if (pl->from->constraint.at[i].target != target) continue;
    const named_list all = named_by(pl->in, &pl->from->constraint.at[i]);
    for (int k = 0; k < all.n; k++)
      if (depends_on(pl->dependence, all.at[k], state)) return true;
  }
  return false;
}

/* While the rule acts what it names counts as computed. Returns what was said of it before. */
static bool *freeze_named(planner *pl, const named_list *all) {
  bool *valid = arena_array(pl->memory, bool, all->n + 1);
  for (int i = 0; i < all->n; i++) valid[i] = pl->now[all->at[i]].valid;
  for (int i = 0; i < all->n; i++) pl->now[all->at[i]].valid = true;
  return valid;
}

/* Sums over neighbours in the rule are of its own time, and of what it finds. */
static void forget_sums(planner *pl, const ir_constraint *h) {
  ir_reached all = ir_reach(pl->from, &h->root, 1);
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(pl->from, all.at[i]);
    if (n->op == IR_READ && ir_symbol_get(pl->from, n->read.sym)->purpose.role == IR_RULE_SUM)
      pl->now[n->read.sym].valid = pl->now[n->read.sym].valid && pl->storage[n->read.sym].fixed;
  }
}

/* ---- launching ------------------------------------------------------------------------------------------------------------ */

static int rows_of(planner *pl, int number) {
  const ir_constraint *h = &pl->from->constraint.at[number];
  int *rows = &pl->made->hold[number].buffer;
  if (*rows >= 0) return *rows;
  const char *text = arena_printf(pl->memory, "%s.%s.node", pl->to->rule.at[h->rule].text,
                                  ir_symbol_get(pl->to, h->target)->text);
  *rows = buffer_add(pl, (dslc_buffer){.name = text,
                                       .kind = DSLC_BUFFER_TOPOLOGY,
                                       .element = DSLC_I32,
                                       .place = DSLC_NODES,
                                       .width = 1,
                                       .source = {.kind = DSLC_SOURCE_ROW_NODE},
                                       .rule = (int)h->rule - 1,
                                       .argument = -1,
                                       .hold = 1 + number});
  return *rows;
}

static bool reads_target(const ir_node *n, ir_sym target) {
  return n->op == IR_READ && n->read.sym == target && n->read.level == IR_NOW;
}

/* Sums over neighbours are of what the rule finds, before any of its rows acts. */
static bool sums_target(const planner *pl, const ir_node *n, ir_sym target) {
  if (n->op != IR_REDUCE || n->reduce.binder == IR_OVER_ALL) return false;
  const ir_reached all = ir_reach(pl->to, ir_args(pl->to, n), n->n_args);
  for (int i = 0; i < all.n; i++)
    if (reads_target(ir_get(pl->to, all.at[i]), target)) return true;
  return false;
}

/* A row must not look at values that other rows change. */
static void refuse_neighbours(planner *pl, int number, const ir_id *values, int n) {
  const ir_constraint *h = &pl->from->constraint.at[number];
  ir_reached all = ir_reach(pl->to, values, n);
  for (int i = 0; i < all.n && !pl->made->hold[number].refused; i++) {
    const ir_node *q = ir_get(pl->to, all.at[i]);
    const bool elsewhere = reads_target(q, h->target) && q->read.at != IR_AT_HERE;
    if (!elsewhere && !sums_target(pl, q, h->target)) continue;
    const char *text = ir_symbol_get(pl->to, h->target)->text;
    diag *d = diag_report(
        pl->in->sink, DIAG_TARGET, h->at,
        "a rule cannot give `%s` from a sum over neighbours that reads both `%s` and its own arguments", text, text);
    diag_with_hint(pl->in->sink, d,
                   "make the sum over neighbours, without the rule's arguments, an equation; or take the arguments out of the sum");
    pl->made->hold[number].refused = true;
  }
}

static ir_id held_value(expander *x, const ir_constraint *h, int k) {
  planner *pl = x->pl;
  ir_id value = expand(x, root_component(pl->from, h->root, k), KEY_HERE);
  if (!h->add) return value;
  return ir_binary(pl->to, IR_ADD, rewrite_read(pl->to, h->target, IR_NOW, IR_AT_HERE, k), value);
}

static void launch_hold(planner *pl, int number) {
  const ir_constraint *h = &pl->from->constraint.at[number];
  const char *rule = pl->to->rule.at[h->rule].text;
  const ir_symbol q = *ir_symbol_get(pl->to, h->target);
  plan_kernel k = kernel_begin(pl, arena_printf(pl->memory, "%s_%s", rule, q.text), IR_NODES, 0);
  kernel_from(pl, &k, h->at);
  k.what = arena_printf(pl->memory, "%s %s by `%s`", h->add ? "add to" : "fix", q.text, rule);
  k.rows = 1 + rows_of(pl, number);
  const named_list named = named_by(pl->in, h);
  const bool *valid = freeze_named(pl, &named);
  forget_sums(pl, h);
  expander x = expander_create(pl);
  x.stage = sees_stages(pl);
  VEC(ir_id) values = {0};
  for (int c = 0; c < q.type.n; c++) {
    vec_push(pl->memory, &values, held_value(&x, h, c));
    kernel_output(pl, &k, PLAN_STORE, buffer_of(pl, h->target, IR_NOW), c, values.at[c]);
  }
  const expander shared = pl->shared;
  if (!defect_is_back("time_in_rule_sums")) pl->shared = x; /* its sums are of the rule's time, too */
  demand(pl, values.at, values.n);
  pl->shared = shared;
  refuse_neighbours(pl, number, values.at, values.n);
  kernel_launch(pl, k, DSLC_HOLD, number, -1);
  for (int i = named.n - 1; i >= 0; i--) pl->now[named.at[i]].valid = valid[i];
}

void apply_holds(planner *pl, ir_sym target, double stage) {
  double before = pl->at.stage_at;
  pl->at.stage_at = defect_is_back("rows_fixed_at_start") ? 0 : stage;
  bool state = ir_symbol_get(pl->to, target)->kind == IR_STATE, valid = pl->now[target].valid;
  pl->now[target].valid = true;        /* of an equation: what the hold changes is there */
  for (int pass = 0; pass < 3; pass++) /* additions, values, projections */
    for (int i = 0; i < pl->from->constraint.n; i++) {
      const ir_constraint *h = &pl->from->constraint.at[i];
      if (h->target != target || pass != (h->add ? 0 : h->projection ? 2 : 1)) continue;
      launch_hold(pl, i);
      invalidate(pl, target);
      if (!state) pl->now[target].valid = true;
    }
  if (state) pl->now[target].valid = valid;
  pl->at.stage_at = before;
}

void publish_holds(planner *pl) {
  int n = pl->from->constraint.n;
  dslc_hold *all = arena_array(pl->memory, dslc_hold, n + 1);
  for (int i = 0; i < n; i++) {
    const ir_constraint *h = &pl->from->constraint.at[i];
    all[i] = (dslc_hold){.rule = (int)h->rule - 1,
                         .target = ir_symbol_get(pl->to, h->target)->text,
                         .field = field_of(pl, h->target),
                         .add = h->add,
                         .projection = h->projection};
  }
  pl->program->model.hold = all;
  pl->program->model.n_holds = n;
}
