/* What never changes, inside sums over neighbours: `trace(Ld)`, `dot(grad, a[I])` with a given `a`. The setup computes it once at
 * every directed edge, where that leaves less to read: fewer values than those of which it is made, and which nothing else in the
 * same equation reads. A sum over neighbours that never changes is computed once at every node. Both become equations; the values
 * in which they stood read them. The other way round, where a kernel reads all of which such a value is made, it makes it anew. */
#include "schedule/nodes.h"

typedef struct constant {
  ir_id id;
  ir_sym sym; /* its equation */
} constant;

typedef struct finder {
  planner *pl;
  char *fixed; /* by symbol: 0 not looked at, 1 fixed, 2 changes */
  VEC(constant) found;
  ir_reached all; /* of the root being looked at; the rest is parallel to it */
  bool *still, *at_edge, *outside, *candidate;
} finder;

/* ---- what never changes ------------------------------------------------------------------------------------------- */

static bool is_constant_symbol(finder *f, ir_sym sym, int depth);

static bool is_constant_leaf(finder *f, const ir_node *n, int depth) {
  if (n->op == IR_PARAM) return ir_symbol_get(f->pl->from, n->read.sym)->kind == IR_PARAMETER;
  return n->op != IR_READ || (n->read.level == IR_NOW && is_constant_symbol(f, n->read.sym, depth));
}

static bool is_constant_equation(finder *f, const ir_symbol *q, int depth) {
  if (depth > DEEPEST || !q->root[0]) return false;
  ir_reached all = ir_reach(f->pl->from, q->root, q->root[1] ? 2 : 1);
  for (int i = 0; i < all.n; i++)
    if (!is_constant_leaf(f, ir_get(f->pl->from, all.at[i]), depth + 1)) return false;
  return true;
}

static bool is_constant_symbol(finder *f, ir_sym sym, int depth) {
  if (f->fixed[sym]) return f->fixed[sym] == 1;
  const ir_symbol *q = ir_symbol_get(f->pl->from, sym);
  bool fixed = q->kind == IR_INTEGRAL || q->kind == IR_GEOMETRY || (q->kind == IR_GIVEN && !q->over_time);
  if (q->kind == IR_EQUATION && !is_held(f->pl, sym, false)) fixed = is_constant_equation(f, q, depth);
  f->fixed[sym] = fixed ? 1 : 2;
  return fixed;
}

/* ---- candidates in one root ------------------------------------------------------------------------------------------- */

static bool is_near_sum(const ir_node *n) { return n->op == IR_REDUCE && n->reduce.binder == IR_OVER_NEAR; }

static bool is_leaf(const ir_node *n) { return n->n_args == 0; }

/* Read anew for every edge: a value of the edge, or of the node at its other end. */
static bool is_of_edge(const finder *f, const ir_node *n) {
  if (n->op != IR_READ) return false;
  bool here = n->read.at == IR_AT_HERE && ir_symbol_get(f->pl->from, n->read.sym)->place == IR_EDGES;
  return here || n->read.at == IR_AT_E;
}

static void look_at_node(finder *f, int i) {
  const ir_node *n = ir_get(f->pl->from, f->all.at[i]);
  f->still[i] = is_constant_leaf(f, n, 0);
  f->at_edge[i] = is_of_edge(f, n);
  for (int k = 0; k < n->n_args; k++) {
    int arg = ir_reached_place(&f->all, ir_args(f->pl->from, n)[k]);
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
    const ir_node *n = ir_get(f->pl->from, f->all.at[i]);
    bool stands = f->still[i] && !is_leaf(n) && (f->at_edge[i] || is_near_sum(n));
    if (!f->outside[i]) continue;
    if (stands) {
      f->candidate[i] = true;
      n_candidates++;
      continue;
    }
    for (int k = 0; k < n->n_args; k++)
      f->outside[ir_reached_place(&f->all, ir_args(f->pl->from, n)[k])] = true;
  }
  return n_candidates;
}

/* Where all of an edge lies together, an integral of which something else is read costs nothing more; packed ones never do. */
static bool comes_along(const finder *f, ir_sym sym) {
  const edge_form edges = f->pl->schedule->edges;
  if (ir_symbol_get(f->pl->from, sym)->kind != IR_INTEGRAL) return false;
  for (int i = 0; edges == EDGES_LEAN && i < f->all.n; i++) {
    const ir_node *q = ir_get(f->pl->from, f->all.at[i]);
    if (q->op == IR_READ && q->read.sym == sym && f->outside[i]) return true;
  }
  return edges == EDGES_PACKED;
}

/* Values of edges, or of the nodes at their other ends, that only candidates read. */
static int count_saved(const finder *f) {
  int n = 0;
  for (int i = 0; i < f->all.n; i++) {
    const ir_node *q = ir_get(f->pl->from, f->all.at[i]);
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

static ir_sym equation_for(finder *f, ir_id id) {
  planner *pl = f->pl;
  for (int i = 0; i < f->found.n; i++)
    if (f->found.at[i].id == id) return f->found.at[i].sym;
  bool sum = is_near_sum(ir_get(pl->from, id));
  ir_symbol s = {.kind = IR_EQUATION,
                 .place = sum ? IR_NODES : IR_EDGES,
                 .type = ir_scalar(),
                 .dims = pl->from->dims,
                 .root = {sum ? id : rewrite_value(pl->from, id, seen_from_edge, NULL)},
                 .at = pl->from->origin.at[id].at};
  s.text = intern_str(pl->names, arena_printf(pl->memory, "constant%d", f->found.n + 1));
  while (ir_symbol_find(pl->from, s.text))
    s.text = intern_str(pl->names, arena_printf(pl->memory, "%s_", s.text));
  ir_sym sym = ir_symbol_add(pl->from, s);
  vec_push(pl->memory, &pl->hoists, ((struct hoisted_sum){sym, false}));
  vec_push(pl->memory, &f->found, ((constant){id, sym}));
  return sym;
}

static bool stands_at_edges(const finder *f, ir_id id) {
  ir_reached all = ir_reach(f->pl->from, &id, 1);
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(f->pl->from, all.at[i]);
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
  arena *a = f->pl->memory;
  f->all = ir_reach(f->pl->from, root, 1);
  int n = f->all.n;
  f->still = arena_array(a, bool, n), f->at_edge = arena_array(a, bool, n);
  f->outside = arena_array(a, bool, n), f->candidate = arena_array(a, bool, n);
  for (int i = 0; i < n; i++) look_at_node(f, i);
  if (f->still[ir_reached_place(&f->all, *root)]) return; /* the setup computes all of it */
  int candidates = mark_candidates(f, *root);
  if (candidates == 0 || count_saved(f) <= candidates) return;
  *root = rewrite_value(f->pl->from, *root, read_instead, f);
}

void find_constants(planner *pl) {
  if (pl->from->on_grid) return;
  finder f = {.pl = pl, .fixed = arena_array(pl->memory, char, pl->from->symbol.n)};
  int n = pl->from->symbol.n;
  for (int s = 1; s < n; s++)
    for (int part = 0; part < 2; part++) {
      ir_id root = ir_symbol_get(pl->from, (ir_sym)s)->root[part];
      if (!root) continue;
      look_at_root(&f, &root);
      ir_symbol_get(pl->from, (ir_sym)s)->root[part] = root;
    }
  for (int i = 0; i < pl->from->step.n; i++)
    for (int k = 0; k < pl->from->step.at[i].assign.n; k++)
      look_at_root(&f, &pl->from->step.at[i].assign.at[k].value);
  if (f.found.n)
    note(pl, "%d value%s in sums over neighbours never change%s: computed once, that leaves less to read",
         f.found.n, f.found.n == 1 ? "" : "s", f.found.n == 1 ? "s" : "");
}

/* ---- what a kernel reads anyway --------------------------------------------------------------------------------------------- */

enum { MOST_OPERATIONS = 4 }; /* dearer than a number of an edge beyond that */

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
  const sym_plan *sp = &r->pl->sym[n.read.sym];
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
