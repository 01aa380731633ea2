/* What the readers of templates share: quote.c fills them in and reads statements, quote_expr.c types and expressions. */
#ifndef DSLC_KERNEL_QUOTE_H
#define DSLC_KERNEL_QUOTE_H

#include "kernel/build.h"

enum { QUOTE_HOLE = '\1', QUOTE_MOST = 16 /* holes, or arguments of a call */ };

/* The text with its pieces in place; each QUOTE_HOLE stands for the next of the expressions. */
typedef struct quote {
  kir_builder *b;
  const char *at;
  kir_expr *hole[QUOTE_MOST];
  int holes, taken;
  bool line_begins; /* the next statement stands on a line of its own */
} quote;

/* Words that are no names. */
typedef enum word {
  WORD_NAME,
  WORD_BREAK,
  WORD_CASE,
  WORD_CONTINUE,
  WORD_DEFAULT,
  WORD_ELSE,
  WORD_FOR,
  WORD_IF,
  WORD_RETURN,
  WORD_SWITCH,
  WORD_BARRIER,
  WORD_FENCE,
  WORD_CONST, /* from here on those that types are made of */
  WORD_GLOBAL,
  WORD_LOCAL,
  WORD_RESTRICT,
  WORD_VOLATILE,
  WORD_BOOL,
  WORD_CHAR,
  WORD_DOUBLE,
  WORD_FLOAT,
  WORD_INT,
  WORD_LONG,
  WORD_UNSIGNED,
  WORD_VOID
} word;

/* The words before a declarator. */
typedef struct quote_base {
  kir_type type;
  kir_space space;
} quote_base;

void quote_fail(const quote *q, const char *what); /* does not return */

void quote_blanks(quote *q);
bool quote_accept(quote *q, char c);
void quote_expect(quote *q, char c);
word quote_word(const quote *q, size_t *size); /* the one that begins here; it is not taken */
bool quote_accept_word(quote *q, word wanted);
void quote_pass(quote *q, size_t n);
name quote_name(quote *q);

bool quote_type(quote *q, quote_base *t); /* false, and nothing is taken, where no type stands */
const kir_type *quote_stars(quote *q, const quote_base *t, bool *is_restrict);

kir_expr *quote_expr(quote *q);       /* with commas */
kir_expr *quote_assignment(quote *q); /* without */
kir_expr *quote_conditional(quote *q);
kir_expr *quote_make(quote *q, kir_expr_kind kind, const kir_type *type, int width);

#endif
