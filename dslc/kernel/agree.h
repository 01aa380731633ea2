/* The program's account of its kernels against theirs. */
#ifndef DSLC_KERNEL_AGREE_H
#define DSLC_KERNEL_AGREE_H

#include "dslc.h"
#include "kernel/kernel.h"

/* The number of differences; messages, one a line, as many as fit. */
int kir_agrees(kir_program *p, const dslc_program *g, char *messages, size_t size);

#endif
