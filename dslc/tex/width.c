/* How wide a formula will be, in letters: good enough to know where lines have to be broken. */
#include <math.h>
#include <string.h>

#include "tex/tex.h"

static double name_width(const char *s) {
  double width = 0;
  bool below = false;
  for (; *s; s++) {
    if (*s == '_' || *s == '.') below = true;
    else width += below ? 0.7 : 1;
  }
  return width;
}

static double sum_of(const ast_expr *e, int from, double between) {
  double width = 0;
  for (int i = from; i < e->n; i++) width += tex_width(e->arg[i]) + (i > from ? between : 0);
  return width;
}

/* Left spines may be long: one after the other. */
static double binary_width(const ast_expr *e) {
  double width = 0;
  for (; e->kind == AST_BINARY && e->op != AST_DIV && e->op != AST_POW; e = e->arg[0])
    width += tex_width(e->arg[1]) + (e->op == AST_MUL ? 0.5 : 3) +
             (e->op == AST_MUL && tex_level_of(e->arg[1]) < TEX_PRODUCT ? 2 : 0);
  if (e->kind != AST_BINARY) return width + tex_width(e);
  const double left = tex_width(e->arg[0]), right = tex_width(e->arg[1]);
  return width + (e->op == AST_DIV ? fmax(left, right) + 1 : left + 0.7 * right + 1);
}

static double if_width(const ast_expr *e) {
  double width = 0;
  for (; e->kind == AST_IF; e = e->arg[2])
    width = fmax(width, tex_width(e->arg[1]) + tex_width(e->arg[0]) + 6);
  return fmax(width, tex_width(e) + 12) + 3;
}

static double call_width(const ast_expr *e) {
  const char *called = e->arg[0]->kind == AST_NAME ? e->arg[0]->text : "";
  const bool sign = tex_function(called) && strchr(tex_function(called), '%');
  return sum_of(e, 1, 1.5) + (sign ? 2 : 3 + tex_width(e->arg[0]));
}

double tex_width(const ast_expr *e) {
  double widest = 0;
  switch (e->kind) {
  case AST_NUMBER: return 3 + (e->unit ? 3 * e->unit->n : 0);
  case AST_NAME: return name_width(e->text);
  case AST_MEMBER: return tex_width(e->arg[0]) + 0.7 * (double)strlen(e->text);
  case AST_INDEX: return tex_width(e->arg[0]) + 0.7 * sum_of(e, 1, 1);
  case AST_CALL: return call_width(e);
  case AST_RANGE: return sum_of(e, 0, 3);
  case AST_UNARY: return tex_width(e->arg[0]) + (e->op == AST_NOT ? 4 : 2);
  case AST_BINARY: return binary_width(e);
  case AST_IF: return if_width(e);
  case AST_TUPLE:
    for (int i = 0; i < e->n; i++) widest = fmax(widest, tex_width(e->arg[i]));
    return widest + 3;
  case AST_REDUCTION: return tex_width(e->arg[0]) + 6;
  case AST_ERROR: break;
  }
  return 1;
}
