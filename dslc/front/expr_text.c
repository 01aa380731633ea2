/* Canonical text of an expression: brackets only where the grammar needs them (and round `if` and the
 * bodies of `min`, `max`, for the reader's sake). Recursion is bounded by AST_MAX_DEPTH; left spines are
 * walked in a loop. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "front/ast.h"

/* Loosest first, as in the grammar. */
enum { LOOSEST, OR_LEVEL, AND_LEVEL, NOT_LEVEL, COMPARE, SUM, REDUCTION, PRODUCT, NEGATION, POWER, PRIMARY };

typedef struct printer {
  arena *memory;
  char *text;
  size_t size, room;
  int inside_index; /* in index brackets `i+1` has no blanks */
} printer;

static void put(printer *p, const char *s) {
  size_t n = strlen(s);
  if (p->size + n + 1 > p->room) {
    size_t room = 2 * (p->size + n + 32);
    p->text = arena_grow(p->memory, p->text, p->room, room);
    p->room = room;
  }
  memcpy(p->text + p->size, s, n + 1);
  p->size += n;
}

static void print(printer *p, const ast_expr *e, int at_least);

/* ---- operators ----------------------------------------------------------------------------------------- */

static int op_level(ast_op op) {
  switch (op) {
  case AST_OR: return OR_LEVEL;
  case AST_AND: return AND_LEVEL;
  case AST_NOT: return NOT_LEVEL;
  case AST_LT:
  case AST_GT:
  case AST_LE:
  case AST_GE:
  case AST_EQ:
  case AST_NE: return COMPARE;
  case AST_ADD:
  case AST_SUB: return SUM;
  case AST_MUL:
  case AST_DIV: return PRODUCT;
  case AST_NEG: return NEGATION;
  case AST_POW: return POWER;
  }
  return PRIMARY;
}

const char *ast_op_text(ast_op op) {
  static const char *const text[] = {
      "+", "-", "*", "/", "^", "<", ">", "<=", ">=", "==", "!=", "and", "or", "not", "-"};
  return text[op];
}

static int level(const ast_expr *e) {
  switch (e->kind) {
  case AST_IF: return LOOSEST;
  case AST_REDUCTION: return REDUCTION;
  case AST_UNARY:
  case AST_BINARY: return op_level(e->op);
  default: return PRIMARY;
  }
}

/* Does the text end with the body of a reduction, so that a `*` behind it would be read into the body? */
static bool ends_in_reduction(const ast_expr *e) {
  for (;;) {
    if (e->kind == AST_REDUCTION) return true;
    if (e->kind == AST_UNARY) e = e->arg[0];
    else if (e->kind == AST_BINARY && op_level(e->op) != POWER) e = e->arg[1];
    else return false;
  }
}

static bool begins_with_minus(const ast_expr *e) {
  while (e->kind == AST_BINARY) e = e->arg[0];
  return e->kind == AST_UNARY && e->op == AST_NEG;
}

/* The level below which a left operand is bracketed. */
static int left_level(const ast_expr *e) {
  int own = op_level(e->op);
  return own == POWER || own == COMPARE ? own + 1 : own;
}

static bool left_needs_brackets(const ast_expr *e) {
  const ast_expr *left = e->arg[0];
  return level(left) < left_level(e) || (op_level(e->op) >= PRODUCT && ends_in_reduction(left));
}

/* A reduction may stand bare behind `*` and `/`: it takes the rest. */
static int right_level(const ast_expr *e) {
  int own = op_level(e->op);
  if (own == POWER) return POWER;
  return own == PRODUCT && e->arg[1]->kind == AST_REDUCTION ? REDUCTION : own + 1;
}

static void print_operator(printer *p, const ast_expr *e) {
  bool beside_reduction = e->arg[1]->kind == AST_REDUCTION;
  int own = op_level(e->op);
  bool blanks = own < PRODUCT || (own == PRODUCT && beside_reduction);
  if (p->inside_index && own == SUM && !begins_with_minus(e->arg[1])) blanks = false;
  if (blanks) put(p, " ");
  put(p, ast_op_text(e->op));
  if (blanks) put(p, " ");
}

/* Down the left spine, collecting, then printing on the way back. */
static void print_binary(printer *p, const ast_expr *e) {
  VEC(const ast_expr *) spine = {0};
  for (;;) {
    vec_push(p->memory, &spine, e);
    if (e->arg[0]->kind != AST_BINARY || left_needs_brackets(e)) break;
    e = e->arg[0];
  }
  print(p, e->arg[0], left_needs_brackets(e) ? PRIMARY : left_level(e));
  while (spine.n > 0) {
    e = spine.at[--spine.n];
    print_operator(p, e);
    print(p, e->arg[1], right_level(e));
  }
}

static void print_unary(printer *p, const ast_expr *e) {
  put(p, e->op == AST_NOT ? "not " : "-");
  bool reduction = e->arg[0]->kind == AST_REDUCTION;
  print(p, e->arg[0], e->op == AST_NOT ? NOT_LEVEL : reduction ? REDUCTION : NEGATION + 1);
}

/* ---- the rest ------------------------------------------------------------------------------------------ */

static void print_exponent(printer *p, int num, int den) {
  if (den != 1) put(p, arena_printf(p->memory, "^(%d/%d)", num, den));
  else if (num != 1) put(p, arena_printf(p->memory, "^%d", num));
}

/* Factors with negative exponents behind a `/` each; a unit of these alone begins with 1. */
static void print_unit(printer *p, const ast_unit *u) {
  bool any = false;
  put(p, " [");
  for (int i = 0; i < u->n; i++) {
    if (u->factor[i].num < 0) continue;
    if (any) put(p, "*");
    put(p, u->factor[i].base);
    print_exponent(p, u->factor[i].num, u->factor[i].den);
    any = true;
  }
  if (!any) put(p, "1");
  for (int i = 0; i < u->n; i++) {
    if (u->factor[i].num >= 0) continue;
    put(p, "/");
    put(p, u->factor[i].base);
    print_exponent(p, -u->factor[i].num, u->factor[i].den);
  }
  put(p, "]");
}

/* The shortest text that reads back as the same number, `1e-6` rather than `1e-06`. */
static void print_number(printer *p, const ast_expr *e) {
  char text[40];
  for (int digits = 6; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, e->number);
    if (strtod(text, NULL) == e->number) break;
  }
  char *exponent = strchr(text, 'e');
  if (exponent) {
    long value = strtol(exponent + 1, NULL, 10);
    snprintf(exponent, sizeof text - (size_t)(exponent - text), "e%ld", value);
  }
  put(p, text);
  if (e->unit) print_unit(p, e->unit);
}

static void print_binder(printer *p, const ast_binder *b) {
  put(p, b->var);
  switch (b->kind) {
  case AST_NEAR:
    put(p, " near ");
    put(p, b->anchor);
    break;
  case AST_OF:
    put(p, " of ");
    put(p, b->anchor);
    if (b->other) {
      put(p, " to ");
      put(p, b->other);
    }
    break;
  case AST_IN:
    put(p, " in ");
    put(p, b->domain ? b->domain : "?");
    if (b->rule) {
      put(p, "(");
      put(p, b->rule);
      put(p, ")");
    }
    break;
  case AST_IN_RANGE:
    put(p, " in ");
    p->inside_index++;
    print(p, b->lo, LOOSEST);
    put(p, "..");
    print(p, b->hi, LOOSEST);
    p->inside_index--;
    break;
  }
}

static void print_reduction(printer *p, const ast_expr *e) {
  static const char *const word[] = {"sum(", "min(", "max("};
  const ast_expr *body = e->arg[0];
  put(p, word[e->reduce]);
  print_binder(p, e->binder);
  put(p, ") ");
  int at_least = body->kind == AST_REDUCTION ? REDUCTION : PRODUCT;
  if (e->reduce != AST_SUM && body->kind == AST_BINARY && op_level(body->op) == PRODUCT) at_least = PRIMARY;
  print(p, body, at_least);
}

static void print_list(printer *p, const ast_expr *e, int from, const char *separator) {
  for (int i = from; i < e->n; i++) {
    if (i > from) put(p, separator);
    print(p, e->arg[i], LOOSEST);
  }
}

static void print_index(printer *p, const ast_expr *e) {
  print(p, e->arg[0], PRIMARY);
  put(p, "[");
  p->inside_index++;
  print_list(p, e, 1, ",");
  p->inside_index--;
  put(p, "]");
}

static void print_if(printer *p, const ast_expr *e) {
  put(p, "if ");
  print(p, e->arg[0], LOOSEST);
  put(p, " then ");
  print(p, e->arg[1], LOOSEST);
  put(p, " else ");
  print(p, e->arg[2], LOOSEST);
}

static void print_bare(printer *p, const ast_expr *e) {
  switch (e->kind) {
  case AST_NUMBER: print_number(p, e); break;
  case AST_NAME: put(p, ast_name_text(p->memory, e)); break;
  case AST_MEMBER:
    print(p, e->arg[0], PRIMARY);
    put(p, ".");
    put(p, e->text);
    break;
  case AST_INDEX: print_index(p, e); break;
  case AST_CALL:
    print(p, e->arg[0], PRIMARY);
    put(p, "(");
    print_list(p, e, 1, ", ");
    put(p, ")");
    break;
  case AST_RANGE:
    print(p, e->arg[0], LOOSEST);
    put(p, "..");
    print(p, e->arg[1], LOOSEST);
    break;
  case AST_UNARY: print_unary(p, e); break;
  case AST_BINARY: print_binary(p, e); break;
  case AST_IF: print_if(p, e); break;
  case AST_TUPLE:
    put(p, "(");
    print_list(p, e, 0, ", ");
    put(p, ")");
    break;
  case AST_REDUCTION: print_reduction(p, e); break;
  case AST_ERROR: put(p, "?"); break;
  }
}

static void print(printer *p, const ast_expr *e, int at_least) {
  bool brackets = level(e) < at_least;
  if (brackets) put(p, "(");
  print_bare(p, e);
  if (brackets) put(p, ")");
}

const char *ast_expr_text(arena *a, const ast_expr *e) {
  printer p = {.memory = a};
  put(&p, "");
  print(&p, e, LOOSEST);
  return p.text;
}

const char *ast_name_text(arena *a, const ast_expr *e) {
  return e->quoted ? arena_printf(a, "\"%s\"", e->text) : e->text;
}
