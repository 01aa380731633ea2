/* solve: a linear system from Matrix Market files. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/shell.h"
#include "csr/linear.h"
#include "csr/precondition.h"
#include "formats/atomic_file.h"
#include "formats/matrix_market.h"
#include "tune/linear.h"

/* Of which the history is kept. */
enum { MOST_ITERATIONS = 100000000 };

/* What the command line asks for, and what is found. */
typedef struct job {
  const cli_call *call;
  linear_options options;
  csr_rows *matrix;
  double *b, *x;
  linear_result result;
} job;

static ew_status read_number(const cli_call *call, const char *name, double *to, ew_error *err) {
  const char *text = cli_text(call, name);
  char *rest;
  if (!text) return EW_OK;
  *to = strtod(text, &rest);
  if (rest == text || *rest || !(*to >= 0) || !isfinite(*to))
    return ew_fail(err, EW_USAGE, "--%s needs a number >= 0, found '%s'", name, text);
  return EW_OK;
}

static ew_status read_options(job *j, ew_error *err) {
  ew_status status = EW_OK;
  const cli_call *call = j->call;
  linear_options *o = &j->options;
  *o = linear_defaults();
  o->device = cli_text(call, "device");
  o->recall = tune_linear_recall;
  const long iterations = cli_integer(call, "iterations", o->iterations);
  o->iterations = iterations < MOST_ITERATIONS ? (int)iterations : MOST_ITERATIONS;
  EW_CHECK(read_number(call, "tolerance", &o->tolerance, err));
  const char *method = cli_text(call, "method"), *preconditioner = cli_text(call, "preconditioner"),
             *precision = cli_text(call, "precision");
  o->method_open = !method;
  o->preconditioner_open = !preconditioner;
  if (method) EW_CHECK(csr_method_find(method, &o->method, err));
  if (preconditioner) EW_CHECK(csr_preconditioner_find(preconditioner, &o->preconditioner, err));
  if (precision) EW_CHECK(csr_precision_find(precision, &o->mixed, err));
cleanup:
  if (status == EW_INPUT) status = err->status = EW_USAGE; /* a word of the command line */
  return status;
}

static ew_status read_vector(const char *path, int32_t n, double *to, ew_error *err) {
  csr_rows *v = NULL;
  ew_status status = mm_read(path, &v, err);
  if (status == EW_OK) status = mm_to_vector(v, path, n, to, err);
  csr_rows_destroy(&v);
  return status;
}

static ew_status read_system(job *j, ew_error *err) {
  ew_status status;
  const char *rhs = cli_text(j->call, "rhs"), *guess = cli_text(j->call, "guess");
  EW_CHECK(mm_read(j->call->argument[0], &j->matrix, err));
  const int32_t n = j->matrix->rows;
  j->b = malloc((size_t)n * sizeof *j->b);
  j->x = calloc((size_t)n, sizeof *j->x);
  if (!j->b || !j->x) EW_CHECK(ew_fail(err, EW_FAIL, "out of memory for %d rows", n));
  for (int32_t i = 0; i < n; i++) j->b[i] = 1;
  if (rhs) EW_CHECK(read_vector(rhs, n, j->b, err));
  if (guess) EW_CHECK(read_vector(guess, n, j->x, err));
cleanup:
  return status;
}

/* Before it is solved, which may take long. */
static ew_status try_files(const cli_call *call, ew_error *err) {
  const char *history = cli_text(call, "history"), *solution = cli_text(call, "output");
  ew_status status = solution ? atomic_file_try(solution, err) : EW_OK;
  return status == EW_OK && history ? atomic_file_try(history, err) : status;
}

static ew_status write_history(const char *path, const linear_result *r, ew_error *err) {
  return mm_write_vector(path, "norms of the residual, iteration after iteration from 0", r->history,
                         r->n_history, err);
}

static void print_result(const job *j) {
  const linear_result *r = &j->result;
  FILE *out = j->call->out;
  fprintf(out, "matrix          %d rows, %lld entries off the diagonal", r->rows, (long long)r->entries);
  if (r->null_parts == 1) fputs("; rows sum to zero, so the right-hand side's mean was taken out", out);
  if (r->null_parts > 1)
    fprintf(out, "; in %d parts rows sum to zero, so the right-hand side's mean was taken out of each",
            r->null_parts);
  fputc('\n', out);
  if (r->outside > 0)
    fprintf(out, "right-hand side %.3g of it lies where no solution reaches: its mean\n", r->outside);
  fprintf(out, "method          %s, preconditioner %s", csr_method_name(r->method),
          csr_preconditioner_name(r->preconditioner));
  if (j->options.mixed)
    fputs(r->mixed ? ", mixed precision" : ", in double: for this matrix single precision does not suffice",
          out);
  if (r->method != r->first_method)
    fprintf(out, ", as %s ended: %s", csr_method_name(r->first_method), csr_end_name(r->first_end));
  fputc('\n', out);
  fprintf(out, "device          %s\n", r->device);
  fprintf(out, "iterations      %d\n", r->iterations);
  fprintf(out, "residual        %.3e, of the right-hand side's %.3e\n", r->residual, r->right_hand_side);
  fprintf(out, "time            %.3f s to set up, %.3f s to solve\n", r->setup_seconds, r->solve_seconds);
}

/* JSON has no numbers that are not finite. */
static void print_number(FILE *out, const char *key, double value) {
  if (isfinite(value)) fprintf(out, ", \"%s\": %.17g", key, value);
  else fprintf(out, ", \"%s\": null", key);
}

static void print_json(const job *j) {
  const linear_result *r = &j->result;
  FILE *out = j->call->out;
  fprintf(out,
          "{\"rows\": %d, \"entries\": %lld, \"constant_null\": %s, \"method\": \"%s\", \"preconditioner\": "
          "\"%s\", \"precision\": \"%s\", \"device\": ",
          r->rows, (long long)r->entries, r->null_parts > 0 ? "true" : "false", csr_method_name(r->method),
          csr_preconditioner_name(r->preconditioner), csr_precision_name(r->mixed));
  shell_print_json(out, r->device);
  fprintf(out, ", \"ended\": \"%s\", \"first_method\": \"%s\", \"iterations\": %d", csr_end_name(r->end),
          csr_method_name(r->first_method), r->iterations);
  print_number(out, "outside", r->outside);
  print_number(out, "residual", r->residual);
  print_number(out, "right_hand_side", r->right_hand_side);
  fprintf(out, ", \"setup_seconds\": %.6g, \"solve_seconds\": %.6g}\n", r->setup_seconds, r->solve_seconds);
}

/* Report and history come also from a solve that did not converge; a solution does not. */
static ew_status tell(const job *j, ew_status solved, ew_error *err) {
  ew_status status = EW_OK;
  const char *history = cli_text(j->call, "history"), *solution = cli_text(j->call, "output");
  if (cli_flag(j->call, "json")) print_json(j);
  else print_result(j);
  if (solution && solved == EW_OK)
    status = mm_write_vector(solution, "a solution by edgewise solve", j->x, j->matrix->rows, err);
  if (status == EW_OK) status = solved;
  if (!history) return status;
  const ew_status written = write_history(history, &j->result, status == EW_OK ? err : NULL);
  return status == EW_OK ? written : status;
}

static int solve(cli_call *call) {
  ew_status status;
  ew_error err = {0};
  job j = {.call = call};
  const cli_file files[] = {{"the matrix", call->argument[0]},
                            {"the right-hand side", cli_text(call, "rhs")},
                            {"the guess", cli_text(call, "guess")},
                            {"the solution", cli_text(call, "output")},
                            {"the history", cli_text(call, "history")}};
  const int apart = cli_files_apart(call, files, 3, 5);
  if (apart != CLI_OK) return apart;
  EW_CHECK(read_options(&j, &err));
  EW_CHECK(read_system(&j, &err));
  EW_CHECK(try_files(call, &err));
  status = linear_solve(j.matrix, j.b, j.x, &j.options, &j.result, &err);
  if (*j.result.aside.text)
    fprintf(call->err, "warning: a stored tuning is not used: %s\n", j.result.aside.text);
  if (status == EW_INPUT) ew_context(&err, "%s", call->argument[0]);
  if (status == EW_OK || status == EW_NOT_CONVERGED) status = tell(&j, status, &err);
cleanup:
  linear_result_clear(&j.result);
  csr_rows_destroy(&j.matrix);
  free(j.b);
  free(j.x);
  return status == EW_OK ? EW_OK : shell_fail(call, &err);
}

static const cli_option OPTIONS[] = {
    {"rhs", 'b', CLI_TEXT, "FILE", "the right-hand side, a Matrix Market vector (all ones)", "file"},
    {"guess", 0, CLI_TEXT, "FILE", "where to begin (all zeros)", "file"},
    {"output", 'o', CLI_TEXT, "FILE", "write the solution, as a Matrix Market vector", "file"},
    {"history", 0, CLI_TEXT, "FILE", "write the residual's norm after every iteration, the same way", "file"},
    {"method", 'm', CLI_TEXT, "NAME", "cg, cg_three_term, minres, bicgstab or gmres (by the matrix)",
     "cg cg_three_term minres bicgstab gmres"},
    {"preconditioner", 'p', CLI_TEXT, "NAME", "none, jacobi, chebyshev or multigrid (by the matrix)",
     "none jacobi chebyshev multigrid"},
    {"precision", 0, CLI_TEXT, "NAME",
     "double, or mixed: cg with none or jacobi in single precision, refined to the same tolerance (double)",
     "double mixed"},
    {"tolerance", 't', CLI_TEXT, "NUMBER", "of the residual over the right-hand side (1e-8)", NULL},
    {"iterations", 'i', CLI_INTEGER, "N", "at most (1000)", NULL},
    {"device", 'd', CLI_TEXT, "SPEC", "cpu, gpu, c, c-openmp, an index, or part of a name",
     "cpu gpu c c-openmp"},
    {"json", 0, CLI_FLAG, NULL, "one line of JSON", NULL}};

const cli_command COMMAND_SOLVE = {
    .name = "solve",
    .arguments = "MATRIX.mtx",
    .summary = "solve a linear system from Matrix Market files",
    .details =
        "Coordinate and array files, real, integer, pattern, or complex with imaginary parts of 0; general, "
        "symmetric, skew-symmetric or hermitian; also .gz. A matrix whose rows and columns sum to zero is "
        "solved up to a constant. Without --method: cg with multigrid for symmetric matrices with a "
        "positive diagonal, minres for other symmetric ones, else bicgstab. Exit status 9: not converged.",
    .least = 1,
    .most = 1,
    .complete = "file",
    .options = OPTIONS,
    .n_options = sizeof OPTIONS / sizeof *OPTIONS,
    .run = solve};
