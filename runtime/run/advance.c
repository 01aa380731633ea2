/* The loop over steps. The host queues several steps, then looks at time and flags once. */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/timing.h"
#include "reference/reference.h"
#include "run/ahead.h"
#include "run/ensemble.h"
#include "run/joins.h"

enum { DEFAULT_LOOK = 16, MOST_LOOK = 4096 };

/* ---- the host's side of the control buffers ------------------------------------------------------------------------ */

static ew_status clear_flags(exec_run *run, int64_t max_steps, ew_error *err) {
  memset(run->seen.flag_values, 0, (size_t)run->seen.n_flags * sizeof(int32_t));
  run->seen.flag_values[DSLC_FLAG_MAX_STEPS] = max_steps < INT32_MAX ? (int32_t)max_steps : 0;
  for (int i = 0; i < run->program->execution.n_checks; i++)
    run->seen.flag_values[DSLC_FLAG_CHECKS + i] = INT32_MAX;
  return dev_buffer_write(run->buffer[run->seen.flags], 0, (uint64_t)run->seen.n_flags * sizeof(int32_t),
                          run->seen.flag_values, err);
}

static ew_status send_scalar(exec_run *run, dslc_scalar which, ew_error *err) {
  return dev_buffer_write(run->buffer[run->seen.scalars], which * sizeof(double), sizeof(double),
                          &run->seen.scalar_values[which], err);
}

static ew_status send_control(exec_run *run, double t_stop, int64_t max_steps, ew_error *err) {
  ew_status status = EW_OK;
  run->seen.scalar_values[DSLC_SCALAR_T_STOP] = t_stop;
  run->seen.scalar_values[DSLC_SCALAR_MOST] = run->growth.most_step;
  EW_CHECK(clear_flags(run, max_steps, err));
  EW_CHECK(send_scalar(run, DSLC_SCALAR_T_STOP, err));
  EW_CHECK(send_scalar(run, DSLC_SCALAR_MOST, err));
cleanup:
  return status;
}

/* A time that the device has as the host gave it is the host's, where the device's numbers are shorter. */
static void keep_time(exec_run *run, double t, double t_stop) {
  double *read = &run->seen.scalar_values[DSLC_SCALAR_T];
  if (*read == dev_number(run->device, t_stop)) *read = t_stop;
  else if (*read == dev_number(run->device, t)) *read = t;
}

ew_status exec_look(exec_run *run, ew_error *err) {
  ew_status status = EW_OK;
  dev_event *event = NULL;
  const double t = run->seen.scalar_values[DSLC_SCALAR_T],
               t_stop = run->seen.scalar_values[DSLC_SCALAR_T_STOP];
  EW_CHECK(dev_buffer_read_begin(run->buffer[run->seen.scalars], 0,
                                 (uint64_t)run->seen.n_scalars * sizeof(double), run->seen.scalar_values,
                                 &event, err));
  EW_CHECK(dev_buffer_read(run->buffer[run->seen.flags], 0, (uint64_t)run->seen.n_flags * sizeof(int32_t),
                           run->seen.flag_values, err));
  EW_CHECK(dev_event_wait(&event, err));
  keep_time(run, t, t_stop);
  run->account.counters.looks++;
cleanup:
  dev_event_wait(&event, NULL);
  return status;
}

ew_status exec_section_alone(exec_run *run, int section, ew_error *err) {
  ew_status status = EW_OK;
  if (run->reference) return exec_reference_show(run, section, err);
  EW_CHECK(clear_flags(run, 0, err));
  EW_CHECK(exec_section(run, section, err));
cleanup:
  return status;
}

/* ---- batches ------------------------------------------------------------------------------------------------------------ */

static bool looks_inside(const dslc_program *p) {
  const dslc_section *s = &p->execution.section[DSLC_SECTION_STEP];
  for (int i = 0; p->execution.n_sections > DSLC_SECTION_STEP && i < s->n_ops; i++)
    if (s->op[i].kind == DSLC_OP_REPEAT || s->op[i].kind == DSLC_OP_SOLVE) return true;
  return false;
}

/* Values over time change with every step; repeats and solves look inside of the step. */
static int look_interval(const exec_run *run, const exec_until *until) {
  int look = until->look > 0 ? until->look : run->c->time.look > 0 ? run->c->time.look : DEFAULT_LOOK;
  if (run->clock.n_timed > 0 || looks_inside(run->program)) return 1;
  return look < MOST_LOOK ? look : MOST_LOOK;
}

/* Where the host looks after every step anyway, or knows what a row holds, rows are taken there. */
bool exec_tapped(const exec_run *run) {
  return run->queue.tap && run->files.sampled >= 0 && run->clock.n_timed == 0 && !run->reference &&
         !looks_inside(run->program);
}

/* Rows that are due behind a step, as counted from the last one. */
static int64_t rows_until(const exec_run *run, int64_t step) {
  return step > run->files.sampled ? (step - run->files.sampled) / run->queue.tap->every : 0;
}

/* No more steps are queued than are likely to be made; queueing too few or too many changes nothing but time. */
static int batch_size(const exec_run *run, const exec_until *until, int64_t steps_left) {
  int64_t n = look_interval(run, until);
  double dt = run->seen.scalar_values[DSLC_SCALAR_DT];
  double likely = dt > 0 ? ceil((until->t_stop - exec_time(run)) / dt) + 1 : (double)n;
  if (likely < (double)n) n = likely > 1 ? (int64_t)likely : 1;
  if (exec_tapped(run) && n / run->queue.tap->every >= run->queue.tap->rows)
    n = run->queue.tap->every * (run->queue.tap->rows - 1);
  return (int)(until->max_steps > 0 && steps_left < n ? steps_left : n);
}

static ew_status reserve_snapshots(exec_run *run, int steps, ew_error *err) {
  if (steps <= run->queue.n) return EW_OK;
  size_t n = ((size_t)steps + 1) * (size_t)run->program->execution.n_buffers;
  dev_buffer **grown = realloc(run->queue.handle, n * sizeof(dev_buffer *));
  if (!grown) return ew_fail(err, EW_FAIL, "out of memory for %d queued steps", steps);
  run->queue.handle = grown;
  run->queue.n = steps;
  return EW_OK;
}

/* Row k of the batch, if one is due behind the step. */
static ew_status take_row(exec_run *run, int64_t step, int *rows, ew_error *err) {
  if (!exec_tapped(run) || rows_until(run, step) == rows_until(run, step - 1)) return EW_OK;
  return run->queue.tap->take(run->queue.tap->context, (*rows)++, err);
}

/* Steps up to the next row, if rows are taken. */
static int up_to_row(const exec_run *run, int step, int steps) {
  int n = 1;
  if (!exec_tapped(run)) return steps;
  while (n < steps &&
         rows_until(run, exec_steps(run) + step + n - 1) == rows_until(run, exec_steps(run) + step - 1))
    n++;
  return n;
}

/* Step k, or as many from it on as go together, at most `most`; how many. */
static ew_status queue_some(exec_run *run, int most, int *made, ew_error *err) {
  ew_status status = EW_OK;
  run->clock.step_known = false;
  *made = exec_ensemble_steps(run, most, &status, err);
  if (*made > 0 || status != EW_OK) return status;
  *made = exec_joins_steps(run, most, &status, err);
  if (*made > 0 || status != EW_OK) return status;
  *made = 1;
  return exec_section(run, DSLC_SECTION_STEP, err);
}

static ew_status queue_steps(exec_run *run, int steps, ew_error *err) {
  ew_status status = EW_OK;
  int rows = 0;
  const size_t n = (size_t)run->program->execution.n_buffers;
  EW_CHECK(reserve_snapshots(run, steps, err));
  memcpy(run->queue.handle, run->buffer, n * sizeof(dev_buffer *));
  for (int k = 1; k <= steps;) {
    int made;
    EW_CHECK(queue_some(run, up_to_row(run, k, steps + 1 - k), &made, err));
    if (k == 1) EW_CHECK(dev_flush(run->device, err)); /* it begins while the others are queued */
    for (int i = 0; i < made; i++, k++)
      memcpy(run->queue.handle + (size_t)k * n, run->buffer, n * sizeof(dev_buffer *));
    EW_CHECK(take_row(run, exec_steps(run) + k - 1, &rows, err));
  }
  EW_CHECK(dev_flush(run->device, err));
  if (exec_tapped(run)) EW_CHECK(run->queue.tap->fetch(run->queue.tap->context, rows, err));
cleanup:
  return status;
}

/* Takes the handles back to where they stood after the steps that were made. */
static void undo_swaps(exec_run *run, int made) {
  size_t n = (size_t)run->program->execution.n_buffers;
  memcpy(run->buffer, run->queue.handle + (size_t)made * n, n * sizeof(dev_buffer *));
}

/* Those of steps that were made, less the one of a step that failed a check, not of one that could not begin; and less the one behind the
 * last step where kernels would have had to compute it, or its time may be another by rounding: see late_row, snap. */
static void keep_rows(exec_run *run, int64_t made) {
  if (!exec_tapped(run)) return;
  double wanted = run->seen.scalar_values[DSLC_SCALAR_DT_FREE];
  bool over =
      run->seen.flag_values[DSLC_FLAG_FAULT]
          ? wanted > 0 && wanted < INFINITY
          : (run->queue.tap->computes || run->c->time.whole_steps) && run->seen.flag_values[DSLC_FLAG_DONE];
  int64_t end = exec_steps(run), begin = end - made;
  int64_t first = rows_until(run, begin), last = rows_until(run, end - over);
  if (last <= first) return;
  run->files.sampled += last * run->queue.tap->every;
  run->queue.tap->keep(run->queue.tap->context, (int)(last - first));
}

static ew_status late_row(exec_run *run, ew_error *err) {
  if (!exec_tapped(run) || rows_until(run, exec_steps(run)) == 0) return EW_OK;
  return run->queue.tap->row(run->queue.tap->context, err);
}

static ew_status batch(exec_run *run, int steps, int32_t *seen, ew_error *err) {
  ew_status status = EW_OK;
  EW_CHECK(queue_steps(run, steps, err));
  EW_CHECK(exec_look(run, err));
  int32_t made = run->seen.flag_values[DSLC_FLAG_STEPS] - *seen;
  if (made < 0 || made > steps) EXEC_LEAVE(err, EW_INTERNAL, "%d of %d queued steps were made", made, steps);
  undo_swaps(run, made);
  *seen += made;
  run->account.counters.steps += made;
  keep_rows(run, made);
  EW_CHECK(exec_fault_check(run, err));
  if (made == 0 && !run->seen.flag_values[DSLC_FLAG_DONE])
    EXEC_LEAVE(err, EW_INTERNAL, "scheme '%s': a step did not end", run->program->identity.scheme);
cleanup:
  return status;
}

/* ---- the most that a step may be --------------------------------------------------------------------------------------- */

/* For the case. */
static double most_of_step(const exec_run *run) {
  const ew_case *c = run->c;
  double most = c->time.fixed_step > 0     ? c->time.fixed_step
                : c->time.largest_step > 0 ? c->time.largest_step
                                           : INFINITY;
  if (c->time.first_step > 0 && !run->growth.ramped)
    most = fmin(most, ldexp(c->time.first_step, (int)(exec_steps(run) < 1000 ? exec_steps(run) : 1000)));
  return most;
}

/* Also of what it gives over time, which changes from step to step. */
ew_status exec_bound_step(exec_run *run, ew_error *err) {
  double most = most_of_step(run);
  ew_status status = exec_ahead_most(run, &most, err);
  if (status == EW_OK) run->growth.most_step = fmin(most, DBL_MAX);
  return status;
}

static ew_status send_most(exec_run *run, ew_error *err) {
  const double before = run->growth.most_step;
  ew_status status = exec_bound_step(run, err);
  if (status != EW_OK || run->growth.most_step == before) return status;
  run->seen.scalar_values[DSLC_SCALAR_MOST] = run->growth.most_step;
  return send_scalar(run, DSLC_SCALAR_MOST, err);
}

static ew_status loop(exec_run *run, const exec_until *until, ew_error *err) {
  ew_status status = EW_OK;
  int32_t seen = 0;
  EW_CHECK(send_control(run, until->t_stop, until->max_steps, err));
  while (!run->seen.flag_values[DSLC_FLAG_DONE]) {
    if (until->stop && *until->stop)
      return ew_fail(err, EW_STOPPED, "stopped on request at t = %.6g s, step %lld", exec_time(run),
                     (long long)exec_steps(run));
    if (seen == 0 || run->clock.n_timed > 0)
      EW_CHECK(send_most(run, err)); /* over time: batches of one step */
    EW_CHECK(batch(run, batch_size(run, until, until->max_steps - seen), &seen, err));
  }
cleanup:
  return status;
}

/* ---- sizes of steps ------------------------------------------------------------------------------------------------------ */

/* How far the next piece goes: to a time that is to be met, and one step only where what bounds it changes from step to step, or is looked at. */
static void next_piece(exec_run *run, const exec_until *until, int64_t left, exec_until *piece) {
  const ew_case *c = run->c;
  double t = exec_time(run), dt = run->seen.scalar_values[DSLC_SCALAR_DT];
  bool grows = c->time.first_step > 0 && !run->growth.ramped,
       first = run->growth.first_free == 0 && exec_steps(run) == 0;
  piece->t_stop = c->time.whole_steps ? INFINITY : fmin(until->t_stop, exec_next_knot(run, t));
  piece->max_steps = grows || first || c->time.fixed_step > 0 ? 1 : left;
  if (!c->time.whole_steps || piece->max_steps == 1) return;
  double ahead =
      dt > 0 ? floor((until->t_stop - t) / dt / 2) : 1; /* not beyond the first one behind the time */
  int64_t n = ahead > 1 ? ahead < MOST_LOOK ? (int64_t)ahead : MOST_LOOK : 1;
  piece->max_steps = left > 0 && left < n ? left : n;
}

/* A fixed step that is longer than the scheme's bound was not taken as one. */
static ew_status check_fixed(exec_run *run, double length, int64_t made, ew_error *err) {
  double fixed = run->c->time.fixed_step, free = run->seen.scalar_values[DSLC_SCALAR_DT_FREE];
  if (fixed <= 0 || made == 0 || free >= fmin(fixed, length) * (1 - 1e-9)) return EW_OK;
  char bound[900];
  exec_describe_bound(run, bound, sizeof bound);
  return ew_fail(
      err, EW_DIVERGED,
      "step %lld, t = %.9g s: the case wants steps of %.6g s, the scheme's own bound is dt = %.6g s%s\n"
      "  hint: a smaller time.step, or time.largest, under which the scheme may take smaller ones",
      (long long)exec_steps(run), exec_time(run), fixed, free, bound);
}

/* What later bounds are held against. */
static void note_first_bound(exec_run *run) {
  double free = run->seen.scalar_values[DSLC_SCALAR_DT_FREE];
  if (run->growth.first_free == 0 && free > 0 && free < INFINITY) run->growth.first_free = free;
}

/* Where the scheme says how large a step is: "heat.ew:17: "; "" if it is not known. */
static const char *place_of_bound(const exec_run *run, char *text, size_t size) {
  const dslc_program *p = run->program;
  *text = '\0';
  for (int i = 0; i < p->execution.n_checks; i++)
    if (strcmp(p->execution.check[i].text, "dt > 0") == 0 && p->execution.check[i].line > 0)
      snprintf(text, size, "%.400s:%d: ", exec_file(p, p->execution.check[i].file),
               p->execution.check[i].line);
  return text;
}

/* Time that stands still: the last step has not moved t, however many have been made since anybody looked, or the bound has fallen so far that
 * the end is out of sight. */
static ew_status check_pace(exec_run *run, double before, int64_t made, ew_error *err) {
  double t = exec_time(run), free = run->seen.scalar_values[DSLC_SCALAR_DT_FREE];
  if (made == 0 || !exec_advances(run->program)) return EW_OK;
  bool ends = isfinite(run->c->time.stop) && run->c->time.stop > 0 && run->c->time.max_steps <= 0;
  bool crawls = ends && free < 1e-4 * run->growth.first_free && (run->c->time.stop - t) / free > 1e7;
  const double dt = exec_dt(run);
  const bool moves = t > before && !(dt > 0 && t - dt == t);
  if (moves && !crawls) return note_first_bound(run), EW_OK;
  char place[500], states[800], bound[900];
  exec_describe_states(run, states, sizeof states);
  exec_describe_bound(run, bound, sizeof bound);
  return ew_fail(
      err, EW_DIVERGED,
      "%stime stands still at t = %.9g s, step %lld: the scheme's dt is %.3g s, its first was %.3g s%s%s%s\n"
      "  hint: `dt` is a bound over all cells or nodes: look where velocities have become large, or depths "
      "and densities small",
      place_of_bound(run, place, sizeof place), t, (long long)exec_steps(run), free, run->growth.first_free,
      moves ? "; the end is more than ten million steps away" : ", and t does not change any more", bound,
      states);
}

/* Whole steps that divide the time evenly end at it but for rounding: then they are there. At the end of the run, too, where they have passed
 * another time before it. */
static ew_status snap(exec_run *run, double t_stop, ew_error *err) {
  double *t = &run->seen.scalar_values[DSLC_SCALAR_T];
  const double dt = exec_dt(run), end = run->c->time.stop;
  const double target[2] = {t_stop, end > 0 ? exec_moment(run, end) : t_stop};
  for (int i = 0; run->c->time.whole_steps && dt > 0 && i < 2; i++) {
    if (*t == target[i] || !(fabs(*t - target[i]) <= dslc_step_slack(target[i], dt))) continue;
    *t = target[i];
    return send_scalar(run, DSLC_SCALAR_T, err);
  }
  return EW_OK;
}

/* From knot to knot. */
static ew_status pieces(exec_run *run, const exec_until *until, ew_error *err) {
  ew_status status = EW_OK;
  exec_until piece = *until;
  run->clock.wanted = until->t_stop;
  int64_t left = until->max_steps;
  EW_CHECK(snap(run, until->t_stop, err)); /* it may lie behind another that the last piece went to */
  while (exec_time(run) < until->t_stop && (until->max_steps <= 0 || left > 0)) {
    int64_t before = exec_steps(run);
    double t = exec_time(run);
    next_piece(run, until, left, &piece);
    EW_CHECK(run->reference ? exec_reference_advance(run, &piece, err) : loop(run, &piece, err));
    EW_CHECK(snap(run, until->t_stop, err));
    EW_CHECK(late_row(run, err));
    int64_t made = exec_steps(run) - before;
    EW_CHECK(check_fixed(run, piece.t_stop - t, made, err));
    EW_CHECK(check_pace(run, t, made, err));
    run->growth.ramped = run->growth.ramped || run->seen.scalar_values[DSLC_SCALAR_DT_FREE] <= exec_dt(run);
    if (until->max_steps > 0) left -= made;
  }
cleanup:
  return status;
}

ew_status exec_advance(exec_run *run, const exec_until *until, ew_error *err) {
  if (run->failure.fault.check >= 0 || run->failure.broken)
    return ew_fail(err, EW_DIVERGED, "the run has failed: it cannot go on");
  if (run->program->execution.n_sections <= DSLC_SECTION_STEP)
    return ew_fail(err, EW_INPUT, "scheme '%s' has no step", run->program->identity.scheme);
  if (isnan(until->t_stop) || (isinf(until->t_stop) && until->max_steps <= 0))
    return ew_fail(err, EW_INPUT, "a time to stop at or a number of steps is needed");
  if (until->t_stop <= exec_time(run)) return EW_OK;
  ew_status gathered = exec_ensemble_gather(run, err);
  if (gathered != EW_OK) return gathered;
  double begun = ew_seconds();
  exec_counters before = exec_get_counters(run);
  ew_status status = pieces(run, until, err);
  exec_counters after = exec_get_counters(run);
  run->account.counters.step_transfers += after.transfers - before.transfers;
  run->account.counters.step_bytes += after.bytes - before.bytes;
  run->account.counters.seconds += ew_seconds() - begun;
  return status;
}
