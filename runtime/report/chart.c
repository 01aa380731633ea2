#include "report/chart.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "drawing/axes.h"
#include "report/html.h"

/* Units of the drawing; the page scales it to its width. A line is thinned to some points a unit. */
enum { WIDTH = 640, HEIGHT = 300, LEFT = 76, RIGHT = 16, TOP = 14, BOTTOM = 46, MOST_POINTS = 2000 };

typedef struct range {
  double low, high;
  bool logarithmic;
} range;

static bool drawable(double v, bool logarithmic) { return isfinite(v) && (!logarithmic || v > 0); }

static void widen(range *r, double v) {
  if (v < r->low) r->low = v;
  if (v > r->high) r->high = v;
}

/* Of one value all that there is room for stands around it. */
static void open_up(range *r) {
  if (r->low < r->high) return;
  if (r->logarithmic) r->low /= 2, r->high = fmin(2 * r->high, DBL_MAX);
  else {
    double by = r->low == 0 ? 1 : 0.1 * fabs(r->low);
    r->low = fmax(r->low - by, -DBL_MAX);
    r->high = fmin(r->high + by, DBL_MAX);
  }
}

static bool find_ranges(const chart *c, range *x, range *y) {
  *x = (range){INFINITY, -INFINITY, c->log_x};
  *y = (range){INFINITY, -INFINITY, c->log_y};
  for (int k = 0; k < c->n; k++)
    for (size_t i = 0; i < c->curve[k].n; i++) {
      if (!drawable(c->curve[k].x[i], c->log_x) || !drawable(c->curve[k].y[i], c->log_y)) continue;
      widen(x, c->curve[k].x[i]);
      widen(y, c->curve[k].y[i]);
    }
  if (x->low > x->high) return false;
  open_up(x);
  open_up(y);
  return true;
}

static double share(const range *r, double v) {
  return r->logarithmic ? (log(v) - log(r->low)) / (log(r->high) - log(r->low))
                        : axis_part(v, r->low, r->high);
}

static double place_x(const range *r, double v) { return LEFT + share(r, v) * (WIDTH - LEFT - RIGHT); }
static double place_y(const range *r, double v) {
  return HEIGHT - BOTTOM - share(r, v) * (HEIGHT - TOP - BOTTOM);
}

static void write_frame(FILE *out, const chart *c, const range *x, const range *y) {
  axis_ticks ticks;
  axis_make_ticks(&ticks, x->low, x->high, 7, x->logarithmic);
  for (int i = 0; i < ticks.n; i++) {
    double at = place_x(x, ticks.at[i]);
    fprintf(out, "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>", at, at, TOP,
            HEIGHT - BOTTOM);
    fprintf(out, "<text x=\"%.1f\" y=\"%d\" class=\"mid\">%s</text>\n", at, HEIGHT - BOTTOM + 17,
            ticks.label[i]);
  }
  axis_make_ticks(&ticks, y->low, y->high, 5, y->logarithmic);
  for (int i = 0; i < ticks.n; i++) {
    double at = place_y(y, ticks.at[i]);
    fprintf(out, "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>", LEFT, WIDTH - RIGHT,
            at, at);
    fprintf(out, "<text x=\"%d\" y=\"%.1f\" class=\"end\">%s</text>\n", LEFT - 6, at + 4, ticks.label[i]);
  }
  fprintf(out, "<rect class=\"frame\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", LEFT, TOP,
          WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
  fprintf(out, "<text class=\"mid\" x=\"%d\" y=\"%d\">", (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8);
  html_text(out, c->x_name);
  fprintf(out, "</text>\n<text class=\"mid\" transform=\"translate(14 %d) rotate(-90)\">",
          (TOP + HEIGHT - BOTTOM) / 2);
  html_text(out, c->y_name);
  fputs("</text>\n", out);
}

static void write_points(FILE *out, const chart_curve *k, const range *x, const range *y) {
  for (size_t i = 0; i < k->n; i++) {
    if (!drawable(k->x[i], x->logarithmic) || !drawable(k->y[i], y->logarithmic)) continue;
    fprintf(out, "<circle class=\"m%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"><title>", k->style,
            place_x(x, k->x[i]), place_y(y, k->y[i]));
    html_text(out, k->label);
    fprintf(out, ": %.6g, %.6g</title></circle>\n", k->x[i], k->y[i]);
  }
}

/* Of a long line every so many points; extremes between them are kept, as they are what one looks for. */
static void write_line(FILE *out, const chart_curve *k, const range *x, const range *y) {
  size_t every = k->n / MOST_POINTS + 1;
  bool down = false;
  fprintf(out, "<path class=\"c%d\" d=\"", k->style);
  for (size_t i = 0; i < k->n; i += every) {
    size_t low = i, high = i, last = i + every < k->n ? i + every : k->n;
    bool gap = false;
    for (size_t j = i; j < last; j++) {
      if (!drawable(k->x[j], x->logarithmic) || !drawable(k->y[j], y->logarithmic)) gap = true;
      else if (k->y[j] < k->y[low]) low = j;
      else if (k->y[j] > k->y[high]) high = j;
    }
    if (gap) {
      down = false;
      continue;
    }
    size_t first = low < high ? low : high, second = low < high ? high : low;
    fprintf(out, "%c%.1f %.1f", down ? 'L' : 'M', place_x(x, k->x[first]), place_y(y, k->y[first]));
    if (second != first) fprintf(out, "L%.1f %.1f", place_x(x, k->x[second]), place_y(y, k->y[second]));
    down = true;
  }
  fputs("\"/>\n", out);
}

static void write_legend(FILE *out, const chart *c) {
  fputs("<ul class=\"legend\">", out);
  for (int k = 0; k < c->n; k++) {
    const chart_curve *one = &c->curve[k];
    fputs("<li><svg viewBox=\"0 0 28 10\" aria-hidden=\"true\">", out);
    if (one->points) fprintf(out, "<circle class=\"m%d\" cx=\"14\" cy=\"5\" r=\"4\"/>", one->style);
    else fprintf(out, "<path class=\"c%d\" d=\"M1 5L27 5\"/>", one->style);
    fputs("</svg>", out);
    html_text(out, one->label);
    fputs("</li>", out);
  }
  fputs("</ul>\n", out);
}

bool chart_write(FILE *out, const chart *c) {
  range x, y;
  if (!find_ranges(c, &x, &y)) return false;
  fputs("<figure class=\"chart\"><figcaption>", out);
  html_text(out, c->title);
  fprintf(out, "</figcaption>\n<svg viewBox=\"0 0 %d %d\" role=\"img\"><title>", WIDTH, HEIGHT);
  html_text(out, c->title);
  fprintf(out, ": %.6g to %.6g over %.6g to %.6g</title>\n", y.low, y.high, x.low, x.high);
  write_frame(out, c, &x, &y);
  for (int k = 0; k < c->n; k++) {
    if (c->curve[k].points) write_points(out, &c->curve[k], &x, &y);
    else write_line(out, &c->curve[k], &x, &y);
  }
  fputs("</svg>\n", out);
  write_legend(out, c);
  fputs("</figure>\n", out);
  return true;
}
