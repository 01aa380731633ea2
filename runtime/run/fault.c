/* From the entry that a check left in the flags to a message that says what failed, where and when. */
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "fields/on_grid.h"
#include "run/ensemble.h"
#include "run/joins.h"

static int failed_check(const exec_run *run) {
  for (int i = 0; i < run->program->execution.n_checks; i++)
    if (run->seen.flag_values[DSLC_FLAG_CHECKS + i] != INT32_MAX) return i;
  return -1;
}

static void note_point(exec_run *run, dslc_place place, int32_t entry) {
  exec_fault *f = &run->failure.fault;
  const grid *g = run->g;
  if (!exec_grid_locate(run, place, entry, f->at, f->x)) return;
  int32_t c[3] = {0, 0, 0};
  for (int d = 0; d < run->dim; d++) c[d] = f->at[d] < g->axis[d].n ? f->at[d] : g->axis[d].n - 1;
  f->cell = f->origin = (cell_id)grid_cell(g, c[0], c[1], c[2]);
}

/* Of an edge its first node. */
static void note_node(exec_run *run, dslc_place place, int32_t entity) {
  const fe_space *s = run->nodes.fe;
  exec_fault *f = &run->failure.fault;
  if (entity < 0 || entity >= run->points.place[place].owned) return;
  const int32_t dof = place == DSLC_NODES ? entity : fe_first_node(s, entity);
  f->node = s->node[dof];
  for (int d = 0; d < run->m->dim; d++)
    f->x[d] = run->m->node_x[(size_t)f->node * (size_t)run->m->dim + (size_t)d];
}

static void note_place(exec_run *run, dslc_place place, int32_t entity) {
  if (run->g) {
    note_point(run, place, entity);
    return;
  }
  const mesh *m = run->m;
  exec_fault *f = &run->failure.fault;
  f->cell = f->origin = f->node = -1;
  if (place == DSLC_NODES || place == DSLC_EDGES) {
    note_node(run, place, entity);
    return;
  }
  if (place == DSLC_FACES && entity >= 0 && entity < m->n_faces) entity = m->face_left[entity];
  else if (place != DSLC_CELLS) return;
  if (entity < 0 || entity >= m->n_cells) return;
  f->cell = entity;
  f->origin = m->cell_origin[entity];
  for (int d = 0; d < m->dim; d++) f->x[d] = m->cell_centre[(size_t)entity * (size_t)m->dim + (size_t)d];
}

/* ---- the message ------------------------------------------------------------------------------------------------------- */

typedef struct text {
  char at[2048];
  size_t used;
} text;

static void add(text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void add(text *t, const char *fmt, ...) {
  if (t->used >= sizeof t->at) return;
  va_list args;
  va_start(args, fmt);
  int n = vsnprintf(t->at + t->used, sizeof t->at - t->used, fmt, args);
  va_end(args);
  t->used += n > 0 ? (size_t)n : 0;
}

/* A NaN without its sign, which means nothing. */
static void add_vector(text *t, const double *v, int n) {
  if (n > 1) add(t, "(");
  for (int d = 0; d < n; d++) add(t, "%s%.9g", d ? ", " : "", isnan(v[d]) ? NAN : v[d]);
  if (n > 1) add(t, ")");
}

bool exec_formula_reads(const char *formula, const char *name) {
  const size_t n = strlen(name);
  bool bracket = false;
  for (const char *c = formula; *c; c++) {
    if (*c == '[' || *c == ']') bracket = *c == '[';
    const bool begins = c == formula || !(isalnum((unsigned char)c[-1]) || c[-1] == '_' || c[-1] == '.');
    if (!bracket && begins && strncmp(c, name, n) == 0 && !isalnum((unsigned char)c[n]) && c[n] != '_')
      return true;
  }
  return false;
}

/* The parameters that the check names, with their values; how many. */
static int add_parameters(const exec_run *run, text *t) {
  const dslc_program *p = run->program;
  int shown = 0;
  for (int i = 0; i < p->model.n_parameters; i++) {
    const dslc_parameter *q = &p->model.parameter[i];
    if (!exec_formula_reads(run->failure.fault.text, q->name)) continue;
    add(t, "%s%s = ", shown++ ? ", " : "\n  parameters: ", q->name);
    add_vector(t, run->parameter[i], q->components);
    if (q->unit && strcmp(q->unit, "1") != 0) add(t, " %s", q->unit);
  }
  return shown;
}

/* Where the fault is, for reading. */
static exec_spot spot_of(const exec_run *run) {
  const exec_fault *f = &run->failure.fault;
  if (f->node < 0) return (exec_spot){.cell = f->cell};
  int32_t corners = run->dim + 1,
          corner = run->nodes.fe->corner[run->nodes.fe->around[run->nodes.fe->dof[f->node]]];
  exec_spot spot = {.cell = corner / corners};
  spot.weight[corner % corners] = 1;
  return spot;
}

/* States and givens at the cell or node that failed, as they are now. */
static void add_values(exec_run *run, text *t) {
  dslc_place place = run->failure.fault.node >= 0 ? DSLC_NODES : DSLC_CELLS;
  exec_spot spot = spot_of(run);
  const dslc_program *p = run->program;
  int shown = 0;
  for (int i = 0; i < p->model.n_fields; i++) {
    const dslc_field *f = &p->model.field[i];
    double value[DSLC_MOST_COMPONENTS];
    bool there = run->g || f->place == place;
    if (f->kind == DSLC_QUANTITY || !there || f->buffer < 0 || f->components > DSLC_MOST_COMPONENTS) continue;
    if (exec_read_at(run, i, &spot, value, NULL) != EW_OK) continue;
    add(t, "%s%s = ", shown++ ? ", " : "\n  there: ", f->name);
    add_vector(t, value, f->components);
    if (f->unit) add(t, " %s", f->unit);
  }
}

static const char *point_word(dslc_place place) {
  switch (place) {
  case DSLC_XFACES: return "the face across x";
  case DSLC_YFACES: return "the face across y";
  case DSLC_ZFACES: return "the face across z";
  case DSLC_XEDGES: return "the edge along x";
  case DSLC_YEDGES: return "the edge along y";
  case DSLC_ZEDGES: return "the edge along z";
  case DSLC_CORNERS: return "the corner";
  default: return "cell";
  }
}

/* "in cell (3, 4), centre ": points are counted from 0, as schemes do. */
static void add_point(const exec_run *run, text *t) {
  dslc_place place = run->program->execution.check[run->failure.fault.check].place;
  add(t, "\n  at %s (", point_word(place));
  for (int d = 0; d < run->dim; d++) add(t, "%s%d", d ? ", " : "", run->failure.fault.at[d]);
  add(t, ") of the grid, at ");
}

static void add_check(const exec_run *run, text *t) {
  const exec_fault *f = &run->failure.fault;
  add(t, "\n  check: %s", f->text);
  if (f->line > 0) add(t, " (%s:%d)", exec_file(run->program, f->file), f->line);
}

/* The step that the scheme wants to take next, as it stands in its `dt`: none if it is not a positive number. */
static ew_status describe_step(exec_run *run, double dt, ew_error *err) {
  text t = {.used = 0};
  add(&t, "step %lld, from t = %.9g s, cannot be taken: its size would be dt = ",
      (long long)run->failure.fault.step + 1, run->failure.fault.t);
  add_vector(&t, &dt, 1);
  add(&t, " s");
  add_check(run, &t);
  add(&t,
      "\n  hint: look at what this formula is made of: the case's parameters, and the state at that time");
  return ew_fail(err, EW_DIVERGED, "%s", t.at);
}

static bool has_parameter(const dslc_program *p, const char *name) {
  for (int i = 0; i < p->model.n_parameters; i++)
    if (strcmp(p->model.parameter[i].name, name) == 0) return true;
  return false;
}

static const char *hint_of(const dslc_program *p, bool start, bool somewhere, int parameters) {
  if (!start)
    return has_parameter(p, "cfl") ? "a smaller step (cfl), or look at the values and the boundary there"
                                   : "a smaller step, or look at the values and the boundary there";
  if (somewhere)
    return parameters ? "look at the initial and given values there, and at these parameters"
                      : "look at the initial and given values there";
  return parameters
             ? "look at these in the case's `parameters`: what it does not give there is the scheme's default"
             : "look at the case's `parameters` and `initial` values that this follows from";
}

static ew_status describe(exec_run *run, ew_error *err) {
  const exec_fault *f = &run->failure.fault;
  text t = {.used = 0};
  bool start = f->step == 0 && run->failure.failed_pass == 0;
  if (start) add(&t, "what the case gives fails a check of the scheme at the start");
  else add(&t, "the solution failed a check in step %lld, ", (long long)f->step);
  if (run->failure.failed_pass > 0) add(&t, "pass %d of its repeat, ", run->failure.failed_pass);
  if (!start) add(&t, "t = %.9g s, dt = %.6g s", f->t, exec_dt(run));
  add_check(run, &t);
  if (f->cell >= 0) {
    if (run->g) add_point(run, &t);
    else add(&t, "\n  in cell %d of the mesh as read, centre ", f->origin);
    add_vector(&t, f->x, run->dim);
    add_values(run, &t);
  } else if (f->node >= 0) {
    add(&t, "\n  at the node at ");
    add_vector(&t, f->x, run->m->dim);
    add_values(run, &t);
  }
  const int named = add_parameters(run, &t);
  add(&t, "\n  hint: %s", hint_of(run->program, start, f->cell >= 0 || f->node >= 0, named));
  return ew_fail(err, EW_DIVERGED, "%s", t.at);
}

ew_status exec_fault_check(exec_run *run, ew_error *err) {
  if (!run->seen.flag_values[DSLC_FLAG_FAULT]) return EW_OK;
  if (exec_joins_check(run, err) != EW_OK || exec_ensemble_check(run, err) != EW_OK)
    return run->failure.broken = true, EW_DEVICE;
  int i = failed_check(run);
  run->failure.fault = (exec_fault){
      .check = i >= 0 ? i : 0, .text = "a check of the step", .cell = -1, .origin = -1, .node = -1};
  run->failure.fault.t = exec_time(run);
  run->failure.fault.step = exec_steps(run);
  if (i >= 0) {
    const dslc_check *check = &run->program->execution.check[i];
    run->failure.fault.text = check->text;
    run->failure.fault.line = check->line;
    run->failure.fault.file = check->file;
    run->failure.fault.column = check->column;
    note_place(run, check->place, run->seen.flag_values[DSLC_FLAG_CHECKS + i]);
  }
  double wanted =
      run->seen.scalar_values[DSLC_SCALAR_DT_FREE]; /* 0 at the start, where dt follows from states */
  bool of_step = i < 0 || strcmp(run->failure.fault.text, "dt > 0") == 0;
  return of_step && !(wanted > 0 && wanted < INFINITY) ? describe_step(run, wanted, err) : describe(run, err);
}
