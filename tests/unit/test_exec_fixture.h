/* A program by hand, as the compiler would make it: heat in cells, two-point fluxes, the free step from a reduction over
 * cells, a check, a quantity shown on demand, a form that faces of one colour add up. */
#ifndef TEST_EXEC_FIXTURE_H
#define TEST_EXEC_FIXTURE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/run.h"

enum { GROUP = 64 };

enum {
  B_SCALARS,
  B_FLAGS,
  B_T,
  B_T_NEW,
  B_POWER,
  B_VOLUME,
  B_AREA,
  B_DISTANCE,
  B_LEFT,
  B_RIGHT,
  B_CELL_FACE,
  B_ACROSS,
  B_START,
  B_WALL,
  B_PARTIAL,
  B_TWICE,
  B_SUM,
  B_COLOUR,
  B_COUNT
};

static const char *const heat_cl =
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    "__kernel void held(__global const int *flags, __global double *T, __global const double *wall,\n"
    "                   __global const int *left, __global const int *right, const int items, const int "
    "first)\n"
    "{ const int i = get_global_id(0); if (i >= items || flags[0]) return;\n"
    "  T[right[first + i]] = 2.0*wall[i] - T[left[first + i]]; }\n"
    "__kernel void closed(__global const int *flags, __global double *T, __global const int *left,\n"
    "                     __global const int *right, const int items, const int first)\n"
    "{ const int i = get_global_id(0); if (i >= items || flags[0]) return;\n"
    "  T[right[first + i]] = T[left[first + i]]; }\n"
    "__kernel __attribute__((reqd_work_group_size(64, 1, 1)))\n"
    "void dt_partial(__global const int *flags, __global const double *volume, __global double *partial, "
    "const int items,\n"
    "                const double kappa)\n"
    "{ __local double s[64]; if (flags[0]) return; const int i = get_global_id(0), l = get_local_id(0);\n"
    "  s[l] = i < items ? 0.1*volume[i]/kappa : INFINITY; barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  if (l == 0) { double m = s[0]; for (int k = 1; k < 64; ++k) m = s[k] < m ? s[k] : m; "
    "partial[get_group_id(0)] = m; } }\n"
    "__kernel void begin(__global int *flags, __global double *scalars, __global const double *partial, "
    "const int groups)\n"
    "{ if (get_global_id(0) > 0 || flags[0]) return; double m = INFINITY;\n"
    "  for (int k = 0; k < groups; ++k) m = partial[k] < m ? partial[k] : m;\n"
    "  scalars[4] = m; const double rest = scalars[2] - scalars[0];\n"
    "  if (rest <= m) { scalars[1] = rest; scalars[3] = scalars[2]; }\n"
    "  else { scalars[1] = m; scalars[3] = scalars[0] + m; } }\n"
    "__kernel void gather(__global int *flags, __global const double *scalars, __global const double *T,\n"
    "  __global double *T_new, __global const double *power, __global const double *volume, __global const "
    "double *area,\n"
    "  __global const double *distance, __global const int *cell_face, __global const int *across,\n"
    "  __global const int *start, const int items, const int stride, const double kappa)\n"
    "{ const int i = get_global_id(0); if (i >= items || flags[0]) return; double sum = 0.0; (void)stride;\n"
    "  for (int k = start[i]; k < start[i + 1]; ++k) { const int side = cell_face[k], f = side >= 0 ? side : "
    "~side;\n"
    "    sum += area[f]*kappa*(T[i] - T[across[k]])/distance[f]; }\n"
    "  T_new[i] = T[i] + scalars[1]*(power[i] - sum/volume[i]);\n"
    "  if (!(T_new[i] < 1000.0)) { atomic_min(&flags[12], i); flags[3] = 1; } }\n"
    "__kernel void finish(__global int *flags, __global double *scalars)\n"
    "{ if (get_global_id(0) > 0 || flags[0]) return; scalars[0] = scalars[3]; flags[1] += 1;\n"
    "  if (scalars[0] >= scalars[2] || (flags[2] > 0 && flags[1] >= flags[2]) || flags[3]) flags[0] = 1; }\n"
    "__kernel void twice(__global const int *flags, __global const double *T, __global double *out, const "
    "int items)\n"
    "{ const int i = get_global_id(0); if (i >= items || flags[0]) return; out[i] = 2.0*T[i]; }\n"
    "__kernel void clear(__global const int *flags, __global double *sum, const int items)\n"
    "{ const int i = get_global_id(0); if (i >= items || flags[0]) return; sum[i] = 0.0; }\n"
    "__kernel void scatter(__global const int *flags, __global const double *T, __global double *sum,\n"
    "  __global const double *area, __global const double *distance, __global const int *left, __global "
    "const int *right,\n"
    "  __global const int *colour_face, const int items, const int first, const double kappa)\n"
    "{ const int item = get_global_id(0); if (item >= items || flags[0]) return; const int f = "
    "colour_face[first + item];\n"
    "  const double q = area[f]*kappa*(T[left[f]] - T[right[f]])/distance[f]; sum[left[f]] += q; "
    "sum[right[f]] -= q; }\n";

static const char *const heat_c =
    "#include <math.h>\n"
    "#define I(k) (*(const int *)args[k])\n#define P(t, n, k) t *n = args[k];\n"
    "#define BEGIN(name) void name(void *const *args, long n_) { (void)n_; P(int, flags, 0) if (flags[0]) "
    "return;\n"
    "BEGIN(held) P(double, T, 1) P(const double, wall, 2) P(const int, left, 3) P(const int, right, 4)\n"
    "  for (int i = 0; i < I(5); ++i) T[right[I(6) + i]] = 2.0*wall[i] - T[left[I(6) + i]]; }\n"
    "BEGIN(closed) P(double, T, 1) P(const int, left, 2) P(const int, right, 3)\n"
    "  for (int i = 0; i < I(4); ++i) T[right[I(5) + i]] = T[left[I(5) + i]]; }\n"
    "BEGIN(dt_partial) P(const double, volume, 1) P(double, partial, 2) const double kappa = *(double "
    "*)args[4];\n"
    "  for (int g = 0; g < (I(3) + 63)/64; ++g) { double m = INFINITY;\n"
    "    for (int i = 64*g; i < 64*g + 64 && i < I(3); ++i) m = fmin(m, 0.1*volume[i]/kappa);\n"
    "    partial[g] = m; } }\n"
    "BEGIN(begin) P(double, scalars, 1) P(const double, partial, 2) double m = INFINITY;\n"
    "  for (int k = 0; k < I(3); ++k) m = fmin(m, partial[k]);\n"
    "  scalars[4] = m; const double rest = scalars[2] - scalars[0];\n"
    "  if (rest <= m) { scalars[1] = rest; scalars[3] = scalars[2]; }\n"
    "  else { scalars[1] = m; scalars[3] = scalars[0] + m; } }\n"
    "BEGIN(gather) P(const double, scalars, 1) P(const double, T, 2) P(double, T_new, 3) P(const double, "
    "power, 4)\n"
    "  P(const double, volume, 5) P(const double, area, 6) P(const double, distance, 7) P(const int, "
    "cell_face, 8)\n"
    "  P(const int, across, 9) P(const int, start, 10) const double kappa = *(double *)args[13];\n"
    "  for (int i = 0; i < I(11); ++i) { double sum = 0.0;\n"
    "    for (int k = start[i]; k < start[i + 1]; ++k) { const int side = cell_face[k], f = side >= 0 ? side "
    ": ~side;\n"
    "      sum += area[f]*kappa*(T[i] - T[across[k]])/distance[f]; }\n"
    "    T_new[i] = T[i] + scalars[1]*(power[i] - sum/volume[i]);\n"
    "    if (!(T_new[i] < 1000.0)) { if (i < flags[12]) flags[12] = i; flags[3] = 1; } } }\n"
    "BEGIN(finish) P(double, scalars, 1) scalars[0] = scalars[3]; flags[1] += 1;\n"
    "  if (scalars[0] >= scalars[2] || (flags[2] > 0 && flags[1] >= flags[2]) || flags[3]) flags[0] = 1; }\n"
    "BEGIN(twice) P(const double, T, 1) P(double, out, 2) for (int i = 0; i < I(3); ++i) out[i] = 2.0*T[i]; "
    "}\n"
    "BEGIN(clear) P(double, sum, 1) for (int i = 0; i < I(2); ++i) sum[i] = 0.0; }\n"
    "BEGIN(scatter) P(const double, T, 1) P(double, sum, 2) P(const double, area, 3) P(const double, "
    "distance, 4)\n"
    "  P(const int, left, 5) P(const int, right, 6) P(const int, colour_face, 7) const double kappa = "
    "*(double *)args[10];\n"
    "  for (int item = 0; item < I(8); ++item) { const int f = colour_face[I(9) + item];\n"
    "    const double q = area[f]*kappa*(T[left[f]] - T[right[f]])/distance[f]; sum[left[f]] += q; "
    "sum[right[f]] -= q; } }\n";

/* ---- its manifest --------------------------------------------------------------------------------------------------------- */

#define BUF(slot)                                                                                            \
  { .kind = DSLC_ARG_BUFFER, .number = (slot), .reads = 1 }
#define ITEMS_ARG                                                                                            \
  { .kind = DSLC_ARG_ITEMS }
#define FIRST_ARG                                                                                            \
  { .kind = DSLC_ARG_FIRST }
#define KAPPA_ARG                                                                                            \
  { .kind = DSLC_ARG_PARAMETER }
#define COUNT(a) ((int)(sizeof(a) / sizeof *(a)))
#define KERNEL(text, at, args, group)                                                                        \
  { .name = text, .place = at, .n_args = COUNT(args), .arg = args, .local_size = group, .what = text }
#define LAUNCH(k, on, list, of)                                                                              \
  { .kind = DSLC_OP_LAUNCH, .kernel = k, .subset = on, .n_buffers = COUNT(list), .buffer = list, .rule = of }
#define CELL_BUFFER(text, what)                                                                              \
  { .name = text, .kind = what, .place = DSLC_CELLS, .width = 1, .has_ghosts = true }
#define TABLE(text, at, what)                                                                                \
  {                                                                                                          \
    .name = text, .kind = DSLC_BUFFER_TOPOLOGY, .element = DSLC_I32, .place = at, .width = 1, .source = {    \
      DSLC_SOURCE_##what                                                                                     \
    }                                                                                                        \
  }
#define GEOMETRY(text, at, what)                                                                             \
  {                                                                                                          \
    .name = text, .kind = DSLC_BUFFER_GEOMETRY, .place = at, .width = 1, .source = { DSLC_SOURCE_##what }    \
  }

/* `opencl`: the kernels' language. Static data: one program at a time, as each test needs. */
static inline const dslc_program *heat_program(bool opencl) {
  static dslc_buffer buffer[B_COUNT] = {
      [B_SCALARS] = {.name = "scalars", .kind = DSLC_BUFFER_SCALARS, .width = DSLC_SCALAR_GLOBALS},
      [B_FLAGS] = {.name = "flags",
                   .kind = DSLC_BUFFER_FLAGS,
                   .element = DSLC_I32,
                   .width = DSLC_FLAG_CHECKS},
      [B_T] = CELL_BUFFER("T", DSLC_BUFFER_STATE),
      [B_T_NEW] = CELL_BUFFER("T.new", DSLC_BUFFER_WORK),
      [B_POWER] = CELL_BUFFER("power", DSLC_BUFFER_GIVEN),
      [B_VOLUME] = GEOMETRY("volume", DSLC_CELLS, VOLUME),
      [B_AREA] = GEOMETRY("area", DSLC_FACES, AREA),
      [B_DISTANCE] = GEOMETRY("distance", DSLC_FACES, DISTANCE),
      [B_LEFT] = TABLE("face_left", DSLC_FACES, FACE_LEFT),
      [B_RIGHT] = TABLE("face_right", DSLC_FACES, FACE_RIGHT),
      [B_CELL_FACE] = TABLE("cell_face", DSLC_CELLS, CELL_FACE),
      [B_ACROSS] = TABLE("cell_across", DSLC_CELLS, CELL_ACROSS),
      [B_START] = TABLE("cell_start", DSLC_CELLS, CELL_START),
      [B_WALL] = {.name = "held.wall",
                  .kind = DSLC_BUFFER_ARGUMENT,
                  .place = DSLC_FACES,
                  .width = 1,
                  .rule = 1,
                  .argument = 0},
      [B_PARTIAL] = CELL_BUFFER("partial", DSLC_BUFFER_PARTIALS),
      [B_TWICE] = CELL_BUFFER("twice", DSLC_BUFFER_WORK),
      [B_SUM] = CELL_BUFFER("sum", DSLC_BUFFER_WORK),
      [B_COLOUR] = TABLE("colour_face", DSLC_FACES, COLOUR_FACE)};
  static dslc_arg held[] = {BUF(0), BUF(1), BUF(2), BUF(3), BUF(4), ITEMS_ARG, FIRST_ARG};
  static dslc_arg closed[] = {BUF(0), BUF(1), BUF(2), BUF(3), ITEMS_ARG, FIRST_ARG};
  static dslc_arg partial[] = {BUF(0), BUF(1), BUF(2), ITEMS_ARG, KAPPA_ARG};
  static dslc_arg begin[] = {BUF(0), BUF(1), BUF(2), {.kind = DSLC_ARG_GROUPS}};
  static dslc_arg gather[] = {BUF(0),
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
                              ITEMS_ARG,
                              {.kind = DSLC_ARG_STRIDE, .number = DSLC_CELLS},
                              KAPPA_ARG};
  static dslc_arg finish[] = {BUF(0), BUF(1)};
  static dslc_arg twice[] = {BUF(0), BUF(1), BUF(2), ITEMS_ARG};
  static dslc_arg clear[] = {BUF(0), BUF(1), ITEMS_ARG};
  static dslc_arg scatter[] = {BUF(0), BUF(1), BUF(2),    BUF(3),    BUF(4),   BUF(5),
                               BUF(6), BUF(7), ITEMS_ARG, FIRST_ARG, KAPPA_ARG};
  static dslc_kernel kernel[] = {KERNEL("held", DSLC_FACES, held, GROUP),
                                 KERNEL("closed", DSLC_FACES, closed, GROUP),
                                 KERNEL("dt_partial", DSLC_CELLS, partial, GROUP),
                                 KERNEL("begin", DSLC_NOWHERE, begin, GROUP),
                                 KERNEL("gather", DSLC_CELLS, gather, GROUP),
                                 KERNEL("finish", DSLC_NOWHERE, finish, 1),
                                 KERNEL("twice", DSLC_CELLS, twice, 0),
                                 KERNEL("clear", DSLC_CELLS, clear, GROUP),
                                 KERNEL("scatter", DSLC_FACES, scatter, GROUP)};
  static int s_held[] = {B_FLAGS, B_T, B_WALL, B_LEFT, B_RIGHT}, s_closed[] = {B_FLAGS, B_T, B_LEFT, B_RIGHT};
  static int s_partial[] = {B_FLAGS, B_VOLUME, B_PARTIAL}, s_begin[] = {B_FLAGS, B_SCALARS, B_PARTIAL};
  static int s_gather[] = {B_FLAGS, B_SCALARS,  B_T,         B_T_NEW,  B_POWER, B_VOLUME,
                           B_AREA,  B_DISTANCE, B_CELL_FACE, B_ACROSS, B_START};
  static int s_finish[] = {B_FLAGS, B_SCALARS}, s_twice[] = {B_FLAGS, B_T, B_TWICE},
             s_clear[] = {B_FLAGS, B_SUM};
  static int s_scatter[] = {B_FLAGS, B_T, B_SUM, B_AREA, B_DISTANCE, B_LEFT, B_RIGHT, B_COLOUR};
  static dslc_op step[] = {LAUNCH(0, DSLC_RULE, s_held, 1),
                           LAUNCH(1, DSLC_RULE, s_closed, 0),
                           {.kind = DSLC_OP_GHOSTS, .a = B_T},
                           LAUNCH(2, DSLC_OWNED, s_partial, -1),
                           LAUNCH(3, DSLC_OWNED, s_begin, -1),
                           LAUNCH(4, DSLC_OWNED, s_gather, -1),
                           {.kind = DSLC_OP_SWAP, .a = B_T, .b = B_T_NEW},
                           LAUNCH(5, DSLC_OWNED, s_finish, -1)};
  static dslc_op shown[] = {LAUNCH(6, DSLC_OWNED, s_twice, -1)};
  /* the first three launches of a step: ghosts are those of the state now */
  static dslc_op summed[] = {LAUNCH(0, DSLC_RULE, s_held, 1),
                             LAUNCH(1, DSLC_RULE, s_closed, 0),
                             {.kind = DSLC_OP_GHOSTS, .a = B_T},
                             LAUNCH(7, DSLC_OWNED, s_clear, -1),
                             LAUNCH(8, DSLC_COLOUR, s_scatter, -1)};
  static dslc_section section[] = {{"setup", 0, NULL},
                                   {"step", COUNT(step), step},
                                   {"show twice", COUNT(shown), shown},
                                   {"show sum", COUNT(summed), summed}};
  static dslc_field field[] = {{.name = "T",
                                .kind = DSLC_STATE,
                                .place = DSLC_CELLS,
                                .components = 1,
                                .unit = "K",
                                .buffer = B_T,
                                .show = -1},
                               {.name = "power",
                                .kind = DSLC_GIVEN,
                                .place = DSLC_CELLS,
                                .components = 1,
                                .unit = "K/s",
                                .buffer = B_POWER,
                                .show = -1},
                               {.name = "twice",
                                .kind = DSLC_QUANTITY,
                                .place = DSLC_CELLS,
                                .components = 1,
                                .buffer = B_TWICE,
                                .show = 2},
                               {.name = "sum",
                                .kind = DSLC_QUANTITY,
                                .place = DSLC_CELLS,
                                .components = 1,
                                .buffer = B_SUM,
                                .show = 3}};
  static dslc_global global[] = {{.name = "dt", .unit = "s", .scalar = DSLC_SCALAR_DT, .show = -1}};
  static dslc_parameter parameter[] = {{.name = "kappa", .components = 1, .unit = "m^2/s"}};
  static dslc_argument wall[] = {
      {.name = "wall", .components = 1, .unit = "K", .over_time = true, .buffer = B_WALL}};
  static dslc_rule rule[] = {{.name = "closed"}, {.name = "held", .n_arguments = 1, .argument = wall}};
  static dslc_check check[] = {{.text = "T < 1000", .place = DSLC_CELLS, .field = 0, .line = 7, .column = 3}};
  static dslc_program p[2];
  kernel[3].one_group = true;
  kernel[4].cost.flops = 20;
  step[4].groups_of = 3; /* the launch of dt_partial */
  p[opencl] = (dslc_program){.identity.scheme = "heat by hand",
                             .identity.path = "heat.ew",
                             .identity.target = opencl ? "opencl" : "c",
                             .identity.hash = "0123456789abcdef0123456789abcdef",
                             .space.dims = 2,
                             .execution.source = opencl ? heat_cl : heat_c,
                             .model.n_parameters = 1,
                             .model.n_fields = COUNT(field),
                             .model.n_globals = 1,
                             .model.n_rules = 2,
                             .execution.n_buffers = B_COUNT,
                             .execution.n_kernels = COUNT(kernel),
                             .execution.n_sections = COUNT(section),
                             .execution.n_checks = 1,
                             .model.parameter = parameter,
                             .model.field = field,
                             .model.global = global,
                             .model.rule = rule,
                             .execution.buffer = buffer,
                             .execution.kernel = kernel,
                             .execution.section = section,
                             .execution.check = check};
  return &p[opencl];
}

/* ---- cases for it ------------------------------------------------------------------------------------------------------------ */

static inline ew_status hot_spot(void *context, const double *x, double t, double *out, int n,
                                 ew_error *err) {
  (void)context, (void)t, (void)n, (void)err;
  out[0] = exp(-20 * ((x[0] - 0.3) * (x[0] - 0.3) + (x[1] - 0.4) * (x[1] - 0.4)));
  return EW_OK;
}

static case_value *add_value(ew_case *c, case_value **array, int *n, const char *name) {
  case_value *v = case_append(c, array, n, sizeof *v, NULL);
  *v = (case_value){.name = name, .kind = CASE_NUMBERS, .n = 1};
  return v;
}

static case_boundary *add_boundary(ew_case *c, const char *rule, int n, const char *const *names) {
  case_boundary *b = case_append(c, &c->boundary, &c->n_boundaries, sizeof *b, NULL);
  *b = (case_boundary){.n_names = n, .rule = rule};
  b->name = case_alloc(c, (size_t)n * sizeof *b->name, NULL);
  memcpy(b->name, names, (size_t)n * sizeof *names);
  return b;
}

/* Triangles and a hot spot; walls `held` on the left and right at different times in the list, `closed` elsewhere. */
static inline ew_case *heat_case(bool periodic_y) {
  ew_case *c = NULL;
  if (case_create(&c, NULL) != EW_OK) abort();
  c->file = "case.lua";
  c->mesh.kind = CASE_MESH_RECTANGLE;
  c->mesh.rectangle = (mesh_rectangle_options){
      .x1 = 1, .y1 = 1, .nx = 13, .ny = 11, .jitter = 0.2, .seed = 3, .periodic_y = periodic_y};
  add_value(c, &c->values.parameter, &c->values.n_parameters, "kappa")->number[0] = 0.5;
  case_value *start = add_value(c, &c->values.initial, &c->values.n_initial, "T");
  start->kind = CASE_FUNCTION;
  start->function = hot_spot;
  add_value(c, &c->values.given, &c->values.n_givens, "power")->number[0] = 0.25;
  case_boundary *left = add_boundary(c, "held", 1, (const char *const[]){"left"});
  add_value(c, &left->argument, &left->n_arguments, "wall")->number[0] = 0.5;
  if (!periodic_y) add_boundary(c, "closed", 2, (const char *const[]){"top", "bottom"});
  case_boundary *right = add_boundary(c, "held", 1, (const char *const[]){"right"});
  add_value(c, &right->argument, &right->n_arguments, "wall")->number[0] = -0.25;
  c->time.stop = 0.01;
  return c;
}

#endif
