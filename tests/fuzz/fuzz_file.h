#ifndef EW_FUZZ_FILE_H
#define EW_FUZZ_FILE_H

#include <stddef.h>
#include <stdint.h>

/* The bytes as a file of that name in a folder of this process below TMPDIR; returns its path, which stays valid. The folder goes when the
 * process ends by itself. NULL: it could not be written. For readers that take a path. */
const char *fuzz_file(const char *name, const void *bytes, size_t size);

#endif
