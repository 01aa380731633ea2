/* The model machine as a device: kernels are OpenCL C, read by dslc's own parser and run item by item; what a device would not notice is
 * reported as an error of the launch. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "device/backend.h"
#include "dslc.h"
#include "dslc_kernel.h"

/* ---- The list ---------------------------------------------------------------------------------------------------------- */

ew_status model_list_append(dev_list *list, ew_error *err) {
  dev_info info = {.type = DEV_CPU,
                   .language = DEV_OPENCL_C,
                   .platform = "model machine: checks kernels as it runs them, slow",
                   .name = "model",
                   .fp64 = true,
                   .model = true,
                   .memory_bytes = ew_machine_memory(),
                   .max_alloc_bytes = ew_machine_memory(),
                   .local_bytes = 65536,
                   .compute_units = 1,
                   .max_work_group = 1024};
  snprintf(info.driver, sizeof info.driver, "dslc %s", dslc_version());
  ew_status status = dev_list_add(list, &info, err);
  if (status != EW_OK) return status;
  info.type = DEV_GPU;
  info.compute_units = 4;
  snprintf(info.name, sizeof info.name, "model-gpu");
  return dev_list_add(list, &info, err);
}

/* ---- Buffers ------------------------------------------------------------------------------------------------------------- */

typedef struct model_state {
  dslc_machine *machine;
  bool unset;  /* new buffers count as unset, although they are zeros */
  bool poison; /* ... or hold NaN instead of zeros */
} model_state;

static ew_status buffer_open(dev_buffer *b, ew_error *err) {
  const model_state *state = b->ctx->handle;
  dslc_memory *memory = b->bytes <= b->ctx->info.memory_bytes ? dslc_memory_create(b->name, b->bytes) : NULL;
  b->handle = memory;
  if (!memory)
    return ew_fail(err, EW_DEVICE, "buffer '%s' of %.3f GiB does not fit the model machine's memory", b->name,
                   (double)b->bytes / 0x1p30);
  if (state->poison) memset(dslc_memory_data(memory), 0xff, (size_t)b->bytes);
  if (!state->unset) dslc_memory_mark(memory, 0, b->bytes);
  return EW_OK;
}

static ew_status buffer_part(dev_buffer *part, const dev_buffer *whole, uint64_t offset, ew_error *err) {
  part->handle = dslc_memory_part(whole->handle, offset, part->bytes);
  return part->handle ? EW_OK : dev_out_of_memory(err, "a buffer");
}

static void buffer_close(dev_buffer *b) {
  dslc_memory *memory = b->handle;
  dslc_memory_destroy(&memory);
}

static char *at(const dev_buffer *b, uint64_t offset) { return (char *)dslc_memory_data(b->handle) + offset; }

static ew_status buffer_write(dev_buffer *b, uint64_t offset, uint64_t bytes, const void *source,
                              void **pending, ew_error *err) {
  (void)pending, (void)err;
  memcpy(at(b, offset), source, (size_t)bytes);
  dslc_memory_mark(b->handle, offset, bytes);
  return EW_OK;
}

static ew_status buffer_read(const dev_buffer *b, uint64_t offset, uint64_t bytes, void *target,
                             void **pending, ew_error *err) {
  (void)pending, (void)err;
  memcpy(target, at(b, offset), (size_t)bytes);
  return EW_OK;
}

static ew_status buffer_copy(dev_buffer *target, uint64_t target_offset, const dev_buffer *source,
                             uint64_t source_offset, uint64_t bytes, ew_error *err) {
  (void)err;
  dslc_memory_copy(target->handle, target_offset, source->handle, source_offset, bytes);
  return EW_OK;
}

static ew_status buffer_fill(dev_buffer *b, uint64_t offset, uint64_t bytes, const void *pattern,
                             size_t pattern_bytes, ew_error *err) {
  (void)err;
  for (uint64_t i = 0; i < bytes; i += pattern_bytes) memcpy(at(b, offset + i), pattern, pattern_bytes);
  dslc_memory_mark(b->handle, offset, bytes);
  return EW_OK;
}

/* ---- Programs -------------------------------------------------------------------------------------------------------------- */

static ew_status build(dev_program *program, const dev_build_request *request, dev_blob *binary, char **log,
                       ew_error *err) {
  char message[1000];
  (void)binary;
  dslc_kernels *kernels =
      request->compiled ? dslc_kernels_of(request->compiled, request->options, message, sizeof message)
                        : dslc_kernels_parse(request->source, request->options, message, sizeof message);
  if (!kernels) {
    *log = strdup(message);
    return ew_fail(err, EW_DEVICE, "the model machine cannot read it");
  }
  if (dslc_kernels_verify(kernels, message, sizeof message) > 0) {
    *log = strdup(message);
    dslc_kernels_destroy(&kernels);
    return ew_fail(err, EW_DEVICE, "it does not pass the verifier of kernels");
  }
  program->handle = kernels;
  return EW_OK;
}

static bool load(dev_program *program, const dev_build_request *request, const dev_blob *binary,
                 const char *path) {
  (void)program, (void)request, (void)binary, (void)path;
  return false;
}

static void program_close(dev_program *program) {
  dslc_kernels *kernels = program->handle;
  dslc_kernels_destroy(&kernels);
}

static ew_status kernel_open(dev_kernel *k, ew_error *err) {
  dslc_kernel_info info;
  char message[500];
  const int number = dslc_kernels_find(k->program->handle, k->name);
  if (number < 0)
    return ew_fail(err, EW_DEVICE, "program '%s' has no kernel '%s' on %s", k->program->name, k->name,
                   k->program->ctx->info.name);
  if (!dslc_kernels_open(k->program->handle, number, &info, message, sizeof message))
    return ew_fail(err, EW_DEVICE, "kernel '%s' on %s: %s", k->name, k->program->ctx->info.name, message);
  k->handle = malloc(sizeof number);
  if (!k->handle) return dev_out_of_memory(err, "a kernel");
  memcpy(k->handle, &number, sizeof number);
  memcpy(k->required_local, info.group, sizeof info.group);
  k->max_local = k->program->ctx->info.max_work_group;
  if (info.group[0]) k->max_local = info.group[0] * info.group[1] * info.group[2];
  k->local_bytes = info.local_bytes;
  k->declared_args = (unsigned)info.n_parameters;
  return EW_OK;
}

static void kernel_close(dev_kernel *k) { free(k->handle); }

static ew_status set_arg(dev_kernel *k, unsigned position, const dev_arg *arg, ew_error *err) {
  (void)k, (void)position, (void)arg, (void)err;
  return EW_OK;
}

/* ---- Launches ---------------------------------------------------------------------------------------------------------------- */

static dslc_launch_argument argument_of(const dev_arg *arg) {
  switch (arg->kind) {
  case DEV_ARG_BUFFER: return (dslc_launch_argument){.kind = DSLC_ARGUMENT_MEMORY, .memory = arg->storage};
  case DEV_ARG_LOCAL:
    return (dslc_launch_argument){.kind = DSLC_ARGUMENT_LOCAL, .local_bytes = arg->value.local_bytes};
  case DEV_ARG_I64: return (dslc_launch_argument){.kind = DSLC_ARGUMENT_I64, .i64 = arg->value.i64};
  case DEV_ARG_F64: return (dslc_launch_argument){.kind = DSLC_ARGUMENT_F64, .f64 = arg->value.f64};
  default: return (dslc_launch_argument){.kind = DSLC_ARGUMENT_I32, .i32 = arg->value.i32};
  }
}

/* Three of them, and how many there are. */
static ew_status fail_launch(const dev_kernel *k, const dslc_machine *machine, int found, ew_error *err) {
  char text[2400] = "";
  int n;
  const dslc_fault *fault = dslc_machine_faults(machine, &n);
  for (int i = 0; i < n && i < 3; i++) {
    const size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, "\n%s", fault[i].text);
  }
  return ew_fail(err, EW_DEVICE, "the model machine found %d fault%s in kernel '%s' of program '%s':%s",
                 found, found == 1 ? "" : "s", k->name, k->program->name, text);
}

/* What the machine found; negative: it is out of memory. */
static int run_on_machine(const dev_kernel *k, const dslc_launch_range *r) {
  const model_state *state = k->program->ctx->handle;
  dslc_launch_argument *arguments = malloc((k->arg_count + 1) * sizeof *arguments);
  int kernel, found = -1;
  memcpy(&kernel, k->handle, sizeof kernel);
  for (unsigned i = 0; arguments && i < k->arg_count; i++) arguments[i] = argument_of(&k->args[i]);
  if (arguments)
    found = dslc_machine_launch(state->machine, k->program->handle, kernel, arguments, (int)k->arg_count, r);
  free(arguments);
  return found;
}

static ew_status launch(dev_kernel *k, const dev_range *range, ew_error *err) {
  dev_context *ctx = k->program->ctx;
  const model_state *state = ctx->handle;
  dslc_launch_range r = {.dims = range->dims};
  size_t slot = 0;
  ew_status status = ctx->profile.on ? dev_profile_slot(&ctx->profile, k->name, &slot, err) : EW_OK;
  if (status != EW_OK) return status;
  memcpy(r.global, range->global, sizeof r.global);
  memcpy(r.local, range->local, sizeof r.local);
  const uint64_t start = dev_now_ns();
  const int found = run_on_machine(k, &r);
  if (ctx->profile.on) dev_profile_add(&ctx->profile, slot, dev_now_ns() - start);
  if (found < 0) return dev_out_of_memory(err, "a launch on the model machine");
  return found ? fail_launch(k, state->machine, found, err) : EW_OK;
}

/* ---- Everything is over when its call returns --------------------------------------------------------------------------------- */

static ew_status wait_for(dev_context *ctx, void *pending, ew_error *err) {
  (void)ctx, (void)pending, (void)err;
  return EW_OK;
}

static ew_status settle(dev_context *ctx, ew_error *err) {
  (void)ctx, (void)err;
  return EW_OK;
}

static ew_status set_profiling(dev_context *ctx, bool on, ew_error *err) {
  (void)ctx, (void)on, (void)err;
  return EW_OK;
}

static void close_context(dev_context *ctx) {
  model_state *state = ctx->handle;
  if (!state) return;
  dslc_machine_destroy(&state->machine);
  free(state);
}

static const dev_backend model_backend = {
    .close = close_context,
    .flush = settle,
    .finish = settle,
    .set_profiling = set_profiling,
    .buffer_open = buffer_open,
    .buffer_close = buffer_close,
    .buffer_part = buffer_part,
    .write = buffer_write,
    .read = buffer_read,
    .copy = buffer_copy,
    .fill = buffer_fill,
    .wait = wait_for,
    .build = build,
    .load = load,
    .program_close = program_close,
    .kernel_open = kernel_open,
    .kernel_close = kernel_close,
    .set_arg = set_arg,
    .launch = launch,
    .drain_profile = settle,
};

/* EDGEWISE_MODEL_SEED: of the order of groups and items, 1 if unset, 0 for the order of their numbers. EDGEWISE_MODEL_UNSET=1: what is read of
 * a buffer must have been written, although buffers begin as zeros; nan: they begin as NaN (and -1) instead, so that a result which depends on
 * what nobody wrote is one, too. */
static ew_status read_seed(dslc_machine_options *options, ew_error *err) {
  const char *text = getenv("EDGEWISE_MODEL_SEED");
  char *end = NULL;
  options->seed = 1;
  if (!text || !*text) return EW_OK;
  options->seed = strtoull(text, &end, 10);
  return *end ? ew_fail(err, EW_USAGE, "EDGEWISE_MODEL_SEED=%s: a whole number is expected", text) : EW_OK;
}

ew_status model_context_open(dev_context *ctx, ew_error *err) {
  dslc_machine_options options = {0};
  const char *unset = getenv("EDGEWISE_MODEL_UNSET");
  ew_status status = read_seed(&options, err);
  if (status != EW_OK) return status;
  model_state *state = calloc(1, sizeof *state);
  if (!state) return dev_out_of_memory(err, "a device context");
  ctx->backend = &model_backend;
  ctx->handle = state;
  state->unset = unset && strcmp(unset, "1") == 0;
  state->poison = unset && strcmp(unset, "nan") == 0;
  state->machine = dslc_machine_create(&options);
  return state->machine ? EW_OK : dev_out_of_memory(err, "a device context");
}
