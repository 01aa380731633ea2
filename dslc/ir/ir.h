/* The intermediate representation: equations as one hash-consed DAG.
 *
 * All equations of a scheme share one table of nodes. A node's operands always have smaller numbers than the node
 * (so every pass is a loop over the table, never a recursion), and two nodes with the same operator, type, operands
 * and attributes are one node: common subexpressions are shared from the moment they are built, and expanding
 * functions and equations never multiplies the size.
 *
 * A READ is an access relation: which field, at which time level, at which index relative to the point at which the
 * equation is evaluated. Accesses are nowhere else: races, halos, ghosts and traffic all derive from the READs.
 *
 * A module is text too (ir_print, ir_parse): a pass is tested as text in, text out. Passes take a module and return
 * a new one in the same arena (pass/pass.h). Numbering starts at 1; id 0 is "none". */
#ifndef DSLC_IR_IR_H
#define DSLC_IR_IR_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/intern.h"
#include "base/source.h"

typedef uint32_t ir_id;

enum { IR_MOST_ARGS = 255 }; /* operands of one node */

typedef enum ir_op {
#define OP(id, text, arity, type, unit, cl, c, flops) IR_##id,
#include "ir/ops.def"
#undef OP
  IR_OP_COUNT
} ir_op;

typedef enum ir_type_rule {
  IR_TYPE_OWN,
  IR_TYPE_SAME,
  IR_TYPE_SCALE,
  IR_TYPE_RATIO,
  IR_TYPE_REAL,
  IR_TYPE_ORDER,
  IR_TYPE_EQUAL,
  IR_TYPE_LOGIC,
  IR_TYPE_CHOICE
} ir_type_rule;
typedef enum ir_unit_rule {
  IR_UNIT_OWN,
  IR_UNIT_SAME,
  IR_UNIT_PRODUCT,
  IR_UNIT_QUOTIENT,
  IR_UNIT_POWER,
  IR_UNIT_ROOT,
  IR_UNIT_CUBE,
  IR_UNIT_NONE,
  IR_UNIT_KEEP,
  IR_UNIT_COMPARE,
  IR_UNIT_CHOICE
} ir_unit_rule;

typedef struct ir_op_info {
  const char *text;
  int arity; /* -1: any */
  ir_type_rule type;
  ir_unit_rule unit;
  const char *opencl, *c;
  int flops;
} ir_op_info;

const ir_op_info *ir_op_get(ir_op op);
bool ir_op_find_function(const char *text, ir_op *op); /* a function of the language by its name */

/* ---- places and accesses -------------------------------------------------------------------------------- */

typedef enum ir_place {
  IR_NOWHERE, /* one value: parameters and globals */
  IR_CELLS,
  IR_FACES,
  IR_NODES,
  IR_EDGES,
  IR_XFACES, /* of a grid */
  IR_YFACES,
  IR_ZFACES,
  IR_XEDGES, /* of a 3D grid, along the axis: low in the two others */
  IR_YEDGES,
  IR_ZEDGES,
  IR_CORNERS,
  IR_XLINE, /* one value per column of cells of a grid: dx, xc */
  IR_YLINE,
  IR_ZLINE,
  IR_NEAR_WALLS, /* of a plan only: the points near walls */
  IR_PLACE_COUNT
} ir_place;

const char *ir_place_text(ir_place p);
const char *ir_axes_text(arena *a, unsigned axes); /* bits: "xz"; NULL: none */

/* On a grid: do points of the place lie between two cells along the axis (0 to 2), so on boundaries across it too? */
static inline bool ir_place_on_faces(ir_place p, int axis) {
  const bool edges = p >= IR_XEDGES && p <= IR_ZEDGES;
  return p == IR_CORNERS || (edges ? (int)p - (int)IR_XEDGES != axis : (int)p - (int)IR_XFACES == axis);
}

/* Where a READ stands relative to the point of evaluation. */
typedef enum ir_at {
  IR_AT_HERE,   /* the point itself: c, f, I, e */
  IR_AT_L,      /* from a face: the cell on its left */
  IR_AT_R,      /*              the cell (or ghost) on its right */
  IR_AT_F,      /* in a cell's loop over its faces: the face, as stored */
  IR_AT_OUT,    /* the same face as seen from the cell, outwards: fluxes and fluctuations */
  IR_AT_D,      /* in that loop: the cell (or ghost) across */
  IR_AT_I,      /* from an edge: its first node */
  IR_AT_J,      /* its second node; in a node's loop over neighbours: the neighbour */
  IR_AT_E,      /* in that loop: the edge from the node to the neighbour */
  IR_AT_SHIFT,  /* on a grid: shifted by off[] */
  IR_AT_INNER,  /* in a grid's boundary rule: the nearest point inside */
  IR_AT_MIRROR, /* the mirror image of the ghost point */
  IR_AT_NEAR, /* in plans for grids: as SHIFT, boundary rules observed, as seen from a point of place `from`; from
                 * IR_NOWHERE: the same ghost point, along the same path */
  IR_AT_COUNT
} ir_at;

const char *ir_at_text(ir_at at);

typedef enum ir_level {
  IR_NOW,
  IR_PREV, /* start of the step */
  IR_OLD,  /* start of the pass of a repeat */
  IR_NEW,  /* inside an update: the value being assigned by the same statement (rules `fix`, require after) */
  IR_BEGIN, /* in plans: what the stages of an integrator began with */
  IR_LEVEL_COUNT
} ir_level;

typedef enum ir_binder {
  IR_OVER_FACES, /* the faces of a cell */
  IR_OVER_NEAR,  /* the neighbours of a node */
  IR_OVER_ALL    /* every entity of a place (in a global), optionally of one boundary rule */
} ir_binder;

typedef enum ir_reduce { IR_SUM, IR_REDUCE_MIN, IR_REDUCE_MAX } ir_reduce;

/* ---- types and nodes -------------------------------------------------------------------------------------- */

typedef enum ir_rank { IR_SCALAR, IR_VECTOR, IR_TENSOR, IR_TUPLE_RANK, IR_LIST, IR_BOOL, IR_INT } ir_rank;

typedef struct ir_type {
  uint8_t rank;
  uint8_t n; /* components: scalar, bool, int 1; vector D; tensor D*D (row by row); tuple and list any */
} ir_type;

typedef uint32_t ir_sym; /* number of a symbol; 0 is none */

typedef struct ir_node {
  uint8_t op;
  ir_type type;
  uint8_t n_args;
  uint32_t first_arg; /* into the module's argument pool */
  union {
    double value; /* CONST; bools are 0 or 1 */
    struct {      /* READ, PARAM */
      ir_sym sym;
      uint8_t level, at;
      int8_t off[3];
      uint8_t from;    /* IR_AT_NEAR: place of the point from which it is seen; else 0 */
      uint8_t context; /* in which it is read near walls: plan.context */
      uint8_t first;   /* first component read (type.n of them); always 0 before the pass `components` */
    } read;
    struct { /* REDUCE */
      uint8_t kind, binder, place;
      uint32_t rule; /* number of a rule, 0: none */
    } reduce;
    int first; /* PART; FIXED: function */
  };
} ir_node;

/* Debugging names: which `let`, equation or tag a node came from. Not part of a node's identity. */
typedef struct ir_origin {
  name hint;       /* a readable name, or NULL */
  const char *tag; /* "(14)", or NULL */
  span at;
} ir_origin;

/* ---- symbols -------------------------------------------------------------------------------------------------- */

typedef enum ir_symbol_kind {
  IR_PARAMETER, /* known at the start of a run */
  IR_TIME,      /* t, dt, and what else the time loop owns */
  IR_STATE,
  IR_GIVEN,
  IR_GEOMETRY, /* volume, normal, dx, ... */
  IR_INTEGRAL, /* a mesh integral over P1 basis functions */
  IR_EQUATION,
  IR_GLOBAL, /* an equation without a place */
  IR_MATRIX,
  IR_RULE_ARGUMENT, /* of a boundary rule */
  IR_SYMBOL_KIND_COUNT
} ir_symbol_kind;

/* Side of a quantity at faces under exchange of L and R. */
typedef enum ir_side { IR_EVEN, IR_ODD, IR_SIDED } ir_side;

/* How the side, or a matrix's symmetry, was established. */
typedef enum ir_evidence { IR_CLAIMED, IR_PROVED, IR_SAMPLED } ir_evidence;

/* An equation reads at another point than its own: so it does not follow point by point beyond walls. 1 << axis: at another one than its own
 * and the faces straight before and behind it along the axis. */
enum { IR_STRAYS_ANYWHERE = 8 };

/* Of an equation on a grid, as it is written, whatever is simplified later. */
typedef struct ir_beyond {
  uint64_t
      open_on; /* 1 << rule: on such walls, where the step does not ask for it, it reads what nothing gives */
  unsigned char strays;  /* IR_STRAYS_ANYWHERE, or 1 << axis */
  unsigned char unknown; /* 1 << axis: at its own point it reads what is not known behind a wall across the axis */
} ir_beyond;

/* What a lowering (lower/lower.h) made a symbol for; `of` is the symbol that it was made for. Those from SLOPE to RIGHT_SIDE are
 * computed once, stored, and shown to nobody. */
typedef enum ir_role {
  IR_AS_WRITTEN, /* in the scheme, or given with the mesh */
  IR_STAGE_TIME, /* the position in the step at which a launch takes place */
  IR_BY_ROW, /* of an argument, a normal or an area: its values by the rows of constraint number `constraint` */
  IR_HELD_MASK, /* of a state at nodes: where rules give its value */
  IR_RULE_MASK, /* at nodes and at faces of a grid: where the points obey rule number `rule` */
  IR_OWN_CENTRE, /* of xc, yc or zc on a periodic grid: behind a periodic side that of the cell on the other side */
  IR_MESH_SOURCE, /* of an integral or a vector at edges: where the runtime puts it; `of` is where kernels read it */
  IR_ROW_START, /* of an equation on a grid: its value at the start of the step, which windows may keep for their rows */
  IR_LATE, /* of an argument or given: `ahead` steps, or intervals of an integrator, behind the step's start */
  IR_INTERVAL,    /* what an integrator goes over where that is no plain part of dt */
  IR_STEP_BOUND,  /* of dt: as the scheme says, before it is shortened to meet a time; known with dt */
  IR_STEP_MOST,   /* the most that the case lets a step be; the host writes it */
  IR_SLOPE,       /* of a state: a stage's rate of change */
  IR_STAGE_VALUE, /* of a state: what a stage begins with */
  IR_STEP_START,  /* of an equation: its value at the start of the step; of nothing: what it is then */
  IR_RULE_SUM,    /* a sum over neighbours in a rule at nodes */
  IR_INVARIANT,   /* at edges or nodes: what never changes in a run, inside a sum over neighbours */
  IR_RECIPROCAL,  /* along an axis of a grid: 1/divisor */
  IR_SUM_OVER_FACES,
  IR_SCATTERED_SUM,  /* faces add into it */
  IR_PART_OF_GLOBAL, /* one of several reductions of a global */
  IR_RESIDUAL,       /* a reduction in the condition of a repeat */
  IR_ENTRY,          /* of a matrix: its entries at edges, with the constraints in it */
  IR_MAIN_DIAGONAL,  /* of a matrix: likewise, at nodes */
  IR_RIGHT_SIDE      /* of an unknown: likewise */
} ir_role;

/* The parts of an equation. One value; or, for what a face sends into its two cells, two. */
enum { IR_VALUE = 0, IR_TO_L = 0, IR_TO_R = 1, IR_DIAGONAL = 1 };

/* Tuples. */
typedef struct ir_tuple {
  int n_parts; /* the component count of each part, for reports and states */
  uint8_t part[16];
  ir_sym part_sym[16]; /* of states: which */
} ir_tuple;

typedef struct ir_integral {
  name form;     /* "N", "N*dN", "dN*N", "outer(dN,dN)", ... */
  ir_sym weight; /* a given at cells that stands under the integral, 0: 1 */
} ir_integral;

/* What a lowering made it for. */
typedef struct ir_purpose {
  ir_role role;
  ir_sym of;      /* see ir_role, 0: none */
  int constraint; /* IR_BY_ROW: number of the constraint */
  double ahead;   /* IR_LATE */
} ir_purpose;

typedef struct ir_symbol {
  name text; /* `wave.speed`, `grad_weak(p)` */
  ir_symbol_kind kind;
  ir_place place;
  ir_type type;
  int dims;         /* components of a vector: D of the module (copied for convenience) */
  const char *unit; /* printed form, NULL if unchecked */
  ir_id root
      [2]; /* equations, globals, parameter defaults; fluctuations TO_L, TO_R; matrices off-diagonal, DIAGONAL */
  const char
      *bounds; /* of parameters, givens and arguments of rules: ">= 0 and < 1", see dslc_within; NULL: none */
  bool is_flux;        /* seen from the cell it is odd: root[0] only */
  bool is_fluctuation; /* root[IR_TO_L], root[IR_TO_R] */
  bool symmetric;      /* matrices */
  bool over_time;      /* givens and arguments: a case may pass a function of t */
  ir_beyond beyond;    /* grids */
  ir_side side;
  ir_evidence evidence;
  ir_tuple tuple;
  uint32_t rule; /* rule arguments, IR_RULE_MASK: of which rule */
  span at;
  const char *tag;
  ir_integral integral;
  int stored; /* schedule's choice, see schedule/schedule.h: 0 undecided */
  ir_purpose purpose;
} ir_symbol;

/* ---- rules, statements ------------------------------------------------------------------------------------------ */

typedef enum ir_rule_kind { IR_GHOST, IR_FIX, IR_FLUX, IR_ADD_RULE } ir_rule_kind;

typedef struct ir_rule_entry {
  ir_rule_kind kind;
  ir_sym target;
  ir_id root; /* in the context of a boundary face: the cell inside is IR_AT_L; at nodes IR_AT_HERE */
  span at;
  const char *tag;
  bool projection; /* a fix at nodes whose formula, as it is written, names the value that it replaces */
} ir_rule_entry;

/* Where an entry stands: ir_entry_at. */
typedef struct ir_entry_place {
  int rule, entry;
} ir_entry_place;

typedef struct ir_entries {
  int n;
  const ir_entry_place *at;
} ir_entries;

typedef struct ir_rule {
  name text;
  char axis; /* 'x', 'y', 'z' for a rule across one axis of a grid, else 0 */
  VEC(ir_rule_entry) entry;
  VEC(ir_sym) arg;
  unsigned char
      apart; /* grids, 1 << axis: between such walls across it lie two cells at least, see sema/completeness.c */
  span at;
} ir_rule;

/* What a rule does at the nodes of its boundary (a strong boundary condition, or an addition to an equation): made of its entries by
 * lower/constraints.c. */
typedef struct ir_constraint {
  uint32_t rule;
  ir_sym target;
  bool add, projection; /* as the entry says */
  ir_id root;           /* in the context of a node, with arguments, normal and area by its own rows */
  span at;
} ir_constraint;

typedef enum ir_stmt_kind { IR_UPDATE, IR_INTEGRATE, IR_SOLVE, IR_REPEAT } ir_stmt_kind;

typedef struct ir_assign {
  ir_sym target; /* a state; tuples are split by the front end */
  ir_id value;
  span at;
  const char *tag;
} ir_assign;

typedef struct ir_option {
  name text;
  ir_id value;
} ir_option;

typedef struct ir_stmt ir_stmt;
struct ir_stmt {
  ir_stmt_kind kind;
  span at;
  const char *tag;
  VEC(ir_assign) assign; /* update: new values; integrate: rates */
  name method;           /* integrate, solve */
  name preconditioner;   /* solve; NULL: not said */
  ir_id
      over; /* integrate: how far it goes; else: how far behind the step's start all holds that is read, 0: there */
  ir_sym matrix, unknown;
  ir_id rhs;
  ir_sym entry, diagonal,
      right_side; /* solve: the equations of the system, made by lower/systems.c; 0 before */
  VEC(ir_option) option;
  VEC(ir_stmt) body; /* repeat */
  ir_id until, at_most;
  int turn; /* integrate: the same number for those of a list that integrate the same equations, as written, in turn; 0: alone */
  const char *text; /* repeat: its condition as written */
};

typedef struct ir_require {
  ir_id condition;
  ir_place place;
  const char *text; /* as written */
  bool of_step; /* it speaks of a step: reads dt or looks back; before the first there is nothing to test */
  span at;
} ir_require;

/* ---- the module ---------------------------------------------------------------------------------------------------- */

typedef struct ir_module {
  arena *memory;
  intern_pool *names;
  name scheme;
  int dims;
  bool on_grid;
  VEC(ir_node) node;     /* node.at[0] is unused */
  VEC(ir_origin) origin; /* parallel to node */
  VEC(ir_id) arg;
  VEC(ir_symbol) symbol;         /* symbol.at[0] is unused */
  VEC(ir_rule) rule;             /* rule.at[0] is unused */
  VEC(ir_constraint) constraint; /* in the order of rules and their entries */
  VEC(ir_require) require;
  VEC(ir_stmt) step;
  struct ir_table *table;     /* hash-consing */
  struct ir_marks *marks;     /* scratch of ir_reach */
  struct ir_targets *targets; /* of ir_entries_of */
} ir_module;

ir_module *ir_create(arena *a, intern_pool *names);
/* A new module with the same symbols, rules, requires and step, whose roots are still those of `from`, and no nodes. */
ir_module *ir_create_like(const ir_module *from);

/* Builders. They hash-cons and do no simplification; types are the caller's duty and checked by ir_verify. */
ir_id ir_const(ir_module *m, double value);
ir_id ir_bool(ir_module *m, bool value);
ir_id ir_param(ir_module *m, ir_sym sym);
ir_id ir_read(ir_module *m, ir_sym sym, ir_level level, ir_at at, const int8_t off[3]); /* off may be NULL */
ir_id ir_make(ir_module *m, ir_op op, ir_type type, int n, const ir_id *args);
ir_id ir_unary(ir_module *m, ir_op op, ir_id a); /* type by the operator's rule, where it has one */
ir_id ir_binary(ir_module *m, ir_op op, ir_id a, ir_id b);
ir_id ir_select(ir_module *m, ir_id condition, ir_id a, ir_id b);
ir_id ir_part(ir_module *m, ir_id a, int first, ir_type type);
ir_id ir_reduction(ir_module *m, ir_reduce kind, ir_binder binder, ir_place place, uint32_t rule, ir_id body);
/* A node like `n` with other operands: what passes use. */
ir_id ir_rebuild(ir_module *m, const ir_node *n, const ir_id *args);
/* Names the node unless it has a name. */
void ir_name(ir_module *m, ir_id id, name hint, const char *tag, span at);

ir_sym ir_symbol_add(ir_module *m, ir_symbol s);
ir_sym ir_symbol_find(const ir_module *m, name text); /* 0 if absent */
bool ir_role_is_stored(ir_role role);                 /* SLOPE to RIGHT_SIDE */

/* What rules say of a symbol, in the order of rules and their entries. Who asks for each symbol in turn need not look through all rules. */
void ir_entry_add(ir_module *m, int rule, ir_rule_entry e);
ir_entries ir_entries_of(const ir_module *m, ir_sym target);
static inline const ir_rule_entry *ir_entry_at(const ir_module *m, const ir_entries *all, int i) {
  return &m->rule.at[all->at[i].rule].entry.at[all->at[i].entry];
}
const ir_rule_entry *ir_entry_find(const ir_module *m, int rule, ir_sym target,
                                   ir_rule_kind kind); /* or NULL */
bool ir_used_rule_says(const ir_module *m, const bool *used, ir_sym target,
                       ir_rule_kind kind); /* some rule of those used[rule] */
/* Does some rule of the scheme say what it is beyond the boundary, whether a case uses the rule or not? What corners of a grid see hangs on it,
 * and kernels that are built ahead know of no case. */
bool ir_is_given_beyond(const ir_module *m, ir_sym target);

static inline const ir_node *ir_get(const ir_module *m, ir_id id) { return &m->node.at[id]; }
static inline const ir_id *ir_args(const ir_module *m, const ir_node *n) {
  return m->arg.at ? m->arg.at + n->first_arg : 0;
}
static inline ir_symbol *ir_symbol_get(const ir_module *m, ir_sym s) { return &m->symbol.at[s]; }

/* The symbol that rules name: what one says of X holds for X.prev, too, which is kept from the start of the step. */
static inline ir_sym ir_named_by_rules(const ir_module *m, ir_sym s) {
  const ir_symbol *q = ir_symbol_get(m, s);
  return q->purpose.role == IR_STEP_START ? q->purpose.of : s;
}

/* The symbol with whose value that of `s` is known: dt's for what `dt.free` reads, else `s`. */
static inline ir_sym ir_known_with(const ir_module *m, ir_sym s) {
  const ir_symbol *q = ir_symbol_get(m, s);
  return q->purpose.role == IR_STEP_BOUND ? q->purpose.of : s;
}

ir_type ir_scalar(void);
ir_type ir_vector(const ir_module *m);
ir_type ir_tensor(const ir_module *m);
ir_type ir_boolean(void);
bool ir_type_equal(ir_type a, ir_type b);

/* Calls visit(ctx, &root) for every root of the module: rules; symbols, requires, statements. */
void ir_each_root(ir_module *m, void (*visit)(void *ctx, ir_id *root), void *ctx);
void ir_each_rule_root(ir_module *m, void (*visit)(void *ctx, ir_id *root), void *ctx);
void ir_each_root_but_rules(ir_module *m, void (*visit)(void *ctx, ir_id *root), void *ctx);
void ir_each_step_root(ir_module *m, void (*visit)(void *ctx, ir_id *root), void *ctx); /* without symbols */

/* Copies `m` node by node through `rewrite` (which builds the node in `to` with its new operands and returns its id)
 * and redirects all roots: the frame of almost every pass. */
typedef ir_id ir_rewrite(void *ctx, ir_module *to, const ir_node *n, const ir_id *new_args, ir_id old_id);
ir_module *ir_map(const ir_module *m, ir_rewrite *rewrite, void *ctx);

/* What some values are computed from, themselves included: in rising order, so operands come before their users. Costs what is
 * reached, whatever the size of the module; the numbers live as long as the module. */
typedef struct ir_reached {
  int n;
  const ir_id *at; /* who asks for the same value again gets the same list */
} ir_reached;
void ir_sort(ir_id *at, int n); /* ascending */
ir_reached ir_reach(const ir_module *m, const ir_id *roots, int n);
/* The same, without what lies only below nodes at which `stops` says true. */
typedef bool ir_leaf_test(void *ctx, ir_id id);
ir_reached ir_reach_below(const ir_module *m, const ir_id *roots, int n, ir_leaf_test *stops, void *ctx);
int ir_reached_place(const ir_reached *all, ir_id id); /* where it stands there, -1 if it is not reached */
/* Of a read: at another point than the formula's own? */
bool ir_reads_elsewhere(const ir_node *n);
/* Does a formula read a symbol of these kinds, 1 << ir_symbol_kind? */
bool ir_reads_kinds(const ir_module *m, ir_id root, unsigned kinds);
/* Of a scheme as written: is what the step computes computed from that quantity of the mesh? Through equations, but not through dt. */
bool ir_step_reads(const ir_module *m, const char *text);
/* Do equations or globals that are shown, or rules that say what these are beyond boundaries, read `X.prev`? `n` names are shown; -1: all. */
bool ir_shows_start(const ir_module *m, const char *const *shown, int n);
/* Is it the condition `patch(inlet)`: a given that is not 0 at the faces of a part of the boundary? */
bool ir_is_patch(const ir_symbol *q);
/* R of L, J of I, and back; others stay. */
ir_at ir_other_end(ir_at end);
/* Does the value of q, as it is shown, depend on how the last step began (`X.prev`), or on its dt? */
void ir_reads_last_step(const ir_module *m, ir_sym q, bool *looks_back, bool *reads_dt);
/* Does the value follow from one of these symbols, through equations and what rules say beyond boundaries? */
bool ir_depends_on(const ir_module *m, ir_id root, const bool *symbols);
/* Does what the rule says follow from a sum, least or largest value over the faces that obey it? */
bool ir_rule_sums_itself(const ir_module *m, int rule);
/* s where the value is s*dt with a constant s, else 0. */
double ir_part_of_dt(const ir_module *m, ir_id id);

/* Pieces of that frame, for passes that need another one. */
const unsigned char *ir_live(const ir_module *m); /* per node: 1 if a root reaches it; in the arena */
/* Per node: 1 << place for each place whose points evaluate it; in the arena. Of constraints, which are of meshes, nothing is said. */
const unsigned *ir_reader_places(const ir_module *m);
void ir_mark_operands(const ir_module *m, unsigned char *mark); /* marks all that the marked nodes reach */
void ir_redirect_roots(ir_module *m, const ir_id *new_id);      /* every root r becomes new_id[r] */
ir_id ir_lookup(const ir_module *m, const ir_node *n,
                const ir_id *args); /* the node ir_rebuild would return if it exists, else 0 */

/* Text. The dump is complete: ir_parse(ir_print(m)) prints the same text again. */
void ir_print(const ir_module *m, FILE *out);
ir_module *ir_parse(arena *a, intern_pool *names, const char *text,
                    const char **error); /* NULL and a message on failure */

/* One root as an infix formula, to be read by people; what lies deeper than `depth` operators is shown as %id. */
void ir_dump_expression(const ir_module *m, ir_id root, int depth, FILE *out);

/* The same in the scheme's own words, for messages; one that is long ends in an ellipsis. */
const char *ir_show(const ir_module *m, arena *a, ir_id root);

/* NULL, or a description of the first broken invariant (operand order, types, contexts of accesses, ranges). */
const char *ir_verify(const ir_module *m);

/* Evaluates all nodes needed for `root`; leaves come from `leaf` (which fills type.n numbers). Result: type.n numbers in
 * `out`. REDUCE is not evaluated: it is a leaf too. For defaults of parameters, folding and sampling. */
typedef void ir_leaf(void *ctx, const ir_module *m, ir_id id, double *out);
void ir_evaluate(const ir_module *m, ir_id root, ir_leaf *leaf, void *ctx, double *out);
double ir_apply(ir_op op, const double *args); /* one operator of numbers or bools (0, 1) */
/* One node that is no leaf, from the numbers of its operands; `out` has type.n. */
void ir_apply_node(const ir_module *m, const ir_node *n, const double *const *arg, double *out);

#endif
