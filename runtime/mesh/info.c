#include "mesh/info.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "mesh/quality.h"
#include "mesh/renumber.h"
#include "mesh/vector.h"

static void measure_box(const mesh *m, mesh_info *info) {
  for (int d = 0; d < m->dim; d++) {
    info->box_min[d] = INFINITY;
    info->box_max[d] = -INFINITY;
    for (node_id k = 0; k < m->n_nodes; k++) {
      double x = m->node_x[(size_t)m->dim * (size_t)k + (size_t)d];
      info->box_min[d] = fmin(info->box_min[d], x);
      info->box_max[d] = fmax(info->box_max[d], x);
    }
  }
}

static bool is_centre_behind(const mesh *m, cell_id c) {
  for (int32_t s = m->sides.start[c]; s < m->sides.start[c + 1]; s++) {
    const size_t f = (size_t)m->sides.face[s] * (size_t)m->dim;
    double to_face[3];
    vec_sub(m->dim, m->face_centre + f, m->cell_centre + (size_t)m->dim * (size_t)c, to_face);
    const double ahead = vec_dot(m->dim, to_face, m->face_normal + f);
    if ((m->face_left[m->sides.face[s]] == c ? ahead : -ahead) < 0) return true;
  }
  return false;
}

static void measure_cells(const mesh *m, mesh_info *info) {
  info->quality.min_volume = INFINITY;
  info->quality.worst_aspect_cell = -1;
  for (cell_id c = 0; c < m->n_cells; c++) {
    double volume = m->cell_volume[c], aspect = mesh_aspect_ratio(m, c);
    info->n_cells_of_type[m->cell_type[c]]++;
    info->quality.min_volume = fmin(info->quality.min_volume, volume);
    info->quality.max_volume = fmax(info->quality.max_volume, volume);
    info->quality.total_volume += volume;
    if (is_centre_behind(m, c) && info->odd.n_behind++ == 0) info->odd.behind = c;
    if (!(aspect > info->quality.max_aspect_ratio)) continue;
    info->quality.max_aspect_ratio = aspect;
    info->quality.worst_aspect_cell = c;
  }
}

void mesh_measure_angles(const mesh *m, mesh_quality *q) {
  double sum = 0;
  q->worst_non_orthogonal_face = -1;
  for (face_id f = 0; f < m->n_interior; f++) {
    double angle = mesh_non_orthogonality(m, f);
    sum += angle;
    q->n_severe_non_orthogonal += angle > MESH_WARN_NON_ORTHOGONALITY;
    if (!(angle > q->max_non_orthogonality)) continue;
    q->max_non_orthogonality = angle;
    q->worst_non_orthogonal_face = f;
  }
  if (m->n_interior) q->mean_non_orthogonality = sum / m->n_interior;
}

static void measure_faces(const mesh *m, mesh_info *info) {
  info->quality.min_area = INFINITY;
  info->quality.worst_skewed_face = -1;
  for (face_id f = 0; f < m->n_faces; f++) {
    double skewness = mesh_skewness(m, f);
    info->quality.min_area = fmin(info->quality.min_area, m->face_area[f]);
    info->quality.max_area = fmax(info->quality.max_area, m->face_area[f]);
    info->quality.n_skewed += skewness > MESH_WARN_SKEWNESS;
    if (!(skewness > info->quality.max_skewness)) continue;
    info->quality.max_skewness = skewness;
    info->quality.worst_skewed_face = f;
  }
}

/* Floods the mesh from face to face. */
static ew_status count_connected(const mesh *m, cell_id *n_parts, ew_error *err) {
  ew_status status = EW_OK;
  bool *seen = NULL;
  cell_id *stack = NULL;
  EW_CHECK(EW_NEW(seen, m->n_cells));
  EW_CHECK(EW_NEW(stack, m->n_cells));
  *n_parts = 0;
  for (cell_id start = 0; start < m->n_cells; start++) {
    if (seen[start]) continue;
    ++*n_parts;
    cell_id n = 0;
    seen[start] = true;
    stack[n++] = start;
    while (n > 0) {
      cell_id c = stack[--n];
      for (int32_t s = m->sides.start[c]; s < m->sides.start[c + 1]; s++) {
        cell_id next = m->sides.across[s];
        if (next >= m->n_cells || seen[next]) continue;
        seen[next] = true;
        stack[n++] = next;
      }
    }
  }
cleanup:
  free(seen);
  free(stack);
  return status;
}

/* ---- nodes that were meant to be one ---------------------------------------------------------------------------------- */

/* Coordinates in units of 1e-9 of the mesh's extent: equal for one place, whatever way it was computed (but for the rare one that
 * rounding parts). */
typedef struct spot {
  int64_t x[3];
  node_id node;
} spot;

static int compare_spots(const void *pa, const void *pb) {
  const spot *a = pa, *b = pb;
  for (int d = 0; d < 3; d++)
    if (a->x[d] != b->x[d]) return a->x[d] < b->x[d] ? -1 : 1;
  return (a->node > b->node) - (a->node < b->node);
}

static bool same_spot(const spot *a, const spot *b) {
  return a->x[0] == b->x[0] && a->x[1] == b->x[1] && a->x[2] == b->x[2];
}

/* The boundary's nodes, each once; returns how many. */
static size_t list_spots(const mesh *m, const mesh_info *info, bool *seen, spot *out) {
  double extent = 0;
  size_t n = 0;
  for (int d = 0; d < m->dim; d++) extent = fmax(extent, info->box_max[d] - info->box_min[d]);
  for (int32_t k = m->face_start[m->n_interior]; k < m->face_start[m->n_faces]; k++) {
    const node_id node = m->face_node[k];
    if (seen[node]) continue;
    seen[node] = true;
    out[n] = (spot){.node = node};
    for (int d = 0; d < m->dim; d++)
      out[n].x[d] =
          llround((m->node_x[(size_t)m->dim * (size_t)node + (size_t)d] - info->box_min[d]) / extent * 1e9);
    n++;
  }
  return n;
}

/* Nodes inside of the mesh cannot be the seam of two parts. Needs the box. */
static ew_status count_twins(const mesh *m, mesh_info *info, ew_error *err) {
  ew_status status = EW_OK;
  bool *seen = NULL;
  spot *list = NULL;
  EW_CHECK(EW_NEW(seen, m->n_nodes));
  EW_CHECK(EW_NEW(list, m->face_start[m->n_faces] - m->face_start[m->n_interior]));
  const size_t n = list_spots(m, info, seen, list);
  qsort(list, n, sizeof *list, compare_spots);
  for (size_t i = 1; i < n; i++) {
    if (!same_spot(&list[i - 1], &list[i])) continue;
    for (int d = 0; d < m->dim && !info->odd.n_twins; d++)
      info->odd.twin[d] = m->node_x[(size_t)m->dim * (size_t)list[i].node + (size_t)d];
    info->odd.n_twins++;
  }
cleanup:
  free(seen);
  free(list);
  return status;
}

static ew_status list_patches(const mesh *m, mesh_info *info, ew_error *err) {
  ew_status status = EW_OK;
  EW_CHECK(EW_NEW(info->patch, m->n_patches));
  info->n_patches = m->n_patches;
  for (int p = 0; p < m->n_patches; p++) {
    const mesh_patch *patch = &m->patch[p];
    info->patch[p] = (mesh_patch_info){patch->name, patch->count, 0, patch->periodic};
    for (face_id i = 0; i < patch->count; i++) info->patch[p].area += m->face_area[patch->first + i];
  }
cleanup:
  return status;
}

static int compare_tags(const void *key, const void *element) {
  int32_t tag = *(const int32_t *)key, other = ((const mesh_region *)element)->tag;
  return (tag > other) - (tag < other);
}

static ew_status list_regions(const mesh *m, mesh_info *info, ew_error *err) {
  ew_status status = EW_OK;
  EW_CHECK(EW_NEW(info->region, m->n_regions));
  info->n_regions = m->n_regions;
  for (int r = 0; r < m->n_regions; r++) info->region[r].name = m->region[r].name;
  for (cell_id c = 0; m->n_regions && c < m->n_cells; c++) {
    const mesh_region *found =
        bsearch(&m->cell_region[c], m->region, (size_t)m->n_regions, sizeof *found, compare_tags);
    if (!found) continue;
    info->region[found - m->region].n_cells++;
    info->region[found - m->region].volume += m->cell_volume[c];
  }
cleanup:
  return status;
}

static ew_status fill(const mesh *m, mesh_info *info, ew_error *err) {
  ew_status status = EW_OK;
  info->dim = m->dim;
  info->n_nodes = m->n_nodes;
  info->n_cells = m->n_cells;
  info->n_faces = m->n_faces;
  info->n_interior = m->n_interior;
  info->bandwidth = mesh_bandwidth(m);
  info->odd.n_unused = m->file.n_unused;
  info->odd.n_turned = m->file.n_turned;
  info->n_left_out = m->file.n_left_out;
  info->left_out = m->file.left_out;
  info->n_data = m->file.n_data;
  info->data = m->file.data;
  measure_box(m, info);
  measure_cells(m, info);
  measure_faces(m, info);
  mesh_measure_angles(m, &info->quality);
  EW_CHECK(count_connected(m, &info->odd.n_connected, err));
  EW_CHECK(count_twins(m, info, err));
  EW_CHECK(list_patches(m, info, err));
  EW_CHECK(list_regions(m, info, err));
cleanup:
  return status;
}

ew_status mesh_info_create(const mesh *m, mesh_info **out, ew_error *err) {
  ew_status status = EW_OK;
  mesh_info *info;
  *out = NULL;
  EW_CHECK(EW_NEW(info, 1));
  EW_CHECK(fill(m, info, err));
  *out = info;
  info = NULL;
cleanup:
  mesh_info_destroy(&info);
  return status;
}

void mesh_info_destroy(mesh_info **info) {
  if (!info || !*info) return;
  free((*info)->patch);
  free((*info)->region);
  free(*info);
  *info = NULL;
}
