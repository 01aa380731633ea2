/* Diagnostics as text: message, excerpt with carets, notes, hint. */
#include <string.h>

#include "base/diag_internal.h"
#include "base/utf8.h"

enum { TAB = 4, WINDOW = 110, LEAD = 40 };

typedef struct printer {
  const diag_sink *sink;
  FILE *out;
  bool colour;
  int gutter; /* digits of the largest line number in this diagnostic */
} printer;

static const char *paint(const printer *p, const char *code) { return p->colour ? code : ""; }
static const char *plain(const printer *p) { return paint(p, "\033[0m"); }
static const char *gutter_colour(const printer *p) { return paint(p, "\033[1;34m"); }

static const char *severity_colour(const printer *p, diag_severity severity) {
  if (severity == DIAG_ERROR) return paint(p, "\033[1;31m");
  return severity == DIAG_WARNING ? paint(p, "\033[1;33m") : paint(p, "\033[1;36m");
}

static void repeat(FILE *out, char c, int n) {
  for (int i = 0; i < n; i++) fputc(c, out);
}

/* ---- excerpts ------------------------------------------------------------------------------------------ */

/* One source line as it will be shown: bytes [from, to) of it, `cut_*` where it was too long. */
typedef struct excerpt {
  const char *line;
  int length, number;
  int from, to;
  uint32_t offset; /* of the line in the file */
} excerpt;

static int step_back(const char *line, int at, int floor) {
  while (at > floor && ((unsigned char)line[at] & 0xC0) == 0x80) at--;
  return at;
}

/* The line a span starts on; of a very long line a window around the span. */
static excerpt excerpt_of(const source_set *sources, span at) {
  excerpt e = {0};
  int column;
  source_position(sources, at.file, at.start, &e.number, &column);
  e.line = source_line(sources, at.file, e.number, &e.length);
  e.offset = (uint32_t)(e.line - source_get(sources, at.file)->text);
  e.to = e.length;
  int start = (int)(at.start - e.offset);
  if (e.length <= WINDOW + LEAD) return e;
  if (start > LEAD) e.from = step_back(e.line, start - LEAD < e.length ? start - LEAD : e.length, 0);
  if (e.to - e.from > WINDOW) e.to = step_back(e.line, e.from + WINDOW, e.from);
  return e;
}

static int shown_width(uint32_t c, int column) { return c == '\t' ? TAB - column % TAB : utf8_width(c); }

/* Terminal columns of bytes [e->from, to) of the line. */
static int columns_before(const excerpt *e, int to) {
  int column = e->from > 0 ? 3 : 0;
  if (to > e->to) to = e->to;
  for (int i = e->from; i < to;) {
    uint32_t c;
    i += (int)utf8_next(e->line + i, (size_t)(e->to - i), &c);
    column += shown_width(c, column);
  }
  return column;
}

/* Control characters could move the cursor and invalid bytes could spoil a log: both are shown as `?`. */
static void print_line_text(const printer *p, const excerpt *e) {
  int column = e->from > 0 ? 3 : 0;
  if (e->from > 0) fputs("...", p->out);
  for (int i = e->from; i < e->to;) {
    uint32_t c;
    int n = (int)utf8_next(e->line + i, (size_t)(e->to - i), &c);
    int width = shown_width(c, column);
    if (c == '\t') repeat(p->out, ' ', width);
    else if (c < 0x20 || c == 0x7F || c == 0xFFFD || (c >= 0x80 && c < 0xA0)) fputc('?', p->out);
    else fwrite(e->line + i, 1, (size_t)n, p->out);
    column += width;
    i += n;
  }
  if (e->to < e->length) fputs("...", p->out);
  fputc('\n', p->out);
}

static void print_gutter(const printer *p, const char *number) {
  fprintf(p->out, "%s%*s |%s", gutter_colour(p), p->gutter, number, plain(p));
}

/* A row of marks under the part of the span that lies on this line, and its text. A span of nothing (end of
 * file) still gets one mark. */
static void print_marks(const printer *p, const excerpt *e, span at, char mark, const char *colour,
                        const char *text) {
  int first = columns_before(e, (int)(at.start - e->offset));
  int end = at.end > e->offset + (uint32_t)e->length ? e->length : (int)(at.end - e->offset);
  int last = columns_before(e, end);
  print_gutter(p, "");
  repeat(p->out, ' ', first + 1);
  fputs(colour, p->out);
  repeat(p->out, mark, last > first ? last - first : 1);
  if (text && *text) fprintf(p->out, " %s", text);
  fprintf(p->out, "%s\n", plain(p));
}

static void print_place(const printer *p, span at) {
  int line, column;
  source_position(p->sink->sources, at.file, at.start, &line, &column);
  const char *path = source_get(p->sink->sources, at.file)->path;
  fprintf(p->out, "%*s%s-->%s %s:%d:%d\n", p->gutter, "", gutter_colour(p), plain(p), path, line, column);
}

static void print_excerpt_head(const printer *p, const excerpt *e) {
  char number[16];
  snprintf(number, sizeof number, "%d", e->number);
  print_gutter(p, "");
  fputc('\n', p->out);
  print_gutter(p, number);
  fputc(' ', p->out);
  print_line_text(p, e);
}

/* ---- one diagnostic ------------------------------------------------------------------------------------ */

static int digits(int n) { return n < 10 ? 1 : 1 + digits(n / 10); }

static int line_of(const diag_sink *s, span at) {
  int line, column;
  source_position(s->sources, at.file, at.start, &line, &column);
  return line;
}

static int widest_line_number(const diag_sink *s, const diag *d) {
  int widest = digits(line_of(s, d->at));
  for (const diag_label *l = d->labels; l; l = l->next) {
    int n = digits(line_of(s, l->at));
    if (n > widest) widest = n;
  }
  return widest;
}

/* Can be marked below the primary span's excerpt? */
static bool shares_line(const printer *p, const diag *d, const excerpt *e, const diag_label *l) {
  if (l->at.file != d->at.file || line_of(p->sink, l->at) != e->number) return false;
  return l->at.start >= e->offset + (uint32_t)e->from && l->at.start <= e->offset + (uint32_t)e->to;
}

static void print_note(const printer *p, const diag_label *l) {
  const char *colour = severity_colour(p, DIAG_NOTE);
  fprintf(p->out, "%snote:%s %s\n", colour, plain(p), l->text);
  print_place(p, l->at);
  excerpt e = excerpt_of(p->sink->sources, l->at);
  print_excerpt_head(p, &e);
  print_marks(p, &e, l->at, '-', colour, NULL);
}

static void print_hint(const printer *p, const diag *d) {
  if (d->hint == NULL && (d->edit == NULL || d->label != NULL)) return;
  fprintf(p->out, "%*s %s=%s hint: ", p->gutter, "", gutter_colour(p), plain(p));
  if (d->hint) fprintf(p->out, "%s\n", d->hint);
  else fprintf(p->out, "write `%s`\n", d->edit);
}

/* About a file or the command line as a whole: there is nothing to underline. */
static bool is_about_no_text(const diag_sink *s, span at) {
  return at.end == 0 || source_count(s->sources) == 0;
}

static void print_without_excerpt(const printer *p, const diag *d) {
  if (source_count(p->sink->sources) > 0 && d->at.file > 0) print_place(p, d->at);
  if (d->label) fprintf(p->out, "  %s= %s%s\n", gutter_colour(p), plain(p), d->label);
  print_hint(p, d);
}

static void print_diag(printer *p, const diag *d) {
  diag_severity severity = diag_code_severity(d->code);
  const char *colour = severity_colour(p, severity);
  bool no_text = is_about_no_text(p->sink, d->at);
  p->gutter = no_text ? 1 : widest_line_number(p->sink, d);
  fprintf(p->out, "%s%s[%s]:%s %s%s%s\n", colour, diag_severity_word(severity), diag_code_text(d->code),
          plain(p), paint(p, "\033[1m"), d->message, plain(p));
  if (no_text) {
    print_without_excerpt(p, d);
    return;
  }
  print_place(p, d->at);
  excerpt e = excerpt_of(p->sink->sources, d->at);
  print_excerpt_head(p, &e);
  print_marks(p, &e, d->at, '^', colour, d->label);
  for (const diag_label *l = d->labels; l; l = l->next)
    if (shares_line(p, d, &e, l)) print_marks(p, &e, l->at, '-', severity_colour(p, DIAG_NOTE), l->text);
  print_hint(p, d);
  for (const diag_label *l = d->labels; l; l = l->next)
    if (!shares_line(p, d, &e, l)) print_note(p, l);
}

void diag_print_text(const diag_sink *s, FILE *out, bool colour) {
  printer p = {s, out, colour, 1};
  for (const diag *d = s->first; d; d = d->next) {
    if (d != s->first) fputc('\n', out);
    print_diag(&p, d);
  }
  if (s->dropped_errors) fprintf(out, "\n... and %d more errors\n", s->dropped_errors);
}
