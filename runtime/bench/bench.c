#include "bench/bench.h"

#include <stdlib.h>
#include <string.h>

#include "base/timing.h"

enum { DEFAULT_REPEATS = 5, TRIAL_STEPS = 8, LOOK = 256 };
static const double REPEAT_SECONDS = 0.5;
static const double NEVER = 1e30; /* s of simulated time: only the number of steps ends a repeat */

typedef struct bench {
  exec_domain domain;
  dev_context *device;
  dslc_program *program;
  exec_run *run;
} bench;

static void close_bench(bench *b) {
  exec_destroy(&b->run);
  dslc_program_destroy(&b->program);
  dev_context_destroy(&b->device);
  exec_domain_clear(&b->domain);
}

static ew_status open_bench(bench *b, const ew_case *c, const bench_options *o, bench_result *r,
                            ew_error *err) {
  ew_status status = EW_OK;
  exec_problems problems = {0};
  EW_CHECK(exec_domain_create(c, &b->domain, err));
  EW_CHECK(dev_context_create(c->build.device, &b->device, err));
  double begun = ew_seconds();
  EW_CHECK(exec_program(c, &b->domain, b->device, o->messages, &b->program, err));
  r->compile_seconds = ew_seconds() - begun;
  EW_CHECK(exec_check(c, b->program, &b->domain, &problems, err));
  if (problems.n && o->messages) exec_problems_print(&problems, o->messages);
  if (problems.n)
    EW_CHECK(
        ew_fail(err, EW_INPUT, "%d problems in the case; the first: %s", problems.n, problems.item[0].text));
  begun = ew_seconds();
  EW_CHECK(exec_create(b->device, b->program, &b->domain, c, &b->run, err));
  r->create_seconds = ew_seconds() - begun;
cleanup:
  exec_problems_clear(&problems);
  return status;
}

bool bench_on_gpu(const char *spec) {
  dev_list *list = NULL;
  size_t at = 0;
  ew_error err = {0};
  const bool gpu = dev_list_create_for(spec, &list, &err) == EW_OK &&
                   dev_list_choose(list, spec, &at, &err) == EW_OK && list->items[at].type == DEV_GPU;
  dev_list_destroy(&list);
  return gpu;
}

/* ---- timing ---------------------------------------------------------------------------------------------------- */

static ew_status time_steps(bench *b, int64_t steps, double *seconds, ew_error *err) {
  ew_status status = EW_OK;
  exec_until until = {.t_stop = NEVER, .max_steps = steps, .look = steps < LOOK ? (int)steps : LOOK};
  EW_CHECK(dev_finish(b->device, err));
  double begun = ew_seconds();
  EW_CHECK(exec_advance(b->run, &until, err));
  *seconds = ew_seconds() - begun;
cleanup:
  return status;
}

/* The first steps build caches and raise clocks: they are not counted, but say how many make a repeat. */
static ew_status choose_steps(bench *b, int64_t wanted, int64_t *steps, ew_error *err) {
  ew_status status = EW_OK;
  double seconds = 0;
  EW_CHECK(time_steps(b, TRIAL_STEPS, &seconds, err));
  EW_CHECK(time_steps(b, TRIAL_STEPS, &seconds, err));
  *steps = wanted > 0 ? wanted : (int64_t)(REPEAT_SECONDS * TRIAL_STEPS / (seconds > 0 ? seconds : 1)) + 1;
cleanup:
  return status;
}

static ew_status time_repeats(bench *b, bench_result *r, ew_error *err) {
  ew_status status = EW_OK;
  double *seconds = calloc((size_t)r->repeats, sizeof *seconds);
  if (!seconds) return ew_fail(err, EW_FAIL, "out of memory for %d repeats", r->repeats);
  for (int i = 0; i < r->repeats; i++) EW_CHECK(time_steps(b, r->steps, &seconds[i], err));
  r->step_seconds = ew_median(seconds, r->repeats) / (double)r->steps; /* sorts */
  r->best = seconds[0] / (double)r->steps;
  r->worst = seconds[r->repeats - 1] / (double)r->steps;
cleanup:
  free(seconds);
  return status;
}

static ew_status time_kernels(bench *b, bench_result *r, ew_error *err) {
  ew_status status = EW_OK;
  double seconds;
  EW_CHECK(exec_profile_start(b->run, err));
  EW_CHECK(time_steps(b, r->steps, &seconds, err));
  EW_CHECK(exec_profile_stop(b->run, &r->kernels, err));
  for (int i = 0; i < r->kernels.n; i++) r->bytes += r->kernels.kernel[i].bytes;
  r->bytes /= (double)r->steps * r->n_cells;
cleanup:
  return status;
}

/* "default (CPU), group = 32": what was compiled with, and what the case or the command line says of it. */
static void name_schedule(bench_result *r, const ew_case *c, const dslc_program *p) {
  size_t used = (size_t)snprintf(r->profile, sizeof r->profile, "%.200s",
                                 p->identity.profile ? p->identity.profile : "");
  for (int i = 0; i < c->build.n_schedule && used < sizeof r->profile; i++)
    used += (size_t)snprintf(r->profile + used, sizeof r->profile - used, ", %s = %s",
                             c->build.schedule[i].name, c->build.schedule[i].value);
}

ew_status bench_case(const ew_case *c, const bench_options *options, bench_result *r, ew_error *err) {
  ew_status status = EW_OK;
  bench b = {0};
  *r = (bench_result){.repeats = options->repeats ? options->repeats : DEFAULT_REPEATS};
  if (options->steps < 0 || r->repeats < 1 || r->repeats > BENCH_MOST_REPEATS)
    return ew_fail(err, EW_USAGE, "a bench takes 1 to %d repeats of at least one step", BENCH_MOST_REPEATS);
  EW_CHECK(open_bench(&b, c, options, r, err));
  r->n_cells = exec_domain_cells(&b.domain);
  snprintf(r->name, sizeof r->name, "%s", c->name ? c->name : b.program->identity.scheme);
  snprintf(r->scheme, sizeof r->scheme, "%s", b.program->identity.scheme);
  name_schedule(r, c, b.program);
  snprintf(r->device, sizeof r->device, "%s", dev_name(b.device));
  EW_CHECK(dev_measure_rates(b.device, &r->rates, err));
  EW_CHECK(choose_steps(&b, options->steps, &r->steps, err));
  EW_CHECK(time_repeats(&b, r, err));
  EW_CHECK(time_kernels(&b, r, err));
  r->cell_steps = r->n_cells / r->step_seconds;
  r->triad_share = r->rates.triad_gbs > 0 ? 1e-9 * r->bytes * r->cell_steps / r->rates.triad_gbs : 0;
cleanup:
  close_bench(&b);
  return status;
}

void bench_clear(bench_result *r) { exec_profile_clear(&r->kernels); }
