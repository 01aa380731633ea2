#include "device/cl_internal.h"

#include "device/pages.h"

static const double gib = 1024.0 * 1024.0 * 1024.0;

static ew_status fail_alloc(const dev_buffer *b, cl_int code, const char *call, ew_error *err) {
  const dev_info *info = &b->ctx->info;
  return ew_fail(
      err, EW_DEVICE,
      "%s: %s (%d): buffer '%s' of %.3f GiB on %s (%s), which has %.3f GiB in all, %.3f GiB at most in one "
      "buffer; this run already holds %.3f GiB.\nhint: a smaller mesh, or a device with more memory",
      call, cl_error_name(code), code, b->name, (double)b->bytes / gib, info->name, info->platform,
      (double)info->memory_bytes / gib, (double)info->max_alloc_bytes / gib,
      (double)b->ctx->stats.device_bytes / gib);
}

/* OpenCL has no empty buffers and fills whole patterns: at least 8 bytes and a multiple of 8. */
static uint64_t padded_size(const dev_buffer *b) { return b->bytes ? (b->bytes + 7) / 8 * 8 : 8; }

/* A CPU device computes in host memory, so we choose the pages and it uses them in place. */
static cl_mem create_on_cpu(dev_buffer *b, cl_int *code) {
  uint64_t size = padded_size(b);
  b->storage = size <= b->ctx->info.max_alloc_bytes ? pages_create(size) : NULL;
  *code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
  if (!b->storage) return NULL;
  return clCreateBuffer(cl_state_of(b->ctx)->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, (size_t)size,
                        b->storage, code);
}

static cl_mem create_on_device(const dev_buffer *b, cl_int *code) {
  return clCreateBuffer(cl_state_of(b->ctx)->context, CL_MEM_READ_WRITE, (size_t)padded_size(b), NULL, code);
}

/* Queued work may still reach the memory, which a driver's own would survive: ours is freed once the queue is empty, and kept where a
 * broken driver does not say so. */
static void release(dev_buffer *b, cl_mem mem) {
  bool idle = !b->storage || clFinish(cl_state_of(b->ctx)->queue) == CL_SUCCESS;
  if (mem) clReleaseMemObject(mem);
  if (idle) pages_free(b->storage, padded_size(b));
}

/* Drivers allocate late: the zero fill is what shows that the memory is there, so wait for it. */
ew_status cl_buffer_open(dev_buffer *b, ew_error *err) {
  const cl_state *s = cl_state_of(b->ctx);
  const double zero = 0.0;
  cl_int code = CL_SUCCESS;
  if (b->bytes > UINT64_MAX - 8) return fail_alloc(b, CL_INVALID_BUFFER_SIZE, "clCreateBuffer", err);
  cl_mem mem = b->ctx->info.type == DEV_CPU ? create_on_cpu(b, &code) : create_on_device(b, &code);
  if (code != CL_SUCCESS) return release(b, mem), fail_alloc(b, code, "clCreateBuffer", err);
  code = clEnqueueFillBuffer(s->queue, mem, &zero, sizeof zero, 0, (size_t)padded_size(b), 0, NULL, NULL);
  if (code == CL_SUCCESS) code = clFinish(s->queue);
  if (code != CL_SUCCESS) return release(b, mem), fail_alloc(b, code, "clEnqueueFillBuffer", err);
  b->handle = mem;
  return EW_OK;
}

ew_status cl_buffer_part(dev_buffer *part, const dev_buffer *whole, uint64_t offset, ew_error *err) {
  const cl_buffer_region region = {(size_t)offset, (size_t)padded_size(part)};
  cl_int code = CL_SUCCESS;
  part->handle =
      clCreateSubBuffer(whole->handle, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
  return code == CL_SUCCESS ? EW_OK : fail_alloc(part, code, "clCreateSubBuffer", err);
}

void cl_buffer_close(dev_buffer *b) { release(b, b->handle); }

static ew_status transfer_failed(const dev_buffer *b, cl_int code, const char *call, ew_error *err) {
  return cl_fail(b->ctx, code, call, "buffer", b->name, err);
}

ew_status cl_write(dev_buffer *b, uint64_t offset, uint64_t bytes, const void *source, void **pending,
                   ew_error *err) {
  cl_command_queue queue = cl_state_of(b->ctx)->queue;
  cl_event event = NULL;
  cl_int code = clEnqueueWriteBuffer(queue, b->handle, pending ? CL_FALSE : CL_TRUE, (size_t)offset,
                                     (size_t)bytes, source, 0, NULL, pending ? &event : NULL);
  if (code != CL_SUCCESS) return transfer_failed(b, code, "clEnqueueWriteBuffer", err);
  if (pending) *pending = event, clFlush(queue);
  return EW_OK;
}

ew_status cl_read(const dev_buffer *b, uint64_t offset, uint64_t bytes, void *target, void **pending,
                  ew_error *err) {
  cl_command_queue queue = cl_state_of(b->ctx)->queue;
  cl_event event = NULL;
  cl_int code = clEnqueueReadBuffer(queue, b->handle, pending ? CL_FALSE : CL_TRUE, (size_t)offset,
                                    (size_t)bytes, target, 0, NULL, pending ? &event : NULL);
  if (code != CL_SUCCESS) return transfer_failed(b, code, "clEnqueueReadBuffer", err);
  if (pending) *pending = event, clFlush(queue);
  return EW_OK;
}

/* Of memory that we chose the map is that memory (OpenCL 1.2, clEnqueueMapBuffer: "derived from host_ptr"); what a driver allocated is left
 * to transfers. */
ew_status cl_map(dev_buffer *b, bool write, void **memory, ew_error *err) {
  cl_int code = CL_SUCCESS;
  if (!b->storage) return EW_OK;
  void *mapped = clEnqueueMapBuffer(cl_state_of(b->ctx)->queue, b->handle, CL_TRUE,
                                    CL_MAP_READ | (write ? CL_MAP_WRITE : 0), 0, (size_t)padded_size(b), 0,
                                    NULL, NULL, &code);
  if (code != CL_SUCCESS) return transfer_failed(b, code, "clEnqueueMapBuffer", err);
  *memory = mapped;
  return EW_OK;
}

ew_status cl_unmap(dev_buffer *b, void *memory, ew_error *err) {
  cl_command_queue queue = cl_state_of(b->ctx)->queue;
  cl_int code = clEnqueueUnmapMemObject(queue, b->handle, memory, 0, NULL, NULL);
  if (code == CL_SUCCESS) code = clFinish(queue);
  return code == CL_SUCCESS ? EW_OK : transfer_failed(b, code, "clEnqueueUnmapMemObject", err);
}

ew_status cl_copy(dev_buffer *target, uint64_t target_offset, const dev_buffer *source,
                  uint64_t source_offset, uint64_t bytes, ew_error *err) {
  cl_int code =
      clEnqueueCopyBuffer(cl_state_of(target->ctx)->queue, source->handle, target->handle,
                          (size_t)source_offset, (size_t)target_offset, (size_t)bytes, 0, NULL, NULL);
  return code == CL_SUCCESS ? EW_OK : transfer_failed(target, code, "clEnqueueCopyBuffer", err);
}

ew_status cl_fill(dev_buffer *b, uint64_t offset, uint64_t bytes, const void *pattern, size_t pattern_bytes,
                  ew_error *err) {
  cl_int code = clEnqueueFillBuffer(cl_state_of(b->ctx)->queue, b->handle, pattern, pattern_bytes,
                                    (size_t)offset, (size_t)bytes, 0, NULL, NULL);
  return code == CL_SUCCESS ? EW_OK : transfer_failed(b, code, "clEnqueueFillBuffer", err);
}

ew_status cl_wait(dev_context *ctx, void *pending, ew_error *err) {
  cl_event event = pending;
  cl_int code = clWaitForEvents(1, &event);
  clReleaseEvent(event);
  return code == CL_SUCCESS ? EW_OK : cl_fail(ctx, code, "clWaitForEvents", "transfer", "pending", err);
}
