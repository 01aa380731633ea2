/* One case in several settings - devices, schedules, variants -, measured in turn in one process.
 *
 * Every entry is warmed up, then timed `repeats` times in rounds over all entries, so that what else the machine does hits
 * all of them; medians count. A number is a time per unit of work: `units` says how much a step is. */
#ifndef EW_BENCH_COMPARE_H
#define EW_BENCH_COMPARE_H

#include <stdio.h>

#include "bench/bench.h"

enum { COMPARE_SETTINGS = 12, COMPARE_TEXT = 256, COMPARE_TRIES = 32, COMPARE_ENTRIES = 2 * COMPARE_TRIES };

typedef struct compare_entry {
  char label[COMPARE_TEXT]; /* the settings as they were given: "window=off,select=delta" */
  const char *device;
  const char *preconditioner; /* of the case's solvers, or NULL */
  int n_schedule, n_variants;
  case_setting schedule[COMPARE_SETTINGS], variant[COMPARE_SETTINGS];
  bool reference;          /* what others' ratios are to; added by compare_run */
  char text[COMPARE_TEXT]; /* what name and value of the settings point into */

  /* results; failed: why it could not be measured */
  int against;                /* the number of the entry that its ratio is to; -1: none */
  double step_seconds, units; /* median; of a step */
  cell_id n_cells;
  uint64_t launches_per_step, transfers_per_step, bytes_per_step; /* bytes: of the transfers */
  double solves, solve_seconds, iterations; /* of the first linear system, over the timed steps */
  int first_iterations;                     /* in the first step, from the case's start values */
  exec_profile kernels;                     /* task.profile: of further steps; compare_clear frees it */
  uint64_t device_bytes;
  char device_name[128], failed[256];
} compare_entry;

typedef struct compare_task {
  /* Fills a case for the entry; its device, schedule and variants are set by the caller. */
  ew_status (*make)(void *context, const compare_entry *e, ew_case *c, ew_error *err);
  /* Units of work of one step. */
  double (*units)(void *context, const dslc_program *p, cell_id n_cells);
  void *context;
  int steps, repeats; /* 1 and more; repeats at most BENCH_MOST_REPEATS */
  int warm_up;        /* steps; 1 and more */
  int most_passes;    /* of a scheme's repeats; 0: as many as the scheme allows */
  bool profile;
  const char *reference; /* settings of the references, as of a try, without variants; NULL: none */
} compare_task;

/* The tries of a race, on `device` where they name none. Each is a list "NAME=VALUE,NAME=VALUE" of settings: `device` names a
 * device, `preconditioner` that of linear solvers, a name that begins with "variant." one of the scheme's variants; all else
 * belongs to the schedule. `entry` has room for COMPARE_ENTRIES, at most COMPARE_TRIES of them tries. EW_USAGE. */
ew_status compare_entries(const char *device, const char *const *tries, int n_tries, compare_entry *entry,
                          int *n, ew_error *err);

/* Like is compared with like: behind the tries it adds to the entries one reference for each choice of variants among them, with
 * the task's settings and that choice. An entry that cannot be built or run says why; the status fails for what concerns all.
 * EW_USAGE for counts out of range. */
ew_status compare_run(const compare_task *task, compare_entry *entry, int *n, FILE *log, ew_error *err);
void compare_clear(compare_entry *entry, int n);

/* For the case that is compared on: a copy of the value at the list's end; and one whose first component is `x`, the others 0. */
ew_status bench_add_value(ew_case *c, case_value **list, int *n, const case_value *value, ew_error *err);
#define BENCH_NUMBERS(text, components, x)                                                                   \
  ((case_value){.name = (text), .kind = CASE_NUMBERS, .n = (components), .number = {(x)}})

/* Of an entry that has not failed: ns a unit of work. */
double compare_nanoseconds(const compare_entry *e);
/* How many times as fast as the reference of its variants entry number `which` does a unit of work; 0 without one, or if it failed. */
double compare_ratio(const compare_entry *entry, int which);

#endif
