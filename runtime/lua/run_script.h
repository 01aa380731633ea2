/* run(case { ... }): scripts that run cases themselves. Internal to runtime/lua. */
#ifndef EW_LUA_RUN_SCRIPT_H
#define EW_LUA_RUN_SCRIPT_H

#include <lua.h>

void run_script_open(lua_State *L);

#endif
