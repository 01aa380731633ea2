/* A branch of the walk over the step: a candidate is planned on it, and kept by going on from there, or dropped by forgetting it. Both
 * share what never changes once it is there: nodes, the storage decided before the walk, the parts of lists that stand already. */
#include <string.h>

#include "schedule/planner.h"

static void *copy_of(arena *a, const void *from, size_t size) {
  void *to = arena_alloc(a, size + 1);
  if (size) memcpy(to, from, size);
  return to;
}

/* The list may grow, and its entries change, on either side. Growing is not to copy it again. */
#define COPY_LIST(a, v)                                                                                      \
  do {                                                                                                       \
    const int room = (v)->n ? (v)->n + (v)->n / 8 + 8 : 0;                                                   \
    __typeof__((v)->at) list_ = room ? arena_alloc((a), sizeof *(v)->at * (size_t)room) : NULL;              \
    if (room) memcpy(list_, (v)->at, sizeof *(v)->at *(size_t)(v)->n);                                       \
    (v)->at = list_, (v)->cap = room;                                                                        \
  } while (0)
#define RETURN_LIST(a, v) arena_return((a), (v)->at, sizeof *(v)->at *(size_t)(v)->cap)

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
  COPY_LIST(a, &p->context);
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

int *places_for(arena *a, places *p, int n) {
  if (n > p->room) {
    arena_return_array(a, p->at, p->room);
    p->room = 2 * n;
    p->at = arena_array(a, int, p->room);
  }
  return p->at;
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

/* What planner_branch copies, but for the lists of functions: they are short, and functions may share one. */
void planner_forget(planner *gone) {
  arena *a = gone->memory;
  program_parts *made = gone->made;
  plan *p = gone->plan;
  const int symbols = gone->from->symbol.n;
  RETURN_LIST(a, &made->buffer);
  RETURN_LIST(a, &made->field);
  RETURN_LIST(a, &made->check);
  RETURN_LIST(a, &made->note);
  RETURN_LIST(a, &p->function);
  RETURN_LIST(a, &p->last_function);
  RETURN_LIST(a, &p->same_before);
  RETURN_LIST(a, &p->context);
  arena_return_array(a, p->location, p->module->symbol.n);
  arena_return_array(a, gone->found, symbols);
  arena_return_array(a, gone->now, symbols);
  RETURN_LIST(a, &gone->walls.across);
  RETURN_LIST(a, &gone->walls.filled);
  RETURN_LIST(a, &gone->walls.together);
}
