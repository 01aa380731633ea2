/* The preconditioners `multigrid` and `chebyshev`: when a hierarchy is made, and how long it serves. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "csr/setup.h"

/* Degree 2 needs about two thirds of the iterations of degree 1, and less time: docs/solvers.md, Multigrid. */
enum { SMOOTHER_DEGREE = 2, CHEBYSHEV_DEGREE = 4 };
static const double CHEBYSHEV_LOWEST = 0.03;

typedef struct multigrid {
  cycle *cycle;
  setup *setup; /* NULL: the host makes hierarchies */
  /* iterations of the first solve with these aggregates, of the first with these values on coarser levels, and of the last one; -1:
   * none yet */
  int32_t made, first, latest;
} multigrid;

static void destroy(void **state) {
  multigrid *m = *state;
  if (!m) return;
  cycle_destroy(&m->cycle);
  setup_destroy(&m->setup);
  free(m);
  *state = NULL;
}

/* Kernels are built here: set-up, which the first values begin, has them. */
static ew_status create_with(const csr_matrix *matrix, const cycle_polynomial *smoother, bool levels,
                             void **state, ew_error *err) {
  ew_status status = EW_OK;
  multigrid *m = *state = calloc(1, sizeof *m);
  if (!m) return ew_fail(err, EW_FAIL, "out of memory for multigrid");
  m->made = m->first = m->latest = -1;
  EW_CHECK(cycle_create(matrix->device, smoother, &m->cycle, err));
  if (levels && setup_serves(matrix->device))
    EW_CHECK(setup_create(matrix->device, cycle_group_bits(matrix->device), &m->setup, err));
cleanup:
  if (status != EW_OK) destroy(state);
  return status;
}

static ew_status create(const csr_matrix *matrix, void **state, ew_error *err) {
  const cycle_polynomial smoother = cycle_smoother(SMOOTHER_DEGREE);
  return create_with(matrix, &smoother, true, state, err);
}

/* ---- making a hierarchy ------------------------------------------------------------------------------------------- */

static double scale_of(const mg_matrix *a) {
  double sum = 0;
  for (int32_t i = 0; i < a->n; i++) sum += fabs(a->diagonal[i]);
  return mg_scale_of(sum, a->n);
}

/* Doubles of a buffer as the host sees them: nothing is written to it. */
static ew_status show(const dev_buffer *buffer, const double **out, ew_error *err) {
  void *memory = NULL;
  bool in_place;
  const ew_status status = dev_buffer_map((dev_buffer *)buffer, false, &memory, &in_place, err);
  *out = memory;
  return status;
}

/* `status` of what was done with it, or, if that was well, of this. */
static ew_status hide(const dev_buffer *buffer, ew_status status, ew_error *err) {
  const ew_status own = dev_buffer_unmap((dev_buffer *)buffer, status == EW_OK ? err : NULL);
  return status == EW_OK ? own : status;
}

static ew_status make_parts(const csr_matrix *matrix, const mg_matrix *a, cycle_parts *parts, ew_error *err) {
  ew_status status = EW_OK;
  mg_hierarchy *h = NULL;
  EW_CHECK(mg_hierarchy_create(a, &h, err));
  EW_CHECK(cycle_upload(matrix, h, scale_of(&h->level[0].matrix), parts, err));
cleanup:
  mg_hierarchy_destroy(&h);
  return status;
}

static ew_status make_on_host(const csr_matrix *matrix, cycle_parts *parts, ew_error *err) {
  ew_status status = EW_OK;
  const csr_pattern *p = &matrix->pattern;
  mg_matrix a = {.n = p->n, .start = p->start, .col = p->col};
  EW_CHECK(show(matrix->diagonal, &a.diagonal, err));
  if (p->start[p->n]) EW_CHECK(show(matrix->off, &a.off, err));
  EW_CHECK(make_parts(matrix, &a, parts, err));
cleanup:
  status = hide(matrix->diagonal, status, err);
  return hide(matrix->off, status, err);
}

static ew_status make_hierarchy(multigrid *m, const csr_matrix *matrix, ew_error *err) {
  ew_status status = EW_OK;
  cycle_parts parts = {0};
  if (m->setup) {
    EW_CHECK(setup_make(m->setup, matrix, err));
    EW_CHECK(setup_parts(m->setup, &parts, err));
  } else {
    EW_CHECK(make_on_host(matrix, &parts, err));
  }
  cycle_put(m->cycle, &parts);
  m->made = m->first = m->latest = -1;
cleanup:
  cycle_parts_clear(&parts);
  return status;
}

/* Coarser levels with values of now. */
static ew_status refresh(multigrid *m, const csr_matrix *matrix, ew_error *err) {
  ew_status status = EW_OK;
  bool kept;
  EW_CHECK(setup_refresh(m->setup, matrix, &kept, err));
  if (!kept) return make_hierarchy(m, matrix, err);
  EW_CHECK(setup_values(m->setup, cycle_get(m->cycle), err));
  m->first = m->latest = -1;
cleanup:
  return status;
}

/* ---- keeping it ------------------------------------------------------------------------------------------------------- */

/* What serves takes at most a quarter more iterations than at first, and four more. */
static bool worn(int32_t first, int32_t now) { return first >= 0 && now > first + first / 4 + 4; }

static ew_status update(void *state, const csr_matrix *matrix, ew_error *err) {
  ew_status status = EW_OK;
  multigrid *m = state;
  const bool aggregates = worn(m->made, m->first); /* it is they, with values as new as they were */
  if (cycle_get(m->cycle)->n_levels == 0 || aggregates || (!m->setup && worn(m->first, m->latest)))
    EW_CHECK(make_hierarchy(m, matrix, err));
  else if (worn(m->first, m->latest)) EW_CHECK(refresh(m, matrix, err));
  EW_CHECK(cycle_take(m->cycle, matrix, err));
cleanup:
  return status;
}

static void solved(void *state, int32_t iterations) {
  multigrid *m = state;
  m->latest = iterations;
  if (m->first < 0) m->first = iterations;
  if (m->made < 0) m->made = iterations;
}

static ew_status apply(void *state, const dev_buffer *idle, const dev_buffer *r, dev_buffer *z,
                       ew_error *err) {
  return cycle_apply(((multigrid *)state)->cycle, idle, r, z, err);
}

const csr_precondition_class csr_multigrid = {create, update, apply, solved, destroy};

/* ---- Chebyshev: one level, no correction ---------------------------------------------------------------------------------- */

static ew_status create_chebyshev(const csr_matrix *matrix, void **state, ew_error *err) {
  const cycle_polynomial polynomial = cycle_chebyshev(CHEBYSHEV_DEGREE, CHEBYSHEV_LOWEST);
  return create_with(matrix, &polynomial, false, state, err);
}

static ew_status update_chebyshev(void *state, const csr_matrix *matrix, ew_error *err) {
  ew_status status = EW_OK;
  multigrid *m = state;
  const csr_pattern *p = &matrix->pattern;
  const mg_hierarchy single = {.n_levels = 1, .level = {{.matrix = {p->n, p->start, p->col, NULL, NULL}}}};
  cycle_parts parts = {0};
  if (cycle_get(m->cycle)->n_levels == 0) {
    EW_CHECK(cycle_upload(matrix, &single, 1, &parts, err));
    cycle_put(m->cycle, &parts);
  }
  EW_CHECK(cycle_take(m->cycle, matrix, err));
cleanup:
  return status;
}

const csr_precondition_class csr_chebyshev = {create_chebyshev, update_chebyshev, apply, NULL, destroy};
