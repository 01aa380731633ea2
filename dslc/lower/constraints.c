/* Boundary rules at nodes as constraints: a `fix` gives the value of a state or equation, or projects it; an `add` adds to an equation.
 * Each rule in use and target make a constraint with rows of its own: the nodes of the rule's boundary, with the rule's arguments and
 * the boundary's normal and area at each. */
#include <string.h>

#include "lower/lower.h"

/* ---- rows' own symbols: arguments, normal, area -------------------------------------------------------------------- */

static bool is_by_row(const ir_symbol *q) {
  if (q->kind == IR_RULE_ARGUMENT) return true;
  bool geometry = q->kind == IR_GEOMETRY && q->place == IR_NODES;
  return geometry && (strcmp(q->text, "normal") == 0 || strcmp(q->text, "area") == 0);
}

typedef struct rows {
  int constraint; /* its number */
  int first;      /* its symbols come from here on */
  int *count;     /* of what lowerings have stored so far */
} rows;

static ir_sym clone_of(ir_module *m, ir_sym sym, const rows *r) {
  for (int s = r->first; s < m->symbol.n; s++)
    if (m->symbol.at[s].purpose.of == sym) return (ir_sym)s;
  ir_symbol copy = *ir_symbol_get(m, sym);
  copy.root[0] = copy.root[1] = 0;
  copy.purpose.role = IR_BY_ROW, copy.purpose.of = sym, copy.purpose.constraint = r->constraint;
  return ir_symbol_add(m, copy);
}

static ir_id read_by_row(void *ctx, ir_module *m, ir_id id) {
  ir_node n = *ir_get(m, id);
  if ((n.op != IR_READ && n.op != IR_PARAM) || !is_by_row(ir_symbol_get(m, n.read.sym))) return 0;
  n.read.sym = clone_of(m, n.read.sym, ctx);
  return ir_rebuild(m, &n, NULL);
}

/* ---- sums in rules ----------------------------------------------------------------------------------------------- */

static bool is_same_in_all_rows(const ir_module *m, ir_id id) {
  ir_reached all = ir_reach(m, &id, 1);
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(m, all.at[i]);
    if ((n->op == IR_READ || n->op == IR_PARAM) && ir_symbol_get(m, n->read.sym)->purpose.role == IR_BY_ROW)
      return false;
  }
  return true;
}

/* A sum over neighbours becomes an equation, so that it is complete before the first row changes a value. */
static ir_id read_sum(void *ctx, ir_module *m, ir_id id) {
  const rows *r = ctx;
  const ir_node n = *ir_get(m, id);
  if (n.op != IR_REDUCE || !is_same_in_all_rows(m, id)) return 0;
  ir_symbol s = {.kind = IR_EQUATION,
                 .place = IR_NODES,
                 .type = ir_scalar(),
                 .dims = m->dims,
                 .root = {id},
                 .purpose.role = IR_RULE_SUM,
                 .at = m->origin.at[id].at};
  s.text = intern_str(m->names, arena_printf(m->memory, "rule_sum%d", ++*r->count));
  return rewrite_read(m, ir_symbol_add(m, s), IR_NOW, IR_AT_HERE, 0);
}

/* ---- constraints ------------------------------------------------------------------------------------------------------ */

static void add_constraint(ir_module *m, uint32_t rule, const ir_rule_entry *e, int *count) {
  bool add = e->kind == IR_ADD_RULE;
  if ((e->kind != IR_FIX && !add) || ir_symbol_get(m, e->target)->place != IR_NODES) return;
  rows r = {.constraint = m->constraint.n, .first = m->symbol.n, .count = count};
  ir_constraint c = {.rule = rule, .target = e->target, .add = add, .projection = e->projection, .at = e->at};
  c.root = rewrite_value(m, e->root, read_by_row, &r);
  c.root = rewrite_value(m, c.root, read_sum, &r);
  vec_push(m->memory, &m->constraint, c);
}

void lower_constraints(lowering *l) {
  ir_module *m = l->m;
  if (m->on_grid) return;
  int count = lower_count(m);
  for (int r = 1, n = m->rule.n; r < n; r++) {
    const ir_rule rule = m->rule.at[r];
    for (int i = 0; l->rule_used[r] && i < rule.entry.n; i++)
      add_constraint(m, (uint32_t)r, &rule.entry.at[i], &count);
  }
  ir_sym time = lower_time(m);
  for (int i = 0; time && i < m->constraint.n; i++)
    if (rewrite_reads(m, m->constraint.at[i].root, time)) lower_need_stage_time(m);
}
