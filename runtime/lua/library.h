/* The standard libraries that a case may use: base, string, table, math, utf8, reading files, the clock.
 * Nothing that runs programs, writes files or loads binary chunks. Internal to runtime/lua. */
#ifndef EW_LUA_LIBRARY_H
#define EW_LUA_LIBRARY_H

#include <lua.h>

void library_open(lua_State *L);

/* Pushes the file's bytes; raises EW_IO. */
void library_read_file(lua_State *L, const char *path);

/* Pushes the chunk of a Lua text file (defined in host.c, which keeps the texts). */
int library_load(lua_State *L, const char *path);

#endif
