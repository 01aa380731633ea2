/* The exact solutions against the project's table of numbers (docs/physics), and against the equations
 * themselves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "exact.h"
#include "near.h"

/* Equal to as many digits as the table prints: `digit` is the last one's value. */
#define assert_digits(value, printed, digit) assert_near(value, printed, 0.51 * (digit))

static const double PI = 3.14159265358979323846;

/* (The project's table prints 7.2692044719 for the first depth; its own cm^2/g, and the jump conditions, say
 * ...4619.) */
static void test_stoker_plateau(void **state) {
  (void)state;
  static const double row[][5] = {{10, 5, 7.2692044619, 2.9199330394, 9.3537583921},
                                  {1, 0.1, 0.3961748168, 2.3213549956, 3.1051336507},
                                  {10, 1, 3.9617481680, 7.3407690440, 9.8192947753}};
  for (int k = 0; k < 3; k++) {
    exact_stoker s = exact_stoker_create(row[k][0], row[k][1], 0);
    assert_digits(s.hm, row[k][2], 1e-10);
    assert_digits(s.um, row[k][3], 1e-10);
    assert_digits(s.shock, row[k][4], 1e-10);
  }
}

static void test_stoker_swashes(void **state) {
  (void)state;
  exact_stoker s = exact_stoker_create(0.005, 0.001, 5);
  const double t = 6;
  assert_digits(s.hm, 0.0025393572, 1e-10);
  assert_digits(s.um, 0.1272797184, 1e-10);
  assert_digits(s.shock, 0.2099634001, 1e-10);
  assert_digits(5 + s.shock * t, 6.259780, 1e-6);
  assert_true(exact_stoker_at(&s, 3.671165, t).u == 0 && exact_stoker_at(&s, 3.671167, t).u > 0);
  assert_true(exact_stoker_at(&s, 4.816682, t).h > s.hm && exact_stoker_at(&s, 4.816684, t).h == s.hm);
  assert_true(exact_stoker_at(&s, 6.259779, t).h == s.hm && exact_stoker_at(&s, 6.259781, t).h == 0.001);
  assert_true(exact_stoker_at(&s, 4.9, 0).h == 0.005 && exact_stoker_at(&s, 5.1, 0).h == 0.001);
}

static void test_ritter(void **state) {
  (void)state;
  exact_state dam = exact_ritter(0.005, 5, 5, 6);
  assert_near(dam.h, 4 * 0.005 / 9, 1e-15);
  assert_digits(dam.h * dam.u, 3.281072e-4, 1e-10);
  assert_true(exact_ritter(0.005, 5, 3.671165, 6).u == 0 && exact_ritter(0.005, 5, 3.671167, 6).u > 0);
  assert_true(exact_ritter(0.005, 5, 7.657667, 6).h > 0 && exact_ritter(0.005, 5, 7.657669, 6).h == 0);
}

static void test_dressler(void **state) {
  (void)state;
  static const double row[][3] = {
      {800, 4.712634, 1.735892}, {900, 3.698338, 3.209136}, {1000, 2.867209, 4.353348}};
  for (int k = 0; k < 3; k++) {
    exact_state s = exact_dressler(6, 40, 1000, row[k][0], 40);
    assert_digits(s.h, row[k][1], 1e-6);
    assert_digits(s.u, row[k][2], 1e-6);
  }
  double tip = exact_dressler_tip(6, 40, 1000, 40);
  assert_digits(tip, 1084.5, 0.1);
  exact_state at = exact_dressler(6, 40, 1000, tip, 40);
  assert_digits(at.u, 4.767252, 1e-6);
  assert_near(at.h, 2.309882, 5e-4); /* the table's tip is known to 0.1 m only */
  assert_near(exact_dressler(6, 40, 1000, tip + 50, 40).u, at.u, 1e-12);
}

static void test_thacker_planar(void **state) {
  (void)state;
  double w = exact_planar_omega(), period = 2 * PI / w;
  assert_digits(w, 3.1320919527, 1e-10);
  assert_digits(period, 2.0060666807, 1e-10);
  for (int k = 0; k < 8; k++) {
    double t = k * period / 8, shore = 2 - 0.5 * cos(w * t);
    assert_true(exact_thacker_planar(shore - 1.0001, t).h == 0 &&
                exact_thacker_planar(shore - 0.9999, t).h > 0);
    assert_true(exact_thacker_planar(shore + 1.0001, t).h == 0 &&
                exact_thacker_planar(shore + 0.9999, t).h > 0);
    assert_near(exact_thacker_planar(2, t).u, 0.5 * w * sin(w * t), 1e-14);
  }
}

static void test_thacker_radial(void **state) {
  (void)state;
  double w = exact_radial_omega(), period = 2 * PI / w;
  assert_digits(w, 2.8014282072, 1e-10);
  assert_digits(period, 2.2428507327, 1e-10);
  static const double row[][3] = {
      {0, 0.125, 0.8944272}, {0.25, 0.0975610, 1.0124228}, {0.5, 0.08, 1.1180340}};
  for (int k = 0; k < 3; k++) {
    double t = row[k][0] * period;
    assert_digits(exact_thacker_radial(2, 2, t).h, row[k][1], 1e-7);
    assert_digits(exact_radial_shore(t), row[k][2], 1e-7);
    assert_true(exact_thacker_radial(2 + exact_radial_shore(t) * 0.9999, 2, t).h > 0);
    assert_true(exact_thacker_radial(2, 2 - exact_radial_shore(t) * 1.0001, t).h == 0);
  }
}

/* The water of the radial basin is pi h0 a^2/2 at all times. */
static void test_thacker_volume(void **state) {
  (void)state;
  for (int k = 0; k < 5; k++) {
    const int n = 4000;
    double sum = 0, t = 0.3 * k, dr = exact_radial_shore(t) / n;
    for (int i = 0; i < n; i++) {
      double r = (i + 0.5) * dr;
      sum += exact_thacker_radial(2 + r, 2, t).h * 2 * PI * r * dr;
    }
    assert_near(sum, 0.1570796, 1e-7);
  }
}

static void test_bump(void **state) {
  (void)state;
  static const double row[][3] = {{8, 2, 1.014447},
                                  {9, 1.787185, 0.788465},
                                  {10, 1.707347, 0.620256},
                                  {11, 1.787185, 0.496622},
                                  {12, 2, 0.405781}};
  for (int k = 0; k < 5; k++) {
    assert_digits(exact_bump_subcritical(row[k][0]).h, row[k][1], 1e-6);
    assert_digits(exact_bump_transcritical(row[k][0]).h, row[k][2], 1e-6);
  }
}

static void test_macdonald(void **state) {
  (void)state;
  static const double row[][5] = {{EXACT_SUBCRITICAL, 6.95225, 3.31143, 0.748324, 1.112299},
                                  {EXACT_SUPERCRITICAL, 34.71724, 17.18107, 0.741514, 0.593226}};
  for (int k = 0; k < 2; k++) {
    exact_channel c = (exact_channel)row[k][0];
    assert_digits(exact_macdonald_at(c, 0).z, row[k][1], 1e-5);
    assert_digits(exact_macdonald_at(c, 500).z, row[k][2], 1e-5);
    assert_digits(exact_macdonald_at(c, 0).h, row[k][3], 1e-6);
    assert_digits(exact_macdonald_at(c, 500).h, row[k][4], 1e-6);
    assert_near(exact_macdonald_at(c, 1000).z, 0, 0);
  }
  assert_digits(exact_macdonald_at(EXACT_SUBCRITICAL, 900).z, 1.10028, 1e-5);
  assert_digits(exact_macdonald_at(EXACT_SUPERCRITICAL, 900).z, 2.71109, 1e-5);
  assert_digits(exact_macdonald_at(EXACT_PERIODIC, 0).z, 14.56929, 1e-5);
  assert_digits(exact_macdonald_at(EXACT_PERIODIC, 2500).z, 7.93777, 1e-5);
  assert_near(exact_macdonald_at(EXACT_PERIODIC, 0).h, 1.125, 1e-15);
}

/* The steady balance (q^2/h + g h^2/2)' + g h z' + g n^2 q^2/h^(7/3) = 0, by central differences. */
static void test_macdonald_balance(void **state) {
  (void)state;
  for (int c = EXACT_SUBCRITICAL; c <= EXACT_PERIODIC; c++) {
    exact_macdonald m = exact_macdonald_of((exact_channel)c);
    for (double x = 37; x < m.length; x += 91) {
      const double e = 0.02;
      exact_state a = exact_macdonald_at((exact_channel)c, x - e),
                  b = exact_macdonald_at((exact_channel)c, x + e);
      double h = exact_macdonald_at((exact_channel)c, x).h, q2 = m.q * m.q;
      double flux = (q2 / b.h + EXACT_G * b.h * b.h / 2 - q2 / a.h - EXACT_G * a.h * a.h / 2) / (2 * e);
      double bed = EXACT_G * h * (b.z - a.z) / (2 * e);
      double drag = EXACT_G * m.manning * m.manning * q2 / pow(h, 7.0 / 3.0);
      assert_near(flux + bed + drag, 0, 1e-7);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_stoker_plateau), cmocka_unit_test(test_stoker_swashes),
      cmocka_unit_test(test_ritter),         cmocka_unit_test(test_dressler),
      cmocka_unit_test(test_thacker_planar), cmocka_unit_test(test_thacker_radial),
      cmocka_unit_test(test_thacker_volume), cmocka_unit_test(test_bump),
      cmocka_unit_test(test_macdonald),      cmocka_unit_test(test_macdonald_balance),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
