/* Which rows make one unknown of the next level, and the smoothed interpolation from it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "csr/hierarchy.h"

/* ---- couplings ---------------------------------------------------------------------------------------------------- */

/* 1 / sqrt(a_ii); 0 where that is none, which makes no coupling strong. */
static void inverse_roots(const mg_matrix *a, double *out) {
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < a->n; i++) out[i] = a->diagonal[i] > 0 ? 1 / sqrt(a->diagonal[i]) : 0;
}

ew_status mg_couple(const mg_matrix *a, double threshold, uint8_t **out, ew_error *err) {
  ew_status status = EW_OK;
  double *root = NULL;
  uint8_t *kind = *out = malloc((size_t)a->start[a->n] + 1);
  if (!kind) EW_CHECK(ew_fail(err, EW_FAIL, "out of memory for the couplings of %d rows", a->n));
  EW_CHECK(EW_NEW(root, a->n));
  inverse_roots(a, root);
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < a->n; i++)
    for (int32_t k = a->start[i]; k < a->start[i + 1]; k++) {
      const double share = -a->off[k] * root[i];
      const bool strong = !(share * root[a->col[k]] <= threshold);
      kind[k] = strong ? MG_STRONG : share * root[i] > MG_ROW_SHARE ? MG_REACHED : MG_WEAK;
    }
cleanup:
  free(root);
  return status;
}

/* ---- aggregates ------------------------------------------------------------------------------------------------- */

enum { NONE = -1 };

/* A matrix and its couplings. */
typedef struct coupled {
  const mg_matrix *a;
  const uint8_t *kind;
} coupled;

/* Whether there are strong neighbours, all of them free. */
static bool all_free(const coupled *s, int32_t i, const int32_t *aggregate) {
  bool any = false;
  for (int32_t k = s->a->start[i]; k < s->a->start[i + 1]; k++) {
    if (s->kind[k] != MG_STRONG) continue;
    if (aggregate[s->a->col[k]] != NONE) return false;
    any = true;
  }
  return any;
}

/* A row and its neighbours. */
static void found_aggregate(const coupled *s, int32_t i, int32_t number, int32_t *aggregate) {
  aggregate[i] = number;
  for (int32_t k = s->a->start[i]; k < s->a->start[i + 1]; k++)
    if (s->kind[k] == MG_STRONG) aggregate[s->a->col[k]] = number;
}

/* NONE - 1 - the aggregate of the strongest neighbour, or NONE. Those that have joined so are left alone. */
static int32_t strongest_aggregate(const coupled *s, int32_t i, const int32_t *aggregate) {
  int32_t best = NONE;
  double most = 0;
  for (int32_t k = s->a->start[i]; k < s->a->start[i + 1]; k++) {
    const int32_t at = aggregate[s->a->col[k]];
    if (s->kind[k] != MG_STRONG || at < 0 || -s->a->off[k] <= most) continue;
    most = -s->a->off[k];
    best = NONE - 1 - at;
  }
  return best;
}

/* A row that founds none has a neighbour in one, or no strong neighbours: nothing is left behind the second pass. */
int32_t mg_aggregate(const mg_matrix *a, const uint8_t *kind, int32_t *aggregate) {
  const coupled s = {a, kind};
  int32_t n = 0;
  for (int32_t i = 0; i < a->n; i++) aggregate[i] = NONE;
  for (int32_t i = 0; i < a->n; i++)
    if (aggregate[i] == NONE && all_free(&s, i, aggregate)) found_aggregate(&s, i, n++, aggregate);
  for (int32_t i = 0; i < a->n; i++)
    if (aggregate[i] == NONE) aggregate[i] = strongest_aggregate(&s, i, aggregate);
  for (int32_t i = 0; i < a->n; i++)
    if (aggregate[i] < NONE) aggregate[i] = NONE - 1 - aggregate[i];
  return n;
}

/* ---- interpolation ----------------------------------------------------------------------------------------------- */

/* Adds to an entry of the row that begins at `begin`; rows reach few aggregates, so looking is enough. */
static void add_to_row(mg_part *p, int32_t begin, int32_t col, double value) {
  for (int32_t k = begin; k < p->n; k++)
    if (p->col[k] == col) {
      p->value[k] += value;
      return;
    }
  p->col[p->n] = col;
  p->value[p->n++] = value;
}

/* The diagonal of A_F: weak couplings belong to it. What that would make too small stays as it is. */
static double filtered_diagonal(const coupled *s, int32_t i, double *strong_sum) {
  double all = 0, kept = 0;
  const mg_matrix *a = s->a;
  for (int32_t k = a->start[i]; k < a->start[i + 1]; k++) all += a->off[k];
  for (int32_t k = a->start[i]; k < a->start[i + 1]; k++)
    if (s->kind[k] != MG_WEAK) kept += a->off[k];
  const double d = a->diagonal[i] + all - kept;
  *strong_sum = -kept;
  return d > 0.25 * a->diagonal[i] ? d : a->diagonal[i];
}

/* w = 4/3 over a bound of the spectrum (Gershgorin's, of this row): w / d_i = 4/3 / (d_i + sum |a_ij|). A row of no aggregate that hangs on
 * others takes their mean. */
static void prolong_row(const coupled *s, const int32_t *aggregate, int32_t i, mg_part *p) {
  double strong_sum;
  const mg_matrix *a = s->a;
  const double d = filtered_diagonal(s, i, &strong_sum);
  const bool apart = aggregate[i] < 0;
  const double weight = apart ? 1 / d : 4.0 / 3 / (d + strong_sum);
  const int32_t begin = p->n;
  if (!apart) add_to_row(p, begin, aggregate[i], 1 - weight * d);
  for (int32_t k = a->start[i]; k < a->start[i + 1]; k++)
    if (s->kind[k] != MG_WEAK && aggregate[a->col[k]] >= 0)
      add_to_row(p, begin, aggregate[a->col[k]], -weight * a->off[k]);
}

ew_status mg_prolongator(const mg_matrix *a, const uint8_t *kind, const int32_t *aggregate,
                         int32_t n_aggregates, mg_rows *out, ew_error *err) {
  ew_status status;
  const coupled s = {a, kind};
  mg_pieces pieces;
  EW_CHECK(mg_pieces_create(a->start, a->n, n_aggregates, &pieces, err));
#pragma omp parallel for schedule(dynamic)
  for (int p = 0; p < MG_PARTS; p++) {
    mg_part *part = &pieces.part[p];
    for (int32_t i = pieces.begin[p]; i < pieces.begin[p + 1]; i++) {
      const int32_t first = part->n;
      if (!mg_part_reserve(part, (size_t)(a->start[i + 1] - a->start[i]) + 1)) break;
      prolong_row(&s, aggregate, i, part);
      pieces.start[i + 1] = part->n - first;
    }
  }
  EW_CHECK(mg_pieces_close(&pieces, err));
  EW_CHECK(mg_pieces_join(&pieces, out, err));
cleanup:
  mg_pieces_clear(&pieces);
  if (status != EW_OK) mg_rows_clear(out);
  return status;
}
