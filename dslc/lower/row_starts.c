/* Where kernels have windows, `X.prev` with divisions or roots becomes an equation of its own, which a window can keep for its rows;
 * what boundary rules say of X they say of it. */
#include "lower/lower.h"

static bool is_worth_a_row(lowering *l, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(l->m, sym);
  bool point = q->place >= IR_CELLS && q->place < IR_XLINE;
  if (q->kind != IR_EQUATION || !q->root[0] || !point || q->type.n != 1 || q->tuple.n_parts > 0) return false;
  name text = intern_str(l->m->names, arena_printf(l->m->memory, "%s.prev", q->text));
  if (ir_symbol_find(l->m, text) || schedule_form(l->schedule, text) == FORM_INLINE) return false;
  ir_cost cost = ir_cost_of(l->m, q->root, 1, 1);
  return cost.slow > 0 && !lower_sums_up(l->m, sym);
}

static ir_id at_start(void *ctx, ir_module *m, ir_id id) {
  (void)ctx;
  ir_node n = *ir_get(m, id);
  if (n.op != IR_READ || n.read.level != IR_NOW) return 0;
  const ir_symbol *q = ir_symbol_get(m, n.read.sym);
  if ((q->kind != IR_STATE && q->kind != IR_EQUATION) || q->place >= IR_XLINE) return 0;
  n.read.level = IR_PREV;
  return ir_rebuild(m, &n, NULL);
}

/* What boundary rules say of X they say of X.prev. */
static void copy_rules(ir_module *m, ir_sym sym, ir_sym copy) {
  const ir_entries all = ir_entries_of(m, sym);
  for (int i = 0; i < all.n; i++) {
    ir_rule_entry e = *ir_entry_at(m, &all, i);
    e.target = copy;
    e.root = rewrite_value(m, e.root, at_start, NULL);
    ir_entry_add(m, all.at[i].rule, e);
  }
}

static void keep_in_rows(ir_module *m, ir_sym sym) {
  ir_symbol s = *ir_symbol_get(m, sym);
  s.text = intern_str(m->names, arena_printf(m->memory, "%s.prev", s.text));
  s.root[0] = rewrite_value(m, s.root[0], at_start, NULL);
  s.purpose.role = IR_ROW_START, s.purpose.of = sym;
  ir_sym copy = ir_symbol_add(m, s);
  copy_rules(m, sym, copy);
}

/* Also what is looked back at by what is expanded. */
void lower_row_starts(lowering *l) {
  const ir_module *m = l->m;
  if (!m->on_grid || m->dims != 2 || !l->schedule->grid.window) return;
  reads_back r = reads_back_find(m);
  for (int done = 0; done < r.sym.n; done++) reads_back_follow(m, &r, r.sym.at[done]);
  for (int i = 0; i < r.sym.n; i++)
    if (is_worth_a_row(l, r.sym.at[i])) keep_in_rows(l->m, r.sym.at[i]);
}
