/* The reductions in the condition of a repeat become globals, so that kernels can compute their partial results together with what
 * the pass assigns. They stay in the condition as written: whoever reads it reads the global instead. */
#include "lower/lower.h"

/* A reduction that is a global's value already needs no other. */
static bool has_global(const ir_module *m, ir_id id) {
  for (int s = 1; s < m->symbol.n; s++) {
    const ir_symbol *q = &m->symbol.at[s];
    if ((q->role == IR_RESIDUAL || q->role == IR_PART_OF_GLOBAL) && q->root[0] == id) return true;
  }
  return false;
}

static name residual_name(ir_module *m, int number) {
  name text = intern_str(m->names, number == 1 ? "residual" : arena_printf(m->memory, "residual%d", number));
  while (ir_symbol_find(m, text)) text = intern_str(m->names, arena_printf(m->memory, "%s_", text));
  return text;
}

static void lower_condition(ir_module *m, const ir_stmt *st, int *count) {
  ir_reached reached = ir_reach(m, &st->until, 1);
  for (int i = 0; i < reached.n; i++) {
    ir_id id = reached.at[i];
    const ir_node *n = ir_get(m, id);
    if (n->op != IR_REDUCE || n->reduce.binder != IR_OVER_ALL || has_global(m, id)) continue;
    ir_symbol s = {.text = residual_name(m, ++*count),
                   .kind = IR_GLOBAL,
                   .type = ir_scalar(),
                   .dims = m->dims,
                   .root = {id},
                   .role = IR_RESIDUAL,
                   .at = m->origin.at[id].at};
    ir_symbol_add(m, s);
  }
}

static void lower_list(ir_module *m, const ir_stmt *st, int n, int *count) {
  for (int i = 0; i < n; i++) {
    if (st[i].kind != IR_REPEAT) continue;
    lower_condition(m, &st[i], count);
    lower_list(m, st[i].body.at, st[i].body.n, count);
  }
}

void lower_residuals(lowering *l) {
  int count = 0;
  lower_list(l->m, l->m->step.at, l->m->step.n, &count);
}
