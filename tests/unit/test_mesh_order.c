/* Renumbering and patch order: the same mesh under other numbers. */
#include "test_mesh_fixture.h"

#include "mesh/renumber.h"

/* Sums that do not depend on numbering only if the same terms are present: sorted copies, compared bit by
 * bit. */
static int compare_doubles(const void *pa, const void *pb) {
  double a = *(const double *)pa, b = *(const double *)pb;
  return (a > b) - (a < b);
}

static double *sorted_copy(const double *values, size_t n) {
  double *copy = malloc(n * sizeof *copy + 1);
  assert_non_null(copy);
  memcpy(copy, values, n * sizeof *copy);
  qsort(copy, n, sizeof *copy, compare_doubles);
  return copy;
}

static void assert_same_set(const double *a, const double *b, size_t n) {
  double *sorted_a = sorted_copy(a, n), *sorted_b = sorted_copy(b, n);
  assert_memory_equal(sorted_a, sorted_b, n * sizeof *a);
  free(sorted_a);
  free(sorted_b);
}

/* `m` is `first`, renumbered: cell by cell through cell_origin, everything else as sets. */
static void assert_same_mesh(const mesh *first, const mesh *m) {
  assert_valid(m);
  size_t dim = (size_t)m->dim, cells = (size_t)m->n_cells, faces = (size_t)m->n_faces;
  assert_int_equal(m->n_cells, first->n_cells);
  assert_int_equal(m->n_interior, first->n_interior);
  bool *met = calloc(cells, sizeof *met);
  assert_non_null(met);
  for (cell_id c = 0; c < m->n_cells; c++) {
    cell_id old = m->cell_origin[c];
    assert_false(met[old]);
    met[old] = true;
    assert_memory_equal(m->cell_centre + dim * (size_t)c, first->cell_centre + dim * (size_t)old,
                        dim * sizeof(double));
    assert_true(m->cell_volume[c] == first->cell_volume[old]);
    assert_int_equal(m->cell_type[c], first->cell_type[old]);
    assert_int_equal(m->cell_region[c], first->cell_region[old]);
  }
  free(met);
  assert_same_set(m->face_area, first->face_area, faces);
  assert_same_set(m->face_centre, first->face_centre, faces * dim);
  assert_same_set(m->node_x, first->node_x, (size_t)m->n_nodes * dim);
  size_t ghosts = (size_t)m->n_ghosts;
  assert_same_set(m->cell_centre + dim * cells, first->cell_centre + dim * cells, dim * ghosts);
}

/* Ghosts still name the cell they named, seen through cell_origin and the place of their face. */
static void assert_same_ghosts(const mesh *first, const mesh *m) {
  for (face_id f = m->n_interior; f < m->n_faces; f++) {
    face_id old = first->n_interior;
    while (memcmp(m->face_centre + m->dim * f, first->face_centre + m->dim * old,
                  sizeof(double) * (size_t)m->dim))
      old++;
    cell_id source = m->ghost_source[f - m->n_interior],
            old_source = first->ghost_source[old - m->n_interior];
    assert_int_equal(source < 0 ? -1 : m->cell_origin[source], old_source);
    assert_memory_equal(m->cell_centre + m->dim * m->face_right[f],
                        first->cell_centre + m->dim * first->face_right[old],
                        sizeof(double) * (size_t)m->dim);
  }
}

static mesh *sample(int which) {
  if (which == 0)
    return make_rectangle((mesh_rectangle_options){
        .x1 = 1, .y1 = 1, .nx = 13, .ny = 9, .jitter = 0.4, .periodic_x = true, .periodic_y = true});
  if (which == 1)
    return make_rectangle((mesh_rectangle_options){.x1 = 1, .y1 = 1, .nx = 9, .ny = 4, .kind = MESH_BLOCKS});
  if (which == 2)
    return make_box((mesh_box_options){
        .x1 = 1, .y1 = 1, .z1 = 2, .nx = 4, .ny = 3, .nz = 3, .jitter = 0.3, .periodic_z = true});
  if (which == 3)
    return make_box((mesh_box_options){
        .x1 = 1, .y1 = 1, .z1 = 2, .nx = 4, .ny = 3, .nz = 3, .kind = MESH_BLOCKS, .jitter = 0.3});
  return make_rectangle((mesh_rectangle_options){.x1 = 1, .y1 = 1, .nx = 1, .ny = 1, .kind = MESH_BLOCKS});
}

static void every_order_keeps_the_mesh(void **state) {
  (void)state;
  ew_error err;
  for (int i = 0; i < 5 * 4 * 3; i++) {
    mesh *first = sample(i / 12), *m = sample(i / 12);
    mesh_cell_order cells = (mesh_cell_order)(i % 4);
    mesh_face_order faces = (mesh_face_order)(i / 4 % 3);
    assert_fine(mesh_renumber(m, cells, faces, 3, &err), &err);
    assert_same_mesh(first, m);
    assert_same_ghosts(first, m);
    assert_fine(mesh_renumber(m, MESH_CELLS_RANDOM, MESH_FACES_RANDOM, 4, &err), &err);
    assert_fine(mesh_renumber(m, MESH_CELLS_HILBERT, MESH_FACES_SORTED, 4, &err), &err);
    assert_same_mesh(first, m);
    assert_same_ghosts(first, m);
    mesh_destroy(&first);
    mesh_destroy(&m);
  }
}

static void rcm_narrows_the_band(void **state) {
  (void)state;
  ew_error err;
  for (int which = 0; which < 5; which++) {
    mesh *m = sample(which);
    cell_id as_built = mesh_bandwidth(m);
    assert_fine(mesh_renumber(m, MESH_CELLS_RCM, MESH_FACES_AS_IS, 0, &err), &err);
    assert_true(mesh_bandwidth(m) <= as_built);
    assert_fine(mesh_renumber(m, MESH_CELLS_RANDOM, MESH_FACES_AS_IS, 1, &err), &err);
    cell_id shuffled = mesh_bandwidth(m);
    assert_fine(mesh_renumber(m, MESH_CELLS_RCM, MESH_FACES_AS_IS, 0, &err), &err);
    assert_true(mesh_bandwidth(m) <= 2 * as_built + 2);
    if (m->n_cells > 100) assert_true(mesh_bandwidth(m) < shuffled / 3);
    mesh_destroy(&m);
  }
}

/* A strip of quadrangles is a path: its band has width 1 in the right order, whatever order it came in. */
static void rcm_solves_a_path(void **state) {
  (void)state;
  ew_error err;
  mesh *m =
      make_rectangle((mesh_rectangle_options){.x1 = 1, .y1 = 1, .nx = 50, .ny = 1, .kind = MESH_BLOCKS});
  assert_fine(mesh_renumber(m, MESH_CELLS_RANDOM, MESH_FACES_RANDOM, 5, &err), &err);
  assert_true(mesh_bandwidth(m) > 10);
  assert_fine(mesh_renumber(m, MESH_CELLS_RCM, MESH_FACES_SORTED, 5, &err), &err);
  assert_int_equal(mesh_bandwidth(m), 1);
  mesh_destroy(&m);
}

/* Equation 20 of the paper: faces ascend by left cell, then right cell. */
static void sorted_faces_ascend(void **state) {
  (void)state;
  ew_error err;
  mesh *m = sample(0);
  assert_fine(mesh_renumber(m, MESH_CELLS_RANDOM, MESH_FACES_SORTED, 2, &err), &err);
  for (face_id f = 1; f < m->n_interior; f++) {
    bool ascends = m->face_left[f - 1] < m->face_left[f] ||
                   (m->face_left[f - 1] == m->face_left[f] && m->face_right[f - 1] < m->face_right[f]);
    assert_true(ascends);
  }
  for (int p = 0; p < m->n_patches; p++)
    for (face_id f = m->patch[p].first + 1; f < m->patch[p].first + m->patch[p].count; f++)
      assert_true(m->face_left[f - 1] <= m->face_left[f]);
  mesh_destroy(&m);
}

static void nodes_follow_their_first_use(void **state) {
  (void)state;
  ew_error err;
  mesh *m = sample(2);
  assert_fine(mesh_renumber(m, MESH_CELLS_RANDOM, MESH_FACES_AS_IS, 2, &err), &err);
  node_id next = 0;
  for (int32_t i = 0; i < m->cell_start[m->n_cells]; i++) {
    assert_true(m->cell_node[i] <= next);
    next += m->cell_node[i] == next;
  }
  assert_int_equal(next, m->n_nodes);
  mesh_destroy(&m);
}

/* On a 2^k grid the Hilbert curve steps from each square to one beside it. */
static void hilbert_steps_to_a_neighbour(void **state) {
  (void)state;
  ew_error err;
  mesh *m =
      make_rectangle((mesh_rectangle_options){.x1 = 16, .y1 = 16, .nx = 16, .ny = 16, .kind = MESH_BLOCKS});
  assert_fine(mesh_renumber(m, MESH_CELLS_HILBERT, MESH_FACES_AS_IS, 0, &err), &err);
  for (cell_id c = 1; c < m->n_cells; c++) {
    double dx = m->cell_centre[2 * c] - m->cell_centre[2 * c - 2],
           dy = m->cell_centre[2 * c + 1] - m->cell_centre[2 * c - 1];
    assert_near(dx * dx + dy * dy, 1, 1e-12);
  }
  mesh_destroy(&m);
}

static void patches_in_the_order_asked_for(void **state) {
  (void)state;
  ew_error err;
  mesh *first = sample(0), *m = sample(0);
  static const char *const names[] = {"top", "left"}, *const twice[] = {"top", "top"},
                           *const wrong[] = {"lid"};
  assert_fine(mesh_order_patches(m, names, 2, &err), &err);
  static const char *const expected[] = {"top", "left", "right", "bottom"};
  for (int p = 0; p < 4; p++) {
    assert_string_equal(m->patch[p].name, expected[p]);
    int old = mesh_find_patch(first, expected[p]);
    assert_int_equal(m->patch[p].count, first->patch[old].count);
    for (face_id i = 0; i < m->patch[p].count; i++)
      assert_memory_equal(m->face_centre + 2 * (m->patch[p].first + i),
                          first->face_centre + 2 * (first->patch[old].first + i), 2 * sizeof(double));
  }
  assert_same_mesh(first, m);
  assert_same_ghosts(first, m);
  assert_int_equal(mesh_order_patches(m, twice, 2, &err), EW_INPUT);
  assert_contains(err.text, "\"top\" is named twice");
  assert_int_equal(mesh_order_patches(m, wrong, 1, &err), EW_INPUT);
  assert_contains(err.text, "no patch \"lid\"");
  assert_fine(mesh_order_patches(m, NULL, 0, &err), &err);
  assert_string_equal(m->patch[0].name, "top");
  mesh_destroy(&first);
  mesh_destroy(&m);
}

static void names_of_orders(void **state) {
  (void)state;
  mesh_cell_order cells;
  mesh_face_order faces;
  for (int i = 0; i < 4; i++)
    assert_true(mesh_cell_order_parse(mesh_cell_order_name((mesh_cell_order)i), &cells) && (int)cells == i);
  for (int i = 0; i < 3; i++)
    assert_true(mesh_face_order_parse(mesh_face_order_name((mesh_face_order)i), &faces) && (int)faces == i);
  assert_false(mesh_cell_order_parse("sorted", &cells));
  assert_false(mesh_face_order_parse("rcm", &faces));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_order_keeps_the_mesh),
      cmocka_unit_test(rcm_narrows_the_band),
      cmocka_unit_test(rcm_solves_a_path),
      cmocka_unit_test(sorted_faces_ascend),
      cmocka_unit_test(nodes_follow_their_first_use),
      cmocka_unit_test(hilbert_steps_to_a_neighbour),
      cmocka_unit_test(patches_in_the_order_asked_for),
      cmocka_unit_test(names_of_orders),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
