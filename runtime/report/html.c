#include "report/html.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/words.h"
#include "report/folder.h"

/* Returns how many bytes it was. */
static size_t put_letter(FILE *out, const char *text) {
  const char c = *text;
  const size_t n = words_character(text);
  if (c == '&') fputs("&amp;", out);
  else if (c == '<') fputs("&lt;", out);
  else if (c == '>') fputs("&gt;", out);
  else if (c == '"') fputs("&quot;", out);
  else if (n == 0) fputs(WORDS_UNKNOWN, out);
  else if ((unsigned char)c >= ' ' || c == '\n' || c == '\t') fwrite(text, 1, n, out);
  return n > 0 ? n : 1;
}

void html_text(FILE *out, const char *text) {
  while (*text) text += put_letter(out, text);
}

void html_words(FILE *out, const char *text) {
  for (bool code = false; *text;) {
    const bool mark = *text == '`' && (code || strchr(text + 1, '`'));
    if (mark) text++, fputs((code = !code) ? "<code>" : "</code>", out);
    else text += put_letter(out, text);
  }
}

/* RFC 4648, section 4. */
static void put_base64(FILE *out, const unsigned char *b, size_t n) {
  static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < n; i += 3) {
    unsigned long v = (unsigned long)b[i] << 16;
    if (i + 1 < n) v |= (unsigned long)b[i + 1] << 8;
    if (i + 2 < n) v |= b[i + 2];
    fputc(digit[v >> 18 & 63], out);
    fputc(digit[v >> 12 & 63], out);
    fputc(i + 1 < n ? digit[v >> 6 & 63] : '=', out);
    fputc(i + 2 < n ? digit[v & 63] : '=', out);
  }
}

ew_status html_data(FILE *out, const char *type, const char *path, ew_error *err) {
  unsigned char block[3 * 8192];
  FILE *in = folder_file(path, err);
  if (!in) return err->status;
  fprintf(out, "data:%s;base64,", type);
  for (size_t n; (n = fread(block, 1, sizeof block, in)) > 0;) put_base64(out, block, n);
  ew_status status = ferror(in) ? ew_fail(err, EW_IO, "cannot read '%s': %s", path, strerror(errno)) : EW_OK;
  fclose(in);
  return status;
}

void html_number(FILE *out, double value) {
  if (isfinite(value)) fprintf(out, "%.6g", value);
  else fputs("–", out);
}

void html_figure(FILE *out, double value) {
  double size = fabs(value);
  if (!isfinite(value)) fputs("–", out);
  else if (size >= 100 && size < 1e6) fprintf(out, "%.0f", value);
  else fprintf(out, "%.3g", value);
}
