#include "cli/commands.h"
#include "dslc.h"

static const cli_command *const COMMAND[] = {
    &COMMAND_CHECK, &COMMAND_BUILD, &COMMAND_REPORT, &COMMAND_EXPLAIN, &COMMAND_FMT,
    &COMMAND_LSP,   &COMMAND_RULES, &COMMAND_TEX,    &COMMAND_VERIFY,  &COMMAND_VERSION};

static const char EPILOGUE[] =
    "Exit codes: 0 success, 1 other failure, 2 usage, 3 error in a scheme, 6 file system, 70 internal "
    "error.\n"
    "Messages go to stderr; NO_COLOR switches their colour off.\n"
    "Schemes are named by path, or, without a slash, by name among those shipped.\n";

int main(int argc, char **argv) {
  cli_hold_streams();
  const cli_program program = {.name = "dslc",
                               .summary = "compile numerical schemes into OpenCL C or plain C",
                               .version = dslc_version(),
                               .epilogue = EPILOGUE,
                               .commands = COMMAND,
                               .n_commands = sizeof COMMAND / sizeof *COMMAND};
  return cli_main(&program, argc, argv, stdout, stderr);
}
