/* What the emitter offers: kernels of a plan. */
#ifndef DSLC_EMIT_PROGRAM_H
#define DSLC_EMIT_PROGRAM_H

#include "dslc.h"

struct plan; /* schedule/plan.h */
struct plan_rebind;

/* Fills the program's source and the arguments of its kernels, and gives each launch its list of buffers. */
void emit_program(struct plan *p, dslc_emit emit, const struct plan_rebind *rebind, int n_rebinds);

#endif
