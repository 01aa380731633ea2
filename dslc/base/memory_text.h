/* A stream into memory, for what prints to a FILE. It knows where memory ran out for a piece: glibc's open_memstream loses that piece, and
 * neither ferror nor fclose tells of it. */
#ifndef DSLC_BASE_MEMORY_TEXT_H
#define DSLC_BASE_MEMORY_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct memory_text {
  FILE *to;
  char *bytes; /* what came so far */
  size_t size, room;
  bool lost; /* memory ran out for some of it */
} memory_text;

/* The stream, which is t->to, or NULL without memory. */
FILE *memory_text_open(memory_text *t);

/* Ends the stream, if it was opened: its text, to be freed, with a zero byte behind the t->size bytes; NULL where memory ran out. */
char *memory_text_close(memory_text *t);

#endif
