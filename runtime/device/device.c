#include "device/backend.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

ew_status dev_out_of_memory(ew_error *err, const char *what) {
  return ew_fail(err, EW_FAIL, "out of memory on the host while making %s", what);
}

uint64_t dev_now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

ew_status dev_context_create(const char *spec, dev_context **out, ew_error *err) {
  ew_status status = EW_OK;
  dev_list *list = NULL;
  size_t position = 0;
  dev_context *ctx = calloc(1, sizeof *ctx);
  if (!ctx) return dev_out_of_memory(err, "a device context");
  if (spec && strcasecmp(spec, "reference") == 0) {
    EW_CHECK(host_reference_open(ctx, err));
    *out = ctx;
    ctx = NULL;
    goto cleanup;
  }
  EW_CHECK(dev_list_create_for(spec, &list, err));
  EW_CHECK(dev_list_choose(list, spec, &position, err));
  ctx->info = list->items[position];
  if (ctx->info.model) EW_CHECK(model_context_open(ctx, err));
  else EW_CHECK(ctx->info.language == DEV_OPENCL_C ? cl_context_open(ctx, err) : host_context_open(ctx, err));
  if (!ctx->info.fp64) EW_CHECK(double_single_open(ctx, err));
  *out = ctx;
  ctx = NULL;
cleanup:
  dev_list_destroy(&list);
  dev_context_destroy(&ctx);
  return status;
}

void dev_context_destroy(dev_context **context) {
  if (!context || !*context) return;
  dev_context *ctx = *context;
  if (ctx->backend) ctx->backend->close(ctx);
  dev_profile_clear(&ctx->profile);
  free(ctx->profile.entries);
  free(ctx->target);
  free(ctx->build_log);
  free(ctx->build_source_path);
  free(ctx);
  *context = NULL;
}

const dev_info *dev_get_info(const dev_context *ctx) { return &ctx->info; }

const char *dev_name(const dev_context *ctx) { return ctx->info.name; }

bool dev_is_gpu(const dev_context *ctx) { return ctx->info.type == DEV_GPU; }

dev_language dev_get_language(const dev_context *ctx) { return ctx->info.language; }

dev_stats dev_get_stats(const dev_context *ctx) { return ctx->stats; }

ew_status dev_flush(dev_context *ctx, ew_error *err) { return ctx->backend->flush(ctx, err); }

ew_status dev_finish(dev_context *ctx, ew_error *err) { return ctx->backend->finish(ctx, err); }
