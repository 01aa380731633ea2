#include <signal.h>
#include <string.h>

#include "cli/shell.h"

static const cli_command *const COMMAND[] = {
    &COMMAND_RUN,  &COMMAND_CHECK,       &COMMAND_RESUME, &COMMAND_DEVICES, &COMMAND_DOCTOR,
    &COMMAND_MESH, &COMMAND_TUNE,        &COMMAND_BENCH,  &COMMAND_SOLVE,   &COMMAND_PLOT,
    &COMMAND_NEW,  &COMMAND_ANNOTATIONS, &COMMAND_VERSION};

static const char EPILOGUE[] =
    "Exit codes: 0 success, 1 other failure, 2 usage, 3 error in scheme, case or mesh, 4 solution not finite "
    "or a\n"
    "declared bound violated, 5 OpenCL or device, 6 file system, 7 checkpoint unusable or mismatched, 8 "
    "stopped on\n"
    "request (can be resumed), 9 linear solver did not converge, 70 internal error.\n"
    "NO_COLOR switches colour off; EDGEWISE_CACHE_DIR moves the cache of built kernels, EDGEWISE_CACHE=off "
    "does without.\n";

volatile sig_atomic_t shell_stop = 0;

/* The first request stops between two steps and saves; the second one ends the program as usual. */
static void request_stop(int number) {
  shell_stop = 1;
  signal(number, SIG_DFL);
}

static void watch_signals(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = request_stop;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

int main(int argc, char **argv) {
  const cli_program program = {.name = "edgewise",
                               .summary = "run numerical schemes on unstructured meshes",
                               .version = EW_VERSION,
                               .epilogue = EPILOGUE,
                               .commands = COMMAND,
                               .n_commands = sizeof COMMAND / sizeof *COMMAND};
  watch_signals();
  return cli_main(&program, argc, argv, stdout, stderr);
}
