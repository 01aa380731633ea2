/* The generated shallow water code against the solver written by hand in tests/reference, which shares nothing with it:
 * the same mesh, the same state, one step of each, and so on from the generated code's state.
 *
 *   against_reference [DEVICE...]     c if none is named */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/run.h"
#include "shallow_water.h"

enum { SIDES = 4 };
static const char *const side_name[SIDES] = {"left", "right", "bottom", "top"};
static const char *const friction_name[] = {"cell", "edge", "mixed"}; /* in the order of sw_friction */

/* ---- situations ----------------------------------------------------------------------------------------------------- */

/* Depth, discharge and bed at a point. */
typedef struct water {
  double h, qx, z;
} water;

typedef struct situation {
  const char *name;
  water (*at)(double x, double y);
  mesh_rectangle_options mesh;
  double manning, dt; /* dt 0: as the scheme finds it */
  int steps;
  sw_boundary left, right; /* the other sides are walls */
} situation;

static water over_a_bump(double x, double y) {
  double z = fmax(0, 0.4 - 0.05 * ((x - 12) * (x - 12) + (y - 5) * (y - 5)));
  return (water){.h = fmax(0, (x < 8 ? 2 : 1) - z), .z = z};
}

static double rough(double x, double y) {
  return 0.6 * sin(17 * x + 3 * y) * cos(11 * y - 5 * x) + 0.4 * sin(41 * x) * sin(37 * y);
}

static water over_rough_ground(double x, double y) {
  double z = rough(x, y);
  return (water){.h = fmax(0, (x < 1 ? 2 : -0.1) - z), .z = z};
}

static water in_a_channel(double x, double y) {
  double z = 0.1 * rough(x / 9, y / 9);
  return (water){.h = 0.5 - z, .z = z};
}

static water on_a_dry_slope(double x, double y) {
  (void)y;
  return (water){.z = 0.3 - 0.04 * x + 0.02 * sin(5 * x)};
}

static water in_a_torrent(double x, double y) {
  double z = 0.3 - 0.04 * x + 0.02 * rough(x / 9, y / 9);
  return (water){.h = 0.1, .qx = 0.7, .z = z};
}

static const situation SITUATIONS[] = {
    /* The first has no friction: its digits stand in the design. */
    {.name = "dam break over a bump",
     .at = over_a_bump,
     .mesh = {.x1 = 20, .y1 = 10, .nx = 20, .ny = 10},
     .dt = 0.025,
     .steps = 20},
    {.name = "rough, wet and dry",
     .at = over_rough_ground,
     .manning = 0.03,
     .steps = 150,
     .mesh = {.x1 = 4, .y1 = 3, .nx = 40, .ny = 30, .jitter = 0.3, .diagonal = MESH_DIAGONAL_ALTERNATING}},
    {.name = "rough, no friction",
     .at = over_rough_ground,
     .steps = 150,
     .mesh = {.x1 = 4, .y1 = 3, .nx = 40, .ny = 30, .jitter = 0.3}},
    {.name = "rough quads",
     .at = over_rough_ground,
     .manning = 0.03,
     .steps = 100,
     .mesh = {.x1 = 4, .y1 = 3, .nx = 40, .ny = 30, .jitter = 0.2, .kind = MESH_BLOCKS}},
    {.name = "inflow and level",
     .at = in_a_channel,
     .manning = 0.02,
     .steps = 100,
     .left = {SW_DISCHARGE, .q = 0.7},
     .right = {SW_LEVEL, .level = 0.4},
     .mesh = {.x1 = 8, .y1 = 2, .nx = 32, .ny = 8, .jitter = 0.3}},
    {.name = "inflow on dry ground",
     .at = on_a_dry_slope,
     .manning = 0.02,
     .steps = 200,
     .left = {SW_DISCHARGE, .q = 0.3},
     .right = {SW_OUTFLOW},
     .mesh = {.x1 = 8, .y1 = 2, .nx = 32, .ny = 8, .jitter = 0.3}},
    {.name = "torrent",
     .at = on_a_dry_slope,
     .manning = 0.02,
     .steps = 200,
     .left = {SW_STATE, .q = 0.7, .h = 0.1},
     .right = {SW_OUTFLOW},
     .mesh = {.x1 = 8, .y1 = 2, .nx = 32, .ny = 8, .jitter = 0.3}},
    {.name = "level above dry ground",
     .at = on_a_dry_slope,
     .manning = 0.02,
     .steps = 200,
     .left = {SW_OUTFLOW},
     .right = {SW_LEVEL, .level = 0.3},
     .mesh = {.x1 = 8, .y1 = 2, .nx = 32, .ny = 8, .jitter = 0.3}},
    {.name = "torrent drowned at both ends",
     .at = in_a_torrent,
     .manning = 0.02,
     .steps = 400,
     .left = {SW_STATE, .q = 0.7, .h = 0.1},
     .right = {SW_LEVEL, .level = 1.2},
     .mesh = {.x1 = 8, .y1 = 2, .nx = 32, .ny = 8, .jitter = 0.3}},
    {.name = "torrent that sweeps a level away",
     .at = in_a_torrent,
     .manning = 0.02,
     .steps = 200,
     .left = {SW_STATE, .q = 0.7, .h = 0.1},
     .right = {SW_LEVEL, .level = 0.4},
     .mesh = {.x1 = 8, .y1 = 2, .nx = 32, .ny = 8, .jitter = 0.3}},
};

static sw_boundary side_of(const situation *s, int side) {
  return side == 0 ? s->left : side == 1 ? s->right : (sw_boundary){SW_WALL};
}

/* ---- the situation as a case ------------------------------------------------------------------------------------------ */

static ew_status value_at(void *context, const double *x, double t, double *out, int n, ew_error *err) {
  (void)t, (void)err;
  const situation *s = context;
  water w = s->at(x[0], x[1]);
  if (n == 2) out[0] = w.qx, out[1] = 0;
  else out[0] = w.h;
  return EW_OK;
}

static ew_status bed_at(void *context, const double *x, double t, double *out, int n, ew_error *err) {
  (void)t, (void)n, (void)err;
  out[0] = ((const situation *)context)->at(x[0], x[1]).z;
  return EW_OK;
}

static case_value function_of(const char *name, case_function *f, const situation *s) {
  return (case_value){.name = name, .kind = CASE_FUNCTION, .function = f, .context = (void *)s};
}

static case_value number(const char *name, double v) {
  return (case_value){.name = name, .kind = CASE_NUMBERS, .n = 1, .number = {v}};
}

static ew_status add(ew_case *c, case_value **list, int *n, case_value v, ew_error *err) {
  case_value *slot = case_append(c, list, n, sizeof **list, err);
  if (!slot) return EW_FAIL;
  *slot = v;
  return EW_OK;
}

static ew_status add_side(ew_case *c, int side, sw_boundary b, ew_error *err) {
  static const char *const rule[] = {[SW_WALL] = "wall",
                                     [SW_OUTFLOW] = "outflow",
                                     [SW_DISCHARGE] = "inflow",
                                     [SW_LEVEL] = "level",
                                     [SW_STATE] = "torrent"};
  case_boundary *slot = case_append(c, &c->boundary, &c->n_boundaries, sizeof *slot, err);
  if (!slot || !(slot->name = case_alloc(c, sizeof *slot->name, err))) return EW_FAIL;
  slot->name[slot->n_names++] = side_name[side];
  slot->rule = rule[b.kind];
  ew_status status = EW_OK;
  if (b.kind == SW_STATE) status = add(c, &slot->argument, &slot->n_arguments, number("depth", b.h), err);
  if (status == EW_OK && (b.kind == SW_STATE || b.kind == SW_DISCHARGE))
    status = add(c, &slot->argument, &slot->n_arguments, number("discharge", b.q), err);
  if (b.kind == SW_LEVEL) status = add(c, &slot->argument, &slot->n_arguments, number("eta", b.level), err);
  return status;
}

static ew_status make_case(const situation *s, sw_friction friction, const char *device, ew_case **out,
                           ew_error *err) {
  ew_status status;
  EW_CHECK(case_create(out, err));
  ew_case *c = *out;
  c->file = "against_reference";
  c->folder = ".";
  c->build.scheme = "shallow_water";
  c->build.device = device;
  c->time.stop = 1e9;
  c->mesh.kind = CASE_MESH_RECTANGLE;
  c->mesh.rectangle = s->mesh;
  case_setting *variant = case_append(c, &c->build.variant, &c->build.n_variants, sizeof *variant, err);
  if (!variant) return EW_FAIL;
  *variant = (case_setting){.name = "friction", .value = friction_name[friction]};
  EW_CHECK(add(c, &c->values.initial, &c->values.n_initial, function_of("h", value_at, s), err));
  EW_CHECK(add(c, &c->values.initial, &c->values.n_initial, function_of("q", value_at, s), err));
  EW_CHECK(add(c, &c->values.given, &c->values.n_givens, function_of("z", bed_at, s), err));
  EW_CHECK(add(c, &c->values.given, &c->values.n_givens, number("n", s->manning), err));
  for (int k = 0; k < SIDES; k++) EW_CHECK(add_side(c, k, side_of(s, k), err));
cleanup:
  return status;
}

/* ---- the same for the solver by hand ------------------------------------------------------------------------------------- */

typedef struct pair {
  const situation *s;
  ew_case *c;
  mesh *m;
  dev_context *device;
  dslc_program *program;
  exec_run *run;
  sw_solver *peer, *clock; /* `clock` finds the step that the peer would have made */
  double *h, *q, *z, *n;   /* of the generated code */
  double *peer_h, *peer_qx, *peer_qy;
} pair;

static sw_boundary *peer_boundary(const pair *p) {
  const mesh *m = p->m;
  sw_boundary *b = calloc((size_t)m->n_ghosts, sizeof *b);
  for (int k = 0; b && k < SIDES; k++) {
    const mesh_patch *patch = &m->patch[mesh_find_patch(m, side_name[k])];
    for (face_id f = patch->first; f < patch->first + patch->count; f++)
      b[f - m->n_interior] = side_of(p->s, k);
  }
  return b;
}

static bool make_peers(pair *p, sw_friction friction) {
  const mesh *m = p->m;
  sw_mesh same = {m->n_cells,     m->n_faces,   m->n_interior,  m->face_left,  m->face_right,
                  m->face_normal, m->face_area, m->cell_volume, m->cell_centre};
  sw_params params = sw_default_params();
  params.friction = friction;
  params.threads = 1;
  sw_boundary *b = peer_boundary(p);
  bool good = b && sw_create(&p->peer, &same, &params, b) && sw_create(&p->clock, &same, &params, b);
  free(b);
  return good;
}

static bool make_arrays(pair *p) {
  size_t n = (size_t)p->m->n_cells;
  double *all = calloc(8 * n, sizeof *all);
  if (!all) return false;
  p->h = all, p->q = all + n, p->z = all + 3 * n, p->n = all + 4 * n;
  p->peer_h = all + 5 * n, p->peer_qx = all + 6 * n, p->peer_qy = all + 7 * n;
  for (size_t i = 0; i < n; i++) {
    const double *x = &p->m->cell_centre[2 * i];
    p->z[i] = p->s->at(x[0], x[1]).z;
    p->n[i] = p->s->manning;
  }
  return true;
}

static void pair_close(pair *p) {
  free(p->h);
  sw_destroy(&p->peer);
  sw_destroy(&p->clock);
  exec_destroy(&p->run);
  dslc_program_destroy(&p->program);
  dev_context_destroy(&p->device);
  mesh_destroy(&p->m);
  case_destroy(&p->c);
}

static ew_status pair_open(pair *p, const situation *s, sw_friction friction, const char *device,
                           ew_error *err) {
  ew_status status;
  *p = (pair){.s = s};
  EW_CHECK(make_case(s, friction, device, &p->c, err));
  EW_CHECK(exec_mesh(p->c, &p->m, err));
  EW_CHECK(dev_context_create(device, &p->device, err));
  EW_CHECK(exec_program(p->c, &(exec_domain){.m = p->m}, p->device, stderr, &p->program, err));
  EW_CHECK(exec_create(p->device, p->program, &(exec_domain){.m = p->m}, p->c, &p->run, err));
  if (!make_peers(p, friction) || !make_arrays(p)) status = ew_fail(err, EW_FAIL, "out of memory");
cleanup:
  return status;
}

/* ---- one step of each ------------------------------------------------------------------------------------------------------ */

/* How far the two are apart after a step, relative to the largest depth, the largest discharge, and dt. */
typedef struct gap {
  double h, q, dt;
} gap;

static ew_status fetch(pair *p, ew_error *err) {
  ew_status status = exec_read(p->run, "h", p->h, err);
  return status == EW_OK ? exec_read(p->run, "q", p->q, err) : status;
}

static void give_to(sw_solver *peer, const pair *p) {
  for (cell_id i = 0; i < p->m->n_cells; i++) p->peer_qx[i] = p->q[2 * i], p->peer_qy[i] = p->q[2 * i + 1];
  sw_set_state(peer, p->h, p->peer_qx, p->peer_qy, p->z, p->n);
}

static double worse(double worst, double d) { return d <= worst ? worst : d; } /* a NaN stays */

static gap compare(const pair *p, double peer_dt, double dt) {
  double high_h = 0, high_q = 1e-300, d_h = 0, d_q = 0;
  for (cell_id i = 0; i < p->m->n_cells; i++) {
    const double *q = &p->q[2 * i];
    high_h = fmax(high_h, p->peer_h[i]);
    high_q = fmax(high_q, hypot(p->peer_qx[i], p->peer_qy[i]));
    d_h = worse(d_h, fabs(p->h[i] - p->peer_h[i]));
    d_q = worse(d_q, hypot(q[0] - p->peer_qx[i], q[1] - p->peer_qy[i]));
  }
  return (gap){d_h / high_h, d_q / high_q, fabs(dt - peer_dt) / peer_dt};
}

static ew_status step(pair *p, int number, gap *g, ew_error *err) {
  give_to(p->peer, p);
  give_to(p->clock, p);
  double t = p->s->dt > 0 ? p->s->dt * (number + 1) : 1e9;
  ew_status status = exec_advance(p->run, &(exec_until){.t_stop = t, .max_steps = 1, .look = 1}, err);
  if (status == EW_OK) status = fetch(p, err);
  if (status != EW_OK) return status;
  double dt = exec_dt(p->run);
  sw_step_fixed(p->peer, dt);
  sw_get_state(p->peer, p->peer_h, p->peer_qx, p->peer_qy);
  *g = compare(p, sw_step(p->clock, p->s->dt > 0 ? p->s->dt : INFINITY), dt);
  return EW_OK;
}

/* ---- the whole ---------------------------------------------------------------------------------------------------------------- */

static bool near(const char *what, double value, double expected, double tolerance) {
  bool good = fabs(value - expected) <= tolerance;
  if (!good) printf("  FAIL %s %.15g, expected %.15g\n", what, value, expected);
  return good;
}

/* The design's digits, after 20 steps. */
static bool check_digits(const pair *p) {
  double low = INFINITY, high = 0, h = 0, qx = 0, qy = 0;
  for (cell_id i = 0; i < p->m->n_cells; i++) {
    low = fmin(low, p->h[i]);
    high = fmax(high, p->h[i]);
    h += p->h[i];
    qx += p->q[2 * i];
    qy += p->q[2 * i + 1];
  }
  bool good = near("min h", low, 0.612489473622928, 1e-12);
  good = near("max h", high, 1.99999996888217, 1e-12) && good;
  good = near("sum h", h, 549.977777777778, 1e-11) && good;
  good = near("sum hu", qx, 146.283694922234, 1e-11) && good;
  return near("sum hv", qy, -3.70581714997890, 1e-12) && good;
}

static bool run_situation(const situation *s, sw_friction friction, const char *device) {
  /* At an open side the scheme also counts the wave of the mean state for dt, the peer only those of the two states. */
  const bool open = s->left.kind != SW_WALL || s->right.kind != SW_WALL;
  const double tolerance = 1e-12, dt_tolerance = open ? 0.005 : tolerance;
  pair p;
  ew_error err = {0};
  gap worst = {0};
  ew_status status = pair_open(&p, s, friction, device, &err);
  if (status == EW_OK) status = fetch(&p, &err);
  for (int k = 0; k < s->steps && status == EW_OK; k++) {
    gap g;
    status = step(&p, k, &g, &err);
    if (status != EW_OK) break;
    worst = (gap){worse(worst.h, g.h), worse(worst.q, g.q), worse(worst.dt, g.dt)};
  }
  bool good = status == EW_OK && worst.h <= tolerance && worst.q <= tolerance && worst.dt <= dt_tolerance;
  printf("%s %-6s %-24s friction %-6s h %.1e  q %.1e  dt %.1e %s\n", good ? "ok  " : "FAIL", device, s->name,
         friction_name[friction], worst.h, worst.q, worst.dt, status == EW_OK ? "" : err.text);
  if (status == EW_OK && s == SITUATIONS) good = check_digits(&p) && good;
  pair_close(&p);
  return good;
}

/* All of them in C, which is quick to build; elsewhere only the mix, in which both other forms occur. */
static bool run_all(const char *device) {
  bool good = true;
  for (size_t k = 0; k < sizeof SITUATIONS / sizeof *SITUATIONS; k++)
    for (int f = strcmp(device, "c") == 0 ? SW_FRICTION_CELLS : SW_FRICTION_MIXED; f <= SW_FRICTION_MIXED;
         f++)
      good = run_situation(&SITUATIONS[k], (sw_friction)f, device) && good;
  return good;
}

int main(int argc, char **argv) {
  bool good = true;
  for (int d = 1; d < argc || d == 1; d++) good = run_all(argc > 1 ? argv[d] : "c") && good;
  return good ? 0 : 1;
}
