/* Templates: pieces of C with holes, read once into kernel IR. What they may hold is what generated kernels hold; a template is part of
 * the compiler's text, so one that cannot be read is a mistake there and stops it. */
#include "kernel/quote.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- filling in ---------------------------------------------------------------------------------------------------------- */

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
    char few[16] = {QUOTE_HOLE};
    const char *text = few;
    if (s[1] == 's') text = va_arg(ap, const char *);
    else if (s[1] == '%') text = "%";
    else if (s[1] == 'd') snprintf(few, sizeof few, "%d", va_arg(ap, int));
    else if (s[1] == 'c') few[0] = (char)va_arg(ap, int);
    else if (s[1] == 'e' && q->holes < QUOTE_MOST) q->hole[q->holes++] = va_arg(ap, kir_expr *);
    else quote_fail(q, "an unknown hole");
    put(&f, text, strlen(text));
  }
  f.text[f.size] = '\0';
  q->at = f.text;
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
  if (!quote_accept(q, '{')) return quote_assignment(q);
  kir_expr *e = quote_make(q, KIR_LIST, kir_scalar(q->b->program, KIR_DOUBLE), 2);
  e->args = arena_array(q->b->arena, kir_expr *, 1);
  e->args[e->n++] = quote_assignment(q);
  quote_expect(q, '}');
  return e;
}

/* One variable of a declaration; the value is read before the name is known, as it must not name it. */
static void declarator(quote *q, const quote_base *t, kir_body *into, bool more) {
  bool is_restrict;
  const kir_type *type = quote_stars(q, t, &is_restrict);
  const char *text = quote_name(q);
  kir_expr *count = NULL;
  if (quote_accept(q, '[')) {
    count = quote_expr(q);
    quote_expect(q, ']');
    type =
        kir_make_type(q->b->program,
                      &(kir_type){.kind = KIR_ARRAY, .space = t->space, .of = type, .count = count->value.i});
  }
  kir_expr *value = quote_accept(q, '=') ? initialiser(q) : NULL;
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
  quote_base t;
  if (!quote_type(q, &t)) return false;
  declarator(q, &t, into, false);
  while (quote_accept(q, ',')) declarator(q, &t, into, true);
  quote_expect(q, ';');
  if (!into) kir_close_singles(q->b);
  return true;
}

/* What a condition or a loop governs: a block that is left open, a statement on the same line, or one that follows. */
static void governed(quote *q, kir_stmt *s) {
  quote_blanks(q);
  if (quote_accept(q, '{')) {
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
  quote_expect(q, '(');
  s->value = quote_expr(q);
  quote_expect(q, ')');
  governed(q, s);
}

static void loop_statement(quote *q) {
  kir_stmt *s = add(q, KIR_FOR);
  const int hidden = q->b->hidden.n;
  quote_expect(q, '(');
  if (!quote_accept(q, ';') && !declaration(q, &s->first)) {
    kir_stmt *first = arena_new(q->b->arena, kir_stmt);
    first->kind = KIR_EVAL;
    first->value = quote_expr(q);
    vec_push(q->b->arena, &s->first, first);
    quote_expect(q, ';');
  }
  if (*q->at == '\n') s->form = KIR_BROKEN, q->at++;
  quote_blanks(q);
  if (*q->at != ';') s->value = quote_expr(q);
  quote_expect(q, ';');
  if (*q->at != ')') s->step = quote_expr(q);
  quote_expect(q, ')');
  const kir_form form = s->form;
  const int opened = q->b->open.n;
  governed(q, s);
  if (form) s->form = form;
  if (q->b->open.n > opened) q->b->open.at[q->b->open.n - 1].hidden = hidden;
  else kir_forget(q->b, hidden);
}

static void switch_statement(quote *q) {
  kir_stmt *s = add(q, KIR_SWITCH);
  quote_expect(q, '(');
  s->value = quote_expr(q);
  quote_expect(q, ')');
  quote_expect(q, '{');
  s->form = KIR_FLUSH;
  kir_open(q->b, s, &s->body);
}

static void case_statement(quote *q, bool has_value) {
  kir_stmt *s = add(q, KIR_CASE);
  if (has_value) s->value = quote_conditional(q);
  quote_expect(q, ':');
}

static void close_statement(quote *q) {
  kir_stmt *owner = q->b->open.at[q->b->open.n - 1].owner;
  if (!quote_accept_word(q, WORD_ELSE)) {
    kir_close(q->b);
    q->line_begins = false;
    return;
  }
  kir_close_block(q->b);
  owner->has_otherwise = true;
  kir_open(q->b, owner, &owner->otherwise);
  q->line_begins = true;
  if (quote_accept_word(q, WORD_IF)) conditional_statement(q, true);
  else quote_expect(q, '{');
  q->line_begins = false;
}

static void barrier_statement(quote *q, kir_stmt_kind kind) {
  kir_stmt *s = add(q, kind);
  quote_expect(q, '(');
  do {
    const char *memory = quote_name(q);
    s->fences |= strcmp(memory, "CLK_LOCAL_MEM_FENCE") == 0 ? KIR_FENCE_LOCAL : KIR_FENCE_GLOBAL;
  } while (quote_accept(q, '|'));
  quote_expect(q, ')');
  quote_expect(q, ';');
  kir_close_singles(q->b);
}

static void plain_statement(quote *q, kir_stmt_kind kind) {
  kir_stmt *s = add(q, kind);
  if (!quote_accept(q, ';')) {
    s->value = quote_expr(q);
    quote_expect(q, ';');
  }
  kir_close_singles(q->b);
}

/* By its first word. */
static void statement_of_word(quote *q) {
  size_t n;
  const word w = quote_word(q, &n);
  if (w != WORD_NAME && w < WORD_CONST) quote_pass(q, n);
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
  case WORD_ELSE: quote_fail(q, "else without if"); break;
  default:
    if (!declaration(q, NULL)) plain_statement(q, KIR_EVAL);
  }
}

static void statement(quote *q) {
  quote_blanks(q);
  if (quote_accept(q, '}')) close_statement(q);
  else if (quote_accept(q, '{')) {
    kir_stmt *s = add(q, KIR_BLOCK);
    kir_open(q->b, s, &s->body);
  } else statement_of_word(q);
}

void kir_parameters(kir_builder *b, const char *template, ...) {
  quote q;
  va_list ap;
  quote_base t;
  bool is_restrict;
  va_start(ap, template);
  fill(&q, b, template, ap);
  va_end(ap);
  do {
    if (!quote_type(&q, &t)) quote_fail(&q, "a parameter without a type");
    const kir_type *type = quote_stars(&q, &t, &is_restrict);
    kir_add_parameter(b, type, quote_name(&q), is_restrict);
  } while (quote_accept(&q, ','));
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
  quote_blanks(q);
  if (q->line_begins) add(q, KIR_COMMENT)->text = rest_of_line(q);
  else q->b->last->remark = rest_of_line(q);
}

static void directive(quote *q) {
  q->at++;
  const char *which = quote_name(q);
  const bool define = strcmp(which, "define") == 0;
  if (!define && strcmp(which, "pragma") != 0) quote_fail(q, "an unknown directive");
  quote_blanks(q);
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
  kir_expr *e = quote_assignment(&q);
  if (*q.at) quote_fail(&q, "more than one expression");
  return e;
}
