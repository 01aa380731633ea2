/* Evaluation on the host: defaults of parameters, folding and sampling. One sweep over the table, no
 * recursion. */
#include "ir/ir_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- operators on numbers ------------------------------------------------------------------------------ */

static double apply_compare(ir_op op, double a, double b) {
  switch (op) {
  case IR_LT: return a < b;
  case IR_GT: return a > b;
  case IR_LE: return a <= b;
  case IR_GE: return a >= b;
  case IR_EQ: return a == b;
  default: return a != b;
  }
}

static double apply_function(ir_op op, double x) {
  switch (op) {
  case IR_ABS: return fabs(x);
  case IR_SQRT: return sqrt(x);
  case IR_CBRT: return cbrt(x);
  case IR_EXP: return exp(x);
  case IR_LOG: return log(x);
  case IR_SIN: return sin(x);
  case IR_COS: return cos(x);
  case IR_TAN: return tan(x);
  case IR_ASIN: return asin(x);
  case IR_ACOS: return acos(x);
  case IR_ATAN: return atan(x);
  case IR_SINH: return sinh(x);
  case IR_COSH: return cosh(x);
  case IR_TANH: return tanh(x);
  case IR_FLOOR: return floor(x);
  default: return NAN;
  }
}

/* As in kernels, see min_of and max_of in back/prelude.cl: unlike fmin and fmax, a NaN on either side stays a NaN. */
static double smaller(double a, double b) { return b != b || b < a ? b : a; }
static double larger(double a, double b) { return b != b || b > a ? b : a; }

/* As in kernels, where pass/strength.c makes x^(k/3) a cube root, which negative numbers have too, if the exponent is constant. */
static double power(double x, double e) {
  double k = nearbyint(3 * e);
  bool third = k / 3 == e && fmod(k, 3) != 0 && fabs(k) <= 16;
  if (x < 0 && third) return (fmod(k, 2) != 0 ? -1 : 1) * pow(-x, e);
  return pow(x, e);
}

double ir_apply(ir_op op, const double *a) {
  switch (op) {
  case IR_ADD: return a[0] + a[1];
  case IR_SUB: return a[0] - a[1];
  case IR_NEG: return -a[0];
  case IR_MUL: return a[0] * a[1];
  case IR_DIV: return a[0] / a[1];
  case IR_POW: return power(a[0], a[1]);
  case IR_MIN: return smaller(a[0], a[1]);
  case IR_MAX: return larger(a[0], a[1]);
  case IR_SIGN: return (a[0] > 0) - (a[0] < 0); /* 0 for a NaN, as in OpenCL */
  case IR_ATAN2: return atan2(a[0], a[1]);
  case IR_AND: return a[0] != 0 && a[1] != 0;
  case IR_OR: return a[0] != 0 || a[1] != 0;
  case IR_NOT: return a[0] == 0;
  case IR_SELECT: return a[0] != 0 ? a[1] : a[2];
  default: return op >= IR_LT && op <= IR_NE ? apply_compare(op, a[0], a[1]) : apply_function(op, a[0]);
  }
}

/* ---- vectors and tensors ------------------------------------------------------------------------------- */

/* An operand: `type.n` numbers; tensors row by row. */
typedef struct span_of_numbers {
  const double *at;
  ir_type type;
} numbers;

static double inner(const double *a, int step_a, const double *b, int step_b, int n) {
  double sum = a[0] * b[0];
  for (int i = 1; i < n; i++) sum += a[i * step_a] * b[i * step_b];
  return sum;
}

/* out[i] = T[i,:] . v, or v . T[:,i] */
static void matrix_vector(int d, numbers a, numbers b, double *out) {
  bool vector_first = a.type.rank == IR_VECTOR;
  for (int i = 0; i < d; i++)
    out[i] = vector_first ? inner(a.at, 1, b.at + i, d, d) : inner(a.at + i * d, 1, b.at, 1, d);
}

static void multiply(int d, numbers a, numbers b, ir_type type, double *out) {
  if (a.type.n == 1 || b.type.n == 1) {
    for (int i = 0; i < type.n; i++) out[i] = a.at[a.type.n == 1 ? 0 : i] * b.at[b.type.n == 1 ? 0 : i];
  } else if (b.type.rank == IR_VECTOR) {
    matrix_vector(d, a, b, out);
  } else {
    for (int i = 0; i < d; i++)
      for (int j = 0; j < d; j++) out[i * d + j] = inner(a.at + i * d, 1, b.at + j, d, d);
  }
}

static void cross(int d, const double *a, const double *b, double *out) {
  if (d == 2) out[0] = a[0] * b[1] - a[1] * b[0];
  for (int i = 0; d == 3 && i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    out[i] = a[j] * b[k] - a[k] * b[j];
  }
}

static void tensor_operation(ir_op op, int d, const numbers *a, double *out) {
  switch (op) {
  case IR_DOT:
    if (a[0].type.n == a[1].type.n) out[0] = inner(a[0].at, 1, a[1].at, 1, a[0].type.n);
    else matrix_vector(d, a[0], a[1], out);
    break;
  case IR_OUTER:
    for (int i = 0; i < d * d; i++) out[i] = a[0].at[i / d] * a[1].at[i % d];
    break;
  case IR_CROSS: cross(d, a[0].at, a[1].at, out); break;
  case IR_TRACE:
    out[0] = a[0].at[0];
    for (int i = 1; i < d; i++) out[0] += a[0].at[i * d + i];
    break;
  case IR_TRANSPOSE:
    for (int i = 0; i < d * d; i++) out[i] = a[0].at[i % d * d + i / d];
    break;
  case IR_NORM:
    out[0] = a[0].type.n == 1 ? fabs(a[0].at[0]) : sqrt(inner(a[0].at, 1, a[0].at, 1, a[0].type.n));
    break;
  default: break;
  }
}

/* A number, or made of numbers, as 2/3. */
static bool is_constant(const ir_module *m, ir_id id) {
  const ir_node *n = ir_get(m, id);
  bool constant = n->op == IR_CONST || (n->n_args > 0 && n->op >= IR_ADD && n->op <= IR_SELECT);
  for (int i = 0; i < n->n_args; i++) constant = constant && is_constant(m, ir_args(m, n)[i]);
  return constant;
}

/* ---- the sweep ----------------------------------------------------------------------------------------- */

static void componentwise(const ir_module *m, const ir_node *n, const numbers *a, double *out) {
  for (int i = 0; i < n->type.n; i++) {
    double arg[3] = {0, 0, 0};
    for (int k = 0; k < n->n_args && k < 3; k++) arg[k] = a[k].at[a[k].type.n == 1 ? 0 : i];
    out[i] = n->op == IR_POW && !is_constant(m, ir_args(m, n)[1]) ? pow(arg[0], arg[1])
                                                                  : ir_apply((ir_op)n->op, arg);
  }
}

static void concatenate(const ir_module *m, const ir_node *n, const double *const *arg, double *out) {
  const ir_id *args = ir_args(m, n);
  for (int k = 0; k < n->n_args; k++) {
    int size = ir_get(m, args[k])->type.n;
    memcpy(out, arg[k], sizeof(double) * (size_t)size);
    out += size;
  }
}

void ir_apply_node(const ir_module *m, const ir_node *n, const double *const *arg, double *out) {
  numbers a[3];
  const ir_id *args = ir_args(m, n);
  for (int k = 0; k < n->n_args && k < 3; k++) a[k] = (numbers){arg[k], ir_get(m, args[k])->type};
  switch (n->op) {
  case IR_CONST: out[0] = n->value; break;
  case IR_TUPLE: concatenate(m, n, arg, out); break;
  case IR_PART: memcpy(out, arg[0] + n->first, sizeof(double) * n->type.n); break;
  case IR_IDENTITY:
    for (int i = 0; i < n->type.n; i++) out[i] = i % (m->dims + 1) == 0;
    break;
  case IR_MUL: multiply(m->dims, a[0], a[1], n->type, out); break;
  case IR_DOT:
  case IR_OUTER:
  case IR_CROSS:
  case IR_TRACE:
  case IR_TRANSPOSE:
  case IR_NORM: tensor_operation((ir_op)n->op, m->dims, a, out); break;
  default: componentwise(m, n, a, out); break;
  }
}

static bool is_leaf(ir_op op) {
  return op == IR_PARAM || op == IR_READ || op == IR_SIGN_OUT || op == IR_REDUCE;
}

static void mark_needed(const ir_module *m, ir_id root, unsigned char *needed) {
  needed[root] = 1;
  for (ir_id id = root; id > 0; id--) {
    const ir_node *n = ir_get(m, id);
    if (!needed[id] || is_leaf((ir_op)n->op)) continue;
    for (int k = 0; k < n->n_args; k++) needed[ir_args(m, n)[k]] = 1;
  }
}

/* Sampling evaluates thousands of times, so the scratch memory is not the arena's; without memory the arena's
 * handler is called as for any other failure. */
static void *scratch(const ir_module *m, size_t n, size_t size) {
  void *p = calloc(n, size);
  return p != NULL ? p : arena_alloc(m->memory, SIZE_MAX / 2);
}

void ir_evaluate(const ir_module *m, ir_id root, ir_leaf *leaf, void *ctx, double *out) {
  unsigned char *needed = scratch(m, (size_t)root + 1, 1);
  size_t *first = scratch(m, (size_t)root + 1, sizeof *first), total = 0;
  mark_needed(m, root, needed);
  for (ir_id id = 1; id <= root; id++) {
    first[id] = total;
    if (needed[id]) total += ir_get(m, id)->type.n;
  }
  double *value = scratch(m, total + 1, sizeof *value);
  const double *arg[IR_MOST_ARGS];
  for (ir_id id = 1; id <= root; id++) {
    const ir_node *n = ir_get(m, id);
    if (!needed[id]) continue;
    if (is_leaf((ir_op)n->op)) leaf(ctx, m, id, value + first[id]);
    else {
      for (int k = 0; k < n->n_args; k++) arg[k] = value + first[ir_args(m, n)[k]];
      ir_apply_node(m, n, arg, value + first[id]);
    }
  }
  memcpy(out, value + first[root], sizeof *out * ir_get(m, root)->type.n);
  free(value);
  free(first);
  free(needed);
}
