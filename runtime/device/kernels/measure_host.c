/* The loops of measure.cl for the host-C devices; without -fopenmp the pragmas are ignored. */

void triad(void *const *args, long n) {
  double *restrict a = args[0];
  const double *restrict b = args[1], *restrict c = args[2];
  const double s = *(const double *)args[3];
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; i++) a[i] = b[i] + s * c[i];
}

void copy(void *const *args, long n) {
  double *restrict a = args[0];
  const double *restrict b = args[1];
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; i++) a[i] = b[i];
}

/* As in measure.cl: eight chains of eight an item. */
static double chains(double first, double s, int steps) {
  double x[64], sum = 0.0;
  for (int j = 0; j < 64; j++) x[j] = first + j / 8;
  for (int k = 0; k < steps; k++)
    for (int j = 0; j < 64; j++) x[j] = x[j] * s + 1.0;
  for (int j = 0; j < 64; j++) sum += x[j];
  return sum;
}

void fma_chains(void *const *args, long n) {
  double *a = args[0];
  const double s = *(const double *)args[1];
  const int steps = *(const int *)args[2];
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; i++) a[i] = chains((double)i, s, steps);
}

void empty(void *const *args, long n) {
  (void)args;
  (void)n;
}
