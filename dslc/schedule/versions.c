/* Expansion on grids. Every value has two versions: one for points with no wall in reach, in which all reads are plain
 * shifts, and one near walls, in which a value beyond a wall is what the boundary rule says.
 *
 * The first is expanded as on meshes: offsets of nested reads add up. In the second every equation that is not stored is a
 * function of its point (plan_function), so that what it reads is resolved as seen from where it stands: a ghost belongs to
 * its reader, since a wall one cell thick has two faces. An equation that looks only at its own point follows the path of
 * its reader: p/T beyond a wall is the ghost of p by the ghost of T. */
#include <stdlib.h>
#include <string.h>

#include "base/defects.h"
#include "schedule/grid.h"
#include "schedule/near.h"

/* ---- functions ------------------------------------------------------------------------------------------------- */

bool has_rule(const planner *pl, ir_sym sym, ir_rule_kind kind) {
  return ir_used_rule_says(pl->from, pl->in->rule_used, sym, kind);
}

static bool staggered(ir_place place, int axis) { return ir_place_on_faces(place, axis); }

/* What is stored is stored as it is now. */
static bool is_computed(const planner *pl, ir_sym sym, ir_level level) {
  return ir_symbol_get(pl->from, sym)->kind == IR_EQUATION && (!pl->storage[sym].stored || level == IR_PREV);
}

/* What the kernel of an update keeps in its window is not there for the small kernels ahead that fill tables. */
bool is_computed_near(const planner *pl, ir_sym sym, ir_level level) {
  return is_computed(pl, sym, level) || (tables_wanted(pl) && window_computes(pl, sym));
}

/* ---- one version ----------------------------------------------------------------------------------------------- */

static ir_id **memo_pages(expander *x, const grid_key *key) {
  grid_memo m = {.key = *key};
  m.key.before_stages = x->pl->at.before_stages, m.key.interval = x->pl->at.interval;
  for (int i = 0; i < x->grid.n; i++)
    if (memcmp(&x->grid.at[i].key, &m.key, sizeof m.key) == 0) return x->grid.at[i].page;
  m.page = arena_array(x->pl->memory, ir_id *, x->pl->from->node.n / GRID_PAGE + 1);
  vec_push(x->pl->memory, &x->grid, m);
  return m.page;
}

static ir_id *memo_at(expander *x, ir_id **page, ir_id id) {
  ir_id **p = &page[id / GRID_PAGE];
  if (!*p) *p = arena_array(x->pl->memory, ir_id, GRID_PAGE);
  return &(*p)[id % GRID_PAGE];
}

/* A read `c` with another shift, as seen from a place. */
static ir_id moved_read(expander *x, ir_node c, const int8_t off[3], ir_place from) {
  bool shifted = off && (off[0] || off[1] || off[2]);
  ir_at at = (ir_at)c.read.at;
  if (at == IR_AT_SHIFT && !shifted) c.read.at = IR_AT_HERE;
  memset(c.read.off, 0, sizeof c.read.off);
  if (off) memcpy(c.read.off, off, sizeof c.read.off);
  c.read.from = (uint8_t)from;
  const bool near_walls = at == IR_AT_NEAR || at == IR_AT_INNER || at == IR_AT_MIRROR;
  c.read.context = (uint8_t)(near_walls ? near_context(x->pl, c.read.sym) : 0);
  return ir_rebuild(x->pl->to, &c, NULL);
}

static ir_id read_as(expander *x, const ir_node *n, ir_sym sym, ir_level level, ir_at at,
                     const int8_t off[3]) {
  ir_node c = *n;
  c.read.sym = sym;
  c.read.level = (uint8_t)level;
  c.read.at = (uint8_t)at;
  return moved_read(x, c, off, IR_NOWHERE);
}

static ir_id read_line(expander *x, const ir_node *n, ir_at at, const int8_t off[3], bool from_inside);

/* Does it depend on the centres along a line, and do points have others than readers see? */
static bool is_of_own_centres(const ir_module *m, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(m, sym);
  if (q->purpose.role != IR_RECIPROCAL || defect_is_back("own_reciprocals")) return false;
  ir_reached all = ir_reach(m, q->root, 1);
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(m, all.at[i]);
    if (n->op == IR_READ && lower_own_centre(m, n->read.sym)) return true;
  }
  return false;
}

/* A reciprocal along a line is kept as readers see it: where a point's own is meant, it is computed from what it is made of. */
static ir_id divide_by_line(expander *x, const ir_node *reciprocal, ir_at at, const int8_t off[3],
                            bool from_inside) {
  planner *pl = x->pl;
  const ir_id root = ir_symbol_get(pl->from, reciprocal->read.sym)->root[0];
  ir_reached all = ir_reach(pl->from, &root, 1);
  ir_id *copy = arena_array(pl->memory, ir_id, all.n + 1);
  for (int i = 0; i < all.n; i++) {
    const ir_node n = *ir_get(pl->from, all.at[i]);
    ir_id args[IR_MOST_ARGS];
    int8_t moved[3];
    for (int k = 0; k < n.n_args; k++) args[k] = copy[ir_reached_place(&all, ir_args(pl->from, &n)[k])];
    for (int k = 0; k < 3; k++)
      moved[k] = (int8_t)((off ? off[k] : 0) + (n.op == IR_READ ? n.read.off[k] : 0));
    copy[i] = pl->in->hoisted[all.at[i]] ? ir_param(pl->to, pl->in->hoisted[all.at[i]])
              : n.op == IR_READ          ? read_line(x, &n, at, off ? moved : NULL, from_inside)
              : n.op == IR_PARAM         ? expand_param(x, &n, KEY_HERE)
                                         : ir_rebuild(pl->to, &n, args);
  }
  return copy[ir_reached_place(&all, root)];
}

/* A width or a centre along a line, or a reciprocal. What is said of points sees centres as they have them, and from there on: see lower/own_centres.c. Seen
 * across a wall along the line, the point that has it is the one inside. */
static ir_id read_line(expander *x, const ir_node *n, ir_at at, const int8_t off[3], bool from_inside) {
  if (x->anywhere && is_of_own_centres(x->pl->from, n->read.sym))
    return divide_by_line(x, n, at, off, from_inside);
  const int axis = (int)ir_symbol_get(x->pl->from, n->read.sym)->place - IR_XLINE;
  const ir_sym own = x->anywhere ? lower_own_centre(x->pl->from, n->read.sym) : 0;
  const ir_id line = read_as(x, n, n->read.sym, IR_NOW, at, off);
  if (!own || defect_is_back("own_centres")) return line;
  const ir_at base = from_inside ? IR_AT_INNER : at;
  const ir_id centre = read_as(x, n, own, IR_NOW, base, NULL);
  if (base == at && !(off && off[axis])) return centre;
  const ir_id before = read_as(x, n, n->read.sym, IR_NOW, base, NULL);
  return ir_binary(x->pl->to, IR_ADD, centre, ir_binary(x->pl->to, IR_SUB, line, before));
}

static ir_id body_at(expander *x, const grid_key *key, const ir_node *n, const int8_t off[3], bool previous) {
  grid_key inner = *key;
  memcpy(inner.off, off, sizeof inner.off);
  inner.previous = previous;
  const ir_symbol *q = ir_symbol_get(x->pl->from, n->read.sym);
  return expand_version(x, &inner, root_component(x->pl->from, q->root[0], n->read.first));
}

ir_sym kept_of_start(const planner *pl, ir_sym sym, int component) {
  const ir_module *m = pl->from;
  for (int s = 1; s < m->symbol.n; s++) {
    const ir_symbol *q = ir_symbol_get(m, (ir_sym)s);
    if (q->purpose.role != IR_STEP_START || q->purpose.of || q->place != ir_symbol_get(m, sym)->place)
      continue;
    const ir_node *n = ir_get(m, q->root[0]);
    if (n->op == IR_READ && n->read.sym == sym && n->read.first == component && n->read.level == IR_NOW &&
        n->read.at == IR_AT_HERE)
      return (ir_sym)s;
  }
  return 0;
}

/* In a rule: the nearest point inside, or the mirror image; values of equations come from their functions. `off` along the wall's axis: of
 * what the rule fixes, though not what is being said, one farther inside. What X.prev is beyond a second wall holds at its reader's time, but
 * not what the rule there reads inside. */
static ir_id read_in_rule(expander *x, const ir_node *node, ir_level level) {
  planner *pl = x->pl;
  ir_node n = *node;
  const ir_symbol *q = ir_symbol_get(pl->from, n.read.sym);
  if (q->place >= IR_XLINE) return read_line(x, &n, (ir_at)n.read.at, NULL, true);
  const ir_sym of = q->purpose.role == IR_ROW_START              ? q->purpose.of
                    : level == IR_PREV && q->kind == IR_EQUATION ? n.read.sym
                                                                 : 0,
               start = of ? kept_of_start(pl, of, n.read.first) : 0;
  if (start) n.read.sym = start, n.read.first = 0, level = IR_NOW;
  const ir_sym sym = n.read.sym;
  if (is_computed_near(pl, sym, level))
    function_of(pl, sym, n.read.first, level == IR_PREV ? IR_PREV : IR_NOW);
  if (level != IR_PREV && x->fresh && x->fresh[sym]) level = IR_NEW;
  return read_as(x, &n, sym, level, (ir_at)n.read.at, n.read.off);
}

/* Does the shifted point belong to the reader's own: a face or corner of its cell? Then no wall lies between. */
static bool touches(ir_place from, ir_place to, const int8_t off[3]) {
  for (int a = 0; a < 3; a++) {
    int halves = 2 * off[a] + (int)staggered(from, a) - (int)staggered(to, a);
    if (halves != 0 && (abs(halves) > 1 || staggered(from, a))) return false;
  }
  return true;
}

bool is_of_start(const planner *pl, ir_sym sym, ir_level level) {
  return level == IR_PREV || pl->use[sym].start_beyond;
}

bool enter_start(planner *pl, bool by_rule, ir_sym sym, ir_level level) {
  const bool outer = pl->at.before_stages;
  if (!by_rule && is_of_start(pl, sym, level) && !defect_is_back("start_beyond_walls"))
    pl->at.before_stages = stages_near_walls(pl);
  return outer;
}

/* What is kept of the start of the step, of an X that follows beyond some wall: from the states of the start. */
static bool start_follows(const planner *pl, ir_sym sym) {
  bool follows = false;
  for (int a = 0; a < pl->from->dims && pl->use[sym].start_beyond; a++)
    follows = follows || follows_along(pl, pl->use[sym].kept, a);
  return follows;
}

bool has_formula_beyond(const planner *pl, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(pl->from, sym);
  return q->kind == IR_EQUATION && q->root[0] && !is_computed_near(pl, sym, IR_NOW) && q->place < IR_XLINE &&
         !ir_is_given_beyond(pl->from, sym) && !is_pointwise(pl, sym) &&
         !(pl->storage[sym].fixed && defect_is_back("fixed_formulas_beyond")) &&
         (!pl->use[sym].once || start_follows(pl, sym));
}

/* The same point beyond a wall across the axis, for another quantity: its own ghost along the same path, its formula there, else what
 * lies inside. */
static ir_id read_beyond(expander *x, const grid_key *key, const ir_node *n, ir_level level) {
  planner *pl = x->pl;
  const int axis = key->beyond - 1;
  const ir_symbol *q = ir_symbol_get(pl->from, n->read.sym);
  if (q->place >= IR_XLINE)
    return read_line(x, n, IR_AT_NEAR, n->read.off, (int)q->place == (int)IR_XLINE + axis);
  if (q->kind == IR_GIVEN && !ir_is_given_beyond(pl->from, n->read.sym))
    return read_as(x, n, n->read.sym, IR_NOW, IR_AT_NEAR, n->read.off); /* known there too */
  if (!is_face_along(n, (ir_place)key->from, q->place, axis) && !known_behind(pl, n->read.sym, axis)) {
    const ir_sym kept = pl->use[n->read.sym].kept;
    ir_node inside = *n;
    inside.read.at = IR_AT_INNER;
    memset(inside.read.off, 0, sizeof inside.read.off);
    const bool fixed = staggered(q->place, axis) && ir_entry_find(pl->from, x->rule, kept, IR_FIX);
    if (fixed && !defect_is_back("inside_of_reader")) inside.read.off[axis] = 1;
    return read_in_rule(x, &inside, level);
  }
  const bool outer = enter_start(pl, x->by_rule, n->read.sym, level);
  function_from_behind(pl, n->read.sym, n->read.first, level);
  const ir_id call = read_as(x, n, n->read.sym, level, IR_AT_NEAR, n->read.off);
  pl->at.before_stages = outer;
  return call;
}

static ir_id call_near(expander *x, const grid_key *key, const ir_node *n, const int8_t off[3],
                       ir_level level) {
  const bool outer = enter_start(x->pl, x->by_rule, n->read.sym, level);
  int function = function_of(x->pl, n->read.sym, n->read.first, level);
  ir_node seen = *n;
  seen.read.level = (uint8_t)level, seen.read.at = IR_AT_NEAR;
  ir_id call = moved_read(x, seen, off, (ir_place)key->from);
  x->pl->at.before_stages = outer;
  unsigned axes = plan_crossed(x->pl->plan, ir_get(x->pl->to, call));
  if (axes & (axes - 1)) vec_push(x->pl->memory, &x->pl->walls.across, function);
  return call;
}

static ir_id read_near(expander *x, const grid_key *key, const ir_node *n, const int8_t off[3],
                       ir_level level) {
  planner *pl = x->pl;
  ir_sym sym = n->read.sym;
  bool moved = off[0] || off[1] || off[2], same_place = ir_symbol_get(pl->from, sym)->place == key->from;
  bool ghost = ir_is_given_beyond(pl->from, sym), fixed = has_rule(pl, sym, IR_FIX),
       previous = level == IR_PREV;
  if (!is_computed_near(pl, sym, level)) {
    bool derived = ir_symbol_get(pl->from, sym)->kind == IR_EQUATION && is_pointwise(pl, sym);
    bool own = !moved && same_place,
         beside = touches((ir_place)key->from, ir_symbol_get(pl->from, sym)->place, off);
    bool formula = level != IR_PREV && has_formula_beyond(pl, sym) && (x->anywhere || !beside);
    if (!formula && (!(ghost || derived) || own)) return read_as(x, n, sym, level, IR_AT_SHIFT, off);
    return call_near(x, key, n, off, level);
  }
  /* Beyond two walls it is the mean of what it is by either order, like all that lies there, not what it is of means. */
  const bool straight =
      (off[0] != 0) + (off[1] != 0) + (off[2] != 0) < 2 || defect_is_back("formulas_of_means");
  bool plain = !ghost && !fixed && same_place && straight;
  bool kept = window_computes(pl, sym); /* and so in a table, if this is called at all */
  if (plain && !kept && (!moved || is_pointwise(pl, sym))) return body_at(x, key, n, off, previous);
  return call_near(x, key, n, off, level);
}

static ir_id read_plain(expander *x, const grid_key *key, const ir_node *n, const int8_t off[3],
                        ir_level level) {
  if (!is_computed(x->pl, n->read.sym, level)) return read_as(x, n, n->read.sym, level, IR_AT_SHIFT, off);
  return body_at(x, key, n, off, level == IR_PREV);
}

/* What looks back may be stored once a step, as a quantity of its own; that is the same at the start of the step and now. */
static ir_node redirected(const planner *pl, const ir_node *n, ir_level *level) {
  ir_node c = *n;
  const symbol_use *u = &pl->use[n->read.sym];
  if (*level != IR_PREV || (!u->previous && !u->once)) return c;
  if (u->previous) c.read.sym = u->previous;
  c.read.level = IR_NOW;
  *level = IR_NOW;
  return c;
}

static ir_id expand_grid_read(expander *x, const grid_key *key, const ir_node *node) {
  planner *pl = x->pl;
  ir_level level = key->previous ? IR_PREV : (ir_level)node->read.level;
  ir_node n = redirected(pl, node, &level);
  n.read.sym = lower_late(pl->from, n.read.sym, x->ahead);
  const ir_symbol *q = ir_symbol_get(pl->from, n.read.sym);
  int8_t off[3];
  for (int k = 0; k < 3; k++) off[k] = (int8_t)(key->off[k] + n.read.off[k]);
  bool here = !(off[0] || off[1] || off[2]);
  if ((q->kind != IR_STATE && q->kind != IR_EQUATION) || q->place >= IR_XLINE) level = IR_NOW;
  if (n.read.at == IR_AT_INNER || n.read.at == IR_AT_MIRROR) return read_in_rule(x, &n, level);
  if (key->beyond) return read_beyond(x, key, &n, level);
  bool own = here && (!key->near || q->place == key->from);
  if (x->value && x->value[n.read.sym] && own && (level == IR_NOW || level == IR_NEW))
    return x->value[n.read.sym][n.read.first];
  if (q->place >= IR_XLINE) return read_line(x, &n, IR_AT_SHIFT, off, false);
  return key->near ? read_near(x, key, &n, off, level) : read_plain(x, key, &n, off, level);
}

static ir_id expand_grid_node(expander *x, const grid_key *key, ir_id **page, ir_id id) {
  planner *pl = x->pl;
  const ir_node n = *ir_get(pl->from, id);
  if (pl->in->hoisted[id]) return ir_param(pl->to, pl->in->hoisted[id]);
  if (n.op == IR_READ) return expand_grid_read(x, key, &n);
  /* A state of one value that the same statement assigns: what it becomes. */
  if (n.op == IR_PARAM && x->fresh && x->fresh[n.read.sym])
    return pl->plan->function.at[x->fresh[n.read.sym] - 1 + n.read.first].value;
  if (n.op == IR_PARAM) return expand_param(x, &n, KEY_HERE);
  if (n.op == IR_REDUCE) {
    ir_id body = expand_versions(x, ir_args(pl->from, &n)[0], (ir_place)n.reduce.place);
    return ir_rebuild(pl->to, &n, &body);
  }
  ir_id args[IR_MOST_ARGS];
  const ir_id *old = ir_args(pl->from, &n);
  for (int i = 0; i < n.n_args; i++) args[i] = *memo_at(x, page, old[i]);
  return ir_rebuild(pl->to, &n, args);
}

typedef struct unfinished {
  expander *x;
  ir_id **page;
} unfinished;

static bool needs_nothing_below(void *ctx, ir_id id) {
  const unfinished *u = ctx;
  return *memo_at(u->x, u->page, id) || u->x->pl->in->hoisted[id] ||
         ir_get(u->x->pl->from, id)->op == IR_REDUCE;
}

ir_id expand_version(expander *x, const grid_key *key, ir_id root) {
  planner *pl = x->pl;
  ir_id **page = memo_pages(x, key);
  if (*memo_at(x, page, root)) return *memo_at(x, page, root);
  ir_reached all = ir_reach_below(pl->from, &root, 1, needs_nothing_below, &(unfinished){x, page});
  for (int i = 0; i < all.n; i++) {
    ir_id id = all.at[i];
    if (*memo_at(x, page, id)) continue;
    ir_id value = expand_grid_node(x, key, page, id);
    *memo_at(x, page, id) = value;
    const ir_origin *o = &pl->from->origin.at[id];
    bool moved = key->off[0] || key->off[1] || key->off[2];
    if (o->hint && !moved) ir_name(pl->to, value, o->hint, o->tag, o->at);
  }
  return *memo_at(x, page, root);
}

/* ---- both versions ----------------------------------------------------------------------------------------------- */

ir_id expand_versions(expander *x, ir_id root, ir_place from) {
  grid_key key = {0};
  ir_id plain = expand_version(x, &key, root);
  if (from == IR_NOWHERE) return plain;
  key.near = 1;
  key.from = (uint8_t)from;
  ir_id near = expand_version(x, &key, root);
  open_all_across(x->pl);
  return near == plain ? plain : ir_binary(x->pl->to, IR_VERSIONS, plain, near);
}

ir_id version_of(planner *pl, ir_id id, int which) {
  ir_reached all = ir_reach(pl->to, &id, 1);
  ir_id *of = arena_array(pl->memory, ir_id, all.n + 1);
  for (int i = 0; i < all.n; i++) {
    const ir_node n = *ir_get(pl->to, all.at[i]);
    ir_id args[IR_MOST_ARGS];
    for (int k = 0; k < n.n_args; k++) args[k] = of[ir_reached_place(&all, ir_args(pl->to, &n)[k])];
    of[i] = n.op == IR_VERSIONS ? args[which] : ir_rebuild(pl->to, &n, args);
    const ir_origin o = pl->to->origin.at[all.at[i]];
    if (o.hint) ir_name(pl->to, of[i], o.hint, o.tag, o.at);
  }
  return of[all.n - 1];
}
