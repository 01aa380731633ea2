#include "drawing/image.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ew_status image_create(image **out, int width, int height, ew_error *err) {
  *out = NULL;
  if (width < 1 || height < 1 || width > IMAGE_LARGEST_SIDE || height > IMAGE_LARGEST_SIDE)
    return ew_fail(err, EW_INPUT, "a picture of %d x %d pixels: expected 1 to %d a side", width, height,
                   IMAGE_LARGEST_SIDE);
  size_t n = (size_t)width * (size_t)height;
  image *im = calloc(1, sizeof *im);
  if (im) im->pixel = malloc(n * sizeof *im->pixel);
  if (!im || !im->pixel) {
    image_destroy(&im);
    return ew_fail(err, EW_FAIL, "out of memory for a picture of %d x %d pixels", width, height);
  }
  memset(im->pixel, 255, n * sizeof *im->pixel);
  im->width = width;
  im->height = height;
  *out = im;
  return EW_OK;
}

void image_destroy(image **im) {
  if (!*im) return;
  free((*im)->pixel);
  free(*im);
  *im = NULL;
}

static uint8_t mix(uint8_t below, uint8_t above, double alpha) {
  return (uint8_t)lround(below + alpha * (above - below));
}

void image_blend(image *im, int x, int y, rgb colour, double alpha) {
  if (x < 0 || y < 0 || x >= im->width || y >= im->height) return;
  rgb *p = &im->pixel[(size_t)y * (size_t)im->width + (size_t)x];
  *p = (rgb){mix(p->r, colour.r, alpha), mix(p->g, colour.g, alpha), mix(p->b, colour.b, alpha)};
}

static int clip(double v, int high) { return v < 0 ? 0 : v > high ? high : (int)v; }

void image_rectangle(image *im, int x, int y, int width, int height, rgb colour) {
  for (int j = y; j < y + height; j++)
    for (int i = x; i < x + width; i++) image_blend(im, i, j, colour, 1);
}

static double distance_to_segment(double x, double y, const double a[2], const double b[2]) {
  double dx = b[0] - a[0], dy = b[1] - a[1], length2 = dx * dx + dy * dy;
  double s = length2 > 0 ? ((x - a[0]) * dx + (y - a[1]) * dy) / length2 : 0;
  s = s < 0 ? 0 : s > 1 ? 1 : s;
  return hypot(x - a[0] - s * dx, y - a[1] - s * dy);
}

/* The part of row y that a line of half width `reach` can touch, so that long diagonals cost their length
 * only. */
static void row_range(double y, const double a[2], const double b[2], double reach, double *low,
                      double *high) {
  double dy = b[1] - a[1], s0 = 0, s1 = 1;
  if (fabs(dy) > 1e-9) {
    s0 = (y - reach - a[1]) / dy;
    s1 = (y + reach - a[1]) / dy;
  }
  double x0 = a[0] + fmin(fmax(s0, 0), 1) * (b[0] - a[0]), x1 = a[0] + fmin(fmax(s1, 0), 1) * (b[0] - a[0]);
  *low = fmin(x0, x1) - reach;
  *high = fmax(x0, x1) + reach;
}

void image_line(image *im, const double from[2], const double to[2], double width, rgb colour) {
  double reach = width / 2 + 1, low, high;
  if (!isfinite(from[0] + from[1] + to[0] + to[1])) return;
  int j1 = clip(fmax(from[1], to[1]) + reach + 1, im->height);
  for (int j = clip(fmin(from[1], to[1]) - reach, im->height); j < j1; j++) {
    row_range(j + 0.5, from, to, reach + 1, &low, &high);
    for (int i = clip(low, im->width), i1 = clip(high + 1, im->width); i < i1; i++) {
      double cover = width / 2 + 0.5 - distance_to_segment(i + 0.5, j + 0.5, from, to);
      if (cover > 0) image_blend(im, i, j, colour, fmin(cover, 1));
    }
  }
}
