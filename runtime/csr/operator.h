/* A matrix on a device, and kernels over its rows and vectors: what solvers and preconditioners are written with.
 *
 * Kernels are texts in the dialect of kernels/dialect.cl, which compile as OpenCL C and as host C; the operator puts that text and
 * the form of its product in front of them. A text's kernel over rows says
 *
 *   KERNEL(name, MATRIX BUFFER(const int, idle) BUFFER(const double, x) BUFFER(double, y)) {
 *     ROWS_LOCALS;
 *     FOR_ROWS(row, sum, x, idle[0]) { y[row] = sum + diagonal[row] * x[row]; } END_ROWS
 *   } END
 *
 * and one over vectors FOR_ITEMS(i, idle[0]) instead; its sums leave through put_sums (see dialect.cl). */
#ifndef EW_CSR_OPERATOR_H
#define EW_CSR_OPERATOR_H

#include "csr/csr.h"

typedef struct csr_operator csr_operator;

/* Arguments as in csr_create. Values are set before the first product. */
ew_status csr_operator_create(dev_context *device, const csr_pattern *pattern, const csr_placed *placed,
                              const csr_tuning *tuning, csr_operator **out, ew_error *err);
void csr_operator_destroy(csr_operator **op);
ew_status csr_operator_set_values(csr_operator *op, const dev_buffer *off, const dev_buffer *diagonal,
                                  ew_error *err);

/* y = A x, queued. Built at the first call. */
ew_status csr_operator_multiply(csr_operator *op, const dev_buffer *x, dev_buffer *y, ew_error *err);

int32_t csr_operator_rows(const csr_operator *op);
csr_tuning csr_operator_tuning(const csr_operator *op); /* nothing left to the rule */
/* Groups of a launch over rows, over vectors: as many partial sums come out of it, at most csr_operator_most_groups. */
int32_t csr_operator_row_groups(const csr_operator *op);
int32_t csr_operator_vector_groups(const csr_operator *op);
int32_t csr_operator_most_groups(const csr_operator *op);
/* As given by csr_operator_set_values. */
const dev_buffer *csr_operator_diagonal(const csr_operator *op);

/* Builds `text` behind dialect and form. `options`: more -D, or "". */
ew_status csr_operator_build(const csr_operator *op, const char *name, const char *text, const char *options,
                             dev_program **program, ew_error *err);

/* A launch: its arguments in the kernel's order, then how many. The first failure sticks and is returned by the launch. */
typedef struct csr_call {
  const csr_operator *op;
  dev_kernel *kernel;
  unsigned position;
  ew_status status;
  ew_error *err;
} csr_call;

csr_call csr_call_begin(const csr_operator *op, dev_kernel *kernel, ew_error *err);
void csr_call_matrix(csr_call *call); /* MATRIX */
/* The same with other values, float in a text built with -DSINGLE. `off`: in the order of the form. */
void csr_call_values(csr_call *call, const dev_buffer *off, const dev_buffer *diagonal);
void csr_call_buffer(csr_call *call, const dev_buffer *buffer);
void csr_call_int(csr_call *call, int32_t value);
void csr_call_real(csr_call *call, double value);
ew_status csr_call_rows(csr_call *call);   /* a kernel with FOR_ROWS */
ew_status csr_call_vector(csr_call *call); /* a kernel with FOR_ITEMS */
ew_status csr_call_one(csr_call *call);    /* one group, for sums of sums */

#endif
