/* What a point of a grid sees of `X.prev` beyond walls, and across periodic sides, is of the start of the step like X.prev itself: `t`,
 * globals and what a case gives over time, as rules and equations read them there. Expanded from the states at the start of the step it
 * would mix these with what they are now; so a reader that needs it gets an equation at its own place, X as seen from there, which is
 * computed when the step begins. A rule that reads X.prev inside gets one at X's place. */
#include <stdlib.h>
#include <string.h>

#include "base/defects.h"
#include "lower/lower.h"

/* ---- what is of now ----------------------------------------------------------------------------------------------------- */

typedef struct closure {
  const lowering *l;
  ir_sym argument; /* looked for; 0: whatever is of now, */
  unsigned of;     /* of these kinds: lower_now */
  bool *seen;      /* by symbol */
  VEC(ir_sym) work;
} closure;

static bool is_of_now(const closure *c, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(c->l->m, sym);
  if (c->argument) return sym == c->argument;
  if (q->kind == IR_GLOBAL) return c->of & LOWER_VALUES && q->root[0] && strcmp(q->text, "dt") != 0;
  if (q->kind == IR_STATE && q->place == IR_NOWHERE) return c->of & LOWER_VALUES;
  if (q->kind == IR_TIME) return c->of & LOWER_TIME;
  if (lower_is_timed(c->l, sym)) return c->of & LOWER_CASE;
  const bool centre = q->kind == IR_GEOMETRY && q->place >= IR_XLINE && q->text[0] != 'd';
  return c->of & LOWER_CENTRES && centre && c->l->periodic;
}

/* Does the value read such a leaf? What it reads besides is looked at later. */
static bool note_value(closure *c, ir_id root) {
  const ir_module *m = c->l->m;
  ir_reached all = ir_reach(m, &root, 1);
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(m, all.at[i]);
    if (n->op != IR_READ && n->op != IR_PARAM) continue;
    if (is_of_now(c, n->read.sym)) return true;
    if (n->op != IR_READ || c->seen[n->read.sym]) continue;
    c->seen[n->read.sym] = true;
    vec_push(m->memory, &c->work, n->read.sym);
  }
  return false;
}

/* What rules in use say of the symbol, beyond walls and on them. */
static bool note_rules(closure *c, ir_sym sym) {
  const ir_module *m = c->l->m;
  const ir_entries all = ir_entries_of(m, sym);
  for (int i = 0; i < all.n; i++) {
    const ir_rule_entry *e = ir_entry_at(m, &all, i);
    bool fix = e->kind == IR_FIX && ir_symbol_get(m, sym)->kind == IR_EQUATION,
         used = c->l->rule_used[all.at[i].rule];
    if (used && (fix || e->kind == IR_GHOST) && note_value(c, e->root)) return true;
  }
  return false;
}

static bool depends_on(const lowering *l, ir_sym sym, ir_sym argument, unsigned of) {
  closure c = {l, argument, of, arena_array(l->m->memory, bool, l->m->symbol.n), {0}};
  vec_push(l->m->memory, &c.work, sym);
  while (c.work.n > 0) {
    ir_sym next = c.work.at[--c.work.n];
    const ir_symbol *q = ir_symbol_get(l->m, next);
    if (q->kind == IR_EQUATION && q->root[0] && note_value(&c, q->root[0])) return true;
    if (note_rules(&c, next)) return true;
  }
  return false;
}

bool lower_depends_on(const lowering *l, ir_sym sym, ir_sym argument) {
  return depends_on(l, sym, argument, 0);
}

bool lower_depends_on_now(const lowering *l, ir_sym sym, unsigned of) { return depends_on(l, sym, 0, of); }

static bool is_inside(const ir_node *n) { return n->read.at == IR_AT_INNER || n->read.at == IR_AT_MIRROR; }

/* ---- readers ------------------------------------------------------------------------------------------------------------- */

/* A read that may meet a wall, itself or in X's formula, or that stands in a rule. */
static bool looks_back(const ir_module *m, const ir_node *n, ir_place place) {
  if (n->op != IR_READ || n->read.level != IR_PREV) return false;
  const ir_symbol *q = ir_symbol_get(m, n->read.sym);
  if (is_inside(n)) return q->kind == IR_EQUATION && q->place < IR_XLINE;
  if (n->read.at != IR_AT_HERE && n->read.at != IR_AT_SHIFT) return false;
  bool moved = n->read.off[0] || n->read.off[1] || n->read.off[2] || q->place != place;
  return q->place < IR_XLINE && (q->kind == IR_EQUATION || (q->kind == IR_STATE && moved));
}

/* In a rule: a state as it was, which beyond a second wall is what the rule there says. */
static bool reads_state_inside(const ir_module *m, const ir_node *n) {
  return n->op == IR_READ && n->read.level == IR_PREV && is_inside(n) &&
         ir_symbol_get(m, n->read.sym)->kind == IR_STATE && !defect_is_back("starts_behind_states");
}

/* What is done with each value that the module evaluates somewhere. */
typedef struct readers readers;
typedef ir_id value_visitor(readers *r, ir_place place, ir_id root);

struct readers {
  lowering *l;
  value_visitor *visit;
  ir_place place; /* rewriting: of the value */
  char *late;     /* by symbol: 1 its .prev depends on what is of now, or on the argument, 2 no */
  int n_symbols;  /* before any was added */
  bool *followed; /* by symbol: what rules say of its .prev has been followed */
  ir_sym argument;
  bool found; /* something late is read */
};

static bool is_late(readers *r, ir_sym sym) {
  if (!r->late[sym]) r->late[sym] = depends_on(r->l, sym, r->argument, LOWER_NOW) ? 1 : 2;
  return r->late[sym] == 1;
}

static void visit_list(readers *r, ir_stmt *list, int n) {
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < list[i].assign.n; k++) {
      ir_assign *a = &list[i].assign.at[k];
      a->value = r->visit(r, ir_symbol_get(r->l->m, a->target)->place, a->value);
    }
    if (list[i].until) list[i].until = r->visit(r, IR_NOWHERE, list[i].until);
    visit_list(r, list[i].body.at, list[i].body.n);
  }
}

static void visit_values(readers *r) {
  ir_module *m = r->l->m;
  for (int s = 1; s < r->n_symbols; s++) {
    const ir_symbol q = *ir_symbol_get(m, (ir_sym)s);
    if ((q.kind != IR_EQUATION && q.kind != IR_GLOBAL) || !q.root[0]) continue;
    ir_id root = r->visit(r, q.place, q.root[0]);
    ir_symbol_get(m, (ir_sym)s)->root[0] = root;
  }
  for (int i = 0; i < m->require.n; i++) {
    ir_require *q = &m->require.at[i];
    q->condition = r->visit(r, q->place, q->condition);
  }
  visit_list(r, m->step.at, m->step.n);
  for (int k = 1; k < m->rule.n; k++)
    for (int i = 0; r->l->rule_used[k] && i < m->rule.at[k].entry.n; i++) {
      ir_rule_entry *e = &m->rule.at[k].entry.at[i];
      e->root = r->visit(r, ir_symbol_get(m, e->target)->place, e->root);
    }
}

static bool any_looks_back(const ir_module *m) {
  const unsigned char *live = ir_live(m);
  for (ir_id id = 1; id < (ir_id)m->node.n; id++)
    if (live[id] && ir_get(m, id)->op == IR_READ && ir_get(m, id)->read.level == IR_PREV) return true;
  return false;
}

static bool visit_all(lowering *l, value_visitor *visit, ir_sym argument) {
  const int n = l->m->symbol.n;
  if (!l->m->on_grid || !any_looks_back(l->m)) return false;
  readers r = {.l = l,
               .visit = visit,
               .late = arena_array(l->m->memory, char, n),
               .followed = arena_array(l->m->memory, bool, n),
               .n_symbols = n,
               .argument = argument};
  visit_values(&r);
  return r.found;
}

/* ---- an equation for each ------------------------------------------------------------------------------------------------- */

static ir_sym seen_at_start(readers *r, const ir_node *n, ir_place place) {
  ir_module *m = r->l->m;
  ir_node now = *n;
  now.read.level = IR_NOW;
  const bool own = ir_symbol_get(m, n->read.sym)->place == place && !n->read.off[0] && !n->read.off[1] &&
                   !n->read.off[2];
  if (is_inside(n) || own) now.read.at = IR_AT_HERE;
  ir_id root = ir_rebuild(m, &now, NULL);
  for (int s = r->n_symbols; s < m->symbol.n; s++)
    if (m->symbol.at[s].root[0] == root && m->symbol.at[s].place == place) return (ir_sym)s;
  const ir_symbol *q = ir_symbol_get(m, n->read.sym);
  const char *text = arena_printf(m->memory, "%s.prev(%s)", q->text, ir_place_text(place));
  ir_symbol s = {.text = lower_fresh_name(m, text),
                 .kind = IR_EQUATION,
                 .purpose.role = IR_STEP_START,
                 .place = place,
                 .type = n->type,
                 .dims = m->dims,
                 .root = {root},
                 .at = q->at};
  return ir_symbol_add(m, s);
}

static void follow_start(readers *r, ir_sym sym);

/* Beyond a wall a formula, and what a rule says, are made of values inside and on walls where nothing gives them there; those of the start
 * that depend on the time are computed then. */
static void follow_reads(readers *r, ir_id root) {
  ir_module *m = r->l->m;
  const ir_reached all = ir_reach(m, &root, 1);
  for (int i = 0; i < all.n; i++) {
    ir_node n = *ir_get(m, all.at[i]);
    if (n.op != IR_READ || n.read.sym >= (ir_sym)r->n_symbols) continue;
    const ir_symbol *q = ir_symbol_get(m, n.read.sym);
    if (q->place >= IR_XLINE) continue;
    if (q->kind == IR_STATE && !defect_is_back("starts_behind_states")) follow_start(r, n.read.sym);
    if (q->kind != IR_EQUATION) continue;
    memset(n.read.off, 0, sizeof n.read.off);
    if (is_late(r, n.read.sym)) seen_at_start(r, &n, q->place);
    follow_start(r, n.read.sym);
  }
}

/* A rule may read X.prev beyond a second wall: what the rule there, or that of what X follows from, reads of equations inside is of the start
 * as well. */
static void follow_start(readers *r, ir_sym sym) {
  const ir_module *m = r->l->m;
  if (r->followed[sym]) return;
  r->followed[sym] = true;
  const ir_symbol *q = ir_symbol_get(m, sym);
  if (q->root[0]) follow_reads(r, q->root[0]);
  const ir_entries all = ir_entries_of(m, sym);
  for (int i = 0; i < all.n; i++) {
    const ir_rule_entry *e = ir_entry_at(m, &all, i);
    if (e->kind == IR_GHOST && r->l->rule_used[all.at[i].rule]) follow_reads(r, e->root);
  }
}

static ir_id rewrite(readers *r, ir_place place, ir_id root);

static ir_id as_seen(void *ctx, ir_module *m, ir_id id) {
  readers *r = ctx;
  const ir_node n = *ir_get(m, id);
  if (n.op == IR_REDUCE && n.reduce.binder == IR_OVER_ALL) {
    ir_id old = ir_args(m, &n)[0], body = rewrite(r, (ir_place)n.reduce.place, old);
    return body == old ? id : ir_rebuild(m, &n, &body);
  }
  if (reads_state_inside(m, &n) && is_late(r, n.read.sym)) follow_start(r, n.read.sym);
  if (r->place == IR_NOWHERE || !looks_back(m, &n, r->place) || !is_late(r, n.read.sym)) return 0;
  if (is_inside(&n)) follow_start(r, n.read.sym);
  r->found = true;
  const ir_place place = is_inside(&n) ? ir_symbol_get(m, n.read.sym)->place : r->place;
  return rewrite_read(m, seen_at_start(r, &n, place), IR_NOW, is_inside(&n) ? (ir_at)n.read.at : IR_AT_HERE,
                      0);
}

static ir_id rewrite(readers *r, ir_place place, ir_id root) {
  ir_place outer = r->place;
  r->place = place;
  ir_id value = rewrite_value(r->l->m, root, as_seen, r);
  r->place = outer;
  return value;
}

void lower_seen_starts(lowering *l) { visit_all(l, rewrite, 0); }

/* ---- what a case may not give over time ------------------------------------------------------------------------------------ */

static ir_id look(readers *r, ir_place place, ir_id root) {
  ir_reached all = ir_reach(r->l->m, &root, 1);
  for (int i = 0; i < all.n && !r->found; i++) {
    const ir_node *n = ir_get(r->l->m, all.at[i]);
    r->found = looks_back(r->l->m, n, place) && is_late(r, n->read.sym);
  }
  return root;
}

bool lower_sees_start(const lowering *l, ir_sym argument) {
  lowering copy = *l;
  return visit_all(&copy, look, argument);
}
