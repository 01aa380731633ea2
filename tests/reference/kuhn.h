/* Meshes of triangles or tetrahedra for the reference solvers' tests: a box of nx * ny (* nz) cells, each cut by
 * Kuhn's rule along the diagonal from its lowest to its highest corner, in 2 triangles or 6 tetrahedra. Nodes are
 * numbered row by row, x fastest; inner ones may be moved at random. Along a periodic axis the last nodes are the
 * first ones. */
#ifndef EW_REFERENCE_KUHN_H
#define EW_REFERENCE_KUHN_H

#include "p1.h"

typedef struct kuhn_spec {
  int dim;
  int n[3];       /* cells along each axis; at least 3 where periodic */
  double size[3]; /* the box is [0, size] */
  double jitter;  /* inner nodes move by at most this part of the spacing, < 0.3 */
  bool periodic[3];
} kuhn_spec;

typedef struct kuhn {
  p1_mesh mesh;
  double *x;
  int32_t *element;
  bool *boundary; /* [n_nodes] on a side that is not periodic */
} kuhn;

/* Returns NULL when memory runs out. */
kuhn *kuhn_create(kuhn_spec spec);
void kuhn_destroy(kuhn **k);

#endif
