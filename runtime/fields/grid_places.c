/* Points of a grid in arrays, and the rules of its walls. */
#include <stdlib.h>
#include <string.h>

#include "fields/on_grid.h"

enum { STRIDE_MULTIPLE = 32, RULES_IN_WALL = 64 };

/* ---- points ---------------------------------------------------------------------------------------------------------------- */

bool exec_grid_on_face(dslc_place place, int axis) {
  switch (place) {
  case DSLC_XFACES: return axis == 0;
  case DSLC_YFACES: return axis == 1;
  case DSLC_ZFACES: return axis == 2;
  case DSLC_XEDGES: return axis != 0;
  case DSLC_YEDGES: return axis != 1;
  case DSLC_ZEDGES: return axis != 2;
  case DSLC_CORNERS: return true;
  default: return false;
  }
}

int32_t exec_grid_extent(const grid *g, dslc_place place, int axis) {
  if (place == DSLC_NOWHERE) return 1;
  return exec_grid_on_face(place, axis) ? grid_points(g, axis) : g->axis[axis].n;
}

int64_t exec_grid_count(const grid *g, dslc_place place) {
  int64_t n = 1;
  for (int d = 0; d < g->dim; d++) n *= exec_grid_extent(g, place, d);
  return n;
}

void exec_grid_point(const grid *g, dslc_place place, const int32_t at[3], double *x) {
  for (int d = 0; d < g->dim; d++)
    x[d] = exec_grid_on_face(place, d) ? g->axis[d].face[at[d]] : grid_middle(&g->axis[d], at[d]);
}

bool exec_grid_locate(const exec_run *run, dslc_place place, int32_t entry, int32_t at[3], double *x) {
  const grid_layout *l = &run->on_grid->layout;
  if (entry < 0 || entry >= l->size) return false;
  int64_t rest = entry;
  int64_t lead[3] = {0, 0, 0}, origin = l->origin;
  for (int d = 2; d >= 0; d--) {
    lead[d] = origin / l->pitch[d], origin %= l->pitch[d];
    at[d] = (int32_t)(rest / l->pitch[d] - lead[d]);
    rest %= l->pitch[d];
    if (at[d] < 0 || at[d] >= (d < run->dim ? exec_grid_extent(run->g, place, d) : 1)) return false;
  }
  exec_grid_point(run->g, place, at, x);
  return true;
}

int exec_grid_around(const exec_run *run, dslc_place place, cell_id cell, int32_t entry[8]) {
  const grid *g = run->g;
  int32_t at[3];
  int n = 0;
  grid_cell_at(g, cell, at);
  for (int corner = 0; corner < 8; corner++) {
    int32_t p[3];
    bool counts = true;
    for (int d = 0; d < 3; d++) {
      bool upper = corner >> d & 1;
      counts &= !upper || (d < g->dim && exec_grid_on_face(place, d));
      p[d] = at[d] + upper;
      if (d < g->dim && g->axis[d].periodic) p[d] %= g->axis[d].n;
    }
    if (counts) entry[n++] = (int32_t)grid_entry(&run->on_grid->layout, p[0], p[1], p[2]);
  }
  return n;
}

/* ---- rules of walls ------------------------------------------------------------------------------------------------------------ */

int exec_grid_rule(const dslc_program *p, const char *name, int axis) {
  int any = -1;
  for (int r = 0; r < p->model.n_rules; r++) {
    if (strcmp(p->model.rule[r].name, name) != 0) continue;
    if (p->model.rule[r].axis == "xyz"[axis]) return r;
    if (p->model.rule[r].axis == 0) any = r;
  }
  return any;
}

static void find_entries(exec_run *run) {
  const ew_case *c = run->c;
  for (int b = 0; b < run->g->n_boundaries; b++) run->on_grid->entry[b] = -1;
  for (int e = 0; e < c->n_boundaries; e++)
    for (int i = 0; i < c->boundary[e].n_names; i++) {
      int b = grid_find_boundary(run->g, c->boundary[e].name[i]);
      if (b >= 0 && run->on_grid->entry[b] < 0) run->on_grid->entry[b] = e;
    }
}

/* exec_check says this better; here it is made sure of. */
static ew_status number_rows(exec_run *run, ew_error *err) {
  const grid *g = run->g;
  exec_grid *on = run->on_grid;
  if (run->program->model.n_rules > RULES_IN_WALL)
    return ew_fail(err, EW_INPUT, "scheme '%s' has %d boundary rules, more than %d",
                   run->program->identity.scheme, run->program->model.n_rules, RULES_IN_WALL);
  for (int64_t w = 0; w < g->n_walls; w++) {
    const grid_wall *wall = &g->wall[w];
    int e = on->entry[wall->boundary];
    int rule = e >= 0 ? exec_grid_rule(run->program, run->c->boundary[e].rule, wall->axis) : -1;
    if (rule < 0)
      return ew_fail(err, EW_INPUT,
                     "the boundary \"%s\" has faces across %c, for which the case gives no rule",
                     g->boundary[wall->boundary].name, "xyz"[wall->axis]);
    on->rule[w] = rule;
    on->row[w] = run->points.rule[rule].count++;
    if (on->row[w] >= INT32_MAX / RULES_IN_WALL)
      return ew_fail(err, EW_INPUT, "boundary rule '%s' has too many faces",
                     run->program->model.rule[rule].name);
  }
  return EW_OK;
}

/* ---- life ---------------------------------------------------------------------------------------------------------------------- */

static exec_place place_of(int64_t n) {
  int64_t stride = (n + STRIDE_MULTIPLE - 1) / STRIDE_MULTIPLE * STRIDE_MULTIPLE;
  return (exec_place){(int32_t)n, (int32_t)n, (int32_t)stride};
}

static void set_places(exec_run *run) {
  const grid_layout *l = &run->on_grid->layout;
  for (int p = 0; p < DSLC_PLACE_COUNT; p++) run->points.place[p] = place_of(l->size);
  run->points.place[DSLC_NOWHERE] = place_of(1);
  for (int d = 0; d < 3; d++)
    run->points.place[DSLC_XLINE + d] = place_of(d < run->dim ? run->g->axis[d].n + 1 + 2 * l->halo : 1);
  run->points.place[DSLC_NEAR_WALLS] = place_of(run->on_grid->n_band);
}

ew_status exec_grid_create(exec_run *run, ew_error *err) {
  ew_status status = EW_OK;
  const grid *g = run->g;
  exec_grid *on = run->on_grid = calloc(1, sizeof *on);
  if (!on) return ew_fail(err, EW_FAIL, "out of memory for a grid");
  if (run->program->space.dims != g->dim)
    return ew_fail(err, EW_INPUT, "scheme '%s' is built for %d dimensions, the grid has %d",
                   run->program->identity.scheme, run->program->space.dims, g->dim);
  on->layout = grid_layout_make(g, run->program->space.halo);
  if (on->layout.size > INT32_MAX)
    return ew_fail(err, EW_INPUT,
                   "a field on this grid of %lld cells has %lld entries, kernels can count to %d",
                   (long long)g->n_cells, (long long)on->layout.size, INT32_MAX);
  if (run->program->space.band > 0) EW_CHECK(exec_grid_find_band(run, err));
  set_places(run);
  on->entry = malloc(((size_t)g->n_boundaries + 1) * sizeof *on->entry);
  on->rule = malloc(((size_t)g->n_walls + 1) * sizeof *on->rule);
  on->row = malloc(((size_t)g->n_walls + 1) * sizeof *on->row);
  run->points.rule = calloc((size_t)run->program->model.n_rules + 1, sizeof *run->points.rule);
  if (!on->entry || !on->rule || !on->row || !run->points.rule)
    return ew_fail(err, EW_FAIL, "out of memory for %lld walls", (long long)g->n_walls);
  find_entries(run);
  EW_CHECK(number_rows(run, err));
  status = grid_copies(g, &on->layout, &on->host_pair, &on->n_pairs, err);
cleanup:
  return status;
}

void exec_grid_destroy(exec_run *run) {
  exec_grid *on = run->on_grid;
  if (!on) return;
  dev_buffer_destroy(&on->pair);
  free(on->host_pair);
  free(on->band);
  free(on->entry);
  free(on->rule);
  free(on->row);
  free(on);
  run->on_grid = NULL;
}

/* ---- launches ------------------------------------------------------------------------------------------------------------------- */

static uint64_t tiles(int32_t n, int each) { return ((uint64_t)n + (uint64_t)each - 1) / (uint64_t)each; }

/* A GPU hides latency behind several work-groups in a compute unit, and needs some turns of them to end evenly; a core takes
 * one subdomain after the other. But the rows ahead of a subdomain are computed twice. */
int exec_fitting_rows(int most, int64_t rows, int64_t strips, const dev_info *of) {
  const int subdomains = of->concurrent ? 16 : 2,
            least = of->concurrent ? 16 : 8; /* of a compute unit; rows */
  int64_t fitting = of->compute_units > 0 ? rows * strips / (subdomains * (int64_t)of->compute_units) : most;
  if (fitting < least) fitting = least;
  return fitting < most ? (int)fitting : most;
}

int exec_grid_rows(const exec_run *run, const dslc_kernel *k) {
  if (!k->fit_rows) return k->rows;
  int64_t strips = (int64_t)tiles(grid_points(run->g, 0), k->tile[0] - k->overlap);
  return exec_fitting_rows(k->rows, grid_points(run->g, 1), strips, dev_get_info(run->device));
}

/* The last subdomains reach beyond the grid: kernels test. */
static int32_t windowed_range(const int32_t n[3], const dslc_kernel *k, int rows, unsigned *dims,
                              uint64_t global[3], size_t local[3]) {
  uint64_t x = tiles(n[0], k->tile[0] - k->overlap), y = tiles(n[1], rows);
  int items = k->loop ? 1 : k->tile[0]; /* of a subdomain */
  *dims = 2;
  local[0] = (size_t)items, local[1] = 1;
  global[0] = x * (uint64_t)items, global[1] = y;
  return (int32_t)(x * y);
}

int32_t exec_grid_range(const exec_run *run, const dslc_kernel *k, unsigned *dims, uint64_t global[3],
                        size_t local[3]) {
  int32_t n[3];
  uint64_t groups = 1;
  for (int d = 0; d < 3; d++) n[d] = grid_points(run->g, d);
  if (k->rows > 0) return windowed_range(n, k, exec_grid_rows(run, k), dims, global, local);
  *dims = k->grid > 1 ? (unsigned)k->grid : 1;
  for (int d = 0; d < 3; d++) {
    int tile = d == 2 || k->loop || k->tile[d] < 1 ? 1 : k->tile[d];
    uint64_t count = k->loop && d == 0 ? 1 : tiles(n[d], tile);
    local[d] = (size_t)tile;
    global[d] = count * (uint64_t)tile;
    groups *= count;
  }
  return (int32_t)groups;
}
