/* Properties that the solver must have on any mesh: the design's numbers, water at rest, mass, invariance,
 * boundaries. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "near.h"
#include "sample.h"

static sample *sample_or_fail(rectangle_spec spec) {
  sample *s = sample_create(spec);
  assert_non_null(s);
  return s;
}

/* ---- the design's debugging numbers -------------------------------------------------------------------- */

static exact_state small_dam_break(double x, double y, const void *context) {
  (void)context;
  double z = fmax(0, 0.4 - 0.05 * ((x - 12) * (x - 12) + (y - 5) * (y - 5)));
  return (exact_state){.h = fmax(0, (x < 8 ? 2 : 1) - z), .z = z};
}

static const rectangle_spec small_spec = {.x1 = 20, .y1 = 10, .nx = 20, .ny = 10};

static void run_small(sample *s) {
  assert_true(sample_start(s));
  for (int k = 0; k < 20; k++) sw_step_fixed(s->solver, 0.025);
  sample_fetch(s);
}

static void test_design_numbers(void **state) {
  (void)state;
  sample *s = sample_or_fail(small_spec);
  sample_fill(s, small_dam_break, NULL, 0);
  run_small(s);
  double low = INFINITY, high = 0, h = 0, qx = 0, qy = 0;
  for (int32_t c = 0; c < s->n; c++) {
    low = fmin(low, s->h[c]);
    high = fmax(high, s->h[c]);
    h += s->h[c];
    qx += s->qx[c];
    qy += s->qy[c];
  }
  assert_near(low, 0.612489473622928, 1e-12);
  assert_near(high, 1.99999996888217, 1e-12);
  assert_near(h, 549.977777777778, 1e-11);
  assert_near(qx, 146.283694922234, 1e-11);
  assert_near(qy, -3.70581714997890, 1e-12);
  sample_destroy(&s);
}

/* ---- invariance ---------------------------------------------------------------------------------------- */

/* The same flow whichever way the faces were oriented. */
static void test_orientation(void **state) {
  (void)state;
  sample *a = sample_or_fail(small_spec), *b = sample_or_fail(small_spec);
  for (int32_t f = 0; f < b->mesh->mesh.n_interior; f += 3) {
    int32_t left = b->mesh->left[f];
    b->mesh->left[f] = b->mesh->right[f];
    b->mesh->right[f] = left;
    b->mesh->normal[2 * f] = -b->mesh->normal[2 * f];
    b->mesh->normal[2 * f + 1] = -b->mesh->normal[2 * f + 1];
  }
  sample_fill(a, small_dam_break, NULL, 0.03);
  sample_fill(b, small_dam_break, NULL, 0.03);
  run_small(a);
  run_small(b);
  for (int32_t c = 0; c < a->n; c++) {
    assert_near(a->h[c], b->h[c], 1e-13);
    assert_near(a->qx[c], b->qx[c], 1e-12);
    assert_near(a->qy[c], b->qy[c], 1e-12);
  }
  sample_destroy(&a);
  sample_destroy(&b);
}

static void rotate(double *v, int32_t count, double angle) {
  double c = cos(angle), s = sin(angle);
  for (int32_t k = 0; k < count; k++, v += 2) {
    double x = v[0];
    v[0] = c * x - s * v[1];
    v[1] = s * x + c * v[1];
  }
}

/* The same flow on the mesh turned by an angle. */
static void test_rotation(void **state) {
  (void)state;
  sample *a = sample_or_fail(small_spec), *b = sample_or_fail(small_spec);
  sample_fill(a, small_dam_break, NULL, 0.03);
  sample_fill(b, small_dam_break, NULL, 0.03);
  rotate(b->mesh->normal, b->mesh->mesh.n_faces, 0.7);
  rotate(b->mesh->centre, b->n, 0.7);
  run_small(a);
  run_small(b);
  for (int32_t c = 0; c < a->n; c++) {
    assert_near(a->h[c], b->h[c], 1e-12);
    assert_near(hypot(a->qx[c], a->qy[c]), hypot(b->qx[c], b->qy[c]), 1e-11);
  }
  sample_destroy(&a);
  sample_destroy(&b);
}

static void test_threads(void **state) {
  (void)state;
  sample *a = sample_or_fail(small_spec), *b = sample_or_fail(small_spec);
  sample_fill(a, small_dam_break, NULL, 0.03);
  sample_fill(b, small_dam_break, NULL, 0.03);
  a->params.threads = 1;
  b->params.threads = 3;
  run_small(a);
  run_small(b);
  assert_memory_equal(a->h, b->h, 3 * (size_t)a->n * sizeof *a->h);
  sample_destroy(&a);
  sample_destroy(&b);
}

/* ---- water at rest ------------------------------------------------------------------------------------- */

/* Rough ground under a lake; `context` is the lake's level. */
static exact_state rough_lake(double x, double y, const void *context) {
  double level = *(const double *)context;
  double z = 0.6 * sin(17 * x + 3 * y) * cos(11 * y - 5 * x) + 0.4 * sin(41 * x) * sin(37 * y);
  return (exact_state){.h = fmax(0, level - z), .z = z};
}

static void lake_stays(double level, double manning, sw_friction friction) {
  sample *s = sample_or_fail(
      (rectangle_spec){.x1 = 4, .y1 = 3, .nx = 40, .ny = 30, .jitter = 0.3, .alternate = true});
  s->params.friction = friction;
  sample_fill(s, rough_lake, &level, manning);
  assert_true(sample_start(s));
  assert_int_equal(sw_run(s->solver, INFINITY, 500), 500);
  assert_below(sample_max_discharge(s), 1e-13);
  for (int32_t c = 0; c < s->n; c++) assert_near(s->h[c], fmax(0, level - s->z[c]), 1e-13);
  sample_destroy(&s);
}

static void test_lake_immersed(void **state) {
  (void)state;
  lake_stays(2, 0, SW_FRICTION_CELLS);
}

static void test_lake_emerged(void **state) {
  (void)state;
  lake_stays(0.1, 0, SW_FRICTION_CELLS);
  lake_stays(-0.2, 0.03, SW_FRICTION_CELLS);
  lake_stays(0.1, 0.03, SW_FRICTION_EDGES);
  lake_stays(0.1, 0.03, SW_FRICTION_MIXED);
}

/* ---- mass
 * ------------------------------------------------------------------------------------------------------------
 */

static exact_state rough_dam(double x, double y, const void *context) {
  double level = x < 1 ? 3 : *(const double *)context;
  return rough_lake(x, y, &level);
}

/* A dam breaks over rough ground, dry or partly wet: not a drop is lost, and no depth is negative. */
static void test_mass(void **state) {
  (void)state;
  for (int k = 0; k < 4; k++) {
    double level = k % 2 ? -5 : 0.1;
    sample *s = sample_or_fail((rectangle_spec){.x1 = 4, .y1 = 3, .nx = 40, .ny = 30, .jitter = 0.3});
    sample_fill(s, rough_dam, &level, k < 2 ? 0 : 0.03);
    assert_true(sample_start(s));
    double before = sw_mass(s->solver);
    assert_below(sw_run(s->solver, 1.5, 40000), 39999);
    assert_near(sw_mass(s->solver), before, 1e-13 * before);
    assert_true(sample_min_depth(s) > -1e-15);
    sample_destroy(&s);
  }
}

/* ---- friction ------------------------------------------------------------------------------------------ */

static exact_state uniform_flow(double x, double y, const void *context) {
  const double *slope = context;
  (void)y;
  /* Manning's normal velocity at a depth of 1 m for n = 0.03, down the slope. */
  return (exact_state){.h = 1, .u = sqrt(*slope) / 0.03, .z = -*slope * x};
}

/* Friction on edges balances the bed exactly in uniform flow, on any mesh. */
static void test_uniform_flow(void **state) {
  (void)state;
  double slope = 0.004;
  sample *s = sample_or_fail((rectangle_spec){.x1 = 40, .y1 = 20, .nx = 20, .ny = 10, .jitter = 0.3});
  rectangle_set_side(s->mesh, RECTANGLE_LEFT, (sw_boundary){.kind = SW_DISCHARGE, .q = sqrt(slope) / 0.03});
  rectangle_set_side(s->mesh, RECTANGLE_RIGHT, (sw_boundary){.kind = SW_OUTFLOW});
  s->params.friction = SW_FRICTION_EDGES;
  sample_fill(s, uniform_flow, &slope, 0.03);
  assert_true(sample_start(s));
  sw_run(s->solver, INFINITY, 200);
  sample_fetch(s);
  for (int32_t c = 0; c < s->n; c++) {
    assert_near(s->h[c], 1, 1e-12);
    assert_near(s->qx[c], sqrt(slope) / 0.03, 1e-11);
    assert_near(s->qy[c], 0, 1e-11);
  }
  sample_destroy(&s);
}

/* In cells friction alone is the exact root: one step on a flat bed, where nothing else acts. */
static void test_friction_root(void **state) {
  (void)state;
  double slope = 0;
  sample *s = sample_or_fail((rectangle_spec){.x1 = 4, .y1 = 2, .nx = 4, .ny = 2});
  for (int k = 0; k < 4; k++)
    rectangle_set_side(s->mesh, (rectangle_side)k, (sw_boundary){.kind = SW_OUTFLOW});
  sample_fill(s, uniform_flow, &slope, 0.03);
  for (int32_t c = 0; c < s->n; c++) s->qx[c] = 3, s->qy[c] = 4;
  assert_true(sample_start(s));
  sw_step_fixed(s->solver, 10);
  sample_fetch(s);
  const int32_t last = s->n - 1; /* far from where the stream comes from: open sides let none in */
  double k = 9.81 * 0.03 * 0.03, q = hypot(s->qx[last], s->qy[last]);
  assert_near(q + 10 * k * q * q, 5, 1e-13);
  assert_near(s->qy[last] / s->qx[last], 4.0 / 3.0, 1e-13);
  sample_destroy(&s);
}

/* ---- boundaries ---------------------------------------------------------------------------------------- */

static exact_state still(double x, double y, const void *context) {
  (void)x, (void)y;
  return (exact_state){.h = *(const double *)context};
}

/* A given discharge brings exactly that much water, on wet and on dry ground, and at supercritical speed. */
static void test_discharge(void **state) {
  (void)state;
  const sw_boundary in[] = {{.kind = SW_DISCHARGE, .q = 0.7}, {.kind = SW_STATE, .q = 0.7, .h = 0.1}};
  for (int k = 0; k < 4; k++) {
    double depth = k < 2 ? 0.5 : 0;
    sample *s = sample_or_fail((rectangle_spec){.x1 = 8, .y1 = 2, .nx = 32, .ny = 8});
    rectangle_set_side(s->mesh, RECTANGLE_LEFT, in[k % 2]);
    sample_fill(s, still, &depth, 0.02);
    assert_true(sample_start(s));
    double before = sw_mass(s->solver);
    sw_run(s->solver, 3, 0);
    assert_near(sw_mass(s->solver), before + 0.7 * 2 * 3, 1e-12);
    sample_destroy(&s);
  }
}

/* An open side at a given level fills the basin, or drains it, until the water stands at that level. */
static void test_level(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    double depth = k ? 1 : 0;
    sample *s = sample_or_fail((rectangle_spec){.x1 = 2, .y1 = 1, .nx = 16, .ny = 8});
    rectangle_set_side(s->mesh, RECTANGLE_RIGHT, (sw_boundary){.kind = SW_LEVEL, .level = 0.4});
    sample_fill(s, still, &depth, 0.05);
    assert_true(sample_start(s));
    sw_run(s->solver, 200, 0);
    sample_fetch(s);
    for (int32_t c = 0; c < s->n; c++) assert_near(s->h[c], 0.4, 1e-3);
    sample_destroy(&s);
  }
}

/* A hump on a supercritical stream leaves through the open end without a trace; on water at rest, where the
 * open side knows of no wave that comes back, at most a third of its height is reflected. */
typedef struct hump {
  double height, u;
} hump;

static exact_state hump_at(double x, double y, const void *context) {
  const hump *k = context;
  (void)y;
  return (exact_state){.h = 1 + k->height * exp(-(x - 5) * (x - 5)), .u = k->u};
}

static void hump_leaves(hump k, double t, double rest) {
  sample *s = sample_or_fail((rectangle_spec){.x1 = 10, .y1 = 0.25, .nx = 80, .ny = 2});
  sw_boundary stream = {.kind = SW_STATE, .h = 1, .q = k.u}, open = {.kind = SW_OUTFLOW};
  rectangle_set_side(s->mesh, RECTANGLE_LEFT, k.u > 0 ? stream : open);
  rectangle_set_side(s->mesh, RECTANGLE_RIGHT, open);
  sample_fill(s, hump_at, &k, 0);
  assert_true(sample_start(s));
  sw_run(s->solver, t, 0);
  sample_fetch(s);
  for (int32_t c = 0; c < s->n; c++) assert_near(s->h[c], 1, rest * k.height);
  sample_destroy(&s);
}

static void test_outflow(void **state) {
  (void)state;
  hump_leaves((hump){0.1, 6}, 8, 1e-6);
  hump_leaves((hump){0.1, 0}, 3, 0.33);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_design_numbers), cmocka_unit_test(test_orientation),
      cmocka_unit_test(test_rotation),       cmocka_unit_test(test_threads),
      cmocka_unit_test(test_lake_immersed),  cmocka_unit_test(test_lake_emerged),
      cmocka_unit_test(test_mass),           cmocka_unit_test(test_uniform_flow),
      cmocka_unit_test(test_friction_root),  cmocka_unit_test(test_discharge),
      cmocka_unit_test(test_level),          cmocka_unit_test(test_outflow),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
