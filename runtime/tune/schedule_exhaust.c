/* A whole space of schedules, measured once: what a tuning is held against. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/timing.h"
#include "tune/schedule_internal.h"

enum { FINALISTS = 3, FINAL_EFFORT = 5 };

/* ---- the points ---------------------------------------------------------------------------------------------------------- */

/* Points that are built at once. */
typedef struct batch {
  int n;
  tune_trial point[TUNE_BUILDERS];
  tune_builds builds;
} batch;

/* The next points that make kernels unlike all before; *which: the point to go on from. None when time is up, or a stop was asked for. */
static void next_batch(tune_session *t, int *which, batch *out) {
  const int at_once = tune_builders(t);
  const bool over = (t->limits->stop && *t->limits->stop) || ew_seconds() - t->begun > t->limits->seconds;
  *out = (batch){0};
  for (; !over && out->n < at_once; ++*which) {
    char key[TUNE_KEY];
    tune_trial *point = &out->point[out->n];
    if (!tune_point(t->on, &t->out->info, *which, point)) break;
    if (tune_foresee(t, point, key) && tune_note(t, key)) out->n++;
  }
}

static void build(const tune_session *t, batch *b) { tune_prepare(t, b->point, b->n, &b->builds); }

/* While a GPU is measured the host builds what comes next; what is measured on the host itself has it alone. */
static ew_status measure_batch(tune_session *t, batch *now, batch *then, int *which, ew_error *err) {
  ew_status status = EW_OK;
  const bool at_once = t->out->info.type == DEV_GPU;
  tune_prepared(t, &now->builds);
  next_batch(t, which, then);
  if (at_once) build(t, then);
  for (int i = 0; i < now->n && status == EW_OK; i++) {
    tune_trial *r;
    status = tune_try(t, &now->point[i], &r, err);
  }
  if (!at_once && status == EW_OK) build(t, then);
  return status;
}

static ew_status measure_points(tune_session *t, int *points, ew_error *err) {
  ew_status status = EW_OK;
  batch *two = calloc(2, sizeof *two);
  if (!two) return ew_fail(err, EW_FAIL, "out of memory to tune");
  int now = 0;
  *points = 0;
  next_batch(t, points, &two[now]);
  build(t, &two[now]);
  for (; two[now].n && status == EW_OK; now = 1 - now)
    status = measure_batch(t, &two[now], &two[1 - now], points, err);
  tune_prepared(t, &two[now].builds);
  free(two);
  if (status == EW_OK && t->limits->stop && *t->limits->stop)
    return ew_fail(err, EW_STOPPED, "stopped on request");
  return status;
}

/* Of the trials before `end` the one that follows trial `after` in the order of their speeds; after -1: the fastest. -1: none. */
static int next_fastest(const tune_schedule_table *o, int end, int after) {
  int best = -1;
  for (int i = 0; i < end; i++) {
    const double g = o->trial[i].gain;
    const bool later = after < 0 || g < o->trial[after].gain ||
                       (g == o->trial[after].gain && i > after); /* of all in order */
    if (g > 0 && later && (best < 0 || g > o->trial[best].gain)) best = i;
  }
  return best;
}

static int foreseen_fastest(const tune_schedule_table *o, int end) {
  int best = 0;
  for (int i = 1; i < end; i++)
    if (o->trial[i].predicted > 0 && o->trial[i].predicted < o->trial[best].predicted) best = i;
  return best;
}

/* ---- the comparison -------------------------------------------------------------------------------------------------------- */

static ew_status measure_again(tune_session *t, const tune_trial *what, tune_trial *out, ew_error *err) {
  tune_trial *r;
  const ew_status status = tune_try(t, what, &r, err);
  if (status == EW_OK) *out = *r;
  return status;
}

static ew_status measure_optimum(tune_session *t, int end, tune_trial *out, ew_error *err) {
  ew_status status = EW_OK;
  tune_trial again;
  *out = (tune_trial){0};
  for (int i = 0, k = -1; i < FINALISTS; i++) {
    k = next_fastest(t->out, end, k);
    if (k < 0) break;
    EW_CHECK(measure_again(t, &t->out->trial[k], &again, err));
    if (again.gain > out->gain) *out = again;
  }
cleanup:
  return status;
}

ew_status tune_exhaust(ew_case *c, const char *device, const tune_limits *limits, tune_schedule_table *out,
                       tune_shares *shares, ew_error *err) {
  ew_status status;
  tune_session *t = NULL;
  const tune_schedule_table *found = shares->found;
  EW_CHECK(tune_open(c, device, limits, out, &t, err));
  EW_CHECK(measure_points(t, &shares->points, err));
  const int end = out->n;
  shares->measured = end;
  t->bench.effort = FINAL_EFFORT;
  EW_CHECK(measure_optimum(t, end, &shares->optimum, err));
  EW_CHECK(measure_again(t, &found->trial[found->best], &shares->tuned, err));
  EW_CHECK(measure_again(t, &out->trial[foreseen_fastest(out, end)], &shares->foreseen, err));
  out->best = next_fastest(out, end, -1);
  if (out->best < 0) out->best = 0;
  out->trial[out->best].verdict = TUNE_BEST;
  out->seconds = ew_seconds() - t->begun;
cleanup:
  tune_close(&t);
  return status;
}
