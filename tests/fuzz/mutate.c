/* Mutations of text that keep to tokens and lines: most of what they make is still read as what it was. */
#include "mutate.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TOKENS = 8000 };

/* The next choice of `n`. */
static int choose(uint64_t *h, int n) {
  *h ^= *h >> 33;
  *h *= 0xff51afd7ed558ccdULL;
  *h ^= *h >> 29;
  return (int)(*h % (uint64_t)n);
}

typedef struct token {
  size_t at, end;
  char class; /* n: name, 1: number, else the character */
} token;

static int tokens_of(const unsigned char *text, size_t size, token *out) {
  int n = 0;
  for (size_t i = 0; i < size && n < MOST_TOKENS;) {
    if (isspace(text[i])) {
      i++;
      continue;
    }
    token t = {.at = i, .class = (char)text[i]};
    bool word = isalnum(text[i]) || text[i] == '_';
    if (word) t.class = isdigit(text[i]) ? '1' : 'n';
    do i++;
    while (word && i < size && (isalnum(text[i]) || text[i] == '_'));
    t.end = i;
    out[n++] = t;
  }
  return n;
}

/* Replaces [at, end) by `with`; the new size, or the old one where there is no room. */
static size_t splice(unsigned char *text, size_t size, size_t most, token t, const char *with,
                     size_t length) {
  size_t left = size - (t.end - t.at);
  if (left + length > most) return size;
  memmove(text + t.at + length, text + t.end, size - t.end);
  memcpy(text + t.at, with, length);
  return left + length;
}

static size_t replace_by_another(unsigned char *text, size_t size, size_t most, const token *all, int n,
                                 uint64_t *h) {
  token t = all[choose(h, n)], with = t;
  char copy[200];
  for (int i = 0; i < 20 && with.at == t.at; i++) {
    token other = all[choose(h, n)];
    if (other.class == t.class || i == 19) with = other;
  }
  size_t length = with.end - with.at < sizeof copy ? with.end - with.at : sizeof copy;
  memcpy(copy, text + with.at, length);
  return splice(text, size, most, t, copy, length);
}

static size_t put_word(unsigned char *text, size_t size, size_t most, token t, const mutation_words *words,
                       uint64_t *h) {
  const char *word = words->word[choose(h, words->n)];
  if (choose(h, 2)) t.end = t.at; /* beside it */
  return splice(text, size, most, t, word, strlen(word));
}

static token line_of(const unsigned char *text, size_t size, uint64_t *h) {
  size_t at = (size_t)choose(h, (int)size), end = at;
  while (at > 0 && text[at - 1] != '\n') at--;
  while (end < size && text[end] != '\n') end++;
  return (token){.at = at, .end = end < size ? end + 1 : end};
}

/* A line goes, or stands a second time elsewhere. */
static size_t change_lines(unsigned char *text, size_t size, size_t most, uint64_t *h) {
  char copy[400];
  token line = line_of(text, size, h), to = line_of(text, size, h);
  size_t length = line.end - line.at < sizeof copy ? line.end - line.at : sizeof copy;
  memcpy(copy, text + line.at, length);
  if (choose(h, 2)) return splice(text, size, most, line, "", 0);
  to.end = to.at;
  return splice(text, size, most, to, copy, length);
}

size_t mutate_tokens(unsigned char *text, size_t size, size_t most, const mutation_words *words,
                     uint64_t seed) {
  token *all = malloc(sizeof *all * MOST_TOKENS);
  uint64_t h = seed * 0x9e3779b97f4a7c15ULL + 1;
  for (int times = 1 + choose(&h, 4); all && times > 0 && size > 0; times--) {
    int n = tokens_of(text, size, all);
    if (n == 0) break;
    switch (choose(&h, 4)) {
    case 0: size = change_lines(text, size, most, &h); break;
    case 1: size = put_word(text, size, most, all[choose(&h, n)], words, &h); break;
    default: size = replace_by_another(text, size, most, all, n, &h); break;
    }
  }
  free(all);
  return size;
}

__attribute__((weak)) void fuzz_need(bool condition) {
  if (!condition) abort();
}
