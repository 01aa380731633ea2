/* Tuning of a case's schedule: which settings make its steps fastest on a device, right before fast.
 *
 * A candidate is a list of settings. What each would cost is predicted first, from what the compiler counts and what the device
 * reaches at most; candidates are then measured in the order of that prediction, one setting at a time upon the best so far. They
 * run in another process, which is begun anew where one fails, so that a driver that hangs or crashes ends the candidate and not the tuner: there its results are
 * compared with those of plain C, and only then its steps are timed, in turn with the default's.
 *
 * The caller's process must not have opened an OpenCL device, nor run a parallel loop: drivers and OpenMP's threads do not survive a
 * fork. */
#ifndef EW_TUNE_SCHEDULE_H
#define EW_TUNE_SCHEDULE_H

#include "case/case.h"
#include "profile/profile.h"
#include "run/run.h"
#include "tune/tune.h"

typedef struct tune_limits {
  double seconds;  /* for measuring candidates; the default is measured whatever it takes */
  int candidates;  /* at most so many are measured */
  double patience; /* s for one candidate, its building included; 0: 120 */
  int most_passes; /* of a repeat in a step; 0: 12 */
  bool keep;       /* tune_schedule_keep comes after it: what stands in its way is told before */
  FILE *progress;  /* a line a candidate; NULL: silent */
  const volatile sig_atomic_t *stop; /* or NULL */
} tune_limits;

typedef struct tune_trial {
  int n;
  profile_setting set[PROFILE_SETTINGS];
  double predicted;                /* s a step, by the model; 0: it cannot tell */
  double seconds, default_seconds; /* of a step, in rounds that nothing disturbed; 0: not measured */
  double gain; /* times as fast as the default: of quartiles of rounds in turn; 0: not measured */
  tune_verdict verdict;
  char note[256];
} tune_trial;

typedef struct tune_schedule_table {
  dev_info info;
  dev_rates rates;
  profile_subject subject;
  int n;
  tune_trial *trial; /* the first is the default beside itself: how far times scatter */
  int candidates;    /* that were measured, but for the fastest once more */
  bool whole;        /* the search: nothing was left to try */
  bool stopped;      /* on request: nothing, or not all of the fastest, was measured once more */
  int best;          /* of them; 0: the default */
  int moves;         /* single settings that there are */
  bool solves;       /* its steps solve linear systems, which are tuned apart */
  double seconds;    /* spent */
} tune_schedule_table;

void tune_schedule_clear(tune_schedule_table *table);

/* The default schedule is what the case itself sets, and else the rules'. EW_DEVICE if the default cannot run; EW_INTERNAL if its result is
 * not that of plain C; EW_STOPPED if a stop was asked for before the default was measured. Later ones end the search with what it has. */
ew_status tune_schedule(ew_case *c, const char *device, const tune_limits *limits, tune_schedule_table *out,
                        ew_error *err);

/* What a search found, beside the best of a space that was measured as a whole; all measured once more, in the same session. */
typedef struct tune_shares {
  const tune_schedule_table *found;    /* in: what tune_schedule found for the same case and device */
  int points, measured;                /* of the space; of them those that differ and are not refused */
  tune_trial optimum, tuned, foreseen; /* foreseen: the one that the model alone ranks first */
} tune_shares;

/* Measures every point of a space of some hundred schedules until limits->seconds have passed, and holds the best of shares->found
 * against it. */
ew_status tune_exhaust(ew_case *c, const char *device, const tune_limits *limits, tune_schedule_table *out,
                       tune_shares *shares, ew_error *err);

/* What became of a search's result. */
typedef struct tune_kept {
  char path[EW_PATH]; /* of the profile; "" where there is no place for profiles */
  bool stored;        /* else what was known stays: */
  int candidates;     /* of the search that it is from; 0: there was none */
} tune_kept;

/* Keeps the best in the user's profile of the device. A search that measured fewer candidates than the one whose result is stored, with this
 * driver and this text of the scheme, leaves that alone, and one that measured none though there were some stores nothing. `again`: whatever
 * is stored. */
ew_status tune_schedule_keep(const tune_schedule_table *table, bool again, tune_kept *out, ew_error *err);

/* All that was tried, for people and for programs. */
void tune_schedule_print(const tune_schedule_table *table, FILE *out);
ew_status tune_schedule_write_json(const tune_schedule_table *table, const char *path, ew_error *err);

/* What the device is and how fast it is at most, asked in a process of its own. */
ew_status tune_probe(const char *device, double patience, dev_info *info, dev_rates *rates, ew_error *err);
/* Puts that into the user's profile of the device. */
ew_status tune_probe_keep(const dev_info *info, const dev_rates *rates, char *path, size_t size,
                          ew_error *err);
/* Merges a profile into the user's for the device with that name and platform; fields of `info` beyond these are not looked at. */
typedef struct tune_merged {
  char path[EW_PATH]; /* of the user's; "" where there is no place for profiles */
  int taken;          /* entries: of what both knew, the later one stayed */
} tune_merged;
ew_status tune_merge_into_user(const dev_info *info, const device_profile *from, tune_merged *out,
                               ew_error *err);

#endif
