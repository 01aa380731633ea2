/* The reference interpreter: executes the equations of a scheme one by one, place by place, as docs/language.md says what they
 * mean. It knows nothing of kernels, buffers or schedules: of the compiler it shares the front end, the analysis and the
 * evaluation of single operators. It is slow, and what everything else is compared with.
 *
 * A program compiled with DSLC_EMIT_REFERENCE has no kernels but keeps its equations. dslc_reference_create takes them and
 * what they stand on: counts, neighbours and walls as arrays, everything measured or given by callbacks. The interpreter owns
 * all values.
 *
 * Numbering   Cells, faces, nodes and edges are those of dslc_ref_mesh; of a grid the points of a place, x fastest: as many as
 *             there are cells along an axis, and one more along axes on whose faces the place lies, unless they are periodic.
 *             Component d of entity i lies at [components * i + d].
 * Lifetime    It borrows program, domain and arrays. Arrays handed out are its own, until the next call that changes them.
 * Errors      Functions return DSLC_REF_OK or say why not; dslc_reference_message tells it in words. After DSLC_REF_FAULT and
 *             DSLC_REF_CIRCLE the values are those before the statement that failed. */
#ifndef DSLC_DSLC_REFERENCE_H
#define DSLC_DSLC_REFERENCE_H

#include "dslc.h"

typedef struct dslc_reference dslc_reference;

typedef enum dslc_ref_status {
  DSLC_REF_OK,
  DSLC_REF_FAULT, /* a value that is not finite, a requirement that fails, an index outside, a read of what nobody gave */
  DSLC_REF_CALLBACK, /* a callback failed: it knows why */
  DSLC_REF_CIRCLE,   /* a value that needs itself, which the compiler refuses */
  DSLC_REF_SINGULAR, /* a linear system without a solution */
  DSLC_REF_MEMORY
} dslc_ref_status;

/* A mesh. Every face has a left cell and, on its right, a cell or a ghost n_cells + g. */
typedef struct dslc_ref_mesh {
  int32_t n_cells, n_ghosts, n_faces;
  const int32_t *face_left, *face_right; /* [n_faces] */
  const int32_t *ghost_source;           /* [n_ghosts] the cell seen through a periodic face, else -1 */
  const int32_t *face_rule;              /* [n_faces] the rule that holds there, from 0; -1: none */
  const int32_t *cell_start,
      *cell_face;  /* the faces of cell c: cell_face[cell_start[c] .. cell_start[c + 1]) */
  int32_t n_nodes; /* 0: no scheme on nodes can be run */
  const int32_t *node_start,
      *edge_second; /* the edges of node i: node_start[i] .. node_start[i + 1]; where they lead */
} dslc_ref_mesh;

/* A grid. A wall is a face with an active cell (one that is not solid) on one side only. */
typedef struct dslc_ref_grid {
  int32_t n[3]; /* cells; 1 beyond the grid's dimensions */
  bool periodic[3];
  const uint8_t *solid;   /* [cells] */
  const double *face[3];  /* [n + 1] coordinates */
  const int32_t *wall[3]; /* by point of the faces across each axis: the wall's number, or -1 */
  int32_t n_walls;
  const int32_t *wall_rule;         /* [n_walls] the rule that holds there, from 0 */
  const uint8_t *wall_active_above; /* [n_walls] the active cell is the one with the greater index */
} dslc_ref_grid;

/* The nodes at which a rule acts on a target: by layers, in each of which every node occurs once; see dslc_hold. */
typedef struct dslc_ref_rows {
  int32_t n, n_layers;
  const int32_t *layer, *node; /* [n_layers + 1], [n] */
  const double *area, *normal; /* [n], [n * dim] */
} dslc_ref_rows;

typedef struct dslc_ref_domain {
  int dim;
  const dslc_ref_mesh *mesh; /* one of them, the other NULL */
  const dslc_ref_grid *grid;
  void *context;
  /* Each fills whole arrays and returns whether it could. Geometry of meshes, at cells of ghosts too, and DSLC_SOURCE_ON_RULE at
   * nodes. */
  bool (*geometry)(void *context, dslc_place place, const dslc_source *source, int components, double *out);
  /* Rows of hold `number` of the program. */
  bool (*rows)(void *context, int number, dslc_ref_rows *out);
  /* A field's values at the start (states) or at time t (givens); of grids also inside solids. */
  bool (*field)(void *context, const char *name, double t, double *out);
  /* An argument of a rule at time t: at its faces, or, on grids, walls ([n_faces] or [n_walls] entries, others are left alone);
   * hold >= 0: at the rows of that hold. */
  bool (*argument)(void *context, int rule, int argument, int hold, double t, double *out);
} dslc_ref_domain;

/* `parameter` has DSLC_MOST_COMPONENTS entries for each parameter. */
dslc_ref_status dslc_reference_create(const dslc_program *p, const dslc_ref_domain *domain,
                                      const double (*parameter)[DSLC_MOST_COMPONENTS], dslc_reference **out);
void dslc_reference_destroy(dslc_reference **r);

/* What rules fix, in the values at the start; also after the states were written from outside. */
dslc_ref_status dslc_reference_start(dslc_reference *r, double t);

/* What a step did. */
typedef struct dslc_ref_step {
  double t_stop;      /* in: the time to meet */
  double most;        /* in: the most that a step may be, finite */
  double t, dt, free; /* in: t now; out: at the end; the step made; the step before it was shortened */
  int passes;         /* of the last repeat */
  int64_t all_passes; /* of all */
  int repeats;        /* that were made */
  int most_passes;
  int cut_off;        /* repeats that reached their limit */
  const char *repeat; /* the condition of the first of them */
} dslc_ref_step;
dslc_ref_status dslc_reference_step(dslc_reference *r, dslc_ref_step *step);

/* The present values of a state; may be written. NULL: no such state. `n` entries, `components` each. */
double *dslc_reference_state(dslc_reference *r, const char *name, int32_t *n, int *components);
/* The same, as it was when the last step began, which `X.prev` is until the next one. */
double *dslc_reference_start_state(dslc_reference *r, const char *name, int32_t *n, int *components);
double dslc_reference_start_time(const dslc_reference *r);
/* Behind the values that were written: `last` is that step, t when it began. */
void dslc_reference_resume(dslc_reference *r, const dslc_ref_step *last);
/* An equation at all entities of its place, at time t; 0 in solids. `out` has room for them all. */
dslc_ref_status dslc_reference_show(dslc_reference *r, const char *name, double t, double *out);
dslc_ref_status dslc_reference_global(dslc_reference *r, const char *name, double t, double *out);

/* Where `dt` has its value from, with the states as they are: the part of the formula that the minima in it chose, and the cell, node, ...
 * at which they did; DSLC_NOWHERE: it is of no place. The formula is printed as it is computed, file and
 * line are those of the scheme. */
typedef struct dslc_ref_bound {
  const char *text, *file;
  int line; /* 0: no formula of the scheme */
  dslc_place place;
  int32_t entity, point[3]; /* of a grid both */
} dslc_ref_bound;
dslc_ref_status dslc_reference_bound(dslc_reference *r, double t, dslc_ref_bound *out);

/* Of a program of DSLC_EMIT_REFERENCE: does its step solve a system for this state? NULL: for any. */
bool dslc_reference_solves(const dslc_program *p, const char *unknown);

/* What went wrong, in full; "" if nothing did. */
const char *dslc_reference_message(const dslc_reference *r);
/* Of the last fault: where; DSLC_NOWHERE: not at a point. */
dslc_place dslc_reference_where(const dslc_reference *r, int32_t *entity);

#endif
