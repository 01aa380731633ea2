/* What the scanner's actions work on; only lexer.l and lex_report.c see it. */
#ifndef DSLC_FRONT_LEX_STATE_H
#define DSLC_FRONT_LEX_STATE_H

#include "front/tokens.h"

typedef struct lex_state {
  arena *memory;
  intern_pool *names;
  const source_set *sources;
  diag_sink *sink;
  token_list *list;
  uint32_t offset; /* of what is scanned next */
  bool line_start; /* nothing but blanks since the last line break */
  int previous;    /* kind of the last token, 0 at the start */
  uint32_t previous_end;
  enum {
    LEX_NO_PART,
    LEX_PART_WORD,
    LEX_PART_NAMES
  } part; /* of region(...) and the like: the word, and what stands in brackets */
} lex_state;

/* `**`, `&&` and the like: reported; the caller goes on with the operator that was meant. */
void lex_foreign_operator(lex_state *s, span at, const char *meant);
void lex_foreign_comment(lex_state *s, span at);
void lex_conditional(lex_state *s, span at);
void lex_augmented_assignment(lex_state *s, span at);
/* Text in quotes: the name of a part of the mesh, within region(...), patch(...) and distance_to(...). Else it is reported: false. */
bool lex_names_part(lex_state *s, span at);
void lex_note_part(lex_state *s, int kind, name text);
void lex_stray(lex_state *s, span at);

/* Numbers with digits on one side only, or with a name stuck to their end. `length`: of the part that is
 * one. */
void lex_number_side(lex_state *s, span at);
void lex_number_tail(lex_state *s, span at, size_t length);

/* Value of a number's text; one that is too large for a double is reported. */
double lex_number(lex_state *s, span at);

void lex_comment(lex_state *s, span at);

/* The generated scanner cannot go on: a fault of ours, reported; the compilation is left as if memory had run out. */
_Noreturn void lex_fatal(lex_state *s, const char *message);

#endif
