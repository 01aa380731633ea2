/* Expressions and blocks of kernel IR that is built; templates are in quote.c. */
#include "kernel/build.h"

#include <string.h>

kir_builder *kir_builder_create(arena *a, intern_pool *names) {
  kir_builder *b = arena_new(a, kir_builder);
  b->arena = a;
  b->names = names;
  b->program = arena_new(a, kir_program);
  b->program->arena = a;
  b->program->is_built = true;
  b->visible = name_map_create(a);
  return b;
}

/* ---- names ------------------------------------------------------------------------------------------------------------- */

static void show(kir_builder *b, kir_variable *v) {
  const name key = intern_str(b->names, v->name);
  vec_push(b->arena, &b->hidden, ((kir_hidden){key, name_map_get(b->visible, key)}));
  name_map_put(b->visible, key, v);
}

static kir_variable *declare(kir_builder *b, kir_variable *v) {
  show(b, v);
  vec_push(b->arena, &b->function->variables, v);
  return v;
}

/* The names of a block that ends stand again for what they stood for outside. */
void kir_forget(kir_builder *b, int from) {
  while (b->hidden.n > from) {
    const kir_hidden *h = &b->hidden.at[--b->hidden.n];
    name_map_put(b->visible, h->name, h->variable);
  }
}

kir_variable *kir_declare(kir_builder *b, const kir_type *type, const char *text) {
  kir_variable *v = arena_new(b->arena, kir_variable);
  v->name = text;
  v->type = type;
  return declare(b, v);
}

kir_struct *kir_add_struct(kir_builder *b, const char *text) {
  kir_struct *s = arena_new(b->arena, kir_struct);
  s->name = text;
  vec_push(b->arena, &b->program->structs, s);
  return s;
}

static void find_in(kir_builder *b, const kir_body *body);

/* ---- functions and blocks ------------------------------------------------------------------------------------------------ */

static void push_frame(kir_builder *b, kir_body *body, kir_stmt *owner, bool single) {
  vec_push(b->arena, &b->open, ((kir_frame){body, owner, single, b->hidden.n}));
}

kir_function *kir_open_function(kir_builder *b, const char *text, kir_kind result) {
  kir_function *f = arena_new(b->arena, kir_function);
  f->name = text;
  f->type = kir_scalar(b->program, result);
  f->body = arena_new(b->arena, kir_stmt);
  f->body->kind = KIR_BLOCK;
  b->function = f;
  push_frame(b, &f->head, NULL, false);
  return f;
}

kir_variable *kir_add_parameter(kir_builder *b, const kir_type *type, const char *text, bool is_restrict) {
  kir_variable *v = kir_declare(b, type, text);
  v->is_restrict = is_restrict;
  v->is_parameter = true;
  vec_push(b->arena, &b->function->parameters, v);
  return v;
}

void kir_open_body(kir_builder *b) {
  b->open.at[b->open.n - 1].body = &b->function->body->body;
  b->open.at[b->open.n - 1].owner = b->function->body;
}

void kir_close_function(kir_builder *b) {
  find_in(b, &b->function->body->body);
  kir_forget(b, b->open.at[--b->open.n].hidden);
  vec_push(b->arena, &b->program->functions, b->function);
  b->function = NULL;
}

/* The body is set aside, and comes back behind what is added in the meantime. */
const kir_body *kir_open_prologue(kir_builder *b) {
  kir_stmt *kept = arena_new(b->arena, kir_stmt);
  kept->body = b->function->body->body;
  b->function->body->body = (kir_body){0};
  push_frame(b, &b->function->body->body, kept, false);
  return &kept->body;
}

void kir_close_prologue(kir_builder *b) {
  const kir_body kept = b->open.at[--b->open.n].owner->body;
  for (int i = 0; i < kept.n; i++) vec_push(b->arena, &b->function->body->body, kept.at[i]);
}

void kir_open(kir_builder *b, kir_stmt *owner, kir_body *body) { push_frame(b, body, owner, false); }

void kir_open_single(kir_builder *b, kir_stmt *owner, kir_body *body) { push_frame(b, body, owner, true); }

/* Behind a statement that is complete: what it was the only statement of is so too. */
void kir_close_singles(kir_builder *b) {
  while (b->open.at[b->open.n - 1].single) {
    const kir_frame f = kir_close_block(b);
    f.owner->form = f.body->n && f.body->at[0]->kind == KIR_FOR ? KIR_STACKED : KIR_BELOW;
  }
}

kir_frame kir_close_block(kir_builder *b) {
  const kir_frame f = b->open.at[--b->open.n];
  kir_forget(b, f.hidden);
  return f;
}

/* An `else if` ends with the one whose `else` it is. */
void kir_close(kir_builder *b) {
  kir_frame f;
  do f = kir_close_block(b);
  while (f.owner && f.owner->chained);
  kir_close_singles(b);
}

kir_stmt *kir_add(kir_builder *b, kir_stmt_kind kind) {
  kir_stmt *s = arena_new(b->arena, kir_stmt);
  s->kind = kind;
  vec_push(b->arena, b->open.at[b->open.n - 1].body, s);
  b->last = s;
  return s;
}

int kir_column(const kir_builder *b) {
  int depth = 0;
  for (int i = 0; i < b->open.n; i++) {
    const kir_stmt *owner = b->open.at[i].owner;
    const bool flat = !owner || owner->form == KIR_FLUSH || b->open.at[i].single || owner->chained;
    depth += !flat;
  }
  return 2 * depth - b->function->margin;
}

void kir_blank(kir_builder *b) { kir_add(b, KIR_BLANK); }

static kir_expr *make(kir_builder *b, kir_expr_kind kind, const kir_type *type, int width) {
  kir_expr *e = arena_new(b->arena, kir_expr);
  e->kind = kind;
  e->type = type;
  e->width = width;
  return e;
}

/* ---- statements ---------------------------------------------------------------------------------------------------------- */

kir_expr *kir_let(kir_builder *b, kir_kind type, const char *text, kir_expr *value) {
  const kir_type *t = kir_scalar(b->program, type);
  kir_stmt *s = kir_add(b, KIR_LET);
  s->value = value;
  s->variable = kir_declare(b, value ? kir_qualified(b->program, t, true, false) : t, text);
  kir_close_singles(b);
  kir_expr *e = make(b, KIR_VAR, t, (int)strlen(text));
  e->variable = s->variable;
  e->spelling = text;
  return e;
}

void kir_let_typed(kir_builder *b, const kir_type *type, const char *text, kir_expr *value) {
  kir_stmt *s = kir_add(b, KIR_LET);
  s->value = value;
  s->variable = kir_declare(b, type, text);
  kir_close_singles(b);
}

void kir_assign(kir_builder *b, kir_expr *to, kir_op op, kir_expr *value) {
  kir_expr *e = arena_new(b->arena, kir_expr);
  e->kind = KIR_ASSIGN;
  e->op = op;
  e->type = to->type;
  e->a = to;
  e->b = value;
  kir_add(b, KIR_EVAL)->value = e;
  kir_close_singles(b);
}

void kir_note(kir_builder *b, const char *note) { b->last->note = note; }

/* ---- expressions: leaves --------------------------------------------------------------------------------------------------- */

kir_expr *kir_name(kir_builder *b, const char *text) { return kir_name_of(b, intern_str(b->names, text)); }

kir_expr *kir_name_of(kir_builder *b, name text) {
  kir_variable *v = name_map_get(b->visible, text);
  const kir_type *type = v ? v->type : kir_scalar(b->program, KIR_INT);
  kir_expr *e = make(b, v ? KIR_VAR : KIR_NAMED, type, (int)strlen(text));
  e->variable = v;
  e->spelling = text;
  if (v) v->is_read = true;
  return e;
}

kir_expr *kir_literal(kir_builder *b, kir_kind kind, const char *spelling) {
  kir_expr *e = make(b, KIR_CONST, kir_scalar(b->program, kind), (int)strlen(spelling));
  e->spelling = spelling;
  e->signs = *spelling == '-';
  return e;
}

kir_expr *kir_whole(kir_builder *b, int value) {
  kir_expr *e = kir_literal(b, KIR_INT, arena_printf(b->arena, "%d", value));
  e->value.i = value;
  return e;
}

/* ---- expressions: operators ---------------------------------------------------------------------------------------------------- */

kir_expr *kir_enclose(kir_builder *b, kir_expr *a) {
  kir_expr *e = arena_new(b->arena, kir_expr);
  *e = *a;
  e->enclosed++;
  e->signs = false;
  e->width += 2;
  return e;
}

kir_expr *kir_within(kir_builder *b, kir_expr *a, int level) {
  return kir_level(a) < level ? kir_enclose(b, a) : a;
}

kir_expr *kir_unary(kir_builder *b, kir_op op, kir_expr *a) {
  a = kir_within(b, a, a->signs ? KIR_BY_POSTFIX : KIR_BY_PREFIX);
  const kir_type *type = op == KIR_NOT ? kir_scalar(b->program, KIR_BOOL) : a->type;
  kir_expr *e = make(b, KIR_UNARY, type, 1 + a->width);
  e->op = op;
  e->a = a;
  e->signs = op == KIR_NEG;
  return e;
}

static const kir_type *type_of(kir_builder *b, kir_op op, const kir_expr *x, const kir_expr *y) {
  if (op >= KIR_LT && op <= KIR_NE) return kir_scalar(b->program, KIR_BOOL);
  if (op == KIR_BOTH || op == KIR_EITHER) return kir_scalar(b->program, KIR_BOOL);
  if (x->type->kind >= KIR_POINTER) return x->type;
  const kir_kind more = x->type->kind > y->type->kind ? x->type->kind : y->type->kind;
  return kir_scalar(b->program, more < KIR_INT ? KIR_INT : more);
}

kir_expr *kir_binary(kir_builder *b, kir_op op, kir_expr *x, kir_expr *y) {
  const int level = kir_op_level(op);
  x = kir_within(b, x, level);
  y = kir_within(b, y, level + 1);
  kir_expr *e = make(b,
                     op == KIR_BOTH     ? KIR_AND
                     : op == KIR_EITHER ? KIR_OR
                                        : KIR_BINARY,
                     type_of(b, op, x, y), x->width + kir_op_width(op) + y->width);
  e->op = e->kind == KIR_BINARY ? op : KIR_NONE;
  e->a = x;
  e->b = y;
  e->signs = x->signs;
  return e;
}

/* OpenCL C, other than C, chooses by whole numbers alone: of a condition that was stored, as a double, it is asked whether it is 0. */
kir_expr *kir_choose(kir_builder *b, kir_expr *condition, kir_expr *x, kir_expr *y) {
  if (condition->type && kir_is_floating(condition->type))
    condition = kir_binary(b, KIR_NE, condition, kir_literal(b, KIR_DOUBLE, "0.0"));
  condition = kir_within(b, condition, KIR_BY_OR);
  x = kir_within(b, x, KIR_BY_ASSIGNMENT);
  y = kir_within(b, y, KIR_BY_SELECT);
  kir_expr *e = make(b, KIR_SELECT, type_of(b, KIR_ADD, x, y), condition->width + x->width + y->width + 6);
  if (x->type == y->type) e->type = x->type;
  e->a = condition;
  e->b = x;
  e->c = y;
  e->signs = condition->signs;
  return e;
}

kir_expr *kir_cast(kir_builder *b, const kir_type *type, kir_expr *a) {
  a = kir_within(b, a, KIR_BY_PREFIX);
  kir_expr *e = make(b, KIR_CAST, type, (int)strlen(kir_type_text(type)) + 2 + a->width);
  e->a = a;
  return e;
}

static kir_expr *applied(kir_builder *b, kir_expr_kind kind, const char *text, const kir_type *type,
                         kir_expr *const *arg, int n) {
  int width = (int)strlen(text) + 2 + (n > 1 ? 2 * (n - 1) : 0);
  kir_expr *e = make(b, kind, type, 0);
  e->spelling = text;
  e->n = n;
  e->args = arena_array(b->arena, kir_expr *, n + 1);
  for (int i = 0; i < n; i++) {
    e->args[i] = arg[i];
    width += arg[i]->width;
  }
  e->width = width;
  return e;
}

kir_expr *kir_call(kir_builder *b, const char *function, kir_kind result, kir_expr *const *arg, int n) {
  return applied(b, KIR_CALL, function, kir_scalar(b->program, result), arg, n);
}

kir_expr *kir_element(kir_builder *b, const char *macro, kir_kind kind, kir_expr *index, kir_expr *second) {
  kir_expr *arg[] = {index, second};
  return applied(b, KIR_ELEMENT, macro, kir_scalar(b->program, kind), arg, second ? 2 : 1);
}

kir_expr *kir_member(kir_builder *b, kir_expr *of, bool arrow, const char *text, const kir_type *type) {
  kir_expr *record = of;
  if (arrow) {
    record = make(b, KIR_DEREF, of->type->kind == KIR_POINTER ? of->type->of : of->type, 1 + of->width);
    record->a = of;
  }
  kir_expr *e = make(b, KIR_FIELD, type, of->width + (arrow ? 2 : 1) + (int)strlen(text));
  e->a = record;
  e->spelling = text;
  return e;
}

/* ---- names that expressions spell ------------------------------------------------------------------------------------------------ */

static const char *spelled(kir_builder *b, const kir_expr *e) {
  const char *inner;
  switch (e->kind) {
  case KIR_VAR:
  case KIR_NAMED: return e->spelling;
  case KIR_CAST: inner = spelled(b, e->a); break;
  case KIR_CALL:
  case KIR_ELEMENT: inner = e->n == 1 ? spelled(b, e->args[0]) : NULL; break;
  default: return NULL;
  }
  if (!inner) return NULL;
  if (e->kind == KIR_CAST) return arena_printf(b->arena, "(%s)%s", kir_type_text(e->type), inner);
  return arena_printf(b->arena, "%s(%s)", e->spelling, inner);
}

const char *kir_spelled_name(kir_builder *b, const kir_expr *e, int longest) {
  return e->width <= longest ? spelled(b, e) : NULL;
}

/* ---- walks --------------------------------------------------------------------------------------------------------------- */

void kir_walk_expr(kir_expr *e, kir_visit *visit, void *context) {
  if (!e) return;
  visit(e, context);
  kir_walk_expr(e->a, visit, context);
  kir_walk_expr(e->b, visit, context);
  kir_walk_expr(e->c, visit, context);
  for (int i = 0; i < e->n; i++) kir_walk_expr(e->args[i], visit, context);
}

void kir_each_expr(const kir_body *body, kir_visit *visit, void *context) {
  for (int i = 0; i < body->n; i++) {
    const kir_stmt *s = body->at[i];
    kir_each_expr(&s->first, visit, context);
    kir_walk_expr(s->value, visit, context);
    kir_walk_expr(s->step, visit, context);
    kir_each_expr(&s->body, visit, context);
    kir_each_expr(&s->otherwise, visit, context);
  }
}

/* ---- names, once all are declared ---------------------------------------------------------------------------------- */

/* A variable that was declared behind what names it: in a prologue, or in the head of a loop that an expression stands in. */
static void find_variable(kir_builder *b, kir_expr *e) {
  e->variable = name_map_get(b->visible, e->spelling);
  if (e->variable) {
    e->kind = KIR_VAR;
    e->type = e->variable->type;
  } else if (*e->spelling >= 'a' && *e->spelling <= 'z') b->function->undeclared = e->spelling;
}

static void find_names(kir_expr *e, void *context) {
  if (e->kind == KIR_NAMED) find_variable(context, e);
}

/* What a loop's head declares, its head names too. */
static void find_in(kir_builder *b, const kir_body *body) {
  for (int i = 0; i < body->n; i++) {
    const kir_stmt *s = body->at[i];
    const int hidden = b->hidden.n;
    for (int k = 0; k < s->first.n; k++)
      if (s->first.at[k]->variable) show(b, s->first.at[k]->variable);
    find_in(b, &s->first);
    find_in(b, &s->body);
    find_in(b, &s->otherwise);
    kir_walk_expr(s->value, find_names, b);
    kir_walk_expr(s->step, find_names, b);
    kir_forget(b, hidden);
  }
}
