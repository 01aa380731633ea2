#include "run/ahead.h"

#include <math.h>
#include <stdlib.h>

#include "run/over_time.h"
#include "run/spots.h"

enum {
  PARTS = 50,      /* of a value's range is passed in a step, as between the knots of a series */
  PATIENCE = 10,   /* a scheme's own bound that is no more than so many times as long as that stands */
  MOMENTS = 1024,  /* of a run, evenly: what is over between two of them may not be seen */
  MOST_ASKED = 16, /* points of a value that depends on the place */
  GROWTH = 8       /* steps may be so many times as long as the one before without another look */
};

/* Of a run: a jump lies in less, and what changes everywhere does not stop it. */
#define SHORTEST (1.0 / (16 * MOMENTS))

typedef struct foreseen {
  exec_sampler *sampler;
  int n, components;
  double x[MOST_ASKED][3];
  double begin[MOST_ASKED][DSLC_MOST_COMPONENTS]; /* at the start of the step; NaN: there is no value */
  double range[DSLC_MOST_COMPONENTS];             /* over the run, of the point where it is largest */
  bool busy; /* waves and noise: in half of the moments a part of the range is passed, or more */
} foreseen;

struct exec_ahead {
  exec_run *run;
  bool series; /* are asked, too, and knots looked at */
  int n;
  foreseen *value;
  double end;  /* of the run, as far as it is known; ranges are of [0, end] */
  double part; /* of a range that is passed in a step */
  bool moving; /* the scheme has a bound of its own: it may pass what is busy as it likes */
};

/* ---- which values ------------------------------------------------------------------------------------------------------------ */

static ew_status add(void *context, const exec_over_time *o, ew_error *err) {
  exec_ahead *a = context;
  exec_spots where = o->where;
  if (o->value->kind == CASE_SERIES && !a->series) return EW_OK;
  foreseen *grown = realloc(a->value, ((size_t)a->n + 1) * sizeof *grown);
  if (!grown) return ew_fail(err, EW_FAIL, "out of memory for values over time");
  a->value = grown;
  foreseen *f = &grown[a->n++];
  *f = (foreseen){.components = where.components};
  where.most = o->value->kind == CASE_SERIES || o->value->of_time_alone ? 1 : MOST_ASKED;
  f->n = where.place == DSLC_NOWHERE ? 1 : exec_spots_count(&where);
  exec_spots_points(&where, f->x);
  return exec_sampler_create(a->run->c, o->value, where.components, &f->sampler, err);
}

static ew_status create(exec_run *run, ew_error *err) {
  exec_ahead *a = calloc(1, sizeof *a);
  if (!a) return ew_fail(err, EW_FAIL, "out of memory for values over time");
  run->clock.ahead = a;
  a->run = run;
  a->series = run->c->time.whole_steps;
  return exec_each_over_time(run, add, a, err);
}

bool exec_ahead_asks(const exec_run *run) { return exec_over_time_any(run, run->c->time.whole_steps); }

void exec_ahead_destroy(exec_ahead **a) {
  if (!a || !*a) return;
  for (int i = 0; i < (*a)->n; i++) exec_sampler_destroy(&(*a)->value[i].sampler);
  free((*a)->value);
  free(*a);
  *a = NULL;
}

/* ---- what they are ------------------------------------------------------------------------------------------------------------- */

static void ask(const exec_ahead *a, const foreseen *f, int k, double t, double *out) {
  ew_error ignored = {0}; /* it fails where the value is needed */
  if (exec_sample(f->sampler, a->run->dim, f->x[k], t, out, &ignored) == EW_OK) return;
  for (int d = 0; d < f->components; d++) out[d] = NAN;
}

static double next_moment(const exec_ahead *a, double t, double until) {
  const double next = fmin(t + a->end / MOMENTS, until);
  return a->series ? fmin(next, exec_next_knot(a->run, t)) : next;
}

static void find_range(const exec_ahead *a, foreseen *f, int k) {
  double low[DSLC_MOST_COMPONENTS], high[DSLC_MOST_COMPONENTS], now[DSLC_MOST_COMPONENTS];
  ask(a, f, k, 0, now);
  for (int d = 0; d < f->components; d++) low[d] = high[d] = now[d];
  for (double t = 0; t < a->end;) {
    t = next_moment(a, t, a->end);
    ask(a, f, k, t, now);
    for (int d = 0; d < f->components; d++) low[d] = fmin(low[d], now[d]), high[d] = fmax(high[d], now[d]);
  }
  for (int d = 0; d < f->components; d++) f->range[d] = fmax(f->range[d], high[d] - low[d]);
}

static bool differs(const exec_ahead *a, const foreseen *f, const double *x, const double *y) {
  for (int d = 0; d < f->components; d++)
    if (fabs(x[d] - y[d]) > f->range[d] * a->part * (1 + 1e-9)) return true;
  return false;
}

static bool is_busy(const exec_ahead *a, const foreseen *f, int k) {
  double pair[2][DSLC_MOST_COMPONENTS];
  int moves = 0;
  ask(a, f, k, 0, pair[0]);
  for (int i = 1; i <= MOMENTS; i++) {
    ask(a, f, k, a->end * i / MOMENTS, pair[i & 1]);
    moves += differs(a, f, pair[0], pair[1]);
  }
  return moves > MOMENTS / 2;
}

/* The ranges are those of a run up to `end`. */
static void look_up_to(exec_ahead *a, double end) {
  if (a->end == end) return;
  a->end = end;
  a->part = 1.0 / PARTS;
  for (int i = 0; i < a->n; i++) {
    foreseen *f = &a->value[i];
    for (int d = 0; d < f->components; d++) f->range[d] = 0;
    for (int k = 0; k < f->n; k++) find_range(a, f, k);
    f->busy = false;
    for (int k = 0; k < f->n && !f->busy; k++) f->busy = is_busy(a, f, k);
  }
}

/* ---- how long they stay ---------------------------------------------------------------------------------------------------------- */

static bool is_other(const exec_ahead *a, const foreseen *f, double t) {
  double now[DSLC_MOST_COMPONENTS];
  for (int k = 0; k < f->n; k++) {
    ask(a, f, k, t, now);
    if (differs(a, f, now, f->begin[k])) return true;
  }
  return false;
}

static bool any_other(const exec_ahead *a, double t) {
  for (int i = 0; i < a->n; i++)
    if (!(a->moving && a->value[i].busy) && is_other(a, &a->value[i], t)) return true;
  return false;
}

/* From t on up to which time all are what they were, but for a part, and from which one is not: false if they are up to `until`. */
static bool find_change(exec_ahead *a, double t, double until, double *same, double *other) {
  for (int i = 0; i < a->n; i++)
    for (int k = 0; k < a->value[i].n; k++) ask(a, &a->value[i], k, t, a->value[i].begin[k]);
  for (*same = t; *same < until; *same = *other) {
    *other = next_moment(a, *same, until);
    if (any_other(a, *other)) return true;
  }
  return false;
}

/* Behind a jump lies *other, so that the next step has begun behind it. */
static void narrow(const exec_ahead *a, double *same, double *other) {
  while (*other - *same > SHORTEST * a->end) {
    const double middle = *same + (*other - *same) / 2;
    if (any_other(a, middle)) *other = middle;
    else *same = middle;
  }
}

/* ---- the next step ----------------------------------------------------------------------------------------------------------------- */

/* The same for steps of about that size, so that the device need not be told of each. */
static double rounded(double most) { return isfinite(most) ? ldexp(1, ilogb(most)) : most; }

/* `own`: the scheme's bound in the last step, 0: there was none. */
static double longest(exec_ahead *a, double t, double own, double most) {
  const double grown = own > 0 ? fmin(most, rounded(GROWTH * own)) : most;
  double same, other;
  /* whole steps are for schemes of several levels, which want the first ones alike */
  a->moving = own > 0 && isfinite(own);
  a->part = (double)(own == 0 && a->series ? PATIENCE : 1) / PARTS;
  if (!find_change(a, t, fmin(t + grown, a->end), &same, &other)) return grown;
  if (own > 0 && own <= PATIENCE * (same - t)) return grown;
  narrow(a, &same, &other);
  if (own > 0 && own <= PATIENCE * (other - t)) return grown;
  return fmin(most, fmax(other - t, SHORTEST * a->end));
}

ew_status exec_ahead_most(exec_run *run, double *most, ew_error *err) {
  const case_time *c = &run->c->time;
  const double t = exec_time(run), end = c->stop > 0 ? c->stop : run->clock.wanted,
               own = exec_steps(run) > 0 ? run->seen.scalar_values[DSLC_SCALAR_DT_FREE] : 0;
  if (!exec_ahead_asks(run) || c->fixed_step > 0 || !(t < end) || !isfinite(end)) return EW_OK;
  ew_status status = run->clock.ahead ? EW_OK : create(run, err);
  if (status != EW_OK || run->clock.ahead->n == 0) return status;
  const bool steady = own > 0 && own <= run->growth.most_step / 2, fine = own <= end / MOMENTS / 4;
  if (!steady || !fine) look_up_to(run->clock.ahead, end);
  *most = steady && fine ? fmin(*most, rounded(GROWTH * own)) : longest(run->clock.ahead, t, own, *most);
  return EW_OK;
}
