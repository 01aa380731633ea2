/* What versions.c, which expands values, and near.c, which makes functions of them, know of each other. */
#ifndef DSLC_SCHEDULE_NEAR_H
#define DSLC_SCHEDULE_NEAR_H

#include "schedule/planner.h"

/* ---- versions.c ---------------------------------------------------------------------------------------------- */

/* One version of a value: the key says which. */
ir_id expand_version(expander *x, const grid_key *key, ir_id root);
/* Is the quantity computed where it is read near walls, rather than stored? */
bool is_computed_near(const planner *pl, ir_sym sym, ir_level level);
/* Stored where there is gas; beyond walls, where no rule says anything, its own formula holds as for what is not stored. */
bool has_formula_beyond(const planner *pl, ir_sym sym);
/* What a function says is made of states at the start of the step: X.prev, where it is kept too. */
bool is_of_start(const planner *pl, ir_sym sym, ir_level level);
/* What lies beyond walls of X at the start of the step is of that time where equations ask for it, and of its reader's where a rule does that
 * looks back: what is asked for from here on is of the start. Returns what held before, to be put back. */
bool enter_start(planner *pl, bool by_rule, ir_sym sym, ir_level level);
/* What lower/seen_starts.c made of a component of X.prev at X's own place, or 0: computed when the step begins. */
ir_sym kept_of_start(const planner *pl, ir_sym sym, int component);

/* ---- near.c -------------------------------------------------------------------------------------------------- */

/* In which context a function of the quantity is asked for now: a number of the plan's contexts. */
int near_context(planner *pl, ir_sym sym);
/* The function of what a formula behind a wall sees there. */
void function_from_behind(planner *pl, ir_sym sym, int component, ir_level level);
/* Opens beyond several walls what is to be, when no function is being made. */
void open_all_across(planner *pl);

#endif
