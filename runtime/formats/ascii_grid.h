/* ESRI ASCII grids, as geographic information systems exchange them: values on a regular grid of square cells. Read by mesh/raster.h. */
#ifndef EW_FORMATS_ASCII_GRID_H
#define EW_FORMATS_ASCII_GRID_H

#include "base/error.h"

typedef struct ascii_grid {
  int n_columns, n_rows;
  double x0, y0, size; /* lower left corner and side of a cell [m] */
  double *value;       /* [n_rows * n_columns], southernmost row first; NaN: no data, -9999 in the file */
} ascii_grid;

/* Errors: EW_IO. The file appears when it is complete. */
ew_status ascii_grid_write(const char *path, const ascii_grid *g, ew_error *err);

#endif
