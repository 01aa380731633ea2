/* ESRI ASCII grids (.asc, plain or gzip), and GeoTIFF (.tif) by way of GDAL's command: terrain, roughness or initial depth on a regular
 * grid of square cells. Values sit at cell centres; row 0 of the file is the northernmost. The caller frees a raster with
 * raster_destroy. */
#ifndef EW_MESH_RASTER_H
#define EW_MESH_RASTER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

typedef struct raster raster;

typedef struct raster_bounds {
  double x0, x1, y0, y1; /* outer edges of the outer cells */
  int n_columns, n_rows;
  double cell_size;
  double min, max; /* of the values that are not holes; 0 if all are */
  long n_holes;
} raster_bounds;

typedef enum raster_hit {
  RASTER_OK,
  RASTER_OUTSIDE, /* beyond the bounds */
  RASTER_HOLE     /* the cell at the place is NODATA */
} raster_hit;

/* Errors: EW_IO when the file cannot be read, EW_INPUT with the line for anything malformed. */
ew_status raster_read(const char *path, raster **out, ew_error *err);
ew_status raster_read_memory(const void *bytes, size_t size, const char *name, raster **out, ew_error *err);
void raster_destroy(raster **r);

raster_bounds raster_get_bounds(const raster *r);
/* [n_rows * n_columns], the southernmost row first; NaN: NODATA. The raster's own. */
const double *raster_values(const raster *r);

/* Bilinear between the four nearest centres; constant in the outer half cell. Beside a hole *value is that of those centres that
 * have one, with their weights: the cell at the place is one of them. *value is 0 in holes and outside. */
raster_hit raster_sample(const raster *r, double x, double y, double *value);

/* The same for who knows what to take in holes and outside: a number, or with NULL what is nearest. False if there is none at all. */
bool raster_sample_filled(const raster *r, double x, double y, const double *number, double *value);

/* The value of the nearest centre that has one; *value is 0 and the result false if the raster has none at all. */
bool raster_nearest(const raster *r, double x, double y, double *value);

#endif
