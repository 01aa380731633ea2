/* Functions near walls must not need themselves: OpenCL C has no recursion, and it would not end. Equations alone cannot do
 * that, so every cycle leads through a boundary rule: `ghost b = a[inner]`, where `a` looks at the `b` beyond the wall. */
#include "schedule/grid.h"

enum { AXES = 4 }; /* and none */

/* What is being followed, from the innermost outwards; `rule`: by the case of a rule, else -1. */
typedef struct frame {
  int function;
  plan_part part;
  int axis; /* of NEAR: along which it is seen; else -1 */
  int rule;
  const struct frame *outer;
} frame;

typedef struct search {
  planner *pl;
  unsigned char *open, *done; /* by function, part and axis */
  bool found;
} search;

static void follow(search *s, int function, plan_part which, int axis, const frame *outer);

static span place_of_rule(const planner *pl, const frame *f, ir_sym sym) {
  const ir_rule *rule = &pl->from->rule.at[f->rule + 1];
  ir_rule_kind kind = f->part == PLAN_PART_NEAR ? IR_GHOST : IR_FIX;
  for (int i = 0; i < rule->entry.n; i++)
    if (rule->entry.at[i].target == sym && rule->entry.at[i].kind == kind) return rule->entry.at[i].at;
  return rule->at;
}

/* The cycle is the frames from the innermost to the one that is needed again. */
static void report_cycle(search *s, const frame *innermost, int function, plan_part which, int axis) {
  planner *pl = s->pl;
  const frame *by_rule = NULL, *f = innermost;
  const char *again = ir_symbol_get(pl->from, pl->plan->function.at[function].sym)->text;
  const char *way = arena_printf(pl->memory, "`%s`", again);
  s->found = true;
  for (bool last = false; !last; f = f->outer) {
    const char *text = ir_symbol_get(pl->from, pl->plan->function.at[f->function].sym)->text;
    last = f->function == function && f->part == which && f->axis == axis;
    if (f->rule >= 0) by_rule = f;
    bool same_quantity = !last && f->outer->function == f->function;
    if (!same_quantity) way = arena_printf(pl->memory, "`%s` needs %s", text, way);
  }
  if (!by_rule) return;
  ir_sym sym = pl->plan->function.at[by_rule->function].sym;
  diag *d = diag_report(pl->in->sink, DIAG_TARGET, place_of_rule(pl, by_rule, sym),
                        "what boundary rule `%s` says of `%s` leads in a cycle: %s",
                        pl->from->rule.at[by_rule->rule + 1].text, ir_symbol_get(pl->from, sym)->text, way);
  diag_with_hint(pl->in->sink, d,
                 "let the rule read states, or equations that do not look across this boundary");
}

/* Seen along one axis; a rule's own reads at the same ghost, along its caller's. */
static void follow_near(search *s, int function, const ir_node *n, const frame *f) {
  unsigned axes = n->read.from != IR_NOWHERE ? plan_axes(s->pl->plan, n)
                  : f && f->axis >= 0        ? 1u << f->axis
                                             : 7;
  for (int a = 0; a < s->pl->from->dims; a++)
    if (axes >> a & 1) follow(s, function, PLAN_PART_NEAR, a, f);
}

/* Beyond several walls: along each axis, and what the rules read there along the others. */
static void follow_across(search *s, const plan_function *p, plan_part which, const frame *f) {
  for (int a = 0; a < s->pl->from->dims; a++) follow(s, f->function, PLAN_PART_NEAR, a, f);
  for (int i = 0; i < p->beside.n; i++) {
    plan_part part = plan_part_beside(which);
    for (int a = 0; part == PLAN_PART_NEAR && a < s->pl->from->dims; a++)
      follow(s, p->beside.at[i], part, a, f);
    if (part != PLAN_PART_NEAR) follow(s, p->beside.at[i], part, -1, f);
  }
  for (int i = 0; i < p->along.n; i++) follow(s, p->along.at[i], which, -1, f);
}

static void follow_value(search *s, ir_id value, const plan_function *within, const frame *f) {
  const planner *pl = s->pl;
  ir_reached all = ir_reach(pl->to, &value, 1);
  for (int i = 0; i < all.n && !s->found; i++) {
    int called = plan_called(pl->plan, all.at[i], within);
    if (called < 0) continue;
    plan_part part = plan_part_called(pl->plan, all.at[i], called);
    if (part == PLAN_PART_NEAR) follow_near(s, called, ir_get(pl->to, all.at[i]), f);
    else follow(s, called, part == PLAN_PART_TABLE ? PLAN_PART_AT : part, -1, f);
  }
}

/* The rules of walls that are not met along the axis say nothing. */
static void follow_cases(search *s, const plan_wall_case *c, int n, frame *f) {
  for (int i = 0; i < n && !s->found; i++) {
    if (f->axis >= 0 && c[i].axis && c[i].axis != "xyz"[f->axis]) continue;
    f->rule = c[i].rule;
    follow_value(s, c[i].value, &s->pl->plan->function.at[f->function], f);
  }
}

static void follow(search *s, int function, plan_part which, int axis, const frame *outer) {
  int number = (function * PLAN_PARTS + (int)which) * AXES + axis + 1;
  if (s->done[number] || s->found) return;
  if (s->open[number]) {
    report_cycle(s, outer, function, which, axis);
    return;
  }
  s->open[number] = 1;
  const plan_function *p = &s->pl->plan->function.at[function];
  frame f = {.function = function, .part = which, .axis = axis, .rule = -1, .outer = outer};
  if (which == PLAN_PART_AT && p->value) follow_value(s, p->value, p, &f);
  if (which >= PLAN_PART_ACROSS) follow_across(s, p, which, &f);
  if (which == PLAN_PART_NEAR && p->value) follow(s, function, PLAN_PART_AT, -1, &f);
  if (which == PLAN_PART_NEAR) follow_cases(s, p->ghost.at, p->ghost.n, &f);
  else if (which == PLAN_PART_FIXED || (which == PLAN_PART_AT && p->value))
    follow_cases(s, p->fix.at, p->fix.n, &f);
  s->done[number] = 1;
}

void find_cycles(planner *pl) {
  int n = pl->plan->function.n;
  search s = {.pl = pl,
              .open = arena_array(pl->memory, unsigned char, n *PLAN_PARTS *AXES + 1),
              .done = arena_array(pl->memory, unsigned char, n *PLAN_PARTS *AXES + 1)};
  for (int k = 0; k < pl->plan->kernel.n; k++) {
    const plan_kernel *kernel = &pl->plan->kernel.at[k];
    for (int i = 0; i < kernel->output.n; i++)
      if (kernel->output.at[i].near) follow_value(&s, kernel->output.at[i].near, NULL, NULL);
  }
}
