/* The device layer on both back ends: what it computes, what it refuses and in which words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/backend.h"
#include "device/cl_internal.h"

static const char *const cl_source =
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    "__kernel void add(__global const double *x, __global double *y, double s, long shift, int n) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i < n) y[i] = x[i] + s * (double)(i + shift);\n"
    "}\n"
    "__kernel void count(__global int *counter, int n) { if ((int)get_global_id(0) < n) atomic_inc(counter); "
    "}\n"
    "__kernel void grid(__global double *y, int nx, int ny) {\n"
    "  int i = get_global_id(0), j = get_global_id(1);\n"
    "  if (i < nx && j < ny) y[j * nx + i] = 10.0 * j + i;\n"
    "}\n"
    "__kernel __attribute__((reqd_work_group_size(16, 1, 1))) void groups(__global int *y, int n) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i < n) y[i] = get_local_size(0);\n"
    "}\n"
    "__kernel void reverse(__global double *y, __local double *block) {\n"
    "  int i = get_local_id(0), n = get_local_size(0);\n"
    "  block[i] = y[i];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  y[i] = block[n - 1 - i];\n"
    "}\n";

static const char *const c_source =
    "void add(void *const *args, long n) {\n"
    "  const double *x = args[0];\n"
    "  double *y = args[1], s = *(const double *)args[2];\n"
    "  long shift = *(const long *)args[3];\n"
    "  if (n != *(const int *)args[4]) return;\n"
    "#pragma omp parallel for\n"
    "  for (long i = 0; i < n; i++) y[i] = x[i] + s * (double)(i + shift);\n"
    "}\n"
    "void count(void *const *args, long n) { *(int *)args[0] += (int)n; }\n"
    "void grid(void *const *args, long n) {\n"
    "  double *y = args[0];\n"
    "  int nx = *(const int *)args[1];\n"
    "  for (long k = 0; k < n; k++) y[k] = 10.0 * (double)(k / nx) + (double)(k % nx);\n"
    "}\n";

/* EDGEWISE_TEST_DEVICE replaces the OpenCL device. */
static const char *specs[] = {"cpu", "c", "c-openmp"};

static dev_context *open_device(const char *spec) {
  dev_context *ctx = NULL;
  ew_error err = {EW_OK, ""};
  if (dev_context_create(spec, &ctx, &err) != EW_OK) fail_msg("%s: %s", spec, err.text);
  return ctx;
}

static dev_program *build(dev_context *ctx) {
  dev_program *program = NULL;
  ew_error err = {EW_OK, ""};
  const char *source = dev_get_language(ctx) == DEV_OPENCL_C ? cl_source : c_source;
  if (dev_program_create(ctx, "basics", source, "-DSOME=1", &program, &err) != EW_OK)
    fail_msg("%s", err.text);
  return program;
}

static dev_kernel *kernel_of(dev_program *program, const char *name) {
  dev_kernel *kernel = NULL;
  ew_error err = {EW_OK, ""};
  if (dev_kernel_create(program, name, &kernel, &err) != EW_OK) fail_msg("%s", err.text);
  return kernel;
}

static dev_buffer *buffer_of(dev_context *ctx, const char *name, uint64_t bytes) {
  dev_buffer *buffer = NULL;
  ew_error err = {EW_OK, ""};
  if (dev_buffer_create(ctx, name, bytes, &buffer, &err) != EW_OK) fail_msg("%s", err.text);
  return buffer;
}

#define OK(call) assert_int_equal((call), EW_OK)
#define CONTAINS(text, part)                                                                                 \
  do {                                                                                                       \
    if (!strstr(text, part)) fail_msg("'%s' lacks '%s'", text, part);                                        \
  } while (0)

/* ---- Computing ---- */

enum { items = 1003 }; /* no multiple of any group size */

static void add_on(const char *spec, size_t local) {
  dev_context *ctx = open_device(spec);
  dev_program *program = build(ctx);
  dev_kernel *k = kernel_of(program, "add");
  dev_buffer *x = buffer_of(ctx, "x", 8 * items), *y = buffer_of(ctx, "y", 8 * items + 8);
  double in[items], out[items + 1];
  for (int i = 0; i < items; i++) in[i] = 0.5 * i;
  OK(dev_buffer_write(x, 0, sizeof in, in, NULL));
  OK(dev_kernel_set_buffer(k, 0, x, NULL));
  OK(dev_kernel_set_buffer(k, 1, y, NULL));
  OK(dev_kernel_set_f64(k, 2, 0.25, NULL));
  OK(dev_kernel_set_i64(k, 3, INT64_C(1) << 40, NULL));
  OK(dev_kernel_set_i32(k, 4, items, NULL));
  OK(dev_kernel_launch(k, items, local, NULL));
  OK(dev_buffer_read(y, 0, sizeof out, out, NULL));
  for (int i = 0; i < items; i++) assert_true(out[i] == in[i] + 0.25 * (double)(i + (INT64_C(1) << 40)));
  assert_true(out[items] == 0.0);
  dev_kernel_destroy(&k);
  dev_program_destroy(&program);
  dev_buffer_destroy(&x);
  dev_buffer_destroy(&y);
  dev_context_destroy(&ctx);
  assert_null(ctx);
}

static void test_add(void **state) {
  (void)state;
  for (size_t i = 0; i < 3; i++) {
    add_on(specs[i], 0);
    add_on(specs[i], i == 0 ? 64 : 1);
  }
}

/* The same kernel with its buffers exchanged, and with a buffer made where another was freed. */
static void test_swap_and_reuse(void **state) {
  (void)state;
  for (size_t s = 0; s < 3; s++) {
    dev_context *ctx = open_device(specs[s]);
    dev_program *program = build(ctx);
    dev_kernel *k = kernel_of(program, "add");
    dev_program_destroy(&program); /* the kernel keeps it alive */
    dev_buffer *x = buffer_of(ctx, "x", 8), *y = buffer_of(ctx, "y", 8);
    double value = 1.0;
    OK(dev_buffer_write(x, 0, 8, &value, NULL));
    OK(dev_kernel_set_f64(k, 2, 1.0, NULL));
    OK(dev_kernel_set_i64(k, 3, 1, NULL));
    OK(dev_kernel_set_i32(k, 4, 1, NULL));
    for (int step = 0; step < 5; step++) {
      OK(dev_kernel_set_buffer(k, 0, step % 2 ? y : x, NULL));
      OK(dev_kernel_set_buffer(k, 1, step % 2 ? x : y, NULL));
      OK(dev_kernel_launch(k, 1, 0, NULL));
    }
    OK(dev_buffer_read(y, 0, 8, &value, NULL));
    assert_true(value == 6.0);
    OK(dev_finish(ctx, NULL));
    dev_buffer_destroy(&x);
    x = buffer_of(ctx, "fresh", 8);
    OK(dev_kernel_set_buffer(k, 0, x, NULL));
    OK(dev_kernel_set_buffer(k, 1, y, NULL));
    OK(dev_kernel_launch(k, 1, 0, NULL));
    OK(dev_buffer_read(y, 0, 8, &value, NULL));
    assert_true(value == 1.0);
    dev_kernel_destroy(&k);
    dev_buffer_destroy(&x);
    dev_buffer_destroy(&y);
    dev_context_destroy(&ctx);
  }
}

static void test_launch_counts_items_once(void **state) {
  (void)state;
  for (size_t s = 0; s < 3; s++) {
    dev_context *ctx = open_device(specs[s]);
    dev_program *program = build(ctx);
    dev_kernel *k = kernel_of(program, "count");
    dev_buffer *counter = buffer_of(ctx, "counter", 4);
    const int sizes[] = {0, 1, 63, 64, 65, 1000, 4097};
    int total = 0, got = -1;
    OK(dev_kernel_set_buffer(k, 0, counter, NULL));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
      OK(dev_kernel_set_i32(k, 1, sizes[i], NULL));
      OK(dev_kernel_launch(k, (uint64_t)sizes[i], i % 2 && s == 0 ? 32 : 0, NULL));
      total += sizes[i];
    }
    OK(dev_buffer_read(counter, 0, 4, &got, NULL));
    assert_int_equal(got, total);
    assert_int_equal(dev_get_stats(ctx).launches, 6); /* none for the empty one */
    dev_kernel_destroy(&k);
    dev_program_destroy(&program);
    dev_buffer_destroy(&counter);
    dev_context_destroy(&ctx);
  }
}

static void test_two_dimensions(void **state) {
  (void)state;
  for (size_t s = 0; s < 3; s++) {
    dev_context *ctx = open_device(specs[s]);
    dev_program *program = build(ctx);
    dev_kernel *k = kernel_of(program, "grid");
    dev_buffer *y = buffer_of(ctx, "y", 7 * 5 * 8);
    double out[35];
    OK(dev_kernel_set_buffer(k, 0, y, NULL));
    OK(dev_kernel_set_i32(k, 1, 7, NULL));
    OK(dev_kernel_set_i32(k, 2, 5, NULL));
    OK(dev_kernel_launch_nd(k, 2, (uint64_t[]){7, 0}, (size_t[]){0, 0}, NULL));
    OK(dev_kernel_launch_nd(k, 2, (uint64_t[]){7, 5}, (size_t[]){4, 2}, NULL));
    OK(dev_buffer_read(y, 0, sizeof out, out, NULL));
    for (int i = 0; i < 35; i++) assert_true(out[i] == 10.0 * (i / 7) + i % 7);
    assert_int_equal(dev_kernel_launch_nd(k, 4, (uint64_t[]){1, 1, 1, 1}, (size_t[]){0, 0, 0, 0}, NULL),
                     EW_INTERNAL);
    dev_kernel_destroy(&k);
    dev_program_destroy(&program);
    dev_buffer_destroy(&y);
    dev_context_destroy(&ctx);
  }
}

static void test_required_group_and_local_memory(void **state) {
  (void)state;
  dev_context *ctx = open_device(specs[0]);
  dev_program *program = build(ctx);
  dev_kernel *groups = kernel_of(program, "groups"), *reverse = kernel_of(program, "reverse");
  dev_buffer *sizes = buffer_of(ctx, "sizes", 4 * 35), *y = buffer_of(ctx, "y", 8 * 4);
  int group[35];
  double four[4] = {1, 2, 3, 4};
  OK(dev_kernel_set_buffer(groups, 0, sizes, NULL));
  OK(dev_kernel_set_i32(groups, 1, 35, NULL));
  OK(dev_kernel_launch(groups, 35, 0, NULL));
  OK(dev_buffer_read(sizes, 0, sizeof group, group, NULL));
  for (int i = 0; i < 35; i++) assert_int_equal(group[i], 16);
  OK(dev_buffer_write(y, 0, sizeof four, four, NULL));
  OK(dev_kernel_set_buffer(reverse, 0, y, NULL));
  OK(dev_kernel_set_local(reverse, 1, sizeof four, NULL));
  OK(dev_kernel_launch(reverse, 4, 4, NULL));
  OK(dev_buffer_read(y, 0, sizeof four, four, NULL));
  for (int i = 0; i < 4; i++) assert_true(four[i] == 4 - i);
  dev_kernel_destroy(&groups);
  dev_kernel_destroy(&reverse);
  dev_program_destroy(&program);
  dev_buffer_destroy(&sizes);
  dev_buffer_destroy(&y);
  dev_context_destroy(&ctx);
}

/* ---- Buffers ---- */

static void buffers_on(const char *spec) {
  dev_context *ctx = open_device(spec);
  dev_buffer *a = buffer_of(ctx, "a", 100), *b = buffer_of(ctx, "b", 100), *none = buffer_of(ctx, "none", 0);
  unsigned char data[100], got[100];
  dev_event *event = NULL;
  ew_error err = {EW_OK, ""};
  OK(dev_buffer_read(a, 0, 100, got, NULL));
  for (int i = 0; i < 100; i++) assert_int_equal(got[i], 0);
  for (int i = 0; i < 100; i++) data[i] = (unsigned char)(i + 1);
  OK(dev_buffer_write_begin(a, 10, 80, data + 10, &event, NULL));
  OK(dev_event_wait(&event, NULL));
  assert_null(event);
  OK(dev_buffer_copy(b, 0, a, 10, 80, NULL));
  OK(dev_buffer_fill(b, 80, 20, &(uint32_t){0x01020304}, 4, NULL));
  OK(dev_buffer_read_begin(b, 0, 100, got, &event, NULL));
  OK(dev_event_wait(&event, NULL));
  OK(dev_event_wait(&event, NULL));
  assert_memory_equal(got, data + 10, 80);
  for (int i = 80; i < 100; i++) assert_int_equal(got[i], 4 - i % 4);
  OK(dev_buffer_write(none, 0, 0, data, NULL));
  assert_int_equal(dev_buffer_write(none, 0, 1, data, &err), EW_INTERNAL);
  assert_int_equal(dev_buffer_read(a, 99, 2, got, &err), EW_INTERNAL);
  CONTAINS(err.text, "'a'");
  assert_int_equal(dev_buffer_read(a, UINT64_MAX, 2, got, &err), EW_INTERNAL);
  assert_int_equal(dev_buffer_copy(a, 0, a, 10, 20, &err), EW_INTERNAL);
  assert_int_equal(dev_buffer_fill(a, 2, 4, data, 4, &err), EW_INTERNAL);
  assert_int_equal(dev_buffer_fill(a, 0, 3, data, 3, &err), EW_INTERNAL);
  dev_stats s = dev_get_stats(ctx);
  assert_int_equal(s.bytes_to_device, 80);
  assert_int_equal(s.transfers_to_device, 1);
  assert_int_equal(s.bytes_to_host, 200);
  assert_int_equal(s.transfers_to_host, 2);
  dev_buffer_destroy(&b);
  s = dev_get_stats(ctx);
  assert_int_equal(s.device_bytes, 100);
  assert_int_equal(s.peak_device_bytes, 200);
  dev_buffer_destroy(&a);
  dev_buffer_destroy(&a);
  dev_buffer_destroy(&none);
  OK(dev_buffer_upload(ctx, "a copy", data, 100, &a, NULL));
  OK(dev_buffer_upload(ctx, "nothing", NULL, 0, &none, NULL));
  OK(dev_buffer_read(a, 0, 100, got, NULL));
  assert_memory_equal(got, data, 100);
  assert_int_equal(dev_buffer_bytes(none), 0);
  dev_buffer_destroy(&a);
  dev_buffer_destroy(&none);
  dev_context_destroy(&ctx);
}

static void test_buffers(void **state) {
  (void)state;
  buffers_on(specs[0]);
  buffers_on("c");
}

static void test_allocation_failure(void **state) {
  (void)state;
  for (size_t s = 0; s < 2; s++) {
    dev_context *ctx = open_device(specs[s]);
    dev_buffer *huge = NULL;
    ew_error err = {EW_OK, ""};
    assert_int_equal(dev_buffer_create(ctx, "huge", UINT64_C(1) << 50, &huge, &err), EW_DEVICE);
    assert_null(huge);
    CONTAINS(err.text, "buffer 'huge' of 1048576.000 GiB");
    CONTAINS(err.text, "GiB in all");
    CONTAINS(err.text, dev_name(ctx));
    assert_int_equal(dev_get_stats(ctx).device_bytes, 0);
    dev_context_destroy(&ctx);
  }
}

/* ---- Arguments ---- */

/* A kernel of an update of hundreds of quantities. */
static void test_many_arguments(void **state) {
  (void)state;
  enum { N = 1000 };
  static const char *const source =
      "void total(void *const *args, long n) {\n"
      "  for (int i = 1; i <= 1000; i++) *(double *)args[0] += (double)n * *(const double *)args[i];\n"
      "}\n";
  dev_context *ctx = open_device("c");
  dev_program *program = NULL;
  ew_error err = {EW_OK, ""};
  OK(dev_program_create(ctx, "many", source, "", &program, &err));
  dev_kernel *k = kernel_of(program, "total");
  const double zero = 0;
  double total = 0;
  dev_buffer *out = buffer_of(ctx, "out", sizeof zero);
  OK(dev_buffer_write(out, 0, sizeof zero, &zero, &err));
  OK(dev_kernel_set_buffer(k, 0, out, &err));
  for (unsigned i = 1; i <= N; i++) OK(dev_kernel_set_f64(k, i, i, &err));
  OK(dev_kernel_launch(k, 1, 0, &err));
  OK(dev_buffer_read(out, 0, sizeof total, &total, &err));
  assert_true(total == N * (N + 1) / 2);
  dev_buffer_destroy(&out);
  dev_kernel_destroy(&k);
  dev_program_destroy(&program);
  dev_context_destroy(&ctx);
}

/* A failure is put down to their number only where the device promises no room for them. */
static void test_too_many_arguments(void **state) {
  (void)state;
  dev_context *ctx = open_device("cpu");
  ew_error err = {EW_OK, ""};
  ew_status status = EW_OK;
  assert_false(cl_fail_arguments(ctx, "few", 5, &status, &err));
  assert_true(cl_fail_arguments(ctx, "update_a", 1000000, &status, &err));
  assert_int_equal(status, EW_DEVICE);
  CONTAINS(err.text, "kernel 'update_a' takes 1000000 arguments, about 8000000 bytes, and ");
  CONTAINS(err.text, "with layout=aos a state of several components");
  dev_context_destroy(&ctx);
}

static void test_argument_errors(void **state) {
  (void)state;
  for (size_t s = 0; s < 2; s++) {
    dev_context *ctx = open_device(specs[s]), *other = open_device("c");
    dev_program *program = build(ctx);
    dev_kernel *k = kernel_of(program, "add"), *missing = NULL;
    dev_buffer *foreign = buffer_of(other, "foreign", 8);
    ew_error err = {EW_OK, ""};
    assert_int_equal(dev_kernel_create(program, "subtract", &missing, &err), EW_DEVICE);
    CONTAINS(err.text, "no kernel 'subtract'");
    assert_int_equal(dev_kernel_set_buffer(k, 0, foreign, &err), EW_INTERNAL);
    CONTAINS(err.text, "'foreign' belongs to another device");
    assert_int_equal(dev_kernel_set_buffer(k, 0, NULL, &err), EW_INTERNAL);
    OK(dev_kernel_set_i32(k, 4, 1, &err));
    assert_int_equal(dev_kernel_launch(k, 1, 0, &err), EW_INTERNAL);
    CONTAINS(err.text, "argument 0 was never set");
    if (s == 0) {
      assert_int_equal(dev_kernel_set_i32(k, 5, 1, &err), EW_DEVICE);
      CONTAINS(err.text, "CL_INVALID_ARG_INDEX (-49): kernel 'add'");
      assert_int_equal(dev_kernel_set_i32(k, 3, 1, &err), EW_DEVICE);
      CONTAINS(err.text,
               "CL_INVALID_ARG_SIZE (-51): kernel 'add' of program 'basics', argument 3 set to an int");
    } else {
      assert_int_equal(dev_kernel_set_local(k, 0, 64, &err), EW_INTERNAL);
    }
    dev_buffer_destroy(&foreign);
    dev_kernel_destroy(&k);
    dev_program_destroy(&program);
    dev_context_destroy(&ctx);
    dev_context_destroy(&other);
  }
}

static void test_group_too_large(void **state) {
  (void)state;
  dev_context *ctx = open_device(specs[0]);
  dev_program *program = build(ctx);
  dev_kernel *k = kernel_of(program, "count");
  dev_buffer *counter = buffer_of(ctx, "counter", 4);
  ew_error err = {EW_OK, ""};
  OK(dev_kernel_set_buffer(k, 0, counter, NULL));
  OK(dev_kernel_set_i32(k, 1, 1, NULL));
  assert_int_equal(dev_kernel_launch(k, 1, dev_kernel_max_local(k) + 1, &err), EW_DEVICE);
  CONTAINS(err.text, "kernel 'count': a work-group of");
  dev_kernel_destroy(&k);
  dev_program_destroy(&program);
  dev_buffer_destroy(&counter);
  dev_context_destroy(&ctx);
}

/* ---- Profile ---- */

static void profile_on(const char *spec, uint64_t launches) {
  dev_context *ctx = open_device(spec);
  dev_program *program = build(ctx);
  dev_kernel *k = kernel_of(program, "count");
  dev_buffer *counter = buffer_of(ctx, "counter", 4);
  const dev_profile_entry *entries = NULL;
  size_t count = 0;
  OK(dev_kernel_set_buffer(k, 0, counter, NULL));
  OK(dev_kernel_set_i32(k, 1, 1, NULL));
  OK(dev_kernel_launch(k, 1, 1, NULL));
  OK(dev_profile_start(ctx, NULL));
  for (uint64_t i = 0; i < launches; i++) OK(dev_kernel_launch(k, 1, 1, NULL));
  dev_kernel_destroy(&k); /* records survive their kernel */
  OK(dev_profile_stop(ctx, NULL));
  k = kernel_of(program, "count");
  OK(dev_kernel_set_buffer(k, 0, counter, NULL));
  OK(dev_kernel_set_i32(k, 1, 1, NULL));
  OK(dev_kernel_launch(k, 1, 1, NULL));
  OK(dev_profile_get(ctx, &entries, &count, NULL));
  assert_int_equal(count, 1);
  assert_string_equal(entries[0].kernel, "count");
  assert_int_equal(entries[0].launches, launches);
  assert_true(entries[0].min_ns <= entries[0].max_ns);
  assert_true(entries[0].total_ns >= launches * entries[0].min_ns);
  assert_true(entries[0].total_ns <= launches * entries[0].max_ns);
  assert_true(entries[0].max_ns > 0);
  OK(dev_profile_start(ctx, NULL));
  OK(dev_profile_get(ctx, &entries, &count, NULL));
  assert_int_equal(count, 0);
  OK(dev_kernel_launch(k, 1, 1, NULL));
  OK(dev_profile_get(ctx, &entries, &count, NULL));
  assert_int_equal(entries[0].launches, 1);
  dev_kernel_destroy(&k);
  dev_program_destroy(&program);
  dev_buffer_destroy(&counter);
  dev_context_destroy(&ctx);
}

static void test_profile(void **state) {
  (void)state;
  profile_on(specs[0], 5000); /* several times the number of events kept */
  profile_on("c", 5000);
}

static void test_unknown_device(void **state) {
  (void)state;
  dev_context *ctx = NULL;
  ew_error err = {EW_OK, ""};
  assert_int_equal(dev_context_create("quantum", &ctx, &err), EW_USAGE);
  assert_null(ctx);
  CONTAINS(err.text, "no device matches 'quantum'");
  CONTAINS(err.text, "c-openmp");
}

static void test_doctor(void **state) {
  (void)state;
  dev_checks *checks = NULL;
  bool cpu = false, c = false;
  OK(dev_doctor(&checks, NULL));
  for (size_t i = 0; i < checks->count; i++) {
    const dev_check *k = &checks->items[i];
    if (k->level == DEV_CHECK_FAIL) fail_msg("%s: %s", k->what, k->text);
    cpu = cpu || (strncmp(k->what, "device 0", 8) == 0 && strstr(k->text, "fp64 test kernel right"));
    c = c || (strstr(k->what, ", c-openmp") && strstr(k->text, "fp64 test kernel right"));
  }
  assert_true(cpu);
  assert_true(c);
  dev_checks_destroy(&checks);
  assert_null(checks);
}

/* As users read them: the names of OpenCL 1.2, each of another code. */
static void test_errors_have_names(void **state) {
  (void)state;
  for (int code = 0; code >= -68; code--) {
    const char *name = cl_error_name(code);
    if (code < -19 && code > -30) assert_string_equal(name, "unknown OpenCL error");
    else assert_memory_equal(name, "CL_", 3);
    for (int other = 0; other > code; other--)
      if (other >= -19 || other <= -30) assert_string_not_equal(name, cl_error_name(other));
  }
  assert_string_equal(cl_error_name(-5), "CL_OUT_OF_RESOURCES");
  assert_string_equal(cl_error_name(-48), "CL_INVALID_KERNEL");
  assert_string_equal(cl_error_name(-1001), "CL_PLATFORM_NOT_FOUND_KHR");
}

int main(void) {
  if (getenv("EDGEWISE_TEST_DEVICE")) specs[0] = getenv("EDGEWISE_TEST_DEVICE");
  char folder[] = "/tmp/edgewise-test-device-XXXXXX";
  if (!mkdtemp(folder)) return 1;
  setenv("EDGEWISE_CACHE_DIR", folder, 1);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_errors_have_names),
      cmocka_unit_test(test_add),
      cmocka_unit_test(test_swap_and_reuse),
      cmocka_unit_test(test_launch_counts_items_once),
      cmocka_unit_test(test_two_dimensions),
      cmocka_unit_test(test_required_group_and_local_memory),
      cmocka_unit_test(test_buffers),
      cmocka_unit_test(test_allocation_failure),
      cmocka_unit_test(test_many_arguments),
      cmocka_unit_test(test_too_many_arguments),
      cmocka_unit_test(test_argument_errors),
      cmocka_unit_test(test_group_too_large),
      cmocka_unit_test(test_profile),
      cmocka_unit_test(test_unknown_device),
      cmocka_unit_test(test_doctor),
  };
  int failed = cmocka_run_group_tests_name("device", tests, NULL, NULL);
  char command[128];
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  return system(command) == 0 ? failed : 1;
}
