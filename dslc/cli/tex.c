/* tex: a scheme as typeset equations. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/shipped.h"
#include "cli/commands.h"
#include "dslc.h"

static int tex(cli_call *call) {
  char path[4096];
  shipped schemes;
  const char *folder = *shipped_find(&schemes, "schemes");
  if (!find_scheme(folder, call->argument[0], path, sizeof path))
    return no_scheme(call, folder, call->argument[0]);
  char *text = file_read(path);
  if (!text) return cli_fail(call, DSLC_FILE, "cannot read '%s': %s", path, strerror(errno));
  dslc_messages *messages = NULL;
  const dslc_options options = {.path = path, .text = text, .sources.import_path = schemes.list};
  char *out = dslc_tex(&options, &messages);
  int status = CLI_OK;
  if (out) fputs(out, call->out);
  else {
    dslc_messages_print(messages, call->err, cli_colour(call->err));
    status = dslc_messages_cut_short(messages) ? CLI_FAIL : DSLC_INPUT;
  }
  dslc_messages_destroy(&messages);
  free(out);
  free(text);
  return status;
}

const cli_command COMMAND_TEX = {
    .name = "tex",
    .arguments = "SCHEME[.ew]",
    .summary = "print a scheme as typeset equations: a LaTeX document",
    .details = "A table of parameters, states and givens with units and the "
               "words of their comments; equations with their numbers,\n"
               "boundary rules, the step; then the same of the scheme that it extends, and "
               "imported functions.\nLong formulas are broken over lines. "
               "dslc tex heat > heat.tex && pdflatex heat.tex",
    .least = 1,
    .most = 1,
    .run = tex};
