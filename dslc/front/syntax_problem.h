/* A place where the parser cannot go on, and what may be asked of it by those who explain it. */
#ifndef DSLC_FRONT_SYNTAX_PROBLEM_H
#define DSLC_FRONT_SYNTAX_PROBLEM_H

#include <string.h>

#include "front/parse_state.h"
#include "parser.h"

typedef struct syntax_problem {
  parse_state *ps;
  const char *const *expected;
  int n_expected;
  const token *found, *before; /* `before` NULL at the start of the file */
  span at;
  const char *found_text, *before_text;
} syntax_problem;

static inline bool expects(const syntax_problem *p, const char *word) {
  for (int i = 0; i < p->n_expected; i++)
    if (strcmp(p->expected[i], word) == 0) return true;
  return false;
}

static inline bool expects_expression(const syntax_problem *p) { return expects(p, "a number"); }
static inline bool expects_operator(const syntax_problem *p) { return expects(p, "+"); }
static inline bool found_is(const syntax_problem *p, int kind) { return p->found->kind == kind; }
static inline bool before_is(const syntax_problem *p, int kind) {
  return p->before && p->before->kind == kind;
}

static inline const token *token_from(const syntax_problem *p, int steps) {
  int i = p->ps->current + steps;
  if (i < 0) return NULL;
  return &p->ps->list->tokens.at[i < p->ps->list->tokens.n ? i : p->ps->list->tokens.n - 1];
}

static inline span span_of(const syntax_problem *p, const token *t) {
  return (span){p->ps->list->file, t->start, t->end};
}

static inline bool is_comparison(int kind) {
  return kind == TOK_LT || kind == TOK_GT || kind == TOK_LE || kind == TOK_GE || kind == TOK_EQ ||
         kind == TOK_NE;
}

static inline int closer_of(int kind) {
  switch (kind) {
  case TOK_LPAREN: return TOK_RPAREN;
  case TOK_LBRACKET: return TOK_RBRACKET;
  case TOK_LBRACE: return TOK_RBRACE;
  default: return 0;
  }
}

/* The innermost bracket still open before the error; NULL if none is. */
const token *syntax_innermost_open(const syntax_problem *p);
/* How what was begun is written, where the words expected say little to one who does not know it; NULL: they say enough. */
const char *syntax_form(const syntax_problem *p);

#endif
