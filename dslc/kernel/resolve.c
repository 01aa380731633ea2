/* From names to what they stand for: see resolve.h. Statement by statement as parse_stmt.c does, with the constructors of typed.c. */
#include "kernel/resolve.h"

#include <string.h>

#include "kernel/parser.h"

typedef struct resolver {
  kir_parser p;
  const kir_unit *unit;
  int line; /* of the statement */
  VEC(kir_variable *)
  built; /* that have a twin here, while names are looked up: passes have twins of their own */
} resolver;

static kir_symbol *symbol_of(resolver *r, const char *text) {
  return kir_symbol_get(r->p.symbols, text, strlen(text));
}

/* ---- types ------------------------------------------------------------------------------------------------------------ */

static const kir_type *import(resolver *r, const kir_type *t) {
  kir_type like = *t;
  const kir_binding *b = t->kind == KIR_STRUCT ? symbol_of(r, t->record->name)->binding : NULL;
  if (t->of) like.of = import(r, t->of);
  if (t->kind == KIR_STRUCT && (!b || b->kind != BIND_TYPE))
    kir_fail(&r->p, r->line, "the type `%s` is declared nowhere", t->record->name);
  else if (t->kind == KIR_STRUCT) like.record = b->type->record;
  return kir_make_type(r->p.program, &like);
}

static void add_struct(resolver *r, const kir_struct *built) {
  kir_struct *s = arena_new(r->p.arena, kir_struct);
  s->name = built->name;
  for (int i = 0; i < built->fields.n; i++)
    vec_push(r->p.arena, &s->fields,
             ((kir_field){built->fields.at[i].name, import(r, built->fields.at[i].type)}));
  vec_push(r->p.arena, &r->p.program->structs, s);
  kir_binding *b = kir_bind(&r->p, symbol_of(r, s->name), BIND_TYPE, 0);
  if (b) b->type = kir_make_type(r->p.program, &(kir_type){.kind = KIR_STRUCT, .record = s});
}

/* ---- macros ------------------------------------------------------------------------------------------------------------- */

/* What its body says, with the arguments as they are in the place of its parameters. */
kir_expr *kir_expand(kir_parser *p, kir_symbol *symbol, kir_expr **args, int n, int line) {
  kir_macro *m = symbol->macro;
  const kir_token *behind = p->at;
  kir_token *body = arena_array(p->arena, kir_token, m->body.n + 1);
  if (m->active || m->n_parameters != n) {
    kir_fail(p, line, "the macro `%s` has %d parameters and is given %d", symbol->text, m->n_parameters, n);
    return kir_nothing(p);
  }
  for (int i = 0; i < m->body.n; i++) body[i] = m->body.at[i], body[i].line = line;
  body[m->body.n] = (kir_token){.kind = TOKEN_END, .text = "", .line = line};
  p->at = body;
  m->active = true;
  kir_open_scope(p);
  for (int i = 0; i < n; i++) {
    kir_binding *b = kir_bind(p, m->parameters[i], BIND_CONSTANT, line);
    if (b) b->constant = args[i];
  }
  kir_expr *e = kir_parse_expr(p);
  if (!p->failed && p->at->kind != TOKEN_END) kir_fail(p, line, "`%s` is no expression", symbol->text);
  kir_close_scope(p);
  m->active = false;
  if (!p->failed) p->at = behind;
  return e;
}

/* ---- expressions -------------------------------------------------------------------------------------------------------- */

static kir_expr *resolved(resolver *r, const kir_expr *e);

static kir_expr *variable(resolver *r, const kir_expr *e) {
  const kir_binding *b = symbol_of(r, e->variable->name)->binding;
  if (!b || b->kind != BIND_VARIABLE)
    kir_fail(&r->p, r->line, "`%s` is not declared here", e->variable->name);
  else if (b->variable != e->variable->twin)
    kir_fail(&r->p, r->line, "`%s` stands for another variable here", e->variable->name);
  if (r->p.failed) return kir_nothing(&r->p);
  kir_expr *made = kir_make(&r->p, KIR_VAR, b->variable->type, r->line);
  made->variable = b->variable;
  return made;
}

/* A constant, or a variable that was declared behind the making of what names it. */
static kir_expr *named(resolver *r, const char *text) {
  kir_symbol *s = symbol_of(r, text);
  if (s->macro && !s->macro->has_arguments) return kir_expand(&r->p, s, NULL, 0, r->line);
  if (s->binding && s->binding->kind == BIND_VARIABLE) {
    kir_expr *made = kir_make(&r->p, KIR_VAR, s->binding->variable->type, r->line);
    made->variable = s->binding->variable;
    return made;
  }
  if (!s->binding || s->binding->kind != BIND_CONSTANT) {
    kir_fail(&r->p, r->line, "`%s` is declared nowhere", text);
    return kir_nothing(&r->p);
  }
  kir_expr *e = arena_new(r->p.arena, kir_expr);
  *e = *s->binding->constant;
  e->line = r->line;
  return e;
}

static kir_expr *literal(resolver *r, const char *text) {
  if (*text == '-') return kir_typed_unary(&r->p, KIR_NEG, literal(r, text + 1));
  if (*text >= '0' && *text <= '9') return kir_typed_number(&r->p, text, r->line);
  const kir_keyword word = symbol_of(r, text)->keyword;
  if (word != WORD_TRUE && word != WORD_FALSE) return named(r, text);
  kir_expr *e = kir_make_constant(&r->p, kir_scalar(r->p.program, KIR_BOOL), text, r->line);
  e->value.i = word == WORD_TRUE;
  return e;
}

static kir_expr *called(resolver *r, const kir_expr *e) {
  kir_symbol *s = symbol_of(r, e->spelling);
  kir_expr **args = arena_array(r->p.arena, kir_expr *, e->n + 1);
  for (int i = 0; i < e->n; i++) args[i] = resolved(r, e->args[i]);
  if (s->macro && s->macro->has_arguments) return kir_expand(&r->p, s, args, e->n, r->line);
  for (int i = 0; i < e->n; i++) args[i] = kir_decay(&r->p, args[i]);
  if (s->binding && s->binding->kind == BIND_FUNCTION)
    return kir_typed_call(&r->p, s->binding->function, args, e->n, r->line);
  if (s->binding && s->binding->kind == BIND_BUILTIN)
    return kir_typed_builtin(&r->p, s->binding->builtin, args, e->n, r->line);
  kir_fail(&r->p, r->line, "`%s` is called, and is no function", e->spelling);
  return kir_nothing(&r->p);
}

static kir_expr *resolved(resolver *r, const kir_expr *e) {
  kir_parser *p = &r->p;
  if (p->failed) return kir_nothing(p);
  switch (e->kind) {
  case KIR_CONST: return literal(r, e->spelling);
  case KIR_VAR: return variable(r, e);
  case KIR_NAMED: return named(r, e->spelling);
  case KIR_UNARY: return kir_typed_unary(p, e->op, resolved(r, e->a));
  case KIR_BINARY: return kir_typed_binary(p, e->op, resolved(r, e->a), resolved(r, e->b));
  case KIR_AND: return kir_typed_binary(p, KIR_BOTH, resolved(r, e->a), resolved(r, e->b));
  case KIR_OR: return kir_typed_binary(p, KIR_EITHER, resolved(r, e->a), resolved(r, e->b));
  case KIR_SELECT: return kir_typed_choice(p, resolved(r, e->a), resolved(r, e->b), resolved(r, e->c));
  case KIR_CAST: return kir_typed_cast(p, resolved(r, e->a), import(r, e->type), r->line);
  case KIR_INDEX: return kir_typed_index(p, resolved(r, e->a), resolved(r, e->b));
  case KIR_DEREF: return kir_typed_dereference(p, resolved(r, e->a));
  case KIR_FIELD: return kir_typed_field(p, resolved(r, e->a), e->spelling);
  case KIR_ADDRESS: return kir_typed_address(p, resolved(r, e->a));
  case KIR_ASSIGN: return kir_typed_assignment(p, resolved(r, e->a), e->op, resolved(r, e->b));
  case KIR_STEP: return kir_typed_step(p, resolved(r, e->a), e->op, e->postfix);
  case KIR_COMMA: return kir_typed_comma(p, resolved(r, e->a), resolved(r, e->b));
  case KIR_CALL:
  case KIR_ELEMENT: return called(r, e);
  case KIR_BUILTIN:
  case KIR_LIST: break; /* the parser's; a declaration's */
  }
  kir_fail(p, r->line, "an expression of a kind that is not built");
  return kir_nothing(p);
}

static kir_expr *condition(resolver *r, const kir_expr *e) {
  return kir_typed_condition(&r->p, resolved(r, e));
}

/* ---- statements --------------------------------------------------------------------------------------------------------- */

static void resolve_body(resolver *r, const kir_body *from, kir_body *to);

static const kir_type *variable_type(resolver *r, const kir_variable *v) {
  const kir_type *t = import(r, v->type);
  kir_type like = *t;
  if (!v->count) return t;
  kir_expr *count = resolved(r, v->count);
  if (!r->p.failed && (!kir_constant(count, &like.count) || like.count < 1))
    kir_fail(&r->p, r->line, "the size of `%s` is no constant", v->name);
  return kir_make_type(r->p.program, &like);
}

static kir_variable *declare(resolver *r, kir_variable *built) {
  kir_variable *v = arena_new(r->p.arena, kir_variable);
  *v = (kir_variable){.name = built->name,
                      .type = variable_type(r, built),
                      .space = built->space,
                      .is_restrict = built->is_restrict,
                      .line = r->line};
  built->twin = v;
  vec_push(r->p.arena, &r->built, built);
  kir_binding *b = kir_bind(&r->p, symbol_of(r, v->name), BIND_VARIABLE, r->line);
  if (b) b->variable = v;
  vec_push(r->p.arena, &r->p.function->variables, v);
  return v;
}

static kir_expr *initial_value(resolver *r, const kir_expr *value, const kir_type *type) {
  if (value->kind != KIR_LIST) return kir_convert(&r->p, resolved(r, value), type, "an initial value");
  kir_expr *e = kir_make(&r->p, KIR_LIST, kir_bare(r->p.program, type), r->line);
  if (type->kind != KIR_ARRAY) kir_fail(&r->p, r->line, "{ } where no array is made");
  e->n = value->n;
  e->args = arena_array(r->p.arena, kir_expr *, e->n + 1);
  for (int i = 0; i < e->n && !r->p.failed; i++) e->args[i] = initial_value(r, value->args[i], type->of);
  return r->p.failed ? kir_nothing(&r->p) : kir_with_depth(&r->p, e);
}

static void resolve_let(resolver *r, const kir_stmt *s, kir_stmt *to) {
  to->variable = declare(r, s->variable);
  if (!s->value) return;
  if (to->variable->space == KIR_LOCAL) kir_fail(&r->p, r->line, "__local variables have no initial value");
  to->value = initial_value(r, s->value, to->variable->type);
  to->variable->initialised = true;
}

static void resolve_block(resolver *r, const kir_body *from, kir_body *to) {
  kir_open_scope(&r->p);
  resolve_body(r, from, to);
  kir_close_scope(&r->p);
}

static void resolve_loop(resolver *r, const kir_stmt *s, kir_stmt *to) {
  kir_open_scope(&r->p);
  for (int i = 0; i < s->first.n; i++) {
    kir_stmt *first = arena_new(r->p.arena, kir_stmt);
    *first = (kir_stmt){.kind = s->first.at[i]->kind, .line = r->line};
    if (first->kind == KIR_LET) resolve_let(r, s->first.at[i], first);
    else first->value = resolved(r, s->first.at[i]->value);
    vec_push(r->p.arena, &to->first, first);
  }
  if (s->value) to->value = condition(r, s->value);
  if (s->step) to->step = resolved(r, s->step);
  resolve_block(r, &s->body, &to->body);
  kir_close_scope(&r->p);
}

static void resolve_if(resolver *r, const kir_stmt *s, kir_stmt *to) {
  to->value = condition(r, s->value);
  to->has_otherwise = s->has_otherwise;
  resolve_block(r, &s->body, &to->body);
  if (s->has_otherwise) resolve_block(r, &s->otherwise, &to->otherwise);
}

static void resolve_return(resolver *r, const kir_stmt *s, kir_stmt *to) {
  const kir_type *type = r->p.function->type;
  if (s->value) to->value = kir_convert(&r->p, resolved(r, s->value), type, "`return`");
  if ((type->kind == KIR_VOID) != !s->value)
    kir_fail(&r->p, r->line, "`return` with a value where none is, or without one");
}

/* Macros count in pragmas too. */
static const char *pragma_text(resolver *r, const char *text) {
  kir_tokens tokens = {0};
  const bool good =
      kir_preprocess(r->p.symbols, arena_printf(r->p.arena, "#pragma %s\n", text), "", &tokens, r->p.message);
  if (!good) kir_fail(&r->p, r->line, "a pragma that is none: %s", text);
  return good ? arena_strndup(r->p.arena, tokens.at[0].text, (size_t)tokens.at[0].length) : text;
}

static void resolve_stmt(resolver *r, const kir_stmt *s, kir_stmt *to) {
  switch (s->kind) {
  case KIR_BLOCK: resolve_block(r, &s->body, &to->body); break;
  case KIR_LET: resolve_let(r, s, to); break;
  case KIR_EVAL: to->value = resolved(r, s->value); break;
  case KIR_IF: resolve_if(r, s, to); break;
  case KIR_FOR:
  case KIR_WHILE:
  case KIR_DO: resolve_loop(r, s, to); break;
  case KIR_SWITCH:
    to->value = kir_convert(&r->p, resolved(r, s->value), kir_scalar(r->p.program, KIR_LONG), "`switch`");
    resolve_block(r, &s->body, &to->body);
    break;
  case KIR_CASE:
    if (s->value) to->value = resolved(r, s->value);
    break;
  case KIR_RETURN: resolve_return(r, s, to); break;
  case KIR_BARRIER: r->p.function->has_barrier = true; break;
  case KIR_PRAGMA: to->text = pragma_text(r, s->text); break;
  case KIR_BREAK:
  case KIR_CONTINUE:
  case KIR_FENCE:
  case KIR_COMMENT:
  case KIR_BLANK:
  case KIR_DEFINE: break;
  }
}

static bool is_layout(const kir_stmt *s) {
  return s->kind == KIR_COMMENT || s->kind == KIR_BLANK || s->kind == KIR_DEFINE;
}

static void resolve_body(resolver *r, const kir_body *from, kir_body *to) {
  for (int i = 0; i < from->n && !r->p.failed; i++) {
    const kir_stmt *s = from->at[i];
    if (is_layout(s)) continue;
    kir_stmt *made = arena_new(r->p.arena, kir_stmt);
    if (s->line) r->line = s->line;
    *made = (kir_stmt){.kind = s->kind, .line = r->line, .fences = s->fences};
    vec_push(r->p.arena, to, made);
    resolve_stmt(r, s, made);
  }
}

/* ---- functions ------------------------------------------------------------------------------------------------------------ */

/* Definitions that stand before a function. */
static void define_head(resolver *r, const kir_function *f) {
  for (int i = 0; i < f->head.n; i++)
    if (f->head.at[i]->kind == KIR_DEFINE && !kir_define(r->p.symbols, f->head.at[i]->text, r->p.message))
      kir_fail(&r->p, f->line, "a definition that is none: %s", f->head.at[i]->text);
}

/* The size of work-groups, as a compiler sees it: SIZED is a macro of the beginning. */
static void find_group(resolver *r, const kir_function *from, kir_function *to) {
  kir_tokens tokens = {0};
  kir_specifiers s;
  if (!from->shape) return;
  const char *text = arena_printf(
      r->p.arena, from->is_sized ? "SIZED(%s) void" : "__attribute__((reqd_work_group_size(%s))) void",
      from->shape);
  if (!kir_preprocess(r->p.symbols, text, "", &tokens, r->p.message)) {
    kir_fail(&r->p, from->line, "a size of work-groups that is none: %s", from->shape);
    return;
  }
  const kir_token *before = r->p.at;
  r->p.at = tokens.at;
  kir_parse_specifiers(&r->p, &s);
  if (!r->p.failed) r->p.at = before;
  memcpy(to->group, s.group, sizeof to->group);
}

static void add_parameters(resolver *r, const kir_function *from, kir_function *to) {
  for (int i = 0; i < from->parameters.n; i++) {
    kir_variable *v = declare(r, from->parameters.at[i]);
    v->is_parameter = v->initialised = true;
    vec_push(r->p.arena, &to->parameters, v);
  }
}

static void add_function(resolver *r, const kir_function *from) {
  kir_function *f = arena_new(r->p.arena, kir_function);
  r->line = from->line;
  *f = (kir_function){.name = from->name,
                      .type = import(r, from->type),
                      .is_kernel = from->is_kernel,
                      .is_inline = from->is_static || from->is_inline,
                      .noinline = from->noinline,
                      .line = from->line};
  define_head(r, from);
  find_group(r, from, f);
  if (from->is_prototype) kir_fail(&r->p, from->line, "`%s` is declared ahead of its body", from->name);
  kir_binding *b = kir_bind(&r->p, symbol_of(r, f->name), BIND_FUNCTION, f->line);
  if (!b) return;
  b->function = r->p.function = f;
  kir_open_scope(&r->p);
  add_parameters(r, from, f);
  f->body = arena_new(r->p.arena, kir_stmt);
  *f->body = (kir_stmt){.kind = KIR_BLOCK, .line = from->line};
  resolve_block(r, &from->body->body, &f->body->body);
  f->end_line = r->line;
  kir_close_scope(&r->p);
  r->p.function = NULL;
  vec_push(r->p.arena, &r->p.program->functions, f);
}

static void resolve_unit(resolver *r) {
  const kir_program *from = r->unit->built;
  const int n = from->functions.n, others = n - r->unit->n_kernels;
  for (int i = 0; i < from->structs.n && others > 0; i++) add_struct(r, from->structs.at[i]);
  for (int i = 0; i < n && !r->p.failed; i++)
    add_function(r, from->functions.at[i < others ? r->unit->n_kernels + i : i - others]);
  for (int i = 0; i < r->built.n; i++) r->built.at[i]->twin = NULL;
}

kir_program *kir_resolve(arena *a, const kir_unit *unit, const char *options, kir_message *message) {
  resolver r = {.unit = unit};
  if (!kir_parse_beginning(&r.p, a, unit->beginning, options, message)) return NULL;
  if (unit->source) r.p.program->source = unit->source;
  r.p.expands = true;
  resolve_unit(&r);
  return r.p.failed ? NULL : r.p.program;
}
