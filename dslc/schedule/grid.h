/* Planning on grids: two versions of every value, functions near walls, kernels over points. */
#ifndef DSLC_SCHEDULE_GRID_H
#define DSLC_SCHEDULE_GRID_H

#include "schedule/planner.h"

/* ---- versions.c ---------------------------------------------------------------------------------------------- */

/* Does a rule in use say what `sym` is beyond a wall (IR_GHOST), or on it (IR_FIX)? */
bool has_rule(const planner *pl, ir_sym sym, ir_rule_kind kind);
/* The value at a point of `from`; IR_VERSIONS of both where they differ. IR_NOWHERE: of a global. */
ir_id expand_versions(expander *x, ir_id root, ir_place from);
/* The value with every IR_VERSIONS replaced by its operand number `which`. */
ir_id version_of(planner *pl, ir_id id, int which);
/* Numbers of functions; made on first use. */
int function_of(planner *pl, ir_sym sym, int component, ir_level level);
/* What the rules fix the target to, after an assignment: `fresh`, by symbol, 1 + the number of the function of the first
 * component of what is assigned with it; what a rule reads of those are the new values. */
int function_of_fix(planner *pl, ir_sym target, int component, const int *fresh);
/* The value being assigned, at any point. */
int function_of_value(planner *pl, ir_sym target, int component, ir_id value);

/* ---- behind.c ------------------------------------------------------------------------------------------------ */

/* Does every read of the equation stand at its own point, at its own place? Lines do not count. */
bool is_pointwise(const planner *pl, ir_sym sym);
/* Does the point that is read lie on a face across the axis, straight before or behind the reader, which does not? */
bool is_face_along(const ir_node *n, ir_place from, ir_place to, int axis);
/* Is the quantity known behind a wall across the axis, by a rule or by itself? */
bool known_behind(const planner *pl, ir_sym sym, int axis);
/* Where no rule gives the equation there, does it follow from what it reads? */
bool follows_along(const planner *pl, ir_sym sym, int axis);

/* ---- points.c ------------------------------------------------------------------------------------------------ */

void each_node(planner *pl, const ir_id *values, int n, node_visitor *visit, void *ctx);
/* The value, and near walls what rules fix it to. */
/* Does what some rule fixes depend on the state at other points? */
bool fix_reads(const planner *pl, ir_sym sym);
ir_id fix_value(planner *pl, ir_sym target, int component, ir_id value, const int *fresh);
/* Which of the targets' new values the rules' fixes read: see function_of_fix; NULL if none. */
const int *fresh_values(planner *pl, const pending_list *all);
/* A kernel's outputs take their two versions; its reach. */
void kernel_over_points(planner *pl, plan_kernel *k);
int farthest_shift(const planner *pl, const ir_node *n); /* of a READ along the axes, in points */
int reach_of_outputs(planner *pl, const plan_kernel *k, int first, int n); /* of both versions */
void fix_start_values(planner *pl);                                        /* in the setup */
void finish_grid(planner *pl); /* when all kernels are planned: halo, topology */

/* ---- tables.c ------------------------------------------------------------------------------------------------ */

bool tables_wanted(const planner *pl);            /* by the schedule, and the target can use them */
void choose_table(planner *pl, plan_function *f); /* has it one, or is it as well computed in every call? */
ir_id value_near(planner *pl, int function);      /* at the own point */
/* Replaces what the kernel writes near walls, where that is more than a read, by tables of its own: so it calls nothing, and
 * its work-items are done with these points as soon as with the others. */
void table_outputs(planner *pl, plan_kernel *k);
/* Launches what computes the tables that the kernel's values near walls need and that do not hold them. */
void fill_tables(planner *pl, const plan_kernel *k);
void empty_tables(planner *pl);  /* what they hold is out of date */
void finish_tables(planner *pl); /* when all kernels are planned: which functions share one */
int find_band(planner *pl);      /* and how far from walls each is asked for; of all the farthest */

/* ---- lines.c ------------------------------------------------------------------------------------------------- */

int line_depth(const planner *pl, ir_sym sym);

/* ---- starts.c ------------------------------------------------------------------------------------------------ */

/* Is what equations ask for beyond walls, of the start of the step, known when they do? Reported where it is not. */
bool starts_are_known(planner *pl);
/* Is it, where the quantity is shown after the step? Else `refuse_` reports it. */
bool shown_start_is_known(planner *pl, ir_sym sym);
void refuse_shown_start(planner *pl, ir_sym sym);
/* Would it not be, if a case gave the argument over time? */
bool start_asks_for(planner *pl, ir_sym argument);

/* ---- cycles.c ------------------------------------------------------------------------------------------------ */

void check_across(planner *pl); /* is there a function for all that rules read beyond a second wall? */
void find_cycles(planner *pl); /* functions near walls that need themselves: reported to the sink */
/* How far from their points kernels near walls, and what fills tables, read in the end. */
int depth_near(planner *pl);

/* ---- window_choice.c ------------------------------------------------------------------------------------------- */

/* By symbol: the equations and globals that the update's values read (NULL: no update), and a symbol's (0: none), itself marked; directly
 * or through others, and, if `rules`, through what the rules say: then states and givens are marked too. */
bool *window_reads_of(planner *pl, const ir_stmt *update, ir_sym sym, bool rules);
bool *window_reads_of_value(planner *pl, ir_id value); /* also through what rules say */
bool window_changes(const planner *pl, const ir_stmt *update, ir_sym sym);
/* The equations whose values the update's kernel keeps in rows, producers first. */
typedef VEC(ir_sym) window_choice;
/* With the storage as it would be without a window. */
window_choice window_choose(const planner *pl, const symbol_storage *storage, const ir_stmt *update,
                            const bool *read);
/* Of the update and of what must be stored before it, with these equations in rows of its kernel (NULL: none). */
plan_cost window_cost(const planner *pl, const symbol_storage *storage, const ir_stmt *update,
                      const bool *read, const window_choice *rows);

/* ---- window_reads.c -------------------------------------------------------------------------------------------- */

/* Shifts from the kernel's point, from lo to hi along the columns and the rows. */
typedef struct window_box {
  int lo[2], hi[2];
} window_box;

/* Calls visit for every read of those equations, directly or in functions near walls; by a function: as a place in local memory. */
typedef struct window_search {
  planner *pl;
  const ir_sym *member;
  int n_members;
  void (*visit)(void *ctx, ir_sym sym, const window_box *at, bool by_function);
  void *ctx;
} window_search;
void window_each_read(const window_search *search, const ir_id *value, int n);

/* ---- window_plan.c --------------------------------------------------------------------------------------------- */

/* Chooses what the kernel of the update computes itself; until window_close those equations are read as if they were stored
 * and valid. Nothing happens where none is worth it, or where they cannot be windowed (a note says why). */
void window_open(planner *pl, const ir_stmt *update);
bool window_computes(const planner *pl, ir_sym sym);
/* May a statement, a condition or a requirement join the update? Not where a kernel before the update's would have to compute for it what
 * reads such an equation. */
bool window_takes(planner *pl, const ir_stmt *st);
bool window_takes_value(planner *pl, ir_id value);
/* Is there still a window where the update's kernel computes this beside what it assigns? */
bool window_fits_beside(planner *pl, const pending_list *all, ir_id value);
/* Do these updates, the later ones in the place of earlier ones of the same states, still read all that the window keeps? */
bool window_is_read(planner *pl, const pending_list *all, const pending_list *later);
bool window_reads(planner *pl, ir_sym state);    /* does one of those equations read the state's old value? */
void window_kernel(planner *pl, plan_kernel *k); /* with their values beside its own outputs, in pieces */
int window_reaches(planner *pl,
                   plan_kernel *k); /* of its pieces; how far the kernel looks beyond what it writes */
void window_close(planner *pl);
void window_finish(planner *pl); /* buffers that no kernel fills are not allocated */

#endif
