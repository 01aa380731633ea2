/* What the case says, asked for at the points of meshes and grids at any time. */
#include <stdlib.h>
#include <string.h>

#include "case/products.h"
#include "fields/on_grid.h"
#include "fields/parts.h"
#include "reference/reference.h"

/* ---- fields --------------------------------------------------------------------------------------------------------------- */

static const case_value *find(const case_value *v, int n, const char *name) {
  for (int i = 0; i < n; i++)
    if (strcmp(v[i].name, name) == 0) return &v[i];
  return NULL;
}

static ew_status sample_mesh(const exec_run *run, exec_sampler *s, const dslc_field *f, double t, double *out,
                             ew_error *err) {
  for (int32_t i = 0; i < run->points.place[f->place].owned; i++, out += f->components) {
    ew_status status = exec_sample_point(run, s, &(exec_field_point){f, i, t}, out, err);
    if (status != EW_OK) return status;
  }
  return EW_OK;
}

static ew_status sample_grid(const exec_run *run, exec_sampler *s, const dslc_field *f, double t, double *out,
                             ew_error *err) {
  int32_t n[3], at[3];
  for (int d = 0; d < 3; d++) n[d] = d < run->dim ? exec_grid_extent(run->g, f->place, d) : 1;
  for (at[2] = 0; at[2] < n[2]; at[2]++)
    for (at[1] = 0; at[1] < n[1]; at[1]++)
      for (at[0] = 0; at[0] < n[0]; at[0]++, out += f->components) {
        double x[3];
        exec_grid_point(run->g, f->place, at, x);
        ew_status status = exec_sample(s, run->dim, x, t, out, err);
        if (status != EW_OK) return status;
      }
  return EW_OK;
}

static ew_status sample_field(reference_domain *d, const char *name, double t, double *out) {
  const exec_run *run = d->run;
  const ew_case *c = run->c;
  ew_status status = EW_OK;
  exec_sampler *s = NULL;
  const dslc_field *f = NULL;
  for (int i = 0; i < run->program->model.n_fields; i++)
    if (strcmp(run->program->model.field[i].name, name) == 0) f = &run->program->model.field[i];
  char part[EXEC_PART_NAME];
  if (f && exec_part_of_mesh(f, part))
    return exec_part_fill(&(exec_part){run->m, run->nodes.fe, f, part}, 1, out, &d->err);
  const case_value *v = !f                      ? NULL
                        : f->kind == DSLC_STATE ? find(c->values.initial, c->values.n_initial, name)
                                                : find(c->values.given, c->values.n_givens, name);
  if (!v)
    return ew_fail(&d->err, EW_INPUT, "'%s' of scheme '%s' has no value", name,
                   run->program->identity.scheme);
  if (v->kind == CASE_SECTION) return case_section_fill(v->section, run->m, 2, out), EW_OK;
  EW_CHECK(exec_sampler_create(c, v, exec_case_components(f, run->dim), &s, &d->err));
  exec_sampler_bound_field(s, run->program->identity.scheme, f);
  EW_CHECK(run->g ? sample_grid(run, s, f, t, out, &d->err) : sample_mesh(run, s, f, t, out, &d->err));
  EW_CHECK(exec_identity_field(d->run, f, s, &d->err));
cleanup:
  exec_sampler_destroy(&s);
  return status;
}

bool reference_field(void *context, const char *name, double t, double *out) {
  return sample_field(context, name, t, out) == EW_OK;
}

/* ---- arguments of rules ------------------------------------------------------------------------------------------------------ */

/* An argument in one entry of the case's list: where its values go. */
typedef struct request {
  reference_domain *d;
  const case_boundary *entry;
  const char *name; /* on meshes of the patch, else the entry's first: a checkpoint knows the values by it */
  int number;       /* of the entry */
  int rule;
  const dslc_argument *a;
  exec_sampler *s; /* NULL: `value` everywhere */
  double value[DSLC_MOST_COMPONENTS];
  double t, *out;
} request;

static ew_status put(request *q, int64_t at, const double *x) {
  size_t n = (size_t)q->a->components;
  ew_status status = q->s ? exec_sample(q->s, q->d->run->dim, x, q->t, q->value, &q->d->err) : EW_OK;
  memcpy(q->out + (size_t)at * n, q->value, n * sizeof *q->value);
  return status;
}

static ew_status at_faces(request *q) {
  const mesh *m = q->d->run->m;
  ew_status status = EW_OK;
  const int p = mesh_find_patch(m, q->name);
  if (p < 0) return EW_OK;
  for (face_id f = m->patch[p].first; f < m->patch[p].first + m->patch[p].count; f++) {
    if (q->s) exec_sampler_at(q->s, m, MESH_AT_FACES, f);
    EW_CHECK(put(q, f, m->face_centre + (size_t)f * (size_t)m->dim));
  }
cleanup:
  return status;
}

static ew_status at_walls(request *q) {
  const exec_run *run = q->d->run;
  ew_status status = EW_OK;
  for (int64_t w = 0; w < run->g->n_walls; w++) {
    double x[3];
    if (run->on_grid->entry[run->g->wall[w].boundary] != q->number || run->on_grid->rule[w] != q->rule)
      continue;
    grid_wall_centre(run->g, &run->g->wall[w], x);
    EW_CHECK(put(q, w, x));
  }
cleanup:
  return status;
}

static ew_status at_rows(request *q, const fe_rows *rows) {
  const mesh *m = q->d->run->m;
  ew_status status = EW_OK;
  for (int32_t i = 0; i < rows->n; i++) {
    if (rows->entry[i] != q->number) continue;
    if (q->s) exec_sampler_at(q->s, m, MESH_AT_NODES, rows->node[i]);
    EW_CHECK(put(q, i, m->node_x + (size_t)rows->node[i] * (size_t)m->dim));
  }
cleanup:
  return status;
}

static ew_status fill_named(request *q, int hold) {
  const exec_run *run = q->d->run;
  const dslc_model *model = &run->program->model;
  ew_status status = EW_OK;
  const case_value *v = find(q->entry->argument, q->entry->n_arguments, q->a->name);
  if (v) EW_CHECK(exec_sampler_create(run->c, v, q->a->components, &q->s, &q->d->err));
  else EW_CHECK(exec_argument_default(run, q->rule, q->a, q->name, q->value, &q->d->err));
  if (v) exec_sampler_bound(q->s, q->entry->rule, q->name, q->a);
  EW_CHECK(hold >= 0 ? at_rows(q, run->nodes.hold[hold]) : run->g ? at_walls(q) : at_faces(q));
  if (v)
    EW_CHECK(exec_identity_argument(q->d->run,
                                    &(exec_argument_at){q->name, q->a->name, model->rule[q->rule].axis,
                                                        hold >= 0 ? &model->hold[hold] : NULL},
                                    q->s, &q->d->err));
cleanup:
  exec_sampler_destroy(&q->s);
  return status;
}

/* Each patch of a mesh has values of its own, as on devices. */
static ew_status fill_entry(request *q, int hold) {
  const int n = q->d->run->g || hold >= 0 ? 1 : q->entry->n_names;
  ew_status status = EW_OK;
  for (int i = 0; i < n && status == EW_OK; i++) {
    q->name = q->entry->name[i];
    status = fill_named(q, hold);
  }
  return status;
}

bool reference_argument(void *context, int rule, int argument, int hold, double t, double *out) {
  reference_domain *d = context;
  const dslc_rule *r = &d->run->program->model.rule[rule];
  for (int e = 0; e < d->run->c->n_boundaries; e++) {
    request q = {.d = d,
                 .entry = &d->run->c->boundary[e],
                 .number = e,
                 .rule = rule,
                 .a = &r->argument[argument],
                 .t = t,
                 .out = out};
    if (strcmp(q.entry->rule, r->name) == 0 && fill_entry(&q, hold) != EW_OK) return false;
  }
  return true;
}

/* The numbers of an argument's values, wherever it acts. */
static size_t places_of(const exec_run *run, int hold) {
  if (hold >= 0) return (size_t)run->nodes.hold[hold]->n;
  return run->g ? (size_t)run->g->n_walls : run->m ? (size_t)run->m->n_faces : 0;
}

static ew_status note_arguments(reference_domain *d, int rule, int hold) {
  const dslc_rule *r = &d->run->program->model.rule[rule];
  for (int a = 0; a < r->n_arguments; a++) {
    double *values = calloc(places_of(d->run, hold) * (size_t)r->argument[a].components + 1, sizeof *values);
    if (!values) return ew_fail(&d->err, EW_FAIL, "out of memory for '%s'", r->argument[a].name);
    const bool given = reference_argument(d, rule, a, hold, 0, values);
    free(values);
    if (!given) return d->err.status;
  }
  return EW_OK;
}

/* Of a rule that acts at nodes those are asked for where it does. */
ew_status reference_note_arguments(reference_domain *d) {
  ew_status status = EW_OK;
  const dslc_model *m = &d->run->program->model;
  for (int rule = 0; rule < m->n_rules && status == EW_OK; rule++) {
    bool at_nodes = false;
    for (int hold = 0; hold < m->n_holds && status == EW_OK; hold++) {
      if (m->hold[hold].rule != rule) continue;
      at_nodes = true;
      status = note_arguments(d, rule, hold);
    }
    if (!at_nodes && status == EW_OK) status = note_arguments(d, rule, -1);
  }
  return status;
}
