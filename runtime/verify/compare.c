/* Two results, number by number. */
#include <math.h>
#include <string.h>

#include "verify/internal.h"

double verify_largest_of(const verify_field *f) {
  double most = 0;
  for (int i = 0; i < f->n; i++)
    if (isfinite(f->value[i])) most = fmax(most, fabs(f->value[i]));
  return most;
}

static bool same(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

static void note(verify_difference *d, double relative, const verify_field *a, const verify_field *b, int i) {
  if (!(relative > d->most)) return;
  d->most = relative;
  snprintf(d->text, sizeof d->text, "%s, number %d: %.17g and %.17g", a->name, i, a->value[i], b->value[i]);
}

static const verify_field *find(const verify_result *r, const char *name) {
  for (int i = 0; i < r->n_fields; i++)
    if (strcmp(r->field[i].name, name) == 0) return &r->field[i];
  return NULL;
}

static void compare_field(verify_difference *d, const verify_field *a, const verify_field *b, double least) {
  double scale = fmax(fmax(verify_largest_of(a), verify_largest_of(b)), least);
  for (int i = 0; i < a->n && i < b->n; i++) {
    if (same(a->value[i], b->value[i])) continue;
    double relative = fabs(a->value[i] - b->value[i]) / scale;
    note(d, isnan(relative) ? INFINITY : relative, a, b, i);
  }
  if (a->n != b->n) {
    d->most = INFINITY;
    snprintf(d->text, sizeof d->text, "%s has %d and %d numbers", a->name, a->n, b->n);
  }
}

/* Stopped in the same step: kernels have counted it, unless it could not be taken at all. */
static bool same_steps(const verify_result *a, const verify_result *b) {
  const int64_t behind = a->cut_short && !b->cut_short   ? b->steps - a->steps
                         : b->cut_short && !a->cut_short ? a->steps - b->steps
                                                         : 0;
  return a->steps == b->steps || behind == 1;
}

verify_difference verify_compare(const verify_result *a, const verify_result *b, double least) {
  verify_difference d = {0};
  if (a->diverged != b->diverged || !same_steps(a, b)) {
    d.most = INFINITY;
    snprintf(d.text, sizeof d.text, "%lld and %lld steps: %.300s; %.300s", (long long)a->steps,
             (long long)b->steps, a->diverged ? a->why : "none failed", b->diverged ? b->why : "none failed");
    return d;
  }
  if (a->diverged) return d;
  verify_field ta = {"t", 1, (double *)&a->t}, tb = {"t", 1, (double *)&b->t};
  compare_field(&d, &ta, &tb, least);
  for (int i = 0; i < a->n_fields; i++) {
    const verify_field *other = find(b, a->field[i].name);
    if (other) compare_field(&d, &a->field[i], other, least);
  }
  return d;
}

verify_difference verify_compare_own(const verify_result *a, const verify_result *b, int field) {
  verify_difference d = {0};
  const verify_field *other = a->diverged || b->diverged ? NULL : find(b, a->field[field].name);
  if (other) compare_field(&d, &a->field[field], other, 0);
  return d;
}
