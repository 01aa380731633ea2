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

/* A matrix as n entries in any order, with indices from 0 and all inside of it. */
typedef struct csr_entries {
  int32_t rows, columns;
  size_t n;
  const int32_t *row, *col;
  const double *value;
} csr_entries;

/* Entries given twice are added. EW_FAIL: out of memory. */
ew_status csr_rows_create(const csr_entries *e, csr_rows **out, ew_error *err);
void csr_rows_destroy(csr_rows **m);

#endif
