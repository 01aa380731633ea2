#include "device/backend.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *dev_type_name(dev_type type) {
  switch (type) {
  case DEV_CPU: return "CPU";
  case DEV_GPU: return "GPU";
  case DEV_ACCELERATOR: return "accelerator";
  case DEV_HOST: return "host";
  }
  return "unknown";
}

ew_status dev_list_add(dev_list *list, const dev_info *info, ew_error *err) {
  dev_info *items = realloc(list->items, (list->count + 1) * sizeof *items);
  if (!items) return dev_out_of_memory(err, "the list of devices");
  list->items = items;
  items[list->count] = *info;
  items[list->count].index = (int)list->count;
  list->count++;
  return EW_OK;
}

ew_status dev_list_create(dev_list **out, ew_error *err) {
  ew_status status = EW_OK;
  dev_list *list = calloc(1, sizeof *list);
  if (!list) return dev_out_of_memory(err, "the list of devices");
  EW_CHECK(cl_list_append(list, err));
  EW_CHECK(host_list_append(list, err));
  EW_CHECK(model_list_append(list, err));
  *out = list;
  list = NULL;
cleanup:
  dev_list_destroy(&list);
  return status;
}

void dev_list_destroy(dev_list **list) {
  if (!list || !*list) return;
  free((*list)->items);
  free(*list);
  *list = NULL;
}

/* Everything a spec can name, one device a line. */
static void describe(const dev_list *list, char *text, size_t size) {
  size_t used = 0;
  text[0] = '\0';
  for (size_t i = 0; i < list->count && used < size; i++) {
    const dev_info *d = &list->items[i];
    int n = snprintf(text + used, size - used, "\n  %d  %s  %s (%s%s)", d->index, dev_type_name(d->type),
                     d->name, d->platform, d->fp64 ? "" : ", no fp64");
    if (n < 0) return;
    used += (size_t)n;
  }
}

static ew_status fail_no_driver(ew_error *err) {
  return ew_fail(
      err, EW_DEVICE,
      "no OpenCL driver is installed (clGetPlatformIDs: CL_PLATFORM_NOT_FOUND_KHR, -1001).\n"
      "hint: for the CPU install the Debian package pocl-opencl-icd, for a GPU its vendor's driver; or "
      "use `--device c`, which needs none");
}

static ew_status fail_unknown(const dev_list *list, const char *spec, ew_error *err) {
  char devices[3000];
  describe(list, devices, sizeof devices);
  return ew_fail(
      err, EW_USAGE,
      "no device matches '%s'; there are:%s\nhint: give an index, `cpu`, `gpu`, `c`, `c-openmp`, `model`, or a part "
      "of a name",
      spec, devices);
}

/* A driver's: the model machine reads OpenCL C as well. */
static bool is_opencl(const dev_info *d) { return d->language == DEV_OPENCL_C && !d->model; }

static bool contains(const char *text, const char *part) { return strcasestr(text, part) != NULL; }

static bool matches_text(const dev_info *d, const char *spec) {
  if (!is_opencl(d)) return strcasecmp(spec, d->name) == 0;
  if (strcasecmp(spec, "gpu") == 0) return d->type == DEV_GPU;
  if (strcasecmp(spec, "cpu") == 0) return d->type == DEV_CPU;
  return contains(d->name, spec) || contains(d->platform, spec);
}

/* The host's devices are found by their exact names before any part of another device's name. */
static bool find_by_text(const dev_list *list, const char *spec, size_t *position) {
  size_t best = list->count;
  for (size_t i = 0; i < list->count; i++) {
    const dev_info *d = &list->items[i];
    if (!is_opencl(d) && matches_text(d, spec)) return *position = i, true;
    if (!matches_text(d, spec)) continue;
    if (best == list->count || (d->fp64 && !list->items[best].fp64)) best = i;
  }
  *position = best;
  return best < list->count;
}

static bool find_by_index(const dev_list *list, const char *spec, size_t *position) {
  char *end = NULL;
  unsigned long long index = strtoull(spec, &end, 10);
  if (!isdigit((unsigned char)spec[0]) || *end) return false;
  *position = (size_t)index;
  return index < list->count;
}

/* The first GPU with fp64, else the first other OpenCL device with fp64. */
static bool find_default(const dev_list *list, size_t *position) {
  for (int gpu = 1; gpu >= 0; gpu--)
    for (size_t i = 0; i < list->count; i++) {
      const dev_info *d = &list->items[i];
      if (is_opencl(d) && d->fp64 && (d->type == DEV_GPU) == (gpu == 1)) return *position = i, true;
    }
  return false;
}

static ew_status choose_default(const dev_list *list, size_t *position, ew_error *err) {
  char devices[3000];
  if (find_default(list, position)) return EW_OK;
  describe(list, devices, sizeof devices);
  return ew_fail(err, EW_DEVICE,
                 "no OpenCL device has fp64 (cl_khr_fp64); there are:%s\nhint: use `--device c`", devices);
}

static bool is_host_name(const char *spec) {
  static const char *const names[] = {"c", "c-openmp", "model", "model-gpu"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcasecmp(spec, names[i]) == 0) return true;
  return false;
}

static bool is_number(const char *spec) { return spec[strspn(spec, "0123456789")] == '\0'; }

ew_status dev_list_choose(const dev_list *list, const char *spec, size_t *position, ew_error *err) {
  bool by_default = !spec || !*spec;
  if (list->opencl_platforms == 0 && (by_default || (!is_host_name(spec) && !is_number(spec))))
    return fail_no_driver(err);
  if (by_default) return choose_default(list, position, err);
  bool found = is_number(spec) ? find_by_index(list, spec, position) : find_by_text(list, spec, position);
  if (!found) return fail_unknown(list, spec, err);
  const dev_info *d = &list->items[*position];
  if (!d->fp64)
    return ew_fail(err, EW_DEVICE,
                   "device '%s' (%s, driver %s) has no fp64 (cl_khr_fp64), which Edgewise computes in.\n"
                   "hint: choose another one; `edgewise devices` lists them, `c` and `c-openmp` always work",
                   d->name, d->platform, d->driver);
  return EW_OK;
}
