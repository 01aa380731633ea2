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

bool schedule_can_plan(const ir_module *m, diag_sink *sink) {
  int repeats = 0;
  return moments_are_parts(m, m->step.at, m->step.n, sink) &&
         intervals_follow(m, m->step.at, m->step.n, sink) &&
         repeats_end(m, m->step.at, m->step.n, sink, &repeats);
}
