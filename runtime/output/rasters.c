/* Fields on a regular grid of square cells, for geographic information systems. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "case/files.h"
#include "case/paths.h"
#include "formats/ascii_grid.h"
#include "formats/geotiff.h"
#include "output/output.h"
#include "output/show.h"

typedef struct raster_job {
  char path[EW_PATH];
  const case_raster *what;
  const exec_locator *locator;
  exec_domain domain;
  double x[2], y[2]; /* its extent */
  exec_shown field, mask;
} raster_job;

static void destroy_job(void *data) {
  raster_job *j = data;
  exec_shown_clear(&j->field);
  exec_shown_clear(&j->mask);
  free(j);
}

/* ---- one raster --------------------------------------------------------------------------------------------------------- */

/* The cell's value; of a field at nodes the linear one at the point, in cells that are no simplices the mean. */
static double value_at(const raster_job *j, const double *x) {
  cell_id cell = exec_locate(j->locator, x);
  if (cell < 0) return NAN;
  if (j->what->mask && !(j->mask.cell[cell] > j->what->mask_above)) return NAN;
  const mesh *m = j->domain.m;
  exec_spot at = exec_spot_at(&j->domain, cell, x);
  if (!j->field.node || at.weight[0] + at.weight[1] + at.weight[2] == 0) return j->field.cell[cell];
  double sum = 0;
  for (int k = 0; k <= m->dim; k++)
    sum += at.weight[k] * j->field.node[m->cell_node[m->cell_start[cell] + k]];
  return sum;
}

static ew_status write_grid(const raster_job *j, const char *path, ew_error *err) {
  ew_status status = EW_OK;
  ascii_grid g = {.x0 = j->x[0], .y0 = j->y[0], .size = j->what->size};
  g.n_columns = (int)exec_raster_cells(j->what, j->x), g.n_rows = (int)exec_raster_cells(j->what, j->y);
  g.value = malloc(sizeof *g.value * (size_t)g.n_columns * (size_t)g.n_rows);
  if (!g.value) return ew_fail(err, EW_FAIL, "out of memory for raster %s", path);
  for (int row = 0; row < g.n_rows; row++)
    for (int column = 0; column < g.n_columns; column++) {
      const double x[3] = {g.x0 + (column + 0.5) * g.size, g.y0 + (row + 0.5) * g.size, 0};
      g.value[(size_t)row * (size_t)g.n_columns + (size_t)column] = value_at(j, x);
    }
  EW_CHECK(ascii_grid_write(path, &g, err));
cleanup:
  free(g.value);
  return status;
}

static ew_status write_job(void *data, ew_error *err) {
  const raster_job *j = data;
  ew_status status = EW_OK;
  char plain[EW_PATH + 8];
  if (!j->what->geotiff) return write_grid(j, j->path, err);
  snprintf(plain, sizeof plain, "%s.asc", j->path);
  EW_CHECK(write_grid(j, plain, err));
  EW_CHECK(geotiff_from_grid(plain, j->what->srs, j->path, err));
cleanup:
  return status;
}

/* ---- its extent ---------------------------------------------------------------------------------------------------------- */

void exec_raster_extent(const case_raster *r, const exec_domain *d, double x[2], double y[2]) {
  double low[3], high[3];
  exec_domain_box(d, low, high);
  x[0] = low[0], x[1] = high[0], y[0] = low[1], y[1] = high[1];
  if (r->x[0] < r->x[1]) x[0] = r->x[0], x[1] = r->x[1];
  if (r->y[0] < r->y[1]) y[0] = r->y[0], y[1] = r->y[1];
}

double exec_raster_cells(const case_raster *r, const double extent[2]) {
  return fmax(1, ceil((extent[1] - extent[0]) / r->size - 1e-9));
}

/* ---- all of one time ------------------------------------------------------------------------------------------------------ */

static void file_path(const exec_run *run, const case_raster *r, int field, int number, char *path,
                      size_t size) {
  char name[NAME_MAX + 32];
  const exec_named_file f = exec_raster_file(run->c, r, field);
  exec_file_name(&f, number, name, sizeof name);
  exec_output_file(run->c, name, path, size);
}

bool exec_raster_path(const exec_run *run, int index, int number, char *path, size_t size) {
  const case_output *o = &run->c->output;
  for (int i = 0; i < o->n_rasters; i++) {
    if (index < o->raster[i].n_fields) return file_path(run, &o->raster[i], index, number, path, size), true;
    index -= o->raster[i].n_fields;
  }
  return false;
}

static ew_status add_field(exec_run *run, const case_raster *r, int index, const exec_locator *locator,
                           exec_writer *writer, ew_error *err) {
  ew_status status = EW_OK;
  const char *field = r->field[index];
  raster_job *j = calloc(1, sizeof *j);
  if (!j) return ew_fail(err, EW_FAIL, "out of memory for the raster of '%s'", field);
  j->what = r, j->locator = locator, j->domain = run->domain;
  exec_raster_extent(r, &run->domain, j->x, j->y);
  file_path(run, r, index, run->files.outputs, j->path, sizeof j->path);
  EW_CHECK(exec_show_read(run, field, &j->field, err));
  EW_CHECK(exec_show_read(run, r->mask, &j->mask, err));
  return exec_writer_add(writer, (exec_job){write_job, destroy_job, j}, err);
cleanup:
  destroy_job(j);
  return status;
}

ew_status exec_rasters_add(exec_run *run, const exec_locator *locator, exec_writer *writer, ew_error *err) {
  const case_output *o = &run->c->output;
  ew_status status = EW_OK;
  for (int i = 0; i < o->n_rasters; i++)
    for (int k = 0; k < o->raster[i].n_fields; k++)
      EW_CHECK(add_field(run, &o->raster[i], k, locator, writer, err));
cleanup:
  return status;
}

ew_status exec_rasters_start(const exec_run *run, ew_error *err) {
  const case_output *o = &run->c->output;
  for (int i = 0; i < o->n_rasters; i++)
    if (o->raster[i].geotiff) return geotiff_find_command(err);
  return EW_OK;
}
