#include "damage.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../fuzz/mutate.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

size_t damage_draw(damage *d, size_t below) { /* xorshift64* */
  d->random ^= d->random >> 12;
  d->random ^= d->random << 25;
  d->random ^= d->random >> 27;
  return (size_t)((d->random * 2685821657736338717ULL) >> 33) % (below ? below : 1);
}

/* Replaces n bytes at `at` by m others, which do not lie in the file; nothing, where there is no room. */
static void splice(damage *d, size_t at, size_t n, const char *with, size_t m) {
  if (d->size - n + m > d->most) return;
  memmove(d->bytes + at + m, d->bytes + at + n, d->size - at - n);
  memcpy(d->bytes + at, with, m);
  d->size += m - n;
  d->bytes[d->size] = '\0';
}

/* n bytes of the file at `from` once more, `times` times, before `to`. */
static void repeat(damage *d, size_t from, size_t n, size_t to, size_t times) {
  char *copy = malloc(n * times + 1);
  for (size_t i = 0; copy && i < times; i++) memcpy(copy + i * n, d->bytes + from, n);
  if (copy) splice(d, to, 0, copy, n * times);
  free(copy);
}

/* ---- bytes ------------------------------------------------------------------------------------------------------------------- */

static void change_word(damage *d) {
  static const uint64_t WORD[] = {0,      UINT64_MAX, INT64_MAX, 0x7fffffff, 0x80000000, 0xffffffff,
                                  0xffff, 1,          256,       1ULL << 40, 1ULL << 63, 0x7ff8000000000000};
  uint64_t word = WORD[damage_draw(d, COUNT(WORD))];
  size_t n = (size_t)1 << damage_draw(d, 4), at = damage_draw(d, d->size);
  if (at + n <= d->size) memcpy(d->bytes + at, &word, n);
}

static void change_block(damage *d) {
  size_t at = damage_draw(d, d->size), n = 1 + damage_draw(d, 300);
  if (n > d->size - at) n = d->size - at;
  if (damage_draw(d, 2)) splice(d, at, n, "", 0);
  else repeat(d, at, n, damage_draw(d, d->size), 1 + damage_draw(d, 3));
}

static void change_bytes(damage *d) {
  size_t at = damage_draw(d, d->size);
  switch (damage_draw(d, 5)) {
  case 0: d->size = at, d->bytes[at] = '\0'; break;
  case 1: change_word(d); break;
  case 2: change_block(d); break;
  default: d->bytes[at] = (char)(d->bytes[at] ^ (1 << damage_draw(d, 8))); break;
  }
}

/* ---- text -------------------------------------------------------------------------------------------------------------------- */

static const char *const NUMBER[] = {
    "-1",          "0",    "1",     "2",      "3",        "7",          "64",
    "255",         "1000", "65536", "100000", "16777216", "2147483647", "4294967296",
    "-2147483648", "0.5",  "-7",    "1e300",  "1e-320",   "1e999",      "-1e999",
    "nan",         "inf",  "0x10",  "1e",     "1.",       "--1",        "99999999999999999999"};

/* The number that begins at or behind a random byte. Returns its length, 0 if there is none. */
static size_t find_number(damage *d, size_t *at) {
  for (size_t i = damage_draw(d, d->size); i < d->size; i++) {
    bool begins = isdigit((unsigned char)d->bytes[i]) && (i == 0 || !isalnum((unsigned char)d->bytes[i - 1]));
    if (!begins) continue;
    *at = i;
    return strspn(d->bytes + i, "0123456789.eE");
  }
  return 0;
}

static void change_number(damage *d) {
  size_t at = 0, n = find_number(d, &at);
  const char *with = NUMBER[damage_draw(d, COUNT(NUMBER))];
  if (n) splice(d, at, n, with, strlen(with));
}

static void change_line(damage *d) {
  size_t from = damage_draw(d, d->size), to = damage_draw(d, d->size);
  while (from > 0 && d->bytes[from - 1] != '\n') from--;
  while (to > 0 && d->bytes[to - 1] != '\n') to--;
  size_t n = strcspn(d->bytes + from, "\n");
  if (from + n < d->size) n++;
  if (damage_draw(d, 2)) splice(d, from, n, "", 0);
  else repeat(d, from, n, to, damage_draw(d, 4) ? 1 : 1 + damage_draw(d, 1000));
}

static void nest(damage *d) {
  static const char *const OPEN[] = {"(",    "[",  "{",       "-(",  "{x=",  "[[",
                                     "sum(", "f(", "{\"a\":", "<a>", "not ", "-"};
  static const size_t DEPTH[] = {10, 100, 1000, 10000, 50000};
  const char *open = OPEN[damage_draw(d, COUNT(OPEN))];
  size_t n = strlen(open), at = damage_draw(d, d->size), times = DEPTH[damage_draw(d, COUNT(DEPTH))];
  if (damage_draw(d, 2)) at += strspn(d->bytes + at, "abcdefghijklmnopqrstuvwxyz0123456789. ");
  splice(d, at, 0, open, n);
  if (d->size >= at + n) repeat(d, at, n, at, times);
}

static void put_odd(damage *d) {
  static const char *const ODD[] = {"\xff", "\xc3",   "\xef\xbb\xbf",     "\r\n", "\r", "\"", "'", "\\",
                                    "%s%n", "$",      "\xf0\x9f\x8c\x8a", "--[[", "/*", "\t", ",", ";",
                                    "#",    "\x1b[2J"};
  const char *odd = ODD[damage_draw(d, COUNT(ODD))];
  size_t at = damage_draw(d, d->size + 1);
  if (damage_draw(d, 8) == 0) splice(d, at, 0, "\0", 1);
  else if (damage_draw(d, 8) == 0 && at < d->size) repeat(d, at, 1, at, 1 + damage_draw(d, 20000));
  else splice(d, at, 0, odd, strlen(odd));
}

static void change_words(damage *d) {
  static const char *const WORD[] = {"0", "-1", "nil", "true", "{}", "1/0", "math.huge", "\"\"",
                                     "(", ")",  ",",   "end",  "=",  "..",  "T",         "x"};
  static const mutation_words WORDS = {COUNT(WORD), WORD};
  d->size = mutate_tokens((unsigned char *)d->bytes, d->size, d->most, &WORDS, damage_draw(d, 1u << 30));
  d->bytes[d->size] = '\0';
}

static void change_text(damage *d) {
  switch (damage_draw(d, 10)) {
  case 0: change_bytes(d); break;
  case 1: nest(d); break;
  case 2: put_odd(d); break;
  case 3:
  case 4: change_line(d); break;
  case 5:
  case 6:
  case 7: change_number(d); break;
  default: change_words(d); break;
  }
}

/* ---- JSON -------------------------------------------------------------------------------------------------------------------- */

/* The value that begins at or behind a random byte: number, word or truth. Returns its length, 0 if there is none. */
static size_t find_value(damage *d, size_t *at) {
  for (size_t i = damage_draw(d, d->size); i + 1 < d->size; i++) {
    if (d->bytes[i] != ':' && d->bytes[i] != ',' && d->bytes[i] != '[') continue;
    size_t begin = i + 1 + strspn(d->bytes + i + 1, " \t\n"), n = strcspn(d->bytes + begin, ",]}\n");
    if (begin >= d->size) return 0;
    if (d->bytes[begin] == '"') {
      const char *end = strchr(d->bytes + begin + 1, '"');
      n = end ? (size_t)(end - d->bytes) - begin + 1 : 0;
      if (n && d->bytes[begin + n] == ':') continue; /* a key */
    } else if (!isdigit((unsigned char)d->bytes[begin]) && d->bytes[begin] != '-' &&
               !strchr("tfn", d->bytes[begin]))
      continue;
    *at = begin;
    return n;
  }
  return 0;
}

/* A word of the file in the place of another one. */
static void exchange_word(damage *d, size_t at, size_t n) {
  char copy[200];
  size_t other = 0, m = 0;
  for (int i = 0; i < 50 && (m == 0 || d->bytes[other] != '"'); i++) m = find_value(d, &other);
  if (m > sizeof copy) m = sizeof copy;
  memcpy(copy, d->bytes + other, m);
  splice(d, at, n, copy, m);
}

static void change_value(damage *d) {
  static const char *const OTHER[] = {"null", "true", "false",   "\"\"", "\"x\"",
                                      "[]",   "{}",   "[1,2,3]", "\"T\""};
  char text[64];
  size_t at = 0, n = find_value(d, &at);
  if (!n) return;
  const char *with = OTHER[damage_draw(d, COUNT(OTHER))], *old = d->bytes + at;
  bool number = isdigit((unsigned char)*old) || *old == '-';
  if (*old == '"' && damage_draw(d, 4)) {
    exchange_word(d, at, n);
    return;
  }
  if (number && damage_draw(d, 8)) {
    snprintf(text, sizeof text, "%ld", strtol(old, NULL, 10) + (damage_draw(d, 2) ? 1 : -1));
    with = damage_draw(d, 3) ? NUMBER[damage_draw(d, COUNT(NUMBER))] : text;
  } else if (*old == 't') with = "false";
  else if (*old == 'f') with = "true";
  splice(d, at, n, with, strlen(with));
}

/* An entry of a list, which begins behind "}, {", twice or not at all. */
static void change_list(damage *d) {
  const char *begin = strstr(d->bytes + damage_draw(d, d->size), "}, {");
  size_t depth = 0;
  if (!begin) return;
  const char *end = begin += 3;
  do depth += *end == '{', depth -= *end == '}';
  while (*end && *end++ && depth > 0);
  size_t n = (size_t)(end - begin), at = (size_t)(begin - d->bytes);
  if (*end == ',' && damage_draw(d, 2)) splice(d, at, n + 1, "", 0);
  else {
    splice(d, at, 0, ",", 1);
    repeat(d, at + 1, n, at, 1);
  }
}

static void change_json(damage *d) {
  static const char SIGN[] = "0129-e\"[]{},:x\\\n\t\x80";
  size_t kind = damage_draw(d, 12);
  if (kind == 0) d->bytes[damage_draw(d, d->size)] = SIGN[damage_draw(d, sizeof SIGN - 1)];
  else if (kind == 1) change_list(d);
  else if (kind < 4) change_text(d);
  else change_value(d);
}

void damage_once(damage *d, damage_kind kind) {
  if (d->size == 0) return;
  if (kind == DAMAGE_BYTES) change_bytes(d);
  else if (kind == DAMAGE_TEXT) change_text(d);
  else change_json(d);
}
