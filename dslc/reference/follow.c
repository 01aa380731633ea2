/* Which quantities are known beyond walls of a grid, other than by a rule that gives them: states are not, nor are equations that look at
 * other points. An equation follows point by point from what lies there, or, in the first cell behind a wall, from faces along its axis. */
#include "reference/reference.h"

static bool is_own_point(const ir_node *n, ir_place of, ir_place reader) {
  return of == reader && !n->read.off[0] && !n->read.off[1] && !n->read.off[2];
}

static bool is_formula(const ir_symbol *q) {
  return q->kind == IR_EQUATION && q->root[0] && q->place < IR_XLINE;
}

/* Straight before or behind the reader, on a face across the axis. */
static bool is_face_along(const ir_node *n, ir_place from, ir_place to, int axis) {
  bool along = ref_staggered(to, axis) && !ref_staggered(from, axis);
  for (int a = 0; a < 3; a++)
    along = along && (a == axis || (n->read.off[a] == 0 && ref_staggered(to, a) == ref_staggered(from, a)));
  return along;
}

static bool reads_along(const dslc_reference *r, const ir_symbol *e, int axis) {
  if (!is_formula(e)) return false;
  ir_reached all = ir_reach(r->m, e->root, 1);
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(r->m, all.at[i]);
    if (n->op == IR_REDUCE) return false;
    if (n->op != IR_READ) continue;
    const ir_symbol *q = ir_symbol_get(r->m, n->read.sym);
    const bool own = is_own_point(n, q->place, e->place);
    if (q->place >= IR_XLINE || (q->kind == IR_GIVEN && (own || !ir_is_given_beyond(r->m, n->read.sym))))
      continue;
    if (own) {
      if (!reads_along(r, q, axis)) return false;
      continue;
    }
    const bool there = q->kind != IR_EQUATION || ir_is_given_beyond(r->m, n->read.sym);
    if (!there || !is_face_along(n, e->place, q->place, axis)) return false;
  }
  return true;
}

/* Does it look at its own point alone, and at nothing that is not known there? */
static bool is_pointwise(dslc_reference *r, const ir_symbol *e, int axis) {
  ir_reached all = ir_reach(r->m, e->root, 1);
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(r->m, all.at[i]);
    if (n->op != IR_READ) continue;
    const ir_symbol *q = ir_symbol_get(r->m, n->read.sym);
    if (!is_own_point(n, q->place < IR_XLINE ? q->place : e->place, e->place)) return false;
    const bool known = q->place >= IR_XLINE || q->kind == IR_GIVEN || ir_is_given_beyond(r->m, n->read.sym);
    if (!known && !ref_follows_beyond(r, n->read.sym, axis)) return false;
  }
  return true;
}

bool ref_follows_beyond(dslc_reference *r, ir_sym sym, int axis) {
  const ir_symbol *q = ir_symbol_get(r->m, sym);
  char *found = &r->rules.follows[3 * sym + (ir_sym)axis];
  if (!*found) *found = is_formula(q) && (is_pointwise(r, q, axis) || reads_along(r, q, axis)) ? 1 : 2;
  return *found == 1;
}

/* Does some rule of the scheme, used by the case or not, speak of walls across the axis? Kernels that are built ahead know of no case. */
static bool has_rule_across(const dslc_reference *r, int axis) {
  bool has = false;
  for (int k = 1; k < r->m->rule.n; k++) {
    const char across = r->m->rule.at[k].axis;
    has = has || !across || across == "xyz"[axis];
  }
  return has;
}

bool ref_is_beyond(dslc_reference *r, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(r->m, sym);
  if (q->kind != IR_STATE && !is_formula(q)) return true;
  if (r->rules.beyond[sym]) return r->rules.beyond[sym] == 1;
  bool known = ir_is_given_beyond(r->m, sym);
  for (int a = 0; a < r->world.d->dim && !known; a++)
    known = ref_follows_beyond(r, sym, a) && has_rule_across(r, a);
  r->rules.beyond[sym] = known ? 1 : 2;
  return known;
}
