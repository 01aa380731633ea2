#include "drawing/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drawing/axes.h"
#include "drawing/font.h"
#include "drawing/legend.h"

enum { WIDTH = 640, HEIGHT = 400, MARGIN = 20, TITLE_HEIGHT = 30, PLOT_GAP = 30, TICK_DISTANCE = 90 };

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
    double factor = data.high > data.low * 1.0001 ? pow(data.high / data.low, part) : 10;
    return (range){data.low / factor, data.high * factor};
  }
  double span = data.high - data.low, largest = fmax(fabs(data.low), fabs(data.high));
  double air = span > 1e-9 * largest ? part * span : largest > 0 ? largest / 2 : 1;
  return (range){data.low - air, data.high + air};
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
  f->horizontal = make_axis(a->x_name, x, a->log_x, f->width, TICK_DISTANCE);
  f->vertical = make_axis(a->y_name, y, a->log_y, f->height, TICK_DISTANCE * 2 / 3);
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

static void draw_markers(image *im, const frame *f, const plot_axes *a, const plot_curve *c, rgb colour) {
  for (size_t i = 0; i < c->n; i++) {
    if (!usable_point(a, c, i)) continue;
    double x = frame_x(f, c->x[i]), y = frame_y(f, c->y[i]);
    bool inside = x >= f->x && x <= f->x + f->width && y >= f->y && y <= f->y + f->height;
    if (inside) legend_marker(im, x, y, colour);
  }
}

static void draw_plot(image *im, const frame *f, const plot_axes *a) {
  frame_draw(im, f, true);
  for (int k = 0; k < a->n_curves; k++)
    (a->curve[k].markers ? draw_markers : draw_line)(im, f, a, &a->curve[k], legend_colour(k));
  legend_draw(im, f, a);
  const int bounds[2] = {f->x - frame_left_margin(f), f->x + f->width + PLOT_GAP / 2};
  if (a->title) font_draw_within(im, f->x + f->width / 2, f->y - TITLE_HEIGHT + 4, bounds, a->title, INK);
}

/* All plots have cells of the same size, so that their frames line up. */
typedef struct grid {
  int columns, left, width, height;
} grid;

static grid measure(const frame *f, int n, const plot_options *options) {
  grid g = {.columns = options->columns > 0 ? options->columns : 1};
  int bottom = 0;
  for (int i = 0; i < n; i++) {
    if (f[i].x > g.left) g.left = f[i].x;
    if (frame_bottom_margin(&f[i]) > bottom) bottom = frame_bottom_margin(&f[i]);
  }
  if (g.columns > n) g.columns = n;
  g.width = g.left + f->width + PLOT_GAP;
  g.height = TITLE_HEIGHT + f->height + bottom + PLOT_GAP / 2;
  return g;
}

static ew_status draw_all(image **im, frame *f, const plot_axes *axes, int n, const plot_options *options,
                          ew_error *err) {
  grid g = measure(f, n, options);
  int rows = (n + g.columns - 1) / g.columns;
  ew_status status = image_create(im, MARGIN + g.columns * g.width, MARGIN / 2 + rows * g.height, err);
  for (int i = 0; status == EW_OK && i < n; i++) {
    f[i].x = MARGIN + i % g.columns * g.width + g.left;
    f[i].y = MARGIN / 2 + i / g.columns * g.height + TITLE_HEIGHT;
    draw_plot(*im, &f[i], &axes[i]);
  }
  return status;
}

ew_status plot_lines(const char *path, const plot_axes *axes, int n_plots, const plot_options *options,
                     ew_error *err) {
  ew_status status;
  image *im = NULL;
  if (n_plots < 1) return ew_fail(err, EW_INPUT, "cannot draw '%s': no plot is given", path);
  frame *f = calloc((size_t)n_plots, sizeof *f);
  if (!f) return ew_fail(err, EW_FAIL, "out of memory while drawing '%s'", path);
  for (int i = 0; i < n_plots; i++) EW_CHECK(make_frame(&f[i], &axes[i], options, err));
  EW_CHECK(draw_all(&im, f, axes, n_plots, options, err));
  status = image_write_png(im, path, err);
cleanup:
  if (status == EW_INPUT) ew_context(err, "cannot draw '%s'", path);
  image_destroy(&im);
  free(f);
  return status;
}
