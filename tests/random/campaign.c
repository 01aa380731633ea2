/* A campaign over many seeds: processes that take one seed after the other from a shared counter.
 *
 * What they share is one piece of memory: the next seed, and for each process its account and the seed it is at. So nothing is lost
 * with a process that dies: its seed has failed, and another one goes on in its place with the same account. A campaign that ends before
 * its last seed, by a signal or for want of processes, says so after what it has found, and has failed. */
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/timing.h"
#include "mesh/random.h"
#include "random.h"

enum {
  LONGEST_SEED = 300,   /* s; what takes longer hangs, */
  LONGEST_BUILD = 1000, /* or a driver's compiler is slow: PoCL takes minutes for a hundred kilobytes */
  MOST_SEEDS = 200, /* of one process: PoCL keeps every program mapped, and aborts when it may map no more */
  DEVICE_LOST = 80  /* status of a process whose driver has failed: another one goes on */
};

typedef struct worker {
  pid_t process; /* 0: none */
  uint64_t seed;
  bool done; /* it has found no seed left: any other end is a fault, */
  bool full; /* but that after MOST_SEEDS */
  char folder[1100];
  tally tally;
} worker;

typedef struct campaign {
  _Atomic uint64_t next;
  double begun, until; /* until 0: no end */
  int n;
  worker worker[];
} campaign;

/* ---- one process ------------------------------------------------------------------------------------------------------- */

/* Whether the file of seeds whose failure is known names this one: a seed begins its line. */
static bool is_known(const options *o, uint64_t seed) {
  char line[256];
  bool found = false;
  FILE *f = o->known ? fopen(o->known, "r") : NULL;
  while (f && !found && fgets(line, sizeof line, f)) found = strtoull(line, NULL, 10) == seed;
  if (f) fclose(f);
  return found;
}

/* A scheme is on grids, at nodes or on meshes, and some of these are of a kind of their own. */
static const char *const places[] = {"grid", "nodes", "mesh"};
static const struct {
  const char *name;
  construct mark;
} kinds[] = {{"crowded", C_CROWDED}, {"corners", C_CORNERS}, {"chains", C_CHAINS}, {"values", C_VALUES},
             {"ranks", C_RANKS},     {"sides", C_SIDES},     {"named", C_NAMES}};
enum { PLACES = sizeof places / sizeof *places, KINDS = sizeof kinds / sizeof *kinds };

static bool is_of_kind(const char *kind, const int count[CONSTRUCTS]) {
  const bool on_grid = count[C_ON_GRID1] + count[C_ON_GRID2] + count[C_ON_GRID3] > 0;
  bool is = strcmp(kind, places[on_grid ? 0 : count[C_AT_NODES] ? 1 : 2]) == 0;
  for (int i = 0; i < KINDS; i++) is = is || (strcmp(kind, kinds[i].name) == 0 && count[kinds[i].mark]);
  return is;
}

bool kind_is_known(const char *kind) {
  bool known = false;
  for (int i = 0; i < PLACES; i++) known = known || strcmp(kind, places[i]) == 0;
  for (int i = 0; i < KINDS; i++) known = known || strcmp(kind, kinds[i].name) == 0;
  return known;
}

/* The text of a seed: that of the file that the options name, of one of the folder's, or drawn. */
static char *scheme_of(const options *o, uint64_t seed, int *dims, int count[CONSTRUCTS]) {
  if (!o->scheme && !o->from) return gen_scheme(seed, dims, count);
  char *text = o->scheme ? read_whole(o->scheme) : draw_kept(o->from, seed);
  if (!text && o->scheme) perror(o->scheme);
  if (!text) return NULL;
  const char *on = strstr(text, "grid(");
  on = on ? on : strstr(text, "mesh(");
  *dims = on && on[5] >= '1' && on[5] <= '3' ? on[5] - '0' : 2;
  return text;
}

static bool try_seed(const options *o, tally *t, uint64_t seed) {
  int count[CONSTRUCTS] = {0};
  subject s = {.seed = seed};
  s.text = scheme_of(o, seed, &s.dims, count);
  if (!s.text) return false;
  const bool rename = !o->scheme && !o->vary && random_seed(seed + 817) % 6 == 0;
  count[C_NAMES] = rename; /* to name a scheme compiles it: not those of other kinds */
  if (o->kind && !is_of_kind(o->kind, count)) return free(s.text), true;
  count[C_NAMES] = 0;
  if (rename) {
    char *written = s.text;
    s.text = name_as_kernels(o, &s);
    s.renamed = s.text && strcmp(s.text, written) != 0;
    free(written);
    if (!s.text) return false;
    if (s.renamed) count[C_NAMES] = 1;
  }
  if (o->kind && !is_of_kind(o->kind, count)) return free(s.text), true;
  if (o->vary) {
    char *written = s.text;
    s.second = o->from ? draw_kept(o->from, seed ^ 0x2ec0d) : NULL;
    s.text = vary_scheme(o, &s);
    free(written), free(s.second);
    if (!s.text) return false;
  }
  if (o->print) fputs(s.text, stdout);
  t->made++;
  /* Of what is written to be seen through, the refusal counts. */
  bool ran = try_subject(o, t, &s);
  if (!o->vary && (ran || count[C_SUSPECT])) count_constructs(t, count);
  free(s.text);
  return true;
}

static bool has_driver(const options *o) {
  bool has = false;
  for (int i = 0; i < o->n_devices; i++)
    has = has || strcmp(o->device[i], "cpu") == 0 || strcmp(o->device[i], "gpu") == 0;
  return has;
}

/* What a seed has to say leaves in one piece, between the reports of the other processes. */
static void take_seeds(const options *all, campaign *c, worker *w) {
  options o = *all;
  o.folder = w->folder;
  setvbuf(stdout, NULL, _IOFBF, 1 << 16);
  for (int taken = 0;; taken++) {
    if (c->until > 0 && ew_seconds() > c->until) break;
    w->full = taken == MOST_SEEDS;
    if (w->full) exit(0);
    w->seed = atomic_fetch_add(&c->next, 1);
    if (w->seed > o.last) break;
    alarm(has_driver(&o) ? LONGEST_BUILD : LONGEST_SEED);
    if (!is_known(&o, w->seed) && !try_seed(&o, &w->tally, w->seed)) count_failure(&w->tally, w->seed);
    if (w->tally.lost) exit(DEVICE_LOST);
    fflush(stdout);
  }
  alarm(0);
  w->done = true;
}

/* ---- all of them --------------------------------------------------------------------------------------------------------- */

static volatile sig_atomic_t stopped_by; /* 0: nobody has */
static volatile sig_atomic_t account_due;

static void note_signal(int number) { stopped_by = number; }
static void note_account(int number) { account_due = number; }

static void answer_signals(void (*answer)(int)) {
  static const int numbers[] = {SIGHUP, SIGINT, SIGTERM};
  struct sigaction how = {.sa_handler = answer};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) sigaction(numbers[i], &how, NULL);
}

static bool start(const options *o, campaign *c, worker *w) {
  fflush(stdout);
  const pid_t process = fork(); /* the worker is shared: only its parent may write here who it is */
  if (process < 0) return perror("fork"), false;
  if (process > 0) return w->process = process, true;
  answer_signals(SIG_DFL);
  signal(SIGALRM, SIG_DFL);
  take_seeds(o, c, w);
  exit(0);
}

/* The scheme that a process was at, as its folder has it. */
static void keep_last(const options *o, const worker *w) {
  char path[1300];
  snprintf(path, sizeof path, "%s/scheme.ew", w->folder);
  char *text = read_whole(path);
  snprintf(path, sizeof path, "%s/%llu", o->keep, (unsigned long long)w->seed);
  mkdir(o->keep, 0777);
  if (text && mkdir(path, 0777) == 0 && save_text(path, "scheme.ew", text)) printf("  kept in %s\n", path);
  free(text);
}

/* A process has ended: by the last seed, or by the last it may take, for want of its device, which is reported, or by a fault of a seed. */
static void replace(const options *o, campaign *c, worker *w, int status) {
  w->process = 0;
  if (w->done || stopped_by) return;
  if (w->tally.lost || w->full) {
    w->tally.lost = w->full = false;
    start(o, c, w);
    return;
  }
  printf("FAIL seed %llu: its process ended %s %d\n", (unsigned long long)w->seed,
         WIFSIGNALED(status) ? "by signal" : "with status",
         WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
  keep_last(o, w);
  count_failure(&w->tally, w->seed);
  start(o, c, w);
}

/* Whoever ends a machine without a word does not take the account with it. */
static void say_so_far(const options *o, const campaign *c) {
  tally *sum = account_due ? calloc(1, sizeof *sum) : NULL;
  account_due = 0;
  if (!sum) return;
  for (int i = 0; i < c->n; i++) merge_tally(sum, &c->worker[i].tally);
  fputs("so far: ", stdout);
  print_runs(sum, ew_seconds() - c->begun);
  fflush(stdout);
  free(sum);
  alarm((unsigned)o->account);
}

static void wait_for_all(const options *o, campaign *c) {
  struct sigaction how = {.sa_handler = note_account};
  sigaction(SIGALRM, &how, NULL);
  alarm((unsigned)o->account);
  for (;;) {
    int status = 0;
    say_so_far(o, c);
    pid_t ended = wait(&status);
    for (int i = 0; stopped_by && i < c->n; i++)
      if (c->worker[i].process > 0) kill(c->worker[i].process, SIGTERM);
    if (ended < 0 && errno == EINTR) continue;
    if (ended < 0) return;
    for (int i = 0; i < c->n; i++)
      if (c->worker[i].process == ended) {
        replace(o, c, &c->worker[i], status);
        break;
      }
  }
}

/* Have all seeds been taken that there was time for? What is missing is said. */
static bool is_complete(const options *o, campaign *c) {
  const uint64_t next = atomic_load(&c->next);
  const bool late = c->until > 0 && ew_seconds() > c->until;
  if (late && stopped_by) printf("cut off when the time was over, in a driver's compiler or a long run\n");
  if (late || (!stopped_by && next > o->last)) return true;
  if (stopped_by) printf("FAIL ended by signal %d", (int)stopped_by);
  else printf("FAIL ended, as no process is left");
  printf(" before seed %llu; %llu was the last to be tried\n", (unsigned long long)next,
         (unsigned long long)o->last);
  return false;
}

bool run_campaign(const options *o, tally *total) {
  size_t size = sizeof(campaign) + sizeof(worker) * (size_t)o->jobs;
  campaign *c = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (c == MAP_FAILED) return perror("mmap"), false;
  atomic_store(&c->next, o->first);
  c->begun = ew_seconds();
  c->until = o->seconds > 0 ? c->begun + o->seconds : 0;
  c->n = o->jobs;
  bool good = false;
  answer_signals(note_signal);
  for (int i = 0; i < c->n; i++) {
    worker *w = &c->worker[i];
    snprintf(w->folder, sizeof w->folder, "%s/%d", o->folder, i);
    if (mkdir(w->folder, 0777) == 0 && start(o, c, w)) good = true;
  }
  wait_for_all(o, c);
  good = is_complete(o, c) && good;
  for (int i = 0; i < c->n; i++) merge_tally(total, &c->worker[i].tally), remove_folder(c->worker[i].folder);
  munmap(c, size);
  return good;
}
