/* GeoTIFF by way of ESRI ASCII grids, which GDAL's command gdal_translate converts (Debian: gdal-bin). All that is told the command stands
 * here; of files to read it may use its driver for GeoTIFF alone, as others open further files that a file names. */
#ifndef EW_FORMATS_GEOTIFF_H
#define EW_FORMATS_GEOTIFF_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Does the path end with .tif or .tiff? */
bool geotiff_is_name(const char *path);

/* Is the command there? EW_FAIL with the remedy if not. */
ew_status geotiff_find_command(ew_error *err);

/* Writes the first band of `path` as an ASCII grid into a new temporary file, whose name goes to `grid` [size]; the caller removes it.
 * Errors: EW_INPUT with GDAL's own words. */
ew_status geotiff_to_grid(const char *path, char *grid, size_t size, ew_error *err);

/* Replaces the ASCII grid by a GeoTIFF of 64-bit reals; `srs`: the coordinate system, as "EPSG:25832", or NULL. */
ew_status geotiff_from_grid(const char *grid, const char *srs, const char *path, ew_error *err);

#endif
