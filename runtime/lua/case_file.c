#include "lua/case_file.h"

#include <stdlib.h>
#include <string.h>

#include "lua/host.h"
#include "lua/reader.h"
#include "lua/run_object.h"

struct case_file {
  lua_host *host;
  ew_case *c; /* NULL: the script ran its cases itself */
  problem_list p;
  lua_hooks *hooks;
};

/* Argument: the case table. The case_file is reached through a light userdata, as its upvalue would be. */
static int read_returned(lua_State *L) {
  case_file *f = lua_touserdata(L, 2);
  reader r = {.L = L, .c = f->c, .p = &f->p};
  lua_settop(L, 1);
  read_case(&r, 1);
  f->hooks = run_object_hooks(L, 1, f->c, false);
  return 0;
}

static ew_status make_case(case_file *f, ew_error *err) {
  ew_status status = case_create(&f->c, err);
  if (status != EW_OK) return status;
  f->c->file = case_text(f->c, f->host->path, err);
  f->c->folder = case_text(f->c, host_case_folder(f->host), err);
  return f->c->file && f->c->folder ? EW_OK : EW_FAIL;
}

static ew_status no_case(const lua_host *h, ew_error *err) {
  return ew_fail(err, EW_INPUT,
                 "%s gives no case: end it with `return case { ... }`, or call run(case { ... })", h->path);
}

/* The script's result is on the top of the stack. */
static ew_status take_result(case_file *f, ew_error *err) {
  lua_host *h = f->host;
  lua_State *L = h->L;
  ew_status status = EW_OK;
  if (h->captured != LUA_NOREF) {
    lua_settop(L, 0);
    lua_rawgeti(L, LUA_REGISTRYINDEX, h->captured);
  }
  if (lua_gettop(L) == 0 || lua_isnil(L, -1)) return h->ran ? EW_OK : no_case(h, err);
  const char *mark = schema_mark_of(L, -1, NULL);
  if (!mark || strcmp(mark, "case") != 0) return h->ran ? EW_OK : no_case(h, err);
  EW_CHECK(make_case(f, err));
  lua_pushcfunction(L, read_returned);
  lua_insert(L, -2);
  lua_pushlightuserdata(L, f);
  status = host_call(h, 2, 0, err);
cleanup:
  return status;
}

static ew_status check_defines(const lua_host *h, ew_error *err) {
  if (h->options.n_defines == 0 || h->declared) return EW_OK;
  return ew_fail(err, EW_USAGE,
                 "-D %s: %s declares no arguments; it may with: local arg = arguments { name = default }",
                 h->options.define[0], h->path);
}

ew_status case_file_create(const case_file_options *options, case_file **out, ew_error *err) {
  ew_status status = EW_OK;
  case_file *f = calloc(1, sizeof *f);
  if (!f) return ew_fail(err, EW_FAIL, "out of memory");
  EW_CHECK(host_create(options, &f->host, err));
  EW_CHECK(host_run_file(f->host, err));
  EW_CHECK(check_defines(f->host, err));
  EW_CHECK(take_result(f, err));
cleanup:
  if (status != EW_OK) case_file_destroy(&f);
  *out = f;
  return status;
}

void case_file_destroy(case_file **file) {
  case_file *f = *file;
  if (!f) return;
  case_destroy(&f->c);
  host_destroy(&f->host);
  problems_clear(&f->p);
  free(f);
  *file = NULL;
}

ew_case *case_file_get(case_file *file) { return file->c; }
const problem_list *case_file_problems(const case_file *file) { return &file->p; }

exec_hooks case_file_hooks(case_file *file) {
  return file->hooks ? run_object_exec_hooks(file->hooks) : (exec_hooks){0};
}
