#include "drawing/plot.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drawing/axes.h"
#include "drawing/font.h"
#include "drawing/legend.h"

enum { WIDTH = 640, HEIGHT = 400, MARGIN = 20, TITLE_HEIGHT = 30, PLOT_GAP = 30, TICK_DISTANCE = 60 };

static bool usable(double v, bool logarithmic) { return isfinite(v) && (!logarithmic || v > 0); }

static bool usable_point(const plot_axes *a, const plot_curve *c, size_t i) {
  return usable(c->x[i], a->log_x) && usable(c->y[i], a->log_y);
}

typedef struct range {
  double low, high;
} range;

static void data_range(const plot_axes *a, range *x, range *y) {
  *x = *y = (range){INFINITY, -INFINITY};
  for (int k = 0; k < a->n_curves; k++)
    for (size_t i = 0; i < a->curve[k].n; i++) {
      if (!usable_point(a, &a->curve[k], i)) continue;
      x->low = fmin(x->low, a->curve[k].x[i]), x->high = fmax(x->high, a->curve[k].x[i]);
      y->low = fmin(y->low, a->curve[k].y[i]), y->high = fmax(y->high, a->curve[k].y[i]);
    }
}

/* A little air around the data; something to show also where all values are the same. */
static range padded(range data, double part, bool logarithmic) {
  if (logarithmic) {
    const double ratio = data.high / data.low;
    double factor = !(ratio > 1.0001) ? 10
                    : isfinite(ratio) ? pow(ratio, part)
                                      : exp(part * (log(data.high) - log(data.low)));
    return (range){fmax(data.low / factor, DBL_MIN), fmin(data.high * factor, DBL_MAX)};
  }
  double span = data.high - data.low, largest = fmax(fabs(data.low), fabs(data.high));
  double air = isinf(span)             ? part * data.high - part * data.low
               : span > 1e-9 * largest ? part * span
               : largest > 0           ? largest / 2
                                       : 1;
  return (range){fmax(data.low - air, -DBL_MAX), fmin(data.high + air, DBL_MAX)};
}

static ew_status choose_range(range *out, range data, range wanted, double part, bool logarithmic,
                              ew_error *err) {
  *out = wanted.low < wanted.high ? wanted : padded(data, part, logarithmic);
  if (!(wanted.low < wanted.high) && !(data.low <= data.high))
    return ew_fail(err, EW_INPUT, "no curve has a point that can be drawn%s",
                   logarithmic ? " (a logarithmic axis needs values > 0)" : "");
  if (logarithmic && !(out->low > 0))
    return ew_fail(err, EW_INPUT, "a logarithmic axis cannot start at %g", out->low);
  return EW_OK;
}

static axis make_axis(const char *name, range r, bool logarithmic, int pixels, int tick_distance) {
  axis a = {.name = name, .low = r.low, .high = r.high, .logarithmic = logarithmic};
  axis_make_ticks(&a.ticks, r.low, r.high, pixels / tick_distance > 2 ? pixels / tick_distance : 2,
                  logarithmic);
  return a;
}

static ew_status make_frame(frame *f, const plot_axes *a, const plot_options *options, ew_error *err) {
  ew_status status;
  range data_x, data_y, x, y;
  data_range(a, &data_x, &data_y);
  EW_CHECK(choose_range(&x, data_x, (range){a->x_low, a->x_high}, a->log_x ? 0.05 : 0, a->log_x, err));
  EW_CHECK(choose_range(&y, data_y, (range){a->y_low, a->y_high}, 0.06, a->log_y, err));
  *f = (frame){.width = options->width > 0 ? options->width : WIDTH,
               .height = options->height > 0 ? options->height : HEIGHT};
  f->horizontal = (axis){.name = a->x_name, .low = x.low, .high = x.high, .logarithmic = a->log_x};
  axis_make_ticks_along(&f->horizontal.ticks, x.low, x.high, f->width, a->log_x);
  f->vertical = make_axis(a->y_name, y, a->log_y, f->height, TICK_DISTANCE);
  f->x = frame_left_margin(f);
  f->y = TITLE_HEIGHT;
cleanup:
  return status;
}

/* Keeps what lies inside [0, 1] of the segment's parameter after one edge of the frame (Liang and Barsky, ACM
 * Transactions on Graphics 3, 1984). */
static bool clip_edge(double denominator, double numerator, double *s0, double *s1) {
  if (denominator == 0) return numerator >= 0;
  double s = numerator / denominator;
  if (denominator < 0 && s > *s0) *s0 = s;
  if (denominator > 0 && s < *s1) *s1 = s;
  return *s0 <= *s1;
}

static bool clip_segment(const frame *f, double a[2], double b[2]) {
  double d[2] = {b[0] - a[0], b[1] - a[1]}, s0 = 0, s1 = 1;
  double low[2] = {f->x, f->y}, high[2] = {f->x + f->width, f->y + f->height};
  for (int k = 0; k < 2; k++)
    if (!clip_edge(-d[k], a[k] - low[k], &s0, &s1) || !clip_edge(d[k], high[k] - a[k], &s0, &s1))
      return false;
  for (int k = 0; k < 2; k++) {
    b[k] = a[k] + s1 * d[k];
    a[k] = a[k] + s0 * d[k];
  }
  return true;
}

static void draw_line(image *im, const frame *f, const plot_axes *a, const plot_curve *c, rgb colour) {
  for (size_t i = 0; i + 1 < c->n; i++) {
    if (!usable_point(a, c, i) || !usable_point(a, c, i + 1)) continue;
    double from[2] = {frame_x(f, c->x[i]), frame_y(f, c->y[i])};
    double to[2] = {frame_x(f, c->x[i + 1]), frame_y(f, c->y[i + 1])};
    if (clip_segment(f, from, to)) image_line(im, from, to, LEGEND_LINE_WIDTH, colour);
  }
}

static void draw_plot(image *im, const frame *f, const plot_axes *a) {
  frame_draw(im, f, true);
  for (int k = 0; k < a->n_curves; k++) draw_line(im, f, a, &a->curve[k], legend_colour(k));
  legend_draw(im, f, a);
  const int bounds[2] = {f->x - frame_left_margin(f), f->x + f->width + PLOT_GAP / 2};
  if (a->title) font_draw_within(im, f->x + f->width / 2, f->y - TITLE_HEIGHT + 4, bounds, a->title, INK);
}

ew_status plot_lines(const char *path, const plot_axes *axes, const plot_options *options, ew_error *err) {
  ew_status status;
  image *im = NULL;
  frame f;
  EW_CHECK(make_frame(&f, axes, options, err));
  const int beside = frame_right_margin(&f) + MARGIN / 2;
  EW_CHECK(image_create(&im, MARGIN + f.x + f.width + (beside > PLOT_GAP ? beside : PLOT_GAP),
                        MARGIN / 2 + TITLE_HEIGHT + f.height + frame_bottom_margin(&f) + PLOT_GAP / 2, err));
  f.x += MARGIN;
  f.y = MARGIN / 2 + TITLE_HEIGHT;
  draw_plot(im, &f, axes);
  status = image_write_png(im, path, err);
cleanup:
  if (status == EW_INPUT) ew_context(err, "cannot draw '%s'", path);
  image_destroy(&im);
  return status;
}
