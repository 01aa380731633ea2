#include "base/words.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 60 }; /* bytes of a name in words */

static bool clause_ends(const char *p) {
  return !*p || strchr(";:,(\n", *p) || (*p == '.' && (!p[1] || p[1] == ' '));
}

void words_of_comment(const char *comment, char *text, size_t size) {
  size_t n = 0;
  if (size > 0) *text = 0;
  if (!comment || !(isalpha((unsigned char)*comment) || (unsigned char)*comment >= 0x80)) return;
  while (!clause_ends(comment + n)) n++;
  while (n > 0 && comment[n - 1] == ' ') n--;
  if (n <= LONGEST && n < size) snprintf(text, size, "%.*s", (int)n, comment);
}

size_t words_mark(const char *text, size_t size) {
  return size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

bool words_utf16(const char *text, size_t size) {
  return size >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0);
}

/* RFC 3629: no longer form than needed, no half of a pair, nothing past U+10FFFF; and not U+FFFE, U+FFFF. */
size_t words_character(const char *text) {
  const unsigned char *c = (const unsigned char *)text;
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const size_t n = c[0] < 0x80   ? 1
                   : c[0] < 0xc0 ? 0
                   : c[0] < 0xe0 ? 2
                   : c[0] < 0xf0 ? 3
                   : c[0] < 0xf8 ? 4
                                 : 0;
  uint32_t code = n > 1 ? c[0] & (0xffu >> (n + 1)) : c[0];
  for (size_t i = 1; i < n; i++) {
    if ((c[i] & 0xc0) != 0x80) return 0;
    code = code << 6 | (c[i] & 0x3f);
  }
  const bool half = code >= 0xd800 && code < 0xe000, none = code == 0xfffe || code == 0xffff;
  return n > 0 && code >= least[n] && code <= 0x10ffff && !half && !none ? n : 0;
}

bool words_are_utf8(const char *text) {
  for (size_t n; *text; text += n)
    if ((n = words_character(text)) == 0) return false;
  return true;
}

char *words_as_utf8(const char *text) {
  char *out = malloc(strlen(text) * strlen(WORDS_UNKNOWN) + 1), *to = out;
  if (!out) return NULL;
  while (*text) {
    const size_t n = words_character(text);
    to = n > 0 ? (char *)mempcpy(to, text, n) : stpcpy(to, WORDS_UNKNOWN);
    text += n > 0 ? n : 1;
  }
  *to = '\0';
  return out;
}

static const char *raised(char c) {
  static const char *const digit[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  return c == '-' ? "⁻" : digit[c - '0'];
}

/* How many characters of a power behind '^' can be raised: "2", "-1"; none of "(1/3)" and "0.5". */
static size_t power_length(const char *p) {
  size_t n = *p == '-', first = n;
  while (isdigit((unsigned char)p[n])) n++;
  return n > first && p[n] != '.' ? n : 0;
}

void words_of_unit(const char *unit, char *text, size_t size) {
  size_t at = 0;
  for (const char *p = unit; *p;) {
    size_t power = *p == '^' ? power_length(p + 1) : 0;
    if (power == 0) {
      if (at + 1 < size) text[at++] = *p;
      p++;
      continue;
    }
    for (p++; power > 0; power--, p++) {
      size_t n = strlen(raised(*p));
      if (at + n < size) memcpy(text + at, raised(*p), n), at += n;
    }
  }
  if (size > 0) text[at] = 0;
}

bool words_agree(const char *a, const char *b, double within) {
  if (strcmp(a, b) == 0) return true;
  for (;; a++, b++) {
    char *a_end, *b_end;
    const double x = strtod(a, &a_end), y = strtod(b, &b_end);
    if (a_end == a || b_end == b || !(fabs(x - y) <= within * fabs(x))) return false;
    a = a_end, b = b_end;
    if (*a != *b || !*a) return *a == *b;
  }
}
