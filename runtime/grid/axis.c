/* Coordinates along an axis. */
#include "grid/internal.h"

#include <float.h>
#include <math.h>

#include "base/memory.h"

static const char LETTER[] = "xyz";

static ew_status check(const grid_axis_options *o, int axis, ew_error *err) {
  char x = LETTER[axis];
  if (o->n < 1)
    return ew_fail(err, EW_INPUT, "n%c = %d: a grid needs at least one cell along %c", x, o->n, x);
  if (o->face) return EW_OK;
  if (!isfinite(o->from) || !isfinite(o->to) || !(o->from < o->to))
    return ew_fail(err, EW_INPUT, "%c runs from %g to %g: finite, increasing bounds are expected", x, o->from,
                   o->to);
  if (o->stretch != GRID_UNIFORM && !(isfinite(o->strength) && o->strength > 0))
    return ew_fail(err, EW_INPUT, "%s of %c is %g: a finite number > 0 is expected",
                   o->stretch == GRID_RATIO ? "ratio" : "tanh", x, o->strength);
  return EW_OK;
}

/* Part of the axis below face i. The ratio's sum is written so that a ratio near 1 loses no digits. */
static double part(const grid_axis_options *o, int32_t i) {
  double t = (double)i / o->n, s = o->strength;
  switch (o->stretch) {
  case GRID_RATIO: return fabs(s - 1) < 1e-12 ? t : expm1(i * log(s)) / expm1(o->n * log(s));
  case GRID_TANH: return 0.5 * (1 + tanh(s * (2 * t - 1)) / tanh(s));
  case GRID_UNIFORM: break;
  }
  return t;
}

static double face(const grid_axis_options *o, int32_t i) {
  if (o->face) return o->face[i];
  if (i == 0 || i == o->n) return i ? o->to : o->from;
  return o->from + part(o, i) * (o->to - o->from);
}

ew_status grid_axis_create(const grid_axis_options *o, int axis, grid_axis *a, ew_error *err) {
  ew_status status = EW_OK;
  EW_CHECK(check(o, axis, err));
  a->n = o->n;
  a->periodic = o->periodic;
  EW_CHECK(EW_NEW(a->face, (size_t)o->n + 1));
  for (int32_t i = 0; i <= o->n; i++) {
    a->face[i] = face(o, i);
    if (!isfinite(a->face[i]) || (i && !(a->face[i] > a->face[i - 1])))
      return ew_fail(err, EW_INPUT,
                     "%c: face %d lies at %g, the one before at %g: faces must be finite and increase%s",
                     LETTER[axis], i, a->face[i], i ? a->face[i - 1] : a->face[i],
                     o->face ? "" : " (the cells are too small for double precision)");
  }
cleanup:
  return status;
}

/* What rounding makes of coordinates as large as the axis has. */
static double axis_slack(const grid_axis *a) {
  return 4 * DBL_EPSILON * fmax(fabs(a->face[0]), fabs(a->face[a->n]));
}

int32_t grid_find(const grid_axis *a, double x) {
  int32_t low = 0, high = a->n;
  const double slack = axis_slack(a);
  if (!(x >= a->face[0] - slack && x <= a->face[a->n] + slack)) return -1;
  while (high - low > 1) {
    int32_t middle = low + (high - low) / 2;
    if (x > a->face[middle]) low = middle;
    else high = middle;
  }
  return low;
}

grid_span grid_covered(const grid_axis *a, double low, double high) {
  grid_span s = {0, a->n};
  const double slack = axis_slack(a);
  while (s.first < s.end && grid_middle(a, s.first) < low - slack) s.first++;
  while (s.end > s.first && grid_middle(a, s.end - 1) > high + slack) s.end--;
  return s;
}
