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

/* A line with a trailing comment at the comment column; a line that reaches beyond the column carries the
 * comment in a line of its own above. `comment` NULL or "" means none. */
void write_line_with_comment(writer *w, const char *comment, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* The comment marks (C's by default: open and close) and the column, from 0, where trailing comments begin
 * (60). */
void writer_set_comment(writer *w, const char *open, const char *close, int column);

void writer_indent(writer *w);
void writer_dedent(writer *w);

int writer_column(const writer *w); /* of the next character, from 0, indentation included */

/* A declaration that is written once it is known whether it is needed: inserts the line at offset `at`, which was writer_size at the
 * beginning of a line of this indentation, if the code written since then names the identifier outside of comments. Lines inserted
 * at one offset come to stand in the opposite order. */
void writer_declare(writer *w, size_t at, const char *identifier, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* NUL-terminated; valid until the next write. */
const char *writer_text(writer *w);
size_t writer_size(const writer *w);

#endif
