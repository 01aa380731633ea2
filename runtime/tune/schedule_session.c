/* What every tuning of a case needs: the reference, the facts of the device, and trials in processes of their own. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/timing.h"
#include "run/leave.h"
#include "tune/schedule_internal.h"

/* ---- in another process ---------------------------------------------------------------------------------------------------- */

typedef struct asked {
  int effort, n;
  profile_setting set[PROFILE_SETTINGS];
} asked;

static ew_status measure(void *data, void **device, const void *request, void *result, ew_error *err) {
  const asked *w = request;
  tune_bench bench = *(const tune_bench *)data;
  bench.effort = w->effort;
  return tune_measure(&bench, (dev_context **)device, w->set, w->n, result, err);
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

static ew_status probe_within(const char *device, tune_patience patience, dev_info *info, dev_rates *rates,
                              ew_error *err) {
  probed p = {0};
  const ew_status status = tune_in_process(probe, (void *)device, patience, &p, sizeof p, err);
  *info = p.info;
  *rates = p.rates;
  return status;
}

ew_status tune_probe(const char *device, double patience, dev_info *info, dev_rates *rates, ew_error *err) {
  return probe_within(device, (tune_patience){patience > 0 ? patience : 120, NULL}, info, rates, err);
}

/* ---- trials -------------------------------------------------------------------------------------------------------------------- */

tune_trial *tune_new_trial(tune_session *t) {
  tune_schedule_table *o = t->out;
  tune_trial *more = o->n < TUNE_TRIALS ? realloc(o->trial, sizeof *more * (size_t)(o->n + 1)) : NULL;
  if (!more) return NULL;
  o->trial = more;
  o->trial[o->n] = (tune_trial){0};
  return &o->trial[o->n++];
}

static void say(const tune_session *t, const tune_trial *r) {
  if (!t->limits->progress) return;
  fprintf(t->limits->progress, "%4d", t->out->n - 1);
  for (int i = 0; i < r->n; i++) fprintf(t->limits->progress, " %s=%s", r->set[i].name, r->set[i].value);
  if (r->seconds > 0) fprintf(t->limits->progress, ": %.4g ms a step, %.3f times", 1e3 * r->seconds, r->gain);
  else fprintf(t->limits->progress, ": %s", r->note);
  fputc('\n', t->limits->progress);
}

/* Once more in a new process where one that had measured others finds it wrong, or ends: they may have left it in disorder. One that hangs
 * has had its time. */
static ew_status measure_apart(tune_session *t, const tune_trial *r, tune_times *times, ew_error *err) {
  const tune_service service = {measure, &t->bench, sizeof(asked), sizeof *times};
  asked w = {.effort = t->bench.effort, .n = r->n};
  ew_status status;
  memcpy(w.set, r->set, sizeof w.set);
  for (bool again = true; again;) {
    const bool used = t->worker.answered > 0;
    const double begun = ew_seconds();
    status = tune_ask(&t->worker, &service, &w, t->patience, times, err);
    const bool good = status == EW_OK && times->right;
    if (!good) tune_dismiss(&t->worker);
    again = !good && used && status != EW_STOPPED && ew_seconds() - begun < t->patience.seconds;
  }
  return status;
}

ew_status tune_run_trial(tune_session *t, tune_trial *r, ew_error *err) {
  tune_times times = {0};
  const double begun = ew_seconds();
  const ew_status status = measure_apart(t, r, &times, err);
  if (status == EW_STOPPED) return status;
  r->verdict = status != EW_OK ? TUNE_REFUSED : times.right ? TUNE_SLOWER : TUNE_WRONG;
  if (status == EW_OK) {
    r->seconds = times.right ? times.seconds : 0;
    r->default_seconds = times.default_seconds;
    r->gain = times.right ? times.gain : 0;
    memcpy(r->note, times.note, sizeof r->note);
  } else if (err) snprintf(r->note, sizeof r->note, "%.*s", (int)strcspn(err->text, "\n"), err->text);
  if (t->out->n == 1 && t->limits->patience <= 0)
    t->patience.seconds = fmax(t->patience.seconds, 5 * (ew_seconds() - begun));
  say(t, r);
  return status;
}

ew_status tune_try(tune_session *t, const tune_trial *what, tune_trial **out, ew_error *err) {
  const tune_trial wanted = *what; /* it may stand in the table, which moves */
  ew_error one = {0};
  tune_trial *r = tune_new_trial(t);
  *out = r;
  if (!r) return ew_fail(err, EW_FAIL, "out of memory for the results of tuning");
  r->n = wanted.n;
  memcpy(r->set, wanted.set, sizeof r->set);
  r->predicted = wanted.predicted;
  if (tune_run_trial(t, r, &one) != EW_STOPPED) return EW_OK; /* one that fails is no more than that */
  t->out->n--;
  return ew_fail(err, EW_STOPPED, "%s", one.text);
}

/* The default beside itself: it must run, and be right. */
static ew_status try_default(tune_session *t, ew_error *err) {
  tune_trial *r = tune_new_trial(t);
  if (!r) return ew_fail(err, EW_FAIL, "out of memory for the results of tuning");
  const ew_status status = tune_run_trial(t, r, err);
  if (status == EW_OK && r->verdict == TUNE_WRONG)
    return ew_fail(err, EW_INTERNAL, "the default schedule's result is not that of plain C: it %s", r->note);
  return status;
}

/* ---- several at once ---------------------------------------------------------------------------------------------------------- */

typedef struct building {
  const tune_bench *bench;
  const tune_trial *trial;
} building;

static ew_status build(void *data, void *result, ew_error *err) {
  const building *m = data;
  *(char *)result = 1;
  return tune_build(m->bench, m->trial->set, m->trial->n, err);
}

/* Beside a GPU that is measured one processor stays free, for who queues its work. */
int tune_builders(const tune_session *t) {
  const long processors = sysconf(_SC_NPROCESSORS_ONLN) - (t->out->info.type == DEV_GPU);
  if (t->out->info.model) return 1; /* nothing is built */
  return processors < 1 ? 1 : processors > TUNE_BUILDERS ? TUNE_BUILDERS : (int)processors;
}

void tune_prepare(const tune_session *t, const tune_trial *trial, int n, tune_builds *out) {
  char done;
  ew_error err = {0};
  *out = (tune_builds){0};
  for (int i = 0; n > 1 && i < n && i < TUNE_BUILDERS; i++) {
    building b = {&t->bench, &trial[i]};
    if (tune_process_start(build, &b, &done, sizeof done, &out->process[out->n], &err) == EW_OK) out->n++;
  }
}

void tune_prepared(const tune_session *t, tune_builds *builds) {
  char done;
  ew_error err = {0};
  for (int i = 0; i < builds->n; i++)
    tune_process_finish(builds->process[i], t->patience, &done, sizeof done, &err);
  builds->n = 0;
}

/* ---- what is the same ------------------------------------------------------------------------------------------------------------ */

/* Rows of subdomains say where work-groups begin and end; they do not stand in the kernels' text. */
static void key_of(const dslc_program *p, char key[TUNE_KEY]) {
  int rows = 0;
  for (int i = 0; i < p->execution.n_kernels; i++) {
    const dslc_kernel *k = &p->execution.kernel[i];
    if (k->rows > 0) rows = 2 * k->rows + k->fit_rows;
  }
  snprintf(key, TUNE_KEY, "%.32s %d", p->identity.hash, rows);
}

static bool is_new(const tune_session *t, const char *key) {
  for (int i = 0; i < t->n_keys; i++)
    if (strcmp(t->key[i], key) == 0) return false;
  return true;
}

bool tune_note(tune_session *t, const char *key) {
  if (!is_new(t, key)) return false;
  if (t->n_keys < TUNE_KEYS) snprintf(t->key[t->n_keys++], TUNE_KEY, "%s", key);
  return true;
}

bool tune_foresee(tune_session *t, tune_trial *trial, char key[TUNE_KEY]) {
  dslc_program *p = NULL;
  ew_error err = {0};
  if (tune_compile(&t->bench, trial->set, trial->n, &t->out->info, &p, &err) != EW_OK) return false;
  trial->predicted = tune_predict(&t->model, p);
  key_of(p, key);
  dslc_program_destroy(&p);
  return is_new(t, key);
}

/* ---- opening, closing ------------------------------------------------------------------------------------------------------------ */

static ew_status look_at_default(tune_session *t, ew_error *err) {
  ew_status status;
  char key[TUNE_KEY];
  dslc_program *p = NULL;
  tune_schedule_table *o = t->out;
  EW_CHECK(tune_compile(&t->bench, NULL, 0, &o->info, &p, err));
  exec_subject(p, t->bench.domain, &o->subject);
  for (int i = 0; i < t->bench.c->build.n_schedule; i++)
    profile_add_own(&o->subject, t->bench.c->build.schedule[i].name, t->bench.c->build.schedule[i].value);
  key_of(p, key);
  tune_note(t, key);
  o->solves = p->execution.n_solves > 0;
  t->n = o->moves = tune_moves(p, &o->info, t->move, TUNE_MOVES);
  t->on = p->space.on_grid ? TUNE_GRID : tune_is_of_nodes(p) ? TUNE_NODES : TUNE_CELLS;
  EW_CHECK(try_default(t, err));
  o->trial[0].predicted = tune_predict(&t->model, p);
cleanup:
  dslc_program_destroy(&p);
  return status;
}

ew_status tune_open(ew_case *c, const char *device, const tune_limits *limits, tune_schedule_table *out,
                    tune_session **session, ew_error *err) {
  ew_status status;
  tune_session *t = *session = calloc(1, sizeof *t);
  *out = (tune_schedule_table){0};
  if (!t) return ew_fail(err, EW_FAIL, "out of memory to tune");
  t->limits = limits;
  t->out = out;
  t->model = (tune_model){.domain = &t->domain, .info = &out->info, .rates = &out->rates};
  t->patience = (tune_patience){limits->patience > 0 ? limits->patience : 120, limits->stop};
  EW_CHECK(exec_domain_create(c, &t->domain, err));
  t->bench = (tune_bench){.c = c,
                          .domain = &t->domain,
                          .device = device,
                          .most_passes = limits->most_passes > 0 ? limits->most_passes : 12,
                          .reference = &t->reference};
  EW_CHECK(tune_reference(&t->bench, t->patience, &t->reference, err));
  EW_CHECK(probe_within(device, t->patience, &out->info, &out->rates, err));
  if (limits->keep) EW_CHECK(tune_keep_try(&out->info, err));
  EW_CHECK(look_at_default(t, err));
  t->begun = ew_seconds();
cleanup:
  return status;
}

void tune_close(tune_session **session) {
  tune_session *t = *session;
  if (!t) return;
  tune_dismiss(&t->worker);
  verify_result_clear(&t->reference);
  exec_domain_clear(&t->domain);
  free(t);
  *session = NULL;
}
