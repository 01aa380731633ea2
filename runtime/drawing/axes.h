/* A plot's frame: ticks at round numbers, their labels, the names of the axes. */
#ifndef EW_IO_AXES_H
#define EW_IO_AXES_H

#include <stdbool.h>

#include "drawing/image.h"

enum { AXIS_MOST_TICKS = 24, AXIS_LABEL_BYTES = 24 };

typedef struct axis_ticks {
  int n;
  double at[AXIS_MOST_TICKS];
  char label[AXIS_MOST_TICKS][AXIS_LABEL_BYTES];
} axis_ticks;

/* About `wanted` ticks, at least two, at 1, 2 or 5 times a power of ten within [low, high], low < high; for a logarithmic
 * axis at powers of ten (`low` and `high` are values, not exponents). */
void axis_make_ticks(axis_ticks *ticks, double low, double high, int wanted, bool logarithmic);

/* The same along `pixels` of a horizontal axis, so many that labels do not touch each other. */
void axis_make_ticks_along(axis_ticks *ticks, double low, double high, int pixels, bool logarithmic);

/* The widest label in pixels. */
int axis_label_width(const axis_ticks *ticks);

/* Where a value lies between `low` (0) and `high` (1), of which both are finite: their distance need not be. */
double axis_part(double value, double low, double high);

/* One direction of a frame. */
typedef struct axis {
  const char *name; /* "x [m]" or NULL */
  double low, high; /* values at its ends */
  bool logarithmic;
  axis_ticks ticks;
} axis;

/* The frame's inner rectangle in pixels with its two axes. */
typedef struct frame {
  int x, y, width, height;
  axis horizontal, vertical;
} frame;

/* Room that the labels and names need outside of the rectangle. */
int frame_left_margin(const frame *f);
int frame_right_margin(const frame *f); /* of labels below that stand out there */
int frame_bottom_margin(const frame *f);

/* Pixel coordinates of a value. */
double frame_x(const frame *f, double value);
double frame_y(const frame *f, double value);

/* Frame, ticks, labels and names; with faint lines across if `grid`. */
void frame_draw(image *im, const frame *f, bool grid);

/* Centred on x. */
void text_centred(image *im, int x, int y, const char *text, rgb colour);

extern const rgb INK, FAINT_INK;

#endif
