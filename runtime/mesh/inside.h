/* Which points a cell holds, and how far edges and triangles are from a point. */
#ifndef EW_MESH_INSIDE_H
#define EW_MESH_INSIDE_H

#include "mesh/mesh.h"

/* Low and high corner of the box around the cell's nodes, which holds all of it; 0 for z in 2D. */
void mesh_cell_box(const mesh *m, cell_id cell, double low[3], double high[3]);

/* How far outside of a cell a point still counts as in it: what rounding makes of its nodes' coordinates, and of their differences. */
double mesh_cell_slack(const mesh *m, cell_id cell);

/* Whether x lies in the cell or at most `slack` outside of it. Cells need not be convex. Faces with four nodes are taken as four triangles
 * around the mean of their nodes, as volumes are; what one cell says of a face is to the bit what its neighbour says: every point inside
 * of the mesh lies in a cell. */
bool mesh_cell_holds(const mesh *m, cell_id cell, const double *x, double slack);

/* Squares of distances from x to an edge, and in 3D to a triangle. */
double mesh_square_to_edge(int dim, const double *a, const double *b, const double *x);
double mesh_square_to_triangle(const double *a, const double *b, const double *c, const double *x);

#endif
