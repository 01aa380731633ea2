/* Powers and quotients by constants as cheaper operations. Each rounding costs half a unit in the last place and a
 * squaring doubles what came before: x^3 is within 1 unit, x^4 1.5, x^8 3.5; a cube root adds the library's error (OpenCL
 * allows 2 units), which is why x^(2/3) is cbrt(x*x) and not cbrt(x)^2. Overflow of an intermediate is not excluded.
 * A cube root also takes negative numbers, of which the power is not a number. */
#include "pass/pass.h"

#include <math.h>

enum { LARGEST_POWER = 8, LARGEST_ROOT_POWER = 16 };

static ir_id multiply(ir_module *m, ir_id a, ir_id b) {
  return a == 0 ? b : b == 0 ? a : ir_binary(m, IR_MUL, a, b);
}

/* x^k by repeated squaring; the squares are shared with other powers of x. 0 for k = 0: no factor. */
static ir_id power(ir_module *m, ir_id x, int k) {
  ir_id result = 0;
  for (ir_id square = x; k > 0; k >>= 1) {
    if (k & 1) result = multiply(m, square, result);
    if (k > 1) square = ir_binary(m, IR_MUL, square, square);
  }
  return result;
}

/* |e| = whole + rest/of, of 1, 2 or 3. The quotients are compared as the doubles that a scheme's `7/3` gives.
 */
static bool split_exponent(double e, int *whole, int *rest, int *of) {
  for (*of = 1; *of <= 3; ++*of) {
    double k = nearbyint(e * *of);
    if (k < 0 || k > LARGEST_ROOT_POWER || k / *of != e) continue;
    *whole = (int)k / *of;
    *rest = (int)k % *of;
    return *whole <= LARGEST_POWER;
  }
  return false;
}

/* x^e as products and one root; 0 if the exponent is none of those. */
static ir_id reduce_power(ir_module *m, ir_id x, double e) {
  int whole, rest, of;
  if (!split_exponent(fabs(e), &whole, &rest, &of) || (whole == 0 && rest == 0)) return 0;
  ir_id root = 0;
  if (rest > 0) root = ir_unary(m, of == 2 ? IR_SQRT : IR_CBRT, power(m, x, rest));
  ir_id result = multiply(m, power(m, x, whole), root);
  return e < 0 ? ir_binary(m, IR_DIV, ir_const(m, 1), result) : result;
}

/* A power of two has an exact reciprocal, unless that would be subnormal. */
static bool has_exact_reciprocal(double x) {
  int exponent;
  return isnormal(x) && fabs(frexp(x, &exponent)) == 0.5 && isnormal(1 / x);
}

static ir_id reduce(void *ctx, ir_module *to, const ir_node *n, const ir_id *args, ir_id old) {
  (void)ctx, (void)old;
  const ir_node *second = n->n_args == 2 ? ir_get(to, args[1]) : NULL;
  ir_id id = 0;
  if (second != NULL && second->op == IR_CONST) {
    double c = second->value;
    if (n->op == IR_POW) id = reduce_power(to, args[0], c);
    if (n->op == IR_DIV && has_exact_reciprocal(c)) id = ir_binary(to, IR_MUL, args[0], ir_const(to, 1 / c));
  }
  return id != 0 ? id : ir_rebuild(to, n, args);
}

ir_module *pass_strength(const ir_module *m) { return ir_map(m, reduce, NULL); }
