/* Small vectors of dim = 2 or 3 components. */
#ifndef EW_MESH_VECTOR_H
#define EW_MESH_VECTOR_H

#include <math.h>

static inline double vec_dot(int dim, const double *a, const double *b) {
  double sum = 0;
  for (int d = 0; d < dim; d++) sum += a[d] * b[d];
  return sum;
}

static inline double vec_norm(int dim, const double *a) { return sqrt(vec_dot(dim, a, a)); }

static inline void vec_sub(int dim, const double *a, const double *b, double *out) {
  for (int d = 0; d < dim; d++) out[d] = a[d] - b[d];
}

/* a += s * b */
static inline void vec_add_scaled(int dim, double *a, double s, const double *b) {
  for (int d = 0; d < dim; d++) a[d] += s * b[d];
}

static inline double vec_distance(int dim, const double *a, const double *b) {
  double c[3] = {0, 0, 0};
  vec_sub(dim, a, b, c);
  return vec_norm(dim, c);
}

static inline void vec_cross(const double *a, const double *b, double *out) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

#endif
