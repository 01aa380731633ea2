/* One device, three implementations: OpenCL 1.2 through the ICD loader; `host C`, which compiles kernels given as C text with the
 * system's compiler and loads them with dlopen (devices `c` and `c-openmp`); and the model machine, which runs OpenCL C item by item and
 * fails launches that have races and the like (devices `model` and `model-gpu`).
 *
 * Lifetime   A context outlives everything created from it; destroy buffers, kernels and programs first. A kernel keeps its program
 *            alive. Every destroy accepts NULL and a pointer to NULL, and nulls the pointer.
 * Order      One in-order queue a context: operations take effect in the order of the calls.
 * Threads    A context and what belongs to it are used by one thread at a time.
 * Numbers    Sizes and offsets are bytes, 64 bit. Times are nanoseconds unless the name says otherwise.
 * Errors     EW_DEVICE for what the driver or the device refuses, EW_USAGE for a device spec that names nothing, EW_INTERNAL for a
 *            call that breaks this header's rules. Messages name the call, the OpenCL error, the object and the device.
 * Strings    Strings handed in are copied; strings handed out belong to the object asked. */
#ifndef EW_DEVICE_DEVICE_H
#define EW_DEVICE_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef struct dev_context dev_context;
typedef struct dev_buffer dev_buffer;
typedef struct dev_program dev_program;
typedef struct dev_kernel dev_kernel;
typedef struct dev_event dev_event;

/* ---- Devices ------------------------------------------------------------------------------------------- */

typedef enum dev_type { DEV_CPU, DEV_GPU, DEV_ACCELERATOR, DEV_HOST } dev_type;

/* What the kernels given to dev_program_create are written in. */
typedef enum dev_language {
  DEV_OPENCL_C,
  DEV_C,
  DEV_C_OPENMP,
  DEV_REFERENCE /* nothing: buffers on the host, for runs that interpret their scheme */
} dev_language;

typedef struct dev_info {
  int index; /* position in the list, accepted as a device spec */
  int found; /* position among what the ICD loader finds, which depends on the order of files in a folder */
  dev_type type;
  dev_language language;
  char platform[128];
  char name[128];   /* "c" and "c-openmp" for the host's two devices */
  char driver[128]; /* driver version; the compiler's version line for host C */
  bool fp64;
  uint64_t memory_bytes;
  uint64_t max_alloc_bytes; /* largest single buffer the driver promises */
  uint64_t cache_bytes;     /* last-level cache, 0 where unknown */
  uint64_t local_bytes;     /* local memory of a work-group */
  uint32_t compute_units;
  size_t max_work_group;
  bool
      concurrent; /* groups of a launch run at the same time: a GPU that is not a CPU as well, as simulators say of themselves */
  bool model;     /* the model machine, which runs kernels item by item; only by its own name or index */
  bool limits_registers; /* its compiler takes -cl-nv-maxrregcount (extension cl_nv_compiler_options) */
  bool silent;           /* its driver refused to tell some of these: it is not opened */
} dev_info;

typedef struct dev_list {
  dev_info *items;
  size_t count;
  size_t opencl_platforms; /* 0: no OpenCL driver is installed */
  char refused
      [96]; /* the first call that a driver refused while devices were listed, with its error; "" if none */
} dev_list;

/* All OpenCL devices, sorted: GPUs, CPUs, others, of each kind those with fp64 first, then by the names of platform and device and by
 * the driver's version, whatever order the ICD loader finds them in; then `c`, `c-openmp`, `model` and `model-gpu`. A machine without OpenCL is no error. */
ew_status dev_list_create(dev_list **list, ew_error *err);
/* Those that `spec` may name: of `c`, `c-openmp`, `model` and `model-gpu` no driver of OpenCL is loaded, and numbers begin with `c`. */
ew_status dev_list_create_for(const char *spec, dev_list **list, ew_error *err);
void dev_list_destroy(dev_list **list);

/* "CPU", "GPU", "accelerator", "host". */
const char *dev_type_name(dev_type type);

/* Position in `list` of the device that `spec` names. NULL or "": the first GPU with fp64, else the first other OpenCL device with
 * fp64. Otherwise an index, `cpu`, `gpu`, `c`, `c-openmp`, `model`, `model-gpu`, a device's or platform's whole name, or a part of one, upper and lower case
 * alike; `pocl` and `rocm` are the names of platforms that give themselves another one. Of several that match, those with fp64 count; if they are not of one kind - the same name, platform and driver, of which the
 * first is taken - the spec is ambiguous. EW_USAGE, with a list, for a spec that names none or several; EW_DEVICE if no driver is
 * installed (the message names the package), if none is found and a driver refused to tell of its devices, or if none is named and none
 * has fp64. A device without fp64 computes in double-single numbers: see dslc_kernel.h. */
ew_status dev_list_choose(const dev_list *list, const char *spec, size_t *position, ew_error *err);

/* What a driver is known to get wrong, or never to end, with the options for its compiler that keep clear of it: every program built on such a device
 * gets them. NULL if nothing is known. The pages' docs/devices.md tells more. */
typedef struct dev_fault {
  const char *platform;  /* its name */
  const char *options;   /* for builds, "" if none helps */
  bool windows_by_items; /* no options help: windows whose work-items share rows are refused */
  bool inlines_all; /* it copies each function to where it is called, and those in it: too many are refused */
  const char
      *deep; /* options for programs of which a kernel reduces behind many branches; NULL: they need none */
  const char *what; /* a sentence */
} dev_fault;
const dev_fault *dev_known_fault(const dev_info *info);

/* Opens the device that `spec` names, as dev_list_choose reads it; `reference` stands in no list. */
ew_status dev_context_create(const char *spec, dev_context **ctx, ew_error *err);
void dev_context_destroy(dev_context **ctx);

const dev_info *dev_get_info(const dev_context *ctx);
const char *dev_name(const dev_context *ctx);
bool dev_is_gpu(const dev_context *ctx);
/* A number as the device has it: rounded where that has no fp64. */
double dev_number(const dev_context *ctx, double number);
dev_language dev_get_language(const dev_context *ctx);

/* Hands queued work to the device; returns at once. */
ew_status dev_flush(dev_context *ctx, ew_error *err);
/* Waits until all queued work is done. */
ew_status dev_finish(dev_context *ctx, ew_error *err);

/* ---- Buffers ------------------------------------------------------------------------------------------- */

/* A zero-filled buffer. `name` appears in messages. `bytes` may be 0. */
ew_status dev_buffer_create(dev_context *ctx, const char *name, uint64_t bytes, dev_buffer **buffer,
                            ew_error *err);
/* Of one that was just made: it holds doubles. On a device without fp64 what the host writes there is read back as the device has it from the
 * beginning, not only once a kernel has taken it. */
void dev_buffer_hold_doubles(dev_buffer *buffer);
/* A buffer that holds a copy of the `bytes` at `source`; 0 bytes make an empty one. */
ew_status dev_buffer_upload(dev_context *ctx, const char *name, const void *source, uint64_t bytes,
                            dev_buffer **buffer, ew_error *err);
/* A range of a buffer as a buffer of its own, which must not outlive it; `offset` is a multiple of DEV_PART_ALIGNMENT. EW_DEVICE: the device has
 * no such parts. */
enum { DEV_PART_ALIGNMENT = 4096 }; /* bytes; the largest that devices ask for is 512 */
ew_status dev_buffer_part(dev_buffer *whole, uint64_t offset, uint64_t bytes, dev_buffer **part,
                          ew_error *err);
void dev_buffer_destroy(dev_buffer **buffer);
uint64_t dev_buffer_bytes(const dev_buffer *buffer);
const char *dev_buffer_name(const dev_buffer *buffer);

/* Host to device and device to host; return when the data have arrived. */
ew_status dev_buffer_write(dev_buffer *buffer, uint64_t offset, uint64_t bytes, const void *source,
                           ew_error *err);
ew_status dev_buffer_read(const dev_buffer *buffer, uint64_t offset, uint64_t bytes, void *target,
                          ew_error *err);

/* The same without waiting: the host memory must stay as it is until dev_event_wait. */
ew_status dev_buffer_write_begin(dev_buffer *buffer, uint64_t offset, uint64_t bytes, const void *source,
                                 dev_event **event, ew_error *err);
ew_status dev_buffer_read_begin(const dev_buffer *buffer, uint64_t offset, uint64_t bytes, void *target,
                                dev_event **event, ew_error *err);

/* Waits for the transfer, then frees and nulls the event. *event may be NULL. */
ew_status dev_event_wait(dev_event **event, ew_error *err);

/* All of the buffer as the host sees it, until it is unmapped: the very memory of devices that compute in the host's (*in_place), else
 * a copy. With `write` the host may change it; what is there at the end counts. Nothing may be queued that uses the buffer while it is
 * mapped. EW_INTERNAL: it is mapped already. */
ew_status dev_buffer_map(dev_buffer *buffer, bool write, void **memory, bool *in_place, ew_error *err);
/* What is not mapped needs nothing. */
ew_status dev_buffer_unmap(dev_buffer *buffer, ew_error *err);

/* Device to device, not waiting. The ranges must not overlap when both buffers are the same. */
ew_status dev_buffer_copy(dev_buffer *target, uint64_t target_offset, const dev_buffer *source,
                          uint64_t source_offset, uint64_t bytes, ew_error *err);

/* Repeats `pattern` over the range, not waiting. pattern_bytes: 1, 2, 4, 8 or 16; it divides offset and
 * bytes. */
ew_status dev_buffer_fill(dev_buffer *buffer, uint64_t offset, uint64_t bytes, const void *pattern,
                          size_t pattern_bytes, ew_error *err);

/* ---- Programs ------------------------------------------------------------------------------------------ */

/* Builds `source`, or takes the binary from the cache (dev_cache_dir). `options` are the compiler's, "" or
 * NULL for none. OpenCL gets -cl-std=CL1.2 besides; host C gets -O3 -march=native -std=c11, -fopenmp on
 * `c-openmp`, and the compiler named by $CC (`cc` if unset). On a build error the status is EW_DEVICE, the
 * message ends with the log, and the three functions below answer for the failed build. */
ew_status dev_program_create(dev_context *ctx, const char *name, const char *source, const char *options,
                             dev_program **program, ew_error *err);
/* The same of a scheme's program, which must outlive it: the model machine takes its kernels as they were built, others their text. */
struct dslc_program;
ew_status dev_program_compile(dev_context *ctx, const struct dslc_program *compiled, const char *options,
                              dev_program **program, ew_error *err);
void dev_program_destroy(dev_program **program);
/* Whether the binary came from the cache. */
bool dev_program_from_cache(const dev_program *program);

/* The compiler's raw output in the context's last build, "" if it was silent; valid until the next build. */
const char *dev_build_log(const dev_context *ctx);
/* Where the source of the last failed build was written, "" if none failed or no directory was writable. */
const char *dev_build_source_path(const dev_context *ctx);

/* The binary cache's folder: $EDGEWISE_CACHE_DIR, else $XDG_CACHE_HOME/edgewise, else ~/.cache/edgewise; ""
 * if none of them is set or EDGEWISE_CACHE=off. Returns false if the path does not fit. */
bool dev_cache_dir(char *path, size_t size);

/* ---- Kernels ------------------------------------------------------------------------------------------- */

/* Host C kernels have the entry `void NAME(void *const *args, long n)`: args[k] is a buffer's storage, or a
 * pointer to a scalar's value; n is the number of work-items (for launch_nd: the product), over which NAME
 * loops itself. */
ew_status dev_kernel_create(dev_program *program, const char *name, dev_kernel **kernel, ew_error *err);
void dev_kernel_destroy(dev_kernel **kernel);
const char *dev_kernel_name(const dev_kernel *kernel);
/* How many arguments it takes; 0 where the device cannot know. */
unsigned dev_kernel_declared_args(const dev_kernel *kernel);
/* Largest work-group this kernel can run with on its device; 1 on host C. */
size_t dev_kernel_max_local(const dev_kernel *kernel);
/* Local memory of one work-group, as far as the driver tells; 0 on host C. */
uint64_t dev_kernel_local_bytes(const dev_kernel *kernel);

/* Arguments by position, from 0. Setting an unchanged value costs a comparison. A buffer must outlive the
 * launches that use it; to swap two buffers exchange the handles and set both arguments again. */
ew_status dev_kernel_set_buffer(dev_kernel *kernel, unsigned position, const dev_buffer *buffer,
                                ew_error *err);
ew_status dev_kernel_set_i32(dev_kernel *kernel, unsigned position, int32_t value, ew_error *err);
ew_status dev_kernel_set_i64(dev_kernel *kernel, unsigned position, int64_t value, ew_error *err);
ew_status dev_kernel_set_f64(dev_kernel *kernel, unsigned position, double value, ew_error *err);
/* A `__local` block of `bytes`; OpenCL only. */
ew_status dev_kernel_set_local(dev_kernel *kernel, unsigned position, size_t bytes, ew_error *err);

/* Queues `n` work-items in groups of `local`; 0 leaves the group's size to the kernel's reqd_work_group_size
 * or to the driver. The global size is rounded up to full groups, also for local = 0 and n > 64, so a kernel
 * must test its index against n itself. n = 0 does nothing. In streaming kernels test whole groups first, as
 * FOR_ITEM in kernels/measure.cl does: on PoCL with AVX-512 a test of each item alone halves the bandwidth.
 */
ew_status dev_kernel_launch(dev_kernel *kernel, uint64_t n, size_t local, ew_error *err);

/* Two or three dimensions; local[i] = 0 in every dimension is the driver's choice, with the global size as
 * given. A global[i] of 0 does nothing. */
ew_status dev_kernel_launch_nd(dev_kernel *kernel, unsigned dims, const uint64_t *global, const size_t *local,
                               ew_error *err);

/* ---- Accounts ------------------------------------------------------------------------------------------ */

typedef struct dev_stats {
  uint64_t bytes_to_device, bytes_to_host; /* explicit transfers */
  uint64_t transfers_to_device, transfers_to_host;
  uint64_t launches;
  uint64_t device_bytes, peak_device_bytes; /* allocated by this context: now, at most */
  uint64_t programs_built, programs_cached;
  uint64_t build_ns; /* spent in dev_program_create */
} dev_stats;

/* Totals since the context was created; take differences for a step. */
dev_stats dev_get_stats(const dev_context *ctx);

typedef struct dev_profile_entry {
  const char *kernel; /* kernels of one name in several programs are counted together */
  uint64_t launches;
  uint64_t total_ns, min_ns, max_ns;
} dev_profile_entry;

/* Starts (from zero) or stops recording the time of every launch: device events, or the clock on host C. */
ew_status dev_profile_start(dev_context *ctx, ew_error *err);
ew_status dev_profile_stop(dev_context *ctx, ew_error *err);
/* Waits for the queue, then gives one entry a kernel in the order of first launch, owned by the context and
 * valid until its next profile call. Still available after dev_profile_stop. */
ew_status dev_profile_get(dev_context *ctx, const dev_profile_entry **entries, size_t *count, ew_error *err);

/* ---- The machine's own limits, and its health ---------------------------------------------------------- */

typedef struct dev_rates {
  double triad_gbs;  /* a = b + s*c, 24 bytes an element, 1e9 bytes a second */
  double cached_gbs; /* the same of arrays that fill a quarter of the last-level cache; triad_gbs where its size is unknown */
  double copy_gbs;   /* a = b, 16 bytes an element */
  double fma_gflops; /* chains of fused multiply-adds in registers, 2 flops each */
  double launch_us;  /* one empty launch in a long queue */
  uint64_t array_bytes;
} dev_rates;

/* Why a device's rates cannot be measured, as the end of a sentence; NULL: they can. */
const char *dev_without_rates(const dev_info *info);
/* Measures the fp64 rates above: arrays that are together at least four last-level caches, medians. Takes one to a few
 * seconds. */
ew_status dev_measure_rates(dev_context *ctx, dev_rates *rates, ew_error *err);

typedef enum dev_check_level { DEV_CHECK_OK, DEV_CHECK_WARN, DEV_CHECK_FAIL } dev_check_level;

typedef struct dev_check {
  dev_check_level level;
  char what[96];  /* what was looked at */
  char text[512]; /* what was found */
  char hint[256]; /* what to do about it, "" if nothing */
} dev_check;

typedef struct dev_checks {
  dev_check *items;
  size_t count;
} dev_checks;

/* Looks at drivers, devices, compiler and cache, and runs a tiny kernel on every device. An error is returned
 * only when the list itself could not be made. */
ew_status dev_doctor(dev_checks **checks, ew_error *err);
void dev_checks_destroy(dev_checks **checks);

#endif
