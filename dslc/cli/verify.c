/* verify: hands over to the `edgewise` beside this program, since running schemes is not the compiler's business. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"

/* `edgewise` in the folder of this program, or alone, which is looked for along PATH. */
static void find_edgewise(char *path, size_t size) {
  ssize_t n = readlink("/proc/self/exe", path, size - 16);
  char *slash = n > 0 ? memrchr(path, '/', (size_t)n) : NULL;
  if (slash) {
    memcpy(slash + 1, "edgewise", sizeof "edgewise");
    if (access(path, X_OK) == 0) return;
  }
  memcpy(path, "edgewise", sizeof "edgewise");
}

static int verify(cli_call *call) {
  char path[1024], *option = NULL;
  const char **words = calloc((size_t)(2 * call->n_given) + 4, sizeof *words);
  int n = 0, failure = 0;
  if (!words) return cli_fail(call, CLI_FAIL, "out of memory");
  find_edgewise(path, sizeof path);
  words[n++] = "edgewise";
  words[n++] = "verify";
  for (int i = 0; i < call->n_given; i++) {
    if (asprintf(&option, "--%s=%s", call->given[i].option->name, call->given[i].value) < 0) failure = ENOMEM;
    else words[n++] = option;
  }
  words[n++] = call->argument[0];
  fflush(NULL);
  if (!failure) execvp(path, (char *const *)words), failure = errno;
  for (int i = 2; i < n - 1; i++) free((char *)words[i]);
  free(words);
  return cli_fail(call, CLI_FAIL, "cannot run %s, which verifies schemes: %s", path, strerror(failure));
}

static const cli_option OPTIONS[] = {
    {"schedules", 0, CLI_INTEGER, "N", "ways to compute on each mesh (8)", NULL},
    {"meshes", 0, CLI_INTEGER, "N", "random meshes or grids (4)", NULL},
    {"steps", 0, CLI_INTEGER, "N", "steps of each run (3)", NULL},
    {"seed", 0, CLI_INTEGER, "N", "of the first mesh and its schedules (1)", NULL},
    {"device", 0, CLI_TEXT, "SPEC", "what is compared: c (default), c-openmp, cpu, gpu, ...",
     "c c-openmp cpu gpu"},
    {"reference", 0, CLI_TEXT, "SPEC", "what it is compared with: the interpreter if not given",
     "reference c"},
    {"keep", 0, CLI_TEXT, "FOLDER", "what differs as cases for `edgewise run`", "folder"},
    {"schedule", 0, CLI_LIST, "NAME=VALUE", "one choice of the schedule, for all ways", NULL}};

const cli_command COMMAND_VERIFY = {
    .name = "verify",
    .arguments = "SCHEME",
    .summary = "compare ways to compute a scheme with the reference interpreter (by `edgewise verify`)",
    .details = "The same as `edgewise verify SCHEME`: on small random meshes or grids, with schedules and "
               "orders of the mesh "
               "drawn by\nchance. Exit status 1 if a result depends on the way.",
    .least = 1,
    .most = 1,
    .complete = "file",
    .options = OPTIONS,
    .n_options = sizeof OPTIONS / sizeof *OPTIONS,
    .run = verify};
