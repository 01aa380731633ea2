/* From nodes and cells to a finished mesh. Internal to runtime/mesh: readers and generators fill a draft,
 * then call mesh_build. */
#ifndef EW_MESH_BUILD_H
#define EW_MESH_BUILD_H

#include "mesh/mesh.h"
#include "mesh/shape.h"

/* A boundary face given by its nodes, in any order; unused places hold -1. */
typedef struct mesh_mark {
  node_id node[MESH_MAX_SIDE_NODES];
  int32_t patch;
} mesh_mark;

/* The caller owns everything. `mesh` has dim, nodes, cells (type, start, node, region), regions, and patches
 * with names only. */
typedef struct mesh_draft {
  mesh *mesh;
  size_t n_marks;
  mesh_mark *mark;         /* sorted in place by the build */
  const int64_t *cell_tag; /* [n_cells] numbers of the cells in messages; NULL: their indices */
  cell_id culprit;         /* out: the cell an error is about, -1 if none */
} mesh_draft;

/* Turns cells to positive volume, numbers the faces, cuts the boundary into patches (empty ones are left out,
 * faces without a mark join the patch "unnamed") and computes the geometry. Errors (EW_INPUT): repeated
 * nodes, degenerate or duplicate cells, faces with three cells, overlapping neighbours, contradicting marks.
 */
ew_status mesh_build(mesh_draft *draft, ew_error *err);

/* The steps, in this order. `mate` [n_sides] receives, for every side of a cell in the numbering of
 * cell_face_start, the side it coincides with, or -1. */
ew_status mesh_orient_cells(mesh_draft *draft, ew_error *err);
ew_status mesh_match_sides(mesh_draft *draft, int32_t **mate, ew_error *err);
ew_status mesh_number_faces(mesh_draft *draft, const int32_t *mate, ew_error *err);
ew_status mesh_compute_geometry(mesh_draft *draft, ew_error *err);

/* Fills cell_across from cell_face, face_left and face_right. */
void mesh_set_across(mesh *m);

static inline const mesh_shape *mesh_cell_shape(const mesh *m, cell_id c) {
  return mesh_shape_of(m->cell_type[c]);
}

/* The global nodes of a side in the order of its outward normal; returns how many. */
static inline int mesh_side_nodes(const mesh *m, cell_id c, int side, node_id *node) {
  const mesh_shape *shape = mesh_cell_shape(m, c);
  const node_id *of_cell = m->cell_node + m->cell_start[c];
  for (int i = 0; i < shape->n_side_nodes[side]; i++) node[i] = of_cell[shape->side[side][i]];
  return shape->n_side_nodes[side];
}

/* Sorts the nodes of a face ascending, unused places (-1) last: equal keys mean equal faces. */
void mesh_side_key(const node_id *node, int n, node_id key[MESH_MAX_SIDE_NODES]);

/* Error about one cell: "triangle 12 (nodes at (0, 0), (1, 0), (2, 0)) ..."; sets the culprit. */
ew_status mesh_cell_fail(mesh_draft *draft, cell_id c, ew_error *err, const char *what);
long long mesh_cell_label(const mesh_draft *draft, cell_id c);

/* "(1, 2)" into text, in digits that tell places apart also far from the origin (as in UTM coordinates); returns text. */
const char *mesh_point_text(int dim, const double *x, char text[96]);

#endif
