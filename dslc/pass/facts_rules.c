/* What each operator makes of the facts of its operands. Signs are meant for values that are not NaN; -0
 * counts as 0. */
#include "pass/facts.h"

#include <math.h>

/* Larger powers overflow for moderate numbers. */
static const double largest_power = 16;

ir_facts facts_closed(ir_facts f) {
  if (f.positive) f.nonnegative = f.nonzero = true;
  if (f.nonnegative && f.nonzero) f.positive = true;
  return f;
}

ir_facts facts_meet(ir_facts a, ir_facts b) {
  return (ir_facts){a.finite && b.finite, a.nonzero && b.nonzero, a.nonnegative && b.nonnegative,
                    a.positive && b.positive, a.nonpositive && b.nonpositive};
}

ir_facts facts_join(ir_facts a, ir_facts b) {
  return facts_closed((ir_facts){a.finite || b.finite, a.nonzero || b.nonzero, a.nonnegative || b.nonnegative,
                                 a.positive || b.positive, a.nonpositive || b.nonpositive});
}

static bool is_negative(ir_facts f) { return f.nonpositive && f.nonzero; }

static ir_facts of_number(double x) { return (ir_facts){isfinite(x), x != 0, x >= 0, x > 0, x <= 0}; }

static ir_facts of_sum(ir_facts a, ir_facts b) {
  ir_facts f = {.finite = a.finite && b.finite,
                .nonnegative = a.nonnegative && b.nonnegative,
                .nonpositive = a.nonpositive && b.nonpositive};
  f.positive = f.nonnegative && (a.positive || b.positive);
  f.nonzero = f.nonpositive && (is_negative(a) || is_negative(b));
  return facts_closed(f);
}

static ir_facts negated(ir_facts a) {
  return (ir_facts){a.finite, a.nonzero, a.nonpositive, is_negative(a), a.nonnegative};
}

static ir_facts of_product(ir_facts a, ir_facts b, bool square) {
  ir_facts f = {.finite = a.finite && b.finite, .nonzero = a.nonzero && b.nonzero};
  f.nonnegative = square || (a.nonnegative && b.nonnegative) || (a.nonpositive && b.nonpositive);
  f.nonpositive = (a.nonnegative && b.nonpositive) || (a.nonpositive && b.nonnegative);
  return facts_closed(f);
}

/* Components of tensor products are sums: they may cancel. */
static ir_facts of_multiply(const ir_module *m, const ir_node *n, const ir_facts *arg) {
  const ir_id *args = ir_args(m, n);
  bool cancels = ir_get(m, args[0])->type.n > 1 && ir_get(m, args[1])->type.n > 1;
  ir_facts f = of_product(arg[0], arg[1], args[0] == args[1] && !cancels);
  if (cancels) f.nonzero = f.positive = false;
  return f;
}

/* A divisor that may be -0 leaves no sign. */
static ir_facts of_quotient(ir_facts a, ir_facts b) {
  ir_facts f = of_product(a, b, false);
  if (!b.nonzero) f = facts_none;
  f.finite = a.finite && b.finite && b.nonzero;
  f.nonzero = a.nonzero && b.finite;
  f.positive = false;
  return facts_closed(f);
}

static ir_facts of_power(ir_facts a, const ir_node *exponent) {
  double e = exponent->op == IR_CONST ? exponent->value : NAN;
  bool whole = nearbyint(e) == e, even = fmod(e, 2) == 0, moderate = fabs(e) <= largest_power;
  ir_facts f = {.nonnegative = a.positive || even || (a.nonnegative && e >= 0)};
  f.finite = a.finite && moderate && (whole || a.nonnegative) && (e >= 0 || a.nonzero);
  f.nonzero = a.finite && a.nonzero && moderate;
  return facts_closed(f);
}

/* A NaN on either side stays a NaN, of which any sign may be claimed: so one operand decides the sign. */
static ir_facts of_extremum(ir_facts a, ir_facts b, bool max) {
  ir_facts f = facts_meet(a, b);
  if (max) {
    f.nonnegative |= a.nonnegative || b.nonnegative;
    f.positive |= a.positive || b.positive;
  } else {
    f.nonpositive |= a.nonpositive || b.nonpositive;
    f.nonzero |= is_negative(a) || is_negative(b);
  }
  return facts_closed(f);
}

/* exp and its kin overflow for moderate arguments, and exp underflows to 0. */
static ir_facts of_exponential(ir_op op, ir_facts a) {
  if (op == IR_EXP) return (ir_facts){.finite = a.finite && a.nonpositive, .nonnegative = true};
  if (op == IR_COSH) return (ir_facts){.nonzero = true, .nonnegative = true, .positive = true};
  a.finite = false;
  return a;
}

/* The sign of a NaN is 0. */
static ir_facts of_sign(ir_facts a) {
  ir_facts f = {.finite = true, .nonnegative = a.nonnegative, .nonpositive = a.nonpositive};
  f.nonzero = a.nonzero && a.finite;
  return facts_closed(f);
}

static ir_facts of_function(ir_op op, ir_facts a) {
  switch (op) {
  case IR_ABS: return facts_closed((ir_facts){.finite = a.finite, .nonzero = a.nonzero, .nonnegative = true});
  case IR_SIGN: return of_sign(a);
  case IR_SQRT: return (ir_facts){a.finite && a.nonnegative, a.positive, true, a.positive, false};
  case IR_CBRT:
  case IR_TANH:
  case IR_ATAN: return a;
  case IR_LOG: return (ir_facts){.finite = a.finite && a.positive};
  case IR_FLOOR: return (ir_facts){a.finite, is_negative(a), a.nonnegative, false, a.nonpositive};
  case IR_EXP:
  case IR_SINH:
  case IR_COSH: return of_exponential(op, a);
  case IR_SIN:
  case IR_COS:
  case IR_TAN: return (ir_facts){.finite = a.finite};
  default: return facts_none; /* asin and acos are finite within [-1, 1] only */
  }
}

static ir_facts of_all(const ir_node *n, const ir_facts *arg) {
  ir_facts f = facts_all;
  for (int k = 0; k < n->n_args; k++) f = facts_meet(f, arg[k]);
  return f;
}

static ir_facts of_tensors(const ir_module *m, const ir_node *n, const ir_facts *arg) {
  ir_facts f = {.finite = of_all(n, arg).finite};
  f.nonnegative =
      n->op == IR_NORM || (n->op == IR_DOT && ir_args(m, n)[0] == ir_args(m, n)[1] && n->type.n == 1);
  return f;
}

/* A cell has faces and a node neighbours, but a rule may rule nothing: the extremum is infinite then. */
static ir_facts of_reduction(const ir_node *n, ir_facts body) {
  if (n->reduce.rule != 0 && n->reduce.kind != IR_SUM) return facts_none;
  ir_facts f = body;
  if (n->reduce.kind == IR_SUM) f.nonzero = body.positive || is_negative(body);
  if (n->reduce.rule != 0) f.positive = f.nonzero = false;
  return f;
}

ir_facts facts_of_node(const ir_module *m, const ir_node *n, const ir_facts *arg) {
  if (n->op != IR_CONST && n->type.rank == IR_BOOL) return (ir_facts){.finite = true};
  switch (n->op) {
  case IR_CONST: return of_number(n->value);
  case IR_SIGN_OUT: return (ir_facts){.finite = true, .nonzero = true};
  case IR_IDENTITY: return (ir_facts){.finite = true, .nonnegative = true};
  case IR_TUPLE:
  case IR_PART: return of_all(n, arg);
  case IR_ADD: return of_sum(arg[0], arg[1]);
  case IR_SUB: return of_sum(arg[0], negated(arg[1]));
  case IR_NEG: return negated(arg[0]);
  case IR_MUL: return of_multiply(m, n, arg);
  case IR_DIV: return of_quotient(arg[0], arg[1]);
  case IR_POW: return of_power(arg[0], ir_get(m, ir_args(m, n)[1]));
  case IR_MIN: return of_extremum(arg[0], arg[1], false);
  case IR_MAX: return of_extremum(arg[0], arg[1], true);
  case IR_ATAN2: return (ir_facts){.finite = arg[0].finite && arg[1].finite};
  case IR_SELECT: return facts_meet(arg[1], arg[2]);
  case IR_REDUCE: return of_reduction(n, arg[0]);
  case IR_DOT:
  case IR_OUTER:
  case IR_CROSS:
  case IR_TRACE:
  case IR_TRANSPOSE:
  case IR_NORM: return of_tensors(m, n, arg);
  default: return of_function((ir_op)n->op, arg[0]);
  }
}
