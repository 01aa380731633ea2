/* Matrices and vectors in the Matrix Market format (Boisvert, Pozo, Remington: NISTIR 5935, 1996), also packed with gzip.
 *
 * Read are coordinate and array files of real, integer and pattern entries (pattern: 1), general, symmetric or skew-symmetric;
 * the header's words in upper and lower case alike. Symmetric files hold the lower triangle. Entries given twice are added.
 * Errors: EW_IO for a file that cannot be read or written; EW_INPUT, beginning with "FILE:LINE: ", for what it holds. */
#ifndef EW_IO_MATRIX_MARKET_H
#define EW_IO_MATRIX_MARKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Both triangles, rows in order, columns increasing within a row. */
typedef struct mm_matrix {
  int32_t rows, columns;
  int32_t *start; /* [rows + 1] */
  int32_t *col;   /* [start[rows]] from 0 */
  double *value;  /* [start[rows]] */
} mm_matrix;

ew_status mm_read(const char *path, mm_matrix **out, ew_error *err);
/* `name` stands for the file in messages. */
ew_status mm_read_memory(const void *bytes, size_t size, const char *name, mm_matrix **out, ew_error *err);
/* From n entries with indices from 0, all inside of the matrix. */
ew_status mm_create(int32_t rows, int32_t columns, size_t n, const int32_t *row, const int32_t *col,
                    const double *value, mm_matrix **out, ew_error *err);
void mm_destroy(mm_matrix **m);

/* A matrix of one column as a vector: out[rows], entries that are not there are 0. EW_INPUT unless it is rows x 1. */
ew_status mm_to_vector(const mm_matrix *m, const char *name, int32_t rows, double *out, ew_error *err);

/* An array file of one column with 17 digits; `comment` (one line, or NULL) follows the header. The file appears whole or not. */
ew_status mm_write_vector(const char *path, const char *comment, const double *value, int32_t n,
                          ew_error *err);

#endif
