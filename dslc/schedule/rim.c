/* What boundary rules alone look at. A rule reads cells from their faces at the boundary; an equation at cells that nobody else reads in a step
 * is computed there only: in the cells with such a face, the rim, or where what a rule reads sums over neighbours, in those beside them too. */
#include "schedule/storage.h"

/* How far from the boundary somebody reads a quantity. */
typedef enum reach {
  REACH_NONE,
  REACH_RIM,  /* faces: those at boundaries; cells: those with such a face */
  REACH_WIDE, /* cells: and those across a face of them */
  REACH_ALL
} reach;

typedef struct looking {
  const problem *p;
  const symbol_storage *made;
  unsigned char *far; /* by symbol: a reach */
} looking;

static reach of_read(ir_place place, reach own, const ir_node *n) {
  if (own == REACH_ALL || n->read.level != IR_NOW) return REACH_ALL;
  if (n->read.at == IR_AT_HERE) return own;
  if (place == IR_FACES) return n->read.at == IR_AT_L ? REACH_RIM : REACH_ALL;
  return place == IR_CELLS && n->read.at == IR_AT_D ? own + 1 : REACH_ALL;
}

static void look(const looking *l, ir_id root, ir_place place, reach own) {
  const ir_module *m = l->p->from;
  const ir_reached all = ir_reach(m, &root, 1);
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(m, all.at[i]);
    if (n->op != IR_READ) continue;
    const reach far = of_read(place, own, n);
    if (far > l->far[n->read.sym]) l->far[n->read.sym] = (unsigned char)far;
  }
}

static void look_from_rules(const looking *l) {
  const ir_module *m = l->p->from;
  for (int r = 1; r < m->rule.n; r++)
    for (int i = 0; l->p->rule_used[r] && i < m->rule.at[r].entry.n; i++)
      look(l, m->rule.at[r].entry.at[i].root, IR_FACES, REACH_RIM);
}

static void look_from_statements(const looking *l, const ir_stmt *list, int n) {
  for (int i = 0; i < n; i++) {
    const ir_stmt *st = &list[i];
    const ir_id other[] = {st->over, st->rhs, st->until, st->at_most};
    for (int k = 0; k < st->assign.n; k++) look(l, st->assign.at[k].value, IR_NOWHERE, REACH_ALL);
    for (int k = 0; k < (int)(sizeof other / sizeof *other); k++)
      if (other[k]) look(l, other[k], IR_NOWHERE, REACH_ALL);
    look_from_statements(l, st->body.at, st->body.n);
  }
}

static void look_from_the_rest(const looking *l) {
  const ir_module *m = l->p->from;
  for (int i = 0; i < m->require.n; i++) look(l, m->require.at[i].condition, IR_NOWHERE, REACH_ALL);
  for (int i = 0; i < m->constraint.n; i++) look(l, m->constraint.at[i].root, IR_NOWHERE, REACH_ALL);
  for (int s = 1; s < m->symbol.n; s++) {
    const ir_symbol *q = ir_symbol_get(m, (ir_sym)s);
    if (q->kind != IR_EQUATION && q->root[0]) look(l, q->root[0], IR_NOWHERE, REACH_ALL);
  }
}

/* An equation that is stored at faces is computed at all of them. */
static void look_from_equation(const looking *l, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(l->p->from, sym);
  const bool here = q->place == IR_CELLS || (q->place == IR_FACES && !l->made[sym].stored);
  const reach own = here && q->purpose.role == IR_AS_WRITTEN ? (reach)l->far[sym] : REACH_ALL;
  if (q->kind != IR_EQUATION || l->far[sym] == REACH_NONE) return;
  for (int part = 0; part < 2; part++)
    if (q->root[part]) look(l, q->root[part], q->place, own);
}

/* Of those that keep their values the setup computes all. */
void rim_decide(const problem *p, const dependence *d, symbol_storage *made) {
  const ir_module *m = p->from;
  const looking l = {p, made, arena_array(p->memory, unsigned char, m->symbol.n)};
  if (m->on_grid || p->options->periodic) return;
  look_from_rules(&l);
  look_from_statements(&l, m->step.at, m->step.n);
  look_from_the_rest(&l);
  for (int i = m->symbol.n - 1; i > 0; i--) look_from_equation(&l, d->order[i]);
  for (int s = 1; s < m->symbol.n; s++) {
    const ir_symbol *q = ir_symbol_get(m, (ir_sym)s);
    const bool own = q->kind == IR_EQUATION && q->place == IR_CELLS && q->purpose.role == IR_AS_WRITTEN;
    made[s].rim = own && made[s].stored && !made[s].fixed && !made[s].scatter && !made[s].prev &&
                  l.far[s] != REACH_NONE && l.far[s] != REACH_ALL;
  }
}
