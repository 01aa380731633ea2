/* Runs compiled schemes: a dslc_program on a mesh or a grid, on a device, with the values of a case.
 *
 * Two levels. exec_run_case lives a whole case: mesh, compilation, run, output. Below it exec_create makes a
 * run of which the caller decides when it advances and what is read, as tests, benchmarks and the tuner do.
 *
 * Lifetime   A run borrows device, program, domain and case: all must outlive it. Destroy accepts NULL and
 * nulls. Patches    mesh_order_patches is applied by exec_prepare_mesh: a mesh must have gone through it
 * (exec_domain_create, exec_mesh and exec_run_case do so) before exec_create, and must not be renumbered afterwards. Errors
 * EW_INPUT: case, mesh and scheme do not fit; EW_DIVERGED: a check failed on the device, after which only
 * reading is allowed; EW_DEVICE, EW_IO; EW_STOPPED: asked to stop, can be resumed. */
#ifndef EW_EXEC_EXEC_H
#define EW_EXEC_EXEC_H

#include <signal.h>
#include <stdio.h>

#include "csr/csr.h"
#include "device/device.h"
#include "dslc.h"
#include "case/case.h"
#include "case/domain.h"
#include "profile/profile.h"

typedef struct exec_run exec_run;

/* ---- what is wrong with a case ------------------------------------------------------------------------- */

typedef struct exec_problem {
  case_where at;
  char *text; /* without the place; may have several lines */
} exec_problem;

typedef struct exec_problems {
  int n;
  exec_problem *item;
} exec_problems;

/* All that does not fit between case, program and domain, in the case's order. `program` may be NULL, the domain
 * empty: then only the rest is looked at. The status is EW_OK also if there are problems; it fails for want of
 * memory. The caller frees the list with exec_problems_clear. */
ew_status exec_check(const ew_case *c, const dslc_program *program, const exec_domain *domain,
                     exec_problems *problems, ew_error *err);

/* All that a run asks the case for at its start, asked for: functions are called and rasters looked up at every point, and each value that
 * is missing somewhere, or no number, is one problem. For a case in which exec_check found nothing. */
ew_status exec_check_values(const ew_case *c, const dslc_program *program, const exec_domain *domain,
                            exec_problems *problems, ew_error *err);

/* Where in the case the value stands that makes a requirement of the scheme fail at the start, with the first place and the number of points
 * as far as they can be told. `said`: what the interpreter said of it. Adds nothing if the requirement names no value of the case. */
ew_status exec_check_required(const ew_case *c, const dslc_program *program, const exec_domain *domain,
                              const char *said, exec_problems *problems, ew_error *err);
void exec_problems_clear(exec_problems *problems);
/* "case.lua:12: text", one below the other. */
void exec_problems_print(const exec_problems *problems, FILE *out);

/* ---- parts of a case's life ---------------------------------------------------------------------------- */

/* The case's mesh in the case's order, patches grouped by rule. */
ew_status exec_mesh(const ew_case *c, mesh **out, ew_error *err);

/* Periodic patches first, then the patches of each rule together. Unknown names are left to exec_check. */
ew_status exec_prepare_mesh(const ew_case *c, mesh *m, ew_error *err);

/* Compiles the case's scheme for the device and domain, or loads its manifest. Diagnostics of the compiler go
 * to `messages` (NULL: nowhere; the error then holds the number of errors only). */
ew_status exec_program(const ew_case *c, const exec_domain *domain, dev_context *device, FILE *messages,
                       dslc_program **out, ew_error *err);

/* The same for a device of which no more than this is known, and of a case that names a scheme: kernels are text until a device builds
 * them. Unless the case names a profile or asks for none (ew_case.by_rule), settings that a profile knows for scheme, domain and device
 * come before the case's own; a line in `messages` says so. */
ew_status exec_compile(const ew_case *c, const exec_domain *domain, const dev_info *info, FILE *messages,
                       dslc_program **out, ew_error *err);

/* The fault that the device's driver is known to have and kernel number `kernel` of the program meets, for which runs refuse it; NULL: none. */
const dev_fault *exec_known_fault(const dslc_program *p, const dev_info *d, int *kernel);

/* Builds the program's kernels for the device and lets go of them: the cache of binaries then has them. */
ew_status exec_build(dev_context *device, const dslc_program *p, ew_error *err);

/* Repeats end after at most so many passes, whatever the scheme allows; 0: nothing changes. For measuring steps that do equal work. */
void exec_bound_passes(dslc_program *p, int most);

/* What profiles know a program by, on a domain. */
void exec_subject(const dslc_program *p, const exec_domain *domain, profile_subject *out);

/* The file that a case names: as it is if absolute, else in the case's folder, else (schemes) among those
 * shipped. Writes the path that exists, or the first candidate if none does. */
void exec_find_file(const ew_case *c, const char *name, bool is_scheme, char *path, size_t size);

/* The file of the case's scheme. EW_INPUT, with the nearest name, if there is none. */
ew_status exec_find_scheme(const ew_case *c, char *path, size_t size, ew_error *err);

/* ---- a run --------------------------------------------------------------------------------------------- */

/* Builds kernels, allocates, fills all buffers at t = 0 and runs the setup. */
ew_status exec_create(dev_context *device, const dslc_program *program, const exec_domain *domain,
                      const ew_case *c, exec_run **out, ew_error *err);
void exec_destroy(exec_run **run);

/* Advances until t_stop is met exactly, or max_steps more steps are done (0: no bound). `look` steps are
 * queued between two looks of the host (0: the case's). EW_STOPPED: *stop became non-zero, noticed at a look.
 */
typedef struct exec_until {
  double t_stop;
  int64_t max_steps;
  int look;
  const volatile sig_atomic_t *stop; /* or NULL */
} exec_until;
ew_status exec_advance(exec_run *run, const exec_until *until, ew_error *err);

/* Components of a field, 0 if there is no such field. Quantities count only if they were built to be shown.
 */
int exec_components(const exec_run *run, const char *field);
/* The component that "x", "xy" (of a tensor) or "1" stands for, from 0; -1 if there is none: a scalar has
 * none but in one dimension, where vectors have one, too. Schemes count from 1 as well. */
int exec_component_number(const char *suffix, int components, int dims);
/* Whether output can show what lies there: cells and nodes of meshes, all places of grids. */
bool exec_can_show(const dslc_program *p, dslc_place place);
/* Where the field lies; DSLC_NOWHERE if there is no such field. */
dslc_place exec_field_place(const exec_run *run, const char *field);
/* Entities that a field has values at: cells, all nodes of the mesh; on a grid the points of its place, x fastest. 0: no such field. */
int32_t exec_count(const exec_run *run, const char *field);
/* Values in the mesh's order: component d of entity i at [components * i + d]; `out` has exec_count * components
 * entries. */
ew_status exec_read(exec_run *run, const char *field, double *out, ew_error *err);
/* The same at cells, n_cells * components values: those on faces or corners of a grid are averaged. */
ew_status exec_read_cells(exec_run *run, const char *field, double *out, ew_error *err);
/* Replaces a state; same layout. */
ew_status exec_write(exec_run *run, const char *field, const double *data, ew_error *err);
/* Whether a step takes time: the scheme has a dt. */
bool exec_advances(const dslc_program *p);
/* A global: "mass", "dt"; a figure of the last solve for p: "p.iterations", "p.residual"; "iterations", see
 * exec_passes. */
bool exec_has_global(const dslc_program *p, const char *name);
/* A global that these kernels do not compute to be shown: what a step left in its entry is of another moment. */
bool exec_global_is_left_out(const dslc_program *p, const char *name);
ew_status exec_global(exec_run *run, const char *name, double *out, ew_error *err);

/* Of the first repeat that reached its limit: "max(c in cells) abs(h - h.old) < tol does not hold, the residual is 0.02"; else "". */
const char *exec_cut_off(const exec_run *run);

double exec_time(const exec_run *run);
int exec_passes(const exec_run *run); /* of the last step's last repeat; 0 if there is none */
double exec_dt(const exec_run *run);  /* of the last step; 0 before the first */
/* What the scheme would have let the last step be, before a time that has to be met or the case shortened it; 0 before the first. */
double exec_dt_free(const exec_run *run);
/* What iterations within the last step came to: "  13 passes to 4.1e-09  p 23 iterations to 8e-09"; "" if there are none. Reads from the device. */
void exec_inner(exec_run *run, char *to, size_t room);
int64_t exec_steps(const exec_run *run);
const exec_domain *exec_get_domain(const exec_run *run);
const mesh *exec_get_mesh(const exec_run *run); /* NULL on a grid */
/* [2] from which node of the mesh to which edge number i of the graph leads, in the order in which exec_read gives values at edges. */
void exec_edge_nodes(const exec_run *run, int32_t i, node_id *node);
/* Volume [n_cells] and centre [n_cells * dim] of the cells; those of solids have no volume. The run's own. */
ew_status exec_cells(exec_run *run, const double **volume, const double **centre, ew_error *err);
/* The same of the nodes of a mesh: a node's volume is its share of its cells'. part [n]: of the nodes that periodic sides lay on each other,
 * which are one, it is 1 for one and 0 for the others; NULL where no field lies at nodes. On a grid there are none: 0 and NULL. */
ew_status exec_nodes(exec_run *run, node_id *n, const double **volume, const double **place,
                     const double **part, ew_error *err);
const dslc_program *exec_get_program(const exec_run *run);

/* The check that failed; check < 0 if none did. */
typedef struct exec_fault {
  int check;
  const char *text; /* "h >= -1e-12" */
  int line, column; /* of the scheme, */
  const char *file; /* or of that file */
  cell_id cell;     /* in the mesh's order, -1: not at a cell */
  node_id node;     /* the same at a node */
  cell_id origin;   /* the cell's number in the mesh file */
  int32_t at[3];    /* on a grid: the point, counted from 0 along each axis */
  double x[3];
  int64_t step;
  double t;
} exec_fault;
const exec_fault *exec_get_fault(const exec_run *run);
/* The file in which a line stands: the one that is said, or the scheme's own. */
static inline const char *exec_file(const dslc_program *p, const char *file) {
  return file ? file : p->identity.path ? p->identity.path : p->identity.scheme;
}

typedef struct exec_counters {
  uint64_t transfers, bytes;           /* between host and device, since exec_create returned */
  uint64_t step_transfers, step_bytes; /* of these, in exec_advance: without output and hooks */
  uint64_t launches;
  int64_t steps;
  uint64_t looks;
  double seconds;                       /* spent in exec_advance */
  int64_t repeats, passes;              /* passes of all repeats; also those of a step that failed */
  int64_t cut_off, first_cut_off;       /* repeats that reached their limit; step of the first */
  int most_passes;                      /* of one repeat */
  int64_t queued_passes, pass_launches; /* also those that the device found to be too many */
} exec_counters;
exec_counters exec_get_counters(const exec_run *run);

/* States, time, counts, and what the answer depends on. With `before`, the checkpoint that stands at `path` takes that name (see
 * formats/checkpoint.h); or NULL. */
ew_status exec_checkpoint_write(exec_run *run, const char *path, const char *before, ew_error *err);

/* Made with another schedule, or by the reference interpreter, a checkpoint may lack what is shown of the start of the last step. */
typedef struct exec_resumed {
  bool force;    /* take it also if it belongs to another case, where the arrays fit */
  bool readable; /* out: the file is a good checkpoint: what is wrong is that it belongs to something else */
  char *differences;   /* out: what was taken all the same, a line each, or ""; the caller frees it */
  char *changes;       /* out: what outputs show other than before, likewise */
  bool knows_no_times; /* out: it is of an earlier version, which did not note what changes over time */
  const char *lacks;   /* out: a name of what it does not hold of that, or NULL; borrowed from the program */
} exec_resumed;

/* Refused (EW_CHECKPOINT) where scheme, variants, parameters, values, boundaries, mesh or times of output differ; the message shows
 * both. Another schedule or device may go on with it. `out` may be NULL. */
ew_status exec_checkpoint_read(exec_run *run, const char *path, exec_resumed *out, ew_error *err);

/* ---- linear systems ------------------------------------------------------------------------------------ */

typedef struct exec_solve_cost {
  const char *matrix, *unknown, *method, *preconditioner, *form; /* borrowed */
  const char *precision;                                         /* of the last solve: "double", "mixed" */
  double tolerance;
  int64_t solves, iterations; /* in all */
  int last, most;             /* iterations of the last solve, and the most */
  double residual;            /* of the last solve, relative to the right-hand side */
  const char *ended;          /* why the last solve ended: csr_end_name */
  int64_t restarts;           /* from the true residual, in all */
  double
      outside; /* the largest part of a right-hand side that no solution reaches, over the largest right-hand side */
  int64_t outside_step; /* of that part; from 1 */
  char pinned[96];      /* where the unknown is pinned; "": nowhere */
  double seconds;       /* wall time in solves */
  uint64_t looks;       /* transfers of a few scalars */
} exec_solve_cost;

/* System `number` of the program's n_solves. */
exec_solve_cost exec_get_solve(const exec_run *run, int number);
/* Norms of the residual of its last solve, [*n] from the guess on; the run's, until the next solve. */
const double *exec_solve_history(const exec_run *run, int number, int *n);

/* Its matrix as the last solve left it, and how it was asked to be solved; for tuning. The run's, until it advances. */
typedef struct exec_system {
  csr_pattern pattern;
  const dev_buffer *off, *diagonal;
  csr_options options;
} exec_system;
exec_system exec_get_system(const exec_run *run, int number);

/* ---- how fast it was ----------------------------------------------------------------------------------- */

typedef struct exec_kernel_cost {
  const char *name, *what;
  uint64_t launches;
  double seconds;
  double bytes, flops; /* of all launches; bytes: compulsory traffic as the compiler counts it */
} exec_kernel_cost;

/* Outlives the run that it was made of. */
typedef struct exec_profile {
  int n;
  exec_kernel_cost *kernel; /* in the order of first launch */
  char *text;               /* their names, and what they compute */
  double seconds;           /* of all kernels */
  double wall_seconds;      /* spent in exec_advance while recording */
  int64_t steps;
  cell_id n_cells;
} exec_profile;

ew_status exec_profile_start(exec_run *run, ew_error *err);
ew_status exec_profile_stop(exec_run *run, exec_profile *profile, ew_error *err);
void exec_profile_clear(exec_profile *profile);
/* A table: kernel, launches, time, GB/s and its share of the measured triad, GFlop/s. `rates` may be NULL. */
void exec_profile_print(const exec_profile *profile, const dev_rates *rates, FILE *out);

/* ---- a case from start to end -------------------------------------------------------------------------- */

/* Each may be NULL. A status other than EW_OK ends the run with it; EW_STOPPED ends it like a signal does. */
typedef struct exec_hooks {
  ew_status (*on_step)(void *context, exec_run *run, ew_error *err); /* every `sample` steps */
  ew_status (*on_output)(void *context, exec_run *run, int number, ew_error *err);
  ew_status (*on_end)(void *context, exec_run *run, ew_error *err);
  void *context;
} exec_hooks;

typedef struct exec_options {
  exec_hooks hooks;
  const volatile sig_atomic_t *stop; /* set by the shell's signal handler; or NULL */
  FILE *messages;                    /* diagnostics, notes and the progress line; NULL: silent */
  bool quiet;                        /* of those only errors, and the table that `profile` asks for */
  bool colour;
  bool resume;            /* from the newest checkpoint in the output folder */
  const char *checkpoint; /* resume from this file instead, or NULL */
  bool profile;           /* measure kernels; the table goes to `messages` */
  bool force;             /* resume also from a checkpoint of another case; run.json says so */
  bool no_files;          /* no output, no checkpoints, no run.json; hooks are called as if there were */
  const char *started;    /* ISO 8601, for run.json; NULL: left out */
  const char *command;    /* that was given to the shell, likewise */
  const struct exec_member *member; /* of an ensemble, see ensemble.h; or NULL */
} exec_options;

typedef struct exec_summary {
  double t, seconds;           /* simulated; wall time of the loop, of a resumed run of its own part */
  int64_t steps, steps_before; /* in all; of those in the checkpoint that it went on from */
  cell_id n_cells;
  int outputs;
  char folder[EW_PATH];                         /* where output lies */
  char picture[EW_PATH], pvd[EW_PATH];          /* the last picture, the collection; "" if none */
  char device[128], platform[128], driver[128]; /* of dev_info */
  char profile[1024]; /* that settings were found in, and which: "FILE: NAME=VALUE NAME=VALUE"; "" if none */
} exec_summary;

/* Whether there is a checkpoint in the case's output folder that `resume` would try. */
bool exec_has_checkpoint(const ew_case *c);

/* `summary` may be NULL. Problems of the case are printed to `messages`; the error then says how many. */
ew_status exec_run_case(const ew_case *c, const exec_options *options, exec_summary *summary, ew_error *err);

/* The same for programs that decide when the run goes on, and look at it in between. Case and what the options name must outlive it. */
typedef struct exec_life exec_life;

/* Up to the first step, which is not made. */
ew_status exec_life_create(const ew_case *c, const exec_options *options, exec_life **out, ew_error *err);
/* Until time t is met, `most` more steps are made (0: no bound), or the case's end is met, where its last hook is called; files of outputs
 * on the way are complete. EW_STOPPED: it may go on. After any other failure it may not; the message says where the failed state is. */
ew_status exec_life_advance(exec_life *l, double t, int64_t most, ew_error *err);
/* Before its end it leaves a checkpoint, as if it had been stopped. The status tells whether what it leaves is complete. */
ew_status exec_life_destroy(exec_life **l, ew_error *err);

exec_run *exec_life_run(exec_life *l);
bool exec_life_ended(const exec_life *l);
bool exec_life_failed(const exec_life *l);
const dev_info *exec_life_device(const exec_life *l);
const char *exec_life_picture(const exec_life *l); /* path of the last one, "": none yet */

#endif
