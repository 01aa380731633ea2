/* The tool around the generator: trying a scheme, reducing what fails, files to replay. */
#ifndef EW_RANDOM_RANDOM_H
#define EW_RANDOM_RANDOM_H

#include "gen.h"
#include "verify/verify.h"

enum { MOST_DEVICES = 8, MOST_REFUSALS = 64, MOST_FAILED = 1024, MOST_JOBS = 1024 };

typedef struct options {
  uint64_t first, last;
  int schedules, n_devices, jobs, read_back; /* of one way in so many what is printed is read back */
  const char *reference, *device[MOST_DEVICES], *keep, *replay, *known, *folder, *kind, *scheme, *from;
  double seconds, tolerance, reduce; /* reduce: s for each failure, 0: as it is */
  int account; /* s from one account to the next while a campaign goes on; 0: the last one only */
  int vary;    /* at most so many changes of each scheme; 0: as it was written */
  bool coverage, print, devices_given, single;
} options;

typedef struct refusal {
  char text[160];
  int n;
  uint64_t seed;
} refusal;

typedef struct tally {
  int made, ran, compared, read_back, pairs, sensitive, unsolved, faulty, refused, diverged, failures;
  double largest;
  int uses[CONSTRUCTS], schemes[CONSTRUCTS];
  int n_refusals;
  refusal refusal[MOST_REFUSALS];
  bool lost; /* a driver has failed: its devices may be of no use to this process any more */
  int n_failed;
  uint64_t failed[MOST_FAILED]; /* seeds: the first ones */
} tally;

typedef struct subject {
  uint64_t seed;
  int dims;
  char *text, *second; /* second: from which changes may take parts, or NULL */
  bool renamed; /* some quantities have names that unite_scheme does not know */
} subject;

/* The same scheme as two files in one text, of which one extends the other; NULL if it is too short, or there is no memory. */
char *split_scheme(const char *text, uint64_t seed);
/* The same scheme with units; NULL if it is none of those that can be written so, or there is no memory. */
char *unite_scheme(const char *text, int dims);
/* The scheme of one of the folder's cases, as replay.c keeps them, drawn by the seed; the caller frees it. NULL, with a message: there is none. */
char *draw_kept(const char *folder, uint64_t seed);
/* The same with some changes, as many as `check` takes of those tried, up to the options' number; the caller frees it. NULL: no memory. */
char *vary_scheme(const options *o, const subject *s);
bool save_scheme(const char *folder, const char *text); /* one file, or the two */
char *join_schemes(char *first, char *second);          /* takes both */

void count_refusal(tally *t, const char *text, uint64_t seed);
void count_failure(tally *t, uint64_t seed);
void count_constructs(tally *t, const int count[CONSTRUCTS]);
void merge_tally(tally *into, const tally *from);
void print_runs(const tally *t, double seconds); /* one line */
void print_tally(const options *o, const tally *t, double seconds);

/* All seeds of the options, by as many processes as they say; a process that dies by a seed is a failure and is replaced.
 * The account of all of them; false: none could be made. */
bool kind_is_known(const char *kind); /* one of those that --kind names */
bool run_campaign(const options *o, tally *total);

/* The text of its kernels in one way, drawn by the seed; the caller frees it. NULL: it is refused, or there is no memory. It lies in the folder. */
char *kernels_of(const options *o, const subject *s);
/* The same where some quantities are called as words of its kernels, if `check` lets them; the caller frees it. NULL: no memory. */
char *name_as_kernels(const options *o, const subject *s);
/* Does `check` accept the scheme, with every choice of its variants? It lies in the folder. */
bool check_accepts(const options *o, const subject *s);
/* Does `build` refuse what `check` refuses, and no more? `why`: what they say. The scheme lies in the folder. */
bool check_agrees(const options *o, const subject *s, char *why, size_t size);

typedef struct trial trial;
/* The same for one way, and some of the rules, as bits. */
bool check_agrees_so(const options *o, const trial *t, const dslc_program *scheme, unsigned rules, char *why,
                     size_t size);

/* A way that has been computed. */
typedef struct computed {
  ew_case *c;
  const verify_way *way;
  uint64_t seed;
} computed;

/* Some words are left out, doubled, exchanged or put in; the caller frees it. NULL: no memory. */
char *mutate(const char *text, uint64_t *state);
/* Does a kernel of the program, and of texts like its own, run to the same end twice on the model machine, whatever its arguments? */
bool launches_end(const dslc_program *p, uint64_t *state, char *why, size_t size);
/* Does what is printed after one step, drawn by the seed, read back to the same, and the manifest; and is what is slightly wrong refused? */
bool prints_again(const options *o, dslc_options with, const computed *by, char *why, size_t size);
bool prints_again_so(const options *o, const trial *t, const dslc_program *scheme, const computed *by,
                     char *why, size_t size);

/* One scheme in all ways that are asked for; whether it ran. Failures are counted, reduced and kept. */
bool try_subject(const options *o, tally *t, const subject *s);

/* ---- one comparison -------------------------------------------------------------------------------------------------- */

/* A scheme, its setting-up and a way to compute it: what a failure is made of, and what is reduced. */
struct trial {
  char *text; /* borrowed */
  int dims;
  verify_setup setup;
  verify_way way;
  bool show;
  bool pairs; /* the model machine passes for a device without fp64: two floats stand for a double */
};

/* SENSITIVE: it differs as the reference does from itself if it rounds otherwise, or as the way does if its solver stops earlier.
 * UNSOLVED: the solver that the scheme names ends without a solution, in the plainest schedule too: not every method takes every
 * matrix that is drawn, nor reaches its tolerance of a right side that has died away. FAULTY: the device's driver is known to compute such
 * kernels wrongly, or it has too little local memory, and runs refuse them. */
typedef enum outcome { AGREES, SENSITIVE, UNSOLVED, FAULTY, REFUSED, FAILS, DIFFERS } outcome;

/* Computes the reference and the way. `why` says what was found. */
outcome judge(const options *o, const trial *t, double *difference, char *why, size_t size);

/* Makes the trial smaller while its outcome stays; the new text replaces *text, which is the caller's to free. */
void reduce(const options *o, trial *t, outcome kept, double seconds);

bool save_text(const char *folder, const char *name, const char *text);
/* scheme.ew, case.lua, schedule.txt in a folder of its own. */
void keep_trial(const options *o, const trial *t, uint64_t seed, const char *why);
int replay(const options *o);
char *read_whole(const char *path); /* NULL: it cannot be read */
void remove_folder(const char *folder);

#endif
