/* The search: a few whole schedules that are known to do well somewhere; from the best of them on, one setting at a time, those first of
 * which the model promises most; at the end the fastest ones once more. */
#include "tune/schedule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/timing.h"
#include "tune/schedule_internal.h"

/* Faster by less is chance, also on a quiet machine. */
static const double CLEARLY = 1.02;
/* What the model calls so much slower than the default is not measured: it errs, but not by so much. */
static const double HOPELESS = 2.0;
enum { FINALISTS = 3, FINAL_EFFORT = 3 };

typedef struct move {
  double predicted;
  double
      shown; /* the gain of a schedule that it was part of, where that was clearly faster than the default; or 0 */
  bool done; /* tried, or it changes nothing */
} move;

typedef struct searcher {
  tune_session *s;
  tune_schedule_table *out;
  move move[TUNE_MOVES];
} searcher;

void tune_schedule_clear(tune_schedule_table *table) {
  free(table->trial);
  *table = (tune_schedule_table){0};
}

static bool stopped(const searcher *t) {
  const tune_limits *l = t->s->limits;
  return (l->stop && *l->stop) || ew_seconds() - t->s->begun > l->seconds || t->out->n > l->candidates;
}

/* ---- where to begin ---------------------------------------------------------------------------------------------------------------- */

/* Those of `start` that are new and not hopeless come first; returns how many. */
static int promising(searcher *t, tune_trial *start, int n) {
  const double base = t->out->trial[0].predicted;
  int kept = 0;
  for (int i = 0; i < n; i++) {
    char key[TUNE_KEY];
    if (!tune_foresee(t->s, &start[i], key) || (base > 0 && start[i].predicted > HOPELESS * base)) continue;
    if (tune_note(t->s, key)) start[kept++] = start[i];
  }
  return kept;
}

static ew_status try_start(searcher *t, const tune_trial *start, ew_error *err) {
  tune_trial *r;
  const ew_status status = tune_try(t->s, start, &r, err);
  if (status == EW_OK && r->gain >= CLEARLY * (t->out->best ? t->out->trial[t->out->best].gain : 1))
    t->out->best = t->out->n - 1;
  return status;
}

static void build_at_once(const tune_session *s, const tune_trial *trial, int n) {
  tune_builds builds;
  tune_prepare(s, trial, n, &builds);
  tune_prepared(s, &builds);
}

static ew_status try_starts(searcher *t, ew_error *err) {
  ew_status status = EW_OK;
  const int at_once = tune_builders(t->s);
  tune_trial *start = calloc(TUNE_STARTS, sizeof *start);
  if (!start) return ew_fail(err, EW_FAIL, "out of memory to tune");
  const int n = promising(t, start, tune_starts(t->s, start, TUNE_STARTS));
  for (int i = 0; i < n && !stopped(t); i++) {
    if (i % at_once == 0) build_at_once(t->s, &start[i], n - i < at_once ? n - i : at_once);
    EW_CHECK(try_start(t, &start[i], err));
  }
cleanup:
  free(start);
  return status;
}

/* ---- ranking ------------------------------------------------------------------------------------------------------------------------ */

static void with(const tune_trial *best, const profile_setting *set, tune_trial *out) {
  *out = (tune_trial){0};
  for (int i = 0; i < best->n; i++)
    if (strcmp(best->set[i].name, set->name) != 0) out->set[out->n++] = best->set[i];
  if (out->n < PROFILE_SETTINGS) out->set[out->n++] = *set;
}

static bool has(const tune_trial *trial, const profile_setting *set) {
  for (int i = 0; i < trial->n; i++)
    if (strcmp(trial->set[i].name, set->name) == 0) return strcmp(trial->set[i].value, set->value) == 0;
  return false;
}

static double shown_gain(const tune_schedule_table *table, const profile_setting *set) {
  double gain = 0;
  for (int i = 1; i < table->n; i++)
    if (table->trial[i].gain >= CLEARLY && has(&table->trial[i], set))
      gain = fmax(gain, table->trial[i].gain);
  return gain;
}

/* What each move would cost upon the best; one that is refused, or leaves the kernels as they are, is done. */
static void rank(searcher *t) {
  for (int i = 0; i < t->s->n && !stopped(t); i++) {
    char key[TUNE_KEY];
    tune_trial trial;
    move *m = &t->move[i];
    if (m->done) continue;
    with(&t->out->trial[t->out->best], &t->s->move[i], &trial);
    m->done = !tune_foresee(t->s, &trial, key);
    m->predicted = trial.predicted;
    m->shown = shown_gain(t->out, &t->s->move[i]);
  }
}

/* What was faster in another schedule comes first, before it is known whether it is so in this one; then the move of which the model promises most;
 * those that it cannot tell apart in the order of their list. -1: none is left. */
static int next(const searcher *t, double base) {
  int best = -1;
  for (int i = 0; i < t->s->n; i++) {
    const move *m = &t->move[i];
    if (m->done || (base > 0 && m->predicted > HOPELESS * base)) continue;
    if (best < 0 || m->shown > t->move[best].shown ||
        (m->shown == t->move[best].shown && m->predicted < 0.97 * t->move[best].predicted))
      best = i;
  }
  return best;
}

/* ---- the search ---------------------------------------------------------------------------------------------------------------------- */

/* The next moves upon the best that make kernels unlike all before, at most as many as are built at once; returns how many. */
static int take_moves(searcher *t, int which[TUNE_BUILDERS], tune_trial trial[TUNE_BUILDERS]) {
  const int left = t->s->limits->candidates + 1 - t->out->n, at_once = tune_builders(t->s);
  int n = 0;
  while (n < at_once && n < left) {
    char key[TUNE_KEY];
    which[n] = next(t, t->out->trial[0].predicted);
    if (which[n] < 0) break;
    t->move[which[n]].done = true;
    with(&t->out->trial[t->out->best], &t->s->move[which[n]], &trial[n]);
    if (tune_foresee(t->s, &trial[n], key) && tune_note(t->s, key)) n++;
  }
  return n;
}

/* One after the other, until one is better than the best so far: those behind it are then to be tried upon it. */
static ew_status try_moves(searcher *t, const int *which, const tune_trial *trial, int n, bool *better,
                           ew_error *err) {
  ew_status status = EW_OK;
  tune_schedule_table *o = t->out;
  *better = false;
  build_at_once(t->s, trial, n);
  for (int i = 0; i < n; i++) {
    tune_trial *r;
    t->move[which[i]].done = !*better && !stopped(t);
    if (!t->move[which[i]].done) continue;
    EW_CHECK(tune_try(t->s, &trial[i], &r, err));
    *better = r->gain >= CLEARLY * (o->best ? o->trial[o->best].gain : 1);
    if (*better) o->best = o->n - 1;
  }
cleanup:
  return status;
}

static ew_status descend(searcher *t, ew_error *err) {
  ew_status status = EW_OK;
  rank(t);
  while (!stopped(t)) {
    int which[TUNE_BUILDERS];
    tune_trial trial[TUNE_BUILDERS];
    bool better;
    const int n = take_moves(t, which, trial);
    t->out->whole = n == 0 && !stopped(t);
    if (n == 0) break;
    EW_CHECK(try_moves(t, which, trial, n, &better, err));
    if (better) rank(t);
  }
cleanup:
  return status;
}

/* ---- the end -------------------------------------------------------------------------------------------------------------------------- */

/* The default beside itself says how far times scatter here and now: what is faster by less than twice that is not clearly faster. */
static double clearly(const searcher *t) {
  const double noise = fabs(t->out->trial[0].gain - 1);
  return fmax(CLEARLY, 1 + 2 * noise);
}

/* The fastest that were measured before trial `end` and are not among the `n` already chosen; 0: none. */
static int fastest(const searcher *t, int end, const int *chosen, int n) {
  int best = 0;
  for (int i = 1; i < end; i++) {
    bool taken = false;
    for (int k = 0; k < n; k++) taken |= chosen[k] == i;
    if (!taken && t->out->trial[i].gain > (best ? t->out->trial[best].gain : 1)) best = i;
  }
  return best;
}

/* Once more, and longer: what won by chance among many does not win twice. */
static ew_status confirm(searcher *t, ew_error *err) {
  ew_status status = EW_OK;
  tune_schedule_table *o = t->out;
  int chosen[FINALISTS];
  const int end = o->n;
  t->s->bench.effort = FINAL_EFFORT;
  for (int i = 0; i < FINALISTS; i++) {
    tune_trial *r;
    chosen[i] = fastest(t, end, chosen, i);
    if (!chosen[i]) break;
    EW_CHECK(tune_try(t->s, &o->trial[chosen[i]], &r, err));
    if (r->gain >= (o->best ? o->trial[o->best].gain : clearly(t))) o->best = o->n - 1;
  }
cleanup:
  t->s->bench.effort = 0;
  return status;
}

/* What a stop leaves: of those that were measured again the best, else of all the fastest, if it is clearly faster. */
static void take_what_there_is(searcher *t) {
  tune_schedule_table *o = t->out;
  const int first = o->best ? 0 : fastest(t, o->candidates + 1, NULL, 0);
  if (first && o->trial[first].gain >= clearly(t)) o->best = first;
  o->stopped = true;
}

static ew_status search(searcher *t, ew_error *err) {
  ew_status status;
  EW_CHECK(try_starts(t, err));
  EW_CHECK(descend(t, err));
cleanup:
  return status;
}

ew_status tune_schedule(ew_case *c, const char *device, const tune_limits *limits, tune_schedule_table *out,
                        ew_error *err) {
  ew_status status;
  searcher *t = calloc(1, sizeof *t);
  if (!t) return *out = (tune_schedule_table){0}, ew_fail(err, EW_FAIL, "out of memory to tune");
  t->out = out;
  EW_CHECK(tune_open(c, device, limits, out, &t->s, err));
  status = search(t, err);
  out->candidates = out->n - 1;
  out->best = 0;
  if (status == EW_OK) status = confirm(t, err);
  if (status == EW_STOPPED || (status == EW_OK && limits->stop && *limits->stop)) {
    take_what_there_is(t);
    status = EW_OK;
  }
  EW_CHECK(status);
  out->trial[out->best].verdict = TUNE_BEST;
  out->seconds = ew_seconds() - t->s->begun;
cleanup:
  tune_close(&t->s);
  free(t);
  return status;
}
