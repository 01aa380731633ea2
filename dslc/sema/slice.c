/* Slices on grids: v[i-2..i+1, j], the list of what stands before the brackets at the points of a range. */
#include "sema/internal.h"

enum { LONGEST_SLICE = 32, MOST_INDICES = 4 }; /* what is indexed counted in */

int ranged_index(const ast_expr *index) {
  for (int i = 1; i < index->n && i < MOST_INDICES; i++)
    if (index->arg[i]->kind == AST_RANGE) return i;
  return 0;
}

static int slice_length(sema *s, const context *c, const ast_expr *range, int *axis, int *first) {
  int axis2, last;
  if (!lower_offset(s, c, range->arg[0], axis, first) || !lower_offset(s, c, range->arg[1], &axis2, &last))
    return 0;
  if (*axis == axis2 && last >= *first && last - *first < LONGEST_SLICE) return last - *first + 1;
  complain(
      s, DIAG_SLICE, range->at,
      "a slice runs along one index from a lower to a higher place, as in i-2..i+1, over %d points at most",
      LONGEST_SLICE);
  return 0;
}

static bool is_scalar(sema *s, value v, const ast_expr *e) {
  if (v.bad || v.type.rank == IR_SCALAR) return !v.bad;
  const char *what = ast_expr_text(s->memory, e->arg[0]);
  diag *d = complain(s, DIAG_SLICE, e->at, "a slice is taken of a scalar quantity, `%s` is a %s", what,
                     type_text(s, v.type));
  if (v.type.rank == IR_VECTOR) diag_with_hint(s->sink, d, "say of which component: %s.x", what);
  return false;
}

value lower_slice(sema *s, const context *c, const ast_expr *e) {
  const int ranged = ranged_index(e);
  int axis, first, n = slice_length(s, c, e->arg[ranged], &axis, &first);
  value part[LONGEST_SLICE];
  for (int m = 0; m < n; m++) {
    const binding b = {.text = intern_str(s->names, "\1slice"),
                       .kind = BIND_INDEX,
                       .axis = axis,
                       .offset = first + m,
                       .next = c->env};
    ast_expr letter = {.kind = AST_NAME, .at = e->arg[ranged]->at, .text = b.text};
    ast_expr *args[MOST_INDICES];
    for (int i = 0; i < e->n && i < MOST_INDICES; i++) args[i] = i == ranged ? &letter : e->arg[i];
    ast_expr one = *e;
    one.arg = args;
    context inner = *c;
    inner.env = &b;
    part[m] = lower_expr(s, &inner, &one);
    if (!is_scalar(s, part[m], e)) return bad_value(e->at);
  }
  return n ? make_list(s, part, n, e->at) : bad_value(e->at);
}
