/* Symbols of a scheme as fields of its program, and its rules: the planner and the reference interpreter tell of the same ones. */
#ifndef DSLC_IR_FIELDS_H
#define DSLC_IR_FIELDS_H

#include "dslc.h"
#include "ir/ir.h"

/* A field as programs tell of it, without a buffer yet. */
dslc_field ir_field(const ir_symbol *q, dslc_field_kind kind);
/* The rules as programs tell of them, `m->rule.n - 1` from the first on; their arguments without defaults yet, and all may depend on time. */
dslc_rule *ir_rules(const ir_module *m, arena *memory);
/* Is it an equation of which programs do not tell? */
bool ir_hides(const ir_symbol *q);

#endif
