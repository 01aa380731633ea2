/* Any text through the whole compiler to the text of kernels, for a target, a mesh and a schedule that the text itself decides about, so
 * that a scheme is all that a corpus holds. What is accepted must be emitted, and nothing may be called an internal error.
 * Mutations keep to tokens and lines: most of what they make is read as a scheme. */
#include "fuzz_build.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dslc.h"

enum { LONGEST = 20000, MOST_TOKENS = 8000 };

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);
size_t LLVMFuzzerCustomMutator(unsigned char *data, size_t size, size_t most, unsigned seed);

/* ---- what is asked of the compiler ------------------------------------------------------------------------------------ */

static uint64_t hash_of(const unsigned char *data, size_t size) {
  uint64_t h = 0xcbf29ce484222325ULL;
  for (size_t i = 0; i < size; i++) h = (h ^ data[i]) * 0x100000001b3ULL;
  return h;
}

/* The next choice of `n`. */
static int choose(uint64_t *h, int n) {
  *h ^= *h >> 33;
  *h *= 0xff51afd7ed558ccdULL;
  *h ^= *h >> 29;
  return (int)(*h % (uint64_t)n);
}

static dslc_options options_for(uint64_t h, const char *text, dslc_setting *setting) {
  static const int faces[] = {0, 3, 4, 6};
  static const dslc_setting settings[] = {
      {"faces", "inline"},     {"faces", "store"}, {"faces", "scatter"},     {"select", "delta"},
      {"select", "branch"},    {"layout", "aos"},  {"layout", "soa"},        {"items", "loop"},
      {"items", "each"},       {"group", "64"},    {"grid.window", "auto"},  {"grid.window", "off"},
      {"grid.walls", "calls"}, {"unroll", "off"},  {"grid.walls", "tables"}, {"reduce", "tree"}};
  dslc_options o = {.path = "fuzz.ew", .text = text, .n_rules = -1, .n_show = -1, .schedule = setting};
  o.emit = (dslc_emit)choose(&h, 3);
  o.cpu = choose(&h, 2);
  o.faces_per_cell = faces[choose(&h, 4)];
  o.periodic = choose(&h, 4) == 0;
  o.dims = choose(&h, 2) ? 0 : 2 + choose(&h, 2);
  for (int n = choose(&h, 3); o.n_schedule < n;)
    setting[o.n_schedule++] = settings[choose(&h, sizeof settings / sizeof *settings)];
  return o;
}

static void complain_and_abort(const char *what, const char *text, const dslc_messages *m) {
  fprintf(stderr, "%s\n---- scheme\n%s\n---- messages\n", what, text);
  if (m) dslc_messages_print(m, stderr, false);
  abort();
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
  if (size > LONGEST) return 0;
  char *text = malloc(size + 1);
  if (!text) return 0;
  memcpy(text, data, size);
  text[size] = '\0';
  dslc_setting setting[4];
  dslc_options o = options_for(hash_of(data, size), text, setting);
  dslc_messages *messages = NULL;
  dslc_program *program = NULL;
  int status = dslc_compile(&o, &program, &messages);
  if (status == 70) complain_and_abort("an internal error", text, messages);
  if (status == 0 && (!program || !program->execution.source))
    complain_and_abort("accepted, and nothing emitted", text, messages);
  dslc_program_destroy(&program);
  dslc_messages_destroy(&messages);
  free(text);
  return status == 0 || status == 3 ? 0 : -1;
}

/* ---- mutations -------------------------------------------------------------------------------------------------------------- */

typedef struct token {
  size_t at, end;
  char class; /* n: name, 1: number, else the character */
} token;

static int tokens_of(const unsigned char *text, size_t size, token *out) {
  int n = 0;
  for (size_t i = 0; i < size && n < MOST_TOKENS;) {
    if (isspace(text[i])) {
      i++;
      continue;
    }
    token t = {.at = i, .class = (char)text[i]};
    bool word = isalnum(text[i]) || text[i] == '_';
    if (word) t.class = isdigit(text[i]) ? '1' : 'n';
    do i++;
    while (word && i < size && (isalnum(text[i]) || text[i] == '_'));
    t.end = i;
    out[n++] = t;
  }
  return n;
}

/* Replaces [at, end) by `with`; the new size, or the old one where there is no room. */
static size_t splice(unsigned char *text, size_t size, size_t most, token t, const char *with,
                     size_t length) {
  size_t left = size - (t.end - t.at);
  if (left + length > most) return size;
  memmove(text + t.at + length, text + t.end, size - t.end);
  memcpy(text + t.at, with, length);
  return left + length;
}

static size_t replace_by_another(unsigned char *text, size_t size, size_t most, const token *all, int n,
                                 uint64_t *h) {
  token t = all[choose(h, n)], with = t;
  char copy[200];
  for (int i = 0; i < 20 && with.at == t.at; i++) {
    token other = all[choose(h, n)];
    if (other.class == t.class || i == 19) with = other;
  }
  size_t length = with.end - with.at < sizeof copy ? with.end - with.at : sizeof copy;
  memcpy(copy, text + with.at, length);
  return splice(text, size, most, t, copy, length);
}

static size_t replace_by_word(unsigned char *text, size_t size, size_t most, token t, uint64_t *h) {
  static const char *const words[] = {"0",
                                      "1",
                                      "inf",
                                      "tiny",
                                      "-1",
                                      "1/0",
                                      "dt",
                                      "t",
                                      "[L]",
                                      "[R]",
                                      "[i+1,j]",
                                      "[inner]",
                                      "[mirror]",
                                      ".prev",
                                      "sum(f of c) ",
                                      "max(f of c to d) ",
                                      "min(",
                                      "jump(",
                                      "mean(",
                                      "ghost ",
                                      "flux ",
                                      "fix ",
                                      "add ",
                                      "@ cells",
                                      "@ faces",
                                      "@ nodes",
                                      "@ edges",
                                      "@ xfaces",
                                      "@ corners",
                                      "sum(J near I) ",
                                      "sum(c in cells) ",
                                      "if true then ",
                                      " > ",
                                      " == ",
                                      " and ",
                                      "not ",
                                      "^2",
                                      "^0.5",
                                      "^-3",
                                      "normal",
                                      "volume",
                                      "identity",
                                      "(1, 2)",
                                      ": vector",
                                      ": real[12]",
                                      ": tensor",
                                      "update ",
                                      "integrate ",
                                      "sign(",
                                      "abs(",
                                      "-",
                                      "*",
                                      "/",
                                      "+",
                                      ")",
                                      "("};
  const char *word = words[choose(h, sizeof words / sizeof *words)];
  if (choose(h, 2)) t.end = t.at; /* beside it */
  return splice(text, size, most, t, word, strlen(word));
}

static token line_of(const unsigned char *text, size_t size, uint64_t *h) {
  size_t at = (size_t)choose(h, (int)size), end = at;
  while (at > 0 && text[at - 1] != '\n') at--;
  while (end < size && text[end] != '\n') end++;
  return (token){.at = at, .end = end < size ? end + 1 : end};
}

/* A line goes, or stands a second time elsewhere. */
static size_t change_lines(unsigned char *text, size_t size, size_t most, uint64_t *h) {
  char copy[400];
  token line = line_of(text, size, h), to = line_of(text, size, h);
  size_t length = line.end - line.at < sizeof copy ? line.end - line.at : sizeof copy;
  memcpy(copy, text + line.at, length);
  if (choose(h, 2)) return splice(text, size, most, line, "", 0);
  to.end = to.at;
  return splice(text, size, most, to, copy, length);
}

size_t mutate_scheme(unsigned char *text, size_t size, size_t most, uint64_t seed) {
  token *all = malloc(sizeof *all * MOST_TOKENS);
  uint64_t h = seed * 0x9e3779b97f4a7c15ULL + 1;
  for (int times = 1 + choose(&h, 4); all && times > 0 && size > 0; times--) {
    int n = tokens_of(text, size, all);
    if (n == 0) break;
    switch (choose(&h, 4)) {
    case 0: size = change_lines(text, size, most, &h); break;
    case 1: size = replace_by_word(text, size, most, all[choose(&h, n)], &h); break;
    default: size = replace_by_another(text, size, most, all, n, &h); break;
    }
  }
  free(all);
  return size;
}

size_t LLVMFuzzerCustomMutator(unsigned char *data, size_t size, size_t most, unsigned seed) {
  return mutate_scheme(data, size, most, seed);
}
