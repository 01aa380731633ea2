/* Declarations of a program: types, enumerations, structs, functions; scopes, and what is declared before the text begins. */
#include <limits.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "kernel/parser.h"

/* ---- Tokens ------------------------------------------------------------------------------------------------------ */

void kir_fail(kir_parser *p, int line, const char *fmt, ...) {
  static const kir_token ends[16] = {
      {.kind = TOKEN_END, .text = ""}}; /* more than one: some have looked at what they step over */
  if (p->failed) return;
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(p->message->text, sizeof p->message->text, fmt, ap);
  va_end(ap);
  p->message->line = line;
  p->failed = true;
  p->at = ends;
}

bool kir_accept(kir_parser *p, unsigned punctuation) {
  if (!kir_is(p->at, punctuation)) return false;
  p->at++;
  return true;
}

void kir_expect(kir_parser *p, unsigned punctuation, const char *where) {
  if (kir_accept(p, punctuation)) return;
  kir_fail(p, p->at->line, "`%c` is expected %s, not `%.*s`", (int)punctuation, where, p->at->length,
           p->at->text);
}

bool kir_at_word(const kir_parser *p, kir_keyword word) {
  return p->at->kind == TOKEN_NAME && p->at->symbol->keyword == word;
}

bool kir_accept_word(kir_parser *p, kir_keyword word) {
  if (!kir_at_word(p, word)) return false;
  p->at++;
  return true;
}

kir_symbol *kir_expect_name(kir_parser *p, const char *what) {
  if (p->at->kind == TOKEN_NAME && !p->at->symbol->keyword) return p->at++->symbol;
  kir_fail(p, p->at->line, "%s is expected, not `%.*s`", what, p->at->length, p->at->text);
  return NULL;
}

bool kir_enter(kir_parser *p) {
  if (p->failed) return false;
  if (++p->nesting <= kir_max_nesting) return true;
  kir_fail(p, p->at->line, "more than %d constructs within each other", kir_max_nesting);
  return false;
}

void kir_leave(kir_parser *p) { p->nesting--; }

/* ---- Scopes ------------------------------------------------------------------------------------------------------- */

void kir_open_scope(kir_parser *p) { p->depth++; }

void kir_close_scope(kir_parser *p) {
  for (; p->scope && p->scope->depth == p->depth; p->scope = p->scope->scope)
    p->scope->symbol->binding = p->scope->outer;
  p->depth--;
}

kir_binding *kir_bind(kir_parser *p, kir_symbol *symbol, kir_binding_kind kind, int line) {
  if (symbol->binding && symbol->binding->depth == p->depth && symbol->binding->kind != BIND_BUILTIN) {
    kir_fail(p, line, "`%s` is declared twice", symbol->text);
    return NULL;
  }
  kir_binding *b = arena_new(p->arena, kir_binding);
  *b = (kir_binding){
      .kind = kind, .depth = p->depth, .symbol = symbol, .outer = symbol->binding, .scope = p->scope};
  symbol->binding = b;
  p->scope = b;
  return b;
}

/* ---- Types ---------------------------------------------------------------------------------------------------------- */

static kir_kind kind_of_word(kir_keyword word) {
  switch (word) {
  case WORD_VOID: return KIR_VOID;
  case WORD_BOOL: return KIR_BOOL;
  case WORD_CHAR: return KIR_CHAR;
  case WORD_UCHAR: return KIR_UCHAR;
  case WORD_SHORT: return KIR_SHORT;
  case WORD_USHORT: return KIR_USHORT;
  case WORD_INT:
  case WORD_SIGNED: return KIR_INT;
  case WORD_UINT:
  case WORD_UNSIGNED: return KIR_UINT;
  case WORD_LONG: return KIR_LONG;
  case WORD_ULONG:
  case WORD_SIZE_T: return KIR_ULONG;
  case WORD_FLOAT: return KIR_FLOAT;
  case WORD_DOUBLE: return KIR_DOUBLE;
  default: return KIR_ARRAY; /* no type's word */
  }
}

static bool is_qualifier(kir_keyword word) {
  return (word >= WORD_CONST && word <= WORD_KERNEL) || word == WORD_ATTRIBUTE;
}

bool kir_at_type(const kir_parser *p) {
  if (p->at->kind != TOKEN_NAME) return false;
  const kir_keyword word = p->at->symbol->keyword;
  if (word) return kind_of_word(word) != KIR_ARRAY || is_qualifier(word) || word == WORD_STRUCT;
  return p->at->symbol->binding && p->at->symbol->binding->kind == BIND_TYPE;
}

static void attribute(kir_parser *p, kir_specifiers *s) {
  kir_expect(p, '(', "behind __attribute__");
  kir_expect(p, '(', "behind __attribute__");
  kir_symbol *name = kir_expect_name(p, "an attribute");
  if (name && strcmp(name->text, "noinline") == 0) s->noinline = true;
  else if (name && strcmp(name->text, "reqd_work_group_size") == 0) {
    for (int i = 0; i < 3 && !p->failed; i++) {
      kir_expect(p, i == 0 ? '(' : ',', "in reqd_work_group_size");
      s->group[i] = kir_parse_constant(p, "the size of a work-group");
      if (!p->failed && s->group[i] < 1)
        kir_fail(p, p->at->line, "a work-group of %lld items", (long long)s->group[i]);
    }
    kir_expect(p, ')', "behind reqd_work_group_size");
  } else if (name) kir_fail(p, p->at->line, "the attribute `%s` is outside the subset", name->text);
  kir_expect(p, ')', "behind an attribute");
  kir_expect(p, ')', "behind an attribute");
}

/* unsigned char, unsigned long, ...; long long is outside. */
static kir_kind combined(kir_kind seen, kir_kind more) {
  if (seen == KIR_ARRAY) return more;
  if (seen == KIR_UINT && more >= KIR_CHAR && more <= KIR_LONG && (more - KIR_CHAR) % 2 == 0) return more + 1;
  if (seen == KIR_INT && more >= KIR_CHAR && more <= KIR_LONG && (more - KIR_CHAR) % 2 == 0) return more;
  if ((seen == KIR_LONG || seen == KIR_ULONG || seen == KIR_SHORT || seen == KIR_USHORT) && more == KIR_INT)
    return seen;
  return KIR_ARRAY;
}

static void struct_body(kir_parser *p, kir_struct *s) {
  kir_expect(p, '{', "where a struct begins");
  while (!p->failed && !kir_is(p->at, '}')) {
    kir_specifiers specifiers;
    kir_parse_specifiers(p, &specifiers);
    do {
      kir_declarator d;
      kir_parse_declarator(p, &specifiers, false, &d);
      if (p->failed) return;
      if (!kir_is_scalar(d.type) && d.type->kind != KIR_POINTER)
        kir_fail(p, d.line, "a struct's fields are scalars and pointers: `%s`", d.name->text);
      const kir_field field = {d.name->text, d.type};
      vec_push(p->arena, &s->fields, field);
    } while (kir_accept(p, ','));
    kir_expect(p, ';', "behind a struct's field");
  }
  kir_expect(p, '}', "behind a struct");
}

/* Only `typedef struct NAME { ... } NAME;`. */
static const kir_type *parse_struct(kir_parser *p) {
  kir_struct *s = arena_new(p->arena, kir_struct);
  s->line = p->at->line;
  s->name = "";
  if (p->at->kind == TOKEN_NAME && !p->at->symbol->keyword) p->at++;
  struct_body(p, s);
  return kir_make_type(p->program, &(kir_type){.kind = KIR_STRUCT, .record = s});
}

static bool space_word(kir_keyword word, kir_space *space) {
  if (word == WORD_GLOBAL) *space = KIR_GLOBAL;
  else if (word == WORD_LOCAL) *space = KIR_LOCAL;
  else if (word == WORD_CONSTANT) *space = KIR_CONSTANT;
  else if (word == WORD_PRIVATE) *space = KIR_PRIVATE;
  else return false;
  return true;
}

typedef struct type_words {
  kir_kind kind;
  bool is_const, is_volatile;
} type_words;

/* One word of the specifiers; false: not one. */
static bool specifier(kir_parser *p, kir_specifiers *s, type_words *w) {
  if (p->at->kind != TOKEN_NAME) return false;
  const kir_keyword word = p->at->symbol->keyword;
  const kir_binding *b = p->at->symbol->binding;
  if (!word && w->kind == KIR_ARRAY && !s->type && b && b->kind == BIND_TYPE)
    return s->type = b->type, p->at++, true;
  if (!word) return false;
  if (space_word(word, &s->space)) return s->has_space = true, p->at++, true;
  if (kind_of_word(word) != KIR_ARRAY) {
    w->kind = combined(w->kind, kind_of_word(word));
    if (w->kind == KIR_ARRAY || s->type) kir_fail(p, p->at->line, "a type of words that do not go together");
    return p->at++, true;
  }
  if (word == WORD_STRUCT) return p->at++, s->type = parse_struct(p), true;
  if (word == WORD_ATTRIBUTE) return p->at++, attribute(p, s), true;
  if (word == WORD_CONST) w->is_const = true;
  else if (word == WORD_VOLATILE) w->is_volatile = true;
  else if (word == WORD_STATIC) s->is_static = true;
  else if (word == WORD_INLINE) s->is_inline = true;
  else if (word == WORD_KERNEL) s->is_kernel = true;
  else return false;
  return p->at++, true;
}

void kir_parse_specifiers(kir_parser *p, kir_specifiers *s) {
  type_words w = {.kind = KIR_ARRAY};
  *s = (kir_specifiers){.space = KIR_PRIVATE};
  while (!p->failed && specifier(p, s, &w)) continue;
  if (w.kind != KIR_ARRAY) s->type = kir_scalar(p->program, w.kind);
  if (!s->type) kir_fail(p, p->at->line, "a type is expected, not `%.*s`", p->at->length, p->at->text);
  else
    s->type = kir_qualified(p->program, s->type, w.is_const || s->type->is_const,
                            w.is_volatile || s->type->is_volatile);
}

static const kir_type *pointers(kir_parser *p, const kir_specifiers *s, bool *is_restrict) {
  const kir_type *type = s->type;
  kir_space space = s->space;
  for (*is_restrict = false; type && kir_accept(p, '*'); space = KIR_PRIVATE) {
    bool is_const = false;
    type = kir_pointer_to(p->program, type, space);
    for (;; p->at++) {
      if (kir_at_word(p, WORD_CONST)) is_const = true;
      else if (kir_at_word(p, WORD_RESTRICT)) *is_restrict = true;
      else break;
    }
    type = kir_qualified(p->program, type, is_const, false);
  }
  return type;
}

void kir_parse_declarator(kir_parser *p, const kir_specifiers *s, bool nameless, kir_declarator *d) {
  *d = (kir_declarator){.line = p->at->line};
  d->type = pointers(p, s, &d->is_restrict);
  if (nameless && !(p->at->kind == TOKEN_NAME && !p->at->symbol->keyword)) return;
  d->name = kir_expect_name(p, "a name");
  if (!p->failed && kir_accept(p, '[')) {
    const int64_t count = kir_parse_constant(p, "the size of an array");
    kir_expect(p, ']', "behind the size of an array");
    if (!p->failed && (count < 1 || count > 1 << 24))
      kir_fail(p, d->line, "an array of %lld", (long long)count);
    if (!p->failed && kir_is(p->at, '[')) kir_fail(p, d->line, "arrays of arrays are outside the subset");
    d->type = kir_make_type(p->program, &(kir_type){.kind = KIR_ARRAY,
                                                    .space = s->has_space ? s->space : KIR_PRIVATE,
                                                    .of = d->type,
                                                    .count = count});
  }
}

const kir_type *kir_parse_type_name(kir_parser *p) {
  kir_specifiers s;
  kir_declarator d;
  kir_parse_specifiers(p, &s);
  if (p->failed) return kir_scalar(p->program, KIR_INT);
  kir_parse_declarator(p, &s, true, &d);
  return d.type;
}

/* ---- Functions ------------------------------------------------------------------------------------------------------- */

static void parameter(kir_parser *p, kir_function *f) {
  kir_specifiers s;
  kir_declarator d;
  kir_parse_specifiers(p, &s);
  if (p->failed) return;
  kir_parse_declarator(p, &s, false, &d);
  if (p->failed) return;
  if (d.type->kind == KIR_ARRAY || d.type->kind == KIR_VOID)
    kir_fail(p, d.line, "a parameter of type %s", kir_type_text(d.type));
  kir_variable *v = arena_new(p->arena, kir_variable);
  *v = (kir_variable){.name = d.name->text, .type = d.type, .is_restrict = d.is_restrict, .line = d.line};
  v->is_parameter = v->initialised = true;
  if (f->is_kernel && d.type->kind == KIR_POINTER && d.type->space == KIR_PRIVATE)
    kir_fail(p, d.line, "a kernel's pointer `%s` without an address space", v->name);
  kir_binding *b = kir_bind(p, d.name, BIND_VARIABLE, d.line);
  if (!b) return;
  b->variable = v;
  vec_push(p->arena, &f->parameters, v);
  vec_push(p->arena, &f->variables, v);
}

static void parameters(kir_parser *p, kir_function *f) {
  kir_expect(p, '(', "behind a function's name");
  if (kir_at_word(p, WORD_VOID) && kir_is(p->at + 1, ')')) p->at++;
  while (!p->failed && !kir_is(p->at, ')')) {
    parameter(p, f);
    if (!kir_accept(p, ',')) break;
  }
  kir_expect(p, ')', "behind a function's parameters");
}

static void function(kir_parser *p, const kir_specifiers *s, const kir_declarator *d) {
  kir_function *f = arena_new(p->arena, kir_function);
  *f = (kir_function){.name = d->name->text,
                      .type = d->type,
                      .is_kernel = s->is_kernel,
                      .noinline = s->noinline,
                      .line = d->line};
  f->is_inline = s->is_static || s->is_inline;
  memcpy(f->group, s->group, sizeof f->group);
  if (f->is_kernel && f->type->kind != KIR_VOID) kir_fail(p, d->line, "a kernel returns nothing");
  kir_binding *b = kir_bind(p, d->name, BIND_FUNCTION, d->line);
  if (!b) return;
  b->function = p->function = f;
  kir_open_scope(p);
  parameters(p, f);
  if (kir_is(p->at, ';'))
    kir_fail(p, d->line, "declarations of functions ahead of their bodies are outside the subset");
  kir_stmt *body = kir_parse_block(p);
  f->end_line = p->at->line;
  f->body = body;
  kir_close_scope(p);
  p->function = NULL;
  vec_push(p->arena, &p->program->functions, f);
}

/* ---- The text ---------------------------------------------------------------------------------------------------------- */

static void bind_constant(kir_parser *p, kir_symbol *name, kir_expr *value, int line) {
  kir_binding *b = kir_bind(p, name, BIND_CONSTANT, line);
  if (b) b->constant = value;
}

static void enumeration(kir_parser *p) {
  int64_t value = 0;
  if (p->at->kind == TOKEN_NAME && !p->at->symbol->keyword) p->at++;
  kir_expect(p, '{', "behind `enum`");
  for (bool first = true; !p->failed && !kir_is(p->at, '}'); first = false, value++) {
    const int line = p->at->line;
    kir_symbol *name = kir_expect_name(p, "an enumerator");
    if (!name) return;
    if (kir_accept(p, '=')) value = kir_parse_constant(p, "an enumerator");
    kir_expr *e = kir_make_constant(p, kir_scalar(p->program, KIR_INT), name->text, line);
    e->value.i = value;
    bind_constant(p, name, e, line);
    const kir_enumerator made = {name->text, value, first};
    vec_push(p->arena, &p->program->enumerators, made);
    if (!kir_accept(p, ',')) break;
  }
  kir_expect(p, '}', "behind an enumeration");
  kir_expect(p, ';', "behind an enumeration");
}

static void type_definition(kir_parser *p) {
  kir_specifiers s;
  kir_declarator d;
  kir_parse_specifiers(p, &s);
  if (p->failed) return;
  kir_parse_declarator(p, &s, false, &d);
  kir_expect(p, ';', "behind `typedef`");
  if (p->failed) return;
  kir_binding *b = kir_bind(p, d.name, BIND_TYPE, d.line);
  if (!b) return;
  b->type = d.type;
  if (d.type->kind != KIR_STRUCT || d.type->record->name[0]) return;
  kir_name_struct(p->program, d.type->record, d.name->text);
  vec_push(p->arena, &p->program->structs, d.type->record);
}

static void definition(kir_parser *p) {
  kir_specifiers s;
  kir_declarator d;
  kir_parse_specifiers(p, &s);
  if (p->failed) return;
  kir_parse_declarator(p, &s, false, &d);
  if (p->failed) return;
  if (s.type->kind == KIR_STRUCT && !s.type->record->name[0])
    kir_fail(p, d.line, "structs are defined by `typedef struct`");
  else if (!kir_is(p->at, '('))
    kir_fail(p, d.line, "`%s`: variables outside of functions are outside the subset", d.name->text);
  else function(p, &s, &d);
}

static void program(kir_parser *p) {
  while (!p->failed && p->at->kind != TOKEN_END) {
    if (p->at->kind == TOKEN_PRAGMA) p->at++; /* extensions, which are all there */
    else if (kir_accept(p, ';')) continue;
    else if (kir_accept_word(p, WORD_ENUM)) enumeration(p);
    else if (kir_accept_word(p, WORD_TYPEDEF)) type_definition(p);
    else definition(p);
  }
}

static const char *const builtin_names[] = {
#define BUILTIN(ID, name, signature) name,
#include "kernel/builtins.def"
#undef BUILTIN
};

static const char *const builtin_signatures[] = {
#define BUILTIN(ID, name, signature) signature,
#include "kernel/builtins.def"
#undef BUILTIN
};

const char *kir_builtin_name(int id) { return builtin_names[id]; }
const char *kir_builtin_signature(int id) { return builtin_signatures[id]; }

static void declare_constant(kir_parser *p, const char *name, kir_kind kind, double f, int64_t i) {
  kir_expr *e = kir_make_constant(p, kir_scalar(p->program, kind), name, 0);
  if (kind == KIR_DOUBLE || kind == KIR_FLOAT) e->value.f = f;
  else e->value.i = i;
  bind_constant(p, kir_symbol_get(p->symbols, name, strlen(name)), e, 0);
}

static void declare_language(kir_parser *p) {
  for (int id = 0; id < KIR_B_COUNT; id++) {
    kir_binding *b = kir_bind(p, kir_symbol_get(p->symbols, builtin_names[id], strlen(builtin_names[id])),
                              BIND_BUILTIN, 0);
    if (b) b->builtin = id;
  }
  declare_constant(p, "CLK_LOCAL_MEM_FENCE", KIR_INT, 0.0, KIR_FENCE_LOCAL);
  declare_constant(p, "CLK_GLOBAL_MEM_FENCE", KIR_INT, 0.0, KIR_FENCE_GLOBAL);
  declare_constant(p, "INT_MAX", KIR_INT, 0.0, INT_MAX);
  declare_constant(p, "INT_MIN", KIR_INT, 0.0, INT_MIN);
  declare_constant(p, "INFINITY", KIR_FLOAT, (double)INFINITY, 0);
  declare_constant(p, "NAN", KIR_FLOAT, (double)NAN, 0);
  declare_constant(p, "DBL_MAX", KIR_DOUBLE, DBL_MAX, 0);
}

bool kir_parse_beginning(kir_parser *p, arena *a, const char *text, const char *options,
                         kir_message *message) {
  kir_tokens tokens = {0};
  *p = (kir_parser){.arena = a, .symbols = kir_symbols_create(a), .message = message};
  p->program = arena_new(a, kir_program);
  p->program->arena = a;
  p->program->source = arena_strndup(a, text, strlen(text));
  *message = (kir_message){0};
  declare_language(p);
  kir_open_scope(p);
  if (!kir_preprocess(p->symbols, p->program->source, options, &tokens, message)) return false;
  p->at = tokens.at;
  program(p);
  return !p->failed;
}

kir_program *kir_parse(arena *a, const char *text, const char *options, kir_message *message) {
  kir_parser p;
  return kir_parse_beginning(&p, a, text, options, message) ? p.program : NULL;
}

const kir_function *kir_find_kernel(const kir_program *p, const char *name) {
  for (int i = 0; i < p->functions.n; i++)
    if (p->functions.at[i]->is_kernel && strcmp(p->functions.at[i]->name, name) == 0)
      return p->functions.at[i];
  return NULL;
}
