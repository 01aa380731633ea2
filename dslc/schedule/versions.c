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

/* ---- functions ------------------------------------------------------------------------------------------------- */

bool has_rule(const planner *pl, ir_sym sym, ir_rule_kind kind) {
  return ir_used_rule_says(pl->from, pl->in->rule_used, sym, kind);
}

/* What a windowed update keeps in local memory its functions look up there: it has functions of its own. So has what dt follows from, which is
 * of the start of the step, and what reads t in another interval: its t is that of the stage, or of the assigned value, which asks for it. */
static plan_context context_of(const planner *pl, bool reads_time) {
  if (reads_time && pl->at.before_stages) return (plan_context){.before_stages = true};
  return (plan_context){.window = pl->window ? pl->at.windows : 0,
                        .interval = reads_time ? pl->at.interval : 0};
}

static bool reads_stage(const planner *pl, ir_sym sym) {
  return stages_near_walls(pl) && depends_on_near_walls(pl->dependence, sym, pl->in->time);
}

static int find_context(const plan *p, const plan_context *c) {
  for (int i = 0; i < p->context.n; i++) {
    const plan_context *known = &p->context.at[i];
    const bool same_time = known->interval == c->interval && known->before_stages == c->before_stages;
    if (known->window == c->window && same_time) return i;
  }
  return -1;
}

static int context_number(planner *pl, ir_sym sym, bool reads_time) {
  const plan_context c = context_of(pl, reads_time);
  const int known = find_context(pl->plan, &c);
  if (known >= 0) return known;
  if (pl->plan->context.n > PLAN_MOST_CONTEXTS) {
    if (!diag_errors(pl->in->sink))
      diag_report(pl->in->sink, DIAG_TARGET, ir_symbol_get(pl->from, sym)->at,
                  "`%s` is needed beside walls by windows, and over intervals, of more than %d kinds",
                  ir_symbol_get(pl->from, sym)->text, PLAN_MOST_CONTEXTS);
    return 0;
  }
  vec_push(pl->memory, &pl->plan->context, c);
  return pl->plan->context.n - 1;
}

static int context(planner *pl, ir_sym sym) { return context_number(pl, sym, reads_stage(pl, sym)); }

static bool staggered(ir_place place, int axis) { return ir_place_on_faces(place, axis); }

/* What is stored is stored as it is now. */
static bool is_computed(const planner *pl, ir_sym sym, ir_level level) {
  return ir_symbol_get(pl->from, sym)->kind == IR_EQUATION && (!pl->storage[sym].stored || level == IR_PREV);
}

/* What the kernel of an update keeps in its window is not there for the small kernels ahead that fill tables. */
static bool is_computed_near(const planner *pl, ir_sym sym, ir_level level) {
  return is_computed(pl, sym, level) || (tables_wanted(pl) && window_computes(pl, sym));
}

static void note_across(planner *pl);

/* ---- one version ----------------------------------------------------------------------------------------------- */

static ir_id grid_expand(expander *x, const grid_key *key, ir_id root);

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
  c.read.context = (uint8_t)(near_walls ? context(x->pl, c.read.sym) : 0);
  return ir_rebuild(x->pl->to, &c, NULL);
}

static ir_id make_read(expander *x, const ir_node *n, ir_sym sym, ir_level level, ir_at at,
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
  const ir_id line = make_read(x, n, n->read.sym, IR_NOW, at, off);
  if (!own || defect_is_back("own_centres")) return line;
  const ir_at base = from_inside ? IR_AT_INNER : at;
  const ir_id centre = make_read(x, n, own, IR_NOW, base, NULL);
  if (base == at && !(off && off[axis])) return centre;
  const ir_id before = make_read(x, n, n->read.sym, IR_NOW, base, NULL);
  return ir_binary(x->pl->to, IR_ADD, centre, ir_binary(x->pl->to, IR_SUB, line, before));
}

static ir_id body_at(expander *x, const grid_key *key, const ir_node *n, const int8_t off[3], bool previous) {
  grid_key inner = *key;
  memcpy(inner.off, off, sizeof inner.off);
  inner.previous = previous;
  const ir_symbol *q = ir_symbol_get(x->pl->from, n->read.sym);
  return grid_expand(x, &inner, root_component(x->pl->from, q->root[0], n->read.first));
}

/* What lower/seen_starts.c made of a component of X.prev at X's own place, or 0: computed when the step begins. */
static ir_sym seen_at_start(const planner *pl, ir_sym sym, int component) {
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
               start = of ? seen_at_start(pl, of, n.read.first) : 0;
  if (start) n.read.sym = start, n.read.first = 0, level = IR_NOW;
  const ir_sym sym = n.read.sym;
  if (is_computed_near(pl, sym, level))
    function_of(pl, sym, n.read.first, level == IR_PREV ? IR_PREV : IR_NOW);
  if (level != IR_PREV && x->fresh && x->fresh[sym]) level = IR_NEW;
  return make_read(x, &n, sym, level, (ir_at)n.read.at, n.read.off);
}

/* Does the shifted point belong to the reader's own: a face or corner of its cell? Then no wall lies between. */
static bool touches(ir_place from, ir_place to, const int8_t off[3]) {
  for (int a = 0; a < 3; a++) {
    int halves = 2 * off[a] + (int)staggered(from, a) - (int)staggered(to, a);
    if (halves != 0 && (abs(halves) > 1 || staggered(from, a))) return false;
  }
  return true;
}

/* What a function says is made of states at the start of the step: X.prev, where it is kept too. */
static bool is_of_start(const planner *pl, ir_sym sym, ir_level level) {
  return level == IR_PREV || pl->use[sym].start_beyond;
}

/* What lies beyond walls of X at the start of the step is of that time where equations ask for it, and of its reader's where a rule does that
 * looks back: what is asked for from here on is of the start. Returns what held before, to be put back. */
static bool enter_start(planner *pl, bool by_rule, ir_sym sym, ir_level level) {
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

/* Stored where there is gas; beyond walls, where no rule says anything, its own formula holds as for what is not stored. */
static bool has_formula_beyond(const planner *pl, ir_sym sym) {
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
    return make_read(x, n, n->read.sym, IR_NOW, IR_AT_NEAR, n->read.off); /* known there too */
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
  function_of(pl, n->read.sym, n->read.first, level);
  const ir_id call = make_read(x, n, n->read.sym, level, IR_AT_NEAR, n->read.off);
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
    if (!formula && (!(ghost || derived) || own)) return make_read(x, n, sym, level, IR_AT_SHIFT, off);
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
  if (!is_computed(x->pl, n->read.sym, level)) return make_read(x, n, n->read.sym, level, IR_AT_SHIFT, off);
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

static ir_id grid_expand(expander *x, const grid_key *key, ir_id root) {
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
  ir_id plain = grid_expand(x, &key, root);
  if (from == IR_NOWHERE) return plain;
  key.near = 1;
  key.from = (uint8_t)from;
  ir_id near = grid_expand(x, &key, root);
  note_across(x->pl);
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

/* ---- what functions compute --------------------------------------------------------------------------------------- */

static expander function_expander(planner *pl, const plan_function *f) {
  expander x = expander_create(pl);
  const bool before_stages = pl->plan->context.at[f->context].before_stages;
  x.stage = pl->in->stage != 0 && !before_stages;
  x.by_rule = is_of_start(pl, f->sym, f->level) && !before_stages;
  x.fresh = f->fresh;
  x.ahead = f->ahead;
  x.anywhere = true;
  return x;
}

/* Inside, enter_start before: of the start it is of that time, with all that it sees there. */
static expander inside_expander(planner *pl, const plan_function *f) {
  expander x = function_expander(pl, f);
  if (is_of_start(pl, f->sym, f->level)) x.by_rule = false, x.stage = x.stage && !pl->at.before_stages;
  return x;
}

/* Where the rule does not give an equation that follows beyond: from what lies there of what it reads, which differs by axis if that is
 * known from faces along one. */
static void add_following(planner *pl, plan_function *f, int r) {
  static const char letter[] = {'x', 'y', 'z'};
  const ir_rule *rule = &pl->from->rule.at[r];
  const bool given = f->kept != f->sym && ir_entry_find(pl->from, r, f->kept, IR_GHOST);
  expander x = function_expander(pl, f);
  x.rule = r;
  ir_id root = root_component(pl->from, ir_symbol_get(pl->from, f->sym)->root[0], f->component),
        value[3] = {0};
  int axes[3], n = 0;
  for (int a = 0; a < pl->from->dims; a++) {
    if ((rule->axis && rule->axis != letter[a]) || !(given || follows_along(pl, f->kept, a))) continue;
    grid_key key = {.near = 1,
                    .from = (uint8_t)ir_symbol_get(pl->from, f->sym)->place,
                    .previous = is_of_start(pl, f->sym, f->level),
                    .beyond = (uint8_t)(1 + a)};
    value[n] = grid_expand(&x, &key, root);
    axes[n++] = a;
  }
  bool same = n == (rule->axis ? 1 : pl->from->dims);
  for (int i = 1; i < n; i++) same = same && value[i] == value[0];
  for (int i = 0; i < (same ? 1 : n); i++) {
    plan_wall_case c = {.rule = r - 1, .axis = same ? rule->axis : letter[axes[i]], .value = value[i]};
    vec_push(pl->memory, &f->ghost, c);
  }
}

/* What a rule fixes lies on the wall, not behind it. */
static void add_case(planner *pl, plan_function *f, int r, const ir_rule_entry *e) {
  const bool inside =
                 e->kind == IR_FIX && f->kind != PLAN_FUNCTION_FIX && !defect_is_back("fixes_of_readers"),
             outer = inside ? enter_start(pl, false, f->sym, f->level) : pl->at.before_stages;
  expander x = inside ? inside_expander(pl, f) : function_expander(pl, f);
  grid_key key = {.near = 1, .previous = f->level == IR_PREV};
  ir_id value = grid_expand(&x, &key, root_component(pl->from, e->root, f->component));
  pl->at.before_stages = outer;
  plan_wall_case c = {.rule = r - 1,
                      .axis = pl->from->rule.at[r].axis,
                      .fixes = ir_entry_find(pl->from, r, f->kept, IR_FIX) != NULL,
                      .value = value};
  vec_push(pl->memory, e->kind == IR_GHOST ? &f->ghost : &f->fix, c);
}

static void add_unused(planner *pl, plan_function *f, int r) {
  const plan_wall_case c = {
      .rule = r - 1, .axis = pl->from->rule.at[r].axis, .unused = true, .value = ir_const(pl->to, 0)};
  vec_push(pl->memory, &f->ghost, c);
}

/* What each rule in use says of the quantity; where one does not, what follows beyond does so from the ghosts of what it reads. */
static void add_cases(planner *pl, plan_function *f, ir_rule_kind kind) {
  ir_sym sym = f->sym;
  bool derived = kind == IR_GHOST && ir_symbol_get(pl->from, sym)->kind == IR_EQUATION;
  const ir_entries all = ir_entries_of(pl->from, sym);
  for (int r = 1, i = 0; r < pl->from->rule.n && (derived || i < all.n); r++) {
    if (!derived) r = all.at[i].rule;
    bool given = false;
    for (; i < all.n && all.at[i].rule == r; i++)
      if (ir_entry_at(pl->from, &all, i)->kind == kind && pl->in->rule_used[r])
        add_case(pl, f, r, ir_entry_at(pl->from, &all, i)), given = true;
    if (!given && derived && pl->in->rule_used[r]) add_following(pl, f, r);
  }
  const ir_entries of_kept =
      ir_entries_of(pl->from, f->kept); /* of X, where the function is of what it was */
  for (int i = 0; i < of_kept.n && kind == IR_GHOST && !f->ghost.n; i++)
    if (ir_entry_at(pl->from, &of_kept, i)->kind == kind) add_unused(pl, f, of_kept.at[i].rule);
}

static int function_new(planner *pl, plan_function f) {
  plan_add_function(pl->plan, &f);
  return pl->plan->function.n - 1;
}

/* ---- beyond several walls ------------------------------------------------------------------------------------------ */

static void open_across(planner *pl, int number);

/* In the context of n, which may be that of no window while one is planned; what it finds to be opened across waits, as it may be of the
 * window's. */
static int function_in_context(planner *pl, const ir_node *n) {
  const int known = plan_beside(pl->plan, n);
  if (known >= 0 && !defect_is_back("across_in_the_present_window")) return known;
  const plan_context in = pl->plan->context.at[n->read.context];
  struct window_plan *window = pl->window;
  const bool before_stages = pl->at.before_stages;
  const ir_id interval = pl->at.interval;
  pl->walls.functions_open++;
  pl->window = in.window ? window : NULL, pl->at.before_stages = in.before_stages,
  pl->at.interval = in.interval;
  const int number = function_of(pl, n->read.sym, n->read.first, (ir_level)n->read.level);
  pl->window = window, pl->at.before_stages = before_stages, pl->at.interval = interval;
  pl->walls.functions_open--;
  return number;
}

static void note_beside(planner *pl, int number, const ir_node *n) {
  bool along = n->read.at == IR_AT_NEAR;
  if (n->op != IR_READ || ir_symbol_get(pl->from, n->read.sym)->place >= IR_XLINE) return;
  if (!along && n->read.at != IR_AT_INNER && n->read.at != IR_AT_MIRROR) return;
  const int other = function_in_context(pl, n);
  plan_function *f = &pl->plan->function.at[number];
  if (along) vec_push(pl->memory, &f->along, other);
  else vec_push(pl->memory, &f->beside, other);
  if (along || pl->from->dims > 2) open_across(pl, other);
}

/* What its ghosts read inside of one wall may lie beyond another. */
static void open_across(planner *pl, int number) {
  plan_function *f = &pl->plan->function.at[number];
  if (f->across || !f->ghost.n) return;
  f->across = true;
  const plan_function old = *f; /* the list may move */
  for (int i = 0; i < old.ghost.n; i++) {
    ir_reached all = ir_reach(pl->to, &old.ghost.at[i].value, 1);
    ir_node *n = arena_array(pl->memory, ir_node, all.n + 1);
    for (int k = 0; k < all.n; k++) n[k] = *ir_get(pl->to, all.at[k]);
    for (int k = 0; k < all.n; k++) note_beside(pl, number, &n[k]);
  }
}

/* What rules read inside of one wall, or follows behind it, may lie beyond another: then there is a function that says what it is there
 * (open_across), and without it the point itself would be read, or what is called would not be there. */
static void check_beside(const planner *pl, const plan_function *f, ir_id value) {
  const ir_reached all = ir_reach(pl->to, &value, 1);
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(pl->to, all.at[i]);
    if (n->op != IR_READ || ir_symbol_get(pl->to, n->read.sym)->place >= IR_XLINE) continue;
    const int known = plan_beside(pl->plan, n);
    const plan_function *called = known >= 0 ? &pl->plan->function.at[known] : NULL;
    const bool inside = n->read.at == IR_AT_INNER || n->read.at == IR_AT_MIRROR;
    if (inside ? called != NULL : n->read.at != IR_AT_NEAR || !called || called->across || !called->ghost.n)
      continue;
    diag_report(pl->in->sink, DIAG_INTERNAL, (span){0},
                "no function says what `%s` is beyond a second wall, for `%s`",
                ir_symbol_get(pl->to, n->read.sym)->text, ir_symbol_get(pl->to, f->sym)->text);
  }
}

void check_across(planner *pl) {
  for (int i = 0; i < pl->plan->function.n; i++) {
    const plan_function *f = &pl->plan->function.at[i];
    for (int k = 0; f->across && k < f->ghost.n; k++) check_beside(pl, f, f->ghost.at[k].value);
  }
}

/* When no function is being made. */
static void note_across(planner *pl) {
  while (pl->walls.across.n > 0 && !pl->walls.functions_open)
    open_across(pl, pl->walls.across.at[--pl->walls.across.n]);
}

/* Its formula. What rules see of X.prev holds at their reader's time beyond walls, but inside it is of the start, with all that X sees there. */
static ir_id value_inside(planner *pl, const plan_function *f) {
  const ir_symbol *q = ir_symbol_get(pl->from, f->sym);
  const bool start = is_of_start(pl, f->sym, f->level), outer = enter_start(pl, false, f->sym, f->level);
  expander x = inside_expander(pl, f);
  const grid_key key = {.near = 1, .from = (uint8_t)q->place, .previous = start};
  const ir_id value = grid_expand(&x, &key, root_component(pl->from, q->root[0], f->component));
  pl->at.before_stages = outer;
  return value;
}

/* Functions refer to each other; the list may grow, and move, while one is filled. */
int function_of(planner *pl, ir_sym sym, int component, ir_level level) {
  int known = plan_find_function(pl->plan, sym, component, level, context(pl, sym), false);
  if (known >= 0) return known;
  plan_function f = {.sym = sym,
                     .kept = pl->use[sym].kept,
                     .component = component,
                     .level = level,
                     .context = context(pl, sym)};
  int number = function_new(pl, f);
  pl->walls.functions_open++;
  const ir_symbol *q = ir_symbol_get(pl->from, sym);
  f.stored = level != IR_PREV && has_formula_beyond(pl, sym);
  if ((is_computed_near(pl, sym, level) && q->root[0]) || f.stored) f.value = value_inside(pl, &f);
  add_cases(pl, &f, IR_GHOST);
  if (f.value && !f.stored) add_cases(pl, &f, IR_FIX); /* what is stored holds what rules fix it to */
  choose_table(pl, &f);
  pl->plan->function.at[number] = f;
  pl->walls.functions_open--;
  note_across(pl);
  return number;
}

/* When what the rules say is asked for: of no interest where none of them reads t, or what a case
 * gives over time. */
static double fix_time(const planner *pl, ir_sym target) {
  const ir_entries all = ir_entries_of(pl->from, target);
  for (int i = 0; i < all.n && pl->at.fix_at > 0; i++) {
    const ir_rule_entry *e = ir_entry_at(pl->from, &all, i);
    if (pl->in->rule_used[all.at[i].rule] && e->kind == IR_FIX && lower_reads_late(pl->from, e->root))
      return pl->at.fix_at;
  }
  return 0;
}

static int find_fix(const plan *p, ir_sym target, int component, double ahead, int context) {
  int found = -1;
  if ((int)target >= p->last_function.n) return -1;
  for (int i = p->last_function.at[target] - 1; i >= 0; i = p->same_before.at[i] - 1) {
    const plan_function *f = &p->function.at[i];
    if (f->kind == PLAN_FUNCTION_FIX && f->component == component && !f->fresh && f->ahead == ahead &&
        f->context == context)
      found = i;
  }
  return found;
}

int function_of_fix(planner *pl, ir_sym target, int component, const int *fresh) {
  double ahead = defect_is_back("fixes_at_start") ? 0 : fix_time(pl, target);
  const int in = context_number(pl, target, !defect_is_back("fixes_of_other_intervals"));
  int known = fresh ? -1 : find_fix(pl->plan, target, component, ahead, in);
  if (known >= 0) return known;
  plan_function f = {.kind = PLAN_FUNCTION_FIX,
                     .sym = target,
                     .kept = target,
                     .component = component,
                     .level = IR_NEW,
                     .context = in,
                     .ahead = ahead,
                     .fresh = fresh};
  int number = function_new(pl, f);
  pl->walls.functions_open++;
  add_cases(pl, &f, IR_FIX);
  choose_table(pl, &f);
  pl->plan->function.at[number] = f;
  pl->walls.functions_open--;
  note_across(pl);
  return number;
}

int function_of_value(planner *pl, ir_sym target, int component, ir_id value) {
  plan_function f = {.kind = PLAN_FUNCTION_VALUE,
                     .sym = target,
                     .kept = target,
                     .component = component,
                     .level = IR_NEW,
                     .context = context_number(pl, target, true),
                     .value = version_of(pl, value, 1)};
  choose_table(pl, &f);
  return function_new(pl, f);
}
