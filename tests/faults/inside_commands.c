/* inside_commands KIND CASES FOLDER [-n MOST] [--opencl DEVICE] [NAME...]: runs edgewise's commands (commands.h; the slow ones not with -n, those that begin
 * processes of their own never) inside this program, again and again, and lets one call fail each time, of each place in the program the first, MOST at most, spread
 * evenly. KIND: memory, or opencl. CASES: the folder `small`. FOLDER: where they work. DEVICE: whose driver's calls fail (cpu); with FAULTS_GPU=1
 * in the environment `gpu` is a processor's driver that says it is one. (PoCL 3.1 computes some kernels for GPUs wrongly:
 * answers are not asked for here.) Each must end as if nothing had failed, or with its documented exit code and a
 * message, and leave no temporary file; files are compared by `sweep`. Prints a line a command. Exit status: 0, 1 where one does not, 77 where the allocator is not ours, or there is no such
 * device. */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "child.h"
#include "commands.h"
#include "inner_faults.h"

enum { PATIENCE = 120 }; /* [s] */

typedef struct trial {
  const command *of;
  const char *driver;
  bool opencl;
  int usual;
  long codes[128], wrong;
} trial;

static struct { /* for who tells of a signal */
  int report;
  long at;
  const char *name;
} now;
static FILE *table;
static char base[PATH_MAX - 64];

int edgewise_main(int argc, char **argv); /* runtime/main.c */

/* A command that crashes or hangs takes this program with it: it says where. */
static void tell(int number) {
  dprintf(now.report, "%s: call %ld: ended by signal %d\n", now.name, now.at, number);
  signal(number, SIG_DFL);
  raise(number);
}

/* ---- one run ------------------------------------------------------------------------------------------------------------- */

static void make_work(const char *from) {
  if (chdir(base) != 0) die(base);
  shell("rm -rf work && cp -R %s work", from);
  if (chdir("work") != 0) die("work");
}

static void empty(int fd, FILE *stream) {
  fflush(stream);
  clearerr(stream);
  if (ftruncate(fd, 0) != 0) die("ftruncate");
}

static int call(const trial *t, long at) {
  char *words[MOST_WORDS + 2] = {"edgewise"};
  int n = 1;
  for (; t->of->word[n - 1]; n++) words[n] = (char *)(*t->of->word[n - 1] ? t->of->word[n - 1] : t->driver);
  now.at = at;
  now.name = t->of->name;
  alarm(PATIENCE);
  inner_faults_begin(at);
  int code = edgewise_main(n, words);
  inner_faults_end();
  alarm(0);
  fflush(stdout);
  return code;
}

/* ---- what is expected of it ---------------------------------------------------------------------------------------------- */

static bool is_left_behind(const char *folder, char *name, size_t size) {
  DIR *d = opendir(folder);
  bool found = false;
  for (const struct dirent *e; d && !found && (e = readdir(d));) {
    char path[PATH_MAX];
    if (e->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    found = strstr(e->d_name, ".tmp") != NULL;
    if (found) snprintf(name, size, "%s", path);
    else if (e->d_type == DT_DIR) found = is_left_behind(path, name, size);
  }
  if (d) closedir(d);
  return found;
}

static bool is_documented(const trial *t, int code, const char *said) {
  if (code == 0 || code == t->usual) return true;
  if (t->opencl) return code == 5;
  /* a file that cannot be opened or written for want of memory is an error of the file system */
  return code == 1 || (code == 6 && strstr(said, "memory")) || (code == 5 && (t->of->is & (OPENCL | MODEL)));
}

static void ask(void *context, long at) {
  trial *t = context;
  char said[4096], left[PATH_MAX];
  make_work(t->of->is & FROM_RUN ? "stopped" : "fresh");
  empty(1, stdout);
  empty(2, stderr);
  if (t->of->is & SINGLE) setenv("EDGEWISE_FP64", "off", 1);
  const int code = call(t, at);
  unsetenv("EDGEWISE_FP64");
  ssize_t n = pread(2, said, sizeof said - 1, 0);
  if (n <= 0) n = pread(1, said, sizeof said - 1, 0); /* with --json errors are part of the answer */
  said[n > 0 ? n : 0] = '\0';
  if (at == 0) t->usual = code;
  t->codes[code & 127]++;
  const bool silent = code != t->usual && n <= 0;
  const bool temporary = is_left_behind("out", left, sizeof left);
  if (is_documented(t, code, said) && !silent && !temporary &&
      (at > 0 || code == (t->of->is & WRONG ? 3 : 0)))
    return;
  t->wrong++;
  fprintf(table, "%s: call %ld: ended with %d%s%s: %s\n", t->of->name, at, code, silent ? ", no message" : "",
          temporary ? ", left behind a temporary file" : "", said);
  fflush(table);
}

/* ---- the whole ------------------------------------------------------------------------------------------------------------ */

static void go_to(const char *name, int fd) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/%s", base, name);
  int to = open(path, O_RDWR | O_CREAT | O_TRUNC | O_APPEND, 0666);
  if (to < 0 || dup2(to, fd) < 0) die(path);
  close(to);
}

/* A variable that names a folder in ours. */
static void name_folder(const char *variable, const char *name, bool made) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/%s", base, name);
  if (made && mkdir(path, 0700) != 0) die(path);
  setenv(variable, path, 1);
}

static void set_up(const char *cases, const char *folder) {
  char real[PATH_MAX];
  shell("rm -rf '%s' && mkdir -p '%s'", folder, folder);
  if (!realpath(folder, real) || strlen(real) >= sizeof base) die(folder);
  memcpy(base, real, strlen(real) + 1);
  name_folder("EDGEWISE_CACHE_DIR", "cache", true);
  name_folder("POCL_CACHE_DIR", "pocl", true);
  name_folder("TMPDIR", "tmp", true);
  name_folder("EDGEWISE_DATA_DIR", "work/data", false);
  setenv("OMP_NUM_THREADS", "1", 1);
  shell(
      "cp -R '%s' '%s/fresh' && cd '%s/fresh' && mkdir -p out data/profiles && cp model.profile "
      "data/profiles/model_model_machine_checks_kernels_as_it_runs_them_slow.profile && "
      "awk 'BEGIN { print \"%%%%MatrixMarket matrix coordinate real symmetric\"; print 450, 450, 899; "
      "for (i = 1; i <= 450; i++) { print i, i, 2; if (i > 1) print i, i - 1, -1 } }' >out/long.mtx && "
      "awk 'function d(i) { return i %% 7 < 3 ? 10 : 1 } BEGIN { print \"%%%%MatrixMarket matrix coordinate "
      "real symmetric\"; print 450, 450, 899; "
      "for (i = 1; i <= 450; i++) { print i, i, 2*d(i)^2; if (i > 1) print i, i - 1, -d(i)*d(i - 1) } }' "
      ">out/scaled.mtx",
      cases, base, base);
  go_to("stdout", 1);
  go_to("stderr", 2);
  const command stopped = {"stopped", 0, {"run", "-q", ON_C, "-o", "out", "small.lua"}};
  make_work("fresh");
  setenv("SWEEP_STOP", "1", 1);
  if (call(&(trial){.of = &stopped}, 0) != 8) die("a run that stops");
  unsetenv("SWEEP_STOP");
  shell("cp -R '%s/work' '%s/stopped'", base, base);
}

static bool is_wanted(const command *c, bool opencl, bool some, char **name, int n) {
  if ((c->is & (COMPILER | FORKS)) || !(c->is & OPENCL) == opencl) return false;
  if (n == 0) return !(some && (c->is & SLOW));
  for (int i = 0; i < n; i++)
    if (strcmp(c->name, name[i]) == 0) return true;
  return false;
}

/* Names that nothing answers to are a usage error. */
static bool has_device(const char *driver) {
  const command run = {"device", 0, {"run", "-q", ON_A_DRIVER, "-o", "out", "small.lua"}};
  make_work("fresh");
  return call(&(trial){.of = &run, .driver = driver}, 0) != 2;
}

/* Of a command that makes no such call nothing was asked. */
static long try_command(const command *c, const char *driver, bool opencl, long most) {
  trial t = {.of = c, .driver = driver, .opencl = opencl};
  const long n = inner_faults_sweep(ask, &t, most);
  fprintf(table, "%-16s %-8s %6ld places, %ld failures, exit code: runs", c->name,
          opencl ? "opencl" : "memory", n, t.wrong);
  for (int i = 0; i < 128; i++)
    if (t.codes[i]) fprintf(table, " %d: %ld", i, t.codes[i]);
  fprintf(table, "\n");
  fflush(table);
  return t.wrong + (n == 0);
}

int main(int argc, char **argv) {
  const char *driver = "cpu";
  long most = 1 << 20, wrong = 0;
  int at = 4;
  for (; at + 1 < argc && argv[at][0] == '-'; at += 2) {
    if (strcmp(argv[at], "-n") == 0) most = atol(argv[at + 1]);
    else if (strcmp(argv[at], "--opencl") == 0) driver = argv[at + 1];
    else return fprintf(stderr, "inside_commands: there is no option '%s'\n", argv[at]), 2;
  }
  if (argc < 4) return fprintf(stderr, "usage: inside_commands KIND CASES FOLDER [-n MOST] [NAME...]\n"), 2;
  if (!INNER_FAULTS_POSSIBLE) return 77;
  const bool opencl = strcmp(argv[1], "opencl") == 0;
  now.report = dup(1);
  table = fdopen(dup(1), "w");
  for (int i = 0; i < 4; i++) signal((int[]){SIGSEGV, SIGABRT, SIGFPE, SIGALRM}[i], tell);
  set_up(argv[2], argv[3]);
  inner_faults_choose(opencl ? INNER_OPENCL : INNER_MEMORY);
  if (opencl && !has_device(driver))
    return fprintf(table, "there is no device '%s'\n", driver), fflush(table), 77;
  int tried = 0;
  for (size_t i = 0; i < sizeof COMMAND / sizeof *COMMAND; i++) {
    if (!is_wanted(&COMMAND[i], opencl, most < 1 << 20, argv + at, argc - at)) continue;
    wrong += try_command(&COMMAND[i], driver, opencl, most);
    tried++;
  }
  if (tried < argc - at || tried == 0)
    return fprintf(table, "not all of these are such commands\n"), fflush(table), 2;
  return wrong > 0;
}
