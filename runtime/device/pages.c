#include "device/pages.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { page = 4096, huge_page = 2 << 20 };

/* EDGEWISE_GUARD=below or above: an inaccessible page lies right before the data, or right after them. For tests: what
 * reads beyond a buffer ends at once, every time, not when the system happens to have nothing mapped there. */
typedef enum guard { NO_GUARD, GUARD_BELOW, GUARD_ABOVE } guard;

static guard wanted_guard(void) {
  const char *text = getenv("EDGEWISE_GUARD");
  if (!text) return NO_GUARD;
  return strcmp(text, "below") == 0 ? GUARD_BELOW : strcmp(text, "above") == 0 ? GUARD_ABOVE : NO_GUARD;
}

static size_t mapped_size(uint64_t bytes) { return bytes ? (size_t)bytes : 1; }

static size_t in_pages(uint64_t bytes) { return (mapped_size(bytes) + page - 1) / page * page; }

static char *map(size_t bytes) {
  void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return pages == MAP_FAILED ? NULL : pages;
}

/* From the data to the first page that was mapped for them. */
static ptrdiff_t before(guard g, uint64_t bytes) {
  return g == GUARD_BELOW ? page : g == GUARD_ABOVE ? (ptrdiff_t)(in_pages(bytes) - mapped_size(bytes)) : 0;
}

static void *create_guarded(guard g, uint64_t bytes) {
  size_t size = in_pages(bytes) + page;
  char *pages = map(size);
  if (!pages) return NULL;
  if (mprotect(g == GUARD_BELOW ? pages : pages + size - page, page, PROT_NONE) != 0) {
    int reason = errno;
    munmap(pages, size);
    errno = reason;
    return NULL;
  }
  return pages + before(g, bytes);
}

void *pages_create(uint64_t bytes) {
  guard g = wanted_guard();
  if (g != NO_GUARD) return create_guarded(g, bytes);
  char *pages = map(mapped_size(bytes));
  if (pages && bytes >= huge_page)
    madvise(pages, mapped_size(bytes), MADV_HUGEPAGE); /* a wish: failing does no harm */
  return pages;
}

void pages_free(void *pages, uint64_t bytes) {
  guard g = wanted_guard();
  if (pages)
    munmap((char *)pages - before(g, bytes), g == NO_GUARD ? mapped_size(bytes) : in_pages(bytes) + page);
}
