/* table(x, (x1, y1), (x2, y2), ...): linear between the points, constant beyond the first and the last. It is written out as choices
 * between straight lines, so that units, sides and finiteness are known of it as of any formula. */
#include <string.h>

#include "sema/internal.h"

enum { MOST_POINTS = 32 };

typedef struct point {
  value x, y;
} point;

static bool refuse_points(sema *s, const ast_expr *e) {
  diag *d = complain(s, DIAG_WRONG_ARGUMENT_COUNT, e->at,
                     "`table` takes a value and 2 to %d points, each a pair", MOST_POINTS);
  diag_with_hint(s->sink, d, "for example  table(h, (0 [m], 0 [m^2/s]), (1 [m], 3 [m^2/s]))");
  return false;
}

/* Numbers that are known must rise: else the line between two points is none. */
static bool rises(sema *s, const point *p, int n) {
  for (int i = 1; i < n; i++) {
    double before, x;
    if (!known_number(s, p[i - 1].x, &before) || !known_number(s, p[i].x, &x) || x > before) continue;
    diag *d = complain(s, DIAG_WRONG_ARGUMENT_COUNT, p[i].x.at,
                       "the points of a table stand in rising order, but %g is not above %g", x, before);
    diag_with_span(s->sink, d, p[i - 1].x.at, "the point before");
    return false;
  }
  return true;
}

/* Numbers and parameters alone. */
static bool known_at_start(sema *s, ir_id root) {
  id_list all = reached(s, root);
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(s->module, all.at[i]);
    const bool parameter = n->op == IR_PARAM && ir_symbol_get(s->module, n->read.sym)->kind == IR_PARAMETER;
    if (n->op == IR_REDUCE || (n->n_args == 0 && n->op != IR_CONST && !parameter)) return false;
  }
  return true;
}

/* Parameters must rise too, which a run knows: one requirement for all points of the table. */
static void require_rising(sema *s, const ast_expr *e, const point *p, int n) {
  const char *text = "";
  value all = {0};
  double x;
  for (int i = 1; i < n; i++) {
    value a = p[i - 1].x, b = p[i].x;
    if ((known_number(s, a, &x) && known_number(s, b, &x)) || !known_at_start(s, a.id) ||
        !known_at_start(s, b.id))
      continue;
    value one = apply_binary(s, AST_LT, a, b, b.at);
    if (one.bad) return;
    const char *before = ast_expr_text(s->memory, e->arg[i + 1]->arg[0]),
               *here = ast_expr_text(s->memory, e->arg[i + 2]->arg[0]);
    text = arena_printf(s->memory, "%s%s%s < %s", text, *text ? " and " : "", before, here);
    all = all.id ? apply_binary(s, AST_AND, all, one, b.at) : one;
  }
  if (all.id && !is_required(s, text))
    vec_push(s->memory, &s->module->require,
             ((ir_require){.condition = all.id, .place = IR_NOWHERE, .text = text, .at = e->at}));
}

/* Points that only a step knows, as a rule's arguments: where they do not rise the table has no value, which a run stops at. */
static value where_rising(sema *s, const point *p, int n, value out, span at) {
  value all = {0};
  double x;
  for (int i = 1; i < n; i++) {
    const value a = p[i - 1].x, b = p[i].x;
    const bool numbers = known_number(s, a, &x) && known_number(s, b, &x),
               start = known_at_start(s, a.id) && known_at_start(s, b.id);
    if (numbers || start) continue;
    const value one = apply_binary(s, AST_LT, a, b, b.at);
    all = all.id ? apply_binary(s, AST_AND, all, one, b.at) : one;
  }
  if (!all.id) return out;
  const value sign = apply_select(s, all, number_value(s, 1, at), number_value(s, -1, at), at);
  return apply_binary(s, AST_MUL, out, apply_function(s, IR_SQRT, &sign, 1, at), at);
}

static bool lower_points(sema *s, const context *c, const ast_expr *e, point *p) {
  for (int i = 2; i < e->n; i++) {
    const ast_expr *pair = e->arg[i];
    if (pair->kind != AST_TUPLE || pair->n != 2) return refuse_points(s, e);
    p[i - 2] = (point){lower_expr(s, c, pair->arg[0]), lower_expr(s, c, pair->arg[1])};
    if (p[i - 2].x.bad || p[i - 2].y.bad) return false;
  }
  return rises(s, p, e->n - 2);
}

/* The straight line through two points. */
static value line(sema *s, value x, const point *a, const point *b, span at) {
  value rise = apply_binary(s, AST_SUB, b->y, a->y, at), run = apply_binary(s, AST_SUB, b->x, a->x, at);
  value part = apply_binary(s, AST_DIV, apply_binary(s, AST_SUB, x, a->x, at), run, at);
  return apply_binary(s, AST_ADD, a->y, apply_binary(s, AST_MUL, part, rise, at), at);
}

value lower_table(sema *s, const context *c, const ast_expr *e) {
  point p[MOST_POINTS];
  int n = e->n - 2;
  if (n < 2 || n > MOST_POINTS) {
    refuse_points(s, e);
    return bad_value(e->at);
  }
  value x = lower_expr(s, c, e->arg[1]);
  if (!x.bad && x.type.rank == IR_TUPLE_RANK) { /* the value was left out */
    refuse_points(s, e);
    return bad_value(e->at);
  }
  if (x.bad || !lower_points(s, c, e, p)) return bad_value(e->at);
  require_rising(s, e, p, n);
  value out = p[n - 1].y;
  for (int i = n - 1; i >= 0; i--) {
    value below = i > 0 ? line(s, x, &p[i - 1], &p[i], e->at) : p[0].y;
    out = apply_select(s, apply_binary(s, AST_LT, x, p[i].x, e->at), below, out, e->at);
  }
  return where_rising(s, p, n, out, e->at);
}
