/* A program on nodes made by hand: Poisson's equation with values and fluxes at the boundary, a velocity that slips along it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fields/on_nodes.h"
#include "test_exec_fixture.h"

#define OK(call)                                                                                             \
  do {                                                                                                       \
    ew_error err = {EW_OK, ""};                                                                              \
    if ((call) != EW_OK) fail_msg("%s: %s", #call, err.text);                                                \
  } while (0)
#define CONTAINS(text, part)                                                                                 \
  do {                                                                                                       \
    if (!strstr(text, part)) fail_msg("'%s' lacks '%s'", text, part);                                        \
  } while (0)

enum {
  N_SCALARS,
  N_FLAGS,
  N_PHI,
  N_U,
  N_S,
  N_MASS,
  N_LAP,
  N_START,
  N_NEXT,
  N_MASK,
  N_OFF,
  N_DIAGONAL,
  N_RHS,
  N_VALUE,
  N_VALUE_NODE,
  N_FLUX,
  N_FLUX_NODE,
  N_FLUX_AREA,
  N_SLIP_NODE,
  N_SLIP_NORMAL,
  N_COUNT_OF_BUFFERS
};

static const char *const source =
    "#define I(k) (*(const int *)args[k])\n#define P(t, n, k) t *n = args[k];\n"
    "#define BEGIN(name) void name(void *const *args, long n_) { (void)n_; P(int, flags, 0) if (flags[0]) "
    "return;\n"
    "BEGIN(load) P(const double, mass, 1) P(const double, s, 2) P(double, rhs, 3)\n"
    "  for (int i = 0; i < I(4); ++i) rhs[i] = mass[i]*s[i]; }\n"
    "BEGIN(inflow) P(double, rhs, 1) P(const double, q, 2) P(const int, node, 3) P(const double, area, 4)\n"
    "  for (int i = 0; i < I(5); ++i) rhs[node[I(6) + i]] += q[I(6) + i]*area[I(6) + i]; }\n"
    "BEGIN(hold) P(double, phi, 1) P(const double, value, 2) P(const int, node, 3)\n"
    "  for (int i = 0; i < I(4); ++i) phi[node[I(5) + i]] = value[I(5) + i]; }\n"
    "BEGIN(slip) P(double, u, 1) P(const int, node, 2) P(const double, normal, 3)\n"
    "  const int stride = I(6);\n"
    "  for (int k = I(5); k < I(5) + I(4); ++k) { const int i = node[k];\n"
    "    const double un = u[i]*normal[k] + u[stride + i]*normal[stride + k];\n"
    "    u[i] -= un*normal[k]; u[stride + i] -= un*normal[stride + k]; } }\n"
    "BEGIN(rows) P(const double, lap, 1) P(const int, start, 2) P(const int, next, 3) P(const int, held, 4)\n"
    "  P(const double, phi, 5) P(double, off, 6) P(double, diagonal, 7) P(double, rhs, 8)\n"
    "  for (int i = 0; i < I(9); ++i) { double sum = 0.0, known = 0.0;\n"
    "    for (int k = start[i]; k < start[i + 1]; ++k) { const int j = next[k];\n"
    "      off[k] = held[i] || held[j] ? 0.0 : lap[k]; sum -= lap[k]; if (held[j]) known += lap[k]*phi[j]; "
    "}\n"
    "    diagonal[i] = held[i] ? 1.0 : sum; rhs[i] = held[i] ? phi[i] : rhs[i] - known; } }\n"
    "BEGIN(finish) P(double, scalars, 1) scalars[1] = 0.5; scalars[3] = scalars[0] + 0.5; scalars[0] = "
    "scalars[3];\n"
    "  flags[1] += 1;\n"
    "  if (scalars[0] >= scalars[2] || (flags[2] > 0 && flags[1] >= flags[2]) || flags[3]) flags[0] = 1; }\n";

#define NODE_BUFFER(text, what, n)                                                                           \
  { .name = text, .kind = what, .place = DSLC_NODES, .width = n }
#define ROWS(text, what, from, number, e, n)                                                                 \
  {                                                                                                          \
    .name = text, .kind = what, .element = e, .place = DSLC_NODES, .width = n, .source = {from},             \
    .hold = number                                                                                           \
  }

static const dslc_program *poisson_program(void) {
  static dslc_buffer buffer[N_COUNT_OF_BUFFERS] = {
      [N_SCALARS] = {.name = "scalars", .kind = DSLC_BUFFER_SCALARS, .width = DSLC_SCALAR_GLOBALS},
      [N_FLAGS] = {.name = "flags",
                   .kind = DSLC_BUFFER_FLAGS,
                   .element = DSLC_I32,
                   .width = DSLC_FLAG_CHECKS},
      [N_PHI] = NODE_BUFFER("phi", DSLC_BUFFER_STATE, 1),
      [N_U] = NODE_BUFFER("u", DSLC_BUFFER_STATE, 2),
      [N_S] = NODE_BUFFER("s", DSLC_BUFFER_GIVEN, 1),
      [N_MASS] = GEOMETRY("integral:N", DSLC_NODES, INTEGRAL),
      [N_LAP] = {.name = "integral:dot(dN,dN)",
                 .kind = DSLC_BUFFER_GEOMETRY,
                 .place = DSLC_EDGES,
                 .width = 1,
                 .source = {DSLC_SOURCE_INTEGRAL, .form = DSLC_FORM_DOT_DN_DN}},
      [N_START] = TABLE("node_start", DSLC_NODES, NODE_START),
      [N_NEXT] = TABLE("edge_node", DSLC_EDGES, EDGE_NODE),
      [N_MASK] = TABLE("held:phi", DSLC_NODES, CONSTRAINED) /* of field 0 */,
      [N_OFF] = {.name = "K", .kind = DSLC_BUFFER_WORK, .place = DSLC_EDGES, .width = 1},
      [N_DIAGONAL] = NODE_BUFFER("K.diagonal", DSLC_BUFFER_WORK, 1),
      [N_RHS] = NODE_BUFFER("load", DSLC_BUFFER_WORK, 1),
      [N_VALUE] = {.name = "held.value",
                   .kind = DSLC_BUFFER_ARGUMENT,
                   .place = DSLC_NODES,
                   .width = 1,
                   .rule = 0,
                   .hold = 1},
      [N_VALUE_NODE] = ROWS("hold_node", DSLC_BUFFER_TOPOLOGY, DSLC_SOURCE_ROW_NODE, 1, DSLC_I32, 1),
      [N_FLUX] = {.name = "inflow.qn",
                  .kind = DSLC_BUFFER_ARGUMENT,
                  .place = DSLC_NODES,
                  .width = 1,
                  .rule = 1,
                  .hold = 2},
      [N_FLUX_NODE] = ROWS("hold_node", DSLC_BUFFER_TOPOLOGY, DSLC_SOURCE_ROW_NODE, 2, DSLC_I32, 1),
      [N_FLUX_AREA] = ROWS("area", DSLC_BUFFER_GEOMETRY, DSLC_SOURCE_AREA, 2, DSLC_F64, 1),
      [N_SLIP_NODE] = ROWS("hold_node", DSLC_BUFFER_TOPOLOGY, DSLC_SOURCE_ROW_NODE, 3, DSLC_I32, 1),
      [N_SLIP_NORMAL] = ROWS("normal", DSLC_BUFFER_GEOMETRY, DSLC_SOURCE_NORMAL, 3, DSLC_F64, 2)};
  static dslc_arg load[] = {BUF(0), BUF(1), BUF(2), BUF(3), ITEMS_ARG};
  static dslc_arg inflow[] = {BUF(0), BUF(1), BUF(2), BUF(3), BUF(4), ITEMS_ARG, FIRST_ARG};
  static dslc_arg hold[] = {BUF(0), BUF(1), BUF(2), BUF(3), ITEMS_ARG, FIRST_ARG};
  static dslc_arg slip[] = {
      BUF(0), BUF(1), BUF(2), BUF(3), ITEMS_ARG, FIRST_ARG, {.kind = DSLC_ARG_STRIDE, .number = DSLC_NODES}};
  static dslc_arg rows[] = {BUF(0), BUF(1), BUF(2), BUF(3), BUF(4),
                            BUF(5), BUF(6), BUF(7), BUF(8), ITEMS_ARG};
  static dslc_arg finish[] = {BUF(0), BUF(1)};
  static dslc_kernel kernel[] = {
      KERNEL("load", DSLC_NODES, load, 0), KERNEL("inflow", DSLC_NODES, inflow, 0),
      KERNEL("hold", DSLC_NODES, hold, 0), KERNEL("slip", DSLC_NODES, slip, 0),
      KERNEL("rows", DSLC_NODES, rows, 0), KERNEL("finish", DSLC_NOWHERE, finish, 1)};
  static int s_load[] = {N_FLAGS, N_MASS, N_S, N_RHS},
             s_inflow[] = {N_FLAGS, N_RHS, N_FLUX, N_FLUX_NODE, N_FLUX_AREA};
  static int s_hold[] = {N_FLAGS, N_PHI, N_VALUE, N_VALUE_NODE},
             s_slip[] = {N_FLAGS, N_U, N_SLIP_NODE, N_SLIP_NORMAL};
  static int s_rows[] = {N_FLAGS, N_LAP, N_START, N_NEXT, N_MASK, N_PHI, N_OFF, N_DIAGONAL, N_RHS};
  static int s_finish[] = {N_FLAGS, N_SCALARS};
  static dslc_op step[] = {LAUNCH(0, DSLC_OWNED, s_load, -1),  LAUNCH(1, DSLC_HOLD, s_inflow, 1),
                           LAUNCH(2, DSLC_HOLD, s_hold, 0),    LAUNCH(3, DSLC_HOLD, s_slip, 2),
                           LAUNCH(4, DSLC_OWNED, s_rows, -1),  {.kind = DSLC_OP_SOLVE, .a = 0},
                           LAUNCH(5, DSLC_OWNED, s_finish, -1)};
  static dslc_section section[] = {{"setup", 0, NULL}, {"step", COUNT(step), step}};
  static dslc_field field[] = {
      {.name = "phi", .kind = DSLC_STATE, .place = DSLC_NODES, .components = 1, .buffer = N_PHI, .show = -1},
      {.name = "u", .kind = DSLC_STATE, .place = DSLC_NODES, .components = 2, .buffer = N_U, .show = -1},
      {.name = "s", .kind = DSLC_GIVEN, .place = DSLC_NODES, .components = 1, .buffer = N_S, .show = -1}};
  static dslc_argument value[] = {{.name = "value", .components = 1, .buffer = N_VALUE}};
  static dslc_argument flux[] = {{.name = "qn", .components = 1, .buffer = N_FLUX, .formula = "0.0"}};
  static dslc_rule rule[] = {{.name = "held", .n_arguments = 1, .argument = value},
                             {.name = "inflow", .n_arguments = 1, .argument = flux}};
  static dslc_hold holds[] = {{.rule = 0, .target = "phi"},
                              {.rule = 1, .target = "load", .field = -1, .add = true},
                              {.rule = 1, .target = "u", .field = 1, .projection = true}};
  static dslc_parameter parameter[] = {{.name = "tol", .components = 1, .formula = "1.0e-12"},
                                       {.name = "most", .components = 1, .formula = "500.0"}};
  static dslc_solve solve[] = {{.matrix = "K",
                                .unknown = "phi",
                                .off = N_OFF,
                                .diagonal = N_DIAGONAL,
                                .rhs = N_RHS,
                                .solution = N_PHI,
                                .tolerance = "$tol",
                                .iterations = "$most",
                                .symmetric = true,
                                .sums_to_zero = true,
                                .line = 17}};
  static dslc_program p;
  p = (dslc_program){.identity.scheme = "poisson by hand",
                     .identity.path = "poisson.ew",
                     .identity.target = "c",
                     .identity.hash = "0123456789abcdef0123456789abcdef",
                     .space.dims = 2,
                     .execution.source = source,
                     .model.n_parameters = 2,
                     .model.n_fields = COUNT(field),
                     .model.n_rules = 2,
                     .execution.n_buffers = N_COUNT_OF_BUFFERS,
                     .execution.n_kernels = COUNT(kernel),
                     .execution.n_sections = COUNT(section),
                     .model.n_holds = COUNT(holds),
                     .execution.n_solves = 1,
                     .model.parameter = parameter,
                     .model.field = field,
                     .model.rule = rule,
                     .execution.buffer = buffer,
                     .execution.kernel = kernel,
                     .execution.section = section,
                     .model.hold = holds,
                     .execution.solve = solve};
  return &p;
}

/* ---- cases ---------------------------------------------------------------------------------------------------------------------- */

static ew_status plane(void *context, const double *x, double t, double *out, int n, ew_error *err) {
  (void)context, (void)t, (void)n, (void)err;
  out[0] = 2 * x[0] - 3 * x[1] + 1;
  return EW_OK;
}

static ew_case *poisson_case(void) {
  ew_case *c = NULL;
  if (case_create(&c, NULL) != EW_OK) abort();
  c->file = "case.lua";
  c->mesh.kind = CASE_MESH_RECTANGLE;
  c->mesh.rectangle = (mesh_rectangle_options){.x1 = 1, .y1 = 1, .nx = 9, .ny = 7, .jitter = 0.3, .seed = 3};
  case_value *start = add_value(c, &c->values.initial, &c->values.n_initial, "phi");
  start->number[0] = 0;
  case_value *u = add_value(c, &c->values.initial, &c->values.n_initial, "u");
  u->n = 2, u->number[0] = 1, u->number[1] = 2;
  add_value(c, &c->values.given, &c->values.n_givens, "s")->number[0] = 0;
  c->time.stop = 1;
  return c;
}

static void add_function(ew_case *c, case_boundary *b, const char *name, case_function *f) {
  case_value *v = add_value(c, &b->argument, &b->n_arguments, name);
  v->kind = CASE_FUNCTION;
  v->function = f;
}

typedef struct stage {
  ew_case *c;
  exec_domain domain;
  dev_context *device;
  exec_run *run;
} stage;

static stage open_stage(ew_case *c) {
  stage s = {.c = c};
  OK(exec_domain_create(c, &s.domain, &err));
  OK(dev_context_create("c", &s.device, &err));
  OK(exec_create(s.device, poisson_program(), &s.domain, c, &s.run, &err));
  return s;
}

static void close_stage(stage *s) {
  exec_destroy(&s->run);
  dev_context_destroy(&s->device);
  exec_domain_clear(&s->domain);
  case_destroy(&s->c);
}

static ew_status advance(stage *s, ew_error *err) {
  exec_until until = {.t_stop = 1};
  return exec_advance(s->run, &until, err);
}

/* ---- tests ------------------------------------------------------------------------------------------------------------------------ */

/* Values on all sides: a linear function is the solution, in whatever order the unknowns are. */
static void linear_from_its_boundary(void **unused) {
  (void)unused;
  for (int order = MESH_CELLS_AS_IS; order <= MESH_CELLS_RANDOM; order++) {
    ew_case *c = poisson_case();
    c->mesh.nodes = (mesh_cell_order)order;
    add_function(c, add_boundary(c, "held", 4, (const char *const[]){"left", "right", "top", "bottom"}),
                 "value", plane);
    stage s = open_stage(c);
    OK(advance(&s, &err));
    assert_int_equal(exec_steps(s.run), 2);
    assert_int_equal(exec_count(s.run, "phi"), 80);
    double phi[80], exact;
    OK(exec_read(s.run, "phi", phi, &err));
    for (int i = 0; i < 80; i++) {
      plane(NULL, s.domain.m->node_x + 2 * i, 0, &exact, 1, NULL);
      assert_true(fabs(phi[i] - exact) < 1e-10);
    }
    exec_solve_cost cost = exec_get_solve(s.run, 0);
    assert_int_equal(cost.solves, 2);
    assert_true(cost.iterations > 5 && cost.residual < 1.1e-12);
    double figure;
    OK(exec_global(s.run, "phi.iterations", &figure, &err));
    assert_true(figure == cost.last);
    /* between nodes */
    double x[2] = {0.437, 0.611}, at;
    exec_locator *locator = NULL;
    OK(exec_locator_create(&s.domain, &locator, &err));
    exec_spot spot = exec_spot_at(&s.domain, exec_locate(locator, x), x);
    OK(exec_read_at(s.run, 0, &spot, &at, &err));
    plane(NULL, x, 0, &exact, 1, NULL);
    assert_true(fabs(at - exact) < 1e-10);
    exec_locator_destroy(&locator);
    close_stage(&s);
  }
}

/* Fluxes only: the solution is open by a constant, the guess's mean stays. */
static void open_by_a_constant(void **unused) {
  (void)unused;
  ew_case *c = poisson_case();
  case_boundary *left = add_boundary(c, "inflow", 1, (const char *const[]){"left"});
  add_value(c, &left->argument, &left->n_arguments, "qn")->number[0] = -1;
  case_boundary *right = add_boundary(c, "inflow", 1, (const char *const[]){"right"});
  add_value(c, &right->argument, &right->n_arguments, "qn")->number[0] = 1;
  add_boundary(c, "inflow", 2, (const char *const[]){"top", "bottom"});
  stage s = open_stage(c);
  OK(advance(&s, &err));
  double phi[80], mean = 0;
  OK(exec_read(s.run, "phi", phi, &err));
  for (int i = 0; i < 80; i++) mean += (phi[i] - s.domain.m->node_x[2 * i]) / 80;
  for (int i = 0; i < 80; i++) assert_true(fabs(phi[i] - s.domain.m->node_x[2 * i] - mean) < 1e-10);
  close_stage(&s);
}

/* The same rule lets the velocity slip: along sides it stays, at corners nothing is left. */
static void slips(void **unused) {
  (void)unused;
  ew_case *c = poisson_case();
  add_boundary(c, "inflow", 2, (const char *const[]){"top", "bottom"});
  add_boundary(c, "inflow", 2, (const char *const[]){"left", "right"});
  stage s = open_stage(c);
  OK(advance(&s, &err));
  double u[160];
  OK(exec_read(s.run, "u", u, &err));
  for (int i = 0; i < 80; i++) {
    const double *x = s.domain.m->node_x + 2 * i;
    bool across = x[0] < 1e-12 || x[0] > 1 - 1e-12, along = x[1] < 1e-12 || x[1] > 1 - 1e-12;
    assert_true(fabs(u[2 * i] - (across ? 0 : 1)) < 1e-14);
    assert_true(fabs(u[2 * i + 1] - (along ? 0 : 2)) < 1e-14);
  }
  close_stage(&s);
}

static void does_not_converge(void **unused) {
  (void)unused;
  ew_error error = {0};
  ew_case *c = poisson_case();
  add_function(c, add_boundary(c, "held", 2, (const char *const[]){"left", "right"}), "value", plane);
  add_boundary(c, "inflow", 2, (const char *const[]){"top", "bottom"});
  c->solver.iterations = 3;
  stage s = open_stage(c);
  assert_int_equal(advance(&s, &error), EW_NOT_CONVERGED);
  CONTAINS(error.text, "poisson.ew:17: solve K*phi in step 1");
  int n;
  const double *history = exec_solve_history(s.run, 0, &n);
  assert_true(n >= 3 && history[0] > 0);
  assert_int_equal(advance(&s, &error), EW_DIVERGED);
  close_stage(&s);
}

static void refuses_what_it_has_not(void **unused) {
  (void)unused;
  ew_error error = {0};
  ew_case *c = poisson_case();
  add_boundary(c, "inflow", 4, (const char *const[]){"left", "right", "top", "bottom"});
  c->solver.preconditioner = "magic";
  stage s = {.c = c};
  OK(exec_domain_create(c, &s.domain, &err));
  OK(dev_context_create("c", &s.device, &err));
  assert_int_equal(exec_create(s.device, poisson_program(), &s.domain, c, &s.run, &error), EW_INPUT);
  CONTAINS(error.text, "there is no preconditioner 'magic'; there are: none, jacobi");
  assert_null(s.run);
  close_stage(&s);
}

/* Two triangles that nothing connects; "left" is a side of the first. */
static const char *const two_parts =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
    "$PhysicalNames\n3\n1 1 \"left\"\n1 2 \"rest\"\n2 3 \"all\"\n$EndPhysicalNames\n"
    "$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 5 0 0\n5 6 0 0\n6 5 1 0\n$EndNodes\n"
    "$Elements\n8\n1 1 2 1 1 1 3\n2 1 2 2 2 1 2\n3 1 2 2 2 2 3\n4 1 2 2 2 4 5\n5 1 2 2 2 5 6\n6 1 2 2 2 4 6\n"
    "7 2 2 3 3 1 2 3\n8 2 2 3 3 4 5 6\n$EndElements\n";

static void parts_need_values_of_their_own(void **unused) {
  (void)unused;
  ew_error error = {0};
  ew_case *c = poisson_case();
  FILE *file = fopen("two_parts.msh", "w");
  assert_non_null(file);
  fputs(two_parts, file);
  fclose(file);
  c->mesh.kind = CASE_MESH_FILE;
  c->mesh.path = "two_parts.msh";
  add_function(c, add_boundary(c, "held", 1, (const char *const[]){"left"}), "value", plane);
  add_boundary(c, "inflow", 1, (const char *const[]){"rest"});
  stage s = {.c = c};
  OK(exec_domain_create(c, &s.domain, &err));
  OK(dev_context_create("c", &s.device, &err));
  assert_int_equal(exec_create(s.device, poisson_program(), &s.domain, c, &s.run, &error), EW_INPUT);
  CONTAINS(
      error.text,
      "the mesh has 2 parts that nothing connects, and in 1 of them no boundary rule gives a value of 'phi'");
  remove("two_parts.msh");
  close_stage(&s);
}

static void survives_a_checkpoint(void **unused) {
  (void)unused;
  ew_case *c = poisson_case();
  add_function(c, add_boundary(c, "held", 4, (const char *const[]){"left", "right", "top", "bottom"}),
               "value", plane);
  stage s = open_stage(c);
  double before[80], after[80];
  exec_until half = {.t_stop = 0.5};
  OK(exec_advance(s.run, &half, &err));
  OK(exec_checkpoint_write(s.run, "nodes.checkpoint", NULL, &err));
  OK(advance(&s, &err));
  OK(exec_read(s.run, "phi", before, &err));
  OK(exec_checkpoint_read(s.run, "nodes.checkpoint", NULL, &err));
  OK(advance(&s, &err));
  OK(exec_read(s.run, "phi", after, &err));
  assert_memory_equal(before, after, sizeof before);
  /* another order of the unknowns is another mesh */
  exec_destroy(&s.run);
  c->mesh.nodes = MESH_CELLS_RANDOM;
  OK(exec_create(s.device, poisson_program(), &s.domain, c, &s.run, &err));
  assert_int_equal(exec_checkpoint_read(s.run, "nodes.checkpoint", NULL, NULL), EW_CHECKPOINT);
  remove("nodes.checkpoint");
  close_stage(&s);
}

/* A manifest made for slots that cannot be. */
static void slots_that_cannot_be(void **unused) {
  (void)unused;
  static const int wrong[] = {3, 0, 64, -1, INT32_MAX};
  ew_case *c = poisson_case();
  exec_domain domain = {0};
  dev_context *device = NULL;
  OK(exec_domain_create(c, &domain, &err));
  OK(dev_context_create("c", &device, &err));
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    dslc_program p = *poisson_program();
    dslc_buffer buffer[N_COUNT_OF_BUFFERS];
    exec_run *run = NULL;
    ew_error err = {0};
    memcpy(buffer, p.execution.buffer, sizeof buffer);
    buffer[N_START].source = (dslc_source){.kind = DSLC_SOURCE_SLOT_START, .lanes = wrong[k]};
    p.execution.buffer = buffer;
    assert_int_equal(exec_create(device, &p, &domain, c, &run, &err), EW_INPUT);
    assert_non_null(strstr(err.text, "divides 32"));
    assert_null(run);
  }
  dev_context_destroy(&device);
  exec_domain_clear(&domain);
  case_destroy(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(linear_from_its_boundary),
      cmocka_unit_test(open_by_a_constant),
      cmocka_unit_test(slips),
      cmocka_unit_test(does_not_converge),
      cmocka_unit_test(refuses_what_it_has_not),
      cmocka_unit_test(survives_a_checkpoint),
      cmocka_unit_test(parts_need_values_of_their_own),
      cmocka_unit_test(slots_that_cannot_be),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
