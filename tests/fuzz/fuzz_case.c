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
#include "mutate.h"

#if defined(__SANITIZE_ADDRESS__)
#define WATCHED                                                                                              \
  1 /* AddressSanitizer takes all addresses for itself, and has a limit of its own (max_allocation_size_mb) */
#elif defined(__has_feature)
#define WATCHED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define WATCHED 0
#endif

enum { LONGEST = 8192, MICROSECONDS = 50000, BYTES = 1 << 30 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t most, unsigned seed);

static volatile sig_atomic_t stop; /* a signal handler knows no other place */

static void on_time(int unused) {
  (void)unused;
  stop = 1;
}

static void limit_memory(void) {
  struct rlimit limit;
  if (WATCHED || getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == BYTES) return;
  limit.rlim_cur = BYTES;
  setrlimit(RLIMIT_AS, &limit);
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
  limit_memory();
  set_time(MICROSECONDS);
  ew_status status = case_file_create(&options, &file, &err);
  set_time(0);
  require((status == EW_OK) == (file != NULL));
  require(status == EW_OK || (err.text[0] && status != EW_INTERNAL));
  if (file) look_at(file);
  case_file_destroy(&file);
  return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t most, unsigned seed) {
  static const char *const WORD[] = {"0",
                                     "-1",
                                     "1e300",
                                     "1/0",
                                     "0/0",
                                     "math.huge",
                                     "nil",
                                     "true",
                                     "{}",
                                     "{1, 2}",
                                     "{0, 1}",
                                     "\"x\"",
                                     "\"T\"",
                                     "function(x, y) return x end",
                                     "function() end",
                                     "function(x, y, t) error({}) end",
                                     "mesh.rectangle",
                                     "mesh.box",
                                     "mesh.grid",
                                     "mesh.file",
                                     "mesh",
                                     "series",
                                     "case",
                                     "run",
                                     "arguments",
                                     "edgewise.linear.solve",
                                     "edgewise.linear",
                                     "setmetatable({}, {__index = print})",
                                     "getmetatable(\"\")",
                                     "pcall",
                                     "error",
                                     "coroutine.wrap",
                                     "string.rep(\"x\", 300)",
                                     "output = ",
                                     "time = ",
                                     "boundary = ",
                                     "initial = ",
                                     "given = ",
                                     "parameters = ",
                                     "variants = ",
                                     "schedule = ",
                                     "solver = ",
                                     "on_step = ",
                                     "on_output = ",
                                     "on_end = ",
                                     "probes = ",
                                     "picture = ",
                                     "plot = ",
                                     "history = ",
                                     "every = ",
                                     "stop = ",
                                     "dt = ",
                                     "name = ",
                                     "scheme = ",
                                     "local a = ",
                                     "return ",
                                     "for i = 1, 3 do ",
                                     " end ",
                                     "..",
                                     "#",
                                     "_G",
                                     "require",
                                     "dofile",
                                     "os.getenv",
                                     "io.open",
                                     "tostring",
                                     ",",
                                     "(",
                                     ")"};
  static const mutation_words WORDS = {sizeof WORD / sizeof *WORD, WORD};
  if (seed % 8 == 0) return LLVMFuzzerMutate(bytes, size, most);
  return mutate_tokens(bytes, size, most, &WORDS, seed);
}
