#include "formats/vtk_fields.h"

#include <float.h>
#include <math.h>

ew_status vtk_fields_check(const char *path, const vtu_array *array, size_t n_arrays, ew_error *err) {
  for (size_t i = 0; i < n_arrays; i++) {
    const vtu_array *a = &array[i];
    if (!a->name || !*a->name)
      return ew_fail(err, EW_INTERNAL, "cannot write '%s': array %zu has no name", path, i);
    if (a->components < 1)
      return ew_fail(err, EW_INTERNAL, "cannot write '%s': array '%s' has %d components, expected at least 1",
                     path, a->name, a->components);
    if ((a->real != NULL) + (a->integer != NULL) + (a->byte != NULL) != 1)
      return ew_fail(err, EW_INTERNAL, "cannot write '%s': array '%s' needs reals, integers or bytes", path,
                     a->name);
  }
  return EW_OK;
}

/* A finite value past what 32 bits hold would come out as infinity. */
static bool fits_single(const vtu_array *a, size_t count) {
  size_t n = a->real ? count * (size_t)a->components : 0;
  for (size_t i = 0; i < n; i++)
    if (isfinite(a->real[i]) && fabs(a->real[i]) > FLT_MAX) return false;
  return true;
}

static vtk_source source_of(const vtu_array *a, size_t count, bool single_precision) {
  vtk_type real = single_precision && fits_single(a, count) ? VTK_F32 : VTK_F64;
  vtk_type whole = a->byte ? VTK_U8 : VTK_I32;
  return (vtk_source){.name = a->name,
                      .data = a->real   ? (const void *)a->real
                              : a->byte ? (const void *)a->byte
                                        : a->integer,
                      .in_memory = a->real ? VTK_F64 : whole,
                      .in_file = a->real ? real : whole,
                      .from = a->components,
                      .to = a->components == 2 ? 3 : a->components,
                      .count = count};
}

static ew_status write_place(vtk_file *file, const vtk_arrays *all, vtu_place place, size_t count,
                             bool single_precision, ew_error *err) {
  for (size_t i = 0; i < all->n; i++) {
    if (all->at[i].place != place) continue;
    vtk_source source = source_of(&all->at[i], count, single_precision);
    ew_status status = vtk_file_array(file, &source, err);
    if (status != EW_OK) return status;
  }
  return EW_OK;
}

ew_status vtk_fields_write(vtk_file *file, const vtk_arrays *all, size_t n_nodes, size_t n_cells,
                           bool single_precision, ew_error *err) {
  ew_status status;
  EW_CHECK(vtk_file_text(file, err, "<PointData>\n"));
  EW_CHECK(write_place(file, all, VTU_NODES, n_nodes, single_precision, err));
  EW_CHECK(vtk_file_text(file, err, "</PointData>\n<CellData>\n"));
  EW_CHECK(write_place(file, all, VTU_CELLS, n_cells, single_precision, err));
  EW_CHECK(vtk_file_text(file, err, "</CellData>\n"));
cleanup:
  return status;
}
