/* Values at single entries of buffers, fetched together. Internal to the runtime. */
#ifndef EW_EXEC_GATHER_H
#define EW_EXEC_GATHER_H

#include "run/internal.h"

typedef struct exec_gather exec_gather;

typedef struct exec_entry {
  int buffer;     /* of the program, of doubles or floats */
  size_t element; /* see exec_element */
} exec_entry;

/* The list is copied; the run must outlive what is made of it. */
ew_status exec_gather_create(exec_run *run, const exec_entry *entry, int n, exec_gather **out, ew_error *err);
void exec_gather_destroy(exec_gather **g);
/* Fetches the present values behind all that is queued: a kernel a buffer, one transfer, no waiting. */
ew_status exec_gather_begin(exec_gather *g, ew_error *err);
/* Waits for what the last begin fetched: [n] values in the order of the list, until the next end. */
ew_status exec_gather_end(exec_gather *g, const double **value, ew_error *err);

#endif
