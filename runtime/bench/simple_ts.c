#include "bench/simple_ts.h"

#include <math.h>
#include <stdlib.h>

#include "bench/report.h"

enum { REFERENCE_NX = 504, REFERENCE_NY = 100 };
static const double WIDTH = 0.1;          /* of a cell; the square is 1 */
static const double INFLOW = 2.218276358; /* M = 2.43 */

typedef struct channel {
  int nx, ny, squares;
} channel;

/* ---- the case ------------------------------------------------------------------------------------------------ */

static ew_status add_number(ew_case *c, case_value **list, int *n, const char *name, int components, double x,
                            double y, ew_error *err) {
  case_value *v = case_append(c, list, n, sizeof *v, err);
  if (!v) return EW_FAIL;
  *v = (case_value){.name = name, .kind = CASE_NUMBERS, .n = components, .number = {x, y}};
  return EW_OK;
}

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
  EW_CHECK(add_number(c, &b->argument, &b->n_arguments, "vel", 2, INFLOW, 0, err));
  EW_CHECK(add_boundary(c, right, 1, "outlet", &b, err));
  EW_CHECK(add_boundary(c, sides, 2, "wall", &b, err));
  EW_CHECK(add_number(c, &b->argument, &b->n_arguments, "w", 2, INFLOW, 0, err));
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
  c->file = "bench", c->folder = ".", c->scheme = "simple_ts";
  c->stop = INFINITY, c->max_steps = 1 << 30;
  c->mesh.kind = CASE_MESH_GRID;
  c->mesh.grid = (grid_options){.dim = 2};
  c->mesh.grid.axis[0] = (grid_axis_options){.n = s.nx, .to = s.nx * WIDTH};
  c->mesh.grid.axis[1] = (grid_axis_options){.n = s.ny, .to = s.ny * WIDTH};
  EW_CHECK(add_squares(c, &s, err));
  EW_CHECK(add_number(c, &c->parameter, &c->n_parameters, "Kn", 1, 0.001, 0, err));
  EW_CHECK(add_number(c, &c->parameter, &c->n_parameters, "step_size", 1, 0.0025, 0, err));
  EW_CHECK(add_number(c, &c->parameter, &c->n_parameters, "tol", 1, 0, 0, err));
  EW_CHECK(add_number(c, &c->initial, &c->n_initial, "p", 1, 1, 0, err));
  EW_CHECK(add_number(c, &c->initial, &c->n_initial, "T", 1, 1, 0, err));
  EW_CHECK(add_number(c, &c->initial, &c->n_initial, "u", 1, INFLOW, 0, err));
  EW_CHECK(add_number(c, &c->initial, &c->n_initial, "v", 1, 0, 0, err));
  EW_CHECK(add_boundaries(c, err));
cleanup:
  return status;
}

/* All passes of a step over all cells: with a tolerance of 0 the scheme's one repeat runs to its limit. */
static double cell_iterations(void *context, const dslc_program *p, cell_id n_cells) {
  (void)context;
  const dslc_section *s = &p->section[DSLC_SECTION_STEP];
  int passes = 1;
  for (int i = 0; i < s->n_ops; i++)
    if (s->op[i].kind == DSLC_OP_REPEAT) passes = s->op[i].limit;
  return (double)n_cells * passes;
}

/* ---- the tries ------------------------------------------------------------------------------------------------ */

static const char *const by_rule[] = {
    "variant.time=implicit,variant.space=upwind", "variant.time=implicit,variant.space=tvd",
    "variant.time=explicit,variant.space=upwind", "variant.time=explicit,variant.space=tvd",
    "variant.space=tvd,grid.window=off",          "variant.space=tvd,select=delta",
    "variant.space=tvd,select=ternary",           "variant.space=tvd,select=branch"};

static ew_status make_entries(const simple_ts_options *o, compare_entry *entry, int *n, ew_error *err) {
  const char *const *tries = o->n_tries > 0 ? o->tries : by_rule;
  int count = o->n_tries > 0 ? o->n_tries : (int)(sizeof by_rule / sizeof *by_rule);
  return compare_entries(o->serial ? "device=c,variant.space=tvd" : NULL, o->device, tries, count, entry, n,
                         err);
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

static void print_entry(const compare_entry *entry, int n, int which, FILE *out) {
  const compare_entry *e = &entry[which];
  if (e->failed[0]) {
    fprintf(out, "  %-58s %s\n", e->label, e->failed);
    return;
  }
  double ns = compare_nanoseconds(e), ratio = compare_ratio(entry, n, which);
  fprintf(out, "  %-58s %10.4g %10.4g ", e->label, ns, 1e3 / ns);
  if (ratio > 0) fprintf(out, "%8.4g ", ratio);
  else fprintf(out, "%8s ", "-");
  fprintf(out, "%7.0f  %s", (double)e->device_bytes / e->n_cells, e->device_name);
  if (e->reference) fprintf(out, ", one core, %d x %d cells", REFERENCE_NX, REFERENCE_NY);
  fprintf(out, "\n");
}

static void print_table(const channel *s, const compare_entry *entry, int n, FILE *out) {
  fprintf(out, "simple_ts: microchannel, %d x %d cells, %d square%s; one inner iteration, per cell\n", s->nx,
          s->ny, s->squares, s->squares > 1 ? "s" : "");
  fprintf(out, "  %-58s %10s %10s %8s %7s  %s\n", "try", "ns", "M/s", "ratio", "B/cell", "device");
  for (int i = 0; i < n; i++) print_entry(entry, n, i, out);
}

static void print_json(const channel *s, const compare_entry *entry, int n, FILE *out) {
  cJSON *o = cJSON_CreateObject();
  cJSON_AddStringToObject(o, "bench", "simple_ts");
  cJSON_AddNumberToObject(o, "nx", s->nx);
  cJSON_AddNumberToObject(o, "ny", s->ny);
  cJSON_AddNumberToObject(o, "squares", s->squares);
  report_entries(o, entry, n);
  report_print(&o, out);
}

ew_status bench_simple_ts(const simple_ts_options *o, FILE *out, FILE *log, ew_error *err) {
  ew_status status;
  channel s = {o->nx ? o->nx : REFERENCE_NX, o->ny ? o->ny : REFERENCE_NY, o->squares ? o->squares : 1};
  int n = 0;
  compare_entry *entry = calloc(COMPARE_ENTRIES, sizeof *entry);
  if (!entry) return ew_fail(err, EW_FAIL, "out of memory for a bench");
  compare_task task = {
      .make = make_channel, .units = cell_iterations, .context = &s, .steps = 1, .warm_up = 1};
  task.repeats = o->repeats ? o->repeats : 3;
  EW_CHECK(make_entries(o, entry, &n, err));
  EW_CHECK(compare_run(&task, entry, n, log, err));
  if (o->json) print_json(&s, entry, n, out);
  else print_table(&s, entry, n, out);
cleanup:
  compare_clear(entry, n);
  free(entry);
  return status;
}
