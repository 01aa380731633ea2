/* `dslc lsp`: a language server for schemes. Answers come from the texts that the client has open, and from the files beside them. */
#ifndef DSLC_LSP_LSP_H
#define DSLC_LSP_LSP_H

/* Serves one client until it says `exit` or is gone. `shipped`: folders of schemes, NULL-terminated. Returns the exit status: 0 if the
 * client asked for the end in order, else 1. */
int lsp_serve(int in, int out, const char *const *shipped);

#endif
