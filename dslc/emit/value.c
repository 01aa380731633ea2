/* Expressions. A node used once is nested in its user's expression; what gets too long is split by
 * temporaries. */
#include "emit/emit.h"

#include <math.h>
#include <string.h>

enum { MOST_ARGUMENTS = 4, MAX_LINE = 84, MIN_EXPRESSION = 44, MIN_SPILL = 16 };

static const ir_node *node_of(const emitter *e, ir_id id) { return ir_get(e->m, id); }

kir_kind value_type(const emitter *e, ir_id id) {
  return node_of(e, id)->type.rank == IR_BOOL ? KIR_BOOL : KIR_DOUBLE;
}

static bool is_constant(const emitter *e, ir_id id, double value) {
  const ir_node *n = node_of(e, id);
  return n->op == IR_CONST && n->type.rank != IR_BOOL && n->value == value;
}

static kir_expr *constant(emitter *e, const ir_node *n) {
  if (n->type.rank == IR_BOOL) return kir_literal(e->b, KIR_BOOL, n->value != 0 ? "true" : "false");
  kir_expr *value = kir_literal(e->b, KIR_DOUBLE, text_number(e->memory, n->value));
  /* INFINITY is a float, of which OpenCL's functions would make another, also with a minus or a choice around it: atan(-INFINITY) in single precision. */
  return isinf(n->value) && e->d->opencl ? kir_cast(e->b, kir_scalar(e->b->program, KIR_DOUBLE), value) : value;
}

kir_expr *value_of(emitter *e, ir_id id) {
  const ir_node *n = node_of(e, id);
  if (n->op == IR_CONST) return constant(e, n);
  return place_is_trivial(e, id) ? access_read(e, id) : e->values.node[id].value;
}

kir_expr *value_within(emitter *e, ir_id id, int level) { return kir_within(e->b, value_of(e, id), level); }

/* ---- operators ---- */

static kir_op operator_of(ir_op op) {
  switch (op) {
  case IR_ADD: return KIR_ADD;
  case IR_SUB: return KIR_SUB;
  case IR_MUL: return KIR_MUL;
  case IR_DIV: return KIR_DIV;
  case IR_LT: return KIR_LT;
  case IR_GT: return KIR_GT;
  case IR_LE: return KIR_LE;
  case IR_GE: return KIR_GE;
  case IR_EQ: return KIR_EQ;
  case IR_NE: return KIR_NE;
  case IR_AND: return KIR_BOTH;
  case IR_OR: return KIR_EITHER;
  default: return KIR_NONE;
  }
}

static kir_expr *infix(emitter *e, kir_op op, const ir_id *arg) {
  const int level = kir_op_level(op);
  kir_expr *a = value_of(e, arg[0]), *b = value_of(e, arg[1]);
  if (op == KIR_EITHER) { /* compilers warn of a && b || c */
    if (a->kind == KIR_AND) a = kir_within(e->b, a, KIR_BY_POSTFIX);
    b = kir_within(e->b, b, KIR_BY_BOR);
  }
  if (level == KIR_BY_ORDER || level == KIR_BY_EQUAL)
    a = kir_within(e->b, a, KIR_BY_SUM), b = kir_within(e->b, b, KIR_BY_SUM);
  if (level >= KIR_BY_SUM && b->signs) b = kir_enclose(e->b, b); /* a - -1.0 is legal, but reads badly */
  return kir_binary(e->b, op, a, b);
}

static bool is_number(const emitter *e, ir_id id) {
  const ir_node *n = node_of(e, id);
  if (n->op == IR_CONST) return !isnan(n->value);
  return n->op == IR_PARAM && ir_symbol_get(e->m, n->read.sym)->kind == IR_PARAMETER;
}

static kir_expr *call_of_two(emitter *e, const char *function, kir_expr *x, kir_expr *y) {
  return kir_call(e->b, function, KIR_DOUBLE, (kir_expr *[]){x, y}, 2);
}

static kir_expr *call_of_one(emitter *e, const char *function, ir_id x) {
  return kir_call(e->b, function, KIR_DOUBLE, (kir_expr *[]){value_of(e, x)}, 1);
}

/* Both minima let a NaN through (fmin would swallow it, and on CPUs is slow); against a literal or
 * parameter one comparison does. */
static kir_expr *bound(emitter *e, ir_op op, const ir_id *arg) {
  bool swap = is_number(e, arg[0]) && !is_number(e, arg[1]);
  kir_expr *x = value_of(e, arg[swap ? 1 : 0]), *y = value_of(e, arg[swap ? 0 : 1]);
  if (!is_number(e, arg[swap ? 0 : 1])) {
    e->file.out->part[op == IR_MIN ? PRELUDE_MIN_OF : PRELUDE_MAX_OF] = true;
    return call_of_two(e, op == IR_MIN ? "min_of" : "max_of", x, y);
  }
  e->file.out->part[op == IR_MIN ? PRELUDE_AT_MOST : PRELUDE_AT_LEAST] = true;
  return call_of_two(e, op == IR_MIN ? "at_most" : "at_least", x, y);
}

static kir_expr *call(emitter *e, const ir_node *n, const ir_id *arg) {
  const ir_op_info *info = ir_op_get((ir_op)n->op);
  const char *text = e->d->opencl ? info->opencl : info->c; /* with a bracket behind it */
  kir_expr *value[MOST_ARGUMENTS];
  for (int a = 0; a < n->n_args; a++) value[a] = value_of(e, arg[a]);
  return kir_call(e->b, intern(e->m->names, text, strlen(text) - 1), KIR_DOUBLE, value, n->n_args);
}

static kir_expr *choice(emitter *e, const ir_id *arg) {
  bool delta = is_constant(e, arg[1], 1) && is_constant(e, arg[2], 0);
  if (delta && e->p->how.select == SELECT_DELTA)
    return kir_cast(e->b, kir_scalar(e->b->program, KIR_DOUBLE), value_within(e, arg[0], KIR_BY_POSTFIX));
  return kir_choose(e->b, value_of(e, arg[0]), value_within(e, arg[1], KIR_BY_OR), value_of(e, arg[2]));
}

/* Quotients and roots: a branch for denormal numbers, as NVIDIA's compiler has it, parts a kernel in pieces between which nothing
 * moves, and what lives across it waits in registers of its own. */
static bool is_refined(const emitter *e, ir_op op) {
  if (!e->d->opencl || e->at_wall.function || (op != IR_DIV && op != IR_SQRT)) return false;
  return e->p->how.divide == DIVIDE_AUTO ? (e->k->window != NULL || !e->m->on_grid) && !e->p->how.loop
                                         : e->p->how.divide == DIVIDE_REFINED;
}

static kir_expr *refined(emitter *e, ir_op op, const ir_id *arg) {
  e->file.out->part[op == IR_DIV ? PRELUDE_QUOTIENT : PRELUDE_SQUARE_ROOT] = true;
  if (op == IR_SQRT) return call_of_one(e, "square_root", arg[0]);
  return call_of_two(e, "quotient", value_of(e, arg[0]), value_of(e, arg[1]));
}

static kir_expr *expression(emitter *e, ir_id id) {
  const ir_node *n = node_of(e, id);
  const ir_id *arg = ir_args(e->m, n);
  if (is_refined(e, (ir_op)n->op)) return refined(e, (ir_op)n->op, arg);
  switch (n->op) {
  case IR_PARAM:
  case IR_READ: return access_read(e, id);
  case IR_NEG: return kir_unary(e->b, KIR_NEG, value_of(e, arg[0]));
  case IR_NOT: return kir_unary(e->b, KIR_NOT, value_of(e, arg[0]));
  case IR_MIN:
  case IR_MAX: return bound(e, (ir_op)n->op, arg);
  case IR_SIGN: e->file.out->part[PRELUDE_SIGN_OF] = true; return call_of_one(e, "sign_of", arg[0]);
  case IR_CBRT:
    e->file.out->part[PRELUDE_BITS] = e->file.out->part[PRELUDE_CUBE_ROOT] = true;
    return call_of_one(e, "cube_root", arg[0]);
  case IR_SELECT: return choice(e, arg);
  case IR_FIXED: return walls_call(e, id);
  case IR_PART: return value_of(e, arg[0]); /* of a scalar: the scalar */
  default: {
    const kir_op op = operator_of((ir_op)n->op);
    return op ? infix(e, op, arg) : call(e, n, arg);
  }
  }
}

/* ---- temporaries ---- */

/* What a field's value is called, on grids with the shift at which it was read: T, T_xm, T_yp. */
static const char *read_name(emitter *e, ir_id id) {
  const char *stem = access_temporary_name(e, id);
  const ir_node *n = node_of(e, id);
  if (n->op == IR_PARAM || !e->p->program->space.on_grid) return stem;
  return arena_printf(e->memory, "%s%s", stem, grid_shift_suffix(e, n));
}

/* A quantity evaluated in both cells of a face is told apart by the cell: celerity_L, celerity_R. */
static const char *value_at(const emitter *e, ir_id id, const char *hint) {
  switch (e->values.node[id].points) {
  case 1u << IR_AT_L: return arena_printf(e->memory, "%s_L", hint);
  case 1u << IR_AT_R: return arena_printf(e->memory, "%s_R", hint);
  case 1u << IR_AT_D: return arena_printf(e->memory, "%s_d", hint);
  case 1u << IR_AT_J: return arena_printf(e->memory, "%s_j", hint);
  default: return hint;
  }
}

const char *value_name(emitter *e, ir_id id, const char *otherwise) {
  const ir_node *n = node_of(e, id);
  name hint = e->m->origin.at[id].hint;
  const char *stem = hint ? value_at(e, id, hint) : otherwise;
  if (n->op == IR_READ || n->op == IR_PARAM) stem = read_name(e, id);
  return name_fresh(e->own.locals, stem, "_v");
}

/* Of a value that the scheme has no name for: sqrt_T of a function of a variable, inverse_dt of a quotient; "part". */
static const char *unnamed(emitter *e, ir_id id) {
  enum { LONGEST = 24 };
  const ir_node *n = node_of(e, id);
  const ir_id *arg = ir_args(e->m, n);
  bool inverse = n->op == IR_DIV && is_constant(e, arg[0], 1);
  bool function = n->n_args == 1 && ir_op_get((ir_op)n->op)->type == IR_TYPE_REAL;
  if (!inverse && !function) return "part";
  const char *of = kir_spelled_name(e->b, value_of(e, arg[inverse ? 1 : 0]), LONGEST);
  if (!of) return "part"; /* T_xm, or M(i): name_fresh leaves the brackets out */
  return arena_printf(e->memory, "%s_%s", inverse ? "inverse" : ir_op_get((ir_op)n->op)->text, of);
}

kir_expr *value_temporary(emitter *e, ir_id id) {
  node_state *s = &e->values.node[id];
  s->value = kir_let(e->b, value_type(e, id), value_name(e, id, unnamed(e, id)), s->value);
  body_note(e, id);
  return s->value;
}

/* The longest operand that is still an expression, 0 if none is worth a temporary. */
static ir_id longest_operand(const emitter *e, const ir_node *n) {
  ir_id longest = 0;
  int most = MIN_SPILL;
  for (int a = 0; a < n->n_args; a++) {
    ir_id id = ir_args(e->m, n)[a];
    const node_state *s = &e->values.node[id];
    if (place_is_trivial(e, id) || s->uses > 1 || s->keep || !s->value || s->value->width < most) continue;
    most = s->value->width;
    longest = id;
  }
  return longest;
}

void value_write(emitter *e, ir_id id) {
  node_state *s = &e->values.node[id];
  const ir_node *n = node_of(e, id);
  s->value = expression(e, id);
  int room = MAX_LINE - kir_column(e->b); /* where the statement will begin */
  while (s->value->width > (room > MIN_EXPRESSION ? room : MIN_EXPRESSION)) {
    ir_id operand = longest_operand(e, n);
    if (!operand) return;
    value_temporary(e, operand);
    e->values.node[operand].keep = true;
    s->value = expression(e, id);
  }
}
