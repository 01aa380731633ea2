/* Queues the operations of a section. Kernels return at once while the flag DONE is set, so whole steps can be
 * queued beyond the last one; what the host does itself (swaps) is undone when it learns how far the device came. */
#include <stdlib.h>
#include <string.h>

#include "fields/on_grid.h"
#include "fields/on_nodes.h"
#include "run/joins.h"

enum { FIRST_PASSES = 4, MOST_PASSES = 64 };

/* ---- arguments --------------------------------------------------------------------------------------------------- */

/* Where the arguments of a launch go: a kernel's, from position `first` on. */
typedef struct target {
  dev_kernel *kernel;
  unsigned first;
} target;

static ew_status set_buffer(exec_run *run, const dslc_op *op, unsigned at, int slot, const target *to,
                            ew_error *err) {
  if (slot < 0 || slot >= op->n_buffers)
    return ew_fail(err, EW_INTERNAL, "kernel '%s': argument %u has slot %d of %d",
                   dev_kernel_name(to->kernel), at, slot, op->n_buffers);
  return dev_kernel_set_buffer(to->kernel, to->first + at, run->buffer[op->buffer[slot]], err);
}

static ew_status set_int(const target *to, unsigned at, int32_t value, ew_error *err) {
  return dev_kernel_set_i32(to->kernel, to->first + at, value, err);
}

static ew_status set_number(const target *to, unsigned at, double value, ew_error *err) {
  return dev_kernel_set_f64(to->kernel, to->first + at, value, err);
}

/* Where points lie. On a mesh no kernel asks. */
static ew_status set_grid_arg(exec_run *run, const dslc_arg *a, const target *to, unsigned at, int rows,
                              ew_error *err) {
  if (!run->g || a->number < 0 || a->number > 2)
    return ew_fail(err, EW_INTERNAL, "kernel '%s': argument %u asks for a grid's axis %d",
                   dev_kernel_name(to->kernel), at, a->number);
  const grid_layout *l = &run->on_grid->layout;
  int64_t value = a->kind == DSLC_ARG_POINTS  ? grid_points(run->g, a->number)
                  : a->kind == DSLC_ARG_PITCH ? l->pitch[a->number]
                  : a->kind == DSLC_ARG_ROWS  ? rows
                  : a->kind == DSLC_ARG_HALO  ? l->halo
                                              : l->origin;
  return set_int(to, at, (int32_t)value, err);
}

static ew_status set_arg(exec_run *run, const exec_launch *l, unsigned at, const target *to, ew_error *err) {
  const dslc_op *op = l->op;
  const dslc_kernel *k = &run->program->execution.kernel[op->kernel];
  const dslc_arg *a = &k->arg[at];
  switch (a->kind) {
  case DSLC_ARG_BUFFER: return set_buffer(run, op, at, a->number, to, err);
  case DSLC_ARG_ITEMS: return set_int(to, at, k->patches ? run->points.pieces->n : l->items.count, err);
  case DSLC_ARG_FIRST: return set_int(to, at, l->items.first, err);
  case DSLC_ARG_STRIDE: return set_int(to, at, run->points.place[a->number].stride, err);
  case DSLC_ARG_PARAMETER: return set_number(to, at, run->parameter[a->number][a->component], err);
  case DSLC_ARG_STAGE: return set_number(to, at, op->stage, err);
  case DSLC_ARG_WEIGHT: return set_number(to, at, op->weight[a->component], err);
  case DSLC_ARG_GROUPS:
    return set_int(to, at, op->groups_of >= 0 ? exec_groups(run, &l->section->op[op->groups_of]) : 0, err);
  case DSLC_ARG_POINTS:
  case DSLC_ARG_PITCH:
  case DSLC_ARG_ORIGIN:
  case DSLC_ARG_HALO:
  case DSLC_ARG_ROWS: return set_grid_arg(run, a, to, at, exec_grid_rows(run, k), err);
  }
  return ew_fail(err, EW_INTERNAL, "kernel '%s': argument %u is of no known kind",
                 dev_kernel_name(to->kernel), at);
}

ew_status exec_launch_arguments(exec_run *run, const exec_launch *l, dev_kernel *kernel, unsigned first,
                                ew_error *err) {
  ew_status status = EW_OK;
  const dslc_kernel *k = &run->program->execution.kernel[l->op->kernel];
  const target to = {kernel, first};
  for (int a = 0; a < k->n_args; a++) EW_CHECK(set_arg(run, l, (unsigned)a, &to, err));
  run->account.profile.items[l->op->kernel] += (uint64_t)l->items.count;
cleanup:
  return status;
}

/* ---- operations ----------------------------------------------------------------------------------------------------- */

static ew_status launch_points(exec_run *run, const dslc_op *op, ew_error *err) {
  unsigned dims;
  uint64_t global[3];
  size_t local[3];
  exec_grid_range(run, &run->program->execution.kernel[op->kernel], &dims, global, local);
  return dev_kernel_launch_nd(run->code.kernel[op->kernel], dims, global, local, err);
}

uint64_t exec_launch_size(const exec_run *run, const exec_launch *l, size_t *local) {
  const dslc_kernel *k = &run->program->execution.kernel[l->op->kernel];
  const uint64_t group = k->local_size > 0 ? (uint64_t)k->local_size : 0;
  uint64_t n = (uint64_t)l->items.count * (uint64_t)(k->lanes > 1 ? k->lanes : 1);
  if (k->one_group && group) n = group;
  if (k->patches) n = (uint64_t)run->points.pieces->n * group;
  if (k->parts > 1 && group) n = (n + group - 1) / group * group * (uint64_t)k->parts;
  *local = k->loop ? 1 : (size_t)group;
  return k->loop ? (n + group - 1) / group : n;
}

static ew_status launch_items(exec_run *run, const exec_launch *l, ew_error *err) {
  ew_status status = EW_OK;
  dev_kernel *kernel = run->code.kernel[l->op->kernel];
  size_t local;
  if (l->items.count == 0) return EW_OK;
  EW_CHECK(exec_launch_arguments(run, l, kernel, 0, err));
  if (run->program->execution.kernel[l->op->kernel].grid > 0) return launch_points(run, l->op, err);
  const uint64_t n = exec_launch_size(run, l, &local);
  EW_CHECK(dev_kernel_launch(kernel, n, local, err));
cleanup:
  return status;
}

int exec_launch_parts(const exec_run *run, const dslc_op *op) {
  return op->subset == DSLC_COLOUR ? run->points.colours.n
         : op->subset == DSLC_HOLD ? run->nodes.hold[op->rule]->n_layers
                                   : 1;
}

static ew_status launch(exec_run *run, const dslc_section *s, const dslc_op *op, ew_error *err) {
  ew_status status = EW_OK;
  EW_CHECK(exec_timed_for(run, op, err));
  const int n = exec_launch_parts(run, op);
  for (int part = 0; part < n; part++)
    EW_CHECK(launch_items(run, &(exec_launch){s, op, exec_items(run, op, part)}, err));
cleanup:
  return status;
}

void exec_swap(exec_run *run, int a, int b) {
  dev_buffer *kept = run->buffer[a];
  run->buffer[a] = run->buffer[b];
  run->buffer[b] = kept;
}

static ew_status copy(exec_run *run, int a, int b, ew_error *err) {
  ew_status status = EW_OK;
  uint64_t n = dev_buffer_bytes(run->buffer[a]) / 8;
  if (dev_buffer_bytes(run->buffer[b]) / 8 != n)
    EXEC_LEAVE(err, EW_INTERNAL, "buffers '%s' and '%s' differ in size",
               run->program->execution.buffer[a].name, run->program->execution.buffer[b].name);
  EW_CHECK(dev_kernel_set_buffer(run->builtin.copy, 0, run->buffer[run->seen.flags], err));
  EW_CHECK(dev_kernel_set_buffer(run->builtin.copy, 1, run->buffer[a], err));
  EW_CHECK(dev_kernel_set_buffer(run->builtin.copy, 2, run->buffer[b], err));
  EW_CHECK(dev_kernel_set_i32(run->builtin.copy, 3, (int32_t)n, err));
  EW_CHECK(dev_kernel_set_i32(run->builtin.copy, 4, run->nodes.skip, err));
  EW_CHECK(dev_kernel_launch(run->builtin.copy, n, 0, err));
cleanup:
  return status;
}

static ew_status ghosts(exec_run *run, int buffer, ew_error *err) {
  ew_status status = EW_OK;
  const dslc_buffer *b = &run->program->execution.buffer[buffer];
  if (run->g) return exec_grid_ghosts(run, buffer, err);
  int32_t n = run->points.n_inside - run->m->n_interior;
  dev_kernel *k = b->element == DSLC_F64 ? run->builtin.ghosts_f64 : run->builtin.ghosts_f32;
  const int32_t numbers[] = {n,
                             run->m->n_cells,
                             b->width,
                             b->aos ? 1 : run->points.place[b->place].stride,
                             b->aos ? b->width : 1,
                             run->nodes.skip};
  if (n == 0) return EW_OK;
  EW_CHECK(dev_kernel_set_buffer(k, 0, run->buffer[run->seen.flags], err));
  EW_CHECK(dev_kernel_set_buffer(k, 1, run->builtin.ghost_source, err));
  EW_CHECK(dev_kernel_set_buffer(k, 2, run->buffer[buffer], err));
  for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
    EW_CHECK(dev_kernel_set_i32(k, 3 + i, numbers[i], err));
  EW_CHECK(dev_kernel_launch(k, (uint64_t)n, 0, err));
cleanup:
  return status;
}

/* ---- repeats ---------------------------------------------------------------------------------------------------------- */

static ew_status operations(exec_run *run, const dslc_section *s, int first, int count, ew_error *err);

static int passes_flag(int flag) { return flag - DSLC_FLAG_REPEAT + DSLC_FLAG_PASSES; }

static ew_status begin_repeat(exec_run *run, int flag, ew_error *err) {
  ew_status status = EW_OK;
  dev_kernel *k = run->builtin.repeat_begin;
  EW_CHECK(dev_kernel_set_buffer(k, 0, run->buffer[run->seen.flags], err));
  EW_CHECK(dev_kernel_set_i32(k, 1, flag, err));
  EW_CHECK(dev_kernel_set_i32(k, 2, passes_flag(flag), err));
  EW_CHECK(dev_kernel_set_i32(k, 3, run->nodes.skip, err));
  EW_CHECK(dev_kernel_launch(k, 1, 0, err));
cleanup:
  return status;
}

/* Queues passes and keeps the handles after each of them: handle[k * n_buffers] after k passes. */
static ew_status queue_passes(exec_run *run, const dslc_section *s, const dslc_op *op, int passes,
                              dev_buffer **handle, ew_error *err) {
  ew_status status = EW_OK;
  size_t n = (size_t)run->program->execution.n_buffers;
  uint64_t launches = dev_get_stats(run->device).launches;
  memcpy(handle, run->buffer, n * sizeof *handle);
  for (int k = 1; k <= passes; k++) {
    EW_CHECK(operations(run, s, op->b, op->count, err));
    memcpy(handle + (size_t)k * n, run->buffer, n * sizeof *handle);
  }
  run->account.counters.queued_passes += passes;
  run->account.counters.pass_launches += (int64_t)(dev_get_stats(run->device).launches - launches);
cleanup:
  return status;
}

/* How far the device came: passes made, and whether no more are wanted, as the condition holds or a check failed. */
static ew_status look_at_passes(exec_run *run, int flag, int32_t *made, int32_t *over, ew_error *err) {
  enum { FIRST = DSLC_FLAG_FAULT, SEEN = DSLC_FLAG_PASSES + DSLC_REPEATS - FIRST };
  int32_t seen[SEEN];
  ew_status status =
      dev_buffer_read(run->buffer[run->seen.flags], FIRST * sizeof *seen, sizeof seen, seen, err);
  if (status != EW_OK) return status;
  *over = seen[flag - FIRST];
  *made = seen[passes_flag(flag) - FIRST];
  bool within = *made > 1; /* in the first pass it may have been what comes before the repeat */
  if (seen[0] && within && run->failure.failed_pass == 0) run->failure.failed_pass = *made;
  return EW_OK;
}

/* Solves and repeats wait for the device anyway: queueing passes beyond the last one would cost their looks too. */
static bool waits_inside(const dslc_section *s, const dslc_op *op) {
  for (int i = op->b; i < op->b + op->count; i++)
    if (s->op[i].kind == DSLC_OP_SOLVE || s->op[i].kind == DSLC_OP_REPEAT) return true;
  return false;
}

/* First as many as the step before took, then few and ever more: a pass too many costs a launch, a look more. */
static int passes_to_queue(const exec_run *run, const dslc_section *s, const dslc_op *op, int round,
                           int done) {
  if (waits_inside(s, op)) return 1;
  int wanted = round == 0  ? (run->failure.last_passes > 0 ? run->failure.last_passes : FIRST_PASSES)
               : round < 6 ? 1 << round
                           : MOST_PASSES;
  if (wanted > MOST_PASSES) wanted = MOST_PASSES;
  return wanted < op->limit - done ? wanted : op->limit - done;
}

/* Of the first repeat that is cut off: its condition, and how far the residuals were from it. */
static ew_status note_cut_off(exec_run *run, const dslc_op *op, ew_error *err) {
  ew_status status = EW_OK;
  const dslc_repeat *r = run->program->execution.repeat, *end = r + run->program->execution.n_repeats;
  char *to = run->failure.cut_off;
  const size_t size = sizeof run->failure.cut_off;
  while (r < end && r->flag != op->a) r++;
  if (r == end) return EW_OK;
  size_t used = (size_t)snprintf(to, size, "%.300s does not hold", r->text);
  for (int i = 0; i < r->n_residuals && used < size; i++) {
    double value;
    EW_CHECK(dev_buffer_read(run->buffer[run->seen.scalars], (uint64_t)r->residual[i] * sizeof value,
                             sizeof value, &value, err));
    used += (size_t)snprintf(to + used, size - used, "%s%.6g",
                             i                    ? ", "
                             : r->n_residuals > 1 ? ", the residuals are "
                                                  : ", the residual is ",
                             value);
  }
cleanup:
  return status;
}

static ew_status count_passes(exec_run *run, const dslc_op *op, int passes, bool over, ew_error *err) {
  run->failure.last_passes = passes;
  run->account.counters.passes += passes;
  run->account.counters.repeats += passes > 0; /* else the step was over before it */
  if (passes > run->account.counters.most_passes) run->account.counters.most_passes = passes;
  if (over || passes < op->limit) return EW_OK;
  if (run->account.counters.cut_off++ == 0 || run->c->time.finish_repeats) {
    run->account.counters.first_cut_off = exec_steps(run) + 1;
    ew_status status = note_cut_off(run, op, err);
    if (status != EW_OK) return status;
  }
  if (!run->c->time.finish_repeats) return EW_OK;
  return ew_fail(err, EW_NOT_CONVERGED,
                 "the repeat in step %lld, t = %.9g s, was not finished after %d passes, and the case asks "
                 "for that%s%s\n"
                 "  hint: a smaller step, a larger tolerance, or time = { unfinished = \"warn\" }",
                 (long long)exec_steps(run) + 1, exec_time(run), op->limit,
                 *run->failure.cut_off ? ":\n  " : "", run->failure.cut_off);
}

/* The device counts the passes it makes; so their number, and every bit, does not depend on how often the host
 * looks. */
static ew_status repeat(exec_run *run, const dslc_section *s, const dslc_op *op, ew_error *err) {
  ew_status status = EW_OK;
  size_t n = (size_t)run->program->execution.n_buffers;
  int done = 0, outer = run->nodes.skip;
  int32_t over = 0;
  dev_buffer **handle = calloc((MOST_PASSES + 1) * n + 1, sizeof *handle);
  if (!handle) EXEC_LEAVE(err, EW_FAIL, "out of memory for a repeat");
  EW_CHECK(begin_repeat(run, op->a, err));
  run->nodes.skip = op->a;
  for (int round = 0; done < op->limit && !over; round++) {
    int queued = passes_to_queue(run, s, op, round, done);
    int32_t made = 0;
    EW_CHECK(queue_passes(run, s, op, queued, handle, err));
    EW_CHECK(look_at_passes(run, op->a, &made, &over, err));
    int executed = made - done;
    if (executed < 0 || executed > queued) executed = 0; /* the step was over before the repeat began */
    memcpy(run->buffer, handle + (size_t)executed * n, n * sizeof *handle);
    done += executed;
    if (executed < queued) break; /* or it failed within */
  }
  status = count_passes(run, op, done, over || done < op->limit, err);
cleanup:
  run->nodes.skip = outer;
  free(handle);
  return status;
}

const char *exec_cut_off(const exec_run *run) { return run->failure.cut_off; }

/* ---- sections ------------------------------------------------------------------------------------------------------------ */

static ew_status operation(exec_run *run, const dslc_section *s, const dslc_op *op, ew_error *err) {
  switch (op->kind) {
  case DSLC_OP_LAUNCH: return launch(run, s, op, err);
  case DSLC_OP_SWAP: exec_swap(run, op->a, op->b); return EW_OK;
  case DSLC_OP_COPY: return copy(run, op->a, op->b, err);
  case DSLC_OP_GHOSTS: return ghosts(run, op->a, err);
  case DSLC_OP_REPEAT: return repeat(run, s, op, err);
  case DSLC_OP_SOLVE: return exec_solve(run, op->a, err);
  }
  return ew_fail(err, EW_INTERNAL, "an operation of no known kind in section '%s'", s->name);
}

static ew_status operations(exec_run *run, const dslc_section *s, int first, int count, ew_error *err) {
  ew_status status = EW_OK;
  for (int i = first; i < first + count; i++) {
    const int joined = exec_joins_launch(run, s, i, &status, err);
    if (status != EW_OK) return status;
    if (joined > 0) {
      i += joined - 1;
      continue;
    }
    EW_CHECK(operation(run, s, &s->op[i], err));
    if (s->op[i].kind == DSLC_OP_REPEAT) i += s->op[i].count; /* its own have been made */
  }
cleanup:
  return status;
}

ew_status exec_section(exec_run *run, int section, ew_error *err) {
  if (section >= run->program->execution.n_sections) return EW_OK;
  const dslc_section *s = &run->program->execution.section[section];
  return operations(run, s, 0, s->n_ops, err);
}
