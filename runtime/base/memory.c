#include "base/memory.h"

#include <string.h>
#include <unistd.h>

static ew_status out_of_memory(ew_error *err, size_t n, size_t size) {
  return ew_fail(err, EW_FAIL, "out of memory: no room for %zu entries of %zu bytes", n, size);
}

void *ew_alloc(size_t n, size_t size, ew_error *err) {
  void *p = calloc(n ? n : 1, size);
  if (!p) out_of_memory(err, n, size);
  return p;
}

ew_status ew_reserve(void **array, size_t *capacity, size_t need, size_t size, ew_error *err) {
  if (need <= *capacity) return EW_OK;
  size_t grown = *capacity < SIZE_MAX / 3 ? *capacity + *capacity / 2 + 16 : need;
  if (grown < need) grown = need;
  void *p = grown <= SIZE_MAX / size ? realloc(*array, grown * size) : NULL;
  if (!p) return out_of_memory(err, grown, size);
  *array = p;
  *capacity = grown;
  return EW_OK;
}

uint64_t ew_machine_memory(void) {
  const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 0;
}

char *ew_copy_text(const char *text, ew_error *err) {
  size_t n = strlen(text) + 1;
  char *copy = ew_alloc(n, 1, err);
  if (copy) memcpy(copy, text, n);
  return copy;
}
