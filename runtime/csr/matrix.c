/* Sparse matrices on the host, from entries in any order. */
#include "csr/matrix.h"

#include <stdlib.h>

#include "base/memory.h"

/* order[]: the entries given by `from` (NULL: all in turn), sorted by key, equal keys staying in order. start has n + 2 entries,
 * all 0. */
static void counting_sort(const int32_t *key, size_t n_entries, const int32_t *from, int32_t n,
                          int32_t *start, int32_t *order) {
  for (size_t k = 0; k < n_entries; k++) start[key[k] + 2]++;
  for (int32_t i = 0; i < n; i++) start[i + 2] += start[i + 1];
  for (size_t k = 0; k < n_entries; k++) {
    int32_t e = from ? from[k] : (int32_t)k;
    order[start[key[e] + 1]++] = e;
  }
}

static void fill_rows(csr_rows *m, const csr_entries *e, const int32_t *order) {
  int32_t at = 0, i = 0;
  for (size_t k = 0; k < e->n; k++) {
    const int32_t this = order[k];
    while (i < e->row[this]) m->start[++i] = at;
    if (at > m->start[i] && m->col[at - 1] == e->col[this]) {
      m->value[at - 1] += e->value[this];
      continue;
    }
    m->col[at] = e->col[this];
    m->value[at++] = e->value[this];
  }
  while (i < m->rows) m->start[++i] = at;
}

ew_status csr_rows_create(const csr_entries *e, csr_rows **out, ew_error *err) {
  ew_status status = EW_OK;
  int32_t *by_col = NULL, *order = NULL, *col_start = NULL, *row_start = NULL;
  csr_rows *m = *out = calloc(1, sizeof *m);
  if (!m) return ew_fail(err, EW_FAIL, "out of memory for a matrix");
  m->rows = e->rows;
  m->columns = e->columns;
  EW_CHECK(EW_NEW(m->start, (size_t)e->rows + 1));
  EW_CHECK(EW_NEW(m->col, e->n));
  EW_CHECK(EW_NEW(m->value, e->n));
  EW_CHECK(EW_NEW(by_col, e->n));
  EW_CHECK(EW_NEW(order, e->n));
  EW_CHECK(EW_NEW(col_start, (size_t)e->columns + 2));
  EW_CHECK(EW_NEW(row_start, (size_t)e->rows + 2));
  counting_sort(e->col, e->n, NULL, e->columns, col_start, by_col);
  counting_sort(e->row, e->n, by_col, e->rows, row_start, order);
  fill_rows(m, e, order);
cleanup:
  free(by_col);
  free(order);
  free(col_start);
  free(row_start);
  if (status != EW_OK) csr_rows_destroy(out);
  return status;
}

void csr_rows_destroy(csr_rows **m) {
  if (!m || !*m) return;
  free((*m)->start);
  free((*m)->col);
  free((*m)->value);
  free(*m);
  *m = NULL;
}
