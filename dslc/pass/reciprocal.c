/* Several quotients by one divisor become products with its reciprocal: a division costs ten to twenty products on GPUs and
 * blocks the pipeline of a CPU. Each such quotient gains one rounding (at most 1.5 units in the last place). A factor 2^k is
 * first taken out of divisors, which is exact: x/(2*c) and y/c then share 1/c. */
#include <math.h>

#include "pass/pass.h"

typedef struct quotients {
  const ir_module *m;
  int *uses; /* by divisor, without powers of two */
} quotients;

static bool is_power_of_two(const ir_node *n) {
  int exponent;
  return n->op == IR_CONST && isnormal(n->value) && fabs(frexp(n->value, &exponent)) == 0.5 &&
         isnormal(1 / n->value);
}

/* divisor = factor * returned node, factor a power of two. */
static ir_id without_factor(const ir_module *m, ir_id divisor, double *factor) {
  *factor = 1;
  for (const ir_node *n = ir_get(m, divisor); n->op == IR_MUL; n = ir_get(m, divisor)) {
    const ir_id *a = ir_args(m, n);
    int k = is_power_of_two(ir_get(m, a[0])) ? 0 : is_power_of_two(ir_get(m, a[1])) ? 1 : -1;
    if (k < 0) break;
    *factor *= ir_get(m, a[k])->value;
    divisor = a[1 - k];
  }
  return divisor;
}

static bool is_scalar_quotient(const ir_node *n) { return n->op == IR_DIV && n->type.n == 1; }

static ir_id rewrite(void *ctx, ir_module *to, const ir_node *n, const ir_id *args, ir_id old) {
  quotients *q = ctx;
  (void)old;
  if (!is_scalar_quotient(n)) return ir_rebuild(to, n, args);
  double factor;
  ir_id divisor = without_factor(q->m, ir_args(q->m, n)[1], &factor);
  if (q->uses[divisor] < 2 || ir_get(q->m, divisor)->op == IR_CONST) return ir_rebuild(to, n, args);
  ir_id r = ir_binary(to, IR_DIV, ir_const(to, 1), without_factor(to, args[1], &factor));
  const ir_node *numerator = ir_get(to, args[0]);
  ir_id over = args[0];
  if (factor != 1) over = ir_binary(to, IR_MUL, over, ir_const(to, 1 / factor));
  else if (numerator->op == IR_CONST && numerator->value == 1) return r;
  return ir_binary(to, IR_MUL, over, r);
}

ir_module *pass_reciprocal(const ir_module *m) {
  quotients q = {.m = m, .uses = arena_array(m->memory, int, m->node.n)};
  const unsigned char *live = ir_live(m);
  for (ir_id id = 1; id < (ir_id)m->node.n; id++) {
    const ir_node *n = ir_get(m, id);
    double factor;
    if (live[id] && is_scalar_quotient(n)) q.uses[without_factor(m, ir_args(m, n)[1], &factor)]++;
  }
  return ir_map(m, rewrite, &q);
}
