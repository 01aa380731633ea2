#include "device/cl_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dslc.h"

static const char *const fixed_options = "-cl-std=CL1.2";

static char *full_options(const cl_state *s, const char *options) {
  size_t size = strlen(fixed_options) + 1 + strlen(s->fault_options) + 1 + strlen(options) + 1;
  char *text = malloc(size);
  if (text) snprintf(text, size, "%s %s %s", fixed_options, s->fault_options, options);
  return text;
}

/* NULL if the driver has none to give. */
static char *read_log(cl_program program, cl_device_id device) {
  size_t size = 0;
  if (clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) != CL_SUCCESS) return NULL;
  char *log = calloc(1, size + 1);
  if (log && size) clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log, NULL);
  return log;
}

/* Left empty if the driver does not hand out binaries: then nothing is cached. */
static void read_binary(cl_program program, dev_blob *binary) {
  size_t size = 0;
  if (clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL) != CL_SUCCESS || !size)
    return;
  unsigned char *data = malloc(size);
  if (data && clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof data, &data, NULL) == CL_SUCCESS)
    *binary = (dev_blob){data, size};
  else free(data);
}

/* PoCL 3.1: of several processes that build one program at one time, now and then one loses the race for the files of PoCL's cache,
 * and fails without a word of the compiler. */
static bool says_why(const char *log) { return log && strstr(log, "error"); }

static cl_int build_once(const cl_state *s, const char *source, const char *options, cl_program *built,
                         char **log) {
  cl_int code = CL_SUCCESS;
  *log = NULL;
  *built = clCreateProgramWithSource(s->context, 1, &source, NULL, &code);
  if (code != CL_SUCCESS) return code;
  code = clBuildProgram(*built, 1, &s->device, options, NULL, NULL);
  *log = read_log(*built, s->device);
  if (code != CL_SUCCESS) clReleaseProgram(*built);
  return code;
}

static ew_status fail_build(dev_program *program, const dev_build_request *request, cl_int code,
                            ew_error *err) {
  ew_status status = EW_DEVICE;
  const dslc_execution *e = request->compiled ? &request->compiled->execution : NULL;
  for (int i = 0; e && i < e->n_kernels; i++)
    if (cl_fail_arguments(program->ctx, e->kernel[i].name, (unsigned)e->kernel[i].n_args, &status, err))
      return status;
  return cl_fail(program->ctx, code, "clBuildProgram", "program", program->name, err);
}

ew_status cl_build(dev_program *program, const dev_build_request *request, dev_blob *binary, char **log,
                   ew_error *err) {
  enum { TRIES = 5, PAUSE_MS = 20 };
  const cl_state *s = cl_state_of(program->ctx);
  char *options = full_options(s, request->options);
  if (!options) return dev_out_of_memory(err, "build options");
  cl_program built = NULL;
  cl_int code = build_once(s, request->source, options, &built, log);
  for (long i = 1; i < TRIES && code == CL_BUILD_PROGRAM_FAILURE && !says_why(*log); i++) {
    nanosleep(&(struct timespec){0, i * PAUSE_MS * 1000000}, NULL);
    free(*log);
    code = build_once(s, request->source, options, &built, log);
  }
  free(options);
  if (code != CL_SUCCESS) return fail_build(program, request, code, err);
  read_binary(built, binary);
  program->handle = built;
  return EW_OK;
}

bool cl_load(dev_program *program, const dev_build_request *request, const dev_blob *binary,
             const char *path) {
  (void)path;
  const cl_state *s = cl_state_of(program->ctx);
  const unsigned char *data = binary->data;
  cl_int code = CL_SUCCESS, binary_code = CL_SUCCESS;
  char *options = full_options(s, request->options);
  if (!options) return false;
  cl_program loaded =
      clCreateProgramWithBinary(s->context, 1, &s->device, &binary->size, &data, &binary_code, &code);
  if (code == CL_SUCCESS && binary_code == CL_SUCCESS)
    code = clBuildProgram(loaded, 1, &s->device, options, NULL, NULL);
  free(options);
  if (code == CL_SUCCESS && binary_code == CL_SUCCESS) return program->handle = loaded, true;
  if (loaded) clReleaseProgram(loaded);
  return false;
}

void cl_program_close(dev_program *program) { clReleaseProgram(program->handle); }
