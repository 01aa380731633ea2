/* Which rows the boundary rules have at nodes. Priorities run over the entries of the case's list, over all rules that hold one
 * target: values first, the first named wins; then projections, which act all. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fields/on_nodes.h"
#include "case/sample.h"

#define DEGREE (3.14159265358979323846 / 180)

/* ---- faces ----------------------------------------------------------------------------------------------------------------------- */

static int rule_of_entry(const exec_run *run, int entry) {
  for (int r = 0; r < run->program->model.n_rules; r++)
    if (strcmp(run->program->model.rule[r].name, run->c->boundary[entry].rule) == 0) return r;
  return -1;
}

/* The faces of those entries e of the case's list for which keep[e] is set, in the list's order; *n counts them. */
static ew_status faces_of(const exec_run *run, const bool *keep, fe_face **out, int32_t *n, ew_error *err) {
  const ew_case *c = run->c;
  const mesh *m = run->m;
  *n = 0;
  *out = malloc(((size_t)(m->n_faces - m->n_interior) + 1) * sizeof **out);
  if (!*out) return ew_fail(err, EW_FAIL, "out of memory for boundary rules");
  for (int e = 0; e < c->n_boundaries; e++)
    for (int i = 0; keep[e] && i < c->boundary[e].n_names; i++) {
      const mesh_patch *p = &m->patch[mesh_find_patch(m, c->boundary[e].name[i])];
      for (face_id f = p->first; f < p->first + p->count; f++) (*out)[(*n)++] = (fe_face){f, e};
    }
  return EW_OK;
}

static ew_status faces_of_rule(const exec_run *run, int rule, fe_face **out, int32_t *n, ew_error *err) {
  bool *keep = calloc((size_t)run->c->n_boundaries + 1, sizeof *keep);
  if (!keep) return ew_fail(err, EW_FAIL, "out of memory for boundary rules");
  for (int e = 0; e < run->c->n_boundaries; e++) keep[e] = rule_of_entry(run, e) == rule;
  ew_status status = faces_of(run, keep, out, n, err);
  free(keep);
  return status;
}

/* ---- values ----------------------------------------------------------------------------------------------------------------------- */

/* Marks the entries whose rule fixes the target's value, with `only` >= 0 just those of that rule. */
static void entries_with_values(const exec_run *run, const char *target, int only, bool *keep) {
  const dslc_program *p = run->program;
  for (int e = 0; e < run->c->n_boundaries; e++) {
    int rule = rule_of_entry(run, e);
    keep[e] = false;
    for (int h = 0; h < p->model.n_holds; h++)
      keep[e] |= p->model.hold[h].rule == rule && (only < 0 || rule == only) && !p->model.hold[h].add &&
                 !p->model.hold[h].projection && strcmp(p->model.hold[h].target, target) == 0;
  }
}

/* One row for each node at which some rule gives the target's value, dealt out to the rules; taken[dof] marks them. */
static ew_status value_rows(exec_run *run, const char *target, bool *taken, ew_error *err) {
  ew_status status = EW_OK;
  const dslc_program *p = run->program;
  fe_face *face = NULL;
  fe_rows *rows = NULL;
  int32_t n;
  bool *keep = calloc((size_t)run->c->n_boundaries + 1, sizeof *keep);
  if (!keep) EXEC_LEAVE(err, EW_FAIL, "out of memory for boundary rules");
  entries_with_values(run, target, -1, keep);
  EW_CHECK(faces_of(run, keep, &face, &n, err));
  EW_CHECK(fe_value_rows(run->nodes.fe, face, n, &rows, err));
  for (int32_t i = 0; i < rows->n; i++) taken[rows->dof[i]] = true;
  for (int h = 0; h < p->model.n_holds; h++) {
    if (p->model.hold[h].add || p->model.hold[h].projection || strcmp(p->model.hold[h].target, target) != 0)
      continue;
    entries_with_values(run, target, p->model.hold[h].rule, keep);
    EW_CHECK(fe_rows_select(run->nodes.fe, rows, keep, &run->nodes.hold[h], err));
  }
cleanup:
  free(keep);
  free(face);
  fe_rows_destroy(&rows);
  return status;
}

/* ---- projections and additions ----------------------------------------------------------------------------------------------------------- */

static ew_status projections_of_hold(exec_run *run, int h, fe_normals *normals, ew_error *err) {
  ew_status status = EW_OK;
  fe_face *face = NULL;
  int32_t n;
  EW_CHECK(faces_of_rule(run, run->program->model.hold[h].rule, &face, &n, err));
  EW_CHECK(fe_projection_rows(run->nodes.fe, face, n, normals, &run->nodes.hold[h], err));
cleanup:
  free(face);
  return status;
}

/* Rules in the order in which the case first names them; the entries of one rule share normals where they meet smoothly. */
static ew_status projection_rows(exec_run *run, const char *target, const bool *taken, ew_error *err) {
  ew_status status = EW_OK;
  const dslc_program *p = run->program;
  fe_normals normals = {0};
  EW_CHECK(fe_normals_create(run->nodes.fe, taken, run->c->corner_angle * DEGREE, &normals, err));
  for (int e = 0; e < run->c->n_boundaries; e++)
    for (int h = 0; h < p->model.n_holds; h++)
      if (p->model.hold[h].rule == rule_of_entry(run, e) && p->model.hold[h].projection &&
          !run->nodes.hold[h] && strcmp(p->model.hold[h].target, target) == 0)
        EW_CHECK(projections_of_hold(run, h, &normals, err));
cleanup:
  fe_normals_clear(&normals);
  return status;
}

static ew_status addition_rows(exec_run *run, int h, ew_error *err) {
  ew_status status = EW_OK;
  fe_face *face = NULL;
  int32_t n;
  EW_CHECK(faces_of_rule(run, run->program->model.hold[h].rule, &face, &n, err));
  EW_CHECK(fe_addition_rows(run->nodes.fe, face, n, run->c->corner_angle * DEGREE, &run->nodes.hold[h], err));
cleanup:
  free(face);
  return status;
}

/* ---- life --------------------------------------------------------------------------------------------------------------------------------- */

static bool is_first_of_target(const dslc_program *p, int h) {
  for (int i = 0; i < h; i++)
    if (!p->model.hold[i].add && strcmp(p->model.hold[i].target, p->model.hold[h].target) == 0) return false;
  return true;
}

static bool has_projection(const dslc_program *p, const char *target) {
  for (int h = 0; h < p->model.n_holds; h++)
    if (p->model.hold[h].projection && strcmp(p->model.hold[h].target, target) == 0) return true;
  return false;
}

static ew_status fix_rows(exec_run *run, const char *target, ew_error *err) {
  ew_status status = EW_OK;
  bool *taken = calloc((size_t)run->nodes.fe->n + 1, sizeof *taken);
  if (!taken) EXEC_LEAVE(err, EW_FAIL, "out of memory for boundary rules");
  EW_CHECK(value_rows(run, target, taken, err));
  if (has_projection(run->program, target)) EW_CHECK(projection_rows(run, target, taken, err));
cleanup:
  free(taken);
  return status;
}

/* Rows of a hold whose rule the case does not use: none. */
static ew_status no_rows(exec_run *run, int h, ew_error *err) {
  return run->nodes.hold[h] ? EW_OK : fe_addition_rows(run->nodes.fe, NULL, 0, 0, &run->nodes.hold[h], err);
}

/* Rows are laid out with the stride of nodes, also where a tiny mesh has more rows than nodes. */
static void widen_stride(exec_run *run) {
  for (int h = 0; h < run->program->model.n_holds; h++)
    while (run->points.place[DSLC_NODES].stride < run->nodes.hold[h]->n)
      run->points.place[DSLC_NODES].stride *= 2;
}

ew_status exec_holds_create(exec_run *run, ew_error *err) {
  ew_status status = EW_OK;
  const dslc_program *p = run->program;
  run->nodes.hold = calloc((size_t)p->model.n_holds + 1, sizeof *run->nodes.hold);
  if (!run->nodes.hold) EXEC_LEAVE(err, EW_FAIL, "out of memory for boundary rules");
  for (int h = 0; h < p->model.n_holds; h++) {
    if (p->model.hold[h].add) EW_CHECK(addition_rows(run, h, err));
    else if (is_first_of_target(p, h)) EW_CHECK(fix_rows(run, p->model.hold[h].target, err));
  }
  for (int h = 0; h < p->model.n_holds; h++) EW_CHECK(no_rows(run, h, err));
  widen_stride(run);
cleanup:
  return status;
}

void exec_holds_destroy(exec_run *run) {
  for (int h = 0; run->nodes.hold && h < run->program->model.n_holds; h++)
    fe_rows_destroy(&run->nodes.hold[h]);
  free(run->nodes.hold);
  run->nodes.hold = NULL;
}

int32_t exec_held(const exec_run *run, int field, int32_t *held) {
  const dslc_program *p = run->program;
  int32_t count = 0;
  memset(held, 0, (size_t)run->nodes.fe->n * sizeof *held);
  for (int h = 0; h < p->model.n_holds; h++) {
    if (p->model.hold[h].add || p->model.hold[h].projection || p->model.hold[h].field != field) continue;
    for (int32_t i = 0; i < run->nodes.hold[h]->n; i++) held[run->nodes.hold[h]->dof[i]] = 1;
    count += run->nodes.hold[h]->n; /* no node is held twice */
  }
  return count;
}

void exec_on_rule(const exec_run *run, int rule, int32_t *on) {
  const mesh *m = run->m;
  const exec_range faces = run->points.rule[rule];
  memset(on, 0, (size_t)run->nodes.fe->n * sizeof *on);
  for (int32_t k = m->face_start[faces.first]; k < m->face_start[faces.first + faces.count]; k++)
    on[run->nodes.fe->dof[m->face_node[k]]] = 1;
}

/* ---- arguments ------------------------------------------------------------------------------------------------------------------------------ */

static ew_status sample_rows(exec_run *run, int hold, int entry, const case_value *v, const exec_asked *asked,
                             ew_error *err) {
  const fe_rows *rows = run->nodes.hold[hold];
  const char *boundary = run->c->boundary[entry].name[0];
  const dslc_argument *a = asked->argument;
  ew_status status = EW_OK;
  exec_sampler *s = NULL;
  size_t dim = (size_t)run->m->dim, n = (size_t)a->components;
  EW_CHECK(exec_sampler_create(run->c, v, a->components, &s, err));
  exec_sampler_bound(s, run->c->boundary[entry].rule, boundary, a);
  for (int32_t i = 0; i < rows->n; i++) {
    if (rows->entry[i] != entry) continue;
    exec_sampler_at(s, run->m, MESH_AT_NODES, rows->node[i]);
    EW_CHECK(exec_sample(s, run->m->dim, run->m->node_x + dim * (size_t)rows->node[i], asked->t,
                         asked->values + n * (size_t)i, err));
  }
  EW_CHECK(exec_identity_argument(
      run, &(exec_argument_at){boundary, a->name, 0, &run->program->model.hold[hold]}, s, err));
cleanup:
  exec_sampler_destroy(&s);
  return status;
}

static ew_status default_rows(const exec_run *run, const fe_rows *rows, int entry, const dslc_buffer *b,
                              double *values, ew_error *err) {
  const dslc_argument *a = &run->program->model.rule[b->rule].argument[b->argument];
  double value[DSLC_MOST_COMPONENTS] = {0};
  size_t n = (size_t)a->components;
  ew_status status = exec_argument_default(run, b->rule, a, run->c->boundary[entry].name[0], value, err);
  for (int32_t i = 0; i < rows->n; i++)
    if (rows->entry[i] == entry) memcpy(values + n * (size_t)i, value, n * sizeof *value);
  return status;
}

ew_status exec_hold_argument(exec_run *run, const dslc_buffer *b, const exec_asked *asked, ew_error *err) {
  ew_status status = EW_OK;
  const int hold = b->hold - 1;
  const dslc_rule *rule = &run->program->model.rule[b->rule];
  const dslc_argument *a = asked->argument;
  for (int e = 0; e < run->c->n_boundaries; e++) {
    const case_boundary *entry = &run->c->boundary[e];
    if (strcmp(entry->rule, rule->name) != 0) continue;
    const case_value *v = exec_find_value(entry->argument, entry->n_arguments, a->name);
    if (v) EW_CHECK(sample_rows(run, hold, e, v, asked, err));
    else EW_CHECK(default_rows(run, run->nodes.hold[hold], e, b, asked->values, err));
  }
cleanup:
  return status;
}
