/* Profiles: text there and back, what is refused, which one is asked, and candidates of a tuner that crash, hang or are wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "lua/case_file.h"
#include "profile/profile.h"
#include "tune/schedule_internal.h"

static char folder[] = "/tmp/test_profile-XXXXXX";

static const char *in_folder(const char *name) {
  static char path[512];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static const char *write_text(const char *name, const char *text) {
  const char *path = in_folder(name);
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
  return path;
}

static device_profile_entry entry(const char *scheme, int64_t cells, const char *date) {
  device_profile_entry e = {.of = {.cells = cells}, .n = 1};
  snprintf(e.of.scheme, sizeof e.of.scheme, "%s", scheme);
  snprintf(e.of.domain, sizeof e.of.domain, "mesh 2D 3");
  snprintf(e.of.text, sizeof e.of.text, "abc");
  snprintf(e.how.date, sizeof e.how.date, "%s", date);
  snprintf(e.set[0].name, sizeof e.set[0].name, "group");
  snprintf(e.set[0].value, sizeof e.set[0].value, "64");
  return e;
}

/* ---- text ---- */

static void what_is_written_is_read(void **state) {
  (void)state;
  device_profile p = {.device =
                          {.name = "A GPU", .platform = "P", .driver = "1.2", .kind = "gpu", .units = 7},
                      .roofs = {.triad_gbs = 100.5, .copy_gbs = 90, .fma_gflops = 1000, .launch_us = 2.5},
                      .probed = "2026-01-01T00:00:00Z"},
                 q;
  device_profile_entry e = entry("heat", 1000, "2026-01-02T00:00:00Z");
  snprintf(e.of.variants, sizeof e.of.variants, "a=b c=d");
  e.how.gain = 1.25;
  assert_int_equal(profile_put(&p, &e, NULL), EW_OK);
  assert_int_equal(profile_write(&p, in_folder("a.profile"), NULL), EW_OK);
  ew_error err = {0};
  assert_int_equal(profile_read(in_folder("a.profile"), &q, &err), EW_OK);
  assert_string_equal(q.device.name, "A GPU");
  assert_int_equal(q.device.units, 7);
  assert_float_equal(q.roofs.triad_gbs, 100.5, 1e-9);
  assert_int_equal(q.n_entries, 1);
  assert_string_equal(q.entry[0].of.variants, "a=b c=d");
  assert_string_equal(q.entry[0].of.domain, "mesh 2D 3");
  assert_int_equal(q.entry[0].of.cells, 1000);
  assert_float_equal(q.entry[0].how.gain, 1.25, 1e-9);
  assert_string_equal(q.entry[0].set[0].value, "64");
  profile_clear(&p);
  profile_clear(&q);
}

static void refused(const char *text, const char *said) {
  device_profile p;
  ew_error err = {0};
  assert_int_equal(profile_read(write_text("bad.profile", text), &p, &err), EW_INPUT);
  if (!strstr(err.text, said)) fail_msg("'%s' does not say '%s'", err.text, said);
  assert_int_equal(p.n_entries, 0);
}

static void bad_text_is_refused_with_its_line(void **state) {
  (void)state;
  refused("\nfaces\n", "bad.profile:2: a line of a profile reads  name = value, found 'faces'");
  refused("[devices]\n", "a section is [device], [roofs] or [scheme NAME on ...]");
  refused("[scheme heat]\n", "expected  [scheme NAME on mesh 2D 3]");
  refused("[roofs]\ntriad = fast\n", "expected a number, 0 or more, found 'fast'");
  refused("[roofs]\ntriad = -1\n", "0 or more");
  refused("[device]\ncolour = red\n", "this section has no such line, found 'colour'");
  char long_line[400] = "x = ";
  memset(long_line + 4, 'y', 300);
  refused(long_line, "expected something shorter");
}

static void what_is_no_regular_file_is_refused(void **state) {
  (void)state;
  device_profile p;
  assert_int_equal(profile_read("/dev/zero", &p, NULL), EW_INPUT);
  assert_int_equal(profile_read(folder, &p, NULL), EW_INPUT);
  assert_int_equal(profile_read(in_folder("nowhere"), &p, NULL), EW_IO);
}

/* ---- entries ---- */

static const dev_info GPU = {
    .type = DEV_GPU, .name = "A GPU", .platform = "P", .driver = "1", .compute_units = 7};

static void the_nearest_size_is_found(void **state) {
  (void)state;
  device_profile p = {0};
  const device_profile_entry small = entry("heat", 1000, "2026-01-01"),
                             large = entry("heat", 100000, "2026-01-01");
  profile_put(&p, &small, NULL);
  profile_put(&p, &large, NULL);
  profile_subject s = small.of;
  s.cells = 60000;
  assert_int_equal(profile_find(&p, &s, &GPU)->of.cells, 100000);
  s.cells = 3000;
  assert_int_equal(profile_find(&p, &s, &GPU)->of.cells, 1000);
  snprintf(s.variants, sizeof s.variants, "a=b");
  assert_null(profile_find(&p, &s, &GPU));
  profile_clear(&p);
}

/* What was measured upon a case's own settings is for cases with the same, in any order; what was measured upon none is for the others, too. */
static void entries_upon_own_settings_are_apart(void **state) {
  (void)state;
  device_profile p = {0};
  device_profile_entry plain = entry("heat", 1000, "2026-01-01"), upon = plain;
  profile_add_own(&upon.of, "items", "each");
  profile_add_own(&upon.of, "T.store", "float");
  snprintf(upon.set[0].value, sizeof upon.set[0].value, "128");
  profile_put(&p, &upon, NULL);
  assert_null(profile_find(&p, &plain.of, &GPU));
  profile_put(&p, &plain, NULL);
  assert_int_equal(p.n_entries, 2);
  profile_subject s = plain.of;
  assert_string_equal(profile_find(&p, &s, &GPU)->set[0].value, "64");
  profile_add_own(&s, "T.store", "float");
  assert_string_equal(profile_find(&p, &s, &GPU)->set[0].value, "64");
  assert_false(profile_same_own(&profile_find(&p, &s, &GPU)->of, &s));
  profile_add_own(&s, "items", "each");
  assert_string_equal(profile_find(&p, &s, &GPU)->set[0].value, "128");
  profile_clear(&p);
}

static void merging_keeps_what_is_later(void **state) {
  (void)state;
  device_profile a = {.device = {.name = "X", .platform = "P"}}, b = a;
  device_profile_entry old = entry("heat", 1000, "2026-01-01"), new = entry("heat", 1100, "2026-02-01"),
                       other = entry("wave", 1000, "2026-01-01");
  snprintf(new.set[0].value, sizeof new.set[0].value, "128");
  profile_put(&a, &new, NULL);
  profile_put(&b, &old, NULL);
  profile_put(&b, &other, NULL);
  int taken;
  assert_int_equal(profile_merge(&a, &b, &taken, NULL), EW_OK);
  assert_int_equal(taken, 1);
  assert_int_equal(a.n_entries, 2);
  assert_string_equal(profile_find(&a, &old.of, &GPU)->set[0].value, "128");
  snprintf(b.device.name, sizeof b.device.name, "Y");
  assert_int_equal(profile_merge(&a, &b, &taken, NULL), EW_INPUT);
  profile_clear(&a);
  profile_clear(&b);
}

/* ---- looking up ---- */

static void put_profile(const char *name, const device_profile_entry *e, unsigned units) {
  char path[512];
  device_profile p = {.device = {.name = "A GPU", .platform = "P", .kind = "gpu", .units = units}};
  assert_int_equal(profile_put(&p, e, NULL), EW_OK);
  snprintf(path, sizeof path, "%s/profiles", folder);
  mkdir(path, 0700);
  snprintf(path, sizeof path, "%s/profiles/%s", folder, name);
  assert_int_equal(profile_write(&p, path, NULL), EW_OK);
  profile_clear(&p);
}

static void stale_entries_are_refused_with_the_reason(void **state) {
  (void)state;
  device_profile_entry e = entry("heat", 1000, "2026-01-01");
  profile_found found;
  setenv("EDGEWISE_DATA_DIR", folder, 1);
  put_profile("x.profile", &e, 7);
  assert_true(profile_look_up(&GPU, &e.of, &found));
  assert_string_equal(found.entry.set[0].value, "64");
  assert_true(profile_knows(&GPU, "heat"));
  assert_false(profile_knows(&GPU, "hea"));
  profile_subject s = e.of;
  snprintf(s.text, sizeof s.text, "abd");
  assert_false(profile_look_up(&GPU, &s, &found));
  assert_non_null(strstr(found.why, "the scheme was changed since it was tuned"));
  s = e.of;
  s.cells = 17000;
  assert_false(profile_look_up(&GPU, &s, &found));
  assert_non_null(strstr(found.why, "tuned on 1000 cells, and this case has 17000"));
  dev_info more = GPU;
  more.compute_units = 8;
  assert_false(profile_look_up(&more, &e.of, &found));
  assert_non_null(strstr(found.why, "7 compute units, and has 8 now"));
  dev_info cpu = GPU;
  cpu.type = DEV_CPU;
  assert_false(profile_look_up(&cpu, &e.of, &found));
  assert_string_equal(found.why, "");
}

/* What was measured with one compiler may be slow with another: only a profile that names no platform is of all devices of a kind. */
static void another_platform_is_foreign(void **state) {
  (void)state;
  device_profile p = {.device = {.name = "A GPU", .platform = "P", .kind = "gpu", .units = 7}};
  dev_info info = GPU;
  assert_int_equal(profile_fits(&p, &info), PROFILE_SAME_DEVICE);
  info.name[0] = 'B';
  assert_int_equal(profile_fits(&p, &info), PROFILE_SAME_PLATFORM);
  info.platform[0] = 'Q';
  assert_int_equal(profile_fits(&p, &info), PROFILE_FOREIGN);
  p.device.platform[0] = '\0';
  assert_int_equal(profile_fits(&p, &info), PROFILE_SAME_KIND);
  info.type = DEV_CPU;
  assert_int_equal(profile_fits(&p, &info), PROFILE_FOREIGN);
}

/* A profile of `edgewise tune` is one that the compiler reads: its section, and no other. */
static void the_compiler_takes_the_section_of_its_scheme(void **state) {
  (void)state;
  static const char scheme[] =
      "scheme s on mesh(2) { state a @ cells  q @ cells = a*a*a  dt = 1 boundary w { ghost a = a[L] }\n"
      "  step { update a = q + 1 } }";
  const char *path = write_text("c.profile", "[device]\nname = X\n[scheme other on mesh 2D 3]\ngroup = 64\n"
                                             "[scheme s on mesh 2D 3]\n@text = 1\ngroup = 16\n"
                                             "[scheme s on mesh 2D 3]\n@with = items=each\ngroup = 128\n"
                                             "[scheme s on mesh 2D 3]\n@cells = 7\ngroup = 256\n"
                                             "[scheme s on mesh 2D 4]\ngroup = 32\n");
  const dslc_options o = {
      .path = "s.ew", .text = scheme, .profile = path, .faces_per_cell = 3, .n_rules = -1, .n_show = -1};
  dslc_program *p = NULL;
  dslc_messages *m = NULL;
  assert_int_equal(dslc_compile(&o, &p, &m), 0);
  assert_non_null(strstr(p->execution.source, "#define GROUP_update_a 256"));
  dslc_program_destroy(&p);
  dslc_messages_destroy(&m);
}

/* ---- processes ---- */

static ew_status work(void *data, void *result, ew_error *err) {
  const char *what = data;
  if (strcmp(what, "crash") == 0) abort();
  if (strcmp(what, "exit") == 0) _exit(3);
  if (strcmp(what, "hang") == 0)
    for (;;) pause();
  if (strcmp(what, "fail") == 0) return ew_fail(err, EW_INPUT, "it does not fit");
  *(int *)result = 42;
  return EW_OK;
}

static void whatever_a_candidate_does_the_tuner_lives(void **state) {
  (void)state;
  int n = 0;
  ew_error err = {0};
  assert_int_equal(tune_in_process(work, "good", (tune_patience){20, NULL}, &n, sizeof n, &err), EW_OK);
  assert_int_equal(n, 42);
  assert_int_equal(tune_in_process(work, "fail", (tune_patience){20, NULL}, &n, sizeof n, &err), EW_INPUT);
  assert_string_equal(err.text, "it does not fit");
  assert_int_equal(tune_in_process(work, "crash", (tune_patience){20, NULL}, &n, sizeof n, &err), EW_DEVICE);
  assert_non_null(strstr(err.text, "the process died: Aborted"));
  assert_int_equal(tune_in_process(work, "exit", (tune_patience){20, NULL}, &n, sizeof n, &err), EW_DEVICE);
  assert_non_null(strstr(err.text, "status 3"));
  assert_int_equal(tune_in_process(work, "hang", (tune_patience){0.3, NULL}, &n, sizeof n, &err), EW_DEVICE);
  assert_non_null(strstr(err.text, "still at work"));
}

typedef struct told {
  int before; /* requests that this process has answered */
} told;

static ew_status count(void *data, void **kept, const void *request, void *result, ew_error *err) {
  int ignored;
  if (!*kept) *kept = calloc(1, sizeof(told));
  ((told *)result)->before = ((told *)*kept)->before++;
  return work((void *)(strcmp(request, "as said") == 0 ? data : request), &ignored, err);
}

static void a_process_answers_until_it_ends(void **state) {
  (void)state;
  enum { WORD = 8 };
  char said[] = "good";
  tune_worker w = {0};
  told t = {0};
  ew_error err = {0};
  const tune_patience patience = {20, NULL}, short_one = {0.3, NULL};
  const tune_service s = {count, said, WORD, sizeof t};
  for (int i = 0; i < 3; i++) {
    assert_int_equal(tune_ask(&w, &s, "as said", patience, &t, &err), EW_OK);
    assert_int_equal(t.before, i);
    assert_int_equal(w.answered, i + 1);
  }
  assert_int_equal(tune_ask(&w, &s, "fail\0..", patience, &t, &err), EW_INPUT);
  assert_string_equal(err.text, "it does not fit");
  assert_int_equal(t.before, 3); /* an error is an answer */
  assert_int_equal(tune_ask(&w, &s, "crash\0.", patience, &t, &err), EW_DEVICE);
  assert_non_null(strstr(err.text, "the process died: Aborted"));
  assert_false(w.runs);
  assert_int_equal(tune_ask(&w, &s, "as said", patience, &t, &err), EW_OK);
  assert_int_equal(t.before, 0); /* another one */
  assert_int_equal(tune_ask(&w, &s, "hang\0..", short_one, &t, &err), EW_DEVICE);
  assert_non_null(strstr(err.text, "still at work"));
  assert_int_equal(tune_ask(&w, &s, "as said", patience, &t, &err), EW_OK);
  kill(w.process.pid, SIGKILL); /* between two requests */
  assert_int_equal(tune_ask(&w, &s, "as said", patience, &t, &err), EW_DEVICE);
  assert_false(w.runs);
  assert_int_equal(tune_ask(&w, &s, "as said", patience, &t, &err), EW_OK);
  tune_dismiss(&w);
  assert_false(w.runs);
}

/* ---- a search on plain C ---- */

static case_file *open_heat(void) {
  case_file *file = NULL;
  ew_error err = {0};
  const char *path = write_text(
      "heat.lua",
      "return case { scheme = 'heat', mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 40, ny = 40 },\n"
      "  initial = { T = function(x, y) return x end }, given = { power = 0 },\n"
      "  boundary = { { {'left', 'right', 'bottom', 'top'}, 'insulated' } }, time = { stop = 1e9 } }");
  const case_file_options o = {.path = path};
  if (case_file_create(&o, &file, &err) != EW_OK) fail_msg("%s", err.text);
  return file;
}

static void a_search_measures_what_is_right_only(void **state) {
  (void)state;
  case_file *file = open_heat();
  ew_error err = {0};
  tune_schedule_table t = {0};
  const tune_limits limits = {.seconds = 30, .candidates = 2};
  if (tune_schedule(case_file_get(file), "c", &limits, &t, &err) != EW_OK) fail_msg("%s", err.text);
  assert_in_range(t.n, 2, 5); /* the default, two candidates, and once more those that were faster than it */
  assert_string_equal(t.subject.scheme, "heat");
  assert_string_equal(t.subject.domain, "mesh 2D 3");
  assert_int_equal(t.subject.cells, 3200);
  for (int i = 0; i < t.n; i++) {
    assert_true(t.trial[i].verdict != TUNE_WRONG);
    assert_true(t.trial[i].seconds > 0 || t.trial[i].verdict == TUNE_REFUSED);
    assert_true(t.trial[i].predicted > 0);
  }
  assert_true(t.best == 0 || t.trial[t.best].gain >= 1.02);
  tune_schedule_clear(&t);
  case_file_destroy(&file);
}

/* Whatever else is said of it: another result is never timed. */
static void a_wrong_candidate_is_not_timed(void **state) {
  (void)state;
  case_file *file = open_heat();
  ew_error err = {0};
  exec_domain domain = {NULL, NULL};
  verify_result reference = {0};
  tune_times times;
  const profile_setting set = {"group", "64"};
  assert_int_equal(exec_domain_create(case_file_get(file), &domain, &err), EW_OK);
  const tune_bench b = {case_file_get(file), &domain, "c", 4, &reference, 1};
  assert_int_equal(tune_reference(&b, (tune_patience){60, NULL}, &reference, &err), EW_OK);
  dev_context *device = NULL;
  assert_int_equal(tune_measure(&b, &device, &set, 1, &times, &err), EW_OK);
  assert_true(times.right);
  assert_true(times.gain > 0);
  reference.field[0].value[17] += 1e-3;
  assert_int_equal(tune_measure(&b, &device, &set, 1, &times, &err), EW_OK);
  assert_false(times.right);
  assert_non_null(strstr(times.note, "number 17"));
  assert_true(times.gain == 0);
  dev_context_destroy(&device);
  verify_result_clear(&reference);
  exec_domain_clear(&domain);
  case_file_destroy(&file);
}

/* ---- where a search begins, and what it is held against ---- */

static void a_space_has_some_hundred_points_that_differ(void **state) {
  (void)state;
  const dev_info cpu = {.type = DEV_CPU, .language = DEV_OPENCL_C};
  for (int on = TUNE_CELLS; on <= TUNE_GRID; on++) {
    static tune_trial point[TUNE_TRIALS];
    int n = 0;
    while (n < TUNE_TRIALS && tune_point((tune_domain)on, &cpu, n, &point[n])) n++;
    assert_in_range(n, 100, 300);
    for (int i = 0; i < n; i++)
      for (int k = 0; k < i; k++)
        assert_true(memcmp(point[i].set, point[k].set, sizeof *point[i].set * (size_t)point[i].n) != 0);
  }
}

static void what_another_scheme_wanted_is_tried_first(void **state) {
  (void)state;
  static tune_session s;
  tune_schedule_table t = {.info = GPU};
  tune_trial start[TUNE_STARTS];
  device_profile_entry e = entry("wave", 1000, "2026-01-01");
  snprintf(e.set[1].name, sizeof e.set[1].name, "speed_of_wave");
  snprintf(e.set[1].value, sizeof e.set[1].value, "store");
  e.n = 2;
  setenv("EDGEWISE_DATA_DIR", folder, 1);
  put_profile("y.profile", &e, 7);
  snprintf(t.subject.domain, sizeof t.subject.domain, "mesh 3D 4");
  s.out = &t;
  s.n = 1;
  snprintf(s.move[0].name, sizeof s.move[0].name, "group");
  assert_true(tune_starts(&s, start, TUNE_STARTS) > 1);
  assert_int_equal(start[0].n, 1); /* without the equation that only the other scheme has */
  assert_string_equal(start[0].set[0].name, "group");
  assert_string_equal(start[0].set[0].value, "64");
  snprintf(t.subject.domain, sizeof t.subject.domain, "grid 2D");
  tune_starts(&s, start, TUNE_STARTS);
  assert_string_equal(start[0].set[0].name, "items");
}

/* ---- the model ---- */

static double predicted(case_file *file, tune_model *m, const profile_setting *set, int n) {
  ew_error err = {0};
  dslc_program *p = NULL;
  const tune_bench b = {.c = case_file_get(file), .domain = m->domain, .device = "c"};
  if (tune_compile(&b, set, n, m->info, &p, &err) != EW_OK) fail_msg("%s", err.text);
  const double seconds = tune_predict(m, p);
  dslc_program_destroy(&p);
  return seconds;
}

static case_file *open_large(const char *order) {
  char text[600];
  case_file *file = NULL;
  ew_error err = {0};
  snprintf(
      text, sizeof text,
      "return case { scheme = 'heat', mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 300, ny = 300,\n"
      "  order = '%s' }, initial = { T = 293 }, given = { power = 0 },\n"
      "  boundary = { { {'left', 'right', 'bottom', 'top'}, 'insulated' } }, time = { stop = 1e9 } }",
      order);
  const case_file_options o = {.path = write_text("large.lua", text)};
  if (case_file_create(&o, &file, &err) != EW_OK) fail_msg("%s", err.text);
  return file;
}

/* An H200 took 16 times as long where items take cells one after the other, and twice as long in patches of a mesh in strips. */
static void a_gpu_waits_for_items_that_take_cells_in_turn(void **state) {
  (void)state;
  const profile_setting loop = {"items", "loop"}, patch = {"faces", "patch"};
  const dev_rates rates = {.triad_gbs = 4000, .fma_gflops = 30000, .launch_us = 4};
  const dev_info gpu = {.type = DEV_GPU,
                        .language = DEV_OPENCL_C,
                        .compute_units = 132,
                        .local_bytes = 49152},
                 cpu = {.type = DEV_CPU, .language = DEV_OPENCL_C, .compute_units = 2, .local_bytes = 262144};
  double patches[2];
  for (int i = 0; i < 2; i++) {
    ew_error err = {0};
    exec_domain domain = {NULL, NULL};
    case_file *file = open_large(i ? "hilbert" : "rcm");
    assert_int_equal(exec_domain_create(case_file_get(file), &domain, &err), EW_OK);
    tune_model m = {.domain = &domain, .info = &gpu, .rates = &rates};
    const double base = predicted(file, &m, NULL, 0);
    patches[i] = predicted(file, &m, &patch, 1);
    assert_true(predicted(file, &m, &loop, 1) > 2 * base);
    m.info = &cpu;
    assert_true(predicted(file, &m, &loop, 1) < 1.1 * predicted(file, &m, NULL, 0));
    exec_domain_clear(&domain);
    case_file_destroy(&file);
  }
  assert_true(patches[0] > 1.2 * patches[1]); /* the same mesh, in strips and in compact pieces */
}

static double predicted_of(const char *text, const dev_info *info, const dev_rates *rates, const char *name,
                           const char *value) {
  ew_error err = {0};
  case_file *file = NULL;
  exec_domain domain = {NULL, NULL};
  profile_setting set = {0};
  const case_file_options o = {.path = write_text("small.lua", text)};
  if (case_file_create(&o, &file, &err) != EW_OK) fail_msg("%s", err.text);
  assert_int_equal(exec_domain_create(case_file_get(file), &domain, &err), EW_OK);
  tune_model m = {.domain = &domain, .info = info, .rates = rates};
  snprintf(set.name, sizeof set.name, "%s", name);
  snprintf(set.value, sizeof set.value, "%s", value);
  const double seconds = predicted(file, &m, &set, 1);
  exec_domain_clear(&domain);
  case_file_destroy(&file);
  return seconds;
}

/* What an H200 and two cores showed: a channel of SIMPLE-TS whose kernels ask at walls took 45 times as long, faces by colours twice as long as
 * stored fluxes; and what lies in the cache is not held by memory. */
static void the_model_knows_walls_colours_and_caches(void **state) {
  (void)state;
  static const char channel[] =
      "return case { scheme = 'simple_ts', mesh = mesh.grid { x = {0, 1}, nx = 400, y = {0, 1}, ny = 400 },\n"
      "  parameters = { Kn = 0.01 }, initial = { p = 1, T = 1, u = 0, v = 0 },\n"
      "  boundary = { { {'left', 'right', 'bottom', 'top'}, 'wall', T_w = 1, w = {0, 0} } }, time = { stop = "
      "1e9 } }";
  static const char lake[] =
      "return case { scheme = 'shallow_water', mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 300, ny "
      "= 300 },\n"
      "  initial = { h = 1, q = 0 }, given = { z = 0, n = 0 },\n"
      "  boundary = { { {'left', 'right', 'bottom', 'top'}, 'wall' } }, time = { stop = 1e9 } }";
  const dev_rates gpu_rates = {.triad_gbs = 4000, .fma_gflops = 30000, .launch_us = 4},
                  cached = {.triad_gbs = 30, .cached_gbs = 300, .fma_gflops = 1200};
  const dev_info gpu = {.type = DEV_GPU,
                        .language = DEV_OPENCL_C,
                        .compute_units = 132,
                        .local_bytes = 49152},
                 large = {.type = DEV_HOST, .language = DEV_C, .compute_units = 2, .cache_bytes = 1u << 30},
                 little = {.type = DEV_HOST, .language = DEV_C, .compute_units = 2, .cache_bytes = 1u << 20};
  assert_true(predicted_of(channel, &gpu, &gpu_rates, "grid.walls", "calls") >
              2 * predicted_of(channel, &gpu, &gpu_rates, "grid.walls", "tables"));
  assert_true(predicted_of(lake, &gpu, &gpu_rates, "faces", "scatter") >
              1.2 * predicted_of(lake, &gpu, &gpu_rates, "faces", "store"));
  assert_true(predicted_of(lake, &large, &cached, "faces", "store") <
              0.8 * predicted_of(lake, &little, &cached, "faces", "store"));
}

/* ---- drivers that compute wrongly ---- */

static const dev_fault *fault_met(case_file *file, const dev_info *info, const profile_setting *set, int n) {
  int kernel;
  ew_error err = {0};
  exec_domain domain = {NULL, NULL};
  dslc_program *p = NULL;
  const tune_bench b = {.c = case_file_get(file), .domain = &domain, .device = "c"};
  assert_int_equal(exec_domain_create(b.c, &domain, &err), EW_OK);
  if (tune_compile(&b, set, n, info, &p, &err) != EW_OK) fail_msg("%s", err.text);
  const dev_fault *fault = exec_known_fault(p, info, &kernel);
  dslc_program_destroy(&p);
  exec_domain_clear(&domain);
  return fault;
}

static void windows_by_items_are_refused_on_the_driver_that_gets_them_wrong(void **state) {
  (void)state;
  ew_error err = {0};
  case_file *file = NULL;
  const char *path = write_text(
      "box.lua",
      "return case { scheme = 'natural_convection', mesh = mesh.grid { x = {0, 1}, nx = 40, y = {0, 1}, ny = "
      "40 },\n"
      "  parameters = { Ra = 1e4, step_size = 1e-3 }, initial = { u = 0, v = 0, p = 0, T = 0 },\n"
      "  boundary = { { {'left', 'right'}, 'held', Tw = 0.5 }, { {'bottom', 'top'}, 'insulated' } },\n"
      "  time = { stop = 1 } }");
  const case_file_options o = {.path = path};
  if (case_file_create(&o, &file, &err) != EW_OK) fail_msg("%s", err.text);
  const profile_setting set[] = {{"grid.window", "auto"}, {"items", "each"}};
  const dev_info intel = {.type = DEV_CPU, .language = DEV_OPENCL_C, .platform = "Intel(R) OpenCL"},
                 other = {.type = DEV_CPU, .language = DEV_OPENCL_C, .platform = "Portable"};
  assert_non_null(fault_met(file, &intel, set, 2));
  assert_null(fault_met(file, &intel, set, 1)); /* loops, the default there */
  assert_null(fault_met(file, &intel, NULL, 0));
  assert_null(fault_met(file, &other, set, 2));
  case_file_destroy(&file);
}

/* A short scheme, whose functions near walls are millions where each call has its own. */
static void what_a_driver_would_copy_too_often_is_refused(void **state) {
  (void)state;
  ew_error err = {0};
  case_file *file = NULL;
  write_text("pile.ew",
             "scheme pile on grid(3) {\n"
             "  state s @ cells\n"
             "  a @ cells = 0.5*s[i-1,j,k-1] + 0.1*t\n"
             "  b @ cells = sin(a[i-1,j+1,k+1])\n"
             "  dt = 0.1\n"
             "  step {\n"
             "    integrate s' = 0.5*b[i+1,j-1,k+1] by heun over dt\n"
             "  }\n"
             "  boundary r across x { ghost s = 0.9*s[inner]  ghost a = 0.5  ghost b = 0.9*b[mirror] }\n"
             "  boundary r across y { ghost s = 0.5  ghost a = -a[mirror]  ghost b = 0.9*b[mirror] }\n"
             "  boundary r across z { ghost s = 0.9*s[mirror]  ghost a = -a[mirror]  ghost b = "
             "0.9*b.prev[mirror] }\n"
             "}\n");
  const char *path =
      write_text("pile.lua", "return case { scheme = 'pile.ew', mesh = mesh.grid { x = {0, 1}, y = {0, 1}, z "
                             "= {0, 1}, nx = 3, ny = 3, nz = 3 },\n"
                             "  initial = { s = 1 }, boundary = { { {'left', 'right', 'bottom', 'top', "
                             "'back', 'front'}, 'r' } }, time = { steps = 1 } }");
  const case_file_options o = {.path = path};
  if (case_file_create(&o, &file, &err) != EW_OK) fail_msg("%s", err.text);
  const dev_info pocl = {.type = DEV_CPU,
                         .language = DEV_OPENCL_C,
                         .platform = "Portable Computing Language"},
                 other = {.type = DEV_CPU, .language = DEV_OPENCL_C, .platform = "Portable"};
  assert_non_null(fault_met(file, &pocl, NULL, 0));
  assert_null(fault_met(file, &other, NULL, 0));
  case_file_destroy(&file);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_written_is_read),
      cmocka_unit_test(bad_text_is_refused_with_its_line),
      cmocka_unit_test(what_is_no_regular_file_is_refused),
      cmocka_unit_test(the_nearest_size_is_found),
      cmocka_unit_test(entries_upon_own_settings_are_apart),
      cmocka_unit_test(merging_keeps_what_is_later),
      cmocka_unit_test(stale_entries_are_refused_with_the_reason),
      cmocka_unit_test(another_platform_is_foreign),
      cmocka_unit_test(the_compiler_takes_the_section_of_its_scheme),
      cmocka_unit_test(whatever_a_candidate_does_the_tuner_lives),
      cmocka_unit_test(a_process_answers_until_it_ends),
      cmocka_unit_test(a_space_has_some_hundred_points_that_differ),
      cmocka_unit_test(what_another_scheme_wanted_is_tried_first),
      cmocka_unit_test(a_search_measures_what_is_right_only),
      cmocka_unit_test(a_wrong_candidate_is_not_timed),
      cmocka_unit_test(a_gpu_waits_for_items_that_take_cells_in_turn),
      cmocka_unit_test(the_model_knows_walls_colours_and_caches),
      cmocka_unit_test(windows_by_items_are_refused_on_the_driver_that_gets_them_wrong),
      cmocka_unit_test(what_a_driver_would_copy_too_often_is_refused)};
  if (!mkdtemp(folder)) return 1;
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  char command[64];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  return system(command) == 0 ? failed : 1;
}
