/* self_test.cl for the host-C devices. */
void self_test(void *const *args, long n) {
  const double *x = args[0], s = *(const double *)args[2];
  double *y = args[1];
#pragma omp parallel for
  for (long i = 0; i < n; i++) y[i] = s * x[i] + 0x1p-40 * (double)i;
}
