#ifndef DSLC_LSP_NAVIGATE_H
#define DSLC_LSP_NAVIGATE_H

#include "lsp/server.h"

/* Every place where a symbol, or what it replaces or is replaced by, is named: in its file, in those beside it, in those that are open. */
typedef void use_visit(void *ctx, file_unit *u, const occurrence *o);
void each_use(server *s, const symbol *of, use_visit *visit, void *ctx);

#endif
