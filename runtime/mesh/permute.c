#include "mesh/permute.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mesh/build.h"

/* An order and its inverse, and room to rearrange any one array. */
typedef struct permutation {
  int32_t n;
  const int32_t *old_of_new;
  int32_t *new_of_old;
  char *scratch;
  int32_t *scratch_start;
} permutation;

static void permutation_free(permutation *p) {
  free(p->new_of_old);
  free(p->scratch);
  free(p->scratch_start);
}

/* `bytes`: of the largest array that will be rearranged. */
static ew_status permutation_create(permutation *p, int32_t n, const int32_t *old_of_new, size_t bytes,
                                    ew_error *err) {
  ew_status status = EW_OK;
  *p = (permutation){.n = n, .old_of_new = old_of_new};
  EW_CHECK(EW_NEW(p->new_of_old, n));
  EW_CHECK(EW_NEW(p->scratch, bytes));
  EW_CHECK(EW_NEW(p->scratch_start, (size_t)n + 1));
  for (int32_t i = 0; i < n; i++) p->new_of_old[old_of_new[i]] = i;
cleanup:
  return status;
}

/* Bytes that one entry of the widest data takes. */
static size_t widest_data(const mesh *m) {
  int widest = 1;
  for (int i = 0; i < m->file.n_data; i++)
    if (m->file.data[i].components > widest) widest = m->file.data[i].components;
  return (size_t)widest * sizeof(double);
}

static size_t largest(size_t a, size_t b) { return a > b ? a : b; }

/* Rearranges an array with entries of `size` bytes. */
static void rearrange(const permutation *p, void *array, size_t size) {
  char *bytes = array;
  for (int32_t i = 0; i < p->n; i++)
    memcpy(p->scratch + (size_t)i * size, bytes + (size_t)p->old_of_new[i] * size, size);
  memcpy(bytes, p->scratch, (size_t)p->n * size);
}

/* Rearranges the lists of ints that start [n + 1] cuts `list` into. */
static void rearrange_lists(const permutation *p, int32_t *start, int32_t *list) {
  int32_t *moved = (int32_t *)(void *)p->scratch, *next = p->scratch_start;
  next[0] = 0;
  for (int32_t i = 0; i < p->n; i++) {
    int32_t old = p->old_of_new[i], count = start[old + 1] - start[old];
    memcpy(moved + next[i], list + start[old], (size_t)count * sizeof *list);
    next[i + 1] = next[i] + count;
  }
  memcpy(list, moved, (size_t)next[p->n] * sizeof *list);
  memcpy(start, next, ((size_t)p->n + 1) * sizeof *start);
}

/* Values of a mesh file at nodes, or for cells. */
static void rearrange_data(const permutation *p, mesh *m, bool at_nodes) {
  for (int i = 0; i < m->file.n_data; i++) {
    if (m->file.data[i].at_nodes != at_nodes) continue;
    rearrange(p, m->file.data[i].value, (size_t)m->file.data[i].components * sizeof *m->file.data[i].value);
    rearrange(p, m->file.data[i].tag, sizeof *m->file.data[i].tag);
  }
}

static void rename_all(const permutation *p, int32_t *list, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (list[i] >= 0 && list[i] < p->n) list[i] = p->new_of_old[list[i]];
}

static void turn_face(mesh *m, face_id f) {
  cell_id left = m->face_left[f];
  m->face_left[f] = m->face_right[f];
  m->face_right[f] = left;
  for (int d = 0; d < m->dim; d++) m->face_normal[(size_t)m->dim * (size_t)f + (size_t)d] *= -1;
  for (node_id *a = m->face_node + m->face_start[f], *b = m->face_node + m->face_start[f + 1] - 1; a < b;
       a++, b--) {
    node_id node = *a;
    *a = *b;
    *b = node;
  }
}

ew_status mesh_permute_cells(mesh *m, const cell_id *old_of_new, ew_error *err) {
  ew_status status = EW_OK;
  permutation p;
  size_t dim = (size_t)m->dim, n = (size_t)m->n_cells;
  size_t lists = largest((size_t)m->cell_start[n], (size_t)m->sides.start[n]) * sizeof(int32_t);
  const size_t entry = largest(dim * sizeof(double), widest_data(m));
  EW_CHECK(permutation_create(&p, m->n_cells, old_of_new, largest(lists, n * entry), err));
  rearrange(&p, m->cell_type, sizeof *m->cell_type);
  rearrange(&p, m->cell_region, sizeof *m->cell_region);
  rearrange(&p, m->cell_origin, sizeof *m->cell_origin);
  rearrange_data(&p, m, false);
  rearrange(&p, m->cell_volume, sizeof *m->cell_volume);
  rearrange(&p, m->cell_centre, dim * sizeof *m->cell_centre);
  rearrange_lists(&p, m->cell_start, m->cell_node);
  rearrange_lists(&p, m->sides.start, m->sides.face);
  rename_all(&p, m->face_left, (size_t)m->n_faces);
  rename_all(&p, m->face_right, (size_t)m->n_interior);
  rename_all(&p, m->ghost_source, (size_t)m->n_ghosts);
  for (face_id f = 0; f < m->n_interior; f++)
    if (m->face_left[f] > m->face_right[f]) turn_face(m, f);
  mesh_set_across(m);
cleanup:
  permutation_free(&p);
  return status;
}

ew_status mesh_permute_nodes(mesh *m, const node_id *old_of_new, ew_error *err) {
  ew_status status = EW_OK;
  permutation p;
  size_t dim = (size_t)m->dim;
  const size_t entry = largest(dim * sizeof(double), widest_data(m));
  EW_CHECK(permutation_create(&p, m->n_nodes, old_of_new, (size_t)m->n_nodes * entry, err));
  rearrange(&p, m->node_x, dim * sizeof *m->node_x);
  rearrange_data(&p, m, true);
  rename_all(&p, m->cell_node, (size_t)m->cell_start[m->n_cells]);
  rename_all(&p, m->face_node, (size_t)m->face_start[m->n_faces]);
cleanup:
  permutation_free(&p);
  return status;
}

/* Ghost g sits behind boundary face n_interior + g before and after. */
static void move_ghosts(mesh *m, const permutation *faces) {
  size_t dim = (size_t)m->dim;
  permutation ghosts = *faces;
  ghosts.n = m->n_ghosts;
  /* The boundary part of the face order, counted from the first boundary face, in the room of scratch_start.
   */
  int32_t *order = faces->scratch_start;
  for (cell_id g = 0; g < m->n_ghosts; g++) order[g] = faces->old_of_new[m->n_interior + g] - m->n_interior;
  ghosts.old_of_new = order;
  rearrange(&ghosts, m->ghost_source, sizeof *m->ghost_source);
  rearrange(&ghosts, m->cell_volume + m->n_cells, sizeof *m->cell_volume);
  rearrange(&ghosts, m->cell_centre + dim * (size_t)m->n_cells, dim * sizeof *m->cell_centre);
  for (cell_id g = 0; g < m->n_ghosts; g++) m->face_right[m->n_interior + g] = m->n_cells + g;
}

ew_status mesh_permute_faces(mesh *m, const face_id *old_of_new, ew_error *err) {
  ew_status status = EW_OK;
  permutation p;
  size_t dim = (size_t)m->dim, n = (size_t)m->n_faces;
  size_t lists = (size_t)m->face_start[n] * sizeof(int32_t);
  EW_CHECK(permutation_create(&p, m->n_faces, old_of_new, largest(lists, n * dim * sizeof(double)), err));
  rearrange(&p, m->face_left, sizeof *m->face_left);
  rearrange(&p, m->face_right, sizeof *m->face_right);
  rearrange(&p, m->face_area, sizeof *m->face_area);
  rearrange(&p, m->face_normal, dim * sizeof *m->face_normal);
  rearrange(&p, m->face_centre, dim * sizeof *m->face_centre);
  rearrange_lists(&p, m->face_start, m->face_node);
  rename_all(&p, m->sides.face, (size_t)m->sides.start[m->n_cells]);
  move_ghosts(m, &p);
  mesh_set_across(m);
cleanup:
  permutation_free(&p);
  return status;
}
