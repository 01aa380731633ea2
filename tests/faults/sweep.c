/* sweep KIND FAILING.so DSLC EDGEWISE CASES [-n MOST] [-f FIRST] [NAME...]: runs small commands again and again, and lets the first, second, ...
 * of their allocations (memory), their later ones too (exhausted), their OpenCL calls (opencl), or calls that concern their files (full, eio,
 * eintr, short) fail. -n: at most so many runs a command, spread evenly; all, if absent. Each must end with a documented exit code and a
 * message, or as if nothing had failed, and leave no file that is half written. Exit status: 0, 1 where one does not, 77 where the system does
 * not allow it. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "watch.h"

enum { MOST_WORDS = 24, SKIPPED = 77, SECONDS = 60 };

typedef struct command {
  const char *name;
  bool compiler, resumes, opencl;
  const char *word[MOST_WORDS];
} command;

#define ON_C "--device", "c"
static const command COMMAND[] = {
    {"build", true, false, false, {"build", "heat", "-o", "out"}},
    {"report", true, false, false, {"report", "heat"}},
    {"explain", true, false, false, {"check", "--json", "wrong.ew"}},
    {"check", false, false, false, {"check", "small.lua"}},
    {"run", false, false, false, {"run", "-q", ON_C, "-o", "out", "small.lua"}},
    {"reference", false, false, false, {"run", "-q", "--device", "reference", "-o", "out", "small.lua"}},
    {"resume", false, true, false, {"resume", "-q", ON_C, "-o", "out", "small.lua"}},
    {"mesh", false, false, false, {"mesh", "info", "square.msh"}},
    {"solve", false, false, false, {"solve", ON_C, "-o", "out/x.mtx", "--history", "out/h.mtx", "chain.mtx"}},
    {"tune", false, false, false, {"tune", ON_C, "--seconds", "1", "chain.mtx"}},
    {"opencl", false, false, true, {"run", "-q", "--device", "cpu", "-o", "out", "small.lua"}},
    {"opencl_resume", false, true, true, {"resume", "-q", "--device", "cpu", "-o", "out", "small.lua"}},
};
enum { N_COMMANDS = sizeof COMMAND / sizeof *COMMAND };

typedef struct sweep {
  const char *kind, *library, *dslc, *edgewise, *cases;
  bool by_library; /* else by calls to the system */
  watch_fault fault;
  long first, most;
  long tried, failures;
  char base[1024];
} sweep;

static void die(const char *what) {
  perror(what);
  exit(1);
}

static void shell(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static void shell(const char *fmt, ...) {
  char text[4 * PATH_MAX];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  if (system(text) != 0) {
    fprintf(stderr, "failed: %s\n", text);
    exit(1);
  }
}

/* ---- one run --------------------------------------------------------------------------------------------------------------------- */

static void redirect(const sweep *s, const char *name, int fd) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/%s", s->base, name);
  int to = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (to < 0 || dup2(to, fd) < 0) _exit(126);
}

static void set_number(const char *name, long value) {
  char text[32];
  snprintf(text, sizeof text, "%ld", value);
  setenv(name, text, 1);
}

static void become(const sweep *s, const command *c, long at, volatile int *listener) {
  char work[PATH_MAX], count[PATH_MAX];
  const char *program = c->compiler ? s->dslc : s->edgewise;
  const char *words[MOST_WORDS + 1] = {program};
  memcpy(words + 1, c->word, sizeof c->word);
  snprintf(work, sizeof work, "%s/work", s->base);
  snprintf(count, sizeof count, "%s/count", s->base);
  if (chdir(work) != 0) _exit(126);
  redirect(s, "stdout", 1);
  redirect(s, "stderr", 2);
  if (s->by_library) {
    setenv("FAULTS_KIND", strcmp(s->kind, "opencl") == 0 ? "opencl" : "memory", 1);
    setenv("FAULTS_PROGRAM", strrchr(program, '/') + 1, 1);
    setenv("FAULTS_COUNT", count, 1);
    if (strcmp(s->kind, "exhausted") == 0) setenv("FAULTS_STAY", "1", 1);
    set_number("FAULTS_AT", at);
    setenv("LD_PRELOAD", s->library, 1);
  } else if (watch_begin(listener) != 0) _exit(125);
  execv(program, (char *const *)words);
  _exit(127);
}

static long read_count(const sweep *s) {
  char path[PATH_MAX];
  long n = 0;
  snprintf(path, sizeof path, "%s/count", s->base);
  FILE *f = fopen(path, "r");
  if (f && fscanf(f, "%ld", &n) != 1) n = 0;
  if (f) fclose(f);
  return n;
}

/* Exit status, or minus the signal; `w` tells of the calls. */
static int run_once(const sweep *s, const command *c, long at, watch *w) {
  static volatile int *listener;
  char folder[PATH_MAX];
  if (!listener)
    listener = mmap(NULL, sizeof *listener, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (listener == MAP_FAILED) die("mmap");
  *listener = -1;
  snprintf(folder, sizeof folder, "%s/work/", s->base);
  *w = (watch){.folder = folder, .fault = s->fault, .at = at};
  shell("cd '%s' && rm -rf work && cp -R %s work", s->base, c->resumes ? "stopped" : "fresh");
  pid_t pid = fork();
  if (pid < 0) die("fork");
  if (pid == 0) become(s, c, at, listener);
  int state = watch_child(w, pid, listener, SECONDS);
  if (s->by_library) w->count = read_count(s);
  return WIFEXITED(state) ? WEXITSTATUS(state) : -WTERMSIG(state);
}

/* ---- what is expected of it ---------------------------------------------------------------------------------------------------- */

static bool contains(const sweep *s, const char *name, const char *text) {
  char path[PATH_MAX], said[4096];
  snprintf(path, sizeof path, "%s/%s", s->base, name);
  FILE *f = fopen(path, "r");
  size_t n = f ? fread(said, 1, sizeof said - 1, f) : 0;
  if (f) fclose(f);
  said[n] = '\0';
  return strstr(said, text) != NULL;
}

/* The codes of docs/commands.md that a failed call may end with. */
static bool is_documented(const sweep *s, const command *c, int code) {
  if (code == 0) return true;
  if (strcmp(s->kind, "opencl") == 0) return code == 5;
  if (s->by_library) return code == 1 || (c->opencl && code == 5);
  if (code == 3)
    return contains(s, "stderr", "cannot read "); /* a scheme that cannot be read is an error in the case */
  return code == 6 || (c->resumes && code == 7);
}

static bool same_bytes(const char *a, const char *b) {
  FILE *x = fopen(a, "rb"), *y = fopen(b, "rb");
  bool same = x && y;
  for (int c = 0; same && c != EOF;) {
    c = getc(x);
    same = c == getc(y);
  }
  if (x) fclose(x);
  if (y) fclose(y);
  return same;
}

static bool is_of_the_run(const char *file) {
  return strcmp(file, "run.json") == 0 || strcmp(file, "run.lock") == 0 ||
         strncmp(file, "checkpoint", 10) == 0;
}

static bool ends_with(const char *text, const char *end) {
  size_t n = strlen(text), m = strlen(end);
  return n >= m && strcmp(text + n - m, end) == 0;
}

/* Files that are replaced as a whole; the others grow. */
static bool is_whole(const char *file) {
  static const char *const KIND[] = {".vtu", ".vti", ".png", ".svg", ".cl", ".mtx"};
  for (size_t i = 0; i < sizeof KIND / sizeof *KIND; i++)
    if (ends_with(file, KIND[i])) return true;
  return false;
}

/* Compares work/out with whole/out: of a run that succeeded all files, of another those that are there. */
static const char *compare(const sweep *s, const char *whole, bool succeeded, bool may_leave) {
  static char wrong[PATH_MAX];
  char there[PATH_MAX], path[2 * PATH_MAX], other[2 * PATH_MAX];
  const char *from = succeeded ? whole : "work";
  snprintf(there, sizeof there, "%s/%s/out", s->base, from);
  DIR *d = opendir(there);
  *wrong = '\0';
  for (const struct dirent *e; d && !*wrong && (e = readdir(d));) {
    if (e->d_name[0] == '.' || is_of_the_run(e->d_name)) continue;
    snprintf(path, sizeof path, "%s/%s", there, e->d_name);
    snprintf(other, sizeof other, "%s/%s/out/%s", s->base, succeeded ? "work" : whole, e->d_name);
    if (strstr(e->d_name, ".tmp")) {
      if (!may_leave) snprintf(wrong, sizeof wrong, "%s is left behind", e->d_name);
    } else if ((succeeded || is_whole(e->d_name)) && !same_bytes(path, other))
      snprintf(wrong, sizeof wrong, "%s differs", e->d_name);
  }
  if (d) closedir(d);
  return *wrong ? wrong : NULL;
}

static bool is_empty(const sweep *s, const char *name) {
  char path[PATH_MAX];
  struct stat info;
  snprintf(path, sizeof path, "%s/%s", s->base, name);
  return stat(path, &info) != 0 || info.st_size == 0;
}

static const char *judge(const sweep *s, const command *c, int code, int usual, const watch *w) {
  static char what[64];
  char whole[64];
  snprintf(whole, sizeof whole, "whole_%s", c->name);
  /* a file that cannot be opened or written for want of memory is an error of the file system */
  bool of_file = code == 6 && contains(s, "stderr", "memory");
  if (code != usual && !of_file && !is_documented(s, c, code)) {
    snprintf(what, sizeof what, code < 0 ? "ended by signal %d" : "ended with %d", abs(code));
    return what;
  }
  if (code != usual && is_empty(s, "stderr") && is_empty(s, "stdout")) return "no message";
  return compare(s, whole, code == 0, w->unlinked);
}

/* ---- sweeping --------------------------------------------------------------------------------------------------------------------- */

static long undisturbed(sweep *s, const command *c, int *usual) {
  watch w;
  for (int i = 0; i < 2; i++) { /* the first fills the cache of kernels */
    *usual = run_once(s, c, 0, &w);
    if (*usual != 0 && *usual != 3) {
      printf("%s: undisturbed, it ended with %d\n", c->name, *usual);
      shell("cat '%s/stderr'", s->base);
      exit(1);
    }
  }
  shell("cd '%s' && rm -rf whole_%s && cp -R work whole_%s", s->base, c->name, c->name);
  return w.count;
}

static void sweep_command(sweep *s, const command *c) {
  int usual;
  long total = undisturbed(s, c, &usual), step = s->most > 0 && total > s->most ? total / s->most : 1;
  long tried = 0, failures = total == 0 && s->by_library, /* it would not be asked at all */
      codes[128] = {0};
  for (long at = s->first; at <= total; at += step, tried++) {
    watch w;
    int code = run_once(s, c, at, &w);
    const char *wrong = judge(s, c, code, usual, &w);
    codes[code < 0 ? 127 : code & 127]++;
    if (!wrong) continue;
    failures++;
    printf("%s: call %ld: %s: ", c->name, at, wrong);
    fflush(stdout);
    shell("head -c 200 '%s/stderr' | tr '\\n' ' '; echo", s->base);
  }
  printf("%-14s %-10s %6ld calls, %6ld tried, %ld failed; exit codes", c->name, s->kind, total, tried,
         failures);
  for (int i = 0; i < 128; i++)
    if (codes[i]) printf(" %d: %ld", i == 127 ? -1 : i, codes[i]);
  printf("\n");
  fflush(stdout);
  s->tried += tried;
  s->failures += failures;
}

/* Devices that need no driver load none. */
static void expect_no_calls(sweep *s, const command *c) {
  int usual;
  long total = undisturbed(s, c, &usual);
  printf("%-14s %-10s %6ld calls, none expected\n", c->name, s->kind, total);
  s->failures += total > 0;
  s->tried++;
}

/* ---- the whole ---------------------------------------------------------------------------------------------------------------------- */

static void set_up(sweep *s) {
  const char *tmp = getenv("TMPDIR");
  char path[PATH_MAX], real[PATH_MAX];
  snprintf(path, sizeof path, "%s/sweep-XXXXXX", tmp && *tmp ? tmp : "/tmp");
  if (!mkdtemp(path) || !realpath(path, real) || strlen(real) >= sizeof s->base) die(path);
  memcpy(s->base, real, strlen(real) + 1);
  static const char *const FOLDER[][2] = {
      {"TMPDIR", "tmp"}, {"EDGEWISE_CACHE_DIR", "cache"}, {"POCL_CACHE_DIR", "pocl"}};
  for (size_t i = 0; i < sizeof FOLDER / sizeof *FOLDER; i++) {
    snprintf(path, sizeof path, "%s/%s", s->base, FOLDER[i][1]);
    if (mkdir(path, 0700) != 0) die(path);
    setenv(FOLDER[i][0], path, 1);
  }
  setenv("OMP_NUM_THREADS", "1", 1);
  shell("cp -R '%s' '%s/fresh' && mkdir '%s/fresh/out'", s->cases, s->base, s->base);
  shell("cd '%s' && cp -R fresh stopped && cd stopped && { SWEEP_STOP=1 '%s' run -q --device c -o out "
        "small.lua; "
        "test $? = 8; }",
        s->base, s->edgewise);
}

static bool read_kind(sweep *s) {
  static const char *const SYSTEM[] = {"full", "eio", "eintr", "short"};
  s->by_library =
      strcmp(s->kind, "memory") == 0 || strcmp(s->kind, "exhausted") == 0 || strcmp(s->kind, "opencl") == 0;
  for (int i = 0; i < 4; i++)
    if (strcmp(s->kind, SYSTEM[i]) == 0) {
      s->fault = (watch_fault)i;
      return true;
    }
  return s->by_library;
}

static bool is_wanted(const sweep *s, const command *c, char **name, int n) {
  bool seconds = strcmp(c->name, "tune") == 0; /* it takes a second each time */
  if (n == 0) return c->opencl == (strcmp(s->kind, "opencl") == 0) && !(seconds && s->most > 0);
  for (int i = 0; i < n; i++)
    if (strcmp(c->name, name[i]) == 0) return true;
  return false;
}

int main(int argc, char **argv) {
  if (argc < 6)
    return fprintf(stderr,
                   "usage: sweep KIND FAILING.so DSLC EDGEWISE CASES [-n MOST] [-f FIRST] [NAME...]\n"),
           2;
  sweep s = {.kind = argv[1],
             .library = argv[2],
             .dslc = argv[3],
             .edgewise = argv[4],
             .cases = argv[5],
             .first = 1};
  if (!read_kind(&s)) return fprintf(stderr, "sweep: there is no kind '%s'\n", s.kind), 2;
  int at = 6;
  for (; at + 1 < argc && argv[at][0] == '-'; at += 2) {
    if (strcmp(argv[at], "-n") == 0) s.most = atol(argv[at + 1]);
    else if (strcmp(argv[at], "-f") == 0) s.first = atol(argv[at + 1]);
    else return fprintf(stderr, "sweep: there is no option '%s'\n", argv[at]), 2;
  }
  if (!s.by_library && !watch_possible())
    return printf("this system does not let calls be watched\n"), SKIPPED;
  set_up(&s);
  for (int i = 0; i < N_COMMANDS; i++)
    if (is_wanted(&s, &COMMAND[i], argv + at, argc - at)) sweep_command(&s, &COMMAND[i]);
    else if (at == argc && !COMMAND[i].compiler && strcmp(s.kind, "opencl") == 0)
      expect_no_calls(&s, &COMMAND[i]);
  printf("%s: %ld tried, %ld failed\n", s.kind, s.tried, s.failures);
  if (s.failures == 0) shell("rm -rf '%s'", s.base);
  else printf("see %s\n", s.base);
  return s.failures > 0;
}
