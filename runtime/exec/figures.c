/* Pictures of fields and plots along lines, at one time. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exec/output.h"
#include "exec/paths.h"
#include "io/picture.h"
#include "io/plot.h"

enum { DEFAULT_SAMPLES = 400 };

static ew_status read_named(exec_run *run, const char *name, double **out, ew_error *err) {
  exec_component which;
  if (!name) return EW_OK;
  if (!exec_find_component(run->program, name, &which))
    return ew_fail(err, EW_INPUT, "there is no field '%s'", name);
  *out = malloc(((size_t)run->m->n_cells + 1) * sizeof **out);
  if (!*out) return ew_fail(err, EW_FAIL, "out of memory to show '%s'", name);
  return exec_read_component(run, which, *out, err);
}

static const char *unit_of(const exec_run *run, const char *name) {
  exec_component which;
  if (!name || !exec_find_component(run->program, name, &which)) return NULL;
  return run->program->field[which.field].unit;
}

static void name_with_unit(const exec_run *run, const char *name, char *text, size_t size) {
  const char *unit = unit_of(run, name);
  if (unit) snprintf(text, size, "%s [%s]", name, unit);
  else snprintf(text, size, "%s", name);
}

static void heading(const exec_run *run, char *text, size_t size) {
  char name[256];
  exec_case_name(run->c, name, sizeof name);
  snprintf(text, size, "%s, t = %.6g s", name, exec_time(run));
}

/* ---- pictures -------------------------------------------------------------------------------------------------------------- */

static ew_status write_picture(exec_run *run, const case_picture *p, const char *path, ew_error *err) {
  ew_status status = EW_OK;
  double *value = NULL, *mask = NULL, *terrain = NULL;
  char title[256], top[512];
  EW_CHECK(read_named(run, p->field, &value, err));
  EW_CHECK(read_named(run, p->mask, &mask, err));
  EW_CHECK(read_named(run, p->terrain, &terrain, err));
  for (cell_id c = 0; mask && c < run->m->n_cells; c++) mask[c] = mask[c] > p->mask_above;
  name_with_unit(run, p->field, title, sizeof title);
  heading(run, top, sizeof top);
  picture_panel panel = {.m = run->m,
                         .value = value,
                         .title = p->title ? p->title : title,
                         .map = p->map,
                         .low = p->low,
                         .high = p->high,
                         .contours = p->contours,
                         .show_cells = p->show_cells,
                         .z = p->z,
                         .mask = mask,
                         .terrain = terrain};
  picture_options options = {.heading = top, .size = p->size};
  EW_CHECK(picture_write(path, &panel, 1, &options, err));
cleanup:
  free(value);
  free(mask);
  free(terrain);
  return status;
}

/* ---- plots -------------------------------------------------------------------------------------------------------------------- */

typedef struct line {
  int n;
  double *along; /* [n] distance from the first point */
  double *x;     /* [n * 3] */
  cell_id *cell; /* [n] -1 outside of the mesh */
} line;

static void line_clear(line *l) {
  free(l->along);
  free(l->x);
  free(l->cell);
}

static ew_status line_create(const case_plot *p, int dim, const mesh_locator *locator, line *l,
                             ew_error *err) {
  l->n = p->samples > 1 ? p->samples : DEFAULT_SAMPLES;
  l->along = malloc((size_t)l->n * sizeof *l->along);
  l->x = malloc((size_t)l->n * 3 * sizeof *l->x);
  l->cell = malloc((size_t)l->n * sizeof *l->cell);
  if (!l->along || !l->x || !l->cell) return ew_fail(err, EW_FAIL, "out of memory for a plot");
  double length = 0;
  for (int d = 0; d < dim; d++) length += (p->to[d] - p->from[d]) * (p->to[d] - p->from[d]);
  for (int i = 0; i < l->n; i++) {
    double part = (double)i / (l->n - 1);
    for (int d = 0; d < 3; d++) l->x[3 * i + d] = p->from[d] + part * (p->to[d] - p->from[d]);
    l->along[i] = sqrt(length) * part;
    if (!mesh_find_cell(locator, l->x + 3 * (size_t)i, &l->cell[i])) l->cell[i] = -1;
  }
  return EW_OK;
}

static ew_status curve_values(exec_run *run, const case_curve *curve, const line *l, double *y,
                              ew_error *err) {
  ew_status status = EW_OK;
  double *cells = NULL;
  if (curve->field) EW_CHECK(read_named(run, curve->field, &cells, err));
  for (int i = 0; i < l->n; i++) {
    if (cells) y[i] = l->cell[i] >= 0 ? cells[l->cell[i]] : NAN;
    else EW_CHECK(curve->function(curve->context, l->x + 3 * (size_t)i, exec_time(run), &y[i], 1, err));
  }
cleanup:
  free(cells);
  return status;
}

/* Along an axis the abscissa is the coordinate, else the distance from the first point. */
static const char *abscissa(const case_plot *p, line *l) {
  static const char *const names[] = {"x [m]", "y [m]", "z [m]"};
  int axis = -1, n = 0;
  for (int d = 0; d < 3; d++)
    if (p->from[d] != p->to[d]) axis = d, n++;
  if (n != 1) return "distance [m]";
  for (int i = 0; i < l->n; i++) l->along[i] = l->x[3 * (size_t)i + (size_t)axis];
  return names[axis];
}

static ew_status write_plot(exec_run *run, const case_plot *p, const mesh_locator *locator, const char *path,
                            ew_error *err) {
  ew_status status = EW_OK;
  line l = {0};
  char top[512], y_name[256] = "";
  plot_curve *curve = calloc((size_t)p->n_curves + 1, sizeof *curve);
  double *y = NULL;
  EW_CHECK(line_create(p, run->m->dim, locator, &l, err));
  y = malloc(((size_t)l.n * (size_t)p->n_curves + 1) * sizeof *y);
  if (!curve || !y) EW_CHECK(ew_fail(err, EW_FAIL, "out of memory for a plot"));
  plot_axes axes = {.title = p->title ? p->title : top,
                    .x_name = abscissa(p, &l),
                    .y_low = p->low,
                    .y_high = p->high,
                    .curve = curve,
                    .n_curves = p->n_curves};
  heading(run, top, sizeof top);
  for (int i = 0; i < p->n_curves; i++) {
    const case_curve *from = &p->curve[i];
    double *values = y + (size_t)i * (size_t)l.n;
    EW_CHECK(curve_values(run, from, &l, values, err));
    curve[i] = (plot_curve){
        .label = from->label ? from->label : from->field, .x = l.along, .y = values, .n = (size_t)l.n};
    if (from->field && !*y_name) name_with_unit(run, from->field, y_name, sizeof y_name);
  }
  axes.y_name = *y_name ? y_name : NULL;
  EW_CHECK(plot_lines(path, &axes, 1, &(plot_options){0}, err));
cleanup:
  line_clear(&l);
  free(curve);
  free(y);
  return status;
}

/* ---- all of one time --------------------------------------------------------------------------------------------------------------- */

static void file_path(const exec_run *run, const char *stem, int index, int number, char *path, size_t size) {
  char name[300];
  if (stem) snprintf(name, sizeof name, "%s_%04d.png", stem, number);
  else snprintf(name, sizeof name, "plot%d_%04d.png", index + 1, number);
  exec_output_file(run->c, name, path, size);
}

ew_status exec_figures_write(exec_run *run, const mesh_locator *locator, int number, char *last, size_t size,
                             ew_error *err) {
  ew_status status = EW_OK;
  const case_output *o = &run->c->output;
  char path[1024];
  for (int i = o->n_plots - 1; i >= 0; i--) {
    file_path(run, o->plot[i].name, i, number, path, sizeof path);
    EW_CHECK(write_plot(run, &o->plot[i], locator, path, err));
    snprintf(last, size, "%s", path);
  }
  for (int i = o->n_pictures - 1; i >= 0; i--) {
    const case_picture *p = &o->picture[i];
    file_path(run, p->name ? p->name : p->field, i, number, path, sizeof path);
    EW_CHECK(write_picture(run, p, path, err));
    snprintf(last, size, "%s", path);
  }
cleanup:
  return status;
}
