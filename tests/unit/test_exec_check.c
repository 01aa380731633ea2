/* What is said about cases that do not fit, and how their values are sampled. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <unistd.h>

#include "run/internal.h"
#include "test_exec_fixture.h"

#define CONTAINS(text, part)                                                                                 \
  do {                                                                                                       \
    if (!strstr(text, part)) fail_msg("'%s' lacks '%s'", text, part);                                        \
  } while (0)

/* All problems of a case as one text; the case is destroyed. */
static char report[8192];
static int problems_of(ew_case *c) {
  exec_problems problems = {0};
  ew_error err = {EW_OK, ""};
  mesh *m = NULL;
  char *text = NULL;
  size_t size = 0;
  if (exec_mesh(c, &m, &err) != EW_OK) fail_msg("%s", err.text);
  assert_int_equal(exec_check(c, heat_program(false), &(exec_domain){.m = m}, &problems, &err), EW_OK);
  FILE *out = open_memstream(&text, &size);
  exec_problems_print(&problems, out);
  fclose(out);
  snprintf(report, sizeof report, "%s", text);
  int n = problems.n;
  free(text);
  exec_problems_clear(&problems);
  mesh_destroy(&m);
  case_destroy(&c);
  return n;
}

static void a_good_case_has_no_problems(void **state) {
  (void)state;
  if (problems_of(heat_case(false))) fail_msg("%s", report);
  if (problems_of(heat_case(true))) fail_msg("%s", report);
}

static void unknown_names_get_suggestions(void **state) {
  (void)state;
  ew_case *c = heat_case(false);
  case_value *v = add_value(c, &c->values.parameter, &c->values.n_parameters, "kapa");
  v->at = (case_where){"case.lua", 12};
  add_value(c, &c->values.initial, &c->values.n_initial, "power");
  add_value(c, &c->values.given, &c->values.n_givens, "pwoer");
  add_value(c, &c->values.given, &c->values.n_givens, "kappa");
  add_value(c, &c->values.parameter, &c->values.n_parameters, "twice");
  c->boundary[0].rule = "hold";
  c->output.n_fields = 1;
  c->output.field = (const char *[]){"twcie"};
  c->output.n_history = 1;
  c->output.history = (const char *[]){"mass"};
  assert_int_equal(problems_of(c), 8);
  CONTAINS(report, "'kappa' of scheme 'heat by hand' is a parameter: its value belongs under `parameters`");
  CONTAINS(report, "'twice' of scheme 'heat by hand' is an equation: it follows from the scheme");
  CONTAINS(report, "case.lua:12: scheme 'heat by hand' has no parameter 'kapa'; did you mean 'kappa'?");
  CONTAINS(report, "'power' of scheme 'heat by hand' is a given: its value belongs under `given`");
  CONTAINS(report, "no given 'pwoer'; did you mean 'power'?");
  CONTAINS(report, "no boundary rule 'hold'; did you mean 'held'?");
  CONTAINS(report, "no field 'twcie'; did you mean 'twice'?");
  CONTAINS(report, "no global 'mass'; there is 'dt'");
}

static void missing_and_doubled_values_are_named(void **state) {
  (void)state;
  ew_case *c = heat_case(false);
  c->values.n_parameters = 0;
  c->values.n_initial = 0;
  c->boundary[2].n_arguments = 0;
  add_value(c, &c->values.given, &c->values.n_givens, "power");
  c->time.stop = 0;
  assert_int_equal(problems_of(c), 5);
  CONTAINS(report, "parameter 'kappa' [m^2/s] of scheme 'heat by hand' has no default");
  CONTAINS(report, "state 'T' of scheme 'heat by hand' has no value");
  CONTAINS(report, "rule 'held' needs its argument 'wall' [K]");
  CONTAINS(report, "given 'power' is given twice");
  CONTAINS(report, "needs a time to stop at");
}

static void boundary_names_are_compared_both_ways(void **state) {
  (void)state;
  ew_case *c = heat_case(false);
  c->boundary[0].at = (case_where){"case.lua", 20};
  c->boundary[1].name[0] = "tpo";
  c->boundary[1].name[1] = "left";
  assert_int_equal(problems_of(c), 1);
  CONTAINS(report, "case.lua:20: boundary names of mesh and case do not match:\n");
  CONTAINS(report,
           "left (11 faces)                    left -> held                       named more than once\n");
  CONTAINS(report, "bottom (13 faces)                  -                                  has no rule\n");
  CONTAINS(report, "-                                  tpo -> closed                      not in the mesh; "
                   "did you mean 'top'?\n");
}

static void periodic_boundaries_take_no_rule(void **state) {
  (void)state;
  ew_case *c = heat_case(true);
  add_boundary(c, "closed", 1, (const char *const[]){"top"});
  assert_int_equal(problems_of(c), 1);
  CONTAINS(report, "periodic: takes no rule");
}

static void components_and_time_are_checked(void **state) {
  (void)state;
  ew_case *c = heat_case(false);
  c->values.parameter[0].n = 3;
  c->values.given[0].kind = CASE_FUNCTION;
  c->values.given[0].over_time = true;
  c->output.every = -1;
  c->output.n_probes = 1;
  c->output.probe = &(case_probe){.name = "far", .x = {2, 0.5}};
  assert_int_equal(problems_of(c), 4);
  CONTAINS(report, "parameter 'kappa' has 3 components here, the scheme expects 1");
  CONTAINS(report, "given 'power' depends on time here, but is not declared `over time`");
  CONTAINS(report, "output every -1");
  CONTAINS(report, "probe 'far' at (2, 0.5) lies outside of the mesh");
}

/* ---- values ------------------------------------------------------------------------------------------------------------------- */

static double sample(const case_value *v, double x, double y, double t, ew_status expected, ew_error *err) {
  exec_sampler *s = NULL;
  double out = NAN, at[] = {x, y};
  ew_case *c = heat_case(false);
  ew_status status = exec_sampler_create(c, v, 1, &s, err);
  if (status == EW_OK) status = exec_sample(s, 2, at, t, &out, err);
  if (status != expected) fail_msg("status %d: %s", status, err->text);
  exec_sampler_destroy(&s);
  case_destroy(&c);
  return out;
}

static void series_are_linear_between_and_constant_beyond(void **state) {
  (void)state;
  ew_error err = {EW_OK, ""};
  case_value v = {.name = "q",
                  .kind = CASE_SERIES,
                  .n = 1,
                  .n_times = 3,
                  .time = (const double[]){1, 2, 4},
                  .series = (const double[]){10, 20, 0}};
  static const double expected[][2] = {{0, 10}, {1, 10}, {1.5, 15}, {2, 20}, {3, 10}, {4, 0}, {9, 0}};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
    assert_true(sample(&v, 0, 0, expected[i][0], EW_OK, &err) == expected[i][1]);
}

static void rasters_are_bilinear_and_must_cover_the_point(void **state) {
  (void)state;
  ew_error err = {EW_OK, ""};
  case_value v = {.name = "z", .kind = CASE_RASTER, .path = "test_exec_check.asc", .at = {"case.lua", 3}};
  FILE *f = fopen(v.path, "w");
  assert_non_null(f);
  fputs("ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\nNODATA_value -9999\n3 4\n1 2\n", f);
  fclose(f);
  assert_true(fabs(sample(&v, 1, 1, 0, EW_OK, &err) - 2.5) < 1e-15);
  sample(&v, 3, 1, 0, EW_INPUT, &err);
  CONTAINS(err.text, "case.lua:3: 'z': the raster test_exec_check.asc covers x from 0 to 2");
  unlink(v.path);
  sample(&v, 1, 1, 0, EW_IO, &err);
  CONTAINS(err.text, "case.lua:3");
}

static ew_status broken(void *context, const double *x, double t, double *out, int n, ew_error *err) {
  (void)x, (void)t, (void)n;
  if (context) return ew_fail(err, EW_INPUT, "attempt to index a nil value");
  out[0] = NAN;
  return EW_OK;
}

static void functions_that_fail_are_named(void **state) {
  (void)state;
  ew_error err = {EW_OK, ""};
  case_value v = {
      .name = "h", .kind = CASE_FUNCTION, .function = broken, .context = &v, .at = {"case.lua", 9}};
  sample(&v, 1, 2, 0, EW_INPUT, &err);
  CONTAINS(err.text, "case.lua:9: 'h': attempt to index a nil value");
  v.context = NULL;
  sample(&v, 1, 2, 0.5, EW_INPUT, &err);
  CONTAINS(err.text, "case.lua:9: 'h' is nan at (1, 2), t = 0.5 s");
}

static void memory_of_a_case_grows(void **state) {
  (void)state;
  ew_case *c = NULL;
  int *array = NULL, n = 0;
  assert_int_equal(case_create(&c, NULL), EW_OK);
  for (int i = 0; i < 100; i++) *(int *)case_append(c, &array, &n, sizeof *array, NULL) = i;
  assert_int_equal(n, 100);
  for (int i = 0; i < 100; i++) assert_int_equal(array[i], i);
  assert_string_equal(case_text(c, "text", NULL), "text");
  assert_null(case_text(c, NULL, NULL));
  case_destroy(&c);
  assert_null(c);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_good_case_has_no_problems),
                                     cmocka_unit_test(unknown_names_get_suggestions),
                                     cmocka_unit_test(missing_and_doubled_values_are_named),
                                     cmocka_unit_test(boundary_names_are_compared_both_ways),
                                     cmocka_unit_test(periodic_boundaries_take_no_rule),
                                     cmocka_unit_test(components_and_time_are_checked),
                                     cmocka_unit_test(series_are_linear_between_and_constant_beyond),
                                     cmocka_unit_test(rasters_are_bilinear_and_must_cover_the_point),
                                     cmocka_unit_test(functions_that_fail_are_named),
                                     cmocka_unit_test(memory_of_a_case_grows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
