/* The instructions of the model machine. */
#include <math.h>
#include <string.h>

#include "kernel/machine.h"

/* ---- Memory ------------------------------------------------------------------------------------------------------------ */

static bool found(dslc_machine *m, uint32_t at, dslc_fault_kind kind, const char *what, const kir_region *r,
                  int64_t offset) {
  const kir_finding f = {
      .kind = kind, .at = at, .what = what, .region = r, .offset = offset, .item = m->range.item};
  return kir_found(m, &f);
}

static int64_t offset_of(uint64_t pointer) {
  return (int64_t)(pointer << KIR_REGION_BITS) >> KIR_REGION_BITS;
}

static uint64_t moved(uint64_t pointer, uint64_t bytes) {
  const uint64_t offset = ((uint64_t)1 << KIR_OFFSET_BITS) - 1;
  return (pointer & ~offset) | ((pointer + bytes) & offset);
}

/* The region and the offset, or NULL for what lies outside. A pointer that was read where nobody had written is no region's. */
static inline const kir_region *reach(dslc_machine *m, uint32_t at, uint64_t pointer, int64_t *offset,
                                      unsigned size) {
  const uint64_t number = pointer >> KIR_OFFSET_BITS;
  const kir_region *r = &m->regions[number < (uint64_t)m->n_regions ? number : 0];
  const uint64_t o = (uint64_t)(*offset += offset_of(pointer));
  if (o < r->bytes && r->bytes - o >= size) return r;
  found(m, at, DSLC_FAULT_OUTSIDE, "access outside", r, *offset);
  return NULL;
}

static inline uint8_t *begin_of(const kir_item *item, const kir_region *r) {
  return r->mode == KIR_MODE_PRIVATE ? (uint8_t *)&item->slots[r->slot] : r->base;
}

static inline uint8_t *shadow_of(const kir_item *item, const kir_region *r) {
  return item->shadow + 2 * (size_t)r->slot;
}

static inline const uint8_t *read_at(dslc_machine *m, const kir_item *item, uint32_t at, uint64_t pointer,
                                     int64_t offset, unsigned size) {
  const kir_region *r = reach(m, at, pointer, &offset, size);
  if (!r) return NULL;
  switch (r->mode) {
  case KIR_MODE_PRIVATE:
    if (!shadow_of(item, r)[offset >> 2])
      found(m, at, DSLC_FAULT_UNSET, "read of what was never written", r, offset);
    break;
  case KIR_MODE_LOCAL:
    if (r->records[offset >> r->shift].written < m->clock.group_start)
      found(m, at, DSLC_FAULT_UNSET, "read of what was never written", r, offset);
    else kir_note_read(m, r, offset, at);
    break;
  case KIR_MODE_SHARED: kir_note_read(m, r, offset, at); /* fall through */
  default:
    if (!r->set[offset >> 2]) found(m, at, DSLC_FAULT_UNSET, "read of what was never written", r, offset);
    break;
  }
  return begin_of(item, r) + offset;
}

static inline bool write_to(dslc_machine *m, const kir_item *item, const kir_insn *in, uint32_t at,
                            int64_t offset, unsigned size) {
  const kir_region *r = reach(m, at, item->slots[in->b].w, &offset, size);
  if (!r) return false;
  uint8_t *to = begin_of(item, r) + offset;
  const kir_slot *value = &item->slots[in->a];
  if (r->mode == KIR_MODE_PRIVATE) shadow_of(item, r)[offset >> 2] = 1;
  else kir_note_write(m, r, offset, at, false, in->extra && memcmp(to, value, size) == 0);
  if (r->mode == KIR_MODE_SHARED) r->set[offset >> 2] = 1;
  memcpy(to, value, size); /* little-endian: the low bytes */
  return true;
}

static int32_t combined(int builtin, int32_t old, int32_t operand) {
  switch (builtin) {
  case KIR_B_ATOMIC_MIN: return operand < old ? operand : old;
  case KIR_B_ATOMIC_MAX: return operand > old ? operand : old;
  case KIR_B_ATOMIC_ADD: return (int32_t)((uint32_t)old + (uint32_t)operand);
  case KIR_B_ATOMIC_OR: return old | operand;
  default: return operand; /* exchange */
  }
}

static bool atomic(dslc_machine *m, const kir_item *item, const kir_insn *in, uint32_t at) {
  int64_t offset = 0;
  const kir_region *r = reach(m, at, item->slots[in->b].w, &offset, 4);
  if (!r) return false;
  const bool is_set = r->mode == KIR_MODE_LOCAL
                          ? r->records[offset >> r->shift].written >= m->clock.group_start
                          : r->set[offset >> 2] != 0;
  if (!is_set && in->extra != KIR_B_ATOMIC_XCHG)
    found(m, at, DSLC_FAULT_UNSET, "read of what was never written", r, offset);
  kir_note_write(m, r, offset, at, true, false);
  if (r->mode == KIR_MODE_SHARED) r->set[offset >> 2] = 1;
  int32_t old, made;
  memcpy(&old, r->base + offset, 4);
  made = combined(in->extra, old, item->slots[in->c].i);
  memcpy(r->base + offset, &made, 4);
  item->slots[in->a].i = old;
  return true;
}

/* ---- What is not simple -------------------------------------------------------------------------------------------------- */

static void arithmetic(dslc_machine *m, uint32_t at, const char *what) {
  found(m, at, DSLC_FAULT_ARITHMETIC, what, NULL, 0);
}

static double math_d(int builtin, double a, double b) {
  switch (builtin) {
  case KIR_B_SQRT: return sqrt(a);
  case KIR_B_CBRT: return cbrt(a);
  case KIR_B_FABS: return fabs(a);
  case KIR_B_EXP: return exp(a);
  case KIR_B_LOG: return log(a);
  case KIR_B_SIN: return sin(a);
  case KIR_B_COS: return cos(a);
  case KIR_B_TAN: return tan(a);
  case KIR_B_ASIN: return asin(a);
  case KIR_B_ACOS: return acos(a);
  case KIR_B_ATAN: return atan(a);
  case KIR_B_SINH: return sinh(a);
  case KIR_B_COSH: return cosh(a);
  case KIR_B_TANH: return tanh(a);
  case KIR_B_FLOOR: return floor(a);
  case KIR_B_CEIL: return ceil(a);
  case KIR_B_RINT: return rint(a);
  case KIR_B_POW: return pow(a, b);
  case KIR_B_ATAN2: return atan2(a, b);
  case KIR_B_FMIN: return fmin(a, b);
  case KIR_B_FMAX: return fmax(a, b);
  case KIR_B_FMOD: return fmod(a, b);
  case KIR_B_HYPOT: return hypot(a, b);
  default: return NAN;
  }
}

/* Exact operations and roots in double precision round to the same float. */
static float math_f(int builtin, float a, float b) { return (float)math_d(builtin, (double)a, (double)b); }

static int32_t is_d(int builtin, double a) {
  if (builtin == KIR_B_ISNAN) return a != a;
  return builtin == KIR_B_ISINF ? isinf(a) != 0 : isfinite(a) != 0;
}

static kir_slot min_max(unsigned extra, kir_slot a, kir_slot b) {
  const bool least = (extra & 255) == KIR_B_MIN;
  bool first = false;
  if ((extra & 255) == KIR_B_ABS) return (kir_slot){.u = a.i < 0 ? 0u - (uint32_t)a.i : (uint32_t)a.i};
  switch ((kir_kind)(extra >> 8)) {
  case KIR_UINT: first = a.u < b.u; break;
  case KIR_LONG: first = a.l < b.l; break;
  case KIR_ULONG: first = a.w < b.w; break;
  default: first = a.i < b.i; break;
  }
  return first == least ? a : b;
}

static uint64_t place_in_launch(const dslc_machine *m, int builtin, uint32_t dim) {
  const bool inside = dim < 3;
  switch (builtin) {
  case KIR_B_GLOBAL_ID:
    return inside ? m->range.group[dim] * m->range.local[dim] + m->range.local_id[dim] : 0;
  case KIR_B_LOCAL_ID: return inside ? m->range.local_id[dim] : 0;
  case KIR_B_GROUP_ID: return inside ? m->range.group[dim] : 0;
  case KIR_B_GLOBAL_SIZE: return inside ? m->range.size[dim] : 1;
  case KIR_B_LOCAL_SIZE: return inside ? m->range.local[dim] : 1;
  default: return inside ? m->range.groups[dim] : 1;
  }
}

static int32_t narrow(dslc_machine *m, uint32_t at, unsigned kind, int32_t value) {
  switch ((kir_kind)kind) {
  case KIR_UCHAR: return (uint8_t)value;
  case KIR_USHORT: return (uint16_t)value;
  case KIR_CHAR:
    if (value != (int8_t)value) arithmetic(m, at, "a number that does not fit a char");
    return (int8_t)value;
  case KIR_SHORT:
    if (value != (int16_t)value) arithmetic(m, at, "a number that does not fit a short");
    return (int16_t)value;
  default: return value;
  }
}

static int64_t to_long(dslc_machine *m, uint32_t at, double x) {
  if (x >= -0x1p63 && x < 0x1p63) return (int64_t)x;
  arithmetic(m, at, x == x ? "a number that does not fit an integer" : "an integer made of a NaN");
  return 0;
}

static uint64_t to_ulong(dslc_machine *m, uint32_t at, double x) {
  if (x > -1.0 && x < 0x1p64) return (uint64_t)x;
  arithmetic(m, at, x == x ? "a number that does not fit an integer" : "an integer made of a NaN");
  return 0;
}

static void check_set(dslc_machine *m, const kir_insn *in, uint32_t at) {
  const kir_finding f = {.kind = DSLC_FAULT_UNSET,
                         .at = at,
                         .what = "read of a variable that was never set",
                         .name = m->code->tracked.at[in->extra < m->code->tracked.n ? in->extra : 0]->name,
                         .item = m->range.item};
  kir_found(m, &f);
}

static bool too_long(dslc_machine *m, uint32_t at) {
  if (++m->loops <= m->options.loop_limit) return false;
  found(m, at, DSLC_FAULT_ENDLESS, "a loop without end", NULL, 0);
  return true;
}

/* ---- Instructions ------------------------------------------------------------------------------------------------------------ */

#define A        R[in->a]
#define B        R[in->b]
#define C        R[in->c]
#define CASE(ID) case KIR_OP_##ID:
#define SIMPLE(ID, statement)                                                                                \
  CASE(ID) statement;                                                                                        \
  break;
#define CHECKED(ID, field, builtin)                                                                          \
  CASE(ID) if (builtin(B.field, C.field, &A.field)) arithmetic(m, at, "an integer overflows");               \
  break;
#define UNLESS_BAD(ID, statement, bad, what)                                                                 \
  CASE(ID) {                                                                                                 \
    const bool is_bad = (bad);                                                                               \
    if (is_bad) {                                                                                            \
      arithmetic(m, at, what);                                                                               \
      A.w = 0;                                                                                               \
    } else {                                                                                                 \
      statement;                                                                                             \
    }                                                                                                        \
    break;                                                                                                   \
  }
#define DIVISION(ID, field, op, bad)                                                                         \
  UNLESS_BAD(ID, A.field = B.field op C.field, bad, "a division by zero, or that overflows")
#define SHIFT(ID, field, expression, bad)                                                                    \
  UNLESS_BAD(ID, A.field = (expression), bad, "a shift by too much, or of a negative number")
#define BITWISE(S, field)                                                                                    \
  SIMPLE(BAND_##S, A.field = B.field & C.field)                                                              \
  SIMPLE(BOR_##S, A.field = B.field | C.field)                                                               \
  SIMPLE(XOR_##S, A.field = B.field ^ C.field)
/* `raw`: the same bits without a sign. */
#define SIGNED(S, field, raw, type, bits, least, most)                                                       \
  CHECKED(ADD_##S, field, __builtin_add_overflow)                                                            \
  CHECKED(SUB_##S, field, __builtin_sub_overflow)                                                            \
  CHECKED(MUL_##S, field, __builtin_mul_overflow)                                                            \
  DIVISION(DIV_##S, field, /, C.field == 0 || (C.field == -1 && B.field == (least)))                         \
  DIVISION(MOD_##S, field, %, C.field == 0 || (C.field == -1 && B.field == (least)))                         \
  SHIFT(SHL_##S, field, (type)(B.raw << C.u), C.u >= (bits) || B.field < 0 || B.field > (most) >> C.u)       \
  SHIFT(SHR_##S, field, B.field >> C.u, C.u >= (bits))                                                       \
  BITWISE(S, field)
#define UNSIGNED(S, field, bits)                                                                             \
  SIMPLE(ADD_##S, A.field = B.field + C.field)                                                               \
  SIMPLE(SUB_##S, A.field = B.field - C.field)                                                               \
  SIMPLE(MUL_##S, A.field = B.field * C.field)                                                               \
  DIVISION(DIV_##S, field, /, C.field == 0)                                                                  \
  DIVISION(MOD_##S, field, %, C.field == 0)                                                                  \
  SHIFT(SHL_##S, field, B.field << C.u, C.u >= (bits))                                                       \
  SHIFT(SHR_##S, field, B.field >> C.u, C.u >= (bits))                                                       \
  BITWISE(S, field)
#define FLOATING(S, field)                                                                                   \
  SIMPLE(ADD_##S, A.field = B.field + C.field)                                                               \
  SIMPLE(SUB_##S, A.field = B.field - C.field)                                                               \
  SIMPLE(MUL_##S, A.field = B.field * C.field)                                                               \
  SIMPLE(DIV_##S, A.field = B.field / C.field)
#define COMPARISONS(S, field)                                                                                \
  SIMPLE(LT_##S, A.l = B.field < C.field)                                                                    \
  SIMPLE(LE_##S, A.l = B.field <= C.field)                                                                   \
  SIMPLE(EQ_##S, A.l = B.field == C.field)                                                                   \
  SIMPLE(NE_##S, A.l = B.field != C.field)
#define UNLESS(ID, condition)                                                                                \
  CASE(ID) if (!(condition)) at = in->a - 1;                                                                 \
  break;
#define LOAD(ID, type, field, offset)                                                                        \
  CASE(ID) {                                                                                                 \
    const uint8_t *from = read_at(m, item, at, B.w, (offset), sizeof(type));                                 \
    type value;                                                                                              \
    if (!from) goto stop;                                                                                    \
    memcpy(&value, from, sizeof value);                                                                      \
    A.field = value;                                                                                         \
    break;                                                                                                   \
  }
#define LOADS(ID, type, field)                                                                               \
  LOAD(LOAD_##ID##_X, type, field, (int64_t)C.i *(int64_t)sizeof(type))                                      \
  LOAD(LOAD_##ID##_Y, type, field, C.l *(int64_t)sizeof(type))                                               \
  LOAD(LOAD_##ID##_O, type, field, (int64_t)in->c)
#define STORE(ID, bytes, offset)                                                                             \
  CASE(ID) if (!write_to(m, item, in, at, (offset), bytes)) goto stop;                                       \
  break;
#define STORES(bits, bytes)                                                                                  \
  STORE(STORE_##bits##_X, bytes, (int64_t)C.i *(bytes))                                                      \
  STORE(STORE_##bits##_Y, bytes, C.l *(bytes))                                                               \
  STORE(STORE_##bits##_O, bytes, (int64_t)in->c)

void kir_run(dslc_machine *m, kir_item *item) {
  const kir_insn *const insns = m->code->insns.at;
  kir_slot *const R = item->slots;
  m->running = item;
  uint32_t at = item->at;
  uint64_t steps = 0;
  for (;; at++) {
    const kir_insn *in = &insns[at];
    steps++;
    switch ((kir_opcode)in->op) {
      SIMPLE(MOV, A = B)
      SIGNED(I, i, u, int32_t, 32, INT32_MIN, INT32_MAX)
      SIGNED(L, l, w, int64_t, 64, INT64_MIN, INT64_MAX)
      UNSIGNED(U, u, 32)
      UNSIGNED(Z, w, 64)
      FLOATING(D, f)
      FLOATING(F, s)
      COMPARISONS(I, i)
      COMPARISONS(U, u)
      COMPARISONS(L, l)
      COMPARISONS(Z, w)
      COMPARISONS(D, f)
      COMPARISONS(F, s)
      CASE(NEG_I) if (__builtin_sub_overflow(0, B.i, &A.i)) arithmetic(m, at, "an integer overflows");
      break;
      CASE(NEG_L)
      if (__builtin_sub_overflow((int64_t)0, B.l, &A.l)) arithmetic(m, at, "an integer overflows");
      break;
      SIMPLE(NEG_U, A.u = 0u - B.u)
      SIMPLE(NEG_Z, A.w = 0u - B.w)
      SIMPLE(NEG_D, A.f = -B.f)
      SIMPLE(NEG_F, A.s = -B.s)
      SIMPLE(COMPL_I, A.i = ~B.i)
      SIMPLE(COMPL_L, A.l = ~B.l)
      SIMPLE(NOT_I, A.l = !B.i)
      SIMPLE(I_L, A.l = B.i)
      SIMPLE(I_D, A.f = (double)B.i)
      CASE(U_I) if (B.u > INT32_MAX) arithmetic(m, at, "a number that does not fit an int");
      A.u = B.u;
      break;
      SIMPLE(U_L, A.l = (int64_t)B.u)
      SIMPLE(U_D, A.f = (double)B.u)
      CASE(L_I) if (B.l != (int32_t)B.l) arithmetic(m, at, "a number that does not fit an int");
      A.i = (int32_t)B.l;
      break;
      SIMPLE(L_U, A.u = (uint32_t)B.w)
      SIMPLE(L_D, A.f = (double)B.l)
      SIMPLE(L_F, A.s = (float)B.l)
      CASE(Z_L) if (B.l < 0) arithmetic(m, at, "a number that does not fit a long");
      A = B;
      break;
      SIMPLE(Z_D, A.f = (double)B.w)
      SIMPLE(D_L, A.l = to_long(m, at, B.f))
      SIMPLE(D_Z, A.w = to_ulong(m, at, B.f))
      SIMPLE(D_F, A.s = (float)B.f)
      SIMPLE(F_D, A.f = (double)B.s)
      SIMPLE(NARROW, A.i = narrow(m, at, in->extra, B.i))
      CASE(JUMP) if (in->a <= at && too_long(m, at)) goto stop;
      at = in->a - 1;
      break;
      UNLESS(JUMP_IF, !B.i)
      UNLESS(JUMP_UNLESS, B.i)
      UNLESS(UNLESS_LT_I, B.i < C.i)
      UNLESS(UNLESS_LE_I, B.i <= C.i)
      UNLESS(UNLESS_EQ_I, B.i == C.i)
      UNLESS(UNLESS_NE_I, B.i != C.i)
      UNLESS(UNLESS_LT_D, B.f < C.f)
      UNLESS(UNLESS_LE_D, B.f <= C.f)
      UNLESS(UNLESS_EQ_D, B.f == C.f)
      UNLESS(UNLESS_NE_D, B.f != C.f)
      UNLESS(IF_EQ_L, B.l != C.l)
      CASE(CALL) B.w = at + 1;
      at = in->a - 1;
      break;
      CASE(RETURN) at = B.u - 1;
      break;
      CASE(EXIT) item->at = KIR_DONE;
      m->steps += steps;
      return;
      CASE(NO_VALUE)
      found(m, at, DSLC_FAULT_UNSET, "a function that ends without the value it is to return", NULL, 0);
      goto stop;
      CASE(BARRIER) item->at = at;
      m->steps += steps;
      return;
      SIMPLE(FORGET, memset(item->shadow + 2 * (size_t)in->a, 0, 2 * (size_t)in->b))
      CASE(CLEAR) memset(R + in->a, 0, sizeof *R * (size_t)in->b);
      memset(item->shadow + 2 * (size_t)in->a, 1, 2 * (size_t)in->b);
      break;
      CASE(CHECK) if (!item->shadow[2 * (size_t)in->a]) check_set(m, in, at);
      break;
      SIMPLE(MARK, memset(item->shadow + 2 * (size_t)in->a, 1, 2 * (size_t)in->b))
      LOADS(S8, int8_t, i)
      LOADS(U8, uint8_t, i)
      LOADS(S16, int16_t, i)
      LOADS(U16, uint16_t, i)
      LOADS(32, uint32_t, u)
      LOADS(64, uint64_t, w)
      STORES(8, 1)
      STORES(16, 2)
      STORES(32, 4)
      STORES(64, 8)
      SIMPLE(POINT, A.w = moved(B.w, (uint64_t)C.l * in->extra))
      CASE(ATOMIC) if (!atomic(m, item, in, at)) goto stop;
      break;
      SIMPLE(ID, A.w = place_in_launch(m, in->extra, B.u))
      SIMPLE(SQRT_D, A.f = sqrt(B.f))
      SIMPLE(FABS_D, A.f = fabs(B.f))
      SIMPLE(MIN_I, A.i = C.i < B.i ? C.i : B.i)
      SIMPLE(MAX_I, A.i = B.i < C.i ? C.i : B.i)
      SIMPLE(MATH_D, A.f = math_d(in->extra, B.f, C.f))
      SIMPLE(MATH_F, A.s = math_f(in->extra, B.s, C.s))
      SIMPLE(FMA_D, A.f = fma(A.f, B.f, C.f))
      SIMPLE(FMA_F, A.s = fmaf(A.s, B.s, C.s))
      SIMPLE(MIN_MAX, A = min_max(in->extra, B, C))
      SIMPLE(IS_D, A.i = is_d(in->extra, B.f))
    case KIR_OP_COUNT: goto stop;
    }
  }
stop:
  item->at = KIR_STOPPED;
  m->steps += steps;
}
