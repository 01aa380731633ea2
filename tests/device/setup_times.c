/* setup_times DEVICE N: how long multigrid's set-up on a device takes for the Laplacian on N^3 nodes, step by step and kernel by kernel. */
#include <stdio.h>
#include <stdlib.h>

#include "base/timing.h"
#include "csr/model.h"
#include "csr/setup.h"

typedef struct bench {
  dev_context *device;
  csr_model model;
  csr_matrix matrix;
  dev_buffer *start, *col, *off, *diagonal;
  setup *setup;
} bench;

static ew_status load(bench *b, ew_error *err) {
  ew_status status = EW_OK;
  const csr_pattern *p = &b->model.pattern;
  const uint64_t n = (uint64_t)p->n, entries = (uint64_t)p->start[n];
  EW_CHECK(dev_buffer_upload(b->device, "rows", p->start, 4 * (n + 1), &b->start, err));
  EW_CHECK(dev_buffer_upload(b->device, "columns", p->col, 4 * entries, &b->col, err));
  EW_CHECK(dev_buffer_upload(b->device, "matrix", b->model.off, 8 * entries, &b->off, err));
  EW_CHECK(dev_buffer_upload(b->device, "diagonal", b->model.diagonal, 8 * n, &b->diagonal, err));
  b->matrix = (csr_matrix){.device = b->device, .pattern = *p, .start = b->start, .col = b->col};
  b->matrix.off = b->off;
  b->matrix.diagonal = b->diagonal;
cleanup:
  return status;
}

/* One set-up and one refresh; seconds of levels, of the cycle's form, of new values. */
static ew_status once(bench *b, double seconds[3], ew_error *err) {
  ew_status status = EW_OK;
  cycle_parts parts = {0};
  bool kept;
  double at[4] = {ew_seconds()};
  EW_CHECK(setup_make(b->setup, &b->matrix, err));
  EW_CHECK(dev_finish(b->device, err));
  at[1] = ew_seconds();
  EW_CHECK(setup_parts(b->setup, &parts, err));
  EW_CHECK(dev_finish(b->device, err));
  at[2] = ew_seconds();
  EW_CHECK(setup_refresh(b->setup, &b->matrix, &kept, err));
  EW_CHECK(setup_values(b->setup, &parts, err));
  EW_CHECK(dev_finish(b->device, err));
  at[3] = ew_seconds();
  for (int k = 0; k < 3; k++) seconds[k] = at[k + 1] - at[k];
cleanup:
  cycle_parts_clear(&parts);
  return status;
}

static ew_status print_kernels(bench *b, ew_error *err) {
  ew_status status = EW_OK;
  const dev_profile_entry *entries;
  size_t count;
  double seconds[3];
  EW_CHECK(dev_profile_start(b->device, err));
  EW_CHECK(once(b, seconds, err));
  EW_CHECK(dev_profile_stop(b->device, err));
  EW_CHECK(dev_profile_get(b->device, &entries, &count, err));
  printf("kernels of a set-up and a refresh: launches, ms in all, us of the longest\n");
  for (size_t k = 0; k < count; k++)
    printf("%-22s %6llu %9.3f %9.1f\n", entries[k].kernel, (unsigned long long)entries[k].launches,
           1e-6 * (double)entries[k].total_ns, 1e-3 * (double)entries[k].max_ns);
cleanup:
  return status;
}

static void print_levels(const setup *s) {
  for (int l = 0; l < s->n_levels; l++)
    printf("level %d: %d rows, %d entries, %d of P, %d of A P\n", l, s->level[l].matrix.n,
           s->level[l].matrix.entries, s->level[l].prolong.entries, s->level[l].product.entries);
}

static ew_status run(bench *b, const char *device, int n, ew_error *err) {
  ew_status status = EW_OK;
  double seconds[3];
  EW_CHECK(dev_context_create(device, &b->device, err));
  EW_CHECK(csr_model_laplacian(n, true, &b->model, err));
  EW_CHECK(load(b, err));
  EW_CHECK(setup_create(b->device, 7, &b->setup, err));
  for (int k = 0; k < 5; k++) {
    EW_CHECK(once(b, seconds, err));
    printf("levels %.4f s, the cycle's form %.4f s, new values alone %.4f s\n", seconds[0], seconds[1],
           seconds[2]);
  }
  print_levels(b->setup);
  EW_CHECK(print_kernels(b, err));
cleanup:
  return status;
}

int main(int argc, char **argv) {
  ew_error err = {0};
  bench b = {0};
  if (argc != 3) return fprintf(stderr, "usage: setup_times DEVICE N\n"), 2;
  const ew_status status = run(&b, argv[1], atoi(argv[2]), &err);
  if (status != EW_OK) fprintf(stderr, "setup_times: %s\n", err.text);
  setup_destroy(&b.setup);
  dev_buffer *all[] = {b.start, b.col, b.off, b.diagonal};
  for (int k = 0; k < 4; k++) dev_buffer_destroy(&all[k]);
  csr_model_clear(&b.model);
  dev_context_destroy(&b.device);
  return status;
}
