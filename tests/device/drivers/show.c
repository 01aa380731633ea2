/* What a driver gets wrong, in a kernel of a few lines, and that Edgewise keeps clear of it.
 *
 *   show KERNEL.cl known|clear     on every OpenCL device that is found
 *
 * Each kernel `show` of such a file maps in[k] = 64 + k, k < 64, to out[k] as expected() says. `known`: built as it is; tells which
 * drivers get it wrong, and fails if one does of which dev_known_fault knows nothing. `clear`: built by the device layer, with the
 * options for that driver; fails if any is wrong. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "device/device.h"

enum { ITEMS = 64 };

static int expected(int k) { return k == 1 ? 10 : k == 16 ? 11 : 15; }

static int count_wrong(const int *out) {
  int wrong = 0;
  for (int k = 0; k < ITEMS; k++) wrong += out[k] != expected(k);
  return wrong;
}

static char *read_text(const char *path) {
  FILE *f = fopen(path, "r");
  char *text = f ? calloc(1, 100000) : NULL;
  if (text && fread(text, 1, 99999, f) == 0) free(text), text = NULL;
  if (f) fclose(f);
  return text;
}

/* -1: it does not build or run. */
static int wrong_as_it_is(cl_device_id device, const char *text, const int *in) {
  int out[ITEMS] = {0}, wrong = -1;
  size_t items = ITEMS;
  cl_context c = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  cl_command_queue q = c ? clCreateCommandQueue(c, device, 0, NULL) : NULL;
  cl_program p = q ? clCreateProgramWithSource(c, 1, &text, NULL, NULL) : NULL;
  cl_kernel k = NULL;
  if (p && clBuildProgram(p, 1, &device, "", NULL, NULL) == CL_SUCCESS) k = clCreateKernel(p, "show", NULL);
  cl_mem a = k ? clCreateBuffer(c, CL_MEM_COPY_HOST_PTR, sizeof out, (void *)in, NULL) : NULL;
  cl_mem b = a ? clCreateBuffer(c, CL_MEM_READ_WRITE, sizeof out, NULL, NULL) : NULL;
  if (b && clSetKernelArg(k, 0, sizeof a, &a) == CL_SUCCESS &&
      clSetKernelArg(k, 1, sizeof b, &b) == CL_SUCCESS &&
      clEnqueueNDRangeKernel(q, k, 1, NULL, &items, NULL, 0, NULL, NULL) == CL_SUCCESS &&
      clEnqueueReadBuffer(q, b, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL) == CL_SUCCESS)
    wrong = count_wrong(out);
  if (b) clReleaseMemObject(b);
  if (a) clReleaseMemObject(a);
  if (k) clReleaseKernel(k);
  if (p) clReleaseProgram(p);
  if (q) clReleaseCommandQueue(q);
  if (c) clReleaseContext(c);
  return wrong;
}

static bool known(const char *text, const int *in) {
  cl_platform_id platform[16];
  cl_uint n = 0;
  bool good = clGetPlatformIDs(16, platform, &n) == CL_SUCCESS && n > 0;
  for (cl_uint i = 0; i < n && i < 16; i++) {
    cl_device_id device;
    dev_info info = {.language = DEV_OPENCL_C};
    if (clGetDeviceIDs(platform[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS) continue;
    clGetPlatformInfo(platform[i], CL_PLATFORM_NAME, sizeof info.platform, info.platform, NULL);
    int wrong = wrong_as_it_is(device, text, in);
    const dev_fault *fault = dev_known_fault(&info);
    printf("%s: %d of %d wrong%s%s\n", info.platform, wrong, ITEMS, fault ? "; known: " : "",
           fault ? fault->what : "");
    if (wrong != 0 && !fault) good = false;
  }
  return good;
}

static ew_status run_on(dev_context *device, const char *text, const int *in, int *out, ew_error *err) {
  ew_status status;
  dev_program *p = NULL;
  dev_kernel *k = NULL;
  dev_buffer *a = NULL, *b = NULL;
  EW_CHECK(dev_program_create(device, "show", text, "", &p, err));
  EW_CHECK(dev_kernel_create(p, "show", &k, err));
  EW_CHECK(dev_buffer_upload(device, "in", in, sizeof(int) * ITEMS, &a, err));
  EW_CHECK(dev_buffer_create(device, "out", sizeof(int) * ITEMS, &b, err));
  EW_CHECK(dev_kernel_set_buffer(k, 0, a, err));
  EW_CHECK(dev_kernel_set_buffer(k, 1, b, err));
  EW_CHECK(dev_kernel_launch(k, ITEMS, 0, err));
  EW_CHECK(dev_buffer_read(b, 0, sizeof(int) * ITEMS, out, err));
cleanup:
  dev_buffer_destroy(&a);
  dev_buffer_destroy(&b);
  dev_kernel_destroy(&k);
  dev_program_destroy(&p);
  return status;
}

static bool clear(const char *text, const int *in) {
  ew_error err = {0};
  dev_list *list = NULL;
  bool good = dev_list_create(&list, &err) == EW_OK && list->opencl_platforms > 0;
  for (size_t i = 0; good && i < list->count; i++) {
    char spec[16];
    int out[ITEMS] = {0};
    dev_context *device = NULL;
    const dev_info *d = &list->items[i];
    if (d->language != DEV_OPENCL_C || d->model || !d->fp64) continue;
    snprintf(spec, sizeof spec, "%d", d->index);
    good = dev_context_create(spec, &device, &err) == EW_OK && run_on(device, text, in, out, &err) == EW_OK &&
           count_wrong(out) == 0;
    printf("%s: %d of %d wrong %s\n", d->platform, count_wrong(out), ITEMS, err.text);
    dev_context_destroy(&device);
  }
  dev_list_destroy(&list);
  return good;
}

int main(int argc, char **argv) {
  int in[ITEMS];
  for (int k = 0; k < ITEMS; k++) in[k] = 64 + k;
  char *text = argc == 3 ? read_text(argv[1]) : NULL;
  if (!text) return fprintf(stderr, "usage: show KERNEL.cl known|clear\n"), 2;
  bool good = strcmp(argv[2], "clear") == 0 ? clear(text, in) : known(text, in);
  free(text);
  return good ? 0 : 1;
}
