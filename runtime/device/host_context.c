#include "device/host_internal.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/memory_text.h"
#include "device/pages.h"

/* ---- The machine ---- */

static uint64_t positive(long value) { return value > 0 ? (uint64_t)value : 0; }

/* The system's own table first: in a virtual machine sysconf may see the whole socket's cache. */
static uint64_t cache_bytes(void) {
  unsigned long kib = 0;
  FILE *file = fopen("/sys/devices/system/cpu/cpu0/cache/index3/size", "r");
  if (file && fscanf(file, "%luK", &kib) != 1) kib = 0;
  if (file) fclose(file);
  if (kib) return (uint64_t)kib << 10;
  uint64_t l3 = positive(sysconf(_SC_LEVEL3_CACHE_SIZE));
  return l3 ? l3 : positive(sysconf(_SC_LEVEL2_CACHE_SIZE));
}

/* Those this process may run on: a container or taskset leaves fewer than are online. */
static uint32_t usable_cores(void) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return (uint32_t)CPU_COUNT(&set);
  return (uint32_t)positive(sysconf(_SC_NPROCESSORS_ONLN));
}

static bool names_instruction_set(const char *line) {
  static const char *const keys[] = {"vendor_id", "model name",      "cpu family", "model\t", "flags",
                                     "Features",  "CPU implementer", "CPU part",   "isa"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (strncmp(line, keys[i], strlen(keys[i])) == 0) return true;
  return false;
}

/* The first processor's identity and flags, on which -march=native depends. The model's name alone will not
 * do: virtual machines give the same name to different processors. */
static char *read_processor(void) {
  char *line = NULL;
  size_t capacity = 0;
  memory_text text;
  FILE *in = fopen("/proc/cpuinfo", "r"), *out = memory_text_open(&text);
  while (in && out && getline(&line, &capacity, in) > 0 && line[0] != '\n')
    if (names_instruction_set(line)) fputs(line, out);
  free(line);
  if (in) fclose(in);
  return memory_text_close(&text);
}

static void read_model(char *name, size_t size) {
  char *processor = read_processor();
  char *line = processor ? strstr(processor, "model name") : NULL;
  char *value = line ? strchr(line, ':') : NULL;
  if (value) value[strcspn(value, "\n")] = '\0';
  snprintf(name, size, "host C, %s", value ? value + 2 : "unknown processor");
  free(processor);
}

ew_status host_list_append(dev_list *list, ew_error *err) {
  dev_info info = {.type = DEV_HOST,
                   .language = DEV_C,
                   .name = "c",
                   .fp64 = true,
                   .memory_bytes = ew_machine_memory(),
                   .max_alloc_bytes = ew_machine_memory(),
                   .cache_bytes = cache_bytes(),
                   .compute_units = 1,
                   .max_work_group = 1};
  snprintf(info.driver, sizeof info.driver, "%s", host_compiler());
  read_model(info.platform, sizeof info.platform);
  ew_status status = dev_list_add(list, &info, err);
  if (status != EW_OK) return status;
  info.language = DEV_C_OPENMP;
  info.compute_units = usable_cores();
  snprintf(info.name, sizeof info.name, "c-openmp");
  return dev_list_add(list, &info, err);
}

/* ---- Buffers ---- */

static ew_status host_buffer_open(dev_buffer *b, ew_error *err) {
  uint64_t memory = b->ctx->info.memory_bytes;
  errno = ENOMEM; /* more than the machine has would be granted and fail when touched */
  b->handle = b->bytes <= memory ? pages_create(b->bytes) : NULL;
  if (!b->handle)
    return ew_fail(
        err, EW_DEVICE,
        "mmap: %s: buffer '%s' of %.3f GiB on %s, which has %.3f GiB in all; this run already holds %.3f "
        "GiB.\nhint: a smaller mesh, or a machine with more memory",
        strerror(errno), b->name, (double)b->bytes / 0x1p30, b->ctx->info.name, (double)memory / 0x1p30,
        (double)b->ctx->stats.device_bytes / 0x1p30);
  return EW_OK;
}

static void host_buffer_close(dev_buffer *b) { pages_free(b->handle, b->bytes); }

static char *at(const dev_buffer *b, uint64_t offset) { return (char *)b->handle + offset; }

static ew_status host_write(dev_buffer *b, uint64_t offset, uint64_t bytes, const void *source,
                            void **pending, ew_error *err) {
  (void)pending, (void)err;
  memcpy(at(b, offset), source, (size_t)bytes);
  return EW_OK;
}

static ew_status host_read(const dev_buffer *b, uint64_t offset, uint64_t bytes, void *target, void **pending,
                           ew_error *err) {
  (void)pending, (void)err;
  memcpy(target, at(b, offset), (size_t)bytes);
  return EW_OK;
}

static ew_status host_map(dev_buffer *b, bool write, void **memory, ew_error *err) {
  (void)write, (void)err;
  *memory = b->handle;
  return EW_OK;
}

static ew_status host_unmap(dev_buffer *b, void *memory, ew_error *err) {
  (void)b, (void)memory, (void)err;
  return EW_OK;
}

static ew_status host_copy(dev_buffer *target, uint64_t target_offset, const dev_buffer *source,
                           uint64_t source_offset, uint64_t bytes, ew_error *err) {
  (void)err;
  memcpy(at(target, target_offset), at(source, source_offset), (size_t)bytes);
  return EW_OK;
}

static ew_status host_fill(dev_buffer *b, uint64_t offset, uint64_t bytes, const void *pattern,
                           size_t pattern_bytes, ew_error *err) {
  (void)err;
  for (uint64_t i = 0; i < bytes; i += pattern_bytes) memcpy(at(b, offset + i), pattern, pattern_bytes);
  return EW_OK;
}

/* ---- Everything is over when its call returns ---- */

static ew_status host_wait(dev_context *ctx, void *pending, ew_error *err) {
  (void)ctx, (void)pending, (void)err;
  return EW_OK;
}

static ew_status host_settle(dev_context *ctx, ew_error *err) {
  (void)ctx, (void)err;
  return EW_OK;
}

static ew_status host_set_profiling(dev_context *ctx, bool on, ew_error *err) {
  (void)ctx, (void)on, (void)err;
  return EW_OK;
}

static void host_close(dev_context *ctx) { (void)ctx; }

static void host_kernel_close(dev_kernel *kernel) { (void)kernel; }

static ew_status host_set_arg(dev_kernel *kernel, unsigned position, const dev_arg *arg, ew_error *err) {
  (void)kernel, (void)position, (void)arg, (void)err;
  return EW_OK;
}

static const dev_backend host_backend = {
    .close = host_close,
    .flush = host_settle,
    .finish = host_settle,
    .set_profiling = host_set_profiling,
    .buffer_open = host_buffer_open,
    .buffer_close = host_buffer_close,
    .write = host_write,
    .read = host_read,
    .map = host_map,
    .unmap = host_unmap,
    .copy = host_copy,
    .fill = host_fill,
    .wait = host_wait,
    .build = host_build,
    .load = host_load,
    .program_close = host_program_close,
    .kernel_open = host_kernel_open,
    .kernel_close = host_kernel_close,
    .set_arg = host_set_arg,
    .launch = host_launch,
    .drain_profile = host_settle,
};

/* What decides a binary besides source and options: the compiler's command and the processor. */
static char *read_target(void) {
  char *processor = read_processor(), *target = NULL;
  if (processor && asprintf(&target, "%s\n%s", host_compiler(), processor) < 0) target = NULL;
  free(processor);
  return target;
}

/* Buffers alone. */
ew_status host_reference_open(dev_context *ctx, ew_error *err) {
  ctx->backend = &host_backend;
  ctx->info = (dev_info){.index = -1,
                         .type = DEV_HOST,
                         .language = DEV_REFERENCE,
                         .platform = "the reference interpreter",
                         .name = "reference",
                         .fp64 = true,
                         .memory_bytes = ew_machine_memory(),
                         .max_alloc_bytes = ew_machine_memory(),
                         .compute_units = 1,
                         .max_work_group = 1};
  ctx->target = strdup("reference");
  return ctx->target ? EW_OK : dev_out_of_memory(err, "a device context");
}

ew_status host_context_open(dev_context *ctx, ew_error *err) {
  ctx->backend = &host_backend;
  ctx->target = read_target();
  if (!ctx->target) return dev_out_of_memory(err, "a device context");
  return host_compiler_version(ctx->info.driver, sizeof ctx->info.driver, err);
}
