/* Products and transposes of sparse matrices. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "csr/hierarchy.h"

void mg_rows_clear(mg_rows *r) {
  free(r->start);
  free(r->col);
  free(r->value);
  *r = (mg_rows){0};
}

/* Contiguous parts, of about equal numbers of entries, in which work on rows is dealt to threads. */
enum { PARTS = 16 };

static int32_t part_begin(const int32_t *start, int32_t rows, int part) {
  const int64_t wanted = (int64_t)start[rows] * part / PARTS;
  int32_t low = 0, high = rows;
  if (part >= PARTS) return rows;
  while (low < high) {
    const int32_t middle = low + (high - low) / 2;
    if (start[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* ---- transpose --------------------------------------------------------------------------------------------------- */

static ew_status room_for(mg_rows *r, int64_t n, ew_error *err) {
  if (n > INT32_MAX)
    return ew_fail(err, EW_FAIL, "multigrid: a matrix of %lld entries is more than 32 bits count",
                   (long long)n);
  r->col = malloc(((size_t)n + 1) * sizeof *r->col);
  r->value = malloc(((size_t)n + 1) * sizeof *r->value);
  if (r->col && r->value) return EW_OK;
  return ew_fail(err, EW_FAIL, "out of memory for %lld matrix entries", (long long)n);
}

ew_status mg_transpose(const mg_rows *a, mg_rows *out, ew_error *err) {
  ew_status status;
  int32_t *at = NULL;
  *out = (mg_rows){.rows = a->columns, .columns = a->rows};
  EW_CHECK(EW_NEW(out->start, (size_t)a->columns + 1));
  EW_CHECK(EW_NEW(at, (size_t)a->columns + 1));
  EW_CHECK(room_for(out, a->start[a->rows], err));
  for (int32_t k = 0; k < a->start[a->rows]; k++) out->start[a->col[k] + 1]++;
  for (int32_t i = 0; i < a->columns; i++) out->start[i + 1] += out->start[i];
  memcpy(at, out->start, (size_t)a->columns * sizeof *at);
  for (int32_t i = 0; i < a->rows; i++)
    for (int32_t k = a->start[i]; k < a->start[i + 1]; k++) {
      const int32_t to = at[a->col[k]]++;
      out->col[to] = i;
      out->value[to] = a->value[k];
    }
cleanup:
  free(at);
  if (status != EW_OK) mg_rows_clear(out);
  return status;
}

/* ---- product ------------------------------------------------------------------------------------------------------- */

/* The rows of one part of a product. place[column]: where the column's entry lies, if at or behind the row's beginning. */
typedef struct product_part {
  int32_t *col;
  double *value;
  int32_t *place;
  size_t capacity;
  int32_t n;
  const char *failed; /* why, or NULL */
} product_part;

/* Room for that many entries more; else p->failed says why there is none. */
static bool reserve(product_part *p, size_t more) {
  const size_t need = (size_t)p->n + more;
  if (need <= p->capacity) return true;
  if (need > INT32_MAX) p->failed = "more entries than 32 bits count";
  if (p->failed) return false;
  const size_t wanted = need + need / 2;
  int32_t *col = realloc(p->col, wanted * sizeof *col);
  if (col) p->col = col;
  double *value = col ? realloc(p->value, wanted * sizeof *value) : NULL;
  if (value) p->value = value;
  if (value) p->capacity = wanted;
  else p->failed = "out of memory";
  return value != NULL;
}

static inline void add_row(product_part *p, int32_t begin, const mg_rows *y, int32_t row, double factor) {
  int32_t n = p->n;
  for (int32_t k = y->start[row]; k < y->start[row + 1]; k++) {
    const int32_t column = y->col[k], at = p->place[column];
    const double value = factor * y->value[k];
    if (at >= begin) {
      p->value[at] += value;
    } else {
      p->place[column] = n;
      p->col[n] = column;
      p->value[n++] = value;
    }
  }
  p->n = n;
}

static int32_t longest_row(const mg_rows *y) {
  int32_t most = 0;
  for (int32_t i = 0; i < y->rows; i++)
    if (y->start[i + 1] - y->start[i] > most) most = y->start[i + 1] - y->start[i];
  return most;
}

typedef struct factors {
  const mg_rows *x, *y;
  const double *diagonal; /* added to x; NULL: none */
  int32_t longest;        /* row of y */
} factors;

/* Rows begin ... end-1; their lengths go to length[row]. */
static void multiply_part(const factors *f, int32_t begin, int32_t end, product_part *p, int32_t *length) {
  const mg_rows *x = f->x, *y = f->y;
  p->place = malloc(((size_t)y->columns + 1) * sizeof *p->place);
  if (!p->place) p->failed = "out of memory";
  for (int32_t j = 0; !p->failed && j < y->columns; j++) p->place[j] = -1;
  for (int32_t i = begin; i < end && !p->failed; i++) {
    const size_t terms = (size_t)(x->start[i + 1] - x->start[i] + 1) * (size_t)f->longest;
    const int32_t first = p->n;
    if (!reserve(p, terms < (size_t)y->columns ? terms : (size_t)y->columns)) break;
    if (f->diagonal) add_row(p, first, y, i, f->diagonal[i]);
    for (int32_t k = x->start[i]; k < x->start[i + 1]; k++)
      if (x->value[k] != 0) add_row(p, first, y, x->col[k], x->value[k]);
    length[i] = p->n - first;
  }
  free(p->place);
  p->place = NULL;
}

static ew_status join_parts(const product_part *part, const int32_t *begin, mg_rows *out, ew_error *err) {
  ew_status status;
  int64_t all = 0;
  for (int p = 0; p < PARTS; p++) {
    if (part[p].failed)
      return ew_fail(err, EW_FAIL, "multigrid, a product of sparse matrices: %s", part[p].failed);
    all += part[p].n;
  }
  EW_CHECK(room_for(out, all, err));
  for (int32_t i = 0; i < out->rows; i++) out->start[i + 1] += out->start[i];
#pragma omp parallel for schedule(dynamic)
  for (int p = 0; p < PARTS; p++) {
    if (part[p].n == 0) continue;
    memcpy(out->col + out->start[begin[p]], part[p].col, (size_t)part[p].n * sizeof *out->col);
    memcpy(out->value + out->start[begin[p]], part[p].value, (size_t)part[p].n * sizeof *out->value);
  }
cleanup:
  return status;
}

ew_status mg_multiply(const mg_rows *x, const double *diagonal, const mg_rows *y, mg_rows *out,
                      ew_error *err) {
  ew_status status;
  product_part part[PARTS] = {{0}};
  int32_t begin[PARTS + 1];
  const factors f = {x, y, diagonal, longest_row(y)};
  *out = (mg_rows){.rows = x->rows, .columns = y->columns};
  EW_CHECK(EW_NEW(out->start, (size_t)x->rows + 1));
  for (int p = 0; p <= PARTS; p++) begin[p] = part_begin(x->start, x->rows, p);
#pragma omp parallel for schedule(dynamic)
  for (int p = 0; p < PARTS; p++) multiply_part(&f, begin[p], begin[p + 1], &part[p], out->start + 1);
  EW_CHECK(join_parts(part, begin, out, err));
cleanup:
  for (int p = 0; p < PARTS; p++) {
    free(part[p].col);
    free(part[p].value);
  }
  if (status != EW_OK) mg_rows_clear(out);
  return status;
}

/* ---- dense ---------------------------------------------------------------------------------------------------------- */

/* The sweep operator (Goodnight, The American Statistician 33 (1979) 149-158) on pivot k of the symmetric m. */
static void sweep(double *m, int32_t n, int32_t k) {
  const double pivot = m[(size_t)k * (size_t)n + (size_t)k];
  double *row_k = m + (size_t)k * (size_t)n;
  for (int32_t j = 0; j < n; j++) row_k[j] /= pivot;
#pragma omp parallel for schedule(static) if (n > 100)
  for (int32_t i = 0; i < n; i++) {
    double *row = m + (size_t)i * (size_t)n;
    const double factor = row[k];
    if (i == k) continue;
    for (int32_t j = 0; j < n; j++) row[j] -= factor * row_k[j];
    row[k] = -factor / pivot;
  }
  row_k[k] = 1 / pivot;
}

static void spread(const mg_matrix *a, double *out) {
  const size_t n = (size_t)a->n;
  memset(out, 0, n * n * sizeof *out);
  for (size_t i = 0; i < n; i++) {
    out[i * n + i] = a->diagonal[i];
    for (int32_t k = a->start[i]; k < a->start[i + 1]; k++) out[i * n + (size_t)a->col[k]] += a->off[k];
  }
}

ew_status mg_dense_inverse(const mg_matrix *a, double *out, ew_error *err) {
  ew_status status;
  const size_t n = (size_t)a->n;
  bool *zero = NULL;
  EW_CHECK(EW_NEW(zero, a->n));
  spread(a, out);
  for (int32_t k = 0; k < a->n; k++) {
    zero[k] = !(out[(size_t)k * n + (size_t)k] > 1e-11 * a->diagonal[k]);
    if (!zero[k]) sweep(out, a->n, k);
  }
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j <= i; j++)
      out[i * n + j] = out[j * n + i] = zero[i] || zero[j] ? 0 : 0.5 * (out[i * n + j] + out[j * n + i]);
cleanup:
  free(zero);
  return status;
}
