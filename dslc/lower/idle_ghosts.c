/* On meshes a rule may say what an equation's reader would see beyond its faces, and replace every flux that looks there: then nobody asks for
 * the first. A kernel over all faces still reads something there, of which nothing becomes of it; so a copy of the cell inside will do, and
 * what the rule would have read need not be there in time. */
#include "lower/lower.h"

/* Symbols whose values beyond the faces of one rule somebody asks for, and those they may follow from there. */
typedef struct asked {
  const ir_module *m;
  bool *seen; /* by symbol */
  VEC(ir_sym) open;
} asked;

static void ask(asked *a, ir_sym sym) {
  if (a->seen[sym]) return;
  a->seen[sym] = true;
  vec_push(a->m->memory, &a->open, sym);
}

/* across: only what is read beyond faces. */
static void ask_for_reads(asked *a, ir_id root, bool across) {
  if (root == 0) return;
  const ir_reached all = ir_reach(a->m, &root, 1);
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(a->m, all.at[i]);
    if (n->op != IR_READ) continue;
    if (!across || n->read.at == IR_AT_R || n->read.at == IR_AT_D) ask(a, n->read.sym);
  }
}

static void ask_across(void *ctx, ir_id *root) { ask_for_reads(ctx, *root, true); }

static asked asked_beyond(ir_module *m, int rule) {
  asked a = {.m = m, .seen = arena_array(m->memory, bool, m->symbol.n)};
  for (int s = 1; s < m->symbol.n; s++) {
    const ir_symbol *q = ir_symbol_get(m, (ir_sym)s);
    const bool replaced = q->place == IR_FACES && ir_entry_find(m, rule, (ir_sym)s, IR_FLUX);
    for (int k = 0; k < 2 && !replaced; k++) ask_for_reads(&a, q->root[k], true);
  }
  ir_each_step_root(m, ask_across, &a);
  ir_each_rule_root(m, ask_across, &a);
  while (a.open.n > 0) {
    const ir_symbol *q = ir_symbol_get(m, a.open.at[--a.open.n]);
    for (int k = 0; k < 2; k++) ask_for_reads(&a, q->root[k], false);
  }
  return a;
}

static bool reads_equation(const ir_module *m, ir_id root) {
  const ir_reached all = ir_reach(m, &root, 1);
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(m, all.at[i]);
    if (n->op == IR_READ && ir_symbol_get(m, n->read.sym)->kind == IR_EQUATION) return true;
  }
  return false;
}

static bool may_be_idle(const ir_module *m, const ir_rule_entry *e) {
  return e->kind == IR_GHOST && reads_equation(m, e->root);
}

static void copy_inside(ir_module *m, int rule) {
  ir_rule *r = &m->rule.at[rule];
  bool replaces = false, may = false;
  for (int i = 0; i < r->entry.n; i++) {
    replaces = replaces || r->entry.at[i].kind == IR_FLUX;
    may = may || may_be_idle(m, &r->entry.at[i]);
  }
  if (!replaces || !may) return;
  const asked a = asked_beyond(m, rule);
  for (int i = 0; i < r->entry.n; i++) {
    ir_rule_entry *e = &r->entry.at[i];
    if (may_be_idle(m, e) && !a.seen[e->target]) e->root = ir_read(m, e->target, IR_NOW, IR_AT_L, NULL);
  }
}

void lower_idle_ghosts(lowering *l) {
  for (int r = 1; !l->m->on_grid && r < l->m->rule.n; r++)
    if (l->rule_used[r]) copy_inside(l->m, r);
}
