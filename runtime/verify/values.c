/* Values for a case: waves in place and time, numbers, series. */
#include <math.h>
#include <string.h>

#include "mesh/random.h"
#include "verify/internal.h"

double verify_uniform(uint64_t *state, double low, double high) {
  return low + (high - low) * 0.5 * (1 + random_signed(state));
}

int verify_below(uint64_t *state, int n) { return (int)random_below(state, (uint64_t)n); }

ew_status verify_wave_at(void *context, const double *x, double t, double *out, int n, ew_error *err) {
  (void)err;
  const verify_wave *w = context;
  double way = 0;
  for (int a = 0; a < w->dim; a++) way += w->k[a] * x[a];
  for (int d = 0; d < n; d++) {
    const double value = w->base + w->amplitude * sin(way + w->omega * t + w->phase + 0.7 * d);
    out[d] = w->whole ? floor(value + 0.5) : w->cut && value < 0 ? 0 : value;
  }
  return EW_OK;
}

static const double pi = 3.14159265358979323846;

/* Between its bounds with room to spare, where it is not so already. */
static void keep_within(verify_wave *w, const char *bounds) {
  dslc_bounds b;
  if (!dslc_bounds_read(bounds, &b)) return;
  w->whole = b.whole;
  double low = w->base - fabs(w->amplitude), high = w->base + fabs(w->amplitude);
  if (low > b.low && high < b.high) return;
  if (isfinite(b.low) && isfinite(b.high)) {
    w->base = 0.5 * (b.low + b.high);
    w->amplitude = fmin(fabs(w->amplitude), 0.4 * (b.high - b.low));
  } else
    w->base = low <= b.low ? b.low + 1.5 * fabs(w->amplitude) + 0.1 : b.high - 1.5 * fabs(w->amplitude) - 0.1;
}

static verify_wave draw_wave(const verify_setup *s, const verify_value_request *r, uint64_t *state) {
  verify_wave w = {.dim = s->dim, .amplitude = r->n > 1 ? s->vectors : s->amplitude};
  double length = 0;
  for (int a = 0; a < s->dim; a++) length = fmax(length, s->n[a] * s->spacing);
  w.base = r->n > 1 ? 0 : s->base;
  for (int a = 0; a < s->dim; a++) {
    w.k[a] = verify_uniform(state, 1, 6) / length;
    if (s->periodic[a]) w.k[a] = 2 * pi / (s->n[a] * s->spacing); /* a node has one value, not two */
  }
  w.phase = verify_uniform(state, 0, 6);
  if (r->kind == VERIFY_TIME || r->kind == VERIFY_SERIES) w.omega = verify_uniform(state, 1, 5);
  w.cut = s->zeros && !r->bounds && verify_below(state, 2);
  keep_within(&w, r->bounds);
  return w;
}

static ew_status fill_series(ew_case *c, const verify_wave *w, case_value *v, ew_error *err) {
  enum { TIMES = 7 };
  double *time = case_alloc(c, TIMES * sizeof *time, err);
  double *series = case_alloc(c, sizeof *series * (size_t)(TIMES * v->n), err);
  if (!time || !series) return EW_FAIL;
  for (int i = 0; i < TIMES; i++) {
    time[i] = 100.0 * i; /* steps end at knots, but not the interpreter's */
    verify_wave_at((void *)w, (const double[3]){0}, time[i], series + i * v->n, v->n, err);
  }
  v->kind = CASE_SERIES;
  v->n_times = TIMES;
  v->time = time;
  v->series = series;
  return EW_OK;
}

static bool is_int(const verify_value_request *r) {
  dslc_bounds b;
  return dslc_bounds_read(r->bounds, &b) && b.whole && strcmp(r->bounds, DSLC_BOUNDS_BOOL) != 0;
}

ew_status verify_value(ew_case *c, const verify_setup *s, const verify_value_request *r, case_value *out,
                       ew_error *err) {
  uint64_t state = random_seed(r->seed ^ s->seed * 31);
  for (const char *p = r->name; *p; p++) state = random_seed(state + (unsigned char)*p);
  verify_wave w = draw_wave(s, r, &state), *kept;
  *out = (case_value){.name = case_text(c, r->name, err), .n = r->n};
  if (!out->name) return EW_FAIL;
  if (r->kind == VERIFY_SERIES && !w.whole) return fill_series(c, &w, out, err);
  const bool number = r->kind == VERIFY_NUMBERS || is_int(r); /* of an int one number is what cases give */
  if (number && r->n <= (int)(sizeof out->number / sizeof *out->number)) {
    out->kind = CASE_NUMBERS;
    return verify_wave_at(&w, (const double[3]){0}, 0, out->number, r->n, err);
  }
  kept = case_alloc(c, sizeof *kept, err);
  if (!kept) return EW_FAIL;
  *kept = w;
  out->kind = CASE_FUNCTION;
  out->function = verify_wave_at;
  out->context = kept;
  out->over_time = r->kind == VERIFY_TIME;
  return EW_OK;
}
