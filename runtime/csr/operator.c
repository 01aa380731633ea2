#include "csr/operator.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csr/internal.h"
#include "form_cl.h"
#include "multiply_cl.h"
#include "dialect_cl.h"

/* ---- checks ---- */

static ew_status check_row(const csr_pattern *p, int32_t i, ew_error *err) {
  if (p->start[i + 1] < p->start[i])
    return ew_fail(err, EW_INPUT, "the pattern of a matrix: row %d begins at entry %d and ends at %d", i,
                   p->start[i], p->start[i + 1]);
  for (int32_t k = p->start[i]; k < p->start[i + 1]; k++) {
    int32_t before = k > p->start[i] ? p->col[k - 1] : -1;
    if (p->col[k] >= p->n || p->col[k] <= before || p->col[k] == i)
      return ew_fail(err, EW_INPUT,
                     "the pattern of a matrix: row %d has column %d after %d; expected increasing columns 0 "
                     "... %d without %d",
                     i, p->col[k], before, p->n - 1, i);
  }
  return EW_OK;
}

static ew_status check_pattern(const csr_pattern *p, ew_error *err) {
  ew_status status = EW_OK;
  if (p->n < 1) return ew_fail(err, EW_INPUT, "the pattern of a matrix: %d rows; expected at least 1", p->n);
  if (p->start[0] != 0)
    return ew_fail(err, EW_INPUT, "the pattern of a matrix: the first row begins at entry %d", p->start[0]);
  for (int32_t i = 0; i < p->n && status == EW_OK; i++) status = check_row(p, i, err);
  return status;
}

/* ---- life ---- */

static int32_t at_most(int64_t a, int64_t b) { return (int32_t)(a < b ? a : b); }

static void plan_groups(csr_operator *op) {
  const csr_tuning *t = &op->tuning;
  int64_t units = dev_get_info(op->device)->compute_units ? dev_get_info(op->device)->compute_units : 1;
  int64_t rows = (int64_t)1 << t->rows_bits, size = (int64_t)1 << t->group_bits;
  op->row_groups = at_most((op->n + rows - 1) / rows, units * t->row_waves);
  op->vector_groups = at_most((op->n + size - 1) / size, units * t->vector_waves);
}

static int32_t fullest_block(const csr_pattern *p, int rows_bits) {
  int32_t rows = 1 << rows_bits, most = 1;
  for (int64_t first = 0; first < p->n; first += rows) {
    int32_t entries = p->start[at_most(first + rows, p->n)] - p->start[first];
    if (entries > most) most = entries;
  }
  return most;
}

static ew_status plan_stream(csr_operator *op, const csr_pattern *pattern, ew_error *err) {
  const dev_info *info = dev_get_info(op->device);
  op->stream_entries = fullest_block(pattern, op->tuning.rows_bits);
  if ((uint64_t)op->stream_entries * sizeof(double) <= info->local_bytes) return EW_OK;
  return ew_fail(err, EW_INPUT,
                 "the solver's tuning: form 'stream' with 2^%d rows a group needs %d doubles of local "
                 "memory, %s has %" PRIu64 " bytes.\nhint: fewer rows a group",
                 op->tuning.rows_bits, op->stream_entries, info->name, info->local_bytes);
}

/* Whether every column is near its row, and the form knows the row of an entry. */
static bool is_narrow(const csr_tuning *t, const csr_pattern *p) {
  if (t->column_bits == 32 || t->form == CSR_FORM_PAPER || t->form == CSR_FORM_STREAM) return false;
  for (int32_t i = 0; i < p->n; i++) {
    int32_t begin = p->start[i], end = p->start[i + 1]; /* columns increase */
    if (begin < end && (i - p->col[begin] > INT16_MAX || p->col[end - 1] - i > INT16_MAX)) return false;
  }
  return true;
}

ew_status csr_upload_narrow(dev_context *device, const int32_t *difference, int64_t count, dev_buffer **out,
                            ew_error *err) {
  int16_t *narrow = malloc((size_t)count * sizeof *narrow + 1);
  if (!narrow) return ew_fail(err, EW_FAIL, "out of memory for the columns of a matrix");
  for (int64_t k = 0; k < count; k++) narrow[k] = (int16_t)difference[k];
  ew_status status =
      dev_buffer_upload(device, "narrow columns", narrow, (uint64_t)count * sizeof *narrow, out, err);
  free(narrow);
  return status;
}

static ew_status narrow_columns(csr_operator *op, const csr_pattern *p, ew_error *err) {
  int32_t *difference = malloc((size_t)op->entries * sizeof *difference + 1);
  if (!difference) return ew_fail(err, EW_FAIL, "out of memory for the columns of a matrix");
  for (int32_t i = 0; i < p->n; i++)
    for (int32_t k = p->start[i]; k < p->start[i + 1]; k++) difference[k] = p->col[k] - i;
  ew_status status = csr_upload_narrow(op->device, difference, op->entries, &op->narrow_col, err);
  free(difference);
  return status;
}

static ew_status place_pattern(csr_operator *op, const csr_pattern *p, const csr_placed *placed,
                               ew_error *err) {
  const dev_buffer *start = placed ? placed->start : NULL, *col = placed ? placed->col : NULL;
  ew_status status = EW_OK;
  if (!start)
    EW_CHECK(dev_buffer_upload(op->device, "matrix rows", p->start, ((uint64_t)p->n + 1) * sizeof *p->start,
                               &op->own_start, err));
  if (!col)
    EW_CHECK(dev_buffer_upload(op->device, "matrix columns", p->col, (uint64_t)op->entries * sizeof *p->col,
                               &op->own_col, err));
  op->start = start ? start : op->own_start;
  op->col = col ? col : op->own_col;
cleanup:
  return status;
}

ew_status csr_operator_create(dev_context *device, const csr_pattern *pattern, const csr_placed *placed,
                              const csr_tuning *tuning, csr_operator **out, ew_error *err) {
  ew_status status = EW_OK;
  csr_operator *op = calloc(1, sizeof *op);
  if (!op) return ew_fail(err, EW_FAIL, "out of memory for a matrix");
  op->device = device;
  op->tuning = csr_tuning_complete(dev_get_info(device), tuning, pattern->n);
  EW_CHECK(csr_tuning_check(dev_get_info(device), &op->tuning, err));
  EW_CHECK(check_pattern(pattern, err));
  op->n = pattern->n;
  op->entries = pattern->start[pattern->n];
  plan_groups(op);
  if (op->tuning.form == CSR_FORM_STREAM) EW_CHECK(plan_stream(op, pattern, err));
  EW_CHECK(place_pattern(op, pattern, placed, err));
  op->narrow = is_narrow(&op->tuning, pattern);
  op->tuning.column_bits = op->narrow ? 16 : 32;
  if (op->narrow && op->tuning.form != CSR_FORM_SLICED) EW_CHECK(narrow_columns(op, pattern, err));
  if (op->tuning.form == CSR_FORM_SLICED) EW_CHECK(csr_sliced_create(op, pattern, &op->sliced, err));
  *out = op;
  op = NULL;
cleanup:
  csr_operator_destroy(&op);
  return status;
}

void csr_operator_destroy(csr_operator **op) {
  if (!op || !*op) return;
  csr_sliced_clear(&(*op)->sliced);
  dev_kernel_destroy(&(*op)->multiply);
  dev_buffer_destroy(&(*op)->own_start);
  dev_buffer_destroy(&(*op)->own_col);
  dev_buffer_destroy(&(*op)->narrow_col);
  free(*op);
  *op = NULL;
}

ew_status csr_operator_set_values(csr_operator *op, const dev_buffer *off, const dev_buffer *diagonal,
                                  ew_error *err) {
  if (dev_buffer_bytes(off) < (uint64_t)op->entries * 8 || dev_buffer_bytes(diagonal) < (uint64_t)op->n * 8)
    return ew_fail(err, EW_INTERNAL,
                   "the values of a matrix: '%s' has %" PRIu64 " bytes for %" PRId64 " entries, '%s' %" PRIu64
                   " for %d rows",
                   dev_buffer_name(off), dev_buffer_bytes(off), op->entries, dev_buffer_name(diagonal),
                   dev_buffer_bytes(diagonal), op->n);
  op->off = off;
  op->diagonal = diagonal;
  return op->tuning.form == CSR_FORM_SLICED ? csr_sliced_set_values(op, &op->sliced, off, err) : EW_OK;
}

/* ---- what it is ---- */

int32_t csr_operator_rows(const csr_operator *op) { return op->n; }
csr_tuning csr_operator_tuning(const csr_operator *op) { return op->tuning; }
int32_t csr_operator_row_groups(const csr_operator *op) { return op->row_groups; }
int32_t csr_operator_vector_groups(const csr_operator *op) { return op->vector_groups; }
int32_t csr_operator_most_groups(const csr_operator *op) {
  return op->row_groups > op->vector_groups ? op->row_groups : op->vector_groups;
}
const dev_buffer *csr_operator_diagonal(const csr_operator *op) { return op->diagonal; }

/* ---- programs ---- */

static const char *form_macro(csr_form form) {
  switch (form) {
  case CSR_FORM_PAPER: return "FORM_PAPER";
  case CSR_FORM_LANES: return "FORM_LANES";
  case CSR_FORM_STREAM: return "FORM_STREAM";
  case CSR_FORM_SLICED: return "FORM_SLICED";
  default: return "FORM_LOOP";
  }
}

ew_status csr_operator_build(const csr_operator *op, const char *name, const char *text, const char *options,
                             dev_program **program, ew_error *err) {
  char flags[512], *source = malloc(dialect_cl_size + form_cl_size + strlen(text) + 1);
  if (!source) return ew_fail(err, EW_FAIL, "out of memory for the text of kernels");
  sprintf(source, "%s%s%s", dialect_cl, form_cl, text);
  const csr_tuning *t = &op->tuning;
  snprintf(flags, sizeof flags,
           "-DWORKGROUP_SIZE_BITS=%d -DROWS_PER_WORKGROUP_BITS=%d -D%s -DSTREAM_ENTRIES=%d -DSLICE_BITS=%d "
           "%s %s %s",
           t->group_bits, t->rows_bits, form_macro(t->form), op->stream_entries, csr_slice_bits,
           op->sliced.sorted ? "-DSORTED" : "", op->narrow ? "-DNARROW" : "", options);
  ew_status status = dev_program_create(op->device, name, source, flags, program, err);
  free(source);
  return status;
}

/* ---- the plain product ---- */

static ew_status build_multiply(csr_operator *op, ew_error *err) {
  dev_program *program = NULL;
  ew_status status = csr_operator_build(op, "product", multiply_cl, "", &program, err);
  if (status == EW_OK) status = dev_kernel_create(program, "csr_multiply", &op->multiply, err);
  dev_program_destroy(&program);
  return status;
}

ew_status csr_operator_multiply(csr_operator *op, const dev_buffer *x, dev_buffer *y, ew_error *err) {
  if (!op->diagonal) return ew_fail(err, EW_INTERNAL, "a product before the values of the matrix were set");
  if (!op->multiply) {
    ew_status status = build_multiply(op, err);
    if (status != EW_OK) return status;
  }
  csr_call c = csr_call_begin(op, op->multiply, err);
  csr_call_matrix(&c);
  csr_call_buffer(&c, x);
  csr_call_buffer(&c, y);
  return csr_call_rows(&c);
}
