/* Generated meshes: counts, numbering, geometry, periodic sides, and that the invariants notice damage. */
#include "test_mesh_fixture.h"

#include <math.h>

#include "mesh/axis.h"

static void one_block_rectangles(void **state) {
  (void)state;
  mesh *m = make_rectangle((mesh_rectangle_options){.x1 = 2, .y1 = 1, .nx = 1, .ny = 1, .kind = MESH_BLOCKS});
  assert_int_equal(m->n_cells, 1);
  assert_int_equal(m->n_ghosts, 4);
  assert_int_equal(m->n_interior, 0);
  assert_near(m->cell_volume[0], 2, 1e-15);
  assert_near(m->cell_centre[0], 1, 1e-15);
  static const char *const names[] = {"left", "right", "bottom", "top"};
  for (int p = 0; p < 4; p++) assert_string_equal(m->patch[p].name, names[p]);
  static const double normal[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
  static const double ghost[4][2] = {{-1, 0.5}, {3, 0.5}, {1, -0.5}, {1, 1.5}};
  for (int f = 0; f < 4; f++)
    for (int d = 0; d < 2; d++) {
      assert_near(m->face_normal[2 * f + d], normal[f][d], 1e-15);
      assert_near(m->cell_centre[2 * (1 + f) + d], ghost[f][d], 1e-15);
    }
  mesh_destroy(&m);
  assert_null(m);
  m = make_rectangle((mesh_rectangle_options){.x1 = 1, .y1 = 1, .nx = 1, .ny = 1});
  assert_int_equal(m->n_cells, 2);
  assert_int_equal(m->n_faces, 5);
  mesh_destroy(&m);
}

static void diagonals(void **state) {
  (void)state;
  static const node_id right[12] = {0, 1, 4, 0, 4, 3, 1, 2, 5, 1, 5, 4};
  static const node_id alternating[12] = {0, 1, 4, 0, 4, 3, 1, 2, 4, 2, 5, 4};
  mesh_rectangle_options o = {.x1 = 2, .y1 = 1, .nx = 2, .ny = 1};
  mesh *m = make_rectangle(o);
  assert_memory_equal(m->cell_node, right, sizeof right);
  mesh_destroy(&m);
  o.diagonal = MESH_DIAGONAL_ALTERNATING;
  m = make_rectangle(o);
  assert_memory_equal(m->cell_node, alternating, sizeof alternating);
  mesh_destroy(&m);
}

static void rectangles_of_all_kinds(void **state) {
  (void)state;
  for (int i = 0; i < 48; i++) {
    mesh_rectangle_options o = {.x0 = -1,
                                .x1 = 2,
                                .y1 = 1,
                                .nx = 1 + i % 3 * 4,
                                .ny = 1 + i % 2 * 6,
                                .kind = i & 1 ? MESH_BLOCKS : MESH_SIMPLICES,
                                .diagonal = i & 2 ? MESH_DIAGONAL_ALTERNATING : MESH_DIAGONAL_RIGHT,
                                .jitter = i & 4 ? 0.45 : 0,
                                .periodic_x = i & 8,
                                .periodic_y = i & 16,
                                .seed = (uint64_t)i};
    mesh *m = make_rectangle(o);
    assert_int_equal(m->n_cells, o.nx * o.ny * (o.kind == MESH_BLOCKS ? 1 : 2));
    assert_near(total_volume(m), 3, 1e-12);
    assert_int_equal(m->patch[0].periodic, o.periodic_x);
    assert_int_equal(m->patch[2].periodic, o.periodic_y);
    mesh_destroy(&m);
  }
}

static void boxes_of_all_kinds(void **state) {
  (void)state;
  for (int i = 0; i < 32; i++) {
    mesh_box_options o = {.x1 = 1,
                          .y1 = 2,
                          .z0 = -1,
                          .z1 = 2,
                          .nx = 1 + i % 3,
                          .ny = 1 + i % 2 * 3,
                          .nz = 1 + i % 4,
                          .kind = i & 1 ? MESH_BLOCKS : MESH_SIMPLICES,
                          .jitter = i & 4 ? 0.45 : 0,
                          .periodic_x = i & 8,
                          .periodic_z = i & 16};
    mesh *m = make_box(o);
    assert_int_equal(m->n_cells, o.nx * o.ny * o.nz * (o.kind == MESH_BLOCKS ? 1 : 6));
    assert_near(total_volume(m), 6, 1e-11);
    assert_int_equal(m->n_patches, 6);
    mesh_destroy(&m);
  }
}

static void jitter_is_reproducible_and_keeps_the_boundary(void **state) {
  (void)state;
  mesh_rectangle_options o = {.x1 = 1, .y1 = 1, .nx = 8, .ny = 8, .jitter = 0.3, .seed = 7};
  mesh *a = make_rectangle(o), *b = make_rectangle(o);
  size_t bytes = (size_t)a->n_nodes * 2 * sizeof(double);
  assert_memory_equal(a->node_x, b->node_x, bytes);
  mesh_destroy(&b);
  o.seed = 8;
  b = make_rectangle(o);
  assert_memory_not_equal(a->node_x, b->node_x, bytes);
  mesh_destroy(&b);
  o.jitter = 0;
  b = make_rectangle(o);
  int moved = 0;
  for (node_id k = 0; k < a->n_nodes; k++) {
    double dx = fabs(a->node_x[2 * k] - b->node_x[2 * k]), x = b->node_x[2 * k], y = b->node_x[2 * k + 1];
    assert_true(dx <= 0.3 / 8);
    if (x == 0 || x == 1 || y == 0 || y == 1) assert_true(dx == 0);
    moved += dx > 0;
  }
  assert_int_equal(moved, 49);
  mesh_destroy(&a);
  mesh_destroy(&b);
}

static void stretched_axes(void **state) {
  (void)state;
  static const double xs[] = {0, 0.1, 1}, ys[] = {-1, 0, 10, 11};
  mesh *m =
      make_rectangle((mesh_rectangle_options){.nx = 2, .ny = 3, .kind = MESH_BLOCKS, .xs = xs, .ys = ys});
  assert_near(m->cell_volume[0], 0.1, 1e-15);
  assert_near(m->cell_volume[3], 9, 1e-12);
  assert_near(m->cell_centre[1], -0.5, 1e-15);
  mesh_destroy(&m);
}

/* Across a periodic side the ghost continues the lattice: centres one spacing apart. */
static void periodic_ghosts(void **state) {
  (void)state;
  mesh *m = make_rectangle(
      (mesh_rectangle_options){.x1 = 4, .y1 = 3, .nx = 4, .ny = 3, .kind = MESH_BLOCKS, .periodic_x = true});
  const mesh_patch *left = &m->patch[mesh_find_patch(m, "left")];
  assert_int_equal(left->count, 3);
  for (face_id f = left->first; f < left->first + 3; f++) {
    cell_id inside = m->face_left[f], ghost = m->face_right[f], source = m->ghost_source[f - m->n_interior];
    assert_int_equal(source, inside + 3);
    assert_near(m->cell_centre[2 * ghost], -0.5, 1e-14);
    assert_near(m->cell_centre[2 * ghost + 1], m->cell_centre[2 * inside + 1], 1e-14);
  }
  const mesh_patch *top = &m->patch[mesh_find_patch(m, "top")];
  assert_int_equal(m->ghost_source[top->first - m->n_interior], -1);
  mesh_destroy(&m);
}

static void a_cell_can_be_its_own_neighbour(void **state) {
  (void)state;
  mesh *m = make_rectangle((mesh_rectangle_options){
      .x1 = 1, .y1 = 1, .nx = 1, .ny = 1, .kind = MESH_BLOCKS, .periodic_x = true, .periodic_y = true});
  for (cell_id g = 0; g < 4; g++) assert_int_equal(m->ghost_source[g], 0);
  mesh_destroy(&m);
}

static void periodic_sides_must_match(void **state) {
  (void)state;
  ew_error err;
  static const double ys[] = {0, 0.25, 1};
  mesh *m = make_rectangle(
      (mesh_rectangle_options){.x1 = 1, .y1 = 1, .nx = 2, .ny = 2, .kind = MESH_BLOCKS, .ys = ys});
  assert_int_equal(mesh_make_periodic(m, "left", "bottom", &err), EW_INPUT);
  assert_contains(err.text,
                  "periodic patches \"left\" and \"bottom\": the face at (0, 0.125) has no partner at");
  assert_int_equal(mesh_make_periodic(m, "left", "nowhere", &err), EW_INPUT);
  assert_contains(err.text, "no patch \"nowhere\"");
  assert_int_equal(mesh_make_periodic(m, "left", "left", &err), EW_INPUT);
  assert_false(m->patch[0].periodic);
  assert_valid(m);
  assert_fine(mesh_make_periodic(m, "left", "right", &err), &err);
  assert_int_equal(mesh_make_periodic(m, "right", "left", &err), EW_INPUT);
  assert_valid(m);
  mesh_destroy(&m);
}

static void options_are_checked(void **state) {
  (void)state;
  ew_error err;
  mesh *m;
  static const double xs[] = {0, 0, 1};
  mesh_rectangle_options good = {.x1 = 1, .y1 = 1, .nx = 2, .ny = 2}, o = good;
  o.nx = 0;
  assert_int_equal(mesh_rectangle(&o, &m, &err), EW_INPUT);
  assert_contains(err.text, "rectangle: nx = 0");
  assert_null(m);
  o = good, o.x1 = -1;
  assert_int_equal(mesh_rectangle(&o, &m, &err), EW_INPUT);
  assert_contains(err.text, "x runs from 0 to -1");
  o = good, o.xs = xs;
  assert_int_equal(mesh_rectangle(&o, &m, &err), EW_INPUT);
  assert_contains(err.text, "xs[1] = 0");
  o = good, o.jitter = 0.5;
  assert_int_equal(mesh_rectangle(&o, &m, &err), EW_INPUT);
  assert_contains(err.text, "jitter = 0.5");
  o = good, o.nx = o.ny = 2000000;
  assert_int_equal(mesh_rectangle(&o, &m, &err), EW_INPUT);
  assert_contains(err.text, "too many");
  mesh_box_options huge = {.x1 = 1, .y1 = 1, .z1 = 1, .nx = 60000, .ny = 60000, .nz = 60000};
  assert_int_equal(mesh_box(&huge, &m, NULL), EW_INPUT);
}

static void larger_than_the_machine(void **state) {
  (void)state;
  ew_error err;
  assert_int_equal(mesh_check_memory(MESH_HEX, 1 << 20, 1 << 29, &err), EW_OK);
  assert_int_equal(mesh_check_memory(MESH_HEX, 200000000, 0, &err), EW_OK);
  assert_int_equal(mesh_check_memory(MESH_HEX, 1 << 21, 1 << 29, &err), EW_FAIL);
  assert_contains(err.text, "2097152 cells take at least 1.0 GiB of memory, and this machine has 0.5");
}

static void expect_damage(mesh *m, const char *message) {
  ew_error err;
  assert_int_equal(mesh_check(m, &err), EW_INTERNAL);
  assert_contains(err.text, message);
}

static void damage_is_noticed(void **state) {
  (void)state;
  mesh *m = make_rectangle((mesh_rectangle_options){.x1 = 1, .y1 = 1, .nx = 3, .ny = 3, .jitter = 0.2});
  m->face_normal[0] *= -1, m->face_normal[1] *= -1;
  expect_damage(m, "is open");
  m->face_normal[0] *= -1, m->face_normal[1] *= -1;
  m->cell_volume[2] *= 1.01;
  expect_damage(m, "its volume is wrong");
  m->cell_volume[2] /= 1.01;
  m->cell_volume[m->n_cells] *= 2;
  expect_damage(m, "volume differs from cell");
  m->cell_volume[m->n_cells] /= 2;
  m->sides.across[0] += 1;
  expect_damage(m, "across of side");
  m->sides.across[0] -= 1;
  m->face_right[m->n_interior] += 1;
  expect_damage(m, "ghost");
  m->face_right[m->n_interior] -= 1;
  m->patch[1].first += 1;
  expect_damage(m, "leaves a gap");
  m->patch[1].first -= 1;
  node_id node = m->face_node[0];
  m->face_node[0] = m->face_node[1], m->face_node[1] = node;
  expect_damage(m, "turns the wrong way");
  mesh_destroy(&m);
}

/* One number of the mesh is another; afterwards it is what it was. */
#define DAMAGED(number, value, message)                                                                      \
  do {                                                                                                       \
    __typeof__(number) before = (number);                                                                    \
    (number) = (value);                                                                                      \
    expect_damage(m, message);                                                                               \
    (number) = before;                                                                                       \
  } while (0)

static void numbers_out_of_range_are_noticed(void **state) {
  (void)state;
  ew_error err;
  mesh *m = make_rectangle((mesh_rectangle_options){.x1 = 1, .y1 = 1, .nx = 3, .ny = 3, .periodic_x = true});
  DAMAGED(m->dim, 1, "dim is 1");
  DAMAGED(m->n_ghosts, m->n_ghosts + 1, "ghosts for");
  DAMAGED(m->patch[1].count, 0, "leaves a gap");
  DAMAGED(m->patch[1].name, m->patch[0].name, "exists twice");
  DAMAGED(m->n_patches, m->n_patches - 1, "patches cover faces up to");
  DAMAGED(m->cell_start[1], 2, "wrong number of nodes");
  DAMAGED(m->sides.start[1], 2, "number of sides");
  DAMAGED(m->cell_type[0], MESH_TETRA, "wrong number of nodes");
  DAMAGED(m->cell_origin[0], -1, "origin out of range");
  DAMAGED(m->cell_origin[0], m->n_cells, "origin out of range");
  DAMAGED(m->cell_node[0], -1, "node out of range");
  DAMAGED(m->cell_node[0], m->n_nodes, "node out of range");
  DAMAGED(m->face_left[0], -1, "left cell -1 out of range");
  DAMAGED(m->face_left[0], m->n_cells, "out of range");
  DAMAGED(m->face_right[0], -1, "right cell -1");
  DAMAGED(m->face_right[0], m->n_cells, "right cell");
  DAMAGED(m->face_right[0], m->face_left[0], "right cell");
  DAMAGED(m->sides.face[0], -1, "face out of range");
  DAMAGED(m->sides.face[0], m->n_faces, "face out of range");
  DAMAGED(m->sides.face[0], m->n_faces - 1, "does not name it");
  DAMAGED(m->face_start[m->sides.face[0] + 1], m->face_start[m->sides.face[0]] + 3, "number of nodes");
  DAMAGED(m->face_node[m->face_start[m->sides.face[0]]], m->n_nodes - 1, "has not the nodes");
  DAMAGED(m->face_area[0], 0, "has area 0");
  DAMAGED(m->face_area[0], INFINITY, "has area inf");
  DAMAGED(m->face_normal[0], 2, "its normal has length");
  DAMAGED(m->face_centre[1], NAN, "face 0: centre");
  DAMAGED(m->cell_volume[m->n_cells], 0, "has volume 0");
  DAMAGED(m->cell_volume[m->n_cells], INFINITY, "has volume inf");
  DAMAGED(m->cell_centre[2 * m->n_cells], NAN, "centre");
  DAMAGED(m->ghost_source[0], -1, "ghost source");
  DAMAGED(m->ghost_source[0], m->n_cells, "ghost source");
  DAMAGED(m->ghost_source[m->n_ghosts - 1], 0, "ghost source 0");
  assert_int_equal(mesh_check(m, &err), EW_OK);
  mesh_destroy(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_block_rectangles),
      cmocka_unit_test(diagonals),
      cmocka_unit_test(rectangles_of_all_kinds),
      cmocka_unit_test(boxes_of_all_kinds),
      cmocka_unit_test(jitter_is_reproducible_and_keeps_the_boundary),
      cmocka_unit_test(stretched_axes),
      cmocka_unit_test(periodic_ghosts),
      cmocka_unit_test(a_cell_can_be_its_own_neighbour),
      cmocka_unit_test(periodic_sides_must_match),
      cmocka_unit_test(options_are_checked),
      cmocka_unit_test(larger_than_the_machine),
      cmocka_unit_test(damage_is_noticed),
      cmocka_unit_test(numbers_out_of_range_are_noticed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
