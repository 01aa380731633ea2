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
};

static void solve_with(dev_context *device, const csr_model *m, const csr_options *options) {
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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(spd)};
  return cmocka_run_group_tests_name("csr: solves", tests, NULL, NULL);
}
