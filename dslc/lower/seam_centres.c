/* Where a rule on a grid fixes a point to what is assigned to the next one inside, that value is computed again, from there. Across a
 * periodic side the next point is one of the other side, with the centres of cells that it has there, while centres go on as seen from
 * here; so what statements read of them is kept as an equation, which has its values at its own points. */
#include "lower/lower.h"

static bool reads_inside(const ir_module *m, ir_id root) {
  ir_reached all = ir_reach(m, &root, 1);
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(m, all.at[i]);
    if (n->op == IR_READ && ir_symbol_get(m, n->read.sym)->kind == IR_STATE) return true;
  }
  return false;
}

bool lower_fixes_to_states(const ir_module *m, const bool *rule_used) {
  for (int r = 1; m->on_grid && r < m->rule.n; r++)
    for (int i = 0; rule_used[r] && i < m->rule.at[r].entry.n; i++) {
      const ir_rule_entry *e = &m->rule.at[r].entry.at[i];
      bool state = ir_symbol_get(m, e->target)->kind == IR_STATE;
      if (e->kind == IR_FIX && state && reads_inside(m, e->root)) return true;
    }
  return false;
}

static ir_sym kept(ir_module *m, ir_place place, ir_id read) {
  const ir_symbol *q = ir_symbol_get(m, ir_get(m, read)->read.sym);
  for (int s = 1; s < m->symbol.n; s++)
    if (m->symbol.at[s].purpose.role == IR_INVARIANT && m->symbol.at[s].root[0] == read &&
        m->symbol.at[s].place == place)
      return (ir_sym)s;
  const char *text = arena_printf(m->memory, "%s(%s)", q->text, ir_place_text(place));
  ir_symbol s = {.text = lower_fresh_name(m, text),
                 .kind = IR_EQUATION,
                 .purpose.role = IR_INVARIANT,
                 .place = place,
                 .type = ir_scalar(),
                 .dims = m->dims,
                 .root = {read}};
  return ir_symbol_add(m, s);
}

static ir_id keep_centre(void *ctx, ir_module *m, ir_id id) {
  const ir_place place = *(const ir_place *)ctx;
  const ir_node *n = ir_get(m, id);
  if (n->op != IR_READ) return 0;
  const ir_symbol *q = ir_symbol_get(m, n->read.sym);
  bool centre = q->kind == IR_GEOMETRY && q->place >= IR_XLINE && q->text[1] == 'c';
  return centre ? rewrite_read(m, kept(m, place, id), IR_NOW, IR_AT_HERE, 0) : 0;
}

static void keep_centres(ir_module *m, ir_stmt *list, int n) {
  for (int i = 0; i < n; i++) {
    const bool assigns = list[i].kind == IR_UPDATE || list[i].kind == IR_INTEGRATE;
    for (int k = 0; assigns && k < list[i].assign.n; k++) {
      ir_assign *a = &list[i].assign.at[k];
      ir_place place = ir_symbol_get(m, a->target)->place;
      a->value = rewrite_value(m, a->value, keep_centre, &place);
    }
    keep_centres(m, list[i].body.at, list[i].body.n);
  }
}

void lower_seam_centres(lowering *l) {
  if (!l->periodic || !lower_fixes_to_states(l->m, l->rule_used)) return;
  keep_centres(l->m, l->m->step.at, l->m->step.n);
}
