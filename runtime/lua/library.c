#include "lua/library.h"

#include <errno.h>
#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lua/host.h"

/* Larger texts are no scripts. Pipes are read as files are, since shells make them; what never ends is not. */
enum { MOST_BYTES = 64 << 20 };

/* A file that Lua closes, whatever happens between. */
static luaL_Stream *push_stream(lua_State *L, const char *path) {
  luaL_Stream *s = lua_newuserdatauv(L, sizeof *s, 0);
  s->closef = NULL;
  luaL_setmetatable(L, LUA_FILEHANDLE);
  s->f = fopen(path, "rb");
  return s;
}

static int close_stream(lua_State *L) {
  luaL_Stream *s = luaL_checkudata(L, 1, LUA_FILEHANDLE);
  return luaL_fileresult(L, fclose(s->f) == 0, NULL);
}

void library_read_file(lua_State *L, const char *path) {
  luaL_Stream *s = push_stream(L, path);
  if (!s->f) host_raise(L, EW_IO, "cannot read '%s': %s", path, strerror(errno));
  s->closef = close_stream;
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  size_t n, all = 0;
  do {
    char *room = luaL_prepbuffer(&b);
    n = fread(room, 1, LUAL_BUFFERSIZE, s->f);
    luaL_addsize(&b, n);
    all += n;
  } while (n > 0 && all <= MOST_BYTES);
  if (all > MOST_BYTES)
    host_raise(L, EW_INPUT,
               "%s: more than %d MiB are no script; series, rasters and meshes may be in files of their own",
               path, MOST_BYTES >> 20);
  bool failed = ferror(s->f) != 0;
  int why = errno;
  luaL_pushresult(&b);
  if (failed) host_raise(L, EW_IO, "cannot read '%s': %s", path, strerror(why));
  lua_remove(L, -2);
}

/* ---- replacements ------------------------------------------------------------------------------------------------------- */

static int print(lua_State *L) {
  FILE *out = host_of(L)->options.print;
  int n = lua_gettop(L);
  for (int i = 1; i <= n && out; i++) {
    size_t size;
    const char *text = luaL_tolstring(L, i, &size);
    if (i > 1) fputc('\t', out);
    fwrite(text, 1, size, out);
    lua_pop(L, 1);
  }
  if (out) fputc('\n', out);
  if (out) fflush(out); /* in order with what goes to stderr, also when both go to one file */
  return 0;
}

/* load with mode "t", whatever was asked for. Upvalue: the original. */
static int load_text(lua_State *L) {
  lua_settop(L, 4);
  bool own_globals = !lua_isnil(L, 4);
  if (!own_globals) lua_settop(L, 3);
  lua_pushliteral(L, "t");
  lua_replace(L, 3);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, own_globals ? 4 : 3, LUA_MULTRET);
  return lua_gettop(L);
}

/* io.open for reading only; relative names are taken from the case's folder. Upvalue: the original. */
static int open_to_read(lua_State *L) {
  const char *name = luaL_checkstring(L, 1), *mode = luaL_optstring(L, 2, "r");
  if (strcmp(mode, "r") != 0 && strcmp(mode, "rb") != 0)
    return luaL_error(L, "a case may only read files: io.open(name, \"r\"), found mode \"%s\"", mode);
  lua_settop(L, 2); /* the mode may have been left out */
  lua_pushvalue(L, lua_upvalueindex(1));
  if (name[0] == '/') lua_pushstring(L, name);
  else lua_pushfstring(L, "%s/%s", host_of(L)->folder, name);
  lua_pushstring(L, mode);
  lua_call(L, 2, LUA_MULTRET);
  return lua_gettop(L) - 2;
}

static int lines_of_file(lua_State *L) {
  const char *name = luaL_checkstring(L, 1);
  if (name[0] != '/') {
    lua_pushfstring(L, "%s/%s", host_of(L)->folder, name);
    lua_replace(L, 1);
  }
  int n = lua_gettop(L);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, n, LUA_MULTRET);
  return lua_gettop(L);
}

/* "physics.waves" -> FOLDER/physics/waves.lua, loaded once. */
static int require(lua_State *L) {
  const char *name = luaL_checkstring(L, 1);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, "edgewise.modules");
  if (lua_getfield(L, -1, name) != LUA_TNIL) return 1;
  const char *file = luaL_gsub(L, name, ".", "/");
  const char *path = lua_pushfstring(L, "%s/%s.lua", host_of(L)->folder, file);
  if (access(path, R_OK) != 0)
    return luaL_error(L, "module '%s' not found: there is no %s (require looks in the case's folder)", name,
                      path);
  library_load(L, path);
  lua_pushstring(L, name);
  lua_call(L, 1, 1);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    lua_pushboolean(L, 1);
  }
  lua_pushvalue(L, -1);
  lua_setfield(L, 2, name);
  return 1;
}

/* ---- the set ------------------------------------------------------------------------------------------------------------- */

/* Replaces `field` of the table on the top by a C function that has the original as its upvalue. */
static void wrap(lua_State *L, const char *field, lua_CFunction function) {
  lua_getfield(L, -1, field);
  lua_pushcclosure(L, function, 1);
  lua_setfield(L, -2, field);
}

/* A library reduced to the named functions, as a global that is strict about its keys. */
static void open_part(lua_State *L, const char *name, lua_CFunction open, const char *const *keep) {
  luaL_requiref(L, name, open, 0);
  lua_newtable(L);
  for (; *keep; keep++) {
    lua_getfield(L, -2, *keep);
    lua_setfield(L, -2, *keep);
  }
  lua_remove(L, -2);
  host_make_strict(L, -1, name);
}

static void open_whole(lua_State *L, const char *name, lua_CFunction open) {
  luaL_requiref(L, name, open, 1);
  host_make_strict(L, -1, name);
  lua_pop(L, 1);
}

static void open_base(lua_State *L) {
  luaL_requiref(L, LUA_GNAME, luaopen_base, 1);
  lua_pushnil(L);
  lua_setfield(L, -2, "dofile");
  lua_pushnil(L);
  lua_setfield(L, -2, "loadfile");
  wrap(L, "load", load_text);
  lua_pushcfunction(L, print);
  lua_setfield(L, -2, "print");
  lua_pushcfunction(L, require);
  lua_setfield(L, -2, "require");
  lua_pop(L, 1);
}

void library_open(lua_State *L) {
  static const char *const OS[] = {"clock", "date", "time", "getenv", NULL}, *const IO[] = {"open", "lines",
                                                                                            "type", NULL};
  open_base(L);
  open_whole(L, LUA_STRLIBNAME, luaopen_string);
  open_whole(L, LUA_TABLIBNAME, luaopen_table);
  open_whole(L, LUA_MATHLIBNAME, luaopen_math);
  open_whole(L, LUA_UTF8LIBNAME, luaopen_utf8);
  open_part(L, LUA_OSLIBNAME, luaopen_os, OS);
  lua_setglobal(L, LUA_OSLIBNAME);
  open_part(L, LUA_IOLIBNAME, luaopen_io, IO);
  wrap(L, "open", open_to_read);
  wrap(L, "lines", lines_of_file);
  lua_setglobal(L, LUA_IOLIBNAME);
}
