/* Linear systems in the plan: their equations (lower/systems.c) are demanded like any others, then the runtime solves. */
#include "schedule/nodes.h"

#include <string.h>

#include "back/back.h"
#include "base/defects.h"

/* ---- what is known of the matrix ------------------------------------------------------------------------------------------- */

static const char *option_formula(planner *pl, const ir_stmt *st, const char *text, const char *otherwise) {
  for (int i = 0; i < st->option.n; i++)
    if (strcmp(st->option.at[i].text, text) == 0)
      return back_formula(pl->from, st->option.at[i].value, pl->memory);
  return otherwise;
}

static void note_matrix(planner *pl, const ir_symbol *q, const dslc_solve *s, bool proved) {
  if (q->symmetric) note(pl, q->text, "symmetric (%s)", proved ? "proved" : "sampled");
  note(pl, q->text, "%s",
       s->sums_to_zero ? "its rows sum to zero (proved): singular unless some node is held"
                       : "its rows need not sum to zero");
}

static int add_solve(planner *pl, const ir_stmt *st) {
  const ir_symbol *q = ir_symbol_get(pl->from, st->matrix);
  int column;
  dslc_solve s = {.matrix = q->text,
                  .unknown = ir_symbol_get(pl->from, st->unknown)->text,
                  .field = field_of(pl, st->unknown),
                  .off = buffer_of(pl, st->entry, IR_NOW),
                  .diagonal = buffer_of(pl, st->diagonal, IR_NOW),
                  .rhs = buffer_of(pl, st->right_side, IR_NOW),
                  .solution = buffer_of(pl, st->unknown, IR_NOW),
                  .method = st->method,
                  .preconditioner = st->preconditioner,
                  .tolerance = option_formula(pl, st, "tol", "1e-8"),
                  .iterations = option_formula(pl, st, "iterations", "10000"),
                  .symmetric = q->symmetric,
                  .sums_to_zero = is_proved_row_sum(pl, st->matrix)};
  line_text(pl, st->at, &s.line, &column);
  s.file = other_file(pl, st->at);
  vec_push(pl->memory, &pl->made->solve, s);
  note_matrix(pl, q, &s, q->evidence == IR_PROVED || is_proved_symmetric(pl, st->matrix));
  return pl->made->solve.n - 1;
}

/* ---- the statement ------------------------------------------------------------------------------------------------------------ */

/* A rule that looks at the unknown acts on the solution too: what it names cannot be as before the statement then, if the system reads
 * it as well. */
static void refuse_named(planner *pl, const ir_stmt *st) {
  if (!ir_is_projected(pl->from, st->unknown) || !named_depends(pl, st->unknown, st->unknown)) return;
  const char *text = ir_symbol_get(pl->from, st->unknown)->text;
  diag *d =
      diag_report(pl->in->sink, DIAG_TARGET, st->at,
                  "a rule cannot project `%s`, the unknown of a solve, and name what follows from it", text);
  diag_with_hint(pl->in->sink, d,
                 "keep that in a state, by an `update` before the `solve`, and let the rule read the state");
}

void plan_solve(planner *pl, const ir_stmt *st) {
  refuse_named(pl, st);
  demand_named(pl, &st->unknown, 1);
  if (!defect_is_back("guesses_before_dt")) demand(pl, NULL, 0); /* what rules fix holds at its end */
  apply_holds(pl, st->unknown, 1); /* the guess has the values that rules give: rows and columns look there */
  const ir_sym parts[] = {st->entry, st->diagonal, st->right_side};
  demand_symbols(pl, parts, 3);
  op_add(pl, (dslc_op){.kind = DSLC_OP_SOLVE, .a = add_solve(pl, st), .groups_of = -1, .rule = -1});
  invalidate(pl, st->unknown);
  if (ir_is_projected(pl->from, st->unknown)) apply_holds(pl, st->unknown, 1);
}
