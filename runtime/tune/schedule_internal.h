/* Parts of the tuner of schedules. */
#ifndef EW_TUNE_SCHEDULE_INTERNAL_H
#define EW_TUNE_SCHEDULE_INTERNAL_H

#include "tune/schedule.h"
#include "verify/verify.h"

/* ---- process.c: work in a process of its own ---- */

/* Fills result [size] in the child; an error travels back as the parent's. */
typedef ew_status tune_work(void *data, void *result, ew_error *err);
/* EW_DEVICE if the child dies, or does not end within `patience` seconds, after which it is killed. */
ew_status tune_in_process(tune_work *work, void *data, double patience, void *result, size_t size,
                          ew_error *err);

/* ---- schedule_space.c ---- */

enum { TUNE_MOVES = 256 };
/* The single settings that could change how this program runs; returns how many. `info` says on which device. */
int tune_moves(const dslc_program *p, const dev_info *info, profile_setting *moves, int most);

/* ---- schedule_model.c ---- */

/* Seconds of a step: for each launch the longer of what its bytes and its operations take, and the launch itself. */
double tune_predict(const dslc_program *p, const exec_domain *domain, const dev_rates *rates);

/* ---- schedule_trial.c ---- */

typedef struct tune_bench {
  ew_case *c;
  const exec_domain *domain;
  const char *device;
  int most_passes;
  const verify_result *reference;
} tune_bench;

typedef struct tune_times {
  double seconds, default_seconds; /* of a step */
  double gain;                     /* times as fast as the default: the median of the rounds' ratios */
  bool right;
  char note[256]; /* where it is wrong */
} tune_times;

/* What plain C gives for the first steps of the case. */
ew_status tune_reference(const tune_bench *b, double patience, verify_result *out, ew_error *err);
/* Checks and times the settings beside the default, in this process; for tune_in_process. */
ew_status tune_measure(const tune_bench *b, const profile_setting *set, int n, tune_times *out,
                       ew_error *err);

/* The case with the settings before its own, compiled for a device that is only known by name. */
ew_status tune_compile(const tune_bench *b, const profile_setting *set, int n, const dev_info *info,
                       dslc_program **out, ew_error *err);

#endif
