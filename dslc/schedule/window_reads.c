/* Where a windowed kernel looks for what it keeps itself: every read of an equation that stands in its rows, with the shift from the
 * kernel's own point. Also those in functions near walls, where a rule says what stands beyond: these are followed as back/walls.c and
 * walls_write.c write them, so that no row is kept that nobody looks at. Which walls there are is not known: a wall may stand
 * before each point on the way. */
#include <stdlib.h>
#include <string.h>

#include "base/defects.h"
#include "schedule/grid.h"

/* How a point is seen. Steps: from this side to it, in points of its place, itself counted, along each axis that leads away from
 * the reader; where a wall stands before one of them, a rule says what is read. */
typedef struct view {
  window_box at;
  int steps[2];
  plan_part part;
} view;

typedef enum leaf_kind { LEAF_VALUE, LEAF_GHOST, LEAF_FIX } leaf_kind;

/* A read of a member of the window, or a call of a function that reads some; axis: of the rule, 0: any. */
typedef struct leaf {
  ir_id id;
  leaf_kind kind;
  char axis;
} leaf;

/* Along each axis a view leads one way, the other, or not at all. */
enum { WAYS = 3, VIEW_KINDS = PLAN_PARTS * WAYS * WAYS };

typedef struct function_summary {
  int number;
  bool open;
  VEC(leaf) leaf;
  VEC(view) walked;
  int within[VIEW_KINDS]; /* how often it is being followed, by kind of view */
} function_summary;

typedef struct read_walk {
  const window_search *search;
  planner *pl;
  int *place; /* by function */
  VEC(function_summary *) function;
} read_walk;

static function_summary *summary_of(const read_walk *w, int number) {
  const int place = w->place[number];
  function_summary *s = place < w->function.n ? w->function.at[place] : NULL;
  return s && s->number == number ? s : NULL;
}

static function_summary *add_summary(read_walk *w, int number) {
  function_summary *s = arena_new(w->pl->memory, function_summary);
  s->number = number;
  w->place[number] = w->function.n;
  vec_push(w->pl->memory, &w->function, s);
  return s;
}

static bool is_member(const read_walk *w, ir_sym sym) {
  for (int i = 0; i < w->search->n_members; i++)
    if (w->search->member[i] == sym) return true;
  return false;
}

static const plan_function *function_at(const read_walk *w, int number) {
  return &w->pl->plan->function.at[number];
}

static bool staggered(const read_walk *w, ir_sym sym, int axis) {
  return ir_place_on_faces(ir_symbol_get(w->pl->to, sym)->place, axis);
}

static bool is_inside(const ir_node *n) {
  return n->op == IR_READ && (n->read.at == IR_AT_INNER || n->read.at == IR_AT_MIRROR);
}

/* ---- which functions read some ------------------------------------------------------------------------------------ */

/* What a READ in a rule reads beyond several walls, and of a state the rules that fix it inside; -1: no function. */
static int beside_of(const read_walk *w, const ir_node *n, const plan_function *within) {
  bool place = n->op == IR_READ && ir_symbol_get(w->pl->to, n->read.sym)->place < IR_XLINE;
  return within && within->across && place && is_inside(n) ? plan_beside(w->pl->plan, n) : -1;
}

static int fixed_inside_of(const read_walk *w, const ir_node *n, const plan_function *within) {
  return within && within->kind == PLAN_FUNCTION_FIX ? plan_fixed_inside(w->pl->plan, n, within) : -1;
}

static bool reads_members(read_walk *w, int number);

static bool is_leaf(read_walk *w, ir_id id, const plan_function *within) {
  const ir_node n = *ir_get(w->pl->to, id);
  if (n.op != IR_READ && n.op != IR_FIXED) return false;
  bool member = n.op == IR_READ && n.read.level == IR_NOW && is_member(w, n.read.sym);
  bool called = reads_members(w, plan_called(w->pl->plan, id, within));
  bool beside = reads_members(w, beside_of(w, &n, within));
  return reads_members(w, fixed_inside_of(w, &n, within)) || member || called || beside;
}

static void add_leaves(read_walk *w, function_summary *to, ir_id value, const plan_function *within, leaf l) {
  ir_reached all = ir_reach(w->pl->to, &value, 1);
  VEC(ir_id) found = {0};
  for (int i = 0; i < all.n; i++) vec_push(w->pl->memory, &found, all.at[i]);
  for (int i = 0; i < found.n; i++)
    if (is_leaf(w, found.at[i], within))
      vec_push(w->pl->memory, &to->leaf, ((leaf){found.at[i], l.kind, l.axis}));
}

/* Functions refer to each other as deeply as equations do; to themselves only where one stands beside itself, and then what else it
 * reads decides: meanwhile it is taken as one that does. That of a member reads it where no rule says anything. */
static bool reads_members(read_walk *w, int number) {
  if (number < 0) return false;
  function_summary *s = summary_of(w, number);
  const plan_function f = *function_at(w, number);
  const bool own = f.ghost.n > 0 && is_member(w, f.sym);
  if (s) return s->open || own || s->leaf.n > 0;
  s = add_summary(w, number);
  s->open = true;
  if (f.value) add_leaves(w, s, f.value, &f, (leaf){.kind = LEAF_VALUE});
  for (int i = 0; i < f.ghost.n; i++)
    add_leaves(w, s, f.ghost.at[i].value, &f, (leaf){.kind = LEAF_GHOST, .axis = f.ghost.at[i].axis});
  for (int i = 0; i < f.fix.n; i++)
    add_leaves(w, s, f.fix.at[i].value, &f, (leaf){.kind = LEAF_FIX, .axis = f.fix.at[i].axis});
  s->open = false;
  return own || s->leaf.n > 0;
}

/* ---- where rules look ------------------------------------------------------------------------------------------------ */

static void include(window_box *b, int axis, int lo, int hi) {
  if (lo < b->lo[axis]) b->lo[axis] = lo;
  if (hi > b->hi[axis]) b->hi[axis] = hi;
}

typedef struct interval {
  int lo, hi;
} interval;

static void widen(interval *r, int x) {
  if (x < r->lo) r->lo = x;
  if (x > r->hi) r->hi = x;
}

enum { NOWHERE_YET = 1 << 20 };

/* With the defect put back: rows as far on both sides as the point is away, and one more for half a point. From its other side, around a
 * solid, that counts twice. */
static void keep_as_far(interval *r, int axis, const view *v) {
  const int low = v->at.lo[axis], high = v->at.hi[axis];
  const int far = 1 + (abs(low) > abs(high) ? abs(low) : abs(high));
  if (r->hi > far - high) r->hi = far - high;
  if (r->lo > r->hi) r->lo = r->hi;
  if (r->lo < -far - low) r->lo = -far - low;
  if (r->hi < r->lo) r->hi = r->lo;
}

/* What a rule across the axis reads inside, `n`, of quantity `to`, where the ghost of `from` is asked for so many steps away: from
 * that point. A wall may stand before each point on the way (walls_write.c, write_wall). */
static interval inside_along(const read_walk *w, const plan_function *from, ir_sym to, ir_at at, int axis,
                             const view *v) {
  int dir = v->steps[axis] < 0 ? -1 : 1, steps = abs(v->steps[axis]) - 1;
  bool from_face = staggered(w, from->sym, axis), to_face = staggered(w, to, axis);
  interval r = {NOWHERE_YET, -NOWHERE_YET};
  for (int s = 0; s <= steps; s++) {
    int t = (s - steps) * dir, face = from_face || dir < 0 ? t - dir : t;
    int inner = to_face ? face - dir : from_face ? (dir > 0 ? face - 1 : face) : t - dir;
    widen(&r, inner);
    if (at == IR_AT_MIRROR) widen(&r, inner - (steps - s) * dir);
    else if (to_face) widen(&r, face);
  }
  if (defect_is_back("windows_beside_solids")) keep_as_far(&r, axis, v);
  return r;
}

/* A face or a corner lies beside several columns, of which one has met the wall: what does not lie so is read in that one (emit/grid.c,
 * in_column). */
static void include_columns(const read_walk *w, const plan_function *f, ir_sym to, int axis, window_box *at) {
  const int other = 1 - axis;
  if (staggered(w, f->sym, other) && !staggered(w, to, other)) at->lo[other]--;
}

/* Of a fix: the face is that of the point, or at corners the one before it along the other axis. */
static window_box inside_of_fix(const read_walk *w, const plan_function *f, ir_sym to, int axis,
                                const window_box *at) {
  window_box r = *at;
  include(&r, axis, at->lo[axis] - 1, at->hi[axis] + staggered(w, to, axis));
  include_columns(w, f, to, axis, &r);
  return r;
}

/* ---- the walk ---------------------------------------------------------------------------------------------------------- */

static void walk_function(read_walk *w, int number, const view *v);

static void visit(const read_walk *w, const ir_node *n, const window_box *at, bool by_function) {
  if (n->op == IR_READ && n->read.level == IR_NOW && is_member(w, n->read.sym))
    w->search->visit(w->search->ctx, n->read.sym, at, by_function);
}

/* Where a quantity is read in the end that is seen like this: there, or where no rule says anything at the nearest point inside, or
 * diagonally on this side of it. Points outside, of which nobody takes the value, are seen so where all rules say something, too. */
static window_box plain_points(const read_walk *w, const plan_function *f, const view *v) {
  window_box r = v->at;
  for (int a = 0; a < 2; a++) {
    if (!v->steps[a]) continue;
    const interval in = inside_along(w, f, f->sym, IR_AT_INNER, a, v);
    include(&r, a, v->at.lo[a] + in.lo, v->at.hi[a] + in.hi);
    if (v->steps[1 - a] && v->part == PLAN_PART_NEAR)
      include(&r, a, v->at.lo[a] - v->steps[a], v->at.hi[a] - v->steps[a]);
  }
  return r;
}

/* A quantity seen like this: its own value, or what its function reads. */
static void see(read_walk *w, const ir_node *n, int function, const view *v, bool by_function) {
  window_box at = v->at;
  if (function >= 0 && function_at(w, function)->ghost.n > 0)
    at = plain_points(w, function_at(w, function), v);
  visit(w, n, &at, by_function || function >= 0);
  if (function >= 0) walk_function(w, function, v);
}

static view view_of(const read_walk *w, ir_id id, int called, const window_box *from) {
  const ir_node *n = ir_get(w->pl->to, id);
  view v;
  memset(&v, 0, sizeof v); /* views are compared byte by byte */
  v.at = *from;
  v.part = called < 0 ? PLAN_PART_AT : plan_part_called(w->pl->plan, id, called);
  if (n->op != IR_READ) return v;
  bool looks = (v.part == PLAN_PART_NEAR || v.part == PLAN_PART_ACROSS) && n->read.from != IR_NOWHERE;
  for (int a = 0; a < 2; a++) {
    bool from_face = ir_place_on_faces((ir_place)n->read.from, a);
    int halves = 2 * n->read.off[a] + from_face - staggered(w, n->read.sym, a);
    v.at.lo[a] += n->read.off[a], v.at.hi[a] += n->read.off[a];
    if (looks) v.steps[a] = halves < 0 ? (halves - 1) / 2 : (halves + 1) / 2;
  }
  return v;
}

/* In a value at its own point. */
static void walk_value(read_walk *w, const leaf *l, const window_box *from, const plan_function *within) {
  int called = plan_called(w->pl->plan, l->id, within);
  const view v = view_of(w, l->id, called, from);
  const ir_node n = *ir_get(w->pl->to, l->id);
  see(w, &n, called, &v, within != NULL);
}

/* On a wall. */
static void walk_fix(read_walk *w, const leaf *l, const plan_function *f, const view *v) {
  const ir_node n = *ir_get(w->pl->to, l->id);
  int called = plan_called(w->pl->plan, l->id, f);
  int fix = v->part == PLAN_PART_FIXED ? fixed_inside_of(w, &n, f) : -1;
  for (int a = 0; a < 2; a++) {
    if (!staggered(w, f->sym, a) || (l->axis && l->axis != "xy"[a])) continue;
    view in = view_of(w, l->id, called, &v->at);
    if (is_inside(&n)) in.at = inside_of_fix(w, f, n.read.sym, a, &v->at);
    see(w, &n, called, &in, true);
    in.part = PLAN_PART_FIXED_INSIDE;
    if (fix >= 0) walk_function(w, fix, &in);
  }
}

/* Beyond two walls the rules hold one axis after the other: what the rule across the axis reads is seen along the other one, from
 * this side of it. */
static void walk_beside(read_walk *w, const ir_node *n, int axis, const view *in, const view *v) {
  int other = 1 - axis, steps = v->steps[other];
  view beside = *in, this_side = *in;
  int function = plan_beside(w->pl->plan, n);
  this_side.at.lo[other] -= steps, this_side.at.hi[other] -= steps;
  see(w, n, function, &this_side, true);
  beside.part = PLAN_PART_NEAR;
  beside.steps[other] = steps + (steps < 0 ? -1 : 1);
  if (function >= 0 && function_at(w, function)->ghost.n > 0) see(w, n, function, &beside, true);
}

/* What a ghost reads, where a wall across the axis was met. */
static void walk_ghost(read_walk *w, const leaf *l, const plan_function *f, int axis, const view *v) {
  const ir_node n = *ir_get(w->pl->to, l->id);
  int called = plan_called(w->pl->plan, l->id, f);
  view in = view_of(w, l->id, called, &v->at);
  if (!is_inside(&n)) { /* another quantity at the same point, along the same path */
    in.part = v->part;
    for (int a = 0; a < 2 && called >= 0 && function_at(w, called)->ghost.n > 0; a++)
      in.steps[a] = v->part == PLAN_PART_ACROSS || a == axis ? v->steps[a] : 0;
    if (in.steps[axis] && staggered(w, n.read.sym, axis) &&
        !staggered(w, f->sym, axis)) /* walls.c, way_behind */
      in.steps[axis] += n.read.off[axis] - (v->steps[axis] > 0);
    see(w, &n, called, &in, true);
    return;
  }
  interval along = inside_along(w, f, n.read.sym, (ir_at)n.read.at, axis, v);
  in.at.lo[axis] += along.lo, in.at.hi[axis] += along.hi;
  if (!defect_is_back("windows_beside_faces")) include_columns(w, f, n.read.sym, axis, &in.at);
  see(w, &n, called, &in, true);
  if (v->part == PLAN_PART_ACROSS && v->steps[1 - axis]) walk_beside(w, &n, axis, &in, v);
}

/* Where no rule across one axis says anything, or none of its walls is met: on along the other. */
static void walk_on(read_walk *w, int number, const view *v) {
  const plan_function f = *function_at(w, number);
  for (int a = 0; a < 2; a++) {
    view on = *v;
    if (!v->steps[a] || !v->steps[1 - a]) continue;
    const window_box plain = plain_points(w, &f, v);
    on.at.lo[a] = plain.lo[a], on.at.hi[a] = plain.hi[a];
    on.part = PLAN_PART_NEAR;
    on.steps[a] = 0;
    on.steps[1 - a] += v->steps[1 - a] < 0 ? -1 : 1;
    const window_box seen = plain_points(w, &f, &on);
    if (is_member(w, f.sym)) w->search->visit(w->search->ctx, f.sym, &seen, true);
    walk_function(w, number, &on);
  }
}

static bool is_walked(const function_summary *s, const view *v) {
  for (int i = 0; i < s->walked.n; i++)
    if (memcmp(&s->walked.at[i], v, sizeof *v) == 0) return true;
  return false;
}

static int kind_of(const view *v) {
  int kind = (int)v->part;
  for (int a = 0; a < 2; a++) kind = WAYS * kind + (v->steps[a] > 0) - (v->steps[a] < 0) + 1;
  return kind;
}

/* Functions that need themselves are refused where all are known, by find_cycles; until then a walk along a cycle, which sees more each
 * time round, has to end, and no other one matters. What is no cycle meets itself seen in the same way at most where a wall may stand
 * before several points. */
enum { MOST_WITHIN_ITSELF = 4 };

static bool is_endless(const read_walk *w, const function_summary *s, const view *v) {
  if (!w->pl->walls.endless && s->within[kind_of(v)] >= MOST_WITHIN_ITSELF)
    w->pl->walls.endless = function_at(w, s->number)->sym;
  return w->pl->walls.endless != 0;
}

static void walk_leaves(read_walk *w, int number, const view *v);

static void walk_function(read_walk *w, int number, const view *v) {
  if (!reads_members(w, number)) return;
  function_summary *s = summary_of(w, number);
  if (is_walked(s, v) || is_endless(w, s, v)) return;
  vec_push(w->pl->memory, &s->walked, *v);
  s->within[kind_of(v)]++;
  walk_leaves(w, number, v);
  s->within[kind_of(v)]--;
}

static void walk_leaves(read_walk *w, int number, const view *v) {
  const function_summary *s = summary_of(w, number);
  const plan_function f = *function_at(w, number);
  view own = *v;
  own.at = f.ghost.n > 0 ? plain_points(w, &f, v) : v->at;
  for (int i = 0; i < s->leaf.n; i++) {
    const leaf *l = &s->leaf.at[i];
    if (l->kind == LEAF_VALUE) walk_value(w, l, &own.at, &f);
    if (l->kind == LEAF_FIX) walk_fix(w, l, &f, &own);
    for (int a = 0; a < 2 && l->kind == LEAF_GHOST; a++)
      if (v->steps[a] && (!l->axis || l->axis == "xy"[a])) walk_ghost(w, l, &f, a, v);
  }
  if (v->part == PLAN_PART_ACROSS) walk_on(w, number, v);
}

void window_each_read(const window_search *search, const ir_id *value, int n) {
  function_summary top = {0};
  planner *pl = search->pl;
  read_walk w = {.search = search,
                 .pl = pl,
                 .place = places_for(pl->memory, &pl->walls.places->function, pl->plan->function.n + 1)};
  const window_box here = {0};
  for (int i = 0; i < n; i++) add_leaves(&w, &top, value[i], NULL, (leaf){.kind = LEAF_VALUE});
  for (int i = 0; i < top.leaf.n; i++) walk_value(&w, &top.leaf.at[i], &here, NULL);
}
