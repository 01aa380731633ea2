/* Double-single numbers: each operation and function beside the double's, on random operands and on those that are special. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dslc_kernel.h"

enum { N = 400 };

typedef double function(double a, double b);

typedef struct operation {
  const char *formula;
  function *exact;
  double from, to; /* of both operands */
  double limit;    /* of the difference over the value's size, or over 1 where it is smaller than `floor` */
  double floor;
} operation;

static double add(double a, double b) { return a + b; }
static double sub(double a, double b) { return a - b; }
static double mul(double a, double b) { return a * b; }
static double quotient(double a, double b) { return a / b; }
static double minus(double a, double b) { return (void)b, -a; }
static double root(double a, double b) { return (void)b, sqrt(fabs(a)); }
static double cube_root(double a, double b) { return (void)b, cbrt(a); }
static double exponential(double a, double b) { return (void)b, exp(a); }
static double logarithm(double a, double b) { return (void)b, log(fabs(a)); }
static double sine(double a, double b) { return (void)b, sin(a); }
static double cosine(double a, double b) { return (void)b, cos(a); }
static double tangent(double a, double b) { return (void)b, tan(a); }
static double arc_sine(double a, double b) { return (void)b, asin(a); }
static double arc_cosine(double a, double b) { return (void)b, acos(a); }
static double arc_tangent(double a, double b) { return (void)b, atan(a); }
static double angle(double a, double b) { return atan2(a, b); }
static double sinh_of(double a, double b) { return (void)b, sinh(a); }
static double cosh_of(double a, double b) { return (void)b, cosh(a); }
static double tanh_of(double a, double b) { return (void)b, tanh(a); }
static double power(double a, double b) { return pow(fabs(a), b); }
static double whole_power(double a, double b) { return pow(a, (int)b); }
static double rest(double a, double b) { return fmod(a, b); }
static double rounded(double a, double b) { return (void)b, rint(a); }
static double below(double a, double b) { return (void)b, floor(a); }
static double above(double a, double b) { return (void)b, ceil(a); }
static double length(double a, double b) { return hypot(a, b); }
static double least(double a, double b) { return fmin(a, b); }
static double most(double a, double b) { return fmax(a, b); }
static double truncated(double a, double b) { return (void)b, (double)(long)a; }
static double less(double a, double b) { return a < b ? a * 0.5 : b; }
static double bits(double a, double b) { return (void)b, a; }
static double sums(double a, double b) { return (a + b) * (a - b) + 0.1 * a; }
static double delta(double a, double b) { return (double)(a > 0.0) * a + (double)(a <= 0.0) * b; }

static const operation operations[] = {
    {"a + b", add, -10, 10, 4e-14, 0.1},
    {"a - b", sub, -10, 10, 4e-14, 0.1},
    {"a*b", mul, -1e5, 1e5, 3e-14, 0},
    {"a/b", quotient, -1e5, 1e5, 3e-14, 0},
    {"-a", minus, -1e5, 1e5, 1e-14, 0},
    {"sqrt(fabs(a))", root, -1e5, 1e5, 3e-14, 0},
    {"cbrt(a)", cube_root, -1e5, 1e5, 5e-14, 0},
    {"exp(a)", exponential, -60, 80, 1e-12, 0},
    {"log(fabs(a))", logarithm, -1e5, 1e5, 3e-14, 1},
    {"sin(a)", sine, -100, 100, 1e-13, 1},
    {"cos(a)", cosine, -100, 100, 1e-13, 1},
    {"tan(a)", tangent, -1.5, 1.5, 1e-12, 1},
    {"asin(a)", arc_sine, -1, 1, 1e-13, 1},
    {"acos(a)", arc_cosine, -1, 1, 1e-13, 1},
    {"atan(a)", arc_tangent, -50, 50, 1e-13, 1},
    {"atan2(a, b)", angle, -50, 50, 1e-13, 1},
    {"sinh(a)", sinh_of, -20, 20, 5e-13, 0.1},
    {"cosh(a)", cosh_of, -20, 20, 5e-13, 0},
    {"tanh(a)", tanh_of, -3, 3, 2e-13, 0.1},
    {"pow(fabs(a), b)", power, -8, 8, 2e-12, 0},
    {"pow(a, (double)(int)b)", whole_power, -8, 8, 1e-12, 0},
    {"fmod(a, b)", rest, -1000, 1000, 1e-9, 1},
    {"rint(a)", rounded, -1e6, 1e6, 0, 0},
    {"floor(a)", below, -1e6, 1e6, 0, 0},
    {"ceil(a)", above, -1e6, 1e6, 0, 0},
    {"hypot(a, b)", length, -50, 50, 1e-13, 0},
    {"fmin(a, b)", least, -50, 50, 1e-14, 0},
    {"fmax(a, b)", most, -50, 50, 1e-14, 0},
    {"(double)(long)a", truncated, -1e9, 1e9, 0, 0},
    {"a < b ? 0.5*a : b", less, -50, 50, 1e-14, 0},
    {"as_double(as_long(a))", bits, -1e6, 1e6, 1e-14, 0},
    {"(a + b)*(a - b) + 0.1*a", sums, -50, 50, 1e-13, 10},
    {"(double)(a > 0)*a + (double)(a <= 0)*b", delta, -50, 50, 1e-14, 0},
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

static double operand(double from, double to) { return from + (to - from) * ((double)rand() / RAND_MAX); }

/* One kernel computes the formula for each pair of operands. */
static void compute(const char *formula, const double *a, const double *b, double *c, int n) {
  char text[1000], message[1000];
  snprintf(text, sizeof text,
           "__kernel void f(__global const double *as, __global const double *bs, __global double *cs) {\n"
           "  const int i = get_global_id(0);\n"
           "  const double a = as[i], b = bs[i];\n"
           "  cs[i] = %s;\n}\n",
           formula);
  dslc_kernels *k = dslc_kernels_double_single(text, "", message, sizeof message);
  if (!k) fail_msg("%s: %s", formula, message);
  assert_null(strstr(dslc_kernels_text(k), "double "));
  if (dslc_kernels_verify(k, message, sizeof message) > 0) fail_msg("%s: %s", formula, message);
  assert_true(dslc_kernels_words(k, 0, 0) == DSLC_WORDS_DOUBLE &&
              dslc_kernels_words(k, 0, 2) == DSLC_WORDS_DOUBLE);
  dslc_kernel_info info;
  if (!dslc_kernels_open(k, 0, &info, message, sizeof message)) fail_msg("%s: %s", formula, message);
  dslc_memory *m[3];
  dslc_launch_argument argument[3];
  for (int i = 0; i < 3; i++) {
    m[i] = dslc_memory_create("numbers", 8 * (uint64_t)n);
    int64_t *to = dslc_memory_data(m[i]);
    for (int j = 0; j < n && i < 2; j++) dslc_double_single(i ? b[j] : a[j], &to[j]);
    dslc_memory_mark(m[i], 0, 8 * (uint64_t)n);
    argument[i] = (dslc_launch_argument){.kind = DSLC_ARGUMENT_MEMORY, .memory = m[i]};
  }
  dslc_machine *machine = dslc_machine_create(&(dslc_machine_options){.seed = 1});
  const dslc_launch_range range = {.dims = 1, .global = {(size_t)n}, .local = {1}};
  if (dslc_machine_launch(machine, k, 0, argument, 3, &range)) {
    int faults;
    fail_msg("%s: %s", formula, dslc_machine_faults(machine, &faults)->text);
  }
  const int64_t *from = dslc_memory_data(m[2]);
  for (int j = 0; j < n; j++) c[j] = dslc_double_single_value(from[j]);
  dslc_machine_destroy(&machine);
  for (int i = 0; i < 3; i++) dslc_memory_destroy(&m[i]);
  dslc_kernels_destroy(&k);
}

static void test_operations(void **state) {
  (void)state;
  static double a[N], b[N], c[N];
  for (int o = 0; o < OPERATIONS; o++) {
    const operation *op = &operations[o];
    double worst = 0;
    for (int i = 0; i < N; i++) a[i] = operand(op->from, op->to), b[i] = operand(op->from, op->to);
    compute(op->formula, a, b, c, N);
    for (int i = 0; i < N; i++) {
      /* as the device has the operands */
      int64_t at, bt;
      dslc_double_single(a[i], &at);
      dslc_double_single(b[i], &bt);
      const double exact = op->exact(dslc_double_single_value(at), dslc_double_single_value(bt));
      const double d = fabs(c[i] - exact) / (fabs(exact) > op->floor ? fabs(exact) : op->floor);
      if (c[i] != exact && !(d <= worst)) worst = d;
      if (c[i] != exact && !(d <= op->limit))
        fail_msg("%s of %.17g and %.17g: %.17g instead of %.17g", op->formula, a[i], b[i], c[i], exact);
    }
    print_message("%-42s %.1e\n", op->formula, worst);
  }
}

/* Infinity and what is no number stay what they are; guards of quotients guard. */
static void test_special(void **state) {
  (void)state;
  static const struct {
    const char *formula;
    double a, b, c;
  } of[] = {{"a/b", 1, 0, INFINITY},
            {"a/b", 1, INFINITY, 0},
            {"a + b", INFINITY, 1, INFINITY},
            {"a - b", INFINITY, INFINITY, NAN},
            {"a*b", INFINITY, -2, -INFINITY},
            {"fmin(a, b)", INFINITY, 2, 2},
            {"fmin(a, b)", NAN, 2, 2},
            {"sqrt(a)", -1, 0, NAN},
            {"sqrt(a)", 0, 0, 0},
            {"sqrt(a)", INFINITY, 0, INFINITY},
            {"log(a)", 0, 0, -INFINITY},
            {"exp(a)", 1000, 0, INFINITY},
            {"exp(a)", -1000, 0, 0},
            {"a < INFINITY ? 1.0 : 2.0", 3, 0, 1},
            {"a == a ? 1.0 : 2.0", NAN, 0, 2},
            {"(double)isnan(a) + 2.0*(double)isfinite(b)", NAN, 3, 3},
            {"b/fmax(a, 1e-300)", 0, 0, 0},
            {"(double)(a > 1e300)", 5, 0, 0},
            {"pow(a, b)", -2, 3, -8},
            {"pow(a, b)", 0, 0, 1},
            {"floor(a)", -0.5, 0, -1},
            {"rint(a)", 2.5, 0, 2},
            {"(double)(int)a", -3.999999999, 0, -3},
            {"(double)(int)a", 2.9999999999, 0, 2},
            {"rint(a)", 2.5000000001, 0, 3}};
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    double c;
    compute(of[i].formula, &of[i].a, &of[i].b, &c, 1);
    if (c != of[i].c && !(isnan(c) && isnan(of[i].c)))
      fail_msg("%s of %g and %g: %g instead of %g", of[i].formula, of[i].a, of[i].b, c, of[i].c);
  }
}

static void test_numbers(void **state) {
  (void)state;
  int64_t of;
  assert_true(dslc_double_single(0.1, &of));
  assert_true(fabs(dslc_double_single_value(of) - 0.1) < 1e-15);
  assert_true(dslc_double_single(INFINITY, &of) && isinf(dslc_double_single_value(of)));
  assert_false(dslc_double_single(1e40, &of));
  assert_true(dslc_double_single(0, &of) && of == 0);
}

/* What stands for doubles elsewhere: updates, arrays, structs, functions, conditions. */
static void test_statements(void **state) {
  (void)state;
  char message[500];
  static const char text[] =
      "typedef struct { double x, y; int n; } two;\n"
      "static inline two make(const double x) { two t; t.x = x; t.y = x*x; t.n = 2; return t; }\n"
      "static inline void twice(double *x) { *x *= 2; }\n"
      "__kernel void g(__global double *out, const double factor, const int n) {\n"
      "  const double w[3] = {0.5, 0.25, 1};\n"
      "  double sum = 0;\n"
      "  for (int i = 0; i < n; ++i) sum += w[i]*factor;\n"
      "  two t = make(sum);\n"
      "  twice(&t.x);\n"
      "  int count = 1;\n"
      "  count += t.y;\n"
      "  float half = 0.5f;\n"
      "  half *= sum;\n"
      "  if (sum) t.y -= 1;\n"
      "  out[0] = t.x; out[1] = t.y; out[2] = count; out[3] = half; out[4] = !sum;\n"
      "}\n";
  dslc_kernels *k = dslc_kernels_double_single(text, "", message, sizeof message);
  if (!k) fail_msg("%s", message);
  dslc_kernel_info info;
  if (!dslc_kernels_open(k, 0, &info, message, sizeof message)) fail_msg("%s", message);
  dslc_memory *out = dslc_memory_create("out", 40);
  int64_t factor;
  dslc_double_single(2, &factor);
  const dslc_launch_argument argument[] = {{.kind = DSLC_ARGUMENT_MEMORY, .memory = out},
                                           {.kind = DSLC_ARGUMENT_I64, .i64 = factor},
                                           {.kind = DSLC_ARGUMENT_I32, .i32 = 3}};
  dslc_machine *machine = dslc_machine_create(&(dslc_machine_options){.seed = 1});
  const dslc_launch_range range = {.dims = 1, .global = {1}, .local = {1}};
  assert_int_equal(dslc_machine_launch(machine, k, 0, argument, 3, &range), 0);
  static const double expected[] = {7, 11.25, 13, 1.75, 0};
  for (int i = 0; i < 5; i++)
    assert_true(dslc_double_single_value(((int64_t *)dslc_memory_data(out))[i]) == expected[i]);
  dslc_machine_destroy(&machine);
  dslc_memory_destroy(&out);
  dslc_kernels_destroy(&k);
  assert_null(dslc_kernels_double_single("typedef struct { double x; } one;\n"
                                         "__kernel void g(__global one *o) { o[0].x = 1; }\n",
                                         "", message, sizeof message));
  assert_non_null(strstr(message, "struct of doubles"));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers), cmocka_unit_test(test_operations),
                                     cmocka_unit_test(test_special), cmocka_unit_test(test_statements)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
