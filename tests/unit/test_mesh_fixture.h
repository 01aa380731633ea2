/* Helpers of the mesh tests. */
#ifndef TEST_MESH_FIXTURE_H
#define TEST_MESH_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mesh/check.h"
#include "mesh/generate.h"

/* Fails the test with the error's text. */
static inline void assert_fine(ew_status status, const ew_error *err) {
  if (status != EW_OK) fail_msg("status %d: %s", status, err->text);
}

static inline void assert_valid(const mesh *m) {
  ew_error err;
  assert_fine(mesh_check(m, &err), &err);
}

static inline void assert_contains(const char *text, const char *part) {
  if (!strstr(text, part)) fail_msg("\"%s\" does not contain \"%s\"", text, part);
}

static inline void assert_near(double a, double b, double tolerance) {
  if (!(a - b <= tolerance && b - a <= tolerance)) fail_msg("%.17g is not %.17g", a, b);
}

static inline mesh *make_rectangle(mesh_rectangle_options o) {
  ew_error err;
  mesh *m;
  assert_fine(mesh_rectangle(&o, &m, &err), &err);
  assert_valid(m);
  return m;
}

static inline mesh *make_box(mesh_box_options o) {
  ew_error err;
  mesh *m;
  assert_fine(mesh_box(&o, &m, &err), &err);
  assert_valid(m);
  return m;
}

static inline double total_volume(const mesh *m) {
  double sum = 0;
  for (cell_id c = 0; c < m->n_cells; c++) sum += m->cell_volume[c];
  return sum;
}

#endif
