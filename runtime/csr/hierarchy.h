/* Smoothed aggregation (Vanek, Mandel, Brezina, Computing 56 (1996) 179-196) on the host: from a matrix to ever smaller ones.
 * Internal to runtime/csr.
 *
 * A level joins every row and its strong neighbours to an aggregate; an aggregate is an unknown of the next level. P0 says
 * which row is in which aggregate, P = (I - w D^-1 A_F) P0 smooths it, where A_F is A with weak couplings moved to the diagonal;
 * the next matrix is P' A P. Where constants are not what a level's matrix takes nearly to zero, but a vector v is, the level's matrix is
 * V A V and its unknowns are V^-1 times what they were, so that each level has the constants. Rows without strong couplings belong to no aggregate: the smoother alone sees to them.
 * Bits   Everything is the same for any number of threads. */
#ifndef EW_CSR_HIERARCHY_H
#define EW_CSR_HIERARCHY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* Entries start[i] ... start[i+1]-1 of row i. Owns its arrays. */
typedef struct mg_rows {
  int32_t rows, columns;
  int32_t *start, *col;
  double *value; /* NULL where a pattern is all there is */
} mg_rows;

void mg_rows_clear(mg_rows *r);

/* A square matrix: off-diagonal rows and a diagonal. Borrowed. */
typedef struct mg_matrix {
  int32_t n;
  const int32_t *start, *col;
  const double *off, *diagonal;
} mg_matrix;

typedef struct mg_level {
  mg_matrix matrix; /* of the finest level: the caller's, unless it is scaled */
  mg_rows off; /* what `matrix` shows on coarser levels; of a finest one that is scaled the values alone */
  double *diagonal; /* the same */
  mg_rows prolong,
      restrict_; /* to this level's rows from the next level's, and its transpose; empty on the last level */
} mg_level;

enum { MG_MOST_LEVELS = 16, MG_MOST_DENSE = 400 };

typedef struct mg_hierarchy {
  int n_levels;
  mg_level level[MG_MOST_LEVELS];
  double *scaling; /* [n] v of the finest level, or NULL: ones */
  double *
      dense; /* [n * n] a symmetric generalised inverse of the last matrix, or NULL: it is too large for one */
} mg_hierarchy;

/* The finest matrix must live as long as the hierarchy. */
ew_status mg_hierarchy_create(const mg_matrix *finest, mg_hierarchy **out, ew_error *err);
void mg_hierarchy_destroy(mg_hierarchy **h);

/* ---- rules ----------------------------------------------------------------------------------------------------- */

/* A coupling is strong above this share of the diagonals' geometric mean, on the finest level; coarser matrices are smoother and
 * get half of it each (Vanek, Mandel, Brezina). */
#define MG_THRESHOLD 0.08

/* A row beside a much larger coefficient hangs on it, though the coupling is nothing to the other end: above this share of its own
 * diagonal it is interpolated from there. Aggregates do not reach across. */
#define MG_ROW_SHARE 0.15

/* A level of more rows than that share of the finer one's is not worth it. */
#define MG_LEAST_GAIN 0.8

enum { MG_RELAX_SWEEPS = 10 }; /* of A v = 0 */

/* Whether constants do, from how far rows sum to less than 0, as a share of their diagonals: on the mean, and at most. */
bool mg_constants_serve(double mean, double most);

/* 1 / (the diagonal's mean), as a power of two: it changes no bit of a product. `sum`: of n magnitudes. */
double mg_scale_of(double sum, int32_t n);

/* ---- the parts ------------------------------------------------------------------------------------------------ */

/* *out [n]: a positive vector that `a` takes nearly to zero, or NULL: constants serve. */
ew_status mg_near_null(const mg_matrix *a, double **out, ew_error *err);

/* What makes a coupling strong: -a_ij above `both` * sqrt(a_ii a_jj), or above `row` * a_ii. */
typedef struct mg_strength {
  double both, row;
} mg_strength;

/* The strong couplings of `a`: their columns and values. */
ew_status mg_strong(const mg_matrix *a, mg_strength s, mg_rows *out, ew_error *err);

/* aggregate[n]: from 0, or -1 for rows without strong couplings. Returns how many. */
int32_t mg_aggregate(const mg_rows *strong, int32_t *aggregate);

/* P for aggregates, smoothed by the couplings of `a` that are `strong` here. */
ew_status mg_prolongator(const mg_matrix *a, const mg_rows *strong, const int32_t *aggregate,
                         int32_t n_aggregates, mg_rows *out, ew_error *err);

ew_status mg_transpose(const mg_rows *a, mg_rows *out, ew_error *err);

/* out = x y, or (diag(diagonal) + x) y if there is a diagonal. Columns of a row in the order of their first appearance. */
ew_status mg_multiply(const mg_rows *x, const double *diagonal, const mg_rows *y, mg_rows *out,
                      ew_error *err);

/* out [n * n] = a symmetric generalised inverse of the positive semi-definite `a`: unknowns that earlier ones decide (a zero
 * pivot) are set to 0, so that consistent systems are solved whatever the null space is. */
ew_status mg_dense_inverse(const mg_matrix *a, double *out, ew_error *err);

#endif
