/* Common subexpressions beyond equal text, which hash-consing has already merged. A node gives way to its
 * mirrored twin only if that exists, so formulas stay as their author wrote them. Nothing is reassociated: a
 * + b and b + a are the same bits, (a + b) + c and a + (b + c) are not. */
#include "pass/pass.h"

/* A product of two tensors does not commute; with a number it does. */
static bool commutes(const ir_module *m, const ir_node *n, const ir_id *args) {
  switch (n->op) {
  case IR_ADD:
  case IR_MIN:
  case IR_MAX:
  case IR_EQ:
  case IR_NE:
  case IR_AND:
  case IR_OR: return true;
  case IR_MUL: return ir_get(m, args[0])->type.n == 1 || ir_get(m, args[1])->type.n == 1;
  default: return false;
  }
}

static bool mirrored(const ir_module *m, const ir_node *n, const ir_id *args, ir_op *op) {
  switch (n->op) {
  case IR_LT: *op = IR_GT; return true;
  case IR_GT: *op = IR_LT; return true;
  case IR_LE: *op = IR_GE; return true;
  case IR_GE: *op = IR_LE; return true;
  default: *op = (ir_op)n->op; return commutes(m, n, args);
  }
}

static ir_id merge(void *ctx, ir_module *to, const ir_node *n, const ir_id *args, ir_id old) {
  (void)ctx, (void)old;
  ir_op op;
  if (n->n_args == 2 && mirrored(to, n, args, &op)) {
    ir_node twin = *n;
    twin.op = (uint8_t)op;
    ir_id id = ir_lookup(to, &twin, (ir_id[]){args[1], args[0]});
    if (id != 0) return id;
  }
  return ir_rebuild(to, n, args);
}

ir_module *pass_cse(const ir_module *m) { return ir_map(m, merge, NULL); }
