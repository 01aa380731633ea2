/* Expressions as text. A node used once is nested in its user's expression; what gets too long is split by
 * temporaries. */
#include "back/emit.h"

#include <math.h>
#include <string.h>

enum { MAX_LINE = 84, MIN_EXPRESSION = 44, MIN_SPILL = 16 };

static const ir_node *node_of(const emitter *e, ir_id id) { return ir_get(e->m, id); }

const char *value_type(const emitter *e, ir_id id) {
  return node_of(e, id)->type.rank == IR_BOOL ? "bool" : "double";
}

static bool is_constant(const emitter *e, ir_id id, double value) {
  const ir_node *n = node_of(e, id);
  return n->op == IR_CONST && n->type.rank != IR_BOOL && n->value == value;
}

static const char *constant_text(emitter *e, const ir_node *n) {
  if (n->type.rank == IR_BOOL) return n->value != 0 ? "true" : "false";
  return text_number(e->memory, n->value);
}

static int precedence_of(emitter *e, ir_id id) {
  const ir_node *n = node_of(e, id);
  if (n->op == IR_CONST) return signbit(n->value) && n->type.rank != IR_BOOL ? PREC_UNARY : PREC_PRIMARY;
  return place_is_trivial(e, id) ? PREC_PRIMARY : e->node[id].precedence;
}

const char *value_text(emitter *e, ir_id id) {
  const ir_node *n = node_of(e, id);
  if (n->op == IR_CONST) return constant_text(e, n);
  const char *known = constants_find(e, id);
  if (known) return known;
  int precedence;
  return place_is_trivial(e, id) ? access_read(e, id, &precedence) : e->node[id].text;
}

const char *value_within(emitter *e, ir_id id, int precedence) {
  const char *text = value_text(e, id);
  return precedence_of(e, id) >= precedence ? text : arena_printf(e->memory, "(%s)", text);
}

/* ---- operators ---- */

static const char *spelling(const emitter *e, ir_op op) {
  const ir_op_info *info = ir_op_get(op);
  return e->d->opencl ? info->opencl : info->c;
}

static int operator_precedence(ir_op op) {
  switch (op) {
  case IR_ADD:
  case IR_SUB: return PREC_ADD;
  case IR_MUL:
  case IR_DIV: return PREC_MUL;
  case IR_LT:
  case IR_GT:
  case IR_LE:
  case IR_GE: return PREC_ORDER;
  case IR_EQ:
  case IR_NE: return PREC_EQUAL;
  case IR_AND: return PREC_AND;
  case IR_OR: return PREC_OR;
  default: return PREC_PRIMARY;
  }
}

/* An operand whose text begins with a sign is bracketed where an operator stands in front of it. */
static const char *right_operand(emitter *e, ir_id id, int precedence) {
  const char *text = value_within(e, id, precedence);
  return *text == '-' ? arena_printf(e->memory, "(%s)", text) : text;
}

static const char *infix(emitter *e, ir_op op, const ir_id *arg, int *precedence) {
  int own = operator_precedence(op), left = own;
  if (own == PREC_OR && precedence_of(e, arg[0]) == PREC_AND)
    left = PREC_AND + 1; /* compilers warn of a && b || c */
  if (own == PREC_ORDER || own == PREC_EQUAL) left = PREC_ADD;
  const char *a = value_within(e, arg[0], left);
  bool sign = own >= PREC_ADD; /* a - -1.0 is legal, but reads badly; x >= -1.0 is fine */
  const char *b = (sign ? right_operand : value_within)(e, arg[1],
                                                        own == PREC_OR      ? PREC_AND + 1
                                                        : own == PREC_EQUAL ? PREC_ADD
                                                                            : own + 1);
  const char *gap = own == PREC_MUL ? "" : " ";
  *precedence = own;
  return arena_printf(e->memory, "%s%s%s%s%s", a, gap, spelling(e, op), gap, b);
}

static bool is_number(const emitter *e, ir_id id) {
  const ir_node *n = node_of(e, id);
  if (n->op == IR_CONST) return !isnan(n->value);
  return n->op == IR_PARAM && ir_symbol_get(e->m, n->read.sym)->kind == IR_PARAMETER;
}

/* Both minima let a NaN through (fmin would swallow it, and on CPUs is slow); against a literal or
 * parameter one comparison does. */
static const char *bound(emitter *e, ir_op op, const ir_id *arg) {
  bool swap = is_number(e, arg[0]) && !is_number(e, arg[1]);
  const char *x = value_text(e, arg[swap ? 1 : 0]), *y = value_text(e, arg[swap ? 0 : 1]);
  if (!is_number(e, arg[swap ? 0 : 1])) {
    e->file.part[op == IR_MIN ? PRELUDE_MIN_OF : PRELUDE_MAX_OF] = true;
    return arena_printf(e->memory, "%s(%s, %s)", op == IR_MIN ? "min_of" : "max_of", x, y);
  }
  e->file.part[op == IR_MIN ? PRELUDE_AT_MOST : PRELUDE_AT_LEAST] = true;
  return arena_printf(e->memory, "%s(%s, %s)", op == IR_MIN ? "at_most" : "at_least", x, y);
}

static const char *call(emitter *e, const ir_node *n, const ir_id *arg) {
  const char *text = spelling(e, (ir_op)n->op);
  for (int a = 0; a < n->n_args; a++)
    text = arena_printf(e->memory, "%s%s%s", text, a ? ", " : "", value_text(e, arg[a]));
  return arena_printf(e->memory, "%s)", text);
}

static const char *choice(emitter *e, const ir_id *arg, int *precedence) {
  bool delta = is_constant(e, arg[1], 1) && is_constant(e, arg[2], 0);
  if (delta && e->p->how.select == SELECT_DELTA) {
    *precedence = PREC_UNARY;
    return arena_printf(e->memory, "(double)%s", value_within(e, arg[0], PREC_PRIMARY));
  }
  *precedence = PREC_TERNARY;
  return arena_printf(e->memory, "%s ? %s : %s", value_within(e, arg[0], PREC_OR),
                      value_within(e, arg[1], PREC_TERNARY + 1), value_within(e, arg[2], PREC_TERNARY));
}

static const char *prefix(emitter *e, ir_op op, ir_id arg, int *precedence) {
  *precedence = PREC_UNARY;
  return arena_printf(e->memory, "%s%s", spelling(e, op), right_operand(e, arg, PREC_UNARY));
}

/* Quotients and roots: a branch for denormal numbers, as NVIDIA's compiler has it, parts a kernel in pieces between which nothing
 * moves, and what lives across it waits in registers of its own. */
static bool is_refined(const emitter *e, ir_op op) {
  if (!e->d->opencl || e->at_wall.function || (op != IR_DIV && op != IR_SQRT)) return false;
  return e->p->how.divide == DIVIDE_AUTO ? e->k->window != NULL && !e->p->how.loop
                                         : e->p->how.divide == DIVIDE_REFINED;
}

static const char *refined(emitter *e, ir_op op, const ir_id *arg) {
  e->file.part[op == IR_DIV ? PRELUDE_QUOTIENT : PRELUDE_SQUARE_ROOT] = true;
  if (op == IR_SQRT) return arena_printf(e->memory, "square_root(%s)", value_text(e, arg[0]));
  return arena_printf(e->memory, "quotient(%s, %s)", value_text(e, arg[0]), value_text(e, arg[1]));
}

static const char *expression(emitter *e, ir_id id, int *precedence) {
  const ir_node *n = node_of(e, id);
  const ir_id *arg = ir_args(e->m, n);
  *precedence = PREC_PRIMARY;
  if (is_refined(e, (ir_op)n->op)) return refined(e, (ir_op)n->op, arg);
  switch (n->op) {
  case IR_PARAM:
  case IR_READ: return access_read(e, id, precedence);
  case IR_NEG:
  case IR_NOT: return prefix(e, (ir_op)n->op, arg[0], precedence);
  case IR_MIN:
  case IR_MAX: return bound(e, (ir_op)n->op, arg);
  case IR_SIGN:
    e->file.part[PRELUDE_SIGN_OF] = true;
    return arena_printf(e->memory, "sign_of(%s)", value_text(e, arg[0]));
  case IR_CBRT:
    e->file.part[PRELUDE_BITS] = e->file.part[PRELUDE_CUBE_ROOT] = true;
    return arena_printf(e->memory, "cube_root(%s)", value_text(e, arg[0]));
  case IR_SELECT: return choice(e, arg, precedence);
  case IR_FIXED: return walls_call(e, id);
  case IR_PART: /* of a scalar: the scalar */
    *precedence = precedence_of(e, arg[0]);
    return value_text(e, arg[0]);
  default:
    return operator_precedence((ir_op)n->op) < PREC_PRIMARY ? infix(e, (ir_op)n->op, arg, precedence)
                                                            : call(e, n, arg);
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
  switch (e->node[id].points) {
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
  return name_fresh(e->locals, stem, "_v");
}

/* T_xm, or M(i): name_fresh leaves the brackets out. */
static bool names_a_value(const char *text) {
  enum { LONGEST = 24 };
  size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_()");
  return !text[n] && n <= LONGEST && !(*text >= '0' && *text <= '9');
}

/* Of a value that the scheme has no name for: sqrt_T of a function of a variable, inverse_dt of a quotient; "part". */
static const char *unnamed(emitter *e, ir_id id) {
  const ir_node *n = node_of(e, id);
  const ir_id *arg = ir_args(e->m, n);
  bool inverse = n->op == IR_DIV && is_constant(e, arg[0], 1);
  bool function = n->n_args == 1 && ir_op_get((ir_op)n->op)->type == IR_TYPE_REAL;
  if (!inverse && !function) return "part";
  const char *of = value_text(e, arg[inverse ? 1 : 0]);
  if (!names_a_value(of)) return "part";
  return arena_printf(e->memory, "%s_%s", inverse ? "inverse" : ir_op_get((ir_op)n->op)->text, of);
}

const char *value_temporary(emitter *e, ir_id id) {
  node_state *s = &e->node[id];
  const char *variable = value_name(e, id, unnamed(e, id));
  body_note(e, id, arena_printf(e->memory, "const %s %s = %s;", value_type(e, id), variable, s->text));
  s->text = variable;
  s->precedence = PREC_PRIMARY;
  return variable;
}

/* The longest operand that is still an expression, 0 if none is worth a temporary. */
static ir_id longest_operand(const emitter *e, const ir_node *n) {
  ir_id longest = 0;
  size_t most = MIN_SPILL;
  for (int a = 0; a < n->n_args; a++) {
    ir_id id = ir_args(e->m, n)[a];
    const node_state *s = &e->node[id];
    if (place_is_trivial(e, id) || s->uses > 1 || s->keep || !s->text || strlen(s->text) < most) continue;
    most = strlen(s->text);
    longest = id;
  }
  return longest;
}

void value_write(emitter *e, ir_id id) {
  node_state *s = &e->node[id];
  const ir_node *n = node_of(e, id);
  s->text = expression(e, id, &s->precedence);
  int room = MAX_LINE - writer_column(e->w); /* where the statement will begin */
  while ((int)strlen(s->text) > (room > MIN_EXPRESSION ? room : MIN_EXPRESSION)) {
    ir_id operand = longest_operand(e, n);
    if (!operand) return;
    value_temporary(e, operand);
    e->node[operand].keep = true;
    s->text = expression(e, id, &s->precedence);
  }
}
