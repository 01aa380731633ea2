/* Thin films over rough ground: a dam breaks into a town of buildings on random ground, without friction.
 * Water leaves a film at the speed of the face's mean state; the momentum that stays drives the last drops to
 * any speed, and dt to nothing. The bound on the Froude number must cure that, and cost nothing else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "near.h"
#include "sample.h"

/* A number in [-1, 1) that changes wildly from point to point. */
static double random_at(double x, double y) {
  double k = sin(x * 12.9898 + y * 78.233) * 43758.5453;
  return 2 * (k - floor(k)) - 1;
}

static exact_state town(double x, double y, const void *context) {
  double rough = *(const double *)context;
  double z = rough * random_at(x, y) + 0.5 * sin(x / 9) * cos(y / 7) + 0.01 * x;
  if (x > 35 && fmod(x, 15) < 5 && fmod(y, 12) < 5) z += 10;
  return (exact_state){.h = x < 25 ? fmax(0, 5 - z) : 0, .z = z};
}

typedef struct flood {
  int64_t steps;
  double speed, drift, lowest;
  bool finished;
} flood;

/* 20 s of flood in at most 6000 steps; the fastest water ever seen. */
static flood flooded(double rough, double manning, double froude) {
  sample *s = sample_create(
      (rectangle_spec){.x1 = 100, .y1 = 100, .nx = 50, .ny = 50, .jitter = 0.2, .alternate = true});
  assert_non_null(s);
  s->params.froude = froude;
  sample_fill(s, town, &rough, manning);
  assert_true(sample_start(s));
  double before = sw_mass(s->solver);
  flood f = {0};
  while (sw_time(s->solver) < 20 && f.steps < 6000) {
    f.steps += sw_run(s->solver, 20, 1);
    f.speed = fmax(f.speed, sw_max_speed(s->solver));
  }
  f.finished = sw_time(s->solver) >= 20;
  f.drift = fabs(sw_mass(s->solver) - before) / before;
  f.lowest = sample_min_depth(s);
  sample_destroy(&s);
  return f;
}

static void test_flood(void **state) {
  (void)state;
  static const double rough[] = {0.05, 0.5};
  for (int k = 0; k < 2; k++) {
    flood real = flooded(rough[k], 0.03, 20), free = flooded(rough[k], 0, 20);
    print_message("roughness %.2f m: n = .03 %d steps, %.1f m/s; n = 0 %d steps, %.1f m/s\n", rough[k],
                  (int)real.steps, real.speed, (int)free.steps, free.speed);
    assert_true(free.finished && real.finished);
    /* Water 5 m deep runs at most at 2 sqrt(g h) = 14 m/s, and down from a roof at 20. */
    assert_below(free.speed, 24);
    /* Without friction the water is really faster: up to a third more steps are its due. */
    assert_below((double)free.steps, 1.35 * (double)real.steps);
    assert_below(fmax(free.drift, real.drift), 1e-14);
    assert_true(free.lowest > -1e-15 && real.lowest > -1e-15);
  }
}

/* What the bound is for: without it the same flood runs away. */
static void test_unbounded(void **state) {
  (void)state;
  flood f = flooded(0.5, 0, INFINITY);
  print_message("without the bound: %s after %d steps, %.1e m/s\n", f.finished ? "done" : "stopped",
                (int)f.steps, f.speed);
  assert_true(f.speed > 100);
}

/* With friction the bound costs and saves nothing: as many steps with as without. */
static void test_harmless(void **state) {
  (void)state;
  flood with = flooded(0.5, 0.03, 20), without = flooded(0.5, 0.03, INFINITY);
  assert_near((double)with.steps, (double)without.steps, 0.01 * (double)without.steps);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_flood),
      cmocka_unit_test(test_unbounded),
      cmocka_unit_test(test_harmless),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
