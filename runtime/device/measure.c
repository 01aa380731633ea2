#include "device/backend.h"

#include "base/timing.h"
#include "measure_cl.h"
#include "measure_host_c.h"

enum { samples = 7, fma_steps = 512, ARRAYS = 3 };
enum {
  CACHE_PART = 4
}; /* of the last-level cache all arrays fill one, for its own rate: others want room as well */

typedef struct bench {
  dev_context *ctx;
  dev_program *program;
  dev_buffer *a, *b, *c;
  uint64_t n; /* elements of an array */
} bench;

/* Together at least four last-level caches, as each is read or written from end to end; of each 64 MiB (1 GiB on a GPU, to fill it); and together
 * at most 3/8 of the memory. */
static uint64_t array_elements(const dev_info *info) {
  uint64_t bytes = 4 * info->cache_bytes / ARRAYS, least = info->type == DEV_GPU ? 1u << 30 : 64u << 20;
  if (bytes < least) bytes = least;
  if (bytes > info->memory_bytes / 8) bytes = info->memory_bytes / 8;
  if (bytes > info->max_alloc_bytes) bytes = info->max_alloc_bytes;
  return bytes / sizeof(double) / 1024 * 1024;
}

static ew_status time_batch(dev_kernel *k, uint64_t n, int launches, double *seconds, ew_error *err) {
  ew_status status = EW_OK;
  dev_context *ctx = k->program->ctx;
  uint64_t start = dev_now_ns();
  for (int i = 0; i < launches; i++) EW_CHECK(dev_kernel_launch(k, n, 0, err));
  EW_CHECK(dev_finish(ctx, err));
  *seconds = (double)(dev_now_ns() - start) * 1e-9;
cleanup:
  return status;
}

/* Median seconds of one launch. The first, warm-up batch decides how many launches fill 20 ms: long enough
 * that queueing and the final wait vanish. */
static ew_status median_seconds(dev_kernel *k, uint64_t n, double *seconds, ew_error *err) {
  ew_status status = EW_OK;
  double times[samples], first = 0.0;
  EW_CHECK(time_batch(k, n, 2, &first, err));
  EW_CHECK(time_batch(k, n, 2, &first, err));
  int launches = first > 0.0 ? (int)(0.02 / (first / 2)) + 1 : 1000;
  if (launches > 2000) launches = 2000;
  for (int i = 0; i < samples; i++) {
    EW_CHECK(time_batch(k, n, launches, &times[i], err));
    times[i] /= launches;
  }
  *seconds = ew_median(times, samples);
cleanup:
  return status;
}

static ew_status open_bench(bench *m, ew_error *err) {
  ew_status status = EW_OK;
  bool opencl = dev_get_language(m->ctx) == DEV_OPENCL_C;
  /* ISO C mode switches contraction off in GCC; this loop is about the fused operation. */
  const char *source = opencl ? measure_cl : measure_host_c, *options = opencl ? "" : "-ffp-contract=fast";
  EW_CHECK(dev_program_create(m->ctx, "measure", source, options, &m->program, err));
  EW_CHECK(dev_buffer_create(m->ctx, "triad a", 8 * m->n, &m->a, err));
  EW_CHECK(dev_buffer_create(m->ctx, "triad b", 8 * m->n, &m->b, err));
  EW_CHECK(dev_buffer_create(m->ctx, "triad c", 8 * m->n, &m->c, err));
  /* Not zero: a page that was only ever read may be the system's one shared zero page. */
  EW_CHECK(dev_buffer_fill(m->b, 0, 8 * m->n, &(double){1.5}, sizeof(double), err));
  EW_CHECK(dev_buffer_fill(m->c, 0, 8 * m->n, &(double){2.5}, sizeof(double), err));
cleanup:
  return status;
}

/* On the first n elements. */
static ew_status time_triad(bench *m, dev_kernel *k, uint64_t n, double *gbs, ew_error *err) {
  ew_status status = EW_OK;
  double seconds = 1.0;
  if (dev_get_language(m->ctx) == DEV_OPENCL_C) EW_CHECK(dev_kernel_set_i64(k, 4, (int64_t)n, err));
  EW_CHECK(median_seconds(k, n, &seconds, err));
  *gbs = 24.0 * (double)n / seconds * 1e-9;
cleanup:
  return status;
}

static ew_status measure_triad(bench *m, dev_rates *rates, ew_error *err) {
  ew_status status = EW_OK;
  dev_kernel *k = NULL;
  const uint64_t cached = m->ctx->info.cache_bytes / CACHE_PART / (ARRAYS * sizeof(double));
  EW_CHECK(dev_kernel_create(m->program, "triad", &k, err));
  EW_CHECK(dev_kernel_set_buffer(k, 0, m->a, err));
  EW_CHECK(dev_kernel_set_buffer(k, 1, m->b, err));
  EW_CHECK(dev_kernel_set_buffer(k, 2, m->c, err));
  EW_CHECK(dev_kernel_set_f64(k, 3, 0.4, err));
  EW_CHECK(time_triad(m, k, m->n, &rates->triad_gbs, err));
  rates->cached_gbs = rates->triad_gbs;
  if (cached > 0 && cached < m->n) EW_CHECK(time_triad(m, k, cached, &rates->cached_gbs, err));
cleanup:
  dev_kernel_destroy(&k);
  return status;
}

static ew_status measure_copy(bench *m, dev_rates *rates, ew_error *err) {
  ew_status status = EW_OK;
  dev_kernel *k = NULL;
  double seconds = 1.0;
  EW_CHECK(dev_kernel_create(m->program, "copy", &k, err));
  EW_CHECK(dev_kernel_set_buffer(k, 0, m->a, err));
  EW_CHECK(dev_kernel_set_buffer(k, 1, m->b, err));
  if (dev_get_language(m->ctx) == DEV_OPENCL_C) EW_CHECK(dev_kernel_set_i64(k, 2, (int64_t)m->n, err));
  EW_CHECK(median_seconds(k, m->n, &seconds, err));
  rates->copy_gbs = 16.0 * (double)m->n / seconds * 1e-9;
cleanup:
  dev_kernel_destroy(&k);
  return status;
}

/* Enough items to fill the device. An item has 8 x 8 chains of 2 flops a step. */
static ew_status measure_fma(bench *m, dev_rates *rates, ew_error *err) {
  ew_status status = EW_OK;
  dev_kernel *k = NULL;
  double seconds = 1.0;
  uint64_t items = (dev_is_gpu(m->ctx) ? 8192u : 512u) * (uint64_t)m->ctx->info.compute_units;
  if (items > m->n) items = m->n;
  EW_CHECK(dev_kernel_create(m->program, "fma_chains", &k, err));
  EW_CHECK(dev_kernel_set_buffer(k, 0, m->a, err));
  EW_CHECK(dev_kernel_set_f64(k, 1, 0.999, err));
  EW_CHECK(dev_kernel_set_i32(k, 2, fma_steps, err));
  if (dev_get_language(m->ctx) == DEV_OPENCL_C) EW_CHECK(dev_kernel_set_i64(k, 3, (int64_t)items, err));
  EW_CHECK(median_seconds(k, items, &seconds, err));
  rates->fma_gflops = 128.0 * fma_steps * (double)items / seconds * 1e-9;
cleanup:
  dev_kernel_destroy(&k);
  return status;
}

static ew_status measure_launch(bench *m, dev_rates *rates, ew_error *err) {
  ew_status status = EW_OK;
  dev_kernel *k = NULL;
  double seconds = 0.0;
  EW_CHECK(dev_kernel_create(m->program, "empty", &k, err));
  EW_CHECK(dev_kernel_set_buffer(k, 0, m->a, err));
  EW_CHECK(median_seconds(k, 1, &seconds, err));
  rates->launch_us = seconds * 1e6;
cleanup:
  dev_kernel_destroy(&k);
  return status;
}

const char *dev_without_rates(const dev_info *info) {
  if (info->language == DEV_REFERENCE) return "it interprets schemes and has no kernels, take `c`";
  if (info->model) return "it executes kernels item by item, in a time that is no device's";
  return info->fp64 ? NULL : "what measures them are vectors of doubles, and it has no fp64";
}

ew_status dev_measure_rates(dev_context *ctx, dev_rates *rates, ew_error *err) {
  ew_status status = EW_OK;
  bench m = {.ctx = ctx, .n = array_elements(&ctx->info)};
  const char *without = dev_without_rates(&ctx->info);
  *rates = (dev_rates){.array_bytes = 8 * m.n};
  if (without)
    return ew_fail(err, ctx->info.language == DEV_REFERENCE ? EW_USAGE : EW_DEVICE,
                   "the rates of '%s' cannot be measured: %s", ctx->info.name, without);
  EW_CHECK(open_bench(&m, err));
  EW_CHECK(measure_triad(&m, rates, err));
  EW_CHECK(measure_copy(&m, rates, err));
  EW_CHECK(measure_fma(&m, rates, err));
  EW_CHECK(measure_launch(&m, rates, err));
cleanup:
  dev_buffer_destroy(&m.a);
  dev_buffer_destroy(&m.b);
  dev_buffer_destroy(&m.c);
  dev_program_destroy(&m.program);
  return status;
}
