/* What is wrong with a case: collected, so that all of it is reported at once. */
#ifndef EW_LUA_PROBLEMS_H
#define EW_LUA_PROBLEMS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

typedef struct problem_list {
  char **text; /* "case.lua:12: ..." */
  int *line;
  size_t n, room;
  size_t lost; /* not kept for want of memory */
} problem_list;

void problems_add(problem_list *p, const char *file, int line, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* By line, then by text: the order of keys in a Lua table differs from run to run. What is there twice
 * stays once. */
void problems_sort(problem_list *p);
bool problems_on_line(const problem_list *p, int line);
void problems_clear(problem_list *p);

/* EW_OK if there are none, else EW_INPUT and all of them, one a line (as many as fit). */
ew_status problems_status(const problem_list *p, ew_error *err);

#endif
