#include "jacobi_cg.h"

#include <math.h>
#include <stdlib.h>

typedef struct work {
  int32_t n;
  double *r, *z, *d, *ad; /* residual, scaled residual, direction, A times direction */
} work;

static double product(const double *a, const double *b, int32_t n) {
  double sum = 0;
  for (int32_t i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

static void remove_mean(double *v, int32_t n) {
  double mean = 0;
  for (int32_t i = 0; i < n; i++) mean += v[i] / n;
  for (int32_t i = 0; i < n; i++) v[i] -= mean;
}

/* Into the space in which the solution is sought. */
static void restrict_to(const cg_options *o, double *v, int32_t n) {
  for (int32_t i = 0; o->held && i < n; i++)
    if (o->held[i]) v[i] = 0;
  if (o->constants) remove_mean(v, n);
}

void cg_matrix_apply(const cg_matrix *a, const double *x, double *y) {
  for (int32_t i = 0; i < a->n; i++) {
    double sum = a->diagonal[i] * x[i];
    for (int32_t k = a->start[i]; k < a->start[i + 1]; k++) sum += a->off[k] * x[a->node[k]];
    y[i] = sum;
  }
}

/* r = f - A x */
static void residual(const cg_matrix *a, const double *f, const double *x, const cg_options *o, double *r) {
  cg_matrix_apply(a, x, r);
  for (int32_t i = 0; i < a->n; i++) r[i] = f[i] - r[i];
  restrict_to(o, r, a->n);
}

/* The norm of the right-hand side that the free unknowns see; uses w->z and w->ad. */
static double right_hand_side(const cg_matrix *a, const double *f, const double *x, const cg_options *o,
                              work *w) {
  for (int32_t i = 0; i < a->n; i++) w->z[i] = o->held && o->held[i] ? x[i] : 0;
  residual(a, f, w->z, o, w->ad);
  return sqrt(product(w->ad, w->ad, a->n));
}

static void scale(const cg_matrix *a, const cg_options *o, work *w) {
  for (int32_t i = 0; i < a->n; i++) w->z[i] = w->r[i] / a->diagonal[i];
  restrict_to(o, w->z, a->n);
}

static cg_status iterate(const cg_matrix *a, const double *f, double *x, const cg_options *o, work *w,
                         int *iterations) {
  int32_t n = a->n;
  double goal = o->tolerance * right_hand_side(a, f, x, o, w);
  residual(a, f, x, o, w->r);
  double rz = 0;
  for (*iterations = 0; !(sqrt(product(w->r, w->r, n)) <= goal); ++*iterations) {
    if (*iterations == o->max_iterations) return CG_NOT_CONVERGED;
    scale(a, o, w);
    double before = rz;
    rz = product(w->r, w->z, n);
    double beta = *iterations > 0 ? rz / before : 0;
    for (int32_t i = 0; i < n; i++) w->d[i] = w->z[i] + (*iterations > 0 ? beta * w->d[i] : 0);
    cg_matrix_apply(a, w->d, w->ad);
    restrict_to(o, w->ad, n);
    double curvature = product(w->d, w->ad, n);
    if (!(curvature > 0)) return CG_INDEFINITE;
    double alpha = rz / curvature;
    for (int32_t i = 0; i < n; i++) {
      x[i] += alpha * w->d[i];
      w->r[i] -= alpha * w->ad[i];
    }
  }
  if (o->constants) remove_mean(x, n);
  return CG_OK;
}

cg_status jacobi_cg(const cg_matrix *a, const double *f, double *x, const cg_options *o, int *iterations) {
  int count = 0;
  double *memory = calloc(4 * (size_t)a->n, sizeof *memory);
  if (!memory) return CG_NO_MEMORY;
  work w = {a->n, memory, memory + a->n, memory + 2 * a->n, memory + 3 * a->n};
  cg_status status = iterate(a, f, x, o, &w, &count);
  free(memory);
  if (iterations) *iterations = count;
  return status;
}
