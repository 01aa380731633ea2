#include "mesh/gmsh/gmsh_file.h"

/* Indexed by Gmsh's number of the type; holes are types of higher order. */
static const gmsh_type types[] = {
    [1] = {1, 2, -1, "line"},
    [2] = {2, 3, MESH_TRIANGLE, "triangle"},
    [3] = {2, 4, MESH_QUAD, "quadrangle"},
    [4] = {3, 4, MESH_TETRA, "tetrahedron"},
    [5] = {3, 8, MESH_HEX, "hexahedron"},
    [6] = {3, 6, MESH_PRISM, "prism"},
    [7] = {3, 5, MESH_PYRAMID, "pyramid"},
    [15] = {0, 1, -1, "point"},
};

static const char *const higher_order[] = {
    [8] = "3-node line",          [9] = "6-node triangle",      [10] = "9-node quadrangle",
    [11] = "10-node tetrahedron", [12] = "27-node hexahedron",  [13] = "18-node prism",
    [14] = "14-node pyramid",     [16] = "8-node quadrangle",   [17] = "20-node hexahedron",
    [18] = "15-node prism",       [19] = "13-node pyramid",     [20] = "9-node triangle",
    [21] = "10-node triangle",    [22] = "12-node triangle",    [23] = "15-node triangle",
    [24] = "15-node triangle",    [25] = "21-node triangle",    [26] = "4-node line",
    [27] = "5-node line",         [28] = "6-node line",         [29] = "20-node tetrahedron",
    [30] = "35-node tetrahedron", [31] = "56-node tetrahedron",
};

const gmsh_type *gmsh_type_of(int64_t number) {
  if (number < 1 || number >= (int64_t)(sizeof types / sizeof *types) || !types[number].name) return NULL;
  return &types[number];
}

const char *gmsh_higher_order_name(int64_t number) {
  if (number < 1 || number >= (int64_t)(sizeof higher_order / sizeof *higher_order)) return NULL;
  return higher_order[number];
}
