/* A run without kernels: its life and its loop over steps. */
#include "reference/reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/timing.h"
#include "fields/on_grid.h"

struct exec_reference {
  reference_domain domain;
  dslc_reference *equations;
};

/* ---- failures ---------------------------------------------------------------------------------------------------------------- */

static ew_status failed(exec_run *run, dslc_ref_status what, ew_error *err) {
  const exec_reference *r = run->reference;
  const char *text = r->equations ? dslc_reference_message(r->equations) : "";
  switch (what) {
  case DSLC_REF_OK: return EW_OK;
  case DSLC_REF_FAULT:
    run->failure.broken = true;
    return ew_fail(err, EW_DIVERGED, "the reference run of scheme '%s' stopped in step %lld:\n%s",
                   run->program->identity.scheme, (long long)exec_steps(run) + 1, text);
  case DSLC_REF_CALLBACK:
    return ew_fail(err, r->domain.err.status ? r->domain.err.status : EW_INTERNAL, "%s: %s", text,
                   r->domain.err.text);
  case DSLC_REF_CIRCLE:
    /* What finds it is the planner, which a reference run does not ask. */
    return ew_fail(err, EW_INPUT,
                   "the reference run of scheme '%s' has no end: %s (`edgewise check` says where)",
                   run->program->identity.scheme, text);
  case DSLC_REF_SINGULAR: run->failure.broken = true; return ew_fail(err, EW_NOT_CONVERGED, "%s", text);
  case DSLC_REF_MEMORY: break;
  }
  return ew_fail(err, EW_FAIL, "out of memory for the reference run of scheme '%s'",
                 run->program->identity.scheme);
}

/* ---- between buffers and the interpreter ----------------------------------------------------------------------------------------- */

/* Values in the interpreter's order, from or to those of a buffer's entries. */
static void convert(const exec_run *run, const dslc_field *f, bool to_buffer, double *entries,
                    double *points) {
  if (run->g && to_buffer) exec_grid_scatter(run, f, f->components, points, entries);
  else if (run->g) exec_grid_gather(run, f, f->components, entries, points);
  else {
    size_t size = (size_t)run->points.place[f->place].owned * (size_t)f->components * sizeof(double);
    memcpy(to_buffer ? entries : points, to_buffer ? points : entries, size);
  }
}

static ew_status put_field(exec_run *run, const dslc_field *f, double *points, ew_error *err) {
  int32_t all = run->points.place[f->place].all;
  double *entries = calloc((size_t)all * (size_t)f->components + 1, sizeof *entries);
  if (!entries) return ew_fail(err, EW_FAIL, "out of memory for '%s'", f->name);
  convert(run, f, true, entries, points);
  ew_status status = exec_put(run, f->buffer, entries, all, err);
  free(entries);
  return status;
}

static ew_status get_field(exec_run *run, const dslc_field *f, double *points, ew_error *err) {
  int32_t all = run->points.place[f->place].all;
  double *entries = calloc((size_t)all * (size_t)f->components + 1, sizeof *entries);
  if (!entries) return ew_fail(err, EW_FAIL, "out of memory for '%s'", f->name);
  ew_status status = exec_get(run, f->buffer, entries, all, err);
  if (status == EW_OK) convert(run, f, false, entries, points);
  free(entries);
  return status;
}

/* Whoever writes a state - a hook, a checkpoint - writes to its buffer. */
static ew_status exchange_states(exec_run *run, bool to_buffers, ew_error *err) {
  for (int i = 0; i < run->program->model.n_fields; i++) {
    const dslc_field *f = &run->program->model.field[i];
    int32_t n;
    int components;
    if (f->kind != DSLC_STATE) continue;
    double *points = dslc_reference_state(run->reference->equations, f->name, &n, &components);
    ew_status status = to_buffers ? put_field(run, f, points, err) : get_field(run, f, points, err);
    if (status != EW_OK) return status;
  }
  return EW_OK;
}

/* What outputs and hooks see of givens; those over time anew. */
static ew_status put_given(exec_run *run, const dslc_field *f, ew_error *err) {
  reference_domain *d = &run->reference->domain;
  const size_t n =
      run->g ? (size_t)exec_grid_count(run->g, f->place) : (size_t)run->points.place[f->place].all;
  double *points = calloc(n * (size_t)f->components + 1, sizeof *points);
  if (!points) return ew_fail(err, EW_FAIL, "out of memory for '%s'", f->name);
  ew_status status = EW_OK;
  if (reference_field(d, f->name, exec_time(run), points)) status = put_field(run, f, points, err);
  else *err = d->err, status = d->err.status;
  free(points);
  return status;
}

static ew_status put_givens(exec_run *run, bool only_timed, ew_error *err) {
  ew_status status = EW_OK;
  for (int i = 0; i < run->program->model.n_fields; i++) {
    const dslc_field *f = &run->program->model.field[i];
    if (f->kind == DSLC_GIVEN && f->buffer >= 0 && (f->over_time || !only_timed))
      EW_CHECK(put_given(run, f, err));
  }
cleanup:
  return status;
}

static ew_status put_scalars(exec_run *run, ew_error *err) {
  return dev_buffer_write(run->buffer[run->seen.scalars], 0, (uint64_t)run->seen.n_scalars * sizeof(double),
                          run->seen.scalar_values, err);
}

/* ---- life --------------------------------------------------------------------------------------------------------------------------- */

ew_status exec_reference_create(exec_run *run, ew_error *err) {
  ew_status status = EW_OK;
  exec_reference *r = run->reference = calloc(1, sizeof *r);
  if (!r) return ew_fail(err, EW_FAIL, "out of memory for a reference run");
  EW_CHECK(exec_identity_begin(run, err));
  EW_CHECK(reference_domain_create(run, &r->domain, err));
  run->identity.recording = true;
  run->identity.when = "";
  if (reference_note_arguments(&r->domain) != EW_OK)
    EXEC_LEAVE(err, r->domain.err.status, "%s", r->domain.err.text);
  dslc_ref_status made = dslc_reference_create(
      run->program, &r->domain.view, (const double(*)[DSLC_MOST_COMPONENTS])run->parameter, &r->equations);
  if (made == DSLC_REF_OK) made = dslc_reference_start(r->equations, 0);
  EW_CHECK(failed(run, made, err));
  EW_CHECK(exchange_states(run, true, err));
  EW_CHECK(put_givens(run, false, err));
cleanup:
  run->identity.recording = false;
  return status;
}

void exec_reference_destroy(exec_run *run) {
  if (!run->reference) return;
  dslc_reference_destroy(&run->reference->equations);
  reference_domain_clear(&run->reference->domain);
  free(run->reference);
  run->reference = NULL;
}

/* ---- steps -------------------------------------------------------------------------------------------------------------------------- */

static ew_status note_passes(exec_run *run, const dslc_ref_step *step, ew_error *err) {
  exec_counters *c = &run->account.counters;
  run->failure.last_passes = step->passes;
  c->passes += step->all_passes;
  c->repeats += step->repeats;
  if (step->most_passes > c->most_passes) c->most_passes = step->most_passes;
  if (step->cut_off == 0) return EW_OK;
  if (c->cut_off == 0) {
    c->first_cut_off = exec_steps(run) + 1;
    snprintf(run->failure.cut_off, sizeof run->failure.cut_off, "%.300s does not hold", step->repeat);
  }
  c->cut_off += step->cut_off;
  if (!run->c->time.finish_repeats) return EW_OK;
  return ew_fail(err, EW_NOT_CONVERGED, "the repeat in step %lld was not finished after %d passes:\n  %s",
                 (long long)exec_steps(run) + 1, step->passes, run->failure.cut_off);
}

static ew_status make_step(exec_run *run, double t_stop, ew_error *err) {
  ew_status status = EW_OK;
  double *time = run->seen.scalar_values;
  dslc_ref_step step = {.t_stop = t_stop, .t = time[DSLC_SCALAR_T]};
  EW_CHECK(exec_bound_step(run, err));
  step.most = time[DSLC_SCALAR_MOST] = run->growth.most_step;
  EW_CHECK(failed(run, dslc_reference_step(run->reference->equations, &step), err));
  EW_CHECK(note_passes(run, &step, err));
  time[DSLC_SCALAR_T] = time[DSLC_SCALAR_T_NEXT] = step.t;
  time[DSLC_SCALAR_DT] = step.dt;
  time[DSLC_SCALAR_DT_FREE] = step.free;
  run->account.counters.steps++;
cleanup:
  return status;
}

ew_status exec_reference_advance(exec_run *run, const exec_until *until, ew_error *err) {
  ew_status status = EW_OK;
  ew_error other = {0};
  int64_t made = 0;
  EW_CHECK(exchange_states(run, false, err));
  while (status == EW_OK && exec_time(run) < until->t_stop &&
         (until->max_steps <= 0 || made < until->max_steps)) {
    if (until->stop && *until->stop)
      status = ew_fail(err, EW_STOPPED, "stopped on request at t = %.6g s, step %lld", exec_time(run),
                       (long long)exec_steps(run));
    else status = make_step(run, until->t_stop, err);
    made++;
  }
  if (exchange_states(run, true, &other) != EW_OK || put_scalars(run, &other) != EW_OK ||
      put_givens(run, true, &other) != EW_OK)
    return status == EW_OK ? ew_fail(err, other.status, "%s", other.text) : status;
cleanup:
  return status;
}

/* ---- checkpoints --------------------------------------------------------------------------------------------------------------------- */

/* The states one after the other, from or to a list; how many numbers they are. */
static size_t exchange_start(const exec_run *run, const double *from, double *to) {
  size_t at = 0;
  for (int i = 0; i < run->program->model.n_fields; i++) {
    const dslc_field *f = &run->program->model.field[i];
    int32_t n;
    int components;
    if (f->kind != DSLC_STATE) continue;
    double *value = dslc_reference_start_state(run->reference->equations, f->name, &n, &components);
    const size_t size = (size_t)n * (size_t)components;
    if (from) memcpy(value, from + at, size * sizeof *value);
    if (to) memcpy(to + at, value, size * sizeof *value);
    at += size;
  }
  return at;
}

double *exec_reference_start_values(const exec_run *run, size_t *n) {
  *n = 1 + exchange_start(run, NULL, NULL);
  double *values = malloc(*n * sizeof *values);
  if (!values) return NULL;
  values[0] = dslc_reference_start_time(run->reference->equations);
  exchange_start(run, NULL, values + 1);
  return values;
}

void exec_reference_resume(exec_run *run, const double *values) {
  const double *scalar = run->seen.scalar_values;
  const dslc_ref_step last = {.t = values[0],
                              .dt = scalar[DSLC_SCALAR_DT],
                              .free = scalar[DSLC_SCALAR_DT_FREE],
                              .most = run->growth.most_step};
  exchange_start(run, values + 1, NULL);
  dslc_reference_resume(run->reference->equations, &last);
}

/* ---- shows -------------------------------------------------------------------------------------------------------------------------- */

static ew_status show_field(exec_run *run, const dslc_field *f, ew_error *err) {
  ew_status status = EW_OK;
  size_t n = run->g ? (size_t)exec_grid_count(run->g, f->place) : (size_t)run->points.place[f->place].all;
  double *points = calloc(n * (size_t)f->components + 1, sizeof *points);
  if (!points) return ew_fail(err, EW_FAIL, "out of memory for '%s'", f->name);
  EW_CHECK(failed(run, dslc_reference_show(run->reference->equations, f->name, exec_time(run), points), err));
  EW_CHECK(put_field(run, f, points, err));
cleanup:
  free(points);
  return status;
}

static ew_status show_global(exec_run *run, const dslc_global *g, ew_error *err) {
  dslc_ref_status shown = dslc_reference_global(run->reference->equations, g->name, exec_time(run),
                                                &run->seen.scalar_values[g->scalar]);
  return shown == DSLC_REF_OK ? put_scalars(run, err) : failed(run, shown, err);
}

ew_status exec_reference_show(exec_run *run, int section, ew_error *err) {
  ew_status status = EW_OK;
  const dslc_program *p = run->program;
  EW_CHECK(exchange_states(run, false, err));
  for (int i = 0; i < p->model.n_fields; i++)
    if (p->model.field[i].kind == DSLC_QUANTITY && p->model.field[i].show == section)
      return show_field(run, &p->model.field[i], err);
  for (int i = 0; i < p->model.n_globals; i++)
    if (p->model.global[i].show == section) return show_global(run, &p->model.global[i], err);
cleanup:
  return status;
}

ew_status exec_reference_bound(exec_run *run, double t, dslc_ref_bound *out, ew_error *err) {
  ew_status status = exchange_states(run, false, err);
  return status == EW_OK ? failed(run, dslc_reference_bound(run->reference->equations, t, out), err) : status;
}
