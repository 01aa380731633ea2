/* A scheme's text in pieces: lines with the blocks they open, tokens, and parts of formulas in brackets that match. */
#ifndef EW_RANDOM_PIECES_H
#define EW_RANDOM_PIECES_H

#include <stdbool.h>
#include <stddef.h>

enum { MOST_TOKENS = 400 };

/* [from, to) of a text. */
typedef struct token {
  size_t from, to;
} token;

/* The end of the line at `from`, or of the block that it opens. */
size_t end_of_line(const char *text, size_t from);
bool is_of_word(char c);
/* Words and marks of [from, to), at most MOST_TOKENS; how many. */
int tokens_of(const char *text, size_t from, size_t to, token *out);
/* Whether brackets in tokens [a, b) match each other. */
bool is_balanced(const char *text, const token *t, int a, int b);
/* The text with [from, to) replaced; the caller frees it. NULL: no memory. */
char *replaced(const char *text, token at, const char *instead);

#endif
