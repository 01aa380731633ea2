/* Sparse linear systems on one device: A x = b, A given as the off-diagonal entries of a fixed pattern and a diagonal.
 *
 * Pattern    Rows of off-diagonal entries in CSR order: entries start[i] ... start[i+1]-1 of row i, columns col[], increasing,
 *            without i itself. The pattern never changes; values may, between two solves.
 * Where      All vectors and values live on the device; every scalar of an iteration too. The host queues iterations and looks
 *            every few of them, so the number of iterations made, and every bit, does not depend on how often it looks.
 * Errors     EW_NOT_CONVERGED (exit 9): no convergence within the limit, an indefinite matrix met by CG (with iteration and the value
 *            of d.Ad), values that are not finite. Messages count rows from 1. The history of the residual stays readable.
 * Lifetime   A system keeps references to the device and to the device buffers of pattern and values; the pattern's host arrays may
 *            go once csr_create has returned. */
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

typedef enum csr_method {
  CSR_CG,
  CSR_CG_THREE_TERM /* Saad, algorithm 6.18: the paper's */,
  CSR_BICGSTAB,
  CSR_MINRES, /* symmetric, definite or not */
  CSR_GMRES   /* any; begun anew every 30 iterations */
} csr_method;

typedef enum csr_preconditioner { CSR_NONE, CSR_JACOBI, CSR_CHEBYSHEV, CSR_MULTIGRID } csr_preconditioner;

/* Users' words: cg, cg_three_term, bicgstab, minres, gmres; none, jacobi, chebyshev, multigrid. NULL for what is none. */
const char *csr_method_name(csr_method method);
const char *csr_preconditioner_name(csr_preconditioner which);
/* What a word names; EW_INPUT, with the nearest one or all, where it names nothing. */
ew_status csr_method_find(const char *word, csr_method *out, ew_error *err);
ew_status csr_preconditioner_find(const char *word, csr_preconditioner *out, ew_error *err);
/* "double", "mixed": csr_options.mixed. */
const char *csr_precision_name(bool mixed);
ew_status csr_precision_find(const char *word, bool *mixed, ew_error *err);

/* How the rows of a product are dealt to work-items. */
typedef enum csr_form {
  CSR_FORM_RULE,   /* by rule: `loop` on CPUs and the host, `sliced` elsewhere */
  CSR_FORM_LOOP,   /* work-groups of one item, each looping over its share of the rows */
  CSR_FORM_PAPER,  /* paper 000: several items a row, their sums met in local memory step by step */
  CSR_FORM_LANES,  /* 1, 2, 4, ... items a row, each with its sum in a register */
  CSR_FORM_STREAM, /* the group's products side by side into local memory, then one item a row sums them */
  CSR_FORM_SLICED, /* sliced ELL, rows sorted by length within windows; values are permuted on the device */
  CSR_FORM_COUNT
} csr_form;

/* What tuning chooses: every value gives the same solution to rounding. Zero everywhere: by rule. */
typedef struct csr_tuning {
  csr_form form;
  int group_bits; /* WORKGROUP_SIZE_BITS: log2 of the work-items of a group */
  int rows_bits;  /* ROWS_PER_WORKGROUP_BITS: log2 of the rows a group does at a time; paper, lanes, stream */
  int row_waves;  /* groups a compute unit in kernels over rows */
  int vector_waves; /* the same in kernels over vectors */
  int column_bits;  /* 32, or 16: columns as differences to their rows, where all fit; loop, lanes, sliced */
  int kernels; /* an iteration of CSR_CG with CSR_NONE or CSR_JACOBI: 2, or 1 with less launching and more reading */
} csr_tuning;

/* "loop", "paper", ...; NULL for what is none. */
const char *csr_form_name(csr_form form);
/* The form called `name`, or CSR_FORM_COUNT. */
csr_form csr_form_find(const char *name);

/* `tuning` with nothing left to the rule, for a matrix of so many rows; and EW_INPUT if the device cannot run a complete one. */
csr_tuning csr_tuning_complete(const dev_info *device, const csr_tuning *tuning, int32_t rows);
ew_status csr_tuning_check(const dev_info *device, const csr_tuning *tuning, ew_error *err);

typedef struct csr_options {
  csr_method method;
  csr_preconditioner preconditioner;
  csr_tuning tuning;
  bool
      mixed; /* CSR_CG with CSR_NONE or CSR_JACOBI: iterations in single precision, true residuals and x in double */
  bool
      constant_null; /* rows sum to zero, and columns if the request does not say otherwise: b's mean is removed, x keeps that of its guess */
} csr_options;

typedef struct csr_system csr_system;

/* A pattern that lies on the device already (int32). What is NULL is copied there. */
typedef struct csr_placed {
  const dev_buffer *start, *col;
} csr_placed;

/* `placed`: where the pattern lies on the device, NULL: nowhere. EW_INPUT if the pattern is none, or if the device cannot run the tuning
 * asked for. */
ew_status csr_create(dev_context *device, const csr_pattern *pattern, const csr_placed *placed,
                     const csr_options *options, csr_system **out, ew_error *err);
void csr_destroy(csr_system **system);

/* The options with nothing left to the rule. */
csr_options csr_get_options(const csr_system *system);

/* New values: off [start[n]] and diagonal [n], double, on the device; the buffers stay in use until the next call. Cheap; what
 * depends on them is made anew on the device. A multigrid hierarchy is kept as long as it serves. */
ew_status csr_set_values(csr_system *system, const dev_buffer *off, const dev_buffer *diagonal,
                         ew_error *err);

/* The value that a row's unknown has, where a constant is free. */
typedef struct csr_pin {
  int32_t row;
  double value;
} csr_pin;

typedef struct csr_request {
  double tolerance; /* |r| <= tolerance * |b|, 2-norms of the true residual, to 1 %; b = 0 gives x = 0;
                        so small a b that squares underflow is enlarged, and the guess is left out */
  int iterations;   /* at most */
  const dev_buffer
      *done;          /* int32 flag: if it is not 0 when the solve begins, the solve does nothing; or NULL */
  const csr_pin *pin; /* with constant_null: decides the constant, instead of the guess's mean; or NULL */
  bool
      keep_mean; /* with constant_null: columns do not sum to zero. b stays as it is, in the range of the matrix or not */
} csr_request;

/* Why a solve ended. */
typedef enum csr_end {
  CSR_END_NOTHING, /* the caller's flag was set */
  CSR_END_CONVERGED,
  CSR_END_LIMIT,
  CSR_END_STAGNATED,      /* begun anew from the true residual, which does not get smaller */
  CSR_END_BREAKDOWN,      /* the same, a denominator being 0 */
  CSR_END_INDEFINITE,     /* d.Ad <= 0 */
  CSR_END_PRECONDITIONER, /* r.Mr <= 0 */
  CSR_END_OUTSIDE,        /* the least residual is reached, and is not 0, to rounding: minres */
  CSR_END_NOT_FINITE
} csr_end;

/* "converged", "limit", ...: words of run.json. */
const char *csr_end_name(csr_end end);

typedef struct csr_report {
  csr_end end;
  int iterations;
  double residual, right_hand_side; /* norms at the end */
  int n_history;
  const double
      *history; /* [n_history] |r| after every iteration, from 0; owned by the system until the next solve */
  double seconds; /* wall time of the solve */
  uint64_t looks; /* transfers of a few scalars to the host */
  double
      outside; /* with constant_null: the 2-norm of b's mean, which no x meets; right_hand_side is without it */
  bool mixed; /* to the end: else, if it was asked for, single precision did not suffice for the matrix */
  int restarts; /* from the true residual, where the recurrence had left it or, if `mixed`, had come far enough */
} csr_report;

/* x holds the guess, then the solution. `report` (may be NULL) is filled on failure too. */
ew_status csr_solve(csr_system *system, const dev_buffer *b, dev_buffer *x, const csr_request *request,
                    csr_report *report, ew_error *err);

/* y = A x, queued. */
ew_status csr_multiply(csr_system *system, const dev_buffer *x, dev_buffer *y, ew_error *err);

#endif
