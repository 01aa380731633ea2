/* What the runtime fills a symbol with: the language's names of geometry, and the masks that boundary rules make, as the typed
 * sources of dslc.h. */
#ifndef DSLC_IR_MESH_SOURCE_H
#define DSLC_IR_MESH_SOURCE_H

#include "dslc.h"
#include "ir/ir.h"

/* Of a geometry or an integral. `field` of a mask of constrained nodes is left to the caller: the symbol's `of` is the state.
 * DSLC_SOURCE_NONE: no mesh or grid has such a thing. */
dslc_source ir_mesh_source(const ir_module *m, const ir_symbol *q);

#endif
