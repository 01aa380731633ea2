#include "lua/host.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "formats/checkpoint_format.h"
#include "lua/constructors.h"
#include "lua/library.h"
#include "lua/linear.h"
#include "lua/run_object.h"
#include "lua/run_script.h"
#include "options.h"

enum { MOST_KEYS = 256, STOP_PERIOD = 100000, TRACEBACK_BYTES = 1500 };

static const char FAILURE[] = "edgewise.failure"; /* metatable of error objects that carry a status */
static const char TEXTS[] = "edgewise.texts";     /* registry: file name -> text */

lua_host *host_of(lua_State *L) { return *(lua_host **)lua_getextraspace(L); }

/* ---- errors -------------------------------------------------------------------------------------------------------------- */

int host_raise_error(lua_State *L, const ew_error *err) {
  return host_raise(L, err->status, "%s", err->text);
}

static int failure_text(lua_State *L) {
  lua_getfield(L, 1, "text");
  return 1;
}

int host_raise(lua_State *L, ew_status status, const char *fmt, ...) {
  char text[sizeof(((ew_error *)NULL)->text)];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  lua_newtable(L);
  lua_pushinteger(L, status);
  lua_setfield(L, -2, "status");
  lua_pushstring(L, text);
  lua_setfield(L, -2, "text");
  if (luaL_newmetatable(L, FAILURE)) {
    lua_pushcfunction(L, failure_text);
    lua_setfield(L, -2, "__tostring");
  }
  lua_setmetatable(L, -2);
  return lua_error(L);
}

static bool is_failure(lua_State *L, int index) {
  if (!lua_istable(L, index) || !lua_getmetatable(L, index)) return false;
  luaL_getmetatable(L, FAILURE);
  bool same = lua_rawequal(L, -1, -2);
  lua_pop(L, 2);
  return same;
}

/* A failure passes as it is: its text says where. Other errors get a traceback, without the frames of C. */
static int add_traceback(lua_State *L) {
  if (is_failure(L, 1)) return 1;
  const char *text = luaL_tolstring(L, 1, NULL);
  luaL_traceback(L, L, text, 1);
  return 1;
}

static void copy_traceback(const char *text, char *to, size_t room) {
  size_t used = 0;
  for (const char *line = text; *line && used + 1 < room;) {
    size_t n = strcspn(line, "\n");
    bool of_c = strncmp(line, "\t[C]: in ?", 10) == 0;
    size_t shown = used + n + 2 < room ? n : room - used > 2 ? room - used - 2 : 0; /* a long line is cut */
    if (!of_c && shown > 0) {
      if (used) to[used++] = '\n';
      memcpy(to + used, line, shown);
      used += shown;
    }
    line += n + (line[n] == '\n');
  }
  to[used] = '\0';
}

/* A script that catches a failure may change it before it throws it on: it stays a failure. */
static ew_status known_status(lua_Integer status) {
  bool known = (status > EW_OK && status <= EW_BUSY) || status == EW_INTERNAL;
  return known ? (ew_status)status : EW_INPUT;
}

static ew_status take_error(lua_State *L, ew_error *err) {
  ew_status status = EW_INPUT;
  if (is_failure(L, -1)) {
    lua_getfield(L, -1, "status");
    lua_getfield(L, -2, "text");
    const char *what = lua_tostring(L, -1);
    status = known_status(lua_tointeger(L, -2));
    ew_fail(err, status, "%s", what ? what : "error without a text");
    lua_pop(L, 3);
    return status;
  }
  char text[3500];
  const char *all = lua_tostring(L, -1);
  copy_traceback(all ? all : "error without a text", text, sizeof text);
  ew_fail(err, status, "%s", text);
  lua_pop(L, 1);
  return status;
}

bool host_enter(const lua_host *h, bool lua) {
  volatile sig_atomic_t *in_lua = h->options.in_lua;
  bool before = in_lua && *in_lua;
  if (in_lua) *in_lua = lua;
  return before;
}

ew_status host_call(lua_host *h, int n_arguments, int n_results, ew_error *err) {
  lua_State *L = h->L;
  int base = lua_gettop(L) - n_arguments;
  lua_pushcfunction(L, add_traceback);
  lua_insert(L, base);
  bool before = host_enter(h, true);
  int result = lua_pcall(L, n_arguments, n_results, base);
  host_enter(h, before);
  lua_remove(L, base);
  if (result == LUA_OK) return EW_OK;
  if (result == LUA_ERRMEM) {
    lua_pop(L, 1);
    return ew_fail(err, EW_FAIL, "out of memory in Lua");
  }
  return take_error(L, err);
}

const char *host_where(lua_State *L, int level, int *line) {
  lua_Debug call;
  *line = 0;
  if (!lua_getstack(L, level, &call)) return NULL;
  lua_getinfo(L, "Sl", &call);
  *line = call.currentline;
  if (call.source[0] != '@') return NULL;
  luaL_getsubtable(L, LUA_REGISTRYINDEX,
                   "edgewise.names"); /* keeps the text alive: the first of those that are equal */
  lua_pushstring(L, call.source + 1);
  lua_pushvalue(L, -1);
  if (lua_rawget(L, -3) == LUA_TNIL) {
    lua_pop(L, 1);
    lua_pushvalue(L, -1);
    lua_pushvalue(L, -1);
    lua_rawset(L, -4);
    lua_pushvalue(L, -1);
  }
  const char *file = lua_tostring(L, -1);
  lua_pop(L, 3);
  return file;
}

/* ---- words for messages ---------------------------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void host_sort(const char **name, int n) { qsort(name, (size_t)n, sizeof *name, by_name); }

/* The table's names in order; how many. */
static int sorted_keys(lua_State *L, int index, const char *key[MOST_KEYS]) {
  int n = 0;
  index = lua_absindex(L, index);
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1))
    if (lua_type(L, -2) == LUA_TSTRING && n < MOST_KEYS) key[n++] = lua_tostring(L, -2);
  host_sort(key, n);
  return n;
}

const char *host_nearest_key(lua_State *L, int index, const char *wrong) {
  const char *key[MOST_KEYS];
  return cli_nearest(wrong, key, sorted_keys(L, index, key));
}

/* "; there are box, gmsh, grid, rectangle" of a table with few names, "" of others. */
static void list_keys(lua_State *L, int index, char *text, size_t size) {
  enum { FEW = 8 };
  const char *key[MOST_KEYS];
  const int n = sorted_keys(L, index, key);
  size_t used = 0;
  *text = '\0';
  for (int i = 0; n <= FEW && i < n && used < size; i++)
    used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "; there are ", key[i]);
}

bool host_is_empty(lua_State *L, int index) {
  index = lua_absindex(L, index);
  lua_pushnil(L);
  bool some = lua_next(L, index);
  if (some) lua_pop(L, 2);
  return !some;
}

/* Short lists of numbers are shown as they are: "{1, 1}". */
static const char *describe_table(lua_State *L, int index) {
  enum { SHOWN = 4 };
  char text[128] = "{";
  size_t used = 1;
  int n = (int)lua_rawlen(L, index);
  for (int i = 1; i <= n && i <= SHOWN; i++) {
    bool number = lua_rawgeti(L, index, i) == LUA_TNUMBER;
    used += (size_t)snprintf(text + used, sizeof text - used, "%s%g", i > 1 ? ", " : "", lua_tonumber(L, -1));
    lua_pop(L, 1);
    if (!number) return lua_pushliteral(L, "a table");
  }
  if (n == 0) return lua_pushliteral(L, "a table");
  return lua_pushfstring(L, n > SHOWN ? "%s, ...}" : "%s}", text);
}

static void note_astray(host_shape *shape, const char *parameter, int at) {
  const bool named = parameter && strlen(parameter) == 1 && strchr("xyz", parameter[0]);
  if (!named || shape->astray || at > 2 || parameter[0] == "xyz"[at]) return;
  shape->astray = parameter[0];
  shape->gets = "xyz"[at];
}

bool host_read_shape(lua_State *L, host_shape *out) {
  lua_Debug info;
  lua_pushvalue(L, -1);
  lua_getinfo(L, ">u", &info);
  *out = (host_shape){.n = info.nparams, .time_at = -1};
  if (info.isvararg || info.nparams > HOST_MOST_PARAMETERS) return false;
  int coordinates = 0;
  for (int i = 0; i < out->n; i++) {
    const char *parameter = lua_getlocal(L, NULL, i + 1);
    bool time = parameter && (strcmp(parameter, "t") == 0 || strcmp(parameter, "time") == 0);
    if (time) {
      out->time_at = i;
      continue;
    }
    if (++coordinates == 3) out->third = !parameter || strcmp(parameter, "z") != 0;
    note_astray(out, parameter, coordinates - 1);
  }
  return coordinates <= 3;
}

const char *host_shape_text(const host_shape *shape, int axes, char text[HOST_SHAPE_TEXT]) {
  static const char *const list[] = {"x", "x, y", "x, y, z"};
  int coordinates = shape->n - (shape->time_at >= 0);
  if (shape->astray - 'x' >= coordinates) coordinates = shape->astray - 'x' + 1;
  if (coordinates > axes) coordinates = axes;
  snprintf(text, HOST_SHAPE_TEXT, "function(%s%s)", list[coordinates - 1], shape->time_at >= 0 ? ", t" : "");
  return text;
}

const char *host_describe(lua_State *L, int index) {
  index = lua_absindex(L, index);
  switch (lua_type(L, index)) {
  case LUA_TNONE:
  case LUA_TNIL: return lua_pushliteral(L, "nothing");
  case LUA_TSTRING: return lua_pushfstring(L, "the string \"%s\"", lua_tostring(L, index));
  case LUA_TBOOLEAN: return lua_pushstring(L, lua_toboolean(L, index) ? "true" : "false");
  case LUA_TNUMBER: {
    const char *text = luaL_tolstring(L, index, NULL);
    return text;
  }
  case LUA_TTABLE: return describe_table(L, index);
  default: return lua_pushfstring(L, "a %s", luaL_typename(L, index));
  }
}

static int wrong_argument(lua_State *L, int index, const char *function, const char *argument,
                          const char *expected) {
  return luaL_error(L, "%s: %s must be %s; found %s", function, argument, expected, host_describe(L, index));
}

double host_number(lua_State *L, int index, const char *function, const char *argument) {
  if (!lua_isnumber(L, index)) wrong_argument(L, index, function, argument, "a number");
  return lua_tonumber(L, index);
}

const char *host_word(lua_State *L, int index, const char *function, const char *argument) {
  if (!lua_isstring(L, index)) wrong_argument(L, index, function, argument, "a string");
  return lua_tostring(L, index);
}

static int strict_index(lua_State *L) {
  const char *owner = lua_tostring(L, lua_upvalueindex(1));
  if (lua_type(L, 2) != LUA_TSTRING) return 0;
  const char *wrong = lua_tostring(L, 2), *near = host_nearest_key(L, 1, wrong);
  char hint[200] = "";
  if (near) snprintf(hint, sizeof hint, "; did you mean '%s'?", near);
  else if (owner) list_keys(L, 1, hint, sizeof hint);
  if (owner) return luaL_error(L, "%s has no '%s'%s", owner, wrong, hint);
  return luaL_error(L, "there is no global '%s'%s", wrong, hint);
}

void host_make_strict(lua_State *L, int index, const char *name) {
  index = lua_absindex(L, index);
  lua_newtable(L);
  if (name) lua_pushstring(L, name);
  else lua_pushnil(L);
  lua_pushcclosure(L, strict_index, 1);
  lua_setfield(L, -2, "__index");
  lua_pushliteral(L, "locked");
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, index);
}

/* ---- life ------------------------------------------------------------------------------------------------------------------ */

static bool is_stopped(const lua_host *h) { return h->options.stop && *h->options.stop; }

static void watch_stop(lua_State *L, lua_Debug *unused) {
  (void)unused;
  lua_host *h = host_of(L);
  const bool stopped = is_stopped(h);
  if (!stopped && !h->ended) return;
  if (stopped && h->stop.status == EW_OK) ew_fail(&h->stop, EW_STOPPED, "stopped while Lua was running");
  /* from now on before every instruction: a loop around pcall must not catch it for good */
  lua_sethook(L, watch_stop, LUA_MASKCOUNT, 1);
  host_raise(L, EW_STOPPED, "%s", stopped ? h->stop.text : "the script has ended");
}

/* The first run that a stop met tells more than those behind it, which do not begin. */
void host_look_for_stop(lua_State *L, const ew_error *err) {
  lua_host *h = host_of(L);
  if (!is_stopped(h)) return;
  if (err && !h->run_stopped) h->run_stopped = true, h->stop = *err;
  watch_stop(L, NULL);
}

int host_end(lua_State *L) {
  host_of(L)->ended = true;
  watch_stop(L, NULL);
  return 0;
}

static int open_all(lua_State *L) {
  library_open(L);
  constructors_open(L);
  run_object_open(L);
  run_script_open(L);
  linear_open(L);
  lua_pushglobaltable(L);
  host_make_strict(L, -1, NULL);
  lua_pop(L, 1);
  return 0;
}

static char *folder_of(const char *path) {
  const char *slash = strrchr(path, '/');
  if (!slash) return strdup(".");
  return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

ew_status host_create(const case_file_options *options, lua_host **out, ew_error *err) {
  ew_status status = EW_OK;
  lua_host *h = calloc(1, sizeof *h);
  if (!h) return ew_fail(err, EW_FAIL, "out of memory");
  h->options = *options;
  h->captured = LUA_NOREF;
  h->path = strdup(options->path);
  h->folder = folder_of(options->path);
  h->L = luaL_newstate();
  if (!h->path || !h->folder || !h->L) {
    status = ew_fail(err, EW_FAIL, "out of memory");
  } else {
    *(lua_host **)lua_getextraspace(h->L) = h;
    lua_sethook(h->L, watch_stop, LUA_MASKCOUNT, STOP_PERIOD);
    lua_pushcfunction(h->L, open_all);
    status = host_call(h, 0, 0, err);
  }
  if (status == EW_OK) *out = h;
  else host_destroy(&h);
  return status;
}

const char *host_case_folder(const lua_host *h) { return strchr(h->path, '/') ? h->folder : ""; }

void host_destroy(lua_host **host) {
  lua_host *h = *host;
  if (!h) return;
  if (h->L) lua_close(h->L);
  free(h->path);
  free(h->folder);
  free(h);
  *host = NULL;
}

/* ---- texts ------------------------------------------------------------------------------------------------------------------ */

const char *host_text(lua_State *L, const char *file) {
  luaL_getsubtable(L, LUA_REGISTRYINDEX, TEXTS);
  lua_getfield(L, -1, file);
  const char *text = lua_tostring(L, -1);
  lua_pop(L, 2);
  return text;
}

/* Argument: the path. Returns the compiled chunk; errors name the file. */
static int load_chunk(lua_State *L) {
  const char *path = lua_tostring(L, 1);
  const lua_host *h = host_of(L);
  if (h->options.text && strcmp(path, h->path) == 0) lua_pushstring(L, h->options.text);
  else library_read_file(L, path);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, TEXTS);
  lua_pushvalue(L, -2);
  lua_setfield(L, -2, path);
  lua_pop(L, 1);
  size_t n;
  const char *text = lua_tolstring(L, -1, &n);
  if (*text == *LUA_SIGNATURE)
    return host_raise(L, EW_INPUT, "%s is a compiled Lua chunk; cases are text", path);
  if (strncmp(text, CHECKPOINT_MAGIC, sizeof CHECKPOINT_MAGIC - 1) == 0)
    return host_raise(
        L, EW_INPUT,
        "%s is a checkpoint, not a case\nhint: `edgewise resume CASE.lua --checkpoint %s`; without "
        "--checkpoint it takes the newest in the case's output folder",
        path, path);
  const size_t mark = words_mark(text, n);
  lua_pushfstring(L, "@%s", path);
  if (luaL_loadbufferx(L, text + mark, n - mark, lua_tostring(L, -1), "t")) {
    const char *why = lua_tostring(L, -1);
    const bool comma = strstr(why, "'}' expected") != NULL;
    return host_raise(L, EW_INPUT, "%s%s", why,
                      comma ? "\nhint: parts of a table have commas between them: is one missing before this?"
                            : "");
  }
  return 1;
}

int library_load(lua_State *L, const char *path) {
  lua_pushcfunction(L, load_chunk);
  lua_pushstring(L, path);
  lua_call(L, 1, 1);
  return 1;
}

/* No argument: the path of the case; a text could not be made outside of a protected call without memory. */
static int load_own(lua_State *L) {
  lua_pushstring(L, host_of(L)->path);
  return load_chunk(L);
}

ew_status host_run_file(lua_host *h, ew_error *err) {
  lua_pushcfunction(h->L, load_own);
  ew_status status = host_call(h, 0, 1, err);
  if (status == EW_OK) status = host_call(h, 0, 1, err);
  if (h->stop.status != EW_OK) return ew_fail(err, EW_STOPPED, "%s", h->stop.text);
  if (!h->ended || is_stopped(h)) return status;
  h->ended = false;
  lua_sethook(h->L, watch_stop, LUA_MASKCOUNT, STOP_PERIOD);
  lua_settop(h->L, 0);
  return EW_OK;
}
