/* Volumes, centres, areas and normals. Polygons and polyhedra are cut into simplices; a face with four nodes
 * is cut from the mean of its nodes, the same way for both its cells, so that the area vectors of every cell
 * sum to zero. */
#include "mesh/build.h"

#include <math.h>

#include "base/memory.h"
#include "mesh/vector.h"

static const double *node_at(const mesh *m, node_id k) { return m->node_x + (size_t)m->dim * (size_t)k; }

static void edge_geometry(mesh *m, face_id f) {
  const double *a = node_at(m, m->face_node[m->face_start[f]]),
               *b = node_at(m, m->face_node[m->face_start[f] + 1]);
  double d[2], *normal = m->face_normal + 2 * (size_t)f, *centre = m->face_centre + 2 * (size_t)f;
  vec_sub(2, b, a, d);
  double length = vec_norm(2, d);
  m->face_area[f] = length;
  normal[0] = d[1] / length;
  normal[1] = -d[0] / length;
  for (int i = 0; i < 2; i++) centre[i] = a[i] + d[i] / 2;
}

/* The nodes of a face relative to their mean. */
static int face_points(const mesh *m, face_id f, double mean[3], double p[MESH_MAX_SIDE_NODES][3]) {
  int n = m->face_start[f + 1] - m->face_start[f];
  const node_id *node = m->face_node + m->face_start[f];
  const double *origin = node_at(m, node[0]);
  double shift[3] = {0, 0, 0};
  for (int i = 0; i < n; i++) {
    vec_sub(3, node_at(m, node[i]), origin, p[i]);
    vec_add_scaled(3, shift, 1.0 / n, p[i]);
  }
  for (int i = 0; i < n; i++) vec_sub(3, p[i], shift, p[i]);
  for (int d = 0; d < 3; d++) mean[d] = origin[d] + shift[d];
  return n;
}

static void polygon_geometry(mesh *m, face_id f) {
  double mean[3], p[MESH_MAX_SIDE_NODES][3], area[3] = {0, 0, 0}, triangle[MESH_MAX_SIDE_NODES][3];
  double *normal = m->face_normal + 3 * (size_t)f, *centre = m->face_centre + 3 * (size_t)f;
  int n = face_points(m, f, mean, p);
  for (int i = 0; i < n; i++) {
    vec_cross(p[i], p[(i + 1) % n], triangle[i]);
    vec_add_scaled(3, area, 0.5, triangle[i]);
  }
  double size = vec_norm(3, area);
  m->face_area[f] = size;
  for (int d = 0; d < 3; d++) {
    normal[d] = area[d] / size;
    centre[d] = mean[d];
  }
  for (int i = 0; i < n; i++) {
    double weight = vec_dot(3, triangle[i], normal) / (2 * size);
    for (int d = 0; d < 3; d++) centre[d] += weight * (p[i][d] + p[(i + 1) % n][d]) / 3;
  }
}

static void polygon_cell(mesh *m, cell_id c) {
  const node_id *node = m->cell_node + m->cell_start[c];
  int n = m->cell_start[c + 1] - m->cell_start[c];
  const double *origin = node_at(m, node[0]);
  double twice = 0, moment[2] = {0, 0};
  for (int i = 1; i + 1 < n; i++) {
    double a[2], b[2];
    vec_sub(2, node_at(m, node[i]), origin, a);
    vec_sub(2, node_at(m, node[i + 1]), origin, b);
    double w = a[0] * b[1] - a[1] * b[0];
    twice += w;
    for (int d = 0; d < 2; d++) moment[d] += w * (a[d] + b[d]);
  }
  m->cell_volume[c] = twice / 2;
  for (int d = 0; d < 2; d++) m->cell_centre[2 * (size_t)c + (size_t)d] = origin[d] + moment[d] / (3 * twice);
}

/* Adds six times volume and 24 times first moment of the simplices between `origin` and a face. */
static void add_face_to_cell(const mesh *m, face_id f, double sign, const double *origin, double *volume6,
                             double moment24[3]) {
  double mean[3], p[MESH_MAX_SIDE_NODES][3], tip[3];
  int n = face_points(m, f, mean, p);
  vec_sub(3, mean, origin, tip);
  for (int i = 0; i < n; i++) {
    double a[3], b[3], c[3];
    for (int d = 0; d < 3; d++) {
      a[d] = tip[d] + p[i][d];
      b[d] = tip[d] + p[(i + 1) % n][d];
    }
    vec_cross(a, b, c);
    double w = sign * vec_dot(3, tip, c);
    *volume6 += w;
    for (int d = 0; d < 3; d++) moment24[d] += w * (tip[d] + a[d] + b[d]);
  }
}

static void polyhedron_cell(mesh *m, cell_id c) {
  const double *origin = node_at(m, m->cell_node[m->cell_start[c]]);
  double volume6 = 0, moment24[3] = {0, 0, 0};
  for (int32_t s = m->sides.start[c]; s < m->sides.start[c + 1]; s++) {
    face_id f = m->sides.face[s];
    add_face_to_cell(m, f, m->face_left[f] == c ? 1 : -1, origin, &volume6, moment24);
  }
  m->cell_volume[c] = volume6 / 6;
  for (int d = 0; d < 3; d++)
    m->cell_centre[3 * (size_t)c + (size_t)d] = origin[d] + moment24[d] / (4 * volume6);
}

/* The geometry of the ghost behind a face that is not periodic. */
static void mirror_ghost(mesh *m, face_id f) {
  size_t dim = (size_t)m->dim, inside = (size_t)m->face_left[f], ghost = (size_t)m->face_right[f];
  const double *normal = m->face_normal + dim * (size_t)f, *centre = m->cell_centre + dim * inside;
  double *mirrored = m->cell_centre + dim * ghost, to_face[3] = {0, 0, 0};
  vec_sub(m->dim, m->face_centre + dim * (size_t)f, centre, to_face);
  double distance = vec_dot(m->dim, to_face, normal);
  for (size_t d = 0; d < dim; d++) mirrored[d] = centre[d] + 2 * distance * normal[d];
  m->cell_volume[ghost] = m->cell_volume[inside];
}

static ew_status allocate(mesh *m, ew_error *err) {
  ew_status status = EW_OK;
  size_t dim = (size_t)m->dim, cells = (size_t)m->n_cells + (size_t)m->n_ghosts, faces = (size_t)m->n_faces;
  EW_CHECK(EW_NEW(m->cell_volume, cells));
  EW_CHECK(EW_NEW(m->cell_centre, cells * dim));
  EW_CHECK(EW_NEW(m->face_area, faces));
  EW_CHECK(EW_NEW(m->face_normal, faces * dim));
  EW_CHECK(EW_NEW(m->face_centre, faces * dim));
cleanup:
  return status;
}

ew_status mesh_compute_geometry(mesh_draft *draft, ew_error *err) {
  ew_status status = EW_OK;
  mesh *m = draft->mesh;
  EW_CHECK(allocate(m, err));
  for (face_id f = 0; f < m->n_faces; f++) {
    if (m->dim == 2) edge_geometry(m, f);
    else polygon_geometry(m, f);
    if (!(m->face_area[f] > 0))
      return mesh_cell_fail(draft, m->face_left[f], err, "is degenerate: one of its faces has no area");
  }
  for (cell_id c = 0; c < m->n_cells; c++) {
    if (m->dim == 2) polygon_cell(m, c);
    else polyhedron_cell(m, c);
  }
  for (face_id f = m->n_interior; f < m->n_faces; f++) mirror_ghost(m, f);
cleanup:
  return status;
}
