/* A run that explodes goes on until a number overflows; one that stops before must not end as if nothing were wrong. So at every
 * output the states are held against all that the case gives. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "case/sample.h"
#include "run/internal.h"

/* No unit of any problem is so far from the others that what is given and what follows from it differ by so much. */
static const double FAR = 1e20;

static double largest_number(const case_value *v, double most) {
  for (int d = 0; v->kind == CASE_NUMBERS && d < v->n; d++) most = fmax(most, fabs(v->number[d]));
  for (int i = 0; v->kind == CASE_SERIES && i < v->n_times * v->n; i++) most = fmax(most, fabs(v->series[i]));
  return most;
}

static ew_status largest_entry(exec_run *run, const dslc_field *f, double *most, int32_t *where,
                               ew_error *err) {
  ew_status status = EW_OK;
  int32_t n = exec_count(run, f->name);
  size_t values = (size_t)n * (size_t)f->components;
  double *x = malloc((values + 1) * sizeof *x);
  if (!x) return ew_fail(err, EW_FAIL, "out of memory to look at '%s'", f->name);
  EW_CHECK(exec_read(run, f->name, x, err));
  for (size_t i = 0; i < values; i++)
    if (fabs(x[i]) > *most) *most = fabs(x[i]), *where = (int32_t)(i / (size_t)f->components);
cleanup:
  free(x);
  return status;
}

/* Numbers and series of the case, states and givens as they were when this was asked first. */
static ew_status find_scale(exec_run *run, ew_error *err) {
  ew_status status = EW_OK;
  const ew_case *c = run->c;
  int32_t where;
  double most = 1;
  for (int p = 0; p < run->program->model.n_parameters; p++)
    for (int d = 0; d < run->program->model.parameter[p].components; d++)
      if (isfinite(run->parameter[p][d])) most = fmax(most, fabs(run->parameter[p][d]));
  for (int b = 0; b < c->n_boundaries; b++)
    for (int a = 0; a < c->boundary[b].n_arguments; a++)
      most = largest_number(&c->boundary[b].argument[a], most);
  for (int f = 0; f < run->program->model.n_fields; f++)
    if (run->program->model.field[f].kind != DSLC_QUANTITY)
      EW_CHECK(largest_entry(run, &run->program->model.field[f], &most, &where, err));
  run->growth.scale = most;
cleanup:
  return status;
}

static void describe_place(exec_run *run, const dslc_field *f, int32_t entity, char *text, size_t size) {
  const double *volume, *part, *centre = NULL;
  int32_t n;
  *text = '\0';
  if (f->place == DSLC_CELLS) exec_cells(run, &volume, &centre, NULL);
  else if (f->place == DSLC_NODES && run->m) exec_nodes(run, &n, &volume, &centre, &part, NULL);
  for (int d = 0, used = 0; centre && d < run->dim; d++)
    used += snprintf(text + used, size - (size_t)used, "%s%.6g", d ? ", " : " at (",
                     centre[(size_t)entity * (size_t)run->dim + (size_t)d]);
  if (*text) snprintf(text + strlen(text), size - strlen(text), ")");
}

/* ": T from 1 at (0.5, 0.5) to 3e9 at (2.5, 3.5)"; nothing where it cannot be read. */
static void describe_range(exec_run *run, const dslc_field *f, char *text, size_t size) {
  char low[120], high[120];
  ew_error ignored; /* the message that this is a part of counts */
  size_t values = (size_t)exec_count(run, f->name) * (size_t)f->components, least = 0, most = 0;
  double *x = malloc((values + 1) * sizeof *x);
  *text = '\0';
  if (x && values > 0 && exec_read(run, f->name, x, &ignored) == EW_OK) {
    for (size_t i = 1; i < values; i++) {
      if (x[i] < x[least]) least = i;
      if (x[i] > x[most]) most = i;
    }
    describe_place(run, f, (int32_t)(least / (size_t)f->components), low, sizeof low);
    describe_place(run, f, (int32_t)(most / (size_t)f->components), high, sizeof high);
    snprintf(text, size, "\n  %s from %.6g%s to %.6g%s", f->name, x[least], low, x[most], high);
  }
  free(x);
}

void exec_describe_states(exec_run *run, char *text, size_t size) {
  size_t used = 0;
  *text = '\0';
  for (int i = 0; i < run->program->model.n_fields && used < size; i++) {
    if (run->program->model.field[i].kind != DSLC_STATE) continue;
    describe_range(run, &run->program->model.field[i], text + used, size - used);
    used += strlen(text + used);
  }
}

/* Which step was taken, and what may help. */
static void describe_remedy(exec_run *run, char *text, size_t size) {
  char bound[900];
  if (exec_dt(run) == 0) { /* the scheme says of no dt: a step is one round of it */
    snprintf(
        text, size,
        "\n  the scheme has no dt: each step leads farther away from what it looks for\n  hint: take less of "
        "a step's change (relaxation), or look at the values and the boundary there");
    return;
  }
  exec_describe_bound(run, bound, sizeof bound);
  snprintf(
      text, size,
      "\n  steps have dt = %.6g s; the scheme's own bound there is dt = %.6g s%s\n  hint: a smaller step "
      "(cfl) if the scheme has such a parameter, cells that are less stretched, or look at the values and "
      "the boundary there",
      exec_dt(run), run->seen.scalar_values[DSLC_SCALAR_DT_FREE], bound);
}

ew_status exec_growth_check(exec_run *run, ew_error *err) {
  ew_status status = EW_OK;
  if (run->growth.scale == 0) return find_scale(run, err);
  for (int i = 0; i < run->program->model.n_fields; i++) {
    const dslc_field *f = &run->program->model.field[i];
    double most = 0;
    int32_t where = 0;
    char place[120], remedy[1200];
    if (f->kind != DSLC_STATE) continue;
    EW_CHECK(largest_entry(run, f, &most, &where, err));
    if (most <= FAR * run->growth.scale) continue;
    describe_place(run, f, where, place, sizeof place);
    describe_remedy(run, remedy, sizeof remedy);
    EXEC_LEAVE(err, EW_DIVERGED,
               "the solution has exploded by t = %.9g s, step %lld: %s is %.3g%s, %.1g times the largest "
               "number that the case gives%s",
               exec_time(run), (long long)exec_steps(run), f->name, most, place, most / run->growth.scale,
               remedy);
  }
cleanup:
  return status;
}
