/* The reader of rasters on arbitrary bytes: what is accepted has cells of positive size, and a value between its least and greatest
 * wherever it can be asked. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "mesh/raster.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(int condition) {
  if (!condition) abort();
}

static void sample(const raster *r, double x, double y) {
  raster_bounds b = raster_get_bounds(r);
  double value, room = 1e-12 * (fabs(b.min) + fabs(b.max));
  raster_hit hit = raster_sample(r, x, y, &value);
  if (hit == RASTER_HOLE || hit == RASTER_OUTSIDE) require(value == 0);
  else require(value >= b.min - room && value <= b.max + room);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  ew_error err = {0};
  raster *r = NULL;
  if (raster_read_memory(bytes, size, "fuzz", &r, &err) == EW_OK) {
    raster_bounds b = raster_get_bounds(r);
    require(b.n_columns >= 1 && b.n_rows >= 1 && b.cell_size > 0 && b.min <= b.max);
    require(b.n_holes >= 0 && b.n_holes <= (long)b.n_columns * b.n_rows);
    sample(r, (b.x0 + b.x1) / 2, (b.y0 + b.y1) / 2);
    sample(r, b.x0, b.y0);
    sample(r, b.x1, b.y1);
    sample(r, b.x0 + 0.3 * (b.x1 - b.x0), b.y0 + 0.7 * (b.y1 - b.y0));
    sample(r, NAN, INFINITY);
  } else require(err.text[0] != '\0' && r == NULL);
  raster_destroy(&r);
  return 0;
}
