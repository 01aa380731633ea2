/* Which rows make one unknown of the next level, and the smoothed interpolation from it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "csr/hierarchy.h"

/* ---- strong couplings ----------------------------------------------------------------------------------------- */

/* 1 / sqrt(a_ii); 0 where that is none, which makes no coupling strong. */
static void inverse_roots(const mg_matrix *a, double *out) {
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < a->n; i++) out[i] = a->diagonal[i] > 0 ? 1 / sqrt(a->diagonal[i]) : 0;
}

static int32_t strong_in_row(const mg_matrix *a, const double *root, mg_strength s, int32_t i, int32_t *col,
                             double *value) {
  int32_t n = 0;
  for (int32_t k = a->start[i]; k < a->start[i + 1]; k++) {
    const double share = -a->off[k] * root[i];
    if (share * root[a->col[k]] <= s.both && !(share * root[i] > s.row)) continue;
    if (col) col[n] = a->col[k];
    if (value) value[n] = a->off[k];
    n++;
  }
  return n;
}

ew_status mg_strong(const mg_matrix *a, mg_strength s, mg_rows *out, ew_error *err) {
  ew_status status = EW_OK;
  double *root = NULL;
  *out = (mg_rows){.rows = a->n, .columns = a->n};
  EW_CHECK(EW_NEW(root, a->n));
  EW_CHECK(EW_NEW(out->start, (size_t)a->n + 1));
  inverse_roots(a, root);
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < a->n; i++) out->start[i + 1] = strong_in_row(a, root, s, i, NULL, NULL);
  for (int32_t i = 0; i < a->n; i++) out->start[i + 1] += out->start[i];
  EW_CHECK(EW_NEW(out->col, out->start[a->n]));
  EW_CHECK(EW_NEW(out->value, out->start[a->n]));
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < a->n; i++)
    strong_in_row(a, root, s, i, out->col + out->start[i], out->value + out->start[i]);
cleanup:
  free(root);
  if (status != EW_OK) mg_rows_clear(out);
  return status;
}

/* ---- aggregates ------------------------------------------------------------------------------------------------- */

enum { NONE = -1 };

static bool all_free(const mg_rows *s, int32_t i, const int32_t *aggregate) {
  for (int32_t k = s->start[i]; k < s->start[i + 1]; k++)
    if (aggregate[s->col[k]] != NONE) return false;
  return s->start[i + 1] > s->start[i];
}

/* A row and those of its neighbours that are still free. */
static void found_aggregate(const mg_rows *s, int32_t i, int32_t number, int32_t *aggregate) {
  aggregate[i] = number;
  for (int32_t k = s->start[i]; k < s->start[i + 1]; k++)
    if (aggregate[s->col[k]] == NONE) aggregate[s->col[k]] = number;
}

/* The aggregate of the strongest neighbour among those of the first pass (n of them), or NONE. */
static int32_t strongest_aggregate(const mg_rows *s, int32_t i, const int32_t *aggregate, int32_t n) {
  int32_t best = NONE;
  double most = 0;
  for (int32_t k = s->start[i]; k < s->start[i + 1]; k++) {
    const int32_t at = aggregate[s->col[k]];
    if (at < 0 || at >= n || -s->value[k] <= most) continue;
    most = -s->value[k];
    best = at;
  }
  return best;
}

/* Joined rows are marked NONE - 1 - number until the pass is over, so that nothing joins what has just joined. */
static void join_neighbours(const mg_rows *s, int32_t n, int32_t *aggregate) {
  for (int32_t i = 0; i < s->rows; i++) {
    if (aggregate[i] != NONE) continue;
    const int32_t best = strongest_aggregate(s, i, aggregate, n);
    if (best != NONE) aggregate[i] = NONE - 1 - best;
  }
  for (int32_t i = 0; i < s->rows; i++)
    if (aggregate[i] < NONE) aggregate[i] = NONE - 1 - aggregate[i];
}

int32_t mg_aggregate(const mg_rows *s, int32_t *aggregate) {
  int32_t n = 0;
  for (int32_t i = 0; i < s->rows; i++) aggregate[i] = NONE;
  for (int32_t i = 0; i < s->rows; i++)
    if (aggregate[i] == NONE && all_free(s, i, aggregate)) found_aggregate(s, i, n++, aggregate);
  join_neighbours(s, n, aggregate);
  for (int32_t i = 0; i < s->rows; i++)
    if (aggregate[i] == NONE && s->start[i + 1] > s->start[i]) found_aggregate(s, i, n++, aggregate);
  return n;
}

/* ---- interpolation ----------------------------------------------------------------------------------------------- */

/* Adds to the entry of a row that begins at `begin` and has `n` entries; rows reach few aggregates, so looking is enough. */
static int32_t add_to_row(mg_rows *p, int32_t begin, int32_t n, int32_t col, double value) {
  for (int32_t k = begin; k < begin + n; k++)
    if (p->col[k] == col) {
      p->value[k] += value;
      return n;
    }
  p->col[begin + n] = col;
  p->value[begin + n] = value;
  return n + 1;
}

/* The diagonal of A_F: weak couplings belong to it. What that would make too small stays as it is. */
static double filtered_diagonal(const mg_matrix *a, const mg_rows *strong, int32_t i, double *strong_sum) {
  double all = 0, kept = 0;
  for (int32_t k = a->start[i]; k < a->start[i + 1]; k++) all += a->off[k];
  for (int32_t k = strong->start[i]; k < strong->start[i + 1]; k++) kept += strong->value[k];
  const double d = a->diagonal[i] + all - kept;
  *strong_sum = -kept;
  return d > 0.25 * a->diagonal[i] ? d : a->diagonal[i];
}

/* w = 4/3 over a bound of the spectrum (Gershgorin's, of this row): w / d_i = 4/3 / (d_i + sum |a_ij|). A row of no aggregate that hangs on
 * others takes their mean. */
static int32_t prolong_row(const mg_matrix *a, const mg_rows *s, const int32_t *aggregate, int32_t i,
                           int32_t begin, mg_rows *p) {
  double strong_sum;
  const double d = filtered_diagonal(a, s, i, &strong_sum);
  const bool apart = aggregate[i] < 0;
  const double weight = apart ? 1 / d : 4.0 / 3 / (d + strong_sum);
  int32_t n = 0;
  if (!apart) n = add_to_row(p, begin, n, aggregate[i], 1 - weight * d);
  for (int32_t k = s->start[i]; k < s->start[i + 1]; k++)
    if (aggregate[s->col[k]] >= 0) n = add_to_row(p, begin, n, aggregate[s->col[k]], -weight * s->value[k]);
  return n;
}

/* Moves the rows together; the room of row i began at its strong couplings' place plus i. */
static void close_gaps(const mg_rows *s, mg_rows *p) {
  int32_t at = 0;
  for (int32_t i = 0; i < p->rows; i++) {
    const int32_t from = s->start[i] + i, n = p->start[i + 1];
    memmove(p->col + at, p->col + from, (size_t)n * sizeof *p->col);
    memmove(p->value + at, p->value + from, (size_t)n * sizeof *p->value);
    at += n;
    p->start[i + 1] = at;
  }
}

ew_status mg_prolongator(const mg_matrix *a, const mg_rows *strong, const int32_t *aggregate,
                         int32_t n_aggregates, mg_rows *out, ew_error *err) {
  ew_status status = EW_OK;
  const size_t room = (size_t)strong->start[a->n] + (size_t)a->n;
  *out = (mg_rows){.rows = a->n, .columns = n_aggregates};
  if (room > INT32_MAX)
    EW_CHECK(
        ew_fail(err, EW_FAIL, "multigrid: an interpolation of %zu entries is more than 32 bits count", room));
  EW_CHECK(EW_NEW(out->start, (size_t)a->n + 1));
  EW_CHECK(EW_NEW(out->col, room));
  EW_CHECK(EW_NEW(out->value, room));
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < a->n; i++)
    out->start[i + 1] = prolong_row(a, strong, aggregate, i, strong->start[i] + i, out);
  close_gaps(strong, out);
cleanup:
  if (status != EW_OK) mg_rows_clear(out);
  return status;
}
