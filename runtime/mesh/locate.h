/* Which cell holds a point. A locator sorts the cells into the buckets of a regular grid once; it borrows the
 * mesh, which must neither move nor be renumbered while the locator lives. */
#ifndef EW_MESH_LOCATE_H
#define EW_MESH_LOCATE_H

#include "mesh/mesh.h"

typedef struct mesh_locator mesh_locator;

ew_status mesh_locator_create(const mesh *m, mesh_locator **out, ew_error *err);
void mesh_locator_destroy(mesh_locator **locator);

/* Finds the cell holding x ([dim]); on a face (to rounding) the lowest number wins. Returns false, with *cell 0, if no cell does (or x is
 * not finite). */
bool mesh_find_cell(const mesh_locator *locator, const double *x, cell_id *cell);

/* What the nodes of the cell weigh in the value that a linear function has at x inside of it; 0 if the cell is no simplex. */
void mesh_weights(const mesh *m, cell_id cell, const double *x, double weight[4]);

#endif
