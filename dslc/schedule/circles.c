/* Functions near walls must not need themselves: OpenCL C has no recursion, and it would not end. Equations alone cannot do
 * that, so every circle leads through a boundary rule: `ghost b = a[inner]`, where `a` looks at the `b` beyond the wall. */
#include "schedule/grid.h"

/* What is being followed, from the innermost outwards; `rule`: by the case of a rule, else -1. */
typedef struct frame {
  int function;
  plan_part part;
  int rule;
  const struct frame *outer;
} frame;

typedef struct search {
  planner *pl;
  unsigned char *open, *done; /* by function and part */
  bool found;
} search;

static void follow(search *s, int function, plan_part which, const frame *outer);

static span place_of_rule(const planner *pl, const frame *f, ir_sym sym) {
  const ir_rule *rule = &pl->from->rule.at[f->rule + 1];
  ir_rule_kind kind = f->part == PLAN_PART_NEAR ? IR_GHOST : IR_FIX;
  for (int i = 0; i < rule->entry.n; i++)
    if (rule->entry.at[i].target == sym && rule->entry.at[i].kind == kind) return rule->entry.at[i].at;
  return rule->at;
}

/* The circle is the frames from the innermost to the one that is needed again. */
static void report_circle(search *s, const frame *innermost, int function, plan_part which) {
  planner *pl = s->pl;
  const frame *by_rule = NULL, *f = innermost;
  const char *again = ir_symbol_get(pl->from, pl->plan->function.at[function].sym)->text;
  const char *way = arena_printf(pl->memory, "`%s`", again);
  s->found = true;
  for (bool last = false; !last; f = f->outer) {
    const char *text = ir_symbol_get(pl->from, pl->plan->function.at[f->function].sym)->text;
    last = f->function == function && f->part == which;
    if (f->rule >= 0) by_rule = f;
    bool same_quantity = !last && f->outer->function == f->function;
    if (!same_quantity) way = arena_printf(pl->memory, "`%s` needs %s", text, way);
  }
  if (!by_rule) return;
  ir_sym sym = pl->plan->function.at[by_rule->function].sym;
  diag *d = diag_report(pl->sink, DIAG_TARGET, place_of_rule(pl, by_rule, sym),
                        "what boundary rule `%s` says of `%s` leads in a circle: %s",
                        pl->from->rule.at[by_rule->rule + 1].text, ir_symbol_get(pl->from, sym)->text, way);
  diag_with_hint(pl->sink, d, "let the rule read states, or equations that do not look across this boundary");
}

static void follow_value(search *s, ir_id value, const plan_function *within, const frame *f) {
  const planner *pl = s->pl;
  ir_reached all = ir_reach(pl->to, &value, 1);
  for (int i = 0; i < all.n && !s->found; i++) {
    int called = plan_called(pl->plan, all.at[i], within);
    if (called < 0) continue;
    plan_part part = plan_part_called(pl->plan, all.at[i], called);
    follow(s, called, part == PLAN_PART_TABLE ? PLAN_PART_AT : part, f);
  }
}

static void follow_cases(search *s, const plan_wall_case *c, int n, frame *f) {
  for (int i = 0; i < n && !s->found; i++) {
    f->rule = c[i].rule;
    follow_value(s, c[i].value, &s->pl->plan->function.at[f->function], f);
  }
}

static void follow(search *s, int function, plan_part which, const frame *outer) {
  int number = function * PLAN_PARTS + (int)which;
  if (s->done[number] || s->found) return;
  if (s->open[number]) {
    report_circle(s, outer, function, which);
    return;
  }
  s->open[number] = 1;
  const plan_function *p = &s->pl->plan->function.at[function];
  frame f = {.function = function, .part = which, .rule = -1, .outer = outer};
  if (which == PLAN_PART_AT && p->value) follow_value(s, p->value, p, &f);
  if (which == PLAN_PART_NEAR && p->value) follow(s, function, PLAN_PART_AT, &f);
  if (which == PLAN_PART_NEAR) follow_cases(s, p->ghost.at, p->ghost.n, &f);
  else if (which == PLAN_PART_FIXED || p->value) follow_cases(s, p->fix.at, p->fix.n, &f);
  s->done[number] = 1;
}

void find_circles(planner *pl) {
  int n = pl->plan->function.n;
  search s = {.pl = pl,
              .open = arena_array(pl->memory, unsigned char, n *PLAN_PARTS + 1),
              .done = arena_array(pl->memory, unsigned char, n *PLAN_PARTS + 1)};
  for (int k = 0; k < pl->plan->kernel.n; k++) {
    const plan_kernel *kernel = &pl->plan->kernel.at[k];
    for (int i = 0; i < kernel->output.n; i++)
      if (kernel->output.at[i].near) follow_value(&s, kernel->output.at[i].near, NULL, NULL);
  }
}
