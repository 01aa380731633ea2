/* Places in a case's output: what lies outside of the mesh would be found at the first output, or be files of nothing. */
#include <math.h>
#include <stdio.h>

#include "case/problems.h"
#include "drawing/flat_cell.h"
#include "mesh/build.h"
#include "output/output.h"
#include "output/sheet.h"

/* A point of the plane would lie at z = 0 of a mesh in space. On a line {x, 0} is as good as {x}. */
static bool has_axes(exec_checker *k, case_where at, const char *what, int n, const double x[3]) {
  const int dim = exec_domain_dim(k->domain);
  if (n == 0 || n == dim || (dim == 1 && n == 2 && x[1] == 0)) return true;
  exec_complain(k, at, "%s has %d coordinate%s; the %s has %d dimension%s: write %s", what, n,
                n == 1 ? "" : "s", exec_domain_word(k->domain), dim, dim == 1 ? "" : "s",
                dim == 1   ? "{x}"
                : dim == 2 ? "{x, y}"
                           : "{x, y, z}");
  return false;
}

/* A point outside of the mesh would silently show the nearest cell. */
static void check_probe(exec_checker *k, const exec_locator *locator, const case_probe *p) {
  const char *where = k->domain->g ? "outside of the grid, or in a solid" : "outside of the mesh";
  char point[96], what[128];
  snprintf(what, sizeof what, "probe '%s'", p->name);
  if (!has_axes(k, p->at, what, p->n, p->x) || exec_locate(locator, p->x) >= 0) return;
  exec_complain(k, p->at, "probe '%s' at %s lies %s", p->name,
                mesh_point_text(exec_domain_dim(k->domain), p->x, point), where);
}

/* "the mesh, which reaches from (0, 0) to (1, 1)"; of a grid also what is not looked at. */
static const char *extent_text(const exec_domain *d, char *text, size_t size) {
  double low[3], high[3];
  char from[96], to[96];
  exec_domain_box(d, low, high);
  snprintf(text, size, "the %s, which reaches from %s to %s%s", exec_domain_word(d),
           mesh_point_text(exec_domain_dim(d), low, from), mesh_point_text(exec_domain_dim(d), high, to),
           d->g && d->g->n_gas < d->g->n_cells ? ", outside of its solids" : "");
  return text;
}

/* ---- plots ------------------------------------------------------------------------------------------------------------------- */

static void check_plot(exec_checker *k, const exec_locator *locator, const case_plot *p) {
  bool fields = false;
  char from[96], to[96], extent[256];
  double x[3];
  const int dim = exec_domain_dim(k->domain);
  for (int i = 0; i < p->n_curves; i++) fields = fields || p->curve[i].field;
  if (!has_axes(k, p->at, "plot: 'from'", p->n_from, p->from) ||
      !has_axes(k, p->at, "plot: 'to'", p->n_to, p->to) || !fields)
    return;
  for (int i = 0; i < exec_plot_points(p); i++) {
    exec_plot_point(p, i, x);
    if (exec_locate(locator, x) >= 0) return;
  }
  exec_complain(k, p->at, "plot: none of the %d points of the line from %s to %s lies in %s",
                exec_plot_points(p), mesh_point_text(dim, p->from, from), mesh_point_text(dim, p->to, to),
                extent_text(k->domain, extent, sizeof extent));
}

/* ---- pictures ---------------------------------------------------------------------------------------------------------------- */

static void check_picture(exec_checker *k, const case_picture *p) {
  ew_error err = {0};
  double z = p->z;
  int32_t layer;
  const int dim = exec_domain_dim(k->domain);
  if (p->has_z && (p->n_surfaces > 0 || dim < 3)) {
    exec_complain(k, p->at, "picture: 'z', the height of a slice, has no effect on a %s%s",
                  p->n_surfaces > 0 ? "surface"
                  : dim == 2        ? "plane "
                                    : "line",
                  p->n_surfaces == 0 && dim == 2 ? exec_domain_word(k->domain) : "");
    return;
  }
  if (p->n_surfaces > 0) return;
  const ew_status status =
      k->domain->g ? exec_sheet_layer(k->domain->g, z, &layer, &err) : flat_check_height(k->m, &z, &err);
  if (status != EW_OK) exec_complain(k, p->at, "picture: %s", err.text);
}

/* ---- rasters ----------------------------------------------------------------------------------------------------------------- */

/* Whether the middle of any of its cells lies in the mesh. Where millions lie outside, the next may not: then nothing is said. */
static bool has_data(const case_raster *r, const exec_locator *locator, const double x[2],
                     const double y[2]) {
  enum { MOST_TRIED = 4000000 };
  const double columns = exec_raster_cells(r, x), rows = exec_raster_cells(r, y);
  if (columns * rows > MOST_TRIED) return true;
  for (int row = 0; row < (int)rows; row++)
    for (int column = 0; column < (int)columns; column++) {
      const double at[3] = {x[0] + (column + 0.5) * r->size, y[0] + (row + 0.5) * r->size, 0};
      if (exec_locate(locator, at) >= 0) return true;
    }
  return false;
}

/* An extent that has lost a digit would fill the disk. */
static void check_raster(exec_checker *k, const exec_locator *locator, const case_raster *r) {
  enum { MOST = 400000000 };
  double x[2], y[2];
  char extent[256];
  exec_raster_extent(r, k->domain, x, y);
  const double n = exec_raster_cells(r, x) * exec_raster_cells(r, y);
  if (!(n <= MOST))
    exec_complain(k, r->at, "raster: %g cells of %g m; at most %d are written: let `size` be larger", n,
                  r->size, MOST);
  else if (!has_data(r, locator, x, y))
    exec_complain(
        k, r->at,
        "raster: the middle of none of its cells of %g m, from (%.10g, %.10g) to (%.10g, %.10g), lies in %s",
        r->size, x[0], y[0], x[1], y[1], extent_text(k->domain, extent, sizeof extent));
  if (r->srs && !r->geotiff)
    exec_complain(
        k, r->at,
        "raster: an ESRI ASCII grid names no coordinate system: say format = \"tif\", or leave `srs` out");
}

static void check_rasters(exec_checker *k, const exec_locator *locator) {
  const case_output *o = &k->c->output;
  if (o->n_rasters && exec_domain_dim(k->domain) != 2)
    exec_complain(k, o->raster[0].at, "raster: only fields of plane meshes and grids are written as rasters");
  else
    for (int i = 0; i < o->n_rasters; i++) check_raster(k, locator, &o->raster[i]);
}

void exec_check_places(exec_checker *k) {
  const case_output *o = &k->c->output;
  exec_locator *locator = NULL;
  for (int i = 0; i < o->n_pictures; i++) check_picture(k, &o->picture[i]);
  if (o->n_probes + o->n_plots + o->n_rasters == 0) return;
  ew_status status = exec_locator_create(k->domain, &locator, k->err);
  for (int i = 0; status == EW_OK && i < o->n_probes; i++) check_probe(k, locator, &o->probe[i]);
  for (int i = 0; status == EW_OK && i < o->n_plots; i++) check_plot(k, locator, &o->plot[i]);
  if (status == EW_OK) check_rasters(k, locator);
  if (k->status == EW_OK) k->status = status;
  exec_locator_destroy(&locator);
}
