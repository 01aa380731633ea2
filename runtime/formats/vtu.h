/* Fields on meshes and grids as VTK files: VTU for a mesh; VTI or VTR for structured grids. Files are written
 * atomically; failures are EW_IO with the path. Nothing is kept after the call. */
#ifndef EW_IO_VTU_H
#define EW_IO_VTU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "mesh/mesh.h"

typedef enum vtu_place { VTU_CELLS, VTU_NODES } vtu_place;

/* A named field, entity by entity: component c of entity i at [components * i + c], entities in the mesh's
 * order (cells without ghosts). Vectors of 2 components get a third, 0. Exactly one of `real`, `integer`
 * and `byte` is set. */
typedef struct vtu_array {
  const char *name;
  vtu_place place;
  int components;
  const double *real;
  const int32_t *integer;
  const uint8_t *byte;
} vtu_array;

/* Cells with 32 in a byte array of this name are not shown. */
#define VTU_HIDDEN "vtkGhostType"
enum { VTU_HIDDEN_CELL = 32 };

typedef struct vtu_options {
  double time;             /* s */
  bool single_precision;   /* fields as Float32 where their values are in its range; points stay Float64 */
  bool sync;               /* on the disk before the call returns */
  const double *elevation; /* [n_nodes] m, third coordinate of a 2D mesh's points, or NULL for 0 */
} vtu_options;

ew_status vtu_write(const char *path, const mesh *m, const vtu_array *array, size_t n_arrays,
                    const vtu_options *options, ew_error *err);

/* A structured grid of cells[0] x cells[1] x cells[2] cells; cells[2] = 0 is a plane grid, which has one
 * layer of nodes. Cells and nodes are numbered with x running fastest. */
typedef struct vtk_grid {
  int cells[3];
  double origin[3], spacing[3]; /* m; for .vti */
  const double *lines[3];       /* [cells[d] + 1] m: the grid lines, for .vtr */
} vtk_grid;

ew_status vti_write(const char *path, const vtk_grid *grid, const vtu_array *array, size_t n_arrays,
                    const vtu_options *options, ew_error *err);
ew_status vtr_write(const char *path, const vtk_grid *grid, const vtu_array *array, size_t n_arrays,
                    const vtu_options *options, ew_error *err);

#endif
