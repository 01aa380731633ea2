/* Times that no step passes. A scheme sees the value of a series at the start of a step or stage: where a step is longer than the
 * series' own pace, what happens between is lost - a hydrograph that begins on dry ground has not begun yet when the first step
 * decides how long it may be. So steps end at every knot, and a fiftieth of the series' range is the most that passes in a step. */
#include <math.h>
#include <stdlib.h>

#include "run/internal.h"

enum { PARTS = 50 };

#define TOGETHER 1e-12 /* of a time: what rounding alone keeps apart */
#define SHORTEST                                                                                             \
  1e-9 /* of a time: what a piece may be cut into; differences over shorter steps are half rounding */

typedef struct knots {
  double *at;
  size_t n, room;
  bool fixed; /* the steps are: only what is written is met, nothing between */
} knots;

static ew_status add(knots *k, double t, ew_error *err) {
  if (k->n == k->room) {
    size_t room = k->room ? 2 * k->room : 64;
    double *grown = realloc(k->at, room * sizeof *grown);
    if (!grown) return ew_fail(err, EW_FAIL, "out of memory for the times of series");
    k->at = grown;
    k->room = room;
  }
  k->at[k->n++] = t;
  return EW_OK;
}

static double range_of(const case_value *v, int column) {
  double low = INFINITY, high = -INFINITY;
  for (int i = 0; i < v->n_times; i++) {
    double x = v->series[(size_t)i * (size_t)v->n + (size_t)column];
    low = fmin(low, x), high = fmax(high, x);
  }
  return high - low;
}

/* Parts into which the piece between entries i and i + 1 is to be cut. */
static int parts_of(const case_value *v, int i, const double *range) {
  double most = 1;
  const double *a = v->series + (size_t)i * (size_t)v->n;
  for (int d = 0; d < v->n; d++)
    if (range[d] > 0) most = fmax(most, ceil(PARTS * fabs(a[v->n + d] - a[d]) / range[d] - 1e-9));
  const double shorter =
      (v->time[i + 1] - v->time[i]) / (SHORTEST * fabs(v->time[i + 1])); /* a jump stays in one */
  return (int)fmax(fmin(fmin(most, PARTS), shorter), 1);
}

static ew_status add_series(knots *k, const case_value *v, ew_error *err) {
  ew_status status = EW_OK;
  double range[DSLC_MOST_COMPONENTS];
  while (v && v->kind == CASE_LEVEL) v = v->part;
  if (!v || v->kind != CASE_SERIES || v->n_times < 1) return EW_OK;
  for (int d = 0; d < v->n; d++) range[d] = range_of(v, d);
  for (int i = 0; i + 1 < v->n_times; i++) {
    const int parts = k->fixed ? 1 : parts_of(v, i, range);
    for (int p = 0; p < parts; p++)
      EW_CHECK(add(k, v->time[i] + (v->time[i + 1] - v->time[i]) * p / parts, err));
  }
  EW_CHECK(add(k, v->time[v->n_times - 1], err));
cleanup:
  return status;
}

static int by_time(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* What rounding alone keeps apart is one: the last, behind a jump whose rows are as close as that. */
static int merge(double *at, size_t n) {
  size_t kept = 0;
  double first = 0;
  for (size_t i = 0; i < n; i++) {
    const bool together = kept > 0 && exec_is_same_time(at[i], first);
    if (!together) first = at[i];
    at[together ? kept - 1 : kept++] = at[i];
  }
  return (int)kept;
}

ew_status exec_knots_create(exec_run *run, ew_error *err) {
  ew_status status = EW_OK;
  const ew_case *c = run->c;
  knots k = {.fixed = c->time.fixed_step > 0};
  for (int g = 0; g < c->values.n_givens; g++) EW_CHECK(add_series(&k, &c->values.given[g], err));
  for (int b = 0; b < c->n_boundaries; b++)
    for (int a = 0; a < c->boundary[b].n_arguments; a++)
      EW_CHECK(add_series(&k, &c->boundary[b].argument[a], err));
  if (k.n > 0) qsort(k.at, k.n, sizeof *k.at, by_time);
  run->clock.n_knots = merge(k.at, k.n);
cleanup:
  run->clock.knot = k.at; /* the run's also where memory was not enough */
  return status;
}

/* The number of the first knot behind t. */
static int knots_until(const exec_run *run, double t) {
  int low = 0, high = run->clock.n_knots;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (run->clock.knot[middle] <= t) low = middle + 1;
    else high = middle;
  }
  return low;
}

double exec_next_knot(const exec_run *run, double t) {
  const int next = knots_until(run, t);
  return next < run->clock.n_knots ? run->clock.knot[next] : INFINITY;
}

bool exec_is_same_time(double a, double b) {
  return a == b || (isfinite(a) && isfinite(b) && fabs(a - b) <= TOGETHER * fmax(fabs(a), fabs(b)));
}

double exec_moment(const exec_run *run, double t) {
  const int next = knots_until(run, t);
  if (next < run->clock.n_knots && exec_is_same_time(run->clock.knot[next], t)) return run->clock.knot[next];
  return next > 0 && exec_is_same_time(run->clock.knot[next - 1], t) ? run->clock.knot[next - 1] : t;
}
