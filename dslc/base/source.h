/* Source texts. A span is a file and two byte offsets; line and column are computed when printing. */
#ifndef DSLC_BASE_SOURCE_H
#define DSLC_BASE_SOURCE_H

#include <stdint.h>

#include "base/arena.h"

typedef struct span {
  uint32_t file, start, end; /* bytes [start, end) of the file's text */
} span;

typedef struct source_file {
  const char *path; /* as given by the user */
  const char *text; /* NUL-terminated */
  uint32_t size;
} source_file;

typedef struct source_set source_set;

source_set *source_create(arena *a);
uint32_t source_add(source_set *s, const char *path, const char *text,
                    uint32_t size);                               /* copies; returns the file id */
int source_load(source_set *s, const char *path, uint32_t *file); /* 0, or errno */
const source_file *source_get(const source_set *s, uint32_t file);
int source_count(const source_set *s);
/* The line alone, from 1: of a long line no characters are counted. */
int source_line_number(const source_set *s, uint32_t file, uint32_t offset);
/* Columns count characters (UTF-8), both start at 1; an offset behind the end means the end. */
void source_position(const source_set *s, uint32_t file, uint32_t offset, int *line,
                     int *column);                                                  /* from 1 */
const char *source_line(const source_set *s, uint32_t file, int line, int *length); /* not NUL-terminated */
span span_join(span a, span b);

/* The folder of a path with the trailing slash, "" if it has none. */
const char *source_folder(arena *a, const char *path);

/* A text, or the part of a path behind its last slash, as comments of generated code hold it: ends of lines and other characters that are no text
 * become `?`, as what stands behind them would be code. */
const char *source_in_comment(arena *a, const char *text);
const char *source_name_in_comment(arena *a, const char *path);

#endif
