#include "device/backend.h"

#include <dirent.h>
#include <limits.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/cache.h"
#include "device/host_internal.h"
#include "self_test_cl.h"
#include "self_test_host_c.h"

/* ---- The list ---- */

static ew_status add(dev_checks *checks, const dev_check *check, ew_error *err) {
  dev_check *items = realloc(checks->items, (checks->count + 1) * sizeof *items);
  if (!items) return dev_out_of_memory(err, "the list of checks");
  checks->items = items;
  items[checks->count++] = *check;
  return EW_OK;
}

__attribute__((format(printf, 4, 5))) static void set(dev_check *check, dev_check_level level,
                                                      const char *hint, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(check->text, sizeof check->text, fmt, ap);
  va_end(ap);
  check->level = level;
  snprintf(check->hint, sizeof check->hint, "%s", hint);
}

void dev_checks_destroy(dev_checks **checks) {
  if (!checks || !*checks) return;
  free((*checks)->items);
  free(*checks);
  *checks = NULL;
}

/* ---- Drivers ---- */

static const char *const driver_hint = "for the CPU install the Debian package pocl-opencl-icd, for a GPU "
                                       "its vendor's driver; `--device c` needs none";

static bool ends_with(const char *text, const char *end) {
  size_t n = strlen(text), m = strlen(end);
  return n >= m && strcmp(text + n - m, end) == 0;
}

/* The folder's *.icd names, separated by blanks; returns how many. */
static int list_icd_files(const char *folder, char *text, size_t size) {
  int count = 0;
  DIR *dir = opendir(folder);
  text[0] = '\0';
  if (!dir) return 0;
  for (struct dirent *e = readdir(dir); e; e = readdir(dir)) {
    size_t used = strlen(text);
    if (!ends_with(e->d_name, ".icd")) continue;
    snprintf(text + used, size - used, "%s%.60s", count ? " " : "", e->d_name);
    count++;
  }
  closedir(dir);
  return count;
}

static void check_drivers(dev_check *c, const dev_list *list) {
  const char *own = getenv("OCL_ICD_VENDORS"), *folder = own && *own ? own : "/etc/OpenCL/vendors";
  char files[256];
  int count = list_icd_files(folder, files, sizeof files);
  snprintf(c->what, sizeof c->what, "OpenCL drivers");
  if (list->opencl_platforms > 0)
    set(c, DEV_CHECK_OK, "", "the ICD loader finds %zu platform%s (%s: %s)", list->opencl_platforms,
        list->opencl_platforms == 1 ? "" : "s", folder, count ? files : "no .icd files");
  else if (count)
    set(c, DEV_CHECK_FAIL, "the driver's library is missing or broken: reinstall it",
        "%s has %s, but none of them loads", folder, files);
  else set(c, DEV_CHECK_FAIL, driver_hint, "none installed: no .icd file in %s", folder);
}

static void check_default(dev_check *c, const dev_list *list) {
  size_t position = 0;
  ew_error err = {EW_OK, ""};
  snprintf(c->what, sizeof c->what, "default device");
  if (dev_list_choose(list, NULL, &position, &err) == EW_OK) {
    const dev_info *d = &list->items[position];
    set(c, DEV_CHECK_OK, "", "%d: %s (%s)", d->index, d->name, d->platform);
  } else {
    set(c, DEV_CHECK_FAIL, "`--device c` and `--device c-openmp` work without OpenCL", "%.*s",
        (int)strcspn(err.text, "\n"), err.text);
  }
}

/* ---- Host ---- */

static void check_compiler(dev_check *c) {
  char version[128];
  ew_error err = {EW_OK, ""};
  snprintf(c->what, sizeof c->what, "C compiler");
  if (host_compiler_version(version, sizeof version, &err) == EW_OK) set(c, DEV_CHECK_OK, "", "%s", version);
  else
    set(c, DEV_CHECK_WARN, "install the Debian package gcc, or set CC; OpenCL devices do not need it", "%.*s",
        (int)strcspn(err.text, "\n"), err.text);
}

static void check_cache(dev_check *c) {
  char dir[PATH_MAX];
  snprintf(c->what, sizeof c->what, "kernel cache");
  if (!dev_cache_dir(dir, sizeof dir) || !*dir)
    set(c, DEV_CHECK_WARN, "set EDGEWISE_CACHE_DIR, and do not set EDGEWISE_CACHE=off",
        "off: every run compiles its kernels");
  else if (cache_dir_writable(dir)) set(c, DEV_CHECK_OK, "", "%.400s is writable", dir);
  else
    set(c, DEV_CHECK_WARN, "set EDGEWISE_CACHE_DIR to a writable folder",
        "%.400s is not writable: every run compiles its kernels", dir);
}

/* OMP_PROC_BIND=true binds the first thread to one core before main, and PoCL's threads inherit that. */
static void check_cores(dev_check *c) {
  const char *bind = getenv("OMP_PROC_BIND");
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  cpu_set_t set_of_cores;
  snprintf(c->what, sizeof c->what, "processor cores");
  long usable =
      sched_getaffinity(0, sizeof set_of_cores, &set_of_cores) == 0 ? CPU_COUNT(&set_of_cores) : online;
  if (bind && strcmp(bind, "false") != 0)
    set(c, DEV_CHECK_WARN, "unset OMP_PROC_BIND",
        "OMP_PROC_BIND=%s can leave an OpenCL CPU device a single core", bind);
  else if (usable < online)
    set(c, DEV_CHECK_WARN, "unless wanted, look at taskset or the batch system",
        "this process may use %ld of %ld", usable, online);
  else set(c, DEV_CHECK_OK, "", "%ld", online);
}

/* ---- Every device computes ---- */

enum { test_items = 1000 };

typedef struct self_test {
  dev_context *ctx;
  dev_program *program;
  dev_kernel *kernel;
  dev_buffer *x, *y;
  double in[test_items], out[test_items];
} self_test;

static void close_test(self_test *t) {
  dev_kernel_destroy(&t->kernel);
  dev_program_destroy(&t->program);
  dev_buffer_destroy(&t->x);
  dev_buffer_destroy(&t->y);
  dev_context_destroy(&t->ctx);
}

static ew_status run_test(self_test *t, int index, ew_error *err) {
  char spec[16];
  ew_status status = EW_OK;
  snprintf(spec, sizeof spec, "%d", index);
  EW_CHECK(dev_context_create(spec, &t->ctx, err));
  const char *source = dev_get_language(t->ctx) == DEV_OPENCL_C ? self_test_cl : self_test_host_c;
  EW_CHECK(dev_program_create(t->ctx, "self_test", source, "", &t->program, err));
  EW_CHECK(dev_kernel_create(t->program, "self_test", &t->kernel, err));
  EW_CHECK(dev_buffer_create(t->ctx, "x", sizeof t->in, &t->x, err));
  EW_CHECK(dev_buffer_create(t->ctx, "y", sizeof t->out, &t->y, err));
  EW_CHECK(dev_buffer_write(t->x, 0, sizeof t->in, t->in, err));
  EW_CHECK(dev_kernel_set_buffer(t->kernel, 0, t->x, err));
  EW_CHECK(dev_kernel_set_buffer(t->kernel, 1, t->y, err));
  EW_CHECK(dev_kernel_set_f64(t->kernel, 2, 3.0, err));
  EW_CHECK(dev_kernel_set_i32(t->kernel, 3, test_items, err));
  EW_CHECK(dev_kernel_launch(t->kernel, test_items, 0, err));
  EW_CHECK(dev_buffer_read(t->y, 0, sizeof t->out, t->out, err));
cleanup:
  return status;
}

static double right_value(const self_test *t, int i) {
  return 3.0 * t->in[i] + 0x1p-40 * i + ((i & 63) == 1 ? 1 : (i & 63) == 16 ? 2 : 0);
}

/* Index of the first wrong value, or test_items. */
static int first_wrong(const self_test *t) {
  int i = 0;
  while (i < test_items && t->out[i] == right_value(t, i)) i++;
  return i;
}

static void check_device(dev_check *c, const dev_info *d) {
  self_test t = {0};
  ew_error err = {EW_OK, ""};
  for (int i = 0; i < test_items; i++) t.in[i] = 1.0 + i;
  snprintf(c->what, sizeof c->what, "device %d, %.80s", d->index, d->name);
  if (!d->fp64) {
    set(c, DEV_CHECK_WARN, "named, it computes in double-single numbers: two floats each, some 14 digits",
        "%s: no fp64 (cl_khr_fp64)", d->platform);
    return;
  }
  ew_status status = run_test(&t, d->index, &err);
  int wrong = status == EW_OK ? first_wrong(&t) : 0;
  if (status != EW_OK)
    set(c, DEV_CHECK_FAIL, "reinstall or update the driver, or choose another device", "%.500s", err.text);
  else if (wrong < test_items)
    set(c, DEV_CHECK_FAIL, "do not use this device: its driver miscomputes",
        "a test kernel gives %.17g where %.17g is right", t.out[wrong], right_value(&t, wrong));
  else {
    const dev_fault *fault = dev_known_fault(d);
    set(c, DEV_CHECK_OK, fault ? fault->what : "",
        "%s, driver %s, %u compute unit%s, %.1f GiB: fp64 test kernel right", d->platform, d->driver,
        d->compute_units, d->compute_units == 1 ? "" : "s", (double)d->memory_bytes / 0x1p30);
  }
  close_test(&t);
}

/* Without a compiler the host's devices cannot run; check_compiler has said so already. */
static ew_status add_devices(dev_checks *checks, const dev_list *list, bool compiler, ew_error *err) {
  for (size_t i = 0; i < list->count; i++) {
    if (list->items[i].type == DEV_HOST && !compiler) continue;
    dev_check c = {0};
    check_device(&c, &list->items[i]);
    ew_status status = add(checks, &c, err);
    if (status != EW_OK) return status;
  }
  return EW_OK;
}

ew_status dev_doctor(dev_checks **out, ew_error *err) {
  ew_status status = EW_OK;
  dev_list *list = NULL;
  dev_check drivers = {0}, chosen = {0}, compiler = {0}, cache = {0}, cores = {0};
  dev_checks *checks = calloc(1, sizeof *checks);
  if (!checks) return dev_out_of_memory(err, "the list of checks");
  EW_CHECK(dev_list_create(&list, err));
  check_drivers(&drivers, list);
  check_default(&chosen, list);
  check_compiler(&compiler);
  check_cache(&cache);
  check_cores(&cores);
  EW_CHECK(add(checks, &drivers, err));
  EW_CHECK(add(checks, &chosen, err));
  EW_CHECK(add(checks, &compiler, err));
  EW_CHECK(add(checks, &cache, err));
  EW_CHECK(add(checks, &cores, err));
  EW_CHECK(add_devices(checks, list, compiler.level == DEV_CHECK_OK, err));
  *out = checks;
  checks = NULL;
cleanup:
  dev_list_destroy(&list);
  dev_checks_destroy(&checks);
  return status;
}
