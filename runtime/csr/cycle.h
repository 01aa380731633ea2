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

typedef struct cycle cycle;

/* `hierarchy` may hold one level, and is not needed any more afterwards; its scaling holds for values that come later, too. `scale`: factor on the matrix that brings its
 * diagonal near 1, for the range of single precision. The finest level has no values before cycle_take. */
ew_status cycle_create(const csr_matrix *matrix, const mg_hierarchy *hierarchy, double scale,
                       const cycle_polynomial *smoother, cycle **out, ew_error *err);
void cycle_destroy(cycle **c);

/* The matrix's values of now for the finest level, queued. */
ew_status cycle_take(cycle *c, const csr_matrix *matrix, ew_error *err);

/* Queues z = M r, as csr_precondition_class has it. */
ew_status cycle_apply(cycle *c, const dev_buffer *idle, const dev_buffer *r, dev_buffer *z, ew_error *err);

#endif
