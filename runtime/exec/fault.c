/* From the entry that a check left in the flags to a message that says what failed, where and when. */
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "exec/on_grid.h"

static int failed_check(const exec_run *run) {
  for (int i = 0; i < run->program->n_checks; i++)
    if (run->flag_values[DSLC_FLAG_CHECKS + i] != INT32_MAX) return i;
  return -1;
}

static void note_point(exec_run *run, dslc_place place, int32_t entry) {
  exec_fault *f = &run->fault;
  const grid *g = run->g;
  if (!exec_grid_locate(run, place, entry, f->at, f->x)) return;
  int32_t c[3] = {0, 0, 0};
  for (int d = 0; d < run->dim; d++) c[d] = f->at[d] < g->axis[d].n ? f->at[d] : g->axis[d].n - 1;
  f->cell = f->origin = (cell_id)grid_cell(g, c[0], c[1], c[2]);
}

static void note_place(exec_run *run, dslc_place place, int32_t entity) {
  if (run->g) {
    note_point(run, place, entity);
    return;
  }
  const mesh *m = run->m;
  exec_fault *f = &run->fault;
  f->cell = f->origin = -1;
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

static void add_vector(text *t, const double *v, int n) {
  if (n > 1) add(t, "(");
  for (int d = 0; d < n; d++) add(t, "%s%.9g", d ? ", " : "", v[d]);
  if (n > 1) add(t, ")");
}

/* States and givens in the cell that failed, as they are now. */
static void add_values(exec_run *run, text *t) {
  const dslc_program *p = run->program;
  int shown = 0;
  for (int i = 0; i < p->n_fields; i++) {
    const dslc_field *f = &p->field[i];
    double value[9];
    if (f->kind == DSLC_QUANTITY || (run->m && f->place != DSLC_CELLS) || f->buffer < 0 || f->components > 9)
      continue;
    if (exec_read_at(run, i, run->fault.cell, value, NULL) != EW_OK) continue;
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
  case DSLC_CORNERS: return "the corner";
  default: return "cell";
  }
}

/* "in cell (3, 4), centre ": points are counted from 0, as schemes do. */
static void add_point(const exec_run *run, text *t) {
  dslc_place place = run->program->check[run->fault.check].place;
  add(t, "\n  at %s (", point_word(place));
  for (int d = 0; d < run->dim; d++) add(t, "%s%d", d ? ", " : "", run->fault.at[d]);
  add(t, ") of the grid, at ");
}

static ew_status describe(exec_run *run, ew_error *err) {
  const exec_fault *f = &run->fault;
  text t = {.used = 0};
  add(&t, "the solution failed a check in step %lld, t = %.9g s, dt = %.6g s", (long long)f->step, f->t,
      exec_dt(run));
  add(&t, "\n  check: %s", f->text);
  if (f->line > 0)
    add(&t, " (%s:%d)", run->program->path ? run->program->path : run->program->scheme, f->line);
  if (f->cell >= 0) {
    if (run->g) add_point(run, &t);
    else add(&t, "\n  in cell %d of the mesh as read, centre ", f->origin);
    add_vector(&t, f->x, run->dim);
    add_values(run, &t);
  }
  add(&t, "\n  hint: a smaller step (cfl), or look at the values and the boundary there");
  return ew_fail(err, EW_DIVERGED, "%s", t.at);
}

ew_status exec_fault_check(exec_run *run, ew_error *err) {
  if (!run->flag_values[DSLC_FLAG_FAULT]) return EW_OK;
  int i = failed_check(run);
  run->fault = (exec_fault){.check = i >= 0 ? i : 0, .text = "a check of the step", .cell = -1, .origin = -1};
  run->fault.t = exec_time(run);
  run->fault.step = exec_steps(run);
  if (i >= 0) {
    const dslc_check *check = &run->program->check[i];
    run->fault.text = check->text;
    run->fault.line = check->line;
    run->fault.column = check->column;
    note_place(run, check->place, run->flag_values[DSLC_FLAG_CHECKS + i]);
  }
  return describe(run, err);
}
