#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/timing.h"
#include "bench/bench.h"
#include "bench/race.h"
#include "bench/report.h"
#include "run/run.h"
#include "shallow_water.h" /* tests/reference: the peer */

enum { BLOCKS = 500, BLOCKS_ON_GPUS = 1414, WARM_UP = 20, AGREE_STEPS = 5 };

typedef struct bench {
  const race_options *o;
  ew_case *c;
  mesh *m;
  dev_context *device;
  dslc_program *program;
  exec_run *run;
  ew_case wide_case; /* the same with all numbers in double, where some are not */
  case_setting *wide_schedule;
  dslc_program *wide_program;
  exec_run *wide; /* reads wide_case as long as it runs */
  sw_solver *peer;
  sw_boundary *walls;
  double *h, *q, *z, *n; /* initial values by cell; q is 0 */
} bench;

/* ---- the case ------------------------------------------------------------------------------------------------ */

static double bed(double x, double y) { return 0.3 * sin(6 * x) * cos(5 * y) + 0.5 * fmax(0, x - 7); }

static ew_status field_at(void *context, const double *x, double t, double *out, int n, ew_error *err) {
  (void)t, (void)err;
  double z = bed(x[0], x[1]);
  for (int d = 0; d < n; d++) out[d] = 0;
  if (strcmp(context, "z") == 0) out[0] = z;
  if (strcmp(context, "h") == 0) out[0] = fmax(0, (x[0] < 4 ? 2.5 : 0.5) - z);
  return EW_OK;
}

static ew_status add_value(ew_case *c, case_value **list, int *n, const char *name, ew_error *err) {
  case_value *v = case_append(c, list, n, sizeof *v, err);
  if (!v) return EW_FAIL;
  *v = (case_value){.name = name, .kind = CASE_FUNCTION, .function = field_at, .context = (void *)name};
  if (strcmp(name, "n") == 0) *v = (case_value){.name = name, .kind = CASE_NUMBERS, .n = 1, .number = {0.03}};
  return EW_OK;
}

static ew_status add_walls(ew_case *c, ew_error *err) {
  static const char *sides[] = {"left", "right", "bottom", "top"};
  case_boundary *b = case_append(c, &c->boundary, &c->n_boundaries, sizeof *b, err);
  if (!b) return EW_FAIL;
  *b = (case_boundary){.n_names = 4, .name = sides, .rule = "wall"};
  return EW_OK;
}

static ew_status make_case(bench *b, ew_error *err) {
  ew_status status;
  const int n = b->o->n ? b->o->n : bench_on_gpu(b->o->device) ? BLOCKS_ON_GPUS : BLOCKS;
  EW_CHECK(case_create(&b->c, err));
  ew_case *c = b->c;
  c->file = "bench";
  c->folder = ".";
  c->build.scheme = "shallow_water";
  c->time.stop = INFINITY;
  c->time.max_steps = 1 << 30;
  c->build.schedule = (case_setting *)b->o->schedule;
  c->build.n_schedule = b->o->n_schedule;
  c->mesh.kind = CASE_MESH_RECTANGLE;
  c->mesh.rectangle = (mesh_rectangle_options){.x1 = 10, .y1 = 10, .nx = n, .ny = n, .jitter = 0.2};
  if (b->o->cells && !mesh_cell_order_parse(b->o->cells, &c->mesh.cells))
    EW_CHECK(ew_fail(err, EW_USAGE, "there is no cell order '%s'", b->o->cells));
  if (c->mesh.cells == MESH_CELLS_RANDOM) c->mesh.faces = MESH_FACES_RANDOM;
  EW_CHECK(add_value(c, &c->values.initial, &c->values.n_initial, "h", err));
  EW_CHECK(add_value(c, &c->values.initial, &c->values.n_initial, "q", err));
  EW_CHECK(add_value(c, &c->values.given, &c->values.n_givens, "z", err));
  EW_CHECK(add_value(c, &c->values.given, &c->values.n_givens, "n", err));
  EW_CHECK(add_walls(c, err));
cleanup:
  return status;
}

/* ---- the peer --------------------------------------------------------------------------------------------------- */

static ew_status make_peer(bench *b, ew_error *err) {
  const mesh *m = b->m;
  size_t n = (size_t)m->n_cells;
  sw_mesh s = {.n_cells = m->n_cells,
               .n_faces = m->n_faces,
               .n_interior = m->n_interior,
               .face_left = m->face_left,
               .face_right = m->face_right,
               .face_normal = m->face_normal,
               .face_length = m->face_area,
               .cell_area = m->cell_volume,
               .cell_centre = m->cell_centre};
  sw_params p = sw_default_params();
  b->walls = calloc((size_t)m->n_ghosts + 1, sizeof *b->walls); /* SW_WALL is 0 */
  b->h = calloc(4 * n, sizeof *b->h);
  if (!b->walls || !b->h || !sw_create(&b->peer, &s, &p, b->walls))
    return ew_fail(err, EW_FAIL, "out of memory");
  b->q = b->h + n, b->z = b->q + n, b->n = b->z + n;
  for (cell_id i = 0; i < m->n_cells; i++) {
    const double *x = m->cell_centre + 2 * (size_t)i;
    field_at("h", x, 0, &b->h[i], 1, err);
    b->z[i] = bed(x[0], x[1]);
    b->n[i] = 0.03;
  }
  sw_set_state(b->peer, b->h, b->q, b->q, b->z, b->n);
  return EW_OK;
}

/* ---- the same in double ---------------------------------------------------------------------------------------------- */

static bool stores_single(const dslc_program *p) {
  for (int i = 0; i < p->execution.n_buffers; i++)
    if (p->execution.buffer[i].element == DSLC_F32) return true;
  return false;
}

static ew_status make_wide(bench *b, FILE *log, ew_error *err) {
  ew_status status = EW_OK;
  const exec_domain domain = {.m = b->m};
  ew_case *wide = &b->wide_case;
  *wide = *b->c;
  case_setting *all = b->wide_schedule = calloc((size_t)wide->build.n_schedule + 1, sizeof *all);
  if (!all) return ew_fail(err, EW_FAIL, "out of memory for a schedule");
  for (int i = 0; i < wide->build.n_schedule; i++) {
    const char *dot = strrchr(b->c->build.schedule[i].name, '.');
    all[i] = b->c->build.schedule[i];
    if (dot && strcmp(dot, ".store") == 0) all[i].value = "double";
  }
  wide->build.schedule = all;
  EW_CHECK(exec_program(wide, &domain, b->device, log, &b->wide_program, err));
  EW_CHECK(exec_create(b->device, b->wide_program, &domain, wide, &b->wide, err));
cleanup:
  return status;
}

/* What rounding of what is stored may have made of the depth in so many steps. */
static double allowed(const bench *b) { return b->wide ? 16 * AGREE_STEPS * 0x1p-24 : 1e-10; }

/* After a few steps of both from the same state: the largest difference of depth relative to the largest depth. */
static ew_status disagreement(bench *b, double *out, ew_error *err) {
  ew_status status = EW_OK;
  size_t n = (size_t)b->m->n_cells;
  double *ours = malloc(4 * n * sizeof *ours), worst = 0, most = 0;
  if (!ours) return ew_fail(err, EW_FAIL, "out of memory");
  double *h = ours + n, *qx = h + n, *qy = qx + n;
  exec_until until = {.t_stop = 1e30, .max_steps = AGREE_STEPS};
  EW_CHECK(exec_advance(b->run, &until, err));
  if (b->wide) EW_CHECK(exec_advance(b->wide, &until, err));
  EW_CHECK(exec_read(b->run, "h", ours, err));
  sw_run(b->peer, INFINITY, AGREE_STEPS);
  sw_get_state(b->peer, h, qx, qy);
  for (size_t i = 0; i < n; i++) {
    most = fmax(most, h[i]);
    if (!(fabs(ours[i] - h[i]) <= worst)) worst = fabs(ours[i] - h[i]);
  }
  *out = worst / most;
  if (!(*out <= allowed(b)))
    status =
        ew_fail(err, EW_FAIL, "after %d steps our depth differs by %.2e from the peer's", AGREE_STEPS, *out);
cleanup:
  free(ours);
  return status;
}

/* ---- measuring ------------------------------------------------------------------------------------------------------ */

typedef struct speeds {
  double ours, peer, best_ours, best_peer; /* cell-steps a second: medians, and best */
  double wide, best_wide;                  /* the same with all numbers in double */
  double gain[3];                          /* ours over that, round by round: least, median, most */
} speeds;

static ew_status timed_steps(exec_run *run, int steps, double *seconds, ew_error *err) {
  exec_until until = {.t_stop = 1e30, .max_steps = steps, .look = steps < 64 ? steps : 64};
  double start = ew_seconds();
  ew_status status = exec_advance(run, &until, err);
  *seconds = ew_seconds() - start;
  return status;
}

static ew_status warm_up(bench *b, ew_error *err) {
  double seconds;
  ew_status status = timed_steps(b->run, WARM_UP, &seconds, err);
  if (status == EW_OK && b->wide) status = timed_steps(b->wide, WARM_UP, &seconds, err);
  if (!b->o->no_peer) sw_run(b->peer, INFINITY, WARM_UP);
  return status;
}

static void compare_with_wide(speeds *s, const double *ours, const double *wide, int repeats) {
  double gain[BENCH_MOST_REPEATS], sorted[BENCH_MOST_REPEATS];
  for (int i = 0; i < repeats; i++) gain[i] = ours[i] / wide[i], sorted[i] = wide[i];
  s->gain[1] = ew_median(gain, repeats);
  s->gain[0] = gain[0], s->gain[2] = gain[repeats - 1]; /* sorted by now */
  s->wide = ew_median(sorted, repeats);
  s->best_wide = sorted[repeats - 1];
}

/* Ours, the same in double and the peer's in turn, so that what else the machine does hits all. */
static ew_status take_turns(bench *b, speeds *out, ew_error *err) {
  int steps = b->o->steps ? b->o->steps : 40, repeats = b->o->repeats ? b->o->repeats : 5;
  double ours[BENCH_MOST_REPEATS], wide[BENCH_MOST_REPEATS], peer[BENCH_MOST_REPEATS], seconds;
  const double work = (double)b->m->n_cells * steps;
  ew_status status = EW_OK;
  if (steps < 1 || repeats < 1 || repeats > BENCH_MOST_REPEATS)
    return ew_fail(err, EW_USAGE, "a bench takes 1 to %d repeats of at least one step", BENCH_MOST_REPEATS);
  EW_CHECK(warm_up(b, err));
  for (int i = 0; i < repeats; i++) {
    EW_CHECK(timed_steps(b->run, steps, &seconds, err));
    ours[i] = work / seconds;
    if (b->wide) EW_CHECK(timed_steps(b->wide, steps, &seconds, err));
    wide[i] = work / seconds;
    double start = ew_seconds();
    if (!b->o->no_peer) sw_run(b->peer, INFINITY, steps);
    peer[i] = b->o->no_peer ? 0 : work / (ew_seconds() - start);
  }
  *out = (speeds){0};
  if (b->wide) compare_with_wide(out, ours, wide, repeats);
  out->ours = ew_median(ours, repeats), out->peer = ew_median(peer, repeats);
  out->best_ours = ours[repeats - 1]; /* sorted by now */
  out->best_peer = peer[repeats - 1];
cleanup:
  return status;
}

/* ---- the report ------------------------------------------------------------------------------------------------------- */

static void print_speeds(const bench *b, const speeds *s, double differs, FILE *out) {
  fprintf(out, "shallow_water: %d triangles, device %s, profile %s", b->m->n_cells, dev_name(b->device),
          b->program->identity.profile);
  for (int i = 0; i < b->c->build.n_schedule; i++)
    fprintf(out, ", %s = %s", b->c->build.schedule[i].name, b->c->build.schedule[i].value);
  fprintf(out, "\ncells in order %s\n", mesh_cell_order_name(b->c->mesh.cells));
  fprintf(out, "  %-34s %10s %10s\n", "Mcell-steps/s", "median", "best");
  fprintf(out, "  %-34s %10.2f %10.2f\n", "edgewise", s->ours * 1e-6, s->best_ours * 1e-6);
  if (b->wide) {
    fprintf(out, "  %-34s %10.2f %10.2f\n", "the same in double", s->wide * 1e-6, s->best_wide * 1e-6);
    fprintf(out, "  %-34s %10.2f  from %.2f to %.2f, round by round\n", "ratio", s->gain[1], s->gain[0],
            s->gain[2]);
  }
  if (b->o->no_peer) return;
  fprintf(out, "  %-34s %10.2f %10.2f\n", "hand-written C, OpenMP", s->peer * 1e-6, s->best_peer * 1e-6);
  fprintf(out, "  %-34s %10.2f %10.2f\n", "ratio", s->ours / s->peer, s->best_ours / s->best_peer);
  fprintf(out, "  the two agree after %d steps to %.1e of the largest depth\n", AGREE_STEPS, differs);
}

static void print_json(const bench *b, const speeds *s, const dev_rates *rates, double differs, FILE *out) {
  cJSON *o = cJSON_CreateObject();
  cJSON_AddStringToObject(o, "bench", "shallow_water");
  cJSON_AddStringToObject(o, "device", dev_name(b->device));
  cJSON_AddStringToObject(o, "schedule", b->program->identity.profile);
  cJSON_AddStringToObject(o, "order", mesh_cell_order_name(b->c->mesh.cells));
  cJSON_AddNumberToObject(o, "cells", b->m->n_cells);
  cJSON_AddNumberToObject(o, "cell_steps_per_second", s->ours);
  cJSON_AddNumberToObject(o, "cell_steps_per_second_best", s->best_ours);
  if (b->wide) {
    cJSON_AddNumberToObject(o, "in_double", s->wide);
    cJSON_AddItemToObject(o, "ratio_to_double", cJSON_CreateDoubleArray(s->gain, 3));
  }
  if (!b->o->no_peer) {
    cJSON_AddNumberToObject(o, "peer", s->peer);
    cJSON_AddNumberToObject(o, "peer_best", s->best_peer);
    cJSON_AddNumberToObject(o, "ratio", s->ours / s->peer);
    cJSON_AddNumberToObject(o, "difference", differs);
  }
  report_rates(o, rates);
  report_print(&o, out);
}

static ew_status profile(bench *b, const dev_rates *rates, FILE *out, ew_error *err) {
  exec_profile p = {0};
  double seconds;
  ew_status status;
  EW_CHECK(exec_profile_start(b->run, err));
  EW_CHECK(timed_steps(b->run, 20, &seconds, err));
  EW_CHECK(exec_profile_stop(b->run, &p, err));
  fprintf(out, "triad of this device, measured now: %.1f GB/s; fma %.0f GFlop/s; launch %.2f us\n",
          rates->triad_gbs, rates->fma_gflops, rates->launch_us);
  exec_profile_print(&p, rates, out);
cleanup:
  exec_profile_clear(&p);
  return status;
}

static void bench_destroy(bench *b) {
  exec_destroy(&b->run);
  exec_destroy(&b->wide);
  dslc_program_destroy(&b->wide_program);
  free(b->wide_schedule);
  dslc_program_destroy(&b->program);
  dev_context_destroy(&b->device);
  mesh_destroy(&b->m);
  case_destroy(&b->c);
  sw_destroy(&b->peer);
  free(b->walls);
  free(b->h);
}

ew_status race_shallow_water(const race_options *options, FILE *out, FILE *log, ew_error *err) {
  bench b = {.o = options};
  dev_rates rates = {0};
  speeds s = {0};
  double differs = 0;
  ew_status status;
  EW_CHECK(make_case(&b, err));
  EW_CHECK(exec_mesh(b.c, &b.m, err));
  EW_CHECK(dev_context_create(options->device, &b.device, err));
  EW_CHECK(exec_program(b.c, &(exec_domain){.m = b.m}, b.device, log, &b.program, err));
  EW_CHECK(exec_create(b.device, b.program, &(exec_domain){.m = b.m}, b.c, &b.run, err));
  if (stores_single(b.program)) EW_CHECK(make_wide(&b, log, err));
  EW_CHECK(dev_measure_rates(b.device, &rates, err));
  if (!options->no_peer) {
    EW_CHECK(make_peer(&b, err));
    EW_CHECK(disagreement(&b, &differs, err));
  }
  EW_CHECK(take_turns(&b, &s, err));
  if (options->json) print_json(&b, &s, &rates, differs, out);
  else {
    print_speeds(&b, &s, differs, out);
    EW_CHECK(profile(&b, &rates, out, err));
  }
cleanup:
  bench_destroy(&b);
  return status;
}
