/* Shared by the emitter's files: they turn a planned kernel into kernel IR. What OpenCL C 1.2 and C11 differ in is who the items are (an
 * item is a work-item, or a turn of a loop), and some spellings.
 *
 *   emit.c       the kernels one after the other, the file's definitions; fills the program
 *   place.c      which values are temporaries, in which order, in which loop or arm of a branch they are computed
 *   value.c      expressions
 *   access.c     buffers: names, elements, index macros
 *   arguments.c  a kernel's arguments, by the account of what it touches
 *   body.c       statements of a kernel's body
 *   kernel.c     the frame around a body: arguments, guards, reductions, outputs
 *   patch.c      kernels over patches of a mesh
 *   points.c, grid.c, walls.c, walls_met.c, walls_write.c, tables.c, window.c, march.c   on grids
 *
 * Statements and expressions are made through kernel/build.h, and printed by back/file.c, which takes no decision. */
#ifndef DSLC_EMIT_EMIT_H
#define DSLC_EMIT_EMIT_H

#include "back/file.h"
#include "back/text.h"
#include "kernel/account.h"
#include "kernel/build.h"
#include "schedule/plan.h"

/* ---- placement ---- */

/* What the emitter knows of one node while it writes one kernel. */
typedef struct node_state {
  bool live, in_loop /* depends on a loop's index */, keep /* must be a temporary */,
      same /* made of parameters and numbers that hold for all */,
      expensive /* takes a quotient, a function or a load */, branch /* a select written as if/else */,
      is_output, mark;
  int early, stage; /* behind which loops (by level) it can, and will, be computed */
  unsigned points;  /* the accesses (1 << ir_at) that its value depends on */
  int depth;        /* branches below it within its scope */
  int uses, region;
  int group;       /* of the branch, or -1 */
  kir_expr *value; /* NULL: not written yet */
} node_state;

/* A block of statements: the scope's own, or one arm of a branch. */
typedef struct region {
  int parent, depth;
  VEC(int) item; /* node id, or -1 - group */
} region;

/* Selects with one condition, written as one if/else. */
typedef struct branch_group {
  ir_id condition;
  int early, stage, depth, region, then_region, else_region;
  VEC(ir_id) member;
  bool flat; /* nested too deeply: written as ?: after all */
} branch_group;

/* The kernel's body, or the body of one loop. region.at[0] is its root. */
typedef struct scope {
  VEC(ir_id) node; /* ascending */
  VEC(region) region;
  VEC(branch_group) group;
} scope;

/* One loop over the faces of a cell or the neighbours of a node; it computes all reductions of its level. */
typedef struct loop {
  ir_binder binder;
  int level; /* 1 + the loops its body depends on, in a chain */
  bool uses_face, uses_outward, uses_left, uses_across, uses_sides, uses_neighbour;
  VEC(ir_id) reduction;
  scope body;
} loop;

/* ---- kernel ---- */

/* A buffer argument, or, until the kernel is built, what may become one. */
typedef struct slot {
  int buffer;
  bool read_by_value;         /* by a value, not only to add to it */
  bool stored;                /* by an output */
  bool by_walls;              /* functions near walls read all of it */
  bool aliased;               /* some launch binds its buffer to another slot as well */
  bool used;                  /* by the kernel's own statements, ... */
  const kir_account *account; /* ... how: once it is built; else NULL */
} slot;

/* A function-like macro that stands for one component of a buffer. */
typedef struct access_macro {
  const char *name; /* `q_x` */
  const char
      *side; /* of a fluctuation's component k: chooses between to L and to R, `roe_out_h`; else NULL */
  int span;  /* components from to L to to R */
  bool used, side_used;
  int stored_by; /* 1 + the last kernel that has it as an output */
} access_macro;

/* An op that launches a kernel. */
typedef struct launch {
  int section, op;
} launch;

typedef VEC(launch) launch_list;

/* Of the whole file. */
typedef struct file_text {
  name_scope *names;       /* of the file: parameters */
  name_scope *macros;      /* function-like, so a local variable may have the same name */
  name_scope *arguments;   /* buffers' and arrays' names without their `_` */
  const char **buffer_arg; /* by buffer: `h_` */
  access_macro **access;   /* by buffer and component */
  const char **parameter;  /* by parameter * DSLC_MOST_COMPONENTS + component */
  kernel_file *out;        /* what the printer is given */
  launch_list *launch;     /* by kernel */
  plan_rebind *rebind;     /* sorted by launch and buffer */
  int n_rebinds;
  int common_group; /* work-group size of most kernels, 0: none states one */
} file_text;

enum { MOST_WEIGHTS = 8 };

/* The part of a function near walls that is being written. */
typedef struct wall_context {
  const plan_function *function; /* or NULL: a kernel */
  bool meets_no_wall;            /* the code being written stands behind a condition that says so */
  plan_part
      inside; /* of a function of rules that fix, being written: the part of what these read inside; 0: what is assigned */
  plan_part beyond; /* beyond several walls: of the function being written, else 0 */
  ir_place
      ghost_place; /* of the quantity whose ghost is being written, where its wall may stand beside it: see grid.c; 0 */
  bool is_far;             /* the ghost being written is asked for deeper than next to the wall */
  bool on_boundary;        /* the rule being written fixes nothing: the points on the boundary are inside */
  const int8_t *wall_face; /* in a fix: from its point to the face whose wall says it; NULL elsewhere */
  int axis;                /* of the wall whose rule is being written, -1: none */
  int faces;               /* between so many the ghost being written lies, see walls_write_faces; 0: at one */
} wall_context;

/* What functions near walls see of a kernel's arguments. */
typedef struct naming {
  bool in_walls_struct[DSLC_PLACE_COUNT], *walls_buffer, *walls_parameter, walls_stage;
} naming;

/* Windowed kernels. */
typedef struct window_text {
  struct kept_rows *kept; /* by windowed kernel, in order */
  int n_kept;
  int *kept_of, n_numbers; /* by a window's number: 1 + the first one's place there, 0: none */
  struct march *march;     /* of the kernel being written, or NULL */
  bool walls_away;         /* the march being written is that of subdomains without a wall in reach */
} window_text;

/* What the kernel being written is called, and what of it has been said. */
typedef struct own_names {
  int number;
  const char *name, *group_size;
  name_scope *locals;
  const char *last_note; /* the last `// file:line` written */
} own_names;

/* The values of the kernel being written, and where they are computed: see place.c. */
typedef struct kernel_values {
  node_state *node; /* by node */
  VEC(ir_id) live;  /* the nodes that it needs, ascending */
  VEC(loop) loop;
  scope body;
} kernel_values;

typedef struct kernel_arguments {
  VEC(slot) slot;
  int *slot_of; /* by buffer: the place of its slot, if that one is its own */
  VEC(dslc_arg) arg;
  kir_layout *layout; /* by argument's number: see arguments_parameter */
  kir_accounts touched;
} kernel_arguments;

/* A variable for one end of a face or edge, which stays if something names it. */
typedef struct end_variable {
  kir_body *body;
  kir_stmt *let;
  int table;
  kir_expr *index;
} end_variable;

/* Where the members of the struct that functions near walls see are to be set. */
typedef struct member_place {
  kir_body *body;
  int at;
  kir_expr *walls;
} member_place;

/* Of the kernel being written: what is completed once all that it names is known. */
typedef struct kernel_rest {
  VEC(end_variable) end;
  VEC(member_place) members;
  VEC(kir_stmt *) store; /* of a march: these write past the cache, unless it reads the same */
} kernel_rest;

/* By function of the plan: the macro that looks its table up, by a point or by a point's number near walls; NULL: nobody does. */
typedef struct table_macros {
  const char **by_point, **by_number;
} table_macros;

typedef struct emitter {
  plan *p;
  const ir_module *m;
  const dialect *d;
  arena *memory;
  kir_builder *b;
  file_text file;
  /* of the kernel being written */
  const plan_kernel *k;
  own_names own;
  kernel_values values;
  kernel_arguments args;
  kernel_rest rest;
  struct patch_text *patch; /* over patches of a mesh; or NULL */
  /* grids */
  wall_context at_wall;
  table_macros tables;
  struct wall_function *walls; /* by function of the plan */
  plan_kernel near;            /* the kernel with its values near walls */
  bool calls_walls;            /* the kernel being written does */
  window_text window;
  naming named;
} emitter;

/* place.c */
void place_kernel(emitter *e);
void place_loop(emitter *e, loop *l);
bool place_is_trivial(const emitter *e, ir_id id); /* a literal or an argument: never a temporary */

/* access.c */
void access_name_all(emitter *e);
void access_write_macros(emitter *e);
/* The element of a buffer at an index; notes that its macro is used. */
kir_expr *access_element(emitter *e, int buffer, int component, kir_expr *index);
kir_expr *access_at(emitter *e, int buffer, int component, const char *index); /* at a variable */
kir_expr *access_table(emitter *e, int buffer, kir_expr *entry, kir_expr *index);
kir_expr *access_widened(emitter *e, kir_expr *x); /* a number that is read: a double */
kir_expr *access_buffer(emitter *e, int buffer);   /* the argument itself */
bool access_is_table(const emitter *e,
                     int buffer);               /* of a fixed number of entries a cell: indexed by that too */
kir_expr *access_scalar(emitter *e, int entry); /* of the numbers that hold for the whole run */
kir_expr *access_edge(emitter *e, plan_edge_index index, bool in_loop, kir_expr *edge);
kir_expr *access_read(emitter *e, ir_id id);             /* READ, PARAM, SIGN_OUT */
kir_kind access_kind(const dslc_buffer *b);              /* of its elements */
const char *access_temporary_name(emitter *e, ir_id id); /* what a temporary for such a node is called */

/* arguments.c */
void arguments_lay_out(emitter *e); /* once */
void arguments_collect(emitter *e); /* the kernel's buffers in their order */
/* The same in steps, for a kernel with two versions of its values. */
void arguments_begin(emitter *e);
void arguments_note_values(emitter *e); /* of what place_kernel placed last */
slot *arguments_note(emitter *e, int buffer);
void arguments_note_table(emitter *e, int buffer); /* -1: there is none */
void arguments_end(emitter *e);
/* Of what was built: which buffers the kernel has, and its list of arguments. */
void arguments_take_account(emitter *e);
bool arguments_reads(const emitter *e, int buffer, int component); /* once the account is taken */
void arguments_fill_traffic(const emitter *e, dslc_kernel *out);
/* Numbers of arguments in the kernel IR; those of buffers are their own. */
int arguments_parameter(const emitter *e, int number); /* by that in file_text.parameter */
int arguments_stage(const emitter *e);
int arguments_weight(const emitter *e, int number);
bool arguments_strided(const dslc_buffer *b); /* do its components lie apart, by the stride of its place? */
bool arguments_over_points(const emitter *e); /* is it a kernel over the points of a grid? */
int arguments_read_buffer(const emitter *e, const ir_node *n, int *component); /* -1: not from a buffer */
double arguments_row_length(const emitter *e, ir_binder binder);

/* value.c */
void value_write(emitter *e, ir_id id);   /* sets node.value, spilling long operands */
kir_expr *value_of(emitter *e, ir_id id); /* of a node already written, or trivial */
/* A fresh name for its variable: by its hint and the cell it looks at, else `otherwise`. */
const char *value_name(emitter *e, ir_id id, const char *otherwise);
kir_expr *value_temporary(emitter *e, ir_id id);         /* makes a temporary of it */
kir_expr *value_within(emitter *e, ir_id id, int level); /* in parentheses if it binds less tightly */
kir_kind value_type(const emitter *e, ir_id id);

/* body.c */
void body_write(emitter *e);
bool body_steps_slots(const emitter *e); /* its loops over neighbours go from slot to slot */
/* Of lanes that share an entity: declares their shared memory, before the body. */
void body_write_scratch(emitter *e);
void body_note(emitter *e, ir_id id); /* where the last statement comes from */

/* kernel.c */
void kernel_write(emitter *e);
kir_expr *kernel_flags(emitter *e); /* the buffer */
kir_expr *kernel_stop_condition(emitter *e);
void kernel_write_combine(emitter *e, ir_reduce kind, kir_expr *total, kir_expr *value);
void kernel_write_group_call(emitter *e, ir_reduce kind, kir_expr *total);
kir_expr *kernel_neutral(emitter *e, ir_reduce kind);
kir_expr **kernel_declare_totals(emitter *e);                   /* accumulators, by output */
void kernel_write_partials(emitter *e, kir_expr *const *total); /* of a variable group */
void kernel_settle_outputs(emitter *e);
bool kernel_has_partials(const plan_kernel *k);
/* For kernels over patches: the pieces of kernels over items. */
void kernel_write_item(emitter *e, kir_expr *const *total);
void kernel_open_group(emitter *e); /* of which no item returns early */
void kernel_close_group(emitter *e, kir_expr *const *total);
kir_expr **kernel_declare_results(emitter *e);
void kernel_write_results(emitter *e, kir_expr *const *result);
void kernel_write_stop(emitter *e);

/* patch.c: kernels over patches of a mesh */
void patch_prepare(emitter *e); /* places and collects, as place_kernel and arguments_collect do */
void patch_write(emitter *e);   /* what stands between the kernel's braces */
void patch_fill_cost(emitter *e, dslc_kernel *out);
/* emit.c. Of a point, with sums over so many. `written` leaves out what checks compute, which stands in no formula. */
ir_cost emit_cost_of(const emitter *e, const plan_kernel *k, double length);
double patch_passes(const emitter *e);                       /* of the part being placed, for each cell */
bool patch_holds(const emitter *e, const ir_node *n);        /* is it read from local memory there? */
void patch_note_read(emitter *e, int buffer, int component); /* such */
kir_expr *patch_read(emitter *e, const ir_node *n, int buffer, int component);

/* points.c: kernels over the points of a grid */
void points_prepare(emitter *e);    /* places and collects, as place_kernel and arguments_collect do */
void points_write(emitter *e);      /* what stands between the kernel's braces */
void points_store_past(emitter *e); /* of a window, once it is known what it reads */

/* Of points.c, for windowed kernels: the same for some of the outputs. `total`: accumulators, by output. */
void points_write_both(emitter *e, kir_expr *const *total); /* of variables point, col, row */
/* The same of outputs that are kept only: where walls are near, in the plain values' place. */
void points_write_kept(emitter *e);
void points_write_runs(emitter *e,
                       kir_expr *const *total); /* of points begin .. end of a row; before: at column 0 */
void points_write_group(emitter *e, kir_expr *const *total);

/* tables.c: kernels that compute equations at the points near walls, for all others to look up */
kir_expr *tables_element(emitter *e, int function, kir_expr *point); /* of the function's table */
bool tables_hold(const emitter *e, ir_id value);                     /* is it looked up, and nothing more? */
void tables_note_reads(emitter *e);   /* buffers that the kernel's own look-ups need */
void tables_write_macros(emitter *e); /* that look up */
void tables_prepare(emitter *e);      /* as points_prepare */
void tables_write(emitter *e);        /* what stands between the kernel's braces */

/* window.c: kernels that march along the rows of a grid, and what they keep of them */
void window_name_all(emitter *e);
void window_write_macros(emitter *e);
void window_write(emitter *e); /* what stands between the kernel's braces */
bool window_keeps(const emitter *e,
                  int buffer); /* is it kept by the kernel, or by the one whose function is written? */
/* An element of a kept buffer at a point; NULL if it is not kept. */
kir_expr *window_element(emitter *e, int buffer, int component, kir_expr *point);
kir_expr *window_read(emitter *e, const ir_node *n, int buffer,
                      int component); /* the same in a kernel's body */
void window_write_keep(emitter *e, const plan_output *o, kir_expr *condition);
/* What is done with each member of the struct that functions near walls see. */
typedef void window_member(emitter *e, const kir_type *type, const char *text);
void window_each_member(emitter *e, window_member *visit);
void window_write_members(emitter *e, const char *walls); /* set in a kernel; `walls`: "walls->" */
/* Unpacked in a function: what some expression of it names. */
void window_unpack(emitter *e, const kir_body *body);

/* march.c: what an item of a windowed kernel reads of its own column, row by row */
void march_begin(emitter *e);
void march_set_row(emitter *e, int row); /* of the piece that comes next */
int march_row(const emitter *e);
/* Its values are placed. True: it reads what the kernel writes, and must do so at the columns that the group writes only. */
bool march_note_piece(emitter *e);
kir_expr *march_read(emitter *e, const ir_node *n, int buffer, int component); /* NULL: from memory */
kir_expr *march_near(emitter *e);        /* how near the next wall is, at the piece's point */
kir_expr *march_wall_number(emitter *e); /* of the piece's point; NULL: look it up */
/* Sets walls_in_reach; `lowest`: of the rows of its pieces; `highest`: of those of the last pass. */
void march_look_for_walls(emitter *e, int lowest, int highest);
void march_open(emitter *e, int first_row);
void march_enter(emitter *e); /* right behind the loop's head */
void march_end(emitter *e);

/* grid.c: places of a grid as expressions */
kir_expr *grid_index(emitter *e, const ir_node *n); /* of a READ */
const char *grid_shift_suffix(emitter *e,
                              const ir_node *n); /* of a name for its value: "", "_xm", "_xpym2" */
kir_expr *grid_out(emitter *e, ir_place place,
                   kir_expr *point); /* all cells that touch it are solid or beyond the box */
kir_expr *grid_out_of_all(emitter *e, unsigned places,
                          kir_expr *point); /* the same of several, 1 << place each */
kir_expr *grid_shifted(emitter *e, kir_expr *point, const int8_t off[3]);
kir_expr *grid_out_at(emitter *e, ir_place place, const char *point); /* of a variable */
bool grid_staggered(ir_place place, int axis); /* does it lie on the lower sides of cells along the axis? */

/* walls.c: functions near walls */
void walls_plan(emitter *e);                    /* what each function calls and reads; before kernels */
const char *walls_text(emitter *e, int number); /* a function's name, without what says which part of it */
void walls_write(emitter *e);                   /* the struct and the functions */
kir_expr *walls_call(emitter *e, ir_id id);     /* a READ or FIXED that calls one; NULL if it does not */
/* A rule's argument where e->at_wall says that what the rule speaks of lies between several faces: its mean over these. */
kir_expr *walls_mean_argument(emitter *e, int buffer, int component);
void walls_note_kernel(emitter *e);             /* buffers and parameters that the kernel's calls need */
void walls_write_members(emitter *e);           /* of the structs of the kernel, whose arguments are known */
void walls_write_struct(
    emitter *e); /* in a kernel, where what was placed last calls any: what functions see */
void walls_write_shared(emitter *e);  /* at its beginning: the same, once for a work-group */
void walls_write_exactly(emitter *e); /* opens a block whose values another must repeat to the bit */

#endif
