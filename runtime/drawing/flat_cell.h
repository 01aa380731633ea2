/* Cells as polygons in the picture's plane: a 2D cell as it is, a 3D cell cut by a plane z = const. */
#ifndef EW_IO_FLAT_CELL_H
#define EW_IO_FLAT_CELL_H

#include <stdbool.h>

#include "mesh/mesh.h"

enum { FLAT_MOST_POINTS = 12 }; /* a plane cuts each edge of a hexahedron at most once */

/* Point i lies at (1 - part[i]) a[i] + part[i] b[i], a and b nodes of the mesh. */
typedef struct flat_cell {
  int n;
  double x[FLAT_MOST_POINTS][2]; /* m */
  node_id a[FLAT_MOST_POINTS], b[FLAT_MOST_POINTS];
  double part[FLAT_MOST_POINTS];
} flat_cell;

/* False if the plane misses the cell. `z` is not used in 2D. */
bool flat_cell_make(flat_cell *out, const mesh *m, cell_id cell, double z);

/* Bounding box of the nodes: low[3], high[3]; the third is 0 in 2D. */
void flat_bounds(const mesh *m, double low[3], double high[3]);

/* A height at which a plane cuts cells: z if it lies inside the mesh (a plane through the lowest nodes is
 * lifted by a hair), else EW_INPUT with the mesh's range. */
ew_status flat_check_height(const mesh *m, double *z, ew_error *err);

#endif
