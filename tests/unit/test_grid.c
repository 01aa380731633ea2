/* Grids: axes, solids, patches, walls, distances, layout. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grid/grid.h"

#define CONTAINS(text, part)                                                                                 \
  do {                                                                                                       \
    if (!strstr(text, part)) fail_msg("'%s' lacks '%s'", text, part);                                        \
  } while (0)

#define EVERYWHERE .low = {-INFINITY, -INFINITY, -INFINITY}, .high = {INFINITY, INFINITY, INFINITY}

static grid_options plane(int32_t nx, int32_t ny) {
  return (grid_options){.dim = 2, .axis = {{.n = nx, .to = nx}, {.n = ny, .to = ny}}};
}

static grid *make(const grid_options *o) {
  ew_error err = {0};
  grid *g = NULL;
  if (grid_create(o, &g, &err) != EW_OK) fail_msg("%s", err.text);
  return g;
}

static void refused(const grid_options *o, const char *why) {
  ew_error err = {0};
  grid *g = NULL;
  assert_int_equal(grid_create(o, &g, &err), EW_INPUT);
  assert_null(g);
  CONTAINS(err.text, why);
}

/* ---- axes ------------------------------------------------------------------------------------------------------------------ */

static void axes_are_stretched(void **state) {
  (void)state;
  const double face[] = {0, 1, 3};
  grid_options o = {.dim = 3,
                    .axis = {{.n = 4, .from = 1, .to = 16, .stretch = GRID_RATIO, .strength = 2},
                             {.n = 2, .face = face},
                             {.n = 8, .to = 2, .stretch = GRID_TANH, .strength = 2}}};
  grid *g = make(&o);
  for (int i = 0; i <= 4; i++) assert_true(fabs(g->axis[0].face[i] - pow(2, i)) < 1e-12);
  assert_true(g->axis[0].face[4] == 16);
  assert_true(grid_width(&g->axis[1], 1) == 2);
  for (int i = 0; i < 4; i++)
    assert_true(fabs(grid_width(&g->axis[2], i) - grid_width(&g->axis[2], 7 - i)) < 1e-14);
  assert_true(grid_width(&g->axis[2], 0) < 0.5 * grid_width(&g->axis[2], 3));
  assert_true(g->n_cells == 64 && grid_points(g, 1) == 3);
  int64_t c = grid_cell(g, 1, 1, 7);
  int32_t at[3];
  grid_cell_at(g, c, at);
  assert_true(at[0] == 1 && at[1] == 1 && at[2] == 7);
  double x[3];
  grid_cell_centre(g, c, x);
  assert_true(fabs(x[0] - 3) < 1e-12 && x[1] == 2 && grid_find_cell(g, x) == c);
  x[2] = 2.0001;
  assert_true(grid_find_cell(g, x) == -1);
  x[2] = g->axis[2].face[8] * (1 + 4e-16); /* what rounding makes of a place at the border */
  assert_true(grid_find_cell(g, x) == c);
  grid_destroy(&g);
  assert_null(g);
}

static void axes_are_checked(void **state) {
  (void)state;
  grid_options o = plane(0, 4);
  refused(&o, "nx = 0");
  o = plane(4, 4);
  o.axis[1].to = -1;
  refused(&o, "y runs from 0 to -1");
  const double face[] = {0, 2, 2};
  o = (grid_options){.dim = 1, .axis = {{.n = 2, .face = face}}};
  refused(&o, "face 2 lies at 2, the one before at 2");
  o = (grid_options){.dim = 1, .axis = {{.n = 2, .to = 1, .stretch = GRID_RATIO, .strength = -1}}};
  refused(&o, "ratio of x is -1");
  o = plane(100000, 100000);
  refused(&o, "too many");
  o = (grid_options){.dim = 1, .axis = {{.n = INT32_MAX, .to = 1}}};
  refused(&o, "too many");
}

/* ---- solids, patches, walls --------------------------------------------------------------------------------------------------- */

static const grid_boundary *boundary(const grid *g, const char *name) {
  int b = grid_find_boundary(g, name);
  if (b < 0) fail_msg("there is no boundary '%s'", name);
  return &g->boundary[b];
}

static void walls_lie_around_gas(void **state) {
  (void)state;
  grid_options o = plane(10, 6);
  const grid_solid_options solid[] = {{"block", {2, 2, 0}, {4, 4, 1}}, {"block", {7, 0, 0}, {8, 3, 1}}};
  o.n_solids = 2, o.solid = solid;
  grid *g = make(&o);
  assert_true(g->n_gas == 60 - 4 - 3);
  const grid_boundary *b = boundary(g, "block");
  assert_true(b->n_walls[0] == 2 + 2 + 3 + 3 && b->n_walls[1] == 2 + 2 + 1);
  assert_true(boundary(g, "bottom")->n_walls[1] == 9 && boundary(g, "top")->n_walls[1] == 10);
  assert_true(boundary(g, "left")->n_walls[0] == 6 && boundary(g, "left")->n_walls[1] == 0);
  for (int64_t w = 0; w < g->n_walls; w++) {
    const grid_wall *wall = &g->wall[w];
    if (wall->boundary != grid_find_boundary(g, "block") || wall->at[0] != 7 || wall->axis != 0) continue;
    assert_false(wall->gas_above);
    double x[2];
    grid_wall_centre(g, wall, x);
    assert_true(x[0] == 7 && x[1] == wall->at[1] + 0.5);
  }
  assert_int_equal(g->n_notes, 0);
  grid_destroy(&g);
}

static void periodic_axes_have_no_sides(void **state) {
  (void)state;
  grid_options o = plane(5, 4);
  o.axis[0].periodic = true;
  const grid_solid_options solid = {"post", {4, 1, 0}, {5, 3, 1}};
  o.n_solids = 1, o.solid = &solid;
  grid *g = make(&o);
  assert_int_equal(grid_find_boundary(g, "left"), -1);
  assert_true(boundary(g, "post")->n_walls[0] == 4 && grid_points(g, 0) == 5); /* one of them is face 0 */
  grid_destroy(&g);
  o.axis[1].periodic = true, o.n_solids = 0;
  g = make(&o);
  assert_true(g->n_walls == 0 && g->n_boundaries == 0);
  grid_destroy(&g);
}

static void patches_take_parts_of_sides(void **state) {
  (void)state;
  grid_options o = plane(4, 10);
  const grid_patch_options patch[] = {
      {"jet", 0, {0, 4, 0}, {0, 6, 0}}, {"slot", 0, {0, 8, 0}, {0, 9, 0}}, {"lid", 3, EVERYWHERE}};
  o.n_patches = 3, o.patch = patch;
  grid *g = make(&o);
  assert_true(boundary(g, "jet")->n_walls[0] == 2 && boundary(g, "slot")->n_walls[0] == 1);
  assert_true(boundary(g, "left")->n_walls[0] == 7);
  assert_true(boundary(g, "lid")->n_walls[1] == 4 && boundary(g, "top")->n_walls[1] == 0);
  grid_destroy(&g);
  const grid_patch_options over[] = {{"jet", 0, {0, 4, 0}, {0, 6, 0}}, {"slot", 0, {0, 5, 0}, {0, 9, 0}}};
  o.n_patches = 2, o.patch = over;
  refused(&o, "\"jet\" and \"slot\" of side \"left\" overlap at y = 5.5");
  const grid_patch_options none = {"jet", 0, {0, 20, 0}, {0, 21, 0}};
  o.n_patches = 1, o.patch = &none;
  refused(&o, "holds no face's centre: y runs from 20 to 21, the grid's from 0 to 10");
  const grid_patch_options third = {"jet", 4, EVERYWHERE};
  o.patch = &third;
  refused(&o, "\"back\", which a grid of 2 axes has not");
}

static void solids_are_checked(void **state) {
  (void)state;
  grid_options o = plane(10, 10);
  o.n_solids = 1;
  o.solid = &(grid_solid_options){"square", {5, 5, 0}, {12, 6, 1}};
  refused(&o, "solid \"square\" lies outside of the grid: x runs from 5 to 12, the grid's from 0 to 10");
  o.solid = &(grid_solid_options){"needle", {5.6, 5, 0}, {5.9, 6, 1}};
  refused(&o, "holds no cell's centre");
  o.solid = &(grid_solid_options){"all", EVERYWHERE};
  refused(&o, "all 100 cells of the grid are solid");
  const grid_solid_options two[] = {{"a", {1, 1, 0}, {4, 4, 1}}, {"b", {3, 3, 0}, {6, 6, 1}}};
  o.n_solids = 2, o.solid = two;
  refused(&o, "\"a\" and \"b\" overlap in 1 cell, the first at (3.5, 3.5)");
  const grid_solid_options near[] = {{"a", {1, 1, 0}, {4, 4, 1}}, {"b", {5, 1.2, 0}, {8, 4, 1}}};
  o.solid = near;
  grid *g = make(&o);
  assert_int_equal(g->n_notes,
                   3); /* the bottom of b; one cell at the left and between the two, and below both */
  CONTAINS(g->note[0], "y = 1.2, inside of a cell: its surface is taken at the face y = 1");
  CONTAINS(g->note[1], "one active cell lies between walls along x in 6 places, the first at (0.5, 1.5)");
  grid_destroy(&g);
}

/* Cells behind a solid's surface as wide as those before it pass without a word; behind the grid's own sides they always are. */
static void test_uneven(void **state) {
  (void)state;
  const double even[] = {0, 1, 2, 3, 4.5, 6}, uneven[] = {0, 1, 2, 3.5, 4.5, 6};
  const grid_solid_options solid = {"s", {0, 2, 0}, {1, 6, 1}};
  grid_options o = {.dim = 2, .axis = {{.n = 3, .to = 3}, {.n = 5, .face = even}}};
  o.n_solids = 1, o.solid = &solid;
  grid *g = make(&o);
  assert_int_equal(g->n_notes, 0);
  grid_destroy(&g);
  o.axis[1].face = uneven;
  g = make(&o);
  assert_int_equal(g->n_notes, 1);
  CONTAINS(g->note[0], "solid \"s\", at (0.5, 2), one of the two cells is 1.5 times as wide");
  grid_destroy(&g);
}

static ew_status disc(void *context, const double *x, bool *solid, ew_error *err) {
  (void)context, (void)err;
  *solid = hypot(x[0] - 10, x[1] - 8) < 3;
  return EW_OK;
}

static ew_status fails(void *context, const double *x, bool *solid, ew_error *err) {
  (void)context, (void)x, (void)solid;
  return ew_fail(err, EW_INPUT, "no");
}

static void masks_make_solids(void **state) {
  (void)state;
  grid_options o = plane(20, 16);
  o.mask = disc, o.mask_name = "mask";
  grid *g = make(&o);
  int64_t solid = g->n_cells - g->n_gas;
  assert_true(solid > 20 && solid < 36);
  assert_true(boundary(g, "mask")->n_walls[0] == 12 && boundary(g, "mask")->n_walls[1] == 12);
  grid_destroy(&g);
  o.mask = fails;
  refused(&o, "no");
}

/* ---- distances ------------------------------------------------------------------------------------------------------------------ */

/* The same by looking at every cell. */
static int distance(const grid *g, const int32_t at[3]) {
  int best = 255;
  int32_t c[3];
  for (c[2] = g->dim > 2 ? -1 : 0; c[2] <= (g->dim > 2 ? g->axis[2].n : 0); c[2]++)
    for (c[1] = g->dim > 1 ? -1 : 0; c[1] <= (g->dim > 1 ? g->axis[1].n : 0); c[1]++)
      for (c[0] = -1; c[0] <= g->axis[0].n; c[0]++) {
        bool inside = true, exists = true;
        int far = 0;
        for (int d = 0; d < g->dim; d++) {
          int32_t n = g->axis[d].n, off = abs(c[d] - at[d]);
          if (c[d] < 0 || c[d] >= n) inside = false, exists &= !g->axis[d].periodic;
          if (g->axis[d].periodic && n - off < off) off = n - off;
          if (off > far) far = off;
        }
        bool gas = inside && g->solid[grid_cell(g, c[0], c[1], c[2])] == 0;
        if (exists && !gas && far < best) best = far;
      }
  return best;
}

static void compare_distances(grid_options o) {
  grid *g = make(&o);
  uint8_t *near = malloc((size_t)g->n_cells);
  grid_near(g, near);
  for (int64_t c = 0; c < g->n_cells; c++) {
    int32_t at[3];
    grid_cell_at(g, c, at);
    if (near[c] != distance(g, at))
      fail_msg("cell %lld: %d, expected %d", (long long)c, near[c], distance(g, at));
  }
  free(near);
  grid_destroy(&g);
}

static void distances_are_those_to_walls(void **state) {
  (void)state;
  const grid_solid_options solid[] = {{"a", {3, 2, 0}, {5, 4, 3}}, {"a", {12, 7, 0}, {13, 8, 3}}};
  for (int periodic = 0; periodic < 4; periodic++) {
    grid_options o = plane(17, 13);
    o.n_solids = 2, o.solid = solid;
    o.axis[0].periodic = periodic & 1, o.axis[1].periodic = periodic >> 1;
    compare_distances(o);
    o.dim = 3, o.axis[2] = (grid_axis_options){.n = 7, .to = 7, .periodic = periodic & 1};
    compare_distances(o);
  }
  grid_options line = {.dim = 1, .axis = {{.n = 9, .to = 1}}};
  compare_distances(line);
}

/* ---- layout ----------------------------------------------------------------------------------------------------------------------- */

static void copies_fill_all_periodic_padding(void **state) {
  (void)state;
  for (int dim = 1; dim <= 3; dim++)
    for (int periodic = 0; periodic < 1 << dim; periodic++) {
      grid_options o = {.dim = dim};
      for (int d = 0; d < dim; d++)
        o.axis[d] = (grid_axis_options){.n = 2 + 2 * d, .to = 1, .periodic = periodic >> d & 1};
      grid *g = make(&o);
      grid_layout l = grid_layout_make(g, 3);
      int32_t *pair = NULL, count = 0;
      ew_error err = {0};
      assert_int_equal(grid_copies(g, &l, &pair, &count, &err), EW_OK);
      int64_t expected = 1, own = 1;
      for (int d = 0; d < dim; d++) {
        own *= grid_points(g, d);
        expected *= periodic >> d & 1 ? l.high[d] - l.low[d] : grid_points(g, d);
      }
      assert_true(count == expected - own);
      uint8_t *seen = calloc((size_t)l.size, 1);
      for (int32_t i = 0; i < count; i++) {
        assert_true(pair[2 * i] >= 0 && pair[2 * i] < l.size && !seen[pair[2 * i]]);
        seen[pair[2 * i]] = 1;
      }
      for (int32_t i = 0; i < count; i++) assert_false(seen[pair[2 * i + 1]]);
      free(seen);
      free(pair);
      grid_destroy(&g);
    }
}

static void hashes_tell_grids_apart(void **state) {
  (void)state;
  char a[33], b[33];
  grid_options o = plane(5, 4);
  grid *g = make(&o);
  grid_hash(g, a);
  grid_destroy(&g);
  const grid_solid_options solid = {"a", {1, 1, 0}, {2, 2, 1}};
  o.n_solids = 1, o.solid = &solid;
  g = make(&o);
  grid_hash(g, b);
  assert_string_not_equal(a, b);
  grid_destroy(&g);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(axes_are_stretched),
                                     cmocka_unit_test(test_uneven),
                                     cmocka_unit_test(axes_are_checked),
                                     cmocka_unit_test(walls_lie_around_gas),
                                     cmocka_unit_test(periodic_axes_have_no_sides),
                                     cmocka_unit_test(patches_take_parts_of_sides),
                                     cmocka_unit_test(solids_are_checked),
                                     cmocka_unit_test(masks_make_solids),
                                     cmocka_unit_test(distances_are_those_to_walls),
                                     cmocka_unit_test(copies_fill_all_periodic_padding),
                                     cmocka_unit_test(hashes_tell_grids_apart)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
