/* A file as tokens and comments: what the parser reads, and what the formatter lays out again. */
#ifndef DSLC_FRONT_TOKENS_H
#define DSLC_FRONT_TOKENS_H

#include <stdbool.h>

#include "base/diag.h"
#include "base/intern.h"
#include "base/source.h"

typedef struct token {
  int kind; /* a TOK_ code of the parser */
  uint32_t start, end;
  bool line_start; /* first on its line */
  union {
    name text;     /* of names, words and reductions */
    double number; /* of numbers */
  };
} token;

typedef struct comment {
  uint32_t start, end; /* from the dashes to the end of the line, without blanks at its end */
  bool alone;          /* nothing before it on its line */
} comment;

typedef struct token_list {
  uint32_t file;
  const char *text;
  VEC(token) tokens; /* at least the end of the file, which is the last */
  VEC(comment) comments;
  int unclosed; /* `{` less `}` in the whole file */
} token_list;

/* Never NULL. Characters and numbers that cannot be read are reported and replaced by what was meant. */
token_list *lex_file(arena *a, intern_pool *names, const source_set *sources, uint32_t file, diag_sink *sink);

/* The text of a token as in messages: "`>=`" or "the end of the file". */
const char *token_text(arena *a, const token_list *list, const token *t);

/* The token code of a reserved word, or 0. */
int keyword_find(const char *text, size_t n);
bool name_is_plain(const char *text); /* no word of the language, and of letters, digits and `_` */
enum { NAMES_WITH_PARTS = 3 };
extern const char
    *const names_with_parts[NAMES_WITH_PARTS]; /* functions that take names of parts of the mesh */
bool name_has_parts(const char *text);         /* is it one of them? */
int keyword_count(void);
const char *keyword_name(int i);

/* Can a formula end with this token? Then a name behind it begins something new. */
bool token_ends_expression(int kind);

/* Words that begin a declaration in a scheme, a statement in a step, a rule in a boundary. */
bool token_begins_declaration(int kind);
bool token_begins_statement(int kind);
bool token_begins_rule(int kind);
bool token_is_keyword(int kind);

#endif
