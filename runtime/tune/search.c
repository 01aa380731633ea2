#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/timing.h"
#include "tune/tune.h"

enum { repeats = 3, rounds = 2 };
static const double margin = 0.98, hopeless = 2.0;

const char *tune_verdict_name(tune_verdict verdict) {
  static const char *const names[] = {"skipped", "refused", "WRONG", "slower", "best"};
  return names[verdict];
}

/* The median of a few runs; one alone tells of a candidate that is far behind `best`. */
static ew_status measure(const tune_task *t, double best, double *seconds, ew_error *err) {
  ew_status status = EW_OK;
  double time[repeats];
  int made = 0;
  while (made < repeats && (made == 0 || time[0] < hopeless * best))
    EW_CHECK(t->run(t->data, &time[made++], err));
  *seconds = ew_median(time, made);
cleanup:
  return status;
}

static ew_status try_candidate(const tune_task *t, int candidate, double best, tune_row *row, ew_error *err) {
  ew_status status = EW_OK;
  bool right = false;
  EW_CHECK(t->open(t->data, candidate, err));
  EW_CHECK(t->check(t->data, candidate, &right, err));
  row->verdict = right ? TUNE_SLOWER : TUNE_WRONG;
  if (right) EW_CHECK(measure(t, best, &row->seconds, err));
cleanup:
  t->close(t->data);
  return status;
}

/* What a device refuses is no failure of the search. */
static void try_other(const tune_task *t, int candidate, double best, tune_row *row) {
  ew_error refusal = {EW_OK, ""};
  if (try_candidate(t, candidate, best, row, &refusal) == EW_OK) return;
  *row = (tune_row){.verdict = TUNE_REFUSED};
  snprintf(row->note, sizeof row->note, "%.*s", (int)strcspn(refusal.text, "\n"), refusal.text);
}

static ew_status median_again(const tune_task *t, int candidate, double *least, ew_error *err) {
  ew_status status = EW_OK;
  double seconds = 0.0;
  EW_CHECK(t->open(t->data, candidate, err));
  EW_CHECK(t->run(t->data, &seconds, err));
  EW_CHECK(measure(t, *least, &seconds, err));
  if (seconds < *least) *least = seconds;
cleanup:
  t->close(t->data);
  return status;
}

/* Times drift while candidates take their turns, so the winner of one measurement may owe it to luck. */
static ew_status meet_default(const tune_task *t, int *best, tune_row *rows, ew_error *err) {
  ew_status status = EW_OK;
  double ours = rows[*best].seconds, plain = rows[0].seconds;
  for (int round = 0; round < rounds; round++) {
    EW_CHECK(median_again(t, 0, &plain, err));
    EW_CHECK(median_again(t, *best, &ours, err));
  }
  rows[0].seconds = plain;
  rows[*best].seconds = ours;
  if (ours >= margin * plain) *best = 0;
cleanup:
  return status;
}

ew_status tune_search(const tune_task *t, double seconds, tune_row *rows, int *best, ew_error *err) {
  ew_status status = EW_OK;
  double end = ew_seconds() + seconds;
  *best = 0;
  memset(rows, 0, (size_t)t->n * sizeof *rows);
  EW_CHECK(try_candidate(t, 0, 1e300, &rows[0], err));
  if (rows[0].verdict == TUNE_WRONG)
    EW_CHECK(ew_fail(err, EW_INTERNAL, "tuning: the default's result is wrong"));
  for (int c = 1; c < t->n && ew_seconds() < end && !(t->stop && *t->stop); c++) {
    try_other(t, c, rows[*best].seconds, &rows[c]);
    if (rows[c].verdict == TUNE_SLOWER && rows[c].seconds < rows[*best].seconds) *best = c;
  }
  if (*best > 0) EW_CHECK(meet_default(t, best, rows, err));
  rows[*best].verdict = TUNE_BEST;
cleanup:
  return status;
}
