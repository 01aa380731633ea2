/* What the files of a run share. Internal to the runtime.
 *
 *   places.c    numbers of entities, strides, subsets of faces, colours
 *   rim.c       the cells at boundaries
 *   geometry.c  what the mesh says: geometry and topology buffers
 *   on_nodes.h  nodes, edges, rows of rules at nodes, linear systems
 *   buffers.c   allocation, layout of components
 *   values.c    what the case says: parameters, states, givens, arguments
 *   launch.c    operations of a section
 *   advance.c   the time loop between two looks of the host
 *   access.c    reading and writing fields
 *   fault.c     what a failed check says
 *   on_grid.h   the same for grids: grid_places.c, grid_values.c */
#ifndef EW_EXEC_RUN_H
#define EW_EXEC_RUN_H

#include "run/run.h"
#include "run/identity.h"
#include "run/leave.h"
#include "case/sample.h"
#include "fe/fe.h"
#include "mesh/pieces.h"

struct exec_grid; /* on_grid.h */

typedef struct exec_range {
  int32_t first, count;
} exec_range;

/* The work-items of the kernels of one place. */
typedef struct exec_place {
  int32_t owned, all; /* without and with ghosts */
  int32_t stride;     /* of components; a multiple of 32, so that components are aligned */
} exec_place;

/* Rows of probes and history that are queued between steps, so that nobody waits for them. Row after row of a batch of steps is taken,
 * all are fetched behind it, and when the host has looked those are kept that the device came to. */
typedef struct exec_tap {
  void *context;
  int64_t every; /* steps: so many behind run->files.sampled the next row is due */
  int rows;      /* of a batch, at most */
  bool computes; /* what is shown, by kernels which do nothing behind the last step that a batch makes */
  ew_status (*take)(void *context, int row, ew_error *err);
  ew_status (*fetch)(void *context, int rows, ew_error *err);
  void (*keep)(void *context, int rows);
  ew_status (*row)(void *context, ew_error *err); /* of the present state, outside of batches */
} exec_tap;

typedef struct exec_solver exec_solver;
typedef struct exec_ahead exec_ahead;
struct exec_reference; /* reference/reference.h */

/* On meshes with launches over faces of one colour, of which no two share a cell. */
typedef struct exec_colours {
  int n;
  int32_t *start; /* [n + 1] into face */
  int32_t *face;  /* [n_faces]; NULL if no launch needs colours */
} exec_colours;

/* On meshes with launches in the cells at boundaries. */
typedef struct exec_rim {
  int32_t n, wide; /* those with a face there; and with the cells across their other faces */
  int32_t *cell;   /* [n_cells]; NULL if no launch needs them */
} exec_rim;

/* Of programs with something at nodes. */
typedef struct exec_at_nodes {
  fe_space *fe;        /* NULL: nothing of the program lies there */
  fe_rows **hold;      /* [n_holds] */
  exec_solver *solver; /* [n_solves] */
  char aside[1024];    /* why a tuning that is stored is not used, "" if none is */
  dev_buffer *gate;    /* not 0: solves do nothing, because the step or the repeat around them is over */
  int skip;            /* number of the flag that says so: of the repeat, else DONE */
} exec_at_nodes;

/* Made when first asked for, for the outside. */
typedef struct exec_outside {
  double *cell_volume, *cell_centre; /* of a grid */
  double *node_volume, *node_part;   /* [m->n_nodes], see exec_nodes */
} exec_outside;

/* The runtime's own kernels. */
typedef struct exec_builtin {
  dev_program *program;
  dev_kernel *copy, *ghosts_f64, *ghosts_f32, *copies_f64, *copies_f32, *repeat_begin, *set_gate, *gather_f64,
      *gather_f32;
  dev_buffer *ghost_source; /* of the mesh, for the kernels of ghosts */
} exec_builtin;

/* The buffers of scalars and flags, and what the host saw of them at its last look. */
typedef struct exec_seen {
  int scalars, flags; /* numbers of these buffers */
  int n_scalars, n_flags;
  double *scalar_values;
  int32_t *flag_values;
} exec_seen;

/* Handles as they were after each queued step. */
typedef struct exec_queue {
  dev_buffer **handle; /* [(n + 1) * n_buffers] */
  int n;
  const exec_tap *tap; /* borrowed, or NULL */
} exec_queue;

/* What depends on time. */
typedef struct exec_clock {
  int n_timed;      /* buffers of values over time; at least 1 where such values bound steps */
  bool *timed;      /* [n_buffers] arguments and givens that are evaluated anew as time goes on, */
  double *timed_at; /* and the time that they hold now */
  int n_knots;
  double *knot;             /* [n_knots] times that steps meet, increasing */
  struct exec_ahead *ahead; /* ahead.h; NULL until the first step */
  double wanted;            /* the time that exec_advance was asked for */
  bool step_known;          /* of the step being queued: */
  double step_scalars[DSLC_SCALAR_GLOBALS];
} exec_clock;

/* What went wrong. */
typedef struct exec_failure {
  exec_fault fault;
  int last_passes;   /* of the last repeat */
  int failed_pass;   /* of a repeat, in which a check failed; 0: not in one, as far as is known */
  char cut_off[512]; /* see exec_cut_off */
  bool broken;       /* a solve failed: the state is half a step */
} exec_failure;

typedef struct exec_measuring {
  bool on;
  exec_counters begin;
  uint64_t *items; /* [n_kernels] work-items launched while it is on */
} exec_measuring;

/* How steps and values grow: see growth.c. */
typedef struct exec_growth {
  bool ramped;       /* steps have grown from the case's first one to the scheme's bound */
  double most_step;  /* s; the most that the case lets the next step be, finite */
  double first_free; /* the scheme's first dt, 0: none yet */
  double scale;      /* the largest number that the case gives, 0: not known yet */
} exec_growth;

/* Of the files, kept in checkpoints. */
typedef struct exec_files {
  int outputs;         /* written so far */
  double *output_time; /* [outputs] */
  int64_t sampled;     /* step of the last row of probes and history; -1: none yet */
  exec_pairs
      series; /* their files, and how long they were at the last exec_output_mark or in the checkpoint read */
} exec_files;

/* What kernels run over. */
typedef struct exec_points {
  cell_id n_cells;
  exec_place place[DSLC_PLACE_COUNT];
  int32_t n_inside; /* faces with cells on both sides: interior and periodic ones */
  exec_range *rule; /* [n_rules] faces of each rule */
  exec_colours colours;
  exec_rim rim;
  mesh_pieces *pieces; /* for kernels over patches; NULL: there are none */
  int32_t *inside;     /* [n_cells + n_ghosts] the cell whose values a ghost starts with; a cell itself */
} exec_points;

/* What was done so far, and since when it is counted. */
typedef struct exec_account {
  exec_counters counters;
  int64_t steps_before; /* of the run that left the checkpoint */
  dev_stats stats_begin;
  exec_measuring profile;
} exec_account;

/* The scheme's kernels. */
typedef struct exec_code {
  dev_program *program;
  dev_kernel **kernel;              /* [n_kernels] */
  struct exec_joins *joins;         /* joins.h; NULL: every launch is made by itself */
  const struct exec_member *member; /* of an ensemble, see ensemble.h; or NULL */
} exec_code;

struct exec_run {
  dev_context *device;
  const dslc_program *program;
  exec_domain domain; /* borrowed */
  const mesh *m;      /* the domain's: one of them is NULL */
  const grid *g;
  int dim;
  const ew_case *c;
  struct exec_grid *on_grid; /* NULL on a mesh */
  char mesh_hash[33];        /* of the grid, if it is one */
  exec_outside outside;

  exec_points points;
  exec_at_nodes nodes;

  struct exec_reference *reference; /* NULL: kernels compute */

  double (*parameter)[DSLC_MOST_COMPONENTS];
  exec_code code;
  exec_builtin builtin;
  dev_buffer **buffer; /* [n_buffers] present handles: swaps exchange them */
  exec_seen seen;
  exec_queue queue;
  exec_clock clock;

  exec_failure failure;
  exec_account account;
  exec_growth growth;
  exec_identity identity;
  exec_files files;
};

/* places.c */
exec_place exec_place_of(int32_t owned, int32_t all);
ew_status exec_places_create(exec_run *run, ew_error *err);
void exec_places_destroy(exec_run *run);
/* Faces of which no two of one colour share a cell: fills the colour members. */
ew_status exec_colours_create(exec_run *run, ew_error *err);
ew_status exec_rim_create(exec_run *run, ew_error *err);
/* Work-items of a launch; for DSLC_COLOUR of the colour, for DSLC_HOLD of the layer given. */
exec_range exec_items(const exec_run *run, const dslc_op *op, int part);
/* Work-groups of a launch. */
int32_t exec_groups(const exec_run *run, const dslc_op *op);

/* buffers.c */
ew_status exec_buffers_create(exec_run *run, ew_error *err);
void exec_buffers_destroy(exec_run *run);
/* Frees geometry and work that only the setup needed, such as integrals of which others were made; their handles are NULL. */
void exec_buffers_release(exec_run *run);
/* Entries of a buffer of arguments: faces of its rule, or rows. */
int32_t exec_argument_count(const exec_run *run, const dslc_buffer *b);
/* Where component d of entity i lies, in elements. */
size_t exec_element(const exec_run *run, const dslc_buffer *b, int32_t i, int d);
/* EW_INPUT where the buffer is in single precision, and the field's largest number, out of values[width * i + d], is too small for that. */
ew_status exec_check_small(const dslc_buffer *b, const dslc_field *f, const double *values, int32_t n,
                           ew_error *err);
/* Copies between values[width * i + d] of n entities and a buffer in its own layout. put leaves entries beyond n
 * zero. */
ew_status exec_put(exec_run *run, int buffer, const double *values, int32_t n, ew_error *err);
ew_status exec_get(exec_run *run, int buffer, double *values, int32_t n, ew_error *err);

/* geometry.c */
ew_status exec_geometry_fill(exec_run *run, ew_error *err);
/* Of cells (with ghosts) or faces: the mesh's own array, or `room` (for one number each), filled. NULL: there is no such geometry. */
const double *exec_mesh_geometry(const mesh *m, dslc_place place, dslc_source_kind kind, double *room);
void exec_hash_mesh(const mesh *m, char hash[33]);
/* Takes an order of the nodes into the hash. */
void exec_hash_order(const int32_t *dof, node_id n, char hash[33]);

/* access.c */
/* Is what points from L to R the other way round on face a than on b, the same face of a periodic side at its other place? */
bool exec_seam_turns(const mesh *m, const dslc_field *f, face_id a, face_id b);

/* values.c */
/* What an argument is that the case does not give: a default within its bounds. */
ew_status exec_argument_default(const struct exec_run *run, int rule, const dslc_argument *a,
                                const char *boundary, double *value, ew_error *err);
const case_value *exec_find_value(const case_value *v, int n, const char *name);
ew_status exec_parameters_fill(exec_run *run, ew_error *err);
ew_status exec_values_fill(exec_run *run, ew_error *err);
/* The values of one buffer at time t. */
ew_status exec_values_put(exec_run *run, int buffer, double t, ew_error *err);
/* [dim] where values at entity i of a mesh are taken: beyond a boundary that is the cell inside, of the two faces of a periodic side that are one the
 * lower, of an edge its middle. */
void exec_mesh_point(const exec_run *run, dslc_place place, int32_t i, double *x);
/* What exec_sampler_at says of entity i of a place; for one-valued fields nothing. */
void exec_sampler_on_mesh(exec_sampler *s, const exec_run *run, dslc_place place, int32_t i);
/* What the case says of entity i of a mesh at a time: the field's components; of a flux the vector's part along the normal. */
typedef struct exec_field_point {
  const dslc_field *f;
  int32_t i;
  double t;
} exec_field_point;
ew_status exec_sample_point(const exec_run *run, exec_sampler *s, const exec_field_point *p, double *out,
                            ew_error *err);
/* Whether a state's or given's values are kept in the buffer. */
bool exec_lies_in(const exec_run *run, const dslc_field *f, int buffer);

/* timed.c */
ew_status exec_timed_create(exec_run *run, ew_error *err);
void exec_timed_destroy(exec_run *run);
/* Evaluates what depends on time among the buffers of a launch, for the launch's time. */
ew_status exec_timed_for(exec_run *run, const dslc_op *op, ew_error *err);
/* knots.c: the times that no step passes: the knots of series, and between them where a series has gone by a fiftieth of its range. */
ew_status exec_knots_create(exec_run *run, ew_error *err);
/* The next one behind t; infinite if there is none. */
double exec_next_knot(const exec_run *run, double t);
/* Does rounding alone keep these times apart? Between two such the difference of two states over dt is rounding too. */
bool exec_is_same_time(double a, double b);
/* The knot from which rounding alone keeps t apart, else t: where a step is to end at both, it ends at the knot. */
double exec_moment(const exec_run *run, double t);

/* growth.c: EW_DIVERGED if a state is larger by far than all that the case gives. */
ew_status exec_growth_check(exec_run *run, ew_error *err);
/* A line for each state, with its least and its largest value and where they are, as far as `size` goes. */
void exec_describe_states(exec_run *run, char *text, size_t size);

/* reference/bound.c: what the next dt comes from, and where, as a line that begins with its break; "" if that is not known. */
void exec_describe_bound(exec_run *run, char *text, size_t size);

/* Evaluates all of them for the run's time, also those that hold it: for a checkpoint, which tells what they are. */
ew_status exec_timed_all(exec_run *run, ew_error *err);
/* The same for one buffer that is to be read as it is now. */
ew_status exec_timed_now(exec_run *run, int buffer, ew_error *err);
/* What a step swaps with a state starts with its values: where nothing is computed, as in solids, both have the same at all times, and a
 * run that was resumed has those of one that was not. */
ew_status exec_values_spread(exec_run *run, ew_error *err);
/* Notes the time of the output that is written next, and counts it. */
ew_status exec_count_output(exec_run *run, ew_error *err);

/* kept.c */
/* By buffer: whether a checkpoint holds it. NULL: out of memory. The caller frees it. */
bool *exec_kept(const dslc_program *p);

/* kernels.c */
ew_status exec_kernels_create(exec_run *run, ew_error *err);
void exec_kernels_destroy(exec_run *run);

/* launch.c */
/* One launch of an operation: it, its section, the items of one part. */
typedef struct exec_launch {
  const dslc_section *section;
  const dslc_op *op;
  exec_range items;
} exec_launch;
int exec_launch_parts(const exec_run *run, const dslc_op *op);
/* Work-items, and those of a work-group, 0: any number. Not of grids. */
uint64_t exec_launch_size(const exec_run *run, const exec_launch *l, size_t *local);
/* Sets the arguments of the operation's kernel, from `first` on of a kernel that has them. */
ew_status exec_launch_arguments(exec_run *run, const exec_launch *l, dev_kernel *kernel, unsigned first,
                                ew_error *err);
void exec_swap(exec_run *run, int a, int b);
/* Queues all operations of a section. */
ew_status exec_section(exec_run *run, int section, ew_error *err);
/* The same for setup and show sections, which run outside of steps: flags are cleared first. */
ew_status exec_section_alone(exec_run *run, int section, ew_error *err);

/* advance.c */
/* Reads scalars and flags. */
ew_status exec_look(exec_run *run, ew_error *err);

/* How long the next step may be, for the case and what it gives over time: into run->growth.most_step. */
ew_status exec_bound_step(exec_run *run, ew_error *err);

/* Whether rows are taken while steps are queued, not by stopping for each. */
bool exec_tapped(const exec_run *run);

/* fault.c */
/* Notes the check that failed, if any, and describes it: EW_DIVERGED. */
ew_status exec_fault_check(exec_run *run, ew_error *err);
/* Does a formula read this name? What stands in brackets, units and indices, is left out. */
bool exec_formula_reads(const char *formula, const char *name);

/* solves.c */
/* A figure of a linear system: "p.iterations", "p.residual" of the last solve for p. */
bool exec_is_solve_figure(const dslc_program *p, const char *name);
bool exec_solve_figure(const exec_run *run, const char *name, double *out);

/* access.c */
int exec_find_field(const dslc_program *p, const char *name);
int exec_find_global(const dslc_program *p, const char *name);
/* Runs the section that computes a quantity or global, if it has one. */
ew_status exec_show(exec_run *run, int section, ew_error *err);

/* A component as output names it: "q.x"; component -1: the length of a vector, or the scalar itself. */
typedef struct exec_component {
  int field, component;
} exec_component;
bool exec_find_component(const dslc_program *p, const char *text, exec_component *out);
/* Values at the cells, or of a field at nodes at all nodes of the mesh: [exec_component_count]. */
int32_t exec_component_count(const exec_run *run, exec_component which);
ew_status exec_read_component(exec_run *run, exec_component which, double *out, ew_error *err);
/* The entries of a field around a spot and what they weigh; returns how many there are. */
int exec_entries_at(const exec_run *run, const dslc_field *f, const exec_spot *where, int32_t entry[8],
                    double weight[8]);
/* All components of a field at one place, between nodes interpolated; `out` has room for 9. Does not run its section. */
ew_status exec_read_at(exec_run *run, int field, const exec_spot *where, double *out, ew_error *err);

#endif
