#include "tune/linear.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/timing.h"
#include "tune/linear_internal.h"

/* ---- the store ---- */

enum { FORM, GROUP_BITS, ROWS_BITS, ROW_WAVES, VECTOR_WAVES, COLUMN_BITS, KERNELS, METHOD, SETTINGS };

static const tune_setting no_settings[SETTINGS] = {{"form", 0},      {"group_bits", 0},   {"rows_bits", 0},
                                                   {"row_waves", 0}, {"vector_waves", 0}, {"column_bits", 0},
                                                   {"kernels", 0},   {"method", 0}};

/* Matrices of about the same size and fullness share a result, if they also are on one side of where the rule for `kernels` changes. */
static void print_key(const dev_info *device, const csr_pattern *p, const csr_options *o, char *key,
                      size_t size) {
  double per_row = (double)p->start[p->n] / p->n;
  int kernels = csr_tuning_complete(device, &(csr_tuning){0}, p->n).kernels;
  snprintf(
      key, size,
      "linear, edgewise %s, device %s, driver %s, rows 2^%d, kernels %d, entries a row %d, method %d, %s",
      EW_VERSION, device->name, device->driver, ilogb((double)p->n), kernels, (int)(per_row + 0.5),
      (int)o->method, o->preconditioner == CSR_NONE ? "plain" : "preconditioned");
}

/* The methods' speeds differ where the preconditioner is part of their kernels. */
static bool may_change(const csr_options *o) {
  return o->method == CSR_CG && o->preconditioner <= CSR_JACOBI && !o->mixed;
}

static ew_status recall(const char *key, const dev_info *device, csr_options *o, bool *found, ew_error *aside,
                        ew_error *err) {
  tune_setting s[SETTINGS];
  ew_error wrong = {0};
  memcpy(s, no_settings, sizeof s);
  ew_status status = tune_recall(key, s, SETTINGS, found, aside, err);
  if (status != EW_OK || !*found) return status;
  *found = false;
  csr_tuning t = {.form = (csr_form)s[FORM].value,
                  .group_bits = s[GROUP_BITS].value,
                  .rows_bits = s[ROWS_BITS].value,
                  .row_waves = s[ROW_WAVES].value,
                  .vector_waves = s[VECTOR_WAVES].value,
                  .column_bits = s[COLUMN_BITS].value,
                  .kernels = s[KERNELS].value};
  if (csr_tuning_check(device, &t, &wrong) != EW_OK || t.form == CSR_FORM_RULE) {
    ew_fail(aside, EW_INPUT, "what is stored for '%s' cannot be used: %s", key,
            *wrong.text ? wrong.text : "it names no form");
    return EW_OK;
  }
  *found = true;
  o->tuning = t;
  if (may_change(o) && s[METHOD].value == CSR_CG_THREE_TERM) o->method = CSR_CG_THREE_TERM;
  return EW_OK;
}

static ew_status remember(const char *key, const csr_options *o, ew_error *err) {
  tune_setting s[SETTINGS];
  const csr_tuning *t = &o->tuning;
  const int values[SETTINGS] = {(int)t->form,    t->group_bits,  t->rows_bits, t->row_waves,
                                t->vector_waves, t->column_bits, t->kernels,   (int)o->method};
  memcpy(s, no_settings, sizeof s);
  for (int i = 0; i < SETTINGS; i++) s[i].value = values[i];
  return tune_remember(key, s, SETTINGS, err);
}

/* ---- one candidate ---- */

typedef struct trial {
  dev_context *device;
  const tune_matrix *matrix;
  const csr_options *candidates;
  tune_linear_table *table; /* of all stages */
  tune_linear_row *rows;    /* of this one, in the table */
  int candidate;
  csr_system *system;
  dev_buffer *b, *x;
  int iterations;           /* of a run */
  double *expected, *slack; /* A b on the host, and how far off it a product may be */
  double *solution;         /* what the default has after those iterations, NULL before it ran */
  double *host;             /* [n] */
  const volatile sig_atomic_t *stop;
} trial;

static uint64_t vector_bytes(const trial *t) { return (uint64_t)t->matrix->pattern.n * sizeof(double); }

static ew_status open_candidate(void *data, int candidate, ew_error *err) {
  trial *t = data;
  const tune_matrix *m = t->matrix;
  t->candidate = candidate;
  const csr_placed placed = {m->start, m->col};
  ew_status status = csr_create(t->device, &m->pattern, &placed, &t->candidates[candidate], &t->system, err);
  return status == EW_OK ? csr_set_values(t->system, m->off, m->diagonal, err) : status;
}

static void close_candidate(void *data) { csr_destroy(&((trial *)data)->system); }

/* A few iterations from 0; not to converge is no failure here. */
static ew_status iterate(trial *t, csr_report *report, ew_error *err) {
  double nothing = 0.0;
  csr_request request = {.tolerance = 1e-14, .iterations = t->iterations};
  ew_status status = dev_buffer_fill(t->x, 0, vector_bytes(t), &nothing, sizeof nothing, err);
  if (status == EW_OK) status = dev_finish(t->device, err);
  if (status == EW_OK) status = csr_solve(t->system, t->b, t->x, &request, report, err);
  return status == EW_NOT_CONVERGED ? EW_OK : status;
}

static ew_status run_candidate(void *data, double *seconds, ew_error *err) {
  csr_report report = {0};
  ew_status status = iterate(data, &report, err);
  *seconds = report.seconds / (report.iterations + 1);
  return status;
}

static bool close_to(const double *found, const double *expected, const double *slack, double scale,
                     int32_t n) {
  for (int32_t i = 0; i < n; i++)
    if (!(fabs(found[i] - expected[i]) <= (slack ? slack[i] : scale))) return false;
  return true;
}

static double largest(const double *x, int32_t n) {
  double most = 0.0;
  for (int32_t i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  return most;
}

/* The first candidate's solution is what the others are held against. */
static bool check_solution(trial *t) {
  int32_t n = t->matrix->pattern.n;
  if (t->solution) return close_to(t->host, t->solution, NULL, 1e-8 * largest(t->solution, n), n);
  t->solution = t->host;
  t->host = malloc(vector_bytes(t));
  return t->host != NULL;
}

static ew_status time_products(trial *t, int times, double *seconds, ew_error *err) {
  ew_status status = EW_OK;
  double start = ew_seconds();
  for (int k = 0; k < times; k++) EW_CHECK(csr_multiply(t->system, t->b, t->x, err));
  EW_CHECK(dev_finish(t->device, err));
  *seconds = (ew_seconds() - start) / times;
cleanup:
  return status;
}

/* The least of a few measurements, each long beside the clock and the way to the device. */
static ew_status time_product(trial *t, double *seconds, ew_error *err) {
  ew_status status = EW_OK;
  double took = 0.0;
  int times = 1;
  EW_CHECK(time_products(t, 1, seconds, err));
  while (times < 1024 && times * *seconds < 1e-3) times *= 4;
  for (int k = 0; k < 4; k++) {
    EW_CHECK(time_products(t, times, &took, err));
    if (took < *seconds) *seconds = took;
  }
cleanup:
  return status;
}

static ew_status check_candidate(void *data, int candidate, bool *right, ew_error *err) {
  trial *t = data;
  csr_report report;
  ew_status status = EW_OK;
  int32_t n = t->matrix->pattern.n;
  *right = false;
  EW_CHECK(csr_multiply(t->system, t->b, t->x, err));
  EW_CHECK(dev_buffer_read(t->x, 0, vector_bytes(t), t->host, err));
  if (!close_to(t->host, t->expected, t->slack, 0.0, n)) return EW_OK;
  EW_CHECK(time_product(t, &t->rows[candidate].product_seconds, err));
  EW_CHECK(iterate(t, &report, err));
  EW_CHECK(dev_buffer_read(t->x, 0, vector_bytes(t), t->host, err));
  *right = check_solution(t);
cleanup:
  return status;
}

/* ---- the reference, by plain C ---- */

static void multiply_plainly(trial *t, const double *b, const double *off, const double *diagonal) {
  const csr_pattern *p = &t->matrix->pattern;
  for (int32_t i = 0; i < p->n; i++) {
    double sum = diagonal[i] * b[i], size = fabs(sum);
    for (int32_t k = p->start[i]; k < p->start[i + 1]; k++) {
      sum += off[k] * b[p->col[k]];
      size += fabs(off[k] * b[p->col[k]]);
    }
    t->expected[i] = sum;
    t->slack[i] = 1e-13 * size;
  }
}

static ew_status make_reference(trial *t, ew_error *err) {
  ew_status status = EW_OK;
  const tune_matrix *m = t->matrix;
  int32_t n = m->pattern.n;
  uint64_t entries = (uint64_t)m->pattern.start[n] * sizeof(double), state = 1;
  double *off = malloc(entries + 1), *diagonal = malloc(vector_bytes(t));
  if (!off || !diagonal) EW_CHECK(ew_fail(err, EW_FAIL, "out of memory for tuning with %d rows", n));
  if (entries) EW_CHECK(dev_buffer_read((dev_buffer *)m->off, 0, entries, off, err));
  EW_CHECK(dev_buffer_read((dev_buffer *)m->diagonal, 0, vector_bytes(t), diagonal, err));
  for (int32_t i = 0; i < n; i++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    t->host[i] = (double)(int64_t)(state >> 11) * 0x1p-52 - 1.0;
  }
  EW_CHECK(dev_buffer_write(t->b, 0, vector_bytes(t), t->host, err));
  multiply_plainly(t, t->host, off, diagonal);
cleanup:
  free(off);
  free(diagonal);
  return status;
}

/* ---- life of a trial ---- */

/* Enough iterations that the beginning of a solve counts little, yet some milliseconds only. */
static int iterations_of(const dev_info *device, int32_t n) {
  if (device->type == DEV_GPU) return 100;
  double fitting = 4e6 / n;
  return fitting < 8.0 ? 8 : fitting > 100.0 ? 100 : (int)fitting;
}

static ew_status trial_create(trial *t, ew_error *err) {
  ew_status status = EW_OK;
  size_t bytes = vector_bytes(t);
  t->iterations = iterations_of(dev_get_info(t->device), t->matrix->pattern.n);
  t->expected = malloc(bytes);
  t->slack = malloc(bytes);
  t->host = malloc(bytes);
  if (!t->expected || !t->slack || !t->host)
    EW_CHECK(ew_fail(err, EW_FAIL, "out of memory for tuning with %d rows", t->matrix->pattern.n));
  EW_CHECK(dev_buffer_create(t->device, "tuning's right-hand side", bytes, &t->b, err));
  EW_CHECK(dev_buffer_create(t->device, "tuning's solution", bytes, &t->x, err));
  EW_CHECK(make_reference(t, err));
cleanup:
  return status;
}

static void trial_clear(trial *t) {
  dev_buffer_destroy(&t->b);
  dev_buffer_destroy(&t->x);
  free(t->expected);
  free(t->slack);
  free(t->solution);
  free(t->host);
}

/* ---- both stages ---- */

/* Tries `candidates` [n] and appends what it found to the table. */
static ew_status stage(trial *t, const csr_options *candidates, int n, double seconds, int *best,
                       ew_error *err) {
  tune_linear_table *table = t->table;
  tune_row found[most_candidates];
  tune_task task = {t, n, open_candidate, check_candidate, run_candidate, close_candidate, t->stop};
  tune_linear_row *rows = realloc(table->rows, (size_t)(table->n + n) * sizeof *rows);
  if (!rows) return ew_fail(err, EW_FAIL, "out of memory for tuning");
  table->rows = rows;
  memset(rows + table->n, 0, (size_t)n * sizeof *rows);
  t->candidates = candidates;
  t->rows = rows + table->n;
  ew_status status = tune_search(&task, seconds, found, best, err);
  for (int i = 0; i < n && status == EW_OK; i++) {
    tune_linear_row *r = &t->rows[i];
    r->options = candidates[i];
    r->verdict = found[i].verdict;
    r->iteration_seconds = found[i].seconds;
    snprintf(r->note, sizeof r->note, "%s", i ? found[i].note : "the default");
  }
  table->n += n;
  return status;
}

/* Forms first, then the details of the best one; the default is among both. */
static ew_status search(trial *t, const csr_options *base, double seconds, csr_options *winner,
                        ew_error *err) {
  ew_status status = EW_OK;
  tune_linear_table *table = t->table;
  const dev_info *info = dev_get_info(t->device);
  csr_options forms[most_candidates], details[most_candidates];
  int best = 0, n = tune_linear_forms(info, base, t->matrix->pattern.n, forms);
  double start = ew_seconds();
  EW_CHECK(stage(t, forms, n, 0.6 * seconds, &best, err));
  if (t->stop && *t->stop) return *winner = forms[best], EW_OK;
  n = tune_linear_details(base, &forms[best], details);
  int first = table->n;
  EW_CHECK(stage(t, details, n, seconds - (ew_seconds() - start), &best, err));
  for (int i = 0; i < first; i++)
    if (table->rows[i].verdict == TUNE_BEST) table->rows[i].verdict = TUNE_SLOWER; /* of its stage alone */
  *winner = details[best];
cleanup:
  return status;
}

static ew_status measure(dev_context *device, const tune_matrix *m, const tune_linear_options *how,
                         csr_options *o, tune_linear_table *table, ew_error *err) {
  ew_status status = EW_OK;
  const double seconds = how->seconds > 0.0 ? how->seconds : tune_linear_seconds;
  trial t = {.device = device, .matrix = m, .table = table, .stop = how->stop};
  csr_options base = *o, winner;
  base.mixed = false; /* what is fastest in double is taken for both */
  /* The other preconditioners have kernels of their own, which know nothing of these candidates. */
  if (base.preconditioner != CSR_NONE) base.preconditioner = CSR_JACOBI;
  base.tuning = csr_tuning_complete(dev_get_info(device), &base.tuning, m->pattern.n);
  if (base.method != CSR_CG) base.tuning.kernels = 2;
  EW_CHECK(trial_create(&t, err));
  EW_CHECK(search(&t, &base, seconds, &winner, err));
  o->tuning = winner.tuning;
  if (may_change(o)) o->method = winner.method;
cleanup:
  trial_clear(&t);
  return status;
}

/* A search that a stop ended at the default knows nothing that is worth more than what is stored. */
static bool has_candidates(const tune_linear_table *table) {
  for (int i = 1; i < table->n; i++)
    if (table->rows[i].verdict != TUNE_SKIPPED && strcmp(table->rows[i].note, "the default") != 0)
      return true;
  return false;
}

ew_status tune_linear(dev_context *device, const tune_matrix *m, const tune_linear_options *how,
                      csr_options *o, tune_linear_table *table, ew_error *err) {
  ew_status status = EW_OK;
  char key[512];
  double start = ew_seconds();
  ew_error aside; /* what cannot be read is written anew */
  tune_linear_table own = {.product_bytes = 12.0 * m->pattern.start[m->pattern.n] + 32.0 * m->pattern.n};
  if (o->tuning.form == CSR_FORM_RULE) {
    print_key(dev_get_info(device), &m->pattern, o, key, sizeof key);
    if (!how->again) EW_CHECK(recall(key, dev_get_info(device), o, &own.recalled, &aside, err));
    if (!own.recalled) {
      EW_CHECK(measure(device, m, how, o, &own, err));
      const bool worth = !(how->stop && *how->stop) || has_candidates(&own);
      if (worth && !how->dry) /* if that fails, the next run measures again */
        own.stored = remember(key, o, &own.not_stored) == EW_OK;
    }
  }
cleanup:
  own.seconds = ew_seconds() - start;
  if (table) *table = own;
  else tune_linear_clear(&own);
  return status;
}

ew_status tune_linear_recall(const dev_context *device, const csr_pattern *pattern, csr_options *o,
                             bool *found, ew_error *aside, ew_error *err) {
  char key[512];
  *found = false;
  *aside = (ew_error){0};
  if (o->tuning.form != CSR_FORM_RULE) return EW_OK;
  print_key(dev_get_info(device), pattern, o, key, sizeof key);
  return recall(key, dev_get_info(device), o, found, aside, err);
}

void tune_linear_clear(tune_linear_table *table) {
  free(table->rows);
  *table = (tune_linear_table){0};
}
