/* What a case gives as functions of time or as series: arguments of rules, and givens that are declared so. A launch reads them as
 * they are at its time; so they are evaluated when a launch asks for another time than they hold. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run/ahead.h"
#include "run/internal.h"

/* ---- which buffers ------------------------------------------------------------------------------------------------- */

static bool argument_changes(const exec_run *run, const dslc_buffer *b) {
  const dslc_rule *rule = &run->program->model.rule[b->rule];
  for (int i = 0; i < run->c->n_boundaries; i++) {
    const case_boundary *e = &run->c->boundary[i];
    const char *name = rule->argument[b->argument].name;
    if (strcmp(e->rule, rule->name) == 0 &&
        case_value_changes(exec_find_value(e->argument, e->n_arguments, name)))
      return true;
  }
  return false;
}

static bool given_changes(const exec_run *run, int buffer) {
  for (int i = 0; i < run->program->model.n_fields; i++) {
    const dslc_field *f = &run->program->model.field[i];
    if (f->kind == DSLC_GIVEN && exec_lies_in(run, f, buffer) &&
        case_value_changes(exec_find_value(run->c->values.given, run->c->values.n_givens, f->name)))
      return true;
  }
  return false;
}

ew_status exec_timed_create(exec_run *run, ew_error *err) {
  const dslc_program *p = run->program;
  run->clock.timed = calloc((size_t)p->execution.n_buffers + 1, sizeof *run->clock.timed);
  run->clock.timed_at = calloc((size_t)p->execution.n_buffers + 1, sizeof *run->clock.timed_at);
  if (!run->clock.timed || !run->clock.timed_at)
    return ew_fail(err, EW_FAIL, "out of memory for %d buffers", p->execution.n_buffers);
  for (int b = 0; b < p->execution.n_buffers; b++) {
    dslc_buffer_kind kind = p->execution.buffer[b].kind;
    run->clock.timed[b] = kind == DSLC_BUFFER_ARGUMENT ? argument_changes(run, &p->execution.buffer[b])
                                                       : kind == DSLC_BUFFER_GIVEN && given_changes(run, b);
    run->clock.n_timed += run->clock.timed[b];
  }
  if (exec_ahead_asks(run) && run->clock.n_timed == 0)
    run->clock.n_timed = 1; /* each step is bounded by them */
  return exec_knots_create(run, err);
}

void exec_timed_destroy(exec_run *run) {
  free(run->clock.timed);
  free(run->clock.timed_at);
  free(run->clock.knot);
  exec_ahead_destroy(&run->clock.ahead);
}

/* ---- when ---------------------------------------------------------------------------------------------------------- */

/* How long the step is that has begun, which only the device knows. */
static ew_status look_at_step(exec_run *run, ew_error *err) {
  if (run->clock.step_known) return EW_OK;
  ew_status status = dev_buffer_read(run->buffer[run->seen.scalars], 0, sizeof run->clock.step_scalars,
                                     run->clock.step_scalars, err);
  run->clock.step_known = status == EW_OK;
  return status;
}

/* t + part*dt, and at the end of the step the very time at which the next one begins. */
static ew_status time_within(exec_run *run, double part, int counts_in, double *t, ew_error *err) {
  ew_status status = EW_OK;
  double interval;
  *t = exec_time(run);
  if (part == 0) return EW_OK;
  EW_CHECK(look_at_step(run, err));
  interval = run->clock.step_scalars[DSLC_SCALAR_DT];
  if (counts_in > 0)
    EW_CHECK(dev_buffer_read(run->buffer[run->seen.scalars], (uint64_t)counts_in * sizeof interval,
                             sizeof interval, &interval, err));
  *t = part == 1 && counts_in <= 0 ? run->clock.step_scalars[DSLC_SCALAR_T_NEXT] : *t + part * interval;
cleanup:
  return status;
}

static ew_status bring_to(exec_run *run, int buffer, double t, ew_error *err) {
  if (t == run->clock.timed_at[buffer] || !isfinite(t)) return EW_OK; /* not finite: the step has failed */
  ew_status status = exec_values_put(run, buffer, t, err);
  if (status == EW_OK) run->clock.timed_at[buffer] = t;
  return status;
}

ew_status exec_timed_for(exec_run *run, const dslc_op *op, ew_error *err) {
  ew_status status = EW_OK;
  for (int k = 0; run->clock.n_timed > 0 && k < op->n_buffers; k++) {
    int b = op->buffer[k];
    double ahead = run->program->execution.buffer[b].ahead, t;
    if (!run->clock.timed[b]) continue;
    EW_CHECK(time_within(run, ahead > 0 ? ahead : op->stage, op->a, &t, err));
    EW_CHECK(bring_to(run, b, t, err));
  }
cleanup:
  return status;
}

ew_status exec_timed_all(exec_run *run, ew_error *err) {
  for (int b = 0; run->clock.n_timed > 0 && b < run->program->execution.n_buffers; b++) {
    if (!run->clock.timed[b]) continue;
    ew_status status = exec_values_put(run, b, exec_time(run), err);
    if (status != EW_OK) return status;
    run->clock.timed_at[b] = exec_time(run);
  }
  return EW_OK;
}

ew_status exec_timed_now(exec_run *run, int buffer, ew_error *err) {
  if (run->clock.n_timed == 0 || buffer < 0 || !run->clock.timed[buffer]) return EW_OK;
  return bring_to(run, buffer, exec_time(run), err);
}
