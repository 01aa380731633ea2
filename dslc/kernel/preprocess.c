/* Directives and macros, as C has them, without # and with ## between names alone, and no #include: there is nothing to include. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/text.h"

/* Where tokens come from: the text, or what a macro expands to, before what follows it. */
typedef struct context {
  const kir_token *at, *end;
  kir_macro *macro; /* active until the context is used up; NULL: the text, or an argument */
  int line;         /* of the use; 0: the tokens' own */
  struct context *outer;
} context;

/* Behind the last token. Where there is none, there is no list to count from either. */
static const kir_token *end_of(const kir_tokens *t) { return t->n ? t->at + t->n : t->at; }

typedef struct preprocessor {
  kir_symbols *symbols;
  arena *arena;
  kir_tokens *out;
  kir_message *message;
  bool failed;
} preprocessor;

static bool fail(preprocessor *p, int line, const char *fmt, const char *what) {
  if (p->failed) return false;
  p->failed = true;
  p->message->line = line;
  snprintf(p->message->text, sizeof p->message->text, fmt, what);
  return false;
}

/* ---- Macros ----------------------------------------------------------------------------------------------------- */

static context *use_up(context *c) {
  while (c && c->at == c->end) {
    if (c->macro) c->macro->active = false;
    c = c->outer;
  }
  return c;
}

static bool pull(context **c, kir_token *t) {
  *c = use_up(*c);
  if (!*c) return false;
  *t = *(*c)->at++;
  if ((*c)->line) t->line = (*c)->line;
  return true;
}

static void expand_all(preprocessor *p, context *c, kir_tokens *out);

typedef struct arguments {
  kir_tokens *plain, *expanded;
  int n;
} arguments;

/* Behind the opening parenthesis, up to the one that closes it. */
static bool read_arguments(preprocessor *p, context **c, const kir_macro *m, int line, arguments *a) {
  const int wanted = m->n_parameters;
  int depth = 0;
  a->plain = arena_array(p->arena, kir_tokens, wanted + 1);
  a->n = 1;
  for (kir_token t;;) {
    if (!pull(c, &t) || t.kind == TOKEN_END) return fail(p, line, "a macro's arguments do not end%s", "");
    if (depth == 0 && kir_is(&t, ')')) break;
    if (depth == 0 && kir_is(&t, ',') && a->n < wanted) {
      a->n++;
      continue;
    }
    if (depth == 0 && kir_is(&t, ','))
      return fail(p, line, "a macro is given more arguments than it has%s", "");
    depth += kir_is(&t, '(') || kir_is(&t, '[') || kir_is(&t, '{');
    depth -= kir_is(&t, ')') || kir_is(&t, ']') || kir_is(&t, '}');
    vec_push(p->arena, &a->plain[a->n - 1], t);
  }
  if (wanted == 0 && a->plain[0].n) return fail(p, line, "a macro without parameters is given one%s", "");
  if (wanted > 0 && a->n != wanted)
    return fail(p, line, "a macro is given fewer arguments than it has%s", "");
  a->expanded = arena_array(p->arena, kir_tokens, wanted + 1);
  for (int i = 0; i < wanted; i++) {
    const kir_tokens *plain = &a->plain[i];
    context *own = arena_new(p->arena, context);
    *own = (context){.at = plain->at, .end = end_of(plain)};
    expand_all(p, own, &a->expanded[i]);
  }
  return !p->failed;
}

static int parameter_of(const kir_macro *m, const kir_token *t) {
  for (int i = 0; t->kind == TOKEN_NAME && i < m->n_parameters; i++)
    if (m->parameters[i] == t->symbol) return i;
  return -1;
}

static void append(preprocessor *p, kir_tokens *out, const kir_tokens *from) {
  for (int i = 0; i < from->n; i++) vec_push(p->arena, out, from->at[i]);
}

/* a##b: both names, or what stands for them. */
static void paste(preprocessor *p, kir_tokens *out, const kir_tokens *with, int line) {
  if (!with->n) return;
  if (!out->n || out->at[out->n - 1].kind != TOKEN_NAME || with->at[0].kind != TOKEN_NAME) {
    fail(p, line, "## joins names only%s", "");
    return;
  }
  kir_token *last = &out->at[out->n - 1];
  const char *text = arena_printf(p->arena, "%s%s", last->symbol->text, with->at[0].symbol->text);
  last->symbol = kir_symbol_get(p->symbols, text, strlen(text));
  last->text = last->symbol->text;
  last->length = (int)last->symbol->length;
  for (int i = 1; i < with->n; i++) vec_push(p->arena, out, with->at[i]);
}

static void substitute(preprocessor *p, const kir_macro *m, const arguments *a, int line, kir_tokens *out) {
  for (int i = 0; i < m->body.n; i++) {
    const kir_token *t = &m->body.at[i];
    const bool pastes = i + 1 < m->body.n && kir_is(&m->body.at[i + 1], PUNCT2('#', '#'));
    const bool pasted = i > 0 && kir_is(&m->body.at[i - 1], PUNCT2('#', '#'));
    const int parameter = parameter_of(m, t);
    kir_tokens own = {0};
    if (kir_is(t, PUNCT2('#', '#'))) continue;
    if (parameter >= 0) own = pastes || pasted ? a->plain[parameter] : a->expanded[parameter];
    else vec_push(p->arena, &own, *t);
    if (pasted) paste(p, out, &own, line);
    else append(p, out, &own);
  }
}

/* Whether the next token opens arguments; it is taken if so. */
static bool opens(context **c) {
  *c = use_up(*c);
  if (!*c || !kir_is((*c)->at, '(')) return false;
  (*c)->at++;
  return true;
}

static context *expand_macro(preprocessor *p, context *c, kir_macro *m, int line) {
  arguments a = {0};
  kir_tokens *body = arena_new(p->arena, kir_tokens);
  if (m->has_arguments && !read_arguments(p, &c, m, line, &a)) return c;
  if (m->n_parameters) substitute(p, m, &a, line, body);
  else *body = m->body;
  context *inner = arena_new(p->arena, context);
  *inner = (context){.at = body->at, .end = end_of(body), .macro = m, .line = line, .outer = c};
  m->active = true;
  return inner;
}

static void expand_all(preprocessor *p, context *c, kir_tokens *out) {
  for (kir_token t; !p->failed && pull(&c, &t);) {
    kir_macro *m = t.kind == TOKEN_NAME && !t.expanded ? t.symbol->macro : NULL;
    if (m && m->active) t.expanded = true;
    else if (m && (!m->has_arguments || opens(&c))) {
      c = expand_macro(p, c, m, t.line);
      continue;
    }
    vec_push(p->arena, out, t);
  }
}

/* ---- #define ------------------------------------------------------------------------------------------------------ */

static const kir_token *read_parameters(preprocessor *p, const kir_token *at, const kir_token *end,
                                        kir_macro *m) {
  VEC(kir_symbol *) list = {0};
  m->has_arguments = true;
  for (++at; at < end && !kir_is(at, ')'); ++at) {
    if (kir_is(at, ',')) continue;
    if (at->kind != TOKEN_NAME) return fail(p, at->line, "a macro's parameters are names%s", ""), end;
    vec_push(p->arena, &list, at->symbol);
  }
  if (at == end) return fail(p, end[-1].line, "a macro's parameters do not end%s", ""), end;
  m->parameters = list.at;
  m->n_parameters = list.n;
  return at + 1;
}

static void define(preprocessor *p, const kir_token *at, const kir_token *end, int line) {
  if (at == end || at->kind != TOKEN_NAME) {
    fail(p, line, "#define wants a name%s", "");
    return;
  }
  kir_symbol *name = at++->symbol;
  kir_macro *m = arena_new(p->arena, kir_macro);
  if (at < end && kir_is(at, '(') && at->touches) at = read_parameters(p, at, end, m);
  for (; at < end; ++at) {
    if (kir_is(at, '#')) fail(p, at->line, "# is outside the subset%s", "");
    vec_push(p->arena, &m->body, *at);
  }
  name->macro = m;
}

static void undefine(preprocessor *p, const kir_token *at, const kir_token *end, int line) {
  if (at == end || at->kind != TOKEN_NAME) fail(p, line, "#undef wants a name%s", "");
  else at->symbol->macro = NULL;
}

/* ---- Conditions of #if -------------------------------------------------------------------------------------------- */

typedef struct condition {
  preprocessor *p;
  const kir_token *at, *end;
  int line, depth;
} condition;

static long either(condition *c, int level);

static bool takes(condition *c, unsigned punctuation) {
  if (c->at == c->end || !kir_is(c->at, punctuation)) return false;
  c->at++;
  return true;
}

static long operand(condition *c) {
  if (++c->depth > 100) fail(c->p, c->line, "an #if nests too deeply%s", "");
  long value = 0;
  if (c->p->failed) return 0;
  if (takes(c, '!')) value = !operand(c);
  else if (takes(c, '-')) value = -operand(c);
  else if (takes(c, '(')) {
    value = either(c, 0);
    if (!takes(c, ')')) fail(c->p, c->line, "an #if without its closing parenthesis%s", "");
  } else if (c->at == c->end) fail(c->p, c->line, "an #if that ends too early%s", "");
  else if (c->at->kind == TOKEN_NUMBER) value = strtol(c->at++->text, NULL, 0);
  else if (c->at->kind == TOKEN_NAME) c->at++; /* what is no macro is 0 */
  else fail(c->p, c->line, "an #if of integers, names and operators is expected%s", "");
  c->depth--;
  return value;
}

static const struct {
  unsigned punctuation;
  int level;
} operators[] = {{PUNCT2('|', '|'), 0},
                 {PUNCT2('&', '&'), 1},
                 {PUNCT2('=', '='), 2},
                 {PUNCT2('!', '='), 2},
                 {'<', 3},
                 {'>', 3},
                 {PUNCT2('<', '='), 3},
                 {PUNCT2('>', '='), 3},
                 {'+', 4},
                 {'-', 4},
                 {'*', 5}};

static long apply(unsigned punctuation, long a, long b) {
  switch (punctuation) {
  case PUNCT2('|', '|'): return a || b;
  case PUNCT2('&', '&'): return a && b;
  case PUNCT2('=', '='): return a == b;
  case PUNCT2('!', '='): return a != b;
  case '<': return a < b;
  case '>': return a > b;
  case PUNCT2('<', '='): return a <= b;
  case PUNCT2('>', '='): return a >= b;
  case '+': return (long)((unsigned long)a + (unsigned long)b);
  case '-': return (long)((unsigned long)a - (unsigned long)b);
  default: return (long)((unsigned long)a * (unsigned long)b);
  }
}

static int operator_at(const condition *c, int level) {
  for (size_t i = 0; c->at < c->end && i < sizeof operators / sizeof *operators; i++)
    if (operators[i].level == level && kir_is(c->at, operators[i].punctuation)) return (int)i;
  return -1;
}

static long either(condition *c, int level) {
  if (level == 6) return operand(c);
  long value = either(c, level + 1);
  for (int found; !c->p->failed && (found = operator_at(c, level)) >= 0;) {
    c->at++;
    value = apply(operators[found].punctuation, value, either(c, level + 1));
  }
  return value;
}

/* `defined X` and `defined(X)` become 1 or 0 before macros are expanded. */
static void answer_defined(preprocessor *p, const kir_token *at, const kir_token *end, kir_tokens *out) {
  for (; at < end; ++at) {
    kir_token t = *at;
    if (t.kind == TOKEN_NAME && strcmp(t.symbol->text, "defined") == 0 && at + 1 < end) {
      const bool enclosed = kir_is(at + 1, '(');
      at += enclosed ? 2 : 1;
      if (at >= end || at->kind != TOKEN_NAME || (enclosed && (at + 1 >= end || !kir_is(at + 1, ')')))) {
        fail(p, t.line, "`defined` wants a name%s", "");
        return;
      }
      t.kind = TOKEN_NUMBER;
      t.text = at->symbol->macro ? "1" : "0";
      at += enclosed;
    }
    vec_push(p->arena, out, t);
  }
}

static bool holds(preprocessor *p, const kir_token *at, const kir_token *end, int line) {
  kir_tokens answered = {0}, expanded = {0};
  answer_defined(p, at, end, &answered);
  context text = {.at = answered.at, .end = end_of(&answered)};
  expand_all(p, &text, &expanded);
  condition c = {p, expanded.at, end_of(&expanded), line, 0};
  const long value = either(&c, 0);
  if (c.at != c.end) fail(p, line, "an #if that does not end where its line does%s", "");
  return value != 0;
}

/* ---- Lines --------------------------------------------------------------------------------------------------------- */

enum { max_depth = 32 };

typedef struct branches {
  bool taken[max_depth], was_taken[max_depth]; /* this branch; any so far */
  int depth;
} branches;

static bool all_taken(const branches *b) {
  for (int i = 0; i < b->depth; i++)
    if (!b->taken[i]) return false;
  return true;
}

static bool is_word(const kir_token *t, const char *word) {
  return t->kind == TOKEN_NAME && strcmp(t->symbol->text, word) == 0;
}

static void begin_branch(preprocessor *p, branches *b, bool taken, int line) {
  if (b->depth == max_depth) {
    fail(p, line, "#if nests too deeply%s", "");
    return;
  }
  b->taken[b->depth] = b->was_taken[b->depth] = taken;
  b->depth++;
}

static void other_branch(branches *b, bool taken) {
  const int i = b->depth - 1;
  b->taken[i] = !b->was_taken[i] && taken;
  b->was_taken[i] = b->was_taken[i] || taken;
}

/* What decides which lines count; false: another directive. */
static bool branch(preprocessor *p, branches *b, const kir_token *word, const kir_token *end) {
  const kir_token *rest = word + 1;
  const bool counts = all_taken(b), named = rest < end && rest->kind == TOKEN_NAME;
  const bool if_defined = is_word(word, "ifdef"), if_not = is_word(word, "ifndef");
  if (if_defined || if_not) {
    if (!named) fail(p, word->line, "#ifdef wants a name%s", "");
    else begin_branch(p, b, counts && (rest->symbol->macro != NULL) == if_defined, word->line);
    return true;
  }
  if (is_word(word, "if"))
    return begin_branch(p, b, counts && holds(p, rest, end, word->line), word->line), true;
  const bool closes = is_word(word, "endif"), is_else = is_word(word, "else"),
             is_elif = is_word(word, "elif");
  if (!closes && !is_else && !is_elif) return false;
  if (b->depth == 0) return fail(p, word->line, "#%s without #if", word->symbol->text), true;
  if (closes) b->depth--;
  else if (is_else) other_branch(b, true);
  else other_branch(b, !b->was_taken[b->depth - 1] && holds(p, rest, end, word->line));
  return true;
}

/* Macros count in a pragma as well: unroll COUNT. */
static void pragma(preprocessor *p, const kir_token *word, const kir_token *end) {
  kir_tokens expanded = {0};
  context text = {.at = word + 1, .end = end};
  char *joined = arena_strndup(p->arena, "", 0);
  expand_all(p, &text, &expanded);
  for (int i = 0; i < expanded.n; i++) {
    const kir_token *t = &expanded.at[i];
    const bool bracket = kir_is(t, '(') || kir_is(t, ')') || (i > 0 && kir_is(t - 1, '('));
    joined = arena_printf(p->arena, "%s%s%.*s", joined, i == 0 || bracket ? "" : " ", t->length, t->text);
  }
  kir_token t = *word;
  t.kind = TOKEN_PRAGMA;
  t.text = joined;
  t.length = (int)strlen(joined);
  vec_push(p->arena, p->out, t);
}

static void directive(preprocessor *p, branches *b, const kir_token *at, const kir_token *end) {
  if (at == end) return; /* a lone # */
  if (branch(p, b, at, end) || !all_taken(b)) return;
  if (is_word(at, "define")) define(p, at + 1, end, at->line);
  else if (is_word(at, "undef")) undefine(p, at + 1, end, at->line);
  else if (is_word(at, "pragma")) pragma(p, at, end);
  else
    fail(p, at->line, "a directive outside the subset: #%s", at->kind == TOKEN_NAME ? at->symbol->text : "");
}

static const kir_token *end_of_line(const kir_token *at) {
  do at++;
  while (!at->begins_line);
  return at;
}

static const kir_token *next_directive(const kir_token *at) {
  while (at->kind != TOKEN_END && !(at->begins_line && kir_is(at, '#'))) at++;
  return at;
}

static bool follow(preprocessor *p, const kir_tokens *tokens) {
  branches b = {.depth = 0};
  const kir_token *at = tokens->at;
  while (!p->failed && at->kind != TOKEN_END) {
    if (at->begins_line && kir_is(at, '#')) {
      const kir_token *end = end_of_line(at);
      directive(p, &b, at + 1, end);
      at = end;
      continue;
    }
    const kir_token *end = next_directive(at);
    context text = {.at = at, .end = end};
    if (all_taken(&b)) expand_all(p, &text, p->out);
    at = end;
  }
  if (b.depth > 0) fail(p, at->line, "an #if without its #endif%s", "");
  vec_push(p->arena, p->out, *at);
  return !p->failed;
}

/* ---- Definitions from outside --------------------------------------------------------------------------------------- */

static bool define_text(preprocessor *p, const char *text, size_t length) {
  const char *equals = memchr(text, '=', length);
  const size_t name_length = equals ? (size_t)(equals - text) : length;
  char *line = arena_printf(p->arena, "%.*s %.*s", (int)name_length, text,
                            equals ? (int)(length - name_length - 1) : 1, equals ? equals + 1 : "1");
  kir_tokens tokens = {0};
  if (!kir_lex(p->symbols, line, &tokens, p->message)) return false;
  define(p, tokens.at, tokens.at + tokens.n - 1, 0);
  return !p->failed;
}

static bool define_options(preprocessor *p, const char *options) {
  for (const char *at = options; at && *(at += strspn(at, " \t\n"));) {
    size_t n = strcspn(at, " \t\n");
    if (strncmp(at, "-D", 2) == 0) {
      at += 2;
      n -= 2;
      if (n == 0) at += strspn(at, " \t\n"), n = strcspn(at, " \t\n");
      if (!define_text(p, at, n)) return false;
    }
    at += n;
  }
  return true;
}

bool kir_define(kir_symbols *s, const char *definition, kir_message *message) {
  preprocessor p = {.symbols = s, .arena = s->arena, .message = message};
  kir_tokens tokens = {0};
  if (!kir_lex(s, arena_strndup(s->arena, definition, strlen(definition)), &tokens, message)) return false;
  define(&p, tokens.at, tokens.at + tokens.n - 1, 0);
  return !p.failed;
}

bool kir_preprocess(kir_symbols *s, const char *text, const char *options, kir_tokens *out,
                    kir_message *message) {
  preprocessor p = {.symbols = s, .arena = s->arena, .out = out, .message = message};
  kir_tokens tokens = {0};
  static const char version[] = "__OPENCL_C_VERSION__=120";
  if (!define_text(&p, version, sizeof version - 1) || !define_options(&p, options)) return false;
  return kir_lex(s, text, &tokens, message) && follow(&p, &tokens);
}
