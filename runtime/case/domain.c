#include "case/domain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run/run.h"
#include "case/sample.h"
#include "mesh/locate.h"

/* ---- grids ------------------------------------------------------------------------------------------------------------------ */

/* A mask is a value like others: what is above one half is solid. */
typedef struct mask_value {
  exec_sampler *sampler;
  int dim;
} mask_value;

static ew_status is_solid(void *context, const double *x, bool *solid, ew_error *err) {
  const mask_value *mask = context;
  double value = 0;
  ew_status status = exec_sample(mask->sampler, mask->dim, x, 0, &value, err);
  *solid = value > 0.5;
  return status;
}

static ew_status make_grid(const ew_case *c, grid **out, ew_error *err) {
  ew_status status = EW_OK;
  grid_options options = c->mesh.grid;
  mask_value mask = {.dim = options.dim};
  if (c->mesh.mask) {
    EW_CHECK(exec_sampler_create(c, c->mesh.mask, 1, &mask.sampler, err));
    options.mask = is_solid;
    options.mask_context = &mask;
    options.mask_name = "mask";
  }
  status = grid_create(&options, out, err);
cleanup:
  exec_sampler_destroy(&mask.sampler);
  if (status != EW_OK && c->mesh.at.file) ew_context(err, "%s:%d: grid", c->mesh.at.file, c->mesh.at.line);
  return status;
}

ew_status exec_domain_create(const ew_case *c, exec_domain *out, ew_error *err) {
  *out = (exec_domain){NULL, NULL};
  return c->mesh.kind == CASE_MESH_GRID ? make_grid(c, &out->g, err) : exec_mesh(c, &out->m, err);
}

void exec_domain_clear(exec_domain *d) {
  mesh_destroy(&d->m);
  grid_destroy(&d->g);
}

/* ---- what both have ------------------------------------------------------------------------------------------------------------ */

int exec_domain_dim(const exec_domain *d) { return d->g ? d->g->dim : d->m ? d->m->dim : 0; }

cell_id exec_domain_cells(const exec_domain *d) {
  return d->g ? (cell_id)d->g->n_cells : d->m ? d->m->n_cells : 0;
}

void exec_domain_box(const exec_domain *d, double low[3], double high[3]) {
  const int dim = exec_domain_dim(d);
  for (int a = 0; a < 3; a++) {
    low[a] = high[a] = 0;
    if (a < dim && d->g) low[a] = d->g->axis[a].face[0], high[a] = d->g->axis[a].face[d->g->axis[a].n];
    else if (a < dim) low[a] = INFINITY, high[a] = -INFINITY;
  }
  for (node_id i = 0; d->m && i < d->m->n_nodes; i++)
    for (int a = 0; a < dim; a++) {
      const double x = d->m->node_x[(size_t)dim * (size_t)i + (size_t)a];
      low[a] = fmin(low[a], x), high[a] = fmax(high[a], x);
    }
}

bool exec_domain_is_periodic(const exec_domain *d) {
  const mesh *m = d->m;
  if (d->g) return d->g->axis[0].periodic || d->g->axis[1].periodic || d->g->axis[2].periodic;
  for (int32_t g = 0; m && g < m->n_ghosts; g++)
    if (m->ghost_source[g] >= 0) return true;
  return false;
}

const char *exec_domain_word(const exec_domain *d) { return d->g ? "grid" : "mesh"; }

void exec_domain_notes(const ew_case *c, const exec_domain *d, FILE *out) {
  char where[512];
  for (int i = 0; d->g && i < d->g->n_notes; i++)
    fprintf(out, "%swarning: %s\n", exec_where(c->mesh.at, where, sizeof where), d->g->note[i]);
}

/* ---- points in cells ------------------------------------------------------------------------------------------------------------ */

struct exec_locator {
  const grid *g;
  mesh_locator *m;
};

ew_status exec_locator_create(const exec_domain *d, exec_locator **out, ew_error *err) {
  ew_status status = EW_OK;
  exec_locator *l = *out = calloc(1, sizeof *l);
  if (!l) return ew_fail(err, EW_FAIL, "out of memory to find cells");
  l->g = d->g;
  if (d->m) status = mesh_locator_create(d->m, &l->m, err);
  if (status != EW_OK) exec_locator_destroy(out);
  return status;
}

void exec_locator_destroy(exec_locator **locator) {
  if (!locator || !*locator) return;
  mesh_locator_destroy(&(*locator)->m);
  free(*locator);
  *locator = NULL;
}

cell_id exec_locate(const exec_locator *l, const double *x) {
  cell_id cell = -1;
  if (l->m) return mesh_find_cell(l->m, x, &cell) ? cell : -1;
  cell = (cell_id)grid_find_cell(l->g, x);
  return cell >= 0 && l->g->solid[cell] ? -1 : cell;
}

/* ---- places between nodes ---------------------------------------------------------------------------------------------------------- */

exec_spot exec_spot_at(const exec_domain *d, cell_id cell, const double *x) {
  exec_spot spot = {.cell = cell};
  if (d->m && cell >= 0) mesh_weights(d->m, cell, x, spot.weight);
  return spot;
}
