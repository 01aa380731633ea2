/* What the files of the reference interpreter share. Read in this order:
 *
 *   evaluate.c  one expression at one point: plain recursion over its operands, with a memo for each evaluation
 *   fields.c    the value of a quantity at an entity: what is stored, given, measured, or follows from its equation
 *   mesh.c      what a read on a mesh means: cells, faces, ghosts, nodes, edges
 *   grid.c      points and walls of a grid, and looking along an axis
 *   beyond.c    what a read on a grid means: shifts, and what lies beyond walls
 *   follow.c    which equations lie there at all
 *   fix.c       what rules fix and add
 *   step.c      the statements of a step
 *   solve.c     linear systems
 *   bound.c     which cell, and which part of its formula, gives dt its value
 *   explain.c   what went wrong: the first value that is not finite, and what it was computed from
 *   program.c   what a case sees of the scheme */
#ifndef DSLC_REFERENCE_REFERENCE_H
#define DSLC_REFERENCE_REFERENCE_H

#include <setjmp.h>

#include "dslc_reference.h"
#include "ir/ir.h"
#include "reference/program.h"

/* What a program keeps for the interpreter: dslc_program.equations. */
typedef struct ref_equations {
  ir_module *m;
  source_set *sources;
  const char *path; /* of the scheme itself */
} ref_equations;

/* ---- values --------------------------------------------------------------------------------------------------- */

/* A quantity's values, by part (IR_VALUE or IR_TO_R, IR_DIAGONAL). */
typedef struct ref_field {
  int32_t count; /* entities, ghosts of cells included */
  int n;         /* components */
  double *value; /* [count * n] */
  uint32_t *age; /* [count] of equations and globals: of the environment when it was computed; 0: never */
} ref_field;

/* What lies beyond walls of a grid, as found so far. */
typedef struct ref_ghost {
  uint64_t key[2];
  uint32_t age;
  double *value;
} ref_ghost;

/* Values of the states at one time, and what follows from them. Whoever changes a state or the time makes the environment
 * older: what was computed before has lost its value. */
typedef struct ref_env {
  arena *memory;
  double t;
  uint32_t age;
  ref_field *field; /* [2 * symbol + part]; of states part 0 */
  ref_ghost *ghost; /* hash table */
  uint32_t n_ghosts, ghost_room;
} ref_env;

/* A wall of a grid as a reader meets it: seen across periodic sides its face has other coordinates than the wall itself. */
typedef struct ref_met {
  int32_t wall; /* -1: none */
  int axis;
  int32_t face[3];
  int32_t other[3]; /* beyond other walls too: how far the point lies from this side along the other axes */
} ref_met;

/* ---- where an expression stands ----------------------------------------------------------------------------------- */

typedef enum ref_kind {
  REF_ONCE,
  REF_CELL, /* or beyond a boundary: at a ghost */
  REF_FACE,
  REF_NODE,
  REF_EDGE,
  REF_CELL_FACE, /* a cell's loop over its faces */
  REF_NODE_EDGE, /* a node's loop over its edges */
  REF_WALL,      /* a rule at a boundary face of a mesh */
  REF_ROW,       /* a rule at a node */
  REF_POINT,     /* a point of a grid */
  REF_GRID_WALL  /* a rule at a wall of a grid */
} ref_kind;

typedef struct ref_stand {
  ref_kind kind;
  ir_place place;
  int32_t at;   /* cell, face, node, edge; wall of a grid */
  int32_t slot; /* loops: the face or edge */
  bool fixes;   /* a state: `t` and arguments are those of the value that is assigned */
  bool in_row;  /* REF_ROW, and loops within it: */
  int hold;     /* number of the hold */
  int32_t row;  /* and row */
  int32_t p[3]; /* REF_POINT: the point; REF_GRID_WALL: the point that the rule speaks of */
  ref_met
      met; /* REF_POINT: the wall behind which the point lies, as its reader sees it; REF_GRID_WALL: the rule's */
  int deep;     /* REF_GRID_WALL: how many points of its place lie between it and the wall */
  bool on_wall; /* REF_GRID_WALL: [inner] of what lies on the wall is the point on it */
} ref_stand;

/* What is being evaluated, and what for. */
typedef struct ref_trail {
  const char *what; /* "`q`", "the new value of `h`" */
  span at;
  ir_place place;
  int32_t entity;
  const struct ref_trail *outer;
} ref_trail;

/* ---- the interpreter -------------------------------------------------------------------------------------------- */

/* Memory of one evaluation: evaluations nest. */
typedef struct ref_scratch {
  uint32_t *round; /* by node: of the evaluation in which it was computed */
  double *value;   /* by node, from first[node] */
  uint32_t now;
} ref_scratch;

/* A hold of the program: what a rule does at nodes. */
typedef struct ref_hold {
  uint32_t rule;
  const ir_rule_entry *entry;
  bool projection;
  dslc_ref_rows rows;
  int32_t *first, *next; /* by node: its first row, -1: none; by row: the next of the same node */
  double **argument;     /* by number of the rule's arguments: values by row at time argument_t */
  double *argument_t;
} ref_hold;

/* What a state is being fixed to on a grid. */
typedef struct ref_fixing {
  const double **value; /* by number of rules behind one another and point; NULL: not known yet */
} ref_fixing;

enum { REF_DEEPEST = 800 }; /* evaluations within evaluations */

/* What the scheme is executed on. */
typedef struct ref_world {
  const dslc_program *program;
  const dslc_ref_domain *d;
  const dslc_ref_mesh *mesh;
  const dslc_ref_grid *grid;
  int32_t count[IR_PLACE_COUNT]; /* entities by place, without ghosts */
  int32_t *edge_first;
  double *edge_vector; /* from first to second node, the short way; NULL: not asked for yet */
} ref_world;

/* How a call ends that does not succeed. */
typedef struct ref_end {
  jmp_buf recovery; /* a fault, or no memory, comes back here */
  dslc_ref_status status;
  const char *message;
  dslc_place where;
  int32_t entity;
} ref_end;

typedef struct ref_step_size {
  ir_sym dt;                    /* 0: steps take no time */
  double begin;                 /* the time at which the step begins */
  double dt_value, bound, most; /* of the step; as the scheme says; the most that the case lets it be */
  bool asked;                   /* dt is being computed */
} ref_step_size;

/* The evaluations that are under way, one within another. */
typedef struct ref_work {
  size_t *first; /* by node: of its components among those of all nodes */
  size_t n_components;
  ref_scratch **scratch; /* by depth */
  int depth, deepest;
  int across;             /* a rule is reading what lies beyond other walls */
  struct ref_env *reader; /* and there X.prev: t, arguments and globals are of these; or NULL */
  const ref_trail *trail; /* what is being evaluated, for messages */
  bool wants_nan,
      tracing; /* explaining why a value is not finite: looking for where NaN, or infinity, comes from */
} ref_work;

/* What boundary rules need. */
typedef struct ref_rules {
  int n_holds;
  ref_hold *hold;
  double **argument; /* by symbol: at faces or walls, at time argument_t */
  double *argument_t;
  unsigned char *turns; /* by state: see fix.c; NULL: not asked for yet */
  char *
      beyond; /* by quantity of a grid: 1 some rule gives it beyond walls, 2 none does, 0 not asked for yet */
  char *follows;      /* the same of its formula, by quantity and axis: 3 each */
  ref_fixing *fixing; /* by state; NULL: nothing is being fixed */
  ref_env *
      before; /* while a statement assigns: what is named in rules that fix states follows from it; NULL: nothing is */
  ref_env *
      found; /* while a rule acts in several layers at nodes: what it found, for its sums over neighbours; NULL: as it is now */
  int rules_behind; /* fixing: how many rules may stand behind one another in what is read now, see fix.c */
  double fix_t;     /* when the value holds that is being assigned */
} ref_rules;

struct dslc_reference {
  const ref_equations *from;
  const ir_module *m;
  arena *memory, *step_memory;
  ref_world world;
  ref_end end;
  ref_step_size size;
  ref_work work;
  ref_rules rules;
  ref_env now, prev, *old;
  ref_field *fixed; /* by symbol: parameters, geometry, integrals, givens; value NULL: not asked for yet */
  double *given_t;  /* by symbol: when the values of a given over time hold */
};

/* Ends the call: never returns. */
void ref_fail(dslc_reference *r, dslc_ref_status status, const char *fmt, ...)
    __attribute__((format(printf, 3, 4), noreturn));
void ref_fault(dslc_reference *r, ir_place place, int32_t entity, const char *fmt, ...)
    __attribute__((format(printf, 4, 5), noreturn));

/* evaluate.c */
void ref_evaluate(dslc_reference *r, ref_env *env, const ref_stand *at, ir_id root, double *out);
double ref_number(dslc_reference *r, ref_env *env, const ref_stand *at, ir_id root); /* of one component */
ref_env *ref_env_named(dslc_reference *r, ref_env *env, const ref_stand *at, ir_sym sym);

/* A reduction over all runs over it. */
bool ref_counts(const dslc_reference *r, const ir_node *n, int32_t entity);

/* fields.c */
void ref_make_fields(dslc_reference *r);
void ref_make_env(dslc_reference *r, ref_env *env, arena *memory);
static inline void ref_changed(ref_env *env) { env->age++; }
ref_field *ref_field_of(ref_env *env, ir_sym sym, int part);
/* The value of a stored or computed quantity at an entity of its own place that is there. */
const double *ref_value(dslc_reference *r, ref_env *env, ir_sym sym, int part, int32_t entity);
double ref_time(const dslc_reference *r, const ref_env *env, const ref_stand *at);
bool ref_is_of_reader(const dslc_reference *r,
                      const ref_env *env); /* values of before, by rules at the time of their reader */
double ref_env_time(const dslc_reference *r, const ref_env *env);
const double *ref_constant(dslc_reference *r, double t, ir_sym sym,
                           int32_t entity); /* geometry, integrals, givens at that time */
void ref_param(dslc_reference *r, ref_env *env, const ref_stand *at, const ir_node *n, double *out);
ref_stand ref_stand_at(const dslc_reference *r, ir_place place, int32_t entity);
bool ref_is_there(const dslc_reference *r, ir_place place,
                  int32_t entity); /* of a grid: touches an active cell */
const ir_rule_entry *ref_entry(const dslc_reference *r, int rule, ir_rule_kind kind, ir_sym target);

/* mesh.c, beyond.c: a READ as seen from where it stands. */
void ref_read_mesh(dslc_reference *r, ref_env *env, const ref_stand *at, const ir_node *n, double *out);
void ref_read_grid(dslc_reference *r, ref_env *env, const ref_stand *at, const ir_node *n, double *out);
ref_env *ref_env_of(dslc_reference *r, ref_env *env, ir_level level);

/* follow.c. Beyond walls of a grid: is it known there, by some rule or as it follows; does an equation follow there by its formula, behind a
 * wall across that axis? */
bool ref_is_beyond(dslc_reference *r, ir_sym sym);
bool ref_follows_beyond(dslc_reference *r, ir_sym sym, int axis);

/* grid.c */
bool ref_staggered(ir_place place, int axis);
int32_t ref_extent(const dslc_reference *r, ir_place place, int axis);
void ref_point_at(const dslc_reference *r, ir_place place, int32_t entity, int32_t p[3]);
int32_t ref_point_number(const dslc_reference *r, ir_place place,
                         const int32_t p[3]); /* wraps periodic axes; -1: outside */
bool ref_touches_active(const dslc_reference *r, ir_place place, const int32_t p[3]);
int32_t ref_halves(ir_place place, const int32_t p[3], int axis); /* twice the coordinate, in cells */
/* The walls beside which the point of a REF_GRID_WALL lies and which have its rule: 1, 2 or 4, where there are fewer some of them again; of a point on
 * the wall, which is fixed, the wall itself. */
int ref_walls_beside(const dslc_reference *r, const ref_stand *at, int32_t wall[4]);
int32_t ref_wall_at(const dslc_reference *r, int axis, const int32_t face[3]); /* -1: none */
/* The first wall on the way from a point to another one, which differs along one axis only. */
ref_met ref_look(const dslc_reference *r, ir_place from, const int32_t p[3], ir_place to, const int32_t q[3],
                 int axis);
/* The walls on which a point lies, at most 12. */
int ref_walls_on(const dslc_reference *r, ir_place place, const int32_t p[3], ref_met wall[12]);

/* fix.c */
void ref_make_holds(dslc_reference *r);
/* What rules make of an equation's value. Returns whether they give it without regard to the formula. */
bool ref_is_given_by_rule(dslc_reference *r, ref_env *env, ir_sym sym, int32_t entity, double *out);
void ref_rules_at_node(dslc_reference *r, ref_env *env, ir_sym sym, int32_t node, double *value);
/* To be called before a statement assigns anything. */
void ref_begin_assigning(dslc_reference *r);
/* What rules fix in the states that a statement has assigned, at the time that the values belong to. */
void ref_fix_states(dslc_reference *r, const ir_sym *state, int n, double t);
bool ref_is_held(const dslc_reference *r, ir_sym state, int32_t node); /* a rule gives the value there */
bool ref_wall_fixes(const dslc_reference *r, ir_sym sym,
                    int32_t entity); /* of a grid: some wall there does */
/* Does a rule that fixes states read this one, which some rule fixes too? */
bool ref_rules_ask_in_turn(dslc_reference *r, ir_sym sym);
/* While states are being fixed: what a rule reads of one. */
const double *ref_fixed_point(dslc_reference *r, ir_sym sym, int32_t entity);

/* step.c */
ref_env *ref_copy_states(dslc_reference *r); /* of the present values, in the step's memory */
void ref_step(dslc_reference *r, dslc_ref_step *step);
/* Before the first step those that do not speak of one. */
void ref_check_requirements(dslc_reference *r, bool at_start);
void ref_keep_states(dslc_reference *r,
                     ref_env *env); /* the present values become those of another environment */

/* solve.c */
void ref_solve(dslc_reference *r, const ir_stmt *st);

/* bound.c */
void ref_find_bound(dslc_reference *r, double t, dslc_ref_bound *out);

/* explain.c */
/* Describes why the value is not finite, and ends the call. */
void ref_explain(dslc_reference *r, ref_env *env, const ref_stand *at, ir_id root, const char *what,
                 span where) __attribute__((noreturn));
void ref_explain_false(dslc_reference *r, ref_env *env, const ref_stand *at, const ir_require *q)
    __attribute__((noreturn));
const char *ref_formula_text(dslc_reference *r, ir_id id);         /* lives as long as the interpreter */
const char *ref_index_text(dslc_reference *r, const int32_t p[3]); /* "2,-1": as many as the grid has axes */
int ref_line(const dslc_reference *r, span at);
/* "line 17", and of which file where it is not the scheme's own. */
const char *ref_line_text(dslc_reference *r, span at);
/* Looks at every value while tracing: where the first that is not finite comes from ends the call. */
void ref_look_at(dslc_reference *r, ir_id id, const double *value, const double *const *arg);

#endif
