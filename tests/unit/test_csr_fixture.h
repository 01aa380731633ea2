/* Systems for the solvers' tests: made on the host, solved on a device, held against plain C. */
#ifndef TEST_CSR_FIXTURE_H
#define TEST_CSR_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csr/csr.h"
#include "csr/model.h"

#define OK(call)                                                                                             \
  do {                                                                                                       \
    ew_error err_ = {EW_OK, ""}, *const err = &err_;                                                         \
    if ((call) != EW_OK) fail_msg("%s: %s", #call, err_.text);                                               \
  } while (0)
#define CONTAINS(text, part)                                                                                 \
  do {                                                                                                       \
    if (!strstr(text, part)) fail_msg("'%s' lacks '%s'", text, part);                                        \
  } while (0)

static const char *const devices[] = {"cpu", "c", "c-openmp"};

static inline dev_context *open_device(const char *spec) {
  dev_context *device = NULL;
  const char *other = getenv("EDGEWISE_TEST_DEVICE");
  OK(dev_context_create(strcmp(spec, "cpu") == 0 && other ? other : spec, &device, err));
  return device;
}

static inline dev_buffer *put(dev_context *device, const void *data, size_t bytes) {
  dev_buffer *buffer = NULL;
  OK(dev_buffer_create(device, "test", bytes, &buffer, err));
  if (bytes) OK(dev_buffer_write(buffer, 0, bytes, data, err));
  return buffer;
}

static inline void get(dev_buffer *buffer, double *data, int32_t n) {
  OK(dev_buffer_read(buffer, 0, (uint64_t)n * sizeof *data, data, err));
}

static inline double random_number(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(int64_t)(*state >> 11) * 0x1p-52 - 1.0;
}

static inline double *random_vector(int32_t n, uint64_t seed) {
  double *x = malloc((size_t)n * sizeof *x);
  for (int32_t i = 0; i < n; i++) x[i] = random_number(&seed);
  return x;
}

/* Row i has (i*7 mod 5) + i%3 entries about, none in rows divisible by 11; `symmetric`: entries mirrored. Diagonally dominant unless
 * `dominance` < 1. */
static inline csr_model random_matrix(int32_t n, bool symmetric, double dominance, uint64_t seed) {
  double *dense = calloc((size_t)n * n, sizeof *dense);
  for (int32_t i = 0; i < n; i++)
    for (int k = 0; i % 11 != 0 && k < (i * 7) % 5 + i % 3; k++) {
      int32_t j = (int32_t)((random_number(&seed) + 1.0) * 0.5 * n);
      if (j >= n || j == i || j % 11 == 0) continue;
      dense[(size_t)i * n + j] = random_number(&seed);
      if (symmetric) dense[(size_t)j * n + i] = dense[(size_t)i * n + j];
    }
  csr_model m = {.pattern = {.n = n}};
  int32_t *start = calloc((size_t)n + 1, sizeof *start), *col = malloc((size_t)n * n * sizeof *col), at = 0;
  m.off = malloc((size_t)n * n * sizeof *m.off);
  m.diagonal = malloc((size_t)n * sizeof *m.diagonal);
  for (int32_t i = 0; i < n; i++) {
    double sum = 0.0;
    for (int32_t j = 0; j < n; j++)
      if (dense[(size_t)i * n + j] != 0.0) {
        col[at] = j;
        m.off[at++] = dense[(size_t)i * n + j];
        sum += fabs(dense[(size_t)i * n + j]);
      }
    start[i + 1] = at;
    m.diagonal[i] = dominance * sum + 1.0;
  }
  free(dense);
  m.pattern.start = start;
  m.pattern.col = col;
  return m;
}

static inline void plain_product(const csr_model *m, const double *x, double *y) {
  for (int32_t i = 0; i < m->pattern.n; i++) {
    y[i] = m->diagonal[i] * x[i];
    for (int32_t k = m->pattern.start[i]; k < m->pattern.start[i + 1]; k++)
      y[i] += m->off[k] * x[m->pattern.col[k]];
  }
}

static inline double norm(const double *x, int32_t n) {
  double sum = 0.0;
  for (int32_t i = 0; i < n; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

/* |b - A x| / |b| */
static inline double relative_residual(const csr_model *m, const double *b, const double *x) {
  int32_t n = m->pattern.n;
  double *y = malloc((size_t)n * sizeof *y);
  plain_product(m, x, y);
  for (int32_t i = 0; i < n; i++) y[i] = b[i] - y[i];
  double result = norm(y, n) / norm(b, n);
  free(y);
  return result;
}

/* A system on a device with its values set. */
typedef struct loaded {
  dev_context *device;
  const csr_model *model;
  csr_system *system;
  dev_buffer *off, *diagonal, *b, *x;
} loaded;

static inline void load(loaded *l, dev_context *device, const csr_model *m, const csr_options *options) {
  size_t n = (size_t)m->pattern.n, entries = (size_t)m->pattern.start[n];
  *l = (loaded){.device = device, .model = m};
  OK(csr_create(device, &m->pattern, NULL, options, &l->system, err));
  l->off = put(device, m->off, entries * sizeof(double));
  l->diagonal = put(device, m->diagonal, n * sizeof(double));
  OK(dev_buffer_create(device, "b", n * sizeof(double), &l->b, err));
  OK(dev_buffer_create(device, "x", n * sizeof(double), &l->x, err));
  OK(csr_set_values(l->system, l->off, l->diagonal, err));
}

static inline void unload(loaded *l) {
  csr_destroy(&l->system);
  dev_buffer *all[] = {l->off, l->diagonal, l->b, l->x};
  for (int k = 0; k < 4; k++) dev_buffer_destroy(&all[k]);
}

static inline ew_status solve(loaded *l, const double *b, double *x, const csr_request *request,
                              csr_report *report, ew_error *error) {
  uint64_t bytes = (uint64_t)l->model->pattern.n * sizeof(double);
  OK(dev_buffer_write(l->b, 0, bytes, b, err));
  OK(dev_buffer_write(l->x, 0, bytes, x, err));
  ew_status status = csr_solve(l->system, l->b, l->x, request, report, error);
  get(l->x, x, l->model->pattern.n);
  return status;
}

#endif
