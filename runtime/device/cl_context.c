#include "device/cl_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { max_platforms = 32, max_devices = 64 };

/* ---- Enumeration ---- */

/* Whether a call worked; the first that did not is kept for the message if no device is found. What a machine or a device simply does
 * not have is no refusal. */
static bool worked(dev_list *list, const char *call, cl_int code) {
  const cl_int no_platform = -1001; /* CL_PLATFORM_NOT_FOUND_KHR, of an extension's header */
  bool lacks = code == no_platform || code == CL_DEVICE_NOT_FOUND || code == CL_INVALID_VALUE;
  if (code != CL_SUCCESS && !lacks && !*list->refused)
    snprintf(list->refused, sizeof list->refused, "%s: %s (%d)", call, cl_error_name(code), code);
  return code == CL_SUCCESS;
}

static cl_uint platforms(dev_list *list, cl_platform_id ids[max_platforms]) {
  cl_uint count = 0;
  if (!worked(list, "clGetPlatformIDs", clGetPlatformIDs(max_platforms, ids, &count))) return 0;
  return count < max_platforms ? count : max_platforms;
}

/* A platform without devices answers CL_DEVICE_NOT_FOUND, a broken driver anything: both have none. */
static cl_uint devices(dev_list *list, cl_platform_id platform, cl_device_id ids[max_devices]) {
  cl_uint count = 0;
  cl_int code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, max_devices, ids, &count);
  if (!worked(list, "clGetDeviceIDs", code)) return 0;
  return count < max_devices ? count : max_devices;
}

static bool ask(dev_list *list, cl_device_id device, cl_device_info what, void *out, size_t size) {
  return worked(list, "clGetDeviceInfo", clGetDeviceInfo(device, what, size, out, NULL));
}

static void text_of(dev_list *list, cl_device_id device, cl_device_info what, char *out, size_t size) {
  if (!ask(list, device, what, out, size)) snprintf(out, size, "unknown");
  out[size - 1] = '\0';
}

static uint64_t u64_of(dev_list *list, cl_device_id device, cl_device_info what) {
  cl_ulong value = 0;
  return ask(list, device, what, &value, sizeof value) ? value : 0;
}

static dev_type type_of(dev_list *list, cl_device_id device) {
  cl_device_type type = u64_of(list, device, CL_DEVICE_TYPE);
  if (type & CL_DEVICE_TYPE_GPU) return DEV_GPU;
  return type & CL_DEVICE_TYPE_CPU ? DEV_CPU : DEV_ACCELERATOR;
}

static bool has_extension(cl_device_id device, const char *name) {
  size_t size = 0;
  if (clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, 0, NULL, &size) != CL_SUCCESS) return false;
  char *all = calloc(1, size + 1);
  bool has = all && clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, size, all, NULL) == CL_SUCCESS &&
             strstr(all, name);
  free(all);
  return has;
}

static dev_info describe(dev_list *list, cl_platform_id platform, cl_device_id device) {
  dev_info info = {.type = type_of(list, device), .language = DEV_OPENCL_C};
  info.concurrent = info.type == DEV_GPU && !(u64_of(list, device, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU);
  cl_uint units = 0;
  size_t group = 0;
  cl_int code = clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof info.platform, info.platform, NULL);
  if (!worked(list, "clGetPlatformInfo", code)) snprintf(info.platform, sizeof info.platform, "unknown");
  info.platform[sizeof info.platform - 1] = '\0';
  text_of(list, device, CL_DEVICE_NAME, info.name, sizeof info.name);
  text_of(list, device, CL_DRIVER_VERSION, info.driver, sizeof info.driver);
  info.fp64 = u64_of(list, device, CL_DEVICE_DOUBLE_FP_CONFIG) != 0;
  info.memory_bytes = u64_of(list, device, CL_DEVICE_GLOBAL_MEM_SIZE);
  info.max_alloc_bytes = u64_of(list, device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  info.cache_bytes = u64_of(list, device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE);
  info.local_bytes = u64_of(list, device, CL_DEVICE_LOCAL_MEM_SIZE);
  if (ask(list, device, CL_DEVICE_MAX_COMPUTE_UNITS, &units, sizeof units)) info.compute_units = units;
  if (ask(list, device, CL_DEVICE_MAX_WORK_GROUP_SIZE, &group, sizeof group)) info.max_work_group = group;
  info.limits_registers = has_extension(device, "cl_nv_compiler_options");
  return info;
}

/* What this device's driver refuses is told apart from what others did; the first is kept. */
static dev_info describe_whole(dev_list *list, cl_platform_id platform, cl_device_id device) {
  char before[sizeof list->refused];
  memcpy(before, list->refused, sizeof before);
  *list->refused = '\0';
  dev_info info = describe(list, platform, device);
  info.silent = *list->refused != '\0';
  if (*before) memcpy(list->refused, before, sizeof before);
  return info;
}

ew_status cl_list_append(dev_list *list, ew_error *err) {
  cl_platform_id platform_ids[max_platforms];
  cl_device_id device_ids[max_devices];
  cl_uint platform_count = platforms(list, platform_ids);
  list->opencl_platforms = platform_count;
  for (cl_uint p = 0; p < platform_count; p++) {
    cl_uint device_count = devices(list, platform_ids[p], device_ids);
    for (cl_uint d = 0; d < device_count; d++) {
      dev_info info = describe_whole(list, platform_ids[p], device_ids[d]);
      ew_status status = dev_list_add(list, &info, err);
      if (status != EW_OK) return status;
    }
  }
  return EW_OK;
}

/* The OpenCL device that the ICD loader has at position `index`. */
static bool find_device(dev_list *list, int index, cl_platform_id *platform, cl_device_id *device) {
  cl_platform_id platform_ids[max_platforms];
  cl_device_id device_ids[max_devices];
  cl_uint platform_count = platforms(list, platform_ids);
  for (cl_uint p = 0; p < platform_count; p++) {
    int device_count = (int)devices(list, platform_ids[p], device_ids);
    if (index < device_count) {
      *platform = platform_ids[p];
      *device = device_ids[index];
      return true;
    }
    index -= device_count;
  }
  return false;
}

/* ---- Context and queue ---- */

static ew_status queue_open(dev_context *ctx, bool profiling, ew_error *err) {
  cl_state *s = cl_state_of(ctx);
  cl_int code = CL_SUCCESS;
  cl_command_queue queue =
      clCreateCommandQueue(s->context, s->device, profiling ? CL_QUEUE_PROFILING_ENABLE : 0, &code);
  if (code != CL_SUCCESS) return cl_fail(ctx, code, "clCreateCommandQueue", "queue", "main", err);
  if (s->queue) clReleaseCommandQueue(s->queue);
  s->queue = queue;
  s->profiling = profiling;
  return EW_OK;
}

static void cl_close(dev_context *ctx) {
  cl_state *s = cl_state_of(ctx);
  if (!s) return;
  if (s->queue) clFinish(s->queue);
  for (size_t i = 0; i < s->pending_count; i++) clReleaseEvent(s->pending[i].event);
  if (s->queue) clReleaseCommandQueue(s->queue);
  if (s->context) clReleaseContext(s->context);
  free(s);
  ctx->handle = NULL;
}

static ew_status cl_flush(dev_context *ctx, ew_error *err) {
  cl_int code = clFlush(cl_state_of(ctx)->queue);
  return code == CL_SUCCESS ? EW_OK : cl_fail(ctx, code, "clFlush", "queue", "main", err);
}

static ew_status cl_finish(dev_context *ctx, ew_error *err) {
  cl_int code = clFinish(cl_state_of(ctx)->queue);
  return code == CL_SUCCESS ? EW_OK : cl_fail(ctx, code, "clFinish", "queue", "main", err);
}

/* A queue has its profiling property for life, so switching means a new queue. */
static ew_status cl_set_profiling(dev_context *ctx, bool on, ew_error *err) {
  return cl_state_of(ctx)->profiling == on ? EW_OK : queue_open(ctx, on, err);
}

static const dev_backend cl_backend = {
    .close = cl_close,
    .flush = cl_flush,
    .finish = cl_finish,
    .set_profiling = cl_set_profiling,
    .buffer_open = cl_buffer_open,
    .buffer_close = cl_buffer_close,
    .buffer_part = cl_buffer_part,
    .write = cl_write,
    .read = cl_read,
    .map = cl_map,
    .unmap = cl_unmap,
    .copy = cl_copy,
    .fill = cl_fill,
    .wait = cl_wait,
    .build = cl_build,
    .load = cl_load,
    .program_close = cl_program_close,
    .kernel_open = cl_kernel_open,
    .kernel_close = cl_kernel_close,
    .set_arg = cl_set_arg,
    .launch = cl_launch,
    .drain_profile = cl_drain_profile,
};

ew_status cl_context_open(dev_context *ctx, ew_error *err) {
  cl_platform_id platform = NULL;
  cl_int code = CL_SUCCESS;
  cl_state *s = calloc(1, sizeof *s);
  if (!s) return dev_out_of_memory(err, "an OpenCL context");
  ctx->backend = &cl_backend;
  ctx->handle = s;
  dev_list again = {0};
  if (!find_device(&again, ctx->info.found, &platform, &s->device))
    return ew_fail(err, EW_DEVICE, "device '%s' (%s) has disappeared%s%s", ctx->info.name, ctx->info.platform,
                   *again.refused ? ": " : "", again.refused);
  if (ctx->info.silent)
    return ew_fail(err, EW_DEVICE, "device '%s' (%s): its driver refuses to tell what the device has",
                   ctx->info.name, ctx->info.platform);
  const dev_fault *fault = dev_known_fault(&ctx->info);
  s->fault_options = fault ? fault->options : "";
  char version[256]; /* names the driver's own compiler where its version string does not */
  text_of(&again, s->device, CL_DEVICE_VERSION, version, sizeof version);
  ctx->target = calloc(1, strlen(version) + strlen(s->fault_options) + 2);
  if (!ctx->target) return dev_out_of_memory(err, "an OpenCL context");
  sprintf(ctx->target, "%s%s%s", version, *s->fault_options ? " " : "", s->fault_options);
  const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0};
  s->context = clCreateContext(properties, 1, &s->device, NULL, NULL, &code);
  if (code != CL_SUCCESS) return cl_fail(ctx, code, "clCreateContext", "device", ctx->info.name, err);
  return queue_open(ctx, false, err);
}
