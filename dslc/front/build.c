#include <string.h>

#include "front/parse_state.h"

/* ---- expressions --------------------------------------------------------------------------------------- */

/* The levels that `child` adds below its parent. A binary operator on the left continues the spine. */
static int levels(const ast_expr *parent, int i) {
  const ast_expr *child = parent->arg[i];
  bool spine = i == 0 && parent->kind == AST_BINARY && child->kind == AST_BINARY;
  return spine ? child->depth : child->depth + 1;
}

/* Sets the depth; an expression that is too deep becomes an AST_ERROR, so that no later walk can overflow. */
static ast_expr *finished(parse_state *ps, ast_expr *e) {
  e->depth = 1;
  for (int i = 0; i < e->n; i++)
    if (levels(e, i) > e->depth) e->depth = levels(e, i);
  if (e->depth <= AST_MAX_DEPTH) return e;
  report_nesting(ps, e->at);
  *e = (ast_expr){.kind = AST_ERROR, .at = e->at, .depth = 1};
  return e;
}

static ast_expr *new_expr(parse_state *ps, ast_expr_kind kind, span at, int n) {
  ast_expr *e = arena_new(ps->memory, ast_expr);
  e->kind = kind;
  e->at = at;
  e->n = n;
  e->depth = 1;
  if (n > 0) e->arg = arena_array(ps->memory, ast_expr *, n);
  return e;
}

ast_expr *build_number(parse_state *ps, span at, double value, ast_unit *unit) {
  ast_expr *e = new_expr(ps, AST_NUMBER, at, 0);
  e->number = value;
  e->unit = unit;
  return e;
}

ast_expr *build_error(parse_state *ps, span at) { return new_expr(ps, AST_ERROR, at, 0); }

ast_expr *build_name(parse_state *ps, span at, name text) {
  ast_expr *e = new_expr(ps, AST_NAME, at, 0);
  e->text = text;
  e->text_at = at;
  return e;
}

ast_expr *build_quoted(parse_state *ps, span at, name text) {
  ast_expr *e = build_name(ps, at, text);
  e->quoted = !name_is_plain(text);
  return e;
}

ast_expr *build_member(parse_state *ps, span at, ast_expr *of, name text, span text_at) {
  ast_expr *e = new_expr(ps, AST_MEMBER, at, 1);
  e->arg[0] = of;
  e->text = text;
  e->text_at = text_at;
  return finished(ps, e);
}

/* `u.2`: the part's text is what the user wrote. */
ast_expr *build_member_number(parse_state *ps, span at, ast_expr *of, span text_at) {
  name text = intern(ps->names, ps->list->text + text_at.start, text_at.end - text_at.start);
  return build_member(ps, at, of, text, text_at);
}

ast_expr *build_list(parse_state *ps, ast_expr_kind kind, span at, ast_expr *first, const expr_list *rest) {
  ast_expr *e = new_expr(ps, kind, at, 1 + rest->n);
  e->arg[0] = first;
  memcpy(e->arg + 1, rest->at, sizeof *rest->at * (size_t)rest->n);
  return finished(ps, e);
}

ast_bound *build_bound(parse_state *ps, ast_op op, ast_expr *value) {
  ast_bound *b = arena_new(ps->memory, ast_bound);
  *b = (ast_bound){op, value, NULL};
  return b;
}

ast_expr *build_unary(parse_state *ps, span at, ast_op op, ast_expr *arg) {
  ast_expr *e = new_expr(ps, AST_UNARY, at, 1);
  e->op = op;
  e->arg[0] = arg;
  return finished(ps, e);
}

ast_expr *build_binary(parse_state *ps, span at, ast_op op, ast_expr *left, ast_expr *right) {
  ast_expr *e = new_expr(ps, AST_BINARY, at, 2);
  e->op = op;
  e->arg[0] = left;
  e->arg[1] = right;
  return finished(ps, e);
}

ast_expr *build_range(parse_state *ps, span at, ast_expr *lo, ast_expr *hi) {
  ast_expr *e = new_expr(ps, AST_RANGE, at, 2);
  e->arg[0] = lo;
  e->arg[1] = hi;
  return finished(ps, e);
}

ast_expr *build_if(parse_state *ps, span at, ast_expr *condition, ast_expr *yes, ast_expr *no) {
  ast_expr *e = new_expr(ps, AST_IF, at, 3);
  e->arg[0] = condition;
  e->arg[1] = yes;
  e->arg[2] = no;
  return finished(ps, e);
}

ast_expr *build_reduction(parse_state *ps, span at, name word, ast_binder *binder, ast_expr *body) {
  ast_expr *e = new_expr(ps, AST_REDUCTION, at, 1);
  e->reduce = strcmp(word, "sum") == 0 ? AST_SUM : strcmp(word, "min") == 0 ? AST_MIN : AST_MAX;
  e->binder = binder;
  e->arg[0] = body;
  return finished(ps, e);
}

ast_binder *build_binder(parse_state *ps, ast_binder_kind kind, span at, name var, span var_at) {
  ast_binder *b = arena_new(ps->memory, ast_binder);
  b->kind = kind;
  b->at = at;
  b->var = var;
  b->var_at = var_at;
  return b;
}

/* `cells` or `faces(wall)`, read as an expression because a range begins like one. */
void binder_set_domain(parse_state *ps, ast_binder *b, const ast_expr *domain) {
  const ast_expr *place = domain->kind == AST_CALL && domain->n == 2 ? domain->arg[0] : domain;
  const ast_expr *rule = place != domain ? domain->arg[1] : NULL;
  if (place->kind != AST_NAME || (rule && rule->kind != AST_NAME)) {
    if (domain->kind == AST_ERROR) return;
    diag *d = diag_report(ps->sink, DIAG_SYNTAX, domain->at, "expected a place or a range after `in`");
    diag_with_hint(ps->sink, d, "for example `c in cells`, `f in faces(wall)`, `m in j-1..j`");
    return;
  }
  b->domain = place->text;
  b->domain_at = place->at;
  if (rule == NULL) return;
  b->rule = rule->text;
  b->rule_at = rule->at;
}

/* ---- units --------------------------------------------------------------------------------------------- */

enum { LARGEST_EXPONENT = 1000, MOST_FACTORS = 64 };

ast_unit *unit_factor(parse_state *ps, span at, name base) {
  ast_unit *u = arena_new(ps->memory, ast_unit);
  u->n = 1;
  u->factor = arena_new(ps->memory, ast_unit_factor);
  u->factor[0] = (ast_unit_factor){base, 1, 1, at};
  u->at = at;
  return u;
}

ast_unit *unit_one(parse_state *ps, span at, double value) {
  if (value != 1) {
    diag *d = diag_report(ps->sink, DIAG_BAD_UNIT, at, "a unit has no factors but names and `1`");
    diag_with_hint(ps->sink, d, "put the factor into the number; exponents are written with `^`");
  }
  ast_unit *u = arena_new(ps->memory, ast_unit);
  u->at = at;
  return u;
}

ast_unit *unit_product(parse_state *ps, ast_unit *a, ast_unit *b, int sign, span at) {
  ast_unit *u = arena_new(ps->memory, ast_unit);
  u->at = at;
  u->n = a->n + b->n;
  if (u->n > MOST_FACTORS) {
    diag_report(ps->sink, DIAG_BAD_UNIT, at, "a unit has at most %d factors", MOST_FACTORS);
    return a;
  }
  u->factor = arena_array(ps->memory, ast_unit_factor, u->n);
  if (a->n) memcpy(u->factor, a->factor, sizeof *a->factor * (size_t)a->n);
  for (int i = 0; i < b->n; i++) {
    u->factor[a->n + i] = b->factor[i];
    u->factor[a->n + i].num *= sign;
  }
  return u;
}

static int common_divisor(int a, int b) { return b == 0 ? a : common_divisor(b, a % b); }

static bool set_exponent(ast_unit_factor *f, int num, int den) {
  long n = (long)f->num * num, d = (long)f->den * den;
  if (n > LARGEST_EXPONENT || n < -LARGEST_EXPONENT || d > LARGEST_EXPONENT) return false;
  int divisor = common_divisor(n < 0 ? (int)-n : (int)n, (int)d);
  f->num = (int)n / divisor;
  f->den = (int)d / divisor;
  return true;
}

ast_unit *unit_power(parse_state *ps, ast_unit *u, double num, double den, span at) {
  bool fits = den >= 1 && den <= LARGEST_EXPONENT && num >= -LARGEST_EXPONENT && num <= LARGEST_EXPONENT;
  for (int i = 0; i < u->n && fits; i++) fits = set_exponent(&u->factor[i], (int)num, (int)den);
  if (!fits) {
    diag *d = diag_report(ps->sink, DIAG_BAD_UNIT, at, "this exponent is not possible");
    diag_with_hint(ps->sink, d, "exponents are fractions of whole numbers up to %d", LARGEST_EXPONENT);
  }
  u->at = at;
  return u;
}

/* ---- types --------------------------------------------------------------------------------------------- */

ast_type *build_type(parse_state *ps, span at, name word) {
  static const char *const words[] = {"scalar", "vector", "tensor", "bool", "int"};
  ast_type *t = arena_new(ps->memory, ast_type);
  t->at = at;
  for (int i = 0; i < 5; i++) {
    if (strcmp(word, words[i]) != 0) continue;
    const ast_type of[] = {
        {AST_SCALAR, 0, at}, {AST_VECTOR, 0, at}, {AST_TENSOR, 0, at}, {AST_BOOL, 0, at}, {AST_INT, 0, at}};
    *t = of[i];
    return t;
  }
  diag *d = diag_report(ps->sink, DIAG_UNKNOWN_TYPE, at, "`%s` is not a type", word);
  const char *near = nearest_name(word, words, 5);
  diag_did_you_mean(ps->sink, d, near);
  diag_with_hint(ps->sink, d, "types are scalar, vector, tensor, bool, int and real[n]");
  return t;
}

ast_type *build_real_n(parse_state *ps, span at, double n) {
  ast_type *t = arena_new(ps->memory, ast_type);
  *t = (ast_type){AST_REAL_N, 1, at};
  if (n >= 1 && n <= 64) t->n = (int)n;
  else diag_report(ps->sink, DIAG_UNKNOWN_TYPE, at, "real[n] has 1 to 64 components");
  return t;
}

void check_over_time(parse_state *ps, span at, name word) {
  if (strcmp(word, "time") == 0) return;
  diag_report(ps->sink, DIAG_SYNTAX, at, "expected `time` after `over`, found `%s`", word);
}

/* ---- names --------------------------------------------------------------------------------------------- */

name_list *list_of_name(parse_state *ps, name_list *list, name text, span at) {
  if (list == NULL) list = arena_new(ps->memory, name_list);
  vec_push(ps->memory, &list->names, text);
  vec_push(ps->memory, &list->at, at);
  return list;
}

ast_head *build_head(parse_state *ps, span at, const char *text, const name_list *params,
                     const name_list *index) {
  ast_head *h = arena_new(ps->memory, ast_head);
  h->text = text;
  h->at = at;
  if (params) {
    h->n_params = params->names.n;
    h->param = params->names.at;
    h->param_at = params->at.at;
  }
  if (index) {
    h->n_index = index->names.n;
    h->index = index->names.at;
    h->index_at = index->at.at;
  }
  return h;
}

name dotted(parse_state *ps, name front, name part) {
  return intern_str(ps->names, arena_printf(ps->memory, "%s.%s", front, part));
}

/* ---- declarations -------------------------------------------------------------------------------------- */

ast_binding *build_binding(parse_state *ps, const name_list *names, ast_expr *value, span at) {
  ast_binding *b = arena_new(ps->memory, ast_binding);
  *b = (ast_binding){.n_names = names->names.n,
                     .names = names->names.at,
                     .names_at = names->at.at,
                     .value = value,
                     .at = at};
  return b;
}

ast_stmt *build_choice(parse_state *ps, ast_expr *condition, const stmt_list *body) {
  ast_stmt *s = arena_new(ps->memory, ast_stmt);
  s->kind = AST_CHOICE;
  s->until = condition;
  s->n_body = body->n;
  s->body = body->at;
  return s;
}

ast_rule *build_rule(parse_state *ps, ast_rule_kind kind, const ast_assign *assign) {
  ast_rule *r = arena_new(ps->memory, ast_rule);
  r->kind = kind;
  r->target = assign->target;
  r->body = assign->body;
  return r;
}

ast_result_kind side_of(parse_state *ps, span at, name letter) {
  if (strcmp(letter, "R") == 0) return AST_RESULT_TO_R;
  if (strcmp(letter, "L") != 0)
    diag_report(ps->sink, DIAG_SYNTAX, at, "expected `L` or `R` after `to`, found `%s`", letter);
  return AST_RESULT_TO_L;
}

ast_decl *build_decl(parse_state *ps, ast_decl_kind kind, span at, name text, span name_at) {
  ast_decl *d = arena_new(ps->memory, ast_decl);
  d->kind = kind;
  d->at = at;
  d->text = text;
  d->name_at = name_at;
  return d;
}

void decl_set_names(ast_decl *d, const name_list *names) {
  d->n_names = names->names.n;
  d->names = names->names.at;
  d->names_at = names->at.at;
}

/* `params` and `axis` may be NULL. */
void decl_set_rules(ast_decl *d, const param_list *params, const name_list *axis, const rule_list *rules) {
  if (params) d->n_params = params->n, d->params = params->at;
  if (axis) d->part.boundary.axis = axis->names.at[0], d->part.boundary.axis_at = axis->at.at[0];
  d->part.boundary.n_rules = rules->n;
  d->part.boundary.rules = rules->at;
}

void decl_set_swaps(parse_state *ps, ast_decl *d, const swap_list *swaps) {
  d->part.exchange.n_pairs = swaps->n;
  d->part.exchange.pair = arena_alloc(ps->memory, sizeof *d->part.exchange.pair * (size_t)swaps->n);
  d->part.exchange.pair_at = arena_alloc(ps->memory, sizeof *d->part.exchange.pair_at * (size_t)swaps->n);
  for (int i = 0; i < swaps->n; i++) {
    memcpy(d->part.exchange.pair[i], swaps->at[i].names, sizeof *d->part.exchange.pair);
    memcpy(d->part.exchange.pair_at[i], swaps->at[i].at, sizeof *d->part.exchange.pair_at);
  }
}

/* ---- scheme -------------------------------------------------------------------------------------------- */

ast_scheme *build_scheme(parse_state *ps, span at, name text, span name_at, name kind, span kind_at) {
  ast_scheme *s = arena_new(ps->memory, ast_scheme);
  s->at = at;
  s->text = text;
  s->name_at = name_at;
  s->on_grid = strcmp(kind, "grid") == 0;
  if (!s->on_grid && strcmp(kind, "mesh") != 0) {
    diag *d =
        diag_report(ps->sink, DIAG_SYNTAX, kind_at, "expected `mesh` or `grid` after `on`, found `%s`", kind);
    diag_with_hint(ps->sink, d, "for example `scheme %s on mesh(D)` or `scheme %s on grid(2)`", text, text);
  }
  return s;
}

void scheme_set_dimension(parse_state *ps, ast_scheme *s, span at, name letter, double number) {
  s->dim_letter = letter;
  if (letter) return;
  int least = s->on_grid ? 1 : 2;
  s->dim = number >= least && number <= 3 ? (int)number : 2;
  if (s->dim != number) {
    diag *d = diag_report(ps->sink, DIAG_BAD_DIMENSION, at, "a %s has %s dimensions",
                          s->on_grid ? "grid" : "mesh", s->on_grid ? "1, 2 or 3" : "2 or 3");
    if (!s->on_grid) diag_with_hint(ps->sink, d, "a letter, as in mesh(D), stands for any dimension");
  }
}

ast_scheme *build_extension(parse_state *ps, span at, name text, span name_at, name base, span base_at) {
  ast_scheme *s = arena_new(ps->memory, ast_scheme);
  s->at = at;
  s->text = text;
  s->name_at = name_at;
  s->base = base;
  s->base_at = base_at;
  return s;
}

void file_add_import(parse_state *ps, name file, span at, const name_list *names) {
  ast_import i = {.file = file, .at = at};
  if (names) i.n_names = names->names.n, i.names = names->names.at, i.names_at = names->at.at;
  vec_push(ps->memory, &ps->imports, i);
}

void file_add_scheme(parse_state *ps, ast_scheme *s) {
  if (ps->file->scheme == NULL) {
    ps->file->scheme = s;
    return;
  }
  diag *d = diag_report(ps->sink, DIAG_TWO_SCHEMES, s->name_at, "a second scheme in this file");
  diag_with_span(ps->sink, d, ps->file->scheme->name_at, "the first");
  diag_with_hint(ps->sink, d, "put each scheme into a file of its own; shared functions can be imported");
}
