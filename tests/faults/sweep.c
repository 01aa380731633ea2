/* sweep KIND FAILING.so DSLC EDGEWISE CASES [-n MOST] [-f FIRST] [--sites N] [--jobs N] [--seconds S] [--opencl DEVICE] [NAME...]: runs small commands again
 * and again, and lets the first, second, ... of their allocations (memory), their later ones too (exhausted), their OpenCL calls (opencl), or calls that
 * concern their files (full, eio, eintr, short) fail; `all` is every kind. -n: at most so many runs a command, spread evenly; all, if absent.
 * --sites N: of each place in the program that such calls come from (all addresses to return to, those of a recursion once), the first N calls
 * and the last; not for calls that concern files.
 * --seconds: for all commands together, each with its share of what is left; what there was no time for the table shows. --jobs: so many runs at a time, each in a folder of its own. --opencl: the device whose driver's calls fail (cpu). Each run must end with a
 * documented exit code and a message, or as if nothing had failed, and leave no file that is half written. Prints a table, a row for each
 * command and kind. Exit status: 0, 1 where a run does not, 77 where the system does not allow it. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "child.h"
#include "commands.h"
#include "watch.h"

enum { MOST_JOBS = 256, SKIPPED = 77, SECONDS = 60, NOT_WATCHED = 125, TRIES = 20 };

typedef struct sweep {
  const char *kind, *library, *dslc, *edgewise, *cases, *driver;
  bool by_library; /* else by calls to the system */
  watch_fault fault;
  long first, most, jobs, sites;
  double end, until; /* [s] of now(): of all, of this command; 0: never */
  long tried, failures;
  char base[1024];        /* what runs start from, and what they should leave */
  char own[1100];         /* where this process runs them: base, or a folder of a job in it */
  volatile int *listener; /* of calls to the system, shared with the child that runs */
} sweep;

/* How one run went, as jobs tell it; small enough to pass through a pipe in one piece. */
typedef struct outcome {
  long at;
  int code;
  char wrong[200], said[200]; /* "" if all is well */
} outcome;

/* ---- one run --------------------------------------------------------------------------------------------------------------------- */

static void redirect(const sweep *s, const char *name, int fd) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/%s", s->own, name);
  int to = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (to < 0 || dup2(to, fd) < 0) _exit(126);
}

static void set_number(const char *name, long value) {
  char text[32];
  snprintf(text, sizeof text, "%ld", value);
  setenv(name, text, 1);
}

static void set_path(const char *name, const sweep *s, const char *file) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/%s", s->own, file);
  setenv(name, path, 1);
}

static void become(const sweep *s, const command *c, long at) {
  char work[PATH_MAX];
  const char *program = c->is & COMPILER ? s->dslc : s->edgewise;
  const char *words[MOST_WORDS + 1] = {program};
  for (int i = 0; i < MOST_WORDS; i++) words[i + 1] = c->word[i] && !*c->word[i] ? s->driver : c->word[i];
  snprintf(work, sizeof work, "%s/work", s->own);
  if (chdir(work) != 0) _exit(126);
  int from = open(strcmp(c->name, "lsp") == 0 ? "session.lsp" : "/dev/null", O_RDONLY | O_CLOEXEC);
  if (from < 0 || dup2(from, 0) < 0) _exit(126);
  redirect(s, "stdout", 1);
  redirect(s, "stderr", 2);
  if (c->is & SINGLE) setenv("EDGEWISE_FP64", "off", 1);
  if (s->by_library) {
    if (at == 0 && s->sites > 0) set_path("FAULTS_SITES", s, "sites");
    setenv("FAULTS_KIND", strcmp(s->kind, "opencl") == 0 ? "opencl" : "memory", 1);
    setenv("FAULTS_PROGRAM", strrchr(program, '/') + 1, 1);
    set_path("FAULTS_COUNT", s, "count");
    if (strcmp(s->kind, "exhausted") == 0) setenv("FAULTS_STAY", "1", 1);
    set_number("FAULTS_AT", at);
    setenv("LD_PRELOAD", s->library, 1);
  } else if (watch_begin(s->listener) != 0) _exit(NOT_WATCHED);
  execv(program, (char *const *)words);
  _exit(127);
}

static long read_count(const sweep *s) {
  char path[PATH_MAX];
  long n = 0;
  snprintf(path, sizeof path, "%s/count", s->own);
  FILE *f = fopen(path, "r");
  if (f && fscanf(f, "%ld", &n) != 1) n = 0;
  if (f) fclose(f);
  return n;
}

/* Exit status, or minus the signal; `w` tells of the calls. */
static int run_as(const sweep *s, const command *c, long at, watch *w) {
  char folder[PATH_MAX];
  *s->listener = -1;
  snprintf(folder, sizeof folder, "%s/work/", s->own);
  *w = (watch){.folder = folder, .fault = s->fault, .at = at};
  shell("cd '%s' && rm -rf work count && cp -R '%s/%s' work", s->own, s->base,
        c->is & FROM_RUN ? "stopped" : "fresh");
  pid_t pid = fork();
  if (pid < 0) die("fork");
  if (pid == 0) become(s, c, at);
  int state =
      watch_child(w, pid, s->listener, at == 0 ? 10 * SECONDS : SECONDS); /* a driver may compile at first */
  if (s->by_library) w->count = read_count(s);
  return WIFEXITED(state) ? WEXITSTATUS(state) : -WTERMSIG(state);
}

/* The system may have no room for another watcher at the moment: then the program has not begun. */
static int run_once(const sweep *s, const command *c, long at, watch *w) {
  int code = run_as(s, c, at, w);
  for (int i = 0; i < TRIES && code == NOT_WATCHED && !s->by_library; i++) {
    usleep(20000);
    code = run_as(s, c, at, w);
  }
  return code;
}

/* ---- what is expected of it ---------------------------------------------------------------------------------------------------- */

static bool contains(const sweep *s, const char *name, const char *text) {
  char path[PATH_MAX], said[4096];
  snprintf(path, sizeof path, "%s/%s", s->own, name);
  FILE *f = fopen(path, "r");
  size_t n = f ? fread(said, 1, sizeof said - 1, f) : 0;
  if (f) fclose(f);
  said[n] = '\0';
  return strstr(said, text) != NULL;
}

/* A scheme or another file of a case that cannot be read is an error in the case. */
static bool says_unread(const sweep *s, const char *name) {
  return contains(s, name, "cannot read ") || contains(s, name, "cannot be read") ||
         contains(s, name, "cannot be opened") || contains(s, name, "Input/output error") ||
         contains(s, name, "Interrupted system call");
}

/* The codes of docs/commands.md that a failed call may end with. */
static bool is_documented(const sweep *s, const command *c, int code) {
  if (code == 0) return true;
  if (strcmp(s->kind, "opencl") == 0) return code == 5;
  if (s->by_library) return code == 1 || ((c->is & (OPENCL | MODEL)) && code == 5);
  if (code == 3) return says_unread(s, "stderr") || says_unread(s, "stdout");
  return code == 6 || ((c->is & RESUMES) && code == 7);
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

/* Files that name the time or the folder. */
static bool is_of_the_run(const char *file) {
  return strcmp(file, "run.json") == 0 || strcmp(file, "case.lua") == 0 || strcmp(file, "run.lock") == 0 ||
         strncmp(file, "checkpoint", 10) == 0;
}

static bool ends_with(const char *text, const char *end) {
  size_t n = strlen(text), m = strlen(end);
  return n >= m && strcmp(text + n - m, end) == 0;
}

/* Files that are replaced as a whole; the others grow. */
static bool is_whole(const char *file) {
  static const char *const KIND[] = {".vtu", ".vti", ".png",  ".svg",    ".cl",
                                     ".mtx", ".ew",  ".html", ".profile"};
  for (size_t i = 0; i < sizeof KIND / sizeof *KIND; i++)
    if (ends_with(file, KIND[i])) return true;
  return false;
}

/* Replaced files may be those that were there before. */
static bool is_as_before(const sweep *s, const command *c, const char *file) {
  char now[PATH_MAX], before[PATH_MAX];
  snprintf(now, sizeof now, "%s/work/out/%s", s->own, file);
  snprintf(before, sizeof before, "%s/%s/out/%s", s->base, c->is & FROM_RUN ? "stopped" : "fresh", file);
  return same_bytes(now, before);
}

/* What is compared: out/BELOW of a run with that of the whole one. */
typedef struct compared {
  const command *c;
  const char *whole;
  bool succeeded, may_leave;
} compared;

static bool is_wrong(const sweep *s, const compared *r, const char *file) {
  char now[PATH_MAX], then[PATH_MAX];
  if (!r->succeeded && (!is_whole(file) || is_as_before(s, r->c, file))) return false;
  snprintf(now, sizeof now, "%s/work/out/%s", s->own, file);
  snprintf(then, sizeof then, "%s/%s/out/%s", s->base, r->whole, file);
  return !same_bytes(now, then);
}

/* Of a run that succeeded all files of the whole one, of another those that are there; what is wrong, or NULL. Of a folder also what is
 * in its own. */
static const char *compare(const sweep *s, const compared *r, const char *below) {
  static char wrong[PATH_MAX];
  char there[PATH_MAX], file[512];
  snprintf(there, sizeof there, "%s/%s/out/%s", r->succeeded ? s->base : s->own,
           r->succeeded ? r->whole : "work", below);
  DIR *d = opendir(there);
  const char *found = NULL;
  for (const struct dirent *e; d && !found && (e = readdir(d));) {
    if (e->d_name[0] == '.' || is_of_the_run(e->d_name)) continue;
    snprintf(file, sizeof file, "%s%s%s", below, *below ? "/" : "", e->d_name);
    if (e->d_type == DT_DIR && !*below) found = compare(s, r, e->d_name);
    else if (strstr(e->d_name, ".tmp")) {
      if (!r->may_leave) found = wrong, snprintf(wrong, sizeof wrong, "%s is left behind", file);
    } else if (is_wrong(s, r, file)) found = wrong, snprintf(wrong, sizeof wrong, "%s differs", file);
  }
  if (d) closedir(d);
  return found;
}

static bool is_empty(const sweep *s, const char *name) {
  char path[PATH_MAX];
  struct stat info;
  snprintf(path, sizeof path, "%s/%s", s->own, name);
  return stat(path, &info) != 0 || info.st_size == 0;
}

static bool says(const sweep *s, const char *whole) {
  char said[PATH_MAX], expected[PATH_MAX];
  snprintf(said, sizeof said, "%s/stdout", s->own);
  snprintf(expected, sizeof expected, "%s/%s/said", s->base, whole);
  return same_bytes(said, expected);
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
  if (code == 0 && (c->is & SAYS) && !says(s, whole)) return "says something else";
  return compare(s, &(compared){c, whole, code == 0, w->unlinked}, "");
}

/* ---- sweeping --------------------------------------------------------------------------------------------------------------------- */

static void make_folder(const char *path) {
  if (mkdir(path, 0700) != 0 && errno != EEXIST) die(path);
}

/* Runs in the folder from now on, with temporary files there. */
static void work_in(sweep *s, const char *folder) {
  char tmp[PATH_MAX];
  snprintf(s->own, sizeof s->own, "%s", folder);
  snprintf(tmp, sizeof tmp, "%s/tmp", s->own);
  make_folder(s->own);
  make_folder(tmp);
  setenv("TMPDIR", tmp, 1);
  set_path("EDGEWISE_DATA_DIR", s, "work/data");
  s->listener = mmap(NULL, sizeof *s->listener, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (s->listener == MAP_FAILED) die("mmap");
}

/* The number of calls, or -1 where the command does not work at all. */
static long undisturbed(sweep *s, const command *c, int *usual) {
  watch w;
  for (int i = 0; i < 2; i++) { /* the first fills the cache of kernels */
    *usual = run_once(s, c, 0, &w);
    if (*usual == (c->is & WRONG ? 3 : 0)) continue;
    printf("%s: undisturbed, it ended with %d: ", c->name, *usual);
    fflush(stdout);
    shell("head -c 400 '%s/stderr' | tr '\\n' ' '; echo", s->own);
    return -1;
  }
  shell("cd '%s' && rm -rf whole_%s && cp -R work whole_%s && cp stdout whole_%s/said", s->base, c->name,
        c->name, c->name);
  return w.count;
}

static outcome try_one(sweep *s, const command *c, long at, int usual) {
  watch w;
  outcome o = {.at = at, .code = run_once(s, c, at, &w)};
  const char *wrong = judge(s, c, o.code, usual, &w);
  if (!wrong) return o;
  char path[PATH_MAX];
  snprintf(o.wrong, sizeof o.wrong, "%.*s", (int)sizeof o.wrong - 1, wrong);
  snprintf(path, sizeof path, "%s/stderr", s->own);
  FILE *f = fopen(path, "r");
  size_t n = f ? fread(o.said, 1, sizeof o.said - 1, f) : 0;
  if (f) fclose(f);
  for (size_t i = 0; i < n; i++)
    if (o.said[i] == '\n') o.said[i] = ' ';
  return o;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The calls that are tried: `wanted` of the `n` from s->first on, or of those that stand for their places. */
typedef struct range {
  long n, wanted, stride, places;
  long *call; /* NULL: each */
} range;

static long common_divisor(long a, long b) { return b == 0 ? a : common_divisor(b, a % b); }

typedef struct place {
  uint64_t site;
  long call;
} place;

static int by_site(const void *a, const void *b) {
  const place *x = a, *y = b;
  return x->site != y->site ? (x->site > y->site) - (x->site < y->site)
                            : (x->call > y->call) - (x->call < y->call);
}

/* Of each place the first calls and the last: what comes between repeats them. */
static void choose_by_site(const sweep *s, long total, range *r) {
  char path[PATH_MAX];
  uint64_t site;
  place *p = calloc((size_t)total + 1, sizeof *p);
  r->call = calloc((size_t)total + 1, sizeof *r->call);
  snprintf(path, sizeof path, "%s/sites", s->own);
  FILE *f = fopen(path, "rb");
  if (!p || !r->call || !f) die(path);
  r->n = 0;
  long n = 0, nth = 0;
  for (; n < total && fread(&site, sizeof site, 1, f) == 1; n++) p[n] = (place){site, n + 1};
  fclose(f);
  qsort(p, (size_t)n, sizeof *p, by_site);
  for (long i = 0; i < n; i++) {
    nth = i > 0 && p[i].site == p[i - 1].site ? nth + 1 : 0;
    r->places += nth == 0;
    bool last = i + 1 == n || p[i].site != p[i + 1].site;
    if ((nth < s->sites || last) && p[i].call >= s->first) r->call[r->n++] = p[i].call;
  }
  free(p);
}

static long call_of(const sweep *s, const range *r, long k) {
  long i = k * r->stride % r->n;
  return r->call ? r->call[i] : s->first + i;
}

/* The k-th call that is tried is first + k stride mod n. The stride is prime to n, so that each has its turn, and by the golden section,
 * so that those tried so far are spread evenly wherever one stops. */
static range choose_range(const sweep *s, long total) {
  range r = {.n = total < s->first ? 0 : total - s->first + 1};
  if (s->sites > 0 && s->by_library && total > 0) choose_by_site(s, total, &r);
  r.wanted = s->most > 0 && s->most < r.n ? s->most : r.n;
  r.stride = (long)(0.6180339887 * (double)r.n) + 1;
  while (r.n > 0 && common_divisor(r.stride, r.n) != 1) r.stride++;
  return r;
}

/* What one job does: every `jobs`-th of the calls that are tried. */
static void do_job(sweep *s, const command *c, long job, range r, int usual, int to) {
  char folder[sizeof s->own];
  snprintf(folder, sizeof folder, "%s/job_%ld", s->base, job);
  work_in(s, folder);
  for (long k = job; k < r.wanted && (s->until == 0 || now() < s->until); k += s->jobs) {
    outcome o = try_one(s, c, call_of(s, &r, k), usual);
    if (write(to, &o, sizeof o) != sizeof o) _exit(1);
  }
  _exit(0);
}

/* Starts all jobs; what they have to say comes from the descriptor that is returned. */
static int start_jobs(sweep *s, const command *c, range r, int usual, pid_t *job) {
  int end[2];
  if (pipe(end) != 0) die("pipe");
  fflush(stdout);
  for (long k = 0; k < s->jobs; k++) {
    job[k] = fork();
    if (job[k] < 0) die("fork");
    if (job[k] > 0) continue;
    close(end[0]);
    do_job(s, c, k, r, usual, end[1]);
  }
  close(end[1]);
  return end[0];
}

typedef struct tally {
  long tried, failures, codes[128];
} tally;

static void count_outcome(tally *t, const command *c, const outcome *o) {
  t->tried++;
  t->codes[o->code < 0 ? 127 : o->code & 127]++;
  if (!*o->wrong) return;
  t->failures++;
  printf("%s: call %ld: %s: %s\n", c->name, o->at, o->wrong, o->said);
}

static void print_row(const sweep *s, const command *c, long total, const range *r, const tally *t) {
  printf("%-14s %-10s %7ld ", c->name, s->kind, total);
  if (s->sites > 0) printf("%7ld ", r->call ? r->places : 0);
  printf("%7ld %8ld  ", t->tried, t->tried - t->failures);
  for (int i = 0; i < 128; i++)
    if (t->codes[i]) printf(" %d: %ld", i == 127 ? -1 : i, t->codes[i]);
  printf("\n");
  fflush(stdout);
}

static void sweep_command(sweep *s, const command *c) {
  int usual, state;
  tally t = {0};
  long total = undisturbed(s, c, &usual), died = 0;
  range r = choose_range(s, total);
  pid_t job[MOST_JOBS];
  outcome o;
  int from = start_jobs(s, c, r, usual, job);
  while (read(from, &o, sizeof o) == sizeof o) count_outcome(&t, c, &o);
  close(from);
  for (long k = 0; k < s->jobs; k++) {
    if (waitpid(job[k], &state, 0) < 0) die("waitpid");
    died += state != 0;
  }
  print_row(s, c, total, &r, &t);
  free(r.call);
  /* a command that makes no such call was not asked at all, and a job that died tells of less than it should */
  if (total < s->by_library || died > 0 || (s->until == 0 && t.tried != r.wanted))
    t.failures++, printf("%s: not all was tried\n", c->name);
  s->tried += t.tried;
  s->failures += t.failures;
}

/* Devices that need no driver load none. */
static void expect_no_calls(sweep *s, const command *c) {
  int usual;
  long total = undisturbed(s, c, &usual);
  printf("%-14s %-10s %7ld         none is expected\n", c->name, s->kind, total);
  s->failures += total != 0;
  s->tried++;
}

/* ---- the whole ---------------------------------------------------------------------------------------------------------------------- */

static void set_up(sweep *s) {
  const char *tmp = getenv("TMPDIR");
  char path[PATH_MAX], real[PATH_MAX];
  snprintf(path, sizeof path, "%s/sweep-XXXXXX", tmp && *tmp ? tmp : "/tmp");
  if (!mkdtemp(path) || !realpath(path, real) || strlen(real) >= sizeof s->base) die(path);
  memcpy(s->base, real, strlen(real) + 1);
  static const char *const FOLDER[][2] = {{"EDGEWISE_CACHE_DIR", "cache"}, {"POCL_CACHE_DIR", "pocl"}};
  for (size_t i = 0; i < sizeof FOLDER / sizeof *FOLDER; i++) {
    snprintf(path, sizeof path, "%s/%s", s->base, FOLDER[i][1]);
    if (mkdir(path, 0700) != 0) die(path);
    setenv(FOLDER[i][0], path, 1);
  }
  setenv("OMP_NUM_THREADS", "1", 1);
  work_in(s, s->base);
  shell(
      "cp -R '%s' '%s/fresh' && cd '%s/fresh' && mkdir -p out data/profiles && cp model.profile "
      "data/profiles/model_model_machine_checks_kernels_as_it_runs_them_slow.profile && "
      "sed 's/^  //' warm.ew >out/untidy.ew && "
      "awk 'BEGIN { print \"%%%%MatrixMarket matrix coordinate real symmetric\"; print 450, 450, 899; "
      "for (i = 1; i <= 450; i++) { print i, i, 2; if (i > 1) print i, i - 1, -1 } }' >out/long.mtx && "
      "awk 'function d(i) { return i %% 7 < 3 ? 10 : 1 } BEGIN { print \"%%%%MatrixMarket matrix coordinate "
      "real symmetric\"; print 450, 450, 899; "
      "for (i = 1; i <= 450; i++) { print i, i, 2*d(i)^2; if (i > 1) print i, i - 1, -d(i)*d(i - 1) } }' "
      ">out/scaled.mtx",
      s->cases, s->base, s->base);
  shell("cd '%s' && cp -R fresh stopped && cd stopped && { SWEEP_STOP=1 '%s' run -q --device c -o out "
        "small.lua; "
        "test $? = 8; }",
        s->base, s->edgewise);
}

static const char *const BY_LIBRARY[] = {"memory", "exhausted", "opencl"};
static const char *const BY_SYSTEM[] = {"full", "eio", "eintr", "short"}; /* as watch_fault has them */

static bool choose_kind(sweep *s, const char *kind) {
  s->kind = kind;
  s->by_library = false;
  for (int i = 0; i < 3; i++) s->by_library = s->by_library || strcmp(kind, BY_LIBRARY[i]) == 0;
  for (int i = 0; i < 4; i++)
    if (strcmp(kind, BY_SYSTEM[i]) == 0) return s->fault = (watch_fault)i, true;
  return s->by_library;
}

static bool is_wanted(const sweep *s, const command *c, char **name, int n) {
  if (!(c->is & OPENCL) == (strcmp(s->kind, "opencl") == 0)) return false;
  if (n == 0) return !((c->is & SLOW) && s->most > 0);
  for (int i = 0; i < n; i++)
    if (strcmp(c->name, name[i]) == 0) return true;
  return false;
}

/* Whether there are calls to count that this command should not make: a device that needs no driver loads none. */
static bool needs_no_driver(const sweep *s, const command *c, int named) {
  return named == 0 && !(c->is & COMPILER) && !(c->is & OPENCL) && strcmp(s->kind, "opencl") == 0;
}

/* False where the system does not allow it. Of the time that is left for all kinds, this one takes its share. */
static bool sweep_kind(sweep *s, const char *kind, char **name, int n, int kinds_left) {
  int left = 0;
  if (choose_kind(s, kind), !s->by_library && !watch_possible()) {
    printf("%-14s %-10s this system does not let calls be watched\n", "-", kind);
    return false;
  }
  double end = s->end == 0 ? 0 : now() + (s->end - now()) / kinds_left;
  for (int i = 0; i < N_COMMANDS; i++) left += is_wanted(s, &COMMAND[i], name, n);
  for (int i = 0; i < N_COMMANDS; i++) {
    const command *c = &COMMAND[i];
    if (needs_no_driver(s, c, n)) expect_no_calls(s, c);
    if (!is_wanted(s, c, name, n)) continue;
    s->until = s->end == 0 ? 0 : now() + (end - now()) / left--;
    sweep_command(s, c);
  }
  return true;
}

static bool sweep_kinds(sweep *s, const char *kind, char **name, int n) {
  bool asked = true;
  printf("%-14s %-10s %7s %s%7s %8s   %s\n", "command", "kind", "calls", s->sites > 0 ? " places " : "",
         "tried", "survived", "exit code: runs");
  fflush(stdout);
  if (strcmp(kind, "all") != 0) return sweep_kind(s, kind, name, n, 1);
  for (int i = 0; i < 3; i++) asked = sweep_kind(s, BY_LIBRARY[i], name, n, 7 - i) && asked;
  for (int i = 0; i < 4; i++) asked = sweep_kind(s, BY_SYSTEM[i], name, n, 4 - i) && asked;
  return asked;
}

/* Options with their values; the index of what follows them, or 0. */
static int read_options(sweep *s, int argc, char **argv) {
  int at = 6;
  for (; at + 1 < argc && argv[at][0] == '-'; at += 2) {
    if (strcmp(argv[at], "-n") == 0) s->most = atol(argv[at + 1]);
    else if (strcmp(argv[at], "-f") == 0) s->first = atol(argv[at + 1]);
    else if (strcmp(argv[at], "--jobs") == 0) s->jobs = atol(argv[at + 1]);
    else if (strcmp(argv[at], "--sites") == 0) s->sites = atol(argv[at + 1]);
    else if (strcmp(argv[at], "--seconds") == 0) s->end = now() + atof(argv[at + 1]);
    else if (strcmp(argv[at], "--opencl") == 0) s->driver = argv[at + 1];
    else return fprintf(stderr, "sweep: there is no option '%s'\n", argv[at]), 0;
  }
  if (s->sites >= 0 && s->jobs >= 1 && s->jobs <= MOST_JOBS && s->first >= 1) return at;
  return fprintf(stderr, "sweep: 1 to %d jobs, calls from 1 on\n", MOST_JOBS), 0;
}

int main(int argc, char **argv) {
  if (argc < 6)
    return fprintf(
               stderr,
               "usage: sweep KIND FAILING.so DSLC EDGEWISE CASES [-n MOST] [-f FIRST] [--sites N] [--jobs N] "
               "[--seconds S] [--opencl DEVICE] [NAME...]\n"),
           2;
  static char program[4][PATH_MAX]; /* runs have folders of their own */
  for (int i = 0; i < 4; i++)
    if (!realpath(argv[i + 2], program[i])) die(argv[i + 2]);
  sweep s = {.library = program[0],
             .dslc = program[1],
             .edgewise = program[2],
             .cases = program[3],
             .driver = "cpu",
             .first = 1,
             .jobs = 1};
  int at = read_options(&s, argc, argv);
  if (at == 0) return 2;
  if (!choose_kind(&s, argv[1]) && strcmp(argv[1], "all") != 0)
    return fprintf(stderr, "sweep: there is no kind '%s'\n", argv[1]), 2;
  set_up(&s);
  bool asked = sweep_kinds(&s, argv[1], argv + at, argc - at);
  printf("%s: %ld tried, %ld failed\n", argv[1], s.tried, s.failures);
  if (s.failures == 0) shell("rm -rf '%s'", s.base);
  else printf("see %s\n", s.base);
  return s.failures > 0 ? 1 : asked ? 0 : SKIPPED;
}
