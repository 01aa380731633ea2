#include "fences.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *page_read(const char *path) {
  FILE *f = fopen(path, "rb");
  char *text = NULL;
  size_t room = 0, n = 0;
  while (f && !feof(f) && !ferror(f)) {
    char *bigger = n + 4096 > room ? realloc(text, room = 2 * room + 8192) : text;
    if (!bigger) break;
    text = bigger;
    n += fread(text + n, 1, room - n - 1, f);
    text[n] = '\0';
  }
  bool good = f && feof(f) && !ferror(f);
  if (!good) fprintf(stderr, "cannot read %s: %s\n", path, strerror(errno));
  if (f) fclose(f);
  if (good) return text;
  free(text);
  return NULL;
}

static bool is_fence(const char *line) { return strncmp(line, "```", 3) == 0; }

/* Cuts the line off: `*next` is the start of the one behind it. */
static char *take_line(char *at, char **next) {
  char *end = strchr(at, '\n');
  *next = end ? end + 1 : at + strlen(at);
  if (end) *end = '\0';
  return at;
}

static bool add(fences *out, fence one) {
  fence *bigger = realloc(out->at, sizeof *out->at * (size_t)(out->n + 1));
  if (!bigger) return false;
  out->at = bigger;
  out->at[out->n++] = one;
  return true;
}

bool fences_read(const char *page, fences *out) {
  *out = (fences){.page = page, .memory = page_read(page)};
  if (!out->memory) return false;
  int line = 0;
  for (char *at = out->memory, *next; *at; at = next) {
    char *end = strchr(at, '\n');
    next = end ? end + 1 : at + strlen(at);
    line++;
    if (!is_fence(at)) continue;
    fence one = {.info = take_line(at, &next) + 3, .text = next, .line = line};
    while (*next && !is_fence(next)) {
      end = strchr(next, '\n');
      next = end ? end + 1 : next + strlen(next);
      line++;
    }
    if (!*next || !add(out, one)) {
      fprintf(stderr, "%s:%d: this fence is not closed\n", page, one.line);
      fences_destroy(out);
      return false;
    }
    char *closing = next;
    take_line(closing, &next);
    *closing = '\0'; /* ends the block's text */
    line++;
  }
  return true;
}

void fences_destroy(fences *f) {
  free(f->at);
  free(f->memory);
  *f = (fences){0};
}

/* ---- attributes -------------------------------------------------------------------------------------------- */

/* Word number k of the info, from 0; its length, 0 if there are not so many. */
static size_t word_of(const char *info, int k, const char **start) {
  for (;; k--) {
    info += strspn(info, " \t\r");
    size_t n = strcspn(info, " \t\r");
    *start = info;
    if (k == 0 || n == 0) return n;
    info += n;
  }
}

bool fence_is(const fence *f, const char *language) {
  const char *word;
  size_t n = word_of(f->info, 0, &word);
  return n == strlen(language) && memcmp(word, language, n) == 0;
}

bool fence_has(const fence *f, const char *wanted) {
  const char *word;
  size_t n;
  for (int k = 1; (n = word_of(f->info, k, &word)) > 0; k++)
    if (n == strlen(wanted) && memcmp(word, wanted, n) == 0) return true;
  return false;
}

const char *fence_value(const fence *f, const char *name, char *to, size_t room) {
  const char *word;
  size_t n, m = strlen(name);
  for (int k = 1; (n = word_of(f->info, k, &word)) > 0; k++) {
    if (n <= m || memcmp(word, name, m) != 0 || word[m] != '=') continue;
    snprintf(to, room, "%.*s", (int)(n - m - 1), word + m + 1);
    return to;
  }
  return NULL;
}
