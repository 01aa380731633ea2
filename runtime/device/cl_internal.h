/* The OpenCL back end's own state and error reporting. */
#ifndef EW_DEVICE_CL_INTERNAL_H
#define EW_DEVICE_CL_INTERNAL_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "device/backend.h"

enum { cl_pending_max = 1024 }; /* recorded launches kept before the older half is drained */

typedef struct cl_pending {
  cl_event event;
  size_t slot; /* in the context's profile */
} cl_pending;

typedef struct cl_state {
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
  bool profiling;
  const char *fault_options; /* that every build gets: dev_known_fault; static */
  size_t pending_count;
  cl_pending pending[cl_pending_max];
} cl_state;

static inline cl_state *cl_state_of(const dev_context *ctx) { return ctx->handle; }

/* "CL_OUT_OF_RESOURCES"; "unknown OpenCL error" for a code outside OpenCL 1.2. */
const char *cl_error_name(cl_int code);

/* "CALL: CL_NAME (-n): OBJECT on DEVICE"; `what` describes the object, e.g. "buffer". */
ew_status cl_fail(const dev_context *ctx, cl_int code, const char *call, const char *what, const char *name,
                  ew_error *err);

/* Did a kernel of that many arguments fail because the device promises no room for them? Then `*status` says so: drivers do not. */
bool cl_fail_arguments(const dev_context *ctx, const char *kernel, unsigned n_args, ew_status *status,
                       ew_error *err);

/* cl_buffer.c */
ew_status cl_buffer_open(dev_buffer *buffer, ew_error *err);
ew_status cl_buffer_part(dev_buffer *part, const dev_buffer *whole, uint64_t offset, ew_error *err);
void cl_buffer_close(dev_buffer *buffer);
ew_status cl_write(dev_buffer *buffer, uint64_t offset, uint64_t bytes, const void *source, void **pending,
                   ew_error *err);
ew_status cl_read(const dev_buffer *buffer, uint64_t offset, uint64_t bytes, void *target, void **pending,
                  ew_error *err);
ew_status cl_map(dev_buffer *buffer, bool write, void **memory, ew_error *err);
ew_status cl_unmap(dev_buffer *buffer, void *memory, ew_error *err);
ew_status cl_copy(dev_buffer *target, uint64_t target_offset, const dev_buffer *source,
                  uint64_t source_offset, uint64_t bytes, ew_error *err);
ew_status cl_fill(dev_buffer *buffer, uint64_t offset, uint64_t bytes, const void *pattern,
                  size_t pattern_bytes, ew_error *err);
ew_status cl_wait(dev_context *ctx, void *pending, ew_error *err);

/* cl_program.c */
ew_status cl_build(dev_program *program, const dev_build_request *request, dev_blob *binary, char **log,
                   ew_error *err);
bool cl_load(dev_program *program, const dev_build_request *request, const dev_blob *binary,
             const char *path);
void cl_program_close(dev_program *program);

/* cl_kernel.c */
ew_status cl_kernel_open(dev_kernel *kernel, ew_error *err);
void cl_kernel_close(dev_kernel *kernel);
ew_status cl_set_arg(dev_kernel *kernel, unsigned position, const dev_arg *arg, ew_error *err);
ew_status cl_launch(dev_kernel *kernel, const dev_range *range, ew_error *err);
ew_status cl_drain_profile(dev_context *ctx, ew_error *err);

#endif
