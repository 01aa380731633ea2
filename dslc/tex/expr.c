/* Formulas on one line. Recursion is bounded by AST_MAX_DEPTH; left spines are walked in a loop. */
#include <string.h>

#include "tex/tex.h"

/* ---- what binds how ------------------------------------------------------------------------------------------------------- */

tex_level tex_level_of_op(ast_op op) {
  switch (op) {
  case AST_OR: return TEX_OR;
  case AST_AND: return TEX_AND;
  case AST_NOT: return TEX_NOT;
  case AST_ADD:
  case AST_SUB:
  case AST_NEG: return TEX_SUM;
  case AST_MUL: return TEX_PRODUCT;
  case AST_DIV: return TEX_PRODUCT; /* a fraction: nothing inside of it needs brackets */
  case AST_POW: return TEX_POWER;
  default: return TEX_COMPARE;
  }
}

tex_level tex_level_of(const ast_expr *e) {
  switch (e->kind) {
  case AST_IF: return TEX_ANY;
  case AST_REDUCTION: return TEX_SUM;
  case AST_NUMBER: return e->unit ? TEX_PRODUCT : TEX_ATOM;
  case AST_UNARY:
  case AST_BINARY: return tex_level_of_op(e->op);
  case AST_CALL: {
    const char *sign = e->arg[0]->kind == AST_NAME ? tex_function(e->arg[0]->text) : NULL;
    return sign && tex_sets_two(sign) ? TEX_PRODUCT : TEX_ATOM;
  }
  default: return TEX_ATOM;
  }
}

const char *tex_operator(ast_op op) {
  static const char *const text[] = {
      [AST_ADD] = " + ",          [AST_SUB] = " - ",   [AST_LT] = " < ",
      [AST_GT] = " > ",           [AST_LE] = " \\le ", [AST_GE] = " \\ge ",
      [AST_EQ] = " = ",           [AST_NE] = " \\ne ", [AST_AND] = " \\text{ and } ",
      [AST_OR] = " \\text{ or } "};
  return text[op];
}

/* %s: where the arguments go, else the name of an operator. */
const char *tex_function(const char *called) {
  static const char *const set[][2] = {{"sqrt", "\\sqrt{%s}"},
                                       {"abs", "\\left|%s\\right|"},
                                       {"norm", "\\left\\|%s\\right\\|"},
                                       {"mean", "\\overline{%s}"},
                                       {"jump", "\\left[\\!\\left[%s\\right]\\!\\right]"},
                                       {"dot", "%s\\cdot %s"},
                                       {"outer", "%s\\otimes %s"},
                                       {"integral", "\\int %s\\,\\mathrm{d}V"},
                                       {"min", "\\min"},
                                       {"max", "\\max"},
                                       {"exp", "\\exp"},
                                       {"log", "\\ln"},
                                       {"sin", "\\sin"},
                                       {"cos", "\\cos"},
                                       {"tan", "\\tan"},
                                       {"tanh", "\\tanh"},
                                       {"sign", "\\operatorname{sgn}"},
                                       {"trace", "\\operatorname{tr}"}};
  for (size_t i = 0; i < sizeof set / sizeof *set; i++)
    if (strcmp(set[i][0], called) == 0) return set[i][1];
  return NULL;
}

bool tex_sets_two(const char *set) {
  const char *first = strstr(set, "%s");
  return first && strstr(first + 2, "%s");
}

const char *tex_set_two(const tex *t, const char *set, const char *a, const char *b) {
  const char *first = strstr(set, "%s"), *second = strstr(first + 2, "%s");
  return arena_printf(t->memory, "%s%.*s%s", a, (int)(second - first - 2), first + 2, b);
}

static const char *bracketed(const tex *t, const char *text) {
  return arena_printf(t->memory, "\\left(%s\\right)", text);
}

/* ---- operators -------------------------------------------------------------------------------------------------------------- */

static bool ends_in_number(const ast_expr *e) {
  while (e->kind == AST_BINARY && e->op == AST_MUL) e = e->arg[1];
  return e->kind == AST_NUMBER;
}

static bool begins_with_number(const ast_expr *e) {
  while (e->kind == AST_BINARY && (e->op == AST_MUL || e->op == AST_POW)) e = e->arg[0];
  return e->kind == AST_NUMBER;
}

static bool is_plain_number(const ast_expr *e) { return e->kind == AST_NUMBER && !e->unit; }

static const char *power(const tex *t, const ast_expr *e) {
  const ast_expr *by = e->arg[1];
  const bool slash = by->kind == AST_BINARY && by->op == AST_DIV && is_plain_number(by->arg[0]) &&
                     is_plain_number(by->arg[1]);
  const char *exponent = slash ? arena_printf(t->memory, "%s/%s", tex_expr(t, by->arg[0], TEX_ATOM),
                                              tex_expr(t, by->arg[1], TEX_ATOM))
                               : tex_expr(t, by, TEX_ANY);
  return arena_printf(t->memory, "{%s}^{%s}", tex_expr(t, e->arg[0], TEX_ATOM), exponent);
}

/* A reduction takes what stands behind it. */
static bool ends_in_reduction(const ast_expr *e) {
  while (e->kind == AST_BINARY && e->op == AST_MUL) e = e->arg[1];
  return e->kind == AST_REDUCTION;
}

tex_level tex_factor_least(const ast_expr *right, bool last) {
  if (!last && ends_in_reduction(right)) return TEX_POWER;
  return right->kind == AST_REDUCTION ? TEX_SUM : TEX_PRODUCT;
}

/* One operator behind what stands on its left already; last: no factor stands behind it. */
static const char *behind(const tex *t, const char *left, const ast_expr *e, bool last) {
  const ast_expr *right = e->arg[1];
  if (e->op == AST_DIV) return arena_printf(t->memory, "\\frac{%s}{%s}", left, tex_expr(t, right, TEX_ANY));
  if (e->op == AST_MUL) {
    const bool dot = begins_with_number(right) || (ends_in_number(e->arg[0]) && begins_with_number(right));
    return arena_printf(t->memory, "%s%s%s", left, dot ? "\\cdot " : "\\,",
                        tex_expr(t, right, tex_factor_least(right, last)));
  }
  return arena_printf(t->memory, "%s%s%s", left, tex_operator(e->op),
                      tex_expr(t, right, (tex_level)(tex_level_of_op(e->op) + 1)));
}

/* A reduction, or a minus, in front of `*` would take what stands behind it. */
static tex_level left_least(const ast_expr *e) {
  if (e->op == AST_DIV) return TEX_ANY;
  const tex_level own = tex_level_of_op(e->op);
  return own == TEX_COMPARE ? TEX_SUM : own;
}

static const char *binary(const tex *t, const ast_expr *e) {
  VEC(const ast_expr *) spine = {0};
  if (e->op == AST_POW) return power(t, e);
  for (;; e = e->arg[0]) {
    vec_push(t->memory, &spine, e);
    const ast_expr *left = e->arg[0];
    if (left->kind != AST_BINARY || left->op == AST_POW || tex_level_of(left) < left_least(e)) break;
  }
  e = spine.at[spine.n - 1];
  const char *out = tex_expr(t, e->arg[0], left_least(e));
  while (spine.n > 0) {
    e = spine.at[--spine.n];
    out = behind(t, out, e, spine.n == 0 || spine.at[spine.n - 1]->op != AST_MUL);
  }
  return out;
}

/* ---- the rest ---------------------------------------------------------------------------------------------------------------- */

static const char *list(const tex *t, const ast_expr *e, int from, const char *between) {
  const char *out = "";
  for (int i = from; i < e->n; i++) out = tex_join(t, out, between, tex_expr(t, e->arg[i], TEX_ANY));
  return out;
}

static const char *call(const tex *t, const ast_expr *e) {
  const char *called = e->arg[0]->kind == AST_NAME ? e->arg[0]->text : NULL,
             *set = called ? tex_function(called) : NULL;
  if (set && tex_sets_two(set) && e->n == 3)
    return tex_set_two(t, set, tex_expr(t, e->arg[1], TEX_POWER), tex_expr(t, e->arg[2], TEX_POWER));
  const char *at = set ? strstr(set, "%s") : NULL;
  if (at && e->n == 2)
    return arena_printf(t->memory, "%.*s%s%s", (int)(at - set), set,
                        tex_expr(t, e->arg[1], *set == '\\' && set[1] == 'i' ? TEX_PRODUCT : TEX_ANY),
                        at + 2);
  const char *head = set && !at ? set : tex_expr(t, e->arg[0], TEX_ATOM);
  return arena_printf(t->memory, "%s%s", head, bracketed(t, list(t, e, 1, ", ")));
}

const char *tex_binder(const tex *t, const ast_binder *b, const char **above) {
  const char *var = tex_name(t, b->var);
  *above = NULL;
  switch (b->kind) {
  case AST_NEAR: return arena_printf(t->memory, "%s \\sim %s", var, tex_name(t, b->anchor));
  case AST_OF:
    if (b->other)
      return arena_printf(t->memory, "%s \\in \\partial %s,\\ \\text{to } %s", var, tex_name(t, b->anchor),
                          tex_name(t, b->other));
    return arena_printf(t->memory, "%s \\in \\partial %s", var, tex_name(t, b->anchor));
  case AST_IN:
    return arena_printf(t->memory, b->rule ? "%s \\in \\text{%s of %s}" : "%s \\in \\text{%s}", var,
                        tex_text(t, b->domain ? b->domain : "?"), b->rule ? tex_text(t, b->rule) : "");
  case AST_IN_RANGE:
    *above = tex_expr(t, b->hi, TEX_ANY);
    return arena_printf(t->memory, "%s = %s", var, tex_expr(t, b->lo, TEX_ANY));
  }
  return var;
}

const char *tex_reduction_sign(const tex *t, const ast_expr *e) {
  static const char *const sign[] = {[AST_SUM] = "\\sum", [AST_MIN] = "\\min", [AST_MAX] = "\\max"};
  const char *above, *below = tex_binder(t, e->binder, &above);
  if (above && e->reduce == AST_SUM) return arena_printf(t->memory, "\\sum_{%s}^{%s} ", below, above);
  if (above) return arena_printf(t->memory, "%s_{%s,\\ldots,%s} ", sign[e->reduce], below, above);
  return arena_printf(t->memory, "%s_{%s} ", sign[e->reduce], below);
}

static const char *cases(const tex *t, const ast_expr *e) {
  const char *rows = "";
  for (; e->kind == AST_IF; e = e->arg[2])
    rows = tex_join(t, rows, " \\\\ ",
                    arena_printf(t->memory, "%s & \\text{if } %s", tex_expr(t, e->arg[1], TEX_ANY),
                                 tex_expr(t, e->arg[0], TEX_ANY)));
  return arena_printf(t->memory, "\\begin{cases} %s \\\\ %s & \\text{otherwise} \\end{cases}", rows,
                      tex_expr(t, e, TEX_ANY));
}

static const char *number(const tex *t, const ast_expr *e) {
  const char *value = tex_number(t, e->number);
  return e->unit && e->unit->n ? arena_printf(t->memory, "%s\\,%s", value, tex_unit(t, e->unit)) : value;
}

/* A part of a plain name is a part of the name. */
static const char *member(const tex *t, const ast_expr *e) {
  if (e->arg[0]->kind == AST_NAME)
    return tex_name(t, arena_printf(t->memory, "%s.%s", e->arg[0]->text, e->text));
  const char *base = tex_expr(t, e->arg[0], TEX_ATOM),
             *whole = tex_name(t, arena_printf(t->memory, "x.%s", e->text));
  return arena_printf(t->memory, "{%s}%s", base, strchr(whole, '}') + 1);
}

static const char *bare(const tex *t, const ast_expr *e) {
  switch (e->kind) {
  case AST_NUMBER: return number(t, e);
  case AST_NAME:
    return e->quoted ? arena_printf(t->memory, "\\text{%s}", tex_text(t, e->text)) : tex_name(t, e->text);
  case AST_MEMBER: return member(t, e);
  case AST_INDEX:
    return arena_printf(t->memory, "{%s}_{%s}", tex_expr(t, e->arg[0], TEX_ATOM), list(t, e, 1, ","));
  case AST_CALL: return call(t, e);
  case AST_RANGE: return list(t, e, 0, "\\ldots ");
  case AST_UNARY:
    return arena_printf(t->memory, "%s%s", e->op == AST_NOT ? "\\text{not } " : "-",
                        tex_expr(t, e->arg[0], e->op == AST_NOT ? TEX_NOT : TEX_PRODUCT));
  case AST_BINARY: return binary(t, e);
  case AST_IF: return cases(t, e);
  case AST_TUPLE:
    return arena_printf(t->memory, "\\begin{pmatrix} %s \\end{pmatrix}", list(t, e, 0, " \\\\ "));
  case AST_REDUCTION:
    return arena_printf(t->memory, "%s%s", tex_reduction_sign(t, e),
                        tex_expr(t, e->arg[0], e->arg[0]->kind == AST_REDUCTION ? TEX_SUM : TEX_PRODUCT));
  case AST_ERROR: break;
  }
  return "?";
}

const char *tex_expr(const tex *t, const ast_expr *e, tex_level at_least) {
  const char *text = bare(t, e);
  return tex_level_of(e) < at_least ? bracketed(t, text) : text;
}
