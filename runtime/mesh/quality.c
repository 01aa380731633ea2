#include "mesh/quality.h"

#include <math.h>

#include "mesh/vector.h"

#define DEGREES (180 / 3.14159265358979323846)

static const double *cell_at(const mesh *m, cell_id c) { return m->cell_centre + (size_t)m->dim * (size_t)c; }

static const double *normal_of(const mesh *m, face_id f) {
  return m->face_normal + (size_t)m->dim * (size_t)f;
}

double mesh_aspect_ratio(const mesh *m, cell_id c) {
  double projected[3] = {0, 0, 0}, low = INFINITY, high = 0, sum = 0;
  for (int32_t s = m->sides.start[c]; s < m->sides.start[c + 1]; s++) {
    face_id f = m->sides.face[s];
    for (int d = 0; d < m->dim; d++) projected[d] += m->face_area[f] * fabs(normal_of(m, f)[d]);
  }
  for (int d = 0; d < m->dim; d++) {
    low = fmin(low, projected[d]);
    high = fmax(high, projected[d]);
    sum += projected[d];
  }
  if (m->dim == 2) return high / low;
  return fmax(high / low, sum / (6 * cbrt(m->cell_volume[c] * m->cell_volume[c])));
}

double mesh_non_orthogonality(const mesh *m, face_id f) {
  double d[3] = {0, 0, 0};
  vec_sub(m->dim, cell_at(m, m->face_right[f]), cell_at(m, m->face_left[f]), d);
  double length = vec_norm(m->dim, d);
  if (!(length > 0)) return 180;
  double cosine = vec_dot(m->dim, d, normal_of(m, f)) / length;
  return DEGREES * acos(fmax(-1, fmin(1, cosine)));
}

/* Largest distance from the face's centre to its nodes along `direction`. */
static double reach(const mesh *m, face_id f, const double *direction) {
  const double *centre = m->face_centre + (size_t)m->dim * (size_t)f;
  double far = 0, d[3] = {0, 0, 0};
  for (int32_t i = m->face_start[f]; i < m->face_start[f + 1]; i++) {
    vec_sub(m->dim, m->node_x + (size_t)m->dim * (size_t)m->face_node[i], centre, d);
    far = fmax(far, fabs(vec_dot(m->dim, d, direction)));
  }
  return far;
}

double mesh_skewness(const mesh *m, face_id f) {
  const double *normal = normal_of(m, f);
  bool inside = f < m->n_interior;
  double to_face[3] = {0, 0, 0}, across[3] = {0, 0, 0}, off[3] = {0, 0, 0};
  vec_sub(m->dim, m->face_centre + (size_t)m->dim * (size_t)f, cell_at(m, m->face_left[f]), to_face);
  double distance = vec_dot(m->dim, to_face, normal);
  if (inside) vec_sub(m->dim, cell_at(m, m->face_right[f]), cell_at(m, m->face_left[f]), across);
  else vec_add_scaled(m->dim, across, distance, normal);
  double through = vec_dot(m->dim, across, normal);
  if (through == 0) return INFINITY;
  vec_add_scaled(m->dim, off, 1, to_face);
  vec_add_scaled(m->dim, off, -distance / through, across);
  double length = vec_norm(m->dim, off);
  if (!(length > 0)) return 0;
  double least = (inside ? 0.2 : 0.4) * vec_norm(m->dim, across);
  for (int d = 0; d < m->dim; d++) off[d] /= length;
  return length / fmax(least, reach(m, f, off));
}
