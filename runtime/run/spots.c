#include "run/spots.h"

#include <string.h>

#include "fields/on_grid.h"

/* ---- where ----------------------------------------------------------------------------------------------------------------- */

static exec_spots of_field(const exec_run *run, const dslc_field *f) {
  exec_spots p = {.run = run,
                  .place = f->place,
                  .boundary = -1,
                  .most = EXEC_MOST_SPOTS,
                  .components = exec_case_components(f, run->dim)};
  p.n = run->g ? exec_grid_count(run->g, f->place) : run->points.place[f->place].owned;
  return p;
}

static exec_spots of_boundary(const exec_run *run, const char *name) {
  exec_spots p = {.run = run, .place = DSLC_FACES, .most = EXEC_MOST_SPOTS};
  p.boundary = run->g ? grid_find_boundary(run->g, name) : mesh_find_patch(run->m, name);
  if (p.boundary < 0) return p;
  if (run->g)
    for (int d = 0; d < run->dim; d++) p.n += run->g->boundary[p.boundary].n_walls[d];
  else p.n = run->m->patch[p.boundary].count;
  return p;
}

int exec_spots_count(const exec_spots *p) { return p->n < p->most ? (int)p->n : p->most; }

/* Number k of those that are asked, evenly from the first to the last. */
static int64_t entry_of(const exec_spots *p, int k) {
  const int asked = exec_spots_count(p);
  return asked > 1 ? k * (p->n - 1) / (asked - 1) : 0;
}

static void points_of_walls(const exec_spots *p, double x[][3]) {
  const grid *g = p->run->g;
  int k = 0;
  int64_t i = 0;
  for (int64_t w = 0; w < g->n_walls && k < exec_spots_count(p); w++) {
    if (g->wall[w].boundary != p->boundary) continue;
    if (i++ == entry_of(p, k)) grid_wall_centre(g, &g->wall[w], x[k++]);
  }
}

static void point_of_grid(const exec_spots *p, int64_t i, double *x) {
  const grid *g = p->run->g;
  int32_t at[3] = {0, 0, 0};
  for (int d = 0; d < g->dim; d++) {
    const int64_t n = exec_grid_extent(g, p->place, d);
    at[d] = (int32_t)(i % n), i /= n;
  }
  exec_grid_point(g, p->place, at, x);
}

static void point_of_mesh(const exec_spots *p, int64_t i, double *x) {
  const mesh *m = p->run->m;
  const int64_t entity = p->boundary >= 0 ? m->patch[p->boundary].first + i : i;
  exec_mesh_point(p->run, p->place, (int32_t)entity, x);
}

void exec_spots_points(const exec_spots *p, double x[][3]) {
  if (p->place == DSLC_NOWHERE) return;
  if (p->run->g && p->boundary >= 0) {
    points_of_walls(p, x);
    return;
  }
  for (int k = 0; k < exec_spots_count(p); k++)
    p->run->g ? point_of_grid(p, entry_of(p, k), x[k]) : point_of_mesh(p, entry_of(p, k), x[k]);
}

/* ---- what ------------------------------------------------------------------------------------------------------------------ */

typedef struct showing {
  const exec_run *run;
  exec_see_over_time *see;
  void *context;
} showing;

static ew_status show_given(const showing *s, const dslc_field *f, ew_error *err) {
  const case_values *all = &s->run->c->values;
  const case_value *v = f->kind == DSLC_GIVEN ? exec_find_value(all->given, all->n_givens, f->name) : NULL;
  if (!case_value_changes(v)) return EW_OK;
  const exec_over_time o = {.name = f->name, .value = v, .where = of_field(s->run, f)};
  return s->see(s->context, &o, err);
}

static int components_of(const dslc_model *m, const char *rule, const char *argument) {
  for (int r = 0; r < m->n_rules; r++)
    for (int a = 0; strcmp(m->rule[r].name, rule) == 0 && a < m->rule[r].n_arguments; a++)
      if (strcmp(m->rule[r].argument[a].name, argument) == 0) return m->rule[r].argument[a].components;
  return 0;
}

static ew_status show_entry(const showing *s, const case_boundary *e, ew_error *err) {
  ew_status status = EW_OK;
  for (int i = 0; i < e->n_names; i++) {
    exec_over_time o = {.boundary = e->name[i], .where = of_boundary(s->run, e->name[i])};
    for (int a = 0; a < e->n_arguments; a++) {
      o.value = &e->argument[a], o.name = o.value->name;
      o.where.components = components_of(&s->run->program->model, e->rule, o.name);
      if (o.where.components > 0 && case_value_changes(o.value)) EW_CHECK(s->see(s->context, &o, err));
    }
  }
cleanup:
  return status;
}

ew_status exec_each_over_time(const exec_run *run, exec_see_over_time *see, void *context, ew_error *err) {
  ew_status status = EW_OK;
  const showing s = {run, see, context};
  const dslc_model *m = &run->program->model;
  for (int i = 0; i < m->n_fields; i++) EW_CHECK(show_given(&s, &m->field[i], err));
  for (int e = 0; e < run->c->n_boundaries; e++) EW_CHECK(show_entry(&s, &run->c->boundary[e], err));
cleanup:
  return status;
}
