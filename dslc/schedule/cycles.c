/* Functions near walls must not need themselves: OpenCL C has no recursion, and it would not end. Equations alone cannot do
 * that, so every cycle leads through a boundary rule: `ghost b = a[inner]`, where `a` looks at the `b` beyond the wall. Along another axis
 * it may look: so it is asked of functions as they are seen, and so is how far they read in the end. */
#include "schedule/asked.h"
#include "schedule/grid.h"

/* What is being followed, from the innermost outwards; `rule`: by the case of a rule, else -1. */
typedef struct frame {
  plan_asked asked;
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

/* By which rule's case a frame leads on, as in plan_wall_case; beyond several walls by any of those that give what lies there; -1: by none. */
static int rule_of(const planner *pl, const frame *f) {
  const plan_function *p = &pl->plan->function.at[f->asked.function];
  return f->asked.part >= PLAN_PART_ACROSS && p->ghost.n ? p->ghost.at[0].rule : f->rule;
}

static span place_of_rule(const planner *pl, const frame *f, ir_sym sym) {
  const ir_rule *rule = &pl->from->rule.at[rule_of(pl, f) + 1];
  const bool beyond = f->asked.part == PLAN_PART_NEAR || f->asked.part >= PLAN_PART_ACROSS;
  ir_rule_kind kind = beyond ? IR_GHOST : IR_FIX;
  for (int i = 0; i < rule->entry.n; i++)
    if (rule->entry.at[i].target == sym && rule->entry.at[i].kind == kind) return rule->entry.at[i].at;
  return rule->at;
}

static const ir_symbol *symbol_of(const planner *pl, plan_asked a) {
  return ir_symbol_get(pl->from, pl->plan->function.at[a.function].sym);
}

/* The cycle is the frames from the innermost to the one that is needed again. */
static void report_cycle(search *s, const frame *innermost, plan_asked again) {
  planner *pl = s->pl;
  const frame *by_rule = NULL, *f = innermost;
  const char *way = arena_printf(pl->memory, "`%s`", symbol_of(pl, again)->text);
  s->found = true;
  for (bool last = false; !last; f = f->outer) {
    last = plan_asked_number(f->asked) == plan_asked_number(again);
    if (f->rule >= 0 || (!by_rule && rule_of(pl, f) >= 0)) by_rule = f;
    bool same_quantity = !last && f->outer->asked.function == f->asked.function;
    if (!same_quantity) way = arena_printf(pl->memory, "`%s` needs %s", symbol_of(pl, f->asked)->text, way);
  }
  if (!by_rule) return;
  ir_sym sym = pl->plan->function.at[by_rule->asked.function].sym;
  diag *d =
      diag_report(pl->in->sink, DIAG_TARGET, place_of_rule(pl, by_rule, sym),
                  "what boundary rule `%s` says of `%s` leads in a cycle: %s",
                  pl->from->rule.at[rule_of(pl, by_rule) + 1].text, ir_symbol_get(pl->from, sym)->text, way);
  diag_with_hint(pl->in->sink, d,
                 "let the rule read states, or equations that do not look across this boundary");
}

/* What is followed for one part, or for one value of it, and how far that reads. */
typedef struct following {
  search *s;
  frame *f; /* NULL: a kernel */
  int most;
} following;

static int follow(search *s, plan_asked a, const frame *outer);

static void follow_part(void *ctx, plan_asked a) {
  following *g = ctx;
  const int deep = follow(g->s, a, g->f);
  if (a.part != PLAN_PART_TABLE) g->most = farther(g->most, deep); /* else it is looked up */
}

static int follow_node(search *s, ir_id id, frame *f) {
  following calls = {s, f, 0};
  const ir_node *n = ir_get(s->pl->to, id);
  const int far = n->op == IR_READ ? farthest_shift(s->pl, n) : 0;
  plan_asked_by(s->pl->plan, id, f ? &f->asked : NULL, follow_part, &calls);
  return far + calls.most;
}

static void follow_value(void *ctx, ir_id value, int rule) {
  following *g = ctx;
  ir_reached all = ir_reach(g->s->pl->to, &value, 1);
  if (g->f) g->f->rule = rule;
  for (int i = 0; i < all.n && !g->s->found; i++)
    g->most = farther(g->most, follow_node(g->s, all.at[i], g->f));
}

static int follow(search *s, plan_asked a, const frame *outer) {
  const int number = plan_asked_number(a);
  if (s->done[number] || s->found) return s->depth[number];
  if (s->open[number]) {
    if (!s->quiet) report_cycle(s, outer, a);
    return 0;
  }
  s->open[number] = 1;
  frame f = {.asked = a, .rule = -1, .outer = outer};
  following g = {s, &f, 0};
  plan_asked_parts(s->pl->plan, a, follow_value, follow_part, &g);
  s->done[number] = 1;
  return s->depth[number] = g.most;
}

static search begin_search(planner *pl, bool quiet) {
  const int n = pl->plan->function.n * PLAN_PARTS * PLAN_AXES + 1;
  return (search){.pl = pl,
                  .quiet = quiet,
                  .open = arena_array(pl->memory, unsigned char, n),
                  .done = arena_array(pl->memory, unsigned char, n),
                  .depth = arena_array(pl->memory, int, n)};
}

static int follow_kernels(search *s) {
  const plan *p = s->pl->plan;
  following g = {s, NULL, 0};
  for (int k = 0; k < p->kernel.n; k++)
    for (int i = 0; i < p->kernel.at[k].output.n; i++) {
      const ir_id near = p->kernel.at[k].output.at[i].near;
      if (near) follow_value(&g, near, -1);
    }
  return g.most;
}

/* A search for what windows read did not end, and no kernel's functions say why. */
static void report_endless(const planner *pl) {
  const ir_symbol *q = ir_symbol_get(pl->from, pl->walls.endless);
  diag *d =
      diag_report(pl->in->sink, DIAG_TARGET, q->at,
                  "what boundary rules say of `%s` leads in a cycle, or too far, for a window", q->text);
  diag_with_hint(pl->in->sink, d,
                 "let the rules read states, or equations that do not look across this boundary; or "
                 "`--schedule grid.window=off`");
}

void find_cycles(planner *pl) {
  search s = begin_search(pl, false);
  follow_kernels(&s);
  if (pl->walls.endless && !diag_errors(pl->in->sink)) report_endless(pl);
}

int depth_near(planner *pl) {
  search s = begin_search(pl, true);
  int most = follow_kernels(&s);
  for (int i = 0; i < pl->plan->function.n; i++)
    for (int a = -1; pl->plan->function.at[i].table > 0 && a < pl->from->dims; a++)
      most = farther(most, follow(&s, (plan_asked){i, a < 0 ? PLAN_PART_AT : PLAN_PART_NEAR, a}, NULL));
  return most;
}
