#include "base/utf8.h"

enum { REPLACEMENT = 0xFFFD };

/* Length announced by a first byte, 0 if it cannot be one; *bits are its share of the code point. */
static size_t announced(unsigned char first, uint32_t *bits) {
  if (first < 0x80) return *bits = first, 1;
  if (first >= 0xC2 && first < 0xE0) return *bits = first & 0x1F, 2;
  if (first >= 0xE0 && first < 0xF0) return *bits = first & 0x0F, 3;
  if (first >= 0xF0 && first < 0xF5) return *bits = first & 0x07, 4;
  return 0;
}

size_t utf8_next(const char *s, size_t n, uint32_t *code_point) {
  static const uint32_t smallest[5] = {0, 0, 0x80, 0x800, 0x10000};
  uint32_t value = 0;
  size_t length = announced((unsigned char)s[0], &value);
  *code_point = REPLACEMENT;
  if (length == 0 || length > n) return 1;
  for (size_t i = 1; i < length; i++) {
    if (((unsigned char)s[i] & 0xC0) != 0x80) return 1;
    value = value << 6 | ((unsigned char)s[i] & 0x3F);
  }
  if (value < smallest[length] || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000)) return 1;
  *code_point = value;
  return length;
}

typedef struct range {
  uint32_t first, last;
} range;

static int within(uint32_t c, const range *ranges, int n) {
  for (int i = 0; i < n; i++)
    if (c >= ranges[i].first && c <= ranges[i].last) return 1;
  return 0;
}

int utf8_width(uint32_t c) {
  static const range none[] = {{0x300, 0x36F}, {0x200B, 0x200F}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}};
  static const range wide[] = {{0x1100, 0x115F}, {0x2E80, 0xA4CF},   {0xAC00, 0xD7A3},
                               {0xF900, 0xFAFF}, {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},
                               {0xFFE0, 0xFFE6}, {0x1F300, 0x1FAFF}, {0x20000, 0x3FFFD}};
  if (c < 0x300) return 1;
  if (within(c, none, sizeof none / sizeof *none)) return 0;
  return within(c, wide, sizeof wide / sizeof *wide) ? 2 : 1;
}
