/* Numbers that no step changes. What an equation at cells is, or what rules say that it is beyond boundaries, may be a number where the other is
 * not: the setup writes it once. */
#include "schedule/storage.h"

/* A number, or one that is known when the run begins. */
static bool is_known(const ir_module *m, ir_id root) {
  const ir_reached all = ir_reach(m, &root, 1);
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(m, all.at[i]);
    if (n->op == IR_READ || n->op == IR_REDUCE) return false;
    if (n->op == IR_PARAM && ir_symbol_get(m, n->read.sym)->kind != IR_PARAMETER) return false;
  }
  return true;
}

static bool rules_know(const problem *p, ir_sym sym) {
  for (int r = 1; r < p->from->rule.n; r++) {
    if (!p->rule_used[r]) continue;
    const ir_rule_entry *e = ir_entry_find(p->from, r, sym, IR_GHOST);
    if (!e || !is_known(p->from, e->root)) return false;
  }
  return true;
}

void lasting_decide(const problem *p, const symbol_use *use, symbol_storage *made) {
  const ir_module *m = p->from;
  if (m->on_grid || p->options->periodic) return;
  for (int s = 1; s < m->symbol.n; s++) {
    const ir_symbol *q = ir_symbol_get(m, (ir_sym)s);
    const bool own = q->kind == IR_EQUATION && q->place == IR_CELLS && q->purpose.role == IR_AS_WRITTEN;
    if (!own || !made[s].stored || made[s].fixed || made[s].prev || !use[s].ghost_rule) continue;
    made[s].lasts = is_known(m, q->root[0]);
    made[s].ghosts_last = rules_know(p, (ir_sym)s);
  }
}
