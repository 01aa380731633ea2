/* Cases made by chance for shipped schemes: the case file that is written of one reads back as the same case. */
#include <math.h>
#include <unistd.h>

#include "test_scheme_fixture.h"

#include "lua/case_file.h"
#include "verify/verify.h"

static char folder[] = "/tmp/edgewise-case-XXXXXX";

static void close_to(double a, double b) { assert_true(fabs(a - b) <= 1e-14 * fmax(1, fabs(b))); }

static void same_text(const char *a, const char *b) {
  assert_int_equal(!a, !b);
  if (a) assert_string_equal(a, b);
}

/* Of functions: at some points and times. */
static void same_function(const case_value *a, const case_value *b, int n) {
  ew_error err = {0};
  double x[DSLC_MOST_COMPONENTS], y[DSLC_MOST_COMPONENTS];
  assert_int_equal(a->over_time, b->over_time);
  for (int k = 0; k < 5; k++) {
    const double at[3] = {0.3 * k, 0.7 - 0.1 * k, 0.2 * k * k}, t = 0.25 * k;
    assert_int_equal(a->function(a->context, at, t, x, n, &err), EW_OK);
    assert_int_equal(b->function(b->context, at, t, y, n, &err), EW_OK);
    for (int d = 0; d < n; d++) close_to(x[d], y[d]);
  }
}

static int functions, series, numbers; /* how many were compared */

static void same_value(const case_value *a, const case_value *b) {
  assert_string_equal(a->name, b->name);
  assert_int_equal(a->kind, b->kind);
  if (a->kind == CASE_FUNCTION) same_function(a, b, b->n), functions++;
  if (a->kind == CASE_NUMBERS) {
    assert_int_equal(a->n, b->n);
    for (int d = 0; d < b->n; d++) close_to(a->number[d], b->number[d]);
    numbers++;
  }
  if (a->kind != CASE_SERIES) return;
  assert_int_equal(a->n, b->n);
  assert_int_equal(a->n_times, b->n_times);
  for (int i = 0; i < b->n_times; i++) close_to(a->time[i], b->time[i]);
  for (int i = 0; i < b->n * b->n_times; i++) close_to(a->series[i], b->series[i]);
  series++;
}

/* A case file's tables of names have no order. */
static void same_values(const case_value *a, int n_a, const case_value *b, int n_b) {
  assert_int_equal(n_a, n_b);
  for (int i = 0; i < n_b; i++) {
    int j = 0;
    while (j < n_a && strcmp(a[j].name, b[i].name) != 0) j++;
    assert_true(j < n_a);
    same_value(&a[j], &b[i]);
  }
}

/* Of a list, or of one cell between two ends. */
static double face_at(const grid_axis_options *a, int i) {
  return a->face ? a->face[i] : i == 0 ? a->from : a->to;
}

static void same_grid(const grid_options *a, const grid_options *b) {
  assert_int_equal(a->dim, b->dim);
  assert_int_equal(a->n_solids, b->n_solids);
  for (int d = 0; d < b->dim; d++) {
    assert_int_equal(a->axis[d].n, b->axis[d].n);
    assert_int_equal(a->axis[d].periodic, b->axis[d].periodic);
    for (int i = 0; i <= b->axis[d].n; i++) close_to(face_at(&a->axis[d], i), b->axis[d].face[i]);
    for (int s = 0; s < b->n_solids; s++) {
      assert_string_equal(a->solid[s].name, b->solid[s].name);
      close_to(a->solid[s].low[d], b->solid[s].low[d]);
      close_to(a->solid[s].high[d], b->solid[s].high[d]);
    }
  }
}

static void same_rectangle(const mesh_rectangle_options *a, const mesh_rectangle_options *b) {
  assert_true(a->nx == b->nx && a->ny == b->ny && a->kind == b->kind && a->diagonal == b->diagonal);
  assert_true(a->periodic_x == b->periodic_x && a->periodic_y == b->periodic_y);
  close_to(a->x1, b->x1), close_to(a->y1, b->y1), close_to(a->jitter, b->jitter);
}

static void same_box(const mesh_box_options *a, const mesh_box_options *b) {
  assert_true(a->nx == b->nx && a->ny == b->ny && a->nz == b->nz && a->kind == b->kind);
  assert_true(a->periodic_x == b->periodic_x && a->periodic_y == b->periodic_y &&
              a->periodic_z == b->periodic_z);
  close_to(a->x1, b->x1), close_to(a->y1, b->y1), close_to(a->z1, b->z1), close_to(a->jitter, b->jitter);
}

static void same_mesh(const case_mesh *a, const case_mesh *b, const verify_way *way) {
  assert_int_equal(a->kind, b->kind);
  if (b->kind == CASE_MESH_GRID) same_grid(&a->grid, &b->grid);
  if (b->kind == CASE_MESH_RECTANGLE) same_rectangle(&a->rectangle, &b->rectangle);
  if (b->kind == CASE_MESH_BOX) same_box(&a->box, &b->box);
  if (b->kind == CASE_MESH_FILE) assert_string_equal(a->path, "mesh.msh");
  if (b->kind == CASE_MESH_GRID) return;
  assert_true(a->seed == b->seed);
  assert_true(a->cells == way->cells && a->faces == way->faces && a->nodes == way->nodes);
}

static void same_boundary(const ew_case *a, const ew_case *b) {
  assert_int_equal(a->n_boundaries, b->n_boundaries);
  for (int i = 0; i < b->n_boundaries; i++) {
    const case_boundary *x = &a->boundary[i], *y = &b->boundary[i];
    assert_string_equal(x->rule, y->rule);
    assert_int_equal(x->n_names, y->n_names);
    for (int k = 0; k < y->n_names; k++) assert_string_equal(x->name[k], y->name[k]);
    same_values(x->argument, x->n_arguments, y->argument, y->n_arguments);
  }
}

static void same_names(const char **a, int n_a, const char **b, int n_b) {
  assert_int_equal(n_a, n_b);
  for (int i = 0; i < n_b; i++) same_text(a[i], b[i]);
}

/* What the case itself has no settings for, the way has. */
static void same_settings(const ew_case *a, const ew_case *b, const verify_way *way) {
  assert_int_equal(a->build.n_schedule, way->n);
  for (int i = 0, j; i < way->n; i++) {
    for (j = 0; j < way->n && strcmp(a->build.schedule[j].name, way->set[i].name) != 0;) j++;
    assert_true(j < way->n);
    assert_string_equal(a->build.schedule[j].value, way->set[i].value);
  }
  assert_int_equal(a->build.n_variants, b->build.n_variants);
  for (int i = 0, j; i < b->build.n_variants; i++) {
    for (j = 0; strcmp(a->build.variant[j].name, b->build.variant[i].name) != 0;)
      assert_true(++j < a->build.n_variants);
    assert_string_equal(a->build.variant[j].value, b->build.variant[i].value);
  }
}

static void write_case(const ew_case *c, const verify_way *way, const char *path) {
  ew_error err = {0};
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  assert_int_equal(verify_write_case(c, NULL, way, f, &err), EW_OK);
  assert_int_equal(fclose(f), 0);
}

static void reads_back(const dslc_program *scheme, const char *scheme_path, uint64_t seed) {
  char path[256];
  ew_error err = {0};
  verify_setup setup;
  ew_case *made = NULL;
  case_file *file = NULL;
  if (verify_draw_setup(scheme, VERIFY_POSITIVE, seed, &setup, &err) != EW_OK) fail_msg("%s", err.text);
  if (setup.on_grid && setup.n_solids == 0 && seed % 3 == 0)
    setup.n[seed % (unsigned)setup.dim] = 1; /* as what is reduced may have */
  const verify_source of = {scheme, scheme_path, folder, seed % 2};
  if (verify_make_case(&of, &setup, &made, &err) != EW_OK) fail_msg("%s: %s", scheme_path, err.text);
  const verify_way way = verify_draw_way(scheme, "c", seed);
  snprintf(path, sizeof path, "%s/case.lua", folder);
  write_case(made, &way, path);
  if (case_file_create(&(case_file_options){.path = path}, &file, &err) != EW_OK) fail_msg("%s", err.text);
  const problem_list *problems = case_file_problems(file);
  if (problems->n) fail_msg("%s: %s", scheme_path, problems->text[0]);
  const ew_case *read = case_file_get(file);
  assert_string_equal(read->build.scheme, strrchr(scheme_path, '/') + 1);
  assert_true(read->time.max_steps == made->time.max_steps && !read->output.vtu);
  same_settings(read, made, &way);
  same_mesh(&read->mesh, &made->mesh, &way);
  same_values(read->values.parameter, read->values.n_parameters, made->values.parameter,
              made->values.n_parameters);
  same_values(read->values.initial, read->values.n_initial, made->values.initial, made->values.n_initial);
  same_values(read->values.given, read->values.n_givens, made->values.given, made->values.n_givens);
  same_boundary(read, made);
  same_names(read->output.field, read->output.n_fields, made->output.field, made->output.n_fields);
  same_names(read->output.history, read->output.n_history, made->output.history, made->output.n_history);
  case_file_destroy(&file);
  case_destroy(&made);
}

static void written_cases_read_back(void **state) {
  static const char *const name[] = {"heat",      "shallow_water", "river",       "edge_navier_stokes",
                                     "simple_ts", "euler_hllc",    "maxwell_yee", "mac",
                                     "rain",      "yee_3d"};
  (void)state;
  for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
    char path[256];
    ew_error err = {0};
    dslc_program *scheme = NULL;
    snprintf(path, sizeof path, "%s/schemes/%s.ew", EW_SOURCE_DIR, name[i]);
    if (verify_describe(path, 0, NULL, &scheme, &err) != EW_OK) fail_msg("%s", err.text);
    for (uint64_t seed = 1; seed <= 12; seed++) reads_back(scheme, path, seed);
    dslc_program_destroy(&scheme);
  }
  assert_true(functions > 100 && series > 0 && numbers > 100);
}

/* A disk that is full is told of. */
static void what_cannot_be_written_is_told(void **state) {
  ew_error err = {0};
  ew_case *c = NULL;
  (void)state;
  FILE *full = fopen("/dev/full", "w");
  if (!full) skip();
  setvbuf(full, NULL, _IONBF, 0);
  assert_int_equal(case_create(&c, &err), EW_OK);
  c->build.scheme = "heat";
  assert_int_equal(verify_write_case(c, NULL, NULL, full, &err), EW_IO);
  assert_non_null(strstr(err.text, "cannot write the case"));
  fclose(full);
  case_destroy(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(written_cases_read_back),
      cmocka_unit_test(what_cannot_be_written_is_told),
  };
  if (!mkdtemp(folder)) return 1;
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  char path[256];
  snprintf(path, sizeof path, "%s/case.lua", folder);
  unlink(path);
  snprintf(path, sizeof path, "%s/mesh.msh", folder);
  unlink(path);
  rmdir(folder);
  return failed;
}
