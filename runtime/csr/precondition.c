#include "csr/precondition.h"

#include <stddef.h>

/* In the order of csr_preconditioner; no class: fused into the solvers' kernels. */
static const struct {
  const char *name;
  const csr_precondition_class *class;
} table[] = {{"none", NULL}, {"jacobi", NULL}, {"chebyshev", &csr_chebyshev}, {"multigrid", &csr_multigrid}};

static const int count = sizeof table / sizeof *table;

const csr_precondition_class *csr_precondition_find(csr_preconditioner which) {
  return (int)which < count ? table[which].class : NULL;
}

const char *csr_preconditioner_name(csr_preconditioner which) {
  return (int)which < count ? table[which].name : NULL;
}
