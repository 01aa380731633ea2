#include "device/cl_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { max_platforms = 32, max_devices = 64 };

/* ---- Enumeration ---- */

static cl_uint platforms(cl_platform_id ids[max_platforms]) {
  cl_uint count = 0;
  if (clGetPlatformIDs(max_platforms, ids, &count) != CL_SUCCESS) return 0;
  return count < max_platforms ? count : max_platforms;
}

/* A platform without devices answers CL_DEVICE_NOT_FOUND, a broken driver anything: both have none. */
static cl_uint devices(cl_platform_id platform, cl_device_id ids[max_devices]) {
  cl_uint count = 0;
  if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, max_devices, ids, &count) != CL_SUCCESS) return 0;
  return count < max_devices ? count : max_devices;
}

static void text_of(cl_device_id device, cl_device_info what, char *out, size_t size) {
  if (clGetDeviceInfo(device, what, size, out, NULL) != CL_SUCCESS) snprintf(out, size, "unknown");
  out[size - 1] = '\0';
}

static uint64_t u64_of(cl_device_id device, cl_device_info what) {
  cl_ulong value = 0;
  return clGetDeviceInfo(device, what, sizeof value, &value, NULL) == CL_SUCCESS ? value : 0;
}

static dev_type type_of(cl_device_id device) {
  cl_device_type type = u64_of(device, CL_DEVICE_TYPE);
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

static dev_info describe(cl_platform_id platform, cl_device_id device) {
  dev_info info = {.type = type_of(device), .language = DEV_OPENCL_C};
  cl_uint units = 0;
  size_t group = 0;
  if (clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof info.platform, info.platform, NULL) != CL_SUCCESS)
    snprintf(info.platform, sizeof info.platform, "unknown");
  info.platform[sizeof info.platform - 1] = '\0';
  text_of(device, CL_DEVICE_NAME, info.name, sizeof info.name);
  text_of(device, CL_DRIVER_VERSION, info.driver, sizeof info.driver);
  info.fp64 = u64_of(device, CL_DEVICE_DOUBLE_FP_CONFIG) != 0;
  info.memory_bytes = u64_of(device, CL_DEVICE_GLOBAL_MEM_SIZE);
  info.max_alloc_bytes = u64_of(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  info.cache_bytes = u64_of(device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE);
  info.local_bytes = u64_of(device, CL_DEVICE_LOCAL_MEM_SIZE);
  if (clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL) == CL_SUCCESS)
    info.compute_units = units;
  if (clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof group, &group, NULL) == CL_SUCCESS)
    info.max_work_group = group;
  info.limits_registers = has_extension(device, "cl_nv_compiler_options");
  return info;
}

ew_status cl_list_append(dev_list *list, ew_error *err) {
  cl_platform_id platform_ids[max_platforms];
  cl_device_id device_ids[max_devices];
  cl_uint platform_count = platforms(platform_ids);
  list->opencl_platforms = platform_count;
  for (cl_uint p = 0; p < platform_count; p++) {
    cl_uint device_count = devices(platform_ids[p], device_ids);
    for (cl_uint d = 0; d < device_count; d++) {
      dev_info info = describe(platform_ids[p], device_ids[d]);
      ew_status status = dev_list_add(list, &info, err);
      if (status != EW_OK) return status;
    }
  }
  return EW_OK;
}

/* The OpenCL device that the ICD loader has at position `index`. */
static bool find_device(int index, cl_platform_id *platform, cl_device_id *device) {
  cl_platform_id platform_ids[max_platforms];
  cl_device_id device_ids[max_devices];
  cl_uint platform_count = platforms(platform_ids);
  for (cl_uint p = 0; p < platform_count; p++) {
    int device_count = (int)devices(platform_ids[p], device_ids);
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
  if (!find_device(ctx->info.found, &platform, &s->device))
    return ew_fail(err, EW_DEVICE, "device '%s' (%s) has disappeared", ctx->info.name, ctx->info.platform);
  const dev_fault *fault = dev_known_fault(&ctx->info);
  s->fault_options = fault ? fault->options : "";
  char version[256]; /* names the driver's own compiler where its version string does not */
  text_of(s->device, CL_DEVICE_VERSION, version, sizeof version);
  ctx->target = calloc(1, strlen(version) + strlen(s->fault_options) + 2);
  if (!ctx->target) return dev_out_of_memory(err, "an OpenCL context");
  sprintf(ctx->target, "%s%s%s", version, fault ? " " : "", s->fault_options);
  const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0};
  s->context = clCreateContext(properties, 1, &s->device, NULL, NULL, &code);
  if (code != CL_SUCCESS) return cl_fail(ctx, code, "clCreateContext", "device", ctx->info.name, err);
  return queue_open(ctx, false, err);
}
