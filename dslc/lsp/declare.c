/* What a file declares. */
#include <stdlib.h>
#include <string.h>

#include "lsp/unit.h"
#include "sema/extend.h"

span name_span(const file_unit *u, span at, const char *text) {
  size_t n = strlen(text);
  if (at.start + n <= u->text.size && memcmp(u->text.bytes + at.start, text, n) == 0)
    at.end = at.start + (uint32_t)n;
  return at;
}

symbol *unit_symbol(file_unit *u, arena *a, symbol_kind kind, name text, span at, const ast_decl *d) {
  symbol *s = arena_new(a, symbol);
  *s = (symbol){.kind = kind, .text = text, .at = name_span(u, at, text), .home = u, .decl = d};
  return s;
}

/* The first declaration of a name counts. */
static symbol *declare(file_unit *u, name_map *to, symbol_kind kind, name text, span at, const ast_decl *d) {
  if (!text) return NULL;
  symbol *s = unit_symbol(u, u->memory, kind, text, at, d);
  vec_push(u->memory, &u->declared, s);
  if (to && !name_map_get(to, text)) name_map_put(to, text, s);
  return s;
}

static void declare_params(file_unit *u, const ast_decl *d, symbol_kind kind, name_map *to) {
  for (int i = 0; i < d->n_params; i++) {
    symbol *s = declare(u, to, kind, d->params[i].text, d->params[i].at, d);
    if (s) s->param = &d->params[i];
  }
}

static void declare_variant(file_unit *u, const ast_decl *d) {
  const symbol *variant = declare(u, u->symbols, SYMBOL_VARIANT, d->text, d->name_at, d);
  for (int i = 0; i < d->part.variant.n; i++) {
    symbol *s = declare(u, NULL, SYMBOL_CHOICE, d->part.variant.choice[i], d->part.variant.at[i], d);
    if (s) s->owner = variant;
  }
}

static void declare_equation(file_unit *u, const ast_decl *d) {
  const symbol *block = declare(u, u->symbols, SYMBOL_EQUATION, d->head.text, d->head.at, d);
  for (int i = 0; block && i < d->part.block.n; i++) {
    const ast_result *r = &d->part.block.result[i];
    if (r->kind != AST_RESULT_NAME || !r->text) continue;
    name text = intern_str(u->names, arena_printf(u->memory, "%s.%s", block->text, r->text));
    symbol *s = declare(u, u->symbols, SYMBOL_RESULT, text, r->at, d);
    s->at = name_span(u, r->at, r->text);
    s->result = r;
    s->owner = block;
  }
}

static void declare_rule_locals(file_unit *u, const ast_decl *d) {
  declare_params(u, d, SYMBOL_ARGUMENT, NULL);
  for (int i = 0; i < d->part.boundary.n_rules; i++)
    for (int k = 0; k < d->part.boundary.rules[i].n_bindings; k++) {
      const ast_binding *b = &d->part.boundary.rules[i].bindings[k];
      for (int j = 0; j < b->n_names; j++) {
        symbol *s = declare(u, NULL, SYMBOL_LOCAL, b->names[j], b->names_at[j], d);
        if (s) s->binding = b;
      }
    }
}

static void declare_fields(file_unit *u, const ast_decl *d, symbol_kind kind) {
  for (int i = 0; i < d->n_names; i++) declare(u, u->symbols, kind, d->names[i], d->names_at[i], d);
}

static void declare_one(file_unit *u, const ast_decl *d) {
  switch (d->kind) {
  case AST_PARAMETER: declare_params(u, d, SYMBOL_PARAMETER, u->symbols); break;
  case AST_VARIANT: declare_variant(u, d); break;
  case AST_STATE: declare_fields(u, d, SYMBOL_STATE); break;
  case AST_GIVEN: declare_fields(u, d, SYMBOL_GIVEN); break;
  case AST_FUNCTION: declare(u, u->symbols, SYMBOL_FUNCTION, d->head.text, d->head.at, d); break;
  case AST_EQUATION: declare_equation(u, d); break;
  case AST_GLOBAL: declare(u, u->symbols, SYMBOL_GLOBAL, d->head.text, d->head.at, d); break;
  case AST_MATRIX: declare(u, u->symbols, SYMBOL_MATRIX, d->text, d->name_at, d); break;
  case AST_BOUNDARY:
    if (d->mode != AST_ADDS) declare(u, u->rules, SYMBOL_BOUNDARY, d->text, d->name_at, d);
    declare_rule_locals(u, d);
    break;
  case AST_EXCHANGE: {
    int first = u->declared.n;
    for (int i = 0; i < d->part.exchange.n_decls; i++) declare_one(u, d->part.exchange.decls[i]);
    for (int i = first; i < u->declared.n; i++) u->declared.at[i]->exchanged = true;
    break;
  }
  case AST_REQUIRE:
  case AST_STEP: break;
  }
}

/* ---- copies of an exchange: other names of the same thing ------------------------------------------------------------ */

static int by_place(const void *a, const void *b) {
  const symbol *x = *(symbol *const *)a, *y = *(symbol *const *)b;
  return x->at.start < y->at.start ? -1 : x->at.start > y->at.start;
}

symbol *unit_declared(const file_unit *u, uint32_t start) {
  int lo = 0, hi = u->declared.n;
  while (lo < hi) {
    int mid = lo + (hi - lo) / 2;
    if (u->declared.at[mid]->at.start < start) lo = mid + 1;
    else hi = mid;
  }
  return lo < u->declared.n && u->declared.at[lo]->at.start == start ? u->declared.at[lo] : NULL;
}

static void add_alias(file_unit *u, name_map *to, name text, span at) {
  symbol *s = text && !name_map_get(to, text) ? unit_declared(u, at.start) : NULL;
  if (s && s->exchanged) name_map_put(to, text, s);
}

static void add_aliases(file_unit *u, const ast_decl *d) {
  switch (d->kind) {
  case AST_STATE:
  case AST_GIVEN:
    for (int i = 0; i < d->n_names; i++) add_alias(u, u->symbols, d->names[i], d->names_at[i]);
    break;
  case AST_EQUATION:
    add_alias(u, u->symbols, d->head.text, d->head.at);
    for (int i = 0; i < d->part.block.n; i++)
      if (d->part.block.result[i].kind == AST_RESULT_NAME && d->part.block.result[i].text)
        add_alias(u, u->symbols,
                  intern_str(u->names,
                             arena_printf(u->memory, "%s.%s", d->head.text, d->part.block.result[i].text)),
                  d->part.block.result[i].at);
    break;
  case AST_FUNCTION:
  case AST_GLOBAL: add_alias(u, u->symbols, d->head.text, d->head.at); break;
  case AST_PARAMETER:
    for (int i = 0; i < d->n_params; i++) add_alias(u, u->symbols, d->params[i].text, d->params[i].at);
    break;
  case AST_BOUNDARY: add_alias(u, u->rules, d->text, d->name_at); break;
  default: add_alias(u, u->symbols, d->text, d->name_at);
  }
}

/* Only of text without errors: what is half written is not copied. */
static void declare_copies(file_unit *u, const ast_scheme *own) {
  bool any = false;
  for (int i = 0; i < own->n_decls; i++) any = any || own->decls[i]->kind == AST_EXCHANGE;
  if (!any || diag_errors(u->sink)) return;
  const ast_scheme *all = expand_exchange(u->memory, u->names, own, diag_create(u->memory, u->sources));
  for (int i = 0; all && i < all->n_decls; i++) add_aliases(u, all->decls[i]);
}

void unit_declare(file_unit *u) {
  const ast_scheme *s = u->file->scheme;
  u->symbols = name_map_create(u->memory);
  u->rules = name_map_create(u->memory);
  for (int i = 0; i < u->file->n_functions; i++) declare_one(u, u->file->functions[i]);
  for (int i = 0; s && i < s->n_decls; i++) declare_one(u, s->decls[i]);
  if (u->declared.n) qsort(u->declared.at, (size_t)u->declared.n, sizeof *u->declared.at, by_place);
  if (s) declare_copies(u, s);
  const char *slash = strrchr(u->path, '/'), *file = slash ? slash + 1 : u->path;
  name text = s && s->text ? s->text : intern(u->names, file, strcspn(file, "."));
  u->self = unit_symbol(u, u->memory, SYMBOL_SCHEME, text, s && s->text ? s->name_at : (span){0}, NULL);
}
