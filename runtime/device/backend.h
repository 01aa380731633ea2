/* Inside runtime/device only: the objects behind the opaque types, and the table of functions in which OpenCL
 * and host C differ. The public functions check arguments and keep accounts, then call the table; a back end
 * therefore sees only valid calls, ranges inside the buffer, and at least one work-item. */
#ifndef EW_DEVICE_BACKEND_H
#define EW_DEVICE_BACKEND_H

#include "device/device.h"

typedef struct dev_blob { /* bytes owned by whoever holds the struct */
  void *data;
  size_t size;
} dev_blob;

typedef enum dev_arg_kind {
  DEV_ARG_UNSET,
  DEV_ARG_BUFFER,
  DEV_ARG_I32,
  DEV_ARG_I64,
  DEV_ARG_F64,
  DEV_ARG_LOCAL
} dev_arg_kind;

typedef struct dev_arg {
  dev_arg_kind kind;
  union {
    int32_t i32;
    int64_t i64;
    double f64;
    uint64_t local_bytes;
    uint64_t buffer_id; /* handles may be reused by malloc, ids are not */
    uint64_t bits;      /* of whatever the value is, for comparison */
  } value;
  void *storage;                 /* the back end's handle of a buffer argument */
  struct dev_contents *contents; /* the buffer's, or NULL */
} dev_arg;

typedef struct dev_range {
  unsigned dims;
  uint64_t items;   /* asked for: the product over the dimensions */
  size_t global[3]; /* rounded up to full groups */
  size_t local[3];  /* all 0: the driver's choice */
} dev_range;

typedef struct dev_build_request {
  const char *name, *source, *options;
  const char *target;                  /* the context's */
  const struct dslc_program *compiled; /* what `source` is of; NULL: not of a scheme */
} dev_build_request;

typedef struct dev_backend {
  void (*close)(dev_context *ctx);
  ew_status (*flush)(dev_context *ctx, ew_error *err);
  ew_status (*finish)(dev_context *ctx, ew_error *err);
  ew_status (*set_profiling)(dev_context *ctx, bool on, ew_error *err); /* called on an empty queue */

  ew_status (*buffer_open)(dev_buffer *buffer, ew_error *err);
  void (*buffer_close)(dev_buffer *buffer);
  ew_status (*buffer_part)(dev_buffer *part, const dev_buffer *whole, uint64_t offset,
                           ew_error *err); /* NULL: there are none */
  /* `pending` NULL: wait. Otherwise *pending becomes the transfer's handle, or stays NULL if it is over. */
  ew_status (*write)(dev_buffer *buffer, uint64_t offset, uint64_t bytes, const void *source, void **pending,
                     ew_error *err);
  ew_status (*read)(const dev_buffer *buffer, uint64_t offset, uint64_t bytes, void *target, void **pending,
                    ew_error *err);
  /* The host's own memory behind a buffer, once queued work is done: sets *memory, which stays NULL where there is none. A NULL
   * function: no buffer has it. `unmap` follows each that succeeded. */
  ew_status (*map)(dev_buffer *buffer, bool write, void **memory, ew_error *err);
  ew_status (*unmap)(dev_buffer *buffer, void *memory, ew_error *err);
  ew_status (*copy)(dev_buffer *target, uint64_t target_offset, const dev_buffer *source,
                    uint64_t source_offset, uint64_t bytes, ew_error *err);
  ew_status (*fill)(dev_buffer *buffer, uint64_t offset, uint64_t bytes, const void *pattern,
                    size_t pattern_bytes, ew_error *err);
  ew_status (*wait)(dev_context *ctx, void *pending, ew_error *err); /* frees `pending` */

  /* Builds from source: sets program->handle, *binary (may stay empty) and *log; on a compiler's error
   * returns EW_DEVICE with the log. Both results belong to the caller. */
  ew_status (*build)(dev_program *program, const dev_build_request *request, dev_blob *binary, char **log,
                     ew_error *err);
  /* Loads a cached binary; `path` is the file it came from. False: not usable, build from source. */
  bool (*load)(dev_program *program, const dev_build_request *request, const dev_blob *binary,
               const char *path);
  void (*program_close)(dev_program *program);

  ew_status (*kernel_open)(dev_kernel *kernel, ew_error *err); /* sets handle, max_local, required_local,
                                                            declared_args */
  void (*kernel_close)(dev_kernel *kernel);
  ew_status (*set_arg)(dev_kernel *kernel, unsigned position, const dev_arg *arg, ew_error *err);
  ew_status (*launch)(dev_kernel *kernel, const dev_range *range, ew_error *err);
  ew_status (*drain_profile)(dev_context *ctx,
                             ew_error *err); /* hands every finished launch to profile_add */
} dev_backend;

typedef struct dev_profile {
  bool on;
  dev_profile_entry *entries; /* names owned */
  size_t count, capacity;
} dev_profile;

struct dev_context {
  const dev_backend *backend;
  struct dev_double_single *double_single; /* NULL: the device has fp64 */
  dev_info info;
  dev_stats stats;
  dev_profile profile;
  uint64_t next_buffer_id;
  char *target;            /* what a binary depends on besides the fields of info, may be NULL */
  char *build_log;         /* may be NULL */
  char *build_source_path; /* may be NULL */
  void *handle;            /* the back end's state */
};

struct dev_buffer {
  dev_context *ctx;
  struct dev_contents *contents; /* see double_single.c; NULL: what the host wrote */
  uint64_t id;
  uint64_t bytes;
  char name[64];
  void *handle;  /* cl_mem, or the storage itself */
  void *storage; /* host memory behind a cl_mem, NULL if the driver allocates */
  void *mapped;  /* see dev_buffer_map; NULL: it is not */
  bool map_copied, map_writes;
  bool is_part; /* of another's memory */
};

struct dev_event {
  dev_context *ctx;
  void *pending;
};

struct dev_program {
  dev_context *ctx;
  char name[64];
  unsigned references; /* the creator's and one a kernel */
  bool from_cache;
  void *handle;
  struct dslc_kernels *rewritten; /* see double_single.c */
};

struct dev_kernel {
  dev_program *program;
  char *name; /* owned: an operator's is as long as its argument */
  dev_arg *args;
  unsigned arg_count, arg_capacity;
  void **
      gathered; /* as C takes them, see host_program.c; NULL: nothing was launched since there is room for more */
  size_t max_local;
  uint64_t local_bytes;     /* of a work-group */
  size_t required_local[3]; /* reqd_work_group_size, or 0s */
  unsigned declared_args;   /* 0 where the back end cannot know */
  int number;               /* in program->rewritten */
  void *handle;
};

/* Enumeration of the back ends; each opens the list's item it made. */
ew_status cl_list_append(dev_list *list, ew_error *err);
ew_status host_list_append(dev_list *list, ew_error *err);
ew_status model_list_append(dev_list *list, ew_error *err);
ew_status model_context_open(dev_context *ctx, ew_error *err);
ew_status cl_context_open(dev_context *ctx, ew_error *err);
ew_status host_context_open(dev_context *ctx, ew_error *err);
ew_status host_reference_open(dev_context *ctx, ew_error *err);
/* Of an OpenCL device without fp64, behind its own: kernels of doubles then compute in double-single numbers. */
ew_status double_single_open(dev_context *ctx, ew_error *err);

/* Appends a copy of `info` and numbers it. */
ew_status dev_list_add(dev_list *list, const dev_info *info, ew_error *err);
/* Into the order that dev_list_create states, numbered anew. */
void dev_list_sort(dev_list *list);

/* Where launches of `kernel_name` are counted; holds until dev_profile_clear. */
ew_status dev_profile_slot(dev_profile *profile, const char *kernel_name, size_t *slot, ew_error *err);
void dev_profile_add(dev_profile *profile, size_t slot, uint64_t ns);
void dev_profile_clear(dev_profile *profile);

/* "out of memory" in one wording. */
ew_status dev_out_of_memory(ew_error *err, const char *what);
/* Monotonic clock. */
uint64_t dev_now_ns(void);

#endif
