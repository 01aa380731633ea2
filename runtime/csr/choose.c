/* Which method and preconditioner a matrix asks for, where the user names none. */
#include <math.h>

#include "csr/linear.h"

static double entry(const csr_rows *a, int32_t row, int32_t col) {
  int32_t low = a->start[row], high = a->start[row + 1];
  while (low < high) {
    const int32_t middle = low + (high - low) / 2;
    if (a->col[middle] < col) low = middle + 1;
    else high = middle;
  }
  return low < a->start[row + 1] && a->col[low] == col ? a->value[low] : 0;
}

bool linear_is_symmetric(const csr_rows *a, int32_t at[2], double value[2]) {
  for (int32_t i = 0; i < a->rows; i++)
    for (int32_t k = a->start[i]; k < a->start[i + 1]; k++) {
      const double here = a->value[k], there = entry(a, a->col[k], i);
      if (!(fabs(here - there) > 1e-10 * (fabs(here) + fabs(there)))) continue;
      at[0] = i, at[1] = a->col[k];
      value[0] = here, value[1] = there;
      return false;
    }
  return true;
}

/* What the diagonal says. */
typedef struct signs {
  bool zero, negative;
} signs;

static signs signs_of(const csr_rows *a) {
  signs s = {0};
  for (int32_t i = 0; i < a->rows; i++) {
    const double d = entry(a, i, i);
    s.zero |= d == 0;
    s.negative |= d < 0;
  }
  return s;
}

void linear_choose(const csr_rows *a, linear_options *o) {
  int32_t at[2];
  double value[2];
  if (a->rows != a->columns || (!o->method_open && !o->preconditioner_open)) return;
  const signs s = signs_of(a);
  const bool symmetric = linear_is_symmetric(a, at, value), positive = symmetric && !s.zero && !s.negative;
  if (o->method_open)
    o->method = positive ? CSR_CG : symmetric ? CSR_MINRES : s.zero ? CSR_GMRES : CSR_BICGSTAB;
  const csr_preconditioner strong = o->mixed ? CSR_JACOBI : CSR_MULTIGRID;
  if (o->preconditioner_open) o->preconditioner = positive ? strong : s.zero ? CSR_NONE : CSR_JACOBI;
}

bool linear_choose_another(csr_end end, linear_options *o) {
  const bool wrong_kind = end == CSR_END_INDEFINITE || end == CSR_END_PRECONDITIONER;
  const bool stuck = end == CSR_END_BREAKDOWN || end == CSR_END_STAGNATED;
  if (!o->method_open) return false;
  if (o->method == CSR_CG && wrong_kind) o->method = CSR_MINRES;
  else if (o->method == CSR_BICGSTAB && stuck) o->method = CSR_GMRES;
  else return false;
  if (o->preconditioner_open) o->preconditioner = CSR_JACOBI;
  o->mixed = false; /* which is cg's alone */
  return true;
}
