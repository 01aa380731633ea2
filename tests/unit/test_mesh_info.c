/* Reports of mesh quality and the location of points. */
#include "test_mesh_fixture.h"

#include <math.h>

#include "mesh/gmsh/gmsh.h"
#include "mesh/info.h"
#include "mesh/locate.h"
#include "mesh/random.h"
#include "mesh/renumber.h"

static mesh *read_good(const char *text) {
  ew_error err;
  mesh *m;
  assert_fine(mesh_read_gmsh_memory(text, strlen(text), "t.msh", &m, &err), &err);
  assert_valid(m);
  return m;
}

static mesh_info *info_of(const mesh *m) {
  ew_error err;
  mesh_info *info;
  assert_fine(mesh_info_create(m, &info, &err), &err);
  return info;
}

static char *printed(const mesh_info *info) {
  char *text = NULL;
  size_t n;
  FILE *f = open_memstream(&text, &n);
  assert_non_null(f);
  mesh_info_print(info, f);
  fclose(f);
  return text;
}

static void a_perfect_grid(void **state) {
  (void)state;
  mesh *m = make_rectangle(
      (mesh_rectangle_options){.x1 = 4, .y1 = 2, .nx = 4, .ny = 4, .kind = MESH_BLOCKS, .periodic_x = true});
  mesh_info *info = info_of(m);
  assert_int_equal(info->n_cells_of_type[MESH_QUAD], 16);
  assert_near(info->quality.max_aspect_ratio, 2, 1e-14);
  assert_near(info->quality.max_non_orthogonality, 0, 1e-5);
  assert_near(info->quality.max_skewness, 0, 1e-14);
  assert_near(info->quality.min_volume, 0.5, 1e-14);
  assert_near(info->quality.total_volume, 8, 1e-14);
  assert_near(info->quality.min_area, 0.5, 1e-14);
  assert_near(info->quality.max_area, 1, 1e-14);
  assert_int_equal(info->bandwidth, 4);
  assert_int_equal(info->odd.n_connected, 1);
  assert_near(info->patch[2].area, 4, 1e-14);
  char *text = printed(info);
  assert_contains(text, "Mesh OK.");
  assert_contains(text, "quadrangles:  16");
  assert_contains(text, "Overall domain bounding box (0 0) (4 2)");
  assert_contains(text, "left              4  2  (periodic)");
  free(text);
  mesh_info_destroy(&info);
  assert_null(info);
  mesh_destroy(&m);
}

/* Two right triangles over the diagonal of a square: centres (2/3, 1/3) and (1/3, 2/3), joined at a right
 * angle. Parallelograms sheared by s have the angle atan(s) between normals and centre lines across their
 * slanted face. */
static void known_angles(void **state) {
  (void)state;
  mesh *m = make_rectangle((mesh_rectangle_options){.x1 = 1, .y1 = 1, .nx = 1, .ny = 1});
  mesh_info *info = info_of(m);
  assert_near(info->quality.max_non_orthogonality, 0, 1e-5);
  mesh_info_destroy(&info);
  mesh_destroy(&m);
  m = read_good("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 2 0 0\n4 3 1 0\n5 4 1 "
                "0\n6 5 1 0\n$EndNodes\n"
                "$Elements\n2\n1 3 0 1 2 5 4\n2 3 0 2 3 6 5\n$EndElements\n");
  info = info_of(m);
  assert_near(info->quality.max_non_orthogonality, atan(3) * 180 / acos(-1), 1e-10);
  assert_near(info->quality.mean_non_orthogonality, info->quality.max_non_orthogonality, 0);
  assert_int_equal(info->quality.n_severe_non_orthogonal, 1);
  assert_int_equal(info->quality.worst_non_orthogonal_face, 0);
  /* The foot of the centre on the bottom lies 1.5 beside its middle; the face reaches 0.5. */
  assert_near(info->quality.max_skewness, 3, 1e-12);
  char *text = printed(info);
  assert_contains(text, "*Number of severely non-orthogonal (> 70 degrees) faces: 1 (worst: face 0).");
  assert_contains(text, "Mesh usable, 1 warning (marked *).");
  free(text);
  mesh_info_destroy(&info);
  mesh_destroy(&m);
}

static void a_cube_and_a_plate(void **state) {
  (void)state;
  mesh *m =
      make_box((mesh_box_options){.x1 = 1, .y1 = 1, .z1 = 1, .nx = 2, .ny = 2, .nz = 2, .kind = MESH_BLOCKS});
  mesh_info *info = info_of(m);
  assert_near(info->quality.max_aspect_ratio, 1, 1e-12);
  mesh_info_destroy(&info);
  mesh_destroy(&m);
  m = make_box(
      (mesh_box_options){.x1 = 1, .y1 = 1, .z1 = 1e-4, .nx = 1, .ny = 1, .nz = 1, .kind = MESH_BLOCKS});
  info = info_of(m);
  assert_near(info->quality.max_aspect_ratio, 1e4, 1e-6);
  char *text = printed(info);
  assert_contains(text, "*Max aspect ratio = 10000, more than 1000 (cell 0).");
  free(text);
  mesh_info_destroy(&info);
  mesh_destroy(&m);
}

static void separate_parts_and_regions(void **state) {
  (void)state;
  mesh *m =
      read_good("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n2 4 \"one\"\n$EndPhysicalNames\n"
                "$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 3 0 0\n5 5 0 0\n6 3 2 0\n$EndNodes\n"
                "$Elements\n2\n1 2 1 4 1 2 3\n2 2 1 3 4 5 6\n$EndElements\n");
  mesh_info *info = info_of(m);
  assert_int_equal(info->odd.n_connected, 2);
  assert_int_equal(info->n_regions, 2);
  assert_string_equal(info->region[0].name, "region_3");
  assert_string_equal(info->region[1].name, "one");
  assert_near(info->region[0].volume, 2, 1e-14);
  assert_int_equal(info->region[1].n_cells, 1);
  char *text = printed(info);
  assert_contains(text, "*Number of regions: 2.");
  free(text);
  mesh_info_destroy(&info);
  mesh_destroy(&m);
}

/* Every point inside is in the cell found: checked against all cells, by the signs of all sides. */
static bool inside(const mesh *m, cell_id c, const double *x) {
  for (int32_t s = m->sides.start[c]; s < m->sides.start[c + 1]; s++) {
    face_id f = m->sides.face[s];
    double distance = 0;
    for (int d = 0; d < m->dim; d++)
      distance += (x[d] - m->face_centre[m->dim * f + d]) * m->face_normal[m->dim * f + d];
    if ((m->face_left[f] == c ? distance : -distance) > 1e-13) return false;
  }
  return true;
}

static void locate_everywhere(const mesh *m, const double *low, const double *high) {
  ew_error err;
  mesh_locator *locator;
  uint64_t random = random_seed(1);
  assert_fine(mesh_locator_create(m, &locator, &err), &err);
  for (int i = 0; i < 2000; i++) {
    double x[3] = {0, 0, 0};
    cell_id c;
    for (int d = 0; d < m->dim; d++) x[d] = low[d] + (high[d] - low[d]) * (random_signed(&random) + 1) / 2;
    assert_true(mesh_find_cell(locator, x, &c));
    assert_true(inside(m, c, x));
  }
  for (cell_id c = 0; c < m->n_cells; c++) {
    cell_id found;
    assert_true(mesh_find_cell(locator, m->cell_centre + m->dim * c, &found));
    assert_int_equal(found, c);
  }
  mesh_locator_destroy(&locator);
  assert_null(locator);
}

static void points_are_located(void **state) {
  (void)state;
  ew_error err;
  static const double low[3] = {0, 0, 0}, high[3] = {2, 1, 1}, thin[3] = {2, 1, 1e-5};
  mesh *m = make_rectangle((mesh_rectangle_options){.x1 = 2, .y1 = 1, .nx = 9, .ny = 7, .jitter = 0.4});
  assert_fine(mesh_renumber(m, MESH_CELLS_RANDOM, MESH_FACES_RANDOM, 1, &err), &err);
  locate_everywhere(m, low, high);
  mesh_destroy(&m);
  m = make_box((mesh_box_options){.x1 = 2, .y1 = 1, .z1 = 1, .nx = 4, .ny = 3, .nz = 3, .jitter = 0.4});
  locate_everywhere(m, low, high);
  mesh_destroy(&m);
  m = make_box(
      (mesh_box_options){.x1 = 2, .y1 = 1, .z1 = 1e-5, .nx = 30, .ny = 20, .nz = 1, .kind = MESH_BLOCKS});
  locate_everywhere(m, low, thin);
  mesh_destroy(&m);
}

static void points_outside_and_on_faces(void **state) {
  (void)state;
  ew_error err;
  mesh_locator *locator;
  mesh *m = make_rectangle((mesh_rectangle_options){.x1 = 4, .y1 = 4, .nx = 4, .ny = 4, .kind = MESH_BLOCKS});
  assert_fine(mesh_locator_create(m, &locator, &err), &err);
  cell_id c;
  assert_false(mesh_find_cell(locator, (double[]){-5, 2.4}, &c));
  assert_int_equal(c, 0);
  assert_false(mesh_find_cell(locator, (double[]){1e300, 1e300}, &c));
  assert_false(mesh_find_cell(locator, (double[]){NAN, 0}, &c));
  assert_true(mesh_find_cell(locator, (double[]){2, 2}, &c)); /* the corner of cells 5, 6, 9, 10 */
  assert_int_equal(c, 5);
  assert_true(mesh_find_cell(locator, (double[]){4, 4}, &c));
  assert_int_equal(c, 15);
  assert_true(mesh_find_cell(locator, (double[]){0, 0}, &c));
  assert_int_equal(c, 0);
  mesh_locator_destroy(&locator);
  mesh_destroy(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_perfect_grid),     cmocka_unit_test(known_angles),
      cmocka_unit_test(a_cube_and_a_plate), cmocka_unit_test(separate_parts_and_regions),
      cmocka_unit_test(points_are_located), cmocka_unit_test(points_outside_and_on_faces),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
