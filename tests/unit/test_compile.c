/* How long compiling takes and how much memory it keeps, through the whole pipeline: the shipped schemes within 50 ms of the
 * processor's time, generated ones of n and 2n equations or terms in linear time and memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <dirent.h>
#include <malloc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "dslc.h"

#ifdef __SANITIZE_ADDRESS__
enum { SLACK = 20, SANITIZED = 1 }; /* a debug build with every access checked */
#elif !defined __OPTIMIZE__
enum {
  SLACK = 8,
  SANITIZED = 0
}; /* a debug build, which looks at every plan and kernel again; with gcov's counters 3.6 was measured */
#else
enum { SLACK = 1, SANITIZED = 0 };
#endif

/* Whoever shares the caches and the memory of a virtual machine slows it down by half, for seconds: the shipped schemes are asked for
 * again for as long as that takes. */
enum { REPEATS = 3, PATIENCE = 6, LONG_PATIENCE = 15, TIGHT_MS = 50, YARDSTICK_MS = 8 };
/* Times TIGHT_MS that a check may take which plans every combination of variants; those of SIMPLE-TS are sixteen. */
enum { COMBINATIONS = 6 };

typedef struct cost {
  double seconds; /* of the processor: a loaded machine does not count */
  size_t bytes;   /* held while the program lives */
} cost;

static size_t held(void) {
  struct mallinfo2 m = mallinfo2();
  return m.uordblks + m.hblkhd;
}

/* Status of one compilation; `first` gets its first message where it has one. */
static int compile(const dslc_options *o, cost *c, char **first) {
  dslc_program *p = NULL;
  dslc_messages *m = NULL;
  size_t size = 0, before = held();
  clock_t begun = clock();
  int status = dslc_compile(o, &p, &m);
  *c = (cost){(double)(clock() - begun) / CLOCKS_PER_SEC, held() - before};
  FILE *f = open_memstream(first, &size);
  assert_non_null(f);
  dslc_messages_print(m, f, false);
  fclose(f);
  dslc_program_destroy(&p);
  dslc_messages_destroy(&m);
  return status;
}

/* The least of some compilations that must succeed: what else the machine does only adds to it. */
static cost least(const dslc_options *o) {
  cost best = {0};
  for (int i = 0; i < REPEATS; i++) {
    char *text = NULL;
    cost one;
    if (compile(o, &one, &text) != 0) fail_msg("%s", text);
    if (i == 0 || one.seconds < best.seconds) best = one;
    free(text);
  }
  return best;
}

/* ---- shipped schemes -------------------------------------------------------------------------------------- */

typedef void visit(const char *path);

static int each_scheme(visit *with) {
  DIR *folder = opendir(EW_SOURCE_DIR "/schemes");
  int n = 0;
  assert_non_null(folder);
  for (struct dirent *e; (e = readdir(folder));) {
    size_t length = strlen(e->d_name);
    char path[1024];
    if (length < 4 || strcmp(e->d_name + length - 3, ".ew") != 0) continue;
    snprintf(path, sizeof path, "%s/schemes/%s", EW_SOURCE_DIR, e->d_name);
    with(path);
    n++;
  }
  closedir(folder);
  return n;
}

static int by_value(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

/* How much longer than YARDSTICK_MS, which it took where the limits were set, some fixed work of the kind that a compiler does takes
 * now, here: memory, branches, numbers to text. At least 1. */
static double slowness(void) {
  enum { N = 40000 };
  static uint32_t number[N];
  static char text[N * 12];
  double best = INFINITY;
  for (int again = 0; again < 3; again++) {
    clock_t begun = clock();
    for (uint32_t i = 0, x = 1; i < N; i++) number[i] = x = x * 1664525u + 1013904223u;
    qsort(number, N, sizeof *number, by_value);
    for (size_t i = 0, at = 0; i < N; i++)
      at += (size_t)snprintf(text + at, sizeof text - at, "%u ", number[i]);
    double ms = (double)(clock() - begun) / CLOCKS_PER_SEC * 1e3;
    if (text[0] && ms < best) best = ms;
  }
  return best > YARDSTICK_MS ? best / YARDSTICK_MS : 1;
}

/* Milliseconds; a slower machine is given more, but no more than three times as much. */
static double tight_limit(const dslc_options *o) {
  const double combinations = o->check_only && !o->quick ? COMBINATIONS : 1;
  return combinations * TIGHT_MS * SLACK * fmin(slowness(), 3);
}

static void within_time(const dslc_options *o) {
  char *text = NULL;
  cost c;
  int status = compile(o, &c, &text);
  bool beyond = strstr(text, "declares no scheme") || strstr(text, "cannot be built yet");
  if (status != 0 && !beyond) fail_msg("%s", text);
  free(text);
  if (status != 0) return;
  for (int again = 0; again < LONG_PATIENCE && c.seconds * 1e3 > tight_limit(o); again++) {
    cost more = least(o);
    if (more.seconds < c.seconds) c = more;
    else sleep(1);
  }
  double limit = tight_limit(o);
  if (c.seconds * 1e3 > limit) fail_msg("%s took %.1f ms, limit %.1f ms", o->path, c.seconds * 1e3, limit);
}

static void check_one(const char *path) {
  within_time(&(dslc_options){.path = path, .check_only = true, .quick = true, .n_rules = -1, .n_show = -1});
  within_time(&(dslc_options){.path = path, .check_only = true, .n_rules = -1, .n_show = -1});
}

static void build_one(const char *path) {
  for (int cpu = 0; cpu < 2; cpu++)
    within_time(&(dslc_options){.path = path, .faces_per_cell = 3, .cpu = cpu, .n_rules = -1, .n_show = -1});
}

/* Memory that was freed stays with the process: what its kernel takes to hand out fresh pages is no work of the compiler, and differs
 * between machines several times over. */
static void keep_freed_memory(void) {
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_TOP_PAD, 1 << 26);
}

static void test_check_is_quick(void **state) {
  (void)state;
  keep_freed_memory();
  assert_true(each_scheme(check_one) >= 10);
}

static void test_build_is_quick(void **state) {
  (void)state;
  printf("slowness %.2f\n", slowness());
  assert_true(each_scheme(build_one) >= 10);
}

/* ---- generated schemes --------------------------------------------------------------------------------------- */

typedef void body(FILE *to, int n);

static const char HEAD[] = "scheme grown on mesh(2) {\n  state s @ cells\n";
static const char TAIL[] = "  dt = 0.1\n"
                           "  step { update s = s + dt*(last - 1/volume*sum(f of c) area*F) }\n}\n";

static const char GRID_HEAD[] = "scheme grown on grid(1) {\n  state s @ cells\n";
static const char GRID_TAIL[] = "  dt = 0.1\n"
                                "  step { update s = s + dt*last }\n}\n";

/* Each reads the one before, where it is itself. */
static void chain(FILE *to, int n) {
  fprintf(to, "  e1 @ cells = s\n");
  for (int i = 2; i <= n; i++) fprintf(to, "  e%d @ cells = e%d*1.0%d + s\n", i, i - 1, i);
  fprintf(to, "  last @ cells = e%d\n  flux F @ faces = s[L] - s[R]\n", n);
}

/* Each reads the one before in the cells around: every one is stored, by a kernel of its own. */
static void stored(FILE *to, int n) {
  fprintf(to, "  e1 @ cells = s\n");
  for (int i = 2; i <= n; i++) fprintf(to, "  e%d @ cells = sum(f of c to d) e%d[d]*0.0%d\n", i, i - 1, i);
  fprintf(to, "  last @ cells = e%d\n  flux F @ faces = s[L] - s[R]\n", n);
}

/* All are stored, by one kernel, and read by one cell after another. */
static void side_by_side(FILE *to, int n) {
  for (int i = 1; i <= n; i++) fprintf(to, "  e%d @ cells = sum(f of c to d) s[d]*1.0%d\n", i, i);
  fprintf(to, "  last @ cells = sum(f of c to d) (e1[d]");
  for (int i = 2; i <= n; i++) fprintf(to, "\n    + e%d[d]", i);
  fprintf(to, ")\n  flux F @ faces = s[L] - s[R]\n");
}

static void terms(FILE *to, int n) {
  fprintf(to, "  last @ cells = s\n  flux F @ faces = (s[L] - s[R])*(1");
  for (int i = 1; i <= n; i++) fprintf(to, " + (s[L] + s[R])*%d.5", i);
  fprintf(to, ")\n");
}

/* Comparisons, of which passes make arithmetic, and choices between bools. */
static void conditions(FILE *to, int n) {
  fprintf(to, "  e1 @ cells = s\n");
  for (int i = 2; i <= n; i++)
    fprintf(to, "  e%d @ cells = if e%d > %d.5 and s < %d.5 then e%d else s*1.0%d\n", i, i - 1, i, i, i - 1,
            i);
  fprintf(to, "  last @ cells = e%d\n  flux F @ faces = s[L] - s[R]\n", n);
}

/* Of which each component is a value of its own, */
static void vectors(FILE *to, int n) {
  fprintf(to, "  v @ cells = (s, s^2)\n  e1 @ cells = v\n");
  for (int i = 2; i <= n; i++) fprintf(to, "  e%d @ cells = e%d + dot(v, v)*v*%d.5\n", i, i - 1, i);
  fprintf(to, "  last @ cells = dot(e%d, v)\n  flux F @ faces = s[L] - s[R]\n", n);
}

/* and of which quotients share a divisor. */
static void quotients(FILE *to, int n) {
  fprintf(to, "  last @ cells = s");
  for (int i = 1; i <= n; i++) fprintf(to, " + (s + %d.5)/(1 + s^2) + s/(%d.5 + s^2)", i, i);
  fprintf(to, "\n  flux F @ faces = s[L] - s[R]\n");
}

/* A divisor of n terms along one axis, each of which stands in the next one twice. */
static void divisor(FILE *to, int n) {
  fprintf(to, "  last @ cells = s/a%d where a0 = dx[i] + dx[i-1]", n);
  for (int i = 1; i <= n; i++) fprintf(to, ",\n    a%d = a%d*a%d + a%d", i, i - 1, i - 1, i - 1);
  fprintf(to, "\n");
}

/* Sums of one axis as equations, each reading the one before at two points; beyond a depth they are no lines any more. */
static void lines(FILE *to, int n) {
  for (int k = 0; k < n; k++) {
    fprintf(to, "  a%d_0 @ cells = dx[i] + dx[i-1]\n", k);
    for (int i = 1; i <= 14; i++)
      fprintf(to, "  a%d_%d @ cells = a%d_%d[i] + a%d_%d[i-1]\n", k, i, k, i - 1, k, i - 1);
  }
  fprintf(to, "  last @ cells = s");
  for (int k = 0; k < n; k++) fprintf(to, " + s/(a%d_14 + %d)", k, k);
  fprintf(to, "\n");
}

/* ---- families of the lowerings: whole schemes ------------------------------------------------------------------ */

static void head_at_nodes(FILE *to) {
  fputs("scheme grown on mesh(2) {\n  state s @ nodes\n  M @ nodes = integral(N[I])\n", to);
}

/* Each with rows, arguments and normals of its own. */
static void constraints(FILE *to, int n) {
  head_at_nodes(to);
  for (int i = 1; i <= n; i++) fprintf(to, "  load%d @ nodes = s*%d.5\n", i, i);
  for (int i = 1; i <= n; i++) fprintf(to, "  boundary b%d(q) { add load%d = q*area }\n", i, i);
  fputs("  last @ nodes = s", to);
  for (int i = 1; i <= n; i++) fprintf(to, " + load%d", i);
  fputs("\n  dt = 0.1\n  step { update s = s + dt*last/M }\n}\n", to);
}

static void systems(FILE *to, int n) {
  head_at_nodes(to);
  fputs("  Ld @ edges = integral(dot(dN[I], dN[J]))\n", to);
  for (int i = 1; i <= n; i++)
    fprintf(to, "  state u%d @ nodes\n  matrix A%d symmetric @ nodes { A%d[I,J] = Ld*%d.5  A%d[I,I] = M }\n",
            i, i, i, i, i);
  fputs("  dt = 0.1\n  step {\n", to);
  for (int i = 1; i <= n; i++) fprintf(to, "    solve A%d*u%d = M*s*%d.5 by cg(tol = 1e-8)\n", i, i, i);
  fputs("  }\n}\n", to);
}

static void integrators(FILE *to, int n) {
  fputs("scheme grown on mesh(2) {\n", to);
  for (int i = 1; i <= n; i++) fprintf(to, "  state s%d @ cells\n", i);
  fputs("  dt = 0.1\n  step { integrate {", to);
  for (int i = 1; i <= n; i++) fprintf(to, " s%d' = s%d*%d.5", i, i % n + 1, i);
  fputs(" } by rk4 over dt }\n}\n", to);
}

static void step_starts(FILE *to, int n) {
  head_at_nodes(to);
  for (int i = 1; i <= n; i++) fprintf(to, "  e%d @ nodes = sum(J near I) s[J]*%d.5\n", i, i);
  fputs("  dt = 0.1\n  step { update s = s + dt\n    update s = s", to);
  for (int i = 1; i <= n; i++) fprintf(to, " + e%d.prev", i);
  fputs(" }\n}\n", to);
}

static void invariants(FILE *to, int n) {
  head_at_nodes(to);
  fputs("  grad @ edges = integral(N[I]*dN[J])\n  given a : vector @ nodes\n", to);
  for (int i = 1; i <= n; i++) fprintf(to, "  e%d @ nodes = sum(J near I) dot(grad, a[J]*%d.5)*s[J]\n", i, i);
  fputs("  dt = 0.1\n  step { update s = s", to);
  for (int i = 1; i <= n; i++) fprintf(to, " + e%d", i);
  fputs(" }\n}\n", to);
}

static void parts_of_globals(FILE *to, int n) {
  fputs("scheme grown on mesh(2) {\n  state s @ cells\n", to);
  for (int i = 1; i <= n; i++)
    fprintf(to, "  g%d = (sum(c in cells) s*%d.5)/(1 + (sum(c in cells) s^2*%d.5))\n", i, i, i);
  fputs("  dt = 0.1\n  step { update s = s", to);
  for (int i = 1; i <= n; i++) fprintf(to, " + g%d", i);
  fputs(" }\n}\n", to);
}

static void residuals(FILE *to, int n) {
  fputs("scheme grown on mesh(2) {\n  state s @ cells\n  dt = 0.1\n  step { repeat { update s = s/2 } until "
        "0 < 1",
        to);
  for (int i = 1; i <= n; i++) fprintf(to, "\n    and (max(c in cells) abs(s - s.old)*%d.5) < 1", i);
  fputs(" at most 9 }\n}\n", to);
}

/* Each update has a candidate for a window of its own. */
static void windows(FILE *to, int n) {
  fputs("scheme grown on grid(2) {\n", to);
  for (int i = 1; i <= n; i++)
    fprintf(to, "  state s%d @ cells\n  e%d @ cells = sin(s%d)*exp(s%d)*cos(s%d*%d.5)\n", i, i, i, i, i, i);
  fputs("  boundary wall {", to);
  for (int i = 1; i <= n; i++) fprintf(to, "\n    ghost s%d = s%d[mirror]", i, i);
  fputs("\n  }\n  dt = 0.1\n  step {\n", to);
  for (int i = 1; i <= n; i++)
    fprintf(to, "    update s%d = s%d + dt*(e%d[i+1,j] + e%d[i-1,j] + e%d[i,j+1] + e%d[i,j-1])\n", i, i, i, i,
            i, i);
  fputs("  }\n}\n", to);
}

/* What is summed over all faces is compared with itself, seen from the other side. */
static void sums_over_faces(FILE *to, int n) {
  fputs("scheme grown on mesh(2) {\n  state s @ cells\n", to);
  for (int i = 1; i <= n; i++) fprintf(to, "  g%d = sum(f in faces) area*%d.5*abs(s[L] - s[R])\n", i, i);
  fputs("  dt = 0.1\n  boundary wall { ghost s = s[L] }\n  step { update s = s", to);
  for (int i = 1; i <= n; i++) fprintf(to, " + g%d", i);
  fputs(" }\n}\n", to);
}

typedef enum frame { IN_MESH, IN_GRID, WHOLE } frame; /* what stands around the text */

typedef struct family {
  const char *name, *what;
  body *write;
  frame frame;
  int n;
} family;

static const family all_families[] = {
    {"chain", "equations, one reading the other", chain, IN_MESH, 500},
    {"stored", "stored equations, one reading the other", stored, IN_MESH, 300},
    {"side_by_side", "stored equations side by side", side_by_side, IN_MESH, 400},
    {"terms", "terms of a flux", terms, IN_MESH, 2000},
    {"divisor", "terms of a divisor along an axis", divisor, IN_GRID, 100},
    {"lines", "equations along an axis", lines, IN_GRID, 4},
    {"conditions", "conditions", conditions, IN_MESH, 300},
    {"vectors", "vectors", vectors, IN_MESH, 200},
    {"quotients", "quotients", quotients, IN_MESH, 300},
    {"sums_over_faces", "sums over all faces", sums_over_faces, WHOLE, 50},
    {"windows", "updates with windows", windows, WHOLE, 15},
    {"constraints", "constraints", constraints, WHOLE, 100},
    {"systems", "linear systems", systems, WHOLE, 25},
    {"integrators", "states of an integrator", integrators, WHOLE, 100},
    {"step_starts", "equations read at the start of the step", step_starts, WHOLE, 100},
    {"invariants", "invariants in sums over neighbours", invariants, WHOLE, 100},
    {"parts_of_globals", "globals of two reductions", parts_of_globals, WHOLE, 50},
    {"residuals", "reductions in a condition", residuals, WHOLE, 50},
};
enum { FAMILIES = sizeof all_families / sizeof *all_families };

static char *grown(const family *of, int n) {
  char *text = NULL;
  size_t size = 0;
  FILE *f = open_memstream(&text, &size);
  assert_non_null(f);
  if (of->frame != WHOLE) fputs(of->frame == IN_GRID ? GRID_HEAD : HEAD, f);
  of->write(f, n);
  if (of->frame != WHOLE) fputs(of->frame == IN_GRID ? GRID_TAIL : TAIL, f);
  fclose(f);
  return text;
}

static dslc_options options_of(const char *text, bool cpu) {
  return (dslc_options){
      .path = "grown.ew", .text = text, .faces_per_cell = 3, .cpu = cpu, .periodic = true, .n_rules = -1};
}

static cost cost_of(const family *of, int n, bool cpu) {
  char *text = grown(of, n);
  const dslc_options o = options_of(text, cpu);
  cost c = least(&o);
  free(text);
  return c;
}

enum { MOST_TIMES_AS_LONG = 32 }; /* tenths; exactly, by instructions: compile_linear.py */

/* Longer each time: what slows the machine down for a while passes. */
static void wait_a_little(int again) {
  const long ms = 250L << again;
  nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

static void take_less(cost *least_so_far, const family *of, int n, bool cpu) {
  cost c = cost_of(of, n, cpu);
  if (c.seconds < least_so_far->seconds) *least_so_far = c;
}

/* Twice the scheme may take 3.2 times as long: 4 would be quadratic, and 2.5 was measured where the instructions were 2.04 times as many,
 * as twice the scheme no longer fits a cache that others use too (60 windows, 40 MiB: 2.9; 30: 2.0). Such a machine may need to be asked again: the least of what either
 * took counts. */
static void is_linear(const family *of) {
  const char *what = of->what;
  const int n = of->n;
  for (int cpu = 0; cpu < 2; cpu++) {
    cost one = cost_of(of, n, cpu), two = cost_of(of, 2 * n, cpu);
    for (int again = 0; again < PATIENCE && 10 * two.seconds > MOST_TIMES_AS_LONG * one.seconds; again++) {
      wait_a_little(again);
      take_less(&one, of, n, cpu);
      take_less(&two, of, 2 * n, cpu);
    }
    print_message("%s: %d take %.1f ms, %.1f MiB; %d take %.1f ms, %.1f MiB; %.2f times as long\n", what, n,
                  one.seconds * 1e3, (double)one.bytes / 1048576, 2 * n, two.seconds * 1e3,
                  (double)two.bytes / 1048576, two.seconds / one.seconds);
    if (two.bytes > 3 * one.bytes) fail_msg("%s: memory grows faster than the scheme", what);
    if (10 * two.seconds > MOST_TIMES_AS_LONG * one.seconds)
      fail_msg("%s: time grows faster than the scheme", what);
  }
}

static void test_families(void **state) {
  (void)state;
  for (int i = 0; i < FAMILIES; i++) is_linear(&all_families[i]);
}

/* What the planner follows by recursion is bounded, whatever the order of the definitions. */
static void test_endless_chain(void **state) {
  (void)state;
  char *text = grown(&all_families[0], 50000), *said = NULL;
  cost c;
  assert_int_equal(
      compile(&(dslc_options){.path = "grown.ew", .text = text, .periodic = true, .n_rules = -1}, &c, &said),
      3);
  assert_non_null(strstr(said, "stands on a chain of more than"));
  free(said);
  free(text);
}

/* ---- memory ------------------------------------------------------------------------------------------------------- */

/* In a process of its own, with so much address space more than it has: 0 or 1, and in words what was missing. */
static int compile_in(size_t room) {
  char path[400], *text = NULL;
  size_t size = 0;
  struct rlimit limit;
  dslc_program *p = NULL;
  dslc_messages *m = NULL;
  snprintf(path, sizeof path, "%s/schemes/shallow_water.ew", EW_SOURCE_DIR);
  dslc_options o = {.path = path, .faces_per_cell = 3};
  FILE *out = open_memstream(&text, &size), *statm = fopen("/proc/self/statm", "r");
  unsigned long pages = 0;
  if (!out || !statm || fscanf(statm, "%lu", &pages) != 1) return 2;
  fclose(statm);
  limit.rlim_cur = limit.rlim_max = pages * (size_t)sysconf(_SC_PAGESIZE) + room;
  if (setrlimit(RLIMIT_AS, &limit) != 0) return 2;
  int status = dslc_compile(&o, &p, &m);
  dslc_messages_print(m, out, false);
  fclose(out);
  bool said = text && strstr(text, "out of memory");
  if ((status == 1) != said || (status == 1) != (dslc_messages_errors(m) > 0)) return 2;
  dslc_program_destroy(&p);
  dslc_messages_destroy(&m);
  return status;
}

/* Wherever memory runs out, the compiler says so and returns. */
static void test_little_memory(void **state) {
  (void)state;
  int failed = 0, done = 0;
  if (SANITIZED) skip(); /* sanitizers reserve terabytes */
  for (size_t room = 0; room < 8 << 20 || (done < 8 && room < 64 << 20); room += 96 << 10) {
    int status;
    pid_t child = fork();
    if (child == 0) _exit(compile_in(room));
    assert_int_equal(waitpid(child, &status, 0), child);
    if (!WIFEXITED(status)) fail_msg("with %zu bytes: signal %d", room, WTERMSIG(status));
    if (WEXITSTATUS(status) == 1) failed++;
    else if (WEXITSTATUS(status) == 0) done++;
    else fail_msg("with %zu bytes: status %d", room, WEXITSTATUS(status));
  }
  if (failed <= 3 || done <= 3) fail_msg("memory ran out %d times, and sufficed %d times", failed, done);
}

/* ---- one compilation, for who counts instructions: compile_linear.py ------------------------------------------------- */

static int compile_one(const char *name, int n, bool cpu) {
  char *text = NULL, *said = NULL;
  int status = 2;
  cost c;
  for (int i = 0; i < FAMILIES && !text; i++)
    if (strcmp(all_families[i].name, name) == 0) text = grown(&all_families[i], n);
  const dslc_options o = options_of(text, cpu);
  if (text) status = compile(&o, &c, &said);
  free(text);
  free(said);
  return status;
}

/* test_compile --families; test_compile FAMILY N cpu|gpu. */
int main(int argc, char **argv) {
  if (argc == 4) return compile_one(argv[1], atoi(argv[2]), strcmp(argv[3], "cpu") == 0);
  for (int i = 0; argc == 2 && i < FAMILIES; i++) printf("%s %d\n", all_families[i].name, all_families[i].n);
  if (argc == 2) return 0;
  const struct CMUnitTest tests[] = {
      /* first: later ones leave freed memory behind */
      cmocka_unit_test(test_little_memory),  cmocka_unit_test(test_check_is_quick),
      cmocka_unit_test(test_build_is_quick), cmocka_unit_test(test_families),
      cmocka_unit_test(test_endless_chain),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
