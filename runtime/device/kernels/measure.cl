/* The machine's own limits in fp64, for dev_measure_rates. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

/* Whole groups skip the test of each item: where a compiler turns that test into masked stores (PoCL 3.1 with
 * AVX-512) it halves the rate. */
#define FOR_ITEM(i, n, statement)                                                                                      \
  size_t i = get_global_id(0);                                                                                         \
  if ((get_group_id(0) + 1) * get_local_size(0) <= (size_t)n)                                                          \
    statement;                                                                                                         \
  else if (i < (size_t)n)                                                                                              \
    statement;

__kernel void triad(__global double *restrict a, __global const double *restrict b,
                    __global const double *restrict c, double s, long n) {
  FOR_ITEM(i, n, a[i] = b[i] + s * c[i])
}

__kernel void copy(__global double *restrict a, __global const double *restrict b, long n) {
  FOR_ITEM(i, n, a[i] = b[i])
}

/* Eight chains hide the latency of one; vectors, because a CPU driver may not fill its vector units from a kernel
 * that has a loop. The factor keeps all values finite. */
__kernel void fma_chains(__global double *restrict a, double s, int steps, long n) {
  size_t i = get_global_id(0);
  if (i >= (size_t)n) return;
  const double8 f = (double8)(s), one = (double8)(1.0);
  double8 x0 = (double8)((double)i), x1 = x0 + 1, x2 = x0 + 2, x3 = x0 + 3;
  double8 x4 = x0 + 4, x5 = x0 + 5, x6 = x0 + 6, x7 = x0 + 7;
  for (int k = 0; k < steps; k++) {
    x0 = fma(x0, f, one);
    x1 = fma(x1, f, one);
    x2 = fma(x2, f, one);
    x3 = fma(x3, f, one);
    x4 = fma(x4, f, one);
    x5 = fma(x5, f, one);
    x6 = fma(x6, f, one);
    x7 = fma(x7, f, one);
  }
  double8 sum = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7;
  double4 four = sum.lo + sum.hi;
  a[i] = four.x + four.y + four.z + four.w;
}

__kernel void empty(__global double *a) {
  (void)a;
}
