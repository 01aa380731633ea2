/* Plots along lines, and all figures of one time. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/output.h"
#include "case/files.h"
#include "case/paths.h"
#include "output/show.h"
#include "drawing/plot.h"

enum { DEFAULT_SAMPLES = 400 };

/* ---- plots -------------------------------------------------------------------------------------------------------------------- */

typedef struct line {
  int n;
  double *along; /* [n] distance from the first point */
  double *x;     /* [n * 3] */
  exec_spot *at; /* [n] cell -1 outside of the mesh */
} line;

static void line_clear(line *l) {
  free(l->along);
  free(l->x);
  free(l->at);
}

int exec_plot_points(const case_plot *p) { return p->samples > 1 ? p->samples : DEFAULT_SAMPLES; }

void exec_plot_point(const case_plot *p, int i, double x[3]) {
  const double part = (double)i / (exec_plot_points(p) - 1);
  for (int d = 0; d < 3; d++) x[d] = p->from[d] + part * (p->to[d] - p->from[d]);
}

static ew_status line_create(const case_plot *p, const exec_domain *domain, const exec_locator *locator,
                             line *l, ew_error *err) {
  int dim = exec_domain_dim(domain);
  l->n = exec_plot_points(p);
  l->along = malloc((size_t)l->n * sizeof *l->along);
  l->x = calloc((size_t)l->n * 3, sizeof *l->x);
  l->at = malloc((size_t)l->n * sizeof *l->at);
  if (!l->along || !l->x || !l->at) return ew_fail(err, EW_FAIL, "out of memory for a plot");
  double length = 0;
  for (int d = 0; d < dim; d++) length += (p->to[d] - p->from[d]) * (p->to[d] - p->from[d]);
  for (int i = 0; i < l->n; i++) {
    double *x = l->x + 3 * (size_t)i;
    exec_plot_point(p, i, x);
    l->along[i] = sqrt(length) * ((double)i / (l->n - 1));
    l->at[i] = exec_spot_at(domain, exec_locate(locator, x), x);
  }
  return EW_OK;
}

static double value_at(const mesh *m, const exec_shown *field, const exec_spot *at) {
  if (at->cell < 0) return NAN;
  if (!field->node) return field->cell[at->cell];
  double sum = 0;
  for (int k = 0; k <= m->dim; k++)
    sum += at->weight[k] * field->node[m->cell_node[m->cell_start[at->cell] + k]];
  return sum;
}

static ew_status curve_values(exec_run *run, const case_curve *curve, const line *l, double *y,
                              ew_error *err) {
  ew_status status = EW_OK;
  exec_shown field = {0};
  if (curve->field) EW_CHECK(exec_show_read(run, curve->field, &field, err));
  for (int i = 0; i < l->n; i++) {
    if (curve->field) y[i] = value_at(run->m, &field, &l->at[i]);
    else EW_CHECK(curve->function(curve->context, l->x + 3 * (size_t)i, exec_time(run), &y[i], 1, err));
  }
cleanup:
  exec_shown_clear(&field);
  return status;
}

/* Along an axis the abscissa is the coordinate, else the distance from the first point. */
static const char *abscissa(const case_plot *p, line *l, bool units) {
  static const char *const names[2][3] = {{"x", "y", "z"}, {"x [m]", "y [m]", "z [m]"}};
  int axis = -1, n = 0;
  for (int d = 0; d < 3; d++)
    if (p->from[d] != p->to[d]) axis = d, n++;
  if (n != 1) return units ? "distance [m]" : "distance";
  for (int i = 0; i < l->n; i++) l->along[i] = l->x[3 * (size_t)i + (size_t)axis];
  return names[units][axis];
}

typedef struct plot_job {
  char path[EW_PATH], title[512], y_name[256];
  line along;
  double *y;
  plot_curve *curve;
  char (*label)[128]; /* of the curves */
  plot_axes axes;
} plot_job;

static void plot_destroy(void *data) {
  plot_job *j = data;
  line_clear(&j->along);
  free(j->y);
  free(j->curve);
  free(j->label);
  free(j);
}

static ew_status plot_draw(void *data, ew_error *err) {
  plot_job *j = data;
  return plot_lines(j->path, &j->axes, &(plot_options){0}, err);
}

static ew_status read_curves(exec_run *run, const case_plot *p, plot_job *j, ew_error *err) {
  ew_status status = EW_OK;
  for (int i = 0; i < p->n_curves; i++) {
    const case_curve *from = &p->curve[i];
    double *values = j->y + (size_t)i * (size_t)j->along.n;
    EW_CHECK(curve_values(run, from, &j->along, values, err));
    j->curve[i] =
        (plot_curve){.label = j->label[i], .x = j->along.along, .y = values, .n = (size_t)j->along.n};
    exec_show_curve(run->program, p, i, j->label[i], sizeof j->label[i]);
  }
cleanup:
  return status;
}

static ew_status plot_read(exec_run *run, const case_plot *p, const exec_locator *locator, plot_job *j,
                           ew_error *err) {
  ew_status status = EW_OK;
  EW_CHECK(line_create(p, &run->domain, locator, &j->along, err));
  j->curve = calloc((size_t)p->n_curves + 1, sizeof *j->curve);
  j->y = malloc(((size_t)j->along.n * (size_t)p->n_curves + 1) * sizeof *j->y);
  j->label = calloc((size_t)p->n_curves + 1, sizeof *j->label);
  if (!j->curve || !j->y || !j->label) EXEC_LEAVE(err, EW_FAIL, "out of memory for a plot");
  const char *x_name = abscissa(p, &j->along, exec_has_units(run->program));
  EW_CHECK(read_curves(run, p, j, err));
  exec_show_axis(run->program, p, j->y_name, sizeof j->y_name);
  if (p->title) snprintf(j->title, sizeof j->title, "%s", p->title);
  else exec_show_heading(run, j->title, sizeof j->title);
  j->axes = (plot_axes){.title = j->title,
                        .x_name = x_name,
                        .y_name = *j->y_name ? j->y_name : NULL,
                        .y_low = p->low,
                        .y_high = p->high,
                        .curve = j->curve,
                        .n_curves = p->n_curves};
cleanup:
  return status;
}

static ew_status add_plot(exec_run *run, const case_plot *p, const exec_locator *locator, const char *path,
                          exec_writer *writer, ew_error *err) {
  plot_job *j = calloc(1, sizeof *j);
  if (!j) return ew_fail(err, EW_FAIL, "out of memory for plot %s", path);
  snprintf(j->path, sizeof j->path, "%s", path);
  ew_status status = plot_read(run, p, locator, j, err);
  if (status != EW_OK) return plot_destroy(j), status;
  return exec_writer_add(writer, (exec_job){plot_draw, plot_destroy, j}, err);
}

/* ---- all of one time --------------------------------------------------------------------------------------------------------------- */

/* Plots before pictures. */
bool exec_figure_path(const exec_run *run, int index, int number, char *path, size_t size) {
  const case_output *o = &run->c->output;
  char name[NAME_MAX + 32];
  if (index >= o->n_plots + o->n_pictures) return false;
  const exec_named_file f =
      index < o->n_plots ? exec_plot_file(o, index) : exec_picture_file(o, index - o->n_plots);
  exec_file_name(&f, number, name, sizeof name);
  exec_output_file(run->c, name, path, size);
  return true;
}

ew_status exec_figures_add(exec_run *run, const exec_locator *locator, exec_writer *writer, char *first,
                           size_t size, ew_error *err) {
  ew_status status = EW_OK;
  const case_output *o = &run->c->output;
  char path[EW_PATH];
  for (int i = o->n_plots - 1; i >= 0; i--) {
    exec_figure_path(run, i, run->files.outputs, path, sizeof path);
    EW_CHECK(add_plot(run, &o->plot[i], locator, path, writer, err));
    snprintf(first, size, "%s", path);
  }
  for (int i = o->n_pictures - 1; i >= 0; i--) {
    exec_figure_path(run, o->n_plots + i, run->files.outputs, path, sizeof path);
    EW_CHECK(exec_picture_add(run, &o->picture[i], path, writer, err));
    snprintf(first, size, "%s", path);
  }
cleanup:
  return status;
}
