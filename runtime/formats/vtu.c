#include "formats/vtu.h"

#include <stdlib.h>

#include "formats/vtk_fields.h"
#include "formats/vtk_file.h"

/* VTK's cell numbers (vtkCellType.h). */
static uint8_t vtk_cell(uint8_t type) {
  switch ((mesh_cell_type)type) {
  case MESH_TRIANGLE: return 5;
  case MESH_QUAD: return 9;
  case MESH_TETRA: return 10;
  case MESH_HEX: return 12;
  case MESH_PRISM: return 13;
  case MESH_PYRAMID: return 14;
  }
  return 0;
}

/* In 64 bits always: far from the origin, as in UTM coordinates, 32 bits would lay nodes on each other. */
static ew_status write_points(vtk_file *file, const mesh *m, const vtu_options *options, ew_error *err) {
  ew_status status;
  vtk_source points = {.name = "Points",
                       .data = m->node_x,
                       .in_memory = VTK_F64,
                       .in_file = VTK_F64,
                       .from = m->dim,
                       .to = 3,
                       .count = (size_t)m->n_nodes,
                       .last = m->dim == 2 ? options->elevation : NULL};
  EW_CHECK(vtk_file_text(file, err, "<Points>\n"));
  EW_CHECK(vtk_file_array(file, &points, err));
  EW_CHECK(vtk_file_text(file, err, "</Points>\n"));
cleanup:
  return status;
}

static vtk_source integers(const char *name, const void *data, vtk_type type, size_t count) {
  return (vtk_source){
      .name = name, .data = data, .in_memory = type, .in_file = type, .from = 1, .to = 1, .count = count};
}

static ew_status write_cells(vtk_file *file, const mesh *m, const uint8_t *types, ew_error *err) {
  ew_status status;
  size_t n = (size_t)m->n_cells;
  vtk_source connectivity = integers("connectivity", m->cell_node, VTK_I32, n ? (size_t)m->cell_start[n] : 0);
  vtk_source offsets = integers("offsets", n ? m->cell_start + 1 : NULL, VTK_I32, n);
  vtk_source type = integers("types", types, VTK_U8, n);
  EW_CHECK(vtk_file_text(file, err, "<Cells>\n"));
  EW_CHECK(vtk_file_array(file, &connectivity, err));
  EW_CHECK(vtk_file_array(file, &offsets, err));
  EW_CHECK(vtk_file_array(file, &type, err));
  EW_CHECK(vtk_file_text(file, err, "</Cells>\n"));
cleanup:
  return status;
}

static ew_status write_piece(vtk_file *file, const mesh *m, const uint8_t *types, const vtk_arrays *all,
                             const vtu_options *options, ew_error *err) {
  ew_status status;
  EW_CHECK(vtk_file_text(file, err, "<Piece NumberOfPoints=\"%d\" NumberOfCells=\"%d\">\n", m->n_nodes,
                         m->n_cells));
  EW_CHECK(write_points(file, m, options, err));
  EW_CHECK(write_cells(file, m, types, err));
  EW_CHECK(
      vtk_fields_write(file, all, (size_t)m->n_nodes, (size_t)m->n_cells, options->single_precision, err));
  EW_CHECK(vtk_file_text(file, err, "</Piece>\n"));
cleanup:
  return status;
}

ew_status vtu_write(const char *path, const mesh *m, const vtu_array *array, size_t n_arrays,
                    const vtu_options *options, ew_error *err) {
  ew_status status;
  vtk_file *file = NULL;
  uint8_t *types = malloc((size_t)m->n_cells + 1);
  if (!types) return ew_fail(err, EW_FAIL, "out of memory while writing '%s'", path);
  for (cell_id c = 0; c < m->n_cells; c++) types[c] = vtk_cell(m->cell_type[c]);
  EW_CHECK(vtk_fields_check(path, array, n_arrays, err));
  EW_CHECK(vtk_file_create(&file, path, "UnstructuredGrid", "", options->time, err));
  EW_CHECK(write_piece(file, m, types, &(vtk_arrays){array, n_arrays}, options, err));
  status = vtk_file_commit(&file, options->sync, err);
cleanup:
  vtk_file_destroy(&file);
  free(types);
  return status;
}
