#include "base/diag.h"
#include "cli/commands.h"
#include "dslc.h"

static int list_codes(FILE *out) {
  for (int code = 0; code < DIAG_CODE_COUNT; code++)
    fprintf(out, "%s  %s\n", diag_code_text((diag_code)code), diag_code_title((diag_code)code));
  return CLI_OK;
}

static int explain(cli_call *call) {
  const char *title, *page;
  if (call->n_arguments == 0) return list_codes(call->out);
  page = dslc_explain(call->argument[0], &title);
  if (!page)
    return cli_fail(call, CLI_USAGE, "there is no code '%s'; `dslc explain` lists all of them",
                    call->argument[0]);
  fprintf(call->out, "%s: %s\n\n%s\n", call->argument[0], title, page);
  return CLI_OK;
}

static int version(cli_call *call) {
  fprintf(call->out, "dslc %s\n", dslc_version());
  return CLI_OK;
}

const cli_command COMMAND_EXPLAIN = {
    .name = "explain",
    .arguments = "[CODE]",
    .summary = "what a message's code means, with an example; without code: all codes",
    .most = 1,
    .run = explain};

const cli_command COMMAND_VERSION = {.name = "version", .summary = "print the version", .run = version};
