/* What the language's own words mean, a line each: keywords, places, geometry, functions, letters, methods. The editor shows them, syntax files
 * colour them, and the reference prints the functions. */
#ifndef DSLC_LSP_WORDS_H
#define DSLC_LSP_WORDS_H

#include <stdbool.h>

typedef enum word_kind {
  WORD_KEYWORD,
  WORD_TYPE,
  WORD_PLACE,
  WORD_GEOMETRY, /* built-in quantities */
  WORD_CONSTANT,
  WORD_FUNCTION,
  WORD_LETTER, /* index letters and what stands in brackets like them */
  WORD_METHOD, /* of `integrate` */
  WORD_SOLVER,
  WORD_OPTION, /* of solvers, and their values */
  WORD_LEVEL,  /* behind a point: prev, old, free */
  WORD_KIND_COUNT
} word_kind;

typedef struct word {
  word_kind kind;
  const char *text;
  const char *form; /* how it is written, or NULL: as `text` */
  const char *doc;
} word;

/* All of them, by kind. */
const word *words(int *n);
/* The first of that text, or NULL. Several mean several things, as `area` of faces and of nodes: then one line says both. */
const word *word_find(const char *text);
const word *word_find_kind(const char *text, word_kind kind);
/* Is it known on meshes alone, or, where `on_grid` is false, on grids alone? */
bool word_is_elsewhere(const word *w, bool on_grid);
const char *word_kind_text(word_kind kind); /* "keyword", "place", ... */

#endif
