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
  value out = p[n - 1].y;
  for (int i = n - 1; i >= 0; i--) {
    value below = i > 0 ? line(s, x, &p[i - 1], &p[i], e->at) : p[0].y;
    out = apply_select(s, apply_binary(s, AST_LT, x, p[i].x, e->at), below, out, e->at);
  }
  return out;
}
