/* What cannot be built of the start of the step: grids, an equation that reads `X.prev` and is asked for beyond a wall, where a
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
  bool any;               /* is anything asked for so at all, whatever rules make it of? */
  ir_sym argument;        /* which a case might give over time; 0: those that it may */
  asked_when when;        /* of what is being followed */
  uint32_t *seen;         /* by symbol, SEEN_BITS for each `when`: what has been followed */
  ir_sym equation, state; /* found; 0: none */
} follower;

/* Its formula, asked for beyond walls across an axis, a bit each, or inside; what rules say of it. */
enum { BEYOND_ANY = 7, INSIDE = 8, BY_RULES = 16, SEEN_BITS = 5 };

/* Those of the bits that were not marked before. */
static unsigned mark(follower *f, ir_sym sym, unsigned bits) {
  const unsigned shift = SEEN_BITS * f->when, fresh = bits & ~(f->seen[sym] >> shift);
  f->seen[sym] |= bits << shift;
  return fresh;
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

/* Across which axes may the equation's own formula hold beyond a wall, whichever a case has? Where the rule there does not give it, but what it
 * reads is known. */
static unsigned find_beyond(const planner *pl, ir_sym sym) {
  const ir_module *m = pl->from;
  unsigned axes = 0;
  for (int r = 1; r < m->rule.n; r++)
    for (int a = 0; a < m->dims && !ir_entry_find(m, r, sym, IR_GHOST); a++)
      if (!m->rule.at[r].axis || m->rule.at[r].axis == "xyz"[a]) axes |= 1u << a;
  for (int a = 0; a < m->dims; a++)
    if (axes >> a & 1 && !follows_along(pl, sym, a)) axes &= ~(1u << a);
  return axes;
}

static unsigned holds_beyond(planner *pl, ir_sym sym) {
  enum { KNOWN = BEYOND_ANY + 1 };
  if (!pl->walls.beyond) pl->walls.beyond = arena_array(pl->memory, char, pl->from->symbol.n);
  if (!pl->walls.beyond[sym]) pl->walls.beyond[sym] = (char)(KNOWN | find_beyond(pl, sym));
  return pl->walls.beyond[sym] & BEYOND_ANY;
}

/* A value, or an equation's formula. */
typedef struct reader {
  ir_sym equation; /* or 0 */
  ir_place place;  /* of its points; nowhere: a global's, of what it goes over */
  unsigned beyond; /* it may be asked for beyond walls across these axes, a bit each */
} reader;

static void follow(follower *f, ir_id root, reader by);

/* What rules say is asked for beyond corners, too. */
static void follow_rules(follower *f, ir_sym sym) {
  const ir_module *m = f->pl->from;
  if (!mark(f, sym, BY_RULES)) return;
  const ir_entries all = ir_entries_of(m, sym);
  for (int i = 0; i < all.n; i++)
    follow(f, ir_entry_at(m, &all, i)->root, (reader){0, IR_NOWHERE, m->dims > 1 ? BEYOND_ANY : 0});
}

static void follow_equation(follower *f, ir_sym sym, unsigned beyond) {
  const ir_symbol *q = ir_symbol_get(f->pl->from, sym);
  if (!q->root[0]) return;
  const unsigned fresh = mark(f, sym, INSIDE | (beyond & holds_beyond(f->pl, sym)));
  if (fresh & INSIDE) follow(f, q->root[0], (reader){sym, q->place, 0});
  if (fresh & BEYOND_ANY) follow(f, q->root[0], (reader){sym, q->place, fresh & BEYOND_ANY});
}

/* Across which axes may what it reads lie elsewhere than its reader? */
static unsigned moved_along(const ir_module *m, const ir_node *n, ir_place from) {
  unsigned axes = 0;
  if (n->read.at == IR_AT_INNER || n->read.at == IR_AT_MIRROR) return 0;
  const ir_place to = ir_symbol_get(m, n->read.sym)->place;
  for (int a = 0; a < m->dims; a++)
    if (n->read.off[a] || (from != IR_NOWHERE && ir_place_on_faces(from, a) != ir_place_on_faces(to, a)))
      axes |= 1u << a;
  return axes;
}

/* What is read as it was at the start: the state itself, what keeps it there, or what is seen of it from another place. 0: nothing. */
static ir_sym start_read(const planner *pl, const ir_node *n) {
  const ir_symbol *q = ir_symbol_get(pl->from, n->read.sym);
  const ir_sym kept = pl->use[n->read.sym].kept;
  if (q->kind == IR_STATE) return n->read.level == IR_PREV ? kept : 0;
  if (kept != n->read.sym) return kept;
  if (q->purpose.role != IR_STEP_START || defect_is_back("starts_seen_elsewhere")) return 0;
  const ir_node *seen = ir_get(pl->from, q->root[0]);
  return seen->op == IR_READ ? seen->read.sym : 0;
}

static void follow_read(follower *f, const ir_node *n, reader by) {
  const ir_sym sym = n->read.sym, start = start_read(f->pl, n);
  const ir_symbol *q = ir_symbol_get(f->pl->from, sym);
  if (q->place >= IR_XLINE) return;
  const unsigned moved = moved_along(f->pl->from, n, by.place);
  if (moved | by.beyond) follow_rules(f, sym);
  if (q->kind == IR_EQUATION && n->read.level == IR_NOW) follow_equation(f, sym, moved | by.beyond);
  if (by.equation && by.beyond && start && !moved && is_lost(f, start))
    f->equation = by.equation, f->state = start;
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
             (reader){0, ir_symbol_get(f->pl->from, st->assign.at[k].target)->place, 0});
    follow_list(f, st->body.at, st->body.n, false);
  }
}

static follower follower_of(planner *pl, ir_sym argument) {
  const int n = pl->from->symbol.n;
  return (follower){.pl = pl, .argument = argument, .seen = arena_array(pl->memory, uint32_t, n)};
}

static void follow_step(follower *f) {
  const ir_module *m = f->pl->from;
  follow_list(f, m->step.at, m->step.n, true);
}

/* Not dt: the step's start computes it. */
static void follow_shown(follower *f, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(f->pl->from, sym);
  f->when = AFTER_STEP;
  if (q->root[0] && sym != f->pl->in->dt && !f->state) follow(f, q->root[0], (reader){sym, q->place, 0});
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
  const char *by = f->when == AFTER_STEP ? "what has changed when it is shown"
                   : lower_depends_on_now(pl->in->low, f->state, LOWER_VALUES)
                       ? "globals or states of one value, which change during the step"
                       : "what a case gives over time";
  diag *d =
      diag_report(pl->in->sink, DIAG_TARGET, e->at,
                  "`%s` reads `%s.prev` and is asked for beyond walls, where a rule gives `%s` by %s: of "
                  "the start of the step that is not kept",
                  e->text, x, x, by);
  diag_with_hint(pl->in->sink, d,
                 "read `%s.prev` at the other point itself, as in %s.prev[i-1], not through `%s`", x, x,
                 e->text);
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
