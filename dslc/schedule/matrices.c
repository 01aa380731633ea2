/* Linear systems. A solve becomes three equations: the entries beside the diagonal at directed edges, the diagonal and the right
 * side at nodes. With  held  where rules give the unknown's value, x the unknown itself, which holds those values already,
 *
 *   off[I,J]    = held[I] or held[J] ? 0 : A[I,J]
 *   diagonal[I] = held[I] ? 1 : A[I,I]
 *   rhs[I]      = held[I] ? x[I] : b[I] - sum(J near I) (held[J] ? A[I,J]*x[J] : 0)
 *
 * so rows and columns of held nodes are those of the identity, and a symmetric matrix stays symmetric. Stored, ordered and, where
 * nothing in them changes, computed in the setup like any other equation. */
#include "schedule/nodes.h"

#include "back/back.h"

#include <string.h>

/* ---- equations ---------------------------------------------------------------------------------------------------- */

static name fresh_name(planner *pl, const char *text) {
  name wanted = intern_str(pl->names, text);
  for (int n = 2; ir_symbol_find(pl->from, wanted); n++)
    wanted = intern_str(pl->names, arena_printf(pl->memory, "%s%d", text, n));
  return wanted;
}

static ir_sym add_equation(planner *pl, const char *text, ir_place place, ir_id root, span at) {
  ir_symbol s = {.text = fresh_name(pl, text),
                 .kind = IR_EQUATION,
                 .place = place,
                 .type = ir_scalar(),
                 .dims = pl->from->dims,
                 .root = {root},
                 .at = at};
  ir_sym sym = ir_symbol_add(pl->from, s);
  vec_push(pl->memory, &pl->hoists, ((struct hoisted_sum){sym, false}));
  return sym;
}

static ir_id is_marked(ir_module *m, ir_sym mask, ir_at at) {
  return ir_binary(m, IR_NE, ir_read(m, mask, IR_NOW, at, NULL), ir_const(m, 0));
}

static ir_sym mask_of(planner *pl, ir_sym unknown) {
  if (!is_held(pl, unknown, true)) return 0;
  name text =
      intern_str(pl->names, arena_printf(pl->memory, "held:%s", ir_symbol_get(pl->from, unknown)->text));
  ir_sym known = ir_symbol_find(pl->from, text);
  if (known) return known;
  return ir_symbol_add(
      pl->from,
      (ir_symbol){
          .text = text, .kind = IR_GEOMETRY, .place = IR_NODES, .type = ir_scalar(), .dims = pl->from->dims});
}

static ir_id off_value(ir_module *m, ir_sym matrix, ir_sym mask) {
  ir_id value = ir_symbol_get(m, matrix)->root[0];
  if (!mask) return value;
  ir_id either = ir_binary(m, IR_OR, is_marked(m, mask, IR_AT_I), is_marked(m, mask, IR_AT_J));
  return ir_select(m, either, ir_const(m, 0), value);
}

static ir_id diagonal_value(ir_module *m, ir_sym matrix, ir_sym mask) {
  ir_id value = ir_symbol_get(m, matrix)->root[IR_DIAGONAL];
  return mask ? ir_select(m, is_marked(m, mask, IR_AT_HERE), ir_const(m, 1), value) : value;
}

static ir_id rhs_value(ir_module *m, const ir_stmt *st, ir_sym mask) {
  if (!mask) return st->rhs;
  ir_id known = ir_read(m, st->unknown, IR_NOW, IR_AT_J, NULL);
  ir_id column = ir_binary(m, IR_MUL, ir_read(m, st->matrix, IR_NOW, IR_AT_E, NULL), known);
  ir_id moved = ir_select(m, is_marked(m, mask, IR_AT_J), column, ir_const(m, 0));
  ir_id sum = ir_reduction(m, IR_SUM, IR_OVER_NEAR, IR_NODES, 0, moved);
  ir_id rest = ir_binary(m, IR_SUB, st->rhs, sum);
  return ir_select(m, is_marked(m, mask, IR_AT_HERE), ir_read(m, st->unknown, IR_NOW, IR_AT_HERE, NULL),
                   rest);
}

static const node_system *find_system(const planner *pl, const ir_stmt *st) {
  for (int i = 0; i < pl->system.n; i++)
    if (pl->system.at[i].statement == st) return &pl->system.at[i];
  return NULL;
}

/* Two solves of one matrix for one unknown share it. */
static const node_system *find_matrix(const planner *pl, const ir_stmt *st) {
  for (int i = 0; i < pl->system.n; i++)
    if (pl->system.at[i].matrix == st->matrix && pl->system.at[i].unknown == st->unknown)
      return &pl->system.at[i];
  return NULL;
}

static void prepare_system(planner *pl, const ir_stmt *st) {
  ir_module *m = pl->from;
  node_system s = {.statement = st, .matrix = st->matrix, .unknown = st->unknown};
  const node_system *other = find_matrix(pl, st);
  ir_sym mask = mask_of(pl, st->unknown);
  const char *matrix = ir_symbol_get(m, st->matrix)->text, *unknown = ir_symbol_get(m, st->unknown)->text;
  span at = ir_symbol_get(m, st->matrix)->at;
  if (other) s.off = other->off, s.diagonal = other->diagonal;
  else {
    s.off = add_equation(pl, arena_printf(pl->memory, "%s.entry", matrix), IR_EDGES,
                         off_value(m, st->matrix, mask), at);
    s.diagonal = add_equation(pl, arena_printf(pl->memory, "%s.diagonal", matrix), IR_NODES,
                              diagonal_value(m, st->matrix, mask), at);
  }
  s.rhs =
      add_equation(pl, arena_printf(pl->memory, "%s.rhs", unknown), IR_NODES, rhs_value(m, st, mask), st->at);
  vec_push(pl->memory, &pl->system, s);
}

static void prepare_list(planner *pl, const ir_stmt *st, int n) {
  for (int i = 0; i < n; i++) {
    if (st[i].kind == IR_SOLVE) prepare_system(pl, &st[i]);
    prepare_list(pl, st[i].body.at, st[i].body.n);
  }
}

void prepare_systems(planner *pl) { prepare_list(pl, pl->from->step.at, pl->from->step.n); }

/* ---- what is known of the matrix ------------------------------------------------------------------------------------------- */

/* Is the diagonal what makes its row sum to zero, as written: -sum(J near I) A[I,J]? */
static bool sums_to_zero(const ir_module *m, ir_sym matrix) {
  const ir_node *n = ir_get(m, ir_symbol_get(m, matrix)->root[IR_DIAGONAL]);
  if (n->op != IR_NEG) return false;
  n = ir_get(m, ir_args(m, n)[0]);
  if (n->op != IR_REDUCE || n->reduce.kind != IR_SUM || n->reduce.binder != IR_OVER_NEAR) return false;
  n = ir_get(m, ir_args(m, n)[0]);
  return n->op == IR_READ && n->read.sym == matrix && n->read.at == IR_AT_E;
}

static const char *option_formula(planner *pl, const ir_stmt *st, const char *text, const char *otherwise) {
  for (int i = 0; i < st->option.n; i++)
    if (strcmp(st->option.at[i].text, text) == 0)
      return back_formula(pl->from, st->option.at[i].value, pl->memory);
  return otherwise;
}

static void note_matrix(planner *pl, const ir_symbol *q, const dslc_solve *s, bool proved) {
  if (q->symmetric) note(pl, "%s: symmetric (%s)", q->text, proved ? "proved" : "sampled");
  note(pl, "%s: %s", q->text,
       s->sums_to_zero ? "its rows sum to zero (proved): singular unless some node is held"
                       : "its rows need not sum to zero");
}

static int add_solve(planner *pl, const ir_stmt *st, const node_system *y) {
  const ir_symbol *q = ir_symbol_get(pl->from, st->matrix);
  int column;
  dslc_solve s = {.matrix = q->text,
                  .unknown = ir_symbol_get(pl->from, st->unknown)->text,
                  .off = buffer_of(pl, y->off, IR_NOW),
                  .diagonal = buffer_of(pl, y->diagonal, IR_NOW),
                  .rhs = buffer_of(pl, y->rhs, IR_NOW),
                  .solution = buffer_of(pl, st->unknown, IR_NOW),
                  .method = st->method,
                  .preconditioner = st->preconditioner,
                  .tolerance = option_formula(pl, st, "tol", "1e-8"),
                  .iterations = option_formula(pl, st, "iterations", "10000"),
                  .symmetric = q->symmetric,
                  .sums_to_zero = sums_to_zero(pl->from, st->matrix)};
  line_text(pl, st->at, &s.line, &column);
  vec_push(pl->memory, &pl->solve, s);
  note_matrix(pl, q, &s, is_proved_symmetric(pl, st->matrix));
  return pl->solve.n - 1;
}

/* ---- the statement ------------------------------------------------------------------------------------------------------------ */

void plan_solve(planner *pl, const ir_stmt *st) {
  const node_system *y = find_system(pl, st);
  apply_holds(pl, st->unknown, 1); /* the guess has the values that rules give: rows and columns look there */
  const ir_sym parts[] = {y->off, y->diagonal, y->rhs};
  demand_symbols(pl, parts, 3);
  op_add(pl, (dslc_op){.kind = DSLC_OP_SOLVE, .a = add_solve(pl, st, y), .groups_of = -1, .rule = -1});
  invalidate(pl, st->unknown);
  if (is_projected(pl, st->unknown)) apply_holds(pl, st->unknown, 1);
}
