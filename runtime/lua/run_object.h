/* The object `run` that hooks get and that run() returns: time, globals, reductions, probes, copies of fields. Internal to
 * runtime/lua.
 *
 * In a hook it looks at the living run; outside of hooks such an object is an error to use. What run() returns is a copy of
 * the last state, made when the run ended. */
#ifndef EW_LUA_RUN_OBJECT_H
#define EW_LUA_RUN_OBJECT_H

#include <lua.h>

#include "run/run.h"
#include "lua/host.h"

void run_object_open(lua_State *L);

/* The hooks of one case. */
typedef struct lua_hooks lua_hooks;

/* Reads on_step, on_output and on_end of the case table at `index` (raises for want of memory). With `keep_result` the
 * last state is copied when the run ends, for run_object_push_result. Allocated in the case's memory. */
lua_hooks *run_object_hooks(lua_State *L, int index, ew_case *c, bool keep_result);
/* For exec_run_case; functions that the case has not are NULL. */
exec_hooks run_object_exec_hooks(lua_hooks *hooks);
/* Pushes the copied state, or nil if the run did not reach its end. */
void run_object_push_result(lua_State *L, const lua_hooks *hooks, const exec_summary *summary);
/* Lets go of the Lua values; the hooks must not be called afterwards. */
void run_object_release(lua_State *L, lua_hooks *hooks);

#endif
