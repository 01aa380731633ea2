/* Runs on grids, of a program made by hand: what kernels are told about points and walls, copies behind periodic sides, launches
 * in tiles, by rows and by windows, values at all places. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fields/on_grid.h"

static const char *const specs[] = {"c", "cpu"};
enum { N_SPECS = 2, HALO = 2 };

#define OK(call)                                                                                             \
  do {                                                                                                       \
    ew_error err = {EW_OK, ""};                                                                              \
    if ((call) != EW_OK) fail_msg("%s: %s", #call, err.text);                                                \
  } while (0)
#define COUNT(array) (int)(sizeof(array) / sizeof *(array))

/* ---- a program ------------------------------------------------------------------------------------------------------------- */

enum {
  B_SCALARS,
  B_FLAGS,
  B_P,
  B_U,
  B_Q,
  B_SUM,
  B_NEAR,
  B_WALL_X,
  B_WALL_Y,
  B_DX,
  B_YC,
  B_COLD,
  B_HOT,
  B_GROUPS,
  B_ALIAS,
  B_COUNT
};

/* Text that OpenCL and C share. HEAD opens a kernel and a loop over points, or an item. */
static const char *const shared =
    /* p[i+1] - p[i-2], reading up to two points beyond; and what walls say */
    "#define VISIT \\\n"
    "  double s = p[point + 1] - p[point - 2] + 10.0*(p[point + pitch_y] - p[point - 2*pitch_y]); \\\n"
    "  s += 100.0*(u[point] + u[point + 1]) + 1000.0*dx[2 + i] + 1e4*yc[2 + j]; \\\n"
    "  s += 1e5*near[point]; \\\n"
    "  if (wall_x[point] >= 0) s += 1e7*cold[wall_x[point] >> 6] + 1e8*(wall_x[point] & 63); \\\n"
    "  if (wall_y[point] >= 0) s += 1e7*hot[wall_y[point] >> 6] + 1e8*(wall_y[point] & 63); \\\n"
    "  sum[point] += s;\n"
    "#define STEP scalars[0] = scalars[2]; flags[1] += 1; flags[0] = 1;\n";

static const char *const cl_text =
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    "#define ARGS __global const int *flags, __global const double *p, __global const double *u, __global "
    "double *sum, \\\n"
    "  __global const uchar *near, __global const int *wall_x, __global const int *wall_y, __global const "
    "double *dx, \\\n"
    "  __global const double *yc, __global const double *cold, __global const double *hot, __global double "
    "*groups, \\\n"
    "  const int points_x, const int points_y, const int pitch_y, const int origin, const int halo, const "
    "int rows\n"
    "__kernel void tiled(ARGS) { if (flags[0]) return; const int i = get_global_id(0), j = "
    "get_global_id(1);\n"
    "  groups[get_group_id(0) + get_num_groups(0)*get_group_id(1)] = 1.0;\n"
    "  if (i >= points_x || j >= points_y) return; const int point = origin + i + j*pitch_y; VISIT }\n"
    "__kernel void by_row(ARGS) { if (flags[0]) return; const int j = get_global_id(1);\n"
    "  groups[get_group_id(1)] = 1.0; if (get_global_id(0) > 0) return;\n"
    "  for (int i = 0; i < points_x; ++i) { const int point = origin + i + j*pitch_y; VISIT } }\n"
    "__kernel void windowed(ARGS) { if (flags[0]) return; const int l = get_local_id(0);\n"
    "  const int i = (int)get_group_id(0)*6 + l; groups[get_group_id(0) + get_num_groups(0)*get_group_id(1)] "
    "= 1.0;\n"
    "  if (l >= 6 || i >= points_x) return;\n"
    "  for (int j = (int)get_group_id(1)*rows; j < ((int)get_group_id(1) + 1)*rows && j < points_y; ++j) {\n"
    "    const int point = origin + i + j*pitch_y; VISIT } }\n"
    "__kernel void finish(__global int *flags, __global double *scalars) { if (get_global_id(0) > 0 || "
    "flags[0]) return; STEP }\n";

static const char *const c_text =
    "#define P(t, n, k) t *n = args[k];\n#define N(n, k) const int n = *(const int *)args[k];\n"
    "#define HEAD(name) void name(void *const *args, long n_) { (void)n_; P(const int, flags, 0) if "
    "(flags[0]) return; \\\n"
    "  P(const double, p, 1) P(const double, u, 2) P(double, sum, 3) P(const unsigned char, near, 4) \\\n"
    "  P(const int, wall_x, 5) P(const int, wall_y, 6) P(const double, dx, 7) P(const double, yc, 8) \\\n"
    "  P(const double, cold, 9) P(const double, hot, 10) P(double, groups, 11) N(points_x, 12) N(points_y, "
    "13) \\\n"
    "  N(pitch_y, 14) N(origin, 15) N(halo, 16) N(rows, 17) (void)halo; (void)rows; (void)groups; \\\n"
    "  for (int j = 0; j < points_y; ++j) for (int i = 0; i < points_x; ++i) { const int point = origin + i "
    "+ j*pitch_y; VISIT } }\n"
    "HEAD(tiled) HEAD(by_row) HEAD(windowed)\n"
    "void finish(void *const *args, long n_) { (void)n_; P(int, flags, 0) P(double, scalars, 1) if "
    "(flags[0]) return; STEP }\n";

#define BUF(slot)                                                                                            \
  { .kind = DSLC_ARG_BUFFER, .number = (slot), .reads = 1 }

static const dslc_program *program(bool opencl, int kernel) {
  static char text[8192];
  static dslc_arg arg[] = {BUF(0),
                           BUF(1),
                           BUF(2),
                           BUF(3),
                           BUF(4),
                           BUF(5),
                           BUF(6),
                           BUF(7),
                           BUF(8),
                           BUF(9),
                           BUF(10),
                           BUF(11),
                           {.kind = DSLC_ARG_POINTS, .number = 0},
                           {.kind = DSLC_ARG_POINTS, .number = 1},
                           {.kind = DSLC_ARG_PITCH, .number = 1},
                           {.kind = DSLC_ARG_ORIGIN},
                           {.kind = DSLC_ARG_HALO},
                           {.kind = DSLC_ARG_ROWS}};
  static dslc_arg finish[] = {BUF(0), BUF(1)};
  static dslc_kernel kernels[] = {
      {.name = "tiled", .place = DSLC_CELLS, .n_args = COUNT(arg), .arg = arg, .grid = 2, .tile = {8, 4}},
      {.name = "by_row",
       .place = DSLC_CELLS,
       .n_args = COUNT(arg),
       .arg = arg,
       .grid = 2,
       .tile = {8, 4},
       .loop = true},
      {.name = "windowed",
       .place = DSLC_CELLS,
       .n_args = COUNT(arg),
       .arg = arg,
       .grid = 2,
       .tile = {8, 1},
       .overlap = 2,
       .rows = 3},
      {.name = "finish", .place = DSLC_NOWHERE, .n_args = 2, .arg = finish, .local_size = 1}};
  static int bound[] = {B_FLAGS,  B_P,  B_U,  B_SUM,  B_NEAR, B_WALL_X,
                        B_WALL_Y, B_DX, B_YC, B_COLD, B_HOT,  B_GROUPS},
             ends[] = {B_FLAGS, B_SCALARS};
  static dslc_op step[] = {
      {.kind = DSLC_OP_GHOSTS, .a = B_P},
      {.kind = DSLC_OP_GHOSTS, .a = B_U},
      {.kind = DSLC_OP_LAUNCH, .n_buffers = COUNT(bound), .buffer = bound, .groups_of = -1},
      {.kind = DSLC_OP_LAUNCH, .kernel = 3, .n_buffers = 2, .buffer = ends, .groups_of = -1}};
  static dslc_section section[] = {{"setup", 0, NULL}, {"step", COUNT(step), step}};
  static dslc_buffer buffer[] = {
      [B_SCALARS] = {"scalars", DSLC_BUFFER_SCALARS, DSLC_F64, DSLC_NOWHERE, 5},
      [B_FLAGS] = {"flags", DSLC_BUFFER_FLAGS, DSLC_I32, DSLC_NOWHERE, 4},
      [B_P] = {"p", DSLC_BUFFER_STATE, DSLC_F64, DSLC_CELLS, 1},
      [B_U] = {"u", DSLC_BUFFER_STATE, DSLC_F64, DSLC_XFACES, 1},
      [B_Q] = {"q", DSLC_BUFFER_GIVEN, DSLC_F64, DSLC_CORNERS, 2},
      [B_SUM] = {"sum", DSLC_BUFFER_STATE, DSLC_F64, DSLC_CELLS, 1},
      [B_NEAR] = {"near", DSLC_BUFFER_TOPOLOGY, DSLC_U8, DSLC_CELLS, 1,
                  .source = {DSLC_SOURCE_WALL_DISTANCE}},
      [B_WALL_X] = {"wall_x", DSLC_BUFFER_TOPOLOGY, DSLC_I32, DSLC_XFACES, 1, .source = {DSLC_SOURCE_WALL}},
      [B_WALL_Y] = {"wall_y", DSLC_BUFFER_TOPOLOGY, DSLC_I32, DSLC_YFACES, 1, .source = {DSLC_SOURCE_WALL}},
      [B_DX] = {"dx", DSLC_BUFFER_GEOMETRY, DSLC_F64, DSLC_XLINE, 1, .source = {DSLC_SOURCE_WIDTH}},
      [B_YC] = {"yc", DSLC_BUFFER_GEOMETRY, DSLC_F64, DSLC_YLINE, 1, .source = {DSLC_SOURCE_MIDDLE}},
      [B_COLD] = {"wall.T", DSLC_BUFFER_ARGUMENT, DSLC_F64, DSLC_XFACES, 1, .rule = 1},
      [B_HOT] = {"wall.T", DSLC_BUFFER_ARGUMENT, DSLC_F64, DSLC_YFACES, 1, .rule = 2},
      [B_GROUPS] = {"groups", DSLC_BUFFER_PARTIALS, DSLC_F64, DSLC_NOWHERE, 1},
      [B_ALIAS] = {"kept in local memory", DSLC_BUFFER_ALIAS, DSLC_F64, DSLC_CELLS, 1}};
  static dslc_field field[] = {
      {.name = "p", .kind = DSLC_STATE, .place = DSLC_CELLS, .components = 1, .buffer = B_P, .show = -1},
      {.name = "u", .kind = DSLC_STATE, .place = DSLC_XFACES, .components = 1, .buffer = B_U, .show = -1},
      {.name = "q", .kind = DSLC_GIVEN, .place = DSLC_CORNERS, .components = 2, .buffer = B_Q, .show = -1},
      {.name = "sum", .kind = DSLC_STATE, .place = DSLC_CELLS, .components = 1, .buffer = B_SUM, .show = -1}};
  static dslc_argument T[] = {{.name = "T", .components = 1, .formula = "7"}};
  static dslc_rule rule[] = {{.name = "open"},
                             {.name = "wall", .axis = 'x', .n_arguments = 1, .argument = T},
                             {.name = "wall", .axis = 'y', .n_arguments = 1, .argument = T}};
  static dslc_global global[] = {{.name = "dt", .scalar = DSLC_SCALAR_DT, .show = -1}};
  static dslc_program p;
  snprintf(text, sizeof text, "%s%s", shared, opencl ? cl_text : c_text);
  step[2].kernel = kernel;
  p = (dslc_program){.identity.scheme = "by hand",
                     .identity.path = "hand.ew",
                     .identity.target = opencl ? "opencl" : "c",
                     .identity.hash = "0123456789abcdef0123456789abcdef",
                     .space.dims = 2,
                     .space.on_grid = true,
                     .space.halo = HALO,
                     .execution.source = text,
                     .model.n_fields = COUNT(field),
                     .model.n_rules = 3,
                     .execution.n_buffers = B_COUNT,
                     .execution.n_kernels = COUNT(kernels),
                     .execution.n_sections = 2,
                     .model.n_globals = 1,
                     .model.global = global,
                     .model.field = field,
                     .model.rule = rule,
                     .execution.buffer = buffer,
                     .execution.kernel = kernels,
                     .execution.section = section};
  return &p;
}

/* ---- a case ---------------------------------------------------------------------------------------------------------------------- */

static ew_status wave(void *context, const double *x, double t, double *out, int n, ew_error *err) {
  (void)context, (void)t, (void)err;
  for (int d = 0; d < n; d++) out[d] = sin(3 * x[0] + d) + x[1] * x[1];
  return EW_OK;
}

static case_value *add(ew_case *c, case_value **array, int *n, const char *name, double number) {
  case_value *v = case_append(c, array, n, sizeof *v, NULL);
  *v = (case_value){.name = name, .kind = CASE_NUMBERS, .n = 1, .number = {number}};
  return v;
}

static case_boundary *add_boundary(ew_case *c, const char *name, const char *rule) {
  case_boundary *b = case_append(c, &c->boundary, &c->n_boundaries, sizeof *b, NULL);
  *b = (case_boundary){.n_names = 1, .rule = rule};
  b->name = case_alloc(c, sizeof *b->name, NULL);
  b->name[0] = name;
  return b;
}

static const double face_x[] = {0, 0.5, 0.75, 1, 1.5, 2, 2.25, 2.5, 3, 3.25, 3.5, 4, 4.5, 5};
static const grid_solid_options block = {"block", {1, 0.4, 0}, {2, 0.8, 0}};

/* 13 x 7 cells, a block inside; `x` periodic or with walls. */
static ew_case *make_case(bool periodic_x) {
  ew_case *c = NULL;
  if (case_create(&c, NULL) != EW_OK) abort();
  c->mesh.kind = CASE_MESH_GRID;
  c->mesh.grid =
      (grid_options){.dim = 2,
                     .n_solids = 1,
                     .solid = &block,
                     .axis = {{.n = 13, .face = face_x, .periodic = periodic_x}, {.n = 7, .to = 1.4}}};
  add(c, &c->values.initial, &c->values.n_initial, "sum", 0);
  for (const char *const *name = (const char *const[]){"p", "u", NULL}; *name; name++) {
    case_value *v = add(c, &c->values.initial, &c->values.n_initial, *name, 0);
    v->kind = CASE_FUNCTION, v->function = wave;
  }
  case_value *q = add(c, &c->values.given, &c->values.n_givens, "q", 0);
  q->kind = CASE_FUNCTION, q->function = wave;
  case_boundary *b = add_boundary(c, "block", "wall");
  add(c, &b->argument, &b->n_arguments, "T", 0)->kind = CASE_FUNCTION;
  b->argument[0].function = wave;
  add_boundary(c, "bottom", "wall");
  add_boundary(c, "top", "open");
  if (!periodic_x) add_boundary(c, "left", "open"), add_boundary(c, "right", "wall");
  c->time.stop = 1;
  return c;
}

typedef struct stage {
  ew_case *c;
  exec_domain domain;
  dev_context *device;
  exec_run *run;
} stage;

static stage open_stage(const char *spec, bool periodic_x, int kernel) {
  stage s = {.c = make_case(periodic_x)};
  exec_problems problems = {0};
  OK(exec_domain_create(s.c, &s.domain, &err));
  OK(dev_context_create(spec, &s.device, &err));
  const dslc_program *p = program(dev_get_language(s.device) == DEV_OPENCL_C, kernel);
  OK(exec_check(s.c, p, &s.domain, &problems, &err));
  if (problems.n) fail_msg("%s", problems.item[0].text);
  OK(exec_create(s.device, p, &s.domain, s.c, &s.run, &err));
  return s;
}

static void close_stage(stage *s) {
  exec_destroy(&s->run);
  dev_context_destroy(&s->device);
  exec_domain_clear(&s->domain);
  case_destroy(&s->c);
}

/* ---- the same by a plain loop ------------------------------------------------------------------------------------------------------ */

static double field_at(const grid *g, bool u, int i, int j) {
  double out, x[2];
  int n = g->axis[0].n, m = g->axis[1].n, last = u ? grid_points(g, 0) - 1 : n - 1;
  if (g->axis[0].periodic) i = (i % n + n) % n;
  i = i < 0 ? 0 : i > last ? last : i;
  j = j < 0 ? 0 : j >= m ? m - 1 : j;
  x[0] = u ? g->axis[0].face[i] : grid_middle(&g->axis[0], i);
  x[1] = grid_middle(&g->axis[1], j);
  wave(NULL, x, 0, &out, 1, NULL);
  return out;
}

static double walls_at(const grid *g, int i, int j) {
  double s = 0;
  for (int64_t w = 0; w < g->n_walls; w++) {
    const grid_wall *wall = &g->wall[w];
    if (wall->at[0] != i || wall->at[1] != j) continue;
    const char *name = g->boundary[wall->boundary].name;
    double x[2], T = 7;
    grid_wall_centre(g, wall, x);
    if (strcmp(name, "block") == 0) wave(NULL, x, 0, &T, 1, NULL);
    bool open = strcmp(name, "left") == 0 || strcmp(name, "top") == 0;
    /* the open rule has no argument of its own: its rows read the wall's first */
    if (!open) s += 1e7 * T + 1e8 * (1 + wall->axis);
  }
  return s;
}

static double expected(const grid *g, const uint8_t *near, int i, int j) {
  double s = field_at(g, false, i + 1, j) - field_at(g, false, i - 2, j) +
             10 * (field_at(g, false, i, j + 1) - field_at(g, false, i, j - 2));
  s += 100 * (field_at(g, true, i, j) + field_at(g, true, i + 1, j));
  s += 1000 * grid_width(&g->axis[0], i) + 1e4 * grid_middle(&g->axis[1], j) +
       1e5 * near[grid_cell(g, i, j, 0)];
  return s + walls_at(g, i, j);
}

static bool is_open(const grid *g, int i) { return i == 0 && !g->axis[0].periodic; }

static void compare(const char *spec, bool periodic_x, int kernel) {
  stage s = open_stage(spec, periodic_x, kernel);
  const grid *g = s.domain.g;
  uint8_t near[13 * 7];
  double sum[13 * 7];
  grid_near(g, near);
  exec_until until = {.t_stop = 1};
  OK(exec_advance(s.run, &until, &err));
  OK(exec_read(s.run, "sum", sum, &err));
  for (int j = 0; j < 7; j++)
    for (int i = 0; i < 13; i++) {
      double e = expected(g, near, i, j);
      if (is_open(g, i))
        continue; /* of an open side only that it is found: rule 0 adds an argument of rule 1 */
      if (!(fabs(sum[13 * j + i] - e) <= 1e-6))
        fail_msg("%s, kernel %d, point (%d, %d): %.9g, expected %.9g", spec, kernel, i, j, sum[13 * j + i],
                 e);
    }
  close_stage(&s);
}

static void kernels_see_points_walls_and_copies(void **state) {
  (void)state;
  for (int i = 0; i < N_SPECS; i++)
    for (int kernel = 0; kernel < 3; kernel++)
      for (int periodic = 0; periodic < 2; periodic++) compare(specs[i], periodic, kernel);
}

static void what_is_bound_elsewhere_takes_no_memory(void **state) {
  (void)state;
  stage s = open_stage("c", 0, 0);
  assert_int_equal(dev_buffer_bytes(s.run->buffer[B_ALIAS]), 8);
  assert_true(dev_buffer_bytes(s.run->buffer[B_P]) > 8);
  close_stage(&s);
}

/* ---- reading ------------------------------------------------------------------------------------------------------------------------ */

static void places_are_read_and_written(void **state) {
  (void)state;
  for (int periodic = 0; periodic < 2; periodic++) {
    stage s = open_stage("c", periodic, 0);
    const grid *g = s.domain.g;
    int nx = grid_points(g, 0);
    assert_int_equal(exec_count(s.run, "p"), 13 * 7);
    assert_int_equal(exec_count(s.run, "u"), nx * 7);
    assert_int_equal(exec_count(s.run, "q"), nx * 8);
    double u[14 * 7], back[14 * 7], cells[13 * 7], q[2 * 14 * 8];
    OK(exec_read(s.run, "u", u, &err));
    for (int k = 0; k < nx * 7; k++) assert_true(u[k] == field_at(g, true, k % nx, k / nx));
    OK(exec_read_cells(s.run, "u", cells, &err));
    for (int k = 0; k < 13 * 7; k++)
      assert_true(fabs(cells[k] - 0.5 * (u[k / 13 * nx + k % 13] + u[k / 13 * nx + (k % 13 + 1) % nx])) <
                  1e-14);
    OK(exec_read(s.run, "q", q, &err));
    double x[2] = {face_x[3], 1.4}, corner[2];
    wave(NULL, x, 0, corner, 2, NULL);
    assert_true(fabs(q[2 * (7 * nx + 3)] - corner[0]) < 1e-14 &&
                fabs(q[2 * (7 * nx + 3) + 1] - corner[1]) < 1e-14);
    for (int k = 0; k < nx * 7; k++) u[k] = k;
    OK(exec_write(s.run, "u", u, &err));
    OK(exec_read(s.run, "u", back, &err));
    assert_memory_equal(u, back, (size_t)nx * 7 * sizeof *u);
    double at;
    OK(exec_read_at(s.run, 1, &(exec_spot){.cell = 12}, &at,
                    &err)); /* cell (12, 0): beyond a periodic side lies face 0 */
    assert_true(at == (periodic ? 6 : 12.5));
    const double *volume, *centre;
    OK(exec_cells(s.run, &volume, &centre, &err));
    assert_true(fabs(volume[0] - 0.1) < 1e-15 && volume[13 * 2 + 3] == 0 &&
                fabs(centre[2 * 13 + 1] - 0.3) < 1e-15);
    close_stage(&s);
  }
}

static void checkpoints_keep_all_places(void **state) {
  (void)state;
  char path[] = "test_exec_grid.checkpoint";
  stage s = open_stage("c", true, 0);
  exec_until until = {.t_stop = 1};
  OK(exec_advance(s.run, &until, &err));
  OK(exec_checkpoint_write(s.run, path, NULL, &err));
  stage r = open_stage("c", true, 0);
  OK(exec_checkpoint_read(r.run, path, NULL, &err));
  double a[13 * 7], b[13 * 7];
  OK(exec_read(s.run, "sum", a, &err));
  OK(exec_read(r.run, "sum", b, &err));
  assert_memory_equal(a, b, sizeof a);
  close_stage(&r);
  close_stage(&s);
  s = open_stage("c", false, 0);
  ew_error err = {0};
  assert_int_equal(exec_checkpoint_read(s.run, path, NULL, &err), EW_CHECKPOINT);
  close_stage(&s);
  remove(path);
}

static void subdomains_fit_the_device(void **state) {
  (void)state;
  const dev_info gpu = {.compute_units = 132, .concurrent = true},
                 small = {.compute_units = 2, .concurrent = true};
  const dev_info cpu = {.compute_units = 16}, silent = {.compute_units = 0};
  assert_int_equal(exec_fitting_rows(100, 2000, 33, &gpu), 31);    /* 16 for each of many units */
  assert_int_equal(exec_fitting_rows(100, 200, 33, &gpu), 16);     /* not fewer */
  assert_int_equal(exec_fitting_rows(100, 4000, 33, &small), 100); /* not more */
  assert_int_equal(exec_fitting_rows(8, 200, 33, &gpu), 8);
  assert_int_equal(exec_fitting_rows(100, 2000, 1, &cpu), 62); /* 2 for each core */
  assert_int_equal(exec_fitting_rows(100, 100, 1, &cpu), 8);
  assert_int_equal(exec_fitting_rows(100, 2000, 33, &silent), 100); /* a device that does not say */
}

/* ---- cases that do not fit ------------------------------------------------------------------------------------------------------------ */

static char *problems_of(ew_case *c) {
  exec_domain domain = {NULL, NULL};
  exec_problems problems = {0};
  char *text = NULL;
  size_t size;
  OK(exec_domain_create(c, &domain, &err));
  OK(exec_check(c, program(false, 0), &domain, &problems, &err));
  FILE *out = open_memstream(&text, &size);
  exec_problems_print(&problems, out);
  fclose(out);
  exec_problems_clear(&problems);
  exec_domain_clear(&domain);
  case_destroy(&c);
  return text;
}

#define SAYS(c, part)                                                                                        \
  do {                                                                                                       \
    char *text = problems_of(c);                                                                             \
    if (!strstr(text, part)) fail_msg("'%s' lacks '%s'", text, part);                                        \
    free(text);                                                                                              \
  } while (0)

static void names_of_both_sides_are_listed(void **state) {
  (void)state;
  ew_case *c = make_case(true);
  add_boundary(c, "left", "open");
  SAYS(c, "left (0 faces, periodic)           left -> open                       periodic: takes no rule");
  c = make_case(false);
  c->boundary[0].name[0] = "blok";
  SAYS(c, "block (8 faces)                    -                                  has no rule");
  c = make_case(false);
  c->boundary[0].name[0] = "blok";
  SAYS(c, "not in the grid; did you mean 'block'?");
  c = make_case(true);
  c->output.n_probes = 0;
  case_probe *probe = case_append(c, &c->output.probe, &c->output.n_probes, sizeof *probe, NULL);
  *probe = (case_probe){.name = "gauge", .x = {1.5, 0.5}};
  SAYS(c, "probe 'gauge' at (1.5, 0.5) lies outside of the grid, or in a solid");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(kernels_see_points_walls_and_copies),
                                     cmocka_unit_test(what_is_bound_elsewhere_takes_no_memory),
                                     cmocka_unit_test(places_are_read_and_written),
                                     cmocka_unit_test(checkpoints_keep_all_places),
                                     cmocka_unit_test(subdomains_fit_the_device),
                                     cmocka_unit_test(names_of_both_sides_are_listed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
