/* A hierarchy that the host has made, on the device. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "csr/cycle.h"

/* What is being filled. */
typedef struct upload {
  dev_context *device;
  const csr_matrix *matrix;
  cycle_parts *parts;
} upload;

/* ---- rows --------------------------------------------------------------------------------------------------------- */

/* How rows are cut: into lines, of which `size` make a slice. */
typedef struct slices {
  int lanes, size;
  int32_t *start; /* [slices + 1] first places */
} slices;

/* How many of a row's n entries are on its line number `lane`. */
static int32_t line_length(int32_t n, int lanes, int lane) { return (n - lane + lanes - 1) / lanes; }

static ew_status slice_starts(const mg_rows *r, slices *cut, ew_error *err) {
  int64_t at = 0;
  int32_t s = 0;
  const int32_t rows = cut->size / cut->lanes > 1 ? cut->size / cut->lanes : 1; /* of a slice */
  for (int32_t first = 0; first < r->rows; first += rows) {
    int32_t width = 0;
    for (int32_t i = first; i < first + rows && i < r->rows; i++) {
      const int32_t n = line_length(r->start[i + 1] - r->start[i], cut->lanes, 0);
      if (n > width) width = n;
    }
    cut->start[s++] = (int32_t)at;
    at += (int64_t)width * cut->size;
    if (at > INT32_MAX)
      return ew_fail(err, EW_FAIL, "multigrid: rows too long to be cut into slices of %d", cut->size);
  }
  cut->start[s] = (int32_t)at;
  return EW_OK;
}

/* Columns and values (where there are values) in their places; filling points at the row's first column, or at row 0. */
static void fill_slices(const mg_rows *r, const slices *cut, double scale, int32_t *col, float *value) {
  const int lanes = cut->lanes, slice = cut->size;
  const int32_t *start = cut->start;
  for (int32_t i = 0; i < r->rows; i++) {
    const int32_t begin = r->start[i], n = r->start[i + 1] - begin;
    for (int lane = 0; lane < lanes; lane++) {
      const int64_t line = (int64_t)i * lanes + lane;
      const int32_t first = start[line / slice] + (int32_t)(line % slice);
      const int32_t width = (start[line / slice + 1] - start[line / slice]) / slice;
      for (int32_t k = 0, from = lane; k < width; k++, from += lanes) {
        col[first + k * slice] = from < n ? r->col[begin + from] : n ? r->col[begin] : 0;
        if (value) value[first + k * slice] = from < n ? (float)(scale * r->value[begin + from]) : 0;
      }
    }
  }
}

/* Long rows keep many items busy, which a small level has need of; where items loop over rows there is one lane. */
bool cycle_many_lanes(const dev_context *device, int32_t rows, int32_t entries) {
  enum { LONG_ROW = 24 };
  return !cycle_loops(device) && entries >= (int64_t)LONG_ROW * rows;
}

static int lanes_bits_for(const upload *u, const mg_rows *r) {
  return r->value && cycle_many_lanes(u->device, r->rows, r->start[r->rows]) ? CYCLE_MANY_LANES_BITS : 0;
}

/* Of items that loop over rows these are the rows as they are. */
static ew_status upload_plain(upload *u, const mg_rows *r, double scale, cycle_rows *out, ew_error *err) {
  ew_status status = EW_OK;
  const uint64_t entries = (uint64_t)r->start[r->rows];
  float *value = malloc(4 * (entries + 1));
  if (!value) EW_CHECK(ew_fail(err, EW_FAIL, "out of memory for multigrid on %d rows", r->rows));
#pragma omp parallel for schedule(static)
  for (uint64_t k = 0; k < entries; k++) value[k] = (float)(scale * r->value[k]);
  EW_CHECK(dev_buffer_upload(u->device, "multigrid rows", r->start, 4 * ((uint64_t)r->rows + 1), &out->own[0],
                             err));
  EW_CHECK(dev_buffer_upload(u->device, "multigrid columns", r->col, 4 * entries, &out->own[1], err));
  EW_CHECK(dev_buffer_upload(u->device, "multigrid values", value, 4 * entries, &out->value, err));
cleanup:
  free(value);
  return status;
}

static ew_status upload_slices(upload *u, const mg_rows *r, double scale, cycle_rows *out, ew_error *err) {
  ew_status status = EW_OK;
  const int lanes = 1 << (out->lanes_bits = lanes_bits_for(u, r));
  const int32_t n = (int32_t)(((int64_t)r->rows * lanes + CYCLE_SLICE - 1) / CYCLE_SLICE);
  slices cut = {lanes, CYCLE_SLICE, NULL};
  int32_t *col = NULL;
  float *value = NULL;
  EW_CHECK(EW_NEW(cut.start, (size_t)n + 1));
  EW_CHECK(slice_starts(r, &cut, err));
  const uint64_t places = (uint64_t)cut.start[n];
  EW_CHECK(EW_NEW(col, places));
  if (r->value) EW_CHECK(EW_NEW(value, places));
  fill_slices(r, &cut, scale, col, value);
  EW_CHECK(
      dev_buffer_upload(u->device, "multigrid rows", cut.start, 4 * ((uint64_t)n + 1), &out->own[0], err));
  EW_CHECK(dev_buffer_upload(u->device, "multigrid columns", col, 4 * places, &out->own[1], err));
  if (value) EW_CHECK(dev_buffer_upload(u->device, "multigrid values", value, 4 * places, &out->value, err));
  else EW_CHECK(dev_buffer_create(u->device, "multigrid values", 4 * places, &out->value, err));
cleanup:
  free(cut.start);
  free(col);
  free(value);
  return status;
}

static ew_status upload_rows(upload *u, const mg_rows *r, double scale, cycle_rows *out, ew_error *err) {
  const ew_status status =
      cycle_loops(u->device) ? upload_plain(u, r, scale, out, err) : upload_slices(u, r, scale, out, err);
  out->start = out->own[0];
  out->col = out->own[1];
  return status;
}

/* The finest level's pattern; its values come from the device, each time anew. */
static ew_status upload_pattern(upload *u, cycle_rows *out, ew_error *err) {
  const csr_pattern *p = &u->matrix->pattern;
  const mg_rows off = {p->n, p->n, (int32_t *)p->start, (int32_t *)p->col, NULL}; /* shown, not owned */
  if (!cycle_loops(u->device)) return upload_rows(u, &off, 1, out, err);
  out->start = u->matrix->start;
  out->col = u->matrix->col;
  return dev_buffer_create(u->device, "multigrid values", 4 * (uint64_t)p->start[p->n], &out->value, err);
}

/* rest and inverse of a level that the host has made: see mg_take. */
static ew_status upload_diagonals(upload *u, const mg_matrix *a, cycle_level *to, ew_error *err) {
  ew_status status = EW_OK;
  float *rest = NULL, *inverse = NULL;
  EW_CHECK(EW_NEW(rest, a->n));
  EW_CHECK(EW_NEW(inverse, a->n));
  for (int32_t i = 0; i < a->n; i++) {
    double sum = a->diagonal[i], magnitude = fabs(sum);
    for (int32_t k = a->start[i]; k < a->start[i + 1]; k++) {
      sum += a->off[k];
      magnitude += fabs(a->off[k]);
    }
    rest[i] = (float)(u->parts->scale * sum);
    inverse[i] = magnitude > 0 ? (float)(1 / (u->parts->scale * magnitude)) : 0;
  }
  EW_CHECK(dev_buffer_upload(u->device, "multigrid rests", rest, 4 * (uint64_t)a->n, &to->rest, err));
  EW_CHECK(
      dev_buffer_upload(u->device, "multigrid diagonal", inverse, 4 * (uint64_t)a->n, &to->inverse, err));
cleanup:
  free(rest);
  free(inverse);
  return status;
}

ew_status cycle_create_vectors(dev_context *device, int32_t n, cycle_level *l, ew_error *err) {
  ew_status status = EW_OK;
  dev_buffer **vector[] = {&l->x, &l->other, &l->b, &l->r};
  l->n = n;
  for (size_t k = 0; k < sizeof vector / sizeof *vector; k++)
    EW_CHECK(dev_buffer_create(device, "multigrid vector", 4 * (uint64_t)n, vector[k], err));
cleanup:
  return status;
}

static ew_status create_level(upload *u, const mg_hierarchy *h, int number, ew_error *err) {
  ew_status status = EW_OK;
  const mg_level *from = &h->level[number];
  const mg_matrix *a = &from->matrix;
  cycle_level *to = &u->parts->level[number];
  if (number) {
    EW_CHECK(upload_rows(u, &from->off, u->parts->scale, &to->matrix, err));
    EW_CHECK(upload_diagonals(u, a, to, err));
  } else {
    EW_CHECK(upload_pattern(u, &to->matrix, err));
    EW_CHECK(dev_buffer_create(u->device, "multigrid rests", 4 * (uint64_t)a->n, &to->rest, err));
    EW_CHECK(dev_buffer_create(u->device, "multigrid diagonal", 4 * (uint64_t)a->n, &to->inverse, err));
  }
  if (number < h->n_levels - 1) {
    EW_CHECK(upload_rows(u, &from->prolong, 1, &to->prolong, err));
    EW_CHECK(upload_rows(u, &from->restrict_, 1, &to->restrict_, err));
  }
  EW_CHECK(cycle_create_vectors(u->device, a->n, to, err));
cleanup:
  return status;
}

static ew_status create_dense(upload *u, const mg_hierarchy *h, ew_error *err) {
  ew_status status = EW_OK;
  const uint64_t n = (uint64_t)u->parts->level[u->parts->n_levels - 1].n;
  float *dense = NULL;
  if (!h->dense) return EW_OK;
  EW_CHECK(EW_NEW(dense, n * n));
  for (size_t k = 0; k < n * n; k++) dense[k] = (float)(h->dense[k] / u->parts->scale);
  EW_CHECK(dev_buffer_upload(u->device, "multigrid inverse", dense, 4 * n * n, &u->parts->dense, err));
cleanup:
  free(dense);
  return status;
}

static ew_status create_scaling(upload *u, const mg_hierarchy *h, ew_error *err) {
  ew_status status = EW_OK;
  const int32_t n = u->parts->level[0].n;
  double *ones = NULL;
  if (!h->scaling) EW_CHECK(EW_NEW(ones, n));
  for (int32_t i = 0; ones && i < n; i++) ones[i] = 1;
  EW_CHECK(dev_buffer_upload(u->device, "multigrid scaling", ones ? ones : h->scaling, 8 * (uint64_t)n,
                             &u->parts->scaling, err));
cleanup:
  free(ones);
  return status;
}

ew_status cycle_upload(const csr_matrix *matrix, const mg_hierarchy *hierarchy, double scale,
                       cycle_parts *out, ew_error *err) {
  ew_status status = EW_OK;
  upload u = {matrix->device, matrix, out};
  *out = (cycle_parts){.scale = scale};
  while (out->n_levels < hierarchy->n_levels) EW_CHECK(create_level(&u, hierarchy, out->n_levels++, err));
  EW_CHECK(create_scaling(&u, hierarchy, err));
  EW_CHECK(create_dense(&u, hierarchy, err));
cleanup:
  if (status != EW_OK) cycle_parts_clear(out);
  return status;
}
