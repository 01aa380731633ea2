/* `exchange x <-> y, u <-> v { ... }`: the declarations inside, and their copies with axes and names exchanged, as papers
 * say "and so for u by symmetry". On copies: index letters and positions, dx/dy, xfaces/yfaces, xedges/yedges, `across x`, any part x, y, z
 * of a dotted name, and the listed pairs are exchanged, wherever they stand: names of locals, parameters, results and parts too, so that none
 * takes what another means. Three names in a circle (x -> y -> z) give two copies. */
#include <string.h>

#include "sema/extend.h"

typedef struct exchanger {
  arena *memory;
  intern_pool *names;
  diag_sink *sink;
  const ast_decl *decl; /* the exchange */
  name_map *declared;   /* names of the whole scheme */
  name_map *reported;
  int *axis;    /* [3] axis k becomes axis[k] */
  int turns;    /* how often the pairs are applied */
  bool indices; /* inside index brackets, where i, j, k are letters whatever else is called so */
} exchanger;

/* ---- names ------------------------------------------------------------------------------------------------ */

static name paired(const exchanger *x, name text) {
  for (int i = 0; i < x->decl->part.exchange.n_pairs; i++) {
    int length = x->decl->part.exchange.pair[i][2] ? 3 : 2;
    for (int k = 0; k < length; k++)
      if (x->decl->part.exchange.pair[i][k] == text)
        return x->decl->part.exchange.pair[i][(k + x->turns) % length];
  }
  return NULL;
}

static bool is_axis(const char *text, size_t n) { return n == 1 && *text >= 'x' && *text <= 'z'; }

static char turned(const exchanger *x, char axis) { return (char)('x' + x->axis[axis - 'x']); }

/* Names that carry their axis at the front or end by convention of the language. */
static name convention(exchanger *x, name text) {
  static const char *const forms[] = {"d?", "?c", "?faces", "?edges"};
  for (int i = 0; i < 4; i++) {
    const char *hole = strchr(forms[i], '?');
    size_t at = (size_t)(hole - forms[i]), n = strlen(forms[i]);
    if (strlen(text) != n || strncmp(text, forms[i], at) != 0 || strcmp(text + at + 1, hole + 1) != 0)
      continue;
    if (!is_axis(text + at, 1)) continue;
    char *copy = arena_strndup(x->memory, text, n);
    copy[at] = turned(x, text[at]);
    return intern(x->names, copy, n);
  }
  bool is_letter = strlen(text) == 1 && *text >= 'i' && *text <= 'k';
  if (is_letter && (x->indices || !name_map_get(x->declared, text))) {
    char letter = (char)('i' + x->axis[*text - 'i']);
    return intern(x->names, &letter, 1);
  }
  return NULL;
}

/* A declared name that ends in an axis that is exchanged, has no dot and is not paired would silently stay itself in the copy. */
static void check_trap(exchanger *x, name text, span at) {
  size_t n = strlen(text);
  if (n < 2 || n > 3 || !is_axis(text + n - 1, 1) || turned(x, text[n - 1]) == text[n - 1] ||
      !name_map_get(x->declared, text) || name_map_get(x->reported, text))
    return;
  name_map_put(x->reported, text, (void *)text);
  diag *d = diag_report(x->sink, DIAG_EXCHANGE_NAME, at,
                        "`%s` ends in `%c`, but nothing says what it becomes when the axes are "
                        "exchanged",
                        text, text[n - 1]);
  const ast_decl *of = name_map_get(x->declared, text);
  if (of->head.n_params > 0) /* it is called: its name has no dot */
    diag_with_hint(x->sink, d, "pair it in the exchange: %s <-> %.*s%c", text, (int)n - 1, text,
                   turned(x, text[n - 1]));
  else
    diag_with_hint(x->sink, d, "pair it in the exchange, or make it a vector and write %.*s.%c", (int)n - 1,
                   text, text[n - 1]);
}

bool is_component(const char *part, size_t n) {
  return is_axis(part, n) || (n == 2 && is_axis(part, 1) && is_axis(part + 1, 1));
}

static void turn_part(const exchanger *x, char *text, size_t n) {
  for (size_t k = 0; k < n; k++) text[k] = turned(x, text[k]);
}

/* "mx" of half.mx, "xy" of K.xy; others stay. */
static const char *exchange_part(exchanger *x, const char *text, size_t n) {
  char *part = arena_strndup(x->memory, text, n);
  const name other = paired(x, intern_str(x->names, part));
  if (is_component(part, n)) turn_part(x, part, n);
  else if (other) return other;
  return part;
}

static name exchange_dotted(exchanger *x, name text) {
  const size_t head = strcspn(text, ".");
  const name first = paired(x, intern(x->names, text, head));
  const char *copy = first ? first : arena_strndup(x->memory, text, head);
  for (const char *part = text + head; *part;) {
    const size_t n = strcspn(part + 1, ".");
    copy = arena_printf(x->memory, "%s.%s", copy, exchange_part(x, part + 1, n));
    part += 1 + n;
  }
  return intern_str(x->names, copy);
}

static name exchange_name(exchanger *x, name text, span at) {
  if (!text) return NULL;
  name other = paired(x, text);
  if (!other && strchr(text, '.')) return exchange_dotted(x, text);
  if (!other) other = convention(x, text);
  if (other) return other;
  check_trap(x, text, at);
  return text;
}

/* ---- expressions -------------------------------------------------------------------------------------------- */

static ast_expr *exchange_expr(exchanger *x, const ast_expr *e);

static ast_binder *exchange_binder(exchanger *x, const ast_binder *b) {
  if (!b) return NULL;
  ast_binder *copy = arena_new(x->memory, ast_binder);
  *copy = *b;
  copy->var = exchange_name(x, b->var, b->var_at);
  copy->anchor = exchange_name(x, b->anchor, b->anchor_at);
  copy->other = exchange_name(x, b->other, b->other_at);
  copy->domain = exchange_name(x, b->domain, b->domain_at);
  copy->rule = exchange_name(x, b->rule, b->rule_at);
  copy->lo = exchange_expr(x, b->lo);
  copy->hi = exchange_expr(x, b->hi);
  return copy;
}

/* Indices change letters and positions: v[i, j-1] becomes u[i-1, j]. */
static void exchange_positions(exchanger *x, ast_expr *copy) {
  int n = copy->n - 1;
  if (n < 2) return;
  ast_expr *old[4];
  for (int k = 0; k < n && k < 3; k++) old[k] = copy->arg[1 + k];
  for (int k = 0; k < n && k < 3; k++)
    if (x->axis[k] < n) copy->arg[1 + x->axis[k]] = old[k];
}

/* The k of k.x is a name's first word, no index. */
static ast_expr *exchange_first_word(exchanger *x, const ast_expr *e) {
  ast_expr *copy = arena_new(x->memory, ast_expr);
  name other = paired(x, e->text);
  *copy = *e;
  if (other) copy->text = other;
  return copy;
}

static ast_expr *exchange_one(exchanger *x, const ast_expr *e) {
  ast_expr *copy = arena_new(x->memory, ast_expr);
  bool before = x->indices;
  *copy = *e;
  copy->binder = exchange_binder(x, e->binder);
  if (e->kind == AST_NAME) copy->text = exchange_name(x, e->text, e->at);
  if (e->kind == AST_MEMBER) copy->text = intern_str(x->names, exchange_part(x, e->text, strlen(e->text)));
  if (e->kind == AST_TUPLE) copy->axis = x->axis;
  copy->arg = arena_array(x->memory, ast_expr *, e->n + 1);
  for (int i = e->kind == AST_BINARY; i < e->n; i++) {
    x->indices = before || (e->kind == AST_INDEX && i > 0);
    if (e->kind == AST_MEMBER && e->arg[i]->kind == AST_NAME)
      copy->arg[i] = exchange_first_word(x, e->arg[i]);
    else copy->arg[i] = exchange_expr(x, e->arg[i]);
  }
  x->indices = before;
  if (e->kind == AST_INDEX) exchange_positions(x, copy);
  return copy;
}

/* The left spine of a chain may be long: it is followed in a loop. */
static ast_expr *exchange_expr(exchanger *x, const ast_expr *e) {
  ast_expr *top = NULL, **hole = &top;
  for (; e; e = e->kind == AST_BINARY ? e->arg[0] : NULL) {
    *hole = exchange_one(x, e);
    if (e->kind == AST_BINARY) hole = &(*hole)->arg[0];
  }
  return top;
}

static name *exchange_names(exchanger *x, const name *names, const span *at, int n) {
  name *copy = arena_array(x->memory, name, n + 1);
  for (int i = 0; i < n; i++) copy[i] = exchange_name(x, names[i], at[i]);
  return copy;
}

static ast_binding *exchange_bindings(exchanger *x, const ast_binding *b, int n) {
  ast_binding *copy = arena_array(x->memory, ast_binding, n + 1);
  for (int i = 0; i < n; i++) {
    copy[i] = b[i];
    copy[i].names = exchange_names(x, b[i].names, b[i].names_at, b[i].n_names);
    copy[i].value = exchange_expr(x, b[i].value);
  }
  return copy;
}

static ast_body exchange_body(exchanger *x, ast_body b) {
  b.expr = exchange_expr(x, b.expr);
  b.where = exchange_bindings(x, b.where, b.n_where);
  return b;
}

static ast_head exchange_head(exchanger *x, ast_head h) {
  h.text = exchange_name(x, h.text, h.at);
  h.param = exchange_names(x, h.param, h.param_at, h.n_params);
  return h;
}

/* ---- declarations -------------------------------------------------------------------------------------------------- */

static ast_result *exchange_results(exchanger *x, const ast_decl *d) {
  ast_result *copy = arena_array(x->memory, ast_result, d->part.block.n + 1);
  for (int i = 0; i < d->part.block.n; i++) {
    copy[i] = d->part.block.result[i];
    copy[i].text = exchange_name(x, copy[i].text, copy[i].at);
    copy[i].body = exchange_body(x, d->part.block.result[i].body);
    copy[i].bindings =
        exchange_bindings(x, d->part.block.result[i].bindings, d->part.block.result[i].n_bindings);
  }
  return copy;
}

static ast_rule *exchange_rules(exchanger *x, const ast_decl *d) {
  ast_rule *copy = arena_array(x->memory, ast_rule, d->part.boundary.n_rules + 1);
  for (int i = 0; i < d->part.boundary.n_rules; i++) {
    copy[i] = d->part.boundary.rules[i];
    copy[i].target = exchange_head(x, d->part.boundary.rules[i].target);
    copy[i].body = exchange_body(x, d->part.boundary.rules[i].body);
    copy[i].bindings =
        exchange_bindings(x, d->part.boundary.rules[i].bindings, d->part.boundary.rules[i].n_bindings);
  }
  return copy;
}

static ast_param *exchange_params(exchanger *x, const ast_decl *d) {
  ast_param *copy = arena_array(x->memory, ast_param, d->n_params + 1);
  for (int i = 0; i < d->n_params; i++) {
    copy[i] = d->params[i];
    copy[i].text = exchange_name(x, copy[i].text, copy[i].at);
    copy[i].value = exchange_expr(x, copy[i].value);
  }
  return copy;
}

static ast_decl *exchange_decl(exchanger *x, const ast_decl *d) {
  ast_decl *copy = arena_new(x->memory, ast_decl);
  *copy = *d;
  copy->comment = NULL; /* it speaks of the other direction */
  copy->place = exchange_name(x, d->place, d->place_at);
  copy->head = exchange_head(x, d->head);
  copy->body = exchange_body(x, d->body);
  copy->part.block.result = exchange_results(x, d);
  copy->part.boundary.rules = exchange_rules(x, d);
  copy->part.boundary.axis =
      d->part.boundary.axis && is_axis(d->part.boundary.axis, 1)
          ? exchange_dotted(x, intern_str(x->names, arena_printf(x->memory, "_.%s", d->part.boundary.axis))) +
                2
          : d->part.boundary.axis;
  if (copy->part.boundary.axis) copy->part.boundary.axis = intern_str(x->names, copy->part.boundary.axis);
  copy->params = exchange_params(x, d);
  copy->names = exchange_names(x, d->names, d->names_at, d->n_names);
  return copy;
}

/* Functions and parameters inside mean themselves in the copy: they are declared once, as are globals by names that stay the same. */
static bool is_shared(exchanger *x, const ast_decl *d) {
  if (d->kind == AST_GLOBAL) return exchange_name(x, d->head.text, d->head.at) == d->head.text;
  return d->kind == AST_FUNCTION || d->kind == AST_PARAMETER || d->kind == AST_VARIANT ||
         d->kind == AST_REQUIRE || d->kind == AST_STEP;
}

static void collect_names(const ast_scheme *scheme, name_map *out) {
  for (int i = 0; i < scheme->n_decls; i++) {
    const ast_decl *d = scheme->decls[i];
    for (int k = 0; k < d->n_params && d->kind == AST_PARAMETER; k++)
      name_map_put(out, d->params[k].text, (void *)d);
    for (int k = 0; k < d->n_names; k++) name_map_put(out, d->names[k], (void *)d);
    if (d->head.text) name_map_put(out, d->head.text, (void *)d);
    for (int k = 0; d->kind == AST_EXCHANGE && k < d->part.exchange.n_decls; k++)
      if (d->part.exchange.decls[k]->head.text)
        name_map_put(out, d->part.exchange.decls[k]->head.text, d->part.exchange.decls[k]);
  }
}

static int count_axes(const ast_decl *d, int pair) {
  int length = d->part.exchange.pair[pair][2] ? 3 : 2, n = 0;
  for (int k = 0; k < length; k++)
    n += is_axis(d->part.exchange.pair[pair][k], strlen(d->part.exchange.pair[pair][k]));
  return n;
}

/* Axes that the grid has. */
static bool axes_are_there(const exchanger *x, const ast_scheme *scheme) {
  for (int i = 0; i < x->decl->part.exchange.n_pairs; i++)
    for (int k = 0; k < 3 && x->decl->part.exchange.pair[i][k]; k++) {
      name part = x->decl->part.exchange.pair[i][k];
      if (!scheme->on_grid || scheme->dim == 0 || !is_axis(part, strlen(part)) || *part - 'x' < scheme->dim)
        continue;
      diag_report(x->sink, DIAG_EXCHANGE_NAME, x->decl->part.exchange.pair_at[i][k],
                  "a grid in %dD has no axis `%s`", scheme->dim, part);
      return false;
    }
  return true;
}

/* x goes with y or z only; the axes change places, once. */
static bool axes_are_sound(exchanger *x) {
  int pairs = 0;
  for (int i = 0; i < x->decl->part.exchange.n_pairs; i++) {
    const name *pair = x->decl->part.exchange.pair[i];
    int length = pair[2] ? 3 : 2, n = count_axes(x->decl, i);
    bool same = n > 0 && (pair[0] == pair[1] || (length == 3 && (pair[1] == pair[2] || pair[0] == pair[2])));
    pairs += n > 0;
    if ((n == 0 || n == length) && !same && pairs <= 1) continue;
    diag *d = diag_report(x->sink, DIAG_EXCHANGE_NAME, x->decl->part.exchange.pair_at[i][0],
                          "an axis is exchanged with another axis, once, as in x <-> y");
    diag_with_hint(x->sink, d, "in three dimensions  x -> y -> z  is a cycle through all three");
    return false;
  }
  return true;
}

/* The permutation of axes: the pair that names x, y or z; a two-axis exchange leaves the third alone. */
static bool find_axes(exchanger *x) {
  for (int k = 0; k < 3; k++) x->axis[k] = k;
  bool found = false;
  for (int i = 0; i < x->decl->part.exchange.n_pairs; i++) {
    int length = x->decl->part.exchange.pair[i][2] ? 3 : 2;
    if (!is_axis(x->decl->part.exchange.pair[i][0], strlen(x->decl->part.exchange.pair[i][0]))) continue;
    for (int k = 0; k < length; k++)
      x->axis[x->decl->part.exchange.pair[i][k][0] - 'x'] =
          x->decl->part.exchange.pair[i][(k + x->turns) % length][0] - 'x';
    found = true;
  }
  return found;
}

typedef VEC(ast_decl *) decl_list;

static void copy_exchange(arena *a, intern_pool *names, const ast_scheme *scheme, const ast_decl *d,
                          diag_sink *sink, decl_list *out) {
  bool cycle = false;
  for (int i = 0; i < d->part.exchange.n_pairs; i++) cycle = cycle || d->part.exchange.pair[i][2];
  for (int k = 0; k < d->part.exchange.n_decls; k++) vec_push(a, out, d->part.exchange.decls[k]);
  for (int turn = 1; turn < (cycle ? 3 : 2); turn++) {
    exchanger x = {.memory = a,
                   .names = names,
                   .sink = sink,
                   .decl = d,
                   .declared = name_map_create(a),
                   .reported = name_map_create(a),
                   .axis = arena_array(a, int, 3),
                   .turns = turn};
    collect_names(scheme, x.declared);
    if (!axes_are_there(&x, scheme) || !axes_are_sound(&x)) return;
    if (!find_axes(&x)) {
      diag *g =
          diag_report(sink, DIAG_EXCHANGE_NAME, d->at, "an exchange names the axes it exchanges: x <-> y");
      diag_with_hint(sink, g, "for example  exchange x <-> y, u <-> v { ... }");
      return;
    }
    for (int k = 0; k < d->part.exchange.n_decls; k++)
      if (!is_shared(&x, d->part.exchange.decls[k]))
        vec_push(a, out, exchange_decl(&x, d->part.exchange.decls[k]));
  }
}

const ast_scheme *expand_exchange(arena *a, intern_pool *names, const ast_scheme *scheme, diag_sink *sink) {
  decl_list all = {0};
  for (int i = 0; i < scheme->n_decls; i++) {
    if (scheme->decls[i]->kind == AST_EXCHANGE) copy_exchange(a, names, scheme, scheme->decls[i], sink, &all);
    else vec_push(a, &all, scheme->decls[i]);
  }
  ast_scheme *copy = arena_new(a, ast_scheme);
  *copy = *scheme;
  copy->decls = all.at;
  copy->n_decls = all.n;
  for (int i = 0; i < scheme->n_decls; i++)
    copy->exchanged = copy->exchanged || scheme->decls[i]->kind == AST_EXCHANGE;
  return copy;
}
