/* Is a matrix the same from both ends of an edge? Proved by exchanging I and J in its entries, with all equations expanded and the
 * operands of + and * in a fixed order: the same node comes out, since nodes are shared. Integrals are known to be symmetric,
 * transposed, or each other's image. In the same way: do the rows sum to zero, as the diagonal's sum is of what the entries are? */
#include "schedule/nodes.h"

#include <string.h>

enum { MOST_NODES = 4000 }; /* a proof that would cost more is not tried */

typedef struct mirror {
  planner *pl;
  bool swap;
  bool near; /* a summand of a sum over J near I, to be compared with what stands at the edge */
  bool failed;
  int budget;
} mirror;

static ir_id normal_form(mirror *w, ir_id root);

/* The integral whose value at the edge from J to I is that of `sym` at the edge from I to J, 0: unknown. */
static ir_sym twin_of(const ir_module *m, ir_sym sym) {
  const char *text = ir_symbol_get(m, sym)->integral.form;
  bool first = strcmp(text, "N*dN") == 0, second = strcmp(text, "dN*N") == 0;
  if (!first && !second) return sym;
  for (int s = 1; s < m->symbol.n; s++) {
    const ir_symbol *q = ir_symbol_get(m, (ir_sym)s);
    if (q->kind == IR_INTEGRAL && q->integral.weight == ir_symbol_get(m, sym)->integral.weight &&
        strcmp(q->integral.form, first ? "dN*N" : "N*dN") == 0)
      return (ir_sym)s;
  }
  return 0;
}

static ir_id read_integral(mirror *w, ir_node n) {
  ir_module *m = w->pl->from;
  ir_symbol q = *ir_symbol_get(m, n.read.sym);
  if (w->swap) {
    n.read.sym = twin_of(m, n.read.sym);
    int d = m->dims, k = n.read.first;
    if (q.type.rank == IR_TENSOR) n.read.first = (uint8_t)(k % d * d + k / d);
    w->failed = w->failed || n.read.sym == 0;
  }
  return w->failed ? 0 : ir_rebuild(m, &n, NULL);
}

static ir_id read_leaf(mirror *w, ir_node n) {
  ir_module *m = w->pl->from;
  const ir_symbol q = *ir_symbol_get(m, n.read.sym);
  if (w->near && q.place == IR_EDGES && n.read.at == IR_AT_E) n.read.at = IR_AT_HERE;
  else if (w->near && q.place == IR_NODES && n.read.at == IR_AT_HERE) n.read.at = IR_AT_I;
  bool here = n.read.at == IR_AT_HERE;
  if (q.kind == IR_MATRIX && here) return normal_form(w, q.root[0]);
  if (q.kind == IR_INTEGRAL && q.place == IR_EDGES) return read_integral(w, n);
  if (q.kind == IR_EQUATION && q.place == IR_EDGES && here && n.read.level == IR_NOW)
    return normal_form(w, root_component(m, q.root[0], n.read.first));
  if (q.place == IR_NODES && (n.read.at == IR_AT_I || n.read.at == IR_AT_J)) {
    if (w->swap) n.read.at = n.read.at == IR_AT_I ? IR_AT_J : IR_AT_I;
    return ir_rebuild(m, &n, NULL);
  }
  w->failed = true;
  return 0;
}

static ir_id build(mirror *w, const ir_node *n, ir_id *args) {
  bool commutes = n->op == IR_ADD || n->op == IR_MUL || n->op == IR_MIN || n->op == IR_MAX;
  if (commutes && args[0] > args[1]) {
    ir_id first = args[0];
    args[0] = args[1];
    args[1] = first;
  }
  return ir_rebuild(w->pl->from, n, args);
}

/* The recursion is over equations, one reading the other: the planner bounds their depth. */
static ir_id normal_form(mirror *w, ir_id root) {
  ir_module *m = w->pl->from;
  ir_reached all = ir_reach(m, &root, 1);
  ir_id *copy = arena_array(m->memory, ir_id, all.n + 1);
  w->budget -= all.n;
  w->failed = w->failed || w->budget < 0;
  for (int i = 0; i < all.n && !w->failed; i++) {
    const ir_node n = *ir_get(m, all.at[i]);
    ir_id args[IR_MOST_ARGS];
    for (int k = 0; k < n.n_args; k++) args[k] = copy[ir_reached_place(&all, ir_args(m, &n)[k])];
    copy[i] = n.op == IR_READ ? read_leaf(w, n) : build(w, &n, args);
  }
  return w->failed ? 0 : copy[ir_reached_place(&all, root)];
}

bool is_proved_symmetric(planner *pl, ir_sym sym) {
  ir_id root = ir_symbol_get(pl->from, sym)->root[0];
  mirror plain = {.pl = pl, .budget = MOST_NODES}, swapped = {.pl = pl, .swap = true, .budget = MOST_NODES};
  ir_id a = normal_form(&plain, root), b = normal_form(&swapped, root);
  return !plain.failed && !swapped.failed && a == b;
}

/* ---- rows that sum to zero --------------------------------------------------------------------------------------------------------- */

static ir_id argument_of(const ir_module *m, ir_id id, int k) { return ir_args(m, ir_get(m, id))[k]; }

static bool is_minus_one(const ir_module *m, ir_id id) {
  const ir_node *n = ir_get(m, id);
  return n->op == IR_CONST && n->value == -1;
}

/* Without its signs; *minus changes with each. */
static ir_id without_signs(const ir_module *m, ir_id id, bool *minus) {
  for (;;) {
    const ir_node *n = ir_get(m, id);
    if (n->op == IR_NEG) id = argument_of(m, id, 0);
    else if (n->op == IR_MUL && is_minus_one(m, argument_of(m, id, 0))) id = argument_of(m, id, 1);
    else if (n->op == IR_MUL && is_minus_one(m, argument_of(m, id, 1))) id = argument_of(m, id, 0);
    else return id;
    *minus = !*minus;
  }
}

/* Is the diagonal -sum(J near I) of the entries, or of what they are written as? */
bool is_proved_row_sum(planner *pl, ir_sym matrix) {
  ir_module *m = pl->from;
  const ir_symbol *q = ir_symbol_get(m, matrix);
  bool minus = false;
  ir_id sum = without_signs(m, q->root[IR_DIAGONAL], &minus);
  const ir_node n = *ir_get(m, sum);
  if (n.op != IR_REDUCE || n.reduce.kind != IR_SUM || n.reduce.binder != IR_OVER_NEAR) return false;
  ir_id body = without_signs(m, argument_of(m, sum, 0), &minus);
  const ir_node *summand = ir_get(m, body);
  if (summand->op == IR_READ && summand->read.sym == matrix && summand->read.at == IR_AT_E) return minus;
  mirror near = {.pl = pl, .near = true, .budget = MOST_NODES}, entry = {.pl = pl, .budget = MOST_NODES};
  ir_id a = normal_form(&near, body), b = normal_form(&entry, q->root[0]);
  bool other = true;
  if (near.failed || entry.failed) return false;
  a = without_signs(m, a, &minus);
  b = without_signs(m, b, &other);
  return minus == other && a == b;
}
