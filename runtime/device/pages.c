#include "device/pages.h"

#include <stddef.h>
#include <sys/mman.h>

enum { huge_page = 2 << 20 };

static size_t mapped_size(uint64_t bytes) { return bytes ? (size_t)bytes : 1; }

void *pages_create(uint64_t bytes) {
  void *pages = mmap(NULL, mapped_size(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return NULL;
  if (bytes >= huge_page)
    madvise(pages, mapped_size(bytes), MADV_HUGEPAGE); /* a wish: failing does no harm */
  return pages;
}

void pages_free(void *pages, uint64_t bytes) {
  if (pages) munmap(pages, mapped_size(bytes));
}
