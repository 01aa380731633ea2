#include "base/writer.h"

#include <string.h>

struct writer {
  arena *memory;
  char *text;
  size_t size, room;
  int depth;
  size_t line_start; /* offset of the line being written */
  int lines;         /* ended */
  const char *comment_open, *comment_close;
  int comment_column;
};

enum { INDENT_WIDTH = 2 };

writer *writer_create(arena *a) {
  writer *w = arena_new(a, writer);
  w->memory = a;
  w->room = 256; /* many hold a few lines */
  w->text = arena_alloc(a, w->room);
  writer_set_comment(w, "/*", "*/", 60);
  return w;
}

void writer_set_comment(writer *w, const char *open, const char *close, int column) {
  w->comment_open = open;
  w->comment_close = close;
  w->comment_column = column;
}

void writer_indent(writer *w) { w->depth++; }

void writer_dedent(writer *w) {
  if (w->depth > 0) w->depth--;
}

/* Room for n more bytes and the terminating NUL. */
static void reserve(writer *w, size_t n) {
  if (w->size + n + 1 <= w->room) return;
  size_t room = 2 * w->room;
  while (room < w->size + n + 1) room *= 2;
  w->text = arena_grow(w->memory, w->text, w->room, room);
  w->room = room;
}

static void put(writer *w, const char *s, size_t n) {
  reserve(w, n);
  memcpy(w->text + w->size, s, n);
  w->size += n;
  w->text[w->size] = '\0';
}

static void put_blanks(writer *w, int n) {
  if (n <= 0) return;
  reserve(w, (size_t)n);
  memset(w->text + w->size, ' ', (size_t)n);
  w->size += (size_t)n;
  w->text[w->size] = '\0';
}

static void end_line(writer *w) {
  put(w, "\n", 1);
  w->lines++;
  w->line_start = w->size;
}

/* Appends text that may hold line breaks; each line that is not empty gets its indentation. */
static void put_lines(writer *w, const char *s) {
  for (;;) {
    size_t n = strcspn(s, "\n");
    if (n > 0) {
      if (w->size == w->line_start) put_blanks(w, w->depth * INDENT_WIDTH);
      put(w, s, n);
    }
    if (s[n] == '\0') return;
    end_line(w);
    s += n + 1;
  }
}

void write_text(writer *w, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  put_lines(w, arena_vprintf(w->memory, fmt, ap));
  va_end(ap);
}

void write_blanks(writer *w, int n) {
  if (n > 0 && w->size == w->line_start) n += w->depth * INDENT_WIDTH;
  put_blanks(w, n);
}

static void put_plain(writer *w, const char *text, size_t n) {
  if (n == 0) return;
  if (w->size == w->line_start) put_blanks(w, w->depth * INDENT_WIDTH);
  if (w->size + n + 1 > w->room) reserve(w, n);
  memcpy(w->text + w->size, text, n);
  w->size += n;
}

void write_plain(writer *w, const char *text) { put_plain(w, text, strlen(text)); }

void write_slice(writer *w, const char *text, int n) { put_plain(w, text, (size_t)n); }

void writer_end_line(writer *w) { end_line(w); }

void write_line(writer *w, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  put_lines(w, arena_vprintf(w->memory, fmt, ap));
  va_end(ap);
  end_line(w);
}

static void insert(writer *w, size_t at, const char *s) {
  const size_t n = strlen(s);
  reserve(w, n);
  memmove(w->text + at + n, w->text + at, w->size - at);
  memcpy(w->text + at, s, n);
  w->size += n;
  w->line_start += n;
}

void writer_end_line_with_comment(writer *w, const char *comment) {
  const char *close = *w->comment_close ? arena_printf(w->memory, " %s", w->comment_close) : "";
  const int end = writer_column(w);
  if (end + 2 > w->comment_column) {
    insert(w, w->line_start,
           arena_printf(w->memory, "%*s%s %s%s\n", w->depth * INDENT_WIDTH, "", w->comment_open, comment,
                        close));
    w->lines++;
  } else {
    put_blanks(w, w->comment_column - end > 2 ? w->comment_column - end : 2);
    put_lines(w, arena_printf(w->memory, "%s %s%s", w->comment_open, comment, close));
  }
  end_line(w);
}

int writer_column(const writer *w) {
  if (w->size == w->line_start) return w->depth * INDENT_WIDTH;
  return (int)(w->size - w->line_start);
}

const char *writer_text(writer *w) {
  reserve(w, 0);
  w->text[w->size] = '\0';
  return w->text;
}

int writer_lines(const writer *w) { return w->lines; }

size_t writer_size(const writer *w) { return w->size; }
