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

/* How far somebody looks at a quantity: on a mesh what rules say of it beyond boundaries matters to those who look there. */
typedef enum sight { UNSEEN, INSIDE, BEYOND } sight;

/* A formula that is to be looked at: as it is, or as it was when the step began. */
typedef struct back_root {
  ir_id id;
  ir_level level;
  sight as;
  bool of_rule; /* on a mesh: left of its face lies the cell inside */
} back_root;

typedef struct back_search {
  sight *seen[2]; /* by level and symbol */
  VEC(back_root) work;
} back_search;

enum { ANYTHING = 0, NOTHING = -1 }; /* in the place of a symbol that is searched for */

static back_search search_begin(const planner *pl) {
  const int n = pl->from->symbol.n;
  return (back_search){
      .seen = {arena_array(pl->from->memory, sight, n), arena_array(pl->from->memory, sight, n)}};
}

static void search_end(const planner *pl, back_search *s) {
  for (int level = 1; level >= 0; level--)
    arena_return_array(pl->from->memory, s->seen[level], pl->from->symbol.n);
}

static void search_root(const planner *pl, back_search *s, back_root root) {
  if (root.id) vec_push(pl->from->memory, &s->work, root);
}

/* What a symbol is made of: on a grid rules are a part of it, too. */
static void search_symbol(const planner *pl, back_search *s, ir_sym sym, ir_level level, sight as) {
  const ir_module *m = pl->from;
  sym = ir_known_with(m, sym);
  const ir_symbol *q = ir_symbol_get(m, sym);
  if (s->seen[level][sym] >= as) return;
  s->seen[level][sym] = as;
  for (int part = 0; part < 2; part++)
    if (q->kind == IR_EQUATION || q->kind == IR_GLOBAL)
      search_root(pl, s, (back_root){q->root[part], level, as, false});
  const ir_entries all = ir_entries_of(m, sym);
  for (int i = 0; i < all.n; i++) {
    const ir_rule_entry *e = ir_entry_at(m, &all, i);
    const bool counts =
        m->on_grid ? e->kind == IR_GHOST || q->kind == IR_EQUATION : e->kind != IR_GHOST || as == BEYOND;
    if (pl->in->rule_used[all.at[i].rule] && counts)
      search_root(pl, s, (back_root){e->root, level, INSIDE, true});
  }
}

/* Of which time a read is that stands in a formula: in what is seen of the start, all is. What a state was when a pass of a repeat began is none of
 * the start. */
static ir_level level_of(const planner *pl, const ir_node *n, const back_root *root) {
  if (n->op != IR_READ) return root->level;
  const bool kept = ir_symbol_get(pl->from, n->read.sym)->purpose.role == IR_STEP_START;
  const bool start = (root->level == IR_PREV && !defect_is_back("starts_of_formulas")) || kept;
  return start || n->read.level == IR_PREV ? IR_PREV : IR_NOW;
}

/* Is it read where the formula holds, or on the same side of the boundary? */
static bool stays(const ir_node *n, const back_root *root) {
  if (n->op != IR_READ || (root->of_rule && n->read.at == IR_AT_L)) return true;
  return n->read.at == IR_AT_HERE || n->read.at == IR_AT_F || n->read.at == IR_AT_OUT;
}

/* What it reads is to be looked at too: whoever sees a formula beyond a boundary sees all of it there. True: it reads `of` as it was at the
 * start. */
static bool search_formula(const planner *pl, back_search *s, back_root root, ir_sym of) {
  ir_reached all = ir_reach(pl->from, &root.id, 1);
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(pl->from, all.at[i]);
    if (n->op != IR_READ && n->op != IR_PARAM) continue;
    const ir_level level = level_of(pl, n, &root);
    const bool back = n->op == IR_READ && (n->read.level == IR_PREV || pl->use[n->read.sym].start_beyond);
    if (of == ANYTHING ? back : n->read.sym == of && level == IR_PREV) return true;
    search_symbol(pl, s, n->read.sym, level, stays(n, &root) ? root.as : BEYOND);
  }
  return false;
}

static void search_all(const planner *pl, back_search *s) {
  while (s->work.n > 0) search_formula(pl, s, s->work.at[--s->work.n], NOTHING);
}

/* Does a formula read `of` as it was at the start, itself or through what it reads? */
static bool search_finds(const planner *pl, back_search *s, ir_sym of) {
  bool found = false;
  while (s->work.n > 0 && !found) found = search_formula(pl, s, s->work.at[--s->work.n], of);
  search_end(pl, s);
  return found;
}

static bool looks_back(const planner *pl, ir_id root) {
  back_search s = search_begin(pl);
  search_root(pl, &s, (back_root){root, IR_NOW, INSIDE, false});
  return search_finds(pl, &s, ANYTHING);
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
  back_search s = search_begin(pl);
  bool asked = false;
  for (int i = 0; i < m->require.n; i++) asked = asked || !m->require.at[i].of_step;
  for (int k = 1; k < m->symbol.n; k++) {
    asked = asked || pl->found[k].asked;
    if (pl->found[k].asked && m->symbol.at[k].purpose.role == IR_STEP_START)
      search_symbol(pl, &s, (ir_sym)k, IR_NOW, BEYOND);
  }
  for (int r = 1; r < m->rule.n && asked; r++)
    for (int i = 0; pl->in->rule_used[r] && i < m->rule.at[r].entry.n; i++)
      search_root(pl, &s, (back_root){m->rule.at[r].entry.at[i].root, IR_NOW, INSIDE, true});
  return search_finds(pl, &s, ANYTHING);
}

typedef struct any_root {
  const planner *pl;
  back_search *search;
  bool of_rule;
} any_root;

static void search_any(void *ctx, ir_id *root) {
  const any_root *a = ctx;
  search_root(a->pl, a->search, (back_root){*root, IR_NOW, INSIDE, a->of_rule});
}

/* By symbol: whether somebody looks beyond boundaries at what it was when the step began. On grids all are taken to be. */
static const bool *find_seen_beyond(const planner *pl) {
  const ir_module *m = pl->from;
  bool *beyond = arena_array(pl->memory, bool, m->symbol.n);
  back_search s = search_begin(pl);
  if (!m->on_grid) {
    ir_each_rule_root(pl->from, search_any, &(any_root){pl, &s, true});
    ir_each_root_but_rules(pl->from, search_any, &(any_root){pl, &s, false});
  }
  search_all(pl, &s);
  for (int k = 1; k < m->symbol.n; k++)
    beyond[k] = m->on_grid || (m->symbol.at[k].place == IR_CELLS && s.seen[IR_PREV][k] == BEYOND);
  search_end(pl, &s);
  return beyond;
}

/* Rules that read it say what lies beyond boundaries when it is known: too late for those copies. */
static void refuse_dt_before_copies(planner *pl) {
  diag *d = diag_report(pl->in->sink, DIAG_TARGET, ir_symbol_get(pl->from, pl->in->dt)->at,
                        "`dt` follows from values at the start of the step, and what rules say beyond "
                        "boundaries then from `dt`");
  diag_with_hint(pl->in->sink, d, "let `dt` read X for X.prev: when it is computed they are the same");
}

typedef VEC(ir_sym) state_list;

/* All that what rules say of a state beyond boundaries is made of. */
static back_search search_said(const planner *pl, ir_sym state) {
  const ir_module *m = pl->from;
  const ir_entries said = ir_entries_of(m, state);
  back_search s = search_begin(pl);
  for (int i = 0; i < said.n; i++)
    if (pl->in->rule_used[said.at[i].rule])
      search_root(pl, &s, (back_root){ir_entry_at(m, &said, i)->root, IR_NOW, INSIDE, true});
  search_all(pl, &s);
  return s;
}

/* On a mesh what rules say of a state beyond boundaries may be made of what others were there: then their copies are made before, and no state's
 * may wait for itself. What others were inside is copied before all. */
static bool waits(const planner *pl, ir_sym state, const state_list *left) {
  back_search s = search_said(pl, state);
  bool found = false;
  for (int i = 0; i < left->n; i++) found = found || s.seen[IR_PREV][left->at[i]] == BEYOND;
  search_end(pl, &s);
  return found;
}

/* Does what must lie beyond boundaries at the start of the step follow from dt? On a mesh; whichever equations are stored, so that it does not
 * depend on the schedule. */
static bool copies_wait_for_dt(const planner *pl, const bool *beyond) {
  bool found = false;
  for (int k = 1; k < pl->from->symbol.n && !pl->from->on_grid && !found; k++) {
    if (!beyond[k] || ir_symbol_get(pl->from, (ir_sym)k)->kind != IR_STATE) continue;
    back_search s = search_said(pl, (ir_sym)k);
    found = s.seen[IR_NOW][pl->in->dt] || s.seen[IR_PREV][pl->in->dt];
    search_end(pl, &s);
  }
  return found;
}

/* `beyond`, by symbol: who is looked at there; nobody else waits. */
static int next_to_copy(planner *pl, const state_list *left, const bool *beyond) {
  for (int i = 0; i < left->n; i++)
    if (!beyond[left->at[i]] || !waits(pl, left->at[i], left)) return i;
  if (!defect_is_back("start_beyond_itself")) refuse_circle(pl, left->at[0]);
  return 0;
}

void copy_previous(planner *pl, bool shown_only) {
  const bool twice = ghosts_look_back(pl), all = !shown_only || shown_looks_farther(pl),
             dt_later = !pl->at.dt_asked && dt_looks_back(pl);
  const bool *beyond = find_seen_beyond(pl);
  const bool before_stages = pl->at.before_stages;
  state_list left = {0};
  if (dt_later) pl->at.dt_asked = true, pl->at.before_stages = stages_near_walls(pl);
  for (int s = 1; s < pl->to->symbol.n; s++)
    if (pl->storage[s].prev && ir_symbol_get(pl->to, (ir_sym)s)->kind == IR_STATE &&
        (all || pl->found[s].asked))
      vec_push(pl->memory, &left, (ir_sym)s);
  for (int i = 0; i < left.n && twice; i++) copy_state(pl, left.at[i]);
  while (left.n > 0) {
    const int next = twice && !defect_is_back("copies_in_order") ? next_to_copy(pl, &left, beyond) : 0;
    const ir_sym sym = left.at[next];
    if (beyond[sym]) refresh_ghosts(pl, &sym, 1);
    copy_state(pl, sym);
    for (int i = next + 1; i < left.n; i++) left.at[i - 1] = left.at[i];
    left.n--;
  }
  if (!dt_later) return;
  pl->at.dt_asked = false, pl->at.before_stages = before_stages;
  if (pl->at.current != DSLC_SECTION_STEP) return;
  if (pl->now[pl->in->dt].valid || copies_wait_for_dt(pl, beyond)) refuse_dt_before_copies(pl);
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
typedef struct fix_search {
  bool *seen;       /* equations that are computed where they are read, of the start: by symbol */
  VEC(ir_id) now;   /* formulas that are to be looked at, as they stand */
  VEC(ir_id) start; /* and as they were when the step began */
  VEC(ir_sym) found;
} fix_search;

static void note_fix_read(const planner *pl, fix_search *s, const ir_node *n, bool back) {
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

static void search_fix_root(const planner *pl, fix_search *s, ir_id root, bool back) {
  const ir_reached reached = ir_reach(pl->from, &root, 1);
  for (int i = 0; i < reached.n; i++) {
    const ir_node *n = ir_get(pl->from, reached.at[i]);
    if (n->op == IR_READ) note_fix_read(pl, s, n, back);
  }
}

/* Equations at the start of the step that rules read as they fix states, themselves or through equations that are not stored: computed
 * before any of them acts. */
static void demand_looked_back_at(planner *pl) {
  const ir_module *m = pl->from;
  fix_search s = {.seen = arena_array(pl->memory, bool, m->symbol.n)};
  for (int i = 0; i < m->constraint.n; i++)
    if (ir_symbol_get(m, m->constraint.at[i].target)->kind == IR_STATE)
      vec_push(pl->memory, &s.now, m->constraint.at[i].root);
  while (s.now.n + s.start.n > 0) {
    if (s.now.n > 0) search_fix_root(pl, &s, s.now.at[--s.now.n], false);
    else search_fix_root(pl, &s, s.start.at[--s.start.n], true);
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
