/* Which device a word names, in which order they are listed, and what is known of drivers: on lists made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "device/backend.h"

#define OK(call) assert_int_equal((call), EW_OK)
#define CONTAINS(text, part)                                                                                 \
  do {                                                                                                       \
    if (!strstr(text, part)) fail_msg("'%s' lacks '%s'", text, part);                                        \
  } while (0)

static const dev_info fake[] = {
    {.index = 0, .type = DEV_CPU, .platform = "Portable", .name = "pthread-Foo", .fp64 = true},
    {.index = 1, .type = DEV_GPU, .platform = "Small Vendor", .name = "Mobile", .fp64 = false},
    {.index = 2, .type = DEV_GPU, .platform = "Big Vendor", .name = "H9000", .fp64 = true},
    {.index = 3, .type = DEV_HOST, .language = DEV_C, .platform = "host C", .name = "c", .fp64 = true},
    {.index = 4,
     .type = DEV_HOST,
     .language = DEV_C_OPENMP,
     .platform = "host C",
     .name = "c-openmp",
     .fp64 = true},
};

static void test_choose(void **state) {
  (void)state;
  const struct {
    const char *spec;
    int index; /* -1: EW_USAGE */
  } cases[] = {{NULL, 2},
               {"", 2},
               {"gpu", 2},
               {"GPU", 2},
               {"cpu", 0},
               {"c", 3},
               {"C-OpenMP", 4},
               {"0", 0},
               {"4", 4},
               {"5", -1},
               {"1", 1},
               {"h90", 2},
               {"vendor", 2},
               {"mobile", 1},
               {"foo", 0},
               {"PORTABLE", 0},
               {"nosuch", -1},
               {"host", -1},
               {"99999999999999999999999", -1}};
  dev_info items_copy[5];
  memcpy(items_copy, fake, sizeof fake);
  dev_list list = {.items = items_copy, .count = 5, .opencl_platforms = 3};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ew_error err = {EW_OK, ""};
    size_t position = 77;
    ew_status want = cases[i].index == -1 ? EW_USAGE : EW_OK;
    assert_int_equal(dev_list_choose(&list, cases[i].spec, &position, &err), want);
    if (want == EW_OK) assert_int_equal(position, cases[i].index);
    if (want == EW_USAGE) CONTAINS(err.text, "2  GPU  H9000 (Big Vendor)");
  }
  /* Such a device is never taken by itself. */
  ew_error err = {EW_OK, ""};
  size_t position = 77;
  dev_list small = {.items = &items_copy[1], .count = 1, .opencl_platforms = 1};
  assert_int_equal(dev_list_choose(&small, NULL, &position, &err), EW_DEVICE);
  CONTAINS(err.text, "double-single");
}

/* A GPU twice, and two platforms for one processor. */
static const dev_info several[] = {
    {.type = DEV_CPU, .platform = "Portable", .name = "pthread-Vendor(R) Foo", .driver = "3.1", .fp64 = true},
    {.type = DEV_GPU, .platform = "Big", .name = "H9000", .driver = "1", .fp64 = true},
    {.type = DEV_CPU, .platform = "Vendor(R) OpenCL", .name = "Vendor(R) Foo", .driver = "7", .fp64 = true},
    {.type = DEV_GPU, .platform = "Big", .name = "H9000", .driver = "1", .fp64 = true},
    {.type = DEV_GPU, .platform = "Aa", .name = "Mobile", .driver = "1", .fp64 = false},
};

static void test_order(void **state) {
  (void)state;
  static const int want[] = {1, 3, 4, 0, 2};
  for (size_t turn = 0; turn < 5; turn++) { /* as the loader may find them */
    dev_info found[5];
    for (size_t i = 0; i < 5; i++) {
      found[i] = several[(i + turn) % 5];
      found[i].found = (int)i;
    }
    dev_list list = {.items = found, .count = 5, .opencl_platforms = 3};
    dev_list_sort(&list);
    for (int i = 0; i < 5; i++) {
      const dev_info *w = &several[want[i]];
      assert_int_equal(found[i].index, i);
      assert_string_equal(found[i].name, w->name);
      assert_string_equal(found[i].platform, w->platform);
    }
    assert_true(found[0].found < found[1].found);
  }
}

static void test_ambiguous(void **state) {
  (void)state;
  dev_info found[5];
  memcpy(found, several, sizeof found);
  for (int i = 0; i < 5; i++) found[i].index = i;
  dev_list list = {.items = found, .count = 5, .opencl_platforms = 3};
  ew_error err = {EW_OK, ""};
  size_t position = 77;
  const char *const refused[] = {"cpu", "CPU", "foo", "vendor"};
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    assert_int_equal(dev_list_choose(&list, refused[i], &position, &err), EW_USAGE);
    CONTAINS(err.text, "several devices match");
    CONTAINS(err.text, "0  CPU  pthread-Vendor(R) Foo (Portable)");
    CONTAINS(err.text, "2  CPU  Vendor(R) Foo (Vendor(R) OpenCL)");
    assert_null(strstr(err.text, "H9000"));
  }
  const struct {
    const char *spec;
    size_t position;
  } taken[] = {{"gpu", 1},           {"h9000", 1},  {"portable", 0}, {"pthread", 0},
               {"vendor(r) foo", 2}, {"opencl", 2}, {NULL, 1}};
  for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
    OK(dev_list_choose(&list, taken[i].spec, &position, &err));
    assert_int_equal(position, taken[i].position);
  }
}

/* Platforms by the names that people know them by. */
static void test_common_names(void **state) {
  (void)state;
  dev_info found[] = {
      {.type = DEV_GPU, .platform = "NVIDIA CUDA", .name = "NVIDIA H100", .driver = "550", .fp64 = true},
      {.type = DEV_CPU,
       .platform = "Intel(R) OpenCL",
       .name = "Intel(R) Xeon(R)",
       .driver = "2026",
       .fp64 = true},
      {.type = DEV_CPU,
       .platform = "Oclgrind",
       .name = "Oclgrind Simulator",
       .driver = "21.10",
       .fp64 = true},
      {.type = DEV_CPU,
       .platform = "Portable Computing Language",
       .name = "pthread-AMD EPYC",
       .driver = "3.1",
       .fp64 = true},
      {.type = DEV_GPU,
       .platform = "Portable Computing Language",
       .name = "A100",
       .driver = "3.1",
       .fp64 = true}};
  dev_list list = {.items = found, .count = 4, .opencl_platforms = 4};
  const char *const name[] = {"nvidia", "Intel", "oclgrind", "PoCL"};
  ew_error err = {EW_OK, ""};
  size_t position = 77;
  for (size_t i = 0; i < 4; i++) {
    found[i].index = (int)i;
    OK(dev_list_choose(&list, name[i], &position, &err));
    assert_int_equal(position, i);
  }
  assert_int_equal(dev_list_choose(&list, "rocm", &position, &err), EW_USAGE);
  CONTAINS(err.text, "no device matches 'rocm'");
  list.count = 5; /* two of PoCL's: which is meant is not guessed */
  found[4].index = 4;
  assert_int_equal(dev_list_choose(&list, "pocl", &position, &err), EW_USAGE);
  CONTAINS(err.text, "several devices match 'pocl'");
  CONTAINS(err.text, "3  CPU  pthread-AMD EPYC (Portable Computing Language)");
  CONTAINS(err.text, "4  GPU  A100 (Portable Computing Language)");
  assert_null(strstr(err.text, "Oclgrind"));
}

/* A driver that does not answer is no reason to say that there is no such device. */
static void test_refused(void **state) {
  (void)state;
  dev_info found[2] = {{.type = DEV_ACCELERATOR, .name = "H9000"},
                       {.type = DEV_HOST, .name = "c", .language = DEV_C}};
  dev_list list = {.items = found,
                   .count = 2,
                   .opencl_platforms = 1,
                   .refused = "clGetDeviceInfo: CL_OUT_OF_RESOURCES (-5)"};
  ew_error err = {EW_OK, ""};
  size_t position = 77;
  assert_int_equal(dev_list_choose(&list, "gpu", &position, &err), EW_DEVICE);
  CONTAINS(err.text,
           "no device matches gpu for certain: a driver refused to tell of its own: clGetDeviceInfo: "
           "CL_OUT_OF_RESOURCES (-5)");
  assert_int_equal(dev_list_choose(&list, NULL, &position, &err), EW_DEVICE);
  CONTAINS(err.text, "no device has fp64 (cl_khr_fp64) for certain");
  list.opencl_platforms = 0;
  assert_int_equal(dev_list_choose(&list, "gpu", &position, &err), EW_DEVICE);
  CONTAINS(err.text, "clGetDeviceInfo");
}

static void test_known_faults(void **state) {
  (void)state;
  dev_info simulator = {.platform = "Oclgrind"}, other = {.platform = "Portable"};
  assert_non_null(dev_known_fault(&simulator));
  assert_null(dev_known_fault(&other));
  dev_info intel = {.platform = "Intel(R) OpenCL"}, graphics = {.platform = "Intel(R) OpenCL Graphics"};
  assert_true(dev_known_fault(&intel)->windows_by_items);
  assert_null(dev_known_fault(&graphics));
}

static void test_choose_without_gpu_or_driver(void **state) {
  (void)state;
  dev_info cpu_only[] = {fake[0], fake[3], fake[4]};
  dev_list list = {.items = cpu_only, .count = 3, .opencl_platforms = 1},
           no_driver = {.items = cpu_only + 1, .count = 2};
  ew_error err = {EW_OK, ""};
  size_t position = 77;
  OK(dev_list_choose(&list, NULL, &position, &err));
  assert_int_equal(position, 0);
  OK(dev_list_choose(&no_driver, "c-openmp", &position, &err));
  assert_int_equal(position, 1);
  assert_int_equal(dev_list_choose(&no_driver, NULL, &position, &err), EW_DEVICE);
  CONTAINS(err.text, "pocl-opencl-icd");
  CONTAINS(err.text, "-1001");
  CONTAINS(err.text, "`--device c`");
  assert_int_equal(dev_list_choose(&no_driver, "gpu", &position, &err), EW_DEVICE);
  assert_int_equal(dev_list_choose(&no_driver, "abacus", &position, &err), EW_USAGE);
  CONTAINS(err.text, "no device matches 'abacus'");
  CONTAINS(err.text, "no OpenCL driver is installed");
  cpu_only[0].fp64 = false;
  assert_int_equal(dev_list_choose(&list, NULL, &position, &err), EW_DEVICE);
  CONTAINS(err.text, "no OpenCL device has fp64");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_choose),
      cmocka_unit_test(test_order),
      cmocka_unit_test(test_ambiguous),
      cmocka_unit_test(test_common_names),
      cmocka_unit_test(test_refused),
      cmocka_unit_test(test_known_faults),
      cmocka_unit_test(test_choose_without_gpu_or_driver),
  };
  return cmocka_run_group_tests_name("device_list", tests, NULL, NULL);
}
