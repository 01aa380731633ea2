/* Expansion: an equation without a buffer is written into its users. The body's accesses are composed with the access at
 * which the user reads it: h[L] of the velocity read at R is h at R. Nothing is recursive within an equation; the recursion
 * over equations is as deep as they refer to each other. */
#include <string.h>

#include "base/defects.h"
#include "schedule/grid.h"
#include "schedule/nodes.h"

ir_id root_component(const ir_module *m, ir_id root, int k) {
  const ir_node *n = ir_get(m, root);
  return n->op == IR_TUPLE ? ir_args(m, n)[k] : root;
}

enum { PAGE = 512 };

expander expander_create(planner *pl) { return (expander){.pl = pl}; }

/* Where the expansion of a node of `from` is kept; 0 there: not expanded yet. */
static ir_id *memo_of(expander *x, expand_key key, ir_id id) {
  arena *a = x->pl->memory;
  if (!x->memo[key]) x->memo[key] = arena_array(a, ir_id *, x->pl->from->node.n / PAGE + 1);
  ir_id **page = &x->memo[key][id / PAGE];
  if (!*page) *page = arena_array(a, ir_id, PAGE);
  return &(*page)[id % PAGE];
}

/* ---- composition of accesses --------------------------------------------------------------------------------- */

static ir_at translate(expand_key key, ir_at at) {
  switch ((expand_key)(key & ~KEY_PREV)) {
  case KEY_HERE: return at;
  case KEY_L: return at == IR_AT_HERE ? IR_AT_L : at;
  case KEY_R: return at == IR_AT_HERE ? IR_AT_R : at;
  case KEY_D: return at == IR_AT_HERE ? IR_AT_D : at;
  case KEY_I: return at == IR_AT_HERE ? IR_AT_I : at;
  case KEY_J: return at == IR_AT_HERE ? IR_AT_J : at;
  case KEY_FACE:
    return at == IR_AT_HERE ? IR_AT_F : at == IR_AT_L ? IR_AT_HERE : at == IR_AT_R ? IR_AT_D : at;
  case KEY_EDGE: return at == IR_AT_HERE ? IR_AT_E : at == IR_AT_I ? IR_AT_HERE : at;
  case KEY_ADD_L: return at == IR_AT_HERE ? IR_AT_L : at == IR_AT_D ? IR_AT_R : IR_AT_HERE;
  case KEY_ADD_R: return at == IR_AT_HERE ? IR_AT_R : at == IR_AT_D ? IR_AT_L : IR_AT_HERE;
  case KEY_COUNT:
  case KEY_PREV: break;
  }
  return at;
}

static expand_key key_of(ir_place place, ir_at at) {
  switch (at) {
  case IR_AT_L: return KEY_L;
  case IR_AT_R: return KEY_R;
  case IR_AT_D: return KEY_D;
  case IR_AT_I: return KEY_I;
  case IR_AT_J: return KEY_J;
  case IR_AT_E: return KEY_EDGE;
  case IR_AT_F:
  case IR_AT_OUT: return place == IR_FACES ? KEY_FACE : KEY_HERE;
  default: return KEY_HERE;
  }
}

/* ---- reads ----------------------------------------------------------------------------------------------------------- */

static ir_id read_at(expander *x, const ir_node *n, ir_at at) {
  ir_node copy = *n;
  copy.read.at = (uint8_t)at;
  return ir_rebuild(x->pl->to, &copy, NULL);
}

static ir_id outward(expander *x, ir_id value) {
  ir_id sign = ir_make(x->pl->to, IR_SIGN_OUT, ir_scalar(), 0, NULL);
  return ir_binary(x->pl->to, IR_MUL, sign, value);
}

/* What lies at a face and points from L to R - a normal, a state - turns where a cell recomputes the formula in which it stands. */
static ir_id read_face(expander *x, const ir_node *n, const ir_symbol *q, ir_at at, expand_key key) {
  const bool lies = q->kind == IR_GEOMETRY || q->kind == IR_STATE;
  const bool turned = lies && q->side == IR_ODD && key == KEY_FACE && at == IR_AT_F;
  return turned ? outward(x, read_at(x, n, at)) : read_at(x, n, at);
}

static ir_id body_of(expander *x, const ir_symbol *q, int part, int component, expand_key key) {
  return expand(x, root_component(x->pl->from, q->root[part], component), key);
}

/* A flux or fluctuation as a cell sees it. */
static ir_id expand_outward(expander *x, const ir_node *n, const ir_symbol *q, const symbol_storage *sp,
                            expand_key key) {
  int k = n->read.first;
  if (key == KEY_ADD_L) return sp->stored ? read_at(x, n, IR_AT_HERE) : body_of(x, q, IR_TO_L, k, KEY_HERE);
  if (key == KEY_ADD_R) {
    if (q->is_fluctuation) {
      ir_node right = *n;
      right.read.first = (uint8_t)(k + q->type.n);
      return sp->stored ? read_at(x, &right, IR_AT_HERE) : body_of(x, q, IR_TO_R, k, KEY_HERE);
    }
    ir_id value = sp->stored ? read_at(x, n, IR_AT_HERE) : body_of(x, q, IR_TO_L, k, KEY_HERE);
    return ir_unary(x->pl->to, IR_NEG, value);
  }
  return sp->stored ? read_at(x, n, IR_AT_OUT) : body_of(x, q, IR_TO_L, k, KEY_FACE);
}

static ir_id expand_equation(expander *x, const ir_node *n, const ir_symbol *q, const symbol_storage *sp,
                             expand_key key) {
  if (n->read.at == IR_AT_OUT) return expand_outward(x, n, q, sp, key);
  ir_at at = translate(key, (ir_at)n->read.at);
  bool sided = q->place == IR_FACES && at == IR_AT_F && key == KEY_FACE && q->side != IR_EVEN;
  bool here = x->pl->now[n->read.sym].here && at == IR_AT_HERE;
  bool again = sp->patch && at == IR_AT_HERE && !x->pl->use[n->read.sym].flux_rule; /* at the face itself */
  if (sp->stored && !sided && !here && !again) return read_at(x, n, at);
  return body_of(x, q, IR_VALUE, n->read.first, key_of(q->place, at));
}

/* What is kept of a face, as a face's equation sees it that a cell recomputes: a flux changes its sign. Of what is neither even nor
 * odd there is no such view; see reads_replaced in lower/sums.c. */
static ir_id expand_kept(expander *x, const ir_node *n, const ir_symbol *q, expand_key key) {
  ir_node kept = *n;
  kept.read.sym = x->pl->use[n->read.sym].previous;
  kept.read.level = IR_NOW;
  const symbol_storage *sp = &x->pl->storage[kept.read.sym];
  ir_at at = translate(key, (ir_at)n->read.at);
  if (n->read.at == IR_AT_OUT) return expand_outward(x, &kept, q, sp, key);
  if (x->pl->now[kept.read.sym].here && at == IR_AT_HERE) /* this kernel computes it */
    return body_of(x, ir_symbol_get(x->pl->from, kept.read.sym), IR_VALUE, n->read.first, KEY_HERE);
  ir_id value = read_at(x, &kept, at);
  return q->place == IR_FACES && key == KEY_FACE && q->side == IR_ODD ? outward(x, value) : value;
}

/* At the face itself, for the cell on one of its sides. */
static ir_id expand_added_before(expander *x, const ir_node *n, const ir_symbol *q, expand_key side) {
  const expand_key before = (expand_key)(KEY_HERE | KEY_PREV);
  const bool right = side == KEY_ADD_R, parts = q->is_fluctuation;
  ir_id value = body_of(x, q, right && parts ? IR_TO_R : IR_TO_L, n->read.first, before);
  return right && !parts ? ir_unary(x->pl->to, IR_NEG, value) : value;
}

/* X.prev of an equation is X with every state at the start of the step: kept from there, or expanded. */
static ir_id expand_previous(expander *x, const ir_node *n, const ir_symbol *q, expand_key key) {
  expand_key plain = (expand_key)(key & ~KEY_PREV);
  if (x->pl->use[n->read.sym].previous) return expand_kept(x, n, q, plain);
  if (n->read.at == IR_AT_OUT && plain >= KEY_ADD_L) return expand_added_before(x, n, q, plain);
  ir_at at = translate(plain, (ir_at)n->read.at);
  expand_key inner = n->read.at == IR_AT_OUT ? KEY_FACE : key_of(q->place, at);
  if (x->pl->storage[n->read.sym].reduces && inner != KEY_HERE) {
    diag *d = diag_report(x->pl->in->sink, DIAG_TARGET, q->at,
                          "`%s.prev` cannot be built where it is read at another point: it sums "
                          "over neighbours",
                          q->text);
    diag_with_hint(x->pl->in->sink, d, "keep it in a state of its own, updated at the end of the step");
  }
  return body_of(x, q, IR_VALUE, n->read.first, (expand_key)(inner | KEY_PREV));
}

/* What the rule at whose face this stands says there and beyond it, instead of the buffer that is to hold it; 0: it is read. */
static ir_id expand_said(expander *x, const ir_node *n, const ir_symbol *q, expand_key key) {
  const planner *pl = x->pl;
  const ir_at at = translate(key, (ir_at)n->read.at);
  if (pl->from->on_grid || x->rule == 0 || (key != KEY_HERE && key != KEY_R)) return 0;
  const bool here = q->place == IR_FACES && at == IR_AT_HERE, right = q->place == IR_CELLS && at == IR_AT_R;
  if (!here && !right) return 0;
  const ir_rule_entry *e = ir_entry_find(pl->from, x->rule, n->read.sym, here ? IR_FLUX : IR_GHOST);
  if (e) return expand(x, root_component(pl->from, e->root, n->read.first), KEY_HERE);
  if (right && follows_beyond(pl, n->read.sym)) return body_of(x, q, IR_VALUE, n->read.first, KEY_R);
  const bool formula = here && q->kind == IR_EQUATION && !pl->now[n->read.sym].valid;
  return formula ? body_of(x, q, IR_VALUE, n->read.first, KEY_HERE) : 0;
}

static ir_id expand_read(expander *x, const ir_node *n, expand_key key) {
  const ir_symbol *q = ir_symbol_get(x->pl->from, n->read.sym);
  ir_at at = translate(key, (ir_at)n->read.at);
  bool previous = n->read.level == IR_PREV || (key & KEY_PREV);
  if (previous && q->kind == IR_EQUATION) return expand_previous(x, n, q, key);
  if (previous && q->kind == IR_STATE) {
    ir_node copy = *n;
    copy.read.level = IR_PREV;
    return read_face(x, &copy, q, at, (expand_key)(key & ~KEY_PREV));
  }
  ir_node now = *n; /* what else there is was the same when the step began */
  if (previous) now.read.level = IR_NOW, n = &now;
  key = (expand_key)(key & ~KEY_PREV);
  const ir_id said = expand_said(x, n, q, key);
  if (said) return said;
  if (q->kind == IR_EQUATION) return expand_equation(x, n, q, &x->pl->storage[n->read.sym], key);
  if (q->kind == IR_MATRIX) return body_of(x, q, IR_VALUE, n->read.first, key_of(IR_EDGES, at));
  if (x->value && x->value[n->read.sym] && at == IR_AT_HERE && n->read.level == IR_NOW)
    return x->value[n->read.sym][n->read.first];
  return read_face(x, n, q, at, key);
}

/* Where there is no dt, time stands still. */
static ir_id later(planner *pl, ir_id time, ir_id part_of_step) {
  if (!pl->at.interval && !pl->in->dt) return time;
  ir_id step = pl->at.interval ? pl->at.interval : ir_param(pl->to, pl->in->dt);
  return ir_binary(pl->to, IR_ADD, time, ir_binary(pl->to, IR_MUL, part_of_step, step));
}

bool sees_stages(const planner *pl) {
  const bool before_dt = pl->in->dt && !pl->now[pl->in->dt].valid && !defect_is_back("stages_before_dt");
  return pl->in->stage != 0 && !before_dt;
}

/* In a Runge-Kutta stage t is the stage's time; in what values are fixed to, the time at which they hold. */
ir_id expand_param(expander *x, const ir_node *n, expand_key key) {
  planner *pl = x->pl;
  ir_node own = *n;
  own.read.sym = lower_late(pl->from, n->read.sym, x->ahead);
  ir_id value = ir_rebuild(pl->to, &own, NULL);
  if (n->read.sym != pl->in->time || !pl->in->time || (key & KEY_PREV)) return value;
  if (x->ahead > 0) return later(pl, value, ir_const(pl->to, x->ahead));
  return x->stage && pl->in->stage ? later(pl, value, ir_param(pl->to, pl->in->stage)) : value;
}

static ir_id expand_sign(expander *x, const ir_node *n, expand_key key) {
  key = (expand_key)(key & ~KEY_PREV);
  if (key == KEY_ADD_L) return ir_const(x->pl->to, 1);
  if (key == KEY_ADD_R) return ir_const(x->pl->to, -1);
  return ir_rebuild(x->pl->to, n, NULL);
}

/* ---- the sweep ----------------------------------------------------------------------------------------------------------- */

static ir_id expand_node(expander *x, ir_id id, expand_key key) {
  planner *pl = x->pl;
  const ir_node n = *ir_get(pl->from, id);
  if (key == KEY_HERE && pl->in->hoisted[id]) {
    ir_sym sym = pl->in->hoisted[id];
    if (ir_symbol_get(pl->from, sym)->place == IR_NOWHERE) return ir_param(pl->to, sym);
    if (!pl->now[sym].here) return ir_read(pl->to, sym, IR_NOW, IR_AT_HERE, NULL);
  }
  if (n.op == IR_READ) return expand_read(x, &n, key);
  if (n.op == IR_PARAM) return expand_param(x, &n, key);
  if (n.op == IR_SIGN_OUT) return expand_sign(x, &n, key);
  ir_id args[IR_MOST_ARGS];
  const ir_id *old = ir_args(pl->from, &n);
  for (int i = 0; i < n.n_args; i++) args[i] = *memo_of(x, key, old[i]);
  return ir_rebuild(pl->to, &n, args);
}

typedef struct unfinished {
  expander *x;
  expand_key key;
} unfinished;

/* A hoisted reduction is read, so nothing below it is needed; nor is anything below what is expanded already. */
static bool needs_nothing_below(void *ctx, ir_id id) {
  const unfinished *u = ctx;
  const planner *pl = u->x->pl;
  if (*memo_of(u->x, u->key, id)) return true;
  return u->key == KEY_HERE && pl->in->hoisted[id] && !pl->now[pl->in->hoisted[id]].here;
}

/* Goes through what is still to be expanded in order: operands come before their users. */
ir_id expand(expander *x, ir_id root, expand_key key) {
  planner *pl = x->pl;
  if (pl->from->on_grid) return expand_versions(x, root, x->place);
  if (*memo_of(x, key, root)) return *memo_of(x, key, root);
  ir_reached all = ir_reach_below(pl->from, &root, 1, needs_nothing_below, &(unfinished){x, key});
  for (int i = 0; i < all.n; i++) {
    ir_id id = all.at[i];
    if (*memo_of(x, key, id)) continue;
    ir_id value = expand_node(x, id, key);
    *memo_of(x, key, id) = value;
    const ir_origin *o = &pl->from->origin.at[id];
    if (o->hint) ir_name(pl->to, value, o->hint, o->tag, o->at);
  }
  return *memo_of(x, key, root);
}

/* Component k of an equation's own value. A hoisted reduction is its symbol's root: there it is computed, elsewhere read. */
ir_id expand_own(expander *x, ir_sym sym, int part, int k) {
  planner *pl = x->pl;
  ir_id root = root_component(pl->from, ir_symbol_get(pl->from, sym)->root[part], k);
  x->place = ir_symbol_get(pl->from, sym)->place;
  if (pl->in->hoisted[root] != sym) return expand(x, root, KEY_HERE);
  const ir_node n = *ir_get(pl->from, root);
  x->place = (ir_place)n.reduce.place;
  ir_id body = expand(x, ir_args(pl->from, &n)[0], KEY_HERE);
  return ir_rebuild(pl->to, &n, &body);
}
