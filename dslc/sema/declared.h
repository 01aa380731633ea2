/* The names that a declaration gives, as trees are put together before anything is analysed. */
#ifndef DSLC_SEMA_DECLARED_H
#define DSLC_SEMA_DECLARED_H

#include <stdbool.h>

#include "front/ast.h"

/* None for boundary rules, which have names of their own, and for what has no name: require, step. */
int declared_count(const ast_decl *d);
name declared_name(const ast_decl *d, int i);
span declared_span(const ast_decl *d, int i);

/* The declaration of `text`, or NULL; *which: the how manieth of its names. */
const ast_decl *find_declared(ast_decl *const *decls, int n, name text, int *which);

/* The same declaration, though it was copied? */
bool is_same_place(span a, span b);

/* "state", "equation", ...: for messages. */
const char *declared_word(const ast_decl *d);

#endif
