/* What cannot be built of the start of the step: grids, an equation that reads `X.prev` at its own point and is asked for beyond a wall, where a
 * rule gives X by what may be another one by then. What X was is kept, and `t` at the start is known, so that rules say again what they said
 * then; but of arguments over time, globals and states of one value the launch that asks sees what they are now. */
#include <stdint.h>

#include "base/defects.h"
#include "schedule/grid.h"

/* When is it asked for? */
typedef enum asked_when {
  AS_STEP_BEGINS, /* all is as it was */
  WITHIN_STEP,    /* globals and states may have changed */
  LATER_IN_STEP,  /* the time has gone on, too: in a stage, or as the statement says */
  AFTER_STEP      /* to be shown: when t is that of the step's end */
} asked_when;

typedef struct follower {
  planner *pl;
  bool any;            /* is anything asked for so at all, whatever rules make it of? */
  ir_sym argument;     /* which a case might give over time; 0: those that it may */
  asked_when when;     /* of what is being followed */
  uint16_t *seen;      /* by symbol, SEEN_BITS for each `when`: what has been followed */
  ir_sym equation, state; /* found; 0: none */
} follower;

/* Its formula, asked for at its own point or at others; what rules say of it. */
enum { AT_OWN_POINT = 1, AT_OTHERS = 2, BY_RULES = 4, SEEN_BITS = 3 };

/* Was it marked before? */
static bool mark(follower *f, ir_sym sym, unsigned bit) {
  const unsigned own = bit << SEEN_BITS * f->when;
  const bool known = f->seen[sym] & own;
  f->seen[sym] |= (uint16_t)own;
  return known;
}

static bool is_over_time(const follower *f, ir_sym state) {
  const lowering *low = f->pl->in->low;
  return f->argument ? lower_depends_on(low, state, f->argument)
                     : lower_depends_on_now(low, state, LOWER_CASE);
}

static bool is_lost(const follower *f, ir_sym state) {
  const lowering *low = f->pl->in->low;
  if (f->when == AS_STEP_BEGINS) return false;
  if (f->any) return true;
  if (f->argument) return f->when != WITHIN_STEP && is_over_time(f, state);
  if (f->when == AFTER_STEP) return lower_depends_on_now(low, state, LOWER_TIME | LOWER_CASE | LOWER_VALUES);
  return lower_depends_on_now(low, state, LOWER_VALUES) ||
         (f->when == LATER_IN_STEP && is_over_time(f, state));
}

/* Does the equation's own formula hold beyond some wall, whichever a case has? Where the rule there does not give it, but what it reads is
 * known. */
static bool find_beyond(const planner *pl, ir_sym sym) {
  const ir_module *m = pl->from;
  unsigned axes = 0;
  for (int r = 1; r < m->rule.n; r++)
    for (int a = 0; a < m->dims && !ir_entry_find(m, r, sym, IR_GHOST); a++)
      if (!m->rule.at[r].axis || m->rule.at[r].axis == "xyz"[a]) axes |= 1u << a;
  bool holds = false;
  for (int a = 0; a < m->dims && !holds; a++) holds = axes >> a & 1 && follows_along(pl, sym, a);
  return holds;
}

static bool holds_beyond(planner *pl, ir_sym sym) {
  if (!pl->walls.beyond) pl->walls.beyond = arena_array(pl->memory, char, pl->from->symbol.n);
  if (!pl->walls.beyond[sym]) pl->walls.beyond[sym] = find_beyond(pl, sym) ? 1 : 2;
  return pl->walls.beyond[sym] == 1;
}

/* A value, or an equation's formula. */
typedef struct reader {
  ir_sym equation; /* or 0 */
  ir_place place;  /* of its points; nowhere: a global's, of what it goes over */
  bool elsewhere; /* asked for at other points than those of who asks */
} reader;

static void follow(follower *f, ir_id root, reader by);

/* What rules say is asked for beyond corners, too. */
static void follow_rules(follower *f, ir_sym sym) {
  const ir_module *m = f->pl->from;
  if (mark(f, sym, BY_RULES)) return;
  const ir_entries all = ir_entries_of(m, sym);
  for (int i = 0; i < all.n; i++)
    follow(f, ir_entry_at(m, &all, i)->root, (reader){0, IR_NOWHERE, m->dims > 1});
}

static void follow_equation(follower *f, ir_sym sym, bool elsewhere) {
  const ir_symbol *q = ir_symbol_get(f->pl->from, sym);
  if (!q->root[0] || mark(f, sym, elsewhere ? AT_OTHERS : AT_OWN_POINT)) return;
  if (!elsewhere || holds_beyond(f->pl, sym)) follow(f, q->root[0], (reader){sym, q->place, elsewhere});
}

static void follow_read(follower *f, const ir_node *n, reader by) {
  const ir_sym sym = n->read.sym, kept = f->pl->use[sym].kept;
  const ir_symbol *q = ir_symbol_get(f->pl->from, sym);
  const bool inside = n->read.at == IR_AT_INNER || n->read.at == IR_AT_MIRROR;
  const bool shifted = n->read.off[0] || n->read.off[1] || n->read.off[2],
             moved = !inside && (shifted || (by.place != IR_NOWHERE && q->place != by.place));
  if (q->place >= IR_XLINE) return;
  if (moved || by.elsewhere) follow_rules(f, sym);
  if (q->kind == IR_EQUATION && n->read.level == IR_NOW) follow_equation(f, sym, moved || by.elsewhere);
  const bool start = q->kind == IR_STATE ? n->read.level == IR_PREV : kept != sym;
  if (by.equation && by.elsewhere && start && !moved && is_lost(f, kept))
    f->equation = by.equation, f->state = kept;
}

static void follow(follower *f, ir_id root, reader by) {
  const ir_reached all = ir_reach(f->pl->from, &root, 1);
  for (int i = 0; i < all.n && !f->state; i++) {
    const ir_node *n = ir_get(f->pl->from, all.at[i]);
    if (n->op == IR_READ) follow_read(f, n, by);
  }
}

static asked_when when_asked(const planner *pl, const ir_stmt *list, int i, bool first) {
  const ir_module *m = pl->from;
  const ir_stmt *st = &list[i];
  const bool integrates = st->kind == IR_INTEGRATE;
  const bool later = integrates ? lower_tableau(st->method)->stages > 1 || lower_start_of(m, list, i) != 0
                                : lower_moment(m, st) != 0;
  return later ? LATER_IN_STEP : first ? AS_STEP_BEGINS : WITHIN_STEP;
}

static void follow_list(follower *f, const ir_stmt *list, int n, bool first) {
  for (int i = 0; i < n; i++, first = false) {
    const ir_stmt *st = &list[i];
    f->when = when_asked(f->pl, list, i, first);
    for (int k = 0; k < st->assign.n; k++)
      follow(f, st->assign.at[k].value,
             (reader){0, ir_symbol_get(f->pl->from, st->assign.at[k].target)->place, false});
    follow_list(f, st->body.at, st->body.n, false);
  }
}

static follower follower_of(planner *pl, ir_sym argument) {
  const int n = pl->from->symbol.n;
  return (follower){.pl = pl,
                    .argument = argument,
                    .seen = arena_array(pl->memory, uint16_t, n)};
}

static void follow_step(follower *f) {
  const ir_module *m = f->pl->from;
  follow_list(f, m->step.at, m->step.n, true);
}

/* Not dt: the step's start computes it. */
static void follow_shown(follower *f, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(f->pl->from, sym);
  f->when = AFTER_STEP;
  if (q->root[0] && sym != f->pl->in->dt && !f->state)
    follow(f, q->root[0], (reader){sym, q->place, false});
}

static void follow_all_shown(follower *f) {
  const ir_module *m = f->pl->from;
  for (int s = 1; s < m->symbol.n; s++) {
    const ir_symbol_kind kind = m->symbol.at[s].kind;
    if ((kind == IR_EQUATION || kind == IR_GLOBAL) && is_shown(f->pl, m->symbol.at[s].text))
      follow_shown(f, (ir_sym)s);
  }
}

static bool looks_back(const planner *pl) {
  for (int s = 1; s < pl->from->symbol.n; s++)
    if (pl->storage[s].prev || ir_symbol_get(pl->from, (ir_sym)s)->purpose.role == IR_STEP_START) return true;
  return false;
}

/* Mostly nothing is asked for so, and no more need be asked. */
static bool anything_asks(planner *pl) {
  if (!pl->walls.starts_asked) {
    follower f = follower_of(pl, 0);
    f.any = true;
    if (pl->from->on_grid && looks_back(pl) && !defect_is_back("start_beyond_walls"))
      follow_step(&f), follow_all_shown(&f);
    pl->walls.starts_asked = f.state ? 1 : 2;
  }
  return pl->walls.starts_asked == 1;
}

static bool refuse(planner *pl, const follower *f) {
  const ir_symbol *e = ir_symbol_get(pl->from, f->equation);
  const char *x = ir_symbol_get(pl->from, f->state)->text;
  const char *by = f->when == AFTER_STEP                        ? "what has changed when it is shown"
                   : lower_depends_on_now(pl->in->low, f->state, LOWER_VALUES)
                       ? "globals or states of one value, which change during the step"
                       : "what a case gives over time";
  diag *d = diag_report(pl->in->sink, DIAG_TARGET, e->at,
                        "`%s` reads `%s.prev` at its own point and is asked for beyond walls, where a rule "
                        "gives `%s` by %s: of the start of the step that is not kept",
                        e->text, x, x, by);
  diag_with_hint(pl->in->sink, d, "read `%s.prev` at the other point itself, as in %s.prev[i-1]", x, x);
  return false;
}

bool starts_are_known(planner *pl) {
  if (!anything_asks(pl)) return true;
  follower f = follower_of(pl, 0);
  follow_step(&f);
  return !f.state || refuse(pl, &f);
}

static follower shown(planner *pl, ir_sym sym) {
  if (!anything_asks(pl)) return (follower){0};
  follower f = follower_of(pl, 0);
  follow_shown(&f, sym);
  return f;
}

bool shown_start_is_known(planner *pl, ir_sym sym) { return shown(pl, sym).state == 0; }

void refuse_shown_start(planner *pl, ir_sym sym) {
  const follower f = shown(pl, sym);
  if (f.state) refuse(pl, &f);
}

bool start_asks_for(planner *pl, ir_sym argument) {
  if (!anything_asks(pl)) return false;
  follower f = follower_of(pl, argument);
  follow_step(&f);
  follow_all_shown(&f);
  return f.state != 0;
}
