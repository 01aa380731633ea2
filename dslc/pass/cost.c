/* Operation counts, as in the papers' tables. */
#include "pass/pass.h"

static const double saturated = 1e15;

typedef struct counter {
  const ir_module *m;
  ir_reached all;
  unsigned char *
      varies; /* parallel to `all`, as is `written`: depends on what a loop runs over, so it is computed anew in each turn */
  double *written;
  double loop_length;
} counter;

static bool is_local_loop(const ir_node *n) { return n->op == IR_REDUCE && n->reduce.binder != IR_OVER_ALL; }

/* What only the inside of a loop over faces or neighbours can read. */
static bool is_loop_access(const ir_node *n) {
  if (n->op == IR_SIGN_OUT) return true;
  if (n->op != IR_READ) return false;
  switch (n->read.at) {
  case IR_AT_F:
  case IR_AT_OUT:
  case IR_AT_D:
  case IR_AT_E: return true;
  default: return false;
  }
}

/* In a node's loop J is the neighbour, at an edge its second node: only the root tells. Any J counts as the
 * loop's once some loop over neighbours is reached. */
static bool reaches_near_loop(const counter *k) {
  for (int i = 0; i < k->all.n; i++) {
    const ir_node *n = ir_get(k->m, k->all.at[i]);
    if (n->op == IR_REDUCE && n->reduce.binder == IR_OVER_NEAR) return true;
  }
  return false;
}

/* Operations of one node before `components`: products of vectors and tensors in multiplications and
 * additions. */
static double flops_of(const ir_module *m, const ir_node *n) {
  const ir_id *args = ir_args(m, n);
  int d = m->dims, a = n->n_args > 0 ? ir_get(m, args[0])->type.n : 0,
      b = n->n_args > 1 ? ir_get(m, args[1])->type.n : 0;
  switch (n->op) {
  case IR_MUL:
  case IR_DOT:
    if (n->op == IR_MUL && (a == 1 || b == 1)) return n->type.n;
    if (n->type.n == 1) return 2 * a - 1;
    return n->type.n * (2 * d - 1);
  case IR_OUTER: return n->type.n;
  case IR_CROSS: return 3 * n->type.n;
  case IR_TRACE: return d - 1;
  case IR_NORM: return a == 1 ? 0 : 2 * a;
  default: return (double)ir_op_get((ir_op)n->op)->flops * n->type.n;
  }
}

/* A sequence of some fifteen instructions, and more for what comes behind the roots in ops.def. */
static bool is_slow(ir_op op) {
  return op == IR_DIV || op == IR_POW || op == IR_NORM || (op >= IR_SQRT && op <= IR_TANH);
}

static void count_node(counter *k, int at, bool near, ir_cost *c) {
  const ir_node *n = ir_get(k->m, k->all.at[at]);
  double own = flops_of(k->m, n), body = 0;
  k->varies[at] = is_loop_access(n) || (near && n->op == IR_READ && n->read.at == IR_AT_J);
  for (int i = 0; i < n->n_args; i++) {
    int arg = ir_reached_place(&k->all, ir_args(k->m, n)[i]);
    body += k->written[arg];
    k->varies[at] |= k->varies[arg];
  }
  double times = k->varies[at] ? k->loop_length : 1;
  if (n->op == IR_REDUCE) {
    double turns = is_local_loop(n) ? k->loop_length : 1;
    own = n->type.n;
    body *= turns;
    k->written[at] = body + turns * own;
    times = turns;
    if (is_local_loop(n)) k->varies[at] = 0;
  } else {
    k->written[at] = body + own;
  }
  if (k->written[at] > saturated) k->written[at] = saturated;
  c->shared += times * own;
  if (is_slow((ir_op)n->op)) c->slow += times * (n->op == IR_NORM ? 1 : n->type.n);
  if (n->op == IR_READ) c->loads += n->type.n;
}

ir_cost ir_cost_of(const ir_module *m, const ir_id *roots, int n, double loop_length) {
  ir_reached all = ir_reach(m, roots, n);
  counter k = {m, all, arena_array(m->memory, unsigned char, all.n + 1),
               arena_array(m->memory, double, all.n + 1), loop_length};
  ir_cost c = {0};
  bool near = reaches_near_loop(&k);
  for (int i = 0; i < all.n; i++) count_node(&k, i, near, &c);
  for (int i = 0; i < n; i++)
    if (roots[i] != 0) c.written += k.written[ir_reached_place(&all, roots[i])];
  if (c.written > saturated) c.written = saturated;
  return c;
}

/* Seen in what compilers make of kernels for GPUs: a load comes with the arithmetic of its address. */
double ir_effort(const ir_cost *c) { return c->shared + 14 * c->slow + 2 * c->loads; }
