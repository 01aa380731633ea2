/* Whether what a case gives has a value wherever a run will ask for it: functions are called, rasters looked up, at all points of the start;
 * functions of the time also at moments up to the end of the run. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case/problems.h"
#include "case/products.h"
#include "case/sample.h"
#include "fe/fe.h"
#include "fields/on_grid.h"
#include "fields/on_nodes.h"
#include "fields/parts.h"

enum {
  MOMENTS =
      1024, /* between the start and the end of the run, evenly, as runs look ahead: what is over between two is not seen */
  MOST_SPOTS = 16 /* points at which a function of place and time is asked at all of them */
};

/* Some of the points of a value, spread over all: every `stride`-th one that is looked at, which is doubled when there is no more room. */
typedef struct spots {
  double x[MOST_SPOTS][3];
  int n;
  long seen, stride;
} spots;

/* One value and what was found so far. */
typedef struct inspection {
  exec_checker *k;
  const case_value *value; /* without its place, which the problem carries */
  const char *what;        /* "given " */
  case_where at;
  exec_sampler *s;
  int dim;
  long failed; /* points of the start */
  ew_error first;
  spots spots;  /* of a given, or of the boundary that is looked at */
  int late;     /* moments behind the start at which the value fails there */
  double since; /* the first of them [s] */
} inspection;

static void keep_spot(spots *p, int dim, const double *x) {
  if (p->stride == 0) p->stride = 1;
  const long number = p->seen++;
  if (number % p->stride) return;
  if (p->n == MOST_SPOTS) {
    for (int k = 1; 2 * k < MOST_SPOTS; k++) memcpy(p->x[k], p->x[2 * k], sizeof p->x[k]);
    p->n = MOST_SPOTS / 2;
    p->stride *= 2;
  }
  if (number % p->stride == 0) memcpy(p->x[p->n++], x, (size_t)dim * sizeof *x);
}

static void look(inspection *i, const double *x) {
  double out[DSLC_MOST_COMPONENTS];
  ew_error err = {0};
  keep_spot(&i->spots, i->dim, x);
  if (exec_sample(i->s, i->dim, x, 0, out, &err) == EW_OK) return;
  if (i->failed++ == 0) i->first = err;
}

/* ---- moments ------------------------------------------------------------------------------------------------------------ */

/* Of the run; 0 where the case does not say it. */
static double end_of(const case_time *t) {
  const double by_steps = t->fixed_step * (double)t->max_steps; /* 0: not known */
  if (t->max_steps > 0 && t->stop > 0) return by_steps > 0 ? fmin(t->stop, by_steps) : 0;
  return t->max_steps > 0 ? by_steps : t->stop;
}

/* Whether any of the spots has no value then. */
static bool fails_at(inspection *i, double t, int n, ew_error *err) {
  double out[DSLC_MOST_COMPONENTS];
  for (int k = 0; k < n; k++)
    if (exec_sample(i->s, i->dim, i->spots.x[k], t, out, err) != EW_OK) return true;
  return false;
}

/* The numbers of a series are all known: they are checked where they stand. */
static void look_over_time(inspection *i) {
  const double end = end_of(&i->k->c->time);
  const int n = i->value->of_time_alone && i->spots.n > 0 ? 1 : i->spots.n;
  if (i->value->kind == CASE_SERIES || !case_value_changes(i->value) || i->failed > 0 || i->late > 0) return;
  for (int m = 1; m <= MOMENTS && end > 0; m++) {
    const double t = end * m / MOMENTS;
    ew_error err = {0};
    if (!fails_at(i, t, n, &err)) continue;
    if (i->late++ == 0) i->first = err, i->since = t;
  }
}

/* The tail says how often: it stands behind the first line, before what Lua was doing. */
static void tell(inspection *i) {
  char tail[160] = "";
  const char *text = i->first.text;
  const int line = (int)strcspn(text, "\n");
  if (i->failed > 1) snprintf(tail, sizeof tail, "; so at %ld points in all", i->failed);
  if (i->late > 0)
    snprintf(tail, sizeof tail, "; so at %d of %d moments up to t = %.6g s, first at t = %.6g s", i->late,
             MOMENTS, end_of(&i->k->c->time), i->since);
  if (i->failed > 0 || i->late > 0)
    exec_complain(i->k, i->at, "%s%.*s%s%s", i->what, line, text, tail, text + line);
}

/* ---- points ------------------------------------------------------------------------------------------------------------- */

/* Of a mesh that has none, by its cells, another check speaks. */
static void look_at_edges(inspection *i, const mesh *m) {
  ew_error ignored = {0};
  fe_space *s = NULL;
  if (fe_create(m, MESH_CELLS_AS_IS, 0, &s, &ignored) != EW_OK) return;
  for (int32_t e = 0; e < fe_edges(s); e++) {
    double x[3];
    if (fe_first_node(s, e) > s->next[e]) continue; /* seen from its other end */
    fe_edge_middle(s, e, x);
    exec_sampler_at(i->s, m, MESH_AT_EDGES, e);
    look(i, x);
  }
  fe_destroy(&s);
}

static void look_on_mesh(inspection *i, const mesh *m, dslc_place place) {
  if (place == DSLC_EDGES) {
    look_at_edges(i, m);
    return;
  }
  const size_t dim = (size_t)m->dim;
  const int32_t n = place == DSLC_NODES ? m->n_nodes : place == DSLC_FACES ? m->n_faces : m->n_cells;
  const double *x = place == DSLC_NODES ? m->node_x : place == DSLC_FACES ? m->face_centre : m->cell_centre;
  const mesh_place at = place == DSLC_NODES   ? MESH_AT_NODES
                        : place == DSLC_FACES ? MESH_AT_FACES
                                              : MESH_IN_CELLS;
  for (int32_t e = 0; e < n; e++) {
    exec_sampler_at(i->s, m, at, e);
    look(i, x + (size_t)e * dim);
  }
}

static void look_on_grid(inspection *i, const grid *g, dslc_place place) {
  int32_t n[3], at[3];
  for (int d = 0; d < 3; d++) n[d] = d < g->dim ? exec_grid_extent(g, place, d) : 1;
  for (at[2] = 0; at[2] < n[2]; at[2]++)
    for (at[1] = 0; at[1] < n[1]; at[1]++)
      for (at[0] = 0; at[0] < n[0]; at[0]++) {
        double x[3];
        exec_grid_point(g, place, at, x);
        look(i, x);
      }
}

static void look_at_node(inspection *i, const mesh *m, node_id node) {
  exec_sampler_at(i->s, m, MESH_AT_NODES, node);
  look(i, m->node_x + (size_t)node * (size_t)m->dim);
}

/* Arguments are asked for at the faces of a boundary, in schemes on nodes at their nodes. */
static void look_on_patch(inspection *i, const mesh *m, const mesh_patch *p, bool nodes) {
  const size_t dim = (size_t)m->dim;
  for (face_id f = p->first; f < p->first + p->count; f++) {
    for (int32_t j = m->face_start[f]; nodes && j < m->face_start[f + 1]; j++)
      look_at_node(i, m, m->face_node[j]);
    if (nodes) continue;
    exec_sampler_at(i->s, m, MESH_AT_FACES, f);
    look(i, m->face_centre + (size_t)f * dim);
  }
}

static void look_on_walls(inspection *i, const grid *g, const char *boundary) {
  double x[3];
  const int b = grid_find_boundary(g, boundary);
  for (int64_t w = 0; w < g->n_walls; w++) {
    if (g->wall[w].boundary != b) continue;
    grid_wall_centre(g, &g->wall[w], x);
    look(i, x);
  }
}

/* ---- values -------------------------------------------------------------------------------------------------------------- */

/* The same everywhere, which other checks have looked at, or of faces that the run counts. */
static bool needs_no_points(const case_value *v) {
  return v->kind == CASE_NUMBERS || v->kind == CASE_SECTION;
}

/* False: it cannot be asked at all, which other checks have said. */
static bool begin(inspection *i, exec_checker *k, const case_value *v, case_value *bare, int components) {
  ew_error err = {0};
  *bare = *v;
  bare->at = (case_where){0};
  *i = (inspection){.k = k, .value = bare, .at = v->at, .dim = exec_domain_dim(k->domain)};
  ew_status status = exec_sampler_create(k->c, bare, components, &i->s, &err);
  if (status != EW_OK && exec_is_problem(k, &err) && v->kind == CASE_LEVEL)
    exec_complain(k, v->at, "%s", err.text);
  return status == EW_OK;
}

static void look_at_field(exec_checker *k, const dslc_field *f, const case_value *v) {
  inspection i;
  case_value bare;
  char what[256];
  if (!begin(&i, k, v, &bare, exec_case_components(f, exec_domain_dim(k->domain)))) return;
  const bool below = v->kind == CASE_LEVEL; /* what is missing is the level's, or the bed's */
  snprintf(what, sizeof what, "%s %s%s%s", f->kind == DSLC_STATE ? "state" : "given", below ? "'" : "",
           below ? f->name : "", below ? "': " : "");
  i.what = what;
  exec_sampler_bound_field(i.s, k->program->identity.scheme, f);
  if (k->m) look_on_mesh(&i, k->m, f->place);
  else look_on_grid(&i, k->domain->g, f->place);
  if (f->kind == DSLC_GIVEN) look_over_time(&i); /* a state is asked for its start alone */
  tell(&i);
  exec_sampler_destroy(&i.s);
}

static void check_field(exec_checker *k, const dslc_field *f, const case_value *v) {
  if (f->place != DSLC_NOWHERE && !needs_no_points(v)) look_at_field(k, f, v);
}

static void check_section(exec_checker *k, const case_value *v) {
  if (v->kind != CASE_SECTION || !k->m) return;
  if (k->m->dim != 2) {
    exec_complain(k, v->at, "section '%s': sections are lines across plane meshes", v->section->name);
    return;
  }
  double *values = calloc(2 * (size_t)k->m->n_faces + 1, sizeof *values);
  if (!values && k->status == EW_OK)
    k->status = ew_fail(k->err, EW_FAIL, "out of memory for the faces of a section");
  if (values && case_section_fill(v->section, k->m, 2, values) == 0)
    exec_complain(k, v->at,
                  "section '%s' crosses no face of the mesh: its points are outside, or in one cell",
                  v->section->name);
  free(values);
}

static void check_argument(exec_checker *k, const case_boundary *b, const dslc_argument *a,
                           const case_value *v) {
  inspection i;
  case_value bare;
  char what[256];
  if (needs_no_points(v) || !begin(&i, k, v, &bare, a->components)) return;
  snprintf(what, sizeof what, "boundary rule '%s': ", b->rule);
  i.what = what;
  for (int n = 0; n < b->n_names; n++) {
    i.spots = (spots){0};
    exec_sampler_bound(i.s, b->rule, b->name[n], a);
    if (!k->m) look_on_walls(&i, k->domain->g, b->name[n]);
    int p = k->m ? mesh_find_patch(k->m, b->name[n]) : -1;
    if (p >= 0) look_on_patch(&i, k->m, &k->m->patch[p], exec_uses_nodes(k->program));
    look_over_time(&i);
  }
  tell(&i);
  exec_sampler_destroy(&i.s);
}

static void check_arguments(exec_checker *k, const case_boundary *b) {
  const dslc_program *p = k->program;
  for (int r = 0; r < p->model.n_rules; r++)
    for (int a = 0; strcmp(p->model.rule[r].name, b->rule) == 0 && a < p->model.rule[r].n_arguments; a++)
      for (int v = 0; v < b->n_arguments; v++)
        if (strcmp(b->argument[v].name, p->model.rule[r].argument[a].name) == 0)
          check_argument(k, b, &p->model.rule[r].argument[a], &b->argument[v]);
}

static void check_values(exec_checker *k, const case_value *v, int n) {
  for (int i = 0; i < n; i++) {
    int f = exec_find_field(k->program, v[i].name);
    check_section(k, &v[i]);
    if (f >= 0) check_field(k, &k->program->model.field[f], &v[i]);
  }
}

ew_status exec_check_values(const ew_case *c, const dslc_program *program, const exec_domain *domain,
                            exec_problems *problems, ew_error *err) {
  exec_checker k = {c, program, domain, domain->m, problems, EW_OK, err};
  check_values(&k, c->values.given, c->values.n_givens);
  check_values(&k, c->values.initial, c->values.n_initial);
  for (int b = 0; b < c->n_boundaries; b++) check_arguments(&k, &c->boundary[b]);
  return k.status;
}

/* ---- what a scheme requires of its start -------------------------------------------------------------------------------- */

/* "`require h >= 0 [m]`" of the state h, or the given: ">= 0" into `bounds`. False: it is no comparison with numbers. */
static bool read_required(const char *text, const char *name, char *bounds, size_t size) {
  const size_t n = strlen(name);
  dslc_bounds b;
  if (strncmp(text, name, n) != 0 || text[n] != ' ') return false;
  snprintf(bounds, size, "%.*s", (int)strcspn(text + n + 1, "["), text + n + 1);
  for (size_t end = strlen(bounds); end > 0 && bounds[end - 1] == ' '; end--) bounds[end - 1] = '\0';
  return dslc_bounds_read(bounds, &b);
}

static const case_value *value_of(const exec_checker *k, const dslc_field *f) {
  const case_values *v = &k->c->values;
  if (f->kind == DSLC_STATE) return exec_find_value(v->initial, v->n_initial, f->name);
  return f->kind == DSLC_GIVEN ? exec_find_value(v->given, v->n_givens, f->name) : NULL;
}

/* The points of the field at which it is not what the requirement says; false if that cannot be told from the field alone. */
static bool locate(exec_checker *k, const dslc_check *q, const dslc_field *f, const case_value *v) {
  char bounds[128];
  dslc_field required = *f;
  const int before = k->problems->n;
  if (f->place == DSLC_NOWHERE || f->components != 1 || v->kind == CASE_SECTION ||
      !read_required(q->text, f->name, bounds, sizeof bounds))
    return false;
  required.bounds = bounds;
  look_at_field(k, &required, v);
  return k->problems->n > before;
}

static bool blame(exec_checker *k, const dslc_check *q, const char *said) {
  for (int i = 0; i < k->program->model.n_fields; i++) {
    const dslc_field *f = &k->program->model.field[i];
    const case_value *v = exec_formula_reads(q->text, f->name) ? value_of(k, f) : NULL;
    if (!v) continue;
    if (!locate(k, q, f, v))
      exec_complain(k, v->at, "%s '%s' at the start: %s", f->kind == DSLC_STATE ? "state" : "given", f->name,
                    said);
    return true;
  }
  return false;
}

ew_status exec_check_required(const ew_case *c, const dslc_program *program, const exec_domain *domain,
                              const char *said, exec_problems *problems, ew_error *err) {
  exec_checker k = {c, program, domain, domain->m, problems, EW_OK, err};
  char name[512];
  for (int i = 0; i < program->execution.n_checks; i++) {
    const dslc_check *q = &program->execution.check[i];
    snprintf(name, sizeof name, "`require %s`", q->text);
    if (strstr(said, name) && blame(&k, q, said)) break;
  }
  return k.status;
}

/* Still changing at its end, which is before the run's. */
static void note_series(const case_value *v, double stop, FILE *out) {
  char where[512];
  if (v->kind != CASE_SERIES || v->n_times < 2 || !(v->time[v->n_times - 1] < stop)) return;
  const double *last = v->series + (size_t)(v->n_times - 1) * (size_t)v->n;
  if (memcmp(last, last - v->n, sizeof *last * (size_t)v->n) == 0) return;
  exec_where(v->at, where, sizeof where);
  fprintf(out, "%snote: the series of '%s' ends at t = %g s, the run at %g s: it stays as it is at its end\n",
          where, v->name, v->time[v->n_times - 1], stop);
}

void exec_series_note(const ew_case *c, FILE *out) {
  for (int i = 0; i < c->n_boundaries; i++)
    for (int k = 0; k < c->boundary[i].n_arguments; k++)
      note_series(&c->boundary[i].argument[k], c->time.stop, out);
  for (int i = 0; i < c->values.n_givens; i++) note_series(&c->values.given[i], c->time.stop, out);
}
