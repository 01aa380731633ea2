/* Structured grids: ImageData and RectilinearGrid. */
#include <stdbool.h>
#include <stdio.h>

#include "formats/vtk_fields.h"
#include "formats/vtk_file.h"
#include "formats/vtu.h"

static size_t count_nodes(const vtk_grid *g) {
  size_t n = 1;
  for (int d = 0; d < 3; d++) n *= (size_t)g->cells[d] + 1;
  return n;
}

static size_t count_cells(const vtk_grid *g) {
  size_t n = 1;
  for (int d = 0; d < 3; d++)
    if (g->cells[d] > 0) n *= (size_t)g->cells[d];
  return n;
}

static ew_status check(const char *path, const vtk_grid *g, bool needs_lines, ew_error *err) {
  if (g->cells[0] < 1 || g->cells[1] < 0 || g->cells[2] < 0)
    return ew_fail(err, EW_INTERNAL, "cannot write '%s': a grid of %d x %d x %d cells", path, g->cells[0],
                   g->cells[1], g->cells[2]);
  for (int d = 0; needs_lines && d < 3; d++)
    if (!g->lines[d] && g->cells[d] > 0)
      return ew_fail(err, EW_INTERNAL, "cannot write '%s': direction %d has no grid lines", path, d);
  return EW_OK;
}

/* In 64 bits always, as points of meshes. */
static ew_status write_lines(vtk_file *file, const vtk_grid *g, ew_error *err) {
  static const char *const NAME[] = {"x", "y", "z"};
  static const double FLAT = 0;
  ew_status status;
  EW_CHECK(vtk_file_text(file, err, "<Coordinates>\n"));
  for (int d = 0; d < 3; d++) {
    vtk_source line = {.name = NAME[d],
                       .data = g->lines[d] ? g->lines[d] : &FLAT,
                       .in_memory = VTK_F64,
                       .in_file = VTK_F64,
                       .from = 1,
                       .to = 1,
                       .count = (size_t)g->cells[d] + 1};
    EW_CHECK(vtk_file_array(file, &line, err));
  }
  EW_CHECK(vtk_file_text(file, err, "</Coordinates>\n"));
cleanup:
  return status;
}

typedef struct grid_form {
  const char *kind, *attributes;
  bool has_lines;
} grid_form;

static ew_status write_grid(const char *path, const grid_form *form, const vtk_grid *g, const vtk_arrays *all,
                            const vtu_options *options, ew_error *err) {
  ew_status status;
  vtk_file *file = NULL;
  EW_CHECK(check(path, g, form->has_lines, err));
  EW_CHECK(vtk_fields_check(path, all->at, all->n, err));
  EW_CHECK(vtk_file_create(&file, path, form->kind, form->attributes, options->time, err));
  EW_CHECK(
      vtk_file_text(file, err, "<Piece Extent=\"0 %d 0 %d 0 %d\">\n", g->cells[0], g->cells[1], g->cells[2]));
  if (form->has_lines) EW_CHECK(write_lines(file, g, err));
  EW_CHECK(vtk_fields_write(file, all, count_nodes(g), count_cells(g), options->single_precision, err));
  EW_CHECK(vtk_file_text(file, err, "</Piece>\n"));
  status = vtk_file_commit(&file, options->sync, err);
cleanup:
  vtk_file_destroy(&file);
  return status;
}

ew_status vti_write(const char *path, const vtk_grid *grid, const vtu_array *array, size_t n_arrays,
                    const vtu_options *options, ew_error *err) {
  char attributes[512];
  const double *o = grid->origin, *s = grid->spacing;
  snprintf(attributes, sizeof attributes,
           " WholeExtent=\"0 %d 0 %d 0 %d\" Origin=\"%.17g %.17g %.17g\" Spacing=\"%.17g %.17g %.17g\"",
           grid->cells[0], grid->cells[1], grid->cells[2], o[0], o[1], o[2], s[0], s[1], s[2]);
  return write_grid(path, &(grid_form){"ImageData", attributes, false}, grid, &(vtk_arrays){array, n_arrays},
                    options, err);
}

ew_status vtr_write(const char *path, const vtk_grid *grid, const vtu_array *array, size_t n_arrays,
                    const vtu_options *options, ew_error *err) {
  char attributes[128];
  snprintf(attributes, sizeof attributes, " WholeExtent=\"0 %d 0 %d 0 %d\"", grid->cells[0], grid->cells[1],
           grid->cells[2]);
  return write_grid(path, &(grid_form){"RectilinearGrid", attributes, true}, grid,
                    &(vtk_arrays){array, n_arrays}, options, err);
}
