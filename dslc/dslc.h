/* libdslc: from a scheme and a schedule to kernels and a manifest. This header is all that the runtime sees.
 *
 * A dslc_program is plain data: what buffers to allocate, what parameters and rule arguments to ask the case for, which
 * kernels there are with their arguments, and in which order to launch them (sections of operations). It can be written to
 * and read from a manifest file, so kernels shipped in generated/ run with no compiler present.
 *
 * Everything in a program lives until dslc_program_destroy. Strings are UTF-8. Arrays are indexed by the numbers used
 * elsewhere in the structure. */
#ifndef DSLC_DSLC_H
#define DSLC_DSLC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- places and index subsets ---------------------------------------------------------------------------- */

typedef enum dslc_place {
  DSLC_NOWHERE, /* one item */
  DSLC_CELLS,
  DSLC_FACES,
  DSLC_NODES,
  DSLC_EDGES, /* directed edges of the node graph, in CSR order without diagonal */
  DSLC_XFACES,
  DSLC_YFACES,
  DSLC_ZFACES,
  DSLC_XEDGES, /* of 3D grids, along the axis */
  DSLC_YEDGES,
  DSLC_ZEDGES,
  DSLC_CORNERS,
  DSLC_XLINE,
  DSLC_YLINE,
  DSLC_ZLINE,
  DSLC_NEAR_WALLS, /* grids: the points near walls, see dslc_program.band */
  DSLC_PLACE_COUNT
} dslc_place;

typedef enum dslc_subset {
  DSLC_OWNED,    /* all entities of the place without ghosts; all faces */
  DSLC_INTERIOR, /* interior faces */
  DSLC_RULE,     /* the boundary faces of one rule: contiguous */
  DSLC_COLOUR,   /* the faces of one colour: via the index array `colour_face` */
  DSLC_HOLD, /* the rows of one dslc_hold, one launch per layer: first = first row, items = rows of the layer */
  DSLC_BOUNDARY, /* the faces with a ghost on their right side, periodic ones too: contiguous, the last ones */
  DSLC_RIM,      /* the cells with such a face: the first ones of the index array `rim_cell` */
  DSLC_WIDE_RIM  /* and the cells across a face of these, which follow there */
} dslc_subset;

static inline bool dslc_is_rim(dslc_subset s) { return s == DSLC_RIM || s == DSLC_WIDE_RIM; }

/* Numbers of one value: of a state, a given, a parameter or an argument of a rule. A real[n] has no more. */
enum { DSLC_MOST_COMPONENTS = 64 };
enum { DSLC_MOST_FACES = 64 }; /* of a cell, where all have as many */

/* ---- buffers ------------------------------------------------------------------------------------------------- */

/* Edges in slices, laid out for N work-items a node: a slice has DSLC_SLICE/N nodes; of each of them its first N edges, node after
 * node, then the next N of each, ... Entry k of node i lies at slot_start[i] + k/N*DSLC_SLICE + k%N; where another node of the
 * slice has more edges, slots stay empty. The stride of edges is at least DSLC_SLICE more than there are slots: kernels read slot_node
 * ahead. */
enum { DSLC_SLICE = 32 };

typedef enum dslc_element { DSLC_F64, DSLC_F32, DSLC_I32, DSLC_U8 } dslc_element;

typedef enum dslc_buffer_kind {
  DSLC_BUFFER_STATE, /* filled from the case's initial values */
  DSLC_BUFFER_GIVEN, /* filled from the case, at entity centres (ghost entries: copies of the cell inside) */
  DSLC_BUFFER_WORK,  /* computed by kernels: stored equations, new values, stages, previous values */
  DSLC_BUFFER_GEOMETRY, /* double, filled by the runtime from the mesh or grid; `source` says what */
  DSLC_BUFFER_TOPOLOGY, /* integers, likewise */
  DSLC_BUFFER_ARGUMENT, /* one value per boundary face (node) of a rule, numbered from 0 within the rule */
  DSLC_BUFFER_PARTIALS, /* one value per work-group of the launch that fills it, `width` arrays of `capacity` each */
  DSLC_BUFFER_SCALARS, /* double: time control and globals, see dslc_scalar */
  DSLC_BUFFER_FLAGS,   /* int32: see dslc_flag */
  DSLC_BUFFER_ALIAS    /* never allocated: every launch that names it binds another buffer instead */
} dslc_buffer_kind;

/* What the runtime fills a buffer with. Width 1 unless said; topology is i32 unless said. */
typedef enum dslc_source_kind {
  DSLC_SOURCE_NONE,
  /* geometry */
  DSLC_SOURCE_VOLUME,   /* cells */
  DSLC_SOURCE_SIZE,     /* cells: volume^(1/D) */
  DSLC_SOURCE_AREA,     /* faces; rows of a hold: the node's share of the rule's faces */
  DSLC_SOURCE_SHARE,    /* faces: 1; 1/2 of those of periodic sides, which are there twice */
  DSLC_SOURCE_DISTANCE, /* faces: between the centres of the two cells; beyond a boundary, the mirror image's */
  DSLC_SOURCE_CENTRE,   /* cells, faces, nodes; width D */
  DSLC_SOURCE_NORMAL,   /* faces, from left to right; rows of a hold; width D */
  DSLC_SOURCE_INTEGRAL, /* nodes, edges from I to J: of `form`, which gives the width */
  DSLC_SOURCE_WEIGHTED, /* the same with the given `weight`, one number a cell, under the integral */
  DSLC_SOURCE_VECTOR, /* edges: what `centre[J] - centre[I]` means, on periodic meshes the short way; width D */
  DSLC_SOURCE_WIDTH,      /* lines of a grid: dx, dy, dz */
  DSLC_SOURCE_MIDDLE,     /* lines of a grid: xc, yc, zc */
  DSLC_SOURCE_OWN_MIDDLE, /* the same, but behind periodic sides those of the cells there */
  /* topology of meshes */
  DSLC_SOURCE_FACE_LEFT, /* faces: the cell on that side; ghosts are numbered from n_cells */
  DSLC_SOURCE_FACE_RIGHT,
  DSLC_SOURCE_CELL_FACE, /* cells: their faces, f if the cell is f's left side, else ~f. Width faces_per_cell, entry k of cell
                            * c at [k*stride + c]; with faces_per_cell 0 width 1, in CSR order */
  DSLC_SOURCE_CELL_ACROSS, /* cells: the cells beyond those faces, likewise */
  DSLC_SOURCE_CELL_START, /* cells, with faces_per_cell 0: row starts of both, one entry more than there are cells */
  DSLC_SOURCE_COLOUR_FACE, /* faces sorted by colour */
  DSLC_SOURCE_RIM_CELL,    /* cells at boundaries, then the cells beside them; 0 behind these */
  DSLC_SOURCE_GHOST_CELL,  /* cells: of every ghost the cell that it copies, -1: none */
  DSLC_SOURCE_NODE_START,  /* nodes: row starts of their edges, one entry more than there are nodes */
  DSLC_SOURCE_EDGE_NODE,   /* edges: the second node */
  DSLC_SOURCE_EDGE_FROM,   /* edges: the first node */
  DSLC_SOURCE_EDGE_TWIN,   /* edges: the same edge from the other end */
  DSLC_SOURCE_EDGE_PAIR,   /* edges: number of the undirected edge, twice each */
  DSLC_SOURCE_SLOT_START,  /* nodes: the slot of the first edge, laid out for `lanes` work-items a node */
  DSLC_SOURCE_SLOT_NODE,   /* by slot (place edges): the second node of its edge; `lanes` */
  DSLC_SOURCE_EDGE_SLOT,   /* edges: their slots; `lanes` */
  /* topology that boundary rules make */
  DSLC_SOURCE_ROW_NODE, /* rows of a hold: the node; -1: another rule, named before, gives the value there */
  DSLC_SOURCE_CONSTRAINED, /* nodes: 1 where some rule gives the value of state `field`; projections do not count */
  DSLC_SOURCE_ON_RULE, /* nodes: 1 on the faces of `rule`, whatever other rules say there; faces across an axis of a grid: 1 or
                        * -1, as the normal points out of the active cells, at walls of that rule, 0 elsewhere */
  /* topology of grids, all in the layout of points but the wall points */
  DSLC_SOURCE_WALL_DISTANCE, /* cells, u8: in cells (the largest of the axes') to the nearest cell that is not active - beyond the
                              * box, or in a solid -, at most 255; 0: is such a cell itself */
  DSLC_SOURCE_WALL, /* faces across an axis: -1, or, with an active cell on one side only, 64*row + rule: number of the rule (its
                     * entry for that axis) and row of its arguments */
  DSLC_SOURCE_WALL_POINT,  /* points near walls: the entry of the point */
  DSLC_SOURCE_WALL_NUMBER, /* cells: the number of that entry, 0 elsewhere */
  /* a given at another time than its own buffer, see dslc_buffer.ahead */
  DSLC_SOURCE_GIVEN, /* of `field` */
  /* topology of patches, see dslc_patch */
  DSLC_SOURCE_PATCH_START, /* cells: four entries a patch, and four more behind the last: its first cell, the first entries of the next
                            * two tables that are its own, and how many of its faces lie between two cells */
  DSLC_SOURCE_PATCH_RING, /* cells: patch by patch, the cells of others that share a face with its own */
  DSLC_SOURCE_PATCH_FACE, /* faces: patch by patch, the faces of its cells: first those between two cells, then those at boundaries */
  DSLC_SOURCE_PATCH_ENDS, /* faces, parallel: of those between two cells 65536*right + left, as the patch numbers its cells and then its
                            * ring */
  DSLC_SOURCE_PATCH_SIDE, /* cells: as `cell face`, with the numbers that the cell's patch gives its faces */
  DSLC_SOURCE_COUNT
} dslc_source_kind;

/* Integrals of linear hat functions N and their gradients, of the edge from I to J: the first factor is I's. */
typedef enum dslc_form {
  DSLC_FORM_N,           /* at nodes */
  DSLC_FORM_N_DN,        /* width D */
  DSLC_FORM_DN_N,        /* width D */
  DSLC_FORM_N_N,         /* width 1 */
  DSLC_FORM_DOT_DN_DN,   /* width 1 */
  DSLC_FORM_OUTER_DN_DN, /* width D*D, row by row */
  DSLC_FORM_COUNT
} dslc_form;

/* The members behind `kind` count only for the kinds that have them, see dslc_source_has. */
typedef struct dslc_source {
  dslc_source_kind kind;
  dslc_form form;
  int field; /* of the program */
  int rule;  /* of the program; on grids the one that the walls across the axis of the buffer's place carry */
  int lanes; /* divides DSLC_SLICE */
  const char *weight; /* name of a given at cells */
} dslc_source;

enum { DSLC_HAS_FORM = 1, DSLC_HAS_FIELD = 2, DSLC_HAS_RULE = 4, DSLC_HAS_LANES = 8, DSLC_HAS_WEIGHT = 16 };
/* Which members a kind has: bits of DSLC_HAS_... */
unsigned dslc_source_has(dslc_source_kind kind);
/* As manifests and messages name them; NULL: no such number. */
const char *dslc_source_text(dslc_source_kind kind);
const char *dslc_form_text(dslc_form form);

/* Component d of entity i lies at [d*stride + i] (soa) or [i*width + d] (aos). `stride` is one number per place, chosen by
 * the runtime (>= the number of entities with ghosts) and passed to kernels. */
typedef struct dslc_buffer {
  const char *name; /* "h", "h.new", "wave", "face_left" */
  dslc_buffer_kind kind;
  dslc_element element;
  dslc_place place;
  int width;
  bool aos;
  dslc_source source; /* geometry, topology; givens at another time */
  int rule, argument; /* DSLC_BUFFER_ARGUMENT */
  int hold;           /* arguments, geometry, topology given by row of a hold: 1 + its number; else 0 */
  bool has_ghosts;    /* cells: ghost entries are kept up to date by operations */
  double
      ahead; /* arguments, givens: 0: they hold at the time of the launch that reads them, see dslc_op.stage; else at t + ahead
                 * times what `stage` counts in, whatever the launch's stage. Givens: `source` then says of which field */
} dslc_buffer;

/* Fixed entries of the scalars buffer; globals of the scheme follow from DSLC_SCALAR_GLOBALS. */
typedef enum dslc_scalar {
  DSLC_SCALAR_T,       /* time at the start of the step */
  DSLC_SCALAR_DT,      /* step size, shortened to meet T_STOP exactly */
  DSLC_SCALAR_T_STOP,  /* next time the host wants to see; set by the host */
  DSLC_SCALAR_T_NEXT,  /* time at the end of the step: T + DT, or T_STOP itself */
  DSLC_SCALAR_DT_FREE, /* step size as the scheme says, before it was shortened */
  DSLC_SCALAR_MOST,    /* the most that the next steps may be, for the case; set by the host, finite */
  DSLC_SCALAR_GLOBALS
} dslc_scalar;

/* How much longer than dt a step may be that ends at t_stop [s]: what stop/dt sums t + dt may have lost in rounding, between a millionth and a
 * thousandth of dt. Steps that divide the time evenly so end at it, without a sliver. */
double dslc_step_slack(double t_stop, double dt);

enum { DSLC_REPEATS = 4 }; /* in a step */

/* Entries of the flags buffer. Every kernel returns at once while DONE is not 0. */
typedef enum dslc_flag {
  DSLC_FLAG_DONE, /* set by the last operation of the step that reaches T_STOP or MAX_STEPS, and on a fault */
  DSLC_FLAG_STEPS,     /* steps completed since the host last cleared it */
  DSLC_FLAG_MAX_STEPS, /* set by the host: stop after so many steps; 0: no bound */
  DSLC_FLAG_FAULT,     /* not 0: a check failed; which and where stands in the checks' entries */
  DSLC_FLAG_REPEAT, /* DSLC_REPEATS entries: set when a repeat's condition holds; cleared by the host's operation */
  DSLC_FLAG_PASSES = DSLC_FLAG_REPEAT +
                     DSLC_REPEATS, /* DSLC_REPEATS entries: passes that the repeat has made, counted by the
                                                       * kernel that sets its flag; cleared like that */
  DSLC_FLAG_CHECKS =
      DSLC_FLAG_PASSES + DSLC_REPEATS /* one entry per check: smallest failing entity, INT32_MAX if none */
} dslc_flag;

/* A check made on the device: a `require`, or that an updated state is finite, or that dt is positive and finite. */
typedef struct dslc_check {
  const char *text; /* "h >= -1e-12", "h is finite", "dt > 0" */
  dslc_place place;
  int field; /* the state concerned, or -1 */
  int line, column;
  const char *file; /* where the line stands, of a scheme that is extended or imported; NULL: the scheme's own */
} dslc_check;

/* ---- what a case gives and sees ----------------------------------------------------------------------------------- */

typedef enum dslc_field_kind {
  DSLC_STATE,
  DSLC_GIVEN,
  DSLC_QUANTITY /* an equation, shown on demand */
} dslc_field_kind;

typedef struct dslc_field {
  const char *name;
  dslc_field_kind kind;
  dslc_place place;
  int components;
  const char *unit; /* NULL if the scheme has no units */
  const char *comment;
  const char *bounds; /* of a given, see dslc_within; NULL: any number will do */
  bool over_time;
  int flux; /* 1: a state at faces that points from L to R. A case gives a vector, of which each face takes its part along the normal */
  int buffer; /* where its present value lies; -1 for quantities that are not stored */
  int first;  /* its first component there */
  int show; /* quantities: the section that computes it into `buffer`, -1 if not built (dslc_options.show) */
  /* Programs with an addition (dslc_options.sources): its value, as it is shown, depends on how the last step began (`X.prev`), or on its dt. Not in
   * manifests. */
  bool looks_back, reads_dt;
} dslc_field;

typedef struct dslc_global { /* mass, dt: one value */
  const char *name;
  const char *unit;
  int scalar; /* entry of the scalars buffer */
  int show;   /* section that computes it, -1: computed in the step */
} dslc_global;

typedef struct dslc_parameter {
  const char *name;
  int components;
  const char *unit;
  const char *comment;
  const char *
      formula; /* default in reverse Polish notation, components separated by ';', NULL: the case must give it */
  const char *bounds; /* see dslc_within; NULL: any number will do */
} dslc_parameter;

typedef struct dslc_argument { /* of a rule */
  const char *name;
  int components;
  const char *unit;
  const char *formula; /* default */
  const char *bounds;  /* of each value, see dslc_within; NULL: any will do */
  bool over_time;
  int buffer; /* -1 if no built kernel reads it */
} dslc_argument;

typedef struct dslc_rule {
  const char *name;
  const char *comment;
  char axis; /* rules across one axis of a grid, else 0 */
  const char *
      apart; /* grids, "x", "yz": walls that obey it do not face another one across these axes at a distance of one cell; or NULL */
  int sums_itself; /* 1: what it says follows from a sum over all its faces, so entries of a case are not apart; 0: no */
  int n_arguments;
  dslc_argument *argument;
} dslc_rule;

/* What a rule does at the nodes of its boundary: `fix` holds the target's value, `add` adds to it. A rule in use has rows: one
 * for each node of its faces ("layer" 0), and for a projection (a fix that depends on the value which it replaces: slip) one
 * more in layer 1, 2 for each further normal where faces meet at an angle, all normals of a node orthogonal. Within a layer
 * every node occurs once. Of several fixes of one target at a node the first named in the case holds, values before
 * projections; projections at one node act all. */
typedef struct dslc_hold {
  int rule;
  const char *target; /* a state or equation at nodes */
  int field;          /* its number among the fields, -1: nobody can show it */
  bool add, projection;
} dslc_hold;

/* A linear system  matrix * unknown = rhs  on the node graph. The rows of held nodes are identities already. */
typedef struct dslc_solve {
  const char *matrix, *unknown;
  int field;                           /* the unknown's */
  int off, diagonal;                   /* buffers: entries at the edges in CSR order, and at the nodes */
  int rhs, solution;                   /* buffers at nodes; `solution` holds the guess */
  const char *method, *preconditioner; /* "cg", "bicgstab", ...; NULL: the runtime's choice */
  const char *tolerance, *iterations;  /* formulas of parameters: relative to |rhs|; at most so many */
  bool symmetric;
  bool sums_to_zero; /* rows sum to zero: singular unless some node is held */
  int line;
  const char *file; /* as of a check */
} dslc_solve;

typedef struct dslc_variant {
  const char *name;
  int n_choices;
  const char **choice;
  int chosen;
} dslc_variant;

/* ---- kernels --------------------------------------------------------------------------------------------------------- */

typedef enum dslc_arg_kind {
  DSLC_ARG_BUFFER,    /* number = slot: which buffer is said by the launch */
  DSLC_ARG_ITEMS,     /* int32: number of work-items that have work */
  DSLC_ARG_FIRST,     /* int32: first entity of the subset */
  DSLC_ARG_STRIDE,    /* int32: number = place */
  DSLC_ARG_PARAMETER, /* double: number = parameter, component */
  DSLC_ARG_STAGE,     /* double: the launch's `stage` (position of a Runge-Kutta stage in the step, 0..1) */
  DSLC_ARG_WEIGHT,    /* double: the launch's weight[component] */
  DSLC_ARG_GROUPS,    /* int32: number of partials to read: the work-groups of the launch that wrote them */
  DSLC_ARG_POINTS,    /* int32: number = axis: points of the grid along it, cells + 1 (periodic: cells) */
  DSLC_ARG_PITCH,     /* int32: number = axis 1 or 2: entries from a point to the next along it */
  DSLC_ARG_ORIGIN,    /* int32: entry of point (0, 0, 0) */
  DSLC_ARG_HALO,      /* int32: entry of point 0 in arrays along a line: dx[halo + i] */
  DSLC_ARG_ROWS       /* int32: rows of a subdomain of a windowed kernel */
} dslc_arg_kind;

typedef struct dslc_arg {
  dslc_arg_kind kind;
  int number, component;
  const char *name;
  /* buffers: compulsory traffic of one launch in elements per entity of the buffer's place (subset as launched) */
  double reads, writes;
} dslc_arg;

typedef struct dslc_cost {
  double flops; /* per item, after sharing; loops counted with faces_per_cell (or 6) passes */
  double flops_written;
  double slow;          /* of flops: divisions, roots and other functions; not in manifests */
  double loads, stores; /* per item, in elements, as executed: loops counted like flops, nothing reused */
  double bytes;         /* of these; not in manifests, where it is 0 */
} dslc_cost;

enum {
  DSLC_MANY_CALLS = 10000000
};                                /* PoCL, which inlines all functions, compiles 40 000 to 150 000 a second */
enum { DSLC_DEEP_BRANCHES = 11 }; /* within one another: NVIDIA's compiler has so many registers for them */

typedef struct dslc_kernel {
  const char *name;
  dslc_place place;
  int n_args;
  dslc_arg *arg;
  int local_size; /* items of a work-group; kernels with partials rely on it. 0: the runtime may choose */
  bool loop;      /* one work-item takes them all: launched with one for each group, in groups of one */
  bool one_group; /* launched as exactly one work-group */
  int lanes; /* work-items that share an entity: a work-group takes local_size/lanes of them; 0 or 1: one */
  int parts; /* a launch has so many times the entities' work-groups: of so many in turn each computes one part; 0 or 1: one */
  int grid; /* not 0: over the points of a grid of so many axes, x fastest: local size tile[0] x tile[1] x 1, the global size
                   * rounded up to full tiles. With `loop`: one work-item per row of points, global size (1, y, z) */
  int tile[2];
  int overlap; /* windowed kernels: a work-group of tile[0] items marches along y over a subdomain of `rows` rows and
                   * writes tile[0] - overlap columns of it; global size: tile[0]*subdomains in x, subdomains in y. With
                   * `loop`: one work-item for each subdomain, global size: subdomains in x, subdomains in y. Partials: one for
                   * each subdomain, x fastest */
  int rows;    /* 0: not windowed */
  int patches; /* not 0: a work-group for each patch of the mesh, which its items share; DSLC_ARG_ITEMS is the number of patches */
  bool fit_rows; /* or fewer, where a device with many compute units would lack subdomains */
  dslc_cost cost;
  int calls; /* of functions, once each is inlined where it is called, if more than DSLC_MANY_CALLS; else 0 */
  int branches; /* within one another, those of the functions that it calls included, of a GPU's kernel that reduces, if more than
                   * DSLC_DEEP_BRANCHES; else 0 */
  int line;     /* of the scheme, for messages */
  const char *what; /* "wave (8)-(13)" for reports */
} dslc_kernel;

typedef enum dslc_op_kind {
  DSLC_OP_LAUNCH, /* kernel over a subset */
  DSLC_OP_SWAP,   /* buffers a and b exchange their contents (handles) */
  DSLC_OP_COPY,   /* buffer a into buffer b */
  DSLC_OP_GHOSTS, /* periodic ghosts of buffer a are copied from their source cells */
  DSLC_OP_REPEAT, /* operations [b, b + count) of the section, which follow it, until flag `a` is set, at most `limit` times */
  DSLC_OP_SOLVE /* linear system, see dslc_solve */
} dslc_op_kind;

typedef struct dslc_op {
  dslc_op_kind kind;
  int kernel;
  dslc_subset subset;
  int rule;      /* DSLC_RULE */
  int n_buffers; /* launch: buffers by slot */
  int *buffer;
  int groups_of; /* operation of this section whose work-groups DSLC_ARG_GROUPS counts, -1 */
  double
      stage; /* launch: takes place at t + stage times the entry `a` of the scalars (0: dt): what a case gives over time is read so */
  double weight[8];
  int a, b, count,
      limit; /* launch: a, see stage; solve: a = number of the dslc_solve; launch of a hold: rule = its number */
} dslc_op;

typedef struct dslc_section {
  const char *name; /* "setup" (once, after the case's values are in place), "step", "show velocity" */
  int n_ops;
  dslc_op *op;
} dslc_section;

enum { DSLC_SECTION_SETUP = 0, DSLC_SECTION_STEP = 1 };

/* What a DSLC_OP_REPEAT waits for. */
typedef struct dslc_repeat {
  const char *text; /* the condition as written */
  int flag;         /* `a` of the operation */
  int n_residuals;
  int *
      residual; /* entries of the scalars buffer: the condition's reductions after the last pass, in the order of the text */
  int line;
} dslc_repeat;

/* What an equation costs at one point, for the report. */
typedef struct dslc_equation {
  const char *name, *tag; /* tag: "(14)" or NULL */
  dslc_place place;
  int line, kernel; /* kernel that stores it, -1: expanded into its users */
  const char *file; /* where the line stands, of a scheme that is extended or imported; NULL: the scheme's own. Not in manifests */
  double flops_written, flops;
  double loads;     /* distinct values read, loops not multiplied */
  const char *form; /* "store", "inline", "scatter", "patch", "global" */
  bool made;        /* by the compiler: a schedule has no setting for it */
  const char *type,
      *unit; /* "vector"; NULL: the scheme has no units, or it has several parts. Not in manifests: NULL if read from one */
} dslc_equation;

/* ---- the program --------------------------------------------------------------------------------------------------------- */

typedef struct dslc_setting { /* name = value, both text */
  const char *name, *value;
} dslc_setting;

/* What was compiled, and for what. */
typedef struct dslc_identity {
  const char *scheme, *path, *target, *profile;
  const char *hash;      /* of scheme text, imports, options, schedule and compiler version: 32 hex digits */
  const char *text_hash; /* of scheme text and imports alone; NULL: read from a manifest */
  bool changed_by_hand;  /* read from a manifest that takes any kernels: `hash` is then of their text alone */
  /* As dslc_sources.profiled gave them; NULL: it gave none. Not in manifests. */
  const char *profile_path;
  int n_profiled;
  const dslc_setting *profiled;
} dslc_identity;

/* Patches of a mesh: consecutive cells, of which a work-group computes what they sum over their faces, each face once, in local memory. A patch
 * has at most so many cells, ring cells and faces; the runtime makes as few as it can of the cells in their order. All 0: no kernel asks. */
typedef struct dslc_patch {
  int cells, ring, faces;
} dslc_patch;

/* The space that a program runs in. On grids every place has one entry per point (i, j, k), all in the same layout: cell
 * (i, j, k), the faces and the corner on its lower sides. Arrays are padded by `halo` points on all sides, along every axis of
 * the grid; row length and pitches are the runtime's. Points beyond a periodic side are copies (DSLC_OP_GHOSTS), others are not
 * touched. */
typedef struct dslc_space {
  int dims;
  bool on_grid, periodic; /* periodic: right on meshes and grids with periodic sides too */
  int faces_per_cell;     /* 0: rows of any length */
  int halo;
  /* The place "near walls" has an entry for each point that touches a cell at most `band` cells from what is not active, best
   * in the order of their own cells' distances: kernels that need only the nearest ones find them side by side. 0: no kernel
   * asks. */
  int band;
  dslc_patch patch;
  /* Meshes: the step, and not dt alone, depends on `distance` between cells. Not in manifests: of a program read from one, whether it has that
   * buffer at all. */
  bool by_distance;
} dslc_space;

/* What the scheme names: a case gives values to it and asks for it. */
typedef struct dslc_model {
  int n_variants, n_parameters, n_fields, n_globals, n_rules, n_holds, n_equations;
  dslc_variant *variant;
  dslc_parameter *parameter;
  dslc_field *field;
  dslc_global *global;
  dslc_rule *rule;
  dslc_hold *hold;
  dslc_equation *equation;
  bool shows_start; /* what can be shown reads how the step began (`X.prev`); not known of programs read from a manifest */
} dslc_model;

/* What is stored and what runs. */
typedef struct dslc_execution {
  int n_buffers, n_kernels, n_sections, n_checks, n_solves, n_repeats;
  dslc_buffer *buffer;
  dslc_kernel *kernel;
  dslc_section *section;
  dslc_check *check;
  dslc_solve *solve;
  dslc_repeat *repeat;
  /* The most registers of a work-item of kernels that march along rows; 0: no limit. Where the device's compiler takes such a
   * limit, the source is built with it and with EDGEWISE_REGISTERS_LIMITED defined. */
  int registers;
  int together;       /* not 0: launches of the step that follow each other may become one: see dslc_join */
  const char *source; /* kernel text: OpenCL C 1.2 or C11 */
  /* The kernels as they were built, which `source` is the text of: dslc_kernel.h. NULL: C11, or a program that was not compiled but read. */
  struct kir_unit *unit;
} dslc_execution;

/* A sentence; its first `subject` characters, if any, name what it is about, with ": " behind them. */
typedef struct dslc_note {
  const char *text;
  int subject;
} dslc_note;

typedef struct dslc_program {
  dslc_identity identity;
  dslc_space space;
  dslc_model model;
  dslc_execution execution;
  int n_notes;
  const dslc_note *note; /* what the schedule chose and why */
  const void *equations; /* of DSLC_EMIT_REFERENCE, else NULL */
  void *memory;          /* owner of all of the above */
} dslc_program;

/* ---- compiling -------------------------------------------------------------------------------------------------------------- */

typedef enum dslc_emit {
  DSLC_EMIT_OPENCL,
  DSLC_EMIT_C,
  DSLC_EMIT_C_OPENMP,
  DSLC_EMIT_REFERENCE /* no kernels: the equations themselves, for the interpreter of dslc_reference.h */
} dslc_emit;

/* Of the settings of a schedule those that the caller read from a profile: `n` from number `first` on. As in a profile's file, they may be about
 * what the scheme has not. */
typedef struct dslc_profiled {
  const char *path; /* NULL: none are */
  int first, n;
} dslc_profiled;

/* What is read besides the scheme's own file. */
typedef struct dslc_sources {
  const char *
      addition; /* text of a scheme that extends it, whatever base it names, and is compiled in its place; or NULL */
  const char *addition_path; /* how messages name that text */
  int n_buffers;
  const dslc_setting
      *buffer; /* texts that stand for files, by path, as an editor has them before they are saved */
  const char *const *import_path; /* NULL-terminated folders to search besides the scheme's own, or NULL */
  dslc_profiled profiled;
} dslc_sources;

/* What is to be seen of the compiler's steps. */
typedef struct dslc_inspection {
  const char *dump_after; /* print the IR after this step to dump: see dslc_step_names */
  FILE *dump;
  bool
      look_over; /* what every pass and every step of the planner leaves, as debug builds do: a third slower */
} dslc_inspection;

typedef struct dslc_options {
  const char *path; /* scheme file */
  const char *text; /* its text if not to be read from path, or NULL */
  dslc_sources sources;
  int dims; /* for `on mesh(D)`; 0: 2 */
  dslc_emit emit;
  int n_variants;
  const dslc_setting *variant;
  const char *profile; /* schedule file, or NULL: by rule */
  int n_schedule;
  const dslc_setting *schedule; /* single ones, over the profile's; the last wins */
  bool cpu;                     /* the default schedule for a CPU instead of a GPU */
  int faces_per_cell;           /* 0: any */
  bool periodic;                /* the mesh has periodic faces */
  int n_rules; /* rules in use, by name, or "outlet/x": on a grid, across that axis only; -1: all */
  const char *const *rule;
  int n_show; /* quantities and globals to build "show" sections for; -1: all */
  const char *const *show;
  int n_timed; /* arguments, "lid.speed", that will depend on time, besides those declared so; on grids others may not where a
                * state is fixed to them */
  const char *const *timed;
  dslc_inspection inspect;
  bool check_only; /* analyse in full, emit nothing */
  bool
      quick; /* check_only: of several combinations of variants only the first is planned, as editors ask at every key */
} dslc_options;

/* Diagnostics of one compilation, with everything needed to print them. */
typedef struct dslc_messages dslc_messages;

/* Compiles. Returns 0 and a program (NULL with check_only), or 3 when the scheme or schedule has errors (70: internal; 1: out of
 * memory). Destroy the messages. They are NULL only where there was no memory even for them, which the functions below take as one
 * error. Warnings may be present on success. */
int dslc_compile(const dslc_options *options, dslc_program **program, dslc_messages **messages);

/* The steps after which the IR can be printed (dslc_options.dump_after), in their order: equations; values of the plan; kernels, from the
 * first for which dslc_step_is_kernels, for OpenCL only, with all names resolved (docs/kernels.md). Writes at most `most` names, returns how
 * many there are. */
int dslc_step_names(const char **names, int most);
bool dslc_step_is_kernels(const char *name);

int dslc_messages_errors(const dslc_messages *m);
/* What the first error in the file of that path says, and its line; NULL: there is none. */
const char *dslc_messages_error_in(const dslc_messages *m, const char *path, int *line);
int dslc_messages_warnings(const dslc_messages *m);
/* Whether memory ran out before all was said; NULL: before anything. */
bool dslc_messages_cut_short(const dslc_messages *m);
void dslc_messages_print(const dslc_messages *m, FILE *out, bool colour);
void dslc_messages_print_json(const dslc_messages *m, FILE *out);
void dslc_messages_destroy(dslc_messages **m); /* NULL, or pointing to NULL: nothing to do */

void dslc_program_destroy(dslc_program **p);

/* The report (rule 15): per equation and kernel operations, loads, stores, bytes per point, what was chosen and why. */
void dslc_program_report(const dslc_program *p, FILE *out);

/* The line of a scheme from which a line of `source` (from 1) was generated, 0 if none: for a driver's build log. `text` [size] receives it with
 * the name of its file, "heat.ew:12", or "". */
int dslc_scheme_place(const dslc_program *p, int source_line, char *text, int size);

/* Manifest files (JSON). Writing is atomic. Reading checks everything; on failure returns 3 or 6 and a message in `error`. */
int dslc_manifest_write(const dslc_program *p, const char *path, char *error, size_t error_size);
int dslc_manifest_read(const char *path, dslc_program **p, char *error, size_t error_size);

/* Fills the parameters that the case did not set (`set[i]` false) from their formulas; `value` has DSLC_MOST_COMPONENTS entries per parameter.
 * Returns the index of the first parameter that has neither a value nor a formula, or -1. */
int dslc_parameter_defaults(const dslc_program *p, double (*value)[DSLC_MOST_COMPONENTS], bool *set);
/* One formula alone with the parameters' values; `out` has `components` entries. */
void dslc_formula(const dslc_program *p, const char *formula, const double (*value)[DSLC_MOST_COMPONENTS],
                  int components, double *out);

/* Of a parameter, an argument or a field, `>= 0 and < 1`: `< <= > >=` with a number each, and for an int `whole`; of a bool `0 or 1`; NULL: none. */
#define DSLC_BOUNDS_INT  "whole"
#define DSLC_BOUNDS_BOOL "0 or 1"
typedef struct dslc_bounds {
  double low, high; /* infinite where there is none */
  bool low_open, high_open, whole;
} dslc_bounds;
/* False: `text` is something else. */
bool dslc_bounds_read(const char *text, dslc_bounds *b);
/* Whether the value obeys them. */
bool dslc_within(const char *bounds, double value);

/* `dslc explain CODE`; NULL if there is no such code. */
const char *dslc_explain(const char *code, const char **title);

/* Reformats a scheme; NULL if it has errors (in messages). Free with free(). */
char *dslc_format(const char *path, const char *text, dslc_messages **messages);

/* The scheme as a LaTeX document of typeset equations, with what it extends and imports; of the options path, text and import_path count. The same
 * about errors and memory. */
char *dslc_tex(const dslc_options *options, dslc_messages **messages);

const char *dslc_version(void);

#endif
