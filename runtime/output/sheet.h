/* Grids and boundaries as pictures see them: polygons in a plane. Internal to the runtime. */
#ifndef EW_EXEC_SHEET_H
#define EW_EXEC_SHEET_H

#include "grid/grid.h"
#include "mesh/mesh.h"

typedef struct exec_sheet {
  mesh *m;       /* nodes and cells only: what pictures look at */
  cell_id *cell; /* [m->n_cells] the grid's or mesh's cell whose value stands there */
} exec_sheet;

/* The layer of a 3D grid that holds the height z, 0 of a plane one. EW_INPUT: a grid of one axis, a height outside. */
ew_status exec_sheet_layer(const grid *g, double z, int32_t *layer, ew_error *err);

/* The cells of a plane grid, or of the layer of a 3D grid that holds the height z; cells are merged so that there are at most
 * `most` along either axis. EW_INPUT: a grid of one axis, a height outside. */
ew_status exec_sheet_create(const grid *g, double z, int most, exec_sheet *out, ew_error *err);
/* The faces of boundaries of a 3D mesh, seen from the direction `from` without perspective; z points up. A face has the value of
 * the cell at it. EW_INPUT: no direction. */
ew_status exec_surface_create(const mesh *m, const char *const *name, int n_names, const double from[3],
                              exec_sheet *out, ew_error *err);
/* Names of the picture's axes. */
void exec_surface_axes(const double from[3], bool units, char right[48], char up[48]);
void exec_sheet_clear(exec_sheet *s);

/* Takes values of the grid's cells to the sheet's. */
void exec_sheet_take(const exec_sheet *s, const double *from, double *to);

#endif
