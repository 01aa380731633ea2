/* Gmsh meshes: formats 2.0 to 2.2, 4.0 and 4.1, ASCII and binary, plain or compressed with gzip.
 *
 * The highest dimension of an element is the mesh's: triangles and quadrangles make a 2D mesh (z must be
 * constant and is dropped), tetrahedra, hexahedra, prisms and pyramids a 3D one. Physical groups one
 * dimension lower become patches ("boundary_TAG" without a name, ascending tags), faces of the boundary in no
 * group the patch "unnamed"; groups of the mesh's own dimension become regions. Groups inside the domain are
 * left out. Nodes that no cell uses are dropped and cells with a negative volume turned round. Values
 * of $NodeData and $ElementData come along by name. Partitions, periodic sections and other data are skipped.
 *
 * Errors: EW_IO when the file cannot be read, EW_INPUT with the line (ASCII) or byte (binary) for anything
 * malformed. The caller owns the mesh and frees it with mesh_destroy. */
#ifndef EW_MESH_GMSH_H
#define EW_MESH_GMSH_H

#include "mesh/mesh.h"

ew_status mesh_read_gmsh(const char *path, mesh **out, ew_error *err);

/* The same from memory (not compressed); `name` stands for the file in messages. */
ew_status mesh_read_gmsh_memory(const void *bytes, size_t size, const char *name, mesh **out, ew_error *err);

#endif
