/* Kernels on grids in three dimensions against loops written here: grid_box.ew, in a box whose sides have different rules, with a
 * plate one cell thick that is read from both sides and a block that touches a side.
 *
 *   grid_box DEVICE... */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/run.h"

enum { NX = 11, NY = 9, NZ = 7, STEPS = 12, CELLS = NX * NY * NZ, FACES = NX * (NY + 1) * NZ };
static const int n[3] = {NX, NY, NZ};
static const double kappa = 0.1, smooth = 0.01, dt = 1e-2, tolerance = 1e-13;

/* ---- the box ------------------------------------------------------------------------------------------------------- */

typedef enum rule { HELD, HEATED, INSULATED } rule;
enum { PLATE = 6, BLOCK, BOUNDARIES };
static const struct {
  const char *name;
  rule rule;
} boundary[BOUNDARIES] = {{"left", HELD}, {"right", HEATED}, {"bottom", INSULATED}, {"top", HEATED},
                          {"back", HELD}, {"front", HEATED}, {"plate", HELD},       {"block", INSULATED}};

/* Solids: cells first <= index < end. The plate lies across y where cells are equally wide. */
static const int plate[2][3] = {{3, 4, 0}, {8, 5, NZ}}, block[2][3] = {{2, 6, 2}, {5, 9, 5}};

typedef struct box {
  bool periodic; /* along z */
  double face[3][NX + 1];
  double T[CELLS], passed[FACES];
} box;

static void make_faces(box *b) {
  for (int a = 0; a < 3; a++)
    for (int i = 0; i < n[a]; i++)
      b->face[a][i + 1] = b->face[a][i] + (a == 2 ? 0.1 + 0.01 * i : 0.1 + 0.02 * a);
}

static double width(const box *b, int axis, int i) { return b->face[axis][i + 1] - b->face[axis][i]; }

static double start_at(const double *x) { return 1 + 0.3 * sin(7 * x[0]) * cos(5 * x[1] + 3 * x[2]); }
static double source_at(const double *x) { return 0.5 * x[0] * x[1] - 0.2 * x[2]; }
/* T_w and heat of the rules at a point of a boundary: not the same on the plate's two faces. */
static double given_at(const double *x) { return 0.5 + 0.3 * x[0] + 0.8 * x[1] - 0.4 * x[2]; }

static bool within(const int solid[2][3], const int at[3]) {
  for (int a = 0; a < 3; a++)
    if (at[a] < solid[0][a] || at[a] >= solid[1][a]) return false;
  return true;
}

/* What lies at a cell: -1 gas, else a boundary. Periodic places are wrapped. */
static int what(const box *b, int at[3]) {
  if (b->periodic) at[2] = (at[2] + NZ) % NZ;
  for (int a = 0; a < 3; a++)
    if (at[a] < 0 || at[a] >= n[a]) return 2 * a + (at[a] >= n[a]);
  return within(plate, at) ? PLATE : within(block, at) ? BLOCK : -1;
}

static int number(const int at[3]) { return (at[2] * NY + at[1]) * NX + at[0]; }

static void centre(const box *b, const int at[3], double *x) {
  for (int a = 0; a < 3; a++) x[a] = 0.5 * (b->face[a][at[a]] + b->face[a][at[a] + 1]);
}

/* The rule's argument at the face of a cell on its low (dir -1) or high side. */
static double argument(const box *b, const int at[3], int axis, int dir) {
  double x[3];
  centre(b, at, x);
  x[axis] = b->face[axis][at[axis] + (dir > 0)];
  return given_at(x);
}

/* ---- a step by hand ----------------------------------------------------------------------------------------------------- */

/* T seen from a cell of the gas, `steps` cells on in a direction. */
static double seen(const box *b, const int from[3], int axis, int dir, int steps) {
  int at[3] = {from[0], from[1], from[2]};
  for (int left = steps; left > 0; left--) {
    int next[3] = {at[0], at[1], at[2]}, mirror[3] = {at[0], at[1], at[2]};
    next[axis] += dir;
    int found = what(b, next);
    if (found < 0) {
      memcpy(at, next, sizeof at);
      continue;
    }
    mirror[axis] -= dir * (left - 1);
    double inner = b->T[number(at)], mirrored = what(b, mirror) < 0 ? b->T[number(mirror)] : inner;
    switch (boundary[found].rule) {
    case HELD: return 2 * argument(b, at, axis, dir) - mirrored;
    case HEATED: return inner;
    case INSULATED: return mirrored;
    }
  }
  return b->T[number(at)];
}

/* Heat that passes the low (dir -1) or high side of a cell of the gas, up the axis. */
static double heat(const box *b, const int at[3], int axis, int dir) {
  int next[3] = {at[0], at[1], at[2]};
  next[axis] += dir;
  int found = what(b, next);
  if (found >= 0 && boundary[found].rule == HEATED) return argument(b, at, axis, dir);
  double here = width(b, axis, at[axis]), there = found >= 0 ? here : width(b, axis, next[axis]);
  return -kappa * dir * (seen(b, at, axis, dir, 1) - b->T[number(at)]) * 2 / (here + there);
}

static double change(const box *b, const int at[3]) {
  double x[3], T = b->T[number(at)];
  centre(b, at, x);
  double sum = source_at(x);
  for (int a = 0; a < 3; a++) {
    sum -= (heat(b, at, a, 1) - heat(b, at, a, -1)) / width(b, a, at[a]);
    sum -= smooth * (seen(b, at, a, -1, 2) - 4 * seen(b, at, a, -1, 1) + 6 * T - 4 * seen(b, at, a, 1, 1) +
                     seen(b, at, a, 1, 2));
  }
  return sum;
}

static int face_number(const int at[3], int up) { return (at[2] * (NY + 1) + at[1] + up) * NX + at[0]; }

static void step_by_hand(box *b) {
  static double next[CELLS], passed[FACES];
  memcpy(passed, b->passed, sizeof passed);
  for (int c = 0; c < CELLS; c++) {
    int at[3] = {c % NX, c / NX % NY, c / (NX * NY)};
    if (what(b, at) >= 0) continue;
    next[c] = b->T[c] + dt * change(b, at);
    for (int up = 0; up < 2; up++)
      passed[face_number(at, up)] = b->passed[face_number(at, up)] + dt * heat(b, at, 1, up ? 1 : -1);
  }
  memcpy(b->T, next, sizeof next);
  memcpy(b->passed, passed, sizeof passed);
}

static void start(box *b) {
  for (int c = 0; c < CELLS; c++) {
    double x[3];
    centre(b, (int[]){c % NX, c / NX % NY, c / (NX * NY)}, x);
    b->T[c] = start_at(x);
  }
}

/* ---- the same as a case ---------------------------------------------------------------------------------------------------- */

typedef double place_function(const double *x);

static ew_status call(void *context, const double *x, double t, double *out, int count, ew_error *err) {
  (void)t, (void)count, (void)err;
  place_function *const *f = context;
  *out = (*f)(x);
  return EW_OK;
}

static void add(ew_case *c, case_value **list, int *count, case_value v, ew_error *err) {
  case_value *slot = case_append(c, list, count, sizeof **list, err);
  if (slot) *slot = v;
}

static case_value function(const char *name, place_function *const *f) {
  return (case_value){.name = name, .kind = CASE_FUNCTION, .function = call, .context = (void *)f};
}

static case_value constant(const char *name, double v) {
  return (case_value){.name = name, .kind = CASE_NUMBERS, .n = 1, .number = {v}};
}

static place_function *const functions[] = {start_at, source_at, given_at};

static void add_boundaries(ew_case *c, bool periodic, ew_error *err) {
  static const char *const rule_name[] = {"held", "heated", "insulated"}, *const argument_name[] = {
                                                                              "T_w", "heat", NULL};
  for (int k = 0; k < BOUNDARIES; k++) {
    if (periodic && (k == 4 || k == 5)) continue;
    case_boundary *slot = case_append(c, &c->boundary, &c->n_boundaries, sizeof *slot, err);
    if (!slot || !(slot->name = case_alloc(c, sizeof *slot->name, err))) return;
    slot->name[slot->n_names++] = boundary[k].name;
    slot->rule = rule_name[boundary[k].rule];
    const char *name = argument_name[boundary[k].rule];
    if (name) add(c, &slot->argument, &slot->n_arguments, function(name, &functions[2]), err);
  }
}

static grid_solid_options solid_of(const box *b, const char *name, const int solid[2][3]) {
  grid_solid_options o = {.name = name};
  for (int a = 0; a < 3; a++) o.low[a] = b->face[a][solid[0][a]], o.high[a] = b->face[a][solid[1][a]];
  return o;
}

static void set_mesh(ew_case *c, const box *b, ew_error *err) {
  c->mesh.kind = CASE_MESH_GRID;
  grid_options *g = &c->mesh.grid;
  g->dim = 3;
  for (int a = 0; a < 3; a++)
    g->axis[a] = (grid_axis_options){
        .n = n[a], .to = b->face[a][n[a]], .face = b->face[a], .periodic = a == 2 && b->periodic};
  grid_solid_options *solid = case_alloc(c, 2 * sizeof *solid, err);
  if (!solid) return;
  solid[0] = solid_of(b, "plate", plate);
  solid[1] = solid_of(b, "block", block);
  g->solid = solid;
  g->n_solids = 2;
}

static const case_setting schedules[][4] = {
    {{0}},
    {{.name = "q.x", .value = "store"},
     {.name = "q.y", .value = "store"},
     {.name = "kinks.y", .value = "store"}},
    {{.name = "items", .value = "each"}, {.name = "group", .value = "64"}, {.name = "q.z", .value = "store"}},
    {{.name = "items", .value = "each"}, {.name = "grid.walls", .value = "tables"}},
    {{.name = "select", .value = "branch"}, {.name = "items", .value = "loop"}}};
enum { SCHEDULES = sizeof schedules / sizeof *schedules };

static ew_status make_case(const box *b, int schedule, ew_case **out, ew_error *err) {
  ew_status status = case_create(out, err);
  if (status != EW_OK) return status;
  ew_case *c = *out;
  c->file = "grid_box";
  c->folder = ".";
  c->build.scheme = SCHEME;
  c->time.stop = 1e9;
  set_mesh(c, b, err);
  for (int k = 0; schedules[schedule][k].name; k++) {
    case_setting *s = case_append(c, &c->build.schedule, &c->build.n_schedule, sizeof *s, err);
    if (s) *s = schedules[schedule][k];
  }
  add(c, &c->values.parameter, &c->values.n_parameters, constant("step_size", dt), err);
  add(c, &c->values.initial, &c->values.n_initial, function("T", &functions[0]), err);
  add(c, &c->values.initial, &c->values.n_initial, constant("passed", 0), err);
  add(c, &c->values.given, &c->values.n_givens, function("source", &functions[1]), err);
  add_boundaries(c, b->periodic, err);
  return err->status;
}

static ew_status run(const box *b, int schedule, dev_context *device, double *T, double *passed,
                     ew_error *err) {
  ew_case *c = NULL;
  exec_domain domain = {0};
  dslc_program *program = NULL;
  exec_run *r = NULL;
  ew_status status;
  EW_CHECK(make_case(b, schedule, &c, err));
  EW_CHECK(exec_domain_create(c, &domain, err));
  EW_CHECK(exec_program(c, &domain, device, stdout, &program, err));
  EW_CHECK(exec_create(device, program, &domain, c, &r, err));
  EW_CHECK(exec_advance(r, &(exec_until){.t_stop = 1e9, .max_steps = STEPS, .look = 5}, err));
  EW_CHECK(exec_read(r, "T", T, err));
  EW_CHECK(exec_read(r, "passed", passed, err));
cleanup:
  exec_destroy(&r);
  dslc_program_destroy(&program);
  exec_domain_clear(&domain);
  case_destroy(&c);
  return status;
}

/* ---- comparing ----------------------------------------------------------------------------------------------------------------- */

static double worse(double worst, double a, double b) {
  double d = fabs(a - b);
  return d <= worst ? worst : d; /* a NaN stays */
}

/* In the gas, and on the faces that it touches. */
static double difference(const box *b, const double *T, const double *passed) {
  double worst = 0;
  for (int c = 0; c < CELLS; c++) {
    int at[3] = {c % NX, c / NX % NY, c / (NX * NY)};
    if (what(b, at) >= 0) continue;
    worst = worse(worst, T[c], b->T[c]);
    for (int up = 0; up < 2; up++)
      worst = worse(worst, passed[face_number(at, up)], b->passed[face_number(at, up)]);
  }
  return worst;
}

static bool compare(const char *name, dev_context *device, bool periodic, int schedule) {
  static box b;
  static double T[2][CELLS], passed[2][FACES];
  ew_error err = {0};
  b = (box){.periodic = periodic};
  make_faces(&b);
  start(&b);
  for (int k = 0; k < STEPS; k++) step_by_hand(&b);
  ew_status status = run(&b, schedule, device, T[0], passed[0], &err);
  if (status == EW_OK) status = run(&b, schedule, device, T[1], passed[1], &err);
  double d = difference(&b, T[0], passed[0]);
  bool same = memcmp(T[0], T[1], sizeof T[0]) == 0 && memcmp(passed[0], passed[1], sizeof passed[0]) == 0;
  bool good = status == EW_OK && d <= tolerance && same;
  printf("%s %-8s %-10s schedule %d: %.1e%s %s\n", good ? "ok  " : "FAIL", name,
         periodic ? "periodic z" : "closed", schedule, d, same ? "" : ", two runs differ", err.text);
  return good;
}

int main(int argc, char **argv) {
  bool good = argc > 1;
  for (int i = 1; i < argc; i++) {
    dev_context *device = NULL;
    ew_error err = {0};
    if (dev_context_create(argv[i], &device, &err) != EW_OK) {
      printf("FAIL %s\n", err.text);
      return 1;
    }
    for (int k = 0; k < 2 * SCHEDULES; k++) good = compare(argv[i], device, k % 2, k / 2) && good;
    dev_context_destroy(&device);
  }
  return good ? 0 : 1;
}
