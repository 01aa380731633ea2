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

/* ---- places --------------------------------------------------------------------------------------------------------- */

/* Integrals, and the vectors of periodic meshes. */
static bool is_from_mesh(const ir_symbol *q) {
  return q->place == IR_EDGES && (q->kind == IR_INTEGRAL || q->kind == IR_GEOMETRY);
}

/* Where the runtime puts what kernels read as `sym`; 0: there too. */
static ir_sym source_of(const planner *pl, ir_sym sym) {
  for (int s = 1; s < pl->from->symbol.n; s++)
    if (pl->from->symbol.at[s].purpose.role == IR_MESH_SOURCE && pl->from->symbol.at[s].purpose.of == sym)
      return (ir_sym)s;
  return 0;
}

/* Entries of matrices stay in arrays of their own, for the solvers. */
static bool is_edge_constant(planner *pl, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(pl->to, sym);
  if (q->purpose.role == IR_ENTRY) return false;
  if (q->place != IR_EDGES) return false;
  if (is_from_mesh(q)) return source_of(pl, sym) && pl->at.current != DSLC_SECTION_SETUP;
  return q->kind == IR_EQUATION && pl->storage[sym].fixed && pl->storage[sym].stored;
}

static dslc_buffer edge_buffer(const char *text, int width, bool aos, bool single) {
  return (dslc_buffer){.name = text,
                       .kind = DSLC_BUFFER_WORK,
                       .element = single ? DSLC_F32 : DSLC_F64,
                       .place = DSLC_EDGES,
                       .width = width,
                       .aos = aos,
                       .rule = -1,
                       .argument = -1};
}

static int place_lean(planner *pl, const ir_symbol *q) {
  if (pl->made->edge_record < 0)
    pl->made->edge_record = buffer_add(pl, edge_buffer("edges", 0, true, pl->in->schedule->single.geometry));
  int *width = &pl->made->buffer.at[pl->made->edge_record].width, first = *width;
  *width += q->type.n;
  return first;
}

/* Has another integral that place in the record? */
static bool is_taken(const planner *pl, int first) {
  for (int s = 1; s < pl->to->symbol.n && pl->made->edge_record >= 0; s++) {
    const plan_location *l = &pl->plan->location[s];
    if (pl->found[s].moved && l->buffer[IR_NOW] == pl->made->edge_record && l->first == first) return true;
  }
  return false;
}

/* The first of each form; one of the same form by another name stays apart. */
static int place_packed(planner *pl, const ir_symbol *q) {
  int d = pl->to->dims, at[] = {0, 1, 1 + d * d, 1 + d * d + d};
  static const char *const forms[] = {"N*N", "outer(dN,dN)", "N*dN", "dN*N"};
  for (int i = 0; i < 4 && q->kind == IR_INTEGRAL && !q->integral.weight; i++) {
    if (strcmp(q->integral.form, forms[i]) != 0) continue;
    if (is_taken(pl, at[i])) return -1;
    if (pl->made->edge_record < 0)
      pl->made->edge_record =
          buffer_add(pl, edge_buffer("edges", 1 + d * d + 2 * d, true, pl->in->schedule->single.geometry));
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
  edge_form edges = pl->in->schedule->edges;
  if (edges == EDGES_APART || !is_edge_constant(pl, sym)) return false;
  const ir_symbol *q = ir_symbol_get(pl->to, sym);
  plan_location *l = &pl->plan->location[sym];
  if (edges == EDGES_PAIRS && is_same_both_ways(pl, sym, q)) {
    l->buffer[IR_NOW] = buffer_add(pl, edge_buffer(q->text, 1, false, pl->storage[sym].single));
    l->index = PLAN_EDGE_PAIR;
    pl->mesh.pair = true;
  } else if (edges == EDGES_SLICED && pl->at.current == DSLC_SECTION_STEP) {
    l->buffer[IR_NOW] = buffer_add(pl, edge_buffer(q->text, q->type.n, false, pl->storage[sym].single));
    l->index = PLAN_EDGE_SLOT;
    pl->mesh.slots = true;
  } else {
    int first = edges == EDGES_LEAN && pl->at.current == DSLC_SECTION_STEP ? place_lean(pl, q)
                : edges == EDGES_PACKED                                    ? place_packed(pl, q)
                                                                           : -1;
    if (first < 0) return false;
    l->buffer[IR_NOW] = pl->made->edge_record;
    l->first = first;
  }
  pl->found[sym].moved = true;
  return true;
}

void copy_integrals(planner *pl) {
  plan_kernel k = kernel_begin(pl, "copy_integrals", IR_EDGES, 0);
  k.what = "integrals take their places";
  for (int s = 1; s < pl->from->symbol.n; s++) {
    const ir_symbol *source = ir_symbol_get(pl->from, (ir_sym)s);
    if (source->purpose.role != IR_MESH_SOURCE || !pl->found[source->purpose.of].moved) continue;
    const plan_location *l = &pl->plan->location[source->purpose.of];
    for (int c = 0; c < source->type.n; c++) {
      kernel_output(pl, &k, PLAN_STORE, l->buffer[IR_NOW], l->first + c,
                    rewrite_read(pl->to, (ir_sym)s, IR_NOW, IR_AT_HERE, c));
      k.output.at[k.output.n - 1].index = l->index;
    }
  }
  if (k.output.n > 0) kernel_launch(pl, k, DSLC_OWNED, -1, -1);
}
