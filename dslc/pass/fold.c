/* Constant folding and identities that keep the value. "Keep" admits one difference: the sign of a zero (x +
 * 0, 0 - x). Whatever would lose a NaN or an infinity is done only where the facts prove the operand finite.
 * Sums are never reordered. */
#include "base/defects.h"
#include "pass/pass.h"

typedef struct folder {
  const ir_module *from;
  const ir_facts *facts; /* of the old nodes: rewriting keeps values, so they hold for the new ones too */
} folder;

/* A node being rewritten, with its operands in both modules. */
typedef struct subject {
  ir_module *to;
  const ir_node *n;
  const ir_id *args;
  const ir_facts *fact[3];
} subject;

static bool is_const(const ir_module *m, ir_id id, double *value) {
  const ir_node *n = ir_get(m, id);
  *value = n->value;
  return n->op == IR_CONST;
}

static bool is_number(const ir_module *m, ir_id id, double value) {
  double x;
  return is_const(m, id, &x) && x == value;
}

/* The operand of a node of this operator, else 0. */
static ir_id operand_of(const ir_module *m, ir_id id, ir_op op) {
  const ir_node *n = ir_get(m, id);
  return n->op == op ? ir_args(m, n)[0] : 0;
}

static ir_id constant_like(ir_module *m, ir_type type, double value) {
  ir_node n = {.op = IR_CONST, .type = type};
  n.value = value;
  return ir_rebuild(m, &n, NULL);
}

static ir_id fold_constants(const subject *s) {
  double a[3];
  if (s->n->op < IR_ADD || s->n->op > IR_SELECT || s->n->type.n != 1) return 0;
  for (int k = 0; k < s->n->n_args; k++)
    if (!is_const(s->to, s->args[k], &a[k])) return 0;
  return constant_like(s->to, s->n->type, ir_apply((ir_op)s->n->op, a));
}

/* ---- arithmetic ---------------------------------------------------------------------------------------- */

static ir_id fold_add(const subject *s) {
  ir_id a = s->args[0], b = s->args[1], negated;
  if (is_number(s->to, b, 0)) return a;
  if (is_number(s->to, a, 0)) return b;
  if ((negated = operand_of(s->to, b, IR_NEG)) != 0) return ir_binary(s->to, IR_SUB, a, negated);
  if ((negated = operand_of(s->to, a, IR_NEG)) != 0) return ir_binary(s->to, IR_SUB, b, negated);
  return 0;
}

static ir_id fold_subtract(const subject *s) {
  ir_id a = s->args[0], b = s->args[1], negated;
  if (is_number(s->to, b, 0)) return a;
  if (is_number(s->to, a, 0)) return ir_unary(s->to, IR_NEG, b);
  if ((negated = operand_of(s->to, b, IR_NEG)) != 0) return ir_binary(s->to, IR_ADD, a, negated);
  if (a == b && s->fact[0]->finite && s->n->type.n == 1) return ir_const(s->to, 0);
  return 0;
}

static ir_id fold_multiply(const subject *s) {
  ir_id a = s->args[0], b = s->args[1];
  for (int k = 0; k < 2; k++) {
    ir_id factor = s->args[k], other = s->args[1 - k];
    if (is_number(s->to, factor, 1)) return other;
    if (is_number(s->to, factor, -1)) return ir_unary(s->to, IR_NEG, other);
    bool finite = s->fact[1 - k]->finite || defect_is_back("zero_over_zero");
    if (is_number(s->to, factor, 0) && finite && s->n->type.n == 1) return ir_const(s->to, 0);
  }
  ir_id na = operand_of(s->to, a, IR_NEG), nb = operand_of(s->to, b, IR_NEG);
  return na != 0 && nb != 0 ? ir_binary(s->to, IR_MUL, na, nb) : 0;
}

static ir_id fold_divide(const subject *s) {
  ir_id a = s->args[0], b = s->args[1];
  bool divides = (s->fact[1]->finite && s->fact[1]->nonzero) || defect_is_back("zero_over_zero");
  if (is_number(s->to, b, 1)) return a;
  if (is_number(s->to, b, -1)) return ir_unary(s->to, IR_NEG, a);
  if (is_number(s->to, a, 0) && divides) return a;
  if (a == b && divides) return ir_const(s->to, 1);
  ir_id na = operand_of(s->to, a, IR_NEG), nb = operand_of(s->to, b, IR_NEG);
  return na != 0 && nb != 0 ? ir_binary(s->to, IR_DIV, na, nb) : 0;
}

static ir_id fold_power(const subject *s) {
  if (is_number(s->to, s->args[1], 1)) return s->args[0];
  if (is_number(s->to, s->args[1], 0)) return ir_const(s->to, 1); /* pow(x, 0) is 1 for a NaN too */
  return 0;
}

static ir_id fold_abs(const subject *s) {
  ir_id a = s->args[0], negated = operand_of(s->to, a, IR_NEG);
  if (operand_of(s->to, a, IR_ABS) != 0) return a;
  return negated != 0 ? ir_unary(s->to, IR_ABS, negated) : 0;
}

/* ---- logic --------------------------------------------------------------------------------------------- */

static ir_id fold_logic(const subject *s) {
  bool is_and = s->n->op == IR_AND;
  if (s->args[0] == s->args[1]) return s->args[0];
  for (int k = 0; k < 2; k++) {
    double x;
    if (is_const(s->to, s->args[k], &x)) return (x != 0) == is_and ? s->args[1 - k] : s->args[k];
  }
  return 0;
}

/* Comparisons with a NaN are false, so `not (a < b)` is no `a >= b`; but == and != are each other's negation.
 */
static ir_id fold_not(const subject *s) {
  const ir_node *inner = ir_get(s->to, s->args[0]);
  if (inner->op == IR_NOT) return ir_args(s->to, inner)[0];
  if (inner->op != IR_EQ && inner->op != IR_NE) return 0;
  ir_node opposite = *inner;
  opposite.op = inner->op == IR_EQ ? IR_NE : IR_EQ;
  return ir_rebuild(s->to, &opposite, ir_args(s->to, inner));
}

/* An arm that asks the same condition again has its answer. */
static ir_id same_question(const ir_module *m, ir_id arm, ir_id condition, int answer) {
  const ir_node *n = ir_get(m, arm);
  return n->op == IR_SELECT && ir_args(m, n)[0] == condition ? ir_args(m, n)[answer] : arm;
}

static ir_id fold_select(const subject *s) {
  ir_id c = s->args[0], a = s->args[1], b = s->args[2], negated = operand_of(s->to, c, IR_NOT);
  double x;
  if (is_const(s->to, c, &x)) return x != 0 ? a : b;
  if (a == b) return a;
  if (negated != 0) return ir_select(s->to, negated, b, a);
  ir_id inner_a = same_question(s->to, a, c, 1), inner_b = same_question(s->to, b, c, 2);
  return inner_a != a || inner_b != b ? ir_select(s->to, c, inner_a, inner_b) : 0;
}

/* ---- structure ----------------------------------------------------------------------------------------- */

/* Components of a tuple that is built on the spot. */
static ir_id fold_part(const subject *s) {
  const ir_node *of = ir_get(s->to, s->args[0]);
  if (s->n->first == 0 && ir_type_equal(s->n->type, of->type)) return s->args[0];
  if (of->op != IR_TUPLE) return 0;
  for (int k = 0, at = 0; k < of->n_args; k++) {
    ir_id arg = ir_args(s->to, of)[k];
    if (at == s->n->first && ir_type_equal(ir_get(s->to, arg)->type, s->n->type)) return arg;
    at += ir_get(s->to, arg)->type.n;
  }
  return 0;
}

static ir_id simplify(const subject *s) {
  switch (s->n->op) {
  case IR_ADD: return fold_add(s);
  case IR_SUB: return fold_subtract(s);
  case IR_NEG: return operand_of(s->to, s->args[0], IR_NEG);
  case IR_MUL: return fold_multiply(s);
  case IR_DIV: return fold_divide(s);
  case IR_POW: return fold_power(s);
  case IR_MIN:
  case IR_MAX: return s->args[0] == s->args[1] ? s->args[0] : 0;
  case IR_ABS: return fold_abs(s);
  case IR_AND:
  case IR_OR: return fold_logic(s);
  case IR_NOT: return fold_not(s);
  case IR_SELECT: return fold_select(s);
  case IR_PART: return fold_part(s);
  case IR_REDUCE: return s->n->reduce.kind == IR_SUM && is_number(s->to, s->args[0], 0) ? s->args[0] : 0;
  default: return 0;
  }
}

static ir_id fold(void *ctx, ir_module *to, const ir_node *n, const ir_id *args, ir_id old) {
  const folder *f = ctx;
  subject s = {.to = to, .n = n, .args = args};
  (void)old;
  for (int k = 0; k < n->n_args && k < 3; k++) s.fact[k] = &f->facts[ir_args(f->from, n)[k]];
  ir_id id = n->n_args > 0 ? fold_constants(&s) : 0;
  if (id == 0) id = simplify(&s);
  return id != 0 ? id : ir_rebuild(to, n, args);
}

ir_module *pass_fold(const ir_module *m) {
  folder f = {m, ir_facts_compute(m)};
  return ir_map(m, fold, &f);
}
