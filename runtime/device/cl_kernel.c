#include "device/cl_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ew_status fail_no_kernel(const dev_kernel *k, ew_error *err) {
  char names[1024] = "";
  const dev_program *p = k->program;
  if (clGetProgramInfo(p->handle, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, NULL) != CL_SUCCESS)
    snprintf(names, sizeof names, "(too many to list)");
  return ew_fail(
      err, EW_DEVICE,
      "clCreateKernel: CL_INVALID_KERNEL_NAME (%d): program '%s' has no kernel '%s' on %s; it has: %s",
      CL_INVALID_KERNEL_NAME, p->name, k->name, p->ctx->info.name, names);
}

static void read_limits(dev_kernel *k, cl_kernel kernel) {
  const dev_context *ctx = k->program->ctx;
  cl_device_id device = cl_state_of(ctx)->device;
  size_t group = 0, required[3] = {0};
  cl_uint args = 0;
  if (clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof group, &group, NULL) !=
      CL_SUCCESS)
    group = 0;
  k->max_local = group ? group : ctx->info.max_work_group;
  if (clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof required, required,
                               NULL) == CL_SUCCESS)
    memcpy(k->required_local, required, sizeof required);
  /* A kernel that demands its size was built for it, whatever a driver says of kernels at large (NVIDIA's: 256). */
  const size_t demanded = required[0] * required[1] * required[2];
  if (demanded > k->max_local && demanded <= ctx->info.max_work_group) k->max_local = demanded;
  cl_ulong local = 0;
  if (clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof local, &local, NULL) ==
      CL_SUCCESS)
    k->local_bytes = local;
  if (clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof args, &args, NULL) == CL_SUCCESS)
    k->declared_args = args;
}

void cl_kernel_close(dev_kernel *k) { clReleaseKernel(k->handle); }

ew_status cl_kernel_open(dev_kernel *k, ew_error *err) {
  cl_int code = CL_SUCCESS;
  cl_kernel kernel = clCreateKernel(k->program->handle, k->name, &code);
  if (code == CL_INVALID_KERNEL_NAME) return fail_no_kernel(k, err);
  if (code != CL_SUCCESS) return cl_fail(k->program->ctx, code, "clCreateKernel", "kernel", k->name, err);
  read_limits(k, kernel);
  k->handle = kernel;
  return EW_OK;
}

static const char *kind_name(dev_arg_kind kind) {
  switch (kind) {
  case DEV_ARG_BUFFER: return "a buffer";
  case DEV_ARG_I32: return "an int";
  case DEV_ARG_I64: return "a long";
  case DEV_ARG_F64: return "a double";
  case DEV_ARG_LOCAL: return "local memory";
  case DEV_ARG_UNSET: break;
  }
  return "nothing";
}

static ew_status fail_arg(const dev_kernel *k, unsigned position, const dev_arg *arg, cl_int code,
                          ew_error *err) {
  return ew_fail(err, EW_DEVICE,
                 "clSetKernelArg: %s (%d): kernel '%s' of program '%s', argument %u set to %s, takes %u "
                 "arguments, on %s",
                 cl_error_name(code), code, k->name, k->program->name, position, kind_name(arg->kind),
                 k->declared_args, k->program->ctx->info.name);
}

ew_status cl_set_arg(dev_kernel *k, unsigned position, const dev_arg *arg, ew_error *err) {
  cl_int code = CL_INVALID_ARG_VALUE;
  cl_mem mem = arg->storage;
  if (k->declared_args && position >= k->declared_args)
    return fail_arg(k, position, arg, CL_INVALID_ARG_INDEX, err);
  switch (arg->kind) {
  case DEV_ARG_BUFFER: code = clSetKernelArg(k->handle, position, sizeof mem, &mem); break;
  case DEV_ARG_I32: code = clSetKernelArg(k->handle, position, sizeof arg->value.i32, &arg->value.i32); break;
  case DEV_ARG_I64: code = clSetKernelArg(k->handle, position, sizeof arg->value.i64, &arg->value.i64); break;
  case DEV_ARG_F64: code = clSetKernelArg(k->handle, position, sizeof arg->value.f64, &arg->value.f64); break;
  case DEV_ARG_LOCAL: code = clSetKernelArg(k->handle, position, (size_t)arg->value.local_bytes, NULL); break;
  case DEV_ARG_UNSET: break;
  }
  ew_status status;
  if (code != CL_SUCCESS && cl_fail_arguments(k->program->ctx, k->name, k->declared_args, &status, err))
    return status;
  return code == CL_SUCCESS ? EW_OK : fail_arg(k, position, arg, code, err);
}

/* ---- Launches and their recorded times ---- */

static ew_status record(dev_context *ctx, const cl_pending *p, ew_error *err) {
  cl_ulong start = 0, end = 0;
  cl_int code = clGetEventProfilingInfo(p->event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL);
  if (code == CL_SUCCESS)
    code = clGetEventProfilingInfo(p->event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
  if (code != CL_SUCCESS)
    return cl_fail(ctx, code, "clGetEventProfilingInfo", "kernel", ctx->profile.entries[p->slot].kernel, err);
  dev_profile_add(&ctx->profile, p->slot, end > start ? end - start : 0);
  return EW_OK;
}

/* The queue is in order: once the last of the oldest `count` launches is over, all of them are. */
static ew_status drain(dev_context *ctx, size_t count, ew_error *err) {
  cl_state *s = cl_state_of(ctx);
  ew_status status = EW_OK;
  if (count == 0) return EW_OK;
  cl_int code = clWaitForEvents(1, &s->pending[count - 1].event);
  if (code != CL_SUCCESS) return cl_fail(ctx, code, "clWaitForEvents", "queue", "main", err);
  for (size_t i = 0; i < count; i++) {
    if (status == EW_OK) status = record(ctx, &s->pending[i], err);
    clReleaseEvent(s->pending[i].event);
  }
  s->pending_count -= count;
  memmove(s->pending, s->pending + count, s->pending_count * sizeof *s->pending);
  return status;
}

ew_status cl_drain_profile(dev_context *ctx, ew_error *err) {
  return drain(ctx, cl_state_of(ctx)->pending_count, err);
}

static ew_status enqueue(dev_kernel *k, const dev_range *r, cl_event *event, ew_error *err) {
  dev_context *ctx = k->program->ctx;
  cl_int code = clEnqueueNDRangeKernel(cl_state_of(ctx)->queue, k->handle, r->dims, NULL, r->global,
                                       r->local[0] ? r->local : NULL, 0, NULL, event);
  ew_status status;
  if (code != CL_SUCCESS && cl_fail_arguments(ctx, k->name, k->declared_args, &status, err)) return status;
  return code == CL_SUCCESS ? EW_OK : cl_fail(ctx, code, "clEnqueueNDRangeKernel", "kernel", k->name, err);
}

ew_status cl_launch(dev_kernel *k, const dev_range *range, ew_error *err) {
  dev_context *ctx = k->program->ctx;
  cl_state *s = cl_state_of(ctx);
  ew_status status = EW_OK;
  if (!ctx->profile.on) return enqueue(k, range, NULL, err);
  cl_pending p = {0};
  EW_CHECK(dev_profile_slot(&ctx->profile, k->name, &p.slot, err));
  if (s->pending_count == cl_pending_max) EW_CHECK(drain(ctx, cl_pending_max / 2, err));
  EW_CHECK(enqueue(k, range, &p.event, err));
  s->pending[s->pending_count++] = p;
cleanup:
  return status;
}
