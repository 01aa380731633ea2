/* The program behind dslc_kernels. */
#ifndef DSLC_KERNEL_KERNELS_H
#define DSLC_KERNEL_KERNELS_H

#include "dslc_kernel.h"
#include "kernel/code.h"

/* NULL: not opened. */
const kir_code *kir_code_of(const dslc_kernels *program, int kernel);

#endif
