/* Any text as the kernels of a manifest: parsed, looked over, printed and parsed again; with double-single numbers in the place of doubles; two of its
 * kernels as one, alone and of the members of an ensemble. What is made of them parses. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dslc_kernel.h"
#include "mutate.h"

enum { LONGEST = 40000, MOST_PARAMETERS = 400 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t most, unsigned seed);

static void require(bool condition, const char *what) {
  if (condition) return;
  fprintf(stderr, "%s\n", what);
  abort();
}

static bool is_of_memory(const char *message) { return strstr(message, "memory") != NULL; }

/* Its text is its own. */
static void print_again(dslc_kernels *p, const char *options) {
  char message[1000] = "";
  const char *text = dslc_kernels_text(p);
  fuzz_need(text != NULL);
  dslc_kernels *again = dslc_kernels_parse(text, options, message, sizeof message);
  if (!again) require(is_of_memory(message), message);
  const char *second = again ? dslc_kernels_text(again) : NULL;
  if (second) require(strcmp(text, second) == 0, "printed twice, kernels differ");
  dslc_kernels_destroy(&again);
}

static void look_at(dslc_kernels *p) {
  char message[1000];
  dslc_kernel_info info;
  (void)dslc_kernels_verify(p, message, sizeof message);
  for (int k = 0; k < dslc_kernels_count(p); k++)
    if (!dslc_kernels_open(p, k, &info, message, sizeof message))
      require(*message != '\0', "a kernel is refused without a reason");
}

/* The first two that can be one. `members`: of an ensemble, of which each has all buffers for itself. */
static void join(const char *text, bool members) {
  static const dslc_member_argument member[2 * MOST_PARAMETERS];
  char message[1000] = "";
  dslc_kernels *p = dslc_kernels_parse(text, "", message, sizeof message);
  const char *name[2];
  int n = 0, group = 0;
  for (int k = 0; p && k < dslc_kernels_count(p) && n < 2; k++) {
    dslc_kernel_info info;
    int wanted;
    if (!dslc_kernels_open(p, k, &info, message, sizeof message) || info.n_parameters > MOST_PARAMETERS)
      continue;
    if (!dslc_kernels_can_join(p, k, &wanted) || (wanted && group && wanted != group)) continue;
    if (wanted) group = wanted;
    name[n++] = dslc_kernels_name(p, k);
  }
  const dslc_join j = {.name = "fuzz_joined",
                       .n = n,
                       .kernel = name,
                       .alone = (bool[2]){false, true},
                       .group = group ? group : 64,
                       .member = members ? member : NULL};
  if (n > 0) (void)dslc_kernels_join(p, &j, 1);
  dslc_kernels_destroy(&p);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  char message[1000] = "";
  char *text = size <= LONGEST ? malloc(size + 1) : NULL;
  if (!text) return 0;
  memcpy(text, bytes, size);
  text[size] = '\0';
  dslc_kernels *p = dslc_kernels_parse(text, "", message, sizeof message);
  require(p || *message, "refused without a reason");
  const bool parsed = p != NULL;
  if (p) look_at(p), print_again(p, "");
  dslc_kernels_destroy(&p);
  *message = '\0';
  p = parsed ? dslc_kernels_double_single(text, "", message, sizeof message) : NULL;
  require(!parsed || p || *message, "not rewritten without a reason");
  if (p) print_again(p, "");
  dslc_kernels_destroy(&p);
  for (int members = 0; parsed && members < 2; members++) join(text, members);
  free(text);
  return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t most, unsigned seed) {
  static const char *const WORD[] = {"0",
                                     "1",
                                     "-1",
                                     "2147483647",
                                     "2147483648",
                                     "1e300",
                                     "int",
                                     "double",
                                     "long",
                                     "float",
                                     "bool",
                                     "const",
                                     "restrict",
                                     "volatile",
                                     "__global",
                                     "__local",
                                     "__private",
                                     "kernel void k(",
                                     "__kernel",
                                     "struct",
                                     "typedef",
                                     "return",
                                     "for (int i = 0; i < n; i++) {",
                                     "if (",
                                     "else",
                                     "switch (",
                                     "case 0:",
                                     "default:",
                                     "break;",
                                     "continue;",
                                     "while (",
                                     "do",
                                     "#define x(i) ",
                                     "#define n ",
                                     "#pragma ",
                                     "barrier(CLK_LOCAL_MEM_FENCE);",
                                     "get_global_id(0)",
                                     "get_local_id(0)",
                                     "get_group_id(0)",
                                     "atomic_inc(",
                                     "fma(",
                                     "sqrt(",
                                     "(double)",
                                     "(int)",
                                     "[",
                                     "]",
                                     "{",
                                     "}",
                                     "(",
                                     ")",
                                     ";",
                                     ",",
                                     "*",
                                     "&",
                                     "<<",
                                     "%",
                                     "/",
                                     "?",
                                     ":",
                                     "+=",
                                     "++",
                                     "0.5f",
                                     "[1000000]"};
  static const mutation_words WORDS = {sizeof WORD / sizeof *WORD, WORD};
  return mutate_tokens(bytes, size, most, &WORDS, seed);
}
