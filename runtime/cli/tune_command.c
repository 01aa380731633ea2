/* tune: measures schedules of a case or a scheme, and the ways to solve a linear system - a Laplacian, a matrix from a file, or those that
 * a case solves in its first step -, and keeps the best for later runs. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/shell.h"
#include "csr/linear.h"
#include "csr/model.h"
#include "formats/atomic_file.h"
#include "formats/matrix_market.h"
#include "run/leave.h"
#include "run/run.h"
#include "tune/linear.h"
#include "tune/schedule.h"
#include "verify/verify.h"

/* ---- one matrix: tune and tell ---------------------------------------------------------------------------------------- */

typedef struct job {
  const cli_call *call;
  bool saved;                                /* something was measured, and its results are stored or shown */
  bool solves;                               /* the case has linear systems, or it is not known yet */
  long seconds, candidates, patience, cells; /* 0: not given */
} job;

/* Whatever a stop met: Ctrl-C ends compilers, too. */
static int fail(const job *j, ew_error *err) {
  if (shell_stop && err->status != EW_STOPPED && err->status != EW_INTERNAL)
    ew_fail(err, EW_STOPPED, "stopped on request");
  return shell_end(j->call, err, j->saved);
}

typedef struct subject {
  const char *name; /* "Laplacian", "chain.mtx", "A of heat.lua" */
  csr_pattern pattern;
  const dev_buffer *off, *diagonal;
  csr_options options;
} subject;

static void print_choice(const cli_call *call, const dev_context *device, const csr_options *o,
                         const tune_linear_table *table) {
  const csr_tuning *t = &o->tuning;
  char folder[EW_PATH];
  fprintf(call->out, "%s: form %s, 2^%d items and 2^%d rows a group, %d and %d groups a compute unit, %s%s\n",
          dev_name(device), csr_form_name(t->form), t->group_bits, t->rows_bits, t->row_waves,
          t->vector_waves, csr_method_name(o->method), t->kernels == 1 ? " in one kernel" : "");
  if (table->recalled) fputs("as stored by an earlier run; --again measures anew\n", call->out);
  else if (table->stored && dev_cache_dir(folder, sizeof folder) && *folder)
    fprintf(call->out, "stored in %s/tune for matrices like this one\n", folder);
  else if (cli_flag(call, "dry")) fputs("nothing is stored: --dry\n", call->out);
  else if (table->stored)
    fputs("nothing is stored: EDGEWISE_CACHE is off, or no folder is known for it\n", call->out);
}

static ew_status print_rates(const cli_call *call, dev_context *device, dev_rates *rates, ew_error *err) {
  const char *without = dev_without_rates(dev_get_info(device));
  if (without) {
    fprintf(call->out, "without the rates of '%s': %s\n\n", dev_name(device), without);
    return EW_OK;
  }
  ew_status status = dev_measure_rates(device, rates, err);
  if (status == EW_OK)
    fprintf(call->out, "triad %.1f GB/s, a launch %.1f us\n\n", rates->triad_gbs, rates->launch_us);
  return status;
}

static ew_status tune_subject(job *j, dev_context *device, const subject *s, ew_error *err) {
  ew_status status = EW_OK;
  tune_linear_table table = {0};
  dev_rates rates = {0};
  csr_options o = s->options;
  const tune_matrix m = {.pattern = s->pattern, .off = s->off, .diagonal = s->diagonal};
  const tune_linear_options how = {.again = cli_flag(j->call, "again"),
                                   .dry = cli_flag(j->call, "dry"),
                                   .seconds = j->seconds ? (double)j->seconds : 30,
                                   .stop = &shell_stop};
  EW_CHECK(tune_linear(device, &m, &how, &o, &table, err));
  fprintf(j->call->out, "%s of %d rows, %.1f entries a row\n", s->name, m.pattern.n,
          1.0 + (double)m.pattern.start[m.pattern.n] / m.pattern.n);
  if (!table.recalled) {
    if (!shell_stop) EW_CHECK(print_rates(j->call, device, &rates, err));
    tune_linear_print(&table, rates.triad_gbs, j->call->out);
    fprintf(j->call->out, "\n%.1f s of tuning\n", table.seconds);
  }
  print_choice(j->call, device, &o, &table);
  j->saved |= table.stored || (how.dry && table.n > 0);
  if (table.not_stored.status != EW_OK)
    EXEC_LEAVE(err, table.not_stored.status, "nothing is stored for matrices like this one: %s",
               table.not_stored.text);
  if (shell_stop) status = ew_fail(err, EW_STOPPED, "stopped on request while %s was tuned", s->name);
cleanup:
  tune_linear_clear(&table);
  return status;
}

/* ---- a matrix of the host ------------------------------------------------------------------------------------------------ */

static ew_status upload(dev_context *device, const char *name, const double *values, size_t count,
                        dev_buffer **out, ew_error *err) {
  const uint64_t bytes = count * sizeof *values;
  ew_status status = dev_buffer_create(device, name, bytes, out, err);
  return status == EW_OK && bytes ? dev_buffer_write(*out, 0, bytes, values, err) : status;
}

static ew_status tune_matrix_of_host(job *j, subject *s, const double *off, const double *diagonal,
                                     ew_error *err) {
  ew_status status;
  dev_context *device = NULL;
  dev_buffer *buffer[2] = {NULL, NULL};
  const size_t n = (size_t)s->pattern.n;
  EW_CHECK(dev_context_create(cli_text(j->call, "device"), &device, err));
  EW_CHECK(upload(device, "matrix", off, (size_t)s->pattern.start[n], &buffer[0], err));
  EW_CHECK(upload(device, "diagonal", diagonal, n, &buffer[1], err));
  s->off = buffer[0];
  s->diagonal = buffer[1];
  EW_CHECK(tune_subject(j, device, s, err));
cleanup:
  dev_buffer_destroy(&buffer[0]);
  dev_buffer_destroy(&buffer[1]);
  dev_context_destroy(&device);
  return status;
}

static ew_status read_method(const cli_call *call, csr_method *out, ew_error *err) {
  const char *method = cli_text(call, "method");
  *out = CSR_CG;
  if (method && strcmp(method, "bicgstab") == 0) *out = CSR_BICGSTAB;
  else if (method && strcmp(method, "cg") != 0)
    return ew_fail(err, EW_USAGE, "--method takes cg or bicgstab, found '%s'", method);
  return EW_OK;
}

static ew_status tune_laplacian(job *j, ew_error *err) {
  ew_status status;
  csr_model model = {0};
  subject s = {.name = "Laplacian", .options = {.preconditioner = CSR_JACOBI}};
  const long side = cli_integer(j->call, "n", 57);
  if (side < 2 || side > 500)
    return ew_fail(err, EW_USAGE, "--n takes 2 to 500 nodes a side, found %ld", side);
  EW_CHECK(read_method(j->call, &s.options.method, err));
  EW_CHECK(csr_model_laplacian((int)side, true, &model, err));
  s.pattern = model.pattern;
  EW_CHECK(tune_matrix_of_host(j, &s, model.off, model.diagonal, err));
cleanup:
  csr_model_clear(&model);
  return status;
}

/* Of the methods that are tuned bicgstab alone takes such matrices. */
static ew_status check_symmetry(const csr_rows *a, csr_method method, const char *path, ew_error *err) {
  int32_t at[2];
  double value[2];
  if (method != CSR_CG || a->rows != a->columns || linear_is_symmetric(a, at, value)) return EW_OK;
  return ew_fail(err, EW_INPUT,
                 "%s: the matrix is not symmetric: entry (%d, %d) is %g, entry (%d, %d) is %g\n"
                 "hint: cg, which is tuned by default, needs a symmetric matrix; --method bicgstab does not",
                 path, at[0] + 1, at[1] + 1, value[0], at[1] + 1, at[0] + 1, value[1]);
}

static ew_status tune_file(job *j, const char *path, ew_error *err) {
  ew_status status;
  csr_rows *a = NULL;
  linear_parts parts = {0};
  linear_options how = linear_defaults();
  how.preconditioner = CSR_JACOBI;
  EW_CHECK(read_method(j->call, &how.method, err));
  EW_CHECK(mm_read(path, &a, err));
  EW_CHECK(check_symmetry(a, how.method, path, err));
  status = linear_split(a, &how, &parts, err);
  if (status != EW_OK) {
    ew_context(err, "%s", path);
    goto cleanup;
  }
  subject s = {.name = path,
               .pattern = {a->rows, parts.start, parts.col},
               .options = {.method = how.method, .preconditioner = how.preconditioner}};
  EW_CHECK(tune_matrix_of_host(j, &s, parts.off, parts.diagonal, err));
cleanup:
  linear_parts_clear(&parts);
  csr_rows_destroy(&a);
  return status;
}

static int tune_without_case(job *j) {
  ew_error err = {0};
  const ew_status status =
      j->call->n_arguments ? tune_file(j, j->call->argument[0], &err) : tune_laplacian(j, &err);
  return status == EW_OK ? EW_OK : fail(j, &err);
}

/* ---- the systems of a case --------------------------------------------------------------------------------------------------- */

/* Those that the first step solves, with what the scheme and the case ask for but for a tuning. */
static ew_status tune_systems(job *j, const ew_case *c, dev_context *device, exec_run *run, ew_error *err) {
  ew_status status = EW_OK;
  const dslc_program *p = exec_get_program(run);
  for (int i = 0; i < p->execution.n_solves; i++) {
    char name[512];
    const exec_system system = exec_get_system(run, i);
    snprintf(name, sizeof name, "%s%s of %s", i ? "\n" : "", p->execution.solve[i].matrix, c->file);
    subject s = {name, system.pattern, system.off, system.diagonal, system.options};
    s.options.tuning = (csr_tuning){0};
    EW_CHECK(tune_subject(j, device, &s, err));
  }
cleanup:
  return status;
}

static ew_status first_step(exec_run *run, ew_error *err) {
  const exec_until until = {.t_stop = 1e30, .max_steps = 1, .stop = &shell_stop};
  return exec_advance(run, &until, err);
}

static ew_status check_case(const cli_call *call, const ew_case *c, const dslc_program *program,
                            const exec_domain *domain, ew_error *err) {
  exec_problems found = {0};
  ew_status status = exec_check(c, program, domain, &found, err);
  if (status == EW_OK && found.n > 0) {
    exec_problems_print(&found, call->err);
    status = ew_fail(err, EW_INPUT, "%d problem%s in %s", found.n, found.n == 1 ? "" : "s", c->file);
  }
  exec_problems_clear(&found);
  return status;
}

static ew_status tune_solves(job *j, const ew_case *c, ew_error *err) {
  ew_status status;
  char path[EW_PATH];
  const char *where = cli_text(j->call, "device");
  dev_context *device = NULL;
  exec_domain domain = {NULL, NULL};
  dslc_program *program = NULL;
  exec_run *run = NULL;
  if (c->build.scheme && !c->build.manifest) EW_CHECK(exec_find_scheme(c, path, sizeof path, err));
  EW_CHECK(dev_context_create(where ? where : c->build.device, &device, err));
  EW_CHECK(exec_domain_create(c, &domain, err));
  EW_CHECK(exec_program(c, &domain, device, j->call->err, &program, err));
  EW_CHECK(check_case(j->call, c, program, &domain, err));
  if (program->execution.n_solves == 0)
    EXEC_LEAVE(err, EW_USAGE, "scheme '%s' solves no linear system: there is none to tune",
               program->identity.scheme);
  EW_CHECK(exec_create(device, program, &domain, c, &run, err));
  EW_CHECK(first_step(run, err));
  EW_CHECK(tune_systems(j, c, device, run, err));
cleanup:
  exec_destroy(&run);
  dslc_program_destroy(&program);
  exec_domain_clear(&domain);
  dev_context_destroy(&device);
  return status;
}

/* ---- the schedule of a case ------------------------------------------------------------------------------------------------- */

static void print_best(const cli_call *call, const tune_schedule_table *t) {
  const tune_trial *best = &t->trial[t->best];
  fprintf(call->out, "\n%d of %d settings tried in %.1f s on %s (%s)\n", t->candidates, t->moves, t->seconds,
          t->info.name, t->info.platform);
  if (t->best == 0) fputs("the default schedule is the best of them\n", call->out);
  else {
    fprintf(call->out, "%.2f times as fast as the default:", best->gain);
    for (int i = 0; i < best->n; i++) fprintf(call->out, " %s=%s", best->set[i].name, best->set[i].value);
    fputc('\n', call->out);
  }
}

static void print_kept(const cli_call *call, const tune_schedule_table *t, const tune_kept *k) {
  if (!*k->path) return;
  if (k->stored)
    fprintf(call->out, "stored in %s; runs of this scheme %s%s%stake it from there\n", k->path,
            *t->subject.with ? "with " : "", t->subject.with, *t->subject.with ? " " : "");
  else if (k->candidates == 0)
    fprintf(call->out, "nothing is stored: no schedule was measured beside the default\n");
  else
    fprintf(call->out,
            "%s stays as it is: the search that it is from measured %d schedules, and this one %d%s\n",
            k->path, k->candidates, t->candidates, t->candidates > 0 ? "; --again stores this one's" : "");
}

/* All that is wrong with the case, by its lines, before anything is measured. */
static ew_status check_whole(const cli_call *call, const ew_case *c, ew_error *err) {
  ew_status status;
  dev_context *host = NULL; /* loads no driver: that is left to other processes */
  exec_domain domain = {NULL, NULL};
  dslc_program *program = NULL;
  ew_case plain = *c;
  plain.build.by_rule = true;
  EW_CHECK(dev_context_create("c", &host, err));
  EW_CHECK(exec_domain_create(c, &domain, err));
  EW_CHECK(exec_program(&plain, &domain, host, call->err, &program, err));
  EW_CHECK(check_case(call, c, program, &domain, err));
cleanup:
  dslc_program_destroy(&program);
  exec_domain_clear(&domain);
  dev_context_destroy(&host);
  return status;
}

/* ---- a whole space beside what the search found ------------------------------------------------------------------------------- */

static void print_share(const cli_call *call, const char *what, const tune_trial *r, double optimum) {
  fprintf(call->out, "%-8s %6.3f times the default", what, r->gain);
  if (optimum > 0) fprintf(call->out, ", %5.1f %% of the optimum", 100 * r->gain / optimum);
  fputc(':', call->out);
  for (int i = 0; i < r->n; i++) fprintf(call->out, " %s=%s", r->set[i].name, r->set[i].value);
  fputs(r->n ? "\n" : " default\n", call->out);
}

static ew_status exhaust(job *j, ew_case *c, const char *device, const tune_schedule_table *found,
                         ew_error *err) {
  ew_status status;
  tune_schedule_table t = {0};
  tune_shares s = {.found = found};
  const tune_limits limits = {
      .seconds = 86400, .patience = (double)j->patience, .progress = j->call->err, .stop = &shell_stop};
  EW_CHECK(tune_exhaust(c, device, &limits, &t, &s, err));
  EW_CHECK(tune_schedule_write_json(&t, cli_text(j->call, "exhaust"), err));
  fprintf(j->call->out,
          "\n%s%s%s on %s: %d of %d points differ, measured in %.0f s; the search tried %d in %.0f s\n",
          t.subject.scheme, *t.subject.variants ? " " : "", t.subject.variants, t.info.name, s.measured,
          s.points, t.seconds, found->candidates, found->seconds);
  print_share(j->call, "optimum", &s.optimum, 0);
  print_share(j->call, "tuned", &s.tuned, s.optimum.gain);
  print_share(j->call, "model", &s.foreseen, s.optimum.gain);
cleanup:
  tune_schedule_clear(&t);
  return status;
}

/* Also where the best could not be stored: the first failure counts. */
static ew_status write_table(const job *j, const tune_schedule_table *t, ew_status before, ew_error *err) {
  const char *path = cli_text(j->call, "table");
  const ew_status status = path ? tune_schedule_write_json(t, path, before == EW_OK ? err : NULL) : EW_OK;
  return before != EW_OK ? before : status;
}

static ew_status tune_steps(job *j, ew_case *c, ew_error *err) {
  ew_status status;
  char path[EW_PATH];
  const char *device = cli_text(j->call, "device");
  tune_schedule_table t = {0};
  tune_kept kept = {0};
  const tune_limits limits = {.seconds = j->seconds ? (double)j->seconds : 60,
                              .candidates = j->candidates ? (int)j->candidates : 24,
                              .patience = (double)j->patience,
                              .keep = !cli_flag(j->call, "dry"),
                              .progress = j->call->err,
                              .stop = &shell_stop};
  EW_CHECK(exec_find_scheme(c, path, sizeof path, err));
  EW_CHECK(check_whole(j->call, c, err));
  EW_CHECK(tune_schedule(c, device ? device : c->build.device, &limits, &t, err));
  if (t.stopped && t.candidates == 0)
    EXEC_LEAVE(err, EW_STOPPED, "stopped on request before a schedule was measured beside the default");
  tune_schedule_print(&t, j->call->out);
  print_best(j->call, &t);
  if (limits.keep) status = tune_schedule_keep(&t, cli_flag(j->call, "again"), &kept, err);
  if (status == EW_OK) print_kept(j->call, &t, &kept);
  j->saved = status == EW_OK;
  EW_CHECK(write_table(j, &t, status, err));
  j->solves = t.solves;
  if (t.stopped)
    EXEC_LEAVE(err, EW_STOPPED, "stopped on request after %d of %d settings", t.candidates, t.moves);
  if (cli_text(j->call, "exhaust")) EW_CHECK(exhaust(j, c, device ? device : c->build.device, &t, err));
cleanup:
  tune_schedule_clear(&t);
  return status;
}

/* First how its steps are computed, then how their systems are solved; or one of the two. */
static ew_status tune_case(job *j, ew_case *c, ew_error *err) {
  const char *only = cli_text(j->call, "only");
  ew_status status = EW_OK;
  if (only && strcmp(only, "schedule") != 0 && strcmp(only, "systems") != 0)
    return ew_fail(err, EW_USAGE, "--only takes schedule or systems, found '%s'", only);
  if (cli_flag(j->call, "dry")) c->solver.tune = 0; /* by which a run measures its systems, and stores that */
  if (!c->build.manifest && !(only && strcmp(only, "systems") == 0)) status = tune_steps(j, c, err);
  if (status != EW_OK || !j->solves || (only && strcmp(only, "schedule") == 0)) return status;
  return tune_solves(j, c, err);
}

/* ---- the schedule of a scheme, on a mesh or grid made for it ------------------------------------------------------------------ */

/* Blocks along a side for about so many cells. */
static int side_of(const dslc_program *scheme, long cells) {
  const double blocks = (double)cells / (scheme->space.on_grid ? 1 : scheme->space.dims == 2 ? 2 : 6);
  const double side = scheme->space.dims == 1   ? blocks
                      : scheme->space.dims == 2 ? sqrt(blocks)
                                                : cbrt(blocks);
  return side < 4 ? 4 : side > 20000 ? 20000 : (int)side;
}

/* As `edgewise verify` makes them, but larger, of simplices, and without solids. */
static ew_status make_case(long cells, const dslc_program *scheme, const char *path, ew_case **c,
                           ew_error *err) {
  verify_setup setup;
  ew_status status = verify_draw_setup(scheme, VERIFY_POSITIVE, 1, &setup, err);
  if (status != EW_OK) return status;
  for (int a = 0; a < setup.dim; a++) setup.n[a] = side_of(scheme, cells);
  setup.cells = VERIFY_SIMPLICES;
  setup.n_solids = 0;
  verify_close_sides(scheme, &setup);
  setup.plain = true;
  setup.amplitude = 0.02; /* near rest: steps go on for long */
  setup.vectors = 0.01;
  status = verify_make_case(&(verify_source){scheme, path, ".", false}, &setup, c, err);
  if (status == EW_OK)
    (*c)->solver.tolerance = 0, (*c)->solver.iterations = 0; /* those of the scheme, as in a run */
  return status;
}

static int tune_scheme(job *j) {
  const cli_call *call = j->call;
  ew_error err = {0};
  ew_status status;
  char found[EW_PATH], path[PATH_MAX];
  dslc_program *scheme = NULL;
  ew_case named = {.folder = ".", .build.scheme = call->argument[0]}, *c = NULL;
  EW_CHECK(exec_find_scheme(&named, found, sizeof found, &err));
  if (!realpath(found, path)) EXEC_LEAVE(&err, EW_IO, "%s: %s", found, strerror(errno));
  EW_CHECK(verify_describe(path, 0, call->err, &scheme, &err));
  EW_CHECK(make_case(j->cells ? j->cells : 500000, scheme, path, &c, &err));
  status = tune_case(j, c, &err);
  if (status == EW_DIVERGED)
    ew_context(&err,
               "with made-up values the scheme stops; tune a case of it instead: edgewise tune CASE.lua");
cleanup:
  dslc_program_destroy(&scheme);
  case_destroy(&c);
  return status == EW_OK ? EW_OK : fail(j, &err);
}

static int tune_case_file(job *j) {
  const cli_call *call = j->call;
  ew_error err = {0};
  case_file *file = NULL;
  const char **define = calloc((size_t)call->n_given + 1, sizeof *define);
  if (!define) return cli_fail(call, EW_FAIL, "out of memory");
  const case_file_options options = {.path = call->argument[0],
                                     .n_defines = cli_list(call, "D", define),
                                     .define = define,
                                     .print = call->err,
                                     .stop = &shell_stop,
                                     .in_lua = &shell_in_lua,
                                     .run = shell_refuse_run,
                                     .context = "tuning"};
  int code = EW_OK;
  ew_status status = case_file_create(&options, &file, &err);
  if (status == EW_OK && !case_file_get(file))
    status = ew_fail(&err, EW_INPUT, "%s has no case: tune takes a matrix or a case", call->argument[0]);
  if (status == EW_OK && case_file_problems(file)->n > 0) code = shell_check(call, file, false, 0);
  else if (status == EW_OK) status = tune_case(j, case_file_get(file), &err);
  case_file_destroy(&file);
  free(define);
  return status == EW_OK ? code : fail(j, &err);
}

/* ---- the command ----------------------------------------------------------------------------------------------------------------- */

static bool ends_with(const char *text, const char *end) {
  const size_t n = strlen(text), m = strlen(end);
  return n >= m && strcmp(text + n - m, end) == 0;
}

static ew_status read_counts(job *j, ew_error *err) {
  enum { MOST = 1000000000 };
  ew_status status;
  EW_CHECK(shell_count(j->call, "seconds", MOST, &j->seconds, err));
  EW_CHECK(shell_count(j->call, "candidates", MOST, &j->candidates, err));
  EW_CHECK(shell_count(j->call, "patience", MOST, &j->patience, err));
  EW_CHECK(shell_count(j->call, "cells", MOST, &j->cells, err));
cleanup:
  return status;
}

/* Before minutes are spent on what they shall hold. */
static ew_status try_files(const cli_call *call, ew_error *err) {
  static const char *const OPTION[] = {"table", "exhaust"};
  ew_status status = EW_OK;
  for (size_t i = 0; i < sizeof OPTION / sizeof *OPTION && status == EW_OK; i++)
    if (cli_text(call, OPTION[i])) status = atomic_file_try(cli_text(call, OPTION[i]), err);
  return status;
}

/* What is tuned, and the options that it takes. */
typedef struct tune_kind {
  const char *subject, *options;
  int (*run)(job *j);
} tune_kind;

#define OF_SYSTEMS   " --device --seconds --again --dry"
#define OF_SCHEDULES OF_SYSTEMS " --only --candidates --patience --table --exhaust"

enum { LAPLACIAN, MATRIX, SCHEME, SYSTEMS_OF_SCHEME, CASE, SYSTEMS_OF_CASE };
static const tune_kind KINDS[] = {
    [LAPLACIAN] = {"tune without a file", OF_SYSTEMS " --n --method", tune_without_case},
    [MATRIX] = {"tune MATRIX.mtx", OF_SYSTEMS " --method", tune_without_case},
    [SCHEME] = {"tune SCHEME", OF_SCHEDULES " --cells", tune_scheme},
    [SYSTEMS_OF_SCHEME] = {"tune SCHEME --only systems", OF_SYSTEMS " --only --cells", tune_scheme},
    [CASE] = {"tune CASE.lua", OF_SCHEDULES " -D", tune_case_file},
    [SYSTEMS_OF_CASE] = {"tune CASE.lua --only systems", OF_SYSTEMS " --only -D", tune_case_file}};

static const tune_kind *find_kind(const cli_call *call) {
  const char *path = call->n_arguments ? call->argument[0] : NULL, *only = cli_text(call, "only");
  const bool systems = only && strcmp(only, "systems") == 0;
  if (!path) return &KINDS[LAPLACIAN];
  if (ends_with(path, ".mtx") || ends_with(path, ".mtx.gz")) return &KINDS[MATRIX];
  return &KINDS[(ends_with(path, ".lua") ? CASE : SCHEME) + systems];
}

static int tune(cli_call *call) {
  ew_error err = {0};
  const tune_kind *kind = find_kind(call);
  const cli_file files[] = {{"what is tuned", call->n_arguments ? call->argument[0] : NULL},
                            {"the table", cli_text(call, "table")},
                            {"the exhausted space", cli_text(call, "exhaust")}};
  if (shell_takes(call, kind->subject, kind->options, &err) != EW_OK) return shell_fail(call, &err);
  const int apart = cli_files_apart(call, files, 1, 3);
  if (apart != CLI_OK) return apart;
  job j = {.call = call, .solves = true};
  if (read_counts(&j, &err) != EW_OK || try_files(call, &err) != EW_OK) return shell_fail(call, &err);
  shell_watch_signals();
  shell_outlive_readers();
  return kind->run(&j);
}

static const cli_option OPTIONS[] = {
    {"device", 'd', CLI_TEXT, "SPEC", "index, part of a name, cpu, gpu, c or c-openmp", NULL},
    {"n", 'n', CLI_INTEGER, "N", "nodes along a side of the generated box (57): N^3 rows", NULL},
    {"method", 0, CLI_TEXT, "NAME", "cg (default) or bicgstab; a case has its own", NULL},
    {NULL, 'D', CLI_LIST, "NAME=VALUE", "value of an argument that the case declares", NULL},
    {"seconds", 0, CLI_INTEGER, "S", "time to measure a schedule (60), or each matrix (30)", NULL},
    {"only", 0, CLI_TEXT, "WHAT", "of a case: schedule, or systems", "schedule systems"},
    {"cells", 0, CLI_INTEGER, "N", "of a scheme: about so many cells (500000)", NULL},
    {"candidates", 0, CLI_INTEGER, "N", "measure at most so many schedules (24)", NULL},
    {"patience", 0, CLI_INTEGER, "S", "end a candidate that is still at work after so long", NULL},
    {"table", 0, CLI_TEXT, "FILE", "write all schedules measured as JSON; systems are not in it", "file"},
    {"exhaust", 0, CLI_TEXT, "FILE",
     "then measure a whole space of some hundred schedules as well, compare, write it as JSON", "file"},
    {"dry", 0, CLI_FLAG, NULL, "store nothing, neither a schedule nor the tuning of a system", NULL},
    {"again", 0, CLI_FLAG, NULL, "measure even if a result is stored, and store over a longer search", NULL}};

const cli_command COMMAND_TUNE = {
    .name = "tune",
    .arguments = "[CASE.lua|SCHEME|MATRIX.mtx]",
    .summary = "find the fastest schedule of a case, the fastest way to solve linear systems",
    .details =
        "Of a case, or of a scheme on a mesh made for it: predicts what each setting of the schedule would "
        "do to its steps, measures the most "
        "promising ones, in\nanother process, checked against plain C and in turn with the "
        "default, "
        "and stores the fastest in the profile of\nthe device, where runs find it. Of linear systems - those "
        "that a case solves in its first step, of a Matrix Market file, or\nof a Laplacian - tries forms of "
        "the "
        "product, sizes of groups and variants of the solver.",
    .most = 1,
    .complete = "file",
    .options = OPTIONS,
    .n_options = sizeof OPTIONS / sizeof *OPTIONS,
    .run = tune};
