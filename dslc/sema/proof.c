/* Proofs that a quantity at faces is even or odd under the exchange of its two cells, that a matrix is symmetric, that what R gets
 * is what L gets seen from R.
 *
 * Both views of the formula are evaluated at one random point of prime fields (field.h), where rational expressions are equal if
 * they are the same. What is not rational is a random number that its arguments determine, chosen so that the laws hold that an
 * exchange needs: f(-x) = -f(x) or f(x) for odd and even functions, min and max by |a - b|. A condition is a number c, and
 * `if c then a else b` is c*a + (1-c)*b; `a > b` and `b > a` are c and 1 - c. If this proves nothing, each condition is set to 0
 * and to 1 in all combinations, which adds c*c = c.
 *
 * That holds where no comparison has equal sides. A tie matters only if two uses of one comparison would then go different ways,
 * as `un > 0` does when seen from both sides. Then a variable in which a - b is a quotient of linear functions
 * is set to its root, and both views are compared there.
 *
 * Only faces between two cells can be seen from two sides: there no condition patch(...) is true. At the boundary the normal points
 * outwards and L is the cell inside, whatever the numbering.
 *
 * What is even or odd for a proved reason is a number of its own; equations of cells and nodes first too, and
 * are written out if that proves nothing. The budget bounds the work of each formula, whatever it reads. */
#include "sema/proof.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "sema/field.h"

enum {
  MOST_NODES = 20000,
  MOST_VIEWS = 400,
  MOST_CONDITIONS = 40,
  MOST_CASES = 256,
  MOST_ROOTS = 8,
  MOST_LENGTHS = 12,
  LARGEST_POWER = 64
};

/* A formula evaluated at one end, from one side. */
typedef struct view {
  ir_id root;
  ir_at end;
  uint8_t level;
  bool exchanged;
} view;

typedef struct known_view {
  view of;
  const field *value;
} known_view;

/* A comparison, whichever way it was written: of a - b > 0 and of b - a > 0 one is `key` > 0. */
typedef struct condition {
  field key, value;
  view where;
  ir_id node;
  bool equality; /* == or != */
  bool flipped;  /* there, a - b is -key */
  unsigned ties; /* bit 0, 1: where both sides are equal a use takes `key` > 0 for false, for true */
  bool set;      /* the value is 0 or 1 by choice */
} condition;

typedef struct prover {
  sema *s;
  bool expand; /* equations of cells and nodes are written out */
  bool cases;
  bool
      elsewhere; /* is it the same if the mesh is moved? What faces have for a proved reason is written out, */
  bool moved;    /* and now it is moved */
  int budget;
  bool hopeless;
  VEC(known_view) views;
  VEC(condition) conditions;
  VEC(field) drawn;      /* the variables */
  VEC(field) lengths;    /* those of them that are roots and absolute values, so not negative */
  const field *variable; /* which has the value `root` instead */
  field root;
} prover;

/* ---- variables --------------------------------------------------------------------------------------------------- */

static field variable(prover *p, uint64_t key) {
  field x = field_random(key);
  if (p->variable && field_equal(x, *p->variable)) return p->root;
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

static field divide(prover *p, field a, field b) {
  if (field_invertible(b)) return field_div(a, b);
  p->hopeless = true; /* at this point, though not everywhere: some other proof is needed */
  return a;
}

/* Powers with a whole exponent are rational. */
static field power(prover *p, const ir_module *m, ir_id exponent, const field *a) {
  const ir_node *n = ir_get(m, exponent);
  double e = n->op == IR_CONST ? n->value : NAN;
  if (!(fabs(e) <= LARGEST_POWER) || e != nearbyint(e)) return opaque(p, IR_POW, a, 2);
  field r = field_whole(1);
  for (int i = 0; i < (int)fabs(e); i++) r = field_mul(r, a[0]);
  return e < 0 ? divide(p, field_whole(1), r) : r;
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
  const ir_module *m = p->s->module;
  switch (n->op) {
  case IR_ADD: return field_add(a[0], a[1]);
  case IR_SUB: return field_sub(a[0], a[1]);
  case IR_NEG: return field_neg(a[0]);
  case IR_DIV: return divide(p, a[0], a[1]);
  case IR_POW: return power(p, m, ir_args(m, n)[1], a);
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

static const field *value_at(prover *p, view v);

static ir_at other_end(ir_at end) {
  switch (end) {
  case IR_AT_L: return IR_AT_R;
  case IR_AT_R: return IR_AT_L;
  case IR_AT_I: return IR_AT_J;
  case IR_AT_J: return IR_AT_I;
  default: return end;
  }
}

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
    copy(value_at(p, (view){q->root[0], IR_AT_HERE, v.level, v.exchanged}), n->type.n, false, out);
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
    copy(value_at(p, (view){q->root[0], end, level, v.exchanged}), n->type.n, false, out);
    return;
  }
  if (v.exchanged) end = other_end(end);
  draw_symbol(p, n, (uint64_t)end * 8 + level, out);
}

static void leaf(prover *p, const ir_node *n, ir_id id, view v, field *out) {
  ir_at end = v.exchanged ? other_end(v.end) : v.end;
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

/* The value of a formula; rubbish once the proof is hopeless. */
static const field *value_at(prover *p, view v) {
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

/* ---- verdicts ---------------------------------------------------------------------------------------------------------- */

typedef struct claim {
  ir_id plain, turned;
} claim;

typedef struct verdict {
  bool even, odd;
} verdict;

static void forget(prover *p) {
  p->views.n = p->drawn.n = p->lengths.n = 0;
  p->hopeless = false;
}

static verdict compare_views(prover *p, claim c) {
  int n = ir_get(p->s->module, c.plain)->type.n;
  forget(p);
  const field *a = value_at(p, (view){.root = c.plain}),
              *b = value_at(p, (view){.root = c.turned, .exchanged = true});
  verdict v = {!p->hopeless, !p->hopeless};
  for (int i = 0; i < n; i++) {
    v.even = v.even && field_equal(a[i], b[i]);
    v.odd = v.odd && field_equal(a[i], field_neg(b[i]));
  }
  return v;
}

/* ---- what cannot be ------------------------------------------------------------------------------------------------------ */

/* a - b of a comparison, with `x` as the value of the variable. */
static field difference(prover *p, const condition *c, const field *which, field x) {
  const ir_module *m = p->s->module;
  const ir_id *args = ir_args(m, ir_get(m, c->node));
  view a = c->where, b = c->where;
  a.root = args[0];
  b.root = args[1];
  forget(p);
  p->variable = which;
  p->root = x;
  field d = field_sub(*value_at(p, a), *value_at(p, b));
  p->variable = NULL;
  return d;
}

/* What two comparisons of one case say is positive, added up. */
typedef struct positive_sum {
  const condition *c[2];
  bool negative[2];
} positive_sum;

static field total(prover *p, const positive_sum *t, const field *which, field x) {
  field sum = field_whole(0);
  for (int i = 0; i < 2 && t->c[i]; i++) {
    field d = difference(p, t->c[i], which, x);
    sum = t->negative[i] ? field_sub(sum, d) : field_add(sum, d);
  }
  return sum;
}

/* Is x a negative multiple, k/4 for a small k, of y? */
static bool is_small_negative(field x, field y) {
  const field four = field_mul(x, field_whole(4));
  field multiple = field_neg(y);
  for (int k = 1; k <= 16; k++, multiple = field_sub(multiple, y))
    if (field_equal(four, multiple)) return true;
  return false;
}

/* -(i*x + j*y)/4 with small i, j of two of the lengths? Lengths of which others are made cannot be varied alone. */
static bool is_small_combination(field rest, const field *length, int n) {
  for (int i = 0; i < n; i++)
    for (int k = 1; k <= 8; k++) {
      field without = field_add(rest, field_div(field_mul(length[i], field_whole(k)), field_whole(4)));
      for (int j = i; j < n; j++)
        if (field_is_zero(without) || is_small_negative(without, length[j])) return true;
    }
  return false;
}

/* The lengths in both comparisons, each once. */
static int lengths_of(prover *p, const positive_sum *t, field *out) {
  int n = 0;
  for (int k = 0; k < 2 && t->c[k]; k++) {
    difference(p, t->c[k], NULL, field_whole(0));
    for (int i = 0; i < p->lengths.n && n < MOST_LENGTHS; i++) {
      bool again = false;
      for (int j = 0; j < n; j++) again = again || field_equal(out[j], p->lengths.at[i]);
      if (!again) out[n++] = p->lengths.at[i];
    }
  }
  return n;
}

/* Is the sum made of negative multiples of lengths? Then it is not positive. */
static bool is_contradiction(prover *p, positive_sum t) {
  const field one = field_whole(1), nothing = field_whole(0);
  for (int i = 0; i < 2 && t.c[i]; i++) t.negative[i] = t.c[i]->flipped != field_is_zero(t.c[i]->value);
  field rest = total(p, &t, NULL, nothing), length[MOST_LENGTHS], d[3];
  int n = lengths_of(p, &t, length);
  for (int i = 0; i < n && !p->hopeless; i++) {
    field x = length[i];
    for (int k = 0; k < 3; k++, x = field_add(x, one)) d[k] = total(p, &t, &length[i], x);
    field slope = field_sub(d[1], d[0]);
    if (field_equal(slope, field_sub(d[2], d[1])) && is_small_negative(slope, one))
      rest = field_sub(rest, field_mul(slope, length[i]));
  }
  return !p->hopeless && (field_is_zero(rest) || is_small_combination(rest, length, n));
}

static void copy_conditions(const prover *from, prover *to) {
  for (int i = 0; i < from->conditions.n; i++)
    vec_push(to->s->memory, &to->conditions, from->conditions.at[i]);
}

/* Of two comparisons together that is, as `min(a, b) > 0` and `max(a, b) < 0`. */
static bool is_impossible(const prover *p) {
  for (int i = 0; i < p->conditions.n; i++)
    for (int k = i; k < p->conditions.n; k++) {
      prover q = {.s = p->s, .expand = p->expand, .cases = true, .budget = MOST_NODES};
      copy_conditions(p, &q);
      const condition a = p->conditions.at[i], b = p->conditions.at[k];
      if (a.equality || b.equality) continue;
      if (is_contradiction(&q, (positive_sum){.c = {&a, k > i ? &b : NULL}})) return true;
    }
  return false;
}

/* ---- cases ---------------------------------------------------------------------------------------------------------------- */

/* The next combination of conditions: the last one that is 0 becomes 1, and those behind it are found anew. */
static bool next_case(prover *p) {
  while (p->conditions.n > 0) {
    condition *last = &p->conditions.at[p->conditions.n - 1];
    if (!last->set) {
      last->set = true;
      last->value = field_whole(1);
      return true;
    }
    p->conditions.n--;
  }
  return false;
}

static verdict compare_cases(prover *p, claim c) {
  verdict all = {true, true};
  p->cases = true;
  p->conditions.n = 0;
  for (int i = 0;; i++) {
    verdict v = compare_views(p, c);
    if (!(all.even && v.even) && !(all.odd && v.odd) && is_impossible(p)) v = all;
    all = (verdict){all.even && v.even, all.odd && v.odd};
    if (i == MOST_CASES || (!all.even && !all.odd)) all = (verdict){false, false};
    if ((!all.even && !all.odd) || !next_case(p)) break;
  }
  p->cases = false;
  return all;
}

static verdict judge(prover *p, claim c) {
  p->conditions.n = 0;
  verdict v = compare_views(p, c);
  return v.even || v.odd || p->conditions.n == 0 ? v : compare_cases(p, c);
}

/* ---- ties ---------------------------------------------------------------------------------------------------------------- */

/* Where a - b, in this variable a quotient of linear functions, is 0: there 1/(a - b) has its pole, which follows from three values. */
static bool find_root(prover *p, const condition *c, const field *which, field *root) {
  const field one = field_whole(1);
  field inverse[3], x = *which;
  for (int i = 0; i < 3; i++, x = field_add(x, one)) {
    field d = difference(p, c, which, x);
    if (p->hopeless || !field_invertible(d)) return false;
    inverse[i] = field_div(one, d);
  }
  field first = field_sub(inverse[0], inverse[1]), second = field_sub(inverse[1], inverse[2]);
  if (!field_invertible(second)) return false;
  field away = field_sub(one, field_div(first, second));
  if (!field_invertible(away)) return false;
  *root = field_add(*which, field_div(field_whole(2), away));
  return field_is_zero(difference(p, c, which, *root)) && !p->hopeless;
}

static bool tie_is_proved(prover *p, const condition *c, claim of, verdict want) {
  const field nothing = field_whole(0);
  p->conditions.n = 0;
  difference(p, c, NULL, nothing);
  const bool chosen =
      p->conditions.n > 0; /* by an `if` in it: for other values of that condition the root is another one */
  VEC(field) variables = {0};
  for (int i = 0; i < p->drawn.n; i++) vec_push(p->s->memory, &variables, p->drawn.at[i]);
  int roots = 0;
  for (int i = 0; i < variables.n && roots < MOST_ROOTS; i++) {
    field root;
    if (!find_root(p, c, &variables.at[i], &root)) continue;
    p->variable = &variables.at[i];
    p->root = root;
    if (chosen) p->conditions.n = 0;
    verdict v = chosen ? compare_views(p, of) : judge(p, of);
    p->variable = NULL;
    if ((want.even && !v.even) || (want.odd && !v.odd)) return false;
    roots++;
  }
  return roots > 0;
}

/* The comparisons that the two views take different ways at, where both sides are equal. */
static int open_ties(const prover *p, condition *out) {
  int n = 0;
  for (int i = 0; i < p->conditions.n; i++)
    if (p->conditions.at[i].ties == 3) out[n++] = p->conditions.at[i];
  return n;
}

static side_proof prove(prover *p, claim c) {
  verdict v = judge(p, c);
  side_proof r = {.even = v.even, .odd = v.odd, .ties = v.even || v.odd};
  if (!r.ties) return r;
  p->conditions.n = 0;
  compare_views(p, c);
  condition ties[MOST_CONDITIONS];
  int n = p->hopeless ? 0 : open_ties(p, ties);
  for (int i = 0; i < n && r.ties; i++) {
    r.ties = tie_is_proved(p, &ties[i], c, v);
    if (!r.ties) r.tie = p->s->module->origin.at[ties[i].node].at;
  }
  return r;
}

/* A long formula without cases is proved by looking at either view twice. */
static int budget_of(const sema *s, claim c) {
  return MOST_NODES + 3 * (ir_reach(s->module, &c.plain, 1).n + ir_reach(s->module, &c.turned, 1).n);
}

side_proof prove_sides(sema *s, ir_id plain, ir_id turned) {
  claim c = {plain, turned};
  prover p = {.s = s, .budget = budget_of(s, c)};
  side_proof r = prove(&p, c);
  if (r.ties) return r;
  prover q = {.s = s, .budget = budget_of(s, c), .expand = true};
  side_proof expanded = prove(&q, c);
  return expanded.ties || !(r.even || r.odd) ? expanded : r;
}

bool prove_unmoved(sema *s, ir_id formula) {
  const claim c = {formula, formula};
  const int n = ir_get(s->module, formula)->type.n;
  prover p = {.s = s, .budget = budget_of(s, c), .elsewhere = true};
  const field *here = value_at(&p, (view){.root = formula});
  bool same = !p.hopeless;
  forget(&p);
  p.moved = true;
  const field *there = value_at(&p, (view){.root = formula});
  for (int i = 0; i < n; i++) same = same && field_equal(here[i], there[i]);
  return same && !p.hopeless;
}
