/* Templates: pieces of C with holes, read once into kernel IR. What they may hold is what generated kernels hold; a template is part of
 * the compiler's text, so one that cannot be read is a mistake there and stops it. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/build.h"

enum { HOLE = '\1', MOST_HOLES = 16 };

/* The text with its pieces in place; each HOLE stands for the next of the expressions. */
typedef struct quote {
  kir_builder *b;
  const char *at;
  kir_expr *hole[MOST_HOLES];
  int holes, taken;
  bool line_begins; /* the next statement stands on a line of its own */
} quote;

/* ---- filling in ---------------------------------------------------------------------------------------------------------- */

static void fail(const quote *q, const char *what) {
  fprintf(stderr, "dslc: a template is no C: %s at `%.60s`\n", what, q->at);
  abort();
}

typedef struct filling {
  arena *memory;
  char *text;
  size_t size, room;
} filling;

static void put(filling *f, const char *s, size_t n) {
  if (f->size + n + 1 > f->room) {
    const size_t room = 2 * (f->room + n);
    f->text = arena_grow(f->memory, f->text, f->size, room);
    f->room = room;
  }
  memcpy(f->text + f->size, s, n);
  f->size += n;
}

static void fill(quote *q, kir_builder *b, const char *template, va_list ap) {
  *q = (quote){.b = b, .at = template};
  if (!strchr(template, '%')) return;
  filling f = {.memory = b->arena, .text = arena_alloc(b->arena, 128), .room = 128};
  for (const char *s = template; *s; s += 2) {
    const size_t n = strcspn(s, "%");
    put(&f, s, n);
    s += n;
    if (*s == '\0') break;
    char few[16] = {HOLE};
    const char *text = few;
    if (s[1] == 's') text = va_arg(ap, const char *);
    else if (s[1] == '%') text = "%";
    else if (s[1] == 'd') snprintf(few, sizeof few, "%d", va_arg(ap, int));
    else if (s[1] == 'c') few[0] = (char)va_arg(ap, int);
    else if (s[1] == 'e' && q->holes < MOST_HOLES) q->hole[q->holes++] = va_arg(ap, kir_expr *);
    else fail(q, "an unknown hole");
    put(&f, text, strlen(text));
  }
  f.text[f.size] = '\0';
  q->at = f.text;
}

/* ---- tokens ---------------------------------------------------------------------------------------------------------------- */

static bool begins_word(char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_word(char c) { return begins_word(c) || is_digit(c); }

static void blanks(quote *q) {
  while (*q->at == ' ') q->at++;
}

static size_t word_size(const char *s) {
  size_t n = 0;
  if (begins_word(*s))
    while (is_word(s[n])) n++;
  return n;
}

/* Words that are no names. */
typedef enum word {
  WORD_NAME,
  WORD_BREAK,
  WORD_CASE,
  WORD_CONTINUE,
  WORD_DEFAULT,
  WORD_ELSE,
  WORD_FOR,
  WORD_IF,
  WORD_RETURN,
  WORD_SWITCH,
  WORD_BARRIER,
  WORD_FENCE,
  WORD_CONST, /* from here on those that types are made of */
  WORD_GLOBAL,
  WORD_LOCAL,
  WORD_RESTRICT,
  WORD_VOLATILE,
  WORD_BOOL,
  WORD_CHAR,
  WORD_DOUBLE,
  WORD_FLOAT,
  WORD_INT,
  WORD_LONG,
  WORD_UNSIGNED,
  WORD_VOID
} word;

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
static word word_at(const quote *q, size_t *size) {
  const size_t n = word_size(q->at);
  *size = n;
  for (size_t i = 0; n > 1 && i < sizeof words / sizeof *words; i++)
    if (words[i].size == n && words[i].text[0] == *q->at && memcmp(words[i].text, q->at, n) == 0)
      return words[i].id;
  return WORD_NAME;
}

static void pass(quote *q, size_t n) {
  q->at += n;
  blanks(q);
}

static bool accept_word(quote *q, word wanted) {
  size_t n;
  if (word_at(q, &n) != wanted) return false;
  pass(q, n);
  return true;
}

static bool accept(quote *q, char c) {
  blanks(q);
  if (*q->at != c) return false;
  q->at++;
  blanks(q);
  return true;
}

static void expect(quote *q, char c) {
  const char missing[] = {c, '?', '\0'};
  if (!accept(q, c)) fail(q, missing);
}

static const char *take(quote *q, size_t n) {
  const char *s = intern(q->b->names, q->at, n);
  q->at += n;
  return s;
}

static const char *take_word(quote *q) {
  blanks(q);
  const size_t n = word_size(q->at);
  if (n == 0) fail(q, "a name is missing");
  return take(q, n);
}

/* ---- types ------------------------------------------------------------------------------------------------------------------ */

typedef struct base {
  kir_type type;
  kir_space space;
} base;

static bool take_struct(quote *q, base *t, size_t n) {
  for (int i = 0; i < q->b->program->structs.n; i++) {
    kir_struct *s = q->b->program->structs.at[i];
    if (strlen(s->name) != n || memcmp(s->name, q->at, n) != 0) continue;
    t->type.record = s;
    t->type.kind = KIR_STRUCT;
    pass(q, n);
    return true;
  }
  return false;
}

/* The words before a declarator; false, and nothing is taken, where no type stands. */
static bool take_type(quote *q, base *t) {
  *t = (base){0};
  for (bool more = true;;) {
    size_t n;
    const word w = word_at(q, &n);
    if (w == WORD_NAME) return n > 0 && take_struct(q, t, n);
    if (w < WORD_CONST) return false;
    pass(q, n);
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
    case WORD_UNSIGNED: t->type.kind = accept_word(q, WORD_CHAR) ? KIR_UCHAR : KIR_UINT, more = false; break;
    default: fail(q, "a type is missing");
    }
    if (!more) return true;
  }
}

static const kir_type *take_stars(quote *q, const base *t, bool *is_restrict) {
  const kir_type *type = kir_make_type(q->b->program, &t->type);
  *is_restrict = false;
  while (accept(q, '*')) {
    type = kir_pointer_to(q->b->program, type, t->space);
    if (accept_word(q, WORD_CONST)) type = kir_qualified(q->b->program, type, true, false);
    *is_restrict = accept_word(q, WORD_RESTRICT);
  }
  return type;
}

/* ---- expressions --------------------------------------------------------------------------------------------------------------- */

static kir_expr *assignment(quote *q);
static kir_expr *unary(quote *q);

static kir_expr *make(quote *q, kir_expr_kind kind, const kir_type *type, int width) {
  kir_expr *e = arena_new(q->b->arena, kir_expr);
  e->kind = kind;
  e->type = type;
  e->width = width;
  return e;
}

static kir_expr *comma(quote *q) {
  kir_expr *e = assignment(q);
  while (accept(q, ',')) {
    kir_expr *right = assignment(q), *pair = make(q, KIR_COMMA, right->type, e->width + 2 + right->width);
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
  kir_expr *arg[MOST_HOLES];
  int n = 0;
  while (!accept(q, ')')) {
    if (n) expect(q, ',');
    if (n == MOST_HOLES) fail(q, "too many arguments");
    arg[n++] = assignment(q);
  }
  return kir_call(q->b, function, result_of(function), arg, n);
}

/* (type)x or (x). */
static kir_expr *parenthesis(quote *q) {
  base t;
  bool is_restrict;
  if (take_type(q, &t)) {
    const kir_type *type = take_stars(q, &t, &is_restrict);
    expect(q, ')');
    return kir_cast(q->b, type, unary(q));
  }
  kir_expr *e = comma(q);
  expect(q, ')');
  return kir_enclose(q->b, e);
}

static kir_expr *primary(quote *q) {
  blanks(q);
  if (*q->at == HOLE) {
    q->at++;
    return q->hole[q->taken++];
  }
  if (is_digit(*q->at)) return number(q);
  if (accept(q, '(')) return parenthesis(q);
  const name text = take_word(q);
  return accept(q, '(') ? call(q, text) : kir_name_of(q->b, text);
}

static kir_expr *member(quote *q, kir_expr *of, bool arrow) {
  return kir_member(q->b, of, arrow, take_word(q), kir_scalar(q->b->program, KIR_INT));
}

static kir_expr *step(quote *q, kir_expr *of, bool postfix) {
  kir_expr *e = make(q, KIR_STEP, of->type, of->width + 2);
  e->a = of;
  e->postfix = postfix;
  return e;
}

static kir_expr *subscript(quote *q, kir_expr *of) {
  kir_expr *index = comma(q);
  expect(q, ']');
  const kir_type *type = of->type->of ? of->type->of : kir_scalar(q->b->program, KIR_DOUBLE);
  kir_expr *e = make(q, KIR_INDEX, type, of->width + 2 + index->width);
  e->a = of;
  e->b = index;
  return e;
}

static kir_expr *postfix(quote *q) {
  kir_expr *e = primary(q);
  for (;;) {
    if (*q->at == '[') accept(q, '['), e = subscript(q, e);
    else if (q->at[0] == '-' && q->at[1] == '>') q->at += 2, e = member(q, e, true);
    else if (*q->at == '.' && begins_word(q->at[1])) q->at += 1, e = member(q, e, false);
    else return e;
  }
}

static kir_expr *pointed(quote *q, kir_expr_kind kind) {
  q->at++;
  kir_expr *a = kir_within(q->b, unary(q), KIR_BY_PREFIX);
  const bool deref = kind == KIR_DEREF && a->type->kind == KIR_POINTER;
  kir_expr *e = make(q, kind, deref ? a->type->of : a->type, 1 + a->width);
  if (kind == KIR_ADDRESS) e->type = kir_pointer_to(q->b->program, a->type, KIR_PRIVATE);
  e->a = a;
  return e;
}

static kir_expr *unary(quote *q) {
  blanks(q);
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
    blanks(q);
    const kir_op op = operator_at(q->at, &size);
    if (op == KIR_NONE || kir_op_level(op) < level) return e;
    q->at += size;
    e = joined(q, op, e, binary(q, kir_op_level(op) + 1));
  }
}

static kir_expr *conditional(quote *q) {
  kir_expr *e = binary(q, KIR_BY_OR);
  if (!accept(q, '?')) return e;
  kir_expr *then = assignment(q);
  expect(q, ':');
  return kir_choose(q->b, e, then, conditional(q));
}

static kir_expr *assignment(quote *q) {
  kir_expr *e = conditional(q);
  blanks(q);
  kir_op op = KIR_NONE;
  const char c = *q->at;
  if (c == '=' && q->at[1] != '=') q->at++;
  else if (c && strchr("+-*/", c) && q->at[1] == '=') {
    op = c == '+' ? KIR_ADD : c == '-' ? KIR_SUB : c == '*' ? KIR_MUL : KIR_DIV;
    q->at += 2;
  } else return e;
  kir_expr *value = assignment(q);
  kir_expr *made = make(q, KIR_ASSIGN, e->type, e->width + value->width + (op ? 4 : 3));
  made->op = op;
  made->a = e;
  made->b = value;
  return made;
}

/* ---- statements ------------------------------------------------------------------------------------------------------------------ */

static void statement(quote *q);

static kir_stmt *add(quote *q, kir_stmt_kind kind) {
  kir_stmt *s = kir_add(q->b, kind);
  s->joined = !q->line_begins;
  q->line_begins = false;
  return s;
}

static kir_expr *initialiser(quote *q) {
  if (!accept(q, '{')) return assignment(q);
  kir_expr *e = make(q, KIR_LIST, kir_scalar(q->b->program, KIR_DOUBLE), 2);
  e->args = arena_array(q->b->arena, kir_expr *, 1);
  e->args[e->n++] = assignment(q);
  expect(q, '}');
  return e;
}

/* One variable of a declaration; the value is read before the name is known, as it must not name it. */
static void declarator(quote *q, const base *t, kir_body *into, bool more) {
  bool is_restrict;
  const kir_type *type = take_stars(q, t, &is_restrict);
  const char *text = take_word(q);
  kir_expr *count = NULL;
  if (accept(q, '[')) {
    count = comma(q);
    expect(q, ']');
    type =
        kir_make_type(q->b->program,
                      &(kir_type){.kind = KIR_ARRAY, .space = t->space, .of = type, .count = count->value.i});
  }
  kir_expr *value = accept(q, '=') ? initialiser(q) : NULL;
  kir_stmt *s;
  if (into) {
    s = arena_new(q->b->arena, kir_stmt);
    s->kind = KIR_LET;
    vec_push(q->b->arena, into, s);
  } else s = add(q, KIR_LET);
  if (into || more) s->joined = more;
  s->value = value;
  s->variable = kir_declare(q->b, type, text);
  s->variable->is_restrict = is_restrict;
  s->variable->count = count;
  s->variable->space = count || type->kind != KIR_POINTER ? t->space : KIR_PRIVATE;
}

static bool declaration(quote *q, kir_body *into) {
  base t;
  if (!take_type(q, &t)) return false;
  declarator(q, &t, into, false);
  while (accept(q, ',')) declarator(q, &t, into, true);
  expect(q, ';');
  if (!into) kir_close_singles(q->b);
  return true;
}

/* What a condition or a loop governs: a block that is left open, a statement on the same line, or one that follows. */
static void governed(quote *q, kir_stmt *s) {
  blanks(q);
  if (accept(q, '{')) {
    kir_open(q->b, s, &s->body);
    return;
  }
  if (*q->at == '\0' || *q->at == '\n') {
    kir_open_single(q->b, s, &s->body);
    return;
  }
  s->form = KIR_ON_LINE;
  kir_open(q->b, s, &s->body);
  q->line_begins = true;
  statement(q);
  q->line_begins = false;
  kir_close(q->b);
  q->b->last = s;
}

static void conditional_statement(quote *q, bool chained) {
  kir_stmt *s = add(q, KIR_IF);
  s->chained = chained;
  expect(q, '(');
  s->value = comma(q);
  expect(q, ')');
  governed(q, s);
}

static void loop_statement(quote *q) {
  kir_stmt *s = add(q, KIR_FOR);
  const int hidden = q->b->hidden.n;
  expect(q, '(');
  if (!declaration(q, &s->first)) {
    kir_stmt *first = arena_new(q->b->arena, kir_stmt);
    first->kind = KIR_EVAL;
    first->value = comma(q);
    vec_push(q->b->arena, &s->first, first);
    expect(q, ';');
  }
  if (*q->at == '\n') s->form = KIR_BROKEN, q->at++;
  blanks(q);
  if (*q->at != ';') s->value = comma(q);
  expect(q, ';');
  if (*q->at != ')') s->step = comma(q);
  expect(q, ')');
  const kir_form form = s->form;
  const int opened = q->b->open.n;
  governed(q, s);
  if (form) s->form = form;
  if (q->b->open.n > opened) q->b->open.at[q->b->open.n - 1].hidden = hidden;
  else kir_forget(q->b, hidden);
}

static void switch_statement(quote *q) {
  kir_stmt *s = add(q, KIR_SWITCH);
  expect(q, '(');
  s->value = comma(q);
  expect(q, ')');
  expect(q, '{');
  s->form = KIR_FLUSH;
  kir_open(q->b, s, &s->body);
}

static void case_statement(quote *q, bool has_value) {
  kir_stmt *s = add(q, KIR_CASE);
  if (has_value) s->value = conditional(q);
  expect(q, ':');
}

static void close_statement(quote *q) {
  kir_stmt *owner = q->b->open.at[q->b->open.n - 1].owner;
  if (!accept_word(q, WORD_ELSE)) {
    kir_close(q->b);
    q->line_begins = false;
    return;
  }
  kir_close_block(q->b);
  owner->has_otherwise = true;
  kir_open(q->b, owner, &owner->otherwise);
  q->line_begins = true;
  if (accept_word(q, WORD_IF)) conditional_statement(q, true);
  else expect(q, '{');
  q->line_begins = false;
}

static void barrier_statement(quote *q, kir_stmt_kind kind) {
  kir_stmt *s = add(q, kind);
  expect(q, '(');
  do {
    const char *memory = take_word(q);
    s->fences |= strcmp(memory, "CLK_LOCAL_MEM_FENCE") == 0 ? KIR_FENCE_LOCAL : KIR_FENCE_GLOBAL;
  } while (accept(q, '|'));
  expect(q, ')');
  expect(q, ';');
  kir_close_singles(q->b);
}

static void plain_statement(quote *q, kir_stmt_kind kind) {
  kir_stmt *s = add(q, kind);
  if (!accept(q, ';')) {
    s->value = comma(q);
    expect(q, ';');
  }
  kir_close_singles(q->b);
}

/* By its first word. */
static void statement_of_word(quote *q) {
  size_t n;
  const word w = word_at(q, &n);
  if (w != WORD_NAME && w < WORD_CONST) pass(q, n);
  switch (w) {
  case WORD_IF: conditional_statement(q, false); break;
  case WORD_FOR: loop_statement(q); break;
  case WORD_SWITCH: switch_statement(q); break;
  case WORD_CASE: case_statement(q, true); break;
  case WORD_DEFAULT: case_statement(q, false); break;
  case WORD_RETURN: plain_statement(q, KIR_RETURN); break;
  case WORD_BREAK: plain_statement(q, KIR_BREAK); break;
  case WORD_CONTINUE: plain_statement(q, KIR_CONTINUE); break;
  case WORD_BARRIER: barrier_statement(q, KIR_BARRIER); break;
  case WORD_FENCE: barrier_statement(q, KIR_FENCE); break;
  case WORD_ELSE: fail(q, "else without if"); break;
  default:
    if (!declaration(q, NULL)) plain_statement(q, KIR_EVAL);
  }
}

static void statement(quote *q) {
  blanks(q);
  if (accept(q, '}')) close_statement(q);
  else if (accept(q, '{')) {
    kir_stmt *s = add(q, KIR_BLOCK);
    kir_open(q->b, s, &s->body);
  } else statement_of_word(q);
}

void kir_parameters(kir_builder *b, const char *template, ...) {
  quote q;
  va_list ap;
  base t;
  bool is_restrict;
  va_start(ap, template);
  fill(&q, b, template, ap);
  va_end(ap);
  do {
    if (!take_type(&q, &t)) fail(&q, "a parameter without a type");
    const kir_type *type = take_stars(&q, &t, &is_restrict);
    kir_add_parameter(b, type, take_word(&q), is_restrict);
  } while (accept(&q, ','));
}

/* ---- lines ------------------------------------------------------------------------------------------------------------------------- */

static const char *rest_of_line(quote *q) {
  const size_t n = strcspn(q->at, "\n");
  const char *text = arena_strndup(q->b->arena, q->at, n);
  q->at += n;
  return text;
}

static void comment(quote *q) {
  q->at += 2;
  blanks(q);
  if (q->line_begins) add(q, KIR_COMMENT)->text = rest_of_line(q);
  else q->b->last->remark = rest_of_line(q);
}

static void directive(quote *q) {
  q->at++;
  const char *which = take_word(q);
  const bool define = strcmp(which, "define") == 0;
  if (!define && strcmp(which, "pragma") != 0) fail(q, "an unknown directive");
  blanks(q);
  add(q, define ? KIR_DEFINE : KIR_PRAGMA)->text = rest_of_line(q);
}

static void lines(quote *q) {
  q->line_begins = true;
  if (*q->at == '\0') kir_blank(q->b);
  while (*q->at) {
    if (*q->at == '\n') {
      if (q->line_begins) kir_blank(q->b);
      q->line_begins = true;
      if (*++q->at == '\0') kir_blank(q->b);
    } else if (*q->at == ' ') q->at++;
    else if (q->at[0] == '/' && q->at[1] == '/') comment(q);
    else if (*q->at == '#') directive(q);
    else statement(q);
  }
}

void kir_line(kir_builder *b, const char *template, ...) {
  quote q;
  va_list ap;
  va_start(ap, template);
  fill(&q, b, template, ap);
  va_end(ap);
  lines(&q);
}

void kir_line_if_named(kir_builder *b, const char *template, ...) {
  quote q;
  va_list ap;
  va_start(ap, template);
  fill(&q, b, template, ap);
  va_end(ap);
  lines(&q);
  b->last->if_named = true;
}

kir_expr *kir_quote(kir_builder *b, const char *template, ...) {
  quote q;
  va_list ap;
  va_start(ap, template);
  fill(&q, b, template, ap);
  va_end(ap);
  kir_expr *e = assignment(&q);
  if (*q.at) fail(&q, "more than one expression");
  return e;
}
