/* A few iterations of every method with every form of the product on the device named: work for oclgrind. */
#include <stdio.h>
#include <stdlib.h>

#include "csr/csr.h"
#include "csr/model.h"

typedef struct work {
  dev_context *device;
  csr_model model;
  dev_buffer *off, *diagonal, *b, *x, *y;
} work;

static ew_status put(dev_context *device, const double *values, int32_t count, dev_buffer **out,
                     ew_error *err) {
  uint64_t bytes = (uint64_t)count * sizeof *values;
  ew_status status = dev_buffer_create(device, "work", bytes, out, err);
  return status == EW_OK ? dev_buffer_write(*out, 0, bytes, values, err) : status;
}

static ew_status prepare(const char *spec, work *w, ew_error *err) {
  ew_status status = EW_OK;
  double b[27];
  for (int i = 0; i < 27; i++) b[i] = i % 5 - 1.7;
  EW_CHECK(dev_context_create(spec, &w->device, err));
  EW_CHECK(csr_model_laplacian(3, false, &w->model, err));
  EW_CHECK(put(w->device, w->model.off, w->model.pattern.start[27], &w->off, err));
  EW_CHECK(put(w->device, w->model.diagonal, 27, &w->diagonal, err));
  EW_CHECK(put(w->device, b, 27, &w->b, err));
  EW_CHECK(put(w->device, b, 27, &w->x, err));
  EW_CHECK(put(w->device, b, 27, &w->y, err));
cleanup:
  return status;
}

/* Not to converge in so few iterations is right. */
static ew_status solve(work *w, const csr_options *options, ew_error *err) {
  ew_status status = EW_OK;
  csr_system *system = NULL;
  EW_CHECK(csr_create(w->device, &w->model.pattern, NULL, options, &system, err));
  EW_CHECK(csr_set_values(system, w->off, w->diagonal, err));
  EW_CHECK(csr_multiply(system, w->b, w->y, err));
  status = csr_solve(system, w->b, w->x, &(csr_request){.tolerance = 1e-3, .iterations = 3}, NULL, err);
  if (status == EW_NOT_CONVERGED) status = EW_OK;
cleanup:
  csr_destroy(&system);
  return status;
}

int main(int argc, char **argv) {
  static const csr_tuning tuning[] = {
      {.form = CSR_FORM_LOOP},
      {.form = CSR_FORM_PAPER, .group_bits = 3, .rows_bits = 1, .row_waves = 2},
      {.form = CSR_FORM_LANES, .group_bits = 3, .rows_bits = 2, .row_waves = 2},
      {.form = CSR_FORM_STREAM, .group_bits = 3, .rows_bits = 3, .row_waves = 2},
      {.form = CSR_FORM_SLICED, .group_bits = 5}};
  ew_error err;
  work w = {0};
  ew_status status = prepare(argc > 1 ? argv[1] : NULL, &w, &err);
  for (int form = 0; form < 5 && status == EW_OK; form++)
    for (int method = 0; method <= CSR_GMRES && status == EW_OK; method++) {
      csr_options o = {.method = (csr_method)method,
                       .preconditioner = CSR_JACOBI,
                       .tuning = tuning[form],
                       .constant_null = true};
      status = solve(&w, &o, &err);
    }
  if (status != EW_OK) fprintf(stderr, "%s\n", err.text);
  dev_buffer *all[] = {w.off, w.diagonal, w.b, w.x, w.y};
  for (int i = 0; i < 5; i++) dev_buffer_destroy(&all[i]);
  csr_model_clear(&w.model);
  dev_context_destroy(&w.device);
  return status;
}
