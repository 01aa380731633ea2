/* The solver against exact solutions: the errors are those which the design's independent solver reached, and
 * fall with the mesh as they should for a first-order scheme (about 1 where smooth, 0.6 to 0.8 with shocks
 * and fronts). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "near.h"
#include "sample.h"

static const double PI = 3.14159265358979323846;

/* A strip [0, length] of `nx` by `rows` squares, open at both ends. */
static sample *strip(double length, int nx, int rows) {
  sample *s = sample_create((rectangle_spec){.x1 = length, .y1 = length * rows / nx, .nx = nx, .ny = rows});
  assert_non_null(s);
  rectangle_set_side(s->mesh, RECTANGLE_LEFT, (sw_boundary){.kind = SW_OUTFLOW});
  rectangle_set_side(s->mesh, RECTANGLE_RIGHT, (sw_boundary){.kind = SW_OUTFLOW});
  return s;
}

static void start_and_run(sample *s, double t) {
  assert_true(sample_start(s));
  sw_run(s->solver, t, 0);
}

/* ---- dam breaks: hl = 5 mm, t = 6 s -------------------------------------------------------------------- */

typedef struct dam {
  double hr, t;
} dam;

static exact_state dam_at(double x, double y, const void *context) {
  const dam *d = context;
  (void)y;
  if (d->hr == 0) return exact_ritter(0.005, 5, x, d->t);
  exact_stoker s = exact_stoker_create(0.005, d->hr, 5);
  return exact_stoker_at(&s, x, d->t);
}

static double dam_error(double hr, int nx, double *speed) {
  sample *s = strip(10, nx, 4);
  dam before = {hr, 0}, after = {hr, 6};
  sample_fill(s, dam_at, &before, 0);
  start_and_run(s, 6);
  double error = sample_depth_error(s, dam_at, &after) / 0.005;
  *speed = sw_max_speed(s->solver);
  sample_destroy(&s);
  return error;
}

static void test_stoker(void **state) {
  (void)state;
  double u, coarse = dam_error(0.001, 100, &u), fine = dam_error(0.001, 200, &u);
  print_message("Stoker: L1(h)/hl %.3e %.3e\n", coarse, fine);
  assert_below(coarse, 1.3e-2);
  assert_below(fine, 8.05e-3);
  assert_below(0.65, log2(coarse / fine));
  assert_near(u, 0.12728, 0.004);
}

static void test_ritter(void **state) {
  (void)state;
  double u, coarse = dam_error(0, 100, &u), fine = dam_error(0, 200, &u);
  print_message("Ritter: L1(h)/hl %.3e %.3e, max u %.3f of %.3f m/s\n", coarse, fine, u,
                2 * sqrt(9.81 * 0.005));
  assert_below(coarse, 1.27e-2);
  assert_below(fine, 8.9e-3);
  assert_below(0.5, log2(coarse / fine));
  /* The tip: 2 sqrt(g hl) is .443 m/s; first order reaches three quarters of it here. */
  assert_below(0.32, u);
  assert_below(u, 0.443);
}

/* ---- Thacker's radial oscillation, one period ---------------------------------------------------------- */

static exact_state basin_at(double x, double y, const void *context) {
  return exact_thacker_radial(x, y, *(const double *)context);
}

static double basin_error(int n) {
  sample *s = sample_create((rectangle_spec){.x1 = 4, .y1 = 4, .nx = n, .ny = n});
  assert_non_null(s);
  double t = 0;
  sample_fill(s, basin_at, &t, 0);
  t = 2 * PI / exact_radial_omega();
  start_and_run(s, t);
  double error = sample_depth_error(s, basin_at, &t) * 16 / 0.1570796;
  sample_destroy(&s);
  return error;
}

static void test_thacker(void **state) {
  (void)state;
  double coarse = basin_error(50), fine = basin_error(100);
  print_message("Thacker radial: L1(h)/volume %.3e %.3e\n", coarse, fine);
  assert_below(coarse, 0.116);
  assert_below(fine, 0.057);
  assert_below(0.9, log2(coarse / fine));
}

/* ---- steady flow over the bump ------------------------------------------------------------------------- */

static exact_state subcritical_at(double x, double y, const void *context) {
  (void)y, (void)context;
  return exact_bump_subcritical(x);
}

static exact_state transcritical_at(double x, double y, const void *context) {
  (void)y, (void)context;
  return exact_bump_transcritical(x);
}

/* From water at rest, so that the steady state is found and not merely kept. */
static exact_state rest_at(double x, double y, const void *context) {
  (void)y;
  double level = *(const double *)context, z = exact_bump_bed(x);
  return (exact_state){.h = level - z, .z = z};
}

static double bump_error(double q, double level, sample_field exact, double t) {
  sample *s = strip(25, 100, 2);
  rectangle_set_side(s->mesh, RECTANGLE_LEFT, (sw_boundary){.kind = SW_DISCHARGE, .q = q});
  rectangle_set_side(s->mesh, RECTANGLE_RIGHT, (sw_boundary){.kind = SW_LEVEL, .level = level});
  sample_fill(s, rest_at, &level, 0);
  start_and_run(s, t);
  double error = sample_depth_error(s, exact, NULL);
  sample_destroy(&s);
  return error;
}

static void test_bump(void **state) {
  (void)state;
  double sub = bump_error(4.42, 2, subcritical_at, 200),
         trans = bump_error(1.53, 0.66, transcritical_at, 120);
  print_message("Bump, dx = .25: L1(h) subcritical %.3e, transcritical %.3e m\n", sub, trans);
  assert_below(sub, 5e-4);
  assert_below(trans, 3e-3);
}

/* ---- MacDonald's channels, dx = 10 m ------------------------------------------------------------------- */

static exact_state channel_at(double x, double y, const void *context) {
  (void)y;
  return exact_macdonald_at(*(const exact_channel *)context, x);
}

/* The mean error of the depth, m. */
static double channel_error(exact_channel c, sw_friction friction) {
  exact_macdonald m = exact_macdonald_of(c);
  int nx = (int)(m.length / 10);
  sample *s = strip(m.length, nx, 2);
  exact_state in = exact_macdonald_at(c, 0), out = exact_macdonald_at(c, m.length);
  bool super = c == EXACT_SUPERCRITICAL;
  double last_bed = exact_macdonald_at(c, m.length - 10.0 / 3).z;
  rectangle_set_side(s->mesh, RECTANGLE_LEFT,
                     (sw_boundary){.kind = super ? SW_STATE : SW_DISCHARGE, .q = m.q, .h = in.h});
  if (!super)
    rectangle_set_side(s->mesh, RECTANGLE_RIGHT, (sw_boundary){.kind = SW_LEVEL, .level = out.h + last_bed});
  s->params.friction = friction;
  sample_fill(s, channel_at, &c, m.manning);
  start_and_run(s, 3000);
  double error = sample_depth_error(s, channel_at, &c);
  sample_destroy(&s);
  return error;
}

static void test_macdonald(void **state) {
  (void)state;
  static const char *name[] = {"subcritical", "supercritical", "periodic"};
  static const double limit[][2] = {{0.023, 1.2e-3}, {0.09, 1.2e-3}, {0.015, 1.2e-3}};
  for (int c = EXACT_SUBCRITICAL; c <= EXACT_PERIODIC; c++) {
    double cells = channel_error((exact_channel)c, SW_FRICTION_CELLS);
    double edges = channel_error((exact_channel)c, SW_FRICTION_EDGES);
    double mixed = channel_error((exact_channel)c, SW_FRICTION_MIXED);
    print_message("MacDonald %s: L1(h) friction in cells %.3e, on edges %.3e m\n", name[c], cells, edges);
    assert_below(cells, limit[c][0]);
    assert_below(edges, limit[c][1]);
    assert_near(mixed, edges, 1e-12); /* deep water throughout */
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_stoker), cmocka_unit_test(test_ritter),    cmocka_unit_test(test_thacker),
      cmocka_unit_test(test_bump),   cmocka_unit_test(test_macdonald),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
