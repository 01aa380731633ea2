/* Schemes made of others, as syntax trees: `scheme NAME extends BASE`, and `import name, ... of NAME`. */
#ifndef DSLC_SEMA_EXTEND_H
#define DSLC_SEMA_EXTEND_H

#include "base/diag.h"
#include "front/ast.h"

/* `own`, which extends `base`, with all that it takes over from there. Both without `exchange` (expand_exchange). `made`: of `own` nobody has
 * written the lines, so that messages propose none. */
const ast_scheme *extend_scheme(arena *a, intern_pool *names, const ast_scheme *base, const ast_scheme *own,
                                bool made, diag_sink *sink);

/* Refuses in a scheme that extends nothing what only an extension can say. */
void check_no_extension(const ast_scheme *s, diag_sink *sink);

/* The scheme's declarations with every `exchange` replaced by its copies. */
const ast_scheme *expand_exchange(arena *a, intern_pool *names, const ast_scheme *scheme, diag_sink *sink);

typedef struct import_source {
  name text; /* as it is imported */
  ast_decl *const *decls;
  int n_decls;
} import_source;

typedef struct import_request {
  const ast_scheme *scheme; /* or what stands for it in a library: its functions, */
  bool library;             /* which can have functions alone */
  const ast_import *wanted;
  const import_source *from;
  const import_source *seen; /* the functions that the scheme's file sees */
  const uint32_t
      *own; /* the files of the scheme and of those that it extends: what they declare is its own */
  int n_own;
} import_request;

/* The scheme with what is wanted of another file's declarations, and with the functions, equations, parameters and variants that these
 * read and the scheme does not declare itself. What one of them reads and another import brings differently is reported. */
const ast_scheme *import_names(arena *a, intern_pool *names, const import_request *r, diag_sink *sink);

/* Of n characters: the x of a vector's component, or the xy of a tensor's. */
bool is_component(const char *part, size_t n);

#endif
