/* Linear systems given on the host: parts that are singular by a constant, rows that cannot be, tunings that are known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "csr/linear.h"
#include "csr/null_space.h"

typedef struct entry {
  int row, col;
  double value;
} entry;

/* Symmetric, from the entries of the lower triangle. */
static csr_rows *symmetric(int n, int count, const entry *e) {
  int32_t row[64], col[64];
  double value[64];
  size_t at = 0;
  csr_rows *a = NULL;
  for (int k = 0; k < count; k++)
    for (int turn = 0; turn < (e[k].row == e[k].col ? 1 : 2); turn++, at++) {
      row[at] = turn ? e[k].col : e[k].row;
      col[at] = turn ? e[k].row : e[k].col;
      value[at] = e[k].value;
    }
  assert_int_equal(csr_rows_create(&(csr_entries){n, n, at, row, col, value}, &a, NULL), EW_OK);
  return a;
}

/* Rows 0, 2, 4 are a free chain, 1 and 3 another, 5 stands alone and is held. */
static const entry CHAINS[] = {{0, 0, 1}, {2, 2, 2}, {4, 4, 1},  {2, 0, -1}, {4, 2, -1},
                               {1, 1, 3}, {3, 3, 3}, {3, 1, -3}, {5, 5, 7}};
enum { N_CHAINS = sizeof CHAINS / sizeof *CHAINS };

static void parts_are_found(void **state) {
  (void)state;
  const int32_t expected[] = {0, 1, 0, 1, 0, -1};
  csr_rows *a = symmetric(6, N_CHAINS, CHAINS);
  null_space s;
  assert_int_equal(null_space_find(a, &s, NULL), EW_OK);
  assert_int_equal(s.n, 2);
  for (int i = 0; i < 6; i++) assert_int_equal(s.part[i], expected[i]);
  assert_int_equal(s.count[0], 3);
  assert_int_equal(s.count[1], 2);
  assert_false(null_space_is_whole(&s));
  double x[] = {1, 4, 2, 6, 6, 9}, mean[2];
  null_space_means(&s, x, mean);
  assert_float_equal(mean[0], 3, 1e-15);
  assert_float_equal(mean[1], 5, 1e-15);
  null_space_shift(&s, -1, mean, x);
  assert_float_equal(x[4], 3, 1e-15);
  assert_float_equal(x[5], 9, 0);
  null_space_clear(&s);
  csr_rows_destroy(&a);
}

/* Rows that sum to zero are not enough: columns must too, else the right-hand side's mean is not what the matrix does not reach. */
static void columns_count_too(void **state) {
  (void)state;
  csr_rows *a = NULL;
  null_space s;
  const csr_entries e = {2, 2, 4, (int32_t[]){0, 0, 1, 1}, (int32_t[]){0, 1, 0, 1}, (double[]){1, -1, -2, 2}};
  assert_int_equal(csr_rows_create(&e, &a, NULL), EW_OK);
  assert_int_equal(null_space_find(a, &s, NULL), EW_OK);
  assert_int_equal(s.n, 0);
  null_space_clear(&s);
  csr_rows_destroy(&a);
}

static void every_part_keeps_the_mean_of_its_guess(void **state) {
  (void)state;
  csr_rows *a = symmetric(6, N_CHAINS, CHAINS);
  const double b[] = {5, 1, 0, 3, 1, 14};
  for (int p = CSR_NONE; p <= CSR_MULTIGRID; p++) {
    double x[] = {1, 2, 1, 4, 1, 0};
    ew_error err = {0};
    linear_result r;
    linear_options o = linear_defaults();
    o.device = "c";
    o.preconditioner = (csr_preconditioner)p;
    o.preconditioner_open = false;
    assert_int_equal(linear_solve(a, b, x, &o, &r, &err), EW_OK);
    assert_int_equal(r.null_parts, 2);
    /* b less its mean: {3, -2, -1} on the chain, {-1, 1} on the pair */
    assert_float_equal(x[0] - x[2], 3, 1e-6);
    assert_float_equal(x[2] - x[4], 1, 1e-6);
    assert_float_equal((x[0] + x[2] + x[4]) / 3, 1, 1e-12);
    assert_float_equal(x[3] - x[1], 2.0 / 6, 1e-6);
    assert_float_equal((x[1] + x[3]) / 2, 3, 1e-12);
    assert_float_equal(x[5], 2, 1e-6);
    linear_result_clear(&r);
  }
  csr_rows_destroy(&a);
}

static void empty_rows_are_named(void **state) {
  (void)state;
  csr_rows *a = symmetric(3, 3, (entry[]){{0, 0, 1}, {1, 1, 0}, {2, 2, 1}});
  for (int p = CSR_NONE; p <= CSR_MULTIGRID; p++) {
    ew_error err = {0};
    linear_parts parts;
    linear_options o = linear_defaults();
    o.preconditioner = (csr_preconditioner)p;
    assert_int_equal(linear_split(a, &o, &parts, &err), EW_INPUT);
    assert_non_null(strstr(err.text, "row 2 of the matrix has no entry"));
    linear_parts_clear(&parts);
  }
  csr_rows_destroy(&a);
}

static ew_status known(const dev_context *device, const csr_pattern *pattern, csr_options *options,
                       bool *found, ew_error *unread, ew_error *err) {
  (void)unread, (void)err;
  assert_non_null(device);
  assert_int_equal(pattern->n, 6);
  options->method = CSR_CG_THREE_TERM;
  options->tuning = (csr_tuning){.form = CSR_FORM_PAPER, .group_bits = 5, .rows_bits = 2};
  *found = true;
  return EW_OK;
}

/* The device `c` cannot run the form of the paper: that it says so shows that the known tuning was taken. */
static void known_tunings_are_taken(void **state) {
  (void)state;
  csr_rows *a = symmetric(6, N_CHAINS, CHAINS);
  double x[6] = {0};
  ew_error err = {0};
  linear_result r;
  linear_options o = linear_defaults();
  o.device = "c";
  o.recall = known;
  assert_int_not_equal(linear_solve(a, (double[]){0, 0, 0, 0, 0, 1}, x, &o, &r, &err), EW_OK);
  assert_non_null(strstr(err.text, "paper"));
  linear_result_clear(&r);
  csr_rows_destroy(&a);
}

/* ---- what a matrix asks for ------------------------------------------------------------------------------------------- */

static csr_rows *dense(int n, const double *value) {
  int32_t row[64], col[64];
  csr_rows *a = NULL;
  for (int k = 0; k < n * n; k++) row[k] = k / n, col[k] = k % n;
  assert_int_equal(csr_rows_create(&(csr_entries){n, n, (size_t)(n * n), row, col, value}, &a, NULL), EW_OK);
  return a;
}

/* Solves A x = A {1, ..., n} and names how. */
static void expect_way(int n, const double *value, csr_method first, csr_method method,
                       csr_preconditioner p) {
  csr_rows *a = dense(n, value);
  double x[8] = {0}, b[8], exact[8];
  ew_error err = {0};
  linear_result r;
  linear_options o = linear_defaults();
  o.device = "c";
  for (int i = 0; i < n; i++) exact[i] = i + 1;
  linear_multiply(a, exact, b);
  if (linear_solve(a, b, x, &o, &r, &err) != EW_OK) fail_msg("%s", err.text);
  assert_int_equal(r.first_method, first);
  assert_int_equal(r.method, method);
  assert_int_equal(r.preconditioner, p);
  assert_int_equal(r.end, CSR_END_CONVERGED);
  for (int i = 0; i < n; i++) assert_float_equal(x[i], i + 1, 1e-6);
  linear_result_clear(&r);
  csr_rows_destroy(&a);
}

static void matrices_find_their_method(void **state) {
  (void)state;
  expect_way(2, (double[]){2, -1, -1, 2}, CSR_CG, CSR_CG, CSR_MULTIGRID);
  expect_way(3, (double[]){2, 1, 0, 1, -3, 1, 0, 1, 4}, CSR_MINRES, CSR_MINRES, CSR_JACOBI);
  expect_way(3, (double[]){2, 0, 1, 0, 3, 1, 1, 1, 0}, CSR_MINRES, CSR_MINRES, CSR_NONE);
  expect_way(2, (double[]){1, 3, 3, 1}, CSR_CG, CSR_MINRES, CSR_JACOBI); /* eigenvalues 4 and -2 */
  expect_way(3, (double[]){4, 1, 0, -1, 4, 1, 0, -1, 4}, CSR_BICGSTAB, CSR_BICGSTAB, CSR_JACOBI);
  expect_way(2, (double[]){0, 1, -1, 0}, CSR_GMRES, CSR_GMRES, CSR_NONE);
}

/* Its rows and columns do not sum to zero, so that no mean is taken out: the right-hand side lies outside of its range. */
static void systems_without_solutions_are_said_to_be(void **state) {
  (void)state;
  csr_rows *a = dense(3, (double[]){1, 2, 0, 2, 4, 0, 0, 0, 1});
  double x[3] = {0};
  ew_error err = {0};
  linear_result r;
  linear_options o = linear_defaults();
  o.device = "c";
  assert_int_equal(linear_solve(a, (double[]){1, 0, 1}, x, &o, &r, &err), EW_NOT_CONVERGED);
  assert_non_null(strstr(err.text, "the system has no solution to rounding"));
  linear_result_clear(&r);
  csr_rows_destroy(&a);
}

/* Rows of D A D, A with rows that sum to zero, do not: nothing tells that it is singular before minres finds it. */
static void hidden_kernels_are_found(void **state) {
  (void)state;
  enum { N = 400 };
  int32_t row[3 * N], col[3 * N];
  double value[3 * N], d[N], x[N] = {0}, b[N];
  size_t at = 0;
  for (int i = 0; i < N; i++) d[i] = 1 + 0.9 * sin(3.0 * i);
  for (int i = 0; i < N; i++)
    for (int j = i - 1; j <= i + 1; j++) {
      if (j < 0 || j >= N) continue;
      row[at] = i, col[at] = j;
      value[at++] = d[i] * d[j] * (i != j ? -1 : i == 0 || i == N - 1 ? 1 : 2);
    }
  csr_rows *a = NULL;
  ew_error err = {0};
  linear_result r;
  linear_options o = linear_defaults();
  o.device = "c";
  for (int i = 0; i < N; i++) b[i] = d[i];
  assert_int_equal(csr_rows_create(&(csr_entries){N, N, at, row, col, value}, &a, NULL), EW_OK);
  assert_int_equal(linear_solve(a, b, x, &o, &r, &err), EW_NOT_CONVERGED);
  assert_int_equal(r.end, CSR_END_OUTSIDE);
  assert_non_null(strstr(err.text, "the system has no solution to rounding"));
  linear_result_clear(&r);
  csr_rows_destroy(&a);
}

static void what_no_solution_reaches_is_told(void **state) {
  (void)state;
  csr_rows *a = symmetric(6, N_CHAINS, CHAINS), *whole = dense(2, (double[]){1, -1, -1, 1});
  double x[6] = {0};
  ew_error err = {0};
  linear_result r;
  linear_options o = linear_defaults();
  o.device = "c";
  assert_int_equal(linear_solve(a, (double[]){3, 0, 0, 0, 0, 4}, x, &o, &r, &err), EW_OK);
  assert_float_equal(r.outside, sqrt(3) / 5, 1e-12);
  linear_result_clear(&r);
  assert_int_equal(linear_solve(whole, (double[]){3, 1}, x, &o, &r, &err), EW_OK);
  assert_float_equal(r.outside, 2 * sqrt(2) / sqrt(10), 1e-12);
  linear_result_clear(&r);
  assert_int_equal(linear_solve(whole, (double[]){0.1, -0.1}, x, &o, &r, &err), EW_OK);
  assert_true(r.outside == 0);
  linear_result_clear(&r);
  csr_rows_destroy(&a);
  csr_rows_destroy(&whole);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parts_are_found),
      cmocka_unit_test(columns_count_too),
      cmocka_unit_test(every_part_keeps_the_mean_of_its_guess),
      cmocka_unit_test(empty_rows_are_named),
      cmocka_unit_test(known_tunings_are_taken),
      cmocka_unit_test(matrices_find_their_method),
      cmocka_unit_test(systems_without_solutions_are_said_to_be),
      cmocka_unit_test(hidden_kernels_are_found),
      cmocka_unit_test(what_no_solution_reaches_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
