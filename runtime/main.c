#include <stdio.h>

#include "cli/shell.h"

static const cli_command *const COMMAND[] = {
    &COMMAND_RUN,    &COMMAND_CHECK,       &COMMAND_RESUME,  &COMMAND_SWEEP,   &COMMAND_DEVICES, &COMMAND_DOCTOR,
    &COMMAND_PROBE,  &COMMAND_TUNE,        &COMMAND_PROFILE, &COMMAND_MESH,    &COMMAND_BENCH,
    &COMMAND_SOLVE,  &COMMAND_PLOT,        &COMMAND_REPORT,  &COMMAND_COMPARE, &COMMAND_NEW,
    &COMMAND_VERIFY, &COMMAND_ANNOTATIONS, &COMMAND_VERSION};

static const char EPILOGUE[] =
    "Exit codes: 0 success, 1 other failure, 2 usage, 3 error in scheme, case or mesh, 4 solution not finite "
    "or a\n"
    "declared bound violated, 5 OpenCL or device, 6 file system, 7 checkpoint unusable or mismatched, 8 "
    "stopped on\n"
    "request (can be resumed), 9 linear solver did not converge, 10 another run has the output folder, 70 "
    "internal error.\n"
    "EDGEWISE_DATA_DIR is where profiles of devices are kept (~/.local/share/edgewise).\n"
    "NO_COLOR switches colour off; EDGEWISE_CACHE_DIR moves the cache of built kernels, EDGEWISE_CACHE=off "
    "does without.\n";

int main(int argc, char **argv) {
  cli_hold_streams();
  const cli_program program = {.name = "edgewise",
                               .summary = "run numerical schemes on unstructured meshes",
                               .version = EW_VERSION,
                               .epilogue = EPILOGUE,
                               .commands = COMMAND,
                               .n_commands = sizeof COMMAND / sizeof *COMMAND};
  setvbuf(stdout, NULL, _IOLBF,
          BUFSIZ); /* what was printed before a signal is there, also in files and pipes */
  return cli_main(&program, argc, argv, stdout, stderr);
}
