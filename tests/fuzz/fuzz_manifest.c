/* Manifests from somebody else: what is accepted is written, read again, and written to the same bytes. Some mutations
 * are libFuzzer's own. Seeds take any kernels, so that all get beyond the sum of their text. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dslc.h"
#include "fuzz_file.h"
#include "mutate.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t most, unsigned seed);

static void require(bool condition, const char *what) {
  if (condition) return;
  fprintf(stderr, "%s\n", what);
  abort();
}

static char *read_all(const char *path) {
  FILE *f = fopen(path, "rb");
  char *text = calloc(1, 1 << 20);
  fuzz_need(f && text);
  require(fread(text, 1, (1 << 20) - 1, f) > 0, "a manifest that was written is empty");
  fclose(f);
  return text;
}

/* Written, read, written again: returns whether the writer took it. */
static void go_round(const dslc_program *p) {
  char error[4096] = "";
  dslc_program *again = NULL;
  const char *path = fuzz_file("again.json", "", 0);
  fuzz_need(path != NULL);
  if (dslc_manifest_write(p, path, error, sizeof error) != 0) return;
  char *first = read_all(path);
  int status = dslc_manifest_read(path, &again, error, sizeof error);
  require(status == 0 || status == 1 || status == 6, error);
  fuzz_need(status == 0 && dslc_manifest_write(again, path, error, sizeof error) == 0);
  char *second = read_all(path);
  require(strcmp(first, second) == 0, "written twice, a manifest differs");
  free(first);
  free(second);
  dslc_program_destroy(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  static const char KERNELS[] = "kernel void f(global double *a) { a[0] = 0; }\n";
  char error[4096] = "";
  dslc_program *p = NULL;
  fuzz_file("k.cl", KERNELS, sizeof KERNELS - 1);
  const char *path = fuzz_file("m.json", bytes, size);
  if (!path) return 0;
  int status = dslc_manifest_read(path, &p, error, sizeof error);
  require((status == 0) == (p != NULL), "neither read nor refused");
  require(status == 0 || ((status == 3 || status == 6 || status == 1) && *error),
          "refused without a documented reason");
  if (p) go_round(p);
  dslc_program_destroy(&p);
  return 0;
}

/* ---- mutations -------------------------------------------------------------------------------------------------------------- */

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t most, unsigned seed) {
  static const char *const WORD[] = {
      "-1",   "0",     "1",     "2",       "3",  "7",          "64",   "255",        "1000", "65536",
      "0.5",  "1e300", "16",    "4",       "[]", "{}",         "null", "2147483647", "true", "false",
      "\"\"", "\"x\"", "[1,2]", "\"inf\"", "-7", "4294967296", ",",    "\"any\"",    "]",    "}"};
  static const mutation_words WORDS = {sizeof WORD / sizeof *WORD, WORD};
  if (seed % 2 == 0) return LLVMFuzzerMutate(bytes, size, most);
  return mutate_tokens(bytes, size, most, &WORDS, seed);
}
