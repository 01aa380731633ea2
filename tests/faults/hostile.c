/* hostile DSLC EDGEWISE FOLDER [-n RUNS] [-s SEED] [INPUT...]: changes at random what the programs read - manifests, checkpoints, cases,
 * schemes, meshes, matrices, rasters, tables, profiles, records of runs - one file at a time, and has it read. Each run must end in time and in the
 * memory it is given, with an exit code of the table and a message, and leave nothing outside of its output folder. The model machine, on
 * which cases run, refuses what reaches outside of a buffer. FOLDER holds the files as they should be. Exit status: 0, or 1 where one did not. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../fuzz/checkpoint_sums.h"
#include "child.h"
#include "damage.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define WATCHED 1 /* sanitizers take all addresses for themselves */
#elif defined(__has_feature)
#define WATCHED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define WATCHED 0
#endif

enum { MOST = 1 << 20, MOST_WORDS = 14, MOST_READERS = 3, MOST_CODES = 256, MOST_FAILURES = 50 };
enum { ALARM = 10, SECONDS = 40, MOST_FILE = 256 << 20 };
#define MOST_MEMORY ((rlim_t)4 << 30)

/* What an input is. COMPILER: dslc reads it. LOOPS: a program, which may go on for ever. SUMS: they are mended. ANSWERS: exit code 1 is one. */
enum { COMPILER = 1, LOOPS = 2, SUMS = 4, ANSWERS = 8 };

typedef struct input {
  const char *name, *file;
  damage_kind kind;
  int is;
  const char *reader[MOST_READERS][MOST_WORDS];
} input;

#define RUN     "run", "-q", "--device", "model", "--steps", "3", "-o", "out"
#define RESUME  "resume", "-q", "--device", "model", "--steps", "9", "-o", "out"
#define LIMITED "--walltime", "5"
static const input INPUT[] = {
    {"manifest", "k/warm.json", DAMAGE_JSON, 0, {{RUN, "manifest.lua"}}},
    {"checkpoint",
     "out/checkpoint.ew",
     DAMAGE_BYTES,
     SUMS,
     {{RESUME, "small.lua"}, {RESUME, "--checkpoint", "out/checkpoint.ew", "small.lua"}}},
    {"case",
     "small.lua",
     DAMAGE_TEXT,
     LOOPS,
     {{"check", "small.lua"}, {RUN, LIMITED, "small.lua"}, {RESUME, LIMITED, "small.lua"}}},
    {"files", "files.lua", DAMAGE_TEXT, LOOPS, {{"check", "files.lua"}, {RUN, LIMITED, "files.lua"}}},
    {"scheme",
     "warm.ew",
     DAMAGE_TEXT,
     0,
     {{RUN, "small.lua"},
      {"check", "small.lua"},
      {"run", "-q", "--device", "reference", "--steps", "2", "-o", "out", "small.lua"}}},
    {"source",
     "warm.ew",
     DAMAGE_TEXT,
     COMPILER,
     {{"build", "warm.ew", "-o", "out"}, {"fmt", "warm.ew"}, {"tex", "warm.ew"}}},
    {"mesh",
     "square.msh",
     DAMAGE_TEXT,
     0,
     {{"mesh", "info", "square.msh"}, {RUN, "files.lua"}, {"check", "files.lua"}}},
    {"raster", "bed.asc", DAMAGE_TEXT, 0, {{RUN, "files.lua"}, {"check", "files.lua"}}},
    {"series",
     "flow.csv",
     DAMAGE_TEXT,
     0,
     {{RUN, "files.lua"}, {"check", "files.lua"}, {"plot", "-o", "out/p.png", "flow.csv"}}},
    {"matrix", "chain.mtx", DAMAGE_TEXT, 0, {{"solve", "--device", "model", "-o", "out/x.mtx", "chain.mtx"}}},
    {"profile",
     "model.profile",
     DAMAGE_TEXT,
     0,
     {{"profile", "show", "model.profile"},
      {RUN, "--profile-file", "model.profile", "small.lua"},
      {"profile", "import", "model.profile"}}},
    {"record",
     "out/run.json",
     DAMAGE_JSON,
     ANSWERS,
     {{"report", "-o", "out/page.html", "out"}, {"compare", "out", "before"}, {RESUME, "small.lua"}}},
    {"history",
     "out/history.csv",
     DAMAGE_TEXT,
     0,
     {{"report", "-o", "out/page.html", "out"},
      {"plot", "-o", "out/p.png", "out/history.csv"},
      {RESUME, "small.lua"}}},
    {"collection",
     "out/small.pvd",
     DAMAGE_TEXT,
     ANSWERS,
     {{RESUME, "small.lua"}, {"compare", "out", "before"}}},
    {"fields",
     "out/small_0000.vtu",
     DAMAGE_BYTES,
     ANSWERS,
     {{"compare", "out", "before"}, {"report", "-o", "out/page.html", "out"}}},
    {"session", "session.lsp", DAMAGE_JSON, COMPILER | ANSWERS, {{"lsp"}}},
};
enum { N_INPUTS = sizeof INPUT / sizeof *INPUT };

typedef struct hostile {
  const char *dslc, *edgewise, *folder;
  long runs, tried, failures, codes[MOST_CODES];
  damage d;
  char base[1024];
  char said[600], left[300]; /* by the last run: its message; the first file left behind, or "" */
} hostile;

/* ---- files --------------------------------------------------------------------------------------------------------------------- */

static size_t read_all(const hostile *h, const char *name, char *to, size_t most) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/%s", h->base, name);
  FILE *f = fopen(path, "rb");
  if (!f) die(path);
  size_t n = fread(to, 1, most, f);
  to[n] = '\0';
  fclose(f);
  return n;
}

static void write_all(const hostile *h, const char *name) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/%s", h->base, name);
  FILE *f = fopen(path, "wb");
  if (!f || fwrite(h->d.bytes, 1, h->d.size, f) != h->d.size || fclose(f) != 0) die(path);
}

static bool was_there(const hostile *h, const char *below) {
  char path[PATH_MAX];
  struct stat info;
  snprintf(path, sizeof path, "%s/fresh/%.3000s", h->base, below);
  return lstat(path, &info) == 0;
}

/* What a run left: temporary files anywhere, new ones outside of the output folder. `below`: of the folder of work, "" or a path with '/'. */
static void look_for_rests(hostile *h, const char *below) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/work/%.3000s", h->base, below);
  DIR *folder = opendir(path);
  if (!folder) die(path);
  for (const struct dirent *e; !h->left[0] && (e = readdir(folder));) {
    if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
    snprintf(path, sizeof path, "%.2000s%s", below, e->d_name);
    bool in_output = strncmp(path, "out", 3) == 0 && (path[3] == '/' || !path[3]);
    if (strstr(e->d_name, ".tmp-") || (!in_output && !was_there(h, path)))
      snprintf(h->left, sizeof h->left, "%.299s", path);
    else if (e->d_type == DT_DIR) {
      strncat(path, "/", sizeof path - strlen(path) - 1);
      look_for_rests(h, path);
    }
  }
  closedir(folder);
}

static void look_for_temporary(hostile *h) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/tmp", h->base);
  DIR *folder = opendir(path);
  if (!folder) die(path);
  for (const struct dirent *e; (e = readdir(folder));)
    if (e->d_name[0] != '.') snprintf(h->left, sizeof h->left, "TMPDIR/%.250s", e->d_name);
  closedir(folder);
}

/* ---- one run --------------------------------------------------------------------------------------------------------------------- */

static void limit(int what, rlim_t most) {
  struct rlimit r = {most, most};
  if (setrlimit(what, &r) != 0) _exit(126);
}

static void become(const hostile *h, const input *in, const char *const *reader) {
  const char *words[MOST_WORDS + 2] = {in->is & COMPILER ? h->dslc : h->edgewise};
  char path[PATH_MAX];
  for (int i = 0; i < MOST_WORDS && reader[i]; i++) words[i + 1] = reader[i];
  snprintf(path, sizeof path, "%s/work", h->base);
  if (chdir(path) != 0) _exit(126);
  int from = open(strcmp(in->name, "session") == 0 ? in->file : "/dev/null", O_RDONLY);
  int out = open("../stdout", O_WRONLY | O_CREAT | O_TRUNC, 0666);
  int err = open("../stderr", O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (from < 0 || dup2(from, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0) _exit(126);
  signal(SIGXFSZ, SIG_IGN); /* files that are too large cannot be written, as on a full disk */
  limit(RLIMIT_FSIZE, MOST_FILE);
  limit(RLIMIT_CORE, 0);
  if (!WATCHED) limit(RLIMIT_AS, MOST_MEMORY);
  alarm(ALARM); /* --walltime's own signal: cases stop there */
  execv(words[0], (char *const *)words);
  _exit(127);
}

static int run(hostile *h, const input *in, const char *const *reader) {
  pid_t pid = fork();
  if (pid < 0) die("fork");
  if (pid == 0) become(h, in, reader);
  int code = wait_for(pid, SECONDS);
  read_all(h, "stderr", h->said, sizeof h->said - 1);
  h->left[0] = '\0';
  look_for_rests(h, "");
  look_for_temporary(h);
  return code;
}

/* Programs that were built with sanitizers complain, and end with 1. */
static bool has_complaint(const char *said) {
  return strstr(said, "runtime error: ") || strstr(said, "Sanitizer");
}

/* Of docs/commands.md; 70 is an error of the program. */
static const char *wrong_with(const hostile *h, const input *in, int code) {
  bool over = code == 130 || code == 142 || code == 143 || code == -SIGALRM;
  if (over && in->is & LOOPS) return NULL;
  if (over || code == -SIGKILL) return "did not end in time";
  if (code < 0) return "was ended by a signal";
  if (code > 10) return "ended with a code of no table";
  if (WATCHED && has_complaint(h->said)) return "has done what C does not define";
  if (code != 0 && !h->said[0] && !(in->is & ANSWERS && code == 1)) return "said nothing";
  return h->left[0] ? "left something behind" : NULL;
}

static void tell(hostile *h, const input *in, const char *const *reader, int code) {
  char name[64];
  snprintf(name, sizeof name, "failed_%ld_%s", h->tried,
           strrchr(in->file, '/') ? strrchr(in->file, '/') + 1 : in->file);
  write_all(h, name);
  printf("FAIL %s: change %ld %s (%d):", in->name, h->tried, wrong_with(h, in, code), code);
  for (int i = 0; i < MOST_WORDS && reader[i]; i++) printf(" %s", reader[i]);
  printf("\n  %s/%s for %s; left: %s\n  said: %s\n", h->base, name, in->file, h->left, h->said);
}

/* ---- all of them --------------------------------------------------------------------------------------------------------------- */

static void fresh_work(const hostile *h) {
  shell("cd '%s' && rm -rf work tmp data && mkdir tmp && cp -R fresh work", h->base);
}

static void change(hostile *h, const input *in) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "fresh/%s", in->file);
  h->d.size = read_all(h, path, h->d.bytes, h->d.most);
  for (size_t i = 1 + damage_draw(&h->d, 3); i > 0; i--) damage_once(&h->d, in->kind);
  if (in->is & SUMS && damage_draw(&h->d, 4)) checkpoint_mend_sums((uint8_t *)h->d.bytes, h->d.size);
  snprintf(path, sizeof path, "work/%s", in->file);
  write_all(h, path);
}

static void attack(hostile *h, const input *in) {
  size_t n = 0;
  while (n < MOST_READERS && in->reader[n][0]) n++;
  const char *const *reader = in->reader[damage_draw(&h->d, n)];
  fresh_work(h);
  change(h, in);
  int code = run(h, in, reader);
  h->codes[code < 0 ? MOST_CODES - 1 : code]++;
  if (wrong_with(h, in, code)) tell(h, in, reader, code), h->failures++;
  h->tried++;
}

/* What is not changed must be read: else nothing would be shown. */
static void read_unchanged(hostile *h, const input *in) {
  for (int k = 0; k < MOST_READERS && in->reader[k][0]; k++) {
    fresh_work(h);
    h->d.size = 0;
    int code = run(h, in, in->reader[k]);
    if (code == 0 && !wrong_with(h, in, code)) continue;
    printf("FAIL %s, unchanged: %d, left %s\n  said: %s\n", in->name, code, h->left, h->said);
    h->failures++;
  }
}

static bool is_wanted(const input *in, char **name, int n) {
  for (int i = 0; i < n; i++)
    if (strcmp(name[i], in->name) == 0) return true;
  return n == 0;
}

/* Each input has its turn. Returns how many inputs there are. */
static int attack_all(hostile *h, char **name, int n) {
  int wanted = 0;
  for (int i = 0; i < N_INPUTS; i++)
    if (is_wanted(&INPUT[i], name, n)) read_unchanged(h, &INPUT[i]), wanted++;
  while (wanted && h->tried < h->runs && h->failures < MOST_FAILURES)
    for (int i = 0; i < N_INPUTS && h->tried < h->runs; i++)
      if (is_wanted(&INPUT[i], name, n)) attack(h, &INPUT[i]);
  return wanted;
}

static void set_up(hostile *h) {
  static const char *const FOLDER[][2] = {{"EDGEWISE_CACHE_DIR", "cache"},
                                          {"EDGEWISE_DATA_DIR", "data"},
                                          {"TMPDIR", "tmp"},
                                          {"OCL_ICD_VENDORS", "none"}};
  const char *tmp = getenv("TMPDIR");
  char path[PATH_MAX];
  snprintf(h->base, sizeof h->base, "%.900s/hostile-XXXXXX", tmp && *tmp ? tmp : "/tmp");
  if (!mkdtemp(h->base)) die(h->base);
  for (size_t i = 0; i < sizeof FOLDER / sizeof *FOLDER; i++) {
    snprintf(path, sizeof path, "%s/%s", h->base, FOLDER[i][1]);
    setenv(FOLDER[i][0], path, 1);
  }
  setenv("OMP_NUM_THREADS", "1", 1);
  shell("cp -R '%s' '%s/fresh' && cd '%s/fresh' && mkdir ../tmp && '%s' build warm.ew -o k >/dev/null",
        h->folder, h->base, h->base, h->dslc);
  shell("cd '%s/fresh' && sed 's/scheme = \"[a-z]*\"/manifest = \"k\\/warm.json\"/' small.lua >manifest.lua",
        h->base);
  shell("cd '%s/fresh' && { SWEEP_STOP=1 '%s' run -q --device model -o out small.lua 2>/dev/null; test $? = "
        "8; } && cp -R out before",
        h->base, h->edgewise);
  h->d.most = MOST;
  h->d.bytes = malloc(h->d.most + 1);
  if (!h->d.bytes) die("malloc");
}

int main(int argc, char **argv) {
  static hostile h = {.runs = 100, .d = {.random = 88172645463325252ULL}};
  static char path[3][PATH_MAX];
  int i = 4;
  if (argc < 4)
    return fprintf(stderr, "usage: hostile DSLC EDGEWISE FOLDER [-n RUNS] [-s SEED] [INPUT...]\n"), 2;
  for (int k = 0; k < 3; k++)
    if (!realpath(argv[k + 1], path[k])) die(argv[k + 1]);
  for (; i + 1 < argc && argv[i][0] == '-'; i += 2) {
    if (strcmp(argv[i], "-n") == 0) h.runs = atol(argv[i + 1]);
    else if (strcmp(argv[i], "-s") == 0)
      h.d.random ^= strtoull(argv[i + 1], NULL, 10) * 0x9e3779b97f4a7c15ULL;
    else return fprintf(stderr, "hostile: there is no option '%s'\n", argv[i]), 2;
  }
  h.dslc = path[0], h.edgewise = path[1], h.folder = path[2];
  set_up(&h);
  int n = attack_all(&h, argv + i, argc - i);
  printf("%ld changed files of %d kinds: %ld failed; exit codes", h.tried, n, h.failures);
  for (int k = 0; k < MOST_CODES; k++)
    if (h.codes[k]) printf(" %d: %ld", k == MOST_CODES - 1 ? -1 : k, h.codes[k]);
  printf("\n");
  free(h.d.bytes);
  if (h.failures == 0) shell("rm -rf '%s'", h.base);
  return h.failures > 0 || n == 0;
}
