/* What the files of the verifier share. */
#ifndef DSLC_KERNEL_VERIFY_H
#define DSLC_KERNEL_VERIFY_H

#include "kernel/kernel.h"

/* Of a function whose variables know whether they are written: each variable that is read before that, once for each way there. */
typedef void kir_unset(void *context, int line, const char *name);
void kir_find_unset(kir_program *p, const kir_function *f, kir_unset *tell, void *context);

#endif
