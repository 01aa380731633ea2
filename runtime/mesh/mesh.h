/* Unstructured meshes: nodes, cells, faces, boundary patches and their geometry.
 *
 * Numbering. Faces: interior faces first, then the boundary faces, patch after patch. Every boundary face
 * owns one ghost cell: face f >= n_interior has the ghost cell n_cells + (f - n_interior) on its right, so
 * that every face has two sides and arrays over cells have n_cells + n_ghosts entries. Owned cells come
 * first; a later split into owned and halo cells only appends ghosts. A normal points from left to right and
 * has length 1.
 *
 * A ghost's geometry is the mirror image of the cell inside (volume, centre), except behind a periodic face,
 * where it is the partner cell's, translated: there `ghost_source` names the cell whose values the ghost
 * copies.
 *
 * The nodes of a face are listed so that its left cell lies on their left in 2D, and, in 3D, so that they
 * turn counter-clockwise when seen from the right cell. Nodes of a cell follow VTK's (and Gmsh's) order.
 *
 * In 2D a face is an edge (area = length, volume = area), coordinates are (x, y); in 3D (x, y, z). Vectors
 * are stored point by point: component d of entity i at [dim * i + d]. A mesh is owned by whoever created it;
 * mesh_destroy accepts NULL and nulls the pointer. */
#ifndef EW_MESH_MESH_H
#define EW_MESH_MESH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef int32_t node_id;
typedef int32_t cell_id;
typedef int32_t face_id;

typedef enum mesh_cell_type {
  MESH_TRIANGLE,
  MESH_QUAD,
  MESH_TETRA,
  MESH_HEX,
  MESH_PRISM,
  MESH_PYRAMID
} mesh_cell_type;

/* A named part of the boundary: faces [first, first + count). */
typedef struct mesh_patch {
  char *name;
  face_id first, count;
  bool periodic;
} mesh_patch;

/* A named part of the interior: the cells with cell_region == tag. */
typedef struct mesh_region {
  char *name;
  int32_t tag;
} mesh_region;

/* A group of a mesh file that is neither a patch nor a region, and why: "a group without elements". */
typedef struct mesh_left_out {
  char *name;
  const char *why; /* static */
} mesh_left_out;

/* Values that a mesh file gives at nodes or for cells, by name. */
typedef struct mesh_data {
  char *name;
  bool at_nodes;  /* else for cells */
  int step;       /* files may hold a name at several */
  int components; /* 1, 3 or 9, in plane meshes too */
  double *value;  /* [n_nodes or n_cells * components] NaN where the file gives none */
  int64_t *tag;   /* [n_nodes or n_cells] numbers in the file, for messages */
  int32_t n_missing;
  int32_t n_elsewhere; /* values for elements that are no cells, and nodes that no cell uses */
} mesh_data;

/* What a file says besides, and what was made of it. */
typedef struct mesh_from_file {
  int n_left_out;
  mesh_left_out *left_out; /* named groups, in the order of the file */
  node_id n_unused;        /* nodes of the file that no cell uses: dropped */
  cell_id n_turned;        /* cells whose nodes went the wrong way round: turned */
  int n_data;
  mesh_data *data; /* in the order of the file */
} mesh_from_file;

/* The sides of cells. */
typedef struct mesh_sides {
  int32_t *start;  /* [n_cells + 1] into face, across */
  face_id *face;   /* the faces of a cell, in the order of its sides */
  cell_id *across; /* the cell (or ghost) across each of them */
} mesh_sides;

typedef struct mesh {
  int dim; /* 2 or 3 */

  node_id n_nodes;
  double *node_x; /* [n_nodes * dim] m */

  cell_id n_cells, n_ghosts;
  uint8_t *cell_type;   /* [n_cells] mesh_cell_type */
  int32_t *cell_start;  /* [n_cells + 1] into cell_node */
  node_id *cell_node;   /* counter-clockwise in 2D */
  int32_t *cell_region; /* [n_cells] physical group of the cell, 0 if none */
  cell_id *cell_origin; /* [n_cells] number of the cell as read or generated, before any renumbering */

  face_id n_faces, n_interior;
  int32_t *face_start; /* [n_faces + 1] into face_node */
  node_id *face_node;
  cell_id *face_left, *face_right; /* [n_faces] */

  mesh_sides sides;

  int n_patches;
  mesh_patch *patch;
  int n_regions;
  mesh_region *region; /* by ascending tag */
  mesh_from_file file;
  cell_id *ghost_source; /* [n_ghosts] -1, or behind a periodic face the cell to copy */

  double *cell_volume; /* [n_cells + n_ghosts] m^dim */
  double *cell_centre; /* [(n_cells + n_ghosts) * dim] centroid */
  double *face_area;   /* [n_faces] m^(dim-1) */
  double *face_normal; /* [n_faces * dim] */
  double *face_centre; /* [n_faces * dim] */
} mesh;

void mesh_destroy(mesh **m);

/* The index of the patch with this name, or -1. */
int mesh_find_patch(const mesh *m, const char *name);

/* Why a name of the mesh is no patch, "a group of cells" or the like; NULL for names that the mesh does not know. */
const char *mesh_why_no_patch(const mesh *m, const char *name);

/* Makes two patches each other's periodic continuation: every face of one must be a face of the other, moved
 * by the vector between their middles (to 1e-6 of the face's size). Errors: unknown or already periodic
 * patches, a face without partner (EW_INPUT, with its place). */
ew_status mesh_make_periodic(mesh *m, const char *patch, const char *partner, ew_error *err);

/* A face of a periodic side is there twice, at either side: the one of the two with the lower coordinates. Other faces are themselves. */
face_id mesh_seam_face(const mesh *m, face_id f);

#endif
