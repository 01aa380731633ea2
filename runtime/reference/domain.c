/* Counts, neighbours, walls and geometry for the interpreter. Everything is the mesh's or the grid's own. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fields/on_grid.h"
#include "fields/on_nodes.h"
#include "reference/reference.h"

/* ---- geometry of meshes ------------------------------------------------------------------------------------------------- */

/* The runtime's own, which the interpreter may trust as it trusts the mesh: `out` is room, or the values are copied there. */
static bool mesh_geometry(const mesh *m, dslc_place place, const dslc_source *s, int components,
                          double *out) {
  size_t n = place == DSLC_CELLS ? (size_t)(m->n_cells + m->n_ghosts) : (size_t)m->n_faces;
  const double *values = exec_mesh_geometry(m, place, s->kind, out);
  if (values && values != out) memcpy(out, values, n * (size_t)components * sizeof *out);
  return values != NULL;
}

static bool on_rule(const exec_run *run, int rule, double *out) {
  int32_t *on = malloc(((size_t)run->nodes.fe->n + 1) * sizeof *on);
  if (!on) return false;
  exec_on_rule(run, rule, on);
  for (int32_t i = 0; i < run->nodes.fe->n; i++) out[i] = on[i];
  free(on);
  return true;
}

static bool node_geometry(const exec_run *run, const dslc_source *s, double *out) {
  return s->kind == DSLC_SOURCE_ON_RULE ? on_rule(run, s->rule, out) : exec_node_values(run, s, out);
}

static bool edge_geometry(reference_domain *d, const dslc_source *s, int components, double *out) {
  fe_form form;
  if (!exec_edge_form(s, &form) || fe_form_width(form, d->run->m->dim) != components) return false;
  return fe_integrate_edges(d->run->nodes.fe, form, NULL, out, &d->err) == EW_OK;
}

static bool geometry(void *context, dslc_place place, const dslc_source *s, int components, double *out) {
  reference_domain *d = context;
  if (s->kind == DSLC_SOURCE_WEIGHTED) return exec_weighted_integral(d->run, s, out, &d->err) == EW_OK;
  switch (place) {
  case DSLC_CELLS:
  case DSLC_FACES: return mesh_geometry(d->run->m, place, s, components, out);
  case DSLC_NODES: return node_geometry(d->run, s, out);
  case DSLC_EDGES: return edge_geometry(d, s, components, out);
  default: return false;
  }
}

static bool rows(void *context, int number, dslc_ref_rows *out) {
  const reference_domain *d = context;
  const fe_rows *r = d->run->nodes.hold[number];
  *out = (dslc_ref_rows){r->n, r->n_layers, r->layer, r->dof, r->area, r->normal};
  return true;
}

/* ---- meshes ---------------------------------------------------------------------------------------------------------------- */

static ew_status create_mesh(reference_domain *d, ew_error *err) {
  const exec_run *run = d->run;
  const mesh *m = run->m;
  d->face_rule = malloc(((size_t)m->n_faces + 1) * sizeof *d->face_rule);
  if (!d->face_rule) return ew_fail(err, EW_FAIL, "out of memory for %d faces", m->n_faces);
  for (face_id f = 0; f < m->n_faces; f++) d->face_rule[f] = -1;
  for (int r = 0; r < run->program->model.n_rules; r++)
    for (int32_t k = 0; k < run->points.rule[r].count; k++) d->face_rule[run->points.rule[r].first + k] = r;
  d->mesh = (dslc_ref_mesh){.n_cells = m->n_cells,
                            .n_ghosts = m->n_ghosts,
                            .n_faces = m->n_faces,
                            .face_left = m->face_left,
                            .face_right = m->face_right,
                            .ghost_source = m->ghost_source,
                            .face_rule = d->face_rule,
                            .cell_start = m->sides.start,
                            .cell_face = m->sides.face};
  if (run->nodes.fe) {
    d->mesh.n_nodes = run->nodes.fe->n;
    d->mesh.node_start = run->nodes.fe->start;
    d->mesh.edge_second = run->nodes.fe->next;
  }
  d->view.mesh = &d->mesh;
  return EW_OK;
}

/* ---- grids ------------------------------------------------------------------------------------------------------------------- */

static int64_t face_number(const grid *g, int axis, const int32_t at[3]) {
  int64_t number = 0, pitch = 1;
  for (int a = 0; a < 3; a++) {
    number += at[a] * pitch;
    pitch *= a < g->dim ? exec_grid_extent(g, (dslc_place)(DSLC_XFACES + axis), a) : 1;
  }
  return number;
}

static ew_status create_walls(reference_domain *d, ew_error *err) {
  const grid *g = d->run->g;
  for (int a = 0; a < g->dim; a++) {
    int64_t n = exec_grid_count(g, (dslc_place)(DSLC_XFACES + a));
    d->wall[a] = malloc(((size_t)n + 1) * sizeof *d->wall[a]);
    if (!d->wall[a]) return ew_fail(err, EW_FAIL, "out of memory for the walls of the grid");
    for (int64_t i = 0; i < n; i++) d->wall[a][i] = -1;
    d->grid.wall[a] = d->wall[a];
  }
  for (int64_t w = 0; w < g->n_walls; w++) {
    d->wall[g->wall[w].axis][face_number(g, g->wall[w].axis, g->wall[w].at)] = (int32_t)w;
    d->active_above[w] = g->wall[w].gas_above;
  }
  return EW_OK;
}

static ew_status create_grid(reference_domain *d, ew_error *err) {
  const grid *g = d->run->g;
  d->solid = malloc((size_t)g->n_cells + 1);
  d->active_above = malloc((size_t)g->n_walls + 1);
  if (!d->solid || !d->active_above) return ew_fail(err, EW_FAIL, "out of memory for the cells of the grid");
  for (int64_t c = 0; c < g->n_cells; c++) d->solid[c] = g->solid[c] != 0;
  d->grid = (dslc_ref_grid){.solid = d->solid,
                            .n_walls = (int32_t)g->n_walls,
                            .wall_rule = d->run->on_grid->rule,
                            .wall_active_above = d->active_above};
  for (int a = 0; a < 3; a++) {
    d->grid.n[a] = a < g->dim ? g->axis[a].n : 1;
    d->grid.periodic[a] = a < g->dim && g->axis[a].periodic;
    d->grid.face[a] = g->axis[a].face;
  }
  d->view.grid = &d->grid;
  return create_walls(d, err);
}

/* ---- both -------------------------------------------------------------------------------------------------------------------- */

ew_status reference_domain_create(exec_run *run, reference_domain *d, ew_error *err) {
  *d = (reference_domain){.run = run};
  d->view = (dslc_ref_domain){.dim = run->dim,
                              .context = d,
                              .geometry = geometry,
                              .rows = rows,
                              .field = reference_field,
                              .argument = reference_argument};
  return run->g ? create_grid(d, err) : create_mesh(d, err);
}

void reference_domain_clear(reference_domain *d) {
  free(d->face_rule);
  free(d->solid);
  free(d->active_above);
  for (int a = 0; a < 3; a++) free(d->wall[a]);
}
