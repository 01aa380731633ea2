#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "dslc.h"

/* Writes only what changes. With --check nothing is written, and a file that would change fails. */
static int format_one(cli_call *call, const char *path) {
  char *text = file_read(path);
  if (!text) return cli_fail(call, DSLC_FILE, "cannot read '%s': %s", path, strerror(errno));
  dslc_messages *messages = NULL;
  char *formatted = dslc_format(path, text, &messages);
  int status = CLI_OK;
  if (!formatted) {
    dslc_messages_print(messages, call->err, cli_colour(call->err));
    status = dslc_messages_cut_short(messages) ? CLI_FAIL : DSLC_INPUT;
  } else if (strcmp(text, formatted) != 0) {
    if (cli_flag(call, "check")) status = CLI_FAIL;
    else if (!file_write(path, formatted))
      status = cli_fail(call, DSLC_FILE, "cannot write '%s': %s", path, strerror(errno));
    if (status != DSLC_FILE) fprintf(call->out, "%s\n", path);
  }
  dslc_messages_destroy(&messages);
  free(formatted);
  free(text);
  return status;
}

static int fmt(cli_call *call) {
  int worst = CLI_OK;
  for (int i = 0; i < call->n_arguments; i++) {
    int status = format_one(call, call->argument[i]);
    if (status > worst) worst = status;
  }
  return worst;
}

static const cli_option OPTION[] = {
    {"check", 0, CLI_FLAG, NULL, "write nothing; list the files that would change and fail if there are any",
     NULL}};

const cli_command COMMAND_FMT = {.name = "fmt",
                                 .arguments = "FILE.ew...",
                                 .summary = "lay schemes out in the house style, in place",
                                 .details = "Prints the names of the files that changed.",
                                 .least = 1,
                                 .most = -1,
                                 .options = OPTION,
                                 .n_options = 1,
                                 .run = fmt};
