/* The steps that members of an ensemble make together. */
#ifndef EW_RUN_ENSEMBLE_STEPS_H
#define EW_RUN_ENSEMBLE_STEPS_H

#include <pthread.h>

#include "run/joins.h"

/* Work-groups of a member: as many as run side by side and have work, or half, a quarter ... of it, down to one, which waits for no other. The
 * first launches time them, each twice. */
typedef struct group_race {
  int32_t most;
  int entered, launches; /* numbers that are timed, and launches so far */
  double seconds[32];    /* of a step, the least so far */
} group_race;

typedef struct ensemble_steps {
  int n;           /* members */
  exec_run **run;  /* [n]; NULL: it has not come yet, or is over */
  int32_t *wanted; /* [n] steps of the next launch */
  int32_t *sent;   /* [n] that the device has */
  int n_buffers;
  dev_buffer **whole; /* [n_buffers] of all members, one behind the other; of what is the same for all: one */
  dev_program *program;
  dev_kernel *kernel;
  dev_buffer *gate, *step, *number; /* DSLC_MEMBER_GATE ints, an int, some doubles a member */
  group_race groups;
} ensemble_steps;

/* What keeps a run from sharing its steps with others; NULL: nothing. */
const char *ensemble_steps_alone(const exec_run *run);
/* All runs that are there: their buffers become parts of common ones, and a kernel is made. *why: what keeps them from it, then they are
 * as they were; else NULL. */
ew_status ensemble_steps_gather(ensemble_steps *s, const char **why, ew_error *err);
/* The steps that members want; those are wanted no more afterwards. */
ew_status ensemble_steps_launch(ensemble_steps *s, ew_error *err);
/* EW_DEVICE if the member's work-groups have waited for each other in vain. */
ew_status ensemble_steps_check(const ensemble_steps *s, int member, ew_error *err);
void ensemble_steps_clear(ensemble_steps *s);

#endif
