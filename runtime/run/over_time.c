#include "run/over_time.h"

#include <math.h>
#include <stdio.h>

#include "run/spots.h"

/* ---- when ------------------------------------------------------------------------------------------------------------------ */

/* The fractions of multiples of the golden ratio: wherever they end, they lie densely, and no period fits them. */
static double part_of(int k) { return fmod((k + 1) * 0.6180339887498949, 1); }

void exec_over_time_moments(double from, double to, double *moment) {
  for (int k = 0; k < OVER_TIME_MOMENTS; k++)
    moment[k] = k == 0 ? from : k == 1 ? to : from + (to - from) * part_of(k);
}

double exec_over_time_end(const exec_run *run) {
  const case_time *t = &run->c->time;
  const double now = exec_time(run);
  const int64_t steps = exec_steps(run);
  double end = t->stop > 0 ? t->stop : INFINITY;
  if (t->max_steps > 0 && steps > 0) end = fmin(end, now / (double)steps * (double)t->max_steps);
  return isfinite(end) && end > now ? end : now;
}

/* ---- what ------------------------------------------------------------------------------------------------------------------ */

typedef struct moments {
  const double *t;
  int n;
} moments;

static void tell_series(const case_value *v, char *text, size_t size) {
  uint64_t hash = EXEC_HASH_BEGIN;
  double low = v->series[0], high = low;
  for (int i = 0; i < v->n_times; i++) hash = exec_hash_number(hash, v->time[i]);
  for (size_t i = 0; i < (size_t)v->n_times * (size_t)v->n; i++) {
    hash = exec_hash_number(hash, v->series[i]);
    low = fmin(low, v->series[i]), high = fmax(high, v->series[i]);
  }
  snprintf(text, size, "%d rows from t = %.9g to %.9g, numbers from %.9g to %.9g (hash %016llx)", v->n_times,
           v->time[0], v->time[v->n_times - 1], low, high, (unsigned long long)hash);
}

/* The number of those for which there is no value. */
static int ask(exec_sampler *s, const exec_spots *p, moments at) {
  double x[EXEC_MOST_SPOTS][3] = {{0}}, value[DSLC_MOST_COMPONENTS];
  int without = 0;
  exec_spots_points(p, x);
  for (int k = 0; k < exec_spots_count(p); k++)
    for (int i = 0; i < at.n; i++) {
      ew_error ignored = {0};
      without += exec_sample(s, p->run->dim, x[k], at.t[i], value, &ignored) != EW_OK;
    }
  return without;
}

static ew_status tell_function(const case_value *v, const exec_spots *p, moments at, char *text, size_t size,
                               ew_error *err) {
  char numbers[160], none[48] = "";
  double last = 0;
  exec_sampler *s = NULL;
  ew_status status = exec_sampler_create(p->run->c, v, p->components, &s, err);
  if (status != EW_OK) return status;
  const int without = ask(s, p, at);
  exec_sampler_tell(s, numbers, sizeof numbers);
  exec_sampler_destroy(&s);
  for (int i = 0; i < at.n; i++) last = fmax(last, at.t[i]);
  if (without > 0) snprintf(none, sizeof none, ", %d times no value", without);
  snprintf(text, size, "at %d moments up to t = %.9g: %s%s", at.n, last, numbers, none);
  return EW_OK;
}

typedef struct facts {
  moments at;
  const char *before;
  exec_pairs *out;
} facts;

static ew_status add_value(void *context, const exec_over_time *o, ew_error *err) {
  const facts *f = context;
  char name[560], text[320];
  ew_status status = EW_OK;
  if (o->boundary)
    snprintf(name, sizeof name, "%sboundary \"%s\": %s" OVER_TIME, f->before, o->boundary, o->name);
  else snprintf(name, sizeof name, "%sgiven %s" OVER_TIME, f->before, o->name);
  if (o->value->kind == CASE_SERIES) tell_series(o->value, text, sizeof text);
  else status = tell_function(o->value, &o->where, f->at, text, sizeof text, err);
  return status == EW_OK ? exec_pairs_add(f->out, name, text, err) : status;
}

ew_status exec_over_time_facts(const exec_run *run, const double *moment, int n, const char *before,
                               exec_pairs *out, ew_error *err) {
  facts f = {{moment, n}, before, out};
  return exec_each_over_time(run, add_value, &f, err);
}

static bool counts(const case_value *v, bool series) {
  return case_value_changes(v) && (series || v->kind != CASE_SERIES);
}

bool exec_over_time_any(const exec_run *run, bool series) {
  const ew_case *c = run->c;
  for (int g = 0; g < c->values.n_givens; g++)
    if (counts(&c->values.given[g], series)) return true;
  for (int e = 0; e < c->n_boundaries; e++)
    for (int a = 0; a < c->boundary[e].n_arguments; a++)
      if (counts(&c->boundary[e].argument[a], series)) return true;
  return false;
}
