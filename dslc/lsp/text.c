#include "lsp/text.h"

#include <stdlib.h>
#include <string.h>

enum { LARGEST = 1 << 28 };

static int count_lines(const char *bytes, size_t size) {
  int n = 1;
  for (const char *p = bytes; (p = memchr(p, '\n', size - (size_t)(p - bytes))); p++) n++;
  return n;
}

/* Takes over `bytes`. */
static bool adopt(text_buffer *t, char *bytes, size_t size) {
  int n = count_lines(bytes, size);
  uint32_t *line = malloc(sizeof *line * (size_t)n);
  if (!line) return false;
  line[0] = 0;
  n = 1;
  for (const char *p = bytes; (p = memchr(p, '\n', size - (size_t)(p - bytes))); p++)
    line[n++] = (uint32_t)(p - bytes + 1);
  text_free(t);
  *t = (text_buffer){bytes, (uint32_t)size, line, n};
  return true;
}

bool text_set(text_buffer *t, const char *bytes, size_t size) {
  if (size > LARGEST) return false;
  char *copy = malloc(size + 1);
  if (!copy) return false;
  memcpy(copy, bytes, size);
  copy[size] = '\0';
  if (adopt(t, copy, size)) return true;
  free(copy);
  return false;
}

void text_free(text_buffer *t) {
  free(t->bytes);
  free(t->line);
  *t = (text_buffer){0};
}

/* Bytes of the character at p, and its UTF-16 code units: bytes that are no UTF-8 count one each. */
static uint32_t step(const char *p, uint32_t left, int *units) {
  unsigned char c = (unsigned char)*p;
  uint32_t n = c < 0xC0 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
  *units = n == 4 ? 2 : 1;
  if (n > left) n = left;
  for (uint32_t i = 1; i < n; i++)
    if (((unsigned char)p[i] & 0xC0) != 0x80) {
      *units = 1;
      return 1;
    }
  return n;
}

static uint32_t line_end(const text_buffer *t, int line) {
  uint32_t end = line + 1 < t->n_lines ? t->line[line + 1] - 1 : t->size;
  return end > t->line[line] && line + 1 < t->n_lines && t->bytes[end - 1] == '\r' ? end - 1 : end;
}

uint32_t text_offset(const text_buffer *t, text_position at) {
  if (at.line < 0) return 0;
  if (at.line >= t->n_lines) return t->size;
  uint32_t offset = t->line[at.line], end = line_end(t, at.line);
  int units;
  for (int left = at.character; left > 0 && offset < end; left -= units)
    offset += step(t->bytes + offset, end - offset, &units);
  return offset;
}

text_position text_at(const text_buffer *t, uint32_t offset) {
  int lo = 0, hi = t->n_lines - 1;
  if (offset > t->size) offset = t->size;
  while (lo < hi) {
    int mid = lo + (hi - lo + 1) / 2;
    if (t->line[mid] <= offset) lo = mid;
    else hi = mid - 1;
  }
  text_position at = {lo, 0};
  int units;
  for (uint32_t i = t->line[lo]; i < offset; at.character += units)
    i += step(t->bytes + i, t->size - i, &units);
  return at;
}

bool text_replace(text_buffer *t, uint32_t from, uint32_t to, const char *with) {
  size_t n = strlen(with), size;
  if (from > t->size) from = t->size;
  if (to > t->size) to = t->size;
  if (to < from) to = from;
  size = t->size - (to - from) + n;
  char *bytes = size <= LARGEST ? malloc(size + 1) : NULL;
  if (!bytes) return false;
  memcpy(bytes, t->bytes, from);
  memcpy(bytes + from, with, n);
  memcpy(bytes + from + n, t->bytes + to, t->size - to + 1);
  if (adopt(t, bytes, size)) return true;
  free(bytes);
  return false;
}
