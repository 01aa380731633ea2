/* The shapes of cells: their nodes and sides. Sides list their nodes so that the normal points out of the
 * cell (2D: the cell lies on the left of the edge). */
#ifndef EW_MESH_SHAPE_H
#define EW_MESH_SHAPE_H

#include "mesh/mesh.h"

#define MESH_N_CELL_TYPES   6
#define MESH_MAX_SIDES      6
#define MESH_MAX_SIDE_NODES 4
#define MESH_MAX_CELL_NODES 8

typedef struct mesh_shape {
  const char *name, *plural;
  int dim, n_nodes, n_sides;
  int8_t n_side_nodes[MESH_MAX_SIDES];
  int8_t side[MESH_MAX_SIDES][MESH_MAX_SIDE_NODES];
  int8_t mirror[MESH_MAX_CELL_NODES]; /* the node order that turns the cell inside out */
} mesh_shape;

const mesh_shape *mesh_shape_of(int cell_type);

/* Volume of a cell from its nodes, negative for a cell that is inside out; face centres are the mean of the
 * side's nodes. x: [n_nodes * dim] of the mesh, node: the cell's. */
double mesh_signed_volume(const mesh_shape *shape, const node_id *node, const double *x);

#endif
