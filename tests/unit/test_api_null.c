/* Every function of edgewise.h, given NULL wherever it takes a pointer: refused in words, never a crash. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "edgewise.h"

static const char PLATE[] =
    "return case { scheme = 'heat', mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 2, ny = 2 },\n"
    "  given = { power = 0 }, initial = { T = 1 },\n"
    "  boundary = { { {'left', 'right', 'bottom', 'top'}, 'insulated' } }, time = { steps = 4 } }\n";
static const char SPOTS[] =
    "return case { scheme = 'gray_scott', parameters = { F = 0.037, k = 0.06 }, initial = { u = 1, v = 0 },\n"
    "  mesh = mesh.grid { x = {0, 3}, y = {0, 3}, nx = 3, ny = 3, periodic = 'xy' }, time = { steps = 2 } "
    "}\n";

static edgewise_run *open_text(const char *text) {
  edgewise_options o = {.size = sizeof o, .text = text, .device = "c"};
  edgewise_run *run = NULL;
  assert_int_equal(edgewise_open(&o, &run), EDGEWISE_OK);
  return run;
}

/* ---- no run: named so that none of the header is left out ------------------------------------------------------------------------- */

static edgewise_view view = {.size = sizeof view};
static edgewise_field field = {.size = sizeof field};
static edgewise_topology topology = {.size = sizeof topology};
static const double *numbers;
static double number[8];
static int64_t count;

#define REFUSED(call)                                                                                        \
  static void call##_of_no_run(void) { assert_int_equal(TRY_##call, EDGEWISE_USAGE); }
#define TRY_step        edgewise_step(NULL, 1)
#define TRY_advance     edgewise_advance(NULL, 1)
#define TRY_go_on       edgewise_go_on(NULL, 1, 1)
#define TRY_finish      edgewise_finish(NULL)
#define TRY_field_at    edgewise_field_at(NULL, 0, &field)
#define TRY_map         edgewise_map(NULL, "T", EDGEWISE_READ, &view)
#define TRY_unmap       edgewise_unmap(NULL, "T")
#define TRY_read        edgewise_read(NULL, "T", number, 8)
#define TRY_write       edgewise_write(NULL, "T", number, 8)
#define TRY_global      edgewise_global(NULL, "dt", number)
#define TRY_coordinates edgewise_coordinates(NULL, EDGEWISE_CELLS, &numbers, &count)
#define TRY_volumes     edgewise_volumes(NULL, &numbers, &count)
#define TRY_cells       edgewise_cells(NULL, &topology)
#define TRY_axis        edgewise_axis(NULL, 0, &numbers, &count)

/* clang-format off */
REFUSED(step) REFUSED(advance) REFUSED(go_on) REFUSED(finish) REFUSED(field_at) REFUSED(map) REFUSED(unmap)
REFUSED(read) REFUSED(write) REFUSED(global) REFUSED(coordinates) REFUSED(volumes) REFUSED(cells) REFUSED(axis)
    /* clang-format on */

    static void version_of_no_run(void) {
  assert_non_null(edgewise_version());
}
static void message_of_no_run(void) { assert_string_equal(edgewise_message(NULL), "out of memory"); }
static void stop_of_no_run(void) { edgewise_stop(NULL); }
static void time_of_no_run(void) { assert_true(edgewise_time(NULL) == 0); }
static void dt_of_no_run(void) { assert_true(edgewise_dt(NULL) == 0); }
static void steps_of_no_run(void) { assert_int_equal(edgewise_steps(NULL), 0); }
static void ended_of_no_run(void) { assert_int_equal(edgewise_ended(NULL), 0); }
static void device_of_no_run(void) { assert_string_equal(edgewise_device(NULL), ""); }
static void platform_of_no_run(void) { assert_string_equal(edgewise_platform(NULL), ""); }
static void folder_of_no_run(void) { assert_string_equal(edgewise_folder(NULL), ""); }
static void picture_of_no_run(void) { assert_string_equal(edgewise_picture(NULL), ""); }
static void field_count_of_no_run(void) { assert_int_equal(edgewise_field_count(NULL), 0); }
static void dimensions_of_no_run(void) { assert_int_equal(edgewise_dimensions(NULL), 0); }
static void on_grid_of_no_run(void) { assert_int_equal(edgewise_on_grid(NULL), 0); }

static void close_of_no_run(void) {
  edgewise_run *none = NULL;
  edgewise_close(NULL);
  edgewise_close(&none);
}

static void open_of_no_run(void) {
  edgewise_options o = {.size = sizeof o, .text = PLATE};
  edgewise_run *run = NULL;
  assert_int_equal(edgewise_open(&o, NULL), EDGEWISE_USAGE);
  assert_int_equal(edgewise_open(NULL, NULL), EDGEWISE_USAGE);
  assert_int_equal(edgewise_open(NULL, &run), EDGEWISE_USAGE);
  assert_string_equal(edgewise_message(run), "edgewise_open: options is NULL");
  edgewise_close(&run);
}

static const struct {
  const char *name;
  void (*try)(void);
} NO_RUN[] = {
#define ROW(name)                                                                                            \
  { "edgewise_" #name "@@", name##_of_no_run }
    ROW(advance),    ROW(axis),   ROW(cells),   ROW(close),   ROW(coordinates), ROW(device),
    ROW(dimensions), ROW(dt),     ROW(ended),   ROW(finish),  ROW(field_at),    ROW(field_count),
    ROW(folder),     ROW(global), ROW(go_on),   ROW(map),     ROW(unmap),       ROW(message),
    ROW(on_grid),    ROW(open),   ROW(picture), ROW(read),    ROW(write),       ROW(step),
    ROW(steps),      ROW(stop),   ROW(time),    ROW(version), ROW(volumes),     ROW(platform)};
enum { N_NO_RUN = sizeof NO_RUN / sizeof *NO_RUN };

static void without_a_run(void **state) {
  (void)state;
  for (int i = 0; i < N_NO_RUN; i++) NO_RUN[i].try();
}

static int row_of(const char *symbol) {
  for (int i = 0; i < N_NO_RUN; i++)
    if (strncmp(symbol, NO_RUN[i].name, strlen(NO_RUN[i].name)) == 0) return i;
  return -1;
}

static void no_function_is_left_out(void **state) {
  (void)state;
  char line[256];
  int n = 0;
  FILE *in = fopen(SYMBOLS, "r");
  assert_non_null(in);
  while (fgets(line, sizeof line, in)) {
    if (!strstr(line, "@@")) continue;
    if (row_of(line) < 0) fail_msg("not asked what it says without a run: %s", line);
    n++;
  }
  fclose(in);
  assert_int_equal(n, N_NO_RUN);
}

/* ---- a run, but no name or no place for the result ----------------------------------------------------------------------------------- */

static void refused(const edgewise_run *run, edgewise_status status, const char *said) {
  assert_int_equal(status, EDGEWISE_USAGE);
  assert_string_equal(edgewise_message(run), said);
}

static void without_a_name(void **state) {
  (void)state;
  edgewise_run *run = open_text(PLATE);
  refused(run, edgewise_map(run, NULL, EDGEWISE_READ, &view), "edgewise_map: field is NULL");
  refused(run, edgewise_unmap(run, NULL), "edgewise_unmap: field is NULL");
  refused(run, edgewise_read(run, NULL, number, 8), "edgewise_read: field is NULL");
  refused(run, edgewise_write(run, NULL, number, 8), "edgewise_write: field is NULL");
  refused(run, edgewise_global(run, NULL, number), "edgewise_global: name is NULL");
  edgewise_close(&run);
}

static void without_a_result(void **state) {
  (void)state;
  edgewise_run *run = open_text(PLATE);
  refused(run, edgewise_field_at(run, 0, NULL), "edgewise_field_at: field is NULL");
  refused(run, edgewise_map(run, "T", EDGEWISE_READ, NULL), "edgewise_map: view is NULL");
  refused(run, edgewise_read(run, "T", NULL, 8), "edgewise_read: values is NULL");
  refused(run, edgewise_write(run, "T", NULL, 8), "edgewise_write: values is NULL");
  refused(run, edgewise_global(run, "dt", NULL), "edgewise_global: value is NULL");
  refused(run, edgewise_coordinates(run, EDGEWISE_CELLS, NULL, &count), "edgewise_coordinates: x is NULL");
  refused(run, edgewise_coordinates(run, EDGEWISE_CELLS, &numbers, NULL),
          "edgewise_coordinates: count is NULL");
  refused(run, edgewise_volumes(run, NULL, &count), "edgewise_volumes: volume is NULL");
  refused(run, edgewise_volumes(run, &numbers, NULL), "edgewise_volumes: count is NULL");
  refused(run, edgewise_cells(run, NULL), "edgewise_cells: topology is NULL");
  assert_int_equal(edgewise_finish(run), EDGEWISE_OK); /* nothing of it harmed the run */
  edgewise_close(&run);
  run = open_text(SPOTS);
  refused(run, edgewise_axis(run, 0, NULL, &count), "edgewise_axis: face is NULL");
  refused(run, edgewise_axis(run, 0, &numbers, NULL), "edgewise_axis: count is NULL");
  refused(run, edgewise_coordinates(run, EDGEWISE_CELLS, NULL, NULL), "edgewise_coordinates: x is NULL");
  edgewise_close(&run);
}

static void options_with_holes(void **state) {
  (void)state;
  const char *const hole[] = {NULL};
  const struct {
    edgewise_options o;
    const char *said;
  } all[] = {{{.text = PLATE, .n_defines = 1}, "edgewise_open: options.define is NULL"},
             {{.text = PLATE, .n_defines = 1, .define = hole}, "edgewise_open: options.define[0] is NULL"},
             {{.text = PLATE, .n_defines = -1}, "edgewise_open: options.n_defines is less than 0"},
             {{.text = PLATE, .n_show = 1}, "edgewise_open: options.show is NULL"},
             {{.text = PLATE, .n_show = 1, .show = hole}, "edgewise_open: options.show[0] is NULL"},
             {{.text = PLATE, .n_show = -1}, "edgewise_open: options.n_show is less than 0"}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    edgewise_options o = all[i].o;
    edgewise_run *run = NULL;
    o.size = sizeof o;
    assert_int_equal(edgewise_open(&o, &run), EDGEWISE_USAGE);
    assert_string_equal(edgewise_message(run), all[i].said);
    edgewise_close(&run);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(without_a_run),
                                     cmocka_unit_test(no_function_is_left_out),
                                     cmocka_unit_test(without_a_name), cmocka_unit_test(without_a_result),
                                     cmocka_unit_test(options_with_holes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
