/* The generated SIMPLE-TS code against the solver written by hand in tests/reference, which shares nothing with it: the same
 * fields, one, two or three inner iterations, and so on from there for some steps.
 *
 *   simple_ts_reference DEVICE      c: all forms of the scheme and of the schedule; others: some of them */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/run.h"
#include "simple_ts_situations.h"

enum { STEPS = 3, MOST_PASSES = 12 };
static const double tolerance = 1e-13; /* of the largest value of a field, per step */

/* ---- forms ---------------------------------------------------------------------------------------------------------- */

typedef struct form {
  ts_time time;
  ts_space space;
  ts_slip slip;
  ts_storage storage;
} form;

static const char *const time_name[] = {"implicit", "explicit"}, *const space_name[] = {"upwind", "tvd"},
                         *const slip_name[] = {"wall_form", "first_cell"},
                         *const storage_name[] = {"printed", "accelerated"};

/* Settings of the schedule, up to the first without name. */
typedef struct schedule {
  const char *name;
  dslc_setting set[24];
} schedule;

#define BOTH(name, form)                                                                                     \
  {name ".x", form}, { name ".y", form }
static const schedule schedules[] = {
    {"default", {{NULL, NULL}}},
    {"unfused", {{"grid.window", "off"}}},
    {"narrow", {{"grid.window", "auto"}, {"grid.columns", "16"}, {"grid.rows", "5"}}},
    {"each", {{"items", "each"}, {"reduce", "tree"}, {"group", "64"}, {"grid.window", "off"}}},
    {"tables",
     {{"items", "each"},
      {"reduce", "tree"},
      {"group", "64"},
      {"grid.walls", "tables"},
      {"grid.window", "off"}}},
    {"narrow tables",
     {{"items", "each"},
      {"reduce", "tree"},
      {"grid.walls", "tables"},
      {"grid.window", "auto"},
      {"grid.columns", "32"},
      {"grid.rows", "7"}}},
    {"narrow each",
     {{"items", "each"},
      {"reduce", "tree"},
      {"grid.window", "auto"},
      {"grid.columns", "32"},
      {"grid.rows", "7"}}},
    {"deltas", {{"select", "delta"}}},
    {"branches", {{"select", "branch"}}},
    {"inline",
     {{"rho", "inline"},
      {"Gamma", "inline"},
      {"Gc", "inline"},
      BOTH("rho_f", "inline"),
      BOTH("F", "inline"),
      BOTH("slope", "inline"),
      {"Phi.source", "inline"},
      {"temperature.new", "inline"}}},
    {"store",
     {{"rho", "store"},
      {"Gamma", "store"},
      {"Gc", "store"},
      BOTH("rho_f", "store"),
      BOTH("F", "store"),
      BOTH("Fm", "store"),
      {"momentum.x.hat", "store"},
      {"momentum.y.hat", "store"},
      {"momentum.x.d", "store"},
      {"momentum.y.d", "store"},
      BOTH("Dt", "store"),
      {"Phi.source", "store"},
      {"temperature.new", "store"},
      {"pressure", "store"}}},
    {"mixed",
     {{"momentum.x.hat", "store"},
      {"momentum.y.d", "store"},
      BOTH("side_lo", "store"),
      {"shear.x", "store"},
      {"slope.x", "store"},
      {"mid.y", "store"},
      {"ap.y", "store"},
      {"bp.x", "store"},
      {"heat.x", "store"},
      {"Gl.y", "store"},
      {"T_lo.x", "store"},
      {"temperature.new", "inline"}}},
};
enum { SCHEDULES = sizeof schedules / sizeof *schedules };

static const char *const side_name[] = {"left", "right", "bottom", "top"},
                         *const block_name[] = {"a", "b", "c"}, *const field_name[] = {"u", "v", "p", "T"};

/* ---- the situation as a case ------------------------------------------------------------------------------------------ */

static case_value numbers(const char *name, int n, double a, double b) {
  return (case_value){.name = name, .kind = CASE_NUMBERS, .n = n, .number = {a, b}};
}

static void add(ew_case *c, case_value **list, int *n, case_value v, ew_error *err) {
  case_value *slot = case_append(c, list, n, sizeof **list, err);
  if (slot) *slot = v;
}

static void add_boundary(ew_case *c, const char *name, const ts_boundary *b, ew_error *err) {
  static const char *const rule[] = {
      [TS_WALL] = "wall", [TS_INLET] = "inlet", [TS_OUTLET] = "outlet", [TS_RESERVOIR] = "reservoir"};
  case_boundary *slot = case_append(c, &c->boundary, &c->n_boundaries, sizeof *slot, err);
  if (!slot || !(slot->name = case_alloc(c, sizeof *slot->name, err))) return;
  slot->name[slot->n_names++] = name;
  slot->rule = rule[b->kind];
  case_value **list = &slot->argument;
  int *n = &slot->n_arguments;
  if (b->kind == TS_WALL)
    add(c, list, n, numbers("w", 2, b->velocity[0], b->velocity[1]), err),
        add(c, list, n, numbers("T_w", 1, b->T, 0), err);
  if (b->kind == TS_INLET) {
    add(c, list, n, numbers("vel", 2, b->velocity[0], b->velocity[1]), err);
    add(c, list, n, numbers("p_in", 1, b->p, 0), err);
    add(c, list, n, numbers("T_in", 1, b->T, 0), err);
  }
  if (b->kind == TS_RESERVOIR)
    add(c, list, n, numbers("p_out", 1, b->p, 0), err), add(c, list, n, numbers("T_out", 1, b->T, 0), err);
}

static void add_boundaries(ew_case *c, const situation *s, ew_error *err) {
  for (int k = 0; k < 4; k++)
    if (s->c.side[k].kind != TS_PERIODIC) add_boundary(c, side_name[k], &s->c.side[k], err);
  for (int k = 0; k < s->c.n_solids; k++) add_boundary(c, block_name[k], &s->c.solid[k].wall, err);
}

static void add_solids(ew_case *c, const situation *s, ew_error *err) {
  grid_options *g = &c->mesh.grid;
  grid_solid_options *solid = case_alloc(c, sizeof *solid * (SITUATION_SOLIDS + 1), err);
  if (!solid) return;
  for (int k = 0; k < s->c.n_solids; k++) {
    solid[k].name = block_name[k];
    for (int a = 0; a < 2; a++) {
      solid[k].low[a] = s->face[a][s->c.solid[k].first[a]];
      solid[k].high[a] = s->face[a][s->c.solid[k].end[a]];
    }
  }
  g->solid = solid;
  g->n_solids = s->c.n_solids;
}

static void set_mesh(ew_case *c, const situation *s, ew_error *err) {
  c->mesh.kind = CASE_MESH_GRID;
  c->mesh.grid.dim = 2;
  for (int a = 0; a < 2; a++) {
    int n = s->c.n[a];
    c->mesh.grid.axis[a] = (grid_axis_options){
        .n = n, .to = s->face[a][n], .face = s->face[a], .periodic = s->c.side[2 * a].kind == TS_PERIODIC};
  }
  add_solids(c, s, err);
}

static ew_status make_case(const situation *s, double tol, ew_case **out, ew_error *err) {
  ew_status status = case_create(out, err);
  if (status != EW_OK) return status;
  ew_case *c = *out;
  c->file = "simple_ts_reference";
  c->folder = ".";
  c->build.scheme = "simple_ts";
  c->time.stop = 1e9;
  set_mesh(c, s, err);
  add(c, &c->values.parameter, &c->values.n_parameters, numbers("Kn", 1, s->c.params.Kn, 0), err);
  add(c, &c->values.parameter, &c->values.n_parameters, numbers("step_size", 1, s->dt, 0), err);
  add(c, &c->values.parameter, &c->values.n_parameters, numbers("tol", 1, tol, 0), err);
  for (int k = 0; k < 4; k++)
    add(c, &c->values.initial, &c->values.n_initial, numbers(field_name[k], 1, 1, 0), err);
  add_boundaries(c, s, err);
  return err->status;
}

/* ---- both solvers ----------------------------------------------------------------------------------------------------- */

enum { U, V, P, T, FIELDS };

typedef struct pair {
  situation s;
  ew_case *c;
  exec_domain domain;
  exec_run *run;
  ts_solver *peer;
  double tolerance;
  ts_fields now, next, found; /* of the peer; of the generated code */
} pair;

static double *array_of(const ts_fields *f, int k) {
  return k == U ? f->u : k == V ? f->v : k == P ? f->p : f->T;
}

/* Values in one row of a field, and rows: of the peer, and of the generated code, which has no second copy of a periodic face. */
static int row(const pair *p, int k) { return p->s.c.n[0] + (k == U); }
static int rows(const pair *p, int k) { return p->s.c.n[1] + (k == V); }
static int columns_stored(const pair *p, int k) {
  return p->s.c.n[0] + (k == U && p->s.c.side[0].kind != TS_PERIODIC);
}
static int rows_stored(const pair *p, int k) {
  return p->s.c.n[1] + (k == V && p->s.c.side[2].kind != TS_PERIODIC);
}

static bool gas(const pair *p, int i, int j) {
  const ts_case *c = &p->s.c;
  if (c->side[0].kind == TS_PERIODIC) i = (i + c->n[0]) % c->n[0];
  if (c->side[2].kind == TS_PERIODIC) j = (j + c->n[1]) % c->n[1];
  return i >= 0 && j >= 0 && i < c->n[0] && j < c->n[1] && ts_is_gas(p->peer, i, j);
}

static bool is_alive(const pair *p, int k, int i, int j) {
  return gas(p, i, j) || (k == U && gas(p, i - 1, j)) || (k == V && gas(p, i, j - 1));
}

static ew_status send(pair *p, const ts_fields *f, ew_error *err) {
  static double buffer[(SITUATION_CELLS + 1) * (SITUATION_CELLS + 1)];
  ew_status status = EW_OK;
  for (int k = 0; k < FIELDS && status == EW_OK; k++) {
    int n = columns_stored(p, k);
    for (int j = 0; j < rows_stored(p, k); j++)
      for (int i = 0; i < n; i++) buffer[j * n + i] = array_of(f, k)[j * row(p, k) + i];
    status = exec_write(p->run, field_name[k], buffer, err);
  }
  return status;
}

static ew_status fetch(pair *p, const ts_fields *f, ew_error *err) {
  static double buffer[(SITUATION_CELLS + 1) * (SITUATION_CELLS + 1)];
  ew_status status = EW_OK;
  for (int k = 0; k < FIELDS && status == EW_OK; k++) {
    int n = columns_stored(p, k), m = rows_stored(p, k);
    status = exec_read(p->run, field_name[k], buffer, err);
    for (int j = 0; j < rows(p, k); j++)
      for (int i = 0; i < row(p, k); i++) array_of(f, k)[j * row(p, k) + i] = buffer[j % m * n + i % n];
  }
  return status;
}

static void pair_close(pair *p) {
  exec_destroy(&p->run);
  ts_destroy(&p->peer);
  ts_fields_destroy(&p->now);
  ts_fields_destroy(&p->next);
  ts_fields_destroy(&p->found);
  exec_domain_clear(&p->domain);
  case_destroy(&p->c);
}

/* What lies in solids is nobody's: not a number, so that whoever reads it is found out. */
static void spoil_solids(const pair *p, const ts_fields *f) {
  for (int k = 0; k < FIELDS; k++)
    for (int j = 0; j < rows(p, k); j++)
      for (int i = 0; i < row(p, k); i++)
        if (!is_alive(p, k, i, j)) array_of(f, k)[j * row(p, k) + i] = NAN;
}

static void start(const pair *p) {
  situation_fill(&p->s, &p->now);
  spoil_solids(p, &p->now);
  ts_fix(p->peer, &p->now);
}

static ew_status open_peer(pair *p, ew_error *err) {
  const char *problem = ts_create(&p->peer, &p->s.c);
  if (problem) return ew_fail(err, EW_FAIL, "the solver by hand: %s", problem);
  if (!ts_fields_create(&p->now, p->s.c.n) || !ts_fields_create(&p->next, p->s.c.n) ||
      !ts_fields_create(&p->found, p->s.c.n))
    return ew_fail(err, EW_FAIL, "out of memory");
  start(p);
  return EW_OK;
}

/* ---- a step of each ------------------------------------------------------------------------------------------------------ */

static void swap_fields(ts_fields *a, ts_fields *b) {
  ts_fields keep = *a;
  *a = *b;
  *b = keep;
}

/* One pass of the peer on p->now; how far it went. */
static double pass(pair *p) {
  double r = ts_iterate(p->peer, &p->now, &p->next);
  swap_fields(&p->now, &p->next);
  return r;
}

/* A tolerance that the first step meets with the given number of passes or a few more, and with none before. */
static double choose_tolerance(pair *p, int passes) {
  double least = INFINITY, r = INFINITY;
  ts_begin_step(p->peer, &p->now, p->s.dt);
  for (int k = 1; k <= MOST_PASSES && (k <= passes || !(r < .8 * least)); k++) {
    least = fmin(least, r);
    r = pass(p);
  }
  return isinf(least) ? 10 * r : sqrt(r * least);
}

static int step_peer(pair *p) {
  ts_fix(p->peer, &p->now);
  ts_begin_step(p->peer, &p->now, p->s.dt);
  for (int k = 1; k <= MOST_PASSES; k++)
    if (pass(p) < p->tolerance) return k;
  return MOST_PASSES;
}

/* The largest difference of a field, by its largest value. */
static double difference(const pair *p, int k, int at[2]) {
  double scale = 0, worst = 0;
  const double *a = array_of(&p->found, k), *b = array_of(&p->now, k);
  for (int j = 0; j < rows(p, k); j++)
    for (int i = 0; i < row(p, k); i++) {
      int n = j * row(p, k) + i;
      if (!is_alive(p, k, i, j)) continue;
      scale = fmax(scale, fabs(b[n]));
      if (fabs(a[n] - b[n]) <= worst) continue; /* a NaN stays */
      worst = fabs(a[n] - b[n]);
      at[0] = i, at[1] = j;
    }
  return worst / scale;
}

/* ---- one run --------------------------------------------------------------------------------------------------------------- */

typedef struct outcome {
  double worst;
  int passes, field, at[2], step;
} outcome;

static ew_status pair_open(pair *p, int number, const form *f, int passes, dev_context *device,
                           const dslc_program *program, ew_error *err) {
  ew_status status;
  *p = (pair){0};
  situation_make(number, &p->s);
  ts_params *par = &p->s.c.params;
  par->time = f->time, par->space = f->space, par->slip = f->slip, par->storage = f->storage;
  EW_CHECK(open_peer(p, err));
  p->tolerance = choose_tolerance(p, passes);
  start(p);
  EW_CHECK(make_case(&p->s, p->tolerance, &p->c, err));
  EW_CHECK(exec_domain_create(p->c, &p->domain, err));
  EW_CHECK(exec_create(device, program, &p->domain, p->c, &p->run, err));
  EW_CHECK(send(p, &p->now, err));
cleanup:
  return status;
}

static ew_status compare_steps(pair *p, outcome *o, ew_error *err) {
  ew_status status = EW_OK;
  for (int step = 0; step < STEPS; step++) {
    o->passes += step_peer(p);
    EW_CHECK(exec_advance(p->run, &(exec_until){.t_stop = 1e9, .max_steps = 1, .look = 1}, err));
    EW_CHECK(fetch(p, &p->found, err));
    for (int k = 0; k < FIELDS; k++) {
      int at[2] = {0, 0};
      double d = difference(p, k, at) / (step + 1);
      if (d <= o->worst) continue;
      *o = (outcome){d, o->passes, k, {at[0], at[1]}, step};
    }
  }
cleanup:
  return status;
}

static bool run_pair(int number, const form *f, int passes, dev_context *device, const dslc_program *program,
                     const char *schedule_name) {
  pair p;
  ew_error err = {0};
  outcome o = {0};
  ew_status status = pair_open(&p, number, f, passes, device, program, &err);
  if (status == EW_OK) status = compare_steps(&p, &o, &err);
  bool good = status == EW_OK && o.worst <= tolerance;
  printf("%s %-8s %-6s %-10s %-11s %-8s %-20s %2d passes %.1e", good ? "ok  " : "FAIL", time_name[f->time],
         space_name[f->space], slip_name[f->slip], storage_name[f->storage], schedule_name, p.s.name,
         o.passes, o.worst);
  if (!good)
    printf(" %s at (%d, %d), step %d %s", field_name[o.field], o.at[0], o.at[1], o.step + 1, err.text);
  printf("\n");
  pair_close(&p);
  return good;
}

/* ---- programs ---------------------------------------------------------------------------------------------------------------- */

static dslc_emit language(dev_context *device) {
  switch (dev_get_language(device)) {
  case DEV_C: return DSLC_EMIT_C;
  case DEV_C_OPENMP: return DSLC_EMIT_C_OPENMP;
  default: return DSLC_EMIT_OPENCL;
  }
}

static int length(const schedule *s) {
  int n = 0;
  while (s->set[n].name) n++;
  return n;
}

/* With all rules, so that one program does for all situations. */
static dslc_program *compile(const form *f, const schedule *s, bool cpu, dslc_emit emit) {
  const dslc_setting variant[] = {{"time", time_name[f->time]},
                                  {"space", space_name[f->space]},
                                  {"slip", slip_name[f->slip]},
                                  {"storage", storage_name[f->storage]}};
  dslc_options o = {.path = SCHEME,
                    .dims = 2,
                    .emit = emit,
                    .n_variants = 4,
                    .variant = variant,
                    .n_schedule = length(s),
                    .schedule = s->set,
                    .cpu = cpu,
                    .periodic = true,
                    .n_rules = -1};
  dslc_program *p = NULL;
  dslc_messages *messages;
  if (dslc_compile(&o, &p, &messages) != 0) dslc_messages_print(messages, stdout, false);
  dslc_messages_destroy(&messages);
  return p;
}

static bool run_form(dev_context *device, const form *f, const schedule *s) {
  dslc_program *program = compile(f, s, true, language(device));
  bool good = program != NULL;
  for (int k = 0; program && k < situation_count(); k++) {
    good = run_pair(k, f, 1, device, program, s->name) && good;
    good = run_pair(k, f, 4, device, program, s->name) && good;
  }
  dslc_program_destroy(&program);
  return good;
}

static int find_schedule(const char *name) {
  for (int i = 0; i < SCHEDULES; i++)
    if (strcmp(schedules[i].name, name) == 0) return i;
  return -1;
}

/* In C, which is quick to build, all forms, with the schedules in turn; elsewhere every third, with what differs there.
 * With a schedule given: all forms with that. */
static bool run_all(dev_context *device, bool thorough, const char *name) {
  static const char *const elsewhere[] = {"each", "tables", "narrow each", "narrow tables"};
  bool good = true;
  int count = 0;
  for (int k = 0; k < 16; k++) {
    form f = {k & 1 ? TS_EXPLICIT : TS_IMPLICIT, k & 2 ? TS_TVD : TS_UPWIND,
              k & 4 ? TS_FIRST_CELL : TS_WALL_FORM, k & 8 ? TS_ACCELERATED : TS_PRINTED};
    if (f.time == TS_EXPLICIT && f.storage == TS_ACCELERATED) continue; /* the same as printed */
    int turn = count++;
    if (!thorough && !name && turn % 3 != 0) continue;
    int s = name ? find_schedule(name) : thorough ? turn % SCHEDULES : find_schedule(elsewhere[turn / 3]);
    good = s >= 0 && run_form(device, &f, &schedules[s]) && good;
  }
  return good;
}

int main(int argc, char **argv) {
  const char *name = argc > 1 ? argv[1] : "c";
  ew_error err = {0};
  dev_context *device = NULL;
  if (dev_context_create(name, &device, &err) != EW_OK) {
    printf("FAIL %s\n", err.text);
    return 1;
  }
  bool good = run_all(device, strcmp(name, "c") == 0, argc > 2 ? argv[2] : NULL);
  dev_context_destroy(&device);
  return good ? 0 : 1;
}
