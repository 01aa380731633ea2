#include "lua/constructors.h"

#include <stdlib.h>
#include <string.h>

#include "lua/host.h"
#include "lua/raster_call.h"

const constructor CONSTRUCTOR[N_CONSTRUCTORS] = {
    {"case", &SCHEMA_CASE, NULL, NULL},
    {"mesh.rectangle", &SCHEMA_RECTANGLE, NULL, NULL},
    {"mesh.box", &SCHEMA_BOX, NULL, NULL},
    {"mesh.gmsh", &SCHEMA_GMSH, NULL, NULL},
    {"mesh.grid", &SCHEMA_GRID, NULL, NULL},
    {"raster", NULL, "string|table",
     "A value from an ESRI ASCII grid (.asc, also .gz) or a GeoTIFF, bilinear between its centres; { file, "
     "fill = number or "
     "\"nearest\" } says what to take where it has no data."},
    {"series", NULL, "string|table",
     "A value over time: { {t, value}, ... }, linear between the times, constant outside; or of a CSV file: "
     "\"flow.csv\", "
     "{ file = \"flow.csv\", column = \"Q\", scale = 1 }."},
    {"level", NULL, "number|function|EdgewiseRaster",
     "The depth of water that stands at this level over the bed: max(0, level - z)."},
    {"by_region", NULL, "table<string, number>",
     "Numbers by the groups of the mesh file's cells: { river = 0.03, otherwise = 0.05 }."},
    {"by_polygon", NULL, "table",
     "Numbers by polygons: { { 0.03, {x, y}, {x, y}, ... }, otherwise = 0.05 }."},
    {"mesh_data", NULL, "string|table",
     "Values of the mesh file by name ($NodeData, $ElementData); { \"depth\", fill = number, step = number "
     "}: what to "
     "take where "
     "there is none, and which step of several."},
    {"arguments", NULL, "table<string, number|string|boolean>",
     "Declares the case's arguments with their defaults; `-D name=value` overrides them."},
};

/* ---- marked tables --------------------------------------------------------------------------------------------------------- */

/* Upvalue: the constructor's name. Strays from `case { ... }` to `case(5)` are errors at once: nothing can be read. */
static int construct(lua_State *L) {
  const char *name = lua_tostring(L, lua_upvalueindex(1));
  if (!lua_istable(L, 1))
    return luaL_error(L, "%s takes a table: %s { ... }, found %s", name, name, host_describe(L, 1));
  lua_settop(L, 1);
  schema_mark(L, 1, name);
  return 1;
}

/* What `raster` was called with as a table: its file at 1, and `fill`. */
static void check_raster(lua_State *L) {
  for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
    bool file = lua_type(L, -2) == LUA_TNUMBER && lua_tonumber(L, -2) == 1;
    bool fill = lua_type(L, -2) == LUA_TSTRING && strcmp(lua_tostring(L, -2), "fill") == 0;
    bool nearest = lua_type(L, -1) == LUA_TSTRING && strcmp(lua_tostring(L, -1), "nearest") == 0;
    if (!file && !(fill && (nearest || lua_type(L, -1) == LUA_TNUMBER)))
      luaL_error(
          L, "raster { \"file\", fill = ... } takes a number or \"nearest\" for `fill`, and nothing else");
  }
}

/* A text alone, or a table with one in front: the first is made the second. */
static bool wrap_name(lua_State *L) {
  lua_settop(L, 1);
  if (lua_type(L, 1) == LUA_TSTRING) {
    lua_newtable(L);
    lua_pushvalue(L, 1);
    lua_rawseti(L, -2, 1);
    lua_replace(L, 1);
  }
  bool named = lua_istable(L, 1) && lua_rawgeti(L, 1, 1) == LUA_TSTRING;
  lua_settop(L, 1);
  return named;
}

static int construct_raster(lua_State *L) {
  if (!wrap_name(L))
    return luaL_error(
        L,
        "raster takes a file name: raster \"terrain.asc\" or raster { \"terrain.asc\", fill = 0 }, found %s",
        host_describe(L, 1));
  check_raster(L);
  schema_mark(L, 1, "raster");
  raster_make_callable(L, 1);
  return 1;
}

/* mesh_data "depth", or mesh_data { "depth", fill = 0, step = 2 }. */
static void check_mesh_data(lua_State *L) {
  for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
    const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
    bool name = lua_type(L, -2) == LUA_TNUMBER && lua_tonumber(L, -2) == 1;
    bool fill = strcmp(key, "fill") == 0 && lua_type(L, -1) == LUA_TNUMBER;
    bool step =
        strcmp(key, "step") == 0 && lua_isinteger(L, -1) && (int)lua_tointeger(L, -1) == lua_tointeger(L, -1);
    if (!name && !fill && !step)
      luaL_error(
          L, "mesh_data { \"name\", fill = ..., step = ... } takes a number for `fill`, a whole number for "
             "`step`, and nothing else");
  }
}

static int construct_mesh_data(lua_State *L) {
  if (!wrap_name(L))
    return luaL_error(
        L, "mesh_data takes a name: mesh_data \"depth\" or mesh_data { \"depth\", fill = 0 }, found %s",
        host_describe(L, 1));
  check_mesh_data(L);
  schema_mark(L, 1, "mesh_data");
  return 1;
}

/* series "flow.csv" is series { file = "flow.csv" }. */
static int construct_series(lua_State *L) {
  lua_settop(L, 1);
  if (lua_type(L, 1) == LUA_TSTRING) {
    lua_newtable(L);
    lua_pushvalue(L, 1);
    lua_setfield(L, -2, "file");
    lua_replace(L, 1);
  }
  if (!lua_istable(L, 1))
    return luaL_error(
        L, "series takes a table: series { {t, value}, ... }, or a file: series \"flow.csv\"; found %s",
        host_describe(L, 1));
  schema_mark(L, 1, "series");
  return 1;
}

/* level(eta), level(eta, "z"): a table with both. */
static int construct_level(lua_State *L) {
  if (lua_isnone(L, 1))
    return luaL_error(L, "level takes the height of the water: level(1.5), found nothing");
  const char *bed = lua_isnoneornil(L, 2) ? "z" : host_word(L, 2, "level", "the name of the bed");
  lua_newtable(L);
  lua_pushvalue(L, 1);
  lua_rawseti(L, -2, 1);
  lua_pushstring(L, bed);
  lua_rawseti(L, -2, 2);
  schema_mark(L, lua_gettop(L), "level");
  return 1;
}

/* ---- arguments -------------------------------------------------------------------------------------------------------------- */

/* The list of declared names, for messages; pushes the text. */
static const char *declared_names(lua_State *L, int index) {
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  lua_newtable(L);
  int n = 0, list = lua_gettop(L);
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    lua_pushvalue(L, -2);
    lua_rawseti(L, list, ++n);
  }
  lua_getglobal(L, "table");
  lua_getfield(L, -1, "sort");
  lua_pushvalue(L, list);
  lua_call(L, 1, 0);
  lua_getfield(L, -1, "concat");
  lua_pushvalue(L, list);
  lua_pushliteral(L, ", ");
  lua_call(L, 2, 1);
  return lua_tostring(L, -1);
}

static void set_number(lua_State *L, const char *name, const char *value) {
  if (!lua_stringtonumber(L, value))
    host_raise(L, EW_USAGE, "-D %s=%s: '%s' is a number in the case, found \"%s\"", name, value, name, value);
  lua_setfield(L, 1, name);
}

static void set_flag(lua_State *L, const char *name, const char *value) {
  bool yes = strcmp(value, "true") == 0;
  if (!yes && strcmp(value, "false") != 0)
    host_raise(L, EW_USAGE, "-D %s=%s: '%s' is true or false in the case, found \"%s\"", name, value, name,
               value);
  lua_pushboolean(L, yes);
  lua_setfield(L, 1, name);
}

/* `define` is "name=value"; the default's type says how to read the value. */
static void apply_define(lua_State *L, const char *define) {
  const char *equals = strchr(define, '=');
  if (!equals || equals == define) host_raise(L, EW_USAGE, "-D needs name=value, found \"%s\"", define);
  const char *name = lua_pushlstring(L, define, (size_t)(equals - define)), *value = equals + 1;
  lua_pushvalue(L, -1);
  switch (lua_rawget(L, 1)) {
  case LUA_TNIL: {
    const char *near = host_nearest_key(L, 1, name);
    if (near)
      host_raise(L, EW_USAGE, "-D %s: the case declares no argument '%s'; did you mean '%s'?", define, name,
                 near);
    host_raise(L, EW_USAGE, "-D %s: the case declares no argument '%s'; it has: %s", define, name,
               declared_names(L, 1));
    break;
  }
  case LUA_TNUMBER: set_number(L, name, value); break;
  case LUA_TBOOLEAN: set_flag(L, name, value); break;
  default:
    lua_pushstring(L, value);
    lua_setfield(L, 1, name);
    break;
  }
  lua_settop(L, 1);
}

static void check_default(lua_State *L) {
  int type = lua_type(L, -1);
  if (lua_type(L, -2) != LUA_TSTRING) luaL_error(L, "arguments need names: arguments { n = 100 }");
  if (type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TBOOLEAN) return;
  const char *name = lua_tostring(L, -2);
  luaL_error(L, "argument '%s' must have a number, a string, true or false as its default, found %s", name,
             host_describe(L, -1));
}

static int construct_arguments(lua_State *L) {
  lua_host *h = host_of(L);
  if (!lua_istable(L, 1))
    return luaL_error(L, "arguments takes a table: arguments { n = 100 }, found %s", host_describe(L, 1));
  if (h->declared) return luaL_error(L, "arguments is called once, with all of them");
  h->declared = true;
  lua_settop(L, 1);
  for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) check_default(L);
  for (int i = 0; i < h->options.n_defines; i++) apply_define(L, h->options.define[i]);
  host_make_strict(L, 1, "arguments");
  return 1;
}

/* ---- the globals -------------------------------------------------------------------------------------------------------------- */

static void push_constructor(lua_State *L, const constructor *c) {
  if (strcmp(c->name, "raster") == 0) {
    lua_pushcfunction(L, construct_raster);
  } else if (strcmp(c->name, "mesh_data") == 0) {
    lua_pushcfunction(L, construct_mesh_data);
  } else if (strcmp(c->name, "series") == 0) {
    lua_pushcfunction(L, construct_series);
  } else if (strcmp(c->name, "level") == 0) {
    lua_pushcfunction(L, construct_level);
  } else if (strcmp(c->name, "arguments") == 0) {
    lua_pushcfunction(L, construct_arguments);
  } else {
    lua_pushstring(L, c->name);
    lua_pushcclosure(L, construct, 1);
  }
}

void constructors_open(lua_State *L) {
  lua_newtable(L);
  for (int i = 0; i < N_CONSTRUCTORS; i++) {
    const char *dot = strchr(CONSTRUCTOR[i].name, '.');
    push_constructor(L, &CONSTRUCTOR[i]);
    if (dot) lua_setfield(L, -2, dot + 1);
    else lua_setglobal(L, CONSTRUCTOR[i].name);
  }
  host_make_strict(L, -1, "mesh");
  lua_setglobal(L, "mesh");
}
