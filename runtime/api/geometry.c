/* Where the fields of an edgewise_run lie: coordinates, cells, axes. */
#include <stdlib.h>
#include <string.h>

#include "api/internal.h"
#include "fields/on_grid.h"

int edgewise_dimensions(const edgewise_run *run) {
  return run && run->life ? exec_domain_dim(exec_get_domain(api_exec(run))) : 0;
}

int edgewise_on_grid(const edgewise_run *run) {
  return run && run->life && exec_get_domain(api_exec(run))->g != NULL;
}

/* ---- coordinates ------------------------------------------------------------------------------------------------------------------- */

static dslc_place place_of(edgewise_location location) {
  switch (location) {
  case EDGEWISE_CELLS: return DSLC_CELLS;
  case EDGEWISE_FACES: return DSLC_FACES;
  case EDGEWISE_NODES: return DSLC_NODES;
  case EDGEWISE_XFACES: return DSLC_XFACES;
  case EDGEWISE_YFACES: return DSLC_YFACES;
  case EDGEWISE_ZFACES: return DSLC_ZFACES;
  case EDGEWISE_CORNERS: return DSLC_CORNERS;
  case EDGEWISE_XEDGES: return DSLC_XEDGES;
  case EDGEWISE_YEDGES: return DSLC_YEDGES;
  case EDGEWISE_ZEDGES: return DSLC_ZEDGES;
  default: return DSLC_NOWHERE;
  }
}

static void fill_grid(const grid *g, dslc_place place, double *x) {
  int32_t n[3], at[3];
  for (int d = 0; d < 3; d++) n[d] = d < g->dim ? exec_grid_extent(g, place, d) : 1;
  for (at[2] = 0; at[2] < n[2]; at[2]++)
    for (at[1] = 0; at[1] < n[1]; at[1]++)
      for (at[0] = 0; at[0] < n[0]; at[0]++, x += g->dim) exec_grid_point(g, place, at, x);
}

static ew_status grid_points_at(edgewise_run *run, edgewise_location where, const double **x,
                                int64_t *count) {
  const grid *g = exec_get_domain(api_exec(run))->g;
  dslc_place place = place_of(where);
  bool axis = place >= DSLC_XFACES && place <= DSLC_ZFACES && (int)place - DSLC_XFACES >= g->dim;
  bool edge = place >= DSLC_XEDGES && place <= DSLC_ZEDGES && g->dim < 3;
  if (place == DSLC_NOWHERE || place == DSLC_FACES || place == DSLC_NODES || axis || edge)
    return ew_fail(&run->err, EW_INPUT, "a grid of %d dimensions has no such location", g->dim);
  *count = exec_grid_count(g, place);
  if (!run->point[where]) {
    run->point[where] = malloc((size_t)*count * (size_t)g->dim * sizeof **x);
    if (!run->point[where]) return ew_fail(&run->err, EW_FAIL, "out of memory for coordinates");
    fill_grid(g, place, run->point[where]);
  }
  *x = run->point[where];
  return EW_OK;
}

static ew_status node_points(edgewise_run *run, const double **x, int64_t *count) {
  const exec_run *exec = api_exec(run);
  const mesh *m = exec->m;
  if (!exec->nodes.fe) return ew_fail(&run->err, EW_INPUT, "the scheme has no unknowns at nodes");
  size_t dim = (size_t)m->dim, n = (size_t)exec->nodes.fe->n;
  *count = (int64_t)n;
  if (!run->point[EDGEWISE_NODES]) {
    double *out = run->point[EDGEWISE_NODES] = malloc((n + 1) * dim * sizeof *out);
    if (!out) return ew_fail(&run->err, EW_FAIL, "out of memory for coordinates");
    for (size_t i = 0; i < n; i++)
      memcpy(out + i * dim, m->node_x + (size_t)exec->nodes.fe->node[i] * dim, dim * sizeof *out);
  }
  *x = run->point[EDGEWISE_NODES];
  return EW_OK;
}

static ew_status mesh_points_at(edgewise_run *run, edgewise_location where, const double **x,
                                int64_t *count) {
  const mesh *m = exec_get_mesh(api_exec(run));
  switch (where) {
  case EDGEWISE_CELLS: *x = m->cell_centre, *count = m->n_cells; return EW_OK;
  case EDGEWISE_FACES: *x = m->face_centre, *count = m->n_faces; return EW_OK;
  case EDGEWISE_VERTICES: *x = m->node_x, *count = m->n_nodes; return EW_OK;
  case EDGEWISE_NODES: return node_points(run, x, count);
  default: return ew_fail(&run->err, EW_INPUT, "a mesh has no such location");
  }
}

edgewise_status edgewise_coordinates(edgewise_run *run, edgewise_location location, const double **x,
                                     int64_t *count) {
  ew_status status = EW_OK;
  if (!run) return EDGEWISE_USAGE;
  api_enter(run);
  EW_CHECK(api_check(run));
  EW_CHECK(api_check_given(run, x, "edgewise_coordinates: x"));
  EW_CHECK(api_check_given(run, count, "edgewise_coordinates: count"));
  EW_CHECK(edgewise_on_grid(run) ? grid_points_at(run, location, x, count)
                                 : mesh_points_at(run, location, x, count));
cleanup:
  return api_leave(run, status);
}

edgewise_status edgewise_volumes(edgewise_run *run, const double **volume, int64_t *count) {
  ew_status status = EW_OK;
  const double *centre;
  if (!run) return EDGEWISE_USAGE;
  api_enter(run);
  EW_CHECK(api_check(run));
  EW_CHECK(api_check_given(run, volume, "edgewise_volumes: volume"));
  EW_CHECK(api_check_given(run, count, "edgewise_volumes: count"));
  EW_CHECK(exec_cells(api_exec(run), volume, &centre, &run->err));
  *count = exec_domain_cells(exec_get_domain(api_exec(run)));
cleanup:
  return api_leave(run, status);
}

/* ---- cells and axes ----------------------------------------------------------------------------------------------------------------- */

static uint8_t vtk_type(uint8_t type) {
  static const uint8_t number[] = {[MESH_TRIANGLE] = 5, [MESH_QUAD] = 9,   [MESH_TETRA] = 10,
                                   [MESH_HEX] = 12,     [MESH_PRISM] = 13, [MESH_PYRAMID] = 14};
  return number[type];
}

edgewise_status edgewise_cells(edgewise_run *run, edgewise_topology *topology) {
  ew_status status = EW_OK;
  if (!run) return EDGEWISE_USAGE;
  api_enter(run);
  EW_CHECK(api_check(run));
  EW_CHECK(api_check_given(run, topology, "edgewise_cells: topology"));
  EW_CHECK(api_check_size(run, topology, offsetof(edgewise_topology, node) + sizeof topology->node,
                          "edgewise_cells: topology.size is not set to sizeof(edgewise_topology)"));
  const exec_run *exec = api_exec(run);
  const mesh *m = exec->m;
  if (!m) EXEC_LEAVE(&run->err, EW_INPUT, "the case has a grid, no mesh: see edgewise_axis");
  if (!run->cell_type) {
    run->cell_type = malloc((size_t)m->n_cells + 1);
    if (!run->cell_type) EXEC_LEAVE(&run->err, EW_FAIL, "out of memory for %d cells", m->n_cells);
    for (cell_id c = 0; c < m->n_cells; c++) run->cell_type[c] = vtk_type(m->cell_type[c]);
  }
  edgewise_topology out = {.cells = m->n_cells,
                           .vertices = m->n_nodes,
                           .start = m->cell_start,
                           .vertex = m->cell_node,
                           .type = run->cell_type,
                           .node = exec->nodes.fe ? exec->nodes.fe->dof : NULL};
  api_fill(topology, &out, sizeof out);
cleanup:
  return api_leave(run, status);
}

edgewise_status edgewise_axis(edgewise_run *run, int axis, const double **face, int64_t *count) {
  ew_status status = EW_OK;
  if (!run) return EDGEWISE_USAGE;
  api_enter(run);
  EW_CHECK(api_check(run));
  EW_CHECK(api_check_given(run, face, "edgewise_axis: face"));
  EW_CHECK(api_check_given(run, count, "edgewise_axis: count"));
  const grid *g = exec_get_domain(api_exec(run))->g;
  if (!g) EXEC_LEAVE(&run->err, EW_INPUT, "the case has a mesh, no grid: see edgewise_cells");
  if (axis < 0 || axis >= g->dim)
    EXEC_LEAVE(&run->err, EW_USAGE, "the grid has %d axes, found axis %d", g->dim, axis);
  *face = g->axis[axis].face;
  *count = g->axis[axis].n + 1;
cleanup:
  return api_leave(run, status);
}
