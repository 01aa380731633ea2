/* Case files: Lua scripts that describe a case, or run several of them.
 *
 * A script ends with `return case { ... }`; case_file_get then gives the case as plain data. Or it calls run(case { ... })
 * itself, as convergence studies do. Shape is checked here (keys, types, choices); whether names fit the scheme and the mesh
 * is exec_check's matter.
 *
 * Lifetime   The file owns its case and the Lua state that the case's functions live in: destroy it last. Threads: one.
 * Errors     EW_INPUT with file, line and traceback for what fails in Lua, EW_IO if the file cannot be read, EW_USAGE for
 * a -D that the script does not declare, and whatever a run inside the script failed with. */
#ifndef EW_LUA_CASE_FILE_H
#define EW_LUA_CASE_FILE_H

#include <signal.h>
#include <stdio.h>

#include "case/case.h"
#include "run/run.h"
#include "lua/problems.h"

typedef struct case_file case_file;

/* Runs one case; the command line's overrides are applied here, for returned cases and for those of run() alike. */
typedef ew_status case_runner(void *context, ew_case *c, const exec_hooks *hooks, exec_summary *summary,
                              ew_error *err);

typedef struct case_file_options {
  const char *path;
  const char *text; /* the script, if it is not to be read from `path`, which then names it and its folder; or NULL */
  int n_defines;
  const char *const *define;         /* "n=200", for `arguments` */
  FILE *print;                       /* where print() writes; NULL: nowhere */
  const volatile sig_atomic_t *stop; /* ends scripts that loop for ever; or NULL */
  volatile sig_atomic_t *in_lua;     /* not 0 while Lua runs, and not what it calls of this program; or NULL */
  const char *device;                /* of the command line, for linear systems; NULL: as the script has it */
  case_runner *run;                  /* for run(); NULL: run() is an error */
  void *context;
} case_file_options;

/* Runs the script. EW_OK also if the case has problems: look at case_file_problems. */
ew_status case_file_create(const case_file_options *options, case_file **out, ew_error *err);
void case_file_destroy(case_file **file);

/* The case, or NULL if the script ran its cases itself. Parts with problems are left at their defaults. */
ew_case *case_file_get(case_file *file);
const problem_list *case_file_problems(const case_file *file);
/* The case's hooks, for exec_run_case. */
exec_hooks case_file_hooks(case_file *file);

/* The annotations for the Lua language server, from the schemas that also check cases. */
void case_file_annotations(FILE *out);

#endif
