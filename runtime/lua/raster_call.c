/* A raster is a value of a case, and a function of place for what a case computes of it: max(0, level - bed(x, y)). */
#include "lua/raster_call.h"

#include <stdio.h>

#include "lua/host.h"
#include "mesh/raster.h"

static const char OPEN_RASTER[] = "edgewise.raster";

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

/* bed(x, y), or bed(x, y, fill) for the value where the file has none. */
static int call_raster(lua_State *L) {
  double x = luaL_checknumber(L, 2), y = luaL_checknumber(L, 3), value = 0;
  bool fills = !lua_isnoneornil(L, 4);
  double fill = fills ? luaL_checknumber(L, 4) : 0;
  const raster *r = opened(L);
  raster_hit hit = raster_sample(r, x, y, &value);
  if (hit != RASTER_OK && !fills) {
    char text[160] = "has no data at";
    raster_bounds b = raster_get_bounds(r);
    if (hit != RASTER_HOLE)
      snprintf(text, sizeof text, "covers x from %.6g to %.6g and y from %.6g to %.6g, not", b.x0, b.x1, b.y0,
               b.y1);
    lua_rawgeti(L, 1, 1);
    return luaL_error(L,
                      "the raster \"%s\" %s (%f, %f); a third argument says what to take there: "
                      "bed(x, y, 0)",
                      lua_tostring(L, -1), text, x, y);
  }
  lua_pushnumber(L, hit == RASTER_OK ? value : fill);
  return 1;
}

void raster_make_callable(lua_State *L, int index) {
  lua_getmetatable(L, index);
  lua_pushcfunction(L, call_raster);
  lua_setfield(L, -2, "__call");
  lua_pop(L, 1);
}
