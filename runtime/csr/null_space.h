/* Constants that a matrix does not see: the parts of its graph within which rows and columns sum to zero. A system with such a matrix
 * has a solution only if the right-hand side sums to zero in each of these parts, and then many, which differ by a constant in each. */
#ifndef EW_CSR_NULL_SPACE_H
#define EW_CSR_NULL_SPACE_H

#include <stdbool.h>

#include "csr/matrix.h"

typedef struct null_space {
  int32_t rows, n; /* of the matrix; parts */
  int32_t *part;   /* [rows] the part of a row, from 0; -1: in none */
  int32_t *count;  /* [n] rows of a part */
} null_space;

/* Of a square matrix, to rounding; cleared by the caller. */
ew_status null_space_find(const csr_rows *a, null_space *out, ew_error *err);
void null_space_clear(null_space *s);

/* Whether the whole matrix is one such part. */
bool null_space_is_whole(const null_space *s);

/* mean [n] of x [rows] in every part; x += by*mean. */
void null_space_means(const null_space *s, const double *x, double *mean);
void null_space_shift(const null_space *s, double by, const double *mean, double *x);

#endif
