/* Case files: what is read into an ew_case, what Lua functions give, where keys stand in a text, what a case may not do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "lua/case_file.h"
#include "lua/scan.h"

/* ---- files ------------------------------------------------------------------------------------------------------------- */

typedef struct opened {
  char path[64];
  case_file *file;
  ew_status status;
  ew_error err;
} opened;

static void write_text(int fd, const char *text) {
  size_t n = strlen(text);
  assert_int_equal(write(fd, text, n), (ssize_t)n);
  close(fd);
}

static void open_with(opened *o, const char *text, const char *const *define, int n_defines) {
  *o = (opened){.path = "/tmp/test_lua_XXXXXX"};
  int fd = mkstemp(o->path);
  assert_true(fd >= 0);
  write_text(fd, text);
  case_file_options options = {.path = o->path, .define = define, .n_defines = n_defines};
  o->status = case_file_create(&options, &o->file, &o->err);
}

static void close_case(opened *o) {
  unlink(o->path);
  case_file_destroy(&o->file);
  assert_null(o->file);
}

#define MESH "mesh = mesh.rectangle { x = {0, 2}, y = {0, 1}, nx = 4, ny = 3 }, "

static ew_case *open_good(opened *o, const char *text) {
  open_with(o, text, NULL, 0);
  if (o->status != EW_OK) print_error("%s\n", o->err.text);
  assert_int_equal(o->status, EW_OK);
  for (size_t i = 0; i < case_file_problems(o->file)->n; i++)
    print_error("%s\n", case_file_problems(o->file)->text[i]);
  assert_int_equal(case_file_problems(o->file)->n, 0);
  return case_file_get(o->file);
}

/* ---- where keys stand ------------------------------------------------------------------------------------------------------ */

static void keys_are_found_by_line(void **state) {
  (void)state;
  const char *text = "-- case { a = 1 }\n"
                     "local s = 'case { a = '\n"
                     "return case {\n"
                     "  a = function(x, y)\n"
                     "    local t = { b = 1, c = 2 }\n"
                     "    if x then return t, y end\n"
                     "  end,\n"
                     "  b = {\n"
                     "    [\"c\"] = 3, --[[ d = 4,\n"
                     "    ]] d = [==[ } , ]==],\n"
                     "    { e = 5 },\n"
                     "    { 6,\n"
                     "      f = 7 },\n"
                     "  },\n"
                     "  g == h,\n"
                     "}\n";
  scan_step a = {.name = "a"}, bd[] = {{.name = "b"}, {.name = "d"}}, bc[] = {{.name = "b"}, {.name = "c"}};
  scan_step f[] = {{.name = "b"}, {.index = 2}, {.name = "f"}}, item[] = {{.name = "b"}, {.index = 2}};
  scan_step none = {.name = "g"}, inside[] = {{.name = "a"}, {.name = "b"}};
  assert_int_equal(scan_find(text, "case", 3, &a, 1), 4);
  assert_int_equal(scan_find(text, "case", 3, bc, 2), 9);
  assert_int_equal(scan_find(text, "case", 3, bd, 2), 10);
  assert_int_equal(scan_find(text, "case", 3, item, 2), 12);
  assert_int_equal(scan_find(text, "case", 3, f, 3), 13);
  assert_int_equal(scan_find(text, "case", 3, inside, 2), 4);
  assert_int_equal(scan_find(text, "case", 3, &none, 1), 0);
  assert_int_equal(scan_find(text, "mesh", 1, &a, 1), 0);
}

static void broken_texts_are_survived(void **state) {
  (void)state;
  const char *text[] = {"",         "case {",      "case { a = {",      "case { a = 'x", "case { a = [[",
                        "case { [", "case({ ['a'", "case { } } } a = 1"};
  scan_step path[] = {{.name = "a"}, {.index = 1}};
  for (size_t i = 0; i < sizeof text / sizeof *text; i++)
    assert_true(scan_find(text[i], "case", 1, path, 2) >= 0);
}

/* ---- what is read ---------------------------------------------------------------------------------------------------------- */

static void meshes_are_read(void **state) {
  (void)state;
  opened o;
  ew_case *c = open_good(
      &o,
      "return case { scheme = 's', time = { steps = 3 }, mesh = mesh.rectangle { x = {0, 1, 4}, y = {-1, 1}, "
      "ny = 7, cells = 'quads', jitter = 0.25, seed = 9, periodic = 'y', order = 'hilbert', faces = 'none' } "
      "}");
  const mesh_rectangle_options *r = &c->mesh.rectangle;
  assert_int_equal(c->mesh.kind, CASE_MESH_RECTANGLE);
  assert_true(r->nx == 2 && r->ny == 7 && r->x0 == 0 && r->x1 == 4 && r->y0 == -1 && r->y1 == 1);
  assert_true(r->xs[0] == 0 && r->xs[1] == 1 && r->xs[2] == 4 && !r->ys);
  assert_true(r->kind == MESH_BLOCKS && r->jitter == 0.25 && r->seed == 9 && !r->periodic_x && r->periodic_y);
  assert_true(c->mesh.cells == MESH_CELLS_HILBERT && c->mesh.faces == MESH_FACES_AS_IS && c->mesh.seed == 9);
  assert_true(c->time.max_steps == 3 && c->time.stop == 0);
  close_case(&o);

  c = open_good(
      &o, "return case { scheme = 's', time = { stop = 1 }, mesh = mesh.gmsh { recipe = 'a.geo', size = 0.1, "
          "numbers = { n = 3 }, periodic = { {'l', 'r'} } } }");
  assert_true(c->mesh.kind == CASE_MESH_RECIPE && c->mesh.n_numbers == 2 && c->mesh.n_periodic == 1);
  assert_string_equal(c->mesh.number[0].name, "n");
  assert_string_equal(c->mesh.number[1].name, "size");
  assert_string_equal(c->mesh.number[1].value, "0.1");
  assert_string_equal(c->mesh.periodic[0].partner, "r");
  close_case(&o);
}

static void values_are_read(void **state) {
  (void)state;
  opened o;
  ew_case *c = open_good(
      &o, "return case { scheme = 's', time = { stop = 1 }, " MESH
          "parameters = { b = {1, 2}, a = 3 }, given = { z = raster 'z.asc' },\n"
          "boundary = { { {'left', 'right'}, 'inflow', q = series { {0, 1, 2}, {1, 3, 4} }, h = 2 },"
          "{ 'top', 'wall' } } }");
  assert_int_equal(c->values.n_parameters, 2);
  assert_string_equal(c->values.parameter[0].name, "a"); /* in alphabetical order, whatever Lua's is */
  assert_true(c->values.parameter[1].n == 2 && c->values.parameter[1].number[1] == 2);
  assert_true(c->values.given[0].kind == CASE_RASTER && strcmp(c->values.given[0].path, "z.asc") == 0);
  assert_int_equal(c->n_boundaries, 2);
  const case_boundary *b = &c->boundary[0];
  assert_true(b->n_names == 2 && b->n_arguments == 2 && b->at.line == 2);
  assert_string_equal(b->name[1], "right");
  assert_string_equal(b->rule, "inflow");
  const case_value *q = &b->argument[1];
  assert_true(q->kind == CASE_SERIES && q->n == 2 && q->n_times == 2 && q->time[1] == 1);
  assert_true(q->series[0] == 1 && q->series[1] == 2 && q->series[2] == 3 && q->series[3] == 4);
  close_case(&o);
}

static void output_is_read(void **state) {
  (void)state;
  opened o;
  ew_case *c = open_good(
      &o,
      "return case { scheme = 's', time = { stop = 1, look = 5 }, " MESH
      "output = { every = 0.5, fields = 'h', vtu = false, folder = 'there', history = {'mass', 'dt'}, sample "
      "= 4,"
      "picture = { { field = 'h', map = 'water', range = {0, 2}, mask = 'h', mask_below = 0.1 }, { field = "
      "'q' } },"
      "plot = { field = {'h', 'q.x'}, from = {0, 1}, to = {2, 1}, exact = function(x, t) return x + t end },"
      "probes = { b = {1, 2}, a = {3, 4} }, probe_fields = 'h' } }");
  const case_output *out = &c->output;
  assert_true(out->every == 0.5 && !out->vtu && out->run_json && out->sample == 4 && c->time.look == 5);
  assert_true(out->n_fields == 1 && out->n_history == 2 && out->n_pictures == 2 && out->n_plots == 1 &&
              out->n_probes == 2);
  assert_string_equal(out->folder, "/tmp/there");
  assert_true(out->picture[0].map == COLOUR_WATER && out->picture[0].high == 2 &&
              out->picture[0].mask_above == 0.1);
  assert_true(out->picture[1].map == COLOUR_VIRIDIS && !out->picture[1].mask);
  const case_plot *p = &out->plot[0];
  assert_true(p->n_curves == 3 && p->from[1] == 1 && p->to[0] == 2);
  double x[2] = {2, 7}, y;
  assert_int_equal(p->curve[2].function(p->curve[2].context, x, 0.5, &y, 1, NULL), EW_OK);
  assert_true(y == 2.5);
  assert_string_equal(out->probe[0].name, "a");
  assert_true(out->probe[1].x[1] == 2 && out->probe[1].n_fields == 1);
  close_case(&o);
}

/* ---- functions -------------------------------------------------------------------------------------------------------------- */

static ew_status call(const ew_case *c, int which, int n, double *out, ew_error *err) {
  static const double X[3] = {0.5, 0.25, 4};
  const case_value *v = &c->values.initial[which];
  assert_int_equal(v->kind, CASE_FUNCTION);
  return v->function(v->context, X, 8, out, n, err);
}

static void functions_get_place_and_time(void **state) {
  (void)state;
  opened o;
  double out[3];
  ew_error err = {0};
  ew_case *c = open_good(
      &o, "return case { scheme = 's', time = { stop = 1 }, mesh = mesh.box { x = {0, 1}, y = {0, 1}, z = "
          "{0, 1}, "
          "nx = 1, ny = 1, nz = 1 }, initial = { a = function() return 3 end, b = function(t) return t end,"
          "c = function(x, y, z) return x + 10*y + 100*z end, d = function(x, t) return {x, t} end,"
          "e = function(x, y) return x, y end } }");
  assert_true(call(c, 0, 1, out, &err) == EW_OK && out[0] == 3 && !c->values.initial[0].over_time);
  assert_true(call(c, 1, 1, out, &err) == EW_OK && out[0] == 8 && c->values.initial[1].over_time);
  assert_true(call(c, 2, 1, out, &err) == EW_OK && out[0] == 403);
  assert_true(call(c, 3, 2, out, &err) == EW_OK && out[0] == 0.5 && out[1] == 8);
  assert_true(call(c, 4, 2, out, &err) == EW_OK && out[0] == 0.5 && out[1] == 0.25);
  assert_int_equal(call(c, 4, 1, out, &err), EW_INPUT);
  assert_string_equal(err.text, "the function at (0.5, 0.25) returned 2 numbers, expected a number");
  assert_int_equal(call(c, 3, 3, out, &err), EW_INPUT);
  assert_string_equal(
      err.text,
      "the function at (0.5, t = 8) returned a table with 2 entries, expected 3 numbers or a list of 3");
  close_case(&o);
}

static void errors_in_functions_are_values(void **state) {
  (void)state;
  opened o;
  double out[1];
  ew_error err = {0};
  ew_case *c = open_good(
      &o,
      "return case { scheme = 's', time = { stop = 1 }, " MESH "initial = {\n"
      "a = function(x) return x.y end, b = function(x) error({}) end, c = function(x) return 'no' end } }");
  for (int repeat = 0; repeat < 300; repeat++) { /* the stack stays level */
    assert_int_equal(call(c, 0, 1, out, &err), EW_INPUT);
    assert_non_null(strstr(err.text, ":2: attempt to index a number value (local 'x')\nstack traceback:"));
    assert_int_equal(call(c, 1, 1, out, &err), EW_INPUT);
    assert_int_equal(call(c, 2, 1, out, &err), EW_INPUT);
  }
  assert_string_equal(err.text, "the function at (0.5) returned string, expected a number");
  close_case(&o);
}

/* ---- arguments and what is refused -------------------------------------------------------------------------------------------- */

static void defines_override_arguments(void **state) {
  (void)state;
  opened o;
  static const char *const DEFINE[] = {"n=8", "s=heat", "fine=true"};
  open_with(&o,
            "local a = arguments { n = 4, s = 'x', fine = false, rest = 1.5 }\n"
            "return case { scheme = a.s, time = { stop = a.rest, steps = a.fine and a.n or nil }, " MESH "}",
            DEFINE, 3);
  assert_int_equal(o.status, EW_OK);
  const ew_case *c = case_file_get(o.file);
  assert_string_equal(c->build.scheme, "heat");
  assert_true(c->time.max_steps == 8 && c->time.stop == 1.5);
  close_case(&o);
}

static void check_refused(const char *text, const char *message) {
  opened o;
  open_with(&o, text, NULL, 0);
  assert_int_equal(o.status, EW_INPUT);
  if (!strstr(o.err.text, message)) print_error("%s\nwithout: %s\n", o.err.text, message);
  assert_non_null(strstr(o.err.text, message));
  close_case(&o);
}

static void a_case_can_do_no_harm(void **state) {
  (void)state;
  check_refused("os.execute('true')", "os has no 'execute'");
  check_refused("os.remove('x')", "os has no 'remove'");
  check_refused("io.popen('true')", "io has no 'popen'");
  check_refused("io.open('x', 'w')", "a case may only read files");
  check_refused("debug.sethook()", "there is no global 'debug'");
  check_refused("package.loadlib()", "there is no global 'package'");
  check_refused("assert(load(string.dump(function() end)))", "attempt to load a binary chunk");
  check_refused("setmetatable(_G, nil)", "cannot change a protected metatable");
  check_refused("\033Lua", "compiled Lua chunk");
  check_refused("local x = {} return x .. 1", "attempt to concatenate");
}

static void endless_scripts_can_be_stopped(void **state) {
  (void)state;
  static volatile sig_atomic_t stop = 1;
  char path[] = "/tmp/test_lua_XXXXXX";
  write_text(mkstemp(path), "while true do end");
  ew_error err = {0};
  case_file *file = NULL;
  case_file_options options = {.path = path, .stop = &stop};
  assert_int_equal(case_file_create(&options, &file, &err), EW_STOPPED);
  unlink(path);
}

static void problems_stay_inside_their_list(void **state) {
  (void)state;
  problem_list p = {0};
  ew_error err = {0};
  for (int i = 300; i > 0; i--) problems_add(&p, "case.lua", i, "problem %d with a text of some length", i);
  problems_sort(&p);
  assert_string_equal(p.text[0], "case.lua:1: problem 1 with a text of some length");
  assert_int_equal(problems_status(&p, &err), EW_INPUT);
  assert_true(strlen(err.text) < sizeof err.text);
  assert_non_null(strstr(err.text, "\n... and "));
  problems_clear(&p);
  assert_int_equal(problems_status(&p, &err), EW_OK);
}

/* ---- series of files ------------------------------------------------------------------------------------------------------- */

/* A table of three columns with `between` them, its header with units and its rows followed by blank lines, or not. */
static void write_columns(const char *path, const char *between, bool units, const char *ends) {
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  const char *name[] = {"t", "Q", "eta"}, *unit[] = {" [s]", " [m3 s-1]", " [m]"};
  for (int k = 0; k < 3; k++) fprintf(f, "%s%s%s", k ? between : "", name[k], units ? unit[k] : "");
  for (int i = 0; i < 4; i++) fprintf(f, "\n%d%s%g%s%d", i, between, 0.5 * i, between, -i);
  fputs(ends, f);
  fclose(f);
}

static void check_series(const char *path, const char *between, const char *ends) {
  char text[400];
  opened o;
  snprintf(text, sizeof text,
           "return case { scheme = 's', " MESH
           "given = { Q = series { file = '%s', column = 'Q', scale = 2 } } }",
           path);
  open_with(&o, text, NULL, 0);
  assert_int_equal(o.status, EW_OK);
  if (case_file_problems(o.file)->n > 0)
    fail_msg("'%s' between columns, '%s' at the end: %s", between, ends, case_file_problems(o.file)->text[0]);
  const case_value *v = &case_file_get(o.file)->values.given[0];
  assert_int_equal(v->n_times, 4);
  for (int i = 0; i < 4; i++) assert_true(v->time[i] == i && v->series[i] == i);
  close_case(&o);
}

static void columns_may_have_anything_between_them(void **state) {
  (void)state;
  static const char *const BETWEEN[] = {",", ", ", ";", "; ", "\t", " ", "  ", "    "};
  static const char *const ENDS[] = {"", "\n", "\n\n", "\n \n\t\n", "\r\n\r\n"};
  char path[] = "/tmp/test_series_XXXXXX";
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  close(fd);
  for (size_t b = 0; b < sizeof BETWEEN / sizeof *BETWEEN; b++)
    for (size_t e = 0; e < sizeof ENDS / sizeof *ENDS; e++)
      for (int units = 0; units < 2; units++) {
        write_columns(path, BETWEEN[b], units, ENDS[e]);
        check_series(path, BETWEEN[b], ENDS[e]);
      }
  unlink(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(keys_are_found_by_line),
                                     cmocka_unit_test(broken_texts_are_survived),
                                     cmocka_unit_test(meshes_are_read),
                                     cmocka_unit_test(values_are_read),
                                     cmocka_unit_test(output_is_read),
                                     cmocka_unit_test(functions_get_place_and_time),
                                     cmocka_unit_test(errors_in_functions_are_values),
                                     cmocka_unit_test(defines_override_arguments),
                                     cmocka_unit_test(a_case_can_do_no_harm),
                                     cmocka_unit_test(endless_scripts_can_be_stopped),
                                     cmocka_unit_test(problems_stay_inside_their_list),
                                     cmocka_unit_test(columns_may_have_anything_between_them)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
