#include "cli/shell.h"

int shell_fail(const cli_call *call, const ew_error *err) {
  if (err->status == EW_INTERNAL)
    return cli_fail(call, EW_INTERNAL, "%s\n  this is an error in edgewise: please report it with the case",
                    err->text);
  return cli_fail(call, (int)err->status, "%s", err->text);
}

void shell_print_json(FILE *out, const char *text) {
  fputc('"', out);
  for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
    if (*c == '"' || *c == '\\') fprintf(out, "\\%c", *c);
    else if (*c < 0x20) fprintf(out, "\\u%04x", *c);
    else fputc(*c, out);
  }
  fputc('"', out);
}
