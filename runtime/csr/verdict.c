/* What the end of a solve means, in words for users. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "csr/internal.h"

/* ---- which row ---- */

static bool is_zero_or_wild(double value) { return !isfinite(value) || value == 0.0; }
static bool is_wild(double value) { return !isfinite(value); }
static bool is_not_positive(double value) { return !(value > 0.0); }

/* The first entry for which `bad` holds, with its value in *found, or -1. */
static int64_t first_bad(const dev_buffer *buffer, int64_t count, bool (*bad)(double), double *value) {
  ew_error ignored;
  int64_t found = -1;
  double *values = malloc((size_t)count * sizeof *values + 1);
  if (values && count > 0 &&
      dev_buffer_read((dev_buffer *)buffer, 0, (uint64_t)count * sizeof *values, values, &ignored) == EW_OK)
    for (int64_t i = 0; i < count && found < 0; i++)
      if (bad(values[i])) {
        found = i;
        *value = values[i];
      }
  free(values);
  return found;
}

/* "\nrow 3 has -2 on its diagonal", where that is why a matrix is not positive definite; else "". */
static const char *name_row(const csr_system *s, char text[96]) {
  double value = 0;
  const int64_t row = first_bad(s->op->diagonal, s->op->n, is_not_positive, &value);
  text[0] = '\0';
  if (row >= 0) snprintf(text, 96, "\nrow %" PRId64 " has %.6g on its diagonal", row + 1, value);
  return text;
}

/* ---- what is not finite ---- */

static ew_status fail_not_finite(const csr_system *s, int iteration, ew_error *err) {
  const csr_operator *op = s->op;
  const struct {
    const char *what;
    const dev_buffer *buffer;
    int64_t count;
    bool (*bad)(double);
  } places[] = {
      {"right-hand side has a value that is not finite in row", s->current.b, op->n, is_wild},
      {"diagonal of the matrix is not finite, or 0, in row", op->diagonal, op->n,
       s->options.preconditioner != CSR_NONE ? is_zero_or_wild : is_wild},
      {"matrix has a value that is not finite off its diagonal, at entry", op->off, op->entries, is_wild}};
  double value;
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    int64_t at = first_bad(places[i].buffer, places[i].count, places[i].bad, &value);
    if (at >= 0)
      return ew_fail(err, EW_NOT_CONVERGED,
                     "the linear solver met values that are not finite in iteration %d: the %s %" PRId64,
                     iteration, places[i].what, at + 1);
  }
  return ew_fail(
      err, EW_NOT_CONVERGED,
      "the linear solver met values that are not finite in iteration %d, though matrix and "
      "right-hand side are finite.\n"
      "hint: a guess that is not finite, numbers beyond 1e150, whose squares overflow, or with multigrid and "
      "chebyshev numbers beyond 1e30, which work in single precision",
      iteration);
}

/* ---- too slow ---- */

/* "0: 1.3e+00, 50: 2.1e-03, ..." */
static void sample_history(const csr_report *r, char *text, size_t size) {
  int last = r->n_history - 1, samples = last < 4 ? last : 4;
  size_t used = 0;
  text[0] = '\0';
  for (int k = 0; k <= samples && used < size; k++) {
    int at = samples ? (int)((int64_t)last * k / samples) : 0;
    used += (size_t)snprintf(text + used, size - used, "%s%d: %.3g", k ? ", " : "", at, r->history[at]);
  }
}

static ew_status fail_slow(const csr_system *s, const char *how, const char *hint, ew_error *err) {
  const csr_report *r = &s->current.report;
  char history[256];
  sample_history(r, history, sizeof history);
  return ew_fail(
      err, EW_NOT_CONVERGED,
      "the linear solver %s in %d iterations: |r| = %.3g, |b| = %.3g, the tolerance asks for |r| <= %.3g\n"
      "|r| by iteration: %s\nhint: %s",
      how, r->iterations, r->residual, r->right_hand_side, s->current.request->tolerance * r->right_hand_side,
      history, hint);
}

/* What conjugate gradients and minres cannot do without. */
static ew_status fail_indefinite(const csr_system *s, ew_error *err) {
  const double *seen = csr_seen(s);
  char row[96];
  const bool minres = s->options.method == CSR_MINRES;
  if ((int)seen[STATE_STOP] == STOP_INDEFINITE)
    return ew_fail(err, EW_NOT_CONVERGED,
                   "conjugate gradients met a matrix that is not positive definite: d.Ad = %.6g in iteration "
                   "%d, |r| = %.3g%s\n"
                   "hint: is the sign right (diagonal > 0)? are boundary rows and columns symmetric? method "
                   "'minres' takes symmetric matrices that are indefinite, 'gmres' and 'bicgstab' any; a "
                   "singular one ends so "
                   "where the right-hand side lies outside of what it reaches",
                   seen[STATE_VALUE], (int)seen[STATE_ITERATION], s->current.report.residual,
                   name_row(s, row));
  return ew_fail(
      err, EW_NOT_CONVERGED,
      "%s met a preconditioner that is not positive definite: r.Mr = %.6g in iteration %d%s\n"
      "hint: %s needs one that is: 'jacobi' with a diagonal > 0, 'multigrid' and 'chebyshev' with a "
      "positive definite matrix with values between 1e-30 and 1e30. Method 'minres' with 'jacobi' or "
      "'none' takes symmetric matrices that are indefinite, 'gmres' and 'bicgstab' any",
      minres ? "minres" : "conjugate gradients", seen[STATE_VALUE], (int)seen[STATE_ITERATION],
      name_row(s, row), minres ? "minres" : "cg");
}

static ew_status fail_limit(const csr_system *s, ew_error *err) {
  char hint[256], row[96];
  const bool multigrid = s->options.preconditioner == CSR_MULTIGRID && *name_row(s, row);
  if (multigrid)
    snprintf(hint, sizeof hint, "multigrid needs a diagonal > 0, but %s: preconditioner 'jacobi' or 'none'",
             row + 1);
  return fail_slow(s, "has not converged",
                   multigrid          ? hint
                   : s->options.mixed ? "precision 'double', more iterations, or a larger tolerance"
                                      : "more iterations, a stronger preconditioner, or a larger tolerance",
                   err);
}

static ew_status fail_outside(const csr_system *s, ew_error *err) {
  const csr_report *r = &s->current.report;
  return ew_fail(
      err, EW_NOT_CONVERGED,
      "the system has no solution to rounding: %.3g of the right-hand side's %.3g lies outside of what the "
      "matrix reaches with more than 2e-8 of its norm, after %d iterations\n"
      "hint: the matrix is singular, or nearly so: hold an unknown, or make the right-hand side one that it "
      "reaches; method 'gmres' tries all the same",
      r->residual, r->right_hand_side, r->iterations);
}

static ew_status fail_stuck(const csr_system *s, ew_error *err) {
  if (!s->current.broke)
    return fail_slow(s, "stagnates",
                     "the tolerance may be beyond what rounding allows for this matrix, or the system has no "
                     "solution",
                     err);
  return fail_slow(s, "breaks down, a denominator being 0,",
                   s->options.method == CSR_GMRES
                       ? "the matrix is singular, and the system perhaps without a solution"
                       : "method 'gmres' has no such denominators; is the matrix singular?",
                   err);
}

ew_status csr_verdict(const csr_system *s, ew_error *err) {
  const double *seen = csr_seen(s);
  int iteration = (int)seen[STATE_ITERATION];
  switch ((int)seen[STATE_STOP]) {
  case STOP_CONVERGED:
  case STOP_IDLE:
  case STOP_ZERO: return EW_OK;
  case STOP_NOT_FINITE: return fail_not_finite(s, iteration, err);
  case STOP_INDEFINITE:
  case STOP_PRECONDITIONER: return fail_indefinite(s, err);
  case STOP_LIMIT: return fail_limit(s, err);
  case STOP_OUTSIDE: return fail_outside(s, err);
  default: return fail_stuck(s, err);
  }
}
