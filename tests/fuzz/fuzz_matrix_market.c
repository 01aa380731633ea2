/* The reader of Matrix Market files on arbitrary bytes: what is accepted has rows in order, increasing columns inside of the
 * matrix, and finite numbers. Seeds: the files of tests/cli/solve_*. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "formats/matrix_market.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(int condition) {
  if (!condition) abort();
}

static void look_at(const csr_rows *m) {
  require(m->start[0] == 0);
  for (int32_t i = 0; i < m->rows; i++) {
    require(m->start[i + 1] >= m->start[i]);
    for (int32_t k = m->start[i]; k < m->start[i + 1]; k++) {
      require(m->col[k] >= 0 && m->col[k] < m->columns);
      require(k == m->start[i] || m->col[k] > m->col[k - 1]);
    }
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  ew_error err = {0};
  csr_rows *m = NULL;
  if (mm_read_memory(bytes, size, "fuzz", &m, &err) == EW_OK) look_at(m);
  else require(err.text[0] != '\0' && m == NULL);
  csr_rows_destroy(&m);
  return 0;
}
