/* From doubles to double-single numbers: types, then expressions from their operands up. What an operation becomes is found by its name:
 * `+` is ds_add, sqrt is ds_sqrt (double_single.cl). */
#include "kernel/double_single.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "dslc_kernel.h"
#include "kernel/build.h"

/* ---- Numbers ----------------------------------------------------------------------------------------------------------- */

static int64_t packed(float high, float low) {
  int32_t upper;
  uint32_t lower;
  memcpy(&upper, &high, sizeof upper);
  memcpy(&lower, &low, sizeof lower);
  return (int64_t)((uint64_t)(uint32_t)upper << 32 | lower);
}

bool dslc_double_single(double number, int64_t *bits) {
  const bool small = !isfinite(number) || fabs(number) <= (double)FLT_MAX;
  const float high = small ? (float)number : number < 0 ? -FLT_MAX : FLT_MAX;
  *bits = packed(high, isfinite(number) && small ? (float)(number - (double)high) : 0.0f);
  return small || fabs(number) >= DBL_MAX;
}

double dslc_double_single_value(int64_t bits) {
  const uint32_t upper = (uint32_t)((uint64_t)bits >> 32), lower = (uint32_t)(uint64_t)bits;
  float high, low;
  memcpy(&high, &upper, sizeof high);
  memcpy(&low, &lower, sizeof low);
  return (double)high + (double)low;
}

/* A bound that guards a quotient stays one: neither infinite nor 0. */
static int64_t of_constant(double number) {
  int64_t bits;
  if (number != 0 && fabs(number) < (double)FLT_MIN) number = copysign((double)FLT_MIN, number);
  dslc_double_single(number, &bits);
  return bits;
}

/* ---- Types ---------------------------------------------------------------------------------------------------------------- */

typedef struct rewriting {
  kir_program *p;
  kir_message *message;
  kir_function *within;
  bool failed;
} rewriting;

static bool is_double(const kir_type *t) { return t->kind == KIR_DOUBLE; }

static void fail(rewriting *r, int line, const char *what) {
  if (!r->failed) snprintf(r->message->text, sizeof r->message->text, "%s", what), r->message->line = line;
  r->failed = true;
}

static const kir_type *made_of(rewriting *r, const kir_type *t) {
  kir_type like = *t;
  if (is_double(t)) like.kind = KIR_LONG;
  else if (t->kind == KIR_POINTER || t->kind == KIR_ARRAY) like.of = made_of(r, t->of);
  else return t;
  return kir_make_type(r->p, &like);
}

/* ---- Nodes ------------------------------------------------------------------------------------------------------------------ */

static kir_expr *make(rewriting *r, kir_expr_kind kind, const kir_type *type, const kir_expr *like) {
  kir_expr *e = arena_new(r->p->arena, kir_expr);
  e->kind = kind;
  e->type = type;
  e->line = like->line;
  e->depth = like->depth + 1;
  return e;
}

static kir_expr *cast_to(rewriting *r, kir_expr *e, kir_kind kind) {
  const kir_type *to = kir_scalar(r->p, kind);
  if (e->type->kind == kind) return e;
  kir_expr *cast = make(r, KIR_CAST, to, e);
  cast->a = e;
  return cast;
}

static kir_function *find(rewriting *r, const char *whole) {
  for (int i = 0; i < r->p->functions.n; i++)
    if (strcmp(r->p->functions.at[i]->name, whole) == 0) return r->p->functions.at[i];
  return NULL;
}

static void note_call(rewriting *r, kir_function *callee) {
  for (int i = 0; i < r->within->calls.n; i++)
    if (r->within->calls.at[i] == callee) return;
  vec_push(r->p->arena, &r->within->calls, callee);
}

/* ds_NAME of some arguments that are made already. */
static kir_expr *call(rewriting *r, const char *operation, kir_expr **args, int n) {
  char whole[64];
  snprintf(whole, sizeof whole, "ds_%s", operation);
  kir_function *f = find(r, whole);
  if (!f) {
    fail(r, args[0]->line, arena_printf(r->p->arena, "`%s` of doubles has no double-single form", operation));
    return args[0];
  }
  kir_expr *e = make(r, KIR_CALL, made_of(r, f->type), args[0]);
  for (int i = 0; i < n; i++)
    if (args[i]->depth >= e->depth) e->depth = args[i]->depth + 1;
  e->function = f;
  e->spelling = f->name;
  e->n = n;
  e->args = arena_array(r->p->arena, kir_expr *, n);
  for (int i = 0; i < n; i++) e->args[i] = args[i];
  note_call(r, f);
  return e;
}

static kir_expr *call1(rewriting *r, const char *operation, kir_expr *a) { return call(r, operation, &a, 1); }
static kir_expr *call2(rewriting *r, const char *operation, kir_expr *a, kir_expr *b) {
  return call(r, operation, (kir_expr *[]){a, b}, 2);
}

static kir_expr *constant(rewriting *r, double value, const kir_expr *like) {
  kir_expr *e = make(r, KIR_CONST, kir_scalar(r->p, KIR_LONG), like);
  e->value.i = of_constant(value);
  e->depth = 1;
  e->spelling = arena_printf(r->p->arena, e->value.i < 0 ? "(%" PRId64 "L)" : "%" PRId64 "L", e->value.i);
  return e;
}

/* ---- Expressions -------------------------------------------------------------------------------------------------------------- */

/* A conversion to or from a double, of an operand that is made already. */
static kir_expr *converted(rewriting *r, kir_expr *e, const kir_type *from, const kir_type *to) {
  const kir_kind kind = to->kind;
  if (is_double(from) && is_double(to)) return e;
  if (is_double(to)) {
    if (e->kind == KIR_CONST) return constant(r, kir_is_floating(from) ? e->value.f : (double)e->value.i, e);
    if (from->kind == KIR_FLOAT) return call1(r, "from_float", e);
    if (from->kind <= KIR_INT) return call1(r, "from_int", cast_to(r, e, KIR_INT));
    return call1(r, "from_long", cast_to(r, e, KIR_LONG));
  }
  if (kind == KIR_FLOAT) return call1(r, "to_float", e);
  if (kind == KIR_BOOL) return cast_to(r, call2(r, "ne", e, constant(r, 0.0, e)), KIR_BOOL);
  if (kind == KIR_VOID) return cast_to(r, e, KIR_VOID);
  return cast_to(r, call1(r, "to_long", e), kind);
}

static kir_expr *binary(rewriting *r, kir_op op, kir_expr *a, kir_expr *b) {
  switch (op) {
  case KIR_ADD: return call2(r, "add", a, b);
  case KIR_SUB: return call2(r, "sub", a, b);
  case KIR_MUL: return call2(r, "mul", a, b);
  case KIR_DIV: return call2(r, "div", a, b);
  case KIR_LT: return call2(r, "lt", a, b);
  case KIR_LE: return call2(r, "le", a, b);
  case KIR_GT: return call2(r, "lt", b, a);
  case KIR_GE: return call2(r, "le", b, a);
  case KIR_EQ: return call2(r, "eq", a, b);
  case KIR_NE: return call2(r, "ne", a, b);
  default: fail(r, a->line, "an operation of doubles that has no double-single form"); return a;
  }
}

static void look_for_effect(kir_expr *e, void *context) {
  bool *found = context;
  *found = *found || e->kind == KIR_ASSIGN || e->kind == KIR_STEP || e->kind == KIR_CALL;
}

/* a op= b, where one of them is a double: a = a op b. */
static kir_expr *updated(rewriting *r, kir_expr *e, const kir_type *of_a, const kir_type *of_b) {
  bool effects = false;
  kir_walk_expr(e->a, look_for_effect, &effects);
  if (effects) {
    fail(r, e->line, "the place of an assignment that is computed with effects has no double-single form");
    return e;
  }
  const kir_type *number = kir_scalar(r->p, KIR_DOUBLE);
  kir_expr *old = converted(r, e->a, of_a, number), *with = converted(r, e->b, of_b, number);
  e->b = converted(r, binary(r, e->op, old, with), number, of_a);
  e->op = KIR_NONE;
  e->depth = e->b->depth + 1;
  return e;
}

static kir_expr *builtin(rewriting *r, kir_expr *e, bool of_doubles) {
  return of_doubles ? call(r, kir_builtin_name(e->builtin), e->args, e->n) : e;
}

static kir_expr *rewrite_operation(rewriting *r, kir_expr *e, const kir_type *was, const kir_type *of_a,
                                   const kir_type *of_b) {
  switch (e->kind) {
  case KIR_UNARY: return is_double(was) ? call1(r, "neg", e->a) : e;
  case KIR_BINARY: return is_double(of_a) ? binary(r, e->op, e->a, e->b) : e;
  case KIR_CAST: return is_double(was) || is_double(of_a) ? converted(r, e->a, of_a, was) : e;
  case KIR_ASSIGN:
    return e->op != KIR_NONE && (is_double(of_a) || is_double(of_b)) ? updated(r, e, of_a, of_b) : e;
  default: return e;
  }
}

static kir_expr *rewrite(rewriting *r, kir_expr *e) {
  if (!e || r->failed) return e;
  const kir_type *was = e->type, *of_a = e->a ? e->a->type : NULL, *of_b = e->b ? e->b->type : NULL;
  bool of_doubles = is_double(was);
  if (e->kind == KIR_CONST && is_double(was)) return constant(r, e->value.f, e);
  for (int i = 0; i < e->n; i++) of_doubles = of_doubles || is_double(e->args[i]->type);
  e->a = rewrite(r, e->a);
  e->b = rewrite(r, e->b);
  e->c = rewrite(r, e->c);
  for (int i = 0; i < e->n; i++) e->args[i] = rewrite(r, e->args[i]);
  if (r->failed) return e;
  if (e->kind == KIR_BUILTIN) return builtin(r, e, of_doubles);
  if (was) e->type = made_of(r, was);
  return rewrite_operation(r, e, was, of_a, of_b);
}

static void rewrite_body(rewriting *r, kir_body *body) {
  for (int i = 0; i < body->n; i++) {
    kir_stmt *s = body->at[i];
    s->value = rewrite(r, s->value);
    s->step = rewrite(r, s->step);
    rewrite_body(r, &s->first);
    rewrite_body(r, &s->body);
    rewrite_body(r, &s->otherwise);
  }
}

/* ---- Programs --------------------------------------------------------------------------------------------------------------------- */

static bool points_at_doubles(const kir_type *t) {
  return t->kind == KIR_POINTER && (is_double(t->of) || points_at_doubles(t->of));
}

static bool has_doubles(const kir_struct *s) {
  for (int i = 0; i < s->fields.n; i++)
    if (is_double(s->fields.at[i].type)) return true;
  return false;
}

/* The host writes what lies in buffers: numbers alone. */
static void check_parameter(rewriting *r, const kir_function *f, kir_variable *v) {
  const kir_type *t = v->type;
  v->words = is_double(t) || points_at_doubles(t)                ? DSLC_WORDS_DOUBLE
             : t->kind == KIR_POINTER && t->of->kind == KIR_LONG ? DSLC_WORDS_LONG
                                                                 : DSLC_WORDS_OTHER;
  if (f->is_kernel && t->kind == KIR_POINTER && t->of->kind == KIR_STRUCT && has_doubles(t->of->record))
    fail(r, v->line, "a kernel's pointer to a struct of doubles has no double-single form");
}

static void rewrite_function(rewriting *r, kir_function *f) {
  r->within = f;
  for (int i = 0; i < f->parameters.n; i++) check_parameter(r, f, f->parameters.at[i]);
  if (f->body) rewrite_body(r, &f->body->body);
}

static void rewrite_types(rewriting *r) {
  for (int s = 0; s < r->p->structs.n; s++)
    for (int i = 0; i < r->p->structs.at[s]->fields.n; i++) {
      kir_field *field = &r->p->structs.at[s]->fields.at[i];
      field->type = made_of(r, field->type);
    }
  for (int k = 0; k < r->p->functions.n; k++) {
    kir_function *f = r->p->functions.at[k];
    f->type = made_of(r, f->type);
    for (int i = 0; i < f->variables.n; i++) f->variables.at[i]->type = made_of(r, f->variables.at[i]->type);
  }
}

static bool is_called(const kir_program *p, const kir_function *f, int after) {
  for (int k = after; k < p->functions.n; k++)
    for (int i = 0; i < p->functions.at[k]->calls.n; i++)
      if (p->functions.at[k]->calls.at[i] == f) return true;
  return false;
}

/* From the last one on, as functions call what stands before them. */
static void drop_unused(kir_program *p) {
  for (int k = p->functions.n - 1; k >= 0; k--) {
    kir_function *f = p->functions.at[k];
    if (strncmp(f->name, "ds_", 3) != 0 || is_called(p, f, k + 1)) continue;
    for (int i = k; i + 1 < p->functions.n; i++) p->functions.at[i] = p->functions.at[i + 1];
    p->functions.n--;
  }
}

bool kir_make_double_single(kir_program *p, kir_message *message) {
  rewriting r = {.p = p, .message = message};
  for (int k = 0; k < p->functions.n && !r.failed; k++) rewrite_function(&r, p->functions.at[k]);
  if (r.failed) return false;
  rewrite_types(&r);
  drop_unused(p);
  return true;
}
