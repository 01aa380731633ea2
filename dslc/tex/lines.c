/* Formulas that are too wide for a line: sums are broken before their signs, products before a factor, functions behind a comma. What stands
 * in brackets is a block of lines between them, so that brackets always meet. */
#include <string.h>

#include "tex/tex.h"

static const double INDENT = 2, LEAST_ROOM = 12;

static double room_left(double room, double taken) {
  return room - taken > LEAST_ROOM ? room - taken : LEAST_ROOM;
}

static const char *block(const tex *t, const char *lines, bool top) {
  return arena_printf(t->memory, "\\begin{aligned}%s %s \\end{aligned}", top ? "[t]" : "", lines);
}

static const char *bracketed_lines(const tex *t, const ast_expr *e, double room) {
  return arena_printf(t->memory, "\\left(%s\\right)", tex_lines(t, e, room - 2, false));
}

/* With brackets if it binds less strongly than that, on as many lines as it takes. */
static const char *operand(const tex *t, const ast_expr *e, tex_level at_least, double room) {
  if (tex_width(e) <= room) return tex_expr(t, e, at_least);
  return tex_level_of(e) < at_least ? bracketed_lines(t, e, room) : tex_lines(t, e, room, false);
}

/* Pieces one behind the other, in a new line where there is no room left. */
typedef struct pieces {
  const tex *t;
  double room, used;
  const char *text;
} pieces;

/* The room for the next piece: what is left of the line if that is most of it, else a new one. */
static double piece_room(const pieces *p) {
  return room_left(p->room, p->used < p->room / 3 ? p->used + 3 : INDENT + 3);
}

static void put_piece(pieces *p, const char *sign, const char *text, double width) {
  const bool stays = p->used + width <= p->room || p->used < p->room / 3;
  if (!p->text) p->text = arena_printf(p->t->memory, "& %s%s", sign, text), p->used = width;
  else if (stays) p->text = arena_printf(p->t->memory, "%s%s%s", p->text, sign, text), p->used += width;
  else
    p->text = arena_printf(p->t->memory, "%s \\\\ & \\quad {}%s%s", p->text, sign, text),
    p->used = INDENT + width;
}

/* ---- sums, and, or ----------------------------------------------------------------------------------------------------------- */

static bool same_chain(const ast_expr *left, const ast_expr *e) {
  return left->kind == AST_BINARY && tex_level_of_op(left->op) == tex_level_of_op(e->op);
}

static const char *chain(const tex *t, const ast_expr *e, double room, bool top) {
  VEC(const ast_expr *) spine = {0};
  pieces p = {t, room, 0, NULL};
  const tex_level own = tex_level_of_op(e->op);
  for (;; e = e->arg[0]) {
    vec_push(t->memory, &spine, e);
    if (!same_chain(e->arg[0], e)) break;
  }
  e = spine.at[spine.n - 1];
  put_piece(&p, "", operand(t, e->arg[0], own, room), tex_width(e->arg[0]));
  while (spine.n > 0) {
    e = spine.at[--spine.n];
    put_piece(&p, tex_operator(e->op), operand(t, e->arg[1], (tex_level)(own + 1), piece_room(&p)),
              tex_width(e->arg[1]) + 3);
  }
  return block(t, p.text, top);
}

/* ---- products ------------------------------------------------------------------------------------------------------------------ */

/* What is below the line of a*b/c*d is put in front, as 1/c, so that the rest may be broken. */
static const char *product(const tex *t, const ast_expr *e, double room, bool top) {
  VEC(const ast_expr *) spine = {0};
  pieces p = {t, room, 0, NULL};
  const char *under = "";
  const ast_expr *last = NULL; /* the factor behind which there is none */
  double width = 0;
  for (;; e = e->arg[0]) {
    vec_push(t->memory, &spine, e);
    if (e->op == AST_MUL && !last) last = e;
    if (e->op == AST_DIV) {
      width += tex_width(e->arg[1]) + 1;
      under = *under ? arena_printf(t->memory, "%s\\,%s",
                                    tex_expr(t, e->arg[1], tex_factor_least(e->arg[1], false)), under)
                     : operand(t, e->arg[1], TEX_PRODUCT, room_left(room, 2));
    }
    if (e->arg[0]->kind != AST_BINARY || tex_level_of(e->arg[0]) != TEX_PRODUCT) break;
  }
  if (*under) put_piece(&p, "", arena_printf(t->memory, "\\frac{1}{%s}", under), width);
  e = spine.at[spine.n - 1];
  const char *sign = *under ? "\\," : "";
  put_piece(&p, sign, operand(t, e->arg[0], TEX_PRODUCT, piece_room(&p)), tex_width(e->arg[0]));
  while (spine.n > 0) {
    e = spine.at[--spine.n];
    if (e->op == AST_MUL)
      put_piece(&p, "\\cdot ", operand(t, e->arg[1], tex_factor_least(e->arg[1], e == last), piece_room(&p)),
                tex_width(e->arg[1]) + 1);
  }
  return block(t, p.text, top);
}

/* ---- the rest ------------------------------------------------------------------------------------------------------------------ */

static const char *rows_of_cases(const tex *t, const ast_expr *e, double room) {
  const char *rows = "";
  for (; e->kind == AST_IF; e = e->arg[2]) {
    const double value = tex_width(e->arg[1]), condition = tex_width(e->arg[0]) + 6;
    const bool below = value + condition > room && value > room / 3;
    const char *when = tex_lines(t, e->arg[0], room_left(room, below ? 8 : value + 8), true);
    const char *row =
        arena_printf(t->memory, below ? "%s & \\\\ \\quad \\text{if } %s &" : "%s & \\text{if } %s",
                     tex_lines(t, e->arg[1], room_left(room, 3), true), when);
    rows = tex_join(t, rows, " \\\\ ", row);
  }
  return arena_printf(t->memory, "\\begin{cases} %s \\\\ %s & \\text{otherwise} \\end{cases}", rows,
                      tex_lines(t, e, room_left(room, 12), true));
}

static const char *arguments(const tex *t, const ast_expr *e, double room) {
  pieces p = {t, room, 0, NULL};
  for (int i = 1; i < e->n; i++) {
    const char *text = operand(t, e->arg[i], TEX_ANY, piece_room(&p));
    put_piece(&p, "", i + 1 < e->n ? arena_printf(t->memory, "%s,\\ ", text) : text,
              tex_width(e->arg[i]) + 2);
  }
  return block(t, p.text ? p.text : "&", false);
}

static const char *call(const tex *t, const ast_expr *e, double room) {
  const char *called = e->arg[0]->kind == AST_NAME ? e->arg[0]->text : NULL,
             *set = called ? tex_function(called) : NULL;
  const char *at = set ? strstr(set, "%s") : NULL;
  if (set && tex_sets_two(set) && e->n == 3)
    return tex_set_two(t, set, operand(t, e->arg[1], TEX_POWER, room / 2),
                       operand(t, e->arg[2], TEX_POWER, room / 2));
  if (at && e->n == 2)
    return arena_printf(t->memory, "%.*s%s%s", (int)(at - set), set,
                        tex_lines(t, e->arg[1], room_left(room, 3), false), at + 2);
  const char *head = set && !at ? set : tex_expr(t, e->arg[0], TEX_ATOM);
  return arena_printf(t->memory, "%s\\left(%s\\right)", head,
                      arguments(t, e, room_left(room, tex_width(e->arg[0]) + 2)));
}

static const char *tuple(const tex *t, const ast_expr *e, double room) {
  const char *rows = "";
  for (int i = 0; i < e->n; i++)
    rows = tex_join(t, rows, " \\\\ ", tex_lines(t, e->arg[i], room_left(room, 3), false));
  return arena_printf(t->memory, "\\begin{pmatrix} %s \\end{pmatrix}", rows);
}

static const char *broken_binary(const tex *t, const ast_expr *e, double room, bool top) {
  pieces p = {t, room, 0, NULL};
  switch (tex_level_of_op(e->op)) {
  case TEX_OR:
  case TEX_AND:
  case TEX_SUM: return chain(t, e, room, top);
  case TEX_PRODUCT: return product(t, e, room, top);
  case TEX_COMPARE:
    put_piece(&p, "", operand(t, e->arg[0], TEX_SUM, room), tex_width(e->arg[0]));
    put_piece(&p, tex_operator(e->op), operand(t, e->arg[1], TEX_SUM, room_left(room, 4)),
              tex_width(e->arg[1]) + 3);
    return block(t, p.text, top);
  default:
    return arena_printf(t->memory, "{%s}^{%s}", bracketed_lines(t, e->arg[0], room_left(room, 4)),
                        tex_expr(t, e->arg[1], TEX_ANY));
  }
}

const char *tex_lines(const tex *t, const ast_expr *e, double room, bool top) {
  if (tex_width(e) <= room) return tex_expr(t, e, TEX_ANY);
  switch (e->kind) {
  case AST_BINARY: return broken_binary(t, e, room, top);
  case AST_IF: return rows_of_cases(t, e, room);
  case AST_CALL: return call(t, e, room);
  case AST_TUPLE: return tuple(t, e, room);
  case AST_UNARY:
    return arena_printf(t->memory, "%s%s", e->op == AST_NOT ? "\\text{not } " : "-",
                        operand(t, e->arg[0], e->op == AST_NOT ? TEX_NOT : TEX_PRODUCT, room_left(room, 3)));
  case AST_REDUCTION:
    return arena_printf(
        t->memory, "%s%s", tex_reduction_sign(t, e),
        operand(t, e->arg[0], e->arg[0]->kind == AST_REDUCTION ? TEX_SUM : TEX_PRODUCT, room_left(room, 6)));
  default: return tex_expr(t, e, TEX_ANY);
  }
}
