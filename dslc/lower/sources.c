/* What the mesh gives at edges - integrals, and the vectors of periodic meshes - may lie otherwise in memory than the runtime puts it
 * (schedule setting `edges`). Then each quantity has a second symbol for where the runtime puts it, which the setup copies. */
#include "lower/lower.h"

void lower_sources(lowering *l) {
  ir_module *m = l->m;
  if (m->on_grid || l->schedule->edges == EDGES_APART) return;
  for (int s = 1, n = m->symbol.n; s < n; s++) {
    ir_symbol source = *ir_symbol_get(m, (ir_sym)s);
    if (source.place != IR_EDGES || (source.kind != IR_INTEGRAL && source.kind != IR_GEOMETRY)) continue;
    source.purpose.role = IR_MESH_SOURCE, source.purpose.of = (ir_sym)s;
    ir_symbol_add(m, source);
  }
}
