#include "bench/bench.h"
#include "bench/report.h"

void bench_print(const bench_result *r, FILE *out) {
  fprintf(out, "%s: scheme %s, %d cells, schedule %s\n", r->name, r->scheme, r->n_cells, r->profile);
  fprintf(out, "%s: triad %.1f GB/s, %.1f GFlop/s, launch %.2f us\n", r->device, r->rates.triad_gbs,
          r->rates.fma_gflops, r->rates.launch_us);
  fprintf(
      out,
      "%.4g ms a step (%.4g to %.4g; median of %d repeats of %lld steps): %.2f million cell-steps a second\n",
      1e3 * r->step_seconds, 1e3 * r->best, 1e3 * r->worst, r->repeats, (long long)r->steps,
      1e-6 * r->cell_steps);
  fprintf(out, "%.0f B of compulsory traffic a cell-step, %.0f %% of the triad\n", r->bytes,
          100 * r->triad_share);
  fprintf(out, "compiled in %.0f ms, ready %.0f ms later\n\n", 1e3 * r->compile_seconds,
          1e3 * r->create_seconds);
  exec_profile_print(&r->kernels, &r->rates, out);
}

void bench_print_json(const bench_result *r, FILE *out) {
  cJSON *o = cJSON_CreateObject();
  cJSON_AddStringToObject(o, "name", r->name);
  cJSON_AddStringToObject(o, "scheme", r->scheme);
  cJSON_AddStringToObject(o, "schedule", r->profile);
  cJSON_AddStringToObject(o, "device", r->device);
  cJSON_AddNumberToObject(o, "cells", r->n_cells);
  cJSON_AddNumberToObject(o, "steps", (double)r->steps);
  cJSON_AddNumberToObject(o, "repeats", r->repeats);
  cJSON_AddNumberToObject(o, "step_seconds", r->step_seconds);
  cJSON_AddNumberToObject(o, "step_seconds_best", r->best);
  cJSON_AddNumberToObject(o, "step_seconds_worst", r->worst);
  cJSON_AddNumberToObject(o, "cell_steps_per_second", r->cell_steps);
  cJSON_AddNumberToObject(o, "bytes_per_cell_step", r->bytes);
  cJSON_AddNumberToObject(o, "share_of_triad", r->triad_share);
  cJSON_AddNumberToObject(o, "compile_seconds", r->compile_seconds);
  cJSON_AddNumberToObject(o, "create_seconds", r->create_seconds);
  report_rates(o, &r->rates);
  report_kernels(o, &r->kernels);
  report_print(&o, out);
}
