// What the executor itself does between kernels of a scheme. Like those, all return at once when the step is over; those with an
// argument `skip` also when that flag is set, which says that the repeat around them is over.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

enum { FLAG_DONE };

__kernel void exec_copy(__global const int *flags, __global const long *source, __global long *target, const int n,
                        const int skip)
{
  const int i = get_global_id(0);
  if (i >= n || flags[FLAG_DONE] || flags[skip]) return;
  target[i] = source[i];
}

// Ghosts behind periodic faces take the values of the cells they stand for. Component d of entity i lies at
// [d*component + i*entity].
#define GHOSTS(NAME, REAL)                                                                                    \
  __kernel void NAME(__global const int *flags, __global const int *source, __global REAL *values,            \
                     const int n, const int n_cells, const int width, const int component, const int entity,  \
                     const int skip)                                                                          \
  {                                                                                                           \
    const int g = get_global_id(0);                                                                           \
    if (g >= n || flags[FLAG_DONE] || flags[skip] || source[g] < 0) return;                                   \
    for (int d = 0; d < width; ++d)                                                                           \
      values[d*component + (n_cells + g)*entity] = values[d*component + source[g]*entity];                    \
  }
GHOSTS(exec_ghosts_f64, double)
GHOSTS(exec_ghosts_f32, float)

// The same on a grid: pairs of entries, target and source.
#define COPIES(NAME, REAL)                                                                                    \
  __kernel void NAME(__global const int *flags, __global const int *pair, __global REAL *values, const int n, \
                     const int width, const int component, const int entity, const int skip)                  \
  {                                                                                                           \
    const int i = get_global_id(0);                                                                           \
    if (i >= n || flags[FLAG_DONE] || flags[skip]) return;                                                    \
    for (int d = 0; d < width; ++d)                                                                           \
      values[d*component + pair[2*i]*entity] = values[d*component + pair[2*i + 1]*entity];                    \
  }
COPIES(exec_copies_f64, double)
COPIES(exec_copies_f32, float)

// A repeat begins: its flag says that no more passes are wanted, another entry counts those that were made. Within a repeat that
// is over it has none to do.
__kernel void exec_repeat_begin(__global int *flags, const int flag, const int passes, const int skip)
{
  if (get_global_id(0) > 0 || flags[FLAG_DONE]) return;
  flags[flag] = flags[skip];
  flags[passes] = 0;
}

__kernel void exec_set_gate(__global const int *flags, __global int *gate, const int skip)
{
  if (get_global_id(0) > 0) return;
  gate[0] = flags[FLAG_DONE] || flags[skip];
}

// Entries of up to six buffers, one behind the other: what probes and histories ask for. `from` says of which buffer; entries below 0 are
// of the scalars.
#define GATHER(NAME, REAL)                                                                                    \
  __kernel void NAME(__global const REAL *values_0, __global const REAL *values_1,                            \
                     __global const REAL *values_2, __global const REAL *values_3,                            \
                     __global const REAL *values_4, __global const REAL *values_5,                            \
                     __global const double *scalars, __global const int *from, __global const int *element,   \
                     __global double *target, const int n, const int first, const int row)                    \
  {                                                                                                           \
    const int i = get_global_id(0);                                                                           \
    if (i >= n) return;                                                                                       \
    const int e = element[first + i], b = from[first + i];                                                    \
    double value;                                                                                             \
    if (e < 0) value = scalars[-1 - e];                                                                       \
    else if (b == 0) value = values_0[e];                                                                     \
    else if (b == 1) value = values_1[e];                                                                     \
    else if (b == 2) value = values_2[e];                                                                     \
    else if (b == 3) value = values_3[e];                                                                     \
    else if (b == 4) value = values_4[e];                                                                     \
    else value = values_5[e];                                                                                 \
    target[row + first + i] = value;                                                                          \
  }
GATHER(exec_gather_f64, double)
GATHER(exec_gather_f32, float)
