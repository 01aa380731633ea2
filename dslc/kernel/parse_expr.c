/* Expressions: typed as they are read, by the constructors of typed.c. */

#include "kernel/parser.h"

/* ---- Constants --------------------------------------------------------------------------------------------------- */

static bool fold_binary(kir_op op, int64_t a, int64_t b, int64_t *value) {
  int64_t r = 0;
  switch (op) {
  case KIR_ADD: return !__builtin_add_overflow(a, b, value);
  case KIR_SUB: return !__builtin_sub_overflow(a, b, value);
  case KIR_MUL: return !__builtin_mul_overflow(a, b, value);
  case KIR_DIV: return b != 0 && !(a == INT64_MIN && b == -1) && (*value = a / b, true);
  case KIR_MOD: return b != 0 && !(a == INT64_MIN && b == -1) && (*value = a % b, true);
  case KIR_SHL: return b >= 0 && b < 62 && a >= 0 && a >> (62 - b) == 0 && (*value = a << b, true);
  case KIR_SHR: return b >= 0 && b < 63 && (*value = a >> b, true);
  case KIR_BAND: r = a & b; break;
  case KIR_BOR: r = a | b; break;
  case KIR_XOR: r = a ^ b; break;
  case KIR_LT: r = a < b; break;
  case KIR_LE: r = a <= b; break;
  case KIR_GT: r = a > b; break;
  case KIR_GE: r = a >= b; break;
  case KIR_EQ: r = a == b; break;
  case KIR_NE: r = a != b; break;
  default: return false;
  }
  return *value = r, true;
}

static bool fold_unary(kir_op op, int64_t a, int64_t *value) {
  switch (op) {
  case KIR_NEG: return !__builtin_sub_overflow((int64_t)0, a, value);
  case KIR_COMPL: return *value = ~a, true;
  case KIR_NOT: return *value = !a, true;
  default: return false;
  }
}

bool kir_constant(const kir_expr *e, int64_t *value) {
  int64_t a = 0, b = 0;
  if (!kir_is_integer(e->type)) return false;
  switch (e->kind) {
  case KIR_CONST: return *value = e->value.i, true;
  case KIR_CAST: return kir_constant(e->a, value);
  case KIR_UNARY: return kir_constant(e->a, &a) && fold_unary(e->op, a, value);
  case KIR_BINARY: return kir_constant(e->a, &a) && kir_constant(e->b, &b) && fold_binary(e->op, a, b, value);
  case KIR_AND: return kir_constant(e->a, &a) && kir_constant(e->b, &b) && (*value = a && b, true);
  case KIR_OR: return kir_constant(e->a, &a) && kir_constant(e->b, &b) && (*value = a || b, true);
  case KIR_SELECT: return kir_constant(e->a, &a) && kir_constant(a ? e->b : e->c, value);
  default: return false;
  }
}

int64_t kir_parse_constant(kir_parser *p, const char *what) {
  int64_t value = 0;
  kir_expr *e = kir_parse_assignment(p);
  if (!p->failed && !kir_constant(e, &value)) kir_fail(p, e->line, "%s is to be a constant integer", what);
  return value;
}

static kir_expr *number(kir_parser *p) {
  const kir_token *t = p->at++;
  return kir_typed_number(p, arena_strndup(p->arena, t->text, (size_t)t->length), t->line);
}

/* ---- Names and calls ----------------------------------------------------------------------------------------------- */

static int read_arguments(kir_parser *p, kir_expr ***args) {
  VEC(kir_expr *) list = {0};
  kir_expect(p, '(', "behind a function's name");
  while (!p->failed && !kir_is(p->at, ')')) {
    kir_expr *value = kir_decay(p, kir_parse_assignment(p));
    vec_push(p->arena, &list, value);
    if (!kir_accept(p, ',')) break;
  }
  kir_expect(p, ')', "behind a function's arguments");
  *args = list.at;
  return list.n;
}

static kir_expr *named(kir_parser *p) {
  const kir_token *t = p->at++;
  const kir_binding *b = t->symbol->binding;
  const kir_macro *m = p->expands ? t->symbol->macro : NULL;
  kir_expr *e = NULL, **args = NULL;
  int n = 0;
  if (m && (!m->has_arguments || kir_is(p->at, '('))) {
    if (m->has_arguments) n = read_arguments(p, &args);
    return p->failed ? kir_nothing(p) : kir_expand(p, t->symbol, args, n, t->line);
  }
  if (!b) return kir_fail(p, t->line, "`%s` is not declared", t->symbol->text), kir_nothing(p);
  switch (b->kind) {
  case BIND_VARIABLE:
    e = kir_make(p, KIR_VAR, b->variable->type, t->line);
    e->variable = b->variable;
    return e;
  case BIND_FUNCTION: n = read_arguments(p, &args); return kir_typed_call(p, b->function, args, n, t->line);
  case BIND_BUILTIN: n = read_arguments(p, &args); return kir_typed_builtin(p, b->builtin, args, n, t->line);
  case BIND_CONSTANT:
    e = arena_new(p->arena, kir_expr);
    *e = *b->constant;
    e->line = t->line;
    return e;
  case BIND_TYPE:
  case BIND_STRUCT: break;
  }
  return kir_fail(p, t->line, "the type `%s` where a value is expected", t->symbol->text), kir_nothing(p);
}

/* ---- Postfix and prefix --------------------------------------------------------------------------------------------- */

static kir_expr *primary(kir_parser *p) {
  const kir_token *t = p->at;
  if (t->kind == TOKEN_NUMBER) return number(p);
  if (kir_accept_word(p, WORD_TRUE) || kir_accept_word(p, WORD_FALSE)) {
    kir_expr *e = kir_make_constant(p, kir_scalar(p->program, KIR_BOOL), t->symbol->text, t->line);
    e->value.i = t->symbol->keyword == WORD_TRUE;
    return e;
  }
  if (t->kind == TOKEN_NAME && !t->symbol->keyword) return named(p);
  if (kir_accept(p, '(')) {
    kir_expr *e = kir_parse_expr(p);
    kir_expect(p, ')', "behind an expression in parentheses");
    return e;
  }
  kir_fail(p, t->line, "an expression is expected, not `%.*s`", t->length, t->text);
  return kir_nothing(p);
}

static kir_expr *subscript(kir_parser *p, kir_expr *base) {
  kir_expr *index = kir_parse_expr(p);
  kir_expect(p, ']', "behind an index");
  return kir_typed_index(p, base, index);
}

static kir_expr *field(kir_parser *p, kir_expr *base) {
  kir_symbol *name = kir_expect_name(p, "a field's name");
  return name ? kir_typed_field(p, base, name->text) : base;
}

static kir_expr *postfix(kir_parser *p) {
  kir_expr *e = primary(p);
  while (!p->failed) {
    if (kir_accept(p, '[')) e = subscript(p, e);
    else if (kir_accept(p, '.')) e = field(p, e);
    else if (kir_accept(p, PUNCT2('-', '>'))) e = field(p, kir_typed_dereference(p, e));
    else if (kir_accept(p, PUNCT2('+', '+'))) e = kir_typed_step(p, e, KIR_ADD, true);
    else if (kir_accept(p, PUNCT2('-', '-'))) e = kir_typed_step(p, e, KIR_SUB, true);
    else break;
  }
  return e;
}

static kir_expr *prefix(kir_parser *p);

static kir_expr *explicit_cast(kir_parser *p) {
  const int line = p->at->line;
  kir_expect(p, '(', "before a type");
  const kir_type *to = kir_parse_type_name(p);
  kir_expect(p, ')', "behind a type");
  return kir_typed_cast(p, prefix(p), to, line);
}

static kir_expr *prefix_of(kir_parser *p) {
  if (kir_accept(p, '-')) return kir_typed_unary(p, KIR_NEG, prefix(p));
  if (kir_accept(p, '+')) return prefix(p);
  if (kir_accept(p, '!')) return kir_typed_unary(p, KIR_NOT, prefix(p));
  if (kir_accept(p, '~')) return kir_typed_unary(p, KIR_COMPL, prefix(p));
  if (kir_accept(p, '*')) return kir_typed_dereference(p, prefix(p));
  if (kir_accept(p, '&')) return kir_typed_address(p, prefix(p));
  if (kir_accept(p, PUNCT2('+', '+'))) return kir_typed_step(p, prefix(p), KIR_ADD, false);
  if (kir_accept(p, PUNCT2('-', '-'))) return kir_typed_step(p, prefix(p), KIR_SUB, false);
  if (kir_is(p->at, '(')) {
    p->at++;
    const bool type = kir_at_type(p);
    p->at--;
    if (type) return explicit_cast(p);
  }
  return postfix(p);
}

static kir_expr *prefix(kir_parser *p) {
  if (!kir_enter(p)) return kir_nothing(p);
  kir_expr *e = prefix_of(p);
  kir_leave(p);
  return e;
}

/* ---- Binary operators ------------------------------------------------------------------------------------------------- */

static const struct {
  unsigned punctuation;
  kir_op op;
  int level;
} operators[] = {{PUNCT2('|', '|'), KIR_EITHER, 1},
                 {PUNCT2('&', '&'), KIR_BOTH, 2},
                 {'|', KIR_BOR, 3},
                 {'^', KIR_XOR, 4},
                 {'&', KIR_BAND, 5},
                 {PUNCT2('=', '='), KIR_EQ, 6},
                 {PUNCT2('!', '='), KIR_NE, 6},
                 {'<', KIR_LT, 7},
                 {'>', KIR_GT, 7},
                 {PUNCT2('<', '='), KIR_LE, 7},
                 {PUNCT2('>', '='), KIR_GE, 7},
                 {PUNCT2('<', '<'), KIR_SHL, 8},
                 {PUNCT2('>', '>'), KIR_SHR, 8},
                 {'+', KIR_ADD, 9},
                 {'-', KIR_SUB, 9},
                 {'*', KIR_MUL, 10},
                 {'/', KIR_DIV, 10},
                 {'%', KIR_MOD, 10}};
enum { lowest_level = 1 };

static int operator_at(const kir_parser *p) {
  if (p->at->kind != TOKEN_PUNCTUATION) return -1;
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
    if (operators[i].punctuation == p->at->punctuation) return (int)i;
  return -1;
}

static kir_expr *binary_from(kir_parser *p, int level) {
  kir_expr *e = prefix(p);
  for (int found; !p->failed && (found = operator_at(p)) >= 0 && operators[found].level >= level;) {
    p->at++;
    e = kir_typed_binary(p, operators[found].op, e, binary_from(p, operators[found].level + 1));
  }
  return e;
}

static kir_expr *choice(kir_parser *p, kir_expr *condition) {
  kir_expr *x = kir_parse_expr(p);
  kir_expect(p, ':', "in c ? a : b");
  return kir_typed_choice(p, condition, x, kir_parse_assignment(p));
}

/* ---- Assignment --------------------------------------------------------------------------------------------------------- */

static bool assignment_at(const kir_parser *p, kir_op *op) {
  static const struct {
    unsigned punctuation;
    kir_op op;
  } forms[] = {{'=', KIR_NONE},
               {PUNCT2('+', '='), KIR_ADD},
               {PUNCT2('-', '='), KIR_SUB},
               {PUNCT2('*', '='), KIR_MUL},
               {PUNCT2('/', '='), KIR_DIV},
               {PUNCT2('%', '='), KIR_MOD},
               {PUNCT2('&', '='), KIR_BAND},
               {PUNCT2('|', '='), KIR_BOR},
               {PUNCT2('^', '='), KIR_XOR},
               {PUNCT3('<', '<', '='), KIR_SHL},
               {PUNCT3('>', '>', '='), KIR_SHR}};
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
    if (kir_is(p->at, forms[i].punctuation)) return *op = forms[i].op, true;
  return false;
}

static kir_expr *assignment_of(kir_parser *p) {
  kir_op op;
  kir_expr *e = binary_from(p, lowest_level);
  if (kir_accept(p, '?')) return choice(p, e);
  if (!assignment_at(p, &op)) return e;
  p->at++;
  return kir_typed_assignment(p, e, op, kir_parse_assignment(p));
}

kir_expr *kir_parse_assignment(kir_parser *p) {
  if (!kir_enter(p)) return kir_nothing(p);
  kir_expr *e = assignment_of(p);
  kir_leave(p);
  return e;
}

kir_expr *kir_parse_expr(kir_parser *p) {
  kir_expr *e = kir_parse_assignment(p);
  while (!p->failed && kir_accept(p, ',')) e = kir_typed_comma(p, e, kir_parse_assignment(p));
  return e;
}

kir_expr *kir_parse_condition(kir_parser *p) { return kir_typed_condition(p, kir_parse_expr(p)); }

kir_expr *kir_parse_initialiser(kir_parser *p, const kir_type *type) {
  if (!kir_is(p->at, '{')) return kir_convert(p, kir_parse_assignment(p), type, "an initial value");
  kir_expr *e = kir_make(p, KIR_LIST, kir_bare(p->program, type), p->at->line);
  VEC(kir_expr *) list = {0};
  const bool record = type->kind == KIR_STRUCT;
  const int64_t wanted = record ? type->record->fields.n : type->count;
  p->at++;
  if (!record && type->kind != KIR_ARRAY) kir_fail(p, e->line, "{ } makes structs and arrays only");
  while (!p->failed && !kir_is(p->at, '}') && list.n < wanted) {
    kir_expr *value = kir_parse_initialiser(p, record ? type->record->fields.at[list.n].type : type->of);
    vec_push(p->arena, &list, value);
    if (!kir_accept(p, ',')) break;
  }
  kir_expect(p, '}', "behind initial values");
  if (record ? list.n != wanted : list.n == 0)
    kir_fail(p, e->line, "%d initial values for %lld", list.n, (long long)wanted);
  e->args = list.at;
  e->n = list.n;
  return p->failed ? e : kir_with_depth(p, e);
}
