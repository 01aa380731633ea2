/* Any text through the whole compiler to the text of kernels, for a target, a mesh and a schedule that the text itself decides about, so
 * that a scheme is all that a corpus holds. What is accepted must be emitted, and nothing may be called an internal error.
 */
#include "fuzz_build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dslc.h"
#include "mutate.h"

enum { LONGEST = 20000 };

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
      {"faces", "inline"},    {"faces", "store"},      {"faces", "scatter"}, {"faces", "patch"},
      {"select", "delta"},    {"select", "branch"},    {"layout", "aos"},    {"layout", "soa"},
      {"items", "loop"},      {"items", "each"},       {"group", "64"},      {"grid.window", "auto"},
      {"grid.window", "off"}, {"grid.walls", "calls"}, {"unroll", "off"},    {"grid.walls", "tables"},
      {"reduce", "tree"}};
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

size_t mutate_scheme(unsigned char *text, size_t size, size_t most, uint64_t seed) {
  static const char *const WORD[] = {"0",
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
  static const mutation_words WORDS = {sizeof WORD / sizeof *WORD, WORD};
  return mutate_tokens(text, size, most, &WORDS, seed);
}

size_t LLVMFuzzerCustomMutator(unsigned char *data, size_t size, size_t most, unsigned seed) {
  return mutate_scheme(data, size, most, seed);
}
