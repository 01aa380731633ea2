/* What a case gives over time - arguments of rules, and givens declared so - a launch reads at its own time. What a rule on a grid
 * fixes a state to holds at the time of the assigned value, in the very kernel that reads all else at the time before: there an
 * argument gets a symbol of its own for each such time. */
#include <string.h>

#include "lower/lower.h"

static bool is_listed(const lowering *l, const ir_symbol *q) {
  const char *rule = l->m->rule.at[q->rule].text;
  size_t n = strlen(rule);
  for (int i = 0; i < l->n_timed; i++) {
    const char *text = l->timed[i];
    if (strncmp(text, rule, n) == 0 && text[n] == '.' && strcmp(text + n + 1, q->text) == 0) return true;
  }
  return false;
}

bool lower_is_timed(const lowering *l, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(l->m, sym);
  if (q->kind == IR_RULE_ARGUMENT) return q->over_time || is_listed(l, q);
  return q->kind == IR_GIVEN && q->over_time;
}

/* ---- values in a fix on a grid -------------------------------------------------------------------------------------- */

static void add_late(ir_module *m, ir_sym sym, double ahead) {
  if (lower_late(m, sym, ahead) != sym) return;
  ir_symbol copy = *ir_symbol_get(m, sym);
  copy.root[0] = copy.root[1] = 0;
  copy.purpose.role = IR_LATE, copy.purpose.of = sym, copy.purpose.ahead = ahead;
  ir_symbol_add(m, copy);
}

/* Rules on grids read inside only, so what a ghost of the given says does not matter. */
static void add_late_reads(lowering *l, ir_id root, double ahead) {
  ir_reached all = ir_reach(l->m, &root, 1);
  for (int i = 0; i < all.n; i++) {
    const ir_node n = *ir_get(l->m, all.at[i]);
    if (n.op != IR_READ && n.op != IR_PARAM) continue;
    if (lower_is_timed(l, n.read.sym)) add_late(l->m, n.read.sym, ahead);
  }
}

static void add_late_fixes(lowering *l, ir_sym target, double ahead) {
  const ir_entries all = ir_entries_of(l->m, target);
  for (int i = 0; i < all.n; i++) {
    const ir_rule_entry e = *ir_entry_at(l->m, &all, i);
    if (l->rule_used[all.at[i].rule] && e.kind == IR_FIX) add_late_reads(l, e.root, ahead);
  }
}

/* When the values hold that the statement assigns, in steps from the step's start or in intervals; how many times there are. */
static int times_of(const ir_module *m, const ir_stmt *list, int index, double *at) {
  const ir_stmt *st = &list[index];
  at[0] = 1;
  if (st->kind != IR_INTEGRATE) return 1;
  const tableau *t = lower_tableau(st->method);
  double part = ir_part_of_dt(m, st->over), start = lower_start_of(m, list, index);
  for (int i = 1; i <= t->stages; i++)
    at[i - 1] = start + (part != 0 ? part : 1) * (i < t->stages ? t->c[i] : 1);
  return t->stages;
}

static void late_fixes_of(lowering *l, const ir_stmt *list, int index) {
  const ir_stmt *st = &list[index];
  double at[MAX_STAGES];
  int n = times_of(l->m, list, index, at);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < st->assign.n; k++) add_late_fixes(l, st->assign.at[k].target, at[i]);
  for (int i = 0; i < st->body.n; i++) late_fixes_of(l, st->body.at, i);
}

/* ---- requirements ------------------------------------------------------------------------------------------------------- */

/* What formulas lead to: roots to look at, each symbol once. */
typedef struct timed_search {
  const ir_module *m;
  bool *seen; /* by symbol */
  VEC(ir_id) root;
} timed_search;

static void search_symbol(timed_search *s, ir_sym sym, bool beyond) {
  const ir_symbol *q = ir_symbol_get(s->m, sym);
  const ir_entries all = ir_entries_of(s->m, sym);
  if (s->seen[sym]) return;
  s->seen[sym] = q->kind != IR_STATE || beyond;
  for (int part = 0; part < 2 && q->kind != IR_STATE; part++)
    if (q->root[part]) vec_push(s->m->memory, &s->root, q->root[part]);
  for (int i = 0; i < all.n && (beyond || q->kind != IR_STATE); i++)
    vec_push(s->m->memory, &s->root, ir_entry_at(s->m, &all, i)->root);
}

bool lower_follows_time(const ir_module *m, ir_id root) {
  timed_search s = {.m = m, .seen = arena_array(m->memory, bool, m->symbol.n)};
  vec_push(m->memory, &s.root, root);
  while (s.root.n > 0) {
    const ir_reached all = ir_reach(m, &s.root.at[--s.root.n], 1);
    for (int i = 0; i < all.n; i++) {
      const ir_node *n = ir_get(m, all.at[i]);
      if ((n->op != IR_READ && n->op != IR_PARAM) || n->read.level == IR_PREV) continue;
      const ir_symbol *q = ir_symbol_get(m, n->read.sym);
      if (q->kind == IR_TIME || q->kind == IR_RULE_ARGUMENT || (q->kind == IR_GIVEN && q->over_time))
        return true;
      const bool own = n->op == IR_PARAM ||
                       (n->read.at == IR_AT_HERE && !n->read.off[0] && !n->read.off[1] && !n->read.off[2]);
      search_symbol(&s, n->read.sym, !own);
    }
  }
  return false;
}

static void require_at_end(ir_module *m) {
  for (int i = 0; i < m->require.n; i++)
    if (lower_time(m) && lower_follows_time(m, m->require.at[i].condition)) lower_need_stage_time(m);
}

/* ---- intervals ----------------------------------------------------------------------------------------------------------- */

static ir_sym find_interval(const ir_module *m, ir_id over) {
  for (int s = 1; s < m->symbol.n; s++)
    if (m->symbol.at[s].purpose.role == IR_INTERVAL && m->symbol.at[s].root[0] == over) return (ir_sym)s;
  return 0;
}

/* Stages that count in something else than dt count in a global of its own, which the runtime can look at, and which is as it was when the
 * statement began: what it follows from may follow from the states of a stage, or from its time. */
static void name_interval(ir_module *m, ir_stmt *st) {
  const ir_sym known = find_interval(m, st->over);
  ir_symbol s = {.text = lower_fresh_name(m, "interval"),
                 .kind = IR_GLOBAL,
                 .purpose.role = IR_INTERVAL,
                 .type = ir_scalar(),
                 .dims = m->dims,
                 .root = {st->over},
                 .at = st->at};
  st->over = ir_param(m, known ? known : ir_symbol_add(m, s));
}

static void name_intervals(ir_module *m, ir_stmt *list, int n) {
  for (int i = 0; i < n; i++) {
    name_intervals(m, list[i].body.at, list[i].body.n);
    if (list[i].kind == IR_INTEGRATE && ir_part_of_dt(m, list[i].over) == 0) name_interval(m, &list[i]);
  }
}

void lower_timed(lowering *l) {
  ir_module *m = l->m;
  name_intervals(m, m->step.at, m->step.n);
  require_at_end(m);
  for (int i = 0; m->on_grid && i < m->step.n; i++) late_fixes_of(l, m->step.at, i);
}

/* ---- afterwards ---------------------------------------------------------------------------------------------------------- */

ir_sym lower_late(const ir_module *m, ir_sym sym, double ahead) {
  for (int s = 1; ahead > 0 && s < m->symbol.n; s++) {
    const ir_symbol *q = &m->symbol.at[s];
    if (q->purpose.role == IR_LATE && q->purpose.of == sym && q->purpose.ahead == ahead) return (ir_sym)s;
  }
  return sym;
}

static bool has_late(const ir_module *m, ir_sym sym) {
  for (int s = 1; s < m->symbol.n; s++)
    if (m->symbol.at[s].purpose.role == IR_LATE && m->symbol.at[s].purpose.of == sym) return true;
  return false;
}

bool lower_reads_late(const ir_module *m, ir_id root) {
  ir_sym time = lower_time(m);
  ir_reached all = ir_reach(m, &root, 1);
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(m, all.at[i]);
    if (n->op != IR_READ && n->op != IR_PARAM) continue;
    if ((n->read.sym == time && time) || has_late(m, n->read.sym)) return true;
  }
  return false;
}

/* Does a statement read anything at another time than the step's start? */
static bool has_stages(const ir_stmt *list, int n) {
  for (int i = 0; i < n; i++)
    if (list[i].kind == IR_INTEGRATE || list[i].over || has_stages(list[i].body.at, list[i].body.n))
      return true;
  return false;
}

bool lower_may_be_timed(const lowering *l, ir_sym argument) {
  const ir_module *m = l->m;
  if (!m->on_grid || lower_is_timed(l, argument)) return true;
  if (has_stages(m->step.at, m->step.n) && lower_sees_start(l, argument)) return false;
  const ir_rule *rule = &m->rule.at[ir_symbol_get(m, argument)->rule];
  for (int i = 0; i < rule->entry.n; i++) {
    const ir_rule_entry *e = &rule->entry.at[i];
    bool state = ir_symbol_get(m, e->target)->kind == IR_STATE;
    if (e->kind == IR_FIX && state && rewrite_reads(m, e->root, argument)) return false;
  }
  return true;
}
