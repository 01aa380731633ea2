/* Launches of a step that follow each other, made as one: a launch costs a GPU's host some 5 us, a barrier of all work-groups 1 us. On small
 * meshes a step's kernels cost less than either. */
#ifndef EW_RUN_JOINS_H
#define EW_RUN_JOINS_H

#include "run/internal.h"

/* Where the program asks for it and the device can: its work-groups must be under way side by side, which is tried out. Else the run stays
 * as it is, and says so if it was asked. */
ew_status exec_joins_create(exec_run *run, ew_error *err);
void exec_joins_destroy(exec_run *run);

/* Queues the operations from number `first` on that were made one launch; how many they are, 0: none. */
int exec_joins_launch(exec_run *run, const dslc_section *s, int first, ew_status *status, ew_error *err);
/* Queues some whole steps, at most so many, if a step is one launch and none of its buffers are exchanged; how many, 0: none. */
int exec_joins_steps(exec_run *run, int most, ew_status *status, ew_error *err);
/* EW_DEVICE if work-groups have waited for others in vain. */
ew_status exec_joins_check(const exec_run *run, ew_error *err);

#endif
