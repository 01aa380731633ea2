/* Matrices made to measure with: P1 finite elements on a box of Kuhn tetrahedra whose nodes are moved a little, as on real meshes (on
 * the regular box half of the entries would be zeros). */
#ifndef EW_CSR_MODEL_H
#define EW_CSR_MODEL_H

#include "csr/csr.h"

typedef struct csr_model {
  csr_pattern pattern; /* owned */
  double *off, *diagonal;
} csr_model;

/* The Laplacian on side^3 nodes of the unit cube, side >= 2. fixed: the values on the cube's faces are given, which leaves zeros off the
 * diagonal of their rows and columns; otherwise rows sum to zero. */
ew_status csr_model_laplacian(int side, bool fixed, csr_model *model, ew_error *err);
void csr_model_clear(csr_model *model);

#endif
