#include "lua/scan.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef enum token_kind { END, NAME, STRING, OTHER } token_kind;

/* `at` and `n`: the token's text, without quotes for strings. */
typedef struct scanner {
  const char *next;
  int line; /* of `next` */
  token_kind kind;
  const char *at;
  size_t n;
  int token_line;
} scanner;

static void step(scanner *s) {
  if (*s->next == '\n') s->line++;
  s->next++;
}

/* Level of a long bracket `[==[` at p, or -1. */
static int long_bracket(const char *p) {
  int level = 0;
  if (*p++ != '[') return -1;
  while (*p == '=') p++, level++;
  return *p == '[' ? level : -1;
}

static void skip_long(scanner *s, int level) {
  for (; *s->next; step(s)) {
    if (*s->next != ']') continue;
    const char *p = s->next + 1;
    int n = 0;
    while (*p == '=') p++, n++;
    if (n == level && *p == ']') {
      s->next = p + 1;
      return;
    }
  }
}

static void skip_blank(scanner *s) {
  for (;;) {
    while (isspace((unsigned char)*s->next)) step(s);
    if (s->next[0] != '-' || s->next[1] != '-') return;
    s->next += 2;
    int level = long_bracket(s->next);
    if (level >= 0) skip_long(s, level);
    else
      while (*s->next && *s->next != '\n') s->next++;
  }
}

static void scan_string(scanner *s) {
  char quote = *s->next++;
  s->at = s->next;
  while (*s->next && *s->next != quote && *s->next != '\n') {
    if (*s->next == '\\' && s->next[1]) step(s);
    step(s);
  }
  s->n = (size_t)(s->next - s->at);
  if (*s->next == quote) s->next++;
}

static void advance(scanner *s) {
  skip_blank(s);
  s->at = s->next;
  s->token_line = s->line;
  if (!*s->next) {
    s->kind = END, s->n = 0;
  } else if (isalpha((unsigned char)*s->next) || *s->next == '_') {
    s->kind = NAME;
    while (isalnum((unsigned char)*s->next) || *s->next == '_') s->next++;
    s->n = (size_t)(s->next - s->at);
  } else if (*s->next == '"' || *s->next == '\'') {
    s->kind = STRING;
    scan_string(s);
  } else if (long_bracket(s->next) >= 0) {
    s->kind = STRING;
    skip_long(s, long_bracket(s->next));
    s->n = (size_t)(s->next - s->at);
  } else {
    s->kind = OTHER;
    s->n = 1;
    step(s);
  }
}

static bool is(const scanner *s, token_kind kind, const char *text) {
  return s->kind == kind && s->n == strlen(text) && strncmp(s->at, text, s->n) == 0;
}

/* +1 for a token that opens something that may hold commas, -1 for one that closes it. */
static int nesting(const scanner *s) {
  static const char *const OPEN[] = {"function", "if", "do", "repeat"}, *const CLOSE[] = {"end", "until"};
  if (s->kind == OTHER) return strchr("{([", *s->at) ? 1 : strchr("})]", *s->at) ? -1 : 0;
  for (size_t i = 0; i < sizeof OPEN / sizeof *OPEN; i++)
    if (is(s, NAME, OPEN[i])) return 1;
  for (size_t i = 0; i < sizeof CLOSE / sizeof *CLOSE; i++)
    if (is(s, NAME, CLOSE[i])) return -1;
  return 0;
}

/* From the first token of a value to the `,`, `;` or `}` behind it. */
static void skip_value(scanner *s) {
  int depth = 0;
  while (s->kind != END) {
    if (depth == 0 && s->kind == OTHER && strchr(",;}", *s->at)) return;
    depth += nesting(s);
    advance(s);
  }
}

/* A key before `=`; leaves the scanner at the value's first token. Without a key nothing is consumed. */
static bool field_key(scanner *s, const char **key, size_t *n) {
  scanner begin = *s;
  bool bracket = is(s, OTHER, "[");
  if (bracket) advance(s);
  *key = s->at, *n = s->n;
  bool word = s->kind == (bracket ? STRING : NAME);
  advance(s);
  if (word && bracket && is(s, OTHER, "]")) advance(s);
  if (word && is(s, OTHER, "=") && *s->next != '=') {
    advance(s);
    return true;
  }
  *s = begin;
  return false;
}

/* The scanner stands behind the table's `{`. */
static int find_in_table(scanner *s, const scan_step *path, int depth) {
  int position = 0;
  advance(s);
  while (s->kind != END && !is(s, OTHER, "}")) {
    int line = s->token_line;
    const char *key;
    size_t n;
    bool keyed = field_key(s, &key, &n);
    if (!keyed) position++;
    bool found = keyed ? path->name && strlen(path->name) == n && strncmp(path->name, key, n) == 0
                       : !path->name && path->index == position;
    if (found) {
      int inner = depth > 1 && is(s, OTHER, "{") ? find_in_table(s, path + 1, depth - 1) : 0;
      return inner ? inner : line;
    }
    skip_value(s);
    if (s->kind == OTHER && strchr(",;", *s->at)) advance(s);
  }
  return 0;
}

int scan_find(const char *text, const char *function, int from_line, const scan_step *path, int depth) {
  scanner s = {.next = text, .line = 1};
  if (depth < 1) return 0;
  for (advance(&s); s.kind != END; advance(&s)) {
    if (s.token_line < from_line || !is(&s, NAME, function)) continue;
    scanner after = s;
    advance(&after);
    if (is(&after, OTHER, "(")) advance(&after);
    if (is(&after, OTHER, "{")) return find_in_table(&after, path, depth);
  }
  return 0;
}
