#include "base/diag.h"

#include <string.h>

#include "base/diag_internal.h"

diag_sink *diag_create(arena *a, const source_set *sources) {
  diag_sink *s = arena_new(a, diag_sink);
  s->memory = a;
  s->sources = sources;
  return s;
}

/* Counts the diagnostic; false if it is one too many to be kept. Notes and warnings share the errors'
 * limit. */
static bool admit(diag_sink *s, diag_severity severity) {
  bool room = s->kept < 2 * DIAG_KEPT_ERRORS;
  if (severity == DIAG_ERROR && s->errors >= DIAG_KEPT_ERRORS) room = false;
  if (severity == DIAG_ERROR) s->errors++;
  if (severity == DIAG_WARNING) s->warnings++;
  if (severity == DIAG_ERROR && !room) s->dropped_errors++;
  return room;
}

static bool comes_before(span a, span b) { return a.file != b.file ? a.file < b.file : a.start < b.start; }

/* By position; those at one place as they came. Kept in order, so that printing needs no memory, which may have run out. */
static void insert(diag_sink *s, diag *d) {
  diag **to = &s->first;
  while (*to && !comes_before(d->at, (*to)->at)) to = &(*to)->next;
  d->next = *to;
  *to = d;
  s->kept++;
}

diag *diag_report(diag_sink *s, diag_code code, span at, const char *fmt, ...) {
  if (!admit(s, diag_code_severity(code))) return &s->dummy;
  diag *d = arena_new(s->memory, diag);
  d->code = code;
  d->at = at;
  va_list ap;
  va_start(ap, fmt);
  d->message = arena_vprintf(s->memory, fmt, ap);
  va_end(ap);
  insert(s, d);
  return d;
}

diag *diag_with_label(diag_sink *s, diag *d, const char *fmt, ...) {
  if (d == &s->dummy) return d;
  va_list ap;
  va_start(ap, fmt);
  d->label = arena_vprintf(s->memory, fmt, ap);
  va_end(ap);
  return d;
}

diag *diag_with_hint(diag_sink *s, diag *d, const char *fmt, ...) {
  if (d == &s->dummy) return d;
  va_list ap;
  va_start(ap, fmt);
  d->hint = arena_vprintf(s->memory, fmt, ap);
  va_end(ap);
  return d;
}

diag *diag_with_span(diag_sink *s, diag *d, span at, const char *fmt, ...) {
  if (d == &s->dummy) return d;
  diag_label *label = arena_new(s->memory, diag_label);
  label->at = at;
  va_list ap;
  va_start(ap, fmt);
  label->text = arena_vprintf(s->memory, fmt, ap);
  va_end(ap);
  diag_label **end = &d->labels;
  while (*end) end = &(*end)->next;
  *end = label;
  return d;
}

diag *diag_with_edit(diag_sink *s, diag *d, const char *replacement) {
  if (d == &s->dummy) return d;
  d->edit = arena_strndup(s->memory, replacement, strlen(replacement));
  return d;
}

diag *diag_did_you_mean(diag_sink *s, diag *d, const char *near) {
  return near ? diag_with_edit(s, diag_with_label(s, d, "did you mean `%s`?", near), near) : d;
}

int diag_errors(const diag_sink *s) { return s->errors; }
int diag_warnings(const diag_sink *s) { return s->warnings; }
const diag *diag_first(const diag_sink *s) { return s->first; }

const diag *diag_error_in(const diag_sink *s, const char *path, int *line) {
  for (const diag *d = diag_first(s); d; d = d->next) {
    if (diag_code_severity(d->code) != DIAG_ERROR || d->at.file >= (uint32_t)source_count(s->sources))
      continue;
    if (strcmp(source_get(s->sources, d->at.file)->path, path) != 0) continue;
    *line = source_line_number(s->sources, d->at.file, d->at.start);
    return d;
  }
  return NULL;
}
