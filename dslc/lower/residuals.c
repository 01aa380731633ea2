/* The reductions in the condition of a repeat become globals, so that kernels can compute their partial results together with what
 * the pass assigns. They stay in the condition as written: whoever reads it reads the global instead. */
#include "lower/lower.h"

typedef struct conditions {
  bool *known; /* by node: a reduction that has a global already */
  int count;
} conditions;

static bool *reductions_with_globals(const ir_module *m) {
  bool *known = arena_array(m->memory, bool, m->node.n + 1);
  for (int s = 1; s < m->symbol.n; s++)
    if (m->symbol.at[s].purpose.role == IR_PART_OF_GLOBAL) known[m->symbol.at[s].root[0]] = true;
  return known;
}

static name residual_name(ir_module *m, int number) {
  name text = intern_str(m->names, number == 1 ? "residual" : arena_printf(m->memory, "residual%d", number));
  while (ir_symbol_find(m, text)) text = intern_str(m->names, arena_printf(m->memory, "%s_", text));
  return text;
}

static void lower_condition(ir_module *m, const ir_stmt *st, conditions *c) {
  ir_reached reached = ir_reach(m, &st->until, 1);
  for (int i = 0; i < reached.n; i++) {
    ir_id id = reached.at[i];
    const ir_node *n = ir_get(m, id);
    if (n->op != IR_REDUCE || n->reduce.binder != IR_OVER_ALL || c->known[id]) continue;
    ir_symbol s = {.text = residual_name(m, ++c->count),
                   .kind = IR_GLOBAL,
                   .type = ir_scalar(),
                   .dims = m->dims,
                   .root = {id},
                   .purpose.role = IR_RESIDUAL,
                   .at = m->origin.at[id].at};
    c->known[id] = true;
    ir_symbol_add(m, s);
  }
}

static void lower_list(ir_module *m, const ir_stmt *st, int n, conditions *c) {
  for (int i = 0; i < n; i++) {
    if (st[i].kind != IR_REPEAT) continue;
    lower_condition(m, &st[i], c);
    lower_list(m, st[i].body.at, st[i].body.n, c);
  }
}

void lower_residuals(lowering *l) {
  conditions c = {.known = reductions_with_globals(l->m)};
  lower_list(l->m, l->m->step.at, l->m->step.n, &c);
}
