#include "device/backend.h"

#include <stdlib.h>
#include <string.h>

void dev_profile_clear(dev_profile *profile) {
  for (size_t i = 0; i < profile->count; i++) free((char *)profile->entries[i].kernel);
  profile->count = 0;
}

ew_status dev_profile_slot(dev_profile *p, const char *kernel_name, size_t *slot, ew_error *err) {
  for (size_t i = 0; i < p->count; i++)
    if (strcmp(p->entries[i].kernel, kernel_name) == 0) return *slot = i, EW_OK;
  if (p->count == p->capacity) {
    size_t capacity = p->capacity ? 2 * p->capacity : 16;
    dev_profile_entry *entries = realloc(p->entries, capacity * sizeof *entries);
    if (!entries) return dev_out_of_memory(err, "the profile");
    p->entries = entries;
    p->capacity = capacity;
  }
  char *copy = strdup(kernel_name);
  if (!copy) return dev_out_of_memory(err, "the profile");
  *slot = p->count++;
  p->entries[*slot] = (dev_profile_entry){.kernel = copy};
  return EW_OK;
}

void dev_profile_add(dev_profile *profile, size_t slot, uint64_t ns) {
  dev_profile_entry *e = &profile->entries[slot];
  if (e->launches == 0 || ns < e->min_ns) e->min_ns = ns;
  if (ns > e->max_ns) e->max_ns = ns;
  e->total_ns += ns;
  e->launches++;
}

static ew_status settle(dev_context *ctx, ew_error *err) {
  ew_status status = dev_finish(ctx, err);
  return status == EW_OK ? ctx->backend->drain_profile(ctx, err) : status;
}

ew_status dev_profile_start(dev_context *ctx, ew_error *err) {
  ew_status status = EW_OK;
  EW_CHECK(settle(ctx, err));
  dev_profile_clear(&ctx->profile);
  EW_CHECK(ctx->backend->set_profiling(ctx, true, err));
  ctx->profile.on = true;
cleanup:
  return status;
}

ew_status dev_profile_stop(dev_context *ctx, ew_error *err) {
  ew_status status = EW_OK;
  EW_CHECK(settle(ctx, err));
  EW_CHECK(ctx->backend->set_profiling(ctx, false, err));
  ctx->profile.on = false;
cleanup:
  return status;
}

ew_status dev_profile_get(dev_context *ctx, const dev_profile_entry **entries, size_t *count, ew_error *err) {
  ew_status status = settle(ctx, err);
  if (status != EW_OK) return status;
  *entries = ctx->profile.entries;
  *count = ctx->profile.count;
  return EW_OK;
}
