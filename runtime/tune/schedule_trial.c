/* One candidate: is it right, and how fast beside the default? */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/timing.h"
#include "run/leave.h"
#include "tune/schedule_internal.h"

enum { STEPS_CHECKED = 2, ROUNDS = 8, MOST_ROUNDS = 256, LOOK = 256 };

/* ---- the case with other settings ------------------------------------------------------------------------------------------ */

/* The settings come first, the case's own behind them: those win. */
static ew_status settle(const ew_case *c, const profile_setting *set, int n, ew_case *out, ew_error *err) {
  case_setting *all = calloc((size_t)(n + c->build.n_schedule) + 1, sizeof *all);
  if (!all) return ew_fail(err, EW_FAIL, "out of memory for a schedule");
  for (int i = 0; i < n; i++) all[i] = (case_setting){.name = set[i].name, .value = set[i].value};
  if (c->build.n_schedule) memcpy(all + n, c->build.schedule, sizeof *all * (size_t)c->build.n_schedule);
  *out = *c;
  out->build.schedule = all;
  out->build.n_schedule = n + c->build.n_schedule;
  out->build.by_rule = true;
  out->time.finish_repeats = false; /* their passes are bounded */
  return EW_OK;
}

ew_status tune_compile(const tune_bench *b, const profile_setting *set, int n, const dev_info *info,
                       dslc_program **out, ew_error *err) {
  ew_case c;
  ew_status status = settle(b->c, set, n, &c, err);
  if (status != EW_OK) return status;
  status = exec_compile(&c, b->domain, info, NULL, out, err);
  free(c.build.schedule);
  return status;
}

/* ---- a run ---------------------------------------------------------------------------------------------------------------------- */

typedef struct runner {
  ew_case c;
  dslc_program *program;
  exec_run *run;
} runner;

static void close_runner(runner *r) {
  exec_destroy(&r->run);
  dslc_program_destroy(&r->program);
  free(r->c.build.schedule);
  *r = (runner){0};
}

static ew_status open_runner(const tune_bench *b, dev_context *device, const profile_setting *set, int n,
                             runner *r, ew_error *err) {
  ew_status status;
  EW_CHECK(settle(b->c, set, n, &r->c, err));
  EW_CHECK(exec_program(&r->c, b->domain, device, NULL, &r->program, err));
  exec_bound_passes(r->program, b->most_passes); /* of all candidates alike */
  EW_CHECK(exec_create(device, r->program, b->domain, &r->c, &r->run, err));
cleanup:
  return status;
}

ew_status tune_build(const tune_bench *b, const profile_setting *set, int n, ew_error *err) {
  ew_status status;
  dev_context *device = NULL;
  runner r = {0};
  EW_CHECK(settle(b->c, set, n, &r.c, err));
  EW_CHECK(dev_context_create(b->device, &device, err));
  EW_CHECK(exec_program(&r.c, b->domain, device, NULL, &r.program, err));
  exec_bound_passes(r.program, b->most_passes);
  EW_CHECK(exec_build(device, r.program, err));
cleanup:
  close_runner(&r);
  dev_context_destroy(&device);
  return status;
}

static ew_status take_steps(runner *r, dev_context *device, int64_t steps, double *seconds, ew_error *err) {
  ew_status status;
  const exec_until until = {.t_stop = 1e30, .max_steps = steps, .look = steps < LOOK ? (int)steps : LOOK};
  EW_CHECK(dev_finish(device, err));
  const double begun = ew_seconds();
  EW_CHECK(exec_advance(r->run, &until, err));
  EW_CHECK(dev_finish(device, err));
  *seconds = ew_seconds() - begun;
cleanup:
  return status;
}

/* ---- right? --------------------------------------------------------------------------------------------------------------------- */

static ew_status run_plainly_on(const tune_bench *b, const char *host, verify_result *out, ew_error *err) {
  static const profile_setting plain[] = {{"items", "loop"}, {"select", "ternary"}};
  ew_status status;
  dev_context *device = NULL;
  runner r = {0};
  double seconds;
  EW_CHECK(dev_context_create(host, &device, err));
  EW_CHECK(open_runner(b, device, plain, sizeof plain / sizeof *plain, &r, err));
  EW_CHECK(take_steps(&r, device, STEPS_CHECKED, &seconds, err));
  EW_CHECK(verify_collect(r.run, out, err));
cleanup:
  close_runner(&r);
  dev_context_destroy(&device);
  return status;
}

/* What suits a GPU is large for one core: on all of them where the compiler has OpenMP. */
static ew_status run_plainly(const tune_bench *b, verify_result *out, ew_error *err) {
  ew_error first = {0};
  if (run_plainly_on(b, "c-openmp", out, &first) == EW_OK) return EW_OK;
  verify_result_clear(out);
  return run_plainly_on(b, "c", out, err);
}

/* All but the values, field by field. */
typedef struct head {
  int n_fields;
  double t;
  int64_t steps;
} head;

typedef struct remembering {
  const tune_bench *bench;
  FILE *file;
} remembering;

static ew_status remember(void *data, void *result, ew_error *err) {
  const remembering *r = data;
  verify_result v = {0};
  ew_status status;
  EW_CHECK(run_plainly(r->bench, &v, err));
  *(head *)result = (head){v.n_fields, v.t, v.steps};
  for (int i = 0; i < v.n_fields; i++) {
    const verify_field *f = &v.field[i];
    if (fwrite(f->name, sizeof f->name, 1, r->file) != 1 || fwrite(&f->n, sizeof f->n, 1, r->file) != 1 ||
        fwrite(f->value, sizeof *f->value, (size_t)f->n, r->file) != (size_t)f->n)
      EXEC_LEAVE(err, EW_IO, "the reference's values cannot be kept in a temporary file");
  }
  if (fflush(r->file) != 0)
    EXEC_LEAVE(err, EW_IO, "the reference's values cannot be kept in a temporary file");
cleanup:
  verify_result_clear(&v);
  return status;
}

static ew_status recall(FILE *file, const head *h, verify_result *out, ew_error *err) {
  bool starved = false;
  rewind(file);
  *out = (verify_result){.t = h->t, .steps = h->steps};
  out->field = calloc((size_t)h->n_fields + 1, sizeof *out->field);
  for (; out->field && out->n_fields < h->n_fields; out->n_fields++) {
    verify_field *f = &out->field[out->n_fields];
    if (fread(f->name, sizeof f->name, 1, file) != 1 || fread(&f->n, sizeof f->n, 1, file) != 1) break;
    f->value = calloc((size_t)f->n + 1, sizeof *f->value);
    starved = !f->value;
    if (starved || fread(f->value, sizeof *f->value, (size_t)f->n, file) != (size_t)f->n) break;
  }
  if (!out->field || starved) return ew_fail(err, EW_FAIL, "out of memory for the reference's values");
  if (out->n_fields == h->n_fields) return EW_OK;
  return ew_fail(err, EW_IO, "the reference's values cannot be read back from a temporary file");
}

/* In a process of its own as well: OpenMP's threads, which runs on nodes use, do not survive a fork either. */
ew_status tune_reference(const tune_bench *b, tune_patience patience, verify_result *out, ew_error *err) {
  ew_status status;
  head h = {0};
  remembering r = {b, tmpfile()};
  if (!r.file)
    return errno == ENOMEM ? ew_fail(err, EW_FAIL, "out of memory for a temporary file")
                           : ew_fail(err, EW_IO, "no temporary file can be made: %s", strerror(errno));
  EW_CHECK(tune_in_process(remember, &r, patience, &h, sizeof h, err));
  EW_CHECK(recall(r.file, &h, out, err));
cleanup:
  fclose(r.file);
  return status;
}

/* Each of a case's solves may leave its tolerance; else rounding is all that may differ, that of single precision where the case
 * stores some numbers so: forms of equations then round at different places. */
static double tolerance(const dslc_program *p) {
  for (int i = 0; i < p->execution.n_buffers; i++)
    if (p->execution.buffer[i].element == DSLC_F32) return 1e-5;
  return p->execution.n_solves || p->execution.n_repeats ? 1e-6 : 1e-9;
}

static ew_status check(const tune_bench *b, runner *r, dev_context *device, tune_times *out, ew_error *err) {
  ew_status status;
  verify_result own = {0};
  EW_CHECK(take_steps(r, device, STEPS_CHECKED, &out->seconds, err));
  EW_CHECK(verify_collect(r->run, &own, err));
  const verify_difference d = verify_compare(b->reference, &own, 0);
  out->right = d.most <= tolerance(r->program);
  if (!out->right) snprintf(out->note, sizeof out->note, "differs by %.2g: %.200s", d.most, d.text);
cleanup:
  verify_result_clear(&own);
  return status;
}

/* ---- how fast? -------------------------------------------------------------------------------------------------------------------- */

/* Rounds are short: while others use the machine too, some of them are left alone. */
static int64_t steps_of_round(double step) {
  const double wanted = 0.003 / (step > 1e-7 ? step : 1e-7);
  return wanted < 1 ? 1 : wanted > 2000 ? 2000 : (int64_t)wanted;
}

/* What is so much slower than the default need not be measured for long. */
static const double HOPELESS = 0.75;
static const double LEAST_TIME = 0.4; /* s of rounds, once there are enough of them */

typedef struct rounds {
  double mine[MOST_ROUNDS], other[MOST_ROUNDS];         /* s of the clock */
  double mine_own[MOST_ROUNDS], other_own[MOST_ROUNDS]; /* s of the processors */
  int n, disturbed;                                     /* rounds in which a processor was taken away */
} rounds;

static double processor_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static long taken_away(void) {
  struct rusage u;
  return getrusage(RUSAGE_SELF, &u) == 0 ? u.ru_nivcsw : 0;
}

static ew_status take_sample(runner *r, dev_context *device, int64_t steps, double *wall, double *own,
                             ew_error *err) {
  const double before = processor_seconds();
  const ew_status status = take_steps(r, device, steps, wall, err);
  *own = processor_seconds() - before;
  return status;
}

/* In turn, now the one first, now the other, so that whatever slows the machine down slows both. */
static ew_status one_round(runner *own, runner *base, dev_context *device, int64_t steps, rounds *r,
                           ew_error *err) {
  ew_status status;
  const int i = r->n;
  const long before = taken_away();
  if (i % 2) EW_CHECK(take_sample(own, device, steps, &r->mine[i], &r->mine_own[i], err));
  EW_CHECK(take_sample(base, device, steps, &r->other[i], &r->other_own[i], err));
  if (i % 2 == 0) EW_CHECK(take_sample(own, device, steps, &r->mine[i], &r->mine_own[i], err));
  r->disturbed += taken_away() > before;
  r->n++;
cleanup:
  return status;
}

/* Nearly the shortest: disturbances only ever make a round longer, and the very shortest may be chance. */
static double quiet(double *seconds, int n) {
  ew_median(seconds, n); /* sorts */
  return seconds[n / 10];
}

static double least(const double *seconds, int n) {
  double best = seconds[0];
  for (int i = 1; i < n; i++) best = seconds[i] < best ? seconds[i] : best;
  return best;
}

/* Times of the clock and of the processor say so, of one round where it is plain. */
static bool is_hopeless(const rounds *r) {
  const double ratio = r->n >= ROUNDS ? HOPELESS : r->n >= 1 ? HOPELESS / 4 : 0;
  return ratio > 0 && least(r->other, r->n) < ratio * least(r->mine, r->n) &&
         least(r->other_own, r->n) < ratio * least(r->mine_own, r->n);
}

/* Kernels that run on the processor are compared by the time that it spends on them where others take it away all the time: no clock
 * is right then, and what a step takes is that of the default over the gain. */
static void evaluate(rounds *r, bool on_processor, int64_t steps, tune_times *out) {
  const bool busy = on_processor && 4 * r->disturbed > r->n;
  const double mine = quiet(r->mine, r->n), other = quiet(r->other, r->n);
  const double mine_own = ew_median(r->mine_own, r->n), other_own = ew_median(r->other_own, r->n);
  out->gain = mine > 0 ? other / mine : 0;
  if (busy && mine_own > 0) out->gain = other_own / mine_own;
  if (busy) snprintf(out->note, sizeof out->note, "by processor time: the machine is busy");
  out->default_seconds = other / (double)steps;
  out->seconds = busy && out->gain > 0 ? out->default_seconds / out->gain : mine / (double)steps;
}

static ew_status race(runner *own, runner *base, dev_context *device, int effort, tune_times *out,
                      ew_error *err) {
  ew_status status = EW_OK;
  double warm;
  rounds *r = calloc(1, sizeof *r);
  if (!r) return ew_fail(err, EW_FAIL, "out of memory to measure");
  EW_CHECK(take_steps(base, device, STEPS_CHECKED, &warm, err));
  EW_CHECK(take_steps(own, device, 1, &warm, err));
  EW_CHECK(take_steps(base, device, 1, &warm, err));
  const int64_t steps = steps_of_round(warm);
  const double begun = ew_seconds();
  while (r->n < MOST_ROUNDS && !is_hopeless(r) &&
         (r->n < ROUNDS || ew_seconds() - begun < (effort > 1 ? effort : 1) * LEAST_TIME)) {
    status = one_round(own, base, device, steps, r, err);
    if (status == EW_DIVERGED && r->n >= ROUNDS)
      break; /* a case made for it may not last: what was measured counts */
    EW_CHECK(status);
  }
  status = EW_OK;
  evaluate(r, dev_get_info(device)->type != DEV_GPU, steps, out);
cleanup:
  free(r);
  return status;
}

ew_status tune_measure(const tune_bench *b, dev_context **device, const profile_setting *set, int n,
                       tune_times *out, ew_error *err) {
  ew_status status;
  runner own = {0}, base = {0};
  *out = (tune_times){0};
  if (!*device) EW_CHECK(dev_context_create(b->device, device, err));
  EW_CHECK(open_runner(b, *device, set, n, &own, err));
  EW_CHECK(check(b, &own, *device, out, err));
  if (!out->right) goto cleanup;
  EW_CHECK(open_runner(b, *device, NULL, 0, &base, err));
  EW_CHECK(race(&own, &base, *device, b->effort, out, err));
cleanup:
  close_runner(&own);
  close_runner(&base);
  return status;
}
