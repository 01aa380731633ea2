/* Texts in Lua files that are written. */
#ifndef EW_LUA_QUOTE_H
#define EW_LUA_QUOTE_H

#include <stdio.h>

/* The text as a string of Lua, quotes included: what it holds stays inside, be it quotes, backslashes or the ends of lines. */
void lua_quote(FILE *out, const char *text);

#endif
