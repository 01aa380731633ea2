/* check, build and report: one compilation each. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/scheme_files.h"
#include "base/shipped.h"
#include "cli/commands.h"
#include "dslc.h"

/* What the command line says about one compilation. */
typedef struct job {
  cli_call *call;
  char path[PATH_MAX + 1]; /* cut where it is too long for the system to take it */
  shipped schemes;
  dslc_options options;
  dslc_setting *variant, *schedule;
  const char **given; /* of --schedule, as they were written */
  char **text;        /* copies that the settings point into */
  int n_texts;
} job;

/* ---- the command line ------------------------------------------------------------------------------------------------------ */

/* False with errno set. */
static bool is_file(const char *path) {
  struct stat found;
  if (access(path, R_OK) != 0 || stat(path, &found) != 0) return false;
  if (S_ISDIR(found.st_mode)) errno = EISDIR;
  return !S_ISDIR(found.st_mode);
}

bool find_scheme(const char *folder, const char *given, char *path, size_t size) {
  snprintf(path, size, "%s", given);
  if (is_file(path)) return true;
  if (strchr(given, '/')) return false;
  int n = snprintf(path, size, "%s/%s.ew", folder, given);
  if (n < (int)size && is_file(path)) return true;
  snprintf(path, size, "%s", given);
  return is_file(path);
}

int no_scheme(const cli_call *call, const char *folder, const char *wrong) {
  char file[PATH_MAX + 1], near[SCHEME_FILES_NAME];
  const int why = errno;
  snprintf(file, sizeof file, "%s.ew", wrong);
  if (access(file, R_OK) == 0)
    return cli_fail(call, DSLC_FILE, "there is no shipped scheme '%s'; did you mean the file '%s'?", wrong,
                    file);
  if (why == EISDIR) return cli_fail(call, DSLC_FILE, "'%s' is a directory, not the file of a scheme", wrong);
  if (scheme_files_nearest(folder, wrong, near))
    return cli_fail(call, DSLC_FILE, "there is no scheme '%s'; did you mean '%s'?", wrong, near);
  return cli_fail(call, DSLC_FILE, "cannot read '%s': %s; shipped schemes lie in %s", wrong, strerror(why),
                  folder);
}

static bool split_setting(job *j, const char *text, dslc_setting *to) {
  const char *equals = strchr(text, '=');
  char *copy = equals && equals > text ? strdup(text) : NULL;
  if (!copy) return false;
  j->text[j->n_texts++] = copy;
  copy[equals - text] = '\0';
  *to = (dslc_setting){copy, copy + (equals - text) + 1};
  return true;
}

static int read_settings(job *j) {
  cli_call *call = j->call;
  int n = cli_list(call, "schedule", j->given);
  for (int i = 0; i < n; i++)
    if (!split_setting(j, j->given[i], &j->schedule[j->options.n_schedule++]))
      return cli_fail(call, CLI_USAGE, "--schedule needs name=value, found '%s'", j->given[i]);
  for (int i = 1; i < call->n_arguments; i++)
    if (!split_setting(j, call->argument[i], &j->variant[j->options.n_variants++]))
      return cli_fail(call, CLI_USAGE, "a variant is chosen by name=value, found '%s'", call->argument[i]);
  return CLI_OK;
}

/* What is chosen twice is a slip: neither is taken in silence. */
static int check_variants(const job *j) {
  const dslc_setting *v = j->variant;
  for (int i = 0; i < j->options.n_variants; i++)
    for (int k = 0; k < i; k++)
      if (strcmp(v[i].name, v[k].name) == 0)
        return cli_fail(j->call, CLI_USAGE, "the variant %s is chosen twice: %s, %s", v[i].name, v[k].value,
                        v[i].value);
  return CLI_OK;
}

static int read_target(job *j) {
  static const struct {
    const char *name;
    dslc_emit emit;
  } TARGET[] = {{"opencl", DSLC_EMIT_OPENCL}, {"c", DSLC_EMIT_C}, {"c-openmp", DSLC_EMIT_C_OPENMP}};
  const char *name = cli_text(j->call, "target");
  for (size_t i = 0; i < sizeof TARGET / sizeof *TARGET; i++) {
    if (name && strcmp(name, TARGET[i].name) != 0) continue;
    j->options.emit = TARGET[i].emit;
    return CLI_OK;
  }
  return cli_fail(j->call, CLI_USAGE, "--target is opencl, c or c-openmp, found '%s'", name);
}

static int read_job(job *j) {
  cli_call *call = j->call;
  size_t n = (size_t)(call->n_arguments + call->n_given);
  shipped_find(&j->schemes, "schemes");
  j->variant = calloc(n, sizeof *j->variant);
  j->schedule = calloc(n, sizeof *j->schedule);
  j->given = calloc(n, sizeof *j->given);
  j->text = calloc(n, sizeof *j->text);
  if (!j->given || !j->variant || !j->schedule || !j->text) return cli_fail(call, CLI_FAIL, "out of memory");
  if (!find_scheme(j->schemes.list[0], call->argument[0], j->path, sizeof j->path))
    return no_scheme(call, j->schemes.list[0], call->argument[0]);
  j->options = (dslc_options){.path = j->path,
                              .dims = (int)cli_integer(call, "dims", 0),
                              .variant = j->variant,
                              .schedule = j->schedule,
                              .profile = cli_text(call, "profile"),
                              .faces_per_cell = (int)cli_integer(call, "faces-per-cell", 0),
                              .cpu = cli_flag(call, "cpu"),
                              .periodic = cli_flag(call, "periodic"),
                              .n_rules = -1,
                              .n_show = -1,
                              .sources.import_path = j->schemes.list};
  int status = read_settings(j);
  if (!status) status = check_variants(j);
  if (!status && cli_text(call, "faces-per-cell") &&
      (j->options.faces_per_cell < 3 || j->options.faces_per_cell > DSLC_MOST_FACES))
    status = cli_fail(call, CLI_USAGE, "--faces-per-cell needs a number from 3 to %d, found %d",
                      DSLC_MOST_FACES, j->options.faces_per_cell);
  return status ? status : read_target(j);
}

static void free_job(job *j) {
  for (int i = 0; i < j->n_texts; i++) free(j->text[i]);
  free(j->text);
  free(j->given);
  free(j->variant);
  free(j->schedule);
}

/* ---- running it ------------------------------------------------------------------------------------------------------------- */

/* A check that found nothing wrong says so; JSON says it by its empty list. */
static void print_verdict(const job *j, int warnings) {
  if (warnings == 0) fprintf(j->call->out, "%s: no problems\n", j->path);
  else fprintf(j->call->out, "%s: no errors, %d warning%s\n", j->path, warnings, warnings == 1 ? "" : "s");
}

static int compile(job *j, dslc_program **program, bool json) {
  dslc_messages *messages = NULL;
  int status = dslc_compile(&j->options, program, &messages);
  if (json) dslc_messages_print_json(messages, j->call->out);
  else dslc_messages_print(messages, j->call->err, cli_colour(j->call->err));
  if (messages && !json && !status && j->options.check_only)
    print_verdict(j, dslc_messages_warnings(messages));
  dslc_messages_destroy(&messages);
  return status;
}

static int check(cli_call *call) {
  job j = {.call = call};
  dslc_program *program = NULL;
  int status = read_job(&j);
  j.options.check_only = true;
  if (!status) status = compile(&j, &program, cli_flag(call, "json"));
  dslc_program_destroy(&program);
  free_job(&j);
  return status;
}

static int report(cli_call *call) {
  job j = {.call = call};
  dslc_program *program = NULL;
  int status = read_job(&j);
  if (!cli_flag(call, "all")) j.options.n_show = 0;
  if (!status) status = compile(&j, &program, false);
  if (!status) dslc_program_report(program, call->out);
  dslc_program_destroy(&program);
  free_job(&j);
  return status;
}

/* FOLDER/SCHEME.cl or .c, and FOLDER/SCHEME.json beside it; both paths go to stdout. */
static int write_program(const job *j, const dslc_program *p) {
  const cli_call *call = j->call;
  const char *folder = cli_text(call, "output");
  char path[PATH_MAX + 1], json[PATH_MAX + 1], error[PATH_MAX + 512] = "";
  if (!folder) folder = ".";
  snprintf(path, sizeof path, "%s/%s.%s", folder, p->identity.scheme,
           j->options.emit == DSLC_EMIT_OPENCL ? "cl" : "c");
  snprintf(json, sizeof json, "%s/%s.json", folder, p->identity.scheme);
  const cli_file files[] = {{"the scheme", j->path},
                            {"the profile", cli_text(call, "profile")},
                            {"the program", path},
                            {"the manifest", json}};
  const int apart = cli_files_apart(call, files, 2, 4);
  if (apart != CLI_OK) return apart;
  if (mkdir(folder, 0777) != 0 && errno != EEXIST)
    return cli_fail(call, DSLC_FILE, "cannot make the folder '%s': %s", folder, strerror(errno));
  if (!file_write(path, p->execution.source))
    return cli_fail(call, DSLC_FILE, "cannot write '%s': %s", path, strerror(errno));
  fprintf(call->out, "%s\n", path);
  int status = dslc_manifest_write(p, json, error, sizeof error);
  if (status) return cli_fail(call, status, "%s", error);
  fprintf(call->out, "%s\n", json);
  return CLI_OK;
}

enum { MOST_STEPS = 64 };

/* A step's name, or none; a name that no step has is told which there are. */
static int check_step(const cli_call *call, const char *asked) {
  const char *step[MOST_STEPS];
  char list[1024] = "";
  int n = dslc_step_names(step, MOST_STEPS);
  for (int i = 0; i < n && i < MOST_STEPS; i++) {
    if (!asked || strcmp(step[i], asked) == 0) return CLI_OK;
    size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", step[i]);
  }
  return cli_fail(call, CLI_USAGE, "--dump-after: there is no step '%s'; the steps are %s", asked, list);
}

static int build(cli_call *call) {
  job j = {.call = call};
  dslc_program *program = NULL;
  int status = check_step(call, cli_text(call, "dump-after"));
  if (status) return status;
  status = read_job(&j);
  j.options.inspect.dump_after = cli_text(call, "dump-after");
  j.options.inspect.dump = call->out;
  if (!status && j.options.inspect.dump_after && dslc_step_is_kernels(j.options.inspect.dump_after) &&
      j.options.emit != DSLC_EMIT_OPENCL)
    status =
        cli_fail(call, CLI_USAGE, "--dump-after %s: kernels are printed as OpenCL C only: leave --target out",
                 j.options.inspect.dump_after);
  if (!status) status = compile(&j, &program, false);
  if (!status) status = write_program(&j, program);
  dslc_program_destroy(&program);
  free_job(&j);
  return status;
}

/* ---- the tables ------------------------------------------------------------------------------------------------------------- */

#define COMPILE_OPTIONS                                                                                      \
  {"dims", 0, CLI_INTEGER, "D", "dimensions of a scheme on mesh(D) (default 2)", "2 3"},                     \
      {"target", 0, CLI_TEXT, "NAME", "opencl (default), c or c-openmp", "opencl c c-openmp"},               \
      {"profile", 0, CLI_TEXT, "FILE", "schedule file of a device", "file"},                                 \
      {"schedule", 0, CLI_LIST, "NAME=VALUE", "one choice of the schedule: faces=inline", NULL},             \
      {"faces-per-cell", 0, CLI_INTEGER, "N", "all cells have N faces: 3 for triangles", "3 4 6"},           \
      {"periodic", 0, CLI_FLAG, NULL, "the mesh has periodic sides", NULL}, {                                \
    "cpu", 0, CLI_FLAG, NULL, "by default choose what suits a CPU instead of a GPU", NULL                    \
  }

static const cli_option CHECK_OPTION[] = {COMPILE_OPTIONS,
                                          {"json", 0, CLI_FLAG, NULL, "messages as JSON on stdout", NULL}};
static const cli_option REPORT_OPTION[] = {
    COMPILE_OPTIONS, {"all", 0, CLI_FLAG, NULL, "also the kernels of what a case may ask for", NULL}};
static const cli_option BUILD_OPTION[] = {
    COMPILE_OPTIONS,
    {"output", 'o', CLI_TEXT, "FOLDER", "where to write (default: here)", "folder"},
    {"dump-after", 0, CLI_TEXT, "STEP", "print the equations after a step of the compiler", NULL}};

#define N_OPTIONS(table) (sizeof(table) / sizeof *(table))

static const char SCHEME_ARGUMENTS[] = "SCHEME[.ew] [VARIANT=CHOICE...]";

const cli_command COMMAND_CHECK = {.name = "check",
                                   .arguments = SCHEME_ARGUMENTS,
                                   .summary = "report all that is wrong with a scheme",
                                   .least = 1,
                                   .most = -1,
                                   .options = CHECK_OPTION,
                                   .n_options = N_OPTIONS(CHECK_OPTION),
                                   .run = check};

const cli_command COMMAND_BUILD = {
    .name = "build",
    .arguments = SCHEME_ARGUMENTS,
    .summary = "write a scheme's kernels and their manifest",
    .details = "Writes FOLDER/SCHEME.cl (or .c) and FOLDER/SCHEME.json. A case runs them "
               "with `manifest = \"FOLDER/SCHEME.json\"`.",
    .least = 1,
    .most = -1,
    .options = BUILD_OPTION,
    .n_options = N_OPTIONS(BUILD_OPTION),
    .run = build};

const cli_command COMMAND_REPORT = {.name = "report",
                                    .arguments = SCHEME_ARGUMENTS,
                                    .summary = "operations, loads and stores of every equation and kernel",
                                    .least = 1,
                                    .most = -1,
                                    .options = REPORT_OPTION,
                                    .n_options = N_OPTIONS(REPORT_OPTION),
                                    .run = report};
