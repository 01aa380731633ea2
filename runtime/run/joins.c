/* See joins.h. Which operations come together is found once: launches over one range of items, and swaps between them, up to the next operation
 * of another kind. What of them has no items on this mesh is left out. */
#include "run/joins.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  ITEMS_OF_UNIT = 256,
  MOST_ARGUMENTS = 240,
  ANY_GROUP = 256,
  FIRST_LAUNCH = 4,
  MOST_STEPS = 64,
  DRIVERS_OWN = 256 /* bytes of local memory: NVIDIA's takes 8 more than the arrays are long */
};

/* What the search for joins knows. */
typedef struct search {
  exec_run *run;
  const dslc_section *step;
  dslc_kernels *kernels;
  struct exec_joins *out;
  const exec_apart *apart; /* of an ensemble's members, or NULL */
  exec_join open;
  int kernel[DSLC_JOIN_MOST]; /* of the open join's launches, and behind them of the one that is looked at */
} search;

/* ---- which operations --------------------------------------------------------------------------------------------------------- */

static exec_launch launch_of(const exec_run *run, const dslc_section *s, const dslc_op *op) {
  return (exec_launch){s, op, exec_items(run, op, 0)};
}

static void close_join(search *s) {
  if (s->open.launches > 1) s->out->join[s->out->n++] = s->open;
  s->open = (exec_join){0};
}

static bool has_local_memory(const search *s) {
  return dslc_kernels_join_local(s->kernels, s->kernel, s->open.launches + 1) + DRIVERS_OWN <=
         dev_get_info(s->run->device)->local_bytes;
}

/* Can the launch be a part of the join that is open, or begin one? */
static bool fits(search *s, const dslc_op *op, int *group) {
  const dslc_kernel *k = &s->run->program->execution.kernel[op->kernel];
  const int found = dslc_kernels_find(s->kernels, k->name);
  if (s->open.launches == DSLC_JOIN_MOST) return false;
  s->kernel[s->open.launches] = found;
  return found >= 0 && k->grid == 0 && !k->loop && exec_launch_parts(s->run, op) == 1 &&
         dslc_kernels_can_join(s->kernels, found, group) &&
         (*group == 0 || s->open.group == 0 || *group == s->open.group) &&
         s->open.arguments + k->n_args + 1 <= MOST_ARGUMENTS && has_local_memory(s);
}

static void add_launch(search *s, int at, const dslc_op *op) {
  int group = 0;
  if (exec_launch_parts(s->run, op) == 1 && exec_items(s->run, op, 0).count == 0) {
    if (s->open.launches > 0) s->open.count = at + 1 - s->open.first;
    return;
  }
  if (!fits(s, op, &group)) close_join(s);
  if (!fits(s, op, &group)) return;
  if (s->open.launches++ == 0) s->open.first = at;
  s->open.count = at + 1 - s->open.first;
  s->open.arguments += s->run->program->execution.kernel[op->kernel].n_args + 1;
  if (group > 0) s->open.group = group;
}

static void search_operations(search *s, int first, int count) {
  for (int i = first; i < first + count; i++) {
    const dslc_op *op = &s->step->op[i];
    if (op->kind == DSLC_OP_LAUNCH) add_launch(s, i, op);
    else if (op->kind != DSLC_OP_SWAP) close_join(s);
    if (op->kind != DSLC_OP_REPEAT) continue;
    search_operations(s, op->b, op->count);
    i += op->count;
  }
  close_join(s);
}

/* ---- their kernels ---------------------------------------------------------------------------------------------------------------- */

bool exec_join_takes(const exec_run *run, const dslc_op *op) {
  return op->kind == DSLC_OP_LAUNCH && exec_items(run, op, 0).count > 0;
}

static void list_kernels(const search *s, const exec_join *j, const char **name, bool *alone) {
  for (int i = 0, n = 0; i < j->count; i++) {
    const dslc_op *op = &s->step->op[j->first + i];
    if (!exec_join_takes(s->run, op)) continue;
    const dslc_kernel *k = &s->run->program->execution.kernel[op->kernel];
    alone[n] = k->one_group;
    name[n++] = k->name;
  }
}

static ew_status build(search *s, const char *text, ew_error *err) {
  ew_status status = EW_OK;
  struct exec_joins *o = s->out;
  const char *own = s->run->program->execution.source;
  const size_t size = strlen(own) + strlen(text) + 2;
  char *whole = malloc(size), name[32];
  if (!whole) return ew_fail(err, EW_FAIL, "out of memory for a step's kernels");
  snprintf(whole, size, "%s\n%s", own, text);
  EW_CHECK(dev_program_create(s->run->device, "step", whole, NULL, &o->program, err));
  for (int j = 0; j < o->n; j++) {
    snprintf(name, sizeof name, "step_%d", j);
    EW_CHECK(dev_kernel_create(o->program, name, &o->join[j].kernel, err));
  }
cleanup:
  free(whole);
  return status;
}

static ew_status make_kernels(search *s, ew_error *err) {
  ew_status status = EW_OK;
  struct exec_joins *o = s->out;
  const int n_ops = s->step->n_ops;
  dslc_join *made = calloc((size_t)o->n, sizeof *made);
  const char **kernel = calloc((size_t)n_ops + 1, sizeof *kernel);
  bool *alone = calloc((size_t)n_ops + 1, sizeof *alone);
  char(*name)[32] = calloc((size_t)o->n, sizeof *name);
  if (!made || !kernel || !alone || !name) EXEC_LEAVE(err, EW_FAIL, "out of memory for a step's kernels");
  for (int j = 0, at = 0; j < o->n; at += o->join[j++].launches) {
    if (o->join[j].group == 0) o->join[j].group = ANY_GROUP;
    snprintf(name[j], sizeof name[j], "step_%d", j);
    list_kernels(s, &o->join[j], kernel + at, alone + at);
    made[j] = (dslc_join){.name = name[j],
                          .n = o->join[j].launches,
                          .kernel = kernel + at,
                          .alone = alone + at,
                          .group = o->join[j].group};
    if (!s->apart) continue;
    made[j].member = s->apart->argument;
    made[j].n_numbers = s->apart->n_numbers;
    made[j].flags_apart = s->apart->flags;
  }
  const char *text = dslc_kernels_join(s->kernels, made, o->n);
  if (!text) EXEC_LEAVE(err, EW_FAIL, "out of memory for a step's kernels");
  EW_CHECK(build(s, text, err));
cleanup:
  free(made);
  free(kernel);
  free(alone);
  free(name);
  return status;
}

/* ---- launches ------------------------------------------------------------------------------------------------------------------------- */

/* Work-groups that the operation's own launch would have. */
int32_t exec_join_groups(const exec_run *run, const dslc_op *op, int group) {
  size_t local;
  const exec_launch l = launch_of(run, &run->program->execution.section[DSLC_SECTION_STEP], op);
  const uint64_t n = exec_launch_size(run, &l, &local);
  return (int32_t)((n + (uint64_t)group - 1) / (uint64_t)group);
}

/* `steps` 0: with no work at all, for the sake of the barriers. */
static ew_status launch(exec_run *run, const exec_join *j, int steps, ew_error *err) {
  ew_status status = EW_OK;
  struct exec_joins *o = run->code.joins;
  const dslc_section *s = &run->program->execution.section[DSLC_SECTION_STEP];
  const bool rehearse = steps == 0;
  int32_t groups = rehearse ? o->most_groups : 1;
  unsigned at = FIRST_LAUNCH;
  for (int i = 0; i < j->count; i++) {
    const dslc_op *op = &s->op[j->first + i];
    if (op->kind == DSLC_OP_SWAP && !rehearse) exec_swap(run, op->a, op->b);
    if (!exec_join_takes(run, op)) continue;
    const exec_launch l = launch_of(run, s, op);
    const int32_t n = rehearse ? 0 : exec_join_groups(run, op, j->group);
    if (n > groups) groups = n;
    EW_CHECK(dev_kernel_set_i32(j->kernel, at++, n, err));
    EW_CHECK(exec_launch_arguments(run, &l, j->kernel, at, err));
    at += (unsigned)run->program->execution.kernel[op->kernel].n_args;
  }
  if (groups > o->most_groups) groups = o->most_groups;
  EW_CHECK(dev_kernel_set_i32(j->kernel, 0, groups, err));
  EW_CHECK(dev_kernel_set_i32(j->kernel, 1, rehearse ? 1 : steps, err));
  EW_CHECK(dev_kernel_set_buffer(j->kernel, 2, o->gate, err));
  EW_CHECK(dev_kernel_set_buffer(j->kernel, 3, run->buffer[run->seen.flags], err));
  EW_CHECK(dev_kernel_launch(j->kernel, (uint64_t)groups * (uint64_t)j->group, (size_t)j->group, err));
cleanup:
  return status;
}

int exec_joins_launch(exec_run *run, const dslc_section *s, int first, ew_status *status, ew_error *err) {
  const struct exec_joins *o = run->code.joins;
  if (!o || s != &run->program->execution.section[DSLC_SECTION_STEP] || run->account.profile.on) return 0;
  for (int j = 0; j < o->n; j++)
    if (o->join[j].first == first) {
      *status = launch(run, &o->join[j], 1, err);
      return o->join[j].count;
    }
  return 0;
}

/* A step that is one join, and leaves every buffer where it was. */
static bool is_whole(const exec_run *run, const struct exec_joins *o) {
  const dslc_section *s = &run->program->execution.section[DSLC_SECTION_STEP];
  const int first = o->join[0].first, end = first + o->join[0].count;
  for (int i = 0; i < s->n_ops; i++)
    if (s->op[i].kind != DSLC_OP_LAUNCH || (exec_join_takes(run, &s->op[i]) && (i < first || i >= end)))
      return false;
  return o->n == 1;
}

int exec_joins_steps(exec_run *run, int most, ew_status *status, ew_error *err) {
  const struct exec_joins *o = run->code.joins;
  if (!o || !o->whole || run->account.profile.on) return 0;
  const int steps = most < MOST_STEPS ? most : MOST_STEPS;
  *status = launch(run, &o->join[0], steps, err);
  return steps;
}

/* ---- whether groups run side by side ------------------------------------------------------------------------------------------------------ */

static ew_status gave_up(const exec_run *run, bool *vain, ew_error *err) {
  int32_t gate[EXEC_GATE];
  const ew_status status = dev_buffer_read(run->code.joins->gate, 0, sizeof gate, gate, err);
  *vain = status == EW_OK && gate[EXEC_GATE - 1] != 0;
  return status;
}

/* Each group tells the next one something. */
static ew_status try_groups(exec_run *run, bool *good, ew_error *err) {
  ew_status status = EW_OK;
  struct exec_joins *o = run->code.joins;
  const int32_t n = o->most_groups;
  int32_t wrong = 1;
  bool vain = true;
  dev_kernel *test = NULL;
  dev_buffer *value = NULL;
  EW_CHECK(dev_kernel_create(o->program, "join_test", &test, err));
  EW_CHECK(dev_buffer_create(run->device, "values of groups",
                             ((uint64_t)n + DSLC_FLAG_CHECKS) * sizeof(int32_t), &value, err));
  EW_CHECK(dev_kernel_set_i32(test, 0, n, err));
  EW_CHECK(dev_kernel_set_buffer(test, 1, o->gate, err));
  EW_CHECK(dev_kernel_set_buffer(test, 2, value, err));
  EW_CHECK(dev_kernel_set_i32(test, 3, n, err));
  EW_CHECK(dev_kernel_launch(test, (uint64_t)n * (uint64_t)o->join[0].group, (size_t)o->join[0].group, err));
  EW_CHECK(dev_buffer_read(value, (uint64_t)n * sizeof wrong, sizeof wrong, &wrong, err));
  EW_CHECK(gave_up(run, &vain, err));
  *good = wrong == 0 && !vain;
cleanup:
  dev_kernel_destroy(&test);
  dev_buffer_destroy(&value);
  return status;
}

/* Then the kernels themselves, which may need more of a compute unit. */
static ew_status try_out(exec_run *run, bool *good, ew_error *err) {
  ew_status status = EW_OK;
  struct exec_joins *o = run->code.joins;
  bool vain = false;
  *good = true;
  if (o->most_groups > 1) EW_CHECK(try_groups(run, good, err));
  for (int j = 0; j < o->n && *good && o->most_groups > 1; j++) {
    EW_CHECK(launch(run, &o->join[j], 0, err));
    EW_CHECK(gave_up(run, &vain, err));
    *good = !vain;
  }
cleanup:
  return status;
}

ew_status exec_joins_check(const exec_run *run, ew_error *err) {
  bool vain = false;
  if (!run->code.joins || run->code.joins->most_groups == 1) return EW_OK;
  const ew_status status = gave_up(run, &vain, err);
  if (status != EW_OK || !vain) return status;
  return ew_fail(err, EW_DEVICE,
                 "work-groups of '%s' have waited for each other in vain: they did not run side by side\n"
                 "  hint: `--schedule launches=apart`",
                 dev_name(run->device));
}

/* ---- life --------------------------------------------------------------------------------------------------------------------------------------- */

/* A compute unit has room for so many items at least; the model machine and oclgrind run groups one after the other. */
static int32_t most_groups(const exec_run *run, const struct exec_joins *o) {
  int largest = 1;
  for (int j = 0; j < o->n; j++)
    if (o->join[j].group > largest) largest = o->join[j].group;
  const int of_unit = largest < ITEMS_OF_UNIT ? ITEMS_OF_UNIT / largest : 1;
  const dev_info *d = dev_get_info(run->device);
  return d->concurrent ? (int32_t)d->compute_units * of_unit : 1;
}

static ew_status search_step(exec_run *run, struct exec_joins *out, const exec_apart *apart, ew_error *err) {
  ew_status status = EW_OK;
  char message[600] = "";
  const dslc_section *step = &run->program->execution.section[DSLC_SECTION_STEP];
  search s = {.run = run, .step = step, .out = out, .apart = apart};
  s.kernels = dslc_kernels_parse(run->program->execution.source, "", message, sizeof message);
  if (!s.kernels && strcmp(message, "out of memory") == 0)
    return ew_fail(err, EW_FAIL, "out of memory to read a step's kernels");
  if (!s.kernels) return EW_OK; /* a text that only the device's compiler understands */
  search_operations(&s, 0, step->n_ops);
  if (out->n > 0) EW_CHECK(make_kernels(&s, err));
cleanup:
  dslc_kernels_destroy(&s.kernels);
  return status;
}

static ew_status room_for_joins(const exec_run *run, struct exec_joins *o, ew_error *err) {
  o->join = calloc((size_t)run->program->execution.section[DSLC_SECTION_STEP].n_ops + 1, sizeof *o->join);
  return o->join ? EW_OK : ew_fail(err, EW_FAIL, "out of memory for a step's kernels");
}

ew_status exec_joins_for_members(exec_run *run, const exec_apart *apart, dev_program **program,
                                 dev_kernel **kernel, ew_error *err) {
  ew_status status = EW_OK;
  struct exec_joins o = {0};
  EW_CHECK(room_for_joins(run, &o, err));
  EW_CHECK(search_step(run, &o, apart, err));
  /* it was found that it can be one: each member asked before */
  if (o.n != 1) EXEC_LEAVE(err, EW_FAIL, "a step of %d kernels was to be one: memory ran out", o.n);
cleanup:
  *program = o.program;
  *kernel = o.n > 0 ? o.join[0].kernel : NULL;
  free(o.join);
  return status;
}

/* CPUs gain nothing, and PoCL 3.1 computes such kernels wrongly (docs/devices.md). */
static bool can_join(dev_context *device) {
  return dev_get_language(device) == DEV_OPENCL_C && dev_get_info(device)->type != DEV_CPU;
}

ew_status exec_joins_create(exec_run *run, ew_error *err) {
  ew_status status = EW_OK;
  const dslc_execution *e = &run->program->execution;
  bool good = false;
  if (!e->together || run->g || run->clock.n_timed > 0 || e->n_sections <= DSLC_SECTION_STEP) return EW_OK;
  if (!can_join(run->device)) return EW_OK;
  struct exec_joins *o = run->code.joins = calloc(1, sizeof *o);
  if (!o) return ew_fail(err, EW_FAIL, "out of memory for a step's kernels");
  EW_CHECK(room_for_joins(run, o, err));
  EW_CHECK(search_step(run, o, NULL, err));
  if (o->n == 0) return exec_joins_destroy(run), EW_OK;
  o->most_groups = most_groups(run, o);
  o->whole = is_whole(run, o);
  EW_CHECK(dev_buffer_create(run->device, "gate", EXEC_GATE * sizeof(int32_t), &o->gate, err));
  EW_CHECK(try_out(run, &good, err));
  if (!good) exec_joins_destroy(run);
cleanup:
  return status;
}

void exec_joins_destroy(exec_run *run) {
  struct exec_joins *o = run->code.joins;
  if (!o) return;
  for (int j = 0; o->join && j < o->n; j++) dev_kernel_destroy(&o->join[j].kernel);
  dev_buffer_destroy(&o->gate);
  dev_program_destroy(&o->program);
  free(o->join);
  free(o);
  run->code.joins = NULL;
}
