/* OpenCL's functions as a program or library has them that is included into: where opencl_fails(), which stands before this, says so, a call fails,
 * else the driver is asked. FAULTS_GPU in the environment: devices say that they are GPUs, so that what only those do is done on a processor, too. */
#ifndef FAULTS_OPENCL_CALLS_H
#define FAULTS_OPENCL_CALLS_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static void *find(const char *name) {
  void *f = dlsym(RTLD_NEXT, name);
  if (!f) _exit(99);
  return f;
}

#ifndef GIVEN
#define GIVEN
#endif

/* Calls that return a status, and calls that return an object and set the status through their last argument. */
#define STATUS(name, types, names)                                                                           \
  GIVEN cl_int CL_API_CALL name types {                                                                      \
    cl_int(*real) types;                                                                                     \
    *(void **)&real = find(#name);                                                                           \
    return opencl_fails() ? CL_OUT_OF_RESOURCES : real names;                                                \
  }
#define OBJECT(type, name, types, names)                                                                     \
  GIVEN type CL_API_CALL name types {                                                                        \
    type(*real) types;                                                                                       \
    *(void **)&real = find(#name);                                                                           \
    if (!opencl_fails()) return real names;                                                                  \
    if (status) *status = CL_OUT_OF_RESOURCES;                                                               \
    return NULL;                                                                                             \
  }
#define WAIT  cl_uint n_wait, const cl_event *wait, cl_event *event
#define WAITS n_wait, wait, event
#define INFO  size_t room, void *value, size_t *size
#define INFOS room, value, size

STATUS(clGetPlatformIDs, (cl_uint n, cl_platform_id *p, cl_uint *found), (n, p, found))
STATUS(clGetPlatformInfo, (cl_platform_id p, cl_platform_info what, INFO), (p, what, INFOS))
STATUS(clGetDeviceIDs, (cl_platform_id p, cl_device_type t, cl_uint n, cl_device_id *d, cl_uint *found),
       (p, t, n, d, found))
GIVEN cl_int CL_API_CALL clGetDeviceInfo(cl_device_id d, cl_device_info what, INFO) {
  cl_int (*real)(cl_device_id, cl_device_info, INFO);
  *(void **)&real = find("clGetDeviceInfo");
  if (opencl_fails()) return CL_OUT_OF_RESOURCES;
  const cl_int status = real(d, what, INFOS);
  if (what == CL_DEVICE_TYPE && value && getenv("FAULTS_GPU")) *(cl_device_type *)value = CL_DEVICE_TYPE_GPU;
  return status;
}
OBJECT(cl_context, clCreateContext,
       (const cl_context_properties *p, cl_uint n, const cl_device_id *d,
        void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *data, cl_int *status),
       (p, n, d, notify, data, status))
OBJECT(cl_command_queue, clCreateCommandQueue,
       (cl_context c, cl_device_id d, cl_command_queue_properties p, cl_int *status), (c, d, p, status))
OBJECT(cl_mem, clCreateBuffer, (cl_context c, cl_mem_flags f, size_t n, void *host, cl_int *status),
       (c, f, n, host, status))
OBJECT(cl_program, clCreateProgramWithSource,
       (cl_context c, cl_uint n, const char **text, const size_t *size, cl_int *status),
       (c, n, text, size, status))
OBJECT(cl_program, clCreateProgramWithBinary,
       (cl_context c, cl_uint n, const cl_device_id *d, const size_t *size, const unsigned char **binary,
        cl_int *each, cl_int *status),
       (c, n, d, size, binary, each, status))
STATUS(clBuildProgram,
       (cl_program p, cl_uint n, const cl_device_id *d, const char *options,
        void(CL_CALLBACK *notify)(cl_program, void *), void *data),
       (p, n, d, options, notify, data))
STATUS(clGetProgramInfo, (cl_program p, cl_program_info what, INFO), (p, what, INFOS))
STATUS(clGetProgramBuildInfo, (cl_program p, cl_device_id d, cl_program_build_info what, INFO),
       (p, d, what, INFOS))
OBJECT(cl_kernel, clCreateKernel, (cl_program p, const char *name, cl_int *status), (p, name, status))
STATUS(clSetKernelArg, (cl_kernel k, cl_uint i, size_t n, const void *value), (k, i, n, value))
STATUS(clGetKernelInfo, (cl_kernel k, cl_kernel_info what, INFO), (k, what, INFOS))
STATUS(clGetKernelWorkGroupInfo, (cl_kernel k, cl_device_id d, cl_kernel_work_group_info what, INFO),
       (k, d, what, INFOS))
STATUS(clEnqueueNDRangeKernel,
       (cl_command_queue q, cl_kernel k, cl_uint dim, const size_t *offset, const size_t *global,
        const size_t *local, WAIT),
       (q, k, dim, offset, global, local, WAITS))
STATUS(clEnqueueReadBuffer,
       (cl_command_queue q, cl_mem m, cl_bool wait_for_it, size_t at, size_t n, void *to, WAIT),
       (q, m, wait_for_it, at, n, to, WAITS))
STATUS(clEnqueueWriteBuffer,
       (cl_command_queue q, cl_mem m, cl_bool wait_for_it, size_t at, size_t n, const void *from, WAIT),
       (q, m, wait_for_it, at, n, from, WAITS))
STATUS(clEnqueueCopyBuffer,
       (cl_command_queue q, cl_mem from, cl_mem to, size_t from_at, size_t to_at, size_t n, WAIT),
       (q, from, to, from_at, to_at, n, WAITS))
STATUS(clEnqueueFillBuffer,
       (cl_command_queue q, cl_mem m, const void *pattern, size_t width, size_t at, size_t n, WAIT),
       (q, m, pattern, width, at, n, WAITS))
STATUS(clFlush, (cl_command_queue q), (q))
STATUS(clFinish, (cl_command_queue q), (q))
STATUS(clWaitForEvents, (cl_uint n, const cl_event *e), (n, e))
STATUS(clGetEventProfilingInfo, (cl_event e, cl_profiling_info what, INFO), (e, what, INFOS))
STATUS(clReleaseEvent, (cl_event e), (e))
STATUS(clReleaseMemObject, (cl_mem m), (m))
STATUS(clReleaseKernel, (cl_kernel k), (k))
STATUS(clReleaseProgram, (cl_program p), (p))
STATUS(clReleaseCommandQueue, (cl_command_queue q), (q))
STATUS(clReleaseContext, (cl_context c), (c))

#endif
