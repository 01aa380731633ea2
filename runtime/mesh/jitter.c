/* Random displacement of nodes that never spoils a cell: a step is halved until every cell around the node
 * keeps its shape. Nodes move one after the other, so each step starts from valid cells and may always end at
 * zero. */
#include "mesh/axis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mesh/random.h"
#include "mesh/vector.h"

#define KEEP        0.1 /* of a cell's smallest corner before jitter */
#define MAX_HALVING 8

/* The cells around every node. */
typedef struct node_cells {
  int32_t *start; /* [n_nodes + 2] */
  cell_id *cell;
} node_cells;

static ew_status node_cells_create(const mesh *m, node_cells *around, ew_error *err) {
  ew_status status = EW_OK;
  EW_CHECK(EW_NEW(around->start, (size_t)m->n_nodes + 2));
  EW_CHECK(EW_NEW(around->cell, m->cell_start[m->n_cells]));
  int32_t *fill = around->start + 1;
  for (int32_t i = 0; i < m->cell_start[m->n_cells]; i++) fill[m->cell_node[i] + 1]++;
  for (node_id k = 0; k < m->n_nodes; k++) fill[k + 1] += fill[k];
  for (cell_id c = 0; c < m->n_cells; c++)
    for (int32_t i = m->cell_start[c]; i < m->cell_start[c + 1]; i++)
      around->cell[fill[m->cell_node[i]]++] = c;
cleanup:
  return status;
}

/* The neighbours of a hexahedron's corners, so ordered that they span a positive volume. */
static const int8_t hex_corner[8][3] = {{1, 3, 4}, {2, 0, 5}, {3, 1, 6}, {0, 2, 7},
                                        {7, 5, 0}, {4, 6, 1}, {5, 7, 2}, {6, 4, 3}};

static double corner_volume(const mesh *m, const node_id *node, int corner) {
  double e[3][3], c[3];
  for (int k = 0; k < 3; k++)
    vec_sub(3, m->node_x + 3 * (size_t)node[hex_corner[corner][k]], m->node_x + 3 * (size_t)node[corner],
            e[k]);
  vec_cross(e[0], e[1], c);
  return vec_dot(3, c, e[2]) / 6;
}

static double corner_area(const mesh *m, const node_id *node, int corner) {
  double a[2], b[2];
  const double *here = m->node_x + 2 * (size_t)node[corner];
  vec_sub(2, m->node_x + 2 * (size_t)node[(corner + 1) % 4], here, a);
  vec_sub(2, m->node_x + 2 * (size_t)node[(corner + 3) % 4], here, b);
  return (a[0] * b[1] - a[1] * b[0]) / 2;
}

/* The smallest simplex at a corner of the cell: positive in a convex one. */
static double smallest_corner(const mesh *m, cell_id c) {
  const node_id *node = m->cell_node + m->cell_start[c];
  double smallest = INFINITY;
  switch (m->cell_type[c]) {
  case MESH_QUAD:
    for (int i = 0; i < 4; i++) smallest = fmin(smallest, corner_area(m, node, i));
    return smallest;
  case MESH_HEX:
    for (int i = 0; i < 8; i++) smallest = fmin(smallest, corner_volume(m, node, i));
    return smallest;
  default: return mesh_signed_volume(mesh_cell_shape(m, c), node, m->node_x);
  }
}

static bool cells_keep_shape(const mesh *m, const node_cells *around, node_id node, const double *least) {
  for (int32_t i = around->start[node]; i < around->start[node + 1]; i++)
    if (!(smallest_corner(m, around->cell[i]) >= least[around->cell[i]])) return false;
  return true;
}

static void move_node(mesh *m, const node_cells *around, const double *least, const mesh_movable *movable,
                      uint64_t *state) {
  double *x = m->node_x + (size_t)m->dim * (size_t)movable->node, old[3] = {0, 0, 0}, step[3] = {0, 0, 0};
  memcpy(old, x, (size_t)m->dim * sizeof *x);
  for (int d = 0; d < m->dim; d++) step[d] = movable->reach[d] * random_signed(state);
  double scale = 1;
  for (int i = 0; i < MAX_HALVING; i++, scale /= 2) {
    for (int d = 0; d < m->dim; d++) x[d] = old[d] + scale * step[d];
    if (cells_keep_shape(m, around, movable->node, least)) return;
  }
  memcpy(x, old, (size_t)m->dim * sizeof *x);
}

ew_status mesh_jitter(mesh *m, const mesh_movable *movable, size_t n, uint64_t seed, ew_error *err) {
  ew_status status = EW_OK;
  node_cells around = {0};
  double *least = NULL;
  uint64_t state = random_seed(seed);
  EW_CHECK(node_cells_create(m, &around, err));
  EW_CHECK(EW_NEW(least, m->n_cells));
  for (cell_id c = 0; c < m->n_cells; c++) least[c] = KEEP * smallest_corner(m, c);
  for (size_t i = 0; i < n; i++) move_node(m, &around, least, &movable[i], &state);
cleanup:
  free(around.start);
  free(around.cell);
  free(least);
  return status;
}
