/* Which part of a formula gives the value of a global: of a minimum over cells the cell, of `min(a, b)` the smaller one, and so on through
 * the equations that they name. For messages: what the size of a step comes from. */
#include <math.h>
#include <string.h>

#include "reference/reference.h"

enum { DEEPEST = 40 };

/* Where the search has come to. */
typedef struct search {
  dslc_reference *r;
  ref_stand at;
  ir_id id;
  bool least;   /* a small value is looked for; behind a fraction stroke a large one */
  span written; /* the equation or global in which the part stands, or the part itself, if it has a name */
  ir_place place;
  int32_t entity;
} search;

static const ir_node *node_of(const search *s, ir_id id) { return ir_get(s->r->m, id); }

/* An equation or global that is read as it stands where the search stands; 0: something else. */
static ir_id named_root(const search *s, const ir_node *n) {
  if (n->op != IR_READ && n->op != IR_PARAM) return 0;
  const ir_symbol *q = ir_symbol_get(s->r->m, n->read.sym);
  bool moved = n->read.off[0] || n->read.off[1] || n->read.off[2];
  bool here = n->op == IR_PARAM || (n->read.at == IR_AT_HERE && s->at.place == q->place && !moved);
  bool formula = q->kind == IR_EQUATION || q->kind == IR_GLOBAL;
  return here && formula && n->read.level == IR_NOW && n->read.sym != s->r->size.dt ? q->root[0] : 0;
}

static bool chooses(const search *s, const ir_node *n) {
  if (n->op == IR_REDUCE)
    return n->reduce.binder == IR_OVER_ALL && n->reduce.kind == (s->least ? IR_REDUCE_MIN : IR_REDUCE_MAX);
  return n->op == IR_SELECT || n->op == (s->least ? IR_MIN : IR_MAX);
}

/* Whether a choice decides the value of a product or quotient, or of what it names. */
static bool leads(search *s, ir_id id, bool least, int depth) {
  const ir_node *n = node_of(s, id);
  bool outer = s->least, found;
  if (depth > DEEPEST) return false;
  s->least = least;
  found = chooses(s, n);
  s->least = outer;
  if (found) return true;
  if (n->op == IR_MUL || n->op == IR_DIV)
    return leads(s, ir_args(s->r->m, n)[0], least, depth + 1) ||
           leads(s, ir_args(s->r->m, n)[1], least != (n->op == IR_DIV), depth + 1);
  ir_id root = named_root(s, n);
  return root && leads(s, root, least, depth + 1);
}

static double value_at(search *s, const ref_stand *at, ir_id id) {
  return ref_number(s->r, &s->r->now, at, id);
}

/* NaN, which no minimum takes, never wins. */
static bool better(const search *s, double a, double b) { return s->least ? a < b : a > b; }

static bool over_entities(search *s, const ir_node *n) {
  ir_place place = (ir_place)n->reduce.place;
  ir_id of = ir_args(s->r->m, n)[0];
  double best = s->least ? INFINITY : -INFINITY;
  s->entity = -1;
  for (int32_t i = 0; i < s->r->world.count[place]; i++) {
    if (!ref_counts(s->r, n, i)) continue;
    ref_stand at = ref_stand_at(s->r, place, i);
    double value = value_at(s, &at, of);
    if (better(s, value, best)) best = value, s->entity = i, s->at = at;
  }
  s->place = place;
  s->id = of;
  return s->entity >= 0;
}

/* One step further in; false: nothing here has a choice. */
static bool further(search *s) {
  const ir_node *n = node_of(s, s->id);
  const ir_id *args = ir_args(s->r->m, n), root = named_root(s, n);
  if (n->op == IR_SELECT) {
    s->id = value_at(s, &s->at, args[0]) != 0 ? args[1] : args[2];
  } else if (chooses(s, n) && n->op == IR_REDUCE) {
    return over_entities(s, n);
  } else if (chooses(s, n)) {
    s->id = better(s, value_at(s, &s->at, args[1]), value_at(s, &s->at, args[0])) ? args[1] : args[0];
  } else if (n->op == IR_MUL || n->op == IR_DIV) {
    int k = leads(s, args[0], s->least, 0) ? 0 : 1;
    bool least = s->least != (n->op == IR_DIV && k == 1);
    if (!leads(s, args[k], least, 0)) return false;
    s->least = least;
    s->id = args[k];
  } else if (root && leads(s, root, s->least, 0)) {
    s->written = ir_symbol_get(s->r->m, n->read.sym)->at;
    s->id = root;
  } else {
    return false;
  }
  return true;
}

void ref_find_bound(dslc_reference *r, double t, dslc_ref_bound *out) {
  search s = {.r = r, .place = IR_NOWHERE, .entity = -1, .least = true};
  const ir_symbol *dt = ir_symbol_get(r->m, r->size.dt);
  r->now.t = t;
  ref_changed(&r->now);
  s.at = ref_stand_at(r, IR_NOWHERE, 0);
  s.id = dt->root[0];
  s.written = dt->at;
  for (int depth = 0; depth < DEEPEST && further(&s); depth++) {
    span at = r->m->origin.at[s.id].at;
    if (at.end > at.start) s.written = at;
  }
  out->line = ref_line(r, s.written);
  out->place = (dslc_place)s.place;
  out->entity = s.entity;
  if (r->world.grid && s.entity >= 0) ref_point_at(r, s.place, s.entity, out->point);
  out->file = source_get(r->from->sources, s.written.file)->path;
  out->text = ref_formula_text(r, s.id);
}
