/* A launch: regions from arguments, groups one after the other, the items of a group from barrier to barrier. */
#include <stdlib.h>
#include <string.h>

#include "kernel/kernels.h"
#include "kernel/machine.h"

dslc_machine *dslc_machine_create(const dslc_machine_options *options) {
  dslc_machine *m = calloc(1, sizeof *m);
  if (!m) return NULL;
  m->options = *options;
  m->random = options->seed * 0x9e3779b97f4a7c15u + 1;
  if (m->options.loop_limit == 0) m->options.loop_limit = 10000000000u;
  if (m->options.max_faults <= 0) m->options.max_faults = 20;
  m->clock.phase = 1;
  m->clock.epoch = 1;
  return m;
}

void dslc_machine_destroy(dslc_machine **machine) {
  if (!machine || !*machine) return;
  dslc_machine *m = *machine;
  free(m->regions);
  free(m->pool.items);
  free(m->pool.slots);
  free(m->pool.shadow);
  free(m->pool.order);
  free(m->group_memory.at);
  free(m->group_memory.records);
  free(m->trouble.faults);
  free(m);
  *machine = NULL;
}

uint64_t dslc_machine_steps(const dslc_machine *machine) { return machine->steps; }

/* ---- Memory of a launch ----------------------------------------------------------------------------------------------- */

static bool grow(void **memory, size_t *capacity, size_t n, size_t size) {
  if (n <= *capacity) return true;
  const size_t wanted = n + n / 2;
  free(*memory);
  *memory = calloc(wanted, size);
  *capacity = *memory ? wanted : 0;
  return *memory != NULL;
}

static bool grow_items(dslc_machine *m, size_t items) {
  const size_t per_item = m->code->n_slots, n = items * per_item;
  size_t capacity = m->pool.slot_capacity, shadows = m->pool.slot_capacity;
  bool good = grow((void **)&m->pool.items, &m->pool.item_capacity, items, sizeof *m->pool.items);
  good = grow((void **)&m->pool.slots, &capacity, n, sizeof *m->pool.slots) && good;
  good = grow((void **)&m->pool.shadow, &shadows, n, 2) && good;
  m->pool.slot_capacity = good ? capacity : 0;
  for (size_t i = 0; good && i < items; i++)
    m->pool.items[i] =
        (kir_item){.slots = m->pool.slots + i * per_item, .shadow = m->pool.shadow + 2 * i * per_item};
  return good;
}

static int shift_of(const kir_type *pointed_to) {
  const int64_t bytes = kir_size(pointed_to);
  return bytes >= 8 ? 3 : bytes >= 4 ? 2 : bytes >= 2 ? 1 : 0;
}

static bool names(const dslc_launch_argument *a, const dslc_memory *memory) {
  return a->kind == DSLC_ARGUMENT_MEMORY && a->memory == memory;
}

static bool is_written(const dslc_machine *m, const dslc_launch_argument *argument, int n,
                       const dslc_memory *memory) {
  for (int i = 0; i < n; i++)
    if (names(&argument[i], memory) && !m->code->kernel->parameters.at[i]->type->of->is_const) return true;
  return false;
}

/* A buffer that two arguments name is accounted for in the smaller one's words. */
static int shared_shift(const dslc_machine *m, const dslc_launch_argument *argument, int n,
                        const dslc_memory *memory) {
  int shift = 3;
  for (int i = 0; i < n; i++) {
    if (!names(&argument[i], memory)) continue;
    const int own = shift_of(m->code->kernel->parameters.at[i]->type->of);
    if (own < shift) shift = own;
  }
  return shift;
}

static bool bind_memory(dslc_machine *m, const dslc_launch_argument *argument, int n, int i) {
  dslc_memory *memory = argument[i].memory;
  kir_region *r = &m->regions[1 + i];
  *r = (kir_region){.name = m->code->kernel->parameters.at[i]->name, .shift = 2, .memory = memory};
  if (!memory) return true; /* a pointer to nothing */
  r->bytes = memory->bytes;
  r->base = memory->data;
  r->set = memory->set;
  r->mode = is_written(m, argument, n, memory) ? KIR_MODE_SHARED : KIR_MODE_READ;
  r->shift = shared_shift(m, argument, n, memory);
  if (r->mode == KIR_MODE_READ) return true;
  if (!kir_memory_prepare(memory, r->shift, m->clock.epoch)) return false;
  r->records = memory->records;
  return true;
}

typedef struct local_use {
  uint64_t bytes; /* so far, whole words */
} local_use;

static void bind_local(dslc_machine *m, kir_region *r, const char *name, uint64_t bytes, int shift,
                       local_use *use) {
  *r = (kir_region){.mode = KIR_MODE_LOCAL, .name = name, .bytes = bytes, .shift = shift};
  r->base = m->group_memory.at + use->bytes;
  r->records = m->group_memory.records + use->bytes; /* one for each byte at most */
  use->bytes += (bytes + 7) / 8 * 8;
}

static void bind_objects(dslc_machine *m, local_use *use) {
  const kir_code *c = m->code;
  for (int i = 0; i < c->objects.n; i++) {
    const kir_object *o = &c->objects.at[i];
    kir_region *r = &m->regions[1 + c->kernel->parameters.n + i];
    if (o->space == KIR_LOCAL) bind_local(m, r, o->name, (uint64_t)o->bytes, o->shift, use);
    else
      *r = (kir_region){.mode = KIR_MODE_PRIVATE,
                        .name = o->name,
                        .bytes = (uint64_t)o->bytes,
                        .shift = o->shift,
                        .slot = o->slot};
  }
}

static bool make_room(dslc_machine *m, const dslc_launch_argument *argument, int n) {
  const size_t regions = 1 + (size_t)m->code->kernel->parameters.n + (size_t)m->code->objects.n;
  size_t region_capacity = (size_t)m->region_capacity;
  uint64_t local = (uint64_t)m->code->local_bytes;
  for (int i = 0; i < n; i++)
    if (argument[i].kind == DSLC_ARGUMENT_LOCAL) local += (argument[i].local_bytes + 7) / 8 * 8;
  size_t memory = m->group_memory.capacity, records = m->group_memory.capacity;
  bool good = grow((void **)&m->regions, &region_capacity, regions, sizeof *m->regions);
  good = grow((void **)&m->group_memory.at, &memory, local + 8, 1) && good;
  good =
      grow((void **)&m->group_memory.records, &records, local + 8, sizeof *m->group_memory.records) && good;
  m->region_capacity = (int)region_capacity;
  m->group_memory.capacity = good ? memory : 0;
  m->n_regions = (int)regions;
  return good;
}

static bool bind(dslc_machine *m, const dslc_launch_argument *argument, int n) {
  local_use use = {0};
  if (!make_room(m, argument, n)) return false;
  m->regions[0] = (kir_region){.name = "nothing", .shift = 0};
  for (int i = 0; i < n; i++) {
    const kir_variable *v = m->code->kernel->parameters.at[i];
    m->regions[1 + i] = (kir_region){.name = v->name};
    if (argument[i].kind == DSLC_ARGUMENT_LOCAL)
      bind_local(m, &m->regions[1 + i], v->name, argument[i].local_bytes, shift_of(v->type->of), &use);
    else if (argument[i].kind == DSLC_ARGUMENT_MEMORY && !bind_memory(m, argument, n, i)) return false;
  }
  bind_objects(m, &use);
  return true;
}

/* ---- Arguments and ranges ------------------------------------------------------------------------------------------------ */

static bool fits(const kir_type *t, const dslc_launch_argument *a) {
  switch (a->kind) {
  case DSLC_ARGUMENT_MEMORY: return t->kind == KIR_POINTER && t->space != KIR_LOCAL;
  case DSLC_ARGUMENT_LOCAL: return t->kind == KIR_POINTER && t->space == KIR_LOCAL;
  case DSLC_ARGUMENT_I32: return t->kind == KIR_INT || t->kind == KIR_UINT;
  case DSLC_ARGUMENT_I64: return t->kind == KIR_LONG || t->kind == KIR_ULONG;
  case DSLC_ARGUMENT_F64: return t->kind == KIR_DOUBLE;
  }
  return false;
}

static bool check_arguments(dslc_machine *m, const dslc_launch_argument *argument, int n) {
  const kir_function *k = m->code->kernel;
  if (n != k->parameters.n) {
    kir_report_use(m, "kernel '%s' has %d parameters and is given %d arguments", k->name, k->parameters.n, n);
    return false;
  }
  for (int i = 0; i < n; i++)
    if (!fits(k->parameters.at[i]->type, &argument[i])) {
      kir_report_use(m, "kernel '%s': argument %d, `%s`, is of another type than it is given", k->name, i,
                     k->parameters.at[i]->name);
      return false;
    }
  return true;
}

static size_t chosen_group(size_t n) {
  for (size_t group = 64; group > 1; group /= 2)
    if (n % group == 0) return group;
  return 1;
}

static bool set_range(dslc_machine *m, const dslc_launch_range *range) {
  const kir_function *k = m->code->kernel;
  size_t items = 1;
  const bool chosen = range->local[0] == 0;
  for (unsigned d = 0; d < 3; d++) {
    const bool used = d < range->dims;
    m->range.size[d] = used ? range->global[d] : 1;
    m->range.local[d] = !used         ? 1
                        : !chosen     ? range->local[d]
                        : k->group[0] ? (size_t)k->group[d]
                        : d == 0      ? chosen_group(m->range.size[0])
                                      : 1;
    if (m->range.local[d] == 0 || m->range.size[d] == 0 || m->range.size[d] % m->range.local[d]) {
      kir_report_use(m, "kernel '%s': %zu items along axis %u do not make groups of %zu", k->name,
                     m->range.size[d], d, m->range.local[d]);
      return false;
    }
    if (k->group[0] && (size_t)k->group[d] != m->range.local[d]) {
      kir_report_use(m, "kernel '%s' is launched in groups of %zu along axis %u, and says it has %lld",
                     k->name, m->range.local[d], d, (long long)k->group[d]);
      return false;
    }
    m->range.groups[d] = m->range.size[d] / m->range.local[d];
    if (m->range.size[d] > KIR_ITEM || (items *= m->range.size[d]) >= KIR_ITEM) {
      kir_report_use(m, "kernel '%s': more items than the model machine counts", k->name);
      return false;
    }
  }
  return true;
}

/* ---- Groups ------------------------------------------------------------------------------------------------------------------ */

static uint64_t next_random(dslc_machine *m) { /* xorshift64* */
  uint64_t x = m->random;
  x ^= x >> 12;
  x ^= x << 25;
  x ^= x >> 27;
  m->random = x;
  return x * 0x2545f4914f6cdd1du;
}

static void shuffle(dslc_machine *m, uint32_t *order, size_t n) {
  if (m->options.seed == 0) return;
  for (size_t i = n; i > 1; i--) {
    const size_t k = (size_t)((next_random(m) >> 32) * i >> 32);
    const uint32_t kept = order[i - 1];
    order[i - 1] = order[k];
    order[k] = kept;
  }
}

static void place_item(dslc_machine *m, uint32_t group, uint32_t item) {
  const size_t in_group = m->range.local[0] * m->range.local[1] * m->range.local[2];
  size_t rest = item;
  for (int d = 0; d < 3; d++) {
    m->range.local_id[d] = rest % m->range.local[d];
    rest /= m->range.local[d];
  }
  m->range.item = (uint32_t)(group * in_group + item);
}

static void begin_item(dslc_machine *m, kir_item *item, const kir_slot *arguments) {
  const kir_code *c = m->code;
  if (c->constants.n)
    memcpy(item->slots + c->first_constant, c->constants.at, sizeof(kir_slot) * (size_t)c->constants.n);
  if (c->kernel->parameters.n)
    memcpy(item->slots + c->parameter, arguments, sizeof(kir_slot) * (size_t)c->kernel->parameters.n);
  item->at = 0;
}

static const kir_frame *frame_at(const kir_code *c, uint32_t at) {
  for (int i = 0; i < c->frames.n; i++)
    if (at >= c->frames.at[i].begin && at < c->frames.at[i].end) return &c->frames.at[i];
  return &c->frames.at[0];
}

/* Whether two items stand at one barrier and came there by the same calls. */
static bool same_way(const dslc_machine *m, const kir_item *a, const kir_item *b) {
  if (a->at != b->at) return false;
  uint32_t at = a->at;
  if (at == KIR_DONE) return true;
  for (const kir_frame *f = frame_at(m->code, at); f != m->code->frames.at; f = frame_at(m->code, at)) {
    at = a->slots[f->base].u;
    if (at != b->slots[f->base].u) return false;
  }
  return true;
}

/* All items have run to a barrier or to their end. True: go on behind the barrier. */
static bool meet(dslc_machine *m, size_t n) {
  for (size_t i = 1; i < n; i++) {
    if (same_way(m, &m->pool.items[0], &m->pool.items[i])) continue;
    const bool first_waits = m->pool.items[0].at != KIR_DONE;
    const kir_item *waiting = first_waits ? &m->pool.items[0] : &m->pool.items[i];
    const kir_finding f = {
        .kind = DSLC_FAULT_BARRIER,
        .at = waiting->at,
        .what = "a barrier that other items of the group do not reach, or reach by another way",
        .item = m->range.item - m->range.item % (uint32_t)n + (first_waits ? 0 : (uint32_t)i)};
    kir_found(m, &f);
    return false;
  }
  if (m->pool.items[0].at == KIR_DONE) return false;
  const kir_insn *barrier = &m->code->insns.at[m->pool.items[0].at];
  m->clock.phase++;
  if (barrier->extra & KIR_FENCE_LOCAL) m->clock.local_phase = m->clock.phase;
  if (barrier->extra & KIR_FENCE_GLOBAL) m->clock.global_phase = m->clock.phase;
  for (size_t i = 0; i < n; i++) m->pool.items[i].at++;
  return true;
}

static void run_group(dslc_machine *m, uint32_t group, uint32_t *order, const kir_slot *arguments) {
  const size_t n = m->range.local[0] * m->range.local[1] * m->range.local[2];
  const bool together = m->code->has_barrier; /* else one item's memory does for all */
  size_t rest = group;
  for (int d = 0; d < 3; d++) {
    m->range.group[d] = rest % m->range.groups[d];
    rest /= m->range.groups[d];
  }
  m->clock.group_start = m->clock.local_phase = m->clock.global_phase = ++m->clock.phase;
  for (size_t i = 0; together && i < n; i++) begin_item(m, &m->pool.items[i], arguments);
  do {
    shuffle(m, order, n);
    for (size_t i = 0; i < n && !m->trouble.stopped; i++) {
      kir_item *item = &m->pool.items[together ? order[i] : 0];
      if (!together) begin_item(m, item, arguments);
      place_item(m, group, order[i]);
      kir_run(m, item);
      if (item->at == KIR_STOPPED) m->trouble.stopped = true;
    }
  } while (!m->trouble.stopped && together && meet(m, n));
}

static void set_arguments(const dslc_machine *m, const dslc_launch_argument *argument, int n,
                          kir_slot *slots) {
  for (int i = 0; i < n; i++) {
    slots[i].w = 0;
    if (argument[i].kind == DSLC_ARGUMENT_I32) slots[i].l = argument[i].i32;
    else if (argument[i].kind == DSLC_ARGUMENT_I64) slots[i].l = argument[i].i64;
    else if (argument[i].kind == DSLC_ARGUMENT_F64) slots[i].f = argument[i].f64;
    else if (m->regions[1 + i].mode != KIR_MODE_NOTHING) slots[i].w = (uint64_t)(1 + i) << KIR_OFFSET_BITS;
  }
}

static void begin_phases(dslc_machine *m) {
  if (m->clock.phase > 0x80000000u) { /* long before it would begin anew */
    m->clock.phase = 1;
    m->clock.epoch++;
    if (m->group_memory.capacity)
      memset(m->group_memory.records, 0, sizeof *m->group_memory.records * m->group_memory.capacity);
  }
  m->clock.launch_start = ++m->clock.phase;
}

static bool run_groups(dslc_machine *m, const dslc_launch_argument *argument, int n) {
  const size_t items = m->range.local[0] * m->range.local[1] * m->range.local[2],
               groups = m->range.groups[0] * m->range.groups[1] * m->range.groups[2];
  kir_slot *arguments = calloc((size_t)n + 1, sizeof *arguments);
  const bool room =
      grow((void **)&m->pool.order, &m->pool.order_capacity, groups + items, sizeof *m->pool.order);
  if (!arguments || !room || !grow_items(m, m->code->has_barrier ? items : 1)) return free(arguments), false;
  set_arguments(m, argument, n, arguments);
  for (size_t i = 0; i < groups; i++) m->pool.order[i] = (uint32_t)i;
  for (size_t i = 0; i < items; i++) m->pool.order[groups + i] = (uint32_t)i;
  shuffle(m, m->pool.order, groups);
  for (size_t i = 0; i < groups && !m->trouble.stopped; i++)
    run_group(m, m->pool.order[i], m->pool.order + groups, arguments);
  free(arguments);
  return true;
}

int dslc_machine_launch(dslc_machine *m, dslc_kernels *program, int kernel,
                        const dslc_launch_argument *argument, int n_arguments,
                        const dslc_launch_range *range) {
  m->code = kir_code_of(program, kernel);
  m->trouble.n_findings = m->trouble.n_faults = 0;
  m->trouble.stopped = false;
  m->loops = 0;
  if (!m->code) {
    kir_report_use(m, "a kernel that was not opened");
    return 1;
  }
  if (!check_arguments(m, argument, n_arguments) || !set_range(m, range))
    return m->trouble.n_faults ? m->trouble.n_faults : -1;
  begin_phases(m);
  if (!bind(m, argument, n_arguments) || !run_groups(m, argument, n_arguments)) return -1;
  kir_report(m);
  return m->trouble.n_findings || !m->trouble.stopped ? m->trouble.n_findings : -1;
}
