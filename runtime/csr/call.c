#include "csr/internal.h"

const dev_buffer *csr_entries(const csr_operator *op) {
  return op->tuning.form == CSR_FORM_SLICED ? op->sliced.value : op->off;
}

csr_call csr_call_begin(const csr_operator *op, dev_kernel *kernel, ew_error *err) {
  csr_call call = {.op = op, .kernel = kernel, .err = err};
  csr_call_int(&call, op->n);
  return call;
}

void csr_call_buffer(csr_call *c, const dev_buffer *buffer) {
  if (c->status == EW_OK) c->status = dev_kernel_set_buffer(c->kernel, c->position++, buffer, c->err);
}

void csr_call_int(csr_call *c, int32_t value) {
  if (c->status == EW_OK) c->status = dev_kernel_set_i32(c->kernel, c->position++, value, c->err);
}

void csr_call_real(csr_call *c, double value) {
  if (c->status == EW_OK) c->status = dev_kernel_set_f64(c->kernel, c->position++, value, c->err);
}

void csr_call_matrix(csr_call *c) { csr_call_values(c, csr_entries(c->op), c->op->diagonal); }

void csr_call_values(csr_call *c, const dev_buffer *off, const dev_buffer *diagonal) {
  const csr_operator *op = c->op;
  bool sliced = op->tuning.form == CSR_FORM_SLICED;
  csr_call_buffer(c, sliced ? op->sliced.start : op->start);
  csr_call_buffer(c, sliced ? op->sliced.col : op->narrow ? op->narrow_col : op->col);
  csr_call_buffer(c, off);
  csr_call_buffer(c, diagonal);
  csr_call_buffer(c, sliced ? op->sliced.slot : op->start); /* read by the sliced form alone */
}

ew_status csr_call_groups(csr_call *c, int32_t groups) {
  size_t size = (size_t)1 << c->op->tuning.group_bits;
  if (c->status == EW_OK) c->status = dev_kernel_launch(c->kernel, (uint64_t)groups * size, size, c->err);
  return c->status;
}

ew_status csr_call_rows(csr_call *c) { return csr_call_groups(c, c->op->row_groups); }
ew_status csr_call_vector(csr_call *c) { return csr_call_groups(c, c->op->vector_groups); }
ew_status csr_call_one(csr_call *c) { return csr_call_groups(c, 1); }
