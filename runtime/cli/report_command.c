/* report, compare: what runs left in their folders. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/path.h"
#include "cli/shell.h"
#include "report/report.h"

static bool is_file(const char *path) {
  struct stat s;
  return stat(path, &s) == 0 && S_ISREG(s.st_mode);
}

/* Measurements: FILE.json becomes FILE.html. */
static int report_measurements(cli_call *call) {
  ew_error err = {0};
  char path[EW_PATH];
  const char *from = call->argument[0], *end = strrchr(from, '.');
  if (cli_text(call, "beside") || cli_text(call, "frames"))
    return cli_fail(call, EW_USAGE, "--beside and --frames are for runs, and %s is a file", from);
  snprintf(path, sizeof path, "%.*s.html", (int)(end && !strchr(end, '/') ? end - from : (long)strlen(from)),
           from);
  const char *to = cli_text(call, "output") ? cli_text(call, "output") : path;
  const cli_file files[] = {{"the measurements", from}, {"the page", to}};
  const int apart = cli_files_apart(call, files, 1, 2);
  if (apart != CLI_OK) return apart;
  const int ending = shell_check_ending(call, "html", "the page is a file of HTML");
  if (ending != CLI_OK) return ending;
  if (report_bench(from, to, &err) != EW_OK) return shell_fail(call, &err);
  fprintf(call->out, "%s\n", to);
  return EW_OK;
}

/* Of what lies in the run's folder a page may only replace a page. */
static int refuse_files_of_run(const cli_call *call, const report_options *o) {
  static const char *const ours[] = {"run.json", "run.previous.json", "checkpoint.ew", "checkpoint.old.ew",
                                     "checkpoint.previous.ew"};
  enum { N_OURS = sizeof ours / sizeof *ours };
  char path[N_OURS][EW_PATH];
  const char *name = strrchr(o->path, '/'), *end = strrchr(o->path, '.');
  cli_file file[2] = {[1] = {"the page", o->path}};
  int apart = CLI_OK;
  for (int i = 0; i < N_OURS && apart == CLI_OK; i++) {
    snprintf(path[i], sizeof path[i], "%s/%s", o->folder, ours[i]);
    file[0] = (cli_file){"a file of the run", path[i]};
    apart = cli_files_apart(call, file, 1, 2);
  }
  for (int i = 0; i < o->n_beside && apart == CLI_OK; i++) {
    file[0] = (cli_file){"measurements", o->beside[i]};
    apart = cli_files_apart(call, file, 1, 2);
  }
  if (apart != CLI_OK || (end && strncmp(end, ".htm", 4) == 0)) return apart;
  snprintf(path[0], sizeof path[0], "%s/%s", o->folder, name ? name + 1 : o->path);
  if (!is_file(path[0])) return CLI_OK;
  file[0] = (cli_file){"a file of the run", path[0]};
  return cli_files_apart(call, file, 1, 2);
}

static int report(cli_call *call) {
  ew_error err = {0};
  char path[EW_PATH];
  if (is_file(call->argument[0])) return report_measurements(call);
  const char **beside = calloc((size_t)call->n_given + 1, sizeof *beside);
  if (!beside) return cli_fail(call, EW_FAIL, "out of memory");
  snprintf(path, sizeof path, "%s/report.html", call->argument[0]);
  report_options options = {.folder = call->argument[0],
                            .path = cli_text(call, "output") ? cli_text(call, "output") : path,
                            .n_beside = cli_list(call, "beside", beside),
                            .beside = beside,
                            .frames = (int)cli_integer(call, "frames", 0)};
  int wrong = refuse_files_of_run(call, &options);
  if (wrong == CLI_OK) wrong = shell_check_ending(call, "html", "the page is a file of HTML");
  if (wrong != CLI_OK) return free(beside), wrong;
  ew_status status = options.frames < 0 || options.frames > 10000
                         ? ew_fail(&err, EW_USAGE, "--frames is a number from 1 to 10000")
                         : report_write(&options, call->err, &err);
  free(beside);
  if (status != EW_OK) return shell_fail(call, &err);
  fprintf(call->out, "%s\n", options.path);
  return EW_OK;
}

static int read_difference(const cli_call *call, const char *name, double *to) {
  char *end = NULL;
  const char *text = cli_text(call, name);
  *to = text ? strtod(text, &end) : 0;
  if (text && (end == text || *end || !(*to >= 0)))
    return cli_fail(call, EW_USAGE, "--%s is a number, 0 or greater, found '%s'", name, text);
  return CLI_OK;
}

static int compare(cli_call *call) {
  ew_error err = {0};
  int same = 0;
  report_agreement within;
  int usage = read_difference(call, "tolerance", &within.relative);
  if (usage == CLI_OK) usage = read_difference(call, "absolute", &within.absolute);
  if (usage != CLI_OK) return usage;
  if (report_compare(call->argument[0], call->argument[1], within, call->out, &same, &err) != EW_OK)
    return shell_fail(call, &err);
  return same ? EW_OK : EW_FAIL;
}

static const cli_option REPORT_OPTION[] = {
    {"output", 'o', CLI_TEXT, "FILE.html", "where to write, instead of report.html in the run's folder",
     "file"},
    {"beside", 0, CLI_LIST, "FILE.csv", "measurements, drawn as points beside columns of the same name",
     "file"},
    {"frames", 0, CLI_INTEGER, "N", "the most pictures of a series (default 40)", NULL}};
static const cli_option COMPARE_OPTION[] = {
    {"tolerance", 0, CLI_TEXT, "R", "relative differences up to R count as none (default 0)", NULL},
    {"absolute", 0, CLI_TEXT, "A", "differences up to A count as none: for what should be 0 (default 0)",
     NULL}};

const cli_command COMMAND_REPORT = {
    .name = "report",
    .arguments = "FOLDER | BENCH.json",
    .summary = "one page about a run: pictures, histories, costs, where it comes from; or about measurements",
    .details =
        "The page is one file of HTML that asks for no other file and no network. BENCH.json: lines that "
        "`edgewise bench --json` printed.",
    .least = 1,
    .most = 1,
    .complete = "folder",
    .options = REPORT_OPTION,
    .n_options = sizeof REPORT_OPTION / sizeof *REPORT_OPTION,
    .run = report};

const cli_command COMMAND_COMPARE = {
    .name = "compare",
    .arguments = "FOLDER FOLDER",
    .summary = "what two runs differ in: settings, histories, fields",
    .details = "Exit status 0: nothing that decides the answer differs; 1: something does.",
    .least = 2,
    .most = 2,
    .complete = "folder",
    .options = COMPARE_OPTION,
    .n_options = sizeof COMPARE_OPTION / sizeof *COMPARE_OPTION,
    .run = compare};
