/* A raster is a value of a case, and a function of place for what a case computes of it: max(0, level - bed(x, y)). */
#include "lua/raster_call.h"

#include <stdio.h>

#include "lua/host.h"
#include "mesh/raster.h"

static const char OPEN_RASTER[] = "edgewise.raster";
static const char WHO[] = "a raster, called as bed(x, y)";

static int close_raster(lua_State *L) {
  raster **r = lua_touserdata(L, 1);
  raster_destroy(r);
  return 0;
}

/* The file of the raster at index 1, read when it is first asked for, and kept beside its mark. */
static raster *opened(lua_State *L) {
  lua_getmetatable(L, 1);
  if (lua_getfield(L, -1, OPEN_RASTER) == LUA_TUSERDATA) return *(raster **)lua_touserdata(L, -1);
  lua_rawgeti(L, 1, 1);
  const char *name = lua_tostring(L, -1), *folder = host_case_folder(host_of(L));
  bool as_it_is = *name == '/' || !*folder;
  const char *path = as_it_is ? name : lua_pushfstring(L, "%s/%s", folder, name);
  raster **r = lua_newuserdatauv(L, sizeof(raster *), 0);
  *r = NULL;
  lua_newtable(L);
  lua_pushcfunction(L, close_raster);
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, -2);
  ew_error err = {0};
  if (raster_read(path, r, &err) != EW_OK) host_raise_error(L, &err);
  lua_getmetatable(L, 1);
  lua_pushvalue(L, -2);
  lua_setfield(L, -2, OPEN_RASTER);
  return *r;
}

/* What is taken where there is no data: the third argument, or the raster's own `fill`; false: nothing. */
static bool find_fill(lua_State *L, double *number, bool *nearest) {
  *nearest = false;
  if (!lua_isnoneornil(L, 4)) {
    *number = host_number(L, 4, WHO, "the third argument");
    return true;
  }
  lua_pushliteral(L, "fill");
  const int type = lua_rawget(L, 1);
  *number = lua_tonumber(L, -1);
  *nearest = type == LUA_TSTRING; /* the constructor has looked at it */
  lua_pop(L, 1);
  return type != LUA_TNIL;
}

static int no_data(lua_State *L, const raster *r, raster_hit hit, double x, double y) {
  char text[192], covers[160] = "";
  raster_bounds b = raster_get_bounds(r);
  if (hit == RASTER_OUTSIDE)
    snprintf(covers, sizeof covers, "covers x from %.10g to %.10g and y from %.10g to %.10g, not", b.x0, b.x1,
             b.y0, b.y1);
  snprintf(text, sizeof text, "%s (%.10g, %.10g)", *covers ? covers : "has no data at", x, y);
  lua_rawgeti(L, 1, 1);
  return luaL_error(L, "the raster \"%s\" %s; a third argument says what to take there: bed(x, y, 0)",
                    lua_tostring(L, -1), text);
}

/* bed(x, y), or bed(x, y, fill) for the value where the file has none. */
static int call_raster(lua_State *L) {
  double x = host_number(L, 2, WHO, "x"), y = host_number(L, 3, WHO, "y"), value = 0, number;
  bool nearest, fills = find_fill(L, &number, &nearest);
  const raster *r = opened(L);
  if (!fills || !raster_sample_filled(r, x, y, nearest ? NULL : &number, &value)) {
    raster_hit hit = raster_sample(r, x, y, &value);
    if (hit != RASTER_OK) return no_data(L, r, hit, x, y);
  }
  lua_pushnumber(L, value);
  return 1;
}

void raster_make_callable(lua_State *L, int index) {
  lua_getmetatable(L, index);
  lua_pushcfunction(L, call_raster);
  lua_setfield(L, -2, "__call");
  lua_pop(L, 1);
}
