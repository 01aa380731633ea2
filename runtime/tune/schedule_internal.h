/* Parts of the tuner of schedules. */
#ifndef EW_TUNE_SCHEDULE_INTERNAL_H
#define EW_TUNE_SCHEDULE_INTERNAL_H

#include <sys/types.h>

#include "mesh/pieces.h"
#include "tune/schedule.h"
#include "verify/verify.h"

/* ---- process.c: work in a process of its own ---- */

/* How long another process is waited for: so many seconds from its beginning, and no longer than until *stop is not 0. */
typedef struct tune_patience {
  double seconds;
  const volatile sig_atomic_t *stop; /* or NULL */
} tune_patience;

/* Fills result [size] in the child; an error travels back as the parent's. */
typedef ew_status tune_work(void *data, void *result, ew_error *err);
/* EW_DEVICE if the child dies, or does not end in time; EW_STOPPED if a stop was asked for. It is killed then. Signals by which the program is
 * asked to stop end a child at once. */
ew_status tune_in_process(tune_work *work, void *data, tune_patience patience, void *result, size_t size,
                          ew_error *err);

/* The same in two parts, for several at once: finish each that was started. */
typedef struct tune_process {
  pid_t pid;
  int fd;
  double begun; /* ew_seconds() */
} tune_process;
ew_status tune_process_start(tune_work *work, void *data, void *result, size_t size, tune_process *out,
                             ew_error *err);
ew_status tune_process_finish(tune_process p, tune_patience patience, void *result, size_t size,
                              ew_error *err);

/* A process that answers one request after the other: opening a device takes longer than most of what is asked of it. `*kept` is NULL at
 * first, and the answer's own from then on. Answers come back as those of tune_in_process, from a result that was all zero. */
typedef ew_status tune_answer(void *data, void **kept, const void *request, void *result, ew_error *err);
typedef struct tune_service {
  tune_answer *answer;
  void *data; /* as it is when the process begins */
  size_t request_size, result_size;
} tune_service;
typedef struct tune_worker {
  bool runs;
  tune_process process;
  int answered; /* requests, by this process */
} tune_worker;
/* Begins the process if there is none. What ends it, by itself or for want of patience, is told as by tune_in_process: the next
 * request begins another. */
ew_status tune_ask(tune_worker *w, const tune_service *service, const void *request, tune_patience patience,
                   void *result, ew_error *err);
void tune_dismiss(tune_worker *w);

/* ---- schedule_space.c ---- */

enum { TUNE_MOVES = 256, TUNE_STARTS = 8 };
typedef enum tune_domain { TUNE_CELLS, TUNE_NODES, TUNE_GRID } tune_domain;
bool tune_is_of_nodes(const dslc_program *p);
/* The single settings that could change how this program runs; returns how many. `info` says on which device. */
int tune_moves(const dslc_program *p, const dev_info *info, profile_setting *moves, int most);
/* Point number `which` of a space of some hundred schedules: every choice of what matters most. False: there are not so many. */
bool tune_point(tune_domain on, const dev_info *info, int which, tune_trial *out);

/* ---- schedule_model.c ---- */

/* What predictions are made for. Borrowed but for what is counted on the way. */
typedef struct tune_model {
  const exec_domain *domain;
  const dev_info *info;
  const dev_rates *rates;
  mesh_piece_limits limits; /* for which the pieces of the mesh were counted last */
  int32_t n_pieces;
} tune_model;

/* Seconds of a step: for each launch the longer of what its bytes and its operations take, and the launch itself; on a GPU at least
 * what its items do one after the other. */
double tune_predict(tune_model *m, const dslc_program *p);

/* ---- schedule_trial.c ---- */

typedef struct tune_bench {
  ew_case *c;
  const exec_domain *domain;
  const char *device;
  int most_passes;
  const verify_result *reference;
  int effort; /* so many times as long as else is measured; 0: 1 */
} tune_bench;

typedef struct tune_times {
  double seconds, default_seconds; /* of a step */
  double gain;                     /* times as fast as the default */
  bool right;
  char note[256]; /* where it is wrong */
} tune_times;

/* What plain C gives for the first steps of the case. */
ew_status tune_reference(const tune_bench *b, tune_patience patience, verify_result *out, ew_error *err);
/* Checks and times the settings beside the default, in this process. Opens the device where *device is NULL, and leaves it open. */
ew_status tune_measure(const tune_bench *b, dev_context **device, const profile_setting *set, int n,
                       tune_times *out, ew_error *err);

/* Builds the kernels of these settings, in this process, for the cache of binaries. */
ew_status tune_build(const tune_bench *b, const profile_setting *set, int n, ew_error *err);

/* The case with the settings before its own, compiled for a device that is only known by name. */
ew_status tune_compile(const tune_bench *b, const profile_setting *set, int n, const dev_info *info,
                       dslc_program **out, ew_error *err);

/* ---- schedule_session.c ---- */

enum { TUNE_BUILDERS = 8, TUNE_TRIALS = 1024, TUNE_KEYS = TUNE_MOVES + TUNE_TRIALS, TUNE_KEY = 48 };

/* What a tuning of a case has at hand from begin to end. */
typedef struct tune_session {
  tune_bench bench;
  exec_domain domain;
  verify_result reference;
  tune_worker worker; /* that measures trials */
  const tune_limits *limits;
  tune_schedule_table *out;
  tune_model model;
  double begun;
  tune_patience patience;
  tune_domain on;
  int n;
  profile_setting move[TUNE_MOVES];
  int n_keys;
  char key[TUNE_KEYS][TUNE_KEY]; /* of what was tried: hash and rows of subdomains */
} tune_session;

/* The reference, what the device is, and the default, which is trial 0. `out` is filled from now on; close also after a failure. */
ew_status tune_open(ew_case *c, const char *device, const tune_limits *limits, tune_schedule_table *out,
                    tune_session **session, ew_error *err);
void tune_close(tune_session **session);

/* Trials that are built at once: one for each of this machine's processors, up to a few. */
int tune_builders(const tune_session *t);
typedef struct tune_builds {
  int n;
  tune_process process[TUNE_BUILDERS];
} tune_builds;
/* Builds the kernels of n trials at once, each in a process of its own, so that measuring them finds them built. None of it counts as
 * tried; what does not build, or not in time, the trial itself will tell. */
void tune_prepare(const tune_session *t, const tune_trial *trial, int n, tune_builds *out);
/* Waits for them; after every tune_prepare. */
void tune_prepared(const tune_session *t, tune_builds *builds);

/* Compiles a trial's settings and fills in what the model predicts. False: they are refused, or kernels like these were tried. */
bool tune_foresee(tune_session *t, tune_trial *trial, char key[TUNE_KEY]);
/* Kernels of this key count as tried from now on; false if they did before. */
bool tune_note(tune_session *t, const char *key);
/* One more row of the table; NULL: no room. It moves the others. */
tune_trial *tune_new_trial(tune_session *t);
ew_status tune_run_trial(tune_session *t, tune_trial *r, ew_error *err);
/* Measures these settings as one more row. An error is that of the tuner, not of the candidate. EW_STOPPED: there is no such row. */
ew_status tune_try(tune_session *t, const tune_trial *what, tune_trial **out, ew_error *err);

/* ---- schedule_starts.c ---- */

/* Whole schedules to begin with: what profiles know of other schemes on this device, and what does well somewhere. */
int tune_starts(const tune_session *t, tune_trial *start, int most);

/* Whether tune_schedule_keep could write into the device's profile now: what cannot be read is not overwritten. */
ew_status tune_keep_try(const dev_info *info, ew_error *err);

#endif
