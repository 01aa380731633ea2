/* An RGB picture in memory with the few strokes that plots need. Coordinates are in pixels, y downwards; the
 * centre of pixel (i, j) is (i + 0.5, j + 0.5). Whatever lies outside is clipped. */
#ifndef EW_IO_IMAGE_H
#define EW_IO_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

enum { IMAGE_LARGEST_SIDE = 32768 }; /* [pixels] */

typedef struct rgb {
  uint8_t r, g, b;
} rgb;

typedef struct image {
  int width, height;
  rgb *pixel; /* [width * height], row by row from the top */
} image;

/* White. Owned by the caller. Refuses sizes beyond IMAGE_LARGEST_SIDE (EW_INPUT). */
ew_status image_create(image **out, int width, int height, ew_error *err);
void image_destroy(image **im);

/* Lays `colour` over the pixel; alpha in [0, 1]. */
void image_blend(image *im, int x, int y, rgb colour, double alpha);

/* Filled, opaque. */
void image_rectangle(image *im, int x, int y, int width, int height, rgb colour);

/* An anti-aliased line of `width` pixels with round ends. */
void image_line(image *im, const double from[2], const double to[2], double width, rgb colour);

/* PNG, 8 bits a channel; written atomically. Failures: EW_IO with the path. */
ew_status image_write_png(const image *im, const char *path, ew_error *err);

#endif
