/* See ensemble_steps.h. What differs between members lies in buffers of all, a member's part behind the other's, and is found in the kernel by
 * the member's number, which its work-groups follow from their own. */
#include "run/ensemble_steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/timing.h"

enum { FIRST_LAUNCH = 5, ITEMS_OF_UNIT = 256, MOST_TIMES = 8, ROUNDS = 2, LEAST_TIMED = 8 };

/* ---- which runs can ------------------------------------------------------------------------------------------------------------ */

const char *ensemble_steps_alone(const exec_run *run) {
  if (!run->code.joins)
    return "the scheme's step is not one kernel on this device (docs: `launches = together`)";
  if (!run->code.joins->whole) return "a step of the scheme is several kernels, or exchanges buffers";
  return NULL;
}

static const exec_join *join_of(const exec_run *run) { return &run->code.joins->join[0]; }

static const dslc_op *op_of(const exec_run *run, int i) {
  return &run->program->execution.section[DSLC_SECTION_STEP].op[join_of(run)->first + i];
}

static const char *difference(const exec_run *a, const exec_run *b) {
  const dslc_execution *x = &a->program->execution, *y = &b->program->execution;
  if (strcmp(x->source, y->source) != 0 || x->n_buffers != y->n_buffers)
    return "members differ in their kernels: in a variant, a rule, or what they show";
  for (int i = 0; i < x->n_buffers; i++)
    if (!a->buffer[i] != !b->buffer[i] ||
        (a->buffer[i] && dev_buffer_bytes(a->buffer[i]) != dev_buffer_bytes(b->buffer[i])))
      return "members differ in their meshes";
  if (join_of(a)->first != join_of(b)->first || join_of(a)->count != join_of(b)->count)
    return "members differ in which sides obey which rule";
  for (int i = 0; i < join_of(a)->count; i++) {
    const exec_range p = exec_items(a, op_of(a, i), 0), q = exec_items(b, op_of(b, i), 0);
    if (p.first != q.first || p.count != q.count) return "members differ in which sides obey which rule";
  }
  return NULL;
}

static exec_run *first_of(const ensemble_steps *s) {
  for (int i = 0; i < s->n; i++)
    if (s->run[i]) return s->run[i];
  return NULL;
}

/* ---- buffers ---------------------------------------------------------------------------------------------------------------------- */

/* Bytes from one member's part to the next one's. */
static uint64_t apart(const exec_run *run, int buffer) {
  const uint64_t bytes = dev_buffer_bytes(run->buffer[buffer]);
  return (bytes + DEV_PART_ALIGNMENT - 1) / DEV_PART_ALIGNMENT * DEV_PART_ALIGNMENT;
}

/* Has it the same in all members, for good? */
static ew_status is_common(const ensemble_steps *s, int b, bool *common, ew_error *err) {
  ew_status status = EW_OK;
  const exec_run *first = first_of(s);
  const dslc_buffer_kind kind = first->program->execution.buffer[b].kind;
  const uint64_t bytes = dev_buffer_bytes(first->buffer[b]);
  *common = kind == DSLC_BUFFER_GEOMETRY || kind == DSLC_BUFFER_TOPOLOGY;
  if (!*common) return EW_OK;
  char *one = malloc(bytes), *other = malloc(bytes);
  if (!one || !other) status = ew_fail(err, EW_FAIL, "out of memory to compare members' meshes");
  if (status == EW_OK) status = dev_buffer_read(first->buffer[b], 0, bytes, one, err);
  for (int i = 0; i < s->n && status == EW_OK && *common; i++) {
    if (!s->run[i] || s->run[i] == first) continue;
    status = dev_buffer_read(s->run[i]->buffer[b], 0, bytes, other, err);
    *common = status == EW_OK && memcmp(one, other, bytes) == 0;
  }
  free(one);
  free(other);
  return status;
}

/* A member's buffer becomes a part of the whole, with what it holds. */
static ew_status become_part(ensemble_steps *s, exec_run *run, int b, uint64_t offset, ew_error *err) {
  ew_status status = EW_OK;
  dev_buffer *part = NULL;
  const uint64_t bytes = dev_buffer_bytes(run->buffer[b]);
  EW_CHECK(dev_buffer_part(s->whole[b], offset, bytes, &part, err));
  if (run->buffer[b] != s->whole[b]) {
    EW_CHECK(dev_buffer_copy(part, 0, run->buffer[b], 0, bytes, err));
    dev_buffer_destroy(&run->buffer[b]);
  }
  run->buffer[b] = part;
  part = NULL;
cleanup:
  dev_buffer_destroy(&part);
  return status;
}

static ew_status gather_buffer(ensemble_steps *s, int b, int64_t *elements_apart, ew_error *err) {
  ew_status status = EW_OK;
  exec_run *first = first_of(s);
  const dslc_buffer *known = &first->program->execution.buffer[b];
  bool common;
  *elements_apart = 0;
  if (!first->buffer[b] || known->kind == DSLC_BUFFER_ALIAS) return EW_OK;
  const uint64_t step = apart(first, b);
  EW_CHECK(is_common(s, b, &common, err));
  if (common) s->whole[b] = first->buffer[b];
  else {
    EW_CHECK(dev_buffer_create(first->device, known->name, step * (uint64_t)s->n, &s->whole[b], err));
    if (known->element == DSLC_F64) dev_buffer_hold_doubles(s->whole[b]);
  }
  for (int i = 0; i < s->n; i++)
    if (s->run[i]) EW_CHECK(become_part(s, s->run[i], b, common ? 0 : step * (uint64_t)i, err));
  if (!common) *elements_apart = (int64_t)(step / exec_element_size(known->element));
cleanup:
  if (s->whole[b] == first->buffer[b])
    s->whole[b] = NULL; /* no part was made of it: it is still the member's */
  return status;
}

/* ---- arguments ---------------------------------------------------------------------------------------------------------------------- */

static double parameter_of(const exec_run *run, const dslc_arg *a) {
  return run->parameter[a->number][a->component];
}

static bool parameters_differ(const ensemble_steps *s, const dslc_arg *a) {
  const exec_run *first = first_of(s);
  for (int i = 0; i < s->n; i++)
    if (s->run[i] && parameter_of(s->run[i], a) != parameter_of(first, a)) return true;
  return false;
}

/* The arguments of the launches, one after the other, in the members. */
static void describe(const ensemble_steps *s, const int64_t *buffer_apart, dslc_member_argument *out,
                     const dslc_arg **number, int *n_numbers) {
  const exec_run *run = first_of(s);
  int n = 0;
  *n_numbers = 0;
  for (int i = 0; i < join_of(run)->count; i++) {
    const dslc_op *op = op_of(run, i);
    if (!exec_join_takes(run, op)) continue;
    const dslc_kernel *k = &run->program->execution.kernel[op->kernel];
    for (int a = 0; a < k->n_args; a++, n++) {
      const dslc_arg *arg = &k->arg[a];
      if (arg->kind == DSLC_ARG_BUFFER) out[n].apart = buffer_apart[op->buffer[arg->number]];
      if (arg->kind != DSLC_ARG_PARAMETER || !parameters_differ(s, arg)) continue;
      number[(*n_numbers)++] = arg;
      out[n].number = *n_numbers;
    }
  }
}

static ew_status upload_numbers(ensemble_steps *s, const dslc_arg *const *number, int n, ew_error *err) {
  ew_status status = EW_OK;
  double *all = calloc((size_t)s->n * (size_t)n + 1, sizeof *all);
  if (!all) return ew_fail(err, EW_FAIL, "out of memory for the parameters of %d members", s->n);
  for (int i = 0; i < s->n; i++)
    for (int k = 0; k < n && s->run[i]; k++)
      all[(size_t)i * (size_t)n + (size_t)k] = parameter_of(s->run[i], number[k]);
  status = dev_buffer_upload(first_of(s)->device, "numbers of members", all,
                             ((uint64_t)s->n * (uint64_t)n + 1) * sizeof *all, &s->number, err);
  free(all);
  return status;
}

static ew_status make_kernel(ensemble_steps *s, const int64_t *buffer_apart, ew_error *err) {
  ew_status status = EW_OK;
  exec_run *run = first_of(s);
  const size_t n = (size_t)join_of(run)->arguments + 1;
  dslc_member_argument *argument = calloc(n, sizeof *argument);
  const dslc_arg **number = calloc(n, sizeof *number);
  exec_apart members = {.argument = argument, .flags = buffer_apart[run->seen.flags]};
  if (!argument || !number) EXEC_LEAVE(err, EW_FAIL, "out of memory for the kernel of %d members", s->n);
  describe(s, buffer_apart, argument, number, &members.n_numbers);
  EW_CHECK(upload_numbers(s, number, members.n_numbers, err));
  EW_CHECK(exec_joins_for_members(run, &members, &s->program, &s->kernel, err));
cleanup:
  free(argument);
  free(number);
  return status;
}

/* ---- launches ------------------------------------------------------------------------------------------------------------------------ */

/* Of any member: what differs between them the kernel finds by itself. `rehearse`: without work. */
static ew_status set_launches(ensemble_steps *s, exec_run *run, bool rehearse, ew_error *err) {
  ew_status status = EW_OK;
  dev_buffer **own = run->buffer;
  const dslc_section *step = &run->program->execution.section[DSLC_SECTION_STEP];
  unsigned at = FIRST_LAUNCH;
  run->buffer = s->whole;
  for (int i = 0; i < join_of(run)->count; i++) {
    const dslc_op *op = op_of(run, i);
    if (!exec_join_takes(run, op)) continue;
    const exec_launch l = {step, op, exec_items(run, op, 0)};
    EW_CHECK(dev_kernel_set_i32(s->kernel, at++,
                                rehearse ? 0 : exec_join_groups(run, op, join_of(run)->group), err));
    EW_CHECK(exec_launch_arguments(run, &l, s->kernel, at, err));
    at += (unsigned)run->program->execution.kernel[op->kernel].n_args;
  }
cleanup:
  run->buffer = own;
  return status;
}

/* ---- how many work-groups are fastest ---------------------------------------------------------------------------------------------------- */

static void begin_race(group_race *r, int32_t most) {
  *r = (group_race){.most = most};
  for (int32_t groups = most; groups > 0; groups /= 2) r->seconds[r->entered++] = INFINITY;
}

static bool is_racing(const group_race *r) { return r->launches < r->entered * ROUNDS; }

/* Of the one whose turn it is, then of the fastest. */
static int32_t groups_now(const group_race *r) {
  int best = 0;
  for (int i = 1; i < r->entered; i++)
    if (r->seconds[i] < r->seconds[best]) best = i;
  return r->most >> (is_racing(r) ? r->launches % r->entered : best);
}

/* ---- steps ------------------------------------------------------------------------------------------------------------------------------- */

static ew_status launch(ensemble_steps *s, exec_run *run, bool rehearse, ew_error *err) {
  ew_status status = EW_OK;
  const int32_t groups = groups_now(&s->groups);
  const size_t group = (size_t)join_of(run)->group, bytes = (size_t)s->n * sizeof *s->wanted;
  if (memcmp(s->wanted, s->sent, bytes) != 0) {
    EW_CHECK(dev_buffer_write(s->step, 0, bytes, s->wanted, err));
    memcpy(s->sent, s->wanted, bytes);
  }
  EW_CHECK(dev_kernel_set_i32(s->kernel, 0, groups, err));
  EW_CHECK(dev_kernel_set_buffer(s->kernel, 1, s->step, err));
  EW_CHECK(dev_kernel_set_buffer(s->kernel, 2, s->gate, err));
  EW_CHECK(dev_kernel_set_buffer(s->kernel, 3, s->whole[run->seen.flags], err));
  EW_CHECK(dev_kernel_set_buffer(s->kernel, 4, s->number, err));
  EW_CHECK(set_launches(s, run, rehearse, err));
  EW_CHECK(dev_kernel_launch(s->kernel, (uint64_t)s->n * (uint64_t)groups * group, group, err));
cleanup:
  memset(s->wanted, 0, bytes);
  return status;
}

static int most_wanted(const ensemble_steps *s) {
  int most = 0;
  for (int i = 0; i < s->n; i++)
    if (s->wanted[i] > most) most = s->wanted[i];
  return most;
}

ew_status ensemble_steps_launch(ensemble_steps *s, ew_error *err) {
  ew_status status = EW_OK;
  exec_run *run = first_of(s);
  group_race *r = &s->groups;
  const int steps = most_wanted(s), entrant = r->launches % (r->entered ? r->entered : 1);
  if (!is_racing(r) || steps < LEAST_TIMED) return launch(s, run, false, err);
  EW_CHECK(dev_finish(run->device, err));
  const double begun = ew_seconds();
  EW_CHECK(launch(s, run, false, err));
  EW_CHECK(dev_finish(run->device, err));
  r->seconds[entrant] = fmin(r->seconds[entrant], (ew_seconds() - begun) / steps);
  r->launches++;
cleanup:
  return status;
}

/* ---- how many work-groups ----------------------------------------------------------------------------------------------------------- */

static bool gave_up(const ensemble_steps *s, int member, ew_status *status, ew_error *err) {
  int32_t gate[EXEC_GATE];
  *status =
      dev_buffer_read(s->gate, (uint64_t)member * DSLC_MEMBER_GATE * sizeof *gate, sizeof gate, gate, err);
  return *status == EW_OK && gate[EXEC_GATE - 1] != 0;
}

/* Were all groups of all members under way at once? */
static ew_status rehearse(ensemble_steps *s, bool *good, ew_error *err) {
  ew_status status = EW_OK;
  *good = true;
  for (int i = 0; i < s->n; i++) s->wanted[i] = 1;
  EW_CHECK(launch(s, first_of(s), true, err));
  for (int i = 0; i < s->n && *good && status == EW_OK; i++) *good = !gave_up(s, i, &status, err);
  if (status == EW_OK && !*good)
    status = dev_buffer_fill(s->gate, 0, (uint64_t)s->n * DSLC_MEMBER_GATE * sizeof(int32_t), &(int32_t){0},
                             sizeof(int32_t), err);
cleanup:
  return status;
}

/* As many as have work, and as the device runs at once; one of a member waits for nobody. */
static ew_status choose_groups(ensemble_steps *s, ew_error *err) {
  ew_status status = EW_OK;
  exec_run *run = first_of(s);
  const dev_info *d = dev_get_info(run->device);
  const int group = join_of(run)->group;
  int32_t most = 1;
  bool good = !d->concurrent;
  begin_race(&s->groups, 1);
  for (int i = 0; i < join_of(run)->count; i++) {
    const dslc_op *op = op_of(run, i);
    const int32_t n = exec_join_takes(run, op) ? exec_join_groups(run, op, group) : 0;
    if (n > most) most = n;
  }
  for (int times = MOST_TIMES; times > 0 && !good; times /= 2) {
    const int64_t at_once = (int64_t)d->compute_units * times * ITEMS_OF_UNIT / group;
    const int64_t each = at_once / s->n;
    begin_race(&s->groups, each < 1 ? 1 : each < most ? (int32_t)each : most);
    if (s->groups.most == 1) break;
    EW_CHECK(rehearse(s, &good, err));
  }
  if (!good) begin_race(&s->groups, 1);
cleanup:
  return status;
}

ew_status ensemble_steps_check(const ensemble_steps *s, int member, ew_error *err) {
  ew_status status;
  if (!gave_up(s, member, &status, err)) return status;
  return ew_fail(err, EW_DEVICE,
                 "work-groups have waited for each other in vain: they did not run side by side");
}

/* ---- life -------------------------------------------------------------------------------------------------------------------------- */

ew_status ensemble_steps_gather(ensemble_steps *s, const char **why, ew_error *err) {
  ew_status status = EW_OK;
  exec_run *first = first_of(s);
  const uint64_t members = (uint64_t)s->n;
  for (int i = 0; i < s->n && !*why; i++)
    if (s->run[i]) *why = difference(first, s->run[i]);
  if (*why) return EW_OK;
  s->n_buffers = first->program->execution.n_buffers;
  s->whole = calloc((size_t)s->n_buffers + 1, sizeof *s->whole);
  int64_t *buffer_apart = calloc((size_t)s->n_buffers + 1, sizeof *buffer_apart);
  if (!s->whole || !buffer_apart) EXEC_LEAVE(err, EW_FAIL, "out of memory for %d members", s->n);
  for (int b = 0; b < s->n_buffers; b++) EW_CHECK(gather_buffer(s, b, &buffer_apart[b], err));
  EW_CHECK(
      dev_buffer_create(first->device, "gates", members * DSLC_MEMBER_GATE * sizeof(int32_t), &s->gate, err));
  EW_CHECK(dev_buffer_create(first->device, "steps of members", members * sizeof(int32_t), &s->step, err));
  EW_CHECK(make_kernel(s, buffer_apart, err));
  EW_CHECK(choose_groups(s, err));
cleanup:
  free(buffer_apart);
  return status;
}

void ensemble_steps_clear(ensemble_steps *s) {
  dev_kernel_destroy(&s->kernel);
  dev_program_destroy(&s->program);
  dev_buffer_destroy(&s->gate);
  dev_buffer_destroy(&s->step);
  dev_buffer_destroy(&s->number);
  for (int b = 0; s->whole && b < s->n_buffers; b++) dev_buffer_destroy(&s->whole[b]);
  free(s->whole);
}
