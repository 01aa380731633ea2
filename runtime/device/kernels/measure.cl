/* The machine's own limits in fp64, for dev_measure_rates. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

__kernel void triad(__global double *restrict a, __global const double *restrict b,
                    __global const double *restrict c, double s, long n) {
  size_t i = get_global_id(0);
  if (i < (size_t)n) a[i] = b[i] + s * c[i];
}

__kernel void copy(__global double *restrict a, __global const double *restrict b, long n) {
  size_t i = get_global_id(0);
  if (i < (size_t)n) a[i] = b[i];
}

/* Eight chains a work-item hide the latency of one; the factor keeps all values finite. */
__kernel void fma_chains(__global double *restrict a, double s, int steps, long n) {
  size_t i = get_global_id(0);
  if (i >= (size_t)n) return;
  double x0 = (double)i, x1 = x0 + 1, x2 = x0 + 2, x3 = x0 + 3, x4 = x0 + 4, x5 = x0 + 5, x6 = x0 + 6, x7 = x0 + 7;
  for (int k = 0; k < steps; k++) {
    x0 = fma(x0, s, 1.0);
    x1 = fma(x1, s, 1.0);
    x2 = fma(x2, s, 1.0);
    x3 = fma(x3, s, 1.0);
    x4 = fma(x4, s, 1.0);
    x5 = fma(x5, s, 1.0);
    x6 = fma(x6, s, 1.0);
    x7 = fma(x7, s, 1.0);
  }
  a[i] = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7;
}

__kernel void empty(__global double *a) {
  (void)a;
}
