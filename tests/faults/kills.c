/* kills EDGEWISE CASES [-n KILLS] [-w WALLTIMES] [-s SEED] [--jobs N] [NAME...]: runs each case once without a disturbance, then again and again with
 * SIGKILL at random moments (or --walltime of random length), each time resumed, until it ends; then compares all files with those of
 * the undisturbed run, bit by bit, and looks for anything left behind. CASES holds NAME.lua. The numbers are for all cases together,
 * and for all jobs, which work side by side, each in a folder of its own. Exit status: 0, or 1 where anything differed. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "child.h"

enum {
  MOST_CASES = 16,
  MOST_JOBS = 256,
  MOST_RESTARTS = 400,
  DONE = 0,
  NOTHING_TO_RESUME = 7,
  STOPPED = 8,
  STOPPED_EARLY = 142
};

typedef struct sweep {
  const char *program, *cases;
  int kills, walltimes;
  int killed, timed, restarts, rounds, failures;
  unsigned long long random;
  char base[PATH_MAX / 2], tmp[PATH_MAX];
} sweep;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* xorshift64*: the same moments for the same seed, as far as machines go. */
static double uniform(sweep *s) {
  s->random ^= s->random >> 12;
  s->random ^= s->random << 25;
  s->random ^= s->random >> 27;
  return (double)((s->random * 2685821657736338717ULL) >> 11) / 9007199254740992.0;
}

/* ---- running ---------------------------------------------------------------------------------------------------------------- */

static pid_t start(const sweep *s, const char *command, const char *name, const char *out,
                   const char *walltime) {
  char file[PATH_MAX];
  snprintf(file, sizeof file, "%s/%s.lua", s->cases, name);
  const char *words[] = {
      s->program, command, "-q", "--device", "c", "-o", out, file, walltime ? "--walltime" : NULL,
      walltime,   NULL};
  pid_t pid = fork();
  if (pid < 0) die("fork");
  if (pid > 0) return pid;
  char log[PATH_MAX];
  snprintf(log, sizeof log, "%s/log", s->base);
  int fd = open(log, O_WRONLY | O_CREAT | O_APPEND, 0666);
  if (fd < 0 || dup2(fd, 2) < 0) _exit(126);
  execv(s->program, (char *const *)words);
  _exit(127);
}

static int finish(pid_t pid) {
  int state;
  while (waitpid(pid, &state, 0) < 0)
    if (errno != EINTR) die("waitpid");
  return WIFEXITED(state) ? WEXITSTATUS(state) : -WTERMSIG(state);
}

/* Kills after the delay, unless the program has ended. */
static int kill_after(pid_t pid, double delay) {
  struct timespec t = {(time_t)delay, (long)(1e9 * (delay - (double)(time_t)delay))};
  nanosleep(&t, NULL);
  kill(pid, SIGKILL);
  return finish(pid);
}

/* One time through: run, then resume as often as it takes. */
static bool disturb(sweep *s, const char *name, const char *out, double length) {
  const char *command = "run";
  bool by_time = s->killed >= s->kills;
  for (int i = 0; i < MOST_RESTARTS; i++, s->restarts++) {
    bool more = by_time ? s->timed < s->walltimes : s->killed < s->kills;
    double delay = length * (0.02 + 1.1 * uniform(s));
    char text[32];
    snprintf(text, sizeof text, "%.6f", delay);
    pid_t pid = start(s, command, name, out, more && by_time ? text : NULL);
    int code = more && !by_time ? kill_after(pid, delay) : finish(pid);
    if (code == -SIGKILL) s->killed++;
    if (code == STOPPED || code == STOPPED_EARLY) s->timed++;
    if (code == DONE) return true;
    if (code == NOTHING_TO_RESUME || code == STOPPED_EARLY ||
        (code == -SIGKILL && strcmp(command, "run") == 0))
      command = strcmp(command, "run") == 0 ? "resume" : "run";
    else if (code == -SIGKILL || code == STOPPED) command = "resume";
    else {
      printf("%s: %s ended with %d\n", name, command, code);
      return false;
    }
  }
  printf("%s: does not come to its end\n", name);
  return false;
}

/* ---- comparing -------------------------------------------------------------------------------------------------------------- */

/* What tells of one run alone: times it took, where it was resumed. */
static bool is_of_the_run(const char *file) {
  return strcmp(file, "run.json") == 0 || strcmp(file, "checkpoint.ew") == 0 ||
         strcmp(file, "checkpoint.old.ew") == 0 || strcmp(file, "checkpoint.previous.ew") == 0 ||
         strcmp(file, "run.previous.json") == 0;
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

/* Files of `a` that `b` lacks or has otherwise. Returns how many. */
static int compare(const char *name, const char *a, const char *b, bool bytes) {
  DIR *d = opendir(a);
  int wrong = 0;
  if (!d) die(a);
  for (const struct dirent *e; (e = readdir(d));) {
    char x[PATH_MAX], y[PATH_MAX];
    if (e->d_name[0] == '.' || is_of_the_run(e->d_name)) continue;
    snprintf(x, sizeof x, "%s/%s", a, e->d_name);
    snprintf(y, sizeof y, "%s/%s", b, e->d_name);
    bool good = bytes ? same_bytes(x, y) : access(y, F_OK) == 0;
    if (!good) printf("%s: %s %s\n", name, e->d_name, bytes ? "differs or is missing" : "is left behind");
    wrong += !good;
  }
  closedir(d);
  return wrong;
}

static int count_entries(const char *folder, bool clear) {
  DIR *d = opendir(folder);
  int n = 0;
  if (!d) die(folder);
  for (const struct dirent *e; (e = readdir(d));) {
    if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
    if (clear) unlinkat(dirfd(d), e->d_name, 0);
    n++;
  }
  closedir(d);
  return n;
}

static void round_of(sweep *s, const char *name, double length) {
  char out[PATH_MAX], reference[PATH_MAX];
  snprintf(out, sizeof out, "%s/%s.out", s->base, name);
  snprintf(reference, sizeof reference, "%s/%s.whole", s->base, name);
  if (mkdir(out, 0777) != 0 && errno != EEXIST) die(out);
  count_entries(out, true);
  int wrong = !disturb(s, name, out, length);
  if (!wrong) wrong = compare(name, reference, out, true) + compare(name, out, reference, false);
  s->failures += wrong > 0;
  s->rounds++;
}

/* ---- the whole ---------------------------------------------------------------------------------------------------------------- */

static double undisturbed(sweep *s, const char *name) {
  char out[PATH_MAX];
  double begun = 0;
  snprintf(out, sizeof out, "%s/%s.whole", s->base, name);
  for (int i = 0; i < 2; i++) { /* the first fills the cache of kernels */
    begun = now();
    int code = finish(start(s, "run", name, out, NULL));
    if (code != 0) {
      printf("%s: the undisturbed run ended with %d; see %s/log\n", name, code, s->base);
      exit(1);
    }
  }
  return now() - begun;
}

static void set_up(sweep *s) {
  const char *tmp = getenv("TMPDIR");
  char cache[PATH_MAX];
  snprintf(s->base, sizeof s->base, "%s/kills-XXXXXX", tmp && *tmp ? tmp : "/tmp");
  if (!mkdtemp(s->base)) die(s->base);
  snprintf(s->tmp, sizeof s->tmp, "%s/tmp", s->base);
  snprintf(cache, sizeof cache, "%s/cache", s->base);
  if (mkdir(s->tmp, 0700) != 0) die(s->tmp);
  setenv("TMPDIR", s->tmp, 1);
  setenv("EDGEWISE_CACHE_DIR", cache, 1);
}

static void tear_down(sweep *s) {
  int left = count_entries(s->tmp, false);
  if (left > 0) printf("%d entries are left among the temporary files: %s\n", left, s->tmp);
  s->failures += left > 0;
  if (s->failures > 0) {
    printf("see %s\n", s->base);
    return;
  }
  char command[PATH_MAX];
  snprintf(command, sizeof command, "rm -rf '%s'", s->base);
  if (system(command) != 0) printf("%s stays\n", s->base);
}

static void sweep_cases(sweep *s, const char *const *name, int n) {
  double length[MOST_CASES];
  set_up(s);
  for (int i = 0; i < n; i++) length[i] = undisturbed(s, name[i]);
  for (int i = 0; s->failures == 0 && (s->killed < s->kills || s->timed < s->walltimes); i++)
    round_of(s, name[i % n], length[i % n]);
  tear_down(s);
}

/* ---- jobs --------------------------------------------------------------------------------------------------------------------- */

/* A job's share of the kills and walltimes; it tells of itself as a whole sweep, in one piece. */
static void do_job(sweep s, int job, int jobs, const char *const *name, int n, int to) {
  s.kills = s.kills / jobs + (job < s.kills % jobs);
  s.walltimes = s.walltimes / jobs + (job < s.walltimes % jobs);
  s.random ^= (unsigned long long)job * 0xd1342543de82ef95ULL;
  sweep_cases(&s, name, n);
  int told[] = {s.killed, s.timed, s.restarts, s.rounds, s.failures};
  fflush(stdout);
  _exit(write(to, told, sizeof told) == sizeof told ? 0 : 1);
}

static void sweep_in_jobs(sweep *s, int jobs, const char *const *name, int n) {
  int end[2], told[5], heard = 0;
  if (pipe(end) != 0) die("pipe");
  for (int k = 0; k < jobs; k++) {
    pid_t pid = fork();
    if (pid < 0) die("fork");
    if (pid == 0) do_job(*s, k, jobs, name, n, end[1]);
  }
  close(end[1]);
  for (; read(end[0], told, sizeof told) == sizeof told; heard++) {
    s->killed += told[0], s->timed += told[1], s->restarts += told[2], s->rounds += told[3];
    s->failures += told[4];
  }
  while (wait(NULL) > 0) continue;
  if (heard < jobs) printf("%d of %d jobs ended before their work\n", jobs - heard, jobs);
  s->failures += jobs - heard;
}

int main(int argc, char **argv) {
  static const char *const DEFAULT[] = {"cells", "grid", "nodes"};
  sweep s = {.kills = 30, .walltimes = 6, .random = 88172645463325252ULL};
  const char *name[MOST_CASES];
  int n = 0, jobs = 1;
  if (argc < 3)
    return fprintf(stderr,
                   "usage: kills EDGEWISE CASES [-n KILLS] [-w WALLTIMES] [-s SEED] [--jobs N] [NAME...]\n"),
           2;
  s.program = argv[1];
  s.cases = argv[2];
  for (int i = 3; i < argc && n < MOST_CASES; i++) {
    bool has_value = i + 1 < argc;
    if (strcmp(argv[i], "-n") == 0 && has_value) s.kills = atoi(argv[++i]);
    else if (strcmp(argv[i], "-w") == 0 && has_value) s.walltimes = atoi(argv[++i]);
    else if (strcmp(argv[i], "--jobs") == 0 && has_value) jobs = atoi(argv[++i]);
    else if (strcmp(argv[i], "-s") == 0 && has_value)
      s.random ^= strtoull(argv[++i], NULL, 10) * 0x9e3779b97f4a7c15ULL;
    else name[n++] = argv[i];
  }
  for (; n == 0 || (n < 3 && name[0] == DEFAULT[0]); n++) name[n] = DEFAULT[n];
  if (jobs < 1 || jobs > MOST_JOBS) return fprintf(stderr, "kills: 1 to %d jobs\n", MOST_JOBS), 2;
  sweep_in_jobs(&s, jobs, name, n);
  printf("%d kills, %d walltimes, %d restarts in %d rounds: %d failed\n", s.killed, s.timed, s.restarts,
         s.rounds, s.failures);
  return s.failures > 0;
}
