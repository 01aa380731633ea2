/* Probes and history as CSV: a header `t [s],h [m],...`, one line a row, numbers that read back bit for bit.
 * Rows are kept back until a flush, or until they fill some 16 kB, and are written whole. Failures are EW_IO with the path and the system's
 * reason. */
#ifndef EW_IO_CSV_H
#define EW_IO_CSV_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef struct csv csv;

typedef struct csv_column {
  const char *name;
  const char *unit; /* NULL or "": a number, printed without brackets */
} csv_column;

/* Starts a new file at `path`, replacing an old one; a symbolic link or anything but a file is refused. */
ew_status csv_create(csv **out, const char *path, const csv_column *column, size_t n_columns, ew_error *err);

/* For a resumed run: keeps the first `size` bytes of an existing file, which csv_size told, and appends behind them. A file that is
 * missing is started. EW_CHECKPOINT: the file is shorter, other columns stand above it, or no line ends there. */
ew_status csv_continue(csv **out, const char *path, const csv_column *column, size_t n_columns, uint64_t size,
                       ew_error *err);

/* Bytes of all rows so far, with those that are kept back. */
uint64_t csv_size(const csv *file);
/* Brings them to the disk. */
ew_status csv_sync(csv *file, ew_error *err);

/* Adds one line; `value` has n_columns entries. */
ew_status csv_row(csv *file, const double *value, ew_error *err);
/* Writes what is kept back. */
ew_status csv_flush(csv *file, ew_error *err);

void csv_destroy(csv **file);

#endif
