/* edgewise.linear: matrices, Matrix Market files and linear systems in scripts. Internal to runtime/lua. */
#ifndef EW_LUA_LINEAR_H
#define EW_LUA_LINEAR_H

#include <stdio.h>

#include <lua.h>

/* The global `edgewise`. */
void linear_open(lua_State *L);

/* Its annotations for the Lua language server. */
void linear_annotations(FILE *out);

#endif
