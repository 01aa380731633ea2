/* Functions near walls must not need themselves: OpenCL C has no recursion, and it would not end. Equations alone cannot do
 * that, so every cycle leads through a boundary rule: `ghost b = a[inner]`, where `a` looks at the `b` beyond the wall. Along another axis
 * it may look: so it is asked of functions as they are seen, and so is how far they read in the end. */
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
  int *depth;                 /* done: how far from its point it reads in the end */
  bool found;
  bool quiet; /* a cycle is reported elsewhere */
} search;

static int farther(int a, int b) { return a > b ? a : b; }

static int follow(search *s, int function, plan_part which, int axis, const frame *outer);

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
static int follow_near(search *s, int function, const ir_node *n, const frame *f) {
  int most = 0;
  unsigned axes = n->read.from != IR_NOWHERE ? plan_axes(s->pl->plan, n)
                  : f && f->axis >= 0        ? 1u << f->axis
                                             : 7;
  for (int a = 0; a < s->pl->from->dims; a++)
    if (axes >> a & 1) most = farther(most, follow(s, function, PLAN_PART_NEAR, a, f));
  return most;
}

/* Beyond several walls: along each axis, and what the rules read there along the others. */
static int follow_across(search *s, const plan_function *p, plan_part which, const frame *f) {
  const int dims = s->pl->from->dims;
  const plan_part part = plan_part_beside(which);
  int most = 0;
  for (int a = 0; a < dims; a++) most = farther(most, follow(s, f->function, PLAN_PART_NEAR, a, f));
  for (int i = 0; i < p->beside.n; i++) {
    const int function = p->beside.at[i];
    for (int a = 0; part == PLAN_PART_NEAR && a < dims; a++)
      most = farther(most, follow(s, function, part, a, f));
    if (part != PLAN_PART_NEAR) most = farther(most, follow(s, function, part, -1, f));
  }
  for (int i = 0; i < p->along.n; i++) most = farther(most, follow(s, p->along.at[i], which, -1, f));
  return most;
}

/* What a read calls, if it does. */
static int follow_call(search *s, ir_id id, const plan_function *within, const frame *f) {
  const planner *pl = s->pl;
  int called = plan_called(pl->plan, id, within);
  if (called < 0) return 0;
  plan_part part = plan_part_called(pl->plan, id, called);
  if (part == PLAN_PART_NEAR) return follow_near(s, called, ir_get(pl->to, id), f);
  if (part != PLAN_PART_TABLE) return follow(s, called, part, -1, f);
  follow(s, called, PLAN_PART_AT, -1, f);
  return 0; /* it is looked up */
}

static int follow_value(search *s, ir_id value, const plan_function *within, const frame *f) {
  const planner *pl = s->pl;
  int most = 0;
  ir_reached all = ir_reach(pl->to, &value, 1);
  for (int i = 0; i < all.n && !s->found; i++) {
    const ir_node *n = ir_get(pl->to, all.at[i]);
    const int far = n->op == IR_READ ? farthest_shift(pl, n) : 0;
    most = farther(most, far + follow_call(s, all.at[i], within, f));
  }
  return most;
}

/* The rules of walls that are not met along the axis say nothing. */
static int follow_cases(search *s, const plan_wall_case *c, int n, frame *f) {
  int most = 0;
  for (int i = 0; i < n && !s->found; i++) {
    if (f->axis >= 0 && c[i].axis && c[i].axis != "xyz"[f->axis]) continue;
    f->rule = c[i].rule;
    most = farther(most, follow_value(s, c[i].value, &s->pl->plan->function.at[f->function], f));
  }
  return most;
}

static int follow(search *s, int function, plan_part which, int axis, const frame *outer) {
  int number = (function * PLAN_PARTS + (int)which) * AXES + axis + 1, most = 0;
  if (s->done[number] || s->found) return s->depth[number];
  if (s->open[number]) {
    if (!s->quiet) report_cycle(s, outer, function, which, axis);
    return 0;
  }
  s->open[number] = 1;
  const plan_function *p = &s->pl->plan->function.at[function];
  frame f = {.function = function, .part = which, .axis = axis, .rule = -1, .outer = outer};
  if (which == PLAN_PART_AT && p->value) most = follow_value(s, p->value, p, &f);
  if (which >= PLAN_PART_ACROSS) most = farther(most, follow_across(s, p, which, &f));
  if (which == PLAN_PART_NEAR && p->value) most = farther(most, follow(s, function, PLAN_PART_AT, -1, &f));
  if (which == PLAN_PART_NEAR) most = farther(most, follow_cases(s, p->ghost.at, p->ghost.n, &f));
  else if (which == PLAN_PART_FIXED || (which == PLAN_PART_AT && p->value))
    most = farther(most, follow_cases(s, p->fix.at, p->fix.n, &f));
  s->done[number] = 1;
  return s->depth[number] = most;
}

static search begin_search(planner *pl, bool quiet) {
  const int n = pl->plan->function.n * PLAN_PARTS * AXES + 1;
  return (search){.pl = pl,
                  .quiet = quiet,
                  .open = arena_array(pl->memory, unsigned char, n),
                  .done = arena_array(pl->memory, unsigned char, n),
                  .depth = arena_array(pl->memory, int, n)};
}

static int follow_kernels(search *s) {
  const plan *p = s->pl->plan;
  int most = 0;
  for (int k = 0; k < p->kernel.n; k++)
    for (int i = 0; i < p->kernel.at[k].output.n; i++) {
      const ir_id near = p->kernel.at[k].output.at[i].near;
      if (near) most = farther(most, follow_value(s, near, NULL, NULL));
    }
  return most;
}

void find_cycles(planner *pl) {
  search s = begin_search(pl, false);
  follow_kernels(&s);
}

int depth_near(planner *pl) {
  search s = begin_search(pl, true);
  int most = follow_kernels(&s);
  for (int i = 0; i < pl->plan->function.n; i++)
    for (int a = -1; pl->plan->function.at[i].table > 0 && a < pl->from->dims; a++)
      most = farther(most, follow(&s, i, a < 0 ? PLAN_PART_AT : PLAN_PART_NEAR, a, NULL));
  return most;
}
