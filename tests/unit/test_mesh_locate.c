/* Every point inside of a mesh lies in exactly one of its cells, whatever their kind and however warped: random points in random meshes. */
#include "test_mesh_fixture.h"

#include <math.h>

#include "case/sample.h"
#include "mesh/gmsh/gmsh.h"
#include "mesh/inside.h"
#include "mesh/locate.h"
#include "mesh/random.h"

enum { POINTS = 600 };

static double uniform(uint64_t *random) { return (random_signed(random) + 1) / 2; }

/* Cells that hold x, taken by themselves and without any slack. */
static int count_holders(const mesh *m, const double *x) {
  int n = 0;
  for (cell_id c = 0; c < m->n_cells; c++) n += mesh_cell_holds(m, c, x, 0);
  return n;
}

static void expect_found(const mesh *m, const mesh_locator *l, const double *x, const char *what) {
  cell_id found;
  if (!mesh_find_cell(l, x, &found))
    fail_msg("%s (%.17g, %.17g, %.17g) is outside of the mesh", what, x[0], x[1], x[2]);
  for (cell_id c = 0; c < found; c++) /* the lowest number wins */
    if (mesh_cell_holds(m, c, x, mesh_cell_slack(m, c))) fail_msg("%s: cell %d before %d", what, c, found);
  assert_true(mesh_cell_holds(m, found, x, mesh_cell_slack(m, found)));
}

static void random_points(const mesh *m, const mesh_locator *l, const double *low, const double *high) {
  uint64_t random = random_seed(7);
  for (int i = 0; i < POINTS; i++) {
    double x[3] = {0, 0, 0};
    for (int d = 0; d < m->dim; d++) x[d] = low[d] + (high[d] - low[d]) * uniform(&random);
    expect_found(m, l, x, "a random point");
    if (count_holders(m, x) != 1)
      fail_msg("%d cells hold (%.17g, %.17g, %.17g)", count_holders(m, x), x[0], x[1], x[2]);
  }
}

/* Nodes, the middles of edges, the middles of faces. */
static void special_points(const mesh *m, const mesh_locator *l) {
  for (node_id k = 0; k < m->n_nodes; k++) {
    double x[3] = {0, 0, 0};
    memcpy(x, m->node_x + (size_t)m->dim * (size_t)k, (size_t)m->dim * sizeof *x);
    expect_found(m, l, x, "a node");
  }
  for (face_id f = 0; f < m->n_faces; f++) {
    const int n = m->face_start[f + 1] - m->face_start[f];
    const node_id *node = m->face_node + m->face_start[f];
    double mean[3] = {0, 0, 0};
    for (int i = 0; i < n; i++) {
      double middle[3] = {0, 0, 0};
      for (int d = 0; d < m->dim; d++) {
        const double a = m->node_x[m->dim * node[i] + d], b = m->node_x[m->dim * node[(i + 1) % n] + d];
        middle[d] = (a + b) / 2;
        mean[d] += a / n;
      }
      expect_found(m, l, middle, "the middle of an edge");
    }
    expect_found(m, l, mean, "the middle of a face");
  }
}

/* by_polygon of the cells of a plane mesh: the first that holds a point is the cell that is found. */
static void expect_piece(const mesh *m, const mesh_locator *l, exec_sampler *s, const double *x) {
  ew_error err;
  double value;
  cell_id c;
  assert_true(mesh_find_cell(l, x, &c));
  assert_fine(exec_sample(s, m->dim, x, 0, &value, &err), &err);
  if (value != c) fail_msg("polygon %g, but cell %d at (%.17g, %.17g)", value, c, x[0], x[1]);
}

static void pieces_of_cells(const mesh *m, const mesh_locator *l) {
  ew_error err;
  uint64_t random = random_seed(11);
  case_piece *piece = calloc((size_t)m->n_cells, sizeof *piece);
  double *point = malloc((size_t)m->cell_start[m->n_cells] * 2 * sizeof *point);
  for (int32_t i = 0; i < m->cell_start[m->n_cells]; i++)
    memcpy(point + 2 * i, m->node_x + 2 * m->cell_node[i], 2 * sizeof *point);
  for (cell_id c = 0; c < m->n_cells; c++)
    piece[c] = (case_piece){.point = point + 2 * m->cell_start[c],
                            .n_points = m->cell_start[c + 1] - m->cell_start[c],
                            .number = c};
  char name[] = "n";
  const ew_case nothing = {0};
  const case_value value = {
      .name = name, .kind = CASE_PIECES, .n = 1, .piece = piece, .n_pieces = m->n_cells};
  exec_sampler *s;
  assert_fine(exec_sampler_create(&nothing, &value, 1, &s, &err), &err);
  for (node_id k = 0; k < m->n_nodes; k++) expect_piece(m, l, s, m->node_x + 2 * k);
  for (face_id f = 0; f < m->n_faces; f++) expect_piece(m, l, s, m->face_centre + 2 * f);
  for (int i = 0; i < POINTS; i++) {
    const face_id f = (face_id)(m->n_faces * uniform(&random)) % m->n_faces;
    const cell_id c = m->face_left[f];
    const double part = uniform(&random); /* somewhere between a face's middle and its cell's */
    double x[2];
    for (int d = 0; d < 2; d++)
      x[d] = part * m->face_centre[2 * f + d] + (1 - part) * m->cell_centre[2 * c + d];
    expect_piece(m, l, s, x);
  }
  exec_sampler_destroy(&s);
  free(piece);
  free(point);
}

static void locate_in(mesh *m, const double *low, const double *high) {
  ew_error err;
  mesh_locator *l;
  assert_fine(mesh_locator_create(m, &l, &err), &err);
  random_points(m, l, low, high);
  special_points(m, l);
  if (m->dim == 2) pieces_of_cells(m, l);
  mesh_locator_destroy(&l);
  mesh_destroy(&m);
}

/* ---- what the generators make --------------------------------------------------------------------------------------------------- */

static void generated_meshes(void **state) {
  (void)state;
  for (int kind = 0; kind < 2; kind++)
    for (int seed = 1; seed <= 3; seed++) {
      const mesh_rectangle_options plane = {.x1 = 2,
                                            .y1 = 1,
                                            .nx = 7,
                                            .ny = 6,
                                            .jitter = 0.45,
                                            .seed = (uint64_t)seed,
                                            .kind = kind ? MESH_BLOCKS : MESH_SIMPLICES};
      const mesh_box_options box = {.x1 = 2,
                                    .y1 = 1,
                                    .z1 = 1,
                                    .nx = 4,
                                    .ny = 3,
                                    .nz = 3,
                                    .jitter = 0.45,
                                    .seed = (uint64_t)seed,
                                    .kind = kind ? MESH_BLOCKS : MESH_SIMPLICES};
      locate_in(make_rectangle(plane), (double[]){0, 0}, (double[]){2, 1});
      locate_in(make_box(box), (double[]){0, 0, 0}, (double[]){2, 1, 1});
    }
}

/* Coordinates as in UTM, where rounding is a thousandth of a millionth of a cell. */
static void far_from_the_origin(void **state) {
  (void)state;
  const double x = 3512345.5, y = 5567890.25, z = 4000000.125;
  for (int kind = 0; kind < 2; kind++) {
    const int blocks = kind ? MESH_BLOCKS : MESH_SIMPLICES;
    locate_in(
        make_rectangle((mesh_rectangle_options){
            .x0 = x, .x1 = x + 100, .y0 = y, .y1 = y + 100, .nx = 9, .ny = 8, .jitter = 0.3, .kind = blocks}),
        (double[]){x, y}, (double[]){x + 100, y + 100});
    locate_in(make_box((mesh_box_options){.x0 = x,
                                          .x1 = x + 10,
                                          .y0 = y,
                                          .y1 = y + 10,
                                          .z0 = z,
                                          .z1 = z + 10,
                                          .nx = 4,
                                          .ny = 3,
                                          .nz = 3,
                                          .jitter = 0.3,
                                          .kind = blocks}),
              (double[]){x, y, z}, (double[]){x + 10, y + 10, z + 10});
  }
}

/* ---- what files may hold -------------------------------------------------------------------------------------------------------------- */

enum { SIDE = 4, ALONG = SIDE + 1 };

typedef struct drawn {
  FILE *out;
  uint64_t random;
  int n_cells;
  char *elements;
  size_t size;
  FILE *element;
} drawn;

static void start(drawn *d, uint64_t seed) {
  *d = (drawn){.random = random_seed(seed)};
  d->element = open_memstream(&d->elements, &d->size);
}

static void element(drawn *d, int type, int n, const int *node) {
  fprintf(d->element, "%d %d 2 1 1", ++d->n_cells, type);
  for (int i = 0; i < n; i++) fprintf(d->element, " %d", node[i] + 1);
  fputc('\n', d->element);
}

static mesh *finish(drawn *d, double (*x)[3], int n) {
  char *text = NULL;
  size_t size;
  ew_error err;
  mesh *m;
  FILE *out = open_memstream(&text, &size);
  fclose(d->element);
  fprintf(out, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%d\n", n);
  for (int i = 0; i < n; i++) fprintf(out, "%d %.17g %.17g %.17g\n", i + 1, x[i][0], x[i][1], x[i][2]);
  fprintf(out, "$EndNodes\n$Elements\n%d\n%s$EndElements\n", d->n_cells, d->elements);
  fclose(out);
  assert_fine(mesh_read_gmsh_memory(text, size, "drawn.msh", &m, &err), &err);
  assert_valid(m);
  free(text);
  free(d->elements);
  return m;
}

/* Each square as two non-convex quadrangles: a polyline of three points from corner to corner parts it. */
static mesh *darts(uint64_t seed) {
  drawn d;
  static double x[ALONG * ALONG + SIDE * SIDE][3];
  int n = ALONG * ALONG;
  start(&d, seed);
  for (int i = 0; i < ALONG * ALONG; i++)
    x[i][0] = (double)(i % ALONG) / SIDE, x[i][1] = (double)(i / ALONG) / SIDE, x[i][2] = 0;
  for (int j = 0; j < SIDE; j++)
    for (int i = 0; i < SIDE; i++) {
      const int a = j * ALONG + i, b = a + 1, c = b + ALONG, e = a + ALONG, tip = n++;
      const double u = 0.03 + 0.9 * uniform(&d.random), v = 0.03 + 0.9 * uniform(&d.random);
      const int turn = random_signed(&d.random) > 0;
      x[tip][0] = (i + u) / SIDE, x[tip][1] = (j + v) / SIDE, x[tip][2] = 0;
      element(&d, 3, 4, turn ? (int[]){a, b, c, tip} : (int[]){c, tip, a, b}); /* each corner comes first */
      element(&d, 3, 4, turn ? (int[]){tip, c, e, a} : (int[]){e, a, tip, c});
    }
  return finish(&d, x, n);
}

static void quadrangles_that_are_not_convex(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 20; seed++) locate_in(darts(seed), (double[]){0, 0}, (double[]){1, 1});
}

/* A cube of hexahedra, prisms and pyramids with all inner nodes moved: faces of four nodes are warped. Columns keep their kind, as faces
 * must fit; the tops of pyramids lie in the cubes' middles. */
static void fill_cube(drawn *d, const int a[8], int kind, int middle) {
  static const int side[6][4] = {{0, 1, 2, 3}, {7, 6, 5, 4}, {4, 5, 1, 0},
                                 {5, 6, 2, 1}, {6, 7, 3, 2}, {7, 4, 0, 3}};
  if (kind == 0) element(d, 5, 8, a);
  if (kind == 1) {
    element(d, 6, 6, (int[]){a[0], a[1], a[2], a[4], a[5], a[6]});
    element(d, 6, 6, (int[]){a[0], a[2], a[3], a[4], a[6], a[7]});
  }
  for (int s = 0; kind == 2 && s < 6; s++)
    element(d, 7, 5, (int[]){a[side[s][0]], a[side[s][1]], a[side[s][2]], a[side[s][3]], middle});
}

static mesh *warped(uint64_t seed) {
  drawn d;
  static double x[ALONG * ALONG * ALONG + SIDE * SIDE * SIDE][3];
  int n = ALONG * ALONG * ALONG, kind[SIDE * SIDE];
  start(&d, seed);
  for (int i = 0; i < n; i++) {
    const int at[3] = {i % ALONG, i / ALONG % ALONG, i / (ALONG * ALONG)};
    for (int k = 0; k < 3; k++)
      x[i][k] = (at[k] + (at[k] % SIDE ? 0.2 * random_signed(&d.random) : 0)) / SIDE; /* sides stay plane */
  }
  for (int i = 0; i < SIDE * SIDE; i++) kind[i] = (int)(3 * uniform(&d.random)) % 3;
  for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
    const int at = i % SIDE + ALONG * (i / SIDE % SIDE) + ALONG * ALONG * (i / (SIDE * SIDE));
    const int up = ALONG * ALONG;
    const int a[8] = {at,      at + 1,      at + 1 + ALONG,      at + ALONG,
                      at + up, at + 1 + up, at + 1 + ALONG + up, at + ALONG + up};
    const int middle = kind[i % (SIDE * SIDE)] == 2 ? n++ : -1;
    for (int k = 0; middle >= 0 && k < 3; k++) {
      x[middle][k] = 0;
      for (int c = 0; c < 8; c++) x[middle][k] += x[a[c]][k] / 8;
    }
    fill_cube(&d, a, kind[i % (SIDE * SIDE)], middle);
  }
  return finish(&d, x, n);
}

static void warped_faces(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 6; seed++)
    locate_in(warped(seed), (double[]){0, 0, 0}, (double[]){1, 1, 1});
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(generated_meshes),
      cmocka_unit_test(far_from_the_origin),
      cmocka_unit_test(quadrangles_that_are_not_convex),
      cmocka_unit_test(warped_faces),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
