/* The solver of incompressible flow: the design's numbers, its element-by-element terms against loops over edges,
 * fluid at rest, momentum, boundaries, orders. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "edge_navier_stokes.h"
#include "kuhn.h"
#include "near.h"

static const double PI = 3.14159265358979323846;

/* A box, a solver on it, and arrays for its state. */
typedef struct sample {
  kuhn *box;
  ens_solver *solver;
  int32_t n;
  int dim;
  double *u, *p, *u2, *p2; /* a second pair for what is compared */
} sample;

static void *zeros(size_t n, size_t size) {
  void *memory = calloc(n, size);
  assert_non_null(memory);
  return memory;
}

static sample sample_create(kuhn_spec spec, const ens_params *params, const ens_boundary *boundary) {
  sample s = {.box = kuhn_create(spec), .dim = spec.dim};
  assert_non_null(s.box);
  s.n = s.box->mesh.n_nodes;
  s.solver = ens_create(&s.box->mesh, params, boundary);
  assert_non_null(s.solver);
  size_t n = (size_t)s.n;
  s.u = zeros(n * 3, sizeof *s.u);
  s.p = zeros(n, sizeof *s.p);
  s.u2 = zeros(n * 3, sizeof *s.u2);
  s.p2 = zeros(n, sizeof *s.p2);
  return s;
}

static void sample_free(sample *s) {
  ens_destroy(&s->solver);
  kuhn_destroy(&s->box);
  free(s->u);
  free(s->p);
  free(s->u2);
  free(s->p2);
}

/* Every node of the sides fixed; the caller frees. */
static ens_fixed *no_slip(kuhn_spec spec, int32_t *count) {
  kuhn *box = kuhn_create(spec);
  assert_non_null(box);
  ens_fixed *fixed = zeros((size_t)box->mesh.n_nodes, sizeof *fixed);
  *count = 0;
  for (int32_t i = 0; i < box->mesh.n_nodes; i++)
    if (box->boundary[i]) fixed[(*count)++].node = i;
  kuhn_destroy(&box);
  return fixed;
}

/* The normals of every side, a node in a corner having several; the caller frees. */
static ens_slip *slip_sides(kuhn_spec spec, int32_t *count) {
  kuhn *box = kuhn_create(spec);
  assert_non_null(box);
  ens_slip *slip = zeros((size_t)box->mesh.n_nodes * 3, sizeof *slip);
  *count = 0;
  for (int32_t i = 0; i < box->mesh.n_nodes; i++)
    for (int c = 0; box->boundary[i] && c < spec.dim; c++) {
      double x = box->x[i * spec.dim + c];
      if (x > 0 && x < spec.size[c]) continue;
      slip[*count].node = i;
      slip[(*count)++].normal[c] = x > 0 ? 2 : -2;
    }
  kuhn_destroy(&box);
  return slip;
}

/* ---- the design's debugging numbers ------------------------------------------------------------------------- */

enum { CAVITY = 16 };

/* [17 * 17] The lid moves, its rim does not. */
static ens_fixed *lid_cavity(kuhn_spec spec, int32_t *count) {
  ens_fixed *fixed = no_slip(spec, count);
  for (int32_t k = 0; k < *count; k++) {
    int x = fixed[k].node % (CAVITY + 1), y = fixed[k].node / (CAVITY + 1);
    if (y == CAVITY && x > 0 && x < CAVITY) fixed[k].velocity[0] = 1;
  }
  return fixed;
}

/* min, max, mean, and nodes 144, 263, 253. */
static void expect_design(const double *v, int32_t n, int stride, const double *expected) {
  double least = INFINITY, most = -INFINITY, mean = 0;
  for (int32_t i = 0; i < n; i++) {
    least = fmin(least, v[i * stride]);
    most = fmax(most, v[i * stride]);
    mean += v[i * stride] / n;
  }
  const double found[] = {least, most, mean, v[144 * stride], v[263 * stride], v[253 * stride]};
  for (int k = 0; k < 6; k++) assert_near(found[k], expected[k], 5e-13);
}

static void test_design_numbers(void **state) {
  (void)state;
  const kuhn_spec spec = {.dim = 2, .n = {CAVITY, CAVITY}, .size = {1, 1}};
  ens_params params = ens_default_params(0.01);
  ens_open corner = {0};
  ens_boundary b = {.open = &corner, .n_open = 1};
  ens_fixed *fixed = lid_cavity(spec, &b.n_fixed);
  b.fixed = fixed;
  sample s = sample_create(spec, &params, &b);
  for (int k = 0; k < 10; k++) assert_int_equal(ens_step(s.solver, 0.02), CG_OK);
  ens_get_state(s.solver, s.u, s.p);
  static const double u[] = {-.4794136996807, 1, .02420886886424, -.05610934644612, .2256857831413,
                             -.1424166619641};
  static const double v[] = {-.4601012898362, .5222468657945,    -4.892121684475e-5,
                             .00132511694895, .0009132595187698, -.4184822091559};
  static const double p[] = {-3.426088719979,  1.659275292455,    -.001944484808757,
                             .005726359406586, -.009107250699007, .3489580352987};
  expect_design(s.u, s.n, 2, u);
  expect_design(s.u + 1, s.n, 2, v);
  expect_design(s.p, s.n, 1, p);
  sample_free(&s);
  free(fixed);
}

/* ---- elements against edges ---------------------------------------------------------------------------------- */

static const double NU = 0.03, DT = 0.01;

typedef struct edges {
  const sample *s;
  p1_integrals *p;
  double *tau, *xi, *pi; /* [n], [n * dim] */
  ens_stabilisation form;
} edges;

static double dot(const double *a, const double *b, int d) {
  double sum = 0;
  for (int c = 0; c < d; c++) sum += a[c] * b[c];
  return sum;
}

static double along_ld(const double *u, const double *ld, int d) {
  double sum = 0;
  for (int r = 0; r < d; r++) sum += u[r] * dot(ld + r * d, u, d);
  return sum;
}

static double trace(const double *ld, int d) {
  double sum = 0;
  for (int r = 0; r < d; r++) sum += ld[r * d + r];
  return sum;
}

static void find_projections(edges *e) {
  const sample *s = e->s;
  const p1_graph *g = e->p->graph;
  int d = s->dim;
  for (int32_t i = 0; i < s->n; i++) {
    const double *u = s->u + i * d;
    double h = pow(e->p->mass[i], 1.0 / d);
    e->tau[i] = 1 / (1 / DT + NU / (h * h) + sqrt(dot(u, u, d)) / h);
    for (int32_t k = g->start[i]; k < g->start[i + 1]; k++) {
      const double *grad = e->p->grad + k * d, *v = s->u + g->node[k] * d;
      for (int c = 0; c < d; c++) {
        e->xi[i * d + c] += dot(grad, u, d) * (v[c] - u[c]) / e->p->mass[i];
        e->pi[i * d + c] += grad[c] * (s->p[g->node[k]] - s->p[i]) / e->p->mass[i];
      }
    }
  }
}

static edges edges_create(const sample *s, ens_stabilisation form) {
  size_t n = (size_t)s->n;
  edges e = {s,
             p1_integrals_create(&s->box->mesh),
             zeros(n, sizeof(double)),
             zeros(3 * n, sizeof(double)),
             zeros(3 * n, sizeof(double)),
             form};
  assert_non_null(e.p);
  find_projections(&e);
  return e;
}

static void edges_free(edges *e) {
  p1_integrals_destroy(&e->p);
  free(e->tau);
  free(e->xi);
  free(e->pi);
}

/* Component c of S of edge k from i to j, as the scheme has it. */
static double stabilising(const edges *e, int32_t i, int32_t j, int32_t k, int c) {
  int d = e->s->dim;
  const double *u = e->s->u + i * d, *v = e->s->u + j * d, *ld = e->p->ld + k * d * d;
  const double *grad = e->p->grad + k * d, *g = e->p->g + k * d;
  double here = e->tau[i], there = e->tau[j], xi = e->xi[i * d + c], xj = e->xi[j * d + c];
  if (e->form == ENS_NONE) return 0;
  if (e->form == ENS_NODAL)
    return here * (along_ld(u, ld, d) * (v[c] - u[c]) - dot(u, g, d) * xj + dot(u, grad, d) * xi);
  return (here * along_ld(u, ld, d) + there * along_ld(v, ld, d)) / 2 * (v[c] - u[c]) -
         there * dot(v, g, d) * xj + here * dot(u, grad, d) * xi;
}

static double rate_by_edges(const edges *e, int32_t i, int c) {
  const sample *s = e->s;
  int d = s->dim;
  double sum = 0;
  for (int32_t k = e->p->graph->start[i]; k < e->p->graph->start[i + 1]; k++) {
    int32_t j = e->p->graph->node[k];
    const double *grad = e->p->grad + k * d;
    double rise = s->u[j * d + c] - s->u[i * d + c];
    sum += e->p->g[k * d + c] * s->p[j] - grad[c] * s->p[i];
    sum -= dot(grad, s->u + i * d, d) * rise + NU * trace(e->p->ld + k * d * d, d) * rise;
    sum -= stabilising(e, i, j, k, c);
  }
  return sum / e->p->mass[i];
}

static double right_side_by_edges(const edges *e, int32_t i, const double *u) {
  const sample *s = e->s;
  int d = s->dim;
  double sum = 0;
  for (int32_t k = e->p->graph->start[i]; k < e->p->graph->start[i + 1]; k++) {
    int32_t j = e->p->graph->node[k];
    double l = trace(e->p->ld + k * d * d, d), step = 0;
    for (int c = 0; c < d; c++) {
      double x = s->box->x[j * d + c] - s->box->x[i * d + c], period = s->box->mesh.period[c];
      if (period > 0) x -= period * round(x / period);
      step += x * (e->pi[i * d + c] + e->pi[j * d + c]) / 2;
      sum -= e->p->grad[k * d + c] * (u[j * d + c] - u[i * d + c]);
    }
    sum += 0.5 * DT * l * (s->p[j] - s->p[i]) + (e->tau[i] + e->tau[j]) / 2 * l * step;
  }
  return sum;
}

static void fill(sample *s) {
  for (int32_t i = 0; i < s->n; i++) {
    for (int c = 0; c < s->dim; c++) s->u[i * s->dim + c] = sin(1.7 * i + c);
    s->p[i] = cos(0.9 * i);
  }
  ens_set_state(s->solver, s->u, s->p);
}

static void compare_with_edges(kuhn_spec spec, ens_stabilisation form) {
  ens_params params = ens_default_params(NU);
  params.stabilisation = form;
  sample s = sample_create(spec, &params, &(ens_boundary){0});
  fill(&s);
  edges e = edges_create(&s, form);
  double scale = 0;
  ens_rate(s.solver, DT, s.u2);
  cg_matrix h = ens_pressure_system(s.solver, DT, s.p2);
  for (int32_t k = 0; k < s.n * s.dim; k++) scale = fmax(scale, fabs(s.u2[k]));
  for (int32_t i = 0; i < s.n; i++) {
    for (int c = 0; c < s.dim; c++)
      assert_near(s.u2[i * s.dim + c] / scale, rate_by_edges(&e, i, c) / scale, 1e-13);
    assert_near(s.p2[i], right_side_by_edges(&e, i, s.u), 1e-14);
    double row = h.diagonal[i];
    for (int32_t k = h.start[i]; k < h.start[i + 1]; k++) {
      double tau = (e.tau[i] + e.tau[h.node[k]]) / 2;
      assert_near(h.off[k], (tau + DT / 2) * trace(e.p->ld + k * s.dim * s.dim, s.dim), 1e-16);
      assert_near(h.off[k], h.off[p1_graph_find(e.p->graph, h.node[k], i)], 1e-16);
      row += h.off[k];
    }
    assert_near(row, 0, 1e-16);
  }
  edges_free(&e);
  sample_free(&s);
}

static const kuhn_spec SPECS[] = {
    {.dim = 2, .n = {7, 5}, .size = {1.4, 1}, .jitter = 0.25},
    {.dim = 2, .n = {6, 7}, .size = {1, 1}, .jitter = 0.25, .periodic = {true, true}},
    {.dim = 3, .n = {4, 5, 4}, .size = {1, 1.5, 2}, .jitter = 0.15},
    {.dim = 3, .n = {5, 4, 4}, .size = {1, 1, 1}, .jitter = 0.15, .periodic = {true, true, true}},
};

static void test_edges(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof SPECS / sizeof *SPECS; k++)
    for (int form = ENS_CONSERVATIVE; form <= ENS_NONE; form++) compare_with_edges(SPECS[k], form);
}

/* ---- rest, momentum, boundaries ------------------------------------------------------------------------------ */

/* Fluid under gravity, its pressure linear: nothing may move, whatever the walls. */
static void stay_at_rest(kuhn_spec spec, const ens_boundary *b) {
  ens_params params = ens_default_params(0.01);
  params.tolerance = 1e-14;
  sample s = sample_create(spec, &params, b);
  for (int32_t i = 0; i < s.n; i++) {
    s.u2[i * s.dim + 1] = -1;
    s.p[i] = -s.box->x[i * s.dim + 1];
  }
  ens_set_force(s.solver, s.u2);
  ens_set_state(s.solver, NULL, s.p);
  for (int k = 0; k < 3; k++) assert_int_equal(ens_step(s.solver, 0.01), CG_OK);
  ens_get_state(s.solver, s.u, s.p2);
  double shift = s.p2[0] - s.p[0];
  for (int32_t k = 0; k < s.n * s.dim; k++) assert_near(s.u[k], 0, 1e-14);
  for (int32_t i = 0; i < s.n; i++) assert_near(s.p2[i] - shift, s.p[i], 1e-12);
  sample_free(&s);
}

static void test_rest(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof SPECS / sizeof *SPECS; k += 2) {
    ens_boundary closed = {0}, smooth = {0};
    ens_fixed *fixed = no_slip(SPECS[k], &closed.n_fixed);
    ens_slip *slip = slip_sides(SPECS[k], &smooth.n_slip);
    closed.fixed = fixed;
    smooth.slip = slip;
    stay_at_rest(SPECS[k], &closed);
    stay_at_rest(SPECS[k], &smooth);
    free(fixed);
    free(slip);
  }
}

/* Momentum that the stabilisation adds to a periodic box: none in the conservative form, some in the nodal one. */
static double momentum_added(kuhn_spec spec, ens_stabilisation form) {
  double total[3] = {0};
  ens_params params = ens_default_params(NU);
  for (int with = 0; with < 2; with++) {
    params.stabilisation = with ? form : ENS_NONE;
    sample s = sample_create(spec, &params, &(ens_boundary){0});
    fill(&s);
    ens_rate(s.solver, DT, s.u2);
    for (int32_t k = 0; k < s.n * s.dim; k++)
      total[k % s.dim] += (with ? 1 : -1) * ens_mass(s.solver)[k / s.dim] * s.u2[k];
    sample_free(&s);
  }
  return fmax(fabs(total[0]), fmax(fabs(total[1]), fabs(total[2])));
}

static void test_momentum(void **state) {
  (void)state;
  assert_below(momentum_added(SPECS[1], ENS_CONSERVATIVE), 1e-13);
  assert_below(momentum_added(SPECS[3], ENS_CONSERVATIVE), 1e-13);
  assert_below(1e-4, momentum_added(SPECS[1], ENS_NODAL));
}

/* A corner of two slip sides lets nothing through, and a normal given twice is no third one. */
static void test_corners(void **state) {
  (void)state;
  const kuhn_spec spec = {.dim = 3, .n = {2, 2, 2}, .size = {1, 1, 1}};
  const ens_slip slip[] = {{0, {1, 0, 0}}, {1, {1, 1, 0}}, {1, {1, 0, 0}}, {1, {3, 3, 0}}};
  const ens_fixed fixed[] = {{2, {1, 2, 3}}, {2, {9, 9, 9}}};
  ens_params params = ens_default_params(1);
  sample s =
      sample_create(spec, &params, &(ens_boundary){.slip = slip, .n_slip = 4, .fixed = fixed, .n_fixed = 2});
  for (int32_t k = 0; k < s.n * 3; k++) s.u[k] = 5 + k % 3;
  ens_set_state(s.solver, s.u, NULL);
  ens_get_state(s.solver, s.u2, NULL);
  const double expected[] = {0, 6, 7, 0, 0, 7, 1, 2, 3, 5, 6, 7};
  for (int k = 0; k < 12; k++) assert_near(s.u2[k], expected[k], 1e-14);
  sample_free(&s);
}

/* ---- the linear solver --------------------------------------------------------------------------------------- */

static void test_cg(void **state) {
  (void)state;
  const int32_t start[] = {0, 1, 3, 4}, node[] = {1, 0, 2, 1};
  const double off[] = {-1, -1, -1, -1}, diagonal[] = {1, 2, 1}, f[] = {1, 0, -1}, bad[] = {1, -2, 1};
  cg_matrix chain = {3, start, node, off, diagonal}, indefinite = {3, start, node, off, bad};
  cg_options free_ends = {.constants = true, .tolerance = 1e-14, .max_iterations = 10}, held = free_ends;
  double x[] = {7, 7, 7};
  assert_int_equal(jacobi_cg(&chain, f, x, &free_ends, NULL), CG_OK);
  for (int k = 0; k < 3; k++) assert_near(x[k], 1 - k, 1e-14);
  const bool first[] = {true, false, false};
  held.constants = false;
  held.held = first;
  x[0] = 5;
  assert_int_equal(jacobi_cg(&chain, f, x, &held, NULL), CG_OK);
  for (int k = 0; k < 3; k++) assert_near(x[k], 5 - k, 1e-13);
  held.held = NULL;
  assert_int_equal(jacobi_cg(&indefinite, f, x, &held, NULL), CG_INDEFINITE);
  free_ends.max_iterations = 0;
  x[0] = 7;
  assert_int_equal(jacobi_cg(&chain, f, x, &free_ends, NULL), CG_NOT_CONVERGED);
}

/* ---- orders -------------------------------------------------------------------------------------------------- */

typedef struct errors {
  double u, p; /* relative, L2 */
} errors;

/* Taylor and Green's vortices in a periodic box, a slab in 3D: u = sin x cos y F, v = -cos x sin y F,
 * p = (cos 2x + cos 2y) F^2 / 4, F = exp(-2 nu t). */
static void vortices(const sample *s, double decay, double *u, double *p) {
  for (int32_t i = 0; i < s->n; i++) {
    double x = s->box->x[i * s->dim], y = s->box->x[i * s->dim + 1];
    u[i * s->dim] = sin(x) * cos(y) * decay;
    u[i * s->dim + 1] = -cos(x) * sin(y) * decay;
    p[i] = 0.25 * (cos(2 * x) + cos(2 * y)) * decay * decay;
  }
}

static double distance(const double *a, const double *b, int stride, const double *mass, int32_t n) {
  double difference = 0, norm = 0, mean = 0, volume = 0;
  for (int32_t i = 0; i < n; i++) volume += mass[i];
  for (int32_t i = 0; stride == 1 && i < n; i++) mean += mass[i] * (a[i] - b[i]) / volume;
  for (int32_t k = 0; k < n * stride; k++) {
    difference += mass[k / stride] * (a[k] - b[k] - mean) * (a[k] - b[k] - mean);
    norm += mass[k / stride] * b[k] * b[k];
  }
  return sqrt(difference / norm);
}

static errors taylor_green(int dim, int n, ens_stabilisation form) {
  const double nu = 0.01, t = 2, l = 2 * PI;
  ens_params params = ens_default_params(nu);
  params.stabilisation = form;
  params.tolerance = 1e-8;
  kuhn_spec spec = {.dim = dim, .n = {n, n, 4}, .size = {l, l, l * 4 / n}, .periodic = {true, true, true}};
  spec.jitter = dim == 2 ? 0.2 : 0.1;
  sample s = sample_create(spec, &params, &(ens_boundary){0});
  vortices(&s, 1, s.u, s.p);
  ens_set_state(s.solver, s.u, s.p);
  assert_int_equal(ens_run(s.solver, t), CG_OK);
  ens_get_state(s.solver, s.u, s.p);
  vortices(&s, exp(-2 * nu * t), s.u2, s.p2);
  const double *mass = ens_mass(s.solver);
  errors e = {distance(s.u, s.u2, dim, mass, s.n), distance(s.p, s.p2, 1, mass, s.n)};
  print_message("Taylor-Green, %dD, n = %d: u %.2e p %.2e after %d steps\n", dim, n, e.u, e.p,
                (int)ens_steps(s.solver));
  sample_free(&s);
  return e;
}

/* The design's independent solver reached orders 2.4 and 2.1 to 2.5; the paper's nodal form is of order 1. */
static void test_orders(void **state) {
  (void)state;
  for (int dim = 2; dim <= 3; dim++) {
    errors coarse = taylor_green(dim, 16, ENS_CONSERVATIVE), fine = taylor_green(dim, 32, ENS_CONSERVATIVE);
    assert_below(fine.u, 0.02);
    assert_below(2, log2(coarse.u / fine.u));
    assert_below(2, log2(coarse.p / fine.p));
  }
  errors coarse = taylor_green(2, 32, ENS_NODAL), fine = taylor_green(2, 64, ENS_NODAL);
  assert_below(log2(coarse.u / fine.u), 1.6);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_design_numbers), cmocka_unit_test(test_edges),   cmocka_unit_test(test_rest),
      cmocka_unit_test(test_momentum),       cmocka_unit_test(test_corners), cmocka_unit_test(test_cg),
      cmocka_unit_test(test_orders),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
