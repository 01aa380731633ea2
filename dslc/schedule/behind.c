/* What is known beyond a wall of a grid without a rule that gives it: by a formula, in the first cell behind it, or point by point from what is
 * known there. sema/boundary.c and reference/follow.c ask the same. */
#include "base/defects.h"
#include "schedule/grid.h"

/* What is kept of the start of the step for readers at another point than its own: see lower/seen_starts.c. */
static bool is_seen_start(const planner *pl, ir_sym sym) {
  const bool start = ir_symbol_get(pl->from, sym)->purpose.role == IR_STEP_START;
  return start && pl->use[sym].kept == sym && !defect_is_back("seen_starts_follow");
}

bool is_pointwise(const planner *pl, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(pl->from, sym);
  if (q->beyond.strays & IR_STRAYS_ANYWHERE && !defect_is_back("simplified_follow")) return false;
  ir_reached reached = ir_reach(pl->from, q->root, 1);
  for (int i = 0; i < reached.n; i++) {
    const ir_node *n = ir_get(pl->from, reached.at[i]);
    if (n->op != IR_READ) continue;
    ir_place place = ir_symbol_get(pl->from, n->read.sym)->place;
    bool moved = n->read.off[0] || n->read.off[1] || n->read.off[2] || line_depth(pl, n->read.sym) > 0;
    moved = moved || is_seen_start(pl, n->read.sym);
    if (moved || (place != q->place && place < IR_XLINE)) return false;
  }
  return true;
}

/* Follows beyond a wall from what it reads, though no rule names it. */
static bool follows_point_by_point(const planner *pl, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(pl->from, sym);
  return q->kind == IR_EQUATION && q->root[0] && q->place < IR_XLINE && is_pointwise(pl, sym);
}

bool is_face_along(const ir_node *n, ir_place from, ir_place to, int axis) {
  bool along = ir_place_on_faces(to, axis) && !ir_place_on_faces(from, axis);
  for (int a = 0; a < 3; a++)
    along = along &&
            (a == axis || (n->read.off[a] == 0 && ir_place_on_faces(to, a) == ir_place_on_faces(from, a)));
  return along;
}

/* What lies behind the wall that a path has met. */
typedef struct behind {
  const planner *pl;
  int axis;
  char *formula, *follows; /* by symbol: 1 yes, 2 no */
} behind;

static bool has_formula_behind(behind *b, ir_sym sym);

static bool holds_behind(behind *b, const ir_symbol *reader, const ir_node *n) {
  ir_sym sym = n->read.sym;
  const ir_symbol *q = ir_symbol_get(b->pl->from, sym);
  if (n->op != IR_READ || q->place >= IR_XLINE) return true;
  bool own = q->place == reader->place && !n->read.off[0] && !n->read.off[1] && !n->read.off[2];
  if (q->kind == IR_GIVEN && (own || !ir_is_given_beyond(b->pl->from, sym))) return true;
  if (own) return q->kind == IR_EQUATION && has_formula_behind(b, sym);
  bool given = q->kind != IR_EQUATION || ir_is_given_beyond(b->pl->from, sym);
  return given && is_face_along(n, reader->place, q->place, b->axis);
}

/* In the first cell behind a wall a formula holds that reads faces along the axis only. */
static bool reads_along(behind *b, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(b->pl->from, sym);
  if (q->kind != IR_EQUATION || !q->root[0] || q->place >= IR_XLINE) return false;
  if (q->beyond.strays >> b->axis & 1 && !defect_is_back("simplified_follow")) return false;
  ir_reached all = ir_reach(b->pl->from, q->root, 1);
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(b->pl->from, all.at[i]);
    if (n->op == IR_REDUCE || !holds_behind(b, q, n)) return false;
  }
  return true;
}

static bool has_formula_behind(behind *b, ir_sym sym) {
  if (!b->formula[sym]) b->formula[sym] = reads_along(b, sym) ? 1 : 2;
  return b->formula[sym] == 1;
}

static bool is_given_behind(behind *b, ir_sym sym);

/* Point by point from what is given there. */
static bool find_following(behind *b, ir_sym sym) {
  const ir_symbol *own = ir_symbol_get(b->pl->from, sym);
  if (!follows_point_by_point(b->pl, sym)) return false;
  if (own->beyond.unknown >> b->axis & 1 && !defect_is_back("simplified_points")) return false;
  ir_reached all = ir_reach(b->pl->from, own->root, 1);
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(b->pl->from, all.at[i]);
    const ir_symbol *q = ir_symbol_get(b->pl->from, n->read.sym);
    if (n->op != IR_READ || q->place >= IR_XLINE || q->kind == IR_GIVEN) continue;
    if (!is_given_behind(b, n->read.sym)) return false;
  }
  return true;
}

static bool is_given_behind(behind *b, ir_sym sym) {
  if (ir_is_given_beyond(b->pl->from, sym) || has_formula_behind(b, sym)) return true;
  if (!b->follows[sym]) b->follows[sym] = find_following(b, sym) ? 1 : 2;
  return b->follows[sym] == 1;
}

static behind behind_of(const planner *pl, int axis) {
  const int n = pl->from->symbol.n;
  return (behind){pl, axis, arena_array(pl->memory, char, n), arena_array(pl->memory, char, n)};
}

bool known_behind(const planner *pl, ir_sym sym, int axis) {
  behind b = behind_of(pl, axis);
  return is_given_behind(&b, sym);
}

bool follows_along(const planner *pl, ir_sym sym, int axis) {
  behind b = behind_of(pl, axis);
  const bool pointwise =
      defect_is_back("follow_from_unknown") ? follows_point_by_point(pl, sym) : find_following(&b, sym);
  return pointwise || reads_along(&b, sym);
}
