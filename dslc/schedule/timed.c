/* Time goes on within a step: what has been computed from t, or from what a case gives over time, has lost its value. */
#include "schedule/planner.h"

static bool is_given_over_time(const ir_symbol *q) {
  return q->purpose.role != IR_LATE && (q->kind == IR_RULE_ARGUMENT || (q->kind == IR_GIVEN && q->over_time));
}

static bool follows_time(const planner *pl, ir_id root) {
  if (pl->in->time && rewrite_reads(pl->from, root, pl->in->time)) return true;
  for (int s = 1; s < pl->from->symbol.n; s++)
    if (is_given_over_time(ir_symbol_get(pl->from, (ir_sym)s)) && rewrite_reads(pl->from, root, (ir_sym)s))
      return true;
  return false;
}

static void forget_ghosts(planner *pl) {
  for (int r = 1; r < pl->from->rule.n; r++)
    for (int i = 0; pl->in->rule_used[r] && i < pl->from->rule.at[r].entry.n; i++) {
      const ir_rule_entry *e = &pl->from->rule.at[r].entry.at[i];
      if (e->kind == IR_GHOST && pl->now[e->target].ghosts_valid && follows_time(pl, e->root))
        pl->now[e->target].ghosts_valid = false;
    }
}

void invalidate_timed(planner *pl) {
  if (pl->in->time) invalidate(pl, pl->in->time);
  for (int s = 1; s < pl->from->symbol.n; s++)
    if (is_given_over_time(ir_symbol_get(pl->from, (ir_sym)s))) invalidate(pl, (ir_sym)s);
  forget_ghosts(pl);
}
