/* A divisor that seen from the other side has the other sign: where it is 0 the quotient is infinite, with one and the same sign from both
 * sides, though all the laws of a proof say that it turns. It does not matter as long as the value stays infinite, as then no run goes on. But
 * tanh(1/x) is 1 again, and 1/x > 0 is true. */
#include "sema/prover.h"

enum { MOST_VISITS = 20000 };

typedef struct search {
  sema *s;
  const unsigned char *turning; /* by node: its divisor changes its sign; NULL: any divisor may */
  unsigned char *known;         /* by symbol: 1 its value is finite, 2 it may be infinite */
  int visits;
  ir_id lost; /* what makes a number of an infinite value; 0: nothing */
} search;

static double exponent_of(const ir_module *m, const ir_node *n) {
  const ir_node *e = ir_get(m, ir_args(m, n)[1]);
  return e->op == IR_CONST ? e->value : -1;
}

static bool is_quotient(const ir_module *m, const ir_node *n) {
  return n->op == IR_DIV || (n->op == IR_POW && exponent_of(m, n) < 0);
}

/* Is the k-th operand, where it is infinite, gone in the result? */
static bool loses(const ir_module *m, const ir_node *n, int k) {
  switch (n->op) {
  case IR_MIN:
  case IR_MAX:
  case IR_SIGN:
  case IR_EXP:
  case IR_ATAN:
  case IR_ATAN2:
  case IR_TANH: return true;
  case IR_DIV: return k == 1;
  case IR_POW: return exponent_of(m, n) <= 0;
  default: return n->op >= IR_LT && n->op <= IR_NE;
  }
}

static bool may_be_infinite(search *x, ir_id root);

static bool symbol_may_be_infinite(search *x, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(x->s->module, sym);
  if (q->kind != IR_EQUATION || !q->root[0]) return false;
  if (!x->known[sym]) {
    x->known[sym] = 1; /* no equation needs itself */
    x->known[sym] = may_be_infinite(x, q->root[0]) ? 2 : 1;
  }
  return x->known[sym] == 2;
}

static bool node_may_be_infinite(search *x, ir_id id, const ir_reached *all, const bool *infinite) {
  const ir_module *m = x->s->module;
  const ir_node *n = ir_get(m, id);
  bool may = is_quotient(m, n) && (!x->turning || x->turning[id]);
  if (n->op == IR_READ) return symbol_may_be_infinite(x, n->read.sym);
  for (int k = 0; k < n->n_args; k++) {
    if (!infinite[ir_reached_place(all, ir_args(m, n)[k])]) continue;
    if (loses(m, n, k)) x->lost = id;
    else may = true;
  }
  return may;
}

static bool may_be_infinite(search *x, ir_id root) {
  const ir_reached all = ir_reach(x->s->module, &root, 1);
  bool *infinite = arena_array(x->s->memory, bool, all.n + 1);
  x->visits += all.n;
  for (int i = 0; i < all.n; i++)
    infinite[i] = x->visits <= MOST_VISITS && node_may_be_infinite(x, all.at[i], &all, infinite);
  return all.n > 0 && infinite[all.n - 1];
}

/* What makes a number of an infinite quotient, in the formulas and in what they read. */
static ir_id where_lost(sema *s, const ir_id *roots, int n, const unsigned char *turning) {
  search x = {
      .s = s, .turning = turning, .known = arena_array(s->memory, unsigned char, s->module->symbol.n)};
  for (int i = 0; i < n; i++) may_be_infinite(&x, roots[i]);
  return x.lost;
}

ir_id lost_pole(prover *p, ir_id plain, ir_id turned) {
  const ir_id roots[] = {plain, turned};
  const int n = plain == turned ? 1 : 2;
  if (!where_lost(p->s, roots, n, NULL)) return 0;
  prover_value(p, (view){.root = plain});
  prover_value(p, (view){.root = turned, .exchanged = true});
  unsigned char *turning = arena_array(p->s->memory, unsigned char, p->s->module->node.n);
  bool any = false;
  for (int i = 0; i < p->poles.n; i++)
    for (int k = 0; k < i; k++) {
      const pole *a = &p->poles.at[i], *b = &p->poles.at[k];
      if (a->flipped == b->flipped || !field_equal(a->key, b->key)) continue;
      turning[a->node] = turning[b->node] = 1;
      any = true;
    }
  return any ? where_lost(p->s, roots, n, turning) : 0;
}
