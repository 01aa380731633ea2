/* Parts of a mesh by name, as formulas ask for them: region(steel), patch(inlet). */
#include <stdlib.h>
#include <string.h>

#include "fields/parts.h"

bool exec_part_of_mesh(const dslc_field *f, char name[EXEC_PART_NAME]) {
  static const char *const words[] = {"region(", "patch("};
  for (int i = 0; i < 2 && f->kind == DSLC_GIVEN; i++) {
    size_t n = strlen(words[i]), length = strlen(f->name);
    if (strncmp(f->name, words[i], n) != 0 || length - n - 1 >= EXEC_PART_NAME) continue;
    memcpy(name, f->name + n, length - n - 1);
    name[length - n - 1] = '\0';
    return true;
  }
  return false;
}

static const mesh_region *find_region(const mesh *m, const char *name) {
  for (int i = 0; i < m->n_regions; i++)
    if (strcmp(m->region[i].name, name) == 0) return &m->region[i];
  return NULL;
}

bool exec_has_part(const mesh *m, const dslc_field *f, const char *name) {
  return f->place == DSLC_CELLS ? find_region(m, name) != NULL : mesh_find_patch(m, name) >= 0;
}

void exec_part_fill(const mesh *m, const dslc_field *f, const char *name, size_t width, double *values) {
  const mesh_region *r = f->place == DSLC_CELLS ? find_region(m, name) : NULL;
  for (cell_id c = 0; r && c < m->n_cells; c++) values[(size_t)c * width] = m->cell_region[c] == r->tag;
  int p = f->place == DSLC_FACES ? mesh_find_patch(m, name) : -1;
  for (face_id i = 0; p >= 0 && i < m->n_faces; i++) {
    const mesh_patch *at = &m->patch[p];
    values[(size_t)i * width] = i >= at->first && i < at->first + at->count;
  }
}
