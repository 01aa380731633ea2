#include <errno.h>
#include <malloc.h>
#include <string.h>
#include <unistd.h>

#include "base/shipped.h"
#include "cli/commands.h"
#include "lsp/lsp.h"

static int lsp(cli_call *call) {
  /* Every key frees a tree and makes another: its memory stays with the process, since the system takes longer to hand out fresh pages
   * than reading the text does. */
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 28);
  mallopt(M_TOP_PAD, 1 << 22);
  shipped schemes;
  lsp_end end = lsp_serve(STDIN_FILENO, STDOUT_FILENO, shipped_find(&schemes, "schemes"));
  if (end == LSP_NO_MEMORY) return cli_fail(call, CLI_FAIL, "out of memory for what the editor says");
  if (end == LSP_UNREAD)
    return cli_fail(call, DSLC_FILE, "cannot read what the editor says: %s", strerror(errno));
  return end == LSP_ENDED ? CLI_OK : CLI_FAIL;
}

static const cli_option OPTION[] = {
    {"stdio", 0, CLI_FLAG, NULL, "over standard input and output, as always", NULL}};

const cli_command COMMAND_LSP = {.name = "lsp",
                                 .summary = "language server for editors, over standard input and output",
                                 .details = "Speaks the Language Server Protocol: messages while you type, "
                                            "hover, definitions, references, renaming, completion, "
                                            "formatting. docs/editors.md says how editors start it.",
                                 .options = OPTION,
                                 .n_options = 1,
                                 .run = lsp};
