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

/* ---- pieces ------------------------------------------------------------------------------------------------------- */

static int32_t part_begin(const int32_t *start, int32_t rows, int part) {
  const int64_t wanted = (int64_t)start[rows] * part / MG_PARTS;
  int32_t low = 0, high = rows;
  if (part >= MG_PARTS) return rows;
  while (low < high) {
    const int32_t middle = low + (high - low) / 2;
    if (start[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

ew_status mg_pieces_create(const int32_t *start, int32_t rows, int32_t columns, mg_pieces *out,
                           ew_error *err) {
  ew_status status;
  *out = (mg_pieces){.rows = rows, .columns = columns};
  for (int p = 0; p <= MG_PARTS; p++) out->begin[p] = part_begin(start, rows, p);
  EW_CHECK(EW_NEW(out->start, (size_t)rows + 1));
  EW_CHECK(EW_NEW(out->of, rows));
  for (int p = 0; p < MG_PARTS; p++)
    memset(out->of + out->begin[p], p, (size_t)(out->begin[p + 1] - out->begin[p]));
cleanup:
  if (status != EW_OK) mg_pieces_clear(out);
  return status;
}

void mg_pieces_clear(mg_pieces *r) {
  for (int p = 0; p < MG_PARTS; p++) {
    free(r->part[p].col);
    free(r->part[p].value);
  }
  free(r->start);
  free(r->of);
  *r = (mg_pieces){0};
}

bool mg_part_reserve(mg_part *p, size_t more) {
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

ew_status mg_pieces_close(mg_pieces *r, ew_error *err) {
  int64_t all = 0;
  for (int p = 0; p < MG_PARTS; p++) {
    if (r->part[p].failed)
      return ew_fail(err, EW_FAIL, "multigrid, rows of a sparse matrix: %s", r->part[p].failed);
    r->part[p].first = (int32_t)all;
    all += r->part[p].n;
    if (all > INT32_MAX)
      return ew_fail(err, EW_FAIL, "multigrid: a matrix of more entries than 32 bits count");
  }
  for (int32_t i = 0; i < r->rows; i++) r->start[i + 1] += r->start[i];
  return EW_OK;
}

static ew_status room_for(mg_rows *r, size_t n, ew_error *err) {
  r->col = malloc((n + 1) * sizeof *r->col);
  r->value = malloc((n + 1) * sizeof *r->value);
  if (r->col && r->value) return EW_OK;
  return ew_fail(err, EW_FAIL, "out of memory for %zu matrix entries", n);
}

ew_status mg_pieces_join(mg_pieces *from, mg_rows *out, ew_error *err) {
  ew_status status;
  *out = (mg_rows){.rows = from->rows, .columns = from->columns, .start = from->start};
  from->start = NULL;
  EW_CHECK(room_for(out, (size_t)out->start[out->rows], err));
#pragma omp parallel for schedule(dynamic)
  for (int p = 0; p < MG_PARTS; p++) {
    const mg_part *part = &from->part[p];
    if (part->n == 0) continue;
    memcpy(out->col + part->first, part->col, (size_t)part->n * sizeof *out->col);
    memcpy(out->value + part->first, part->value, (size_t)part->n * sizeof *out->value);
  }
cleanup:
  if (status != EW_OK) mg_rows_clear(out);
  return status;
}

/* ---- transpose --------------------------------------------------------------------------------------------------- */

/* at[p columns + j]: how many entries rows begin[p] ... begin[p+1]-1 have in column j; then where the first of
 * them goes. */
static void count_columns(const mg_rows *a, const int32_t *begin, int32_t *at) {
#pragma omp parallel for schedule(dynamic)
  for (int p = 0; p < MG_PARTS; p++)
    for (int32_t k = a->start[begin[p]]; k < a->start[begin[p + 1]]; k++)
      at[(size_t)p * (size_t)a->columns + (size_t)a->col[k]]++;
}

static void place_columns(int32_t columns, int32_t *at, int32_t *start) {
  int32_t here = 0;
  for (int32_t j = 0; j < columns; j++) {
    start[j] = here;
    for (int p = 0; p < MG_PARTS; p++) {
      int32_t *mine = &at[(size_t)p * (size_t)columns + (size_t)j];
      const int32_t n = *mine;
      *mine = here;
      here += n;
    }
  }
  start[columns] = here;
}

ew_status mg_transpose(const mg_rows *a, mg_rows *out, ew_error *err) {
  ew_status status;
  int32_t *at = NULL, begin[MG_PARTS + 1];
  *out = (mg_rows){.rows = a->columns, .columns = a->rows};
  for (int p = 0; p <= MG_PARTS; p++) begin[p] = part_begin(a->start, a->rows, p);
  EW_CHECK(EW_NEW(out->start, (size_t)a->columns + 1));
  EW_CHECK(EW_NEW(at, MG_PARTS * (size_t)a->columns));
  EW_CHECK(room_for(out, (size_t)a->start[a->rows], err));
  count_columns(a, begin, at);
  place_columns(a->columns, at, out->start);
#pragma omp parallel for schedule(dynamic)
  for (int p = 0; p < MG_PARTS; p++)
    for (int32_t i = begin[p]; i < begin[p + 1]; i++)
      for (int32_t k = a->start[i]; k < a->start[i + 1]; k++) {
        const int32_t to = at[(size_t)p * (size_t)a->columns + (size_t)a->col[k]]++;
        out->col[to] = i;
        out->value[to] = a->value[k];
      }
cleanup:
  free(at);
  if (status != EW_OK) mg_rows_clear(out);
  return status;
}

/* ---- product ------------------------------------------------------------------------------------------------------- */

/* x y. place[column]: where the column's entry lies, if at or behind the row's beginning. */
typedef struct product {
  const int32_t *start, *col;     /* of x */
  const double *value, *diagonal; /* diagonal: added to x; NULL: none */
  const mg_rows *rows;            /* y is either */
  const mg_pieces *pieces;
  double *out;     /* the product's diagonal, which is no entry then; NULL: it is one */
  int32_t longest; /* row of y */
} product;

typedef struct row_view {
  const int32_t *col;
  const double *value;
  int32_t n;
} row_view;

static inline row_view row_of(const product *f, int32_t row) {
  const mg_pieces *y = f->pieces;
  const int32_t *start = y ? y->start : f->rows->start;
  const int32_t n = start[row + 1] - start[row];
  if (!y) return (row_view){f->rows->col + start[row], f->rows->value + start[row], n};
  const mg_part *part = &y->part[y->of[row]];
  const int32_t at = start[row] - part->first;
  return (row_view){part->col + at, part->value + at, n};
}

static inline void add_row(mg_part *p, int32_t *place, int32_t begin, row_view y, double factor) {
  int32_t n = p->n;
  for (int32_t k = 0; k < y.n; k++) {
    const int32_t column = y.col[k], at = place[column];
    const double value = factor * y.value[k];
    if (at >= begin) {
      p->value[at] += value;
    } else {
      place[column] = n;
      p->col[n] = column;
      p->value[n++] = value;
    }
  }
  p->n = n;
}

static int32_t longest_row(const int32_t *start, int32_t rows) {
  int32_t most = 0;
  for (int32_t i = 0; i < rows; i++)
    if (start[i + 1] - start[i] > most) most = start[i + 1] - start[i];
  return most;
}

/* The last entry takes the diagonal's place, which is the first; its own is the next row's. */
static void take_diagonal(mg_part *p, int32_t *place, int32_t begin, double *diagonal) {
  *diagonal = p->value[begin];
  p->n--;
  p->col[begin] = p->col[p->n];
  p->value[begin] = p->value[p->n];
  place[p->col[begin]] = begin;
}

static void multiply_row(const product *f, int32_t i, int32_t *place, mg_part *p) {
  const int32_t begin = p->n;
  if (f->out) { /* room for the diagonal comes first */
    place[i] = begin;
    p->col[begin] = i;
    p->value[p->n++] = 0;
  }
  if (f->diagonal) add_row(p, place, begin, row_of(f, i), f->diagonal[i]);
  for (int32_t k = f->start[i]; k < f->start[i + 1]; k++)
    if (f->value[k] != 0) add_row(p, place, begin, row_of(f, f->col[k]), f->value[k]);
  if (f->out) take_diagonal(p, place, begin, &f->out[i]);
}

static void multiply_part(const product *f, mg_pieces *out, int number) {
  mg_part *p = &out->part[number];
  int32_t *place = malloc(((size_t)out->columns + 1) * sizeof *place);
  if (!place) p->failed = "out of memory";
  for (int32_t j = 0; place && j < out->columns; j++) place[j] = -1;
  for (int32_t i = out->begin[number]; i < out->begin[number + 1] && !p->failed; i++) {
    const size_t terms = (size_t)(f->start[i + 1] - f->start[i] + 1) * (size_t)f->longest + 1,
                 most = (size_t)out->columns + 1;
    const int32_t first = p->n;
    if (!mg_part_reserve(p, terms < most ? terms : most)) break;
    multiply_row(f, i, place, p);
    out->start[i + 1] = p->n - first;
  }
  free(place);
}

static ew_status multiply(const product *f, mg_pieces *out, ew_error *err) {
#pragma omp parallel for schedule(dynamic)
  for (int p = 0; p < MG_PARTS; p++) multiply_part(f, out, p);
  return mg_pieces_close(out, err);
}

ew_status mg_product(const mg_matrix *a, const mg_rows *p, mg_pieces *out, ew_error *err) {
  ew_status status;
  const product f = {.start = a->start,
                     .col = a->col,
                     .value = a->off,
                     .diagonal = a->diagonal,
                     .rows = p,
                     .longest = longest_row(p->start, p->rows)};
  EW_CHECK(mg_pieces_create(a->start, a->n, p->columns, out, err));
  EW_CHECK(multiply(&f, out, err));
cleanup:
  if (status != EW_OK) mg_pieces_clear(out);
  return status;
}

ew_status mg_square(const mg_rows *r, const mg_pieces *y, mg_rows *out, double *diagonal, ew_error *err) {
  ew_status status;
  mg_pieces made;
  const product f = {.start = r->start,
                     .col = r->col,
                     .value = r->value,
                     .pieces = y,
                     .out = diagonal,
                     .longest = longest_row(y->start, y->rows)};
  EW_CHECK(mg_pieces_create(r->start, r->rows, y->columns, &made, err));
  EW_CHECK(multiply(&f, &made, err));
  EW_CHECK(mg_pieces_join(&made, out, err));
cleanup:
  mg_pieces_clear(&made);
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
