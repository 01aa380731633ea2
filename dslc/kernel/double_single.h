/* Programs for devices that compute in single precision alone. */
#ifndef DSLC_KERNEL_DOUBLE_SINGLE_H
#define DSLC_KERNEL_DOUBLE_SINGLE_H

#include "kernel/kernel.h"

/* Makes each double of a program that begins with double_single.cl a long that holds two floats, and what is computed with it calls. The
 * functions of that text that nobody calls are left out. False and a message for what cannot be made so. */
bool kir_make_double_single(kir_program *p, kir_message *message);

#endif
