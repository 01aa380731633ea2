/* The SIMPLE-TS solver against the design's numbers, symmetries, conservation and slip flows with closed forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "near.h"
#include "simple_ts.h"

enum { MOST = 64 };

/* A case with its widths, the solver and its fields. */
typedef struct bench {
  ts_case c;
  double d[2][MOST];
  ts_solid solid[2];
  ts_solver *s;
  ts_fields f;
} bench;

static void bench_widths(bench *b, int nx, int ny, double dx, double dy) {
  b->c.n[0] = nx;
  b->c.n[1] = ny;
  for (int k = 0; k < MOST; k++) {
    b->d[0][k] = dx;
    b->d[1][k] = dy;
  }
}

static void bench_open(bench *b) {
  b->c.d[0] = b->d[0];
  b->c.d[1] = b->d[1];
  b->c.solid = b->solid;
  const char *problem = ts_create(&b->s, &b->c);
  if (problem) fail_msg("%s", problem);
  assert_true(ts_fields_create(&b->f, b->c.n));
}

static void bench_close(bench *b) {
  ts_destroy(&b->s);
  assert_null(b->s);
  ts_fields_destroy(&b->f);
}

static double *at(const bench *b, char q, int i, int j) {
  int n = b->c.n[0];
  switch (q) {
  case 'u': return &b->f.u[j * (n + 1) + i];
  case 'v': return &b->f.v[j * n + i];
  case 'p': return &b->f.p[j * n + i];
  default: return &b->f.T[j * n + i];
  }
}

static void each_variant(ts_params *par, int k) {
  par->time = k & 1 ? TS_EXPLICIT : TS_IMPLICIT;
  par->space = k & 2 ? TS_TVD : TS_UPWIND;
  par->slip = k & 4 ? TS_FIRST_CELL : TS_WALL_FORM;
  par->storage = k & 8 ? TS_ACCELERATED : TS_PRINTED;
}

/* ---- the design's debugging numbers */

typedef struct digits {
  ts_time time;
  ts_space space;
  int first, later;        /* iterations */
  double u[3], p[3], T[3]; /* max, min, mean */
} digits;

static const digits expected[] = {{TS_IMPLICIT,
                                   TS_UPWIND,
                                   14,
                                   14,
                                   {.821468798131336, -.226706154402393, .304412516856696},
                                   {1.19526117455141, .81402707669138, 1.01431788717714},
                                   {1.15434190377663, .91353594617714, 1.01285976640954}},
                                  {TS_IMPLICIT,
                                   TS_TVD,
                                   15,
                                   16,
                                   {.836190033759396, -.233762400493446, .303034335968603},
                                   {1.20239569257363, .81384785568561, 1.01476645090104},
                                   {1.15832547073913, .911316667460675, 1.01354202253752}},
                                  {TS_EXPLICIT,
                                   TS_UPWIND,
                                   14,
                                   13,
                                   {.822352723323971, -.226517857179736, .304386423449375},
                                   {1.19458298615302, .813778556796996, 1.01433592732694},
                                   {1.15320710150672, .915298378025518, 1.01285662389871}},
                                  {TS_EXPLICIT,
                                   TS_TVD,
                                   13,
                                   13,
                                   {.837297501802187, -.233507672720704, .302986643545461},
                                   {1.2008695849158, .813461608216955, 1.01479333518378},
                                   {1.156367487866, .913287011270363, 1.01353718398434}}};

static void fill_waves(bench *b) {
  double X = acos(-1) / 8, Y = acos(-1) / 6;
  for (int j = 0; j < 12; j++)
    for (int i = 0; i < 16; i++) {
      *at(b, 'p', i, j) = 1 + .2 * sin(X * (i + .5)) * cos(Y * (j + .5));
      *at(b, 'T', i, j) = 1 + .1 * cos(X * (i + .5) + Y * (j + .5));
      *at(b, 'u', i, j) = .3 + .6 * sin(X * i) * cos(Y * (j + .5));
      *at(b, 'v', i, j) = -.2 - .5 * cos(X * (i + .5)) * sin(Y * j);
    }
}

static void assert_digits(const bench *b, char q, const double want[3]) {
  double most = -INFINITY, least = INFINITY, sum = 0;
  for (int j = 0; j < 12; j++)
    for (int i = 0; i < 16; i++) {
      double x = *at(b, q, i, j);
      most = fmax(most, x);
      least = fmin(least, x);
      sum += x;
    }
  assert_near(most, want[0], 1e-14);
  assert_near(least, want[1], 1e-14);
  assert_near(sum / (16 * 12), want[2], 1e-14);
}

static void test_design_numbers(void **state) {
  (void)state;
  for (int k = 0; k < 4; k++) {
    const digits *e = &expected[k];
    bench b = {.c = {.params = ts_gas(.05)}};
    bench_widths(&b, 16, 12, .1, .08);
    for (int side = 0; side < 4; side++) b.c.side[side].kind = TS_PERIODIC;
    b.c.params.time = e->time;
    b.c.params.space = e->space;
    bench_open(&b);
    fill_waves(&b);
    for (int step = 0; step < 10; step++)
      assert_int_equal(ts_step(b.s, &b.f, .005, 1e-12, 500), step ? e->later : e->first);
    assert_digits(&b, 'u', e->u);
    assert_digits(&b, 'p', e->p);
    assert_digits(&b, 'T', e->T);
    bench_close(&b);
  }
}

/* ---- a box with everything in it */

static const ts_boundary inlet = {TS_INLET, {.4, .1}, 1.1, 1.05}, outlet = {.kind = TS_OUTLET},
                         reservoir = {.kind = TS_RESERVOIR, .p = .9, .T = .95};

static ts_boundary wall(double u, double v, double T) { return (ts_boundary){TS_WALL, {u, v}, 0, T}; }

/* Uneven widths; a block in the gas and one on a wall. */
static void varied(bench *b, int kind) {
  bench_widths(b, 14, 12, .1, .08);
  for (int k = 0; k < MOST; k++) {
    b->d[0][k] *= 1 + .3 * sin(1.7 * k);
    b->d[1][k] *= 1 + .2 * cos(2.3 * k);
  }
  static const ts_boundary still = {TS_WALL, {0, 0}, 0, 1.2};
  ts_boundary *s = b->c.side;
  s[0] = kind == 0 ? still : kind == 1 ? inlet : reservoir;
  s[1] = kind == 0 ? still : kind == 1 ? outlet : reservoir;
  if (kind == 2) s[1].p = 1.1;
  s[2] = kind == 2 ? (ts_boundary){.kind = TS_SYMMETRY} : wall(.2, 0, 1);
  s[3] = wall(.4, 0, 1.1);
  b->c.n_solids = 2;
  b->solid[0] = (ts_solid){{4, 4}, {7, 7}, wall(0, 0, .9)};
  b->solid[1] = (ts_solid){{9, 0}, {11, 3}, wall(0, 0, 1.1)};
  b->c.params = ts_gas(.05);
}

static double wave(double x, double y, int k) { return sin(3 * x + k) * cos(4 * y - 2 * k); }

static void fill_varied(bench *b) {
  for (int j = 0; j <= b->c.n[1]; j++)
    for (int i = 0; i <= b->c.n[0]; i++) {
      double x = .1 * i, y = .08 * j;
      if (i < b->c.n[0] && j < b->c.n[1]) {
        *at(b, 'p', i, j) = 1 + .1 * wave(x, y, 0);
        *at(b, 'T', i, j) = 1 + .1 * wave(x, y, 1);
      }
      if (j < b->c.n[1]) *at(b, 'u', i, j) = .2 + .3 * wave(x, y, 2);
      if (i < b->c.n[0]) *at(b, 'v', i, j) = .3 * wave(x, y, 3);
    }
}

static void steps(bench *b, int n) {
  for (int k = 0; k < n; k++) assert_true(ts_step(b->s, &b->f, .004, 1e-13, 500) > 0);
}

static void swap(double *a, double *b) {
  double keep = *a;
  *a = *b;
  *b = keep;
}

/* The same case with x and y exchanged. */
static void exchange(const bench *b, bench *to) {
  *to = *b;
  for (int a = 0; a < 2; a++) {
    to->c.n[a] = b->c.n[1 - a];
    memcpy(to->d[a], b->d[1 - a], sizeof to->d[a]);
    for (int k = 0; k < 2; k++) {
      to->c.side[2 * a + k] = b->c.side[2 * (1 - a) + k];
      to->solid[k].first[a] = b->solid[k].first[1 - a];
      to->solid[k].end[a] = b->solid[k].end[1 - a];
    }
  }
  for (int k = 0; k < 4; k++) swap(&to->c.side[k].velocity[0], &to->c.side[k].velocity[1]);
}

/* Where a quantity of a case is in its twin. */
typedef double *twin_place(const bench *twin, char q, int i, int j);

static double *exchanged(const bench *e, char q, int i, int j) {
  return at(e, q == 'u' ? 'v' : q == 'v' ? 'u' : q, j, i);
}

static double *reflected(const bench *m, char q, int i, int j) {
  return at(m, q, m->c.n[0] - (q != 'u') - i, j);
}

typedef void twin_visit(double *here, double *there, double sign);

static void copy_value(double *here, double *there, double sign) { *there = sign * *here; }
static void compare_value(double *here, double *there, double sign) {
  assert_near(*there, sign * *here, 1e-13);
}

/* `sign`: of u in the twin. */
static void each_value(const bench *b, const bench *twin, twin_place *place, double sign, twin_visit *visit) {
  int nx = b->c.n[0], ny = b->c.n[1];
  for (int j = 0; j <= ny; j++)
    for (int i = 0; i <= nx; i++) {
      if (j < ny) visit(at(b, 'u', i, j), place(twin, 'u', i, j), sign);
      if (i < nx) visit(at(b, 'v', i, j), place(twin, 'v', i, j), 1);
      if (i == nx || j == ny) continue;
      visit(at(b, 'p', i, j), place(twin, 'p', i, j), 1);
      visit(at(b, 'T', i, j), place(twin, 'T', i, j), 1);
    }
}

static void compare_twins(bench *b, bench *twin, twin_place *place, double sign) {
  bench_open(b);
  bench_open(twin);
  fill_varied(b);
  each_value(b, twin, place, sign, copy_value);
  steps(b, 3);
  steps(twin, 3);
  each_value(b, twin, place, sign, compare_value);
  bench_close(b);
  bench_close(twin);
}

static void test_exchange(void **state) {
  (void)state;
  for (int k = 0; k < 48; k++) {
    bench b = {0}, e;
    varied(&b, k / 16);
    each_variant(&b.c.params, k % 16);
    exchange(&b, &e);
    compare_twins(&b, &e, exchanged, 1);
  }
}

/* The same case seen in a mirror along x. In the first-cell form a wall that moves along another wall's foot
 * tells low from high, since the density carried through a face at rest is that of the high side. Here such
 * walls stand still. */
static void reflect(const bench *b, bench *to) {
  *to = *b;
  int n = b->c.n[0];
  for (int i = 0; i < n; i++) to->d[0][i] = b->d[0][n - 1 - i];
  to->c.side[0] = b->c.side[1];
  to->c.side[1] = b->c.side[0];
  for (int k = 0; k < 4; k++) to->c.side[k].velocity[0] *= -1;
  for (int k = 0; k < 2; k++) {
    to->solid[k].first[0] = n - b->solid[k].end[0];
    to->solid[k].end[0] = n - b->solid[k].first[0];
  }
}

static void test_reflection(void **state) {
  (void)state;
  for (int k = 0; k < 48; k++) {
    bench b = {0}, m;
    varied(&b, k / 16);
    each_variant(&b.c.params, k % 16);
    if (b.c.params.slip == TS_FIRST_CELL) b.c.side[2].velocity[0] = b.c.side[3].velocity[0] = 0;
    reflect(&b, &m);
    compare_twins(&b, &m, reflected, -1);
  }
}

/* A stream along walls that move with it, past a block that does, stays what it is. */
static void test_uniform_flow(void **state) {
  (void)state;
  for (int k = 0; k < 32; k++) {
    bench b = {0};
    varied(&b, 0);
    each_variant(&b.c.params, k % 16);
    ts_boundary moving = wall(.7, k < 16 ? -.4 : 0, 1);
    for (int side = 0; side < 4; side++) b.c.side[side] = moving;
    if (k >= 16) {
      b.c.side[0] = (ts_boundary){TS_INLET, {.7, 0}, 1, 1};
      b.c.side[1] = outlet;
    }
    b.solid[0].wall = b.solid[1].wall = moving;
    bench_open(&b);
    for (int j = 0; j <= 12; j++)
      for (int i = 0; i <= 14; i++) {
        if (j < 12) *at(&b, 'u', i, j) = .7;
        if (i < 14) *at(&b, 'v', i, j) = moving.velocity[1];
        if (i < 14 && j < 12) *at(&b, 'p', i, j) = *at(&b, 'T', i, j) = 1;
      }
    for (int step = 0; step < 10; step++) assert_true(ts_step(b.s, &b.f, .004, 1e-14, 500) > 0);
    for (int j = 0; j < 12; j++)
      for (int i = 0; i < 14; i++) {
        assert_near(*at(&b, 'u', i, j), .7, 2e-14);
        assert_near(*at(&b, 'v', i, j), moving.velocity[1], 2e-14);
        assert_near(*at(&b, 'p', i, j), 1, 2e-14);
        assert_near(*at(&b, 'T', i, j), 1, 2e-14);
      }
    bench_close(&b);
  }
}

/* The inner loop stops at 1e-13, which leaves at most .05 of it a step. */
static void test_mass(void **state) {
  (void)state;
  for (int k = 0; k < 16; k++) {
    bench b = {0};
    varied(&b, 0);
    each_variant(&b.c.params, k);
    bench_open(&b);
    fill_varied(&b);
    double before = ts_mass(b.s, &b.f);
    steps(&b, 10);
    assert_near(ts_mass(b.s, &b.f) / before, 1, 1e-13);
    bench_close(&b);
  }
}

/* A step is its iterations. */
static void test_iterations(void **state) {
  (void)state;
  bench a = {0}, b;
  varied(&a, 1);
  each_variant(&a.c.params, 2);
  b = a;
  bench_open(&a);
  bench_open(&b);
  fill_varied(&a);
  fill_varied(&b);
  int n = ts_step(a.s, &a.f, .004, 1e-10, 500);
  ts_fields next, old = b.f;
  assert_true(ts_fields_create(&next, b.c.n));
  ts_fix(b.s, &old);
  ts_begin_step(b.s, &old, .004);
  for (int k = 1; k <= n; k++) {
    double r = ts_iterate(b.s, &old, &next);
    assert_int_equal(r < 1e-10, k == n);
    ts_fields keep = old;
    old = next;
    next = keep;
  }
  b.f = old;
  for (int j = 0; j < 12; j++)
    for (int i = 0; i < 14; i++) {
      if (!ts_is_gas(a.s, i, j)) continue;
      assert_true(*at(&a, 'p', i, j) == *at(&b, 'p', i, j));
      assert_true(*at(&a, 'T', i, j) == *at(&b, 'T', i, j));
    }
  assert_int_equal(ts_step(a.s, &a.f, .004, 1e-10, 3), -1);
  ts_fields_destroy(&next);
  bench_close(&a);
  bench_close(&b);
}

static void test_refusals(void **state) {
  (void)state;
  bench b = {0};
  varied(&b, 0);
  b.solid[0].first[1] = 1; /* one row of gas is left below */
  b.c.d[0] = b.d[0];
  b.c.d[1] = b.d[1];
  b.c.solid = b.solid;
  assert_non_null(ts_create(&b.s, &b.c));
  assert_null(b.s);
  b.solid[0].first[1] = 4;
  b.c.side[0].kind = TS_PERIODIC;
  assert_non_null(ts_create(&b.s, &b.c));
  assert_null(b.s);
}

/* ---- Couette flow with slip */

/* Relative error of the gas's speed at the walls, which move at +-1/2, Kn = .05, n cells between them, mass 1. */
static double couette_error(int n, ts_slip slip) {
  bench b = {.c = {.params = ts_gas(.05)}};
  bench_widths(&b, 1, n, 1, 1. / n);
  b.c.params.slip = slip;
  b.c.side[0].kind = b.c.side[1].kind = TS_PERIODIC;
  b.c.side[2] = wall(-.5, 0, 1);
  b.c.side[3] = wall(.5, 0, 1);
  bench_open(&b);
  for (int j = 0; j < n; j++) {
    double u = .9 * ((j + .5) / n - .5);
    *at(&b, 'u', 0, j) = u;
    *at(&b, 'T', 0, j) = 1.077 - 4. / 15 * u * u;
    *at(&b, 'p', 0, j) = 1;
  }
  double mass = ts_mass(b.s, &b.f);
  for (int j = 0; j < n; j++) *at(&b, 'p', 0, j) /= mass;
  double dt = .4 / n;
  for (double t = 0; t < 60; t += dt) assert_true(ts_step(b.s, &b.f, dt, 1e-9, 500) > 0);

  double u = *at(&b, 'u', 0, n - 1), T = *at(&b, 'T', 0, n - 1), p = *at(&b, 'p', 0, n - 1);
  double q = 2.1904 * .05 * 2 * n / p, g = 1 - q * T;
  double T_s = slip == TS_WALL_FORM ? (-g + sqrt(g * g + 4 * q)) / (2 * q) : T;
  double k = 1.1466 * .05 * T_s / p * 2 * n;
  bench_close(&b);
  return fabs((k * u + .5) / (1 + k) / .44935342 - 1);
}

/* The figures are the design's; N = 10 shows the orders. */
static void test_couette(void **state) {
  (void)state;
  double coarse = couette_error(10, TS_WALL_FORM), fine = couette_error(20, TS_WALL_FORM);
  assert_near(fine, 2.3e-5, .05e-5);
  assert_near(coarse / fine, 4, .4);
  coarse = couette_error(10, TS_FIRST_CELL);
  fine = couette_error(20, TS_FIRST_CELL);
  assert_near(fine, 5.2e-4, .05e-4);
  assert_near(coarse / fine, 2, .2);
}

/* ---- gas driven through a channel */

static void fill_channel(bench *b, double p_in) {
  int nx = b->c.n[0];
  for (int j = 0; j < b->c.n[1]; j++)
    for (int i = 0; i < nx; i++) {
      *at(b, 'p', i, j) = p_in + (1 - p_in) * (i + 1) / (nx + 1);
      *at(b, 'T', i, j) = 1;
    }
}

/* Through face i; gas flows up the axis. */
static double mass_flow(const bench *b, int i) {
  double sum = 0;
  for (int j = 0; j < b->c.n[1]; j++)
    sum += *at(b, 'p', i - 1, j) / *at(b, 'T', i - 1, j) * *at(b, 'u', i, j) * b->d[1][j];
  return sum;
}

/* Slip flow through a long channel between reservoirs of pressure 1.1 and 1, against its asymptotic solution:
 * 2.6 % off with 8 cells across, .8 % with 16. The pressure is held at the ghosts' centres, so dx more than the
 * grid's length lies between them. */
static void test_channel(void **state) {
  (void)state;
  enum { NX = 16, NY = 8 };
  bench b = {.c = {.params = ts_gas(.05)}};
  bench_widths(&b, NX, NY, 10. / (NX + 1), 1. / NY);
  b.c.params.storage = TS_ACCELERATED;
  b.c.side[0] = b.c.side[1] = (ts_boundary){.kind = TS_RESERVOIR, .p = 1, .T = 1};
  b.c.side[0].p = 1.1;
  b.c.side[2] = b.c.side[3] = wall(0, 0, 1);
  bench_open(&b);
  fill_channel(&b, 1.1);
  for (int k = 0; k < 1500; k++) assert_true(ts_step(b.s, &b.f, .08, 1e-8, 500) > 0);
  for (int i = 1; i < NX; i++) assert_near(mass_flow(&b, i), mass_flow(&b, NX / 2), 1e-6);
  assert_near(mass_flow(&b, NX / 2), 2.09725066e-2, .03 * 2.09725066e-2);
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_design_numbers), cmocka_unit_test(test_exchange),
      cmocka_unit_test(test_reflection),     cmocka_unit_test(test_uniform_flow),
      cmocka_unit_test(test_mass),           cmocka_unit_test(test_iterations),
      cmocka_unit_test(test_refusals),       cmocka_unit_test(test_couette),
      cmocka_unit_test(test_channel)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
