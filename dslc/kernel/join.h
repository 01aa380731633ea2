/* Several launches as one kernel: see dslc_kernel.h. */
#ifndef DSLC_KERNEL_JOIN_H
#define DSLC_KERNEL_JOIN_H

#include "dslc_kernel.h"
#include "kernel/kernel.h"

/* Can a launch of the kernel be a part of one? *group: the items of a work-group that it relies on; 0: on none. */
bool kir_can_join(kir_function *kernel, int *group);
/* Bytes of local memory that a join of these launches takes. */
int64_t kir_join_local(const kir_function *const *kernel, int n);
/* The text of the joins, behind that of the program, whose kernels become functions. */
const char *kir_join(kir_program *p, const dslc_join *joins, int n);

#endif
