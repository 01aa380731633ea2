/* run, resume and check: what is done with a case file. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "case/paths.h"
#include "cli/shell.h"
#include "run/run.h"
#include "lua/case_file.h"

/* ---- the command line's word over the case's ------------------------------------------------------------------------------- */

typedef struct job {
  cli_call *call;
  bool resume, script; /* script: it called run() */
  const char **define; /* [n_given] */
  char *command;       /* for the record */
  bool saved;          /* a run that was stopped from outside left a checkpoint */
  int n_folders;       /* of the runs that a script has begun */
  char **folder;
  bool taken; /* the checkpoint that the command line names, by one of them */
} job;

static ew_status set_text(ew_case *c, const cli_call *call, const char *option, const char **to,
                          ew_error *err) {
  const char *text = cli_text(call, option);
  if (!text) return EW_OK;
  *to = case_text(c, text, err);
  return *to ? EW_OK : EW_FAIL;
}

static ew_status set_schedule(ew_case *c, const char *setting, ew_error *err) {
  const char *equals = strchr(setting, '=');
  if (!equals || equals == setting)
    return ew_fail(err, EW_USAGE, "--schedule needs name=value, found '%s'", setting);
  char *name = case_alloc(c, (size_t)(equals - setting) + 1, err);
  const char *value = case_text(c, equals + 1, err);
  if (!name || !value) return EW_FAIL;
  memcpy(name, setting, (size_t)(equals - setting));
  case_setting *s = NULL;
  for (int i = 0; i < c->build.n_schedule; i++)
    if (strcmp(c->build.schedule[i].name, name) == 0) s = &c->build.schedule[i];
  if (!s) s = case_append(c, &c->build.schedule, &c->build.n_schedule, sizeof *s, err);
  if (!s) return EW_FAIL;
  *s = (case_setting){.name = name, .value = value, .at = {"the command line", 0}};
  return EW_OK;
}

ew_status shell_override(const cli_call *call, ew_case *c, ew_error *err) {
  ew_status status = EW_OK;
  long steps = (long)c->time.max_steps, look = c->time.look;
  const char **schedule = calloc((size_t)call->n_given + 1, sizeof *schedule);
  if (!schedule) return ew_fail(err, EW_FAIL, "out of memory");
  EW_CHECK(set_text(c, call, "device", &c->build.device, err));
  EW_CHECK(set_text(c, call, "profile-file", &c->build.profile, err));
  EW_CHECK(set_text(c, call, "output", &c->output.folder, err));
  for (int i = 0, n = cli_list(call, "schedule", schedule); i < n; i++)
    EW_CHECK(set_schedule(c, schedule[i], err));
  c->mesh.trusted = cli_flag(call, "trust-recipes");
  EW_CHECK(shell_steps(call, &steps, &look, err));
  c->time.max_steps = steps;
  c->time.look = (int)look;
cleanup:
  free(schedule);
  return status;
}

/* ---- running ------------------------------------------------------------------------------------------------------------------ */

static void print_summary(const cli_call *call, const exec_summary *s) {
  char own[64] = "";
  if (s->steps_before > 0)
    snprintf(own, sizeof own, ", %lld of them behind the checkpoint,",
             (long long)(s->steps - s->steps_before));
  fprintf(call->err, "t = %.6g s after %lld step%s of %lld cells%s in %.3g s on %s (%s, driver %s)\n", s->t,
          (long long)s->steps, s->steps == 1 ? "" : "s", (long long)s->n_cells, own, s->seconds, s->device,
          s->platform, s->driver);
  fprintf(call->err, "output in %s%s%s%s%s\n", s->folder, *s->picture ? ", picture " : "", s->picture,
          *s->pvd ? ", ParaView " : "", s->pvd);
}

static void print_json_summary(const cli_call *call, const exec_summary *s) {
  fprintf(call->out,
          "{\"t\": %.17g, \"steps\": %lld, \"cells\": %lld, \"seconds\": %.6g, \"outputs\": %d, \"device\": ",
          s->t, (long long)s->steps, (long long)s->n_cells, s->seconds, s->outputs);
  shell_print_json(call->out, s->device);
  if (s->steps_before > 0) fprintf(call->out, ", \"resumed_step\": %lld", (long long)s->steps_before);
  fputs(", \"platform\": ", call->out);
  shell_print_json(call->out, s->platform);
  fputs(", \"driver\": ", call->out);
  shell_print_json(call->out, s->driver);
  fputs(", \"folder\": ", call->out);
  shell_print_json(call->out, s->folder);
  fputs(", \"picture\": ", call->out);
  shell_print_json(call->out, s->picture);
  fputs(", \"pvd\": ", call->out);
  shell_print_json(call->out, s->pvd);
  fputs("}\n", call->out);
}

/* Of a script's runs each has its own folder in that of the command line, called as in its case: else each would write over the one before. */
static ew_status own_folder(ew_case *c, const char *own, const char *below, ew_error *err) {
  const size_t home = strlen(c->folder);
  char path[EW_PATH];
  size_t used = (size_t)snprintf(path, sizeof path, "%s", below);
  if (home > 0 && strncmp(own, c->folder, home) == 0 && own[home] == '/') own += home;
  for (size_t n; *own; own += n) {
    n = strcspn(own, "/") + (strchr(own, '/') != NULL);
    const size_t word = strcspn(own, "/");
    const bool stays = word == 0 || (word == 1 && own[0] == '.') || (word == 2 && strncmp(own, "..", 2) == 0);
    if (!stays && used < sizeof path)
      used += (size_t)snprintf(path + used, sizeof path - used, "/%.*s", (int)word, own);
  }
  if (used >= sizeof path) return ew_fail(err, EW_FAIL, "the name of a folder is too long");
  c->output.folder = case_text(c, path, err);
  return c->output.folder ? EW_OK : EW_FAIL;
}

/* Does the file lie in the folder? */
static bool lies_in(const char *file, const char *folder) {
  char *path = realpath(file, NULL), *of_folder = realpath(folder, NULL),
       *slash = path ? strrchr(path, '/') : NULL;
  if (slash) *slash = '\0';
  const bool lies = slash && of_folder && strcmp(path, of_folder) == 0;
  free(path);
  free(of_folder);
  return lies;
}

/* Those of a script's runs that were not cut short begin anew: of what they leave for it only their files last. */
static void resumes(job *j, const ew_case *c, exec_options *options) {
  char folder[EW_PATH];
  if (!j->resume || !j->script) return;
  exec_output_folder(c, folder, sizeof folder);
  if (options->checkpoint && !lies_in(options->checkpoint, folder)) options->checkpoint = NULL;
  j->taken = j->taken || options->checkpoint;
  options->resume = options->checkpoint || exec_has_checkpoint(c);
  if (!options->resume && !options->quiet)
    fprintf(j->call->err, "note: no checkpoint in %s: this run of the script begins anew\n", folder);
}

/* Whether an earlier run of the script wrote into the folder, too; notes it. */
static ew_status note_folder(job *j, const ew_case *c, bool *again, ew_error *err) {
  char folder[EW_PATH];
  *again = false;
  if (!j->script) return EW_OK;
  exec_output_folder(c, folder, sizeof folder);
  for (int i = 0; i < j->n_folders; i++) *again = *again || strcmp(j->folder[i], folder) == 0;
  if (*again) return EW_OK;
  char **grown = realloc(j->folder, ((size_t)j->n_folders + 1) * sizeof *grown);
  if (!grown) return ew_fail(err, EW_FAIL, "out of memory");
  j->folder = grown;
  j->folder[j->n_folders] = strdup(folder);
  if (!j->folder[j->n_folders]) return ew_fail(err, EW_FAIL, "out of memory");
  j->n_folders++;
  return EW_OK;
}

static ew_status live(job *j, const ew_case *c, exec_options *options, exec_summary *summary, ew_error *err) {
  bool again;
  char text[sizeof err->text];
  ew_status status = note_folder(j, c, &again, err);
  resumes(j, c, options);
  if (status == EW_OK) status = exec_run_case(c, options, summary, err);
  else return status;
  if (status == EW_STOPPED && shell_stop && *summary->folder) j->saved = true;
  if (status != EW_STOPPED || !again || !*summary->folder) return status;
  snprintf(text, sizeof text, "%s", err->text);
  return ew_fail(
      err, status,
      "%s\n  hint: an earlier run of the script wrote into the same folder: `edgewise resume` takes the "
      "checkpoint for that one's; give each run a folder of its own",
      text);
}

static ew_status run_one(void *context, ew_case *c, const exec_hooks *hooks, exec_summary *summary,
                         ew_error *err) {
  job *j = context;
  const cli_call *call = j->call;
  char started[32];
  shell_now(started);
  bool quiet = cli_flag(call, "quiet");
  exec_options options = {.hooks = *hooks,
                          .stop = &shell_stop,
                          .messages = call->err,
                          .quiet = quiet,
                          .colour = cli_colour(call->err),
                          .resume = j->resume,
                          .checkpoint = j->resume ? cli_text(call, "checkpoint") : NULL,
                          .profile = cli_flag(call, "profile"),
                          .force = j->resume && cli_flag(call, "force"),
                          .started = started,
                          .command = j->command};
  char path[EW_PATH], own[EW_PATH];
  const bool has_own = j->script && c->output.folder;
  exec_output_folder(c, own, sizeof own);
  ew_status status = shell_override(call, c, err);
  if (status == EW_OK && has_own && cli_text(call, "output"))
    status = own_folder(c, own, cli_text(call, "output"), err);
  if (status == EW_OK && c->build.scheme && !c->build.manifest)
    status = exec_find_scheme(c, path, sizeof path, err);
  if (status == EW_OK) status = live(j, c, &options, summary, err);
  if (status != EW_OK) return status;
  if (!quiet) print_summary(call, summary);
  if (cli_flag(call, "json")) print_json_summary(call, summary);
  return EW_OK;
}

static ew_status run_of_script(void *context, ew_case *c, const exec_hooks *hooks, exec_summary *summary,
                               ew_error *err) {
  job *j = context;
  j->script = true;
  return run_one(j, c, hooks, summary, err);
}

static ew_status open_case(job *j, bool running, case_file **file, ew_error *err) {
  cli_call *call = j->call;
  case_file_options options = {.path = call->argument[0],
                               .n_defines = cli_list(call, "D", j->define),
                               .define = j->define,
                               .print = running && !cli_flag(call, "json") ? call->out : call->err,
                               .stop = &shell_stop,
                               .in_lua = &shell_in_lua,
                               .device = cli_text(call, "device"),
                               .run = running ? run_of_script : NULL,
                               .context = j};
  return case_file_create(&options, file, err);
}

static int with_list(job *j, int (*work)(job *j)) {
  size_t n = (size_t)j->call->n_given + 1;
  j->define = calloc(n, sizeof *j->define);
  j->command = shell_command_text(j->call);
  int status = j->define && j->command ? work(j) : cli_fail(j->call, EW_FAIL, "out of memory");
  for (int i = 0; i < j->n_folders; i++) free(j->folder[i]);
  free(j->folder);
  free(j->define);
  free(j->command);
  return status;
}

/* ---- checking ------------------------------------------------------------------------------------------------------------------ */

static int check_case(job *j, case_file *file, bool json, long steps) {
  ew_error err = {0};
  if (case_file_get(file) && shell_override(j->call, case_file_get(file), &err) != EW_OK)
    return shell_check_failed(j->call, json, &err);
  return shell_check(j->call, file, json, steps);
}

static int check_file(job *j) {
  ew_error err = {0};
  case_file *file = NULL;
  const bool json = cli_flag(j->call, "json");
  if (open_case(j, false, &file, &err) != EW_OK) return shell_check_failed(j->call, json, &err);
  int code = check_case(j, file, json, cli_integer(j->call, "run", 0));
  case_file_destroy(&file);
  return code;
}

static int check(cli_call *call) {
  job j = {.call = call};
  return with_list(&j, check_file);
}

/* ---- from file to run --------------------------------------------------------------------------------------- */

static int run_file(job *j) {
  ew_error err = {0};
  case_file *file = NULL;
  exec_summary summary = {0};
  shell_watch_signals();
  shell_outlive_readers();
  if (cli_flag(j->call, "no-cache")) setenv("EDGEWISE_CACHE", "off", 1);
  ew_status status = shell_stop_after(cli_text(j->call, "walltime"), &err);
  if (status == EW_OK) status = open_case(j, true, &file, &err);
  ew_case *c = status == EW_OK ? case_file_get(file) : NULL;
  if (c && case_file_problems(file)->n > 0) {
    int code = check_case(j, file, false, 0);
    case_file_destroy(&file);
    return code;
  }
  if (c) {
    exec_hooks hooks = case_file_hooks(file);
    status = run_one(j, c, &hooks, &summary, &err);
  }
  case_file_destroy(&file);
  if (status == EW_OK && j->script && j->resume && cli_text(j->call, "checkpoint") && !j->taken)
    fprintf(j->call->err,
            "warning: '%s' lies in the folder of no run of the script: none has gone on from it\n",
            cli_text(j->call, "checkpoint"));
  return status == EW_OK ? EW_OK : shell_end(j->call, &err, j->saved);
}

static int run(cli_call *call) {
  job j = {.call = call};
  return with_list(&j, run_file);
}

static int resume(cli_call *call) {
  job j = {.call = call, .resume = true};
  return with_list(&j, run_file);
}

/* ---- the tables ---------------------------------------------------------------------------------------------------------------- */

#define CASE_OPTIONS                                                                                         \
  {NULL, 'D', CLI_LIST, "NAME=VALUE", "value of an argument that the case declares", NULL},                  \
      {"device",                                                                                             \
       0,                                                                                                    \
       CLI_TEXT,                                                                                             \
       "SPEC",                                                                                               \
       "cpu, gpu, c, c-openmp, reference, an index, or part of a name",                                      \
       "cpu gpu c c-openmp reference"},                                                                      \
      {"output",                                                                                             \
       'o',                                                                                                  \
       CLI_TEXT,                                                                                             \
       "FOLDER",                                                                                             \
       "where output goes, instead of the case's folder; runs of a script: below it",                        \
       "folder"},                                                                                            \
      {"steps", 0, CLI_INTEGER, "N", "stop after N steps", NULL},                                            \
      {"look", 0, CLI_INTEGER, "N", "synchronise with the device every N steps (default: 16, more where they are fast)", NULL},         \
      {"trust-recipes", 0, CLI_FLAG, NULL, "let mesh recipes run programs and write files", NULL},           \
      {"schedule", 0, CLI_LIST, "NAME=VALUE", "one choice of the schedule: roe=inline", NULL}, {             \
    "profile-file", 0, CLI_TEXT, "FILE", "schedule file of a device", "file"                                 \
  }

#define RUN_OPTIONS                                                                                          \
  CASE_OPTIONS, {"quiet", 'q', CLI_FLAG, NULL, "say nothing but errors", NULL},                              \
      {"json", 0, CLI_FLAG, NULL, "a summary as JSON on stdout", NULL},                                      \
      {"profile", 0, CLI_FLAG, NULL, "measure every kernel and print a table", NULL},                        \
      {"walltime", 0, CLI_TEXT, "S", "after S seconds stop as at a signal, with a checkpoint", NULL}, {      \
    "no-cache", 0, CLI_FLAG, NULL, "build kernels anew", NULL                                                \
  }

static const cli_option CHECK_OPTION[] = {
    CASE_OPTIONS,
    {"run", 0, CLI_INTEGER, "N", "then make N steps, equation by equation", NULL},
    {"json", 0, CLI_FLAG, NULL, "problems as JSON on stdout", NULL}};
static const cli_option RUN_OPTION[] = {RUN_OPTIONS};
static const cli_option RESUME_OPTION[] = {
    RUN_OPTIONS,
    {"checkpoint", 0, CLI_TEXT, "FILE", "instead of the newest in the output folder", "file"},
    {"force", 0, CLI_FLAG, NULL, "take a checkpoint of another case; run.json says so", NULL}};

#define N_OPTIONS(table) (sizeof(table) / sizeof *(table))

const cli_command COMMAND_RUN = {
    .name = "run",
    .arguments = "CASE.lua",
    .summary = "run a case",
    .details = "Ctrl-C, SIGTERM and --walltime stop between steps and leave a checkpoint: exit status 8.",
    .least = 1,
    .most = 1,
    .complete = "file",
    .options = RUN_OPTION,
    .n_options = N_OPTIONS(RUN_OPTION),
    .run = run};

const cli_command COMMAND_RESUME = {
    .name = "resume",
    .arguments = "CASE.lua",
    .summary = "go on from a checkpoint",
    .details = "Takes the newest checkpoint in the case's output folder that is not damaged. It is refused "
               "if scheme, parameters, values, boundaries, mesh or times of output differ, or what is stored "
               "in single precision; the device and the rest of the schedule may.",
    .least = 1,
    .most = 1,
    .complete = "file",
    .options = RESUME_OPTION,
    .n_options = N_OPTIONS(RESUME_OPTION),
    .run = resume};

const cli_command COMMAND_CHECK = {.name = "check",
                                   .arguments = "CASE.lua",
                                   .summary = "report all that is wrong with a case; needs no device",
                                   .details =
                                       "Of a script that calls run(), linear.solve or linear.write_vector "
                                       "itself, what leads to the first call is checked.",
                                   .least = 1,
                                   .most = 1,
                                   .complete = "file",
                                   .options = CHECK_OPTION,
                                   .n_options = N_OPTIONS(CHECK_OPTION),
                                   .run = check};
