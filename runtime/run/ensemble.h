/* Members of a parameter sweep, side by side: runs of one scheme on one mesh, each with its own numbers, clock and outputs, whose steps are
 * launches of one kernel. A small mesh alone leaves most of a GPU idle.
 *
 * Each member's life is a thread's, but only one of them runs at a time: a member runs until it wants steps, and waits. When all want some,
 * or are over, the last one launches them for all. Where steps cannot be shared - on other devices than GPUs, for schemes whose step is not
 * one kernel, or members that differ in more than numbers - each member runs to its end before the next one begins. */
#ifndef EW_RUN_ENSEMBLE_H
#define EW_RUN_ENSEMBLE_H

#include "run/internal.h"

typedef struct exec_ensemble exec_ensemble;

/* A member's place in its ensemble; ensemble NULL: it runs by itself. */
typedef struct exec_member {
  exec_ensemble *ensemble;
  int number; /* from 0 */
} exec_member;

ew_status exec_ensemble_create(int members, exec_ensemble **out, ew_error *err);
/* When no member is left. */
void exec_ensemble_destroy(exec_ensemble **ensemble);
/* Did members share their steps? If not, `why` says what was in the way. */
bool exec_ensemble_shared(const exec_ensemble *e, const char **why);

/* Of the thread that runs the member: returns when it is its turn, members in order. `leave`: its run is gone. */
void exec_ensemble_enter(const exec_member *m);
void exec_ensemble_leave(const exec_member *m);

/* The device that all members compute on, opened for the first one; the ensemble's. */
ew_status exec_ensemble_device(const exec_member *m, const char *spec, dev_context **out, ew_error *err);

/* Before the member's first step; returns when all have come so far. Its buffers may be others afterwards. */
ew_status exec_ensemble_gather(exec_run *run, ew_error *err);
/* Queues some whole steps, at most so many; how many, 0: none, the run makes its own. */
int exec_ensemble_steps(exec_run *run, int most, ew_status *status, ew_error *err);
/* EW_DEVICE if the member's work-groups have waited for each other in vain. */
ew_status exec_ensemble_check(const exec_run *run, ew_error *err);

#endif
