What the emitters paste into generated files, section by section; a section begins with `//@ name`. `$global` stands for
the address space of buffers (with a blank), `$kind` for sum, min or max.

//@ header_opencl
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#ifdef EDGEWISE_NO_FMA // define it to forbid fused multiply-adds: slower, and comparable bit by bit
#pragma OPENCL FP_CONTRACT OFF
#endif
#ifdef __NV_CL_C_VERSION // items in 32 bits: of 64, its assembler may take one index for another
#define get_global_id(d) ((int)get_group_id(d)*(int)get_local_size(d) + (int)get_local_id(d))
#endif

//@ header_c
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

//@ sized
#ifdef EDGEWISE_REGISTERS_LIMITED // by the build, for those kernels alone that do not state their size
#define SIZED(x, y, z)
#else
#define SIZED(x, y, z) __attribute__((reqd_work_group_size(x, y, z)))
#endif

//@ scalars
// Entries of `scalars_`.
enum { TIME_NOW, TIME_STEP, TIME_STOP, TIME_NEXT, TIME_STEP_FREE, TIME_STEP_MOST, FIRST_GLOBAL };

//@ flags
// Entries of `flags_`.
enum { FLAG_DONE, FLAG_STEPS, FLAG_MAX_STEPS, FLAG_FAULT, FIRST_REPEAT, FIRST_PASSES = 8, FIRST_CHECK = 12 };

//@ sum_of
static inline double sum_of(const double a, const double b) { return a + b; }

//@ min_of
// The smaller one; a NaN on either side stays a NaN. No dearer than fmin, which would swallow it.
static inline double min_of(const double a, const double b)
{
  const double smaller = b < a ? b : a; // a, if one of them is a NaN
  return b != b ? b : smaller;
}

//@ max_of
// The larger one; a NaN on either side stays a NaN.
static inline double max_of(const double a, const double b)
{
  const double larger = b > a ? b : a; // a, if one of them is a NaN
  return b != b ? b : larger;
}

//@ at_least
// max(x, bound) for a bound that is a number; if x is a NaN it stays one.
static inline double at_least(const double x, const double bound) { return x < bound ? bound : x; }

//@ at_most
// min(x, bound) for a bound that is a number; if x is a NaN it stays one.
static inline double at_most(const double x, const double bound) { return x > bound ? bound : x; }

//@ sign_of
// -1, 0 or 1.
static inline double sign_of(const double x) { return (double)((x > 0.0) - (x < 0.0)); }

//@ quotient
// a/b without a branch: NVIDIA's estimate of 1/b, refined by Newton's method, and the quotient by its
// remainder. The same to the bit, but for denormal numbers, |b| above 1e307, and the sign of a zero.
#ifdef __NV_CL_C_VERSION
static inline double quotient(const double a, const double b)
{
  double guess; // of 1/b, to some 20 bits
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(guess) : "d"(b));
  const double error = fma(-b, guess, 1.0);
  const double inverse = fma(guess, fma(error, error, error), guess);
  const double near = a*inverse;
  const double refined = fma(fma(-b, near, a), inverse, near);
  return refined == refined ? refined : a*guess; // where b is 0 or infinite
}
#else
static inline double quotient(const double a, const double b) { return a/b; }
#endif

//@ square_root
// The same of roots, but for denormal numbers.
#ifdef __NV_CL_C_VERSION
static inline double square_root(const double x)
{
  double guess; // of 1/sqrt(x)
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(guess) : "d"(x));
  const double root = x*guess, halved = 0.5*guess;
  const double error = fma(-root, halved, 0.5);
  const double near = fma(root, error, root), slope = fma(halved, error, halved);
  const double refined = fma(fma(-near, near, x), slope, near);
  return refined == refined ? refined : x >= 0.0 ? x : NAN; // 0 and infinity are their own roots
}
#else
static inline double square_root(const double x) { return sqrt(x); }
#endif

//@ clear_rows
// Rows that a work-group keeps, all of them: in the first passes, and at its edges, items look where nobody has written.
static inline void clear_rows(__local double *kept, const int n)
{
  for (int i = get_local_id(0); i < n; i += get_local_size(0)) kept[i] = 0.0;
}

//@ outermost
// Strips, and subdomains of a strip, in the order in which they are taken: outermost ones first. Near walls they take longer.
static inline int outermost(const int turn, const int n)
{
  return turn%2 ? n - 1 - turn/2 : turn/2;
}

//@ stream
// Fields as they pass by: asked for ahead of time, near the compute unit or no nearer than the device's cache; read once; written
// and not looked at again. Other compilers than NVIDIA's are told nothing.
#ifdef __NV_CL_C_VERSION
#define fetch_near(x) asm volatile("prefetch.global.L1 [%0];" : : "l"(&(x)))
#define fetch(x) asm volatile("prefetch.global.L2 [%0];" : : "l"(&(x)))
#define write_past(x, value) asm volatile("st.global.cs.f64 [%0], %1;" : : "l"(&(x)), "d"(value))
#define read_once(x) read_past(&(x))
static inline double read_past(__global const double *x)
{
  double value;
  asm("ld.global.cs.f64 %0, [%1];" : "=d"(value) : "l"(x));
  return value;
}
#else
#define fetch_near(x) (void)&(x)
#define fetch(x) (void)&(x)
#define write_past(x, value) (x) = (value)
#define read_once(x) (x)
#endif

//@ cube_root
// The real cube root to about 1 ulp. Straight code that compilers vectorise: PoCL's own cbrt costs five
// times as much as the rest of a kernel. A third of the exponent starts within 5 %; Halley's method twice,
// Newton's once.
static inline double cube_root(const double x)
{
  const double a = fabs(x);
  double r = number_of((long)((double)bits_of(a)*(1.0/3.0)) + 0x2A9F789300000000);
  double cube = r*r*r;
  r *= (cube + 2.0*a)/(2.0*cube + a);
  cube = r*r*r;
  r *= (cube + 2.0*a)/(2.0*cube + a);
  r -= (r - a/(r*r))*(1.0/3.0);
  return a > 0.0 && a < INFINITY ? (x < 0.0 ? -r : r) : x;
}

//@ bits_opencl
static inline long bits_of(const double x) { return as_long(x); }
static inline double number_of(const long bits) { return as_double(bits); }

//@ bits_c
static inline long bits_of(const double x)
{
  long bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}
static inline double number_of(const long bits)
{
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

//@ from_lane
// Of the item so many behind this one among 32 that NVIDIA's devices run in step; at their end its own.
#ifdef __NV_CL_C_VERSION
static inline double from_lane(const double value, const int behind)
{
  int low, high;
  asm("{ .reg .b32 l, h; mov.b64 {l, h}, %2;"
      "  shfl.sync.down.b32 %0, l, %3, 31, -1; shfl.sync.down.b32 %1, h, %3, 31, -1; }"
      : "=r"(low), "=r"(high) : "d"(value), "r"(behind));
  return as_double((int2)(low, high));
}
#endif

//@ group_tree
// Combines one value of each item of a work-group pairwise; item 0 returns the result. All items call it.
static inline double group_$kind(const double value, __local double *scratch, const int size)
{
  const int item = get_local_id(0) + get_local_size(0)*get_local_id(1);
  double own = value;
  int lanes = 1; // items whose values are one already
#ifdef __NV_CL_C_VERSION
  if (size%32 == 0)
    for (; lanes < 32; lanes *= 2) own = $kind_of(own, from_lane(own, lanes));
#endif
  if (item%lanes == 0) scratch[item/lanes] = own;
  for (int n = size/lanes; n > 1; n = (n + 1)/2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const int partner = item + (n + 1)/2;
    if (partner < n) scratch[item] = $kind_of(scratch[item], scratch[partner]);
  }
  const double result = item == 0 ? scratch[0] : value; // item 0 itself wrote it last
  barrier(CLK_LOCAL_MEM_FENCE);
  return result;
}

//@ group_serial
// Item 0 combines one value of each item of a work-group, in order, and returns it. All items call it.
static inline double group_$kind(const double value, __local double *scratch, const int size)
{
  const int item = get_local_id(0) + get_local_size(0)*get_local_id(1);
  scratch[item] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  double result = scratch[0];
  if (item == 0)
    for (int n = 1; n < size; ++n) result = $kind_of(result, scratch[n]);
  barrier(CLK_LOCAL_MEM_FENCE);
  return result;
}

//@ fail_check_opencl
// Notes that a check failed at an entity; of several the smallest is kept.
static inline void fail_check(volatile __global int *flags, const int check, const int entity)
{
  atomic_min(&flags[FIRST_CHECK + check], entity);
  flags[FLAG_FAULT] = 1;
}

//@ fail_check_c
// Notes that a check failed at an entity; of several the smallest is kept.
static inline void fail_check(int *flags, const int check, const int entity)
{
  if (entity < flags[FIRST_CHECK + check]) flags[FIRST_CHECK + check] = entity;
  flags[FLAG_FAULT] = 1;
}

//@ fail_check_openmp
// Notes that a check failed at an entity; of several the smallest is kept.
static inline void fail_check(int *flags, const int check, const int entity)
{
#pragma omp critical(edgewise_check)
  {
    if (entity < flags[FIRST_CHECK + check]) flags[FIRST_CHECK + check] = entity;
    flags[FLAG_FAULT] = 1;
  }
}

//@ time_begin
// Takes the free step, no more than the case allows, or less: the time to stop at is met, and no sliver
// remains before it. The last may be longer by what stop/dt sums may lose in rounding, 1e-6 to 1e-3 of dt.
static inline void time_begin($globaldouble *scalars, $globalint *flags, const int check)
{
  const double own = scalars[TIME_STEP_FREE], dt = fmin(own, scalars[TIME_STEP_MOST]);
  const double remaining = scalars[TIME_STOP] - scalars[TIME_NOW], sums = scalars[TIME_STOP]/dt;
  const double slack = fmin(fmax(2.220446049250313e-16*sums*sums, 1e-6), 1e-3); // of dt
  if (!(dt > 0.0 && own < INFINITY)) { // a NaN fails here too
    if (check >= 0) flags[FIRST_CHECK + check] = 0;
    flags[FLAG_FAULT] = 1;
    flags[FLAG_DONE] = 1;
  } else if (remaining <= dt*(1.0 + slack)) {
    scalars[TIME_STEP] = remaining;
    scalars[TIME_NEXT] = scalars[TIME_STOP];
  } else {
    scalars[TIME_STEP] = remaining < 2.0*dt ? remaining/2.0 : dt;
    scalars[TIME_NEXT] = scalars[TIME_NOW] + scalars[TIME_STEP];
  }
}

//@ time_end
// Advances the time; says whether to go on.
static inline void time_end($globaldouble *scalars, $globalint *flags)
{
  scalars[TIME_NOW] = scalars[TIME_NEXT];
  flags[FLAG_STEPS] += 1;
  const bool enough = flags[FLAG_MAX_STEPS] > 0 && flags[FLAG_STEPS] >= flags[FLAG_MAX_STEPS];
  if (scalars[TIME_NOW] >= scalars[TIME_STOP] || enough || flags[FLAG_FAULT] != 0) flags[FLAG_DONE] = 1;
}
