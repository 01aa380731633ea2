#include "schedule/asked.h"

int plan_asked_number(plan_asked a) {
  return (a.function * PLAN_PARTS + (int)a.part) * PLAN_AXES + a.axis + 1;
}

static const plan_function *function_at(const plan *p, int function) { return &p->function.at[function]; }

/* Seen along each axis along which it looks; a rule's own reads at the same ghost, along its caller's. */
static void visit_near(const plan *p, int called, const ir_node *n, const plan_asked *by,
                       asked_visitor *visit, void *ctx) {
  const unsigned axes = n->read.from != IR_NOWHERE ? plan_axes(p, n)
                        : by && by->axis >= 0      ? 1u << by->axis
                                                   : 7;
  for (int a = 0; a < p->module->dims; a++)
    if (axes >> a & 1) visit(ctx, (plan_asked){called, PLAN_PART_NEAR, a});
}

void plan_asked_by(const plan *p, ir_id id, const plan_asked *by, asked_visitor *visit, void *ctx) {
  const ir_node *n = ir_get(p->module, id);
  const plan_function *within = by ? function_at(p, by->function) : NULL;
  const int called = plan_called(p, id, within);
  const plan_part part = called >= 0 ? plan_part_called(p, id, called) : PLAN_PART_AT;
  if (called >= 0 && part == PLAN_PART_NEAR) visit_near(p, called, n, by, visit, ctx);
  else if (called >= 0) visit(ctx, (plan_asked){called, part, -1});
  /* A rule that reads a point which another rule fixes asks that one; those that ask for each other do so in turn, to an end. */
  const plan_part inside = by ? plan_part_inside(p, by->part) : 0;
  const int fix = inside ? plan_fixed_inside(p, n, within) : -1;
  if (fix >= 0) visit(ctx, (plan_asked){fix, inside, -1});
}

/* The rules of walls that are not met along the axis say nothing. */
static void visit_cases(const plan_wall_case *c, int n, int axis, asked_value_visitor *visit, void *ctx) {
  for (int i = 0; i < n; i++)
    if (axis < 0 || !c[i].axis || c[i].axis == "xyz"[axis]) visit(ctx, c[i].value, c[i].rule);
}

/* Beyond several walls: along each axis, and what the rules read there along the others. */
static void visit_across(const plan *p, plan_asked a, asked_visitor *visit, void *ctx) {
  const plan_function *f = function_at(p, a.function);
  const plan_part beside = plan_part_beside(a.part);
  for (int axis = 0; axis < p->module->dims; axis++)
    visit(ctx, (plan_asked){a.function, PLAN_PART_NEAR, axis});
  for (int axis = 0; axis < p->module->dims; axis++)
    for (int i = 0; i < f->beside.n; i++)
      visit(ctx, (plan_asked){f->beside.at[i], beside, beside == PLAN_PART_NEAR ? axis : -1});
  for (int i = 0; i < f->along.n; i++) visit(ctx, (plan_asked){f->along.at[i], a.part, -1});
}

void plan_asked_parts(const plan *p, plan_asked a, asked_value_visitor *value, asked_visitor *part,
                      void *ctx) {
  const plan_function *f = function_at(p, a.function);
  switch (a.part) {
  case PLAN_PART_AT:
    if (f->value) value(ctx, f->value, -1);
    visit_cases(f->fix.at, f->fix.n, -1, value, ctx);
    break;
  case PLAN_PART_FIXED:
  case PLAN_PART_FIXED_INSIDE:
  case PLAN_PART_FIXED_INSIDE_2:
  case PLAN_PART_FIXED_INSIDE_3: visit_cases(f->fix.at, f->fix.n, -1, value, ctx); break;
  case PLAN_PART_NEAR:
    if (f->value) part(ctx, (plan_asked){a.function, f->table ? PLAN_PART_TABLE : PLAN_PART_AT, -1});
    visit_cases(f->ghost.at, f->ghost.n, a.axis, value, ctx);
    break;
  case PLAN_PART_ACROSS:
  case PLAN_PART_ACROSS_3: visit_across(p, a, part, ctx); break;
  case PLAN_PART_TABLE: part(ctx, (plan_asked){a.function, PLAN_PART_AT, -1}); break;
  case PLAN_PARTS: break;
  }
}
