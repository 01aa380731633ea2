/* The statements of a step, one after the other. Each evaluates all that it needs before it assigns anything. */
#include <math.h>
#include <string.h>

#include "reference/reference.h"

static const ref_stand once = {.kind = REF_ONCE, .place = IR_NOWHERE, .met = {.wall = -1}};

/* ---- values at all entities of a place ------------------------------------------------------------------------------------ */

static double *present(dslc_reference *r, ir_sym state) { return ref_field_of(&r->now, state, 0)->value; }

static size_t size_of(const dslc_reference *r, ir_sym state) {
  const ir_symbol *q = ir_symbol_get(r->m, state);
  return (size_t)r->world.count[q->place] * q->type.n;
}

static double *copy_of(dslc_reference *r, const double *values, size_t n) {
  double *copy = arena_array(r->step_memory, double, n + 1);
  if (n) memcpy(copy, values, n * sizeof *copy);
  return copy;
}

static bool is_finite(const double *v, int n) {
  for (int i = 0; i < n; i++)
    if (!isfinite(v[i])) return false;
  return true;
}

/* What would be assigned to a point that rules fix: where these ask for each other, the last reads it. Beyond walls, where nothing need
 * be given for such points, it takes what lies inside. */
static void evaluate_fixed(dslc_reference *r, const ref_stand *at, const ir_assign *a, double *value) {
  if (!ref_rules_ask_in_turn(r, a->target)) return;
  r->work.across++;
  ref_evaluate(r, &r->now, at, a->value, value);
  r->work.across--;
}

/* What is assigned, or its rate, at every point; what rules fix, and what lies in solids, stays as it is in `out`. */
static double *evaluate_all(dslc_reference *r, const ir_assign *a, const char *what, double *out) {
  const ir_symbol *q = ir_symbol_get(r->m, a->target);
  for (int32_t i = 0; i < r->world.count[q->place]; i++) {
    ref_stand at = ref_stand_at(r, q->place, i);
    double *value = out + (size_t)i * q->type.n;
    if (r->world.grid && !ref_is_there(r, q->place, i)) continue;
    if (r->world.grid && ref_wall_fixes(r, a->target, i)) {
      evaluate_fixed(r, &at, a, value);
      continue;
    }
    ref_evaluate(r, &r->now, &at, a->value, value);
    if (!is_finite(value, q->type.n))
      ref_explain(r, &r->now, &at, a->value, arena_printf(r->memory, "the %s of `%s`", what, q->text), a->at);
  }
  return out;
}

static double *new_values(dslc_reference *r, const ir_assign *a) {
  return evaluate_all(r, a, "new value", copy_of(r, present(r, a->target), size_of(r, a->target)));
}

/* Rates are not values of the states: where none is evaluated, it is 0. */
static double *rates_of(dslc_reference *r, const ir_assign *a) {
  return evaluate_all(r, a, "rate", arena_array(r->step_memory, double, size_of(r, a->target) + 1));
}

static void assign(dslc_reference *r, ir_sym state, const double *values) {
  memcpy(present(r, state), values, size_of(r, state) * sizeof *values);
}

/* The end of an assignment: rules act, and all values are numbers. */
static void settle(dslc_reference *r, const ir_assign *a, int n, double t) {
  ir_sym *states = arena_array(r->step_memory, ir_sym, n + 1);
  for (int i = 0; i < n; i++) states[i] = a[i].target;
  ref_changed(&r->now);
  ref_fix_states(r, states, n, t);
  for (int i = 0; i < n; i++) {
    const ir_symbol *q = ir_symbol_get(r->m, states[i]);
    for (int32_t k = 0; k < r->world.count[q->place]; k++)
      if (ref_is_there(r, q->place, k) &&
          !is_finite(present(r, states[i]) + (size_t)k * q->type.n, q->type.n))
        ref_fault(r, q->place, k, "%s: `%s` is fixed to a value that is not finite",
                  ref_line_text(r, a[i].at), q->text);
  }
}

/* ---- update ------------------------------------------------------------------------------------------------------------------ */

static void update(dslc_reference *r, const ir_stmt *st) {
  double **value = arena_array(r->step_memory, double *, st->assign.n + 1);
  for (int i = 0; i < st->assign.n; i++) value[i] = new_values(r, &st->assign.at[i]);
  ref_begin_assigning(r);
  for (int i = 0; i < st->assign.n; i++) assign(r, st->assign.at[i].target, value[i]);
  settle(r, st->assign.at, st->assign.n, r->size.begin + r->size.dt_value);
}

/* ---- integrate --------------------------------------------------------------------------------------------------------------- */

/* Butcher's tableaus: stage i begins with u + h*sum(a[i][j]*k[j]) at t + c[i]*h; b is for the end. */
typedef struct tableau {
  const char *name;
  int stages;
  double a[4][4], b[4], c[4];
} tableau;

static const tableau methods[] = {
    {"euler", 1, {{0}}, {1}, {0}},
    {"midpoint", 2, {{0}, {0.5}}, {0, 1}, {0, 0.5}},
    {"heun", 2, {{0}, {1}}, {0.5, 0.5}, {0, 1}},
    {"ssp_rk2", 2, {{0}, {1}}, {0.5, 0.5}, {0, 1}},
    {"ssp_rk3", 3, {{0}, {1}, {0.25, 0.25}}, {1. / 6, 1. / 6, 2. / 3}, {0, 1, 0.5}},
    {"rk4", 4, {{0}, {0.5}, {0, 0.5}, {0, 0, 1}}, {1. / 6, 1. / 3, 1. / 3, 1. / 6}, {0, 0.5, 0.5, 1}}};

static const tableau *find_method(dslc_reference *r, const char *text) {
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    if (strcmp(methods[i].name, text) == 0) return &methods[i];
  ref_fail(r, DSLC_REF_FAULT, "no method `%s`", text);
}

/* The same equations integrated in turn go on in time where they left off. */
static double start_of(dslc_reference *r, const ir_stmt *list, const ir_stmt *st) {
  double t = r->now.t;
  for (const ir_stmt *s = list; s < st; s++)
    if (st->turn && s->turn == st->turn) t += ref_number(r, &r->now, &once, s->over);
  return t;
}

typedef struct integration {
  dslc_reference *r;
  const ir_stmt *st;
  double start, h;
  double **begin;     /* by state: its values at the start */
  double *(*rate)[4]; /* by state and stage */
} integration;

/* The states become begin + h*sum(w[j]*rate[j]), at the time t. */
static void combine(const integration *g, const double *w, int n, double t) {
  dslc_reference *r = g->r;
  ref_begin_assigning(r);
  for (int s = 0; s < g->st->assign.n; s++) {
    ir_sym state = g->st->assign.at[s].target;
    double *value = present(r, state);
    for (size_t i = 0; i < size_of(r, state); i++) {
      double sum = 0;
      for (int j = 0; j < n; j++)
        if (w[j] != 0) sum += w[j] * g->rate[s][j][i];
      value[i] = g->begin[s][i] + g->h * sum;
    }
  }
  settle(r, g->st->assign.at, g->st->assign.n, t);
}

static void integrate(dslc_reference *r, const ir_stmt *list, const ir_stmt *st) {
  const tableau *m = find_method(r, st->method);
  double t = r->now.t;
  integration g = {.r = r, .st = st, .start = start_of(r, list, st)};
  g.h = ref_number(r, &r->now, &once, st->over);
  g.begin = arena_array(r->step_memory, double *, st->assign.n + 1);
  g.rate = (double *(*)[4])arena_array(r->step_memory, double *, 4 * (st->assign.n + 1));
  for (int s = 0; s < st->assign.n; s++)
    g.begin[s] = copy_of(r, present(r, st->assign.at[s].target), size_of(r, st->assign.at[s].target));
  for (int i = 0; i < m->stages; i++) {
    if (i > 0) combine(&g, m->a[i], i, g.start + m->c[i] * g.h);
    r->now.t = g.start + m->c[i] * g.h;
    ref_changed(&r->now);
    for (int s = 0; s < st->assign.n; s++) g.rate[s][i] = rates_of(r, &st->assign.at[s]);
  }
  combine(&g, m->b, m->stages, g.start + g.h);
  r->now.t = t;
  ref_changed(&r->now);
}

/* ---- repeat ------------------------------------------------------------------------------------------------------------------- */

static void statements(dslc_reference *r, const ir_stmt *list, int n, dslc_ref_step *step);

void ref_keep_states(dslc_reference *r, ref_env *env) {
  for (ir_sym s = 1; s < (ir_sym)r->m->symbol.n; s++)
    if (ir_symbol_get(r->m, s)->kind == IR_STATE)
      memcpy(ref_field_of(env, s, 0)->value, present(r, s), size_of(r, s) * sizeof(double));
  env->t = r->now.t;
  ref_changed(env);
}

ref_env *ref_copy_states(dslc_reference *r) {
  ref_env *old = arena_new(r->step_memory, ref_env);
  ref_make_env(r, old, r->step_memory);
  for (ir_sym s = 1; s < (ir_sym)r->m->symbol.n; s++)
    if (ir_symbol_get(r->m, s)->kind == IR_STATE) {
      *ref_field_of(old, s, 0) = *ref_field_of(&r->now, s, 0);
      ref_field *f = ref_field_of(old, s, 0);
      f->value = copy_of(r, f->value, (size_t)f->count * (size_t)f->n); /* with ghosts */
      if (f->age) f->age = arena_array(r->step_memory, uint32_t, f->count + 1);
    }
  return old;
}

static void repeat(dslc_reference *r, const ir_stmt *st, dslc_ref_step *step) {
  ref_env *outer = r->old, *old = ref_copy_states(r);
  int most = st->at_most ? (int)ref_number(r, &r->now, &once, st->at_most) : 1000, passes = 0;
  bool holds = false;
  while (!holds && passes < most) {
    ref_keep_states(r, old);
    statements(r, st->body.at, st->body.n, step);
    r->old = old;
    holds = ref_number(r, &r->now, &once, st->until) != 0;
    r->old = outer;
    passes++;
  }
  step->passes = passes;
  step->repeats++;
  step->all_passes += passes;
  if (passes > step->most_passes) step->most_passes = passes;
  if (!holds && step->cut_off++ == 0) step->repeat = st->text;
}

/* ---- the step ------------------------------------------------------------------------------------------------------------------- */

static void move_to(dslc_reference *r, double t) {
  if (r->now.t == t) return;
  r->now.t = t;
  ref_changed(&r->now);
}

/* When all holds that the statement reads. */
static double moment_of(dslc_reference *r, const ir_stmt *st, double t) {
  if (st->kind == IR_INTEGRATE || !st->over) return t;
  return t + ref_number(r, &r->now, &once, st->over);
}

static void statements(dslc_reference *r, const ir_stmt *list, int n, dslc_ref_step *step) {
  const double t = r->size.begin, outside = r->now.t;
  for (int i = 0; i < n; i++) {
    move_to(r, moment_of(r, &list[i], t));
    switch (list[i].kind) {
    case IR_UPDATE: update(r, &list[i]); break;
    case IR_INTEGRATE: integrate(r, list, &list[i]); break;
    case IR_SOLVE: ref_solve(r, &list[i]); break;
    case IR_REPEAT: repeat(r, &list[i], step); break;
    }
  }
  move_to(r, outside);
}

/* The step ends at the time to stop at, or a whole step before it: no sliver remains. Returns the time at its end. */
static double begin_step(dslc_reference *r, dslc_ref_step *step) {
  const ir_symbol *q = r->size.dt ? ir_symbol_get(r->m, r->size.dt) : NULL;
  step->dt = step->free = r->size.dt_value = r->size.bound = 0;
  r->size.most = step->most;
  if (!q) return step->t;
  r->size.asked = true;
  double free = *ref_value(r, &r->now, r->size.dt, 0, 0), left = step->t_stop - step->t;
  r->size.asked = false;
  if (!(free > 0 && isfinite(free)))
    ref_explain(r, &r->now, &once, q->root[0], "`dt`, which must be above 0,", q->at);
  step->free = r->size.bound = free;
  const double dt = fmin(free, step->most);
  const bool last = left <= dt + dslc_step_slack(step->t_stop, dt);
  step->dt = last ? left : left < 2 * dt ? left / 2 : dt;
  r->size.dt_value = step->dt;
  return last ? step->t_stop : step->t + step->dt;
}

void ref_check_requirements(dslc_reference *r, bool at_start) {
  for (int i = 0; i < r->m->require.n; i++) {
    const ir_require *q = &r->m->require.at[i];
    if (at_start && q->of_step) continue;
    for (int32_t k = 0; k < r->world.count[q->place]; k++) {
      ref_stand at = ref_stand_at(r, q->place, k);
      if (!ref_is_there(r, q->place, k)) continue;
      if (ref_number(r, &r->now, &at, q->condition) == 0) ref_explain_false(r, &r->now, &at, q);
    }
  }
}

void ref_step(dslc_reference *r, dslc_ref_step *step) {
  r->now.t = r->size.begin = step->t;
  ref_changed(&r->now);
  ref_keep_states(r, &r->prev);
  step->passes = step->most_passes = step->cut_off = 0;
  step->all_passes = 0;
  step->repeats = 0;
  double end = begin_step(r, step);
  statements(r, r->m->step.at, r->m->step.n, step);
  step->t = end;
  r->now.t = end;
  ref_changed(&r->now);
  ref_check_requirements(r, false);
}
