/* Sliced ELL (Kreutzer et al. 2014, SELL-C-sigma): rows sorted by length within windows, so that the rows of a slice are about equally
 * long; longer windows fill less, shorter ones leave neighbours nearer to each other. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "csr/internal.h"
#include "sliced_cl.h"

enum { window = 256 };

typedef struct layout {
  int32_t n, slices, entries;
  bool sorted;
  int32_t *slot, *start, *col, *source;
} layout;

static int32_t length(const csr_pattern *p, int32_t row) { return p->start[row + 1] - p->start[row]; }

typedef struct place {
  int32_t length, row;
} place;

static int longer_first(const void *a, const void *b) {
  const place *p = a, *q = b;
  if (p->length != q->length) return p->length > q->length ? -1 : 1;
  return p->row < q->row ? -1 : 1;
}

static void sort_rows(const csr_pattern *p, int32_t *slot) {
  place places[window];
  for (int32_t first = 0; first < p->n; first += window) {
    int32_t count = p->n - first < window ? p->n - first : window;
    for (int32_t i = 0; i < count; i++) places[i] = (place){length(p, first + i), first + i};
    qsort(places, (size_t)count, sizeof *places, longer_first);
    for (int32_t i = 0; i < count; i++) slot[first + i] = places[i].row;
  }
}

static void keep_rows(const csr_pattern *p, int32_t *slot) {
  for (int32_t i = 0; i < p->n; i++) slot[i] = i;
}

static int32_t longest(const csr_pattern *p, const layout *l, int32_t slice) {
  int32_t most = 0;
  for (int32_t at = slice * csr_slice; at < (slice + 1) * csr_slice && at < l->n; at++)
    if (length(p, l->slot[at]) > most) most = length(p, l->slot[at]);
  return most;
}

static int64_t measure_slices(const csr_pattern *p, layout *l) {
  int64_t at = 0;
  for (int32_t s = 0; s < l->slices; s++) {
    l->start[s] = at > INT32_MAX ? INT32_MAX : (int32_t)at;
    at += (int64_t)longest(p, l, s) * csr_slice;
  }
  l->start[l->slices] = at > INT32_MAX ? INT32_MAX : (int32_t)at;
  return at;
}

/* Rows in their own order are read and written side by side, and nothing tells where they are: worth a few per cent of filling. */
static int64_t order_rows(const csr_pattern *p, layout *l) {
  keep_rows(p, l->slot);
  int64_t plain = measure_slices(p, l);
  l->sorted = plain > 1.04 * p->start[p->n];
  if (!l->sorted) return plain;
  sort_rows(p, l->slot);
  return measure_slices(p, l);
}

static void fill_place(const csr_pattern *p, layout *l, int32_t at) {
  int32_t slice = at / csr_slice, row = at < l->n ? l->slot[at] : -1, k = 0;
  for (int32_t e = l->start[slice] + at % csr_slice; e < l->start[slice + 1]; e += csr_slice, k++) {
    bool real = row >= 0 && k < length(p, row);
    l->source[e] = real ? p->start[row] + k : -1;
    l->col[e] = real ? p->col[p->start[row] + k] : row < 0 ? 0 : row;
  }
}

static ew_status plan(const csr_pattern *p, layout *l, ew_error *err) {
  enum { MOST = INT32_MAX - csr_slice }; /* loops go in steps of a slice */
  if (p->n > MOST) return ew_fail(err, EW_INPUT, "%d rows are too many for sliced form", p->n);
  l->n = p->n;
  l->slices = p->n / csr_slice + (p->n % csr_slice != 0);
  l->slot = malloc((size_t)p->n * sizeof *l->slot);
  l->start = malloc(((size_t)l->slices + 1) * sizeof *l->start);
  if (!l->slot || !l->start) return ew_fail(err, EW_FAIL, "out of memory for a sliced matrix");
  int64_t entries = order_rows(p, l);
  if (entries > MOST)
    return ew_fail(
        err, EW_INPUT,
        "the matrix has %lld entries in sliced form, which counts to 2^31.\nhint: another form, such as "
        "'stream'",
        (long long)entries);
  l->entries = (int32_t)entries;
  l->col = malloc((size_t)entries * sizeof *l->col + 1);
  l->source = malloc((size_t)entries * sizeof *l->source + 1);
  if (!l->col || !l->source)
    return ew_fail(err, EW_FAIL, "out of memory for a sliced matrix of %d entries", l->entries);
  for (int32_t at = 0; at < l->slices * csr_slice; at++) fill_place(p, l, at);
  return EW_OK;
}

static void layout_clear(layout *l) {
  free(l->slot);
  free(l->start);
  free(l->col);
  free(l->source);
}

static ew_status narrow_columns(const csr_operator *op, layout *l, csr_sliced *s, ew_error *err) {
  for (int32_t at = 0; at < l->slices * csr_slice; at++)
    for (int32_t slice = at / csr_slice, e = l->start[slice] + at % csr_slice; e < l->start[slice + 1];
         e += csr_slice)
      l->col[e] -= at < l->n ? l->slot[at] : 0;
  return csr_upload_narrow(op->device, l->col, l->entries, &s->col, err);
}

ew_status csr_sliced_create(const csr_operator *op, const csr_pattern *pattern, csr_sliced *s,
                            ew_error *err) {
  ew_status status = EW_OK;
  layout l = {0};
  dev_program *program = NULL;
  EW_CHECK(plan(pattern, &l, err));
  s->entries = l.entries;
  s->sorted = l.sorted;
  const uint64_t entries = (uint64_t)l.entries * sizeof(int32_t); /* bytes */
  EW_CHECK(
      dev_buffer_upload(op->device, "sliced rows", l.slot, (uint64_t)l.n * sizeof *l.slot, &s->slot, err));
  EW_CHECK(dev_buffer_upload(op->device, "slices", l.start, ((uint64_t)l.slices + 1) * sizeof *l.start,
                             &s->start, err));
  if (op->narrow) EW_CHECK(narrow_columns(op, &l, s, err));
  else EW_CHECK(dev_buffer_upload(op->device, "sliced columns", l.col, entries, &s->col, err));
  EW_CHECK(dev_buffer_upload(op->device, "sliced sources", l.source, entries, &s->source, err));
  EW_CHECK(
      dev_buffer_create(op->device, "sliced values", (uint64_t)l.entries * sizeof(double), &s->value, err));
  EW_CHECK(csr_operator_build(op, "sliced", sliced_cl, "", &program, err));
  EW_CHECK(dev_kernel_create(program, "sliced_values", &s->convert, err));
cleanup:
  dev_program_destroy(&program);
  layout_clear(&l);
  return status;
}

ew_status csr_sliced_set_values(const csr_operator *op, csr_sliced *s, const dev_buffer *off, ew_error *err) {
  if (s->entries == 0) return EW_OK;
  csr_call call = {.op = op, .kernel = s->convert, .err = err};
  csr_call_int(&call, s->entries); /* n: of entries here */
  csr_call_buffer(&call, s->source);
  csr_call_buffer(&call, off);
  csr_call_buffer(&call, s->value);
  return csr_call_vector(&call);
}

void csr_sliced_clear(csr_sliced *s) {
  dev_kernel_destroy(&s->convert);
  dev_buffer **all[] = {&s->start, &s->col, &s->slot, &s->source, &s->value};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) dev_buffer_destroy(all[i]);
}
