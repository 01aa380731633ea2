#include "lua/run_view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lua/host.h"
#include "mesh/build.h"
#include "options.h"

const char RUN_VIEW[] = "edgewise.run";

enum { MOST_NAMES = 256 };

/* A copy is a table: fields (name -> buffer), sizes (name -> components), globals, probes (name -> cell). */
static void push_copy(lua_State *L, const char *part) {
  lua_getiuservalue(L, 1, 1);
  luaL_getsubtable(L, -1, part);
  lua_remove(L, -2);
}

run_view *view_push(lua_State *L, const ew_case *c) {
  run_view *v = lua_newuserdatauv(L, sizeof *v, 1);
  *v = (run_view){.c = c};
  luaL_setmetatable(L, RUN_VIEW);
  lua_newtable(L);
  lua_setiuservalue(L, -2, 1);
  return v;
}

run_view *view_check(lua_State *L) {
  run_view *v = luaL_testudata(L, 1, RUN_VIEW);
  if (!v)
    luaL_error(
        L, "methods of a run are called with a colon, as in run:max(\"h\"); found %s in the place of the run",
        host_describe(L, 1));
  if (!v->run && !v->copied)
    luaL_error(L, "the run can be looked at only inside of on_step, on_output and on_end");
  return v;
}

ew_status view_attach(run_view *v, exec_run *run, ew_error *err) {
  const exec_domain *domain = exec_get_domain(run);
  v->run = run;
  v->t = exec_time(run), v->dt = exec_dt(run), v->steps = exec_steps(run);
  v->dim = exec_domain_dim(domain), v->cells.n = exec_domain_cells(domain);
  ew_status status = exec_cells(run, &v->cells.volume, &v->cells.place, err);
  if (status != EW_OK) return status;
  return exec_nodes(run, &v->nodes.n, &v->nodes.volume, &v->nodes.place, &v->nodes.part, err);
}

/* ---- names ------------------------------------------------------------------------------------------------------------------ */

/* `hint`, "" or behind all that there are. */
static int unknown_name(lua_State *L, const char *what, const char *name, const char *const *known, int n,
                        const char *hint) {
  const char *near = cli_nearest(name, known, n);
  if (near) return luaL_error(L, "there is no %s '%s'; did you mean '%s'?", what, name, near);
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  for (int i = 0; i < n; i++) {
    if (i) luaL_addstring(&b, ", ");
    luaL_addstring(&b, known[i]);
  }
  luaL_pushresult(&b);
  return luaL_error(L, "there is no %s '%s'; there are: %s%s", what, name, n ? lua_tostring(L, -1) : "none",
                    hint);
}

/* Components of a field at cells or nodes, all that a view looks at (on a grid others are averaged); 0 if there is none of that name, or
 * its values were not asked for. */
static int shown_components(const exec_run *run, const char *name) {
  const dslc_program *p = exec_get_program(run);
  for (int i = 0; i < p->model.n_fields; i++)
    if (strcmp(p->model.field[i].name, name) == 0)
      return exec_can_show(p, p->model.field[i].place) ? exec_components(run, name) : 0;
  return 0;
}

/* A quantity at cells or nodes that these kernels do not compute. */
static bool is_left_out(const dslc_program *p, const char *name) {
  for (int i = 0; i < p->model.n_fields; i++)
    if (strcmp(p->model.field[i].name, name) == 0)
      return exec_can_show(p, p->model.field[i].place) && p->model.field[i].buffer < 0;
  return false;
}

static int unknown_field(lua_State *L, const run_view *v, const char *name) {
  const char *known[MOST_NAMES];
  int n = 0;
  if (v->run) {
    const dslc_program *p = exec_get_program(v->run);
    if (is_left_out(p, name))
      luaL_error(L, "'%s' is not computed in this run: add it to output.fields", name);
    for (int i = 0; i < p->model.n_fields && n < MOST_NAMES; i++)
      if (shown_components(v->run, p->model.field[i].name) > 0) known[n++] = p->model.field[i].name;
  } else {
    push_copy(L, "fields");
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1))
      if (n < MOST_NAMES) known[n++] = lua_tostring(L, -2);
    host_sort(known, n);
  }
  return unknown_name(L, "field", name, known, n, v->run ? "" : "; output.fields adds others of the scheme");
}

/* ---- fields ----------------------------------------------------------------------------------------------------------------- */

static double *push_buffer(lua_State *L, size_t n) { return lua_newuserdatauv(L, n * sizeof(double), 0); }

static bool lies_at_nodes(const exec_run *run, const char *name) {
  return exec_get_mesh(run) && exec_field_place(run, name) == DSLC_NODES;
}

/* Reads a field of the living run into a buffer on the stack; false, nothing pushed, if there is none of that name. */
static bool read_live(lua_State *L, const run_view *v, const char *name, view_field *f) {
  ew_error err = {0};
  f->components = shown_components(v->run, name);
  if (f->components <= 0) return false;
  f->at_nodes = lies_at_nodes(v->run, name);
  f->at = f->at_nodes ? &v->nodes : &v->cells;
  double *value = push_buffer(L, (size_t)f->components * (size_t)f->at->n);
  ew_status status =
      f->at_nodes ? exec_read(v->run, name, value, &err) : exec_read_cells(v->run, name, value, &err);
  if (status != EW_OK) host_raise_error(L, &err);
  f->value = value;
  return true;
}

/* What a copy knows of a name, on the top of the stack. */
static void push_known(lua_State *L, const char *part, const char *name) {
  push_copy(L, part);
  lua_getfield(L, -1, name);
  lua_remove(L, -2);
}

static bool read_copy(lua_State *L, const run_view *v, const char *name, view_field *f) {
  push_known(L, "sizes", name);
  f->components = (int)lua_tointeger(L, -1);
  lua_pop(L, 1);
  if (f->components <= 0) return false;
  push_known(L, "at_nodes", name);
  f->at_nodes = lua_toboolean(L, -1);
  f->at = f->at_nodes ? &v->nodes : &v->cells;
  lua_pop(L, 1);
  push_known(L, "fields", name);
  f->value = lua_touserdata(L, -1);
  return true;
}

static bool read_field(lua_State *L, const run_view *v, const char *name, view_field *f) {
  return v->run ? read_live(L, v, name, f) : read_copy(L, v, name, f);
}

view_field view_get_field(lua_State *L, run_view *v, const char *name) {
  view_field f = {.component = -1};
  if (read_field(L, v, name, &f)) return f;
  const char *dot = strrchr(name, '.');
  if (!dot) unknown_field(L, v, name);
  const char *base = lua_pushlstring(L, name, (size_t)(dot - name));
  if (!read_field(L, v, base, &f)) unknown_field(L, v, base);
  f.component = exec_component_number(dot + 1, f.components, v->dim);
  if (f.component < 0)
    luaL_error(L, "field '%s' has %d component%s, there is no '%s'", base, f.components,
               f.components == 1 ? "" : "s", name);
  return f;
}

/* The component, or the length of a vector. */
static double one_number(const view_field *f, const double *x) {
  if (f->component >= 0) return x[f->component];
  if (f->components == 1) return x[0];
  double sum = 0;
  for (int d = 0; d < f->components; d++) sum += x[d] * x[d];
  return sqrt(sum);
}

bool view_whole(const view_field *f) { return f->component < 0; }

double view_at(const view_field *f, int32_t entity) {
  return one_number(f, f->value + (size_t)entity * (size_t)f->components);
}

double view_between(const view_field *f, const view_spot *spot) {
  double x[DSLC_MOST_COMPONENTS] = {0};
  if (!f->at_nodes) return view_at(f, spot->cell);
  for (int k = 0; k < 4; k++)
    for (int d = 0; d < f->components; d++)
      x[d] += spot->weight[k] * f->value[(size_t)spot->node[k] * (size_t)f->components + (size_t)d];
  return one_number(f, x);
}

/* ---- globals and probes -------------------------------------------------------------------------------------------------------- */

static int unknown_global(lua_State *L, const run_view *v, const char *name) {
  const char *known[MOST_NAMES];
  int n = 0;
  if (v->run) {
    const dslc_program *p = exec_get_program(v->run);
    for (int i = 0; i < p->model.n_globals && n < MOST_NAMES; i++) known[n++] = p->model.global[i].name;
  } else {
    push_copy(L, "globals");
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1))
      if (n < MOST_NAMES) known[n++] = lua_tostring(L, -2);
    host_sort(known, n);
  }
  return unknown_name(L, "global", name, known, n,
                      v->run ? "" : "; output.history adds others of the scheme");
}

double view_global(lua_State *L, run_view *v, const char *name) {
  double x = 0;
  ew_error err = {0};
  if (v->run) {
    if (!exec_has_global(exec_get_program(v->run), name)) unknown_global(L, v, name);
    if (exec_global(v->run, name, &x, &err) != EW_OK) host_raise_error(L, &err);
    return x;
  }
  push_copy(L, "globals");
  if (lua_getfield(L, -1, name) != LUA_TNUMBER) unknown_global(L, v, name);
  x = lua_tonumber(L, -1);
  lua_pop(L, 2);
  return x;
}

static view_spot spot_in(const run_view *v, cell_id cell, const double *x) {
  const exec_domain *domain = exec_get_domain(v->run);
  const mesh *m = domain->m;
  exec_spot from = exec_spot_at(domain, cell, x);
  view_spot spot = {.cell = cell};
  bool simplex = m && (m->cell_type[cell] == MESH_TRIANGLE || m->cell_type[cell] == MESH_TETRA);
  for (int k = 0; simplex && k <= m->dim; k++) {
    spot.node[k] = m->cell_node[m->cell_start[cell] + k];
    spot.weight[k] = from.weight[k];
  }
  return spot;
}

view_spot view_spot_at(lua_State *L, run_view *v, const double *x) {
  ew_error err = {0};
  if (!v->run) luaL_error(L, "a run that is over knows only its probes: name the point in output.probes");
  if (!v->locator && exec_locator_create(exec_get_domain(v->run), &v->locator, &err) != EW_OK)
    host_raise_error(L, &err);
  cell_id cell = exec_locate(v->locator, x);
  if (cell >= 0) return spot_in(v, cell, x);
  char point[96];
  const exec_domain *domain = exec_get_domain(v->run);
  mesh_point_text(v->dim, x, point);
  if (domain->g && grid_find_cell(domain->g, x) >= 0) luaL_error(L, "the point %s lies in a solid", point);
  luaL_error(L, "the point %s lies outside of the %s", point, exec_domain_word(domain));
  return (view_spot){.cell = -1};
}

view_spot view_probe(lua_State *L, run_view *v, const char *name) {
  if (v->copied) {
    push_known(L, "probes", name);
    const view_spot *spot = lua_touserdata(L, -1);
    lua_pop(L, 1); /* the copy anchors it */
    if (spot) return *spot;
  }
  const char *known[MOST_NAMES];
  int n = 0;
  for (int i = 0; i < v->c->output.n_probes && n < MOST_NAMES; i++) {
    const case_probe *probe = &v->c->output.probe[i];
    if (v->run && strcmp(probe->name, name) == 0) return view_spot_at(L, v, probe->x);
    known[n++] = probe->name;
  }
  unknown_name(L, "probe", name, known, n, "");
  return (view_spot){.cell = -1};
}

/* ---- copies ------------------------------------------------------------------------------------------------------------------- */

/* Stores the value on the top as part.name of the copy on index `copy`. */
static void keep(lua_State *L, int copy, const char *part, const char *name) {
  luaL_getsubtable(L, copy, part);
  lua_insert(L, -2);
  lua_setfield(L, -2, name);
  lua_pop(L, 1);
}

static void copy_fields(lua_State *L, int copy, const run_view *v) {
  const dslc_program *p = exec_get_program(v->run);
  for (int i = 0; i < p->model.n_fields; i++) {
    const char *name = p->model.field[i].name;
    view_field f;
    if (!read_live(L, v, name, &f)) continue;
    keep(L, copy, "fields", name);
    lua_pushinteger(L, f.components);
    keep(L, copy, "sizes", name);
    lua_pushboolean(L, f.at_nodes);
    keep(L, copy, "at_nodes", name);
  }
}

static void copy_global(lua_State *L, int copy, exec_run *run, const char *name) {
  double x;
  if (exec_global(run, name, &x, NULL) != EW_OK) return; /* not built into this program */
  lua_pushnumber(L, x);
  keep(L, copy, "globals", name);
}

static void copy_globals(lua_State *L, int copy, exec_run *run) {
  const dslc_program *p = exec_get_program(run);
  for (int i = 0; i < p->model.n_globals; i++) copy_global(L, copy, run, p->model.global[i].name);
  if (exec_has_global(p, "iterations")) copy_global(L, copy, run, "iterations");
  for (int i = 0; i < p->model.n_fields; i++) { /* of unknowns of systems */
    const char *figure = lua_pushfstring(L, "%s.iterations", p->model.field[i].name);
    if (exec_has_global(p, figure)) {
      copy_global(L, copy, run, figure);
      copy_global(L, copy, run, lua_pushfstring(L, "%s.residual", p->model.field[i].name));
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
  }
}

static void copy_probes(lua_State *L, int copy, run_view *v) {
  for (int i = 0; i < v->c->output.n_probes; i++) {
    const case_probe *probe = &v->c->output.probe[i];
    view_spot *spot = lua_newuserdatauv(L, sizeof *spot, 0);
    *spot = view_spot_at(L, v, probe->x);
    keep(L, copy, "probes", probe->name);
  }
}

static const double *copy_numbers(lua_State *L, int copy, const char *name, const double *from, size_t n) {
  double *to = push_buffer(L, n);
  memcpy(to, from, n * sizeof *to);
  keep(L, copy, "geometry", name);
  return to;
}

static void copy_points(lua_State *L, int copy, const char *part, int dim, view_points *p) {
  char name[32];
  if (p->n == 0) return;
  snprintf(name, sizeof name, "%s.volume", part);
  p->volume = copy_numbers(L, copy, name, p->volume, (size_t)p->n);
  snprintf(name, sizeof name, "%s.place", part);
  p->place = copy_numbers(L, copy, name, p->place, (size_t)p->n * (size_t)dim);
  snprintf(name, sizeof name, "%s.part", part);
  if (p->part) p->part = copy_numbers(L, copy, name, p->part, (size_t)p->n);
}

void view_copy(lua_State *L, int index, exec_run *run) {
  index = lua_absindex(L, index);
  run_view *v = lua_touserdata(L, index);
  ew_error err = {0};
  if (view_attach(v, run, &err) != EW_OK) host_raise_error(L, &err);
  lua_getiuservalue(L, index, 1);
  int copy = lua_gettop(L);
  copy_fields(L, copy, v);
  copy_globals(L, copy, run);
  copy_probes(L, copy, v);
  copy_points(L, copy, "cells", v->dim, &v->cells);
  copy_points(L, copy, "nodes", v->dim, &v->nodes);
  lua_pop(L, 1);
  exec_locator_destroy(&v->locator);
  v->run = NULL;
  v->copied = true;
}
