/* What derives from a program's option tables. Internal to options. */
#ifndef DSLC_BASE_OPTIONS_TEXT_H
#define DSLC_BASE_OPTIONS_TEXT_H

#include "options.h"

enum { CLI_N_BUILTIN = 2 };
extern const cli_command *const cli_builtin[CLI_N_BUILTIN]; /* help, completion */

void cli_print_overview(const cli_program *p, FILE *out);
void cli_print_help(const cli_program *p, const cli_command *c, FILE *out);
void cli_print_man(const cli_program *p, FILE *out);
void cli_print_completion(const cli_program *p, FILE *out);

#endif
