/* What the files of the parser share. After the first error the tokens are at their end, so that every loop stops. */
#ifndef DSLC_KERNEL_PARSER_H
#define DSLC_KERNEL_PARSER_H

#include "kernel/kernel.h"
#include "kernel/text.h"

typedef enum kir_binding_kind {
  BIND_VARIABLE,
  BIND_FUNCTION,
  BIND_TYPE,
  BIND_CONSTANT,
  BIND_BUILTIN,
  BIND_STRUCT
} kir_binding_kind;

typedef struct kir_binding {
  kir_binding_kind kind;
  int depth;
  kir_symbol *symbol;
  struct kir_binding *outer, *scope; /* what the symbol meant before; the next one of this scope */
  kir_variable *variable;
  kir_function *function;
  const kir_type *type; /* TYPE, CONSTANT, STRUCT */
  kir_expr *constant;
  int builtin;
} kir_binding;

typedef struct kir_parser {
  kir_program *program;
  arena *arena;
  kir_symbols *symbols;
  const kir_token *at;
  kir_message *message;
  bool failed;
  kir_binding *scope; /* all bindings, innermost first */
  int depth;          /* of scopes */
  int nesting;        /* of constructs, which the stack bears only so many of */
  kir_function *function;
  bool in_loop, in_switch;
  bool expands; /* names of macros in expressions: where no text has been preprocessed */
} kir_parser;

enum { kir_max_nesting = 400, kir_max_depth = 4000 };

/* Makes a parser that has read a text: its functions, types and constants are bound, its macros known. False and a message as of
 * kir_parse. */
bool kir_parse_beginning(kir_parser *p, arena *a, const char *text, const char *options,
                         kir_message *message);
kir_expr *kir_expand(kir_parser *p, kir_symbol *macro, kir_expr **args, int n, int line); /* resolve.c */

/* ---- Tokens ---- */
void kir_fail(kir_parser *p, int line, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
bool kir_accept(kir_parser *p, unsigned punctuation);
void kir_expect(kir_parser *p, unsigned punctuation, const char *where);
bool kir_accept_word(kir_parser *p, kir_keyword word);
bool kir_at_word(const kir_parser *p, kir_keyword word);
kir_symbol *kir_expect_name(kir_parser *p, const char *what);
bool kir_enter(kir_parser *p); /* false: nests too deeply */
void kir_leave(kir_parser *p);

/* ---- Scopes ---- */
void kir_open_scope(kir_parser *p);
void kir_close_scope(kir_parser *p);
/* NULL and an error if the scope has the name already. */
kir_binding *kir_bind(kir_parser *p, kir_symbol *symbol, kir_binding_kind kind, int line);

/* ---- Types and declarations ---- */
typedef struct kir_specifiers {
  const kir_type *type;
  kir_space space;
  bool has_space, is_kernel, is_static, is_inline, noinline, is_typedef;
  int64_t group[3];
} kir_specifiers;

typedef struct kir_declarator {
  kir_symbol *name;
  const kir_type *type;
  bool is_restrict;
  int line;
} kir_declarator;

bool kir_at_type(const kir_parser *p);
void kir_parse_specifiers(kir_parser *p, kir_specifiers *s);
/* The name may be left out where `nameless`. */
void kir_parse_declarator(kir_parser *p, const kir_specifiers *s, bool nameless, kir_declarator *d);
const kir_type *kir_parse_type_name(kir_parser *p);

/* ---- Expressions ---- */
kir_expr *kir_parse_expr(kir_parser *p);       /* with commas */
kir_expr *kir_parse_assignment(kir_parser *p); /* without */
kir_expr *kir_parse_condition(kir_parser *p);  /* a bool */
kir_expr *kir_parse_initialiser(kir_parser *p, const kir_type *type);
int64_t kir_parse_constant(kir_parser *p, const char *what);

/* ---- Typed nodes, of operands that are: typed.c ---- */
kir_expr *kir_make(kir_parser *p, kir_expr_kind kind, const kir_type *type, int line);
kir_expr *kir_make_constant(kir_parser *p, const kir_type *type, const char *spelling, int line);
kir_expr *kir_nothing(kir_parser *p); /* in the place of what could not be read */
kir_expr *kir_with_depth(kir_parser *p, kir_expr *e);
kir_expr *kir_decay(kir_parser *p, kir_expr *e); /* an array becomes a pointer to its elements */
kir_expr *kir_convert(kir_parser *p, kir_expr *e, const kir_type *to, const char *what);
kir_expr *kir_typed_condition(kir_parser *p, kir_expr *e);
kir_expr *kir_typed_number(kir_parser *p, const char *spelling, int line);
kir_expr *kir_typed_call(kir_parser *p, kir_function *f, kir_expr **args, int n, int line);
kir_expr *kir_typed_builtin(kir_parser *p, int id, kir_expr **args, int n, int line);
kir_expr *kir_typed_index(kir_parser *p, kir_expr *base, kir_expr *index);
kir_expr *kir_typed_dereference(kir_parser *p, kir_expr *e);
kir_expr *kir_typed_field(kir_parser *p, kir_expr *base, const char *name);
kir_expr *kir_typed_address(kir_parser *p, kir_expr *e);
kir_expr *kir_typed_step(kir_parser *p, kir_expr *e, kir_op op, bool postfix);
kir_expr *kir_typed_unary(kir_parser *p, kir_op op, kir_expr *e);
kir_expr *kir_typed_cast(kir_parser *p, kir_expr *e, const kir_type *to, int line);
kir_expr *kir_typed_binary(kir_parser *p, kir_op op, kir_expr *a, kir_expr *b);
kir_expr *kir_typed_choice(kir_parser *p, kir_expr *condition, kir_expr *x, kir_expr *y);
kir_expr *kir_typed_comma(kir_parser *p, kir_expr *x, kir_expr *y);
kir_expr *kir_typed_assignment(kir_parser *p, kir_expr *a, kir_op op, kir_expr *b);

/* ---- Statements ---- */
kir_stmt *kir_parse_block(kir_parser *p);

#endif
