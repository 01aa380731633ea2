/* Atomic files, CSV, PVD collections, run.json. */
#include "test_io_fixture.h"

#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cJSON.h>

#include "formats/atomic_file.h"
#include "formats/csv.h"
#include "formats/pvd.h"
#include "formats/run_json.h"

static void a_file_appears_only_when_committed(void **state) {
  (void)state;
  ew_error err = {0};
  atomic_file *f = NULL;
  spill("a.txt", "old", 3);
  int files = count_files();
  assert_int_equal(atomic_file_create(&f, "a.txt", &err), EW_OK);
  assert_int_equal(atomic_file_write(f, "hello ", 6, &err), EW_OK);
  assert_int_equal(atomic_file_print(f, &err, "%d\n", 42), EW_OK);
  assert_int_equal(atomic_file_patch(f, 0, "J", 1, &err), EW_OK);
  assert_int_equal(atomic_file_print(f, &err, "end\n"), EW_OK);
  assert_int_equal(atomic_file_size(f), 13);
  assert_int_equal(atomic_file_patch(f, 12, "xx", 2, &err), EW_INTERNAL);
  assert_file("a.txt", "old");
  assert_int_equal(atomic_file_commit(&f, true, &err), EW_OK);
  assert_null(f);
  assert_file("a.txt", "Jello 42\nend\n");
  assert_int_equal(count_files(), files);
}

static void an_aborted_file_leaves_nothing(void **state) {
  (void)state;
  atomic_file *f = NULL;
  int files = count_files();
  assert_int_equal(atomic_file_create(&f, "never.txt", NULL), EW_OK);
  assert_int_equal(atomic_file_write(f, "x", 1, NULL), EW_OK);
  atomic_file_destroy(&f);
  assert_null(f);
  atomic_file_destroy(&f);
  assert_int_equal(count_files(), files);
}

static void special_files_are_not_replaced(void **state) {
  (void)state;
  ew_error err = {0};
  atomic_file *f = NULL;
  assert_int_equal(atomic_file_create(&f, "/dev/null", &err), EW_IO);
  assert_string_equal(
      err.text, "cannot write '/dev/null': it is a device or pipe, expected a regular file or a new name");
  assert_int_equal(atomic_file_create(&f, ".", &err), EW_IO);
  assert_non_null(strstr(err.text, "it is a folder"));
  assert_int_equal(atomic_file_create(&f, "no/such/a.txt", &err), EW_IO);
  assert_non_null(strstr(err.text, "No such file or directory (does its folder exist?)"));
}

static const csv_column COLUMN[] = {{"t", "s"}, {"h", "m"}, {"count", NULL}, {"a,\"b\"", "m/s"}};
#define HEADER "t [s],h [m],count,\"a,\"\"b\"\" [m/s]\"\n"

/* A file never holds a part of a row, and all rows before a flush. */
static void csv_keeps_rows_back(void **state) {
  (void)state;
  ew_error err = {0};
  csv *f = NULL;
  char text[1 << 16];
  assert_int_equal(csv_create(&f, "k.csv", COLUMN, 4, &err), EW_OK);
  for (int i = 0; i < 2000; i++) {
    assert_int_equal(csv_row(f, (double[]){i, i / 3.0, -i / 7.0, i}, &err), EW_OK);
    if (i % 100) continue;
    FILE *in = fopen("k.csv", "r");
    size_t n = fread(text, 1, sizeof text, in);
    fclose(in);
    assert_true(n == strlen(HEADER) || (n < csv_size(f) && n + (1 << 14) >= csv_size(f)) || n == sizeof text);
    if (n < sizeof text) assert_int_equal(text[n - 1], '\n');
  }
  assert_int_equal(csv_flush(f, &err), EW_OK);
  struct stat info;
  assert_int_equal(stat("k.csv", &info), 0);
  assert_int_equal(info.st_size, csv_size(f));
  csv_destroy(&f);
}

static void csv_rows_are_there_after_a_flush(void **state) {
  (void)state;
  ew_error err = {0};
  csv *f = NULL;
  assert_int_equal(csv_create(&f, "h.csv", COLUMN, 4, &err), EW_OK);
  assert_file("h.csv", HEADER);
  assert_int_equal(csv_row(f, (double[]){0, 0.1, 3, -1e-300}, &err), EW_OK);
  assert_file("h.csv", HEADER);
  assert_int_equal(csv_flush(f, &err), EW_OK);
  assert_file("h.csv", HEADER "0,0.10000000000000001,3,-1e-300\n");
  assert_int_equal(csv_row(f, (double[]){1, (double)NAN, 3, 4}, &err), EW_OK);
  csv_destroy(&f);
  assert_file("h.csv", HEADER "0,0.10000000000000001,3,-1e-300\n1,nan,3,4\n");
}

static void csv_continues_after_a_restart(void **state) {
  (void)state;
  ew_error err = {0};
  csv *f = NULL;
  const char text[] = HEADER "0,1,1,1\n1,1,1,1\n2,1,1,1\n0.5,half a li";
  spill("r.csv", text, sizeof text - 1);
  assert_int_equal(csv_continue(&f, "r.csv", COLUMN, 4, strlen(HEADER "0,1,1,1\n1,1,1,1\n"), &err), EW_OK);
  assert_int_equal(csv_row(f, (double[]){1.5, 2, 2, 2}, &err), EW_OK);
  csv_destroy(&f);
  assert_file("r.csv", HEADER "0,1,1,1\n1,1,1,1\n1.5,2,2,2\n");
  assert_int_equal(csv_continue(&f, "r.csv", COLUMN, 2, 50, &err), EW_CHECKPOINT);
  assert_non_null(strstr(err.text, "found:    t [s],h [m],count"));
  assert_non_null(strstr(err.text, "expected: t [s],h [m]\n"));
  assert_null(f);
  assert_int_equal(csv_continue(&f, "r.csv", COLUMN, 4, 5000, &err), EW_CHECKPOINT);
  assert_non_null(strstr(err.text, "expected: at least 5000 bytes"));
  assert_int_equal(csv_continue(&f, "r.csv", COLUMN, 4, strlen(HEADER) + 3, &err), EW_CHECKPOINT);
  assert_null(f);
  assert_int_equal(csv_continue(&f, "fresh.csv", COLUMN, 4, 1000, &err), EW_OK);
  csv_destroy(&f);
  assert_file("fresh.csv", HEADER);
}

static void csv_tells_a_full_disk(void **state) {
  (void)state;
  ew_error err = {0};
  csv *f = NULL;
  assert_int_equal(csv_create(&f, "/dev/full", COLUMN, 4, &err), EW_IO);
  assert_null(f);
  assert_int_equal(csv_create(&f, "no/h.csv", COLUMN, 4, &err), EW_IO);
}

#define PVD_START                                                                                            \
  "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "                                   \
  "byte_order=\"LittleEndian\">\n<Collection>\n"
#define PVD_END            "</Collection>\n</VTKFile>\n"
#define PVD_ENTRY(t, file) "<DataSet timestep=\"" t "\" group=\"\" part=\"0\" file=\"" file "\"/>\n"

static void a_collection_is_whole_after_each_output(void **state) {
  (void)state;
  ew_error err = {0};
  pvd *p = NULL;
  assert_int_equal(pvd_create(&p, "a.pvd", &err), EW_OK);
  assert_int_equal(pvd_add(p, 0, "a_0.vtu", &err), EW_OK);
  assert_file("a.pvd", PVD_START PVD_ENTRY("0", "a_0.vtu") PVD_END);
  assert_int_equal(pvd_add(p, 0.5, "a&b.vtu", &err), EW_OK);
  assert_int_equal(pvd_add(p, 1, "c.vtu", &err), EW_OK);
  pvd_destroy(&p);
  assert_int_equal(pvd_create(&p, "a.pvd", &err), EW_OK);
  assert_int_equal(pvd_note(p, 0, "a_0.vtu", &err), EW_OK);
  assert_int_equal(pvd_note(p, 0.5, "a&b.vtu", &err), EW_OK);
  assert_int_equal(pvd_add(p, 0.875, "d.vtu", &err), EW_OK);
  pvd_destroy(&p);
  assert_null(p);
  assert_file("a.pvd", PVD_START PVD_ENTRY("0", "a_0.vtu") PVD_ENTRY("0.5", "a&amp;b.vtu")
                           PVD_ENTRY("0.875", "d.vtu") PVD_END);
}

/* Written anew for each output, thousands of outputs would take time that grows with their square. */
static void a_collection_grows_in_place(void **state) {
  (void)state;
  ew_error err = {0};
  struct stat first, last;
  pvd *p = NULL;
  assert_int_equal(pvd_create(&p, "many.pvd", &err), EW_OK);
  assert_int_equal(pvd_add(p, 0, "a.vtu", &err), EW_OK);
  assert_int_equal(stat("many.pvd", &first), 0);
  int kept = open("many.pvd", O_RDONLY); /* so that its number is not given to another */
  for (int i = 1; i < 200; i++) assert_int_equal(pvd_add(p, i, "a.vtu", &err), EW_OK);
  assert_int_equal(stat("many.pvd", &last), 0);
  assert_true(first.st_ino == last.st_ino && last.st_size > 200 * 40);
  close(kept);
  pvd_destroy(&p);
}

static void a_collection_that_cannot_be_written(void **state) {
  (void)state;
  ew_error err = {0};
  pvd *p = NULL;
  assert_int_equal(pvd_create(&p, "no/a.pvd", &err), EW_OK);
  assert_int_equal(pvd_add(p, 0, "a.vtu", &err), EW_IO);
  pvd_destroy(&p);
}

static void a_record_is_nested_by_dots(void **state) {
  (void)state;
  ew_error err = {0};
  run_json *r = NULL;
  assert_int_equal(run_json_create(&r, &err), EW_OK);
  run_json_text(r, "version", "1.0");
  run_json_text(r, "device.name", "a \"b\"");
  run_json_integer(r, "device.memory_bytes", INT64_C(9007199254740993));
  run_json_real(r, "wall_time_s", 0.1);
  run_json_real(r, "rate", (double)INFINITY);
  run_json_bool(r, "resumed", false);
  run_json_text(r, "version", "1.1");
  run_json_text(r, "profile", NULL);
  run_json_named_text(r, "schedule.settings", "flux", "store");
  run_json_named_text(r, "schedule.settings", "flux.prev", "store");
  assert_int_equal(run_json_write(r, "run.json", &err), EW_OK);
  char *text = slurp("run.json", NULL);
  assert_non_null(strstr(text, "\"memory_bytes\":\t9007199254740993"));
  cJSON *root = cJSON_Parse(text), *device = cJSON_GetObjectItem(root, "device");
  assert_string_equal(cJSON_GetObjectItem(root, "version")->valuestring, "1.1");
  assert_string_equal(cJSON_GetObjectItem(device, "name")->valuestring, "a \"b\"");
  assert_true(cJSON_GetObjectItem(root, "wall_time_s")->valuedouble == 0.1);
  assert_true(cJSON_IsNull(cJSON_GetObjectItem(root, "rate")));
  assert_true(cJSON_IsNull(cJSON_GetObjectItem(root, "profile")));
  const cJSON *settings = cJSON_GetObjectItem(cJSON_GetObjectItem(root, "schedule"), "settings");
  assert_string_equal(cJSON_GetObjectItem(settings, "flux")->valuestring, "store");
  assert_string_equal(cJSON_GetObjectItem(settings, "flux.prev")->valuestring, "store");
  assert_true(cJSON_IsFalse(cJSON_GetObjectItem(root, "resumed")));
  cJSON_Delete(root);
  free(text);
  run_json_destroy(&r);
  assert_true(run_json_peak_memory() > 100000);
}

static void a_key_cannot_be_value_and_object(void **state) {
  (void)state;
  ew_error err = {0};
  run_json *r = NULL;
  assert_int_equal(run_json_create(&r, &err), EW_OK);
  run_json_text(r, "device", "x");
  run_json_text(r, "device.name", "y");
  assert_int_equal(run_json_write(r, "bad.json", &err), EW_INTERNAL);
  assert_string_equal(err.text, "cannot write 'bad.json': key 'device.name' could not be set");
  run_json_destroy(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_file_appears_only_when_committed),
      cmocka_unit_test(an_aborted_file_leaves_nothing),
      cmocka_unit_test(special_files_are_not_replaced),
      cmocka_unit_test(csv_rows_are_there_after_a_flush),
      cmocka_unit_test(csv_keeps_rows_back),
      cmocka_unit_test(csv_continues_after_a_restart),
      cmocka_unit_test(csv_tells_a_full_disk),
      cmocka_unit_test(a_collection_is_whole_after_each_output),
      cmocka_unit_test(a_collection_grows_in_place),
      cmocka_unit_test(a_collection_that_cannot_be_written),
      cmocka_unit_test(a_record_is_nested_by_dots),
      cmocka_unit_test(a_key_cannot_be_value_and_object),
  };
  return cmocka_run_group_tests_name("io_files", tests, enter_scratch, leave_scratch);
}
