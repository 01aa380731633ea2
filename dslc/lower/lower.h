/* Lowerings: scheme IR to scheme IR, one file each. They say as equations what a schedule would otherwise have to know of statements
 * and rules: stages of integrators, values at the start of a step, linear systems with their constraints, what never changes, sums
 * that deserve a buffer. The planner behind them only decides where equations live and in which kernels they are computed.
 *
 * A lowering adds symbols and nodes to the module that it is given, and redirects roots; nodes keep their numbers. What the planner
 * must know of a symbol stands in its role (ir_role), so it is printed, parsed and verified like the rest. */
#ifndef DSLC_LOWER_LOWER_H
#define DSLC_LOWER_LOWER_H

#include "ir/ir.h"
#include "schedule/schedule.h"

enum { DEEPEST = 4000 }; /* chain of equations, one reading the other */

/* What lowerings read besides the module, and what they say to people. */
typedef struct lowering {
  ir_module *m;
  const schedule *schedule;
  const bool *rule_used; /* by rule */
  bool periodic;         /* the mesh has periodic faces */
  form
      faces; /* how cells get what they sum over faces, where an equation says nothing itself: see lower/sums.c */
  int n_timed;
  const char *const
      *timed; /* arguments that will depend on time besides those declared so, see dslc_options */
  VEC(dslc_note) note;
} lowering;

/* The rules that the options name, by rule. */
const bool *lower_rules_used(const ir_module *m, const dslc_options *options);

/* All of them in order, with their names: what `--dump-after` takes. */
typedef struct lower_step {
  const char *name;
  void (*run)(lowering *l);
} lower_step;
const lower_step *lower_steps(int *n);

void lower_idle_ghosts(lowering *l); /* meshes: what a rule says beyond its faces where nobody looks */
void lower_neighbours(lowering *l);  /* centres of neighbours on periodic meshes */
void lower_integrators(lowering *l); /* slopes and stages of Runge-Kutta methods; the time of a stage */
void lower_timed(
    lowering *l); /* what a case gives over time, in rules on grids; intervals that are no part of dt */
void lower_constraints(lowering *l); /* rules at nodes: ir_module.constraint */
void lower_systems(lowering *l);     /* solve: entries, diagonal and right-hand side as equations */
void lower_seam_centres(
    lowering *l); /* grids: centres in what rules fix other points to, across periodic sides */
void lower_own_centres(lowering *l); /* grids: centres behind periodic sides, as points have them */
void lower_seen_starts(lowering *l); /* grids: X.prev as seen beyond walls, where that is of another time */
void lower_step_starts(lowering *l); /* X.prev of equations */
void lower_row_starts(lowering *l);  /* the same for the rows of windows */
void lower_sources(
    lowering *l); /* what the mesh gives at edges, as the runtime puts it and as kernels read it */
void lower_invariants(lowering *l);  /* what never changes inside sums over neighbours */
void lower_reciprocals(lowering *l); /* of what depends on one axis of a grid only */
void lower_sums(lowering *l);        /* reductions with a symbol of their own; decides `faces` */
void lower_residuals(lowering *l);   /* the reductions of the conditions of repeats */

/* ---- what they share ------------------------------------------------------------------------------------------ */

void lower_note(lowering *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Does a rule in use give the symbol's value in that way? */
bool lower_has_rule(const lowering *l, ir_sym sym, ir_rule_kind kind);
/* `text`, or `text2`, `text3`, ... where there is a symbol of that name. */
name lower_fresh_name(ir_module *m, const char *text);
/* Symbols that lowerings have made to be stored: numbers of the next ones continue theirs. */
int lower_count(const ir_module *m);
/* Does a formula follow from the time, or from what a case may give over time; also by what rules say beyond boundaries that it looks across? */
bool lower_follows_time(const ir_module *m, ir_id root);
/* Time, where the module has it, and what lowerings have made of it: 0 if there is none. */
ir_sym lower_time(const ir_module *m);
ir_sym lower_stage_time(const ir_module *m);
void lower_need_stage_time(ir_module *m);

/* Does the equation sum over neighbours, itself or in what it reads? */
bool lower_sums_up(const ir_module *m, ir_sym sym);

/* Is it read at another point than its reader's own? On grids a shift may be none, which from another place leads half a cell on.
 * `readers`: ir_reader_places. */
bool lower_moves(const ir_module *m, const unsigned *readers, ir_id read);
/* By symbol: it is read at another point than the reader's own, or, an equation, by one that is. */
const bool *lower_read_elsewhere(const ir_module *m);

/* Equations that are read at the start of the step. */
typedef struct reads_back {
  bool *seen; /* by symbol */
  VEC(ir_sym) sym;
} reads_back;
reads_back reads_back_find(const ir_module *m);
void reads_back_follow(const ir_module *m, reads_back *r, ir_sym sym); /* and those that this one reads */

/* Operations at one point with all that is expanded into it, each equation counted once. `loaded`: by symbol, those that are read
 * instead, or NULL. */
double lower_deep_cost(const ir_module *m, ir_sym sym, const bool *loaded);
/* How a quantity at faces is evaluated, and why; in_loop: cells sum it over their faces. Behind lower_sums. */
form lower_face_form(const lowering *l, ir_sym sym, bool in_loop, const char **why);

/* Is the target's value given or changed by a constraint? values_only: given, whatever it was. */
bool ir_is_constrained(const ir_module *m, ir_sym target, bool values_only);
bool ir_is_projected(const ir_module *m, ir_sym target);

/* ---- integrators.c -------------------------------------------------------------------------------------------- */

enum { MAX_STAGES = 4 };

/* Butcher's: slope i is the rate of x + dt*sum(a[i][j]*slope j) at t + c[i]*dt; the step adds dt*sum(b[i]*slope i). */
typedef struct tableau {
  const char *name;
  int stages;
  double a[MAX_STAGES][MAX_STAGES], b[MAX_STAGES], c[MAX_STAGES];
} tableau;
const tableau *lower_tableau(const char *method);
ir_sym lower_slope(ir_module *m, ir_sym state, int stage);       /* from 0 */
ir_sym lower_stage_value(ir_module *m, ir_sym state, int stage); /* what stage + 1 begins with */
/* When all holds that a statement other than `integrate` reads, in steps from the step's start. */
double lower_moment(const ir_module *m, const ir_stmt *st);
/* Where the same equations are integrated in turn, as split operators are, each goes on in time where the one before has left off: where
 * in the step that is, in steps, or, where `over` is no part of dt, in intervals; -1 if these are of different kinds. */
double lower_start_of(const ir_module *m, const ir_stmt *list, int index);

/* ---- timed.c ------------------------------------------------------------------------------------------------------ */

bool lower_is_timed(const lowering *l,
                    ir_sym sym); /* an argument or given that the case gives over time, or may */
/* The same `ahead` steps (or intervals) behind the step's start, where rules on a grid fix states; itself if there is none. */
ir_sym lower_late(const ir_module *m, ir_sym sym, double ahead);
bool lower_reads_late(const ir_module *m, ir_id root); /* such, or t */
/* May a case give the argument as a function of time? Not where a kernel on a grid reads it at two times but was not told so. */
bool lower_may_be_timed(const lowering *l, ir_sym argument);

/* ---- seam_centres.c ------------------------------------------------------------------------------------------------ */

/* Does a rule on a grid fix a state to what it reads of states inside? */
bool lower_fixes_to_states(const ir_module *m, const bool *rule_used);

/* ---- own_centres.c ------------------------------------------------------------------------------------------------ */

/* Of xc, yc or zc; 0: none, the grid is not periodic. */
ir_sym lower_own_centre(const ir_module *m, ir_sym centre);

/* ---- seen_starts.c ------------------------------------------------------------------------------------------------ */

/* Does what somebody sees of an `X.prev` beyond walls depend on the argument? */
bool lower_sees_start(const lowering *l, ir_sym argument);
/* Does the quantity, itself or by what rules say beyond walls of all that it is made of? */
bool lower_depends_on(const lowering *l, ir_sym sym, ir_sym argument);
/* Does it depend on what is of now while the step goes on, itself or by rules: `of` some of these kinds? */
typedef enum lower_now {
  LOWER_TIME = 1,    /* t */
  LOWER_CASE = 2,    /* what a case gives over time */
  LOWER_VALUES = 4,  /* globals, states of one value */
  LOWER_CENTRES = 8, /* of cells, where a side is periodic */
  LOWER_NOW = 15     /* any */
} lower_now;
bool lower_depends_on_now(const lowering *l, ir_sym sym, unsigned of);

/* ---- rewrite.c ------------------------------------------------------------------------------------------------ */
/* The leaf or node that takes the place of `id`, 0: its own copy. */
typedef ir_id rewrite_leaf(void *ctx, ir_module *m, ir_id id);
ir_id rewrite_value(ir_module *m, ir_id root, rewrite_leaf *leaf, void *ctx);
/* Component `k` of a symbol. */
ir_id rewrite_read(ir_module *m, ir_sym sym, ir_level level, ir_at at, int k);
/* Does the value read the symbol, itself or through equations? */
bool rewrite_reads(const ir_module *m, ir_id root, ir_sym sym);

#endif
