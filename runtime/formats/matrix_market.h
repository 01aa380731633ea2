/* Matrices and vectors in the Matrix Market format (Boisvert, Pozo, Remington: NISTIR 5935, 1996), also packed with gzip.
 *
 * Read are coordinate and array files of real, integer and pattern entries (pattern: 1), general, symmetric (a real
 * hermitian matrix is one) or skew-symmetric; exponents with e or Fortran's D;
 * the header's words in upper and lower case alike. Symmetric files hold the lower triangle. Entries given twice are added.
 * Errors: EW_IO for a file that cannot be read or written; EW_INPUT, beginning with "FILE:LINE: ", for what it holds. */
#ifndef EW_IO_MATRIX_MARKET_H
#define EW_IO_MATRIX_MARKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "csr/matrix.h"

ew_status mm_read(const char *path, csr_rows **out, ew_error *err);
/* `name` stands for the file in messages. */
ew_status mm_read_memory(const void *bytes, size_t size, const char *name, csr_rows **out, ew_error *err);
/* A matrix of one column as a vector: out[rows], entries that are not there are 0. EW_INPUT unless it is rows x 1. */
ew_status mm_to_vector(const csr_rows *m, const char *name, int32_t rows, double *out, ew_error *err);

/* An array file of one column with 17 digits; `comment` (one line, or NULL) follows the header. The file appears whole or not. */
ew_status mm_write_vector(const char *path, const char *comment, const double *value, int32_t n,
                          ew_error *err);

#endif
