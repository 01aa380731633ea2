/* Which functions a plan has for what is near walls, and which of them a READ calls, along which axes. */
#include <stdlib.h>

#include "base/defects.h"
#include "schedule/plan.h"

static bool staggered(ir_place place, int axis) { return ir_place_on_faces(place, axis); }

void plan_add_function(plan *p, const plan_function *f) {
  while (p->last_function.n <= (int)f->sym) vec_push(p->memory, &p->last_function, 0);
  vec_push(p->memory, &p->function, *f);
  vec_push(p->memory, &p->same_before, p->last_function.at[f->sym]);
  p->last_function.at[f->sym] = p->function.n;
}

int plan_find_function(const plan *p, ir_sym sym, int component, ir_level level, int context, bool valued) {
  int found = -1;
  if ((int)sym >= p->last_function.n) return -1;
  for (int i = p->last_function.at[sym] - 1; i >= 0; i = p->same_before.at[i] - 1) {
    const plan_function *f = &p->function.at[i];
    bool same = f->kind == PLAN_FUNCTION_AT && f->component == component && f->level == level &&
                f->context == context;
    if (same && ((f->value && !f->stored) || !valued)) found = i;
  }
  return found;
}

int plan_called(const plan *p, ir_id id, const plan_function *within) {
  const ir_node *n = ir_get(p->module, id);
  if (n->op == IR_FIXED) return n->first;
  if (n->op != IR_READ) return -1;
  ir_at at = (ir_at)n->read.at;
  bool in_rule = at == IR_AT_INNER || at == IR_AT_MIRROR;
  if (in_rule && n->read.level == IR_NEW && within && within->fresh)
    return within->fresh[n->read.sym] - 1 + n->read.first;
  if (!in_rule && at != IR_AT_NEAR) return -1;
  return plan_find_function(p, n->read.sym, n->read.first, (ir_level)n->read.level, n->read.context,
                            at != IR_AT_NEAR);
}

unsigned plan_axes(const plan *p, const ir_node *n) {
  ir_place to = ir_symbol_get(p->module, n->read.sym)->place, from = (ir_place)n->read.from;
  unsigned axes = 0;
  for (int a = 0; a < p->module->dims && from != IR_NOWHERE; a++)
    if (2 * n->read.off[a] + (int)staggered(from, a) != (int)staggered(to, a)) axes |= 1u << a;
  return axes;
}

/* A point between two cells may have a wall right behind it, as seen along the axis that leads from one to the other; so what it reads
 * farther along that axis than in these two has nothing beside it on this side. */
static bool looks_from_between(const plan *p, const ir_node *n) {
  ir_place to = ir_symbol_get(p->module, n->read.sym)->place, from = (ir_place)n->read.from;
  for (int a = 0; a < p->module->dims; a++) {
    int halves = 2 * n->read.off[a] + (int)staggered(from, a) - (int)staggered(to, a);
    if (staggered(from, a) && abs(halves) > 1) return true;
  }
  return false;
}

unsigned plan_crossed(const plan *p, const ir_node *n) {
  ir_place to = ir_symbol_get(p->module, n->read.sym)->place, from = (ir_place)n->read.from;
  unsigned axes = defect_is_back("corners") ? 0 : plan_axes(p, n);
  if (from != IR_NOWHERE && looks_from_between(p, n)) return axes;
  for (int a = 0; a < p->module->dims; a++) {
    bool touches = staggered(to, a) && !staggered(from, a) && (n->read.off[a] == 0 || n->read.off[a] == 1);
    if (touches) axes &= ~(1u << a);
  }
  return axes;
}

int plan_beside(const plan *p, const ir_node *n) {
  return plan_find_function(p, n->read.sym, n->read.first, (ir_level)n->read.level, n->read.context, false);
}

int plan_fixed_inside(const plan *p, const ir_node *n, const plan_function *within) {
  bool inside = n->op == IR_READ && (n->read.at == IR_AT_INNER || n->read.at == IR_AT_MIRROR);
  bool fresh = inside && n->read.level == IR_NEW && within->fresh;
  if (defect_is_back("inner_fix")) return -1;
  if (!fresh || (int)n->read.sym >= p->last_function.n) return -1;
  for (int i = p->last_function.at[n->read.sym] - 1; i >= 0; i = p->same_before.at[i] - 1) {
    const plan_function *f = &p->function.at[i];
    if (f->kind == PLAN_FUNCTION_FIX && f->component == n->read.first && f->fresh == within->fresh) return i;
  }
  return -1;
}

plan_part plan_part_inside(const plan *p, plan_part of) {
  if (of == PLAN_PART_FIXED) return PLAN_PART_FIXED_INSIDE;
  if (of < PLAN_PART_FIXED_INSIDE || of >= PLAN_PART_FIXED_INSIDE_3 || p->module->dims < 3) return 0;
  return (plan_part)(of + 1);
}

plan_part plan_part_beside(plan_part of) {
  return of == PLAN_PART_ACROSS_3 ? PLAN_PART_ACROSS : PLAN_PART_NEAR;
}

/* From where it stands a point sees itself, with no wall between. */
static bool is_own_point(const plan *p, const ir_node *n) {
  const ir_place to = ir_symbol_get(p->module, n->read.sym)->place, from = (ir_place)n->read.from;
  bool same = from != IR_NOWHERE && !n->read.off[0] && !n->read.off[1] && !n->read.off[2];
  for (int a = 0; a < p->module->dims; a++)
    same = same && staggered(from, a) == staggered(to, a); /* on lines corners are faces */
  return same;
}

plan_part plan_part_called(const plan *p, ir_id id, int called) {
  const ir_node *n = ir_get(p->module, id);
  const plan_function *f = &p->function.at[called];
  if (n->op == IR_FIXED) return f->kind == PLAN_FUNCTION_OUTPUT ? PLAN_PART_TABLE : PLAN_PART_FIXED;
  if (n->read.at == IR_AT_NEAR && f->ghost.n > 0 && !is_own_point(p, n)) {
    unsigned axes = plan_crossed(p, n);
    if (!(axes & (axes - 1))) return PLAN_PART_NEAR;
    return plan_axes(p, n) == 7 ? PLAN_PART_ACROSS_3
                                : PLAN_PART_ACROSS; /* touched faces are a way round too */
  }
  return f->table ? PLAN_PART_TABLE : PLAN_PART_AT;
}
