#include "run/over_time.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fields/on_grid.h"
#include "run/internal.h"

/* Of more faces or cells a selection is asked: functions of Lua take their time. */
enum { MOST_PLACES = 100 };

/* ---- when ------------------------------------------------------------------------------------------------------------------ */

/* The fractions of multiples of the golden ratio: wherever they end, they lie densely, and no period fits them. */
static double part_of(int k) { return fmod((k + 1) * 0.6180339887498949, 1); }

void exec_over_time_moments(double from, double to, double *moment) {
  for (int k = 0; k < OVER_TIME_MOMENTS; k++)
    moment[k] = k == 0 ? from : k == 1 ? to : from + (to - from) * part_of(k);
}

double exec_over_time_end(const exec_run *run) {
  const case_time *t = &run->c->time;
  const double now = exec_time(run);
  const int64_t steps = exec_steps(run);
  double end = t->stop > 0 ? t->stop : INFINITY;
  if (t->max_steps > 0 && steps > 0) end = fmin(end, now / (double)steps * (double)t->max_steps);
  return isfinite(end) && end > now ? end : now;
}

/* ---- where ----------------------------------------------------------------------------------------------------------------- */

/* Where a value is asked for: faces of a patch, walls of a boundary of a grid, or points of a place. */
typedef struct places {
  const exec_run *run;
  dslc_place place;
  int boundary;   /* -1: all of the place */
  int components; /* of what is asked for there */
  int64_t n;
} places;

static places places_of_field(const exec_run *run, const dslc_field *f) {
  places p = {.run = run, .place = f->place, .boundary = -1, .components = exec_case_components(f, run->dim)};
  p.n = run->g ? exec_grid_count(run->g, f->place) : run->points.place[f->place].owned;
  return p;
}

static places places_of_boundary(const exec_run *run, const char *name) {
  places p = {.run = run, .place = DSLC_FACES};
  p.boundary = run->g ? grid_find_boundary(run->g, name) : mesh_find_patch(run->m, name);
  if (p.boundary < 0) return p;
  if (run->g)
    for (int d = 0; d < run->dim; d++) p.n += run->g->boundary[p.boundary].n_walls[d];
  else p.n = run->m->patch[p.boundary].count;
  return p;
}

static int asked_of(const places *p) { return p->n < MOST_PLACES ? (int)p->n : MOST_PLACES; }

/* Number k of those that are asked, evenly from the first to the last. */
static int64_t entry_of(const places *p, int k) {
  const int asked = asked_of(p);
  return asked > 1 ? k * (p->n - 1) / (asked - 1) : 0;
}

static void points_of_walls(const places *p, double x[][3]) {
  const grid *g = p->run->g;
  int k = 0;
  int64_t i = 0;
  for (int64_t w = 0; w < g->n_walls && k < asked_of(p); w++) {
    if (g->wall[w].boundary != p->boundary) continue;
    if (i++ == entry_of(p, k)) grid_wall_centre(g, &g->wall[w], x[k++]);
  }
}

static void point_of_grid(const places *p, int64_t i, double *x) {
  const grid *g = p->run->g;
  int32_t at[3] = {0, 0, 0};
  for (int d = 0; d < g->dim; d++) {
    const int64_t n = exec_grid_extent(g, p->place, d);
    at[d] = (int32_t)(i % n), i /= n;
  }
  exec_grid_point(g, p->place, at, x);
}

static void point_of_mesh(const places *p, int64_t i, double *x) {
  const mesh *m = p->run->m;
  const size_t dim = (size_t)m->dim;
  const double *from = p->place == DSLC_NODES   ? m->node_x + (size_t)p->run->nodes.fe->node[i] * dim
                       : p->place == DSLC_CELLS ? m->cell_centre + (size_t)i * dim
                                                : m->face_centre + (size_t)i * dim;
  if (p->boundary >= 0) from = m->face_centre + (size_t)(m->patch[p->boundary].first + i) * dim;
  memcpy(x, from, dim * sizeof *x);
}

static void points_at(const places *p, double x[][3]) {
  if (p->place == DSLC_NOWHERE) return;
  if (p->run->g && p->boundary >= 0) {
    points_of_walls(p, x);
    return;
  }
  for (int k = 0; k < asked_of(p); k++)
    p->run->g ? point_of_grid(p, entry_of(p, k), x[k]) : point_of_mesh(p, entry_of(p, k), x[k]);
}

/* ---- what ------------------------------------------------------------------------------------------------------------------ */

typedef struct moments {
  const double *t;
  int n;
} moments;

static void tell_series(const case_value *v, char *text, size_t size) {
  uint64_t hash = EXEC_HASH_BEGIN;
  double low = v->series[0], high = low;
  for (int i = 0; i < v->n_times; i++) hash = exec_hash_number(hash, v->time[i]);
  for (size_t i = 0; i < (size_t)v->n_times * (size_t)v->n; i++) {
    hash = exec_hash_number(hash, v->series[i]);
    low = fmin(low, v->series[i]), high = fmax(high, v->series[i]);
  }
  snprintf(text, size, "%d rows from t = %.9g to %.9g, numbers from %.9g to %.9g (hash %016llx)", v->n_times,
           v->time[0], v->time[v->n_times - 1], low, high, (unsigned long long)hash);
}

/* The number of those for which there is no value. */
static int ask(exec_sampler *s, const places *p, moments at) {
  double x[MOST_PLACES][3] = {{0}}, value[DSLC_MOST_COMPONENTS];
  int without = 0;
  points_at(p, x);
  for (int k = 0; k < asked_of(p); k++)
    for (int i = 0; i < at.n; i++) {
      ew_error ignored = {0};
      without += exec_sample(s, p->run->dim, x[k], at.t[i], value, &ignored) != EW_OK;
    }
  return without;
}

static ew_status tell_function(const case_value *v, const places *p, moments at, char *text, size_t size,
                               ew_error *err) {
  char numbers[160], none[48] = "";
  double last = 0;
  exec_sampler *s = NULL;
  ew_status status = exec_sampler_create(p->run->c, v, p->components, &s, err);
  if (status != EW_OK) return status;
  const int without = ask(s, p, at);
  exec_sampler_tell(s, numbers, sizeof numbers);
  exec_sampler_destroy(&s);
  for (int i = 0; i < at.n; i++) last = fmax(last, at.t[i]);
  if (without > 0) snprintf(none, sizeof none, ", %d times no value", without);
  snprintf(text, size, "at %d moments up to t = %.9g: %s%s", at.n, last, numbers, none);
  return EW_OK;
}

typedef struct facts {
  moments at;
  const char *before;
  exec_pairs *out;
} facts;

static ew_status add_value(const facts *f, const char *name, const case_value *v, const places *p,
                           ew_error *err) {
  char text[320];
  ew_status status = EW_OK;
  if (!exec_value_changes(v)) return EW_OK;
  if (v->kind == CASE_SERIES) tell_series(v, text, sizeof text);
  else status = tell_function(v, p, f->at, text, sizeof text, err);
  return status == EW_OK ? exec_pairs_add(f->out, name, text, err) : status;
}

static ew_status add_given(const exec_run *run, const facts *f, const dslc_field *field, ew_error *err) {
  char name[512];
  const case_values *v = &run->c->values;
  if (field->kind != DSLC_GIVEN) return EW_OK;
  snprintf(name, sizeof name, "%sgiven %s" OVER_TIME, f->before, field->name);
  const places p = places_of_field(run, field);
  return add_value(f, name, exec_find_value(v->given, v->n_givens, field->name), &p, err);
}

static int components_of(const dslc_model *m, const char *rule, const char *argument) {
  for (int r = 0; r < m->n_rules; r++)
    for (int a = 0; strcmp(m->rule[r].name, rule) == 0 && a < m->rule[r].n_arguments; a++)
      if (strcmp(m->rule[r].argument[a].name, argument) == 0) return m->rule[r].argument[a].components;
  return 0;
}

static ew_status add_entry(const exec_run *run, const facts *f, const case_boundary *e, ew_error *err) {
  ew_status status = EW_OK;
  for (int i = 0; i < e->n_names; i++) {
    places p = places_of_boundary(run, e->name[i]);
    for (int a = 0; a < e->n_arguments; a++) {
      char name[560];
      p.components = components_of(&run->program->model, e->rule, e->argument[a].name);
      snprintf(name, sizeof name, "%sboundary \"%s\": %s" OVER_TIME, f->before, e->name[i],
               e->argument[a].name);
      if (p.components > 0) EW_CHECK(add_value(f, name, &e->argument[a], &p, err));
    }
  }
cleanup:
  return status;
}

ew_status exec_over_time_facts(const exec_run *run, const double *moment, int n, const char *before,
                               exec_pairs *out, ew_error *err) {
  ew_status status = EW_OK;
  const facts f = {{moment, n}, before, out};
  const dslc_model *m = &run->program->model;
  for (int i = 0; i < m->n_fields; i++) EW_CHECK(add_given(run, &f, &m->field[i], err));
  for (int e = 0; e < run->c->n_boundaries; e++) EW_CHECK(add_entry(run, &f, &run->c->boundary[e], err));
cleanup:
  return status;
}

bool exec_over_time_any(const exec_run *run) {
  const ew_case *c = run->c;
  for (int g = 0; g < c->values.n_givens; g++)
    if (exec_value_changes(&c->values.given[g])) return true;
  for (int e = 0; e < c->n_boundaries; e++)
    for (int a = 0; a < c->boundary[e].n_arguments; a++)
      if (exec_value_changes(&c->boundary[e].argument[a])) return true;
  return false;
}
