/* Quadratic forms v.T v, written dot(v, T*v): of T only the symmetric part counts, so T_ij and T_ji come in as their sum. That is fewer
 * operations; and where T never changes in a run, neither do these sums, and less is to be read. */
#include "pass/pass.h"

/* The tensor of the form, 0: `w` is no T*v, dot(T, v) or dot(v, T), which all give the same one. */
static ir_id tensor_of_form(const ir_module *m, ir_id v, ir_id w) {
  const ir_node *n = ir_get(m, w);
  if (ir_get(m, v)->type.rank != IR_VECTOR || (n->op != IR_MUL && n->op != IR_DOT)) return 0;
  const ir_id a = ir_args(m, n)[0], b = ir_args(m, n)[1], tensor = a == v ? b : b == v ? a : 0;
  return tensor && ir_get(m, tensor)->type.rank == IR_TENSOR ? tensor : 0;
}

static ir_id component(ir_module *m, ir_id of, int k) { return ir_part(m, of, k, ir_scalar()); }

static ir_id form_of(ir_module *m, ir_id v, ir_id tensor) {
  const int d = m->dims;
  ir_id form = 0;
  for (int i = 0; i < d; i++) {
    ir_id row = ir_binary(m, IR_MUL, component(m, tensor, i * d + i), component(m, v, i));
    for (int j = i + 1; j < d; j++) {
      const ir_id both =
          ir_binary(m, IR_ADD, component(m, tensor, i * d + j), component(m, tensor, j * d + i));
      row = ir_binary(m, IR_ADD, row, ir_binary(m, IR_MUL, both, component(m, v, j)));
    }
    row = ir_binary(m, IR_MUL, component(m, v, i), row);
    form = form ? ir_binary(m, IR_ADD, form, row) : row;
  }
  return form;
}

static ir_id rewrite(void *ctx, ir_module *to, const ir_node *n, const ir_id *args, ir_id old) {
  (void)ctx, (void)old;
  if (n->op != IR_DOT) return ir_rebuild(to, n, args);
  for (int k = 0; k < 2; k++) {
    const ir_id tensor = tensor_of_form(to, args[k], args[1 - k]);
    if (tensor) return form_of(to, args[k], tensor);
  }
  return ir_rebuild(to, n, args);
}

ir_module *pass_quadratic(const ir_module *m) { return ir_map(m, rewrite, NULL); }
