/* Text output for the back ends: a growing buffer that owns indentation, so that no pass glues blanks. The
 * text lives in the arena. Indentation is written in front of the first character of a line, never on
 * empty lines. */
#ifndef DSLC_BASE_WRITER_H
#define DSLC_BASE_WRITER_H

#include "base/arena.h"

typedef struct writer writer;

writer *writer_create(arena *a);

/* One whole line, formatted; ends what write_text may have begun. Line breaks inside are indented too. */
void write_line(writer *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* A piece of a line (or several lines, at '\n'), formatted, without a line break at its end. */
void write_text(writer *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* A piece of a line as it stands, without line breaks. */
void write_plain(writer *w, const char *text);
void write_slice(writer *w, const char *text, int n); /* its first n bytes */
void write_blanks(writer *w, int n);                  /* none if n <= 0 */

/* Ends the line that write_text and write_plain have begun; an empty one stays empty. */
void writer_end_line(writer *w);

/* Ends it with a trailing comment at the comment column; where the line reaches beyond that, the comment gets a line of its own above. */
void writer_end_line_with_comment(writer *w, const char *comment);

/* The comment marks (C's by default: open and close) and the column, from 0, where trailing comments begin
 * (60). */
void writer_set_comment(writer *w, const char *open, const char *close, int column);

void writer_indent(writer *w);
void writer_dedent(writer *w);

int writer_column(const writer *w); /* of the next character, from 0, indentation included */

/* NUL-terminated; valid until the next write. */
const char *writer_text(writer *w);
int writer_lines(const writer *w); /* that have been ended */
size_t writer_size(const writer *w);

#endif
