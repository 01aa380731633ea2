/* The step: updates, integration in time, linear solves, inner loops. */
#include <math.h>
#include <string.h>

#include "sema/internal.h"

static void add_assign(sema *s, ir_stmt *st, ir_sym target, ir_id v, const ast_assign *a) {
  if (!s->module->on_grid && ir_symbol_get(s->module, target)->place == IR_FACES)
    require_side(s, v, ir_symbol_get(s->module, target), a->at);
  for (int i = 0; i < st->assign.n; i++)
    if (st->assign.at[i].target == target) {
      diag *d =
          complain(s, DIAG_RACE, a->at, "`%s` gets two values in one %s",
                   ir_symbol_get(s->module, target)->text, st->kind == IR_UPDATE ? "update" : "integrate");
      diag_with_span(s->sink, d, st->assign.at[i].at, "here first");
      diag_with_hint(
          s->sink, d, "%s",
          st->kind == IR_UPDATE
              ? "an update assigns all its targets at once; for one after the other write two updates"
              : "add the two rates");
      return;
    }
  ir_assign one = {.target = target, .value = v, .at = a->at, .tag = a->tag};
  ir_name(s->module, v, ir_symbol_get(s->module, target)->text, a->tag, a->at);
  vec_push(s->memory, &st->assign, one);
}

/* A step assigns whole states: `v.x = ...` of a vector v. */
static bool refuse_component(sema *s, name text, span at) {
  const char *dot = strrchr(text, '.');
  const entity *whole = dot ? find_entity(s, intern(s->names, text, (size_t)(dot - text))) : NULL;
  if (!whole || whole->kind != ENTITY_STATE) return false;
  diag *d = complain(s, DIAG_STEP_TARGET, at, "`%s` is a part of the state `%s`: a step assigns whole states",
                     text, whole->text);
  diag_with_hint(s->sink, d, "give all its components:  update %s = (..., %s.y)", whole->text, whole->text);
  return true;
}

/* A state, or an equation that is a tuple of states. */
static entity *step_target(sema *s, name text, span at) {
  entity *e = find_entity(s, text);
  if (!e && refuse_component(s, text, at)) return NULL;
  if (!e) {
    context nothing = context_at(IR_NOWHERE, NULL);
    report_unknown(s, text, at, &nothing);
    return NULL;
  }
  bool operator_ = e->kind == ENTITY_EQUATION && e->decl->head.n_params > 0;
  if (e->kind == ENTITY_EQUATION && !operator_ && !ensure(s, e, at)) return NULL;
  const ir_symbol *q = e->sym ? ir_symbol_get(s->module, e->sym) : NULL;
  bool tuple = q && q->tuple.n_parts > 0;
  for (int i = 0; tuple && i < q->tuple.n_parts; i++) tuple = q->tuple.part_sym[i] != 0;
  if (e->kind == ENTITY_STATE || tuple) return e;
  diag *d = complain(s, DIAG_STEP_TARGET, at,
                     "`%s` is not a state: a step assigns states, or a tuple of states", text);
  diag_with_span(s->sink, d, e->at, "it is declared here");
  return NULL;
}

/* Splits a tuple's value among its states. */
static void assign_value(sema *s, ir_stmt *st, entity *e, value v, const ast_assign *a) {
  v = adapt(s, v, e->type);
  if (!require_fits(s, v, e->type, e->at, arena_printf(s->memory, "the new value of `%s`", e->text))) return;
  const ir_symbol q = *ir_symbol_get(s->module, e->sym);
  if (q.tuple.n_parts == 0) {
    add_assign(s, st, e->sym, v.id, a);
    return;
  }
  for (int i = 0, first = 0; i < q.tuple.n_parts; i++) {
    ir_type t = ir_symbol_get(s->module, q.tuple.part_sym[i])->type;
    add_assign(s, st, q.tuple.part_sym[i], ir_part(s->module, v.id, first, t), a);
    first += t.n;
  }
}

static void lower_update(sema *s, const ast_stmt *st, ir_stmt *out) {
  for (int i = 0; i < st->n_assign; i++) {
    const ast_assign *a = &st->assign[i];
    entity *e = step_target(s, a->target.text, a->target.at);
    if (!e) continue;
    context c = context_at(e->place, arena_printf(s->memory, "`update %s`", e->text));
    if (a->target.n_index) check_letters(s, &a->target, e->place);
    value v = lower_body(s, &c, &a->body);
    if (!v.bad) assign_value(s, out, e, v, a);
  }
}

/* `rk3` of `ssp_rk3`, `forward_euler` of `euler`: one of the words fits. Else the name that is spelled most alike. */
static const char *nearest_method(const char *wrong, const char *const *known, int n) {
  const size_t length = strlen(wrong);
  for (int i = 0; i < n; i++) {
    const size_t other = strlen(known[i]), most = length > other ? length : other;
    const char *longer = length > other ? wrong : known[i], *shorter = length > other ? known[i] : wrong;
    const char *tail = longer + most - strlen(shorter);
    if (tail > longer && tail[-1] == '_' && strcmp(tail, shorter) == 0) return known[i];
  }
  return nearest_name(wrong, known, n);
}

static void check_method(sema *s, const ast_stmt *st, const char *const *known, int n, const char *what) {
  const char *list = known[0];
  for (int i = 0; i < n; i++) {
    if (strcmp(known[i], st->method) == 0) return;
    if (i) list = arena_printf(s->memory, "%s, %s", list, known[i]);
  }
  diag *d = complain(s, DIAG_UNKNOWN_METHOD, st->method_at, "there is no %s `%s`", what, st->method);
  diag_did_you_mean(s->sink, d, nearest_method(st->method, known, n));
  diag_with_hint(s->sink, d, "known are %s", list);
}

/* What an integrator advances has a place; one value is updated by a formula. */
static bool is_one_value(sema *s, const entity *e, span at) {
  if (e->place != IR_NOWHERE) return false;
  diag *d = complain(s, DIAG_STEP_TARGET, at,
                     "`%s` is one value: `integrate` advances states that live somewhere", e->text);
  diag_with_span(s->sink, d, e->at, "it is declared here");
  diag_with_hint(s->sink, d, "write its step: update %s = %s + dt*...", e->text, e->text);
  return true;
}

/* u' times a time must have the unit of u, and its rank. */
static void lower_rate(sema *s, const ast_rate *r, const unit *second, const char *tag, ir_stmt *out) {
  entity *e = step_target(s, r->state, r->state_at);
  if (!e || is_one_value(s, e, r->state_at)) return;
  context here = context_at(e->place, arena_printf(s->memory, "the rate of `%s`", e->text));
  value v = adapt(s, lower_expr(s, &here, r->value), e->type);
  if (v.bad) return;
  value dt = scalar_value(s, ir_const(s->module, 1), second, v.at);
  value change = apply_binary(s, AST_MUL, dt, v, v.at),
        now = {.type = e->type, .at = r->state_at, .id = v.id};
  if (!values_agree(s, change, now)) {
    value_type want = e->type;
    want.unit = want.rank == IR_TUPLE_RANK ? NULL : units_quotient(s->unit.units, e->type.unit, second);
    bool ranks = v.type.rank != e->type.rank || v.type.rank == IR_TUPLE_RANK;
    diag *d = complain(s, DIAG_NOT_DIFFERENTIAL, v.at, "the rate of `%s` must %s %s, but this %s %s", e->text,
                       ranks ? "be a" : "have the unit", ranks ? type_text(s, e->type) : unit_of(s, want),
                       ranks ? "is a" : "has", ranks ? type_text(s, v.type) : unit_of(s, v.type));
    diag_with_span(s->sink, d, e->at, "`%s` is declared here", e->text);
    diag_with_hint(s->sink, d,
                   "%s' = r is the differential equation: r is what %s changes by per unit of time", e->text,
                   e->text);
    return;
  }
  change.id = v.id;
  ast_assign a = {
      .target = {.text = e->text, .at = r->state_at}, .at = span_join(r->state_at, v.at), .tag = tag};
  assign_value(s, out, e, change, &a);
}

static void lower_integrate(sema *s, const ast_stmt *st, ir_stmt *out) {
  static const char *const methods[] = {"euler", "midpoint", "heun", "ssp_rk2", "ssp_rk3", "rk4"};
  check_method(s, st, methods, 6, "time integrator");
  out->method = st->method;
  context c = context_at(IR_NOWHERE, "the length of a step");
  const unit *second = NULL;
  units_named(s->unit.units, "s", &second);
  value over = lower_expr(s, &c, st->over);
  if (require_scalar(s, over, "the length of a step")) require_unit(s, over, second, "the length of a step");
  out->over = over.id;
  for (int i = 0; i < st->n_rates; i++) lower_rate(s, &st->rate[i], second, st->tag, out);
}

static bool known_option(sema *s, const ast_option *o, const ir_stmt *st) {
  static const char *const options[] = {"tol", "iterations", "preconditioner"};
  bool known = false, twice = st->preconditioner && strcmp(o->text, "preconditioner") == 0;
  for (int i = 0; i < 3; i++) known = known || strcmp(o->text, options[i]) == 0;
  for (int i = 0; i < st->option.n; i++) twice = twice || st->option.at[i].text == o->text;
  if (twice) complain(s, DIAG_SOLVER_OPTION, o->at, "option `%s` is given twice", o->text);
  if (known) return true;
  diag *d = complain(s, DIAG_SOLVER_OPTION, o->at, "a solver has no option `%s`", o->text);
  const char *near = nearest_name(o->text, options, 3);
  diag_did_you_mean(s->sink, d, near);
  diag_with_hint(s->sink, d,
                 "the options are tol (relative residual), iterations (the most that are made) and "
                 "preconditioner");
  return false;
}

static void choose_preconditioner(sema *s, const ast_option *o, ir_stmt *out) {
  static const char *const names[] = {"jacobi", "multigrid", "chebyshev", "none"};
  bool is_name = o->value->kind == AST_NAME;
  for (int i = 0; i < 4 && is_name; i++)
    if (strcmp(o->value->text, names[i]) == 0) out->preconditioner = o->value->text;
  if (out->preconditioner) return;
  const char *text = is_name ? o->value->text : ast_expr_text(s->memory, o->value);
  diag *d = complain(s, DIAG_SOLVER_OPTION, o->value->at, "there is no preconditioner `%s`", text);
  const char *near = nearest_name(text, names, 4);
  diag_did_you_mean(s->sink, d, near);
  diag_with_hint(s->sink, d, "it is one of: jacobi, multigrid, chebyshev, none");
}

static void lower_option(sema *s, const ast_option *o, ir_stmt *out) {
  if (!known_option(s, o, out)) return;
  if (strcmp(o->text, "preconditioner") == 0) {
    choose_preconditioner(s, o, out);
    return;
  }
  context none = context_at(IR_NOWHERE, arena_printf(s->memory, "option `%s`", o->text));
  none.constant = true;
  value v = lower_expr(s, &none, o->value);
  if (!require_scalar(s, v, none.why) || !require_unit(s, v, NULL, none.why)) return;
  const char *unknown = not_constant(s, v.id);
  if (unknown) {
    report_no_index(s, &none, intern_str(s->names, unknown), IR_NOWHERE, o->value->at);
    return;
  }
  vec_push(s->memory, &out->option, ((ir_option){.text = o->text, .value = v.id}));
}

static entity *solved_matrix(sema *s, const ast_stmt *st) {
  entity *m = find_entity(s, st->solve.matrix);
  context nothing = context_at(IR_NOWHERE, NULL);
  if (!m) report_unknown(s, st->solve.matrix, st->solve.matrix_at, &nothing);
  else if (m->kind != ENTITY_MATRIX) {
    diag *d = complain(s, DIAG_STEP_TARGET, st->solve.matrix_at, "`%s` is not a matrix of this scheme",
                       st->solve.matrix);
    diag_with_span(s->sink, d, m->at, "it is declared here");
  } else if (ensure(s, m, st->solve.matrix_at)) {
    m->used = true;
    return m;
  }
  return NULL;
}

static entity *solved_unknown(sema *s, const ast_stmt *st) {
  entity *x = step_target(s, st->solve.unknown, st->solve.unknown_at);
  if (!x || (x->kind == ENTITY_STATE && x->place == IR_NODES && x->type.rank == IR_SCALAR)) return x;
  diag *d = complain(s, DIAG_STEP_TARGET, st->solve.unknown_at,
                     "the unknown of a linear system is one scalar at nodes, but `%s` is a %s at %s", x->text,
                     type_text(s, x->type), ir_place_text(x->place));
  diag_with_span(s->sink, d, x->at, "it is declared here");
  if (x->place == IR_NODES)
    diag_with_hint(s->sink, d, "make its components states of their own, and solve for one after the other");
  else if (x->place == IR_CELLS)
    diag_with_hint(s->sink, d,
                   "in cells an implicit step is a repeat: `repeat { update ... } until ... < tol`");
  return NULL;
}

static void lower_solve(sema *s, const ast_stmt *st, ir_stmt *out) {
  static const char *const methods[] = {"cg", "cg_three_term", "minres", "bicgstab", "gmres"};
  check_method(s, st, methods, 5, "linear solver");
  out->method = st->method;
  for (int i = 0; i < st->n_options; i++) lower_option(s, &st->option[i], out);
  entity *m = solved_matrix(s, st), *x = solved_unknown(s, st);
  if (!m || !x) return;
  bool symmetric = strcmp(st->method, "cg") == 0 || strcmp(st->method, "cg_three_term") == 0 ||
                   strcmp(st->method, "minres") == 0;
  if (symmetric &&
      require_symmetric(s, m, st->method_at, arena_printf(s->memory, "%s needs it to be", st->method)))
    ir_symbol_get(s->module, m->sym)->symmetric = true;
  context c = context_at(IR_NODES, arena_printf(s->memory, "the right side of `solve %s`", m->text));
  value rhs = lower_expr(s, &c, st->solve.rhs);
  if (rhs.bad || !require_scalar(s, rhs, "the right side of a linear system")) return;
  require_unit(s, rhs, units_product(s->unit.units, m->type.unit, x->type.unit),
               arena_printf(s->memory, "`%s*%s` and its right side", m->text, x->text));
  out->matrix = m->sym;
  out->unknown = x->sym;
  out->rhs = rhs.id;
}

typedef __typeof__(((ir_stmt *)0)->body) statements;
static void lower_statements(sema *s, const ast_stmt *st, int n, statements *out);

/* How far behind the step's start: X of `t + X`. */
static ir_id lower_moment(sema *s, const ast_expr *e) {
  const bool is_sum = e->kind == AST_BINARY && e->op == AST_ADD && e->arg[0]->kind == AST_NAME;
  if (!is_sum || strcmp(e->arg[0]->text, "t") != 0) {
    diag *d = complain(s, DIAG_MOMENT, e->at, "a statement's time is t + dt, or t and a part of dt");
    diag_with_hint(s->sink, d, "write  at t + dt { ... }; without it all is read as at t, the step's start");
    return 0;
  }
  context c = context_at(IR_NOWHERE, "the time of statements");
  const unit *second = NULL;
  units_named(s->unit.units, "s", &second);
  value part = lower_expr(s, &c, e->arg[1]);
  if (!require_scalar(s, part, c.why) || !require_unit(s, part, second, c.why)) return 0;
  return part.id;
}

/* The statements of a block `at t + dt { ... }` follow each other like others; each knows its time. */
static void set_moment(sema *s, ir_stmt *st, int n, ir_id moment) {
  for (int i = 0; i < n; i++) {
    if (st[i].over) {
      diag *d = complain(s, DIAG_MOMENT, st[i].at,
                         st[i].kind == IR_INTEGRATE ? "`integrate` has times of its own: those of its stages"
                                                    : "these statements have a time already");
      diag_with_hint(s->sink, d, "let it stand outside of  at t + dt { ... }");
      return;
    }
    st[i].over = moment;
    set_moment(s, st[i].body.at, st[i].body.n, moment);
  }
}

static void lower_at_time(sema *s, const ast_stmt *st, statements *out) {
  const int first = out->n;
  const ir_id moment = lower_moment(s, st->over);
  lower_statements(s, st->body, st->n_body, out);
  if (moment) set_moment(s, out->at + first, out->n - first, moment);
}

/* Does it read what has many values, outside of a reduction? */
static bool reads_a_place(sema *s, const ast_expr *e) {
  if (e->kind == AST_REDUCTION) return false;
  const entity *read = e->kind == AST_NAME && e->text ? find_entity(s, e->text) : NULL;
  if (read && read->decl && read->decl->place) return true;
  for (int i = 0; i < e->n; i++)
    if (reads_a_place(s, e->arg[i])) return true;
  return false;
}

/* What was meant is most often a formula for each point. */
static void refuse_choice(sema *s, const ast_stmt *st) {
  const ast_stmt *first = st->n_body > 0 ? &st->body[0] : NULL;
  const char *target =
      first && first->n_assign > 0 && first->assign[0].target.text ? first->assign[0].target.text : "h";
  diag *d = complain(s, DIAG_NOT_CONSTANT, st->until->at,
                     "statements are chosen when the scheme is compiled, by a variant");
  diag_with_hint(s->sink, d,
                 "a value that depends on the run is chosen by a formula: update %s = if %s then ... else %s",
                 target, ast_expr_text(s->memory, st->until), target);
}

/* `if friction == cell { ... } else { ... }`: which of the two is there is known when the scheme is compiled. */
static void lower_choice(sema *s, const ast_stmt *st, statements *out) {
  if (reads_a_place(s, st->until)) {
    refuse_choice(s, st);
    return;
  }
  context c = context_at(IR_NOWHERE, "the choice of statements");
  value v = lower_expr(s, &c, st->until);
  double holds;
  if (!require_bool(s, v, "a choice of statements")) return;
  if (!constant_value(s, v, &holds)) {
    refuse_choice(s, st);
    return;
  }
  if (holds != 0) lower_statements(s, st->body, st->n_body, out);
  else lower_statements(s, st->other, st->n_other, out);
}

static void lower_repeat(sema *s, const ast_stmt *st, ir_stmt *out) {
  lower_statements(s, st->body, st->n_body, &out->body);
  context c = context_at(IR_NOWHERE, "`until`"), limit = context_at(IR_NOWHERE, "`at most`");
  c.until = true;
  value until = lower_expr(s, &c, st->until);
  if (require_bool(s, until, "`until`")) out->until = until.id;
  out->text = ast_expr_text(s->memory, st->until);
  if (!st->at_most) return;
  value most = lower_expr(s, &limit, st->at_most);
  if (require_scalar(s, most, "the number behind `at most`")) out->at_most = most.id;
}

static void lower_statement(sema *s, const ast_stmt *st, ir_stmt *out) {
  static const ir_stmt_kind kind[] = {
      [AST_UPDATE] = IR_UPDATE, [AST_INTEGRATE] = IR_INTEGRATE, [AST_SOLVE] = IR_SOLVE,
      [AST_REPEAT] = IR_REPEAT, [AST_STEP_OF] = IR_UPDATE,      [AST_CHOICE] = IR_UPDATE,
      [AST_AT_TIME] = IR_UPDATE};
  *out = (ir_stmt){.kind = kind[st->kind], .at = st->at, .tag = st->tag};
  switch (st->kind) {
  case AST_UPDATE: lower_update(s, st, out); break;
  case AST_INTEGRATE: lower_integrate(s, st, out); break;
  case AST_SOLVE: lower_solve(s, st, out); break;
  case AST_REPEAT: lower_repeat(s, st, out); break;
  case AST_STEP_OF: /* there are none left: extend.c */
  case AST_CHOICE:
  case AST_AT_TIME: break;
  }
}

static void lower_statements(sema *s, const ast_stmt *st, int n, statements *out) {
  for (int i = 0; i < n; i++) {
    ir_stmt one;
    if (st[i].kind == AST_CHOICE) lower_choice(s, &st[i], out);
    else if (st[i].kind == AST_AT_TIME) lower_at_time(s, &st[i], out);
    else {
      lower_statement(s, &st[i], &one);
      vec_push(s->memory, out, one);
    }
  }
}

static bool same_equations(const ir_stmt *a, const ir_stmt *b) {
  if (a->kind != IR_INTEGRATE || b->kind != IR_INTEGRATE || a->assign.n != b->assign.n) return false;
  for (int i = 0; i < a->assign.n; i++)
    if (a->assign.at[i].target != b->assign.at[i].target || a->assign.at[i].value != b->assign.at[i].value)
      return false;
  return true;
}

/* How far the round that statement k is the last of has come, in steps; NaN: over an interval that is no part of dt. */
static double length_of_round(const ir_module *m, const ir_stmt *list, int k) {
  double sum = 0;
  for (int i = 0; i <= k; i++) {
    if (i != k && (!list[k].turn || list[i].turn != list[k].turn)) continue;
    const double part = ir_part_of_dt(m, list[i].over);
    sum += part != 0 ? part : NAN;
  }
  return sum;
}

/* Of equations as they are written: what passes make of others may become the same. Those in turn go on in time until they have gone over dt;
 * the next begins where the step does, as where a step is made once whole and once in halves. */
static void mark_turns(sema *s, ir_stmt *list, int n) {
  for (int i = 0; i < n; i++) {
    int last = -1;
    for (int k = 0; k < i; k++)
      if (same_equations(&list[k], &list[i])) last = k;
    const double before = last >= 0 ? length_of_round(s->module, list, last) : 1;
    const bool goes_on = !(fabs(before - 1) < 1e-9);
    if (goes_on) list[i].turn = list[last].turn = list[last].turn ? list[last].turn : last + 1;
    const double part = ir_part_of_dt(s->module, list[i].over), with = goes_on ? before + part : 1;
    if (list[i].kind == IR_INTEGRATE && (part < 0 || part > 1 + 1e-9)) {
      diag *d = complain(s, DIAG_MOMENT, list[i].at, "this goes over %.3g*dt: %s", part,
                         part < 0 ? "against the time" : "beyond the end of the step");
      diag_with_hint(s->sink, d, "behind `over` stands dt, a part of it such as dt/2, or a global");
    } else if (with > 1 + 1e-9) {
      diag *d = complain(
          s, DIAG_MOMENT, list[i].at,
          "these equations have been integrated over %.3g*dt before: this goes on to %.3g*dt, beyond the "
          "end of the step",
          before, with);
      diag_with_hint(
          s->sink, d,
          "parts in turn add up to dt; what is integrated after that begins at the start of the step");
    }
    mark_turns(s, list[i].body.at, list[i].body.n);
  }
}

void lower_step(sema *s) {
  int steps = 0;
  for (int i = 0; i < s->scheme->n_decls; i++) {
    const ast_decl *d = s->scheme->decls[i];
    if (d->kind != AST_STEP) continue;
    if (steps++) complain(s, DIAG_NO_STEP, d->at, "a scheme has one step, this is the second");
    statements all = {0};
    lower_statements(s, d->part.step.stmt, d->part.step.n, &all);
    mark_turns(s, all.at, all.n);
    for (int k = 0; k < all.n; k++) vec_push(s->memory, &s->module->step, all.at[k]);
  }
  if (steps == 0) {
    diag *d = complain(s, DIAG_NO_STEP, s->scheme->name_at, "scheme `%s` has no step", s->scheme->text);
    diag_with_hint(s->sink, d, "add  step { update ... }  to say what changes in a time step");
  }
}
