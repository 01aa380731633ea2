/* The reader of checkpoints on arbitrary bytes. Mutants get sums that fit, as far as their bytes can be read: else each would end there. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "formats/checkpoint.h"
#include "formats/checkpoint_format.h"
#include "fuzz_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t most, unsigned seed);

static void require(int condition) {
  if (!condition) abort();
}

/* ---- reading ------------------------------------------------------------------------------------------------------------ */

/* What a run asks of it: labels by name, arrays of a size that it knows. */
static void use(const checkpoint *c) {
  static const char *const ARRAY[] = {"T", "time", "step", "", "h"};
  checkpoint_label label;
  ew_error err = {0};
  for (size_t i = 0; checkpoint_label_at(c, i, &label); i++)
    require(checkpoint_text(c, label.name) != NULL && label.value != NULL);
  if (checkpoint_label_at(c, 0, &label))
    require(checkpoint_require(c, label.name, label.value, &err) == EW_OK);
  require(checkpoint_require(c, "no such label", "x", &err) == EW_CHECKPOINT && err.text[0]);
  for (int i = 0; i < 5; i++) {
    size_t n = checkpoint_count(c, ARRAY[i]);
    double *real = malloc((n + 1) * sizeof *real);
    int32_t *integer = malloc((n + 1) * sizeof *integer);
    require(real && integer);
    (void)checkpoint_reals(c, ARRAY[i], real, n, &err);
    (void)checkpoint_integers(c, ARRAY[i], integer, n, &err);
    require(checkpoint_reals(c, ARRAY[i], real, n + 1, &err) == EW_CHECKPOINT);
    free(real);
    free(integer);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  ew_error err = {0};
  checkpoint *c = NULL;
  const char *path = fuzz_file("checkpoint.ew", bytes, size);
  if (!path) return 0;
  if (checkpoint_read(&c, path, &err) == EW_OK) use(c);
  else require(err.text[0] != '\0' && c == NULL);
  checkpoint_destroy(&c);
  return 0;
}

/* ---- mutations -------------------------------------------------------------------------------------------------------------- */

typedef struct bytes_at {
  uint8_t *at, *end;
} bytes_at;

static bool skip(bytes_at *b, size_t n) {
  if ((size_t)(b->end - b->at) < n) return false;
  b->at += n;
  return true;
}

static bool take(bytes_at *b, void *to, size_t n) {
  const uint8_t *from = b->at;
  if (!skip(b, n)) return false;
  memcpy(to, from, n);
  return true;
}

static bool skip_text(bytes_at *b) {
  uint32_t n;
  return take(b, &n, sizeof n) && skip(b, n);
}

static uint32_t sum_of(const uint8_t *a, size_t n) { return (uint32_t)crc32_z(crc32_z(0, NULL, 0), a, n); }

/* Each array's sum, then the head's. */
static void mend_sums(uint8_t *bytes, size_t size) {
  checkpoint_start start;
  bytes_at all = {bytes, bytes + size};
  uint32_t n, type;
  uint64_t count;
  if (!take(&all, &start, sizeof start) || start.head_size > size) return;
  bytes_at head = {all.at, all.end}, data;
  if (!skip(&all, (size_t)start.head_size + sizeof n)) return;
  head.end = all.at - sizeof n;
  data = all;
  bool good = take(&head, &n, sizeof n);
  for (uint32_t i = 0; good && i < n; i++) good = skip_text(&head) && skip_text(&head);
  good = good && take(&head, &n, sizeof n);
  for (uint32_t i = 0; good && i < n; i++) {
    good = skip_text(&head) && take(&head, &type, sizeof type) && take(&head, &count, sizeof count);
    uint8_t *sum_at = head.at, *from = data.at;
    good = good && skip(&head, sizeof n) && count <= size && skip(&data, (size_t)count * (type == 0 ? 8 : 4));
    uint32_t sum = good ? sum_of(from, (size_t)(data.at - from)) : 0;
    if (good) memcpy(sum_at, &sum, sizeof sum);
  }
  uint32_t sum = sum_of(bytes, (size_t)(all.at - bytes) - sizeof sum);
  memcpy(all.at - sizeof sum, &sum, sizeof sum);
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t most, unsigned seed) {
  size = LLVMFuzzerMutate(bytes, size, most);
  if (seed % 16) mend_sums(bytes, size);
  return size;
}
