/* bench: races against a peer, and any case beside its device's limits. */
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/cavity.h"
#include "bench/linear.h"
#include "bench/simple_ts.h"
#include "cli/shell.h"
#include "lua/case_file.h"
#ifdef EW_HAS_PEERS
#include "bench/race.h"
#endif

enum { MOST_SETTINGS = 32, MOST_SIDE = 10000, MOST_CELLS = 1000000, MOST_STEPS = 1000000000 };

/* ---- options ------------------------------------------------------------------------------------------------------ */

/* All of them are kept as data. */
static bool wants_json(const cli_call *call) {
  return cli_flag(call, "json") || strcmp(call->argument[0], "all") == 0;
}

/* A number from 1 to `most`; 0 where the option is not given. */
static ew_status read_count(const cli_call *call, const char *name, int most, int *out, ew_error *err) {
  long value = 0;
  const ew_status status = shell_count(call, name, most, &value, err);
  *out = (int)value;
  return status;
}

/* "name=value" options as settings; the names are copies in `text`. */
static ew_status read_settings(const cli_call *call, case_setting *out, char (*text)[64], int *n,
                               ew_error *err) {
  ew_status status = EW_OK;
  const char **given = calloc((size_t)call->n_given + 1, sizeof *given);
  if (!given) return ew_fail(err, EW_FAIL, "out of memory for settings");
  *n = cli_list(call, "schedule", given);
  if (*n > MOST_SETTINGS) EW_CHECK(ew_fail(err, EW_USAGE, "more than %d settings", MOST_SETTINGS));
  for (int i = 0; i < *n; i++) {
    const char *equals = strchr(given[i], '=');
    if (!equals || equals == given[i] || equals - given[i] >= 64)
      EW_CHECK(ew_fail(err, EW_USAGE, "--schedule needs name=value, found '%s'", given[i]));
    memcpy(text[i], given[i], (size_t)(equals - given[i]));
    out[i] = (case_setting){.name = text[i], .value = equals + 1, .at = {"the command line", 0}};
  }
cleanup:
  free(given);
  return status;
}

/* ---- the benches ---------------------------------------------------------------------------------------------------- */

#ifdef EW_HAS_PEERS
static ew_status bench_race(const cli_call *call, ew_error *err) {
  ew_status status;
  case_setting settings[MOST_SETTINGS];
  char text[MOST_SETTINGS][64] = {{0}};
  race_options o = {.device = cli_text(call, "device"),
                    .cells = cli_text(call, "cells"),
                    .schedule = settings,
                    .no_peer = cli_flag(call, "no-peer"),
                    .json = wants_json(call)};
  EW_CHECK(read_settings(call, settings, text, &o.n_schedule, err));
  EW_CHECK(read_count(call, "n", MOST_SIDE, &o.n, err));
  EW_CHECK(read_count(call, "steps", MOST_STEPS, &o.steps, err));
  EW_CHECK(read_count(call, "repeats", BENCH_MOST_REPEATS, &o.repeats, err));
  EW_CHECK(race_shallow_water(&o, call->out, call->err, err));
cleanup:
  return status;
}
#else
static ew_status bench_race(const cli_call *call, ew_error *err) {
  (void)call;
  return ew_fail(err, EW_USAGE,
                 "this program was built without the peers of tests/reference (BUILD_TESTING=OFF)");
}
#endif

static ew_status bench_cube(const cli_call *call, ew_error *err) {
  ew_status status;
  const char **tries = calloc((size_t)call->n_given + 1, sizeof *tries);
  if (!tries) return ew_fail(err, EW_FAIL, "out of memory for tries");
  cavity_options o = {.device = cli_text(call, "device"),
                      .tries = tries,
                      .n_tries = cli_list(call, "try", tries),
                      .peer = !cli_flag(call, "no-peer"),
                      .json = wants_json(call)};
  EW_CHECK(read_count(call, "n", MOST_SIDE, &o.n, err));
  EW_CHECK(read_count(call, "steps", MOST_STEPS, &o.steps, err));
  EW_CHECK(read_count(call, "repeats", BENCH_MOST_REPEATS, &o.repeats, err));
  EW_CHECK(bench_cavity(&o, call->out, call->err, err));
cleanup:
  free(tries);
  return status;
}

static ew_status bench_gas(const cli_call *call, ew_error *err) {
  ew_status status;
  const char **tries = calloc((size_t)call->n_given + 1, sizeof *tries);
  if (!tries) return ew_fail(err, EW_FAIL, "out of memory for tries");
  simple_ts_options o = {.device = cli_text(call, "device"),
                         .tries = tries,
                         .n_tries = cli_list(call, "try", tries),
                         .serial = !cli_flag(call, "no-peer"),
                         .sweep = cli_flag(call, "sweep"),
                         .json = wants_json(call)};
  EW_CHECK(read_count(call, "nx", MOST_CELLS, &o.nx, err));
  EW_CHECK(read_count(call, "ny", MOST_CELLS, &o.ny, err));
  EW_CHECK(read_count(call, "squares", MOST_SIDE, &o.squares, err));
  EW_CHECK(read_count(call, "repeats", BENCH_MOST_REPEATS, &o.repeats, err));
  EW_CHECK(read_count(call, "passes", MOST_STEPS, &o.passes, err));
  EW_CHECK(bench_simple_ts(&o, call->out, call->err, err));
cleanup:
  free(tries);
  return status;
}

/* Peers are programs of the build tree: tests/peers. */
static ew_status bench_solvers(const cli_call *call, ew_error *err) {
#ifdef EW_PEERS_DIR
  const char *peers = cli_flag(call, "no-peer") ? NULL : EW_PEERS_DIR;
#else
  const char *peers = NULL;
#endif
  ew_status status;
  linear_bench_options o = {.device = cli_text(call, "device"), .peers = peers, .json = wants_json(call)};
  EW_CHECK(read_count(call, "n", MOST_SIDE, &o.n, err));
  EW_CHECK(read_count(call, "repeats", BENCH_MOST_REPEATS, &o.repeats, err));
  EW_CHECK(bench_linear(&o, call->out, call->err, err));
cleanup:
  return status;
}

/* Behind what the case says itself. */
static ew_status add_settings(const cli_call *call, ew_case *c, char (*text)[64], ew_error *err) {
  ew_status status;
  case_setting settings[MOST_SETTINGS];
  int n = 0;
  EW_CHECK(read_settings(call, settings, text, &n, err));
  for (int i = 0; i < n; i++) {
    case_setting *s = case_append(c, &c->build.schedule, &c->build.n_schedule, sizeof *s, err);
    if (!s) return EW_FAIL;
    *s = settings[i];
  }
cleanup:
  return status;
}

static ew_status bench_file(const cli_call *call, ew_error *err) {
  ew_status status;
  case_file *file = NULL;
  bench_result result = {0};
  char text[MOST_SETTINGS][64] = {{0}};
  int steps = 0;
  const char **define = calloc((size_t)call->n_given + 1, sizeof *define);
  if (!define) return ew_fail(err, EW_FAIL, "out of memory for arguments");
  case_file_options o = {.path = call->argument[0],
                         .n_defines = cli_list(call, "D", define),
                         .define = define,
                         .print = call->err,
                         .run = shell_refuse_run,
                         .context = "bench"};
  bench_options b = {.messages = call->err};
  EW_CHECK(read_count(call, "steps", MOST_STEPS, &steps, err));
  EW_CHECK(read_count(call, "repeats", BENCH_MOST_REPEATS, &b.repeats, err));
  b.steps = steps;
  EW_CHECK(case_file_create(&o, &file, err));
  ew_case *c = case_file_get(file);
  EW_CHECK(problems_status(case_file_problems(file), err));
  if (!c)
    EW_CHECK(ew_fail(err, EW_INPUT, "%s runs its cases itself: a bench needs a script that returns one",
                     call->argument[0]));
  if (cli_text(call, "device")) c->build.device = cli_text(call, "device");
  EW_CHECK(add_settings(call, c, text, err));
  EW_CHECK(bench_case(c, &b, &result, err));
  if (wants_json(call)) bench_print_json(&result, call->out);
  else bench_print(&result, call->out);
cleanup:
  bench_clear(&result);
  case_file_destroy(&file);
  free(define);
  return status;
}

/* One line a bench; one that fails does not keep the others from running. */
static ew_status bench_all(const cli_call *call, ew_error *err);

/* ---- which of them ---------------------------------------------------------------------------------------------------- */

typedef struct bench_kind {
  const char *name;    /* NULL: a case file */
  const char *options; /* those that it reads, each behind a space and its dashes */
  ew_status (*run)(const cli_call *call, ew_error *err);
} bench_kind;

static const bench_kind KINDS[] = {
    {"shallow_water", " --device --schedule --n --cells --steps --repeats --no-peer --json", bench_race},
    {"simple_ts", " --device --nx --ny --squares --passes --repeats --sweep --try --no-peer --json",
     bench_gas},
    {"cavity", " --device --n --steps --repeats --try --no-peer --json", bench_cube},
    {"linear", " --device --n --repeats --no-peer --json", bench_solvers},
    {"all", " --device --repeats --no-peer --json", bench_all},
    {NULL, " -D --device --schedule --steps --repeats --json", bench_file}};

static ew_status bench_all(const cli_call *call, ew_error *err) {
  ew_status first = EW_OK;
  for (const bench_kind *k = KINDS; k->run != bench_all; k++) {
    ew_error found = {0};
    fprintf(call->err, "bench %s ...\n", k->name);
    const ew_status status = k->run(call, &found);
    fflush(call->out);
    if (status == EW_OK) continue;
    fprintf(call->err, "bench %s failed: %s\n", k->name, found.text);
    if (first == EW_OK) first = status, *err = found;
  }
  return first;
}

static const bench_kind *find_kind(const char *name) {
  const bench_kind *k = KINDS;
  while (k->name && strcmp(k->name, name) != 0) k++;
  return k;
}

static int bench(cli_call *call) {
  ew_error err = {0};
  const bench_kind *k = find_kind(call->argument[0]);
  char subject[64];
  snprintf(subject, sizeof subject, "bench %s", k->name ? k->name : "CASE.lua");
  ew_status status = shell_takes(call, subject, k->options, &err);
  if (status == EW_OK) status = k->run(call, &err);
  return status == EW_OK ? EW_OK : shell_fail(call, &err);
}

static const cli_option OPTIONS[] = {
    {NULL, 'D', CLI_LIST, "NAME=VALUE", "CASE.lua: value of an argument that the case declares", NULL},
    {"device", 'd', CLI_TEXT, "SPEC", "index, part of a name, cpu, gpu, c or c-openmp", NULL},
    {"schedule", 's', CLI_LIST, "NAME=VALUE", "a setting of the schedule", NULL},
    {"n", 'n', CLI_INTEGER, "N",
     "along a side: blocks of shallow_water (500; on GPUs 1414) and cavity (14, 28 and 56), nodes of linear "
     "(57 and 100; on GPUs 128)",
     NULL},
    {"cells", 0, CLI_TEXT, "ORDER", "shallow_water: order of the cells: none, rcm, hilbert, random (rcm)",
     NULL},
    {"steps", 0, CLI_INTEGER, "N", "steps of one measurement", NULL},
    {"repeats", 0, CLI_INTEGER, "N", "measurements (5 or 3); the median counts", NULL},
    {"nx", 0, CLI_INTEGER, "N", "simple_ts: cells along the channel (504; on GPUs 4032)", NULL},
    {"ny", 0, CLI_INTEGER, "N", "simple_ts: cells across (100; on GPUs 2000)", NULL},
    {"squares", 0, CLI_INTEGER, "N", "simple_ts: one above the other (1)", NULL},
    {"passes", 0, CLI_INTEGER, "N", "simple_ts: inner iterations of a step (100)", NULL},
    {"sweep", 0, CLI_FLAG, NULL,
     "simple_ts: rows and columns of a window's subdomains, for each scheme or try", NULL},
    {"try", 0, CLI_LIST, "SETTINGS",
     "simple_ts, cavity: NAME=VALUE,...; of the schedule, or device, preconditioner, variant.NAME", NULL},
    {"no-peer", 0, CLI_FLAG, NULL, "without what it is raced against", NULL},
    {"json", 0, CLI_FLAG, NULL, "one line of JSON", NULL}};

const cli_command COMMAND_BENCH = {
    .name = "bench",
    .arguments = "shallow_water | simple_ts | cavity | linear | all | CASE.lua",
    .summary = "measure speed beside the device's limits and a peer",
    .details =
        "shallow_water  generated code beside the C written by hand of tests/reference, once both agree\n"
        "simple_ts      an inner iteration of a gas in a microchannel, beside one core with C of the same "
        "variants\n"
        "cavity         a step of the lid-driven cube at Re 100, split as in paper 000, beside generated C "
        "with OpenMP\n"
        "linear         sparse products and solvers, beside ViennaCL and PETSc where they are installed\n"
        "all            these four as lines of JSON, of which `edgewise report FILE` makes a page\n"
        "CASE.lua       a case without its output: its loop, its kernels, their share of the device's triad",
    .least = 1,
    .most = 1,
    .complete = "file",
    .options = OPTIONS,
    .n_options = sizeof OPTIONS / sizeof *OPTIONS,
    .run = bench};
