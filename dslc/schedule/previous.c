/* Values at the start of the step: states copied, equations computed once when it begins, and what both are before the first. */
#include "base/defects.h"
#include "schedule/grid.h"
#include "schedule/nodes.h"

/* ---- states ---------------------------------------------------------------------------------------------------------- */

static void copy_state(planner *pl, ir_sym sym) {
  op_add(pl, (dslc_op){.kind = DSLC_OP_COPY,
                       .a = buffer_of(pl, sym, IR_NOW),
                       .b = buffer_of(pl, sym, IR_PREV),
                       .groups_of = -1});
}

/* Formulas that are to be looked at. */
typedef struct back_search {
  bool *seen; /* by symbol */
  VEC(ir_id) work;
} back_search;

/* What a symbol is made of: on a grid rules are a part of it, too. */
static void search_symbol(const planner *pl, back_search *s, ir_sym sym) {
  const ir_module *m = pl->from;
  if (ir_symbol_get(m, sym)->purpose.role == IR_STEP_BOUND) sym = pl->in->dt; /* dt.free is known with it */
  const ir_symbol *q = ir_symbol_get(m, sym);
  if (s->seen[sym]) return;
  s->seen[sym] = true;
  for (int part = 0; part < 2; part++)
    if ((q->kind == IR_EQUATION || q->kind == IR_GLOBAL) && q->root[part])
      vec_push(m->memory, &s->work, q->root[part]);
  const ir_entries all = ir_entries_of(m, sym);
  for (int i = 0; i < all.n; i++) {
    const ir_rule_entry *e = ir_entry_at(m, &all, i);
    if (pl->in->rule_used[all.at[i].rule] && (!m->on_grid || e->kind == IR_GHOST || q->kind == IR_EQUATION))
      vec_push(m->memory, &s->work, e->root);
  }
}

/* The formulas of what it reads are to be looked at too. True: it looks back itself. */
static bool search_formula(const planner *pl, back_search *s, ir_id root) {
  ir_reached all = ir_reach(pl->from, &root, 1);
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(pl->from, all.at[i]);
    if (n->op != IR_READ && n->op != IR_PARAM) continue;
    if (n->op == IR_READ && (n->read.level == IR_PREV || pl->use[n->read.sym].start_beyond)) return true;
    search_symbol(pl, s, n->read.sym);
  }
  return false;
}

/* Does a formula look back, itself or through what it reads? */
static bool looks_back(const planner *pl, ir_id root) {
  const ir_module *m = pl->from;
  back_search s = {.seen = arena_array(m->memory, bool, m->symbol.n)};
  bool found = false;
  vec_push(m->memory, &s.work, root);
  while (s.work.n > 0 && !found) found = search_formula(pl, &s, s.work.at[--s.work.n]);
  arena_return_array(m->memory, s.seen, m->symbol.n);
  return found;
}

/* Then the states at the start of its step are copied before it is computed. */
static bool dt_looks_back(const planner *pl) {
  const ir_id root = pl->in->dt ? ir_symbol_get(pl->from, pl->in->dt)->root[0] : 0;
  return root && !defect_is_back("dt_before_copies") && looks_back(pl, root);
}

/* On a mesh what lies beyond a boundary may be made of what the states were inside: then these are copied before, too. */
static bool ghosts_look_back(const planner *pl) {
  const ir_module *m = pl->from;
  for (int r = 1; r < m->rule.n && !m->on_grid; r++)
    for (int i = 0; pl->in->rule_used[r] && i < m->rule.at[r].entry.n; i++) {
      const ir_rule_entry *e = &m->rule.at[r].entry.at[i];
      if (e->kind == IR_GHOST && looks_back(pl, e->root)) return true;
    }
  return false;
}

/* Before the first step what is shown of the start of the last one is what is now. What is asked for may look farther back than those who
 * ask have said: rules do, and equations at the start of the step; and what is required then meets rules, too. Then all is copied. */
static bool shown_looks_farther(const planner *pl) {
  const ir_module *m = pl->from;
  back_search s = {.seen = arena_array(m->memory, bool, m->symbol.n)};
  bool asked = false, found = false;
  for (int i = 0; i < m->require.n; i++) asked = asked || !m->require.at[i].of_step;
  for (int k = 1; k < m->symbol.n; k++) {
    asked = asked || pl->found[k].asked;
    if (pl->found[k].asked && m->symbol.at[k].purpose.role == IR_STEP_START) search_symbol(pl, &s, (ir_sym)k);
  }
  for (int r = 1; r < m->rule.n && asked; r++)
    for (int i = 0; pl->in->rule_used[r] && i < m->rule.at[r].entry.n; i++)
      vec_push(m->memory, &s.work, m->rule.at[r].entry.at[i].root);
  while (s.work.n > 0 && !found) found = search_formula(pl, &s, s.work.at[--s.work.n]);
  arena_return_array(m->memory, s.seen, m->symbol.n);
  return found;
}

/* A state, or an equation made of states at the same point. */
static bool is_of_one_point(const ir_module *m, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(m, sym);
  if (q->kind != IR_EQUATION) return q->kind == IR_STATE;
  const ir_reached all = ir_reach(m, q->root, 1);
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(m, all.at[i]);
    if (n->op == IR_REDUCE) return false;
    if (n->op == IR_READ && (n->read.at != IR_AT_HERE || ir_symbol_get(m, n->read.sym)->kind != IR_STATE))
      return false;
  }
  return true;
}

typedef struct back_here {
  const ir_module *m;
  int backs,
      of_updates; /* roots that look back; of these the new values in updates that do so at their own point only */
} back_here;

static bool root_looks_back(const ir_module *m, ir_id root, bool *here) {
  const ir_reached all = ir_reach(m, &root, 1);
  bool back = false;
  *here = true;
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(m, all.at[i]);
    if (n->op != IR_READ || n->read.level != IR_PREV) continue;
    back = true;
    *here = *here && n->read.at == IR_AT_HERE && is_of_one_point(m, n->read.sym);
  }
  return back;
}

static void count_root(void *ctx, ir_id *root) {
  back_here *c = ctx;
  bool here;
  c->backs += *root && root_looks_back(c->m, *root, &here);
}

static void count_updates(back_here *c, const ir_stmt *list, int n) {
  for (int i = 0; i < n; i++) {
    bool here;
    for (int k = 0; k < list[i].assign.n && list[i].kind == IR_UPDATE; k++)
      c->of_updates += root_looks_back(c->m, list[i].assign.at[k].value, &here) && here;
    count_updates(c, list[i].body.at, list[i].body.n);
  }
}

/* Do updates alone look back, each at its own point? Then nobody sees beyond a boundary what the states were. */
static bool looks_back_here_only(const planner *pl) {
  back_here c = {pl->from, 0, 0};
  for (int s = 1; s < pl->from->symbol.n; s++)
    if (pl->from->symbol.at[s].purpose.role == IR_STEP_START) return false;
  ir_each_root(pl->from, count_root, &c);
  count_updates(&c, pl->from->step.at, pl->from->step.n);
  return c.backs == c.of_updates;
}

/* Rules that read it say what lies beyond boundaries when it is known: too late for those copies. */
static void refuse_dt_before_copies(planner *pl) {
  diag *d = diag_report(pl->in->sink, DIAG_TARGET, ir_symbol_get(pl->from, pl->in->dt)->at,
                        "`dt` follows from values at the start of the step, and what rules say beyond "
                        "boundaries then from `dt`");
  diag_with_hint(pl->in->sink, d, "let `dt` read X for X.prev: when it is computed they are the same");
}

/* Is what is to be looked at made of this quantity at the start of the step, itself or through equations and what rules say of them? */
static bool follows_start(const planner *pl, back_search *s, ir_sym of) {
  const ir_module *m = pl->from;
  bool found = false;
  s->seen = arena_array(m->memory, bool, m->symbol.n);
  while (s->work.n > 0 && !found) {
    const ir_id root = s->work.at[--s->work.n];
    const ir_reached all = ir_reach(m, &root, 1);
    for (int i = 0; i < all.n && !found; i++) {
      const ir_node *n = ir_get(m, all.at[i]);
      if (n->op != IR_READ) continue;
      found = n->read.sym == of && n->read.level == IR_PREV;
      search_symbol(pl, s, n->read.sym);
    }
  }
  arena_return_array(m->memory, s->seen, m->symbol.n);
  return found;
}

bool reads_start_of(const planner *pl, ir_id root, ir_sym of) {
  back_search s = {0};
  vec_push(pl->from->memory, &s.work, root);
  return follows_start(pl, &s, of);
}

/* On a mesh: is what rules say of one beyond boundaries made of the other at the start of the step? Then the other one, which may be asked
 * for beyond boundaries there, is copied first. */
static bool ghosts_follow_start(const planner *pl, ir_sym state, ir_sym other) {
  const ir_module *m = pl->from;
  back_search s = {0};
  const ir_entries said = ir_entries_of(m, state);
  for (int i = 0; i < said.n; i++)
    if (pl->in->rule_used[said.at[i].rule]) vec_push(m->memory, &s.work, ir_entry_at(m, &said, i)->root);
  return follows_start(pl, &s, other);
}

typedef VEC(ir_sym) state_list;

/* The next whose ghosts follow from no other's copy, and so from none that is yet to be made; where they ask for each other, the first. */
static int next_to_copy(const planner *pl, const state_list *left) {
  for (int i = 0; i < left->n; i++) {
    bool waits = false;
    for (int k = 0; k < left->n && !waits; k++)
      waits = k != i && ghosts_follow_start(pl, left->at[i], left->at[k]);
    if (!waits) return i;
  }
  return 0;
}

void copy_previous(planner *pl, bool shown_only) {
  const bool twice = ghosts_look_back(pl), all = !shown_only || shown_looks_farther(pl),
             here = looks_back_here_only(pl), dt_later = !pl->at.dt_asked && dt_looks_back(pl);
  const bool before_stages = pl->at.before_stages;
  state_list left = {0};
  if (dt_later) pl->at.dt_asked = true, pl->at.before_stages = stages_near_walls(pl);
  for (int s = 1; s < pl->to->symbol.n; s++)
    if (pl->storage[s].prev && ir_symbol_get(pl->to, (ir_sym)s)->kind == IR_STATE &&
        (all || pl->found[s].asked))
      vec_push(pl->memory, &left, (ir_sym)s);
  for (int i = 0; i < left.n && twice; i++) copy_state(pl, left.at[i]);
  while (left.n > 0) {
    const int next = twice && !defect_is_back("copies_in_order") ? next_to_copy(pl, &left) : 0;
    const ir_sym sym = left.at[next];
    const bool cells = ir_symbol_get(pl->to, sym)->place == IR_CELLS && !(here && !pl->from->on_grid);
    if (pl->from->on_grid || cells) refresh_ghosts(pl, &sym, 1);
    copy_state(pl, sym);
    for (int i = next + 1; i < left.n; i++) left.at[i - 1] = left.at[i];
    left.n--;
  }
  if (!dt_later) return;
  pl->at.dt_asked = false, pl->at.before_stages = before_stages;
  if (pl->now[pl->in->dt].valid && pl->at.current == DSLC_SECTION_STEP) refuse_dt_before_copies(pl);
}

/* ---- equations -------------------------------------------------------------------------------------------------------- */

void demand_previous(planner *pl, bool shown_only) {
  VEC(ir_sym) all = {0};
  for (int s = 1; s < pl->from->symbol.n; s++)
    if (pl->from->symbol.at[s].purpose.role == IR_STEP_START && (!shown_only || pl->found[s].asked))
      vec_push(pl->memory, &all, (ir_sym)s);
  if (all.n) demand_symbols(pl, all.at, all.n);
  if (pl->from->on_grid) return;
  /* Cells: beyond the boundary too if somebody looks there, while the states are those of the start. */
  for (int i = 0; i < all.n; i++)
    if (ir_symbol_get(pl->to, all.at[i])->place == IR_CELLS && pl->use[all.at[i]].across)
      refresh_ghosts(pl, &all.at[i], 1);
}

/* ---- before the first step ---------------------------------------------------------------------------------------------- */

/* Does a rule that fixes states look back, itself or by what it names? */
static bool fixes_look_back(const planner *pl) {
  const ir_module *m = pl->from;
  for (int i = 0; i < m->constraint.n; i++)
    if (looks_back(pl, m->constraint.at[i].root)) return true;
  for (int r = 1; r < m->rule.n && m->on_grid; r++)
    for (int i = 0; pl->in->rule_used[r] && i < m->rule.at[r].entry.n; i++) {
      const ir_rule_entry *e = &m->rule.at[r].entry.at[i];
      const bool fixes = e->kind == IR_FIX && ir_symbol_get(m, e->target)->kind == IR_STATE;
      if (fixes && looks_back(pl, e->root)) return true;
    }
  return false;
}

/* Before the first step the start of the step is what the case gives, to rules and to `dt`, too. */
static void keep_states(planner *pl) {
  for (int s = 1; s < pl->to->symbol.n; s++) {
    ir_sym sym = (ir_sym)s;
    if (!pl->storage[s].prev || ir_symbol_get(pl->to, sym)->kind != IR_STATE) continue;
    if (pl->from->on_grid) refresh_ghosts(pl, &sym, 1);
    copy_state(pl, sym);
  }
}

void keep_start_values(planner *pl) {
  if (fixes_look_back(pl) || dt_looks_back(pl)) keep_states(pl); /* a rule's time may ask for dt */
}

void keep_for_dt(planner *pl) {
  if (dt_looks_back(pl)) keep_states(pl);
}

static bool is_fixed_at_start(const planner *pl, ir_sym s) {
  if (ir_symbol_get(pl->to, s)->kind != IR_STATE) return false;
  return pl->from->on_grid ? has_rule(pl, s, IR_FIX) : pl->use[s].held;
}

/* What follows looks at the values that rules have given, also where it looks back: before the first step X.prev is X. */
static void forget_start_values(planner *pl) {
  for (int s = 1; s < pl->to->symbol.n; s++)
    if (is_fixed_at_start(pl, (ir_sym)s)) invalidate(pl, (ir_sym)s);
  for (int s = 1; s < pl->to->symbol.n; s++)
    if (pl->use[s].once && !pl->storage[s].fixed) pl->now[s].valid = pl->now[s].ghosts_valid = false;
}

/* What rules read of the start of the step as they fix states. */
typedef struct start_search {
  bool *seen;       /* equations that are computed where they are read, of the start: by symbol */
  VEC(ir_id) now;   /* formulas that are to be looked at, as they stand */
  VEC(ir_id) start; /* and as they were when the step began */
  VEC(ir_sym) found;
} start_search;

static void search_read(const planner *pl, start_search *s, const ir_node *n, bool back) {
  const ir_sym sym = n->read.sym, start = pl->use[sym].previous;
  const ir_symbol *q = ir_symbol_get(pl->from, sym);
  back = back || n->read.level == IR_PREV;
  if (back && start) vec_push(pl->memory, &s->found, start);
  else if (!back && q->purpose.role == IR_RULE_SUM) vec_push(pl->memory, &s->now, q->root[0]);
  else if (back && (q->kind == IR_EQUATION || q->kind == IR_GLOBAL) && !s->seen[sym]) {
    s->seen[sym] = true;
    if (q->root[0]) vec_push(pl->memory, &s->start, q->root[0]);
  }
}

static void search_reads(const planner *pl, start_search *s, ir_id root, bool back) {
  const ir_reached reached = ir_reach(pl->from, &root, 1);
  for (int i = 0; i < reached.n; i++) {
    const ir_node *n = ir_get(pl->from, reached.at[i]);
    if (n->op == IR_READ) search_read(pl, s, n, back);
  }
}

/* Equations at the start of the step that rules read as they fix states, themselves or through equations that are not stored: computed
 * before any of them acts. */
static void demand_looked_back_at(planner *pl) {
  const ir_module *m = pl->from;
  start_search s = {.seen = arena_array(pl->memory, bool, m->symbol.n)};
  for (int i = 0; i < m->constraint.n; i++)
    if (ir_symbol_get(m, m->constraint.at[i].target)->kind == IR_STATE)
      vec_push(pl->memory, &s.now, m->constraint.at[i].root);
  while (s.now.n + s.start.n > 0) {
    if (s.now.n > 0) search_reads(pl, &s, s.now.at[--s.now.n], false);
    else search_reads(pl, &s, s.start.at[--s.start.n], true);
  }
  if (s.found.n) demand_symbols(pl, s.found.at, s.found.n);
}

static void hold_start_values(planner *pl) {
  VEC(ir_sym) held = {0};
  for (int s = 1; s < pl->to->symbol.n; s++)
    if (is_fixed_at_start(pl, (ir_sym)s)) vec_push(pl->memory, &held, (ir_sym)s);
  demand_looked_back_at(pl);
  demand_named(pl, held.at, held.n);
  for (int i = 0; i < held.n; i++) apply_holds(pl, held.at[i], 0);
}

/* Boundary rules at the start. */
void plan_start_values(planner *pl) {
  if (pl->from->on_grid) fix_start_values(pl);
  else hold_start_values(pl);
  forget_start_values(pl);
}
