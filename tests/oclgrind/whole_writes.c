/* Preloaded between the runtime and oclgrind. Oclgrind 21.10 keeps one record a buffer of what has been written, and a write
 * from the host replaces the record by one of the write's own size (allocAndStoreShadowMemory in Uninitialized.cpp): after
 * writing one number of an array, all numbers behind it pass for uninitialised. Here every write becomes one of the whole
 * buffer. What is lost: global memory that only a kernel failed to write; the runtime fills every buffer with zeros anyway. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#define EXPORTED __attribute__((visibility("default")))

typedef cl_int transfer(cl_command_queue, cl_mem, cl_bool, size_t, size_t, const void *, cl_uint,
                        const cl_event *, cl_event *);

/* The buffer's present contents; NULL if they cannot be had. Free with free(). */
static char *read_all(cl_command_queue queue, cl_mem mem, size_t *size) {
  if (clGetMemObjectInfo(mem, CL_MEM_SIZE, sizeof *size, size, NULL) != CL_SUCCESS) return NULL;
  char *all = malloc(*size);
  if (all && clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, *size, all, 0, NULL, NULL) == CL_SUCCESS) return all;
  free(all);
  return NULL;
}

static cl_int write_all(cl_command_queue queue, cl_mem mem, char *all, size_t size, cl_uint n,
                        const cl_event *wait, cl_event *event) {
  transfer *real;
  *(void **)&real = dlsym(RTLD_NEXT, "clEnqueueWriteBuffer");
  cl_int code = real ? real(queue, mem, CL_TRUE, 0, size, all, n, wait, event) : CL_INVALID_OPERATION;
  free(all);
  return code;
}

EXPORTED cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking, size_t offset,
                                     size_t bytes, const void *source, cl_uint n, const cl_event *wait,
                                     cl_event *event) {
  (void)blocking;
  size_t size = 0;
  char *all = read_all(queue, mem, &size);
  if (!all || offset > size || bytes > size - offset) return free(all), CL_INVALID_VALUE;
  memcpy(all + offset, source, bytes);
  return write_all(queue, mem, all, size, n, wait, event);
}

EXPORTED cl_int clEnqueueFillBuffer(cl_command_queue queue, cl_mem mem, const void *pattern,
                                    size_t pattern_size, size_t offset, size_t bytes, cl_uint n,
                                    const cl_event *wait, cl_event *event) {
  size_t size = 0;
  char *all = read_all(queue, mem, &size);
  if (!all || !pattern_size || bytes % pattern_size || offset > size || bytes > size - offset)
    return free(all), CL_INVALID_VALUE;
  for (size_t at = offset; at < offset + bytes; at += pattern_size) memcpy(all + at, pattern, pattern_size);
  return write_all(queue, mem, all, size, n, wait, event);
}
