/* What never changes, inside sums over neighbours: `trace(Ld)`, `dot(grad, a[I])` with a given `a`. The setup computes it once at
 * every directed edge, where that leaves less to read: fewer values than those of which it is made, and which nothing else in the
 * same equation reads. A sum over neighbours that never changes is computed once at every node. Both become equations; the values
 * in which they stood read them. */
#include "lower/lower.h"

typedef struct constant {
  ir_id id;
  ir_sym sym; /* its equation */
} constant;

typedef struct finder {
  lowering *l;
  char *fixed; /* by symbol: 0 not looked at, 1 fixed, 2 changes */
  VEC(constant) found;
  ir_reached all; /* of the root being looked at; the rest is parallel to it */
  bool *still, *at_edge, *outside, *candidate;
} finder;

/* ---- what never changes ------------------------------------------------------------------------------------------- */

static bool is_constant_symbol(finder *f, ir_sym sym, int depth);

static bool is_constant_leaf(finder *f, const ir_node *n, int depth) {
  if (n->op == IR_PARAM) return ir_symbol_get(f->l->m, n->read.sym)->kind == IR_PARAMETER;
  return n->op != IR_READ || (n->read.level == IR_NOW && is_constant_symbol(f, n->read.sym, depth));
}

static bool is_constant_equation(finder *f, const ir_symbol *q, int depth) {
  if (depth > DEEPEST || !q->root[0]) return false;
  ir_reached all = ir_reach(f->l->m, q->root, q->root[1] ? 2 : 1);
  for (int i = 0; i < all.n; i++)
    if (!is_constant_leaf(f, ir_get(f->l->m, all.at[i]), depth + 1)) return false;
  return true;
}

static bool is_constant_symbol(finder *f, ir_sym sym, int depth) {
  if (f->fixed[sym]) return f->fixed[sym] == 1;
  const ir_symbol *q = ir_symbol_get(f->l->m, sym);
  bool fixed = q->kind == IR_INTEGRAL || q->kind == IR_GEOMETRY || (q->kind == IR_GIVEN && !q->over_time);
  if (q->kind == IR_EQUATION && !ir_is_constrained(f->l->m, sym, false))
    fixed = is_constant_equation(f, q, depth);
  f->fixed[sym] = fixed ? 1 : 2;
  return fixed;
}

/* ---- candidates in one root ------------------------------------------------------------------------------------------- */

static bool is_near_sum(const ir_node *n) { return n->op == IR_REDUCE && n->reduce.binder == IR_OVER_NEAR; }

static bool is_leaf(const ir_node *n) { return n->n_args == 0; }

/* Read anew for every edge: a value of the edge, or of the node at its other end. */
static bool is_of_edge(const finder *f, const ir_node *n) {
  if (n->op != IR_READ) return false;
  bool here = n->read.at == IR_AT_HERE && ir_symbol_get(f->l->m, n->read.sym)->place == IR_EDGES;
  return here || n->read.at == IR_AT_E;
}

static void look_at_node(finder *f, int i) {
  const ir_node *n = ir_get(f->l->m, f->all.at[i]);
  f->still[i] = is_constant_leaf(f, n, 0);
  f->at_edge[i] = is_of_edge(f, n);
  for (int k = 0; k < n->n_args; k++) {
    int arg = ir_reached_place(&f->all, ir_args(f->l->m, n)[k]);
    f->still[i] = f->still[i] && f->still[arg];
    f->at_edge[i] = f->at_edge[i] || f->at_edge[arg];
  }
  if (n->op == IR_REDUCE) f->at_edge[i] = false;
}

/* From the root down: what is not below a candidate is `outside`. */
static int mark_candidates(finder *f, ir_id root) {
  int n_candidates = 0;
  f->outside[ir_reached_place(&f->all, root)] = true;
  for (int i = f->all.n - 1; i >= 0; i--) {
    const ir_node *n = ir_get(f->l->m, f->all.at[i]);
    bool number = n->type.rank != IR_BOOL; /* edges keep numbers: of a condition its operands */
    bool stands = f->still[i] && number && !is_leaf(n) && (f->at_edge[i] || is_near_sum(n));
    if (!f->outside[i]) continue;
    if (stands) {
      f->candidate[i] = true;
      n_candidates++;
      continue;
    }
    for (int k = 0; k < n->n_args; k++) f->outside[ir_reached_place(&f->all, ir_args(f->l->m, n)[k])] = true;
  }
  return n_candidates;
}

/* Where all of an edge lies together, an integral of which something else is read costs nothing more; packed ones never do. */
static bool comes_along(const finder *f, ir_sym sym) {
  const edge_form edges = f->l->schedule->edges;
  if (ir_symbol_get(f->l->m, sym)->kind != IR_INTEGRAL) return false;
  for (int i = 0; edges == EDGES_LEAN && i < f->all.n; i++) {
    const ir_node *q = ir_get(f->l->m, f->all.at[i]);
    if (q->op == IR_READ && q->read.sym == sym && f->outside[i]) return true;
  }
  return edges == EDGES_PACKED;
}

/* Values of edges, or of the nodes at their other ends, that only candidates read. */
static int count_saved(const finder *f) {
  int n = 0;
  for (int i = 0; i < f->all.n; i++) {
    const ir_node *q = ir_get(f->l->m, f->all.at[i]);
    bool read = q->op == IR_READ && (is_of_edge(f, q) || q->read.at == IR_AT_J);
    n += read && !f->outside[i] && !comes_along(f, q->read.sym);
  }
  return n;
}

/* ---- equations for them ------------------------------------------------------------------------------------------------- */

/* At the edge itself: the node whose edges were summed is its first. */
static ir_id seen_from_edge(void *ctx, ir_module *m, ir_id id) {
  (void)ctx;
  ir_node n = *ir_get(m, id);
  if (n.op != IR_READ || n.read.at == IR_AT_J || n.read.at == IR_AT_I) return 0;
  bool node = ir_symbol_get(m, n.read.sym)->place == IR_NODES;
  n.read.at = node && n.read.at == IR_AT_HERE ? IR_AT_I : IR_AT_HERE;
  return ir_rebuild(m, &n, NULL);
}

static name invariant_name(ir_module *m, int number) {
  name text = intern_str(m->names, arena_printf(m->memory, "constant%d", number));
  while (ir_symbol_find(m, text)) text = intern_str(m->names, arena_printf(m->memory, "%s_", text));
  return text;
}

static ir_sym equation_for(finder *f, ir_id id) {
  ir_module *m = f->l->m;
  for (int i = 0; i < f->found.n; i++)
    if (f->found.at[i].id == id) return f->found.at[i].sym;
  bool sum = is_near_sum(ir_get(m, id));
  ir_symbol s = {.text = invariant_name(m, f->found.n + 1),
                 .kind = IR_EQUATION,
                 .place = sum ? IR_NODES : IR_EDGES,
                 .type = ir_scalar(),
                 .dims = m->dims,
                 .root = {sum ? id : rewrite_value(m, id, seen_from_edge, NULL)},
                 .purpose.role = IR_INVARIANT,
                 .at = m->origin.at[id].at};
  ir_sym sym = ir_symbol_add(m, s);
  vec_push(m->memory, &f->found, ((constant){id, sym}));
  return sym;
}

static bool stands_at_edges(const finder *f, ir_id id) {
  ir_reached all = ir_reach(f->l->m, &id, 1);
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(f->l->m, all.at[i]);
    if (n->op == IR_READ && n->read.at == IR_AT_E) return false;
  }
  return true;
}

static ir_id read_instead(void *ctx, ir_module *m, ir_id id) {
  finder *f = ctx;
  int at = ir_reached_place(&f->all, id);
  if (at < 0 || !f->candidate[at]) return 0;
  bool sum = is_near_sum(ir_get(m, id));
  ir_at where = sum || stands_at_edges(f, id) ? IR_AT_HERE : IR_AT_E;
  return rewrite_read(m, equation_for(f, id), IR_NOW, where, 0);
}

static void look_at_root(void *ctx, ir_id *root) {
  finder *f = ctx;
  arena *a = f->l->m->memory;
  f->all = ir_reach(f->l->m, root, 1);
  int n = f->all.n;
  f->still = arena_array(a, bool, n), f->at_edge = arena_array(a, bool, n);
  f->outside = arena_array(a, bool, n), f->candidate = arena_array(a, bool, n);
  for (int i = 0; i < n; i++) look_at_node(f, i);
  if (f->still[ir_reached_place(&f->all, *root)]) return; /* the setup computes all of it */
  int candidates = mark_candidates(f, *root);
  if (candidates == 0 || count_saved(f) <= candidates) return;
  *root = rewrite_value(f->l->m, *root, read_instead, f);
}

void lower_invariants(lowering *l) {
  ir_module *m = l->m;
  if (m->on_grid) return;
  finder f = {.l = l, .fixed = arena_array(m->memory, char, m->symbol.n)};
  int n = m->symbol.n;
  for (int s = 1; s < n; s++)
    for (int part = 0; part < 2; part++) {
      ir_id root = ir_symbol_get(m, (ir_sym)s)->root[part];
      if (!root) continue;
      look_at_root(&f, &root);
      ir_symbol_get(m, (ir_sym)s)->root[part] = root;
    }
  for (int i = 0; i < m->step.n; i++)
    for (int k = 0; k < m->step.at[i].assign.n; k++) look_at_root(&f, &m->step.at[i].assign.at[k].value);
  if (f.found.n)
    lower_note(l,
               "%d value%s in sums over neighbours never change%s: computed once, that leaves less to read",
               f.found.n, f.found.n == 1 ? "" : "s", f.found.n == 1 ? "s" : "");
}
