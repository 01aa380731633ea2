/* What a run warned of, for its record: also what a quiet run did not show. Takes no memory of its own, so that it is there where memory ends. */
#ifndef EW_RUN_WARNINGS_H
#define EW_RUN_WARNINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/memory_text.h"

typedef struct exec_warnings {
  char text[8192]; /* the warnings, each with its end, one behind the other */
  size_t used;
  int n, more;  /* kept; no longer kept, for want of room */
  bool cut_off; /* said already: of repeats that were cut off, */
  bool outside; /* of right sides that no solution meets */
} exec_warnings;

/* Keeps the formatted text, which has neither "warning: " before it nor a newline at its end, and shows it with both; shown NULL: nowhere. */
void exec_warn(exec_warnings *w, FILE *shown, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Keeps the warnings among messages that were printed elsewhere: lines "warning: ...", "warning[W0110]: ..." with the place below, and
 * "case.lua:3: warning: ...". */
void exec_warnings_read(exec_warnings *w, const char *said);

/* The one behind `last` (NULL: the first), or NULL. */
const char *exec_warnings_next(const exec_warnings *w, const char *last);

/* What is printed to `stream` is heard in whole before it is shown. */
typedef struct exec_heard {
  memory_text said; /* without a stream where there is no memory for it: then nothing is heard */
} exec_heard;

FILE *exec_hear(exec_heard *h, FILE *otherwise);
/* Keeps its warnings; copies it to `shown`, or NULL. */
void exec_heard_end(exec_heard *h, exec_warnings *w, FILE *shown);

#endif
