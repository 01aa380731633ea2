/* What cannot be planned, as far as that is seen without planning: `check` asks for every combination of variants. */
#include "lower/lower.h"
#include "schedule/schedule.h"

static bool limit_is_number(const ir_module *m, const ir_stmt *st, diag_sink *sink) {
  const ir_node *n = st->at_most ? ir_get(m, st->at_most) : NULL;
  if (!n || (n->op == IR_CONST && n->value >= 1 && n->value < 1e9)) return true;
  diag *d =
      diag_report(sink, DIAG_TARGET, st->at, "`at most` takes a whole number written out, from 1 upwards");
  if (n->op != IR_CONST)
    diag_with_hint(sink, d,
                   "a limit that a case chooses is a condition on a state of one value:  repeat { ... update "
                   "passes = passes + 1 } until ... or passes > limit");
  return false;
}

static bool repeats_end(const ir_module *m, const ir_stmt *list, int n, diag_sink *sink, int *repeats) {
  bool good = true;
  for (int i = 0; i < n && good; i++) {
    const ir_stmt *st = &list[i];
    if (st->kind != IR_REPEAT) continue;
    good = limit_is_number(m, st, sink);
    if (good && ++*repeats > DSLC_REPEATS) {
      diag *d = diag_report(sink, DIAG_TARGET, st->at, "a step can hold %d `repeat`s", DSLC_REPEATS);
      diag_with_hint(sink, d,
                     "what is iterated one after the other until its own end may be iterated together, until "
                     "all have ended");
      good = false;
    }
    good = good && repeats_end(m, st->body.at, st->body.n, sink, repeats);
  }
  return good;
}

/* Values over time are known at parts of a step. */
static bool moments_are_parts(const ir_module *m, const ir_stmt *list, int n, diag_sink *sink) {
  for (int i = 0; i < n; i++) {
    const ir_stmt *st = &list[i];
    const double moment = lower_moment(m, st);
    if (st->kind != IR_INTEGRATE && st->over && !(moment > 0 && moment <= 1)) {
      diag *d = diag_report(sink, DIAG_MOMENT, st->at,
                            "the time of a statement is not `t + dt`, nor `t` and a part of dt");
      diag_with_hint(sink, d,
                     "a part of dt is a number times it, above 0 and up to 1, as in  at t + 0.5*dt { ... }");
      return false;
    }
    if (!moments_are_parts(m, st->body.at, st->body.n, sink)) return false;
  }
  return true;
}

static bool intervals_follow(const ir_module *m, const ir_stmt *list, int n, diag_sink *sink) {
  bool good = true;
  for (int i = 0; i < n && good; i++) {
    const ir_stmt *st = &list[i];
    good = intervals_follow(m, st->body.at, st->body.n, sink);
    if (!good || st->kind != IR_INTEGRATE || lower_start_of(m, list, i) >= 0) continue;
    diag *d = diag_report(sink, DIAG_TARGET, st->at,
                          "these equations are integrated once more, over an interval of another kind");
    diag_with_hint(sink, d,
                   "they go on in time where they left off: let all intervals be parts of dt, a number times "
                   "it as in 0.3*dt, or all the same global");
    good = false;
  }
  return good;
}

/* ---- X.old at other points -------------------------------------------------------------------------------------------- */

/* A rule that gives the state beyond walls by what may change in the pass. */
static const ir_rule *rule_of_changing(const ir_module *m, ir_sym state) {
  for (int r = 1; r < m->rule.n; r++) {
    const ir_rule_entry *e = ir_entry_find(m, r, state, IR_GHOST);
    if (e && ir_reads_kinds(m, e->root, 1u << IR_STATE | 1u << IR_EQUATION | 1u << IR_GLOBAL))
      return &m->rule.at[r];
  }
  return NULL;
}

/* Grids compute what rules say beyond walls where it is asked for, of what everything is by then: not of what it was when the pass began. */
static bool old_is_known(const ir_module *m, const ir_stmt *st, diag_sink *sink) {
  const ir_reached all = ir_reach(m, &st->until, st->until != 0);
  for (int i = 0; i < all.n && m->on_grid; i++) {
    const ir_node *n = ir_get(m, all.at[i]);
    const bool beside = n->op == IR_READ && n->read.level == IR_OLD && ir_reads_elsewhere(n);
    const ir_rule *rule = beside ? rule_of_changing(m, n->read.sym) : NULL;
    if (!rule) continue;
    const char *state = ir_symbol_get(m, n->read.sym)->text;
    diag *d = diag_report(
        sink, DIAG_TARGET, st->at,
        "`%s.old` of other points may lie beyond walls, where rule `%s` gives `%s` by what changes in the "
        "pass: what that was before is not kept",
        state, rule->text, state);
    diag_with_hint(sink, d, "read `%s.old` at its own point, or keep in a state of its own what it was",
                   state);
    return false;
  }
  return true;
}

static bool olds_are_known(const ir_module *m, const ir_stmt *list, int n, diag_sink *sink) {
  for (int i = 0; i < n; i++)
    if (!old_is_known(m, &list[i], sink) || !olds_are_known(m, list[i].body.at, list[i].body.n, sink))
      return false;
  return true;
}

bool schedule_can_plan(const ir_module *m, diag_sink *sink) {
  int repeats = 0;
  return moments_are_parts(m, m->step.at, m->step.n, sink) &&
         intervals_follow(m, m->step.at, m->step.n, sink) &&
         repeats_end(m, m->step.at, m->step.n, sink, &repeats) &&
         olds_are_known(m, m->step.at, m->step.n, sink);
}
