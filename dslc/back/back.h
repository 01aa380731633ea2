/* What the back ends offer to the rest of the compiler. */
#ifndef DSLC_BACK_BACK_H
#define DSLC_BACK_BACK_H

#include "ir/ir.h"

/* A parameter's default as a formula in reverse Polish notation for dslc_formula: components separated by
 * ';', other parameters as `$name` (component k > 0: `$name.k`). NULL if the expression holds something
 * that only a kernel can evaluate. */
char *back_formula(const ir_module *m, ir_id root, arena *a);

#endif
