/* What the back ends offer to the rest of the compiler. */
#ifndef DSLC_BACK_BACK_H
#define DSLC_BACK_BACK_H

#include "dslc.h"
#include "ir/ir.h"

/* A parameter's default as a formula in reverse Polish notation for dslc_formula: components separated by
 * ';', other parameters as `$name` (component k > 0: `$name.k`). NULL if the expression holds something
 * that only a kernel can evaluate. */
char *back_formula(const ir_module *m, ir_id root, arena *a);

/* A field as programs tell of it, without a buffer yet. */
dslc_field back_field(const ir_symbol *q, dslc_field_kind kind);
/* Is it an equation of which programs do not tell? */
bool back_hides(const ir_symbol *q);

#endif
