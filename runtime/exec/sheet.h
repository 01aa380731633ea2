/* A grid as pictures see it: quadrangles in a plane, no more than can be told apart. Internal to runtime/exec. */
#ifndef EW_EXEC_SHEET_H
#define EW_EXEC_SHEET_H

#include "grid/grid.h"
#include "mesh/mesh.h"

typedef struct exec_sheet {
  mesh *m;       /* nodes and cells only: what pictures look at */
  cell_id *cell; /* [m->n_cells] the grid's cell whose value stands there */
} exec_sheet;

/* The cells of a plane grid, or of the layer of a 3D grid that holds the height z; cells are merged so that there are at most
 * `most` along either axis. EW_INPUT: a grid of one axis, a height outside. */
ew_status exec_sheet_create(const grid *g, double z, int most, exec_sheet *out, ew_error *err);
void exec_sheet_clear(exec_sheet *s);

/* Takes values of the grid's cells to the sheet's. */
void exec_sheet_take(const exec_sheet *s, const double *from, double *to);

#endif
