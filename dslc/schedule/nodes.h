/* What the planner's files for nodes and edges share.
 *
 *   holds.c      boundary rules at nodes: values held, projections, additions
 *   matrices.c   linear systems as equations at edges and nodes
 *   symmetry.c   what is the same from both ends of an edge
 *   previous.c   X.prev of equations, computed when a step begins
 *   edges.c      how what never changes at edges lies in memory
 *   constants.c  what never changes at edges, stored where that leaves less to read
 *
 * Whatever can be said as an equation is: the rest of the planner then stores, orders and shares it like any other. */
#ifndef DSLC_SCHEDULE_NODES_H
#define DSLC_SCHEDULE_NODES_H

#include "schedule/planner.h"

/* ---- holds.c ------------------------------------------------------------------------------------------------------- */
/* Launches what rules do to the target, in the position `stage` of the step (0 its start, 1 its end). */
void apply_holds(planner *pl, ir_sym target, double stage);
void publish_holds(planner *pl);
/* What rules name that fix these states: computed before a statement assigns them. */
void demand_named(planner *pl, const ir_sym *target, int n);
bool named_depends(const planner *pl, ir_sym target, ir_sym state); /* does it follow from the state? */

/* ---- matrices.c ------------------------------------------------------------------------------------------------------ */
void plan_solve(planner *pl, const ir_stmt *st);

/* ---- symmetry.c ----------------------------------------------------------------------------------------------------- */
/* Of an equation or matrix at edges: the same value from both ends? false: not proved. */
bool is_proved_symmetric(planner *pl, ir_sym sym);
/* Of a matrix: is its diagonal minus the sum of the row's other entries? false: not proved. */
bool is_proved_row_sum(planner *pl, ir_sym matrix);

/* ---- edges.c --------------------------------------------------------------------------------------------------------- */
bool place_at_edges(planner *pl,
                    ir_sym sym);  /* gives it a place as the schedule says; false: one of its own */
void copy_integrals(planner *pl); /* in the setup, to where kernels read them */

/* ---- constants.c ------------------------------------------------------------------------------------------------------ */
void use_what_is_read(planner *pl, plan_kernel *k); /* instead of such values that its other reads make up */

#endif
