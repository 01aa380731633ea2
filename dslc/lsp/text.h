/* The text of a file as an editor sees it: positions are lines and UTF-16 code units, both from 0; inside, offsets are bytes of UTF-8. */
#ifndef DSLC_LSP_TEXT_H
#define DSLC_LSP_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct text_position {
  int line, character;
} text_position;

typedef struct text_buffer {
  char *bytes; /* NUL-terminated, owned */
  uint32_t size;
  uint32_t *line; /* where each begins; at least one */
  int n_lines;
} text_buffer;

/* Takes a copy. False: there is no memory, and the text is what it was. */
bool text_set(text_buffer *t, const char *bytes, size_t size);
void text_free(text_buffer *t);

/* What lies outside of the text is moved to its nearest end: clients send such positions while they catch up. */
uint32_t text_offset(const text_buffer *t, text_position at);
text_position text_at(const text_buffer *t, uint32_t offset);

/* Puts `with` in the place of [from, to). False: no memory, nothing changed. */
bool text_replace(text_buffer *t, uint32_t from, uint32_t to, const char *with);

#endif
