/* What a read means on a mesh: which entity the index names, seen from where the expression stands; and what lies beyond a
 * boundary. */
#include <string.h>

#include "reference/reference.h"

static void read_cell(dslc_reference *r, ref_env *env, ir_sym sym, int32_t cell, double *out);

/* ---- beyond a boundary -------------------------------------------------------------------------------------------------- */

static bool sums_over_faces(const dslc_reference *r, const ir_symbol *q) {
  ir_reached all = ir_reach(r->m, q->root, 1);
  for (int i = 0; i < all.n; i++)
    if (ir_get(r->m, all.at[i])->op == IR_REDUCE) return true;
  return false;
}

/* A ghost is what the rule says; else a given is copied from the cell inside, and an equation follows point by point. What sums
 * over faces and has no ghost consists of geometry and givens: it is copied too. */
static void compute_ghost(dslc_reference *r, ref_env *env, ir_sym sym, int32_t ghost, double *out) {
  const dslc_ref_mesh *m = r->world.mesh;
  const ir_symbol *q = ir_symbol_get(r->m, sym);
  int32_t face = m->n_faces - m->n_ghosts + (ghost - m->n_cells);
  const ir_rule_entry *e = ref_entry(r, m->face_rule[face], IR_GHOST, sym);
  ref_stand at = {.kind = e ? REF_WALL : REF_CELL, .place = e ? IR_FACES : IR_CELLS, .at = e ? face : ghost};
  if (e) ref_evaluate(r, env, &at, e->root, out);
  else if (q->kind == IR_GIVEN || (q->kind == IR_EQUATION && q->root[0] && sums_over_faces(r, q)))
    read_cell(r, env, sym, m->face_left[face], out);
  else if (q->kind == IR_EQUATION && q->root[0]) ref_evaluate(r, env, &at, q->root[0], out);
  else ref_fault(r, IR_FACES, face, "`%s` is read beyond the boundary, where no rule gives it", q->text);
}

static void read_ghost(dslc_reference *r, ref_env *env, ir_sym sym, int32_t ghost, double *out) {
  const dslc_ref_mesh *m = r->world.mesh;
  int32_t source = m->ghost_source[ghost - m->n_cells];
  if (source >= 0) {
    read_cell(r, env, sym, source, out);
    return;
  }
  ref_field *f = ir_symbol_get(r->m, sym)->kind == IR_GIVEN ? NULL : ref_field_of(env, sym, 0);
  bool known = f && f->value && f->age[ghost] == env->age;
  if (!known) compute_ghost(r, env, sym, ghost, out);
  if (!f) return;
  if (!f->value) (void)ref_value(r, env, sym, 0, m->face_left[0]); /* makes the field */
  double *kept = f->value + (size_t)ghost * (size_t)f->n;
  memcpy(known ? out : kept, known ? kept : out, sizeof *out * (size_t)f->n);
  f->age[ghost] = env->age;
}

/* Cells and ghosts alike; the geometry of ghosts is the mesh's. */
static void read_cell(dslc_reference *r, ref_env *env, ir_sym sym, int32_t cell, double *out) {
  const ir_symbol *q = ir_symbol_get(r->m, sym);
  bool beyond = cell >= r->world.mesh->n_cells;
  if (q->kind != IR_GEOMETRY && beyond) {
    read_ghost(r, env, sym, cell, out);
    return;
  }
  const double *value = q->kind == IR_GEOMETRY || q->kind == IR_GIVEN ? ref_constant(r, env->t, sym, cell)
                                                                      : ref_value(r, env, sym, 0, cell);
  memcpy(out, value, sizeof *out * q->type.n);
}

/* ---- faces, nodes, edges --------------------------------------------------------------------------------------------------- */

static bool is_constant(const ir_symbol *q) {
  return q->kind == IR_GEOMETRY || q->kind == IR_INTEGRAL || q->kind == IR_GIVEN;
}

static void read_given(dslc_reference *r, double t, ir_sym sym, int32_t entity, double *out) {
  memcpy(out, ref_constant(r, t, sym, entity), sizeof *out * ir_symbol_get(r->m, sym)->type.n);
}

static void read_plain(dslc_reference *r, ref_env *env, ir_sym sym, int part, int32_t entity, double *out) {
  const ir_symbol *q = ir_symbol_get(r->m, sym);
  const double *value =
      is_constant(q) ? ref_constant(r, env->t, sym, entity) : ref_value(r, env, sym, part, entity);
  memcpy(out, value, sizeof *out * q->type.n);
}

/* A face as its cell sees it, outwards. */
static void read_outwards(dslc_reference *r, ref_env *env, const ref_stand *at, ir_sym sym, double *out) {
  const ir_symbol *q = ir_symbol_get(r->m, sym);
  bool left = r->world.mesh->face_left[at->slot] == at->at;
  read_plain(r, env, sym, q->is_fluctuation && !left ? IR_TO_R : IR_TO_L, at->slot, out);
  for (int i = 0; i < q->type.n && !q->is_fluctuation && !left; i++) out[i] = -out[i];
}

static int32_t across(const dslc_reference *r, const ref_stand *at) {
  const dslc_ref_mesh *m = r->world.mesh;
  return m->face_left[at->slot] == at->at ? m->face_right[at->slot] : m->face_left[at->slot];
}

/* The place of a neighbour is that of its nearest image: across a periodic side it lies beyond. */
static void read_image(dslc_reference *r, ref_env *env, ir_sym centre, int32_t edge, double *out) {
  static const dslc_source vector = {.kind = DSLC_SOURCE_VECTOR};
  int dim = r->world.d->dim;
  const double *from = ref_constant(r, env->t, centre, r->world.edge_first[edge]);
  if (!r->world.edge_vector) {
    r->world.edge_vector = arena_array(r->memory, double, (size_t)r->world.count[IR_EDGES] * (size_t)dim + 1);
    if (!r->world.d->geometry(r->world.d->context, DSLC_EDGES, &vector, dim, r->world.edge_vector))
      ref_fail(r, DSLC_REF_CALLBACK, "the vectors of edges");
  }
  for (int d = 0; d < dim; d++) out[d] = from[d] + r->world.edge_vector[edge * dim + d];
}

static bool is_centre(const ir_symbol *q) {
  return q->kind == IR_GEOMETRY && q->place == IR_NODES && strcmp(q->text, "centre") == 0;
}

/* At a node: its normal and its share of the boundary are those of the rule's row. */
static bool read_row(dslc_reference *r, const ref_stand *at, const ir_symbol *q, double *out) {
  if (!at->in_row || q->kind != IR_GEOMETRY) return false;
  const dslc_ref_rows *rows = &r->rules.hold[at->hold].rows;
  if (strcmp(q->text, "area") == 0) *out = rows->area[at->row];
  else if (strcmp(q->text, "normal") == 0)
    memcpy(out, rows->normal + (size_t)at->row * (size_t)r->world.d->dim,
           sizeof *out * (size_t)r->world.d->dim);
  else return false;
  return true;
}

/* ---- all -------------------------------------------------------------------------------------------------------------------- */

static void read_near(dslc_reference *r, ref_env *env, const ref_stand *at, const ir_node *n, double *out) {
  const ir_symbol *q = ir_symbol_get(r->m, n->read.sym);
  int32_t edge = at->kind == REF_EDGE ? at->at : at->slot;
  bool second = n->read.at == IR_AT_J;
  int32_t node = second ? r->world.mesh->edge_second[edge] : r->world.edge_first[edge];
  if (second && is_centre(q)) read_image(r, env, n->read.sym, edge, out);
  else if (q->kind == IR_GIVEN) read_given(r, ref_time(r, env, at), n->read.sym, node, out);
  else read_plain(r, env, n->read.sym, 0, node, out);
}

static void read_here(dslc_reference *r, ref_env *env, const ref_stand *at, const ir_node *n, double *out) {
  const ir_symbol *q = ir_symbol_get(r->m, n->read.sym);
  bool at_node = at->kind == REF_NODE || at->kind == REF_ROW || at->kind == REF_NODE_EDGE;
  if (read_row(r, at, q, out)) return;
  if (q->kind == IR_GIVEN && at->fixes) read_given(r, ref_time(r, env, at), n->read.sym, at->at, out);
  else if (q->place == IR_CELLS) read_cell(r, env, n->read.sym, at->at, out);
  else read_plain(r, env, n->read.sym, q->kind == IR_MATRIX && at_node ? IR_DIAGONAL : 0, at->at, out);
}

void ref_read_mesh(dslc_reference *r, ref_env *now, const ref_stand *at, const ir_node *n, double *out) {
  const dslc_ref_mesh *m = r->world.mesh;
  ir_sym sym = n->read.sym;
  ref_env *env = ref_env_named(r, ref_env_of(r, now, (ir_level)n->read.level), at, sym);
  switch (n->read.at) {
  case IR_AT_L: read_cell(r, env, sym, m->face_left[at->at], out); break;
  case IR_AT_R: read_cell(r, env, sym, m->face_right[at->at], out); break;
  case IR_AT_D: read_cell(r, env, sym, across(r, at), out); break;
  case IR_AT_F: read_plain(r, env, sym, 0, at->slot, out); break;
  case IR_AT_OUT: read_outwards(r, env, at, sym, out); break;
  case IR_AT_E: read_plain(r, env, sym, 0, at->slot, out); break;
  case IR_AT_I:
  case IR_AT_J: read_near(r, env, at, n, out); break;
  default: read_here(r, env, at, n, out);
  }
}
