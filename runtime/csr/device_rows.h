/* Sparse matrices made on a device by kernels/setup.cl: places from counts, products, transposes, slices. Internal to runtime/csr.
 *
 * Products go by rows: of a pattern the columns of each row meet in a table in local memory, and are sorted; of values each entry is one
 * item's, which looks in the rows of the second factor for its column. Expanding all terms and sorting them moves each several times; adding
 * to a table by atomics leaves the order of sums open. With the patterns at hand, values can be made anew alone.
 * Bits   The same on every device and in every run. */
#ifndef EW_CSR_DEVICE_ROWS_H
#define EW_CSR_DEVICE_ROWS_H

#include "csr/cycle.h"

typedef enum mg_kernel {
  MG_SCAN_SUMS,
  MG_SCAN_TOPS,
  MG_SCAN_STARTS,
  MG_SURVEY,
  MG_GUESS,
  MG_RELAX,
  MG_SCALE,
  MG_SCALE_COLUMNS,
  MG_ROOTS_OF,
  MG_COUPLINGS,
  MG_CLAIM,
  MG_FOUND,
  MG_REOPEN,
  MG_FOUNDERS,
  MG_JOIN,
  MG_REACH,
  MG_PROLONG_COUNT,
  MG_PROLONG_FILL,
  MG_PROLONG_VALUES,
  MG_COUNT_COLUMNS,
  MG_SCATTER,
  MG_ORDER,
  MG_PERMUTE,
  MG_UNION,
  MG_UNION_LONG,
  MG_PRODUCT,
  MG_PRODUCT_WITH,
  MG_PRODUCT_DIAGONAL,
  MG_WIDTHS,
  MG_CUT,
  MG_CUT_VALUES,
  MG_RESTS,
  MG_SPREAD,
  MG_SWEEP,
  MG_INVERSE,
  MG_CHANGED,
  MG_N_KERNELS
} mg_kernel;

/* Room for what is needed for a while; it grows, and keeps nothing from one use to the next. */
typedef enum mg_scratch {
  MG_COUNTS,
  MG_SUMS,
  MG_LISTED,
  MG_BITS,
  MG_LOOSE,
  MG_ROOTS,
  MG_CLAIMS,
  MG_OTHERS,
  MG_CANDIDATES,
  MG_LEFT,
  MG_NUMBERS,
  MG_PARTIAL,
  MG_FOUNDERS_OF,
  MG_N_SCRATCH
} mg_scratch;

enum { MG_SURVEYORS = 32768 };

typedef struct mg_device {
  dev_context *context;
  int group_bits;
  dev_kernel *kernel[MG_N_KERNELS];
  dev_buffer *scratch[MG_N_SCRATCH];
} mg_device;

/* Builds the kernels, for groups of 2^group_bits items: at least 32. */
ew_status mg_device_create(dev_context *context, int group_bits, mg_device **out, ew_error *err);
void mg_device_destroy(mg_device **d);

/* *out: a buffer of at least so many bytes, whatever is in it. */
ew_status mg_device_room(mg_device *d, mg_scratch which, uint64_t bytes, dev_buffer **out, ew_error *err);

/* Queues a kernel over n items with n and these arguments: b, a buffer; i, an int32_t; r, a double. */
ew_status mg_device_run(mg_device *d, mg_kernel which, int32_t n, ew_error *err, const char *kinds, ...);

/* Entries start[i] ... start[i+1]-1 of row i. Owns its buffers. */
typedef struct mg_device_rows {
  int32_t rows, columns, entries;
  dev_buffer *start, *col, *value;
  dev_buffer *row; /* of each entry; NULL: not needed */
} mg_device_rows;

void mg_device_rows_clear(mg_device_rows *r);
/* Columns, values and rows of the entries, with room for `entries`. */
ew_status mg_device_rows_fill(mg_device *d, mg_device_rows *r, ew_error *err);

/* A square matrix. Borrowed. */
typedef struct mg_device_matrix {
  int32_t n, entries;
  const dev_buffer *start, *col, *off, *diagonal;
} mg_device_matrix;

/* start [n + 1] from the counts in MG_COUNTS; *total: how many there are. EW_FAIL: more than 32 bits count. Waits. */
ew_status mg_device_scan(mg_device *d, int32_t n, dev_buffer **start, int32_t *total, ew_error *err);

/* The pattern of (D + A) P, and its values. */
ew_status mg_device_product(mg_device *d, const mg_device_matrix *a, const mg_device_rows *p,
                            mg_device_rows *out, ew_error *err);
ew_status mg_device_product_values(mg_device *d, const mg_device_matrix *a, const mg_device_rows *p,
                                   mg_device_rows *out, ew_error *err);

/* The pattern of R Y off its diagonal, and the values of both. */
ew_status mg_device_square(mg_device *d, const mg_device_rows *r, const mg_device_rows *y,
                           mg_device_rows *out, ew_error *err);
ew_status mg_device_square_values(mg_device *d, const mg_device_rows *r, const mg_device_rows *y,
                                  mg_device_rows *out, dev_buffer *diagonal, ew_error *err);

/* The pattern of the transpose, and where each of its entries comes from; values follow by MG_PERMUTE. */
ew_status mg_device_transpose(mg_device *d, const mg_device_rows *p, mg_device_rows *out, dev_buffer **from,
                              ew_error *err);

/* Rows as the cycle has them, with out->lanes_bits: the pattern, then `scale` times the values. */
ew_status mg_device_cut(mg_device *d, int32_t rows, const dev_buffer *start, const dev_buffer *col,
                        cycle_rows *out, ew_error *err);
ew_status mg_device_cut_values(mg_device *d, const mg_device_rows *from, double scale, cycle_rows *out,
                               ew_error *err);

#endif
