#include "csr/linear.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/timing.h"
#include "csr/model.h"
#include "csr/null_space.h"
#include "csr/precondition.h"

linear_options linear_defaults(void) {
  return (linear_options){.preconditioner = CSR_MULTIGRID,
                          .method_open = true,
                          .preconditioner_open = true,
                          .tolerance = 1e-8,
                          .iterations = 1000};
}

/* ---- the matrix as the solver has it ------------------------------------------------------------------------------ */

void linear_parts_clear(linear_parts *p) {
  free(p->start);
  free(p->col);
  free(p->off);
  free(p->diagonal);
  *p = (linear_parts){0};
}

static ew_status split(const csr_rows *a, linear_parts *p, ew_error *err) {
  ew_status status;
  int32_t at = 0;
  EW_CHECK(EW_NEW(p->start, (size_t)a->rows + 1));
  EW_CHECK(EW_NEW(p->col, a->start[a->rows]));
  EW_CHECK(EW_NEW(p->off, a->start[a->rows]));
  EW_CHECK(EW_NEW(p->diagonal, a->rows));
  for (int32_t i = 0; i < a->rows; i++) {
    for (int32_t k = a->start[i]; k < a->start[i + 1]; k++) {
      if (a->col[k] == i) {
        p->diagonal[i] = a->value[k];
      } else {
        p->col[at] = a->col[k];
        p->off[at++] = a->value[k];
      }
    }
    p->start[i + 1] = at;
  }
cleanup:
  return status;
}

/* ---- what can be known before ---------------------------------------------------------------------------------------- */

static ew_status check_symmetry(const csr_rows *a, const char *method, ew_error *err) {
  int32_t at[2];
  double value[2];
  if (linear_is_symmetric(a, at, value)) return EW_OK;
  return ew_fail(err, EW_INPUT,
                 "the matrix is not symmetric: entry (%d, %d) is %g, entry (%d, %d) is %g\n"
                 "hint: %s needs a symmetric matrix; bicgstab and gmres do not",
                 at[0] + 1, at[1] + 1, value[0], at[1] + 1, at[0] + 1, value[1], method);
}

static bool is_empty(const csr_rows *a, int32_t row) {
  for (int32_t k = a->start[row]; k < a->start[row + 1]; k++)
    if (a->value[k] != 0) return false;
  return true;
}

static ew_status check_rows(const csr_rows *a, ew_error *err) {
  for (int32_t i = 0; i < a->rows; i++)
    if (is_empty(a, i))
      return ew_fail(err, EW_INPUT,
                     "row %d of the matrix has no entry that is not 0: the matrix is singular\n"
                     "hint: give it a diagonal, or leave out the row and its unknown",
                     i + 1);
  return EW_OK;
}

static ew_status check(const csr_rows *a, const linear_options *o, const double *diagonal, ew_error *err) {
  ew_status status = check_rows(a, err);
  if (status != EW_OK) return status;
  for (int32_t i = 0; i < a->rows && o->preconditioner != CSR_NONE; i++)
    if (diagonal[i] == 0)
      return ew_fail(
          err, EW_INPUT,
          "row %d of the matrix has a zero on its diagonal, which %s divides by\nhint: preconditioner none",
          i + 1, csr_preconditioner_name(o->preconditioner));
  const bool any = o->method == CSR_BICGSTAB || o->method == CSR_GMRES;
  return any ? EW_OK : check_symmetry(a, csr_method_name(o->method), err);
}

ew_status linear_split(const csr_rows *a, const linear_options *o, linear_parts *out, ew_error *err) {
  *out = (linear_parts){0};
  if (a->rows != a->columns)
    return ew_fail(err, EW_INPUT, "the matrix is %d x %d; only square systems are solved", a->rows,
                   a->columns);
  ew_status status = split(a, out, err);
  return status == EW_OK ? check(a, o, out->diagonal, err) : status;
}

/* ---- solve -------------------------------------------------------------------------------------------------------------- */

/* What a solve has on its device. */
typedef struct loaded {
  dev_context *device;
  csr_system *system;
  dev_buffer *off, *diagonal, *b, *x;
} loaded;

static void unload(loaded *l) {
  csr_destroy(&l->system);
  dev_buffer **own[] = {&l->off, &l->diagonal, &l->b, &l->x};
  for (size_t k = 0; k < sizeof own / sizeof *own; k++) dev_buffer_destroy(own[k]);
  dev_context_destroy(&l->device);
}

/* A x = b; x: the guess, then the solution. */
typedef struct problem {
  const csr_rows *a;
  const linear_parts *parts;
  const double *b;
  double *x;
} problem;

static ew_status load(loaded *l, const problem *q, const csr_options *options, ew_error *err) {
  ew_status status;
  const csr_rows *a = q->a;
  const linear_parts *p = q->parts;
  const csr_pattern pattern = {a->rows, p->start, p->col};
  const uint64_t vector = 8 * (uint64_t)a->rows; /* bytes */
  EW_CHECK(dev_buffer_upload(l->device, "matrix", p->off, 8 * (uint64_t)p->start[a->rows], &l->off, err));
  EW_CHECK(dev_buffer_upload(l->device, "diagonal", p->diagonal, vector, &l->diagonal, err));
  EW_CHECK(dev_buffer_upload(l->device, "right-hand side", q->b, vector, &l->b, err));
  EW_CHECK(dev_buffer_upload(l->device, "solution", q->x, vector, &l->x, err));
  EW_CHECK(csr_create(l->device, &pattern, NULL, options, &l->system, err));
  EW_CHECK(csr_set_values(l->system, l->off, l->diagonal, err));
  EW_CHECK(dev_finish(l->device, err));
cleanup:
  return status;
}

/* `status` of the solve, which is returned unless there is no memory for what is kept. */
static ew_status keep_report(const csr_report *from, linear_result *to, ew_status status, ew_error *err) {
  to->end = from->end;
  to->outside = from->outside > 0 ? from->outside / hypot(from->outside, from->right_hand_side) : 0;
  to->iterations = from->iterations;
  to->mixed = from->mixed;
  to->residual = from->residual;
  to->right_hand_side = from->right_hand_side;
  to->solve_seconds = from->seconds;
  to->history = malloc(((size_t)from->n_history + 1) * sizeof *to->history);
  to->n_history = to->history ? from->n_history : 0;
  if (!to->history) return ew_fail(err, EW_FAIL, "out of memory for the history of a solve");
  if (to->n_history) memcpy(to->history, from->history, (size_t)to->n_history * sizeof *to->history);
  return status;
}

static ew_status solve_on_device(const problem *q, bool constant_null, const linear_options *o,
                                 linear_result *r, ew_error *err) {
  ew_status status;
  const int32_t rows = q->a->rows;
  loaded l = {0};
  csr_report report = {0};
  const csr_request request = {.tolerance = o->tolerance, .iterations = o->iterations};
  csr_options options = {.method = o->method,
                         .preconditioner = o->preconditioner,
                         .tuning = o->tuning,
                         .mixed = o->mixed,
                         .constant_null = constant_null};
  EW_CHECK(dev_context_create(o->device, &l.device, err));
  bool known;
  if (o->recall)
    EW_CHECK(o->recall(l.device, &(csr_pattern){rows, q->parts->start, q->parts->col}, &options, &known,
                       &r->aside, err));
  options.method = o->method; /* tuning knows a faster recurrence, but this one was asked for */
  snprintf(r->device, sizeof r->device, "%s", dev_name(l.device));
  const double begun = ew_seconds();
  EW_CHECK(load(&l, q, &options, err));
  r->setup_seconds = ew_seconds() - begun;
  status = csr_solve(l.system, l.b, l.x, &request, &report, err);
  status = keep_report(&report, r, status, err);
  if (status == EW_OK || status == EW_NOT_CONVERGED) {
    ew_status read = dev_buffer_read(l.x, 0, 8 * (uint64_t)rows, q->x, status == EW_OK ? err : NULL);
    if (status == EW_OK) status = read;
  }
cleanup:
  unload(&l);
  return status;
}

/* |b - own| / |b|, without what rounding makes of sums. */
static double distance_share(const double *b, const double *own, int32_t n) {
  double apart = 0, all = 0, most = 0;
  for (int32_t i = 0; i < n; i++) most = fmax(most, fabs(b[i]));
  for (int32_t i = 0; i < n && most > 0;
       i++) { /* parts of the largest, whose squares neither overflow nor underflow */
    const double off = b[i] / most - own[i] / most, whole = b[i] / most;
    apart += off * off;
    all += whole * whole;
  }
  return apart > 1e-28 * n * all ? sqrt(apart / all) : 0;
}

/* A matrix that is one singular part is left to the solver, which takes the means out on the device. Several parts, or some of them, are
 * made ready here: `b` loses its mean in each, `x` gets the guess's back. */
static ew_status solve_in_parts(const problem *q, const null_space *null, const linear_options *o,
                                linear_result *r, ew_error *err) {
  ew_status status;
  const int32_t rows = q->a->rows;
  double *own = NULL, *mean = NULL, *guessed = NULL;
  EW_CHECK(EW_NEW(own, rows));
  EW_CHECK(EW_NEW(mean, null->n));
  EW_CHECK(EW_NEW(guessed, null->n));
  memcpy(own, q->b, (size_t)rows * sizeof *own);
  null_space_means(null, own, mean);
  null_space_shift(null, -1, mean, own);
  const double outside = distance_share(q->b, own, rows);
  null_space_means(null, q->x, guessed);
  status = solve_on_device(&(problem){q->a, q->parts, own, q->x}, false, o, r, err);
  r->outside = outside;
  EW_CHECK(status);
  null_space_means(null, q->x, mean);
  null_space_shift(null, -1, mean, q->x);
  null_space_shift(null, 1, guessed, q->x);
cleanup:
  free(own);
  free(mean);
  free(guessed);
  return status;
}

/* With method and preconditioner as they are. */
static ew_status attempt(const csr_rows *a, const double *b, double *x, const linear_options *o,
                         linear_result *r, ew_error *err) {
  ew_status status;
  linear_parts p = {0};
  null_space null = {0};
  const problem q = {a, &p, b, x};
  r->method = o->method;
  r->preconditioner = o->preconditioner;
  EW_CHECK(linear_split(a, o, &p, err));
  r->entries = p.start[a->rows];
  EW_CHECK(null_space_find(a, &null, err));
  r->null_parts = null.n;
  if (null.n == 0 || null_space_is_whole(&null)) EW_CHECK(solve_on_device(&q, null.n == 1, o, r, err));
  else EW_CHECK(solve_in_parts(&q, &null, o, r, err));
cleanup:
  null_space_clear(&null);
  linear_parts_clear(&p);
  return status;
}

/* |A'r| beside what it could be: at the least residual there is, where that is not 0, it is rounding. */
static ew_status measure_range(const csr_rows *a, const double *b, const double *x, double *share,
                               ew_error *err) {
  ew_status status;
  double *r = NULL, *back = NULL, rr = 0, size = 0, image = 0;
  EW_CHECK(EW_NEW(r, a->rows));
  EW_CHECK(EW_NEW(back, a->rows));
  linear_multiply(a, x, r);
  for (int32_t i = 0; i < a->rows; i++) {
    r[i] = b[i] - r[i];
    rr += r[i] * r[i];
    for (int32_t k = a->start[i]; k < a->start[i + 1]; k++) {
      back[a->col[k]] += a->value[k] * r[i];
      size += a->value[k] * a->value[k] * r[i] * r[i];
    }
  }
  for (int32_t i = 0; i < a->rows; i++) image += back[i] * back[i];
  *share = rr > 0 && size > 0 && isfinite(size) ? sqrt(image / size) : 1;
cleanup:
  free(r);
  free(back);
  return status;
}

/* A residual that the matrix's columns do not reach is no fault of the method. */
static void explain_range(const csr_rows *a, const double *b, const double *x, const linear_result *r,
                          ew_error *err) {
  double share;
  ew_error ignored = {0};
  const bool ended = r->end == CSR_END_LIMIT || r->end == CSR_END_STAGNATED || r->end == CSR_END_BREAKDOWN;
  if (!ended || r->null_parts > 0 || measure_range(a, b, x, &share, &ignored) != EW_OK || !(share < 1e-9))
    return;
  const ew_error before = *err;
  ew_fail(
      err, EW_NOT_CONVERGED,
      "the system has no solution: the right-hand side lies outside of what the matrix reaches, by %.3g of "
      "its %.3g\n%s",
      r->residual, r->right_hand_side, before.text);
}

ew_status linear_solve(const csr_rows *a, const double *b, double *x, const linear_options *given,
                       linear_result *r, ew_error *err) {
  ew_status status;
  double *guess = NULL;
  linear_options o = *given;
  *r = (linear_result){.rows = a->rows};
  linear_choose(a, &o);
  r->first_method = o.method;
  EW_CHECK(EW_NEW(guess, a->rows));
  memcpy(guess, x, (size_t)a->rows * sizeof *guess);
  status = attempt(a, b, x, &o, r, err);
  while (status == EW_NOT_CONVERGED && linear_choose_another(r->end, &o)) {
    const linear_result before = *r;
    *r = (linear_result){.rows = a->rows, .first_method = before.first_method, .first_end = before.end};
    free(before.history);
    memcpy(x, guess, (size_t)a->rows * sizeof *guess);
    status = attempt(a, b, x, &o, r, err);
  }
  if (status == EW_NOT_CONVERGED) explain_range(a, b, x, r, err);
cleanup:
  free(guess);
  return status;
}

void linear_result_clear(linear_result *r) {
  free(r->history);
  *r = (linear_result){0};
}

void linear_multiply(const csr_rows *a, const double *x, double *y) {
  for (int32_t i = 0; i < a->rows; i++) {
    double sum = 0;
    for (int32_t k = a->start[i]; k < a->start[i + 1]; k++) sum += a->value[k] * x[a->col[k]];
    y[i] = sum;
  }
}

/* ---- the model problem ------------------------------------------------------------------------------------------------------ */

static void list_entries(const csr_model *m, int32_t *row, int32_t *col, double *value) {
  int32_t at = 0;
  for (int32_t i = 0; i < m->pattern.n; i++) {
    row[at] = col[at] = i;
    value[at++] = m->diagonal[i];
    for (int32_t k = m->pattern.start[i]; k < m->pattern.start[i + 1]; k++) {
      row[at] = i;
      col[at] = m->pattern.col[k];
      value[at++] = m->off[k];
    }
  }
}

ew_status linear_laplacian(int side, bool fixed, csr_rows **out, ew_error *err) {
  ew_status status;
  csr_model m = {0};
  int32_t *row = NULL, *col = NULL;
  double *value = NULL;
  *out = NULL;
  EW_CHECK(csr_model_laplacian(side, fixed, &m, err));
  const size_t n = (size_t)m.pattern.n + (size_t)m.pattern.start[m.pattern.n];
  EW_CHECK(EW_NEW(row, n));
  EW_CHECK(EW_NEW(col, n));
  EW_CHECK(EW_NEW(value, n));
  list_entries(&m, row, col, value);
  const csr_entries e = {m.pattern.n, m.pattern.n, n, row, col, value};
  EW_CHECK(csr_rows_create(&e, out, err));
cleanup:
  free(row);
  free(col);
  free(value);
  csr_model_clear(&m);
  return status;
}
