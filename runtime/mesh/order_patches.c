#include "mesh/renumber.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mesh/permute.h"

/* order [n_patches]: the named patches, then the others. */
static ew_status choose_order(const mesh *m, const char *const *names, int n, int *order, bool *chosen,
                              ew_error *err) {
  int placed = 0;
  for (int i = 0; i < n; i++) {
    int p = mesh_find_patch(m, names[i]);
    if (p < 0) return ew_fail(err, EW_INPUT, "the mesh has no patch \"%s\"", names[i]);
    if (chosen[p]) return ew_fail(err, EW_INPUT, "patch \"%s\" is named twice", names[i]);
    chosen[p] = true;
    order[placed++] = p;
  }
  for (int p = 0; p < m->n_patches; p++)
    if (!chosen[p]) order[placed++] = p;
  return EW_OK;
}

/* Lays the patches out in this order; faces [n_faces] receives the old number of each new face. */
static void lay_out(const mesh *m, const int *order, mesh_patch *patch, face_id *faces) {
  for (face_id f = 0; f < m->n_interior; f++) faces[f] = f;
  face_id next = m->n_interior;
  for (int i = 0; i < m->n_patches; i++) {
    patch[i] = m->patch[order[i]];
    for (face_id k = 0; k < patch[i].count; k++) faces[next + k] = patch[i].first + k;
    patch[i].first = next;
    next += patch[i].count;
  }
}

ew_status mesh_order_patches(mesh *m, const char *const *names, int n, ew_error *err) {
  ew_status status = EW_OK;
  int *order = NULL;
  bool *chosen = NULL;
  mesh_patch *patch = NULL;
  face_id *faces = NULL;
  EW_CHECK(EW_NEW(order, m->n_patches));
  EW_CHECK(EW_NEW(chosen, m->n_patches));
  EW_CHECK(EW_NEW(patch, m->n_patches));
  EW_CHECK(EW_NEW(faces, m->n_faces));
  EW_CHECK(choose_order(m, names, n, order, chosen, err));
  lay_out(m, order, patch, faces);
  EW_CHECK(mesh_permute_faces(m, faces, err));
  memcpy(m->patch, patch, (size_t)m->n_patches * sizeof *patch);
cleanup:
  free(order);
  free(chosen);
  free(patch);
  free(faces);
  return status;
}
