/* Linear systems of a scheme: made once with the options of scheme and case, solved where the step says so. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "csr/csr.h"
#include "dslc_reference.h"
#include "fields/on_nodes.h"
#include "mesh/build.h"
#include "tune/linear.h"

struct exec_solver {
  csr_system *system;
  csr_options asked;   /* by scheme and case */
  csr_options options; /* the same, or tuned */
  bool measure;        /* at the first solve, when there are values */
  csr_request request;
  csr_pin pin;
  node_id pinned; /* the node of the mesh nearest to the case's place; of the pin's row there may be others */
  double largest, largest_outside; /* of the right-hand sides, as 2-norms */
  exec_solve_cost cost;
  int n_history;
  double *history; /* of the last solve */
};

/* ---- options -------------------------------------------------------------------------------------------------------------------- */

static ew_status choose_tuning(const case_solver *c, csr_tuning *out, ew_error *err) {
  *out = (csr_tuning){.group_bits = c->group_bits, .rows_bits = c->rows_bits, .kernels = c->kernels};
  if (!c->form) return EW_OK;
  out->form = csr_form_find(c->form);
  return out->form < CSR_FORM_COUNT
             ? EW_OK
             : ew_fail(err, EW_INPUT, "there is no form '%s' of the matrix product", c->form);
}

static ew_status choose_options(const exec_run *run, const dslc_solve *s, csr_options *out, ew_error *err) {
  ew_status status = EW_OK;
  const case_solver *c = &run->c->solver;
  const char *method = c->method ? c->method : s->method;
  const char *preconditioner = c->preconditioner ? c->preconditioner : s->preconditioner;
  *out = (csr_options){.method = s->symmetric ? CSR_CG : CSR_BICGSTAB, .preconditioner = CSR_JACOBI};
  if (method) EW_CHECK(csr_method_find(method, &out->method, err));
  if (preconditioner) EW_CHECK(csr_preconditioner_find(preconditioner, &out->preconditioner, err));
  if (c->precision) EW_CHECK(csr_precision_find(c->precision, &out->mixed, err));
  EW_CHECK(choose_tuning(c, &out->tuning, err));
cleanup:
  return status;
}

static double formula(const exec_run *run, const char *text, double otherwise) {
  double value = otherwise;
  if (text)
    dslc_formula(run->program, text, (const double(*)[DSLC_MOST_COMPONENTS])run->parameter, 1, &value);
  return value;
}

static ew_status choose_request(const exec_run *run, const dslc_solve *s, csr_request *out, ew_error *err) {
  const case_solver *c = &run->c->solver;
  double tolerance = c->tolerance > 0 ? c->tolerance : formula(run, s->tolerance, 1e-8);
  double iterations = c->iterations > 0 ? c->iterations : formula(run, s->iterations, 10000);
  if (!(tolerance > 0 && tolerance < 1) || !(iterations >= 1 && iterations <= INT32_MAX))
    return ew_fail(
        err, EW_INPUT,
        "solve %s*%s: the tolerance must lie between 0 and 1, iterations be 1 or more; found %g and %g",
        s->matrix, s->unknown, tolerance, iterations);
  *out = (csr_request){.tolerance = tolerance, .iterations = (int)iterations, .done = run->nodes.gate};
  return EW_OK;
}

/* ---- what rows that sum to zero leave open -------------------------------------------------------------------------------------------- */

/* Of a matrix whose rows sum to zero, each part of the mesh without a held node has solutions that differ by a constant. One such
 * part, the whole mesh, is what solvers can do; more are refused. */
static ew_status find_null(const exec_run *run, const dslc_solve *s, bool *constant_null, ew_error *err) {
  ew_status status = EW_OK;
  int32_t n = run->nodes.fe->n, parts, open = 0, loose = 0;
  int32_t *part = calloc((size_t)n + 1, sizeof *part), *held = calloc((size_t)n + 1, sizeof *held);
  bool *fixed = calloc((size_t)n + 1, sizeof *fixed);
  *constant_null = false;
  if (!part || !held || !fixed) EXEC_LEAVE(err, EW_FAIL, "out of memory for matrix '%s'", s->matrix);
  EW_CHECK(fe_parts(run->nodes.fe, part, &parts, err));
  exec_held(run, s->field, held);
  for (int32_t i = 0; i < n; i++) fixed[part[i]] |= held[i];
  for (int32_t k = 0; k < parts; k++) open += !fixed[k];
  while (open > 0 && fixed[part[loose]]) loose++;
  if (open > 0 && parts > 1) {
    char at[96];
    const mesh *m = run->m;
    mesh_point_text(m->dim, m->node_x + (size_t)m->dim * (size_t)run->nodes.fe->node[loose], at);
    EXEC_LEAVE(
        err, EW_INPUT,
        "solve %s*%s: the mesh has %d parts that nothing connects, and in %d of them no boundary rule "
        "gives a value of '%s', as in the part with the node at %s: it is open by a constant there. Hold a "
        "value in every part, or leave out the loose cells; `edgewise mesh info` finds parts meant to be one",
        s->matrix, s->unknown, parts, open, s->unknown, at);
  }
  *constant_null = open > 0;
cleanup:
  free(part);
  free(held);
  free(fixed);
  return status;
}

/* The node nearest to the case's place, at which the constant that is open is decided. */
static ew_status find_pin(const exec_run *run, const dslc_solve *s, exec_solver *out, ew_error *err) {
  const case_pin *pin = &run->c->solver.pin;
  const mesh *m = run->m;
  double best = INFINITY;
  if (!pin->field || strcmp(pin->field, s->unknown) != 0) return EW_OK;
  if (!out->options.constant_null)
    return ew_fail(err, EW_INPUT,
                   "%s:%d: pin: matrix '%s' leaves no constant of '%s' open: boundary rules give its value "
                   "somewhere, or the matrix's rows do not sum to zero",
                   pin->where.file, pin->where.line, s->matrix, s->unknown);
  for (node_id i = 0; i < m->n_nodes; i++) { /* not only one of those that periodic sides lay on each other */
    const double *x = m->node_x + (size_t)m->dim * (size_t)i;
    double apart = 0;
    for (int d = 0; d < m->dim; d++) apart += (x[d] - pin->at[d]) * (x[d] - pin->at[d]);
    if (apart >= best) continue;
    best = apart;
    out->pin = (csr_pin){run->nodes.fe->dof[i], pin->value};
    out->pinned = i;
  }
  out->request.pin = &out->pin;
  return EW_OK;
}

/* ---- life ----------------------------------------------------------------------------------------------------------------------------------- */

static const dev_buffer *topology(const exec_run *run, dslc_source_kind source) {
  const dslc_program *p = run->program;
  for (int b = 0; b < p->execution.n_buffers; b++)
    if (p->execution.buffer[b].source.kind == source) return run->buffer[b];
  return NULL;
}

static ew_status make_system(exec_run *run, const dslc_solve *s, exec_solver *out, ew_error *err) {
  ew_status status = EW_OK;
  const csr_pattern pattern = {run->nodes.fe->n, run->nodes.fe->start, run->nodes.fe->next};
  const csr_placed placed = {topology(run, DSLC_SOURCE_NODE_START), topology(run, DSLC_SOURCE_EDGE_NODE)};
  const bool both = placed.start && placed.col;
  EW_CHECK(csr_create(run->device, &pattern, both ? &placed : NULL, &out->options, &out->system, err));
  csr_options made = csr_get_options(out->system);
  out->cost = (exec_solve_cost){.matrix = s->matrix,
                                .unknown = s->unknown,
                                .method = csr_method_name(made.method),
                                .preconditioner = csr_preconditioner_name(made.preconditioner),
                                .precision = csr_precision_name(made.mixed),
                                .form = csr_form_name(made.tuning.form),
                                .tolerance = out->request.tolerance};
  const mesh *m = run->m;
  if (out->request.pin)
    mesh_point_text(m->dim, m->node_x + (size_t)m->dim * (size_t)out->pinned, out->cost.pinned);
cleanup:
  return status;
}

/* Tuning may find another recurrence faster; a method that the case names stays. */
static void keep_method(const exec_run *run, csr_method method, csr_options *options) {
  if (run->c->solver.method) options->method = method;
}

/* A tuning comes from the case, else from the store, else from measuring where the case wants that, else from the rule. */
static ew_status solver_create(exec_run *run, const dslc_solve *s, exec_solver *out, ew_error *err) {
  ew_status status = EW_OK;
  const csr_pattern pattern = {run->nodes.fe->n, run->nodes.fe->start, run->nodes.fe->next};
  EW_CHECK(choose_options(run, s, &out->options, err));
  EW_CHECK(choose_request(run, s, &out->request, err));
  if (s->sums_to_zero) EW_CHECK(find_null(run, s, &out->options.constant_null, err));
  out->asked = out->options;
  const case_solver *given = &run->c->solver;
  bool open =
      out->options.tuning.form == CSR_FORM_RULE && !given->group_bits && !given->rows_bits && !given->kernels;
  const csr_method method = out->options.method;
  bool known = true;
  ew_error aside = {0};
  if (open) EW_CHECK(tune_linear_recall(run->device, &pattern, &out->options, &known, &aside, err));
  if (!*run->nodes.aside) snprintf(run->nodes.aside, sizeof run->nodes.aside, "%.1000s", aside.text);
  out->measure = !known && run->c->solver.tune > 0;
  keep_method(run, method, &out->options);
  EW_CHECK(find_pin(run, s, out, err));
  EW_CHECK(make_system(run, s, out, err));
cleanup:
  return status;
}

/* On the first matrix of the run. */
static ew_status measure_tuning(exec_run *run, const dslc_solve *s, exec_solver *solver, ew_error *err) {
  const tune_linear_options how = {.seconds = run->c->solver.tune};
  const tune_matrix matrix = {.pattern = {run->nodes.fe->n, run->nodes.fe->start, run->nodes.fe->next},
                              .off = run->buffer[s->off],
                              .diagonal = run->buffer[s->diagonal]};
  ew_status status = EW_OK;
  const csr_method method = solver->options.method;
  solver->measure = false;
  EW_CHECK(tune_linear(run->device, &matrix, &how, &solver->options, NULL, err));
  keep_method(run, method, &solver->options);
  csr_destroy(&solver->system);
  EW_CHECK(make_system(run, s, solver, err));
cleanup:
  return status;
}

static ew_status in_scheme(const exec_run *run, const dslc_solve *s, ew_error *err) {
  return ew_context(err, "%s:%d", exec_file(run->program, s->file), s->line);
}

/* One kernel an iteration is asked for, and no system of the scheme can have it. */
static ew_status check_kernels(const exec_run *run, ew_error *err) {
  const int n = run->program->execution.n_solves;
  const exec_solver *s = run->nodes.solver;
  for (int i = 0; i < n; i++)
    if (csr_get_options(s[i].system).tuning.kernels == 1) return EW_OK;
  return run->c->solver.kernels != 1
             ? EW_OK
             : ew_fail(err, EW_INPUT,
                       "solver.tuning: kernels = 1, one an iteration, is for method 'cg' with 'none' or "
                       "'jacobi'; '%s' with '%s' has no such kernel",
                       csr_method_name(s[0].options.method),
                       csr_preconditioner_name(s[0].options.preconditioner));
}

ew_status exec_solves_create(exec_run *run, ew_error *err) {
  ew_status status = EW_OK;
  const dslc_program *p = run->program;
  if (p->execution.n_solves == 0) return EW_OK;
  run->nodes.solver = calloc((size_t)p->execution.n_solves, sizeof *run->nodes.solver);
  if (!run->nodes.solver)
    EXEC_LEAVE(err, EW_FAIL, "out of memory for %d linear systems", p->execution.n_solves);
  EW_CHECK(dev_buffer_create(run->device, "gate", sizeof(int64_t), &run->nodes.gate, err));
  for (int i = 0; i < p->execution.n_solves; i++) {
    status = solver_create(run, &p->execution.solve[i], &run->nodes.solver[i], err);
    if (status != EW_OK) return in_scheme(run, &p->execution.solve[i], err);
  }
  EW_CHECK(check_kernels(run, err));
cleanup:
  return status;
}

void exec_solves_destroy(exec_run *run) {
  for (int i = 0; run->nodes.solver && i < run->program->execution.n_solves; i++) {
    csr_destroy(&run->nodes.solver[i].system);
    free(run->nodes.solver[i].history);
  }
  free(run->nodes.solver);
  dev_buffer_destroy(&run->nodes.gate);
}

/* ---- solving -------------------------------------------------------------------------------------------------------------------------------- */

/* A solve checks one flag only: the gate says whether the step or the repeat around it is over. */
static ew_status set_gate(exec_run *run, ew_error *err) {
  ew_status status = EW_OK;
  EW_CHECK(dev_kernel_set_buffer(run->builtin.set_gate, 0, run->buffer[run->seen.flags], err));
  EW_CHECK(dev_kernel_set_buffer(run->builtin.set_gate, 1, run->nodes.gate, err));
  EW_CHECK(dev_kernel_set_i32(run->builtin.set_gate, 2, run->nodes.skip, err));
  EW_CHECK(dev_kernel_launch(run->builtin.set_gate, 1, 0, err));
cleanup:
  return status;
}

static ew_status keep_history(exec_solver *s, const csr_report *report, ew_error *err) {
  double *grown = realloc(s->history, ((size_t)report->n_history + 1) * sizeof *grown);
  if (!grown) return ew_fail(err, EW_FAIL, "out of memory for the history of a solve");
  s->history = grown;
  s->n_history = report->n_history;
  if (report->n_history > 0) memcpy(grown, report->history, (size_t)report->n_history * sizeof *grown);
  return EW_OK;
}

/* Of a matrix that is not symmetric the columns need not sum to zero as its rows do. Then it reaches right-hand sides that have a mean, and none
 * of some that have not: what is taken out of these would make a system with a solution one without. */
static ew_status columns_sum_to_zero(exec_run *run, const dslc_solve *s, bool *they_do, ew_error *err) {
  ew_status status = EW_OK;
  const fe_space *fe = run->nodes.fe;
  const int32_t n = fe->n, edges = fe_edges(fe);
  double *off = malloc(((size_t)edges + 1) * sizeof *off), *sum = malloc(((size_t)n + 1) * sizeof *sum),
         *size = malloc(((size_t)n + 1) * sizeof *size);
  *they_do = true;
  if (!off || !sum || !size) EXEC_LEAVE(err, EW_FAIL, "out of memory for matrix '%s'", s->matrix);
  EW_CHECK(exec_get(run, s->diagonal, sum, n, err));
  EW_CHECK(exec_get(run, s->off, off, edges, err));
  for (int32_t i = 0; i < n; i++) size[i] = fabs(sum[i]);
  for (int32_t e = 0; e < edges; e++) sum[fe->next[e]] += off[e], size[fe->next[e]] += fabs(off[e]);
  for (int32_t i = 0; i < n; i++) *they_do = *they_do && fabs(sum[i]) <= 1e-10 * size[i];
cleanup:
  free(off);
  free(sum);
  free(size);
  return status;
}

/* A right-hand side that is rounding, as at rest, is not held against itself but against the largest one. */
static void count_outside(exec_solver *s, const csr_report *report, int64_t step) {
  const double all = hypot(report->outside, report->right_hand_side);
  if (all > s->largest) s->largest = all;
  if (report->outside > s->largest_outside) {
    s->largest_outside = report->outside;
    s->cost.outside_step = step;
  }
  s->cost.outside = s->largest > 0 ? s->largest_outside / s->largest : 0;
}

static void count(exec_solver *s, const csr_report *report) {
  exec_solve_cost *c = &s->cost;
  double size = report->right_hand_side;
  c->ended = csr_end_name(report->end);
  if (report->iterations > 0) c->precision = csr_precision_name(report->mixed);
  c->restarts += report->restarts;
  c->solves++;
  c->iterations += report->iterations;
  c->last = report->iterations;
  if (report->iterations > c->most) c->most = report->iterations;
  c->residual = size > 0 ? report->residual / size : report->residual;
  c->seconds += report->seconds;
  c->looks += report->looks;
}

/* Where a check failed before, in the same step, that is the cause. */
static ew_status explain(exec_run *run, const dslc_solve *s, ew_error *err) {
  ew_error other = {0};
  run->failure.broken = true;
  if (exec_look(run, &other) == EW_OK && exec_fault_check(run, &other) != EW_OK)
    return ew_fail(err, other.status, "%s", other.text);
  if (run->nodes.solver[s - run->program->execution.solve].request.keep_mean) {
    ew_error said = *err;
    ew_fail(err, said.status,
            "%s\nhint: no rule gives a value of '%s', and of matrix '%s' the rows sum to zero but the "
            "columns do not: it "
            "has a solution only for some right-hand sides; hold a value",
            said.text, s->unknown, s->matrix);
  }
  ew_context(err, "solve %s*%s in step %lld, after t = %.9g s", s->matrix, s->unknown,
             (long long)exec_steps(run) + 1, exec_time(run));
  return in_scheme(run, s, err);
}

ew_status exec_solve(exec_run *run, int number, ew_error *err) {
  ew_status status = EW_OK;
  const dslc_solve *s = &run->program->execution.solve[number];
  exec_solver *solver = &run->nodes.solver[number];
  csr_report report = {0};
  EW_CHECK(set_gate(run, err));
  if (solver->measure) EW_CHECK(measure_tuning(run, s, solver, err));
  EW_CHECK(csr_set_values(solver->system, run->buffer[s->off], run->buffer[s->diagonal], err));
  if (solver->options.constant_null && !s->symmetric) {
    bool balanced;
    EW_CHECK(columns_sum_to_zero(run, s, &balanced, err));
    solver->request.keep_mean = !balanced;
  }
  status = csr_solve(solver->system, run->buffer[s->rhs], run->buffer[s->solution], &solver->request, &report,
                     err);
  if (report.n_history > 0) { /* a solve behind a closed gate leaves none */
    ew_status kept = keep_history(solver, &report, status == EW_OK ? err : NULL);
    if (status == EW_OK) status = kept;
    count(solver, &report);
    count_outside(solver, &report, exec_steps(run) + 1);
  }
  if (status != EW_OK) return explain(run, s, err);
cleanup:
  return status;
}

/* ---- figures ----------------------------------------------------------------------------------------------------------------------------------- */

exec_solve_cost exec_get_solve(const exec_run *run, int number) { return run->nodes.solver[number].cost; }

exec_system exec_get_system(const exec_run *run, int number) {
  const dslc_solve *s = &run->program->execution.solve[number];
  return (exec_system){.pattern = {run->nodes.fe->n, run->nodes.fe->start, run->nodes.fe->next},
                       .off = run->buffer[s->off],
                       .diagonal = run->buffer[s->diagonal],
                       .options = run->nodes.solver[number].asked};
}

const double *exec_solve_history(const exec_run *run, int number, int *n) {
  *n = run->nodes.solver[number].n_history;
  return run->nodes.solver[number].history;
}

/* "p.iterations", "p.residual": bytes of "p", 0: neither. */
static size_t name_of_unknown(const char *name, bool *iterations) {
  const char *dot = strrchr(name, '.');
  *iterations = dot && strcmp(dot, ".iterations") == 0;
  return dot && (*iterations || strcmp(dot, ".residual") == 0) ? (size_t)(dot - name) : 0;
}

static bool split_name(const dslc_program *p, const char *name, int *solve, bool *iterations) {
  const size_t n = name_of_unknown(name, iterations);
  for (*solve = 0; n > 0 && *solve < p->execution.n_solves; ++*solve) {
    const char *unknown = p->execution.solve[*solve].unknown;
    if (strlen(unknown) == n && strncmp(unknown, name, n) == 0) return true;
  }
  return false;
}

/* The reference interpreter solves as far as it can, and tells nothing of how: both are 0. */
static bool is_reference_figure(const dslc_program *p, const char *name) {
  char unknown[256];
  bool iterations;
  const size_t n = name_of_unknown(name, &iterations);
  if (n == 0 || n >= sizeof unknown) return false;
  memcpy(unknown, name, n);
  unknown[n] = '\0';
  return dslc_reference_solves(p, unknown);
}

bool exec_is_solve_figure(const dslc_program *p, const char *name) {
  int solve;
  bool iterations;
  return split_name(p, name, &solve, &iterations) || is_reference_figure(p, name);
}

bool exec_solve_figure(const exec_run *run, const char *name, double *out) {
  int solve;
  bool iterations;
  if (is_reference_figure(run->program, name)) return *out = 0, true;
  if (!split_name(run->program, name, &solve, &iterations)) return false;
  const exec_solve_cost *c = &run->nodes.solver[solve].cost;
  *out = iterations ? c->last : c->residual;
  return true;
}
