/* The PointData and CellData sections, which meshes and grids share. */
#ifndef EW_IO_VTK_FIELDS_H
#define EW_IO_VTK_FIELDS_H

#include "formats/vtk_file.h"
#include "formats/vtu.h"

/* Refuses arrays without name, data or components; the message starts with `path`. */
ew_status vtk_fields_check(const char *path, const vtu_array *array, size_t n_arrays, ew_error *err);

typedef struct vtk_arrays {
  const vtu_array *at; /* [n] */
  size_t n;
} vtk_arrays;

/* Both sections, for a grid with that many nodes and cells. With `single_precision` reals are Float32, but in an array with a value past
 * their range. */
ew_status vtk_fields_write(vtk_file *file, const vtk_arrays *all, size_t n_nodes, size_t n_cells,
                           bool single_precision, ew_error *err);

#endif
