/* The host-C back end: kernels are C text, compiled into a shared object and called. */
#ifndef EW_DEVICE_HOST_INTERNAL_H
#define EW_DEVICE_HOST_INTERNAL_H

#include "device/backend.h"

/* The compiler's command: $CC, or `cc`. */
const char *host_compiler(void);

/* What the compiler given by $CC calls itself, e.g. "cc (Debian 12.2.0-14) 12.2.0". */
ew_status host_compiler_version(char *text, size_t size, ew_error *err);

ew_status host_build(dev_program *program, const dev_build_request *request, dev_blob *binary, char **log,
                     ew_error *err);
bool host_load(dev_program *program, const dev_build_request *request, const dev_blob *binary,
               const char *path);
void host_program_close(dev_program *program);

ew_status host_kernel_open(dev_kernel *kernel, ew_error *err);
ew_status host_launch(dev_kernel *kernel, const dev_range *range, ew_error *err);

#endif
