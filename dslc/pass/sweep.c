#include "pass/pass.h"

static ir_id keep(void *ctx, ir_module *to, const ir_node *n, const ir_id *args, ir_id old) {
  (void)ctx, (void)old;
  return ir_rebuild(to, n, args);
}

/* The frame of the passes visits live nodes only. */
ir_module *pass_sweep(const ir_module *m) { return ir_map(m, keep, NULL); }
