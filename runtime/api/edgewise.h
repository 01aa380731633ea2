/* Edgewise as a library: run a case inside another program, look at its fields where they lie, change them, go on.
 *
 *   edgewise_options options = {.size = sizeof options, .path = "case.lua"};
 *   edgewise_run *run;
 *   if (edgewise_open(&options, &run) != EDGEWISE_OK) { puts(edgewise_message(run)); edgewise_close(&run); return 1; }
 *   edgewise_advance(run, 2.5);                                // until t = 2.5 s
 *   edgewise_view h = {.size = sizeof h};
 *   edgewise_map(run, "h", EDGEWISE_READ, &h);                 // h.data[i] without a copy
 *   edgewise_unmap(run, "h");
 *   edgewise_close(&run);
 *
 * Errors     Functions that can fail return an edgewise_status, whose numbers are the exit codes of the program `edgewise`;
 *            edgewise_message() tells the last failure in words. The library never ends the program and prints nothing: what the
 *            program would print goes to `say`. A run, a name or a result that is NULL is EDGEWISE_USAGE, or nothing (0, "") where no
 *            status is returned. Behind EDGEWISE_DIVERGED and EDGEWISE_NOT_CONVERGED a run can be looked at, not continued.
 * Runs       As many at once as there is memory for; they share nothing.
 * Threads    A run is used by one thread at a time, by whichever; two threads may use two runs. Only edgewise_stop may be called
 *            while another thread works on the run, and from signal handlers. The library starts threads of its own (files, drivers), installs
 *            no signal handler, and does not depend on the locale. Callbacks come on the calling thread.
 * Pointers   What a function hands out belongs to the run and holds until edgewise_close, where nothing else is said.
 * Units      SI as far as the case keeps to it.
 * Stability  Within a major version of the library (SONAME) no function goes or changes; structures grow at their end only, which is
 *            what their member `size` is for: set it to sizeof of the structure before a call.
 * Licence    That of Edgewise; see LICENSE. */
#ifndef EDGEWISE_H
#define EDGEWISE_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define EDGEWISE_API __attribute__((visibility("default")))
#else
#define EDGEWISE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct edgewise_run edgewise_run;

typedef enum edgewise_status {
  EDGEWISE_OK = 0,
  EDGEWISE_FAIL = 1,          /* no memory, a hook of the case that failed */
  EDGEWISE_USAGE = 2,         /* a call that breaks the rules of this header */
  EDGEWISE_INPUT = 3,         /* scheme, case or mesh */
  EDGEWISE_DIVERGED = 4,      /* solution not finite, or a declared bound violated */
  EDGEWISE_DEVICE = 5,        /* OpenCL or device */
  EDGEWISE_IO = 6,            /* file system */
  EDGEWISE_CHECKPOINT = 7,    /* checkpoint unusable or mismatched */
  EDGEWISE_STOPPED = 8,       /* by edgewise_stop, or by a hook of the case; the run may go on */
  EDGEWISE_NOT_CONVERGED = 9, /* linear solver */
  EDGEWISE_BUSY = 10,         /* another run writes into the output folder */
  EDGEWISE_INTERNAL = 70      /* a defect of the library: please report it */
} edgewise_status;

/* As in "0.1.0". */
EDGEWISE_API const char *edgewise_version(void);

/* ---- a run --------------------------------------------------------------------------------------------- */

typedef enum edgewise_kind {
  EDGEWISE_NOTE, /* progress, notes, warnings, diagnostics of the compiler */
  EDGEWISE_PRINT /* what the case's own print() writes */
} edgewise_kind;

/* A line, without its end. It must not call functions of this run but edgewise_stop. */
typedef void edgewise_say(void *context, edgewise_kind kind, const char *line);

typedef struct edgewise_options {
  size_t size; /* sizeof(edgewise_options) */
  const char
      *path; /* of the case; with `text` it only names the case and the folder that it is taken to lie in */
  const char *text;          /* the case's Lua text, or NULL: it is read from `path` */
  const char *const *define; /* [n_defines] "n=200": values of the case's arguments */
  int n_defines;
  const char *
      device; /* "gpu", "cpu", "c", "c-openmp", ..., as `edgewise run --device`; NULL: the case's, or the first GPU, ... */
  const char *
      output; /* folder for files; "": the case's own; NULL: no file is written. Meshes that gmsh makes need the case's own */
  const char *const *
      show; /* [n_show] quantities and globals of the scheme to be looked at, besides those that the case names for its output */
  int n_show;
  edgewise_say *say; /* or NULL */
  void *context;     /* for `say` */
} edgewise_options;

/* Reads the case, makes its mesh, compiles its scheme for the device, fills all fields at t = 0; makes no step. *run is set also where
 * that fails, so that edgewise_message can tell why, and is closed all the same; it is NULL only where there is no memory for it.
 * Scripts that call run() themselves are refused (EDGEWISE_INPUT): the case has to be returned. */
EDGEWISE_API edgewise_status edgewise_open(const edgewise_options *options, edgewise_run **run);

/* Frees the run and all that it handed out, and nulls the pointer; NULL is accepted. With an output folder a run that has not met its end
 * leaves a checkpoint, with which `edgewise resume` goes on; what fails then is said to `say`. */
EDGEWISE_API void edgewise_close(edgewise_run **run);

/* The last failure, "" if there was none; holds until the next call for this run. run NULL: out of memory, which is why edgewise_open gives none. */
EDGEWISE_API const char *edgewise_message(const edgewise_run *run);

/* All four go on to the case's end at most (its time.stop or time.steps), and call the case's hooks and write its files on the way. */
/* `steps` more steps. */
EDGEWISE_API edgewise_status edgewise_step(edgewise_run *run, int64_t steps);
/* Until t [s]; the last step is shortened to meet it exactly, as for an output (unless the case asks for whole steps). */
EDGEWISE_API edgewise_status edgewise_advance(edgewise_run *run, double t);
/* The same, but `steps` more steps at most: in pieces until fewer are made, the run is the one that edgewise_advance makes, and the program
 * can look at other things between them. */
EDGEWISE_API edgewise_status edgewise_go_on(edgewise_run *run, double t, int64_t steps);
/* To the end. */
EDGEWISE_API edgewise_status edgewise_finish(edgewise_run *run);
/* Makes the call at work return EDGEWISE_STOPPED after some steps, or else the next one. */
EDGEWISE_API void edgewise_stop(edgewise_run *run);

EDGEWISE_API double edgewise_time(const edgewise_run *run);   /* s */
EDGEWISE_API double edgewise_dt(const edgewise_run *run);     /* s, of the last step; 0 before the first */
EDGEWISE_API int64_t edgewise_steps(const edgewise_run *run); /* made so far */
EDGEWISE_API int edgewise_ended(const edgewise_run *run);     /* 1: the case's end is met */

/* Name of the device, and of the driver's platform. */
EDGEWISE_API const char *edgewise_device(const edgewise_run *run);
EDGEWISE_API const char *edgewise_platform(const edgewise_run *run);

/* The folder that files go to, and the last picture in it; "" if there is none. They hold until the next call for this run. */
EDGEWISE_API const char *edgewise_folder(const edgewise_run *run);
EDGEWISE_API const char *edgewise_picture(const edgewise_run *run);

/* ---- fields -------------------------------------------------------------------------------------------- */

typedef enum edgewise_location {
  EDGEWISE_NOWHERE, /* one value */
  EDGEWISE_CELLS,
  EDGEWISE_FACES,  /* of meshes */
  EDGEWISE_NODES,  /* of meshes: the unknowns; vertices that periodic sides lay on each other are one */
  EDGEWISE_XFACES, /* of grids: faces across x, ... */
  EDGEWISE_YFACES,
  EDGEWISE_ZFACES,
  EDGEWISE_CORNERS,  /* of grids */
  EDGEWISE_VERTICES, /* of meshes: corners of the cells; no field lies there */
  EDGEWISE_XEDGES,   /* of grids in 3D: edges along x, ... */
  EDGEWISE_YEDGES,
  EDGEWISE_ZEDGES
} edgewise_location;

typedef enum edgewise_role {
  EDGEWISE_STATE,   /* what a step advances; may be written */
  EDGEWISE_GIVEN,   /* of the case */
  EDGEWISE_QUANTITY /* computed from the others when it is asked for */
} edgewise_role;

typedef struct edgewise_field {
  size_t size; /* sizeof(edgewise_field) */
  const char *name;
  const char *unit;    /* "m/s"; "" if the scheme says none */
  const char *comment; /* of the scheme; "" if there is none */
  edgewise_role role;
  edgewise_location location;
  int components; /* 1: a scalar */
  int64_t count;  /* entities: values are count * components */
} edgewise_field;

/* Fields that can be looked at, by number from 0. EDGEWISE_USAGE: there are not so many. */
EDGEWISE_API int edgewise_field_count(const edgewise_run *run);
EDGEWISE_API edgewise_status edgewise_field_at(edgewise_run *run, int number, edgewise_field *field);

typedef enum edgewise_access { EDGEWISE_READ, EDGEWISE_READ_WRITE } edgewise_access;
typedef enum edgewise_type { EDGEWISE_DOUBLE, EDGEWISE_FLOAT } edgewise_type;

/* Values where they lie. Component d of the entity (i, j, k) is at
 *   (char *)data + i*stride[0] + j*stride[1] + k*stride[2] + d*component_stride      (bytes; only n_axes of i, j, k)
 * Meshes have one axis, the entity's number. Grids have as many as the grid, the slowest first: (z, y, x) or (y, x). */
typedef struct edgewise_view {
  size_t size; /* sizeof(edgewise_view) */
  void *data;
  edgewise_type type; /* of one number */
  int writable;       /* 1: mapped with EDGEWISE_READ_WRITE */
  int copied; /* 0: the memory that kernels compute with; 1: a copy, because that lies in a device's own memory */
  int components;
  int64_t component_stride;
  int64_t count; /* entities */
  int n_axes;
  int64_t shape[3], stride[3];
} edgewise_view;

/* Maps a field until it is unmapped; a run with mapped fields does not go on (EDGEWISE_USAGE). What is written into a state
 * is its value from edgewise_unmap on; EDGEWISE_INPUT for what is no state. A step exchanges buffers: after it, map again.
 * What the scheme made of the states at the start (`initially`) is not made again. */
EDGEWISE_API edgewise_status edgewise_map(edgewise_run *run, const char *field, edgewise_access access,
                                          edgewise_view *view);
EDGEWISE_API edgewise_status edgewise_unmap(edgewise_run *run, const char *field);

/* Copies count * components numbers, component d of entity i at [i*components + d], entities as in a view, the last axis fastest.
 * EDGEWISE_USAGE: `n` is another number. */
EDGEWISE_API edgewise_status edgewise_read(edgewise_run *run, const char *field, double *values, int64_t n);
EDGEWISE_API edgewise_status edgewise_write(edgewise_run *run, const char *field, const double *values,
                                            int64_t n);

/* A global of the scheme ("mass", "dt") that the case's history or `show` names, or a figure of a solve ("p.iterations", "p.residual").
 * EDGEWISE_INPUT: there is none, or nothing names it. */
EDGEWISE_API edgewise_status edgewise_global(edgewise_run *run, const char *name, double *value);

/* ---- where they lie ------------------------------------------------------------------------------------ */

/* 1, 2 or 3 axes; 1: a grid, 0: a mesh. */
EDGEWISE_API int edgewise_dimensions(const edgewise_run *run);
EDGEWISE_API int edgewise_on_grid(const edgewise_run *run);

/* Coordinate d of entity i at [i*dimensions + d] in metres, entities in the order of views; of cells their centroids. */
EDGEWISE_API edgewise_status edgewise_coordinates(edgewise_run *run, edgewise_location location,
                                                  const double **x, int64_t *count);
/* m^dimensions of every cell; 0 for cells of a grid that are solid. */
EDGEWISE_API edgewise_status edgewise_volumes(edgewise_run *run, const double **volume, int64_t *count);

/* Corners of a mesh's cells: those of cell c are vertex[start[c]] to vertex[start[c + 1] - 1], in VTK's order; type[c] is VTK's number
 * (5 triangle, 9 quadrilateral, 10 tetrahedron, 12 hexahedron, 13 wedge, 14 pyramid). Quadrilaterals
 * need not be convex: who cuts one in two takes the diagonal that lies in it. node[v] is the node (EDGEWISE_NODES) of vertex v; NULL if
 * the scheme has no unknowns at nodes. EDGEWISE_INPUT on a grid. */
typedef struct edgewise_topology {
  size_t size; /* sizeof(edgewise_topology) */
  int64_t cells, vertices;
  const int32_t *start;  /* [cells + 1] */
  const int32_t *vertex; /* [start[cells]] */
  const uint8_t *type;   /* [cells] */
  const int32_t *node;   /* [vertices] or NULL */
} edgewise_topology;
EDGEWISE_API edgewise_status edgewise_cells(edgewise_run *run, edgewise_topology *topology);

/* Of a grid: the coordinates of the faces along axis 0 (x), 1 or 2, one more than there are cells. EDGEWISE_INPUT on a mesh. */
EDGEWISE_API edgewise_status edgewise_axis(edgewise_run *run, int axis, const double **face, int64_t *count);

#ifdef __cplusplus
}
#endif
#endif
