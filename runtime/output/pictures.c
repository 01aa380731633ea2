/* Pictures of fields at one time: one panel for each. */
#include <stdio.h>
#include <stdlib.h>

#include "base/path.h"
#include "run/leave.h"
#include "output/sheet.h"
#include "output/show.h"
#include "drawing/picture.h"

enum { PICTURE_SIZE = 600, SAMPLES_OF_PIXEL = 2 };

typedef struct job_panel {
  exec_shown value;
  char title[256];
} job_panel;

typedef struct picture_job {
  char path[EW_PATH], heading[512];
  int n_panels;
  job_panel *part; /* [n_panels] */
  picture_panel *panel;
  exec_shown mask, terrain;
  exec_sheet sheet;       /* of a grid, or of boundaries */
  char right[48], up[48]; /* names of a surface's axes, or empty */
  picture_options options;
} picture_job;

static void picture_destroy(void *data) {
  picture_job *j = data;
  for (int i = 0; j->part && i < j->n_panels; i++) exec_shown_clear(&j->part[i].value);
  exec_shown_clear(&j->mask);
  exec_shown_clear(&j->terrain);
  exec_sheet_clear(&j->sheet);
  free(j->part);
  free(j->panel);
  free(j);
}

static ew_status picture_draw(void *data, ew_error *err) {
  picture_job *j = data;
  return picture_write(j->path, j->panel, j->n_panels, &j->options, err);
}

/* ---- grids and boundaries --------------------------------------------------------------------------------------------------------------- */

/* Puts values of the sheet's cells in the place of values of the grid's. */
static ew_status to_sheet(const exec_sheet *s, exec_shown *values, ew_error *err) {
  if (!values->cell) return EW_OK;
  double *out = malloc(((size_t)s->m->n_cells + 1) * sizeof *out);
  if (!out) return ew_fail(err, EW_FAIL, "out of memory for a picture of %d cells", s->m->n_cells);
  exec_sheet_take(s, values->cell, out);
  free(values->cell);
  free(values->node);
  *values = (exec_shown){.cell = out};
  return EW_OK;
}

/* Solids are drawn like dry land: grey, and no part of the colours' range. */
static ew_status mask_solids(const grid *g, exec_shown *mask, ew_error *err) {
  if (g->n_gas == g->n_cells) return EW_OK;
  bool all = !mask->cell;
  if (all) mask->cell = malloc(((size_t)g->n_cells + 1) * sizeof *mask->cell);
  if (!mask->cell)
    return ew_fail(err, EW_FAIL, "out of memory for a picture of %lld cells", (long long)g->n_cells);
  for (int64_t c = 0; c < g->n_cells; c++) mask->cell[c] = (all || mask->cell[c] != 0) && !g->solid[c];
  return EW_OK;
}

static ew_status flatten(const exec_run *run, const case_picture *p, picture_job *j, ew_error *err) {
  ew_status status = EW_OK;
  int size = p->size > 0 ? p->size : PICTURE_SIZE;
  if (run->g) {
    EW_CHECK(exec_sheet_create(run->g, p->z, size * SAMPLES_OF_PIXEL, &j->sheet, err));
    EW_CHECK(mask_solids(run->g, &j->mask, err));
  } else if (p->n_surfaces > 0) {
    EW_CHECK(exec_surface_create(run->m, p->surface, p->n_surfaces, p->view, &j->sheet, err));
    exec_surface_axes(p->view, exec_has_units(run->program), j->right, j->up);
  } else return EW_OK;
  for (int i = 0; i < j->n_panels; i++) EW_CHECK(to_sheet(&j->sheet, &j->part[i].value, err));
  EW_CHECK(to_sheet(&j->sheet, &j->mask, err));
  EW_CHECK(to_sheet(&j->sheet, &j->terrain, err));
cleanup:
  return status;
}

/* ---- reading ----------------------------------------------------------------------------------------------------------------- */

static ew_status read_all(exec_run *run, const case_picture *p, picture_job *j, ew_error *err) {
  ew_status status = EW_OK;
  for (int i = 0; i < j->n_panels; i++) EW_CHECK(exec_show_read(run, p->field[i], &j->part[i].value, err));
  EW_CHECK(exec_show_read(run, p->mask, &j->mask, err));
  EW_CHECK(exec_show_read(run, p->terrain, &j->terrain, err));
  for (cell_id c = 0; p->mask && c < run->points.n_cells; c++)
    j->mask.cell[c] = j->mask.cell[c] > p->mask_above;
  EW_CHECK(flatten(run, p, j, err));
cleanup:
  return status;
}

static void lay_out(const exec_run *run, const case_picture *p, picture_job *j) {
  bool units = exec_has_units(run->program);
  for (int i = 0; i < j->n_panels; i++) {
    job_panel *part = &j->part[i];
    if (p->title && j->n_panels == 1) snprintf(part->title, sizeof part->title, "%s", p->title);
    else exec_show_name(run->program, p->field[i], part->title, sizeof part->title);
    j->panel[i] = (picture_panel){.m = j->sheet.m ? j->sheet.m : run->m,
                                  .value = part->value.cell,
                                  .node_value = part->value.node,
                                  .title = part->title,
                                  .x_name = *j->right ? j->right
                                            : units   ? NULL
                                                      : "x",
                                  .y_name = *j->up  ? j->up
                                            : units ? NULL
                                                    : "y",
                                  .map = p->map,
                                  .low = p->low,
                                  .high = p->high,
                                  .contours = p->contours,
                                  .show_cells = p->show_cells,
                                  .z = p->z,
                                  .mask = j->mask.cell,
                                  .terrain = j->terrain.cell};
  }
  exec_show_heading(run, j->heading, sizeof j->heading);
  if (p->title && j->n_panels > 1)
    snprintf(j->heading, sizeof j->heading, "%s, t = %.6g", p->title, exec_time(run));
  j->options = (picture_options){.heading = j->heading, .size = p->size, .columns = p->columns};
}

ew_status exec_picture_add(exec_run *run, const case_picture *p, const char *path, exec_writer *writer,
                           ew_error *err) {
  ew_status status = EW_OK;
  picture_job *j = calloc(1, sizeof *j);
  if (!j) return ew_fail(err, EW_FAIL, "out of memory for picture %s", path);
  snprintf(j->path, sizeof j->path, "%s", path);
  j->n_panels = p->n_fields;
  j->part = calloc((size_t)p->n_fields + 1, sizeof *j->part);
  j->panel = calloc((size_t)p->n_fields + 1, sizeof *j->panel);
  if (!j->part || !j->panel) EXEC_LEAVE(err, EW_FAIL, "out of memory for picture %s", path);
  EW_CHECK(read_all(run, p, j, err));
  lay_out(run, p, j);
cleanup:
  if (status != EW_OK) return picture_destroy(j), status;
  return exec_writer_add(writer, (exec_job){picture_draw, picture_destroy, j}, err);
}
