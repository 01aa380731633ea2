#include "run/warnings.h"
#include "base/memory_text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void keep(exec_warnings *w, const char *text, size_t length) {
  if (length == 0) return;
  if (w->more > 0 || length + 1 > sizeof w->text - w->used) {
    w->more++;
    return;
  }
  memcpy(w->text + w->used, text, length);
  w->text[w->used + length] = '\0';
  w->used += length + 1;
  w->n++;
}

void exec_warn(exec_warnings *w, FILE *shown, const char *format, ...) {
  char text[8192];
  va_list list;
  va_start(list, format);
  int n = vsnprintf(text, sizeof text, format, list);
  va_end(list);
  if (n < 0) return;
  keep(w, text, strlen(text));
  if (shown) fprintf(shown, "warning: %s\n", text);
}

const char *exec_warnings_next(const exec_warnings *w, const char *last) {
  const char *next = last ? last + strlen(last) + 1 : w->text;
  return next < w->text + w->used ? next : NULL;
}

/* Whether a line is a warning: where its text begins, and in `place` how long a place stands before it. */
static const char *warning_of(const char *line, size_t length, size_t *place) {
  static const char WORD[] = "warning: ";
  *place = 0;
  const char *code = length > 8 && strncmp(line, "warning[", 8) == 0 ? memchr(line, ']', length) : NULL;
  if (code && line + length - code > 3)
    return code + 3; /* the code's number says nothing to a reader of the page */
  for (size_t i = 0; i + sizeof WORD - 1 <= length; i++) {
    bool begins = i == 0 || (i >= 2 && strncmp(line + i - 2, ": ", 2) == 0);
    if (!begins || strncmp(line + i, WORD, sizeof WORD - 1) != 0) continue;
    *place = i;
    return line + i + sizeof WORD - 1;
  }
  return NULL;
}

/* A place stands before the text, or below it behind an arrow. */
static void keep_placed(exec_warnings *w, const char *line, size_t length, const char *below) {
  static const char ARROW[] = " --> ";
  char text[2048];
  size_t place;
  const char *words = warning_of(line, length, &place);
  if (!words) return;
  int n = snprintf(text, sizeof text, "%.*s%.*s", (int)place, line, (int)(line + length - words), words);
  if (n < 0 || (size_t)n >= sizeof text) n = (int)strlen(text);
  if (strncmp(below, ARROW, sizeof ARROW - 1) == 0)
    snprintf(text + n, sizeof text - (size_t)n, " (%.*s)", (int)strcspn(below + sizeof ARROW - 1, "\n"),
             below + sizeof ARROW - 1);
  keep(w, text, strlen(text));
}

void exec_warnings_read(exec_warnings *w, const char *said) {
  while (*said) {
    size_t length = strcspn(said, "\n");
    const char *next = said + length + (said[length] ? 1 : 0);
    keep_placed(w, said, length, next);
    said = next;
  }
}

FILE *exec_hear(exec_heard *h, FILE *otherwise) {
  FILE *to = memory_text_open(&h->said);
  return to ? to : otherwise;
}

void exec_heard_end(exec_heard *h, exec_warnings *w, FILE *shown) {
  if (!h->said.to) return;
  char *text = memory_text_close(&h->said);
  if (text) exec_warnings_read(w, text);
  else exec_warn(w, shown, "out of memory for what was to be said here");
  if (text && shown) fputs(text, shown);
  free(text);
}
