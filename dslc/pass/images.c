/* On periodic meshes a neighbour may lie beyond a side: then its own place is no neighbour of this node's. The difference
 * centre[J] - centre[I] is read from the edge, which knows the short way. And a face of such a side is there twice, at the one side and at the
 * other: a sum over all faces takes half of each. Sums and differences otherwise stay as written. */
#include <string.h>

#include "pass/pass.h"

typedef struct images {
  ir_sym vector, share; /* geometry of the edges, of the faces; 0: not needed so far */
} images;

static bool is_centre(const ir_module *m, const ir_node *n) {
  if (n->op != IR_READ) return false;
  const ir_symbol *q = ir_symbol_get(m, n->read.sym);
  return q->kind == IR_GEOMETRY && q->place == IR_NODES && strcmp(q->text, "centre") == 0;
}

static bool is_first(int at) { return at == IR_AT_HERE || at == IR_AT_I; }

static ir_sym vector_of(images *w, ir_module *m, ir_sym centre) {
  if (w->vector == 0) {
    ir_symbol q = *ir_symbol_get(m, centre);
    q.text = intern_str(m->names, "vector");
    q.place = IR_EDGES;
    w->vector = ir_symbol_add(m, q);
  }
  return w->vector;
}

/* The component of the edge's vector that a difference of two centres is; 0: it is none. */
static ir_id vector_between(images *w, ir_module *m, ir_node first, ir_node second) {
  if (!is_centre(m, &first) || !is_centre(m, &second) || first.read.first != second.read.first) return 0;
  if (!is_first(first.read.at) || second.read.at != IR_AT_J) return 0;
  ir_node edge = first;
  edge.read.at = first.read.at == IR_AT_I ? IR_AT_HERE : IR_AT_E;
  edge.read.sym = vector_of(w, m, first.read.sym);
  return ir_rebuild(m, &edge, NULL);
}

static ir_id share_of(images *w, ir_module *m) {
  if (w->share == 0)
    w->share = ir_symbol_add(m, (ir_symbol){.text = intern_str(m->names, "share"),
                                            .kind = IR_GEOMETRY,
                                            .place = IR_FACES,
                                            .type = ir_scalar(),
                                            .dims = m->dims,
                                            .side = IR_EVEN,
                                            .evidence = IR_PROVED});
  const ir_node n = {.op = IR_READ, .type = ir_scalar(), .read = {.sym = w->share, .at = IR_AT_HERE}};
  return ir_rebuild(m, &n, NULL);
}

static bool sums_faces(const ir_node *n) {
  return n->op == IR_REDUCE && n->reduce.kind == IR_SUM && n->reduce.binder == IR_OVER_ALL &&
         n->reduce.place == IR_FACES && n->reduce.rule == 0;
}

/* Whole is a face of a part of the boundary by which the sum asks, `if patch(inlet) then`: the other end is no face of this part. */
static ir_id share_in(images *w, ir_module *m, ir_id summed) {
  const ir_reached all = ir_reach(m, &summed, 1);
  ir_id share = share_of(w, m);
  for (int i = 0; i < all.n; i++) {
    const ir_node n = *ir_get(m, all.at[i]);
    if (n.op != IR_READ || !ir_is_patch(ir_symbol_get(m, n.read.sym))) continue;
    const ir_id is_of_patch = ir_binary(m, IR_NE, all.at[i], ir_const(m, 0));
    share = ir_select(m, is_of_patch, ir_const(m, 1), share);
  }
  return share;
}

static ir_id rewrite(void *ctx, ir_module *to, const ir_node *n, const ir_id *args, ir_id old) {
  images *w = ctx;
  (void)old;
  if (sums_faces(n)) {
    const ir_id half = ir_binary(to, IR_MUL, share_in(w, to, args[0]), args[0]);
    return ir_rebuild(to, n, &half);
  }
  if (n->op != IR_SUB) return ir_rebuild(to, n, args);
  const ir_node a = *ir_get(to, args[0]), b = *ir_get(to, args[1]);
  ir_id forth = vector_between(w, to, b, a);
  if (forth) return forth;
  ir_id back = vector_between(w, to, a, b);
  return back ? ir_unary(to, IR_NEG, back) : ir_rebuild(to, n, args);
}

ir_module *pass_images(const ir_module *m) {
  images w = {0};
  return ir_map(m, rewrite, &w);
}
