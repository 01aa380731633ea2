/* Orders of cells, faces and patches. Renumbering changes numbers only: every volume, centre, area and normal
 * keeps its bits (a normal changes sign where left and right trade places). mesh.cell_origin remembers the
 * first numbers.
 *
 * Orders follow "An optimized GPU implementation of a 2D free surface simulation model on unstructured meshes"
 * (Lacasta et al., Advances in Engineering Software, 2014), equations 18 to 20: cells by reverse Cuthill-McKee,
 * faces sorted by their two cells. */
#ifndef EW_MESH_RENUMBER_H
#define EW_MESH_RENUMBER_H

#include "mesh/mesh.h"

typedef enum mesh_cell_order {
  MESH_CELLS_AS_IS,
  MESH_CELLS_RCM,     /* reverse Cuthill-McKee; kept only where it does not widen the band */
  MESH_CELLS_HILBERT, /* along a space-filling curve through the centres */
  MESH_CELLS_RANDOM   /* shuffled: the bad case that shows what an order gains */
} mesh_cell_order;

typedef enum mesh_face_order {
  MESH_FACES_AS_IS,
  MESH_FACES_SORTED, /* interior by (left, right) with left < right, each patch by its left cell */
  MESH_FACES_RANDOM  /* interior faces and the faces of each patch shuffled */
} mesh_face_order;

/* Renumbers cells, then nodes by first use (if the cells' order changed), then faces. `seed` feeds the random
 * orders. Errors: memory; the mesh is valid then, with some of the steps not taken. */
ew_status mesh_renumber(mesh *m, mesh_cell_order cells, mesh_face_order faces, uint64_t seed, ew_error *err);

/* The name of an order as cases and command lines spell it (none, rcm, hilbert, random; none, sorted,
 * random), and back; the second two return false for an unknown name. */
const char *mesh_cell_order_name(mesh_cell_order order);
const char *mesh_face_order_name(mesh_face_order order);
bool mesh_cell_order_parse(const char *name, mesh_cell_order *order);
bool mesh_face_order_parse(const char *name, mesh_face_order *order);

/* Largest |left - right| over interior faces (equation 19 of the paper), 0 without any. */
cell_id mesh_bandwidth(const mesh *m);

/* Brings the named patches to the front of the boundary in this order, with their faces and ghosts; the
 * others follow in their old order. Errors: EW_INPUT for an unknown or repeated name. */
ew_status mesh_order_patches(mesh *m, const char *const *names, int n, ew_error *err);

#endif
