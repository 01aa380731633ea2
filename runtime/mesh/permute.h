/* Giving the entities of a mesh other numbers. Internal to runtime/mesh. old_of_new lists the old number of
 * each new one; everything that refers to the entities follows. On error (memory) the mesh is unchanged. */
#ifndef EW_MESH_PERMUTE_H
#define EW_MESH_PERMUTE_H

#include "mesh/mesh.h"

/* Cells; interior faces are turned where their cells' order changed, so that left < right. */
ew_status mesh_permute_cells(mesh *m, const cell_id *old_of_new, ew_error *err);

ew_status mesh_permute_nodes(mesh *m, const node_id *old_of_new, ew_error *err);

/* Faces, interior among themselves and boundary faces among themselves, with their ghosts. The caller keeps
 * the patches' ranges true. */
ew_status mesh_permute_faces(mesh *m, const face_id *old_of_new, ew_error *err);

/* By the two cells: interior faces by (left, right), each patch by its left cells; [n_faces]. */
ew_status mesh_order_faces_sorted(const mesh *m, face_id *old_of_new, ew_error *err);

#endif
