#include "mesh/inside.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "mesh/shape.h"
#include "mesh/vector.h"

static const double *node_at(const mesh *m, node_id k) { return m->node_x + (size_t)m->dim * (size_t)k; }

void mesh_cell_box(const mesh *m, cell_id c, double low[3], double high[3]) {
  const node_id *node = m->cell_node + m->cell_start[c];
  const int n = m->cell_start[c + 1] - m->cell_start[c];
  for (int d = 0; d < 3; d++) low[d] = high[d] = d < m->dim ? node_at(m, node[0])[d] : 0;
  for (int i = 1; i < n; i++)
    for (int d = 0; d < m->dim; d++) {
      low[d] = fmin(low[d], node_at(m, node[i])[d]);
      high[d] = fmax(high[d], node_at(m, node[i])[d]);
    }
}

double mesh_cell_slack(const mesh *m, cell_id c) {
  double low[3], high[3], far = 0;
  mesh_cell_box(m, c, low, high);
  for (int d = 0; d < m->dim; d++) far = fmax(far, fmax(fabs(low[d]), fabs(high[d])));
  return 1e-12 * pow(m->cell_volume[c], 1.0 / m->dim) + 4 * DBL_EPSILON * far;
}

/* ---- distances --------------------------------------------------------------------------------------------------------------- */

double mesh_square_to_edge(int dim, const double *a, const double *b, const double *x) {
  double ab[3], ax[3];
  vec_sub(dim, b, a, ab);
  vec_sub(dim, x, a, ax);
  const double length = vec_dot(dim, ab, ab);
  const double s = length > 0 ? fmin(fmax(vec_dot(dim, ab, ax) / length, 0), 1) : 0;
  vec_add_scaled(dim, ax, -s, ab);
  return vec_dot(dim, ax, ax);
}

/* Is the foot of the perpendicular on the inner side of edge a-b of the triangle with this normal? */
static bool is_inside(const double *a, const double *b, const double *normal, const double *x) {
  double ab[3], ax[3], across[3];
  vec_sub(3, b, a, ab);
  vec_sub(3, x, a, ax);
  vec_cross(ab, ax, across);
  return vec_dot(3, across, normal) >= 0;
}

double mesh_square_to_triangle(const double *a, const double *b, const double *c, const double *x) {
  double ab[3], ac[3], normal[3], ax[3];
  vec_sub(3, b, a, ab);
  vec_sub(3, c, a, ac);
  vec_cross(ab, ac, normal);
  const double area = vec_dot(3, normal, normal);
  if (area > 0 && is_inside(a, b, normal, x) && is_inside(b, c, normal, x) && is_inside(c, a, normal, x)) {
    vec_sub(3, x, a, ax);
    const double height = vec_dot(3, ax, normal);
    return height * height / area;
  }
  const double ab2 = mesh_square_to_edge(3, a, b, x), bc2 = mesh_square_to_edge(3, b, c, x);
  return fmin(fmin(ab2, bc2), mesh_square_to_edge(3, c, a, x));
}

/* ---- windings ---------------------------------------------------------------------------------------------------------------- */

/* Whether the edge from a to b crosses the ray from (x, y) to the right, in the plane of x and y: 1 upwards, -1 downwards. Edges are half
 * open and are always followed upwards, so that all that share an edge, whichever way round, get the same answer. */
static int edge_crosses(const double *a, const double *b, const double *x) {
  const bool up = a[1] <= x[1] && x[1] < b[1], down = b[1] <= x[1] && x[1] < a[1];
  const double *low = up ? a : b, *high = up ? b : a;
  if (!up && !down) return 0;
  const double to_left = (high[0] - low[0]) * (x[1] - low[1]) - (x[0] - low[0]) * (high[1] - low[1]);
  return to_left > 0 ? (up ? 1 : -1) : 0;
}

/* The same of a triangle and the ray upwards, along z: 1 if it leaves by the triangle's front. */
static int triangle_crosses(const double *a, const double *b, const double *c, const double *x) {
  const int around = edge_crosses(a, b, x) + edge_crosses(b, c, x) + edge_crosses(c, a, x);
  double to_a[3], to_b[3], to_c[3], normal[3];
  if (!around) return 0;
  vec_sub(3, a, x, to_a);
  vec_sub(3, b, x, to_b);
  vec_sub(3, c, x, to_c);
  vec_cross(to_b, to_c, normal);
  return around * vec_dot(3, to_a, normal) > 0 ? around : 0;
}

/* ---- polygons ---------------------------------------------------------------------------------------------------------------- */

static bool polygon_holds(const mesh *m, cell_id cell, const double *x, double slack) {
  const node_id *node = m->cell_node + m->cell_start[cell];
  const int n = m->cell_start[cell + 1] - m->cell_start[cell];
  int winding = 0;
  for (int i = 0; i < n; i++) {
    const double *a = node_at(m, node[i]), *b = node_at(m, node[(i + 1) % n]);
    if (mesh_square_to_edge(2, a, b, x) <= slack * slack) return true;
    winding += edge_crosses(a, b, x);
  }
  return winding > 0;
}

/* ---- polyhedra --------------------------------------------------------------------------------------------------------------- */

/* The triangles of a face, in the order of the face's nodes: all of it belongs to the face, nothing to the cell that asks. */
typedef struct fan {
  int n;
  const double *corner[MESH_MAX_SIDE_NODES];
  double tip[3];
} fan;

static fan fan_of(const mesh *m, face_id f) {
  fan out = {.n = m->face_start[f + 1] - m->face_start[f]};
  for (int i = 0; i < out.n; i++) out.corner[i] = node_at(m, m->face_node[m->face_start[f] + i]);
  for (int d = 0; d < 3; d++) {
    double sum = 0;
    for (int i = 0; i < out.n; i++) sum += out.corner[i][d] - out.corner[0][d];
    out.tip[d] = out.corner[0][d] + sum / out.n;
  }
  if (out.n == 3) memcpy(out.tip, out.corner[2], sizeof out.tip), out.n = 1;
  return out;
}

static bool polyhedron_holds(const mesh *m, cell_id cell, const double *x, double slack) {
  int winding = 0;
  for (int32_t s = m->sides.start[cell]; s < m->sides.start[cell + 1]; s++) {
    const face_id f = m->sides.face[s];
    const int outward = m->face_left[f] == cell ? 1 : -1;
    const fan of = fan_of(m, f);
    for (int i = 0; i < of.n; i++) {
      const double *a = of.corner[i], *b = of.corner[of.n == 1 ? 1 : (i + 1) % of.n];
      if (mesh_square_to_triangle(of.tip, a, b, x) <= slack * slack) return true;
      winding += outward * triangle_crosses(of.tip, a, b, x);
    }
  }
  return winding > 0;
}

bool mesh_cell_holds(const mesh *m, cell_id cell, const double *x, double slack) {
  double low[3], high[3];
  mesh_cell_box(m, cell, low, high);
  for (int d = 0; d < m->dim; d++)
    if (!(x[d] >= low[d] - slack && x[d] <= high[d] + slack)) return false;
  return m->dim == 2 ? polygon_holds(m, cell, x, slack) : polyhedron_holds(m, cell, x, slack);
}
