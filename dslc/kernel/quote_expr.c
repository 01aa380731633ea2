/* Types and expressions of templates: see build.h. */
#include "kernel/quote.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void quote_fail(const quote *q, const char *what) {
  fprintf(stderr, "dslc: a template is no C: %s at `%.60s`\n", what, q->at);
  abort();
}

/* ---- tokens ---------------------------------------------------------------------------------------------------------------- */

static bool begins_word(char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_word(char c) { return begins_word(c) || is_digit(c); }

void quote_blanks(quote *q) {
  while (*q->at == ' ') q->at++;
}

static size_t word_size(const char *s) {
  size_t n = 0;
  if (begins_word(*s))
    while (is_word(s[n])) n++;
  return n;
}

#define SPELLED(text, id)                                                                                    \
  { text, sizeof text - 1, id }

static const struct {
  const char *text;
  size_t size;
  word id;
} words[] = {SPELLED("const", WORD_CONST),
             SPELLED("int", WORD_INT),
             SPELLED("if", WORD_IF),
             SPELLED("double", WORD_DOUBLE),
             SPELLED("bool", WORD_BOOL),
             SPELLED("return", WORD_RETURN),
             SPELLED("for", WORD_FOR),
             SPELLED("case", WORD_CASE),
             SPELLED("break", WORD_BREAK),
             SPELLED("continue", WORD_CONTINUE),
             SPELLED("default", WORD_DEFAULT),
             SPELLED("else", WORD_ELSE),
             SPELLED("switch", WORD_SWITCH),
             SPELLED("barrier", WORD_BARRIER),
             SPELLED("mem_fence", WORD_FENCE),
             SPELLED("__global", WORD_GLOBAL),
             SPELLED("__local", WORD_LOCAL),
             SPELLED("restrict", WORD_RESTRICT),
             SPELLED("volatile", WORD_VOLATILE),
             SPELLED("char", WORD_CHAR),
             SPELLED("float", WORD_FLOAT),
             SPELLED("long", WORD_LONG),
             SPELLED("unsigned", WORD_UNSIGNED),
             SPELLED("void", WORD_VOID)};

/* The word that begins here, without taking it. */
word quote_word(const quote *q, size_t *size) {
  const size_t n = word_size(q->at);
  *size = n;
  for (size_t i = 0; n > 1 && i < sizeof words / sizeof *words; i++)
    if (words[i].size == n && words[i].text[0] == *q->at && memcmp(words[i].text, q->at, n) == 0)
      return words[i].id;
  return WORD_NAME;
}

void quote_pass(quote *q, size_t n) {
  q->at += n;
  quote_blanks(q);
}

bool quote_accept_word(quote *q, word wanted) {
  size_t n;
  if (quote_word(q, &n) != wanted) return false;
  quote_pass(q, n);
  return true;
}

bool quote_accept(quote *q, char c) {
  quote_blanks(q);
  if (*q->at != c) return false;
  q->at++;
  quote_blanks(q);
  return true;
}

void quote_expect(quote *q, char c) {
  const char missing[] = {c, '?', '\0'};
  if (!quote_accept(q, c)) quote_fail(q, missing);
}

static const char *take(quote *q, size_t n) {
  const char *s = intern(q->b->names, q->at, n);
  q->at += n;
  return s;
}

name quote_name(quote *q) {
  quote_blanks(q);
  const size_t n = word_size(q->at);
  if (n == 0) quote_fail(q, "a name is missing");
  return take(q, n);
}

/* ---- types ------------------------------------------------------------------------------------------------------------------ */

static bool take_struct(quote *q, quote_base *t, size_t n) {
  for (int i = 0; i < q->b->program->structs.n; i++) {
    kir_struct *s = q->b->program->structs.at[i];
    if (strlen(s->name) != n || memcmp(s->name, q->at, n) != 0) continue;
    t->type.record = s;
    t->type.kind = KIR_STRUCT;
    quote_pass(q, n);
    return true;
  }
  return false;
}

/* The words before a declarator; false, and nothing is taken, where no type stands. */
bool quote_type(quote *q, quote_base *t) {
  *t = (quote_base){0};
  for (bool more = true;;) {
    size_t n;
    const word w = quote_word(q, &n);
    if (w == WORD_NAME) return n > 0 && take_struct(q, t, n);
    if (w < WORD_CONST) return false;
    quote_pass(q, n);
    switch (w) {
    case WORD_CONST: t->type.is_const = true; break;
    case WORD_VOLATILE: t->type.is_volatile = true; break;
    case WORD_GLOBAL: t->space = KIR_GLOBAL; break;
    case WORD_LOCAL: t->space = KIR_LOCAL; break;
    case WORD_BOOL: t->type.kind = KIR_BOOL, more = false; break;
    case WORD_DOUBLE: t->type.kind = KIR_DOUBLE, more = false; break;
    case WORD_FLOAT: t->type.kind = KIR_FLOAT, more = false; break;
    case WORD_INT: t->type.kind = KIR_INT, more = false; break;
    case WORD_LONG: t->type.kind = KIR_LONG, more = false; break;
    case WORD_VOID: t->type.kind = KIR_VOID, more = false; break;
    case WORD_UNSIGNED:
      t->type.kind = quote_accept_word(q, WORD_CHAR) ? KIR_UCHAR : KIR_UINT, more = false;
      break;
    default: quote_fail(q, "a type is missing");
    }
    if (!more) return true;
  }
}

const kir_type *quote_stars(quote *q, const quote_base *t, bool *is_restrict) {
  const kir_type *type = kir_make_type(q->b->program, &t->type);
  *is_restrict = false;
  while (quote_accept(q, '*')) {
    type = kir_pointer_to(q->b->program, type, t->space);
    if (quote_accept_word(q, WORD_CONST)) type = kir_qualified(q->b->program, type, true, false);
    *is_restrict = quote_accept_word(q, WORD_RESTRICT);
  }
  return type;
}

/* ---- expressions --------------------------------------------------------------------------------------------------------------- */

static kir_expr *unary(quote *q);

kir_expr *quote_make(quote *q, kir_expr_kind kind, const kir_type *type, int width) {
  kir_expr *e = arena_new(q->b->arena, kir_expr);
  e->kind = kind;
  e->type = type;
  e->width = width;
  return e;
}

kir_expr *quote_expr(quote *q) {
  kir_expr *e = quote_assignment(q);
  while (quote_accept(q, ',')) {
    kir_expr *right = quote_assignment(q),
             *pair = quote_make(q, KIR_COMMA, right->type, e->width + 2 + right->width);
    pair->a = e;
    pair->b = right;
    e = pair;
  }
  return e;
}

static kir_expr *number(quote *q) {
  size_t n = 0;
  bool floating = false;
  while (is_word(q->at[n]) || q->at[n] == '.' ||
         ((q->at[n] == '-' || q->at[n] == '+') && n && (q->at[n - 1] == 'e' || q->at[n - 1] == 'E'))) {
    floating = floating || q->at[n] == '.' || q->at[n] == 'e';
    n++;
  }
  kir_expr *e = kir_literal(q->b, floating ? KIR_DOUBLE : KIR_INT, take(q, n));
  e->value.i = floating ? 0 : strtol(e->spelling, NULL, 10);
  if (e->spelling[n - 1] == 'u') e->type = kir_scalar(q->b->program, KIR_UINT);
  return e;
}

static kir_kind result_of(const char *function) {
  static const char *const integer[] = {"min", "max", "abs", "outermost", "atomic_max"};
  if (strncmp(function, "get_", 4) == 0) return KIR_ULONG;
  for (size_t i = 0; i < sizeof integer / sizeof *integer; i++)
    if (strcmp(function, integer[i]) == 0) return KIR_INT;
  return KIR_DOUBLE;
}

static kir_expr *call(quote *q, const char *function) {
  kir_expr *arg[QUOTE_MOST];
  int n = 0;
  while (!quote_accept(q, ')')) {
    if (n) quote_expect(q, ',');
    if (n == QUOTE_MOST) quote_fail(q, "too many arguments");
    arg[n++] = quote_assignment(q);
  }
  return kir_call(q->b, function, result_of(function), arg, n);
}

/* (type)x or (x). */
static kir_expr *parenthesis(quote *q) {
  quote_base t;
  bool is_restrict;
  if (quote_type(q, &t)) {
    const kir_type *type = quote_stars(q, &t, &is_restrict);
    quote_expect(q, ')');
    return kir_cast(q->b, type, unary(q));
  }
  kir_expr *e = quote_expr(q);
  quote_expect(q, ')');
  return kir_enclose(q->b, e);
}

static kir_expr *primary(quote *q) {
  quote_blanks(q);
  if (*q->at == QUOTE_HOLE) {
    q->at++;
    return q->hole[q->taken++];
  }
  if (is_digit(*q->at)) return number(q);
  if (quote_accept(q, '(')) return parenthesis(q);
  const name text = quote_name(q);
  return quote_accept(q, '(') ? call(q, text) : kir_name_of(q->b, text);
}

static kir_expr *member(quote *q, kir_expr *of, bool arrow) {
  return kir_member(q->b, of, arrow, quote_name(q), kir_scalar(q->b->program, KIR_INT));
}

static kir_expr *step(quote *q, kir_expr *of, bool postfix) {
  kir_expr *e = quote_make(q, KIR_STEP, of->type, of->width + 2);
  e->a = of;
  e->postfix = postfix;
  return e;
}

static kir_expr *subscript(quote *q, kir_expr *of) {
  kir_expr *index = quote_expr(q);
  quote_expect(q, ']');
  const kir_type *type = of->type->of ? of->type->of : kir_scalar(q->b->program, KIR_DOUBLE);
  kir_expr *e = quote_make(q, KIR_INDEX, type, of->width + 2 + index->width);
  e->a = of;
  e->b = index;
  return e;
}

static kir_expr *postfix(quote *q) {
  kir_expr *e = primary(q);
  for (;;) {
    if (*q->at == '[') quote_accept(q, '['), e = subscript(q, e);
    else if (q->at[0] == '-' && q->at[1] == '>') q->at += 2, e = member(q, e, true);
    else if (*q->at == '.' && begins_word(q->at[1])) q->at += 1, e = member(q, e, false);
    else return e;
  }
}

static kir_expr *pointed(quote *q, kir_expr_kind kind) {
  q->at++;
  kir_expr *a = kir_within(q->b, unary(q), KIR_BY_PREFIX);
  const bool deref = kind == KIR_DEREF && a->type->kind == KIR_POINTER;
  kir_expr *e = quote_make(q, kind, deref ? a->type->of : a->type, 1 + a->width);
  if (kind == KIR_ADDRESS) e->type = kir_pointer_to(q->b->program, a->type, KIR_PRIVATE);
  e->a = a;
  return e;
}

static kir_expr *unary(quote *q) {
  quote_blanks(q);
  const char c = *q->at, next = c ? q->at[1] : '\0';
  if ((c == '+' || c == '-') && next == c) {
    q->at += 2;
    kir_expr *e = step(q, unary(q), false);
    e->op = c == '+' ? KIR_ADD : KIR_SUB;
    return e;
  }
  if (c == '*') return pointed(q, KIR_DEREF);
  if (c == '&') return pointed(q, KIR_ADDRESS);
  if (c == '-') return q->at++, kir_unary(q->b, KIR_NEG, unary(q));
  if (c == '!') return q->at++, kir_unary(q->b, KIR_NOT, unary(q));
  if (c == '~') return q->at++, kir_unary(q->b, KIR_COMPL, unary(q));
  return postfix(q);
}

/* The operator of two operands that stands here, and its characters; NONE: none does, or one that assigns. */
static kir_op operator_at(const char *s, int *size) {
  const char next = *s ? s[1] : '\0';
  const bool equal = next == '=', twice = next == *s;
  *size = equal || twice ? 2 : 1;
  switch (*s) {
  case '&': return twice ? KIR_BOTH : KIR_BAND;
  case '|': return twice ? KIR_EITHER : KIR_BOR;
  case '<': return twice ? KIR_SHL : equal ? KIR_LE : KIR_LT;
  case '>': return twice ? KIR_SHR : equal ? KIR_GE : KIR_GT;
  case '=': return equal ? KIR_EQ : KIR_NONE;
  case '!': return equal ? KIR_NE : KIR_NONE;
  case '+': return equal || twice ? KIR_NONE : KIR_ADD;
  case '-': return equal || twice ? KIR_NONE : KIR_SUB;
  case '*': return equal ? KIR_NONE : KIR_MUL;
  case '/': return equal || twice ? KIR_NONE : KIR_DIV;
  case '%': return KIR_MOD;
  case '^': return KIR_XOR;
  default: return KIR_NONE;
  }
}

/* As text has it: a sum in a hole joins the sum it stands in, and so do && and ||. */
static kir_expr *joined(quote *q, kir_op op, kir_expr *x, kir_expr *y) {
  const bool sum = op == KIR_ADD && y->kind == KIR_BINARY && kir_op_level(y->op) == KIR_BY_SUM;
  const bool logic = (op == KIR_BOTH && y->kind == KIR_AND) || (op == KIR_EITHER && y->kind == KIR_OR);
  if (y->enclosed || !(sum || logic)) return kir_binary(q->b, op, x, y);
  return kir_binary(q->b, sum ? y->op : op, joined(q, op, x, y->a), y->b);
}

static kir_expr *binary(quote *q, int level) {
  kir_expr *e = unary(q);
  for (;;) {
    int size = 0;
    quote_blanks(q);
    const kir_op op = operator_at(q->at, &size);
    if (op == KIR_NONE || kir_op_level(op) < level) return e;
    q->at += size;
    e = joined(q, op, e, binary(q, kir_op_level(op) + 1));
  }
}

kir_expr *quote_conditional(quote *q) {
  kir_expr *e = binary(q, KIR_BY_OR);
  if (!quote_accept(q, '?')) return e;
  kir_expr *then = quote_assignment(q);
  quote_expect(q, ':');
  return kir_choose(q->b, e, then, quote_conditional(q));
}

kir_expr *quote_assignment(quote *q) {
  kir_expr *e = quote_conditional(q);
  quote_blanks(q);
  kir_op op = KIR_NONE;
  const char c = *q->at;
  if (c == '=' && q->at[1] != '=') q->at++;
  else if (c && strchr("+-*/", c) && q->at[1] == '=') {
    op = c == '+' ? KIR_ADD : c == '-' ? KIR_SUB : c == '*' ? KIR_MUL : KIR_DIV;
    q->at += 2;
  } else return e;
  kir_expr *value = quote_assignment(q);
  kir_expr *made = quote_make(q, KIR_ASSIGN, e->type, e->width + value->width + (op ? 4 : 3));
  made->op = op;
  made->a = e;
  made->b = value;
  return made;
}
