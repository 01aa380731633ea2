#include "csr/device_rows.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dialect_cl.h"
#include "setup_cl.h"

/* ---- kernels ---------------------------------------------------------------------------------------------------- */

static const char *const KERNEL_NAME[MG_N_KERNELS] = {
    "mg_scan_sums",  "mg_scan_tops",     "mg_scan_starts",      "mg_survey",         "mg_guess",
    "mg_relax",      "mg_scale",         "mg_scale_columns",    "mg_roots_of",       "mg_strong",
    "mg_claim",      "mg_found",         "mg_reopen",           "mg_founders",       "mg_join",
    "mg_reach",      "mg_prolong_count", "mg_prolong_fill",     "mg_prolong_values", "mg_count_columns",
    "mg_scatter",    "mg_order",         "mg_permute",          "mg_union",          "mg_union_long",
    "mg_product",    "mg_product_with",  "mg_product_diagonal", "mg_widths",         "mg_cut",
    "mg_cut_values", "mg_rests",         "mg_spread",           "mg_sweep",          "mg_inverse",
    "mg_changed"};

static ew_status build(mg_device *d, ew_error *err) {
  ew_status status = EW_OK;
  dev_program *program = NULL;
  char flags[160], *text = malloc(dialect_cl_size + setup_cl_size + 1);
  if (!text) return ew_fail(err, EW_FAIL, "out of memory for the text of kernels");
  strcpy(stpcpy(text, dialect_cl), setup_cl);
  snprintf(flags, sizeof flags,
           "-DWORKGROUP_SIZE_BITS=%d -DROWS_PER_WORKGROUP_BITS=%d -DSLICE_BITS=%d -DMG_SURVEYORS=%d",
           d->group_bits, d->group_bits, CYCLE_SLICE_BITS, MG_SURVEYORS);
  EW_CHECK(dev_program_create(d->context, "multigrid set-up", text, flags, &program, err));
  for (int k = 0; k < MG_N_KERNELS; k++)
    EW_CHECK(dev_kernel_create(program, KERNEL_NAME[k], &d->kernel[k], err));
cleanup:
  dev_program_destroy(&program);
  free(text);
  return status;
}

ew_status mg_device_create(dev_context *context, int group_bits, mg_device **out, ew_error *err) {
  mg_device *d = *out = calloc(1, sizeof *d);
  if (!d) return ew_fail(err, EW_FAIL, "out of memory for multigrid");
  d->context = context;
  d->group_bits = group_bits;
  const ew_status status = build(d, err);
  if (status != EW_OK) mg_device_destroy(out);
  return status;
}

void mg_device_destroy(mg_device **d) {
  if (!d || !*d) return;
  for (int k = 0; k < MG_N_KERNELS; k++) dev_kernel_destroy(&(*d)->kernel[k]);
  for (int k = 0; k < MG_N_SCRATCH; k++) dev_buffer_destroy(&(*d)->scratch[k]);
  free(*d);
  *d = NULL;
}

ew_status mg_device_room(mg_device *d, mg_scratch which, uint64_t bytes, dev_buffer **out, ew_error *err) {
  dev_buffer **room = &d->scratch[which];
  if (*room && dev_buffer_bytes(*room) < bytes) dev_buffer_destroy(room);
  const ew_status status =
      *room ? EW_OK : dev_buffer_create(d->context, "multigrid set-up", bytes, room, err);
  *out = *room;
  return status;
}

/* ---- launches --------------------------------------------------------------------------------------------------- */

enum { MOST_ITEMS = 1 << 22, SCAN_EACH = 8, LONG_GROUPS = 16, TEAM = 32 };
/* An index and the items of a launch fit into 32 bits together. */
static const int64_t MOST_ENTRIES = INT32_MAX - MOST_ITEMS;

static int64_t blocks_of(const mg_device *d, int64_t n) {
  const int64_t block = (int64_t)SCAN_EACH << d->group_bits;
  return (n + block - 1) / block;
}

/* How many items n of a kernel need. */
static int64_t items_for(const mg_device *d, mg_kernel which, int64_t n) {
  const int64_t size = (int64_t)1 << d->group_bits;
  switch (which) {
  case MG_SURVEY: return MG_SURVEYORS;
  case MG_SCAN_SUMS:
  case MG_SCAN_STARTS: return blocks_of(d, n) * size;
  case MG_SCAN_TOPS: return size;
  case MG_UNION_LONG: return LONG_GROUPS * size;
  case MG_UNION: n *= TEAM; break;
  default: break;
  }
  const int64_t items = (n + size - 1) / size * size;
  return items < MOST_ITEMS ? items : MOST_ITEMS;
}

ew_status mg_device_run(mg_device *d, mg_kernel which, int32_t n, ew_error *err, const char *kinds, ...) {
  dev_kernel *kernel = d->kernel[which];
  unsigned position = 0;
  va_list at;
  if (n < 1) return EW_OK;
  ew_status status = dev_kernel_set_i32(kernel, position++, n, err);
  va_start(at, kinds);
  for (const char *kind = kinds; *kind && status == EW_OK; kind++, position++) {
    if (*kind == 'b') status = dev_kernel_set_buffer(kernel, position, va_arg(at, const dev_buffer *), err);
    else if (*kind == 'i') status = dev_kernel_set_i32(kernel, position, va_arg(at, int32_t), err);
    else status = dev_kernel_set_f64(kernel, position, va_arg(at, double), err);
  }
  va_end(at);
  if (status != EW_OK) return status;
  return dev_kernel_launch(kernel, (uint64_t)items_for(d, which, n), (size_t)1 << d->group_bits, err);
}

static ew_status clear(dev_buffer *buffer, uint64_t bytes, ew_error *err) {
  const int32_t zero = 0;
  return dev_buffer_fill(buffer, 0, bytes, &zero, sizeof zero, err);
}

/* ---- rows ------------------------------------------------------------------------------------------------------- */

void mg_device_rows_clear(mg_device_rows *r) {
  dev_buffer_destroy(&r->start);
  dev_buffer_destroy(&r->col);
  dev_buffer_destroy(&r->value);
  dev_buffer_destroy(&r->row);
  *r = (mg_device_rows){0};
}

ew_status mg_device_rows_fill(mg_device *d, mg_device_rows *r, ew_error *err) {
  ew_status status = EW_OK;
  const uint64_t n = (uint64_t)r->entries;
  EW_CHECK(dev_buffer_create(d->context, "multigrid columns", 4 * n, &r->col, err));
  EW_CHECK(dev_buffer_create(d->context, "multigrid values", 8 * n, &r->value, err));
  EW_CHECK(dev_buffer_create(d->context, "multigrid rows", 4 * n, &r->row, err));
cleanup:
  return status;
}

ew_status mg_device_scan(mg_device *d, int32_t n, dev_buffer **start, int32_t *total, ew_error *err) {
  ew_status status = EW_OK;
  const int32_t blocks = (int32_t)blocks_of(d, n);
  dev_buffer *counts = d->scratch[MG_COUNTS], *sums;
  int64_t all = 0;
  EW_CHECK(mg_device_room(d, MG_SUMS, 8 * ((uint64_t)blocks + 1), &sums, err));
  if (!*start) EW_CHECK(dev_buffer_create(d->context, "multigrid rows", 4 * ((uint64_t)n + 1), start, err));
  EW_CHECK(mg_device_run(d, MG_SCAN_SUMS, n, err, "bb", counts, sums));
  EW_CHECK(mg_device_run(d, MG_SCAN_TOPS, blocks, err, "b", sums));
  EW_CHECK(mg_device_run(d, MG_SCAN_STARTS, n, err, "bbb", counts, sums, *start));
  EW_CHECK(dev_buffer_read(sums, 8 * (uint64_t)blocks, 8, &all, err));
  if (all > MOST_ENTRIES)
    EW_CHECK(
        ew_fail(err, EW_FAIL, "multigrid: a matrix of %" PRId64 " entries is more than 32 bits count", all));
  *total = (int32_t)all;
cleanup:
  return status;
}

/* ---- products --------------------------------------------------------------------------------------------------- */

/* The factors of a product, and what it is to be. */
typedef struct product {
  const dev_buffer *start, *col, *value; /* of the first */
  const mg_device_rows *y;
  bool unit, apart; /* 1 is added to the first; the product's diagonal is left out */
} product;

static ew_status find_union(mg_device *d, const product *p, bool fill, mg_device_rows *out, ew_error *err) {
  ew_status status = EW_OK;
  const int32_t words = p->y->columns / 32 + 1;
  dev_buffer *counts, *listed, *bits;
  EW_CHECK(mg_device_room(d, MG_COUNTS, 4 * (uint64_t)out->rows, &counts, err));
  EW_CHECK(mg_device_room(d, MG_LISTED, 4 * ((uint64_t)out->rows + 1), &listed, err));
  EW_CHECK(mg_device_room(d, MG_BITS, 4 * LONG_GROUPS * (uint64_t)words, &bits, err));
  EW_CHECK(clear(listed, 4, err));
  /* before there is a pattern, kernels that count have something in its place */
  const dev_buffer *start = fill ? out->start : d->scratch[MG_BITS], *col = fill ? out->col : start,
                   *row = fill ? out->row : start;
  EW_CHECK(mg_device_run(d, MG_UNION, out->rows, err, "bbbbbiiibbbbb", p->start, p->col, p->value,
                         p->y->start, p->y->col, (int32_t)p->unit, (int32_t)p->apart, (int32_t)fill, counts,
                         start, col, row, listed));
  EW_CHECK(mg_device_run(d, MG_UNION_LONG, out->rows, err, "bbbbbiiibbbbbib", p->start, p->col, p->value,
                         p->y->start, p->y->col, (int32_t)p->unit, (int32_t)p->apart, (int32_t)fill, counts,
                         start, col, row, listed, words, bits));
cleanup:
  return status;
}

static ew_status multiply(mg_device *d, const product *p, mg_device_rows *out, ew_error *err) {
  ew_status status = EW_OK;
  EW_CHECK(find_union(d, p, false, out, err));
  EW_CHECK(mg_device_scan(d, out->rows, &out->start, &out->entries, err));
  EW_CHECK(mg_device_rows_fill(d, out, err));
  EW_CHECK(find_union(d, p, true, out, err));
cleanup:
  return status;
}

ew_status mg_device_product(mg_device *d, const mg_device_matrix *a, const mg_device_rows *p,
                            mg_device_rows *out, ew_error *err) {
  *out = (mg_device_rows){.rows = a->n, .columns = p->columns};
  return multiply(d, &(product){a->start, a->col, a->off, p, true, false}, out, err);
}

ew_status mg_device_product_values(mg_device *d, const mg_device_matrix *a, const mg_device_rows *p,
                                   mg_device_rows *out, ew_error *err) {
  return mg_device_run(d, MG_PRODUCT_WITH, out->entries, err, "bbbbbbbbbb", a->start, a->col, a->off,
                       p->start, p->col, p->value, a->diagonal, out->row, out->col, out->value);
}

ew_status mg_device_square(mg_device *d, const mg_device_rows *r, const mg_device_rows *y,
                           mg_device_rows *out, ew_error *err) {
  *out = (mg_device_rows){.rows = r->rows, .columns = y->columns};
  return multiply(d, &(product){r->start, r->col, r->value, y, false, true}, out, err);
}

ew_status mg_device_square_values(mg_device *d, const mg_device_rows *r, const mg_device_rows *y,
                                  mg_device_rows *out, dev_buffer *diagonal, ew_error *err) {
  ew_status status = EW_OK;
  EW_CHECK(mg_device_run(d, MG_PRODUCT, out->entries, err, "bbbbbbbbb", r->start, r->col, r->value, y->start,
                         y->col, y->value, out->row, out->col, out->value));
  EW_CHECK(mg_device_run(d, MG_PRODUCT_DIAGONAL, out->rows, err, "bbbbbbb", r->start, r->col, r->value,
                         y->start, y->col, y->value, diagonal));
cleanup:
  return status;
}

/* ---- transpose -------------------------------------------------------------------------------------------------- */

ew_status mg_device_transpose(mg_device *d, const mg_device_rows *p, mg_device_rows *out, dev_buffer **from,
                              ew_error *err) {
  ew_status status = EW_OK;
  int32_t entries;
  dev_buffer *counts, *loose;
  *out = (mg_device_rows){.rows = p->columns, .columns = p->rows, .entries = p->entries};
  EW_CHECK(mg_device_room(d, MG_COUNTS, 4 * (uint64_t)out->rows, &counts, err));
  EW_CHECK(mg_device_room(d, MG_LOOSE, 4 * (uint64_t)p->entries, &loose, err));
  EW_CHECK(clear(counts, 4 * (uint64_t)out->rows, err));
  EW_CHECK(mg_device_run(d, MG_COUNT_COLUMNS, p->entries, err, "bb", p->col, counts));
  EW_CHECK(mg_device_scan(d, out->rows, &out->start, &entries, err));
  EW_CHECK(dev_buffer_create(d->context, "multigrid columns", 4 * (uint64_t)entries, &out->col, err));
  EW_CHECK(dev_buffer_create(d->context, "multigrid values", 8 * (uint64_t)entries, &out->value, err));
  EW_CHECK(dev_buffer_create(d->context, "multigrid places", 4 * (uint64_t)entries, from, err));
  EW_CHECK(mg_device_run(d, MG_SCATTER, entries, err, "bbbb", p->col, out->start, counts, loose));
  EW_CHECK(
      mg_device_run(d, MG_ORDER, entries, err, "bbbbbb", p->col, p->row, out->start, loose, *from, out->col));
cleanup:
  return status;
}

/* ---- slices ----------------------------------------------------------------------------------------------------- */

static int32_t slices_of(int32_t rows, int lanes_bits) {
  return (int32_t)((((int64_t)rows << lanes_bits) + CYCLE_SLICE - 1) / CYCLE_SLICE);
}

ew_status mg_device_cut(mg_device *d, int32_t rows, const dev_buffer *start, const dev_buffer *col,
                        cycle_rows *out, ew_error *err) {
  ew_status status = EW_OK;
  const int32_t bits = out->lanes_bits;
  const int32_t slices = slices_of(rows, bits);
  int32_t places;
  dev_buffer *counts;
  EW_CHECK(mg_device_room(d, MG_COUNTS, 4 * (uint64_t)slices, &counts, err));
  EW_CHECK(mg_device_run(d, MG_WIDTHS, slices, err, "iibb", rows, bits, start, counts));
  EW_CHECK(mg_device_scan(d, slices, &out->own[0], &places, err));
  EW_CHECK(dev_buffer_create(d->context, "multigrid columns", 4 * (uint64_t)places, &out->own[1], err));
  EW_CHECK(dev_buffer_create(d->context, "multigrid values", 4 * (uint64_t)places, &out->value, err));
  out->start = out->own[0];
  out->col = out->own[1];
  EW_CHECK(mg_device_run(d, MG_CUT, slices * CYCLE_SLICE, err, "iibbbb", rows, bits, start, col, out->start,
                         out->col));
cleanup:
  return status;
}

ew_status mg_device_cut_values(mg_device *d, const mg_device_rows *from, double scale, cycle_rows *out,
                               ew_error *err) {
  const int32_t lines = slices_of(from->rows, out->lanes_bits) * CYCLE_SLICE;
  return mg_device_run(d, MG_CUT_VALUES, lines, err, "iibbrbb", from->rows, (int32_t)out->lanes_bits,
                       from->start, from->value, scale, out->start, out->value);
}
