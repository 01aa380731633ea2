/* tune: measures the ways to solve a linear system, and keeps the best for later runs. */
#include <string.h>

#include "cli/shell.h"
#include "csr/model.h"
#include "tune/linear.h"

typedef struct generated {
  dev_context *device;
  csr_model model;
  dev_buffer *off, *diagonal;
} generated;

static ew_status generate(const cli_call *call, generated *g, ew_error *err) {
  ew_status status = EW_OK;
  long side = cli_integer(call, "n", 57);
  if (side < 2 || side > 500)
    return ew_fail(err, EW_USAGE, "--n takes 2 to 500 nodes a side, found %ld", side);
  EW_CHECK(dev_context_create(cli_text(call, "device"), &g->device, err));
  EW_CHECK(csr_model_laplacian((int)side, true, &g->model, err));
  const csr_pattern *p = &g->model.pattern;
  EW_CHECK(dev_buffer_upload(g->device, "matrix", g->model.off, 8 * (uint64_t)p->start[p->n], &g->off, err));
  EW_CHECK(
      dev_buffer_upload(g->device, "diagonal", g->model.diagonal, 8 * (uint64_t)p->n, &g->diagonal, err));
cleanup:
  return status;
}

static void generated_clear(generated *g) {
  dev_buffer_destroy(&g->off);
  dev_buffer_destroy(&g->diagonal);
  csr_model_clear(&g->model);
  dev_context_destroy(&g->device);
}

static ew_status read_method(const cli_call *call, csr_options *o, ew_error *err) {
  const char *method = cli_text(call, "method");
  if (!method || strcmp(method, "cg") == 0) o->method = CSR_CG;
  else if (strcmp(method, "bicgstab") == 0) o->method = CSR_BICGSTAB;
  else return ew_fail(err, EW_USAGE, "--method takes cg or bicgstab, found '%s'", method);
  return EW_OK;
}

static void print_choice(const cli_call *call, const generated *g, const csr_options *o,
                         const tune_linear_table *table) {
  const csr_tuning *t = &o->tuning;
  char folder[512];
  fprintf(call->out, "%s: form %s, 2^%d items and 2^%d rows a group, %d and %d groups a compute unit, %s\n",
          dev_name(g->device), csr_form_name(t->form), t->group_bits, t->rows_bits, t->row_waves,
          t->vector_waves,
          o->method == CSR_CG              ? "cg"
          : o->method == CSR_CG_THREE_TERM ? "three-term cg"
                                           : "bicgstab");
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

static ew_status tune_generated(const cli_call *call, generated *g, ew_error *err) {
  ew_status status = EW_OK;
  tune_linear_table table = {0};
  dev_rates rates = {0};
  csr_options o = {.preconditioner = CSR_JACOBI};
  tune_linear_options how = {.again = cli_flag(call, "again"),
                             .seconds = (double)cli_integer(call, "seconds", 30)};
  EW_CHECK(read_method(call, &o, err));
  EW_CHECK(generate(call, g, err));
  tune_matrix m = {.pattern = g->model.pattern, .off = g->off, .diagonal = g->diagonal};
  EW_CHECK(tune_linear(g->device, &m, &how, &o, &table, err));
  fprintf(call->out, "Laplacian of %d rows, %.1f entries a row\n", m.pattern.n,
          1.0 + (double)m.pattern.start[m.pattern.n] / m.pattern.n);
  if (!table.recalled) {
    EW_CHECK(print_rates(call, g->device, &rates, err));
    tune_linear_print(&table, rates.triad_gbs, call->out);
    fprintf(call->out, "\n%.1f s of tuning\n", table.seconds);
  }
  print_choice(call, g, &o, &table);
cleanup:
  tune_linear_clear(&table);
  return status;
}

static int tune(cli_call *call) {
  ew_error err = {0};
  generated g = {0};
  ew_status status = tune_generated(call, &g, &err);
  generated_clear(&g);
  return status == EW_OK ? EW_OK : shell_fail(call, &err);
}

static const cli_option OPTIONS[] = {
    {"device", 'd', CLI_TEXT, "SPEC", "index, part of a name, cpu, gpu, c or c-openmp", NULL},
    {"n", 'n', CLI_INTEGER, "N", "nodes along a side of the box (57): N^3 rows", NULL},
    {"method", 0, CLI_TEXT, "NAME", "cg (default) or bicgstab", NULL},
    {"seconds", 0, CLI_INTEGER, "S", "time to spend (30)", NULL},
    {"again", 0, CLI_FLAG, NULL, "measure even if a result is stored", NULL}};

const cli_command COMMAND_TUNE = {
    .name = "tune",
    .summary = "find the fastest way to solve linear systems on a device",
    .details =
        "Tries forms of the product, sizes of groups and variants of the solver on a Laplacian, checks each "
        "against plain C,\nand stores the fastest for the device, its driver and matrices of about that "
        "size; "
        "runs take it from there.",
    .options = OPTIONS,
    .n_options = sizeof OPTIONS / sizeof *OPTIONS,
    .run = tune};
