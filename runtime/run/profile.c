#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/internal.h"

static int find_kernel(const dslc_program *p, const char *name) {
  for (int k = 0; k < p->execution.n_kernels; k++)
    if (strcmp(p->execution.kernel[k].name, name) == 0) return k;
  return -1;
}

/* ---- bytes ------------------------------------------------------------------------------------------------------------ */

/* Entities of a buffer that one launch touches at least once: of the kernel's own place its items, of another place
 * all, or as large a part of them as the launch is of its own place. Faces at the boundary have a cell and a ghost of their own. */
static double entities(const exec_run *run, const dslc_op *op, const dslc_buffer *b, double items) {
  const dslc_kernel *k = &run->program->execution.kernel[op->kernel];
  const bool boundary = op->subset == DSLC_RULE || op->subset == DSLC_BOUNDARY;
  if (b->kind == DSLC_BUFFER_PARTIALS)
    return k->local_size > 0 && !k->one_group ? items / k->local_size : items;
  if (b->place == k->place || b->place == DSLC_NOWHERE || k->place == DSLC_NOWHERE)
    return b->place == DSLC_NOWHERE ? 1 : items;
  if (boundary && k->place == DSLC_FACES && b->place == DSLC_CELLS) return items;
  double own = run->points.place[k->place].owned;
  return own > 0 ? run->points.place[b->place].owned * (items / own) : 0;
}

/* Per item, averaged over the launches while profiling; the buffer bound to a slot is that of the first launch found,
 * of which others differ in name only. */
static const dslc_op *first_launch(const dslc_program *p, int kernel) {
  for (int s = DSLC_SECTION_STEP; s < p->execution.n_sections; s++)
    for (int i = 0; i < p->execution.section[s].n_ops; i++)
      if (p->execution.section[s].op[i].kind == DSLC_OP_LAUNCH &&
          p->execution.section[s].op[i].kernel == kernel)
        return &p->execution.section[s].op[i];
  return NULL;
}

static double kernel_bytes(const exec_run *run, int kernel, double items) {
  const dslc_kernel *k = &run->program->execution.kernel[kernel];
  const dslc_op *op = first_launch(run->program, kernel);
  double bytes = 0;
  for (int a = 0; op && a < k->n_args; a++) {
    const dslc_arg *arg = &k->arg[a];
    if (arg->kind != DSLC_ARG_BUFFER || arg->number < 0 || arg->number >= op->n_buffers) continue;
    const dslc_buffer *b = &run->program->execution.buffer[op->buffer[arg->number]];
    bytes += (arg->reads + arg->writes) * entities(run, op, b, items) * (double)exec_element_size(b->element);
  }
  return bytes;
}

/* ---- recording ---------------------------------------------------------------------------------------------------------- */

ew_status exec_profile_start(exec_run *run, ew_error *err) {
  ew_status status = EW_OK;
  memset(run->account.profile.items, 0,
         (size_t)run->program->execution.n_kernels * sizeof *run->account.profile.items);
  EW_CHECK(dev_finish(run->device, err));
  EW_CHECK(dev_profile_start(run->device, err));
  run->account.profile.begin = exec_get_counters(run);
cleanup:
  return status;
}

/* The kernels of linear solvers count together. */
static const char solver_name[] = "linear solver";

static exec_kernel_cost *solver_row(exec_profile *p) {
  for (int i = 0; i < p->n; i++)
    if (p->kernel[i].name == solver_name) return &p->kernel[i];
  return NULL;
}

/* The device's own copy of a name does not outlive its next profile. */
static const char *own_name(const exec_run *run, const char *name) {
  const dev_kernel *own[] = {run->builtin.copy,       run->builtin.ghosts_f64, run->builtin.ghosts_f32,
                             run->builtin.copies_f64, run->builtin.copies_f32, run->builtin.repeat_begin,
                             run->builtin.set_gate,   run->builtin.gather_f64, run->builtin.gather_f32};
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    if (strcmp(dev_kernel_name(own[i]), name) == 0) return dev_kernel_name(own[i]);
  return solver_name;
}

static void fill_cost(const exec_run *run, const dev_profile_entry *e, exec_kernel_cost *out) {
  int k = find_kernel(run->program, e->kernel);
  *out = (exec_kernel_cost){.name = k < 0 ? own_name(run, e->kernel) : run->program->execution.kernel[k].name,
                            .what = k < 0 && own_name(run, e->kernel) == solver_name
                                        ? "products, vectors, preconditioner"
                                        : "the executor's own",
                            .launches = e->launches,
                            .seconds = 1e-9 * (double)e->total_ns};
  if (k < 0) return;
  double items = (double)run->account.profile.items[k];
  out->what = run->program->execution.kernel[k].what ? run->program->execution.kernel[k].what : "";
  out->bytes = kernel_bytes(run, k, items);
  out->flops = run->program->execution.kernel[k].cost.flops * items;
}

/* The entries' texts, which belong to run and program, are moved into one block of the profile's own. */
static ew_status keep_texts(exec_profile *p, ew_error *err) {
  size_t size = 1;
  for (int i = 0; i < p->n; i++) size += strlen(p->kernel[i].name) + strlen(p->kernel[i].what) + 2;
  char *at = p->text = malloc(size);
  if (!at) return ew_fail(err, EW_FAIL, "out of memory for a profile");
  for (int i = 0; i < p->n; i++) {
    exec_kernel_cost *k = &p->kernel[i];
    const char *name = at;
    at = stpcpy(at, k->name) + 1;
    k->name = name;
    const char *what = at;
    at = stpcpy(at, k->what) + 1;
    k->what = what;
  }
  return EW_OK;
}

ew_status exec_profile_stop(exec_run *run, exec_profile *profile, ew_error *err) {
  ew_status status = EW_OK;
  const dev_profile_entry *entry = NULL;
  size_t n = 0;
  *profile = (exec_profile){.n_cells = run->points.n_cells};
  EW_CHECK(dev_profile_stop(run->device, err));
  EW_CHECK(dev_profile_get(run->device, &entry, &n, err));
  profile->kernel = calloc(n + 1, sizeof *profile->kernel);
  if (!profile->kernel) EXEC_LEAVE(err, EW_FAIL, "out of memory for a profile");
  for (size_t i = 0; i < n; i++) {
    exec_kernel_cost one, *solver = solver_row(profile);
    fill_cost(run, &entry[i], &one);
    profile->seconds += one.seconds;
    if (one.name == solver_name && solver) solver->launches += one.launches, solver->seconds += one.seconds;
    else profile->kernel[profile->n++] = one;
  }
  exec_counters now = exec_get_counters(run);
  profile->steps = now.steps - run->account.profile.begin.steps;
  profile->wall_seconds = now.seconds - run->account.profile.begin.seconds;
  EW_CHECK(keep_texts(profile, err));
cleanup:
  if (status != EW_OK) exec_profile_clear(profile);
  return status;
}

void exec_profile_clear(exec_profile *profile) {
  free(profile->kernel);
  free(profile->text);
  *profile = (exec_profile){0};
}

/* ---- the table ------------------------------------------------------------------------------------------------------------ */

static void print_kernel(const exec_kernel_cost *k, double total, const dev_rates *rates, FILE *out) {
  double gbs = k->seconds > 0 ? 1e-9 * k->bytes / k->seconds : 0;
  fprintf(out, "%-32s %8llu %10.3f %6.1f %9.2f", k->name, (unsigned long long)k->launches, 1e3 * k->seconds,
          total > 0 ? 100 * k->seconds / total : 0, gbs);
  if (rates && rates->triad_gbs > 0) fprintf(out, " %7.2f", gbs / rates->triad_gbs);
  fprintf(out, " %9.2f  %s\n", k->seconds > 0 ? 1e-9 * k->flops / k->seconds : 0, k->what);
}

void exec_profile_print(const exec_profile *p, const dev_rates *rates, FILE *out) {
  bool triad = rates && rates->triad_gbs > 0;
  fprintf(out, "%-32s %8s %10s %6s %9s%s %9s  %s\n", "kernel", "launches", "ms", "%", "GB/s",
          triad ? "   triad" : "", "GFlop/s", "computes");
  for (int i = 0; i < p->n; i++) print_kernel(&p->kernel[i], p->seconds, rates, out);
  fprintf(out, "kernels %.3f ms, wall %.3f ms, %lld steps of %d cells", 1e3 * p->seconds,
          1e3 * p->wall_seconds, (long long)p->steps, p->n_cells);
  if (p->wall_seconds > 0)
    fprintf(out, ": %.2f million cell-steps a second",
            1e-6 * (double)p->steps * p->n_cells / p->wall_seconds);
  fprintf(out, "\n");
  if (triad)
    fprintf(out, "GB/s: compulsory traffic over kernel time; triad: its share of this device's %.1f GB/s\n",
            rates->triad_gbs);
}
