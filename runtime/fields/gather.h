/* Values at single entries of buffers, fetched together. Internal to the runtime. */
#ifndef EW_EXEC_GATHER_H
#define EW_EXEC_GATHER_H

#include "run/internal.h"

typedef struct exec_gather exec_gather;

typedef struct exec_entry {
  int buffer;     /* of the program, of doubles or floats */
  size_t element; /* see exec_element */
} exec_entry;

/* The list is copied; the run must outlive what is made of it. There is room for so many rows, the values at so many times. */
ew_status exec_gather_create(exec_run *run, const exec_entry *entry, int n, int rows, exec_gather **out,
                             ew_error *err);
void exec_gather_destroy(exec_gather **g);
/* Queues that the present values, behind all that is queued, become a row: a kernel a buffer, no waiting. */
ew_status exec_gather_row(exec_gather *g, int row, ew_error *err);
/* Fetches the first rows: one transfer, no waiting. Rows fetched before are gone. */
ew_status exec_gather_fetch(exec_gather *g, int rows, ew_error *err);
/* Waits for what was fetched last: [n] values of a row in the order of the list, until the next call. */
ew_status exec_gather_values(exec_gather *g, int row, const double **value, ew_error *err);

#endif
