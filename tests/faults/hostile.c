/* hostile DSLC EDGEWISE FOLDER [-n RUNS] [-s SEED]: builds the kernels of a scheme, changes its manifest at random - numbers, words,
 * truth, lists that end early or repeat, bytes - and runs it on the model machine, which refuses what reaches outside of a buffer. Each run must
 * end in time, with an exit code of the table and a message. FOLDER holds small.lua and its scheme. Exit status: 0, or 1 where one did not. */
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

enum { MOST = 1 << 20, SECONDS = 30 };

typedef struct hostile {
  const char *dslc, *edgewise, *folder, *scheme;
  long runs, failures;
  uint64_t random;
  char base[1024];
  char *text, *changed; /* of the manifest */
  size_t size;
  long codes[128];
} hostile;

static void die(const char *what) {
  perror(what);
  exit(1);
}

static size_t draw(hostile *h, size_t below) { /* xorshift64* */
  h->random ^= h->random >> 12;
  h->random ^= h->random << 25;
  h->random ^= h->random >> 27;
  return (size_t)((h->random * 2685821657736338717ULL) >> 33) % (below ? below : 1);
}

/* ---- changes ---------------------------------------------------------------------------------------------------------------- */

/* The value that begins at or behind a random byte: number, word or truth. Returns its length, 0 if there is none. */
static size_t find_value(hostile *h, size_t *at) {
  for (size_t i = draw(h, h->size); i + 1 < h->size; i++) {
    if (h->text[i] != ':' && h->text[i] != ',' && h->text[i] != '[') continue;
    size_t begin = i + 1 + strspn(h->text + i + 1, " \t\n"), n = strcspn(h->text + begin, ",]}\n");
    if (h->text[begin] == '"') {
      const char *end = strchr(h->text + begin + 1, '"');
      n = end ? (size_t)(end - h->text) - begin + 1 : 0;
      if (n && h->text[begin + n] == ':') continue; /* a key */
    } else if (!isdigit((unsigned char)h->text[begin]) && h->text[begin] != '-' &&
               !strchr("tfn", h->text[begin]))
      continue;
    *at = begin;
    return n;
  }
  return 0;
}

static void put_in(hostile *h, size_t at, size_t n, const char *with, size_t m) {
  memcpy(h->changed, h->text, at);
  memcpy(h->changed + at, with, m);
  memcpy(h->changed + at + m, h->text + at + n, h->size - at - n + 1);
}

static void change_value(hostile *h) {
  static const char *const NUMBER[] = {"-1",  "0",     "1",          "2",        "3",          "7",
                                       "64",  "255",   "1000",       "65536",    "2147483647", "-2147483648",
                                       "0.5", "1e300", "4294967296", "16777216", "100000",     "-7"};
  static const char *const OTHER[] = {"null", "true", "false",   "\"\"", "\"x\"",
                                      "[]",   "{}",   "[1,2,3]", "\"T\""};
  char text[64];
  size_t at = 0, n = find_value(h, &at), other = 0;
  if (!n) return;
  if (h->text[at] == '"' && draw(h, 4)) { /* another word of the manifest */
    size_t m = 0;
    for (int i = 0; i < 50 && (m == 0 || h->text[other] != '"'); i++) m = find_value(h, &other);
    put_in(h, at, n, h->text + other, m);
  } else if ((isdigit((unsigned char)h->text[at]) || h->text[at] == '-') && draw(h, 8)) {
    if (draw(h, 3)) snprintf(text, sizeof text, "%s", NUMBER[draw(h, sizeof NUMBER / sizeof *NUMBER)]);
    else snprintf(text, sizeof text, "%ld", strtol(h->text + at, NULL, 10) + (draw(h, 2) ? 1 : -1));
    put_in(h, at, n, text, strlen(text));
  } else if (strchr("tf", h->text[at])) {
    const char *truth = h->text[at] == 't' ? "false" : "true";
    put_in(h, at, n, truth, strlen(truth));
  } else {
    const char *word = OTHER[draw(h, sizeof OTHER / sizeof *OTHER)];
    put_in(h, at, n, word, strlen(word));
  }
}

/* An entry of a list, which begins behind "{" or ",\n{", twice or not at all. */
static void change_list(hostile *h) {
  size_t from = draw(h, h->size), depth = 0;
  const char *begin = strstr(h->text + from, "}, {");
  if (!begin) return;
  const char *end = begin += 3;
  do depth += *end == '{', depth -= *end == '}';
  while (*end++ && depth > 0);
  size_t n = (size_t)(end - begin), at = (size_t)(begin - h->text);
  if (*end == ',' && draw(h, 2)) put_in(h, at, n + 1, "", 0);
  else if (h->size + n + 1 < MOST) {
    char *twice = malloc(2 * n + 1);
    if (!twice) die("malloc");
    memcpy(twice, begin, n);
    twice[n] = ',';
    memcpy(twice + n + 1, begin, n);
    put_in(h, at, n, twice, 2 * n + 1);
    free(twice);
  }
}

static void change_byte(hostile *h) {
  h->changed[draw(h, h->size)] = "0129-e\"[]{},:x\\\n\t\x80"[draw(h, 18)];
}

static void change(hostile *h) {
  memcpy(h->changed, h->text, h->size + 1);
  size_t kind = draw(h, 10);
  if (kind == 0) change_byte(h);
  else if (kind == 1) change_list(h);
  else change_value(h);
}

/* ---- one run --------------------------------------------------------------------------------------------------------------------- */

static char *read_all(const char *path, size_t *size) {
  FILE *f = fopen(path, "rb");
  char *text = malloc(MOST);
  if (!f || !text) die(path);
  *size = fread(text, 1, MOST - 1, f);
  text[*size] = '\0';
  fclose(f);
  return text;
}

static void write_all(const char *path, const char *text) {
  FILE *f = fopen(path, "wb");
  if (!f || fputs(text, f) < 0 || fclose(f) != 0) die(path);
}

static int run(const hostile *h) {
  char log[PATH_MAX];
  snprintf(log, sizeof log, "%s/log", h->base);
  pid_t pid = fork();
  if (pid < 0) die("fork");
  if (pid == 0) {
    int fd = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (chdir(h->base) != 0 || fd < 0 || dup2(fd, 1) < 0 || dup2(fd, 2) < 0) _exit(126);
    alarm(SECONDS);
    execl(h->edgewise, h->edgewise, "run", "-q", "--device", "model", "--steps", "2", "-o", "out",
          "hostile.lua", NULL);
    _exit(127);
  }
  int state;
  if (waitpid(pid, &state, 0) != pid) die("waitpid");
  return WIFEXITED(state) ? WEXITSTATUS(state) : -WTERMSIG(state);
}

static bool is_documented(int code) { return code >= 0 && code <= 9 && code != 7 && code != 8; }

static void keep(hostile *h, long i, int code) {
  char path[PATH_MAX];
  size_t n;
  snprintf(path, sizeof path, "%s/log", h->base);
  char *said = read_all(path, &n);
  snprintf(path, sizeof path, "%s/failed_%ld.json", h->base, i);
  write_all(path, h->changed);
  printf("%s, change %ld: ended with %d: %.200s\n  %s\n", h->scheme, i, code, said, path);
  free(said);
  h->failures++;
}

static void attack(hostile *h) {
  char command[6 * PATH_MAX], path[PATH_MAX];
  snprintf(command, sizeof command,
           "cd '%s' && '%s' build %s.ew -o k > /dev/null && sed 's/scheme = \"[a-z]*\"/manifest = "
           "\"k\\/%s.json\"/' small.lua > "
           "hostile.lua",
           h->base, h->dslc, h->scheme, h->scheme);
  if (system(command) != 0) die(command);
  snprintf(path, sizeof path, "%s/k/%s.json", h->base, h->scheme);
  h->text = read_all(path, &h->size);
  h->changed = malloc(2 * (size_t)MOST);
  if (!h->changed) die("malloc");
  int code = run(h);
  if (code != 0) keep(h, -1, code);
  for (long i = 0; i < h->runs && h->failures < 50; i++) {
    change(h);
    write_all(path, h->changed);
    code = run(h);
    h->codes[code < 0 ? 127 : code]++;
    if (!is_documented(code)) keep(h, i, code);
  }
  free(h->text);
  free(h->changed);
}

int main(int argc, char **argv) {
  hostile h = {.runs = 100, .scheme = "warm", .random = 88172645463325252ULL};
  const char *tmp = getenv("TMPDIR");
  char command[4 * PATH_MAX];
  if (argc < 4) return fprintf(stderr, "usage: hostile DSLC EDGEWISE FOLDER [-n RUNS] [-s SEED]\n"), 2;
  h.dslc = argv[1], h.edgewise = argv[2], h.folder = argv[3];
  for (int i = 4; i + 1 < argc; i += 2) {
    if (strcmp(argv[i], "-n") == 0) h.runs = atol(argv[i + 1]);
    else if (strcmp(argv[i], "-s") == 0) h.random ^= strtoull(argv[i + 1], NULL, 10) * 0x9e3779b97f4a7c15ULL;
    else return fprintf(stderr, "hostile: there is no option '%s'\n", argv[i]), 2;
  }
  snprintf(h.base, sizeof h.base, "%.900s/hostile-XXXXXX", tmp && *tmp ? tmp : "/tmp");
  if (!mkdtemp(h.base)) die(h.base);
  snprintf(command, sizeof command, "cp '%s'/* '%s'", h.folder, h.base);
  if (system(command) != 0) die(command);
  attack(&h);
  printf("%ld changed manifests of '%s': %ld failed; exit codes", h.runs, h.scheme, h.failures);
  for (int i = 0; i < 128; i++)
    if (h.codes[i]) printf(" %d: %ld", i == 127 ? -1 : i, h.codes[i]);
  printf("\n");
  snprintf(command, sizeof command, "rm -rf '%s'", h.base);
  if (h.failures == 0 && system(command) != 0) printf("%s stays\n", h.base);
  return h.failures > 0;
}
