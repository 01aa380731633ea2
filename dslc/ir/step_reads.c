/* Whether the step is computed from a quantity of the mesh: through equations, globals and matrices, but not through dt, which says how far
 * a step goes and not what it computes. */
#include <string.h>

#include "ir/ir.h"

typedef struct search {
  const ir_module *m;
  ir_sym wanted;
  bool *seen; /* by symbol */
  VEC(ir_sym) open;
} search;

static void meet(search *s, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(s->m, sym);
  const bool is_dt = q->kind == IR_GLOBAL && strcmp(q->text, "dt") == 0;
  if (sym == 0 || s->seen[sym] || is_dt) return;
  s->seen[sym] = true;
  vec_push(s->m->memory, &s->open, sym);
}

static void follow(search *s, ir_id root) {
  if (root == 0) return;
  const ir_reached all = ir_reach(s->m, &root, 1);
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(s->m, all.at[i]);
    if (n->op == IR_READ) meet(s, n->read.sym);
  }
}

static void follow_statements(search *s, const ir_stmt *stmt, int n) {
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < stmt[i].assign.n; k++) follow(s, stmt[i].assign.at[k].value);
    follow(s, stmt[i].rhs);
    meet(s, stmt[i].matrix);
    follow_statements(s, stmt[i].body.at, stmt[i].body.n);
  }
}

bool ir_step_reads(const ir_module *m, const char *text) {
  search s = {.m = m, .seen = arena_array(m->memory, bool, m->symbol.n)};
  for (int i = 1; i < m->symbol.n; i++)
    if (m->symbol.at[i].kind == IR_GEOMETRY && strcmp(m->symbol.at[i].text, text) == 0) s.wanted = (ir_sym)i;
  if (!s.wanted) return false;
  follow_statements(&s, m->step.at, m->step.n);
  while (s.open.n > 0 && !s.seen[s.wanted]) {
    const ir_symbol *q = ir_symbol_get(m, s.open.at[--s.open.n]);
    for (int k = 0; k < 2; k++) follow(&s, q->root[k]);
  }
  return s.seen[s.wanted];
}
