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
#include <stddef.h>
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

/* What a coupling is: strong where -a_ij is above the threshold times sqrt(a_ii a_jj), else reached above
 * MG_ROW_SHARE of a_ii. */
enum { MG_WEAK, MG_REACHED, MG_STRONG };

/* *out [start[n]]: of each entry. Freed by the caller, also after a failure. */
ew_status mg_couple(const mg_matrix *a, double threshold, uint8_t **out, ew_error *err);

/* aggregate[n]: from 0, or -1 for rows without strong couplings. Returns how many. */
int32_t mg_aggregate(const mg_matrix *a, const uint8_t *kind, int32_t *aggregate);

/* P for aggregates, smoothed by the couplings that are not weak. */
ew_status mg_prolongator(const mg_matrix *a, const uint8_t *kind, const int32_t *aggregate,
                         int32_t n_aggregates, mg_rows *out, ew_error *err);

ew_status mg_transpose(const mg_rows *a, mg_rows *out, ew_error *err);

/* Contiguous parts, of about equal work, in which rows are dealt to threads. */
enum { MG_PARTS = 16 };

/* Entries of the rows of one part. */
typedef struct mg_part {
  int32_t *col;
  double *value;
  size_t capacity;
  int32_t n, first;   /* entries; of how many in the parts before, once closed */
  const char *failed; /* why, or NULL */
} mg_part;

/* Rows in pieces: rows begin[p] ... begin[p+1]-1 lie in part p. Owns its arrays. */
typedef struct mg_pieces {
  int32_t rows, columns, begin[MG_PARTS + 1];
  int32_t *start; /* [rows + 1] lengths behind a 0; once closed, places from the
                     first piece on */
  uint8_t *of;    /* [rows] in which part */
  mg_part part[MG_PARTS];
} mg_pieces;

/* Of as many rows as `start` has places for, by the work of which they are cut; no entries yet. */
ew_status mg_pieces_create(const int32_t *start, int32_t rows, int32_t columns, mg_pieces *out,
                           ew_error *err);
void mg_pieces_clear(mg_pieces *r);
/* Room for that many entries more; else p->failed says why there is none. */
bool mg_part_reserve(mg_part *p, size_t more);
ew_status mg_pieces_close(mg_pieces *r, ew_error *err);
/* All in one; what is left of `from` is to be cleared. */
ew_status mg_pieces_join(mg_pieces *from, mg_rows *out, ew_error *err);

/* out = A P, and out = R Y with its diagonal [rows] apart. Columns of a row in any order, the same for any number
 * of threads. */
ew_status mg_product(const mg_matrix *a, const mg_rows *p, mg_pieces *out, ew_error *err);
ew_status mg_square(const mg_rows *r, const mg_pieces *y, mg_rows *out, double *diagonal, ew_error *err);

/* out [n * n] = a symmetric generalised inverse of the positive semi-definite `a`: unknowns that earlier ones decide (a zero
 * pivot) are set to 0, so that consistent systems are solved whatever the null space is. */
ew_status mg_dense_inverse(const mg_matrix *a, double *out, ew_error *err);

#endif
