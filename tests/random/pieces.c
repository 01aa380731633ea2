#include "pieces.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

size_t end_of_line(const char *text, size_t from) {
  int depth = 0;
  for (size_t i = from; text[i]; i++) {
    depth += (text[i] == '{') - (text[i] == '}');
    if (text[i] == '\n' && depth <= 0) return i + 1;
  }
  return strlen(text);
}

bool is_of_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '.'; }

int tokens_of(const char *text, size_t from, size_t to, token *out) {
  int n = 0;
  for (size_t i = from; i < to && n < MOST_TOKENS;) {
    if (isspace((unsigned char)text[i])) {
      i++;
      continue;
    }
    size_t start = i++;
    if (is_of_word(text[start]))
      while (i < to && is_of_word(text[i])) i++;
    out[n++] = (token){start, i};
  }
  return n;
}

bool is_balanced(const char *text, const token *t, int a, int b) {
  int depth = 0;
  for (int i = a; i < b; i++) {
    char c = text[t[i].from];
    depth += (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
    if (depth < 0) return false;
  }
  return depth == 0;
}

char *replaced(const char *text, token at, const char *instead) {
  const size_t n = strlen(text), k = strlen(instead);
  char *made = malloc(n + k + 1);
  if (!made) return NULL;
  memcpy(made, text, at.from);
  memcpy(made + at.from, instead, k);
  memcpy(made + at.from + k, text + at.to, n - at.to + 1);
  return made;
}
