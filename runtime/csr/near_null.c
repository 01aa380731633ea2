/* What multigrid must not smooth away: a positive vector that the matrix takes nearly to zero.
 *
 * Diffusion and pressure have the constants, exactly. A matrix D A D with a diagonal D has D^-1 times those of A, which no entry
 * shows by itself: it is found by relaxing A v = 0 from the diagonal's inverse roots, level by level (Brezina, Falgout, MacLachlan,
 * Manteuffel, McCormick, Ruge, SIAM Review 47 (2005) 317-346). A level that has v goes on with V A V, which has the constants. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/memory.h"
#include "csr/hierarchy.h"

/* Constants serve while rows sum to no less than that share of their diagonals: on the mean, and each. */
bool mg_constants_serve(double mean, double most) { return mean <= 0.005 && most <= 0.25; }

/* (A v)_i over a_ii v_i: 0 where v is in the kernel, below 0 where it is too small for its neighbours; 0 where the diagonal is none. */
static double share_left(const mg_matrix *a, const double *v, int32_t i) {
  double sum = 0;
  if (!(a->diagonal[i] > 0) || !isfinite(a->diagonal[i])) return 0;
  for (int32_t k = a->start[i]; k < a->start[i + 1]; k++) sum += a->off[k] * (v ? v[a->col[k]] : 1);
  const double share = 1 + sum / (a->diagonal[i] * (v ? v[i] : 1));
  return isfinite(share) ? share : 0;
}

/* How far shares are below 0: on the mean over rows, each counted as 1 at most, and at most; v NULL: ones. */
typedef struct shortfall {
  double mean, most;
} shortfall;

/* The sum is one of whole numbers, so that threads do not matter. */
static shortfall shortfall_of(const mg_matrix *a, const double *v) {
  static const double UNIT = 0x1p-24;
  int64_t sum = 0;
  double most = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum) reduction(max : most)
  for (int32_t i = 0; i < a->n; i++) {
    const double below = -share_left(a, v, i);
    if (below > 0) sum += (int64_t)((below < 1 ? below : 1) / UNIT);
    if (below > most) most = below;
  }
  return (shortfall){(double)sum * UNIT / a->n, most};
}

static void inverse_roots(const mg_matrix *a, double *v) {
  for (int32_t i = 0; i < a->n; i++) {
    const double root = sqrt(fabs(a->diagonal[i]));
    v[i] = root > 0 && isfinite(root) ? 1 / root : 1;
  }
}

/* Damped Jacobi, which keeps v positive where couplings are negative; elsewhere the bounds do. */
static void relax(const mg_matrix *a, const double *v, double *next) {
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < a->n; i++) {
    const double factor = 1 - 2.0 / 3 * share_left(a, v, i);
    next[i] = v[i] * (factor < 0.1 ? 0.1 : factor > 10 ? 10 : factor);
  }
}

ew_status mg_near_null(const mg_matrix *a, double **out, ew_error *err) {
  ew_status status;
  double *v = NULL, *next = NULL;
  const shortfall ones = shortfall_of(a, NULL);
  *out = NULL;
  if (mg_constants_serve(ones.mean, ones.most)) return EW_OK;
  EW_CHECK(EW_NEW(v, a->n));
  EW_CHECK(EW_NEW(next, a->n));
  inverse_roots(a, v);
  if (shortfall_of(a, v).mean >= ones.mean)
    for (int32_t i = 0; i < a->n; i++) v[i] = 1;
  for (int sweep = 0; sweep < MG_RELAX_SWEEPS; sweep++) {
    relax(a, v, next);
    double *swap = v;
    v = next;
    next = swap;
  }
  *out = v;
  v = NULL;
cleanup:
  free(v);
  free(next);
  return status;
}
