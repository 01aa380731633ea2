/* A V-cycle on the device: levels as buffers, and the kernels that go down and up. Internal to runtime/csr.
 *
 * Every level is smoothed before and after the correction by the same polynomial in D^-1 A, restriction is the transpose of
 * prolongation and the last level's inverse is symmetric; so is the cycle, then, and it is positive definite where A is. */
#ifndef EW_CSR_CYCLE_H
#define EW_CSR_CYCLE_H

#include "csr/hierarchy.h"
#include "csr/precondition.h"

enum { CYCLE_MOST_DEGREE = 8 };

/* x_(k+1) = x_k + forward[k] (x_k - x_(k-1)) + step[k] D^-1 (b - A x_k); forward[0] = 0. */
typedef struct cycle_polynomial {
  int degree;
  bool
      unit_diagonal; /* V makes the diagonal of V A V one, with new values anew; else it is the hierarchy's scaling */
  double forward[CYCLE_MOST_DEGREE], step[CYCLE_MOST_DEGREE];
} cycle_polynomial;

/* For a spectrum of D^-1 A in [0, 1] whose upper part is to be reduced, what is below being left to a coarser level: Chebyshev
 * polynomials of the fourth kind (Lottes, Numerical Linear Algebra with Applications 30 (2023) e2518). Degree 1: 4/3 of Jacobi. */
cycle_polynomial cycle_smoother(int degree);
/* Chebyshev polynomials of the first kind on [lowest, 1]: a preconditioner of its own (Saad, algorithm 12.1). */
cycle_polynomial cycle_chebyshev(int degree, double lowest);

/* ---- levels on the device ---------------------------------------------------------------------------------------- */

enum { CYCLE_SLICE_BITS = 5, CYCLE_SLICE = 1 << CYCLE_SLICE_BITS, CYCLE_MANY_LANES_BITS = 3 };

/* Sparse rows as lines in slices: see kernels/multigrid.cl. */
typedef struct cycle_rows {
  int lanes_bits;                /* log2 of the lanes of a row: 0, or CYCLE_MANY_LANES_BITS */
  const dev_buffer *start, *col; /* `own`, or the system's own pattern */
  dev_buffer *own[2], *value;
} cycle_rows;

typedef struct cycle_level {
  int32_t n;
  cycle_rows matrix, prolong, restrict_;
  dev_buffer *rest, *inverse;
  dev_buffer *x, *other; /* two of the recurrence's iterates */
  dev_buffer *b, *r;
} cycle_level;

/* What a cycle goes through. Owns its buffers. `scale`: factor on the matrix that brings its diagonal near 1, for the range of single
 * precision. The finest level has no values before cycle_take. */
typedef struct cycle_parts {
  int n_levels; /* 0: nothing yet */
  cycle_level level[MG_MOST_LEVELS];
  dev_buffer
      *scaling; /* v of the finest level: its matrix is V A V; it holds for values that come later, too */
  dev_buffer *dense; /* the last level's inverse, or NULL */
  double scale;
} cycle_parts;

void cycle_parts_clear(cycle_parts *p);

/* The buffers of a level of n rows besides its matrix and interpolation. */
ew_status cycle_create_vectors(dev_context *device, int32_t n, cycle_level *l, ew_error *err);

/* How a device takes rows: groups of one item that loop, or wide ones. */
bool cycle_loops(const dev_context *device);
/* log2 of a group's items. */
int cycle_group_bits(const dev_context *device);
/* Whether rows, so many entries in all, are dealt to many lanes. */
bool cycle_many_lanes(const dev_context *device, int32_t rows, int32_t entries);

/* The parts from what the host has made, which may be one level and is not needed any more afterwards. */
ew_status cycle_upload(const csr_matrix *matrix, const mg_hierarchy *hierarchy, double scale,
                       cycle_parts *out, ew_error *err);

/* ---- the cycle ---------------------------------------------------------------------------------------------------- */

typedef struct cycle cycle;

/* Builds the kernels. */
ew_status cycle_create(dev_context *device, const cycle_polynomial *smoother, cycle **out, ew_error *err);
void cycle_destroy(cycle **c);

/* Moves other parts in; those there were go. */
void cycle_put(cycle *c, cycle_parts *parts);
/* What there is. */
cycle_parts *cycle_get(cycle *c);

/* The matrix's values of now for the finest level, queued. */
ew_status cycle_take(cycle *c, const csr_matrix *matrix, ew_error *err);

/* Queues z = M r, as csr_precondition_class has it. */
ew_status cycle_apply(cycle *c, const dev_buffer *idle, const dev_buffer *r, dev_buffer *z, ew_error *err);

#endif
