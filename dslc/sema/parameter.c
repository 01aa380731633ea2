/* Defaults of parameters and of rules' arguments: formulas of numbers and parameters, known before the run begins. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "dslc.h"
#include "sema/internal.h"

/* Is every number in it written without a unit? Then the whole takes the unit of its parameter. */
static bool is_bare(const ast_expr *e) {
  if (e->kind == AST_NUMBER) return !e->unit;
  if (e->kind == AST_UNARY) return is_bare(e->arg[0]);
  bool bare = e->kind == AST_TUPLE;
  for (int i = 0; i < e->n && bare; i++) bare = is_bare(e->arg[i]);
  return bare;
}

const char *not_constant(sema *s, ir_id root) {
  id_list all = reached(s, root);
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(s->module, all.at[i]);
    if (n->op == IR_REDUCE) return "the mesh";
    if (n->op != IR_PARAM && n->op != IR_READ) continue;
    const ir_symbol *q = ir_symbol_get(s->module, n->read.sym);
    if (q->kind != IR_PARAMETER) return q->text;
  }
  return NULL;
}

ir_id lower_default(sema *s, const ast_param *p, value_type t) {
  if (!p->value) return 0;
  context c = context_at(IR_NOWHERE, arena_printf(s->memory, "the default of `%s`", p->text));
  c.constant = true;
  value v = adapt(s, lower_expr(s, &c, p->value), t);
  if (v.bad) return 0;
  const char *unknown = not_constant(s, v.id);
  if (unknown) {
    diag *d = complain(s, DIAG_NOT_CONSTANT, p->value->at,
                       "the default of `%s` needs `%s`, which is not known before the run", p->text, unknown);
    diag_with_hint(s->sink, d, "a default may use numbers and other parameters");
    return 0;
  }
  double x;
  if (p->type && p->type->rank == AST_INT && known_number(s, v, &x) && x != floor(x)) {
    complain(s, DIAG_PARAMETER_DEFAULT, p->value->at, "`%s` is an int, but its default is not whole",
             p->text);
    return 0;
  }
  if (p->unit && is_bare(p->value)) v.type.unit = t.unit;
  if (require_fits(s, v, t, p->at, c.why)) return v.id;
  if (v.type.rank == IR_BOOL && p->value->kind == AST_BINARY)
    diag_with_hint(s->sink, s->last, "bounds stand before the default: `%s >= 0 = 1`", p->text);
  return 0;
}

/* ---- bounds ------------------------------------------------------------------------------------------------------ */

/* What one bound says; false: it was refused. */
static bool bound_value(sema *s, const ast_param *p, const ast_bound *b, value_type t, value *v) {
  context c = context_at(IR_NOWHERE, arena_printf(s->memory, "the bound of `%s`", p->text));
  c.constant = true;
  *v = lower_expr(s, &c, b->value);
  if (v->bad) return false;
  if (p->unit && is_bare(b->value)) v->type.unit = t.unit;
  return require_fits(s, *v, t, p->at, c.why);
}

/* A parameter beside another one is a requirement: both are known when the run begins, and neither before. */
static void require_beside(sema *s, const ast_param *p, const ast_bound *b, value_type t, value v) {
  const ast_expr self = {.kind = AST_NAME, .at = p->at, .text = p->text};
  context c = context_at(IR_NOWHERE, "a bound");
  value left = lower_expr(s, &c, &self);
  left.type = t;
  value holds = apply_binary(s, b->op, left, v, b->value->at);
  if (holds.bad) return;
  vec_push(s->memory, &s->module->require,
           ((ir_require){.condition = holds.id,
                         .place = IR_NOWHERE,
                         .text = arena_printf(s->memory, "%s %s %s", p->text, ast_op_text(b->op),
                                              ast_expr_text(s->memory, b->value)),
                         .at = p->at}));
}

static void refuse_bound(sema *s, const ast_param *p, const ast_bound *b) {
  diag *d = complain(s, DIAG_BOUND, b->value->at, "the bound of `%s` is not a number", p->text);
  const char *limit = ast_expr_text(s->memory, b->value);
  const entity *e = find_entity(s, p->text);
  if (e && e->kind == ENTITY_GIVEN)
    diag_with_hint(s->sink, d, "a requirement compares with what is no number:  require %s %s %s", p->text,
                   ast_op_text(b->op), limit);
  else
    diag_with_hint(
        s->sink, d,
        "a rule's own lines may keep an argument within other values, as in  let kept = %s(%s, %s)",
        b->op == AST_GE || b->op == AST_GT ? "max" : "min", p->text, limit);
}

/* Is it one of the scheme's parameters, not an argument or a given that is called so? */
static bool is_parameter(sema *s, const ast_param *p) {
  const entity *e = find_entity(s, p->text);
  return e && e->kind == ENTITY_PARAMETER && e->at.start == p->at.start;
}

static const char *bound_text(sema *s, ast_op op, double x) {
  char number[40];
  snprintf(number, sizeof number, "%.15g", x);
  if (strtod(number, NULL) != x) snprintf(number, sizeof number, "%.17g", x);
  return arena_printf(s->memory, "%s %s", ast_op_text(op), number);
}

static bool some_value(const char *bounds) {
  dslc_bounds b;
  return dslc_bounds_read(bounds, &b) && (b.low < b.high || (b.low == b.high && !b.low_open && !b.high_open));
}

const char *lower_bounds(sema *s, const ast_param *p, value_type t, ir_id root) {
  const char *text = NULL;
  double x;
  if (p->bound && (t.rank != IR_SCALAR || t.n > 1)) {
    complain(s, DIAG_BOUND, p->at, "`%s` is not a scalar: only one number can have bounds", p->text);
    return NULL;
  }
  for (const ast_bound *b = p->bound; b; b = b->next) {
    value v;
    if (!bound_value(s, p, b, t, &v)) return NULL;
    if (known_number(s, v, &x)) {
      const char *one = bound_text(s, b->op, x);
      text = text ? arena_printf(s->memory, "%s and %s", text, one) : one;
    } else if (is_parameter(s, p)) require_beside(s, p, b, t, v);
    else refuse_bound(s, p, b);
  }
  if (t.rank == IR_BOOL) text = DSLC_BOUNDS_BOOL;
  if (p->type && p->type->rank == AST_INT)
    text = text ? arena_printf(s->memory, "%s and %s", text, DSLC_BOUNDS_INT) : DSLC_BOUNDS_INT;
  if (text && !some_value(text)) {
    complain(s, DIAG_BOUND, p->at, "no value of `%s` is %s", p->text, text);
    return NULL;
  }
  if (text && root && known_number(s, (value){.id = root}, &x) && !dslc_within(text, x))
    complain(s, DIAG_BOUND, p->value->at, "the default of `%s` is not %s", p->text, text);
  return text;
}

/* ---- cycles ---------------------------------------------------------------------------------------------------- */

typedef enum mark { UNSEEN, OPEN, CLOSED } mark;

/* Follows the parameters that a default names; true once a cycle was reported. Defaults nest no deeper than there are
 * parameters, and a list longer than this is refused rather than followed. */
enum { LONGEST_CHAIN = 1000 };

static bool follow(sema *s, ir_sym sym, mark *marks, int depth) {
  const ir_symbol q = *ir_symbol_get(s->module, sym);
  if (marks[sym] == CLOSED || !q.root[0]) return false;
  if (depth > LONGEST_CHAIN) {
    give_up(s, q.at, "more than 1000 parameters need each other one after the other",
            "give one of them a number");
    return false;
  }
  if (marks[sym] == OPEN) {
    diag *d = complain(s, DIAG_PARAMETER_DEFAULT, q.at, "the default of `%s` needs its own value", q.text);
    diag_with_hint(s->sink, d, "give one parameter of the cycle a number");
    return true;
  }
  marks[sym] = OPEN;
  id_list all = reached(s, q.root[0]);
  bool cycle = false;
  for (int i = 0; i < all.n && !cycle; i++) {
    const ir_node *n = ir_get(s->module, all.at[i]);
    if (n->op != IR_PARAM || !(cycle = follow(s, n->read.sym, marks, depth + 1))) continue;
    const ir_symbol *next = ir_symbol_get(s->module, n->read.sym);
    diag_with_span(s->sink, s->last, q.at, "the default of `%s` needs `%s`", q.text, next->text);
  }
  marks[sym] = CLOSED;
  return cycle;
}

void check_default_cycles(sema *s) {
  mark *marks = arena_array(s->memory, mark, s->module->symbol.n);
  for (int i = 1; i < s->module->symbol.n; i++)
    if (ir_symbol_get(s->module, (ir_sym)i)->kind == IR_PARAMETER) follow(s, (ir_sym)i, marks, 0);
}
