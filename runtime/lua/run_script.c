#include "lua/run_script.h"

#include <string.h>

#include "lua/host.h"
#include "lua/reader.h"
#include "lua/run_object.h"

static const char HOLDER[] = "edgewise.holder";

/* What one run() owns; Lua frees it whatever happens. */
typedef struct holder {
  ew_case *c;
  problem_list p;
} holder;

static int free_holder(lua_State *L) {
  holder *h = luaL_checkudata(L, 1, HOLDER);
  case_destroy(&h->c);
  problems_clear(&h->p);
  return 0;
}

static holder *push_holder(lua_State *L) {
  ew_error err = {0};
  holder *h = lua_newuserdatauv(L, sizeof *h, 0);
  *h = (holder){0};
  luaL_setmetatable(L, HOLDER);
  if (case_create(&h->c, &err) != EW_OK) host_raise_error(L, &err);
  return h;
}

/* The case table at index 1 as plain data; raises if it has problems. */
static void read_holder(lua_State *L, holder *h) {
  const lua_host *host = host_of(L);
  ew_error err = {0};
  reader r = {.L = L, .c = h->c, .p = &h->p};
  h->c->file = case_text(h->c, host->path, &err);
  h->c->folder = case_text(h->c, host_case_folder(host), &err);
  if (!h->c->file || !h->c->folder) host_raise_error(L, &err);
  read_case(&r, 1);
  if (problems_status(&h->p, &err) != EW_OK) host_raise_error(L, &err);
}

/* Without a runner the case is only looked at: the script ends here, and the case takes the place of its result. */
static int capture(lua_State *L) {
  lua_settop(L, 1);
  host_of(L)->captured = luaL_ref(L, LUA_REGISTRYINDEX);
  return host_end(L);
}

/* The result lives on with the case whose names it uses. */
static void anchor(lua_State *L, int result, int owner) {
  if (!lua_isuserdata(L, result)) return;
  lua_getiuservalue(L, result, 1);
  lua_pushvalue(L, owner);
  lua_setfield(L, -2, "case");
  lua_pop(L, 1);
}

static int run(lua_State *L) {
  lua_host *host = host_of(L);
  const char *mark = schema_mark_of(L, 1, NULL);
  if (!mark || strcmp(mark, "case") != 0)
    return luaL_error(L, "run takes a case: run(case { ... }), found %s", mark ? mark : host_describe(L, 1));
  host->ran = true;
  if (!host->options.run) return capture(L);
  lua_settop(L, 1);
  holder *h = push_holder(L);
  read_holder(L, h);
  lua_hooks *hooks = run_object_hooks(L, 1, h->c, true);
  exec_hooks calls = run_object_exec_hooks(hooks);
  exec_summary summary = {0};
  ew_error err = {0};
  bool before = host_enter(host, false);
  ew_status status = host->options.run(host->options.context, h->c, &calls, &summary, &err);
  host_enter(host, before);
  if (status == EW_OK) run_object_push_result(L, hooks, &summary);
  run_object_release(L, hooks);
  if (status == EW_STOPPED) host_look_for_stop(L, &err);
  if (status != EW_OK) return host_raise_error(L, &err);
  anchor(L, lua_gettop(L), 2);
  return 1;
}

void run_script_open(lua_State *L) {
  luaL_newmetatable(L, HOLDER);
  lua_pushcfunction(L, free_holder);
  lua_setfield(L, -2, "__gc");
  lua_pop(L, 1);
  lua_pushcfunction(L, run);
  lua_setglobal(L, "run");
}
