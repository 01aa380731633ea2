/* Solutions, and the ways not to get one, on every kind of device. */
#include "test_csr_fixture.h"

static const csr_request usual = {.tolerance = 1e-10, .iterations = 500};

typedef void on_device(dev_context *device);

static void everywhere(on_device *test) {
  for (int d = 0; d < 3; d++) {
    dev_context *device = open_device(devices[d]);
    test(device);
    dev_context_destroy(&device);
  }
}

/* ---- the methods ---- */

static const csr_options spd_options[] = {
    {.method = CSR_CG, .preconditioner = CSR_NONE},
    {.method = CSR_CG, .preconditioner = CSR_JACOBI},
    {.method = CSR_CG_THREE_TERM, .preconditioner = CSR_NONE},
    {.method = CSR_CG_THREE_TERM, .preconditioner = CSR_JACOBI},
    {.method = CSR_BICGSTAB, .preconditioner = CSR_NONE},
    {.method = CSR_BICGSTAB, .preconditioner = CSR_JACOBI},
    {.method = CSR_MINRES, .preconditioner = CSR_NONE},
    {.method = CSR_MINRES, .preconditioner = CSR_JACOBI},
    {.method = CSR_MINRES, .preconditioner = CSR_MULTIGRID},
    {.method = CSR_GMRES, .preconditioner = CSR_NONE},
    {.method = CSR_GMRES, .preconditioner = CSR_JACOBI},
    {.method = CSR_GMRES, .preconditioner = CSR_MULTIGRID},
};

/* A device's compiler takes seconds for each program; what is left out runs in plain C. */
static bool too_dear(const dev_context *device, const csr_options *o) {
  return dev_get_language(device) == DEV_OPENCL_C && o->method >= CSR_MINRES && o->preconditioner == CSR_NONE;
}

static void solve_with(dev_context *device, const csr_model *m, const csr_options *options) {
  if (too_dear(device, options)) return;
  loaded l;
  csr_report report;
  int32_t n = m->pattern.n;
  double *b = random_vector(n, 11), *x = random_vector(n, 12);
  load(&l, device, m, options);
  for (int repeat = 0; repeat < 2; repeat++) {
    ew_error err;
    ew_status status = solve(&l, b, x, &usual, &report, &err);
    if (status != EW_OK)
      fail_msg("method %d, preconditioner %d: %s", options->method, options->preconditioner, err.text);
    assert_true(relative_residual(m, b, x) <= 1.02e-10);
    assert_true(fabs(report.residual / report.right_hand_side - relative_residual(m, b, x)) < 1e-13);
    assert_int_equal(report.n_history, report.iterations + 1);
    assert_true(repeat == 0 ? report.iterations > 0 : report.iterations == 0);
  }
  unload(&l);
  free(b);
  free(x);
}

static void spd_on(dev_context *device) {
  csr_model laplacian, random = random_matrix(300, true, 1.0, 7);
  OK(csr_model_laplacian(8, true, &laplacian, err));
  for (size_t o = 0; o < sizeof spd_options / sizeof *spd_options; o++) {
    solve_with(device, &laplacian, &spd_options[o]);
    solve_with(device, &random, &spd_options[o]);
  }
  csr_model_clear(&laplacian);
  csr_model_clear(&random);
}

static void spd(void **state) {
  (void)state;
  everywhere(spd_on);
}

/* ---- one kernel an iteration ---- */

/* The same recurrence in every form: as many iterations, and residuals that differ by rounding alone. Its tunings' other fields take
 * the form through its paths: several lanes, groups without rows of their own, more rows than groups. */
static void merged_on(dev_context *device) {
  static const csr_tuning forms[] = {
      {.form = CSR_FORM_LOOP, .row_waves = 3},
      {.form = CSR_FORM_PAPER, .group_bits = 6, .rows_bits = 3},
      {.form = CSR_FORM_LANES, .group_bits = 6, .rows_bits = 4, .row_waves = 1},
      {.form = CSR_FORM_LANES, .group_bits = 3, .rows_bits = 3},
      {.form = CSR_FORM_STREAM, .group_bits = 6, .rows_bits = 5},
      {.form = CSR_FORM_SLICED, .group_bits = 5},
      {.form = CSR_FORM_SLICED, .group_bits = 8, .column_bits = 32},
  };
  csr_model m;
  OK(csr_model_laplacian(9, true, &m, err));
  double *b = random_vector(m.pattern.n, 81), *x = calloc((size_t)m.pattern.n, sizeof *x);
  size_t n = dev_get_language(device) == DEV_OPENCL_C ? sizeof forms / sizeof *forms : 1;
  for (size_t f = 0; f < n; f++) {
    const csr_preconditioner point = f % 2 ? CSR_JACOBI : CSR_NONE;
    double history[2][501];
    csr_report report[2];
    for (int kernels = 1; kernels <= 2; kernels++) {
      loaded l;
      csr_options o = {.method = CSR_CG, .preconditioner = point, .tuning = forms[f]};
      o.tuning.kernels = kernels;
      load(&l, device, &m, &o);
      assert_int_equal(csr_get_options(l.system).tuning.kernels, kernels);
      memset(x, 0, (size_t)m.pattern.n * sizeof *x);
      OK(solve(&l, b, x, &usual, &report[kernels - 1], err));
      assert_true(relative_residual(&m, b, x) <= 1.02e-10);
      memcpy(history[kernels - 1], report[kernels - 1].history,
             (size_t)report[kernels - 1].n_history * sizeof(double));
      unload(&l);
    }
    assert_int_equal(report[0].iterations, report[1].iterations);
    for (int k = 0; k <= report[0].iterations; k++)
      assert_true(fabs(history[0][k] - history[1][k]) <= 1e-6 * history[1][k]);
  }
  csr_model_clear(&m);
  free(b);
  free(x);
}

static void merged(void **state) {
  (void)state;
  everywhere(merged_on);
}

/* ---- iterations in single precision ---- */

/* D A D with D from 1 to the root of `jump` from row to row. */
static void scale_rows(csr_model *m, double jump) {
  const csr_pattern *p = &m->pattern;
  for (int32_t i = 0; i < p->n; i++) {
    const double d = i % 3 ? 1 : sqrt(jump);
    m->diagonal[i] *= d * d;
    for (int32_t k = p->start[i]; k < p->start[i + 1]; k++) m->off[k] *= d * (p->col[k] % 3 ? 1 : sqrt(jump));
  }
}

typedef struct mixed_case {
  csr_preconditioner preconditioner;
  csr_tuning tuning;
  bool fixed;  /* else singular by a constant */
  double jump; /* of coefficients */
} mixed_case;

/* As accurate as in double, for at most a tenth more iterations: the true residual is a thousandth of the last each time. */
static void mixed_against_double(dev_context *device, const mixed_case *t) {
  const csr_request fine = {.tolerance = 1e-12, .iterations = 2000};
  csr_report report[2];
  csr_model m;
  OK(csr_model_laplacian(9, t->fixed, &m, err));
  double *b = random_vector(m.pattern.n, 82), *x = calloc((size_t)m.pattern.n, sizeof *x);
  if (t->jump > 1) scale_rows(&m, t->jump);
  for (int mixed = 0; mixed < 2; mixed++) {
    loaded l;
    const csr_options o = {.method = CSR_CG,
                           .preconditioner = t->preconditioner,
                           .tuning = t->tuning,
                           .mixed = mixed,
                           .constant_null = !t->fixed};
    load(&l, device, &m, &o);
    memset(x, 0, (size_t)m.pattern.n * sizeof *x);
    OK(solve(&l, b, x, &fine, &report[mixed], err));
    if (t->fixed) assert_true(relative_residual(&m, b, x) <= 1.02e-12);
    unload(&l);
  }
  assert_int_equal(report[1].end, CSR_END_CONVERGED);
  assert_true(report[1].restarts >= 3);
  assert_true(report[1].iterations <= report[0].iterations + report[0].iterations / 10 + 2);
  csr_model_clear(&m);
  free(b);
  free(x);
}

static void mixed_on(dev_context *device) {
  static const csr_tuning forms[] = {{.form = CSR_FORM_LOOP, .kernels = 2},
                                     {.form = CSR_FORM_LOOP, .kernels = 1},
                                     {.form = CSR_FORM_PAPER, .group_bits = 6, .rows_bits = 3},
                                     {.form = CSR_FORM_LANES, .group_bits = 6, .rows_bits = 4, .kernels = 1},
                                     {.form = CSR_FORM_STREAM, .group_bits = 6, .rows_bits = 5},
                                     {.form = CSR_FORM_SLICED, .group_bits = 5, .kernels = 1},
                                     {.form = CSR_FORM_SLICED, .group_bits = 5, .kernels = 2}};
  size_t n = dev_get_language(device) == DEV_OPENCL_C ? sizeof forms / sizeof *forms : 2;
  for (size_t k = 0; k < n; k++) {
    mixed_against_double(device, &(mixed_case){CSR_JACOBI, forms[k], true, 1});
    mixed_against_double(device, &(mixed_case){CSR_NONE, forms[k], k % 2 == 0, 1});
    mixed_against_double(device, &(mixed_case){CSR_JACOBI, forms[k], true, 1e4});
  }
}

static void mixed_precision(void **state) {
  static const char *const quick[] = {"c", "model"}; /* which builds each form in no time */
  (void)state;
  for (int d = 0; d < 2; d++) {
    dev_context *device = NULL;
    OK(dev_context_create(quick[d], &device, err));
    mixed_on(device);
    dev_context_destroy(&device);
  }
}

/* A chain of springs, whose condition is about n^2/2. */
static csr_model chain(int32_t n) {
  csr_model m = {.pattern.n = n};
  int32_t *start = calloc((size_t)n + 1, sizeof *start), *col = calloc(2 * (size_t)n, sizeof *col), k = 0;
  m.off = calloc(2 * (size_t)n, sizeof *m.off);
  m.diagonal = calloc((size_t)n, sizeof *m.diagonal);
  for (int32_t i = 0; i < n; i++) {
    if (i > 0) m.off[k] = -1, col[k++] = i - 1;
    if (i < n - 1) m.off[k] = -1, col[k++] = i + 1;
    start[i + 1] = k;
    m.diagonal[i] = 2;
  }
  m.pattern.start = start;
  m.pattern.col = col;
  return m;
}

/* Rows in pairs, 1 and -(1 - 2^-26) beside it: regular, and singular in single precision, where the other entry is -1. */
static csr_model pairs(int32_t n) {
  csr_model m = chain(n);
  int32_t k = 0;
  for (int32_t i = 0; i < n; i++) {
    for (; k < m.pattern.start[i + 1]; k++) m.off[k] = m.pattern.col[k] == (i ^ 1) ? -(1 - 0x1p-26) : 0;
    m.diagonal[i] = 1;
  }
  return m;
}

/* Whether a system that was asked for in mixed precision is in it at the end. */
static bool ends_mixed(csr_model m, double tolerance) {
  const csr_request far = {.tolerance = tolerance, .iterations = 20000};
  const csr_options o = {.method = CSR_CG, .preconditioner = CSR_JACOBI, .mixed = true};
  dev_context *device = NULL;
  loaded l;
  csr_report report;
  double *b = random_vector(m.pattern.n, 83), *x = calloc((size_t)m.pattern.n, sizeof *x);
  OK(dev_context_create("c", &device, err));
  load(&l, device, &m, &o);
  OK(solve(&l, b, x, &far, &report, err));
  assert_true(relative_residual(&m, b, x) <= 1.02 * tolerance);
  assert_int_equal(csr_get_options(l.system).mixed, report.mixed);
  unload(&l);
  dev_context_destroy(&device);
  csr_model_clear(&m);
  free(b);
  free(x);
  return report.mixed;
}

/* In double from where it finds that out, and for good. With a condition of 1e8 in double no residual is less than some 1e-8. Whether single
 * precision is enough for a chain of 2000 depends on how its sums are rounded; its answer does not. */
static void too_coarse_for_single(void **state) {
  (void)state;
  assert_false(ends_mixed(pairs(2000), 1e-6));
  ends_mixed(chain(2000), 1e-9);
}

static void mixed_refused(void **state) {
  static const csr_options options[] = {{.method = CSR_BICGSTAB, .mixed = true},
                                        {.method = CSR_CG_THREE_TERM, .mixed = true},
                                        {.method = CSR_CG, .preconditioner = CSR_MULTIGRID, .mixed = true}};
  (void)state;
  csr_model m;
  csr_system *system = NULL;
  dev_context *device = NULL;
  OK(csr_model_laplacian(4, true, &m, err));
  OK(dev_context_create("c", &device, err));
  for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
    ew_error why = {0};
    assert_int_equal(csr_create(device, &m.pattern, NULL, &options[k], &system, &why), EW_INPUT);
    assert_non_null(strstr(why.text, "mixed precision is for"));
  }
  dev_context_destroy(&device);
  csr_model_clear(&m);
}

/* ---- rows that sum to zero ---- */

static double mean(const double *x, int32_t n) {
  double sum = 0.0;
  for (int32_t i = 0; i < n; i++) sum += x[i];
  return sum / n;
}

static void fixed_nowhere_on(dev_context *device) {
  csr_model m;
  OK(csr_model_laplacian(8, false, &m, err));
  int32_t n = m.pattern.n;
  for (int method = CSR_CG; method <= CSR_GMRES; method++) {
    loaded l;
    csr_options options = {.method = (csr_method)method, .preconditioner = CSR_JACOBI, .constant_null = true};
    double *b = random_vector(n, 21), *x = random_vector(n, 22);
    for (int32_t i = 0; i < n; i++) b[i] += 3.0, x[i] += 7.0;
    double before = mean(x, n), shift = mean(b, n);
    load(&l, device, &m, &options);
    OK(solve(&l, b, x, &usual, NULL, err));
    for (int32_t i = 0; i < n; i++) b[i] -= shift;
    assert_true(relative_residual(&m, b, x) < 1.02e-10);
    assert_true(fabs(mean(x, n) - before) < 1e-13 * fabs(before));
    unload(&l);
    free(b);
    free(x);
  }
  csr_model_clear(&m);
}

static void fixed_nowhere(void **state) {
  (void)state;
  everywhere(fixed_nowhere_on);
}

/* ---- BiCGStab against elimination ---- */

/* One-dimensional convection (upwind) and diffusion on a shuffled line, with a weak coupling across. */
static csr_model convection(int32_t n) {
  csr_model m = random_matrix(n, false, 1.0, 31);
  for (int32_t i = 0; i < n; i++)
    for (int32_t k = m.pattern.start[i]; k < m.pattern.start[i + 1]; k++)
      m.off[k] = m.pattern.col[k] < i ? -1.9 : -0.1;
  for (int32_t i = 0; i < n; i++) {
    m.diagonal[i] = 0.3;
    for (int32_t k = m.pattern.start[i]; k < m.pattern.start[i + 1]; k++) m.diagonal[i] -= m.off[k];
  }
  return m;
}

static void eliminate(const csr_model *m, double *x) {
  int32_t n = m->pattern.n;
  double *a = calloc((size_t)n * n, sizeof *a);
  for (int32_t i = 0; i < n; i++) {
    a[(size_t)i * n + i] = m->diagonal[i];
    for (int32_t k = m->pattern.start[i]; k < m->pattern.start[i + 1]; k++)
      a[(size_t)i * n + m->pattern.col[k]] = m->off[k];
  }
  for (int32_t c = 0; c < n; c++) /* dominant diagonal: no pivoting */
    for (int32_t i = c + 1; i < n; i++) {
      double f = a[(size_t)i * n + c] / a[(size_t)c * n + c];
      for (int32_t j = c; f != 0.0 && j < n; j++) a[(size_t)i * n + j] -= f * a[(size_t)c * n + j];
      x[i] -= f * x[c];
    }
  for (int32_t i = n - 1; i >= 0; i--) {
    for (int32_t j = i + 1; j < n; j++) x[i] -= a[(size_t)i * n + j] * x[j];
    x[i] /= a[(size_t)i * n + i];
  }
  free(a);
}

static void convected_on(dev_context *device) {
  csr_model m = convection(400);
  int32_t n = m.pattern.n;
  double *b = random_vector(n, 41), *x = calloc((size_t)n, sizeof *x), *exact = malloc((size_t)n * sizeof *x);
  memcpy(exact, b, (size_t)n * sizeof *b);
  eliminate(&m, exact);
  for (int o = 0; o < 4; o++) {
    loaded l;
    const csr_options options = {.method = o < 2 ? CSR_BICGSTAB : CSR_GMRES,
                                 .preconditioner = o % 2 ? CSR_JACOBI : CSR_NONE};
    if (too_dear(device, &options)) continue;
    load(&l, device, &m, &options);
    memset(x, 0, (size_t)n * sizeof *x);
    OK(solve(&l, b, x, &usual, NULL, err));
    for (int32_t i = 0; i < n; i++) assert_true(fabs(x[i] - exact[i]) < 1e-8 * (1.0 + fabs(exact[i])));
    unload(&l);
  }
  csr_model_clear(&m);
  free(b);
  free(x);
  free(exact);
}

static void convected(void **state) {
  (void)state;
  everywhere(convected_on);
}

/* ---- what conjugate gradients and BiCGStab cannot ----------------------------------------------------------------- */

/* Of the Laplacian on the square, less `shift` times the identity: as many negative eigenvalues as are below the shift. */
static void solve_shifted(dev_context *device, double shift, const csr_options *options) {
  csr_model m;
  OK(csr_model_laplacian(8, true, &m, err));
  for (int32_t i = 0; i < m.pattern.n; i++) m.diagonal[i] -= shift;
  solve_with(device, &m, options);
  csr_model_clear(&m);
}

/* (0 B; -B' 0)-like: a chain whose matrix is skew apart from what couples it weakly to itself. */
static csr_model skew_chain(int32_t n, double diagonal) {
  int32_t *start = calloc((size_t)n + 1, sizeof *start), *col = malloc(2 * (size_t)n * sizeof *col), at = 0;
  csr_model m = {
      {n, start, col}, malloc(2 * (size_t)n * sizeof *m.off), malloc((size_t)n * sizeof *m.diagonal)};
  for (int32_t i = 0; i < n; i++) {
    for (int side = -1; side <= 1; side += 2) {
      if (i + side < 0 || i + side >= n) continue;
      col[at] = i + side;
      m.off[at++] = side;
    }
    m.diagonal[i] = diagonal;
    start[i + 1] = at;
  }
  return m;
}

static void indefinite_on(dev_context *device) {
  for (int p = CSR_NONE; p <= CSR_JACOBI; p++)
    for (int method = CSR_MINRES; method <= CSR_GMRES; method++)
      solve_shifted(device, 0.02,
                    &(csr_options){.method = (csr_method)method, .preconditioner = (csr_preconditioner)p});
  csr_model skew = skew_chain(24, 0);
  solve_with(device, &skew, &(csr_options){.method = CSR_GMRES, .preconditioner = CSR_NONE});
  csr_model_clear(&skew);
  skew = skew_chain(200, 0.5); /* more iterations than a basis has vectors */
  solve_with(device, &skew, &(csr_options){.method = CSR_GMRES, .preconditioner = CSR_JACOBI});
  csr_model_clear(&skew);
}

static void indefinite(void **state) {
  (void)state;
  everywhere(indefinite_on);
}

/* ---- the same bits, however often the host looks ---- */

/* The second solve knows how many iterations to queue, the first does not. */
static void repeats_on(dev_context *device) {
  csr_model m;
  OK(csr_model_laplacian(10, true, &m, err));
  size_t bytes = (size_t)m.pattern.n * sizeof(double);
  for (int method = CSR_CG; method <= CSR_GMRES; method++) {
    loaded l;
    csr_report first, second;
    double *b = random_vector(m.pattern.n, 51), *x = calloc(1, bytes), *y = calloc(1, bytes);
    load(&l, device, &m, &(csr_options){.method = (csr_method)method, .preconditioner = CSR_JACOBI});
    OK(solve(&l, b, x, &usual, &first, err));
    double last = first.history[first.n_history - 2];
    OK(solve(&l, b, y, &usual, &second, err));
    assert_memory_equal(x, y, bytes);
    assert_int_equal(first.iterations, second.iterations);
    assert_memory_equal(&last, &second.history[second.n_history - 2], sizeof last);
    assert_true(second.looks <= 2 && first.looks >= second.looks);
    unload(&l);
    free(b);
    free(x);
    free(y);
  }
  csr_model_clear(&m);
}

static void repeats(void **state) {
  (void)state;
  everywhere(repeats_on);
}

/* ---- nothing to do ---- */

static void trivial_on(dev_context *device) {
  loaded l;
  csr_report report;
  csr_model m, one = random_matrix(1, true, 1.0, 5);
  OK(csr_model_laplacian(4, false, &m, err));
  int32_t n = m.pattern.n;
  double *zero = calloc((size_t)n, sizeof *zero), *x = random_vector(n, 61), before = mean(x, n);
  load(&l, device, &m, &(csr_options){.preconditioner = CSR_JACOBI, .constant_null = true});
  OK(solve(&l, zero, x, &usual, &report, err));
  for (int32_t i = 0; i < n; i++) assert_true(fabs(x[i] - before) < 1e-15);
  assert_int_equal(report.iterations, 0);
  assert_true(report.residual == 0.0);
  unload(&l);
  load(&l, device, &one, &(csr_options){.preconditioner = CSR_JACOBI});
  OK(solve(&l, (double[]){4.0}, x, &usual, &report, err));
  assert_true(fabs(x[0] * one.diagonal[0] - 4.0) < 1e-15);
  OK(solve(&l, (double[]){0.0}, x, &usual, &report, err));
  assert_true(x[0] == 0.0);
  unload(&l);
  free(zero);
  free(x);
  csr_model_clear(&m);
  csr_model_clear(&one);
}

static void trivial(void **state) {
  (void)state;
  everywhere(trivial_on);
}

static void done_on(dev_context *device) {
  loaded l;
  csr_report report;
  csr_model m = random_matrix(50, true, 1.0, 5);
  double *b = random_vector(50, 71), *x = random_vector(50, 72), *same = random_vector(50, 72);
  dev_buffer *flag = put(device, &(int32_t){1}, sizeof(int32_t));
  csr_request request = usual;
  request.done = flag;
  load(&l, device, &m, &(csr_options){.preconditioner = CSR_JACOBI});
  OK(solve(&l, b, x, &request, &report, err));
  assert_memory_equal(x, same, 50 * sizeof *x);
  assert_int_equal(report.n_history, 0);
  OK(dev_buffer_write(flag, 0, sizeof(int32_t), &(int32_t){0}, err));
  OK(solve(&l, b, x, &request, &report, err));
  assert_true(relative_residual(&m, b, x) < 1.02e-10);
  unload(&l);
  dev_buffer_destroy(&flag);
  csr_model_clear(&m);
  free(b);
  free(x);
  free(same);
}

static void done(void **state) {
  (void)state;
  everywhere(done_on);
}

/* ---- failures ---- */

/* Solves a system of 50 rows that `spoil` has spoilt; the message must have `part`. */
typedef void spoiler(csr_model *m, double *b);

static void expect_failure(dev_context *device, const csr_options *options, const csr_request *request,
                           spoiler *spoil, const char *part) {
  loaded l;
  ew_error err = {EW_OK, ""};
  csr_report report;
  csr_model m = random_matrix(50, true, 1.0, 5);
  double *b = random_vector(50, 81), *x = calloc(50, sizeof *x);
  spoil(&m, b);
  load(&l, device, &m, options);
  assert_int_equal(solve(&l, b, x, request, &report, &err), EW_NOT_CONVERGED);
  CONTAINS(err.text, part);
  assert_int_equal(report.n_history, report.iterations + 1);
  unload(&l);
  csr_model_clear(&m);
  free(b);
  free(x);
}

static void sound(csr_model *m, double *b) { (void)m, (void)b; }
static void turn_sign(csr_model *m, double *b) {
  (void)b;
  for (int32_t k = 0; k < m->pattern.start[50]; k++) m->off[k] = -m->off[k];
  for (int32_t i = 0; i < 50; i++) m->diagonal[i] = -m->diagonal[i];
}
static void weaken(csr_model *m, double *b) {
  (void)b;
  for (int32_t i = 0; i < 50; i++) m->diagonal[i] = 1e-3;
}
static void empty_row(csr_model *m, double *b) { m->diagonal[11] = 0.0, (void)b; }
static void bad_b(csr_model *m, double *b) { b[7] = NAN, (void)m; }
static void bad_entry(csr_model *m, double *b) { m->off[3] = INFINITY, (void)b; }

static void failures_on(dev_context *device) {
  const csr_options jacobi = {.preconditioner = CSR_JACOBI}, none = {0},
                    bicgstab = {.method = CSR_BICGSTAB, .preconditioner = CSR_JACOBI};
  const csr_options three = {.method = CSR_CG_THREE_TERM, .preconditioner = CSR_JACOBI};
  const csr_request few = {.tolerance = 1e-10, .iterations = 3},
                    beyond = {.tolerance = 1e-30, .iterations = 5000};
  expect_failure(device, &jacobi, &few, sound, "not converged in 3 iterations");
  expect_failure(device, &three, &few, sound, "|r| by iteration: 0: ");
  expect_failure(device, &bicgstab, &few, sound, "not converged in 3 iterations");
  expect_failure(device, &jacobi, &beyond, sound, "stagnates");
  expect_failure(device, &three, &beyond, sound, "stagnates");
  expect_failure(device, &none, &usual, turn_sign, "not positive definite: d.Ad = -");
  expect_failure(device, &jacobi, &usual, turn_sign, "preconditioner that is not positive definite");
  expect_failure(device, &jacobi, &usual, weaken, "not positive definite: d.Ad = -");
  expect_failure(device, &jacobi, &usual, empty_row, "diagonal of the matrix is not finite, or 0, in row 12");
  expect_failure(device, &bicgstab, &usual, bad_b, "right-hand side has a value that is not finite in row 8");
  expect_failure(device, &jacobi, &usual, bad_entry, "off its diagonal, at entry 4");
}

/* The recurrence's residual goes on towards 0 where the true one stays at rounding. */
static void limit_on(dev_context *device) {
  loaded l;
  ew_error err = {EW_OK, ""};
  csr_report report;
  csr_model m = random_matrix(50, true, 1.0, 5);
  const csr_options options = {.preconditioner = CSR_JACOBI};
  const csr_request many = {.tolerance = 1e-60, .iterations = 100};
  double *b = random_vector(50, 81), *x = calloc(50, sizeof *x);
  load(&l, device, &m, &options);
  assert_int_equal(solve(&l, b, x, &many, &report, &err), EW_NOT_CONVERGED);
  assert_int_equal(report.end, CSR_END_LIMIT);
  assert_float_equal(report.residual / report.right_hand_side, relative_residual(&m, b, x), 1e-16);
  assert_true(report.residual > 1e-18 * report.right_hand_side);
  assert_true(report.history[report.n_history - 1] == report.residual);
  unload(&l);
  csr_model_clear(&m);
  free(b);
  free(x);
}

static void limits_report_the_true_residual(void **state) {
  (void)state;
  dev_context *device = open_device("c");
  limit_on(device);
  dev_context_destroy(&device);
}

static void failures(void **state) {
  (void)state;
  everywhere(failures_on);
}

/* A tolerance near rounding needs the true residual: the recurrence's alone would pass too early. */
static void tight_on(dev_context *device) {
  csr_model m;
  OK(csr_model_laplacian(12, true, &m, err));
  int32_t n = m.pattern.n;
  for (int method = CSR_CG; method <= CSR_GMRES; method++) {
    loaded l;
    double *b = random_vector(n, 91), *x = random_vector(n, 92);
    for (int32_t i = 0; i < n; i++) x[i] *= 1e4;
    load(&l, device, &m, &(csr_options){.method = (csr_method)method, .preconditioner = CSR_JACOBI});
    OK(solve(&l, b, x, &(csr_request){.tolerance = 1e-13, .iterations = 500}, NULL, err));
    assert_true(relative_residual(&m, b, x) < 1.1e-13);
    unload(&l);
    free(b);
    free(x);
  }
  csr_model_clear(&m);
}

static void tight(void **state) {
  (void)state;
  everywhere(tight_on);
}

/* |b|^2 underflows: 0 is a solution then only of rounding. */
static void small_on(dev_context *device) {
  static const csr_options options[] = {{.method = CSR_CG, .preconditioner = CSR_JACOBI},
                                        {.method = CSR_CG, .preconditioner = CSR_MULTIGRID},
                                        {.method = CSR_CG, .preconditioner = CSR_JACOBI, .mixed = true},
                                        {.method = CSR_BICGSTAB, .preconditioner = CSR_JACOBI},
                                        {.method = CSR_MINRES, .preconditioner = CSR_JACOBI},
                                        {.method = CSR_GMRES, .preconditioner = CSR_JACOBI}};
  csr_model m;
  OK(csr_model_laplacian(6, true, &m, err));
  const int32_t n = m.pattern.n;
  for (size_t k = 0; k < 2 * sizeof options / sizeof *options; k++) {
    const int down = k % 2 ? 600 : 1000;
    loaded l;
    csr_report report;
    double *b = random_vector(n, 93), *x = random_vector(n, 94);
    for (int32_t i = 0; i < n; i++) b[i] = ldexp(b[i], -down);
    load(&l, device, &m, &options[k / 2]);
    OK(solve(&l, b, x, &usual, &report, err));
    assert_true(report.iterations > 0 && report.right_hand_side > 0);
    assert_true(report.residual <= 1.02e-10 * report.right_hand_side);
    for (int32_t i = 0; i < n; i++) b[i] = ldexp(b[i], down), x[i] = ldexp(x[i], down);
    assert_true(relative_residual(&m, b, x) <= 1.02e-10);
    unload(&l);
    free(b);
    free(x);
  }
  csr_model_clear(&m);
}

/* Where constants are free, the guess's mean stays. */
static void small_and_free_on(dev_context *device) {
  csr_model m;
  loaded l;
  csr_report report;
  double sum = 0;
  OK(csr_model_laplacian(6, false, &m, err));
  const int32_t n = m.pattern.n;
  double *b = random_vector(n, 95), *x = random_vector(n, 96);
  for (int32_t i = 0; i < n; i++) b[i] = ldexp(b[i], -600), x[i] = 5;
  load(&l, device, &m, &(csr_options){.preconditioner = CSR_JACOBI, .constant_null = true});
  OK(solve(&l, b, x, &usual, &report, err));
  for (int32_t i = 0; i < n; i++) sum += x[i];
  assert_true(report.iterations > 0 && fabs(sum / n - 5) < 1e-12);
  unload(&l);
  csr_model_clear(&m);
  free(b);
  free(x);
}

static void small(void **state) {
  (void)state;
  everywhere(small_on);
  everywhere(small_and_free_on);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(spd),
                                     cmocka_unit_test(merged),
                                     cmocka_unit_test(mixed_precision),
                                     cmocka_unit_test(too_coarse_for_single),
                                     cmocka_unit_test(mixed_refused),
                                     cmocka_unit_test(fixed_nowhere),
                                     cmocka_unit_test(convected),
                                     cmocka_unit_test(indefinite),
                                     cmocka_unit_test(repeats),
                                     cmocka_unit_test(trivial),
                                     cmocka_unit_test(done),
                                     cmocka_unit_test(failures),
                                     cmocka_unit_test(limits_report_the_true_residual),
                                     cmocka_unit_test(tight),
                                     cmocka_unit_test(small)};
  return cmocka_run_group_tests_name("csr: solves", tests, NULL, NULL);
}
