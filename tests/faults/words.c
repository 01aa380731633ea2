/* words DSLC EDGEWISE FOLDER [-n RUNS] [-s SEED]: command lines at random for every command of both programs: options that their help
 * names, with and without values, twice, as the last word, with `=`, and words that fit nowhere. Each must end in time, with a documented
 * exit code; none may crash. FOLDER holds a few small inputs. Exit status: 0, or 1 where one did not. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "child.h"

enum { MOST_COMMANDS = 64, MOST_OPTIONS = 64, MOST_WORDS = 16, ALARM = 3, SECONDS = 30 };

typedef struct command {
  const char *program;
  char name[32], option[MOST_OPTIONS][32];
  int n;
} command;

typedef struct words {
  const char *folder;
  command command[MOST_COMMANDS];
  int n_commands;
  long runs, failures, codes[256];
  uint64_t random;
  char base[1024];
} words;

static size_t draw(words *w, size_t n) {
  w->random ^= w->random >> 12;
  w->random ^= w->random << 25;
  w->random ^= w->random >> 27;
  return (size_t)((w->random * 2685821657736338717ULL) >> 33) % n;
}

/* ---- what there is to say ------------------------------------------------------------------------------------------------------ */

static void add_option(command *c, const char *text, size_t n) {
  if (c->n < MOST_OPTIONS && n < sizeof c->option[0]) memcpy(c->option[c->n++], text, n); /* zeros follow */
}

/* Words of a help that begin with a dash are options, wherever they stand. */
static void read_options(command *c) {
  char line[PATH_MAX];
  snprintf(line, sizeof line, "'%s' help %s", c->program, c->name);
  FILE *help = popen(line, "r");
  if (!help) die(line);
  while (fgets(line, sizeof line, help))
    for (char *at = line; *at; at++)
      if (*at == '-' && (at == line || at[-1] == ' ' || at[-1] == '`'))
        add_option(c, at,
                   1 + strspn(at + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-"));
  if (pclose(help) != 0) die(c->name);
}

static void read_commands(words *w, const char *program) {
  char line[PATH_MAX];
  int n = 0;
  snprintf(line, sizeof line, "'%s' help", program);
  FILE *help = popen(line, "r");
  if (!help) die(line);
  while (fgets(line, sizeof line, help)) {
    command *c = &w->command[w->n_commands];
    if (w->n_commands >= MOST_COMMANDS || strncmp(line, "  ", 2) != 0 ||
        sscanf(line + 2, "%31[a-z]", c->name) != 1)
      continue;
    c->program = program;
    w->n_commands++, n++;
  }
  if (pclose(help) != 0 || n < 4) die(program);
  for (int i = w->n_commands - n; i < w->n_commands; i++) read_options(&w->command[i]);
}

static const char *any_value(words *w) {
  static char many[6000];
  static const char *const VALUE[] = {
      "",        "0",         "-1",      "1",         "2",        "1e308",     "99999999999999999999",
      "nan",     "c",         "model",   "reference", "gpu",      "a=b",       "=",
      "n=1",     "small.lua", "warm",    "warm.ew",   "wrong.ew", "chain.mtx", "square.msh",
      "missing", "missing/x", ".",       "out",       "\xff\xfe", "%s%n",      "--",
      "-",       "-x",        "--steps", "info",      "\n",       "new",       "heat"};
  size_t k = draw(w, sizeof VALUE / sizeof *VALUE + 1);
  if (k < sizeof VALUE / sizeof *VALUE) return VALUE[k];
  memset(many, 'm', sizeof many - 1);
  return many;
}

/* One or two words: an option with or without its value, or a word alone. */
static int say(words *w, const command *c, char **to) {
  const char *option = c->n && draw(w, 30) ? c->option[draw(w, (size_t)c->n)] : "--nothing";
  const char *value = draw(w, 2) ? any_value(w) : strstr(c->program, "dslc") ? "warm.ew" : "small.lua";
  size_t how = draw(w, 8), n = strlen(option) + strlen(value) + 2;
  if (how < 2) return to[0] = strdup(value), 1;
  if (how < 4) return to[0] = strdup(option), 1;
  if (how < 7) return to[0] = strdup(option), to[1] = strdup(value), 2;
  to[0] = malloc(n);
  if (to[0]) snprintf(to[0], n, "%s%s%s", option, option[1] == '-' ? "=" : "", value);
  return 1;
}

/* ---- one run --------------------------------------------------------------------------------------------------------------------- */

static int run(const words *w, char **word) {
  char work[PATH_MAX];
  snprintf(work, sizeof work, "rm -rf '%s/work' && cp -R '%s' '%s/work'", w->base, w->folder, w->base);
  if (system(work) != 0) die(work);
  snprintf(work, sizeof work, "%s/work", w->base);
  pid_t pid = fork();
  if (pid < 0) die("fork");
  if (pid > 0) return wait_for(pid, SECONDS);
  int in = open("/dev/null", O_RDONLY), fd;
  if (chdir(work) != 0 || (fd = open("../log", O_WRONLY | O_CREAT | O_TRUNC, 0666)) < 0) _exit(126);
  if (in < 0 || dup2(in, 0) < 0 || dup2(fd, 1) < 0 || dup2(fd, 2) < 0) _exit(126);
  alarm(ALARM); /* --walltime's own signal: what goes on for long stops there */
  execv(word[0], word);
  _exit(127);
}

/* Of docs/commands.md; an alarm that comes before the program listens ends it. */
static bool is_documented(int code) { return (code >= 0 && code <= 10) || code == 142 || code == -SIGALRM; }

static void tell(const words *w, char **word, int code) {
  char path[PATH_MAX], said[300] = "";
  snprintf(path, sizeof path, "%s/log", w->base);
  FILE *f = fopen(path, "r");
  size_t n = f ? fread(said, 1, sizeof said - 1, f) : 0;
  if (f) fclose(f);
  said[n] = '\0';
  printf("ended with %d:", code);
  for (int i = 0; word[i]; i++) printf(" '%.100s'", word[i]);
  printf("\n  %s\n", said);
}

static void attack(words *w) {
  for (long i = 0; i < w->runs && w->failures < 50; i++) {
    const command *c = &w->command[(size_t)i % (size_t)w->n_commands]; /* each has its turn */
    char *word[MOST_WORDS + 3] = {strdup(c->program), strdup(c->name)};
    int n = 2;
    for (size_t k = draw(w, 4); k > 0; k--) n += say(w, c, word + n);
    int code = run(w, word);
    w->codes[code < 0 ? 255 : code]++;
    if (!is_documented(code)) tell(w, word, code), w->failures++;
    for (int k = 0; k < n; k++) free(word[k]);
  }
}

static void set_up(words *w) {
  static const char *const FOLDER[][2] = {
      {"EDGEWISE_CACHE_DIR", "cache"}, {"EDGEWISE_DATA_DIR", "data"}, {"TMPDIR", ""}};
  const char *tmp = getenv("TMPDIR");
  char path[PATH_MAX];
  snprintf(w->base, sizeof w->base, "%.900s/words-XXXXXX", tmp && *tmp ? tmp : "/tmp");
  if (!mkdtemp(w->base)) die(w->base);
  for (size_t i = 0; i < sizeof FOLDER / sizeof *FOLDER; i++) {
    snprintf(path, sizeof path, "%s/%s", w->base, FOLDER[i][1]);
    setenv(FOLDER[i][0], path, 1);
  }
  setenv("OCL_ICD_VENDORS", w->base, 1); /* drivers take long, and are asked elsewhere */
  setenv("OMP_NUM_THREADS", "1", 1);
}

int main(int argc, char **argv) {
  static words w = {.runs = 100, .random = 88172645463325252ULL};
  static char program[3][PATH_MAX];
  char remove_it[PATH_MAX];
  if (argc < 4) return fprintf(stderr, "usage: words DSLC EDGEWISE FOLDER [-n RUNS] [-s SEED]\n"), 2;
  for (int i = 0; i < 3; i++)
    if (!realpath(argv[i + 1], program[i])) die(argv[i + 1]);
  for (int i = 4; i + 1 < argc; i += 2) {
    if (strcmp(argv[i], "-n") == 0) w.runs = atol(argv[i + 1]);
    else if (strcmp(argv[i], "-s") == 0) w.random ^= strtoull(argv[i + 1], NULL, 10) * 0x9e3779b97f4a7c15ULL;
    else return fprintf(stderr, "words: there is no option '%s'\n", argv[i]), 2;
  }
  w.folder = program[2];
  set_up(&w);
  read_commands(&w, program[0]);
  read_commands(&w, program[1]);
  attack(&w);
  printf("%ld command lines for %d commands: %ld failed; exit codes", w.runs, w.n_commands, w.failures);
  for (int i = 0; i < 256; i++)
    if (w.codes[i]) printf(" %d: %ld", i == 255 ? -1 : i, w.codes[i]);
  printf("\n");
  snprintf(remove_it, sizeof remove_it, "rm -rf '%.1024s'", w.base);
  if (w.failures == 0 && system(remove_it) != 0) printf("%s stays\n", w.base);
  return w.failures > 0;
}
