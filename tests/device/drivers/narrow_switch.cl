// Oclgrind 21.10: out[k] is 15 everywhere. LLVM makes `trunc i32 to i6` and a switch over i6 of this switch, where the target names no
// widths of its own; Oclgrind keeps the i6 in a byte without cutting off the bits above. With -cl-opt-disable, or a function's
// value to switch over, it is right.
__kernel void show(__global const int *in, __global int *out) {
  const int k = get_global_id(0);
  switch (in[k] & 63) {
  case 1: out[k] = 10; break;
  case 16: out[k] = 11; break;
  default: out[k] = 15;
  }
}
