/* Diagnostics are data: a stable code, the underlined span, found and expected, a hint, secondary spans. They
 * are collected in a sink and rendered by the shell as text with carets or as JSON. */
#ifndef DSLC_BASE_DIAG_H
#define DSLC_BASE_DIAG_H

#include <stdbool.h>
#include <stdio.h>

#include "base/source.h"

typedef enum diag_severity { DIAG_NOTE, DIAG_WARNING, DIAG_ERROR } diag_severity;

/* One entry per code in diag_codes.def: DIAG(NAME, number, severity, "title", "explanation ..."). The
 * printed code is E0123 or W0123 for errors and warnings, N0123 for notes. Each error has a failing
 * example in tests/bad. */
typedef enum diag_code {
#define DIAG(name, number, severity, title, explanation) DIAG_##name,
#include "base/diag_codes.def"
#undef DIAG
  DIAG_CODE_COUNT
} diag_code;

typedef struct diag_label {
  span at;
  const char *text;
  struct diag_label *next;
} diag_label;

typedef struct diag {
  diag_code code;
  span at;
  const char *message; /* one line: what is wrong, naming both sides */
  const char *label;   /* beside the carets, may be NULL */
  const char *hint;    /* what to do, may be NULL */
  const char *edit;    /* replacement text for the span, may be NULL */
  diag_label *labels;  /* secondary spans, in order */
  struct diag *next;
} diag;

typedef struct diag_sink diag_sink;

diag_sink *diag_create(arena *a, const source_set *sources);

/* Adds a diagnostic and returns it for the diag_with_* calls. After a fixed number of errors (200) further
 * ones are counted, not kept (a dummy is returned). Never NULL. */
diag *diag_report(diag_sink *s, diag_code code, span at, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
diag *diag_with_label(diag_sink *s, diag *d, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
diag *diag_with_hint(diag_sink *s, diag *d, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
diag *diag_with_span(diag_sink *s, diag *d, span at, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
diag *diag_with_edit(diag_sink *s, diag *d, const char *replacement);
/* "did you mean `near`?", as a label and as the edit that makes it so: the span is that of the wrong name. NULL: nothing is near. */
diag *diag_did_you_mean(diag_sink *s, diag *d, const char *near);

int diag_errors(const diag_sink *s);
int diag_warnings(const diag_sink *s);
const diag *diag_first(const diag_sink *s); /* by position */
/* The first error in the file of that path, with its line; NULL: none. */
const diag *diag_error_in(const diag_sink *s, const char *path, int *line);

/* Renders all diagnostics, sorted by position. `colour`: ANSI colours besides the words. */
void diag_print_text(const diag_sink *s, FILE *out, bool colour);
void diag_print_json(const diag_sink *s, FILE *out);

/* The pages of `dslc explain`. */
const char *diag_code_text(diag_code code); /* "E0123" */
bool diag_code_find(const char *text, diag_code *code);
diag_severity diag_code_severity(diag_code code);
const char *diag_code_title(diag_code code);
const char *diag_code_explanation(diag_code code);

#endif
