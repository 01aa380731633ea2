/* What stands at the axis of a plot of several fields, and in its legend. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "output/show.h"

static dslc_field FIELD[] = {{.name = "h", .components = 1, .unit = "m", .comment = "water depth"},
                             {.name = "z", .components = 1, .unit = "m", .comment = "bed"},
                             {.name = "q", .components = 2, .unit = "m^2/s", .comment = "unit discharge"},
                             {.name = "c", .components = 1}};
static const dslc_program PROGRAM = {.model = {.field = FIELD, .n_fields = 4}, .space = {.dims = 2}};

static void plot_shows(case_curve *curve, int n, const char *axis, const char *legend) {
  const case_plot plot = {.curve = curve, .n_curves = n};
  char text[256], all[600] = "";
  exec_show_axis(&PROGRAM, &plot, text, sizeof text);
  assert_string_equal(text, axis);
  for (int i = 0; i < n; i++) {
    exec_show_curve(&PROGRAM, &plot, i, text, sizeof text);
    strcat(strcat(all, i ? "|" : ""), text);
  }
  assert_string_equal(all, legend);
}

#define SHOWS(axis, legend, ...)                                                                             \
  plot_shows((case_curve[]){__VA_ARGS__}, (int)(sizeof((case_curve[]){__VA_ARGS__}) / sizeof(case_curve)),   \
             axis, legend)

static void an_axis_names_what_all_curves_share(void **state) {
  (void)state;
  SHOWS("h, water depth [m]", "h", {.field = "h"});
  SHOWS("h, water depth [m]", "exact|h", {.label = "exact"}, {.field = "h"});
  SHOWS("q.x, unit discharge [m\u00b2/s]", "q.x", {.field = "q.x"});
  SHOWS("[m]", "h|z|exact", {.field = "h"}, {.field = "z"}, {.label = "exact"});
  SHOWS("[m\u00b2/s]", "q.x|q.y|q", {.field = "q.x"}, {.field = "q.y"}, {.field = "q"});
  SHOWS("", "h [m]|q.x [m\u00b2/s]", {.field = "h"}, {.field = "q.x"});
  SHOWS("", "h [m]|z [m]|c|exact", {.field = "h"}, {.field = "z"}, {.field = "c"}, {.label = "exact"});
  SHOWS("c", "c", {.field = "c"});
  SHOWS("", "c|c", {.field = "c"}, {.field = "c"});
  SHOWS("", "exact", {.label = "exact"});
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(an_axis_names_what_all_curves_share)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
