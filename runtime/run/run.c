/* A run's life, and what it tells about itself. */
#include <stdlib.h>

#include "fields/on_nodes.h"
#include "reference/reference.h"
#include "run/joins.h"

/* The setup section, after all values are in place. */
static ew_status run_setup(exec_run *run, ew_error *err) {
  ew_status status = EW_OK;
  EW_CHECK(exec_section_alone(run, DSLC_SECTION_SETUP, err));
  EW_CHECK(exec_look(run, err));
  EW_CHECK(exec_fault_check(run, err));
cleanup:
  return status;
}

static ew_status set_up(exec_run *run, ew_error *err) {
  ew_status status = EW_OK;
  EW_CHECK(exec_places_create(run, err));
  EW_CHECK(exec_parameters_fill(run, err));
  EW_CHECK(exec_buffers_create(run, err));
  if (run->program->equations) {
    EW_CHECK(exec_knots_create(run, err)); /* steps end at them, however they are computed */
    return exec_reference_create(run, err);
  }
  EW_CHECK(exec_kernels_create(run, err));
  EW_CHECK(exec_geometry_fill(run, err));
  EW_CHECK(exec_solves_create(run, err));
  EW_CHECK(exec_identity_begin(run, err));
  EW_CHECK(exec_values_fill(run, err));
  EW_CHECK(exec_values_spread(run, err));
  EW_CHECK(run_setup(run, err));
  EW_CHECK(exec_joins_create(run, err));
  exec_buffers_release(run);
  run->account.stats_begin = dev_get_stats(run->device);
  run->account.counters = (exec_counters){0};
cleanup:
  return status;
}

ew_status exec_create(dev_context *device, const dslc_program *program, const exec_domain *domain,
                      const ew_case *c, exec_run **out, ew_error *err) {
  exec_run *run = calloc(1, sizeof *run);
  if (!run) return ew_fail(err, EW_FAIL, "out of memory for a run");
  *run = (exec_run){.device = device,
                    .program = program,
                    .domain = *domain,
                    .m = domain->m,
                    .g = domain->g,
                    .dim = exec_domain_dim(domain),
                    .points.n_cells = exec_domain_cells(domain),
                    .c = c,
                    .files.sampled = -1,
                    .failure.fault = {.check = -1, .cell = -1, .origin = -1, .node = -1}};
  ew_status status = set_up(run, err);
  if (status != EW_OK) exec_destroy(&run);
  *out = run;
  return status;
}

void exec_destroy(exec_run **run) {
  if (!run || !*run) return;
  exec_run *r = *run;
  exec_reference_destroy(r);
  exec_solves_destroy(r);
  exec_joins_destroy(r);
  exec_kernels_destroy(r);
  exec_buffers_destroy(r);
  exec_places_destroy(r);
  free(r->parameter);
  exec_timed_destroy(r);
  free(r->files.output_time);
  exec_pairs_clear(&r->identity.facts);
  exec_pairs_clear(&r->files.series);
  free(r->outside.cell_volume);
  free(r->outside.node_volume);
  free(r->outside.node_part);
  free(r->outside.cell_centre);
  free(r);
  *run = NULL;
}

ew_status exec_count_output(exec_run *run, ew_error *err) {
  double *grown = run->files.output_time;
  if ((run->files.outputs & (run->files.outputs - 1)) == 0) /* room is a power of two */
    grown = realloc(grown, (run->files.outputs ? 2 * (size_t)run->files.outputs : 1) * sizeof *grown);
  if (!grown) return ew_fail(err, EW_FAIL, "out of memory for the times of %d outputs", run->files.outputs);
  run->files.output_time = grown;
  grown[run->files.outputs++] = exec_time(run);
  return EW_OK;
}

double exec_time(const exec_run *run) { return run->seen.scalar_values[DSLC_SCALAR_T]; }
double exec_dt(const exec_run *run) {
  return run->account.counters.steps + run->account.steps_before > 0 ? run->seen.scalar_values[DSLC_SCALAR_DT]
                                                                     : 0;
}
double exec_dt_free(const exec_run *run) {
  return exec_steps(run) > 0 ? run->seen.scalar_values[DSLC_SCALAR_DT_FREE] : 0;
}
int exec_passes(const exec_run *run) { return run->failure.last_passes; }
int64_t exec_steps(const exec_run *run) { return run->account.steps_before + run->account.counters.steps; }
const exec_domain *exec_get_domain(const exec_run *run) { return &run->domain; }
const mesh *exec_get_mesh(const exec_run *run) { return run->m; }
const dslc_program *exec_get_program(const exec_run *run) { return run->program; }
const exec_fault *exec_get_fault(const exec_run *run) { return &run->failure.fault; }

exec_counters exec_get_counters(const exec_run *run) {
  exec_counters c = run->account.counters;
  dev_stats now = dev_get_stats(run->device), then = run->account.stats_begin;
  c.transfers =
      now.transfers_to_device + now.transfers_to_host - then.transfers_to_device - then.transfers_to_host;
  c.bytes = now.bytes_to_device + now.bytes_to_host - then.bytes_to_device - then.bytes_to_host;
  c.launches = now.launches - then.launches;
  return c;
}
