/* Builders, types and names. */
#include "ir/ir_internal.h"

#include <assert.h>
#include <string.h>

/* ---- types --------------------------------------------------------------------------------------------- */

ir_type ir_scalar(void) { return (ir_type){IR_SCALAR, 1}; }
ir_type ir_boolean(void) { return (ir_type){IR_BOOL, 1}; }
ir_type ir_vector(const ir_module *m) { return (ir_type){IR_VECTOR, (uint8_t)m->dims}; }
ir_type ir_tensor(const ir_module *m) { return (ir_type){IR_TENSOR, (uint8_t)(m->dims * m->dims)}; }
bool ir_type_equal(ir_type a, ir_type b) { return a.rank == b.rank && a.n == b.n; }

static bool same_rank(ir_type a, ir_type b, ir_type *result) {
  bool numbers = ir_is_number(a) && ir_is_number(b);
  *result = numbers && a.rank != b.rank ? ir_scalar() : a;
  return a.rank != IR_BOOL && (numbers || ir_type_equal(a, b));
}

static bool product(ir_type a, ir_type b, ir_type *result) {
  if (a.rank == IR_BOOL || b.rank == IR_BOOL) return false;
  if (ir_is_number(a) && ir_is_number(b)) return same_rank(a, b, result);
  *result = ir_is_number(b) ? a : b;
  if (ir_is_number(a) || ir_is_number(b)) return true;
  return a.rank == IR_TENSOR && (b.rank == IR_VECTOR || b.rank == IR_TENSOR);
}

/* Contracts all of the smaller operand: equal ranks give a scalar, tensor and vector a vector. */
static bool contraction(ir_type a, ir_type b, ir_type *result) {
  *result = a.rank == b.rank ? ir_scalar() : a.rank == IR_VECTOR ? a : b;
  if (a.rank == b.rank) return a.n == b.n && a.rank != IR_BOOL;
  return (a.rank == IR_VECTOR && b.rank == IR_TENSOR) || (a.rank == IR_TENSOR && b.rank == IR_VECTOR);
}

static bool all_numbers(int n, const ir_type *arg) {
  for (int i = 0; i < n; i++)
    if (!ir_is_number(arg[i])) return false;
  return true;
}

static bool all_bools(int n, const ir_type *arg) {
  for (int i = 0; i < n; i++)
    if (arg[i].rank != IR_BOOL) return false;
  return true;
}

static bool own_rule(ir_op op, int dims, const ir_type *arg, ir_type *result) {
  ir_type vector = {IR_VECTOR, (uint8_t)dims}, tensor = {IR_TENSOR, (uint8_t)(dims * dims)};
  bool vectors = (op == IR_OUTER || op == IR_CROSS) && arg[0].rank == IR_VECTOR && arg[1].rank == IR_VECTOR;
  switch (op) {
  case IR_SIGN_OUT: *result = ir_scalar(); return true;
  case IR_IDENTITY: *result = tensor; return true;
  case IR_DOT: return contraction(arg[0], arg[1], result);
  case IR_OUTER: *result = tensor; return vectors;
  case IR_CROSS: *result = dims == 3 ? vector : ir_scalar(); return vectors && dims > 1;
  case IR_TRACE: *result = ir_scalar(); return arg[0].rank == IR_TENSOR;
  case IR_TRANSPOSE: *result = tensor; return arg[0].rank == IR_TENSOR;
  case IR_NORM: *result = ir_scalar(); return arg[0].rank != IR_BOOL;
  case IR_REDUCE: *result = arg[0]; return arg[0].rank != IR_BOOL;
  default: return false;
  }
}

bool ir_result_type(ir_op op, int dims, int n, const ir_type *arg, ir_type *result) {
  *result = ir_scalar();
  switch (ir_op_get(op)->type) {
  case IR_TYPE_SAME:
    *result = arg[0];
    return n == 1 ? arg[0].rank != IR_BOOL : same_rank(arg[0], arg[1], result);
  case IR_TYPE_SCALE: return product(arg[0], arg[1], result);
  case IR_TYPE_RATIO:
    *result = arg[0].rank == IR_INT ? ir_scalar() : arg[0];
    return arg[0].rank != IR_BOOL && ir_is_number(arg[1]);
  case IR_TYPE_REAL: return all_numbers(n, arg);
  case IR_TYPE_ORDER:
  case IR_TYPE_EQUAL: *result = ir_boolean(); return all_numbers(n, arg);
  case IR_TYPE_LOGIC: *result = ir_boolean(); return all_bools(n, arg);
  case IR_TYPE_CHOICE:
    if (all_bools(3, arg)) return *result = ir_boolean(), true;
    return same_rank(arg[1], arg[2], result) && arg[0].rank == IR_BOOL;
  case IR_TYPE_OWN: return own_rule(op, dims, arg, result);
  }
  return false;
}

/* ---- nodes --------------------------------------------------------------------------------------------- */

static ir_id leaf(ir_module *m, ir_op op, ir_type type, double value) {
  ir_node n = {.op = (uint8_t)op, .type = type};
  n.value = value;
  return ir_intern(m, n, NULL);
}

ir_id ir_const(ir_module *m, double value) { return leaf(m, IR_CONST, ir_scalar(), value); }
ir_id ir_bool(ir_module *m, bool value) { return leaf(m, IR_CONST, ir_boolean(), value ? 1 : 0); }

ir_id ir_param(ir_module *m, ir_sym sym) {
  assert(sym);
  ir_node n = {.op = IR_PARAM, .type = ir_symbol_get(m, sym)->type};
  n.read.sym = sym;
  return ir_intern(m, n, NULL);
}

ir_id ir_read(ir_module *m, ir_sym sym, ir_level level, ir_at at, const int8_t off[3]) {
  assert(sym);
  ir_node n = {.op = IR_READ, .type = ir_symbol_get(m, sym)->type};
  n.read.sym = sym;
  n.read.level = (uint8_t)level;
  n.read.at = (uint8_t)at;
  if (off != NULL) memcpy(n.read.off, off, sizeof n.read.off);
  return ir_intern(m, n, NULL);
}

ir_id ir_make(ir_module *m, ir_op op, ir_type type, int n, const ir_id *args) {
  if (n < 0 || n > IR_MOST_ARGS) return 0;
  return ir_intern(m, (ir_node){.op = (uint8_t)op, .type = type, .n_args = (uint8_t)n}, args);
}

/* Operands that do not fit their operator leave a scalar, for ir_verify to find. */
static ir_id make_by_rule(ir_module *m, ir_op op, int n, const ir_id *args) {
  ir_type arg[3], result;
  for (int i = 0; i < n; i++) arg[i] = ir_get(m, args[i])->type;
  ir_result_type(op, m->dims, n, arg, &result);
  return ir_make(m, op, result, n, args);
}

ir_id ir_unary(ir_module *m, ir_op op, ir_id a) { return make_by_rule(m, op, 1, &a); }
ir_id ir_binary(ir_module *m, ir_op op, ir_id a, ir_id b) { return make_by_rule(m, op, 2, (ir_id[]){a, b}); }

ir_id ir_select(ir_module *m, ir_id condition, ir_id a, ir_id b) {
  return make_by_rule(m, IR_SELECT, 3, (ir_id[]){condition, a, b});
}

ir_id ir_part(ir_module *m, ir_id a, int first, ir_type type) {
  ir_node n = {.op = IR_PART, .type = type, .n_args = 1};
  n.first = first;
  return ir_intern(m, n, &a);
}

ir_id ir_reduction(ir_module *m, ir_reduce kind, ir_binder binder, ir_place place, uint32_t rule,
                   ir_id body) {
  ir_node n = {.op = IR_REDUCE, .type = ir_get(m, body)->type, .n_args = 1};
  n.reduce.kind = (uint8_t)kind;
  n.reduce.binder = (uint8_t)binder;
  n.reduce.place = (uint8_t)place;
  n.reduce.rule = rule;
  return ir_intern(m, n, &body);
}

ir_id ir_rebuild(ir_module *m, const ir_node *n, const ir_id *args) { return ir_intern(m, *n, args); }

/* Constants are shared by everything that uses the same number: a name would mislead. */
void ir_name(ir_module *m, ir_id id, name hint, const char *tag, span at) {
  if (ir_get(m, id)->op == IR_CONST) return;
  ir_origin *o = &m->origin.at[id];
  if (o->hint == NULL) o->hint = hint;
  if (o->tag == NULL) o->tag = tag;
  if (o->at.end == 0) o->at = at;
}

/* ---- symbols ------------------------------------------------------------------------------------------- */

ir_sym ir_symbol_add(ir_module *m, ir_symbol s) {
  vec_push(m->memory, &m->symbol, s);
  return (ir_sym)m->symbol.n - 1;
}

/* A symbol keeps its name. */
ir_sym ir_symbol_find(const ir_module *m, name text) {
  struct ir_marks *marks = m->marks;
  if (!marks->by_name) marks->by_name = name_map_create(m->memory), marks->named = 1;
  for (; marks->named < m->symbol.n; marks->named++) {
    const name own = m->symbol.at[marks->named].text;
    if (!name_map_get(marks->by_name, own))
      name_map_put(marks->by_name, own, (void *)(uintptr_t)marks->named);
  }
  return (ir_sym)(uintptr_t)name_map_get(marks->by_name, text);
}
