/* The generated edge-based Navier-Stokes code against the solver written by hand in tests/reference, which assembles element by
 * element: the same mesh, the same start, the same steps, in 2D and 3D, with every kind of boundary.
 *
 *   nodes_against_reference SCHEME.ew [DEVICE...]     c if none is named; others take every third situation */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "edge_navier_stokes.h"
#include "run/run.h"

enum { SIDES = 6, STEPS = 6 };
static const char *const side_name[SIDES] = {"left", "right", "bottom", "top", "back", "front"};

typedef enum rule { FIXED, SLIP, OPEN, MOVING } rule; /* MOVING: fixed, at a velocity along the side */
static const char *const rule_name[] = {"fixed", "slip", "open", "fixed"};
static const char *const variant_name[] = {"conservative", "nodal",
                                           "none"}; /* in the order of ens_stabilisation */

typedef struct situation {
  const char *name;
  int dim;
  bool periodic; /* along x */
  ens_stabilisation stabilisation;
  bool printed; /* convection by the node's velocity, tau of each edge in the pressure */
  rule side[SIDES];
} situation;

static const situation situations[] = {
    {"lid in 2D", 2, false, ENS_CONSERVATIVE, false, {FIXED, FIXED, FIXED, MOVING}},
    {"channel in 2D", 2, false, ENS_CONSERVATIVE, false, {MOVING, OPEN, SLIP, FIXED}},
    {"box of slip walls in 2D", 2, false, ENS_CONSERVATIVE, false, {SLIP, SLIP, SLIP, SLIP}},
    {"periodic channel in 2D", 2, true, ENS_CONSERVATIVE, false, {FIXED, FIXED, SLIP, MOVING}},
    {"as printed in 2D", 2, false, ENS_CONSERVATIVE, true, {MOVING, OPEN, SLIP, FIXED}},
    {"as printed in 3D", 3, true, ENS_NODAL, true, {FIXED, FIXED, SLIP, MOVING, SLIP, FIXED}},
    {"nodal stabilisation", 2, false, ENS_NODAL, false, {FIXED, FIXED, SLIP, MOVING}},
    {"no stabilisation", 2, false, ENS_NONE, false, {FIXED, OPEN, FIXED, MOVING}},
    {"lid in 3D", 3, false, ENS_CONSERVATIVE, false, {FIXED, FIXED, FIXED, MOVING, FIXED, FIXED}},
    {"duct in 3D", 3, false, ENS_CONSERVATIVE, false, {MOVING, OPEN, SLIP, FIXED, SLIP, SLIP}},
    {"periodic duct in 3D", 3, true, ENS_CONSERVATIVE, false, {FIXED, FIXED, SLIP, MOVING, SLIP, FIXED}},
};

static const double nu = 0.02, wall_speed = 0.7, outside = 0.3;

static int first_side(const situation *s) { return s->periodic ? 2 : 0; }
static int last_side(const situation *s) { return 2 * s->dim; }

/* ---- values ---------------------------------------------------------------------------------------------------------- */

static ew_status velocity_at(void *context, const double *x, double t, double *out, int n, ew_error *err) {
  (void)context, (void)t, (void)err;
  for (int d = 0; d < n; d++)
    out[d] = 0.3 * sin(6.28318530717959 * x[0] + d) * cos(3 * x[1] - d + (n == 3 ? x[2] : 0));
  return EW_OK;
}

static ew_status pressure_at(void *context, const double *x, double t, double *out, int n, ew_error *err) {
  (void)context, (void)t, (void)err, (void)n;
  out[0] = 0.2 * cos(6.28318530717959 * x[0]) * sin(2 * x[1]);
  return EW_OK;
}

static void force(int dim, double *out) {
  for (int d = 0; d < dim; d++) out[d] = 0.1 * (d + 1);
}

static void moving(int side, double *out) {
  memset(out, 0, 3 * sizeof *out);
  out[side < 2 ? 0 : side < 4 ? 0 : 1] = wall_speed;
}

/* ---- the situation as a case ------------------------------------------------------------------------------------------ */

static void add(ew_case *c, case_value **list, int *n, case_value v, ew_error *err) {
  case_value *slot = case_append(c, list, n, sizeof **list, err);
  if (slot) *slot = v;
}

static case_value numbers(const char *name, int n, const double *value) {
  case_value v = {.name = name, .kind = CASE_NUMBERS, .n = n};
  for (int d = 0; d < n; d++) v.number[d] = value[d];
  return v;
}

static void add_side(ew_case *c, const situation *s, int side, ew_error *err) {
  case_boundary *b = case_append(c, &c->boundary, &c->n_boundaries, sizeof *b, err);
  if (!b) return;
  double velocity[3] = {0};
  if (s->side[side] == MOVING) moving(side, velocity);
  b->name = case_alloc(c, sizeof *b->name, err);
  b->name[b->n_names++] = side_name[side];
  b->rule = rule_name[s->side[side]];
  if (s->side[side] == FIXED || s->side[side] == MOVING)
    add(c, &b->argument, &b->n_arguments, numbers("U", s->dim, velocity), err);
  if (s->side[side] == OPEN) add(c, &b->argument, &b->n_arguments, numbers("p_out", 1, &outside), err);
}

static ew_status make_case(const char *scheme, const char *device, const situation *s, ew_case **out,
                           ew_error *err) {
  ew_status status = case_create(out, err);
  if (status != EW_OK) return status;
  ew_case *c = *out;
  double b[3];
  force(s->dim, b);
  c->file = "nodes_against_reference";
  c->folder = ".";
  c->build.scheme = scheme;
  c->build.device = device;
  c->time.stop = 1e9;
  c->time.max_steps = STEPS;
  c->solver.tolerance = 1e-13;
  c->mesh.kind = s->dim == 3 ? CASE_MESH_BOX : CASE_MESH_RECTANGLE;
  c->mesh.rectangle =
      (mesh_rectangle_options){.x1 = 1, .y1 = 1, .nx = 9, .ny = 8, .jitter = 0.2, .periodic_x = s->periodic};
  c->mesh.box = (mesh_box_options){
      .x1 = 1, .y1 = 1, .z1 = 1, .nx = 5, .ny = 4, .nz = 3, .jitter = 0.2, .periodic_x = s->periodic};
  add(c, &c->values.parameter, &c->values.n_parameters, numbers("nu", 1, &nu), err);
  add(c, &c->values.given, &c->values.n_givens, numbers("b", s->dim, b), err);
  add(c, &c->values.initial, &c->values.n_initial,
      (case_value){.name = "u", .kind = CASE_FUNCTION, .function = velocity_at}, err);
  add(c, &c->values.initial, &c->values.n_initial,
      (case_value){.name = "p", .kind = CASE_FUNCTION, .function = pressure_at}, err);
  const case_setting variant[] = {{.name = "stabilisation", .value = variant_name[s->stabilisation]},
                                  {.name = "convection", .value = s->printed ? "nodal" : "skew"},
                                  {.name = "pressure_tau", .value = s->printed ? "edges" : "one"}};
  for (size_t k = 0; k < sizeof variant / sizeof *variant; k++) {
    case_setting *v = case_append(c, &c->build.variant, &c->build.n_variants, sizeof *v, err);
    if (v) *v = variant[k];
  }
  for (int side = first_side(s); side < last_side(s); side++) add_side(c, s, side, err);
  return EW_OK;
}

/* ---- the same for the solver by hand -------------------------------------------------------------------------------------- */

/* Nodes on both ends of a period are one: `of` leads from the mesh's nodes to the solver's. */
typedef struct flat {
  p1_mesh mesh;
  double *x;
  int32_t *element, *of;
} flat;

static int32_t find_image(const mesh *m, int32_t node) {
  for (int32_t i = 0; i < m->n_nodes; i++) {
    double d = fabs(m->node_x[i * m->dim]);
    for (int k = 1; k < m->dim; k++) d += fabs(m->node_x[i * m->dim + k] - m->node_x[node * m->dim + k]);
    if (d < 1e-9) return i;
  }
  return node;
}

static flat flatten(const mesh *m, bool periodic) {
  int dim = m->dim;
  flat f = {.mesh = {.dim = dim, .n_elements = m->n_cells}};
  f.of = calloc((size_t)m->n_nodes, sizeof *f.of);
  f.x = calloc((size_t)(m->n_nodes * dim), sizeof *f.x);
  f.element = calloc((size_t)(m->n_cells * (dim + 1)), sizeof *f.element);
  int32_t n = 0;
  for (int32_t i = 0; i < m->n_nodes; i++)
    if (!(periodic && m->node_x[i * dim] > 1 - 1e-9)) f.of[i] = n++;
  for (int32_t i = 0; i < m->n_nodes; i++)
    if (periodic && m->node_x[i * dim] > 1 - 1e-9) f.of[i] = f.of[find_image(m, i)];
  for (int32_t i = m->n_nodes - 1; i >= 0; i--)
    for (int d = 0; d < dim && !(periodic && m->node_x[i * dim] > 1 - 1e-9); d++)
      f.x[f.of[i] * dim + d] = m->node_x[i * dim + d];
  for (int32_t i = 0; i < m->n_cells * (dim + 1); i++) f.element[i] = f.of[m->cell_node[i]];
  f.mesh.n_nodes = n;
  f.mesh.x = f.x;
  f.mesh.element = f.element;
  f.mesh.period[0] = periodic ? 1 : 0;
  return f;
}

static void flat_free(flat *f) {
  free(f->x);
  free(f->element);
  free(f->of);
}

static bool on_side(const flat *f, int32_t node, int side) {
  double x = f->x[node * f->mesh.dim + side / 2];
  return fabs(x - side % 2) < 1e-9;
}

typedef struct lists {
  ens_fixed *fixed;
  ens_slip *slip;
  ens_open *open;
  ens_boundary all;
} lists;

/* The node's share of a side: the integral of its shape function's gradient is that of the shape function, times the normal, over the boundary. */
static double share(const flat *f, int side, int32_t node) {
  double sum = 0;
  for (int32_t k = 0; k < f->mesh.n_elements; k++) {
    p1_element e = p1_element_at(&f->mesh, k);
    for (int a = 0; a <= f->mesh.dim; a++)
      if (e.node[a] == node) sum += e.volume * e.grad[a][side / 2];
  }
  return fabs(sum);
}

static void fill_node(lists *l, const flat *f, rule r, int side, int32_t node) {
  if (r == SLIP) {
    ens_slip *slip = &l->slip[l->all.n_slip++];
    *slip = (ens_slip){.node = node};
    slip->normal[side / 2] = side % 2 ? 1 : -1;
  } else if (r == OPEN) {
    ens_open *open = &l->open[l->all.n_open++];
    *open = (ens_open){.node = node, .pressure = outside, .area = share(f, side, node)};
    open->normal[side / 2] = side % 2 ? 1 : -1;
  } else {
    ens_fixed *fixed = &l->fixed[l->all.n_fixed++];
    *fixed = (ens_fixed){.node = node};
    if (r == MOVING) moving(side, fixed->velocity);
  }
}

static lists list_boundary(const flat *f, const situation *s) {
  size_t most = (size_t)f->mesh.n_nodes * SIDES;
  lists l = {calloc(most, sizeof *l.fixed), calloc(most, sizeof *l.slip), calloc(most, sizeof *l.open), {0}};
  for (int side = first_side(s); side < last_side(s); side++)
    for (int32_t i = 0; i < f->mesh.n_nodes; i++)
      if (on_side(f, i, side)) fill_node(&l, f, s->side[side], side, i);
  l.all.fixed = l.fixed, l.all.slip = l.slip, l.all.open = l.open;
  return l;
}

static ens_solver *solver_of(const flat *f, const situation *s) {
  lists l = list_boundary(f, s);
  ens_params params = ens_default_params(nu);
  params.tolerance = 1e-13;
  params.stabilisation = s->stabilisation;
  params.skew = params.one_tau = !s->printed;
  ens_solver *solver = ens_create(&f->mesh, &params, &l.all);
  int n = f->mesh.n_nodes, dim = f->mesh.dim;
  double *u = calloc((size_t)(n * dim), sizeof *u), *p = calloc((size_t)n, sizeof *p),
         *b = calloc((size_t)(n * dim), sizeof *b);
  for (int i = 0; i < n; i++) {
    double x[3] = {0}, value[3];
    for (int d = 0; d < dim; d++) x[d] = f->x[i * dim + d];
    velocity_at(NULL, x, 0, value, dim, NULL);
    for (int d = 0; d < dim; d++) u[i * dim + d] = value[d];
    pressure_at(NULL, x, 0, &p[i], 1, NULL);
    force(dim, value);
    for (int d = 0; d < dim; d++) b[i * dim + d] = value[d];
  }
  ens_set_state(solver, u, p);
  ens_set_force(solver, b);
  free(u), free(p), free(b);
  free(l.fixed), free(l.slip), free(l.open);
  return solver;
}

/* ---- comparing --------------------------------------------------------------------------------------------------------------- */

/* Relative to the largest value; a pressure known up to a constant is compared without its mean. */
static double distance(const double *mine, const double *other, const flat *f, int32_t n_nodes,
                       int components, bool free_constant) {
  double scale = 0, worst = 0, shift = 0;
  for (int32_t i = 0; i < n_nodes && free_constant; i++) shift += (mine[i] - other[f->of[i]]) / n_nodes;
  for (int32_t i = 0; i < n_nodes; i++)
    for (int d = 0; d < components; d++) {
      double a = mine[i * components + d] - shift, b = other[f->of[i] * components + d];
      scale = fmax(scale, fabs(b));
      if (!(fabs(a - b) <= worst)) worst = fabs(a - b);
    }
  return worst / scale;
}

static ew_status compare(exec_run *run, const situation *s, const flat *f, ens_solver *solver, double *worst,
                         ew_error *err) {
  ew_status status = EW_OK;
  int n = f->mesh.n_nodes, dim = s->dim, nodes = exec_get_mesh(run)->n_nodes;
  bool open = false;
  for (int side = first_side(s); side < last_side(s); side++) open = open || s->side[side] == OPEN;
  double *u = calloc((size_t)(n * dim), sizeof *u), *p = calloc((size_t)n, sizeof *p);
  double *mine = calloc((size_t)(nodes * dim), sizeof *mine);
  for (int step = 0; step < STEPS; step++) {
    double dt = ens_time_step(solver);
    EW_CHECK(exec_advance(run, &(exec_until){.t_stop = 1e9, .max_steps = 1, .look = 1}, err));
    worst[2] = fmax(worst[2], fabs(exec_dt(run) / dt - 1));
    if (ens_step(solver, exec_dt(run)) != CG_OK)
      EW_CHECK(ew_fail(err, EW_FAIL, "the solver by hand did not converge"));
    ens_get_state(solver, u, p);
    EW_CHECK(exec_read(run, "u", mine, err));
    worst[0] = fmax(worst[0], distance(mine, u, f, nodes, dim, false));
    EW_CHECK(exec_read(run, "p", mine, err));
    worst[1] = fmax(worst[1], distance(mine, p, f, nodes, 1, !open));
  }
cleanup:
  free(u), free(p), free(mine);
  return status;
}

static ew_status run_one(const char *scheme, const char *name, const situation *s, double *worst,
                         ew_error *err) {
  ew_case *c = NULL;
  mesh *m = NULL;
  dev_context *device = NULL;
  dslc_program *p = NULL;
  exec_run *run = NULL;
  flat f = {0};
  ens_solver *solver = NULL;
  ew_status status;
  EW_CHECK(make_case(scheme, name, s, &c, err));
  EW_CHECK(exec_mesh(c, &m, err));
  EW_CHECK(dev_context_create(name, &device, err));
  EW_CHECK(exec_program(c, &(exec_domain){.m = m}, device, stderr, &p, err));
  EW_CHECK(exec_create(device, p, &(exec_domain){.m = m}, c, &run, err));
  f = flatten(m, s->periodic);
  solver = solver_of(&f, s);
  EW_CHECK(compare(run, s, &f, solver, worst, err));
cleanup:
  ens_destroy(&solver);
  flat_free(&f);
  exec_destroy(&run);
  dslc_program_destroy(&p);
  dev_context_destroy(&device);
  mesh_destroy(&m);
  case_destroy(&c);
  return status;
}

int main(int argc, char **argv) {
  bool good = argc > 1;
  const char *plain = "c";
  for (int d = 2; d < (argc > 2 ? argc : 3); d++)
    for (size_t i = 0; i < sizeof situations / sizeof *situations; i++) {
      const char *device = argc > 2 ? argv[d] : plain;
      if (strcmp(device, plain) != 0 && i % 3 != 1) continue; /* drivers take seconds to compile each */
      double worst[3] = {0, 0, 0};
      ew_error err = {0};
      bool ran = run_one(argv[1], device, &situations[i], worst, &err) == EW_OK;
      bool near = ran && worst[0] <= 1e-10 && worst[1] <= 1e-9 && worst[2] <= 1e-10;
      printf("%s %-10s %-26s u %.1e  p %.1e  dt %.1e  %s\n", near ? "ok  " : "FAIL", device,
             situations[i].name, worst[0], worst[1], worst[2], err.text);
      good = good && near;
    }
  return good ? 0 : 1;
}
