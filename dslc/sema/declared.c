#include "sema/declared.h"

#include <stddef.h>

int declared_count(const ast_decl *d) {
  switch (d->kind) {
  case AST_PARAMETER: return d->n_params;
  case AST_STATE:
  case AST_GIVEN: return d->n_names;
  case AST_BOUNDARY:
  case AST_EXCHANGE:
  case AST_REQUIRE:
  case AST_STEP: return 0;
  default: return 1;
  }
}

name declared_name(const ast_decl *d, int i) {
  if (d->kind == AST_PARAMETER) return d->params[i].text;
  if (d->kind == AST_STATE || d->kind == AST_GIVEN) return d->names[i];
  return d->head.text ? d->head.text : d->text;
}

span declared_span(const ast_decl *d, int i) {
  if (d->kind == AST_PARAMETER) return d->params[i].at;
  if (d->kind == AST_STATE || d->kind == AST_GIVEN) return d->names_at[i];
  return d->name_at;
}

const ast_decl *find_declared(ast_decl *const *decls, int n, name text, int *which) {
  for (int i = 0; i < n; i++)
    for (int k = 0; decls[i] && k < declared_count(decls[i]); k++) {
      if (declared_name(decls[i], k) != text) continue;
      *which = k;
      return decls[i];
    }
  return NULL;
}

bool is_same_place(span a, span b) { return a.file == b.file && a.start == b.start; }

const char *declared_word(const ast_decl *d) {
  static const char *const words[] = {
      [AST_PARAMETER] = "parameter", [AST_VARIANT] = "variant",     [AST_STATE] = "state",
      [AST_GIVEN] = "given",         [AST_FUNCTION] = "function",   [AST_EQUATION] = "equation",
      [AST_GLOBAL] = "global",       [AST_MATRIX] = "matrix",       [AST_BOUNDARY] = "boundary",
      [AST_EXCHANGE] = "exchange",   [AST_REQUIRE] = "requirement", [AST_STEP] = "step"};
  return words[d->kind];
}
