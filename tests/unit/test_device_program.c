/* Building programs: the binary cache in good and bad weather, and what a build error tells. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/cache.h"
#include "device/device.h"

static const char *const cl_source = "__kernel void answer(__global int *y) { y[0] = ANSWER; }\n";
static const char *const c_source =
    "void answer(void *const *args, long n) { (void)n; *(int *)args[0] = ANSWER; }\n";
/* EDGEWISE_TEST_DEVICE replaces the OpenCL device. */
static const char *specs[] = {"cpu", "c", "c-openmp"};

#define OK(call) assert_int_equal((call), EW_OK)
#define CONTAINS(text, part)                                                                                 \
  do {                                                                                                       \
    if (!strstr(text, part)) fail_msg("'%s' lacks '%s'", text, part);                                        \
  } while (0)

static dev_context *open_device(const char *spec) {
  dev_context *ctx = NULL;
  ew_error err = {EW_OK, ""};
  if (dev_context_create(spec, &ctx, &err) != EW_OK) fail_msg("%s: %s", spec, err.text);
  return ctx;
}

/* Builds and runs; returns what the kernel answers. */
static int answer(const char *spec, const char *options, bool *from_cache, ew_error *err) {
  dev_context *ctx = NULL;
  dev_program *program = NULL;
  dev_kernel *k = NULL;
  dev_buffer *y = NULL;
  int value = -1;
  ew_status status = EW_OK;
  EW_CHECK(dev_context_create(spec, &ctx, err));
  const char *source = dev_get_language(ctx) == DEV_OPENCL_C ? cl_source : c_source;
  EW_CHECK(dev_program_create(ctx, "answer", source, options, &program, err));
  EW_CHECK(dev_kernel_create(program, "answer", &k, err));
  EW_CHECK(dev_buffer_create(ctx, "y", sizeof value, &y, err));
  EW_CHECK(dev_kernel_set_buffer(k, 0, y, err));
  EW_CHECK(dev_kernel_launch(k, 1, 1, err));
  EW_CHECK(dev_buffer_read(y, 0, sizeof value, &value, err));
  if (from_cache) *from_cache = dev_program_from_cache(program);
cleanup:
  dev_kernel_destroy(&k);
  dev_program_destroy(&program);
  dev_buffer_destroy(&y);
  dev_context_destroy(&ctx);
  return status == EW_OK ? value : -1;
}

static void expect(const char *spec, const char *options, int value, bool cached) {
  bool from_cache = false;
  ew_error err = {EW_OK, ""};
  int got = answer(spec, options, &from_cache, &err);
  if (got != value) fail_msg("%s: %d instead of %d %s", spec, got, value, err.text);
  if (from_cache != cached) fail_msg("%s %s: %s the cache", spec, options, from_cache ? "from" : "not from");
}

/* ---- A fresh cache folder for each test ---- */

static char folder[64];

static int setup(void **state) {
  (void)state;
  snprintf(folder, sizeof folder, "/tmp/edgewise-test-program-XXXXXX");
  unsetenv("EDGEWISE_CACHE");
  return mkdtemp(folder) && setenv("EDGEWISE_CACHE_DIR", folder, 1) == 0 ? 0 : 1;
}

static int teardown(void **state) {
  (void)state;
  char command[128];
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  return system(command);
}

/* Number of files in the cache; `path` receives the last *.bin. */
static int cache_files(char path[PATH_MAX]) {
  int count = 0;
  DIR *dir = opendir(folder);
  assert_non_null(dir);
  for (struct dirent *e = readdir(dir); e; e = readdir(dir)) {
    if (e->d_name[0] == '.') continue;
    snprintf(path, PATH_MAX, "%s/%s", folder, e->d_name);
    count++;
  }
  closedir(dir);
  return count;
}

static void test_hit_and_miss(void **state) {
  (void)state;
  char path[PATH_MAX];
  for (int i = 0; i < 3; i++) {
    expect(specs[i], "-DANSWER=41", 41, false);
    expect(specs[i], "-DANSWER=41", 41, true);
    expect(specs[i], "-DANSWER=42", 42, false);
    expect(specs[i], "-DANSWER=41", 41, true);
  }
  assert_int_equal(cache_files(path), 6);
}

/* bytes: "~" for the complement of the one that is there. */
static void overwrite(const char *path, long offset, const char *bytes, long truncate_to) {
  FILE *file = fopen(path, "r+");
  assert_non_null(file);
  assert_int_equal(fseek(file, offset, offset < 0 ? SEEK_END : SEEK_SET), 0);
  const int there = fgetc(file); /* what is written must not stand there already */
  assert_int_equal(fseek(file, offset, offset < 0 ? SEEK_END : SEEK_SET), 0);
  assert_true(*bytes == '~' ? fputc(~there & 0xff, file) >= 0 : fputs(bytes, file) >= 0);
  assert_int_equal(fclose(file), 0);
  if (truncate_to >= 0) assert_int_equal(truncate(path, truncate_to), 0);
}

static void test_rubbish(void **state) {
  (void)state;
  char path[PATH_MAX];
  for (int i = 0; i < 2; i++) {
    expect(specs[i], "-DANSWER=5", 5, false);
    assert_int_equal(cache_files(path), 1);
    const struct {
      long offset;
      const char *bytes;
      long truncate_to;
    } damage[] = {{0, "rubbish", 7}, {0, "", 0},     {100, "#!?", -1},
                  {-4, "#!?", -1},   {-40, "~", -1}, {0, "", 200}};
    for (size_t d = 0; d < sizeof damage / sizeof *damage; d++) {
      overwrite(path, damage[d].offset, damage[d].bytes, damage[d].truncate_to);
      expect(specs[i], "-DANSWER=5", 5, false);
      expect(specs[i], "-DANSWER=5", 5, true);
    }
    OK(unlink(path));
  }
}

/* A file that is sound as a cache entry, but whose payload no driver can load. */
static void test_sound_entry_with_bad_payload(void **state) {
  (void)state;
  char path[PATH_MAX], payload[] = "this is no binary at all, whatever the checksum says";
  for (int i = 0; i < 2; i++) {
    expect(specs[i], "-DANSWER=6", 6, false);
    assert_int_equal(cache_files(path), 1);
    dev_cache_key key;
    const char *hex = strrchr(path, '/') + 1;
    for (size_t b = 0; b < sizeof key.hash; b++) {
      unsigned byte = 0;
      assert_int_equal(sscanf(hex + 2 * b, "%2x", &byte), 1);
      key.hash[b] = (unsigned char)byte;
    }
    cache_store(&key, &(dev_blob){payload, sizeof payload});
    dev_blob back;
    char where[PATH_MAX];
    assert_true(cache_load(&key, &back, where, sizeof where));
    assert_int_equal(back.size, sizeof payload);
    free(back.data);
    expect(specs[i], "-DANSWER=6", 6, false);
    expect(specs[i], "-DANSWER=6", 6, true);
    OK(unlink(path));
  }
}

static void test_no_cache(void **state) {
  (void)state;
  char path[PATH_MAX];
  for (int i = 0; i < 2; i++) {
    setenv("EDGEWISE_CACHE", "off", 1);
    expect(specs[i], "-DANSWER=7", 7, false);
    expect(specs[i], "-DANSWER=7", 7, false);
    unsetenv("EDGEWISE_CACHE");
    assert_int_equal(cache_files(path), 0);
    setenv("EDGEWISE_CACHE_DIR", "/dev/null/not/a/folder", 1);
    expect(specs[i], "-DANSWER=7", 7, false);
    setenv("EDGEWISE_CACHE_DIR", folder, 1);
  }
}

static void test_cache_dir(void **state) {
  (void)state;
  char dir[256], tiny[4];
  assert_true(dev_cache_dir(dir, sizeof dir));
  assert_string_equal(dir, folder);
  assert_false(dev_cache_dir(tiny, sizeof tiny));
  unsetenv("EDGEWISE_CACHE_DIR");
  setenv("XDG_CACHE_HOME", "/x", 1);
  assert_true(dev_cache_dir(dir, sizeof dir));
  assert_string_equal(dir, "/x/edgewise");
  unsetenv("XDG_CACHE_HOME");
  char *home = getenv("HOME") ? strdup(getenv("HOME")) : NULL;
  setenv("HOME", "/h", 1);
  assert_true(dev_cache_dir(dir, sizeof dir));
  assert_string_equal(dir, "/h/.cache/edgewise");
  if (home) setenv("HOME", home, 1);
  free(home);
}

/* ---- Eight processes at once: exec, because a fork of a process with driver threads is of no use; and as
 * the first test, because children of a process that has opened NVIDIA's driver (580) do not find the device
 * ---- */

static const char *self;

/* With a cache of PoCL's for each: its files are not safe from each other (3.1), ours are what is tested here. */
static pid_t start_child(const char *spec, int number) {
  pid_t pid = 0;
  char pocl[96], *argv[] = {(char *)self, "child", (char *)spec, NULL};
  const char *outer = getenv("POCL_CACHE_DIR");
  char *kept = outer ? strdup(outer) : NULL;
  snprintf(pocl, sizeof pocl, "%s/.pocl%d", folder, number);
  setenv("POCL_CACHE_DIR", pocl, 1);
  assert_int_equal(posix_spawn(&pid, self, NULL, NULL, argv, environ), 0);
  if (kept) setenv("POCL_CACHE_DIR", kept, 1);
  else unsetenv("POCL_CACHE_DIR");
  free(kept);
  return pid;
}

static int child(const char *spec) {
  ew_error err = {EW_OK, ""};
  for (int value = 1; value <= 3; value++) {
    char options[32];
    snprintf(options, sizeof options, "-DANSWER=%d", value);
    int got = answer(spec, options, NULL, &err);
    if (got != value) return fprintf(stderr, "child on %s: %d, %s\n", spec, got, err.text), 1;
  }
  return 0;
}

static void test_concurrent_processes(void **state) {
  (void)state;
  char path[PATH_MAX], hits[32];
  pid_t pids[8];
  for (int i = 0; i < 8; i++) pids[i] = start_child(specs[i % 2], i);
  for (int i = 0; i < 8; i++) {
    int result = -1;
    assert_int_equal(waitpid(pids[i], &result, 0), pids[i]);
    assert_int_equal(result, 0);
  }
  assert_int_equal(cache_files(path), 6); /* and no temporary file left */
  for (int value = 1; value <= 3; value++) {
    snprintf(hits, sizeof hits, "-DANSWER=%d", value);
    expect(specs[0], hits, value, true);
    expect("c", hits, value, true);
  }
}

/* ---- Build errors ---- */

static void test_build_error(void **state) {
  (void)state;
  for (int i = 0; i < 3; i++) {
    dev_context *ctx = open_device(specs[i]);
    dev_program *program = NULL;
    ew_error err = {EW_OK, ""};
    const char *source = i == 0 ? "__kernel void f(void) {\n  undeclared = 1;\n}\n"
                                : "void f(void *const *args, long n) {\n  undeclared = 1;\n}\n";
    char copy[256] = "", path[PATH_MAX];
    assert_int_equal(dev_program_create(ctx, "broken", source, "-DWHY=1", &program, &err), EW_DEVICE);
    assert_null(program);
    CONTAINS(err.text, "program 'broken' does not build on");
    CONTAINS(err.text, dev_name(ctx));
    CONTAINS(err.text, "options: -DWHY=1");
    CONTAINS(err.text, "undeclared");
    CONTAINS(err.text, ":2:");
    CONTAINS(dev_build_log(ctx), "undeclared");
    CONTAINS(err.text, dev_build_source_path(ctx));
    snprintf(path, sizeof path, "%s", dev_build_source_path(ctx));
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fread(copy, 1, sizeof copy - 1, file), strlen(source));
    fclose(file);
    assert_string_equal(copy, source);
    unlink(path);
    /* The next build forgets them. */
    OK(dev_program_create(ctx, "good", i == 0 ? cl_source : c_source, "-DANSWER=1", &program, &err));
    assert_string_equal(dev_build_source_path(ctx), "");
    assert_int_equal(dev_get_stats(ctx).programs_built, 1);
    dev_program_destroy(&program);
    dev_context_destroy(&ctx);
  }
}

static void test_compiler_from_environment(void **state) {
  (void)state;
  dev_context *ctx = NULL;
  ew_error err = {EW_OK, ""};
  setenv("CC", "  cc -DANSWER=9 ", 1);
  expect("c", "", 9, false);
  setenv("CC", "cc -DANSWER=10", 1);
  expect("c", "", 10, false);
  setenv("CC", "/nonexistent/compiler", 1);
  assert_int_equal(dev_context_create("c", &ctx, &err), EW_DEVICE);
  CONTAINS(err.text, "'/nonexistent/compiler --version' does not run");
  CONTAINS(err.text, "Debian package gcc");
  unsetenv("CC");
}

int main(int argc, char **argv) {
  if (getenv("EDGEWISE_TEST_DEVICE")) specs[0] = getenv("EDGEWISE_TEST_DEVICE");
  if (argc == 3 && strcmp(argv[1], "child") == 0) return child(argv[2]);
  self = argv[0];
  unsetenv("CC");
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
  const struct CMUnitTest tests[] = {
      TEST(test_concurrent_processes),
      TEST(test_hit_and_miss),
      TEST(test_rubbish),
      TEST(test_no_cache),
      TEST(test_sound_entry_with_bad_payload),
      TEST(test_cache_dir),
      TEST(test_build_error),
      TEST(test_compiler_from_environment),
  };
  return cmocka_run_group_tests_name("device_program", tests, NULL, NULL);
}
