/* Any file as an output with fields, .vtu or .vti, as `edgewise compare` reads it: what is accepted has arrays of whole numbers of values, of which each
 * can be read and found by its name; and no array holds more than the file's bytes can become. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "fuzz_file.h"
#include "mutate.h"
#include "report/grid_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t most, unsigned seed);

static void require(bool condition) {
  if (!condition) abort();
}

/* Every value is looked at, so that a sanitizer sees one that was not set. */
static void use(const grid_file *f, size_t size) {
  size_t all = 0, finite = 0;
  for (int i = 0; i < f->n; i++) {
    const grid_array *a = &f->array[i];
    require(a->components >= 1 && a->value != NULL);
    require(grid_file_find(f, a->name) != NULL);
    for (size_t k = 0; k < a->n; k++) finite += isfinite(a->value[k]) != 0;
    all += a->n;
  }
  require(finite <= all && all <= 1100 * size);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  ew_error err = {0};
  grid_file f;
  const char *path = fuzz_file("fields.vtu", bytes, size);
  if (!path) return 0;
  if (grid_file_read(path, &f, &err) == EW_OK) use(&f, size);
  else require(err.text[0] != '\0' && err.status != EW_INTERNAL && f.n == 0);
  grid_file_clear(&f);
  return 0;
}

/* ---- mutants with another array -------------------------------------------------------------------------------------------- */

enum { MOST_BLOCKS = 4, MOST_BLOCK = 64 };

/* An array of some blocks of numbers behind the data; the last block may be shorter. Returns its bytes. */
static size_t pack(uint8_t *to, unsigned seed) {
  uint64_t n = seed % (MOST_BLOCKS + 1), size = 8 * (1 + seed / 8 % (MOST_BLOCK / 8)),
           last = seed / 64 % size & ~7ULL;
  uint64_t head[3 + MOST_BLOCKS] = {n, size, n ? last : 0};
  uint8_t raw[MOST_BLOCK], *at = to + 8 * (3 + n);
  for (size_t i = 0; i < sizeof raw; i++) raw[i] = (uint8_t)(seed >> i % 24);
  for (uint64_t b = 0; b < n; b++) {
    uLongf packed = 128;
    fuzz_need(compress(at, &packed, raw, b + 1 == n && last ? last : size) == Z_OK);
    head[3 + b] = packed;
    at += packed;
  }
  memcpy(to, head, 8 * (3 + n));
  return (size_t)(at - to);
}

/* The digits of the place of an array, the first behind a byte that the seed chooses. */
static uint8_t *find_offset(uint8_t *bytes, size_t size, unsigned seed) {
  static const char key[] = " offset=\"";
  size_t from = seed % (size + 1);
  uint8_t *found = memmem(bytes + from, size - from, key, sizeof key - 1);
  return found ? found + sizeof key - 1 : NULL;
}

/* An element that names an array behind all others, of which the file is larger by this array. */
static size_t add_array(uint8_t *bytes, size_t size, size_t most, unsigned seed) {
  uint8_t array[8 * (3 + MOST_BLOCKS) + 128 * MOST_BLOCKS], *at = find_offset(bytes, size, seed);
  const uint8_t *data = memmem(bytes, size, "raw\">", 5);
  char digits[24];
  size_t n = pack(array, seed * 2654435761U);
  if (data) data = memchr(data, '_', size - (size_t)(data - bytes));
  if (!at || !data || data < at || size + n + sizeof digits > most) return size;
  size_t old = 0;
  while (at + old < data && at[old] >= '0' && at[old] <= '9') old++;
  snprintf(digits, sizeof digits, "%zu", size - (size_t)(data + 1 - bytes));
  memmove(at + strlen(digits), at + old, size - (size_t)(at - bytes) - old);
  memcpy(at, digits, strlen(digits));
  size += strlen(digits) - old;
  memcpy(bytes + size, array, n);
  return size + n;
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t most, unsigned seed) {
  if (seed % 4 == 0) size = add_array(bytes, size, most, seed / 4);
  return seed % 8 == 0 ? size : LLVMFuzzerMutate(bytes, size, most);
}
