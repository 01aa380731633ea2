/* The distance to parts of the boundary: exact to the straight edges (2D) or to the triangles (3D; a face of four nodes is two) that the
 * mesh has there, and across periodic sides to their images too. A tree of boxes over the faces makes a question cost the logarithm of
 * their number (Friedman, Bentley and Finkel 1977, branch and bound). It borrows the mesh, which must neither move nor be renumbered
 * while it lives. */
#ifndef EW_MESH_DISTANCE_H
#define EW_MESH_DISTANCE_H

#include "mesh/mesh.h"

typedef struct mesh_distance mesh_distance;

/* Of the patches with these numbers, at least one. Errors: memory. */
ew_status mesh_distance_create(const mesh *m, const int *patch, int n, mesh_distance **out, ew_error *err);
void mesh_distance_destroy(mesh_distance **d);

/* In m, from x ([dim]). May be asked by several threads at once. */
double mesh_distance_from(const mesh_distance *d, const double *x);

#endif
