#include "bench/compare.h"

#include <stdlib.h>
#include <string.h>

#include "base/timing.h"

/* ---- settings --------------------------------------------------------------------------------------------------- */

static ew_status add_setting(compare_entry *e, char *name, const char *value, ew_error *err) {
  static const char variant[] = "variant.";
  bool is_variant = strncmp(name, variant, sizeof variant - 1) == 0;
  int *n = is_variant ? &e->n_variants : &e->n_schedule;
  if (strcmp(name, "device") == 0) {
    e->device = value;
    return EW_OK;
  }
  if (strcmp(name, "preconditioner") == 0) {
    e->preconditioner = value;
    return EW_OK;
  }
  if (*n == COMPARE_SETTINGS)
    return ew_fail(err, EW_USAGE, "more than %d settings in one try", COMPARE_SETTINGS);
  case_setting s = {
      .name = is_variant ? name + sizeof variant - 1 : name, .value = value, .at = {"the command line", 0}};
  (is_variant ? e->variant : e->schedule)[(*n)++] = s;
  return EW_OK;
}

static ew_status parse_settings(const char *text, compare_entry *e, ew_error *err) {
  ew_status status = EW_OK;
  if (strlen(text) >= sizeof e->text)
    return ew_fail(err, EW_USAGE, "a try of more than %zu letters", sizeof e->text - 1);
  strcpy(e->text, text);
  strcpy(e->label, *text ? text : "default");
  for (char *at = e->text, *next; at && *at; at = next) {
    next = strchr(at, ',');
    if (next) *next++ = '\0';
    char *equals = strchr(at, '=');
    if (!equals || equals == at)
      return ew_fail(err, EW_USAGE, "a try is a list of name=value, found '%s'", at);
    *equals = '\0';
    EW_CHECK(add_setting(e, at, equals + 1, err));
  }
cleanup:
  return status;
}

ew_status compare_entries(const char *device, const char *const *tries, int n_tries, compare_entry *entry,
                          int *n, ew_error *err) {
  ew_status status = EW_OK;
  *n = 0;
  if (n_tries > COMPARE_TRIES) return ew_fail(err, EW_USAGE, "at most %d tries", COMPARE_TRIES);
  for (int i = 0; i < n_tries; i++, (*n)++) {
    entry[*n].device = device;
    entry[*n].against = -1;
    EW_CHECK(parse_settings(tries[i], &entry[*n], err));
  }
cleanup:
  return status;
}

/* ---- one entry --------------------------------------------------------------------------------------------------- */

typedef struct runner {
  ew_case *c;
  exec_domain domain;
  dev_context *device;
  dslc_program *program;
  exec_run *run;
  double seconds[BENCH_MOST_REPEATS];
} runner;

static void close_runner(runner *r) {
  exec_destroy(&r->run);
  dslc_program_destroy(&r->program);
  dev_context_destroy(&r->device);
  exec_domain_clear(&r->domain);
  case_destroy(&r->c);
}

static ew_status take_steps(runner *r, int steps, double *seconds, ew_error *err) {
  ew_status status = EW_OK;
  exec_until until = {.t_stop = 1e30, .max_steps = steps};
  EW_CHECK(dev_finish(r->device, err));
  double begun = ew_seconds();
  EW_CHECK(exec_advance(r->run, &until, err));
  EW_CHECK(dev_finish(r->device, err));
  *seconds = ew_seconds() - begun;
cleanup:
  return status;
}

static ew_status open_runner(const compare_task *t, compare_entry *e, runner *r, FILE *log, ew_error *err) {
  ew_status status;
  double seconds;
  EW_CHECK(case_create(&r->c, err));
  EW_CHECK(t->make(t->context, e, r->c, err));
  r->c->build.device = e->device;
  r->c->build.by_rule = true;
  r->c->solver.preconditioner = e->preconditioner;
  r->c->build.schedule = e->schedule, r->c->build.n_schedule = e->n_schedule;
  r->c->build.variant = e->variant, r->c->build.n_variants = e->n_variants;
  EW_CHECK(exec_domain_create(r->c, &r->domain, err));
  EW_CHECK(dev_context_create(e->device, &r->device, err));
  EW_CHECK(exec_program(r->c, &r->domain, r->device, log, &r->program, err));
  exec_bound_passes(r->program, t->most_passes);
  EW_CHECK(exec_create(r->device, r->program, &r->domain, r->c, &r->run, err));
  e->n_cells = exec_domain_cells(&r->domain);
  e->units = t->units(t->context, r->program, e->n_cells);
  e->device_bytes = dev_get_stats(r->device).device_bytes;
  snprintf(e->device_name, sizeof e->device_name, "%s", dev_name(r->device));
  EW_CHECK(take_steps(r, 1, &seconds, err));
  if (r->program->execution.n_solves > 0) e->first_iterations = exec_get_solve(r->run, 0).last;
  if (t->warm_up > 1) EW_CHECK(take_steps(r, t->warm_up - 1, &seconds, err));
cleanup:
  return status;
}

/* ---- measuring --------------------------------------------------------------------------------------------------- */

static void note_failure(compare_entry *e, const ew_error *err) {
  snprintf(e->failed, sizeof e->failed, "%.255s", err->text);
}

static void time_entry(const compare_task *t, compare_entry *e, runner *r, int round) {
  ew_error err = {0};
  if (e->failed[0]) return;
  dev_stats before = dev_get_stats(r->device);
  bool solves = r->program->execution.n_solves > 0;
  exec_solve_cost cost = solves ? exec_get_solve(r->run, 0) : (exec_solve_cost){0};
  if (take_steps(r, t->steps, &r->seconds[round], &err) != EW_OK) note_failure(e, &err);
  dev_stats after = dev_get_stats(r->device);
  exec_solve_cost total = solves ? exec_get_solve(r->run, 0) : cost;
  e->solves += (double)(total.solves - cost.solves);
  e->solve_seconds += total.seconds - cost.seconds;
  e->iterations += (double)(total.iterations - cost.iterations);
  e->launches_per_step = (after.launches - before.launches) / (uint64_t)t->steps;
  e->transfers_per_step = (after.transfers_to_host + after.transfers_to_device - before.transfers_to_host -
                           before.transfers_to_device) /
                          (uint64_t)t->steps;
  e->bytes_per_step =
      (after.bytes_to_host + after.bytes_to_device - before.bytes_to_host - before.bytes_to_device) /
      (uint64_t)t->steps;
}

/* Further steps, with the kernels' times. */
static void profile_entry(const compare_task *t, compare_entry *e, runner *r) {
  ew_error err = {0};
  double seconds;
  if (e->failed[0] || !t->profile) return;
  if (exec_profile_start(r->run, &err) != EW_OK || take_steps(r, t->steps, &seconds, &err) != EW_OK ||
      exec_profile_stop(r->run, &e->kernels, &err) != EW_OK)
    note_failure(e, &err);
}

/* ---- references ------------------------------------------------------------------------------------------------------ */

typedef struct tries {
  const compare_task *task;
  compare_entry *entry; /* [*n], room for COMPARE_ENTRIES */
  runner *runner;
  int *n;
  FILE *log;
} tries;

/* Defaults count: a try that leaves a variant alone makes the same choice as one that names the default. */
static bool same_choice(const dslc_program *a, const dslc_program *b) {
  if (a->model.n_variants != b->model.n_variants) return false;
  for (int i = 0; i < a->model.n_variants; i++)
    if (a->model.variant[i].chosen != b->model.variant[i].chosen) return false;
  return true;
}

/* Named as the try names its variants. */
static ew_status make_reference(const char *settings, const compare_entry *try, compare_entry *e,
                                ew_error *err) {
  char text[2 * COMPARE_TEXT];
  int at = snprintf(text, sizeof text, "%s", settings);
  for (int i = 0; i < try->n_variants && at < (int)sizeof text; i++)
    at += snprintf(text + at, sizeof text - (size_t)at, ",variant.%s=%s", try->variant[i].name,
                   try->variant[i].value);
  *e = (compare_entry){.reference = true};
  return parse_settings(text, e, err);
}

/* Numbers up to `n` are taken. One whose try could not be built has none, and needs none. */
static ew_status find_reference(tries *all, int try, ew_error *err) {
  ew_status status = EW_OK;
  const compare_task *t = all->task;
  compare_entry *entry = all->entry;
  runner *r = all->runner;
  const int last = *all->n;
  ew_error one = {0};
  if (!t->reference || entry[try].failed[0]) return EW_OK;
  for (int i = 0; i < try && entry[try].against < 0; i++)
    if (entry[i].against >= 0 && same_choice(r[i].program, r[try].program))
      entry[try].against = entry[i].against;
  if (entry[try].against >= 0) return EW_OK;
  EW_CHECK(make_reference(t->reference, &entry[try], &entry[last], err));
  entry[last].against = entry[try].against = last;
  if (open_runner(t, &entry[last], &r[last], all->log, &one) != EW_OK) note_failure(&entry[last], &one);
  ++*all->n;
cleanup:
  return status;
}

/* ---- all ------------------------------------------------------------------------------------------------------------- */

void compare_clear(compare_entry *entry, int n) {
  for (int i = 0; i < n; i++) exec_profile_clear(&entry[i].kernels);
}

static ew_status open_all(tries *all, ew_error *err) {
  ew_status status = EW_OK;
  const int n_tries = *all->n;
  for (int i = 0; i < n_tries; i++) {
    ew_error one = {0};
    if (open_runner(all->task, &all->entry[i], &all->runner[i], all->log, &one) != EW_OK)
      note_failure(&all->entry[i], &one);
  }
  for (int i = 0; i < n_tries; i++) EW_CHECK(find_reference(all, i, err));
cleanup:
  return status;
}

ew_status compare_run(const compare_task *t, compare_entry *entry, int *n, FILE *log, ew_error *err) {
  ew_status status;
  if (t->steps < 1 || t->repeats < 1 || t->repeats > BENCH_MOST_REPEATS)
    return ew_fail(err, EW_USAGE, "a bench takes 1 to %d repeats of at least one step", BENCH_MOST_REPEATS);
  runner *r = calloc(COMPARE_ENTRIES, sizeof *r);
  if (!r) return ew_fail(err, EW_FAIL, "out of memory for %d tries", *n);
  EW_CHECK(open_all(&(tries){t, entry, r, n, log}, err));
  for (int round = 0; round < t->repeats; round++)
    for (int i = 0; i < *n; i++) time_entry(t, &entry[i], &r[i], round);
  for (int i = 0; i < *n; i++) {
    entry[i].step_seconds = ew_median(r[i].seconds, t->repeats) / t->steps;
    profile_entry(t, &entry[i], &r[i]);
  }
cleanup:
  for (int i = 0; i < COMPARE_ENTRIES; i++) close_runner(&r[i]);
  free(r);
  return status;
}

/* ---- figures --------------------------------------------------------------------------------------------------------- */

double compare_nanoseconds(const compare_entry *e) { return 1e9 * e->step_seconds / e->units; }

double compare_ratio(const compare_entry *entry, int which) {
  const compare_entry *e = &entry[which], *to = e->against >= 0 ? &entry[e->against] : NULL;
  if (e->failed[0] || !to || to->failed[0]) return 0;
  return compare_nanoseconds(to) / compare_nanoseconds(e);
}

ew_status bench_add_value(ew_case *c, case_value **list, int *n, const case_value *value, ew_error *err) {
  case_value *v = case_append(c, list, n, sizeof *v, err);
  if (!v) return EW_FAIL;
  *v = *value;
  return EW_OK;
}
