/* On meshes: for which others what a rule says of a quantity at its faces waits, as a plan computes it. A face of a rule is that rule's alone, so
 * that what stands in a formula there of another quantity at the same face is what the same rule says of it, or else its own formula. What lies in
 * the cell inside, beyond boundaries, or is summed up, is a matter of all rules. */
#include "base/defects.h"
#include "schedule/planner.h"

/* Where a formula is seen: wherever it holds, or by the number of a rule at its faces and beyond them. */
enum { EVERYWHERE = 0 };

typedef struct waits_root {
  ir_id id;
  int view;
  bool start;    /* with every state as it was when the step began */
  bool in_place; /* at the rule's faces it is written out: no buffer of a face is read */
} waits_root;

typedef struct waits_search {
  const planner *pl;
  char *seen;    /* by symbol, time and view: 1 what is read at boundaries, 2 all */
  bool *beyond;  /* by symbol: what lies beyond boundaries is made */
  bool *written; /* by symbol: it is written out */
  VEC(waits_root) root;
} waits_search;

const ir_rule_entry *flux_entry(const planner *pl, int rule, ir_sym sym) {
  return ir_entry_find(pl->from, rule, ir_named_by_rules(pl->from, sym), IR_FLUX);
}

static int number_of(const planner *pl, ir_sym sym, bool start, int view) {
  return ((int)sym * 2 + start) * pl->from->rule.n + view;
}

static bool is_to_be_said(const planner *pl, ir_sym sym, int rule) {
  for (int i = 0; i < pl->at.to_say.n; i++)
    if (pl->at.to_say.at[i].sym == sym && pl->at.to_say.at[i].rule == rule) return true;
  return false;
}

static void push_root(waits_search *s, waits_root root) {
  if (defect_is_back("rules_by_whole_quantities")) root.view = EVERYWHERE;
  if (root.id) vec_push(s->pl->memory, &s->root, root);
}

static void push_formula(waits_search *s, ir_sym sym, waits_root as) {
  for (int part = 0; part < 2; part++) {
    as.id = ir_symbol_get(s->pl->from, sym)->root[part];
    push_root(s, as);
  }
}

/* A launch has made it already; `near`: at boundaries is enough. */
static bool is_made(const planner *pl, ir_sym sym, bool near) {
  return pl->now[sym].valid || (near && pl->now[sym].at_boundary);
}

/* What rules say of it where it is seen, if they have not yet. */
static void push_rules(waits_search *s, ir_sym sym, int view, bool made) {
  const planner *pl = s->pl;
  for (int r = 1; r < pl->from->rule.n; r++) {
    if (!pl->in->rule_used[r] || (view != EVERYWHERE && view != r)) continue;
    const ir_rule_entry *e = !made || is_to_be_said(pl, sym, r) ? flux_entry(pl, r, sym) : NULL;
    if (e) push_root(s, (waits_root){.id = e->root, .view = r});
  }
  for (int c = 0; c < pl->from->constraint.n && !made; c++)
    if (pl->from->constraint.at[c].target == sym)
      push_root(s, (waits_root){.id = pl->from->constraint.at[c].root});
}

/* What has a buffer is computed wherever it lives, else where it is read. */
static void follow(waits_search *s, ir_sym sym, waits_root as, bool near) {
  const planner *pl = s->pl;
  const ir_symbol *q = ir_symbol_get(pl->from, sym);
  const symbol_storage *sp = &pl->storage[sym];
  char *seen = &s->seen[number_of(pl, sym, as.start, as.view)];
  const char wanted = near ? 1 : 2;
  if (*seen >= wanted || (q->kind != IR_EQUATION && q->kind != IR_GLOBAL)) return;
  *seen = wanted;
  const bool buffer = !as.start && sp->stored && (!sp->patch || pl->use[sym].flux_rule),
             made = !as.start && is_made(pl, sym, near);
  if (!as.start) push_rules(s, sym, as.view, made);
  if (buffer) as.view = EVERYWHERE, as.in_place = false;
  if (!made) push_formula(s, sym, as);
}

/* What lies beyond the boundaries, of all rules: their ghosts are made together. See ghosts.c. */
static void follow_beyond(waits_search *s, ir_sym sym, bool start) {
  const planner *pl = s->pl;
  const ir_symbol *q = ir_symbol_get(pl->from, sym);
  if (start && q->kind != IR_EQUATION) return;
  if (s->beyond[sym] || pl->now[sym].ghosts_valid) return;
  s->beyond[sym] = true;
  for (int r = 1; r < pl->from->rule.n; r++) {
    if (!pl->in->rule_used[r]) continue;
    const ir_rule_entry *e = ir_entry_find(pl->from, r, ir_named_by_rules(pl->from, sym), IR_GHOST);
    if (e) push_root(s, (waits_root){.id = e->root, .view = r});
    else if (follows_beyond(pl, sym)) push_formula(s, sym, (waits_root){.view = r, .start = start});
  }
}

/* What a formula that is written out reads at its own face, or beyond it where the rule says what lies there. False: it reads a buffer. */
static bool write_out(waits_search *s, const ir_node *n, int rule) {
  const planner *pl = s->pl;
  const ir_sym sym = n->read.sym;
  const ir_symbol *q = ir_symbol_get(pl->from, sym);
  const bool here = q->place == IR_FACES && n->read.at == IR_AT_HERE && q->kind == IR_EQUATION,
             right = q->place == IR_CELLS && (n->read.at == IR_AT_R || n->read.at == IR_AT_HERE);
  const ir_rule_entry *e =
      here || right ? ir_entry_find(pl->from, rule, sym, here ? IR_FLUX : IR_GHOST) : NULL;
  const bool formula = here ? !pl->now[sym].valid : right && follows_beyond(pl, sym);
  if (!here && !e && !formula) return false;
  if (s->written[sym]) return true;
  s->written[sym] = true;
  if (e) push_root(s, (waits_root){.id = e->root, .view = rule, .in_place = true});
  else if (formula) push_formula(s, sym, (waits_root){.view = rule, .in_place = true});
  return true;
}

static void follow_read(waits_search *s, const waits_root *r, const ir_node *n) {
  const planner *pl = s->pl;
  const ir_symbol *q = ir_symbol_get(pl->from, n->read.sym);
  const bool read = n->op == IR_READ, here = read && n->read.at == IR_AT_HERE,
             right = read && n->read.at == IR_AT_R;
  bool start = read && q->kind != IR_GLOBAL && (r->start || n->read.level == IR_PREV);
  if (start && defect_is_back("flux_rules_of_starts")) return;
  ir_sym sym = n->read.sym;
  if (!defect_is_back("free_step_of_nothing")) sym = ir_known_with(pl->from, sym);
  if (start && q->kind == IR_EQUATION && pl->use[sym].previous) sym = pl->use[sym].previous, start = false;
  if (r->in_place && read && !start && sym == n->read.sym && write_out(s, n, r->view)) return;
  const bool there = (here || right) && (q->place == IR_CELLS || q->place == IR_FACES);
  const int view = there ? r->view : EVERYWHERE;
  const bool in_place = r->in_place && view != EVERYWHERE;
  follow(s, sym, (waits_root){.view = view, .start = start, .in_place = in_place}, r->view != EVERYWHERE);
  if (q->place != IR_CELLS || !read || defect_is_back("rules_by_whole_quantities")) return;
  const bool beyond = right || n->read.at == IR_AT_D || (here && view != EVERYWHERE);
  if (!beyond || (q->kind == IR_EQUATION && view != EVERYWHERE && !pl->storage[sym].stored)) return;
  if (pl->storage[sym].stored) follow(s, sym, (waits_root){.start = start}, false);
  follow_beyond(s, sym, start);
}

static void search_all(waits_search *s) {
  while (s->root.n > 0) {
    const waits_root root = s->root.at[--s->root.n];
    const ir_reached all = ir_reach(s->pl->from, &root.id, 1);
    for (int i = 0; i < all.n; i++) {
      const ir_node *n = ir_get(s->pl->from, all.at[i]);
      if (n->op == IR_READ || n->op == IR_PARAM) follow_read(s, &root, n);
    }
  }
}

/* What a formula waits for that is seen so; -1: for nothing. */
static int root_waits_for(const planner *pl, waits_root root, ir_sym of) {
  const int symbols = pl->from->symbol.n, numbers = number_of(pl, (ir_sym)symbols, false, 0);
  waits_search s = {.pl = pl,
                    .seen = arena_array(pl->memory, char, numbers),
                    .beyond = arena_array(pl->memory, bool, symbols),
                    .written = arena_array(pl->memory, bool, symbols)};
  int found = -1;
  push_root(&s, root);
  search_all(&s);
  for (int i = 0; i < pl->at.to_say.n && found < 0; i++) {
    const rule_turn *other = &pl->at.to_say.at[i];
    const bool seen = s.seen[number_of(pl, other->sym, false, other->rule)] ||
                      s.seen[number_of(pl, other->sym, false, EVERYWHERE)];
    const bool self = other->sym == of && defect_is_back("rules_by_whole_quantities");
    if (seen && !self) found = i;
  }
  arena_return_array(pl->memory, s.written, symbols);
  arena_return_array(pl->memory, s.beyond, symbols);
  arena_return_array(pl->memory, s.seen, numbers);
  return found;
}

int waits_for(const planner *pl, rule_turn turn, bool in_place) {
  const ir_id id = flux_entry(pl, turn.rule, turn.sym)->root;
  return root_waits_for(pl, (waits_root){.id = id, .view = turn.rule, .in_place = in_place}, turn.sym);
}

void note_forced(planner *pl, rule_turn turn, int other) {
  forced_turn *f = &pl->at.forced;
  const bool unsaid =
      defect_is_back("rules_by_whole_quantities") || defect_is_back("rules_read_what_they_say");
  if (f->turn.sym || unsaid) return;
  const ir_id root = flux_entry(pl, turn.rule, turn.sym)->root;
  const ir_reached all = ir_reach(pl->from, &root, 1);
  f->turn = turn, f->before = pl->at.to_say.at[other], f->by = turn.sym;
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(pl->from, all.at[i]);
    const bool read = n->op == IR_READ || n->op == IR_PARAM;
    if (!read || root_waits_for(pl, (waits_root){.id = all.at[i], .view = turn.rule}, turn.sym) < 0) continue;
    f->by = n->read.sym;
    return;
  }
}

/* Not what the rules say leads in a cycle, but what launches make of it, which are of many faces. */
void refuse_forced(const planner *pl) {
  const forced_turn *f = &pl->at.forced;
  const ir_module *m = pl->from;
  const ir_sym said = ir_named_by_rules(m, f->turn.sym), before = ir_named_by_rules(m, f->before.sym);
  diag *d =
      diag_report(pl->in->sink, DIAG_TARGET, flux_entry(pl, f->turn.rule, f->turn.sym)->at,
                  "what boundary rule `%s` says of `%s` needs `%s`, which is computed at all boundaries "
                  "together, and needs what rule `%s` says of `%s`: no order is left to compute them in",
                  m->rule.at[f->turn.rule].text, ir_symbol_get(m, said)->text, ir_symbol_get(m, f->by)->text,
                  m->rule.at[f->before.rule].text, ir_symbol_get(m, before)->text);
  diag_with_hint(pl->in->sink, d, "let the rule read a state that an `update` keeps it in");
}
