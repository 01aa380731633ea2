/* Expressions to instructions. */
#include "kernel/lower.h"

kir_class kir_class_of(const kir_type *t) {
  switch (t->kind) {
  case KIR_UINT: return CLASS_U;
  case KIR_LONG: return CLASS_L;
  case KIR_ULONG:
  case KIR_POINTER: return CLASS_Z;
  case KIR_DOUBLE: return CLASS_D;
  case KIR_FLOAT: return CLASS_F;
  default: return CLASS_I;
  }
}

void kir_move(lowering *x, kir_reg to, kir_reg from, int n) {
  for (int i = 0; i < n; i++) kir_emit(x, KIR_OP_MOV, to + (kir_reg)i, from + (kir_reg)i, 0);
}

static kir_reg into(lowering *x, kir_reg want) { return want != kir_no_register ? want : kir_take(x, 1); }

/* ---- Conversions ------------------------------------------------------------------------------------------------------ */

/* One after the other; KIR_OP_MOV ends the list. */
static const struct {
  uint8_t op[2];
} changes[6][6] = {
    [CLASS_I] = {[CLASS_L] = {{KIR_OP_I_L}},
                 [CLASS_Z] = {{KIR_OP_I_L}},
                 [CLASS_D] = {{KIR_OP_I_D}},
                 [CLASS_F] = {{KIR_OP_I_D, KIR_OP_D_F}}},
    [CLASS_U] = {[CLASS_I] = {{KIR_OP_U_I}},
                 [CLASS_L] = {{KIR_OP_U_L}},
                 [CLASS_Z] = {{KIR_OP_U_L}},
                 [CLASS_D] = {{KIR_OP_U_D}},
                 [CLASS_F] = {{KIR_OP_U_D, KIR_OP_D_F}}},
    [CLASS_L] = {[CLASS_I] = {{KIR_OP_L_I}},
                 [CLASS_U] = {{KIR_OP_L_U}},
                 [CLASS_D] = {{KIR_OP_L_D}},
                 [CLASS_F] = {{KIR_OP_L_F}}},
    [CLASS_Z] = {[CLASS_I] = {{KIR_OP_Z_L, KIR_OP_L_I}},
                 [CLASS_U] = {{KIR_OP_L_U}},
                 [CLASS_L] = {{KIR_OP_Z_L}},
                 [CLASS_D] = {{KIR_OP_Z_D}},
                 [CLASS_F] = {{KIR_OP_Z_D, KIR_OP_D_F}}},
    [CLASS_D] = {[CLASS_I] = {{KIR_OP_D_L, KIR_OP_L_I}},
                 [CLASS_U] = {{KIR_OP_D_L, KIR_OP_L_U}},
                 [CLASS_L] = {{KIR_OP_D_L}},
                 [CLASS_Z] = {{KIR_OP_D_Z}},
                 [CLASS_F] = {{KIR_OP_D_F}}},
    [CLASS_F] = {[CLASS_D] = {{KIR_OP_F_D}}},
};

static kir_reg step_through(lowering *x, kir_reg value, kir_class from, kir_class to) {
  for (int i = 0; i < 2 && changes[from][to].op[i] != KIR_OP_MOV; i++) {
    const kir_reg made = kir_take(x, 1);
    kir_emit(x, changes[from][to].op[i], made, value, 0);
    value = made;
  }
  return value;
}

kir_reg kir_change(lowering *x, kir_reg value, const kir_type *from, const kir_type *to) {
  const kir_class a = kir_class_of(from), b = kir_class_of(to);
  if (a == CLASS_F && b != CLASS_F && b != CLASS_D) {
    value = step_through(x, value, CLASS_F, CLASS_D);
    value = step_through(x, value, CLASS_D, b);
  } else if (a != b) value = step_through(x, value, a, b);
  if (to->kind < KIR_INT && to->kind > KIR_BOOL && to->kind != from->kind) {
    const kir_reg made = kir_take(x, 1);
    kir_emit_with(x, KIR_OP_NARROW, to->kind, made, value, 0);
    return made;
  }
  return value;
}

static bool is_truth(const kir_expr *e) { /* 0 or 1 already */
  return e->type->kind == KIR_BOOL || e->kind == KIR_AND || e->kind == KIR_OR ||
         (e->kind == KIR_UNARY && e->op == KIR_NOT) ||
         (e->kind == KIR_BINARY && e->op >= KIR_LT && e->op <= KIR_NE);
}

static kir_reg zero_of(lowering *x, kir_class class) {
  kir_slot zero = {.w = 0};
  if (class == CLASS_F) zero.s = 0.0f;
  return kir_number(x, zero);
}

static kir_reg to_truth(lowering *x, const kir_expr *e, kir_reg want) {
  const kir_reg value = kir_value(x, e);
  if (is_truth(e)) return value;
  const kir_class class = kir_class_of(e->type);
  const kir_reg made = into(x, want);
  kir_emit(x, KIR_OP_NE_I + 4 * (int)class, made, value, zero_of(x, class));
  return made;
}

static kir_reg cast(lowering *x, const kir_expr *e, kir_reg want) {
  if (e->a->type->kind == KIR_ARRAY) return kir_object_pointer(x, e->a->variable);
  if (e->type->kind == KIR_VOID) return kir_value(x, e->a);
  if (e->type->kind == KIR_BOOL) return to_truth(x, e->a, want);
  if (e->type->kind == KIR_POINTER)
    return e->a->type->kind == KIR_POINTER ? kir_value(x, e->a) : kir_integer(x, 0);
  return kir_change(x, kir_value(x, e->a), e->a->type, e->type);
}

/* ---- Operators ------------------------------------------------------------------------------------------------------------- */

static int arithmetic_op(kir_op op, kir_class class) {
  if (class == CLASS_D) return KIR_OP_ADD_D + (int)(op - KIR_ADD);
  if (class == CLASS_F) return KIR_OP_ADD_F + (int)(op - KIR_ADD);
  return KIR_OP_ADD_I + 10 * (int)class + (int)(op - KIR_ADD);
}

/* a > b is b < a. */
static int comparison_op(kir_op op, kir_class class, int first, bool *swapped) {
  *swapped = op == KIR_GT || op == KIR_GE;
  const int kind = op == KIR_LT || op == KIR_GT ? 0 : op == KIR_LE || op == KIR_GE ? 1 : op == KIR_EQ ? 2 : 3;
  return first + 4 * (int)class + kind;
}

static bool is_comparison(const kir_expr *e) {
  return e->kind == KIR_BINARY && e->op >= KIR_LT && e->op <= KIR_NE;
}

static kir_reg shifted_pointer(lowering *x, const kir_expr *e, kir_reg want) {
  const kir_reg a = kir_value(x, e->a);
  kir_reg b = kir_value(x, e->b);
  if (e->op == KIR_SUB) {
    const kir_reg minus = kir_take(x, 1);
    kir_emit(x, KIR_OP_NEG_L, minus, b, 0);
    b = minus;
  }
  const kir_reg made = into(x, want);
  kir_emit_with(x, KIR_OP_POINT, (unsigned)kir_size(e->type->of), made, a, b);
  return made;
}

static kir_reg binary(lowering *x, const kir_expr *e, kir_reg want) {
  if (e->type->kind == KIR_POINTER) return shifted_pointer(x, e, want);
  const kir_class class = kir_class_of(e->a->type);
  bool swapped = false;
  const int op =
      is_comparison(e) ? comparison_op(e->op, class, KIR_OP_LT_I, &swapped) : arithmetic_op(e->op, class);
  const kir_reg a = kir_value(x, e->a), b = kir_value(x, e->b), made = into(x, want);
  x->line = e->line;
  kir_emit(x, op, made, swapped ? b : a, swapped ? a : b);
  return made;
}

static kir_reg unary(lowering *x, const kir_expr *e, kir_reg want) {
  static const uint8_t negations[] = {KIR_OP_NEG_I, KIR_OP_NEG_U, KIR_OP_NEG_L,
                                      KIR_OP_NEG_Z, KIR_OP_NEG_D, KIR_OP_NEG_F};
  const kir_class class = kir_class_of(e->type);
  const kir_reg a = kir_value(x, e->a), made = into(x, want);
  if (e->op == KIR_NOT) kir_emit(x, KIR_OP_NOT_I, made, a, 0);
  else if (e->op == KIR_NEG) kir_emit(x, negations[class], made, a, 0);
  else kir_emit(x, class == CLASS_L || class == CLASS_Z ? KIR_OP_COMPL_L : KIR_OP_COMPL_I, made, a, 0);
  return made;
}

static kir_reg truth(lowering *x, const kir_expr *e, kir_reg want) {
  kir_labels no = {0}, end = {0};
  const kir_reg made = into(x, want);
  kir_branch(x, e, false, &no);
  kir_emit(x, KIR_OP_MOV, made, kir_integer(x, 1), 0);
  kir_jump(x, KIR_OP_JUMP, &end, 0, 0);
  kir_here(x, &no);
  kir_emit(x, KIR_OP_MOV, made, kir_integer(x, 0), 0);
  kir_here(x, &end);
  return made;
}

static kir_reg choice(lowering *x, const kir_expr *e, kir_reg want) {
  kir_labels otherwise = {0}, end = {0};
  const kir_reg made = want != kir_no_register ? want : kir_take(x, kir_slots_of(e->type));
  kir_branch(x, e->a, false, &otherwise);
  kir_value_to(x, e->b, made);
  kir_jump(x, KIR_OP_JUMP, &end, 0, 0);
  kir_here(x, &otherwise);
  kir_value_to(x, e->c, made);
  kir_here(x, &end);
  return made;
}

/* ---- Assignment ---------------------------------------------------------------------------------------------------------------- */

static kir_reg updated(lowering *x, const kir_expr *e, const kir_place *place) {
  const kir_reg b = kir_value(x, e->b), old = kir_load(x, place), made = kir_take(x, 1);
  x->line = e->line;
  if (e->type->kind == KIR_POINTER) {
    kir_reg offset = b;
    if (e->op == KIR_SUB) kir_emit(x, KIR_OP_NEG_L, offset = kir_take(x, 1), b, 0);
    kir_emit_with(x, KIR_OP_POINT, (unsigned)kir_size(e->type->of), made, old, offset);
    return made;
  }
  const bool shift = e->op == KIR_SHL || e->op == KIR_SHR;
  const kir_type *between = shift ? e->type : e->b->type;
  const kir_reg widened = kir_change(x, old, e->type, between);
  kir_emit(x, arithmetic_op(e->op, kir_class_of(between)), made, widened, b);
  return kir_change(x, made, between, e->type);
}

static kir_reg assign(lowering *x, const kir_expr *e) {
  const kir_place place = kir_place_of(x, e->a);
  kir_reg value;
  if (e->op != KIR_NONE) value = updated(x, e, &place);
  else if (place.in_memory) value = kir_value(x, e->b);
  else kir_value_to(x, e->b, value = place.at);
  x->line = e->line;
  kir_store(x, &place, value);
  return value;
}

static kir_reg step(lowering *x, const kir_expr *e) {
  const kir_place place = kir_place_of(x, e->a);
  const kir_class class = kir_class_of(e->type);
  const kir_reg old = kir_load(x, &place), made = kir_take(x, 1), kept = kir_take(x, 1);
  x->line = e->line;
  if (e->postfix) kir_emit(x, KIR_OP_MOV, kept, old, 0);
  if (e->type->kind == KIR_POINTER)
    kir_emit_with(x, KIR_OP_POINT, (unsigned)kir_size(e->type->of), made, old,
                  kir_integer(x, e->op == KIR_ADD ? 1 : -1));
  else kir_emit(x, arithmetic_op(e->op, class), made, old, kir_integer(x, 1));
  kir_store(x, &place,
            kir_change(x, made, class == CLASS_I ? kir_scalar(x->program, KIR_INT) : e->type, e->type));
  return e->postfix ? kept : made;
}

static kir_reg address(lowering *x, const kir_expr *e) {
  const kir_place place = kir_place_of(x, e->a);
  if (!place.in_memory) {
    const kir_reg object = kir_object_pointer(x, place.variable);
    const int64_t offset = 8 * ((int64_t)place.at - place.variable->slot);
    if (offset == 0) return object;
    const kir_reg made = kir_take(x, 1);
    kir_emit_with(x, KIR_OP_POINT, 1, made, object, kir_integer(x, offset));
    return made;
  }
  if (place.index == kir_no_register && place.offset == 0) return place.at;
  const kir_reg made = kir_take(x, 1);
  if (place.index == kir_no_register)
    kir_emit_with(x, KIR_OP_POINT, 1, made, place.at, kir_integer(x, place.offset));
  else {
    const kir_type *type = kir_scalar(x->program, KIR_LONG);
    const kir_reg index =
        place.long_index ? place.index : kir_change(x, place.index, kir_scalar(x->program, KIR_INT), type);
    kir_emit_with(x, KIR_OP_POINT, (unsigned)kir_size(e->a->type), made, place.at, index);
  }
  return made;
}

/* ---- Calls ------------------------------------------------------------------------------------------------------------------------ */

kir_reg kir_result_offset(void) { return 1; }
kir_reg kir_parameter_offset(const kir_function *f) { return 1 + (kir_reg)kir_slots_of(f->type); }

static void patch(lowering *x, uint32_t insn, int field, const kir_function *callee) {
  const kir_patch made = {insn, field, callee};
  vec_push(x->arena, &x->patches, made);
}

/* All arguments are computed before the first is handed over: they may call the same function. */
static kir_reg call(lowering *x, const kir_expr *e, kir_reg want) {
  const kir_function *f = e->function;
  kir_reg *values = arena_array(x->arena, kir_reg, e->n + 1), at = kir_parameter_offset(f);
  for (int i = 0; i < e->n; i++) values[i] = kir_value(x, e->args[i]);
  x->line = e->line;
  for (int i = 0; i < e->n; i++)
    for (int k = 0; k < kir_slots_of(f->parameters.at[i]->type); k++)
      patch(x, kir_emit(x, KIR_OP_MOV, at++, values[i] + (kir_reg)k, 0), 'a', f);
  patch(x, kir_emit(x, KIR_OP_CALL, 0, 0, 0), 'j', f);
  const int n = kir_slots_of(f->type);
  const kir_reg made = want != kir_no_register ? want : kir_take(x, n);
  for (int k = 0; k < n; k++)
    patch(x, kir_emit(x, KIR_OP_MOV, made + (kir_reg)k, kir_result_offset() + (kir_reg)k, 0), 'b', f);
  return made;
}

static bool is_fused(int builtin, const kir_type *type, int *op) {
  const bool is_double = type->kind == KIR_DOUBLE, is_int = type->kind == KIR_INT;
  if (builtin == KIR_B_SQRT && is_double) return *op = KIR_OP_SQRT_D, true;
  if (builtin == KIR_B_FABS && is_double) return *op = KIR_OP_FABS_D, true;
  if (builtin == KIR_B_MIN && is_int) return *op = KIR_OP_MIN_I, true;
  if (builtin == KIR_B_MAX && is_int) return *op = KIR_OP_MAX_I, true;
  return false;
}

static kir_reg multiply_add(lowering *x, const kir_expr *e) {
  const kir_reg a = kir_value(x, e->args[0]), b = kir_value(x, e->args[1]), c = kir_value(x, e->args[2]),
                made = kir_take(x, 1);
  kir_emit(x, KIR_OP_MOV, made, a, 0);
  kir_emit(x, e->type->kind == KIR_FLOAT ? KIR_OP_FMA_F : KIR_OP_FMA_D, made, b, c);
  return made;
}

static int builtin_op(const kir_expr *e, unsigned *extra) {
  *extra = (unsigned)e->builtin;
  int fused = 0;
  if (is_fused(e->builtin, e->type, &fused)) return fused;
  if (e->builtin <= KIR_B_NUM_GROUPS) return KIR_OP_ID;
  if (e->builtin >= KIR_B_ATOMIC_MIN) return KIR_OP_ATOMIC;
  if (e->builtin >= KIR_B_AS_LONG && e->builtin <= KIR_B_AS_FLOAT) return KIR_OP_MOV;
  if (e->builtin == KIR_B_ISFINITE || e->builtin == KIR_B_ISNAN || e->builtin == KIR_B_ISINF)
    return KIR_OP_IS_D;
  if (e->builtin == KIR_B_MIN || e->builtin == KIR_B_MAX || e->builtin == KIR_B_ABS) {
    *extra |= (unsigned)e->args[0]->type->kind << 8;
    return KIR_OP_MIN_MAX;
  }
  return e->type->kind == KIR_FLOAT ? KIR_OP_MATH_F : KIR_OP_MATH_D;
}

static kir_reg builtin(lowering *x, const kir_expr *e, kir_reg want) {
  if (e->builtin == KIR_B_FMA) return multiply_add(x, e);
  unsigned extra = 0;
  const int op = builtin_op(e, &extra);
  kir_reg b = kir_value(x, e->args[0]), c = e->n > 1 ? kir_value(x, e->args[1]) : 0;
  if (op == KIR_OP_IS_D) b = kir_change(x, b, e->args[0]->type, kir_scalar(x->program, KIR_DOUBLE));
  const kir_reg made = into(x, want);
  x->line = e->line;
  kir_emit_with(x, op, extra, made, b, c);
  return made;
}

/* ---- Values ------------------------------------------------------------------------------------------------------------------------- */

static kir_reg constant(lowering *x, const kir_expr *e) {
  kir_slot value = {.w = 0};
  if (e->type->kind == KIR_DOUBLE) value.f = e->value.f;
  else if (e->type->kind == KIR_FLOAT) value.s = (float)e->value.f;
  else value.l = e->value.i;
  return kir_number(x, value);
}

static kir_reg loaded(lowering *x, const kir_expr *e) {
  const kir_place place = kir_place_of(x, e);
  x->line = e->line;
  return kir_load(x, &place);
}

static kir_reg listed(lowering *x, const kir_expr *e, kir_reg want) {
  const kir_reg made = want != kir_no_register ? want : kir_take(x, e->n);
  for (int i = 0; i < e->n; i++) kir_value_to(x, e->args[i], made + (kir_reg)i);
  return made;
}

static kir_reg value_into(lowering *x, const kir_expr *e, kir_reg want) {
  switch (e->kind) {
  case KIR_CONST: return constant(x, e);
  case KIR_VAR:
  case KIR_INDEX:
  case KIR_DEREF:
  case KIR_FIELD: return loaded(x, e);
  case KIR_UNARY: return unary(x, e, want);
  case KIR_BINARY: return binary(x, e, want);
  case KIR_AND:
  case KIR_OR: return truth(x, e, want);
  case KIR_SELECT: return choice(x, e, want);
  case KIR_CAST: return cast(x, e, want);
  case KIR_ADDRESS: return address(x, e);
  case KIR_CALL: return call(x, e, want);
  case KIR_BUILTIN: return builtin(x, e, want);
  case KIR_ASSIGN: return assign(x, e);
  case KIR_STEP: return step(x, e);
  case KIR_COMMA: return kir_value(x, e->a), value_into(x, e->b, want);
  case KIR_LIST: return listed(x, e, want);
  case KIR_ELEMENT:
  case KIR_NAMED: break; /* the parser has seen what macros make of them */
  }
  return 0;
}

kir_reg kir_value(lowering *x, const kir_expr *e) { return value_into(x, e, kir_no_register); }

void kir_value_to(lowering *x, const kir_expr *e, kir_reg to) {
  const kir_reg value = value_into(x, e, to);
  if (value != to) kir_move(x, to, value, kir_slots_of(e->type));
}

/* ---- Conditions ------------------------------------------------------------------------------------------------------------------------ */

static bool branch_comparison(lowering *x, const kir_expr *e, kir_labels *to) {
  const kir_class class = kir_class_of(e->a->type);
  bool swapped;
  if (class != CLASS_I && class != CLASS_D) return false;
  const int op =
      comparison_op(e->op, CLASS_I, class == CLASS_I ? KIR_OP_UNLESS_LT_I : KIR_OP_UNLESS_LT_D, &swapped);
  const kir_reg a = kir_value(x, e->a), b = kir_value(x, e->b);
  kir_jump(x, op, to, swapped ? b : a, swapped ? a : b);
  return true;
}

void kir_branch(lowering *x, const kir_expr *e, bool when, kir_labels *to) {
  while (e->kind == KIR_CAST && e->type->kind == KIR_BOOL && is_truth(e->a)) e = e->a;
  int64_t known;
  if (e->kind == KIR_UNARY && e->op == KIR_NOT) {
    kir_branch(x, e->a, !when, to);
    return;
  }
  if (e->kind == KIR_AND || e->kind == KIR_OR) {
    const bool both = (e->kind == KIR_AND) != when; /* either operand decides */
    kir_labels past = {0};
    kir_branch(x, e->a, both ? when : !when, both ? to : &past);
    kir_branch(x, e->b, when, to);
    kir_here(x, &past);
    return;
  }
  if (e->kind == KIR_CONST && kir_is_integer(e->type)) {
    known = e->value.i;
    if ((known != 0) == when) kir_jump(x, KIR_OP_JUMP, to, 0, 0);
    return;
  }
  if (!when && is_comparison(e) && branch_comparison(x, e, to)) return;
  const kir_reg value =
      e->kind == KIR_CAST && e->type->kind == KIR_BOOL ? to_truth(x, e->a, kir_no_register) : kir_value(x, e);
  kir_jump(x, when ? KIR_OP_JUMP_IF : KIR_OP_JUMP_UNLESS, to, value, 0);
}
