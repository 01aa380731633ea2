#include "lua/problems.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool grow(problem_list *p) {
  size_t room = p->room ? 2 * p->room : 8;
  char **text = realloc(p->text, room * sizeof *text);
  if (text) p->text = text;
  int *line = text ? realloc(p->line, room * sizeof *line) : NULL;
  if (!line) return false;
  p->line = line, p->room = room;
  return true;
}

void problems_add(problem_list *p, const char *file, int line, const char *fmt, ...) {
  char where[512] = "", what[2048];
  if (file && line > 0) snprintf(where, sizeof where, "%s:%d: ", file, line);
  else if (file) snprintf(where, sizeof where, "%s: ", file);
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(what, sizeof what, fmt, ap);
  va_end(ap);
  if (p->n == p->room && !grow(p)) {
    p->lost++;
    return;
  }
  size_t size = strlen(where) + strlen(what) + 1;
  char *text = malloc(size);
  if (!text) {
    p->lost++;
    return;
  }
  snprintf(text, size, "%s%s", where, what);
  p->line[p->n] = line;
  p->text[p->n++] = text;
}

static bool is_later(const problem_list *p, size_t i, int line, const char *text) {
  return p->line[i] > line || (p->line[i] == line && strcmp(p->text[i], text) > 0);
}

void problems_sort(problem_list *p) {
  for (size_t i = 1; i < p->n; i++) {
    char *text = p->text[i];
    int line = p->line[i];
    size_t at = i;
    for (; at > 0 && is_later(p, at - 1, line, text); at--)
      p->text[at] = p->text[at - 1], p->line[at] = p->line[at - 1];
    p->text[at] = text, p->line[at] = line;
  }
  size_t kept = 0; /* what two readers of a table said is said once */
  for (size_t i = 0; i < p->n; i++) {
    if (kept > 0 && strcmp(p->text[kept - 1], p->text[i]) == 0) free(p->text[i]);
    else p->text[kept] = p->text[i], p->line[kept++] = p->line[i];
  }
  p->n = kept;
}

bool problems_on_line(const problem_list *p, int line) {
  for (size_t i = 0; i < p->n; i++)
    if (p->line[i] == line) return true;
  return false;
}

void problems_clear(problem_list *p) {
  for (size_t i = 0; i < p->n; i++) free(p->text[i]);
  free(p->text);
  free(p->line);
  *p = (problem_list){0};
}

ew_status problems_status(const problem_list *p, ew_error *err) {
  if (p->n + p->lost == 0) return EW_OK;
  ew_fail(err, EW_INPUT, "%s", "");
  if (!err) return EW_INPUT;
  size_t used = 0, shown = 0;
  const size_t room = sizeof err->text - 64; /* for the last line */
  for (; shown < p->n; shown++) {
    size_t n = strlen(p->text[shown]) + 1;
    if (used + n > room) break;
    used += (size_t)snprintf(err->text + used, room - used, "%s%s", shown ? "\n" : "", p->text[shown]);
  }
  size_t left = p->n + p->lost - shown;
  if (left) snprintf(err->text + used, sizeof err->text - used, "\n... and %zu more", left);
  return EW_INPUT;
}
