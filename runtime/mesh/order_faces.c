/* Faces in the order of their cells, found by walking the cells: no sort beyond the few faces of one cell. */
#include "mesh/permute.h"

#include <stdlib.h>

#include "base/memory.h"
#include "mesh/shape.h"

/* The patch of a boundary face. */
static int patch_of(const mesh *m, face_id f) {
  int low = 0, high = m->n_patches - 1;
  while (low < high) {
    int middle = (low + high + 1) / 2;
    if (m->patch[middle].first <= f) low = middle;
    else high = middle - 1;
  }
  return low;
}

/* Appends the interior faces whose left cell is c, by ascending right cell. */
static face_id append_interior(const mesh *m, cell_id c, face_id *order, face_id tail) {
  face_id first = tail;
  for (int32_t s = m->sides.start[c]; s < m->sides.start[c + 1]; s++) {
    face_id f = m->sides.face[s];
    if (f >= m->n_interior || m->face_left[f] != c) continue;
    face_id k = tail++;
    for (; k > first && m->face_right[order[k - 1]] > m->face_right[f]; k--) order[k] = order[k - 1];
    order[k] = f;
  }
  return tail;
}

ew_status mesh_order_faces_sorted(const mesh *m, face_id *old_of_new, ew_error *err) {
  ew_status status = EW_OK;
  face_id *next = NULL, tail = 0;
  EW_CHECK(EW_NEW(next, m->n_patches));
  for (int p = 0; p < m->n_patches; p++) next[p] = m->patch[p].first;
  for (cell_id c = 0; c < m->n_cells; c++) {
    tail = append_interior(m, c, old_of_new, tail);
    for (int32_t s = m->sides.start[c]; s < m->sides.start[c + 1]; s++)
      if (m->sides.face[s] >= m->n_interior)
        old_of_new[next[patch_of(m, m->sides.face[s])]++] = m->sides.face[s];
  }
cleanup:
  free(next);
  return status;
}
