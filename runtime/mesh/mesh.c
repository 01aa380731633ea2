#include "mesh/mesh.h"

#include <stdlib.h>
#include <string.h>

static void free_data(mesh *m) {
  for (int i = 0; m->file.data && i < m->file.n_data; i++) {
    free(m->file.data[i].name);
    free(m->file.data[i].value);
    free(m->file.data[i].tag);
  }
  free(m->file.data);
}

static void free_names(mesh *m) {
  for (int i = 0; m->patch && i < m->n_patches; i++) free(m->patch[i].name);
  for (int i = 0; m->region && i < m->n_regions; i++) free(m->region[i].name);
  for (int i = 0; m->file.left_out && i < m->file.n_left_out; i++) free(m->file.left_out[i].name);
  free(m->patch);
  free(m->region);
  free(m->file.left_out);
}

void mesh_destroy(mesh **p) {
  if (!p || !*p) return;
  mesh *m = *p;
  free_names(m);
  free_data(m);
  void *arrays[] = {m->node_x,      m->cell_type,    m->cell_start,  m->cell_node,    m->cell_region,
                    m->cell_origin, m->face_start,   m->face_node,   m->face_left,    m->face_right,
                    m->sides.face,  m->sides.across, m->sides.start, m->ghost_source, m->cell_volume,
                    m->cell_centre, m->face_area,    m->face_normal, m->face_centre};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
  free(m);
  *p = NULL;
}

int mesh_find_patch(const mesh *m, const char *name) {
  for (int i = 0; i < m->n_patches; i++)
    if (!strcmp(m->patch[i].name, name)) return i;
  return -1;
}

const char *mesh_why_no_patch(const mesh *m, const char *name) {
  for (int i = 0; i < m->n_regions; i++)
    if (!strcmp(m->region[i].name, name)) return "a group of cells";
  for (int i = 0; i < m->file.n_left_out; i++)
    if (!strcmp(m->file.left_out[i].name, name)) return m->file.left_out[i].why;
  return NULL;
}
