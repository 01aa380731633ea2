/* What a run object looks at: the living run, or a copy of its last state. Internal to runtime/lua. */
#ifndef EW_LUA_RUN_VIEW_H
#define EW_LUA_RUN_VIEW_H

#include <lua.h>

#include "exec/exec.h"

typedef struct run_view {
  exec_run *run; /* NULL: `copied`, or outside of a hook */
  bool copied;   /* fields, globals and probes lie in the user value */
  const ew_case *c;
  bool stop; /* run:stop() was called */
  double t, dt, seconds;
  int64_t steps;
  int dim;
  cell_id n_cells;
  const double *volume, *centre; /* the run's, or copies anchored in the user value */
  exec_locator *locator;         /* made when first needed */
} run_view;

/* One component of a field, or all of them. */
typedef struct view_field {
  const double *value;
  int components; /* of the field */
  int component;  /* -1: all; a vector then stands for its length where one number is needed */
} view_field;

extern const char RUN_VIEW[]; /* metatable */

run_view *view_push(lua_State *L, const ew_case *c);
/* The view at stack index 1; raises outside of hooks. */
run_view *view_check(lua_State *L);
/* Takes time and geometry from a living run. */
ew_status view_attach(run_view *v, exec_run *run, ew_error *err);
/* Copies the state of the living run into the view at `index`, which then no longer needs the run. */
void view_copy(lua_State *L, int index, exec_run *run);

/* Pushes what anchors the values. `name` may name a component: "q.x", "q.1". Raises for unknown names. */
view_field view_get_field(lua_State *L, run_view *v, const char *name);
double view_at(const view_field *f, cell_id cell);
double view_global(lua_State *L, run_view *v, const char *name);
/* The cell that holds a probe of the case. Raises for unknown names. */
cell_id view_probe(lua_State *L, run_view *v, const char *name);
/* The cell that holds the point; raises for copies, and outside of the mesh. */
cell_id view_cell_at(lua_State *L, run_view *v, const double *x);

#endif
