/* The other way round than lower/invariants.c: where a kernel reads all of which a value that never changes is made, it makes it anew. */
#include "schedule/nodes.h"

static bool is_leaf(const ir_node *n) { return n->n_args == 0; }

/* ---- what a kernel reads anyway --------------------------------------------------------------------------------------------- */

enum { MOST_OPERATIONS = 4 }; /* more expensive than a number of an edge beyond that */

typedef struct reader {
  planner *pl;
  expander x;
  ir_reached all; /* of the kernel's values */
} reader;

/* Of cheap operations, on nothing that the kernel does not read as it is. */
static bool is_at_hand(const reader *r, ir_id value) {
  const ir_module *m = r->pl->to;
  ir_reached parts = ir_reach(m, &value, 1);
  int operations = 0;
  for (int i = 0; i < parts.n; i++) {
    const ir_node *n = ir_get(m, parts.at[i]);
    if (!is_leaf(n))
      operations += n->op == IR_ADD || n->op == IR_SUB || n->op == IR_MUL ? 1 : MOST_OPERATIONS + 1;
    if (n->op == IR_READ && ir_reached_place(&r->all, parts.at[i]) < 0) return false;
  }
  return operations <= MOST_OPERATIONS;
}

static ir_id make_instead(void *ctx, ir_module *m, ir_id id) {
  reader *r = ctx;
  const ir_node n = *ir_get(m, id);
  if (n.op != IR_READ || n.read.at != IR_AT_E || n.read.level != IR_NOW) return 0;
  const ir_symbol *q = ir_symbol_get(m, n.read.sym);
  const symbol_storage *sp = &r->pl->storage[n.read.sym];
  if (q->kind != IR_EQUATION || q->place != IR_EDGES || !sp->fixed || !sp->stored) return 0;
  ir_id value = expand(&r->x, root_component(r->pl->from, q->root[0], n.read.first), KEY_EDGE);
  return is_at_hand(r, value) ? value : 0;
}

void use_what_is_read(planner *pl, plan_kernel *k) {
  if (pl->from->on_grid || k->place != IR_NODES) return;
  reader r = {.pl = pl, .x = expander_create(pl)};
  ir_id *value = arena_array(pl->memory, ir_id, k->output.n + 1);
  for (int i = 0; i < k->output.n; i++) value[i] = k->output.at[i].value;
  r.all = ir_reach(pl->to, value, k->output.n);
  for (int i = 0; i < k->output.n; i++)
    if (value[i]) k->output.at[i].value = rewrite_value(pl->to, value[i], make_instead, &r);
}
