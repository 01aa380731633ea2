/* The integrals of linear elements: values found by hand on one element, and what must hold between them on any
 * mesh. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "kuhn.h"
#include "near.h"

static const kuhn_spec SPECS[] = {
    {.dim = 2, .n = {7, 5}, .size = {1.4, 1}, .jitter = 0.25},
    {.dim = 2, .n = {6, 7}, .size = {1, 1}, .jitter = 0.25, .periodic = {true, true}},
    {.dim = 3, .n = {4, 5, 4}, .size = {1, 1.5, 2}, .jitter = 0.15},
    {.dim = 3, .n = {5, 4, 4}, .size = {1, 1, 1}, .jitter = 0.15, .periodic = {true, false, true}},
};

typedef struct sample {
  kuhn *box;
  p1_integrals *p;
  int dim;
  double volume;
} sample;

static sample sample_at(size_t k) {
  kuhn *box = kuhn_create(SPECS[k]);
  assert_non_null(box);
  sample s = {box, p1_integrals_create(&box->mesh), SPECS[k].dim, 1};
  assert_non_null(s.p);
  for (int c = 0; c < s.dim; c++) s.volume *= SPECS[k].size[c];
  return s;
}

static void sample_free(sample *s) {
  p1_integrals_destroy(&s->p);
  kuhn_destroy(&s->box);
}

static void on_all(void (*check)(const sample *)) {
  for (size_t k = 0; k < sizeof SPECS / sizeof *SPECS; k++) {
    sample s = sample_at(k);
    check(&s);
    sample_free(&s);
  }
}

static bool interior_edge(const sample *s, int32_t i, int32_t k) {
  return !s->box->boundary[i] || !s->box->boundary[s->p->graph->node[k]];
}

/* ---- one element --------------------------------------------------------------------------------------------- */

static void test_triangle(void **state) {
  (void)state;
  const double x[] = {0, 0, 2, 0, 0, 1};
  const int32_t corners[] = {0, 1, 2};
  p1_mesh m = {.dim = 2, .n_nodes = 3, .n_elements = 1, .x = x, .element = corners};
  p1_integrals *p = p1_integrals_create(&m);
  assert_non_null(p);
  int32_t k = p1_graph_find(p->graph, 0, 1);
  assert_int_equal(k, 0);
  assert_int_equal(p1_graph_find(p->graph, 0, 0), -1);
  assert_near(p->mass[0], 1.0 / 3, 1e-15);
  assert_near(p->mass_edge[k], 1.0 / 12, 1e-15);
  /* grad N_0 = (-1/2, -1), grad N_1 = (1/2, 0), area 1 */
  const double grad[] = {1.0 / 6, 0}, g[] = {-1.0 / 6, -1.0 / 3}, ld[] = {-0.25, 0, -0.5, 0};
  for (int c = 0; c < 2; c++) assert_near(p->grad[k * 2 + c], grad[c], 1e-15);
  for (int c = 0; c < 2; c++) assert_near(p->g[k * 2 + c], g[c], 1e-15);
  for (int c = 0; c < 4; c++) assert_near(p->ld[k * 4 + c], ld[c], 1e-15);
  p1_integrals_destroy(&p);
}

/* Of the orientation that is inside out: nothing depends on it. */
static void test_tetrahedron(void **state) {
  (void)state;
  const double x[] = {0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3};
  const int32_t corners[] = {0, 2, 1, 3};
  p1_mesh m = {.dim = 3, .n_nodes = 4, .n_elements = 1, .x = x, .element = corners};
  p1_integrals *p = p1_integrals_create(&m);
  assert_non_null(p);
  int32_t k = p1_graph_find(p->graph, 2, 0);
  assert_near(p->mass[3], 0.25, 1e-15);
  assert_near(p->mass_edge[k], 0.05, 1e-15);
  /* grad N_2 = (0, 1/2, 0), grad N_0 = (-1, -1/2, -1/3), volume 1 */
  const double grad[] = {-0.25, -0.125, -1.0 / 12}, g[] = {0, 0.125, 0};
  const double ld[] = {0, 0, 0, -0.5, -0.25, -1.0 / 6, 0, 0, 0};
  for (int c = 0; c < 3; c++) assert_near(p->grad[k * 3 + c], grad[c], 1e-15);
  for (int c = 0; c < 3; c++) assert_near(p->g[k * 3 + c], g[c], 1e-15);
  for (int c = 0; c < 9; c++) assert_near(p->ld[k * 9 + c], ld[c], 1e-15);
  p1_integrals_destroy(&p);
}

/* ---- any mesh ------------------------------------------------------------------------------------------------ */

static void check_mass(const sample *s) {
  double sum = 0;
  for (int32_t i = 0; i < s->p->graph->n; i++) {
    double others = 0;
    for (int32_t k = s->p->graph->start[i]; k < s->p->graph->start[i + 1]; k++) others += s->p->mass_edge[k];
    assert_near(others, s->p->mass[i] * s->dim / (s->dim + 2), 1e-15);
    sum += s->p->mass[i];
  }
  assert_near(sum, s->volume, 1e-13);
}

static void test_mass(void **state) {
  (void)state;
  on_all(check_mass);
}

/* Edge k leads from node i. */
static void check_edge(const sample *s, int32_t i, int32_t k) {
  const p1_integrals *p = s->p;
  int d = s->dim;
  int32_t back = p1_graph_find(p->graph, p->graph->node[k], i);
  assert_true(back >= 0);
  assert_near(p->mass_edge[k], p->mass_edge[back], 1e-17);
  for (int r = 0; r < d; r++) {
    assert_near(p->g[k * d + r], p->grad[back * d + r], 1e-16);
    if (interior_edge(s, i, k)) assert_near(p->g[k * d + r], -p->grad[k * d + r], 1e-15);
    for (int c = 0; c < d; c++) assert_near(p->ld[(k * d + r) * d + c], p->ld[(back * d + c) * d + r], 1e-15);
  }
}

static void check_symmetry(const sample *s) {
  const p1_graph *g = s->p->graph;
  for (int32_t i = 0; i < g->n; i++)
    for (int32_t k = g->start[i]; k < g->start[i + 1]; k++) check_edge(s, i, k);
}

static void test_symmetry(void **state) {
  (void)state;
  on_all(check_symmetry);
}

/* x_J - x_I, the short way. */
static void along(const sample *s, int32_t i, int32_t j, double *out) {
  for (int c = 0; c < s->dim; c++) {
    double d = s->box->x[j * s->dim + c] - s->box->x[i * s->dim + c], period = s->box->mesh.period[c];
    out[c] = period > 0 ? d - period * round(d / period) : d;
  }
}

/* A field of constant gradient: its strong gradient is exact at every node, its Laplacian, even that of every pair
 * of directions, is zero inside. */
static void check_linear(const sample *s) {
  const double slope[3] = {0.7, -1.3, 0.4};
  const p1_integrals *p = s->p;
  const int d = s->dim == 3 ? 3 : 2;
  for (int32_t i = 0; i < p->graph->n; i++) {
    double gradient[3] = {0}, laplace[9] = {0};
    for (int32_t k = p->graph->start[i]; k < p->graph->start[i + 1]; k++) {
      double x[3] = {0}, rise = 0;
      along(s, i, p->graph->node[k], x);
      for (int c = 0; c < d; c++) rise += slope[c] * x[c];
      for (int c = 0; c < d; c++) gradient[c] += p->grad[k * d + c] * rise;
      for (int c = 0; c < d * d; c++) laplace[c] += p->ld[k * d * d + c] * rise;
    }
    for (int c = 0; c < d; c++) assert_near(gradient[c] / p->mass[i], slope[c], 1e-13);
    for (int c = 0; c < d * d; c++)
      if (!s->box->boundary[i]) assert_near(laplace[c], 0, 1e-14);
  }
}

static void test_linear(void **state) {
  (void)state;
  on_all(check_linear);
}

/* The weak gradient of any field sums to zero, and that of a constant is zero inside. */
static void check_weak(const sample *s) {
  const p1_integrals *p = s->p;
  int d = s->dim;
  double total[3] = {0};
  for (int32_t i = 0; i < p->graph->n; i++) {
    double of_one[3] = {0};
    for (int32_t k = p->graph->start[i]; k < p->graph->start[i + 1]; k++)
      for (int c = 0; c < d; c++) {
        double here = sin(3.0 * i), there = sin(3.0 * p->graph->node[k]);
        of_one[c] += p->g[k * d + c] - p->grad[k * d + c];
        total[c] += p->g[k * d + c] * there - p->grad[k * d + c] * here;
      }
    for (int c = 0; c < d; c++)
      if (!s->box->boundary[i]) assert_near(of_one[c], 0, 1e-15);
  }
  for (int c = 0; c < d; c++) assert_near(total[c], 0, 1e-13);
}

static void test_weak(void **state) {
  (void)state;
  on_all(check_weak);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_triangle), cmocka_unit_test(test_tetrahedron), cmocka_unit_test(test_mass),
      cmocka_unit_test(test_symmetry), cmocka_unit_test(test_linear),      cmocka_unit_test(test_weak),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
