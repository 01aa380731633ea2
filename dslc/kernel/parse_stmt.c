/* Statements and the declarations among them. */
#include <string.h>

#include "kernel/parser.h"

static kir_stmt *make(kir_parser *p, kir_stmt_kind kind, int line) {
  kir_stmt *s = arena_new(p->arena, kir_stmt);
  s->kind = kind;
  s->line = line;
  return s;
}

static void push(kir_parser *p, kir_body *body, kir_stmt *s) { vec_push(p->arena, body, s); }

/* ---- Declarations ---------------------------------------------------------------------------------------------- */

static kir_variable *declare(kir_parser *p, const kir_specifiers *s, const kir_declarator *d) {
  kir_variable *v = arena_new(p->arena, kir_variable);
  const bool pointer = d->type->kind == KIR_POINTER;
  *v = (kir_variable){.name = d->name->text, .type = d->type, .is_restrict = d->is_restrict, .line = d->line};
  v->space = s->has_space && !pointer ? s->space : KIR_PRIVATE;
  if (v->space == KIR_GLOBAL || v->space == KIR_CONSTANT)
    kir_fail(p, d->line, "a variable in __global or __constant memory");
  if (v->space == KIR_LOCAL && !p->function->is_kernel)
    kir_fail(p, d->line, "__local variables are a kernel's");
  if (d->type->kind == KIR_VOID) kir_fail(p, d->line, "`%s` has no type", v->name);
  return v;
}

static void bind_variable(kir_parser *p, kir_symbol *name, kir_variable *v) {
  kir_binding *b = kir_bind(p, name, BIND_VARIABLE, v->line);
  if (!b) return;
  b->variable = v;
  vec_push(p->arena, &p->function->variables, v);
}

static void declaration(kir_parser *p, kir_body *body) {
  kir_specifiers s;
  kir_parse_specifiers(p, &s);
  do {
    kir_declarator d;
    kir_parse_declarator(p, &s, false, &d);
    if (p->failed) return;
    kir_stmt *let = make(p, KIR_LET, d.line);
    let->variable = declare(p, &s, &d);
    bind_variable(p, d.name, let->variable);
    if (kir_accept(p, '=')) {
      if (let->variable->space == KIR_LOCAL) kir_fail(p, d.line, "__local variables have no initial value");
      let->value = kir_parse_initialiser(p, d.type);
      let->variable->initialised = true;
    }
    push(p, body, let);
  } while (kir_accept(p, ','));
  kir_expect(p, ';', "behind a declaration");
}

/* ---- Statements -------------------------------------------------------------------------------------------------- */

static void statement(kir_parser *p, kir_body *body);

static void condition(kir_parser *p, kir_stmt *s) {
  kir_expect(p, '(', "before a condition");
  s->value = kir_parse_condition(p);
  kir_expect(p, ')', "behind a condition");
}

/* What a loop or a branch governs; a declaration there is in a scope of its own. */
static void governed(kir_parser *p, kir_body *body) {
  kir_open_scope(p);
  if (kir_accept(p, '{')) {
    while (!p->failed && !kir_is(p->at, '}')) statement(p, body);
    kir_expect(p, '}', "behind a block");
  } else statement(p, body);
  kir_close_scope(p);
}

static void loop_body(kir_parser *p, kir_stmt *s) {
  const bool in_loop = p->in_loop, in_switch = p->in_switch;
  p->in_loop = true;
  p->in_switch = false;
  governed(p, &s->body);
  p->in_loop = in_loop;
  p->in_switch = in_switch;
}

static kir_stmt *parse_if(kir_parser *p, int line) {
  kir_stmt *s = make(p, KIR_IF, line);
  condition(p, s);
  governed(p, &s->body);
  s->has_otherwise = kir_accept_word(p, WORD_ELSE);
  if (s->has_otherwise) governed(p, &s->otherwise);
  return s;
}

static kir_stmt *evaluation(kir_parser *p) {
  kir_stmt *s = make(p, KIR_EVAL, p->at->line);
  s->value = kir_parse_expr(p);
  return s;
}

static kir_stmt *parse_for(kir_parser *p, int line) {
  kir_stmt *s = make(p, KIR_FOR, line);
  kir_open_scope(p);
  kir_expect(p, '(', "behind `for`");
  if (kir_at_type(p)) declaration(p, &s->first);
  else if (!kir_accept(p, ';')) {
    push(p, &s->first, evaluation(p));
    kir_expect(p, ';', "in `for`");
  }
  if (!kir_is(p->at, ';')) s->value = kir_parse_condition(p);
  kir_expect(p, ';', "in `for`");
  if (!kir_is(p->at, ')')) s->step = kir_parse_expr(p);
  kir_expect(p, ')', "behind the head of `for`");
  loop_body(p, s);
  kir_close_scope(p);
  return s;
}

static kir_stmt *parse_while(kir_parser *p, int line) {
  kir_stmt *s = make(p, KIR_WHILE, line);
  condition(p, s);
  loop_body(p, s);
  return s;
}

static kir_stmt *parse_do(kir_parser *p, int line) {
  kir_stmt *s = make(p, KIR_DO, line);
  loop_body(p, s);
  if (!kir_accept_word(p, WORD_WHILE)) kir_fail(p, p->at->line, "`while` is expected behind `do`");
  condition(p, s);
  kir_expect(p, ';', "behind `do`");
  return s;
}

static kir_stmt *parse_switch(kir_parser *p, int line) {
  kir_stmt *s = make(p, KIR_SWITCH, line);
  const bool in_switch = p->in_switch;
  kir_expect(p, '(', "behind `switch`");
  s->value = kir_convert(p, kir_parse_expr(p), kir_scalar(p->program, KIR_LONG), "`switch`");
  kir_expect(p, ')', "behind what `switch` looks at");
  p->in_switch = true;
  governed(p, &s->body);
  p->in_switch = in_switch;
  return s;
}

static kir_stmt *parse_case(kir_parser *p, int line, bool is_default) {
  kir_stmt *s = make(p, KIR_CASE, line);
  if (!p->in_switch) kir_fail(p, line, "`case` outside of `switch`");
  if (!is_default) {
    kir_expr *e = kir_parse_assignment(p);
    int64_t value;
    if (!p->failed && !kir_constant(e, &value)) kir_fail(p, line, "`case` wants a constant integer");
    s->value = e;
  }
  kir_expect(p, ':', "behind `case`");
  return s;
}

static kir_stmt *parse_return(kir_parser *p, int line) {
  kir_stmt *s = make(p, KIR_RETURN, line);
  const kir_type *type = p->function->type;
  if (!kir_is(p->at, ';')) s->value = kir_convert(p, kir_parse_expr(p), type, "`return`");
  if ((type->kind == KIR_VOID) != !s->value)
    kir_fail(p, line, "`return` with a value where none is, or without one");
  kir_expect(p, ';', "behind `return`");
  return s;
}

static kir_stmt *jump(kir_parser *p, kir_stmt_kind kind, int line) {
  const bool inside = p->in_loop || (kind == KIR_BREAK && p->in_switch);
  if (!inside) kir_fail(p, line, "%s outside of a loop", kind == KIR_BREAK ? "`break`" : "`continue`");
  kir_expect(p, ';', "behind `break` or `continue`");
  return make(p, kind, line);
}

/* NULL: begins no statement of its own. */
static kir_stmt *by_word(kir_parser *p) {
  const int line = p->at->line;
  if (kir_accept_word(p, WORD_IF)) return parse_if(p, line);
  if (kir_accept_word(p, WORD_FOR)) return parse_for(p, line);
  if (kir_accept_word(p, WORD_WHILE)) return parse_while(p, line);
  if (kir_accept_word(p, WORD_DO)) return parse_do(p, line);
  if (kir_accept_word(p, WORD_SWITCH)) return parse_switch(p, line);
  if (kir_accept_word(p, WORD_CASE)) return parse_case(p, line, false);
  if (kir_accept_word(p, WORD_DEFAULT)) return parse_case(p, line, true);
  if (kir_accept_word(p, WORD_BREAK)) return jump(p, KIR_BREAK, line);
  if (kir_accept_word(p, WORD_CONTINUE)) return jump(p, KIR_CONTINUE, line);
  if (kir_accept_word(p, WORD_RETURN)) return parse_return(p, line);
  return NULL;
}

static bool at_call_of(const kir_parser *p, const char *name) {
  return p->at->kind == TOKEN_NAME && strcmp(p->at->symbol->text, name) == 0 && kir_is(p->at + 1, '(');
}

static kir_stmt *parse_barrier(kir_parser *p) {
  kir_stmt *s = make(p, at_call_of(p, "barrier") ? KIR_BARRIER : KIR_FENCE, p->at->line);
  p->at += 2;
  s->fences = (int)kir_parse_constant(p, "the memory of a barrier");
  kir_expect(p, ')', "behind a barrier");
  kir_expect(p, ';', "behind a barrier");
  if (s->fences < 1 || s->fences > (KIR_FENCE_LOCAL | KIR_FENCE_GLOBAL))
    kir_fail(p, s->line, "a barrier of no memory");
  if (s->kind == KIR_BARRIER) p->function->has_barrier = true;
  return s;
}

static kir_stmt *parse_pragma(kir_parser *p) {
  kir_stmt *s = make(p, KIR_PRAGMA, p->at->line);
  s->text = arena_strndup(p->arena, p->at->text, (size_t)p->at->length);
  p->at++;
  return s;
}

static kir_stmt *simple(kir_parser *p) {
  if (at_call_of(p, "barrier") || at_call_of(p, "mem_fence")) return parse_barrier(p);
  kir_stmt *s = evaluation(p);
  kir_expect(p, ';', "behind a statement");
  return s;
}

static void statement_of(kir_parser *p, kir_body *body) {
  if (p->at->kind == TOKEN_PRAGMA) {
    push(p, body, parse_pragma(p));
    return;
  }
  if (kir_accept(p, ';')) return;
  if (kir_at_type(p)) {
    declaration(p, body);
    return;
  }
  if (kir_is(p->at, '{')) {
    kir_open_scope(p);
    push(p, body, kir_parse_block(p));
    kir_close_scope(p);
    return;
  }
  kir_stmt *s = by_word(p);
  push(p, body, s ? s : simple(p));
}

static void statement(kir_parser *p, kir_body *body) {
  if (!kir_enter(p)) return;
  statement_of(p, body);
  kir_leave(p);
}

kir_stmt *kir_parse_block(kir_parser *p) {
  kir_stmt *s = make(p, KIR_BLOCK, p->at->line);
  kir_expect(p, '{', "where a block begins");
  while (!p->failed && !kir_is(p->at, '}')) statement(p, &s->body);
  kir_expect(p, '}', "behind a block");
  return s;
}
