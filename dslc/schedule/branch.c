/* A branch of the walk over the step: a candidate is planned on it, and kept by going on from there, or dropped by forgetting it. Both
 * share what never changes once it is there: nodes, the storage decided before the walk, the parts of lists that stand already. */
#include <string.h>

#include "schedule/planner.h"

static void *copy_of(arena *a, const void *from, size_t size) {
  void *to = arena_alloc(a, size + 1);
  if (size) memcpy(to, from, size);
  return to;
}

/* The list may grow, and its entries change, on either side. */
#define COPY_LIST(a, v) ((v)->at = copy_of((a), (v)->at, sizeof *(v)->at * (size_t)(v)->n), (v)->cap = (v)->n)

static program_parts *copy_parts(arena *a, const program_parts *from) {
  program_parts *to = copy_of(a, from, sizeof *from);
  COPY_LIST(a, &to->buffer);
  COPY_LIST(a, &to->field);
  COPY_LIST(a, &to->check);
  COPY_LIST(a, &to->note);
  return to;
}

/* What a function lists may grow after it was made. */
static void copy_functions(arena *a, plan *p) {
  COPY_LIST(a, &p->function);
  COPY_LIST(a, &p->last_function);
  COPY_LIST(a, &p->same_before);
  for (int i = 0; i < p->function.n; i++) {
    plan_function *f = &p->function.at[i];
    COPY_LIST(a, &f->beside);
    COPY_LIST(a, &f->along);
  }
}

static plan *copy_plan(arena *a, const plan *from) {
  plan *to = copy_of(a, from, sizeof *from);
  to->location = copy_of(a, from->location, sizeof *from->location * (size_t)from->module->symbol.n);
  copy_functions(a, to);
  return to;
}

planner *planner_branch(const planner *pl) {
  arena *a = pl->memory;
  planner *b = copy_of(a, pl, sizeof *pl);
  const size_t symbols = (size_t)pl->from->symbol.n;
  b->plan = copy_plan(a, pl->plan);
  b->made = copy_parts(a, pl->made);
  b->found = copy_of(a, pl->found, sizeof *pl->found * symbols);
  b->now = copy_of(a, pl->now, sizeof *pl->now * symbols);
  COPY_LIST(a, &b->walls.across);
  COPY_LIST(a, &b->walls.filled);
  COPY_LIST(a, &b->walls.together);
  return b;
}
