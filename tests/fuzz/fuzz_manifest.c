/* Manifests from somebody else: what is accepted is written, read again, and written to the same bytes. Mutations exchange values; some
 * are libFuzzer's own. Seeds take any kernels, so that all get beyond the sum of their text. */
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dslc.h"
#include "fuzz_file.h"

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
  require(f && text, "a manifest that was written is not there");
  require(fread(text, 1, (1 << 20) - 1, f) > 0, "a manifest that was written is empty");
  fclose(f);
  return text;
}

/* Written, read, written again: returns whether the writer took it. */
static void go_round(const dslc_program *p) {
  char error[4096] = "";
  dslc_program *again = NULL;
  const char *path = fuzz_file("again.json", "", 0);
  require(path != NULL, "no room for files");
  if (dslc_manifest_write(p, path, error, sizeof error) != 0) return;
  char *first = read_all(path);
  if (dslc_manifest_read(path, &again, error, sizeof error) != 0) require(false, error);
  require(dslc_manifest_write(again, path, error, sizeof error) == 0, error);
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
  require(status == 0 || ((status == 3 || status == 6) && *error), "refused without a documented reason");
  if (p) go_round(p);
  dslc_program_destroy(&p);
  return 0;
}

/* ---- mutations -------------------------------------------------------------------------------------------------------------- */

typedef struct piece {
  size_t at, n;
} piece;

static size_t draw(uint64_t *h, size_t below) {
  *h = *h * 6364136223846793005ULL + 1442695040888963407ULL;
  return (size_t)(*h >> 33) % (below ? below : 1);
}

/* The value, number, word or truth, that begins at or behind a random byte; empty where there is none. */
static piece find_value(const uint8_t *text, size_t size, uint64_t *h) {
  for (size_t i = draw(h, size); i + 1 < size; i++) {
    if (!strchr(":,[", text[i]) || text[i] == '\0') continue;
    size_t at = i + 1, n = 0;
    while (at < size && isspace(text[at])) at++;
    bool word = at < size && text[at] == '"';
    if (word) {
      const uint8_t *end = memchr(text + at + 1, '"', size - at - 1);
      n = end ? (size_t)(end - text) - at + 1 : 0;
      if (!n || (at + n < size && text[at + n] == ':')) continue; /* a key */
    } else
      while (at + n < size && (isalnum(text[at + n]) || strchr("-+.", text[at + n])) && text[at + n]) n++;
    if (n) return (piece){at, n};
  }
  return (piece){0, 0};
}

static size_t exchange(uint8_t *text, size_t size, size_t most, uint64_t *h) {
  static const char *const OTHER[] = {
      "-1",  "0",     "1",          "2",      "3",          "7",    "64",   "255",   "65535", "1000",
      "0.5", "1e300", "4294967296", "100000", "2147483647", "null", "true", "false", "\"\"",  "\"x\"",
      "[]",  "{}",    "[1,2]",      "-7",     "\"inf\"",    "16",   "4",    "\"T\""};
  char with[256];
  piece to = find_value(text, size, h), from = find_value(text, size, h);
  const char *other = OTHER[draw(h, sizeof OTHER / sizeof *OTHER)];
  bool own = draw(h, 2) && from.n && from.n < sizeof with;
  size_t n = own ? from.n : strlen(other);
  memcpy(with, own ? (const char *)text + from.at : other, n);
  if (!to.n || size - to.n + n > most) return size;
  memmove(text + to.at + n, text + to.at + to.n, size - to.at - to.n);
  memcpy(text + to.at, with, n);
  return size - to.n + n;
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t most, unsigned seed) {
  uint64_t h = seed * 0x9e3779b97f4a7c15ULL + 1;
  if (seed % 4 == 0) return LLVMFuzzerMutate(bytes, size, most);
  for (size_t times = 1 + draw(&h, 3); times > 0; times--) size = exchange(bytes, size, most, &h);
  return size;
}
