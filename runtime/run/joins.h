/* Launches of a step that follow each other, made as one: a launch costs a GPU's host some 5 us, a barrier of all work-groups 1 us. On small
 * meshes a step's kernels cost less than either. */
#ifndef EW_RUN_JOINS_H
#define EW_RUN_JOINS_H

#include "dslc_kernel.h"
#include "run/internal.h"

/* Operations [first, first + count) of the step, as one kernel. */
typedef struct exec_join {
  int first, count, launches, arguments;
  int group; /* items of a work-group; 0: any will do so far */
  dev_kernel *kernel;
} exec_join;

struct exec_joins {
  int n;
  exec_join *join;
  dev_program *program;
  dev_buffer *gate;
  int32_t most_groups;
  bool whole; /* several steps may be one launch */
};

enum { EXEC_GATE = 3 }; /* ints, of which the last is not 0 once a group gave up waiting */

/* What the members of an ensemble have apart; its arrays are by argument of all launches. */
typedef struct exec_apart {
  const dslc_member_argument *argument;
  int n_numbers;
  int64_t flags;
} exec_apart;

/* Where the program asks for it and the device can: its work-groups must be under way side by side, which is tried out. Else the run stays
 * as it is, and says so if it was asked. */
ew_status exec_joins_create(exec_run *run, ew_error *err);
void exec_joins_destroy(exec_run *run);

/* Queues the operations from number `first` on that were made one launch; how many they are, 0: none. */
int exec_joins_launch(exec_run *run, const dslc_section *s, int first, ew_status *status, ew_error *err);
/* Queues some whole steps, at most so many, if a step is one launch and none of its buffers are exchanged; how many, 0: none. */
int exec_joins_steps(exec_run *run, int most, ew_status *status, ew_error *err);
/* For ensembles: the one kernel of whole steps, for members that have things apart; work-groups that a launch of the operation has, of such
 * a size; whether the operation is one of the join's launches. */
ew_status exec_joins_for_members(exec_run *run, const exec_apart *apart, dev_program **program,
                                 dev_kernel **kernel, ew_error *err);
int32_t exec_join_groups(const exec_run *run, const dslc_op *op, int group);
bool exec_join_takes(const exec_run *run, const dslc_op *op);

/* EW_DEVICE if work-groups have waited for others in vain. */
ew_status exec_joins_check(const exec_run *run, ew_error *err);

#endif
