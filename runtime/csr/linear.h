/* A linear system given on the host, loaded to a device and solved once: for the shell's `solve` and for Lua. */
#ifndef EW_CSR_LINEAR_H
#define EW_CSR_LINEAR_H

#include "csr/csr.h"
#include "csr/matrix.h"

typedef struct linear_options {
  const char *device; /* as dev_list_choose reads it; NULL: the default */
  csr_method method;
  csr_preconditioner preconditioner;
  bool method_open, preconditioner_open; /* the matrix decides: see linear_choose */
  csr_tuning tuning;                     /* zero: by rule */
  bool mixed;                            /* csr_options.mixed */
  double tolerance;
  int iterations;
  /* Fills in the tuning that is known for matrices like this one, or NULL: tune_linear_recall, which lies above this module */
  ew_status (*recall)(const dev_context *device, const csr_pattern *pattern, csr_options *options,
                      bool *found, ew_error *aside, ew_error *err);
} linear_options;

/* Method and preconditioner by the matrix, 1e-8, 1000 iterations. */
linear_options linear_defaults(void);

/* What the matrix asks for, where method and preconditioner are open: symmetric with a positive diagonal, cg and multigrid; else symmetric,
 * minres; else bicgstab; each with jacobi. With a zero on the diagonal gmres for bicgstab, and no preconditioner. */
void linear_choose(const csr_rows *a, linear_options *o);
/* Another method where the chosen one ended so: minres for cg that met an indefinite matrix, gmres for bicgstab that is stuck. False if
 * there is none. */
bool linear_choose_another(csr_end end, linear_options *o);
/* To rounding; else where it is not, from 0, and the values of the entry and of its mirror image. */
bool linear_is_symmetric(const csr_rows *a, int32_t at[2], double value[2]);

/* A matrix as solvers take it; owned. */
typedef struct linear_parts {
  int32_t *start, *col;   /* the pattern off the diagonal: [rows + 1], [start[rows]] */
  double *off, *diagonal; /* [start[rows]], [rows] */
} linear_parts;

/* EW_INPUT for matrices that method and preconditioner of the options cannot take, with row and column from 1. Cleared by the caller,
 * also after a failure. */
ew_status linear_split(const csr_rows *a, const linear_options *options, linear_parts *out, ew_error *err);
void linear_parts_clear(linear_parts *parts);

typedef struct linear_result {
  char device[128];
  ew_error aside; /* why a tuning that is stored was not used, of status EW_OK if none is */
  int32_t rows;
  int64_t entries; /* off the diagonal */
  int32_t
      null_parts; /* parts of the matrix whose rows and columns sum to zero: there the mean of the right-hand side was taken
                         out, and that of x is the guess's */
  csr_method method, first_method; /* that solved, and that began: the matrix may have needed another */
  csr_preconditioner preconditioner;
  bool mixed; /* precision to the end: csr_report */
  csr_end end, first_end;
  double outside; /* the share of the right-hand side, as a 2-norm, that was taken out with its means */
  int iterations;
  double residual, right_hand_side; /* norms */
  int n_history;
  double *history; /* [n_history] |r|; owned */
  double setup_seconds, solve_seconds;
} linear_result;

void linear_result_clear(linear_result *r);

/* b [rows], x [rows]: the guess, then the solution. Where an open method turns out to be the wrong one, another goes on from the guess. EW_INPUT for matrices that cannot be solved so, with row and column from 1.
 * The result is filled on EW_NOT_CONVERGED too. */
ew_status linear_solve(const csr_rows *a, const double *b, double *x, const linear_options *options,
                       linear_result *result, ew_error *err);

/* y [rows] = A x. */
void linear_multiply(const csr_rows *a, const double *x, double *y);

/* The model problem of `bench linear`: see csr_model_laplacian. */
ew_status linear_laplacian(int side, bool fixed, csr_rows **out, ew_error *err);

#endif
