/* Spelling: identifiers that no C or OpenCL compiler refuses, and numbers that read back to the same
 * double. */
#ifndef DSLC_BACK_TEXT_H
#define DSLC_BACK_TEXT_H

#include <stdbool.h>

#include "base/intern.h"

/* Names given out so far, in a scope and the scope around it. */
typedef struct name_scope {
  name_map *used;
  const name_map *reserved; /* words, not NULL: of all scopes within one */
  const struct name_scope *outer;
  arena *memory;
  intern_pool *pool;
} name_scope;

name_scope *name_scope_create(arena *a, intern_pool *pool, const name_scope *outer);

/* An identifier like `text`: other characters become `_`; a reserved word gets `suffix`; a name already
 * used here or outside gets a number. */
const char *name_fresh(name_scope *s, const char *text, const char *suffix);

/* Whether it has been given out in this very scope. */
bool name_is_given(const name_scope *s, const char *text);

static inline bool text_is_digit(char c) { return c >= '0' && c <= '9'; }
static inline bool text_is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/* Shortest decimal form of a double, always recognisable as floating-point: 1.0, 0.1, 1e-12, INFINITY. */
const char *text_number(arena *a, double value);

#endif
