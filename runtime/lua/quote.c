#include "lua/quote.h"

#include <string.h>

void lua_quote(FILE *out, const char *text) {
  fputc('"', out);
  for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
    if (*c < ' ' || *c == 127) fprintf(out, "\\%03d", *c);
    else {
      if (strchr("\"\\", *c)) fputc('\\', out);
      fputc(*c, out);
    }
  }
  fputc('"', out);
}
