/* tune: measures the ways to solve a linear system, and keeps the best for later runs. The system is a Laplacian, a matrix from a file,
 * or those that a case solves in its first step. */
#include <stdlib.h>
#include <string.h>

#include "cli/shell.h"
#include "csr/linear.h"
#include "csr/model.h"
#include "formats/matrix_market.h"
#include "run/run.h"
#include "tune/linear.h"

/* ---- one matrix: tune and tell ---------------------------------------------------------------------------------------- */

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
  else if (dev_cache_dir(folder, sizeof folder) && *folder)
    fprintf(call->out, "stored in %s/tune for matrices like this one\n", folder);
}

static ew_status print_rates(const cli_call *call, dev_context *device, dev_rates *rates, ew_error *err) {
  ew_status status = dev_measure_rates(device, rates, err);
  if (status == EW_OK)
    fprintf(call->out, "triad %.1f GB/s, a launch %.1f us\n\n", rates->triad_gbs, rates->launch_us);
  return status;
}

static ew_status tune_subject(const cli_call *call, dev_context *device, const subject *s, ew_error *err) {
  ew_status status = EW_OK;
  tune_linear_table table = {0};
  dev_rates rates = {0};
  csr_options o = s->options;
  const tune_matrix m = {.pattern = s->pattern, .off = s->off, .diagonal = s->diagonal};
  const tune_linear_options how = {.again = cli_flag(call, "again"),
                                   .seconds = (double)cli_integer(call, "seconds", 30)};
  EW_CHECK(tune_linear(device, &m, &how, &o, &table, err));
  fprintf(call->out, "%s of %d rows, %.1f entries a row\n", s->name, m.pattern.n,
          1.0 + (double)m.pattern.start[m.pattern.n] / m.pattern.n);
  if (!table.recalled) {
    EW_CHECK(print_rates(call, device, &rates, err));
    tune_linear_print(&table, rates.triad_gbs, call->out);
    fprintf(call->out, "\n%.1f s of tuning\n", table.seconds);
  }
  print_choice(call, device, &o, &table);
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

static ew_status tune_matrix_of_host(const cli_call *call, subject *s, const double *off,
                                     const double *diagonal, ew_error *err) {
  ew_status status;
  dev_context *device = NULL;
  dev_buffer *buffer[2] = {NULL, NULL};
  const size_t n = (size_t)s->pattern.n;
  EW_CHECK(dev_context_create(cli_text(call, "device"), &device, err));
  EW_CHECK(upload(device, "matrix", off, (size_t)s->pattern.start[n], &buffer[0], err));
  EW_CHECK(upload(device, "diagonal", diagonal, n, &buffer[1], err));
  s->off = buffer[0];
  s->diagonal = buffer[1];
  EW_CHECK(tune_subject(call, device, s, err));
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

static ew_status tune_laplacian(const cli_call *call, ew_error *err) {
  ew_status status;
  csr_model model = {0};
  subject s = {.name = "Laplacian", .options = {.preconditioner = CSR_JACOBI}};
  const long side = cli_integer(call, "n", 57);
  if (side < 2 || side > 500)
    return ew_fail(err, EW_USAGE, "--n takes 2 to 500 nodes a side, found %ld", side);
  EW_CHECK(read_method(call, &s.options.method, err));
  EW_CHECK(csr_model_laplacian((int)side, true, &model, err));
  s.pattern = model.pattern;
  EW_CHECK(tune_matrix_of_host(call, &s, model.off, model.diagonal, err));
cleanup:
  csr_model_clear(&model);
  return status;
}

static ew_status tune_file(const cli_call *call, const char *path, ew_error *err) {
  ew_status status;
  csr_rows *a = NULL;
  linear_parts parts = {0};
  linear_options how = linear_defaults();
  how.preconditioner = CSR_JACOBI;
  EW_CHECK(read_method(call, &how.method, err));
  EW_CHECK(mm_read(path, &a, err));
  status = linear_split(a, &how, &parts, err);
  if (status != EW_OK) {
    ew_context(err, "%s", path);
    goto cleanup;
  }
  subject s = {.name = path,
               .pattern = {a->rows, parts.start, parts.col},
               .options = {.method = how.method, .preconditioner = how.preconditioner}};
  EW_CHECK(tune_matrix_of_host(call, &s, parts.off, parts.diagonal, err));
cleanup:
  linear_parts_clear(&parts);
  csr_rows_destroy(&a);
  return status;
}

/* ---- the systems of a case --------------------------------------------------------------------------------------------------- */

/* Those that the first step solves, with what the scheme and the case ask for but for a tuning. */
static ew_status tune_systems(const cli_call *call, const ew_case *c, dev_context *device, exec_run *run,
                              ew_error *err) {
  ew_status status = EW_OK;
  const dslc_program *p = exec_get_program(run);
  for (int i = 0; i < p->execution.n_solves; i++) {
    char name[512];
    const exec_system system = exec_get_system(run, i);
    snprintf(name, sizeof name, "%s%s of %s", i ? "\n" : "", p->execution.solve[i].matrix, c->file);
    subject s = {name, system.pattern, system.off, system.diagonal, system.options};
    s.options.tuning = (csr_tuning){0};
    EW_CHECK(tune_subject(call, device, &s, err));
  }
cleanup:
  return status;
}

static ew_status first_step(const cli_call *call, exec_run *run, ew_error *err) {
  const exec_until until = {.t_stop = 1e300, .max_steps = 1};
  if (exec_get_program(run)->execution.n_solves == 0)
    return ew_fail(err, EW_INPUT, "%s: scheme '%s' solves no linear system: there is nothing to tune",
                   call->argument[0], exec_get_program(run)->identity.scheme);
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

static ew_status tune_case(const cli_call *call, const ew_case *c, ew_error *err) {
  ew_status status;
  char path[EW_PATH];
  const char *where = cli_text(call, "device");
  dev_context *device = NULL;
  exec_domain domain = {NULL, NULL};
  dslc_program *program = NULL;
  exec_run *run = NULL;
  if (c->scheme && !c->manifest) EW_CHECK(shell_find_scheme(c, path, sizeof path, err));
  EW_CHECK(dev_context_create(where ? where : c->device, &device, err));
  EW_CHECK(exec_domain_create(c, &domain, err));
  EW_CHECK(exec_program(c, &domain, device, call->err, &program, err));
  EW_CHECK(check_case(call, c, program, &domain, err));
  EW_CHECK(exec_create(device, program, &domain, c, &run, err));
  EW_CHECK(first_step(call, run, err));
  EW_CHECK(tune_systems(call, c, device, run, err));
cleanup:
  exec_destroy(&run);
  dslc_program_destroy(&program);
  exec_domain_clear(&domain);
  dev_context_destroy(&device);
  return status;
}

static int tune_case_file(cli_call *call) {
  ew_error err = {0};
  case_file *file = NULL;
  const char **define = calloc((size_t)call->n_given + 1, sizeof *define);
  if (!define) return cli_fail(call, EW_FAIL, "out of memory");
  const case_file_options options = {.path = call->argument[0],
                                     .n_defines = cli_list(call, "D", define),
                                     .define = define,
                                     .print = call->err};
  int code = EW_OK;
  ew_status status = case_file_create(&options, &file, &err);
  if (status == EW_OK && !case_file_get(file))
    status = ew_fail(&err, EW_INPUT, "%s has no case: tune takes a matrix or a case", call->argument[0]);
  if (status == EW_OK && case_file_problems(file)->n > 0) code = shell_check(call, file, false, 0);
  else if (status == EW_OK) status = tune_case(call, case_file_get(file), &err);
  case_file_destroy(&file);
  free(define);
  return status == EW_OK ? code : shell_fail(call, &err);
}

/* ---- the command ----------------------------------------------------------------------------------------------------------------- */

static bool ends_with(const char *text, const char *end) {
  const size_t n = strlen(text), m = strlen(end);
  return n >= m && strcmp(text + n - m, end) == 0;
}

static int tune(cli_call *call) {
  ew_error err = {0};
  const char *path = call->n_arguments ? call->argument[0] : NULL;
  const bool is_case = path && ends_with(path, ".lua");
  if (path && cli_text(call, "n"))
    return cli_fail(call, EW_USAGE, "--n is the size of a generated matrix, but %s is given", path);
  if (is_case && cli_text(call, "method"))
    return cli_fail(call, EW_USAGE, "the method is that of the case or its scheme: --method is for matrices");
  if (is_case) return tune_case_file(call);
  const ew_status status = path ? tune_file(call, path, &err) : tune_laplacian(call, &err);
  return status == EW_OK ? EW_OK : shell_fail(call, &err);
}

static const cli_option OPTIONS[] = {
    {"device", 'd', CLI_TEXT, "SPEC", "index, part of a name, cpu, gpu, c or c-openmp", NULL},
    {"n", 'n', CLI_INTEGER, "N", "nodes along a side of the generated box (57): N^3 rows", NULL},
    {"method", 0, CLI_TEXT, "NAME", "cg (default) or bicgstab; a case has its own", NULL},
    {NULL, 'D', CLI_LIST, "NAME=VALUE", "value of an argument that the case declares", NULL},
    {"seconds", 0, CLI_INTEGER, "S", "time to spend on each matrix (30)", NULL},
    {"again", 0, CLI_FLAG, NULL, "measure even if a result is stored", NULL}};

const cli_command COMMAND_TUNE = {
    .name = "tune",
    .arguments = "[MATRIX.mtx|CASE.lua]",
    .summary = "find the fastest way to solve linear systems on a device",
    .details =
        "Tries forms of the product, sizes of groups and variants of the solver on a matrix, checks each "
        "against plain C,\nand stores the fastest for the device, its driver and matrices of about that size "
        "and fullness; runs and `solve` take\nit from there. The matrix is that of a Matrix Market file, "
        "those that "
        "a case solves in its first step, or a Laplacian.",
    .most = 1,
    .complete = "file",
    .options = OPTIONS,
    .n_options = sizeof OPTIONS / sizeof *OPTIONS,
    .run = tune};
