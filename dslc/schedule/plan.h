/* The plan: what the schedule made of a module. It holds the program's data (buffers, sections, rules: everything but
 * kernel text and kernel arguments) and, per kernel, which IR values go where. A back end turns each planned kernel into
 * text and fills in dslc_kernel.arg and the slot table that launches use.
 *
 * The IR here is scalar (after `components`), contains no read of an equation that is not stored, and its READs carry the
 * physical access. */
#ifndef DSLC_SCHEDULE_PLAN_H
#define DSLC_SCHEDULE_PLAN_H

#include "base/diag.h"
#include "dslc.h"
#include "ir/ir.h"
#include "pass/pass.h"

typedef enum plan_output_kind {
  PLAN_STORE,   /* buffer[entity] = value, at the kernel's own point */
  PLAN_ADD_L,   /* buffer[face_left]  += value: faces of one colour never share a cell */
  PLAN_ADD_R,   /* buffer[face_right] += value */
  PLAN_GHOST,   /* at a boundary face: buffer[face_right] = value */
  PLAN_PARTIAL, /* reduced over the work-group into buffer[component*capacity + group] */
  PLAN_SCALAR,  /* scalars[component] = value; kernels of one item or one group */
  PLAN_CHECK, /* value is a bool: where false, flags[CHECKS + component] = min(itself, entity) and FAULT = 1 */
  PLAN_FLAG,  /* flags[component] = value, a bool: the end of a repeat; kernels of one item or one group */
  PLAN_TABLE, /* at points near walls: the table of function number `component` = its value */
  PLAN_KEEP, /* windowed kernels: the rows of `buffer`, component `component`, in local memory or a register */
  PLAN_FACE /* kernels over patches: at the faces between two cells, in local memory; at others what `buffer` holds */
} plan_output_kind;

/* What a boundary rule says of a quantity, in the context of one wall face: reads at INNER and MIRROR, and, at NEAR from
 * IR_NOWHERE, of another quantity at the same point beyond. */
typedef struct plan_wall_case {
  int rule;   /* number in the program */
  char axis;  /* 'x', 'y', 'z', or 0: any */
  bool fixes; /* the same rule fixes the quantity on the boundary: the nearest point inside is not on it */
  bool unused; /* no wall has the rule; that it gives the quantity counts beyond several walls, see ir_is_given_beyond */
  ir_id value;
} plan_wall_case;

typedef enum plan_function_kind {
  PLAN_FUNCTION_AT,    /* the value of sym near walls: at a point, and as seen from another */
  PLAN_FUNCTION_FIX,   /* what rules fix sym to, given what it would be otherwise */
  PLAN_FUNCTION_VALUE, /* what is being assigned to sym, at a point */
  PLAN_FUNCTION_OUTPUT /* what a kernel writes for sym near walls, in a table of its own */
} plan_function_kind;

enum { PLAN_TABLE_WANTED = -1 };

/* On grids: in which a function near walls is called, what it looks up and what its t is. What dt follows from is of the start of the step, not
 * of the time of a stage, which dt is needed for. */
typedef struct plan_context {
  int window; /* 1 + number of the windowed update that calls, which keeps some values in local memory; else 0 */
  bool before_stages; /* of what dt follows from */
  ir_id interval;     /* of what reads t: what a stage's time counts in; 0: dt */
} plan_context;

enum { PLAN_MOST_CONTEXTS = 255 }; /* ir_node counts them in a byte */

/* On grids: a component of a quantity near walls, where code is a call for each. */

typedef struct plan_function {
  plan_function_kind kind;
  ir_sym sym, kept; /* and X, where it is X at the start of the step at X's own points: rules fix it where they fix X */
  int component;
  ir_level level;
  int context; /* number in plan.context */
  ir_id value; /* at its own point, 0: it is stored everywhere that it is read */
  bool stored; /* with a value: that holds beyond walls only */
  VEC(plan_wall_case) ghost, fix;
  /* No rule of the scheme gives the state, but a formula beyond walls reads it there: as [inner] of them, and a rule in its reader's row. It
   * has one ghost, unused, so that walls are looked for on the way. */
  bool nowhere;
  bool across;            /* somebody sees it along several axes: a point may lie beyond several walls */
  VEC(int) beside, along; /* then: functions of what its ghosts read inside, and at the same ghost point */
  int table; /* 1 + the component of the tables that keeps what it computes at the points near walls; 0: none; WANTED: not filled */
  int asked; /* 1 + how far from walls, in cells, somebody asks for it; 0: nobody does, or it is not known yet */
  int effort, effort_beyond; /* operations and reads of a call for a point, and what a ghost takes besides */
  double ahead;              /* PLAN_FUNCTION_FIX: t stands for t + ahead*dt; 0: for the time of the launch */
  const int *
      fresh; /* PLAN_FUNCTION_FIX: by symbol, 1 + function of the first component of what is assigned with it */
} plan_function;

/* What numbers the entries of a buffer at edges. */
typedef enum plan_edge_index {
  PLAN_EDGE_ITSELF,
  PLAN_EDGE_PAIR, /* once for both directions: edge_pair */
  PLAN_EDGE_SLOT  /* its place in a slice of nodes: edge_slot; see schedule/edges.c */
} plan_edge_index;

typedef struct plan_output {
  plan_output_kind kind;
  int buffer; /* number in the program */
  int component; /* of the buffer (its first + component of the field); partial: its array; scalar, check: its entry */
  ir_id value;
  ir_reduce reduce; /* PLAN_PARTIAL */
  bool replaced;    /* at faces: rules replace it at all boundaries, so what it reads beyond does not count */
  plan_edge_index index; /* at edges */
  ir_place place;        /* grids: where the value lives */
  ir_id near;            /* grids: the value near walls */
} plan_output;

/* One body of a windowed kernel: some of its outputs, computed together at one row of a pass. */
typedef struct plan_piece {
  int first_output, n_outputs;
  int row, first, lo, hi; /* see window_piece */
  bool barrier;           /* before it */
  int reach;              /* as of a kernel */
} plan_piece;

/* What a windowed kernel keeps of a component that it computes itself. */
typedef struct plan_ring {
  int buffer, component; /* under which it is read; the kernel never touches the buffer */
  int rows;
  bool in_register;
} plan_ring;

/* A kernel that marches along the rows: see window.h. */
typedef struct plan_window {
  int number;            /* from 0, of the windowed updates */
  VEC(plan_piece) piece; /* in order */
  VEC(plan_ring) ring;
  int first_row, halo_lo, halo_hi, columns, rows; /* columns: of a work-group, with those that only help */
  bool fit_rows;                                  /* the number of rows is the most */
  int margin; /* columns of a ring's row that no item writes, beside those of the work-group; 0 without work-items */
  bool
      limited; /* in its registers, by the build: small groups, that would not be launched with as many as they might take */
  int local_words; /* per column */
  bool closing;
  int barriers;
} plan_window;

/* A global reduction whose partials a finishing kernel reads: the value of the REDUCE node `node`. */
typedef struct plan_partial {
  ir_id node;
  int buffer, component;
  ir_reduce reduce;
} plan_partial;

/* Quotients and roots of kernels for GPUs: see `quotient` in prelude.cl. */
typedef enum divide_form { DIVIDE_AUTO, DIVIDE_PLAIN, DIVIDE_REFINED } divide_form;

typedef enum plan_time {
  PLAN_TIME_NONE,
  PLAN_TIME_BEGIN /* after DT_FREE is known: clamp dt */,
  PLAN_TIME_END /* advance t */
} plan_time;

typedef struct plan_kernel {
  name text;
  ir_place place; /* IR_NOWHERE: one item, or one group if it has partials to finish */
  VEC(plan_output) output;
  VEC(plan_partial) partial; /* finishing kernels */
  plan_time time;
  int time_check; /* PLAN_TIME_BEGIN: 1 + number of the check "dt > 0"; 0: only FAULT and DONE are set */
  int stop_flag; /* 1 + entry of the flags: returns at once also while that is set (bodies of repeats); 0: none */
  int local_size;
  bool patches;      /* over the patches of a mesh: it has outputs of kind PLAN_FACE, behind all others */
  bool fills;        /* grids: tables of functions, at the points near walls */
  bool has_residual; /* it computes partials of a repeat's condition */
  int lanes;         /* work-items that share an entity and its loops over neighbours; 0: one */
  bool first;    /* the subset may start elsewhere than 0 (rule, interior, colour): entity = first + item */
  bool coloured; /* entity = colour_face[first + item] */
  bool rim;      /* entity = rim_cell[first + item] */
  int rule;      /* rule arguments are read at [item] */
  int reach;     /* grids: the plain version reads no further; it holds where `near` is more */
  const plan_window *window; /* grids: how it marches along the rows, or NULL */
  int rows; /* over the rows of a hold: 1 + the buffer with their nodes; entity = that of the row, none if it is -1 */
  int line;
  const char *file; /* where that stands, NULL: the scheme's own */
  const char *what; /* it computes, for people: "grad_weak(p) (32), xi (41)" */
} plan_kernel;

/* Symbols of kind IR_TIME whose value comes with the launch instead of from the scalars buffer. */
typedef enum plan_launch_value {
  PLAN_LAUNCH_NONE,
  PLAN_LAUNCH_STAGE, /* dslc_op.stage */
  PLAN_LAUNCH_WEIGHT /* dslc_op.weight[first + component] */
} plan_launch_value;

/* Where a symbol's components lie: buffer (by ir_level; -1 if absent) and first component there. */
typedef struct plan_location {
  int buffer[IR_LEVEL_COUNT];
  int first;
  int parameter; /* IR_PARAMETER: number in the program */
  int scalar;    /* IR_TIME, IR_GLOBAL: entry of the scalars buffer, -1 */
  plan_launch_value launch;
  plan_edge_index index; /* at edges */
} plan_location;

typedef enum plan_reduce_form { PLAN_REDUCE_TREE, PLAN_REDUCE_SERIAL } plan_reduce_form;

/* How kernels are written. */
typedef struct plan_form {
  select_form select;
  divide_form divide;
  bool cpu;                /* made for one */
  plan_reduce_form reduce; /* within a work-group: a tree (GPUs), or the first item adds up (CPUs) */
  bool loop;               /* OpenCL: one work-item takes all entities of a work-group, in a loop */
  bool reads_first; /* OpenCL, a work-item for each entity: a pass over a neighbour reads, then computes */
  int tile;         /* grids, a work-item for each point: rows of a work-group */
  int unroll;       /* loops over the faces of a cell; 0: leave it to the driver */
} plan_form;

/* Topology buffers of meshes, -1 if unused. */
typedef struct plan_topology {
  int face_left, face_right, cell_face, cell_across, cell_start, colour_face, rim_cell;
  int node_start, edge_node, edge_from,
      edge_pair; /* CSR row starts of the nodes; per directed edge its second, its first node */
  int slot_start, slot_node,
      edge_slot;  /* by node its first slot; by slot the second node; by edge its slot */
  int slot_lanes; /* work-items of a node that the slots are laid out for */
  struct {
    int start, ring, face, ends, side;
  } patch; /* see dslc_patch */
} plan_topology;

/* Buffers of grids, -1 if unused: topology, and what functions near walls compute, and where. */
typedef struct plan_grid {
  int near, wall[3];
  int tables, wall_point, wall_number;
} plan_grid;

/* What a way to compute something takes, for each point. */
typedef struct plan_cost {
  double bytes, operations; /* read from and written to memory, each field once a kernel */
  int launches;             /* at most */
} plan_cost;

/* A way that was considered, of those that are kept or dropped together. */
typedef struct plan_candidate {
  const char *update, *way, *equations; /* "u", "a window computes", "turn.x, turn.y" */
  plan_cost cost;
  const char *why_not; /* NULL: it can be done */
  bool kept;
} plan_candidate;

/* As time, in bytes: what a device computes while it reads one. */
double plan_cost_time(const plan_cost *c);

typedef struct plan {
  ir_module *module;
  dslc_program *program;
  plan_location *location; /* by symbol */
  VEC(plan_kernel) kernel; /* parallel to program->kernel */
  VEC(plan_candidate) candidate;
  plan_form how;
  plan_topology mesh;
  plan_grid grid;
  int scalars, flags;          /* buffer numbers */
  VEC(plan_function) function; /* grids */
  VEC(plan_context) context;   /* of functions; the first one: plainly */
  VEC(int)
  last_function,
      same_before; /* by symbol, and from function to function: 1 + the number of one of the symbol; 0: none */
  const source_set *sources; /* for `// file:line` comments, may be NULL */
  arena *memory;
} plan;

/* Back ends: fill program->source and program->kernel[].arg, and rewrite each launch's `buffer` list: the planner leaves it
 * NULL; slots are numbered per kernel in order of the buffers' first appearance. Launches that bind other buffers than the
 * kernel's own (Runge-Kutta stages) are listed in plan_rebind, in `from` -> `to` pairs. */
typedef struct plan_rebind {
  int section, op;
  int from, to;
} plan_rebind;

/* plan_functions.c */
void plan_add_function(plan *p, const plan_function *f); /* a copy */
/* The first one that gives the symbol's component near walls; valued: that computes it at its own point too, where what is stored lies in
 * its buffer. -1: none. */
int plan_find_function(const plan *p, ir_sym sym, int component, ir_level level, int context, bool valued);
/* The function that a node of the plan's module calls, -1: none. `within`: the function whose value it belongs to, or NULL. */
int plan_called(const plan *p, ir_id id, const plan_function *within);

/* Calls visit(ctx, id) for every node that the values reach, those of the functions they call included. */
typedef void node_visitor(void *ctx, ir_id id);
typedef struct walk_scope {
  bool past_tables; /* also those of functions that are looked up, which kernels ahead have computed */
  bool any_axis; /* also what rules say of walls that are not met: it is written there, and never evaluated */
} walk_scope;
void plan_each_node(const plan *p, const ir_id *values, int n, walk_scope scope, node_visitor *visit,
                    void *ctx);

/* What of a function a call means: its value at a point (computed, or from its table), as seen from another point, or what
 * rules fix a state to. */
typedef enum plan_part {
  PLAN_PART_AT,
  PLAN_PART_NEAR,
  PLAN_PART_FIXED,
  PLAN_PART_TABLE,
  PLAN_PART_FIXED_INSIDE, /* FIXED, for a rule that reads the point inside; in 2D rules there read what is assigned */
  PLAN_PART_FIXED_INSIDE_2, /* in 3D: for a rule of that one, and so on; those of the last read what is assigned */
  PLAN_PART_FIXED_INSIDE_3,
  PLAN_PART_ACROSS,   /* as seen from another point, across walls along two axes */
  PLAN_PART_ACROSS_3, /* along three */
  PLAN_PARTS
} plan_part;
plan_part plan_part_called(const plan *p, ir_id id, int called);
/* Axes, as bits, along which a READ at NEAR looks away from the point from which it is seen. */
unsigned plan_axes(const plan *p, const ir_node *n);
/* Those along which a wall may lie between: not where the face or corner that is read touches the cells of that point. */
unsigned plan_crossed(const plan *p, const ir_node *n);
/* The function that gives what a READ within a rule reads, as seen from elsewhere; -1: none. */
int plan_beside(const plan *p, const ir_node *n);
/* The part of what a rule in FIXED, or in one of FIXED_INSIDE, reads inside; 0: what is assigned. */
plan_part plan_part_inside(const plan *p, plan_part of);
/* The function of what rules fix to a new value that a READ in a rule of `within` sees inside; -1: none. */
int plan_fixed_inside(const plan *p, const ir_node *n, const plan_function *within);
/* Beyond several walls the rules hold one axis after the other: the part of what a ghost's formula reads inside. */
plan_part plan_part_beside(plan_part of);

#endif
