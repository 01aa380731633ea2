/* Functions of points near walls: what each computes at its own point, beyond walls and on them, in which context it is asked for, and what it
 * asks for beyond a second wall. */
#include "base/defects.h"
#include "schedule/grid.h"
#include "schedule/near.h"

/* ---- contexts --------------------------------------------------------------------------------------------------- */

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

int near_context(planner *pl, ir_sym sym) { return context_number(pl, sym, reads_stage(pl, sym)); }

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
    value[n] = expand_version(&x, &key, root);
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
  ir_id value = expand_version(&x, &key, root_component(pl->from, e->root, f->component));
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

/* What follows behind walls of some rule is known beyond walls, whether the case has such walls or not: kernels that are built ahead know of no
 * case. */
static void add_unused_following(planner *pl, plan_function *f) {
  static const char letter[] = {'x', 'y', 'z'};
  if (defect_is_back("followers_of_unused_rules")) return;
  for (int r = 1; r < pl->from->rule.n && !f->ghost.n; r++)
    for (int a = 0; a < pl->from->dims && !f->ghost.n; a++) {
      const char across = pl->from->rule.at[r].axis;
      if ((!across || across == letter[a]) && follows_along(pl, f->kept, a)) add_unused(pl, f, r);
    }
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
  if (derived) add_unused_following(pl, f);
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

void open_all_across(planner *pl) {
  while (pl->walls.across.n > 0 && !pl->walls.functions_open)
    open_across(pl, pl->walls.across.at[--pl->walls.across.n]);
}

/* Its formula. What rules see of X.prev holds at their reader's time beyond walls, but inside it is of the start, with all that X sees there. */
static ir_id value_inside(planner *pl, const plan_function *f) {
  const ir_symbol *q = ir_symbol_get(pl->from, f->sym);
  const bool start = is_of_start(pl, f->sym, f->level), outer = enter_start(pl, false, f->sym, f->level);
  expander x = inside_expander(pl, f);
  const grid_key key = {.near = 1, .from = (uint8_t)q->place, .previous = start};
  const ir_id value = expand_version(&x, &key, root_component(pl->from, q->root[0], f->component));
  pl->at.before_stages = outer;
  return value;
}

/* Functions refer to each other; the list may grow, and move, while one is filled. */
int function_of(planner *pl, ir_sym sym, int component, ir_level level) {
  int known = plan_find_function(pl->plan, sym, component, level, near_context(pl, sym), false);
  if (known >= 0) return known;
  plan_function f = {.sym = sym,
                     .kept = pl->use[sym].kept,
                     .component = component,
                     .level = level,
                     .context = near_context(pl, sym)};
  int number = function_new(pl, f);
  pl->walls.functions_open++;
  const ir_symbol *q = ir_symbol_get(pl->from, sym);
  f.stored = level != IR_PREV && has_formula_beyond(pl, sym);
  const bool back = level == IR_PREV && !defect_is_back("starts_of_functions");
  const ir_sym start = back ? kept_of_start(pl, sym, component) : 0;
  if (start) f.value = ir_read(pl->to, start, IR_NOW, IR_AT_HERE, NULL); /* with what rules fix it to */
  else if ((is_computed_near(pl, sym, level) && q->root[0]) || f.stored) f.value = value_inside(pl, &f);
  add_cases(pl, &f, IR_GHOST);
  if (f.value && !f.stored && !start)
    add_cases(pl, &f, IR_FIX); /* what is stored holds what rules fix it to */
  choose_table(pl, &f);
  pl->plan->function.at[number] = f;
  pl->walls.functions_open--;
  open_all_across(pl);
  return number;
}

/* A state that an equation follows from may be given nowhere: beyond a corner the equation sees it as [inner] of each wall on the way, not as the
 * element that lies there, which nobody keeps up to date. */
void function_from_behind(planner *pl, ir_sym sym, int component, ir_level level) {
  const int number = function_of(pl, sym, component, level); /* the list may move */
  plan_function *f = &pl->plan->function.at[number];
  const ir_symbol *q = ir_symbol_get(pl->from, f->kept);
  if (f->ghost.n || q->kind != IR_STATE || defect_is_back("formulas_from_nowhere")) return;
  f->nowhere = true;
  for (int r = 1; r < pl->from->rule.n && !f->ghost.n; r++)
    if (pl->in->rule_used[r]) add_unused(pl, f, r);
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
  open_all_across(pl);
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
