/* Behind a periodic side a point is the one on the other side, with all that holds there; only `xc`, `yc` and `zc`, as a reader names them,
 * go on. What rules say beyond walls, and formulas that follow there, are of points, not of readers: a reader across such a side asks for
 * them, too. They take centres as points have them, which are quantities of their own. */
#include "lower/lower.h"

static bool is_centre(const ir_symbol *q) {
  return q->kind == IR_GEOMETRY && q->place >= IR_XLINE && q->place <= IR_ZLINE && q->text[1] == 'c';
}

ir_sym lower_own_centre(const ir_module *m, ir_sym centre) {
  for (int s = 1; s < m->symbol.n; s++)
    if (m->symbol.at[s].purpose.role == IR_OWN_CENTRE && m->symbol.at[s].purpose.of == centre)
      return (ir_sym)s;
  return 0;
}

void lower_own_centres(lowering *l) {
  const int n = l->m->symbol.n;
  for (int s = 1; s < n && l->periodic && l->m->on_grid; s++) {
    ir_symbol q = *ir_symbol_get(l->m, (ir_sym)s);
    if (!is_centre(&q)) continue;
    q.purpose.role = IR_OWN_CENTRE;
    q.purpose.of = (ir_sym)s;
    q.text = lower_fresh_name(l->m, arena_printf(l->m->memory, "%s.own", q.text));
    ir_symbol_add(l->m, q);
  }
}
