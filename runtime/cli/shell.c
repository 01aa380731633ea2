#include "cli/shell.h"

#include <string.h>

volatile sig_atomic_t shell_stop = 0;

static void request_stop(int number) {
  shell_stop = number;
  signal(number, SIG_DFL);
}

void shell_watch_signals(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = request_stop;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

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
