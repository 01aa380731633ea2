/* Tuning: the search on made-up times, the store in good and bad weather, and linear systems on a real device. */
#include "test_csr_fixture.h"
#include "tune/linear.h"
#include "tune/tune.h"

#include <cJSON.h>
#include <dirent.h>
#include <errno.h>
#include <unistd.h>

/* ---- the search ---- */

typedef struct fake {
  double seconds[6];
  bool wrong[6], refused[6];
  int open, opened;
} fake;

static ew_status fake_open(void *data, int candidate, ew_error *err) {
  fake *f = data;
  assert_int_equal(f->open, -1);
  f->open = candidate;
  f->opened |= 1 << candidate;
  return f->refused[candidate] ? ew_fail(err, EW_DEVICE, "too wide\nfor this") : EW_OK;
}
static ew_status fake_check(void *data, int candidate, bool *right, ew_error *err) {
  fake *f = data;
  (void)err;
  assert_int_equal(f->open, candidate);
  *right = !f->wrong[candidate];
  return EW_OK;
}
static ew_status fake_run(void *data, double *seconds, ew_error *err) {
  fake *f = data;
  (void)err;
  assert_true(f->open >= 0);
  *seconds = f->seconds[f->open];
  return EW_OK;
}
static void fake_close(void *data) { ((fake *)data)->open = -1; }

static ew_status search(fake *f, double seconds, tune_row rows[6], int *best) {
  ew_error err;
  tune_task task = {f, 6, fake_open, fake_check, fake_run, fake_close, NULL};
  f->open = -1;
  return tune_search(&task, seconds, rows, best, &err);
}

static void fastest_right_one(void **state) {
  (void)state;
  int best;
  tune_row rows[6];
  fake f = {.seconds = {1.0, 0.9, 0.1, 0.2, 0.8, 5.0}, .wrong = {[2] = true}, .refused = {[3] = true}};
  assert_int_equal(search(&f, 10.0, rows, &best), EW_OK);
  assert_int_equal(best, 4);
  assert_int_equal(rows[4].verdict, TUNE_BEST);
  assert_int_equal(rows[2].verdict, TUNE_WRONG);
  assert_int_equal(rows[3].verdict, TUNE_REFUSED);
  assert_string_equal(rows[3].note, "too wide");
  assert_int_equal(rows[5].verdict, TUNE_SLOWER);
  assert_int_equal(f.open, -1);
}

static void default_wins_ties(void **state) {
  (void)state;
  int best;
  tune_row rows[6];
  fake f = {.seconds = {1.0, 0.99, 1.0, 1.0, 0.985, 2.0}};
  assert_int_equal(search(&f, 10.0, rows, &best), EW_OK);
  assert_int_equal(best, 0);
  assert_int_equal(rows[0].verdict, TUNE_BEST);
}

static void no_time(void **state) {
  (void)state;
  int best;
  tune_row rows[6];
  fake f = {.seconds = {1.0, 0.1, 0.1, 0.1, 0.1, 0.1}};
  assert_int_equal(search(&f, 0.0, rows, &best), EW_OK);
  assert_int_equal(best, 0);
  assert_int_equal(f.opened, 1);
  assert_int_equal(rows[1].verdict, TUNE_SKIPPED);
}

static void bad_default(void **state) {
  (void)state;
  int best;
  tune_row rows[6];
  fake wrong = {.seconds = {1.0}, .wrong = {true}}, refused = {.seconds = {1.0}, .refused = {true}};
  assert_int_equal(search(&wrong, 1.0, rows, &best), EW_INTERNAL);
  assert_int_equal(search(&refused, 1.0, rows, &best), EW_DEVICE);
  assert_int_equal(refused.open, -1);
}

/* ---- the store ---- */

static char folder[256];

static int make_folder(void **state) {
  (void)state;
  snprintf(folder, sizeof folder, "/tmp/edgewise-tune-XXXXXX");
  return mkdtemp(folder) && setenv("EDGEWISE_CACHE_DIR", folder, 1) == 0 ? 0 : -1;
}

static int remove_folder(void **state) {
  (void)state;
  char command[300];
  snprintf(command, sizeof command, "rm -r '%s'", folder);
  return system(command);
}

/* Overwrites every stored file. */
static void spoil(const char *text) {
  char path[800];
  snprintf(path, sizeof path, "%s/tune", folder);
  DIR *dir = opendir(path);
  assert_non_null(dir);
  for (struct dirent *e = readdir(dir); e; e = readdir(dir)) {
    if (e->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "%s/tune/%s", folder, e->d_name);
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
  }
  closedir(dir);
}

static ew_error aside;

static bool recalls(const char *key, tune_setting *settings, int n) {
  bool found;
  OK(tune_recall(key, settings, n, &found, &aside, err));
  return found;
}

/* A file of ours that cannot be parsed for want of memory is not taken for one of nobody's. */
static void *no_memory(size_t n) {
  (void)n;
  errno = ENOMEM; /* as malloc does */
  return NULL;
}

static void store_without_memory(void **state) {
  (void)state;
  tune_setting s[] = {{"a", 3}};
  ew_error why = {0};
  bool found;
  OK(tune_remember("key", s, 1, err));
  cJSON_InitHooks(&(cJSON_Hooks){no_memory, free});
  ew_status status = tune_recall("key", s, 1, &found, &aside, &why);
  cJSON_InitHooks(NULL);
  assert_int_equal(status, EW_FAIL);
  assert_false(found);
  assert_non_null(strstr(why.text, "out of memory for the results of tuning"));
  assert_true(recalls("key", s, 1));
}

static void store(void **state) {
  (void)state;
  tune_setting s[] = {{"a", 3}, {"b", -4}}, r[] = {{"a", 0}, {"b", 0}}, more[] = {{"a", 0}, {"c", 0}};
  assert_false(recalls("key", r, 2));
  OK(tune_remember("key", s, 2, err));
  assert_true(recalls("key", r, 2));
  assert_int_equal(r[0].value, 3);
  assert_int_equal(r[1].value, -4);
  assert_false(recalls("other", r, 2));
  assert_false(recalls("key", more, 2));
  const char *const rubbish[] = {"",
                                 "{",
                                 "[1]",
                                 "{\"key\": \"other\", \"settings\": {\"a\": 1, \"b\": 2}}",
                                 "{\"key\": \"key\", \"settings\": {\"a\": \"x\", \"b\": 2}}",
                                 "{\"key\": 7}"};
  for (size_t i = 0; i < sizeof rubbish / sizeof *rubbish; i++) {
    spoil(rubbish[i]);
    assert_false(recalls("key", r, 2));
  }
  OK(tune_remember("key", s, 1, err));
  assert_true(recalls("key", r, 1));
  setenv("EDGEWISE_CACHE", "off", 1);
  assert_false(recalls("key", r, 1));
  OK(tune_remember("key", s, 1, err));
  unsetenv("EDGEWISE_CACHE");
}

/* ---- linear systems ---- */

static tune_matrix upload_model(dev_context *device, const csr_model *m, dev_buffer *buffers[2]) {
  buffers[0] = put(device, m->off, (size_t)m->pattern.start[m->pattern.n] * sizeof(double));
  buffers[1] = put(device, m->diagonal, (size_t)m->pattern.n * sizeof(double));
  return (tune_matrix){.pattern = m->pattern, .off = buffers[0], .diagonal = buffers[1]};
}

static void tune_on(const char *spec, int candidates) {
  csr_model model;
  dev_buffer *buffers[2];
  tune_linear_table first, second;
  csr_options o = {.preconditioner = CSR_JACOBI}, again = o, given = {.tuning = {.form = CSR_FORM_LOOP}};
  dev_context *device = open_device(spec);
  OK(csr_model_laplacian(6, true, &model, err));
  tune_matrix m = upload_model(device, &model, buffers);
  OK(tune_linear(device, &m, &(tune_linear_options){.seconds = 6.0}, &o, &first, err));
  assert_false(first.recalled);
  assert_true(first.n >= candidates);
  int best = 0;
  for (int i = 0; i < first.n; i++) {
    assert_true(first.rows[i].verdict != TUNE_WRONG && first.rows[i].verdict != TUNE_REFUSED);
    best += first.rows[i].verdict == TUNE_BEST;
  }
  assert_int_equal(best, 1);
  assert_int_equal(o.preconditioner, CSR_JACOBI);
  OK(tune_linear(device, &m, &(tune_linear_options){0}, &again, &second, err));
  assert_true(second.recalled && second.n == 0);
  assert_memory_equal(&again.tuning, &o.tuning, sizeof o.tuning);
  assert_int_equal(again.method, o.method);
  spoil("{}");
  OK(tune_linear(device, &m, &(tune_linear_options){.seconds = 1e-9}, &again, NULL, err));
  OK(tune_linear(device, &m, &(tune_linear_options){0}, &given, NULL, err));
  assert_int_equal(given.tuning.form, CSR_FORM_LOOP);
  assert_int_equal(given.tuning.row_waves, 0);
  tune_linear_clear(&first);
  tune_linear_clear(&second);
  dev_buffer_destroy(&buffers[0]);
  dev_buffer_destroy(&buffers[1]);
  csr_model_clear(&model);
  dev_context_destroy(&device);
}

static void linear(void **state) {
  (void)state;
  tune_on("cpu", 15);
  tune_on("c", 11);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(fastest_right_one),
                                     cmocka_unit_test(default_wins_ties),
                                     cmocka_unit_test(no_time),
                                     cmocka_unit_test(bad_default),
                                     cmocka_unit_test(store_without_memory),
                                     cmocka_unit_test(store),
                                     cmocka_unit_test(linear)};
  return cmocka_run_group_tests_name("tuning", tests, make_folder, remove_folder);
}
