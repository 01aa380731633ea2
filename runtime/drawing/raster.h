/* Which cell lies under each sample of a picture. */
#ifndef EW_IO_RASTER_H
#define EW_IO_RASTER_H

#include "drawing/flat_cell.h"
#include "mesh/mesh.h"

/* The part of the plane that is pictured: samples[0] x samples[1] of them over [low, high], row by row from
 * the top. */
typedef struct pixel_map {
  int samples[2];
  double low[2], high[2]; /* m */
  cell_id *cell;          /* [samples[0] * samples[1]], -1 outside of the mesh */
} pixel_map;

/* Fills `cell`, which pixel_map_destroy frees; the rest of `r` says what is pictured. z: height of the slice through a 3D mesh. */
ew_status pixel_map_create(pixel_map *r, const mesh *m, double z, ew_error *err);
void pixel_map_destroy(pixel_map *r);

#endif
