/* What every part of the runtime stands on: errors as values, the clock, medians, files that are opened. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/error.h"
#include "base/regular.h"
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

/* Of what stands in a folder, regular files alone are opened; nobody waits for who may write into a pipe. */
static void expect_no_file(const char *path, int flags, int why) {
  struct stat info;
  errno = 12345;
  assert_int_equal(ew_open_regular(path, flags, &info), -1);
  assert_int_equal(errno, why);
}

static void make_socket(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  const int s = socket(AF_UNIX, SOCK_STREAM, 0);
  assert_true(s >= 0 && strlen(path) < sizeof address.sun_path);
  memcpy(address.sun_path, path, strlen(path));
  assert_int_equal(bind(s, (struct sockaddr *)&address, sizeof address), 0);
  close(s);
}

static void regular_files_alone(void **state) {
  (void)state;
  char folder[] = "/tmp/test_base-XXXXXX";
  struct stat info;
  assert_non_null(mkdtemp(folder));
  assert_int_equal(chdir(folder), 0);
  assert_int_equal(mkfifo("pipe", 0600), 0);
  assert_int_equal(symlink("file", "link"), 0);
  make_socket("socket");
  expect_no_file("pipe", O_RDONLY, 0);
  expect_no_file("pipe", O_WRONLY, 0);
  expect_no_file("pipe", O_RDWR, 0);
  expect_no_file("socket", O_RDONLY, 0);
  expect_no_file(".", O_RDONLY, 0);
  expect_no_file("/dev/zero", O_RDONLY, 0);
  expect_no_file(".", O_RDWR, EISDIR);
  expect_no_file("file", O_RDONLY, ENOENT);
  int fd = ew_open_regular("file", O_RDWR | O_CREAT, &info);
  assert_true(fd >= 0 && write(fd, "seven.\n", 7) == 7);
  close(fd);
  expect_no_file("link", O_RDONLY | O_NOFOLLOW, ELOOP);
  FILE *f = ew_regular_file("link", &info);
  assert_non_null(f);
  assert_true(info.st_size == 7 && getc(f) == 's');
  fclose(f);
  errno = 12345;
  assert_null(ew_regular_file("pipe", &info));
  assert_int_equal(errno, 0);
  static const char *const MADE[] = {"pipe", "link", "socket", "file"};
  for (int i = 0; i < 4; i++) assert_int_equal(unlink(MADE[i]), 0);
  assert_int_equal(rmdir(folder), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(messages_grow_outwards), cmocka_unit_test(long_messages),
      cmocka_unit_test(nobody_listens),         cmocka_unit_test(medians),
      cmocka_unit_test(clock_runs_forward),     cmocka_unit_test(regular_files_alone)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
