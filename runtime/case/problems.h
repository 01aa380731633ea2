/* Collecting what is wrong with a case. Internal to the runtime. */
#ifndef EW_EXEC_PROBLEMS_H
#define EW_EXEC_PROBLEMS_H

#include "run/run.h"

/* What the checks share. The first failure (no memory) is kept in `status`. */
typedef struct exec_checker {
  const ew_case *c;
  const dslc_program *program; /* or NULL */
  const exec_domain *domain;
  const mesh *m; /* the domain's, or NULL */
  exec_problems *problems;
  ew_status status;
  ew_error *err;
} exec_checker;

void exec_complain(exec_checker *k, case_where at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Whether an error is the case's or its files', which is then one of its problems. Another (no memory) ends the check and is kept. */
bool exec_is_problem(exec_checker *k, const ew_error *err);

/* A list of names to choose from. */
typedef struct exec_names {
  int n, capacity;
  const char **name; /* owned array of borrowed names */
} exec_names;

/* False without memory, when a name is missing: among suggestions that is no harm. */
bool exec_names_add(exec_names *names, const char *name);
void exec_names_clear(exec_names *names);
/* " - did you mean 'depth'?", or the list of names if none is near and there are few; into `text`. */
const char *exec_suggest(const exec_names *names, const char *wrong, char *text, size_t size);

/* Whether a value's file can be read, and the mesh has the groups that it names. `what`: "state". */
void exec_check_source(exec_checker *k, const char *what, const case_value *v);

void exec_check_boundaries(exec_checker *k);
void exec_check_output(exec_checker *k);
void exec_check_places(exec_checker *k); /* of output */

#endif
