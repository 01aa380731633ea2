/* Whole files in memory, unpacked if compressed with gzip. For the readers of runtime/mesh and runtime/formats. */
#ifndef EW_MESH_LOAD_H
#define EW_MESH_LOAD_H

#include <stddef.h>

#include "base/error.h"

/* Without UTF-8's byte order mark, which some editors put first. *bytes is the caller's, to be released with free(). Errors: EW_IO. */
ew_status mesh_load_file(const char *path, char **bytes, size_t *size, ew_error *err);

#endif
