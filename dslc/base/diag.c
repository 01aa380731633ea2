#include "base/diag.h"

#include <stdlib.h>
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

diag *diag_report(diag_sink *s, diag_code code, span at, const char *fmt, ...) {
  if (!admit(s, diag_code_severity(code))) return &s->dummy;
  diag *d = arena_new(s->memory, diag);
  d->code = code;
  d->at = at;
  va_list ap;
  va_start(ap, fmt);
  d->message = arena_vprintf(s->memory, fmt, ap);
  va_end(ap);
  if (s->last) s->last->next = d;
  else s->first = d;
  s->last = d;
  s->kept++;
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

int diag_errors(const diag_sink *s) { return s->errors; }
int diag_warnings(const diag_sink *s) { return s->warnings; }
const diag *diag_first(const diag_sink *s) { return s->first; }

/* ---- order --------------------------------------------------------------------------------------------- */

typedef struct ranked {
  const diag *d;
  int arrival;
} ranked;

static int by_position(const void *pa, const void *pb) {
  const ranked *a = pa, *b = pb;
  if (a->d->at.file != b->d->at.file) return a->d->at.file < b->d->at.file ? -1 : 1;
  if (a->d->at.start != b->d->at.start) return a->d->at.start < b->d->at.start ? -1 : 1;
  return a->arrival - b->arrival;
}

const diag **diag_sorted(const diag_sink *s) {
  ranked *all = arena_array(s->memory, ranked, s->kept);
  const diag **sorted = arena_array(s->memory, const diag *, s->kept);
  int n = 0;
  for (const diag *d = s->first; d; d = d->next, n++) all[n] = (ranked){d, n};
  if (n > 1) qsort(all, (size_t)n, sizeof *all, by_position);
  for (int i = 0; i < n; i++) sorted[i] = all[i].d;
  return sorted;
}
