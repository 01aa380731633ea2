#include "csr/hierarchy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* next = P' A P */
static ew_status galerkin(const mg_level *fine, mg_level *next, ew_error *err) {
  ew_status status;
  mg_pieces product = {0};
  EW_CHECK(EW_NEW(next->diagonal, fine->prolong.columns));
  EW_CHECK(mg_product(&fine->matrix, &fine->prolong, &product, err));
  EW_CHECK(mg_square(&fine->restrict_, &product, &next->off, next->diagonal, err));
  next->matrix = (mg_matrix){next->off.rows, next->off.start, next->off.col, next->off.value, next->diagonal};
cleanup:
  mg_pieces_clear(&product);
  return status;
}

double mg_scale_of(double sum, int32_t n) {
  int exponent = 0;
  if (!(sum > 0) || !isfinite(sum)) return 1;
  frexp(sum / n, &exponent);
  return ldexp(1, -exponent);
}

/* ---- scaling ---------------------------------------------------------------------------------------------------- */

/* off, diagonal = V A V; they may be those of `a`. */
static void scale_matrix(const mg_matrix *a, const double *v, double *off, double *diagonal) {
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < a->n; i++) {
    diagonal[i] = v[i] * a->diagonal[i] * v[i];
    for (int32_t k = a->start[i]; k < a->start[i + 1]; k++) off[k] = v[i] * a->off[k] * v[a->col[k]];
  }
}

/* The finest level with values of its own. */
static ew_status scale_finest(mg_hierarchy *h, ew_error *err) {
  ew_status status;
  mg_level *l = &h->level[0];
  EW_CHECK(mg_near_null(&l->matrix, &h->scaling, err));
  if (!h->scaling) return EW_OK;
  EW_CHECK(EW_NEW(l->off.value, l->matrix.start[l->matrix.n]));
  EW_CHECK(EW_NEW(l->diagonal, l->matrix.n));
  scale_matrix(&l->matrix, h->scaling, l->off.value, l->diagonal);
  l->matrix.off = l->off.value;
  l->matrix.diagonal = l->diagonal;
cleanup:
  return status;
}

/* What interpolates from unknowns x interpolates from V^-1 x as P V. */
static ew_status scale_next(mg_level *fine, mg_level *next, ew_error *err) {
  double *v = NULL;
  ew_status status = mg_near_null(&next->matrix, &v, err);
  if (status != EW_OK || !v) return status;
  scale_matrix(&next->matrix, v, next->off.value, next->diagonal);
  mg_rows *p = &fine->prolong, *r = &fine->restrict_;
  for (int32_t k = 0; k < p->start[p->rows]; k++) p->value[k] *= v[p->col[k]];
  for (int32_t i = 0; i < r->rows; i++)
    for (int32_t k = r->start[i]; k < r->start[i + 1]; k++) r->value[k] *= v[i];
  free(v);
  return EW_OK;
}

/* ---- levels ----------------------------------------------------------------------------------------------------- */

/* Makes the next level, unless aggregates would hardly make it smaller. */
static ew_status coarsen(mg_hierarchy *h, double threshold, bool *done, ew_error *err) {
  ew_status status;
  mg_level *fine = &h->level[h->n_levels - 1];
  uint8_t *kind = NULL;
  int32_t *aggregate = NULL;
  EW_CHECK(mg_couple(&fine->matrix, threshold, &kind, err));
  EW_CHECK(EW_NEW(aggregate, fine->matrix.n));
  const int32_t n = mg_aggregate(&fine->matrix, kind, aggregate);
  *done = n == 0 || n > MG_LEAST_GAIN * fine->matrix.n;
  if (*done) goto cleanup;
  EW_CHECK(mg_prolongator(&fine->matrix, kind, aggregate, n, &fine->prolong, err));
  EW_CHECK(mg_transpose(&fine->prolong, &fine->restrict_, err));
  EW_CHECK(galerkin(fine, &h->level[h->n_levels], err));
  if (h->scaling) EW_CHECK(scale_next(fine, &h->level[h->n_levels], err));
  h->n_levels++;
cleanup:
  free(aggregate);
  free(kind);
  return status;
}

ew_status mg_hierarchy_create(const mg_matrix *finest, mg_hierarchy **out, ew_error *err) {
  ew_status status = EW_OK;
  double threshold = MG_THRESHOLD;
  bool done = false;
  mg_hierarchy *h = *out = calloc(1, sizeof *h);
  if (!h) return ew_fail(err, EW_FAIL, "out of memory for multigrid");
  h->n_levels = 1;
  h->level[0].matrix = *finest;
  EW_CHECK(scale_finest(h, err));
  for (; !done && h->n_levels < MG_MOST_LEVELS && h->level[h->n_levels - 1].matrix.n > MG_MOST_DENSE;
       threshold /= 2)
    EW_CHECK(coarsen(h, threshold, &done, err));
  const mg_matrix *last = &h->level[h->n_levels - 1].matrix;
  if (last->n <= MG_MOST_DENSE) {
    EW_CHECK(EW_NEW(h->dense, (size_t)last->n * (size_t)last->n));
    EW_CHECK(mg_dense_inverse(last, h->dense, err));
  }
cleanup:
  if (status != EW_OK) mg_hierarchy_destroy(out);
  return status;
}

void mg_hierarchy_destroy(mg_hierarchy **h) {
  if (!h || !*h) return;
  for (int l = 0; l < (*h)->n_levels + 1 && l < MG_MOST_LEVELS; l++) {
    mg_level *level = &(*h)->level[l];
    mg_rows_clear(&level->off);
    mg_rows_clear(&level->prolong);
    mg_rows_clear(&level->restrict_);
    free(level->diagonal);
  }
  free((*h)->scaling);
  free((*h)->dense);
  free(*h);
  *h = NULL;
}
