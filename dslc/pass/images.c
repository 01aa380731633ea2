/* On periodic meshes a neighbour may lie beyond a side: then its own place is no neighbour of this node's. The difference
 * centre[J] - centre[I] is read from the edge, which knows the short way. Sums and differences otherwise stay as written. */
#include <string.h>

#include "pass/pass.h"

typedef struct images {
  ir_sym vector; /* geometry of the edges, 0: not needed so far */
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

static ir_id rewrite(void *ctx, ir_module *to, const ir_node *n, const ir_id *args, ir_id old) {
  images *w = ctx;
  (void)old;
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
