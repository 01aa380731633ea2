/* self_test.cl for the host-C devices. */
void self_test(void *const *args, long n) {
  const double *x = args[0], s = *(const double *)args[2];
  double *y = args[1];
#pragma omp parallel for
  for (long i = 0; i < n; i++) {
    double more = 0;
    switch (i & 63) {
    case 1: more = 1; break;
    case 16: more = 2; break;
    default: break;
    }
    y[i] = s * x[i] + 0x1p-40 * (double)i + more;
  }
}
