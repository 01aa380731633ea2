/* Allocation that reports through ew_error. */
#ifndef EW_BASE_MEMORY_H
#define EW_BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/error.h"

/* Zeroed room for n entries (also for n = 0), or NULL with the error set. Free with free(). */
void *ew_alloc(size_t n, size_t size, ew_error *err);

/* Room for `need` entries in a growing array: *array and *capacity are updated, existing entries kept. */
ew_status ew_reserve(void **array, size_t *capacity, size_t need, size_t size, ew_error *err);

/* Bytes that the machine has, whatever else is in them; 0: it does not say. */
uint64_t ew_machine_memory(void);

char *ew_copy_text(const char *text, ew_error *err);

/* A status for EW_CHECK: p = room for n entries of its type. Needs a local `ew_error *err`. */
#define EW_NEW(p, n) (((p) = ew_alloc((size_t)(n), sizeof *(p), err)) ? EW_OK : EW_FAIL)

#endif
