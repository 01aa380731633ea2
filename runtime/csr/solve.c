/* A solve: its beginning, the iterations queued between two looks, and its end at the true residual. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/timing.h"
#include "csr/internal.h"

/* ---- what the kernels shared by all methods do, queued ---- */

static csr_call shared(csr_system *s, csr_shared kernel, ew_error *err) {
  return csr_call_begin(s->op, s->shared[kernel], err);
}

static ew_status open_state(csr_system *s, ew_error *err) {
  csr_call c = shared(s, CSR_OPEN, err);
  csr_call_buffer(&c, s->current.request->done ? s->current.request->done : s->progress.never);
  csr_call_buffer(&c, s->progress.idle);
  csr_call_buffer(&c, s->progress.state);
  return csr_call_one(&c);
}

static ew_status totals(csr_system *s, ew_error *err) {
  csr_call c = shared(s, CSR_TOTALS, err);
  csr_call_buffer(&c, s->current.b);
  csr_call_buffer(&c, s->current.x);
  csr_call_buffer(&c, s->partial[0]);
  return csr_call_vector(&c);
}

static ew_status means(csr_system *s, ew_error *err) {
  ew_status status = totals(s, err);
  if (status != EW_OK) return status;
  csr_call c = shared(s, CSR_MEANS, err);
  csr_call_buffer(&c, s->partial[0]);
  csr_call_int(&c, csr_operator_vector_groups(s->op));
  csr_call_buffer(&c, s->progress.state);
  csr_call_int(&c, s->current.request->keep_mean);
  return csr_call_one(&c);
}

static ew_status recentre(csr_system *s, ew_error *err) {
  ew_status status = totals(s, err);
  if (status != EW_OK) return status;
  csr_call c = shared(s, CSR_RECENTRE, err);
  csr_call_buffer(&c, s->partial[0]);
  csr_call_int(&c, csr_operator_vector_groups(s->op));
  csr_call_buffer(&c, s->progress.state);
  csr_call_buffer(&c, s->current.x);
  return csr_call_vector(&c);
}

static ew_status pin(csr_system *s, const csr_pin *at, ew_error *err) {
  csr_call c = shared(s, CSR_PIN, err);
  csr_call_buffer(&c, s->current.x);
  csr_call_int(&c, at->row);
  csr_call_real(&c, at->value);
  csr_call_buffer(&c, s->middle);
  const ew_status status = csr_call_one(&c);
  if (status != EW_OK) return status;
  c = shared(s, CSR_SHIFT, err);
  csr_call_buffer(&c, s->middle);
  csr_call_buffer(&c, s->current.x);
  return csr_call_vector(&c);
}

static ew_status zero(csr_system *s, ew_error *err) {
  csr_call c = shared(s, CSR_ZERO, err);
  csr_call_buffer(&c, s->progress.state);
  csr_call_buffer(&c, s->current.x);
  return csr_call_vector(&c);
}

static ew_status residual(csr_system *s, ew_error *err) {
  csr_call c = shared(s, CSR_RESIDUAL, err);
  csr_call_matrix(&c);
  csr_call_buffer(&c, s->progress.state);
  csr_call_buffer(&c, s->current.b);
  csr_call_buffer(&c, s->current.x);
  csr_call_buffer(&c, s->r);
  csr_call_buffer(&c, s->partial[0]);
  return csr_call_rows(&c);
}

static ew_status scale(csr_system *s, const dev_buffer *from, double factor, double more, dev_buffer *to,
                       ew_error *err) {
  csr_call c = shared(s, CSR_SCALE, err);
  csr_call_buffer(&c, from);
  csr_call_real(&c, factor);
  csr_call_real(&c, more);
  csr_call_buffer(&c, to);
  return csr_call_vector(&c);
}

/* |b|^2 below which b is enlarged: what else would underflow are squares, and what is in single precision. */
static double least_square(const csr_system *s) {
  return s->current.enlarged ? 0.0 : s->class || s->options.mixed ? 1e-50 : 1e-240;
}

/* The residual of x, the state from it, and the recurrence from both. */
static ew_status begin(csr_system *s, int32_t iteration, bool again, ew_error *err) {
  ew_status status = EW_OK;
  EW_CHECK(residual(s, err));
  csr_call c = shared(s, CSR_BEGIN, err);
  csr_call_buffer(&c, s->partial[0]);
  csr_call_int(&c, csr_operator_row_groups(s->op));
  csr_call_real(&c, s->current.request->tolerance);
  csr_call_real(&c, s->options.mixed ? csr_single_piece : 0);
  csr_call_int(&c, iteration);
  csr_call_int(&c, again);
  csr_call_real(&c, least_square(s));
  csr_call_buffer(&c, s->progress.state);
  csr_call_buffer(&c, s->progress.idle);
  csr_call_buffer(&c, s->progress.history);
  EW_CHECK(csr_call_one(&c));
  s->current.again = again;
  EW_CHECK(s->recurrence->start(s, err));
  s->current.began = iteration;
cleanup:
  return status;
}

/* ---- looking ---- */

static ew_status look(csr_system *s, ew_error *err) {
  s->current.report.looks++;
  return dev_buffer_read(s->progress.state, 0, sizeof s->progress.seen, s->progress.seen, err);
}

const double *csr_seen(const csr_system *s) {
  const double *other = s->progress.seen + STATE_SIZE;
  bool second = other[STATE_STOP] != STOP_NOT || other[STATE_ITERATION] > s->progress.seen[STATE_ITERATION];
  return s->progress.seen[STATE_STOP] == STOP_NOT && second ? other : s->progress.seen;
}

static int seen_stop(const csr_system *s) { return (int)csr_seen(s)[STATE_STOP]; }
static int32_t seen_iteration(const csr_system *s) { return (int32_t)csr_seen(s)[STATE_ITERATION]; }

/* Iterations to queue before the next look: those of the last solve, then as many again as it fell short by; or, the first time, a
 * quarter of what was made. Launches behind the last iteration cost little, looks a round trip. */
static int32_t batch(const csr_system *s, int32_t made) {
  int32_t first = s->progress.usual ? s->progress.usual + 1 : 16;
  int32_t more = s->progress.usual ? made - s->progress.usual : made / 4;
  int32_t next = made < first ? first - made : more > 8 ? more : 8;
  int32_t left = s->current.request->iterations + 1 - made;
  return next < left ? next : left;
}

/* The device begins on what is queued while the host queues more. */
static ew_status queue(csr_system *s, int32_t from, int32_t to, ew_error *err) {
  ew_status status = EW_OK;
  for (int32_t at = from; at < to; at++) {
    EW_CHECK(s->recurrence->iterate(s, at, err));
    if (at % 16 == 0) EW_CHECK(dev_flush(s->op->device, err));
  }
cleanup:
  return status;
}

/* Iterations until the device has stopped; the one after the last allowed finds that it is not allowed. A driver whose launches do nothing
 * would never stop. */
static ew_status iterate(csr_system *s, ew_error *err) {
  ew_status status = EW_OK;
  int32_t made = s->current.began;
  do {
    int32_t more = batch(s, made);
    if (more <= 0) {
      status =
          ew_fail(err, EW_DEVICE,
                  "the device has not counted the iterations of a linear solver: its launches do nothing");
      goto cleanup;
    }
    EW_CHECK(queue(s, made, made + more, err));
    EW_CHECK(look(s, err));
    made += more;
  } while (seen_stop(s) == STOP_NOT);
cleanup:
  return status;
}

/* ---- the end ---- */

static ew_status bring_home(csr_system *s, ew_error *err) {
  const csr_recurrence *r = s->recurrence;
  const ew_status status = r->finish ? r->finish(s, seen_iteration(s), err) : EW_OK;
  if (status != EW_OK) return status;
  dev_buffer *at = s->recurrence->solution(s, seen_iteration(s));
  return at == s->current.x ? EW_OK
                            : dev_buffer_copy(s->current.x, 0, at, 0,
                                              (uint64_t)csr_operator_rows(s->op) * sizeof(double), err);
}

/* Takes x home and looks at its true residual, from which the recurrence goes on if it is too large. */
static ew_status confirm(csr_system *s, ew_error *err) {
  ew_status status = EW_OK;
  if (s->options.constant_null) EW_CHECK(recentre(s, err));
  EW_CHECK(begin(s, seen_iteration(s), true, err));
  EW_CHECK(look(s, err));
cleanup:
  return status;
}

/* What an end at the limit reports is the true residual, too; that may be small enough. */
static ew_status end_at_limit(csr_system *s, ew_error *err) {
  const ew_status status = confirm(s, err);
  if (status == EW_OK && seen_stop(s) == STOP_NOT)
    s->progress.seen[STATE_STOP] = s->progress.seen[STATE_SIZE + STATE_STOP] = STOP_LIMIT;
  return status;
}

/* Single precision does not suffice: the matrix, rounded, is not positive definite, or the true residual does not get smaller with the
 * recurrence's. What is not part of the solution yet is dropped. */
static ew_status go_on_in_double(csr_system *s, ew_error *err) {
  ew_status status;
  const int32_t iteration = seen_iteration(s);
  EW_CHECK(csr_give_up_single(s, err));
  EW_CHECK(begin(s, iteration, true, err));
  EW_CHECK(look(s, err));
  s->current.report.restarts++;
cleanup:
  return status;
}

static bool is_too_coarse(const csr_system *s) {
  const int stop = seen_stop(s);
  return s->options.mixed &&
         (stop == STOP_INDEFINITE || stop == STOP_PRECONDITIONER || stop == STOP_NOT_FINITE);
}

/* A recurrence ends at a residual of its own, which rounding takes away from the true one; BiCGStab may also break down. Both begin
 * anew from the true residual, as long as that helps. */
static ew_status run(csr_system *s, ew_error *err) {
  ew_status status = EW_OK;
  for (double before = INFINITY;;) {
    EW_CHECK(iterate(s, err));
    int stop = seen_stop(s);
    if (stop == STOP_IDLE) break;
    if (is_too_coarse(s)) {
      EW_CHECK(go_on_in_double(s, err));
      if (seen_stop(s) != STOP_NOT) break;
      continue;
    }
    s->current.broke = stop == STOP_BREAKDOWN;
    EW_CHECK(bring_home(s, err));
    if (stop == STOP_LIMIT) EW_CHECK(end_at_limit(s, err));
    if (stop != STOP_CONVERGED && stop != STOP_BREAKDOWN) break;
    if (stop == STOP_CONVERGED && seen_iteration(s) == s->current.began)
      break; /* that was the true residual */
    EW_CHECK(confirm(s, err));
    if (seen_stop(s) != STOP_NOT) break;
    double rr = csr_seen(s)[STATE_RR];
    if (rr > 0.25 * before && !s->options.mixed) break;
    if (rr > 0.25 * before) EW_CHECK(go_on_in_double(s, err));
    before = rr;
    s->current.report.restarts++;
  }
  if (seen_stop(s) == STOP_ZERO) EW_CHECK(zero(s, err));
cleanup:
  return status;
}

/* From the state as it is, which says whether anything is to be done. */
static ew_status solve_once(csr_system *s, ew_error *err) {
  ew_status status = EW_OK;
  EW_CHECK(open_state(s, err));
  if (s->options.constant_null) EW_CHECK(means(s, err));
  EW_CHECK(begin(s, 0, false, err));
  EW_CHECK(run(s, err));
cleanup:
  return status;
}

/* A right-hand side whose square underflows is solved for as a multiple by a power of two, from a guess of 0: beside it the caller's guess
 * is right or of no use. Its mean, where that is free, comes back behind the solve. */
static ew_status solve_enlarged(csr_system *s, ew_error *err) {
  enum { MOST = 1000 }; /* of an exponent: the smallest number is 2^-1074 */
  ew_status status = EW_OK;
  const double mean = csr_seen(s)[STATE_MEAN];
  const dev_buffer *b = s->current.b;
  const int up = -ilogb(csr_seen(s)[STATE_VALUE]);
  const uint64_t bytes = (uint64_t)csr_operator_rows(s->op) * sizeof(double);
  s->current.enlarged = up < MOST ? up : MOST;
  if (!s->large)
    EW_CHECK(dev_buffer_create(s->op->device, "enlarged right-hand side", bytes, &s->large, err));
  EW_CHECK(scale(s, b, ldexp(1, s->current.enlarged), 0, s->large, err));
  EW_CHECK(scale(s, b, 0, 0, s->current.x, err));
  s->current.b = s->large;
  EW_CHECK(solve_once(s, err));
  EW_CHECK(dev_buffer_copy(s->r, 0, s->current.x, 0, bytes, err));
  EW_CHECK(scale(s, s->r, ldexp(1, -s->current.enlarged), mean, s->current.x, err));
cleanup:
  return status;
}

/* ---- report ---- */

static ew_status make_room(csr_system *s, ew_error *err) {
  int32_t need = s->current.request->iterations + 1;
  if (need <= s->progress.history_room) return EW_OK;
  double *history = realloc(s->progress.host_history, (size_t)need * sizeof *history);
  if (!history) return ew_fail(err, EW_FAIL, "out of memory for the history of %d iterations", need - 1);
  s->progress.host_history = history;
  dev_buffer_destroy(&s->progress.history);
  s->progress.history_room = 0;
  ew_status status = dev_buffer_create(s->op->device, "residual's history", (uint64_t)need * sizeof(double),
                                       &s->progress.history, err);
  if (status == EW_OK) s->progress.history_room = need;
  return status;
}

static csr_end end_of(const csr_system *s) {
  switch (seen_stop(s)) {
  case STOP_IDLE: return CSR_END_NOTHING;
  case STOP_CONVERGED:
  case STOP_ZERO: return CSR_END_CONVERGED;
  case STOP_LIMIT: return CSR_END_LIMIT;
  case STOP_INDEFINITE: return CSR_END_INDEFINITE;
  case STOP_PRECONDITIONER: return CSR_END_PRECONDITIONER;
  case STOP_OUTSIDE: return CSR_END_OUTSIDE;
  case STOP_NOT_FINITE: return CSR_END_NOT_FINITE;
  default: return s->current.broke ? CSR_END_BREAKDOWN : CSR_END_STAGNATED;
  }
}

/* The mean's norm; what rounding makes of a sum is none. */
static double norm_outside(const csr_system *s, const double *seen) {
  const double n = csr_operator_rows(s->op), mean = fabs(seen[STATE_SHIFT]) * sqrt(n);
  return mean > 1e-14 * sqrt(n) * sqrt(seen[STATE_BB] + mean * mean) ? mean : 0;
}

static ew_status fill_report(csr_system *s, ew_error *err) {
  const double *seen = csr_seen(s);
  csr_report *r = &s->current.report;
  r->end = end_of(s);
  r->outside = ldexp(norm_outside(s, seen), -s->current.enlarged);
  if (seen_stop(s) == STOP_IDLE) return EW_OK;
  const double size = ldexp(1, -s->current.enlarged);
  bool zero_b = seen_stop(s) == STOP_ZERO;
  r->iterations = seen_iteration(s);
  r->mixed = s->options.mixed;
  r->residual = zero_b ? 0.0 : size * sqrt(seen[STATE_RR]);
  r->right_hand_side = size * sqrt(seen[STATE_BB]);
  r->n_history = r->iterations + 1;
  r->history = s->progress.host_history;
  s->progress.usual = r->iterations;
  const ew_status status = dev_buffer_read(s->progress.history, 0, (uint64_t)r->n_history * sizeof(double),
                                           s->progress.host_history, err);
  for (int i = 0; status == EW_OK && i < r->n_history; i++) s->progress.host_history[i] *= size;
  return status;
}

static ew_status check_request(const csr_system *s, const dev_buffer *b, const dev_buffer *x,
                               const csr_request *request, ew_error *err) {
  uint64_t bytes = (uint64_t)csr_operator_rows(s->op) * sizeof(double);
  if (!s->op->diagonal) return ew_fail(err, EW_INTERNAL, "a solve before the values of the matrix were set");
  if (dev_buffer_bytes(b) < bytes || dev_buffer_bytes(x) < bytes)
    return ew_fail(err, EW_INTERNAL, "a solve with %d rows: '%s' has %" PRIu64 " bytes, '%s' %" PRIu64,
                   csr_operator_rows(s->op), dev_buffer_name(b), dev_buffer_bytes(b), dev_buffer_name(x),
                   dev_buffer_bytes(x));
  if (!(request->tolerance >= 0.0) || request->iterations < 0 || request->iterations > INT32_MAX - 1)
    return ew_fail(err, EW_INPUT,
                   "a solve with tolerance %g and %d iterations; expected neither to be negative",
                   request->tolerance, request->iterations);
  if (request->pin && (request->pin->row < 0 || request->pin->row >= csr_operator_rows(s->op)))
    return ew_fail(err, EW_INTERNAL, "a solve with %d rows is pinned in row %d", csr_operator_rows(s->op),
                   request->pin->row);
  return EW_OK;
}

ew_status csr_solve(csr_system *s, const dev_buffer *b, dev_buffer *x, const csr_request *request,
                    csr_report *report, ew_error *err) {
  ew_status status = EW_OK;
  double started = ew_seconds();
  s->current.report = (csr_report){0};
  s->current.broke = false;
  s->current.enlarged = 0;
  s->current.request = request;
  s->current.b = b;
  s->current.x = x;
  EW_CHECK(check_request(s, b, x, request, err));
  EW_CHECK(make_room(s, err));
  EW_CHECK(solve_once(s, err));
  if (seen_stop(s) == STOP_SMALL) EW_CHECK(solve_enlarged(s, err));
  if (request->pin && s->options.constant_null && seen_stop(s) != STOP_IDLE)
    EW_CHECK(pin(s, request->pin, err));
  EW_CHECK(fill_report(s, err));
  if (s->class && s->class->solved && s->current.report.n_history)
    s->class->solved(s->precondition, s->current.report.iterations);
  s->current.report.seconds = ew_seconds() - started;
  EW_CHECK(csr_verdict(s, err));
cleanup:
  if (report) *report = s->current.report;
  return status;
}
