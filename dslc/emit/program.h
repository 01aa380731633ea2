/* What the emitter offers: kernels of a plan. */
#ifndef DSLC_EMIT_PROGRAM_H
#define DSLC_EMIT_PROGRAM_H

#include "dslc.h"

struct plan; /* schedule/plan.h */
struct plan_rebind;

/* A file of kernels as they are built, before any pass over them. Fills in the arguments of the program's kernels, and gives each launch its
 * list of buffers. */
struct kernel_file *emit_program(struct plan *p, dslc_emit emit, const struct plan_rebind *rebind, int n_rebinds);

#endif
