/* Meshes of rectangles and boxes. The caller owns the mesh and frees it with mesh_destroy.
 *
 * Options left zero have sensible meanings, except the extent and the numbers of blocks: start from
 * `{.x1 = 1, .y1 = 1, .nx = 8, .ny = 8}`. Given `xs`, its nx + 1 increasing coordinates replace x0 and x1
 * (same for ys, zs). Errors: EW_INPUT for options out of range, with the option's name. */
#ifndef EW_MESH_GENERATE_H
#define EW_MESH_GENERATE_H

#include "mesh/mesh.h"

typedef enum mesh_cell_kind {
  MESH_SIMPLICES, /* triangles: 2 a block; tetrahedra: 6 a block (Kuhn) */
  MESH_BLOCKS     /* quadrangles, hexahedra */
} mesh_cell_kind;

/* Which diagonal cuts the block with corners a, b, c, d (counter-clockwise, a at the lower left). */
typedef enum mesh_diagonal {
  MESH_DIAGONAL_RIGHT,      /* (a, b, c), (a, c, d) in every block */
  MESH_DIAGONAL_ALTERNATING /* and (a, b, d), (b, c, d) in every second one: the union jack */
} mesh_diagonal;

typedef struct mesh_rectangle_options {
  double x0, x1, y0, y1; /* m */
  int32_t nx, ny;        /* blocks along each axis */
  mesh_cell_kind kind;
  mesh_diagonal diagonal;
  double jitter; /* 0 to 0.45: interior nodes move by at most this part of the spacing, cells stay convex */
  uint64_t seed; /* of the jitter; the same seed gives the same mesh everywhere */
  bool periodic_x, periodic_y;
  const double *xs, *ys; /* [nx + 1], [ny + 1] or NULL */
} mesh_rectangle_options;

/* Patches, in this order: left, right (x), bottom, top (y). Block (i, j) holds the cells from (j * nx + i) *
 * cells a block. */
ew_status mesh_rectangle(const mesh_rectangle_options *options, mesh **out, ew_error *err);

typedef struct mesh_box_options {
  double x0, x1, y0, y1, z0, z1;
  int32_t nx, ny, nz;
  mesh_cell_kind kind;
  double jitter;
  uint64_t seed;
  bool periodic_x, periodic_y, periodic_z;
  const double *xs, *ys, *zs;
} mesh_box_options;

/* Patches, in this order: left, right (x), bottom, top (y), back, front (z). */
ew_status mesh_box(const mesh_box_options *options, mesh **out, ew_error *err);

#endif
