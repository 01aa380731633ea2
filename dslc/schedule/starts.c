/* What cannot be built of the start of the step: grids, an equation that reads `X.prev` at its own point and is asked for beyond a wall where a
 * rule gives X by what a case gives over time. A launch reads that at its own time; where the time has gone on, none knows what it was. */
#include "base/defects.h"
#include "schedule/grid.h"

typedef struct follower {
  planner *pl;
  ir_sym argument;        /* which a case might give over time; 0: those that it may */
  unsigned char *seen;    /* by symbol: 1 at its own point, 2 at others */
  ir_sym equation, state; /* found; 0: none */
} follower;

static bool is_over_time(const follower *f, ir_sym state) {
  for (int s = 1; s < f->pl->from->symbol.n; s++) {
    const bool timed = f->argument ? (ir_sym)s == f->argument : lower_is_timed(f->pl->in->low, (ir_sym)s);
    if (timed && lower_depends_on(f->pl->in->low, state, (ir_sym)s)) return true;
  }
  return false;
}

static bool is_at_other_point(const ir_node *n) {
  return n->read.at != IR_AT_HERE && (n->read.off[0] || n->read.off[1] || n->read.off[2]);
}

/* Does the equation's own formula hold beyond some wall: where no rule gives it, whichever a case takes, or one does not, but what it reads is
 * known there? */
static bool holds_beyond(const planner *pl, ir_sym sym) {
  const ir_module *m = pl->from;
  bool given = false, follows = false;
  for (int r = 1; r < m->rule.n; r++) {
    if (ir_entry_find(m, r, sym, IR_GHOST)) given = true;
    else
      for (int a = 0; a < m->dims; a++) follows = follows || follows_along(pl, sym, a);
  }
  return !given || follows;
}

static void follow(follower *f, ir_id root, ir_sym of, bool elsewhere);

static void follow_read(follower *f, const ir_node *n, ir_sym of, bool elsewhere) {
  const ir_symbol *q = ir_symbol_get(f->pl->from, n->read.sym);
  const bool moved = elsewhere || is_at_other_point(n);
  if (q->kind == IR_EQUATION && n->read.level == IR_NOW && q->root[0] && q->place < IR_XLINE) {
    const unsigned char bit = moved ? 2 : 1;
    if (f->seen[n->read.sym] & bit) return;
    f->seen[n->read.sym] |= bit;
    if (holds_beyond(f->pl, n->read.sym)) follow(f, q->root[0], n->read.sym, moved);
  }
  const bool own = of && ir_symbol_get(f->pl->from, of)->place == q->place && !is_at_other_point(n);
  if (q->kind == IR_STATE && n->read.level == IR_PREV && own && elsewhere &&
      is_over_time(f, n->read.sym))
    f->equation = of, f->state = n->read.sym;
}

static void follow(follower *f, ir_id root, ir_sym of, bool elsewhere) {
  const ir_reached all = ir_reach(f->pl->from, &root, 1);
  for (int i = 0; i < all.n && !f->state; i++) {
    const ir_node *n = ir_get(f->pl->from, all.at[i]);
    if (n->op == IR_READ) follow_read(f, n, of, elsewhere);
  }
}

/* Where the time has gone on. */
static void follow_list(follower *f, const ir_stmt *list, int n) {
  const ir_module *m = f->pl->from;
  for (int i = 0; i < n; i++) {
    const ir_stmt *st = &list[i];
    const bool later = st->kind == IR_INTEGRATE
                           ? lower_tableau(st->method)->stages > 1 || lower_start_of(m, list, i) != 0
                           : lower_moment(m, st) != 0;
    for (int k = 0; k < st->assign.n && later; k++) follow(f, st->assign.at[k].value, 0, false);
    follow_list(f, st->body.at, st->body.n);
  }
}

static follower follow_step(planner *pl, ir_sym argument) {
  const ir_module *m = pl->from;
  follower f = {.pl = pl,
                .argument = argument,
                .seen = arena_array(pl->memory, unsigned char, m->symbol.n)};
  if (m->on_grid && !defect_is_back("start_beyond_walls")) follow_list(&f, m->step.at, m->step.n);
  return f;
}

bool start_asks_for(planner *pl, ir_sym argument) { return follow_step(pl, argument).state != 0; }

bool starts_are_known(planner *pl) {
  const ir_module *m = pl->from;
  const follower f = follow_step(pl, 0);
  if (!f.state) return true;
  const ir_symbol *e = ir_symbol_get(m, f.equation);
  const char *x = ir_symbol_get(m, f.state)->text;
  diag *d = diag_report(pl->in->sink, DIAG_TARGET, e->at,
                        "`%s` reads `%s.prev` at its own point and is asked for beyond walls, where a rule "
                        "gives `%s` by what a "
                        "case gives over time: of the start of the step that is not kept",
                        e->text, x, x);
  diag_with_hint(pl->in->sink, d, "read `%s.prev` at the other point itself, as in %s.prev[i-1]", x, x);
  return false;
}
