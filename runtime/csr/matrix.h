/* A sparse matrix in compressed sparse rows (CSR) on the host: what readers of files make and linear.h solves. */
#ifndef EW_CSR_MATRIX_H
#define EW_CSR_MATRIX_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Rows in order, columns increasing within a row; both triangles of a symmetric matrix. */
typedef struct csr_rows {
  int32_t rows, columns;
  int32_t *start; /* [rows + 1] */
  int32_t *col;   /* [start[rows]] from 0 */
  double *value;  /* [start[rows]] */
} csr_rows;

/* From n entries with indices from 0, all inside of the matrix, in any order; entries given twice are added. EW_FAIL: out of memory. */
ew_status csr_rows_create(int32_t rows, int32_t columns, size_t n, const int32_t *row, const int32_t *col,
                          const double *value, csr_rows **out, ew_error *err);
void csr_rows_destroy(csr_rows **m);

#endif
