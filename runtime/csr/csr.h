/* Sparse linear systems on one device: A x = b, A given as the off-diagonal entries of a fixed pattern and a diagonal.
 *
 * Pattern    Rows of off-diagonal entries in CSR order: entries start[i] ... start[i+1]-1 of row i, columns col[], increasing,
 *            without i itself. The pattern never changes; values may, between two solves.
 * Where      All vectors and values live on the device; every scalar of an iteration too. The host queues iterations and looks
 *            every few of them, so the number of iterations made, and every bit, does not depend on how often it looks.
 * Errors     EW_NOT_CONVERGED (exit 9): no convergence within the limit, an indefinite matrix met by CG (with iteration and the value
 *            of d.Ad), values that are not finite. The history of the residual stays readable.
 * Lifetime   A system keeps no reference to what it is given except the device and the buffers of the pattern. */
#ifndef EW_CSR_CSR_H
#define EW_CSR_CSR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "device/device.h"

typedef struct csr_pattern {
  int32_t n;            /* rows */
  const int32_t *start; /* [n + 1] */
  const int32_t *col;   /* [start[n]] */
} csr_pattern;

typedef enum csr_method { CSR_CG, CSR_CG_THREE_TERM /* Saad, algorithm 6.18: the paper's */, CSR_BICGSTAB } csr_method;

typedef enum csr_preconditioner { CSR_NONE, CSR_JACOBI, CSR_CHEBYSHEV, CSR_MULTIGRID } csr_preconditioner;

/* What tuning chooses: every value gives the same solution to rounding. Zero everywhere: by rule. */
typedef struct csr_tuning {
  int kernel;         /* which form of the product: see csr_form_name */
  int group_bits;     /* WORKGROUP_SIZE_BITS */
  int rows_bits;      /* ROWS_PER_WORKGROUP_BITS */
} csr_tuning;

typedef struct csr_options {
  csr_method method;
  csr_preconditioner preconditioner;
  csr_tuning tuning;
  bool constant_null; /* rows sum to zero: b's mean is removed, x's mean is kept */
} csr_options;

typedef struct csr_system csr_system;

/* `start` and `col` hold the pattern on the device (int32), or are NULL: then copies are made. */
ew_status csr_create(dev_context *device, const csr_pattern *pattern, const dev_buffer *start, const dev_buffer *col,
                     const csr_options *options, csr_system **out, ew_error *err);
void csr_destroy(csr_system **system);

/* New values: off [start[n]] and diagonal [n], double, on the device. Cheap; what depends on them is made anew on the device. A
 * multigrid hierarchy is kept as long as it serves. */
ew_status csr_set_values(csr_system *system, const dev_buffer *off, const dev_buffer *diagonal, ew_error *err);

typedef struct csr_request {
  double tolerance; /* |r| <= tolerance * |b| (and <= tiny if b = 0), 2-norms */
  int iterations;   /* at most */
  const dev_buffer *done; /* int32 flag: while it is not 0 the solve does nothing; or NULL */
} csr_request;

typedef struct csr_report {
  int iterations;
  double residual, right_hand_side; /* norms at the end */
  int n_history;
  const double *history; /* [n_history] |r| after every iteration, from 0; owned by the system until the next solve */
  double seconds;        /* wall time of the solve */
  uint64_t looks;
} csr_report;

/* x holds the guess, then the solution. `report` (may be NULL) is filled on failure too. */
ew_status csr_solve(csr_system *system, const dev_buffer *b, dev_buffer *x, const csr_request *request, csr_report *report,
                    ew_error *err);

/* y = A x, queued. */
ew_status csr_multiply(csr_system *system, const dev_buffer *x, dev_buffer *y, ew_error *err);

#endif
