#include "output/output.h"

#include <stdlib.h>

#include "base/words.h"
#include "case/files.h"
#include "case/paths.h"
#include "formats/run_json.h"

static void add_program(run_json *r, const exec_run *run) {
  const dslc_program *p = run->program;
  run_json_text(r, "scheme.name", p->identity.scheme);
  run_json_text(r, "scheme.path", p->identity.path);
  run_json_text(r, "scheme.hash", p->identity.hash);
  run_json_text(r, "scheme.text_hash", p->identity.text_hash);
  for (int i = 0; i < p->model.n_variants; i++)
    run_json_named_text(r, "scheme.variants", p->model.variant[i].name,
                        p->model.variant[i].choice[p->model.variant[i].chosen]);
  run_json_text(r, "schedule.profile", p->identity.profile);
  if (p->identity.profile_path) run_json_text(r, "schedule.profile_file", p->identity.profile_path);
  for (int i = 0; i < p->identity.n_profiled; i++)
    run_json_named_text(r, "schedule.profile_settings", p->identity.profiled[i].name,
                        p->identity.profiled[i].value);
  for (int i = 0; i < run->c->build.n_schedule; i++)
    run_json_named_text(r, "schedule.settings", run->c->build.schedule[i].name,
                        run->c->build.schedule[i].value);
}

/* What lies in memory in single precision, whoever asked for it; nothing where all is double. */
static ew_status add_single(run_json *r, const exec_run *run, ew_error *err) {
  exec_pairs single = {0};
  const ew_status status = exec_identity_single(run, &single, err);
  for (int i = 0; i < single.n; i++)
    run_json_named_text(r, "in_single_precision", single.item[i].name, single.item[i].value);
  exec_pairs_clear(&single);
  return status;
}

/* What the fields are called, for those who read the run's files later. */
static void add_fields(run_json *r, const dslc_program *p) {
  char words[96];
  for (int i = 0; i < p->model.n_fields; i++) {
    const dslc_field *f = &p->model.field[i];
    words_of_comment(f->comment, words, sizeof words);
    if (*words && f->kind != DSLC_GIVEN) run_json_named_text(r, "scheme.fields", f->name, words);
  }
}

/* What the case gives the scheme, as a checkpoint knows it. */
static ew_status add_inputs(run_json *r, exec_run *run, ew_error *err) {
  exec_pairs inputs = {0};
  const ew_status status = exec_identity_inputs(run, &inputs, err);
  for (int i = 0; i < inputs.n; i++)
    run_json_named_text(r, "inputs", inputs.item[i].name, inputs.item[i].value);
  exec_pairs_clear(&inputs);
  return status;
}

static void add_grid(run_json *r, const exec_run *run) {
  static const char *const AXIS[] = {"grid.nx", "grid.ny", "grid.nz"};
  const grid *g = run->g;
  run_json_integer(r, "grid.dimensions", g->dim);
  for (int d = 0; d < g->dim; d++) run_json_integer(r, AXIS[d], g->axis[d].n);
  run_json_integer(r, "grid.cells", g->n_cells);
  run_json_integer(r, "grid.solid_cells", g->n_cells - g->n_gas);
  run_json_integer(r, "grid.walls", g->n_walls);
  run_json_text(r, "grid.hash", run->mesh_hash);
}

static void add_mesh(run_json *r, const exec_run *run) {
  const mesh *m = run->m;
  if (run->g) {
    add_grid(r, run);
    return;
  }
  run_json_integer(r, "mesh.dimensions", m->dim);
  run_json_integer(r, "mesh.cells", m->n_cells);
  run_json_integer(r, "mesh.faces", m->n_faces);
  run_json_text(r, "mesh.cell_order", mesh_cell_order_name(run->c->mesh.cells));
  run_json_text(r, "mesh.face_order", mesh_face_order_name(run->c->mesh.faces));
  run_json_text(r, "mesh.hash", run->mesh_hash);
}

static void add_nodes(run_json *r, const exec_run *run) {
  if (!run->nodes.fe) return;
  run_json_integer(r, "mesh.nodes", run->m->n_nodes);
  run_json_integer(r, "mesh.unknowns", run->nodes.fe->n);
  run_json_integer(r, "mesh.edges", fe_edges(run->nodes.fe));
  run_json_text(r, "mesh.node_order", mesh_cell_order_name(run->c->mesh.nodes));
}

static void add_solve(run_json *r, const exec_solve_cost *s) {
  const struct {
    const char *key, *text;
  } texts[] = {{"matrix", s->matrix},
               {"method", s->method},
               {"preconditioner", s->preconditioner},
               {"precision", s->precision},
               {"form", s->form},
               {"ended", s->ended},
               {"pinned", *s->pinned ? s->pinned : NULL}};
  const struct {
    const char *key;
    double value;
  } reals[] = {{"tolerance", s->tolerance},
               {"last_residual", s->residual},
               {"outside", s->outside},
               {"seconds", s->seconds}};
  const struct {
    const char *key;
    int64_t value;
  } counts[] = {{"solves", s->solves},
                {"iterations", s->iterations},
                {"most_iterations", s->most},
                {"restarts", s->restarts},
                {"looks", (int64_t)s->looks}};
  char key[128];
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    snprintf(key, sizeof key, "solve.%s.%s", s->unknown, texts[i].key);
    run_json_text(r, key, texts[i].text);
  }
  for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) {
    snprintf(key, sizeof key, "solve.%s.%s", s->unknown, reals[i].key);
    run_json_real(r, key, reals[i].value);
  }
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    snprintf(key, sizeof key, "solve.%s.%s", s->unknown, counts[i].key);
    run_json_integer(r, key, counts[i].value);
  }
}

static void add_device(run_json *r, const exec_run *run) {
  const dev_info *d = dev_get_info(run->device);
  run_json_text(r, "device.name", d->name);
  run_json_text(r, "device.platform", d->platform);
  run_json_text(r, "device.driver", d->driver);
  run_json_text(r, "device.type", dev_type_name(d->type));
}

static void add_passes(run_json *r, const exec_counters *c) {
  run_json_integer(r, "iterations.all", c->passes);
  run_json_integer(r, "iterations.most_in_a_step", c->most_passes);
  run_json_real(r, "iterations.per_step", c->steps > 0 ? (double)c->passes / (double)c->steps : 0);
  run_json_integer(r, "iterations.cut_off", c->cut_off);
  run_json_real(r, "iterations.launches_each", (double)c->pass_launches / (double)c->queued_passes);
}

/* The largest of a step's kernels. */
static uint64_t local_memory(const exec_run *run) {
  const dslc_section *s = &run->program->execution.section[DSLC_SECTION_STEP];
  uint64_t most = 0;
  for (int i = 0; run->program->execution.n_sections > DSLC_SECTION_STEP && i < s->n_ops; i++) {
    if (s->op[i].kind != DSLC_OP_LAUNCH) continue;
    uint64_t bytes = dev_kernel_local_bytes(run->code.kernel[s->op[i].kernel]);
    if (bytes > most) most = bytes;
  }
  return most;
}

static void add_costs(run_json *r, const exec_run *run, const exec_record *record) {
  const exec_times *times = record->times;
  const exec_counters c = record->counters;
  const dev_stats s = record->stats;
  run_json_real(r, "wall.compile_s", times->compile);
  run_json_real(r, "wall.create_s", times->create);
  run_json_real(r, "wall.loop_s", times->loop);
  run_json_real(r, "wall.steps_s", c.seconds);
  run_json_real(r, "wall.total_s", times->total);
  run_json_real(r, "rate.cell_steps_per_s",
                c.seconds > 0 ? (double)c.steps * run->points.n_cells / c.seconds : 0);
  run_json_integer(r, "counts.launches", (int64_t)c.launches);
  run_json_integer(r, "counts.looks", (int64_t)c.looks);
  run_json_integer(r, "counts.transfers", (int64_t)c.transfers);
  run_json_integer(r, "counts.transfer_bytes", (int64_t)c.bytes);
  run_json_integer(r, "counts.transfers_in_steps", (int64_t)c.step_transfers);
  run_json_integer(r, "counts.transfer_bytes_in_steps", (int64_t)c.step_bytes);
  if (c.passes > 0) add_passes(r, &c);
  run_json_bool(r, "counts.kernels_cached", s.programs_built == 0);
  run_json_integer(r, "memory.host_peak_bytes", record->host_peak);
  run_json_integer(r, "memory.device_peak_bytes", (int64_t)s.peak_device_bytes);
  run_json_integer(r, "memory.local_bytes_of_a_work_group", (int64_t)local_memory(run));
  run_json_real(r, "memory.device_bytes_per_cell",
                run->points.n_cells > 0 ? (double)s.device_bytes / run->points.n_cells : 0);
}

static void add_origin(run_json *r, const exec_origin *from) {
  bool forced = from->differences && *from->differences;
  if (!*from->path) return;
  run_json_text(r, "resumed.from", from->path);
  run_json_real(r, "resumed.t", from->t);
  run_json_integer(r, "resumed.step", from->step);
  run_json_bool(r, "resumed.forced", forced);
  if (forced) run_json_text(r, "resumed.differences", from->differences);
}

static void add_result(run_json *r, const exec_run *run, const exec_record *record) {
  if (record->options->started) run_json_text(r, "started", record->options->started);
  if (record->options->command) run_json_text(r, "command", record->options->command);
  run_json_text(r, "versions.edgewise", EW_VERSION);
  run_json_text(r, "versions.dslc", dslc_version());
  run_json_integer(r, "result.exit_code", record->result);
  run_json_real(r, "result.t", exec_time(run));
  run_json_real(r, "result.dt", exec_dt(run));
  run_json_integer(r, "result.steps", exec_steps(run));
  run_json_integer(r, "result.outputs", run->files.outputs);
}

/* bytes: compulsory traffic of all launches as the compiler counts it. */
static void add_kernels(run_json *r, const exec_record *record) {
  const exec_profile *p = record->kernels;
  char key[256];
  for (int i = 0; p && i < p->n; i++) {
    const exec_kernel_cost *k = &p->kernel[i];
    const struct {
      const char *key;
      double value;
    } reals[] = {
        {"launches", (double)k->launches}, {"seconds", k->seconds}, {"bytes", k->bytes}, {"flops", k->flops}};
    snprintf(key, sizeof key, "kernels.%s.computes", k->name);
    run_json_text(r, key, k->what);
    for (size_t j = 0; j < sizeof reals / sizeof *reals; j++) {
      snprintf(key, sizeof key, "kernels.%s.%s", k->name, reals[j].key);
      run_json_real(r, key, reals[j].value);
    }
  }
  if (!p || record->roofs.triad_gbs <= 0) return;
  run_json_real(r, "roofs.triad_gbs", record->roofs.triad_gbs);
  run_json_real(r, "roofs.fma_gflops", record->roofs.fma_gflops);
}

/* A list of texts, empty where the run warned of nothing: a record without it is of a version that kept none. */
static void add_warnings(run_json *r, const exec_warnings *w) {
  char more[64];
  run_json_list(r, "warnings");
  for (const char *one = NULL; (one = exec_warnings_next(w, one));) run_json_item(r, "warnings", one);
  snprintf(more, sizeof more, "and %d more, for which there was no room", w->more);
  if (w->more > 0) run_json_item(r, "warnings", more);
}

/* Which files of the folder are this run's: others may be older. Of those that each output writes the first one's. */
static ew_status add_files(run_json *r, const exec_run *run, ew_status result, ew_error *err) {
  exec_named_file *file = NULL;
  char name[NAME_MAX + 32], stem[256];
  int n = 0;
  const char *const suffix = run->g ? exec_grid_suffix(run->g) : "vtu";
  ew_status status = exec_files_list(run->c, &file, &n, err);
  run_json_list(r, "files_each_output");
  run_json_list(r, "files");
  exec_case_name(run->c, stem, sizeof stem);
  for (int i = 0; i < n; i++) {
    exec_file_name(&file[i], 0, name, sizeof name);
    run_json_item(r, file[i].numbered ? "files_each_output" : "files", name);
  }
  snprintf(name, sizeof name, "%s_0000.%s", stem, suffix);
  if (run->c->output.vtu) run_json_item(r, "files_each_output", name);
  snprintf(name, sizeof name, "%s.pvd", stem);
  if (run->c->output.vtu) run_json_item(r, "files", name);
  snprintf(name, sizeof name, "failed.%s", suffix);
  if (result == EW_DIVERGED || result == EW_NOT_CONVERGED) run_json_item(r, "files", name);
  if (result == EW_NOT_CONVERGED) run_json_item(r, "files", "failed_residuals.csv");
  free(file);
  return status;
}

ew_status exec_record_write(exec_run *run, const exec_record *record, ew_error *err) {
  ew_status status = EW_OK;
  run_json *r = NULL;
  char path[EW_PATH], name[256];
  exec_output_file(run->c, "run.json", path, sizeof path);
  exec_case_name(run->c, name, sizeof name);
  EW_CHECK(run_json_create(&r, err));
  run_json_text(r, "case.name", name);
  run_json_text(r, "case.file", run->c->file);
  add_result(r, run, record);
  add_warnings(r, record->warnings);
  EW_CHECK(add_files(r, run, record->result, err));
  add_origin(r, record->origin);
  add_program(r, run);
  add_fields(r, run->program);
  EW_CHECK(add_single(r, run, err));
  EW_CHECK(add_inputs(r, run, err));
  add_mesh(r, run);
  add_nodes(r, run);
  for (int i = 0; i < run->program->execution.n_solves; i++) {
    exec_solve_cost cost = exec_get_solve(run, i);
    add_solve(r, &cost);
  }
  add_device(r, run);
  add_costs(r, run, record);
  add_kernels(r, record);
  EW_CHECK(run_json_write(r, path, err));
cleanup:
  run_json_destroy(&r);
  return status;
}
