#include "mesh/shape.h"

#include "mesh/vector.h"

static const mesh_shape shapes[MESH_N_CELL_TYPES] = {
    [MESH_TRIANGLE] = {.name = "triangle",
                       .plural = "triangles",
                       .dim = 2,
                       .n_nodes = 3,
                       .n_sides = 3,
                       .n_side_nodes = {2, 2, 2},
                       .side = {{0, 1}, {1, 2}, {2, 0}},
                       .mirror = {0, 2, 1}},
    [MESH_QUAD] = {.name = "quadrangle",
                   .plural = "quadrangles",
                   .dim = 2,
                   .n_nodes = 4,
                   .n_sides = 4,
                   .n_side_nodes = {2, 2, 2, 2},
                   .side = {{0, 1}, {1, 2}, {2, 3}, {3, 0}},
                   .mirror = {0, 3, 2, 1}},
    [MESH_TETRA] = {.name = "tetrahedron",
                    .plural = "tetrahedra",
                    .dim = 3,
                    .n_nodes = 4,
                    .n_sides = 4,
                    .n_side_nodes = {3, 3, 3, 3},
                    .side = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}},
                    .mirror = {0, 2, 1, 3}},
    [MESH_HEX] =
        {.name = "hexahedron",
         .plural = "hexahedra",
         .dim = 3,
         .n_nodes = 8,
         .n_sides = 6,
         .n_side_nodes = {4, 4, 4, 4, 4, 4},
         .side = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}},
         .mirror = {0, 3, 2, 1, 4, 7, 6, 5}},
    [MESH_PRISM] = {.name = "prism",
                    .plural = "prisms",
                    .dim = 3,
                    .n_nodes = 6,
                    .n_sides = 5,
                    .n_side_nodes = {3, 3, 4, 4, 4},
                    .side = {{0, 2, 1}, {3, 4, 5}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}},
                    .mirror = {0, 2, 1, 3, 5, 4}},
    [MESH_PYRAMID] = {.name = "pyramid",
                      .plural = "pyramids",
                      .dim = 3,
                      .n_nodes = 5,
                      .n_sides = 5,
                      .n_side_nodes = {4, 3, 3, 3, 3},
                      .side = {{0, 3, 2, 1}, {0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}},
                      .mirror = {0, 3, 2, 1, 4}},
};

const mesh_shape *mesh_shape_of(int cell_type) { return &shapes[cell_type]; }

static double polygon_area(const mesh_shape *shape, const node_id *node, const double *x) {
  const double *origin = x + 2 * (size_t)node[0];
  double twice = 0;
  for (int i = 1; i + 1 < shape->n_nodes; i++) {
    double a[2], b[2];
    vec_sub(2, x + 2 * (size_t)node[i], origin, a);
    vec_sub(2, x + 2 * (size_t)node[i + 1], origin, b);
    twice += a[0] * b[1] - a[1] * b[0];
  }
  return twice / 2;
}

/* Six times the volume of the pyramid over one side with its tip at `origin`. */
static double side_volume6(const int8_t *side, int n, const node_id *node, const double *x,
                           const double *origin) {
  double p[MESH_MAX_SIDE_NODES][3], middle[3] = {0, 0, 0};
  for (int i = 0; i < n; i++) {
    vec_sub(3, x + 3 * (size_t)node[side[i]], origin, p[i]);
    vec_add_scaled(3, middle, 1.0 / n, p[i]);
  }
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double c[3];
    vec_cross(p[i], p[(i + 1) % n], c);
    sum += vec_dot(3, middle, c);
  }
  return sum;
}

double mesh_signed_volume(const mesh_shape *shape, const node_id *node, const double *x) {
  if (shape->dim == 2) return polygon_area(shape, node, x);
  const double *origin = x + 3 * (size_t)node[0];
  double sum = 0;
  for (int k = 0; k < shape->n_sides; k++)
    sum += side_volume6(shape->side[k], shape->n_side_nodes[k], node, x, origin);
  return sum / 6;
}
