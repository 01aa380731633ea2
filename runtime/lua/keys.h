/* Which entries a table may have: nobody would see that the others are not read. Internal to runtime/lua. */
#ifndef EW_LUA_KEYS_H
#define EW_LUA_KEYS_H

#include <lua.h>

#include "lua/problems.h"
#include "lua/schema.h"

/* Reports the entries of the table at `index` that have no place in a table of this kind, takes them away, and reports holes of lists.
 * Tables in it are looked into: they are of the kind `inside`, those below them lists; what constructors marked is left to its readers.
 * False if there was anything to report. */
bool keys_check(lua_State *L, int index, keys_kind kind, keys_kind inside, const site *at, problem_list *p);

/* How many entries the list at `index` has; -1 if there are any but 1, 2, ... without a hole. */
int keys_list(lua_State *L, int index);

/* "x = 2" of an entry that no list has, pushed; NULL, and nothing pushed, if there is none. */
const char *keys_stray(lua_State *L, int index);

#endif
