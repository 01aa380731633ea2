/* Fenced code blocks of a Markdown page. The first word behind the opening fence is the language, the others are
 * attributes: `fragment-of=mesh`, `fails=E0203`, or a bare word. Readers of the page see only the text.
 *
 * Blocks live until fences_destroy. */
#ifndef DOCS_FENCES_H
#define DOCS_FENCES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct fence {
  const char *info; /* all that stands behind the opening fence */
  const char *text; /* the lines between the fences, each with its newline */
  int line;         /* of the opening fence, from 1 */
} fence;

typedef struct fences {
  const char *page;
  int n;
  fence *at;
  char *memory;
} fences;

/* False, with a message on stderr, if the page cannot be read or a fence is not closed. */
bool fences_read(const char *page, fences *out);
void fences_destroy(fences *f);

bool fence_is(const fence *f, const char *language);
bool fence_has(const fence *f, const char *word);
/* The value of name=value, copied to `to`; NULL if it is not there. */
const char *fence_value(const fence *f, const char *name, char *to, size_t room);

/* A whole file, NUL-terminated; NULL with a message on stderr. Free with free(). */
char *page_read(const char *path);

#endif
