/* Meshes: what a reader beyond a boundary has to find there. An equation that no rule gives follows point by point: beyond the boundary it
 * is made of what it reads at its own point. So where a rule gives one of these, or where one sums over faces, that one needs a value
 * of its own there. */
#include "schedule/storage.h"

typedef struct following {
  const problem *p;
  int rule;
  char *known; /* by symbol: 1 it follows from the rule, 2 it does not; NULL: nobody has asked yet */
} following;

static bool follows_from(following *f, ir_sym sym);

/* Sums follow if they consist of geometry and givens; see sema/boundary.c. */
static bool formula_follows(following *f, const ir_symbol *q) {
  const ir_module *m = f->p->from;
  bool sums = false, changes = false, all_follow = true;
  ir_reached all = ir_reach(m, q->root, 1);
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(m, all.at[i]);
    sums = sums || n->op == IR_REDUCE;
    if (n->op != IR_READ) continue;
    ir_symbol_kind kind = ir_symbol_get(m, n->read.sym)->kind;
    changes = changes || kind == IR_STATE || kind == IR_EQUATION;
    if (n->read.at == IR_AT_HERE) all_follow = all_follow && follows_from(f, n->read.sym);
  }
  return sums ? !changes : all_follow;
}

static bool follows_from(following *f, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(f->p->from, sym);
  if (ir_entry_find(f->p->from, f->rule, sym, IR_GHOST)) return true;
  if (q->kind != IR_EQUATION || !q->root[0]) return q->kind != IR_STATE;
  if (!f->known) f->known = arena_array(f->p->memory, char, f->p->from->symbol.n);
  if (!f->known[sym]) f->known[sym] = formula_follows(f, q) ? 1 : 2;
  return f->known[sym] == 1;
}

/* Does some rule in use leave the equation to what it reads? */
static bool is_left_to_formula(following *by_rule, ir_sym sym) {
  const problem *p = by_rule[0].p;
  for (int r = 1; r < p->from->rule.n; r++)
    if (p->rule_used[r] && !ir_entry_find(p->from, r, sym, IR_GHOST) && follows_from(&by_rule[r], sym))
      return true;
  return false;
}

static following *by_rule_of(const problem *p) {
  following *all = arena_array(p->memory, following, p->from->rule.n + 1);
  all[0].p = p;
  for (int r = 1; r < p->from->rule.n; r++) all[r] = (following){p, r, NULL};
  return all;
}

/* What equations read at their own point that are read beyond, and are left to their formulas there; and so on. */
const bool *followed_beyond(const problem *p, const symbol_use *use) {
  const ir_module *m = p->from;
  bool *followed = arena_array(p->memory, bool, m->symbol.n);
  following *by_rule = by_rule_of(p);
  VEC(ir_sym) work = {0};
  for (int s = 1; s < m->symbol.n; s++)
    if (use[s].across) vec_push(p->memory, &work, (ir_sym)s);
  while (work.n > 0) {
    ir_sym sym = work.at[--work.n];
    const ir_symbol *q = ir_symbol_get(m, sym);
    if (q->kind != IR_EQUATION || q->place != IR_CELLS || !q->root[0] || !is_left_to_formula(by_rule, sym))
      continue;
    ir_reached all = ir_reach(m, q->root, 1);
    for (int i = 0; i < all.n; i++) {
      const ir_node *n = ir_get(m, all.at[i]);
      if (n->op != IR_READ || n->read.at != IR_AT_HERE || followed[n->read.sym]) continue;
      followed[n->read.sym] = true;
      vec_push(p->memory, &work, n->read.sym);
    }
  }
  return followed;
}
