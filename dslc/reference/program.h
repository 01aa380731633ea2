/* Schemes that are interpreted instead of compiled, as programs without kernels. */
#ifndef DSLC_REFERENCE_PROGRAM_H
#define DSLC_REFERENCE_PROGRAM_H

#include "dslc.h"
#include "ir/ir.h"

/* Keeps the module, which must have been verified, and a copy of the sources, for messages. */
dslc_program *ref_program(arena *a, ir_module *m, const source_set *sources, const dslc_options *options);

#endif
