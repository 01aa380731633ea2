/* UTF-8 as far as carets need it: where a character ends and how many terminal columns it takes. */
#ifndef DSLC_BASE_UTF8_H
#define DSLC_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Decodes the character at s (n >= 1 bytes left) and returns its length in bytes. What is not valid UTF-8
 * yields one byte and the code point 0xFFFD. */
size_t utf8_next(const char *s, size_t n, uint32_t *code_point);

/* Columns on a terminal: 0 for combining marks, 2 for wide East Asian characters and emoji, else 1. */
int utf8_width(uint32_t code_point);

#endif
