/* Parts of a mesh by name, as formulas ask for them: region(steel), patch(inlet), distance_to(wall, inlet). */
#include "fields/parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mesh/distance.h"

static const char *const words[] = {"region(", "outside(", "patch(", "distance_to("};
enum { N_WORDS = sizeof words / sizeof *words };

static bool begins(const char *text, const char *word) { return strncmp(text, word, strlen(word)) == 0; }

/* Characters of a list before the next `end`; within quotes there is none. */
static size_t until(const char *list, char end) {
  bool quoted = false;
  size_t n = 0;
  for (; list[n] && (quoted || list[n] != end); n++) quoted ^= list[n] == '"';
  return n;
}

bool exec_part_of_mesh(const dslc_field *f, char name[EXEC_PART_NAME]) {
  for (int i = 0; i < N_WORDS && f->kind == DSLC_GIVEN; i++) {
    if (!begins(f->name, words[i])) continue;
    const char *from = f->name + strlen(words[i]);
    const size_t length = until(from, ')');
    if (length >= EXEC_PART_NAME) continue;
    memcpy(name, from, length);
    name[length] = '\0';
    return true;
  }
  return false;
}

static const mesh_region *find_region(const mesh *m, const char *name) {
  for (int i = 0; i < m->n_regions; i++)
    if (strcmp(m->region[i].name, name) == 0) return &m->region[i];
  return NULL;
}

const char *exec_next_part(const char *list, char name[EXEC_PART_NAME]) {
  const size_t n = until(list, ',');
  const bool quoted = n > 1 && *list == '"';
  if (n == 0 || n >= EXEC_PART_NAME) return NULL;
  memcpy(name, list + quoted, n - 2 * quoted);
  name[n - 2 * quoted] = '\0';
  return list[n] ? list + n + 1 : list + n;
}

bool exec_has_part(const mesh *m, const dslc_field *f, char name[EXEC_PART_NAME]) {
  const bool regions = begins(f->name, "region(") || begins(f->name, "outside(");
  char list[EXEC_PART_NAME];
  memcpy(list, name, EXEC_PART_NAME);
  for (const char *rest = exec_next_part(list, name); rest; rest = exec_next_part(rest, name))
    if (regions ? !find_region(m, name) : mesh_find_patch(m, name) < 0) return false;
  return true;
}

static ew_status fill_distance(const exec_part *part, size_t width, double *values, ew_error *err) {
  const mesh *m = part->m;
  const fe_space *fe = part->fe;
  const dslc_field *f = part->f;
  ew_status status = EW_OK;
  mesh_distance *d = NULL;
  char name[EXEC_PART_NAME];
  int n = 0, *patch;
  const int32_t count = f->place == DSLC_NODES ? fe->n : m->n_cells;
  EW_CHECK(EW_NEW(patch, strlen(part->name) + 1));
  for (const char *rest = exec_next_part(part->name, name); rest; rest = exec_next_part(rest, name))
    patch[n++] = mesh_find_patch(m, name);
  EW_CHECK(mesh_distance_create(m, patch, n, &d, err));
  for (int32_t i = 0; i < count; i++)
    values[(size_t)i * width] =
        mesh_distance_from(d, f->place == DSLC_NODES ? m->node_x + (size_t)fe->node[i] * (size_t)m->dim
                                                     : m->cell_centre + (size_t)i * (size_t)m->dim);
cleanup:
  mesh_distance_destroy(&d);
  free(patch);
  return status;
}

/* 1 in the cells that belong to none of the groups. */
static void fill_outside(const mesh *m, const char *names, size_t width, double *values) {
  char name[EXEC_PART_NAME];
  for (cell_id c = 0; c < m->n_cells; c++) values[(size_t)c * width] = 1;
  for (const char *rest = exec_next_part(names, name); rest; rest = exec_next_part(rest, name)) {
    const mesh_region *r = find_region(m, name);
    for (cell_id c = 0; r && c < m->n_cells; c++)
      if (m->cell_region[c] == r->tag) values[(size_t)c * width] = 0;
  }
}

ew_status exec_part_fill(const exec_part *part, size_t width, double *values, ew_error *err) {
  const mesh *m = part->m;
  const dslc_field *f = part->f;
  char name[EXEC_PART_NAME];
  if (begins(f->name, "distance_to(")) return fill_distance(part, width, values, err);
  if (begins(f->name, "outside(")) return fill_outside(m, part->name, width, values), EW_OK;
  if (!exec_next_part(part->name, name)) return EW_OK;
  const mesh_region *r = f->place == DSLC_CELLS ? find_region(m, name) : NULL;
  for (cell_id c = 0; r && c < m->n_cells; c++) values[(size_t)c * width] = m->cell_region[c] == r->tag;
  int p = f->place == DSLC_FACES ? mesh_find_patch(m, name) : -1;
  for (face_id i = 0; p >= 0 && i < m->n_faces; i++) {
    const mesh_patch *at = &m->patch[p];
    values[(size_t)i * width] = i >= at->first && i < at->first + at->count;
  }
  return EW_OK;
}
