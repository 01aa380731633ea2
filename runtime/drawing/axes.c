#include "drawing/axes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "drawing/font.h"

const rgb INK = {38, 42, 48}, FAINT_INK = {224, 226, 229};

enum { TICK = 6, GAP = 8, TICK_DISTANCE = 90 };

/* The power of ten at or below x > 0, safe against log10 falling just short of an integer. */
static int decade(double x) { return (int)floor(log10(x) + 1e-9); }

double axis_part(double value, double low, double high) {
  if (isfinite(high - low)) return (value - low) / (high - low);
  return (value / 2 - low / 2) / (high / 2 - low / 2);
}

/* The largest power of ten is the largest step. */
static double round_step(double low, double high, int wanted) {
  const int n = wanted > 0 ? wanted : 1;
  double rough = isfinite(high - low) ? (high - low) / n : high / n - low / n;
  if (!(rough < 1e308)) return 1e308;
  double unit = pow(10, decade(rough)), part = rough / unit;
  return fmin(unit * (part <= 1.0001 ? 1 : part <= 2.0001 ? 2 : part <= 5.0001 ? 5 : 10), 1e308);
}

/* "1.50e-06" as "1.50e-6", "1e+05" as "1e5". */
static void shorten_exponent(char *text) {
  char *e = strchr(text, 'e');
  if (!e) return;
  char *from = e + 1, *to = e + 1;
  if (*from == '-') *to++ = '-';
  from += strspn(from, "+-0");
  memmove(to, *from ? from : "0", strlen(*from ? from : "0") + 1);
}

/* As many digits as tell neighbouring ticks apart. */
static void format_tick(char *to, double value, double step, double largest) {
  int digits = decade(step);
  if (fabs(value) < step * 1e-6) value = 0;
  if (largest < 1e5 && digits >= -4) snprintf(to, AXIS_LABEL_BYTES, "%.*f", digits < 0 ? -digits : 0, value);
  else if (value == 0) snprintf(to, AXIS_LABEL_BYTES, "0");
  else {
    int precision = decade(fabs(value)) - digits;
    snprintf(to, AXIS_LABEL_BYTES, "%.*e", precision < 0 ? 0 : precision > 12 ? 12 : precision, value);
    shorten_exponent(to);
  }
}

static void linear_ticks(axis_ticks *t, double low, double high, int wanted) {
  double step = round_step(low, high, wanted), largest = fmax(fabs(low), fabs(high));
  double first = ceil(low / step - 1e-6), last = floor(high / step + 1e-6);
  for (double k = first; k <= last && t->n < AXIS_MOST_TICKS; k++) {
    t->at[t->n] = k * step;
    format_tick(t->label[t->n++], k * step, step, largest);
  }
}

static void add_decade_tick(axis_ticks *t, int mantissa, int exponent) {
  if (t->n == AXIS_MOST_TICKS) return;
  char *label = t->label[t->n];
  t->at[t->n++] = mantissa * pow(10, exponent);
  if (exponent >= -2 && exponent <= 3)
    snprintf(label, AXIS_LABEL_BYTES, "%.*f", exponent < 0 ? -exponent : 0, mantissa * pow(10, exponent));
  else snprintf(label, AXIS_LABEL_BYTES, "%de%d", mantissa, exponent);
}

/* At the powers of ten, or where those are few also at 2 and 5 times them. */
static void decade_ticks(axis_ticks *t, double low, double high, int wanted) {
  int first = decade(low), last = decade(high), stride = (last - first) / (wanted > 0 ? wanted : 1) + 1;
  static const int MANTISSA[] = {1, 2, 5};
  bool fine = last - first < 3;
  for (int k = first; k <= last; k += stride)
    for (int i = 0; i < (fine ? 3 : 1); i++) {
      double at = MANTISSA[i] * pow(10, k);
      if (at >= low * (1 - 1e-9) && at <= high * (1 + 1e-9)) add_decade_tick(t, MANTISSA[i], k);
    }
}

void axis_make_ticks(axis_ticks *ticks, double low, double high, int wanted, bool logarithmic) {
  *ticks = (axis_ticks){0};
  if (logarithmic) decade_ticks(ticks, low, high, wanted);
  for (; ticks->n < 2 && wanted<AXIS_MOST_TICKS; wanted = wanted> 0 ? 2 * wanted : 1) {
    *ticks = (axis_ticks){0}; /* a span within one decade, or too few: one tick alone is no scale */
    linear_ticks(ticks, low, high, wanted);
  }
}

int axis_label_width(const axis_ticks *ticks) {
  int widest = 0;
  for (int i = 0; i < ticks->n; i++) {
    int width = font_width(ticks->label[i]);
    if (width > widest) widest = width;
  }
  return widest;
}

static bool has_name(const axis *a) { return a->name && *a->name; }

int frame_bottom_margin(const frame *f) {
  return TICK + GAP / 2 + FONT_LINE + (has_name(&f->horizontal) ? FONT_LINE : 0);
}

static double position(const axis *a, double value) {
  if (a->logarithmic) return (log(value) - log(a->low)) / (log(a->high) - log(a->low));
  return axis_part(value, a->low, a->high);
}

/* How far labels below stand out on the right, or on the left. */
static int stand_out(const frame *f, bool right) {
  const axis_ticks *t = &f->horizontal.ticks;
  int most = 0;
  for (int i = 0; i < t->n; i++) {
    const int x = (int)lround(f->width * position(&f->horizontal, t->at[i]));
    const int half = (font_width(t->label[i]) + 1) / 2, out = right ? x + half - f->width : half - x;
    if (out > most) most = out;
  }
  return most;
}

int frame_left_margin(const frame *f) {
  const int beside =
      axis_label_width(&f->vertical.ticks) + TICK + GAP + (has_name(&f->vertical) ? FONT_LINE + GAP / 2 : 0);
  const int below = stand_out(f, false);
  return beside > below ? beside : below;
}

int frame_right_margin(const frame *f) { return stand_out(f, true); }

/* Labels that touch each other cannot be read: then there are fewer of them. */
static bool labels_touch(const axis *a, int pixels) {
  const axis_ticks *t = &a->ticks;
  for (int i = 1; i < t->n; i++) {
    const double apart = pixels * (position(a, t->at[i]) - position(a, t->at[i - 1]));
    if (apart < (font_width(t->label[i]) + font_width(t->label[i - 1])) / 2.0 + GAP) return true;
  }
  return false;
}

void axis_make_ticks_along(axis_ticks *ticks, double low, double high, int pixels, bool logarithmic) {
  axis a = {.low = low, .high = high, .logarithmic = logarithmic};
  int wanted = pixels / TICK_DISTANCE > 2 ? pixels / TICK_DISTANCE : 2;
  axis_make_ticks(&a.ticks, low, high, wanted, logarithmic);
  while (wanted > 1 && labels_touch(&a, pixels)) axis_make_ticks(&a.ticks, low, high, --wanted, logarithmic);
  *ticks = a.ticks;
}

double frame_x(const frame *f, double value) { return f->x + f->width * position(&f->horizontal, value); }
double frame_y(const frame *f, double value) {
  return f->y + f->height * (1 - position(&f->vertical, value));
}

void text_centred(image *im, int x, int y, const char *text, rgb colour) {
  font_draw(im, x - font_width(text) / 2, y, text, colour);
}

/* Ending at x. */
static void text_right(image *im, int x, int y, const char *text, rgb colour) {
  font_draw(im, x - font_width(text), y, text, colour);
}

static void draw_horizontal(image *im, const frame *f, bool grid) {
  const axis_ticks *t = &f->horizontal.ticks;
  int bottom = f->y + f->height;
  for (int i = 0; i < t->n; i++) {
    int x = (int)lround(frame_x(f, t->at[i]));
    if (grid) image_rectangle(im, x, f->y, 1, f->height, FAINT_INK);
    image_rectangle(im, x, bottom, 1, TICK, INK);
    text_centred(im, x, bottom + TICK + GAP / 2, t->label[i], INK);
  }
  if (has_name(&f->horizontal))
    text_centred(im, f->x + f->width / 2, bottom + TICK + GAP / 2 + FONT_LINE, f->horizontal.name, INK);
}

static void draw_vertical(image *im, const frame *f, bool grid) {
  const axis_ticks *t = &f->vertical.ticks;
  for (int i = 0; i < t->n; i++) {
    int y = (int)lround(frame_y(f, t->at[i]));
    if (grid) image_rectangle(im, f->x, y, f->width, 1, FAINT_INK);
    image_rectangle(im, f->x - TICK, y, TICK, 1, INK);
    text_right(im, f->x - TICK - GAP / 2, y - FONT_HEIGHT / 2, t->label[i], INK);
  }
  if (!has_name(&f->vertical)) return;
  int middle = f->y + f->height / 2 + font_width(f->vertical.name) / 2;
  font_draw_upwards(im, f->x - frame_left_margin(f), middle < im->height ? middle : im->height - 1,
                    f->vertical.name, INK);
}

void frame_draw(image *im, const frame *f, bool grid) {
  draw_horizontal(im, f, grid);
  draw_vertical(im, f, grid);
  image_rectangle(im, f->x - 1, f->y - 1, f->width + 2, 1, INK);
  image_rectangle(im, f->x - 1, f->y + f->height, f->width + 2, 1, INK);
  image_rectangle(im, f->x - 1, f->y, 1, f->height, INK);
  image_rectangle(im, f->x + f->width, f->y, 1, f->height, INK);
}
