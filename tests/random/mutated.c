/* Texts that are slightly wrong: what the compiler prints and reads, with some words left out, doubled, exchanged, or put in. Whatever reads such a
 * text refuses it, or prints it to a text that it reads to the same; and the model machine runs kernels of such a text with any arguments to an end,
 * twice to the same faults. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "dslc_kernel.h"
#include "mesh/random.h"
#include "random.h"

/* ---- one text ------------------------------------------------------------------------------------------------------------------------ */

typedef struct piece {
  const char *at;
  size_t n;
} piece;

/* The word or mark behind the blanks at p. */
static piece piece_at(const char *p) {
  while (isspace((unsigned char)*p)) p++;
  size_t n = 0;
  while (isalnum((unsigned char)p[n]) || p[n] == '_' || (n && p[n] == '.')) n++;
  return (piece){p, n ? n : *p != '\0'};
}

static piece any_piece(const char *text, uint64_t *state) {
  const char *p = text + random_below(state, strlen(text) + 1);
  while (p > text && (isalnum((unsigned char)p[-1]) || p[-1] == '_')) p--;
  return piece_at(p);
}

static piece any_word(uint64_t *state) {
  static const char *const words[] = {"0",
                                      "1",
                                      "-1",
                                      "2147483648",
                                      "1e400",
                                      "9",
                                      "(",
                                      ")",
                                      "{",
                                      "}",
                                      ";",
                                      ",",
                                      "=",
                                      "+",
                                      "double",
                                      "int",
                                      "x",
                                      "t",
                                      "[",
                                      "]",
                                      "\"",
                                      "nan",
                                      "null",
                                      "const",
                                      "cells",
                                      "faces",
                                      "if",
                                      "while",
                                      "1u",
                                      "else",
                                      "break",
                                      "/*",
                                      "'",
                                      "#define x",
                                      "->",
                                      "@",
                                      "barrier(CLK_LOCAL_MEM_FENCE);",
                                      "return;",
                                      "i",
                                      "long",
                                      "float",
                                      "0.5f",
                                      "*",
                                      "&"};
  const char *word = words[random_below(state, sizeof words / sizeof *words)];
  return (piece){word, strlen(word)};
}

/* The caller frees it. */
static char *changed_once(const char *text, uint64_t *state) {
  const piece old = any_piece(text, state), other = any_piece(text, state), word = any_word(state);
  const piece none = {"", 0};
  const piece put[] = {none, old, other, word};
  const unsigned how = (unsigned)random_below(state, 6);
  const piece new = put[how % 4];
  const size_t before = (size_t)(old.at - text), keeps = how == 1 || how == 5 ? old.n : 0;
  char *made = NULL;
  if (asprintf(&made, "%.*s%.*s %.*s %s", (int)before, text, (int)keeps, old.at, (int)new.n, new.at,
               old.at + old.n) < 0)
    return NULL;
  return made;
}

char *mutate(const char *text, uint64_t *state) {
  char *made = changed_once(text, state);
  if (made && random_below(state, 3) == 0) {
    char *again = changed_once(made, state);
    free(made);
    made = again;
  }
  return made;
}

/* ---- kernels with any arguments ------------------------------------------------------------------------------------------------------ */

enum { MOST_ARGUMENTS_DRAWN = 128, MOST_WORDS = 400 };

typedef struct launch {
  dslc_launch_argument argument[MOST_ARGUMENTS_DRAWN];
  int n;
  dslc_launch_range range;
} launch;

static dslc_launch_argument any_memory(uint64_t *state) {
  const uint64_t words = 1 + random_below(state, MOST_WORDS);
  dslc_launch_argument a = {.kind = DSLC_ARGUMENT_MEMORY, .memory = dslc_memory_create("some", 8 * words)};
  if (a.memory && random_below(state, 4)) dslc_memory_mark(a.memory, 0, 8 * words);
  return a;
}

static dslc_launch_argument any_argument(const dslc_arg *arg, uint64_t *state) {
  switch (random_below(state, 50) ? arg->kind : DSLC_ARG_STAGE) {
  case DSLC_ARG_BUFFER: return any_memory(state);
  case DSLC_ARG_PARAMETER:
  case DSLC_ARG_STAGE:
  case DSLC_ARG_WEIGHT:
    return (dslc_launch_argument){.kind = DSLC_ARGUMENT_F64, .f64 = 0.25 * (double)random_below(state, 9)};
  default:
    return (dslc_launch_argument){.kind = DSLC_ARGUMENT_I32, .i32 = (int32_t)random_below(state, 41) - 1};
  }
}

static launch any_launch(const dslc_kernel *k, const dslc_kernel_info *info, uint64_t *state) {
  launch l = {.n = k->n_args < MOST_ARGUMENTS_DRAWN ? k->n_args : MOST_ARGUMENTS_DRAWN};
  for (int i = 0; i < l.n; i++) l.argument[i] = any_argument(&k->arg[i], state);
  l.range.dims = k->grid ? (unsigned)k->grid : 1;
  for (unsigned a = 0; a < l.range.dims; a++) {
    l.range.local[a] = info->group[a];
    l.range.global[a] = (info->group[a] ? info->group[a] : 4) * (1 + random_below(state, 2));
  }
  return l;
}

static void clear_launch(launch *l) {
  for (int i = 0; i < l->n; i++)
    if (l->argument[i].kind == DSLC_ARGUMENT_MEMORY) dslc_memory_destroy(&l->argument[i].memory);
}

/* What the machine finds, as text: the caller frees it. */
static char *faults_of(dslc_kernels *kernels, const dslc_kernel *k, int number, uint64_t seed) {
  const dslc_machine_options how = {.seed = seed, .loop_limit = 2000};
  dslc_machine *machine = dslc_machine_create(&how);
  dslc_kernel_info info;
  char message[500], *text = NULL;
  size_t size;
  int n = 0;
  FILE *out = open_memstream(&text, &size);
  if (dslc_kernels_open(kernels, number, &info, message, sizeof message)) {
    uint64_t state = random_seed(seed);
    launch l = any_launch(k, &info, &state);
    fprintf(out, "%d\n", dslc_machine_launch(machine, kernels, number, l.argument, l.n, &l.range));
    const dslc_fault *fault = dslc_machine_faults(machine, &n);
    for (int i = 0; i < n; i++) fprintf(out, "%s\n", fault[i].text);
    clear_launch(&l);
  } else fputs(message, out);
  fclose(out);
  dslc_machine_destroy(&machine);
  return text;
}

/* One kernel, by chance. */
bool launches_end(const dslc_program *p, const char *source, uint64_t seed, char *why, size_t size) {
  char message[500];
  dslc_kernels *kernels = dslc_kernels_parse(source, "", message, sizeof message);
  bool same = true;
  for (int i = 0; kernels && i < 2 && p->execution.n_kernels; i++) {
    const dslc_kernel *k = &p->execution.kernel[(seed >> 8) % (uint64_t)p->execution.n_kernels];
    const int number = dslc_kernels_find(kernels, k->name);
    if (number < 0) break;
    char *one = faults_of(kernels, k, number, seed + (uint64_t)i),
         *two = faults_of(kernels, k, number, seed + (uint64_t)i);
    same = same && one && two && strcmp(one, two) == 0;
    if (!same)
      snprintf(why, size, "kernel `%s` does not run to the same faults twice: %.200s", k->name,
               one ? one : "");
    free(one), free(two);
  }
  dslc_kernels_destroy(&kernels);
  return same;
}
