/* Where equations live: from a module to one value, before any kernel is planned. Each step reads what earlier ones have made, as
 * constants.
 *
 *   uses.c        who reads a quantity from where, and what rules do to it
 *   dependence.c  what its value depends on
 *   beyond.c      what has to have a value of its own beyond a boundary
 *   store.c       which equations get a buffer, and why
 *   rim.c         which of them a step needs at boundaries only
 *   lasting.c     which numbers the setup writes once
 *   precision.c   which numbers lie in memory in single precision */
#ifndef DSLC_SCHEDULE_STORAGE_H
#define DSLC_SCHEDULE_STORAGE_H

#include "lower/lower.h"
#include "schedule/schedule.h"

/* What is planned, and for what. */
typedef struct problem {
  arena *memory;
  intern_pool *names;
  diag_sink *sink;
  const dslc_options *options;
  const schedule *schedule;
  const lowering *low; /* what the module was made with */
  const source_set *sources;
  ir_module *from;
  const bool *rule_used;  /* by rule */
  ir_sym dt, time, stage; /* 0: the scheme has none */
  const ir_sym *hoisted;  /* by node of `from`: the symbol that holds this reduction, or 0 */
  VEC(ir_sym) residuals;  /* globals: reductions in the conditions of repeats */
  bool *circular;         /* by symbol: stored, it would be computed from itself near walls */
  ir_sym *circle;         /* one that planning has found to be so, and begins anew; 0: none */
} problem;

problem problem_of(arena *a, const lowering *low, const dslc_options *options, const source_set *sources,
                   diag_sink *sink);
/* How the schedule wants an equation to be computed, if it can be so. */
form problem_form(const problem *p, ir_sym sym);

/* ---- uses.c -------------------------------------------------------------------------------------------------------- */
ir_sym find_step_size(const ir_module *m); /* dt; 0: the scheme has none */

/* How a symbol is read, and what boundary rules do to it. */
typedef struct symbol_use {
  bool across;       /* read at another point than the user's own */
  bool followed;     /* meshes: beyond a boundary others follow from it */
  bool in_loop;      /* face: read in a cell's loop */
  bool prev;         /* read at level prev */
  bool ghost_rule;   /* some rule in use gives its ghost */
  bool flux_rule;    /* some rule in use replaces it at boundary faces */
  bool in_rule;      /* rules in use at nodes read it */
  bool held;         /* rules in use fix it or add to it at nodes */
  bool named;        /* rules in use that fix states at nodes read it: as it was before the statement */
  int row_of;        /* given by row of a constraint: 1 + its number */
  bool hidden;       /* made by the compiler: not shown to users */
  ir_sym previous;   /* the quantity that keeps its value at the start of the step, 0: none */
  bool once;         /* it is such a quantity: computed when a step begins */
  ir_sym kept;       /* X, of what is X at the start of the step at X's own points; else itself. Beyond walls it lies as X does */
  bool start_beyond; /* grids: it is such a quantity, and somebody may see it beyond walls */
  int readers; /* grids: equations and statements that read it */
} symbol_use;

const symbol_use *uses_find(const problem *p); /* by symbol */

/* The equations and globals that a rule at nodes reads which fixes a state, in its sums over neighbours too. */
typedef VEC(ir_sym) named_list;
named_list named_by(const problem *p, const ir_constraint *c);

/* ---- beyond.c ------------------------------------------------------------------------------------------------------ */

const bool *followed_beyond(const problem *p, const symbol_use *use); /* by symbol */

/* ---- dependence.c ---------------------------------------------------------------------------------------------------- */

/* Of numbers from 0 on, a bit each. */
typedef uint64_t *number_set;
enum { SET_BITS = 64 };
static inline int set_words(int numbers) { return numbers / SET_BITS + 1; }
static inline bool set_has(const uint64_t *set, int number) {
  return set[number / SET_BITS] >> number % SET_BITS & 1;
}

typedef struct dependence {
  VEC(ir_sym) changing; /* states, time, globals, what a case gives over time */
  int *number;          /* by symbol: its place there, -1 */
  number_set *on;       /* by symbol: the places there of what it depends on */
  number_set *beyond;   /* likewise, grids: what its values beyond the boundaries depend on, or more */
  number_set *follower; /* by place there: the symbols that depend on it */
  int *depth;           /* by symbol: of equations, one reading the other */
  ir_sym *order;        /* all symbols, from 1 on, behind those that they read */
  bool *fixed;          /* by symbol: it keeps its value in a run */
  bool *in_fix;         /* by symbol: a rule that fixes states reads it */
  number_set fixes_on;  /* the places there of what follows from in what such rules read */
} dependence;

/* NULL, and a report, if equations refer to each other in too long a chain: the planner follows it by recursion. */
const dependence *dependence_find(const problem *p, const symbol_use *use);
bool depends_on(const dependence *d, ir_sym sym, ir_sym other);
/* Or what rules say of it beyond the walls of a grid does. */
bool depends_on_near_walls(const dependence *d, ir_sym sym, ir_sym other);
/* Does what rules read that fix states depend on it? */
bool dependence_fixes_follow(const dependence *d, ir_sym sym);
/* The symbols that depend on it, as a set; NULL: none. */
const uint64_t *dependence_followers(const dependence *d, ir_sym sym);
/* A global that does not change by itself, as the time step and the conditions of repeats do: only with what it depends on. */
bool follows(const problem *p, ir_sym global);

/* ---- store.c --------------------------------------------------------------------------------------------------------- */

typedef struct symbol_storage {
  bool stored, scatter;
  bool patch; /* stored at boundaries; cells that sum it have it computed by their work-group: see patch.c */
  bool fixed; /* does not change in a run: computed by the setup */
  bool reduces; /* has a loop over neighbours */
  bool placed;  /* it reads where its point lies, itself or in what it reads */
  bool prev;    /* its value at the start of the step is kept, or expanded */
  bool single;  /* its numbers lie in memory in single precision */
  bool rim;     /* boundary rules alone look at it: see rim.c */
  bool lasts,
      ghosts_last; /* in cells: numbers that no step changes, where its formula says them, and where rules do: see lasting.c */
  double cost;
  const char *why;
} symbol_storage;

const symbol_storage *storage_decide(const problem *p, const symbol_use *use, const dependence *d);
/* Do faces add the quantity `sym` into that sum of their cells? See lower_sums. */
bool storage_adds(const ir_module *m, ir_sym sum, ir_sym sym);

/* ---- rim.c ----------------------------------------------------------------------------------------------------------- */

void rim_decide(const problem *p, const dependence *d, symbol_storage *made);

/* ---- lasting.c ------------------------------------------------------------------------------------------------------- */

void lasting_decide(const problem *p, const symbol_use *use, symbol_storage *made);

/* ---- precision.c ----------------------------------------------------------------------------------------------------- */

/* Notes what the schedule stores in single precision. Arithmetic is double everywhere: a read widens, a write rounds. */
void precision_decide(const problem *p, const symbol_use *use, symbol_storage *made);

#endif
