/* On periodic meshes the centre of a neighbour is that of its nearest image, which lies beyond a side: the own centre and the vector of the
 * edge. Differences of the two are such vectors already; see pass/images.c. */
#include <string.h>

#include "lower/lower.h"

typedef struct neighbours {
  ir_sym vector; /* geometry of the edges, 0: none yet */
  bool of_edge;  /* the root that is looked at stands at an edge, not at its first node */
} neighbours;

static bool is_centre_beside(const ir_module *m, const ir_node *n) {
  if (n->op != IR_READ || n->read.at != IR_AT_J) return false;
  const ir_symbol *q = ir_symbol_get(m, n->read.sym);
  return q->kind == IR_GEOMETRY && q->place == IR_NODES && strcmp(q->text, "centre") == 0;
}

static ir_sym vector_of(neighbours *b, ir_module *m, ir_sym centre) {
  const name text = intern_str(m->names, "vector");
  for (int s = 1; s < m->symbol.n && !b->vector; s++) {
    const ir_symbol *q = ir_symbol_get(m, (ir_sym)s);
    if (q->kind == IR_GEOMETRY && q->place == IR_EDGES && q->text == text) b->vector = (ir_sym)s;
  }
  if (b->vector) return b->vector;
  ir_symbol q = *ir_symbol_get(m, centre);
  q.text = text;
  q.place = IR_EDGES;
  return b->vector = ir_symbol_add(m, q);
}

static ir_id nearest_image(void *ctx, ir_module *m, ir_id id) {
  neighbours *b = ctx;
  const ir_node n = *ir_get(m, id);
  if (!is_centre_beside(m, &n)) return 0;
  ir_node own = n, way = n;
  own.read.at = b->of_edge ? IR_AT_I : IR_AT_HERE;
  way.read.sym = vector_of(b, m, n.read.sym);
  way.read.at = b->of_edge ? IR_AT_HERE : IR_AT_E;
  return ir_binary(m, IR_ADD, ir_rebuild(m, &own, NULL), ir_rebuild(m, &way, NULL));
}

static ir_id look_at(neighbours *b, ir_module *m, ir_id root, bool of_edge) {
  bool reads = false;
  ir_reached all = ir_reach(m, &root, root != 0);
  for (int i = 0; i < all.n && !reads; i++) reads = is_centre_beside(m, ir_get(m, all.at[i]));
  b->of_edge = of_edge;
  return reads ? rewrite_value(m, root, nearest_image, b) : root;
}

static void look_at_statements(neighbours *b, ir_module *m, ir_stmt *list, int n) {
  for (int i = 0; i < n; i++) {
    ir_stmt *st = &list[i];
    for (int k = 0; k < st->assign.n; k++)
      st->assign.at[k].value = look_at(b, m, st->assign.at[k].value, false);
    st->rhs = look_at(b, m, st->rhs, false);
    st->until = look_at(b, m, st->until, false);
    look_at_statements(b, m, st->body.at, st->body.n);
  }
}

void lower_neighbours(lowering *l) {
  ir_module *m = l->m;
  neighbours b = {0};
  if (m->on_grid || !l->periodic) return;
  for (int s = 1, n = m->symbol.n; s < n; s++)
    for (int part = 0; part < 2; part++) {
      const ir_symbol q = *ir_symbol_get(m, (ir_sym)s);
      bool of_edge = q.kind == IR_MATRIX ? part != IR_DIAGONAL : q.place == IR_EDGES;
      if (q.root[part]) {
        const ir_id root = look_at(&b, m, q.root[part], of_edge);
        ir_symbol_get(m, (ir_sym)s)->root[part] = root;
      }
    }
  look_at_statements(&b, m, m->step.at, m->step.n);
  for (int i = 0; i < m->require.n; i++)
    m->require.at[i].condition = look_at(&b, m, m->require.at[i].condition, false);
}
