/* The lowerings of `if c then a else b`. In the delta form the value is d*a + (1-d)*b with d = 1 or 0. Both
 * arms are computed whatever c is, and 0*inf is a NaN: so an arm must be finite also where it is not taken.
 *
 * An arm that is not proved finite is guarded: wherever it divides by b, or takes the root, logarithm or
 * power of b, b becomes d*b + (1-d), which is b where the arm is taken and 1 where it is not. What has to be
 * rebuilt for that are the nodes below the arm that are not proved finite (they are few: that bounds the
 * work); if one of them is of another kind - a read, an exponential, a kept select - the select stays.
 *
 * Facts are those of the old nodes: lowering keeps values. */
#include "pass/pass.h"

enum { MOST_GUARDED = 24, MOST_ARGS = 255 };

typedef struct lowering {
  const ir_module *from;
  const ir_facts *facts;
  ir_id *new_id; /* by old node */
  select_report *report;
} lowering;

static bool is_value(const ir_module *m, ir_id id, double value) {
  const ir_node *n = ir_get(m, id);
  return n->op == IR_CONST && n->value == value;
}

static bool is_delta(const ir_module *m, ir_id id) {
  const ir_node *n = ir_get(m, id);
  const ir_id *args = ir_args(m, n);
  return n->op == IR_SELECT && n->type.rank == IR_SCALAR && is_value(m, args[1], 1) &&
         is_value(m, args[2], 0);
}

/* ---- guards -------------------------------------------------------------------------------------------- */

/* The part of an arm that is not proved finite, operands first. */
typedef struct cone {
  ir_id old[MOST_GUARDED], rebuilt[MOST_GUARDED];
  int n;
} cone;

static int cone_find(const cone *c, ir_id old) {
  for (int i = 0; i < c->n; i++)
    if (c->old[i] == old) return i;
  return -1;
}

/* Which operand a guard makes harmless; -1: the operator is finite if its operands are; -2: no guard helps.
 */
static int guarded_operand(const lowering *l, const ir_node *n) {
  switch (n->op) {
  case IR_DIV: return 1;
  case IR_SQRT:
  case IR_LOG: return 0;
  case IR_POW: return ir_get(l->from, ir_args(l->from, n)[1])->op == IR_CONST ? 0 : -2;
  case IR_ADD:
  case IR_SUB:
  case IR_NEG:
  case IR_MUL:
  case IR_MIN:
  case IR_MAX:
  case IR_ABS:
  case IR_CBRT:
  case IR_SIN:
  case IR_COS:
  case IR_TAN:
  case IR_ATAN:
  case IR_ATAN2:
  case IR_TANH:
  case IR_FLOOR: return -1;
  default: return -2;
  }
}

static bool gather(const lowering *l, ir_id arm, cone *c) {
  c->n = 0;
  c->old[c->n++] = arm;
  for (int i = 0; i < c->n; i++) {
    const ir_node *n = ir_get(l->from, c->old[i]);
    if (guarded_operand(l, n) == -2) return false;
    for (int k = 0; k < n->n_args; k++) {
      ir_id arg = ir_args(l->from, n)[k];
      if (l->facts[arg].finite || cone_find(c, arg) >= 0) continue;
      if (c->n == MOST_GUARDED) return false;
      c->old[c->n++] = arg;
    }
  }
  return true;
}

static void sort_cone(cone *c) {
  for (int i = 1; i < c->n; i++)
    for (int j = i; j > 0 && c->old[j - 1] > c->old[j]; j--) {
      ir_id swap = c->old[j];
      c->old[j] = c->old[j - 1];
      c->old[j - 1] = swap;
    }
}

/* A divisor and an argument that cannot do harm need no guard. */
static bool is_harmless(const lowering *l, const ir_node *n) {
  const ir_id *args = ir_args(l->from, n);
  const ir_facts *f = &l->facts[args[n->op == IR_DIV ? 1 : 0]];
  if (!f->finite) return false;
  return n->op == IR_DIV ? f->nonzero : n->op == IR_SQRT ? f->nonnegative : f->positive;
}

/* d*b + (1-d) */
static ir_id guard(ir_module *to, ir_id taken, ir_id other, ir_id b) {
  return ir_binary(to, IR_ADD, ir_binary(to, IR_MUL, taken, b), other);
}

/* The arm, finite where it is not taken; 0 if that cannot be had. `taken` is 1 where the arm is the value,
 * `other` 1 where it is not. */
static ir_id guarded_arm(const lowering *l, ir_module *to, ir_id arm, ir_id taken, ir_id other) {
  cone c;
  if (!gather(l, arm, &c)) return 0;
  sort_cone(&c);
  for (int i = 0; i < c.n; i++) {
    const ir_node *n = ir_get(l->from, c.old[i]);
    ir_id args[3] = {0, 0, 0};
    for (int k = 0; k < n->n_args; k++) {
      int at = cone_find(&c, ir_args(l->from, n)[k]);
      args[k] = at >= 0 ? c.rebuilt[at] : l->new_id[ir_args(l->from, n)[k]];
    }
    int k = guarded_operand(l, n);
    if (k >= 0 && !is_harmless(l, n)) args[k] = guard(to, taken, other, args[k]);
    c.rebuilt[i] = ir_rebuild(to, n, args);
    const ir_origin *o = &l->from->origin.at[c.old[i]];
    ir_name(to, c.rebuilt[i], o->hint, o->tag, o->at);
  }
  return c.rebuilt[c.n - 1]; /* the arm has the largest number */
}

/* ---- deltas -------------------------------------------------------------------------------------------- */

/* d*a; the factor 1 is left out. */
static ir_id delta_term(ir_module *to, ir_id d, ir_id a) {
  return is_value(to, a, 1) ? d : ir_binary(to, IR_MUL, d, a);
}

/* d*a beside an arm of 0, which is 0 and not -0 where a is negative: who divides by it would get the other infinity. */
static ir_id delta_or_zero(ir_module *to, ir_id d, ir_id a, bool nonnegative) {
  const ir_id term = delta_term(to, d, a);
  return nonnegative ? term : ir_binary(to, IR_ADD, term, ir_const(to, 0));
}

/* d*a + (1-d)*b without the term that an arm of 0 makes superfluous. */
static ir_id delta_sum(const lowering *l, ir_module *to, const ir_id *old, const ir_id d[2], ir_id a,
                       ir_id b) {
  if (is_value(to, b, 0)) return delta_or_zero(to, d[0], a, l->facts[old[1]].nonnegative);
  if (is_value(to, a, 0)) return delta_or_zero(to, d[1], b, l->facts[old[2]].nonnegative);
  return ir_binary(to, IR_ADD, delta_term(to, d[0], a), delta_term(to, d[1], b));
}

static ir_id choose_bool(ir_module *to, ir_id c, ir_id a, ir_id b) {
  ir_id first = ir_binary(to, IR_AND, c, a), second = ir_binary(to, IR_AND, ir_unary(to, IR_NOT, c), b);
  return ir_binary(to, IR_OR, first, second);
}

static ir_id lower_select(lowering *l, ir_module *to, const ir_node *n, const ir_id *args) {
  const ir_id *old = ir_args(l->from, n);
  l->report->total++;
  if (n->type.rank == IR_BOOL) {
    l->report->delta++;
    return choose_bool(to, args[0], args[1], args[2]);
  }
  ir_id one = ir_const(to, 1), d = ir_select(to, args[0], one, ir_const(to, 0)),
        not_d = ir_binary(to, IR_SUB, one, d);
  bool finite_a = l->facts[old[1]].finite, finite_b = l->facts[old[2]].finite;
  ir_id a = finite_a ? args[1] : guarded_arm(l, to, old[1], d, not_d);
  ir_id b = finite_b ? args[2] : guarded_arm(l, to, old[2], not_d, d);
  if (a == 0 || b == 0) {
    l->report->kept++;
    return ir_rebuild(to, n, args);
  }
  if (finite_a && finite_b) l->report->delta++;
  else l->report->guarded++;
  return delta_sum(l, to, old, (const ir_id[]){d, not_d}, a, b);
}

static ir_id to_delta(void *ctx, ir_module *to, const ir_node *n, const ir_id *args, ir_id old) {
  lowering *l = ctx;
  bool lower = n->op == IR_SELECT && !is_delta(l->from, old);
  l->new_id[old] = lower ? lower_select(l, to, n, args) : ir_rebuild(to, n, args);
  return l->new_id[old];
}

/* The other two forms differ in the emitters only. */
static ir_id keep(void *ctx, ir_module *to, const ir_node *n, const ir_id *args, ir_id old) {
  lowering *l = ctx;
  bool counts = n->op == IR_SELECT && !is_delta(l->from, old);
  l->report->total += counts;
  l->report->kept += counts;
  return ir_rebuild(to, n, args);
}

ir_module *pass_select(const ir_module *m, select_form form, select_report *report) {
  select_report unused;
  lowering l = {.from = m, .report = report ? report : &unused};
  *l.report = (select_report){0};
  if (form != SELECT_DELTA) return ir_map(m, keep, &l);
  l.facts = ir_facts_compute(m);
  l.new_id = arena_array(m->memory, ir_id, m->node.n);
  return ir_map(m, to_delta, &l);
}
