#include "lua/reader.h"

#include <string.h>

#include "lua/host.h"

/* ---- the case's memory -------------------------------------------------------------------------------------------------- */

static void *need(reader *r, void *memory, const ew_error *err) {
  if (!memory) host_raise_error(r->L, err);
  return memory;
}

void *reader_alloc(reader *r, size_t size) {
  ew_error err = {0};
  void *memory = case_alloc(r->c, size, &err);
  return need(r, memory, &err);
}

void *reader_append(reader *r, void *array, int *n, size_t size) {
  ew_error err = {0};
  void *entry = case_append(r->c, array, n, size, &err);
  return need(r, entry, &err);
}

static const char *own(reader *r, const char *text) {
  ew_error err = {0};
  const char *copy = case_text(r->c, text, &err);
  if (text && !copy) host_raise_error(r->L, &err);
  return copy;
}

const char *reader_text(reader *r, int index) { return own(r, lua_tostring(r->L, index)); }

case_where reader_where(reader *r, const site *at) {
  return (case_where){.file = own(r, at->file), .line = site_line(r->L, at)};
}

/* ---- fields ----------------------------------------------------------------------------------------------------------------- */

bool read_push(reader *r, int index, const char *key) {
  index = lua_absindex(r->L, index);
  lua_pushstring(r->L, key);
  return lua_rawget(r->L, index) != LUA_TNIL;
}

void read_number(reader *r, int index, const char *key, double *to) {
  if (read_push(r, index, key)) *to = lua_tonumber(r->L, -1);
  lua_pop(r->L, 1);
}

void read_int(reader *r, int index, const char *key, int *to) {
  if (read_push(r, index, key)) {
    double x = lua_tonumber(r->L, -1);
    *to = x < 2147483647.0 ? (int)x : 2147483647;
  }
  lua_pop(r->L, 1);
}

void read_flag(reader *r, int index, const char *key, bool *to) {
  if (read_push(r, index, key)) *to = lua_toboolean(r->L, -1);
  lua_pop(r->L, 1);
}

void read_text(reader *r, int index, const char *key, const char **to) {
  if (read_push(r, index, key)) *to = reader_text(r, -1);
  lua_pop(r->L, 1);
}

static double item(lua_State *L, int list, int i) {
  lua_rawgeti(L, list, i);
  double x = lua_tonumber(L, -1);
  lua_pop(L, 1);
  return x;
}

void read_pair(reader *r, int index, const char *key, double *a, double *b) {
  if (read_push(r, index, key)) {
    int list = lua_gettop(r->L);
    *a = item(r->L, list, 1);
    *b = item(r->L, list, 2);
  }
  lua_pop(r->L, 1);
}

void read_names(reader *r, int index, const char *key, const char ***to, int *n) {
  if (read_push(r, index, key)) {
    int list = lua_gettop(r->L), count = lua_istable(r->L, list) ? (int)lua_rawlen(r->L, list) : 0;
    if (!count) *(const char **)reader_append(r, to, n, sizeof **to) = reader_text(r, list);
    for (int i = 1; i <= count; i++) {
      lua_rawgeti(r->L, list, i);
      const char *text = reader_text(r, -1);
      *(const char **)reader_append(r, to, n, sizeof **to) = text;
      lua_pop(r->L, 1);
    }
  }
  lua_pop(r->L, 1);
}

void read_numbers(reader *r, int index, const char *key, const double **to, int *n) {
  if (read_push(r, index, key)) {
    int list = lua_gettop(r->L);
    *n = (int)lua_rawlen(r->L, list);
    double *x = reader_alloc(r, (size_t)*n * sizeof *x);
    for (int i = 0; i < *n; i++) x[i] = item(r->L, list, i + 1);
    *to = x;
  }
  lua_pop(r->L, 1);
}

/* ---- tables with free keys ---------------------------------------------------------------------------------------------------- */

/* Lua's order of keys differs from run to run; sorted, messages and hashes do not. */
static int push_sorted_keys(lua_State *L, int index) {
  int n = 0;
  lua_newtable(L);
  int list = lua_gettop(L);
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING) continue;
    int at = ++n;
    for (; at > 1; at--) { /* insertion sort: these tables are small */
      lua_rawgeti(L, list, at - 1);
      bool before = strcmp(lua_tostring(L, -1), lua_tostring(L, -3)) <= 0;
      if (before) {
        lua_pop(L, 1);
        break;
      }
      lua_rawseti(L, list, at);
    }
    lua_pushvalue(L, -2);
    lua_rawseti(L, list, at);
  }
  return n;
}

void reader_each(reader *r, int index, const site *at, reader_visit *visit, void *context) {
  lua_State *L = r->L;
  luaL_checkstack(L, 16, NULL);
  index = lua_absindex(L, index);
  int n = push_sorted_keys(L, index), list = lua_gettop(L);
  for (int i = 1; i <= n; i++) {
    lua_rawgeti(L, list, i);
    const char *key = lua_tostring(L, -1);
    lua_pushvalue(L, -1);
    lua_rawget(L, index);
    site here = site_key(at, key);
    visit(r, key, &here, context);
    lua_pop(L, 2);
  }
  lua_pop(L, 1);
}

void read_groups(reader *r, int index, const char *key, const site *at, reader_group *read) {
  lua_State *L = r->L;
  site here = site_key(at, key);
  if (read_push(r, index, key)) {
    int group = lua_gettop(L), n = (int)lua_rawlen(L, group);
    if (n == 0 && !host_is_empty(L, group)) read(r, group, &here);
    for (int i = 1; i <= n; i++) {
      site item = site_item(&here, i);
      if (lua_rawgeti(L, group, i) == LUA_TTABLE) read(r, lua_gettop(L), &item);
      lua_pop(L, 1);
    }
  }
  lua_pop(L, 1);
}
