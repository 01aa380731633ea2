/* The invariants of a finished mesh, for tests and for `edgewise mesh check`. */
#ifndef EW_MESH_CHECK_H
#define EW_MESH_CHECK_H

#include "mesh/mesh.h"

/* EW_OK if numbering, connectivity and geometry agree with mesh.h: ghosts follow cells, patches tile the
 * boundary, left/right/across name each other, volumes and areas are positive, normals have length 1 and
 * point from left to right, and the area vectors of every cell sum to zero (to 1e-10 of its surface).
 * Otherwise EW_INTERNAL and the first violation. */
ew_status mesh_check(const mesh *m, ew_error *err);

#endif
