/* Every form of the product against plain C, on every kind of device. */
#include "csr/operator.h"
#include "test_csr_fixture.h"

static void check_product(dev_context *device, const csr_model *m, const csr_tuning *tuning) {
  int32_t n = m->pattern.n;
  double *x = random_vector(n, 3), *y = calloc((size_t)n, sizeof *y),
         *expected = malloc((size_t)n * sizeof *y);
  csr_operator *op = NULL;
  dev_buffer *buffers[] = {put(device, m->off, (size_t)m->pattern.start[n] * sizeof *x),
                           put(device, m->diagonal, (size_t)n * sizeof *x),
                           put(device, x, (size_t)n * sizeof *x), put(device, y, (size_t)n * sizeof *x)};
  OK(csr_operator_create(device, &m->pattern, NULL, tuning, &op, err));
  OK(csr_operator_set_values(op, buffers[0], buffers[1], err));
  OK(csr_operator_multiply(op, buffers[2], buffers[3], err));
  get(buffers[3], y, n);
  plain_product(m, x, expected);
  for (int32_t i = 0; i < n; i++)
    if (!(fabs(y[i] - expected[i]) <= 1e-14 * (fabs(expected[i]) + 10.0)))
      fail_msg("%s, %d of %d rows, 2^%d items, 2^%d rows: %.17g, expected %.17g", csr_form_name(tuning->form),
               i, n, tuning->group_bits, tuning->rows_bits, y[i], expected[i]);
  csr_operator_destroy(&op);
  for (int k = 0; k < 4; k++) dev_buffer_destroy(&buffers[k]);
  free(x);
  free(y);
  free(expected);
}

static const csr_tuning forms[] = {
    {0},
    {.form = CSR_FORM_LOOP, .row_waves = 7},
    {.form = CSR_FORM_LOOP, .column_bits = 16},
    {.form = CSR_FORM_PAPER, .group_bits = 6, .rows_bits = 3},
    {.form = CSR_FORM_PAPER, .group_bits = 7, .rows_bits = 7},
    {.form = CSR_FORM_LANES, .group_bits = 6, .rows_bits = 6},
    {.form = CSR_FORM_LANES, .group_bits = 7, .rows_bits = 5, .row_waves = 1},
    {.form = CSR_FORM_LANES, .group_bits = 3, .rows_bits = 1},
    {.form = CSR_FORM_STREAM, .group_bits = 6, .rows_bits = 5},
    {.form = CSR_FORM_STREAM, .group_bits = 5, .rows_bits = 5, .row_waves = 1},
    {.form = CSR_FORM_SLICED, .group_bits = 5},
    {.form = CSR_FORM_SLICED, .group_bits = 6, .column_bits = 32},
    {.form = CSR_FORM_LANES, .group_bits = 6, .rows_bits = 4, .column_bits = 16},
    {.form = CSR_FORM_SLICED, .group_bits = 8, .vector_waves = 1},
};

static void all_forms(const csr_model *m) {
  for (int d = 0; d < 3; d++) {
    dev_context *device = open_device(devices[d]);
    bool host = dev_get_language(device) != DEV_OPENCL_C;
    for (size_t f = 0; f < (host ? 3 : sizeof forms / sizeof *forms); f++)
      check_product(device, m, &forms[f]);
    dev_context_destroy(&device);
  }
}

static void laplacian(void **state) {
  (void)state;
  csr_model m;
  OK(csr_model_laplacian(9, false, &m, err));
  for (int32_t i = 0; i < m.pattern.n; i++) {
    double sum = m.diagonal[i];
    for (int32_t k = m.pattern.start[i]; k < m.pattern.start[i + 1]; k++) sum += m.off[k];
    assert_true(fabs(sum) < 1e-13);
  }
  all_forms(&m);
  csr_model_clear(&m);
}

static void uneven_rows(void **state) {
  (void)state;
  csr_model m = random_matrix(1234, false, 1.0, 5);
  all_forms(&m);
  csr_model_clear(&m);
}

/* Columns too far from their rows for 16 bits. */
static void far_columns(void **state) {
  (void)state;
  enum { n = 40000 };
  int32_t *start = malloc((n + 1) * sizeof *start), *col = malloc(n * sizeof *col), at = 0;
  csr_model m = {.pattern = {n, start, col}, .off = random_vector(n, 17), .diagonal = random_vector(n, 18)};
  for (int32_t i = 0; i < n; i++) {
    start[i] = at;
    if (i % 3) col[at++] = (i + 35000) % n;
  }
  start[n] = at;
  all_forms(&m);
  csr_model_clear(&m);
}

static void single_row(void **state) {
  (void)state;
  csr_model m = random_matrix(1, false, 1.0, 5);
  all_forms(&m);
  csr_model_clear(&m);
}

static ew_status create_with(dev_context *device, const csr_pattern *p, const csr_tuning *t, ew_error *err) {
  csr_operator *op = NULL;
  ew_status status = csr_operator_create(device, p, NULL, t, &op, err);
  assert_true(status == EW_OK || op == NULL);
  csr_operator_destroy(&op);
  return status;
}

static void refusals(void **state) {
  (void)state;
  ew_error err;
  dev_context *device = open_device("cpu"), *host = open_device("c");
  const int32_t start[] = {0, 1, 2}, bad_start[] = {0, 2, 1}, col[] = {1, 0}, outside[] = {2, 0},
                own[] = {0, 0};
  csr_pattern good = {2, start, col}, p = {2, bad_start, col};
  csr_tuning rule = {0}, wide = {.form = CSR_FORM_LANES, .group_bits = 30},
             rows = {.form = CSR_FORM_PAPER, .group_bits = 5, .rows_bits = 6};
  assert_int_equal(create_with(device, &good, &rule, &err), EW_OK);
  assert_int_equal(create_with(device, &p, &rule, &err), EW_INPUT);
  p = (csr_pattern){2, start, outside};
  assert_int_equal(create_with(device, &p, &rule, &err), EW_INPUT);
  CONTAINS(err.text, "row 0 has column 2");
  p = (csr_pattern){2, start, own};
  assert_int_equal(create_with(device, &p, &rule, &err), EW_INPUT);
  assert_int_equal(create_with(device, &good, &wide, &err), EW_INPUT);
  CONTAINS(err.text, "2^30 items");
  assert_int_equal(create_with(device, &good, &rows, &err), EW_INPUT);
  assert_int_equal(create_with(host, &good, &rows, &err), EW_INPUT);
  CONTAINS(err.text, "expected 'loop'");
  dev_context_destroy(&device);
  dev_context_destroy(&host);
}

static void names(void **state) {
  (void)state;
  for (int f = 0; f < CSR_FORM_COUNT; f++) assert_int_equal(csr_form_find(csr_form_name((csr_form)f)), f);
  assert_int_equal(csr_form_find("ellpack"), CSR_FORM_COUNT);
}

/* One kernel an iteration while a GPU has room for all rows at once; CPUs, where launches are cheap, take two. */
static void rule_of_kernels(void **state) {
  (void)state;
  const csr_tuning rule = {0}, two = {.kernels = 2};
  const dev_info h200 = {.type = DEV_GPU, .max_work_group = 1024, .compute_units = 132},
                 small = {.type = DEV_GPU, .max_work_group = 256, .compute_units = 10},
                 silent = {.type = DEV_GPU, .max_work_group = 256},
                 cpu = {.type = DEV_CPU, .max_work_group = 4096, .compute_units = 64};
  assert_int_equal(csr_tuning_complete(&h200, &rule, 140608).kernels, 1);
  assert_int_equal(csr_tuning_complete(&h200, &rule, 185193).kernels, 2);
  assert_int_equal(csr_tuning_complete(&h200, &rule, INT32_MAX).kernels, 2);
  assert_int_equal(csr_tuning_complete(&h200, &two, 1000).kernels, 2);
  assert_int_equal(csr_tuning_complete(&small, &rule, 12800).kernels, 1);
  assert_int_equal(csr_tuning_complete(&small, &rule, 12801).kernels, 2);
  assert_int_equal(csr_tuning_complete(&silent, &rule, 1000).kernels, 1);
  assert_int_equal(csr_tuning_complete(&cpu, &rule, 1000).kernels, 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(laplacian),      cmocka_unit_test(uneven_rows),
                                     cmocka_unit_test(far_columns),    cmocka_unit_test(single_row),
                                     cmocka_unit_test(refusals),       cmocka_unit_test(names),
                                     cmocka_unit_test(rule_of_kernels)};
  return cmocka_run_group_tests_name("csr: products", tests, NULL, NULL);
}
