/* What a scheme requires: judged by the kernel of an update that makes the last of what it follows from, where that can be, else by kernels of
 * its own at the end of the step; and at the start. */
#include "base/defects.h"
#include "schedule/grid.h"

/* Globals follow, too; but dt belongs to the start of the step. */
static bool follows_from(planner *pl, const ir_reached *read, ir_sym target) {
  for (int i = 0; i < read->n; i++) {
    const ir_node *n = ir_get(pl->from, read->at[i]);
    const bool global =
        n->op == IR_PARAM && n->read.sym != pl->in->dt && !defect_is_back("globals_not_followed");
    if (n->op != IR_READ && !global) continue;
    if (n->read.sym == target || depends_on(pl->dependence, n->read.sym, target)) return true;
  }
  return false;
}

static bool changed_by(planner *pl, const ir_reached *read, const ir_stmt *list, int n) {
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < list[i].assign.n; k++)
      if (follows_from(pl, read, list[i].assign.at[k].target)) return true;
    if (defect_is_back("checks_before_passes")) continue;
    if (list[i].kind == IR_SOLVE && follows_from(pl, read, list[i].unknown)) return true;
    if (changed_by(pl, read, list[i].body.at, list[i].body.n)) return true;
  }
  return false;
}

static bool updated_later(planner *pl, int next, ir_id condition) {
  const ir_reached read = ir_reach(pl->from, &condition, 1);
  return changed_by(pl, &read, pl->at.list + next, pl->at.n_list - next);
}

/* What follows from the time is required of that at the end of the step. */
static bool is_judged_later(const planner *pl, const ir_require *r) {
  return pl->at.stage_at != 1 && !defect_is_back("time_in_requirements") &&
         lower_follows_time(pl->from, r->condition);
}

/* Requirements that can be judged in this kernel, on the new values. What a pass of a repeat leaves is no step's result yet. */
void attach_requirements(planner *pl, plan_kernel *k, expander *x, pending_list *all, int next) {
  if (pl->pass.st && !defect_is_back("require_in_passes")) return;
  for (int i = 0; i < pl->from->require.n; i++) {
    const ir_require *r = &pl->from->require.at[i];
    bool fits = r->place == k->place || (pl->from->on_grid && r->place != IR_NOWHERE);
    if (pl->at.checked[i] || !fits || updated_later(pl, next, r->condition)) continue;
    if (is_judged_later(pl, r)) continue;
    if (any_held(pl, all)) continue; /* it holds for the values that rules give */
    if (!window_takes_value(pl, r->condition)) continue;
    x->place = r->place;
    pl->shared.place = r->place;
    ir_id condition = expand(x, r->condition, KEY_HERE);
    if (sees_old(pl, all, condition, expand(&pl->shared, r->condition, KEY_HERE)) ||
        !window_fits_beside(pl, all, condition))
      continue;
    demand(pl, &condition, 1);
    kernel_output(pl, k, PLAN_CHECK, pl->plan->flags, check_add(pl, r->text, r->place, -1, r->at), condition);
    pl->at.checked[i] = true;
  }
}

static void check_one(planner *pl, const ir_require *r, const char *kernel) {
  pl->shared.place = r->place;
  ir_id condition = expand(&pl->shared, r->condition, KEY_HERE);
  demand(pl, &condition, 1);
  plan_kernel k = kernel_begin(pl, kernel, r->place, 0);
  k.what = arena_printf(pl->memory, "require %s", r->text);
  kernel_output(pl, &k, PLAN_CHECK, pl->plan->flags, check_add(pl, r->text, r->place, -1, r->at), condition);
  if (r->place == IR_NOWHERE) k.local_size = 1;
  kernel_launch(pl, k, DSLC_OWNED, -1, -1);
}

/* They hold at the start too: what a case gives is tested before a step is made of it. */
void require_at_start(planner *pl) {
  for (int i = 0; i < pl->from->require.n; i++) {
    const ir_require *r = &pl->from->require.at[i];
    if (!r->of_step) check_one(pl, r, "check_start");
  }
}

/* Requirements that no update could check: a kernel at the end of the step. */
void require_at_end(planner *pl) {
  for (int i = 0; i < pl->from->require.n; i++) {
    const ir_require *r = &pl->from->require.at[i];
    if (pl->at.checked[i]) continue;
    if (is_judged_later(pl, r)) enter_moment(pl, 1, 0, false);
    check_one(pl, r, "check");
    enter_moment(pl, 0, 0, false);
    pl->at.checked[i] = true;
  }
}
