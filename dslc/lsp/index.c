/* Every name of a file with what it stands for: one walk over the tree with the local names in scope. */
#include <stdlib.h>
#include <string.h>

#include "lsp/unit.h"
#include "sema/declared.h"

enum { MOST_PARTS = 12 };

typedef struct indexer {
  workspace *w;
  file_unit *u;
  VEC(symbol *) scope; /* the innermost last */
  const ast_decl *decl;
  span within; /* of the item that is looked through: where its locals are known */
} indexer;

/* ---- occurrences -------------------------------------------------------------------------------------------------- */

static void see(indexer *x, span at, const symbol *of, bool declares) {
  if (!of || at.end <= at.start) return;
  occurrence o = {at.start, at.end, of, declares};
  vec_push(x->u->found, &x->u->seen, o);
}

static const symbol *local(const indexer *x, name text) {
  for (int i = x->scope.n - 1; i >= 0; i--)
    if (x->scope.at[i]->text == text) return x->scope.at[i];
  return NULL;
}

static void push(indexer *x, symbol *s, uint32_t from) {
  s->scope = (span){x->within.file, from, x->within.end};
  vec_push(x->u->found, &x->scope, s);
  vec_push(x->u->found, &x->u->locals, s);
}

static symbol *push_new(indexer *x, symbol_kind kind, name text, span at, uint32_t from) {
  symbol *s = unit_symbol(x->u, x->u->found, kind, text, at, x->decl);
  see(x, s->at, s, true);
  push(x, s, from);
  return s;
}

static void see_symbol(indexer *x, name text, span at) {
  const symbol *own = text ? name_map_get(x->u->symbols, text) : NULL;
  const symbol *s = own || !text ? own : workspace_symbol(x->w, x->u, text);
  see(x, name_span(x->u, at, text ? text : ""), s, s && s->home == x->u && s->at.start == at.start);
}

static void see_file(indexer *x, name text, span at) {
  const file_unit *other = text ? workspace_named(x->w, x->u, text) : NULL;
  if (other) see(x, at, other->self, false);
}

/* ---- names with parts ------------------------------------------------------------------------------------------------ */

typedef struct chain {
  int n;
  name part[MOST_PARTS];
  span at[MOST_PARTS];
} chain;

static bool flatten(const ast_expr *e, chain *out) {
  if (e->kind == AST_NAME && e->text) {
    *out = (chain){.n = 1, .part = {e->text}, .at = {e->at}};
    return true;
  }
  if (e->kind != AST_MEMBER || !e->text || !flatten(e->arg[0], out) || out->n == MOST_PARTS) return false;
  out->part[out->n] = e->text;
  out->at[out->n++] = e->text_at;
  return true;
}

/* Parts first..end with points between them. */
static const char *joined(indexer *x, const chain *c, int first, int end) {
  const char *text = c->part[first];
  for (int i = first + 1; i < end; i++) text = arena_printf(x->u->found, "%s.%s", text, c->part[i]);
  return text;
}

/* The longest part that is declared in `home`; returns it, or NULL. */
static const symbol *see_longest(indexer *x, file_unit *home, const chain *c, int first) {
  for (int k = c->n; k > first; k--) {
    const symbol *own = home == x->u && k == 1 ? name_map_get(home->symbols, c->part[0]) : NULL;
    const symbol *s = own ? own : workspace_symbol(x->w, home, joined(x, c, first, k));
    if (!s) continue;
    int from = s->kind == SYMBOL_RESULT && k - 1 > first ? k - 1 : first;
    if (from > first) see(x, span_join(c->at[first], c->at[from - 1]), s->owner, false);
    see(x, span_join(c->at[from], c->at[k - 1]), s, false);
    return s;
  }
  return NULL;
}

static const symbol *see_chain(indexer *x, const ast_expr *e) {
  chain c;
  const ast_scheme *own = x->u->file->scheme;
  if (!flatten(e, &c)) return NULL;
  const symbol *s = local(x, c.part[0]);
  if (s) {
    see(x, c.at[0], s, false);
    return s;
  }
  if (own && own->base == c.part[0] && c.n > 1) {
    file_unit *base = workspace_named(x->w, x->u, own->base);
    if (base) see(x, c.at[0], base->self, false);
    return base ? see_longest(x, base, &c, 1) : NULL;
  }
  return see_longest(x, x->u, &c, 0);
}

/* ---- formulas --------------------------------------------------------------------------------------------------------- */

static void walk(indexer *x, const ast_expr *e);

/* In brackets stand letters; those of reductions are declared. */
static void walk_index(indexer *x, const ast_expr *e) {
  if (!e) return;
  if (e->kind == AST_NAME) {
    const symbol *s = e->text ? local(x, e->text) : NULL;
    if (s) see(x, e->at, s, false);
  } else if (e->kind == AST_BINARY || e->kind == AST_RANGE) {
    walk_index(x, e->arg[0]);
    walk_index(x, e->arg[1]);
  } else walk(x, e);
}

/* `friction == cell`: what stands beside a variant is one of its choices. */
static bool see_choice(indexer *x, const ast_expr *variant, const ast_expr *choice) {
  if (variant->kind != AST_NAME || choice->kind != AST_NAME || !choice->text || local(x, variant->text))
    return false;
  const symbol *s = workspace_symbol(x->w, x->u, variant->text);
  if (!s || s->kind != SYMBOL_VARIANT) return false;
  see(x, variant->at, s, false);
  for (int i = 0; i < s->home->declared.n; i++) {
    const symbol *one = s->home->declared.at[i];
    if (one->kind == SYMBOL_CHOICE && one->owner == s && strcmp(one->text, choice->text) == 0)
      see(x, choice->at, one, false);
  }
  return true;
}

static void walk_reduction(indexer *x, const ast_expr *e) {
  const ast_binder *b = e->binder;
  int n = x->scope.n;
  span outer = x->within;
  if (!b) return;
  walk_index(x, b->lo);
  walk_index(x, b->hi);
  const symbol *anchor = b->anchor ? local(x, b->anchor) : NULL;
  if (anchor) see(x, b->anchor_at, anchor, false);
  if (b->rule) see(x, b->rule_at, workspace_rule(x->w, x->u, b->rule), false);
  x->within = e->at;
  if (b->var) push_new(x, SYMBOL_LETTER, b->var, b->var_at, e->at.start)->binder = b;
  if (b->other) push_new(x, SYMBOL_LETTER, b->other, b->other_at, e->at.start)->binder = b;
  if (e->n > 0) walk(x, e->arg[0]);
  x->within = outer;
  x->scope.n = n;
}

static bool is_part_of_mesh(indexer *x, const ast_expr *callee) {
  return callee->kind == AST_NAME && callee->text && name_has_parts(callee->text) &&
         !workspace_symbol(x->w, x->u, callee->text);
}

static void walk_one(indexer *x, const ast_expr *e) {
  switch (e->kind) {
  case AST_NAME: see_chain(x, e); break;
  case AST_MEMBER:
    if (!see_chain(x, e)) {
      while (e->kind == AST_MEMBER) e = e->arg[0];
      if (e->kind != AST_NAME) walk(x, e);
    }
    break;
  case AST_INDEX:
    walk(x, e->arg[0]);
    for (int i = 1; i < e->n; i++) walk_index(x, e->arg[i]);
    break;
  case AST_CALL:
    walk(x, e->arg[0]);
    for (int i = 1; i < e->n && !is_part_of_mesh(x, e->arg[0]); i++) walk(x, e->arg[i]);
    break;
  case AST_REDUCTION: walk_reduction(x, e); break;
  case AST_NUMBER:
  case AST_BINARY:
  case AST_ERROR: break;
  default:
    for (int i = 0; i < e->n; i++) walk(x, e->arg[i]);
  }
}

/* Chains of operators are left-deep and may be long. */
static void walk(indexer *x, const ast_expr *e) {
  while (e && e->kind == AST_BINARY) {
    bool compares = e->op == AST_EQ || e->op == AST_NE;
    if (compares && (see_choice(x, e->arg[0], e->arg[1]) || see_choice(x, e->arg[1], e->arg[0]))) return;
    walk(x, e->arg[1]);
    e = e->arg[0];
  }
  if (e) walk_one(x, e);
}

/* Names that a declaration has already entered, as of rules, are found by their place. */
static symbol *entered(const indexer *x, span at) {
  symbol *s = x->decl && x->decl->kind == AST_BOUNDARY ? unit_declared(x->u, at.start) : NULL;
  return s && s->decl == x->decl ? s : NULL;
}

static void walk_bindings(indexer *x, const ast_binding *b, int n, bool whole) {
  for (int i = 0; i < n; i++) {
    walk(x, b[i].value);
    for (int k = 0; k < b[i].n_names; k++) {
      uint32_t from = whole ? x->within.start : b[i].at.end;
      symbol *s = entered(x, b[i].names_at[k]);
      if (s) {
        see(x, s->at, s, true);
        push(x, s, from);
      } else push_new(x, SYMBOL_LOCAL, b[i].names[k], b[i].names_at[k], from)->binding = &b[i];
    }
  }
}

static void walk_body(indexer *x, const ast_body *b, span at) {
  int n = x->scope.n;
  span outer = x->within;
  x->within = at;
  walk_bindings(x, b->where, b->n_where, true);
  walk(x, b->expr);
  x->within = outer;
  x->scope.n = n;
}

/* ---- statements --------------------------------------------------------------------------------------------------------- */

static void walk_statements(indexer *x, const ast_stmt *st, int n) {
  for (int i = 0; i < n; i++) {
    const ast_stmt *s = &st[i];
    for (int k = 0; k < s->n_assign; k++) {
      see_symbol(x, s->assign[k].target.text, s->assign[k].target.at);
      walk_body(x, &s->assign[k].body, s->assign[k].at);
    }
    for (int k = 0; k < s->n_rates; k++) {
      see_symbol(x, s->rate[k].state, s->rate[k].state_at);
      walk(x, s->rate[k].value);
    }
    if (s->solve.matrix) see_symbol(x, s->solve.matrix, s->solve.matrix_at);
    if (s->solve.unknown) see_symbol(x, s->solve.unknown, s->solve.unknown_at);
    if (s->base) see_file(x, s->base, s->base_at);
    walk(x, s->over);
    walk(x, s->solve.rhs);
    for (int k = 0; k < s->n_options; k++)
      if (strcmp(s->option[k].text, "preconditioner") != 0) walk(x, s->option[k].value);
    walk_statements(x, s->body, s->n_body);
    walk_statements(x, s->other, s->n_other);
    walk(x, s->until);
    walk(x, s->at_most);
  }
}

/* ---- declarations ---------------------------------------------------------------------------------------------------------- */

static void push_arguments(indexer *x, const ast_head *h) {
  for (int i = 0; i < h->n_params; i++)
    push_new(x, SYMBOL_ARGUMENT, h->param[i], h->param_at[i], x->within.start);
}

static void walk_results(indexer *x, const ast_decl *d) {
  for (int i = 0; i < d->part.block.n; i++) {
    const ast_result *r = &d->part.block.result[i];
    walk_bindings(x, r->bindings, r->n_bindings, false);
    walk_body(x, &r->body, r->at);
    if (r->kind != AST_RESULT_NAME || !r->text) continue;
    const char *whole = arena_printf(x->u->found, "%s.%s", d->head.text, r->text);
    const symbol *s = name_map_get(x->u->symbols, intern_str(x->u->names, whole));
    if (!s || s->kind != SYMBOL_RESULT || s->decl != d) continue;
    see(x, s->at, s, s->result == r);
    symbol *bare = arena_new(x->u->found, symbol); /* read further down in the block by its bare name */
    *bare = *s;
    bare->text = r->text;
    bare->scope = (span){d->at.file, r->at.end, d->at.end};
    vec_push(x->u->found, &x->scope, bare);
    vec_push(x->u->found, &x->u->locals, bare);
  }
}

/* The lines of `add boundary` see what the rule's own say. */
static void push_rule_locals(indexer *x, const symbol *rule) {
  for (int i = 0; rule && i < rule->home->declared.n; i++) {
    symbol *s = rule->home->declared.at[i];
    if (s->decl != rule->decl || (s->kind != SYMBOL_ARGUMENT && s->kind != SYMBOL_LOCAL)) continue;
    symbol *here = arena_new(x->u->found, symbol);
    *here = *s;
    here->text = intern_str(x->u->names, s->text);
    here->scope = x->within;
    vec_push(x->u->found, &x->scope, here);
    vec_push(x->u->found, &x->u->locals, here);
  }
}

static void walk_boundary(indexer *x, const ast_decl *d) {
  for (int i = 0; d->mode == AST_ADDS && i < d->n_names; i++) {
    const symbol *rule = workspace_rule(x->w, x->u, d->names[i]);
    see(x, d->names_at[i], rule, false);
    push_rule_locals(x, rule);
  }
  if (d->mode != AST_ADDS && d->text) {
    const symbol *rule = workspace_rule(x->w, x->u, d->text);
    see(x, d->name_at, rule, rule && rule->decl == d);
  }
  for (int i = 0; i < d->n_params; i++) {
    walk(x, d->params[i].value);
    symbol *s = entered(x, d->params[i].at);
    if (!s) continue;
    see(x, s->at, s, true);
    push(x, s, d->at.start);
  }
  for (int i = 0; i < d->part.boundary.n_rules; i++) {
    const ast_rule *r = &d->part.boundary.rules[i];
    walk_bindings(x, r->bindings, r->n_bindings, false);
    if (r->kind == AST_RULE_LET) continue;
    see_symbol(x, r->target.text, r->target.at);
    walk_body(x, &r->body, r->at);
  }
}

static void walk_decl(indexer *x, const ast_decl *d);

static void walk_exchange(indexer *x, const ast_decl *d) {
  for (int i = 0; i < d->part.exchange.n_pairs; i++)
    for (int k = 0; k < 3; k++)
      if (d->part.exchange.pair[i][k])
        see_symbol(x, d->part.exchange.pair[i][k], d->part.exchange.pair_at[i][k]);
  for (int i = 0; i < d->part.exchange.n_decls; i++) walk_decl(x, d->part.exchange.decls[i]);
}

static void walk_variant(indexer *x, const ast_decl *d) {
  see_symbol(x, d->text, d->name_at);
  for (int i = 0; i < x->u->declared.n; i++) {
    const symbol *s = x->u->declared.at[i];
    if (s->decl == d && s->kind == SYMBOL_CHOICE) see(x, s->at, s, true);
  }
}

static void walk_decl(indexer *x, const ast_decl *d) {
  int n = x->scope.n;
  span outer = x->within;
  x->decl = d;
  x->within = d->at;
  switch (d->kind) {
  case AST_BOUNDARY: walk_boundary(x, d); break;
  case AST_EXCHANGE: walk_exchange(x, d); break;
  case AST_VARIANT: walk_variant(x, d); break;
  case AST_PARAMETER:
    for (int i = 0; i < d->n_params; i++) {
      see_symbol(x, d->params[i].text, d->params[i].at);
      walk(x, d->params[i].value);
    }
    break;
  case AST_MATRIX:
    see_symbol(x, d->text, d->name_at);
    for (int i = 0; i < d->part.matrix.n_assign; i++) {
      see_symbol(x, d->part.matrix.assign[i].target.text, d->part.matrix.assign[i].target.at);
      walk_body(x, &d->part.matrix.assign[i].body, d->part.matrix.assign[i].at);
    }
    break;
  default:
    for (int i = 0; i < d->n_names; i++) see_symbol(x, d->names[i], d->names_at[i]);
    if (d->head.text) see_symbol(x, d->head.text, d->head.at);
    push_arguments(x, &d->head);
    walk_results(x, d);
    walk_body(x, &d->body, d->at);
    walk_statements(x, d->part.step.stmt, d->part.step.n);
  }
  x->within = outer;
  x->scope.n = n;
}

/* ---- the whole --------------------------------------------------------------------------------------------------------------- */

static int by_position(const void *a, const void *b) {
  const occurrence *x = a, *y = b;
  if (x->start != y->start) return x->start < y->start ? -1 : 1;
  return x->declares != y->declares ? (x->declares ? -1 : 1) : 0;
}

/* Each place once: a name in several rules of a grid, as in `add boundary`, stands for the first. */
static void sort_occurrences(file_unit *u) {
  int n = 0;
  if (u->seen.n) qsort(u->seen.at, (size_t)u->seen.n, sizeof *u->seen.at, by_position);
  for (int i = 0; i < u->seen.n; i++)
    if (n == 0 || u->seen.at[n - 1].start != u->seen.at[i].start) u->seen.at[n++] = u->seen.at[i];
  u->seen.n = n;
}

static void walk_import(indexer *x, const ast_import *i) {
  see_file(x, i->file, i->at);
  file_unit *other = workspace_named(x->w, x->u, i->file);
  for (int k = 0; other && k < i->n_names; k++)
    see(x, i->names_at[k], workspace_symbol(x->w, other, i->names[k]), false);
}

void unit_index(workspace *w, file_unit *u) {
  if (u->indexed == w->generation && w->generation) return;
  arena_destroy(&u->found);
  u->seen.at = NULL, u->seen.n = u->seen.cap = 0;
  u->locals.at = NULL, u->locals.n = u->locals.cap = 0;
  u->found = workspace_arena(w);
  indexer x = {.w = w, .u = u};
  const ast_scheme *s = u->file->scheme;
  for (int i = 0; i < u->file->n_imports; i++) walk_import(&x, &u->file->imports[i]);
  if (s && s->text) see(&x, s->name_at, u->self, true);
  if (s && s->base) see_file(&x, s->base, s->base_at);
  for (int i = 0; i < u->file->n_functions; i++) walk_decl(&x, u->file->functions[i]);
  for (int i = 0; s && i < s->n_decls; i++) walk_decl(&x, s->decls[i]);
  sort_occurrences(u);
  u->indexed = w->generation;
}

/* ---- what can be read at a place ---------------------------------------------------------------------------------------------- */

static void visit_file(workspace *w, file_unit *u, bool functions, int depth, symbol_visit *visit,
                       void *ctx) {
  for (int i = 0; i < u->declared.n; i++) {
    const symbol *s = u->declared.at[i];
    bool named = s->kind != SYMBOL_CHOICE && s->kind != SYMBOL_ARGUMENT && s->kind != SYMBOL_LOCAL;
    if (named && (!functions || s->kind == SYMBOL_FUNCTION)) visit(ctx, s);
  }
  if (depth > 8) return;
  for (int i = 0; i < u->file->n_imports; i++) {
    const ast_import *from = &u->file->imports[i];
    file_unit *other = workspace_named(w, u, from->file);
    for (int k = 0; other && k < from->n_names; k++) {
      const symbol *s = workspace_symbol(w, other, from->names[k]);
      if (s) visit(ctx, s);
    }
    if (other && other != u && !from->n_names) visit_file(w, other, true, depth + 1, visit, ctx);
  }
  const ast_scheme *s = u->file->scheme;
  file_unit *base = s && s->base && !functions ? workspace_named(w, u, s->base) : NULL;
  if (base && base != u) visit_file(w, base, false, depth + 1, visit, ctx);
}

void unit_visible(workspace *w, file_unit *u, uint32_t offset, symbol_visit *visit, void *ctx) {
  unit_index(w, u);
  for (int i = u->locals.n - 1; i >= 0; i--) {
    const symbol *s = u->locals.at[i];
    if (s->scope.start <= offset && offset <= s->scope.end) visit(ctx, s);
  }
  visit_file(w, u, false, 0, visit, ctx);
}
