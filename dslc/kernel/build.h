/* Kernel IR that is built, by the emitter: expressions by constructors, statements by templates.
 *
 * A template is a piece of C with holes, `const int %s = %e;`: read once, it appends statements to the block that is open. A template may
 * leave a block open (`if (%e) {`) that a later one closes (`}`, `} else {`). Holes: %s a piece of a name or a few tokens, %c a letter,
 * %d a number, %e an expression, %% a per cent sign. Line breaks between statements, comments and parentheses stay as the template has
 * them. A name stands for the innermost variable of that name that has been declared, else for a constant of the file.
 *
 * What is built is printed by kir_print_function; its expressions know their width in characters. */
#ifndef DSLC_KERNEL_BUILD_H
#define DSLC_KERNEL_BUILD_H

#include "base/intern.h"
#include "kernel/kernel.h"

/* A block that statements are appended to. */
typedef struct kir_frame {
  kir_body *body;
  kir_stmt *owner;
  bool single; /* one statement without braces: closed behind it */
  int hidden;  /* names declared before it */
} kir_frame;

typedef struct kir_hidden {
  name name;
  kir_variable *variable; /* what it stood for outside, or NULL */
} kir_hidden;

typedef struct kir_builder {
  kir_program *program;
  arena *arena;
  intern_pool *names;
  kir_function *function; /* the one being built */
  kir_stmt *last;         /* added last */
  VEC(kir_frame) open;
  name_map *visible;
  VEC(kir_hidden) hidden;
} kir_builder;

kir_builder *kir_builder_create(arena *a, intern_pool *names);

kir_struct *kir_add_struct(kir_builder *b, const char *text); /* its fields may be added later */

/* ---- Functions and blocks ---------------------------------------------------------------------------------------- */

/* A function that begins; its head is what is added until kir_open_body. It joins the program when it is closed. */
kir_function *kir_open_function(kir_builder *b, const char *text, kir_kind result);
kir_variable *kir_add_parameter(kir_builder *b, const kir_type *type, const char *text, bool is_restrict);
kir_variable *kir_declare(kir_builder *b, const kir_type *type, const char *text);
void kir_parameters(kir_builder *b, const char *template, ...); /* several: const int dir, const int steps */
void kir_open_body(kir_builder *b);
/* All is declared: names stand for variables declared behind them too. */
void kir_close_function(kir_builder *b);

/* Adds to the beginning of the function's body what is added until kir_close_prologue. The body as it is. */
const kir_body *kir_open_prologue(kir_builder *b);
void kir_close_prologue(kir_builder *b);

kir_stmt *kir_add(kir_builder *b,
                  kir_stmt_kind kind); /* a statement, behind the last one of the open block */
void kir_open(kir_builder *b, kir_stmt *owner, kir_body *body);
void kir_open_single(kir_builder *b, kir_stmt *owner, kir_body *body); /* for one statement, without braces */
void kir_close(kir_builder *b);
void kir_close_singles(kir_builder *b);
kir_frame kir_close_block(kir_builder *b);   /* the innermost one alone */
void kir_forget(kir_builder *b, int hidden); /* names declared since there were so many */
int kir_column(const kir_builder *b);        /* at which a statement would begin */

/* Statements by a template. */
void kir_line(kir_builder *b, const char *template, ...);
void kir_blank(kir_builder *b);

/* A declaration that pass_unused.c drops unless something behind it names the variable. */
void kir_line_if_named(kir_builder *b, const char *template, ...);

/* `const TYPE NAME = value;` or, without a value, `TYPE NAME;` and the expression that stands for it. */
kir_expr *kir_let(kir_builder *b, kir_kind type, const char *text, kir_expr *value);
void kir_let_typed(kir_builder *b, const kir_type *type, const char *text,
                   kir_expr *value); /* the type as it is */
void kir_assign(kir_builder *b, kir_expr *to, kir_op op, kir_expr *value);
void kir_note(kir_builder *b, const char *note); /* where the last statement comes from */

/* ---- Expressions ---------------------------------------------------------------------------------------------------- */

kir_expr *kir_quote(kir_builder *b, const char *template, ...);
kir_expr *kir_name(kir_builder *b, const char *text);
kir_expr *kir_name_of(kir_builder *b, name text);
kir_expr *kir_whole(kir_builder *b, int value);
kir_expr *kir_literal(kir_builder *b, kir_kind kind, const char *spelling);
kir_expr *kir_unary(kir_builder *b, kir_op op, kir_expr *a);
/* KIR_BOTH and KIR_EITHER are && and ||. */
kir_expr *kir_binary(kir_builder *b, kir_op op, kir_expr *x, kir_expr *y);
kir_expr *kir_choose(kir_builder *b, kir_expr *condition, kir_expr *x, kir_expr *y);
kir_expr *kir_cast(kir_builder *b, const kir_type *type, kir_expr *a);
kir_expr *kir_call(kir_builder *b, const char *function, kir_kind result, kir_expr *const *arg, int n);
kir_expr *kir_element(kir_builder *b, const char *macro, kir_kind kind, kir_expr *index,
                      kir_expr *second); /* `second` or NULL */
/* of.text, or of->text of a pointer */
kir_expr *kir_member(kir_builder *b, kir_expr *of, bool arrow, const char *text, const kir_type *type);
kir_expr *kir_enclose(kir_builder *b, kir_expr *a);           /* in parentheses */
kir_expr *kir_within(kir_builder *b, kir_expr *a, int level); /* ... if it binds less tightly */

/* How tightly operators bind: C's levels. */
enum {
  KIR_BY_COMMA = 1,
  KIR_BY_ASSIGNMENT,
  KIR_BY_SELECT,
  KIR_BY_OR,
  KIR_BY_AND,
  KIR_BY_BOR,
  KIR_BY_XOR,
  KIR_BY_BAND,
  KIR_BY_EQUAL,
  KIR_BY_ORDER,
  KIR_BY_SHIFT,
  KIR_BY_SUM,
  KIR_BY_PRODUCT,
  KIR_BY_PREFIX,
  KIR_BY_POSTFIX
};

int kir_level(const kir_expr *e); /* as it stands: in parentheses, the tightest */
int kir_op_level(kir_op op);
const char *kir_op_text(kir_op op); /* with the blanks around it */
int kir_op_width(kir_op op);        /* of that text */

/* The name that an expression spells, letters, digits, _ and parentheses alone, if it has at most `longest`; or NULL. */
const char *kir_spelled_name(kir_builder *b, const kir_expr *e, int longest);

/* All expressions of some statements, and the expressions in them; of one expression, or NULL. */
typedef void kir_visit(kir_expr *e, void *context);
void kir_walk_expr(kir_expr *e, kir_visit *visit, void *context);
void kir_each_expr(const kir_body *body, kir_visit *visit, void *context);

#endif
