/* A case from start to end. */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/timing.h"
#include "output/output.h"
#include "case/paths.h"
#include "formats/atomic_file.h"
#include "formats/run_json.h"
#include "output/progress.h"
#include "run/ensemble.h"
#include "run/keep.h"
#include "run/lock.h"
#include "run/warnings.h"

enum { DEFAULT_LOOK = 16, MOST_LOOK = 1024 };
static const double FAST_CHUNK = 1e-2; /* s: a look is less than a hundredth of it */

/* All that lives as long as the case runs. */
typedef struct exec_life {
  const ew_case *c;
  exec_options options;
  exec_domain domain;
  dev_context *device;
  dslc_program *program;
  exec_run *run;
  exec_output *output;
  progress line;
  exec_lock lock;
  char from[EW_PATH]; /* the checkpoint, or "" */
  exec_resumed resumed;
  exec_origin origin;
  exec_times times;
  double begun, saved; /* clock: the start; the last checkpoint */
  int next_time;       /* of the case's output times */
  int64_t pace;        /* steps from one look to the next, unless the case says how many */
  double loop_began;   /* clock; 0: the run has not come so far */
  bool ended;          /* the end is met, and the case's last hook has been called */
  ew_status failed;    /* why it cannot go on, or EW_OK */
  exec_warnings warnings;
} life;

/* ---- before the run -------------------------------------------------------------------------------------------------------- */

static ew_status check(life *l, const dslc_program *program, ew_error *err) {
  exec_problems problems = {0};
  ew_status status = exec_check(l->c, program, &l->domain, &problems, err);
  if (status == EW_OK && problems.n > 0) {
    char first[512];
    if (l->options.messages) exec_problems_print(&problems, l->options.messages);
    exec_where(problems.item[0].at, first, sizeof first);
    if (l->options.messages)
      status = ew_fail(err, EW_INPUT, "%d problem%s in the case", problems.n, problems.n == 1 ? "" : "s");
    else status = ew_fail(err, EW_INPUT, "%s%s", first, problems.item[0].text);
  }
  exec_problems_clear(&problems);
  return status;
}

static ew_status resume(life *l, ew_error *err) {
  if (!l->options.resume && !l->options.checkpoint) return EW_OK;
  exec_heard heard;
  exec_options options = l->options;
  options.messages = exec_hear(&heard, l->options.messages);
  ew_status status = exec_keep_resume(l->run, &options, l->from, sizeof l->from, &l->resumed, err);
  exec_heard_end(&heard, &l->warnings, l->options.messages);
  l->origin = (exec_origin){l->from, l->resumed.differences, exec_time(l->run), exec_steps(l->run)};
  return status;
}

/* Where warnings go that a quiet run does not show, or NULL. */
static FILE *shown(const life *l) { return l->options.quiet ? NULL : l->options.messages; }

/* A quiet run shows what the compiler says only if it fails: then a scheme's errors, not just their number. */
static ew_status compile(life *l, ew_error *err) {
  exec_heard heard;
  FILE *out = exec_hear(&heard, l->options.messages);
  ew_status status = exec_program(l->c, &l->domain, l->device, out, &l->program, err);
  exec_heard_end(&heard, &l->warnings, status != EW_OK ? l->options.messages : shown(l));
  return status;
}

/* Between the parts of the preparation, of which nothing needs to be saved. */
static ew_status go_on(const life *l, ew_error *err) {
  const exec_options *o = &l->options;
  return o->stop && *o->stop
             ? ew_fail(err, EW_STOPPED, "stopped on request before the first step: nothing is saved")
             : EW_OK;
}

static void notes_of_domain(life *l) {
  exec_heard heard;
  FILE *out = exec_hear(&heard, shown(l));
  if (out) exec_domain_notes(l->c, &l->domain, out);
  if (out) exec_times_note(l->c, out);
  exec_heard_end(&heard, &l->warnings, shown(l));
}

static void note_of_distance(life *l) {
  exec_heard heard;
  FILE *out = exec_hear(&heard, shown(l));
  if (out) exec_distance_note(l->c, &l->domain, l->program, out);
  exec_heard_end(&heard, &l->warnings, shown(l));
}

/* What the digits of the answer depend on. */
static void note_of_precision(life *l) {
  const dev_info *info = dev_get_info(l->device);
  exec_heard heard;
  if (info->fp64) return;
  FILE *out = exec_hear(&heard, shown(l));
  if (out)
    fprintf(out,
            "note: '%s' has no fp64: it computes in double-single numbers, two floats each: some 14 digits, "
            "and the range of a float\n",
            info->name);
  exec_heard_end(&heard, &l->warnings, shown(l));
}

static ew_status prepare(life *l, ew_error *err) {
  ew_status status = EW_OK;
  double at = ew_seconds();
  EW_CHECK(exec_domain_create(l->c, &l->domain, err));
  notes_of_domain(l);
  EW_CHECK(go_on(l, err));
  const exec_member *member = l->options.member;
  EW_CHECK(member ? exec_ensemble_device(member, l->c->build.device, &l->device, err)
                  : dev_context_create(l->c->build.device, &l->device, err));
  note_of_precision(l);
  double compiling = ew_seconds();
  status = compile(l, err);
  l->times.compile = ew_seconds() - compiling;
  if (status == EW_INPUT && l->options.messages) { /* what else is wrong should be known at once */
    ew_error other = {0};
    exec_problems problems = {0};
    if (exec_check(l->c, NULL, &l->domain, &problems, &other) == EW_OK)
      exec_problems_print(&problems, l->options.messages);
    exec_problems_clear(&problems);
  }
  if (status != EW_OK) return status;
  EW_CHECK(check(l, l->program, err));
  note_of_distance(l);
  EW_CHECK(go_on(l, err));
  EW_CHECK(exec_create(l->device, l->program, &l->domain, l->c, &l->run, err));
  l->run->code.member = member;
  if (*l->run->nodes.aside)
    exec_warn(&l->warnings, shown(l), "a stored tuning of linear systems is not used: %s",
              l->run->nodes.aside);
  EW_CHECK(resume(l, err));
  EW_CHECK(go_on(l, err));
  l->times.create = ew_seconds() - at;
cleanup:
  return status;
}

/* Of a case with no folder yet nothing can be in the way; it is made once the case is known to be right. */
static ew_status lock_folder(life *l, bool make, ew_error *err) {
  ew_status status = EW_OK;
  char folder[EW_PATH];
  if (l->lock.path || l->options.no_files) return EW_OK;
  exec_output_folder(l->c, folder, sizeof folder);
  if (make) EW_CHECK(exec_make_folder(folder, err));
  else if (access(folder, W_OK | X_OK) != 0) return EW_OK;
  exec_heard heard;
  status = exec_lock_take(folder, exec_hear(&heard, l->options.messages), &l->lock, err);
  exec_heard_end(&heard, &l->warnings, l->options.messages);
  if (status != EW_OK) return status;
  atomic_clean_folder(folder);
cleanup:
  return status;
}

/* Of what was written before the checkpoint, and is to be written behind it. */
static void warn_of_gaps(life *l) {
  char missing[EW_PATH];
  const int n = exec_output_missing(l->output, missing, sizeof missing);
  const exec_gaps *g = exec_output_gaps(l->output);
  if (n > 0)
    exec_warn(&l->warnings, l->options.messages,
              "%d file%s of outputs before the checkpoint %s not there, and not written again: %s%s", n,
              n == 1 ? "" : "s", n == 1 ? "is" : "are", missing, n == 1 ? "" : ", ...");
  if (g->begin > 0)
    exec_warn(&l->warnings, l->options.messages,
              "%d file%s of rows begin%s at the checkpoint, rows before it are not there: %s%s", g->begin,
              g->begin == 1 ? "" : "s", g->begin == 1 ? "s" : "", g->first_begin,
              g->begin == 1 ? "" : ", ...");
  if (g->end > 0)
    exec_warn(&l->warnings, l->options.messages,
              "%d file%s of rows end%s at the checkpoint, of what the case does not ask for any more: %s%s",
              g->end, g->end == 1 ? "" : "s", g->end == 1 ? "s" : "", g->first_end,
              g->end == 1 ? "" : ", ...");
}

static ew_status open_output(life *l, ew_error *err) {
  ew_status status = EW_OK;
  bool resumed = l->options.resume || l->options.checkpoint;
  if (l->options.no_files) return EW_OK;
  EW_CHECK(lock_folder(l, true, err));
  if (!resumed) EW_CHECK(exec_keep_retire(l->c, err));
  EW_CHECK(exec_output_create(l->run, resumed, &l->output, err));
  if (l->options.hooks.on_step) l->run->queue.tap = NULL; /* which is called where rows are taken */
  if (resumed) warn_of_gaps(l);
cleanup:
  return status;
}

/* ---- times of output ----------------------------------------------------------------------------------------------------------- */

/* The next multiple of `every` after t, from which more than rounding keeps it apart; multiples are computed as products, so that t meets them bit by bit. */
static double next_multiple(double every, double t) {
  double i = floor(t / every);
  while (i * every <= t || exec_is_same_time(i * every, t)) i += 1;
  while (i > 0 && (i - 1) * every > t && !exec_is_same_time((i - 1) * every, t)) i -= 1;
  return i * every;
}

static bool is_before(double a, double b) { return a < b && !exec_is_same_time(a, b); }

static double end_time(const life *l) {
  return l->c->time.stop > 0 ? exec_moment(l->run, l->c->time.stop) : INFINITY;
}

/* A multiple that misses the end, or one of the case's times, by rounding only is the same. */
static double next_output(life *l) {
  const case_output *o = &l->c->output;
  double t = exec_time(l->run), next = end_time(l);
  if (o->every > 0) {
    double multiple = exec_moment(l->run, next_multiple(o->every, t));
    if (multiple < next - 1e-9 * o->every) next = multiple;
  }
  while (l->next_time < o->n_times && !is_before(t, o->time[l->next_time])) l->next_time++;
  if (l->next_time < o->n_times && is_before(o->time[l->next_time], next))
    next = exec_moment(l->run, o->time[l->next_time]);
  return next;
}

/* ---- checkpoints ------------------------------------------------------------------------------------------------------------------ */

static ew_status save_if_due(life *l, ew_error *err) {
  char path[EW_PATH];
  double interval = l->c->output.checkpoint;
  if (interval <= 0 || ew_seconds() - l->saved < interval) return EW_OK;
  l->saved = ew_seconds();
  if (l->options.no_files) return EW_OK;
  return exec_keep_save(l->run, l->output, path, sizeof path, err);
}

/* ---- the loop ------------------------------------------------------------------------------------------------------------------------- */

static bool samples(const life *l) {
  bool rows = l->c->output.n_probes > 0 || l->c->output.n_history > 0;
  return (rows && !l->options.no_files) || l->options.hooks.on_step;
}

static int64_t sample_steps(const life *l) { return l->c->output.sample > 0 ? l->c->output.sample : 1; }

/* Steps until the host wants to see the run again. */
static int64_t chunk(const life *l) {
  int64_t n = l->c->time.look > 0 ? l->c->time.look : l->options.member ? MOST_LOOK : l->pace;
  if (samples(l) && !exec_tapped(l->run)) { /* rows keep their steps whatever happened in between */
    n = sample_steps(l);
    if (l->run->files.sampled >= 0) n -= exec_steps(l->run) - l->run->files.sampled;
    if (n < 1) n = 1;
  }
  int64_t left = l->c->time.max_steps > 0 ? l->c->time.max_steps - exec_steps(l->run) : n;
  return left < n ? left : n;
}

static bool finished(const life *l) {
  if (l->c->time.max_steps > 0 && exec_steps(l->run) >= l->c->time.max_steps) return true;
  return exec_time(l->run) >= end_time(l);
}

/* A word when it happens first, the rest at the end. */
static void warn_cut_off(life *l) {
  exec_counters c = exec_get_counters(l->run);
  if (c.cut_off == 0 || l->warnings.cut_off) return;
  l->warnings.cut_off = true;
  const char *why = exec_cut_off(l->run);
  exec_warn(&l->warnings, shown(l), "step %lld: a repeat was cut off after %d passes%s%s",
            (long long)c.first_cut_off, c.most_passes, *why ? ": " : "", why);
}

/* What a system that is open by a constant cannot meet: sources and sinks that do not balance. Said once, when it is more than rounding. */
static void warn_outside(life *l) {
  for (int i = 0; i < l->program->execution.n_solves && !l->warnings.outside; i++) {
    const exec_solve_cost c = exec_get_solve(l->run, i);
    if (c.outside <= 1e-6) continue;
    l->warnings.outside = true;
    exec_warn(
        &l->warnings, shown(l),
        "step %lld: solve %s*%s: no rule gives a value of '%s', and %.2g of the right side (2-norm) is a "
        "mean that no solution meets; it is taken out\n"
        "  hint: what goes in and out through boundaries and sources does not balance; or hold a value",
        (long long)c.outside_step, c.matrix, c.unknown, c.unknown, c.outside);
  }
}

static ew_status sample(life *l, ew_error *err) {
  if (l->output) return exec_output_sample(l->output, err);
  l->run->files.sampled = exec_steps(l->run);
  return EW_OK;
}

static progress_moment moment_of(const exec_run *run) {
  return (progress_moment){
      .step = exec_steps(run), .t = exec_time(run), .dt = exec_dt(run), .bound = exec_dt_free(run)};
}

/* `due`: not where only the caller wanted to see the run, between two rows. */
static ew_status after_steps(life *l, bool due, ew_error *err) {
  ew_status status = EW_OK;
  warn_cut_off(l);
  warn_outside(l);
  const exec_hooks *h = &l->options.hooks;
  const progress_moment now = moment_of(l->run);
  progress_step(&l->line, &now);
  if (!due) return EW_OK;
  EW_CHECK(sample(l, err));
  if (h->on_step) EW_CHECK(h->on_step(h->context, l->run, err));
cleanup:
  return status;
}

static ew_status finish_files(life *l, ew_error *err) {
  return l->output ? exec_output_finish(l->output, err) : EW_OK;
}

static ew_status write_output(life *l, ew_error *err) {
  ew_status status = EW_OK;
  const exec_hooks *h = &l->options.hooks;
  int number = l->run->files.outputs;
  EW_CHECK(exec_growth_check(l->run, err));
  EW_CHECK(l->output ? exec_output_write(l->output, err) : exec_count_output(l->run, err));
  if (h->on_output) EW_CHECK(finish_files(l, err)); /* the hook may look at them */
  if (h->on_output) EW_CHECK(h->on_output(h->context, l->run, number, err));
cleanup:
  return status;
}

/* A number of steps may end between two times of output: that state is written, too, but no checkpoint counts it, so that a run that is
 * resumed writes the files and rows of one that was never cut short. */
static ew_status output_of_last_step(life *l, ew_error *err) {
  ew_status status = EW_OK;
  const exec_run *run = l->run;
  if (exec_advances(l->program) && run->files.output_time[run->files.outputs - 1] >= exec_time(run))
    return EW_OK;
  if (run->files.sampled < exec_steps(run)) EW_CHECK(after_steps(l, true, err));
  EW_CHECK(write_output(l, err));
cleanup:
  return status;
}

/* A look costs some 50 us on a GPU, as much as a step on a small mesh: where steps are fast there are more of them between two looks. */
static void keep_pace(life *l, int64_t asked, int64_t made, double seconds) {
  if (asked < l->pace || made < asked) return;
  if (seconds < FAST_CHUNK && l->pace < MOST_LOOK) l->pace *= 2;
  else if (seconds > 8 * FAST_CHUNK && l->pace > DEFAULT_LOOK) l->pace /= 2;
}

/* Steps until the run wants to be looked at, or the caller does: at time t, or behind step number `last`. */
static ew_status steps_between(life *l, double t, int64_t last, ew_error *err) {
  ew_status status = EW_OK;
  ew_error other = {0};
  const double target = next_output(l), meet = is_before(t, target) ? t : target;
  int64_t n = chunk(l), left = last - exec_steps(l->run);
  const int64_t steps = left < n ? left : n, before = exec_steps(l->run);
  exec_until until = {.t_stop = meet, .max_steps = steps, .look = (int)steps, .stop = l->options.stop};
  const double began = ew_seconds();
  EW_CHECK(exec_advance(l->run, &until, err));
  keep_pace(l, steps, exec_steps(l->run) - before, ew_seconds() - began);
  bool output = exec_time(l->run) >= target;
  bool due = output || !samples(l) || exec_steps(l->run) - l->run->files.sampled >= sample_steps(l);
  status = after_steps(l, due, err);
  if (status != EW_OK && status != EW_STOPPED) goto cleanup;
  /* also when a hook asks to stop: a resumed run looks for the next time of output behind this one */
  if (output) {
    ew_status written = write_output(l, status == EW_OK ? err : &other);
    if (written != EW_OK && written != EW_STOPPED && status == EW_STOPPED) *err = other;
    if (written != EW_OK) status = written;
  }
  if (status != EW_OK) goto cleanup;
  EW_CHECK(save_if_due(l, err)); /* behind the output, which a resumed run does not write again */
cleanup:
  return status;
}

static ew_status run_steps(life *l, double t, int64_t last, ew_error *err) {
  ew_status status = EW_OK;
  const exec_hooks *h = &l->options.hooks;
  if (l->run->files.outputs == 0) EW_CHECK(write_output(l, err));
  if (l->run->files.sampled < 0) EW_CHECK(sample(l, err));
  t = exec_moment(l->run, t);
  while (!finished(l) && is_before(exec_time(l->run), t) && exec_steps(l->run) < last)
    EW_CHECK(steps_between(l, t, last, err));
  if (finished(l) && !l->ended) EW_CHECK(output_of_last_step(l, err));
  EW_CHECK(finish_files(l, err));
  if (!finished(l) || l->ended) return EW_OK;
  l->ended = true;
  if (h->on_end) EW_CHECK(h->on_end(h->context, l->run, err));
cleanup:
  return status;
}

/* ---- after the run ---------------------------------------------------------------------------------------------------------------------- */

/* A stop leaves a checkpoint behind. The status stays. */
static ew_status leave_stopped(life *l, ew_error *err) {
  char path[EW_PATH];
  ew_error other = {0};
  if (l->options.no_files) return EW_STOPPED;
  ew_status saved = exec_output_finish(l->output, &other);
  if (saved != EW_OK)
    return ew_fail(err, saved, "stopped, but the output before is not complete: %s", other.text);
  saved = exec_keep_save(l->run, l->output, path, sizeof path, &other);
  if (saved != EW_OK)
    return ew_fail(err, saved, "stopped, but the checkpoint cannot be written: %s", other.text);
  return ew_fail(err, EW_STOPPED,
                 "stopped on request at t = %.6g s, step %lld; `edgewise resume` goes on from %s",
                 exec_time(l->run), (long long)exec_steps(l->run), path);
}

/* A failure leaves the state that failed. The status stays. */
static ew_status leave_failed(life *l, ew_status status, ew_error *err) {
  char path[EW_PATH], text[sizeof err->text];
  ew_error other = {0};
  l->failed = status;
  if (l->options.no_files) return status;
  bool failed = status == EW_DIVERGED || status == EW_NOT_CONVERGED;
  if (failed && exec_output_failed(l->run, path, sizeof path, &other) == EW_OK) {
    snprintf(text, sizeof text, "%s", err->text);
    ew_fail(err, status, "%s\n  the state that failed is in %s; the output before it is kept", text, path);
  }
  bool solves = status == EW_NOT_CONVERGED && l->program->execution.n_solves > 0;
  if (solves && exec_output_residuals(l->run, path, sizeof path, &other) == EW_OK) {
    snprintf(text, sizeof text, "%s", err->text);
    ew_fail(err, status, "%s\n  the residual of every iteration is in %s", text, path);
  }
  return status;
}

/* Of a run that came to its end. Where a device's rates cannot be measured the table is without them. */
static ew_status measure_kernels(life *l, exec_profile *kernels, dev_rates *roofs, ew_error *err) {
  ew_status status = EW_OK;
  const dev_info *info = dev_get_info(l->device);
  const char *without = dev_without_rates(info);
  if (!l->options.profile) return EW_OK;
  EW_CHECK(exec_profile_stop(l->run, kernels, err));
  if (!without) EW_CHECK(dev_measure_rates(l->device, roofs, err));
  if (l->options.messages) exec_profile_print(kernels, roofs, l->options.messages);
  if (without)
    exec_warn(&l->warnings, shown(l), "the kernels' table is without the rates of '%s': %s", info->name,
              without);
cleanup:
  return status;
}

static void tell_inner(void *run, char *to, size_t room) { exec_inner(run, to, room); }

static void start_progress(life *l) {
  progress_options o = progress_defaults(l->options.messages ? l->options.messages : stderr);
  o.out = l->options.quiet ? NULL : l->options.messages;
  o.colour = o.colour && l->options.colour;
  o.t_start = exec_time(l->run);
  o.t_end = end_time(l);
  o.most_steps = l->c->time.max_steps;
  o.n_cells = exec_domain_cells(&l->domain);
  o.inner = tell_inner;
  o.inner_context = l->run;
  progress_start(&l->line, &o, exec_steps(l->run), exec_time(l->run));
}

static void name_profile(const dslc_identity *p, char *text, size_t size) {
  if (!p->profile_path) return;
  size_t n = (size_t)snprintf(text, size, "%s:", p->profile_path);
  for (int i = 0; i < p->n_profiled && n < size; i++)
    n += (size_t)snprintf(text + n, size - n, " %s=%s", p->profiled[i].name, p->profiled[i].value);
}

static void summarise(const life *l, exec_summary *s) {
  if (!s || !l->output) return;
  *s = (exec_summary){.t = exec_time(l->run),
                      .seconds = l->times.loop,
                      .steps = exec_steps(l->run),
                      .steps_before = l->run->account.steps_before,
                      .n_cells = exec_domain_cells(&l->domain),
                      .outputs = l->run->files.outputs};
  exec_output_folder(l->c, s->folder, sizeof s->folder);
  const dev_info *d = dev_get_info(l->device);
  snprintf(s->device, sizeof s->device, "%s", d->name);
  snprintf(s->platform, sizeof s->platform, "%s", d->platform);
  snprintf(s->driver, sizeof s->driver, "%s", d->driver);
  snprintf(s->picture, sizeof s->picture, "%s", exec_output_picture(l->output));
  snprintf(s->pvd, sizeof s->pvd, "%s", exec_output_pvd(l->output));
  name_profile(&l->program->identity, s->profile, sizeof s->profile);
}

/* Of whatever ended the run, `status`, which comes back unless it was success and something fails here. */
static ew_status write_record(life *l, ew_status status, ew_error *err) {
  exec_profile kernels = {0};
  exec_record record = {.times = &l->times,
                        .origin = &l->origin,
                        .options = &l->options,
                        .warnings = &l->warnings,
                        .stats = dev_get_stats(l->device),
                        .host_peak = run_json_peak_memory()};
  ew_error other = {0};
  if (l->run) record.counters = exec_get_counters(l->run);
  if (status == EW_OK) status = measure_kernels(l, &kernels, &record.roofs, err);
  record.kernels = kernels.n > 0 ? &kernels : NULL;
  record.result = status;
  ew_status recorded =
      l->c->output.run_json && !l->options.no_files ? exec_record_write(l->run, &record, &other) : EW_OK;
  exec_profile_clear(&kernels);
  return status == EW_OK && recorded != EW_OK ? ew_fail(err, recorded, "%s", other.text) : status;
}

/* `status`: of the steps, which is also returned. */
static ew_status end(life *l, ew_status status, ew_error *err) {
  exec_counters c = exec_get_counters(l->run);
  if (c.cut_off > 0)
    exec_warn(&l->warnings, shown(l), "%lld of %lld repeats were cut off at their limit of passes",
              (long long)c.cut_off, (long long)c.repeats);
  double first;
  const int unseen = exec_times_behind(l->c, exec_time(l->run), &first);
  if (status == EW_OK && unseen > 0 && exec_time(l->run) < end_time(l))
    exec_warn(&l->warnings, shown(l),
              "output: %d of %d `times` come behind the last step, which ended at t = %.6g s, from %g s on",
              unseen, l->c->output.n_times, exec_time(l->run), first);
  const progress_moment now = moment_of(l->run);
  progress_finish(&l->line, &now);
  l->times.loop = ew_seconds() - l->loop_began;
  l->times.total = ew_seconds() - l->begun;
  if (status == EW_STOPPED) status = leave_stopped(l, err);
  else if (status != EW_OK && l->failed == EW_OK) status = leave_failed(l, status, err);
  return write_record(l, status, err);
}

static ew_status begin(life *l, ew_error *err) {
  ew_status status = EW_OK;
  EW_CHECK(lock_folder(l, false, err));
  EW_CHECK(prepare(l, err));
  EW_CHECK(open_output(l, err));
  if (l->options.profile) EW_CHECK(exec_profile_start(l->run, err));
  l->loop_began = ew_seconds();
  start_progress(l);
cleanup:
  return status;
}

static void clear(life *l) {
  exec_output_destroy(&l->output);
  exec_destroy(&l->run);
  dslc_program_destroy(&l->program);
  if (!l->options.member) dev_context_destroy(&l->device); /* else it is the ensemble's */
  exec_domain_clear(&l->domain);
  free(l->resumed.differences);
  free(l->resumed.changes);
  exec_lock_release(&l->lock);
}

static life life_of(const ew_case *c, const exec_options *options) {
  return (life){
      .c = c, .options = *options, .begun = ew_seconds(), .saved = ew_seconds(), .pace = DEFAULT_LOOK};
}

ew_status exec_run_case(const ew_case *c, const exec_options *options, exec_summary *summary, ew_error *err) {
  ew_status status = EW_OK;
  life l = life_of(c, options);
  l.origin.path = l.from;
  EW_CHECK(begin(&l, err));
  status = end(&l, run_steps(&l, INFINITY, INT64_MAX, err), err);
cleanup:
  summarise(&l, summary);
  clear(&l);
  return status;
}

/* ---- the same, with a caller that decides when it goes on --------------------------------------------------------------------- */

ew_status exec_life_create(const ew_case *c, const exec_options *options, exec_life **out, ew_error *err) {
  life *l = *out = calloc(1, sizeof *l);
  if (!l) return ew_fail(err, EW_FAIL, "out of memory for a run");
  *l = life_of(c, options);
  l->origin.path = l->from;
  ew_status status = begin(l, err);
  if (status != EW_OK) clear(l), free(l), *out = NULL;
  return status;
}

ew_status exec_life_advance(exec_life *l, double t, int64_t most, ew_error *err) {
  int64_t now = exec_steps(l->run);
  if (l->failed != EW_OK) return ew_fail(err, l->failed, "the run has failed: it cannot go on");
  ew_status status = run_steps(l, t, most > 0 && most < INT64_MAX - now ? now + most : INT64_MAX, err);
  return status == EW_OK || status == EW_STOPPED ? status : leave_failed(l, status, err);
}

ew_status exec_life_destroy(exec_life **life_, ew_error *err) {
  life *l = life_ ? *life_ : NULL;
  ew_status status = EW_OK;
  if (!l) return EW_OK;
  bool failed = l->failed != EW_OK;
  status = end(l, failed ? l->failed : l->ended ? EW_OK : EW_STOPPED, err);
  clear(l);
  free(l);
  *life_ = NULL;
  return status == EW_STOPPED || failed ? EW_OK : status;
}

exec_run *exec_life_run(exec_life *l) { return l->run; }
bool exec_life_ended(const exec_life *l) { return l->ended; }
bool exec_life_failed(const exec_life *l) { return l->failed != EW_OK; }
const dev_info *exec_life_device(const exec_life *l) { return dev_get_info(l->device); }
const char *exec_life_picture(const exec_life *l) { return l->output ? exec_output_picture(l->output) : ""; }
