/* Expressions: typed as they are read; what C converts unasked becomes a node. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/parser.h"

/* ---- Nodes ---------------------------------------------------------------------------------------------------- */

kir_expr *kir_make(kir_parser *p, kir_expr_kind kind, const kir_type *type, int line) {
  kir_expr *e = arena_new(p->arena, kir_expr);
  e->kind = kind;
  e->type = type;
  e->line = line;
  return e;
}

static const kir_type *scalar(kir_parser *p, kir_kind kind) { return kir_scalar(p->program, kind); }

kir_expr *kir_make_constant(kir_parser *p, const kir_type *type, const char *spelling, int line) {
  kir_expr *e = kir_make(p, KIR_CONST, type, line);
  e->spelling = spelling;
  return e;
}

static kir_expr *nothing(kir_parser *p) { /* in the place of what could not be read */
  return kir_make_constant(p, scalar(p, KIR_INT), "0", p->at->line);
}

/* Trees are walked by recursion. */
static kir_expr *with_depth(kir_parser *p, kir_expr *e) {
  int depth = 0;
  for (kir_expr *const *at = (kir_expr *const[]){e->a, e->b, e->c}, *const *end = at + 3; at < end; ++at)
    if (*at && (*at)->depth > depth) depth = (*at)->depth;
  for (int i = 0; i < e->n; i++)
    if (e->args[i]->depth > depth) depth = e->args[i]->depth;
  e->depth = depth + 1;
  if (e->depth > kir_max_depth) kir_fail(p, e->line, "an expression of more than %d levels", kir_max_depth);
  return e;
}

static kir_expr *make2(kir_parser *p, kir_expr_kind kind, const kir_type *type, kir_expr *a, kir_expr *b) {
  kir_expr *e = kir_make(p, kind, type, a->line);
  e->a = a;
  e->b = b;
  return with_depth(p, e);
}

static kir_expr *cast_to(kir_parser *p, kir_expr *e, const kir_type *to, bool implicit) {
  kir_expr *cast = make2(p, KIR_CAST, to, e, NULL);
  cast->implicit = implicit;
  return cast;
}

/* ---- Conversions ------------------------------------------------------------------------------------------------ */

static bool is_zero(const kir_expr *e) {
  return e->kind == KIR_CONST && e->type->kind == KIR_INT && e->value.i == 0;
}

static kir_expr *decay(kir_parser *p, kir_expr *e) {
  if (e->type->kind != KIR_ARRAY) return e;
  return cast_to(p, e, kir_pointer_to(p->program, e->type->of, e->type->space), true);
}

/* Whether a pointer may stand for another: the same, or to what may be written less. */
static bool pointer_fits(kir_parser *p, const kir_type *from, const kir_type *to) {
  if (from->space != to->space || kir_bare(p->program, from->of) != kir_bare(p->program, to->of))
    return false;
  return (to->of->is_const || !from->of->is_const) && (to->of->is_volatile || !from->of->is_volatile);
}

kir_expr *kir_convert(kir_parser *p, kir_expr *e, const kir_type *to, const char *what) {
  to = kir_bare(p->program, to);
  e = decay(p, e);
  const kir_type *from = kir_bare(p->program, e->type);
  if (from == to || p->failed) return e;
  if (kir_is_scalar(from) && kir_is_scalar(to)) return cast_to(p, e, to, true);
  if (to->kind == KIR_POINTER && is_zero(e)) return cast_to(p, e, to, true);
  if (to->kind == KIR_POINTER && from->kind == KIR_POINTER && pointer_fits(p, from, to))
    return cast_to(p, e, to, true);
  kir_fail(p, e->line, "%s: %s is given, %s is wanted", what, kir_type_text(from), kir_type_text(to));
  return e;
}

static kir_expr *to_condition(kir_parser *p, kir_expr *e) {
  e = decay(p, e);
  if (e->type->kind == KIR_BOOL) return e;
  if (!kir_is_scalar(e->type) && e->type->kind != KIR_POINTER)
    kir_fail(p, e->line, "a condition of type %s", kir_type_text(e->type));
  return cast_to(p, e, scalar(p, KIR_BOOL), true);
}

static const kir_type *promoted(kir_parser *p, const kir_type *t) {
  return scalar(p, kir_is_integer(t) && t->kind < KIR_INT ? KIR_INT : t->kind);
}

/* C's usual arithmetic conversions. */
static const kir_type *common(kir_parser *p, const kir_type *a, const kir_type *b) {
  a = promoted(p, a);
  b = promoted(p, b);
  return a->kind > b->kind ? a : b;
}

static bool wants_scalars(kir_parser *p, kir_expr *a, kir_expr *b, const char *operation) {
  if (kir_is_scalar(a->type) && kir_is_scalar(b->type)) return true;
  kir_fail(p, a->line, "%s of %s and %s", operation, kir_type_text(a->type), kir_type_text(b->type));
  return false;
}

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

static bool is_floating_text(const char *s) {
  const bool hexadecimal = s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
  return strchr(s, '.') || (hexadecimal ? strpbrk(s, "pP") != NULL : strpbrk(s, "eE") != NULL);
}

static void read_floating(kir_parser *p, kir_expr *e, const char *s) {
  char *end = NULL;
  e->value.f = strtod(s, &end);
  const bool is_float = (*end == 'f' || *end == 'F') && !end[1];
  if (is_float) e->value.f = strtof(s, NULL);
  e->type = scalar(p, is_float ? KIR_FLOAT : KIR_DOUBLE);
  if (*end && !is_float) kir_fail(p, e->line, "`%s` is no number", s);
}

static void read_integer(kir_parser *p, kir_expr *e, const char *s) {
  char *end = NULL;
  errno = 0;
  const unsigned long long value = strtoull(s, &end, 0);
  const bool is_unsigned = strpbrk(end, "uU") != NULL,
             is_long = strpbrk(end, "lL") != NULL || value > INT_MAX;
  if (errno || strspn(end, "uUlL") != strlen(end) || strlen(end) > 2 || (value > INT64_MAX && !is_unsigned))
    kir_fail(p, e->line, "`%s` is no number", s);
  e->value.i = (int64_t)value;
  if (is_unsigned) e->type = scalar(p, value > UINT_MAX || strpbrk(end, "lL") ? KIR_ULONG : KIR_UINT);
  else e->type = scalar(p, is_long ? KIR_LONG : KIR_INT);
}

static kir_expr *number(kir_parser *p) {
  const kir_token *t = p->at++;
  kir_expr *e = kir_make(p, KIR_CONST, scalar(p, KIR_INT), t->line);
  e->spelling = arena_strndup(p->arena, t->text, (size_t)t->length);
  if (is_floating_text(e->spelling)) read_floating(p, e, e->spelling);
  else read_integer(p, e, e->spelling);
  return e;
}

/* ---- Names and calls ----------------------------------------------------------------------------------------------- */

static void note_call(kir_parser *p, kir_function *callee) {
  for (int i = 0; i < p->function->calls.n; i++)
    if (p->function->calls.at[i] == callee) return;
  vec_push(p->arena, &p->function->calls, callee);
  p->function->has_barrier = p->function->has_barrier || callee->has_barrier;
}

static int read_arguments(kir_parser *p, kir_expr ***args) {
  VEC(kir_expr *) list = {0};
  kir_expect(p, '(', "behind a function's name");
  while (!p->failed && !kir_is(p->at, ')')) {
    kir_expr *value = decay(p, kir_parse_assignment(p));
    vec_push(p->arena, &list, value);
    if (!kir_accept(p, ',')) break;
  }
  kir_expect(p, ')', "behind a function's arguments");
  *args = list.at;
  return list.n;
}

static kir_expr *call(kir_parser *p, kir_function *f, int line) {
  kir_expr *e = kir_make(p, KIR_CALL, f->type, line);
  e->function = f;
  e->n = read_arguments(p, &e->args);
  if (p->failed) return e;
  if (!p->function || f == p->function || !f->body) {
    kir_fail(p, line, "%s is called before it is defined", f->name);
    return e;
  }
  if (f->is_kernel) kir_fail(p, line, "%s is a kernel: it is launched, not called", f->name);
  if (e->n != f->parameters.n) {
    kir_fail(p, line, "%s has %d parameters and is given %d", f->name, f->parameters.n, e->n);
    return e;
  }
  for (int i = 0; i < e->n; i++) e->args[i] = kir_convert(p, e->args[i], f->parameters.at[i]->type, f->name);
  note_call(p, f);
  return with_depth(p, e);
}

/* The type that all arguments marked alike take. */
static const kir_type *shared_type(kir_parser *p, kir_expr *e, const char *letters) {
  const kir_type *t = NULL;
  for (int i = 0; i < e->n; i++) {
    if (!strchr("gna", letters[i])) continue;
    if (!kir_is_scalar(e->args[i]->type)) return NULL;
    t = t ? common(p, t, e->args[i]->type) : promoted(p, e->args[i]->type);
  }
  if (t && letters[0] == 'g' && !kir_is_floating(t)) return scalar(p, KIR_DOUBLE);
  if (t && letters[0] == 'n' && !kir_is_integer(t)) return NULL;
  return t;
}

static const kir_type *letter_type(kir_parser *p, char letter, const kir_type *shared) {
  switch (letter) {
  case 'd': return scalar(p, KIR_DOUBLE);
  case 'i': return scalar(p, KIR_INT);
  case 'u': return scalar(p, KIR_UINT);
  case 'l': return scalar(p, KIR_LONG);
  case 'z': return scalar(p, KIR_ULONG);
  case 'b': return scalar(p, KIR_BOOL);
  default: return shared;
  }
}

static bool is_atomic_target(const kir_type *t) {
  return t->kind == KIR_POINTER && t->space != KIR_PRIVATE && !t->of->is_const && t->of->kind == KIR_INT;
}

static kir_expr *builtin(kir_parser *p, int id, int line) {
  const char *letters = kir_builtin_signature(id), *name = kir_builtin_name(id);
  kir_expr *e = kir_make(p, KIR_BUILTIN, scalar(p, KIR_INT), line);
  e->builtin = id;
  e->n = read_arguments(p, &e->args);
  if (p->failed) return e;
  if (e->n != (int)strlen(letters) - 1) {
    kir_fail(p, line, "%s has %d parameters and is given %d", name, (int)strlen(letters) - 1, e->n);
    return e;
  }
  const kir_type *shared = shared_type(p, e, letters + 1);
  for (int i = 0; i < e->n; i++) {
    const kir_type *wanted = letter_type(p, letters[i + 1], shared);
    const bool fits = letters[i + 1] == 'p' ? is_atomic_target(e->args[i]->type) : wanted != NULL;
    if (!fits) kir_fail(p, line, "%s cannot take %s", name, kir_type_text(e->args[i]->type));
    else if (letters[i + 1] != 'p') e->args[i] = kir_convert(p, e->args[i], wanted, name);
  }
  e->type = letter_type(p, letters[0], shared);
  return p->failed ? nothing(p) : with_depth(p, e);
}

static kir_expr *named(kir_parser *p) {
  const kir_token *t = p->at++;
  const kir_binding *b = t->symbol->binding;
  if (!b) return kir_fail(p, t->line, "`%s` is not declared", t->symbol->text), nothing(p);
  kir_expr *e = NULL;
  switch (b->kind) {
  case BIND_VARIABLE:
    e = kir_make(p, KIR_VAR, b->variable->type, t->line);
    e->variable = b->variable;
    return e;
  case BIND_FUNCTION: return call(p, b->function, t->line);
  case BIND_BUILTIN: return builtin(p, b->builtin, t->line);
  case BIND_CONSTANT:
    e = arena_new(p->arena, kir_expr);
    *e = *b->constant;
    e->line = t->line;
    return e;
  case BIND_TYPE:
  case BIND_STRUCT: break;
  }
  return kir_fail(p, t->line, "the type `%s` where a value is expected", t->symbol->text), nothing(p);
}

/* ---- Postfix and prefix --------------------------------------------------------------------------------------------- */

static kir_expr *primary(kir_parser *p) {
  const kir_token *t = p->at;
  if (t->kind == TOKEN_NUMBER) return number(p);
  if (kir_accept_word(p, WORD_TRUE) || kir_accept_word(p, WORD_FALSE)) {
    kir_expr *e = kir_make_constant(p, scalar(p, KIR_BOOL), t->symbol->text, t->line);
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
  return nothing(p);
}

static kir_expr *subscript(kir_parser *p, kir_expr *base) {
  kir_expr *index = kir_parse_expr(p);
  kir_expect(p, ']', "behind an index");
  base = decay(p, base);
  if (p->failed) return base;
  if (base->type->kind != KIR_POINTER || base->type->of->kind == KIR_VOID || !kir_is_integer(index->type)) {
    kir_fail(p, index->line, "an index of type %s into %s", kir_type_text(index->type),
             kir_type_text(base->type));
    return base;
  }
  index = kir_convert(p, index, promoted(p, index->type), "an index");
  return make2(p, KIR_INDEX, base->type->of, base, index);
}

static kir_expr *dereference(kir_parser *p, kir_expr *e) {
  e = decay(p, e);
  if (p->failed) return e;
  if (e->type->kind != KIR_POINTER || e->type->of->kind == KIR_VOID) {
    kir_fail(p, e->line, "%s is no pointer", kir_type_text(e->type));
    return e;
  }
  return make2(p, KIR_DEREF, e->type->of, e, NULL);
}

static kir_expr *field(kir_parser *p, kir_expr *base) {
  kir_symbol *name = kir_expect_name(p, "a field's name");
  if (p->failed) return base;
  if (base->type->kind != KIR_STRUCT) {
    kir_fail(p, base->line, "%s has no fields", kir_type_text(base->type));
    return base;
  }
  const kir_struct *s = base->type->record;
  for (int i = 0; i < s->fields.n; i++) {
    if (strcmp(s->fields.at[i].name, name->text) != 0) continue;
    const kir_type *t = s->fields.at[i].type;
    kir_expr *e =
        make2(p, KIR_FIELD, base->type->is_const ? kir_qualified(p->program, t, true, t->is_volatile) : t,
              base, NULL);
    e->field = i;
    return e;
  }
  kir_fail(p, base->line, "%s has no field `%s`", s->name, name->text);
  return base;
}

static void note_written(kir_parser *p, kir_expr *e, bool address) {
  while (e->kind == KIR_FIELD) e = e->a;
  if (e->kind != KIR_VAR) return;
  if (address) e->variable->takes_address = true;
  e->variable->assigned = true;
  (void)p;
}

static bool is_place(const kir_expr *e) {
  if (e->kind == KIR_FIELD) return is_place(e->a);
  return e->kind == KIR_VAR || e->kind == KIR_INDEX || e->kind == KIR_DEREF;
}

static bool wants_writable(kir_parser *p, kir_expr *e) {
  if (p->failed) return false;
  if (!is_place(e) || e->type->kind == KIR_ARRAY) kir_fail(p, e->line, "what is assigned to is no place");
  else if (e->type->is_const) kir_fail(p, e->line, "what is assigned to is constant");
  else return true;
  return false;
}

static kir_expr *step(kir_parser *p, kir_expr *e, kir_op op, bool postfix) {
  if (!wants_writable(p, e)) return e;
  if (!kir_is_integer(e->type) && e->type->kind != KIR_POINTER) {
    kir_fail(p, e->line, "++ or -- of %s", kir_type_text(e->type));
    return e;
  }
  note_written(p, e, false);
  kir_expr *made = make2(p, KIR_STEP, kir_bare(p->program, e->type), e, NULL);
  made->op = op;
  made->postfix = postfix;
  return made;
}

static kir_expr *postfix(kir_parser *p) {
  kir_expr *e = primary(p);
  while (!p->failed) {
    if (kir_accept(p, '[')) e = subscript(p, e);
    else if (kir_accept(p, '.')) e = field(p, e);
    else if (kir_accept(p, PUNCT2('-', '>'))) e = field(p, dereference(p, e));
    else if (kir_accept(p, PUNCT2('+', '+'))) e = step(p, e, KIR_ADD, true);
    else if (kir_accept(p, PUNCT2('-', '-'))) e = step(p, e, KIR_SUB, true);
    else break;
  }
  return e;
}

static kir_space space_of(const kir_expr *e) {
  if (e->kind == KIR_FIELD) return space_of(e->a);
  return e->kind == KIR_VAR ? e->variable->space : e->a->type->space;
}

static kir_expr *address_of(kir_parser *p, kir_expr *e) {
  if (p->failed) return e;
  if (!is_place(e) || e->type->kind == KIR_ARRAY) return kir_fail(p, e->line, "& of what is no place"), e;
  note_written(p, e, true);
  return make2(p, KIR_ADDRESS, kir_pointer_to(p->program, e->type, space_of(e)), e, NULL);
}

static kir_expr *unary(kir_parser *p, kir_op op, kir_expr *e) {
  if (p->failed) return e;
  if (op == KIR_NOT) {
    kir_expr *made = make2(p, KIR_UNARY, scalar(p, KIR_INT), to_condition(p, e), NULL);
    made->op = op;
    return made;
  }
  if (!kir_is_scalar(e->type) || (op == KIR_COMPL && !kir_is_integer(e->type))) {
    kir_fail(p, e->line, "%s of %s", op == KIR_NEG ? "-" : "~", kir_type_text(e->type));
    return e;
  }
  e = kir_convert(p, e, promoted(p, e->type), "an operand");
  kir_expr *made = make2(p, KIR_UNARY, kir_bare(p->program, e->type), e, NULL);
  made->op = op;
  return made;
}

static kir_expr *prefix(kir_parser *p);

static kir_expr *explicit_cast(kir_parser *p) {
  const int line = p->at->line;
  kir_expect(p, '(', "before a type");
  const kir_type *to = kir_parse_type_name(p);
  kir_expect(p, ')', "behind a type");
  kir_expr *e = decay(p, prefix(p));
  if (p->failed) return e;
  to = kir_bare(p->program, to);
  if (to->kind != KIR_VOID && !(kir_is_scalar(to) && kir_is_scalar(e->type))) {
    kir_fail(p, line, "a cast of %s to %s is outside the subset", kir_type_text(e->type), kir_type_text(to));
    return e;
  }
  return cast_to(p, e, to, false);
}

static kir_expr *prefix_of(kir_parser *p) {
  if (kir_accept(p, '-')) return unary(p, KIR_NEG, prefix(p));
  if (kir_accept(p, '+')) return prefix(p);
  if (kir_accept(p, '!')) return unary(p, KIR_NOT, prefix(p));
  if (kir_accept(p, '~')) return unary(p, KIR_COMPL, prefix(p));
  if (kir_accept(p, '*')) return dereference(p, prefix(p));
  if (kir_accept(p, '&')) return address_of(p, prefix(p));
  if (kir_accept(p, PUNCT2('+', '+'))) return step(p, prefix(p), KIR_ADD, false);
  if (kir_accept(p, PUNCT2('-', '-'))) return step(p, prefix(p), KIR_SUB, false);
  if (kir_is(p->at, '(')) {
    p->at++;
    const bool type = kir_at_type(p);
    p->at--;
    if (type) return explicit_cast(p);
  }
  return postfix(p);
}

static kir_expr *prefix(kir_parser *p) {
  if (!kir_enter(p)) return nothing(p);
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

static kir_expr *with_op(kir_expr *e, kir_op op) { return e->op = op, e; }

static kir_expr *pointer_arithmetic(kir_parser *p, kir_op op, kir_expr *a, kir_expr *b) {
  const bool compares = op == KIR_EQ || op == KIR_NE;
  if (compares && b->type->kind != KIR_POINTER) b = kir_convert(p, b, a->type, "a comparison");
  if (compares && a->type->kind != KIR_POINTER) a = kir_convert(p, a, b->type, "a comparison");
  if (compares) return with_op(make2(p, KIR_BINARY, scalar(p, KIR_INT), a, b), op);
  const bool shifts = a->type->kind == KIR_POINTER && kir_is_integer(b->type);
  if ((op != KIR_ADD && op != KIR_SUB) || !shifts) {
    kir_fail(p, a->line, "this arithmetic of pointers is outside the subset");
    return a;
  }
  b = kir_convert(p, b, scalar(p, KIR_LONG), "an offset");
  return with_op(make2(p, KIR_BINARY, kir_bare(p->program, a->type), a, b), op);
}

static kir_expr *binary(kir_parser *p, kir_op op, kir_expr *a, kir_expr *b) {
  if (p->failed) return a;
  a = decay(p, a);
  b = decay(p, b);
  if (op == KIR_BOTH || op == KIR_EITHER)
    return make2(p, op == KIR_BOTH ? KIR_AND : KIR_OR, scalar(p, KIR_INT), to_condition(p, a),
                 to_condition(p, b));
  if (a->type->kind == KIR_POINTER || b->type->kind == KIR_POINTER) return pointer_arithmetic(p, op, a, b);
  if (!wants_scalars(p, a, b, "an operation")) return a;
  const bool shift = op == KIR_SHL || op == KIR_SHR,
             integers = shift || (op >= KIR_BAND && op <= KIR_XOR) || op == KIR_MOD;
  if (integers && (!kir_is_integer(a->type) || !kir_is_integer(b->type))) {
    kir_fail(p, a->line, "an operation of integers on floating-point numbers");
    return a;
  }
  const kir_type *t = shift ? promoted(p, a->type) : common(p, a->type, b->type);
  a = kir_convert(p, a, t, "an operand");
  b = kir_convert(p, b, shift ? promoted(p, b->type) : t, "an operand");
  const bool compares = op >= KIR_LT && op <= KIR_NE;
  return with_op(make2(p, KIR_BINARY, compares ? scalar(p, KIR_INT) : t, a, b), op);
}

static kir_expr *binary_from(kir_parser *p, int level) {
  kir_expr *e = prefix(p);
  for (int found; !p->failed && (found = operator_at(p)) >= 0 && operators[found].level >= level;) {
    p->at++;
    e = binary(p, operators[found].op, e, binary_from(p, operators[found].level + 1));
  }
  return e;
}

static kir_expr *choice(kir_parser *p, kir_expr *condition) {
  kir_expr *e = kir_make(p, KIR_SELECT, NULL, condition->line);
  e->a = to_condition(p, condition);
  e->b = decay(p, kir_parse_expr(p));
  kir_expect(p, ':', "in c ? a : b");
  e->c = decay(p, kir_parse_assignment(p));
  if (p->failed) return condition;
  const kir_type *b = kir_bare(p->program, e->b->type), *c = kir_bare(p->program, e->c->type);
  if (kir_is_scalar(b) && kir_is_scalar(c)) e->type = common(p, b, c);
  else e->type = b->kind == KIR_POINTER || c->kind != KIR_POINTER ? b : c;
  e->b = kir_convert(p, e->b, e->type, "c ? a : b");
  e->c = kir_convert(p, e->c, e->type, "c ? a : b");
  return with_depth(p, e);
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

static kir_expr *assign(kir_parser *p, kir_expr *a, kir_op op, kir_expr *b) {
  if (!wants_writable(p, a)) return a;
  b = decay(p, b);
  note_written(p, a, false);
  if (op == KIR_NONE) b = kir_convert(p, b, a->type, "an assignment");
  else if (a->type->kind == KIR_POINTER) b = kir_convert(p, b, scalar(p, KIR_LONG), "an offset");
  else if (!wants_scalars(p, a, b, "an assignment")) return a;
  else if (op == KIR_SHL || op == KIR_SHR) b = kir_convert(p, b, promoted(p, b->type), "an operand");
  else b = kir_convert(p, b, common(p, a->type, b->type), "an operand");
  const bool integers = op == KIR_MOD || (op >= KIR_SHL && op <= KIR_XOR);
  if (integers && (!kir_is_integer(a->type) || !kir_is_integer(b->type)))
    kir_fail(p, a->line, "an operation of integers on floating-point numbers");
  if (a->type->kind == KIR_POINTER && op != KIR_NONE && op != KIR_ADD && op != KIR_SUB)
    kir_fail(p, a->line, "this arithmetic of pointers is outside the subset");
  return p->failed ? a : with_op(make2(p, KIR_ASSIGN, kir_bare(p->program, a->type), a, b), op);
}

static kir_expr *assignment_of(kir_parser *p) {
  kir_op op;
  kir_expr *e = binary_from(p, lowest_level);
  if (kir_accept(p, '?')) return choice(p, e);
  if (!assignment_at(p, &op)) return e;
  p->at++;
  return assign(p, e, op, kir_parse_assignment(p));
}

kir_expr *kir_parse_assignment(kir_parser *p) {
  if (!kir_enter(p)) return nothing(p);
  kir_expr *e = assignment_of(p);
  kir_leave(p);
  return e;
}

kir_expr *kir_parse_expr(kir_parser *p) {
  kir_expr *e = kir_parse_assignment(p);
  while (!p->failed && kir_accept(p, ',')) {
    kir_expr *next = kir_parse_assignment(p);
    e = make2(p, KIR_COMMA, next->type, e, next);
  }
  return e;
}

kir_expr *kir_parse_condition(kir_parser *p) { return to_condition(p, kir_parse_expr(p)); }

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
  return p->failed ? e : with_depth(p, e);
}
