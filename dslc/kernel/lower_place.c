/* Places: variables in registers, objects that pointers can point to, and memory behind pointers. */
#include "kernel/lower.h"

int kir_slots_of(const kir_type *t) {
  if (t->kind == KIR_VOID) return 0;
  return t->kind == KIR_STRUCT ? t->record->fields.n : 1;
}

/* A private variable of which code keeps account whether it is set. */
bool kir_is_tracked(const kir_variable *v) {
  return v->space == KIR_PRIVATE && (!v->initialised || v->takes_address || v->type->kind == KIR_STRUCT);
}

static int shift_of(const kir_type *t) {
  if (t->kind == KIR_ARRAY) return shift_of(t->of);
  if (t->kind == KIR_STRUCT) return 3;
  const int64_t bytes = kir_size(t);
  return bytes >= 8 ? 3 : bytes >= 4 ? 2 : bytes >= 2 ? 1 : 0;
}

void kir_make_object(lowering *x, kir_variable *v) {
  const bool local = v->space == KIR_LOCAL;
  kir_object o = {.name = v->name,
                  .space = v->space,
                  .bytes = kir_size(v->type),
                  .shift = shift_of(v->type),
                  .line = v->line};
  const int64_t rounded = (o.bytes + 7) / 8 * 8;
  if (local) {
    o.offset = x->code->local_bytes;
    x->code->local_bytes += rounded;
  } else if (v->type->kind == KIR_ARRAY) o.slot = kir_take(x, rounded / 8);
  else o.slot = (uint32_t)v->slot;
  vec_push(x->arena, &x->code->objects, o);
  v->object = x->code->objects.n;
  if (x->code->objects.n + x->code->kernel->parameters.n + 1 >= 1 << KIR_REGION_BITS)
    kir_lower_fail(x, v->line, "more arrays than the model machine has numbers for");
}

kir_reg kir_object_pointer(lowering *x, const kir_variable *v) {
  const uint64_t region = (uint64_t)(x->code->kernel->parameters.n + v->object);
  return kir_integer(x, (int64_t)(region << KIR_OFFSET_BITS));
}

static kir_place memory_at(kir_reg pointer, const kir_type *type) {
  return (kir_place){.type = type,
                     .in_memory = true,
                     .is_volatile = type->is_volatile,
                     .at = pointer,
                     .index = kir_no_register};
}

static kir_place variable_place(lowering *x, const kir_expr *e) {
  const kir_variable *v = e->variable;
  if (v->space == KIR_LOCAL) return memory_at(kir_object_pointer(x, v), e->type);
  return (kir_place){.type = e->type, .at = (kir_reg)v->slot, .tracked = kir_is_tracked(v), .variable = v};
}

static kir_place indexed(lowering *x, const kir_expr *e) {
  const kir_reg pointer = kir_value(x, e->a), index = kir_value(x, e->b);
  kir_place place = memory_at(pointer, e->type);
  const kir_class class = kir_class_of(e->b->type);
  if (e->type->kind == KIR_STRUCT) {
    const kir_reg element = kir_change(x, index, e->b->type, kir_scalar(x->program, KIR_LONG));
    place.at = kir_take(x, 1);
    kir_emit_with(x, KIR_OP_POINT, (unsigned)kir_size(e->type), place.at, pointer, element);
    return place;
  }
  place.index = index;
  place.long_index = class != CLASS_I;
  if (class == CLASS_U || class == CLASS_Z)
    place.index = kir_change(x, index, e->b->type, kir_scalar(x->program, KIR_LONG));
  return place;
}

static kir_place field_place(lowering *x, const kir_expr *e) {
  const kir_expr *base = e->a;
  const bool is_place =
      base->kind == KIR_VAR || base->kind == KIR_INDEX || base->kind == KIR_DEREF || base->kind == KIR_FIELD;
  kir_place place = {.type = e->type};
  if (is_place) place = kir_place_of(x, base);
  else place.at = kir_value(x, base);
  place.type = e->type;
  if (place.in_memory) place.offset += 8 * (int64_t)e->field;
  else place.at += (kir_reg)e->field;
  return place;
}

kir_place kir_place_of(lowering *x, const kir_expr *e) {
  switch (e->kind) {
  case KIR_VAR: return variable_place(x, e);
  case KIR_INDEX: return indexed(x, e);
  case KIR_DEREF: return memory_at(kir_value(x, e->a), e->type);
  case KIR_FIELD: return field_place(x, e);
  default: break;
  }
  kir_lower_fail(x, e->line, "a place that the model machine does not know");
  return (kir_place){.type = e->type};
}

/* ---- Loads and stores -------------------------------------------------------------------------------------------------- */

static int load_op(const kir_type *t) {
  switch (t->kind) {
  case KIR_CHAR: return KIR_OP_LOAD_S8_X;
  case KIR_BOOL:
  case KIR_UCHAR: return KIR_OP_LOAD_U8_X;
  case KIR_SHORT: return KIR_OP_LOAD_S16_X;
  case KIR_USHORT: return KIR_OP_LOAD_U16_X;
  case KIR_INT:
  case KIR_UINT:
  case KIR_FLOAT: return KIR_OP_LOAD_32_X;
  default: return KIR_OP_LOAD_64_X;
  }
}

static int store_op(const kir_type *t) {
  switch (kir_size(t)) {
  case 1: return KIR_OP_STORE_8_X;
  case 2: return KIR_OP_STORE_16_X;
  case 4: return KIR_OP_STORE_32_X;
  default: return KIR_OP_STORE_64_X;
  }
}

static void access_memory(lowering *x, int op, const kir_place *p, kir_reg reg) {
  const int mode = p->index == kir_no_register ? 2 : p->long_index ? 1 : 0;
  const kir_reg c = mode == 2 ? (kir_reg)p->offset : p->index;
  kir_emit_with(x, op + mode, p->is_volatile, reg, p->at, c);
}

static kir_place field_of(const kir_place *p, int field) {
  kir_place f = *p;
  f.type = p->type->record->fields.at[field].type;
  f.offset += 8 * (int64_t)field;
  return f;
}

static void check(lowering *x, const kir_place *p) {
  const kir_variable *v = p->variable;
  kir_code *c = x->code;
  const int n = kir_slots_of(p->type);
  if (c->tracked.n == 0 || c->tracked.at[c->tracked.n - 1] != v) vec_push(x->arena, &c->tracked, v);
  const unsigned extra = c->tracked.n <= 65535 ? (unsigned)c->tracked.n - 1 : 65535;
  for (int i = 0; i < n; i++) kir_emit_with(x, KIR_OP_CHECK, extra, p->at + (kir_reg)i, 0, 0);
}

kir_reg kir_load(lowering *x, const kir_place *from) {
  if (!from->in_memory) {
    if (from->tracked && from->type->kind != KIR_STRUCT) check(x, from);
    return from->at;
  }
  const int n = kir_slots_of(from->type);
  const kir_reg to = kir_take(x, n);
  if (from->type->kind != KIR_STRUCT) access_memory(x, load_op(from->type), from, to);
  for (int i = 0; from->type->kind == KIR_STRUCT && i < n; i++) {
    const kir_place field = field_of(from, i);
    access_memory(x, load_op(field.type), &field, to + (kir_reg)i);
  }
  return to;
}

void kir_store(lowering *x, const kir_place *to, kir_reg from) {
  const int n = kir_slots_of(to->type);
  if (!to->in_memory) {
    if (from != to->at) kir_move(x, to->at, from, n);
    if (to->tracked) kir_emit(x, KIR_OP_MARK, to->at, (kir_reg)n, 0);
    return;
  }
  if (to->type->kind != KIR_STRUCT) access_memory(x, store_op(to->type), to, from);
  for (int i = 0; to->type->kind == KIR_STRUCT && i < n; i++) {
    const kir_place field = field_of(to, i);
    access_memory(x, store_op(field.type), &field, from + (kir_reg)i);
  }
}
