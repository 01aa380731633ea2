/* bench: races against a peer, and any case beside its device's limits. */
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/linear.h"
#include "bench/cavity.h"
#include "bench/simple_ts.h"
#include "cli/shell.h"
#include "lua/case_file.h"
#ifdef EW_HAS_PEERS
#include "bench/race.h"
#endif

enum { MOST_SETTINGS = 32 };

/* "name=value" options as settings; the names are copies in `text`. */
static int read_settings(const cli_call *call, case_setting *out, char (*text)[64], ew_error *err) {
  const char **given = calloc((size_t)call->n_given + 1, sizeof *given);
  int n = given ? cli_list(call, "schedule", given) : 0;
  if (n > MOST_SETTINGS) n = MOST_SETTINGS;
  for (int i = 0; i < n; i++) {
    const char *equals = strchr(given[i], '=');
    if (!equals || equals == given[i] || equals - given[i] >= 64) {
      ew_fail(err, EW_USAGE, "--schedule needs name=value, found '%s'", given[i]);
      n = -1;
      break;
    }
    memcpy(text[i], given[i], (size_t)(equals - given[i]));
    out[i] = (case_setting){.name = text[i], .value = equals + 1, .at = {"the command line", 0}};
  }
  free(given);
  return n;
}

#ifdef EW_HAS_PEERS
static ew_status bench_race(const cli_call *call, const case_setting *settings, int n, ew_error *err) {
  race_options o = {.device = cli_text(call, "device"),
                    .cells = cli_text(call, "cells"),
                    .schedule = settings,
                    .n_schedule = n,
                    .no_peer = cli_flag(call, "no-peer"),
                    .json = cli_flag(call, "json")};
  o.n = (int)cli_integer(call, "n", 0);
  o.steps = (int)cli_integer(call, "steps", 0);
  o.repeats = (int)cli_integer(call, "repeats", 0);
  return race_shallow_water(&o, call->out, call->err, err);
}
#else
static ew_status bench_race(const cli_call *call, const case_setting *settings, int n, ew_error *err) {
  (void)call, (void)settings, (void)n;
  return ew_fail(err, EW_USAGE,
                 "this program was built without the peers of tests/reference (BUILD_TESTING=OFF)");
}
#endif

static ew_status bench_cube(const cli_call *call, ew_error *err) {
  const char **tries = calloc((size_t)call->n_given + 1, sizeof *tries);
  if (!tries) return ew_fail(err, EW_FAIL, "out of memory");
  cavity_options o = {.device = cli_text(call, "device"),
                      .tries = tries,
                      .peer = !cli_flag(call, "no-peer"),
                      .json = cli_flag(call, "json")};
  o.n_tries = cli_list(call, "try", tries);
  o.n = (int)cli_integer(call, "n", 0);
  o.steps = (int)cli_integer(call, "steps", 0);
  o.repeats = (int)cli_integer(call, "repeats", 0);
  ew_status status = bench_cavity(&o, call->out, call->err, err);
  free(tries);
  return status;
}

static ew_status bench_gas(const cli_call *call, ew_error *err) {
  const char **tries = calloc((size_t)call->n_given + 1, sizeof *tries);
  if (!tries) return ew_fail(err, EW_FAIL, "out of memory");
  simple_ts_options o = {.device = cli_text(call, "device"),
                         .tries = tries,
                         .serial = !cli_flag(call, "no-peer"),
                         .json = cli_flag(call, "json")};
  o.n_tries = cli_list(call, "try", tries);
  o.nx = (int)cli_integer(call, "nx", 0);
  o.ny = (int)cli_integer(call, "ny", 0);
  o.squares = (int)cli_integer(call, "squares", 0);
  o.repeats = (int)cli_integer(call, "repeats", 0);
  ew_status status = bench_simple_ts(&o, call->out, call->err, err);
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
  const linear_bench_options o = {.device = cli_text(call, "device"),
                                  .n = (int)cli_integer(call, "n", 0),
                                  .repeats = (int)cli_integer(call, "repeats", 0),
                                  .peers = peers,
                                  .json = cli_flag(call, "json")};
  return bench_linear(&o, call->out, call->err, err);
}

static ew_status bench_file(const cli_call *call, case_setting *settings, int n, ew_error *err) {
  ew_status status;
  case_file *file = NULL;
  bench_result result = {0};
  case_file_options o = {.path = call->argument[0], .print = call->err};
  EW_CHECK(case_file_create(&o, &file, err));
  ew_case *c = case_file_get(file);
  EW_CHECK(problems_status(case_file_problems(file), err));
  if (!c)
    EW_CHECK(ew_fail(err, EW_INPUT, "%s runs its cases itself: a bench needs a script that returns one",
                     call->argument[0]));
  if (cli_text(call, "device")) c->device = cli_text(call, "device");
  for (int i = 0; i < n; i++) {
    case_setting *s = case_append(c, &c->schedule, &c->n_schedule, sizeof *s, err);
    if (s) *s = settings[i];
  }
  bench_options b = {.steps = cli_integer(call, "steps", 0),
                     .repeats = (int)cli_integer(call, "repeats", 0),
                     .messages = call->err};
  EW_CHECK(bench_case(c, &b, &result, err));
  if (cli_flag(call, "json")) bench_print_json(&result, call->out);
  else bench_print(&result, call->out);
cleanup:
  bench_clear(&result);
  case_file_destroy(&file);
  return status;
}

static int bench(cli_call *call) {
  ew_error err = {0};
  case_setting settings[MOST_SETTINGS];
  char text[MOST_SETTINGS][64] = {{0}};
  int n = read_settings(call, settings, text, &err);
  if (n < 0) return shell_fail(call, &err);
  const char *what = call->argument[0];
  ew_status status = strcmp(what, "shallow_water") == 0 ? bench_race(call, settings, n, &err)
                     : strcmp(what, "simple_ts") == 0   ? bench_gas(call, &err)
                     : strcmp(what, "cavity") == 0      ? bench_cube(call, &err)
                     : strcmp(what, "linear") == 0      ? bench_solvers(call, &err)
                                                        : bench_file(call, settings, n, &err);
  return status == EW_OK ? EW_OK : shell_fail(call, &err);
}

static const cli_option OPTIONS[] = {
    {"device", 'd', CLI_TEXT, "SPEC", "index, part of a name, cpu, gpu, c or c-openmp", NULL},
    {"schedule", 's', CLI_LIST, "NAME=VALUE", "a setting of the schedule; repeatable", NULL},
    {"n", 'n', CLI_INTEGER, "N", "shallow_water: blocks along a side (500); linear: nodes (57 and 100)",
     NULL},
    {"cells", 0, CLI_TEXT, "ORDER", "order of the cells: none, rcm, hilbert, random (rcm)", NULL},
    {"steps", 0, CLI_INTEGER, "N", "steps of one measurement", NULL},
    {"repeats", 0, CLI_INTEGER, "N", "measurements (5, linear 3); the median counts", NULL},
    {"nx", 0, CLI_INTEGER, "N", "simple_ts: cells along the channel (504)", NULL},
    {"ny", 0, CLI_INTEGER, "N", "simple_ts: cells across (100)", NULL},
    {"squares", 0, CLI_INTEGER, "N", "simple_ts: one above the other (1)", NULL},
    {"try", 0, CLI_LIST, "SETTINGS",
     "simple_ts, cavity: NAME=VALUE,...: of the schedule, device=, preconditioner=, variant.NAME=; "
     "repeatable",
     NULL},
    {"no-peer", 0, CLI_FLAG, NULL, "without what it is raced against", NULL},
    {"json", 0, CLI_FLAG, NULL, "one line of JSON", NULL}};

const cli_command COMMAND_BENCH = {
    .name = "bench",
    .arguments = "shallow_water | simple_ts | cavity | linear | CASE.lua",
    .summary = "measure speed beside the device's limits and a peer",
    .details = "shallow_water races the generated code against the hand-written C solver of tests/reference, "
               "in turn in one "
               "process, after checking that both agree. simple_ts measures an inner iteration of the gas in "
               "a microchannel, in "
               "several schedules, beside one core running the generated serial C. cavity measures a step of "
               "the lid-driven cube at "
               "Re 100, its solves and kernels, beside the generated C with OpenMP. linear measures "
               "sparse products and solvers beside ViennaCL and PETSc, where those are installed. A case "
               "file is measured without output: its loop, its kernels, and "
               "their share of the device's triad.",
    .least = 1,
    .most = 1,
    .complete = "file",
    .options = OPTIONS,
    .n_options = sizeof OPTIONS / sizeof *OPTIONS,
    .run = bench};
