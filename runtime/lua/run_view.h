/* What a run object looks at: the living run, or a copy of its last state. Internal to runtime/lua. */
#ifndef EW_LUA_RUN_VIEW_H
#define EW_LUA_RUN_VIEW_H

#include <lua.h>

#include "run/run.h"

/* Where values lie. The arrays are the run's, or copies anchored in the user value. */
typedef struct view_points {
  int32_t n;
  const double *volume, *place; /* [n], [n * dim] */
  const double
      *part; /* [n] 0 of nodes that lie on another one across a periodic side, else 1; NULL: 1 of all */
} view_points;

typedef struct run_view {
  exec_run *run; /* NULL: `copied`, or outside of a hook */
  bool copied;   /* fields, globals and probes lie in the user value */
  const ew_case *c;
  bool stop; /* run:stop() was called */
  double t, dt, seconds;
  int64_t steps;
  int dim;
  view_points cells, nodes;
  exec_locator *locator; /* made when first needed */
} run_view;

/* One component of a field, or all of them. */
typedef struct view_field {
  const double *value;
  int components; /* of the field */
  int component;  /* -1: all; a vector then stands for its length where one number is needed */
  bool at_nodes;
  const view_points *at;
} view_field;

/* A point: its cell, the nodes of the cell, and what each weighs in a linear function's value there. */
typedef struct view_spot {
  cell_id cell;
  node_id node[4];
  double weight[4];
} view_spot;

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
double view_at(const view_field *f, int32_t entity);
/* Whether all components are meant, and view_at gives their length. */
bool view_whole(const view_field *f);
double view_between(const view_field *f, const view_spot *spot);
double view_global(lua_State *L, run_view *v, const char *name);
/* Where a probe of the case is. Raises for unknown names. */
view_spot view_probe(lua_State *L, run_view *v, const char *name);
/* Raises for copies, and outside of the mesh. */
view_spot view_spot_at(lua_State *L, run_view *v, const double *x);

#endif
