// One text for two languages. OpenCL C: a kernel is run by groups of WORKGROUP_SIZE items. Host C: groups of one item each, dealt to
// threads by OpenMP. A kernel never returns early, since groups meet at barriers: it gives itself nothing to do instead.
#ifdef __OPENCL_C_VERSION__
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define KERNEL(name, arguments) \
  __kernel __attribute__((reqd_work_group_size(WORKGROUP_SIZE, 1, 1))) void name(const int n arguments)
#define END
#define BUFFER(type, name) , __global type *restrict name
#define INT(name) , const int name
#define REAL(name) , const double name
#define LOCAL __local
#define GLOBAL __global
#define GROUP ((int)get_group_id(0))
#define GROUPS ((int)get_num_groups(0))
#define ITEM ((int)get_local_id(0))
#define BARRIER barrier(CLK_LOCAL_MEM_FENCE)
#else
#include <math.h>
#define KERNEL(name, arguments)                                          \
  void name(void *const *args_, long groups_)                            \
  {                                                                      \
    int at_ = 0;                                                         \
    const int n = *(const int *)args_[at_++];                            \
    arguments                                                            \
    _Pragma("omp parallel for schedule(static)")                         \
    for (long group_ = 0; group_ < groups_; ++group_)
#define END }
#define BUFFER(type, name) type *restrict name = args_[at_++];
#define INT(name) const int name = *(const int *)args_[at_++];
#define REAL(name) const double name = *(const double *)args_[at_++];
#define LOCAL
#define GLOBAL
#define GROUP ((int)group_)
#define GROUPS ((int)groups_)
#define ITEM 0
#define BARRIER (void)0
#endif

#define WORKGROUP_SIZE (1 << WORKGROUP_SIZE_BITS)
#define ROWS_PER_WORKGROUP (1 << ROWS_PER_WORKGROUP_BITS)

// Indices 0 ... count-1 of a launch. A group of one item takes neighbours, which is what caches and vector units of a CPU want;
// wider groups take turns, item beside item.
#if WORKGROUP_SIZE_BITS == 0
#define FOR_MINE(i, count, skip)                                                    \
  for (int i = (int)((long)(count)*GROUP/GROUPS),                                   \
       last_##i = (skip) ? 0 : (int)((long)(count)*(GROUP + 1)/GROUPS); i < last_##i; ++i)
#define FOR_ITEMS(i, skip) FOR_MINE(i, n, skip)
#else
#define FOR_MINE(i, count, skip) for (int i = GROUP, last_##i = (skip) ? 0 : (count); i < last_##i; i += GROUPS)
#define FOR_ITEMS(i, skip)                                                          \
  for (int i = GROUP*WORKGROUP_SIZE + ITEM, last_##i = (skip) ? 0 : n; i < last_##i; i += GROUPS*WORKGROUP_SIZE)
#endif

// Three sums at a time: over the items of a group, then, in the next kernel and by each of its groups anew, over the groups. Both in a
// fixed order, so that a solve repeats bit by bit.
typedef struct { double a, b, c; } sums;

static inline sums group_sums(sums mine, int item, LOCAL double *scratch)
{
#if WORKGROUP_SIZE_BITS > 0
  BARRIER;
  scratch[item] = mine.a;
  scratch[WORKGROUP_SIZE + item] = mine.b;
  scratch[2*WORKGROUP_SIZE + item] = mine.c;
  BARRIER;
  int bits = WORKGROUP_SIZE_BITS; // of how many are left
  for (; bits > 3; bits -= 3) { // an eighth as many, by one item each: a barrier costs more than a few sums
    const int fewer = 1 << (bits - 3), at = (item >> (bits - 3))*WORKGROUP_SIZE + (item & (fewer - 1));
    if (item < 3*fewer) {
      double sum = scratch[at];
      for (int k = 1; k < 8; ++k) sum += scratch[at + k*fewer];
      scratch[at] = sum;
    }
    BARRIER;
  }
  sums all = {0.0, 0.0, 0.0};
  for (int k = 0; k < 1 << bits; ++k) {
    all.a += scratch[k];
    all.b += scratch[WORKGROUP_SIZE + k];
    all.c += scratch[2*WORKGROUP_SIZE + k];
  }
  return all;
#else
  (void)item, (void)scratch;
  return mine;
#endif
}

// partial: [3][groups]. As macros, for GROUP and ITEM are known in kernels alone.
#define PUT_SUMS(mine, partial, skip)                                               \
  {                                                                                 \
    const sums group_sums_ = group_sums(mine, ITEM, scratch);                       \
    if (ITEM == 0 && !(skip)) {                                                     \
      partial[GROUP] = group_sums_.a;                                               \
      partial[GROUPS + GROUP] = group_sums_.b;                                      \
      partial[2*GROUPS + GROUP] = group_sums_.c;                                    \
    }                                                                               \
  }

static inline sums all_sums(GLOBAL const double *partial, int groups, int item, LOCAL double *scratch)
{
  sums mine = {0.0, 0.0, 0.0};
  for (int g = item; g < groups; g += WORKGROUP_SIZE) {
    mine.a += partial[g];
    mine.b += partial[groups + g];
    mine.c += partial[2*groups + g];
  }
  return group_sums(mine, item, scratch);
}
#define GET_SUMS(partial, groups) all_sums(partial, groups, ITEM, scratch)

