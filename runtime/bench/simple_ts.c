#include "bench/simple_ts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/report.h"

enum { REFERENCE_NX = 504, REFERENCE_NY = 100, NX_ON_GPUS = 4032, NY_ON_GPUS = 2000 };
static const double WIDTH = 0.1;          /* of a cell; the square is 1 */
static const double INFLOW = 2.218276358; /* M = 2.43 */

typedef struct channel {
  int nx, ny, squares;
} channel;

typedef struct gas_bench {
  const simple_ts_options *o;
  channel channel;
  compare_entry *entry; /* room for COMPARE_ENTRIES */
  FILE *out, *log;
} gas_bench;

/* ---- the case ------------------------------------------------------------------------------------------------ */

static ew_status add_boundary(ew_case *c, const char **names, int n, const char *rule, case_boundary **out,
                              ew_error *err) {
  *out = case_append(c, &c->boundary, &c->n_boundaries, sizeof **out, err);
  if (!*out) return EW_FAIL;
  **out = (case_boundary){.n_names = n, .name = names, .rule = rule};
  return EW_OK;
}

static ew_status add_boundaries(ew_case *c, ew_error *err) {
  static const char *left[] = {"left"}, *right[] = {"right"}, *sides[] = {"bottom", "top"},
                    *square[] = {"square"};
  ew_status status;
  case_boundary *b;
  EW_CHECK(add_boundary(c, left, 1, "inlet", &b, err));
  EW_CHECK(bench_add_value(c, &b->argument, &b->n_arguments, &BENCH_NUMBERS("vel", 2, INFLOW), err));
  EW_CHECK(add_boundary(c, right, 1, "outlet", &b, err));
  EW_CHECK(add_boundary(c, sides, 2, "wall", &b, err));
  EW_CHECK(bench_add_value(c, &b->argument, &b->n_arguments, &BENCH_NUMBERS("w", 2, INFLOW), err));
  EW_CHECK(add_boundary(c, square, 1, "wall", &b, err));
cleanup:
  return status;
}

/* The front of a square at 5.5, one in the middle of each part of the height. */
static ew_status add_squares(ew_case *c, const channel *s, ew_error *err) {
  grid_solid_options *solid = case_alloc(c, sizeof *solid * (size_t)s->squares, err);
  if (!solid) return EW_FAIL;
  double height = s->ny * WIDTH, part = height / s->squares;
  for (int i = 0; i < s->squares; i++) {
    double y = (i + 0.5) * part;
    solid[i] = (grid_solid_options){
        .name = "square", .low = {5.5, y - 0.5, -INFINITY}, .high = {6.5, y + 0.5, INFINITY}};
  }
  c->mesh.grid.solid = solid;
  c->mesh.grid.n_solids = s->squares;
  return EW_OK;
}

static ew_status make_channel(void *context, const compare_entry *e, ew_case *c, ew_error *err) {
  channel s = *(const channel *)context;
  ew_status status;
  if (e->reference) s = (channel){REFERENCE_NX, REFERENCE_NY, 1};
  c->file = "bench", c->folder = ".", c->build.scheme = "simple_ts";
  c->time.stop = INFINITY, c->time.max_steps = 1 << 30;
  c->mesh.kind = CASE_MESH_GRID;
  c->mesh.grid = (grid_options){.dim = 2};
  c->mesh.grid.axis[0] = (grid_axis_options){.n = s.nx, .to = s.nx * WIDTH};
  c->mesh.grid.axis[1] = (grid_axis_options){.n = s.ny, .to = s.ny * WIDTH};
  EW_CHECK(add_squares(c, &s, err));
  EW_CHECK(
      bench_add_value(c, &c->values.parameter, &c->values.n_parameters, &BENCH_NUMBERS("Kn", 1, 0.001), err));
  EW_CHECK(bench_add_value(c, &c->values.parameter, &c->values.n_parameters,
                           &BENCH_NUMBERS("step_size", 1, 0.0025), err));
  EW_CHECK(
      bench_add_value(c, &c->values.parameter, &c->values.n_parameters, &BENCH_NUMBERS("tol", 1, 0), err));
  EW_CHECK(bench_add_value(c, &c->values.initial, &c->values.n_initial, &BENCH_NUMBERS("p", 1, 1), err));
  EW_CHECK(bench_add_value(c, &c->values.initial, &c->values.n_initial, &BENCH_NUMBERS("T", 1, 1), err));
  EW_CHECK(bench_add_value(c, &c->values.initial, &c->values.n_initial, &BENCH_NUMBERS("u", 1, INFLOW), err));
  EW_CHECK(bench_add_value(c, &c->values.initial, &c->values.n_initial, &BENCH_NUMBERS("v", 1, 0), err));
  EW_CHECK(add_boundaries(c, err));
cleanup:
  return status;
}

/* All passes of a step over all cells: with a tolerance of 0 the scheme's one repeat runs to its limit, which is `most_passes` of the
 * task or less. */
static double cell_iterations(void *context, const dslc_program *p, cell_id n_cells) {
  (void)context;
  const dslc_section *s = &p->execution.section[DSLC_SECTION_STEP];
  int passes = 1;
  for (int i = 0; i < s->n_ops; i++)
    if (s->op[i].kind == DSLC_OP_REPEAT) passes = s->op[i].limit;
  return (double)n_cells * passes;
}

/* ---- the tries ------------------------------------------------------------------------------------------------ */

static const char *const schemes[] = {
    "variant.time=implicit,variant.space=upwind", "variant.time=implicit,variant.space=tvd",
    "variant.time=explicit,variant.space=upwind", "variant.time=explicit,variant.space=tvd"};

/* Beside them. */
static const char *const by_rule[] = {"variant.space=tvd,grid.window=auto", "variant.space=tvd,select=delta",
                                      "variant.space=tvd,select=ternary", "variant.space=tvd,select=branch"};

enum { SCHEMES = (int)(sizeof schemes / sizeof *schemes), BY_RULE = (int)(sizeof by_rule / sizeof *by_rule) };

static ew_status make_entries(const simple_ts_options *o, compare_entry *entry, int *n, ew_error *err) {
  const char *tries[SCHEMES + BY_RULE];
  for (int i = 0; i < SCHEMES; i++) tries[i] = schemes[i];
  for (int i = 0; i < BY_RULE; i++) tries[SCHEMES + i] = by_rule[i];
  bool given = o->n_tries > 0;
  return compare_entries(o->device, given ? o->tries : tries, given ? o->n_tries : SCHEMES + BY_RULE, entry,
                         n, err);
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

/* References are numbered from 1, in their order. */
static int number_of(const compare_entry *entry, int reference) {
  int number = 0;
  for (int i = 0; i <= reference; i++) number += entry[i].reference;
  return number;
}

static void print_ratio(const compare_entry *entry, int which, FILE *out) {
  double ratio = compare_ratio(entry, which);
  if (ratio > 0) fprintf(out, "%8.4g [%d] ", ratio, number_of(entry, entry[which].against));
  else fprintf(out, "%8s     ", "-");
}

static void print_entry(const compare_entry *entry, int which, FILE *out) {
  const compare_entry *e = &entry[which];
  if (e->failed[0]) {
    fprintf(out, "  %-58s %s\n", e->label, e->failed);
    return;
  }
  double ns = compare_nanoseconds(e);
  fprintf(out, "  %-58s %10.4g %10.4g ", e->label, ns, 1e3 / ns);
  print_ratio(entry, which, out);
  fprintf(out, "%7.0f  %s", (double)e->device_bytes / e->n_cells, e->device_name);
  if (e->reference) fprintf(out, ", one core, %d x %d cells", REFERENCE_NX, REFERENCE_NY);
  fprintf(out, "\n");
}

/* The references, then the tries. */
static void print_table(const channel *s, const compare_entry *entry, int n, FILE *out) {
  fprintf(out, "simple_ts: microchannel, %d x %d cells, %d square%s; one inner iteration, per cell\n", s->nx,
          s->ny, s->squares, s->squares > 1 ? "s" : "");
  fprintf(out, "  %-58s %10s %10s %8s %-3s %7s  %s\n", "try", "ns", "M/s", "ratio", "to", "B/cell", "device");
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < n; i++)
      if (entry[i].reference == (pass == 0)) print_entry(entry, i, out);
  if (n > 0 && entry[n - 1].reference)
    fprintf(out, "  ratio: times as fast as one core with the serial C of the same variants\n");
}

static cJSON *json_of(const channel *s) {
  cJSON *o = cJSON_CreateObject();
  cJSON_AddStringToObject(o, "bench", "simple_ts");
  cJSON_AddNumberToObject(o, "nx", s->nx);
  cJSON_AddNumberToObject(o, "ny", s->ny);
  cJSON_AddNumberToObject(o, "squares", s->squares);
  return o;
}

static void print_json(const channel *s, const compare_entry *entry, int n, FILE *out) {
  cJSON *o = json_of(s);
  report_entries(o, entry, n);
  report_print(&o, out);
}

static compare_task task_of(gas_bench *b) {
  return (compare_task){.make = make_channel,
                        .units = cell_iterations,
                        .context = &b->channel,
                        .steps = 1,
                        .warm_up = 1,
                        .repeats = b->o->repeats ? b->o->repeats : 3,
                        .most_passes = b->o->passes ? b->o->passes : 100,
                        .reference = b->o->serial ? "device=c" : NULL};
}

static ew_status run_tries(gas_bench *b, ew_error *err) {
  ew_status status;
  int n = 0;
  compare_task task = task_of(b);
  EW_CHECK(make_entries(b->o, b->entry, &n, err));
  EW_CHECK(compare_run(&task, b->entry, &n, b->log, err));
  if (b->o->json) print_json(&b->channel, b->entry, n, b->out);
  else print_table(&b->channel, b->entry, n, b->out);
cleanup:
  compare_clear(b->entry, n);
  return status;
}

/* ---- rows and columns of subdomains, as Figs 11 to 14 of paper 001 ---------------------------------------------------------------- */

static const int sweep_rows[] = {25, 50, 100, 200, 400, 1000, 2000}, sweep_columns[] = {64, 128, 256, 512};
enum { ROWS = (int)(sizeof sweep_rows / sizeof *sweep_rows), COLUMNS = 4, MOST_TRY = 192 };

/* Unfused first, then by rows. */
typedef struct sweep {
  const char *scheme;
  int rows; /* how many of sweep_rows the grid has room for */
  char text[1 + ROWS * COLUMNS][MOST_TRY];
  const char *tries[1 + ROWS * COLUMNS];
} sweep;

static ew_status plan_sweep(const char *scheme, const channel *s, sweep *w, ew_error *err) {
  *w = (sweep){.scheme = scheme};
  if (strlen(scheme) > MOST_TRY - 64)
    return ew_fail(err, EW_USAGE, "a try to sweep is at most %d characters long, found '%s'", MOST_TRY - 64,
                   scheme);
  while (w->rows < ROWS && (w->rows == 0 || sweep_rows[w->rows] <= s->ny)) w->rows++;
  snprintf(w->text[0], MOST_TRY, "%s,grid.window=off", scheme);
  for (int i = 0; i < w->rows * COLUMNS; i++)
    snprintf(w->text[1 + i], MOST_TRY, "%s,grid.window=auto,grid.rows=%d,grid.columns=%d", scheme,
             sweep_rows[i / COLUMNS], sweep_columns[i % COLUMNS]);
  for (int i = 0; i <= w->rows * COLUMNS; i++) w->tries[i] = w->text[i];
  return EW_OK;
}

/* Times one core if that was measured, else millions of cells a second. */
static void print_speed(const compare_entry *entry, int which, FILE *out) {
  double ratio = compare_ratio(entry, which);
  if (entry[which].failed[0]) fprintf(out, " %9s", "-");
  else fprintf(out, " %9.4g", ratio > 0 ? ratio : 1e3 / compare_nanoseconds(&entry[which]));
}

static void print_failures(const compare_entry *entry, int n, FILE *out) {
  for (int i = 0; i < n; i++)
    if (entry[i].failed[0]) fprintf(out, "  %s: %s\n", entry[i].label, entry[i].failed);
}

static void print_sweep(const sweep *w, const compare_entry *entry, int n, FILE *out) {
  const char *device = entry[w->rows * COLUMNS].device_name;
  fprintf(out, "%s%s%s\n  %-20s", w->scheme, *device ? ", on " : "", device, "rows \\ columns");
  for (int c = 0; c < COLUMNS; c++) fprintf(out, " %9d", sweep_columns[c]);
  for (int r = 0; r < w->rows; r++) {
    fprintf(out, "\n  %-20d", sweep_rows[r]);
    for (int c = 0; c < COLUMNS; c++) print_speed(entry, 1 + r * COLUMNS + c, out);
  }
  fprintf(out, "\n  %-20s", "without windows");
  print_speed(entry, 0, out);
  fprintf(out, "\n");
  for (int i = 1 + w->rows * COLUMNS; i < n; i++)
    if (!entry[i].failed[0])
      fprintf(out, "  1 is %.4g ns: %s, %d x %d cells\n", compare_nanoseconds(&entry[i]), entry[i].label,
              REFERENCE_NX, REFERENCE_NY);
  print_failures(entry, n, out);
}

/* Into the list, or printed if that is NULL. */
static ew_status sweep_scheme(gas_bench *b, const char *scheme, cJSON *list, ew_error *err) {
  ew_status status;
  int n = 0;
  compare_task task = task_of(b);
  sweep *w = malloc(sizeof *w);
  if (!w) return ew_fail(err, EW_FAIL, "out of memory for a sweep");
  EW_CHECK(plan_sweep(scheme, &b->channel, w, err));
  EW_CHECK(compare_entries(b->o->device, w->tries, 1 + w->rows * COLUMNS, b->entry, &n, err));
  EW_CHECK(compare_run(&task, b->entry, &n, b->log, err));
  if (list) {
    cJSON *of_scheme = cJSON_CreateObject();
    cJSON_AddStringToObject(of_scheme, "scheme", scheme);
    report_entries(of_scheme, b->entry, n);
    cJSON_AddItemToArray(list, of_scheme);
  } else print_sweep(w, b->entry, n, b->out);
cleanup:
  compare_clear(b->entry, n);
  free(w);
  return status;
}

/* Each of the tries, or each of the four schemes, with the serial C of its variants and without windows beside it. */
static ew_status run_sweeps(gas_bench *b, ew_error *err) {
  ew_status status = EW_OK;
  cJSON *json = b->o->json ? json_of(&b->channel) : NULL;
  cJSON *list = json ? cJSON_AddArrayToObject(json, "sweeps") : NULL;
  bool given = b->o->n_tries > 0;
  if (!b->o->json)
    fprintf(b->out,
            "simple_ts: microchannel, %d x %d cells; one inner iteration, windowed, by rows and columns of "
            "subdomains: %s\n",
            b->channel.nx, b->channel.ny,
            b->o->serial ? "times one core with the serial C of the same variants"
                         : "million cells a second");
  for (int i = 0; i < (given ? b->o->n_tries : SCHEMES); i++) {
    memset(b->entry, 0, COMPARE_ENTRIES * sizeof *b->entry);
    EW_CHECK(sweep_scheme(b, given ? b->o->tries[i] : schemes[i], list, err));
    fflush(b->out);
  }
  if (b->o->json) report_print(&json, b->out);
cleanup:
  cJSON_Delete(json);
  return status;
}

ew_status bench_simple_ts(const simple_ts_options *o, FILE *out, FILE *log, ew_error *err) {
  gas_bench b = {.o = o, .out = out, .log = log};
  const bool gpu = bench_on_gpu(o->device);
  b.channel = (channel){o->nx ? o->nx
                        : gpu ? NX_ON_GPUS
                              : REFERENCE_NX,
                        o->ny ? o->ny
                        : gpu ? NY_ON_GPUS
                              : REFERENCE_NY,
                        o->squares ? o->squares : 1};
  b.entry = calloc(COMPARE_ENTRIES, sizeof *b.entry);
  if (!b.entry) return ew_fail(err, EW_FAIL, "out of memory for a bench");
  ew_status status = o->sweep ? run_sweeps(&b, err) : run_tries(&b, err);
  free(b.entry);
  return status;
}
