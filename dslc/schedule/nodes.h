/* What the planner's files for nodes and edges share.
 *
 *   rewrite.c    copies of values with other leaves
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

/* ---- rewrite.c ------------------------------------------------------------------------------------------------ */
/* The leaf or node that takes the place of `id`, 0: its own copy. */
typedef ir_id rewrite_leaf(void *ctx, ir_module *m, ir_id id);
ir_id rewrite_value(ir_module *m, ir_id root, rewrite_leaf *leaf, void *ctx);
/* Component `k` of a symbol. */
ir_id rewrite_read(ir_module *m, ir_sym sym, ir_level level, ir_at at, int k);
/* Does the value read the symbol, itself or through equations? */
bool rewrite_reads(const ir_module *m, ir_id root, ir_sym sym);

/* ---- holds.c: the first two before planner.sym exists -------------------------------------------------------------- */
void prepare_holds(planner *pl);
bool is_held(const planner *pl, ir_sym target, bool values_only);
bool is_projected(const planner *pl, ir_sym target);
void mark_holds(planner *pl); /* in planner.sym */
/* Launches what rules do to the target, in the position `stage` of the step (0 its start, 1 its end). */
void apply_holds(planner *pl, ir_sym target, double stage);
void publish_holds(planner *pl);

/* ---- matrices.c ------------------------------------------------------------------------------------------------------ */
void prepare_systems(planner *pl); /* before planner.sym exists */
void plan_solve(planner *pl, const ir_stmt *st);

/* ---- symmetry.c ----------------------------------------------------------------------------------------------------- */
/* Of an equation or matrix at edges: the same value from both ends? false: not proved. */
bool is_proved_symmetric(planner *pl, ir_sym sym);

/* ---- edges.c --------------------------------------------------------------------------------------------------------- */
void prepare_edges(planner *pl); /* before planner.sym exists */
bool place_at_edges(planner *pl,
                    ir_sym sym);  /* gives it a place as the schedule says; false: one of its own */
void copy_integrals(planner *pl); /* in the setup, to where kernels read them */

/* ---- constants.c ------------------------------------------------------------------------------------------------------ */
void find_constants(planner *pl);                   /* hoists; before planner.sym exists */
void use_what_is_read(planner *pl, plan_kernel *k); /* instead of such values that its other reads make up */

#endif
