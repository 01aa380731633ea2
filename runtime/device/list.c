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
  items[list->count].index = items[list->count].found = (int)list->count;
  list->count++;
  return EW_OK;
}

static int kind_of(const dev_info *d) { return d->type == DEV_GPU ? 0 : d->type == DEV_CPU ? 1 : 2; }

static int by_order(const void *a, const void *b) {
  const dev_info *x = a, *y = b;
  int order = kind_of(x) - kind_of(y);
  if (!order) order = y->fp64 - x->fp64;
  if (!order) order = strcasecmp(x->platform, y->platform);
  if (!order) order = strcasecmp(x->name, y->name);
  if (!order) order = strcmp(x->driver, y->driver);
  return order ? order : x->found - y->found;
}

/* The ICD loader takes the files of a folder as the folder has them: the same machine, installed anew, would have another default. */
void dev_list_sort(dev_list *list) {
  if (list->count) qsort(list->items, list->count, sizeof *list->items, by_order);
  for (size_t i = 0; i < list->count; i++) list->items[i].index = (int)i;
}

static bool is_host_name(const char *spec) {
  static const char *const names[] = {"c", "c-openmp", "model", "model-gpu"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcasecmp(spec, names[i]) == 0) return true;
  return false;
}

/* EDGEWISE_FP64=off: OpenCL devices pass for such that have none. */
static void hide_fp64(dev_list *list) {
  const char *text = getenv("EDGEWISE_FP64");
  const bool hide = text && strcasecmp(text, "off") == 0;
  for (size_t i = 0; i < list->count && hide; i++)
    if (list->items[i].language == DEV_OPENCL_C) list->items[i].fp64 = false;
}

ew_status dev_list_create(dev_list **out, ew_error *err) { return dev_list_create_for(NULL, out, err); }

ew_status dev_list_create_for(const char *spec, dev_list **out, ew_error *err) {
  ew_status status = EW_OK;
  dev_list *list = calloc(1, sizeof *list);
  if (!list) return dev_out_of_memory(err, "the list of devices");
  if (!spec || !is_host_name(spec)) EW_CHECK(cl_list_append(list, err)); /* loads all drivers there are */
  dev_list_sort(list);
  EW_CHECK(host_list_append(list, err));
  EW_CHECK(model_list_append(list, err));
  hide_fp64(list);
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

/* A driver's: the model machine reads OpenCL C as well. */
static bool is_opencl(const dev_info *d) { return d->language == DEV_OPENCL_C && !d->model; }

static bool contains(const char *text, const char *part) { return strcasestr(text, part) != NULL; }

/* What people call platforms that give themselves another name. */
static const char *platform_name(const char *spec) {
  static const char *const called[][2] = {{"pocl", "Portable Computing Language"},
                                          {"rocm", "AMD Accelerated Parallel Processing"}};
  for (size_t i = 0; i < sizeof called / sizeof *called; i++)
    if (strcasecmp(spec, called[i][0]) == 0) return called[i][1];
  return spec;
}

static bool matches_text(const dev_info *d, const char *spec) {
  if (!is_opencl(d)) return strcasecmp(spec, d->name) == 0;
  if (strcasecmp(spec, "gpu") == 0) return d->type == DEV_GPU;
  if (strcasecmp(spec, "cpu") == 0) return d->type == DEV_CPU;
  return contains(d->name, spec) || contains(d->platform, platform_name(spec));
}

/* The devices that `spec` names, or all if it is NULL, one a line. */
static void describe(const dev_list *list, const char *spec, char *text, size_t size) {
  size_t used = 0;
  text[0] = '\0';
  for (size_t i = 0; i < list->count && used < size; i++) {
    const dev_info *d = &list->items[i];
    if (spec && !matches_text(d, spec)) continue;
    int n = snprintf(text + used, size - used, "\n  %d  %s  %s (%s%s)", d->index, dev_type_name(d->type),
                     d->name, d->platform, d->fp64 ? "" : ", no fp64");
    if (n < 0) return;
    used += (size_t)n;
  }
}

/* What is not there may be what a driver did not tell of. */
static ew_status fail_refused(const dev_list *list, const char *spec, ew_error *err) {
  char devices[3000];
  describe(list, NULL, devices, sizeof devices);
  return ew_fail(err, EW_DEVICE,
                 "no device %s%s for certain: a driver refused to tell of its own: %s; there are:%s\n"
                 "hint: `edgewise doctor` asks the drivers one by one; `--device c` needs none",
                 *spec ? "matches " : "has fp64 (cl_khr_fp64)", spec, list->refused, devices);
}

static ew_status fail_no_driver(ew_error *err) {
  return ew_fail(
      err, EW_DEVICE,
      "no OpenCL driver is installed (clGetPlatformIDs: CL_PLATFORM_NOT_FOUND_KHR, -1001).\n"
      "hint: for the CPU install the Debian package pocl-opencl-icd, for a GPU its vendor's driver; or "
      "use `--device c`, which needs none");
}

static ew_status fail_ambiguous(const dev_list *list, const char *spec, ew_error *err) {
  char devices[3000];
  describe(list, spec, devices, sizeof devices);
  return ew_fail(err, EW_USAGE,
                 "several devices match '%s':%s\nhint: give its index, or more of its name or its platform's",
                 spec, devices);
}

/* Without any driver it is the driver that may be missing, as well as the name that may be wrong. */
static ew_status fail_unknown(const dev_list *list, const char *spec, ew_error *err) {
  char devices[3000];
  describe(list, NULL, devices, sizeof devices);
  return ew_fail(
      err, EW_USAGE,
      "no device matches '%s'; there are:%s\nhint: give an index, `cpu`, `gpu`, `c`, `c-openmp`, "
      "`model`, of a case also `reference`, or a part of a name%s",
      spec, devices,
      list->opencl_platforms ? "" : "; no OpenCL driver is installed, without which there are no others");
}

static bool is_whole_name(const dev_info *d, const char *spec) {
  return strcasecmp(spec, d->name) == 0 || strcasecmp(platform_name(spec), d->platform) == 0;
}

static bool same_kind(const dev_info *a, const dev_info *b) {
  return strcmp(a->name, b->name) == 0 && strcmp(a->platform, b->platform) == 0 &&
         strcmp(a->driver, b->driver) == 0;
}

/* How well a device fits a spec: 0 not at all, then by a part, by a whole name, and the host's devices by their exact names. A device
 * that cannot compute in fp64 fits only where no other does. */
static int fit(const dev_info *d, const char *spec) {
  if (!matches_text(d, spec)) return 0;
  if (!is_opencl(d)) return 4;
  return !d->fp64 ? 1 : is_whole_name(d, spec) ? 3 : 2;
}

/* The first that fits best; *several: another one, of another kind, fits as well. */
static bool find_by_text(const dev_list *list, const char *spec, size_t *position, bool *several) {
  int best = 0;
  *several = false;
  for (size_t i = 0; i < list->count; i++) {
    int how = fit(&list->items[i], spec);
    if (how > best) best = how, *position = i, *several = false;
    else if (how && how == best && !same_kind(&list->items[i], &list->items[*position])) *several = true;
  }
  return best > 0;
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
  if (*list->refused) return fail_refused(list, "", err);
  describe(list, NULL, devices, sizeof devices);
  return ew_fail(
      err, EW_DEVICE,
      "no OpenCL device has fp64 (cl_khr_fp64); there are:%s\nhint: use `--device c`, or name one of them, "
      "which then computes in double-single numbers (some 14 digits)",
      devices);
}

/* No spec, or one that says no more than that a driver is wanted. */
static bool is_any_of_drivers(const char *spec) {
  return !spec || !*spec || strcasecmp(spec, "cpu") == 0 || strcasecmp(spec, "gpu") == 0;
}

static bool is_number(const char *spec) { return spec[strspn(spec, "0123456789")] == '\0'; }

ew_status dev_list_choose(const dev_list *list, const char *spec, size_t *position, ew_error *err) {
  if (list->opencl_platforms == 0 && !*list->refused && is_any_of_drivers(spec)) return fail_no_driver(err);
  if (!spec || !*spec) return choose_default(list, position, err);
  bool several = false;
  if (spec[strspn(spec, " \t")] == '\0')
    return fail_unknown(list, spec, err); /* names have blanks: all would do */
  bool found =
      is_number(spec) ? find_by_index(list, spec, position) : find_by_text(list, spec, position, &several);
  if (!found) return *list->refused ? fail_refused(list, spec, err) : fail_unknown(list, spec, err);
  if (several && *list->refused) return fail_refused(list, spec, err);
  if (several) return fail_ambiguous(list, spec, err);
  return EW_OK;
}
