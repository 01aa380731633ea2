#include "lua/run_view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lua/host.h"
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
  run_view *v = luaL_checkudata(L, 1, RUN_VIEW);
  if (!v->run && !v->copied)
    luaL_error(L, "the run can be looked at only inside of on_step, on_output and on_end");
  return v;
}

ew_status view_attach(run_view *v, exec_run *run, ew_error *err) {
  const exec_domain *domain = exec_get_domain(run);
  v->run = run;
  v->t = exec_time(run), v->dt = exec_dt(run), v->steps = exec_steps(run);
  v->dim = exec_domain_dim(domain), v->n_cells = exec_domain_cells(domain);
  return exec_cells(run, &v->volume, &v->centre, err);
}

/* ---- names ------------------------------------------------------------------------------------------------------------------ */

static int unknown_name(lua_State *L, const char *what, const char *name, const char *const *known, int n) {
  const char *near = cli_nearest(name, known, n);
  if (near) return luaL_error(L, "there is no %s '%s'; did you mean '%s'?", what, name, near);
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  for (int i = 0; i < n; i++) {
    if (i) luaL_addstring(&b, ", ");
    luaL_addstring(&b, known[i]);
  }
  luaL_pushresult(&b);
  return luaL_error(L, "there is no %s '%s'; there are: %s", what, name, n ? lua_tostring(L, -1) : "none");
}

/* Components of a field at cells, all that a view looks at (on a grid others are averaged); 0 if there is none of that name, or its values were not asked for. */
static int cell_components(const exec_run *run, const char *name) {
  const dslc_program *p = exec_get_program(run);
  for (int i = 0; i < p->n_fields; i++)
    if (strcmp(p->field[i].name, name) == 0)
      return p->field[i].place == DSLC_CELLS || p->on_grid ? exec_components(run, name) : 0;
  return 0;
}

/* A quantity at cells that these kernels do not compute. */
static bool is_left_out(const dslc_program *p, const char *name) {
  for (int i = 0; i < p->n_fields; i++)
    if (strcmp(p->field[i].name, name) == 0) return p->field[i].place == DSLC_CELLS && p->field[i].buffer < 0;
  return false;
}

static int unknown_field(lua_State *L, const run_view *v, const char *name) {
  const char *known[MOST_NAMES];
  int n = 0;
  if (v->run) {
    const dslc_program *p = exec_get_program(v->run);
    if (is_left_out(p, name))
      luaL_error(L, "'%s' is not computed in this run: add it to output.fields", name);
    for (int i = 0; i < p->n_fields && n < MOST_NAMES; i++)
      if (cell_components(v->run, p->field[i].name) > 0) known[n++] = p->field[i].name;
  } else {
    push_copy(L, "fields");
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1))
      if (n < MOST_NAMES) known[n++] = lua_tostring(L, -2);
    host_sort(known, n);
  }
  return unknown_name(L, "field", name, known, n);
}

/* ---- fields ----------------------------------------------------------------------------------------------------------------- */

static double *push_buffer(lua_State *L, size_t n) { return lua_newuserdatauv(L, n * sizeof(double), 0); }

/* Reads a field of the living run into a buffer on the stack; NULL, nothing pushed, if there is none of that name. */
static const double *read_live(lua_State *L, exec_run *run, const char *name, int *components) {
  ew_error err = {0};
  *components = cell_components(run, name);
  if (*components <= 0) return NULL;
  double *value = push_buffer(L, (size_t)*components * (size_t)exec_domain_cells(exec_get_domain(run)));
  if (exec_read_cells(run, name, value, &err) != EW_OK) host_raise_error(L, &err);
  return value;
}

static const double *read_copy(lua_State *L, const char *name, int *components) {
  push_copy(L, "sizes");
  lua_getfield(L, -1, name);
  *components = (int)lua_tointeger(L, -1);
  lua_pop(L, 2);
  if (*components <= 0) return NULL;
  push_copy(L, "fields");
  lua_getfield(L, -1, name);
  lua_remove(L, -2);
  return lua_touserdata(L, -1);
}

view_field view_get_field(lua_State *L, run_view *v, const char *name) {
  view_field f = {.component = -1};
  f.value = v->run ? read_live(L, v->run, name, &f.components) : read_copy(L, name, &f.components);
  if (f.value) return f;
  const char *dot = strrchr(name, '.');
  if (!dot) unknown_field(L, v, name);
  const char *base = lua_pushlstring(L, name, (size_t)(dot - name));
  f.value = v->run ? read_live(L, v->run, base, &f.components) : read_copy(L, base, &f.components);
  if (!f.value) unknown_field(L, v, base);
  f.component = exec_component_number(dot + 1, f.components);
  if (f.component < 0)
    luaL_error(L, "field '%s' has %d component%s, there is no '%s'", base, f.components,
               f.components == 1 ? "" : "s", name);
  return f;
}

double view_at(const view_field *f, cell_id cell) {
  const double *x = f->value + (size_t)cell * (size_t)f->components;
  if (f->component >= 0) return x[f->component];
  if (f->components == 1) return x[0];
  double sum = 0;
  for (int d = 0; d < f->components; d++) sum += x[d] * x[d];
  return sqrt(sum);
}

/* ---- globals and probes -------------------------------------------------------------------------------------------------------- */

static int unknown_global(lua_State *L, const run_view *v, const char *name) {
  const char *known[MOST_NAMES];
  int n = 0;
  if (v->run) {
    const dslc_program *p = exec_get_program(v->run);
    for (int i = 0; i < p->n_globals && n < MOST_NAMES; i++) known[n++] = p->global[i].name;
  } else {
    push_copy(L, "globals");
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1))
      if (n < MOST_NAMES) known[n++] = lua_tostring(L, -2);
    host_sort(known, n);
  }
  return unknown_name(L, "global", name, known, n);
}

static bool has_global(const dslc_program *p, const char *name) {
  for (int i = 0; i < p->n_globals; i++)
    if (strcmp(p->global[i].name, name) == 0) return true;
  return false;
}

double view_global(lua_State *L, run_view *v, const char *name) {
  double x = 0;
  ew_error err = {0};
  if (v->run) {
    if (!has_global(exec_get_program(v->run), name)) unknown_global(L, v, name);
    if (exec_global(v->run, name, &x, &err) != EW_OK) host_raise_error(L, &err);
    return x;
  }
  push_copy(L, "globals");
  if (lua_getfield(L, -1, name) != LUA_TNUMBER) unknown_global(L, v, name);
  x = lua_tonumber(L, -1);
  lua_pop(L, 2);
  return x;
}

cell_id view_cell_at(lua_State *L, run_view *v, const double *x) {
  ew_error err = {0};
  if (!v->run) luaL_error(L, "a run that is over knows only its probes: name the point in output.probes");
  if (!v->locator && exec_locator_create(exec_get_domain(v->run), &v->locator, &err) != EW_OK)
    host_raise_error(L, &err);
  cell_id cell = exec_locate(v->locator, x);
  if (cell >= 0) return cell;
  char point[96];
  snprintf(point, sizeof point, v->dim == 2 ? "%.6g, %.6g" : "%.6g, %.6g, %.6g", x[0], x[1],
           v->dim == 2 ? 0 : x[2]);
  luaL_error(L, "the point (%s) lies outside of the %s", point, exec_domain_word(exec_get_domain(v->run)));
  return -1;
}

cell_id view_probe(lua_State *L, run_view *v, const char *name) {
  if (v->copied) {
    push_copy(L, "probes");
    lua_getfield(L, -1, name);
    bool found = lua_isinteger(L, -1);
    cell_id cell = (cell_id)lua_tointeger(L, -1);
    lua_pop(L, 2);
    if (found) return cell;
  }
  const char *known[MOST_NAMES];
  int n = 0;
  for (int i = 0; i < v->c->output.n_probes && n < MOST_NAMES; i++) {
    const case_probe *probe = &v->c->output.probe[i];
    if (v->run && strcmp(probe->name, name) == 0) return view_cell_at(L, v, probe->x);
    known[n++] = probe->name;
  }
  unknown_name(L, "probe", name, known, n);
  return -1;
}

/* ---- copies ------------------------------------------------------------------------------------------------------------------- */

/* Stores the value on the top as part.name of the copy on index `copy`. */
static void keep(lua_State *L, int copy, const char *part, const char *name) {
  luaL_getsubtable(L, copy, part);
  lua_insert(L, -2);
  lua_setfield(L, -2, name);
  lua_pop(L, 1);
}

static void copy_fields(lua_State *L, int copy, exec_run *run) {
  const dslc_program *p = exec_get_program(run);
  for (int i = 0; i < p->n_fields; i++) {
    const char *name = p->field[i].name;
    int components;
    if (!read_live(L, run, name, &components)) continue;
    keep(L, copy, "fields", name);
    lua_pushinteger(L, components);
    keep(L, copy, "sizes", name);
  }
}

static void copy_globals(lua_State *L, int copy, exec_run *run) {
  const dslc_program *p = exec_get_program(run);
  for (int i = 0; i < p->n_globals; i++) {
    double x;
    if (exec_global(run, p->global[i].name, &x, NULL) != EW_OK) continue; /* not built into this program */
    lua_pushnumber(L, x);
    keep(L, copy, "globals", p->global[i].name);
  }
}

static void copy_probes(lua_State *L, int copy, run_view *v) {
  for (int i = 0; i < v->c->output.n_probes; i++) {
    const case_probe *probe = &v->c->output.probe[i];
    lua_pushinteger(L, view_cell_at(L, v, probe->x));
    keep(L, copy, "probes", probe->name);
  }
}

static const double *copy_numbers(lua_State *L, int copy, const char *name, const double *from, size_t n) {
  double *to = push_buffer(L, n);
  memcpy(to, from, n * sizeof *to);
  keep(L, copy, "geometry", name);
  return to;
}

void view_copy(lua_State *L, int index, exec_run *run) {
  index = lua_absindex(L, index);
  run_view *v = lua_touserdata(L, index);
  ew_error err = {0};
  if (view_attach(v, run, &err) != EW_OK) host_raise_error(L, &err);
  lua_getiuservalue(L, index, 1);
  int copy = lua_gettop(L);
  copy_fields(L, copy, run);
  copy_globals(L, copy, run);
  copy_probes(L, copy, v);
  v->volume = copy_numbers(L, copy, "volume", v->volume, (size_t)v->n_cells);
  v->centre = copy_numbers(L, copy, "centre", v->centre, (size_t)v->n_cells * (size_t)v->dim);
  lua_pop(L, 1);
  exec_locator_destroy(&v->locator);
  v->run = NULL;
  v->copied = true;
}
