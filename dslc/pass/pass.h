/* Passes: IR to IR, one file each. Each returns a new module in the same arena; dead nodes are left behind. */
#ifndef DSLC_PASS_PASS_H
#define DSLC_PASS_PASS_H

#include "ir/ir.h"

/* dot(v, T*v): of the tensor only its symmetric part is read, T_ij + T_ji. Before `components`. */
ir_module *pass_quadratic(const ir_module *m);

/* Tensors, vectors and tuples become scalars: afterwards every node has n == 1 and READ.first names the component.
 * Roots that had n components become lists: a TUPLE node of scalars (even for n == 1 the root is the scalar itself). */
ir_module *pass_components(const ir_module *m);

/* For periodic meshes: centre[J] - centre[I] of nodes as the vector of the edge between them; half of each face of a periodic side in sums over
 * all faces. After `components`. */
ir_module *pass_images(const ir_module *m);

/* Constant folding and safe algebraic identities (x*1, x+0, x/1, 0*x only where x is proved finite, select with a constant
 * condition or equal arms, not not, comparisons of constants, sign handling a + (-b) -> a - b). Never reorders sums. */
ir_module *pass_fold(const ir_module *m);

/* Strength reduction: x^2 x^3 x^4 as products, x^0.5 sqrt, x^(1/3) cbrt, x^(4/3), x^(7/3), x^(k/2), negative powers as one
 * division; division by a constant that is a power of two as a product. */
ir_module *pass_strength(const ir_module *m);

/* Quotients that share a divisor as products with its reciprocal; see there for the rounding. */
ir_module *pass_reciprocal(const ir_module *m);

/* Common subexpressions modulo commutativity of + * min max == != and or, and of a > b against b < a. */
ir_module *pass_cse(const ir_module *m);

/* What is known of a node's value, from constants, squares, norms, sqrt, max with a positive constant, parameters declared
 * positive by `require`, and `require`s on fields. */
typedef struct ir_facts {
  bool finite, nonzero, nonnegative, positive, nonpositive;
} ir_facts;
const ir_facts *ir_facts_compute(const ir_module *m); /* one per node */

/* How a `select` is computed: kept (the emitters write a ternary or a branch), or as Kronecker deltas c*a + (1-c)*b. The
 * delta form is used only where both arms are proved finite, or can be made so by guarding a quotient, root or logarithm
 * (a/b with b := c*b + (1-c)); else the select stays and is counted. */
typedef enum select_form { SELECT_TERNARY, SELECT_DELTA, SELECT_BRANCH } select_form;
typedef struct select_report {
  int total, delta, guarded, kept;
} select_report;
/* The delta itself is the node select(c, 1, 0): it stays, and emitters write it as a number, (double)(c). Conditions'
 * choices between bools become `and` and `or`. */
ir_module *pass_select(const ir_module *m, select_form form, select_report *report);

/* Drops nodes that no root reaches and renumbers. */
ir_module *pass_sweep(const ir_module *m);

/* Operations of the nodes reachable from `roots`: `written` counts as if every use were expanded (the papers' macros;
 * saturates at 1e15), `shared` after common subexpressions. Loops count their body `faces_per_cell` times. */
typedef struct ir_cost {
  double written, shared;
  double slow; /* of the shared: divisions, roots and other functions */
  int loads;   /* distinct READs */
} ir_cost;
ir_cost ir_cost_of(const ir_module *m, const ir_id *roots, int n, double loop_length);
double ir_effort(const ir_cost *c); /* what it takes to compute, in additions, roughly */

#endif
