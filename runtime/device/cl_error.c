#include "device/cl_internal.h"

/* clang-format off */
#define CL_CODES(X)                                                                                                  \
  X(CL_SUCCESS) X(CL_DEVICE_NOT_FOUND) X(CL_DEVICE_NOT_AVAILABLE) X(CL_COMPILER_NOT_AVAILABLE)                        \
  X(CL_MEM_OBJECT_ALLOCATION_FAILURE) X(CL_OUT_OF_RESOURCES) X(CL_OUT_OF_HOST_MEMORY)                                 \
  X(CL_PROFILING_INFO_NOT_AVAILABLE) X(CL_MEM_COPY_OVERLAP) X(CL_IMAGE_FORMAT_MISMATCH)                               \
  X(CL_IMAGE_FORMAT_NOT_SUPPORTED) X(CL_BUILD_PROGRAM_FAILURE) X(CL_MAP_FAILURE)                                      \
  X(CL_MISALIGNED_SUB_BUFFER_OFFSET) X(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) X(CL_COMPILE_PROGRAM_FAILURE)    \
  X(CL_LINKER_NOT_AVAILABLE) X(CL_LINK_PROGRAM_FAILURE) X(CL_DEVICE_PARTITION_FAILED)                                 \
  X(CL_KERNEL_ARG_INFO_NOT_AVAILABLE) X(CL_INVALID_VALUE) X(CL_INVALID_DEVICE_TYPE) X(CL_INVALID_PLATFORM)            \
  X(CL_INVALID_DEVICE) X(CL_INVALID_CONTEXT) X(CL_INVALID_QUEUE_PROPERTIES) X(CL_INVALID_COMMAND_QUEUE)               \
  X(CL_INVALID_HOST_PTR) X(CL_INVALID_MEM_OBJECT) X(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR) X(CL_INVALID_IMAGE_SIZE)      \
  X(CL_INVALID_SAMPLER) X(CL_INVALID_BINARY) X(CL_INVALID_BUILD_OPTIONS) X(CL_INVALID_PROGRAM)                        \
  X(CL_INVALID_PROGRAM_EXECUTABLE) X(CL_INVALID_KERNEL_NAME) X(CL_INVALID_KERNEL_DEFINITION) X(CL_INVALID_KERNEL)     \
  X(CL_INVALID_ARG_INDEX) X(CL_INVALID_ARG_VALUE) X(CL_INVALID_ARG_SIZE) X(CL_INVALID_KERNEL_ARGS)                    \
  X(CL_INVALID_WORK_DIMENSION) X(CL_INVALID_WORK_GROUP_SIZE) X(CL_INVALID_WORK_ITEM_SIZE) X(CL_INVALID_GLOBAL_OFFSET) \
  X(CL_INVALID_EVENT_WAIT_LIST) X(CL_INVALID_EVENT) X(CL_INVALID_OPERATION) X(CL_INVALID_GL_OBJECT)                   \
  X(CL_INVALID_BUFFER_SIZE) X(CL_INVALID_MIP_LEVEL) X(CL_INVALID_GLOBAL_WORK_SIZE) X(CL_INVALID_PROPERTY)             \
  X(CL_INVALID_IMAGE_DESCRIPTOR) X(CL_INVALID_COMPILER_OPTIONS) X(CL_INVALID_LINKER_OPTIONS)                          \
  X(CL_INVALID_DEVICE_PARTITION_COUNT)
/* clang-format on */

#define CL_PLATFORM_NOT_FOUND_KHR (-1001) /* of the ICD loader; cl_ext.h would define it */

const char *cl_error_name(cl_int code) {
#define CL_CASE(name)                                                                                        \
  case name: return #name;
  switch (code) {
    CL_CODES(CL_CASE)
    CL_CASE(CL_PLATFORM_NOT_FOUND_KHR)
  default: return "unknown OpenCL error";
  }
}

ew_status cl_fail(const dev_context *ctx, cl_int code, const char *call, const char *what, const char *name,
                  ew_error *err) {
  return ew_fail(err, EW_DEVICE, "%s: %s (%d): %s '%s' on %s (%s)", call, cl_error_name(code), code, what,
                 name, ctx->info.name, ctx->info.platform);
}

/* Nearly all are buffers. The promise is looked at only after a failure: some drivers take far more than they promise. */
bool cl_fail_arguments(const dev_context *ctx, const char *kernel, unsigned n_args, ew_status *status,
                       ew_error *err) {
  size_t room = 0;
  const size_t bytes = n_args * sizeof(cl_mem);
  if (clGetDeviceInfo(cl_state_of(ctx)->device, CL_DEVICE_MAX_PARAMETER_SIZE, sizeof room, &room, NULL) !=
          CL_SUCCESS ||
      bytes <= room)
    return false;
  *status =
      ew_fail(err, EW_DEVICE,
              "kernel '%s' takes %u arguments, about %zu bytes, and %s promises room for %zu bytes: with "
              "layout=aos a state of several components (`u : real[8] @ cells`) is one argument, and the "
              "devices `c` and `c-openmp` take any number",
              kernel, n_args, bytes, ctx->info.name, room);
  return true;
}
