#include "bench/report.h"

#include <stdlib.h>

#include "base/json.h"

void report_rates(cJSON *to, const dev_rates *rates) {
  cJSON *r = cJSON_AddObjectToObject(to, "rates");
  cJSON_AddNumberToObject(r, "triad_gbs", rates->triad_gbs);
  cJSON_AddNumberToObject(r, "copy_gbs", rates->copy_gbs);
  cJSON_AddNumberToObject(r, "fma_gflops", rates->fma_gflops);
  cJSON_AddNumberToObject(r, "launch_us", rates->launch_us);
}

static void add_kernel(cJSON *list, const exec_kernel_cost *k) {
  cJSON *o = cJSON_CreateObject();
  cJSON_AddStringToObject(o, "name", k->name);
  cJSON_AddStringToObject(o, "computes", k->what);
  cJSON_AddNumberToObject(o, "launches", (double)k->launches);
  cJSON_AddNumberToObject(o, "seconds", k->seconds);
  cJSON_AddNumberToObject(o, "bytes", k->bytes);
  cJSON_AddNumberToObject(o, "flops", k->flops);
  cJSON_AddItemToArray(list, o);
}

void report_kernels(cJSON *to, const exec_profile *profile) {
  cJSON *kernels = cJSON_AddArrayToObject(to, "kernels");
  for (int i = 0; i < profile->n; i++) add_kernel(kernels, &profile->kernel[i]);
}

static void add_figures(cJSON *o, const compare_entry *e, double ratio) {
  cJSON_AddNumberToObject(o, "cells", e->n_cells);
  cJSON_AddNumberToObject(o, "step_seconds", e->step_seconds);
  cJSON_AddNumberToObject(o, "ns", compare_nanoseconds(e));
  if (ratio > 0) cJSON_AddNumberToObject(o, "ratio", ratio);
  cJSON_AddNumberToObject(o, "bytes_per_cell", (double)e->device_bytes / e->n_cells);
  cJSON_AddNumberToObject(o, "launches_per_step", (double)e->launches_per_step);
  cJSON_AddNumberToObject(o, "transfers_per_step", (double)e->transfers_per_step);
  cJSON_AddNumberToObject(o, "transfer_bytes_per_step", (double)e->bytes_per_step);
  if (e->solves > 0) {
    cJSON_AddNumberToObject(o, "solve_seconds", e->solve_seconds / e->solves);
    cJSON_AddNumberToObject(o, "iterations", e->iterations / e->solves);
    cJSON_AddNumberToObject(o, "first_iterations", e->first_iterations);
  }
  if (e->kernels.n > 0) report_kernels(o, &e->kernels);
}

void report_entries(cJSON *to, const compare_entry *entry, int n) {
  cJSON *list = cJSON_AddArrayToObject(to, "tries");
  for (int i = 0; i < n; i++) {
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "try", entry[i].label);
    cJSON_AddStringToObject(o, "device", entry[i].device_name);
    cJSON_AddBoolToObject(o, "reference", entry[i].reference);
    if (entry[i].against >= 0) cJSON_AddStringToObject(o, "against", entry[entry[i].against].label);
    if (entry[i].failed[0]) cJSON_AddStringToObject(o, "failed", entry[i].failed);
    else add_figures(o, &entry[i], compare_ratio(entry, i));
    cJSON_AddItemToArray(list, o);
  }
}

void report_print(cJSON **report, FILE *out) {
  char *text = ew_print_json_line(*report);
  fprintf(out, "%s\n", text ? text : "");
  free(text);
  cJSON_Delete(*report);
  *report = NULL;
}
