/* The reader of checkpoints on arbitrary bytes. Most mutants get sums that fit. */
#include <stdint.h>
#include <stdlib.h>

#include "checkpoint_sums.h"
#include "formats/checkpoint.h"
#include "fuzz_file.h"
#include "mutate.h"

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
    fuzz_need(real && integer);
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

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t most, unsigned seed) {
  size = LLVMFuzzerMutate(bytes, size, most);
  if (seed % 16) checkpoint_mend_sums(bytes, size);
  return size;
}
