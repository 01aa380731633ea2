/* Tuning at run time: the fastest of some candidates on the real data, right before fast. It knows nothing of what it tunes. */
#ifndef EW_TUNE_TUNE_H
#define EW_TUNE_TUNE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* What is tuned. Candidate 0 is the default: it must work, and wins unless another is clearly faster. One candidate is open at a time;
 * close follows every open, also one that failed. */
typedef struct tune_task {
  void *data;
  int n;
  ew_status (*open)(void *data, int candidate, ew_error *err);
  /* Whether the result is right; comes first, so what is measured has run once. */
  ew_status (*check)(void *data, int candidate, bool *right, ew_error *err);
  /* Wall time of a unit of work, which takes well over a microsecond. */
  ew_status (*run)(void *data, double *seconds, ew_error *err);
  void (*close)(void *data);
  const volatile sig_atomic_t *stop; /* no other candidate is begun once it is not 0; or NULL */
} tune_task;

typedef enum tune_verdict {
  TUNE_SKIPPED, /* no time was left */
  TUNE_REFUSED, /* the device does not take it: see the note */
  TUNE_WRONG,   /* another result: never chosen */
  TUNE_SLOWER,
  TUNE_BEST
} tune_verdict;

typedef struct tune_row {
  tune_verdict verdict;
  double seconds; /* median; 0 if it was not measured */
  char note[160];
} tune_row;

/* Measures the candidates in their order until `seconds` have gone, the default always, and fills rows [task->n]. The fastest then
 * meets the default once more, in turn, and must be 2 % faster to become *best. Errors: those of the default; a default with a wrong
 * result is EW_INTERNAL. */
ew_status tune_search(const tune_task *task, double seconds, tune_row *rows, int *best, ew_error *err);

const char *tune_verdict_name(tune_verdict verdict);

/* ---- results kept ---- */

typedef struct tune_setting {
  const char *name;
  int value;
} tune_setting;

/* Fills the values of settings [n] from what was stored under `key`; *found is false if nothing useful was; `aside` then says why a file
 * that is there is of no use, of status EW_OK if there is none. The store is a folder of JSON
 * files in dev_cache_dir; it may be written by several processes at once. EW_FAIL: there is no memory to read it. */
ew_status tune_recall(const char *key, tune_setting *settings, int n, bool *found, ew_error *aside,
                      ew_error *err);
/* Makes the folders above a file, as far as they are missing; what cannot be made shows when the file is written. The path is changed on
 * the way, and as before afterwards. */
void tune_make_folders(char *path);
/* Does nothing where there is no cache. EW_IO if it cannot be written. */
ew_status tune_remember(const char *key, const tune_setting *settings, int n, ew_error *err);

#endif
