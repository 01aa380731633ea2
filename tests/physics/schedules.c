/* Every schedule against every other: one case of a scheme is run in each form of the schedule space, on OpenCL and as
 * generated C, in several mesh orders, and compared cell by cell with the generated serial C in the plainest form. The
 * same run twice on one device must agree bit by bit.
 *
 *   schedules SCHEME.ew     initial values and givens come from the table below, by name of the field */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/run.h"

enum { STEPS = 25, NX = 24, NY = 13 };

/* Meshes that differ in what kernels do with them: cells of one kind, sides that meet themselves, cells with different
 * numbers of faces, three dimensions. */
typedef enum shape { TRIANGLES, QUADS, PERIODIC, MIXED, TETRAHEDRA, SHAPES } shape;
static const char *const shape_name[SHAPES] = {"triangles", "quads", "periodic", "mixed", "tetrahedra"};

/* ---- a case for any scheme ------------------------------------------------------------------------------------ */

/* Smooth positive values with a step and a dry corner, different for every component. */
static ew_status value_at(void *context, const double *x, double t, double *out, int n, ew_error *err) {
  (void)t, (void)err;
  const char *name = context;
  double shift = 0;
  for (const char *p = name; *p; p++) shift += *p;
  for (int d = 0; d < n; d++) {
    out[d] = 1 + 0.3 * sin(2 * x[0] + shift + d) * cos(3 * x[1] - shift + x[2]) + (x[0] < 0.6 ? 0.5 : 0);
    if (n > 1) out[d] = 0.2 * sin(x[0] + shift + d) * cos(2 * x[1] - x[2]);
  }
  bool dry = x[0] > 1.3 && x[1] > 0.6;
  if (dry && strcmp(name, "h") == 0) out[0] = 0;
  for (int d = 0; dry && strcmp(name, "q") == 0 && d < n; d++) out[d] = 0;
  if (strcmp(name, "z") == 0) out[0] = 0.2 * out[0];
  if (strcmp(name, "n") == 0) out[0] = 0.03;
  if (strcmp(name, "E") == 0) out[0] += 3;
  return EW_OK;
}

typedef struct variation {
  const char *device, *faces, *select, *layout, *group, *items, *reduce;
  mesh_cell_order cells;
  mesh_face_order order;
  shape shape;
} variation;

static case_value by_name(const char *name, bool over_time) {
  (void)over_time;
  return (case_value){.name = name, .kind = CASE_FUNCTION, .function = value_at, .context = (void *)name};
}

static void add(ew_case *c, case_value **list, int *n, case_value v, ew_error *err) {
  case_value *slot = case_append(c, list, n, sizeof **list, err);
  if (slot) *slot = v;
}

/* Names of fields and rules are asked from the compiler: the test knows no scheme. */
static void fill_fields(ew_case *c, const dslc_program *p, ew_error *err) {
  for (int i = 0; i < p->model.n_fields; i++) {
    const dslc_field *f = &p->model.field[i];
    const char *name = case_text(c, f->name, err);
    if (f->kind == DSLC_STATE) add(c, &c->values.initial, &c->values.n_initial, by_name(name, false), err);
    if (f->kind == DSLC_GIVEN) add(c, &c->values.given, &c->values.n_givens, by_name(name, false), err);
  }
}

/* Rules in turn on the sides of triangles; elsewhere the first alone, so that no rule that replaces a flux forces a store. */
static void fill_boundary(ew_case *c, const dslc_program *p, shape form, ew_error *err) {
  static const char *const sides[] = {"left", "right", "bottom", "top", "back", "front"};
  int n = form == PERIODIC ? 0 : form == TETRAHEDRA ? 6 : 4;
  for (int i = 0; i < n; i++) {
    case_boundary *b = case_append(c, &c->boundary, &c->n_boundaries, sizeof *b, err);
    if (!b) return;
    const dslc_rule *r = &p->model.rule[form == TRIANGLES || form == TETRAHEDRA ? i % p->model.n_rules : 0];
    b->name = case_alloc(c, sizeof *b->name, err);
    b->name[b->n_names++] = sides[i];
    b->rule = case_text(c, r->name, err);
    for (int k = 0; k < r->n_arguments; k++) {
      case_value v = {.name = case_text(c, r->argument[k].name, err),
                      .kind = CASE_NUMBERS,
                      .n = r->argument[k].components};
      for (int d = 0; d < v.n; d++) v.number[d] = v.n > 1 ? 0.1 : 0.7;
      add(c, &b->argument, &b->n_arguments, v, err);
    }
  }
}

static void set_mesh(ew_case *c, shape form) {
  case_mesh *m = &c->mesh;
  m->kind = form == TETRAHEDRA ? CASE_MESH_BOX : form == MIXED ? CASE_MESH_FILE : CASE_MESH_RECTANGLE;
  m->path = MIXED_MESH;
  m->rectangle = (mesh_rectangle_options){.x1 = 2, .y1 = 1, .nx = NX, .ny = NY, .jitter = 0.2};
  m->rectangle.kind = form == QUADS ? MESH_BLOCKS : MESH_SIMPLICES;
  m->rectangle.periodic_x = m->rectangle.periodic_y = form == PERIODIC;
  m->box = (mesh_box_options){
      .x1 = 2, .y1 = 1, .z1 = 1, .nx = 7, .ny = 5, .nz = 4, .kind = MESH_SIMPLICES, .jitter = 0.2};
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
  c->file = "schedules";
  c->folder = ".";
  c->build.scheme = scheme;
  c->build.device = v->device;
  c->time.stop = 1e9;
  c->time.max_steps = STEPS;
  set_mesh(c, v->shape);
  c->mesh.cells = v->cells;
  c->mesh.faces = v->order;
  c->mesh.seed = 7;
  set_schedule(c, "faces", v->faces, err);
  set_schedule(c, "select", v->select, err);
  set_schedule(c, "layout", v->layout, err);
  set_schedule(c, "group", v->group, err);
  set_schedule(c, "items", v->items, err);
  set_schedule(c, "reduce", v->reduce, err);
  if (names) fill_fields(c, names, err), fill_boundary(c, names, v->shape, err);
  return EW_OK;
}

/* ---- running ------------------------------------------------------------------------------------------------------ */

typedef struct result {
  int n; /* numbers: all states, cells in the generator's order */
  double *value;
  double t;
} result;

static int state_count(const dslc_program *p) {
  int n = 0;
  for (int i = 0; i < p->model.n_fields; i++)
    n += p->model.field[i].kind == DSLC_STATE ? p->model.field[i].components : 0;
  return n;
}

static ew_status collect(exec_run *run, result *out, ew_error *err) {
  const dslc_program *p = exec_get_program(run);
  const mesh *m = exec_get_mesh(run);
  ew_status status = EW_OK;
  out->n = m->n_cells * state_count(p);
  out->value = calloc((size_t)out->n, sizeof(double));
  double *buffer = calloc((size_t)m->n_cells * 9, sizeof(double));
  int first = 0;
  for (int i = 0; i < p->model.n_fields && status == EW_OK; i++) {
    if (p->model.field[i].kind != DSLC_STATE) continue;
    int k = p->model.field[i].components;
    status = exec_read(run, p->model.field[i].name, buffer, err);
    for (int c = 0; c < m->n_cells; c++)
      for (int d = 0; d < k; d++)
        out->value[(first + d) * m->n_cells + m->cell_origin[c]] = buffer[c * k + d];
    first += k;
  }
  out->t = exec_time(run);
  free(buffer);
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
  exec_until until = {.t_stop = 1e9, .max_steps = STEPS, .look = 7};
  EW_CHECK(exec_advance(run, &until, err));
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
  double scale = 0, worst = fabs(a->t - b->t) / b->t;
  for (int i = 0; i < a->n; i++) scale = fmax(scale, fabs(b->value[i]));
  for (int i = 0; i < a->n; i++) {
    double d = fabs(a->value[i] - b->value[i]) / scale;
    if (!(d <= worst)) worst = d; /* a NaN stays */
  }
  return worst;
}

static void describe(const variation *v, char *out, size_t size) {
  snprintf(out, size,
           "%-9s faces=%-8s select=%-8s layout=%-4s group=%-4s items=%-4s reduce=%-7s cells=%s, faces %s, %s",
           v->device, v->faces ? v->faces : "-", v->select ? v->select : "-", v->layout ? v->layout : "-",
           v->group ? v->group : "-", v->items ? v->items : "-", v->reduce ? v->reduce : "-",
           mesh_cell_order_name(v->cells), mesh_face_order_name(v->order), shape_name[v->shape]);
}

static bool compare(const char *scheme, const variation *v, const dslc_program *names, const result *base) {
  result a = {0}, b = {0};
  ew_error err = {0};
  char text[256];
  describe(v, text, sizeof text);
  bool good = run_once(scheme, v, names, &a, &err) == EW_OK && run_once(scheme, v, names, &b, &err) == EW_OK;
  if (!good) printf("  FAIL %s\n       %s\n", text, err.text);
  else {
    double d = difference(&a, base);
    bool same = memcmp(a.value, b.value, sizeof(double) * (size_t)a.n) == 0;
    good = d <= 1e-12 && same;
    printf("  %s %s  %.1e%s\n", good ? "ok  " : "FAIL", text, d, same ? "" : "  two runs differ");
  }
  free(a.value);
  free(b.value);
  return good;
}

/* Of device, faces and select each pair of values occurs on triangles, periodic and mixed cells, and over the three each triple; on the
 * other shapes each value. A device that is tested alone gets all. PoCL, which takes seconds to compile each, has the triangles; elsewhere the
 * same text runs on the model machine, which sees races and unset reads besides. */
static bool is_taken(shape form, bool alone, int d, int f, int s) {
  static const int shift[SHAPES] = {[TRIANGLES] = 0, [PERIODIC] = 1, [MIXED] = 2};
  bool all_pairs = form == TRIANGLES || form == PERIODIC || form == MIXED;
  if (alone) return true;
  if (f == 3) return s == (int)form % 3; /* by patches: each device, and each value of select on some shape */
  return d == (f + s + shift[form]) % 3 && (all_pairs || (f + 2 * s + (int)form) % 3 == 0);
}

static bool run_all(const char *scheme, const dslc_program *names, shape form) {
  static const char *const all[] = {"c", "c-openmp", "cpu"},
                           *const faces[] = {"store", "inline", "scatter", "patch"},
                           *const selects[] = {"ternary", "branch", "delta"},
                           *const layouts[] = {"soa", "aos"};
  const char *tested = getenv("EDGEWISE_TEST_DEVICE"); /* only this one, against the serial C */
  static const mesh_cell_order cells[] = {MESH_CELLS_AS_IS, MESH_CELLS_RCM, MESH_CELLS_HILBERT,
                                          MESH_CELLS_RANDOM};
  static const mesh_face_order orders[] = {MESH_FACES_AS_IS, MESH_FACES_SORTED, MESH_FACES_RANDOM};
  variation base = {.device = "c", .faces = "store", .select = "ternary", .layout = "soa", .shape = form};
  result reference = {0};
  ew_error err = {0};
  if (run_once(scheme, &base, names, &reference, &err) != EW_OK) {
    printf("  FAIL reference: %s\n", err.text);
    return false;
  }
  bool good = true;
  for (int d = 0; d < (tested ? 1 : 3); d++)
    for (int f = 0; f < 4; f++)
      for (int s = 0; s < 3;
           s++) { /* the rest of the space in a Latin pattern: every pair of values occurs */
        int k = d + f + s;
        if (!is_taken(form, tested, d, f, s)) continue;
        bool modelled = !tested && d == 2 && form != TRIANGLES;
        variation v = {.device = tested     ? tested
                                 : modelled ? "model"
                                            : all[d],
                       .faces = faces[f],
                       .select = selects[s],
                       .layout = layouts[k % 2],
                       .group = k % 3 == 0 || f == 3 ? "32" : NULL,
                       .items = (f + s) % 2 ? "each" : "loop",
                       .reduce = (d + 2 * f + s) % 2 ? "tree" : "serial",
                       .cells = cells[(k + d) % 4],
                       .order = orders[(f + 2 * s) % 3],
                       .shape = form};
        good = compare(scheme, &v, names, &reference) && good;
      }
  free(reference.value);
  return good;
}

/* A scheme that is written for 2D only has no program in 3D. */
static dslc_program *program_of(const char *scheme, int dims) {
  dslc_options o = {.path = scheme, .dims = dims, .n_rules = -1, .n_show = 0, .emit = DSLC_EMIT_C};
  dslc_program *p = NULL;
  dslc_messages *messages;
  if (dslc_compile(&o, &p, &messages) != 0 && dims == 2) dslc_messages_print(messages, stdout, false);
  dslc_messages_destroy(&messages);
  return p;
}

int main(int argc, char **argv) {
  bool good = argc > 1;
  for (int i = 1; i < argc; i++) {
    printf("%s\n", argv[i]);
    for (int form = 0; form < SHAPES; form++) {
      dslc_program *names = program_of(argv[i], form == TETRAHEDRA ? 3 : 2);
      if (names) good = run_all(argv[i], names, (shape)form) && good;
      else if (form != TETRAHEDRA) good = false;
      dslc_program_destroy(&names);
    }
  }
  return good ? 0 : 1;
}
