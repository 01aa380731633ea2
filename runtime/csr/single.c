/* Conjugate gradients in mixed precision: iterations in single precision, each piece of them begun from the residual in double
 * (residual replacement, van der Vorst and Ye, SIAM J. Sci. Comput. 22 (2000) 835). Kernels: kernels/single.cl, kernels/cg.cl. */
#include "csr/internal.h"

const double csr_single_piece = 1e-3;

enum { P = 1, S }; /* vectors of the recurrence: cg.c */

ew_status csr_single_check(const csr_system *s, ew_error *err) {
  const csr_options *o = &s->options;
  if (!o->mixed) return EW_OK;
  if (o->method != CSR_CG)
    return ew_fail(err, EW_INPUT,
                   "a linear system: method '%s' is in double precision throughout\n"
                   "hint: mixed precision is for 'cg'",
                   csr_method_name(o->method));
  if (s->class)
    return ew_fail(err, EW_INPUT,
                   "a linear system: preconditioner '%s' is in single precision already, and what it "
                   "preconditions in double\nhint: mixed precision is for 'none' and 'jacobi'",
                   csr_preconditioner_name(o->preconditioner));
  return EW_OK;
}

static uint64_t entries_of(const csr_operator *op) {
  return (uint64_t)(op->tuning.form == CSR_FORM_SLICED ? op->sliced.entries : op->entries);
}

ew_status csr_single_create(csr_system *s, dev_context *device, dev_program *program, ew_error *err) {
  ew_status status;
  csr_single *single = &s->single;
  const uint64_t vector = (uint64_t)csr_operator_rows(s->op) * sizeof(float);
  EW_CHECK(dev_kernel_create(program, "cg_narrow", &single->narrow, err));
  EW_CHECK(dev_kernel_create(program, "cg_add", &single->add, err));
  EW_CHECK(dev_buffer_create(device, "single entries", (entries_of(s->op) + 1) * sizeof(float), &single->off,
                             err));
  EW_CHECK(dev_buffer_create(device, "single diagonal", vector, &single->diagonal, err));
  EW_CHECK(dev_buffer_create(device, "single residual", vector, &single->r, err));
  EW_CHECK(dev_buffer_create(device, "single correction", vector, &single->x, err));
cleanup:
  return status;
}

static ew_status narrow(csr_system *s, const dev_buffer *values, uint64_t count, const dev_buffer *to,
                        ew_error *err) {
  csr_call c = {.op = s->op, .kernel = s->single.narrow, .err = err};
  csr_call_int(&c, (int32_t)count); /* n: of values here */
  csr_call_buffer(&c, values);
  csr_call_buffer(&c, to);
  return csr_call_vector(&c);
}

ew_status csr_single_set_values(csr_system *s, ew_error *err) {
  const csr_operator *op = s->op;
  if (!s->options.mixed) return EW_OK;
  const ew_status status = narrow(s, csr_entries(op), entries_of(op), s->single.off, err);
  return status == EW_OK ? narrow(s, op->diagonal, (uint64_t)op->n, s->single.diagonal, err) : status;
}

ew_status csr_single_start(csr_system *s, dev_kernel *start, ew_error *err) {
  csr_call c = csr_call_begin(s->op, start, err);
  csr_call_int(&c, s->current.again);
  csr_call_buffer(&c, s->r);
  csr_call_buffer(&c, s->single.diagonal);
  csr_call_buffer(&c, s->single.r);
  csr_call_buffer(&c, s->single.x);
  csr_call_buffer(&c, s->vector[P]);
  csr_call_buffer(&c, s->vector[S]);
  return csr_call_vector(&c);
}

ew_status csr_single_add(csr_system *s, ew_error *err) {
  csr_call c = csr_call_begin(s->op, s->single.add, err);
  csr_call_buffer(&c, s->single.x);
  csr_call_buffer(&c, s->current.x);
  return csr_call_vector(&c);
}

void csr_single_clear(csr_single *single) {
  dev_buffer **own[] = {&single->off, &single->diagonal, &single->r, &single->x};
  for (size_t k = 0; k < sizeof own / sizeof *own; k++) dev_buffer_destroy(own[k]);
  dev_kernel_destroy(&single->narrow);
  dev_kernel_destroy(&single->add);
}
