/* Values that a case gives over time - arguments of rules and givens, as series or as functions of the time - and the points at which they are
 * asked for, of the case and not of the run's buffers: device, schedule and interpreter find the same. Internal to the runtime. */
#ifndef EW_RUN_SPOTS_H
#define EW_RUN_SPOTS_H

#include "run/internal.h"

/* Of more faces or cells a selection is asked: functions of Lua take their time. */
enum { EXEC_MOST_SPOTS = 100 };

/* Where a value is asked for: faces of a patch, walls of a boundary of a grid, or points of a place. */
typedef struct exec_spots {
  const exec_run *run;
  dslc_place place;
  int boundary;   /* -1: all of the place */
  int components; /* of what is asked for there */
  int64_t n;
  int most; /* are asked, at most EXEC_MOST_SPOTS */
} exec_spots;

/* How many are asked, evenly from the first to the last. */
int exec_spots_count(const exec_spots *p);
/* [exec_spots_count] their points. */
void exec_spots_points(const exec_spots *p, double x[][3]);

/* A value over time. What it points at lives as long as the case, `where` as long as the run. */
typedef struct exec_over_time {
  const char *name;
  const char *boundary; /* whose rule's argument it is; NULL: a given */
  const case_value *value;
  exec_spots where; /* of all of them EXEC_MOST_SPOTS */
} exec_over_time;

typedef ew_status exec_see_over_time(void *context, const exec_over_time *v, ew_error *err);

/* Shows all of them: givens as the scheme has them, arguments as the case has them. */
ew_status exec_each_over_time(const exec_run *run, exec_see_over_time *see, void *context, ew_error *err);

#endif
