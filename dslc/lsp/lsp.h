/* `dslc lsp`: a language server for schemes. Answers come from the texts that the client has open, and from the files beside them. */
#ifndef DSLC_LSP_LSP_H
#define DSLC_LSP_LSP_H

/* Serves one client until it says `exit` or is gone. `shipped`: folders of schemes, NULL-terminated. Whether the
 * client asked for the end in order, was gone without it, could not be read (errno says why), or there was no memory to hear it or to
 * answer (for a message too large there is none). */
typedef enum lsp_end { LSP_ENDED, LSP_GONE, LSP_UNREAD, LSP_NO_MEMORY } lsp_end;
lsp_end lsp_serve(int in, int out, const char *const *shipped);

#endif
