/* Between verify.c (nodes and symbols) and verify_roots.c (roots, statements and the contexts of accesses).
 */
#ifndef DSLC_IR_VERIFY_H
#define DSLC_IR_VERIFY_H

#include "ir/ir.h"

/* A message about a node, in the module's arena. */
const char *ir_complain(const ir_module *m, ir_id id, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Expects sound nodes and symbols. */
const char *ir_verify_roots(const ir_module *m);

#endif
