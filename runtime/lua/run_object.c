#include "lua/run_object.h"

#include <math.h>
#include <string.h>

#include "lua/reader.h"
#include "lua/run_view.h"

/* ---- methods: looking -------------------------------------------------------------------------------------------------------- */

static int run_global(lua_State *L) {
  run_view *v = view_check(L);
  lua_pushnumber(L, view_global(L, v, host_word(L, 2, "run:global", "the name")));
  return 1;
}

static int run_probe(lua_State *L) {
  run_view *v = view_check(L);
  view_spot spot = view_probe(L, v, host_word(L, 2, "run:probe", "the probe"));
  view_field f = view_get_field(L, v, host_word(L, 3, "run:probe", "the field"));
  lua_pushnumber(L, view_between(&f, &spot));
  return 1;
}

/* run:at(field, x, y[, z]) */
static int run_at(lua_State *L) {
  run_view *v = view_check(L);
  static const char *const AXIS[] = {"x", "y", "z"};
  const char *name = host_word(L, 2, "run:at", "the field");
  double x[3] = {0};
  for (int d = 0; d < v->dim; d++) x[d] = host_number(L, 3 + d, "run:at", AXIS[d]);
  if (lua_gettop(L) > 2 + v->dim)
    luaL_error(L, "run:at: places here have %d coordinate%s, found %d", v->dim, v->dim == 1 ? "" : "s",
               lua_gettop(L) - 2);
  view_spot spot = view_spot_at(L, v, x);
  view_field f = view_get_field(L, v, name);
  lua_pushnumber(L, view_between(&f, &spot));
  return 1;
}

static void push_components(lua_State *L, const double *x, int n) {
  lua_createtable(L, n, 0);
  for (int d = 0; d < n; d++) {
    lua_pushnumber(L, x[d]);
    lua_rawseti(L, -2, d + 1);
  }
}

static int run_field(lua_State *L) {
  run_view *v = view_check(L);
  view_field f = view_get_field(L, v, host_word(L, 2, "run:field", "the field"));
  lua_createtable(L, f.at->n, 0);
  for (int32_t c = 0; c < f.at->n; c++) {
    if (f.component >= 0 || f.components == 1) lua_pushnumber(L, view_at(&f, c));
    else push_components(L, f.value + (size_t)c * (size_t)f.components, f.components);
    lua_rawseti(L, -2, c + 1);
  }
  return 1;
}

static int push_places(lua_State *L, const view_points *p, int dim) {
  lua_createtable(L, p->n, 0);
  for (int32_t i = 0; i < p->n; i++) {
    push_components(L, p->place + (size_t)i * (size_t)dim, dim);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

static int run_centres(lua_State *L) {
  run_view *v = view_check(L);
  return push_places(L, &v->cells, v->dim);
}

static int run_volumes(lua_State *L) {
  run_view *v = view_check(L);
  push_components(L, v->cells.volume, v->cells.n);
  return 1;
}

static int run_nodes(lua_State *L) {
  run_view *v = view_check(L);
  return push_places(L, &v->nodes, v->dim);
}

static int run_node_volumes(lua_State *L) {
  run_view *v = view_check(L);
  push_components(L, v->nodes.volume, v->nodes.n);
  return 1;
}

/* ---- methods: reductions ------------------------------------------------------------------------------------------------------ */

/* Pushes what the function on the top of the stack takes: coordinates and, where a parameter is called so, the time; one that takes `...`
 * gets all, the time last. */
static int push_arguments(lua_State *L, const run_view *v, const double *place) {
  host_shape shape;
  if (!host_read_shape(L, &shape)) shape = (host_shape){.n = v->dim + 1, .time_at = v->dim};
  const int coordinates = shape.n - (shape.time_at >= 0);
  char text[HOST_SHAPE_TEXT];
  if (shape.astray)
    luaL_error(L,
               "the exact solution's parameter %c would get %c, as coordinates are given in turn, x, y, z; "
               "write %s",
               shape.astray, shape.gets, host_shape_text(&shape, v->dim, text));
  if (coordinates > v->dim)
    luaL_error(
        L,
        "the exact solution takes %d coordinates, and places here have %d; the time's parameter is called t",
        coordinates, v->dim);
  for (int k = 0, d = 0; k < shape.n; k++) lua_pushnumber(L, k == shape.time_at ? v->t : place[d++]);
  return shape.n;
}

/* What the function in argument 3 returns at an entity, left on the stack; how many numbers these are: one, or as many as the field has
 * components. */
static int call_exact(lua_State *L, const run_view *v, const view_field *f, int32_t i) {
  int before = lua_gettop(L), n;
  lua_pushvalue(L, 3);
  const int given = push_arguments(L, v, f->at->place + (size_t)i * (size_t)v->dim);
  lua_call(L, given, LUA_MULTRET);
  n = lua_gettop(L) - before;
  int wanted = view_whole(f) ? f->components : 1;
  if (n != 1 && n != wanted)
    luaL_error(L, "the exact solution returned %d values, the field has %d component%s here", n, wanted,
               wanted == 1 ? "" : "s");
  for (int k = 1; k <= n; k++)
    if (lua_type(L, before + k) != LUA_TNUMBER)
      luaL_error(L, "the exact solution returned %s, expected a number", host_describe(L, before + k));
  return n;
}

static void check_exact(lua_State *L, const char *method) {
  if (!lua_isnoneornil(L, 3) && !lua_isfunction(L, 3) && !lua_isnumber(L, 3))
    luaL_error(L, "%s: the exact solution must be a number or a function of place; found %s", method,
               host_describe(L, 3));
}

/* How far the field is from argument 3: nothing (zero), a number, or a function of place and time, at the centre of a cell, or at a node.
 * For vectors without component it gives all components, or the length to compare with. */
static double error_at(lua_State *L, const run_view *v, const view_field *f, int32_t i) {
  if (lua_isnoneornil(L, 3)) return fabs(view_at(f, i));
  if (!lua_isfunction(L, 3)) return fabs(view_at(f, i) - lua_tonumber(L, 3));
  int n = call_exact(L, v, f, i);
  double sum = 0, one = fabs(view_at(f, i) - lua_tonumber(L, -n));
  for (int d = 0; n > 1 && d < n; d++) {
    double e = f->value[(size_t)i * (size_t)f->components + (size_t)d] - lua_tonumber(L, d - n);
    sum += e * e;
  }
  lua_pop(L, n);
  return n > 1 ? sqrt(sum) : one;
}

/* Adds one by one with Neumaier's compensation, so that a conserved sum shows no drift of its own. */
typedef struct total {
  double sum, rest;
} total;

static void add(total *t, double x) {
  double s = t->sum + x;
  t->rest += fabs(t->sum) >= fabs(x) ? (t->sum - s) + x : (x - s) + t->sum;
  t->sum = s;
}

/* Cells in solids of a grid have no volume, and no part in anything. */
static bool counts(const view_field *f, int32_t i) { return f->at->volume[i] > 0; }

static int run_least(lua_State *L) {
  run_view *v = view_check(L);
  view_field f = view_get_field(L, v, host_word(L, 2, "run:min", "the field"));
  double least = INFINITY;
  for (int32_t c = 0; c < f.at->n; c++)
    if (counts(&f, c)) least = fmin(least, view_at(&f, c));
  lua_pushnumber(L, least);
  return 1;
}

static int run_most(lua_State *L) {
  run_view *v = view_check(L);
  view_field f = view_get_field(L, v, host_word(L, 2, "run:max", "the field"));
  double most = -INFINITY;
  for (int32_t c = 0; c < f.at->n; c++)
    if (counts(&f, c)) most = fmax(most, view_at(&f, c));
  lua_pushnumber(L, most);
  return 1;
}

static int run_sum(lua_State *L) {
  run_view *v = view_check(L);
  view_field f = view_get_field(L, v, host_word(L, 2, "run:sum", "the field"));
  total t = {0};
  for (int32_t c = 0; c < f.at->n; c++)
    if (counts(&f, c) && (!f.at->part || f.at->part[c] > 0)) add(&t, view_at(&f, c));
  lua_pushnumber(L, t.sum + t.rest);
  return 1;
}

static int run_integral(lua_State *L) {
  run_view *v = view_check(L);
  view_field f = view_get_field(L, v, host_word(L, 2, "run:integral", "the field"));
  total t = {0};
  for (int32_t c = 0; c < f.at->n; c++)
    if (counts(&f, c)) add(&t, f.at->volume[c] * view_at(&f, c));
  lua_pushnumber(L, t.sum + t.rest);
  return 1;
}

/* Norms over the domain of field - exact, divided by the norm of 1: means, so that domains compare. */
static double norm(lua_State *L, int power) {
  const char *method = power == 2 ? "run:l2" : "run:l1";
  run_view *v = view_check(L);
  lua_settop(L, 3);
  check_exact(L, method);
  view_field f = view_get_field(L, v, host_word(L, 2, method, "the field"));
  total t = {0}, whole = {0};
  for (int32_t c = 0; c < f.at->n; c++) {
    if (!counts(&f, c)) continue;
    double e = error_at(L, v, &f, c);
    add(&t, f.at->volume[c] * (power == 2 ? e * e : e));
    add(&whole, f.at->volume[c]);
  }
  double mean = (t.sum + t.rest) / (whole.sum + whole.rest);
  return power == 2 ? sqrt(mean) : mean;
}

static int run_l1(lua_State *L) {
  lua_pushnumber(L, norm(L, 1));
  return 1;
}

static int run_l2(lua_State *L) {
  lua_pushnumber(L, norm(L, 2));
  return 1;
}

static int run_linf(lua_State *L) {
  run_view *v = view_check(L);
  lua_settop(L, 3);
  check_exact(L, "run:linf");
  view_field f = view_get_field(L, v, host_word(L, 2, "run:linf", "the field"));
  double most = 0;
  for (int32_t c = 0; c < f.at->n; c++) {
    if (!counts(&f, c)) continue;
    double e = error_at(L, v, &f, c);
    if (!(e <= most)) most = e; /* a NaN is kept, not overlooked */
  }
  lua_pushnumber(L, most);
  return 1;
}

/* ---- methods: acting ------------------------------------------------------------------------------------------------------------ */

static int run_stop(lua_State *L) {
  view_check(L)->stop = true;
  return 0;
}

static int run_error_if(lua_State *L) {
  view_check(L);
  if (!lua_toboolean(L, 2)) return 0;
  const char *message =
      lua_isnoneornil(L, 3) ? "the case's own check failed" : host_word(L, 3, "run:error_if", "the message");
  luaL_where(L, 1);
  return host_raise(L, EW_FAIL, "%s%s", lua_tostring(L, -1), message);
}

static const luaL_Reg METHOD[] = {{"global", run_global},
                                  {"probe", run_probe},
                                  {"at", run_at},
                                  {"field", run_field},
                                  {"centres", run_centres},
                                  {"volumes", run_volumes},
                                  {"nodes", run_nodes},
                                  {"node_volumes", run_node_volumes},
                                  {"min", run_least},
                                  {"max", run_most},
                                  {"sum", run_sum},
                                  {"integral", run_integral},
                                  {"l1", run_l1},
                                  {"l2", run_l2},
                                  {"linf", run_linf},
                                  {"stop", run_stop},
                                  {"error_if", run_error_if},
                                  {NULL, NULL}};

/* ---- the object ------------------------------------------------------------------------------------------------------------------- */

static bool push_property(lua_State *L, const run_view *v, const char *key) {
  if (strcmp(key, "t") == 0) lua_pushnumber(L, v->t);
  else if (strcmp(key, "dt") == 0) lua_pushnumber(L, v->dt);
  else if (strcmp(key, "step") == 0) lua_pushinteger(L, v->steps);
  else if (strcmp(key, "cells") == 0) lua_pushinteger(L, v->cells.n);
  else if (strcmp(key, "seconds") == 0 && v->copied) lua_pushnumber(L, v->seconds);
  else return false;
  return true;
}

/* Upvalue: the table of methods. */
static int run_index(lua_State *L) {
  const run_view *v = view_check(L);
  const char *key = host_word(L, 2, "a run", "what is asked of it");
  if (push_property(L, v, key)) return 1;
  if (lua_getfield(L, lua_upvalueindex(1), key) != LUA_TNIL) return 1;
  const char *near = host_nearest_key(L, lua_upvalueindex(1), key);
  if (near) return luaL_error(L, "a run has no '%s'; did you mean '%s'?", key, near);
  return luaL_error(L, "a run has no '%s'", key);
}

static int run_collect(lua_State *L) {
  run_view *v = luaL_checkudata(L, 1, RUN_VIEW);
  exec_locator_destroy(&v->locator);
  return 0;
}

/* ---- hooks ------------------------------------------------------------------------------------------------------------------------- */

enum { ON_STEP, ON_OUTPUT, ON_END, N_HOOKS };
static const char *const HOOK[N_HOOKS] = {"on_step", "on_output", "on_end"};

struct lua_hooks {
  lua_host *host;
  int function[N_HOOKS]; /* references, LUA_NOREF: the case has none */
  int object;            /* the run object shared by the hooks */
  int result;            /* reference of the copy, LUA_NOREF: none is wanted */
};

lua_hooks *run_object_hooks(lua_State *L, int index, ew_case *c, bool keep_result) {
  reader r = {.L = L, .c = c};
  index = lua_absindex(L, index);
  lua_hooks *h = reader_alloc(&r, sizeof *h);
  h->host = host_of(L);
  for (int i = 0; i < N_HOOKS; i++) {
    h->function[i] = LUA_NOREF;
    if (read_push(&r, index, HOOK[i])) h->function[i] = luaL_ref(L, LUA_REGISTRYINDEX);
    else lua_pop(L, 1);
  }
  view_push(L, c);
  h->object = luaL_ref(L, LUA_REGISTRYINDEX);
  h->result = LUA_NOREF;
  if (keep_result) {
    view_push(L, c);
    h->result = luaL_ref(L, LUA_REGISTRYINDEX);
  }
  return h;
}

/* The run object is alive only while the hook runs. */
static ew_status call_hook(lua_hooks *h, int which, exec_run *run, int number, ew_error *err) {
  lua_State *L = h->host->L;
  if (!lua_checkstack(L, 16)) return ew_fail(err, EW_FAIL, "Lua's stack is full");
  lua_rawgeti(L, LUA_REGISTRYINDEX, h->function[which]);
  lua_rawgeti(L, LUA_REGISTRYINDEX, h->object);
  run_view *v = lua_touserdata(L, -1);
  v->stop = false; /* a run that a hook stopped may go on */
  ew_status status = view_attach(v, run, err);
  lua_pushinteger(L, number);
  if (status == EW_OK) status = host_call(h->host, 2, 0, err);
  v->run = NULL;
  if (status == EW_OK && v->stop)
    return ew_fail(err, EW_STOPPED, "%s stopped the run at t = %.6g", HOOK[which], v->t);
  if (status != EW_OK && status != EW_STOPPED) ew_context(err, "in %s at t = %.6g", HOOK[which], v->t);
  return status;
}

static ew_status on_step(void *context, exec_run *run, ew_error *err) {
  return call_hook(context, ON_STEP, run, 0, err);
}

static ew_status on_output(void *context, exec_run *run, int number, ew_error *err) {
  return call_hook(context, ON_OUTPUT, run, number, err);
}

/* Arguments: the copy's object, the run. */
static int copy_state(lua_State *L) {
  exec_run *run = lua_touserdata(L, 2);
  lua_settop(L, 1);
  view_copy(L, 1, run);
  return 0;
}

static ew_status on_end(void *context, exec_run *run, ew_error *err) {
  lua_hooks *h = context;
  lua_State *L = h->host->L;
  ew_status status = EW_OK;
  if (h->function[ON_END] != LUA_NOREF) status = call_hook(h, ON_END, run, 0, err);
  if (status != EW_OK || h->result == LUA_NOREF) return status;
  lua_pushcfunction(L, copy_state);
  lua_rawgeti(L, LUA_REGISTRYINDEX, h->result);
  lua_pushlightuserdata(L, run);
  return host_call(h->host, 2, 0, err);
}

exec_hooks run_object_exec_hooks(lua_hooks *h) {
  exec_hooks hooks = {.context = h};
  if (h->function[ON_STEP] != LUA_NOREF) hooks.on_step = on_step;
  if (h->function[ON_OUTPUT] != LUA_NOREF) hooks.on_output = on_output;
  if (h->function[ON_END] != LUA_NOREF || h->result != LUA_NOREF) hooks.on_end = on_end;
  return hooks;
}

void run_object_push_result(lua_State *L, const lua_hooks *h, const exec_summary *summary) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, h->result);
  run_view *v = lua_touserdata(L, -1);
  if (!v || !v->copied) {
    lua_pop(L, 1);
    lua_pushnil(L);
    return;
  }
  v->seconds = summary->seconds;
}

void run_object_release(lua_State *L, lua_hooks *h) {
  for (int i = 0; i < N_HOOKS; i++) luaL_unref(L, LUA_REGISTRYINDEX, h->function[i]);
  luaL_unref(L, LUA_REGISTRYINDEX, h->object);
  luaL_unref(L, LUA_REGISTRYINDEX, h->result);
}

void run_object_open(lua_State *L) {
  luaL_newmetatable(L, RUN_VIEW);
  lua_newtable(L);
  luaL_setfuncs(L, METHOD, 0);
  lua_pushcclosure(L, run_index, 1);
  lua_setfield(L, -2, "__index");
  lua_pushcfunction(L, run_collect);
  lua_setfield(L, -2, "__gc");
  lua_pushliteral(L, "locked");
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 1);
}
