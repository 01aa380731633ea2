/* Hash-consing: open addressing over (hash, id) pairs, at most half full. */
#include "ir/ir_internal.h"

#include <string.h>

typedef struct table_slot {
  uint32_t hash;
  ir_id id; /* 0: free */
} table_slot;

struct ir_table {
  table_slot *slot;
  uint32_t n_slots, used;
};

enum { FIRST_SLOTS = 256 };

/* What tells two nodes with equal operator, type and operands apart. */
typedef struct attributes {
  uint64_t a, b;
} attributes;

/* Doubles count by their bits: 0.0 and -0.0 are two constants, a NaN is equal to itself. */
static attributes attributes_of(const ir_node *n) {
  attributes k = {0, 0};
  switch (n->op) {
  case IR_CONST: memcpy(&k.a, &n->value, sizeof n->value); break;
  case IR_PARAM:
  case IR_READ:
    k.a = n->read.sym | (uint64_t)n->read.level << 32 | (uint64_t)n->read.at << 40 |
          (uint64_t)n->read.first << 48;
    k.b = (uint8_t)n->read.off[0] | (uint64_t)(uint8_t)n->read.off[1] << 8 |
          (uint64_t)(uint8_t)n->read.off[2] << 16 | (uint64_t)n->read.from << 24 |
          (uint64_t)n->read.context << 32;
    break;
  case IR_REDUCE:
    k.a = n->reduce.kind | (uint64_t)n->reduce.binder << 8 | (uint64_t)n->reduce.place << 16;
    k.b = n->reduce.rule;
    break;
  case IR_FIXED:
  case IR_PART: k.a = (uint64_t)(uint32_t)n->first; break;
  default: break;
  }
  return k;
}

static uint64_t mix(uint64_t h, uint64_t x) {
  h = (h ^ x) * 0x9E3779B97F4A7C15u;
  return h ^ h >> 29;
}

static uint32_t hash_of(const ir_node *n, attributes k, const ir_id *args) {
  uint64_t h =
      mix(1, n->op | (uint64_t)n->type.rank << 8 | (uint64_t)n->type.n << 16 | (uint64_t)n->n_args << 24);
  h = mix(mix(h, k.a), k.b);
  for (int i = 0; i < n->n_args; i++) h = mix(h, args[i]);
  return (uint32_t)(h >> 32);
}

static bool same(const ir_module *m, ir_id id, const ir_node *n, attributes k, const ir_id *args) {
  const ir_node *o = ir_get(m, id);
  if (o->op != n->op || o->n_args != n->n_args || !ir_type_equal(o->type, n->type)) return false;
  attributes ko = attributes_of(o);
  if (ko.a != k.a || ko.b != k.b) return false;
  return n->n_args == 0 || memcmp(ir_args(m, o), args, sizeof *args * n->n_args) == 0;
}

/* What lives on a line has one value for all points across it, so a shift across it says nothing: reads that differ in nothing
 * else are one node. */
static ir_node without_idle_shifts(const ir_module *m, ir_node n) {
  if (n.op != IR_READ || n.read.at != IR_AT_SHIFT || n.read.sym >= (ir_sym)m->symbol.n) return n;
  ir_place place = m->symbol.at[n.read.sym].place;
  if (place != IR_XLINE && place != IR_YLINE && place != IR_ZLINE) return n;
  int along = (int)place - (int)IR_XLINE;
  for (int axis = 0; axis < 3; axis++)
    if (axis != along) n.read.off[axis] = 0;
  if (n.read.off[along] == 0) n.read.at = IR_AT_HERE;
  return n;
}

static table_slot *find(const ir_module *m, uint32_t hash, const ir_node *n, const ir_id *args) {
  const struct ir_table *t = m->table;
  attributes k = attributes_of(n);
  for (uint32_t i = hash & (t->n_slots - 1);; i = (i + 1) & (t->n_slots - 1)) {
    table_slot *s = &t->slot[i];
    if (s->id == 0 || (s->hash == hash && same(m, s->id, n, k, args))) return s;
  }
}

static void grow(ir_module *m) {
  struct ir_table *t = m->table;
  uint32_t n_slots = 2 * t->n_slots;
  table_slot *slot = arena_array(m->memory, table_slot, n_slots);
  for (uint32_t i = 0; i < t->n_slots; i++) {
    if (t->slot[i].id == 0) continue;
    uint32_t at = t->slot[i].hash & (n_slots - 1);
    while (slot[at].id != 0) at = (at + 1) & (n_slots - 1);
    slot[at] = t->slot[i];
  }
  arena_return_array(m->memory, t->slot, t->n_slots);
  t->slot = slot;
  t->n_slots = n_slots;
}

ir_id ir_intern(ir_module *m, ir_node n, const ir_id *args) {
  n = without_idle_shifts(m, n);
  uint32_t hash = hash_of(&n, attributes_of(&n), args);
  table_slot *s = find(m, hash, &n, args);
  if (s->id != 0) return s->id;
  ir_id id = (ir_id)m->node.n;
  n.first_arg = (uint32_t)m->arg.n;
  for (int i = 0; i < n.n_args; i++) vec_push(m->memory, &m->arg, args[i]);
  vec_push(m->memory, &m->node, n);
  vec_push(m->memory, &m->origin, ((ir_origin){0}));
  *s = (table_slot){hash, id};
  if (2 * ++m->table->used > m->table->n_slots) grow(m);
  return id;
}

ir_id ir_lookup(const ir_module *m, const ir_node *node, const ir_id *args) {
  const ir_node n = without_idle_shifts(m, *node);
  return find(m, hash_of(&n, attributes_of(&n), args), &n, args)->id;
}

ir_module *ir_create(arena *a, intern_pool *names) {
  ir_module *m = arena_new(a, ir_module);
  m->memory = a;
  m->names = names;
  m->table = arena_new(a, struct ir_table);
  m->marks = arena_new(a, struct ir_marks);
  m->targets = arena_new(a, struct ir_targets);
  m->table->n_slots = FIRST_SLOTS;
  m->table->slot = arena_array(a, table_slot, FIRST_SLOTS);
  vec_push(a, &m->node, ((ir_node){0}));
  vec_push(a, &m->origin, ((ir_origin){0}));
  vec_push(a, &m->symbol, ((ir_symbol){0}));
  vec_push(a, &m->rule, ((ir_rule){0}));
  return m;
}
