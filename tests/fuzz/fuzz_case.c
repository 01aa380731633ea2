/* Any text as a case: the script runs, and what it returns is read. Scripts that go on for ever are stopped as Ctrl-C stops them, and ask
 * for no more memory than there is. Lua's own matching of patterns, which may take hours, is left out (SECURITY.md). */
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>

#include "fuzz_file.h"
#include "lua/case_file.h"

enum { LONGEST = 8192, MICROSECONDS = 50000 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static volatile sig_atomic_t stop; /* a signal handler knows no other place */

static void on_time(int unused) {
  (void)unused;
  stop = 1;
}

static void set_time(long microseconds) {
  struct itimerval t = {.it_value = {.tv_usec = microseconds}};
  stop = 0;
  signal(SIGVTALRM, on_time);
  setitimer(ITIMER_VIRTUAL, &t, NULL);
}

static bool has_word(const uint8_t *bytes, size_t size, const char *word) {
  return memmem(bytes, size, word, strlen(word)) != NULL;
}

static void require(bool condition) {
  if (!condition) abort();
}

static void look_at(case_file *file) {
  const problem_list *p = case_file_problems(file);
  for (size_t i = 0; i < p->n; i++) require(p->text[i] && p->text[i][0]);
  (void)case_file_hooks(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  static const char *const MATCHING[] = {"find", "match", "gsub"};
  static const char *const define[] = {"n=3"};
  ew_error err = {0};
  case_file *file = NULL;
  for (int i = 0; i < 3; i++)
    if (has_word(bytes, size, MATCHING[i])) return 0;
  const char *path = size <= LONGEST ? fuzz_file("case.lua", bytes, size) : NULL;
  if (!path) return 0;
  case_file_options options = {.path = path, .define = define, .n_defines = size % 2, .stop = &stop};
  set_time(MICROSECONDS);
  ew_status status = case_file_create(&options, &file, &err);
  set_time(0);
  require((status == EW_OK) == (file != NULL));
  require(status == EW_OK || (err.text[0] && status != EW_INTERNAL));
  if (file) look_at(file);
  case_file_destroy(&file);
  return 0;
}
