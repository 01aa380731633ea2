/* Wrong schemes and what is said about them, to the letter: for each NAME.ew of a folder the messages must be those of
 * NAME.txt, there must be one error (or as many as the file says), and the status must be 3. Every error code of
 * diag_codes.def must occur. EW_BLESS=1 writes the .txt files; read the difference before you commit it.
 *
 * A scheme may begin with lines `--! WORD VALUE`: `--! errors 2`, `--! build NAME=VALUE` (a setting of the schedule),
 * `--! variant NAME=VALUE`, `--! profile FILE`, `--! dims N`. */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "dslc.h"

enum { MAX_FILES = 1000, MAX_SETTINGS = 8 };

/* Codes that no small file can show. */
static const struct {
  diag_code code;
  const char *why;
} unshown[] = {
    {DIAG_INTERNAL, "an error of the compiler itself"},
    {DIAG_TOO_LARGE, "needs a file of 16 MiB: tested in unit/test_front_errors.c"},
};

typedef struct example {
  char path[300], expected[300];
  char words[MAX_SETTINGS][2][120]; /* `--!` lines */
  int n_words, errors;
  dslc_options options;
  dslc_setting schedule[MAX_SETTINGS], variant[MAX_SETTINGS];
  char *messages;
} example;

/* ---- reading ---------------------------------------------------------------------------------------------------- */

static char *read_text(const char *path) {
  FILE *in = fopen(path, "rb");
  if (!in) return NULL;
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  for (int c; (c = fgetc(in)) != EOF;) fputc(c, out);
  fclose(out);
  fclose(in);
  return text;
}

static dslc_setting split(char *text) {
  char *equals = strchr(text, '=');
  if (!equals) return (dslc_setting){text, ""};
  *equals = '\0';
  return (dslc_setting){text, equals + 1};
}

static void apply_word(example *e, const char *word, char *value) {
  dslc_options *o = &e->options;
  if (strcmp(word, "errors") == 0) e->errors = atoi(value);
  else if (strcmp(word, "dims") == 0) o->dims = atoi(value);
  else if (strcmp(word, "profile") == 0) o->profile = value, o->check_only = false;
  else if (strcmp(word, "build") == 0) {
    e->schedule[o->n_schedule++] = split(value);
    o->schedule = e->schedule;
    o->check_only = false;
  } else if (strcmp(word, "variant") == 0) {
    e->variant[o->n_variants++] = split(value);
    o->variant = e->variant;
  }
}

static void read_words(example *e) {
  char *text = read_text(e->path), *line = text;
  while (line && strncmp(line, "--!", 3) == 0 && e->n_words < MAX_SETTINGS) {
    char(*w)[120] = e->words[e->n_words++];
    if (sscanf(line, "--! %119s %119s", w[0], w[1]) == 2) apply_word(e, w[0], w[1]);
    line = strchr(line, '\n');
    if (line) line++;
  }
  free(text);
}

/* ---- one example ------------------------------------------------------------------------------------------------ */

static bool compile(example *e) {
  e->options = (dslc_options){.path = e->path, .check_only = true, .n_rules = -1, .n_show = -1};
  e->errors = 1;
  read_words(e);
  dslc_program *program = NULL;
  dslc_messages *m;
  int status = dslc_compile(&e->options, &program, &m), errors = dslc_messages_errors(m);
  size_t size;
  FILE *out = open_memstream(&e->messages, &size);
  dslc_messages_print(m, out, false);
  fclose(out);
  dslc_messages_destroy(&m);
  dslc_program_destroy(&program);
  if (status != 3) fprintf(stderr, "%s: status %d instead of 3\n", e->path, status);
  if (errors != e->errors)
    fprintf(stderr, "%s: %d errors instead of %d:\n%s\n", e->path, errors, e->errors, e->messages);
  return status == 3 && errors == e->errors;
}

static bool bless(const example *e) {
  FILE *out = fopen(e->expected, "wb");
  if (!out) return false;
  fputs(e->messages, out);
  return fclose(out) == 0;
}

static bool matches(const example *e) {
  char *expected = read_text(e->expected);
  bool same = expected && strcmp(expected, e->messages) == 0;
  if (!same)
    fprintf(stderr, "%s: expected\n%s\nfound\n%s\n", e->path, expected ? expected : "(no such file)",
            e->messages);
  free(expected);
  return same;
}

/* ---- the folder ------------------------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static int list(char **names) {
  DIR *dir = opendir(".");
  int n = 0;
  for (struct dirent *d; dir && (d = readdir(dir)) && n < MAX_FILES;) {
    size_t length = strlen(d->d_name);
    if (length > 3 && length < 200 && strcmp(d->d_name + length - 3, ".ew") == 0 &&
        strncmp(d->d_name, "lib_", 4) != 0)
      names[n++] = strdup(d->d_name);
  }
  if (dir) closedir(dir);
  qsort(names, (size_t)n, sizeof *names, by_name);
  return n;
}

static void note_codes(const char *messages, bool *seen) {
  for (int c = 0; c < DIAG_CODE_COUNT; c++)
    if (strstr(messages, diag_code_text((diag_code)c))) seen[c] = true;
}

static int count_missing(const bool *seen) {
  int missing = 0;
  for (int c = 0; c < DIAG_CODE_COUNT; c++) {
    bool excused = diag_code_severity((diag_code)c) != DIAG_ERROR;
    for (size_t k = 0; k < sizeof unshown / sizeof *unshown; k++)
      excused = excused || (int)unshown[k].code == c;
    if (seen[c] || excused) continue;
    fprintf(stderr, "no example shows %s: %s\n", diag_code_text((diag_code)c), diag_code_title((diag_code)c));
    missing++;
  }
  return missing;
}

int main(int argc, char **argv) {
  static char *names[MAX_FILES];
  bool seen[DIAG_CODE_COUNT] = {false}, blessing = getenv("EW_BLESS") != NULL;
  if (argc != 2 || chdir(argv[1]) != 0) {
    fprintf(stderr, "usage: test_bad FOLDER\n");
    return 2;
  }
  int n = list(names), failed = 0;
  for (int i = 0; i < n; i++) {
    example e = {0};
    snprintf(e.path, sizeof e.path, "%s", names[i]);
    snprintf(e.expected, sizeof e.expected, "%.*s.txt", (int)strlen(names[i]) - 3, names[i]);
    bool good = compile(&e);
    good = (blessing ? bless(&e) : matches(&e)) && good;
    note_codes(e.messages, seen);
    failed += !good;
    free(e.messages);
    free(names[i]);
  }
  failed += count_missing(seen);
  printf("%d examples, %d failures\n", n, failed);
  return failed || n == 0;
}
