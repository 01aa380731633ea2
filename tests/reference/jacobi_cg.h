/* Conjugate gradients with diagonal scaling, serial and plain: what faster solvers are compared with. */
#ifndef EW_REFERENCE_JACOBI_CG_H
#define EW_REFERENCE_JACOBI_CG_H

#include <stdbool.h>
#include <stdint.h>

/* A symmetric matrix: row I holds diagonal[I] and off[k] in column node[k], start[I] <= k < start[I + 1]. */
typedef struct cg_matrix {
  int32_t n;
  const int32_t *start, *node;
  const double *off, *diagonal;
} cg_matrix;

typedef struct cg_options {
  const bool *held; /* [n] unknowns that keep the value they come with; NULL: none */
  bool constants;   /* A * 1 = 0 and nothing is held: sums of residuals are kept 0, and so is that of x */
  double tolerance; /* of the residual's 2-norm, relative to that of f without the held columns */
  int max_iterations;
} cg_options;

typedef enum cg_status {
  CG_OK,
  CG_NOT_CONVERGED,
  CG_INDEFINITE, /* a direction d with d.Ad <= 0 was met */
  CG_NO_MEMORY
} cg_status;

/* Solves A x = f, beginning with the x given; *iterations may be NULL. */
cg_status jacobi_cg(const cg_matrix *a, const double *f, double *x, const cg_options *o, int *iterations);

/* y = A x */
void cg_matrix_apply(const cg_matrix *a, const double *x, double *y);

#endif
