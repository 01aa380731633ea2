#include "device/backend.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Drivers say of the launch of such a kernel that they are out of resources. */
static ew_status check_local(const dev_kernel *k, ew_error *err) {
  const dev_info *info = &k->program->ctx->info;
  if (k->local_bytes <= info->local_bytes) return EW_OK;
  return ew_fail(err, EW_DEVICE,
                 "kernel '%s' needs %" PRIu64 " bytes of local memory for a work-group, %s has %" PRIu64
                 ": set a smaller `group`, or another form than `patch`",
                 k->name, k->local_bytes, info->name, info->local_bytes);
}

ew_status dev_kernel_create(dev_program *program, const char *name, dev_kernel **out, ew_error *err) {
  dev_kernel *kernel = calloc(1, sizeof *kernel);
  if (!kernel || !(kernel->name = strdup(name))) return free(kernel), dev_out_of_memory(err, "a kernel");
  kernel->program = program;
  ew_status status = program->ctx->backend->kernel_open(kernel, err);
  if (status == EW_OK) {
    status = check_local(kernel, err);
    if (status != EW_OK) program->ctx->backend->kernel_close(kernel);
  }
  if (status != EW_OK) return free(kernel->name), free(kernel), status;
  program->references++;
  *out = kernel;
  return EW_OK;
}

void dev_kernel_destroy(dev_kernel **kernel) {
  if (!kernel || !*kernel) return;
  dev_kernel *k = *kernel;
  k->program->ctx->backend->kernel_close(k);
  dev_program_destroy(&k->program);
  free(k->args);
  free(k->gathered);
  free(k->name);
  free(k);
  *kernel = NULL;
}

const char *dev_kernel_name(const dev_kernel *kernel) { return kernel->name; }
unsigned dev_kernel_declared_args(const dev_kernel *kernel) { return kernel->declared_args; }

uint64_t dev_kernel_local_bytes(const dev_kernel *kernel) { return kernel->local_bytes; }
size_t dev_kernel_max_local(const dev_kernel *kernel) { return kernel->max_local; }

/* ---- Arguments ---- */

static ew_status reserve_args(dev_kernel *k, unsigned count, ew_error *err) {
  if (count <= k->arg_capacity) return EW_OK;
  unsigned capacity = count < 16 ? 16 : 2 * count;
  dev_arg *args = realloc(k->args, capacity * sizeof *args);
  if (!args) return dev_out_of_memory(err, "kernel arguments");
  memset(args + k->arg_capacity, 0, (capacity - k->arg_capacity) * sizeof *args);
  k->args = args;
  k->arg_capacity = capacity;
  free(k->gathered);
  k->gathered = NULL;
  return EW_OK;
}

/* `value` is compared by its bits, so that -0.0 replaces 0.0 and a NaN equals itself. */
static ew_status set_arg(dev_kernel *k, unsigned position, const dev_arg *arg, ew_error *err) {
  if (position < k->arg_count) {
    const dev_arg *old = &k->args[position];
    if (old->kind == arg->kind && old->value.bits == arg->value.bits) return EW_OK;
  }
  ew_status status = EW_OK;
  EW_CHECK(reserve_args(k, position + 1, err));
  EW_CHECK(k->program->ctx->backend->set_arg(k, position, arg, err));
  k->args[position] = *arg;
  if (position >= k->arg_count) k->arg_count = position + 1;
cleanup:
  return status;
}

ew_status dev_kernel_set_buffer(dev_kernel *kernel, unsigned position, const dev_buffer *buffer,
                                ew_error *err) {
  if (!buffer)
    return ew_fail(err, EW_INTERNAL, "kernel '%s': argument %u: no buffer given", kernel->name, position);
  if (buffer->ctx != kernel->program->ctx)
    return ew_fail(err, EW_INTERNAL, "kernel '%s': argument %u: buffer '%s' belongs to another device",
                   kernel->name, position, buffer->name);
  dev_arg arg = {.kind = DEV_ARG_BUFFER,
                 .value.buffer_id = buffer->id,
                 .storage = buffer->handle,
                 .contents = buffer->contents};
  return set_arg(kernel, position, &arg, err);
}

ew_status dev_kernel_set_i32(dev_kernel *kernel, unsigned position, int32_t value, ew_error *err) {
  dev_arg arg = {.kind = DEV_ARG_I32, .value.bits = 0}; /* the upper half is compared too */
  arg.value.i32 = value;
  return set_arg(kernel, position, &arg, err);
}

ew_status dev_kernel_set_i64(dev_kernel *kernel, unsigned position, int64_t value, ew_error *err) {
  dev_arg arg = {.kind = DEV_ARG_I64, .value.i64 = value};
  return set_arg(kernel, position, &arg, err);
}

ew_status dev_kernel_set_f64(dev_kernel *kernel, unsigned position, double value, ew_error *err) {
  dev_arg arg = {.kind = DEV_ARG_F64, .value.f64 = value};
  return set_arg(kernel, position, &arg, err);
}

ew_status dev_kernel_set_local(dev_kernel *kernel, unsigned position, size_t bytes, ew_error *err) {
  const dev_info *info = &kernel->program->ctx->info;
  if (info->language != DEV_OPENCL_C)
    return ew_fail(err, EW_INTERNAL, "kernel '%s': argument %u: device '%s' has no local memory",
                   kernel->name, position, info->name);
  if (bytes == 0 || bytes > info->local_bytes)
    return ew_fail(err, EW_DEVICE,
                   "kernel '%s': argument %u: %zu bytes of local memory asked for, %s has %" PRIu64,
                   kernel->name, position, bytes, info->name, info->local_bytes);
  dev_arg arg = {.kind = DEV_ARG_LOCAL, .value.local_bytes = bytes};
  return set_arg(kernel, position, &arg, err);
}

/* ---- Launches ---- */

static ew_status check_args(const dev_kernel *k, ew_error *err) {
  unsigned count = k->declared_args ? k->declared_args : k->arg_count;
  for (unsigned i = 0; i < count; i++)
    if (i >= k->arg_count || k->args[i].kind == DEV_ARG_UNSET)
      return ew_fail(err, EW_INTERNAL, "kernel '%s': argument %u was never set", k->name, i);
  return EW_OK;
}

static ew_status check_group(const dev_kernel *k, const dev_range *r, ew_error *err) {
  size_t group = 1;
  for (unsigned i = 0; i < r->dims; i++) {
    if ((r->local[i] == 0) != (r->local[0] == 0))
      return ew_fail(err, EW_INTERNAL, "kernel '%s': local sizes are zero in some dimensions only", k->name);
    if (r->local[i] > k->max_local) group = SIZE_MAX;
    if (r->local[i] && group <= k->max_local) group *= r->local[i];
  }
  if (group <= k->max_local || k->program->ctx->info.language != DEV_OPENCL_C) return EW_OK;
  return ew_fail(err, EW_DEVICE,
                 "kernel '%s': a work-group of %zu x %zu x %zu exceeds the %zu work-items %s allows it",
                 k->name, r->local[0], r->local[1] ? r->local[1] : 1, r->local[2] ? r->local[2] : 1,
                 k->max_local, k->program->ctx->info.name);
}

static size_t round_up(uint64_t n, size_t multiple) {
  return (size_t)((n + multiple - 1) / multiple * multiple);
}

static ew_status enqueue(dev_kernel *k, dev_range *range, ew_error *err) {
  ew_status status = EW_OK;
  dev_context *ctx = k->program->ctx;
  EW_CHECK(check_args(k, err));
  EW_CHECK(check_group(k, range, err));
  EW_CHECK(ctx->backend->launch(k, range, err));
  ctx->stats.launches++;
cleanup:
  return status;
}

/* A driver that chooses the group's size picks a divisor of the global size, which for a prime number of
 * work-items is 1; a global size that is a multiple of this leaves it a good choice. A small launch is one
 * exact group: leaving even that to the driver doubles the cost of a launch on an H200 (6.6 us for 3.1 us).
 */
enum { free_choice_multiple = 256, one_group_below = 64 };

static void plan_line(const dev_kernel *k, uint64_t n, size_t local, dev_range *range) {
  if (local == 0) local = k->required_local[0];
  if (local == 0 && n <= one_group_below && n <= k->max_local) local = (size_t)n;
  size_t multiple = local ? local : k->max_local < free_choice_multiple ? 1 : free_choice_multiple;
  *range = (dev_range){.dims = 1, .items = n, .global = {round_up(n, multiple)}, .local = {local}};
}

ew_status dev_kernel_launch(dev_kernel *kernel, uint64_t n, size_t local, ew_error *err) {
  if (n == 0) return EW_OK;
  if (n > INT64_MAX / 2)
    return ew_fail(err, EW_INTERNAL, "kernel '%s': %" PRIu64 " work-items", kernel->name, n);
  dev_range range;
  plan_line(kernel, n, local, &range);
  return enqueue(kernel, &range, err);
}

ew_status dev_kernel_launch_nd(dev_kernel *kernel, unsigned dims, const uint64_t *global, const size_t *local,
                               ew_error *err) {
  dev_range range = {.dims = dims, .items = 1};
  if (dims < 1 || dims > 3)
    return ew_fail(err, EW_INTERNAL, "kernel '%s': %u dimensions", kernel->name, dims);
  for (unsigned i = 0; i < dims; i++) {
    if (global[i] == 0) return EW_OK;
    if (global[i] > INT64_MAX / 2 / range.items)
      return ew_fail(err, EW_INTERNAL, "kernel '%s': too many work-items", kernel->name);
    range.items *= global[i];
    range.local[i] = local[i] ? local[i] : kernel->required_local[i];
    range.global[i] = range.local[i] ? round_up(global[i], range.local[i]) : (size_t)global[i];
  }
  return enqueue(kernel, &range, err);
}
