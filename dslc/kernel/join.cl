// All work-groups of a launch wait here for each other, which takes that all of them are under way at once. gate[0]: groups that have come;
// gate[1]: rounds so far; gate[2]: not 0 once a group gave up waiting, which ends the run.
#ifdef __NV_CL_C_VERSION
#define DEVICE_FENCE() asm volatile("fence.acq_rel.gpu;" : : : "memory")
#else
#define DEVICE_FENCE() mem_fence(CLK_GLOBAL_MEM_FENCE)
#endif

// The group that comes last opens the gate; the others wait for it. Of each group one item.
static inline void pass_gate(volatile __global int *gate, volatile __global int *flags, const bool last, const int round)
{
  if (last) {
    gate[0] = 0;
    DEVICE_FENCE();
    atomic_add(&gate[1], 1);
  } else {
    int looks = 0;
    while (gate[1] == round && gate[2] == 0 && looks < 4194304) ++looks;
    if (looks == 4194304) gate[2] = flags[3] = flags[0] = 1; // a fault, and done
  }
  DEVICE_FENCE();
}

static inline void all_groups(volatile __global int *gate, volatile __global int *flags, const int groups)
{
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (groups > 1 && get_local_id(0) == 0) {
    const int round = gate[1];
    DEVICE_FENCE();
    pass_gate(gate, flags, atomic_add(&gate[0], 1) == groups - 1, round);
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

// The same in two halves. Between them the group that came last does what one group has to do. seat[0]: 1 for that group, else 0; seat[1]: the
// round.
static inline void comes_last(volatile __global int *gate, const int groups, __local int *seat)
{
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    seat[1] = gate[1];
    DEVICE_FENCE();
    seat[0] = atomic_add(&gate[0], 1) == groups - 1 ? 1 : 0;
    DEVICE_FENCE();
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

static inline void others_follow(volatile __global int *gate, volatile __global int *flags, __local int *seat)
{
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    DEVICE_FENCE();
    pass_gate(gate, flags, seat[0] != 0, seat[1]);
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

// Whether groups wait for each other, and see what the others wrote though they have read there before. What lies behind the values is
// used as flags. Its groups are as large as those of the first join.
__kernel __attribute__((reqd_work_group_size(JOIN_GROUP, 1, 1)))
void join_test(const int groups, volatile __global int *gate, __global int *value, const int behind)
{
  volatile __global int *const wrong = value + behind;
  const int group = get_group_id(0), next = group + 1 < groups ? group + 1 : 0;
  const int before = value[next];
  all_groups(gate, wrong, groups);
  if (get_local_id(0) == 0) value[group] = group + 1;
  all_groups(gate, wrong, groups);
  if (value[next] != before + next + 1) wrong[0] = 1;
}
