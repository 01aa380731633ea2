#include "bench/cavity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/report.h"

/* ---- the case ------------------------------------------------------------------------------------------------ */

static ew_status add_wall(ew_case *c, const char **names, int n, double speed, ew_error *err) {
  case_boundary *b = case_append(c, &c->boundary, &c->n_boundaries, sizeof *b, err);
  if (!b) return EW_FAIL;
  *b = (case_boundary){.n_names = n, .name = names, .rule = "fixed"};
  return bench_add_value(c, &b->argument, &b->n_arguments, &BENCH_NUMBERS("U", 3, speed), err);
}

/* The walls come first: the lid's rim is at rest. */
static ew_status make_cavity(void *context, const compare_entry *e, ew_case *c, ew_error *err) {
  static const char *walls[] = {"left", "right", "bottom", "back", "front"}, *lid[] = {"top"};
  int n = *(const int *)context;
  ew_status status;
  (void)e;
  c->file = "bench", c->folder = ".", c->build.scheme = "edge_navier_stokes";
  c->time.stop = INFINITY, c->time.max_steps = 1 << 30;
  c->mesh.kind = CASE_MESH_BOX;
  c->mesh.box = (mesh_box_options){.x1 = 1, .y1 = 1, .z1 = 1, .nx = n, .ny = n, .nz = n};
  EW_CHECK(
      bench_add_value(c, &c->values.parameter, &c->values.n_parameters, &BENCH_NUMBERS("nu", 1, 0.01), err));
  EW_CHECK(
      bench_add_value(c, &c->values.parameter, &c->values.n_parameters, &BENCH_NUMBERS("tol", 1, 1e-5), err));
  EW_CHECK(bench_add_value(c, &c->values.initial, &c->values.n_initial, &BENCH_NUMBERS("u", 3, 0), err));
  EW_CHECK(bench_add_value(c, &c->values.initial, &c->values.n_initial, &BENCH_NUMBERS("p", 1, 0), err));
  EW_CHECK(bench_add_value(c, &c->values.given, &c->values.n_givens, &BENCH_NUMBERS("b", 3, 0), err));
  EW_CHECK(add_wall(c, walls, 5, 0, err));
  EW_CHECK(add_wall(c, lid, 1, 1, err));
cleanup:
  return status;
}

static double one_step(void *context, const dslc_program *p, cell_id n_cells) {
  (void)context, (void)p, (void)n_cells;
  return 1;
}

static ew_status make_entries(const cavity_options *o, compare_entry *entry, int *n, ew_error *err) {
  static const char *const by_rule[] = {"preconditioner=jacobi", "preconditioner=multigrid"};
  const char *const *tries = o->n_tries > 0 ? o->tries : by_rule;
  int count = o->n_tries > 0 ? o->n_tries : (int)(sizeof by_rule / sizeof *by_rule);
  return compare_entries(o->device, tries, count, entry, n, err);
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

/* Seconds a step in the three steps of the fractional step: velocity, pressure, correction. Kernels stand in the order of their first
 * launch: those from the matrix to the linear solver are the second step's. */
static void split_step(const exec_profile *p, double part[3]) {
  int at = 0;
  part[0] = part[1] = part[2] = 0;
  for (int i = 0; i < p->n; i++) {
    const exec_kernel_cost *k = &p->kernel[i];
    if (at == 0 && strncmp(k->what, "H.", 2) == 0) at = 1;
    part[at] += k->seconds / (double)p->steps;
    if (strcmp(k->name, "linear solver") == 0) at = 2;
  }
}

static void print_entry(const compare_entry *entry, int which, FILE *out) {
  const compare_entry *e = &entry[which];
  if (e->failed[0]) {
    fprintf(out, "  %-38s %s\n", e->label, e->failed);
    return;
  }
  double solves = e->solves > 0 ? e->solves : 1, ratio = compare_ratio(entry, which), part[3];
  split_step(&e->kernels, part);
  fprintf(out, "  %-38s %9.3f %9.3f %9.3f %9.3f %7d %7.1f ", e->label, 1e3 * e->step_seconds, 1e3 * part[0],
          1e3 * part[1], 1e3 * part[2], e->first_iterations, e->iterations / solves);
  if (ratio > 0) fprintf(out, "%6.2f ", ratio);
  else fprintf(out, "%6s ", "-");
  fprintf(out, "%9llu %7llu  %s\n", (unsigned long long)e->transfers_per_step,
          (unsigned long long)e->bytes_per_step, e->device_name);
}

static int64_t nodes_of(int64_t blocks) { return (blocks + 1) * (blocks + 1) * (blocks + 1); }

static void print_table(int blocks, const compare_entry *entry, int n, FILE *out) {
  int64_t side = blocks;
  fprintf(out,
          "cavity: cube at Re 100, %lld nodes, %lld tetrahedra; pressure to 1e-5 of its right-hand side\n",
          (long long)nodes_of(side), (long long)(6 * side * side * side));
  fprintf(out, "  %-38s %9s %9s %9s %9s %7s %7s %6s %9s %7s  %s\n", "try", "ms/step", "velocity", "pressure",
          "correct.", "first", "iter.", "ratio", "transfers", "bytes", "device");
  for (int i = 0; i < n; i++) print_entry(entry, i, out);
  for (int i = 0; i < n; i++) {
    if (entry[i].failed[0] || entry[i].reference) continue;
    fprintf(out, "\n%s on %s:\n", entry[i].label, entry[i].device_name);
    exec_profile_print(&entry[i].kernels, NULL, out);
  }
  fprintf(out, "\n");
}

static void add_mesh(cJSON *meshes, int blocks, const compare_entry *entry, int n) {
  cJSON *o = cJSON_CreateObject();
  cJSON_AddNumberToObject(o, "blocks", blocks);
  cJSON_AddNumberToObject(o, "nodes", (double)nodes_of(blocks));
  report_entries(o, entry, n);
  cJSON_AddItemToArray(meshes, o);
}

/* ---- one mesh after the other ------------------------------------------------------------------------------------ */

static ew_status run_mesh(const cavity_options *o, int blocks, cJSON *meshes, FILE *out, FILE *log,
                          ew_error *err) {
  ew_status status;
  int n = 0;
  compare_entry *entry = calloc(COMPARE_ENTRIES, sizeof *entry);
  if (!entry) return ew_fail(err, EW_FAIL, "out of memory for a bench");
  compare_task task = {
      .make = make_cavity, .units = one_step, .context = &blocks, .profile = true, .warm_up = 3};
  task.steps = o->steps ? o->steps : 10;
  task.repeats = o->repeats ? o->repeats : 3;
  EW_CHECK(make_entries(o, entry, &n, err));
  if (o->peer) task.reference = "device=c-openmp,preconditioner=jacobi";
  EW_CHECK(compare_run(&task, entry, &n, log, err));
  if (o->json) add_mesh(meshes, blocks, entry, n);
  else print_table(blocks, entry, n, out);
cleanup:
  compare_clear(entry, n);
  free(entry);
  return status;
}

ew_status bench_cavity(const cavity_options *o, FILE *out, FILE *log, ew_error *err) {
  static const int like_the_paper[] = {14, 28, 56};
  ew_status status = EW_OK;
  cJSON *report = cJSON_CreateObject();
  cJSON_AddStringToObject(report, "bench", "cavity");
  cJSON *meshes = cJSON_AddArrayToObject(report, "meshes");
  for (int i = 0; i < (o->n ? 1 : 3); i++)
    EW_CHECK(run_mesh(o, o->n ? o->n : like_the_paper[i], meshes, out, log, err));
  if (o->json) report_print(&report, out);
cleanup:
  cJSON_Delete(report);
  return status;
}
