/* Fields on a grid as image data, or as a rectilinear grid where cells are not of one size. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "output/output.h"
#include "formats/vtu.h"

static bool is_uniform(const grid *g) {
  for (int d = 0; d < g->dim; d++) {
    const grid_axis *a = &g->axis[d];
    double width = (a->face[a->n] - a->face[0]) / a->n;
    for (int32_t i = 0; i < a->n; i++)
      if (fabs(grid_width(a, i) - width) > 1e-9 * width) return false;
  }
  return true;
}

const char *exec_grid_suffix(const grid *g) { return is_uniform(g) ? "vti" : "vtr"; }

static vtk_grid describe(const grid *g) {
  vtk_grid out = {.spacing = {1, 1, 1}};
  for (int d = 0; d < g->dim; d++) {
    const grid_axis *a = &g->axis[d];
    out.cells[d] = a->n;
    out.origin[d] = a->face[0];
    out.spacing[d] = (a->face[a->n] - a->face[0]) / a->n;
    out.lines[d] = a->face;
  }
  return out;
}

static uint8_t *hidden(const grid *g) {
  uint8_t *out = malloc((size_t)g->n_cells + 1);
  for (int64_t c = 0; out && c < g->n_cells; c++) out[c] = g->solid[c] ? VTU_HIDDEN_CELL : 0;
  return out;
}

/* Solid cells are there, with the values they hold, but not shown. */
ew_status exec_grid_write(const char *path, const grid *g, const vtu_array *array, size_t n,
                          const vtu_options *options, ew_error *err) {
  ew_status status = EW_OK;
  vtk_grid form = describe(g);
  bool solids = g->n_gas < g->n_cells;
  vtu_array *all = malloc((n + 1) * sizeof *all);
  uint8_t *bytes = solids ? hidden(g) : NULL;
  if (!all || (solids && !bytes)) EXEC_LEAVE(err, EW_FAIL, "out of memory to write %s", path);
  for (size_t i = 0; i < n; i++) all[i] = array[i];
  if (solids) all[n++] = (vtu_array){.name = VTU_HIDDEN, .place = VTU_CELLS, .components = 1, .byte = bytes};
  status = is_uniform(g) ? vti_write(path, &form, all, n, options, err)
                         : vtr_write(path, &form, all, n, options, err);
cleanup:
  free(all);
  free(bytes);
  return status;
}
