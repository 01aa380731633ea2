#ifndef EW_LUA_RASTER_CALL_H
#define EW_LUA_RASTER_CALL_H

#include <lua.h>

/* The table at the index, marked as a raster, may be called: with x, y, and a number for where it has no data. */
void raster_make_callable(lua_State *L, int index);

#endif
