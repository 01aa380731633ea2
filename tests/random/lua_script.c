/* lua_script SCRIPT.lua: runs it with all of Lua's libraries; cases may read files only, and generators write them. */
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdio.h>

int main(int argc, char **argv) {
  lua_State *L = argc == 2 ? luaL_newstate() : NULL;
  if (!L) return fprintf(stderr, "usage: lua_script SCRIPT.lua\n"), 2;
  luaL_openlibs(L);
  const int failed = luaL_dofile(L, argv[1]);
  if (failed) fprintf(stderr, "lua_script: %s\n", lua_tostring(L, -1));
  lua_close(L);
  return failed;
}
