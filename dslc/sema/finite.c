/* Numbers that are not finite. A formula of numbers alone must have a value; and 0*x is the literal 0, which has every unit and rank,
 * only if x cannot be an infinity or a NaN, of which the product is no 0. States, givens, parameters and geometry are finite, since the
 * runtime stops at the first value that is not; what divides by them, or takes their roots or logarithms, may be anything, unless
 * a `require` says that they are positive. */
#include <math.h>
#include <string.h>

#include "sema/internal.h"

/* ---- formulas of numbers -------------------------------------------------------------------------------------------- */

/* The value of a node that is made of numbers alone; they are noted as they are built, operands first. */
static bool is_number(const sema *s, ir_id id, double *x) {
  const ir_node *n = ir_get(s->module, id);
  if (n->op == IR_CONST) {
    *x = n->value;
    return true;
  }
  if (id >= (ir_id)s->numbers.n || isnan(s->numbers.at[id])) return false;
  *x = s->numbers.at[id];
  return true;
}

bool known_number(const sema *s, value v, double *x) { return !v.bad && v.id && is_number(s, v.id, x); }

static value refuse(sema *s, value v, const char *what) {
  diag *d = complain(s, DIAG_NOT_FINITE, v.at, "this is %s", what);
  diag_with_hint(
      s->sink, d,
      "no equation of the scheme can give it a value: look for a division by 0, a root of a negative "
      "number or a power that is too large");
  return bad_value(v.at);
}

value checked_literal(sema *s, value v, double x) {
  return isfinite(x) ? v : refuse(s, v, "a number too large for double precision");
}

value checked_number(sema *s, value v) {
  if (v.bad || !v.id || v.type.n != 1) return v;
  const ir_node *n = ir_get(s->module, v.id);
  bool infinite = false, operator_ = n->op >= IR_ADD && n->op <= IR_SELECT;
  double a[3];
  if (n->op == IR_CONST) return isfinite(n->value) || isinf(n->value) ? v : refuse(s, v, "not a number");
  for (int k = 0; k < n->n_args; k++) {
    if (!operator_ || !is_number(s, ir_args(s->module, n)[k], &a[k])) return v;
    infinite = infinite || isinf(a[k]);
  }
  if (!operator_ || n->n_args == 0) return v;
  double x = ir_apply((ir_op)n->op, a);
  if (isnan(x)) return refuse(s, v, "not a number");
  if (isinf(x) && !infinite) return refuse(s, v, "not a finite number");
  while (s->numbers.n <= (int)v.id) vec_push(s->memory, &s->numbers, NAN);
  s->numbers.at[v.id] = x;
  return v;
}

value refuse_division(sema *s, span at) { return refuse(s, (value){.at = at}, "a division by 0"); }

/* ---- what cannot become infinite -------------------------------------------------------------------------------------- */

enum { DEEPEST = 100, FINITE_UNKNOWN = 0, FINITE_YES, FINITE_NO };

static bool formula_is_finite(sema *s, ir_id root, int depth);

static bool symbol_is_finite(sema *s, ir_sym sym, int depth) {
  const ir_symbol *q = ir_symbol_get(s->module, sym);
  if (q->kind != IR_EQUATION && q->kind != IR_GLOBAL && q->kind != IR_MATRIX) return true;
  if (q->kind == IR_GLOBAL && strcmp(q->text, "dt") == 0) return true; /* the time loop sees to it */
  if (!q->root[0] || depth > DEEPEST) return false;
  while (s->finite.n <= (int)sym) vec_push(s->memory, &s->finite, FINITE_UNKNOWN);
  if (s->finite.at[sym] == FINITE_UNKNOWN) {
    const ir_id second = q->root[1];
    bool finite =
        formula_is_finite(s, q->root[0], depth + 1) && (!second || formula_is_finite(s, second, depth + 1));
    s->finite.at[sym] = finite ? FINITE_YES : FINITE_NO;
  }
  return s->finite.at[sym] == FINITE_YES;
}

/* `require T > 0`, also in a conjunction: the names that are positive after every step, entered before anything is lowered. */
void note_requirements(sema *s, const ast_expr *e) {
  for (; e->kind == AST_BINARY && e->op == AST_AND; e = e->arg[0]) note_requirements(s, e->arg[1]);
  if (e->kind != AST_BINARY || (e->op != AST_GT && e->op != AST_GE)) return;
  const ast_expr *what = e->arg[0], *than = e->arg[1];
  bool positive = than->kind == AST_NUMBER && (than->number > 0 || (than->number == 0 && e->op == AST_GT));
  if (what->kind == AST_NAME && positive) name_map_put(s->positive, what->text, (void *)what->text);
}

static bool is_required_positive(sema *s, ir_id id) {
  const ir_node *n = ir_get(s->module, id);
  return n->op == IR_READ && n->type.n == 1 &&
         name_map_get(s->positive, ir_symbol_get(s->module, n->read.sym)->text);
}

/* A number, a size of the mesh, what a requirement says is positive. */
static bool cannot_be_zero(sema *s, ir_id id) {
  static const char *const sizes[] = {"volume", "size", "area", "distance", "dx", "dy", "dz"};
  double x;
  if (is_number(s, id, &x)) return x != 0 && isfinite(x);
  const ir_node *n = ir_get(s->module, id);
  if (n->op == IR_MUL)
    return cannot_be_zero(s, ir_args(s->module, n)[0]) && cannot_be_zero(s, ir_args(s->module, n)[1]);
  if (is_required_positive(s, id)) return true;
  if (n->op != IR_READ) return false;
  const ir_symbol *q = ir_symbol_get(s->module, n->read.sym);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    if (q->kind == IR_GEOMETRY && strcmp(q->text, sizes[i]) == 0) return true;
  return false;
}

static bool node_is_finite(sema *s, const ir_node *n, int depth) {
  const ir_id *args = ir_args(s->module, n);
  double e;
  switch (n->op) {
  case IR_CONST: return isfinite(n->value);
  case IR_PARAM:
  case IR_READ: return symbol_is_finite(s, n->read.sym, depth);
  case IR_DIV: return cannot_be_zero(s, args[1]);
  case IR_POW: return is_number(s, args[1], &e) && e >= 0 && e == nearbyint(e);
  case IR_SQRT: return is_number(s, args[0], &e) || is_required_positive(s, args[0]);
  case IR_LOG:
  case IR_EXP:
  case IR_ASIN:
  case IR_ACOS:
  case IR_SINH:
  case IR_COSH: return is_number(s, args[0], &e);
  case IR_REDUCE: return n->reduce.kind == IR_SUM || n->reduce.rule == 0; /* an empty extremum is infinite */
  default: return true;
  }
}

static bool formula_is_finite(sema *s, ir_id root, int depth) {
  id_list all = reached(s, root);
  for (int i = 0; i < all.n; i++) {
    const ir_node n = *ir_get(s->module, all.at[i]);
    if (!node_is_finite(s, &n, depth)) return false;
  }
  return true;
}

bool is_surely_finite(sema *s, value v) { return v.id && formula_is_finite(s, v.id, 0); }
bool cannot_vanish(sema *s, value v) { return v.id && cannot_be_zero(s, v.id); }
