#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csr/internal.h"
#include "look_cl.h"
#include "single_cl.h"
#include "solve_cl.h"
#include "state_inc.h"

static const char *const shared_names[CSR_SHARED_COUNT] = {
    "csr_open",  "csr_totals", "csr_means", "csr_recentre", "csr_pin",
    "csr_shift", "csr_zero",   "csr_scale", "csr_residual", "csr_begin"};

static const csr_recurrence *const recurrences[] = {&csr_cg, &csr_three_term, &csr_bicgstab, &csr_minres,
                                                    &csr_gmres};

/* ---- create ---- */

static ew_status choose(csr_system *s, ew_error *err) {
  const csr_options *o = &s->options;
  if ((size_t)o->method >= sizeof recurrences / sizeof *recurrences)
    return ew_fail(err, EW_INTERNAL, "a linear system: no method has number %d", (int)o->method);
  s->recurrence = recurrences[o->method];
  s->class = csr_precondition_find(o->preconditioner);
  const bool merged = o->method == CSR_CG && !s->class && o->tuning.kernels == 1;
  if (merged) s->recurrence = &csr_cg_merged;
  s->options.tuning.kernels = merged ? 1 : 2;
  if (s->class || o->preconditioner == CSR_NONE || o->preconditioner == CSR_JACOBI) return EW_OK;
  return ew_fail(err, EW_INPUT, "a linear system: preconditioner number %d is not built in",
                 (int)o->preconditioner);
}

static ew_status build(csr_system *s, const char *first, const char *second, const char *options,
                       dev_program **program, ew_error *err) {
  char *text = NULL;
  if (asprintf(&text, "%s%s%s%s", state_inc, look_cl, first, second) < 0)
    return ew_fail(err, EW_FAIL, "out of memory for the text of kernels");
  const ew_status status = csr_operator_build(s->op, "linear solver", text, options, program, err);
  free(text);
  return status;
}

static ew_status build_kernels(csr_system *s, ew_error *err) {
  ew_status status = EW_OK;
  dev_program *program = NULL, *single = NULL;
  const csr_recurrence *r = s->recurrence;
  const char *point = s->class ? "-DEXPLICIT" : s->options.preconditioner == CSR_JACOBI ? "-DJACOBI" : "";
  char options[64];
  snprintf(options, sizeof options, "%s %s", point, r == &csr_cg_merged ? "-DMERGED" : "");
  EW_CHECK(build(s, solve_cl, s->options.mixed ? "" : r->text, options, &program, err));
  for (int k = 0; k < CSR_SHARED_COUNT; k++)
    EW_CHECK(dev_kernel_create(program, shared_names[k], &s->shared[k], err));
  if (s->options.mixed) {
    strcat(options, " -DSINGLE");
    EW_CHECK(build(s, single_cl, r->text, options, &single, err));
    EW_CHECK(csr_single_create(s, s->op->device, single, err));
  }
  for (int k = 0; k < csr_max_kernels && r->kernel[k]; k++)
    EW_CHECK(dev_kernel_create(single ? single : program, r->kernel[k], &s->kernel[k], err));
cleanup:
  dev_program_destroy(&program);
  dev_program_destroy(&single);
  return status;
}

/* What some recurrences have besides vectors. */
static ew_status create_more(csr_system *s, dev_context *device, ew_error *err) {
  ew_status status = EW_OK;
  const csr_recurrence *r = s->recurrence;
  const uint64_t basis = (uint64_t)r->basis, one = sizeof(double);
  if (r->numbers)
    EW_CHECK(dev_buffer_create(device, "solver's numbers", (uint64_t)r->numbers * one, &s->small, err));
  if (basis == 0) return EW_OK;
  EW_CHECK(dev_buffer_create(device, "basis of gmres", basis * (uint64_t)csr_operator_rows(s->op) * one,
                             &s->basis, err));
  EW_CHECK(dev_buffer_create(device, "sums of gmres",
                             (basis + 2) * (uint64_t)csr_operator_most_groups(s->op) * one, &s->wide, err));
cleanup:
  return status;
}

static ew_status create_vectors(csr_system *s, dev_context *device, ew_error *err) {
  ew_status status = EW_OK;
  const uint64_t one = s->options.mixed ? sizeof(float) : sizeof(double);
  const int vectors = s->recurrence->vectors + (s->class ? s->recurrence->more_vectors : 0);
  for (int k = 0; k < vectors; k++)
    EW_CHECK(dev_buffer_create(device, "solver's vector", (uint64_t)csr_operator_rows(s->op) * one,
                               &s->vector[k], err));
cleanup:
  return status;
}

static ew_status create_buffers(csr_system *s, dev_context *device, ew_error *err) {
  ew_status status = EW_OK;
  uint64_t vector = (uint64_t)csr_operator_rows(s->op) * sizeof(double);
  uint64_t partial = 3 * (uint64_t)csr_operator_most_groups(s->op) * sizeof(double);
  EW_CHECK(dev_buffer_create(device, "residual", vector, &s->r, err));
  EW_CHECK(create_vectors(s, device, err));
  EW_CHECK(create_more(s, device, err));
  for (int k = 0; k < 2; k++)
    EW_CHECK(dev_buffer_create(device, "partial sums", partial, &s->partial[k], err));
  EW_CHECK(dev_buffer_create(device, "solver's state", sizeof s->progress.seen, &s->progress.state, err));
  EW_CHECK(dev_buffer_create(device, "solver's flag", sizeof(int32_t), &s->progress.idle, err));
  EW_CHECK(dev_buffer_create(device, "never", sizeof(int32_t), &s->progress.never, err));
  EW_CHECK(dev_buffer_create(device, "middle", sizeof(double), &s->middle, err));
cleanup:
  return status;
}

static ew_status copy_pattern(csr_system *s, const csr_pattern *p, ew_error *err) {
  size_t rows = (size_t)p->n + 1, entries = (size_t)p->start[p->n];
  s->pattern = malloc((rows + entries) * sizeof *s->pattern);
  if (!s->pattern) return ew_fail(err, EW_FAIL, "out of memory for the pattern of a matrix");
  memcpy(s->pattern, p->start, rows * sizeof *p->start);
  if (entries) memcpy(s->pattern + rows, p->col, entries * sizeof *p->col);
  s->matrix.pattern = (csr_pattern){p->n, s->pattern, s->pattern + rows};
  return EW_OK;
}

static ew_status create_preconditioner(csr_system *s, const csr_pattern *p, ew_error *err) {
  ew_status status = EW_OK;
  if (!s->class) return EW_OK;
  EW_CHECK(copy_pattern(s, p, err));
  s->matrix.device = s->op->device;
  s->matrix.start = s->op->start;
  s->matrix.col = s->op->col;
  s->matrix.op = s->op;
  s->matrix.constant_null = s->options.constant_null;
  EW_CHECK(s->class->create(&s->matrix, &s->precondition, err));
cleanup:
  return status;
}

ew_status csr_create(dev_context *device, const csr_pattern *pattern, const csr_placed *placed,
                     const csr_options *options, csr_system **out, ew_error *err) {
  ew_status status = EW_OK;
  csr_system *s = calloc(1, sizeof *s);
  if (!s) return ew_fail(err, EW_FAIL, "out of memory for a linear system");
  s->options = *options;
  EW_CHECK(csr_operator_create(device, pattern, placed, &options->tuning, &s->op, err));
  s->options.tuning = csr_operator_tuning(s->op);
  EW_CHECK(choose(s, err));
  EW_CHECK(csr_single_check(s, err));
  EW_CHECK(build_kernels(s, err));
  EW_CHECK(create_buffers(s, device, err));
  EW_CHECK(create_preconditioner(s, pattern, err));
  *out = s;
  s = NULL;
cleanup:
  csr_destroy(&s);
  return status;
}

/* What depends on the precision of the iterations. */
static void clear_recurrence(csr_system *s) {
  for (int k = 0; k < CSR_SHARED_COUNT; k++) dev_kernel_destroy(&s->shared[k]);
  for (int k = 0; k < csr_max_kernels; k++) dev_kernel_destroy(&s->kernel[k]);
  for (int k = 0; k < csr_max_vectors; k++) dev_buffer_destroy(&s->vector[k]);
  csr_single_clear(&s->single);
}

ew_status csr_give_up_single(csr_system *s, ew_error *err) {
  clear_recurrence(s);
  s->options.mixed = false;
  const ew_status status = build_kernels(s, err);
  return status == EW_OK ? create_vectors(s, s->op->device, err) : status;
}

void csr_destroy(csr_system **system) {
  csr_system *s = system ? *system : NULL;
  if (!s) return;
  if (s->precondition) s->class->destroy(&s->precondition);
  clear_recurrence(s);
  dev_buffer **own[] = {
      &s->r,          &s->progress.state, &s->progress.idle, &s->progress.never, &s->progress.history,
      &s->partial[0], &s->partial[1],     &s->middle,        &s->basis,          &s->small,
      &s->wide,       &s->large};
  for (size_t k = 0; k < sizeof own / sizeof *own; k++) dev_buffer_destroy(own[k]);
  csr_operator_destroy(&s->op);
  free(s->pattern);
  free(s->progress.host_history);
  free(s);
  *system = NULL;
}

/* ---- use ---- */

csr_options csr_get_options(const csr_system *system) { return system->options; }

ew_status csr_set_values(csr_system *s, const dev_buffer *off, const dev_buffer *diagonal, ew_error *err) {
  ew_status status = EW_OK;
  EW_CHECK(csr_operator_set_values(s->op, off, diagonal, err));
  EW_CHECK(csr_single_set_values(s, err));
  s->matrix.off = off;
  s->matrix.diagonal = diagonal;
  if (s->class) EW_CHECK(s->class->update(s->precondition, &s->matrix, err));
cleanup:
  return status;
}

ew_status csr_multiply(csr_system *s, const dev_buffer *x, dev_buffer *y, ew_error *err) {
  return csr_operator_multiply(s->op, x, y, err);
}
