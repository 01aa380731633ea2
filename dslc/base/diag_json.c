/* Diagnostics as JSON: an array of objects, for editors and scripts. */
#include <string.h>

#include "base/diag_internal.h"
#include "base/utf8.h"

/* JSON text must be valid UTF-8: bytes that are not become U+FFFD. */
static void print_string(FILE *out, const char *s) {
  size_t n = strlen(s);
  fputc('"', out);
  for (size_t i = 0; i < n;) {
    uint32_t c;
    size_t k = utf8_next(s + i, n - i, &c);
    if (c == '"' || c == '\\') fprintf(out, "\\%c", (int)c);
    else if (c == '\n') fputs("\\n", out);
    else if (c == '\t') fputs("\\t", out);
    else if (c < 0x20 || c == 0x7F) fprintf(out, "\\u%04x", (unsigned)c);
    else if (c == 0xFFFD) fputs("\\ufffd", out);
    else fwrite(s + i, 1, k, out);
    i += k;
  }
  fputc('"', out);
}

static void print_key(FILE *out, const char *key, const char *value) {
  if (value == NULL) return;
  fprintf(out, ", \"%s\": ", key);
  print_string(out, value);
}

static void print_span(const diag_sink *s, FILE *out, span at) {
  int line, column, end_line, end_column;
  if (source_count(s->sources) == 0) { /* the file could not be read */
    fputs("\"file\": null", out);
    return;
  }
  source_position(s->sources, at.file, at.start, &line, &column);
  source_position(s->sources, at.file, at.end, &end_line, &end_column);
  fputs("\"file\": ", out);
  print_string(out, source_get(s->sources, at.file)->path);
  fprintf(out, ", \"line\": %d, \"column\": %d, \"end_line\": %d, \"end_column\": %d", line, column, end_line,
          end_column);
  fprintf(out, ", \"start\": %u, \"end\": %u", at.start, at.end);
}

static void print_notes(const diag_sink *s, FILE *out, const diag_label *labels) {
  fputs(", \"notes\": [", out);
  for (const diag_label *l = labels; l; l = l->next) {
    fputc('{', out);
    print_span(s, out, l->at);
    print_key(out, "message", l->text);
    fputs(l->next ? "}, " : "}", out);
  }
  fputc(']', out);
}

void diag_print_json(const diag_sink *s, FILE *out) {
  fputc('[', out);
  for (const diag *d = s->first; d; d = d->next) {
    fprintf(out, "%s\n  {", d == s->first ? "" : ",");
    print_span(s, out, d->at);
    print_key(out, "code", diag_code_text(d->code));
    print_key(out, "severity", diag_severity_word(diag_code_severity(d->code)));
    print_key(out, "title", diag_code_title(d->code));
    print_key(out, "message", d->message);
    print_key(out, "label", d->label);
    print_key(out, "hint", d->hint);
    print_key(out, "edit", d->edit);
    print_notes(s, out, d->labels);
    fputc('}', out);
  }
  fputs(s->kept ? "\n]\n" : "]\n", out);
}
