/* Planning: from the equations that the last lowering leaves to a plan, by the steps of the table in steps.c. */
#ifndef DSLC_SCHEDULE_STEPS_H
#define DSLC_SCHEDULE_STEPS_H

#include "lower/lower.h"
#include "schedule/plan.h"

typedef struct plan_result {
  plan *plan;
  plan_rebind *rebind;
  int n_rebinds;
} plan_result;

/* NULL plan if something cannot be planned (reported to the sink). The program's memory is `a`. */
plan_result plan_make(arena *a, const lowering *low, const select_report *selects,
                      const dslc_options *options, const source_set *sources, diag_sink *sink);

/* The names of the values that planning makes one after the other, for --dump-after: at most PLAN_MOST_STEPS. */
enum { PLAN_MOST_STEPS = 4 };
int plan_step_names(const char **names);

#endif
