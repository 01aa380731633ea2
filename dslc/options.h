/* Command lines of both shells. A program is a table of commands, a command a table of options; parsing,
 * --help, the man page and bash completion all derive from these tables, so none of them can fall behind.
 *
 * It lies beside dslc.h, because the runtime sees nothing else of the compiler and a third library for one
 * file would be more than it is worth. Tables are static data of the shell; a cli_call owns its arrays only
 * while the command runs. */
#ifndef DSLC_OPTIONS_H
#define DSLC_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { CLI_OK = 0, CLI_FAIL = 1, CLI_USAGE = 2, CLI_FILE = 6 }; /* exit codes that the parser itself gives */

typedef enum cli_kind {
  CLI_FLAG,    /* --quiet */
  CLI_TEXT,    /* --device SPEC or --device=SPEC; the last one counts */
  CLI_INTEGER, /* like text, a whole number >= 0 */
  CLI_LIST     /* like text, repeatable */
} cli_kind;

typedef struct cli_option {
  const char *name; /* without dashes, or NULL: only the letter */
  char letter;      /* -o, 0: none. The value of a letter may follow at once: -Dn=200 */
  cli_kind kind;
  const char *value;    /* placeholder in the help, "SPEC" */
  const char *help;     /* one line */
  const char *complete; /* words for completion, "file", "folder" or NULL */
} cli_option;

typedef struct cli_call cli_call;

typedef struct cli_command {
  const char *name;
  const char *arguments; /* "CASE.lua [NAME=VALUE...]" */
  const char *summary;   /* one line, for the list of commands */
  const char *details;   /* a paragraph or two, or NULL */
  int least, most;       /* positional arguments; most < 0: any number */
  const char *complete;  /* of positional arguments, as in cli_option */
  const cli_option *options;
  size_t n_options;
  int (*run)(cli_call *call); /* returns the exit code */
} cli_command;

typedef struct cli_program {
  const char *name, *summary, *version;
  const char *epilogue; /* exit codes and environment, for the help and the man page */
  const cli_command *const *commands;
  size_t n_commands;
} cli_program;

/* One parsed command line, and the streams the command may use: data go to `out`, all else to `err`. */
struct cli_call {
  const cli_program *program;
  const cli_command *command;
  FILE *out, *err;
  int n_arguments;
  const char **argument;
  int n_given;
  struct cli_given {
    const cli_option *option;
    const char *value;
  } * given;
};

/* For the first line of main: where standard input, output or error are closed, nothing else that is opened may take their numbers,
 * or messages would end in a data file. What is written to a closed stream fails, and so does what is written beyond the largest
 * size of a file (`ulimit -f`), with EFBIG, instead of ending the program by SIGXFSZ. */
void cli_hold_streams(void);

/* Parses and runs; `help [COMMAND]`, `help --man`, `completion` and --help are built in. Returns the exit
 * code; CLI_FILE if the command succeeded, but its output cannot be written. */
int cli_main(const cli_program *program, int argc, char **argv, FILE *out, FILE *err);

/* Values by the option's name (or its letter as a string of one). The option must be in the command's table.
 */
bool cli_flag(const cli_call *call, const char *name);
const char *cli_text(const cli_call *call, const char *name);          /* NULL if not given */
long cli_integer(const cli_call *call, const char *name, long absent); /* `absent` if not given */
int cli_list(const cli_call *call, const char *name,
             const char **values); /* count; `values` has n_given entries or is NULL */

/* A file that the command reads or writes. */
typedef struct cli_file {
  const char *what; /* for messages: "the matrix", "--output" */
  const char *path; /* NULL: not given */
} cli_file;

/* Whether two paths lead to one regular file, or will. */
bool cli_same_file(const char *a, const char *b);

/* Before anything is written: the first `n_read` files are read, the others written. Returns CLI_OK, or CLI_USAGE with a message where one of those
 * would replace another or what is read. */
int cli_files_apart(const cli_call *call, const cli_file *file, int n_read, int n);

/* "program: error: ..." on call->err. Returns `status`. */
int cli_fail(const cli_call *call, int status, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Whether messages on `stream` may be coloured: a terminal, not dumb, NO_COLOR unset. */
bool cli_colour(FILE *stream);

/* The candidate nearest to `wrong`, or NULL if none is near. */
const char *cli_nearest(const char *wrong, const char *const *candidates, int n);

#endif
