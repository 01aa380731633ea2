/* What a preconditioner is to the solvers: z = M r, queued, M fixed between two updates (for CG: symmetric, positive definite).
 *
 * CSR_NONE and CSR_JACOBI are none of these: the solvers have them fused into their own kernels.
 * To add one: fill a csr_precondition_class, list it in precondition.c, and its word in words.c. */
#ifndef EW_CSR_PRECONDITION_H
#define EW_CSR_PRECONDITION_H

#include "csr/operator.h"

/* The system as a preconditioner sees it; valid as long as the preconditioner lives. */
typedef struct csr_matrix {
  dev_context *device;
  csr_pattern pattern;              /* on the host */
  const dev_buffer *start, *col;    /* on the device */
  const dev_buffer *off, *diagonal; /* NULL until values are set */
  const csr_operator *op;           /* products with this matrix, and building kernels */
  bool constant_null;
} csr_matrix;

typedef struct csr_precondition_class {
  ew_status (*create)(const csr_matrix *matrix, void **state, ew_error *err);
  /* The values of `matrix` are new: off and diagonal are set, op has them. */
  ew_status (*update)(void *state, const csr_matrix *matrix, ew_error *err);
  /* Queues z = M r. Its kernels leave memory as it is while idle[0] (int32, on the device) is not 0. r and z are different. */
  ew_status (*apply)(void *state, const dev_buffer *idle, const dev_buffer *r, dev_buffer *z, ew_error *err);
  /* A solve with the values of the last update took so many iterations; or NULL. */
  void (*solved)(void *state, int32_t iterations);
  void (*destroy)(void **state);
} csr_precondition_class;

/* multigrid.c: a hierarchy is made from the first values, on the device where groups are wide (setup.h), else on the host. With new
 * values its finest level follows; the coarser ones are kept while solves take at most a quarter more iterations than the first one with
 * them, and four more. After one that took more, the next update brings their values up to date, with the same aggregates, where the device
 * makes hierarchies; and where that does not help, or the host does, it makes a new hierarchy. */
extern const csr_precondition_class csr_chebyshev, csr_multigrid;

/* NULL for CSR_NONE, CSR_JACOBI and for what is not built in. */
const csr_precondition_class *csr_precondition_find(csr_preconditioner which);

#endif
