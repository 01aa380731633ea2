/* Pieces of HTML. */
#ifndef EW_REPORT_HTML_H
#define EW_REPORT_HTML_H

#include <stdio.h>

#include "base/error.h"

/* Text whose special characters stand as entities: right between tags and in double quotes. Control characters are left out. */
void html_text(FILE *out, const char *text);

/* Text of messages: `names` in backticks are set as code. Between tags. */
void html_words(FILE *out, const char *text);

/* A whole file as a URI in base 64, to stand within the page. EW_IO. */
ew_status html_data(FILE *out, const char *type, const char *path, ew_error *err);

/* Six digits at most; "–" of what is no finite number. */
void html_number(FILE *out, double value);

/* As much as a measurement knows: three digits, of what is at least 100 all before the point. */
void html_figure(FILE *out, double value);

#endif
