/* See ensemble.h: whose turn it is, and when all have come. What they then do together is in ensemble_steps.c. */
#include "run/ensemble.h"

#include <stdlib.h>

#include "run/ensemble_steps.h"

enum { MOST_STEPS = 64 };

typedef enum sharing {
  UNDECIDED,
  APART, /* each runs by itself */
  SHARED
} sharing;

struct exec_ensemble {
  int n, begun, waiting, alive; /* members; `begun`: so many had their turn */
  int64_t round;                /* how often all have come so far */
  pthread_mutex_t turn;         /* of the member that runs */
  pthread_cond_t changed;
  sharing how;
  const char *why; /* APART: what was in the way */
  dev_context *device;
  ensemble_steps steps;
  ew_status status; /* of what was done for all in the last round */
  ew_error err;
};

ew_status exec_ensemble_create(int members, exec_ensemble **out, ew_error *err) {
  exec_ensemble *e = *out = calloc(1, sizeof *e);
  if (e) e->steps.run = calloc((size_t)members, sizeof *e->steps.run);
  if (e) e->steps.wanted = calloc(2 * (size_t)members, sizeof *e->steps.wanted);
  if (!e || !e->steps.run || !e->steps.wanted) {
    exec_ensemble_destroy(out);
    return ew_fail(err, EW_FAIL, "out of memory for %d members", members);
  }
  e->n = e->alive = e->steps.n = members;
  e->steps.sent = e->steps.wanted + members;
  pthread_mutex_init(&e->turn, NULL);
  pthread_cond_init(&e->changed, NULL);
  return EW_OK;
}

void exec_ensemble_destroy(exec_ensemble **ensemble) {
  exec_ensemble *e = *ensemble;
  if (!e) return;
  ensemble_steps_clear(&e->steps);
  dev_context_destroy(&e->device);
  if (e->n > 0) {
    pthread_mutex_destroy(&e->turn);
    pthread_cond_destroy(&e->changed);
  }
  free(e->steps.run);
  free(e->steps.wanted);
  free(e);
  *ensemble = NULL;
}

bool exec_ensemble_shared(const exec_ensemble *e, const char **why) {
  *why = e->why ? e->why : "";
  return e->how == SHARED;
}

ew_status exec_ensemble_device(const exec_member *m, const char *spec, dev_context **out, ew_error *err) {
  exec_ensemble *e = m->ensemble;
  const ew_status status = e->device ? EW_OK : dev_context_create(spec, &e->device, err);
  *out = e->device;
  return status;
}

/* ---- turns -------------------------------------------------------------------------------------------------------------------- */

/* What all have come for: to be gathered, then steps. Who waits to be gathered with one that then goes its own way, for want of memory, does so, too. */
static void act(exec_ensemble *e) {
  if (e->how == UNDECIDED) {
    e->why = NULL;
    e->status = ensemble_steps_gather(&e->steps, &e->why, &e->err);
    e->how = e->status == EW_OK && !e->why ? SHARED : APART;
  } else e->status = e->how == SHARED ? ensemble_steps_launch(&e->steps, &e->err) : EW_OK;
  e->waiting = 0;
  e->round++;
  pthread_cond_broadcast(&e->changed);
}

static void wait_for_all(exec_ensemble *e) {
  const int64_t round = e->round;
  if (++e->waiting == e->alive) act(e);
  while (e->round == round) pthread_cond_wait(&e->changed, &e->turn);
}

void exec_ensemble_enter(const exec_member *m) {
  exec_ensemble *e = m->ensemble;
  pthread_mutex_lock(&e->turn);
  while (e->begun < m->number) pthread_cond_wait(&e->changed, &e->turn);
}

/* The next member may begin. */
static void has_begun(exec_ensemble *e, int number) {
  if (e->begun > number) return;
  e->begun = number + 1;
  pthread_cond_broadcast(&e->changed);
}

void exec_ensemble_leave(const exec_member *m) {
  exec_ensemble *e = m->ensemble;
  has_begun(e, m->number);
  e->steps.run[m->number] = NULL;
  e->steps.wanted[m->number] = 0;
  if (--e->alive > 0 && e->waiting == e->alive) act(e);
  pthread_mutex_unlock(&e->turn);
}

/* ---- what a run asks -------------------------------------------------------------------------------------------------------------- */

static ew_status outcome(const exec_ensemble *e, ew_error *err) {
  if (e->status != EW_OK) *err = e->err;
  return e->status;
}

ew_status exec_ensemble_gather(exec_run *run, ew_error *err) {
  const exec_member *m = run->code.member;
  if (!m || m->ensemble->steps.run[m->number] || m->ensemble->how == APART) return EW_OK;
  exec_ensemble *e = m->ensemble;
  e->why = ensemble_steps_alone(run);
  if (e->why)
    return e->how = APART,
           EW_OK; /* all are of one scheme: no other has begun that waits, but where memory ran out */
  e->steps.run[m->number] = run;
  has_begun(e, m->number);
  wait_for_all(e);
  return outcome(e, err);
}

int exec_ensemble_steps(exec_run *run, int most, ew_status *status, ew_error *err) {
  const exec_member *m = run->code.member;
  if (!m || m->ensemble->how != SHARED) return 0;
  const int steps = most < MOST_STEPS ? most : MOST_STEPS;
  m->ensemble->steps.wanted[m->number] = steps;
  wait_for_all(m->ensemble);
  *status = outcome(m->ensemble, err);
  return steps;
}

ew_status exec_ensemble_check(const exec_run *run, ew_error *err) {
  const exec_member *m = run->code.member;
  return m && m->ensemble->how == SHARED ? ensemble_steps_check(&m->ensemble->steps, m->number, err) : EW_OK;
}
