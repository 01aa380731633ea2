/* Structural comparison of syntax trees: everything but spans. For the tests of the formatter and the
 * fuzzer. */
#ifndef TEST_FRONT_TREE_H
#define TEST_FRONT_TREE_H

#include <string.h>

#include "front/ast.h"

static inline bool same_text(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

static inline bool same_names(const name *a, int na, const name *b, int nb) {
  if (na != nb) return false;
  for (int i = 0; i < na; i++)
    if (!same_text(a[i], b[i])) return false;
  return true;
}

static inline bool same_unit(const ast_unit *a, const ast_unit *b) {
  if (!a || !b) return a == b;
  if (a->n != b->n) return false;
  for (int i = 0; i < a->n; i++) {
    const ast_unit_factor *x = &a->factor[i], *y = &b->factor[i];
    if (!same_text(x->base, y->base) || x->num != y->num || x->den != y->den) return false;
  }
  return true;
}

static inline bool same_type(const ast_type *a, const ast_type *b) {
  if (!a || !b) return a == b;
  return a->rank == b->rank && a->n == b->n;
}

static inline bool same_expr(const ast_expr *a, const ast_expr *b);

static inline bool same_binder(const ast_binder *a, const ast_binder *b) {
  if (!a || !b) return a == b;
  return a->kind == b->kind && same_text(a->var, b->var) && same_text(a->anchor, b->anchor) &&
         same_text(a->other, b->other) && same_text(a->domain, b->domain) && same_text(a->rule, b->rule) &&
         same_expr(a->lo, b->lo) && same_expr(a->hi, b->hi);
}

static inline bool same_node(const ast_expr *a, const ast_expr *b) {
  if (a->kind != b->kind || a->n != b->n || !same_text(a->text, b->text)) return false;
  if (!same_unit(a->unit, b->unit) || !same_binder(a->binder, b->binder)) return false;
  switch (a->kind) {
  case AST_NUMBER: return a->number == b->number;
  case AST_UNARY:
  case AST_BINARY: return a->op == b->op;
  case AST_REDUCTION: return a->reduce == b->reduce;
  default: return true;
  }
}

/* Walks the left spine in a loop: it may be long. */
static inline bool same_expr(const ast_expr *a, const ast_expr *b) {
  for (;;) {
    if (!a || !b) return a == b;
    if (!same_node(a, b)) return false;
    for (int i = 1; i < a->n; i++)
      if (!same_expr(a->arg[i], b->arg[i])) return false;
    if (a->n == 0) return true;
    a = a->arg[0];
    b = b->arg[0];
  }
}

static inline bool same_bindings(const ast_binding *a, int na, const ast_binding *b, int nb) {
  if (na != nb) return false;
  for (int i = 0; i < na; i++)
    if (!same_names(a[i].names, a[i].n_names, b[i].names, b[i].n_names) ||
        !same_expr(a[i].value, b[i].value) || !same_type(a[i].type, b[i].type) ||
        !same_unit(a[i].unit, b[i].unit))
      return false;
  return true;
}

static inline bool same_body(const ast_body *a, const ast_body *b) {
  return same_expr(a->expr, b->expr) && same_bindings(a->where, a->n_where, b->where, b->n_where);
}

static inline bool same_head(const ast_head *a, const ast_head *b) {
  return same_text(a->text, b->text) && same_names(a->param, a->n_params, b->param, b->n_params) &&
         same_names(a->index, a->n_index, b->index, b->n_index);
}

static inline bool same_assigns(const ast_assign *a, int na, const ast_assign *b, int nb) {
  if (na != nb) return false;
  for (int i = 0; i < na; i++)
    if (!same_head(&a[i].target, &b[i].target) || !same_body(&a[i].body, &b[i].body) ||
        !same_text(a[i].tag, b[i].tag))
      return false;
  return true;
}

static inline bool same_stmts(const ast_stmt *a, int na, const ast_stmt *b, int nb);

static inline bool same_stmt(const ast_stmt *a, const ast_stmt *b) {
  bool same = a->kind == b->kind && same_text(a->tag, b->tag) && same_text(a->method, b->method) &&
              same_text(a->base, b->base) && same_text(a->solve.matrix, b->solve.matrix) &&
              same_text(a->solve.unknown, b->solve.unknown) && a->n_rates == b->n_rates &&
              a->n_options == b->n_options && same_expr(a->over, b->over) &&
              same_expr(a->solve.rhs, b->solve.rhs) && same_expr(a->until, b->until) &&
              same_expr(a->at_most, b->at_most) &&
              same_assigns(a->assign, a->n_assign, b->assign, b->n_assign) &&
              same_stmts(a->body, a->n_body, b->body, b->n_body) &&
              same_stmts(a->other, a->n_other, b->other, b->n_other);
  for (int i = 0; same && i < a->n_rates; i++)
    same = same_text(a->rate[i].state, b->rate[i].state) && same_expr(a->rate[i].value, b->rate[i].value);
  for (int i = 0; same && i < a->n_options; i++)
    same =
        same_text(a->option[i].text, b->option[i].text) && same_expr(a->option[i].value, b->option[i].value);
  return same;
}

static inline bool same_stmts(const ast_stmt *a, int na, const ast_stmt *b, int nb) {
  if (na != nb) return false;
  for (int i = 0; i < na; i++)
    if (!same_stmt(&a[i], &b[i])) return false;
  return true;
}

static inline bool same_params(const ast_decl *a, const ast_decl *b) {
  if (a->n_params != b->n_params) return false;
  for (int i = 0; i < a->n_params; i++) {
    const ast_param *x = &a->params[i], *y = &b->params[i];
    bool same = same_text(x->text, y->text) && same_type(x->type, y->type) && same_unit(x->unit, y->unit) &&
                same_expr(x->value, y->value) && x->over_time == y->over_time;
    if (!same) return false;
  }
  return true;
}

static inline bool same_results(const ast_decl *a, const ast_decl *b) {
  if (a->part.block.n != b->part.block.n) return false;
  for (int i = 0; i < a->part.block.n; i++) {
    const ast_result *x = &a->part.block.result[i], *y = &b->part.block.result[i];
    bool same = x->kind == y->kind && same_text(x->text, y->text) && same_text(x->tag, y->tag) &&
                same_body(&x->body, &y->body) &&
                same_bindings(x->bindings, x->n_bindings, y->bindings, y->n_bindings);
    if (!same) return false;
  }
  return true;
}

static inline bool same_rules(const ast_decl *a, const ast_decl *b) {
  if (a->part.boundary.n_rules != b->part.boundary.n_rules) return false;
  for (int i = 0; i < a->part.boundary.n_rules; i++) {
    const ast_rule *x = &a->part.boundary.rules[i], *y = &b->part.boundary.rules[i];
    bool same = x->kind == y->kind && x->mode == y->mode && same_head(&x->target, &y->target) &&
                same_body(&x->body, &y->body) &&
                same_bindings(x->bindings, x->n_bindings, y->bindings, y->n_bindings);
    if (!same) return false;
  }
  return true;
}

static inline bool same_decls(ast_decl *const *a, int na, ast_decl *const *b, int nb);

static inline bool same_decl(const ast_decl *a, const ast_decl *b) {
  bool same =
      a->kind == b->kind && a->mode == b->mode && same_text(a->text, b->text) && same_params(a, b) &&
      same_names(a->part.variant.choice, a->part.variant.n, b->part.variant.choice, b->part.variant.n) &&
      same_names(a->names, a->n_names, b->names, b->n_names) && same_type(a->type, b->type) &&
      same_text(a->place, b->place) && same_unit(a->unit, b->unit) && a->over_time == b->over_time &&
      same_head(&a->head, &b->head) && a->is_flux == b->is_flux && same_body(&a->body, &b->body) &&
      same_results(a, b) && a->part.matrix.symmetric == b->part.matrix.symmetric &&
      same_text(a->part.boundary.axis, b->part.boundary.axis) &&
      same_assigns(a->part.matrix.assign, a->part.matrix.n_assign, b->part.matrix.assign,
                   b->part.matrix.n_assign) &&
      same_rules(a, b) && a->part.exchange.n_pairs == b->part.exchange.n_pairs &&
      same_decls(a->part.exchange.decls, a->part.exchange.n_decls, b->part.exchange.decls,
                 b->part.exchange.n_decls) &&
      same_stmts(a->part.step.stmt, a->part.step.n, b->part.step.stmt, b->part.step.n);
  for (int i = 0; same && i < a->part.exchange.n_pairs; i++)
    same = same_names(a->part.exchange.pair[i], 3, b->part.exchange.pair[i], 3);
  return same;
}

static inline bool same_decls(ast_decl *const *a, int na, ast_decl *const *b, int nb) {
  if (na != nb) return false;
  for (int i = 0; i < na; i++)
    if (!same_decl(a[i], b[i])) return false;
  return true;
}

static inline bool same_imports(const ast_file *a, const ast_file *b) {
  if (a->n_imports != b->n_imports) return false;
  for (int i = 0; i < a->n_imports; i++) {
    const ast_import *x = &a->imports[i], *y = &b->imports[i];
    if (!same_text(x->file, y->file) || !same_names(x->names, x->n_names, y->names, y->n_names)) return false;
  }
  return true;
}

/* Two files that were parsed with any pools: the same but for layout and comments. */
static inline bool same_file(const ast_file *a, const ast_file *b) {
  if (!same_imports(a, b)) return false;
  if (!same_decls(a->functions, a->n_functions, b->functions, b->n_functions)) return false;
  const ast_scheme *s = a->scheme, *t = b->scheme;
  if (!s || !t) return s == t;
  return same_text(s->text, t->text) && same_text(s->base, t->base) && s->on_grid == t->on_grid &&
         s->dim == t->dim && same_text(s->dim_letter, t->dim_letter) &&
         same_decls(s->decls, s->n_decls, t->decls, t->n_decls);
}

#endif
