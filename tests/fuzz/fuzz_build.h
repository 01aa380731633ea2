#ifndef EW_FUZZ_BUILD_H
#define EW_FUZZ_BUILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A scheme with some of its tokens or lines exchanged, in place; returns its new size. */
size_t mutate_scheme(unsigned char *text, size_t size, size_t most, uint64_t seed);

#endif
