/* Large zero-filled host memory straight from the system: each page lies near the thread that first touches
 * it, and large blocks ask for huge pages, worth 1.2x to 2x in streaming kernels on the CPU. */
#ifndef EW_DEVICE_PAGES_H
#define EW_DEVICE_PAGES_H

#include <stdint.h>

/* NULL with errno set if the system has not that much. `bytes` may be 0. Free with pages_free and the same
 * size. */
void *pages_create(uint64_t bytes);
void pages_free(void *pages, uint64_t bytes);

#endif
