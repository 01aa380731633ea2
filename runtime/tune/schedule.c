/* The search: from the default, one setting at a time upon the best so far, those first of which the model promises most. */
#include "tune/schedule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/timing.h"
#include "run/leave.h"
#include "tune/schedule_internal.h"

/* Faster by less is chance, also on a quiet machine. */
static const double CLEARLY = 1.02;
/* What the model calls so much slower than the default is not measured: it errs, but not by so much. */
static const double HOPELESS = 2.0;
enum { MOST_TRIALS = 256 };

typedef struct move {
  profile_setting set;
  double predicted;
  bool done; /* tried, or it changes nothing */
} move;

typedef struct tuner {
  tune_bench bench;
  const tune_limits *limits;
  tune_schedule_table *out;
  double begun, patience;
  int n;
  move move[TUNE_MOVES];
  char hash[TUNE_MOVES + MOST_TRIALS][33]; /* of what was compiled and tried */
  int n_hashes;
} tuner;

void tune_schedule_clear(tune_schedule_table *table) {
  free(table->trial);
  *table = (tune_schedule_table){0};
}

/* ---- in another process ---------------------------------------------------------------------------------------------------- */

typedef struct measuring {
  const tune_bench *bench;
  const tune_trial *trial;
} measuring;

static ew_status measure(void *data, void *result, ew_error *err) {
  const measuring *m = data;
  return tune_measure(m->bench, m->trial->set, m->trial->n, result, err);
}

typedef struct probed {
  dev_info info;
  dev_rates rates;
} probed;

static ew_status probe(void *data, void *result, ew_error *err) {
  ew_status status;
  dev_context *device = NULL;
  probed *p = result;
  EW_CHECK(dev_context_create(data, &device, err));
  p->info = *dev_get_info(device);
  EW_CHECK(dev_measure_rates(device, &p->rates, err));
cleanup:
  dev_context_destroy(&device);
  return status;
}

ew_status tune_probe(const char *device, double patience, dev_info *info, dev_rates *rates, ew_error *err) {
  probed p = {0};
  const ew_status status =
      tune_in_process(probe, (void *)device, patience > 0 ? patience : 120, &p, sizeof p, err);
  *info = p.info;
  *rates = p.rates;
  return status;
}

/* ---- trials -------------------------------------------------------------------------------------------------------------------- */

static tune_trial *new_trial(tuner *t) {
  tune_schedule_table *o = t->out;
  if (o->n == MOST_TRIALS) return NULL;
  tune_trial *more = realloc(o->trial, sizeof *more * (size_t)(o->n + 1));
  if (!more) return NULL;
  o->trial = more;
  o->trial[o->n] = (tune_trial){0};
  return &o->trial[o->n++];
}

static void say(const tuner *t, const tune_trial *r) {
  if (!t->limits->progress) return;
  fprintf(t->limits->progress, "%4d", t->out->n - 1);
  for (int i = 0; i < r->n; i++) fprintf(t->limits->progress, " %s=%s", r->set[i].name, r->set[i].value);
  if (r->seconds > 0) fprintf(t->limits->progress, ": %.4g ms a step, %.3f times", 1e3 * r->seconds, r->gain);
  else fprintf(t->limits->progress, ": %s", r->note);
  fputc('\n', t->limits->progress);
}

static ew_status run_trial(tuner *t, tune_trial *r, ew_error *err) {
  tune_times times = {0};
  measuring m = {&t->bench, r};
  const double begun = ew_seconds();
  const ew_status status = tune_in_process(measure, &m, t->patience, &times, sizeof times, err);
  r->verdict = status != EW_OK ? TUNE_REFUSED : times.right ? TUNE_SLOWER : TUNE_WRONG;
  if (status == EW_OK) {
    r->seconds = times.right ? times.seconds : 0;
    r->default_seconds = times.default_seconds;
    r->gain = times.right ? times.gain : 0;
    memcpy(r->note, times.note, sizeof r->note);
  } else if (err) snprintf(r->note, sizeof r->note, "%.*s", (int)strcspn(err->text, "\n"), err->text);
  if (t->out->n == 1 && t->limits->patience <= 0) t->patience = fmax(t->patience, 5 * (ew_seconds() - begun));
  say(t, r);
  return status;
}

/* The default beside itself: it must run, and be right. */
static ew_status try_default(tuner *t, ew_error *err) {
  tune_trial *r = new_trial(t);
  if (!r) return ew_fail(err, EW_FAIL, "out of memory for the results of tuning");
  const ew_status status = run_trial(t, r, err);
  if (status == EW_OK && r->verdict == TUNE_WRONG)
    return ew_fail(err, EW_INTERNAL, "the default schedule's result is not that of plain C: it %s", r->note);
  return status;
}

/* ---- ranking ------------------------------------------------------------------------------------------------------------------------ */

static void with(const tune_trial *best, const profile_setting *set, tune_trial *out) {
  out->n = 0;
  for (int i = 0; i < best->n; i++)
    if (strcmp(best->set[i].name, set->name) != 0) out->set[out->n++] = best->set[i];
  if (out->n < PROFILE_SETTINGS) out->set[out->n++] = *set;
}

static bool is_new(tuner *t, const char *hash) {
  for (int i = 0; i < t->n_hashes; i++)
    if (strcmp(t->hash[i], hash) == 0) return false;
  return true;
}

static void note_hash(tuner *t, const char *hash) {
  if (t->n_hashes < TUNE_MOVES + MOST_TRIALS && is_new(t, hash))
    snprintf(t->hash[t->n_hashes++], sizeof t->hash[0], "%s", hash);
}

/* Settings that say where work-groups begin and end do not stand in the kernels' text. */
static bool shows_in_text(const char *name) { return strcmp(name, "grid.rows") != 0; }

/* What the move would cost upon the best; one that is refused, or leaves the kernels as they are, is done. */
static void predict(tuner *t, const tune_trial *best, move *m) {
  tune_trial trial;
  dslc_program *p = NULL;
  ew_error err = {0};
  with(best, &m->set, &trial);
  if (tune_compile(&t->bench, trial.set, trial.n, &t->out->info, &p, &err) != EW_OK) {
    m->done = true;
    return;
  }
  m->predicted = tune_predict(p, t->bench.domain, &t->out->rates);
  if (shows_in_text(m->set.name) && !is_new(t, p->identity.hash)) m->done = true;
  dslc_program_destroy(&p);
}

static bool stopped(const tuner *t) {
  return (t->limits->stop && *t->limits->stop) || ew_seconds() - t->begun > t->limits->seconds ||
         t->out->n > t->limits->candidates;
}

static void rank(tuner *t, const tune_trial *best) {
  for (int i = 0; i < t->n && !stopped(t); i++)
    if (!t->move[i].done) predict(t, best, &t->move[i]);
}

/* The move of which most is promised; those that the model cannot tell apart in the order of their list. */
static move *next(tuner *t, double base) {
  move *best = NULL;
  for (int i = 0; i < t->n; i++) {
    move *m = &t->move[i];
    if (m->done || (base > 0 && m->predicted > HOPELESS * base)) continue;
    if (!best || m->predicted < 0.97 * best->predicted) best = m;
  }
  return best;
}

/* The default beside itself says how far times scatter here and now: what is faster by less than twice that is not clearly faster. */
static double clearly(const tuner *t) {
  const double noise = fabs(t->out->trial[0].gain - 1);
  return fmax(CLEARLY, 1 + 2 * noise);
}

/* ---- the search ---------------------------------------------------------------------------------------------------------------------- */

static ew_status try_move(tuner *t, const tune_trial *best, move *m, ew_error *err) {
  tune_trial *r = new_trial(t);
  ew_error one = {0};
  dslc_program *p = NULL;
  if (!r) return ew_fail(err, EW_FAIL, "out of memory for the results of tuning");
  best = &t->out->trial[t->out->best]; /* the table may have moved */
  with(best, &m->set, r);
  r->predicted = m->predicted;
  m->done = true;
  if (tune_compile(&t->bench, r->set, r->n, &t->out->info, &p, &one) == EW_OK) note_hash(t, p->identity.hash);
  dslc_program_destroy(&p);
  run_trial(t, r, &one); /* one that fails is no more than that */
  return EW_OK;
}

static ew_status search(tuner *t, ew_error *err) {
  ew_status status = EW_OK;
  tune_schedule_table *o = t->out;
  rank(t, &o->trial[0]);
  while (!stopped(t)) {
    move *m = next(t, o->trial[0].predicted);
    if (!m) break;
    EW_CHECK(try_move(t, &o->trial[o->best], m, err));
    const int last = o->n - 1;
    if (o->trial[last].gain < clearly(t) * (o->best ? o->trial[o->best].gain : 1)) continue;
    o->best = last;
    rank(t, &o->trial[last]);
  }
cleanup:
  return status;
}

/* Once more, against the default: what won by chance among many does not win twice. */
static ew_status confirm(tuner *t, ew_error *err) {
  tune_schedule_table *o = t->out;
  ew_error one = {0};
  if (o->best == 0) return EW_OK;
  tune_trial *r = new_trial(t);
  if (!r) return ew_fail(err, EW_FAIL, "out of memory for the results of tuning");
  const tune_trial *won = &o->trial[o->best];
  r->n = won->n;
  memcpy(r->set, won->set, sizeof r->set);
  r->predicted = won->predicted;
  run_trial(t, r, &one);
  o->best = r->gain >= clearly(t) ? o->n - 1 : 0;
  return EW_OK;
}

static ew_status prepare(tuner *t, const char *device, ew_error *err) {
  ew_status status;
  dslc_program *p = NULL;
  profile_setting *moves = calloc(TUNE_MOVES, sizeof *moves);
  tune_schedule_table *o = t->out;
  if (!moves) return ew_fail(err, EW_FAIL, "out of memory to tune");
  EW_CHECK(tune_probe(device, t->limits->patience, &o->info, &o->rates, err));
  EW_CHECK(tune_compile(&t->bench, NULL, 0, &o->info, &p, err));
  exec_subject(p, t->bench.domain, &o->subject);
  note_hash(t, p->identity.hash);
  o->solves = p->execution.n_solves > 0;
  t->n = o->moves = tune_moves(p, &o->info, moves, TUNE_MOVES);
  for (int i = 0; i < t->n; i++) t->move[i] = (move){.set = moves[i]};
  EW_CHECK(try_default(t, err));
  o->trial[0].predicted = tune_predict(p, t->bench.domain, &o->rates);
cleanup:
  dslc_program_destroy(&p);
  free(moves);
  return status;
}

static void judge(tune_schedule_table *o) {
  if (o->n > 0) o->trial[o->best].verdict = TUNE_BEST;
}

ew_status tune_schedule(ew_case *c, const char *device, const tune_limits *limits, tune_schedule_table *out,
                        ew_error *err) {
  ew_status status;
  exec_domain domain = {NULL, NULL};
  verify_result reference = {0};
  tuner *t = calloc(1, sizeof *t);
  *out = (tune_schedule_table){0};
  if (!t) return ew_fail(err, EW_FAIL, "out of memory to tune");
  t->limits = limits;
  t->out = out;
  t->begun = ew_seconds();
  t->patience = limits->patience > 0 ? limits->patience : 120;
  EW_CHECK(exec_domain_create(c, &domain, err));
  t->bench = (tune_bench){.c = c,
                          .domain = &domain,
                          .device = device,
                          .most_passes = limits->most_passes > 0 ? limits->most_passes : 12,
                          .reference = &reference};
  EW_CHECK(tune_reference(&t->bench, t->patience, &reference, err));
  EW_CHECK(prepare(t, device, err));
  t->begun = ew_seconds();
  EW_CHECK(search(t, err));
  EW_CHECK(confirm(t, err));
  judge(out);
  out->seconds = ew_seconds() - t->begun;
cleanup:
  verify_result_clear(&reference);
  exec_domain_clear(&domain);
  free(t);
  return status;
}
