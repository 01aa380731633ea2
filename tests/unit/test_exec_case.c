/* Whole cases: compiled, run, stopped, resumed, failed; what they write. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/bench.h"
#include "run/run.h"

#define CONTAINS(text, part)                                                                                 \
  do {                                                                                                       \
    if (!strstr(text, part)) fail_msg("'%s' lacks '%s'", text, part);                                        \
  } while (0)

static const char *const scheme_text = "scheme warmth on mesh(D) {\n"
                                       "  parameter kappa\n"
                                       "  parameter cfl = 0.5\n"
                                       "  state T     @ cells\n"
                                       "  given power @ cells\n"
                                       "  flux q @ faces = kappa*(T[L] - T[R])/distance\n"
                                       "  double_T @ cells = 2*T\n"
                                       "  content = sum(c in cells) volume*T\n"
                                       "  require T < 100\n"
                                       "  boundary insulated { flux q = 0 }\n"
                                       "  boundary held(Tw)  { ghost T = 2*Tw - T[L] }\n"
                                       "  dt = cfl*min(c in cells) volume/(sum(f of c) area*kappa/distance)\n"
                                       "  step { update T = T + dt*power - dt/volume*sum(f of c) area*q }\n"
                                       "}\n";

static ew_status bump(void *context, const double *x, double t, double *out, int n, ew_error *err) {
  (void)context, (void)t, (void)n, (void)err;
  out[0] = 1 + x[0] * (1 - x[0]) * x[1];
  return EW_OK;
}

static void *append(ew_case *c, void *array, int *n, size_t size) {
  void *entry = case_append(c, array, n, size, NULL);
  assert_non_null(entry);
  return entry;
}

static case_value *number(ew_case *c, case_value **array, int *n, const char *name, double value) {
  case_value *v = append(c, array, n, sizeof *v);
  *v = (case_value){.name = name, .kind = CASE_NUMBERS, .n = 1, .number = {value}, .at = {"case.lua", 7}};
  return v;
}

static void insulate(ew_case *c) {
  static const char *names[] = {"left", "right", "bottom", "top"};
  case_boundary *b = append(c, &c->boundary, &c->n_boundaries, sizeof *b);
  *b = (case_boundary){.n_names = 4, .name = names, .rule = "insulated"};
}

/* Everything a case can write, in an insulated square. */
static ew_case *warm_case(const char *device) {
  static const char *fields[] = {"T", "double_T"}, *history[] = {"content", "dt"};
  ew_case *c = NULL;
  FILE *f = fopen("warmth.ew", "w");
  assert_non_null(f);
  fputs(scheme_text, f);
  fclose(f);
  assert_int_equal(case_create(&c, NULL), EW_OK);
  c->name = "warm";
  c->folder = ".";
  c->build.scheme = "warmth.ew";
  c->build.device = device;
  c->mesh.kind = CASE_MESH_RECTANGLE;
  c->mesh.rectangle = (mesh_rectangle_options){.x1 = 1, .y1 = 1, .nx = 9, .ny = 8, .jitter = 0.3};
  number(c, &c->values.parameter, &c->values.n_parameters, "kappa", 0.1);
  case_value *v = number(c, &c->values.initial, &c->values.n_initial, "T", 0);
  v->kind = CASE_FUNCTION;
  v->function = bump;
  number(c, &c->values.given, &c->values.n_givens, "power", 2);
  insulate(c);
  c->time.stop = 0.03;
  c->output.folder = "exec_case/out";
  c->output.every = 0.01;
  c->output.n_fields = 2;
  c->output.field = fields;
  c->output.n_history = 2;
  c->output.history = history;
  case_probe *p = append(c, &c->output.probe, &c->output.n_probes, sizeof *p);
  *p = (case_probe){.name = "middle", .x = {0.5, 0.5}, .n_fields = 2, .field = fields};
  static const char *shown = "double_T";
  case_picture *picture = append(c, &c->output.picture, &c->output.n_pictures, sizeof *picture);
  *picture = (case_picture){.n_fields = 1, .field = &shown};
  case_plot *plot = append(c, &c->output.plot, &c->output.n_plots, sizeof *plot);
  *plot = (case_plot){.name = "line", .from = {0, 0.5}, .to = {1, 0.5}};
  case_curve *curve = append(c, &plot->curve, &plot->n_curves, sizeof *curve);
  curve->field = "T";
  curve = append(c, &plot->curve, &plot->n_curves, sizeof *curve);
  *curve = (case_curve){.function = bump, .label = "at the start"};
  return c;
}

static void remove_output(void) {
  DIR *dir = opendir("exec_case/out");
  for (struct dirent *e = dir ? readdir(dir) : NULL; e; e = readdir(dir)) {
    char path[512];
    snprintf(path, sizeof path, "exec_case/out/%s", e->d_name);
    remove(path);
  }
  if (dir) closedir(dir);
}

/* The last row of a CSV file and the number of its rows. */
static int last_row(const char *path, double *out, int n) {
  char line[1024];
  int rows = -1;
  FILE *f = fopen(path, "r");
  if (!f) fail_msg("%s is missing", path);
  while (fgets(line, sizeof line, f)) rows++;
  fclose(f);
  char *at = line;
  for (int i = 0; i < n; i++) out[i] = strtod(at, &at), at++;
  return rows;
}

static bool exists(const char *path) { return access(path, R_OK) == 0; }

/* ---- a good run ------------------------------------------------------------------------------------------------------------- */

static void check_files(void) {
  static const char *const files[] = {"warm.pvd",          "warm_0000.vtu",     "warm_0003.vtu",
                                      "double_T_0000.png", "double_T_0003.png", "line_0003.png",
                                      "run.json",          "history.csv",       "middle.csv"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    char path[512];
    snprintf(path, sizeof path, "exec_case/out/%s", files[i]);
    if (!exists(path)) fail_msg("%s is missing", path);
  }
  assert_false(exists("exec_case/out/warm_0004.vtu"));
  assert_false(exists("exec_case/out/failed.vtu"));
}

static void a_case_writes_all_it_was_asked_for(void **state) {
  (void)state;
  static const char *const devices[] = {"cpu", "c"};
  for (int i = 0; i < 2; i++) {
    ew_case *c = warm_case(devices[i]);
    ew_error err = {EW_OK, ""};
    exec_options options = {.messages = NULL};
    exec_summary summary;
    double row[3];
    remove_output();
    if (exec_run_case(c, &options, &summary, &err) != EW_OK) fail_msg("%s", err.text);
    assert_true(summary.t == 0.03);
    assert_int_equal(summary.outputs, 4);
    assert_string_equal(summary.picture, "exec_case/out/double_T_0003.png");
    check_files();
    /* insulated: what is inside grows by the power, whatever the fluxes do */
    int rows = last_row("exec_case/out/history.csv", row, 2);
    assert_int_equal(rows, summary.steps + 1);
    assert_true(row[0] == 0.03);
    double first = 1 + 1.0 / 12; /* the integral of the bump, to the mesh's accuracy */
    if (!(fabs(row[1] - (first + 2 * 0.03)) < 2e-3)) fail_msg("content %.17g", row[1]);
    last_row("exec_case/out/middle.csv", row, 3);
    assert_true(row[2] == 2 * row[1]);
    case_destroy(&c);
  }
}

/* Kernels made before run with no compiler: the same program, the same bits. */
static void a_manifest_replaces_the_scheme(void **state) {
  (void)state;
  ew_case *c = warm_case("c");
  ew_error err = {EW_OK, ""};
  mesh *m = NULL;
  dev_context *device = NULL;
  dslc_program *made = NULL;
  char why[512];
  exec_options options = {.messages = NULL};
  exec_summary first, second;
  if (exec_mesh(c, &m, &err) != EW_OK || dev_context_create("c", &device, &err) != EW_OK ||
      exec_program(c, &(exec_domain){.m = m}, device, NULL, &made, &err) != EW_OK)
    fail_msg("%s", err.text);
  if (dslc_manifest_write(made, "warmth.json", why, sizeof why) != 0) fail_msg("%s", why);
  assert_int_equal(exec_run_case(c, &options, &first, &err), EW_OK);
  c->build.scheme = NULL;
  c->build.manifest = "warmth.json";
  if (exec_run_case(c, &options, &second, &err) != EW_OK) fail_msg("%s", err.text);
  assert_int_equal(second.steps, first.steps);
  assert_int_equal(second.outputs, 4);
  c->build.device = "cpu";
  assert_int_equal(exec_run_case(c, &options, &second, &err), EW_INPUT);
  CONTAINS(err.text, "for target 'c'");
  dslc_program_destroy(&made);
  dev_context_destroy(&device);
  mesh_destroy(&m);
  case_destroy(&c);
}

/* ---- stopped and resumed ------------------------------------------------------------------------------------------------------ */

typedef struct stopper {
  int64_t at;
  int outputs;
  double T[512];
} stopper;

static ew_status stop_at(void *context, exec_run *run, ew_error *err) {
  stopper *s = context;
  if (s->at == 0 || exec_steps(run) < s->at) return EW_OK;
  return ew_fail(err, EW_STOPPED, "enough");
}

static ew_status count_outputs(void *context, exec_run *run, int n, ew_error *err) {
  (void)run, (void)n, (void)err;
  ((stopper *)context)->outputs++;
  return EW_OK;
}

static ew_status keep_state(void *context, exec_run *run, ew_error *err) {
  return exec_read(run, "T", ((stopper *)context)->T, err);
}

static ew_status run_with(stopper *s, bool resume, ew_error *err) {
  ew_case *c = warm_case("cpu");
  exec_options options = {.resume = resume, .hooks = {stop_at, count_outputs, keep_state, s}};
  ew_status status = exec_run_case(c, &options, NULL, err);
  case_destroy(&c);
  return status;
}

static void a_stopped_case_resumes_bit_by_bit(void **state) {
  (void)state;
  ew_error err = {EW_OK, ""};
  stopper whole = {0}, part = {.at = 7}, rest = {0};
  double row[2];
  remove_output();
  assert_int_equal(run_with(&whole, false, &err), EW_OK);
  int rows = last_row("exec_case/out/history.csv", row, 1);
  remove_output();
  assert_int_equal(run_with(&rest, true, &err), EW_CHECKPOINT);
  assert_int_equal(run_with(&part, false, &err), EW_STOPPED);
  CONTAINS(err.text, "exec_case/out/checkpoint.ew");
  assert_int_equal(run_with(&rest, true, &err), EW_OK);
  assert_int_equal(part.outputs + rest.outputs, whole.outputs);
  assert_memory_equal(rest.T, whole.T, 144 * sizeof *whole.T);
  assert_int_equal(last_row("exec_case/out/history.csv", row, 1), rows);
  check_files();
}

/* ---- failures ------------------------------------------------------------------------------------------------------------------- */

static void a_violated_bound_leaves_the_state_behind(void **state) {
  (void)state;
  ew_case *c = warm_case("cpu");
  ew_error err = {EW_OK, ""};
  exec_options options = {.messages = NULL};
  c->values.given[0].number[0] = 5000;
  remove_output();
  assert_int_equal(exec_run_case(c, &options, NULL, &err), EW_DIVERGED);
  CONTAINS(err.text, "check: T < 100 (./warmth.ew:9)");
  CONTAINS(err.text, "in cell ");
  CONTAINS(err.text, "T = ");
  CONTAINS(err.text, "power = 5000");
  CONTAINS(err.text, "failed.vtu");
  assert_true(exists("exec_case/out/failed.vtu") && exists("exec_case/out/warm_0000.vtu"));
  case_destroy(&c);
}

/* Files are written behind the run's back; their failures must not be lost. */
static void a_file_that_cannot_be_written_ends_the_run(void **state) {
  (void)state;
  ew_case *c = warm_case("c");
  ew_error err = {EW_OK, ""};
  exec_options options = {.messages = NULL};
  remove_output();
  for (int last = 1; last <= 3; last += 2) {
    char path[64];
    snprintf(path, sizeof path, "exec_case/out/warm_%04d.vtu", last);
    assert_int_equal(mkdir(path, 0777), 0);
    assert_int_equal(exec_run_case(c, &options, NULL, &err), EW_IO);
    CONTAINS(err.text, path);
    rmdir(path);
  }
  case_destroy(&c);
}

static void problems_are_printed_together(void **state) {
  (void)state;
  char *text = NULL;
  size_t size = 0;
  ew_case *c = warm_case("c");
  ew_error err = {EW_OK, ""};
  exec_options options = {.messages = open_memstream(&text, &size)};
  c->values.parameter[0].name = "kapa";
  c->values.given[0].name = "pover";
  assert_int_equal(exec_run_case(c, &options, NULL, &err), EW_INPUT);
  fclose(options.messages);
  CONTAINS(text, "case.lua:7: scheme 'warmth' has no parameter 'kapa'; did you mean 'kappa'?");
  CONTAINS(text, "did you mean 'power'?");
  CONTAINS(err.text, "4 problems in the case");
  free(text);
  case_destroy(&c);
}

static void errors_of_the_scheme_are_shown(void **state) {
  (void)state;
  char *text = NULL;
  size_t size = 0;
  ew_case *c = warm_case("c");
  ew_error err = {EW_OK, ""};
  exec_options options = {.messages = open_memstream(&text, &size)};
  FILE *f = fopen("warmth.ew", "w");
  fputs("scheme warmth on mesh(2) {\n  state T @ cells\n  step { update T = Q }\n}\n", f);
  fclose(f);
  assert_int_equal(exec_run_case(c, &options, NULL, &err), EW_INPUT);
  fclose(options.messages);
  CONTAINS(text, "warmth.ew:3");
  CONTAINS(err.text, "in the scheme or its schedule");
  free(text);
  case_destroy(&c);
}

/* ---- benches --------------------------------------------------------------------------------------------------------- */

static void a_bench_reports_rates_and_kernels(void **state) {
  (void)state;
  ew_case *c = warm_case("c");
  ew_error err = {EW_OK, ""};
  bench_options options = {.steps = 20, .repeats = 3};
  bench_result r;
  char *text = NULL;
  size_t size = 0;
  if (bench_case(c, &options, &r, &err) != EW_OK) fail_msg("%s", err.text);
  assert_true(r.best <= r.step_seconds && r.step_seconds <= r.worst && r.best > 0);
  assert_true(r.triad_share > 0 && r.bytes > 8 && r.bytes < 1000);
  assert_int_equal(r.kernels.steps, 20);
  FILE *out = open_memstream(&text, &size);
  bench_print_json(&r, out);
  bench_print(&r, out);
  fclose(out);
  CONTAINS(text, "\"cell_steps_per_second\"");
  CONTAINS(text, "million cell-steps a second");
  free(text);
  bench_clear(&r);
  options.repeats = -1;
  assert_int_equal(bench_case(c, &options, &r, &err), EW_USAGE);
  case_destroy(&c);
}

/* ---- meshes from recipes ---------------------------------------------------------------------------------------------------------- */

static void a_recipe_is_meshed_once(void **state) {
  (void)state;
  if (system("gmsh --version >/dev/null 2>&1") != 0) skip();
  ew_case *c = warm_case("c");
  ew_error err = {EW_OK, ""};
  mesh *m = NULL;
  struct stat first, second;
  FILE *f = fopen("square.geo", "w");
  fputs("DefineConstant[ n = 4 ];\nSetFactory(\"Built-in\");\n"
        "Point(1) = {0,0,0,1/n}; Point(2) = {1,0,0,1/n}; Point(3) = {1,1,0,1/n}; Point(4) = {0,1,0,1/n};\n"
        "Line(1) = {1,2}; Line(2) = {2,3}; Line(3) = {3,4}; Line(4) = {4,1};\n"
        "Curve Loop(1) = {1:4}; Plane Surface(1) = {1};\n"
        "Physical Curve(\"wall\") = {1:4}; Physical Surface(\"inside\") = {1};\n",
        f);
  fclose(f);
  remove_output();
  c->mesh.kind = CASE_MESH_RECIPE;
  c->mesh.path = "square.geo";
  case_setting n = {.name = "n", .value = "6"};
  c->mesh.n_numbers = 1;
  c->mesh.number = &n;
  c->boundary[0].n_names = 1;
  c->boundary[0].name = (const char *[]){"wall"};
  if (exec_mesh(c, &m, &err) != EW_OK) fail_msg("%s", err.text);
  assert_true(m->dim == 2 && m->n_cells > 50);
  assert_int_equal(mesh_find_patch(m, "wall"), 0);
  mesh_destroy(&m);
  glob_t made;
  assert_int_equal(glob("exec_case/out/square_n6.*.msh", 0, NULL, &made), 0);
  assert_int_equal(made.gl_pathc, 1);
  assert_int_equal(stat(made.gl_pathv[0], &first), 0);
  assert_int_equal(exec_mesh(c, &m, &err), EW_OK);
  mesh_destroy(&m);
  assert_int_equal(stat(made.gl_pathv[0], &second), 0);
  globfree(&made);
  assert_true(first.st_mtim.tv_nsec == second.st_mtim.tv_nsec);
  n.name = "k"; /* a part of words only */
  assert_int_equal(exec_mesh(c, &m, &err), EW_INPUT);
  CONTAINS(err.text, "square.geo: the recipe has no number 'k'");
  f = fopen("square.geo", "w");
  fputs("DefineConstant[ n = 4 ]; Point(1) = {0,0,0\n", f);
  fclose(f);
  n = (case_setting){.name = "n", .value = "7"};
  assert_int_equal(exec_mesh(c, &m, &err), EW_INPUT);
  CONTAINS(err.text, "square.geo: gmsh made no mesh");
  CONTAINS(err.text, "Error");
  unlink("square.geo");
  case_destroy(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_case_writes_all_it_was_asked_for),
                                     cmocka_unit_test(a_manifest_replaces_the_scheme),
                                     cmocka_unit_test(a_stopped_case_resumes_bit_by_bit),
                                     cmocka_unit_test(a_violated_bound_leaves_the_state_behind),
                                     cmocka_unit_test(a_file_that_cannot_be_written_ends_the_run),
                                     cmocka_unit_test(problems_are_printed_together),
                                     cmocka_unit_test(errors_of_the_scheme_are_shown),
                                     cmocka_unit_test(a_bench_reports_rates_and_kernels),
                                     cmocka_unit_test(a_recipe_is_meshed_once)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
