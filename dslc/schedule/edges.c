/* How what never changes at edges lies in memory (schedule setting `edges`): integrals, and equations that the setup computes.
 *
 *   apart   every quantity in arrays of its own, component by component
 *   lean    what the step reads, together for each directed edge
 *   packed  all integrals together, as in the paper: N*N, the tensor, N*dN, dN*N; 16 numbers in 3D
 *   pairs   scalars that are the same from both ends once for both directions, the rest apart
 *   sliced  what the step reads, apart, and so that work-items beside each other read numbers beside each other: in slices of 32
 *           slots. A slice has 32/lanes nodes; of each node its first `lanes` edges, node after node, then the next ones, ...
 *           A node's slots begin at slot_start; where another one of its slice has more edges, some are empty.
 *
 * Where integrals do not stay where the runtime puts them, the setup copies them: each then has a symbol of its own for the source. */
#include "schedule/nodes.h"

#include <string.h>

/* ---- centre[J] - centre[I] on periodic meshes -------------------------------------------------------------------- */

typedef struct vectors {
  planner *pl;
  ir_sym sym; /* from I to J, the short way */
} vectors;

static bool is_centre(const ir_module *m, const ir_node *n) {
  const ir_symbol *q = n->op == IR_READ ? ir_symbol_get(m, n->read.sym) : NULL;
  return q && q->kind == IR_GEOMETRY && q->place == IR_NODES && strcmp(q->text, "centre") == 0;
}

static ir_id read_vector(vectors *v, ir_node near, int component) {
  ir_module *m = v->pl->from;
  if (!v->sym)
    v->sym = ir_symbol_add(m, (ir_symbol){.text = intern_str(v->pl->names, "vector"),
                                          .kind = IR_GEOMETRY,
                                          .place = IR_EDGES,
                                          .type = ir_vector(m),
                                          .dims = m->dims});
  return rewrite_read(m, v->sym, IR_NOW, near.read.at == IR_AT_I ? IR_AT_HERE : IR_AT_E, component);
}

static ir_id short_way(void *ctx, ir_module *m, ir_id id) {
  const ir_node n = *ir_get(m, id);
  if (n.op != IR_SUB) return 0;
  const ir_node a = *ir_get(m, ir_args(m, &n)[0]), b = *ir_get(m, ir_args(m, &n)[1]);
  if (!is_centre(m, &a) || !is_centre(m, &b) || a.read.first != b.read.first) return 0;
  if (a.read.at == IR_AT_J && b.read.at != IR_AT_J) return read_vector(ctx, b, a.read.first);
  if (b.read.at != IR_AT_J || a.read.at == IR_AT_J) return 0;
  return ir_unary(m, IR_NEG, read_vector(ctx, a, a.read.first));
}

static void use_vectors(planner *pl) {
  vectors v = {.pl = pl};
  int n = pl->from->symbol.n;
  for (int s = 1; s < n; s++)
    for (int part = 0; part < 2; part++) {
      ir_id root = ir_symbol_get(pl->from, (ir_sym)s)->root[part];
      if (root) root = rewrite_value(pl->from, root, short_way, &v);
      ir_symbol_get(pl->from, (ir_sym)s)->root[part] = root;
    }
  for (int i = 0; i < pl->from->step.n; i++)
    for (int k = 0; k < pl->from->step.at[i].assign.n; k++) {
      ir_id *value = &pl->from->step.at[i].assign.at[k].value;
      *value = rewrite_value(pl->from, *value, short_way, &v);
    }
}

/* ---- places --------------------------------------------------------------------------------------------------------- */

/* Integrals, and the vectors of periodic meshes. */
static bool is_from_mesh(const ir_symbol *q) {
  return q->place == IR_EDGES && (q->kind == IR_INTEGRAL || q->kind == IR_GEOMETRY);
}

void prepare_edges(planner *pl) {
  if (pl->options->periodic && !pl->from->on_grid) use_vectors(pl);

  pl->edge_record = -1;
  int n = pl->from->symbol.n;
  for (int s = 1; s < n && !pl->from->on_grid && pl->schedule->edges != EDGES_APART; s++) {
    const ir_symbol q = *ir_symbol_get(pl->from, (ir_sym)s);
    if (!is_from_mesh(&q)) continue;
    ir_sym source = ir_symbol_add(pl->from, q);
    vec_push(pl->memory, &pl->edge_source, ((edge_source){(ir_sym)s, source, false}));
  }
}

static edge_source *find_source(planner *pl, ir_sym sym) {
  for (int i = 0; i < pl->edge_source.n; i++)
    if (pl->edge_source.at[i].of == sym) return &pl->edge_source.at[i];
  return NULL;
}

/* Entries of matrices stay in arrays of their own, for the solvers. */
static bool is_edge_constant(planner *pl, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(pl->to, sym);
  for (int i = 0; i < pl->system.n; i++)
    if (pl->system.at[i].off == sym) return false;
  if (q->place != IR_EDGES) return false;
  if (is_from_mesh(q)) return find_source(pl, sym) && pl->current != DSLC_SECTION_SETUP;
  return q->kind == IR_EQUATION && pl->sym[sym].fixed && pl->sym[sym].stored;
}

static dslc_buffer edge_buffer(const char *text, int width, bool aos) {
  return (dslc_buffer){.name = text,
                       .kind = DSLC_BUFFER_WORK,
                       .element = DSLC_F64,
                       .place = DSLC_EDGES,
                       .width = width,
                       .aos = aos,
                       .rule = -1,
                       .argument = -1};
}

static int place_lean(planner *pl, const ir_symbol *q) {
  if (pl->edge_record < 0) pl->edge_record = buffer_add(pl, edge_buffer("edges", 0, true));
  int *width = &pl->buffer.at[pl->edge_record].width, first = *width;
  *width += q->type.n;
  return first;
}

static int place_packed(planner *pl, const ir_symbol *q) {
  int d = pl->to->dims, at[] = {0, 1, 1 + d * d, 1 + d * d + d};
  static const char *const forms[] = {"N*N", "outer(dN,dN)", "N*dN", "dN*N"};
  for (int i = 0; i < 4 && q->kind == IR_INTEGRAL; i++) {
    if (strcmp(q->form, forms[i]) != 0) continue;
    if (pl->edge_record < 0) pl->edge_record = buffer_add(pl, edge_buffer("edges", 1 + d * d + 2 * d, true));
    return at[i];
  }
  return -1;
}

static bool is_same_both_ways(planner *pl, ir_sym sym, const ir_symbol *q) {
  if (q->type.n != 1) return false;
  if (q->kind == IR_INTEGRAL) return true; /* the scalar ones all are */
  return is_proved_symmetric(pl, sym);
}

bool place_at_edges(planner *pl, ir_sym sym) {
  edge_form edges = pl->schedule->edges;
  if (edges == EDGES_APART || !is_edge_constant(pl, sym)) return false;
  const ir_symbol *q = ir_symbol_get(pl->to, sym);
  plan_location *l = &pl->plan->location[sym];
  if (edges == EDGES_PAIRS && is_same_both_ways(pl, sym, q)) {
    l->buffer[IR_NOW] = buffer_add(pl, edge_buffer(q->text, 1, false));
    l->index = PLAN_EDGE_PAIR;
    pl->uses_pair = true;
  } else if (edges == EDGES_SLICED && pl->current == DSLC_SECTION_STEP) {
    l->buffer[IR_NOW] = buffer_add(pl, edge_buffer(q->text, q->type.n, false));
    l->index = PLAN_EDGE_SLOT;
    pl->uses_slots = true;
  } else {
    int first = edges == EDGES_LEAN && pl->current == DSLC_SECTION_STEP ? place_lean(pl, q)
                : edges == EDGES_PACKED                                 ? place_packed(pl, q)
                                                                        : -1;
    if (first < 0) return false;
    l->buffer[IR_NOW] = pl->edge_record;
    l->first = first;
  }
  if (find_source(pl, sym)) find_source(pl, sym)->moved = true;
  return true;
}

void copy_integrals(planner *pl) {
  plan_kernel k = kernel_begin(pl, "copy_integrals", IR_EDGES, 0);
  k.what = "integrals take their places";
  for (int i = 0; i < pl->edge_source.n; i++) {
    const edge_source *e = &pl->edge_source.at[i];
    const plan_location *l = &pl->plan->location[e->of];
    for (int c = 0; e->moved && c < ir_symbol_get(pl->to, e->of)->type.n; c++) {
      kernel_output(pl, &k, PLAN_STORE, l->buffer[IR_NOW], l->first + c,
                    rewrite_read(pl->to, e->source, IR_NOW, IR_AT_HERE, c));
      k.output.at[k.output.n - 1].index = l->index;
    }
  }
  if (k.output.n > 0) kernel_launch(pl, k, DSLC_OWNED, -1, -1);
}
