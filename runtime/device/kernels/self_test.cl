/* dev_doctor: exact in fp64 (not in fp32), so the answer must match to the bit. The switch is of the kind that finds a wall's rule. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

__kernel void self_test(__global const double *x, __global double *y, double s, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  double more = 0;
  switch (i & 63) {
  case 1: more = 1; break;
  case 16: more = 2; break;
  default: break;
  }
  y[i] = s * x[i] + 0x1p-40 * i + more;
}
