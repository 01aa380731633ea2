/* dev_doctor: exact in fp64 (not in fp32), so the answer must match to the bit. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

__kernel void self_test(__global const double *x, __global double *y, double s, int n) {
  int i = get_global_id(0);
  if (i < n) y[i] = s * x[i] + 0x1p-40 * i;
}
