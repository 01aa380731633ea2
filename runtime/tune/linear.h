/* Tunes linear systems: the form of the product, sizes of groups, and which recurrence of conjugate gradients. */
#ifndef EW_TUNE_LINEAR_H
#define EW_TUNE_LINEAR_H

#include <stdio.h>

#include "csr/csr.h"
#include "tune/tune.h"

/* The matrix, on host and device; values as for csr_set_values. start and col may be NULL. */
typedef struct tune_matrix {
  csr_pattern pattern;
  const dev_buffer *start, *col, *off, *diagonal;
} tune_matrix;

typedef struct tune_linear_row {
  csr_options options;
  tune_verdict verdict;
  double product_seconds;   /* of y = A x */
  double iteration_seconds; /* of one iteration of the method */
  char note[160];
} tune_linear_row;

typedef struct tune_linear_table {
  tune_linear_row *rows; /* the default first; owned */
  int n;
  double product_bytes; /* compulsory traffic of a product: 12 a stored entry, 20 a row */
  double seconds;       /* that tuning took */
  bool recalled;        /* no measurement was made: no rows */
  bool
      stored; /* what was measured; not where a stop came at the default, in a dry search, or where it failed: */
  ew_error not_stored; /* why, of status EW_OK if nothing failed */
} tune_linear_table;

enum { tune_linear_seconds = 2 };

typedef struct tune_linear_options {
  double
      seconds; /* 0: tune_linear_seconds. The default, and what is under way, are finished whatever it says */
  bool again;  /* measure even if a result is stored */
  bool dry;    /* store nothing */
  const volatile sig_atomic_t
      *stop; /* ends the search with what it has, which is stored unless it is the default alone; or NULL */
} tune_linear_options;

/* Completes `options`: where its tuning leaves the form to the rule, the fastest tuning found takes its place, and CSR_CG may become
 * CSR_CG_THREE_TERM. Results are kept per device, driver and shape of matrix, and taken from there. A tuning that is given stays as it
 * is. `table` may be NULL; else cleared by the caller. A store that cannot be written is no error, but told of in `table`. */
ew_status tune_linear(dev_context *device, const tune_matrix *matrix, const tune_linear_options *how,
                      csr_options *options, tune_linear_table *table, ew_error *err);
/* Only what is stored: *found is false, with `options` as they were, if there is nothing for matrices like this one or a form is given.
 * `aside` then says why what is stored cannot be used, of status EW_OK if nothing is. EW_FAIL: there is no memory to read it. */
ew_status tune_linear_recall(const dev_context *device, const csr_pattern *pattern, csr_options *options,
                             bool *found, ew_error *aside, ew_error *err);
void tune_linear_clear(tune_linear_table *table);

/* One line a candidate; `triad_gbs` of the device, or 0. */
void tune_linear_print(const tune_linear_table *table, double triad_gbs, FILE *out);

#endif
