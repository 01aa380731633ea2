/* Typed nodes, as C types them: what is converted unasked becomes a node. The parser makes them of text, resolve.c of what was built. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/parser.h"

/* ---- Nodes ------------------------------------------------------------------------------------------------------- */

kir_expr *kir_make(kir_parser *p, kir_expr_kind kind, const kir_type *type, int line) {
  kir_expr *e = arena_new(p->arena, kir_expr);
  e->kind = kind;
  e->type = type;
  e->line = line;
  return e;
}

kir_expr *kir_make_constant(kir_parser *p, const kir_type *type, const char *spelling, int line) {
  kir_expr *e = kir_make(p, KIR_CONST, type, line);
  e->spelling = spelling;
  return e;
}

/* Trees are walked by recursion. */
kir_expr *kir_with_depth(kir_parser *p, kir_expr *e) {
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
  return kir_with_depth(p, e);
}

static kir_expr *cast_to(kir_parser *p, kir_expr *e, const kir_type *to, bool implicit) {
  kir_expr *cast = make2(p, KIR_CAST, to, e, NULL);
  cast->implicit = implicit;
  return cast;
}

/* ---- Numbers ------------------------------------------------------------------------------------------------------ */

static bool is_floating_text(const char *s) {
  const bool hexadecimal = s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
  return strchr(s, '.') || (hexadecimal ? strpbrk(s, "pP") != NULL : strpbrk(s, "eE") != NULL);
}

static void read_floating(kir_parser *p, kir_expr *e, const char *s) {
  char *end = NULL;
  e->value.f = strtod(s, &end);
  const bool is_float = (*end == 'f' || *end == 'F') && !end[1];
  if (is_float) e->value.f = strtof(s, NULL);
  e->type = kir_scalar(p->program, is_float ? KIR_FLOAT : KIR_DOUBLE);
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
  if (is_unsigned)
    e->type = kir_scalar(p->program, value > UINT_MAX || strpbrk(end, "lL") ? KIR_ULONG : KIR_UINT);
  else e->type = kir_scalar(p->program, is_long ? KIR_LONG : KIR_INT);
}

kir_expr *kir_typed_number(kir_parser *p, const char *spelling, int line) {
  kir_expr *e = kir_make(p, KIR_CONST, kir_scalar(p->program, KIR_INT), line);
  e->spelling = spelling;
  if (is_floating_text(spelling)) read_floating(p, e, spelling);
  else read_integer(p, e, spelling);
  return e;
}

/* ---- Conversions ------------------------------------------------------------------------------------------------- */

static bool is_zero(const kir_expr *e) {
  return e->kind == KIR_CONST && e->type->kind == KIR_INT && e->value.i == 0;
}

kir_expr *kir_decay(kir_parser *p, kir_expr *e) {
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
  e = kir_decay(p, e);
  const kir_type *from = kir_bare(p->program, e->type);
  if (from == to || p->failed) return e;
  if (kir_is_scalar(from) && kir_is_scalar(to)) return cast_to(p, e, to, true);
  if (to->kind == KIR_POINTER && is_zero(e)) return cast_to(p, e, to, true);
  if (to->kind == KIR_POINTER && from->kind == KIR_POINTER && pointer_fits(p, from, to))
    return cast_to(p, e, to, true);
  kir_fail(p, e->line, "%s: %s is given, %s is wanted", what, kir_type_text(from), kir_type_text(to));
  return e;
}

kir_expr *kir_typed_condition(kir_parser *p, kir_expr *e) {
  e = kir_decay(p, e);
  if (e->type->kind == KIR_BOOL) return e;
  if (!kir_is_scalar(e->type) && e->type->kind != KIR_POINTER)
    kir_fail(p, e->line, "a condition of type %s", kir_type_text(e->type));
  return cast_to(p, e, kir_scalar(p->program, KIR_BOOL), true);
}

static const kir_type *promoted(kir_parser *p, const kir_type *t) {
  return kir_scalar(p->program, kir_is_integer(t) && t->kind < KIR_INT ? KIR_INT : t->kind);
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

kir_expr *kir_nothing(kir_parser *p) {
  return kir_make_constant(p, kir_scalar(p->program, KIR_INT), "0", p->at->line);
}

static void note_call(kir_parser *p, kir_function *callee) {
  for (int i = 0; i < p->function->calls.n; i++)
    if (p->function->calls.at[i] == callee) return;
  vec_push(p->arena, &p->function->calls, callee);
  p->function->has_barrier = p->function->has_barrier || callee->has_barrier;
}

/* The type that all arguments marked alike take. */
static const kir_type *shared_type(kir_parser *p, kir_expr *e, const char *letters) {
  const kir_type *t = NULL;
  for (int i = 0; i < e->n; i++) {
    if (!strchr("gna", letters[i])) continue;
    if (!kir_is_scalar(e->args[i]->type)) return NULL;
    t = t ? common(p, t, e->args[i]->type) : promoted(p, e->args[i]->type);
  }
  if (t && letters[0] == 'g' && !kir_is_floating(t)) return kir_scalar(p->program, KIR_DOUBLE);
  if (t && letters[0] == 'n' && !kir_is_integer(t)) return NULL;
  return t;
}

static const kir_type *letter_type(kir_parser *p, char letter, const kir_type *shared) {
  switch (letter) {
  case 'd': return kir_scalar(p->program, KIR_DOUBLE);
  case 'f': return kir_scalar(p->program, KIR_FLOAT);
  case 'i': return kir_scalar(p->program, KIR_INT);
  case 'u': return kir_scalar(p->program, KIR_UINT);
  case 'l': return kir_scalar(p->program, KIR_LONG);
  case 'z': return kir_scalar(p->program, KIR_ULONG);
  case 'b': return kir_scalar(p->program, KIR_BOOL);
  default: return shared;
  }
}

static bool is_atomic_target(const kir_type *t) {
  return t->kind == KIR_POINTER && t->space != KIR_PRIVATE && !t->of->is_const && t->of->kind == KIR_INT;
}

/* ---- Calls ---------------------------------------------------------------------------------------------------------- */

kir_expr *kir_typed_call(kir_parser *p, kir_function *f, kir_expr **args, int n, int line) {
  kir_expr *e = kir_make(p, KIR_CALL, f->type, line);
  e->function = f;
  e->n = n;
  e->args = args;
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
  return kir_with_depth(p, e);
}

kir_expr *kir_typed_builtin(kir_parser *p, int id, kir_expr **args, int n, int line) {
  const char *letters = kir_builtin_signature(id), *name = kir_builtin_name(id);
  kir_expr *e = kir_make(p, KIR_BUILTIN, kir_scalar(p->program, KIR_INT), line);
  e->builtin = id;
  e->n = n;
  e->args = args;
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
  return p->failed ? kir_nothing(p) : kir_with_depth(p, e);
}

/* ---- Places --------------------------------------------------------------------------------------------------------- */

kir_expr *kir_typed_index(kir_parser *p, kir_expr *base, kir_expr *index) {
  base = kir_decay(p, base);
  if (p->failed) return base;
  if (base->type->kind != KIR_POINTER || base->type->of->kind == KIR_VOID || !kir_is_integer(index->type)) {
    kir_fail(p, index->line, "an index of type %s into %s", kir_type_text(index->type),
             kir_type_text(base->type));
    return base;
  }
  index = kir_convert(p, index, promoted(p, index->type), "an index");
  return make2(p, KIR_INDEX, base->type->of, base, index);
}

kir_expr *kir_typed_field(kir_parser *p, kir_expr *base, const char *name) {
  if (p->failed) return base;
  if (base->type->kind != KIR_STRUCT) {
    kir_fail(p, base->line, "%s has no fields", kir_type_text(base->type));
    return base;
  }
  const kir_struct *s = base->type->record;
  for (int i = 0; i < s->fields.n; i++) {
    if (strcmp(s->fields.at[i].name, name) != 0) continue;
    const kir_type *t = s->fields.at[i].type;
    kir_expr *e =
        make2(p, KIR_FIELD, base->type->is_const ? kir_qualified(p->program, t, true, t->is_volatile) : t,
              base, NULL);
    e->field = i;
    return e;
  }
  kir_fail(p, base->line, "%s has no field `%s`", s->name, name);
  return base;
}

kir_expr *kir_typed_dereference(kir_parser *p, kir_expr *e) {
  e = kir_decay(p, e);
  if (p->failed) return e;
  if (e->type->kind != KIR_POINTER || e->type->of->kind == KIR_VOID) {
    kir_fail(p, e->line, "%s is no pointer", kir_type_text(e->type));
    return e;
  }
  return make2(p, KIR_DEREF, e->type->of, e, NULL);
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

kir_expr *kir_typed_step(kir_parser *p, kir_expr *e, kir_op op, bool postfix) {
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

static kir_space space_of(const kir_expr *e) {
  if (e->kind == KIR_FIELD) return space_of(e->a);
  return e->kind == KIR_VAR ? e->variable->space : e->a->type->space;
}

kir_expr *kir_typed_address(kir_parser *p, kir_expr *e) {
  if (p->failed) return e;
  if (!is_place(e) || e->type->kind == KIR_ARRAY) return kir_fail(p, e->line, "& of what is no place"), e;
  note_written(p, e, true);
  return make2(p, KIR_ADDRESS, kir_pointer_to(p->program, e->type, space_of(e)), e, NULL);
}

/* ---- Operators ------------------------------------------------------------------------------------------------------ */

kir_expr *kir_typed_cast(kir_parser *p, kir_expr *e, const kir_type *to, int line) {
  e = kir_decay(p, e);
  if (p->failed) return e;
  to = kir_bare(p->program, to);
  if (to->kind != KIR_VOID && !(kir_is_scalar(to) && kir_is_scalar(e->type))) {
    kir_fail(p, line, "a cast of %s to %s is outside the subset", kir_type_text(e->type), kir_type_text(to));
    return e;
  }
  return cast_to(p, e, to, false);
}

kir_expr *kir_typed_choice(kir_parser *p, kir_expr *condition, kir_expr *x, kir_expr *y) {
  kir_expr *e = kir_make(p, KIR_SELECT, NULL, condition->line);
  e->a = kir_typed_condition(p, condition);
  e->b = kir_decay(p, x);
  e->c = kir_decay(p, y);
  if (p->failed) return condition;
  if (kir_is_floating(condition->type)) {
    kir_fail(p, condition->line, "the condition of c ? a : b is a %s; OpenCL C asks for a whole number there",
             kir_type_text(condition->type));
    return condition;
  }
  const kir_type *b = kir_bare(p->program, e->b->type), *c = kir_bare(p->program, e->c->type);
  if (kir_is_scalar(b) && kir_is_scalar(c)) e->type = common(p, b, c);
  else e->type = b->kind == KIR_POINTER || c->kind != KIR_POINTER ? b : c;
  e->b = kir_convert(p, e->b, e->type, "c ? a : b");
  e->c = kir_convert(p, e->c, e->type, "c ? a : b");
  return kir_with_depth(p, e);
}

kir_expr *kir_typed_comma(kir_parser *p, kir_expr *x, kir_expr *y) {
  return make2(p, KIR_COMMA, y->type, x, y);
}

kir_expr *kir_typed_unary(kir_parser *p, kir_op op, kir_expr *e) {
  if (p->failed) return e;
  if (op == KIR_NOT) {
    kir_expr *made = make2(p, KIR_UNARY, kir_scalar(p->program, KIR_INT), kir_typed_condition(p, e), NULL);
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

static kir_expr *with_op(kir_expr *e, kir_op op) { return e->op = op, e; }

static kir_expr *pointer_arithmetic(kir_parser *p, kir_op op, kir_expr *a, kir_expr *b) {
  const bool compares = op == KIR_EQ || op == KIR_NE;
  if (compares && b->type->kind != KIR_POINTER) b = kir_convert(p, b, a->type, "a comparison");
  if (compares && a->type->kind != KIR_POINTER) a = kir_convert(p, a, b->type, "a comparison");
  if (compares) return with_op(make2(p, KIR_BINARY, kir_scalar(p->program, KIR_INT), a, b), op);
  const bool shifts = a->type->kind == KIR_POINTER && kir_is_integer(b->type);
  if ((op != KIR_ADD && op != KIR_SUB) || !shifts) {
    kir_fail(p, a->line, "this arithmetic of pointers is outside the subset");
    return a;
  }
  b = kir_convert(p, b, kir_scalar(p->program, KIR_LONG), "an offset");
  return with_op(make2(p, KIR_BINARY, kir_bare(p->program, a->type), a, b), op);
}

kir_expr *kir_typed_binary(kir_parser *p, kir_op op, kir_expr *a, kir_expr *b) {
  if (p->failed) return a;
  a = kir_decay(p, a);
  b = kir_decay(p, b);
  if (op == KIR_BOTH || op == KIR_EITHER)
    return make2(p, op == KIR_BOTH ? KIR_AND : KIR_OR, kir_scalar(p->program, KIR_INT),
                 kir_typed_condition(p, a), kir_typed_condition(p, b));
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
  return with_op(make2(p, KIR_BINARY, compares ? kir_scalar(p->program, KIR_INT) : t, a, b), op);
}

kir_expr *kir_typed_assignment(kir_parser *p, kir_expr *a, kir_op op, kir_expr *b) {
  if (!wants_writable(p, a)) return a;
  b = kir_decay(p, b);
  note_written(p, a, false);
  if (op == KIR_NONE) b = kir_convert(p, b, a->type, "an assignment");
  else if (a->type->kind == KIR_POINTER) b = kir_convert(p, b, kir_scalar(p->program, KIR_LONG), "an offset");
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
