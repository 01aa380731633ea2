/* The step: updates, integration in time, linear solves, inner loops. */
#include <string.h>

#include "sema/internal.h"

static void add_assign(sema *s, ir_stmt *st, ir_sym target, ir_id v, const ast_assign *a) {
  for (int i = 0; i < st->assign.n; i++)
    if (st->assign.at[i].target == target) {
      diag *d = diag_report(s->sink, DIAG_STEP_TARGET, a->at, "`%s` is assigned twice in one update",
                            ir_symbol_get(s->module, target)->text);
      diag_with_span(s->sink, d, st->assign.at[i].at, "here first; an update assigns all its targets at once");
      return;
    }
  ir_assign one = {.target = target, .value = v, .at = a->at, .tag = a->tag};
  ir_name(s->module, v, ir_symbol_get(s->module, target)->text, a->tag, a->at);
  vec_push(s->memory, &st->assign, one);
}

/* A state, or an equation that is a tuple of states. */
static entity *step_target(sema *s, name text, span at) {
  entity *e = find_entity(s, text);
  if (!e) {
    context nothing = context_at(IR_NOWHERE, NULL);
    report_unknown(s, text, at, &nothing);
    return NULL;
  }
  if (!ensure(s, e, at)) return NULL;
  const ir_symbol *q = e->sym ? ir_symbol_get(s->module, e->sym) : NULL;
  bool tuple = q && q->n_parts > 0;
  for (int i = 0; tuple && i < q->n_parts; i++) tuple = q->part_sym[i] != 0;
  if (e->kind == ENTITY_STATE || tuple) return e;
  diag *d = diag_report(s->sink, DIAG_STEP_TARGET, at, "`%s` is not a state: a step assigns states, or a tuple of states", text);
  diag_with_span(s->sink, d, e->at, "it is declared here");
  return NULL;
}

/* Splits a tuple's value among its states. */
static void assign_value(sema *s, ir_stmt *st, entity *e, value v, const ast_assign *a) {
  v = adapt(s, v, e->type);
  value want = {.type = e->type, .at = a->target.at, .id = v.id};
  if (!require_same(s, v, want, a->at, "an assignment")) return;
  const ir_symbol q = *ir_symbol_get(s->module, e->sym);
  if (q.n_parts == 0) {
    add_assign(s, st, e->sym, v.id, a);
    return;
  }
  for (int i = 0, first = 0; i < q.n_parts; i++) {
    ir_type t = ir_symbol_get(s->module, q.part_sym[i])->type;
    add_assign(s, st, q.part_sym[i], ir_part(s->module, v.id, first, t), a);
    first += t.n;
  }
}

static void lower_update(sema *s, const ast_stmt *st, ir_stmt *out) {
  for (int i = 0; i < st->n_assign; i++) {
    const ast_assign *a = &st->assign[i];
    entity *e = step_target(s, a->target.text, a->target.at);
    if (!e) continue;
    context c = context_at(e->place, arena_printf(s->memory, "`update %s`", e->text));
    value v = lower_body(s, &c, &a->body);
    if (!v.bad) assign_value(s, out, e, v, a);
  }
}

static void check_method(sema *s, const ast_stmt *st, const char *const *known, int n, const char *what) {
  const char *list = known[0];
  for (int i = 0; i < n; i++) {
    if (strcmp(known[i], st->method) == 0) return;
    if (i) list = arena_printf(s->memory, "%s, %s", list, known[i]);
  }
  diag *d = diag_report(s->sink, DIAG_UNKNOWN_METHOD, st->method_at, "there is no %s `%s`", what, st->method);
  const char *near = nearest_name(st->method, known, n);
  if (near) diag_with_label(s->sink, d, "did you mean `%s`?", near);
  diag_with_hint(s->sink, d, "known are %s", list);
}

static void lower_integrate(sema *s, const ast_stmt *st, ir_stmt *out) {
  static const char *const methods[] = {"euler", "midpoint", "heun", "ssp_rk2", "ssp_rk3", "rk4"};
  check_method(s, st, methods, 6, "time integrator");
  out->method = st->method;
  context c = context_at(IR_NOWHERE, "the length of a step");
  value over = lower_expr(s, &c, st->over);
  require_scalar(s, over, "the length of a step");
  out->over = over.id;
  const unit *second = over.bad ? NULL : over.type.unit;
  for (int i = 0; i < st->n_rates; i++) {
    entity *e = step_target(s, st->rate[i].state, st->rate[i].state_at);
    if (!e) continue;
    context here = context_at(e->place, arena_printf(s->memory, "the rate of `%s`", e->text));
    value v = lower_expr(s, &here, st->rate[i].value);
    if (v.bad) continue;
    /* u' dt must have the unit of u */
    value dt = scalar_value(s, ir_const(s->module, 1), second, v.at);
    value change = apply_binary(s, AST_MUL, dt, v, v.at);
    change.id = v.id;
    ast_assign a = {.target = {.text = e->text, .at = st->rate[i].state_at}, .at = v.at, .tag = st->tag};
    assign_value(s, out, e, change, &a);
  }
}

static void lower_solve(sema *s, const ast_stmt *st, ir_stmt *out) {
  static const char *const methods[] = {"cg", "bicgstab"};
  static const char *const options[] = {"tol", "iterations", "preconditioner"};
  check_method(s, st, methods, 2, "linear solver");
  out->method = st->method;
  entity *m = find_entity(s, st->matrix), *x = step_target(s, st->unknown, st->unknown_at);
  if (!m || m->kind != ENTITY_MATRIX) {
    diag_report(s->sink, DIAG_STEP_TARGET, st->matrix_at, "`%s` is not a matrix of this scheme", st->matrix);
    return;
  }
  if (!x || !ensure(s, m, st->matrix_at)) return;
  m->used = true;
  context c = context_at(IR_NODES, arena_printf(s->memory, "the right side of `solve %s`", m->text));
  value rhs = lower_expr(s, &c, st->rhs);
  if (rhs.bad || !require_scalar(s, rhs, "the right side of a linear system")) return;
  require_unit(s, rhs, units_product(s->units, m->type.unit, x->type.unit), "the right side");
  out->matrix = m->sym;
  out->unknown = x->sym;
  out->rhs = rhs.id;
  for (int i = 0; i < st->n_options; i++) {
    bool known = false;
    for (int k = 0; k < 3; k++) known = known || strcmp(options[k], st->option[i].text) == 0;
    if (!known) {
      diag *d = diag_report(s->sink, DIAG_SOLVER_OPTION, st->option[i].at, "a solver has no option `%s`", st->option[i].text);
      diag_with_hint(s->sink, d, "the options are tol, iterations, preconditioner");
      continue;
    }
    context none = context_at(IR_NOWHERE, "a solver's option");
    value v = lower_expr(s, &none, st->option[i].value);
    if (v.bad) continue;
    ir_option o = {.text = st->option[i].text, .value = v.id};
    vec_push(s->memory, &out->option, o);
  }
}

static void lower_statement(sema *s, const ast_stmt *st, ir_stmt *out);

static void lower_repeat(sema *s, const ast_stmt *st, ir_stmt *out) {
  for (int i = 0; i < st->n_body; i++) {
    ir_stmt one = {0};
    lower_statement(s, &st->body[i], &one);
    vec_push(s->memory, &out->body, one);
  }
  context c = context_at(IR_NOWHERE, "`until`");
  value until = lower_expr(s, &c, st->until), most = lower_expr(s, &c, st->at_most);
  if (require_bool(s, until, "what stands behind `until`")) out->until = until.id;
  if (require_scalar(s, most, "what stands behind `at most`")) out->at_most = most.id;
}

static void lower_statement(sema *s, const ast_stmt *st, ir_stmt *out) {
  static const ir_stmt_kind kind[] = {
      [AST_UPDATE] = IR_UPDATE, [AST_INTEGRATE] = IR_INTEGRATE, [AST_SOLVE] = IR_SOLVE, [AST_REPEAT] = IR_REPEAT};
  *out = (ir_stmt){.kind = kind[st->kind], .at = st->at, .tag = st->tag};
  switch (st->kind) {
  case AST_UPDATE: lower_update(s, st, out); break;
  case AST_INTEGRATE: lower_integrate(s, st, out); break;
  case AST_SOLVE: lower_solve(s, st, out); break;
  case AST_REPEAT: lower_repeat(s, st, out); break;
  }
}

void lower_step(sema *s) {
  int steps = 0;
  for (int i = 0; i < s->scheme->n_decls; i++) {
    const ast_decl *d = s->scheme->decls[i];
    if (d->kind != AST_STEP) continue;
    if (steps++) diag_report(s->sink, DIAG_NO_STEP, d->at, "a scheme has one step, this is the second");
    for (int k = 0; k < d->n_stmts; k++) {
      ir_stmt st;
      lower_statement(s, &d->stmts[k], &st);
      vec_push(s->memory, &s->module->step, st);
    }
  }
  if (steps == 0) {
    diag *d = diag_report(s->sink, DIAG_NO_STEP, s->scheme->name_at, "scheme `%s` has no step", s->scheme->text);
    diag_with_hint(s->sink, d, "add  step { update ... }  to say what changes in a time step");
  }
}
