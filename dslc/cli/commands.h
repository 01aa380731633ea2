/* The commands of the shell `dslc`. */
#ifndef DSLC_CLI_COMMANDS_H
#define DSLC_CLI_COMMANDS_H

#include "options.h"

extern const cli_command COMMAND_CHECK, COMMAND_BUILD, COMMAND_REPORT, COMMAND_EXPLAIN, COMMAND_FMT,
    COMMAND_LSP, COMMAND_RULES, COMMAND_TEX, COMMAND_VERIFY, COMMAND_VERSION;

enum { DSLC_INPUT = 3, DSLC_FILE = 6 }; /* exit codes: error in a scheme; file system */

/* The path of a scheme: a file, or the name of one in `folder`. False: there is none, as no_scheme then says, whose status it returns. */
bool find_scheme(const char *folder, const char *given, char *path, size_t size);
int no_scheme(const cli_call *call, const char *folder, const char *wrong);

/* The whole file, NUL-terminated, or NULL with errno set. Free with free(). */
char *file_read(const char *path);
/* Through a temporary name, so that a reader never sees half a file. False with errno set. */
bool file_write(const char *path, const char *text);

#endif
