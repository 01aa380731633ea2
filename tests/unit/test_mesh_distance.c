/* Distances to boundaries of any shape, against many points of each face; and across periodic sides. */
#include "test_mesh_fixture.h"

#include <math.h>

#include "mesh/distance.h"
#include "mesh/random.h"

/* The nearest of points that lie densely on the faces of a patch: not nearer than the patch, and hardly farther away. */
static double nearest_sample(const mesh *m, int patch, const double *x, int n) {
  const mesh_patch *p = &m->patch[patch];
  double best = INFINITY;
  for (face_id f = p->first; f < p->first + p->count; f++) {
    const node_id *node = m->face_node + m->face_start[f];
    const int corners = m->face_start[f + 1] - m->face_start[f];
    for (int k = 0; k + m->dim <= corners; k++)
      for (int i = 0; i <= n; i++)
        for (int j = 0; j <= (m->dim == 3 ? n - i : 0); j++) {
          double sum = 0;
          for (int d = 0; d < m->dim; d++) {
            const double *a = m->node_x + m->dim * node[0], *b = m->node_x + m->dim * node[k + 1],
                         *c = m->node_x + m->dim * node[m->dim == 3 ? k + 2 : 0];
            const double at = a[d] + (b[d] - a[d]) * i / n + (m->dim == 3 ? (c[d] - a[d]) * j / n : 0);
            sum += (at - x[d]) * (at - x[d]);
          }
          best = fmin(best, sum);
        }
  }
  return sqrt(best);
}

/* The nodes of a straight mesh are moved, so that its sides are curved. */
static void bend(mesh *m) {
  for (node_id i = 0; i < m->n_nodes; i++) {
    double *x = m->node_x + m->dim * i;
    const double y = x[1], z = m->dim == 3 ? x[2] : 0;
    x[0] += 0.3 * sin(5 * y) + 0.2 * z * z;
    x[1] += 0.2 * cos(4 * x[0]) * (1 + z);
  }
}

static void compare(mesh *m, int n_samples, double spacing) {
  ew_error err;
  mesh_distance *d;
  uint64_t random = random_seed(7);
  bend(m);
  for (int patch = 0; patch < m->n_patches; patch++) {
    assert_fine(mesh_distance_create(m, &patch, 1, &d, &err), &err);
    for (int i = 0; i < 60; i++) {
      double x[3] = {0.5 + 1.5 * random_signed(&random), 0.5 + 1.5 * random_signed(&random),
                     0.5 + 1.5 * random_signed(&random)};
      const double sampled = nearest_sample(m, patch, x, n_samples), found = mesh_distance_from(d, x);
      if (!(found <= sampled * (1 + 1e-14) && found >= sampled - spacing))
        fail_msg("%.17g where points of the faces are %.17g away", found, sampled);
    }
    mesh_distance_destroy(&d);
    assert_null(d);
  }
  mesh_destroy(&m);
}

static void curved_sides(void **state) {
  (void)state;
  compare(make_rectangle((mesh_rectangle_options){.x1 = 1, .y1 = 1, .nx = 40, .ny = 37}), 200, 0.001);
  compare(make_box((mesh_box_options){.x1 = 1, .y1 = 1, .z1 = 1, .nx = 5, .ny = 4, .nz = 6}), 40, 0.02);
  compare(
      make_box((mesh_box_options){.x1 = 1, .y1 = 1, .z1 = 1, .nx = 4, .ny = 4, .nz = 4, .kind = MESH_BLOCKS}),
      40, 0.02);
}

/* Of two walls, and of the images of one wall on both sides. */
static void nearest_of_several(void **state) {
  (void)state;
  ew_error err;
  mesh_distance *d;
  mesh *m = make_rectangle((mesh_rectangle_options){.x1 = 4, .y1 = 1, .nx = 8, .ny = 2, .periodic_y = true});
  const int both[] = {0, 1};
  assert_fine(mesh_distance_create(m, both, 2, &d, &err), &err);
  assert_near(mesh_distance_from(d, (double[]){1.5, 0.25}), 1.5, 1e-15);
  assert_near(mesh_distance_from(d, (double[]){2.75, 0.25}), 1.25, 1e-15);
  mesh_distance_destroy(&d);
  /* a wall of which only the lower half is left: above it, the next image's lower end is nearer */
  m->patch[0].count = 1;
  assert_fine(mesh_distance_create(m, both, 1, &d, &err), &err);
  const double y = m->node_x[2 * m->face_node[m->face_start[m->patch[0].first]] + 1] > 0.5 ? 0.05 : 0.95;
  assert_near(mesh_distance_from(d, (double[]){0, y}), 0.05, 1e-15);
  mesh_distance_destroy(&d);
  mesh_destroy(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(curved_sides), cmocka_unit_test(nearest_of_several)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
