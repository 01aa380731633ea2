/* Every schedule of schemes at nodes against the generated serial C in the plainest form: work-items a node, layouts of edges,
 * forms of equations, devices, orders of the unknowns. The same run twice on one device must agree bit by bit.
 *
 *   node_schedules SCHEME.ew     values come from the table below, by name; linear systems are solved to 1e-14, and what
 *                                follows from them may then differ a little more */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/run.h"

enum { STEPS = 8, NX = 13, NY = 9 };

typedef enum shape { TRIANGLES, PERIODIC, TETRAHEDRA, SHAPES } shape;
static const char *const shape_name[SHAPES] = {"triangles", "periodic", "tetrahedra"};

typedef struct variation {
  const char *device, *edges, *lanes, *items, *group, *select, *layout, *reads;
  mesh_cell_order nodes;
  shape shape;
} variation;

/* ---- a case for any scheme ------------------------------------------------------------------------------------ */

/* Smooth, different for every component; what is named `fibre` has length one. */
static ew_status value_at(void *context, const double *x, double t, double *out, int n, ew_error *err) {
  (void)t, (void)err;
  const char *name = context;
  double shift = 0;
  for (const char *p = name; *p; p++) shift += *p;
  for (int d = 0; d < n; d++)
    out[d] = 0.3 * sin(3.14159265358979 * (x[0] + shift) + d) * cos(6.28318530717959 * x[1] - shift);
  bool unit = strcmp(name, "fibre") == 0;
  for (int d = 0; unit && d < n; d++) out[d] = d == 0 ? 0.6 : d == 1 ? 0.8 : 0;
  return EW_OK;
}

static case_value by_name(const char *name) {
  return (case_value){.name = name, .kind = CASE_FUNCTION, .function = value_at, .context = (void *)name};
}

static void add(ew_case *c, case_value **list, int *n, case_value v, ew_error *err) {
  case_value *slot = case_append(c, list, n, sizeof **list, err);
  if (slot) *slot = v;
}

static case_value numbers(const char *name, int n, double value) {
  case_value v = {.name = name, .kind = CASE_NUMBERS, .n = n};
  for (int d = 0; d < n; d++) v.number[d] = value;
  return v;
}

/* Names are asked from the compiler: the test knows no scheme. */
static void fill_values(ew_case *c, const dslc_program *p, ew_error *err) {
  for (int i = 0; i < p->model.n_fields; i++) {
    const dslc_field *f = &p->model.field[i];
    const char *name = case_text(c, f->name, err);
    if (f->kind == DSLC_STATE) add(c, &c->values.initial, &c->values.n_initial, by_name(name), err);
    if (f->kind == DSLC_GIVEN) add(c, &c->values.given, &c->values.n_givens, by_name(name), err);
  }
  for (int i = 0; i < p->model.n_parameters; i++)
    if (!p->model.parameter[i].formula)
      add(c, &c->values.parameter, &c->values.n_parameters,
          numbers(case_text(c, p->model.parameter[i].name, err), p->model.parameter[i].components, 0.02),
          err);
}

/* Rules in turn on the sides. */
static void fill_boundary(ew_case *c, const dslc_program *p, shape form, ew_error *err) {
  static const char *const sides[] = {"left", "right", "bottom", "top", "back", "front"};
  int n = form == PERIODIC ? 0 : form == TETRAHEDRA ? 6 : 4;
  for (int i = 0; i < n; i++) {
    case_boundary *b = case_append(c, &c->boundary, &c->n_boundaries, sizeof *b, err);
    if (!b) return;
    const dslc_rule *r = &p->model.rule[i % p->model.n_rules];
    b->name = case_alloc(c, sizeof *b->name, err);
    b->name[b->n_names++] = sides[i];
    b->rule = case_text(c, r->name, err);
    for (int k = 0; k < r->n_arguments; k++)
      add(c, &b->argument, &b->n_arguments,
          numbers(case_text(c, r->argument[k].name, err), r->argument[k].components, 0.1), err);
  }
}

static void set_mesh(ew_case *c, const variation *v) {
  case_mesh *m = &c->mesh;
  m->kind = v->shape == TETRAHEDRA ? CASE_MESH_BOX : CASE_MESH_RECTANGLE;
  m->rectangle = (mesh_rectangle_options){.x1 = 2, .y1 = 1, .nx = NX, .ny = NY, .jitter = 0.2};
  m->rectangle.periodic_x = m->rectangle.periodic_y = v->shape == PERIODIC;
  m->box = (mesh_box_options){.x1 = 2, .y1 = 1, .z1 = 1, .nx = 5, .ny = 4, .nz = 3, .jitter = 0.2};
  m->nodes = v->nodes;
  m->seed = 7;
}

static void set_schedule(ew_case *c, const char *name, const char *value, ew_error *err) {
  case_setting *s = value ? case_append(c, &c->build.schedule, &c->build.n_schedule, sizeof *s, err) : NULL;
  if (s) *s = (case_setting){.name = name, .value = value};
}

static ew_status make_case(const char *scheme, const variation *v, const dslc_program *names, ew_case **out,
                           ew_error *err) {
  ew_status status = case_create(out, err);
  if (status != EW_OK) return status;
  ew_case *c = *out;
  c->file = "node_schedules";
  c->folder = ".";
  c->build.scheme = scheme;
  c->build.device = v->device;
  c->time.stop = 1e9;
  c->time.max_steps = STEPS;
  c->solver.tolerance = 1e-14;
  c->solver.preconditioner = "jacobi";
  set_mesh(c, v);
  set_schedule(c, "edges", v->edges, err);
  set_schedule(c, "lanes", v->lanes, err);
  set_schedule(c, "items", v->items, err);
  set_schedule(c, "group", v->group, err);
  set_schedule(c, "select", v->select, err);
  set_schedule(c, "layout", v->layout, err);
  set_schedule(c, "reads", v->reads, err);
  fill_values(c, names, err);
  fill_boundary(c, names, v->shape, err);
  return EW_OK;
}

/* ---- running ------------------------------------------------------------------------------------------------------ */

typedef struct result {
  int n; /* numbers: all states, nodes in the mesh's order */
  double *value;
} result;

static ew_status collect(exec_run *run, result *out, ew_error *err) {
  const dslc_program *p = exec_get_program(run);
  ew_status status = EW_OK;
  for (int i = 0; i < p->model.n_fields; i++)
    if (p->model.field[i].kind == DSLC_STATE)
      out->n += exec_count(run, p->model.field[i].name) * p->model.field[i].components;
  out->value = calloc((size_t)out->n, sizeof(double));
  double *at = out->value;
  for (int i = 0; i < p->model.n_fields && out->value; i++) {
    if (p->model.field[i].kind != DSLC_STATE) continue;
    EW_CHECK(exec_read(run, p->model.field[i].name, at, err));
    at += exec_count(run, p->model.field[i].name) * p->model.field[i].components;
  }
cleanup:
  return status;
}

static ew_status run_once(const char *scheme, const variation *v, const dslc_program *names, result *out,
                          ew_error *err) {
  ew_case *c = NULL;
  mesh *m = NULL;
  dev_context *device = NULL;
  dslc_program *p = NULL;
  exec_run *run = NULL;
  ew_status status;
  EW_CHECK(make_case(scheme, v, names, &c, err));
  EW_CHECK(exec_mesh(c, &m, err));
  EW_CHECK(dev_context_create(v->device, &device, err));
  EW_CHECK(exec_program(c, &(exec_domain){.m = m}, device, stderr, &p, err));
  EW_CHECK(exec_create(device, p, &(exec_domain){.m = m}, c, &run, err));
  EW_CHECK(exec_advance(run, &(exec_until){.t_stop = 1e9, .max_steps = STEPS, .look = 3}, err));
  EW_CHECK(collect(run, out, err));
cleanup:
  exec_destroy(&run);
  dslc_program_destroy(&p);
  dev_context_destroy(&device);
  mesh_destroy(&m);
  case_destroy(&c);
  return status;
}

/* ---- comparing ------------------------------------------------------------------------------------------------------ */

static double difference(const result *a, const result *b) {
  double scale = 0, worst = 0;
  for (int i = 0; i < b->n; i++) scale = fmax(scale, fabs(b->value[i]));
  if (a->n != b->n || !(scale > 0)) return NAN;
  for (int i = 0; i < a->n; i++) {
    double d = fabs(a->value[i] - b->value[i]) / scale;
    if (!(d <= worst)) worst = d; /* a NaN stays */
  }
  return worst;
}

static bool compare(const char *scheme, const variation *v, const dslc_program *names, const result *base) {
  result a = {0}, b = {0};
  ew_error err = {0};
  char text[256];
  snprintf(text, sizeof text,
           "%-9s edges=%-6s lanes=%-2s items=%-4s group=%-4s select=%-7s layout=%s reads=%-7s nodes %s, %s",
           v->device, v->edges, v->lanes, v->items, v->group, v->select, v->layout, v->reads,
           mesh_cell_order_name(v->nodes), shape_name[v->shape]);
  bool good = run_once(scheme, v, names, &a, &err) == EW_OK && run_once(scheme, v, names, &b, &err) == EW_OK;
  if (!good) printf("  FAIL %s\n       %s\n", text, err.text);
  else {
    double d = difference(&a, base), limit = names->execution.n_solves ? 1e-10 : 1e-12;
    bool same = memcmp(a.value, b.value, sizeof(double) * (size_t)a.n) == 0;
    good = d <= limit && same;
    printf("  %s %s  %.1e%s\n", good ? "ok  " : "FAIL", text, d, same ? "" : "  two runs differ");
  }
  free(a.value);
  free(b.value);
  return good;
}

/* On triangles every device with every layout of edges, elsewhere half of these pairs, not the same twice; the rest of the space in turn.
 * PoCL takes seconds to compile each: it has one in each form of items a shape, the model machine, which sees races and unset reads
 * besides, the others. */
typedef enum machine { SERIAL, OPENMP, MODEL, POCL_EACH, POCL_LOOP, MACHINES } machine;
static const char *const machine_device[MACHINES] = {"c", "c-openmp", "model", "cpu", "cpu"};

static bool is_taken(shape form, machine d, int e) {
  if (d == POCL_EACH) return e == (int)form;
  if (d == POCL_LOOP) return form == TRIANGLES && e == 4;
  return form == TRIANGLES || ((int)d + e + (int)form) % 2 == 0;
}

static bool run_all(const char *scheme, const dslc_program *names, shape form) {
  static const char
      *const edges[] = {"apart", "lean", "packed", "pairs", "sliced"},
             *const lanes[] = {"1", "4", "32", "2", "16", "8"}, *const groups[] = {"32", "64", "128"},
             *const selects[] = {"ternary", "branch", "delta"}, *const layouts[] = {"soa", "aos"};
  static const char *const reads[] = {"first", "as_used"};
  static const mesh_cell_order orders[] = {MESH_CELLS_AS_IS, MESH_CELLS_RCM, MESH_CELLS_HILBERT,
                                           MESH_CELLS_RANDOM};
  const char *tested = getenv("EDGEWISE_TEST_DEVICE"); /* only this one, against the serial C */
  variation base = {.device = "c", .edges = "apart", .select = "ternary", .layout = "soa", .shape = form};
  result reference = {0};
  ew_error err = {0};
  bool good = run_once(scheme, &base, names, &reference, &err) == EW_OK;
  if (!good) printf("  FAIL reference, %s: %s\n", shape_name[form], err.text);
  for (int d = 0; good && d < (tested ? 6 : MACHINES); d++)
    for (int e = 0; e < 5; e++) {
      int k = d + e + (int)form;
      if (!tested && !is_taken(form, (machine)d, e)) continue;
      bool each = tested || d == MODEL || d == POCL_EACH;
      variation v = {.device = tested ? tested : machine_device[d],
                     .edges = edges[e],
                     .lanes = lanes[(k + d) % 6],
                     .items = each ? "each" : "loop",
                     .group = groups[k % 3],
                     .select = selects[(k + e) % 3],
                     .layout = layouts[(d + e) % 2],
                     .reads = reads[(e + (int)form) % 2],
                     .nodes = orders[(d + 2 * e + (int)form) % 4],
                     .shape = form};
      good = compare(scheme, &v, names, &reference) && good;
    }
  free(reference.value);
  return good;
}

static dslc_program *program_of(const char *scheme, int dims) {
  dslc_options o = {.path = scheme, .dims = dims, .n_rules = -1, .n_show = 0, .emit = DSLC_EMIT_C};
  dslc_program *p = NULL;
  dslc_messages *messages;
  if (dslc_compile(&o, &p, &messages) != 0) dslc_messages_print(messages, stdout, false);
  dslc_messages_destroy(&messages);
  return p;
}

int main(int argc, char **argv) {
  bool good = argc > 1;
  for (int i = 1; i < argc; i++) {
    printf("%s\n", argv[i]);
    for (int form = 0; form < SHAPES; form++) {
      dslc_program *names = program_of(argv[i], form == TETRAHEDRA ? 3 : 2);
      good = names && run_all(argv[i], names, (shape)form) && good;
      dslc_program_destroy(&names);
    }
  }
  return good ? 0 : 1;
}
