/* Inside runtime/csr only. */
#ifndef EW_CSR_INTERNAL_H
#define EW_CSR_INTERNAL_H

#include "csr/csr.h"
#include "csr/operator.h"
#include "csr/precondition.h"

/* The numbers of the state's entries and of the reasons to stop, which the kernels share. */
#include "csr/kernels/state.inc"

/* ---- forms and tuning ---- */

enum { csr_slice_bits = 5, csr_slice = 1 << csr_slice_bits };

/* ---- sliced ELL ---- */

typedef struct csr_sliced {
  dev_buffer *start, *col, *slot, *source, *value;
  dev_kernel *convert;
  int32_t entries; /* with filling */
  bool sorted;     /* the rows: else each is at its own place */
} csr_sliced;

ew_status csr_sliced_create(const csr_operator *op, const csr_pattern *pattern, csr_sliced *sliced,
                            ew_error *err);
ew_status csr_sliced_set_values(const csr_operator *op, csr_sliced *sliced, const dev_buffer *off,
                                ew_error *err);
void csr_sliced_clear(csr_sliced *sliced);

struct csr_operator {
  dev_context *device;
  int32_t n;
  int64_t entries;
  csr_tuning tuning;
  int32_t row_groups, vector_groups;
  int32_t stream_entries;          /* of the fullest block of rows; 0 unless the form is `stream` */
  dev_buffer *own_start, *own_col; /* where the caller had none */
  const dev_buffer *start, *col, *off, *diagonal;
  bool narrow;            /* columns as differences to the row, in 16 bits */
  dev_buffer *narrow_col; /* unless the form is `sliced` */
  csr_sliced sliced;
  dev_kernel *multiply; /* NULL before the first plain product */
};

/* Differences to the row that fit into 16 bits. */
ew_status csr_upload_narrow(dev_context *device, const int32_t *difference, int64_t count, dev_buffer **out,
                            ew_error *err);

/* The values off the diagonal in the order of the form. */
const dev_buffer *csr_entries(const csr_operator *op);

/* Launches `groups` groups of the operator's size. */
ew_status csr_call_groups(csr_call *call, int32_t groups);

/* ---- methods ---- */

/* A recurrence: queues, on vectors of the system, what it is given r = b - A x for. */
typedef struct csr_recurrence {
  const char *text; /* of its kernels */
  int vectors;      /* of length n besides r */
  int more_vectors; /* behind those, for a preconditioner with a class */
  int basis;        /* vectors in one buffer, with sums beside it; 0: none */
  int numbers;      /* that the state has no room for */
  const char *kernel[13];
  ew_status (*start)(csr_system *s, ew_error *err);
  ew_status (*iterate)(csr_system *s, int32_t iteration, ew_error *err);
  /* Queued when the iterations have ended after so many, before x is read; or NULL. */
  ew_status (*finish)(csr_system *s, int32_t iteration, ew_error *err);
  /* Where x is when `iteration` iterations are done. */
  dev_buffer *(*solution)(csr_system *s, int32_t iteration);
} csr_recurrence;

extern const csr_recurrence csr_cg, csr_cg_merged, csr_three_term, csr_bicgstab, csr_minres, csr_gmres;

enum { csr_max_vectors = 7, csr_max_kernels = 13 };

/* What iterations in single precision work on; all NULL: they are in double. The residual that they begin from, and the solution,
 * stay double. */
typedef struct csr_single {
  dev_buffer *off, *diagonal; /* the matrix */
  dev_buffer *r, *x;          /* the residual; what is to be added to the solution */
  dev_kernel *narrow, *add;
} csr_single;

/* The residual's part at which iterations in single precision begin anew from the true one: rounding leaves of a residual 6e-8 of the
 * condition of the matrix, so that going further at once is in vain. */
extern const double csr_single_piece;

/* Whether the system can be solved so; if it is asked for. */
ew_status csr_single_check(const csr_system *s, ew_error *err);
ew_status csr_single_create(csr_system *s, dev_context *device, dev_program *program, ew_error *err);
ew_status csr_single_set_values(csr_system *s, ew_error *err);
ew_status csr_single_start(csr_system *s, dev_kernel *start, ew_error *err);
/* Adds to the solution what the iterations have found. */
ew_status csr_single_add(csr_system *s, ew_error *err);
void csr_single_clear(csr_single *single);
/* From here on all is in double. */
ew_status csr_give_up_single(csr_system *s, ew_error *err);

/* Kernels of every method: kernels/solve.cl. */
typedef enum csr_shared {
  CSR_OPEN,
  CSR_TOTALS,
  CSR_MEANS,
  CSR_RECENTRE,
  CSR_PIN,
  CSR_SHIFT,
  CSR_ZERO,
  CSR_SCALE,
  CSR_RESIDUAL,
  CSR_BEGIN,
  CSR_SHARED_COUNT
} csr_shared;

/* What tells how far the iterations are, on the device and as the host saw it last. */
typedef struct csr_progress {
  dev_buffer *state, *idle, *never, *history;
  int32_t history_room; /* entries */
  double *host_history;
  double seen[2 * STATE_SIZE];
  int32_t usual; /* iterations of the solve before; 0: none */
} csr_progress;

/* The solve that runs. */
typedef struct csr_current {
  const csr_request *request;
  const dev_buffer *b;
  dev_buffer *x;
  bool broke;    /* the recurrence of late, by a denominator of 0 */
  int32_t began; /* iteration at which the recurrence began anew */
  bool again;    /* it has begun before, in this solve */
  int enlarged;  /* b is that of the caller times 2 to this power, as the state is */
  csr_report report;
} csr_current;

struct csr_system {
  csr_options options;
  csr_operator *op;
  const csr_recurrence *recurrence;
  const csr_precondition_class *class; /* NULL: none, or fused */
  void *precondition;
  csr_matrix matrix;
  int32_t *pattern; /* host copy for the preconditioner: start, then col */
  dev_kernel *shared[CSR_SHARED_COUNT], *kernel[csr_max_kernels];
  dev_buffer *r, *vector[csr_max_vectors];
  csr_single single;
  dev_buffer *small;        /* numbers of the recurrence */
  dev_buffer *basis, *wide; /* of GMRES: vectors, partial sums */
  dev_buffer *partial[2], *middle;
  dev_buffer *large; /* an enlarged right-hand side; NULL before the first */
  csr_progress progress;
  csr_current current;
};

/* The slot that tells where the iterations are. */
const double *csr_seen(const csr_system *s);

/* What a stop means to the user; EW_OK for those that are a success. */
ew_status csr_verdict(const csr_system *s, ew_error *err);

#endif
