/* The preconditioners `multigrid` and `chebyshev`: when a hierarchy is made, and how long it serves. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "csr/cycle.h"
#include "csr/precondition.h"

/* Degree 2 needs about two thirds of the iterations of degree 1, and less time: docs/solvers.md, Multigrid. */
enum { SMOOTHER_DEGREE = 2, CHEBYSHEV_DEGREE = 4 };
static const double CHEBYSHEV_LOWEST = 0.03;

typedef struct multigrid {
  cycle *cycle; /* NULL before the first values */
  int32_t first,
      latest; /* iterations of the first solve with this hierarchy, and of the last one; -1: none yet */
} multigrid;

static ew_status create(const csr_matrix *matrix, void **state, ew_error *err) {
  (void)matrix;
  multigrid *m = *state = calloc(1, sizeof *m);
  if (!m) return ew_fail(err, EW_FAIL, "out of memory for multigrid");
  m->first = m->latest = -1;
  return EW_OK;
}

static void destroy(void **state) {
  multigrid *m = *state;
  if (!m) return;
  cycle_destroy(&m->cycle);
  free(m);
  *state = NULL;
}

/* ---- making a hierarchy ------------------------------------------------------------------------------------------- */

/* 1 / (the diagonal's mean), as a power of two: it changes no bit of a product. */
static double scale_of(const mg_matrix *a) {
  double sum = 0;
  int exponent = 0;
  for (int32_t i = 0; i < a->n; i++) sum += fabs(a->diagonal[i]);
  if (!(sum > 0) || !isfinite(sum)) return 1;
  frexp(sum / a->n, &exponent);
  return ldexp(1, -exponent);
}

static ew_status read_values(const csr_matrix *matrix, double *off, double *diagonal, ew_error *err) {
  ew_status status = EW_OK;
  const csr_pattern *p = &matrix->pattern;
  EW_CHECK(dev_buffer_read(matrix->diagonal, 0, 8 * (uint64_t)p->n, diagonal, err));
  if (p->start[p->n]) EW_CHECK(dev_buffer_read(matrix->off, 0, 8 * (uint64_t)p->start[p->n], off, err));
cleanup:
  return status;
}

static ew_status make_hierarchy(multigrid *m, const csr_matrix *matrix, ew_error *err) {
  ew_status status = EW_OK;
  const csr_pattern *p = &matrix->pattern;
  const cycle_polynomial smoother = cycle_smoother(SMOOTHER_DEGREE);
  mg_hierarchy *h = NULL;
  double *off = malloc(((size_t)p->start[p->n] + 1) * sizeof *off),
         *diagonal = malloc(((size_t)p->n + 1) * sizeof *diagonal);
  if (!off || !diagonal) EW_CHECK(ew_fail(err, EW_FAIL, "out of memory for multigrid on %d rows", p->n));
  EW_CHECK(read_values(matrix, off, diagonal, err));
  const mg_matrix a = {p->n, p->start, p->col, off, diagonal};
  cycle_destroy(&m->cycle);
  EW_CHECK(mg_hierarchy_create(&a, &h, err));
  EW_CHECK(cycle_create(matrix, h, scale_of(&h->level[0].matrix), &smoother, &m->cycle, err));
  m->first = m->latest = -1;
cleanup:
  mg_hierarchy_destroy(&h);
  free(off);
  free(diagonal);
  return status;
}

/* ---- keeping it ------------------------------------------------------------------------------------------------------- */

/* A hierarchy serves as long as solves take at most a quarter more iterations than its first one, and four more. */
static bool worn(const multigrid *m) { return m->first >= 0 && m->latest > m->first + m->first / 4 + 4; }

static ew_status update(void *state, const csr_matrix *matrix, ew_error *err) {
  ew_status status = EW_OK;
  multigrid *m = state;
  if (!m->cycle || worn(m)) EW_CHECK(make_hierarchy(m, matrix, err));
  EW_CHECK(cycle_take(m->cycle, matrix, err));
cleanup:
  return status;
}

static void solved(void *state, int32_t iterations) {
  multigrid *m = state;
  m->latest = iterations;
  if (m->first < 0) m->first = iterations;
}

static ew_status apply(void *state, const dev_buffer *idle, const dev_buffer *r, dev_buffer *z,
                       ew_error *err) {
  return cycle_apply(((multigrid *)state)->cycle, idle, r, z, err);
}

const csr_precondition_class csr_multigrid = {create, update, apply, solved, destroy};

/* ---- Chebyshev: one level, no correction ---------------------------------------------------------------------------------- */

static ew_status update_chebyshev(void *state, const csr_matrix *matrix, ew_error *err) {
  ew_status status = EW_OK;
  multigrid *m = state;
  const csr_pattern *p = &matrix->pattern;
  const cycle_polynomial polynomial = cycle_chebyshev(CHEBYSHEV_DEGREE, CHEBYSHEV_LOWEST);
  mg_hierarchy single = {.n_levels = 1, .level = {{.matrix = {p->n, p->start, p->col, NULL, NULL}}}};
  if (!m->cycle) EW_CHECK(cycle_create(matrix, &single, 1, &polynomial, &m->cycle, err));
  EW_CHECK(cycle_take(m->cycle, matrix, err));
cleanup:
  return status;
}

const csr_precondition_class csr_chebyshev = {create, update_chebyshev, apply, NULL, destroy};
