/* What a mesh consists of and how good it is, in the words and with the thresholds of OpenFOAM's checkMesh.
 */
#ifndef EW_MESH_INFO_H
#define EW_MESH_INFO_H

#include <stdio.h>

#include "mesh/mesh.h"
#include "mesh/shape.h"

#define MESH_WARN_NON_ORTHOGONALITY 70.0 /* degrees */
#define MESH_WARN_SKEWNESS          4.0
#define MESH_WARN_ASPECT_RATIO      1000.0

typedef struct mesh_patch_info {
  const char *name; /* the mesh's */
  face_id n_faces;
  double area;
  bool periodic;
} mesh_patch_info;

typedef struct mesh_region_info {
  const char *name; /* the mesh's */
  cell_id n_cells;
  double volume;
} mesh_region_info;

/* What a mesh that was meant as one piece does not have. */
typedef struct mesh_oddities {
  cell_id n_connected; /* parts without a face between them (checkMesh's "regions") */
  node_id n_unused;    /* nodes of the file that no cell uses */
  cell_id n_turned;    /* cells whose nodes went the wrong way round */
  node_id n_twins;     /* boundary nodes at the place of another one: parts meshed apart */
  double twin[3];      /* where one of them is */
  cell_id n_behind;    /* cells whose centre lies behind one of their own faces: they are far from convex */
  cell_id behind;      /* one of them */
} mesh_oddities;

typedef struct mesh_quality {
  double min_volume, max_volume, total_volume;
  double min_area, max_area;
  double max_aspect_ratio;
  double max_non_orthogonality, mean_non_orthogonality; /* degrees, interior faces; 0 without any */
  face_id n_severe_non_orthogonal;
  double max_skewness;
  face_id n_skewed;
  cell_id worst_aspect_cell; /* where the worst values are; -1 if nowhere */
  face_id worst_non_orthogonal_face, worst_skewed_face;
} mesh_quality;

typedef struct mesh_info {
  int dim;
  node_id n_nodes;
  cell_id n_cells, n_cells_of_type[MESH_N_CELL_TYPES];
  face_id n_faces, n_interior;
  double box_min[3], box_max[3];
  cell_id bandwidth;
  mesh_oddities odd;
  mesh_quality quality;

  int n_patches, n_regions, n_left_out;
  mesh_patch_info *patch;
  mesh_region_info *region;
  const mesh_left_out *left_out; /* the mesh's */
  int n_data;
  const mesh_data *data; /* the mesh's */
} mesh_info;

/* The mesh must outlive the info, which the caller frees with mesh_info_destroy. Errors: memory. */
ew_status mesh_info_create(const mesh *m, mesh_info **out, ew_error *err);
void mesh_info_destroy(mesh_info **info);

/* The members about non-orthogonality alone. */
void mesh_measure_angles(const mesh *m, mesh_quality *q);

/* Writes the report to `stream`. */
void mesh_info_print(const mesh_info *info, FILE *stream);

#endif
