/* Typed values: ranks, units and the operators on them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sema/internal.h"

value bad_value(span at) { return (value){.bad = true, .at = at, .type = {.rank = IR_SCALAR, .n = 1}}; }

value_type type_of(ir_rank rank, int n, const unit *u) {
  return (value_type){.rank = rank, .n = n, .unit = u};
}
value_type type_scalar(const unit *u) { return type_of(IR_SCALAR, 1, u); }

ir_type ir_type_of(value_type t) { return (ir_type){(uint8_t)t.rank, (uint8_t)t.n}; }

value scalar_value(sema *s, ir_id id, const unit *u, span at) {
  (void)s;
  return (value){.id = id, .type = type_scalar(u), .at = at};
}

value number_value(sema *s, double x, span at) {
  value v = scalar_value(s, ir_const(s->module, x), NULL, at);
  v.zero = x == 0;
  return v;
}

const char *type_text(sema *s, value_type t) {
  switch (t.rank) {
  case IR_SCALAR: return "scalar";
  case IR_VECTOR: return "vector";
  case IR_TENSOR: return "tensor";
  case IR_BOOL: return "bool";
  case IR_INT: return "int";
  case IR_LIST: return arena_printf(s->memory, "real[%d]", t.n);
  case IR_TUPLE_RANK: break;
  }
  const char *text = "(";
  for (int i = 0; i < t.n_parts; i++)
    text = arena_printf(s->memory, "%s%s%s", text, i ? ", " : "", type_text(s, t.part[i]));
  return arena_printf(s->memory, "tuple %s)", text);
}

const char *unit_of(sema *s, value_type t) {
  if (t.rank != IR_TUPLE_RANK)
    return arena_printf(s->memory, "[%s]", units_text(s->unit.units, t.unit, s->memory));
  const char *text = "(";
  for (int i = 0; i < t.n_parts; i++)
    text = arena_printf(s->memory, "%s%s%s", text, i ? ", " : "", unit_of(s, t.part[i]));
  return arena_printf(s->memory, "%s)", text);
}

bool constant_value(sema *s, value v, double *x) {
  if (v.bad || v.id == 0) return false;
  const ir_node *n = ir_get(s->module, v.id);
  if (v.type.rank == IR_BOOL) return known_number(s, v, x); /* also 2 > 1 */
  if (n->op != IR_CONST) return false;
  *x = n->value;
  return true;
}

/* ---- demands -------------------------------------------------------------------------------------------- */

/* (a, b) where a vector or a real[2] is expected: its components; of a tensor row by row. */
static bool is_literal(sema *s, value v, value_type t) {
  bool fits = v.type.rank == IR_TUPLE_RANK &&
              (t.rank == IR_VECTOR || t.rank == IR_TENSOR || t.rank == IR_LIST) && v.type.n_parts == t.n;
  for (int i = 0; fits && i < v.type.n_parts; i++) fits = v.type.part[i].rank == IR_SCALAR;
  for (int i = 1; fits && i < v.type.n_parts; i++)
    fits =
        !s->unit.check_units || units_equate(s->unit.units, v.type.part[0].unit, v.type.part[i].unit, v.at);
  return fits;
}

/* Where part i stands when the axes have been exchanged. */
static int turned_place(const sema *s, const int *axis, value_type t, int i) {
  if (!axis || t.rank == IR_LIST) return i;
  for (int k = 0; k < s->dims; k++)
    if (axis[k] >= s->dims) return i;
  if (t.rank == IR_VECTOR) return axis[i];
  return axis[i / s->dims] * s->dims + axis[i % s->dims];
}

static value literal(sema *s, value v, value_type t) {
  ir_id part[MAX_COMPONENTS];
  for (int i = 0; i < t.n; i++)
    part[turned_place(s, v.type.axis, t, i)] = ir_part(s->module, v.id, i, ir_scalar());
  v.type = type_of(t.rank, t.n, v.type.part[0].unit);
  v.id = ir_make(s->module, IR_TUPLE, ir_type_of(v.type), t.n, part);
  return v;
}

/* (3) where a real[1] is expected is no tuple, but 3. */
static value list_of_one(sema *s, value v) {
  v.type = type_of(IR_LIST, 1, v.type.unit);
  v.id = ir_make(s->module, IR_TUPLE, ir_type_of(v.type), 1, &v.id);
  return v;
}

/* (m, 0) where (scalar, vector) is expected: the zeros take the ranks of their places. */
static value adapt_parts(sema *s, value v, value_type t) {
  value part[16];
  for (int i = 0, first = 0; i < v.type.n_parts && i < 16; i++) {
    value_type own = v.type.part[i];
    part[i] = (value){
        .id = ir_part(s->module, v.id, first, ir_type_of(own)), .type = own, .zero = own.zero, .at = v.at};
    part[i] = adapt(s, part[i], t.part[i]);
    first += own.n;
  }
  return make_tuple(s, part, v.type.n_parts, v.at);
}

static bool has_loose_parts(value_type v, value_type t) {
  if (v.rank != IR_TUPLE_RANK || t.rank != IR_TUPLE_RANK || v.n_parts != t.n_parts) return false;
  for (int i = 0; i < v.n_parts; i++)
    if (v.part[i].zero && v.part[i].rank != t.part[i].rank) return true;
  return false;
}

value adapt(sema *s, value v, value_type t) {
  if (!v.bad && !v.zero && has_loose_parts(v.type, t)) return adapt_parts(s, v, t);
  if (!v.bad && is_literal(s, v, t)) return literal(s, v, t);
  if (!v.bad && !v.zero && t.rank == IR_LIST && t.n == 1 && v.type.rank == IR_SCALAR)
    return list_of_one(s, v);
  if (v.bad || !v.zero || t.rank == IR_BOOL || t.rank == IR_INT) return v;
  const bool is_number = v.type.rank == IR_SCALAR;
  if (v.measured) t.unit = v.type.unit;
  v.type = t;
  if (t.rank == IR_SCALAR && is_number) return v;
  ir_id zero = ir_const(s->module, 0), parts[MAX_COMPONENTS];
  for (int i = 0; i < t.n && i < MAX_COMPONENTS; i++) parts[i] = zero;
  v.id = t.rank == IR_SCALAR ? zero : ir_make(s->module, IR_TUPLE, ir_type_of(t), t.n, parts);
  v.zero = true;
  return v;
}

static bool same_rank(value_type a, value_type b) {
  if (a.rank != b.rank || a.n != b.n || a.n_parts != b.n_parts) return false;
  for (int i = 0; i < a.n_parts; i++)
    if (!same_rank(a.part[i], b.part[i])) return false;
  return true;
}

static bool equate_units(sema *s, value_type a, value_type b) {
  if (!s->unit.check_units || a.rank == IR_BOOL || a.rank == IR_INT) return true;
  if (a.rank != IR_TUPLE_RANK) return units_equate(s->unit.units, a.unit, b.unit, s->unit.units_at);
  bool good = true;
  for (int i = 0; i < a.n_parts; i++) good = equate_units(s, a.part[i], b.part[i]) && good;
  return good;
}

/* Where the unit of a name was found that has none in its declaration. */
static void note_inference(sema *s, diag *d, value_type t) {
  span at;
  int unknown;
  if (t.rank == IR_TUPLE_RANK || !units_origin(s->unit.units, t.unit, &unknown, &at)) return;
  for (int i = 0; i < name_map_size(s->table.entities); i++) {
    const entity *e = name_map_value(s->table.entities, i);
    if (e->kind > ENTITY_GIVEN || e->kind == ENTITY_VARIANT || e->type.rank == IR_TUPLE_RANK) continue;
    if (!units_is_unknown(e->type.unit, unknown)) continue;
    diag_with_span(s->sink, d, at, "the unit of `%s`, %s, follows from this", e->text, unit_of(s, e->type));
  }
}

static bool has_any_unit(value v) { return v.zero && !v.measured; }

bool values_agree(sema *s, value a, value b) {
  return same_rank(a.type, b.type) && (has_any_unit(a) || has_any_unit(b) || equate_units(s, a.type, b.type));
}

/* (0, 9.81) for a vector holds in 2D only. */
static void hint_at_components(sema *s, diag *d, value_type a, value_type b) {
  value_type tuple = a.rank == IR_TUPLE_RANK ? a : b, other = a.rank == IR_TUPLE_RANK ? b : a;
  if (tuple.rank == IR_TUPLE_RANK && other.rank == IR_VECTOR && tuple.n_parts != s->dims)
    diag_with_hint(s->sink, d, "in %dD a vector has %d components, this list has %d", s->dims, s->dims,
                   tuple.n_parts);
}

bool require_same(sema *s, value a, value b, span at, const char *what) {
  if (a.bad || b.bad) return false;
  if (!same_rank(a.type, b.type)) {
    diag_code code =
        a.type.rank == IR_TUPLE_RANK && b.type.rank == IR_TUPLE_RANK ? DIAG_TUPLE_SHAPE : DIAG_RANK_MISMATCH;
    diag *d = complain(s, code, at, "%s needs equal ranks, but one side is a %s and the other a %s", what,
                       type_text(s, a.type), type_text(s, b.type));
    diag_with_span(s->sink, d, a.at, "this is a %s", type_text(s, a.type));
    diag_with_span(s->sink, d, b.at, "this is a %s", type_text(s, b.type));
    hint_at_components(s, d, a.type, b.type);
    return false;
  }
  s->unit.units_at = at;
  if (has_any_unit(a) || has_any_unit(b) || equate_units(s, a.type, b.type)) return true;
  diag *d = complain(s, DIAG_UNIT_MISMATCH, at, "%s of different units: %s and %s", what, unit_of(s, a.type),
                     unit_of(s, b.type));
  diag_with_span(s->sink, d, a.at, "this has the unit %s", unit_of(s, a.type));
  diag_with_span(s->sink, d, b.at, "this has the unit %s", unit_of(s, b.type));
  note_inference(s, d, a.type);
  note_inference(s, d, b.type);
  return false;
}

bool require_fits(sema *s, value v, value_type t, span declared, const char *what) {
  if (v.bad) return false;
  diag *d;
  if (!same_rank(v.type, t)) {
    bool tuples = v.type.rank == IR_TUPLE_RANK && t.rank == IR_TUPLE_RANK;
    d = complain(s, tuples ? DIAG_TUPLE_SHAPE : DIAG_RANK_MISMATCH, v.at, "%s must be a %s, but this is a %s",
                 what, type_text(s, t), type_text(s, v.type));
    hint_at_components(s, d, v.type, t);
  } else {
    s->unit.units_at = v.at;
    if (has_any_unit(v) || equate_units(s, v.type, t)) return true;
    d = complain(s, DIAG_UNIT_MISMATCH, v.at, "%s must have the unit %s, but this has %s", what,
                 unit_of(s, t), unit_of(s, v.type));
    note_inference(s, d, v.type);
    note_inference(s, d, t);
  }
  diag_with_span(s->sink, d, declared, "declared here");
  return false;
}

bool require_unit(sema *s, value v, const unit *u, const char *what) {
  if (v.bad || has_any_unit(v) || !s->unit.check_units || v.type.rank == IR_BOOL ||
      v.type.rank == IR_TUPLE_RANK)
    return !v.bad;
  if (units_equate(s->unit.units, v.type.unit, u, v.at)) return true;
  diag *d = complain(s, DIAG_UNIT_MISMATCH, v.at, "%s must have the unit [%s], but this has %s", what,
                     units_text(s->unit.units, u, s->memory), unit_of(s, v.type));
  if (units_is_one(s->unit.units, u))
    diag_with_hint(s->sink, d, "divide by a scale with the same unit, or write the unit behind the number");
  return false;
}

bool is_unit_of_condition(sema *s, value v, const ast_unit *written, const char *of) {
  if (v.bad || !written || v.type.rank != IR_BOOL || units_is_one(s->unit.units, lower_unit(s, written)))
    return false;
  complain(s, DIAG_UNIT_MISMATCH, v.at, "`%s` is a condition, true or false: it has no unit", of);
  return true;
}

bool require_bool(sema *s, value v, const char *what) {
  if (v.bad) return false;
  if (v.type.rank == IR_BOOL) return true;
  diag *d = complain(s, DIAG_BOOL_EXPECTED, v.at, "%s needs a condition (true or false), but this is a %s",
                     what, type_text(s, v.type));
  diag_with_hint(s->sink, d, "compare it with something, as in  a > b");
  return false;
}

bool require_scalar(sema *s, value v, const char *what) {
  if (v.bad) return false;
  if (v.type.rank == IR_SCALAR) return true;
  if (v.type.rank == IR_BOOL)
    complain(s, DIAG_NUMBER_EXPECTED, v.at, "%s must be a number, but this is a condition", what);
  else
    complain(s, DIAG_RANK_MISMATCH, v.at, "%s must be a scalar, but this is a %s", what,
             type_text(s, v.type));
  return false;
}

static bool require_number(sema *s, value v, const char *what) {
  if (v.bad) return false;
  if (v.type.rank != IR_BOOL) return true;
  diag *d = complain(s, DIAG_NUMBER_EXPECTED, v.at, "%s needs numbers, but this is a condition", what);
  diag_with_hint(s->sink, d, "write `if condition then 1 else 0` to count it");
  return false;
}

/* ---- operators ---------------------------------------------------------------------------------------------- */

static value result(ir_id id, value_type t, span at) { return (value){.id = id, .type = t, .at = at}; }

static value boolean(ir_id id, span at) { return result(id, type_of(IR_BOOL, 1, NULL), at); }

/* Tuples multiplied by a scalar: the unit of every part changes. */
static value_type scale_type(sema *s, value_type t, const unit *u, bool divide) {
  if (t.rank != IR_TUPLE_RANK) {
    t.unit = divide ? units_quotient(s->unit.units, t.unit, u) : units_product(s->unit.units, t.unit, u);
    return t;
  }
  value_type *part = arena_array(s->memory, value_type, t.n_parts);
  for (int i = 0; i < t.n_parts; i++) part[i] = scale_type(s, t.part[i], u, divide);
  t.part = part;
  return t;
}

static value zero_like(sema *s, value_type t, span at) {
  value z = number_value(s, 0, at);
  z.type.unit = units_unknown(s->unit.units);
  return adapt(s, z, t);
}

/* 0 times what may be an infinity or a NaN is no 0. */
static bool is_zero_product(sema *s, value a, value b) {
  value zero = a.zero ? a : b, other = a.zero ? b : a;
  return other.zero || zero.type.rank != IR_SCALAR || is_surely_finite(s, other);
}

static value multiply(sema *s, value a, value b, span at) {
  if (!require_number(s, a, "`*`") || !require_number(s, b, "`*`")) return bad_value(at);
  ir_rank ra = a.type.rank, rb = b.type.rank;
  if (a.zero || b.zero) {
    value *zero = a.zero ? &a : &b;
    if (is_zero_product(s, a, b)) /* a term that is 0 at build time is not there */
      return zero_like(s,
                       scale_type(s, ra == IR_SCALAR ? b.type : a.type,
                                  ra == IR_SCALAR ? a.type.unit : b.type.unit, false),
                       at);
    zero->type.unit = units_unknown(s->unit.units);
  }
  value_type t;
  if (ra == IR_SCALAR) t = scale_type(s, b.type, a.type.unit, false);
  else if (rb == IR_SCALAR) t = scale_type(s, a.type, b.type.unit, false);
  else if (ra == IR_TENSOR && (rb == IR_VECTOR || rb == IR_TENSOR))
    t = scale_type(s, b.type, a.type.unit, false);
  else {
    diag *d = complain(s, DIAG_RANK_MISMATCH, at, "`*` of a %s and a %s has no meaning", type_text(s, a.type),
                       type_text(s, b.type));
    if (ra == IR_VECTOR && rb == IR_VECTOR)
      diag_with_hint(s->sink, d, "write dot(a, b) for the inner product, outer(a, b) for the tensor");
    return bad_value(at);
  }
  return result(ir_binary(s->module, IR_MUL, a.id, b.id), t, at);
}

static value divide(sema *s, value a, value b, span at) {
  if (!require_number(s, a, "`/`") || !require_scalar(s, b, "the divisor")) return bad_value(at);
  double x, y;
  if (known_number(s, b, &y) && y == 0) return refuse_division(s, at);
  if (a.zero && !cannot_vanish(s, b) && a.type.rank == IR_SCALAR) a.type.unit = units_unknown(s->unit.units);
  value_type t = scale_type(s, a.type, b.type.unit, true);
  if (a.zero && (cannot_vanish(s, b) || a.type.rank != IR_SCALAR)) return zero_like(s, t, at);
  if (constant_value(s, a, &x) && constant_value(s, b, &y)) return result(ir_const(s->module, x / y), t, at);
  return result(ir_binary(s->module, IR_DIV, a.id, b.id), t, at);
}

static value power(sema *s, value a, value b, span at) {
  if (!require_scalar(s, a, "the base of `^`") || !require_scalar(s, b, "an exponent")) return bad_value(at);
  double x;
  long num = 1, den = 1;
  const unit *u = NULL;
  if (s->unit.check_units && !units_is_one(s->unit.units, a.type.unit)) {
    if (!known_number(s, b, &x) || !units_fraction(x, &num, &den)) {
      if (!units_is_known(s->unit.units, a.type.unit)) units_equate(s->unit.units, a.type.unit, NULL, a.at);
      else {
        diag *d = complain(s, DIAG_UNIT_MISMATCH, at,
                           "a quantity with the unit %s can only be raised to a "
                           "constant fraction",
                           unit_of(s, a.type));
        diag_with_hint(s->sink, d, "make the base dimensionless first");
        return bad_value(at);
      }
    } else u = units_power(s->unit.units, a.type.unit, num, den);
  }
  require_unit(s, b, NULL, "an exponent");
  return result(ir_binary(s->module, IR_POW, a.id, b.id), type_scalar(u), at);
}

static value add(sema *s, ir_op op, value a, value b, span at) {
  const char *what = op == IR_ADD ? "addition" : "subtraction";
  if (!require_number(s, a, what) || !require_number(s, b, what)) return bad_value(at);
  bool za = a.zero, zb = b.zero;
  a = adapt(s, a, b.type);
  b = adapt(s, b, a.type);
  if (!require_same(s, a, b, at, what)) return bad_value(at);
  if (za && zb) {
    a.at = at;
    return a;
  }
  if (zb) {
    a.at = at;
    return a;
  }
  if (za)
    return op == IR_ADD ? result(b.id, b.type, at) : result(ir_unary(s->module, IR_NEG, b.id), b.type, at);
  return result(ir_binary(s->module, op, a.id, b.id), a.type, at);
}

/* Of two conditions: both hold or neither; with `!=`, one alone. */
static value same_truth(sema *s, bool equal, ir_id a, ir_id b, span at) {
  ir_module *m = s->module;
  ir_id other = ir_unary(m, IR_NOT, b), with_a = equal ? b : other, without = equal ? other : b;
  ir_id first = ir_binary(m, IR_AND, a, with_a);
  return boolean(ir_binary(m, IR_OR, first, ir_binary(m, IR_AND, ir_unary(m, IR_NOT, a), without)), at);
}

static value compare(sema *s, ir_op op, value a, value b, span at) {
  if (a.bad || b.bad) return bad_value(at);
  bool equality = op == IR_EQ || op == IR_NE;
  if (equality && a.type.rank == IR_BOOL && b.type.rank == IR_BOOL)
    return same_truth(s, op == IR_EQ, a.id, b.id, at);
  if (!require_scalar(s, a, "a compared quantity") || !require_scalar(s, b, "a compared quantity"))
    return bad_value(at);
  if (!require_same(s, a, b, at, "comparison")) return bad_value(at);
  ir_id id = ir_binary(s->module, op, a.id, b.id);
  ir_name(s->module, id, NULL, NULL, at); /* for messages about ties */
  return boolean(id, at);
}

static value logic(sema *s, ir_op op, value a, value b, span at) {
  const char *what = op == IR_AND ? "`and`" : "`or`";
  bool good = require_bool(s, a, what);
  good = require_bool(s, b, what) && good;
  return good ? boolean(ir_binary(s->module, op, a.id, b.id), at) : bad_value(at);
}

static value binary(sema *s, ast_op op, value a, value b, span at) {
  switch (op) {
  case AST_ADD: return add(s, IR_ADD, a, b, at);
  case AST_SUB: return add(s, IR_SUB, a, b, at);
  case AST_MUL: return multiply(s, a, b, at);
  case AST_DIV: return divide(s, a, b, at);
  case AST_POW: return power(s, a, b, at);
  case AST_LT: return compare(s, IR_LT, a, b, at);
  case AST_GT: return compare(s, IR_GT, a, b, at);
  case AST_LE: return compare(s, IR_LE, a, b, at);
  case AST_GE: return compare(s, IR_GE, a, b, at);
  case AST_EQ: return compare(s, IR_EQ, a, b, at);
  case AST_NE: return compare(s, IR_NE, a, b, at);
  case AST_AND: return logic(s, IR_AND, a, b, at);
  case AST_OR: return logic(s, IR_OR, a, b, at);
  case AST_NOT:
  case AST_NEG: break;
  }
  return bad_value(at);
}

value apply_binary(sema *s, ast_op op, value a, value b, span at) {
  return a.bad || b.bad ? bad_value(at) : checked_number(s, binary(s, op, a, b, at));
}

value apply_unary(sema *s, ast_op op, value a, span at) {
  if (a.bad) return bad_value(at);
  if (op == AST_NOT)
    return require_bool(s, a, "`not`") ? boolean(ir_unary(s->module, IR_NOT, a.id), at) : bad_value(at);
  if (!require_number(s, a, "`-`")) return bad_value(at);
  double x;
  if (a.zero) {
    a.at = at;
    return a;
  }
  if (constant_value(s, a, &x)) return result(ir_const(s->module, -x), a.type, at);
  return checked_number(s, result(ir_unary(s->module, IR_NEG, a.id), a.type, at));
}

value apply_select(sema *s, value c, value a, value b, span at) {
  bool good = require_bool(s, c, "`if`");
  if (!good || a.bad || b.bad) return bad_value(at);
  bool za = a.zero, zb = b.zero;
  a = adapt(s, a, b.type);
  b = adapt(s, b, a.type);
  if (!require_same(s, a, b, at, "`if ... then ... else`")) return bad_value(at);
  value r = result(ir_select(s->module, c.id, a.id, b.id), za ? b.type : a.type, at);
  if (za && zb) {
    r = a;
    r.at = at;
  }
  return r;
}

/* ---- functions ---------------------------------------------------------------------------------------------- */

static bool unit_by_rule(sema *s, ir_op op, const value *args, int n, const unit **u) {
  unit_system *us = s->unit.units;
  const char *text = ir_op_get(op)->text;
  *u = NULL;
  switch (ir_op_get(op)->unit) {
  case IR_UNIT_SAME:
    for (int i = 1; i < n; i++)
      if (!require_same(s, args[0], args[i], args[i].at, arena_printf(s->memory, "`%s`", text))) return false;
    *u = has_any_unit(args[0]) && n > 1 ? args[1].type.unit : args[0].type.unit;
    return true;
  case IR_UNIT_PRODUCT: *u = units_product(us, args[0].type.unit, args[1].type.unit); return true;
  case IR_UNIT_KEEP: *u = args[0].type.unit; return true;
  case IR_UNIT_ROOT: *u = units_power(us, args[0].type.unit, 1, 2); return true;
  case IR_UNIT_CUBE: *u = units_power(us, args[0].type.unit, 1, 3); return true;
  case IR_UNIT_NONE:
    for (int i = 0; i < n; i++)
      if (!require_unit(s, args[i], NULL, arena_printf(s->memory, "the argument of `%s`", text)))
        return false;
    return true;
  default:
    if (op == IR_ATAN2) return require_same(s, args[0], args[1], args[1].at, "`atan2`");
    return true;
  }
}

/* An argument (a, b) is a vector: tensor functions take no lists. */
static value as_vector(sema *s, value v) {
  const value_type vector = type_of(IR_VECTOR, s->dims, NULL);
  return is_literal(s, v, vector) ? literal(s, v, vector) : v;
}

static value contract(sema *s, const value *a, span at) {
  ir_rank x = a[0].type.rank, y = a[1].type.rank;
  const unit *u = units_product(s->unit.units, a[0].type.unit, a[1].type.unit);
  value_type t;
  if (x == y && (x == IR_VECTOR || x == IR_TENSOR)) t = type_scalar(u);
  else if ((x == IR_TENSOR && y == IR_VECTOR) || (x == IR_VECTOR && y == IR_TENSOR))
    t = type_of(IR_VECTOR, s->dims, u);
  else {
    diag *d = complain(s, DIAG_RANK_MISMATCH, at, "`dot` of a %s and a %s has no meaning",
                       type_text(s, a[0].type), type_text(s, a[1].type));
    if (x == IR_SCALAR || y == IR_SCALAR) diag_with_hint(s->sink, d, "a scalar factor is written with `*`");
    else hint_at_components(s, d, a[0].type, a[1].type);
    return bad_value(at);
  }
  return result(ir_make(s->module, IR_DOT, ir_type_of(t), 2, (ir_id[]){a[0].id, a[1].id}), t, at);
}

static value own_function(sema *s, ir_op op, const value *a, span at) {
  ir_rank x = a[0].type.rank;
  const unit *u = a[0].type.unit;
  int d = s->dims;
  value_type t = type_scalar(u);
  ir_rank need = op == IR_TRACE || op == IR_TRANSPOSE ? IR_TENSOR : IR_VECTOR;
  const char *text = ir_op_get(op)->text;
  if (op == IR_DOT) return contract(s, a, at);
  if (op == IR_NORM && x == IR_SCALAR) need = IR_SCALAR;
  for (int i = 0; i < ir_op_get(op)->arity; i++)
    if (a[i].type.rank != need) {
      complain(s, DIAG_RANK_MISMATCH, a[i].at, "`%s` takes a %s, but this is a %s", text,
               need == IR_TENSOR ? "tensor" : "vector", type_text(s, a[i].type));
      return bad_value(at);
    }
  if (op == IR_NORM && x == IR_SCALAR) op = IR_ABS;
  if (op == IR_OUTER) t = type_of(IR_TENSOR, d * d, units_product(s->unit.units, u, a[1].type.unit));
  if (op == IR_TRANSPOSE) t = type_of(IR_TENSOR, d * d, u);
  if (op == IR_CROSS) {
    t = type_of(d == 3 ? IR_VECTOR : IR_SCALAR, d == 3 ? 3 : 1,
                units_product(s->unit.units, u, a[1].type.unit));
  }
  ir_id args[2] = {a[0].id, ir_op_get(op)->arity > 1 ? a[1].id : 0};
  return result(ir_make(s->module, op, ir_type_of(t), ir_op_get(op)->arity, args), t, at);
}

value apply_function(sema *s, ir_op op, const value *args, int n, span at) {
  for (int i = 0; i < n; i++)
    if (args[i].bad) return bad_value(at);
  const ir_op_info *info = ir_op_get(op);
  if (info->type == IR_TYPE_OWN) {
    value vectors[2] = {0};
    for (int i = 0; i < n && i < 2; i++) vectors[i] = as_vector(s, args[i]);
    return own_function(s, op, vectors, at);
  }
  for (int i = 0; i < n; i++)
    if (!require_scalar(s, args[i], arena_printf(s->memory, "the argument of `%s`", info->text)))
      return bad_value(at);
  const unit *u;
  if (!unit_by_rule(s, op, args, n, &u)) return bad_value(at);
  ir_id ids[2] = {args[0].id, n > 1 ? args[1].id : 0};
  return checked_number(s, result(ir_make(s->module, op, ir_scalar(), n, ids), type_scalar(u), at));
}

/* ---- parts ------------------------------------------------------------------------------------------------------- */

static value part_of(sema *s, value v, int first, value_type t, span at) {
  if (v.zero) return zero_like(s, t, at);
  return result(ir_part(s->module, v.id, first, ir_type_of(t)), t, at);
}

static int axis_number(const char *text) {
  if (strlen(text) != 1) return -1;
  return *text >= 'x' && *text <= 'z' ? *text - 'x' : -1;
}

/* Of `.1` to `.16`; 0: none. */
static int part_number(const char *text) {
  const size_t n = strspn(text, "0123456789");
  return n > 0 && n < 4 && !text[n] && *text != '0' ? (int)strtol(text, NULL, 10) : 0;
}

static void hint_at_parts(sema *s, diag *d, value_type t, name part) {
  static const char *const levels[] = {"prev"};
  const char *near = nearest_name(part, levels, 1);
  if (strcmp(part, "next") == 0 || strcmp(part, "new") == 0)
    diag_with_hint(s->sink, d,
                   "what holds at the end of the step is read by statements in  at t + dt { ... }; new "
                   "values of states have no "
                   "other name");
  else if (strcmp(part, "prev") == 0 || strcmp(part, "old") == 0)
    diag_with_hint(
        s->sink, d,
        "`.%s` stands behind the name of a state or an equation: write it inside, as in op(w.%s), or "
        "name the value, e @ cells = op(w), and read e.%s",
        part, part, part);
  else if (near) diag_with_hint(s->sink, d, "did you mean `.%s`?", near);
  else if (t.rank == IR_SCALAR) diag_with_hint(s->sink, d, "a scalar is one number: leave out `.%s`", part);
  if (t.rank == IR_VECTOR)
    diag_with_hint(s->sink, d, "a vector in %dD has the components %s", s->dims,
                   s->dims == 1   ? ".x"
                   : s->dims == 2 ? ".x and .y"
                                  : ".x, .y and .z");
  if (t.rank == IR_TENSOR)
    diag_with_hint(s->sink, d, "a tensor has components of two letters, row and column: .xx%s",
                   s->dims > 1 ? ", .xy, ..." : "");
  if (t.rank == IR_TUPLE_RANK) diag_with_hint(s->sink, d, "the parts of a tuple are .1 to .%d", t.n_parts);
  if (t.rank == IR_LIST)
    diag_with_hint(s->sink, d,
                   "elements of a real[%d] stand in brackets, from 1: f[1], f[%d]; those of a quantity that "
                   "lives at points behind the point: %s",
                   t.n, t.n, s->module->on_grid ? "f[i][1]" : "f[c][1]");
}

value apply_component(sema *s, value v, name part, span at) {
  if (v.bad) return v;
  int axis = axis_number(part), number = part_number(part), d = s->dims;
  if (v.type.rank == IR_VECTOR && number > 0) axis = number - 1;
  if (v.type.rank == IR_VECTOR && axis >= 0 && axis < d)
    return part_of(s, v, axis, type_scalar(v.type.unit), at);
  if (v.type.rank == IR_TENSOR && strlen(part) == 2) {
    int row = part[0] - 'x', column = part[1] - 'x';
    if (row >= 0 && row < d && column >= 0 && column < d)
      return part_of(s, v, row * d + column, type_scalar(v.type.unit), at);
  }
  if (v.type.rank == IR_TUPLE_RANK && number >= 1 && number <= v.type.n_parts) {
    int first = 0;
    for (int i = 0; i < number - 1; i++) first += v.type.part[i].n;
    return part_of(s, v, first, v.type.part[number - 1], at);
  }
  diag *d2 = complain(s, DIAG_UNKNOWN_MEMBER, at, "a %s has no part `.%s`", type_text(s, v.type), part);
  hint_at_parts(s, d2, v.type, part);
  return bad_value(at);
}

value apply_element(sema *s, value v, int k, span at) {
  if (v.bad) return v;
  if (v.type.rank != IR_LIST) {
    complain(s, DIAG_INDEX_BRACKETS, at, "only a real[n] can be indexed by a number, this is a %s",
             type_text(s, v.type));
    return bad_value(at);
  }
  if (k < 1 || k > v.type.n) {
    complain(s, DIAG_SLICE, at, "element %d of a real[%d]: the elements are numbered from 1 to %d", k,
             v.type.n, v.type.n);
    return bad_value(at);
  }
  return part_of(s, v, k - 1, type_scalar(v.type.unit), at);
}

value make_tuple(sema *s, const value *parts, int n, span at) {
  value_type t = {.rank = IR_TUPLE_RANK, .n_parts = n, .part = arena_array(s->memory, value_type, n)};
  int components = 0;
  for (int i = 0; i < n; i++) components += parts[i].type.n;
  if (components > MAX_COMPONENTS) {
    complain(s, DIAG_TUPLE_SHAPE, at, "a tuple has at most %d numbers, this has %d", MAX_COMPONENTS,
             components);
    return bad_value(at);
  }
  ir_id ids[16];
  for (int i = 0; i < n; i++) {
    if (parts[i].bad) return bad_value(at);
    ids[i] = parts[i].id;
    t.part[i] = parts[i].type;
    t.part[i].zero = parts[i].zero;
    if (parts[i].zero) t.part[i].unit = units_unknown(s->unit.units);
    t.n += parts[i].type.n;
  }
  return result(ir_make(s->module, IR_TUPLE, ir_type_of(t), n, ids), t, at);
}

value make_list(sema *s, const value *parts, int n, span at) {
  ir_id ids[MAX_COMPONENTS];
  for (int i = 0; i < n; i++) {
    if (parts[i].bad) return bad_value(at);
    ids[i] = parts[i].id;
  }
  value_type t = type_of(IR_LIST, n, parts[0].type.unit);
  return result(ir_make(s->module, IR_TUPLE, ir_type_of(t), n, ids), t, at);
}
