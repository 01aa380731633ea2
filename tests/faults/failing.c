/* Loaded before a program (LD_PRELOAD): its allocations or its OpenCL calls are counted from the beginning of main to its end, and the
 * one with the number that is asked for fails. FAULTS_KIND: memory or opencl; FAULTS_AT: from 1, 0 only counts; FAULTS_STAY: later
 * ones fail, too; FAULTS_PROGRAM: its file name, so that the programs it starts are left alone; FAULTS_COUNT: the file that the number of
 * calls goes to; FAULTS_SITES: the file that says where each of them comes from, a number of 64 bits a call. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "call_site.h"

static struct {
  atomic_bool on;
  bool memory, opencl, stay;
  long at;
  atomic_long count;
  uint64_t *site; /* of each call; NULL unless asked for */
} fault;

/* ---- where a call comes from --------------------------------------------------------------------------------------------- */

enum { MOST_CALLS = 1 << 20 };
static uint64_t sites[MOST_CALLS];

static bool fails(bool kind) {
  if (!kind || !atomic_load(&fault.on)) return false;
  long n = atomic_fetch_add(&fault.count, 1) + 1;
  if (fault.site && n <= MOST_CALLS) {
    atomic_store(&fault.on, false); /* looking for it may allocate */
    fault.site[n - 1] = call_site();
    atomic_store(&fault.on, true);
  }
  return fault.at > 0 && (n == fault.at || (fault.stay && n > fault.at));
}

/* ---- memory ---------------------------------------------------------------------------------------------------------------- */

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t),
    *__libc_memalign(size_t, size_t);

static void *none(void) {
  errno = ENOMEM;
  return NULL;
}

void *malloc(size_t n) { return fails(fault.memory) ? none() : __libc_malloc(n); }
void *calloc(size_t n, size_t size) { return fails(fault.memory) ? none() : __libc_calloc(n, size); }
void *realloc(void *old, size_t n) { return fails(fault.memory) ? none() : __libc_realloc(old, n); }
void *aligned_alloc(size_t to, size_t n) { return fails(fault.memory) ? none() : __libc_memalign(to, n); }
int posix_memalign(void **out, size_t to, size_t n) {
  if (fails(fault.memory)) return ENOMEM;
  *out = __libc_memalign(to, n);
  return *out ? 0 : ENOMEM;
}

/* ---- OpenCL --------------------------------------------------------------------------------------------------------------------- */

static void *find(const char *name) {
  void *f = dlsym(RTLD_NEXT, name);
  if (!f) _exit(99);
  return f;
}

/* Calls that return a status, and calls that return an object and set the status through their last argument. */
#define STATUS(name, types, names)                                                                           \
  cl_int CL_API_CALL name types {                                                                            \
    cl_int(*real) types;                                                                                     \
    *(void **)&real = find(#name);                                                                           \
    return fails(fault.opencl) ? CL_OUT_OF_RESOURCES : real names;                                           \
  }
#define OBJECT(type, name, types, names)                                                                     \
  type CL_API_CALL name types {                                                                              \
    type(*real) types;                                                                                       \
    *(void **)&real = find(#name);                                                                           \
    if (!fails(fault.opencl)) return real names;                                                             \
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
STATUS(clGetDeviceInfo, (cl_device_id d, cl_device_info what, INFO), (d, what, INFOS))
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

/* ---- main ----------------------------------------------------------------------------------------------------------------------- */

typedef int main_function(int, char **, char **);
static main_function *real_main;

static void save(const char *path, const void *bytes, size_t n) {
  int fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
  if (fd < 0) return;
  if (write(fd, bytes, n) != (ssize_t)n) _exit(98);
  close(fd);
}

static void save_count(void) {
  char text[32];
  long count = atomic_load(&fault.count);
  int n = snprintf(text, sizeof text, "%ld\n", count);
  save(getenv("FAULTS_COUNT"), text, (size_t)n);
  if (fault.site)
    save(getenv("FAULTS_SITES"), sites, sizeof *sites * (size_t)(count < MOST_CALLS ? count : MOST_CALLS));
}

static int counted_main(int argc, char **argv, char **environment) {
  const char *kind = getenv("FAULTS_KIND"), *at = getenv("FAULTS_AT"), *program = getenv("FAULTS_PROGRAM");
  bool wanted = program && strcmp(program, program_invocation_short_name) == 0;
  if (!wanted || !kind) return real_main(argc, argv, environment);
  fault.memory = strcmp(kind, "memory") == 0;
  fault.opencl = strcmp(kind, "opencl") == 0;
  fault.stay = getenv("FAULTS_STAY") != NULL;
  fault.at = at ? strtol(at, NULL, 10) : 0;
  fault.site = getenv("FAULTS_SITES") ? sites : NULL;
  atomic_store(&fault.on, true);
  int status = real_main(argc, argv, environment);
  fflush(NULL);
  atomic_store(&fault.on, false);
  save_count();
  return status;
}

int __libc_start_main(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
int __libc_start_main(main_function *start, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end) {
  int (*real)(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
  *(void **)&real = find("__libc_start_main");
  real_main = start;
  return real(counted_main, argc, argv, init, fini, rtld_fini, stack_end);
}
