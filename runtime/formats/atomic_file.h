/* Files that appear under their final name only when complete. Data goes to a temporary file in the same
 * folder; commit flushes it and renames it over the final name, so that a reader sees the old file or the new
 * one and never a part. A handle that is destroyed without commit leaves nothing behind. Every failure is
 * EW_IO, with the path and the system's reason; after one the handle must be destroyed. Not for devices,
 * pipes or folders; a symbolic link is neither followed nor replaced. */
#ifndef EW_IO_ATOMIC_FILE_H
#define EW_IO_ATOMIC_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

typedef struct atomic_file atomic_file;

/* Opens a temporary file beside `path` (copied). */
ew_status atomic_file_create(atomic_file **out, const char *path, ew_error *err);

/* Whether it could be opened now: for who computes for long before there is something to write. Leaves nothing behind. */
ew_status atomic_file_try(const char *path, ew_error *err);

/* Aborts if not committed: removes the temporary file. */
void atomic_file_destroy(atomic_file **file);

ew_status atomic_file_write(atomic_file *file, const void *data, size_t size, ew_error *err);

ew_status atomic_file_print(atomic_file *file, ew_error *err, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* For who prints a lot: what could not be written fails the commit. Its bytes do not count below. Not to be closed. */
FILE *atomic_file_stream(atomic_file *file);

/* Bytes written so far. */
uint64_t atomic_file_size(const atomic_file *file);

/* Overwrites bytes that were written before, [at, at + size), and returns to the end. */
ew_status atomic_file_patch(atomic_file *file, uint64_t at, const void *data, size_t size, ew_error *err);

/* Brings what was written to the disk: what is left for commit is the name. */
ew_status atomic_file_sync(atomic_file *file, ew_error *err);

/* Gives the file its final name and destroys the handle, also on failure. With `sync` the data is on the disk
 * before the name is, which is what a checkpoint needs to survive a power cut. */
ew_status atomic_file_commit(atomic_file **file, bool sync, ew_error *err);

/* Removes what writers that were killed have left in a folder: temporary files of the kinds that runs write. Nobody else may be
 * writing there. */
void atomic_clean_folder(const char *folder);

#endif
