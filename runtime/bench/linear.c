#include "bench/linear.h"

#include <cJSON.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/timing.h"
#include "bench/report.h"
#include "csr/csr.h"
#include "csr/model.h"
#include "csr/precondition.h"
#include "device/spawn.h"

enum { DEFAULT_REPEATS = 3, MOST_LINES = 16, PRODUCTS = 20, MOST_ITERATIONS = 10000 };
static const double TOLERANCE = 1e-8;

/* One solver on one size. */
typedef struct line {
  char who[64], method[32];
  double spmv, setup, solve; /* seconds */
  int iterations;
  double residual; /* relative */
} line;

typedef struct bench {
  const linear_bench_options *o;
  FILE *out, *log;
  dev_context *device;
  dev_rates rates;
  cJSON *sizes; /* NULL without --json */
  int repeats;
  /* of one size */
  int side;
  csr_model model;
  double *b;
  dev_buffer *off, *diagonal, *rhs, *x, *y;
  int n_lines;
  line lines[MOST_LINES];
} bench;

static int64_t entries(const bench *b) {
  return (int64_t)b->model.pattern.start[b->model.pattern.n] + b->model.pattern.n;
}

/* What a product has to move: an index and a value an entry; x, y and the row's place. */
static double product_bytes(const bench *b) { return 12.0 * (double)entries(b) + 20.0 * b->model.pattern.n; }

/* ---- the system ----------------------------------------------------------------------------------------------------- */

static void clear_size(bench *b) {
  dev_buffer **own[] = {&b->off, &b->diagonal, &b->rhs, &b->x, &b->y};
  for (size_t k = 0; k < sizeof own / sizeof *own; k++) dev_buffer_destroy(own[k]);
  csr_model_clear(&b->model);
  free(b->b);
  b->b = NULL;
  b->n_lines = 0;
}

static ew_status make_system(bench *b, int side, ew_error *err) {
  ew_status status;
  uint64_t seed = 1;
  b->side = side;
  EW_CHECK(csr_model_laplacian(side, true, &b->model, err));
  const int32_t n = b->model.pattern.n;
  const uint64_t vector = 8 * (uint64_t)n; /* bytes */
  b->b = malloc((size_t)n * sizeof *b->b);
  if (!b->b) EW_CHECK(ew_fail(err, EW_FAIL, "out of memory for %d rows", n));
  for (int32_t i = 0; i < n; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    b->b[i] = (double)(seed >> 11) * 0x1p-53 - 0.5;
  }
  EW_CHECK(dev_buffer_upload(b->device, "matrix", b->model.off, 8 * (uint64_t)b->model.pattern.start[n],
                             &b->off, err));
  EW_CHECK(dev_buffer_upload(b->device, "diagonal", b->model.diagonal, vector, &b->diagonal, err));
  EW_CHECK(dev_buffer_upload(b->device, "right-hand side", b->b, vector, &b->rhs, err));
  EW_CHECK(dev_buffer_create(b->device, "solution", vector, &b->x, err));
  EW_CHECK(dev_buffer_create(b->device, "product", vector, &b->y, err));
cleanup:
  return status;
}

/* ---- this library ------------------------------------------------------------------------------------------------------ */

static ew_status time_products(bench *b, csr_system *system, double *seconds, ew_error *err) {
  ew_status status;
  EW_CHECK(csr_multiply(system, b->rhs, b->y, err));
  EW_CHECK(dev_finish(b->device, err));
  const double begun = ew_seconds();
  for (int k = 0; k < PRODUCTS; k++) EW_CHECK(csr_multiply(system, b->rhs, b->y, err));
  EW_CHECK(dev_finish(b->device, err));
  *seconds = (ew_seconds() - begun) / PRODUCTS;
cleanup:
  return status;
}

/* Set-up: csr_set_values of a system that is new; its kernels come from the cache after the first repeat, which does not count. */
/* Its times are the line's then. */
static ew_status solve_once(bench *b, const csr_options *options, line *l, ew_error *err) {
  ew_status status;
  csr_system *system = NULL;
  csr_report report;
  const double zero = 0;
  const csr_request request = {.tolerance = TOLERANCE, .iterations = MOST_ITERATIONS};
  EW_CHECK(csr_create(b->device, &b->model.pattern, NULL, options, &system, err));
  EW_CHECK(dev_finish(b->device, err));
  const double begun = ew_seconds();
  EW_CHECK(csr_set_values(system, b->off, b->diagonal, err));
  EW_CHECK(dev_finish(b->device, err));
  l->setup = ew_seconds() - begun;
  EW_CHECK(time_products(b, system, &l->spmv, err));
  EW_CHECK(dev_buffer_fill(b->x, 0, dev_buffer_bytes(b->x), &zero, sizeof zero, err));
  EW_CHECK(dev_finish(b->device, err));
  EW_CHECK(csr_solve(system, b->rhs, b->x, &request, &report, err));
  l->solve = report.seconds;
  l->iterations = report.iterations;
  l->residual = report.residual / report.right_hand_side;
cleanup:
  csr_destroy(&system);
  return status;
}

static ew_status measure(bench *b, csr_preconditioner preconditioner, bool mixed, ew_error *err) {
  ew_status status = EW_OK;
  const csr_options options = {.method = CSR_CG, .preconditioner = preconditioner, .mixed = mixed};
  double spmv[BENCH_MOST_REPEATS + 1], setup[BENCH_MOST_REPEATS + 1], solve[BENCH_MOST_REPEATS + 1];
  line *l = &b->lines[b->n_lines++];
  *l = (line){.who = "edgewise"};
  snprintf(l->method, sizeof l->method, "%s%s", csr_preconditioner_name(preconditioner),
           mixed ? ",mixed" : "");
  for (int k = 0; k <= b->repeats; k++) {
    EW_CHECK(solve_once(b, &options, l, err));
    spmv[k] = l->spmv, setup[k] = l->setup, solve[k] = l->solve;
  }
  l->spmv = ew_median(spmv + 1, b->repeats);
  l->setup = ew_median(setup + 1, b->repeats);
  l->solve = ew_median(solve + 1, b->repeats);
cleanup:
  return status;
}

/* ---- peers ---------------------------------------------------------------------------------------------------------------- */

static bool write_rows(const bench *b, FILE *file) {
  const csr_pattern *p = &b->model.pattern;
  bool good = true;
  for (int32_t i = 0; i <= p->n && good; i++) {
    const int32_t at = p->start[i] + i; /* every row has its diagonal besides */
    good = fwrite(&at, 4, 1, file) == 1;
  }
  for (int part = 0; part < 2 && good; part++) /* columns, then values */
    for (int32_t i = 0; i < p->n && good; i++) {
      int32_t k = p->start[i];
      for (int32_t n = 0; n <= p->start[i + 1] - p->start[i] && good; n++) {
        const bool own = k == p->start[i + 1] || (k == p->start[i] + n && p->col[k] > i);
        const int32_t col = own ? i : p->col[k];
        const double value = own ? b->model.diagonal[i] : b->model.off[k];
        if (!own) k++;
        good = part == 0 ? fwrite(&col, 4, 1, file) == 1 : fwrite(&value, 8, 1, file) == 1;
      }
    }
  return good;
}

/* The file of tests/peers/system_file.h. */
static ew_status write_system(const bench *b, char *path, ew_error *err) {
  const int32_t head[] = {b->model.pattern.n, (int32_t)entries(b)};
  const int descriptor = mkstemp(path);
  FILE *file = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
  if (!file) return ew_fail(err, EW_IO, "%s: %s", path, strerror(errno));
  const bool good = fwrite(head, 4, 2, file) == 2 && write_rows(b, file) &&
                    fwrite(b->b, 8, (size_t)head[0], file) == (size_t)head[0];
  if (fclose(file) == 0 && good) return EW_OK;
  unlink(path);
  return ew_fail(err, EW_IO, "%s: %s", path, strerror(errno));
}

static void take_lines(bench *b, const char *text) {
  for (const char *at = text; *at;) {
    line l;
    if (b->n_lines < MOST_LINES && sscanf(at, "%63s %31s %lf %lf %lf %d %lf", l.who, l.method, &l.spmv,
                                          &l.setup, &l.solve, &l.iterations, &l.residual) == 7)
      b->lines[b->n_lines++] = l;
    at += strcspn(at, "\n");
    at += *at == '\n';
  }
}

/* A peer that is not there, or that fails, is named and left out. */
static void run_peer(bench *b, const char *name, const char *program, const char *system, bool mpi) {
  char path[1024], tolerance[32], repeats[16], *output = NULL;
  int code = 0;
  ew_error err = {0};
  snprintf(path, sizeof path, "%s/%s", b->o->peers, program);
  snprintf(tolerance, sizeof tolerance, "%g", TOLERANCE);
  snprintf(repeats, sizeof repeats, "%d", b->repeats);
  if (access(path, X_OK) != 0) {
    fprintf(b->log, "without %s: %s is not there (cmake/setup_peers.sh installs what it needs)\n", name,
            path);
    return;
  }
  char *alone[] = {path, (char *)system, tolerance, repeats, NULL};
  char *ranks[] = {"mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", "2",
                   path,     (char *)system,        tolerance,         repeats,     NULL};
  const int before = b->n_lines;
  if (spawn_capture(mpi ? ranks : alone, "/dev/null", &output, &code, &err) != EW_OK)
    fprintf(b->log, "without %s: %s\n", name, err.text);
  else if (code == 0) take_lines(b, output);
  if (output && b->n_lines == before)
    fprintf(b->log, "without %s: exit status %d:\n%.2000s\n", name, code, output);
  free(output);
}

static ew_status run_peers(bench *b, ew_error *err) {
  char path[] = "/tmp/edgewise-system-XXXXXX";
  if (!b->o->peers) return EW_OK;
  ew_status status = write_system(b, path, err);
  if (status != EW_OK) return status;
  run_peer(b, "ViennaCL", "peer_viennacl", path, false);
  run_peer(b, "PETSc", "peer_petsc", path, true);
  unlink(path);
  return EW_OK;
}

/* ---- tables ------------------------------------------------------------------------------------------------------------------- */

static double share(const bench *b, const line *l) {
  return 1e-9 * product_bytes(b) / l->spmv / b->rates.triad_gbs;
}

static void print_size(const bench *b) {
  FILE *out = b->out;
  fprintf(out, "\n%d^3 nodes: %d rows, %.1f entries a row; residual to %g\n", b->side, b->model.pattern.n,
          (double)entries(b) / b->model.pattern.n, TOLERANCE);
  fprintf(out, "%-16s %-13s %9s %6s %9s %6s %9s %9s %9s\n", "", "", "product", "of the", "ms an", "itera-",
          "set up", "solve", "both");
  fprintf(out, "%-16s %-13s %9s %6s %9s %6s %9s %9s %9s\n", "", "", "GB/s", "triad", "iteration", "tions",
          "s", "s", "s");
  for (int k = 0; k < b->n_lines; k++) {
    const line *l = &b->lines[k];
    fprintf(out, "%-16s %-13s %9.1f %6.2f %9.3f %6d %9.3f %9.3f %9.3f%s\n", l->who, l->method,
            1e-9 * product_bytes(b) / l->spmv, share(b, l), 1e3 * l->solve / fmax(l->iterations, 1),
            l->iterations, l->setup, l->solve, l->setup + l->solve,
            l->residual > 1.1 * TOLERANCE ? "  (residual too large)" : "");
  }
}

/* How many times faster the line of our own with the same method is: an iteration, and the whole. */
static void print_ratios(const bench *b) {
  for (int k = 0; k < b->n_lines; k++) {
    const line *peer = &b->lines[k];
    if (strcmp(peer->who, "edgewise") == 0) continue;
    for (int o = 0; o < k; o++) {
      const line *own = &b->lines[o];
      if (strcmp(own->who, "edgewise") != 0 || strcmp(own->method, peer->method) != 0) continue;
      fprintf(b->out,
              "%s, %s: edgewise is %.2f times as fast an iteration, %.2f times to the solution, set-up "
              "included\n",
              peer->who, peer->method,
              peer->solve / fmax(peer->iterations, 1) / (own->solve / fmax(own->iterations, 1)),
              (peer->setup + peer->solve) / (own->setup + own->solve));
    }
  }
}

static void add_json(const bench *b) {
  cJSON *size = cJSON_CreateObject(), *list;
  cJSON_AddNumberToObject(size, "n", b->side);
  cJSON_AddNumberToObject(size, "rows", b->model.pattern.n);
  cJSON_AddNumberToObject(size, "entries", (double)entries(b));
  list = cJSON_AddArrayToObject(size, "solvers");
  for (int k = 0; k < b->n_lines; k++) {
    const line *l = &b->lines[k];
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "who", l->who);
    cJSON_AddStringToObject(o, "preconditioner", l->method);
    cJSON_AddNumberToObject(o, "product_gbs", 1e-9 * product_bytes(b) / l->spmv);
    cJSON_AddNumberToObject(o, "share_of_triad", share(b, l));
    cJSON_AddNumberToObject(o, "iteration_ms", 1e3 * l->solve / fmax(l->iterations, 1));
    cJSON_AddNumberToObject(o, "iterations", l->iterations);
    cJSON_AddNumberToObject(o, "setup_seconds", l->setup);
    cJSON_AddNumberToObject(o, "solve_seconds", l->solve);
    cJSON_AddNumberToObject(o, "relative_residual", l->residual);
    cJSON_AddItemToArray(list, o);
  }
  cJSON_AddItemToArray(b->sizes, size);
}

static ew_status run_size(bench *b, int side, ew_error *err) {
  ew_status status;
  EW_CHECK(make_system(b, side, err));
  EW_CHECK(measure(b, CSR_JACOBI, false, err));
  EW_CHECK(measure(b, CSR_JACOBI, true, err));
  EW_CHECK(measure(b, CSR_CHEBYSHEV, false, err));
  EW_CHECK(measure(b, CSR_MULTIGRID, false, err));
  EW_CHECK(run_peers(b, err));
  if (b->sizes) {
    add_json(b);
  } else {
    print_size(b);
    print_ratios(b);
  }
cleanup:
  clear_size(b);
  return status;
}

static void print_json(bench *b) {
  cJSON *o = cJSON_CreateObject();
  cJSON_AddStringToObject(o, "bench", "linear");
  cJSON_AddStringToObject(o, "device", dev_name(b->device));
  report_rates(o, &b->rates);
  cJSON_AddNumberToObject(o, "tolerance", TOLERANCE);
  cJSON_AddItemToObject(o, "sizes", b->sizes);
  b->sizes = NULL;
  report_print(&o, b->out);
}

ew_status bench_linear(const linear_bench_options *o, FILE *out, FILE *log, ew_error *err) {
  ew_status status;
  bench b = {.o = o, .out = out, .log = log, .sizes = o->json ? cJSON_CreateArray() : NULL};
  b.repeats = o->repeats ? o->repeats : DEFAULT_REPEATS;
  if (o->n == 1 || o->n < 0) EW_CHECK(ew_fail(err, EW_USAGE, "--n needs at least 2 nodes along a side"));
  if (b.repeats < 1 || b.repeats > BENCH_MOST_REPEATS)
    EW_CHECK(ew_fail(err, EW_USAGE, "a bench takes 1 to %d repeats", BENCH_MOST_REPEATS));
  EW_CHECK(dev_context_create(o->device, &b.device, err));
  EW_CHECK(dev_measure_rates(b.device, &b.rates, err));
  if (!o->json)
    fprintf(out, "linear: P1 Laplacian on jittered tetrahedra, %s, triad %.1f GB/s\n", dev_name(b.device),
            b.rates.triad_gbs);
  EW_CHECK(run_size(&b, o->n ? o->n : 57, err));
  if (!o->n) EW_CHECK(run_size(&b, dev_get_info(b.device)->type == DEV_GPU ? 128 : 100, err));
  if (o->json) print_json(&b);
cleanup:
  cJSON_Delete(b.sizes);
  dev_context_destroy(&b.device);
  return status;
}
