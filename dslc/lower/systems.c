/* Linear systems. A solve becomes three equations: the entries beside the diagonal at directed edges, the diagonal and the right
 * side at nodes. With  given  where constraints give the unknown's value, x the unknown itself, which has those values already,
 *
 *   entry[I,J]    = given[I] or given[J] ? 0 : A[I,J]
 *   diagonal[I]   = given[I] and A[I,I] is 0 or no number ? 1 : A[I,I]
 *   right_side[I] = given[I] ? diagonal[I]*x[I] : b[I] - sum(J near I) (given[J] ? A[I,J]*x[J] : 0)
 *
 * so rows and columns of such nodes have nothing but their diagonal, and a symmetric matrix stays symmetric. That is the matrix's own, not 1:
 * a solver's tolerance is relative to the norm of the right side, of which such rows must not be all. Stored, ordered and, where
 * nothing in them changes, computed in the setup like any other equation. */
#include "lower/lower.h"

static ir_sym add_equation(ir_module *m, const char *text, ir_symbol s) {
  s.text = lower_fresh_name(m, text);
  s.kind = IR_EQUATION;
  s.type = ir_scalar();
  s.dims = m->dims;
  return ir_symbol_add(m, s);
}

static ir_id is_marked(ir_module *m, ir_sym mask, ir_at at) {
  return ir_binary(m, IR_NE, ir_read(m, mask, IR_NOW, at, NULL), ir_const(m, 0));
}

/* 0: no constraint gives its values. */
static ir_sym mask_of(ir_module *m, ir_sym unknown) {
  if (!ir_is_constrained(m, unknown, true)) return 0;
  name text = intern_str(m->names, arena_printf(m->memory, "held:%s", ir_symbol_get(m, unknown)->text));
  ir_sym known = ir_symbol_find(m, text); /* the scheme asks for it too: is_fixed(x) */
  if (known) return known;
  ir_symbol s = {.text = text,
                 .kind = IR_GEOMETRY,
                 .place = IR_NODES,
                 .type = ir_scalar(),
                 .dims = m->dims,
                 .purpose.role = IR_HELD_MASK,
                 .purpose.of = unknown};
  return ir_symbol_add(m, s);
}

static ir_id entry_value(ir_module *m, ir_sym matrix, ir_sym mask) {
  ir_id value = ir_symbol_get(m, matrix)->root[0];
  if (!mask) return value;
  ir_id either = ir_binary(m, IR_OR, is_marked(m, mask, IR_AT_I), is_marked(m, mask, IR_AT_J));
  return ir_select(m, either, ir_const(m, 0), value);
}

static ir_id diagonal_value(ir_module *m, ir_sym matrix, ir_sym mask) {
  ir_id value = ir_symbol_get(m, matrix)->root[IR_DIAGONAL], zero = ir_const(m, 0);
  if (!mask) return value;
  ir_id own = ir_binary(m, IR_OR, ir_binary(m, IR_LT, value, zero), ir_binary(m, IR_GT, value, zero));
  ir_id other = ir_binary(m, IR_AND, is_marked(m, mask, IR_AT_HERE), ir_unary(m, IR_NOT, own));
  return ir_select(m, other, ir_const(m, 1), value);
}

static ir_id right_side_value(ir_module *m, const ir_stmt *st, ir_sym mask) {
  if (!mask) return st->rhs;
  ir_id held = ir_binary(m, IR_MUL, ir_read(m, st->diagonal, IR_NOW, IR_AT_HERE, NULL),
                         ir_read(m, st->unknown, IR_NOW, IR_AT_HERE, NULL));
  ir_id known = ir_read(m, st->unknown, IR_NOW, IR_AT_J, NULL);
  ir_id column = ir_binary(m, IR_MUL, ir_read(m, st->matrix, IR_NOW, IR_AT_E, NULL), known);
  ir_id moved = ir_select(m, is_marked(m, mask, IR_AT_J), column, ir_const(m, 0));
  ir_id sum = ir_reduction(m, IR_SUM, IR_OVER_NEAR, IR_NODES, 0, moved);
  ir_id rest = ir_binary(m, IR_SUB, st->rhs, sum);
  return ir_select(m, is_marked(m, mask, IR_AT_HERE), held, rest);
}

/* Two solves of one matrix for one unknown share it. */
static const ir_stmt *same_matrix(const ir_stmt *list, int n, const ir_stmt *st) {
  for (int i = 0; i < n; i++) {
    const ir_stmt *inner = same_matrix(list[i].body.at, list[i].body.n, st);
    if (inner) return inner;
    if (list[i].kind == IR_SOLVE && list[i].entry && list[i].matrix == st->matrix &&
        list[i].unknown == st->unknown)
      return &list[i];
  }
  return NULL;
}

static void lower_solve(ir_module *m, ir_stmt *st) {
  const ir_stmt *other = same_matrix(m->step.at, m->step.n, st);
  ir_sym mask = mask_of(m, st->unknown);
  const char *matrix = ir_symbol_get(m, st->matrix)->text, *unknown = ir_symbol_get(m, st->unknown)->text;
  span at = ir_symbol_get(m, st->matrix)->at;
  if (other) st->entry = other->entry, st->diagonal = other->diagonal;
  else {
    ir_symbol entry = {.place = IR_EDGES, .purpose.role = IR_ENTRY, .purpose.of = st->matrix, .at = at};
    entry.root[0] = entry_value(m, st->matrix, mask);
    st->entry = add_equation(m, arena_printf(m->memory, "%s.entry", matrix), entry);
    ir_symbol diagonal = {
        .place = IR_NODES, .purpose.role = IR_MAIN_DIAGONAL, .purpose.of = st->matrix, .at = at};
    diagonal.root[0] = diagonal_value(m, st->matrix, mask);
    st->diagonal = add_equation(m, arena_printf(m->memory, "%s.diagonal", matrix), diagonal);
  }
  ir_symbol right = {
      .place = IR_NODES, .purpose.role = IR_RIGHT_SIDE, .purpose.of = st->unknown, .at = st->at};
  right.root[0] = right_side_value(m, st, mask);
  st->right_side = add_equation(m, arena_printf(m->memory, "%s.rhs", unknown), right);
}

static void lower_list(ir_module *m, ir_stmt *st, int n) {
  for (int i = 0; i < n; i++) {
    if (st[i].kind == IR_SOLVE) lower_solve(m, &st[i]);
    lower_list(m, st[i].body.at, st[i].body.n);
  }
}

void lower_systems(lowering *l) { lower_list(l->m, l->m->step.at, l->m->step.n); }
