/* What the generators of rectangles and boxes share. Internal to runtime/mesh. */
#ifndef EW_MESH_AXIS_H
#define EW_MESH_AXIS_H

#include "mesh/build.h"

/* One axis of a generated mesh. */
typedef struct mesh_axis {
  const char *name;
  int32_t n; /* blocks */
  double from, to;
  const double *given; /* [n + 1] or NULL */
  bool periodic;
  double *x; /* [n + 1], owned */
} mesh_axis;

/* Checks the options and fills axis->x. */
ew_status mesh_axis_create(mesh_axis *axis, ew_error *err);

/* Whether a machine of so many bytes (0: of any) can hold a mesh of such cells while it is made. Errors: it cannot (EW_FAIL). */
ew_status mesh_check_memory(int cell_type, int64_t n_cells, uint64_t machine, ew_error *err);

/* Allocates nodes and cells of one type; names the patches. n_patches = 2 * dim. Errors: too many cells, or more than this machine can hold.
 */
ew_status mesh_grid_allocate(mesh *m, int cell_type, int64_t n_nodes, int64_t n_cells,
                             const char *const *patch_names, ew_error *err);

/* A node that jitter may move, and how far at most along each axis. */
typedef struct mesh_movable {
  node_id node;
  double reach[3];
} mesh_movable;

/* Moves nodes at random, each as far as the cells around it stay convex and keep a tenth of their size. Cells
 * must have positive volume before; they have after. */
ew_status mesh_jitter(mesh *m, const mesh_movable *movable, size_t n, uint64_t seed, ew_error *err);

ew_status mesh_check_jitter(double jitter, ew_error *err);

/* How far a node at index i (1 to n - 1) may move along an axis: jitter * the smaller neighbouring spacing.
 */
double mesh_axis_reach(const mesh_axis *axis, int32_t i, double jitter);

#endif
