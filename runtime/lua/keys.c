#include "lua/keys.h"

#include <stdio.h>

#include "lua/host.h"

/* ---- entries ----------------------------------------------------------------------------------------------------------- */

/* The key below the value on the top of the stack. */
static bool key_is_name(lua_State *L) { return lua_type(L, -2) == LUA_TSTRING; }
static bool key_is_number(lua_State *L) { return lua_isinteger(L, -2) && lua_tointeger(L, -2) >= 1; }

/* "x = 2", "[true] = 2" of the key and the value on the top of the stack, pushed. */
static const char *push_entry(lua_State *L) {
  const bool named = key_is_name(L);
  const char *value = host_describe(L, -1);
  const char *key = luaL_tolstring(L, -3, NULL);
  const char *text = lua_pushfstring(L, named ? "%s = %s" : "[%s] = %s", key, value);
  lua_replace(L, -3);
  lua_pop(L, 1);
  return text;
}

const char *keys_stray(lua_State *L, int index) {
  index = lua_absindex(L, index);
  luaL_checkstack(L, 8, NULL);
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    if (key_is_number(L)) continue;
    const char *text = push_entry(L);
    lua_replace(L, -3);
    lua_pop(L, 1);
    return text;
  }
  return NULL;
}

/* Raises nothing: functions' results are looked at outside of any protected call. */
int keys_list(lua_State *L, int index) {
  lua_Integer n = 0, most = 0;
  index = lua_absindex(L, index);
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    if (!key_is_number(L)) {
      lua_pop(L, 2);
      return -1;
    }
    n++;
    if (lua_tointeger(L, -2) > most) most = lua_tointeger(L, -2);
  }
  return n == most ? (int)n : -1;
}

/* ---- problems ---------------------------------------------------------------------------------------------------------- */

/* "output.times", "boundary[2][1]": the way from the constructor's call. */
static void print_path(const site *at, char *to, size_t room) {
  size_t used = (size_t)snprintf(to, room, "%s", at->depth > 0 || !at->function ? "" : at->function);
  for (int i = 0; i < at->depth && used < room; i++) {
    const scan_step *s = &at->step[i];
    if (s->name) used += (size_t)snprintf(to + used, room - used, "%s%s", i ? "." : "", s->name);
    else used += (size_t)snprintf(to + used, room - used, "[%d]", s->index);
  }
}

/* The key and the value are on the top of the stack. */
static void report_entry(lua_State *L, keys_kind kind, keys_kind inside, const site *at, problem_list *p) {
  static const char *const TAKES[] = {
      [KEYS_LIST] = "is a list: its entries have no names; found",
      [KEYS_NAMED] = "takes only entries with names (name = value); found",
      [KEYS_BOTH] = "takes entries with a name or a number; found",
  };
  char path[256], instead[160] = "";
  const char *name = key_is_name(L) ? lua_tostring(L, -2) : NULL;
  const bool number = key_is_number(L);
  const site here = name ? site_key(at, name) : site_item(at, number ? (int)lua_tointeger(L, -2) : 0);
  print_path(at, path, sizeof path);
  if (name && inside == KEYS_BOTH)
    snprintf(instead, sizeof instead, "; write { \"%s\", rule } instead of %s = rule", name, name);
  const char *found = number ? host_describe(L, -1) : push_entry(L);
  problems_add(p, at->file, site_line(L, &here), "%s %s %s%s%s", path, TAKES[kind], found,
               number ? " without one" : "", instead);
  lua_pop(L, 1);
}

static void report_hole(lua_State *L, int index, const site *at, problem_list *p) {
  char path[256];
  int hole = 1;
  for (; lua_rawgeti(L, index, hole) != LUA_TNIL; hole++) lua_pop(L, 1);
  lua_pop(L, 1);
  print_path(at, path, sizeof path);
  problems_add(p, at->file, site_line(L, at), "%s is a list with a hole: entry %d is nil, and others follow",
               path, hole);
}

/* The key and the value, which has a place, are on the top of the stack. */
static bool check_inside(lua_State *L, keys_kind inside, const site *at, problem_list *p) {
  const bool named = key_is_name(L);
  if (!lua_istable(L, -1) || inside == KEYS_FREE || at->depth == SITE_MOST_STEPS) return true;
  if (schema_mark_of(L, -1, NULL)) return true;
  const site here = named ? site_key(at, lua_tostring(L, -2)) : site_item(at, (int)lua_tointeger(L, -2));
  return keys_check(L, -1, inside, KEYS_LIST, &here, p);
}

bool keys_check(lua_State *L, int index, keys_kind kind, keys_kind inside, const site *at, problem_list *p) {
  lua_Integer n = 0, most = 0;
  bool good = true;
  if (kind == KEYS_FREE) return true;
  index = lua_absindex(L, index);
  luaL_checkstack(L, 16, NULL);
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    const bool item = (kind & KEYS_LIST) && key_is_number(L);
    if (item) n++;
    if (item && lua_tointeger(L, -2) > most) most = lua_tointeger(L, -2);
    if (item || ((kind & KEYS_NAMED) && key_is_name(L))) {
      good = check_inside(L, inside, at, p) && good;
      continue;
    }
    report_entry(L, kind, inside, at, p);
    good = false;
    lua_pushvalue(L, -2);
    lua_pushnil(L);
    lua_rawset(L, index);
  }
  if (n == most) return good;
  report_hole(L, index, at, p);
  return false;
}
