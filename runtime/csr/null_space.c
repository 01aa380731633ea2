#include "csr/null_space.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

/* Sums of rows and columns below this part of the magnitudes are rounding. */
#define ROUNDING 1e-11

/* ---- parts that nothing connects ------------------------------------------------------------------------------------ */

static int32_t root_of(int32_t *up, int32_t i) {
  while (up[i] != i) i = up[i] = up[up[i]];
  return i;
}

/* up[i] becomes the lowest row that is connected to i. */
static void connect(const csr_rows *a, int32_t *up) {
  for (int32_t i = 0; i < a->rows; i++) up[i] = i;
  for (int32_t i = 0; i < a->rows; i++)
    for (int32_t k = a->start[i]; k < a->start[i + 1]; k++) {
      if (a->value[k] == 0) continue;
      const int32_t p = root_of(up, i), q = root_of(up, a->col[k]);
      if (p < q) up[q] = p;
      else up[p] = q;
    }
  for (int32_t i = 0; i < a->rows; i++) up[i] = root_of(up, i);
}

/* ---- sums that vanish ------------------------------------------------------------------------------------------------- */

typedef struct sums {
  double *row, *column, *size; /* [rows]; size: magnitudes of a row */
  double *largest;             /* [rows] of a part, at its lowest row */
} sums;

static void sums_clear(sums *s) {
  free(s->row);
  free(s->column);
  free(s->size);
  free(s->largest);
}

static ew_status add_up(const csr_rows *a, const int32_t *lowest, sums *s, ew_error *err) {
  ew_status status;
  EW_CHECK(EW_NEW(s->row, a->rows));
  EW_CHECK(EW_NEW(s->column, a->rows));
  EW_CHECK(EW_NEW(s->size, a->rows));
  EW_CHECK(EW_NEW(s->largest, a->rows));
  for (int32_t i = 0; i < a->rows; i++)
    for (int32_t k = a->start[i]; k < a->start[i + 1]; k++) {
      s->row[i] += a->value[k];
      s->size[i] += fabs(a->value[k]);
      s->column[a->col[k]] += a->value[k];
    }
  for (int32_t i = 0; i < a->rows; i++) s->largest[lowest[i]] = fmax(s->largest[lowest[i]], s->size[i]);
cleanup:
  return status;
}

static bool row_vanishes(const sums *s, int32_t i, int32_t lowest) {
  return s->size[i] > 0 && fabs(s->row[i]) <= ROUNDING * s->size[i] &&
         fabs(s->column[i]) <= ROUNDING * s->largest[lowest];
}

ew_status null_space_find(const csr_rows *a, null_space *out, ew_error *err) {
  ew_status status;
  sums s = {0};
  int32_t *lowest = NULL;
  *out = (null_space){.rows = a->rows};
  EW_CHECK(EW_NEW(lowest, a->rows));
  EW_CHECK(EW_NEW(out->part, a->rows));
  connect(a, lowest);
  EW_CHECK(add_up(a, lowest, &s, err));
  for (int32_t i = 0; i < a->rows; i++) /* at the lowest row of each part: whether all of its rows vanish */
    if (!row_vanishes(&s, i, lowest[i])) out->part[lowest[i]] = -1;
  for (int32_t i = 0; i < a->rows; i++) {
    if (lowest[i] != i) out->part[i] = out->part[lowest[i]];
    else if (out->part[i] >= 0) out->part[i] = out->n++;
  }
  EW_CHECK(EW_NEW(out->count, out->n));
  for (int32_t i = 0; i < a->rows; i++)
    if (out->part[i] >= 0) out->count[out->part[i]]++;
cleanup:
  sums_clear(&s);
  free(lowest);
  if (status != EW_OK) null_space_clear(out);
  return status;
}

void null_space_clear(null_space *s) {
  free(s->part);
  free(s->count);
  *s = (null_space){0};
}

bool null_space_is_whole(const null_space *s) {
  for (int32_t i = 0; i < s->rows; i++)
    if (s->part[i] != 0) return false;
  return s->n == 1;
}

/* ---- means ---------------------------------------------------------------------------------------------------------------- */

void null_space_means(const null_space *s, const double *x, double *mean) {
  for (int32_t p = 0; p < s->n; p++) mean[p] = 0;
  for (int32_t i = 0; i < s->rows; i++)
    if (s->part[i] >= 0) mean[s->part[i]] += x[i];
  for (int32_t p = 0; p < s->n; p++) mean[p] /= s->count[p];
}

void null_space_shift(const null_space *s, double by, const double *mean, double *x) {
  for (int32_t i = 0; i < s->rows; i++)
    if (s->part[i] >= 0) x[i] += by * mean[s->part[i]];
}
