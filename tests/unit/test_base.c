/* What every part of the runtime stands on: errors as values, the clock, medians. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/error.h"
#include "base/timing.h"

static void messages_grow_outwards(void **state) {
  (void)state;
  ew_error err = {EW_OK, ""};
  assert_int_equal(ew_fail(&err, EW_IO, "%s: %d bytes", "disk", 7), EW_IO);
  assert_int_equal(ew_context(&err, "mesh %c", 'm'), EW_IO);
  assert_string_equal(err.text, "mesh m: disk: 7 bytes");
  assert_int_equal(err.status, EW_IO);
}

/* A message that is too long is cut, and no byte behind it is touched. */
static void long_messages(void **state) {
  (void)state;
  struct {
    ew_error err;
    char behind;
  } s = {.behind = 'x'};
  char long_text[sizeof s.err.text + 1000];
  memset(long_text, 'a', sizeof long_text - 1);
  long_text[sizeof long_text - 1] = '\0';
  ew_fail(&s.err, EW_INPUT, "%s", long_text);
  assert_int_equal(strlen(s.err.text), sizeof s.err.text - 1);
  assert_int_equal(ew_context(&s.err, "%s", long_text), EW_INPUT);
  assert_true(strlen(s.err.text) < sizeof s.err.text);
  assert_int_equal(s.behind, 'x');
}

static void nobody_listens(void **state) {
  (void)state;
  assert_int_equal(ew_fail(NULL, EW_DEVICE, "unheard"), EW_DEVICE);
  assert_int_equal(ew_context(NULL, "unheard"), EW_FAIL);
}

static void medians(void **state) {
  (void)state;
  double one[] = {4}, odd[] = {3, 1, 2}, even[] = {8, 1, 2, 4};
  assert_true(ew_median(one, 1) == 4);
  assert_true(ew_median(odd, 3) == 2);
  assert_true(ew_median(even, 4) == 3);
  assert_true(even[0] == 1 && even[3] == 8);
}

static void clock_runs_forward(void **state) {
  (void)state;
  double begun = ew_seconds(), last = begun;
  while (last < begun + 1e-4) {
    double next = ew_seconds();
    assert_true(next >= last);
    last = next;
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(messages_grow_outwards),
                                     cmocka_unit_test(long_messages), cmocka_unit_test(nobody_listens),
                                     cmocka_unit_test(medians), cmocka_unit_test(clock_runs_forward)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
