/* A formula's value at a random point of prime fields, seen from one side: the first half of proof.c, which tells what is meant. */
#include <math.h>
#include <string.h>

#include "sema/prover.h"

enum { MOST_VIEWS = 400, LARGEST_POWER = 64 };

/* ---- variables --------------------------------------------------------------------------------------------------- */

static field variable(prover *p, uint64_t key) {
  field x = field_random(key);
  if (p->variable && field_equal(x, *p->variable)) return p->root;
  for (int i = 0; i < p->n_ties; i++)
    if (field_equal(x, p->tie[i].variable)) return p->tie[i].value;
  vec_push(p->s->memory, &p->drawn, x);
  return x;
}

static uint64_t key_of(uint64_t kind, uint64_t a, uint64_t b, uint64_t c) {
  return ((kind * 1000003u + a) * 1000003u + b) * 1000003u + c;
}

static void draw(prover *p, uint64_t kind, uint64_t a, uint64_t b, int n, field *out) {
  for (int i = 0; i < n; i++) out[i] = variable(p, key_of(kind, a, b, (uint64_t)i));
}

/* A function of numbers: the same arguments give the same value. */
static field opaque(prover *p, ir_op op, const field *a, int n) {
  uint64_t key = key_of(77, (uint64_t)op, 0, 0);
  for (int i = 0; i < n; i++) key = field_hash(key, a[i]);
  field x = variable(p, key);
  if (op == IR_SQRT || op == IR_ABS) vec_push(p->s->memory, &p->lengths, x);
  return x;
}

static field even_function(prover *p, ir_op op, field x) {
  if (field_is_upper(x)) x = field_neg(x);
  return opaque(p, op, &x, 1);
}

static field odd_function(prover *p, ir_op op, field x) {
  if (field_is_zero(x)) return x;
  if (!field_is_upper(x)) return opaque(p, op, &x, 1);
  x = field_neg(x);
  return field_neg(opaque(p, op, &x, 1));
}

static field absolute(prover *p, field x) { return field_is_zero(x) ? x : even_function(p, IR_ABS, x); }

/* (a + b +- |a - b|)/2 */
static field extremum(prover *p, ir_op op, field a, field b) {
  field gap = absolute(p, field_sub(a, b)), sum = field_add(a, b);
  sum = op == IR_MAX ? field_add(sum, gap) : field_sub(sum, gap);
  return field_div(sum, field_whole(2));
}

static field divide(prover *p, ir_id node, field a, field b) {
  const bool flipped = field_is_upper(b);
  vec_push(p->s->memory, &p->poles, ((pole){flipped ? field_neg(b) : b, flipped, node}));
  if (field_invertible(b)) return field_div(a, b);
  p->hopeless = true; /* at this point, though not everywhere: some other proof is needed */
  return a;
}

/* Powers with a whole exponent are rational. */
static field power(prover *p, ir_id node, const field *a) {
  const ir_module *m = p->s->module;
  const ir_node *n = ir_get(m, ir_args(m, ir_get(m, node))[1]);
  double e = n->op == IR_CONST ? n->value : NAN;
  if (!(fabs(e) <= LARGEST_POWER) || e != nearbyint(e)) return opaque(p, IR_POW, a, 2);
  field r = field_whole(1);
  for (int i = 0; i < (int)fabs(e); i++) r = field_mul(r, a[0]);
  return e < 0 ? divide(p, node, field_whole(1), r) : r;
}

static field function(prover *p, ir_op op, const field *a, int n) {
  switch (op) {
  case IR_ABS: return absolute(p, a[0]);
  case IR_COS:
  case IR_COSH: return even_function(p, op, a[0]);
  case IR_SIGN:
  case IR_CBRT:
  case IR_SIN:
  case IR_TAN:
  case IR_ASIN:
  case IR_ATAN:
  case IR_SINH:
  case IR_TANH: return odd_function(p, op, a[0]);
  default: return opaque(p, op, a, n);
  }
}

/* ---- conditions ---------------------------------------------------------------------------------------------------- */

static condition *find_condition(prover *p, field key, view where, ir_id node, bool flipped) {
  for (int i = 0; i < p->conditions.n; i++)
    if (field_equal(p->conditions.at[i].key, key)) return &p->conditions.at[i];
  p->hopeless = p->hopeless || p->conditions.n >= MOST_CONDITIONS;
  condition c = {.key = key,
                 .where = where,
                 .node = node,
                 .flipped = flipped,
                 .value = field_random(field_hash(4711, key))};
  if (p->cases) c.value = field_whole(0);
  vec_push(p->s->memory, &p->conditions, c);
  return &p->conditions.at[p->conditions.n - 1];
}

static field compare(prover *p, ir_op op, const field *a, view where, ir_id node) {
  bool equality = op == IR_EQ || op == IR_NE, upwards = op == IR_GT || op == IR_GE,
       when_equal = op == IR_GE || op == IR_LE || op == IR_EQ;
  field key = field_sub(a[0], a[1]), one = field_whole(1);
  if (field_is_zero(key)) return field_whole(when_equal);
  bool flipped = field_is_upper(key);
  if (flipped) {
    key = field_neg(key);
    upwards = !upwards;
  }
  if (equality) { /* neither is ever true but where both sides are equal, which all uses agree about */
    upwards = op == IR_EQ;
    key = field_random(field_hash(4712, key));
  }
  condition *c = find_condition(p, key, where, node, flipped);
  c->equality = equality;
  if (!equality) c->ties |= upwards == when_equal ? 2 : 1;
  return upwards ? c->value : field_sub(one, c->value);
}

/* ---- operators ----------------------------------------------------------------------------------------------------- */

static field inner(const field *a, int step_a, const field *b, int step_b, int n) {
  field sum = field_whole(0);
  for (int i = 0; i < n; i++) sum = field_add(sum, field_mul(a[i * step_a], b[i * step_b]));
  return sum;
}

static void matrix_vector(int d, bool vector_first, const field *a, const field *b, field *out) {
  for (int i = 0; i < d; i++)
    out[i] = vector_first ? inner(a, 1, b + i, d, d) : inner(a + (ptrdiff_t)i * d, 1, b, 1, d);
}

static void multiply(int d, ir_type ta, const field *a, ir_type tb, const field *b, field *out) {
  int n = ta.n > tb.n ? ta.n : tb.n;
  if (ta.n == 1 || tb.n == 1)
    for (int i = 0; i < n; i++) out[i] = field_mul(a[ta.n == 1 ? 0 : i], b[tb.n == 1 ? 0 : i]);
  else if (tb.rank == IR_VECTOR) matrix_vector(d, false, a, b, out);
  else
    for (int i = 0; i < d * d; i++) out[i] = inner(a + (ptrdiff_t)(i / d) * d, 1, b + i % d, d, d);
}

static void cross(int d, const field *a, const field *b, field *out) {
  for (int i = 0; i < (d == 2 ? 1 : 3); i++) {
    int j = d == 2 ? 0 : (i + 1) % 3, k = d == 2 ? 1 : (i + 2) % 3;
    out[i] = field_sub(field_mul(a[j], b[k]), field_mul(a[k], b[j]));
  }
}

typedef struct operands {
  const field *at[3];
  ir_type type[3];
} operands;

static void tensor_operation(prover *p, ir_op op, const operands *o, ir_type t, field *out) {
  const field *a = o->at[0], *b = o->at[1];
  int d = p->s->dims, n = o->type[0].n;
  field length;
  switch (op) {
  case IR_DOT:
    if (n == o->type[1].n) out[0] = inner(a, 1, b, 1, n);
    else matrix_vector(d, o->type[0].rank == IR_VECTOR, a, b, out);
    break;
  case IR_OUTER:
    for (int i = 0; i < d * d; i++) out[i] = field_mul(a[i / d], b[i % d]);
    break;
  case IR_CROSS: cross(d, a, b, out); break;
  case IR_TRACE:
    out[0] = field_whole(0);
    for (int i = 0; i < d; i++) out[0] = field_add(out[0], a[i * (d + 1)]);
    break;
  case IR_TRANSPOSE:
    for (int i = 0; i < d * d; i++) out[i] = a[i % d * d + i / d];
    break;
  case IR_NORM:
    length = inner(a, 1, a, 1, n);
    out[0] = n == 1 ? absolute(p, a[0]) : opaque(p, IR_SQRT, &length, 1);
    break;
  default:
    for (int i = 0; i < t.n; i++) out[i] = field_whole(i % (d + 1) == 0); /* identity */
  }
}

static field scalar_operation(prover *p, const ir_node *n, const field *a, view where, ir_id id) {
  switch (n->op) {
  case IR_ADD: return field_add(a[0], a[1]);
  case IR_SUB: return field_sub(a[0], a[1]);
  case IR_NEG: return field_neg(a[0]);
  case IR_DIV: return divide(p, id, a[0], a[1]);
  case IR_POW: return power(p, id, a);
  case IR_MIN:
  case IR_MAX: return extremum(p, (ir_op)n->op, a[0], a[1]);
  case IR_AND: return field_mul(a[0], a[1]);
  case IR_OR: return field_sub(field_add(a[0], a[1]), field_mul(a[0], a[1]));
  case IR_NOT: return field_sub(field_whole(1), a[0]);
  case IR_SELECT: return field_add(a[2], field_mul(a[0], field_sub(a[1], a[2])));
  default:
    return n->op >= IR_LT && n->op <= IR_NE ? compare(p, (ir_op)n->op, a, where, id)
                                            : function(p, (ir_op)n->op, a, n->n_args);
  }
}

/* ---- leaves ---------------------------------------------------------------------------------------------------------- */

/* Integrals over two basis functions: exchanging I and J transposes a tensor, and turns N*dN into dN*N. */
static void draw_integral(prover *p, const ir_symbol *q, bool exchanged, field *out) {
  bool mixed = q->integral.form[0] == 'N' && q->integral.form[1] == '*' && q->integral.form[2] == 'd',
       turned = q->integral.form[0] == 'd' && q->integral.form[1] == 'N';
  bool vector = q->type.rank == IR_VECTOR;
  uint64_t side = vector && (mixed || turned) ? (uint64_t)(mixed != exchanged) : 0;
  int d = q->dims;
  for (int i = 0; i < q->type.n; i++) {
    int k = q->type.rank == IR_TENSOR && exchanged ? i % d * d + i / d : i;
    uint64_t form = vector ? 0 : (uint64_t)q->integral.form[0] * 256 + (uint64_t)q->integral.form[1];
    form += 65536 * (uint64_t)q->integral.weight;
    out[i] = variable(p, key_of(3, form, side, (uint64_t)k));
  }
}

static bool is_proved(const ir_symbol *q) {
  return q->evidence == IR_PROVED && !q->is_fluctuation && q->side != IR_SIDED;
}

static void copy(const field *from, int n, bool negative, field *out) {
  for (int i = 0; i < n; i++) out[i] = negative ? field_neg(from[i]) : from[i];
}

static void draw_symbol(prover *p, const ir_node *n, uint64_t where, field *out) {
  const ir_symbol *q = ir_symbol_get(p->s->module, n->read.sym);
  draw(p, 1, n->read.sym, where, n->type.n, out);
  const bool moves = p->moved && q->kind == IR_GEOMETRY && strcmp(q->text, "centre") == 0;
  for (int i = 0; i < n->type.n && moves; i++)
    out[i] = field_add(out[i], field_random(key_of(6, 0, 0, (uint64_t)i)));
}

/* What stands at the face or edge itself. */
static bool read_between(prover *p, const ir_node *n, const ir_symbol *q, view v, field *out) {
  const bool formula = q->kind == IR_EQUATION && q->root[0],
             number = formula && is_proved(q) && !p->expand && !p->elsewhere;
  if (q->kind == IR_INTEGRAL && q->place == IR_EDGES) draw_integral(p, q, v.exchanged, out);
  else if (ir_is_patch(q)) out[0] = field_whole(0);
  else if (q->kind == IR_GEOMETRY || q->kind == IR_STATE || number) {
    draw_symbol(p, n, v.level, out);
    copy(out, n->type.n, v.exchanged && q->side == IR_ODD, out);
  } else if (formula)
    copy(prover_value(p, (view){q->root[0], IR_AT_HERE, v.level, v.exchanged}), n->type.n, false, out);
  else return false;
  return true;
}

static void read_field(prover *p, const ir_node *n, view v, field *out) {
  const ir_symbol *q = ir_symbol_get(p->s->module, n->read.sym);
  bool between = q->place == IR_FACES || q->place == IR_EDGES;
  ir_at end = n->read.at == IR_AT_HERE ? v.end : (ir_at)n->read.at;
  uint8_t level = n->read.level != IR_NOW ? n->read.level : v.level;
  v.level = level;
  if (end == IR_AT_HERE && between && read_between(p, n, q, v, out)) return;
  if (p->expand && end != IR_AT_HERE && !between && q->kind == IR_EQUATION && q->root[0]) {
    copy(prover_value(p, (view){q->root[0], end, level, v.exchanged}), n->type.n, false, out);
    return;
  }
  if (v.exchanged) end = ir_other_end(end);
  draw_symbol(p, n, (uint64_t)end * 8 + level, out);
}

static void leaf(prover *p, const ir_node *n, ir_id id, view v, field *out) {
  ir_at end = v.exchanged ? ir_other_end(v.end) : v.end;
  if (n->op == IR_READ) read_field(p, n, v, out);
  else if (n->op == IR_PARAM) draw(p, 1, n->read.sym, 0, n->type.n, out);
  else if (n->op == IR_CONST && isfinite(n->value)) out[0] = field_number(n->value);
  else if (n->op == IR_CONST) out[0] = n->value < 0 ? field_neg(variable(p, 99)) : variable(p, 99);
  else
    draw(p, 2, id, (uint64_t)end * 8 + v.level, n->type.n,
         out); /* a sum over a cell's faces: any number of it */
}

/* ---- formulas ---------------------------------------------------------------------------------------------------------- */

static bool is_sum(void *ctx, ir_id id) { return ir_get(ctx, id)->op == IR_REDUCE; }

static void concatenate(const ir_module *m, const ir_node *n, const ir_reached *all, field *const *values,
                        field *out) {
  for (int k = 0; k < n->n_args; k++) {
    ir_id arg = ir_args(m, n)[k];
    copy(values[ir_reached_place(all, arg)], ir_get(m, arg)->type.n, false, out);
    out += ir_get(m, arg)->type.n;
  }
}

static void evaluate_node(prover *p, ir_id id, view v, const ir_reached *all, field *const *values,
                          field *out) {
  const ir_module *m = p->s->module;
  const ir_node n = *ir_get(m, id);
  operands o = {0};
  for (int k = 0; k < n.n_args && k < 3; k++) {
    ir_id arg = ir_args(m, &n)[k];
    o.at[k] = values[ir_reached_place(all, arg)];
    o.type[k] = ir_get(m, arg)->type;
  }
  if (n.n_args == 0 && n.op != IR_IDENTITY) leaf(p, &n, id, v, out);
  else if (n.op == IR_REDUCE) leaf(p, &n, id, v, out);
  else if (n.op == IR_TUPLE) concatenate(m, &n, all, values, out);
  else if (n.op == IR_PART) copy(o.at[0] + n.first, n.type.n, false, out);
  else if (n.op == IR_MUL) multiply(p->s->dims, o.type[0], o.at[0], o.type[1], o.at[1], out);
  else if (n.op == IR_IDENTITY || n.op >= IR_DOT) tensor_operation(p, (ir_op)n.op, &o, n.type, out);
  else
    for (int i = 0; i < n.type.n; i++) {
      field a[3];
      for (int k = 0; k < n.n_args && k < 3; k++) a[k] = o.at[k][o.type[k].n == 1 ? 0 : i];
      out[i] = scalar_operation(p, &n, a, v, id);
    }
}

static bool same_view(view a, view b) {
  return a.root == b.root && a.end == b.end && a.level == b.level && a.exchanged == b.exchanged;
}

const field *prover_value(prover *p, view v) {
  arena *a = p->s->memory;
  for (int i = 0; i < p->views.n; i++)
    if (same_view(p->views.at[i].of, v)) return p->views.at[i].value;
  ir_reached all = ir_reach_below(p->s->module, &v.root, 1, is_sum, p->s->module);
  p->budget -= all.n;
  if (p->budget < 0 || p->views.n >= MOST_VIEWS) p->hopeless = true;
  field **values = arena_array(a, field *, all.n);
  for (int i = 0; i < all.n; i++) {
    values[i] = arena_array(a, field, ir_get(p->s->module, all.at[i])->type.n);
    if (!p->hopeless) evaluate_node(p, all.at[i], v, &all, values, values[i]);
  }
  vec_push(a, &p->views, ((known_view){v, values[all.n - 1]}));
  return values[all.n - 1];
}

void prover_forget(prover *p) {
  p->views.n = p->drawn.n = p->lengths.n = 0;
  p->hopeless = false;
}
