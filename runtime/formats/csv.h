/* Probes and history as CSV: a header `t [s],h [m],...`, one line a row, numbers that read back bit for bit,
 * every line flushed so that a plot can follow the run. Failures are EW_IO with the path and the system's
 * reason. */
#ifndef EW_IO_CSV_H
#define EW_IO_CSV_H

#include <stddef.h>

#include "base/error.h"

typedef struct csv csv;

typedef struct csv_column {
  const char *name;
  const char *unit; /* NULL or "": a number, printed without brackets */
} csv_column;

/* Starts a new file at `path`, replacing an old one. */
ew_status csv_create(csv **out, const char *path, const csv_column *column, size_t n_columns, ew_error *err);

/* For a resumed run: keeps the rows of an existing file whose first column is <= `until` and appends after
 * them. The header must be the same, else EW_IO with both. A missing file is started. */
ew_status csv_continue(csv **out, const char *path, const csv_column *column, size_t n_columns, double until,
                       ew_error *err);

/* Writes and flushes one line; `value` has n_columns entries. */
ew_status csv_row(csv *file, const double *value, ew_error *err);

void csv_destroy(csv **file);

#endif
