/* The library that other programs embed: runs from text, steps, fields where they lie, failures, threads. Linked with libedgewise.so alone. */
#include <math.h>
#include <locale.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "edgewise.h"

static const char PLATE[] =
    "local arg = arguments { n = 6, hot = 1 }\n"
    "return case {\n"
    "  scheme = 'heat', parameters = { kappa = 0.5 },\n"
    "  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = arg.n, ny = arg.n },\n"
    "  given = { power = 0 },\n"
    "  initial = { T = function(x, y) return arg.hot*math.sin(3*x)*math.cos(2*y) end },\n"
    "  boundary = { { {'left', 'right', 'bottom', 'top'}, 'insulated' } },\n"
    "  time = { stop = 0.05 }, output = { every = 0.02 },\n"
    "  on_end = function(run) print('the end', run.step) end,\n"
    "}\n";

static const char SPOTS[] =
    "return case {\n"
    "  scheme = 'gray_scott', parameters = { F = 0.037, k = 0.06 },\n"
    "  mesh = mesh.grid { x = {0, 13}, y = {0, 7}, nx = 13, ny = 7, periodic = 'xy' },\n"
    "  initial = { u = function(x, y) return 1 - 0.3*math.sin(x) end,\n"
    "              v = function(x, y) return 0.2 + 0.1*math.cos(y) end },\n"
    "  time = { steps = 7 },\n"
    "}\n";

static const char NODES[] =
    "return case {\n"
    "  scheme = 'convection_diffusion', parameters = { kappa = 0.1, cfl = 0.5 },\n"
    "  mesh = mesh.rectangle { x = {-1, 1}, y = {-1, 1}, nx = 7, ny = 5, periodic = 'x' },\n"
    "  given = { a = function(x, y) return {1, 0} end },\n"
    "  initial = { phi = function(x, y) return math.exp(-4*(x*x + y*y)) end },\n"
    "  boundary = { { {'bottom', 'top'}, 'held', value = 0 } },\n"
    "  time = { steps = 6 },\n"
    "}\n";

static const char LAKE[] = "return case {\n"
                           "  scheme = 'shallow_water', parameters = { g = 9.81 },\n"
                           "  mesh = mesh.rectangle { x = {0, 4}, y = {0, 2}, nx = 8, ny = 4 },\n"
                           "  given = { z = 0, n = 0 },\n"
                           "  initial = { h = function(x) return x < 2 and 1 or 0.4 end, q = {0, 0} },\n"
                           "  boundary = { { {'left', 'right', 'bottom', 'top'}, 'wall' } },\n"
                           "  time = { steps = 6 }, output = { fields = { 'h' } },\n"
                           "}\n";

static edgewise_run *open_or_fail(edgewise_options o, edgewise_status expected) {
  edgewise_run *run = NULL;
  o.size = sizeof o;
  edgewise_status status = edgewise_open(&o, &run);
  if ((int)status != (int)expected) print_error("%s\n", edgewise_message(run));
  assert_int_equal(status, expected);
  assert_non_null(run);
  return run;
}

static edgewise_run *open_text(const char *text, const char *device) {
  return open_or_fail((edgewise_options){.text = text, .device = device}, EDGEWISE_OK);
}

static int64_t numbers_of(edgewise_run *run, const char *name, edgewise_field *out) {
  for (int i = 0; i < edgewise_field_count(run); i++) {
    *out = (edgewise_field){.size = sizeof *out};
    assert_int_equal(edgewise_field_at(run, i, out), EDGEWISE_OK);
    if (strcmp(out->name, name) == 0) return out->count * out->components;
  }
  fail_msg("no field '%s'", name);
  return 0;
}

static double *read_all(edgewise_run *run, const char *name, int64_t *n) {
  edgewise_field f;
  *n = numbers_of(run, name, &f);
  double *values = malloc((size_t)*n * sizeof *values);
  assert_int_equal(edgewise_read(run, name, values, *n), EDGEWISE_OK);
  return values;
}

static void assert_same(edgewise_run *a, edgewise_run *b, const char *name) {
  int64_t n, m;
  double *x = read_all(a, name, &n), *y = read_all(b, name, &m);
  assert_int_equal(n, m);
  assert_memory_equal(x, y, (size_t)n * sizeof *x);
  free(x);
  free(y);
}

/* ---- steps ---------------------------------------------------------------------------------------------------------------- */

static void steps_one_by_one_are_those_of_a_whole_run(void **state) {
  (void)state;
  edgewise_run *a = open_text(PLATE, "c"), *b = open_text(PLATE, "c");
  assert_int_equal(edgewise_steps(a), 0);
  assert_int_equal(edgewise_finish(a), EDGEWISE_OK);
  assert_true(edgewise_time(a) == 0.05);
  for (int i = 0; i < 10000 && !edgewise_ended(b); i++) {
    assert_int_equal(edgewise_steps(b), i);
    assert_int_equal(edgewise_step(b, 1), EDGEWISE_OK);
  }
  assert_int_equal(edgewise_steps(a), edgewise_steps(b));
  assert_true(edgewise_time(a) == edgewise_time(b));
  assert_same(a, b, "T");
  assert_int_equal(edgewise_step(b, 5), EDGEWISE_OK); /* behind the end nothing happens */
  assert_int_equal(edgewise_steps(a), edgewise_steps(b));
  edgewise_close(&a);
  edgewise_close(&b);
  assert_null(a);
}

static void a_time_is_met_exactly(void **state) {
  (void)state;
  edgewise_run *run = open_text(PLATE, "c");
  assert_int_equal(edgewise_advance(run, 0.0123), EDGEWISE_OK);
  assert_true(edgewise_time(run) == 0.0123);
  assert_true(edgewise_dt(run) > 0);
  assert_int_equal(edgewise_advance(run, 1), EDGEWISE_OK); /* the case ends before */
  assert_true(edgewise_time(run) == 0.05);
  assert_true(edgewise_ended(run));
  edgewise_close(&run);
}

/* ---- fields ------------------------------------------------------------------------------------------------------------------ */

static double *entry(const edgewise_view *v, int64_t number, int d) {
  char *at = v->data;
  for (int a = v->n_axes - 1; a >= 0; a--) at += number % v->shape[a] * v->stride[a], number /= v->shape[a];
  return (double *)(void *)(at + d * v->component_stride);
}

static edgewise_view map(edgewise_run *run, const char *name, edgewise_access access) {
  edgewise_view v = {.size = sizeof v};
  if (edgewise_map(run, name, access, &v) != EDGEWISE_OK) fail_msg("%s", edgewise_message(run));
  return v;
}

static void a_map_is_the_memory_itself(void **state) {
  (void)state;
  edgewise_run *run = open_text(PLATE, "c");
  edgewise_view v = map(run, "T", EDGEWISE_READ_WRITE);
  const void *first = v.data;
  assert_int_equal(v.copied, 0);
  assert_int_equal(v.writable, 1);
  assert_int_equal(v.count, 72);
  *entry(&v, 5, 0) = 17.25;
  assert_int_equal(edgewise_unmap(run, "T"), EDGEWISE_OK);
  v = map(run, "T", EDGEWISE_READ);
  assert_ptr_equal(v.data, first);
  assert_true(*entry(&v, 5, 0) == 17.25);
  assert_int_equal(edgewise_unmap(run, "T"), EDGEWISE_OK);
  edgewise_close(&run);
}

static void other_memory_is_said_to_be_copied(void **state) {
  (void)state;
  edgewise_run *run = open_text(SPOTS, "model"), *host = open_text(SPOTS, "c");
  edgewise_view v = map(run, "u", EDGEWISE_READ_WRITE), w = map(host, "u", EDGEWISE_READ_WRITE);
  assert_int_equal(v.copied, 1);
  *entry(&v, 40, 0) = *entry(&w, 40, 0) = 0.125;
  assert_int_equal(edgewise_unmap(run, "u"), EDGEWISE_OK);
  assert_int_equal(edgewise_unmap(host, "u"), EDGEWISE_OK);
  assert_int_equal(edgewise_finish(run), EDGEWISE_OK);
  assert_int_equal(edgewise_finish(host), EDGEWISE_OK);
  int64_t n;
  double *x = read_all(run, "u", &n), *y = read_all(host, "u", &n);
  for (int64_t i = 0; i < n; i++) assert_true(fabs(x[i] - y[i]) < 1e-12);
  free(x);
  free(y);
  edgewise_close(&run);
  edgewise_close(&host);
}

/* A run that starts elsewhere and is given the states of another through maps goes on like that one: also what lies beyond boundaries. */
static void written_states_count(const char *text, const char *device, const char *const *state_name) {
  edgewise_run *a = open_text(text, device), *b = open_text(text, device);
  int64_t n;
  edgewise_field f;
  for (int i = 0; state_name[i]; i++) {
    double *start = read_all(a, state_name[i], &n);
    numbers_of(b, state_name[i], &f);
    edgewise_view v = map(b, state_name[i], EDGEWISE_READ_WRITE);
    assert_int_equal(v.components, f.components);
    for (int64_t k = 0; k < v.count; k++)
      for (int d = 0; d < v.components; d++) *entry(&v, k, d) = 0.5;
    assert_int_equal(edgewise_unmap(b, state_name[i]), EDGEWISE_OK);
    assert_int_equal(edgewise_write(b, state_name[i], start, n), EDGEWISE_OK);
    free(start);
  }
  assert_int_equal(edgewise_finish(a), EDGEWISE_OK);
  assert_int_equal(edgewise_finish(b), EDGEWISE_OK);
  for (int i = 0; state_name[i]; i++) assert_same(a, b, state_name[i]);
  edgewise_close(&a);
  edgewise_close(&b);
}

static void states_written_through_maps_count(void **state) {
  (void)state;
  written_states_count(PLATE, "c", (const char *const[]){"T", NULL});
  written_states_count(SPOTS, "c", (const char *const[]){"u", "v", NULL});
  written_states_count(NODES, "c", (const char *const[]){"phi", NULL});
  written_states_count(LAKE, "c", (const char *const[]){"h", "q", NULL});
  written_states_count(PLATE, "reference", (const char *const[]){"T", NULL});
}

/* What a case says of a place is what lies at the entry whose coordinates these are. */
static void check_places(const char *text, const char *name, edgewise_location where, int64_t count,
                         double (*exact)(const double *x)) {
  edgewise_run *run = open_text(text, "c");
  edgewise_field f;
  const double *x;
  int64_t n, values = numbers_of(run, name, &f);
  double *value = read_all(run, name, &values);
  assert_int_equal(f.location, where);
  assert_int_equal(f.count, count);
  assert_int_equal(edgewise_coordinates(run, where, &x, &n), EDGEWISE_OK);
  assert_int_equal(n, count);
  for (int64_t i = 0; i < n; i++) assert_true(fabs(value[i] - exact(x + 2 * i)) < 1e-14);
  free(value);
  edgewise_close(&run);
}

static double plate(const double *x) { return sin(3 * x[0]) * cos(2 * x[1]); }
static double spots(const double *x) { return 1 - 0.3 * sin(x[0]); }
static double bump(const double *x) {
  return fabs(x[1]) > 1 - 1e-12 ? 0 : exp(-4 * (x[0] * x[0] + x[1] * x[1]));
}

static void entries_lie_at_their_coordinates(void **state) {
  (void)state;
  check_places(PLATE, "T", EDGEWISE_CELLS, 72, plate);
  check_places(SPOTS, "u", EDGEWISE_CELLS, 91, spots);
  check_places(NODES, "phi", EDGEWISE_NODES, 42, bump);
}

/* How many places there are at each location, -1 where there is none of that kind; asked twice, they are the same memory. */
static void check_locations(const char *text, const int64_t *expected, const char *message) {
  edgewise_run *run = open_text(text, "c");
  for (int where = EDGEWISE_NOWHERE; where <= EDGEWISE_VERTICES; where++) {
    const double *x = NULL, *again = NULL;
    int64_t n = -1;
    edgewise_status status = edgewise_coordinates(run, (edgewise_location)where, &x, &n);
    assert_int_equal(status, expected[where] < 0 ? EDGEWISE_INPUT : EDGEWISE_OK);
    if (expected[where] < 0 && where == EDGEWISE_NOWHERE)
      assert_non_null(strstr(edgewise_message(run), message));
    if (expected[where] < 0) continue;
    assert_int_equal(n, expected[where]);
    assert_int_equal(edgewise_coordinates(run, (edgewise_location)where, &again, &n), EDGEWISE_OK);
    assert_ptr_equal(x, again);
  }
  assert_string_equal(edgewise_device(run), "c");
  assert_non_null(strstr(edgewise_platform(run), "host C"));
  edgewise_close(&run);
}

static void every_location_is_there_or_refused(void **state) {
  (void)state;
  check_locations(PLATE, (const int64_t[]){-1, 72, 120, -1, -1, -1, -1, -1, 49},
                  "a mesh has no such location");
  check_locations(NODES, (const int64_t[]){-1, 70, 117, 42, -1, -1, -1, -1, 48},
                  "a mesh has no such location");
  check_locations(SPOTS, (const int64_t[]){-1, 91, -1, -1, 91, 91, -1, 91, -1},
                  "a grid of 2 dimensions has no such");
}

static void cells_and_axes(void **state) {
  (void)state;
  edgewise_run *mesh = open_text(NODES, "c"), *grid = open_text(SPOTS, "c");
  edgewise_topology t = {.size = sizeof t};
  const double *x, *volume;
  int64_t n, vertices;
  double area = 0;
  assert_int_equal(edgewise_cells(mesh, &t), EDGEWISE_OK);
  assert_int_equal(t.cells, 70);
  assert_int_equal(t.vertices, 48);
  assert_int_equal(edgewise_coordinates(mesh, EDGEWISE_VERTICES, &x, &vertices), EDGEWISE_OK);
  assert_int_equal(edgewise_volumes(mesh, &volume, &n), EDGEWISE_OK);
  for (int64_t c = 0; c < t.cells; c++) {
    const int32_t *v = t.vertex + t.start[c];
    const double *a = x + 2 * v[0], *b = x + 2 * v[1], *d = x + 2 * v[2];
    double cell = 0.5 * ((b[0] - a[0]) * (d[1] - a[1]) - (d[0] - a[0]) * (b[1] - a[1]));
    assert_int_equal(t.type[c], 5);
    assert_true(fabs(cell - volume[c]) < 1e-14);
    area += cell;
  }
  assert_true(fabs(area - 4) < 1e-12);
  for (int64_t v = 0; v < t.vertices; v++) assert_true(t.node[v] >= 0 && t.node[v] < 42);
  assert_int_equal(edgewise_axis(mesh, 0, &x, &n), EDGEWISE_INPUT);
  assert_int_equal(edgewise_cells(grid, &t), EDGEWISE_INPUT);
  assert_int_equal(edgewise_axis(grid, 1, &x, &n), EDGEWISE_OK);
  assert_int_equal(n, 8);
  assert_true(x[7] == 7);
  assert_int_equal(edgewise_axis(grid, 2, &x, &n), EDGEWISE_USAGE);
  edgewise_close(&mesh);
  edgewise_close(&grid);
}

static void quantities_are_shown_on_request(void **state) {
  (void)state;
  const char *show[] = {"velocity"};
  edgewise_run *run =
      open_or_fail((edgewise_options){.text = LAKE, .device = "c", .show = show, .n_show = 1}, EDGEWISE_OK);
  edgewise_field f;
  assert_int_equal(edgewise_step(run, 3), EDGEWISE_OK);
  assert_int_equal(numbers_of(run, "velocity", &f), 2 * 64);
  assert_int_equal(f.role, EDGEWISE_QUANTITY);
  assert_string_equal(f.unit, "m/s");
  edgewise_view v = map(run, "velocity", EDGEWISE_READ), h = map(run, "h", EDGEWISE_READ),
                q = map(run, "q", EDGEWISE_READ);
  double most = 0;
  for (int64_t i = 0; i < v.count; i++) {
    assert_true(fabs(*entry(&v, i, 0) - *entry(&q, i, 0) / *entry(&h, i, 0)) < 1e-12);
    most = fmax(most, fabs(*entry(&v, i, 0)));
  }
  assert_true(most > 0.1);
  edgewise_close(&run); /* with three fields mapped */
  show[0] = "velocty";
  run = open_or_fail((edgewise_options){.text = LAKE, .device = "c", .show = show, .n_show = 1},
                     EDGEWISE_INPUT);
  assert_non_null(strstr(edgewise_message(run), "velocty"));
  edgewise_close(&run);
}

static void globals_are_computed_on_request(void **state) {
  (void)state;
  static const char spinodal[] = "return case { scheme = 'cahn_hilliard',\n"
                                 "  mesh = mesh.rectangle { x = {0, 4}, y = {0, 4}, nx = 4, ny = 4 },\n"
                                 "  boundary = { { {'left', 'right', 'bottom', 'top'}, 'closed' } },\n"
                                 "  initial = { c = 0.25 }, time = { steps = 6 } }";
  const char *show[] = {"mass"};
  double mass = 0;
  edgewise_run *run = open_or_fail(
      (edgewise_options){.text = spinodal, .device = "c", .show = show, .n_show = 1}, EDGEWISE_OK);
  assert_int_equal(edgewise_step(run, 3), EDGEWISE_OK);
  assert_int_equal(edgewise_global(run, "mass", &mass), EDGEWISE_OK);
  assert_true(fabs(mass - 4) < 1e-12);
  assert_int_equal(edgewise_global(run, "energy", &mass), EDGEWISE_INPUT); /* nothing asks for it */
  assert_non_null(strstr(edgewise_message(run), "'energy' is not computed in this run"));
  edgewise_close(&run);
}

/* ---- failures --------------------------------------------------------------------------------------------------------------- */

static void expect_message(edgewise_options o, edgewise_status status, const char *const *part) {
  edgewise_run *run = open_or_fail(o, status);
  for (; *part; part++)
    if (!strstr(edgewise_message(run), *part)) fail_msg("no '%s' in: %s", *part, edgewise_message(run));
  assert_int_equal(edgewise_step(run, 1), EDGEWISE_USAGE);
  edgewise_close(&run);
}

static void what_is_wrong_is_told(void **state) {
  (void)state;
#define PARTS(...) ((const char *const[]){__VA_ARGS__, NULL})
  expect_message((edgewise_options){.text = "return case {"}, EDGEWISE_INPUT, PARTS("case.lua:1"));
  expect_message((edgewise_options){.text = "return case { sceme = 'heat' }", .path = "a/b.lua"},
                 EDGEWISE_INPUT, PARTS("a/b.lua:1", "scheme"));
  expect_message((edgewise_options){.text = "run(case { scheme = 'heat', mesh = mesh.rectangle { x = {0, 1}, "
                                            "y = {0, 1}, nx = 2, ny = 2 }, time = { stop = 1 } })"},
                 EDGEWISE_INPUT, PARTS("runs its cases itself", "hint"));
  expect_message((edgewise_options){.text = "x = 1"}, EDGEWISE_INPUT, PARTS("gives no case"));
  expect_message((edgewise_options){.path = "/nowhere/case.lua"}, EDGEWISE_IO, PARTS("/nowhere/case.lua"));
  expect_message((edgewise_options){.device = "c"}, EDGEWISE_USAGE, PARTS("neither"));
  expect_message((edgewise_options){.text = PLATE, .device = "no such device"}, EDGEWISE_USAGE,
                 PARTS("no such device"));
  const char *define[] = {"m=3"};
  expect_message((edgewise_options){.text = PLATE, .define = define, .n_defines = 1}, EDGEWISE_USAGE,
                 PARTS("m"));
  expect_message((edgewise_options){.text = "return case { scheme = 'heet', mesh = mesh.rectangle { x = {0, "
                                            "1}, y = {0, 1}, nx = 2, ny = 2 }, time = { stop = 1 } }"},
                 EDGEWISE_INPUT, PARTS("did you mean 'heat'"));
  /* all of it, as `edgewise run` tells it: two problems, each with its line */
  expect_message(
      (edgewise_options){
          .text = "return case { scheme = 'heat', device = 'c',\n"
                  "mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 2, ny = 2 },\n"
                  "initial = { S = 0 },\n"
                  "boundary = { { {'left', 'right', 'bottom', 'top'}, 'insulatd' } }, time = { stop = 1 } }"},
      EDGEWISE_INPUT, PARTS("case.lua:3", "case.lua:4", "insulated", "in the case"));
  edgewise_run *run = NULL;
  edgewise_options none = {.size = 8};
  assert_int_equal(edgewise_open(&none, &run), EDGEWISE_USAGE);
  assert_non_null(strstr(edgewise_message(run), "size"));
  edgewise_close(&run);
  assert_string_equal(edgewise_message(NULL), "out of memory");
  edgewise_close(&run);
  edgewise_close(NULL);
}

static void calls_that_break_rules_are_refused(void **state) {
  (void)state;
  edgewise_run *run = open_text(PLATE, "c");
  edgewise_view v = {.size = sizeof v};
  double x[72];
  assert_int_equal(edgewise_map(run, "T", EDGEWISE_READ, &v), EDGEWISE_OK);
  assert_int_equal(edgewise_step(run, 1), EDGEWISE_USAGE);
  assert_non_null(strstr(edgewise_message(run), "'T' is mapped"));
  assert_int_equal(edgewise_steps(run), 0);
  assert_int_equal(edgewise_map(run, "T", EDGEWISE_READ, &v), EDGEWISE_USAGE);
  assert_int_equal(edgewise_unmap(run, "T"), EDGEWISE_OK);
  assert_int_equal(edgewise_unmap(run, "T"), EDGEWISE_USAGE);
  assert_int_equal(edgewise_map(run, "S", EDGEWISE_READ, &v), EDGEWISE_INPUT);
  assert_int_equal(edgewise_map(run, "power", EDGEWISE_READ_WRITE, &v), EDGEWISE_INPUT);
  assert_int_equal(edgewise_read(run, "T", x, 71), EDGEWISE_USAGE);
  assert_int_equal(edgewise_step(run, -1), EDGEWISE_USAGE);
  assert_int_equal(edgewise_advance(run, NAN), EDGEWISE_USAGE);
  assert_int_equal(edgewise_global(run, "mass", x), EDGEWISE_INPUT);
  assert_int_equal(edgewise_step(run, 2), EDGEWISE_OK);
  assert_string_equal(edgewise_message(run), "");
  edgewise_close(&run);
}

/* Nothing would be written into them, and the field would stay mapped. */
static void structures_without_a_size_are_refused(void **state) {
  (void)state;
  edgewise_run *run = open_text(PLATE, "c");
  for (size_t size = 0; size < sizeof(edgewise_view); size += 8) {
    edgewise_view v = {.size = size};
    assert_int_equal(edgewise_map(run, "T", EDGEWISE_READ, &v), EDGEWISE_USAGE);
    assert_non_null(strstr(edgewise_message(run), "view.size"));
    assert_int_equal(edgewise_unmap(run, "T"), EDGEWISE_USAGE);
  }
  for (size_t size = 0; size < sizeof(edgewise_field); size += 8) {
    edgewise_field f = {.size = size};
    assert_int_equal(edgewise_field_at(run, 0, &f), EDGEWISE_USAGE);
    assert_non_null(strstr(edgewise_message(run), "field.size"));
  }
  for (size_t size = 0; size < sizeof(edgewise_topology); size += 8) {
    edgewise_topology t = {.size = size};
    assert_int_equal(edgewise_cells(run, &t), EDGEWISE_USAGE);
    assert_non_null(strstr(edgewise_message(run), "topology.size"));
  }
  assert_int_equal(edgewise_finish(run), EDGEWISE_OK);
  edgewise_close(&run);
}

static void a_run_that_fails_can_be_looked_at(void **state) {
  (void)state;
  edgewise_run *run = open_text(PLATE, "c");
  edgewise_view v = map(run, "T", EDGEWISE_READ_WRITE);
  *entry(&v, 3, 0) = NAN;
  assert_int_equal(edgewise_unmap(run, "T"), EDGEWISE_OK);
  assert_int_equal(edgewise_finish(run), EDGEWISE_DIVERGED);
  assert_non_null(strstr(edgewise_message(run), "finite"));
  assert_int_equal(edgewise_step(run, 1), EDGEWISE_DIVERGED);
  v = map(run, "T", EDGEWISE_READ);
  assert_int_equal(edgewise_unmap(run, "T"), EDGEWISE_OK);
  assert_int_equal(edgewise_map(run, "T", EDGEWISE_READ_WRITE, &v), EDGEWISE_USAGE);
  edgewise_close(&run);
}

/* ---- what is said, and stopping -------------------------------------------------------------------------------------------------- */

typedef struct heard {
  char printed[2000], noted[4000];
  edgewise_run *stop;
} heard;

static void hear(void *context, edgewise_kind kind, const char *line) {
  heard *h = context;
  char *to = kind == EDGEWISE_PRINT ? h->printed : h->noted;
  size_t room = kind == EDGEWISE_PRINT ? sizeof h->printed : sizeof h->noted;
  strncat(to, line, room - strlen(to) - 2);
  strcat(to, "|");
  if (h->stop && kind == EDGEWISE_PRINT) edgewise_stop(h->stop);
}

static void lines_go_to_the_caller(void **state) {
  (void)state;
  heard h = {.printed = ""};
  edgewise_run *run =
      open_or_fail((edgewise_options){.text = PLATE, .device = "c", .say = hear, .context = &h}, EDGEWISE_OK);
  assert_int_equal(edgewise_finish(run), EDGEWISE_OK);
  char expected[64];
  snprintf(expected, sizeof expected, "the end\t%lld|", (long long)edgewise_steps(run));
  assert_string_equal(h.printed, expected);
  edgewise_close(&run);
}

static void a_stopped_run_goes_on(void **state) {
  (void)state;
  char text[sizeof PLATE + 200];
  snprintf(text, sizeof text, "%s", PLATE);
  strcpy(strstr(text, "  on_end"),
         "  on_step = function(run) if run.step == 3 then print('three') end end }\n");
  heard h = {.printed = ""};
  edgewise_run *run = open_or_fail(
                   (edgewise_options){.text = text, .device = "c", .say = hear, .context = &h}, EDGEWISE_OK),
               *whole = open_text(PLATE, "c");
  h.stop = run;
  assert_int_equal(edgewise_finish(run), EDGEWISE_STOPPED);
  assert_true(edgewise_steps(run) >= 3 && !edgewise_ended(run));
  h.stop = NULL;
  assert_int_equal(edgewise_finish(run), EDGEWISE_OK);
  assert_int_equal(edgewise_finish(whole), EDGEWISE_OK);
  assert_same(run, whole, "T");
  edgewise_close(&run);
  edgewise_close(&whole);
}

/* Hooks ask to stop at steps and outputs that a seed chooses, at the end, or nowhere. */
static const char STOPS[] =
    "  on_step = function(run) if (run.step*7 + SEED) % 5 == 0 then print('step') run:stop() end end,\n"
    "  on_output = function(run, n) if (n + SEED) % 2 == 0 then print('output') run:stop() end end,\n"
    "  on_end = function(run) if SEED % 3 == 0 then print('end') run:stop() end end }\n";

static int count_lines(const char *text) {
  int n = 0;
  for (; *text; text++) n += *text == '|';
  return n;
}

static void a_run_that_hooks_stop_goes_on(void **state) {
  (void)state;
  edgewise_run *whole = open_text(PLATE, "c");
  assert_int_equal(edgewise_finish(whole), EDGEWISE_OK);
  for (int seed = 0; seed < 6; seed++) {
    char text[sizeof PLATE + sizeof STOPS + 50];
    heard h = {.printed = ""};
    snprintf(text, sizeof text, "local SEED = %d\n%s", seed, PLATE);
    strcpy(strstr(text, "  on_end"), STOPS);
    edgewise_run *run = open_or_fail(
        (edgewise_options){.text = text, .device = "c", .say = hear, .context = &h}, EDGEWISE_OK);
    int stopped = 0;
    for (edgewise_status got = EDGEWISE_STOPPED; got != EDGEWISE_OK; stopped += got == EDGEWISE_STOPPED) {
      got = edgewise_finish(run);
      if (got != EDGEWISE_OK) assert_int_equal(got, EDGEWISE_STOPPED);
      assert_true(stopped < 40);
    }
    assert_true(stopped > 0 && stopped <= count_lines(h.printed));
    assert_true(edgewise_ended(run));
    assert_int_equal(edgewise_steps(run), edgewise_steps(whole));
    assert_same(run, whole, "T");
    edgewise_close(&run);
  }
  edgewise_close(&whole);
}

/* ---- files ------------------------------------------------------------------------------------------------------------------------ */

static void nothing_is_written_unless_asked_for(void **state) {
  (void)state;
  char folder[] = "/tmp/test_api_XXXXXX", path[100];
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/case.lua", folder);
  edgewise_run *run =
      open_or_fail((edgewise_options){.text = PLATE, .path = path, .device = "c"}, EDGEWISE_OK);
  assert_int_equal(edgewise_finish(run), EDGEWISE_OK);
  assert_string_equal(edgewise_folder(run), "");
  edgewise_close(&run);
  assert_int_equal(rmdir(folder), 0);
}

static bool there_is(const char *folder, const char *name) {
  char path[200];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return access(path, R_OK) == 0;
}

static void files_are_those_of_the_program(void **state) {
  (void)state;
  char folder[] = "/tmp/test_api_XXXXXX", remove[100];
  assert_non_null(mkdtemp(folder));
  edgewise_run *run = open_or_fail((edgewise_options){.text = PLATE, .output = folder, .device = "c"},
                                   EDGEWISE_OK),
               *other;
  assert_string_equal(edgewise_folder(run), folder);
  other = open_or_fail((edgewise_options){.text = PLATE, .output = folder, .device = "c"}, EDGEWISE_BUSY);
  edgewise_close(&other);
  assert_int_equal(edgewise_advance(run, 0.03), EDGEWISE_OK);
  edgewise_close(&run);
  assert_true(there_is(folder, "checkpoint.ew")); /* stopped before its end */
  assert_true(there_is(folder, "run.json"));
  snprintf(remove, sizeof remove, "rm -r %s", folder);
  assert_int_equal(system(remove), 0);
}

/* ---- threads, and the program's locale --------------------------------------------------------------------------------------- */

static void *whole_run(void *text) {
  edgewise_options o = {.size = sizeof o, .text = text, .device = "c"};
  edgewise_run *run;
  edgewise_status status = edgewise_open(&o, &run);
  if (status == EDGEWISE_OK) status = edgewise_finish(run);
  if (status == EDGEWISE_OK) return run;
  edgewise_close(&run);
  return NULL;
}

static void threads_have_runs_of_their_own(void **state) {
  (void)state;
  const char *text[4] = {PLATE, SPOTS, PLATE, NODES}, *name[4] = {"T", "u", "T", "phi"};
  pthread_t thread[4];
  for (int i = 0; i < 4; i++)
    assert_int_equal(pthread_create(&thread[i], NULL, whole_run, (void *)text[i]), 0);
  for (int i = 0; i < 4; i++) {
    void *made;
    assert_int_equal(pthread_join(thread[i], &made), 0);
    assert_non_null(made);
    edgewise_run *run = made, *alone = whole_run((void *)text[i]);
    assert_same(run, alone, name[i]);
    edgewise_close(&run);
    edgewise_close(&alone);
  }
}

/* A program that writes 0,5: Lua, the compiler and the kernels' texts must not. */
static void numbers_do_not_depend_on_the_locale(void **state) {
  (void)state;
  char folder[] = "/tmp/test_api_XXXXXX", command[200], text[8];
  assert_non_null(mkdtemp(folder));
  snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >/dev/null 2>&1", folder);
  setenv("LOCPATH", system(command) == 0 ? folder : "", 1);
  bool found = setlocale(LC_ALL, "de_DE.UTF-8") != NULL;
  snprintf(text, sizeof text, "%.1f", 0.5);
  edgewise_run *run = open_text(PLATE, "c");
  edgewise_status status = edgewise_finish(run);
  double t = edgewise_time(run);
  edgewise_close(&run);
  char after[8];
  snprintf(after, sizeof after, "%.1f", 0.5);
  setlocale(LC_ALL, "C");
  snprintf(command, sizeof command, "rm -r %s", folder);
  assert_int_equal(system(command), 0);
  unsetenv("LOCPATH");
  if (!found) skip();
  assert_string_equal(text, "0,5");
  assert_string_equal(after, "0,5");
  assert_int_equal(status, EDGEWISE_OK);
  assert_true(t == 0.05);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_one_by_one_are_those_of_a_whole_run),
      cmocka_unit_test(a_time_is_met_exactly),
      cmocka_unit_test(a_map_is_the_memory_itself),
      cmocka_unit_test(other_memory_is_said_to_be_copied),
      cmocka_unit_test(states_written_through_maps_count),
      cmocka_unit_test(entries_lie_at_their_coordinates),
      cmocka_unit_test(every_location_is_there_or_refused),
      cmocka_unit_test(cells_and_axes),
      cmocka_unit_test(quantities_are_shown_on_request),
      cmocka_unit_test(globals_are_computed_on_request),
      cmocka_unit_test(what_is_wrong_is_told),
      cmocka_unit_test(calls_that_break_rules_are_refused),
      cmocka_unit_test(structures_without_a_size_are_refused),
      cmocka_unit_test(a_run_that_fails_can_be_looked_at),
      cmocka_unit_test(lines_go_to_the_caller),
      cmocka_unit_test(a_stopped_run_goes_on),
      cmocka_unit_test(a_run_that_hooks_stop_goes_on),
      cmocka_unit_test(nothing_is_written_unless_asked_for),
      cmocka_unit_test(files_are_those_of_the_program),
      cmocka_unit_test(threads_have_runs_of_their_own),
      cmocka_unit_test(numbers_do_not_depend_on_the_locale),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
