/* Lines across meshes: what flows through one is what one side of it loses and the other gains, whatever the flux, if every cell lies on one side
 * of all of it. So the numbers of crossings between neighbours are differences of one number for each cell. */
#include "test_mesh_fixture.h"

#include <math.h>

#include "case/products.h"

enum { MOST_POINTS = 12, LINES = 4000 };

typedef struct line {
  case_section s;
  double point[2 * MOST_POINTS];
} line;

static uint32_t next(uint32_t *seed) { return *seed = *seed * 1664525u + 1013904223u, *seed >> 8; }

/* A cell's centre, a node, a face's centre, or next to one of them. */
static void put_point(const mesh *m, uint32_t *seed, double *x) {
  const uint32_t kind = next(seed) % 4;
  const double *at = kind < 2    ? m->cell_centre + 2 * (next(seed) % (uint32_t)m->n_cells)
                     : kind == 2 ? m->node_x + 2 * (next(seed) % (uint32_t)m->n_nodes)
                                 : m->face_centre + 2 * (next(seed) % (uint32_t)m->n_faces);
  for (int d = 0; d < 2; d++) {
    x[d] = at[d];
    if (next(seed) % 8 == 0) x[d] = nextafter(x[d], next(seed) % 2 ? 9 : -9);
  }
  if (kind == 0)
    x[next(seed) % 2] = (next(seed) % 2) ? x[0] : m->cell_centre[2 * (next(seed) % (uint32_t)m->n_cells)];
}

/* Closed, or from outside to outside; corners follow each other along one axis, or anyhow. */
static void draw(const mesh *m, uint32_t *seed, line *l) {
  const int n = 3 + (int)(next(seed) % (MOST_POINTS - 3));
  const bool closed = next(seed) % 2, stairs = next(seed) % 2;
  for (int i = 0; i < n; i++) put_point(m, seed, l->point + 2 * i);
  for (int i = 1; stairs && i < n; i++) l->point[2 * i + i % 2] = l->point[2 * (i - 1) + i % 2];
  for (int d = 0; !closed && d < 2; d++) {
    l->point[d] = d == 0 || !stairs ? -5 : l->point[2 + d];
    l->point[2 * (n - 1) + d] = 9 + d;
  }
  for (int d = 0; closed && d < 2; d++) l->point[2 * (n - 1) + d] = l->point[d];
  l->s = (case_section){.name = "gate", .n_points = n, .point = l->point};
}

static int crossings(const mesh *m, const double *values, face_id f) {
  const double *v = values + 2 * (size_t)f, *n = m->face_normal + 2 * (size_t)f;
  return (int)lround(2 * (v[0] * n[0] + v[1] * n[1]));
}

/* Numbers of cells from neighbour to neighbour; a face that does not fit fails. */
static void check_sides(const mesh *m, const double *values, uint32_t seed) {
  int *side = calloc((size_t)m->n_cells, sizeof *side);
  bool *known = calloc((size_t)m->n_cells, sizeof *known), more = true;
  assert_true(side && known);
  known[0] = true;
  while (more) {
    more = false;
    for (face_id f = 0; f < m->n_interior; f++) {
      const cell_id l = m->face_left[f], r = m->face_right[f];
      if (known[l] == known[r]) continue;
      if (known[l]) side[r] = side[l] - crossings(m, values, f);
      else side[l] = side[r] + crossings(m, values, f);
      known[l] = known[r] = more = true;
    }
  }
  for (face_id f = 0; f < m->n_interior; f++)
    if (side[m->face_left[f]] - side[m->face_right[f]] != crossings(m, values, f))
      fail_msg("line %u: face %d between cells %d and %d does not fit", seed, (int)f, (int)m->face_left[f],
               (int)m->face_right[f]);
  free(side);
  free(known);
}

static void check_lines(mesh_rectangle_options o) {
  mesh *m = make_rectangle(o);
  double *values = calloc(2 * (size_t)m->n_faces, sizeof *values);
  assert_non_null(values);
  for (uint32_t k = 1; k <= LINES; k++) {
    uint32_t seed = k * 2654435761u;
    line l;
    draw(m, &seed, &l);
    case_section_fill(&l.s, m, 2, values);
    check_sides(m, values, k);
  }
  free(values);
  mesh_destroy(&m);
}

static void lines_through_centres_and_corners(void **state) {
  (void)state;
  check_lines((mesh_rectangle_options){.x1 = 8, .y1 = 6, .nx = 8, .ny = 6, .kind = MESH_BLOCKS});
  check_lines((mesh_rectangle_options){.x1 = 1, .y1 = 1, .nx = 7, .ny = 3, .kind = MESH_BLOCKS});
  check_lines((mesh_rectangle_options){.x1 = 6, .y1 = 4, .nx = 6, .ny = 4});
  check_lines(
      (mesh_rectangle_options){.x1 = 1, .y1 = 1, .nx = 5, .ny = 3, .diagonal = MESH_DIAGONAL_ALTERNATING});
  check_lines((mesh_rectangle_options){.x1 = 6, .y1 = 4, .nx = 6, .ny = 4, .jitter = 0.3, .seed = 7});
}

/* A straight line through centres has them to its left, whichever way it goes. */
static void straight_lines(void **state) {
  (void)state;
  mesh *m = make_rectangle((mesh_rectangle_options){.x1 = 4, .y1 = 4, .nx = 4, .ny = 4, .kind = MESH_BLOCKS});
  double values[2 * 40], *x = m->cell_centre;
  assert_true(m->n_faces == 40);
  static const double way[8][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
  for (int w = 0; w < 8; w++) {
    const double *u = way[w];
    line l = {.point = {1.5 - 9 * u[0], 1.5 - 9 * u[1], 1.5 + 9 * u[0], 1.5 + 9 * u[1]}};
    l.s = (case_section){.name = "gate", .n_points = 2, .point = l.point};
    assert_true(case_section_fill(&l.s, m, 2, values) > 0);
    for (face_id f = 0; f < m->n_interior; f++) {
      const double *p = x + 2 * (size_t)m->face_left[f], *q = x + 2 * (size_t)m->face_right[f];
      const bool p_left = u[0] * (p[1] - 1.5) - u[1] * (p[0] - 1.5) >= 0,
                 q_left = u[0] * (q[1] - 1.5) - u[1] * (q[0] - 1.5) >= 0;
      assert_int_equal(crossings(m, values, f), p_left - q_left);
    }
  }
  mesh_destroy(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lines_through_centres_and_corners),
                                     cmocka_unit_test(straight_lines)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
