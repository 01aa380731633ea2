/* Which equations are stored, and why. The rules are the schedule's; their numbers are the default's, not the language's. */
#include <string.h>

#include "schedule/storage.h"

enum {
  CHEAP = 4,
  EXPENSIVE = 30,
  DEAR_ON_GRIDS = 60 /* with all that is expanded into it */
}; /* flops: below, recomputing beats a load; above, a value read at several points is stored */

typedef struct decision {
  const problem *p;
  const symbol_use *use;
  const dependence *d;
  symbol_storage *made; /* by symbol */
  bool *loaded;         /* by symbol: it is stored, and so read */
  bool fixes_to_states; /* see lower/seam_centres.c */
} decision;

static void store(const decision *c, ir_sym sym, const char *why) {
  c->made[sym].stored = c->loaded[sym] = true;
  c->made[sym].why = why;
}

/* Operations at one point with all that is expanded into it. */
static double deep_cost(const decision *c, ir_sym sym) { return lower_deep_cost(c->p->from, sym, c->loaded); }

static void measure(const decision *c, ir_sym sym) {
  const ir_module *m = c->p->from;
  const ir_symbol *q = ir_symbol_get(m, sym);
  symbol_storage *sp = &c->made[sym];
  ir_id roots[2] = {q->root[0], q->root[1] ? q->root[1] : q->root[0]};
  ir_reached reached = ir_reach(m, roots, 2);
  for (int i = 0; i < reached.n; i++) {
    const ir_node *n = ir_get(m, reached.at[i]);
    bool inner = n->op == IR_READ && c->made[n->read.sym].reduces && !c->made[n->read.sym].stored;
    if (n->op == IR_REDUCE || inner) sp->reduces = true;
  }
  sp->cost = ir_cost_of(m, roots, 2, 4).shared;
}

/* ---- faces ------------------------------------------------------------------------------------------------------------ */

bool storage_adds(const ir_module *m, ir_sym sum, ir_sym sym) {
  if (ir_symbol_get(m, sum)->purpose.role != IR_SCATTERED_SUM) return false;
  const ir_reached all = ir_reach(m, ir_symbol_get(m, sum)->root, 1);
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(m, all.at[i]);
    if (n->op == IR_READ && n->read.sym == sym) return true;
  }
  return false;
}

static bool is_added(const ir_module *m, ir_sym sym) {
  for (int s = 1; s < m->symbol.n; s++)
    if (storage_adds(m, (ir_sym)s, sym)) return true;
  return false;
}

static void decide_face(const decision *c, ir_sym sym) {
  symbol_storage *sp = &c->made[sym];
  const char *why;
  form f = lower_face_form(c->p->low, sym, c->use[sym].in_loop, &why);
  sp->why = why;
  if (f == FORM_STORE || f == FORM_PATCH) store(c, sym, why);
  sp->scatter = f == FORM_SCATTER && is_added(c->p->from, sym);
  if (f == FORM_SCATTER && !sp->scatter)
    sp->why = "cells recompute it: of their sums over faces none is one that faces can add up";
  sp->patch = f == FORM_PATCH && !sp->fixed && !c->use[sym].prev;
  if (f != FORM_PATCH || sp->patch) return;
  sp->why = sp->fixed ? "it does not change in a run" : "its value at the start of the step is asked for";
}

/* ---- cells, nodes, edges -------------------------------------------------------------------------------------------- */

/* Is the equation less to read than the fields of which it is computed? */
static bool saves_reading(const decision *c, const ir_symbol *q) {
  ir_reached all = ir_reach(c->p->from, q->root, 1);
  int reads = 0;
  for (int i = 0; i < all.n; i++) reads += ir_get(c->p->from, all.at[i])->op == IR_READ;
  return reads > q->type.n;
}

/* Behind a periodic side a quantity is that of the point of which it is the image; its formula, evaluated there, would see the centres
 * of cells go on instead. So what reads them, and is read at other points, is computed at its own points only. */
static bool is_centre(const decision *c, const ir_symbol *q) {
  if (q->kind != IR_GEOMETRY) return false;
  if (c->p->from->on_grid) return q->place >= IR_XLINE && q->text[1] == 'c';
  return c->p->options->periodic && (q->place == IR_CELLS || q->place == IR_NODES) &&
         strcmp(q->text, "centre") == 0;
}

static void note_placed(const decision *c) {
  const ir_sym *order = c->d->order;
  for (int i = 1; i < c->p->from->symbol.n; i++) {
    const ir_symbol *q = ir_symbol_get(c->p->from, order[i]);
    if (is_centre(c, q)) c->made[order[i]].placed = true;
    if (q->kind != IR_EQUATION || !q->root[0]) continue;
    ir_reached all = ir_reach(c->p->from, q->root, 1);
    for (int k = 0; k < all.n; k++) {
      const ir_node *n = ir_get(c->p->from, all.at[k]);
      if (n->op == IR_READ && c->made[n->read.sym].placed) c->made[order[i]].placed = true;
    }
  }
}

static void decide_other(const decision *c, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(c->p->from, sym);
  symbol_storage *sp = &c->made[sym];
  const symbol_use *u = &c->use[sym];
  form f = problem_form(c->p, sym);
  bool elsewhere = u->across || u->in_loop;
  bool assigned_elsewhere = sp->placed && c->p->options->periodic && c->fixes_to_states;
  bool grid = c->p->from->on_grid;
  if (u->held) store(c, sym, "a boundary rule in use acts on it");
  else if (u->named && !sp->fixed)
    store(c, sym, "a boundary rule that fixes a state reads it as it was before");
  else if (u->ghost_rule && elsewhere && !grid)
    store(c, sym, "a boundary rule gives its value beyond the boundary");
  else if (sp->reduces && elsewhere) store(c, sym, "it sums over neighbours and is read at other points");
  else if (u->followed && (u->ghost_rule || sp->reduces))
    store(c, sym, "beyond the boundary others follow from it");
  else if (sp->reduces && u->in_rule) store(c, sym, "it sums over neighbours and a boundary rule reads it");
  else if (sp->placed && (elsewhere || assigned_elsewhere) && q->place < IR_XLINE)
    store(c, sym, "it reads where its point lies, and is read at other points");
  else if (f == FORM_STORE) store(c, sym, "the schedule says so");
  else if (c->p->circular[sym]) sp->why = "near walls it reads what a rule gives by it";
  else if (f == FORM_INLINE) sp->why = "the schedule says so";
  else if (sp->fixed && sp->cost > CHEAP && q->tuple.n_parts == 0)
    store(c, sym, "it does not change in a run");
  else if (sp->fixed && q->place == IR_EDGES && saves_reading(c, q))
    store(c, sym, "it does not change in a run, and is less to read than what it is made of");
  else if (grid && (elsewhere || u->readers > 1) && deep_cost(c, sym) > (elsewhere ? 1 : 2) * DEAR_ON_GRIDS)
    store(c, sym,
          elsewhere ? "it is expensive and read at several points"
                    : "it is expensive and read more than once");
  else if (!grid && sp->cost > EXPENSIVE && elsewhere)
    store(c, sym, "it is expensive and read at several points");
  else
    sp->why = sp->reduces                                ? "read at its own point only"
              : q->place == IR_EDGES && sp->cost > CHEAP ? "the rows that sum it compute it"
                                                         : "cheap";
}

/* X.prev of an equation needs the previous values of every state it depends on, on grids also of those that rules read to say what X is
 * beyond walls; where it is kept, for what is seen of it there. */
static bool needs_previous(const decision *c, int s, int k) {
  const bool reads = set_has(c->d->on[s], k) || (c->p->from->on_grid && set_has(c->d->beyond[s], k));
  return reads && ir_symbol_get(c->p->from, c->d->changing.at[k])->kind == IR_STATE;
}

static void note_previous_states(const decision *c) {
  for (int s = 1; s < c->p->from->symbol.n; s++) {
    const bool needs = (c->use[s].prev && !c->use[s].previous) || c->use[s].start_beyond;
    for (int k = 0; needs && k < c->d->changing.n; k++)
      if (needs_previous(c, s, k)) c->made[c->d->changing.at[k]].prev = true;
  }
}

/* What a rate sums over neighbours without the states that the integrator changes is the same in all its stages. */
static void keep_for_stages(const decision *c, const ir_stmt *st, ir_sym sym, unsigned char *seen) {
  symbol_storage *sp = &c->made[sym];
  const ir_symbol *q = ir_symbol_get(c->p->from, sym);
  if (q->kind != IR_EQUATION || !q->root[0] || sp->stored || sp->scatter || q->place == IR_FACES) return;
  if (seen[sym]) return;
  seen[sym] = 1;
  bool changes = false;
  for (int i = 0; i < st->assign.n; i++) changes = changes || depends_on(c->d, sym, st->assign.at[i].target);
  form f = problem_form(c->p, sym);
  if (!changes && f != FORM_INLINE && sp->reduces)
    store(c, sym, "it is the same in all stages of the integrator");
  if (!changes) return;
  ir_reached all = ir_reach(c->p->from, q->root, 1);
  for (int i = 0; i < all.n; i++)
    if (ir_get(c->p->from, all.at[i])->op == IR_READ)
      keep_for_stages(c, st, ir_get(c->p->from, all.at[i])->read.sym, seen);
}

static void keep_between_stages(const decision *c, const ir_stmt *list, int n) {
  for (int i = 0; i < n; i++) {
    const ir_stmt *st = &list[i];
    keep_between_stages(c, st->body.at, st->body.n);
    if (st->kind != IR_INTEGRATE || strcmp(st->method, "euler") == 0) continue;
    unsigned char *seen = arena_array(c->p->memory, unsigned char, c->p->from->symbol.n);
    for (int k = 0; k < st->assign.n; k++) {
      ir_reached all = ir_reach(c->p->from, &st->assign.at[k].value, 1);
      for (int j = 0; j < all.n; j++) {
        const ir_node *q = ir_get(c->p->from, all.at[j]);
        if (q->op == IR_READ && q->read.level == IR_NOW) keep_for_stages(c, st, q->read.sym, seen);
      }
    }
  }
}

/* ---- all --------------------------------------------------------------------------------------------------------------- */

/* What lowerings have made to be stored. */
static void store_by_role(const decision *c) {
  for (int s = 1; s < c->p->from->symbol.n; s++) {
    const ir_symbol *q = ir_symbol_get(c->p->from, (ir_sym)s);
    if (!ir_role_is_stored(q->purpose.role)) continue;
    c->made[s].scatter = q->purpose.role == IR_SCATTERED_SUM;
    c->made[s].fixed = q->root[0] && c->d->fixed[s];
    if (q->place != IR_NOWHERE)
      store(c, (ir_sym)s,
            c->made[s].scatter ? "faces add into it" : "one pass computes it and the time step");
  }
}

static void decide(const decision *c, ir_sym s) {
  const ir_symbol *q = ir_symbol_get(c->p->from, s);
  if (follows(c->p, s)) c->made[s].fixed = c->d->fixed[s];
  if (q->kind != IR_EQUATION || !q->root[0]) return;
  measure(c, s);
  if (c->made[s].stored) return;
  c->made[s].fixed = c->d->fixed[s];
  if (q->place == IR_FACES) decide_face(c, s);
  else decide_other(c, s);
}

const symbol_storage *storage_decide(const problem *p, const symbol_use *use, const dependence *d) {
  const int n = p->from->symbol.n;
  const decision c = {p,
                      use,
                      d,
                      arena_array(p->memory, symbol_storage, n),
                      arena_array(p->memory, bool, n),
                      lower_fixes_to_states(p->from, p->rule_used)};
  for (int s = 1; s < n; s++) c.made[s].prev = use[s].prev;
  note_previous_states(&c);
  store_by_role(&c);
  note_placed(&c);
  for (int i = 1; i < n; i++) /* what an equation costs depends on whether those that it reads are stored */
    decide(&c, d->order[i]);
  keep_between_stages(&c, p->from->step.at, p->from->step.n);
  rim_decide(p, d, c.made);
  lasting_decide(p, use, c.made);
  precision_decide(p, use, c.made);
  return c.made;
}
