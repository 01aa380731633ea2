/* Copies of values with other leaves, within one module. */
#include "base/defects.h"
#include "lower/lower.h"

ir_id rewrite_value(ir_module *m, ir_id root, rewrite_leaf *leaf, void *ctx) {
  ir_reached all = ir_reach(m, &root, 1);
  ir_id *copy = arena_array(m->memory, ir_id, all.n + 1);
  for (int i = 0; i < all.n; i++) {
    copy[i] = leaf(ctx, m, all.at[i]);
    if (copy[i]) continue;
    const ir_node n = *ir_get(m, all.at[i]);
    ir_id args[IR_MOST_ARGS];
    for (int k = 0; k < n.n_args; k++) args[k] = copy[ir_reached_place(&all, ir_args(m, &n)[k])];
    copy[i] = ir_rebuild(m, &n, args);
    const ir_origin o = m->origin.at[all.at[i]];
    ir_name(m, copy[i], o.hint, o.tag, o.at);
  }
  return copy[ir_reached_place(&all, root)];
}

ir_id rewrite_read(ir_module *m, ir_sym sym, ir_level level, ir_at at, int k) {
  ir_node n = *ir_get(m, ir_read(m, sym, level, at, NULL));
  if (n.type.rank != IR_BOOL) n.type = ir_scalar();
  n.read.first = (uint8_t)k;
  return ir_rebuild(m, &n, NULL);
}

bool rewrite_reads(const ir_module *m, ir_id root, ir_sym sym) {
  unsigned char *seen = arena_array(m->memory, unsigned char, m->symbol.n);
  VEC(ir_id) work = {0};
  vec_push(m->memory, &work, root);
  while (work.n > 0) {
    ir_id next = work.at[--work.n];
    ir_reached all = ir_reach(m, &next, 1);
    for (int i = 0; i < all.n; i++) {
      const ir_node *n = ir_get(m, all.at[i]);
      if (n->op != IR_READ && n->op != IR_PARAM) continue;
      const ir_sym read =
          defect_is_back("free_step_of_nothing") ? n->read.sym : ir_known_with(m, n->read.sym);
      if (n->read.sym == sym || read == sym) return true;
      const ir_symbol *q = ir_symbol_get(m, read);
      if (seen[read] || (q->kind != IR_EQUATION && q->kind != IR_GLOBAL && q->kind != IR_MATRIX)) continue;
      seen[read] = 1;
      for (int part = 0; part < 2; part++)
        if (q->root[part]) vec_push(m->memory, &work, q->root[part]);
    }
  }
  return false;
}
